"""The catalogues of the games in which players bet against each other: whole, and as our inventory counts them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

from tablectl.i18n.clauses.catalogue import (
    Clause,
    Deadline,
    Kind,
    Phase,
    Remedy,
    UnknownRulebook,
    load,
)
from tests.catalogue.books import BOOKS

INVENTORY = [
    tuple(line.split())
    for line in (Path(__file__).parent / "inventory.txt").read_text(encoding="utf-8").splitlines()
    if not line.startswith("#")
]
PREFIXES = {"circle-holdem": "THL-", "open-holdem": "THO-", "draw-poker": "FCD-"}
#: How many clauses of each kind our inventory counts: sensor, button, procedure, bet, payout.
COUNTS = {
    "circle-holdem": (28, 45, 11, 37, 30),
    "open-holdem": (4, 4, 3, 23, 23),
    "draw-poker": (16, 23, 3, 22, 5),
}
_HOLDEM_PHASES = (
    "seating",
    "closed",
    "blinds",
    "dealing",
    "pre-flop-betting",
    "flop",
    "flop-betting",
    "turn",
    "turn-betting",
    "river",
    "river-betting",
    "showdown",
    "settlement",
    "voided",
)
#: The phases that these catalogues name, in the order of a hand.
PHASES = {
    "circle-holdem": _HOLDEM_PHASES,
    "open-holdem": _HOLDEM_PHASES,
    "draw-poker": (
        "seating",
        "closed",
        "antes",
        "dealing",
        "first-betting",
        "draw",
        "second-betting",
        "showdown",
        "settlement",
        "voided",
    ),
}


def test_a_game_that_is_not_there_has_no_catalogue() -> None:
    with pytest.raises(UnknownRulebook, match="no rulebook 'whist'"):
        load("whist")


@pytest.mark.parametrize("rulebook", PHASES)
def test_every_clause_of_the_inventory_stands_there_once_in_its_order_and_is_of_its_kind(rulebook: str) -> None:
    wanted = [pair for pair in INVENTORY if pair[0].startswith(PREFIXES[rulebook])]
    assert [(book.id, book.kind.value) for book in BOOKS[rulebook]] == wanted


@pytest.mark.parametrize("rulebook", PHASES)
def test_there_are_so_many_clauses_of_each_kind(rulebook: str) -> None:
    kinds = (Kind.SENSOR, Kind.BUTTON, Kind.PROCEDURE, Kind.BET, Kind.PAYOUT)
    assert Counter(book.kind for book in BOOKS[rulebook]) == dict(zip(kinds, COUNTS[rulebook], strict=True))


@pytest.mark.parametrize("rulebook", PHASES)
def test_a_clause_names_phases_of_its_game_alone_and_in_the_order_of_a_hand(rulebook: str) -> None:
    order = ["any", "setup", *PHASES[rulebook]]
    for clause in BOOKS[rulebook]:
        places = [order.index(phase) for phase in clause.phases]
        assert places == sorted(set(places)), clause.id


@pytest.mark.parametrize("rulebook", PHASES)
def test_every_phase_of_a_game_but_that_of_a_void_hand_has_its_clauses(rulebook: str) -> None:
    named = {phase for clause in BOOKS[rulebook] for phase in clause.phases}
    assert set(PHASES[rulebook]) - named == {"voided"}


@pytest.mark.parametrize("rulebook", PHASES)
def test_the_phases_of_a_game_are_words_of_the_catalogue_in_its_order(rulebook: str) -> None:
    order = list(Phase)
    places = [order.index(Phase(phase)) for phase in PHASES[rulebook]]
    assert places == sorted(places)


def _errors() -> Iterator[Clause]:
    """What a document calls an error, an irregularity or a prohibition."""
    for clause in (*BOOKS["circle-holdem"], *BOOKS["draw-poker"]):
        if clause.id.startswith(("THL-MIS", "THL-CRE", "THL-PLE", "THL-PRO", "FCD-IRR")):
            yield clause


def test_every_error_says_what_to_do() -> None:
    found = list(_errors())
    assert len(found) == 10 + 8 + 22 + 12 + 15
    assert [clause.id for clause in found if not clause.remedy] == []


@pytest.mark.parametrize(
    ("clause", "deadline"),
    [
        ("THL-SHF-8", Deadline.FIRST_CARD),
        ("THL-SDN-8", Deadline.NEXT_DEAL),
        ("THL-INI-6", None),
        ("THL-INI-5", Deadline.FULL_LAP),
        ("THL-MIS-1", Deadline.SECOND_ACTION),
        ("THL-MIS-2", Deadline.FIRST_ACTION),
        ("THL-MIS-8", None),
        ("THL-MIS-9", Deadline.SECOND_ACTION),
        ("THL-CRE-1", Deadline.NEXT_DEAL),
        ("THL-CRE-3", Deadline.OWN_TURN),
        ("THL-CRE-5", Deadline.ROUND_CLOSED),
        ("THL-CRE-6", Deadline.ROUND_CLOSED),
        ("THL-CRE-7", Deadline.ROUND_CLOSED),
        ("THL-CRE-8", Deadline.DEAL_END),
        ("THL-PLE-1a", Deadline.CALLED),
        ("THL-PLE-2a", Deadline.CARDS_MIXED),
        ("THL-PLE-12", None),
        ("THL-PLE-13", Deadline.TWO_ACTED),
        ("THL-PLE-16", Deadline.NEXT_ACTION),
        ("THL-PRO-4", Deadline.FIRST_CARD),
        ("FCD-DSC-7", Deadline.SESSION_START),
        ("FCD-RST-8", Deadline.SESSION_END),
        ("FCD-RST-10", Deadline.FIRST_CARD),
        ("FCD-IRR-3", Deadline.FIRST_BET),
        ("FCD-IRR-4", Deadline.POT_DELIVERED),
        ("FCD-IRR-5", Deadline.DEAL_END),
        ("FCD-IRR-7", None),
        ("FCD-IRR-8", Deadline.LOOKED),
        ("FCD-IRR-11", Deadline.FIRST_BET),
    ],
)
def test_the_windows_of_the_documents(clause: str, deadline: Deadline | None) -> None:
    (found,) = (entry for book in BOOKS.values() for entry in book if entry.id == clause)
    assert found.deadline == deadline


@pytest.mark.parametrize(
    ("clause", "remedy"),
    [
        ("THL-MIS-0", (Remedy.VOID_HAND, Remedy.REFUND)),
        ("THL-MIS-8", (Remedy.CONTINUE,)),
        ("THL-CRE-4", (Remedy.VOID_SEAT, Remedy.REFUND)),
        ("THL-CRE-5", (Remedy.SET_ASIDE, Remedy.RETURN_AND_RESHUFFLE, Remedy.NO_BURN)),
        ("THL-CRE-8", (Remedy.SHOW_TO_ALL, Remedy.BURN_IT_INSTEAD)),
        ("THL-PLE-8", (Remedy.AS_CALL, Remedy.RETURN_EXCESS)),
        ("THL-PLE-12", (Remedy.VOID_SEAT, Remedy.LOSE, Remedy.PIT_BOSS)),
        ("FCD-IRR-6b", (Remedy.CONTINUE,)),
        ("FCD-IRR-7", (Remedy.VOID_SEAT, Remedy.LOSE)),
        ("FCD-IRR-12", (Remedy.REDEAL, Remedy.CORRECT)),
    ],
)
def test_the_remedies_of_the_documents(clause: str, remedy: tuple[Remedy, ...]) -> None:
    (found,) = (entry for book in BOOKS.values() for entry in book if entry.id == clause)
    assert found.remedy == remedy


def test_a_new_deal_in_draw_poker_is_a_right_that_a_player_has_to_use() -> None:
    on_demand = [clause.id for clause in BOOKS["draw-poker"] if Remedy.REDEAL_ON_DEMAND in clause.remedy]
    assert on_demand == [f"FCD-IRR-{text}" for text in ("0", "1", "2", "3", "4", "5", "6a")]


@pytest.mark.parametrize(("closed_set", "field"), [(Deadline, "deadline"), (Remedy, "remedy"), (Phase, "phases")])
def test_no_word_of_a_closed_set_is_idle(closed_set: type[Deadline | Remedy | Phase], field: str) -> None:
    """But the phase of a void hand, which no clause is about."""
    named: set[str | None] = set()
    for clause in (entry for book in BOOKS.values() for entry in book):
        value = getattr(clause, field)
        named |= set(value) if isinstance(value, tuple) else {value}
    assert set(closed_set) - named <= {Phase.VOIDED}

"""Every choice of a house that changes what the table does, at its two (or three) values, and nothing else with it.

The choices that only a settlement knows are tried in `tests/settlement`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

import pytest

from tablectl.core.engine.table import Table
from tablectl.core.options.choices import choices
from tablectl.games.registry import CIRCLE_GAMES, PROFILES
from tests.engine.tables import lines, next_fact, setup, table_of
from tests.journal.journals import hand_files

BETS: Final = {
    "texas-bonus": "press new-hand\nbet 1 ante 1000\nbet 2 ante 1000",
    "texas-poker": "press new-hand\nbet 1 ante 1000\nbet 2 ante 1000",
}


Tried = Callable[[dict[str, str]], str]


def at(rulebook: str, phase: str, profile: dict[str, str]) -> Table:
    table = table_of(setup(rulebook, profile=profile))
    if rulebook == "texas-bonus":
        lines(table, "shuffled 52")
    lines(table, BETS[rulebook])
    for _ in range(100):
        if table.state.phase.name == phase:
            return table
        table.apply(next_fact(table, 0))
    raise AssertionError(f"no {phase}")


def told(rulebook: str, phase: str, text: str) -> Tried:
    """The last decisions of these facts, in this phase, under a profile."""
    return lambda profile: " / ".join(lines(at(rulebook, phase, profile), text))


BONUS, POKER = "texas-bonus", "texas-poker"
EARLY = "draw ??\npress seen"
TWICE = "declare commented seat-1\ndeclare commented seat-1"
VOID_THEN_NEW = "call by ana\nrule 1 void-hand by ana misdeal\npress confirm\nshuffled 52\npress new-hand"
TURNED = "draw 9h\ndeclare turned-while-dealt"

#: Rulebook and key; what is tried; by value, what must be said in it.
CASES: Final[dict[tuple[str, str], tuple[Tried, dict[str, str]]]] = {
    (BONUS, "bank_exposed_until"): (
        told(BONUS, "turn-decision", "declare bank-card-exposed"),
        {"last-decision": "remedy=void-hand / void-hand THB-ERR-1", "flop-bets": "remedy=continue"},
    ),
    (BONUS, "wrong_count_seat"): (
        told(BONUS, "flop-decision", "press bet\ndeclare wrong-count seat-2 cards=3 lap=1"),
        {
            "void-seat": "refund 2 ante 1000 / card seat-2.3",
            "void-hand": "void-hand THB-ERR-5 / refund 1 ante 1000",
            "void-seat-and-reshuffle": "refund 2 ante 1000 / asked reshuffled stub",
        },
    ),
    (BONUS, "early_card_seen"): (
        told(BONUS, "flop-decision", EARLY),
        {"void-hand": "remedy=void-hand|next-card", "keep": "remedy=next-card|void-hand"},
    ),
    (BONUS, "face_up_scope"): (
        told(BONUS, "flop", "draw 9h\ndeclare face-up-in-shoe"),
        {"any-draw": "incident THB-ERR-2", "hole-cards": "refused not-live THB-ERR-2"},
    ),
    (BONUS, "wrong_order"): (
        told(BONUS, "dealing", "draw 9h\ndeclare wrong-order"),
        {"correct-or-void": "incident THB-DEV-7", "accept": "refused not-live THB-DEV-7"},
    ),
    (BONUS, "deck_fault"): (
        told(BONUS, "flop", "declare defective-deck"),
        {"pit-boss": "remedy=void-hand|continue", "void-hand": "void-hand THB-CRD-1"},
    ),
    (BONUS, "annulled_bets"): (
        told(BONUS, "flop", VOID_THEN_NEW),
        {"returned": "phase betting", "stay": "phase betting / bet 1 ante 1000 / bet 2 ante 1000"},
    ),
    (BONUS, "shuffle"): (
        lambda profile: " / ".join(lines(table_of(setup(BONUS, profile=profile)), "press new-hand")),
        {"by-hand": "hand 1 / phase betting", "in-shoe": "refused not-shuffled THB-SAB-2"},
    ),
    (BONUS, "turned_while_dealt"): (
        told(BONUS, "dealing", TURNED),
        {"as-face-up": "observed=face-up-card remedy=discard", "pit-boss": "remedy=void-hand|continue"},
    ),
    (BONUS, "prohibitions"): (
        told(BONUS, "flop-decision", TWICE),
        {"warn-then-pit-boss": "remedy=warn|expel", "log-only": "observed=commented-seat-1 remedy=warn"},
    ),
    (POKER, "second_bet"): (
        told(POKER, "decision", "press bet"),
        {"twice-the-ante": "bet 1 second 2000", "same-as-ante": "bet 1 second 1000"},
    ),
    (POKER, "bank_exposed_until"): (
        told(POKER, "turn-river", "declare bank-card-exposed"),
        {"reveal": "remedy=void-hand / void-hand TPC-MIS-3", "last-decision": "remedy=continue"},
    ),
    (POKER, "burn"): (
        told(POKER, "turn-river", "draw ??\ndraw ??"),
        {
            "none": "card board.5 / phase showdown",
            "flop": "card board.5 / phase showdown",
            "every-street": "card board.4",
        },
    ),
    (POKER, "bank_card"): (
        told(POKER, "dealing", "draw 9h"),
        {"last": "card seat-1.1", "first": "card house.1"},
    ),
    (POKER, "wrong_count_until"): (
        told(POKER, "decision", "declare wrong-count seat-1 cards=3"),
        {"first-flop-card": "void-hand TPC-MIS-2", "first-decision": "remedy=correct / asked seen moved-cards"},
    ),
    (POKER, "deck_fault"): (
        told(POKER, "flop", "declare missing-card"),
        {"void-hand": "void-hand TPC-MIS-4", "pit-boss": "remedy=void-hand|continue"},
    ),
    (POKER, "contact_bets"): (
        told(POKER, "decision", "declare cards-in-contact seat-1 seat-2"),
        {"lost": "remedy=lose-bets|refund-bets", "returned": "remedy=refund-bets|lose-bets"},
    ),
    (POKER, "standing_bets"): (
        told(POKER, "betting", "\n".join(["standing 1 ante 9500 consent"] * 4)),
        {"three-in-all": "refused outside-limits TPC-PLY-4", "three-besides": "refused box-full TPC-PLY-5"},
    ),
    (POKER, "annulled_bets"): (
        told(POKER, "flop", VOID_THEN_NEW),
        {"returned": "phase betting", "stay": "phase betting / bet 1 ante 1000 / bet 2 ante 1000"},
    ),
    (POKER, "early_card_seen"): (
        told(POKER, "decision", EARLY),
        {"void-hand": "remedy=void-hand|next-card", "keep": "remedy=next-card|void-hand"},
    ),
    (POKER, "turned_while_dealt"): (
        told(POKER, "dealing", TURNED),
        {"void-hand": "void-hand TPC-MIS-1", "pit-boss": "remedy=void-hand|continue"},
    ),
    (POKER, "prohibitions"): (
        told(POKER, "decision", TWICE),
        {"warn-then-pit-boss": "remedy=warn|expel", "log-only": "observed=commented-seat-1 remedy=warn"},
    ),
}
#: What nobody sees before the bets are settled.
SETTLED: Final = {
    (BONUS, "pair_of_jacks_bonus"),
    (BONUS, "ante_below_straight"),
    (BONUS, "tie"),
    (POKER, "txb_aces"),
    (POKER, "ante_without_bank"),
    (POKER, "tie"),
}
KEYS: Final = [
    (game, key) for game, profile in PROFILES.items() if game not in CIRCLE_GAMES for key in choices(profile)
]


def test_every_choice_of_every_game_is_tried_here_or_in_its_settlement() -> None:
    assert {*CASES, *SETTLED} == set(KEYS)
    assert CASES.keys().isdisjoint(SETTLED)


def test_every_choice_of_the_circle_games_is_tried_in_a_hand() -> None:
    """The two of hold'em have the same keys but for one, and all three the same engine after them."""
    tried = {(key, choice.default) for game in CIRCLE_GAMES for key, choice in choices(PROFILES[game]).items()}
    for _, hand in hand_files():
        if hand.setup.rulebook in CIRCLE_GAMES:
            tried |= set(hand.setup.profile.items())
    keys = [(key, choice) for game in CIRCLE_GAMES for key, choice in choices(PROFILES[game]).items()]
    there = {(key, value) for key, choice in keys for value in choice.values}
    assert there - tried == set()


@pytest.mark.parametrize(("game", "key"), CASES)
def test_a_choice_changes_what_it_says(game: str, key: str) -> None:
    tried, wanted = CASES[game, key]
    assert set(wanted) == set(choices(PROFILES[game])[key].values)
    for value, said in wanted.items():
        assert said in tried({key: value}), value


def no_refunds(said: str) -> str:
    """What is given back depends on what lay there, and on whether it stays."""
    return " / ".join(part for part in said.split(" / ") if not part.startswith("refund"))


#: What is dealt first changes which card an error is about.
TOUCHES: Final = {
    (POKER, "bank_card", "turned_while_dealt"): "the first card is the bank's",
}


@pytest.mark.parametrize(("game", "key"), KEYS)
def test_a_choice_changes_nothing_else(game: str, key: str) -> None:
    """What is tried of all the others is said as ever, whatever this one is."""
    for (other_game, other), (tried, _) in CASES.items():
        if other_game == game and other != key:
            said = {value: no_refunds(tried({key: value})) for value in choices(PROFILES[game])[key].values}
            assert (len(set(said.values())) > 1) == ((game, key, other) in TOUCHES), (other, said)

"""What may be entered is what is listed, in all five games: at points of every hand file each listed entry is made and
must be taken, and each entry of the file that was taken must have been listed."""

from __future__ import annotations

import zlib
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tablectl.core.cards import DECK
from tablectl.core.engine import facts as f
from tablectl.core.engine.decisions import Refused
from tablectl.core.engine.move import Move
from tablectl.core.engine.state import State
from tablectl.core.engine.table import Table
from tablectl.core.engine.vocabulary import Key, Refusal
from tablectl.families.draw.state import DrawState
from tablectl.families.pots.state import PotGameState
from tablectl.games.registry import RULEBOOKS, rulebook_of
from tablectl.journal.handfile.facts import fact_line, parse_fact
from tablectl.journal.handfile.file import HandFile, parse
from tablectl.journal.handfile.playing import opening
from tests.engine.states import banked
from tests.engine.tables import IN_TURN
from tests.journal.journals import files_of

#: Entries that are answered although nothing follows: the count was right, the question is taken back, and what a
#: device or another answer has told already.
ANSWERS = frozenset(
    {
        Refusal.COUNT_IS_RIGHT,
        Refusal.TAKEN_BACK,
        Refusal.CARD_KNOWN,
        Refusal.CARD_ELSEWHERE,
        Refusal.WRONG_CARD,
        Refusal.WRONG_NUMBER,
    }
)
#: What devices and the controller tell is no entry of people; nor is another game, which a file's header chooses.
OF_PEOPLE = (
    *(f.Pressed, f.Bets, f.Removed, f.StandingBet, f.StandsOut, f.Acted, f.PutIn, f.AsksFor, f.Moved, f.Stacked),
    *(f.ButtonPlaced, f.Declared, f.Ruled, f.Acknowledged, f.Named, f.Called, f.SignedOn, f.SignedOff, f.LimitsSet),
    *(f.Shelved, f.Unshelved, f.Corrected, f.Transferred),
)


def chips_of(state: State) -> dict[int, int]:
    """What lies before each player."""
    assert isinstance(state, PotGameState)
    return state.stacks


def filled_in(move: Move, state: State) -> str:
    """The line of an entry with what it needs."""
    verb, needs = move.entry.split()[0], list(move.needs)
    if verb == "game":
        return f"{move.entry} {state.setup.rulebook} by ana"
    if verb == "limits":
        most = move.least if "ante" in move.entry and isinstance(state, DrawState) else move.most
        return f"{move.entry}{move.least}..{most} by {'+'.join(['ana', 'luis'][: len(needs) - 2])}"
    if verb == "correct":
        return f"{move.entry} {move.most} nothing by ana+luis a reason"
    if verb == "transfer":
        giver = int(move.entry.partition("from=")[2])
        taker = next(seat for seat in chips_of(state) if seat != giver)
        return f"{move.entry} to={taker} {move.least} by {'+'.join(['ana', 'luis'][: len(needs) - 2])}"
    if verb == "shelve":
        return f"{move.entry} {move.most} by ana rest"
    if verb == "name":
        unknown = next(card for card in DECK if not state.deal.knows(card))
        return f"{move.entry} {unknown.code} by ana"
    if needs[:2] == ["name", "name"]:
        return " ".join([move.entry, "ana+luis", *needs[2:]])
    words = {
        "draw": f"draw={move.cards[0].draw}" if move.cards else "",
        "name": "ana",
        "action": "fold",
        "consent": "consent",
        "reason": "a reason",
    }
    return " ".join([move.entry, *(words.get(need, str(move.least)) for need in needs)])


def facts_of(hand: HandFile) -> list[f.Fact]:
    return [*opening(hand), *(step.fact for step in hand.steps)]


def refused(table: Table, fact: f.Fact) -> Refusal | None:
    """Why nothing followed."""
    decisions = table.apply(fact)
    why = next((decision.why for decision in decisions if isinstance(decision, Refused)), None)
    return why if all(isinstance(decision, Refused) for decision in decisions) else None


def is_listed(line: str, moves: tuple[Move, ...]) -> bool:
    """Whether a line begins with one of the entries. The croupier may say "bet" for a raise and the other way round."""
    entries = {move.entry for move in moves}
    if entries & {"act bet", "act raise"}:
        entries |= {"act bet", "act raise"}
    return any(line == entry or line.startswith(entry if entry.endswith("=") else f"{entry} ") for entry in entries)


def taken_without_being_listed(hand: HandFile) -> Iterator[str]:
    """The lines of a file that the table took although they were not among the moves."""
    table = Table.resume(hand.carry, rulebook_of)
    for fact in facts_of(hand):
        moves = table.moves()
        # An action of the seat whose turn it is needs no seat.
        line = fact_line(fact).replace(f"act {table.state.turn} ", "act ")
        if refused(table, fact) is None and isinstance(fact, OF_PEOPLE) and not is_listed(line, moves):
            yield line


def listed_and_refused(hand: HandFile, point: int) -> Iterator[str]:
    """The moves after so many facts that the table does not take."""
    facts = facts_of(hand)[:point]

    def played() -> Table:
        table = Table.resume(hand.carry, rulebook_of)
        for fact in facts:
            table.apply(fact)
        return table

    there = played()
    for move in there.moves():
        line = filled_in(move, there.state)
        why = refused(played(), parse_fact(line, 10**9, there.state.setup))
        if why is not None and why not in ANSWERS:
            yield f"after {point} facts: {line}: {why}"


def some_point(path: Path, hand: HandFile) -> int:
    """One point of a file, always the same."""
    return zlib.crc32(path.stem.encode()) % (len(hand.steps) + 1)


def wrong_in(
    rulebook: str, check: Callable[[Path, HandFile], Iterator[str]], *, with_all: bool
) -> dict[str, list[str]]:
    hands = {path: parse(path.read_text(encoding="utf-8")) for path in files_of(rulebook, with_all=with_all)}
    found = {path.stem: list(check(path, hand)) for path, hand in hands.items()}
    return {name: said for name, said in found.items() if said}


@pytest.mark.parametrize("rulebook", IN_TURN)
def test_whatever_the_table_takes_was_listed(rulebook: str) -> None:
    assert wrong_in(rulebook, lambda _, hand: taken_without_being_listed(hand), with_all=True) == {}


@pytest.mark.parametrize("with_all", [False, pytest.param(True, marks=pytest.mark.wide)], ids=["various", "all"])
@pytest.mark.parametrize("rulebook", RULEBOOKS)
def test_whatever_is_listed_is_taken(rulebook: str, *, with_all: bool) -> None:
    found = wrong_in(rulebook, lambda path, hand: listed_and_refused(hand, some_point(path, hand)), with_all=with_all)
    assert found == {}


def test_thb_lim_2_bets_that_are_below_the_limits_of_today_are_not_offered_again() -> None:
    (path,) = [path for path in files_of("texas-bonus", with_all=True) if path.stem.startswith("THB-LIM-2-limits-wait")]
    hand = parse(path.read_text(encoding="utf-8"))
    table = Table.resume(hand.carry, rulebook_of)
    for fact in facts_of(hand):
        table.apply(fact)
        if table.state.hand == 2 and not table.state.seats:
            break
    assert banked(table).previous == {1: {"ante": 500}}, "the last hand's bet, below the limits that hold now"
    assert not {Key.ALL_BET, Key.SEAT_1} & set(table.prompt().keys)

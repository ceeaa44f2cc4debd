"""Rulings, "Corrections" and "Who confirms": in every game the croupier undoes his last entry with one key, and asks
with "wrong key" for a correction of an earlier one."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Final

import pytest

from tablectl.core.engine import decisions as d
from tablectl.core.engine import facts as f
from tablectl.core.engine.corrections import ENTRIES, can_be_undone, changes_nothing
from tablectl.core.engine.declarations import asked_now
from tablectl.core.engine.keys import answers_of
from tablectl.core.engine.table import Table
from tablectl.core.engine.vocabulary import SEAT_OF, Declaration, Key, Question, Refusal, Remedy
from tablectl.games.registry import rulebook_of
from tablectl.journal.handfile.file import HandFile, parse
from tablectl.journal.handfile.playing import begun
from tests.engine.tables import IN_TURN, remembered

HANDS: Final = Path(__file__).parents[1] / "hands"
#: Every how-manieth hand of a game is looked at.
STRIDE: Final = 6
#: What tells of the entry itself, which was made and taken back: that cards counted where they lay,
#: and an alarm that was raised on the way, too.
_OF_THE_ENTRY: Final = frozenset(
    {
        "last_entry",
        "entries",
        "n_incidents",
        "answered",
        "known_incidents",
        "entry",
        "unreported",
        "presses",
        "now_us",
        "felt",
        "unseen",
    }
)


def hands_of(game: str) -> list[HandFile]:
    paths = sorted((HANDS / game).glob("*.hand"))[::STRIDE]
    return [parse(path.read_text(encoding="utf-8")) for path in paths]


def played_to(hand: HandFile, n_steps: int) -> Table:
    table = begun(hand, rulebook_of)
    for step in hand.steps[:n_steps]:
        table.apply(step.fact)
    return table


def kind_of(fact: f.Fact) -> str:
    if not isinstance(fact, f.Pressed):
        return type(fact).__name__
    return "seat" if fact.key in SEAT_OF else fact.key.value


def entries_of(game: str) -> Iterator[tuple[HandFile, int]]:
    """Where something was entered that can be undone: for each phase and kind of entry the first one there is."""
    found = set[tuple[str, bool, str]]()
    for hand in hands_of(game):
        table = begun(hand, rulebook_of)
        for at, step in enumerate(hand.steps):
            was_in_play, fact = table.state.in_play, step.fact
            decisions = table.apply(fact)
            is_entry = type(fact) in ENTRIES and not changes_nothing(decisions) and can_be_undone(decisions)
            is_of_cancel = isinstance(fact, f.Pressed) and fact.key is Key.CANCEL
            state = table.state
            if not is_entry or is_of_cancel or not was_in_play or not state.in_play:
                continue
            asked = asked_now(state)
            if asked is not None and Key.CANCEL in answers_of(state, asked):
                continue  # it answers that question
            kind = (state.phase.name, state.held, kind_of(fact))
            if kind not in found:
                found.add(kind)
                yield hand, at


@pytest.mark.parametrize("game", IN_TURN)
def test_one_key_takes_the_last_entry_back(game: str) -> None:
    n_looked_at = 0
    for hand, at in entries_of(game):
        before, table = played_to(hand, at), played_to(hand, at + 1)
        assert Key.CANCEL in table.prompt().keys, f"{hand.steps[at].line}: {hand.steps[at].fact}"
        said = table.apply(f.Pressed(at_us=table.state.now_us, key=Key.CANCEL))
        if any(isinstance(one, d.TakenBack) for one in said) and before.prompt().question is Question.OUT_OF_TURN:
            before = played_to(hand, at - 1)  # the whole action goes back, and with it what was asked of it
        prompt, was = table.prompt(), before.prompt()
        assert (prompt.instruction, prompt.about, prompt.question) == (was.instruction, was.about, was.question)
        assert left_of(table) == left_of(before), f"{hand.steps[at].line}: {hand.steps[at].fact}"
        n_looked_at += 1
    assert n_looked_at >= 10


def left_of(table: Table) -> dict[str, object]:
    return {name: value for name, value in remembered(table.state).items() if name not in _OF_THE_ENTRY}


# --- "wrong key" ------------------------------------------------------------------------------------------------------


def asked_for(game: str, *, entry: int | None = None) -> tuple[Table, int, tuple[d.Decision, ...]]:
    """A hand of this game in which the croupier asks for a correction of an entry, the newest one where none is
    named."""
    for hand in hands_of(game):
        table = begun(hand, rulebook_of)
        for step in hand.steps:
            table.apply(step.fact)
            state = table.state
            if len(state.entries) >= 2 and not state.held and state.in_play and Key.INCIDENT in table.prompt().keys:
                number = state.entries[-1] if entry is None else state.entries[entry]
                named = None if entry is None else number
                said = table.apply(f.Declared(at_us=0, what=Declaration.WRONG_KEY, entry=named))
                return table, number, said
    raise AssertionError(f"no hand of {game} has two entries")


@pytest.mark.parametrize("game", IN_TURN)
@pytest.mark.parametrize("entry", [None, 0])
def test_wrong_key_holds_the_table_and_names_the_entry(game: str, entry: int | None) -> None:
    table, number, said = asked_for(game, entry=entry)
    (raised,) = [told for told in said if isinstance(told, d.IncidentRaised)]
    assert (raised.observed, raised.expected) == ("wrong-key", f"entry-{number}")
    assert raised.clause == table.state.rulebook.errors.ruling
    assert raised.remedies[0] is Remedy.CONTINUE
    assert table.state.held


@pytest.mark.parametrize("game", IN_TURN)
def test_wrong_key_is_the_last_line_of_the_list_and_takes_the_newest_entry(game: str) -> None:
    table, number, _ = asked_for(game)
    assert list(table.state.family.declarations)[-1] is Declaration.WRONG_KEY
    table.apply(f.Pressed(at_us=0, key=Key.CANCEL))
    assert not table.state.held, "one key takes the request back"
    table.apply(f.Pressed(at_us=0, key=Key.INCIDENT))
    while all(offer.what is not Declaration.WRONG_KEY for offer in table.prompt().offers):
        table.apply(f.Pressed(at_us=0, key=Key.INCIDENT))
    (offer,) = [offer for offer in table.prompt().offers if offer.what is Declaration.WRONG_KEY]
    said = table.apply(f.Pressed(at_us=0, key=offer.key))
    assert [told.expected for told in said if isinstance(told, d.IncidentRaised)] == [f"entry-{number}"]


@pytest.mark.parametrize("game", IN_TURN)
def test_the_correction_of_that_entry_answers_the_request(game: str) -> None:
    table, number, said = asked_for(game)
    (raised,) = [told for told in said if isinstance(told, d.IncidentRaised)]
    put_right = f.Corrected(at_us=0, number=number, by="ana", second="luis", reason="misheard")
    (withdrawn, *_) = table.apply(put_right)
    assert isinstance(withdrawn, d.Withdrawn)
    assert raised.incident in withdrawn.fallen
    assert raised.incident not in table.state.ruling
    assert not table.prompt().offers, "the list that it was chosen from is closed"


@pytest.mark.parametrize("game", IN_TURN)
def test_where_nobody_is_registered_the_request_is_the_croupiers_key(game: str) -> None:
    table, number, _ = asked_for(game)
    if not table.state.setup.staff:
        alone = f.Corrected(at_us=0, number=number, by="ana", second="", reason="misheard")
        assert isinstance(table.apply(alone)[0], d.Withdrawn)


def test_another_entry_than_there_is_cannot_be_named() -> None:
    table, _, _ = asked_for("texas-bonus")
    table.apply(f.Pressed(at_us=0, key=Key.CANCEL))
    for number in (1, 99):
        (said,) = table.apply(f.Declared(at_us=0, what=Declaration.WRONG_KEY, entry=number))
        assert isinstance(said, d.Refused)
        assert (said.why, said.detail) == (Refusal.NO_ENTRY, str(number))
    (said,) = table.apply(f.Declared(at_us=0, what=Declaration.PIT_BOSS, entry=2))
    assert isinstance(said, d.Refused)

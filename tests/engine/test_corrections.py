"""Rulings, "Corrections": what was entered wrongly and is put right changes nothing of the hand.

Clean hands are played with some entries replaced by wrong ones, while the cards move as in the clean hand; then the
entries are put right. The end of the hand is that of the clean one, to the engine and to every reader of the stream.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, fields, replace
from functools import cache
from pathlib import Path
from typing import Final

import pytest

from tablectl.core.engine import decisions as d
from tablectl.core.engine import facts as f
from tablectl.core.engine.corrections import ENTRIES
from tablectl.core.engine.prompt import Prompt
from tablectl.core.engine.table import Table
from tablectl.core.engine.vocabulary import Action, Key
from tablectl.core.events.stream import PublicRecord
from tablectl.core.public_table.folding.fold import fold_uncollected
from tablectl.core.public_table.table import PublicTable
from tablectl.games.registry import RULEBOOKS, rulebook_of
from tablectl.journal.handfile.file import HandFile, parse
from tablectl.journal.handfile.playing import opening
from tests.engine.tables import fingerprint

HANDS: Final = Path(__file__).parents[1] / "hands"
#: How many hands of each game, and wrong entries in a hand at most.
EACH_GAME: Final = 30
WRONG_MOST: Final = 3
#: What differs though nothing went wrong: a correction is a fact with a number, and nobody can undo it alone.
_OF_THE_WAY: Final = frozenset({"last_entry", "newest_entry", "n_incidents", "known_incidents", "entry"})
_VIEW: Final = frozenset({"seq", "prompt_since", "corrections", "earlier", "refusal", "before", "history", "aloud"})


@dataclass(kw_only=True)
class Played:
    """A hand as it is being played, with what a reader of its stream sees."""

    table: Table
    view: PublicTable = field(default_factory=PublicTable)
    records: list[PublicRecord] = field(default_factory=list)
    n_facts: int = 0
    #: how many records the opening of the hand made
    n_begun: int = 0

    def tell(self, fact: f.Fact) -> tuple[d.Decision, ...]:
        drawn = len(self.table.state.deal.draws)
        decisions = self.table.apply(fact)
        record = PublicRecord(
            seq=len(self.records) + 1,
            hand=1,
            at_us=fact.at_us,
            event=fact,
            draw=self.table.draw_of(fact, drawn),
            decisions=decisions,
            prompt=self.table.prompt(),
        )
        self.records.append(record)
        self.view = fold_uncollected(self.view, record)
        is_opened = any(isinstance(said, d.HandOpened) for said in decisions)
        self.n_facts = 1 if is_opened else self.n_facts + (self.n_facts > 0)
        return decisions


def begun(hand: HandFile) -> Played:
    played = Played(table=Table.resume(hand.carry, rulebook_of))
    for fact in opening(hand):
        played.tell(fact)
    played.n_begun = len(played.records)
    return played


@cache
def clean_hands(game: str) -> tuple[HandFile, ...]:
    """The hands of a game in which nothing goes wrong, to their end."""
    found = (parse(path.read_text(encoding="utf-8")) for path in sorted((HANDS / game).glob("*.hand")))
    return tuple(hand for hand in found if is_clean(hand))


def is_clean(hand: HandFile) -> bool:
    played = begun(hand)
    told = [said for step in hand.steps for said in played.tell(step.fact)]
    kinds = {type(said) for said in told}
    is_one_hand = sum(isinstance(said, d.HandClosed) for said in told) == 1 and d.HandOpened not in kinds
    return is_one_hand and not kinds & {d.IncidentRaised, d.Refused, d.TakenBack, d.Asked, d.Withdrawn}


def is_refused(decisions: Sequence[d.Decision]) -> bool:
    return bool(decisions) and all(isinstance(said, d.Refused) for said in decisions)


def wrong_for(fact: f.Fact, table: Table, chance: random.Random) -> f.Fact | None:
    """Another entry that is legal there, as somebody misheard; None where there is none."""
    others: list[f.Fact] = []
    match fact:
        case f.Pressed():
            live = [key for key in table.prompt().keys if key not in (Key.CANCEL, Key.INCIDENT, Key.WRONG_COUNT)]
            others = [f.Pressed(at_us=0, key=key) for key in live if key is not fact.key]
        case f.Acted():
            others = [replace(fact, action=action, to=None) for action in (Action.FOLD, Action.CHECK, Action.CALL)]
            others += [replace(fact, to=fact.to + 200)] if fact.to is not None else []
            others = [other for other in others if other != fact]
        case f.Bets():
            others = [replace(fact, amounts={bet: _more(amount) for bet, amount in fact.amounts.items()})]
        case f.AsksFor():
            others = [replace(fact, cards=cards) for cards in range(4) if cards != fact.cards]
    chance.shuffle(others)
    return next(iter(others), None)


def _more(amount: int | None) -> int | None:
    return None if amount is None else 2 * amount


@dataclass(kw_only=True)
class Story:
    """How a clean hand is played with mistakes: `wrong` at the places where another fact is entered first."""

    hand: HandFile
    chance: random.Random
    n_corrected: int = 0
    n_again: int = 0

    def play(self) -> Played:
        played, clean = begun(self.hand), begun(self.hand)
        facts = [step.fact for step in self.hand.steps]
        at = 0
        while at < len(facts):
            wants = self.n_corrected < WRONG_MOST and type(facts[at]) in ENTRIES and self.chance.random() < 0.4
            after = self._wrongly(played, clean, facts, at) if wants else None
            if after is None:
                assert not is_refused(played.tell(facts[at])), facts[at]
                clean.tell(facts[at])
                after = at + 1
            at = after
        return played

    def _wrongly(self, played: Played, clean: Played, facts: list[f.Fact], at: int) -> int | None:
        """Enter another fact, go on for a while, and put it right. Where the next fact of the hand stands; None where
        there is nothing else to be entered."""
        wrong = wrong_for(facts[at], played.table, self.chance)
        if wrong is None or not self._can_be_told(played, wrong):
            return None
        played.tell(wrong)
        number, told = played.n_facts, {}
        clean.tell(facts[at])
        after, most = at + 1, at + 1 + self.chance.randrange(6)
        while after < min(most, len(facts) - 1) and self._fits(played.table, clean.table, facts[after]):
            if is_refused(played.tell(facts[after])):
                break
            told[played.n_facts] = facts[after]
            clean.tell(facts[after])
            after += 1
        assert played.table.state.in_play, "it can be put right"
        instead = facts[at]
        assert isinstance(instead, f.Entry)
        correction = f.Corrected(at_us=0, number=number, by="ana", second="luis", reason="misheard", instead=instead)
        decisions = played.tell(correction)
        assert decisions[0] == d.Withdrawn(number=number), decisions
        again = {said.number for said in decisions if isinstance(said, d.Again)}
        assert number in again
        for dropped, fact in told.items():
            if dropped not in again:
                assert type(fact) in ENTRIES, "what cards did is never dropped"
                assert not is_refused(played.tell(fact)), fact
                self.n_again += 1
        self.n_corrected += 1
        assert_same(played, clean)
        return after

    def _can_be_told(self, played: Played, wrong: f.Fact) -> bool:
        """Whether it is taken without an error of the game, and does not end the hand: that is another test."""
        trial = begun(self.hand)
        for record in played.records[trial.n_begun :]:
            assert isinstance(record.event, f.Fact)
            trial.tell(record.event)
        decisions = trial.tell(wrong)
        kinds = set(map(type, decisions))
        return bool(kinds) and not kinds & {d.Refused, d.IncidentRaised, d.Asked} and trial.table.state.in_play

    def _fits(self, played: Table, clean: Table, fact: f.Fact) -> bool:
        """Whether this can happen in both: cards move as in the clean hand, so they need the same place."""
        if type(fact) in ENTRIES:
            return played.state.phase == clean.state.phase and played.state.turn == clean.state.turn
        return played.state.phase == clean.state.phase and played.state.deal.plan == clean.state.deal.plan


def remembered_of(table: Table) -> list[tuple[str, object]]:
    """What a table remembers of a hand, but for how it was entered."""
    found = fingerprint(table.state)
    assert isinstance(found, list)
    return [(name, value) for name, value in found if name not in _OF_THE_WAY]


def assert_same(played: Played, clean: Played) -> None:
    """To the engine, and to whoever read the stream."""
    now, was = remembered_of(played.table), remembered_of(clean.table)
    assert now == was
    for member in fields(PublicTable):
        if member.name not in _VIEW:
            told, wanted = (_told(view, member.name) for view in (played.view, clean.view))
            assert told == wanted, member.name


def _told(view: PublicTable, member: str) -> object:
    """A part of what a reader sees; the key that undoes is lit after an entry, and not after a correction."""
    value = getattr(view, member)
    if not isinstance(value, Prompt):
        return value
    return replace(value, keys=tuple(key for key in value.keys if key is not Key.CANCEL))


def stories(game: str) -> Iterator[Story]:
    chance = random.Random(22)
    hands = clean_hands(game)
    for _ in range(EACH_GAME):
        yield Story(hand=chance.choice(hands), chance=chance)


@pytest.mark.parametrize("game", RULEBOOKS)
def test_a_hand_with_wrong_entries_that_are_put_right_ends_as_the_clean_one(game: str) -> None:
    n_corrected = n_again = 0
    for story in stories(game):
        played, clean = story.play(), begun(story.hand)
        for step in story.hand.steps:
            clean.tell(step.fact)
        assert_same(played, clean)
        n_corrected += story.n_corrected
        n_again += story.n_again
    assert n_corrected > EACH_GAME / 2, "most hands have an entry that can be wrong"

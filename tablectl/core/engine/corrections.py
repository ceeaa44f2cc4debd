"""Entries that are put right while their hand is not over (rulings, "Corrections" and "Who confirms").

No record is changed. The facts of the hand go through the engine once more, from what the hand before carried over,
with one of them replaced; the decisions say what does not hold any more and what does instead. A correction changes
what was entered, never what players or cards did: every card that came, comes again at the same point.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from typing import Final, NamedTuple, Protocol, TypeAlias, get_args

from tablectl.core.cards import Card
from tablectl.core.engine import facts as f
from tablectl.core.engine.decisions import (
    Again,
    Asked,
    CardTurned,
    Decision,
    IncidentEscalated,
    IncidentRaised,
    Refused,
    Withdrawn,
)
from tablectl.core.engine.declarations import asked_now
from tablectl.core.engine.pending import CALLED, Cause, entry_word
from tablectl.core.engine.slots import BY_NAME
from tablectl.core.engine.state import State
from tablectl.core.engine.two_persons import are_two
from tablectl.core.engine.unread_cards import lies_open
from tablectl.core.engine.vocabulary import Declaration, Refusal

#: What was entered for the game: the croupier's last one he can undo.
ENTRIES: Final = frozenset(get_args(f.Entry))
#: What is concluded from an entry that has changed nothing so far.
_CHANGE_NOTHING: Final = frozenset({Refused, Asked})
#: What can be put right: the choice of a pit boss as well.
CORRECTABLE: Final = ENTRIES | {f.Ruled, f.Called}


#: What is observed where the croupier calls the pit boss for a correction.
_CALLS: Final = frozenset({CALLED, Declaration.WRONG_KEY})
#: Where a fact stands, and what it raised or escalated.
Raised: TypeAlias = tuple[int, IncidentRaised | IncidentEscalated]


class Replayable(Protocol):
    """The table, as far as a correction plays a hand on it."""

    @property
    def state(self) -> State:
        """What it remembers."""

    def step(self, fact: f.Fact, *, misses_entries: bool = False) -> tuple[Decision, ...]:
        """What follows from a fact. `misses_entries`: some that were made before it have to be made once more, so a
        card for which no place is due waits until they are."""

    def draw_of(self, fact: f.Fact, before: int) -> int | None:
        """The number of the card that the fact brought."""

    def lying(self, fact: f.Fact) -> int | None:
        """The number of the card that an antenna sees or misses."""


class History:
    """The facts since the hand before was over, and how the table was then.

    `begin` makes the table of that moment; what it makes is played on, and never used twice.
    """

    __slots__ = ("begin", "misread", "missing", "opened", "raised", "steps")

    def __init__(self, begin: Callable[[], Replayable]) -> None:
        self.begin = begin
        #: each fact as it counts now, None where it counts no more
        self.steps: list[f.Fact | None] = []
        #: what was said of incidents that were raised or escalated, and where the fact stands from which it followed
        self.raised: list[Raised] = []
        #: where facts stand before which entries were left out, because they had to be made once more
        self.missing: frozenset[int] = frozenset()
        #: which card it is that a reader says to be another one, where two persons put its identity right
        self.misread: dict[Card, Card] = {}
        #: where the fact stands that opened the hand in play; None between two hands
        self.opened: int | None = None

    def learn(self, said: Card, card: Card) -> None:
        """A reader goes on saying what it said of a card that was put right, perhaps for the second time."""
        self.misread = {other: card if known is said else known for other, known in self.misread.items()}
        self.misread[said] = card
        self.misread.pop(card, None)

    def number(self, index: int) -> int:
        """Of the fact at a place of the list: the one that opened the hand is 1."""
        assert self.opened is not None, "only the facts of a hand have numbers"
        return index - self.opened + 1

    def index(self, number: int) -> int | None:
        """Where the fact with a number stands; None for one that is none of this hand's."""
        if self.opened is None or number < 1:
            return None
        index = self.opened + number - 1
        return index if index < len(self.steps) else None

    def note(self, index: int, decisions: Iterable[Decision]) -> None:
        """Which incidents a fact raised or escalated."""
        self.raised += _raised(index, decisions)

    def played(self) -> Replayable:
        """The table as it was then, for the same hand once more: its incidents have the numbers that they had."""
        table = self.begin()
        known: dict[Cause, list[int]] = defaultdict(list)
        raised = [said for _, said in self.raised if isinstance(said, IncidentRaised)]
        for said in raised:
            known[Cause(said.clause, said.expected, said.observed, said.draw, said.seats)].append(said.incident)
        table.state.known_incidents = known
        table.state.n_incidents = max((said.incident for said in raised), default=table.state.n_incidents)
        return table

    def tell(self, table: Replayable, index: int) -> tuple[Decision, ...]:
        """Play the fact at a place of the list on a table, if it still counts."""
        fact = self.steps[index]
        if fact is None:
            return ()
        decisions = table.step(fact, misses_entries=index in self.missing)
        self.count(table, index, fact, decisions)
        return decisions

    def count(self, table: Replayable, index: int, fact: f.Fact, decisions: tuple[Decision, ...]) -> None:
        """A fact that was played at a place of the list is an entry that two persons can correct, or is none."""
        is_of_hand = self.opened is not None and index > self.opened
        if is_of_hand and type(fact) in ENTRIES and not changes_nothing(decisions):
            table.state.entries += (self.number(index),)


@dataclass(kw_only=True, slots=True)
class Corrected:
    """A hand as it is with one fact replaced. `steps`: what counts now, `dropped`: the numbers of entries that do not,
    because they do not fit any more; they are entered again. `missing`: where facts stand that came after these."""

    table: Replayable
    steps: list[f.Fact | None]
    missing: frozenset[int]
    raised: list[Raised]
    decisions: list[Decision]
    dropped: list[int]
    #: the card whose identity was put right, what its readers said, and which card it is
    draw: int | None = None
    misread: tuple[Card, Card] | None = None


@dataclass(frozen=True, kw_only=True, slots=True)
class _Change:
    """What takes the place of one fact. `draw` and `card`: which card that draw is, in all that readers said of it."""

    index: int
    fact: f.Fact | None
    draw: int | None = None
    card: Card | None = None


def corrected(history: History, state: State, fact: f.Corrected) -> Corrected | Refused:
    """The hand with that fact put right, or why it cannot be."""
    refused = _who_and_why(state, fact)
    if refused is not None:
        return Refused(why=refused)
    if not state.in_play:
        return Refused(why=Refusal.NO_HAND)
    index = history.index(fact.number)
    told = None if index is None else history.steps[index]
    if index is None or told is None or index == history.opened:
        return Refused(why=Refusal.NO_ENTRY, detail=str(fact.number))
    change = _change(history, state, fact, index, told)
    return _Replay(history, change).run(state) if isinstance(change, _Change) else change


def asks_for(said: IncidentRaised, number: int) -> bool:
    """Whether it asks for a correction of the entry with this number."""
    return said.observed == Declaration.WRONG_KEY and said.expected == entry_word(number)


def changes_nothing(decisions: tuple[Decision, ...]) -> bool:
    """Whether an entry has changed nothing so far."""
    return _CHANGE_NOTHING.issuperset(map(type, decisions))


def can_be_undone(decisions: tuple[Decision, ...]) -> bool:
    """Whether the croupier may undo an entry alone: no card was turned up by it."""
    return CardTurned not in map(type, decisions)


def undone(history: History, state: State, number: int) -> Corrected | Refused:
    """The hand without the entry that was made last."""
    index = history.index(number)
    assert index is not None, "it is one of this hand's"
    return _Replay(history, _Change(index=index, fact=None)).run(state)


def _who_and_why(state: State, fact: f.Corrected) -> Refusal | None:
    """Two persons. Where the house knows nobody by name, two keys: the croupier called, then the pit boss corrects."""
    if not are_two(fact.by, fact.second):
        if state.setup.staff or fact.second or not fact.by:
            return Refusal.SECOND_PERSON
        if all(incident.observed not in _CALLS for incident in state.ruling.values()):
            return Refusal.NOT_CALLED
    return None if fact.reason else Refusal.NO_REASON


def _change(history: History, state: State, fact: f.Corrected, index: int, told: f.Fact) -> _Change | Refused:
    """What is to be replaced by what."""
    what = [given for given in (fact.instead, fact.card, fact.spot) if given is not None]
    if len(what) > 1:
        return Refused(why=Refusal.NO_ENTRY, detail=str(fact.number))
    if fact.card is not None:
        return _other_card(history, state, fact, index, told)
    made: f.Fact | None = None
    if fact.spot is not None:
        made = _elsewhere(told, fact.spot)
    elif fact.instead is not None:
        made = replace(fact.instead, at_us=told.at_us)
    is_right = made is not None if fact.spot is not None else type(told) in CORRECTABLE
    return _Change(index=index, fact=made) if is_right else Refused(why=Refusal.NO_ENTRY, detail=str(fact.number))


def _other_card(history: History, state: State, fact: f.Corrected, index: int, told: f.Fact) -> _Change | Refused:
    """An identity can be put right only where everybody sees the card: nobody can know another one."""
    number = _draw_of(history, index) if isinstance(told, f.Drawn | f.Seen | f.Named) else None
    draw = None if number is None else state.deal.draws[number - 1]
    if draw is None or draw.is_back:
        return Refused(why=Refusal.NO_ENTRY, detail=str(fact.number))
    if not lies_open(state, draw):
        return Refused(why=Refusal.NOT_OPEN, detail=str(fact.number))
    if draw.card is fact.card:
        return Refused(why=Refusal.CARD_KNOWN, detail=draw.slot.name if draw.slot is not None else "")
    if isinstance(told, f.Named):
        assert fact.card is not None, "it is about a card"
        return _Change(index=index, fact=replace(told, card=fact.card, by=fact.by))
    assert isinstance(told, f.Drawn | f.Seen), "a card has a number that came by one of these"
    return _Change(index=index, fact=replace(told, card=fact.card), draw=number, card=fact.card)


def _elsewhere(told: f.Fact, spot: str) -> f.Fact | None:
    """The same fact about another place; None where it says no place."""
    match told:
        case f.Seen() | f.Gone() | f.Declared():
            return replace(told, spot=spot)
        case f.Named():
            return replace(told, slot=spot)
    return None


def _draw_of(history: History, index: int) -> int | None:
    """The number of the card that a fact is about, as it was played."""
    table, told = history.played(), history.steps[index]
    for earlier in range(index):
        history.tell(table, earlier)
    if isinstance(told, f.Named):
        slot = BY_NAME.get(told.slot)
        draw = None if slot is None else table.state.deal.at.get(slot)
        return None if draw is None else draw.number
    assert told is not None, "a fact that counts no more was looked for"
    before = len(table.state.deal.draws)
    table.step(told)
    return table.draw_of(told, before) or table.lying(told)


class _Situation(NamedTuple):
    """What an entry meant when it was made: in which phase, about whom, in answer to what."""

    phase: str
    turn: int | None
    asked: tuple[str, str] | None
    menu: tuple[str, ...]


def _situation(state: State) -> _Situation:
    asked = asked_now(state)
    return _Situation(
        phase=state.phase.name,
        turn=state.turn,
        asked=None if asked is None else (asked.question, asked.about),
        menu=tuple(state.menu),
    )


class _Replay:
    """Plays a hand twice, side by side: as it was, and with one fact replaced. An entry means what it meant only while
    both are at the same point."""

    def __init__(self, history: History, change: _Change) -> None:
        self._history, self._change = history, change
        self._was, self._now = history.played(), history.played()
        self._steps = list(history.steps)
        self._raised = [(index, said) for index, said in history.raised if index < change.index]
        self._missing = {index for index in history.missing if index < change.index}
        #: where this correction was asked for: it answers that, whatever takes the place of the entry
        self._requests = {
            index
            for index, said in history.raised
            if isinstance(said, IncidentRaised) and asks_for(said, history.number(change.index))
        }
        self._has_stopped = False
        self._dropped: list[int] = []

    def run(self, state: State) -> Corrected | Refused:
        """The corrected hand; a `Refused` where what is to take the place is not legal there."""
        index, made, was = self._change.index, self._change.fact, self._steps[self._change.index]
        for earlier in range(index):
            self._history.tell(self._was, earlier)
            self._history.tell(self._now, earlier)
        assert was is not None, "what counts no more cannot be put right"
        self._history.tell(self._was, index)
        said: list[Decision] = []
        if made is None:
            self._steps[index] = None
        else:
            decisions = self._apply(index, made)
            if decisions and isinstance(decisions[0], Refused) and _is_refused(decisions):
                return decisions[0]
            said += [Again(number=self._history.number(index)), *decisions]
        for later in range(index + 1, len(self._steps)):
            said += self._again(later)
        now = self._now.state
        now.presses, now.now_us = state.presses, state.now_us
        now.n_incidents, now.known_incidents = max(now.n_incidents, state.n_incidents), {}
        return Corrected(
            table=self._now,
            steps=self._steps,
            missing=frozenset(self._missing),
            raised=self._raised,
            decisions=[self._withdrawn(index), *said],
            dropped=self._dropped,
            draw=self._change.draw,
            misread=self._misread(was),
        )

    def _misread(self, told: f.Fact) -> tuple[Card, Card] | None:
        said, card = told.card if isinstance(told, f.Drawn | f.Seen) else None, self._change.card
        return None if said is None or card is None else (said, card)

    def _withdrawn(self, index: int) -> Withdrawn:
        before, after = self._history.raised, self._raised
        return Withdrawn(
            number=self._history.number(index),
            fallen=_only_in(before, after, IncidentRaised),
            new=_only_in(after, before, IncidentRaised),
            escalated=_only_in(after, before, IncidentEscalated),
        )

    def _again(self, index: int) -> Iterator[Decision]:
        """One later fact, where it still counts."""
        told = self._steps[index]
        if told is None:
            return
        was, now = _situation(self._was.state), _situation(self._now.state)
        fact = self._as_it_is(told)
        was_refused = _is_refused(self._history.tell(self._was, index))
        if index in self._requests:
            self._steps[index], self._now.state.menu = None, ()
            return
        if type(fact) in CORRECTABLE:
            if was_refused:
                self._steps[index] = None
                return
            if not self._still_means(fact, was, now):
                self._drop(index)
                return
        if self._dropped:
            self._missing.add(index)
        decisions = self._apply(index, fact)
        if _is_refused(decisions) and not was_refused:
            self._steps[index] = None
            if type(fact) in CORRECTABLE:
                self._has_stopped = True
                self._drop(index)
            return
        yield Again(number=self._history.number(index))
        yield from decisions

    def _still_means(self, fact: f.Fact, was: _Situation, now: _Situation) -> bool:
        """Whether an entry is the same one in the corrected hand. An answer to a question that is not asked any more
        falls away; after any other entry that does not fit, none counts."""
        if isinstance(fact, f.Ruled):
            return fact.incident in self._now.state.ruling or fact.incident in self._now.state.requests
        if self._has_stopped:
            return False
        if was.asked is not None and was.asked != now.asked:
            return False
        self._has_stopped = was != now
        return not self._has_stopped

    def _as_it_is(self, fact: f.Fact) -> f.Fact:
        """What readers said of the card whose identity is put right."""
        card, draw = self._change.card, self._change.draw
        if card is None or not isinstance(fact, f.Seen | f.Gone) or self._was.lying(fact) != draw:
            return fact
        return replace(fact, card=card)

    def _apply(self, index: int, fact: f.Fact) -> tuple[Decision, ...]:
        self._steps[index] = fact
        decisions = self._now.step(fact, misses_entries=index in self._missing)
        self._history.count(self._now, index, fact, decisions)
        self._raised += _raised(index, decisions)
        return decisions

    def _drop(self, index: int) -> None:
        self._dropped.append(self._history.number(index))
        self._steps[index] = None


def _raised(index: int, decisions: Iterable[Decision]) -> Iterator[Raised]:
    return ((index, said) for said in decisions if isinstance(said, IncidentRaised | IncidentEscalated))


def _only_in(
    some: list[Raised], others: list[Raised], kind: type[IncidentRaised | IncidentEscalated]
) -> tuple[int, ...]:
    numbers = {said.incident for _, said in others if isinstance(said, kind)}
    return tuple(sorted({said.incident for _, said in some if isinstance(said, kind)} - numbers))


def _is_refused(decisions: tuple[Decision, ...]) -> bool:
    return bool(decisions) and all(isinstance(said, Refused) for said in decisions)


def told_openly(state: State, made: Corrected, number: int) -> tuple[Decision, ...]:
    """By which decisions everybody is told that a card is another one than was said; `number`: of the correction."""
    there = state.deal.numbered(made.draw)
    if there is None or there.slot is None:
        return ()
    return (Again(number=number), CardTurned(draw=there.number, slot=there.slot))

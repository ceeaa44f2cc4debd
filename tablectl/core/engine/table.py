"""The engine: one table, made of nothing but the facts it was given, in their order.

`apply` takes any fact in any state and never raises for what the world did: it concludes. There is no clock, no I/O
and no chance in here, so the same facts always give the same decisions.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from copy import copy, deepcopy
from dataclasses import replace
from typing import Any, Final, get_args

from tablectl.core.cards import Card
from tablectl.core.engine import (
    answers,
    antennas,
    cards_to_leave,
    corrections,
    dealing,
    decks,
    declarations,
    disputed_cards,
    equipment,
    incidents,
    keys,
    limits_set,
    moves,
    prompts,
    shelving,
    staff,
    unconfirmed_cards,
    unread_cards,
)
from tablectl.core.engine.carry import Carry, read_into, written
from tablectl.core.engine.corrections import History
from tablectl.core.engine.deal import Draw
from tablectl.core.engine.decisions import Decision, Refund, Refused
from tablectl.core.engine.facts import (
    BESIDE_THE_GAME,
    Acknowledged,
    Called,
    Corrected,
    Counted,
    Declared,
    DeviceBack,
    DeviceLost,
    DeviceSaid,
    Drawn,
    Fact,
    Failed,
    GameChosen,
    Gone,
    LimitsSet,
    Named,
    OnFelt,
    Opened,
    Pressed,
    Ruled,
    Seen,
    Setup,
    Shelved,
    Shuffled,
    SignedOff,
    SignedOn,
    StrangeTag,
    TimePassed,
    TopologyChanged,
    Unshelved,
)
from tablectl.core.engine.lifetime import Lifetime, take_over
from tablectl.core.engine.move import Move
from tablectl.core.engine.pending import Pending
from tablectl.core.engine.prompt import Prompt
from tablectl.core.engine.rulebook import Kind, Rulebook
from tablectl.core.engine.slots import DECK_SPOT
from tablectl.core.engine.state import State
from tablectl.core.engine.vocabulary import Chooser, Key, Question, Remedy

#: What facts lead to in every game; a family has those that people enter in its games.
_HANDLERS: Final[Mapping[type, Callable[[State, Any], None]]] = {
    Drawn: antennas.drawn,
    Seen: antennas.seen,
    Gone: antennas.gone,
    TimePassed: antennas.time_passed,
    StrangeTag: antennas.strange,
    Counted: decks.counted,
    OnFelt: antennas.on_felt,
    Shuffled: decks.shuffled,
    Pressed: keys.pressed,
    Declared: declarations.declared,
    Ruled: answers.ruled,
    SignedOn: staff.signed_on,
    SignedOff: staff.signed_off,
    LimitsSet: limits_set.limits_set,
    Shelved: shelving.shelved,
    Unshelved: shelving.unshelved,
    Acknowledged: shelving.acknowledged,
    Called: incidents.called,
    Failed: dealing.failed,
    Named: unread_cards.name,
    DeviceLost: equipment.lost,
    DeviceBack: equipment.back,
    DeviceSaid: equipment.said,
    TopologyChanged: equipment.topology,
    Opened: equipment.opened,
    GameChosen: equipment.game_chosen,
}


#: What may happen while the croupier reads the list of what can be declared, without his choosing another line; so may
#: whatever is refused or has nothing follow from it, a card that a player lifts: what he presses next must not be taken
#: for a bet.
_LEAVES_THE_LIST_OPEN: Final = frozenset({Pressed, Acknowledged, DeviceSaid, TopologyChanged})


#: What devices tell of cards; what is no entry of a person at the table.
_TOLD_BY_DEVICES: Final = frozenset({Drawn, Seen, Gone, StrangeTag, Counted, OnFelt, Shuffled})
#: What readers tell, and that time passed since they told it.
_OF_READERS: Final = _TOLD_BY_DEVICES | {TimePassed}
_NO_ENTRY: Final = _TOLD_BY_DEVICES | BESIDE_THE_GAME | {Failed}
#: After these the croupier's last entry is another one, or there is none that he could undo alone.
_ENDS_UNDOING: Final = frozenset(get_args(Fact)) - BESIDE_THE_GAME


def _is_entry(state: State, fact: Fact) -> bool:
    """Whether a person enters something that can be entered now, and no card is being dealt."""
    if type(fact) in _NO_ENTRY or state.phase.kind is Kind.DEALING:
        return False
    asked = declarations.asked_now(state)
    if isinstance(fact, Pressed) and asked is not None and asked.question is Question.FELT:
        return False  # that the cards lie as they did says nothing of one that has just come
    return not isinstance(fact, Pressed) or not antennas.is_open(state) or fact.key in keys.live(state)


def _asks_first(state: State, fact: Fact) -> bool:
    """Before the first entry after the deal cards count where they are seen. True where a question follows to which a
    key that was pressed before is no answer."""
    if not antennas.is_open(state):
        return False
    was_asked = len(state.asking)
    antennas.entry_comes(state)
    _place_waiting(state)
    return isinstance(fact, Pressed) and len(state.asking) > was_asked


def _place_waiting(state: State) -> None:
    """Cards that are out already go to their places, as far as the hand leads to these by itself."""
    waited: tuple[Draw, ...] = ()
    while state.deal.waiting and tuple(state.deal.waiting) != waited:
        waited = tuple(state.deal.waiting)
        dealing.place_waiting(state)
        antennas.placed(state, waited)
        state.family.go_on(state)


def _begin(setup: Setup, rulebook: Rulebook) -> State:
    state: State = rulebook.family.begin(setup, rulebook)
    return state


class Table:
    """One table. `rulebook_of` gives the rulebook of a setup (the registry's function)."""

    __slots__ = ("_carry", "_history", "_prompt", "_rulebook_of", "_state")

    def __init__(self, setup: Setup, rulebook_of: Callable[[Setup], Rulebook]) -> None:
        self._rulebook_of = rulebook_of
        self._state = _begin(setup, rulebook_of(setup))
        #: what was told last, and what goes over to the next hand; None while nobody has asked since the last fact
        self._prompt: Prompt | None = None
        self._carry: Carry | None = None
        #: what happened since the hand before was over
        self._history = History(lambda: Table(setup, rulebook_of))

    def apply(self, fact: Fact) -> tuple[Decision, ...]:
        """What follows from this fact. An exception is a bug in here, never a fault of the world."""
        history, state = self._history, self._state
        if history.misread:
            fact = self._as_it_is(fact)
        n_incidents, was_in_play = state.n_incidents, state.in_play
        is_answer, drawn = bool(state.asking), len(state.deal.draws)
        if type(fact) is Corrected:
            decisions = self._correct(fact)
            history.steps.append(None)
        else:
            decisions = self.step(fact)
            history.steps.append(fact)
            if self._state.ruling or self._state.n_incidents != n_incidents:
                history.note(len(history.steps) - 1, decisions)
        state = self._state
        if state.is_undone:
            decisions = self._undo()
        elif type(fact) in _TOLD_BY_DEVICES and (decisions or self.draw_of(fact, drawn) is not None):
            state.last_entry = None
        elif decisions and type(fact) in _ENDS_UNDOING:
            self._note_entry(fact, decisions, was_in_play=was_in_play)
            if isinstance(fact, Pressed) and fact.key is Key.CANCEL and not is_answer:
                state.last_entry = None  # what took an entry back is none that could be taken back
        if self._state.in_play is not was_in_play:
            self._open_or_close()
        return decisions

    def _as_it_is(self, fact: Fact) -> Fact:
        """What a reader says of a card whose identity was put right. Where the card that it names is out as well, it is
        believed."""
        if not isinstance(fact, Seen | Gone) or fact.card is None or self._state.deal.knows(fact.card):
            return fact
        return replace(fact, card=self._history.misread.get(fact.card, fact.card))

    def _note_entry(self, fact: Fact, decisions: tuple[Decision, ...], *, was_in_play: bool) -> None:
        """What the croupier can undo now, and two persons can put right."""
        state = self._state
        if corrections.changes_nothing(decisions):
            return
        state.last_entry = None
        if was_in_play and state.in_play and type(fact) in corrections.ENTRIES:
            number = self._history.number(len(self._history.steps) - 1)
            state.entries += (number,)
            if corrections.can_be_undone(decisions):
                state.last_entry = number

    def _correct(self, fact: Corrected) -> tuple[Decision, ...]:
        """The hand as it is with an entry put right, from now on; nothing where that cannot be."""
        made = corrections.corrected(self._history, self._state, fact)
        if isinstance(made, Refused):
            self._prompt = None
            self._state.out = [made]
            return (made,)
        said = self._go_on_with(made, at_us=fact.at_us)
        return (*said, *corrections.told_openly(self._state, made, self._history.number(len(self._history.steps))))

    def preview(self, fact: Corrected) -> tuple[Decision, ...]:
        """What would follow from a correction, which is not made. Of another identity nothing: whether a card lies
        hidden elsewhere is not to be found out by trying."""
        made = corrections.corrected(self._history, self._state, fact)
        if isinstance(made, Refused):
            return (made,)
        return () if fact.card is not None or isinstance(fact.instead, Named) else tuple(made.decisions)

    def _undo(self) -> tuple[Decision, ...]:
        """The croupier takes his last entry back. The key that says so counts for nothing else."""
        number, steps = self._state.last_entry, self._history.steps
        assert number is not None, "the key is dead where there is nothing to undo"
        steps[-1] = None
        made = corrections.undone(self._history, self._state, number)
        assert not isinstance(made, Refused), "an entry that is left out is not refused"
        decisions = self._go_on_with(made, at_us=self._state.now_us)
        self._state.family.undone(self._state)
        return decisions

    def _go_on_with(self, made: corrections.Corrected, *, at_us: int) -> tuple[Decision, ...]:
        table = made.table
        assert isinstance(table, Table), "that is what the history begins with"
        state, history = table._state, self._history
        self._state, self._prompt, self._carry = state, None, None
        history.steps, history.raised, history.missing = made.steps, made.raised, made.missing
        if made.misread is not None:
            history.learn(*made.misread)
        state.out, state.now_us = made.decisions, at_us
        return tuple(made.decisions)

    def _open_or_close(self) -> None:
        """A hand has begun, and its facts have numbers from now on; or it is over, and the next history begins."""
        if self._state.in_play:
            self._history.opened = len(self._history.steps) - 1
            return
        carry, rulebook_of = self.carry(), self._rulebook_of
        self._history = History(lambda: Table.resume(carry, rulebook_of))

    def step(self, fact: Fact, *, misses_entries: bool = False) -> tuple[Decision, ...]:
        """What follows from this fact, which is not remembered: it is tried, or is one of a hand that is played
        again, then some entries before it may have to be made once more (`misses_entries`)."""
        state, self._prompt, self._carry = self._state, None, None
        family, kind = state.family, type(fact)
        state.out, state.now_us, state.misses_entries = [], fact.at_us, misses_entries
        state.is_reported, state.is_of_readers = kind in _TOLD_BY_DEVICES, kind in _OF_READERS
        is_first_entry = (state.felt.counts_at_entry or state.felt.is_any_untold) and _is_entry(state, fact)
        is_too_late = is_first_entry and _asks_first(state, fact)
        before = family.before(state)
        if is_too_late:
            keys.too_late(state)
        else:
            handler = _HANDLERS.get(kind) or family.handlers[kind]
            handler(state, fact)
        family.follow(state)
        if state.deal.waiting:
            _place_waiting(state)
        if state.is_to_settle and not (state.unnamed or state.ruling):
            family.settle(state)
        family.after(state, fact, before)
        felt = state.felt
        if is_first_entry and not state.is_all_refused:
            felt.counts_at_entry, felt.dealt_us = False, None
        if felt.leaving:
            cards_to_leave.follow(state)
        if felt.disputes:
            disputed_cards.follow(state)
        if state.menu and kind not in _LEAVES_THE_LIST_OPEN and not state.is_all_refused:
            state.menu = ()
        if kind in shelving.MAY_END:
            shelving.follow(state, fact)
        if not state.in_play:
            self._between_hands()
        state.is_of_readers = False
        return tuple(state.out)

    def draw_of(self, fact: Fact, before: int) -> int | None:
        """The number of the card that the fact applied last brought: a new one, where there were `before`, or one that
        could not be read until now. None where it brought none."""
        deal = self._state.deal
        if len(deal.draws) > before:
            return len(deal.draws)
        return deal.read_now if isinstance(fact, Seen) else None

    def lying(self, fact: Fact) -> int | None:
        """The number of the card that an antenna sees or misses, where it is one of this hand: one that went back into
        the deck as well, so that who is told no card can still tell which one it was."""
        fact = self._as_it_is(fact)
        if not isinstance(fact, Seen | Gone) or fact.card is None:
            return None
        deal = self._state.deal
        draw = deal.newest(fact.card) or deal.gone_back(fact.card)
        return draw.number if draw is not None else None

    def may_come(self, card: Card) -> bool:
        """Whether a card with this face can come out of the deck: it has not yet in this hand, or it went back, or is
        one of those of which nobody knows which went back (FCD-DSC-5)."""
        state = self._state
        return not state.deal.knows(card) or state.family.may_be_back(state, card)

    def trial(self) -> Table:
        """A table in the same state that goes its own way: no `step` there reaches this one."""
        trial, state = copy(self), self._state
        trial._state = deepcopy(state, {id(shared): shared for shared in (state.rulebook, state.family)})
        return trial

    def prompt(self) -> Prompt:
        """What the croupier is told now, and which keys are live."""
        if self._prompt is None:
            self._prompt = prompts.prompt(self._state)
        return self._prompt

    @property
    def wake_us(self) -> int | None:
        """When the engine wants to be told `TimePassed`, if nothing happens before: a card may only pass by a place
        that is not its own, or has to leave one. None where time changes nothing."""
        state = self._state
        since_us, leaves_us = state.felt.since_us, cards_to_leave.wake_us(state) if state.felt.leaving else None
        counts_us = None if since_us is None else since_us + state.rulebook.dwell_us
        asks_us = unconfirmed_cards.wake_us(state)
        return min((at_us for at_us in (counts_us, leaves_us, asks_us) if at_us is not None), default=None)

    def moves(self) -> tuple[Move, ...]:
        """All that people may enter now."""
        return moves.moves(self._state)

    @property
    def state(self) -> State:
        """What the engine remembers: to be looked at, never to be changed from outside."""
        return self._state

    def carry(self) -> Carry:
        """Between two hands: what the next one needs."""
        if self._carry is None:
            state = self._state
            lost = None if state.shoe_lost is None else state.shoe_lost.number
            self._carry = written(state, setup=state.setup, shoe_lost=lost, codings=state.family.codings)
        return self._carry

    @classmethod
    def resume(cls, carry: Carry, rulebook_of: Callable[[Setup], Rulebook]) -> Table:
        """The table as it was when `carry` was taken."""
        table = cls(carry.setup, rulebook_of)
        table._history = History(lambda: cls.resume(carry, rulebook_of))
        state = table._state
        read_into(state, carry, state.family.codings)
        state.family.resumed(state)
        if carry.shoe_lost is not None:
            state.shoe_lost = equipment.lost_shoe(state, carry.shoe_lost)
        if carry.needs_deck:
            state.asking.append(Pending(Question.NEW_DECK, DECK_SPOT))
        return table

    def seat_players(self, seats: tuple[int, ...]) -> None:
        """Who sits at the table before the first hand."""
        self._prompt = self._carry = None
        self._state.family.seat_players(self._state, seats)
        begin = self._history.begin

        def begin_with_players() -> Table:
            table = begin()
            assert isinstance(table, Table), "that is what the history begins with"
            table.seat_players(seats)
            return table

        self._history.begin = begin_with_players

    def _between_hands(self) -> None:
        """What was wanted while a hand was in play: a croupier, another game, other limits."""
        state = self._state
        staff.follow(state)
        chosen = state.next_setup
        if chosen is not None and state.family.waits_for(state, chosen) is None:
            self._adopt(chosen)
        limits_set.follow(self._state)

    def _adopt(self, setup: Setup) -> None:
        """Rules and configuration change between hands only: the next hand is under the new ones."""
        old = self._state
        rulebook = self._rulebook_of(setup)
        setup = limits_set.adopted(old, setup, rulebook)
        state = self._state = _begin(setup, rulebook)
        take_over(state, old, Lifetime.TABLE, Lifetime.HAND)
        if setup.rulebook == old.setup.rulebook and setup.tracking is old.setup.tracking:
            take_over(state, old, Lifetime.BETWEEN_HANDS)
        state.family.adopted(state)
        old.family.replaced(old, state)
        if old.shoe_lost is not None and equipment.reader(old.setup) != equipment.reader(setup):
            # Another device reads the cards now: nobody waits for the one that was lost.
            state.shoe_lost = None
            incidents.close(state, old.shoe_lost, Remedy.CONTINUE, Chooser.RULE)
        lies_there = state.family.kept(state)
        for seat, bets in old.family.kept(old).items():
            if seat not in lies_there:
                # A bet that stayed in its box (AMB-46) goes back where there is no such box any more.
                for bet, amount in bets.items():
                    state.say(Refund(seat=seat, bet=bet, amount=amount))
                    old.family.refunded(state, seat, amount or 0)

"""The engine: one table, made of nothing but the facts it was given, in their order.

`apply` takes any fact in any state and never raises for what the world did: it concludes. There is no clock, no I/O
and no chance in here, so the same facts always give the same decisions.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import field
from typing import Any, Final

from tablectl.core.cards import Card
from tablectl.core.engine import (
    antennas,
    betting,
    closing,
    dealing,
    equipment,
    incidents,
    keys,
    limits_set,
    moves,
    prompts,
    shelving,
    staff,
    standing,
)
from tablectl.core.engine.circle import flow
from tablectl.core.engine.circle.common_cards import unreported
from tablectl.core.engine.circle.draw import counts, exchange, session
from tablectl.core.engine.circle.seating import attendance
from tablectl.core.engine.circle.seating.places import markers_of
from tablectl.core.engine.circle.seating.players import players_of
from tablectl.core.engine.circle.speech import correction, entering, out_of_turn
from tablectl.core.engine.deal import Draw
from tablectl.core.engine.decisions import Decision, Refund
from tablectl.core.engine.errors import answers, decks, declarations
from tablectl.core.engine.facts import (
    Acknowledged,
    Acted,
    AsksFor,
    Bets,
    ButtonPlaced,
    Called,
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
    Moved,
    Named,
    OnFelt,
    OnShelf,
    Opened,
    Pressed,
    PutIn,
    Removed,
    Ruled,
    Seen,
    SetLimits,
    Setup,
    Shelved,
    Shuffled,
    SignedOff,
    SignedOn,
    Stacked,
    StandingBet,
    StandsOut,
    StrangeTag,
    TopologyChanged,
    Unshelved,
)
from tablectl.core.engine.rulebook import Rulebook
from tablectl.core.engine.state import Pending, State
from tablectl.core.engine.words import Chooser, Declaration, Question, Remedy
from tablectl.core.records import record

_HANDLERS: Final[Mapping[type, Callable[[State, Any], None]]] = {
    Drawn: antennas.drawn,
    Seen: antennas.seen,
    Gone: antennas.gone,
    StrangeTag: antennas.strange,
    Counted: decks.counted,
    OnFelt: antennas.on_felt,
    Shuffled: decks.shuffled,
    Pressed: keys.pressed,
    Bets: betting.bets,
    Removed: betting.removed,
    StandingBet: standing.asked_for,
    StandsOut: standing.stands_out,
    Acted: entering.acted,
    AsksFor: exchange.asks_for,
    PutIn: entering.put_in,
    Moved: attendance.moved,
    Stacked: attendance.stacked,
    ButtonPlaced: attendance.button_placed,
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
    Named: closing.name,
    DeviceLost: equipment.lost,
    DeviceBack: equipment.back,
    DeviceSaid: equipment.said,
    TopologyChanged: equipment.topology,
    Opened: equipment.opened,
    GameChosen: equipment.game_chosen,
}


#: What may happen while the croupier reads the list of what can be declared, without his choosing another line; so may
#: whatever nothing follows from, a card that a player lifts: what he presses next must not be taken for a bet.
_LEAVES_THE_LIST_OPEN: Final = frozenset({Pressed, Acknowledged, DeviceSaid, TopologyChanged})


#: What devices tell of cards.
_TOLD_BY_DEVICES: Final = frozenset({Drawn, Seen, Gone, StrangeTag, Counted, OnFelt, Shuffled})


def _place_waiting(state: State) -> None:
    """Cards that are out already go to their places, as far as the hand leads to these by itself."""
    waited: tuple[Draw, ...] = ()
    while state.deal.waiting and tuple(state.deal.waiting) != waited:
        waited = tuple(state.deal.waiting)
        dealing.place_waiting(state)
        antennas.placed(state, waited)
        if state.circle is not None:
            flow.follow(state, state.circle)


@record
class Carry:
    """What a table remembers from one hand to the next: with it, and nothing before, the next hand can be replayed."""

    setup: Setup
    hand: int
    n_incidents: int
    previous: Mapping[int, Mapping[str, int | None]]
    unseen: tuple[int, ...]
    #: the number of the incident that the lost shoe is, where it is lost
    shoe_lost: int | None
    #: how often the player of a seat did what he may not, by `seat-2 commented`
    conduct: Mapping[str, int] = field(default_factory=dict)
    #: entry bets of an annulled hand that stay in their boxes
    kept: Mapping[int, Mapping[str, int | None]] = field(default_factory=dict)
    #: the deck was withdrawn; a shuffle is complete
    needs_deck: bool = False
    is_shuffled: bool = False
    #: the devices that are away, as `role name`
    lost: tuple[str, ...] = ()
    #: of a circle game: who sits there, as `seat=3 in new`; their chips; where the button was, as `button=4 moves`
    players: tuple[str, ...] = ()
    stacks: Mapping[int, int] = field(default_factory=dict)
    markers: str | None = None
    #: of a game with discards: the pot of hands that nobody opened, what each seat has bought, the end of the session
    carried: int = 0
    is_pot_waiting: bool = False
    bought: Mapping[int, int] = field(default_factory=dict)
    is_closing: bool = False
    #: another game that was chosen, and waits for that pot
    next_setup: Setup | None = None
    #: who deals, and who takes the table next
    croupier: str = ""
    next_croupier: str = ""
    #: limits that were set at the table, by game; alarms that are put aside
    limits_set: Mapping[str, SetLimits] = field(default_factory=dict)
    shelved: Mapping[str, OnShelf] = field(default_factory=dict)
    #: the devices whose loss nobody has acknowledged, as `role name`
    unseen_devices: tuple[str, ...] = ()


class Table:
    """One table. `rulebook_of` gives the rulebook of a setup (the registry's function)."""

    __slots__ = ("_prompt", "_rulebook_of", "_state")

    def __init__(self, setup: Setup, rulebook_of: Callable[[Setup], Rulebook]) -> None:
        self._rulebook_of = rulebook_of
        self._state = State(setup, rulebook_of(setup))
        #: what was told last; None while nobody has asked since the last fact
        self._prompt: prompts.Prompt | None = None

    def apply(self, fact: Fact) -> tuple[Decision, ...]:
        """What follows from this fact. An exception is a bug in here, never a fault of the world."""
        state, self._prompt = self._state, None
        state.out, state.is_reported = [], type(fact) in _TOLD_BY_DEVICES
        if state.has_antennas:
            antennas.at_rest(state, fact)
        circle = state.circle
        entry = circle.entry if circle is not None else None
        _HANDLERS[type(fact)](state, fact)
        if circle is not None:
            if circle.stored:
                out_of_turn.follow(state, circle)
            if circle.entered is not None or circle.draw_waits or state.is_draw:
                flow.follow(state, circle)
            if state.is_draw:
                counts.follow(state, circle)
        if state.deal.waiting:
            _place_waiting(state)
        if state.is_to_settle and not (state.naming or state.ruling):
            closing.settle(state)
        if circle is not None and (circle.unreported is not None or (entry is not None and circle.entry is entry)):
            correction.forget(state, circle, fact, entry)
            unreported.forget(state, circle, fact)
        if state.menu and state.out and type(fact) not in _LEAVES_THE_LIST_OPEN:
            state.menu = ()
        if type(fact) in shelving.MAY_END:
            shelving.follow(state, fact)
        if not state.in_play:
            self._between_hands()
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
        if not isinstance(fact, Seen | Gone) or fact.card is None:
            return None
        deal = self._state.deal
        draw = deal.newest(fact.card) or deal.gone_back(fact.card)
        return draw.number if draw is not None else None

    def may_come(self, card: Card) -> bool:
        """Whether a card with this face can come out of the deck: it has not yet in this hand, or it went back, or is
        one of those of which nobody knows which went back (FCD-DSC-5)."""
        state = self._state
        if not state.deal.knows(card):
            return True
        return state.is_draw and state.circle is not None and state.circle.draw.hand.unsure.may_be_back(card)

    def prompt(self) -> prompts.Prompt:
        """What the croupier is told now, and which keys are live."""
        if self._prompt is None:
            self._prompt = prompts.prompt(self._state)
        return self._prompt

    def moves(self) -> tuple[moves.Move, ...]:
        """All that people may enter now."""
        return moves.moves(self._state)

    @property
    def state(self) -> State:
        """What the engine remembers: to be looked at, never to be changed from outside."""
        return self._state

    def carry(self) -> Carry:
        """Between two hands: what the next one needs."""
        state = self._state
        return Carry(
            setup=state.setup,
            hand=state.hand,
            n_incidents=state.n_incidents,
            previous={seat: dict(bets) for seat, bets in state.previous.items()},
            unseen=tuple(sorted(state.unseen)),
            shoe_lost=state.shoe_lost.number if state.shoe_lost else None,
            conduct={f"seat-{seat} {what}": times for (seat, what), times in sorted(state.conduct.items())},
            kept={seat: dict(bets) for seat, bets in state.kept.items()},
            needs_deck=state.needs_deck,
            is_shuffled=state.is_shuffled,
            lost=tuple(f"{role} {name}" for role, name in sorted(state.lost)),
            players=tuple(player.text() for player in state.circle.players) if state.circle else (),
            stacks=dict(state.circle.stacks) if state.circle else {},
            markers=state.circle.markers.text() if state.circle and state.circle.markers else None,
            carried=state.circle.draw.carried if state.is_draw and state.circle else 0,
            bought=dict(state.circle.draw.bought) if state.is_draw and state.circle else {},
            is_pot_waiting=state.is_draw and state.circle is not None and state.circle.draw.is_pot_waiting,
            is_closing=state.is_draw and state.circle is not None and state.circle.draw.is_closing,
            next_setup=state.next_setup,
            croupier=state.croupier,
            next_croupier=state.next_croupier,
            limits_set=dict(state.limits_set),
            shelved=dict(state.shelved),
            unseen_devices=tuple(f"{role} {name}" for role, name in sorted(state.unseen_devices)),
        )

    @classmethod
    def resume(cls, carry: Carry, rulebook_of: Callable[[Setup], Rulebook]) -> Table:
        """The table as it was when `carry` was taken."""
        table = cls(carry.setup, rulebook_of)
        state = table._state
        state.hand, state.n_incidents = carry.hand, carry.n_incidents
        state.previous = {seat: dict(bets) for seat, bets in carry.previous.items()}
        state.unseen = set(carry.unseen)
        if carry.shoe_lost is not None:
            state.shoe_lost = equipment.lost_shoe(state, carry.shoe_lost)
        for key, times in carry.conduct.items():
            seat_word, what = key.split(" ")
            state.conduct[int(seat_word.removeprefix("seat-")), Declaration(what)] = times
        state.kept = {seat: dict(bets) for seat, bets in carry.kept.items()}
        for of, words in ((state.lost, carry.lost), (state.unseen_devices, carry.unseen_devices)):
            for word in words:
                role, name = word.split(" ", 1)
                of.add((role, name))
        state.is_shuffled, state.needs_deck = carry.is_shuffled, carry.needs_deck
        if state.circle is not None:
            state.circle.players, state.circle.stacks = players_of(carry.players), dict(carry.stacks)
            state.circle.markers = None if carry.markers is None else markers_of(carry.markers)
            if state.is_draw:
                draw = state.circle.draw
                draw.carried, draw.bought = carry.carried, dict(carry.bought)
                draw.is_closing = carry.is_closing
                draw.is_pot_waiting = carry.is_pot_waiting or carry.carried > 0
        state.next_setup = carry.next_setup
        state.croupier, state.next_croupier = carry.croupier, carry.next_croupier
        state.limits_set, state.shelved = dict(carry.limits_set), dict(carry.shelved)
        if carry.needs_deck:
            state.asking.append(Pending(Question.NEW_DECK, decks.DECK_SPOT))
        return table

    def seat_players(self, seats: tuple[int, ...]) -> None:
        """Who sits at the table before the first hand: with presence they are in it, as after a hand before."""
        self._prompt = None
        if self._state.circle is not None:
            attendance.seat_all(self._state.circle, seats)
        else:
            self._state.previous = {seat: {} for seat in seats}

    def _between_hands(self) -> None:
        """What was wanted while a hand was in play: a croupier, another game, other limits."""
        state = self._state
        staff.follow(state)
        chosen = state.next_setup
        if chosen is not None and equipment.waits_for(state, chosen) is None:
            self._adopt(chosen)
        limits_set.follow(self._state)

    def _adopt(self, setup: Setup) -> None:
        """Rules and configuration change between hands only: the next hand is under the new ones."""
        old = self._state
        rulebook = self._rulebook_of(setup)
        setup = limits_set.adopted(old, setup, rulebook)
        self._state = State(setup, rulebook)
        self._state.hand, self._state.n_incidents = old.hand, old.n_incidents
        self._state.unseen, self._state.shoe_lost = old.unseen, old.shoe_lost
        self._state.deal, self._state.out = old.deal, old.out
        self._state.asking, self._state.ruling = old.asking, old.ruling
        self._state.lost, self._state.unseen_devices = old.lost, old.unseen_devices
        self._state.croupier, self._state.next_croupier = old.croupier, old.next_croupier
        self._state.limits_set, self._state.shelved = old.limits_set, old.shelved
        self._state.needs_deck, self._state.is_shuffled = old.needs_deck, old.is_shuffled
        if setup.rulebook == old.setup.rulebook and setup.tracking is old.setup.tracking:
            self._state.previous = {seat: bets for seat, bets in old.previous.items() if seat <= setup.seats}
            self._state.kept = {seat: bets for seat, bets in old.kept.items() if seat <= setup.seats}
            self._state.conduct = dict(old.conduct)
        if self._state.circle is not None and old.circle is not None:
            attendance.keep(self._state, old.circle)
            self._state.conduct = dict(old.conduct)
        if old.circle is not None:
            session.goes_on_or_ends(self._state, old)
        if old.shoe_lost is not None and equipment.reader(old.setup) != equipment.reader(setup):
            # Another device reads the cards now: nobody waits for the one that was lost.
            self._state.shoe_lost = None
            incidents.close(self._state, old.shoe_lost, Remedy.CONTINUE, Chooser.RULE)
        for seat, bets in old.kept.items():
            if seat not in self._state.kept:
                # A bet that stayed in its box (AMB-46) goes back where there is no such box any more.
                for bet, amount in bets.items():
                    self._state.say(Refund(seat=seat, bet=bet, amount=amount))
                    session.refunded(self._state, old, seat, amount or 0)

"""A journalled hand of a circle game as a hand history (docs/phh.md), from its public form alone: a card that the rules
never showed stands in it as `??`."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

from tablectl.core.cards import Card, card
from tablectl.core.engine.decisions import (
    BetTaken,
    ButtonAt,
    CardPlaced,
    CardTurned,
    HandOpened,
    HandVoided,
    Mucked,
    PhaseEntered,
    Refund,
    Refused,
    SeatVoided,
    SeatWithdrawn,
    Spoke,
    StackNow,
    Stored,
    TakenBack,
)
from tablectl.core.engine.facts import Corrected, Named, Setup
from tablectl.core.engine.slots import BOARD, MAX_SEATS, seat_slot
from tablectl.core.engine.vocabulary import Action, Posted, Tracking
from tablectl.core.options.holdem import Structure
from tablectl.families.pots.places import clockwise
from tablectl.games.registry import choices_of
from tablectl.journal.evidence.hand import Hand, NoEvidence, Recorded
from tablectl.phh.actions import BetOrRaise, BoardDealt, Cards, CheckOrCall, Fold, HoleDealt, Muck, Show, Written
from tablectl.phh.hand import HEADS_UP, HOLE_CARDS, Variant
from tablectl.phh.hand import Hand as History
from tablectl.phh.house import RULEBOOKS

_VARIANTS: Final = {
    Structure.NO_LIMIT: Variant.NO_LIMIT,
    Structure.POT_LIMIT: Variant.POT_LIMIT,
    Structure.FIXED_LIMIT: Variant.FIXED_LIMIT,
}
#: What the format has no words for, by the decision that says it.
_UNWRITABLE: Final[Mapping[type[Any], str]] = {
    HandVoided: "it was annulled",
    SeatVoided: "a seat's hand was declared dead",
    SeatWithdrawn: "a seat's cards were taken away",
    Refund: "a bet went back to its player",
}
_SHOWDOWN: Final = "showdown"


def history(hand: Hand) -> History:
    """The hand as one of `tablectl.phh`. Raises `NoEvidence` for one that the format cannot tell, and says why."""
    setup = hand.setup
    if setup.rulebook not in RULEBOOKS:
        raise NoEvidence(f"hand {hand.number}: {setup.rulebook} is no game of the PHH format")
    if setup.tracking is not Tracking.AMOUNTS:
        raise NoEvidence(f"hand {hand.number}: no amounts are entered at this table, and the PHH format needs them")
    if not hand.is_closed:
        raise NoEvidence(f"hand {hand.number} is not over")
    told = _Told(hand)
    for record in hand.as_it_stands():
        told.take(record)
    return told.history(setup)


class _Told:
    """What the records of a hand tell, one after the other."""

    def __init__(self, hand: Hand) -> None:
        self._number = hand.number
        self._codes = dict(hand.revealed())
        #: chips before the hand and, once it is open, after it
        self._before: dict[int, int] = dict(hand.beginning().stacks)
        self._after: dict[int, int] = {}
        self._is_open = self._is_showdown = False
        self._button = 0
        self._blinds: dict[str, int] = {}
        #: the draw that lies at each slot, by name
        self._lies: dict[str, int] = {}
        #: what happened after the deal: a seat's action, a slot of the board, or a seat that shows
        self._events: list[tuple[str, int, int | None]] = []
        #: the seats whose action waits for their turn
        self._stored: set[int] = set()

    def take(self, record: Recorded) -> None:
        """One record more. Raises `NoEvidence`."""
        if isinstance(record.event, Named) and not record.said(Refused):
            self._codes[self._lies[record.event.slot]] = record.event.card.code
        if isinstance(record.event, Corrected) and record.event.card is not None:
            self._codes |= {turned.draw: record.event.card.code for turned in record.said(CardTurned)}
        for decision in record.record.decisions:
            kind = type(decision)
            if kind in _UNWRITABLE:
                raise NoEvidence(f"hand {self._number}: {_UNWRITABLE[kind]}, and the PHH format cannot tell that")
            if kind in self._TAKES:
                self._TAKES[kind](self, decision)

    def _opened(self, _: HandOpened) -> None:
        self._is_open = True

    def _stack(self, said: StackNow) -> None:
        (self._after if self._is_open else self._before)[said.seat] = said.amount

    def _button_at(self, said: ButtonAt) -> None:
        if not self._events and not any(seat_slot(seat, 1).name in self._lies for seat in range(1, MAX_SEATS + 1)):
            self._button = said.seat  # where it is found to lie later is no matter of this hand's order

    def _bet(self, said: BetTaken) -> None:
        if said.bet not in (Posted.SMALL_BLIND, Posted.BIG_BLIND):
            raise NoEvidence(f"hand {self._number}: a bet to come in was posted, and the PHH format cannot tell that")
        self._blinds[said.bet] = said.seat

    def _phase(self, said: PhaseEntered) -> None:
        self._is_showdown = said.phase == _SHOWDOWN

    def _placed(self, said: CardPlaced) -> None:
        self._lies[said.slot.name] = said.draw
        if said.slot.name.startswith("board."):
            self._events.append(("board", said.slot.position, None))

    def _spoke(self, said: Spoke) -> None:
        self._stored.discard(said.seat)
        self._events.append((said.action, said.seat, said.to))

    def _taken_back(self, said: TakenBack) -> None:
        """One that only waited for its turn was never carried out."""
        same = (number for number, event in enumerate(self._events) if event[:2] == (said.action, said.seat))
        if said.seat in self._stored:
            self._stored.discard(said.seat)
        elif (last := max(same, default=None)) is not None:
            del self._events[last]

    def _stored_now(self, said: Stored) -> None:
        self._stored.add(said.seat)

    def _turned(self, said: CardTurned) -> None:
        if self._is_showdown and said.slot.seat is not None:
            event = ("show", said.slot.seat, None)
            if event not in self._events:
                self._events.append(event)

    def _mucked(self, said: Mucked) -> None:
        self._events.append(("muck", said.seat, None))

    _TAKES: Final[Mapping[type[Any], Callable[[_Told, Any], None]]] = {
        HandOpened: _opened,
        StackNow: _stack,
        ButtonAt: _button_at,
        BetTaken: _bet,
        PhaseEntered: _phase,
        CardPlaced: _placed,
        Spoke: _spoke,
        Stored: _stored_now,
        TakenBack: _taken_back,
        CardTurned: _turned,
        Mucked: _mucked,
    }

    # --- as a hand history --------------------------------------------------------------------------------------------

    def history(self, setup: Setup) -> History:
        """All of it. Raises `NoEvidence`."""
        dealt = [seat for seat in range(1, setup.seats + 1) if seat_slot(seat, 1).name in self._lies]
        order = clockwise(dealt, after=self._button)
        least = setup.limits["bet"].least
        structure = Structure(setup.profile.get("structure", choices_of(setup.rulebook)["structure"].default))
        is_fixed = structure is Structure.FIXED_LIMIT
        stacks = tuple(self._before.get(seat) for seat in order)
        return History(
            variant=_VARIANTS[structure],
            decimals=0,
            antes=(0,) * len(order),
            blinds_or_straddles=self._blinds_of(order, least),
            min_bet=None if is_fixed else least,
            small_bet=least if is_fixed else None,
            big_bet=2 * least if is_fixed else None,
            starting_stacks=stacks,
            actions=tuple(self._actions(order)),
            finishing_stacks=None if None in stacks else tuple(self._after[seat] for seat in order),
            seats=order,
            seat_count=setup.seats,
            name=str(self._number),
        )

    def _blinds_of(self, order: tuple[int, ...], least: int) -> tuple[int, ...]:
        """What was due, though somebody may have had less. Of two players the format knows one order only."""
        due = {
            self._blinds.get(Posted.SMALL_BLIND): least // 2,
            self._blinds.get(Posted.BIG_BLIND): least,
        }
        posted = tuple(due.get(seat, 0) for seat in order)
        if len(order) != HEADS_UP:
            return posted
        if posted[0] < posted[1]:
            raise NoEvidence(
                f"hand {self._number}: of two players the one without the button posted the small blind, and the PHH"
                " format cannot tell that"
            )
        return posted[::-1]

    def _actions(self, order: tuple[int, ...]) -> list[Written]:
        player = {seat: number for number, seat in enumerate(order, start=1)}
        made: list[Written] = [
            HoleDealt(at=at, player=player[seat], cards=self._hole(seat)) for at, seat in enumerate(order, start=1)
        ]
        board: list[Card | None] = []
        for what, number, to in self._events:
            at = len(made) + 1
            if what == "board":
                # The flop is dealt as one.
                board.append(self._card(BOARD[number - 1].name))
                if number >= 3:
                    made.append(BoardDealt(at=at, cards=tuple(board)))
                    board.clear()
            elif what == "show":
                made.append(Show(at=at, player=player[number], cards=self._hole(number)))
            elif what == "muck":
                made.append(Muck(at=at, player=player[number]))
            elif what == Action.FOLD:
                made.append(Fold(at=at, player=player[number]))
            elif what in (Action.CHECK, Action.CALL):
                made.append(CheckOrCall(at=at, player=player[number]))
            else:
                assert to is not None, "amounts are entered at this table"
                made.append(BetOrRaise(at=at, player=player[number], to=to))
        return made

    def _hole(self, seat: int) -> Cards:
        return tuple(self._card(seat_slot(seat, position).name) for position in range(1, HOLE_CARDS + 1))

    def _card(self, slot: str) -> Card | None:
        code = self._codes.get(self._lies.get(slot, 0))
        return None if code is None else card(code)

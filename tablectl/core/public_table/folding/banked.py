"""Bets against the bank: in which box they lie, and what became of each."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace
from typing import Final, TypeVar

from tablectl.core.engine.decisions import (
    BetReversed,
    BetSettled,
    BetsReturned,
    BetTaken,
    Checked,
    Folded,
    LeftToBoxes,
    Refund,
)
from tablectl.core.events.stream import PublicRecord
from tablectl.core.public_table.folding import circle
from tablectl.core.public_table.folding.step import Steps, sit
from tablectl.core.public_table.table import (
    SEATED,
    BettorView,
    BetView,
    PublicTable,
    RefundView,
    SeatView,
    SettledView,
    StandingView,
)

#: What a player of a circle game gets back: everything he put into the hand.
_POT: Final = "pot"
#: Two cards that are in no line of the bonus table lose it (THB-BON-9).
_NO_LINE: Final = "THB-BON-9"
_JACKS: Final = "JJ"
#: In this phase bets are entered, and can be taken back.
_BETS: Final = "betting"

_Bettor = TypeVar("_Bettor", bound=BettorView)


def _stand(view: PublicTable, number: int, made: StandingView | None, bettor: int) -> PublicTable:
    """A standing bettor as he is now; None where he is gone."""
    seat = view.seat(number)
    others = {other: held for other, held in seat.standing.items() if other != bettor}
    standing = others if made is None else {**others, bettor: made}
    return sit(view, replace(seat, standing=dict(sorted(standing.items()))))


def _bet_taken(view: PublicTable, said: BetTaken, _record: PublicRecord) -> PublicTable:
    if view.circle.button is not None and said.bet in circle.POSTED:
        return circle.posted(view, said)
    seat, bettor = view.seat(said.seat), said.bettor
    if bettor != SEATED:
        stands = seat.standing.get(bettor, StandingView(bettor=bettor))
        return _stand(view, seat.seat, _with(stands, said, view.phase), bettor)
    view = replace(view, last_bet=seat.seat if view.phase == _BETS else None)
    return sit(view, replace(_with(seat, said, view.phase), in_hand=True, decided=True))


def _with(bettor: _Bettor, said: BetTaken, phase: str) -> _Bettor:
    return replace(bettor, made={**bettor.made, said.bet: BetView(amount=said.amount, phase=phase)})


def _without(bettor: _Bettor, gone: Collection[str]) -> _Bettor:
    """These bets lie no more in his box."""
    made = {name: replace(bet, lies=False) if name in gone else bet for name, bet in bettor.made.items()}
    return replace(bettor, made=made)


def _bets_returned(view: PublicTable, said: BetsReturned, _record: PublicRecord) -> PublicTable:
    if said.bettor != SEATED:
        return _stand(view, said.seat, None, said.bettor)
    left = {number: seat for number, seat in view.seats.items() if number != said.seat}
    return replace(view, seats=left, last_bet=None if view.last_bet == said.seat else view.last_bet)


def _folded(view: PublicTable, said: Folded, _record: PublicRecord) -> PublicTable:
    """A standing bettor who does not go on takes back what he had added since the bets were closed (AMB-41)."""
    bettor = said.bettor
    if bettor != SEATED:
        stands = view.seat(said.seat).standing.get(bettor, StandingView(bettor=bettor))
        return _stand(view, said.seat, replace(_without(stands, stands.added), out=True), bettor)
    return sit(view, replace(view.seat(said.seat), folded=True, decided=True))


def _checked(view: PublicTable, said: Checked, _record: PublicRecord) -> PublicTable:
    return sit(view, replace(view.seat(said.seat), decided=True))


def _left_to_boxes(view: PublicTable, said: LeftToBoxes, _record: PublicRecord) -> PublicTable:
    """Without amounts: each of those who were asked may have bet, and the croupier sees in the boxes who did."""
    bet = said.bet
    seats = {
        number: seat
        if seat.decided or seat.folded or seat.void or seat.withdrawn
        else replace(seat, made={**seat.made, bet: BetView(amount=None, phase=view.phase)}, decided=True)
        for number, seat in view.seats.items()
    }
    return replace(view, seats=seats)


def _refund(view: PublicTable, said: Refund, _record: PublicRecord) -> PublicTable:
    made = RefundView(seat=said.seat, bet=said.bet, amount=said.amount, bettor=said.bettor)
    view = replace(view, refunds=(*view.refunds, made))
    seat = view.seats.get(said.seat)
    if seat is not None and not (view.void or seat.void or seat.withdrawn):
        view = _goes_on_without(view, seat, said)
    return circle.chips_back(view, said.seat, said.amount) if said.bet == _POT else view


def _goes_on_without(view: PublicTable, seat: SeatView, said: Refund) -> PublicTable:
    """One bet goes back, and the box goes on: of a standing bettor (AMB-41), or one that may not lie there."""
    if said.bettor == SEATED:
        return sit(view, _not_made(seat, said.bet))
    stands = seat.standing.get(said.bettor)
    return view if stands is None else _stand(view, seat.seat, _not_made(stands, said.bet), said.bettor)


def _not_made(bettor: _Bettor, bet: str) -> _Bettor:
    return replace(bettor, made={name: made for name, made in bettor.made.items() if name != bet})


def paid_early(view: PublicTable) -> PublicTable:
    """A phase ends. Bets that were settled before it began were paid and collected in it, and lie no more in their
    boxes."""
    paid = tuple(result for result in view.settled if result.phase != view.phase)
    if not paid:
        return view
    settled = tuple(result for result in view.settled if result not in paid)
    seats = {number: _without_paid(seat, paid) for number, seat in view.seats.items()}
    return replace(view, settled=settled, paid=(*view.paid, *paid), seats=seats)


def _without_paid(seat: SeatView, paid: tuple[SettledView, ...]) -> SeatView:
    def gone(bettor: int) -> set[str]:
        return {result.bet for result in paid if (result.seat, result.bettor) == (seat.seat, bettor)}

    standing = {number: _without(bets, gone(number)) for number, bets in seat.standing.items()}
    return replace(_without(seat, gone(SEATED)), standing=standing)


def _bet_reversed(view: PublicTable, said: BetReversed, _record: PublicRecord) -> PublicTable:
    """TPC-MIS-0, ruling "THB-ERR-4, -5, -6, -7": what had been paid comes back, what had been collected goes back."""
    key = (said.seat, said.bettor, said.bet)
    undone = tuple(bet for bet in (*view.paid, *view.settled) if (bet.seat, bet.bettor, bet.bet) == key)
    return replace(
        view,
        paid=tuple(bet for bet in view.paid if bet not in undone),
        settled=tuple(bet for bet in view.settled if bet not in undone),
        reversals=(*view.reversals, *undone),
    )


def _bet_settled(view: PublicTable, said: BetSettled, _record: PublicRecord) -> PublicTable:
    made = SettledView(
        seat=said.seat,
        bet=said.bet,
        outcome=said.outcome,
        odds=said.odds,
        stake=said.stake,
        pays=said.pays,
        clause=said.clause,
        bettor=said.bettor,
        phase=view.phase,
    )
    return replace(view, settled=(*view.settled, made))


def jacks(view: PublicTable) -> PublicTable:
    """A pair of jacks stands in no line of the bonus table: said once, when it loses one for the first time."""
    if view.jacks_hand is not None:
        return view
    lost = (bet.seat for bet in view.settled if (bet.bet, bet.clause) == ("bonus", _NO_LINE))
    return replace(view, jacks_hand=view.hand) if any(_holds_jacks(view, seat) for seat in lost) else view


def _holds_jacks(view: PublicTable, seat: int) -> bool:
    codes = [card.code for card in view.at_spot(f"seat-{seat}")]
    return len(codes) == len(_JACKS) and all(code is not None and code[0] == "J" for code in codes)


DECISIONS: Final[Steps] = {
    BetTaken: _bet_taken,
    BetsReturned: _bets_returned,
    Folded: _folded,
    Checked: _checked,
    LeftToBoxes: _left_to_boxes,
    Refund: _refund,
    BetReversed: _bet_reversed,
    BetSettled: _bet_settled,
}

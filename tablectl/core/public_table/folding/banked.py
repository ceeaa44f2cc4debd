"""Bets against the bank: in which box they lie, and what became of each."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Final

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
from tablectl.core.public_table.folding import circle
from tablectl.core.public_table.folding.step import Steps, sit
from tablectl.core.public_table.table import SEATED, PublicTable, RefundView, SeatView, SettledView, StandingView
from tablectl.core.stream import PublicRecord

#: What a player of a circle game gets back: everything he put into the hand.
_POT: Final = "pot"
#: In this phase bets are paid and collected before the hand goes on; when it ends, they lie no more on the table.
_PAYS: Final = "txb-payment"
#: Two cards that are in no line of the bonus table lose it (THB-BON-9).
_NO_LINE: Final = "THB-BON-9"
_JACKS: Final = "JJ"
#: In this phase bets are entered, and can be taken back.
_BETS: Final = "betting"
#: The bet that a standing bettor takes back when he does not go on (AMB-41).
_ADDED: Final = "second"


def _stand(view: PublicTable, number: int, made: StandingView | None, bettor: int) -> PublicTable:
    """A standing bettor as he is now; None where he is gone."""
    seat = view.seat(number)
    others = {other: each for other, each in seat.standing.items() if other != bettor}
    standing = others if made is None else {**others, bettor: made}
    return sit(view, replace(seat, standing=dict(sorted(standing.items()))))


def _bet_taken(view: PublicTable, said: BetTaken, _record: PublicRecord) -> PublicTable:
    if view.circle.button is not None and said.bet in circle.POSTED:
        return circle.posted(view, said)
    seat, bettor = view.seat(said.seat), said.bettor
    if bettor != SEATED:
        stands = seat.standing.get(bettor, StandingView(bettor=bettor))
        made = replace(stands, bets={**stands.bets, said.bet: said.amount})
        return _stand(view, seat.seat, made, bettor)
    view = replace(view, last_bet=seat.seat if view.phase == _BETS else None)
    return sit(view, replace(seat, bets={**seat.bets, said.bet: said.amount}, in_hand=True, decided=True))


def _bets_returned(view: PublicTable, said: BetsReturned, _record: PublicRecord) -> PublicTable:
    if said.bettor != SEATED:
        return _stand(view, said.seat, None, said.bettor)
    left = {number: seat for number, seat in view.seats.items() if number != said.seat}
    return replace(view, seats=left, last_bet=None if view.last_bet == said.seat else view.last_bet)


def _folded(view: PublicTable, said: Folded, _record: PublicRecord) -> PublicTable:
    bettor = said.bettor
    if bettor != SEATED:
        stands = view.seat(said.seat).standing.get(bettor, StandingView(bettor=bettor))
        bets = {name: amount for name, amount in stands.bets.items() if name != _ADDED}
        return _stand(view, said.seat, replace(stands, bets=bets, out=True), bettor)
    return sit(view, replace(view.seat(said.seat), folded=True, decided=True))


def _checked(view: PublicTable, said: Checked, _record: PublicRecord) -> PublicTable:
    return sit(view, replace(view.seat(said.seat), decided=True))


def _left_to_boxes(view: PublicTable, said: LeftToBoxes, _record: PublicRecord) -> PublicTable:
    """Without amounts: each of those who were asked may have bet, and the croupier sees in the boxes who did."""
    bet = said.bet
    seats = {
        number: seat
        if seat.decided or seat.folded or seat.void or seat.withdrawn
        else replace(seat, bets={**seat.bets, bet: None}, decided=True)
        for number, seat in view.seats.items()
    }
    return replace(view, seats=seats)


def _refund(view: PublicTable, said: Refund, _record: PublicRecord) -> PublicTable:
    made = RefundView(seat=said.seat, bet=said.bet, amount=said.amount, bettor=said.bettor)
    view = replace(view, refunds=(*view.refunds, made))
    return circle.chips_back(view, said.seat, said.amount) if said.bet == _POT else view


def paid_early(view: PublicTable) -> PublicTable:
    """When the phase ends in which they were paid, those bets lie no more in their boxes."""
    if view.phase != _PAYS:
        return view
    seats = {number: _without(seat, view.settled) for number, seat in view.seats.items()}
    return replace(view, settled=(), paid=view.settled, seats=seats)


def _without(seat: SeatView, paid: tuple[SettledView, ...]) -> SeatView:
    """Bets that were paid or collected lie no more in their box."""

    def left(bettor: int, bets: Mapping[str, int | None]) -> dict[str, int | None]:
        gone = {each.bet for each in paid if (each.seat, each.bettor) == (seat.seat, bettor)}
        return {name: amount for name, amount in bets.items() if name not in gone}

    standing = {number: replace(each, bets=left(number, each.bets)) for number, each in seat.standing.items()}
    return replace(seat, bets=left(SEATED, seat.bets), standing=standing)


def _bet_reversed(view: PublicTable, said: BetReversed, _record: PublicRecord) -> PublicTable:
    """TPC-MIS-0: what had been paid comes back, what had been collected goes back."""
    key = (said.seat, said.bettor, said.bet)
    undone = tuple(each for each in view.paid if (each.seat, each.bettor, each.bet) == key)
    return replace(
        view,
        paid=tuple(each for each in view.paid if each not in undone),
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
    )
    return replace(view, settled=(*view.settled, made))


def jacks(view: PublicTable) -> PublicTable:
    """A pair of jacks stands in no line of the bonus table: said once, when it loses one for the first time."""
    if view.jacks_hand is not None:
        return view
    lost = (each.seat for each in view.settled if (each.bet, each.clause) == ("bonus", _NO_LINE))
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

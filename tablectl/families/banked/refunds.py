"""Bets that go back, and what was settled in mid-hand and is undone."""

from __future__ import annotations

from collections.abc import Iterable

from tablectl.core.engine.decisions import BetReversed, BetSettled, Refund
from tablectl.core.engine.incidents import raise_incident
from tablectl.core.engine.pending import Incident
from tablectl.core.engine.seats import SEATED
from tablectl.core.engine.vocabulary import Chooser, Remedy
from tablectl.families.banked.state import BankedState


def settled_already(state: BankedState, seats: tuple[int, ...]) -> None:
    """These seats have their bets back; one that was settled in the middle of the hand only the pit boss can undo
    (TPC-MIS-0, AMB-46)."""
    side = state.rulebook.side_bet
    if side is not None and any(bet.seat in seats for bet in state.settled_early):
        raise_incident(
            state,
            clause=side.void,
            expected=f"{side.bet}-open",
            observed=f"{side.bet}-settled",
            remedies=(Remedy.REVERSE, Remedy.CONTINUE),
            chooser=Chooser.PIT_BOSS,
            seats=seats,
        )


def reverse(state: BankedState, incident: Incident) -> None:
    """What had been paid comes back, what had been collected goes back (TPC-MIS-0, AMB-46)."""
    undone = [bet for bet in state.settled_early if bet.seat in incident.seats]
    take_back(state, undone)
    state.settled_early = [bet for bet in state.settled_early if bet not in undone]


def refund(state: BankedState, seat: int, *, keeps_entry: bool) -> None:
    """Every bet in a box, one by one: but for what was settled in mid-hand, and what the settlement says of it is taken
    back. `keeps_entry`: those of the seated player with which a hand begins stay for the next one."""
    early = {_key(bet) for bet in state.settled_early}
    settled = {_key(bet): bet for bet in state.settled if bet.seat == seat}
    take_back(state, (bet for bet in settled.values() if bet.bet not in state.rulebook.bets))  # prizes have no box
    for bettor, bets in state.seats[seat].everybody():
        for name, amount in bets.items():
            key = (seat, bettor, name)
            if key in early:
                continue
            stays = keeps_entry and bettor == SEATED and state.rulebook.bets[name].multiple_of is None
            if stays:
                state.kept.setdefault(seat, {})[name] = amount
            if key in settled:
                take_back(state, [settled[key]])
            elif not stays:
                state.say(Refund(seat=seat, bet=name, amount=amount, bettor=bettor))
    state.settled = [bet for bet in state.settled if bet.seat != seat]


def open_side_bets(state: BankedState, seat: int) -> tuple[tuple[int, str], ...]:
    """The bets in a box beside the one that a hand needs, which are not settled yet, each with its bettor's number,
    those of who stands behind the seat too: the hand goes on without them."""
    early = {_key(bet) for bet in state.settled_early}
    rules, entry = state.rulebook.bets, state.rulebook.entry_bet
    return tuple(
        (bettor, name)
        for bettor, bets in state.seats[seat].everybody()
        for name in bets
        if rules[name].multiple_of is None and name != entry and (seat, bettor, name) not in early
    )


def side_bets(state: BankedState, incident: Incident) -> None:
    """TPC-LIM-1, THB-LIM-1: only the bets of the box go back that may not lie there, as a box's go back before "no va
    más": those of who stands behind it with them. The hand goes on."""
    for seat in incident.seats:
        bets = dict(state.seats[seat].everybody())
        for bettor, name in open_side_bets(state, seat):
            state.say(Refund(seat=seat, bet=name, amount=bets[bettor].pop(name), bettor=bettor))
    state.family.seat_left(state, incident.clause)


def take_back(state: BankedState, bets: Iterable[BetSettled]) -> None:
    """What was said of these bets does not hold: line by line, what was paid comes back and what was collected goes
    back."""
    for bet in bets:
        state.say(BetReversed(seat=bet.seat, bet=bet.bet, stake=bet.stake, pays=bet.pays, bettor=bet.bettor))
        state.house_won += bet.pays or 0


def _key(bet: BetSettled) -> tuple[int, int, str]:
    return bet.seat, bet.bettor, bet.bet

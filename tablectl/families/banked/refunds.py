"""Bets that go back, and what was settled in mid-hand and is undone."""

from __future__ import annotations

from tablectl.core.engine.decisions import BetReversed, Refund
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
    for bet in undone:
        state.say(BetReversed(seat=bet.seat, bet=bet.bet, stake=bet.stake, pays=bet.pays, bettor=bet.bettor))
        state.house_won += bet.pays or 0
    state.settled_early = [bet for bet in state.settled_early if bet not in undone]


def refund(state: BankedState, seat: int, *, keeps_entry: bool) -> None:
    """Every bet in a box that is not settled yet, one by one. `keeps_entry`: those of the seated player with which a
    hand begins stay for the next one."""
    settled = {(early.seat, early.bettor, early.bet) for early in state.settled_early}
    for bettor, bets in state.seats[seat].everybody():
        for bet, amount in bets.items():
            if (seat, bettor, bet) in settled:
                continue
            if keeps_entry and bettor == SEATED and state.rulebook.bets[bet].multiple_of is None:
                state.kept.setdefault(seat, {})[bet] = amount
            else:
                state.say(Refund(seat=seat, bet=bet, amount=amount, bettor=bettor))

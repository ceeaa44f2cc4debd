"""Saying what became of each bet, with what it means for the table's float."""

from __future__ import annotations

from tablectl.core.engine.decisions import BetSettled
from tablectl.core.settlement.banked import SeatResult
from tablectl.families.banked.state import BankedState


def say_settled(state: BankedState, result: SeatResult) -> list[BetSettled]:
    """One bettor's bets, each once, in the layout's order; those settled earlier in the hand are left out."""
    said: list[BetSettled] = []
    before, out = state.settled_early, state.out.append
    seat, bettor, won = result.seat, result.bettor, 0
    for verdict, stake in zip(result.verdicts, result.stakes, strict=True):
        if stake == 0 or (before and _is_settled(before, result, verdict.bet)):
            continue
        pays = None if stake is None else verdict.pays(stake)
        won += pays or 0
        settled = BetSettled(
            seat=seat,
            bet=verdict.bet,
            outcome=verdict.outcome,
            odds=verdict.odds,
            stake=verdict.lies(stake),
            pays=pays,
            clause=verdict.clause,
            bettor=bettor,
        )
        out(settled)
        said.append(settled)
    state.house_won -= won
    return said


def _is_settled(before: list[BetSettled], result: SeatResult, bet: str) -> bool:
    return any(
        settled.seat == result.seat and settled.bettor == result.bettor and settled.bet == bet for settled in before
    )

"""Entries of games against the bank, where there are no boxes: each is refused with its reason."""

from __future__ import annotations

from tablectl.core.engine.facts import Bets, Removed, StandingBet, StandsOut
from tablectl.core.engine.rulebook import Kind
from tablectl.core.engine.vocabulary import Refusal
from tablectl.families.pots.state import PotGameState


def bets(state: PotGameState, fact: Bets) -> None:
    """No bet of that name can be made."""
    rules = state.rulebook
    if not 1 <= fact.seat <= min(rules.max_seats, state.setup.seats):
        state.refuse(Refusal.UNKNOWN_SEAT, rules.errors.no_such_seat, str(fact.seat))
    elif state.held:
        state.refuse(Refusal.HELD)
    elif state.phase.kind is Kind.BETTING and fact.amounts:
        state.refuse(Refusal.UNKNOWN_BET, rules.errors.no_such_bet, next(iter(fact.amounts)))
    else:
        state.refuse(Refusal.BETS_CLOSED, rules.errors.too_early_entry)


def removed(state: PotGameState, fact: Removed) -> None:
    """Nothing lies there that could be taken back."""
    if state.held:
        state.refuse(Refusal.HELD)
    else:
        state.refuse(Refusal.BETS_CLOSED, state.rulebook.errors.too_early_entry)


def standing_bet(state: PotGameState, fact: StandingBet) -> None:
    """Nobody bets on the hand of another player."""
    state.refuse(Refusal.STANDING_BET, None, f"seat-{fact.seat}")


def stands_out(state: PotGameState, fact: StandsOut) -> None:
    """Nobody stands behind a seat."""
    state.refuse(Refusal.UNKNOWN_SEAT, detail=f"{fact.seat}/{fact.bettor}")

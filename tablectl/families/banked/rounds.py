"""Entries of games between players, where there are no rounds of betting: each is refused with its reason."""

from __future__ import annotations

from tablectl.core.engine.facts import Acted, AsksFor, ButtonPlaced, Moved, PutIn, Stacked, Transferred
from tablectl.core.engine.vocabulary import Refusal
from tablectl.families.banked.state import BankedState


def bets_closed(state: BankedState, fact: Acted | PutIn) -> None:
    """No betting round is open."""
    state.refuse(Refusal.BETS_CLOSED, state.rulebook.errors.too_early_entry)


def asks_for(state: BankedState, fact: AsksFor) -> None:
    """Nobody changes cards."""
    state.refuse(Refusal.NOT_LIVE, None, str(fact.cards))


def moved(state: BankedState, fact: Moved) -> None:
    """A seat is in a hand by its bets."""
    state.refuse(Refusal.NOT_LIVE, detail=fact.what)


def stacked(state: BankedState, fact: Stacked) -> None:
    """Nobody enters what a player has."""
    state.refuse(Refusal.UNKNOWN_SEAT, state.rulebook.errors.no_such_seat, str(fact.seat))


def button_placed(state: BankedState, fact: ButtonPlaced) -> None:
    """There is no button."""
    state.refuse(Refusal.NOT_LIVE, detail="button")


def transferred(state: BankedState, fact: Transferred) -> None:
    """There is no claim on a hand that was settled."""
    state.refuse(Refusal.NO_CLAIM, state.rulebook.errors.ruling, str(fact.incident))

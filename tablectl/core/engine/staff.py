"""Who is the croupier: he takes the table between two hands, and where the house knows its people none begins without
him. Who may call himself so is decided outside; here a name is a name."""

from __future__ import annotations

from tablectl.core.engine.decisions import CroupierAtTable, CroupierLeft, CroupierWaits
from tablectl.core.engine.facts import SignedOff, SignedOn
from tablectl.core.engine.state import State
from tablectl.core.engine.vocabulary import Refusal


def is_missing(state: State) -> bool:
    """Whether nothing can be done at the table before a croupier takes it: between two hands, with nobody there."""
    return state.setup.staff and not state.croupier and not state.in_play


def signed_on(state: State, fact: SignedOn) -> None:
    """A croupier wants the table. Whoever has the hand in play ends it; whoever was to follow him does not any more."""
    if state.in_play and fact.croupier != state.croupier:
        state.next_croupier = fact.croupier
        state.say(CroupierWaits(croupier=fact.croupier))
    else:
        _takes(state, fact.croupier)


def signed_off(state: State, fact: SignedOff) -> None:
    """A croupier goes. The one whose hand is in play ends it, or is followed by another one after its end."""
    if fact.croupier and fact.croupier == state.next_croupier:
        state.next_croupier = ""
        state.say(CroupierLeft(croupier=fact.croupier))
    elif not fact.croupier or fact.croupier != state.croupier:
        state.refuse(Refusal.NOT_AT_TABLE, detail=fact.croupier)
    elif state.in_play:
        state.refuse(Refusal.HAND_IN_PLAY)
    else:
        state.croupier = ""
        state.say(CroupierLeft(croupier=fact.croupier))


def follow(state: State) -> None:
    """Between two hands: the croupier who waited for the end of one."""
    if state.next_croupier:
        _takes(state, state.next_croupier)


def _takes(state: State, croupier: str) -> None:
    state.croupier, state.next_croupier = croupier, ""
    state.say(CroupierAtTable(croupier=croupier))

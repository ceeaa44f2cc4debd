"""A card that was declared although the shoe had reported every one, or none had left it: the croupier takes it back.

As an action can be corrected until the next one, so can this, until something else follows or another card comes. The
declaration and its correction stay on record; the card counts as one that went back into the deck.
"""

from __future__ import annotations

from tablectl.core.engine.deal import Draw
from tablectl.core.engine.facts import BESIDE_THE_GAME, Declared, Fact
from tablectl.core.engine.incidents import close
from tablectl.core.engine.outcome import carried_out
from tablectl.core.engine.rule import Outcome
from tablectl.core.engine.rulebook import REOPEN, Kind
from tablectl.core.engine.slots import DISCARD
from tablectl.core.engine.vocabulary import Chooser, Declaration, Remedy, Severity
from tablectl.families.pots.state import PotGameState


def noted(state: PotGameState) -> None:
    """A card was declared just now."""
    state.unreported = state.deal.last


def forget(state: PotGameState, fact: Fact) -> None:
    """After a fact: what follows from another one holds the declaration to be true."""
    is_it = isinstance(fact, Declared) and fact.what is Declaration.UNREPORTED_CARD
    if not is_it and type(fact) not in BESIDE_THE_GAME and not state.is_all_refused:
        state.unreported = None


def possible(state: PotGameState) -> bool:
    """Whether the card declared last can still be taken back: no reader has seen it and none came after it."""
    draw = state.unreported
    if draw is None or draw is not state.deal.last or draw.card is not None or draw.is_back:
        return False
    is_apart = (
        draw in state.deal.waiting or draw in state.early.asked or draw in state.early.burns or _is_asked(state, draw)
    )
    return is_apart or draw.slot in DISCARD or _can_be_dealt_anew(state, draw)


def _is_asked(state: PotGameState, draw: Draw) -> bool:
    """Whether it is asked where this card lies."""
    return state.early.where is not None and state.early.where.draw is draw


def _can_be_dealt_anew(state: PotGameState, draw: Draw) -> bool:
    deal = state.deal
    if deal.next == 0 or draw.slot is not deal.plan[deal.next - 1]:
        return False
    return state.phase.kind is Kind.DEALING or state.machine.refusal(REOPEN, state) is None


def take_back(state: PotGameState) -> None:
    """There is no such card: its place is due again, and nobody is asked about it."""
    draw, early = state.unreported, state.early
    assert draw is not None, "one was declared"
    carried_out(
        state,
        Outcome(
            clause=state.rulebook.errors.outside_shoe,
            expected=Declaration.UNREPORTED_CARD,
            observed="no-card",
            remedies=(Remedy.CORRECT,),
            severity=Severity.NOTICE,
            draw=draw,
        ),
    )
    state.unreported = None
    if draw in early.asked:
        early.asked.remove(draw)
        if not early.asked and early.question is not None:
            close(state, early.question, Remedy.CONTINUE, Chooser.CROUPIER)
            early.question = early.where = None
    elif _is_asked(state, draw):
        assert early.where is not None, "it is asked"
        close(state, early.where, Remedy.CONTINUE, Chooser.CROUPIER)
        early.where = None
    elif draw in state.deal.waiting:
        state.deal.waiting.remove(draw)
    elif draw in early.burns:
        early.burns.remove(draw)
    elif draw.slot not in DISCARD:
        state.deal.take_back(draw)
        if state.phase.kind is not Kind.DEALING and state.fire(REOPEN):
            state.entered = None  # the round goes on when the card was dealt
    state.deal.give_back((draw,))

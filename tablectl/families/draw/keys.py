"""Keys of a game with discards: the cut, the draw, and a round in which nobody bets."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from tablectl.core.engine.decisions import CutOffered
from tablectl.core.engine.facts import AsksFor
from tablectl.core.engine.key_action import KeyAction, KeyTable
from tablectl.core.engine.rulebook import Kind
from tablectl.core.engine.vocabulary import SEAT_OF, Key, Tracking
from tablectl.core.options.draw import AllPass
from tablectl.families.draw import cut, exchange
from tablectl.families.draw.state import DrawState
from tablectl.families.pots import entering


def of_phase(state: DrawState) -> KeyTable:
    """The cut before the deal, and what each player changes."""
    if state.phase.kind is Kind.EXCHANGING:
        return _changing(state)
    return {Key.CONFIRM: KeyAction(partial(_offer_cut, state))} if cut.is_to_be_offered(state) else {}


def _offer_cut(state: DrawState) -> None:
    state.draw.is_cut = True
    state.say(CutOffered())


def _changing(state: DrawState) -> KeyTable:
    """In the draw a seat's key is a number of cards, "check" is servido; the croupier confirms what was put away."""
    turn = state.draw.turn
    if turn is not None and turn.cards is not None:
        return {Key.CONFIRM: KeyAction(partial(exchange.confirm, state))}
    most = exchange.most(state)
    return {
        key: KeyAction(partial(exchange.asks_for, state, AsksFor(at_us=0, cards=cards)), cards <= most)
        for key, cards in {Key.CHECK: 0, **SEAT_OF}.items()
    }


def passes_out(state: DrawState) -> Callable[[], object] | None:
    """FCD-WIN-5, AMB-67: in the first round, or in either where the house has it so."""
    if state.setup.tracking is not Tracking.ROUNDS or state.rounds is None:
        return None
    may = state.phase.round == 0 or state.rulebook.house.all_pass is AllPass.EITHER_ROUND
    return partial(_pass_out, state) if may else None


def _pass_out(state: DrawState) -> None:
    """FCD-WIN-5: where only rounds are entered, this key says that nobody has bet."""
    state.draw.is_passed_out = True
    entering.close_round(state)

"""The stub, shuffled anew with cards that go back into it: which cards can come is known, in which order is not.

A card that went back can come again, as another draw; any other card that was out already is one too many (THL-MIS-5).
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from tablectl.core.cards import DECK, Card
from tablectl.core.engine.deal import Draw
from tablectl.core.engine.incidents import ask
from tablectl.core.engine.pending import Pending
from tablectl.core.engine.slots import BURN, DISCARD
from tablectl.core.engine.vocabulary import Question
from tablectl.core.options.holdem import ReshuffledStub
from tablectl.families.holdem.state import HoldemState

#: What the croupier is asked to have shuffled.
STUB: Final = "stub"


def give_back(state: HoldemState, draws: Iterable[Draw], about: str = STUB) -> None:
    """AMB-23: these cards go into the stub, with any that is out and that nobody saw; so do burns and folded hands
    where the house has it so. A burn that was made is not made again."""
    deal = state.deal
    back = [*draws, *deal.waiting]
    deal.waiting = []
    if about == STUB and state.rulebook.house.reshuffled_stub is ReshuffledStub.DEAD_CARDS_TOO:
        back += [draw for draw in _dead(state) if draw not in back]
    for draw in back:
        if draw.slot in BURN:
            state.early.spent.add(draw.slot)
        state.felt.forgets(draw)
    state.early.burns = [draw for draw in state.early.burns if draw not in back]
    deal.give_back(back)
    if not is_open(state):
        ask(state, Question.RESHUFFLED, about)


def _dead(state: HoldemState) -> list[Draw]:
    """Burns, discards and the hands of those who are out."""
    out = set(state.order) - set(state.staying)
    placed = [draw for draw in state.deal.draws if draw.slot is not None and not draw.is_back]
    return [
        draw for draw in placed if draw.slot in BURN or draw.slot in DISCARD or (draw.slot and draw.slot.seat in out)
    ]


def is_open(state: HoldemState) -> bool:
    """Whether the cards that went back are still being shuffled."""
    return _question(state) is not None


def _question(state: HoldemState) -> Pending | None:
    return next((pending for pending in state.asking if pending.question is Question.RESHUFFLED), None)


def shuffled(state: HoldemState, cards: int) -> bool:
    """AMB-23: a shuffler has finished, in mid-hand. True where it counted the cards that can still come: the question
    is answered."""
    pending = _question(state)
    if pending is None or cards != undealt(state):
        return False
    state.asking.remove(pending)
    return True


def undealt(state: HoldemState) -> int:
    """How many cards the stub holds."""
    return len(DECK) - len(state.deal.draws) + state.deal.n_back


def on_its_way(state: HoldemState, card: Card | None) -> bool:
    """Whether this card went back, and is not shuffled yet: where it lies meanwhile says nothing."""
    if card is None or not is_open(state) or state.deal.newest(card) is not None:
        return False
    return any(draw.is_back and draw.card is card for draw in state.deal.draws)

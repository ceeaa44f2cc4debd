"""Where the felt is the deal: a card lies where the one after the next is due.

Either cards came out of order, or the one between was dealt and no antenna could read it. Only a person can say which.
"""

from __future__ import annotations

from tablectl.core.engine import dealing
from tablectl.core.engine.deal import Draw
from tablectl.core.engine.decisions import Asked
from tablectl.core.engine.incidents import ask
from tablectl.core.engine.pending import Pending
from tablectl.core.engine.slots import BOARD, BURN, Slot
from tablectl.core.engine.state import State
from tablectl.core.engine.vocabulary import Question

_COMMON = (BOARD[0].spot, BURN[0].spot)


def can_be(state: State, spot: str) -> bool:
    """Whether a card that lies at this spot, and not where the next one is due, can have come after one that could not
    be read: in the deal of the cards face down, at the place that comes after the one that is due."""
    deal = state.deal
    if deal.due is None or deal.empty or not dealing.is_hole_plan(state):
        return False
    after = deal.plan[deal.next + 1 :]
    return spot == after[0].spot if after else spot in _COMMON


def ask_about(state: State, draw: Draw) -> None:
    """Does a card lie where the next one is due?"""
    assert state.deal.due is not None, "one is due"
    ask(state, Question.UNREAD_THERE, state.deal.due.name).drawn = draw.number


def question(state: State) -> Pending | None:
    """That question, while it is open."""
    return next((pending for pending in state.asking if pending.question is Question.UNREAD_THERE), None)


def comes_round(state: State, draw: Draw, asked: int | None) -> Slot | None:
    """The place of this card if the deal went on in its order from the place after the one that is due: with the card
    that is asked about (its number), and up to this one. Then this one did not come to the place that is due, though
    it lies at its spot. None where the order is another one."""
    following = [card for card in state.deal.draws if card.slot is None and not card.is_back]
    spots = [state.felt.spot_of(card) for card in following if (asked or 0) <= card.number <= draw.number]
    places = state.deal.plan[state.deal.next + 1 :][: len(spots)]
    return places[-1] if places and spots == [slot.spot for slot in places] else None


def ask_again(state: State, pending: Pending, place: Slot) -> None:
    """The card that came round is one of those that lie at that spot: with the one that nobody read there are as many
    as this place says."""
    pending.about = place.name
    state.say(Asked(question=pending.question, about=pending.about, incident=None))


def lies_there(state: State, asked: int | None) -> None:
    """The card was dealt to the place that is due: one that was read meanwhile, or one that nobody could read (AMB-63);
    who that is shows when it is turned. `asked`: the number of the card that is seen after that place."""
    deal, due = state.deal, state.deal.due
    assert due is not None, "one is due"
    there = (draw for draw in deal.waiting if state.felt.spot_of(draw) == due.spot)
    read = next((draw for draw in there if comes_round(state, draw, asked) is None), None)
    if read is None:
        read, _ = deal.note(None)
    else:
        deal.waiting.remove(read)
    dealing.place(state, read)
    state.felt.confirmed.add(read.number)

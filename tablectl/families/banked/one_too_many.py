"""A card came when none was due, and only the croupier can say where it lies (rulings "early burn", TPC-MIS-2).

At a seat, at the bank or on the board there is one too many, if he counts so many; then it decides whether anybody saw
it. Where he counts as many as there should be, it is another place that has one too many: every card of the plan in
force after that one came one place further on.
"""

from __future__ import annotations

from typing import Final

from tablectl.core.engine.clauses import CountWindow, Exposure
from tablectl.core.engine.deal import STAND_IN
from tablectl.core.engine.dealing import is_last_card_dealt, put_away, say_placed, use_next
from tablectl.core.engine.decisions import CardPlaced
from tablectl.core.engine.incidents import ask, close, void_hand
from tablectl.core.engine.pending import Incident
from tablectl.core.engine.rulebook import IN_HAND, Kind
from tablectl.core.engine.slots import BOARD, BURN, HOUSE
from tablectl.core.engine.vocabulary import Chooser, Question, Remedy
from tablectl.families.banked import burns, closing, counting
from tablectl.families.banked.reopening import reopen
from tablectl.families.banked.state import BankedState
from tablectl.families.banked.windows import can_lay_anew

_BOARD: Final = BOARD[0].spot
_HOUSE: Final = HOUSE[0].spot
_RIGHT: Final = "right"
_LAST: Final = "last-card"


def places(state: BankedState) -> tuple[str, ...]:
    """Where it can lie: at a place whose cards count, or on the board once cards are due there. Of a hand that is void
    it is all the same."""
    if state.phase.kind is Kind.VOIDED:
        return ()
    lies_open = (_BOARD,) if any(slot.spot == _BOARD for slot in (*state.deal.plan, *state.deal.at)) else ()
    return (*counting.countable(state), *lies_open) if state.deal.at else ()


def lies_at(state: BankedState, incident: Incident, spot: str) -> None:
    """How many lie there decides whether it is one too many there."""
    ask(state, Question.COUNT_CARDS, spot, incident)


def cards_said(state: BankedState, incident: Incident, spot: str, answer: str | int) -> None:
    """So many lie there, or as many as there should be."""
    lying = (
        [slot for slot in state.deal.at if slot.spot == _BOARD] if spot == _BOARD else counting.slots_of(state, spot)
    )
    have = sum(slot in state.deal.at for slot in lying)
    if answer == _RIGHT or int(answer) <= have:
        ask(state, Question.COUNT_SPOT, "count", incident)
        return
    if spot == _HOUSE and counting.voids_in_sequence(state):
        ask(state, Question.COUNT_LAP, spot, incident)
        return
    incident.spot = spot
    if spot == _BOARD and is_last_card_dealt(state):
        ask(state, Question.PUT_AWAY, "discard", incident)
    else:
        ask(state, Question.SEEN, _LAST, incident)


def lap_said(state: BankedState, incident: Incident, lap: int) -> None:
    """THB-ERR-7: where the bank has one too many since an earlier lap, other cards have followed it, and the sequence
    is broken."""
    if lap < state.rulebook.places.player:
        close(state, incident, Remedy.VOID_HAND, Chooser.CROUPIER)
        void_hand(state, state.rulebook.errors.count.bank)
        return
    incident.spot = _HOUSE
    ask(state, Question.SEEN, _LAST, incident)


def spot_said(state: BankedState, incident: Incident, spot: str) -> None:
    """Which place has one too many, though the card drawn last lies where it belongs."""
    assert incident.draw is not None, "it is about a card"
    if spot == _RIGHT and is_last_card_dealt(state):
        incident.spot = _BOARD  # nothing is wrong anywhere else: it is put away, and asked about no more
        ask(state, Question.PUT_AWAY, "discard", incident)
        return
    if spot == BURN[0].spot and not burns.are_dealt(state) and _is_board_dealt(state):
        ask(state, Question.COUNT_LAP, spot, incident)
        return
    close(state, incident, Remedy.NEXT_CARD, Chooser.CROUPIER)
    use_next(state, incident.draw)
    if spot == BURN[0].spot:
        burns.came_twice(state)  # where no common card is out, it is this one that lies there: the next card
    elif spot != _RIGHT:
        _has_one_too_many(state, spot)


def _is_board_dealt(state: BankedState) -> bool:
    """Whether a common card lies there that can have been burnt."""
    return any(state.deal.is_common(number) for number in range(1, state.deal.next + 1))


def burnt_said(state: BankedState, incident: Incident, number: int) -> None:
    """Where nothing is burnt (AMB-81), this one of the common cards was: those after it lie one place too early. It is
    the next card (AMB-56): seen, while decisions are to come, the pit boss decides."""
    deal, last = state.deal, incident.draw
    assert last is not None, "it is about a card"
    burnt = deal.at[deal.plan[number - 1]]
    say_placed(state, deal.take_out(burnt))
    if deal.due is not None:
        state.say(CardPlaced(draw=last.number, slot=deal.place(last)))
    if state.phase.exposure is not Exposure.AFTER:
        incident.draw, incident.spot = burnt, BURN[0].spot
        ask(state, Question.SEEN, _LAST, incident)
        return
    close(state, incident, Remedy.NEXT_CARD, Chooser.CROUPIER)
    if is_last_card_dealt(state):
        put_away(state, burnt)
    else:
        use_next(state, burnt)
    if state.phase.kind is Kind.SETTLING:
        closing.board_changed(state)


def _has_one_too_many(state: BankedState, spot: str) -> None:
    have = sum(slot in state.deal.at for slot in counting.slots_of(state, spot))
    if can_lay_anew(state) and spot != _HOUSE:
        pending = ask(state, Question.COUNT_LAP, spot)
        pending.cards, pending.drawn = have + 1, STAND_IN
        return
    counting.has_one_too_many(state, spot, have + 1)
    if state.rulebook.errors.count.window is not CountWindow.LAST_CARD:
        return  # TPC-MIS-2: it is carried to where the order of drawing has it, or the hand is void
    first = state.deal.plan[0]
    if state.phase.kind in IN_HAND and first.spot == BURN[0].spot and first in state.deal.at and state.staying:
        _first_went_there(state)


def _first_went_there(state: BankedState) -> None:
    """The first card of these common cards came to that place instead of being burnt, and all others one place too
    early."""
    extra = state.deal.at[state.deal.plan[0]]
    say_placed(state, state.deal.take_out(extra))
    put_away(state, extra)
    reopen(state)

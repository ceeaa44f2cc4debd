"""A card that readers see at another seat than its own. The next card says what went wrong.

Whoever it goes to, the number of cards, the order or the beginning of the deal was wrong. Where the next card lies
already it is known; otherwise the croupier is asked, and the deal waits. In the draw it can be one of those that the
other player will get for his own.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Final

from tablectl.core.engine.deal import Draw
from tablectl.core.engine.dealing import say_placed, use_next
from tablectl.core.engine.felt import Passing
from tablectl.core.engine.incidents import ask, close
from tablectl.core.engine.outcome import carried_out
from tablectl.core.engine.pending import Incident, Pending
from tablectl.core.engine.rule import noted
from tablectl.core.engine.rulebook import Kind
from tablectl.core.engine.seat_said import seat_of
from tablectl.core.engine.slots import BY_NAME, Slot
from tablectl.core.engine.vocabulary import Chooser, Question, Refusal, Remedy
from tablectl.families.draw import counts, dealer, dealt_order, exchange, holdings
from tablectl.families.draw.state import DrawState
from tablectl.families.pots.hand_open import is_first_deal


def waits_for_the_one_before(state: DrawState, draw: Draw) -> bool:
    """In the draw a card comes while the one before it may only pass by another seat: what went wrong with the two
    shows when that one counts where it is, and is one incident. False where this card is an error of its own."""
    if is_first_deal(state) or state.held or state.felt.spot_of(draw) is not None:
        return False
    if not any(_is_elsewhere(passing) for passing in state.felt.passing):
        return False
    state.felt.awaits(draw, state.now_us)
    return True


def _is_elsewhere(passing: Passing) -> bool:
    slot, seat = passing.draw.slot, seat_of(passing.spot or "")
    return slot is not None and slot.seat is not None and seat not in (None, slot.seat)


def lies_at_another(state: DrawState, draw: Draw, slot: Slot, spot: str) -> bool:
    """Readers see the card of this place at another seat. False where it is another error."""
    if is_first_deal(state):
        return _lies_at_another_before_the_draw(state, slot, spot)
    for later in _awaiting(state, draw):
        state.felt.arrives(later)
        use_next(state, later)
    two = _two_seats(state, slot, spot)
    if two is None or not exchange.may_come_early(state, two[0]) or _next_seen(state, draw) != slot.seat:
        return False
    carried_out(state, noted(state.rulebook.errors.wrong_order, expected=slot.name, observed=spot, seats=two))
    _judge_in_the_draw(state, slot, two[0], two[1])
    return True


def _awaiting(state: DrawState, draw: Draw) -> list[Draw]:
    """The cards that came after this one, and wait for what is said of it."""
    later = (passing.draw for passing in state.felt.passing if passing.draw.number > draw.number)
    return [card for card in later if state.felt.is_untold(card)]


def _lies_at_another_before_the_draw(state: DrawState, slot: Slot, spot: str) -> bool:
    is_dealing = state.phase.kind is Kind.DEALING
    if seat_of(spot) is None or (is_dealing and not state.deal.lies_by_plan):
        return False
    if any(pending.question is Question.NEXT_SEAT for pending in state.asking):
        return True  # what went wrong with the card before it says where this one belongs
    if dealt_order.is_asked_between(state, {slot.seat, seat_of(spot)}):
        return True  # the other card of the two says it already
    if (two := _two_seats(state, slot, spot)) is None:
        return False
    giver, taker = two
    others = [other for other, seat in holdings.elsewhere(state) if (other.seat, seat) == two]
    if others:
        _have_each_others(state, two, state.deal.at[others[0]])
    elif not is_dealing:
        counts.six_and_four(state, giver, taker)
    elif (after := _next_seen(state, state.deal.at[slot])) is not None:
        _judge(state, slot, giver, after)
    else:
        ask(state, Question.NEXT_SEAT, slot.name).spot = spot
    return True


def _have_each_others(state: DrawState, two: tuple[int, int], other: Draw) -> None:
    """FCD-OPN-3: one wrong order, of this card and of the other one."""
    state.felt.arrives(other)
    state.felt.confirmed.add(other.number)
    dealt_order.between(state, two)


def seen_elsewhere(state: DrawState, incident: Incident) -> bool:
    """FCD-DSC-2, AMB-73: a card that a player gets for one of his own lies at another seat, and was seen: whoever has
    looked at his new cards is out, unless it is his own and came before its time (FCD-DSC-4). False where it is another
    error."""
    slot = incident.draw.slot if incident.draw is not None else None
    if slot is None or is_first_deal(state) or (two := _two_seats(state, slot, incident.observed)) is None:
        return False
    close(state, incident, Remedy.CONTINUE, Chooser.RULE)
    if (after := _next_seen(state, state.deal.at[slot])) is not None:
        _judge_in_the_draw(state, slot, two[0], after)
    elif exchange.may_come_early(state, two[0]):
        ask(state, Question.NEXT_SEAT, slot.name).spot = incident.observed
    else:
        counts.six_and_four(state, *two)
    return True


def _two_seats(state: DrawState, slot: Slot, spot: str) -> tuple[int, int] | None:
    """The seat at which the card of this place lies, and the one to which it was due; None where one of them is out or
    a number of cards is in question already."""
    giver, taker = seat_of(spot), slot.seat
    if giver is None or taker is None or not counts.applies(state) or not {giver, taker} <= set(counts.seats(state)):
        return None
    return giver, taker


def said(state: DrawState, pending: Pending, answer: str | int) -> None:
    """Who is dealt the next card."""
    slot, giver, after = BY_NAME[pending.about], seat_of(pending.spot or ""), seat_of(str(answer))
    assert giver is not None, "it lies at a seat"
    assert after is not None, "the answer is a seat"
    if not counts.applies(state) or slot not in state.deal.at or giver not in counts.seats(state):
        state.refuse(Refusal.NOT_LIVE, counts.clause(state), pending.about)
    elif is_first_deal(state) and not state.deal.lies_by_plan:
        state.refuse(Refusal.NOT_LIVE, counts.clause(state), pending.about)  # an earlier card is being corrected
    elif is_first_deal(state):
        _judge(state, slot, giver, after)
    else:
        _judge_in_the_draw(state, slot, giver, after)


def _judge_in_the_draw(state: DrawState, slot: Slot, giver: int, after: int) -> None:
    """The next card for him whose card it should have been: the other one has only got his too soon (FCD-DSC-4)."""
    assert slot.seat is not None, "it is a place of a player"
    if after != slot.seat or not exchange.may_come_early(state, giver):
        counts.six_and_four(state, giver, slot.seat)
        return
    draw = state.deal.at.pop(slot)
    draw.slot = None
    holdings.complete(state, slot.seat)
    exchange.came_early(state, giver, draw)


def _next_seen(state: DrawState, draw: Draw) -> int | None:
    """At whose seat readers see the card that was dealt after this one."""
    later = next((card for card in state.deal.draws if card.number > draw.number and not card.is_back), None)
    return None if later is None else seat_of(state.felt.spot_of(later) or "")


def _judge(state: DrawState, slot: Slot, giver: int, after: int) -> None:
    plan, draw = state.deal.plan, state.deal.at[slot]
    at = _due_when_it_came(state, draw, plan.index(slot))
    taker = plan[at].seat
    following = plan[at + 1].seat if at + 1 < len(plan) else None
    assert taker is not None, "it is a place of a player"
    if after == following:
        counts.six_and_four(state, giver, taker)  # FCD-IRR-10: the deal goes on as if he had it
    elif after == taker and (_has_all(plan[at:], giver) or len(holdings.seen_at(state, giver)) > slot.position):
        _too_many(state, draw, giver)
    elif after == taker:
        _before_him(state, at, giver, taker)
    elif at == 0:
        _begun_at(state, giver)
    else:
        _left_out(state, at, taker)


def _has_all(to_come: Iterable[Slot], seat: int) -> bool:
    """Whether no card is due to this seat any more."""
    return all(slot.seat != seat for slot in to_come)


def _due_when_it_came(state: DrawState, draw: Draw, at: int) -> int:
    """Which place of the plan was due when this card came: cards that came after it may have got theirs before."""
    deal = state.deal
    while at and (before := deal.at.get(deal.plan[at - 1])) is not None and before.number > draw.number:
        at -= 1
    return at


def _too_many(state: DrawState, draw: Draw, seat: int) -> None:
    """FCD-IRR-7, FCD-IRR-9: he had his card of this lap, and the other one gets his now."""
    say_placed(state, state.deal.take_out(draw))
    counts.has_one_more(state, draw, seat)


def _before_him(state: DrawState, at: int, giver: int, taker: int) -> None:
    """FCD-OPN-3: the numbers are right, the order was not."""
    plan = state.deal.plan
    own = next(slot for slot in plan[at:] if slot.seat == giver)
    holdings.deal_by(state, (*plan[:at], own, *(slot for slot in plan[at:] if slot is not own)))
    dealt_order.between(state, (taker, giver))


def _begun_at(state: DrawState, seat: int) -> None:
    """FCD-IRR-5: the deal began at another seat than the first, and goes on from there."""
    plan = state.deal.plan
    lap = [slot.seat for slot in plan if slot.position == 1]
    first = lap.index(seat)
    order = [*lap[first:], *lap[:first]]
    holdings.deal_by(state, tuple(sorted(plan, key=lambda slot: (slot.position, order.index(slot.seat)))))
    dealer.noticed(state)


def _left_out(state: DrawState, at: int, seat: int) -> None:
    """FCD-IRR-7, FCD-IRR-8: the deal went past him."""
    plan = state.deal.plan
    holdings.deal_by(state, (*plan[:at], *plan[at + 1 :]))
    counts.one(state, seat, len(holdings.held_by(state, seat)))


#: What follows from the answer to this module's question.
ANSWERED: Final[Mapping[Question, Callable[[DrawState, Pending, str | int], None]]] = {Question.NEXT_SEAT: said}

"""Hole cards that did not come in order: put right where nobody saw one (THL-MIS-1), no error at an empty seat
(THL-CRE-2)."""

from __future__ import annotations

from typing import Final

from tablectl.core.engine import one_order
from tablectl.core.engine.deal import Draw
from tablectl.core.engine.dealing import is_hole_plan, wait
from tablectl.core.engine.decisions import CardPlaced
from tablectl.core.engine.facts import Declared
from tablectl.core.engine.incidents import ask, close
from tablectl.core.engine.outcome import carried_out, raised
from tablectl.core.engine.pending import Incident, Pending
from tablectl.core.engine.rule import Outcome, noted
from tablectl.core.engine.rulebook import DEALT, REOPEN, Kind, Part
from tablectl.core.engine.seat_said import one_seat, seat_of
from tablectl.core.engine.slots import SEAT_UP, SEATS, Slot
from tablectl.core.engine.vocabulary import Chooser, Declaration, Question, Refusal, Remedy
from tablectl.core.options.holdem import Reconstruction
from tablectl.families.holdem import blinds
from tablectl.families.holdem.deadlines import actions
from tablectl.families.holdem.rulebook import HOLE
from tablectl.families.holdem.state import HoldemState
from tablectl.families.holdem.two_actions import TWO_SAID, carry_out, judged, void
from tablectl.families.pots.hand_open import is_open
from tablectl.families.pots.places import clockwise

ORDER: Final = "THL-MIS-1"
EMPTY_SEAT: Final = "THL-CRE-2"
_CARDS: Final = "cards"


# --- the wrong order --------------------------------------------------------------------------------------------------


def applies(state: HoldemState) -> bool:
    """Whether hole cards are out, and nobody is asked about their order already."""
    is_asked = any(pending.question is Question.RECONSTRUCTED for pending in state.asking)
    return is_open(state) and bool(state.deal.at) and state.phase.part is not Part.BUTTON and not is_asked


def foretold(state: HoldemState) -> Outcome:
    """Until the first action the hand may be put right."""
    return _outcome(state, "order", Declaration.WRONG_ORDER, None)


def declared(state: HoldemState, fact: Declared) -> None:
    """THL-MIS-1: the croupier says that cards came out of order."""
    if not applies(state):
        state.refuse(Refusal.NO_CARD, ORDER)
    else:
        _wrong(state, foretold(state))


def can_be_seen(state: HoldemState) -> bool:
    """Whether a card at another seat than its own can have come out of order: no street has followed the hole cards."""
    return is_open(state) and is_hole_plan(state) and state.phase.kind in (Kind.DEALING, Kind.DECIDING)


def seen_elsewhere(state: HoldemState, draw: Draw, slot: Slot, spot: str) -> None:
    """THL-MIS-1: an antenna sees a card at another seat than the one it was due to. Where that seat is empty and the
    order fits, it is no error (THL-CRE-2)."""
    empty = seat_of(spot)
    if empty is not None and empty not in state.order and _fits(state, draw, slot, empty):
        _take_in(state, empty, slot.position)
    else:
        outcome = _outcome(state, slot.name, spot, draw)
        if not one_order.is_told(state, outcome):
            _wrong(state, *one_order.with_the_others(state, outcome))


def _outcome(state: HoldemState, expected: str, observed: str, draw: Draw | None) -> Outcome:
    if actions(state) == 0 and is_hole_plan(state):
        return Outcome(
            clause=ORDER,
            expected=expected,
            observed=observed,
            remedies=(Remedy.CORRECT,),
            chooser=Chooser.CROUPIER,
            draw=draw,
        )
    return judged(state, clause=ORDER, expected=expected, observed=observed, draw=draw)


def _wrong(state: HoldemState, outcome: Outcome, instead_of: Incident | None = None) -> None:
    if outcome.remedies == (Remedy.CORRECT,):
        incident = raised(state, outcome, instead_of=instead_of)
        ask_for_order(state, incident, outcome.expected if outcome.draw is not None else _CARDS)
    else:
        carry_out(state, outcome, instead_of)


def ask_for_order(state: HoldemState, incident: Incident, about: str) -> Pending:
    """AMB-15: no card that went wrong was seen, nobody has acted, and each one is at its place now; or not."""
    return ask(state, Question.RECONSTRUCTED, about, incident)


def two_said(state: HoldemState, pending: Pending, answer: str | int) -> None:
    """Whether two had acted when it was found; whether anybody had, the next question asks too."""
    incident = pending.incident
    assert incident is not None, "it is asked about an error"
    if answer == TWO_SAID:
        close(state, incident, Remedy.CONTINUE, Chooser.CROUPIER)
    else:
        ask_for_order(state, incident, _CARDS)


def reconstructed_said(state: HoldemState, pending: Pending, answer: str | int) -> None:
    """What the croupier says, the readers must confirm where the house has it so: if they do not, the hand is void."""
    incident = pending.incident
    assert incident is not None, "it is asked about an error"
    if is_repaired(state, answer):
        close(state, incident, Remedy.CORRECT, Chooser.CROUPIER)
    else:
        void(state, incident)


def is_repaired(state: HoldemState, answer: str | int) -> bool:
    """Whether the cards are where they belong, by the croupier and by the readers that the house asks (AMB-15)."""
    by_readers = state.rulebook.house.reconstruction is Reconstruction.READERS
    can_be_asked = by_readers and state.tells_places
    return answer == "reconstructed" and (not can_be_asked or _all_in_place(state))


def _all_in_place(state: HoldemState) -> bool:
    """Whether an antenna sees every card of a player at his seat."""
    laid = [(slot, draw) for slot, draw in state.deal.at.items() if slot.seat is not None and slot not in SEAT_UP]
    return all(state.felt.spot_of(draw) == slot.spot for slot, draw in laid)


# --- cards to an empty seat -------------------------------------------------------------------------------------------


def empty_applies(state: HoldemState) -> bool:
    """Whether the hole cards are being dealt or nobody has acted on them, and a seat has none coming."""
    is_dealt = is_open(state) and bool(state.deal.at) and state.phase.part is not Part.BUTTON
    return is_dealt and is_hole_plan(state) and actions(state) in (0, None) and bool(empty_seats(state))


def empty_foretold(state: HoldemState) -> Outcome:
    """THL-CRE-2: nothing but a word for the record."""
    return _no_error(())


def empty_seats(state: HoldemState) -> tuple[int, ...]:
    """Seats of the table that the plan deals nothing to."""
    taken = {slot.seat for slot in (*state.deal.plan, *state.deal.at)}
    places = range(1, min(state.setup.seats, state.rulebook.max_seats) + 1)
    return tuple(seat for seat in places if seat not in taken and seat not in state.order)


def empty_declared(state: HoldemState, fact: Declared) -> None:
    """`spot` got cards that nobody plays; from the second lap on only where `lap` is 2."""
    if not empty_applies(state):
        state.refuse(Refusal.NOT_LIVE, EMPTY_SEAT)
        return
    seat = one_seat(state, fact, empty_seats(state), EMPTY_SEAT)
    if seat is not None and _is_changed(state):
        state.refuse(Refusal.NOT_LIVE, EMPTY_SEAT, fact.spot or "")
    elif seat is not None:
        _take_in(state, seat, 2 if fact.lap == 2 else 1)


def _is_changed(state: HoldemState) -> bool:
    """Whether the plan is not that of the two laps any more: a card of it was exposed, or dealt after the others."""
    slots = state.deal.plan
    laps = [slot.position for slot in slots]
    return len(set(slots)) != len(slots) or laps != sorted(laps)


def _no_error(seats: tuple[int, ...]) -> Outcome:
    return noted(EMPTY_SEAT, expected="seat-in-hand", observed=Declaration.CARDS_TO_EMPTY_SEAT, seats=seats)


def came_to_an_empty_seat(state: HoldemState, draw: Draw, spot: str) -> bool:
    """THL-CRE-2, antennas alone: a card lies at a seat that has none coming, and came in its turn; others may have
    followed it. False where the order does not fit."""
    seat, deal = seat_of(spot), state.deal
    if seat is None or seat in state.order or not _can_be_read(state):
        return False
    laid = [deal.at[slot] for slot in deal.plan[: deal.next] if slot in deal.at]
    before = sum(card.number < draw.number for card in laid)
    if len(laid) < deal.next or before == len(deal.plan):
        return False
    lap = deal.plan[before].position
    plan = _plan_with(state, seat, lap)
    if plan[before] is not SEATS[seat - 1][lap - 1]:
        return False
    _take_in(state, seat, lap, draw, laid[before] if before < len(laid) else None)
    return True


def _can_be_read(state: HoldemState) -> bool:
    """Whether the order of the two laps tells where a card belongs that came in between. Not in the draw for the
    button, before which there is no order."""
    return state.button is not None and not _is_changed(state) and actions(state) == 0 and is_hole_plan(state)


def _take_in(state: HoldemState, seat: int, lap: int, draw: Draw | None = None, following: Draw | None = None) -> None:
    """THL-CRE-2, AMB-16: the seat has its place in the order of dealing from this lap on. The cards that are out are
    laid anew in the order in which they came. Those of an empty seat are a dead hand; an absent player who gets both
    plays if he is there at his turn (THL-CRE-3). `draw`: the card that lies there, if it has no place yet, and the one
    that came after it."""
    carried_out(state, _no_error((seat,)))
    before_the_betting = state.rounds is not None and state.rounds.index is None
    if lap == 1 and before_the_betting and blinds.is_awaited(state, seat):
        blinds.deal_in(state, seat)
    deal, before = state.deal, {card.number: slot for slot, card in state.deal.at.items()}
    _, surplus = deal.rewrite(_plan_with(state, seat, lap))
    if draw is not None and following is not None:
        _, surplus = deal.insert(draw, following)
    elif draw is not None:
        deal.place(draw)
    assert not surplus, "the plan only grew"
    for card in deal.draws:
        if card.slot is not None and card.slot is not before.get(card.number):
            state.say(CardPlaced(draw=card.number, slot=card.slot))
    if draw is not None:
        state.felt.confirmed.add(draw.number)
    if deal.due is not None:
        _explained(state)
    if deal.due is None and state.phase.kind is Kind.DEALING:
        state.fire(DEALT)
    elif deal.due is not None and state.phase.kind is not Kind.DEALING:
        state.fire(REOPEN)


def _explained(state: HoldemState) -> None:
    """The card that came when none was due is the one that is due now: nobody is asked where it lies any more."""
    cards, question = state.early, state.early.question
    if question is None or not cards.asked:
        return
    asked, cards.asked, cards.question, cards.where = cards.asked, [], None, None
    close(state, question, Remedy.NEXT_CARD, Chooser.CROUPIER)
    for card in asked:
        wait(state, card)


def _plan_with(state: HoldemState, seat: int, lap: int) -> list[Slot]:
    """The two laps with the seat in its place, from this lap on."""
    assert state.button is not None
    plan: list[Slot] = []
    for position in range(1, HOLE + 1):
        seats = {slot.seat for slot in state.deal.plan if slot.position == position and slot.seat is not None}
        order = clockwise({*seats, seat} if position >= lap else seats, after=state.button)
        plan += [SEATS[number - 1][position - 1] for number in order]
    return plan


def _fits(state: HoldemState, draw: Draw, slot: Slot, seat: int) -> bool:
    """Whether this card, dealt in order, belongs to the empty seat: it comes just before the one that was due."""
    if not _can_be_read(state) or state.deal.at.get(slot) is not draw:
        return False
    place = state.deal.plan.index(slot)
    plan = _plan_with(state, seat, slot.position)
    return seat not in {other.seat for other in state.deal.plan} and plan[place] is SEATS[seat - 1][slot.position - 1]

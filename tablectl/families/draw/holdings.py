"""How many cards each player holds by the books, and what is known of which they are, once a number was wrong.

With a shoe alone the plan said which card came to whom, and it was not dealt by the plan: of all the cards that nobody
saw only the set is known then (`card_uncertainty.py`). Antennas see each card where it lies, and that stays known.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Final

from tablectl.core.engine.deal import STAND_IN, Draw
from tablectl.core.engine.dealing import say_placed
from tablectl.core.engine.decisions import CardPlaced
from tablectl.core.engine.rulebook import REOPEN, Kind
from tablectl.core.engine.seat_said import seat_of
from tablectl.core.engine.slots import SEATS, Slot
from tablectl.families.draw.card_uncertainty import Pool
from tablectl.families.draw.state import DrawState
from tablectl.families.pots import awards

#: FCD-OPN-3.
HAND: Final = 5


def held_by(state: DrawState, seat: int) -> list[Slot]:
    """The places of this seat at which a card lies by the books."""
    return [slot for slot in SEATS[seat - 1] if slot in state.deal.at]


def due_to(state: DrawState, seat: int) -> int:
    """How many cards the seat has still to get in the deal that goes on."""
    if state.phase.kind is not Kind.DEALING:
        return 0
    return sum(slot.seat == seat for slot in state.deal.plan[state.deal.next :])


def should_have(state: DrawState, seat: int) -> int:
    """How many cards the player has to have now: five, less those that are still to come, and one that came too
    soon."""
    return HAND - due_to(state, seat) + (seat in state.draw.came_early)


def known_at(state: DrawState, seat: int) -> int:
    """How many cards are sure to lie at a seat: those that everybody saw there, and those that antennas see."""
    is_sure = partial(_is_known, state) if state.phase.kind is Kind.SETTLING else state.shown.__contains__
    there = {state.deal.at[slot].number for slot in held_by(state, seat) if is_sure(slot)} - {STAND_IN}
    if state.tells_places:
        there |= {draw.number for draw in seen_at(state, seat)}
    return len(there)


def seen_at(state: DrawState, seat: int) -> list[Draw]:
    """The cards that readers see at a seat now."""
    spot = SEATS[seat - 1][0].spot
    return [draw for draw in state.deal.draws if state.felt.spot_of(draw) == spot and not draw.is_back]


def last_seen(state: DrawState, draw: Draw) -> str | None:
    """Where antennas saw a card last, if it was lifted since as well."""
    return state.felt.spot_of(draw) or state.draw.lifted.get(draw.number)


def is_elsewhere(state: DrawState, draw: Draw) -> bool:
    """Whether antennas saw this card last at another seat than its own."""
    return any(state.deal.at[slot] is draw for slot, _ in elsewhere(state))


def elsewhere(state: DrawState) -> list[tuple[Slot, int]]:
    """Cards that antennas saw last at another seat than their own: the place that each belongs to, and that seat."""
    found: list[tuple[Slot, int]] = []
    for slot, draw in state.deal.at.items():
        if _is_at_issue(state, draw):
            continue  # it is being put right
        spot = last_seen(state, draw)
        seat = None if spot is None or slot.seat is None or spot == slot.spot else seat_of(spot)
        if seat is not None and seat in state.order:
            found.append((slot, seat))
    return found


def settle_elsewhere(state: DrawState) -> None:
    """Each of them is now a card of the seat at which it lies."""
    for slot, seat in elsewhere(state):
        if has_place(state, seat):
            _to_seat(state, slot, seat)


def count(state: DrawState, seat: int, cards: int) -> None:
    """A person counted the cards of this seat. What antennas see stays known; of the others nobody can say any more
    which lies where, since the plan was not followed."""
    settle_elsewhere(state)
    slots = [slot for slot in state.deal.at if slot.seat is not None and not _is_known(state, slot)]
    pool = _mix(state, slots)
    surplus = len(held_by(state, seat)) - cards
    for slot in _to_take(state, seat, surplus):
        state.draw.card_pools.forget(state.deal, slot)
    for _ in range(-surplus):
        stand_in = Draw(STAND_IN, None)
        pool.stand_ins.append(stand_in)
        _lay(state, stand_in, free_place(state, seat, beyond=HAND))
    _named_anew(state, pool)


def mixed(state: DrawState, seats: tuple[int, ...]) -> None:
    """The order of the deal was wrong between these. Where the next card belongs to the other of two it is due there
    now; of the cards that lie there who has which nobody knows any more, but of those that antennas saw. So it is where
    a card before lies elsewhere than it was dealt."""
    settle_elsewhere(state)
    deal = state.deal
    between = deal.plan[deal.next - 1 : deal.next + 1] if state.phase.kind is Kind.DEALING and deal.next else ()
    if {slot.seat for slot in between} == set(seats) and deal.lies_by_plan:
        if not _is_known(state, between[0]):
            deal_by(state, (*deal.plan[: deal.next - 1], *reversed(between), *deal.plan[deal.next + 1 :]))
        return
    slots = [slot for seat in seats for slot in held_by(state, seat) if not _is_known(state, slot)]
    _named_anew(state, _mix(state, slots))


def _named_anew(state: DrawState, pool: Pool) -> None:
    """Where they lie open a person reads them, and the pot is awarded by what he reads."""
    if state.phase.kind is not Kind.SETTLING:
        return
    asked = [draw for draw in state.unnamed if draw.slot is not None and draw not in pool.cards]
    lying = [draw for draw in pool.stand_ins if draw.slot is not None and draw.slot.seat in state.staying]
    state.unnamed = [*asked, *(draw for draw in lying if draw not in asked)]
    awards.anew(state)


def came_before_others(state: DrawState, seat: int, cards: int) -> None:
    """While the deal goes on, where nothing but the plan says which card lies where: what a seat has too many is one of
    the cards drawn, so that those after it lie one place further on, and a place that was taken for filled is due."""
    deal, surplus = state.deal, cards - len(held_by(state, seat))
    lies_by_plan = all(slot in deal.at for slot in deal.plan[: deal.next])
    is_by_plan = lies_by_plan and all(draw.number not in state.felt.confirmed for draw in deal.at.values())
    if surplus <= 0 or state.phase.kind is not Kind.DEALING or not is_by_plan:
        return
    begins = 1 + max((nth for nth, slot in enumerate(deal.plan[: deal.next]) if slot.seat == seat), default=-1)
    if begins + surplus > deal.next:
        return  # no card came after his own: it is one that no reader told of, or it came in an earlier lap
    free = [slot for slot in SEATS[seat - 1][HAND:] if slot not in deal.at][:surplus]
    deal_by(state, (*deal.plan[:begins], *free, *deal.plan[begins:]))


def deal_by(state: DrawState, plan: Sequence[Slot]) -> None:
    """The cards were dealt by this plan, in the order in which they came."""
    moved, _ = state.deal.rewrite(plan)
    say_placed(state, moved)


def complete(state: DrawState, seat: int) -> None:
    """FCD-IRR-8: what is missing is due again, after everything else, and comes from the stub."""
    deal = state.deal
    for _ in range(should_have(state, seat) - len(held_by(state, seat))):
        slot = free_place(state, seat)
        if state.phase.kind is not Kind.DEALING:
            # What is left of an older plan lies there already.
            deal.start(())
            state.fire(REOPEN)
        deal.add(slot)


def put_under(state: DrawState, seat: int) -> None:
    """FCD-IRR-9, AMB-77: what he has too many lies under the stub, or apart, as its last card. Which one it is antennas
    know where they see the five others."""
    hand, deal = state.draw, state.deal
    settle_elsewhere(state)
    surplus = len(held_by(state, seat)) - should_have(state, seat)
    if surplus <= 0:
        return
    lifted = [slot for slot in held_by(state, seat) if not _is_certain(state, slot)]
    if state.tells_places and len(lifted) == surplus:
        taken = lifted
    else:
        _mix(state, lifted if len(lifted) > surplus else _hidden(state, seat))
        taken = _to_take(state, seat, surplus)
    for slot in taken:
        draw = deal.at[slot]
        if hand.card_pools.of(draw) is None:
            deal.give_back([draw])
        else:
            del deal.at[slot]
            draw.slot = None
            deal.n_back += 1
        hand.under.append(draw)
    state.unnamed = [draw for draw in state.unnamed if draw.slot is not None]  # nobody names what lies there
    _tidy(state, seat)


def passed(state: DrawState, giver: int, taker: int) -> None:
    """FCD-IRR-10: a card went from one hand to the other; nobody saw which, unless antennas did."""
    settle_elsewhere(state)
    if len(held_by(state, giver)) > should_have(state, giver):
        lifted = [slot for slot in held_by(state, giver) if not _is_certain(state, slot)]
        _mix(state, lifted or _hidden(state, giver))
        for slot in _to_take(state, giver, 1):
            _to_seat(state, slot, taker)
    _tidy(state, giver)
    _tidy(state, taker)


def one_more(state: DrawState, draw: Draw, seat: int) -> None:
    """Antennas see a card at a seat that was due nowhere."""
    slot = free_place(state, seat, beyond=HAND)
    state.deal.lay(draw, slot)
    state.say(CardPlaced(draw=draw.number, slot=slot))


def free_place(state: DrawState, seat: int, *, beyond: int = 0) -> Slot:
    """The first place of a seat at which no card lies and none is due, after so many where there is one."""
    due = state.deal.plan[state.deal.next :] if state.phase.kind is Kind.DEALING else ()
    own = SEATS[seat - 1]
    return next(slot for slot in (*own[beyond:], *own) if slot not in state.deal.at and slot not in due)


def free_of_five(state: DrawState, seat: int) -> tuple[Slot, ...]:
    """The places of a hand of five at which no card lies, after a sixth one has moved up."""
    _tidy(state, seat)
    return tuple([slot for slot in SEATS[seat - 1][:HAND] if slot not in state.deal.at])


def most(state: DrawState, seat: int) -> int:
    """How many cards can lie at this seat by the books, beside those that are still to come."""
    return len(SEATS[seat - 1]) - due_to(state, seat)


def has_place(state: DrawState, seat: int) -> bool:
    """Whether one more card can."""
    return len(held_by(state, seat)) < most(state, seat)


def _mix(state: DrawState, slots: list[Slot]) -> Pool:
    return state.draw.card_pools.mix(state.deal, slots)


def _is_certain(state: DrawState, slot: Slot) -> bool:
    """Whether the card that lies here by the books does: everybody saw it, an antenna sees it, or it is asked where it
    lies."""
    if slot in state.shown or _is_at_issue(state, state.deal.at[slot]):
        return True
    return state.tells_places and state.felt.spot_of(state.deal.at[slot]) == slot.spot


def _is_known(state: DrawState, slot: Slot) -> bool:
    """Whether more than the plan says that this card lies here; that it was turned up by the plan does not."""
    draw = state.deal.at[slot]
    if state.phase.kind is Kind.SETTLING:
        return draw.named or state.felt.spot_of(draw) == slot.spot
    return _is_certain(state, slot)


def _is_at_issue(state: DrawState, draw: Draw) -> bool:
    asked = (pending.incident for pending in state.asking)
    return any(incident is not None and incident.draw is draw for incident in (*asked, *state.ruling.values()))


def _hidden(state: DrawState, seat: int) -> list[Slot]:
    return [slot for slot in held_by(state, seat) if slot not in state.shown]


def _to_take(state: DrawState, seat: int, cards: int) -> list[Slot]:
    """The last places of a seat whose cards nobody can name."""
    if cards <= 0:
        return []
    card_pools = state.draw.card_pools
    return [slot for slot in held_by(state, seat) if card_pools.of(state.deal.at[slot]) is not None][-cards:]


def _to_seat(state: DrawState, slot: Slot, seat: int) -> None:
    _move(state, slot, free_place(state, seat, beyond=HAND if len(held_by(state, seat)) >= HAND else 0))


def _tidy(state: DrawState, seat: int) -> None:
    """A card beyond the fifth place moves up where one before it is free."""
    for slot in [place for place in held_by(state, seat) if place.position > HAND]:
        free = free_place(state, seat)
        if free.position <= HAND:
            _move(state, slot, free)


def _move(state: DrawState, slot: Slot, to: Slot) -> None:
    draw = state.deal.at.pop(slot)
    if slot in state.shown:
        state.shown.remove(slot)
        state.shown.add(to)
    _lay(state, draw, to)
    if draw.number != STAND_IN:
        state.say(CardPlaced(draw=draw.number, slot=to))


def _lay(state: DrawState, draw: Draw, slot: Slot) -> None:
    state.deal.at[slot] = draw
    draw.slot = slot

"""What antennas under the felt tell: which card lies at which spot.

With antennas alone, the order and the spot of appearance are the deal. Beside a shoe, a card that was drawn has a place
already, and is confirmed there or found elsewhere. A card that is lifted is not gone from the hand: players look at
their cards; only where it turns up again says something.
"""

from __future__ import annotations

from typing import Final

from tablectl.core.engine import confirming, dealing, side_bet
from tablectl.core.engine.circle.common_cards import board, burns, control, stub
from tablectl.core.engine.circle.deal_errors import counts, dealt_order, deck_faults
from tablectl.core.engine.circle.draw import counts as draw_counts
from tablectl.core.engine.circle.draw import on_felt as discards
from tablectl.core.engine.circle.draw import seat_draw
from tablectl.core.engine.circle.draw import stub as draw_stub
from tablectl.core.engine.circle.lost_hands import taken
from tablectl.core.engine.clauses import BankedErrors, Policy
from tablectl.core.engine.deal import Draw
from tablectl.core.engine.errors.outcome import Outcome, carried_out, raised
from tablectl.core.engine.errors.windows import hole_deal
from tablectl.core.engine.facts import Drawn, Gone, OnFelt, Seen, StrangeTag
from tablectl.core.engine.incidents import ask, can_void, close, void_hand
from tablectl.core.engine.naming import read_late
from tablectl.core.engine.rulebook import IN_HAND, Kind
from tablectl.core.engine.slots import BOARD, BURN, DISCARD, HOUSE, SEATS, Slot
from tablectl.core.engine.state import State
from tablectl.core.engine.words import Chooser, Equipment, Question, Refusal, Remedy, Severity, Strange

#: The seat of each spot that is one.
SPOT_SEATS: Final = {slot.spot: seat for seat, (slot, *_) in enumerate(SEATS, start=1)}
_HOUSE, _BOARD, _BURN, _DISCARD = HOUSE[0].spot, BOARD[0].spot, BURN[0].spot, DISCARD[0].spot


def drawn(state: State, fact: Drawn) -> None:
    """A card left the shoe. With the first one of a plan, the cards of the plan before have to have been seen."""
    dealing.drawn(state, fact)
    if state.has_antennas and state.setup.equipment is Equipment.BOTH and state.deal.next == 1:
        confirming.look_back(state, on_its_way=state.deal.last)


def seen(state: State, fact: Seen) -> None:
    """A card lies at a spot."""
    state.deal.read_now = None
    if state.setup.equipment is Equipment.SHOE:
        state.refuse(Refusal.NOT_LIVE, detail=fact.spot)
    elif fact.card is None:
        strange(state, fact)
    elif _is_on_its_way(state, fact):
        pass  # the croupier shuffles it into the stub
    elif (draw := state.deal.newest(fact.card)) is not None and not _is_another(state, draw, fact):
        _found(state, draw, fact)
    elif (unread := _unread_there(state, fact)) is not None:
        state.deal.read(unread, fact.card)
        _found(state, unread, fact)
        if read_late(state, unread) and state.phase.kind is Kind.CLAIMING:
            side_bet.decide(state)
    elif state.setup.equipment is Equipment.BOTH:
        _without_the_shoe(state, fact)
    else:
        _dealt(state, fact)


def on_felt(state: State, fact: OnFelt) -> None:
    """THB-DEV-1 and its like: a hand is dealt onto an empty felt."""
    state.on_felt = fact.spots


def looked_at(state: State) -> None:
    """After a start the croupier looked at the felt: what no antenna has seen since does not lie there any more. Where
    the house knows its people he does not say the cards of a void hand away alone (`CARDS_ON_FELT`)."""
    if state.setup.staff and state.phase.kind is Kind.VOIDED:
        return
    for number in state.unsure:
        state.felt.pop(number, None)
    state.unsure = set()


def placed(state: State, waited: tuple[Draw, ...]) -> None:
    """Cards that had waited have their places now: what an antenna saw of them meanwhile counts."""
    for draw in waited:
        spot = state.felt.get(draw.number)
        if spot is not None and spot != _DISCARD and draw.slot is not None and draw not in state.deal.waiting:
            _compared(state, draw, draw.slot, Seen(at_us=0, spot=spot, card=draw.card))


def gone(state: State, fact: Gone) -> None:
    """A card was lifted, or collected; nothing follows from that alone."""
    for draw in state.deal.draws:
        # Of two cards with one face, the one that lay there.
        if draw.card is fact.card is not None and state.felt.get(draw.number) == fact.spot:
            del state.felt[draw.number]
            if state.circle is not None and state.is_draw:
                discards.lifted(state, state.circle, draw, fact.spot)
            else:
                control.gone(state, draw, fact.spot)
            return


def _is_on_its_way(state: State, fact: Seen) -> bool:
    """Whether a card of this hand went back into the deck, and is not shuffled in yet."""
    if state.is_draw:
        return discards.is_in_the_stub(state, fact)
    return state.circle is not None and stub.on_its_way(state, fact.card)


def still_there(state: State) -> tuple[str, ...]:
    """Spots where cards of this hand still lie, other than the discard rack, as far as all antennas can tell."""
    if state.is_blind:
        return ()
    return tuple(sorted({spot for spot in state.felt.values() if spot != _DISCARD}))


def _is_another(state: State, draw: Draw, fact: Seen) -> bool:
    """Antennas alone: whether this is a second card with the same face, since the first still lies elsewhere and the
    next card is due here (THB-CRD-1, TPC-MIS-5)."""
    if state.setup.equipment is not Equipment.ANTENNAS or not dealing.is_due(state):
        return False
    due, there = state.deal.due, state.felt.get(draw.number)
    if state.is_draw and draw.slot is not None and draw.slot.spot == fact.spot:
        return False  # a player takes a card back that he had put among the discards
    if state.is_draw and (draw.slot is None or draw.slot.spot == _DISCARD):
        # A discard that lies there again is none (FCD-DSC-10), unless it may have gone into the new stub.
        return discards.comes_again(state, draw, fact.spot)
    return due is not None and due.spot == fact.spot and there is not None and there != fact.spot


def strange(state: State, fact: StrangeTag | Seen) -> None:
    """AMB-13: a tag that belongs to no card of this deck, or that is there twice, freezes the table for the pit boss,
    however late."""
    what = fact.what if isinstance(fact, StrangeTag) else Strange.FOREIGN
    if _has_streets(state) and deck_faults.sensed(state, f"{what}-{fact.spot}"):
        return
    carried_out(
        state,
        Outcome(
            clause=state.rulebook.errors.deck.defective,
            expected="52-different-cards",
            observed=f"{what}-{fact.spot}",
            remedies=(Remedy.VOID_HAND, Remedy.CONTINUE) if can_void(state) else (Remedy.CONTINUE,),
            chooser=Chooser.PIT_BOSS,
        ),
    )


def _unread_there(state: State, fact: Seen) -> Draw | None:
    """A card that the shoe could not read, and that belongs to this spot: the antenna reads it."""
    for draw in state.deal.draws:
        slot = draw.slot
        if draw.card is None and slot is not None and slot.spot == fact.spot:
            return draw
    return None


def _without_the_shoe(state: State, fact: Seen) -> None:
    """THB-SAB-1: every card comes out of the shoe; this one did not. Between hands nothing lies in wait."""
    if fact.spot == _DISCARD or not state.in_play:
        return
    carried_out(
        state,
        Outcome(
            clause=state.rulebook.errors.outside_shoe,
            expected="card-from-the-shoe",
            observed=fact.spot,
            remedies=(Remedy.VOID_HAND, Remedy.CONTINUE) if can_void(state) else (Remedy.CONTINUE,),
            chooser=Chooser.PIT_BOSS,
        ),
    )


# --- the felt is the deal ---------------------------------------------------------------------------------------------


def _dealt(state: State, fact: Seen) -> None:
    """Antennas alone: a card nobody had seen in this hand was dealt to where it lies."""
    if state.circle is not None and fact.spot in SPOT_SEATS and seat_draw.is_going_on(state):
        draw, _ = state.deal.note(fact.card)
        state.felt[draw.number] = fact.spot
        seat_draw.drawn(state, state.circle, draw, SPOT_SEATS[fact.spot])
        return
    if state.phase.kind is Kind.IDLE:
        return  # the deck is gathered, squared and shuffled; before the next deal the felt is looked at
    if fact.spot == _DISCARD and state.phase.kind is Kind.BETTING:
        return  # of the hand before: before the deal no card can be put away
    draw, known = state.deal.note(fact.card)
    state.felt[draw.number] = fact.spot
    if draw_stub.came_from_under(state, draw):
        return
    if known and not dealing.may_come_again(state, draw):
        dealing.duplicate(state, draw)
        return
    if fact.spot == _DISCARD:
        dealing.put_away(state, draw)
        return
    if not dealing.is_due(state):
        if state.circle is None or not _is_one_too_many(state, draw, fact.spot):
            dealing.early(state, draw)
        return
    due = state.deal.due
    assert due is not None
    dealing.place(state, draw)
    _compared(state, draw, due, fact)


def _is_one_too_many(state: State, draw: Draw, spot: str) -> bool:
    too_many = draw_counts.one_too_many if state.is_draw else counts.one_too_many
    return too_many(state, draw, spot)


# --- the shoe said where it belongs -----------------------------------------------------------------------------------


def _found(state: State, draw: Draw, fact: Seen) -> None:
    """A card of this hand lies here: at its place, or not."""
    state.felt[draw.number] = fact.spot
    state.unsure.discard(draw.number)
    if not state.is_draw and board.lies(state, draw, fact.spot):
        return
    if state.circle is not None and state.is_draw:
        state.circle.draw.hand.lifted.pop(draw.number, None)
        discards.known_again(state, state.circle, draw, fact.spot)
        if discards.discard_seen(state, state.circle, draw, fact.spot):
            return
    if draw.slot is None or draw in state.deal.waiting:
        return
    if fact.spot == _DISCARD != draw.slot.spot:
        if state.circle is not None:
            came = discards.came_to_discards if state.is_draw else taken.came_to_discards
            came(state, state.circle, draw, draw.slot)
        _collected(state, draw, draw.slot)
    else:
        if state.circle is not None and fact.spot == draw.slot.spot:
            taken.came_back(state, state.circle, draw.slot)
        _compared(state, draw, draw.slot, fact)


def _compared(state: State, draw: Draw, slot: Slot, fact: Seen) -> None:
    """A card lies at its own spot, or at another one of the layout. What was dealt last may only pass by here, as long
    as more cards follow: it lies where it lies when the next one comes."""
    if slot.spot != fact.spot:
        if draw is not state.deal.last or state.phase.kind is not Kind.DEALING:
            _elsewhere(state, draw, slot, fact.spot)
        return
    state.confirmed.add(draw.number)
    clause = _clause_on_places(state, fact.spot)
    if fact.position not in (None, slot.position) and clause is not None:
        _put_right(state, _to_move(draw, slot, f"{fact.spot}.{fact.position}", clause, Severity.NOTICE))


def at_rest(state: State, fact: object) -> None:
    """The next card comes: the one before it was not passing by, it lies there."""
    last = state.deal.last
    if last is None or last.slot is None or last.number in state.confirmed:
        return
    is_next = isinstance(fact, Drawn) or (
        isinstance(fact, Seen) and fact.card is not None and not state.deal.knows(fact.card)
    )
    spot = state.felt.get(last.number)
    if is_next and spot is not None and _DISCARD not in (spot, last.slot.spot) and spot != last.slot.spot:
        _elsewhere(state, last, last.slot, spot)


def _clause_on_places(state: State, spot: str) -> str | None:
    """The clause that tells the places of a spot apart, where one does; players lay their cards as they like."""
    rules = state.rulebook.errors
    bank = rules.bank_places if isinstance(rules, BankedErrors) else None
    return {_BOARD: rules.wrong_spot, _HOUSE: bank}.get(spot)


def _collected(state: State, draw: Draw, slot: Slot) -> None:
    """THB-DEV-5: cards that a settlement still needs stay on the table. Which one it is, is known all the same."""
    if state.phase.kind not in IN_HAND or slot.seat is None or slot.seat not in state.rulebook.shows(state):
        return
    clause = state.rulebook.errors.cards_stay
    if clause is None:
        return
    _put_right(state, _to_move(draw, slot, _DISCARD, clause))


def _elsewhere(state: State, draw: Draw, slot: Slot, spot: str) -> None:
    """The card lies at another spot than its own: both are named, once until that is answered. Behind the reveal cards
    are swept together, and nothing follows from where they lie."""
    if state.phase.kind not in IN_HAND or _is_at_issue(state, draw):
        return
    if _is_said(state, draw, slot, spot):
        return
    was_right = draw.number in state.confirmed
    state.confirmed.add(draw.number)
    hole = {slot.spot, spot}.isdisjoint((_BOARD, _BURN))
    if state.circle is not None and spot == _BURN and draw.number in state.deal.face_up:
        return  # THL-CRE-8: it is set aside already, to be the first burn
    if not hole and spot == _BURN and state.phase.burnt is not None:
        _burnt(state, draw, slot, state.phase.burnt)
    elif not hole:
        _put_right(state, _to_move(draw, slot, spot, state.rulebook.errors.wrong_spot, Severity.NOTICE))
    elif _has_streets(state) and dealt_order.can_be_seen(state) and not was_right and slot.spot != _DISCARD:
        dealt_order.seen_elsewhere(state, draw, slot, spot)
    elif (state.is_draw or hole_deal(state)) and not was_right and slot.spot != _DISCARD:
        _out_of_order(state, draw, slot, spot)
    else:
        contact = state.rulebook.errors.contact
        of_players = {slot.spot, spot}.isdisjoint((_HOUSE, _DISCARD))
        clause = contact.clause if contact is not None and of_players else state.rulebook.errors.wrong_spot
        _put_right(state, _to_move(draw, slot, spot, clause))


def _is_said(state: State, draw: Draw, slot: Slot, spot: str) -> bool:
    """Whether something else follows from a card that lies elsewhere."""
    circle = state.circle
    if circle is None or not state.is_draw:
        return burns.lies_elsewhere(state, draw, slot, spot)
    # The card of a hand that has one too many is on its way (FCD-IRR-9, -10).
    return any(moving.seat == slot.seat for moving in circle.draw.hand.moving)


def _has_streets(state: State) -> bool:
    """Whether it is a circle game with common cards: errors of its deal are judged by two actions (THL-MIS-8)."""
    return state.circle is not None and not state.is_draw


def _is_at_issue(state: State, draw: Draw) -> bool:
    """Whether something is asked about this card already."""
    asked = (pending.incident for pending in state.asking)
    return any(incident is not None and incident.draw is draw for incident in (*asked, *state.ruling.values()))


def _to_move(draw: Draw, slot: Slot, spot: str, clause: str, severity: Severity = Severity.ALERT) -> Outcome:
    return Outcome(
        clause=clause,
        expected=slot.name,
        observed=spot,
        remedies=(Remedy.CORRECT,),
        chooser=Chooser.CROUPIER,
        severity=severity,
        draw=draw,
    )


def _put_right(state: State, outcome: Outcome) -> None:
    """THB-TAB-3, -TAB-4: right card, wrong place; the croupier moves it."""
    ask(state, Question.MOVED, outcome.expected, raised(state, outcome))


def _out_of_order(state: State, draw: Draw, slot: Slot, spot: str) -> None:
    """TPC-MIS-1, THB-DEV-7 (AMB-55): as declared by the croupier, only that the antenna says it and knows where."""
    rules = state.rulebook.errors
    match rules.wrong_order_policy:
        case Policy.VOID:
            remedies, chooser = (Remedy.VOID_HAND,), Chooser.RULE
        case Policy.ACCEPT:
            remedies, chooser = (Remedy.CONTINUE,), Chooser.RULE
        case _:
            remedies, chooser = (Remedy.CORRECT,), Chooser.CROUPIER
    incident = raised(
        state,
        Outcome(
            clause=rules.wrong_order,
            expected=slot.name,
            observed=spot,
            remedies=remedies,
            chooser=chooser,
            severity=Severity.NOTICE if remedies == (Remedy.CONTINUE,) else Severity.ALERT,
            draw=draw,
        ),
    )
    if chooser is Chooser.CROUPIER:
        ask(state, Question.SEEN, slot.name, incident)
        return
    close(state, incident, remedies[0], Chooser.RULE)
    if remedies[0] is Remedy.VOID_HAND:
        void_hand(state, rules.wrong_order)


def _burnt(state: State, draw: Draw, slot: Slot, clause: str) -> None:
    """AMB-56, AMB-81: laid down as a burn where the layout has none."""
    incident = raised(
        state,
        Outcome(
            clause=clause,
            expected=slot.name,
            observed="burn",
            remedies=(Remedy.NEXT_CARD,),
            chooser=Chooser.CROUPIER,
            severity=Severity.NOTICE,
            draw=draw,
        ),
    )
    ask(state, Question.SEEN, "last-card", incident)

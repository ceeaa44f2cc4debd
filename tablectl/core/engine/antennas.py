"""What antennas under the felt tell: which card lies at which spot.

With antennas alone, the order and the spot of appearance are the deal. Beside a shoe, a card that was drawn has a place
already, and is confirmed there or found elsewhere. A card that is lifted is not gone from the hand: players look at
their cards; only where it turns up again says something. A card at a place that is not its own counts there after the
dwell time, or when the first entry after the deal comes (`Felt`).
"""

from __future__ import annotations

from tablectl.core.engine import (
    crossed_cards,
    dealing,
    decks,
    disputed_cards,
    misplaced,
    one_order,
    skipped_cards,
    unconfirmed_cards,
)
from tablectl.core.engine.clauses import BankedErrors, Exposure, Policy
from tablectl.core.engine.deal import Draw
from tablectl.core.engine.facts import Drawn, Gone, OnFelt, Seen, StrangeTag, TimePassed
from tablectl.core.engine.felt import Dispute, Passing
from tablectl.core.engine.incidents import ask, can_void
from tablectl.core.engine.outcome import carried_out, lies_right_again, raised
from tablectl.core.engine.pending import Pending
from tablectl.core.engine.rule import Outcome
from tablectl.core.engine.rulebook import IN_HAND, Kind
from tablectl.core.engine.slots import BOARD, BURN, DISCARD, HOUSE, Slot
from tablectl.core.engine.state import State
from tablectl.core.engine.unread_cards import read_late
from tablectl.core.engine.vocabulary import Chooser, Equipment, Question, Refusal, Remedy, Severity, Strange

_HOUSE, _BOARD, _BURN, _DISCARD = HOUSE[0].spot, BOARD[0].spot, BURN[0].spot, DISCARD[0].spot


def drawn(state: State, fact: Drawn) -> None:
    """A card left the shoe. With the first one of a plan, the cards of the plan before have to have been seen."""
    dealing.drawn(state, fact)
    if state.setup.equipment is Equipment.BOTH and state.deal.next == 1:
        unconfirmed_cards.look_back(state, on_its_way=state.deal.last)


def seen(state: State, fact: Seen) -> None:
    """A card lies at a spot."""
    state.deal.read_now = None
    if state.setup.equipment is Equipment.SHOE:
        state.refuse(Refusal.NOT_LIVE, detail=fact.spot)
    elif fact.card is None:
        strange(state, fact)
    elif state.family.is_on_its_way(state, fact):
        pass  # the croupier shuffles it into the stub
    elif (dispute := _read_before(state, fact)) is not None:
        _disputed(state, dispute, fact)
    elif (draw := state.deal.newest(fact.card)) is not None and not _is_another(state, draw, fact):
        _found(state, draw, fact)
    elif (unread := _unread_there(state, fact)) is not None:
        state.deal.read(unread, fact.card)
        _found(state, unread, fact)
        if read_late(state, unread):
            state.family.last_name_came(state)
    elif (other := disputed_cards.is_begun(state, fact)) is not None:
        disputed_cards.begin(state, other, fact.card)
        _found(state, other, fact)
    elif state.setup.equipment is Equipment.BOTH:
        _without_the_shoe(state, fact)
    else:
        _dealt(state, fact)


def on_felt(state: State, fact: OnFelt) -> None:
    """THB-DEV-1 and its like: a hand is dealt onto an empty felt."""
    state.felt.before = fact.spots


def looked_at(state: State) -> None:
    """After a start the croupier looked at the felt: what no antenna has seen since does not lie there any more. Where
    the house knows its people he does not say the cards of a void hand away alone (`CARDS_ON_FELT`)."""
    if state.setup.staff and state.phase.kind is Kind.VOIDED:
        return
    state.felt.looked_at()


def placed(state: State, waited: tuple[Draw, ...]) -> None:
    """Cards that had waited have their places now: what an antenna saw of them meanwhile counts."""
    for draw in waited:
        spot = state.felt.spot_of(draw)
        if spot is None or spot == _DISCARD or draw.slot is None or draw in state.deal.waiting:
            continue
        if spot != draw.slot.spot and draw.number not in state.felt.next_ones:
            _elsewhere(state, draw, draw.slot, spot)
            continue
        state.felt.confirmed.add(draw.number)
        if spot != draw.slot.spot:
            ask(state, Question.MOVED, draw.slot.name)  # where it lies was said already


def gone(state: State, fact: Gone) -> None:
    """A card was lifted, or collected; nothing follows from that alone, unless it must not leave its place and is not
    back within the dwell time."""
    for draw in state.deal.draws:
        # Of two cards with one face, the one that lay there.
        read = state.felt.dispute_of(fact.card)
        is_it = draw.card is fact.card or (read is not None and read.draw is draw)
        if fact.card is not None and is_it and state.felt.spot_of(draw) == fact.spot:
            state.felt.lifts(draw, fact.at_us)
            if state.family.lifted(state, draw, fact.spot):
                state.felt.misses(draw, fact.spot, fact.at_us)
            return


def still_there(state: State) -> tuple[str, ...]:
    """Spots where cards of this hand still lie, other than the discard rack, as far as all antennas can tell."""
    if state.is_blind:
        return ()
    return tuple(sorted(state.felt.spots - {_DISCARD}))


def _is_another(state: State, draw: Draw, fact: Seen) -> bool:
    """Antennas alone: whether this is a second card with the same face, since the first still lies elsewhere and the
    next card is due here (THB-CRD-1, TPC-MIS-5)."""
    if state.setup.equipment is not Equipment.ANTENNAS or not dealing.is_due(state):
        return False
    due, there = state.deal.due, state.felt.spot_of(draw)
    if (of_family := state.family.is_another(state, draw, fact)) is not None:
        return of_family
    return due is not None and due.spot == fact.spot and there is not None and there != fact.spot


def strange(state: State, fact: StrangeTag | Seen) -> None:
    """AMB-13: a tag that belongs to no card of this deck, or that is there twice, freezes the table for the pit boss,
    however late."""
    what = fact.what if isinstance(fact, StrangeTag) else Strange.FOREIGN
    carried_out(state, decks.not_of_deck(state, f"{what}-{fact.spot}"))


def _read_before(state: State, fact: Seen) -> Dispute | None:
    """Whether another reader read this card differently, and no other card of the hand has this face now."""
    dispute = state.felt.dispute_of(fact.card)
    if dispute is None or (fact.card is not None and state.deal.newest(fact.card) not in (None, dispute.draw)):
        return None
    return dispute


def _disputed(state: State, dispute: Dispute, fact: Seen) -> None:
    """The antenna reads that card again: as before, or as the shoe did. Where it still sees the other one, these are
    two cards."""
    is_as_before = fact.card is dispute.by_antenna or dispute.draw.card is fact.card
    if not is_as_before and state.felt.spot_of(dispute.draw) is not None:
        _without_the_shoe(state, fact)
        return
    if not is_as_before and dispute.draw.card is None:
        disputed_cards.agree(state, dispute)
    _found(state, dispute.draw, fact)
    if dispute.draw.card is not None and read_late(state, dispute.draw):
        state.family.last_name_came(state)


def _unread_there(state: State, fact: Seen) -> Draw | None:
    """A card that could not be read, and that belongs to this spot: the antenna reads it. Where the felt is the deal
    and the next card is due here, it is that one."""
    is_deal = state.setup.equipment is Equipment.ANTENNAS and dealing.is_due(state)
    if is_deal and state.deal.due is not None and state.deal.due.spot == fact.spot:
        return None
    for draw in state.deal.draws:
        slot = draw.slot
        is_disputed = any(dispute.draw is draw for dispute in state.felt.disputes)
        if draw.card is None and not is_disputed and slot is not None and slot.spot == fact.spot:
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
    if state.family.dealt_between_hands(state, fact):
        return
    if state.phase.kind is Kind.IDLE:
        return  # the deck is gathered, squared and shuffled; before the next deal the felt is looked at
    if fact.spot == _DISCARD and state.phase.kind is Kind.BETTING:
        return  # of the hand before: before the deal no card can be put away
    draw, known = state.deal.note(fact.card)
    state.felt.sees(draw, fact.spot, fact.at_us)
    if state.family.came_from_under(state, draw):
        return
    if known and not state.family.may_come_again(state, draw):
        dealing.duplicate(state, draw)
        return
    if fact.spot == _DISCARD:
        if dealing.is_due(state):
            _passes(state, draw, fact)  # it may be on its way to where it is due
        else:
            dealing.put_away(state, draw)
        return
    if (asked := skipped_cards.question(state)) is not None:
        _dealt_while_asked(state, draw, asked, fact.spot)
    elif not dealing.is_due(state):
        _not_due(state, draw, fact.spot)
    else:
        _dealt_to(state, draw, fact)


def _dealt_while_asked(state: State, draw: Draw, asked: Pending, spot: str) -> None:
    """While it is asked whether a card lies at a place: one that comes there now shows that none did; if the deal has
    come round to that seat again, it is asked with that one."""
    due = state.deal.due
    is_there = due is not None and due.spot == spot
    if is_there and (place := skipped_cards.comes_round(state, draw, asked.drawn)) is not None:
        skipped_cards.ask_again(state, asked, place)
    elif is_there:
        state.asking.remove(asked)
        unread_there_said(state, asked, "empty")
    dealing.wait(state, draw)


def _dealt_to(state: State, draw: Draw, fact: Seen) -> None:
    """A card that has no place yet lies at a spot: at the one that is due, or it passes by another one, or readers told
    two cards in another order than they came."""
    due = state.deal.due
    assert due is not None, "one is due"
    if due.spot != fact.spot:
        _passes(state, draw, fact)
        return
    dealing.place(state, draw)
    _compared(state, draw, due, fact)
    place_held_back(state)


def _is_on_its_way(state: State, draw: Draw) -> bool:
    """Whether a card of the deal was not seen at its place yet, and nobody has entered anything since."""
    is_dealt_now = state.phase.kind is Kind.DEALING or state.felt.counts_at_entry
    return is_dealt_now and draw.number not in state.felt.confirmed


def _came_to_discards(state: State, draw: Draw, slot: Slot) -> None:
    state.family.came_to_discards(state, draw, slot)
    _collected(state, draw, slot)


def _passes(state: State, draw: Draw, fact: Seen) -> None:
    state.felt.passes(draw, fact.spot, fact.at_us)
    _exchange_crossed(state)


def _exchange_crossed(state: State) -> None:
    if crossed_cards.exchange(state):
        place_held_back(state)


def place_held_back(state: State) -> None:
    """Cards without a place that lie where the next one is due now: they were told before it, not dealt before it."""
    while (held := next((card for card in state.felt.passing if _is_due_there(state, card)), None)) is not None:
        state.felt.arrives(held.draw)
        state.felt.confirmed.add(held.draw.number)
        dealing.place(state, held.draw)
    _exchange_crossed(state)


def _is_due_there(state: State, passing: Passing) -> bool:
    due = state.deal.due
    at_due = due is not None and due.spot == passing.spot == state.felt.spot_of(passing.draw)
    return at_due and passing.draw.slot is None and dealing.is_due(state)


def _not_due(state: State, draw: Draw, spot: str) -> None:
    if state.misses_entries:
        dealing.wait(state, draw)
    elif not state.family.one_too_many(state, draw, spot):
        dealing.early(state, draw)


# --- the shoe said where it belongs -----------------------------------------------------------------------------------


def _found(state: State, draw: Draw, fact: Seen) -> None:
    """A card of this hand lies here: at its place, or not."""
    has_no_place_yet = draw.slot is None and state.felt.is_passing(draw)
    state.felt.sees(draw, fact.spot, fact.at_us)
    if state.family.lies(state, draw, fact.spot):
        return
    if has_no_place_yet:
        if dealing.is_due(state):
            _dealt_to(state, draw, fact)
        else:
            _passes(state, draw, fact)
        return
    if draw.slot is None or draw in state.deal.waiting:
        return
    if fact.spot == _DISCARD != draw.slot.spot:
        if _is_on_its_way(state, draw):
            _passes(state, draw, fact)
        else:
            _came_to_discards(state, draw, draw.slot)
    else:
        if fact.spot == draw.slot.spot:
            state.family.came_back(state, draw.slot)
        _compared(state, draw, draw.slot, fact)


def _compared(state: State, draw: Draw, slot: Slot, fact: Seen) -> None:
    """A card lies at its own spot, or at another one of the layout, where it may only pass by."""
    if slot.spot != fact.spot:
        if not state.felt.is_overruled(draw, fact.spot):
            _passes(state, draw, fact)
        return
    state.felt.arrives(draw)
    lies_right_again(state, draw)
    state.felt.confirmed.add(draw.number)
    if state.asking:
        unconfirmed_cards.seen_at_last(state)
    clause = _clause_on_places(state, fact.spot)
    # After a start an antenna tells it once more.
    is_asked = any((asked.question, asked.about) == (Question.MOVED, slot.name) for asked in state.asking)
    if fact.position not in (None, slot.position) and clause is not None and not is_asked:
        where = f"{fact.spot}.{fact.position}"
        misplaced.ask_to_move(state, misplaced.to_move(draw, slot, where, clause, Severity.NOTICE))


def time_passed(state: State, fact: TimePassed) -> None:
    """Cards that have been elsewhere for the dwell time lie there; those that were away as long are gone."""
    for passing in state.felt.count_now(fact.at_us - state.rulebook.dwell_us):
        _counts_where_it_is(state, passing)
        place_held_back(state)
    dealt_us = unconfirmed_cards.wake_us(state)
    if dealt_us is not None and dealt_us <= fact.at_us:
        unconfirmed_cards.ask_about_hands(state)


def is_open(state: State) -> bool:
    """Whether an entry decides something of the cards that were dealt: one may only pass by, or was not seen."""
    return state.felt.is_any_passing or bool(unconfirmed_cards.unconfirmed(state))


def unread_there_said(state: State, pending: Pending, answer: str | int) -> None:
    """Whether a card lies where the next one is due, that no antenna could read: the one that is seen elsewhere came
    after it. Otherwise that one came in its stead."""
    draw = state.deal.numbered(pending.drawn)
    assert draw is not None, "it is about a card"
    if answer == "lies-there":
        skipped_cards.lies_there(state, pending.drawn)
    spot = state.felt.spot_of(draw)
    if draw.slot is not None or draw in state.deal.waiting:
        return
    if spot is None or not dealing.is_due(state):
        dealing.wait(state, draw)
        return
    slot = state.deal.due
    assert slot is not None, "one is due"
    dealing.place(state, draw)
    if slot.spot == spot:
        state.felt.confirmed.add(draw.number)
    else:
        state.is_of_readers = True  # that it lies elsewhere, they alone say
        _elsewhere(state, draw, slot, spot)
        state.is_of_readers = False
    place_held_back(state)


def entry_comes(state: State) -> None:
    """The first entry after the deal: what was dealt lies where it is seen; what was not seen is asked about. A card
    that came when none was due counts before any entry."""
    state.is_of_readers = True
    for passing in state.felt.passing:
        _counts_where_it_is(state, passing)
    state.is_of_readers = False
    if state.felt.counts_at_entry:
        unconfirmed_cards.ask_about_hands(state)


def _counts_where_it_is(state: State, passing: Passing) -> None:
    """The card was not passing by, or is not coming back."""
    draw, spot = passing.draw, passing.spot
    state.felt.arrives(draw)
    if draw.is_back or draw in state.deal.waiting:
        return
    if spot is None:
        if passing.left:
            state.family.gone(state, draw, passing.left)
        else:
            state.family.stays_untold(state, draw)
        return
    if draw.slot is None and not _is_the_next(state, draw, spot):
        return
    slot = draw.slot
    if slot is None or slot.spot == spot or state.felt.spot_of(draw) is None:
        return
    if spot == _DISCARD:
        _came_to_discards(state, draw, slot)
    else:
        _elsewhere(state, draw, slot, spot)


def _is_the_next(state: State, draw: Draw, spot: str) -> bool:
    """A card without a place stays at this spot: it is the one that is due, which lies elsewhere. False where it is
    another one."""
    if spot == _DISCARD:
        dealing.put_away(state, draw)
    elif skipped_cards.question(state) is not None:
        dealing.wait(state, draw)
    elif not dealing.is_due(state):
        _not_due(state, draw, spot)
    elif state.family.to_an_empty_seat(state, draw, spot):
        pass
    elif skipped_cards.can_be(state, spot):
        skipped_cards.ask_about(state, draw)
    else:
        dealing.place(state, draw)
        return True
    return False


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
    misplaced.ask_to_move(state, misplaced.to_move(draw, slot, _DISCARD, clause))


def _elsewhere(state: State, draw: Draw, slot: Slot, spot: str) -> None:
    """The card lies at another spot than its own: both are named, once until that is answered. After the reveal cards
    are swept together, and nothing follows from where they lie."""
    if state.phase.kind not in IN_HAND or _is_at_issue(state, draw):
        return
    if state.family.is_elsewhere_expected(state, draw, slot, spot):
        return
    was_right = draw.number in state.felt.confirmed
    state.felt.confirmed.add(draw.number)
    hole = not misplaced.is_common(slot, spot)
    if spot == _BURN and draw.number in state.deal.face_up and state.family.burns_exposed_cards:
        return  # THL-CRE-8: it is set aside already, to be the first burn
    if slot.spot == _BOARD and spot == _BURN and state.phase.burnt is not None:
        _burnt(state, draw, slot, state.phase.burnt)
    elif hole and not was_right and slot.spot != _DISCARD and state.family.is_matter_of_order(state):
        if not state.family.wrong_order_seen(state, draw, slot, spot):
            _out_of_order(state, draw, slot, spot)
    else:
        misplaced.judge(state, draw, slot, spot)


def _is_at_issue(state: State, draw: Draw) -> bool:
    """Whether something is asked about this card already."""
    asked = (pending.incident for pending in state.asking)
    return any(incident is not None and incident.is_about(draw) for incident in (*asked, *state.ruling.values()))


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
    of_card = Outcome(
        clause=rules.wrong_order,
        expected=slot.name,
        observed=spot,
        remedies=remedies,
        chooser=chooser,
        severity=Severity.NOTICE if remedies == (Remedy.CONTINUE,) else Severity.ALERT,
        draw=draw,
    )
    if one_order.is_told(state, of_card):
        return
    outcome, instead_of = one_order.with_the_others(state, of_card)
    incident = carried_out(state, outcome, instead_of)
    if chooser is Chooser.CROUPIER:
        ask(state, Question.SEEN, "moved-cards" if outcome.draw is None else slot.name, incident)


def _burnt(state: State, draw: Draw, slot: Slot, clause: str) -> None:
    """AMB-56, AMB-81: laid down as a burn where the layout has none. After the last decision it is the next card,
    whether anybody saw it or not."""
    is_decided = state.phase.exposure is Exposure.AFTER
    outcome = Outcome(
        clause=clause,
        expected=slot.name,
        observed="burn",
        remedies=(Remedy.NEXT_CARD,),
        chooser=Chooser.RULE if is_decided else Chooser.CROUPIER,
        severity=Severity.NOTICE,
        draw=draw,
    )
    if is_decided:
        carried_out(state, outcome)
        ask(state, Question.MOVED, slot.name)
    else:
        ask(state, Question.SEEN, "last-card", raised(state, outcome))

"""A seat or the bank has a wrong number of cards: put right in place while that can be, void otherwise."""

from __future__ import annotations

from dataclasses import replace

from tablectl.core.engine.clauses import CountWindow
from tablectl.core.engine.deal import Draw
from tablectl.core.engine.dealing import is_hole_plan, is_last_card_dealt, place, put_away, say_placed, use_next
from tablectl.core.engine.decisions import Asked
from tablectl.core.engine.declared_cards import lap_before, lying, meant, newest_first
from tablectl.core.engine.facts import Declared
from tablectl.core.engine.incidents import ask, ask_first, close, void_hand, void_seat
from tablectl.core.engine.outcome import carried_out, confirmed_at_settlement, question_about, raised
from tablectl.core.engine.pending import Incident, Pending
from tablectl.core.engine.rule import Outcome
from tablectl.core.engine.rulebook import DEALT, IN_HAND, Kind
from tablectl.core.engine.slots import BOARD, BURN, HOUSE, SEATS, Slot
from tablectl.core.engine.vocabulary import Chooser, Question, Refusal, Remedy
from tablectl.families.banked.betting import after_a_seat_left
from tablectl.families.banked.reopening import reopen
from tablectl.families.banked.state import BankedState
from tablectl.families.banked.windows import (
    anybody_decided,
    can_lay_anew,
    count_can_be_corrected,
    hole_deal,
    last_at_issue,
)

_HOUSE = HOUSE[0].spot
_COMMON = (BOARD[0].spot, BURN[0].spot)
#: Nobody has a card too few.
NOBODY = "nobody"


def wrong_count(state: BankedState, fact: Declared) -> None:
    """THB-ERR-5, -6, -7, TPC-MIS-2: what is not said is asked for."""
    clause, laps = state.rulebook.errors.count.seat, range(1, state.rulebook.places.player + 1)
    if not can_count(state):
        state.refuse(Refusal.NOT_LIVE, clause)
    elif fact.drawn is not None and meant(fact, extra_cards(state)) is None:
        state.refuse(Refusal.CARD_KNOWN if fact.drawn in state.deal.left else Refusal.NO_CARD, clause)
    elif fact.spot is None:
        ask_first(state, Question.COUNT_SPOT, "count").drawn = fact.drawn
    elif fact.spot not in countable(state):
        state.refuse(Refusal.UNKNOWN_SEAT, clause, fact.spot)
    elif fact.cards is None:
        ask_first(state, Question.COUNT_CARDS, fact.spot).drawn = fact.drawn
    else:
        counted(state, fact.spot, max(fact.cards, 0), fact.lap if fact.lap in laps else None, fact.drawn)


def extra_cards(state: BankedState) -> tuple[Draw, ...]:
    """The cards that can be one too many at a place, the one drawn last in front."""
    if not can_count(state):
        return ()
    without_place = [draw for draw in state.deal.waiting if draw.slot is None]
    last = state.deal.last
    if last is not None and question_about(state, last) is not None:
        without_place.append(last)
    return newest_first((*without_place, *lying(state)))


def can_count(state: BankedState) -> bool:
    """Whether a wrong count can be declared: cards are out, the settlement is not confirmed, and no other count is in
    question."""
    return (
        (state.phase.kind in IN_HAND or state.phase.kind is Kind.SETTLING)
        and bool(state.deal.draws)
        and all(
            _is_answered_by_count(pending)
            or (pending.question is Question.SEEN and (pending.incident is None or pending.incident.spot is None))
            for pending in state.asking
        )
    )


def foretold(state: BankedState) -> Outcome:
    """What a wrong count at a seat would mean now."""
    rules = state.rulebook.errors.count
    remedy = Remedy.VOID_HAND if rules.window is not CountWindow.LAST_CARD else rules.seat_remedy
    if count_can_be_corrected(state):
        remedy = Remedy.CORRECT
    outcome = Outcome(clause=rules.seat, expected="count", observed="wrong-count", remedies=(remedy,))
    return confirmed_at_settlement(state, outcome)


def countable(state: BankedState) -> tuple[str, ...]:
    """The spots whose cards can be counted: the bank and every seat whose cards still count."""
    counts = {*state.staying, *state.rulebook.shows(state)}
    # A folded hand counts like any other until its cards are collected (ruling TPC-MIS-2).
    counts |= {seat for seat, held in state.seats.items() if held.folded}
    return (_HOUSE, *(f"seat-{seat}" for seat, held in state.seats.items() if seat in counts and not held.void))


def counted(state: BankedState, spot: str, cards: int, lap: int | None, drawn: int | None) -> None:
    """So many cards lie there. `drawn`: which one is too many, where that was said."""
    slots, rules, have = slots_of(state, spot), state.rulebook.errors.count, n_there(state, spot)
    if cards != have:
        # What was put away since the last card came was there when these were counted.
        cards -= sum(slot in slots for slot in state.deal.left_now)
    is_last = state.deal.last is not None and drawn in (None, state.deal.last.number)
    lap = lap or lap_before(state, drawn, slots)
    asked = next((pending for pending in state.asking if _is_answered_by_count(pending)), None)
    if asked is not None:
        _counted_while_asked(state, asked, spot, off=cards - have)
        return
    if rules.window is not CountWindow.LAST_CARD:
        in_the_window(state, spot, cards, have, is_last=is_last)
        return
    question = question_about(state, state.deal.last) if is_last else None
    if cards == have + 1 and question is not None and question.incident is not None:
        # The card in question is the one too many: what follows from it depends on whether it was seen.
        question.incident.spot = spot
        state.say(Asked(question=question.question, about=question.about, incident=question.incident.number))
        return
    if cards == have or (cards == have + 1 and drawn is None and _was_put_away(state, slots)):
        state.refuse(Refusal.COUNT_IS_RIGHT, rules.seat, f"{spot}={have}")
        return
    if cards == have + 1 and (waiting := _waits_there(state, spot, drawn)) is not None:
        _one_that_waits(state, spot, waiting)
        return
    is_asked = spot != _HOUSE or first_of_street(state) is not None
    if cards == have + 1 and lap is None and is_asked and _is_one_short(state):
        ask(state, Question.TOO_FEW_SPOT, spot).cards = cards
        return
    if abs(cards - have) == 1 and is_last and last_at_issue(state, slots, extra=cards > have, is_named=bool(drawn)):
        _is_last_seen(state, spot, cards)
        return
    if lap is None and spot != _HOUSE and can_lay_anew(state) and abs(cards - have) == 1 and not _is_seen(state):
        _laid_anew(state, spot, cards)
    elif cards == have + 1 and drawn is None and _is_seen(state) and state.phase.kind is not Kind.SETTLING:
        _none_that_was_seen(state, spot)
    else:
        _void_for_count(state, spot, observed=f"{spot}={cards}", off=cards - have, lap=lap)


def _is_one_short(state: BankedState) -> bool:
    """Whether all cards face down are dealt and none is known to be too many: a card too many here is then one too few
    elsewhere, or the last card drawn."""
    is_dealt = state.deal.due is None or not is_hole_plan(state)
    return is_dealt and not state.deal.waiting and not _is_seen(state)


def _is_last_seen(state: BankedState, spot: str, cards: int) -> None:
    """THB-ERR-4, -7: the card drawn last went wrong; it decides whether anybody saw it."""
    outcome = _of_one_card(state, spot, cards, Remedy.CORRECT, state.deal.last)
    ask(state, Question.SEEN, "last-card", raised(state, outcome))


def _was_put_away(state: BankedState, slots: tuple[Slot, ...]) -> bool:
    """Whether the card that was one too many at these places, since it came after one of them, has just been put away:
    in whichever order both are declared, it is that one."""
    deal = state.deal
    return deal.due in deal.left_now and deal.due not in slots and deal.latest in slots


def _laid_anew(state: BankedState, spot: str, cards: int) -> None:
    """The cards after the wrong one lie at other places than the plan had them: in which lap it was decides where."""
    if slots_of(state, spot)[1] in state.deal.at:
        ask(state, Question.COUNT_LAP, spot).cards = cards
        return
    _void_for_count(state, spot, observed=f"{spot}={cards}", off=cards - n_there(state, spot), lap=1)


def n_there(state: BankedState, spot: str) -> int:
    """How many cards lie there by the deal plan."""
    return sum(slot in state.deal.at for slot in slots_of(state, spot))


def _of_one_card(state: BankedState, spot: str, cards: int, remedy: Remedy, draw: Draw | None) -> Outcome:
    """THB-ERR-4 at a seat, THB-ERR-7 at the bank: one card too many or too few there, which nobody may have seen."""
    rules = state.rulebook.errors.count
    return Outcome(
        clause=rules.in_place if spot == _HOUSE else rules.extra,
        expected=f"{spot}={n_there(state, spot)}",
        observed=f"{spot}={cards}",
        remedies=(remedy,),
        chooser=Chooser.CROUPIER,
        draw=draw,
        spot=spot,
    )


def _is_seen(state: BankedState) -> bool:
    """Whether antennas see the dealt cards at their places: then they are assigned to no others (ruling THB-ERR-5)."""
    hole = [draw for slot, draw in state.deal.at.items() if slot.spot != BURN[0].spot]
    return state.tells_places and all(draw.number in state.felt.confirmed for draw in hole)


# --- one has too many, another one too few ----------------------------------------------------------------------------


def _is_answered_by_count(pending: Pending) -> bool:
    """Whether it is asked which place has a card too few, or that a card is put away which may lie at one."""
    return pending.question is Question.TOO_FEW_SPOT or _is_left_over(pending)


def _is_left_over(pending: Pending) -> bool:
    """Whether a card is to be put away that came when every card was dealt."""
    draw = None if pending.incident is None else pending.incident.draw
    return pending.question is Question.PUT_AWAY and draw is not None and draw.slot is None


def _counted_while_asked(state: BankedState, asked: Pending, spot: str, *, off: int) -> None:
    """A count that is declared while it is asked which place has a card too few, or that a card is put away."""
    if _is_left_over(asked):
        _left_over_lies(state, asked, spot, off=off)
        return
    if spot == asked.about or off != -1:
        state.refuse(Refusal.WRONG_NUMBER, state.rulebook.errors.count.seat, spot)
        return
    state.asking.remove(asked)
    too_few_said(state, asked, spot)


def too_few_said(state: BankedState, asked: Pending, answer: str) -> None:
    """Ruling THB-ERR-5: a seat with a card too many and one with a card too few are both void, and all other cards
    stay. Where it is the bank, whose card comes last, every card after the wrong one came one place further on."""
    assert asked.cards is not None, "it is asked about a count"
    slots = slots_of(state, asked.about)
    if answer == _HOUSE and last_at_issue(state, slots, extra=True, is_named=False):
        _is_last_seen(state, asked.about, asked.cards)
    elif answer == _HOUSE and can_lay_anew(state):
        _laid_anew(state, asked.about, asked.cards)
    elif answer == NOBODY and (last := first_of_street(state)) is not None:
        _is_next_card(state, last, asked.about)
    elif answer == NOBODY and state.phase.kind is not Kind.SETTLING:
        _one_that_nobody_reported(state, asked.about)
    elif state.phase.kind is Kind.SETTLING and answer in countable(state):
        _void_both(state, asked.about, answer, asked.cards)
    else:
        _void_for_count(state, asked.about, observed=f"{asked.about}={asked.cards}", off=1, lap=None)
        if answer in countable(state) and state.phase.kind in IN_HAND:
            _void_for_count(state, answer, observed=f"{answer}={n_there(state, answer) - 1}", off=-1, lap=None)


def first_of_street(state: BankedState) -> Draw | None:
    """The card drawn last, where it was taken for the first one of the common cards that are dealt."""
    last = state.deal.last
    is_first = state.phase.kind is Kind.DEALING and state.deal.next == 1 and not is_hole_plan(state)
    return last if is_first and last is not None and last.slot is state.deal.plan[0] else None


def _void_both(state: BankedState, spot: str, other: str, cards: int) -> None:
    """At the settlement the pit boss confirms both at once; the whole hand where one of them is the bank."""
    rules = state.rulebook.errors.count
    is_bank = other == _HOUSE
    outcome = Outcome(
        clause=rules.bank if is_bank else rules.seat,
        expected=f"{spot}={n_there(state, spot)}",
        observed=f"{spot}={cards}",
        remedies=(_remedy(state, other),),
        chooser=Chooser.RULE,
        spot=spot,
        seats=() if is_bank else (_seat(spot), _seat(other)),
    )
    carried_out(state, outcome)


def _left_over_lies(state: BankedState, asked: Pending, spot: str, *, off: int) -> None:
    """The card that came when every card was dealt lies at this place, which has one too many: as if that had been
    said first."""
    incident, have = asked.incident, n_there(state, spot)
    assert incident is not None, "it is about a card"
    assert incident.draw is not None, "it is about a card"
    draw, rules = incident.draw, state.rulebook.errors.count
    if off != 1:
        state.refuse(Refusal.WRONG_NUMBER, rules.seat, spot)
    elif rules.window is CountWindow.LAST_CARD and state.phase.kind is not Kind.SETTLING:
        outcome = _of_one_card(state, spot, have + 1, Remedy.NEXT_CARD, draw)
        ask(state, Question.SEEN, "last-card", raised(state, outcome, instead_of=incident))
    else:
        if rules.window is CountWindow.LAST_CARD:
            _void_for_count(state, spot, observed=f"{spot}={have + 1}", off=1, lap=None, instead_of=incident)
        else:
            in_the_window(state, spot, have + 1, have, is_last=False, instead_of=incident)
        put_away(state, draw)


# --- a card too many that was to be the next one ----------------------------------------------------------------------


def _waits_there(state: BankedState, spot: str, drawn: int | None) -> Draw | None:
    """The card that came when none was due and that nobody saw, where it can be the one too many at this spot."""
    waiting = [draw for draw in state.deal.waiting if drawn in (None, draw.number)]
    return next((draw for draw in waiting if state.felt.spot_of(draw) in (None, spot)), None)


def _one_that_waits(state: BankedState, spot: str, draw: Draw) -> None:
    """THB-ERR-4, -5 and -7 in either order of the declarations: a player may have looked at his cards since, so it is
    asked again; nobody looks at those of the bank, and there the card goes on as the next one."""
    outcome = _of_one_card(state, spot, n_there(state, spot) + 1, Remedy.NEXT_CARD, draw)
    if spot == _HOUSE:
        carried_out(state, replace(outcome, chooser=Chooser.RULE))
        return
    state.deal.waiting.remove(draw)
    ask(state, Question.SEEN, "last-card", raised(state, outcome))


def _none_that_was_seen(state: BankedState, spot: str) -> None:
    """Antennas see every card of the deal at its place: the one too many is the one that was taken for the first common
    card and that they do not see, or nobody told of it."""
    last = first_of_street(state)
    if last is not None and last.number not in state.felt.confirmed:
        _is_next_card(state, last, spot)
    else:
        _one_that_nobody_reported(state, spot)


def _one_that_nobody_reported(state: BankedState, spot: str) -> None:
    """THB-SAB-1: every card that was told lies where it belongs, so this one came out of the shoe and no reader told
    of it. Looked at or shown it is THB-ERR-5, otherwise THB-ERR-4."""
    draw, _ = state.deal.note(None)
    outcome = _of_one_card(state, spot, n_there(state, spot) + 1, Remedy.NEXT_CARD, draw)
    ask(state, Question.SEEN, "last-card", raised(state, outcome))


def in_the_window(
    state: BankedState,
    spot: str,
    cards: int,
    have: int,
    *,
    is_last: bool = True,
    instead_of: Incident | None = None,
) -> None:
    """TPC-MIS-2: the cards are moved to where the order of drawing has them, as long as no common card is out and
    nobody saw what he should not; otherwise the hand is void. At the bank by analogy (the clause names players).
    `instead_of`: what it was taken for until now."""
    rules = state.rulebook.errors.count
    clause = rules.bank if spot == _HOUSE else rules.seat
    if cards == have:
        state.refuse(Refusal.COUNT_IS_RIGHT, clause, f"{spot}={have}")
        return
    may_be_last = is_last and cards == have + 1
    if may_be_last:
        _lay_for_the_flop(state, spot)
    extra = _first_of_the_flop(state) if may_be_last else None
    in_time = extra is not None or count_can_be_corrected(state)
    outcome = Outcome(
        clause=clause,
        expected=f"{spot}={have}",
        observed=f"{spot}={cards}",
        remedies=(Remedy.CORRECT if in_time else Remedy.VOID_HAND,),
        chooser=Chooser.CROUPIER if in_time else Chooser.RULE,
        draw=extra,
        spot=spot,
    )
    if in_time:
        incident = raised(state, outcome, instead_of=instead_of)
        ask(state, Question.SEEN, "moved-cards" if extra is None else "last-card", incident)
    else:
        carried_out(state, outcome, instead_of)


def _lay_for_the_flop(state: BankedState, spot: str) -> None:
    """Antennas alone: the card drawn last has no place yet, since it lies here and the flop is due. It is taken for the
    next card, as one that came out of a shoe is."""
    last = state.deal.last
    if last is not None and last.slot is None and state.felt.is_passing(last) and state.felt.spot_of(last) == spot:
        state.felt.arrives(last)
        place(state, last)


def _first_of_the_flop(state: BankedState) -> Draw | None:
    """AMB-12, ruling TPC-MIS-2: the card too many itself is not the first card of the flop, though it was taken for it:
    it was drawn last, and is the next card."""
    last = state.deal.last
    is_first = last is not None and last.slot is BOARD[0] and not state.deal.waiting
    return last if is_first and not anybody_decided(state) and not state.asking else None


def comes_to_a_place(state: BankedState, draw: Draw, slot: Slot, spot: str) -> bool:
    """A card lies at a seat or at the bank that has all its cards: that place has one too many. It was for the board or
    the burns, or for another place of the deal. False where it is another error."""
    if _follows_one_more(state, draw, spot):
        state.felt.passes(draw, spot, state.now_us)
        return True
    if spot not in countable(state) or state.held:
        return False
    if slot.spot in _COMMON:
        # One that antennas saw at its place is not assigned elsewhere (ruling THB-ERR-4 to -7): it was carried there.
        is_last = draw is state.deal.last and draw.number not in state.felt.confirmed
        return is_last and _common_card_at(state, draw, spot)
    return _is_one_more(state, draw, slot, spot) and _card_of_deal_at(state, draw, spot)


def _common_card_at(state: BankedState, draw: Draw, spot: str) -> bool:
    have = n_there(state, spot)
    if state.rulebook.errors.count.window is CountWindow.LAST_CARD:
        _is_next_card(state, draw, spot)
    elif _first_of_the_flop(state) is None:
        return False
    else:
        in_the_window(state, spot, have + 1, have)
    return True


def _card_of_deal_at(state: BankedState, draw: Draw, spot: str) -> bool:
    """TPC-MIS-2: corrected as long as it was drawn last; where others came after it, that is a wrong order."""
    rules = state.rulebook.errors.count
    if rules.window is CountWindow.LAST_CARD:
        _is_next_card(state, draw, spot)
    elif draw is not state.deal.last:
        return False
    else:
        outcome = _of_one_card(state, spot, n_there(state, spot) + 1, Remedy.CORRECT, draw)
        outcome = replace(outcome, clause=rules.bank if spot == _HOUSE else rules.seat)
        ask(state, Question.SEEN, "last-card", raised(state, outcome))
    return True


def _is_next_card(state: BankedState, draw: Draw, spot: str) -> None:
    """THB-ERR-4, -5: it is the next card, unless it was seen."""
    outcome = _of_one_card(state, spot, n_there(state, spot) + 1, Remedy.NEXT_CARD, draw)
    ask(state, Question.SEEN, "last-card", raised(state, outcome))


def _is_one_more(state: BankedState, draw: Draw, slot: Slot, spot: str) -> bool:
    """Whether a card of the deal that is due at another place makes one more here, where all cards lie already: it was
    dealt last, or the one after it lies at its place."""
    of_spot = slots_of(state, spot)
    is_full = n_there(state, spot) >= state.rulebook.places.player and slot not in of_spot
    if not is_full or not hole_deal(state) or draw.number in state.felt.confirmed:
        return False
    return slot is state.deal.latest or any(
        state.felt.spot_of(other) == slot.spot and other.slot is not None and other.slot.spot != slot.spot
        for other in state.deal.draws[draw.number :]
    )


def _follows_one_more(state: BankedState, draw: Draw, spot: str) -> bool:
    """Whether this card lies at the place of the one before it, of which it is asked whether it is one too many: what
    becomes of that one decides where this one belongs."""
    asked = [pending.incident for pending in state.asking if pending.question is Question.SEEN]
    return any(
        incident is not None
        and incident.spot is not None
        and incident.draw is not None
        and incident.draw.slot is not None
        and incident.draw.slot.spot == spot
        and incident.draw.number < draw.number
        for incident in asked
    )


def at_issue_there(state: BankedState, incident: Incident) -> str | None:
    """The spot at which the card that an incident is about makes one too many: as it was said, or as an antenna sees
    it."""
    if incident.spot is not None or incident.draw is None or incident.draw.slot is not None:
        return None if incident.spot in _COMMON else incident.spot
    spot = state.felt.spot_of(incident.draw)
    if spot not in countable(state):
        return None
    return spot if n_there(state, spot) >= state.rulebook.places.player else None


def seen(state: BankedState, incident: Incident, spot: str) -> None:
    """The card at issue was seen: nothing can be put right."""
    draw, rules = incident.draw, state.rulebook.errors.count
    if spot not in countable(state):
        # That seat became void by another card while it was asked about this one.
        close(state, incident, Remedy.DISCARD, Chooser.CROUPIER)
        if draw is not None and draw.slot is None:
            put_away(state, draw)
        return
    if rules.window is not CountWindow.LAST_CARD:
        close(state, incident, Remedy.VOID_HAND, Chooser.CROUPIER)
        void_hand(state, rules.bank if spot == _HOUSE else rules.seat)
        return
    if draw is None or draw.slot is None:
        _void_for_count(state, spot, observed="card-seen", off=0, lap=None, instead_of=incident)
        if draw is not None and spot != _HOUSE:
            put_away(state, draw)
        return
    missing = draw.slot in slots_of(state, spot)
    before = _place_before(state, draw.slot)
    if not missing and (draw.slot.spot in _COMMON or before not in slots_of(state, spot)):
        # It lies at this place instead of its own, where another one comes.
        state.deal.vacate(draw)
        _void_for_count(state, spot, observed="card-seen", off=0, lap=None, instead_of=incident)
        put_away(state, draw)
        return
    lap = draw.slot.position if missing else before.position
    _void_for_count(state, spot, observed="card-seen", off=-1 if missing else 1, lap=lap, instead_of=incident)


def _place_before(state: BankedState, slot: Slot) -> Slot:
    """The place of the plan in force that was filled before this one."""
    plan = state.deal.plan
    return plan[plan.index(slot) - 1] if slot in plan else slot


def _void_for_count(
    state: BankedState,
    spot: str,
    *,
    observed: str,
    off: int,
    lap: int | None,
    instead_of: Incident | None = None,
) -> None:
    """THB-ERR-5 for a seat, THB-ERR-6 for the bank. `off`: cards too many, or too few where it is negative.
    `instead_of`: what it was taken for until now."""
    rules = state.rulebook.errors.count
    clause = rules.bank if spot == _HOUSE else rules.seat
    remedy, expected = _remedy(state, spot), f"{spot}={n_there(state, spot)}"
    outcome = Outcome(
        clause=clause, expected=expected, observed=observed, remedies=(remedy,), chooser=Chooser.RULE, spot=spot
    )
    if remedy is Remedy.VOID_HAND:
        carried_out(state, outcome, instead_of)
        return
    seat = _seat(spot)
    if state.phase.kind is Kind.SETTLING:
        # The pit boss chooses, and a seat that is void by his choice has to be named.
        carried_out(state, replace(outcome, seats=(seat,)), instead_of)
        return
    carried_out(state, outcome, instead_of)
    void_seat(state, seat, clause)
    if rules.reshuffle and not state.seats.all_void:
        reshuffled(state)
    if lap is not None and abs(off) == 1 and SEATS[seat - 1][lap - 1] in state.deal.at and can_lay_anew(state):
        _rewrite(state, seat, lap, extra=off > 0)
    after_a_seat_left(state, clause)


def reshuffled(state: BankedState) -> None:
    """AMB-53: what is left of the deck is shuffled before the next card."""
    ask(state, Question.RESHUFFLED, "stub")


def choices_when_called(state: BankedState) -> tuple[Remedy, ...]:
    """Ruling 53: while cards are to come and a seat is void for its number, the pit boss may choose that."""
    rules = state.rulebook.errors.count
    is_void = any(held.void for _, held in state.seats.items()) and not state.seats.all_void
    may_shuffle = rules.seat_remedy is Remedy.VOID_SEAT and rules.window is CountWindow.LAST_CARD
    return (Remedy.RESHUFFLE,) if is_void and may_shuffle and not is_last_card_dealt(state) else ()


def _rewrite(state: BankedState, seat: int, lap: int, *, extra: bool) -> None:
    """The cards after the one too many (or missing) lie one place further on (or back) than the plan had them: lay
    them anew in the order in which they were drawn, and enforce that plan from here on."""
    deal, slots = state.deal, SEATS[seat - 1]
    plan = list(deal.plan)
    at = plan.index(slots[lap - 1])
    if extra:
        plan.insert(at + 1, slots[state.rulebook.places.player])
    else:
        del plan[at]
    moved, surplus = deal.rewrite(plan)
    say_placed(state, moved)
    for draw in surplus:
        use_next(state, draw)
    if deal.due is not None:
        reopen(state)
    elif state.phase.kind is Kind.DEALING:
        state.fire(DEALT)


def voids_in_sequence(state: BankedState) -> bool:
    """THB-ERR-7: whether it decides in which lap the bank got a card too many: all cards face down lie there, and only
    the last of them can be put right."""
    return state.rulebook.errors.count.window is CountWindow.LAST_CARD and can_lay_anew(state)


def has_one_too_many(state: BankedState, spot: str, cards: int) -> None:
    """A place has so many cards, where the card too many is not the one drawn last."""
    if state.rulebook.errors.count.window is CountWindow.LAST_CARD:
        _void_for_count(state, spot, observed=f"{spot}={cards}", off=cards - n_there(state, spot), lap=None)
    else:
        in_the_window(state, spot, cards, n_there(state, spot), is_last=False)


def slots_of(state: BankedState, spot: str) -> tuple[Slot, ...]:
    """Of a spot that is `countable`."""
    return tuple(dict.fromkeys((*state.rulebook.places.bank, *HOUSE))) if spot == _HOUSE else SEATS[_seat(spot) - 1]


def _seat(spot: str) -> int:
    return int(spot.removeprefix("seat-"))


def _remedy(state: BankedState, spot: str) -> Remedy:
    return Remedy.VOID_HAND if spot == _HOUSE else state.rulebook.errors.count.seat_remedy

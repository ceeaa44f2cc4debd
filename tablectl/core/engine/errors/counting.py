"""A seat or the bank has a wrong number of cards: put right in place while that can be, void otherwise."""

from __future__ import annotations

from tablectl.core.engine.betting import after_a_seat_left
from tablectl.core.engine.clauses import CountWindow
from tablectl.core.engine.dealing import put_away, wait
from tablectl.core.engine.decisions import Asked, CardPlaced
from tablectl.core.engine.errors.outcome import Outcome, carried_out, question_about, raised
from tablectl.core.engine.errors.windows import can_lay_anew, count_can_be_corrected, last_at_issue
from tablectl.core.engine.facts import Declared
from tablectl.core.engine.incidents import ask, ask_first, close, void_hand, void_seat
from tablectl.core.engine.rulebook import IN_HAND, REOPEN, Kind
from tablectl.core.engine.slots import HOUSE, SEATS, Slot
from tablectl.core.engine.state import Incident, State
from tablectl.core.engine.words import Chooser, Question, Refusal, Remedy

_HOUSE = HOUSE[0].spot


def wrong_count(state: State, fact: Declared) -> None:
    """THB-ERR-5, -6, -7, TPC-MIS-2: what is not said is asked for."""
    clause = state.rulebook.banked.count.seat
    if not can_count(state):
        state.refuse(Refusal.NOT_LIVE, clause)
    elif fact.spot is None:
        ask_first(state, Question.COUNT_SPOT, "count")
    elif fact.spot not in countable(state):
        state.refuse(Refusal.UNKNOWN_SEAT, clause, fact.spot)
    elif fact.cards is None:
        ask_first(state, Question.COUNT_CARDS, fact.spot)
    else:
        counted(state, fact.spot, max(fact.cards, 0), fact.lap if fact.lap in (1, 2) else None)


def can_count(state: State) -> bool:
    """Whether a wrong count can be declared: cards are out, and no other count is in question."""
    return (
        state.phase.kind in IN_HAND
        and bool(state.deal.draws)
        and all(
            pending.question is Question.SEEN and (pending.incident is None or pending.incident.spot is None)
            for pending in state.asking
        )
    )


def foretold(state: State) -> Outcome:
    """What a wrong count at a seat would mean now."""
    rules = state.rulebook.banked.count
    remedy = Remedy.VOID_HAND if rules.window is not CountWindow.LAST_CARD else rules.seat_remedy
    if count_can_be_corrected(state):
        remedy = Remedy.CORRECT
    return Outcome(clause=rules.seat, expected="count", observed="wrong-count", remedies=(remedy,))


def countable(state: State) -> tuple[str, ...]:
    """The spots whose cards can be counted: the bank and every seat whose cards still count."""
    counts = {*state.staying, *state.rulebook.shows(state)}
    if state.rulebook.banked.count.window is CountWindow.LAST_CARD:
        counts |= {seat for seat, held in state.seats.items() if held.folded}
    return (_HOUSE, *(f"seat-{seat}" for seat, held in state.seats.items() if seat in counts and not held.void))


def counted(state: State, spot: str, cards: int, lap: int | None) -> None:
    """So many cards lie there."""
    slots, rules = slots_of(spot), state.rulebook.banked.count
    have = sum(slot in state.deal.at for slot in slots)
    if rules.window is not CountWindow.LAST_CARD:
        _in_the_window(state, spot, cards, have)
        return
    question = question_about(state, state.deal.last)
    if cards == have + 1 and question is not None and question.incident is not None:
        # The card in question is the one too many: what follows from it depends on whether it was seen.
        question.incident.spot = spot
        state.say(Asked(question=question.question, about=question.about, incident=question.incident.number))
        return
    if cards == have:
        state.refuse(Refusal.COUNT_IS_RIGHT, rules.seat, f"{spot}={have}")
        return
    if abs(cards - have) == 1 and last_at_issue(state, slots, extra=cards > have):
        incident = raised(
            state,
            Outcome(
                clause=rules.in_place if spot == _HOUSE else rules.extra,
                expected=f"{spot}={have}",
                observed=f"{spot}={cards}",
                remedies=(Remedy.CORRECT,),
                chooser=Chooser.CROUPIER,
                draw=state.deal.last,
                spot=spot,
            ),
        )
        ask(state, Question.SEEN, "last-card", incident)
        return
    if lap is None and spot != _HOUSE and can_lay_anew(state) and abs(cards - have) == 1:
        if slots[1] in state.deal.at:
            pending = ask(state, Question.COUNT_LAP, spot)
            pending.cards = cards
            return
        lap = 1
    _void_for_count(state, spot, observed=f"{spot}={cards}", off=cards - have, lap=lap)


def _in_the_window(state: State, spot: str, cards: int, have: int) -> None:
    """TPC-MIS-2: the cards are moved to where the order of drawing has them, as long as no common card is out and
    nobody saw what he should not; otherwise the hand is void. At the bank by analogy (the clause names players)."""
    rules = state.rulebook.banked.count
    clause = rules.bank if spot == _HOUSE else rules.seat
    if cards == have:
        state.refuse(Refusal.COUNT_IS_RIGHT, clause, f"{spot}={have}")
        return
    in_time = count_can_be_corrected(state)
    outcome = Outcome(
        clause=clause,
        expected=f"{spot}={have}",
        observed=f"{spot}={cards}",
        remedies=(Remedy.CORRECT if in_time else Remedy.VOID_HAND,),
        chooser=Chooser.CROUPIER if in_time else Chooser.RULE,
        spot=spot,
    )
    if in_time:
        ask(state, Question.SEEN, "moved-cards", raised(state, outcome))
    else:
        carried_out(state, outcome)


def seen(state: State, incident: Incident) -> None:
    """The card at issue was seen: nothing can be put right."""
    assert incident.spot is not None
    spot, draw = incident.spot, incident.draw
    if state.rulebook.banked.count.window is not CountWindow.LAST_CARD:
        close(state, incident, Remedy.VOID_HAND, Chooser.CROUPIER)
        void_hand(state, incident.clause)
        return
    close(state, incident, _remedy(state, spot), Chooser.CROUPIER)
    if draw is None or draw.slot is None:
        _void_for_count(state, spot, observed="card-seen", off=0, lap=None)
        if draw is not None and spot != _HOUSE:
            put_away(state, draw)
        return
    missing = draw.slot in slots_of(spot)
    lap = draw.slot.position if missing else state.deal.plan[state.deal.next - 2].position
    _void_for_count(state, spot, observed="card-seen", off=-1 if missing else 1, lap=lap)


def _void_for_count(state: State, spot: str, *, observed: str, off: int, lap: int | None) -> None:
    """THB-ERR-5 for a seat, THB-ERR-6 for the bank. `off`: cards too many, or too few where it is negative."""
    rules = state.rulebook.banked.count
    clause = rules.bank if spot == _HOUSE else rules.seat
    have = sum(slot in state.deal.at for slot in slots_of(spot))
    remedy = _remedy(state, spot)
    outcome = Outcome(
        clause=clause, expected=f"{spot}={have}", observed=observed, remedies=(remedy,), chooser=Chooser.RULE, spot=spot
    )
    carried_out(state, outcome)
    if remedy is Remedy.VOID_HAND:
        return
    seat = _seat(spot)
    void_seat(state, seat, clause)
    if rules.reshuffle and not state.seats.all_void:
        ask(state, Question.RESHUFFLED, "stub")
    if lap is not None and abs(off) == 1 and SEATS[seat - 1][lap - 1] in state.deal.at and can_lay_anew(state):
        _rewrite(state, seat, lap, extra=off > 0)
    after_a_seat_left(state, clause)


def _rewrite(state: State, seat: int, lap: int, *, extra: bool) -> None:
    """The cards behind the one too many (or missing) lie one place further on (or back) than the plan had them: lay
    them anew in the order in which they were drawn, and enforce that plan from here on."""
    deal, slots = state.deal, SEATS[seat - 1]
    plan = list(deal.plan)
    at = plan.index(slots[lap - 1])
    if extra:
        plan.insert(at + 1, slots[2])
    else:
        del plan[at]
    moved, surplus = deal.rewrite(plan)
    for draw in moved:
        assert draw.slot is not None
        state.say(CardPlaced(draw=draw.number, slot=draw.slot))
    for draw in surplus:
        wait(state, draw)
    if deal.due is not None and state.phase.kind is not Kind.DEALING:
        state.fire(REOPEN)
    elif deal.due is None and state.phase.kind is Kind.DEALING:
        state.fire("dealt")


def slots_of(spot: str) -> tuple[Slot, ...]:
    """Of a spot that is `countable`."""
    return HOUSE if spot == _HOUSE else SEATS[_seat(spot) - 1]


def _seat(spot: str) -> int:
    return int(spot.removeprefix("seat-"))


def _remedy(state: State, spot: str) -> Remedy:
    return Remedy.VOID_HAND if spot == _HOUSE else state.rulebook.banked.count.seat_remedy

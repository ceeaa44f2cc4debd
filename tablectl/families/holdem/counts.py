"""A seat has a wrong number of cards, in three windows (AMB-12).

Before the first action it is put right in place: a missing card is the next one of the stub, a card too many that
nobody saw is the next one itself (THL-MIS-2). Before the second the hand is void. After it the seat loses (THL-PLE-12),
for each player answers for the number of his cards (THL-PLE-11). Who posted a blind and got nothing: `without_cards`.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from tablectl.core.engine.deal import Draw
from tablectl.core.engine.dealing import is_hole_plan, put_away, say_placed, use_next
from tablectl.core.engine.declared_cards import lap_before, meant, newest_first
from tablectl.core.engine.facts import Declared
from tablectl.core.engine.incidents import ask, ask_first, close, escalate
from tablectl.core.engine.outcome import carried_out, raised
from tablectl.core.engine.pending import Incident, Pending
from tablectl.core.engine.rule import Outcome
from tablectl.core.engine.rulebook import REOPEN, Kind, Part
from tablectl.core.engine.seat_said import one_seat, seat_of
from tablectl.core.engine.slots import SEATS, Slot
from tablectl.core.engine.vocabulary import Chooser, Declaration, Question, Refusal, Remedy
from tablectl.families.holdem import without_cards
from tablectl.families.holdem.deadlines import TWO, actions
from tablectl.families.holdem.dealt_order import ask_for_order, is_repaired
from tablectl.families.holdem.rulebook import HOLE
from tablectl.families.holdem.state import HoldemState
from tablectl.families.holdem.two_actions import TWO_SAID, ask_about, judged, void
from tablectl.families.pots import dead_hands
from tablectl.families.pots.hand_open import is_open

COUNT: Final = "THL-MIS-2"
LATE: Final = "THL-PLE-12"
RIGHT: Final = "THL-PLE-11"
_LAST: Final = "last-card"
_MOVED: Final = "moved-cards"


# --- what is declared -------------------------------------------------------------------------------------------------


def applies(state: HoldemState) -> bool:
    """Whether the cards of a seat can be counted: some are out, somebody is left to win the pot from whoever has it
    now, and no other count is in question."""
    is_asked = any(pending.incident is not None and pending.incident.spot is not None for pending in state.asking)
    asks_count = any(
        pending.question in (Question.COUNT_CARDS, Question.COUNT_LAP) or pending.about == Declaration.WRONG_COUNT
        for pending in state.asking
    )
    is_dealt = is_open(state) and bool(state.deal.at) and state.phase.part is not Part.BUTTON
    return is_dealt and not state.is_one_left and not is_asked and not asks_count


def seats(state: HoldemState) -> tuple[int, ...]:
    """Those who were dealt in and whose cards were not taken away."""
    return tuple(seat for seat, held in state.seats.items() if not (held.void or held.withdrawn))


def foretold(state: HoldemState) -> Outcome:
    """What a wrong count at a seat means now, where it can be put right as long as that is in time."""
    made = actions(state)
    if made is None or (made == 0 and is_hole_plan(state)):
        return _repair_outcome(made, "count", Declaration.WRONG_COUNT, ())
    if made < TWO:
        return judged(state, clause=COUNT, expected="count", observed=Declaration.WRONG_COUNT)
    return _lost("count", Declaration.WRONG_COUNT, ())


def declared(state: HoldemState, fact: Declared) -> None:
    """THL-PLE-11: a player or the croupier says that a seat has a wrong number of cards; what is not said is asked
    for."""
    if not applies(state):
        state.refuse(Refusal.NOT_LIVE, COUNT)
        return
    if fact.drawn is not None and meant(fact, extra_cards(state)) is None:
        state.refuse(Refusal.NO_CARD, COUNT)
        return
    seat = one_seat(state, fact, seats(state), COUNT)
    if seat is None:
        return
    if fact.cards is None:
        ask_first(state, Question.COUNT_CARDS, f"seat-{seat}").drawn = fact.drawn
    else:
        lap = fact.lap if fact.lap in (1, HOLE) else lap_before(state, fact.drawn, SEATS[seat - 1][:HOLE])
        _counted(state, seat, max(fact.cards, 0), lap)


def extra_cards(state: HoldemState) -> tuple[Draw, ...]:
    """The cards that can be one too many at a seat, the one dealt last in front."""
    if not applies(state):
        return ()
    return newest_first(draw for slot, draw in state.deal.at.items() if slot in state.deal.plan[: state.deal.next])


def cards_said(state: HoldemState, pending: Pending, answer: str | int) -> None:
    """How many cards lie there."""
    seat = seat_of(pending.about)
    if seat is None or seat not in seats(state) or not applies(state):
        state.refuse(Refusal.NOT_LIVE, COUNT, pending.about)
    else:
        _counted(state, seat, int(answer), lap_before(state, pending.drawn, SEATS[seat - 1][:HOLE]))


def lap_said(state: HoldemState, pending: Pending, answer: str | int) -> None:
    """In which lap a card too many was dealt, or one too few."""
    seat = seat_of(pending.about)
    assert pending.cards is not None, "it is asked about a count"
    if seat is None or seat not in seats(state) or not applies(state):
        state.refuse(Refusal.NOT_LIVE, COUNT, pending.about)
    else:
        _counted(state, seat, pending.cards, int(answer))


def _counted(state: HoldemState, seat: int, cards: int, lap: int | None) -> None:
    have, spot = _have(state, seat), f"seat-{seat}"
    if cards == have:
        state.refuse(Refusal.COUNT_IS_RIGHT, RIGHT, f"{spot}={have}")
        return
    if cards == 0 and have == HOLE and without_cards.applies(state, seat):
        without_cards.found(state, seat)
        return
    laps = _laps(state, seat, cards - have, lap)
    made = actions(state)
    if made in (0, None) and len(laps) > abs(cards - have):
        ask(state, Question.COUNT_LAP, spot).cards = cards
        return
    outcome = _outcome(state, seat, cards, can_be_repaired=bool(laps))
    if made is None:
        pending = ask_about(state, raised(state, outcome))
        pending.cards, pending.lap = cards, lap
    elif outcome.remedies == (Remedy.CORRECT,):
        _repair(state, raised(state, outcome), seat, cards, laps)
    else:
        incident = carried_out(state, outcome)
        if outcome.clause == LATE and incident.chooser is Chooser.RULE:
            dead_hands.out(state, seat, LATE, returned=False)
            state.has_one_more = seat if cards == have + 1 else None


def _have(state: HoldemState, seat: int) -> int:
    return sum(slot in state.deal.at for slot in SEATS[seat - 1][:HOLE])


def _outcome(state: HoldemState, seat: int, cards: int, *, can_be_repaired: bool) -> Outcome:
    expected, observed = f"seat-{seat}={_have(state, seat)}", f"seat-{seat}={cards}"
    made = actions(state)
    if made is None or (made == 0 and can_be_repaired):
        return _repair_outcome(made, expected, observed, (seat,))
    if made >= TWO and seat in state.staying:
        return _lost(expected, observed, (seat,))
    return judged(state, clause=COUNT, expected=expected, observed=observed, seats=(seat,))


def _repair_outcome(made: int | None, expected: str, observed: str, about: tuple[int, ...]) -> Outcome:
    return Outcome(
        clause=COUNT,
        expected=expected,
        observed=observed,
        remedies=(Remedy.CORRECT,) if made == 0 else (Remedy.CORRECT, Remedy.VOID_HAND, Remedy.LOSE_BETS),
        chooser=Chooser.CROUPIER,
        spot=observed.partition("=")[0],
        seats=about,
    )


def _lost(expected: str, observed: str, about: tuple[int, ...]) -> Outcome:
    """THL-PLE-12: what the seat has bet stays in the pot."""
    return Outcome(clause=LATE, expected=expected, observed=observed, remedies=(Remedy.LOSE_BETS,), seats=about)


# --- before the first action ------------------------------------------------------------------------------------------


def _laps(state: HoldemState, seat: int, off: int, lap: int | None) -> tuple[int, ...]:
    """The laps in which it can have gone wrong so that it can be put right: none where it cannot be. After a card too
    many another one must have come, which then lies one place further on than the plan had it."""
    deal, slots = state.deal, SEATS[seat - 1][:HOLE]
    if not is_hole_plan(state) or len(set(deal.plan)) != len(deal.plan) or deal.waiting or off > 1:
        return ()
    placed = deal.plan[: deal.next]
    there = [slot.position for slot in slots if slot in placed and (off < 0 or slot is not placed[-1])]
    if len(there) < abs(off):
        return ()
    return (lap,) if lap in there and abs(off) == 1 else tuple(there)


def _repair(state: HoldemState, incident: Incident, seat: int, cards: int, laps: tuple[int, ...]) -> None:
    """Where antennas see the cards, they say whether it was; beside a shoe the order of drawing does."""
    if state.has_antennas:
        ask_for_order(state, incident, f"seat-{seat}")
    elif cards > _have(state, seat):
        pending = ask(state, Question.SEEN, f"seat-{seat}", incident)
        pending.cards, pending.lap = cards, laps[0]
    else:
        close(state, incident, Remedy.CORRECT, Chooser.RULE)
        _deal_after_all(state, seat, laps)


def seen_said(state: HoldemState, pending: Pending, answer: str | int) -> None:
    """Whether the card too many was seen: then nothing can be put right."""
    incident = pending.incident
    assert incident is not None, "it is asked about a count"
    laps = () if incident.draw is not None else _laps_left(state, incident, pending)
    if answer != "not-seen" or (incident.draw is None and not laps):
        void(state, incident)
        return
    close(state, incident, Remedy.CORRECT, Chooser.CROUPIER)
    if incident.draw is not None:
        use_next(state, incident.draw)
    else:
        _take_out(state, incident.seats[0], laps[0])


def _laps_left(state: HoldemState, incident: Incident, pending: Pending) -> tuple[int, ...]:
    """THL-MIS-2: where it can be put right by now: none if another error has changed the order of the deal since it was
    asked, for then it cannot be."""
    (seat,) = incident.seats
    assert pending.cards is not None, "it is asked about a count"
    off = pending.cards - _have(state, seat)
    return _laps(state, seat, off, pending.lap) if off else ()


def _take_out(state: HoldemState, seat: int, lap: int) -> None:
    """THL-MIS-2: the card too many is the next one; those that came after it lie one place further on than the plan
    had them."""
    deal = state.deal
    following = deal.plan.index(SEATS[seat - 1][lap - 1]) + 1
    extra = deal.at[deal.plan[following]]
    say_placed(state, deal.take_out(extra))
    use_next(state, extra)
    _goes_on(state)


def _deal_after_all(state: HoldemState, seat: int, laps: tuple[int, ...]) -> None:
    """THL-MIS-2: what is missing is dealt after all the others; those that came after it lie one place before where
    the plan had them."""
    missing: list[Slot] = [SEATS[seat - 1][lap - 1] for lap in laps]
    plan = [slot for slot in state.deal.plan if slot not in missing]
    moved, surplus = state.deal.rewrite([*plan, *missing])
    assert not surplus, "the plan is as long as it was"
    say_placed(state, moved)
    _goes_on(state)


def _goes_on(state: HoldemState) -> None:
    """The croupier moves what is to be moved, and what is due then is dealt."""
    if state.deal.due is not None and state.phase.kind is not Kind.DEALING:
        state.fire(REOPEN)
    ask(state, Question.MOVED, _MOVED)


def reconstructed_said(state: HoldemState, pending: Pending, answer: str | int) -> None:
    """Whether the cards lie where they belong now: by the croupier, and by the readers where there are any."""
    incident = pending.incident
    assert incident is not None, "it is asked about a count"
    is_seen = pending.cards is None or state.has_antennas
    laps = () if is_seen else _laps_left(state, incident, pending)
    if not is_repaired(state, answer) or not (is_seen or laps):
        void(state, incident)
        return
    close(state, incident, Remedy.CORRECT, Chooser.CROUPIER)
    if is_seen:
        return
    assert pending.cards is not None, "it is asked about a count"
    (seat,) = incident.seats
    if pending.cards > _have(state, seat):
        _take_out(state, seat, laps[0])
    else:
        _deal_after_all(state, seat, laps)


def comes_to_a_seat(state: HoldemState, draw: Draw, slot: Slot, spot: str) -> bool:
    """Beside a shoe: the card drawn last, which was taken for a burn that came too soon, lies at a seat. That seat has
    one too many. False where it is something else."""
    if draw not in state.early.burns or draw is not state.deal.last or not can_have_too_many(state, spot):
        return False
    state.early.burns.remove(draw)
    del state.deal.at[slot]
    draw.slot = None
    return one_too_many(state, draw, spot)


def can_have_too_many(state: HoldemState, spot: str) -> bool:
    """Whether a card at this seat can be one too many: every hole card is dealt, nothing else is in question, and it is
    known how many have acted."""
    if not applies(state) or state.phase.kind is not Kind.DECIDING or state.held or seat_of(spot) not in seats(state):
        return False
    made = actions(state)
    return made is not None and (made >= TWO or is_hole_plan(state))


def one_too_many(state: HoldemState, draw: Draw, spot: str, instead_of: Incident | None = None) -> bool:
    """A card came to a seat when every hole card is dealt: before the first action it is the next card if nobody saw
    it, before the second the hand is void, and later the croupier counts (THL-MIS-2, THL-PLE-12). False where it is
    something else. `instead_of`: what it was taken for until now."""
    seat = seat_of(spot)
    if seat is None or not can_have_too_many(state, spot):
        return False
    made = actions(state)
    expected, observed = f"{spot}={HOLE}", f"{spot}={HOLE + 1}"
    if made is not None and made >= TWO:
        outcome = replace(_lost(expected, observed, (seat,)), chooser=Chooser.CROUPIER, draw=draw, spot=spot)
        ask(state, Question.COUNT_CARDS, spot, raised(state, outcome, instead_of=instead_of))
        return True
    if made:
        outcome = judged(state, clause=COUNT, expected=expected, observed=observed, draw=draw, seats=(seat,))
        carried_out(state, outcome, instead_of)
        return True
    outcome = Outcome(
        clause=COUNT,
        expected=expected,
        observed=observed,
        remedies=(Remedy.NEXT_CARD,),
        chooser=Chooser.CROUPIER,
        draw=draw,
        spot=spot,
        seats=(seat,),
    )
    ask(state, Question.SEEN, _LAST, raised(state, outcome, instead_of=instead_of))
    return True


def counted_late(state: HoldemState, incident: Incident, cards: int) -> bool:
    """The croupier counted where one too many is said to lie, after two had acted: who has another number than he
    should have loses. False where it is right, or he has nothing to lose."""
    if cards == HOLE or not _can_lose(state, incident.seats[0]):
        return False
    _loses(state, incident)
    return True


def may_have_too_many(state: HoldemState) -> tuple[int, ...]:
    """The seats at which a card that came too soon can be one too many: once two have acted, those that lose by it."""
    made = actions(state)
    is_late = made is not None and made >= TWO
    return tuple(seat for seat in seats(state) if not is_late or _can_lose(state, seat))


def _can_lose(state: HoldemState, seat: int) -> bool:
    """Whether somebody is left who can win from this seat: by now it may be out, or the last one."""
    return seat in state.staying and not state.is_one_left


def _loses(state: HoldemState, incident: Incident) -> None:
    """THL-PLE-12, as the croupier said; a card too many that antennas saw goes to the discards with his others. Once
    the pot is awarded the pit boss confirms it."""
    if state.phase.kind is Kind.SETTLING:
        escalate(state, incident, (Remedy.LOSE_BETS, Remedy.CONTINUE))
        return
    close(state, incident, Remedy.LOSE_BETS, Chooser.CROUPIER)
    dead_hands.out(state, incident.seats[0], LATE, returned=False)
    if incident.draw is not None and incident.draw.slot is None:
        put_away(state, incident.draw)


# --- where it is not known how many have acted -----------------------------------------------------------------------


def two_said(state: HoldemState, pending: Pending, answer: str | int) -> None:
    """Whether two had acted when the count was found; whether anybody had, the next question asks too."""
    incident = pending.incident
    assert incident is not None, "it is asked about a count"
    assert pending.cards is not None, "it is asked about a count"
    (seat,) = incident.seats
    if answer == TWO_SAID and _can_lose(state, seat):
        _loses(state, incident)
    elif answer == TWO_SAID:
        close(state, incident, Remedy.CONTINUE, Chooser.CROUPIER)
    elif _laps(state, seat, pending.cards - _have(state, seat), pending.lap):
        again = ask_for_order(state, incident, f"seat-{seat}")
        again.cards, again.lap = pending.cards, pending.lap
    else:
        void(state, incident)

"""What players do and may not: cards that touch, cards and words that are shared, two boxes, bets that are no chips."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from tablectl.core.engine.decisions import SeatWithdrawn
from tablectl.core.engine.facts import Declared, StandingBet
from tablectl.core.engine.outcome import carried_out
from tablectl.core.engine.pending import STANDING
from tablectl.core.engine.rule import Outcome, noted
from tablectl.core.engine.rulebook import Kind
from tablectl.core.engine.seat_said import may_touch, one_seat, seats_in_hand, two_in_contact, two_seats
from tablectl.core.engine.slots import SEATS
from tablectl.core.engine.vocabulary import Chooser, Declaration, Refusal, Remedy, Severity
from tablectl.families.banked import back_betting, refunds
from tablectl.families.banked.betting import after_a_seat_left, seat_out
from tablectl.families.banked.state import BankedState


def seats_with_bets(state: BankedState) -> tuple[int, ...]:
    """Those whose bets are in play."""
    return tuple(seat for seat, held in state.seats.items() if not held.void)


# --- cards that touch -----------------------------------------------------------------------------------------------


def contact_applies(state: BankedState) -> bool:
    """Whether two hands are there that can touch, and the document has a rule for it."""
    live = seats_in_hand(state)
    return state.rulebook.errors.contact is not None and bool(live) and len(live) + len(state.touched) > 1


def contact_outcome(state: BankedState) -> Outcome:
    """TPC-PLE-1: both lose their cards; what becomes of their bets the document does not say (AMB-34)."""
    rules = state.rulebook.errors.contact
    assert rules is not None
    lost = rules.proposed is Remedy.LOSE_BETS
    return Outcome(
        clause=rules.clause,
        expected="cards-apart",
        observed="cards-in-contact",
        remedies=(Remedy.LOSE_BETS, Remedy.REFUND_BETS) if lost else (Remedy.REFUND_BETS, Remedy.LOSE_BETS),
        chooser=Chooser.PIT_BOSS,
    )


def contact(state: BankedState, fact: Declared) -> None:
    """TPC-PLE-1, -2: the pit boss rules on each of the two, since one of them may have done nothing; whoever was in it
    in an earlier hand may be sent from the table. Where three hands or more touched, each further one is named with one
    of those that are dead already."""
    rules = state.rulebook.errors.contact
    if rules is None or not contact_applies(state):
        state.refuse(Refusal.NOT_OFFERED, rules.clause if rules is not None else None)
        return
    named = two_in_contact(state, fact, seats_in_hand(state), rules.clause)
    if named is None:
        return
    (one, other), found = named
    outcome, both = contact_outcome(state), f"seat-{one}+seat-{other}"
    for seat in found:
        carried_out(state, replace(outcome, observed=both, seats=(seat,)))
    for seat in found:
        state.seats.withdraw(seat)
        state.say(SeatWithdrawn(seat=seat, clause=rules.clause))
        state.deal.drop(SEATS[seat - 1])
    for seat in found:
        if _counted(state, seat, Declaration.CARDS_IN_CONTACT) > 1:
            carried_out(
                state,
                Outcome(
                    clause=rules.again,
                    expected="cards-apart",
                    observed=f"contact-again-seat-{seat}",
                    remedies=(Remedy.CONTINUE, Remedy.EXPEL),
                    chooser=Chooser.PIT_BOSS,
                    seats=(seat,),
                ),
            )
    after_a_seat_left(state, rules.clause)


# --- cards and words that are shared ---------------------------------------------------------------------------------


def own_cards_apply(state: BankedState) -> bool:
    """Whether a player can have turned up his own cards, and the document says what then."""
    return state.rulebook.errors.conduct.own_cards_shown is not None and bool(seats_in_hand(state))


def own_cards_outcome(state: BankedState) -> Outcome:
    """TPC-PLE-3: by mistake; the hand stands."""
    clause = state.rulebook.errors.conduct.own_cards_shown
    assert clause is not None
    return noted(clause, expected="cards-hidden", observed="own-cards-shown")


def own_cards_shown(state: BankedState, fact: Declared) -> None:
    """TPC-PLE-3."""
    clause = state.rulebook.errors.conduct.own_cards_shown
    if clause is None or not own_cards_apply(state):
        state.refuse(Refusal.NOT_OFFERED, clause)
        return
    seat = one_seat(state, fact, seats_in_hand(state), clause)
    if seat is not None:
        carried_out(state, _of_seat(own_cards_outcome(state), seat))


def talk_applies(state: BankedState) -> bool:
    """Whether somebody has cards that he could show or speak of."""
    return bool(seats_in_hand(state))


def showed_outcome(state: BankedState) -> Outcome:
    """TPC-PLY-7, THB-PLY-3: cards shown to others."""
    return _warning(state.rulebook.errors.conduct.showed_cards, "showed-cards")


def commented_outcome(state: BankedState) -> Outcome:
    """TPC-PLY-8, THB-PLY-4: words on the hand in play."""
    return _warning(state.rulebook.errors.conduct.commented, "commented")


def showed_cards(state: BankedState, fact: Declared) -> None:
    """TPC-PLY-7, THB-PLY-3."""
    _warned(state, fact, showed_outcome(state))


def commented(state: BankedState, fact: Declared) -> None:
    """TPC-PLY-8, THB-PLY-4."""
    _warned(state, fact, commented_outcome(state))


def _warning(clause: str, observed: str) -> Outcome:
    return Outcome(
        clause=clause,
        expected="cards-hidden",
        observed=observed,
        remedies=(Remedy.WARN,),
        severity=Severity.NOTICE,
    )


def _warned(state: BankedState, fact: Declared, outcome: Outcome) -> None:
    """The document has no penalty: a warning; repeated, the pit boss has it (AMB-36)."""
    if not talk_applies(state):
        state.refuse(Refusal.NOT_OFFERED, outcome.clause)
        return
    seat = one_seat(state, fact, seats_in_hand(state), outcome.clause)
    if seat is None:
        return
    outcome = _of_seat(outcome, seat)
    if _counted(state, seat, fact.what) > 1 and state.rulebook.errors.conduct.warns:
        outcome = replace(
            outcome,
            remedies=(Remedy.WARN, Remedy.EXPEL),
            chooser=Chooser.PIT_BOSS,
            severity=Severity.ALERT,
        )
    carried_out(state, outcome)


# --- bets of people who stand ----------------------------------------------------------------------------------------


def standing_applies(state: BankedState) -> bool:
    """Whether somebody can bet on a seat's hand with one key: no amounts are entered, and there is a seat."""
    return (
        state.rulebook.standing is not None
        and not state.amounts
        and state.phase.kind is Kind.BETTING
        and bool(state.seats)
    )


def standing_outcome(state: BankedState) -> Outcome:
    """TPC-PLY-3: for the pit boss to approve."""
    rules = state.rulebook.standing
    assert rules is not None
    return Outcome(
        clause=rules.approval,
        expected="approval",
        observed=STANDING,
        remedies=(Remedy.APPROVE, Remedy.REJECT),
        chooser=Chooser.PIT_BOSS,
        severity=Severity.NOTICE,
    )


def standing_bet(state: BankedState, fact: Declared) -> None:
    """TPC-PLY-2: whoever declares it says that the seated player consents."""
    clause = state.rulebook.errors.no_standing
    if not standing_applies(state):
        state.refuse(Refusal.NOT_OFFERED, clause)
        return
    seat = one_seat(state, fact, state.seats.order, clause)
    if seat is not None:
        entry = {state.rulebook.entry_bet: None}
        back_betting.asked_for(state, StandingBet(at_us=fact.at_us, seat=seat, amounts=entry, consent=True))


# --- bets that may not lie there -------------------------------------------------------------------------------------


def not_chips_applies(state: BankedState) -> bool:
    """Whether bets lie on the layout that are not settled yet."""
    return state.phase.kind not in (Kind.IDLE, Kind.SETTLING, Kind.VOIDED) and bool(seats_with_bets(state))


def not_chips_outcome(state: BankedState) -> Outcome:
    """TPC-LIM-1, THB-LIM-1: only chips count. Before "no va más" the bet goes back; later the pit boss has it."""
    return _not_chips_of(state, seats_with_bets(state))


def _not_chips_of(state: BankedState, seats: Iterable[int]) -> Outcome:
    """Where the bet is one beside that which the hand needs, it alone can be rejected."""
    outcome = _unfit(state, state.rulebook.errors.conduct.not_chips, "chips", "not-chips")
    if outcome.chooser is Chooser.RULE or not any(refunds.open_side_bets(state, seat) for seat in seats):
        return outcome
    proposed, *others = outcome.remedies
    return replace(outcome, remedies=(proposed, Remedy.REFUND_SIDE_BET, *others))


def not_chips(state: BankedState, fact: Declared) -> None:
    """TPC-LIM-1, THB-LIM-1."""
    clause = state.rulebook.errors.conduct.not_chips
    if not not_chips_applies(state):
        state.refuse(Refusal.NOT_OFFERED, clause)
        return
    seat = one_seat(state, fact, seats_with_bets(state), clause)
    if seat is not None:
        _unfit_bet(state, _of_seat(_not_chips_of(state, (seat,)), seat), seat)


def two_boxes_apply(state: BankedState) -> bool:
    """Whether one player can be at two boxes, and the document forbids it."""
    is_forbidden = state.rulebook.errors.conduct.two_boxes is not None
    return is_forbidden and not_chips_applies(state) and len(seats_with_bets(state)) > 1


def two_boxes_outcome(state: BankedState) -> Outcome:
    """THB-PLY-2: one box a player. Before "no va más" the second one's bets go back; later the pit boss has it."""
    clause = state.rulebook.errors.conduct.two_boxes
    assert clause is not None
    return _unfit(state, clause, "one-box", "two-boxes")


def two_boxes(state: BankedState, fact: Declared) -> None:
    """THB-PLY-2."""
    clause = state.rulebook.errors.conduct.two_boxes
    if clause is None or not two_boxes_apply(state):
        state.refuse(Refusal.NOT_OFFERED, clause)
        return
    found = two_seats(state, fact, seats_with_bets(state), clause)
    if found is None:
        return
    both = f"seat-{found[0]}+seat-{found[1]}"
    _unfit_bet(state, replace(two_boxes_outcome(state), observed=both, seats=(found[1],)), found[1])


def _unfit(state: BankedState, clause: str, expected: str, observed: str) -> Outcome:
    in_time = state.phase.kind is Kind.BETTING
    return Outcome(
        clause=clause,
        expected=expected,
        observed=observed,
        remedies=(Remedy.REFUND_BETS,) if in_time else (Remedy.CONTINUE, Remedy.VOID_SEAT),
        chooser=Chooser.RULE if in_time else Chooser.PIT_BOSS,
    )


def _unfit_bet(state: BankedState, outcome: Outcome, seat: int) -> None:
    incident = carried_out(state, outcome)
    if incident.chooser is Chooser.RULE:
        seat_out(state, seat)


# --- of which seat? ---------------------------------------------------------------------------------------------------


def _of_seat(outcome: Outcome, seat: int) -> Outcome:
    return replace(outcome, observed=f"{outcome.observed}-seat-{seat}", seats=(seat,))


def _counted(state: BankedState, seat: int, what: Declaration) -> int:
    """How often it happened at this seat, this time too."""
    times = state.conduct.get((seat, what), 0) + 1
    state.conduct[seat, what] = times
    return times


def seats_asked(state: BankedState, what: Declaration) -> tuple[int, ...]:
    """The seats that a declaration can be about; in a circle game each module of errors says so itself."""
    if what is Declaration.CARDS_IN_CONTACT:
        return may_touch(state, seats_in_hand(state))
    bets = what in (Declaration.NOT_CHIPS, Declaration.TWO_BOXES, Declaration.STANDING_BET)
    return seats_with_bets(state) if bets else seats_in_hand(state)

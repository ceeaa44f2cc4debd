"""People who stand behind a seat and bet on its hand (TPC-PLY-2 to -6, AMB-41): asked for, approved, and bound by what
the seated player decides."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from tablectl.core.engine.clauses import Standing
from tablectl.core.engine.decisions import BetTaken, Folded, Refund
from tablectl.core.engine.facts import StandingBet, StandsOut
from tablectl.core.engine.incidents import close, raise_incident
from tablectl.core.engine.pending import STANDING, Incident
from tablectl.core.engine.rulebook import IN_HAND, Kind
from tablectl.core.engine.seats import SEATED, Bettor
from tablectl.core.engine.vocabulary import Chooser, Refusal, Remedy, Severity
from tablectl.families.banked.state import BankedState


def asked_for(state: BankedState, fact: StandingBet) -> None:
    """A standing bet: with the seated player's consent, and in any case for the pit boss to approve (TPC-PLY-2, -3).
    The table does not wait for him; what he has not approved by "no va más" is not taken."""
    rules, spot = state.rulebook.standing, f"seat-{fact.seat}"
    if rules is None:
        state.refuse(Refusal.STANDING_BET, state.rulebook.errors.no_standing, spot)
    elif state.phase.kind is not Kind.BETTING:
        state.refuse(Refusal.BETS_CLOSED, state.rulebook.errors.too_early_entry)
    elif state.held:
        state.refuse(Refusal.HELD)
    elif fact.seat not in state.seats:
        state.refuse(Refusal.NO_ANTE, rules.consent, spot)
    elif not fact.consent:
        state.refuse(Refusal.NO_CONSENT, rules.consent, spot)
    elif SEATED + len(state.seats[fact.seat].standing) + _n_requests(state, fact.seat) >= rules.most_bettors:
        state.refuse(Refusal.BOX_FULL, rules.most, spot)
    elif (wrong := _wrong(state, rules, fact)) is not None:
        state.refuse(*wrong)
    else:
        raise_incident(
            state,
            clause=rules.approval,
            expected="approval",
            observed=f"{STANDING}-{spot}",
            remedies=(Remedy.APPROVE, Remedy.REJECT),
            chooser=Chooser.PIT_BOSS,
            severity=Severity.NOTICE,
            seats=(fact.seat,),
            request=fact,
        )


def taken_of_box(state: BankedState, seat: int) -> int | None:
    """How much of the limit of an entry bet is taken for another one who stands behind this seat; None where nobody
    else can (TPC-PLY-4)."""
    rules = state.rulebook.standing
    if rules is None or SEATED + len(state.seats[seat].standing) + _n_requests(state, seat) >= rules.most_bettors:
        return None
    return _in_box(state, seat, state.rulebook.entry_bet) if rules.sum_of_box else 0


def _n_requests(state: BankedState, seat: int) -> int:
    return sum(seat in incident.seats for incident in state.requests.values())


def _wrong(state: BankedState, rules: Standing, fact: StandingBet) -> tuple[Refusal, str | None, str] | None:
    """What is wrong with the bets of a standing bettor, each by itself and, where the house has it so, the box's."""
    if state.rulebook.entry_bet not in fact.amounts:
        return (Refusal.NO_ANTE, state.rulebook.bets[state.rulebook.entry_bet].clause, "")
    for name, amount in fact.amounts.items():
        rule = state.rulebook.bets.get(name)
        if rule is None or rule.multiple_of is not None:
            return (Refusal.UNKNOWN_BET, rule.clause if rule else state.rulebook.errors.no_such_bet, name)
        if not state.amounts:
            if amount is not None:
                return (Refusal.AMOUNT_AT_PRESENCE, None, name)
            continue
        if amount is None:
            return (Refusal.NO_AMOUNT, rule.clause, name)
        limits = state.setup.limits[name]
        if amount < limits.least:
            return (Refusal.OUTSIDE_LIMITS, rule.limits_clause, f"{name}={amount} limits={limits.least}..{limits.most}")
        in_all = amount + _in_box(state, fact.seat, name) if rules.sum_of_box else amount
        if in_all > limits.most:
            return (Refusal.OUTSIDE_LIMITS, rules.limits, f"{name}={in_all} limits={limits.least}..{limits.most}")
    return None


def _in_box(state: BankedState, seat: int, bet: str) -> int:
    """What lies in the box for a bet already, of everybody, and what has been asked for."""
    there = sum(bets.get(bet) or 0 for _, bets in state.seats[seat].everybody())
    asked = (
        incident.request.amounts for incident in state.requests.values() if incident.request and seat in incident.seats
    )
    return there + sum(amounts.get(bet) or 0 for amounts in asked)


def room(state: BankedState, seat: int, bet: str) -> int:
    """How much of a bet those who stand behind a seat have there or have asked for, where box and limit are one
    (TPC-PLY-4)."""
    rules, there = state.rulebook.standing, state.seats.get(seat)
    if rules is None or there is None or not rules.sum_of_box:
        return 0
    return _in_box(state, seat, bet) - (there.bets.get(bet) or 0)


def approved(state: BankedState, incident: Incident) -> None:
    """TPC-PLY-3: the pit boss lets the bet stand."""
    request = incident.request
    assert request is not None
    if request.seat not in state.seats or state.phase.kind is not Kind.BETTING:
        return
    standing = state.seats[request.seat].standing
    number = next(free for free in range(SEATED + 1, SEATED + 2 + len(standing)) if free not in standing)
    bets: Mapping[str, int | None] = request.amounts
    standing[number] = Bettor(dict(bets))
    for name, amount in bets.items():
        state.say(BetTaken(seat=request.seat, bet=name, amount=amount, bettor=number))


def bets_closed(state: BankedState) -> None:
    """ "No va más": what nobody has ruled on is not taken."""
    for incident in list(state.requests.values()):
        close(state, incident, Remedy.REJECT, Chooser.RULE)


def stands_out(state: BankedState, fact: StandsOut) -> None:
    """A standing bettor does not add a second bet of his own: he loses what he has there (AMB-41). Until the next
    common card is out."""
    held = state.seats.get(fact.seat)
    bettor = held.standing.get(fact.bettor) if held is not None and held.stays else None
    if bettor is None:
        state.refuse(Refusal.UNKNOWN_SEAT, detail=f"{fact.seat}/{fact.bettor}")
    elif bettor.out or not may_stand_out(state):
        state.refuse(Refusal.BETS_CLOSED, state.rulebook.errors.too_early_entry)
    else:
        bettor.out = True
        for name in [name for name in bettor.bets if state.rulebook.bets[name].multiple_of is not None]:
            del bettor.bets[name]
        state.say(Folded(seat=fact.seat, bettor=fact.bettor))


def has_anybody_stood_out(state: BankedState) -> bool:
    """Whether a standing bettor loses what he has there, and it is not settled yet."""
    return state.phase.kind in IN_HAND and any(bettor.out and bettor.bets for _, _, bettor in _standing(state))


def give_back(state: BankedState) -> None:
    """AMB-41: the pit boss gives the bets of those who stood out back; what was settled in mid-hand stays."""
    early = {(bet.seat, bet.bettor, bet.bet) for bet in state.settled_early}
    for seat, number, bettor in [found for found in _standing(state) if found[2].out]:
        for name, amount in bettor.bets.items():
            if (seat, number, name) not in early:
                state.say(Refund(seat=seat, bet=name, amount=amount, bettor=number))
        bettor.bets = {name: amount for name, amount in bettor.bets.items() if (seat, number, name) in early}


def _standing(state: BankedState) -> Iterator[tuple[int, int, Bettor]]:
    for seat, held in state.seats.items():
        for number, bettor in held.standing.items():
            yield seat, number, bettor


def may_stand_out(state: BankedState) -> bool:
    """Whether somebody who stands can still say that he does not go on: until the next common card is out."""
    match state.phase.kind:
        case Kind.DECIDING | Kind.CLAIMING | Kind.PAYING:
            return True
        case Kind.DEALING:
            return state.deal.next == 0 or not any(
                bet.multiple_of is not None and name in held.bets
                for name, bet in state.rulebook.bets.items()
                for _, held in state.seats.items()
            )
        case _:
            return False

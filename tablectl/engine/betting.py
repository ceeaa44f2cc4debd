"""Bets before the deal, and each seat's decision in turn."""

from __future__ import annotations

from tablectl.engine.decisions import BetsReturned, BetTaken, Checked, Folded
from tablectl.engine.facts import Bets, Removed
from tablectl.engine.incidents import void_hand
from tablectl.engine.rulebook import BetRule, Choice, Kind
from tablectl.engine.state import State
from tablectl.engine.words import Key, Refusal


def bets(state: State, fact: Bets) -> None:
    """Chips of one seat, named. All of them are taken or none (THB-LIM-2, THB-DEV-2, THB-DEV-3)."""
    rules = state.rulebook
    if not 1 <= fact.seat <= min(rules.max_seats, state.setup.seats):
        state.refuse(Refusal.UNKNOWN_SEAT, rules.misdeals.no_such_seat, str(fact.seat))
    elif state.held:
        state.refuse(Refusal.HELD)
    elif state.phase.kind is Kind.BETTING:
        _before_the_deal(state, fact)
    elif state.phase.choice is not None and set(fact.amounts) == {state.phase.choice.bet}:
        _in_turn(state, fact, state.phase.choice)
    else:
        state.refuse(Refusal.BETS_CLOSED, rules.misdeals.too_early_entry)


def _before_the_deal(state: State, fact: Bets) -> None:
    there = state.seats.get(fact.seat)
    wanted = {**(there.bets if there else {}), **fact.amounts}
    for name, amount in fact.amounts.items():
        wrong = _wrong(state, name, amount, wanted)
        if wrong is not None:
            state.refuse(*wrong)
            return
    if state.rulebook.entry_bet not in wanted:
        state.refuse(Refusal.NO_ANTE, state.rulebook.bets[state.rulebook.entry_bet].clause)
        return
    if there is None:
        there = state.seats.sit(fact.seat)
    for name, amount in fact.amounts.items():
        there.bets[name] = amount
        state.say(BetTaken(seat=fact.seat, bet=name, amount=amount))


def _wrong(
    state: State, name: str, amount: int | None, wanted: dict[str, int | None]
) -> tuple[Refusal, str | None, str] | None:
    rule = state.rulebook.bets.get(name)
    if rule is None or rule.multiple_of is not None:
        return (Refusal.UNKNOWN_BET, rule.clause if rule else state.rulebook.misdeals.no_such_bet, name)
    if rule.needs is not None and rule.needs not in wanted:
        return (Refusal.NO_ANTE, rule.needs_clause, name)
    return _wrong_amount(state, rule, amount)


def _wrong_amount(state: State, rule: BetRule, amount: int | None) -> tuple[Refusal, str | None, str] | None:
    if not state.amounts:
        return None if amount is None else (Refusal.AMOUNT_AT_PRESENCE, None, rule.name)
    if amount is None:
        return (Refusal.NO_AMOUNT, rule.clause, rule.name)
    limits = state.setup.limits[rule.name]
    if not limits.least <= amount <= limits.most:
        detail = f"{rule.name}={amount} limits={limits.least}..{limits.most}"
        return (Refusal.OUTSIDE_LIMITS, rule.limits_clause, detail)
    return None


def _in_turn(state: State, fact: Bets, choice: Choice) -> None:
    if fact.seat != state.turn:
        state.refuse(Refusal.NOT_IN_TURN, state.rulebook.misdeals.out_of_turn, f"turn=seat-{state.turn}")
        return
    due = _due(state, fact.seat, choice.bet)
    if fact.amounts[choice.bet] != due:
        state.refuse(Refusal.WRONG_MULTIPLE, choice.clause, f"{choice.bet}={fact.amounts[choice.bet]} due={due}")
        return
    stake(state, choice)


def _due(state: State, seat: int, bet: str) -> int | None:
    """What a bet that is a multiple of another must be: THB-DEV-11 twice the ante, THB-DEV-15 and -20 the ante."""
    multiple = state.rulebook.bets[bet].multiple_of
    assert multiple is not None, "only such bets are made in turn"
    other, times = multiple
    base = state.seats[seat].bets[other]
    return None if base is None else times * base


def removed(state: State, fact: Removed) -> None:
    """A seat takes its bets back; possible until "no va más" (THB-DEV-6)."""
    if state.held:
        state.refuse(Refusal.HELD)
    elif state.phase.kind is not Kind.BETTING:
        state.refuse(Refusal.BETS_CLOSED, state.rulebook.misdeals.too_early_entry)
    elif fact.seat not in state.seats:
        state.refuse(Refusal.UNKNOWN_SEAT, detail=str(fact.seat))
    else:
        state.seats.stand((fact.seat,))
        state.say(BetsReturned(seat=fact.seat))


def seat_key(state: State, seat: int, *, bonus: str | None) -> None:
    """A seat's key before the deal: in or out; with amounts, the same bets as in the last hand, or out."""
    there = state.seats.get(seat)
    if bonus is not None:
        before = state.previous.get(seat, {}).get(bonus)
        bets(state, Bets(at_us=0, seat=seat, amounts={bonus: before if state.amounts else None}))
    elif there is not None:
        removed(state, Removed(at_us=0, seat=seat))
    elif not state.amounts:
        bets(state, Bets(at_us=0, seat=seat, amounts={state.rulebook.entry_bet: None}))
    else:
        again(state, (seat,))


def again(state: State, seats: tuple[int, ...]) -> None:
    """The same bets as in the last hand, for seats that had any and have none yet."""
    waiting = [seat for seat in seats if can_repeat(state, seat)]
    if not waiting:
        state.refuse(Refusal.NO_PREVIOUS_BET)
    for seat in waiting:
        bets(state, Bets(at_us=0, seat=seat, amounts=state.previous[seat]))


def can_repeat(state: State, seat: int) -> bool:
    """Whether a seat has no bets yet, and some in the last hand."""
    return bool(state.previous.get(seat)) and seat not in state.seats


def stake(state: State, choice: Choice) -> None:
    """The seat in turn makes the bet it is asked for."""
    seat = state.turn
    assert seat is not None
    amount = _due(state, seat, choice.bet)
    state.seats[seat].bets[choice.bet] = amount
    state.say(BetTaken(seat=seat, bet=choice.bet, amount=amount))
    _next(state, seat)


def decline(state: State, choice: Choice) -> None:
    """The seat in turn folds (THB-DEV-12) or checks (THB-DEV-16, -21), whichever the phase leaves it."""
    seat = state.turn
    assert seat is not None
    if choice.otherwise is Key.FOLD:
        state.seats.fold(seat)
        state.say(Folded(seat=seat))
    else:
        state.say(Checked(seat=seat))
    _next(state, seat)


def all_the_same(state: State, choice: Choice, *, betting: bool) -> None:
    """Every seat that has not decided yet does the same: one press for a whole table that stays."""
    for _ in [seat for seat in state.staying if seat not in state.decided]:
        if betting:
            stake(state, choice)
        else:
            decline(state, choice)


def _next(state: State, seat: int) -> None:
    state.decided.add(seat)
    if state.turn is None:
        state.fire("decided")


def after_a_seat_left(state: State, clause: str) -> None:
    """A seat was voided: every seat void means no hand; nobody left to decide means that all have decided; and where
    the others have folded, no common card is dealt any more."""
    if state.seats.all_void:
        void_hand(state, clause)
    elif state.phase.kind is Kind.DECIDING and state.turn is None:
        state.fire("decided")
    elif state.machine.refusal("nobody-stays", state) is None:
        state.fire("nobody-stays")

"""Bets before the deal, and each seat's decision in turn."""

from __future__ import annotations

from collections.abc import Mapping

from tablectl.core.engine.decisions import BetsReturned, BetTaken, Checked, Folded, LeftToBoxes
from tablectl.core.engine.facts import Bets, Removed
from tablectl.core.engine.incidents import close, void_hand
from tablectl.core.engine.rulebook import DEALT, Choice, Kind
from tablectl.core.engine.seats import SEATED
from tablectl.core.engine.vocabulary import Chooser, Key, Refusal, Remedy
from tablectl.families.banked import back_betting
from tablectl.families.banked.rulebook import BetRule
from tablectl.families.banked.state import BankedState


def bets(state: BankedState, fact: Bets) -> None:
    """Chips of one seat, named. All of them are taken or none (THB-LIM-2, THB-DEV-2, THB-DEV-3)."""
    rules = state.rulebook
    if not 1 <= fact.seat <= min(rules.max_seats, state.setup.seats):
        state.refuse(Refusal.UNKNOWN_SEAT, rules.errors.no_such_seat, str(fact.seat))
    elif state.held:
        state.refuse(Refusal.HELD)
    elif state.phase.kind is Kind.BETTING:
        _before_the_deal(state, fact)
    elif state.phase.choice is not None and set(fact.amounts) == {state.phase.choice.bet}:
        _in_turn(state, fact, state.phase.choice)
    else:
        state.refuse(Refusal.BETS_CLOSED, rules.errors.too_early_entry)


def _before_the_deal(state: BankedState, fact: Bets) -> None:
    there = state.seats.get(fact.seat)
    wanted = {**(there.bets if there else {}), **fact.amounts}
    for name, amount in fact.amounts.items():
        wrong = _wrong(state, fact.seat, name, amount, wanted)
        if wrong is not None:
            state.refuse(*wrong)
            return
    if state.rulebook.entry_bet not in wanted:
        state.refuse(Refusal.NO_ANTE, state.rulebook.bets[state.rulebook.entry_bet].clause)
        return
    if not fact.amounts:
        state.refuse(Refusal.NO_AMOUNT, state.rulebook.bets[state.rulebook.entry_bet].clause, str(fact.seat))
        return
    if there is None:
        there = state.seats.sit(fact.seat)
    for name, amount in fact.amounts.items():
        there.bets[name] = amount
        state.say(BetTaken(seat=fact.seat, bet=name, amount=amount))


def _wrong(
    state: BankedState, seat: int, name: str, amount: int | None, wanted: dict[str, int | None]
) -> tuple[Refusal, str | None, str] | None:
    rule = state.rulebook.bets.get(name)
    if rule is None or rule.multiple_of is not None:
        return (Refusal.UNKNOWN_BET, rule.clause if rule else state.rulebook.errors.no_such_bet, name)
    if rule.needs is not None and rule.needs not in wanted:
        return (Refusal.NO_ANTE, rule.needs_clause, name)
    return _wrong_amount(state, seat, rule, amount)


def _wrong_amount(
    state: BankedState, seat: int, rule: BetRule, amount: int | None
) -> tuple[Refusal, str | None, str] | None:
    if not state.amounts:
        return None if amount is None else (Refusal.AMOUNT_AT_PRESENCE, None, rule.name)
    if amount is None:
        return (Refusal.NO_AMOUNT, rule.clause, rule.name)
    limits = state.setup.limits[rule.name]
    if not limits.least <= amount <= limits.most:
        detail = f"{rule.name}={amount} limits={limits.least}..{limits.most}"
        return (Refusal.OUTSIDE_LIMITS, rule.limits_clause, detail)
    standing = back_betting.room(state, seat, rule.name)
    if standing and amount + standing > limits.most:
        # TPC-PLY-4: who stands behind the box was there first; together they stay within its greatest bet.
        assert state.rulebook.standing is not None
        detail = f"{rule.name}={amount + standing} limits={limits.least}..{limits.most}"
        return (Refusal.OUTSIDE_LIMITS, state.rulebook.standing.limits, detail)
    return None


def _in_turn(state: BankedState, fact: Bets, choice: Choice) -> None:
    waiting = fact.seat in state.staying and fact.seat not in state.decided
    if not waiting or (choice.in_turn and fact.seat != state.turn):
        state.refuse(Refusal.NOT_IN_TURN, state.rulebook.errors.out_of_turn, f"turn=seat-{state.turn}")
        return
    wanted = due(state, state.seats[fact.seat].bets, choice.bet)
    if fact.amounts[choice.bet] != wanted:
        state.refuse(Refusal.WRONG_MULTIPLE, choice.clause, f"{choice.bet}={fact.amounts[choice.bet]} due={wanted}")
        return
    state.chosen = fact.seat
    stake(state, choice)


def due(state: BankedState, bets: Mapping[str, int | None], bet: str) -> int | None:
    """What a bet that is a multiple of another must be: THB-DEV-11 twice the ante, THB-DEV-15 and -20 the ante,
    TPC-DEV-9 twice the ante."""
    multiple = state.rulebook.bets[bet].multiple_of
    assert multiple is not None, "only such bets are made in turn"
    other, times = multiple
    base = bets[other]
    return None if base is None else times * base


def removed(state: BankedState, fact: Removed) -> None:
    """A seat takes its bets back; possible until "no va más" (THB-DEV-6)."""
    if state.held:
        state.refuse(Refusal.HELD)
    elif state.phase.kind is not Kind.BETTING:
        state.refuse(Refusal.BETS_CLOSED, state.rulebook.errors.too_early_entry)
    elif fact.seat not in state.seats:
        state.refuse(Refusal.UNKNOWN_SEAT, detail=str(fact.seat))
    elif fact.bettor == SEATED:
        seat_out(state, fact.seat)
    elif fact.bettor not in state.seats[fact.seat].standing:
        state.refuse(Refusal.UNKNOWN_SEAT, detail=f"{fact.seat}/{fact.bettor}")
    else:
        del state.seats[fact.seat].standing[fact.bettor]
        state.say(BetsReturned(seat=fact.seat, bettor=fact.bettor))


def seat_out(state: BankedState, seat: int) -> None:
    """Everything in the box goes back, that of those who stand behind it too; requests to join it are void."""
    state.seats.stand((seat,))
    state.say(BetsReturned(seat=seat))
    for incident in [request for request in state.requests.values() if seat in request.seats]:
        close(state, incident, Remedy.REJECT, Chooser.RULE)


def seat_key(state: BankedState, seat: int, *, extra: str | None) -> None:
    """A seat's key before the deal: in or out; with amounts, the same bets as in the last hand, or out."""
    there = state.seats.get(seat)
    if extra is not None:
        before = state.previous.get(seat, {}).get(extra)
        bets(state, Bets(at_us=0, seat=seat, amounts={extra: before if state.amounts else None}))
    elif there is not None:
        removed(state, Removed(at_us=0, seat=seat))
    elif not state.amounts:
        bets(state, Bets(at_us=0, seat=seat, amounts={state.rulebook.entry_bet: None}))
    else:
        again(state, (seat,))


def again(state: BankedState, seats: tuple[int, ...]) -> None:
    """The same bets as in the last hand, for seats that had any and have none yet."""
    waiting = [(seat, amounts) for seat in seats if (amounts := repeatable(state, seat))]
    if not waiting:
        state.refuse(Refusal.NO_PREVIOUS_BET)
    for seat, amounts in waiting:
        bets(state, Bets(at_us=0, seat=seat, amounts=amounts))


def repeatable(state: BankedState, seat: int) -> Mapping[str, int | None]:
    """The bets of the last hand that a seat can make again: all of them where it has none yet; at presence, where it is
    in already, the others."""
    before, there = state.previous.get(seat, {}), state.seats.get(seat)
    if state.amounts:
        return before if there is None else {}
    return {} if there is None else {name: None for name in before if name not in there.bets}


def may_repeat(state: BankedState, seat: int) -> bool:
    """Whether it has such bets, and they are within the limits that are in force now (THB-LIM-2, TPC-LIM-2)."""
    before = repeatable(state, seat)
    bets_of, limits = state.rulebook.bets, state.setup.limits
    return bool(before) and all(
        amount is None or name not in bets_of or limits[name].least <= amount <= limits[name].most
        for name, amount in before.items()
    )


def stake(state: BankedState, choice: Choice) -> None:
    """The seat in turn makes the bet it is asked for."""
    seat = state.turn
    assert seat is not None
    held = state.seats[seat]
    amount = held.bets[choice.bet] = due(state, held.bets, choice.bet)
    state.say(BetTaken(seat=seat, bet=choice.bet, amount=amount))
    for bettor, standing in held.standing.items():
        # TPC-PLY-6: the seated player decides for the box, and each adds to his own bet (AMB-41).
        if not standing.out:
            amount = standing.bets[choice.bet] = due(state, standing.bets, choice.bet)
            state.say(BetTaken(seat=seat, bet=choice.bet, amount=amount, bettor=bettor))
    _next(state, seat)


def decline(state: BankedState, choice: Choice) -> None:
    """The seat in turn folds (THB-DEV-12, TPC-DEV-10) or checks (THB-DEV-16, -21), whichever the phase leaves it."""
    seat = state.turn
    assert seat is not None
    if choice.otherwise is Key.FOLD:
        state.seats.fold(seat)
        state.say(Folded(seat=seat))
    else:
        state.say(Checked(seat=seat))
    _next(state, seat)


def all_the_same(state: BankedState, choice: Choice, *, betting: bool) -> None:
    """Every seat that has not decided yet does the same: one press for a whole table that stays."""
    state.chosen = None
    for _ in [seat for seat in state.staying if seat not in state.decided]:
        if betting:
            stake(state, choice)
        else:
            decline(state, choice)


def can_leave_to_boxes(state: BankedState) -> bool:
    """Whether it need not be entered who bets: no amounts are, and nobody leaves the hand by not betting."""
    choice = state.phase.choice
    return choice is not None and choice.otherwise is Key.CHECK and not state.amounts


def leave_to_boxes(state: BankedState, choice: Choice) -> None:
    """All have decided (THB-DEV-16, -21: who checks stays), and what lies in the boxes is seen at the settlement: one
    press for a whole table, whatever each of them does."""
    state.say(LeftToBoxes(bet=choice.bet))
    for seat in [seat for seat in state.staying if seat not in state.decided]:
        state.seats[seat].bets[choice.bet] = None
        state.decided.add(seat)
    state.fire("decided")


def _next(state: BankedState, seat: int) -> None:
    state.decided.add(seat)
    state.chosen = None
    if state.decided.issuperset(state.staying):
        state.fire("decided")


def after_a_seat_left(state: BankedState, clause: str) -> None:
    """A seat was voided: every seat void means no hand; nobody left to decide means that all have decided; and where
    the others have folded, no common card is dealt any more. What its cards are is not asked any more either."""
    if state.phase.kind in (Kind.CLAIMING, Kind.SETTLING):
        there = (None, *state.staying, *state.rulebook.shows(state))
        state.unnamed = [draw for draw in state.unnamed if draw.slot is None or draw.slot.seat in there]
    if state.seats.all_void:
        void_hand(state, clause)
    elif state.phase.kind is Kind.DEALING and state.staying and state.deal.due is None:
        state.fire(DEALT)
    elif state.phase.kind is Kind.DECIDING and state.turn is None:
        state.fire("decided")
    elif not state.staying and state.machine.refusal("nobody-stays", state) is None:
        state.fire("nobody-stays")

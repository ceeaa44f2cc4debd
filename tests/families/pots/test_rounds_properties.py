"""Whatever legal thing is done in whatever order, at every structure and with every choice of a house."""

from __future__ import annotations

from collections.abc import Iterator
from copy import deepcopy
from dataclasses import replace
from itertools import chain
from typing import Final

from hypothesis import given
from hypothesis import strategies as st

from tablectl.core.engine.vocabulary import Action
from tablectl.core.options.holdem import Structure
from tablectl.core.options.pots import MinimumRaise, ShortAllIn
from tablectl.core.settlement.pots import Division, Pot, divide
from tablectl.families.pots.betting.legal import Done, Wrong
from tablectl.families.pots.betting.limits import BettingRules
from tablectl.families.pots.betting.rounds import Rounds

BIG_BLIND: Final = 10
ROUNDS: Final = 4
#: What a seat does, drawn beside it: how far between the bounds a raise goes, in per cent.
STEPS: Final = ("fold", "check or call", "check or call", "raise", "raise", "all-in", "out of turn", "dead", "returned")
Step = tuple[str, int]

stacks_of = st.lists(st.one_of(st.none(), st.integers(1, 400)), min_size=2, max_size=10)
steps_of = st.lists(st.tuples(st.sampled_from(STEPS), st.integers(0, 100)), max_size=60)
rules_of = st.builds(
    BettingRules,
    structure=st.sampled_from(Structure),
    minimum_raise=st.sampled_from(MinimumRaise),
    short_all_in=st.sampled_from(ShortAllIn),
    least_bet=st.just(BIG_BLIND),
    most_bet=st.sampled_from((None, 60, 500)),
    units=st.just((10, 10, 20, 20)),
    amounts=st.booleans(),
)


def snapshot(rounds: Rounds) -> dict[str, object]:
    """Everything that the hand holds, but for what it could take back."""
    names = chain.from_iterable(getattr(kind, "__slots__", ()) for kind in type(rounds).__mro__)
    return {name: deepcopy(getattr(rounds, name)) for name in names if name not in {"_log", "rules"}}


def begun(rules: BettingRules, stacks: list[int | None], ante: int = 0) -> Rounds:
    """Blinds posted by seats 1 and 2, before the first round."""
    rounds = Rounds(rules, range(1, len(stacks) + 1), dict(enumerate(stacks, start=1)))
    for seat in rounds.order:
        if ante and rules.amounts:
            rounds.post(seat, ante, live=False)
    for seat, blind in ((1, BIG_BLIND // 2), (2, BIG_BLIND)):
        if not rounds.is_all_in(seat):
            rounds.post(seat, blind if rules.amounts else None, is_full=seat == 2)
    return rounds


def wanted(rounds: Rounds, step: Step) -> tuple[Action, int | None, bool]:
    """The legal action that comes nearest to the step."""
    legal = rounds.legal()
    what, share = step
    passive = (Action.CALL if legal.may_call else Action.CHECK, None, False)
    if what == "fold":
        return Action.FOLD, None, False
    if what == "all-in" and not rounds.rules.amounts:
        return (Action.RAISE if legal.may_raise else passive[0], None, legal.may_raise or legal.may_call)
    if what == "all-in" and legal.may_go_all_in and legal.all_in is not None:
        return Action.ALL_IN, None, False
    if what not in {"raise", "all-in"} or not legal.may_raise:
        return passive
    least = legal.raise_from
    if least is None:
        return Action.RAISE, None, False
    most = 3 * least if legal.raise_to is None else legal.raise_to
    return Action.RAISE, least + (most - least) * share // 100, what == "all-in" and legal.all_in is None


def take(rounds: Rounds, step: Step) -> Done | None:
    """Do it; a step out of turn is for a seat that is not in turn, and None if there is none."""
    what, share = step
    if what not in {"out of turn", "dead", "returned"}:
        action, to, is_all_in = wanted(rounds, step)
        return rounds.act(action, to, is_all_in=is_all_in)
    seats = [seat for seat in rounds.live if seat != rounds.turn and not rounds.is_all_in(seat)]
    if not seats:
        return None
    seat = seats[share % len(seats)]
    if what == "out of turn":
        return rounds.fold_out_of_turn(seat)
    return rounds.leave(seat, returned=what == "returned")


def hand(rounds: Rounds, steps: list[Step]) -> Iterator[Rounds]:
    """All rounds of the hand, whoever has the turn checking or calling when the steps are over; after every step."""
    left = iter(steps)
    for index in range(ROUNDS):
        rounds.open(3 if index == 0 else 1, index)
        yield rounds
        calls = 0
        while rounds.turn is not None:
            step = next(left, None)
            calls += step is None
            assert calls <= len(rounds.order), "the round does not end"
            take(rounds, step or ("check or call", 0))
            yield rounds
        if rounds.is_over:
            return


def played(rounds: Rounds, steps: Iterator[Step]) -> list[tuple[dict[str, object], Done]]:
    """To the end of the round; what was done, and what the hand held before it."""
    done = []
    while rounds.turn is not None:
        before = snapshot(rounds)
        did = take(rounds, next(steps, ("check or call", 0)))
        if did is not None:
            done.append((before, did))
    return done


@given(rules=rules_of, stacks=stacks_of, steps=steps_of, ante=st.sampled_from((0, 3)))
def test_no_chip_is_made_or_lost(rules: BettingRules, stacks: list[int | None], steps: list[Step], ante: int) -> None:
    for rounds in hand(begun(replace(rules, amounts=True), stacks, ante), steps):
        paid = [rounds.put_in(seat) or 0 for seat in rounds.order]
        left = [rounds.stack(seat) for seat in rounds.order]
        assert sum(paid) == rounds.pot
        assert [None if now is None else now + put for now, put in zip(left, paid, strict=True)] == stacks
        assert all(now is None or now >= 0 for now in left)
        division = divide(rounds.stakes())
        pots, returned = (sum(pot.amount for pot in part) for part in (division.pots, division.returned))
        assert pots + returned == rounds.pot


@given(rules=rules_of, stacks=stacks_of, steps=steps_of, ante=st.sampled_from((0, 3)))
def test_thl_end_3_where_all_who_are_in_have_bet_the_same_there_is_one_pot_and_nothing_comes_back(
    rules: BettingRules, stacks: list[int | None], steps: list[Step], ante: int
) -> None:
    for rounds in hand(begun(replace(rules, amounts=True), stacks, ante), steps):
        if rounds.is_level:
            one_pot = Pot(amount=rounds.pot or 0, eligible=tuple(sorted(rounds.live)))
            assert divide(rounds.stakes()) == Division(pots=(one_pot,), returned=())


@given(rules=rules_of, stacks=stacks_of, steps=steps_of)
def test_the_turn_is_never_that_of_a_seat_that_folded_or_is_all_in(
    rules: BettingRules, stacks: list[int | None], steps: list[Step]
) -> None:
    for rounds in hand(begun(rules, stacks), steps):
        seat = rounds.turn
        assert (seat is None) == rounds.is_closed
        if seat is not None:
            assert rounds.is_in(seat)
            assert not rounds.is_all_in(seat)
            assert not rounds.is_over
            assert rounds.stack(seat) != 0


@given(rules=rules_of, stacks=stacks_of, steps=steps_of)
def test_thl_end_1_in_a_closed_round_all_who_are_in_have_put_in_the_same_unless_all_in(
    rules: BettingRules, stacks: list[int | None], steps: list[Step]
) -> None:
    for rounds in hand(begun(replace(rules, amounts=True), stacks), steps):
        able = [seat for seat in rounds.live if not rounds.is_all_in(seat)]
        if rounds.is_closed and not rounds.is_over:
            highest = max(rounds.stake(seat) or 0 for seat in rounds.order)
            due = rounds.high if len(able) > 1 else highest
            assert {rounds.stake(seat) for seat in able} <= {due}
            assert rounds.no_more_betting == (len(able) < 2)


@given(rules=rules_of, stacks=stacks_of, steps=steps_of)
def test_everything_that_was_done_in_a_round_is_taken_back_exactly(
    rules: BettingRules, stacks: list[int | None], steps: list[Step]
) -> None:
    rounds = begun(rules, stacks)
    left = iter(steps)
    for index in range(ROUNDS):
        rounds.open(3 if index == 0 else 1, index)
        done = played(rounds, left)
        after = snapshot(rounds)
        for before, did in reversed(done):
            assert rounds.undo() == did
            assert snapshot(rounds) == before
        assert not rounds.can_undo
        if all(before["_turn"] == rounds.order.index(did.seat) for before, did in done):
            for _, did in done:
                rounds.carry_out(did)
            assert snapshot(rounds) == after
        played(rounds, iter(()))
        if rounds.is_over:
            return


@given(rules=rules_of, stacks=stacks_of, steps=steps_of)
def test_what_is_said_to_be_legal_is_what_is_judged_so(
    rules: BettingRules, stacks: list[int | None], steps: list[Step]
) -> None:
    for rounds in hand(begun(rules, stacks), steps):
        if rounds.turn is None:
            continue
        legal = rounds.legal()
        before = snapshot(rounds)
        assert isinstance(rounds.judged(Action.FOLD), Done)
        assert isinstance(rounds.judged(Action.CHECK), Done) == legal.may_check
        call = rounds.judged(Action.CALL)
        assert isinstance(call, Done) == legal.may_call != legal.may_check
        assert not isinstance(call, Done) or call.added == legal.call
        least, most = legal.raise_from, legal.raise_to
        for to, is_legal in ((least, True), (most, True), (least and least - 1, False), (most and most + 1, False)):
            if to is not None:
                verdict = rounds.judged(Action.RAISE, to)
                assert isinstance(verdict, Done) == is_legal, verdict
                assert isinstance(rounds.judged(Action.BET, to), Done) == is_legal
        if not legal.may_raise:
            assert (least, most) == (None, None)
            assert isinstance(rounds.judged(Action.RAISE, 10_000 if rules.amounts else None), Wrong)
        if legal.all_in is not None:
            assert isinstance(rounds.judged(Action.ALL_IN), Done) == legal.may_go_all_in
        assert snapshot(rounds) == before


@given(rules=rules_of, stacks=stacks_of, steps=steps_of)
def test_without_amounts_the_turn_goes_as_it_does_with_them(
    rules: BettingRules, stacks: list[int | None], steps: list[Step]
) -> None:
    """The same is done at both tables; the big blind can be paid, so that it is owed and posted in full."""
    stacks[1] = None if stacks[1] is None else max(stacks[1], BIG_BLIND)
    rounds = begun(replace(rules, amounts=True, structure=Structure.NO_LIMIT), stacks)
    said = Rounds(replace(rounds.rules, amounts=False), rounds.order, {})
    for seat in (1, 2):
        said.post(seat, None, is_full=seat == 2, is_all_in=rounds.is_all_in(seat))
    left = iter(step for step in steps if step[0] in {"fold", "check or call", "raise", "all-in"})
    for index in range(ROUNDS):
        rounds.open(3 if index == 0 else 1, index)
        said.open(3 if index == 0 else 1, index)
        while rounds.turn is not None:
            assert said.turn == rounds.turn
            done = take(rounds, next(left, ("check or call", 0)))
            assert done is not None
            said.act(done.action, is_all_in=done.is_all_in)
        assert said.is_closed
        assert (said.live, said.actors) == (rounds.live, rounds.actors)
        assert (said.last_aggressor, said.no_more_betting) == (rounds.last_aggressor, rounds.no_more_betting)
        if rounds.is_over:
            return

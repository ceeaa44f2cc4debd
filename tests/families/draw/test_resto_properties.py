"""Whatever is entered about chips between hands: ledger and stacks go together, and a refusal changes nothing."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from tablectl.core.engine import decisions as d
from tablectl.core.engine import facts as f
from tablectl.core.engine.table import Table
from tablectl.core.engine.vocabulary import Declaration, Remedy, SeatChange
from tablectl.core.options.draw import LeavingAhead, Refill
from tablectl.games.registry import rulebook_of
from tablectl.journal.handfile.file import parse
from tests.engine.states import draws

RESTO, CHIP = 2_000, 50
HEADER = (
    f"rulebook draw-poker\nhand 7\nseats 1 2 3\nbutton 3\nresto {RESTO}\nchip {CHIP}\n"
    "limits bet 100..10000\nlimits ante 50..50\nstack 1 2500\nstack 2 1500\nstack 3 2000\n"
)
SEATS = st.integers(1, 5)
ENTRIES = st.one_of(
    st.builds(f.Stacked, at_us=st.just(0), seat=SEATS, amount=st.integers(-1, 140).map(lambda times: times * CHIP)),
    st.builds(f.Moved, at_us=st.just(0), seat=SEATS, what=st.sampled_from(SeatChange)),
    st.builds(
        f.Ruled,
        at_us=st.just(0),
        incident=st.integers(1, 5),
        remedy=st.sampled_from((Remedy.CONTINUE, Remedy.REJECT)),
        by=st.just("ana"),
    ),
)
CLOSING = f.Declared(at_us=0, what=Declaration.CLOSING_TIME)


def chips_of(table: Table) -> tuple[dict[int, int], dict[int, int]]:
    state = draws(table)
    return dict(state.stacks), dict(state.bought)


@given(
    entries=st.lists(ENTRIES, max_size=25),
    refill=st.sampled_from(Refill),
    leaving=st.sampled_from(LeavingAhead),
    hour=st.integers(0, 60),
)
def test_fcd_bnk_1_every_chip_that_comes_is_bought_and_every_one_that_goes_has_its_account(
    entries: list[f.Fact], refill: Refill, leaving: LeavingAhead, hour: int
) -> None:
    profile = f"profile refill={refill} leaving_ahead={leaving}\n"
    table = Table.resume(parse(HEADER + profile + "> player 1 back\n").carry, rulebook_of)
    for fact in (*entries[:hour], CLOSING, *entries[hour:]):
        stacks, bought = chips_of(table)
        decisions = table.apply(fact)
        now, ledger = chips_of(table)
        came = sum(decision.amount for decision in decisions if isinstance(decision, d.Bought))
        gone = [decision for decision in decisions if isinstance(decision, d.Account)]
        assert sum(now.values()) == sum(stacks.values()) + came - sum(closed.stack for closed in gone)
        assert sum(ledger.values()) == sum(bought.values()) + came - sum(closed.bought for closed in gone)
        assert now.keys() == ledger.keys()
        if any(isinstance(decision, d.Refused) for decision in decisions):
            assert (now, ledger) == (stacks, bought)
        for decision in decisions:
            if isinstance(decision, d.Bought):
                # FCD-RST-3, -6, -11: nobody has more than the richest had, or a resto, but where the house has it so.
                others = [stack for seat, stack in stacks.items() if seat != decision.seat]
                bound = max([RESTO, *stacks.values()])
                bound += stacks.get(decision.seat, 0) if refill is Refill.AMOUNT else 0
                assert now[decision.seat] <= max(bound, max(others, default=0))
                assert decision.amount > 0
                assert decision.total == ledger[decision.seat]
        for account in gone:
            # FCD-RST-8, -9: not ahead and not for less than a resto, unless the hour has come or the pit boss said so.
            is_free = draws(table).is_closing or isinstance(fact, f.Ruled)
            assert is_free or account.bought - account.stack > RESTO

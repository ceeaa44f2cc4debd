"""What a choice of the pit boss would do is what the engine does when it is taken; and to try it changes nothing."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import replace
from typing import NoReturn

import pytest

from tablectl.core.engine import facts as f
from tablectl.core.engine.decisions import Decision, Refused, StubMade
from tablectl.core.engine.preview import Fate, Preview, SeatMoney
from tablectl.core.engine.previews import TrialBroke, preview, waiting
from tablectl.core.engine.rulebook import Rulebook
from tablectl.core.engine.state import State
from tablectl.core.engine.table import Table
from tablectl.core.engine.vocabulary import Question, Refusal, Remedy
from tablectl.core.events.stream import PublicRecord
from tablectl.core.public_table.folding.fold import fold
from tablectl.core.public_table.table import PublicTable
from tablectl.games.registry import rulebook_of
from tablectl.journal.handfile.file import HandFile, parse
from tablectl.journal.handfile.playing import begun, played
from tests.engine.recorded_versions import hand_files
from tests.engine.tables import IN_TURN, fingerprint
from tests.journal.journals import HANDS


def drawn(cards: str) -> str:
    return "".join(f"> draw {card}\n" for card in cards.split())


BANKED = "rulebook {game}\nseats 1 2\n> bet 1 ante 1000{side}\n> bet 2 ante 2000\n> press no-more-bets\n"
#: Whoever sits there stays for twice his ante; seat 1 has aces, seat 2 sevens, the bank queens.
TEXAS_BONUS = BANKED.format(game="texas-bonus", side=" bonus 500") + drawn("As 7d Qd Ah 7h Qh") + "> press all-bet\n"
TO_THE_END = (
    drawn("4d Kd Ts 6h")
    + "> press all-check\n> draw 2c\n> draw 2d\n> press all-check\n> draw 8c\n> draw 8h\n> press bank\n"
)
CIRCLE = "rulebook {game}\nseats 1 2 3\nbutton 3\nlimits bet 200..5000\nstack 1 5000\nstack 2 5000\nstack 3 5000\n"
DRAW = "rulebook draw-poker\nseats 1 2 3\nbutton 3\nlimits bet 100..10000\nlimits ante 50..50\n"
DRAW += "stack 1 2000\nstack 2 2000\nstack 3 2000\n> press confirm\n> press no-more-bets\n"
DRAW += drawn("As Ks 2s Ad Kd 3s 5c 6c 4s 8c 9c 8s Tc Jc 9s")


def table_of(text: str) -> Table:
    """The table after the last line of a hand file."""
    hand = parse(f"# a hand\n{text}")
    table = begun(hand, rulebook_of)
    for step in hand.steps:
        table.apply(step.fact)
    return table


def previews(table: Table) -> dict[Remedy, Preview]:
    """Those of the first incident that waits."""
    incident = next(waiting(table.state))
    return {remedy: preview(table, incident, remedy) for remedy in incident.remedies}


def moved(*rows: tuple[int, int | None, int | None]) -> tuple[SeatMoney, ...]:
    return tuple(SeatMoney(seat=seat, paid_back=back, taken_back=taken) for seat, back, taken in rows)


# --- each game --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "money"),
    [
        (TEXAS_BONUS, moved((1, 3500, 0), (2, 6000, 0))),
        (BANKED.format(game="texas-poker", side=" txb 500"), moved((1, 1500, 0), (2, 2000, 0))),
        (
            CIRCLE.format(game="circle-holdem")
            + "> press no-more-bets\n"
            + drawn("As Kd 9h Ad Kh 9c")
            + "> act raise 600\n> act call\n",
            moved((1, 600, 0), (2, 200, 0), (3, 600, 0)),
        ),
        (
            CIRCLE.format(game="open-holdem")
            + "> press no-more-bets\n"
            + drawn("As Kd 9h Ad Kh 9c")
            + "> press call\n",
            moved((1, 100, 0), (2, 200, 0), (3, 200, 0)),
        ),
        (DRAW + "> act bet 100\n> act call\n", moved((1, 100, 0), (2, 100, 0))),
    ],
    ids=["texas-bonus", "texas-poker", "circle-holdem", "open-holdem", "draw-poker"],
)
def test_a_hand_that_is_annulled_in_the_middle_gives_every_bet_back(text: str, money: tuple[SeatMoney, ...]) -> None:
    tried = previews(table_of(text + "> call by ana\n"))
    void, goes_on = tried[Remedy.VOID_HAND], tried[Remedy.CONTINUE]
    assert void == Preview(remedy=Remedy.VOID_HAND, fate=Fate.VOID, out=(), seats=money, needs_reason=True)
    assert goes_on == Preview(remedy=Remedy.CONTINUE, fate=Fate.GOES_ON, out=(), seats=(), needs_reason=False)


def test_a_void_at_the_settlement_takes_back_what_was_paid_and_gives_back_what_was_collected() -> None:
    """Rulings "THB-ERR-4, -5, -6, -7" and "Who confirms". Seat 1 was paid 1:1 on the flop and 30:1 on the bonus, its
    ante is a push; seat 2 had lost ante and flop bet."""
    tried = previews(table_of(TEXAS_BONUS + TO_THE_END + "> call by ana\n"))
    assert tried[Remedy.VOID_HAND].fate is Fate.VOID
    assert tried[Remedy.VOID_HAND].seats == moved((1, 0, 17_000), (2, 6_000, 0))


def test_without_amounts_it_is_said_in_which_direction_which_bets_move() -> None:
    text = TEXAS_BONUS + TO_THE_END + "> call by ana\n"
    for amount in (" 1000", " 2000", " 500"):
        text = text.replace(amount, "")
    text = text.replace("seats 1 2\n", "tracking presence\nseats 1 2\n")
    assert previews(table_of(text))[Remedy.VOID_HAND].seats == (
        SeatMoney(seat=1, paid_back=0, taken_back=None, bets_taken=("bonus", "flop")),
        SeatMoney(seat=2, paid_back=None, taken_back=0, bets_back=("ante", "flop")),
    )


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        (
            "texas-bonus/THB-LIM-1-not-chips-later-void-seat",
            {Remedy.VOID_SEAT: (Fate.SEATS_OUT, (2,), moved((2, 1_000, 0))), Remedy.CONTINUE: (Fate.GOES_ON, (), ())},
        ),
        (
            "texas-bonus/THB-LIM-1-not-chips-later-only-the-bonus-goes-back",
            {
                Remedy.VOID_SEAT: (Fate.SEATS_OUT, (2,), moved((2, 1_500, 0))),
                Remedy.REFUND_SIDE_BET: (Fate.GOES_ON, (), moved((2, 500, 0))),
                Remedy.CONTINUE: (Fate.GOES_ON, (), ()),
            },
        ),
        (
            "texas-poker/TPC-PLE-1-contact-after-the-decisions-refund",
            {
                Remedy.REFUND_BETS: (Fate.GOES_ON, (), moved((2, 3_000, 0))),
                Remedy.LOSE_BETS: (Fate.GOES_ON, (), ()),
            },
        ),
        (
            "circle-holdem/THL-GEN-8-the-pit-boss-returns-it",
            {Remedy.REFUND_BETS: (Fate.GOES_ON, (), moved((2, 200, 0))), Remedy.LOSE_BETS: (Fate.GOES_ON, (), ())},
        ),
        (
            # The raise of seat 1 is called by nobody once the chips of seat 2 went back.
            "open-holdem/THO-ACT-1-a-raise-that-is-lost-is-won",
            {
                Remedy.REFUND_BETS: (Fate.GOES_ON, (), moved((1, 1_000, 0), (2, 200, 0))),
                Remedy.LOSE_BETS: (Fate.GOES_ON, (), ()),
            },
        ),
        (
            "circle-holdem/THL-PLE-13-after-the-second",
            {Remedy.BIND: (Fate.SEATS_OUT, (3,), ()), Remedy.TAKE_BACK: (Fate.GOES_ON, (), ())},
        ),
        (
            "texas-poker/TPC-MIS-0-void-after-the-txb-was-paid-reverse",
            {Remedy.REVERSE: (Fate.VOID, (), moved((1, 0, 3_500))), Remedy.CONTINUE: (Fate.VOID, (), ())},
        ),
    ],
)
def test_the_first_choice_of_a_hand(
    name: str, expected: dict[Remedy, tuple[Fate, tuple[int, ...], tuple[SeatMoney, ...]]]
) -> None:
    hand = parse((HANDS / f"{name}.hand").read_text(encoding="utf-8"))
    tables = (table for _, _, table in played(hand, rulebook_of) if any(waiting(table.state)))
    tried = previews(next(tables))
    assert {remedy: (outcome.fate, outcome.out, outcome.seats) for remedy, outcome in tried.items()} == expected


# --- a bug ------------------------------------------------------------------------------------------------------------


def breaks_where_void(setup: f.Setup) -> Rulebook:
    """A rulebook with a bug: whoever asks for the plan of a void hand breaks on it."""

    def plan(_: tuple[int, ...]) -> NoReturn:
        raise ZeroDivisionError

    good = rulebook_of(setup)
    return replace(good, phases={**good.phases, "voided": replace(good.phases["voided"], plan=plan)})


def test_a_trial_that_meets_a_bug_says_which_choice_it_was_and_the_table_plays_on() -> None:
    hand = parse(f"# a hand\n{TEXAS_BONUS}> call by ana\n")
    table = begun(hand, breaks_where_void)
    for step in hand.steps:
        table.apply(step.fact)
    before = fingerprint(table.state)
    with pytest.raises(TrialBroke) as broke:
        previews(table)
    assert (broke.value.incident, broke.value.remedy) == (1, Remedy.VOID_HAND)
    assert isinstance(broke.value.__cause__, ZeroDivisionError)
    assert fingerprint(table.state) == before
    table.apply(f.Ruled(at_us=0, incident=1, remedy=Remedy.CONTINUE, by="ana"))
    assert not table.state.held


# --- all hands --------------------------------------------------------------------------------------------------------


SHUFFLED = {Question.RESHUFFLED, Question.NEW_STUB}


class Twin:
    """A table that only the facts of a hand reach, as its public records show it."""

    def __init__(self, hand: HandFile, facts: Iterable[f.Fact]) -> None:
        self.table = begun(hand, rulebook_of)
        self.view = PublicTable(hand=self.table.state.hand)
        for fact in facts:
            self.apply(fact)

    def apply(self, fact: f.Fact) -> tuple[Decision, ...]:
        hand, decisions = self.table.state.hand, self.table.apply(fact)
        record = PublicRecord(seq=self.view.seq + 1, hand=hand, at_us=fact.at_us, event=fact, decisions=decisions)
        self.view = fold(self.view, record)
        return decisions


def won(view: PublicTable) -> Counter[int]:
    """What each seat gets, as was said; nothing of a hand that is void."""
    found = Counter(view.circle.uncalled)
    for award in view.circle.awards:
        found[award.seat] += award.amount or 0
    return Counter() if view.void else found


def lie_open(before: State, after: State) -> bool:
    """Whether everybody saw the hands that are compared then: otherwise nothing is told of who would win."""
    compared = after.staying if len(after.staying) > 1 and after.phase.name != "voided" else ()
    return all(slot in before.shown for slot in after.deal.at if slot.seat in compared)


def shown(before: PublicTable, after: PublicTable, *, is_told: bool) -> tuple[SeatMoney, ...]:
    """What a page that follows the records shows of money that moves back. `is_told`: of pots that are awarded anew as
    well."""
    back: dict[int, int | None] = {}
    taken: dict[int, int | None] = {}

    def add(to: dict[int, int | None], seat: int, amount: int | None) -> None:
        known = to.get(seat, 0)
        to[seat] = None if known is None or amount is None else known + amount

    for refund in after.refunds[len(before.refunds) :]:
        add(back, refund.seat, refund.amount)
    for bet in after.reversals[len(before.reversals) :]:
        if bet.outcome == "win":
            add(taken, bet.seat, bet.pays)
        elif bet.outcome == "lose":
            add(back, bet.seat, bet.stake)
    gained = Counter(after.circle.uncalled)
    gained.subtract(before.circle.uncalled)
    if before.circle.awards:
        gained = won(after)
        gained.subtract(won(before))
    for seat, amount in gained.items() if is_told else ():
        if amount:
            add(back if amount > 0 else taken, seat, abs(amount))
    return moved(*((seat, back.get(seat, 0), taken.get(seat, 0)) for seat in sorted({*back, *taken})))


def is_without_reason(decision: Decision) -> bool:
    return isinstance(decision, Refused) and decision.why is Refusal.NO_REASON


def fate(before: State, after: State, decisions: tuple[Decision, ...]) -> tuple[Fate, tuple[int, ...]]:
    """What became of the hand, by the state before and after it."""
    out = tuple(seat for seat in before.order if seat in before.staying and seat not in after.staying)
    asked, asks = ({pending.question for pending in state.asking} for state in (before, after))
    if after.phase.name == "voided":
        return Fate.VOID, out
    if (asks - asked) & SHUFFLED or any(isinstance(decision, StubMade) for decision in decisions):
        return Fate.RESHUFFLED, out
    return Fate.SEATS_OUT if out else Fate.GOES_ON, out


@pytest.mark.parametrize("rulebook", IN_TURN)
def test_what_is_said_of_each_choice_in_every_hand_is_what_the_engine_does_and_to_say_it_changes_nothing(
    rulebook: str,
) -> None:
    seen: Counter[Remedy] = Counter()
    for path in (file for file in hand_files() if file.is_relative_to(HANDS / rulebook)):
        hand = parse(path.read_text(encoding="utf-8"))
        facts = [step.fact for step in hand.steps]
        tried, untouched = begun(hand, rulebook_of), Twin(hand, ())
        for n_facts, step in enumerate(hand.steps, start=1):
            assert tried.apply(step.fact) == untouched.apply(step.fact), f"{path.name}:{step.line}"
            state = untouched.table.state
            for incident, remedy in [
                (undecided, remedy) for undecided in waiting(state) for remedy in undecided.remedies
            ]:
                told, taken = preview(tried, incident, remedy), Twin(hand, facts[:n_facts])
                number, at_us = incident.number, step.fact.at_us
                ruled = f.Ruled(at_us=at_us, incident=number, remedy=remedy, by="ana", second="luis", reason="")
                where = f"{path.name}:{step.line} {remedy}"
                decisions = taken.apply(ruled)
                is_refused = any(is_without_reason(decision) for decision in decisions)
                assert is_refused == told.needs_reason, where
                if is_refused:
                    decisions = taken.apply(replace(ruled, reason="so"))
                is_told = not untouched.view.circle.awards or lie_open(state, taken.table.state)
                seats = tuple(replace(seat, bets_back=(), bets_taken=()) for seat in told.seats)
                assert seats == shown(untouched.view, taken.view, is_told=is_told), where
                assert (told.fate, told.out) == fate(state, taken.table.state, decisions), where
                assert fingerprint(tried.state) == fingerprint(state), where
                seen[remedy] += 1
    assert seen[Remedy.VOID_HAND]
    assert seen[Remedy.CONTINUE]

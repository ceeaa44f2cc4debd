"""Who gets which money: the documents' own example, odd chips, the fee, and a count of every unit by itself."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from random import Random
from typing import Final

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tablectl.core.cards import cards
from tablectl.core.settlement.pot_rules import OddChip, PotRules, Rake, RakeFrom
from tablectl.core.settlement.pots import Amount, Pot, PotSettlement, Stake, divide, settle
from tablectl.core.settlement.ranking import Strength, strength
from tablectl.families.pots.rulebook import PotRulebook
from tablectl.games.registry import CIRCLE_GAMES, RULEBOOKS


def rules_of(game: str) -> PotRules:
    """What ships for the pots of a game."""
    book = RULEBOOKS[game]({})
    assert isinstance(book, PotRulebook)
    return book.pots


RULES: Final = {game: rules_of(game) for game in sorted(CIRCLE_GAMES)}
CIRCLE: Final = RULES["circle-holdem"]
OPEN: Final = RULES["open-holdem"]

#: Three hands, best first.
BEST, SECOND, THIRD = Strength(3000), Strength(2000), Strength(1000)


def paid(
    *stakes: Stake,
    button: int = 10,
    last_aggressor: int | None = None,
    smallest_chip: int = 1,
    rules: PotRules = OPEN,
    carried: int = 0,
) -> PotSettlement:
    return settle(
        stakes,
        button=button,
        last_aggressor=last_aggressor,
        smallest_chip=smallest_chip,
        rules=rules,
        carried=carried,
    )


def stake(seat: int, bets: int, hand: Strength | None = None, *, dead: int = 0, folded: bool = False) -> Stake:
    return Stake(seat=seat, bets=bets, dead=dead, folded=folded, strength=hand)


def gets(settlement: PotSettlement) -> dict[int, int]:
    """What each seat is paid from the pots; who is paid nothing is left out."""
    total: Counter[int] = Counter()
    for pot in settlement.pots:
        total.update({award.seat: award.amount for award in pot.awards})
    return dict(total)


def by_seat(amounts: Sequence[Amount]) -> dict[int, int]:
    return {amount.seat: amount.amount for amount in amounts}


# --- layers -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("rules", RULES.values(), ids=RULES)
def test_tho_all_14_tho_all_15_the_worked_example(rules: PotRules) -> None:
    """A all-in 100, B and C 150 each, A and B tie with the best hand: A receives 150, B 250."""
    board = cards("Ah Kd Qc 7s 2d")
    a, b, c = (strength((*board, *cards(own))) for own in ("As 3c", "Ad 4c", "Ks 4d"))
    settled = paid(stake(1, 100, a), stake(2, 150, b), stake(3, 150, c), rules=rules)
    assert gets(settled) == {1: 150, 2: 250}
    assert [(pot.amount, pot.eligible, pot.winners) for pot in settled.pots] == [
        (300, (1, 2, 3), (1, 2)),
        (100, (2, 3), (2,)),
    ]
    assert settled.returned == ()
    assert by_seat(settled.nets) == {1: 50, 2: 100, 3: -150}


def test_tho_all_6_both_pots_go_to_the_winning_hand_where_the_all_in_player_has_not_got_it() -> None:
    assert gets(paid(stake(1, 100, SECOND), stake(2, 150, BEST), stake(3, 150, THIRD))) == {2: 400}


def test_tho_all_7_the_main_pot_goes_to_the_all_in_player_and_the_side_pot_to_the_next_best() -> None:
    assert gets(paid(stake(1, 100, BEST), stake(2, 150, THIRD), stake(3, 150, SECOND))) == {1: 300, 3: 100}


def test_thl_end_3_thl_end_4_tho_all_8_one_pot_for_each_height_of_all_in() -> None:
    division = divide([stake(1, 10), stake(2, 30), stake(3, 70), stake(4, 70), stake(5, 20, folded=True)])
    assert division.pots == (
        Pot(amount=50, eligible=(1, 2, 3, 4)),
        Pot(amount=70, eligible=(2, 3, 4)),
        Pot(amount=80, eligible=(3, 4)),
    )
    assert division.returned == ()


def test_thl_end_4_what_folded_seats_put_in_makes_no_pot_of_its_own() -> None:
    division = divide([stake(1, 50), stake(2, 50), stake(3, 20, folded=True), stake(4, 35, folded=True)])
    assert division.pots == (Pot(amount=155, eligible=(1, 2)),)


def test_tho_all_10_each_stronger_hand_takes_what_was_there_when_it_went_all_in() -> None:
    settled = paid(stake(1, 10, BEST), stake(2, 30, SECOND), stake(3, 70, THIRD), stake(4, 70, THIRD))
    assert gets(settled) == {1: 40, 2: 60, 3: 40, 4: 40}


def test_tho_all_12_what_nobody_could_match_goes_back() -> None:
    settled = paid(stake(1, 500, SECOND), stake(2, 120, BEST))
    assert by_seat(settled.returned) == {1: 380}
    assert gets(settled) == {2: 240}
    assert by_seat(settled.nets) == {1: -120, 2: 120}


def test_tho_all_12_the_uncalled_part_above_a_folded_stake_goes_back() -> None:
    assert by_seat(divide([stake(1, 500), stake(2, 120, folded=True)]).returned) == {1: 380}


def test_thl_end_2_fcd_env_8_fcd_win_1_a_sole_remaining_player_wins_without_showing() -> None:
    settled = paid(stake(1, 80), stake(2, 50, folded=True), stake(3, 25, folded=True))
    assert (gets(settled), by_seat(settled.returned)) == ({1: 125}, {1: 30})
    assert by_seat(settled.nets) == {1: 75, 2: -50, 3: -25}


def test_tho_all_12_what_only_dead_hands_put_in_above_the_others_goes_back_to_each() -> None:
    """Two hands of 150 that the rules took away, one player all-in for 100: he cannot win more than 100 of each."""
    settled = paid(stake(1, 100), stake(2, 150, folded=True), stake(3, 150, folded=True), stake(4, 180, folded=True))
    assert gets(settled) == {1: 400}
    assert by_seat(settled.returned) == {2: 50, 3: 50, 4: 80}


def test_an_uncontested_side_pot_needs_no_cards() -> None:
    settled = paid(stake(1, 10, BEST), stake(2, 30, SECOND), stake(3, 30, folded=True))
    assert gets(settled) == {1: 30, 2: 40}


def test_thl_sdn_2_cards_are_needed_where_two_compete() -> None:
    with pytest.raises(ValueError, match="the cards of seat 2 are needed"):
        paid(stake(1, 10, BEST), stake(2, 10))


# --- dead money -------------------------------------------------------------------------------------------------------


def test_dead_money_lies_in_the_main_pot_and_nobody_has_to_match_it() -> None:
    division = divide([stake(1, 100, dead=50), stake(2, 100), stake(3, 60)])
    assert division.pots == (Pot(amount=230, eligible=(1, 2, 3)), Pot(amount=80, eligible=(1, 2)))
    assert division.returned == ()


def test_fcd_win_5_a_pot_carried_over_is_won_with_the_main_pot() -> None:
    settled = paid(stake(1, 10, BEST), stake(2, 30, SECOND), stake(3, 30, THIRD), carried=40)
    assert gets(settled) == {1: 70, 2: 40}
    assert sum(net.amount for net in settled.nets) == 40


def test_who_is_all_in_with_his_dead_blind_competes_for_the_dead_money_alone() -> None:
    division = divide([stake(1, 0, dead=5), stake(2, 20), stake(3, 20)])
    assert division.pots == (Pot(amount=5, eligible=(1, 2, 3)), Pot(amount=40, eligible=(2, 3)))


def test_who_put_nothing_in_competes_for_nothing() -> None:
    assert divide([stake(1, 0), stake(2, 20, dead=5), stake(3, 20)]).pots == (Pot(amount=45, eligible=(2, 3)),)


def test_where_nobody_put_anything_in_all_compete_for_the_pot_carried_over() -> None:
    assert divide([stake(1, 0), stake(2, 0)], carried=7).pots == (Pot(amount=7, eligible=(1, 2)),)


# --- odd chips --------------------------------------------------------------------------------------------------------

TIE = (stake(2, 25, BEST), stake(5, 25, BEST), stake(7, 25, BEST), stake(8, 25, THIRD))  # 100 among three


@pytest.mark.parametrize(
    ("button", "rules", "last_aggressor", "awards"),
    [
        (1, OPEN, 7, {2: 34, 5: 33, 7: 33}),
        (2, OPEN, 7, {2: 33, 5: 34, 7: 33}),
        (6, OPEN, 2, {2: 33, 5: 33, 7: 34}),
        (7, OPEN, None, {2: 34, 5: 33, 7: 33}),
        (9, OPEN, 5, {2: 34, 5: 33, 7: 33}),
        (1, CIRCLE, 7, {2: 33, 5: 33, 7: 34}),
        (1, CIRCLE, 2, {2: 34, 5: 33, 7: 33}),
        (2, CIRCLE, 8, {2: 33, 5: 34, 7: 33}),
        (2, CIRCLE, None, {2: 33, 5: 34, 7: 33}),
    ],
)
def test_thl_sdn_4_amb_31_who_gets_the_odd_chip(
    button: int, rules: PotRules, last_aggressor: int | None, awards: Mapping[int, int]
) -> None:
    assert gets(paid(*TIE, button=button, rules=rules, last_aggressor=last_aggressor)) == awards


@pytest.mark.parametrize(
    ("rules", "last_aggressor", "awards"),
    [
        (OPEN, 7, {2: 30, 5: 40, 7: 40}),
        (CIRCLE, 2, {2: 40, 5: 40, 7: 30}),
        (CIRCLE, 7, {2: 30, 5: 40, 7: 40}),
        (CIRCLE, 8, {2: 30, 5: 40, 7: 40}),
    ],
)
def test_amb_31_one_odd_chip_to_the_last_aggressor_and_the_others_clockwise(
    rules: PotRules, last_aggressor: int, awards: Mapping[int, int]
) -> None:
    """110 among three in chips of 10, the button at 2."""
    settled = paid(*TIE, carried=10, button=2, smallest_chip=10, rules=rules, last_aggressor=last_aggressor)
    assert gets(settled) == awards


def test_amb_31_odd_chips_are_given_for_each_pot() -> None:
    """The last aggressor shares the side pot and not the main pot: there the chip goes clockwise."""
    stakes = (stake(1, 15, BEST), stake(2, 15, BEST), stake(3, 40, SECOND), stake(4, 40, SECOND))
    folded = stake(5, 20, folded=True)
    settled = paid(*stakes, folded, button=1, last_aggressor=4, smallest_chip=5, rules=CIRCLE)
    assert [(pot.amount, by_seat(pot.awards)) for pot in settled.pots] == [
        (75, {1: 35, 2: 40}),
        (55, {3: 25, 4: 30}),
    ]


def test_amb_31_a_pot_that_an_all_in_made_odd_is_shared_in_the_smallest_unit_that_lies_in_it() -> None:
    three = [stake(seat, 350, BEST) for seat in (1, 2, 3)]
    assert gets(paid(*three, button=3, smallest_chip=100)) == {1: 350, 2: 350, 3: 350}
    odd = stake(4, 50, folded=True)
    assert gets(paid(*three, odd, button=3, smallest_chip=100)) == {1: 400, 2: 400, 3: 300}, "1100 is a multiple"
    folded = (stake(3, 350, folded=True),)
    assert gets(paid(*three[:2], *folded, button=3, smallest_chip=100)) == {1: 550, 2: 500}, "in units of 50"


def test_amb_31_each_pot_is_shared_in_its_own_unit() -> None:
    """325 all-in: the main pot is odd; what is above it lies in chips of 75, and comes to 300."""
    stakes = (stake(1, 325, BEST), stake(2, 400, SECOND), stake(3, 400, SECOND), stake(4, 325, BEST))
    settled = paid(*stakes, stake(5, 25, folded=True), button=4, smallest_chip=100)
    assert [(pot.amount, by_seat(pot.awards)) for pot in settled.pots] == [
        (1325, {1: 675, 4: 650}),
        (150, {2: 75, 3: 75}),
    ]


# --- the fee ----------------------------------------------------------------------------------------------------------

LAYERS = (stake(1, 100, BEST), stake(2, 300, SECOND), stake(3, 300, THIRD))  # pots of 300 and 400


@pytest.mark.parametrize(
    ("rake", "chip", "fees"),
    [
        (Rake(), 1, [0, 0]),
        (Rake(rate=500), 1, [15, 20]),
        (Rake(rate=500), 10, [10, 20]),
        (Rake(rate=500, cap=17), 1, [15, 17]),
        (Rake(rate=500, cap=17), 5, [15, 15]),
        (Rake(rate=333), 1, [9, 13]),
        (Rake(rate=500, taken_from=RakeFrom.WHOLE_HAND), 1, [35, 0]),
        (Rake(rate=500, taken_from=RakeFrom.WHOLE_HAND, cap=20), 1, [20, 0]),
        (Rake(rate=5_000, taken_from=RakeFrom.WHOLE_HAND), 1, [300, 50]),
        (Rake(rate=10_000), 1, [300, 400]),
    ],
)
def test_thl_def_7_amb_37_the_fee_is_rounded_down_and_taken_before_the_split(
    rake: Rake, chip: int, fees: list[int]
) -> None:
    settled = paid(*LAYERS, smallest_chip=chip, rules=PotRules(odd_chip=OddChip.CLOCKWISE, rake=rake))
    assert [pot.rake for pot in settled.pots] == fees
    assert [pot.awards[0].amount for pot in settled.pots] == [300 - fees[0], 400 - fees[1]]
    assert settled.rake == sum(fees)


def test_no_fee_is_taken_from_what_is_returned() -> None:
    rules = PotRules(odd_chip=OddChip.CLOCKWISE, rake=Rake(rate=1_000))
    settled = paid(stake(1, 500, SECOND), stake(2, 100, BEST), rules=rules)
    assert (settled.rake, by_seat(settled.returned)) == (20, {1: 400})


def test_amb_37_no_fee_ships() -> None:
    assert {rule.rake for rule in RULES.values()} == {Rake(rate=0)}


# --- what is refused --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("stakes", "carried", "message"),
    [
        ([stake(1, -1)], 0, "an amount below 0"),
        ([stake(1, 1, dead=-1)], 0, "an amount below 0"),
        ([stake(1, 1)], -1, "an amount below 0"),
        ([stake(1, 1), stake(1, 1)], 0, "a seat comes twice"),
        ([stake(1, 1, folded=True)], 0, "nobody is still in"),
        ([], 0, "nobody is still in"),
    ],
)
def test_what_cannot_be_is_refused(stakes: list[Stake], carried: int, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        divide(stakes, carried=carried)


def test_a_smallest_chip_of_nothing_is_refused() -> None:
    with pytest.raises(ValueError, match="the smallest chip is worth 1 or more, not 0"):
        paid(stake(1, 1), smallest_chip=0)


# --- properties -------------------------------------------------------------------------------------------------------


@st.composite
def hands(draw: st.DrawFn, *, chips: int = 1) -> tuple[Stake, ...]:
    """Two to ten seats, few enough different heights and strengths that ties and side pots are common."""
    numbers = draw(st.lists(st.integers(1, 10), min_size=2, max_size=10, unique=True))
    heights = draw(st.lists(st.integers(0, 40), min_size=1, max_size=4))
    stakes = [
        Stake(
            seat=seat,
            bets=draw(st.sampled_from(heights)) * chips,
            dead=draw(st.sampled_from((0, 0, 0, 1, 5))) * chips,
            folded=draw(st.booleans()),
            strength=draw(st.sampled_from((BEST, SECOND, THIRD))),
        )
        for seat in numbers
    ]
    first = stakes[0]
    return (Stake(seat=first.seat, bets=first.bets, dead=first.dead, strength=first.strength), *stakes[1:])


RAKES = st.builds(
    Rake,
    rate=st.integers(0, 10_000),
    cap=st.none() | st.integers(0, 50),
    taken_from=st.sampled_from(RakeFrom),
)
RULES_OF_A_HOUSE = st.builds(PotRules, odd_chip=st.sampled_from(OddChip), rake=RAKES)
SEATS = st.integers(1, 10)


@dataclass(frozen=True, slots=True, kw_only=True)
class Case:
    """A hand with all that decides how it is paid."""

    stakes: tuple[Stake, ...]
    rules: PotRules
    button: int
    last_aggressor: int | None
    smallest_chip: int
    carried: int

    def settled(self) -> PotSettlement:
        return paid(
            *self.stakes,
            button=self.button,
            last_aggressor=self.last_aggressor,
            smallest_chip=self.smallest_chip,
            rules=self.rules,
            carried=self.carried,
        )


CASES = st.builds(
    Case,
    stakes=hands(),
    rules=RULES_OF_A_HOUSE,
    button=SEATS,
    last_aggressor=st.none() | SEATS,
    smallest_chip=st.sampled_from((1, 3, 5, 25)),
    carried=st.integers(0, 30),
)


@given(CASES)
def test_money_is_conserved_to_the_unit(case: Case) -> None:
    settled = case.settled()
    put_in = sum(seat_stake.put_in for seat_stake in case.stakes) + case.carried
    returned = sum(amount.amount for amount in settled.returned)
    assert sum(gets(settled).values()) + returned + settled.rake == put_in
    assert sum(net.amount for net in settled.nets) == case.carried - settled.rake
    assert all(sum(award.amount for award in pot.awards) + pot.rake == pot.amount for pot in settled.pots)
    assert all(amount.amount > 0 for amount in settled.returned)
    assert all(award.amount >= 0 for pot in settled.pots for award in pot.awards)


@given(hands(), SEATS)
def test_tho_all_12_nobody_wins_more_of_another_than_he_put_in(stakes: tuple[Stake, ...], button: int) -> None:
    settled = paid(*stakes, button=button)
    dead = sum(seat_stake.dead for seat_stake in stakes)
    in_play = [seat_stake for seat_stake in stakes if not seat_stake.folded]
    for seat_stake in stakes:
        # Dead money is of those who put something in; where all others folded, of the one who is left.
        wins_dead = bool(seat_stake.put_in) or in_play == [seat_stake]
        most = dead + sum(min(seat_stake.bets, other.bets) for other in stakes) if wins_dead else 0
        assert gets(settled).get(seat_stake.seat, 0) <= most


@given(CASES, st.randoms(use_true_random=False))
def test_the_order_in_which_seats_are_told_does_not_matter(case: Case, chance: Random) -> None:
    stakes = list(case.stakes)
    chance.shuffle(stakes)
    one, other = case.settled(), replace(case, stakes=tuple(stakes)).settled()
    assert (one.pots, one.returned, by_seat(one.nets)) == (other.pots, other.returned, by_seat(other.nets))


@given(hands(), SEATS, SEATS)
def test_amb_31_the_button_moves_one_chip_a_pot_and_no_more(stakes: tuple[Stake, ...], one: int, other: int) -> None:
    first, second = paid(*stakes, button=one), paid(*stakes, button=other)
    for here, there in zip(first.pots, second.pots, strict=True):
        assert here.winners == there.winners
        pairs = zip(here.awards, there.awards, strict=True)
        assert all(abs(mine.amount - theirs.amount) <= 1 for mine, theirs in pairs)


@given(hands())
def test_the_winner_and_no_other_hand_moves_the_money(stakes: tuple[Stake, ...]) -> None:
    """Every pot is won by the best of those who compete for it."""
    strengths = {seat_stake.seat: seat_stake.strength for seat_stake in stakes}
    for pot in paid(*stakes).pots:
        best = max(strengths[seat] or 0 for seat in pot.eligible)
        assert pot.winners == tuple(seat for seat in pot.eligible if strengths[seat] == best)


def unit_by_unit(stakes: Sequence[Stake], carried: int) -> tuple[dict[tuple[int, ...], int], dict[int, int]]:
    """An independent count: every single unit of every stake is looked at by itself, and who competes for it."""
    pots: Counter[tuple[int, ...]] = Counter()
    returned: Counter[int] = Counter()
    live = sorted(
        (seat_stake for seat_stake in stakes if not seat_stake.folded), key=lambda seat_stake: seat_stake.seat
    )
    in_for_something = [seat_stake for seat_stake in live if seat_stake.bets + seat_stake.dead > 0]
    everybody = tuple(seat_stake.seat for seat_stake in in_for_something or live)
    pots[everybody] += carried
    for owner in stakes:
        pots[everybody] += owner.dead
        for unit in range(1, owner.bets + 1):
            others = [seat_stake for seat_stake in stakes if seat_stake.seat != owner.seat and seat_stake.bets >= unit]
            competing = tuple(seat_stake.seat for seat_stake in live if seat_stake.bets >= unit)
            if others and competing:
                pots[competing] += 1
            else:
                returned[owner.seat] += 1
    return {seats: amount for seats, amount in pots.items() if amount}, dict(returned)


@given(hands(), st.integers(0, 30))
def test_the_pots_are_those_of_a_count_unit_by_unit(stakes: tuple[Stake, ...], carried: int) -> None:
    division = divide(stakes, carried=carried)
    pots, returned = unit_by_unit(stakes, carried)
    assert {pot.eligible: pot.amount for pot in division.pots} == pots
    assert len(division.pots) == len(pots)
    assert by_seat(division.returned) == returned


@given(hands(chips=2_520), SEATS, SEATS, st.sampled_from(OddChip))
def test_seats_do_not_matter_where_nothing_is_odd(
    stakes: tuple[Stake, ...], button: int, aggressor: int, odd_chip: OddChip
) -> None:
    """2,520 can be shared by any number up to ten."""
    turned = [
        Stake(
            seat=11 - seat_stake.seat,
            bets=seat_stake.bets,
            dead=seat_stake.dead,
            folded=seat_stake.folded,
            strength=seat_stake.strength,
        )
        for seat_stake in stakes
    ]
    rules = PotRules(odd_chip=odd_chip)
    one = settle(stakes, button=button, last_aggressor=aggressor, smallest_chip=1, rules=rules)
    other = settle(turned, button=button, last_aggressor=None, smallest_chip=1, rules=rules)
    assert by_seat(one.nets) == {11 - seat: amount for seat, amount in by_seat(other.nets).items()}

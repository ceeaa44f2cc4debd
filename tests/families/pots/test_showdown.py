"""Who has to show, and who gets what."""

from __future__ import annotations

import pytest

from tablectl.core.cards import card
from tablectl.core.settlement.pot_rules import OddChip, PotRules
from tablectl.core.settlement.pots import Stake, settle
from tablectl.core.settlement.ranking import Strength, strength
from tests.families.pots.people import DEAL, THREE, circle_of, played

STREETS = (
    "> act 3 call\n> act 1 call\n> act 2 check\n> draw 2c\n> draw 3h\n> draw 7c\n> draw 9s\n> press all-check\n"
    "> draw 2d\n> draw 4h\n> press all-check\n> draw 2h\n> draw 5d\n> press all-check\n"
)
SHOWDOWN = THREE + DEAL + STREETS


def test_thl_sdn_1_the_next_in_order_is_asked_until_everybody_has_shown() -> None:
    table, _ = played(SHOWDOWN)
    assert circle_of(table).to_show == [1, 2, 3]
    table, _ = played(SHOWDOWN + "> press show\n")
    assert table.prompt().about == "seat-2"


def test_thl_sdn_5_nothing_is_taken_back_once_a_hand_was_shown() -> None:
    assert played(SHOWDOWN + "> press show\n> press cancel\n")[1] == ["refused not-live cancel"]


def test_thl_sdn_5_a_hand_that_was_given_up_by_a_wrong_key_is_there_again() -> None:
    table, said = played(SHOWDOWN + "> press fold\n> press cancel\n")
    assert said[0].startswith("withdrawn")
    assert table.state.staying == played(SHOWDOWN)[0].state.staying


def test_thl_cre_1_a_hand_that_was_given_up_wins_nothing_though_it_was_the_best() -> None:
    table, _ = played(SHOWDOWN + "> press fold\n> press show-all\n")
    assert circle_of(table).won == {2: 600}


def test_thl_mis_5_two_cards_with_one_face_matter_only_where_hands_are_compared() -> None:
    """The pit boss let the second of them stand. With one hand left nothing is compared; with more, the winner's may be
    the one with both, so there is no such hand."""
    twice = SHOWDOWN.replace("> draw 5d\n", "> draw As\n> rule 1 next-card by ana as he saw it\n")
    _, found = played(twice + "> press fold\n> press fold\n> press show-all\n")
    assert found[-1] == "award 1 seat-3 600 THL-END-2"
    table, found = played(twice + "> press show-all\n")
    assert "same-card-again" in found[-1]
    assert table.state.held


def _hand(codes: str) -> Strength:
    return strength([card(code) for code in codes.split()])


@pytest.mark.parametrize(
    ("odd_chip", "awards"),
    [
        (OddChip.LAST_BETTOR, {1: 300, 2: 200}),
        (OddChip.CLOCKWISE, {1: 300, 2: 200}),
        (OddChip.LAST_BETTOR_ALWAYS, {1: 200, 2: 200, 3: 100}),
    ],
)
def test_thl_sdn_4_whose_the_odd_chip_is(odd_chip: OddChip, awards: dict[int, int]) -> None:
    best, worse = _hand("As Ks Qs Js Ts"), _hand("2s 3d 4c 5h 7h")
    stakes = [
        Stake(seat=1, bets=150, strength=best),
        Stake(seat=2, bets=150, strength=best),
        Stake(seat=3, bets=150, strength=worse),
        Stake(seat=4, bets=50, folded=True),
    ]
    paid = settle(stakes, button=4, last_aggressor=3, smallest_chip=100, rules=PotRules(odd_chip=odd_chip))
    total = {seat: sum(a.amount for p in paid.pots for a in p.awards if a.seat == seat) for seat in (1, 2, 3)}
    assert {seat: amount for seat, amount in total.items() if amount} == awards


def test_thl_sdn_4_who_folded_has_no_odd_chip() -> None:
    best = _hand("As Ks Qs Js Ts")
    stakes = [Stake(seat=1, bets=100, strength=best), Stake(seat=2, bets=100, strength=best)]
    stakes.append(Stake(seat=3, bets=100, folded=True))
    rules = PotRules(odd_chip=OddChip.LAST_BETTOR_ALWAYS)
    (pot,) = settle(stakes, button=2, last_aggressor=3, smallest_chip=100, rules=rules).pots
    assert [(award.seat, award.amount) for award in pot.awards] == [(1, 200), (2, 100)]


def test_thl_end_3_nothing_is_taken_back_in_a_street_that_comes_because_all_are_all_in() -> None:
    text = "rulebook circle-holdem\nseats 1 2\nbutton 2\nstack 1 500\nstack 2 500\nlimits bet 200..100000\n"
    text += "> press no-more-bets\n> draw As\n> draw Ks\n> draw Ad\n> draw Kd\n> act 1 all-in\n> act 2 call\n"
    flop = "> draw 2c\n> draw 3h\n> draw 7c\n> draw 9s\n"
    assert played(text + flop + "> press cancel\n")[1] == ["refused not-live cancel"]

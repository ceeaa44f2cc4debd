"""Restos: what hands in files do not show of buying chips, of leaving, and of the account of each player."""

from __future__ import annotations

import pytest

from tablectl.core.engine import facts as f
from tablectl.core.engine.decisions import Account
from tablectl.core.engine.table import Table
from tablectl.core.engine.vocabulary import Declaration, Key, SeatChange
from tablectl.families.pots import attendance
from tablectl.games.registry import rulebook_of
from tablectl.journal.handfile.decisions import decision_lines
from tablectl.journal.handfile.file import parse
from tests.engine.states import draws
from tests.engine.tables import lines
from tests.families.pots.people import circle_of, played

BETWEEN = """rulebook draw-poker
hand 7
seats 1 2 3
button 3
resto 2000
chip 50
limits bet 100..10000
limits ante 50..50
stack 1 2500
stack 2 1500
stack 3 2000
"""
FIVE_EACH = ("As Ks Qs", "Ad Kd Qd", "2c 3c 4c", "5c 6c 7c", "8d 9d Td")
PASSED_OUT = (
    "> press new-hand\n> press confirm\n> press no-more-bets\n"
    + "".join(f"> draw {card}\n" for lap in FIVE_EACH for card in lap.split())
    + "> act 1 check\n> act 2 check\n> act 3 check\n> press confirm\n"
)


def ledger_of(table: Table) -> dict[int, int]:
    return dict(draws(table).bought)


def between(changes: str = "") -> Table:
    return played(BETWEEN + "> player 4 leaves\n" + changes)[0]


def test_fcd_bnk_1_what_each_player_has_bought_goes_over_to_the_next_hand() -> None:
    table, _ = played(BETWEEN + "> stack 2 2000\n" + PASSED_OUT)
    assert table.carry().bought == {1: 2000, 2: 2500, 3: 2000}
    again = Table.resume(table.carry(), rulebook_of)
    assert again.carry() == table.carry()


def test_fcd_rst_4_what_is_won_and_lost_changes_the_resto_and_not_what_was_bought() -> None:
    table, _ = played(BETWEEN + PASSED_OUT)
    assert dict(circle_of(table).stacks) == {1: 2450, 2: 1450, 3: 1950}
    assert ledger_of(table) == {1: 2000, 2: 2000, 3: 2000}


def test_fcd_rst_2_without_a_resto_chips_come_and_go_as_in_holdem() -> None:
    table, _ = played(BETWEEN.replace("resto 2000\n", "") + "> stack 2 50\n> stack 1 90000\n> player 1 leaves\n")
    assert dict(circle_of(table).stacks) == {2: 50, 3: 2000}
    assert ledger_of(table) == {}


def test_fcd_rst_3_who_has_no_resto_yet_is_not_dealt_in() -> None:
    table = between("> player 5 takes\n> press new-hand\n")
    assert table.state.order == (1, 2, 3)
    table = between("> player 5 takes\n> stack 5 2000\n> press new-hand\n")
    assert table.state.order == (5, 1, 2, 3)


def test_fcd_rst_3_everybody_begins_with_the_resto_however_many_have_it_already() -> None:
    text = BETWEEN.replace("stack 1 2500\nstack 2 1500\n", "")
    assert played(text + "> stack 1 2000\n> stack 2 2050\n")[1] == ["refused wrong-stack FCD-RST-3 resto=2000"]
    assert ledger_of(played(text + "> stack 1 2000\n> stack 2 2000\n")[0]) == {1: 2000, 2: 2000, 3: 2000}


@pytest.mark.parametrize(
    ("stacks", "average"), [((2500, 1500, 2149), 2000), ((2500, 1500, 2150), 2050), ((0, 30, 0), 50)]
)
def test_fcd_rst_11_the_average_is_rounded_down_to_the_smallest_chip_and_is_one_at_least(
    stacks: tuple[int, ...], average: int
) -> None:
    header = BETWEEN[: BETWEEN.index("stack 1")] + "".join(f"stack {at} {has}\n" for at, has in enumerate(stacks, 1))
    table, _ = played(header + "> player 5 takes\n")
    for wrong in (average - 50, average + 50):
        assert lines(table, f"stack 5 {wrong}") == [f"refused wrong-stack FCD-RST-11 average={average}"]
    assert lines(table, f"stack 5 {average}") == [f"bought 5 {average} total={average}", f"stack 5 {average}"]


def test_fcd_rst_11_who_has_left_is_nobody_else_and_begins_anew_when_he_comes_back() -> None:
    table = between("> declare closing-time\n> player 2 leaves\n> player 2 takes\n")
    assert 2 not in ledger_of(table)
    assert lines(table, "stack 2 2300") == ["refused wrong-stack FCD-RST-11 average=2250"]
    assert lines(table, "stack 2 2250")[0] == "bought 2 2250 total=2250"


def test_fcd_rst_8_the_hour_is_on_the_list_of_the_panel_between_hands_and_once() -> None:
    table = between()
    table.apply(f.Pressed(at_us=0, key=Key.INCIDENT))
    assert Declaration.CLOSING_TIME in table.state.menu
    table = between("> declare closing-time\n")
    table.apply(f.Pressed(at_us=0, key=Key.INCIDENT))
    assert Declaration.CLOSING_TIME not in table.state.menu
    assert table.carry().is_closing


def test_fcd_rst_8_even_is_not_ahead_and_one_chip_more_is() -> None:
    text = BETWEEN.replace("stack 1 2500", "stack 1 2001")
    assert "FCD-RST-8" in played(text + "> player 1 leaves\n")[1][0]
    assert "FCD-RST-9" in played(text + "> player 3 leaves\n")[1][0]


def test_fcd_rst_8_who_goes_away_for_a_while_asks_nobody() -> None:
    table, said = played(BETWEEN + "> player 1 away\n")
    assert said == ["player 1 away"]
    assert ledger_of(table)[1] == 2000
    assert lines(table, "player 1 back") == ["player 1 back"]
    assert lines(table, "stack 1 2000") == ["refused wrong-stack FCD-RST-5 has=2500"]


def test_fcd_bnk_1_a_player_who_is_sent_away_has_his_account_as_well() -> None:
    table = between()
    table.state.out.clear()
    attendance.sent_away(circle_of(table), 2)
    assert table.state.out == [Account(seat=2, bought=2000, stack=1500)]
    assert 2 not in ledger_of(table)
    assert 2 not in circle_of(table).stacks


def test_fcd_rst_10_a_player_who_is_no_longer_dealt_in_can_be_before_the_first_card() -> None:
    text = BETWEEN.replace("stack 3 2000", "stack 3 0") + "> press new-hand\n"
    table, said = played(text)
    assert "refused no-stack FCD-OPN-2 seat-3" in said
    assert list(table.state.order) == [2, 1]
    assert lines(table, "stack 3 2000") == ["bought 3 2000 total=4000", "stack 3 2000", "button 3"]
    assert list(table.state.order) == [1, 2, 3]


def test_fcd_rst_10_a_refill_before_the_first_card_counts_for_who_put_his_last_chips_into_the_ante() -> None:
    text = BETWEEN.replace("stack 3 2000", "stack 3 50") + "> press new-hand\n> press confirm\n> press no-more-bets\n"
    for refill, acts in (("", (1, 2)), ("> stack 3 2000\n", (1, 2, 3))):
        cards = "".join(f"> draw {card}\n" for lap in FIVE_EACH for card in lap.split())
        table, _ = played(text + refill + cards)
        for seat in acts:
            assert circle_of(table).turn == seat
            table.apply(f.Pressed(at_us=0, key=Key.CHECK))
        assert table.state.phase.name == "settlement"
        table.apply(f.Pressed(at_us=0, key=Key.CONFIRM))
        assert circle_of(table).stacks[3] == (2000 if refill else 0)


def test_fcd_rst_10_two_who_have_chips_again_before_the_first_card_bet_against_each_other() -> None:
    text = BETWEEN.replace("stack 3 2000", "stack 3 50").replace("seats 1 2 3", "seats 1 3")
    text += "> press new-hand\n> press confirm\n> press no-more-bets\n> stack 3 2000\n"
    cards = "".join(f"> draw {card}\n" for lap in FIVE_EACH for card in lap.split()[:2])
    table, _ = played(text + cards)
    assert circle_of(table).turn == 1
    assert lines(table, "act 1 bet 100") == ["spoke 1 bet to=100 added=100"]
    assert circle_of(table).turn == 3
    lines(table, "act 3 raise 400")
    assert circle_of(table).turn == 1


def test_fcd_rst_1_no_chips_appear_and_none_are_lost_whatever_is_entered() -> None:
    """What lies before the players, what is carried, and what was taken away come to what was bought."""
    table = Table.resume(parse(BETWEEN + PASSED_OUT).carry, rulebook_of)
    bought = {1: 2500, 2: 1500, 3: 2000}
    taken = 0
    for step in parse(BETWEEN + "> stack 2 2000\n" + PASSED_OUT + "> stack 2 1950\n> stack 3 2000\n").steps:
        for line in decision_lines(step.fact, table.apply(step.fact), last_draw=0):
            word, *rest = line.split()
            if word == "bought":
                bought[int(rest[0])] += int(rest[1])
            elif word == "account":
                taken += int(rest[2].removeprefix("stack="))
    circle = draws(table)
    assert sum(circle.stacks.values()) + circle.carried + taken == sum(bought.values())
    assert circle.carried == 150


def test_fcd_rst_8_the_pit_boss_is_asked_once_and_the_seat_is_free_when_he_says_so() -> None:
    table = between("> player 1 leaves\n> player 1 leaves\n")
    assert len(table.state.ruling) == 1
    table.apply(f.Ruled(at_us=0, incident=1, remedy=table.state.ruling[1].remedies[0], by="ana", reason="seen"))
    assert 1 not in circle_of(table).present
    assert 1 not in ledger_of(table)
    assert table.apply(f.Moved(at_us=0, seat=1, what=SeatChange.TAKES))

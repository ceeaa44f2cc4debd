"""Errors of the deal, in the ways that the hand files do not show: what is refused, what is offered, whose turn it is
afterwards, and that a plan which was written anew is enforced like any other."""

from __future__ import annotations

import pytest

from tablectl.core.engine.prompt import Instruction
from tablectl.core.engine.table import Table
from tablectl.core.engine.vocabulary import SEAT_KEYS, Declaration, Key, Question, Tracking
from tablectl.families.pots.state import PotGameState
from tablectl.games.registry import rulebook_of
from tablectl.journal.handfile.file import parse
from tests.engine.states import pots
from tests.engine.tables import lines

BOTH = pytest.mark.parametrize("rulebook", ["circle-holdem", "open-holdem"])
DEALT = ("As", "Kd", "7h", "2c", "Qs", "Jd", "9h", "3c")


def table_of(extra: str = "", *, cards: int = 0, acted: str = "", rulebook: str = "circle-holdem") -> Table:
    """Seats 1, 3, 5 and 7, the button at 7; the blinds posted, so many cards out, and what was done then."""
    chips = (
        "" if "tracking" in extra else "limits bet 200..100000\n" + "".join(f"stack {s} 20000\n" for s in (1, 3, 5, 7))
    )
    hand = parse(f"# THL-MIS-0: x\nrulebook {rulebook}\nseats 1 3 5 7\nbutton 7\n{chips}{extra}\n> press new-hand\n")
    table = Table.resume(hand.carry, rulebook_of)
    lines(table, "press new-hand\npress no-more-bets")
    for code in DEALT[:cards]:
        draw(table, code)
    for action in acted.split():
        lines(table, f"act {action}")
    return table


def draw(table: Table, code: str) -> list[str]:
    due = table.state.deal.due
    if "antennas" in str(table.state.setup.equipment):
        assert due is not None
        return lines(table, f"seen {due.spot} {code}")
    return lines(table, f"draw {code}")


def laid(table: Table) -> dict[str, str]:
    """Which card lies where."""
    return {slot.name: draw.card.code for slot, draw in table.state.deal.at.items() if draw.card is not None}


# --- the two actions ------------------------------------------------------------------------------------------------


@BOTH
@pytest.mark.parametrize(
    ("acted", "clause"), [("", "THL-MIS-0"), ("call", "THL-MIS-0"), ("fold", "THL-MIS-0"), ("call fold", "THL-MIS-8")]
)
def test_thl_mis_8_two_different_players_who_acted_end_the_time(rulebook: str, acted: str, clause: str) -> None:
    table = table_of(cards=8, acted=acted, rulebook=rulebook)
    assert clause in lines(table, "declare misdeal")[0]


def test_thl_mis_8_blinds_and_entry_bets_are_no_actions() -> None:
    table = table_of("player seat=4 in missed=big", cards=8)
    draw(table, "4d")
    draw(table, "5d")
    assert lines(table, "declare misdeal")[0].startswith("incident THL-MIS-0")


def test_thl_mis_9_a_void_hand_leaves_every_stack_as_it_was_and_the_same_button() -> None:
    table = table_of(cards=8)
    lines(table, "act raise 600\ndeclare misdeal\npress confirm")
    circle = table.state
    assert isinstance(circle, PotGameState)
    assert set(circle.stacks.values()) == {20_000}
    assert lines(table, "press new-hand") == ["hand 2", "phase blinds", "button 7"]


def test_thl_mis_0_is_not_declared_where_no_hand_is_dealt() -> None:
    table = table_of()
    lines(table, "declare misdeal\npress confirm")
    assert lines(table, "declare misdeal") == ["refused not-live THL-MIS-0"]


def test_thl_mis_0_while_it_is_asked_whether_two_have_acted_nothing_is_dealt_and_it_is_not_asked_twice() -> None:
    table = table_of("tracking rounds", cards=8)
    lines(table, "declare misdeal")
    assert lines(table, "declare misdeal") == ["refused not-live THL-MIS-0"]
    assert table.prompt().question is Question.TWO_ACTIONS
    assert {Key.CONFIRM, Key.CANCEL} <= set(table.prompt().keys)


def test_thl_mis_8_where_rounds_are_entered_the_flop_tells_that_two_have_acted() -> None:
    table = table_of("tracking rounds", cards=8)
    lines(table, "press confirm\ndraw 4c")
    assert lines(table, "declare misdeal") == ["incident THL-MIS-8 expected=deal observed=misdeal remedy=continue"]


@pytest.mark.parametrize("tracking", [Tracking.ROUNDS, Tracking.ACTIONS])
def test_thl_mis_0_while_cards_are_dealt_nobody_has_acted_however_much_is_entered(tracking: Tracking) -> None:
    table = table_of(f"tracking {tracking}", cards=3)
    assert lines(table, "declare misdeal")[0].endswith("remedy=void-hand")


def test_thl_mis_8_while_a_card_is_dealt_once_more_rounds_do_not_tell_how_many_have_acted() -> None:
    table = table_of("tracking rounds", cards=8)
    lines(table, "declare turned-while-dealt")
    assert table.state.phase.name == "dealing"
    assert lines(table, "declare misdeal")[-1] == "asked two-actions deal"


# --- order and count ------------------------------------------------------------------------------------------------


def test_thl_mis_1_while_it_is_asked_nobody_bets_and_no_street_comes() -> None:
    table = table_of(cards=8)
    lines(table, "declare wrong-order")
    assert lines(table, "act call") == ["refused held"]
    assert lines(table, "draw 4c")[-1] == "asked seen last-card"
    assert table.state.held
    assert "board.1" not in laid(table)


def test_thl_mis_1_is_declared_once_until_it_is_answered() -> None:
    table = table_of(cards=4)
    lines(table, "declare wrong-order")
    assert lines(table, "declare wrong-order") == ["refused no-card THL-MIS-1"]
    lines(table, "press confirm")
    assert lines(table, "declare wrong-order")[-1] == "asked reconstructed cards"


def test_thl_mis_1_readers_that_are_away_cannot_disagree() -> None:
    table = table_of("equipment antennas", cards=1)
    lines(
        table,
        "seen seat-5 Kd\ntime +1.5\npress cancel\nseen seat-5 7h\n"
        "lost antennas felt-1\nlost antennas felt-2\nback antennas felt-1",
    )
    table.state.shoe_lost = None
    assert lines(table, "press confirm") == ["closed 1 correct by croupier", "card seat-5.1"]


def test_thl_mis_2_of_antennas_that_see_two_cards_at_a_seat_a_declared_count_is_put_right_by_the_croupier() -> None:
    table = table_of("equipment antennas", cards=8)
    assert lines(table, "declare wrong-count seat-3 cards=1 lap=2")[-1] == "asked reconstructed seat-3"
    assert lines(table, "press confirm") == ["closed 1 correct by croupier"]
    assert len(laid(table)) == 8


def test_thl_mis_2_a_card_that_the_readers_miss_where_it_belongs_voids_the_hand() -> None:
    table = table_of("equipment antennas", cards=8)
    lines(table, "declare wrong-count seat-3 cards=1 lap=2\ngone seat-3 Jd")
    assert "void-hand THL-MIS-2" in lines(table, "press confirm")


def test_thl_mis_2_a_missing_card_is_the_next_one_and_those_after_it_move_up() -> None:
    table = table_of(cards=7)
    lines(table, "declare wrong-count seat-3 cards=1 lap=2\npress confirm")
    assert table.prompt().about == "seat-3.2", "the plan that was written anew asks for it"
    draw(table, "3c")
    at = laid(table)
    assert (at["seat-5.2"], at["seat-7.2"], at["seat-3.2"]) == ("Jd", "9h", "3c")


def test_thl_mis_2_a_card_too_many_is_the_next_one_and_those_after_it_move_on() -> None:
    table = table_of(cards=8)
    lines(table, "declare wrong-count seat-3 cards=3 lap=2\npress not-seen")
    assert table.state.held, "until it is moved"
    lines(table, "press confirm")
    at = laid(table)
    assert (at["seat-3.2"], at["seat-5.2"], at["seat-7.2"]) == ("Jd", "3c", "9h")
    assert table.prompt().about == "seat-5", "and he speaks first, as before"


def test_thl_mis_2_after_a_replaced_card_a_count_is_not_put_right_any_more() -> None:
    table = table_of(cards=2)
    lines(table, "declare turned-while-dealt")
    for code in DEALT[2:]:
        draw(table, code)
    assert "void-hand THL-MIS-2" in lines(table, "declare wrong-count seat-5 cards=1 lap=1")


@pytest.mark.parametrize("spot", ["seat-2", "seat-11", "house", "seat-x"])
def test_thl_mis_2_a_seat_that_was_not_dealt_in_has_no_count(spot: str) -> None:
    table = table_of(cards=8)
    assert lines(table, f"declare wrong-count {spot} cards=1") == [f"refused unknown-seat THL-MIS-2 {spot}"]


def test_thl_mis_2_a_missing_first_card_of_the_first_lap_only_is_not_a_second_one() -> None:
    table = table_of(cards=3)
    found = lines(table, "declare wrong-count seat-3 cards=0")
    assert found[1:] == ["card seat-5.1 draw=2", "card seat-7.1", "asked moved moved-cards"]


def test_thl_mis_7_before_the_deal_is_over_no_blind_is_without_cards() -> None:
    table = table_of(cards=3)
    assert lines(table, "declare wrong-count seat-3 cards=0")[0].startswith("incident THL-MIS-2")


def test_thl_mis_7_an_entry_bet_is_a_forced_bet_as_well() -> None:
    table = table_of("player seat=4 in missed=big", cards=8)
    draw(table, "4d")
    draw(table, "5d")
    assert lines(table, "declare wrong-count seat-4 cards=0")[0].startswith("incident THL-MIS-7")


def test_thl_mis_7_a_returned_blind_lowers_what_the_others_have_to_call() -> None:
    table = table_of(cards=8, acted="fold fold")
    lines(table, "declare wrong-count seat-3 cards=0\nrule 1 refund-bets by ana as he saw it")
    assert table.state.phase.name == "settlement"
    assert "stack 1 20000" in lines(table, "press confirm")


def test_thl_ple_12_what_killed_a_hand_is_taken_back_and_not_the_action_before_it() -> None:
    table = table_of(cards=8, acted="call call")
    before = table.state.staying
    lines(table, "declare wrong-count seat-3 cards=3")
    assert table.state.staying != before
    assert lines(table, "press cancel")[0].startswith("withdrawn")
    assert table.state.staying == before
    assert lines(table, "press cancel")[0].startswith("refused")


def test_thl_ple_12_whoever_is_left_alone_has_won_whatever_he_holds() -> None:
    table = table_of(cards=8, acted="fold fold fold")
    assert lines(table, "declare wrong-count seat-3 cards=3") == ["refused not-live THL-MIS-2"]


def test_thl_ple_12_a_seat_that_lost_gets_its_money_back_in_a_void_hand_all_the_same() -> None:
    table = table_of(cards=8, acted="call call")
    lines(table, "declare wrong-count seat-7 cards=3\ncall by ana")
    assert "refund 7 pot 200" in lines(table, "rule 2 void-hand by ana misdeal")


def test_thl_ple_11_the_croupier_asks_seat_count_and_lap() -> None:
    table = table_of(cards=8)
    lines(table, "press wrong-count")
    assert {Key.SEAT_1, Key.SEAT_3, Key.SEAT_5, Key.SEAT_7} <= set(table.prompt().keys)
    assert Key.SEAT_2 not in table.prompt().keys
    assert lines(table, "press cancel") == ["refused taken-back wrong-count"]


# --- exposed cards, empty seats -------------------------------------------------------------------------------------


@BOTH
def test_thl_cre_8_after_the_flop_without_a_burn_the_other_streets_have_theirs(rulebook: str) -> None:
    table = table_of(cards=2, rulebook=rulebook)
    lines(table, "declare turned-while-dealt")
    for code in DEALT[2:]:
        draw(table, code)
    draw(table, "4d")
    lines(table, "act call\nact call\nact call\nact check")
    burns = [slot.name for slot in table.state.deal.plan]
    assert burns == ["board.1", "board.2", "board.3"]
    assert laid(table)["burn.1"] == "Kd"
    assert laid(table)["seat-3.1"] == "4d"


def test_thl_gen_14_the_exposed_card_is_shown_and_the_one_that_replaces_it_is_not() -> None:
    table = table_of(cards=2)
    lines(table, "declare turned-while-dealt")
    assert {slot.name for slot in table.state.shown} == {"seat-3.1"}
    for code in (*DEALT[2:], "4d"):
        draw(table, code)
    assert {slot.name for slot in table.state.shown} == {"burn.1"}


@BOTH
def test_thl_cre_8_a_burn_made_too_soon_takes_the_place_of_the_exposed_card(rulebook: str) -> None:
    """The exposed card is burnt in its stead, so what lay as the burn is the next card."""
    table = table_of(cards=8, rulebook=rulebook)
    draw(table, "4d")
    lines(table, "press not-seen")
    assert laid(table)["burn.1"] == "4d"
    lines(table, "declare turned-while-dealt seat-3 lap=1")
    assert (laid(table)["burn.1"], laid(table)["seat-3.1"]) == ("Kd", "4d")
    assert table.prompt().instruction is Instruction.SPEAK


def test_thl_mis_4_a_third_card_is_one_too_many_as_well() -> None:
    table = table_of(cards=8, acted="call call")
    # A card before the last one is the pit boss's (ruling 17); the hand goes on by his choice.
    lines(table, "declare turned-while-dealt seat-1 lap=1\nrule 1 continue by ana")
    lines(table, "declare turned-while-dealt seat-3 lap=1")
    assert lines(table, "declare fallen-card seat-5")[0].startswith("incident THL-MIS-8")


@pytest.mark.parametrize("what", ["turned-while-dealt", "fallen-card", "face-up-in-shoe"])
def test_thl_cre_8_before_the_first_card_nothing_can_be_exposed(what: str) -> None:
    assert lines(table_of(), f"declare {what}") == ["refused no-card THL-CRE-8"]


def test_thl_gen_14_a_card_of_a_street_is_not_put_away_when_somebody_has_bet_on_it() -> None:
    table = table_of(cards=8, acted="call call call check")
    for code in ("4c", "5c", "6d", "8s"):
        draw(table, code)
    lines(table, "act check")
    assert lines(table, "declare face-up-in-shoe")[0].startswith("incident THL-CRE-8")


def test_thl_gen_14_a_common_card_face_up_in_the_deck_is_replaced_before_the_betting() -> None:
    table = table_of(cards=8, acted="call call call check")
    for code in ("4c", "5c", "6d", "8s"):
        draw(table, code)
    assert lines(table, "declare face-up-in-shoe")[1:] == ["card discard.1", "phase flop"]
    assert lines(table, "draw 9s") == ["card board.3", "phase flop-betting"]
    assert table.prompt().about == "seat-1"


def test_thl_cre_2_the_dead_hand_has_its_place_and_no_turn() -> None:
    table = table_of(cards=3)
    lines(table, "declare cards-to-empty-seat seat-4")
    for code in (*DEALT[3:], "4d", "5d"):
        draw(table, code)
    assert laid(table)["seat-4.1"] == "7h"
    assert 4 not in table.state.staying
    lines(table, "act call\nact call")
    assert table.prompt().about == "seat-1"


def test_thl_cre_2_after_a_replaced_card_the_plan_is_not_laid_anew() -> None:
    table = table_of(cards=2)
    lines(table, "declare turned-while-dealt")
    assert lines(table, "declare cards-to-empty-seat seat-4") == ["refused not-live THL-CRE-2 seat-4"]


def test_thl_cre_2_a_seat_that_is_played_is_not_empty() -> None:
    table = table_of(cards=3)
    assert lines(table, "declare cards-to-empty-seat seat-3") == ["refused unknown-seat THL-CRE-2 seat-3"]


def test_thl_mis_3_a_seat_that_is_not_in_the_hand_saw_nothing() -> None:
    table = table_of(cards=3)
    assert lines(table, "declare others-card-seen seat-2") == ["refused unknown-seat THL-MIS-3 seat-2"]


# --- deck and button ------------------------------------------------------------------------------------------------


def test_thl_mis_6_the_right_button_is_no_error() -> None:
    table = table_of(cards=3)
    assert lines(table, "declare wrong-button seat-7") == ["refused unknown-seat THL-MIS-6 seat-7"]
    assert lines(table, "button 7") == ["refused hand-in-play THL-MIS-6 button=seat-7"]


def test_thl_mis_6_a_button_that_is_laid_elsewhere_in_a_hand_is_the_wrong_one() -> None:
    table = table_of(cards=3)
    assert lines(table, "button 3")[0] == "incident THL-MIS-6 expected=seat-7 observed=seat-3 remedy=void-hand"


def test_thl_mis_6_where_rounds_are_entered_and_two_have_acted_the_button_goes_on_from_where_it_lay() -> None:
    table = table_of("tracking rounds", cards=8)
    lines(table, "declare wrong-button seat-3\npress confirm")
    assert pots(table).button == 3


def test_thl_mis_5_a_deck_found_wanting_between_two_hands_is_replaced_and_nothing_else() -> None:
    table = table_of(cards=3)
    lines(table, "declare misdeal\npress confirm")
    assert lines(table, "declare missing-card") == [
        "incident THL-SHF-1 expected=52-cards observed=missing-card remedy=continue",
        "asked new-deck deck",
    ]


@pytest.mark.parametrize("acted", ["", "call", "call call"])
def test_amb_13_a_foreign_card_is_for_the_pit_boss_however_late_and_void_is_proposed(acted: str) -> None:
    table = table_of(cards=8, acted=acted)
    (found,) = lines(table, "tag seat-3 foreign-card")
    assert found.endswith("remedy=void-hand|continue")
    assert "void-hand THL-MIS-5" in lines(table, "rule 1 void-hand by ana misdeal")
    assert table.state.needs_deck


def test_amb_13_in_the_draw_for_the_button_a_card_that_comes_twice_is_for_the_pit_boss() -> None:
    hand = parse("# THL-MIS-5: x\nrulebook circle-holdem\nseats 1 3\ntracking actions\n> press new-hand\n")
    table = Table.resume(hand.carry, rulebook_of)
    lines(table, "press new-hand\ndraw As")
    assert lines(table, "draw As")[-1].endswith("remedy=void-hand|next-card")
    assert "void-hand THL-MIS-5" in lines(table, "rule 1 void-hand by ana misdeal")


def test_thl_shf_1_after_the_draw_for_the_button_no_card_is_dealt_yet() -> None:
    hand = parse("# THL-SHF-1: x\nrulebook circle-holdem\nseats 1 3\ntracking actions\n> press new-hand\n")
    table = Table.resume(hand.carry, rulebook_of)
    lines(table, "press new-hand\ndraw As\ndraw Kd\npress confirm\npress no-more-bets")
    assert lines(table, "declare missing-card")[0].startswith("incident THL-SHF-1")
    lines(table, "press confirm")
    assert lines(table, "declare card-seen-at-cut")[-1] == "asked reshuffled deck"


# --- what is offered ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("cards", [0, 1, 4, 8])
@pytest.mark.parametrize("acted", ["", "call", "call call"])
@pytest.mark.parametrize("tracking", ["tracking rounds", "tracking actions"])
def test_thl_mis_0_what_is_offered_is_what_happens(cards: int, acted: str, tracking: str) -> None:
    chosen = acted if cards == 8 and "actions" in tracking else ""
    table = table_of(tracking, cards=cards, acted=chosen)
    lines(table, "press incident")
    assert table.prompt().instruction is Instruction.DECLARE
    answers = {
        Declaration.WRONG_COUNT: f"seat-1 cards={(cards + 3) // 4 - 1} lap=1",
        Declaration.CARDS_TO_EMPTY_SEAT: "seat-4",
        Declaration.OTHERS_CARD_SEEN: "seat-3",
        Declaration.WRONG_BUTTON: "seat-3",
    }
    for offer in table.prompt().offers:
        if offer.what in (Declaration.UNREPORTED_CARD, Declaration.PIT_BOSS):
            continue
        other = table_of(tracking, cards=cards, acted=chosen)
        found = lines(other, f"declare {offer.what} {answers.get(offer.what, '')}")
        while found[0].startswith(("asked which-seat ", "asked other-seat ")):
            seats = [key for key in other.prompt().keys if key in SEAT_KEYS]
            # Of those who can have been passed over or misled, the last one is still in time.
            is_in_time = offer.what in (Declaration.SKIPPED, Declaration.WRONG_AMOUNT)
            seat = seats[-1] if is_in_time else seats[0]
            found = lines(other, f"press {seat}")
        if found[0].startswith("asked mixed "):
            found = lines(other, "press cancel")
        assert found[0].startswith(f"incident {offer.clause} "), offer
        if offer.clause in ("THL-PLE-1a", "THL-PLE-1b") and "actions" in tracking:
            # Whoever is asked about did not bet and nobody is all-in, so that he does not get his cards back.
            assert found[0].endswith("remedy=reject")
        else:
            assert found[0].endswith(f"remedy={'|'.join(offer.remedies)}"), offer


def test_thl_mis_0_declarations_of_the_bank_s_games_are_none_here() -> None:
    assert lines(table_of(cards=3), "declare bank-card-exposed") == ["refused not-live bank-card-exposed"]


def test_thl_mis_1_a_card_at_another_seat_in_the_draw_for_the_button_is_put_right() -> None:
    hand = parse(
        "rulebook circle-holdem\nequipment both\nseats 1 2 4\ntracking actions\nprofile first_button=high-card\n"
        "> press new-hand\n"
    )
    table = Table.resume(hand.carry, rulebook_of)
    found = lines(table, "press new-hand\ndraw Ks\nseen seat-3 Ks\ntime +1.5")
    assert found[0] == "incident THL-MIS-1 expected=seat-1.up observed=seat-3 remedy=correct"
    assert table.state.held

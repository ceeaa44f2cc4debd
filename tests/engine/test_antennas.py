"""What only antennas can tell, and what they must not say without need: a card is lifted, passes by, is swept away."""

from __future__ import annotations

import pytest

from tablectl.core.cards import Card, card
from tablectl.core.engine.decisions import IncidentClosed
from tablectl.core.engine.facts import Gone
from tablectl.core.engine.table import Table
from tablectl.core.engine.vocabulary import Chooser, Equipment, Strange
from tablectl.games.registry import rulebook_of
from tablectl.journal.handfile.facts import parse_fact
from tablectl.journal.handfile.file import parse
from tablectl.journal.handfile.playing import opening
from tests.engine.tables import lines, setup, table_of
from tests.journal.journals import HANDS

WITH_ANTENNAS = [Equipment.ANTENNAS, Equipment.BOTH]


def in_the_deal(rulebook: str, equipment: Equipment, cards: str = "", *, seats: int = 2) -> Table:
    """Seats 1 to `seats` in, no more bets; `cards` dealt to their places, each seen there."""
    table = table_of(setup(rulebook, equipment=equipment))
    lines(table, "press new-hand")
    for seat in range(1, seats + 1):
        lines(table, f"bet {seat} ante 1000")
    lines(table, "press no-more-bets")
    for code in cards.split():
        dealt(table, code)
    return table


def dealt(table: Table, code: str, spot: str | None = None) -> list[str]:
    """The next card comes out of the shoe, where there is one, and is seen at its spot, or at another one."""
    due = table.state.deal.due
    assert due is not None
    found: list[str] = []
    if table.state.setup.equipment is Equipment.BOTH:
        found = lines(table, f"draw {code}")
    return found + lines(table, f"seen {spot or due.spot} {code}")


def test_tpc_mis_5_of_two_cards_with_one_face_the_one_that_was_lifted_is_gone() -> None:
    table = in_the_deal("texas-poker", Equipment.BOTH, "2c 3c")
    lines(table, "draw 2c")
    lines(table, "seen seat-2 2c\nrule 1 void-hand by ana misdeal")
    assert lines(table, "press confirm") == ["refused cards-on-felt seat-1+seat-2"]
    lines(table, "gone seat-1 2c")
    assert lines(table, "press confirm") == ["refused cards-on-felt seat-2"]
    lines(table, "gone seat-2 2c")
    assert table.state.felt.seen_at == {2: "seat-2"}, "the other one of that seat"
    lines(table, "gone seat-2 3c")
    assert "phase closed" in lines(table, "press confirm")


def test_tpc_mis_5_a_second_card_with_one_face_where_the_next_one_is_due_is_a_duplicate_without_a_shoe_too() -> None:
    table = in_the_deal("texas-poker", Equipment.ANTENNAS, "2c")
    assert dealt(table, "2c") == [
        "incident TPC-MIS-5 expected=52-different-cards observed=same-card-again remedy=void-hand|next-card"
    ]


def test_tpc_mis_5_a_card_that_was_lifted_before_it_is_seen_elsewhere_is_no_duplicate() -> None:
    table = in_the_deal("texas-poker", Equipment.ANTENNAS, "2c")
    lines(table, "gone seat-1 2c")
    assert "TPC-MIS-5" not in " ".join(dealt(table, "2c"))


# --- a hole card at the wrong spot -----------------------------------------------------------------------------------


def after_dwell_time(table: Table) -> list[str]:
    """Antennas alone: no card lies where the next one is due, which no reader could tell (AMB-63)."""
    found = lines(table, "time +1.5")
    if table.state.setup.equipment is not Equipment.ANTENNAS:
        return found
    assert found == ["asked unread-there seat-1.1"]
    return lines(table, "press cancel")


@pytest.mark.parametrize("equipment", WITH_ANTENNAS)
def test_tpc_mis_1_a_hole_card_that_lies_at_another_seat_for_the_dwell_time_voids_the_hand(
    equipment: Equipment,
) -> None:
    table = in_the_deal("texas-poker", equipment)
    dealt(table, "2c", "seat-2")
    assert table.state.phase.name == "dealing", "it may be passing by"
    found = [line for line in after_dwell_time(table) if not line.startswith("card ")]
    assert found[:2] == [
        "incident TPC-MIS-1 expected=seat-1.1 observed=seat-2 remedy=void-hand|continue",
        "asked lies-there seat-2",
    ]
    assert lines(table, "press confirm")[:2] == ["closed 1 void-hand by croupier", "void-hand TPC-MIS-1"]
    assert table.state.phase.name == "voided"


@pytest.mark.parametrize("equipment", WITH_ANTENNAS)
def test_tpc_mis_1_a_card_that_passes_another_seat_on_its_way_is_no_error(equipment: Equipment) -> None:
    table = in_the_deal("texas-poker", equipment, "2c")
    dealt(table, "3c", "seat-1")
    found = lines(table, "+0.9 gone seat-1 3c\nseen seat-2 3c")
    assert found == (["card seat-2.1"] if equipment is Equipment.ANTENNAS else [])
    assert lines(table, "time +9") == []
    assert dealt(table, "4c")[0] == "card house.1"


def test_cards_that_are_told_in_another_order_than_they_were_dealt_lie_where_they_lie() -> None:
    table = in_the_deal("texas-poker", Equipment.ANTENNAS)
    assert dealt(table, "3c", "seat-2") == []
    assert lines(table, "+0.4 seen seat-1 2c") == ["card seat-1.1", "card seat-2.1 draw=1"]
    assert lines(table, "time +9") == []


@pytest.mark.parametrize("equipment", WITH_ANTENNAS)
def test_thb_dev_7_a_hole_card_at_another_seat_is_put_right_where_nobody_saw_it(equipment: Equipment) -> None:
    for answer, then in (("not-seen", ["asked moved seat-1.1"]), ("seen", ["escalated 1 remedy=void-hand|correct"])):
        table = in_the_deal("texas-bonus", equipment)
        dealt(table, "2c", "seat-2")
        found = [line for line in after_dwell_time(table) if not line.startswith("card ")]
        assert found[:2] == [
            "incident THB-DEV-7 expected=seat-1.1 observed=seat-2 remedy=correct",
            "asked seen seat-1.1",
        ]
        assert lines(table, f"press {answer}") == then


def test_tpc_mis_1_a_card_that_was_dealt_right_and_then_lies_at_another_player_s_may_have_been_seen() -> None:
    """AMB-55: not seen there it is carried back."""
    table = in_the_deal("texas-poker", Equipment.BOTH, "2c 3c 4c")
    assert lines(table, "gone seat-1 2c\nseen seat-2 2c\ntime +1.5") == [
        "incident TPC-MIS-1 expected=seat-1.1 observed=seat-2 remedy=correct",
        "asked seen seat-1.1",
    ]
    assert lines(table, "gone seat-2 2c\nseen seat-2 2c\ntime +1.5") == [], "once, until it is answered"
    assert lines(table, "press not-seen") == ["asked moved seat-1.1"]
    assert lines(table, "press confirm") == ["closed 1 correct by croupier"]


def test_tpc_ple_1_a_card_of_the_bank_at_a_seat_is_no_contact_of_players() -> None:
    table = in_the_deal("texas-poker", Equipment.BOTH, "2c 3c 4c 5c 6c 7c 8c 9c Tc")
    assert table.state.phase.name == "decision"
    found = lines(table, "seen seat-2 4c\ntime +1.5")
    assert found[0].startswith("incident TPC-DEV-6 expected=house.1 observed=seat-2")


@pytest.mark.parametrize("equipment", WITH_ANTENNAS)
@pytest.mark.parametrize("rulebook", ["texas-bonus", "texas-poker"])
def test_tpc_dev_8_players_lift_their_cards_and_lay_them_as_they_like(rulebook: str, equipment: Equipment) -> None:
    table = in_the_deal(rulebook, equipment, "2c 3c 4c 5c 6c 7c")
    for told in ("gone seat-1 2c", "gone seat-1 5c", "seen seat-1 5c at=1", "seen seat-1 2c at=2"):
        assert lines(table, told) == []
    assert not table.state.held


# --- common cards and those of the bank -------------------------------------------------------------------------------


def test_thb_tab_3_a_common_card_in_another_s_place_is_moved() -> None:
    table = in_the_deal("texas-bonus", Equipment.BOTH, "2c 3c 4c 5c 6c 7c")
    lines(table, "press all-bet")
    dealt(table, "8c")
    lines(table, "draw 9c")
    assert lines(table, "seen board 9c at=2") == [
        "incident THB-TAB-3 expected=board.1 observed=board.2 remedy=correct",
        "asked moved board.1",
    ]
    assert lines(table, "press confirm") == ["closed 1 correct by croupier"]
    assert lines(table, "seen board 9c at=1") == []


def test_thb_err_4_a_common_card_that_comes_to_a_seat_is_one_too_many_there() -> None:
    table = in_the_deal("texas-bonus", Equipment.BOTH, "2c 3c 4c 5c 6c 7c")
    lines(table, "press all-bet")
    dealt(table, "8c")
    assert dealt(table, "9c", "seat-1") == ["card board.1"]
    assert lines(table, "time +1.5")[:2] == [
        "incident THB-ERR-4 expected=seat-1=2 observed=seat-1=3 remedy=next-card",
        "asked seen last-card",
    ]


def test_thb_tab_4_thb_dev_8_thb_dev_10_the_bank_s_cards_lie_left_and_right() -> None:
    table = in_the_deal("texas-bonus", Equipment.BOTH, "2c 3c")
    lines(table, "draw 4c")
    assert lines(table, "seen house 4c at=2") == [
        "incident THB-TAB-4 expected=house.1 observed=house.2 remedy=correct",
        "asked moved house.1",
    ]


def test_tpc_dev_6_the_bank_s_two_cards_have_no_places_of_their_own_where_the_document_names_none() -> None:
    table = in_the_deal("texas-poker", Equipment.BOTH, "2c 3c")
    lines(table, "draw 4c")
    assert lines(table, "seen house 4c at=2") == []


@pytest.mark.parametrize("equipment", WITH_ANTENNAS)
def test_tpc_dev_7_a_burn_where_none_is_due_is_known_without_a_word(equipment: Equipment) -> None:
    table = in_the_deal("texas-poker", equipment, "2c 3c 4c 5c 6c 7c")
    dealt(table, "8c", "burn")
    found = [line for line in lines(table, "time +1.5") if not line.startswith("card ")]
    assert found[:2] == [
        "incident TPC-DEV-7 expected=board.1 observed=burn remedy=next-card",
        "asked seen last-card",
    ]


def test_thb_set_6_cards_that_are_swept_together_at_the_end_are_no_error() -> None:
    table = in_the_deal("texas-bonus", Equipment.BOTH, "2c 3c 4c 5c 6c 7c")
    lines(table, "press fold\npress fold\npress bank")
    assert table.state.phase.name == "settlement"
    for told in ("gone seat-1 2c", "seen board 2c", "gone seat-2 3c", "seen seat-1 3c", "seen burn 4c"):
        assert lines(table, told) == []


# --- cards and tags that do not belong there ------------------------------------------------------------------------


def test_thb_sab_1_a_card_that_did_not_come_out_of_the_shoe_is_for_the_pit_boss() -> None:
    table = in_the_deal("texas-bonus", Equipment.BOTH, "2c")
    assert lines(table, "seen seat-2 9c") == [
        "incident THB-SAB-1 expected=card-from-the-shoe observed=seat-2 remedy=void-hand|continue"
    ]


def test_thb_sab_1_cards_in_the_discard_rack_and_between_hands_lie_in_wait_for_nothing() -> None:
    table = in_the_deal("texas-bonus", Equipment.BOTH, "2c")
    assert lines(table, "seen discard 9c") == []
    between = table_of(setup(equipment=Equipment.BOTH))
    assert lines(between, "seen seat-2 9c") == []


def test_thb_dev_7_without_a_shoe_a_card_in_the_discard_rack_between_hands_is_none_of_the_next_hand() -> None:
    between = table_of(setup(equipment=Equipment.ANTENNAS))
    assert lines(between, "seen discard 9c") == []
    lines(between, "press new-hand")
    assert lines(between, "seen discard 8c") == [], "the croupier was quick"
    assert between.state.deal.draws == []
    assert lines(between, "seen seat-1 9c")[-1] == "asked seen last-card"


@pytest.mark.parametrize("equipment", WITH_ANTENNAS)
def test_tpc_mis_5_a_tag_of_no_card_of_the_deck_holds_the_table(equipment: Equipment) -> None:
    table = in_the_deal("texas-poker", equipment, "2c")
    assert lines(table, "seen seat-2 ??") == [
        "incident TPC-MIS-5 expected=52-different-cards observed=foreign-card-seat-2 remedy=void-hand|continue"
    ]


def test_thb_dev_5_cards_that_the_bonus_waits_for_stay_on_the_table() -> None:
    table = table_of(setup(equipment=Equipment.BOTH))
    lines(table, "press new-hand\nbet 1 ante 1000 bonus 500\nbet 2 ante 1000\npress no-more-bets")
    for code in ["2c", "3c", "4c", "5c", "6c", "7c"]:
        dealt(table, code)
    lines(table, "press fold\npress fold")
    assert lines(table, "gone seat-1 2c\nseen discard 2c") == [
        "incident THB-DEV-5 expected=seat-1.1 observed=discard remedy=correct",
        "asked moved seat-1.1",
    ]
    assert lines(table, "gone seat-2 3c\nseen discard 3c") == [], "who folded without a bonus is collected"


# --- not seen at its place, not read, not gone ----------------------------------------------------------------------


def test_tpc_dev_6_a_card_that_was_never_seen_at_its_place_is_asked_for_once() -> None:
    table = in_the_deal("texas-poker", Equipment.BOTH, "2c 3c 4c 5c 6c")
    lines(table, "draw 7c")
    assert lines(table, "draw 8c") == [
        "card board.1",
        "incident TPC-DEV-6 expected=house.2 observed=not-seen remedy=continue",
        "asked at-its-spot house.2",
    ]
    assert lines(table, "press confirm") == ["closed 1 continue by croupier"]
    assert lines(table, "seen board 8c\ndraw 9c") == ["card board.2"]
    lines(table, "seen board 9c\ndraw Tc\nseen board Tc\npress all-bet")
    assert lines(table, "draw Jc") == ["card board.4"], "once"


def test_thb_err_2_cards_in_the_discard_rack_keep_no_void_hand_open() -> None:
    table = in_the_deal("texas-bonus", Equipment.BOTH, "2c")
    lines(
        table,
        "draw 3c\ndeclare face-up-in-shoe\nseen discard 3c\ncall by ana\nrule 2 void-hand by ana misdeal",
    )
    assert lines(table, "press confirm") == ["refused cards-on-felt seat-1"]
    lines(table, "gone seat-1 2c\nseen discard 2c")
    assert "phase closed" in lines(table, "press confirm")


def test_thb_sab_1_of_two_cards_that_the_shoe_could_not_read_the_antenna_reads_one_after_the_other() -> None:
    table = in_the_deal("texas-bonus", Equipment.BOTH, seats=1)
    lines(table, "draw ??\nseen seat-1 2c\ndraw 3c\nseen house 3c\ndraw ??\nseen seat-1 4c")
    assert [draw.card.code for draw in table.state.deal.draws if draw.card] == ["2c", "3c", "4c"]


def test_thb_sab_1_a_card_that_the_shoe_could_not_read_is_read_by_the_antenna_where_it_lies() -> None:
    table = in_the_deal("texas-bonus", Equipment.BOTH)
    lines(table, "draw ??")
    assert lines(table, "seen seat-1 2c") == []
    known = table.state.deal.draws[0].card
    assert known is not None
    assert known.code == "2c"
    assert table.state.felt.confirmed == {1}


def test_tpc_mis_0_a_void_hand_is_closed_when_its_cards_are_collected_or_the_pit_boss_has_looked() -> None:
    for last, closes in (
        ("gone seat-1 2c", True),
        ("call by ana\nrule 2 continue by ana the felt is empty", True),
        ("call by ana", False),
    ):
        table = in_the_deal("texas-poker", Equipment.BOTH, "2c 3c")
        lines(table, "call by ana\nrule 1 void-hand by ana misdeal\ngone seat-2 3c")
        assert lines(table, "press confirm") == ["refused cards-on-felt seat-1"]
        lines(table, last)
        assert ("phase closed" in lines(table, "press confirm")) == closes


def test_tpc_dev_17_before_the_reveal_it_is_asked_whether_a_card_that_nobody_saw_lies_at_its_place() -> None:
    table = in_the_deal("texas-poker", Equipment.BOTH, "2c 3c 4c 5c 6c 7c 8c 9c Tc")
    lines(table, "press all-bet")
    dealt(table, "Jc")
    lines(table, "draw Qc")
    assert lines(table, "press bank") == [
        "incident TPC-DEV-17 expected=board.5 observed=not-seen remedy=continue",
        "asked at-its-spot board.5",
    ]
    lines(table, "press confirm")
    assert "phase settlement" in lines(table, "press bank")


# --- tags that should not be there, and the count of the deck ---------------------------------------------------------


@pytest.mark.parametrize("equipment", Equipment)
@pytest.mark.parametrize("what", Strange)
def test_tpc_mis_5_a_strange_tag_holds_the_table_for_the_pit_boss_whatever_reads_the_cards(
    what: Strange, equipment: Equipment
) -> None:
    table = in_the_deal("texas-poker", equipment, "2c")
    assert lines(table, f"tag shoe {what}") == [
        f"incident TPC-MIS-5 expected=52-different-cards observed={what}-shoe remedy=void-hand|continue"
    ]
    assert table.state.held


def test_tpc_mis_4_a_deck_that_was_seen_whole_between_two_hands_is_nobodys_concern() -> None:
    table = table_of(setup("texas-poker", equipment=Equipment.ANTENNAS))
    assert lines(table, "counted 52") == []
    assert not table.state.held


def test_tpc_mis_4_cards_that_no_antenna_saw_are_counted_by_hand_before_a_deck_is_withdrawn() -> None:
    table = table_of(setup("texas-poker", equipment=Equipment.ANTENNAS))
    assert lines(table, "counted 51") == [
        "incident TPC-MIS-4 expected=52-cards observed=deck=51 remedy=continue",
        "asked deck-count deck",
    ]
    assert lines(table, "counted 50") == [], "asked once"
    assert lines(table, "press new-hand") == ["refused held"]
    assert lines(table, "press confirm") == ["closed 1 continue by croupier"]
    assert lines(table, "press new-hand") == ["hand 1", "phase betting"]


def test_tpc_mis_4_a_deck_that_lacks_a_card_by_hand_too_is_withdrawn() -> None:
    table = table_of(setup("texas-poker", equipment=Equipment.ANTENNAS))
    lines(table, "counted 51")
    assert lines(table, "press not-seen") == [
        "closed 1 continue by croupier",
        "incident TPC-MIS-4 expected=52-cards observed=missing-card remedy=continue",
        "asked new-deck deck",
    ]
    assert table.state.needs_deck
    assert lines(table, "counted 51") == [], "another deck is asked for already"


def test_tpc_mis_4_a_count_in_the_middle_of_a_hand_says_nothing() -> None:
    table = in_the_deal("texas-poker", Equipment.ANTENNAS, "2c")
    assert lines(table, "counted 3") == ["refused hand-in-play"]


# --- many readers under one felt --------------------------------------------------------------------------------------


def test_thb_sab_1_the_table_waits_until_the_last_of_its_lost_readers_is_back() -> None:
    table = in_the_deal("texas-bonus", Equipment.ANTENNAS, "2c")
    assert "observed=antennas-lost" in " ".join(lines(table, "lost antennas felt-1"))
    assert lines(table, "lost antennas felt-2") == []
    assert lines(table, "back antennas felt-1") == []
    assert table.state.held
    assert lines(table, "back antennas felt-2") == ["asked nothing-drawn antennas"]


def test_thb_sab_1_which_readers_are_away_goes_over_to_the_next_hand() -> None:
    table = table_of(setup("texas-bonus", equipment=Equipment.ANTENNAS))
    lines(table, "lost antennas felt-1\nlost antennas felt-2")
    resumed = Table.resume(table.carry(), rulebook_of)
    assert lines(resumed, "back antennas felt-1") == []
    assert resumed.state.held
    lines(resumed, "back antennas felt-2")
    assert not resumed.state.held


def test_thb_sab_1_a_controller_that_starts_hears_anew_which_readers_are_there() -> None:
    table = in_the_deal("texas-bonus", Equipment.ANTENNAS, "2c")
    lines(table, "lost antennas felt-1\nlost antennas one-that-is-configured-no-more\nrestart")
    assert "asked nothing-drawn antennas" in lines(table, "back antennas felt-1")


def test_thb_tab_3_what_no_antenna_saw_is_not_asked_for_while_an_antenna_is_away() -> None:
    table = in_the_deal("texas-bonus", Equipment.BOTH)
    for code in ["2c", "3c", "4c", "5c", "6c", "7c"]:
        lines(table, f"draw {code}")
    lines(table, "lost antennas felt-1\npress bet\npress bet")
    assert lines(table, "draw 8c") == ["card burn.1"], "nobody is asked whether they lie there"


def test_thb_err_4_between_two_hands_the_deck_may_be_squared_on_any_antenna() -> None:
    table = table_of(setup("texas-bonus", equipment=Equipment.ANTENNAS))
    assert lines(table, "seen board As\nseen board Kd\ngone board As\ngone board Kd\nseen seat-1 7h") == []
    lines(table, "press new-hand\nbet 1 ante 1000")
    assert lines(table, "on-felt seat-1\npress no-more-bets") == ["refused cards-on-felt seat-1"]
    assert lines(table, "gone seat-1 7h\non-felt\npress no-more-bets") == ["phase dealing"]
    assert lines(table, "seen seat-1 Qc") == ["card seat-1.1"], "and nothing of what was gathered is dealt"


def test_thb_dev_7_cards_that_were_told_out_of_order_after_a_gap_lie_where_they_lie() -> None:
    table = in_the_deal("texas-bonus", Equipment.ANTENNAS)
    lines(table, "restart\nseen seat-2 2c\npress not-seen\nseen seat-1 3c\npress not-seen")
    lines(table, "press confirm\npress confirm\npress not-seen\npress not-seen")
    at = {slot.name: draw.card.code for slot, draw in table.state.deal.at.items() if draw.card is not None}
    assert at == {"seat-1.1": "3c", "seat-2.1": "2c"}


@pytest.mark.parametrize("equipment", WITH_ANTENNAS)
def test_tpc_mis_0_a_void_hand_can_be_closed_while_an_antenna_is_away_and_after_a_start(equipment: Equipment) -> None:
    table = in_the_deal("texas-poker", equipment, "2c 3c")
    lines(table, "declare defective-deck")
    assert lines(table, "press confirm") == ["refused cards-on-felt seat-1+seat-2"]
    lines(table, "restart\nseen seat-1 2c\npress confirm")
    assert lines(table, "press confirm") == ["refused cards-on-felt seat-1"], "what nobody saw since is not there"
    if equipment is Equipment.BOTH:
        lines(table, "lost antennas antenna-seat-1")
        assert "phase closed" in lines(table, "press confirm")


def test_tpc_mis_4_what_the_croupier_counted_holds_for_the_hand() -> None:
    table = table_of(setup("texas-poker", equipment=Equipment.ANTENNAS))
    lines(table, "counted 51\npress confirm\npress new-hand")
    assert lines(table, "counted 51") == []
    assert not table.state.held


def test_tpc_dev_7_what_lay_on_the_felt_goes_away_with_the_deck() -> None:
    table = in_the_deal("texas-poker", Equipment.BOTH, "2c 3c")
    lines(table, "draw 4c\nseen board 4c\ndeclare defective-deck\ngone seat-1 2c\ngone seat-2 3c\ngone board 4c")
    lines(table, "press confirm\npress confirm")
    assert not table.state.felt.seen_at
    assert not table.state.felt.confirmed


# --- shoe and antenna read one card differently (ruling "readers") ----------------------------------------------------


def in_dispute() -> Table:
    """The second card of seat 1: the shoe says Kd, the antenna Ks."""
    table = in_the_deal("texas-poker", Equipment.BOTH, "As 8c Qs")
    lines(table, "draw Kd")
    assert lines(table, "seen seat-1 Ks") == [
        "incident TPC-DEV-4 expected=seat-1.2 observed=readers-disagree remedy=continue"
    ]
    return table


def card_in_dispute(table: Table) -> Card | None:
    return table.state.deal.draws[3].card


def closed(table: Table, entry: str) -> list[IncidentClosed]:
    """What an entry closes."""
    return [
        said
        for said in table.apply(parse_fact(entry, table.state.now_us, table.state.setup))
        if isinstance(said, IncidentClosed)
    ]


def test_tpc_cre_1_a_card_that_two_readers_read_differently_counts_as_unread() -> None:
    table = in_dispute()
    assert card_in_dispute(table) is None
    assert not table.state.held, "play goes on"
    assert lines(table, "gone seat-1 Ks\nseen seat-1 Ks") == [], "the antenna reads it as before"
    assert table.state.felt.seen_at[4] == "seat-1"


def test_tpc_cre_1_where_the_antenna_reads_what_the_shoe_read_the_card_is_known_again() -> None:
    table = in_dispute()
    lines(table, "gone seat-1 Ks")
    (ended,) = closed(table, "seen seat-1 Kd")
    assert (ended.incident, ended.by) == (1, Chooser.RULE)
    assert card_in_dispute(table) is card("Kd")


def test_tpc_cre_1_where_the_antenna_sees_both_cards_one_did_not_come_out_of_the_shoe() -> None:
    table = in_dispute()
    assert lines(table, "seen seat-1 Kd")[0].startswith("incident TPC-DEV-4 expected=card-from-the-shoe")
    assert card_in_dispute(table) is None


def test_tpc_cre_1_in_a_folded_hand_nobody_looks_at_the_card_that_readers_disagree_about() -> None:
    table = in_dispute()
    for code in ("8h", "Jc", "7d", "9h", "2c"):
        dealt(table, code)
    (ended,) = closed(table, "press fold")
    assert (ended.incident, ended.by) == (1, Chooser.RULE)
    assert card_in_dispute(table) is None


# --- cards that have to leave a place ---------------------------------------------------------------------------------


def face_up_at_seat_2() -> Table:
    """THB-ERR-2: the first card of seat 2 lay face up in the deck; another one takes its place, and it stays."""
    table = in_the_deal("texas-bonus", Equipment.BOTH, "As 8c")
    lines(table, "declare face-up-in-shoe")
    lines(table, "press confirm")
    return table


def until_the_first_decision(table: Table) -> list[str]:
    found: list[str] = []
    for code in ("Kd", "Qs", "4h", "9s", "Jc"):
        due = table.state.deal.due
        assert due is not None
        found = lines(table, f"draw {code}")
        lines(table, f"seen {due.spot} {code}")
    return found


def test_thb_err_2_the_croupier_is_reminded_of_a_face_up_card_that_stays_once_in_each_phase() -> None:
    table = face_up_at_seat_2()
    assert until_the_first_decision(table)[-2:] == [
        "incident THB-ERR-2 expected=discard.1 observed=seat-2 remedy=correct",
        "asked moved discard.1",
    ]
    assert lines(table, "press confirm") == ["closed 2 correct by croupier"], "he says that he did, and it lies there"
    lines(table, "bet 1 flop 2000\nbet 2 flop 2000")
    for code in ("3s", "9d", "6h"):
        dealt(table, code)
    assert lines(table, "draw 2c")[-1] == "asked moved discard.1"


def test_thb_err_2_nobody_is_reminded_of_a_face_up_card_that_has_left_its_place() -> None:
    table = face_up_at_seat_2()
    lines(table, "gone seat-2 8c\nseen discard 8c")
    assert until_the_first_decision(table)[-1] == "phase flop-decision"
    assert not table.state.held


def test_thl_cre_8_an_exposed_card_has_the_dwell_time_to_go_to_the_burns() -> None:
    path = HANDS / "circle-holdem" / "THL-CRE-8-shoe-and-antennas.hand"
    hand = parse(path.read_text())
    table = Table.resume(hand.carry, rulebook_of)
    for fact in opening(hand):
        table.apply(fact)
    steps = [step.fact for step in hand.steps]
    for fact in steps[: next(number for number, fact in enumerate(steps) if isinstance(fact, Gone))]:
        table.apply(fact)
    assert table.wake_us == table.state.now_us + table.state.rulebook.dwell_us
    assert lines(table, "time +1.5") == [
        "incident THL-RD2-2 expected=burn.1 observed=seat-3 remedy=correct",
        "asked moved burn.1",
    ]
    lines(table, "gone seat-3 Kd\nseen burn Kd")
    assert not table.state.held, "it lies where it belongs"

"""What one hand leaves for the next: bets that stay, requests, a deck that is withdrawn, a shuffle."""

from __future__ import annotations

import pytest

from tablectl.core.engine import decisions as d
from tablectl.core.engine import facts as f
from tablectl.core.engine.table import Table
from tablectl.core.engine.vocabulary import Equipment, Key, Tracking
from tablectl.games.registry import rulebook_of
from tests.engine.states import kept
from tests.engine.tables import lines, next_fact, play_on, setup, table_of

STAY = {"annulled_bets": "stay"}


def until(table: Table, phase: str) -> None:
    for _ in range(100):
        if table.state.phase.name == phase:
            return
        table.apply(next_fact(table, 0))
    raise AssertionError(f"no {phase}")


def void(table: Table) -> list[str]:
    (raised,) = table.apply(f.Called(at_us=0, by="ana"))
    assert isinstance(raised, d.IncidentRaised)
    return lines(table, f"rule {raised.incident} void-hand by ana misdeal")


def test_amb_46_bets_of_a_void_hand_stay_in_their_boxes_but_what_was_added_in_the_hand_goes_back() -> None:
    table = table_of(setup("texas-poker", profile=STAY))
    lines(table, "press new-hand\nbet 1 ante 1000 txb 500\nstanding 1 ante 300 consent\nrule 1 approve by ana")
    until(table, "txb")
    found = void(table)
    assert [text for text in found if text.startswith("refund")] == [
        "refund 1 second 2000",
        "refund 1/2 ante 300",
        "refund 1/2 second 600",
    ]
    lines(table, "press confirm")
    assert lines(table, "press new-hand") == ["hand 2", "phase betting", "bet 1 ante 1000", "bet 1 txb 500"]


def test_amb_46_the_bets_of_a_player_who_was_sent_away_do_not_stay() -> None:
    table = table_of(setup("texas-poker", profile=STAY))
    lines(table, "press new-hand\nbet 1 ante 1000\nbet 2 ante 1000")
    until(table, "decision")
    lines(table, "declare showed-cards seat-1\ndeclare showed-cards seat-1\nrule 2 expel by ana")
    assert "refund 1 ante 1000" in void(table)
    assert lines(table, "press confirm\npress new-hand") == ["hand 2", "phase betting", "bet 2 ante 1000"]


@pytest.mark.parametrize(
    "changed",
    [
        setup("texas-poker", seats=3, profile=STAY),
        setup("texas-poker", tracking=Tracking.PRESENCE, profile=STAY),
        setup("texas-bonus"),
    ],
)
def test_amb_46_bets_that_stayed_go_back_where_the_next_hand_has_no_box_for_them(changed: f.Setup) -> None:
    table = table_of(setup("texas-poker", profile=STAY))
    lines(table, "press new-hand\nbet 5 ante 1000 txb 200")
    void(table)
    lines(table, "press confirm")
    assert table.apply(f.Opened(at_us=0, setup=changed)) == (
        d.Refund(seat=5, bet="ante", amount=1000),
        d.Refund(seat=5, bet="txb", amount=200),
    )
    assert kept(table.state) == {}


def test_tpc_ply_3_a_request_does_not_outlive_its_hand() -> None:
    table = table_of(setup("texas-poker"))
    lines(table, "press new-hand\nbet 1 ante 1000\nstanding 1 ante 500 consent\ndeclare missing-card")
    assert table.state.requests == {}
    assert lines(table, "rule 1 approve by ana")[0].startswith("refused unknown-incident")


def test_tpc_ply_6_a_standing_bettor_may_stay_out_until_the_turn_card_while_the_txb_is_paid_too() -> None:
    said = ["fold 1/2"]
    for phase in ("decision", "txb", "txb-payment", "turn-river", "showdown"):
        table = table_of(setup("texas-poker"))
        lines(table, "press new-hand\nbet 1 ante 1000 txb 500\nstanding 1 ante 500 consent\nrule 1 approve by ana")
        until(table, phase)
        assert lines(table, "out 1/2") == (said if phase != "showdown" else ["refused bets-closed TPC-DEV-3"]), phase


def test_tpc_ply_6_a_standing_bettor_has_nothing_to_stay_out_of_where_the_box_is_out_of_the_hand() -> None:
    for out in ("declare not-chips seat-1\nrule 2 void-seat by ana", "press fold"):
        table = table_of(setup("texas-poker"))
        lines(table, "press new-hand\nbet 1 ante 1000\nbet 2 ante 1000")
        lines(table, "standing 1 ante 500 consent\nrule 1 approve by ana")
        until(table, "decision")
        lines(table, out)
        assert lines(table, "out 1/2") == ["refused unknown-seat 1/2"]


def test_tpc_dev_14_a_card_of_a_box_that_is_out_of_the_hand_need_not_be_named() -> None:
    table = table_of(setup("texas-poker"))
    lines(table, "press new-hand\nbet 1 ante 1000 txb 500\nbet 2 ante 1000 txb 500\npress no-more-bets\ndraw ??")
    until(table, "txb")
    lines(table, "press confirm")
    assert table.prompt().about == "seat-1.1"
    lines(table, "declare not-chips seat-1\nrule 1 void-seat by ana")
    assert table.prompt().about == "txb"
    assert lines(table, "press confirm")[-1] == "phase txb-payment"


def test_tpc_dev_14_a_name_may_be_corrected_until_a_side_bet_was_settled_upon_it() -> None:
    table = table_of(setup("texas-poker"))
    lines(table, "press new-hand\nbet 1 ante 1000 txb 500\nbet 2 ante 1000\npress no-more-bets\ndraw ??\ndraw ??")
    until(table, "flop")
    lines(table, "draw ??\ndraw Kd\ndraw Kh\npress all-bet\npress confirm")
    assert lines(table, "name board.1 9h by ana") == ["turned board.1"]
    assert lines(table, "name board.1 9s by ana") == ["turned board.1"]
    assert "phase txb-payment" in lines(table, "name seat-1.1 8h by ana")
    for slot in ("board.1", "seat-1.1"):
        assert lines(table, f"name {slot} 7h by ana") == [f"refused card-known {slot}"]
    until(table, "turn-river")
    lines(table, "draw ??\ndraw Ad\nname board.4 5h by ana")
    assert lines(table, "name board.4 6h by ana") == ["turned board.4"], "nothing was settled upon it"


# --- the deck --------------------------------------------------------------------------------------------------------


def test_thb_sab_2_no_hand_begins_before_the_shoe_has_shuffled() -> None:
    table = table_of(setup(profile={"shuffle": "in-shoe"}))
    assert lines(table, "press new-hand") == ["refused not-shuffled THB-SAB-2"]
    assert lines(table, "shuffled 52") == []
    assert lines(table, "press new-hand") == ["hand 1", "phase betting"]
    lines(table, "bet 1 ante 1000")
    play_on(table)
    assert lines(table, "press new-hand") == ["refused not-shuffled THB-SAB-2"]


def test_thb_sab_2_a_shuffle_counts_only_where_no_card_was_drawn_after_it() -> None:
    table = table_of(setup(profile={"shuffle": "in-shoe"}))
    lines(table, "shuffled 52\npress new-hand\nbet 1 ante 1000\npress no-more-bets\ndraw 2c\nshuffled 52")
    assert table.state.is_shuffled
    lines(table, "draw 3c")
    assert not table.state.is_shuffled


@pytest.mark.parametrize("cards", [51, 53])
def test_tpc_mis_4_a_shuffle_that_does_not_count_52_withdraws_the_deck(cards: int) -> None:
    table = table_of(setup("texas-poker"))
    assert lines(table, f"shuffled {cards}") == [
        "incident TPC-MIS-4 expected=52-cards observed=missing-card remedy=continue",
        "asked new-deck deck",
    ]
    assert lines(table, f"shuffled {cards}") == [], "once, until there is another one"
    assert lines(table, "press new-hand") == ["refused held"]
    lines(table, "press confirm")
    assert lines(table, "press new-hand") == ["hand 1", "phase betting"]


def test_thb_sab_2_a_withdrawn_deck_leaves_no_shuffle_behind() -> None:
    table = table_of(setup(profile={"shuffle": "in-shoe"}))
    lines(table, "shuffled 52\ndeclare defective-deck\npress confirm")
    assert lines(table, "press new-hand") == ["refused not-shuffled THB-SAB-2"]


def test_tpc_mis_4_another_deck_is_asked_for_after_a_restart_too() -> None:
    table = table_of(setup("texas-poker"))
    lines(table, "press new-hand\nbet 1 ante 1000\ndeclare missing-card\nrestart")
    lines(table, "press confirm")
    assert lines(table, "press confirm")[-1] == "asked new-deck deck"
    assert Key.NEW_HAND not in table.prompt().keys
    resumed = Table.resume(table.carry(), table._rulebook_of)
    assert resumed.prompt() == table.prompt()


def test_thb_sab_2_a_shuffle_is_carried_over_and_survives_another_setup() -> None:
    chosen = setup(profile={"shuffle": "in-shoe"})
    table = table_of(chosen)
    lines(table, "shuffled 52")
    resumed = Table.resume(table.carry(), rulebook_of)
    table.apply(f.Opened(at_us=0, setup=chosen))
    for played in (table, resumed):
        assert lines(played, "press new-hand") == ["hand 1", "phase betting"]


def test_tpc_ply_7_what_a_player_did_is_remembered_while_he_plays_and_after_a_restart() -> None:
    table = table_of(setup("texas-poker"))
    for hand in range(3):
        lines(table, "press new-hand\nbet 1 ante 1000" + ("\nbet 2 ante 1000" if hand != 1 else ""))
        until(table, "decision")
        if hand == 0:
            lines(table, "declare commented seat-1\ndeclare commented seat-2")
        if hand == 2:
            assert "remedy=warn|expel" in lines(table, "declare commented seat-1")[0]
            lines(table, f"rule {table.prompt().incident} warn by ana")
            assert lines(table, "declare commented seat-2")[0].endswith("remedy=warn"), (
                "somebody else may sit there now"
            )
        play_on(table)
        table.apply(f.Opened(at_us=0, setup=setup("texas-poker")))
        table = Table.resume(table.carry(), rulebook_of)


# --- the list of what can be declared ---------------------------------------------------------------------------------


def test_the_list_stays_open_while_players_lift_their_cards() -> None:
    """TPC-PLY-7: what the croupier presses next is a choice of it, and no bet."""
    table = table_of(setup("texas-poker", equipment=Equipment.BOTH))
    lines(table, "press new-hand\nbet 1 ante 1000\nbet 2 ante 1000")
    until(table, "decision")
    lines(table, "press incident")
    before = table.prompt()
    number, spot = next(iter(table.state.felt.seen_at.items()))
    card = table.state.deal.draws[number - 1].card
    table.apply(f.Gone(at_us=0, spot=spot, card=card))
    table.apply(f.Seen(at_us=0, spot=spot, card=card))
    assert table.prompt() == before


def test_the_list_closes_when_something_happens_at_the_table() -> None:
    """TPC-DEV-17: a card was drawn."""
    table = table_of(setup("texas-poker"))
    lines(table, "press new-hand\nbet 1 ante 1000")
    until(table, "flop")
    lines(table, "press incident\ndraw As")
    assert table.prompt().offers == ()


def test_tpc_ply_4_what_was_asked_for_counts_against_the_greatest_bet_of_the_box() -> None:
    table = table_of(setup("texas-poker"))
    lines(table, "press new-hand\nbet 1 ante 1000\nstanding 1 ante 5000 consent")
    assert lines(table, "standing 1 ante 5000 consent") == [
        "refused outside-limits TPC-PLY-4 ante=11000 limits=100..10000"
    ]
    assert lines(table, "rule 1 reject by ana\nstanding 1 ante 5000 consent")[0].startswith("incident TPC-PLY-3")


def test_tpc_ply_5_a_place_behind_the_box_that_became_free_is_the_next_one_taken() -> None:
    table = table_of(setup("texas-poker"))
    lines(table, "press new-hand\nbet 1 ante 1000\nstanding 1 ante 300 consent\nrule 1 approve by ana")
    lines(table, "standing 1 ante 400 consent\nrule 2 approve by ana\nremove 1/2\nstanding 1 ante 500 consent")
    assert lines(table, "rule 3 approve by ana") == ["closed 3 approve by pit-boss", "bet 1/2 ante 500"]
    assert {number: bettor.bets for number, bettor in table.state.seats[1].standing.items()} == {
        2: {"ante": 500},
        3: {"ante": 400},
    }


def test_tpc_ply_6_who_stays_out_behind_the_box_has_no_second_bet_to_get_back_and_says_so_once() -> None:
    table = table_of(setup("texas-poker"))
    lines(table, "press new-hand\nbet 1 ante 1000\nstanding 1 ante 500 consent\nrule 1 approve by ana")
    until(table, "turn-river")
    assert lines(table, "out 1/2") == ["fold 1/2"]
    assert lines(table, "out 1/2") == ["refused bets-closed TPC-DEV-3"]
    assert [text for text in void(table) if "1/2" in text] == ["refund 1/2 ante 500"]


def test_tpc_ply_3_a_request_is_not_taken_while_the_table_is_held_and_goes_with_the_seat() -> None:
    table = table_of(setup("texas-poker"))
    lines(table, "press new-hand\nbet 1 ante 1000\ncall by ana")
    assert lines(table, "standing 1 ante 500 consent") == ["refused held"]
    lines(table, "rule 1 continue by ana\nstanding 1 ante 500 consent\nremove 1")
    assert lines(table, "rule 2 approve by ana")[0].startswith("refused unknown-incident")


def test_tpc_ply_4_the_seated_player_s_ante_respects_what_lies_behind_him() -> None:
    table = table_of(setup("texas-poker"))
    lines(table, "press new-hand\nbet 1 ante 1000\nstanding 1 ante 9000 consent")
    assert lines(table, "bet 1 ante 2000") == ["refused outside-limits TPC-PLY-4 ante=11000 limits=100..10000"]


def test_tpc_ple_1_with_the_last_hands_taken_away_no_further_card_matters() -> None:
    for phase in ("dealing", "flop", "turn-river", "showdown"):
        table = table_of(setup("texas-poker"))
        lines(table, "press new-hand\nbet 1 ante 1000\nbet 2 ante 1000")
        until(table, phase)
        if phase == "dealing":
            lines(table, "draw 2c\ndraw 3c")
        assert lines(table, "declare cards-in-contact seat-1 seat-2")[-1] == "phase settlement", phase

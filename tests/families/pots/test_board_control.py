"""Cards under the croupier's control, in a hand and after it."""

from __future__ import annotations

from tests.families.pots.board_hands import FLOP, PRE_FLOP, RIVER, Hand


def over(equipment: str = "shoe") -> Hand:
    """Two folded on the flop; the pot is not delivered yet."""
    hand = Hand(equipment=equipment).at(FLOP)
    hand.tell("act bet", "act fold", "act fold")
    assert hand.table.state.phase.name == "settlement"
    return hand


def test_thl_gen_12_a_burnt_card_that_leaves_its_place_is_said_once() -> None:
    hand = Hand(equipment="antennas").at(FLOP)
    assert hand.tell("gone burn 2c") == []
    said = hand.tell("time +1.5")
    assert said == ["incident THL-GEN-12 expected=burn.1 observed=gone remedy=warn"]
    assert hand.tell("seen burn 2c", "gone burn 2c", "time +1.5") == []
    assert not hand.table.state.held


def test_thl_gen_12_a_burnt_card_that_is_not_seen_for_less_than_the_dwell_time_did_not_leave() -> None:
    hand = Hand(equipment="antennas").at(FLOP)
    hand.tell("gone burn 2c")
    assert hand.tell("+1.4 seen burn 2c") == []
    assert hand.table.wake_us is None
    assert hand.tell("time +1.5") == []


def test_thl_gen_12_an_entry_does_not_make_a_card_gone_that_is_not_seen_just_now() -> None:
    hand = Hand(equipment="antennas").at(FLOP)
    assert hand.tell("gone burn 2c", "act check") == ["spoke 1 check"]
    assert hand.tell("time +1.5") == ["incident THL-GEN-12 expected=burn.1 observed=gone remedy=warn"]


def test_thl_gen_12_burns_that_are_taken_as_the_hand_ends_are_no_alarm() -> None:
    hand = Hand(equipment="antennas").at(FLOP)
    hand.tell("gone burn 2c", "act bet", "act fold", "act fold")
    assert hand.tell("time +1.5") == []


def test_thl_gen_12_burns_may_be_collected_after_the_hand() -> None:
    assert over("antennas").tell("gone burn 2c") == []


def test_thl_gen_12_cards_go_back_into_the_stub_without_an_alarm() -> None:
    hand = Hand(equipment="antennas", early_board="into-the-stub", reshuffled_stub="dead-cards-too").at(PRE_FLOP)
    hand.tell("seen burn 2d", "seen board Qs", "seen board Qd")
    assert hand.tell("gone burn 2d") == []


def test_thl_gen_12_discards_seen_by_a_player_are_on_record_from_the_first_card_on() -> None:
    said = ["incident THL-GEN-12 expected=fair-play observed=discards-seen remedy=warn"]
    assert Hand().at(FLOP).tell("declare discards-seen") == said
    assert over().tell("declare discards-seen") == said, "also while the pot lies there"
    assert Hand().tell("declare discards-seen")[0].startswith("refused ")


def test_thl_gen_13_a_card_after_the_hand_is_put_away_unseen() -> None:
    hand = over()
    said = hand.tell("draw Qs")
    assert said == ["incident THL-GEN-13 expected=no-card observed=card remedy=warn", "card discard.1"]
    assert hand.tell("press confirm")[-1] == "phase closed"


def test_thl_gen_13_between_hands_it_goes_back_into_the_deck_and_can_come_again() -> None:
    hand = over()
    hand.tell("press confirm")
    assert hand.tell("draw Qs") == ["incident THL-GEN-13 expected=no-card observed=card remedy=warn"]
    assert not hand.table.state.held
    assert hand.tell("press new-hand", "press no-more-bets", "draw Qs") == ["card seat-2.1"]


def test_thl_gen_13_of_a_deck_that_was_shuffled_since_it_is_the_first_card_of_the_next_deal() -> None:
    hand = over()
    hand.tell("press confirm", "shuffled 52")
    assert hand.tell("draw Qs")[-1] == "asked seen last-card"
    hand.tell("press not-seen", "press new-hand")
    assert hand.tell("press no-more-bets")[-1] == "card seat-2.1"


def test_thl_gen_13_a_stub_that_was_shown_is_on_record_once_the_hand_is_over() -> None:
    said = ["incident THL-GEN-13 expected=fair-play observed=stub-shown remedy=warn"]
    assert Hand().at(FLOP).tell("declare stub-shown") == ["refused not-offered THL-GEN-13"]
    hand = over()
    assert hand.tell("declare stub-shown") == said
    hand.tell("press confirm")
    assert hand.tell("declare stub-shown") == said


def shown() -> Hand:
    """Seats 1 and 2 showed, seat 3 had folded; the pot is not delivered yet."""
    hand = Hand(equipment="antennas").at(RIVER)
    hand.tell("act bet", "act call", "act fold", "press show-all")
    assert hand.table.state.phase.name == "settlement"
    return hand


def test_thl_sdn_7_live_cards_and_the_board_stay_until_the_pot_is_delivered() -> None:
    hand = shown()
    said = "incident THL-SDN-7 expected=pot-delivered observed={} remedy=continue"
    assert hand.tell("gone seat-1 As") == [], "it may lie anywhere before its player"
    assert hand.tell("seen discard As") == [said.format("seat-1")]
    assert hand.tell("gone board 7h", "seen discard 7h") == [said.format("board")]
    assert hand.tell("gone board Jd", "seen discard Jd") == [], "said once"
    assert hand.tell("gone seat-3 9c", "seen discard 9c") == [], "a hand that was folded"
    assert not hand.table.state.held


def test_thl_sdn_7_before_the_settlement_and_after_the_pot_cards_may_move() -> None:
    hand = Hand(equipment="antennas").at(FLOP)
    assert hand.tell("gone seat-1 As") == []
    hand.tell("seen seat-1 As", "act bet", "act fold", "act fold", "press confirm")
    assert hand.tell("gone board 7h") == []

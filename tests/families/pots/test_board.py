"""Common cards and burns that come when none is due: what follows, on both sides of the moment the round is closed."""

from __future__ import annotations

import pytest

from tablectl.core.engine.slots import ASIDE
from tablectl.core.engine.vocabulary import Question
from tablectl.families.holdem import stub
from tests.engine.states import holdem
from tests.families.pots.board_hands import FLOP, PRE_FLOP, RIVER, TURN, Hand

EQUIPMENT = ["shoe", "antennas", "both"]
TRACKING = ["rounds", "actions", "amounts"]
kinds = pytest.mark.parametrize("equipment", EQUIPMENT)
levels = pytest.mark.parametrize("tracking", TRACKING)

#: By the round that is open: what is observed, and the clause.
EARLY = {PRE_FLOP: ("early-flop", "THL-CRE-7"), FLOP: ("early-turn", "THL-CRE-5"), TURN: ("early-river", "THL-CRE-6")}
BURN_CLAUSES = {PRE_FLOP: "THL-RD2-2", FLOP: "THL-RD3-2", TURN: "THL-RD4-2"}


def comes(hand: Hand, spot: str, *codes: str) -> list[str]:
    """Cards that come out now, face up on the board or face down; the croupier answers what he is asked."""
    said: list[str] = []
    for code in codes:
        said = []
        if hand.equipment != "antennas":
            said += hand.tell(f"draw {code}")
        if hand.equipment != "shoe":
            said += hand.tell(f"seen {spot} {code}")
    if hand.table.wake_us is not None:
        said += hand.tell("time +1.5")
    asked = hand.table.state.asking
    if hand.equipment == "shoe" and asked and asked[0].question is Question.SEEN:
        said += hand.tell("press seen" if spot == "board" else "press not-seen")
    return said


def closes(hand: Hand) -> list[str]:
    """Everybody checks, or the croupier says that the round is over."""
    if hand.tracking == "rounds":
        return hand.tell("press confirm")
    if hand.table.state.phase.round == PRE_FLOP:
        return hand.tell("act call", "act call", "act check")
    return hand.tell("press all-check")


def ends(hand: Hand) -> None:
    """The showdown, and the pot."""
    closes(hand)
    hand.tell("press show-all", "press confirm")
    assert not hand.table.state.in_play
    assert not hand.table.state.held


# --- a burn -----------------------------------------------------------------------------------------------------------


@kinds
@levels
@pytest.mark.parametrize("betting", [PRE_FLOP, FLOP, TURN])
def test_thl_rd2_2_rd3_2_rd4_2_a_burn_drawn_early_is_the_burn_and_nothing_else_follows(
    betting: int, equipment: str, tracking: str
) -> None:
    hand = Hand(equipment=equipment, tracking=tracking).at(betting)
    said = comes(hand, "burn", "2d")
    asked = ["asked seen last-card", "closed 1 next-card by croupier"] if equipment == "shoe" else []
    assert said == [
        f"incident {BURN_CLAUSES[betting]} expected=round-closed observed=early-burn remedy=next-card",
        *asked,
        f"card burn.{betting + 1}",
    ]
    assert not hand.table.state.held
    closes(hand)
    due = hand.table.state.deal.due
    assert due is not None
    assert due.name == {PRE_FLOP: "board.1", FLOP: "board.4", TURN: "board.5"}[betting]


@kinds
def test_thl_rd4_3_after_the_river_a_card_is_put_away(equipment: str) -> None:
    hand = Hand(equipment=equipment).at(RIVER)
    said = comes(hand, "burn", "2d")
    if hand.table.state.held:
        # It is to be put away.
        said += hand.tell("press confirm")
    assert "card discard.1" in said
    ends(hand)


# --- the turn ---------------------------------------------------------------------------------------------------------


@kinds
@levels
def test_thl_cre_5_the_turn_is_set_aside_and_goes_back_before_a_river_without_a_burn(
    equipment: str, tracking: str
) -> None:
    hand = Hand(equipment=equipment, tracking=tracking).at(FLOP)
    comes(hand, "burn", "2d")
    assert "card aside.1" in comes(hand, "board", "Qs")
    assert not hand.table.state.held
    assert closes(hand)[-1] == "phase turn"
    comes(hand, "burn", "3d")
    comes(hand, "board", "6d")
    assert hand.lying()["board.4"] == "6d"
    assert hand.lying()["aside.1"] == "Qs"
    assert closes(hand)[-2:] == ["phase river", "asked reshuffled stub"]
    assert "aside.1" not in hand.lying()
    hand.tell("press confirm")
    comes(hand, "board", "Qs")
    assert hand.lying()["board.5"] == "Qs"
    assert [name for name in hand.lying() if name.startswith("burn")] == ["burn.1", "burn.2", "burn.3"]
    ends(hand)


@kinds
@pytest.mark.parametrize("betting", [PRE_FLOP, FLOP, TURN])
def test_thl_cre_5_6_7_with_the_round_closed_the_same_cards_are_due(betting: int, equipment: str) -> None:
    hand = Hand(equipment=equipment).at(betting)
    closes(hand)
    said = comes(hand, "burn", "2d") + comes(hand, "board", "Qs")
    assert not [line for line in said if line.startswith("incident")]
    assert hand.lying()[{PRE_FLOP: "board.1", FLOP: "board.4", TURN: "board.5"}[betting]] == "Qs"


@pytest.mark.parametrize("betting", [PRE_FLOP, FLOP, TURN])
@pytest.mark.parametrize("rulebook", ["circle-holdem", "open-holdem"])
def test_thl_cre_5_6_7_a_card_that_nobody_saw_is_the_next_one(rulebook: str, betting: int) -> None:
    hand = Hand(rulebook=rulebook).at(betting)
    hand.tell("draw 2d", "press not-seen")
    observed, clause = EARLY[betting]
    assert hand.tell("draw Qs")[0].startswith(f"incident {clause} expected=round-closed observed={observed} ")
    assert hand.tell("press not-seen") == ["closed 2 next-card by croupier"]
    assert any(line.startswith("card board.") for line in closes(hand))
    assert hand.lying()[{PRE_FLOP: "board.1", FLOP: "board.4", TURN: "board.5"}[betting]] == "Qs"


def test_thl_cre_5_what_the_croupier_is_asked_holds_the_table() -> None:
    hand = Hand().at(FLOP)
    hand.tell("draw 2d", "draw Qs")
    assert hand.tell("act bet") == ["refused held"]
    assert hand.tell("press all-check") == ["refused held"]


def test_thl_cre_5_folds_before_the_new_turn_deal_nothing_more() -> None:
    hand = Hand().at(FLOP)
    hand.tell("draw 2d", "draw Qs", "press seen", "act bet", "act fold")
    assert "phase settlement" in hand.tell("act fold")
    assert not hand.table.state.held
    assert hand.tell("press confirm")[-1] == "phase closed"


def test_thl_cre_5_folds_before_the_river_shuffle_nothing() -> None:
    hand = Hand().at(FLOP)
    hand.tell("draw 2d", "draw Qs", "press seen", "press all-check", "draw 3d", "draw 6d", "act bet", "act fold")
    hand.tell("act fold")
    assert not hand.table.state.held
    assert hand.lying()["aside.1"] == "Qs"


def test_thl_cre_5_an_unseen_card_that_waits_goes_into_the_shuffle_with_the_turn_set_aside() -> None:
    hand = Hand().at(FLOP)
    hand.tell("draw 2d", "draw Qs", "press seen", "press all-check", "draw 3d", "draw 6d")
    hand.tell("draw Qd", "press not-seen")
    before = stub.undealt(holdem(hand.table))
    assert hand.tell("press all-check")[-1] == "asked reshuffled stub"
    assert stub.undealt(holdem(hand.table)) == before + 2
    hand.tell("press confirm", "draw Qd")
    assert hand.lying()["board.5"] == "Qd"


def test_thl_cre_5_at_once_the_round_goes_on_after_the_new_turn() -> None:
    hand = Hand(early_turn="at-once").at(FLOP)
    hand.tell("act bet", "draw 2d", "draw Qs")
    assert hand.tell("press seen")[-1] == "phase flop"
    assert hand.tell("act call")[0].startswith("refused")
    assert hand.tell("draw 3d", "draw 6d") == ["card board.4", "phase flop-betting"]
    assert hand.table.state.turn == 2, "whose turn it was"
    assert hand.tell("act call", "act call")[-2:] == ["phase turn", "phase turn-betting"]


# --- the river --------------------------------------------------------------------------------------------------------


@kinds
@levels
def test_thl_cre_6_the_river_goes_back_at_once_and_comes_anew_without_a_burn(equipment: str, tracking: str) -> None:
    hand = Hand(equipment=equipment, tracking=tracking).at(TURN)
    comes(hand, "burn", "2d")
    comes(hand, "board", "Qs")
    assert hand.table.state.held
    assert "Qs" not in hand.lying().values()
    hand.tell("press confirm")
    assert closes(hand)[-1] == "phase river"
    comes(hand, "board", "Qd")
    assert hand.lying()["board.5"] == "Qd"
    ends(hand)


def test_thl_cre_6_at_once_the_new_river_comes_before_the_round_goes_on() -> None:
    hand = Hand(early_river="at-once").at(TURN)
    hand.tell("act bet", "draw 2d", "draw Qs", "press seen", "press confirm")
    assert hand.tell("draw Qd") == ["card board.5", "phase turn-betting"]
    assert hand.tell("act call", "act call")[-2:] == ["phase river", "phase river-betting"]


def test_thl_cre_6_with_the_turn_of_cre_5_still_aside_both_go_back() -> None:
    hand = Hand().at(FLOP)
    hand.tell("draw 2d", "draw Qs", "press seen", "press all-check", "draw 3d", "draw 6d")
    before = stub.undealt(holdem(hand.table))
    hand.tell("draw Qd", "press seen")
    # One card was drawn since, and two go back.
    assert stub.undealt(holdem(hand.table)) == before + 1
    assert not [slot for slot in ASIDE if slot in hand.table.state.deal.at]
    assert hand.tell("press confirm", "press all-check")[-1] == "phase river"
    assert not hand.table.state.held, "there is nothing left to shuffle"


# --- two and more -----------------------------------------------------------------------------------------------------


@kinds
@levels
def test_thl_cre_7_a_flop_goes_back_and_three_others_come_after_the_burn_that_was_made(
    equipment: str, tracking: str
) -> None:
    hand = Hand(equipment=equipment, tracking=tracking).at(PRE_FLOP)
    comes(hand, "burn", "2d")
    comes(hand, "board", "Qs", "Qd", "Qc")
    assert not {"Qs", "Qd", "Qc"} & set(hand.lying().values())
    hand.tell("press confirm")
    closes(hand)
    comes(hand, "board", "Qc", "4d", "4h")
    assert [hand.lying()[f"board.{number}"] for number in (1, 2, 3)] == ["Qc", "4d", "4h"]
    assert hand.lying()["burn.1"] == "2d"
    assert hand.table.state.phase.name == "flop-betting"


@kinds
def test_thl_cre_7_turn_and_river_together_the_turn_has_no_burn_and_the_river_its_own(equipment: str) -> None:
    hand = Hand(equipment=equipment).at(FLOP)
    if equipment == "shoe":
        # Burn, turn, and the next one, which is taken for a burn until the croupier says that it is none.
        hand.tell("draw 2d", "draw Qs", "press seen", "draw Qd", "press show", "press seat-4", "press seen")
    else:
        comes(hand, "burn", "2d")
        comes(hand, "board", "Qs", "Qd")
    hand.tell("press confirm")
    closes(hand)
    due = hand.table.state.deal.due
    assert due is not None
    assert due.name == "board.4"
    comes(hand, "board", "6d")
    closes(hand)
    due = hand.table.state.deal.due
    assert due is not None
    assert due.name == "burn.3"


def test_thl_cre_7_a_single_card_of_the_flop_is_for_the_pit_boss() -> None:
    hand = Hand(equipment="antennas").at(PRE_FLOP)
    hand.tell("seen burn 2d")
    assert hand.tell("seen board Qs")[-1].endswith("remedy=return-and-reshuffle|continue|void-hand")
    hand.tell("rule 2 continue by ana")
    closes(hand)
    assert hand.lying()["board.1"] == "Qs"


def test_thl_cre_7_another_card_after_the_shuffle_is_a_single_one_again() -> None:
    hand = Hand(equipment="antennas").at(PRE_FLOP)
    hand.tell("seen burn 2d", "seen board Qs", "seen board Qd", "press confirm")
    assert "continue" in hand.tell("seen board Qc")[-1]


def test_thl_cre_7_among_themselves_the_same_cards_come_again() -> None:
    hand = Hand(early_board="among-themselves").at(PRE_FLOP)
    hand.tell("draw 2d", "draw Qs", "draw Qd", "draw Qc", "press seen")
    assert hand.tell("act call") == ["refused held"]
    hand.tell("press confirm")
    assert closes(hand)[-1] == "phase flop-betting"
    assert [hand.lying()[f"board.{number}"] for number in (1, 2, 3)] == ["Qs", "Qd", "Qc"]


# --- the stub that is shuffled anew -----------------------------------------------------------------------------------


def test_thl_mis_5_a_card_that_was_out_cannot_come_out_of_the_shuffled_stub() -> None:
    hand = Hand().at(TURN)
    hand.tell("draw 2d", "draw Qs", "press seen", "press confirm", "press all-check")
    assert hand.tell("draw 2d")[0].startswith("incident THL-MIS-5 ")


def test_thl_cre_6_dead_cards_go_back_as_well_where_the_house_has_it_so() -> None:
    hand = Hand(reshuffled_stub="dead-cards-too").at(TURN)
    hand.tell("act check", "act check", "act bet", "act fold", "draw 2d", "draw Qs", "press seen")
    # Three burns, the river and two cards of the hand that was folded.
    assert stub.undealt(holdem(hand.table)) == 52 - 6 - 3 - 2 - 2 - 1 + 6
    hand.tell("press confirm", "act call")
    due = hand.table.state.deal.due
    assert due is not None
    assert due.name == "board.5", "the burn that went back is not made again"
    assert hand.tell("draw 2d")[0] == "card board.5"


@pytest.mark.parametrize(("cards", "is_enough"), [(39, True), (38, False), (40, False)])
def test_thl_cre_6_a_shuffler_counts_the_cards_that_can_still_come(cards: int, *, is_enough: bool) -> None:
    hand = Hand().at(TURN)
    hand.tell("draw 2d", "draw Qs", "press seen")
    assert stub.undealt(holdem(hand.table)) == 39
    said = hand.tell(f"shuffled {cards}")
    assert (said == []) is is_enough
    assert hand.table.state.held is not is_enough


def test_thl_cre_6_while_it_is_shuffled_it_says_nothing_where_the_card_lies() -> None:
    hand = Hand(equipment="both").at(TURN)
    comes(hand, "burn", "2d")
    comes(hand, "board", "Qs")
    assert hand.tell("gone board Qs", "seen board Qs") == []
    hand.tell("press confirm")
    assert hand.tell("seen board Qs")[0].startswith("incident THL-DLG-3 ")


# --- before the deal --------------------------------------------------------------------------------------------------


@kinds
def test_thl_dlg_1_a_card_before_the_blinds_is_the_first_one_unless_it_was_seen(equipment: str) -> None:
    hand = Hand(equipment=equipment)
    card = "seen seat-1 2d" if equipment == "antennas" else "draw 2d"
    assert hand.tell(card)[-1] == "asked seen last-card"
    assert hand.tell("press not-seen", "press no-more-bets")[-1] == "card seat-1.1"


def test_thl_dlg_1_a_card_seen_before_the_blinds_goes_back_and_can_come_again() -> None:
    hand = Hand()
    assert hand.tell("draw 2d", "press seen")[-1] == "asked reshuffled deck"
    assert hand.tell("press confirm", "press no-more-bets", "draw 2d") == ["card seat-1.1"]


def test_thl_cre_5_a_turn_shown_without_a_burn_leaves_one_burn_for_the_new_turn_and_none_for_the_river() -> None:
    hand = Hand().at(FLOP)
    hand.tell("act check", "draw Qs", "press show", "press seat-4", "press seen", "act check", "act check")
    assert hand.tell("draw 2d") == ["card burn.2"]
    hand.tell("draw 6d", "press all-check", "press confirm")
    assert hand.tell("draw Td")[0] == "card board.5"


def test_thl_cre_7_the_burn_before_the_flop_is_not_made_again_when_it_went_back_as_well() -> None:
    hand = Hand(reshuffled_stub="dead-cards-too").at(PRE_FLOP)
    hand.tell("draw 2d", "draw Qs", "draw Qd", "draw Qc", "press seen", "press confirm")
    assert "2d" not in hand.lying().values()
    closes(hand)
    assert hand.tell("draw 2d") == ["card board.1"]

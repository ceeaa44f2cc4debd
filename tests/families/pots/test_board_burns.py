"""Burns left out or made twice, flops of two or four: what is put right, what stands, and who says so."""

from __future__ import annotations

import pytest

from tablectl.core.engine.vocabulary import Question
from tests.families.pots.board_hands import FLOP, PRE_FLOP, RIVER, TURN, Hand, coming

#: By the round before it: the clause on the burn of a street, and that street's first common card.
STREETS = {PRE_FLOP: ("THL-RD2-2", "board.1"), FLOP: ("THL-RD3-2", "board.4"), TURN: ("THL-RD4-2", "board.5")}
streets = pytest.mark.parametrize("betting", [PRE_FLOP, FLOP, TURN])


def after(betting: int, equipment: str = "shoe", **profile: str) -> Hand:
    """The round is closed, and the next street is due."""
    hand = Hand(equipment=equipment, **profile).at(betting)
    hand.tell(*(["press all-check"] if betting else ["act call", "act call", "act check"]))
    return hand


@streets
def test_thl_rd2_2_rd3_2_rd4_2_a_burn_left_out_stands_once_the_common_card_is_up(betting: int) -> None:
    hand, (clause, slot) = after(betting), STREETS[betting]
    hand.tell("draw Qs")
    asked = [f"incident {clause} expected=one-burn observed=no-burn remedy=no-burn", f"asked seen {slot}"]
    assert hand.tell("declare no-burn") == asked
    said = hand.tell("press seen")
    assert said[:2] == ["closed 1 no-burn by croupier", f"card {slot}"]
    assert (said[2:] == []) is (betting == PRE_FLOP), "turn and river are dealt"


@streets
def test_thl_rd2_2_rd3_2_rd4_2_a_burn_left_out_is_made_while_no_common_card_is_up(betting: int) -> None:
    hand, (_, slot) = after(betting), STREETS[betting]
    hand.tell("draw 2d", "declare no-burn")
    assert hand.tell("press not-seen") == ["closed 1 correct by croupier"]
    assert hand.tell("draw Qs")[0] == f"card {slot}"


def test_thl_rd2_2_before_the_first_card_of_the_street_no_burn_can_be_left_out() -> None:
    hand = after(PRE_FLOP)
    assert hand.tell("declare no-burn") == ["refused no-card THL-RD2-2"]
    assert hand.tell("declare double-burn") == ["refused no-card THL-RD2-2"]


@streets
def test_thl_rd2_2_rd3_2_rd4_2_a_second_burn_unseen_is_the_next_card(betting: int) -> None:
    hand, (clause, slot) = after(betting), STREETS[betting]
    hand.tell("draw 2d", "draw Qs")
    expected = [f"incident {clause} expected=one-burn observed=double-burn remedy=next-card", f"asked moved {slot}"]
    assert hand.tell("declare double-burn") == expected
    assert hand.lying()[slot] == "Qs"


@pytest.mark.parametrize("betting", [FLOP, TURN])
def test_thl_rd3_2_rd4_2_two_burns_stand_once_the_common_card_is_up(betting: int) -> None:
    hand, (clause, slot) = after(betting), STREETS[betting]
    hand.tell("draw 2d", "draw Qd", "draw Qs", *(("press not-seen",) if betting == FLOP else ()))
    if betting == TURN:
        assert hand.tell("declare double-burn")[0].startswith(f"incident {clause} "), "the river has no early burn"
        return
    said = hand.tell("declare double-burn")
    assert said[0] == f"incident {clause} expected=one-burn observed=double-burn remedy=continue"
    assert hand.lying()[slot] == "Qs"
    assert hand.lying()["burn.4"] == "Qd"
    hand.tell("press all-check", "draw 3d")
    assert hand.lying()["burn.3"] == "3d", "the river has its burn all the same"


def test_thl_rd2_2_two_burns_before_a_flop_that_lies_there_leave_one_card_due() -> None:
    hand = after(PRE_FLOP)
    hand.tell("draw 2d", "draw Qd", "draw Qs", "draw Qh")
    assert hand.tell("declare double-burn")[-1] == "phase flop"
    assert hand.tell("act check")[0].startswith("refused bets-closed")
    assert hand.tell("draw 3d") == ["card board.3", "phase flop-betting"]
    assert hand.table.state.turn == 1


@pytest.mark.parametrize("what", ["no-burn", "double-burn"])
def test_thl_rd2_2_a_burn_fault_voids_the_hand_where_the_house_has_it_so(what: str) -> None:
    hand = after(PRE_FLOP, burn_fault="void-hand")
    hand.tell("draw 2d", "draw Qd")
    said = hand.tell(f"declare {what}")
    assert said[:2] == [f"incident THL-RD2-2 expected=one-burn observed={what} remedy=void-hand", "void-hand THL-RD2-2"]
    assert "phase voided" in said


@pytest.mark.parametrize("equipment", ["antennas", "both"])
def test_thl_rd2_2_antennas_see_that_nothing_was_burnt(equipment: str) -> None:
    hand = after(PRE_FLOP, equipment)

    def told(code: str) -> list[str]:
        return coming(equipment, (("board", code),))

    hand.tell(*told("Qs"))
    assert "incident THL-RD2-2 expected=one-burn observed=no-burn remedy=no-burn" in hand.tell("time +1.5")
    hand.tell("press seen")
    hand.tell(*told("Qd"), *told("Qh"))
    assert [hand.lying()[f"board.{number}"] for number in (1, 2, 3)] == ["Qs", "Qd", "Qh"]
    assert hand.table.state.phase.name == "flop-betting"
    assert not hand.table.state.held


@pytest.mark.parametrize("equipment", ["antennas", "both"])
def test_thl_rd3_2_antennas_see_two_burns(equipment: str) -> None:
    hand = after(FLOP, equipment)
    hand.tell(*coming(equipment, (("burn", "2d"),)))
    said = hand.tell(*coming(equipment, (("burn", "Qs"),)), "time +1.5")
    assert said[-1] == "asked moved board.4"
    assert "observed=double-burn" in said[-2]


def test_thl_rd3_2_two_burns_too_soon_seen_by_antennas() -> None:
    hand = Hand(equipment="antennas").at(FLOP)
    hand.tell("seen burn 2d")
    assert hand.tell("seen burn Qs")[0].startswith("incident THL-RD3-2 expected=one-burn observed=double-burn ")
    assert "card board.4" in hand.tell("press all-check")


def test_thl_rd4_2_a_card_too_many_after_a_burn_left_out_is_accounted_for() -> None:
    """Burn and river came while the table was held; the first of them lies on the board, so it is the river."""
    hand = Hand(equipment="antennas").at(TURN)
    hand.tell("press all-check", "call by ana", "seen board 6d", "seen seat-1 Th", "rule 1 continue by ana")
    assert hand.table.state.phase.name == "river-betting"
    assert hand.lying()["board.5"] == "6d"
    hand.tell("press all-check")
    assert hand.table.prompt().question is Question.PUT_AWAY
    hand.tell("press confirm")
    places = {draw.card.code: draw.slot for draw in hand.table.state.deal.draws if draw.card is not None}
    slot = places["Th"]
    assert slot is not None
    assert slot.spot == "discard"


# --- the flop ---------------------------------------------------------------------------------------------------------


def test_thl_rd2_3_a_flop_of_two_gets_its_third_card_and_the_pit_boss_confirms() -> None:
    hand = Hand().at(FLOP)
    assert hand.tell("declare flop-count cards=2")[-1] == "phase flop"
    assert hand.tell("rule 1 continue by ana", "draw Qs") == ["card board.3", "phase flop-betting"]
    assert [hand.lying()[name] for name in ("burn.4", "board.1", "board.2")] == ["7h", "Jd", "3s"]


def test_thl_rd2_3_a_flop_of_two_may_be_shuffled_into_the_stub() -> None:
    hand = Hand(flop_count="reshuffle").at(FLOP)
    assert "remedy=return-and-reshuffle|continue" in hand.tell("declare flop-count cards=2")[0]
    hand.tell("rule 1 return-and-reshuffle by ana", "press confirm", "draw Qs", "draw Jd")
    assert hand.tell("draw Qd") == ["card board.3", "phase flop-betting"]
    assert [hand.lying()[f"board.{number}"] for number in (1, 2, 3)] == ["Qs", "Jd", "Qd"]


@pytest.mark.parametrize("answer", ["seen", "not-seen"])
def test_thl_rd2_3_the_fourth_card_of_a_flop_is_the_next_one_unless_it_was_seen(answer: str) -> None:
    hand = Hand().at(FLOP)
    hand.tell("draw Qs", "press not-seen", "declare flop-count cards=4")
    said = hand.tell(f"press {answer}")
    seen = answer == "seen"
    first = "return-and-reshuffle|continue" if seen else "next-card|return-and-reshuffle"
    assert said[-1] == f"escalated 2 remedy={first}|void-hand"
    assert ("aside.1" in hand.lying()) is seen
    hand.tell(f"rule 2 {first.split('|', maxsplit=1)[0]} by ana")
    if seen:
        hand.tell("press confirm", "draw Qs", "draw Qd", "draw Qh")
        assert hand.table.state.phase.name == "flop-betting"
    hand.tell("press all-check")
    due = hand.table.state.deal.due
    assert due is not None
    assert due.name == ("burn.2" if seen else "board.4")


@pytest.mark.parametrize("cards", [1, 3, 4, 5])
def test_thl_rd2_3_a_flop_of_any_other_number_changes_nothing(cards: int) -> None:
    hand = Hand().at(FLOP)
    before = hand.lying()
    assert hand.tell(f"declare flop-count cards={cards}")[0].startswith("refused ")
    assert hand.lying() == before


@pytest.mark.parametrize("betting", [PRE_FLOP, TURN, RIVER])
def test_thl_rd2_3_the_number_is_a_matter_of_the_flop_alone(betting: int) -> None:
    hand = Hand().at(betting)
    assert hand.tell("declare flop-count cards=4") == ["refused not-live THL-RD2-3"]


def test_thl_rd2_3_a_fourth_card_on_the_board_is_a_turn_too_soon_once_somebody_acted() -> None:
    hand = Hand(equipment="antennas").at(FLOP)
    hand.tell("act check")
    assert hand.tell("seen board Qs")[-1].startswith("incident THL-CRE-5 ")
    hand = Hand(equipment="antennas").at(FLOP)
    assert hand.tell("seen board Qs")[0].startswith("incident THL-RD2-3 ")


@pytest.mark.parametrize("what", ["no-burn", "double-burn", "flop-count cards=2"])
def test_thl_rd2_2_nothing_is_said_of_burns_that_went_back_into_the_stub(what: str) -> None:
    hand = Hand(reshuffled_stub="dead-cards-too", early_board="into-the-stub").at(FLOP)
    hand.tell("draw 2d", "draw Qs", "draw 3d", "draw Qd", "press seen", "press confirm")
    before = hand.lying()
    assert "burn.1" not in before
    assert hand.tell(f"declare {what}")[0].startswith("refused no-card ")
    assert hand.lying() == before

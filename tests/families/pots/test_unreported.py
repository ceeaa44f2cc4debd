"""A card that was declared and is none: the croupier takes it back, wherever it was put, until something follows."""

from __future__ import annotations

import pytest

from tablectl.core.engine.prompt import Instruction
from tablectl.core.engine.vocabulary import Key
from tests.engine.tables import fingerprint
from tests.families.pots.board_hands import FLOP, PRE_FLOP, RIVER, TURN, Hand
from tests.families.pots.people import DEAL, THREE, circle_of, played

TAKEN_BACK = "incident THL-DLG-3 expected=unreported-card observed=no-card remedy=correct"


@pytest.mark.parametrize("rulebook", ["circle-holdem", "open-holdem"])
def test_thl_dlg_3_a_card_that_was_due_is_due_again(rulebook: str) -> None:
    hand = Hand(rulebook=rulebook).at(PRE_FLOP)
    hand.tell("act call", "act call", "act check", "draw 2d")
    assert hand.tell("declare unreported-card") == ["card board.1"]
    assert Key.CANCEL in hand.table.prompt().keys
    assert hand.tell("press cancel") == [TAKEN_BACK]
    assert (hand.table.prompt().about, hand.table.prompt().back) == ("board.1", (8,))
    assert hand.tell("draw Qs") == ["card board.1"]


@pytest.mark.parametrize("betting", [FLOP, TURN, RIVER])
def test_thl_dlg_3_the_last_card_of_a_street_is_due_again_and_the_round_waits(betting: int) -> None:
    hand = Hand().at(betting - 1)
    hand.tell(*(["press all-check"] if betting > 1 else ["act call", "act call", "act check", "draw 2d", "draw 3d"]))
    hand.tell("draw 4d", "declare unreported-card")
    assert hand.table.prompt().instruction is Instruction.SPEAK
    assert hand.tell("press cancel")[-1].startswith("phase ")
    assert hand.table.prompt().instruction is Instruction.DEAL
    hand.tell("draw Qs")
    assert hand.table.prompt().instruction is Instruction.SPEAK
    assert hand.lying()[f"board.{betting + 2}"] == "Qs"


def test_thl_dlg_3_the_last_card_of_a_player_is_due_again() -> None:
    text = THREE + DEAL.replace("> draw Qd\n", "> declare unreported-card\n> press cancel\n")
    table, _ = played(text)
    assert table.prompt().about == "seat-3.2"
    table, _ = played(text + "> draw Qd\n")
    assert circle_of(table).turn == 3


def test_thl_rd2_2_a_burn_made_too_soon_that_was_none_lies_nowhere() -> None:
    hand = Hand().at(FLOP)
    assert hand.tell("declare unreported-card")[-1] == "asked seen last-card"
    hand.tell("press cancel", "press all-check")
    assert hand.table.prompt().about == "burn.2"


@pytest.mark.parametrize("first", ["draw 2d", "declare unreported-card"])
def test_thl_cre_5_nobody_is_asked_about_a_card_that_is_none(first: str) -> None:
    hand = Hand().at(FLOP)
    hand.tell(first, "press not-seen")
    assert hand.tell("declare unreported-card")[-1] == "asked seen board.4"
    assert Key.CANCEL in hand.table.prompt().keys
    assert hand.tell("press cancel") == [TAKEN_BACK, f"closed {hand.table.state.n_incidents - 1} continue by croupier"]
    assert not hand.table.state.held


def test_thl_dlg_1_between_two_hands_it_is_no_card_of_the_next_one() -> None:
    text = THREE + "> declare unreported-card\n"
    table, asked = played(text)
    assert asked[-1] == "asked seen last-card"
    table, _ = played(text + "> press cancel\n> press no-more-bets\n")
    assert table.prompt().about == "seat-1.1"


def test_thl_dlg_3_one_that_came_while_the_table_is_held_waits_no_more() -> None:
    hand = Hand().at(PRE_FLOP)
    hand.tell("act call", "act call", "act check", "call by ana", "declare unreported-card")
    assert len(hand.table.state.deal.waiting) == 1
    hand.tell("press cancel", "rule 1 continue by ana")
    assert hand.table.prompt().about == "burn.1"


def test_thl_dlg_3_one_too_many_lies_among_the_discards_no_more() -> None:
    hand = Hand().at(RIVER)
    assert hand.tell("declare unreported-card")[-1] == "asked put-away discard"
    before = hand.tell("press cancel")
    assert before == [TAKEN_BACK, "closed 1 continue by croupier"]
    assert hand.table.state.deal.draws[-1].is_back


def test_thl_dlg_3_the_next_declaration_is_taken_back_and_not_the_card() -> None:
    hand = Hand().at(PRE_FLOP)
    hand.tell("act call", "act call", "act check", "draw 2d", "declare unreported-card")
    drawn = len(hand.table.state.deal.draws)
    hand.tell("declare pit-boss")
    assert hand.tell("press cancel")[0].startswith("withdrawn")
    assert not hand.table.state.held
    assert len(hand.table.state.deal.draws) == drawn


@pytest.mark.parametrize("line", ["draw Qs", "call by ana"])
def test_thl_dlg_3_what_follows_holds_the_declaration_to_be_true(line: str) -> None:
    hand = Hand().at(PRE_FLOP)
    hand.tell("act call", "act call", "act check", "draw 2d", "declare unreported-card", line)
    assert Key.CANCEL not in hand.table.prompt().keys
    assert hand.tell("press cancel")[0].startswith("refused")


def test_thl_dlg_3_a_list_that_is_opened_and_closed_is_nothing_that_follows() -> None:
    hand = Hand().at(PRE_FLOP)
    hand.tell("act call", "act call", "act check", "draw 2d", "declare unreported-card")
    before = fingerprint(hand.table.state)
    hand.tell("press incident", "press cancel", "press raise")
    assert hand.tell("press cancel") == [TAKEN_BACK]
    assert before != fingerprint(hand.table.state)


def test_thl_dlg_3_a_restart_holds_nothing_to_be_true() -> None:
    hand = Hand().at(PRE_FLOP)
    hand.tell("act call", "act call", "act check", "draw 2d", "declare unreported-card", "restart", "press confirm")
    assert hand.tell("press cancel") == [TAKEN_BACK]


def test_thl_dlg_3_a_card_that_a_reader_has_seen_since_is_one() -> None:
    hand = Hand(equipment="both").at(PRE_FLOP)
    hand.tell("act call", "act call", "act check", "draw 2d", "seen burn 2d", "declare unreported-card")
    hand.tell("seen board Qs")
    assert Key.CANCEL not in hand.table.prompt().keys

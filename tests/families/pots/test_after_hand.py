"""Objections and claims: until when, and what waits for them."""

from __future__ import annotations

from tablectl.core.engine.prompt import Instruction
from tablectl.core.engine.vocabulary import Key
from tests.families.pots.people import DEAL, THREE, played

WON = THREE + DEAL + "> act 3 fold\n> act 1 fold\n"
NEXT = WON + "> press confirm\n> press new-hand\n> press no-more-bets\n"


def test_thl_sdn_6_the_pot_is_held_while_somebody_objects() -> None:
    table, _ = played(WON + "> declare objection seat-1\n")
    assert table.prompt().instruction is Instruction.WAIT_PIT_BOSS
    assert Key.CONFIRM not in table.prompt().keys
    table, said = played(WON + "> declare objection seat-1\n> rule 1 continue by ana\n> press confirm\n")
    assert said[-1] == "phase closed"


def test_thl_sdn_6_nobody_objects_who_was_not_in_the_hand() -> None:
    assert played(WON + "> declare objection seat-9\n")[1] == ["refused unknown-seat THL-SDN-6 seat-9"]


def test_thl_sdn_8_before_the_pot_is_delivered_it_is_an_objection_and_no_claim() -> None:
    assert played(WON + "> declare claim seat-1\n")[1] == ["refused not-offered THL-SDN-6"]


def test_thl_sdn_8_a_card_that_came_back_to_the_deck_began_no_deal() -> None:
    assert played(NEXT + "> declare claim\n")[1][0].endswith("remedy=correct|continue")
    assert played(NEXT + "> draw 5c\n> declare claim\n")[1][0].endswith("remedy=reject")


def test_thl_sdn_8_nothing_of_a_claim_is_left_to_rule_on_once_it_is_refused() -> None:
    table, _ = played(NEXT + "> draw 5c\n> declare claim\n")
    assert not table.state.held

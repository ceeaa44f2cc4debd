"""The demo's people at five-card draw: what players put away, chips that stay on the table, cards that agree."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Any, Final

import pytest

from simulators.devices.world import PhysicalCard
from simulators.stage.chip_ledger import ChipLedger
from simulators.stage.croupier import Croupier
from simulators.stage.draw import useless
from simulators.stage.fault_plan import Level
from simulators.stage.felt import Felt
from simulators.stage.game_rotation import GameRotation
from simulators.stage.stage import Scene, Stage, temporary_folder
from simulators.stage.summary import check
from tablectl.core.engine.decisions import (
    Awarded,
    BetTaken,
    Decision,
    HandClosed,
    HandVoided,
    PotCarried,
    Refund,
    Spoke,
    TakenBack,
)
from tablectl.core.engine.vocabulary import Action, Equipment
from tablectl.games.registry import RULEBOOKS


def croupier_at(stage: Stage, felt: Felt | None = None) -> Croupier:
    return Croupier(stage, seed=3, level=Level.NONE, pause=lambda _: None, pit_boss_waits_s=0.0, felt=felt)


# --- what players put away ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("hand", "away"),
    [
        ("As Ad 5c 8c Tc", "5c 8c Tc"),
        ("As Ad 5c 5h Tc", "Tc"),
        ("As Ad Ac 5h Tc", "5h Tc"),
        ("As Ad Ac Th Tc", ""),
        ("2s 7s 9s Ks 3d", "3d"),
        ("2s 7s 9s Ks 3s", ""),
        ("5s 6d 7c 8h 9s", ""),
        ("2s 6d 9c Jh Ks", "2s 6d 9c"),
    ],
)
def test_fcd_dsc_1_a_player_puts_away_what_does_not_help_his_hand(hand: str, away: str) -> None:
    cards = {draw: PhysicalCard(number=draw, face=face) for draw, face in enumerate(hand.split(), start=1)}
    assert sorted(cards[draw].face for draw in useless(cards)) == sorted(away.split())


def test_a_player_who_does_not_know_all_five_of_his_cards_keeps_them() -> None:
    assert useless({1: PhysicalCard(number=1, face="2s"), 2: PhysicalCard(number=2, face="3d")}) == []


# --- chips that stay on the table -----------------------------------------------------------------------------------


def ante(seat: int, amount: int = 100) -> BetTaken:
    return BetTaken(seat=seat, bet="ante", amount=amount)


def spoke(seat: int, added: int) -> Spoke:
    action = Action.BET if added else Action.CHECK
    return Spoke(seat=seat, action=action, to=None, added=added, is_all_in=False)


def won(amount: int) -> Awarded:
    return Awarded(pot=1, seat=1, amount=amount, clause="FCD-WIN-4")


CLOSED: Final = HandClosed(hand=1, presses=8, drawn=21, float_change=0)


def counted(*decisions: Decision) -> ChipLedger:
    ledger = ChipLedger()
    for decision in decisions:
        ledger.see(decision)
    return ledger


def test_fcd_win_5_a_pot_that_nobody_opened_is_nobodys_loss_and_is_won_in_the_next_hand() -> None:
    first = (ante(1), ante(2), PotCarried(amount=200), CLOSED)
    assert (ledger := counted(*first)).agrees
    assert (ledger.pot, ledger.waits) == (200, True)
    ledger = counted(*first, ante(1), ante(2), won(400), CLOSED)
    assert (ledger.agrees, ledger.waits, ledger.chips) == (True, False, 0)
    assert not counted(*first, ante(1), ante(2), won(200), CLOSED).agrees, "the pot was forgotten"


def test_fcd_win_5_a_pass_that_is_taken_back_opens_the_pot_again() -> None:
    back = TakenBack(seat=2, action=Action.CHECK)
    checked = spoke(2, 0)
    ledger = counted(ante(1), ante(2), checked, PotCarried(amount=200), back)
    assert ledger.carried is None


def test_antes_that_stay_for_a_new_deal_are_not_put_in_twice() -> None:
    """AMB-46."""
    refund = Refund(seat=2, bet="pot", amount=300)
    void = (ante(1), ante(2), spoke(2, 300), HandVoided(clause="FCD-IRR-1"), refund, CLOSED)
    assert (ledger := counted(*void)).agrees
    assert ledger.kept == {1: 100, 2: 100}
    assert (ledger := counted(*void, ante(1), ante(2), won(200), CLOSED)).agrees
    assert (ledger.waits, ledger.chips) == (False, 0)
    assert not counted(*void[:4], CLOSED, ante(1), ante(2), won(200), CLOSED).agrees, "no refund"


# --- the table ------------------------------------------------------------------------------------------------------


def records_of(stage: Stage) -> list[dict[str, Any]]:
    with stage.reader() as reader:
        return list(iter(lambda: reader.next(0.5), None))


@pytest.mark.system
@pytest.mark.wide
@pytest.mark.parametrize("equipment", [Equipment.SHOE, Equipment.BOTH])
def test_hands_are_dealt_changed_and_shown_and_no_card_is_in_two_places(equipment: Equipment) -> None:
    scene = Scene(rulebook="draw-poker", seats=8, equipment=equipment)
    with temporary_folder() as folder, Stage(scene, Path(folder)) as stage:
        croupier = croupier_at(stage)
        croupier.play(2)
        kinds = Counter(decision["kind"] for record in records_of(stage) for decision in record["decisions"])
        assert kinds["discards"] > 0
        assert kinds["incident-raised"] == 0
        assert len({card.face for card in stage.world.cards()}) == len(stage.world.cards()) == 52
        assert croupier.felt.ledger.agrees
        stage.stop_controller()
        assert check(stage.journal).good


@pytest.mark.wide
@pytest.mark.system
def test_tpc_tab_3_every_game_is_played_in_turn_at_one_table() -> None:
    scenes = [Scene(rulebook=rulebook) for rulebook in RULEBOOKS]
    with temporary_folder() as folder, Stage(scenes[0], Path(folder)) as stage:
        games = GameRotation(stage, scenes, lambda felt: croupier_at(stage, felt))
        games.play(len(scenes))
        played = [
            decision["rulebook"]
            for record in records_of(stage)
            for decision in record["decisions"]
            if decision["kind"] == "hand-opened"
        ]
        assert list(dict.fromkeys(played)) == list(RULEBOOKS)
        assert games.croupier.felt.ledger.agrees
        stage.stop_controller()
        assert check(stage.journal).good

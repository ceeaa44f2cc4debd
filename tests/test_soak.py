"""Whole tables whose devices are unplugged at random, over the wires: no card is lost, none is doubled."""

from __future__ import annotations

from pathlib import Path

import pytest

from simulators.stage.accounts import NotAsItWas, check_cards
from simulators.stage.fault_plan import Level
from simulators.stage.readers import Reading
from simulators.stage.soak import Tally, soak
from simulators.stage.stage import Scene, temporary_folder
from tablectl.core.engine.vocabulary import Equipment

pytestmark = [pytest.mark.wide, pytest.mark.system, pytest.mark.timeout(0)]


def played(scene: Scene, *, hands: int, level: Level = Level.NONE) -> Tally:
    with temporary_folder() as folder:
        *_, last = soak(scene, Path(folder), hands=hands, level=level)
    return last


@pytest.mark.parametrize(
    ("equipment", "has_rfid_shoe"),
    [
        (Equipment.SHOE, False),
        (Equipment.ANTENNAS, False),
        (Equipment.BOTH, False),
        pytest.param(Equipment.SHOE, True, marks=pytest.mark.slow),  # each card takes its time past the mouth
    ],
)
def test_every_card_is_on_record_once_while_devices_come_and_go(equipment: Equipment, *, has_rfid_shoe: bool) -> None:
    scene = Scene(equipment=equipment, has_rfid_shoe=has_rfid_shoe, seats=2, reading=Reading())
    tally = played(scene, hands=2)
    assert tally.hands == 2
    assert tally.cards > 0
    assert tally.checked.good


@pytest.mark.slow
@pytest.mark.parametrize(
    ("rulebook", "equipment", "hands"),
    [
        ("texas-bonus", Equipment.BOTH, 1000),
        ("texas-poker", Equipment.ANTENNAS, 150),
        ("circle-holdem", Equipment.BOTH, 150),
    ],
)
def test_a_whole_table_plays_on_for_long_while_every_device_is_unplugged_at_random(
    rulebook: str, equipment: Equipment, hands: int
) -> None:
    tally = played(Scene(rulebook=rulebook, equipment=equipment, reading=Reading(), seed=5), hands=hands)
    assert tally.hands == hands
    devices = {"panel", "light", *(["sabot"] if equipment is Equipment.BOTH else [])}
    assert devices <= set(tally.pulled), "each of them at least once"
    assert tally.pulled.total() > hands / 4
    assert tally.checked.good


@pytest.mark.parametrize(
    ("on_felt", "on_record"),
    [
        (["As", "Kd"], ["As"]),
        (["As"], ["As", "As"]),
        (["As", "Kd"], ["Kd", "As"]),
        (["As", "Kd"], [None, "As"]),
    ],
)
def test_a_card_that_was_lost_doubled_or_taken_for_another_is_told(
    on_felt: list[str], on_record: list[str | None]
) -> None:
    with pytest.raises(NotAsItWas, match="hand 7: on the felt"):
        check_cards(7, on_felt, on_record)


def test_a_card_without_a_face_is_a_card() -> None:
    check_cards(7, ["As", "Kd"], ["As", None])


def test_antennas_tell_in_any_order_of_cards_that_no_shoe_read_and_of_each_once() -> None:
    felt = ["As", "8s", "Ks", "Kh"]
    check_cards(7, felt, ["As", "Kh", None, None], equipment=Equipment.BOTH)
    check_cards(7, felt, ["As", "Ks", "8s", "Kh"], equipment=Equipment.ANTENNAS)
    for equipment, on_record in (
        (Equipment.BOTH, ["As", "Ks", "8s", "Kh"]),
        (Equipment.BOTH, ["As", "2c", None, "Kh"]),
        (Equipment.BOTH, ["As", "Kh", "Kh", None]),
        (Equipment.ANTENNAS, ["As", "Ks", "Ks", "Kh"]),
        (Equipment.ANTENNAS, ["As", "8s", "Ks"]),
    ):
        with pytest.raises(NotAsItWas, match="hand 7"):
            check_cards(7, felt, on_record, equipment=equipment)

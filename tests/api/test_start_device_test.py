"""Lamps and keys are tried between two hands, on record, and a hand comes first."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from drivers.facts import KeyDown, KeyUp
from tablectl.api.client import ask
from tablectl.api.commands import DeviceTest
from tablectl.config.devices import Device
from tablectl.core.engine.outputs import Outputs, Signal
from tablectl.core.engine.vocabulary import Key
from tablectl.table.controller.between_hands import BetweenHands, NotNow
from tablectl.table.controller.device_test import KEY_S, LONGEST_S, SIGNAL_S, DeviceTestRun
from tests.desk import LONG_S, Desk, KeptLog, desk

PANEL = Device(name="panel", driver="xkeys-xk24", role="panel", settings={}, keys={Key.BET: 1, Key.FOLD: 0})
LIGHT = Device(name="light", driver="patlite-lr6", role="light", settings={})


def run_of(what: DeviceTest) -> DeviceTestRun:
    return DeviceTestRun(what, "eva", (PANEL, LIGHT), 100.0)


def down(number: int, *, device: str = "panel") -> KeyDown:
    return KeyDown(device=device, at_us=1, key=number)


# --- by the clock -----------------------------------------------------------------------------------------------------


def test_each_key_is_lit_in_turn_and_then_each_signal_is_shown_and_that_is_all() -> None:
    made, now_s = run_of(DeviceTest.LAMPS), 100.0
    shown: list[Outputs] = []
    while (wanted := made.wanted(now_s)) is not None:
        shown.append(wanted)
        now_s += made.wait_s(now_s) + 1e-6
    assert [(outputs.lit, outputs.signal) for outputs in shown] == [
        ((Key.FOLD,), Signal.OFF),
        ((Key.BET,), Signal.OFF),
        *(((Key.FOLD, Key.BET), signal) for signal in (Signal.PLAY, Signal.QUESTION, Signal.PIT_BOSS, Signal.FAULT)),
    ]
    assert now_s == pytest.approx(100.0 + 2 * KEY_S + 4 * SIGNAL_S, abs=0.01)


def test_every_key_is_lit_until_it_is_pressed() -> None:
    made = run_of(DeviceTest.PANEL)
    assert made.hears(down(1))
    wanted = made.wanted(101.0)
    assert wanted is not None
    assert wanted.lit == (Key.FOLD,)
    assert made.hears(down(7))
    assert made.hears(KeyUp(device="panel", at_us=2, key=1))
    assert made.told(101.0)["pressed"] == [
        {"device": "panel", "number": 1, "key": "bet", "times": 1, "down": False},
        {"device": "panel", "number": 7, "key": None, "times": 1, "down": True},
    ]
    assert not made.hears(down(1, device="another"))


def test_a_test_of_keys_ends_by_itself() -> None:
    made = run_of(DeviceTest.PANEL)
    assert made.wait_s(110.0) == LONGEST_S - 10.0
    assert made.wanted(100.0 + LONGEST_S - 0.1) is not None
    assert made.wanted(100.0 + LONGEST_S) is None


def test_while_lamps_are_tried_keys_are_played() -> None:
    assert not run_of(DeviceTest.LAMPS).hears(down(1))


def test_what_runs_out_is_over_and_the_next_one_can_begin() -> None:
    now_s = [0.0]
    between = BetweenHands((PANEL, LIGHT), KeptLog(), lambda: now_s[0])
    between.begin_test(DeviceTest.PANEL, "eva", is_free=True)
    with pytest.raises(NotNow, match="something else"):
        between.begin_test(DeviceTest.LAMPS, "eva", is_free=True)
    now_s[0] = LONGEST_S
    between.looks(is_free=True)
    assert (between.wanted(), between.wait_s()) == (None, None)
    between.begin_test(DeviceTest.LAMPS, "eva", is_free=True)


# --- at a table -------------------------------------------------------------------------------------------------------


@pytest.fixture
def table() -> Iterator[Desk]:
    with desk() as made:
        made.start()
        yield made


def said(table: Desk, **what: object) -> dict[str, Any]:
    return ask(table.socket, what, timeout_s=LONG_S)


def tried(table: Desk) -> dict[str, Any] | None:
    found: dict[str, Any] | None = said(table, ask="test")["test"]
    return found


def lit(table: Desk, *keys: Key) -> None:
    """Wait until these keys of the panel are lit, and no others."""
    wanted = {table.scene.panel[key] for key in keys}
    table.until(lambda: set(table.panel.lamps) == wanted, f"lit are {', '.join(keys)}")


IDLE = (Key.NEW_HAND, Key.INCIDENT)


@pytest.mark.system
def test_what_is_pressed_in_a_test_of_keys_is_reported_and_not_played_and_then_all_is_as_before(table: Desk) -> None:
    lit(table, *IDLE)
    before = table.newest
    assert said(table, test="panel", by="eva") == {"ok": True, "seq": before + 1}
    [record] = table.records(before)
    assert record["fact"] == {"kind": "tested", "what": "panel", "by": "eva"}
    every = tuple(table.scene.panel)
    lit(table, *every)
    table.press(Key.NEW_HAND)
    lit(table, *(key for key in every if key is not Key.NEW_HAND))
    told = said(table, ask="test")
    [pressed] = told["test"]["pressed"]
    assert (pressed["key"], pressed["times"], pressed["device"]) == ("new-hand", 1, "panel")
    assert {key["key"] for key in told["keys"]} == set(every)
    assert said(table, test="over")["ok"]
    lit(table, *IDLE)
    assert tried(table) is None
    assert table.newest == before + 1
    table.press(Key.NEW_HAND)
    assert table.await_record("pressed", before + 1)["fact"]["key"] == "new-hand"


@pytest.mark.system
def test_lamps_are_shown_one_after_another(table: Desk) -> None:
    lit(table, *IDLE)
    assert said(table, test="lamps", by="eva")["ok"]
    for key in list(table.scene.panel)[:2]:
        lit(table, key)
    assert said(table, test="over")["ok"]
    lit(table, *IDLE)


@pytest.mark.system
def test_a_hand_that_begins_ends_the_test_and_has_its_keys(table: Desk) -> None:
    assert said(table, test="panel", by="eva")["ok"]
    lit(table, *table.scene.panel)
    reply = table.enter("press new-hand")
    assert reply["refused"] is None
    assert tried(table) is None
    prompt = table.records()[-1]["prompt"]
    lit(table, *(Key(key) for key in prompt["keys"] if Key(key) in table.scene.panel))


@pytest.mark.system
def test_nothing_is_tried_in_a_hand_nor_while_something_else_is(table: Desk) -> None:
    assert said(table, test="panel", by="eva")["ok"]
    assert "something else" in said(table, test="lamps", by="eva")["error"]
    table.enter("press new-hand")
    before = table.newest
    reply = said(table, test="lamps", by="eva")
    assert (reply["ok"], reply["why"]) == (False, "not-now")
    assert table.newest == before


@pytest.mark.system
@pytest.mark.parametrize("asked", [{"test": "horn", "by": "eva"}, {"test": "lamps"}, {"test": "lamps", "by": "Eva R"}])
def test_what_is_no_test_is_told_what_would_be_right(table: Desk, asked: dict[str, str]) -> None:
    assert said(table, **asked)["error"].startswith('expected {"test": one of lamps, over, panel')

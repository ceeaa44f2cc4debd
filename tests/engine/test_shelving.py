"""Alarms that are put aside: for how long, why, by whom, and until their cause ends; nothing that holds the table."""

from __future__ import annotations

import pytest

from tablectl.core.engine import decisions as d
from tablectl.core.engine import facts as f
from tablectl.core.engine.shelving import MINUTES_MOST
from tablectl.core.engine.table import Table
from tablectl.core.engine.vocabulary import Equipment
from tablectl.games.registry import rulebook_of
from tests.engine.tables import lines, setup, table_of

FOREIGN = "usb plugged foreign 1234:abcd at 1-1"


def test_an_entry_ends_so_many_minutes_after_the_fact() -> None:
    there = table_of(setup())
    lines(there, "lost light light cable")
    fact = f.Shelved(at_us=1_000_000, alarm="device-light", minutes=90, by="ana", reason="lamp ordered")
    until_us = 5_401_000_000
    assert there.apply(fact) == (
        d.AlarmShelved(alarm="device-light", until_us=until_us, by="ana", reason="lamp ordered"),
    )
    assert there.state.shelved == {"device-light": f.OnShelf(until_us=until_us, by="ana", reason="lamp ordered")}
    assert Table.resume(there.carry(), rulebook_of).state.shelved == there.state.shelved


@pytest.mark.parametrize("minutes", [-1, 0, MINUTES_MOST + 1, 10**14])
def test_nothing_is_put_aside_for_ever(minutes: int) -> None:
    there = table_of(setup())
    lines(there, "lost light light cable")
    assert lines(there, f"shelve device-light {minutes} by ana x") == ["refused not-shelved minutes"]
    assert not there.state.shelved


@pytest.mark.parametrize("alarm", ["incident-", "incident-0", "incident-01", "incident-²", "incident--1", "light", ""])
def test_a_name_that_no_alarm_has(alarm: str) -> None:
    there = table_of(setup())
    lines(there, FOREIGN)
    (refused,) = there.apply(f.Shelved(at_us=0, alarm=alarm, minutes=1, by="ana", reason="x"))
    assert isinstance(refused, d.Refused)
    assert refused.detail == "unknown-alarm"


def test_a_device_that_is_put_aside_comes_back_when_it_answers_again() -> None:
    there = table_of(setup(equipment=Equipment.BOTH))
    lines(there, "lost antennas felt-1 x\nlost antennas felt-2 x\nshelve device-felt-1 60 by ana x")
    assert lines(there, "back antennas felt-2") == []
    assert lines(there, "back antennas felt-1") == ["unshelved device-felt-1"]


def test_a_device_that_comes_to_hold_the_table_is_put_aside_no_more() -> None:
    """Beside a shoe the table goes on without an antenna; alone it does not."""
    there = table_of(setup(equipment=Equipment.BOTH))
    lines(there, "lost antennas felt-1 x\nshelve device-felt-1 60 by ana x")
    lines(there, "restart equipment=antennas")
    assert "unshelved device-felt-1" in lines(there, "lost antennas felt-1 x")
    assert lines(there, "shelve device-felt-1 60 by ana x") == ["refused not-shelved holds-the-table"]


def test_a_restart_ends_nothing_since_devices_have_not_spoken_yet() -> None:
    there = table_of(setup())
    lines(there, f"{FOREIGN}\nlost light light x\nshelve device-light 60 by ana x\nshelve incident-1 60 by ana y")
    before = there.state.shelved
    lines(there, "restart\nlost light light x")
    assert there.state.shelved == before
    assert len(before) == 2


def test_what_waits_for_an_answer_or_a_request_is_not_put_aside() -> None:
    there = table_of(setup("texas-poker"))
    lines(there, "press new-hand\nbet 1 ante 1000\nstanding 1 ante 1000 consent")
    assert lines(there, "shelve incident-1 60 by ana x") == ["refused not-shelved holds-the-table"]
    lines(there, "draw As")
    assert lines(there, "shelve incident-2 60 by ana x") == ["refused not-shelved holds-the-table"]


def test_an_alarm_that_is_put_aside_again_has_the_later_end() -> None:
    there = table_of(setup())
    lines(there, f"{FOREIGN}\nshelve incident-1 60 by ana x\nshelve incident-1 90 by luis y")
    assert there.state.shelved == {"incident-1": f.OnShelf(until_us=5_400_000_000, by="luis", reason="y")}

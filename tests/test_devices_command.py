"""`tablectl devices`: the same table whether the controller is asked or the ports are opened here."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest

from tablectl.api.client import ask
from tablectl.cli.main import main
from tests.desk import Desk, desk

pytestmark = pytest.mark.system

Captured = pytest.CaptureFixture[str]


@pytest.fixture
def table() -> Iterator[Desk]:
    with desk() as made:
        yield made


def told(table: Desk, capsys: Captured) -> tuple[int, str]:
    """Exit status, and what stands below the list of what is plugged in."""
    status = main(["devices", str(table.config)])
    return status, capsys.readouterr().out.partition("\ndevices of ")[2]


def states(said: str) -> dict[str, str]:
    """Name and state of every device."""
    return {
        found[1]: found[2]
        for found in re.finditer(r"^  \w+ +(\w+) +[\w-]+ +(\w+) +\d{4}-\d\d-\d\d ", said, re.MULTILINE)
    }


def test_without_a_controller_the_ports_are_opened_here(table: Desk, capsys: Captured) -> None:
    status, said = told(table, capsys)
    assert status == 0
    assert said.startswith("Mesa 1, opened here: no controller runs:")
    assert states(said) == {"sabot": "Ready", "panel": "Ready", "light": "Ready"}
    assert "      at          05f3:0405 at 1-1\n" in said
    assert "      is          XK-24 05f3:0405, firmware " in said
    # The shoe may have spoken by then, or not: what it says first is no answer to anything.
    assert re.search(r"^      heard       (nothing since it was connected\. |\d{4}-\d\d-\d\d )", said, re.MULTILINE)
    assert "      heard       never: it cannot answer\n" in said


def test_with_a_controller_it_is_asked_and_goes_on_dealing(table: Desk, capsys: Captured) -> None:
    table.start()
    table.open_hand()
    table.deal("As")
    status, said = told(table, capsys)
    assert status == 0
    assert said.startswith("Mesa 1, told by its controller:")
    assert states(said) == {"sabot": "Ready", "panel": "Ready", "light": "Ready"}
    assert "      heard       nothing" not in said
    assert sorted(re.findall(r"^      heard       (2|never)", said, re.MULTILINE)) == ["2", "2", "never"]
    table.deal("9c")
    assert not table.log.events("device lost")


def test_what_is_not_ready_says_why_and_what_to_do(table: Desk, capsys: Captured) -> None:
    table.start()
    after = table.newest
    table.bus.unplug(table.light)
    table.await_record("device-lost", after)
    status, said = told(table, capsys)
    assert status == 1
    assert states(said)["light"] == "LOST"
    assert "      last error  PATLITE LR6-USB" in said
    assert "      do          There is no connection" in said


def test_the_controller_says_how_far_the_table_is(table: Desk) -> None:
    table.start()
    before = ask(table.socket, {"ask": "devices"})
    assert (before["ok"], before["hands"], before["incidents"], before["troubles"]) == (True, 0, {}, [])
    assert before["records"] == table.newest
    assert before["play"] == {"hand": 1, "is_open": False, "phase": "closed"}
    table.open_hand()
    table.deal("As")
    table.enter("press wrong-count")
    table.enter("call by croupier")
    after = ask(table.socket, {"ask": "devices"})
    assert after["records"] == table.newest > before["records"]
    assert after["play"] == {"hand": 1, "is_open": True, "phase": "dealing"}
    assert sum(after["incidents"].values()) > 0

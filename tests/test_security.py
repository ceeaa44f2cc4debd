"""Attempts on a running table are on record and an alarm, few of them, and the deal goes on."""

from __future__ import annotations

import json
import os
import socket
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from simulators.stage.summary import check
from tablectl.api.client import ask
from tablectl.config.table_file import load
from tablectl.core.security import AGAIN_US, BURSTS, SecurityCause
from tablectl.table.controller import controller
from tablectl.table.controller.controller import EXIT_TILT, Controller
from tests.desk import Desk, KeptLog, desk
from tests.other_user import OTHER_USER, READERS, OtherUser, only_root
from tests.set_clock import TheClock
from tests.waiting import until

pytestmark = pytest.mark.system

FLOOD = 10_000


@pytest.fixture
def table(monkeypatch: pytest.MonkeyPatch) -> Iterator[Desk]:
    """It looks for attempts more often than a real one."""
    monkeypatch.setattr(controller, "CLOCK_LOOK_S", 0.05)
    with desk() as made:
        yield made


def a_hand(table: Desk) -> None:
    """The journal takes the notes of this version after one."""
    table.open_hand()
    table.play_on()


def attempts(table: Desk) -> list[dict[str, Any]]:
    return [record["fact"] for record in table.records() if record["fact"]["kind"] == "security"]


def flood(path: Path, times: int) -> int:
    """So many entries, one after the other; how many were refused."""
    line = json.dumps({"enter": "press new-hand", "by": "somebody"}).encode() + b"\n"
    with socket.socket(socket.AF_UNIX) as connection, connection.makefile("rb") as said:
        connection.connect(str(path))
        refused = 0
        for _ in range(times):
            connection.sendall(line)
            refused += b"enter nothing" in said.readline()
        return refused


@only_root
def test_a_flood_of_refused_writes_is_a_handful_of_records_and_the_deal_goes_on(table: Desk) -> None:
    table.folder.chmod(0o750)
    os.chown(table.folder, 0, READERS)
    text = table.config.read_text(encoding="utf-8")
    table.config.write_text(text.replace("[control]", '[control]\nreaders = "group"'), encoding="utf-8")
    with OtherUser(OTHER_USER, READERS) as intruder:
        table.start(clock=(clock := TheClock()))
        a_hand(table)
        after, refused = table.newest, list[int]()
        attack = threading.Thread(target=lambda: refused.append(intruder.does(flood, table.socket, FLOOD)))
        attack.start()
        a_hand(table)
        attack.join()
        assert refused == [FLOOD]
        table.await_record("security", after)
        clock.set_by_us = AGAIN_US + 1_000_000
        until(lambda: sum(fact["count"] for fact in attempts(table)) == FLOOD)
    found = attempts(table)
    assert len(found) <= 3
    assert {fact["cause"] for fact in found} == {"writes"}
    assert found[0]["source"] == f"{OTHER_USER}: enter"
    assert table.stop() == 0
    assert check(table.journal).good


def test_a_second_controller_is_on_record_of_the_first_one(table: Desk) -> None:
    table.start()
    a_hand(table)
    after = table.newest
    for _ in range(3):
        assert Controller(load(table.config), KeptLog()).run() == EXIT_TILT
    told = table.await_record("security", after)["fact"]
    assert told["cause"] == "second-controller"
    assert f"process {os.getpid()}, user " in told["source"]
    a_hand(table)
    assert [fact["cause"] for fact in attempts(table)] == ["second-controller"]
    assert table.stop() == 0
    assert check(table.journal).good


def refuse(table: Desk, number: int) -> None:
    access = {
        "id": "0" * 32,
        "number": number,
        "at": "2026-11-21T20:00:00.000000Z",
        "what": "refused",
        "who": "ana",
        "role": "",
        "about": "password",
        "granted": False,
    }
    assert ask(table.socket, {"access": access})["ok"]


def test_a_burst_of_wrong_passwords_is_on_record_and_somebody_acknowledges_it(table: Desk) -> None:
    table.start()
    a_hand(table)
    least = BURSTS[SecurityCause.SIGN_ONS].least
    for number in range(1, least):
        refuse(table, number)
    assert attempts(table) == []
    after = table.newest
    refuse(table, least)
    refuse(table, least)  # told again, because the answer was lost: it is no other one
    told = table.await_record("security", after)["fact"]
    assert (told["cause"], told["count"], told["source"]) == ("sign-ons", least, "ana")
    assert "password" not in json.dumps(told)
    assert table.enter("acknowledge security-sign-ons by luis")["refused"] is None
    [seen] = table.records()[-1]["decisions"]
    assert (seen["kind"], seen["alarm"], seen["by"]) == ("alarm-seen", "security-sign-ons", "luis")


def test_before_the_journal_takes_it_an_attempt_waits_for_the_first_hand(table: Desk) -> None:
    table.start()
    assert Controller(load(table.config), KeptLog()).run() == EXIT_TILT
    assert attempts(table) == []
    after = table.newest
    a_hand(table)
    assert table.await_record("security", after)["fact"]["cause"] == "second-controller"

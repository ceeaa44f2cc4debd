"""What people did is on record, in order, told to the controller until it has it: none lost, none doubled."""

from __future__ import annotations

import asyncio
import hashlib
import sqlite3
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tablectl.core.access import AccessKind
from tablectl.ops.log import LOGGER
from tablectl.people.audit import LONGEST_PAUSE_S, LOOK_S, Teller, printable
from tablectl.people.people import People
from tests.people.clock import Clock, S
from tests.screens.signed_on import house


@pytest.mark.parametrize(
    ("text", "kept"),
    [("one\nline", "one line"), ("a\tb", "a b"), ("a\x00b\x1b[2J", "a?b?[2J"), ("\ud800", "?"), ("x" * 201, "x" * 200)],
)
def test_what_a_record_is_about_is_one_line_of_printable_characters(text: str, kept: str) -> None:
    assert printable(text) == kept


def test_the_chain_is_that_of_every_version(people: People) -> None:
    """Written by another one, it has to follow from itself here, and the other way round."""
    people.audit(AccessKind.SIGNED_ON, "ana", "croupier", "pin", granted=True)
    people.audit(AccessKind.REFUSED, "luis", "", "contraseña", granted=False)
    row = '"at":"2026-11-21T20:00:00.000000Z","granted":'
    first = f'{{"about":"pin",{row}true,"number":1,"role":"croupier","what":"signed-on","who":"ana"}}'
    second = f'{{"about":"contraseña",{row}false,"number":2,"role":"","what":"refused","who":"luis"}}'
    one = hashlib.sha256(("0" * 64 + first).encode()).hexdigest()
    other = hashlib.sha256((one + second).encode()).hexdigest()
    assert people.file.rows("SELECT digest FROM access ORDER BY number") == [(one,), (other,)]


class ApiStub:
    """The controller's end: keeps what it is told, once each; `faults` says what goes wrong at each question."""

    def __init__(self, *faults: str) -> None:
        self.kept: list[Mapping[str, Any]] = []
        self._last: dict[str, int] = {}
        self._faults = list(faults)
        #: numbers that stand for something else, by the file
        self.taken: dict[str, set[int]] = {}

    async def ask(self, question: Mapping[str, Any]) -> Mapping[str, Any]:
        fault = self._faults.pop(0) if self._faults else ""
        if fault == "away":
            raise ConnectionRefusedError("nobody listens")
        if fault == "unknown":
            return {"ok": False, "error": "expected something else"}
        said = question["access"]
        if fault == "shape" or not said["about"].isprintable():
            return {"ok": False, "why": "shape", "error": "expected about: printable text"}
        if said["number"] in self.taken.get(said["id"], ()):
            return {"ok": False, "seq": 7, "why": "number", "error": "this number is on record for something else"}
        if said["number"] > self._last.get(said["id"], 0):
            self._last[said["id"]] = said["number"]
            self.kept.append(said)
        if fault == "lost":
            raise TimeoutError("the answer did not come")
        return {"ok": True, "seq": len(self.kept)}


def happen(people: People, count: int) -> None:
    for number in range(count):
        people.audit(AccessKind.READ_HAND, "luis", "pit-boss", f"hand {number}", granted=True)


def test_it_is_told_in_the_documented_words(people: People, clock: Clock) -> None:
    clock.pass_us(1)
    people.audit(AccessKind.OPENED_SEALED, "alba", "auditor", "hand 7", granted=False)
    api = ApiStub()
    assert asyncio.run(Teller(people.audits, api.ask).tell())
    assert api.kept == [
        {
            "id": people.audits.id,
            "number": 1,
            "at": "2026-11-21T20:00:00.000001Z",
            "what": "opened-sealed",
            "who": "alba",
            "role": "auditor",
            "about": "hand 7",
            "granted": False,
        }
    ]
    assert len(bytes.fromhex(people.audits.id)) == 16


@given(faults=st.lists(st.sampled_from(["", "away", "lost", "unknown"]), max_size=12))
def test_whatever_goes_wrong_each_is_kept_once_and_in_order(
    tmp_path_factory: pytest.TempPathFactory, faults: list[str]
) -> None:
    people = house(tmp_path_factory.mktemp("house") / "people.db")
    happen(people, 5)
    api = ApiStub(*faults)
    teller = Teller(people.audits, api.ask)
    for _ in range(len(faults) + 1):
        asyncio.run(teller.tell())
    people.file.close()
    assert [entry["number"] for entry in api.kept] == [1, 2, 3, 4, 5]


def test_what_was_not_told_is_told_after_a_restart(people: People) -> None:
    happen(people, 3)
    api = ApiStub("", "lost")
    assert not asyncio.run(Teller(people.audits, api.ask).tell())
    again = house(people.file.path)
    assert [row["number"] for row in again.audits.untold()] == [2, 3]
    assert asyncio.run(Teller(again.audits, api.ask).tell())
    again.file.close()
    assert [entry["number"] for entry in api.kept] == [1, 2, 3]


def test_it_tries_again_with_growing_pauses_and_soon_once_it_was_heard(people: People) -> None:
    pauses: list[float] = []
    api = ApiStub(*["away"] * 5)
    happen(people, 1)

    class Enough(Exception):
        pass

    async def wait(pause_s: float) -> None:
        pauses.append(pause_s)
        if len(pauses) == 7:
            raise Enough

    with pytest.raises(Enough):
        asyncio.run(Teller(people.audits, api.ask, wait=wait).run())
    assert pauses == [4, 8, 16, LONGEST_PAUSE_S, LONGEST_PAUSE_S, LOOK_S, LOOK_S]
    assert len(api.kept) == 1


def test_a_file_that_is_busy_is_asked_again_and_said_once_lost_and_once_back(
    people: People, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level("INFO", LOGGER)
    happen(people, 2)
    people.file.write("PRAGMA busy_timeout = 0")
    api = ApiStub()
    teller = Teller(people.audits, api.ask)
    other = sqlite3.connect(people.file.path, isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    assert [asyncio.run(teller.tell()) for _ in range(3)] == [False] * 3
    other.execute("ROLLBACK")
    other.close()
    assert [asyncio.run(teller.tell()) for _ in range(3)] == [True] * 3
    assert [entry["number"] for entry in api.kept] == [1, 2]
    said = [record.getMessage() for record in caplog.records]
    assert said == ["accesses kept back reason='database is locked'", "accesses told again"]


@pytest.mark.parametrize(
    "tampering",
    [
        "UPDATE access SET who = 'eva' WHERE number = 2",
        "UPDATE access SET granted = 0 WHERE number = 2",
        "UPDATE access SET at = '2026-11-21T20:00:01.000000Z' WHERE number = 2",
        "DELETE FROM access WHERE number = 2",
    ],
)
def test_a_row_that_was_changed_or_cut_out_is_found(people: People, tampering: str) -> None:
    happen(people, 4)
    assert people.audits.first_broken() is None
    people.file.write(tampering)
    assert people.audits.first_broken() == 2


def test_rows_that_were_told_and_cut_off_at_the_end_are_missed(people: People) -> None:
    happen(people, 4)
    asyncio.run(Teller(people.audits, ApiStub().ask).tell())
    people.file.write("DELETE FROM access WHERE number > 2")
    assert people.audits.first_broken() == 3


def test_time_is_that_of_what_happened_not_of_the_telling(people: People, clock: Clock) -> None:
    happen(people, 1)
    clock.pass_us(3600 * S)
    api = ApiStub()
    asyncio.run(Teller(people.audits, api.ask).tell())
    assert api.kept[0]["at"] == "2026-11-21T20:00:00.000000Z"


def test_half_a_character_in_what_it_is_about_does_not_stop_the_record(people: People) -> None:
    people.audit(AccessKind.READ_HAND, "luis", "pit-boss", "hand \ud800" + "x" * 1000, granted=True)
    about = people.audits.rows()[-1]["about"]
    assert about.startswith("hand ?xxx")
    assert len(about) == 200


@pytest.mark.parametrize("odd", ["\u00a0", "\n", "\x00", "\u202e", "\u2028", "\ud800", "\x7f"])
def test_whatever_character_it_is_about_it_and_all_later_ones_are_told(people: People, odd: str) -> None:
    people.audit(AccessKind.READ_RECORDS, "alba", "auditor", f"find text=ana{odd}luis", granted=True)
    happen(people, 2)
    api = ApiStub()
    assert asyncio.run(Teller(people.audits, api.ask).tell())
    assert [entry["number"] for entry in api.kept] == [1, 2, 3]
    assert api.kept[0]["about"] in ("find text=ana luis", "find text=ana?luis")


def test_what_the_controller_will_never_take_is_kept_with_its_reason_and_the_next_ones_go_on(
    people: People, caplog: pytest.LogCaptureFixture
) -> None:
    happen(people, 3)
    api = ApiStub("", "shape")
    teller = Teller(people.audits, api.ask)
    assert asyncio.run(teller.tell())
    assert asyncio.run(teller.tell())
    assert [entry["number"] for entry in api.kept] == [1, 3]
    assert [(row["number"], why) for row, why in people.audits.refused()] == [(2, "expected about: printable text")]
    assert people.audits.untold() == []
    assert len([record for record in caplog.records if "access never taken number=2 " in record.getMessage()]) == 1


def test_accounts_that_were_put_back_from_a_copy_go_on_under_another_id(people: People, tmp_path: Path) -> None:
    """The journal has numbers 3 and 4 of the file that was lost."""
    happen(people, 2)
    api = ApiStub()
    asyncio.run(Teller(people.audits, api.ask).tell())
    before = people.audits.id
    api.taken[before] = {3, 4}
    happen(people, 1)
    assert asyncio.run(Teller(people.audits, api.ask).tell())
    assert asyncio.run(Teller(people.audits, api.ask).tell())
    after = people.audits.id
    assert after != before
    assert [(entry["id"], entry["number"]) for entry in api.kept] == [(before, 1), (before, 2), (after, 3), (after, 4)]
    said = api.kept[-1]
    assert (said["who"], said["what"]) == ("system", "account-changed")
    assert said["granted"] is True
    assert "put back from a copy" in said["about"]
    assert after in said["about"]
    assert people.audits.first_broken() is None
    again = house(people.file.path)
    assert (again.audits.id, again.file.series) == (after, {1: before, 3: after})
    again.file.close()

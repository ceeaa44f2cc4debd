"""What a table says of now: right after any record of any hand, small, and with no card in it."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Final

import msgspec
import pytest

from tablectl.core.disk_room import Holds, Space, Urgency
from tablectl.core.events.stream import decode_record
from tablectl.core.public_table.alarm_kinds import Priority
from tablectl.core.public_table.alarms import AlarmState
from tablectl.core.public_table.attempts import AttemptsView
from tablectl.core.public_table.folding.fold import fold
from tablectl.core.public_table.table import PublicTable
from tablectl.core.public_table.table_state import TableState, state_of
from tablectl.core.security import SecurityCause, alarm_of
from tablectl.core.timestamps import time_text, time_us
from tablectl.fleet.epochs import Epoch
from tablectl.fleet.last_values import (
    ALARMS_MOST,
    DEVICES_MOST,
    BadValues,
    DeviceNow,
    LastValues,
    decoded,
    encoded,
    last_values_of,
)
from tests.engine.recorded_versions import hand_files
from tests.journal.journals import HANDS
from tests.screens import hands
from tests.screens.controller import records_of
from tests.screens.test_alarms import CALL, NOW_US, view_of
from tests.secrecy import cards_in

FILES: Final = hand_files()
EPOCH: Final = Epoch(origin="ab" * 32, restores=2)
READY: Final = DeviceNow(role="shoe", name="sabot", state="ready")
LOST: Final = DeviceNow(role="light", name="tower", state="lost")


def values_of(view: PublicTable, at_us: int = NOW_US, **given: object) -> LastValues:
    state = state_of(view, is_connected=True, is_tilted=False)
    found = last_values_of(view, state=state, epoch=EPOCH, at_us=at_us, waits_since=view.at, devices=(READY, LOST))
    return msgspec.structs.replace(found, **given) if given else found


#: Most bytes of what a table says without an alarm, and of each alarm.
PLAIN_BYTES: Final = 800
ALARM_BYTES: Final = 250


def check_no_card_in(path: Path) -> None:
    """After each record of a hand: as it was sent, as small as its alarms let it be, and no card in it."""
    view = PublicTable()
    for line in records_of(path.read_text(encoding="utf-8")):
        record = decode_record(line)
        view = fold(view, record)
        values = values_of(view, record.at_us)
        sent = encoded(values)
        assert decoded(sent) == values
        assert list(cards_in(sent)) == [], (path, record.seq, sent)
        assert len(sent) <= PLAIN_BYTES + ALARM_BYTES * len(values.alarms), (record.seq, sent)


@pytest.mark.parametrize("path", FILES[::29], ids=[str(path.relative_to(HANDS)) for path in FILES[::29]])
def test_no_card_of_a_hand_is_in_what_a_table_says_of_now(path: Path) -> None:
    check_no_card_in(path)


@pytest.mark.wide
@pytest.mark.parametrize("path", FILES, ids=[str(path.relative_to(HANDS)) for path in FILES])
def test_no_card_of_any_hand_is_in_what_a_table_says_of_now(path: Path) -> None:
    check_no_card_in(path)


def test_a_table_at_play_says_what_it_waits_for_with_the_arguments_of_the_sentence() -> None:
    view = replace(view_of(hands.MID_HAND), croupier="luis")
    values = values_of(view)
    assert (values.game, values.hand, values.phase, values.croupier) == ("texas-bonus", 1, "turn-decision", "luis")
    assert values.seats == (1, 2, 3, 5, 6)
    assert (values.waits.instruction, values.waits.about, values.waits.phase) == ("ask-seat", "seat-5", "turn-decision")
    assert values.state is TableState.PLAYING
    assert (values.seq, values.place, values.origin) == (view.seq, (2, view.seq), "ab" * 32)
    assert len(encoded(values)) < 500


def test_an_alarm_has_what_its_title_is_made_of() -> None:
    values = values_of(view_of(hands.DEVICES + CALL + "lost light tower cable"))
    incident, device = values.alarms
    assert (incident.name, incident.priority, incident.state) == (
        "incident-1",
        Priority.HIGH,
        AlarmState.UNACKNOWLEDGED,
    )
    assert (incident.clause, incident.observed) == ("THB-STF-1", "called")
    assert (device.name, device.role, device.is_lost, device.clause) == ("device-tower", "light", True, "")
    assert time_us(incident.since) < NOW_US
    assert values.state is TableState.HELD


def test_devices_that_are_well_are_counted_and_the_others_named() -> None:
    devices = values_of(view_of("")).devices
    assert (devices.well, devices.unwell, devices.more) == (1, (LOST,), 0)
    many = [LOST] * (DEVICES_MOST + 3)
    found = last_values_of(
        PublicTable(), state=TableState.WAITING, epoch=EPOCH, at_us=NOW_US, waits_since="", devices=many
    )
    assert (len(found.devices.unwell), found.devices.more) == (DEVICES_MOST, 3)


def test_a_disk_that_is_almost_full_is_an_alarm() -> None:
    disk = Space(holds=Holds.JOURNAL, path="/var", free_bytes=1, days=1.0, urgency=Urgency.ALARM)
    found = last_values_of(
        PublicTable(),
        state=TableState.WAITING,
        epoch=EPOCH,
        at_us=NOW_US,
        waits_since="",
        devices=(),
        disks=[disk],
    )
    assert [(alarm.name, alarm.disk, alarm.since) for alarm in found.alarms] == [("disk-journal", "alarm", "")]


def test_attempts_on_a_table_are_an_alarm_without_a_name() -> None:
    at = time_text(NOW_US)
    tried = AttemptsView(cause=SecurityCause.WRITES, count=12, since=at, told_at=at, source="root: enter")
    found = last_values_of(
        PublicTable(attempts={alarm_of(SecurityCause.WRITES): tried}),
        state=TableState.WAITING,
        epoch=EPOCH,
        at_us=NOW_US,
        waits_since="",
        devices=(),
    )
    assert [(alarm.name, alarm.cause, alarm.responder) for alarm in found.alarms] == [
        ("security-writes", "writes", "technician")
    ]
    assert b"root" not in encoded(found)


def test_more_alarms_than_are_sent_are_counted_and_the_first_ones_matter_most() -> None:
    view = view_of(CALL)
    (number,) = view.incidents
    many = {
        other: replace(view.incidents[number], number=other, severity="alert", expected="x" * 5_000)
        for other in range(1, ALARMS_MOST + 8)
    }
    found = values_of(replace(view, incidents=many))
    assert (len(found.alarms), found.more_alarms) == (ALARMS_MOST, 7)
    assert decoded(encoded(found)) == found, "long words are cut"


@pytest.mark.parametrize(
    ("body", "why"),
    [
        (b"", "Input data was truncated"),
        (b"{}", "missing required field"),
        (b'{"epoch":"x","seq":1,"at":"2026-11-28T10:00:00.000000Z","state":"playing"}', "an epoch"),
        (b'{"epoch":"-.0","seq":1,"at":"now","state":"playing"}', "no time of a record"),
        (b'{"epoch":"-.0","seq":1,"at":"2026-11-28T10:00:00.000000Z","state":"happy"}', "Invalid enum value"),
        (b'{"epoch":"-.0","seq":-1,"at":"2026-11-28T10:00:00.000000Z","state":"playing"}', ">= 0"),
        (b"[" * 50_000, "not what a table says"),
        (b" " * 70_000, "70000 bytes"),
    ],
)
def test_nonsense_is_refused(body: bytes, why: str) -> None:
    with pytest.raises(BadValues, match=why):
        decoded(body)

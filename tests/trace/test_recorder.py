"""The recorder of a table: what it writes, what it counts, and that nothing it meets reaches a wire."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from drivers.transport.base import Wire, WireUnavailable
from tablectl.config.devices import Device
from tablectl.config.trace import TraceSettings
from tablectl.core.engine.outputs import DARK, OFF
from tablectl.core.engine.vocabulary import Key
from tablectl.journal.keys import load_sealing, make_keys
from tablectl.ops.trace.entry import Entry, Kind
from tablectl.ops.trace.file import BLOCK_BYTES, DATA_MAX, Fault, TraceFile
from tablectl.ops.trace.opening import NotOpened, must_be_over
from tablectl.ops.trace.recorder import TraceRecorder, files_of, stem_of
from tests.desk import LONG_S, KeptLog

PANEL = Device(name="panel", driver="xkeys-xk24", role="panel", settings={}, keys={Key.BET: 3})
LIGHT = Device(name="the light", driver="patlite-lr6", role="light", settings={})
READER = Device(name="felt", driver="feig", role="antennas", settings={"port": "/dev/x"})


class Endless:
    """A wire that takes everything, and gives what it was told last."""

    identity = "endless"

    def __init__(self) -> None:
        self._last = b""

    def read(self, timeout_s: float) -> bytes:
        return self._last

    def write(self, data: bytes) -> None:
        self._last = data

    def close(self) -> None:
        self._last = b""


@pytest.fixture
def log() -> KeptLog:
    return KeptLog()


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    make_keys(tmp_path / "table.key", tmp_path / "table.sign", demo=True)
    return tmp_path


def recorder(
    folder: Path, log: KeptLog, *, files: int = 8, file_bytes: int = 16_000_000, waiting_max: int = 8192
) -> TraceRecorder:
    settings = TraceSettings(
        folder=folder / "traces", devices=("panel", "the light", "felt"), file_bytes=file_bytes, files=files
    )
    return TraceRecorder(
        settings,
        (PANEL, LIGHT, READER),
        language="en",
        key=folder / "table.key",
        log=log,
        now_s=iter(range(1_000_000)).__next__,
        waiting_max=waiting_max,
    )


def opened(recorder: TraceRecorder, device: str = "panel") -> Wire:
    return recorder.tapped(device, Endless)()


def entries(folder: Path, device: str = "panel") -> Iterator[Entry | Fault]:
    vault, _ = load_sealing(folder / "table.key")
    for path in files_of(folder / "traces", stem_of(device)):
        yield from TraceFile(path).entries(vault)


def kinds(folder: Path, device: str = "panel") -> list[str]:
    return [entry.kind.value if isinstance(entry, Entry) else str(entry) for entry in entries(folder, device)]


def test_what_a_wire_did_and_what_the_table_wanted_is_in_the_file(folder: Path, log: KeptLog) -> None:
    made = recorder(folder, log)
    made.start()
    wire = opened(made)
    made.told(OFF)
    made.told(OFF)
    wire.write(b"hello")
    wire.read(0.0)
    wire.close()
    made.close()
    assert kinds(folder) == ["opened", "told", "out", "in", "closed"]
    assert kinds(folder, "the light") == ["told"]
    assert kinds(folder, "felt") == [], "a reader is shown nothing"
    [path] = files_of(folder / "traces", "panel")
    about = TraceFile(path).about
    assert (about.head.driver, about.head.keys, about.head.language) == ("xkeys-xk24", {"bet": 3}, "en")
    assert about.is_demo
    [told] = [entry for entry in entries(folder) if isinstance(entry, Entry) and entry.kind is Kind.TOLD]
    assert json.loads(told.data)["signal"] == "off"
    assert log.said == []


def test_a_device_that_is_not_named_is_not_listened_in_to(folder: Path, log: KeptLog) -> None:
    made = recorder(folder, log)
    assert isinstance(opened(made, "somebody else"), Endless)


def test_what_found_no_room_is_counted_and_said_at_its_place(folder: Path, log: KeptLog) -> None:
    made = recorder(folder, log, waiting_max=3)
    wire = opened(made)
    for number in range(10):
        wire.write(bytes((number,)))
    made.start()
    made.close()
    found = [(entry.kind, entry.data) for entry in entries(folder) if isinstance(entry, Entry)]
    # The first three fitted; the eight others are said as soon as the writer comes to it.
    assert found[0] == (Kind.MISSING, b"8")
    assert [data for kind, data in found if kind is Kind.OUT] == [b"\0", b"\1"]


def test_data_that_fits_into_no_block_is_counted(folder: Path, log: KeptLog) -> None:
    made = recorder(folder, log)
    wire = opened(made)
    wire.write(bytes(DATA_MAX + 1))
    made.start()
    made.close()
    assert kinds(folder) == ["missing", "opened"]


def test_a_file_that_is_full_is_ended_the_next_begins_and_the_oldest_goes(folder: Path, log: KeptLog) -> None:
    made = recorder(folder, log, file_bytes=100_000, files=3)
    made.told(DARK)
    wire = opened(made)
    for _ in range(120):
        wire.write(bytes(4000))
    made.start()
    made.close()
    paths = files_of(folder / "traces", "panel")
    numbers = [TraceFile(path).about.number for path in paths]
    assert len(paths) == 3
    assert numbers == [numbers[-1] - 2, numbers[-1] - 1, numbers[-1]]
    assert numbers[-1] > 4
    assert len({TraceFile(path).about.series for path in paths}) == 1
    assert all(path.stat().st_size < 120_000 for path in paths)
    assert not any(isinstance(entry, Fault) for entry in entries(folder))
    vault, _ = load_sealing(folder / "table.key")
    for path in paths:
        first = next(iter(TraceFile(path).entries(vault)))
        assert isinstance(first, Entry)
        assert first.kind is Kind.TOLD, "each file begins with what the table wanted shown"


def test_without_a_key_the_wire_goes_on_the_log_says_it_once_and_nothing_is_written(folder: Path, log: KeptLog) -> None:
    (folder / "table.key").unlink()
    made = recorder(folder, log)
    made.start()
    wire = opened(made)
    for number in range(5):
        wire.write(bytes((number,)))
        assert wire.read(0.0) == bytes((number,))
    made.close()
    assert len(log.events("trace not recorded")) == 1
    assert list((folder / "traces").iterdir()) == []


def test_a_folder_that_cannot_be_made_is_said_and_harms_nobody(folder: Path, log: KeptLog) -> None:
    (folder / "traces").write_text("a file stands here", encoding="utf-8")
    made = recorder(folder, log)
    made.start()
    wire = opened(made)
    wire.write(b"x")
    made.close()
    [said] = log.events("trace not recorded")
    assert said["device"] == "panel"


def test_a_wire_that_cannot_be_opened_is_in_the_trace_too(folder: Path, log: KeptLog) -> None:
    made = recorder(folder, log)

    def gone() -> Wire:
        raise WireUnavailable("no such device")

    with pytest.raises(WireUnavailable):
        made.tapped("panel", gone)()
    made.start()
    made.close()
    assert kinds(folder) == ["unavailable"]


def test_a_trace_that_is_being_recorded_is_not_opened(folder: Path, log: KeptLog) -> None:
    made = recorder(folder, log)
    opened(made)
    made.start()
    until_s = time.monotonic() + LONG_S
    # Its second block comes within a second, and after the lock.
    while sum(path.stat().st_size for path in folder.glob("traces/*")) < 2 * BLOCK_BYTES:
        assert time.monotonic() < until_s
    [path] = files_of(folder / "traces", "panel")
    with pytest.raises(NotOpened, match="recording"):
        must_be_over(TraceFile(path))
    made.close()
    must_be_over(TraceFile(path))


@pytest.mark.parametrize(("one", "other"), [("seat 1", "seat-1"), ("ñ", "ü"), ("a/b", "a.b")])
def test_devices_of_similar_names_have_files_of_their_own(one: str, other: str) -> None:
    assert stem_of(one) != stem_of(other)
    assert all("." not in stem_of(name) and "/" not in stem_of(name) for name in (one, other))

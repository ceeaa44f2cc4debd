"""Bytes that nobody of us wrote: whoever reads them says so, in the words of its own errors."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Final

import msgspec
import pytest
import zstandard

from tablectl.config.table_file import restoring
from tablectl.core.unreadable import UNREADABLE
from tablectl.fleet import batches
from tablectl.fleet.batches import BadBatch
from tablectl.fleet.last_values import BadValues, decoded, here_in
from tablectl.fleet.uplink.state import Remembered, StateFile
from tablectl.fleet.uplink.transport import PitAway, Said, said_in
from tablectl.journal import restored
from tablectl.journal.known_heads import KnownHeads
from tablectl.notifications.witness_state import WitnessState, read_state
from tablectl.ops.backup import manifest, plan
from tablectl.ops.backup.wrong import NotIntact, Refused

_NESTED: Final = 50_000
#: A member that nobody knows is passed over, whatever is in it.
BYTES: Final = {
    "no JSON": b"?",
    "cut off": b'{"format": 1, "why": "',
    "no UTF-8": b'"\xff"',
    "a member that is no UTF-8": b'{"\xff": 1, "why": "\xff", "by": "\xff"}',
    "nested": b'{"unknown": ' + b"[" * _NESTED + b"]" * _NESTED + b"}",
}
REFUSED: Final[dict[str, tuple[Callable[[bytes], object], type[Exception]]]] = {
    "record": (batches.kind_in, BadBatch),
    "what a table says of now": (decoded, BadValues),
    "whether a table is at the broker": (here_in, BadValues),
    "the pit server's answer": (lambda data: said_in(200, data, Said), PitAway),
    "manifest of a backup": (lambda data: manifest.read(data, Path("backup.tar")), NotIntact),
}


@pytest.mark.parametrize("data", BYTES.values(), ids=BYTES)
def test_whatever_msgspec_raises_is_among_these(data: bytes) -> None:
    class Known(msgspec.Struct):
        why: str

    with pytest.raises(UNREADABLE):
        msgspec.json.decode(data, type=Known)


@pytest.mark.parametrize("what", REFUSED)
@pytest.mark.parametrize("data", BYTES.values(), ids=BYTES)
def test_what_another_machine_sent_is_refused(what: str, data: bytes) -> None:
    read, error = REFUSED[what]
    with pytest.raises(error):
        read(data)


def test_a_batch_that_is_nested_without_end_is_refused() -> None:
    """MessagePack: a member that nobody knows, and in it an array of one, in an array of one, and so on."""
    with pytest.raises(BadBatch):
        batches.unpacked(zstandard.compress(b"\x81\xa7unknown" + b"\x91" * _NESTED + b"\xc0"))


@pytest.mark.parametrize("data", BYTES.values(), ids=BYTES)
def test_a_file_of_ours_that_was_damaged_is_begun_anew(tmp_path: Path, data: bytes) -> None:
    path = tmp_path / "state"
    path.write_bytes(data)
    assert StateFile(path).read() == Remembered()
    assert read_state(path) == WitnessState()
    assert KnownHeads(path).head is None
    restored.place_of(path).write_bytes(data)
    note = restored.waiting(path, at_us=7)
    assert note is not None, "that there was a restore is on record whatever is left of its file"
    assert note.at_us == 7


@pytest.mark.parametrize("data", BYTES.values(), ids=BYTES)
def test_a_plan_of_a_restore_that_was_damaged_is_told_of(tmp_path: Path, data: bytes) -> None:
    """Whatever it said was begun: nobody goes on as if there had been none."""
    config = tmp_path / "table.toml"
    restoring(config).write_bytes(data)
    with pytest.raises(Refused, match="cannot be read"):
        plan.decided(config)

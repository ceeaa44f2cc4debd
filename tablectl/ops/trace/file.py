"""A trace as a file: a line that says what it is, a line that says of whom, then sealed blocks of one length.

    tablectl trace 1
    {"began":"…","blocks":…,"demo":…,"device":"…","driver":"…","file":…,"id":"…","key":"…", …}
    block 0, block 1, …

Each block is sealed with the table's sealing key and bound to the first two lines and to its own number, so none can be
changed, moved, or brought in from another file unnoticed. All have one length, whatever is in them: neither the
number nor the length of messages shows, only about how much was said, and when. Block 0 is empty; it is there so
that a file of which nothing was recorded yet can be told from one that was cut. The last block of a file that was
closed in order says so: without it the controller was killed, or the end was cut off.
"""

from __future__ import annotations

import hashlib
import json
import os
import secrets
import struct
from collections.abc import Iterator
from dataclasses import dataclass
from io import FileIO
from pathlib import Path
from typing import Any, Final

from tablectl.core.timestamps import time_text
from tablectl.journal.seal import NONCE_BYTES, TAG_BYTES, BadSeal, Vault
from tablectl.ops.trace.entry import OVERHEAD_BYTES, BadEntry, Entry, Head, decode, encode

VERSION: Final = 1
SUFFIX: Final = ".trace"
_MAGIC: Final = b"tablectl trace "
#: Bytes in a block before it is sealed: whether it is the last one, how many of them are entries, entries, zeros.
BLOCK_BYTES: Final = 8192
_FRONT: Final = struct.Struct(">BH")
#: The longest entry's data. A serial read brings 4096 bytes at most.
DATA_MAX: Final = BLOCK_BYTES - _FRONT.size - OVERHEAD_BYTES
_SEALED_BYTES: Final = NONCE_BYTES + BLOCK_BYTES + TAG_BYTES
#: Longest first lines that are looked at.
_LINES_MAX: Final = 1 << 20


class BadTrace(Exception):
    """A file that is no trace, or a newer one. The text names it and says what was expected."""


@dataclass(frozen=True, kw_only=True, slots=True)
class About:
    """The unsealed part. `series`: the same for all files of one device and one run of the controller, which are
    numbered from 1; `key`: fingerprint of the sealing key; `is_demo`: whoever has that key has it from a demonstration.
    """

    head: Head
    began: str
    series: str
    number: int
    key: str
    is_demo: bool


@dataclass(frozen=True, slots=True)
class Fault:
    """What is wrong with a file, from `block` on."""

    block: int
    what: str

    def __str__(self) -> str:
        return f"block {self.block}: {self.what}"


class TraceWriter:
    """One file, from its first line. Raises `OSError`."""

    def __init__(self, path: Path, about: About, vault: Vault) -> None:
        descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_APPEND | os.O_CLOEXEC, 0o600)
        self._file = FileIO(descriptor, "wb")
        self.path = path
        self._vault = vault
        self._next = 0
        self._waiting = bytearray()
        lines = _MAGIC + str(VERSION).encode() + b"\n" + _about_line(about)
        self._bound = _bound(lines)
        self.n_bytes = 0
        self._write(lines)
        self._seal(is_last=False)

    @property
    def is_waiting(self) -> bool:
        """Something was put and not yet sealed."""
        return bool(self._waiting)

    def put(self, entry: Entry) -> None:
        """Into this block or the next one; `flush` or a full block writes it. Raises ValueError for too long data."""
        data = encode(entry)
        if len(entry.data) > DATA_MAX:
            raise ValueError(f"an entry of {len(entry.data)} bytes does not fit into a block")
        if len(self._waiting) + len(data) > BLOCK_BYTES - _FRONT.size:
            self.flush()
        self._waiting += data

    def flush(self) -> None:
        """Seal and write what is waiting."""
        if self._waiting:
            self._seal(is_last=False)

    def close(self) -> None:
        """The end, in order."""
        try:
            self._seal(is_last=True)
        finally:
            self._file.close()

    def give_up(self) -> None:
        """Close the file as it is: it cannot be written."""
        self._file.close()

    def fileno(self) -> int:
        """For a lock on it."""
        return self._file.fileno()

    def _seal(self, *, is_last: bool) -> None:
        plain = _FRONT.pack(is_last, len(self._waiting)) + self._waiting
        sealed = self._vault.seal_part(f"{self._bound} block {self._next}", plain.ljust(BLOCK_BYTES, b"\0"))
        self._write(sealed)
        self._next += 1
        self._waiting.clear()

    def _write(self, data: bytes) -> None:
        written = self._file.write(data)
        if written != len(data):
            raise OSError(f"{self.path}: {written} of {len(data)} bytes were written")
        self.n_bytes += len(data)


class TraceFile:
    """A file that is there. Raises `BadTrace`, or `OSError`."""

    def __init__(self, path: Path) -> None:
        self.path = path
        with path.open("rb") as file:
            magic, line = file.readline(_LINES_MAX), file.readline(_LINES_MAX)
        if not magic.startswith(_MAGIC):
            raise BadTrace(f"{path}: no trace of tablectl: its first line is another one")
        if magic != _MAGIC + str(VERSION).encode() + b"\n":
            raise BadTrace(f"{path}: a trace of version {magic[len(_MAGIC) : 40]!r}; this program knows {VERSION}")
        self.about = _about(path, line)
        self._begin = len(magic) + len(line)
        self._bound = _bound(magic + line)
        self.n_blocks, self._rest = divmod(path.stat().st_size - self._begin, _SEALED_BYTES)

    def entries(self, vault: Vault) -> Iterator[Entry | Fault]:
        """Everything in it, in order. The first fault is the last thing said: what stands after it is not trusted."""
        if vault.fingerprint != self.about.key:
            yield Fault(0, "sealed with another key than this one")
            return
        is_ended = False
        with self.path.open("rb") as file:
            file.seek(self._begin)
            for number in range(self.n_blocks):
                if is_ended:
                    yield Fault(number, "stands after the end of the trace")
                    return
                opened = self._opened(vault, number, file.read(_SEALED_BYTES))
                if isinstance(opened, Fault):
                    yield opened
                    return
                is_ended, found = opened
                yield from found
        if self._rest:
            yield Fault(self.n_blocks, f"cut short: {self._rest} of {_SEALED_BYTES} bytes")
        elif not is_ended:
            yield Fault(
                self.n_blocks, "missing: the trace has no end; its controller runs or was killed, or it was cut"
            )

    def _opened(self, vault: Vault, number: int, sealed: bytes) -> tuple[bool, list[Entry]] | Fault:
        try:
            plain = vault.open_part(f"{self._bound} block {number}", sealed)
            is_last, length = _FRONT.unpack_from(plain)
            return bool(is_last), list(decode(plain[_FRONT.size : _FRONT.size + length]))
        except BadSeal:
            return Fault(number, "changed, moved here, or the lines before the blocks were changed")
        except (BadEntry, struct.error) as wrong:
            return Fault(number, str(wrong))


def new_series() -> str:
    """A name for the files of one device and one run."""
    return secrets.token_hex(8)


def _about_line(about: About) -> bytes:
    head = about.head
    said = {
        "began": about.began,
        "block_bytes": _SEALED_BYTES,
        "demo": about.is_demo,
        "device": head.device,
        "driver": head.driver,
        "file": about.number,
        "key": about.key,
        "keys": dict(head.keys),
        "language": head.language,
        "nonce": secrets.token_hex(16),
        "series": about.series,
        "settings": dict(head.settings),
    }
    return json.dumps(said, sort_keys=True, separators=(",", ":"), ensure_ascii=False, default=str).encode() + b"\n"


def _about(path: Path, line: bytes) -> About:
    try:
        said: dict[str, Any] = json.loads(line)
        head = Head(
            device=str(said["device"]),
            driver=str(said["driver"]),
            settings=dict(said["settings"]),
            keys=dict(said["keys"]),
            language=str(said["language"]),
        )
        return About(
            head=head,
            began=str(said["began"]),
            series=str(said["series"]),
            number=int(said["file"]),
            key=str(said["key"]),
            is_demo=bool(said["demo"]),
        )
    except (ValueError, KeyError, TypeError) as wrong:
        raise BadTrace(f"{path}: its second line does not say whose trace it is ({type(wrong).__name__})") from None


def _bound(lines: bytes) -> str:
    return f"trace {hashlib.sha256(lines).hexdigest()}"


def file_name(stem: str, wall_us: int) -> str:
    """The name of a file that begins now: in order of time."""
    moment = time_text(wall_us).replace("-", "").replace(":", "")
    return f"{stem}.{moment}{SUFFIX}"

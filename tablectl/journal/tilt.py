"""Tilt: the table cannot be trusted, so nothing is dealt. Why, in which words, and what is left behind to say so.

A tilt ends the controller (exit status 3) and leaves a mark: a small file beside the journal and one beside the control
socket. While there is a mark, and while the journal's last word is a tilt, no controller of this table deals: an error
state outlives the power cut (AGCO 6.1.8, 11.1.3). A person clears it by name and with a reason (`tablectl clear`).
"""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import suppress
from enum import StrEnum
from pathlib import Path

import msgspec

from tablectl.core.records import record
from tablectl.journal.readers import Readers
from tablectl.journal.whole_file import write_whole


class TiltKind(StrEnum):
    """Each has one way out, in `docs/tilts.md` and on the screens."""

    DISK_FULL = "disk-full"
    READ_ONLY = "read-only"
    DAMAGED = "journal-damaged"
    CHAIN = "chain-broken"
    REPLAY = "replay-differs"
    #: of version 0.1.0 alone: a later one goes on in the time of its newest record
    CLOCK = "clock-jumped"
    TWO_CONTROLLERS = "two-controllers"
    KEY = "key-missing-or-wrong"
    COPY = "copy-differs"
    SOFTWARE = "software-changed"
    REGISTER = "deck-register"
    PROGRAM = "program-broke"


class Tilt(Exception):
    """The table cannot be trusted: no dealing. The text says what happened and what to do; never a card."""

    def __init__(self, kind: TiltKind, text: str) -> None:
        super().__init__(text)
        self.kind = kind


@record
class Mark:
    """What a tilt leaves behind, as JSON in a file. `at` is RFC 3339 UTC."""

    kind: TiltKind
    reason: str
    at: str


def leave(mark: Mark, places: Iterable[Path], readers: Readers = Readers.OWNER) -> list[Path]:
    """Write the mark wherever it can be written (the disk may be the very thing that is wrong); where it was.

    A group of readers can read it whatever the umask is: no controller answers them any more.
    """
    text = msgspec.json.encode(mark) + b"\n"
    return [place for place in places if _written(place, text, readers)]


def find(places: Iterable[Path]) -> Mark | None:
    """The mark that was left, or None. One that cannot be read is a mark all the same."""
    for place in places:
        try:
            return msgspec.json.decode(place.read_bytes(), type=Mark)
        except FileNotFoundError:
            continue
        except OSError as wrong:
            return _unreadable(place, f" ({wrong.strerror})")
        except (RecursionError, ValueError):
            return _unreadable(place)
    return None


def remove(places: Iterable[Path]) -> None:
    """A person cleared it. Raises `OSError`."""
    for place in places:
        place.unlink(missing_ok=True)


def _unreadable(place: Path, why: str = "") -> Mark:
    return Mark(kind=TiltKind.PROGRAM, reason=f"{place}: the mark of a tilt that cannot be read{why}", at="")


def _written(place: Path, text: bytes, readers: Readers) -> bool:
    def give(unfinished: Path) -> None:
        if readers is Readers.GROUP:
            with suppress(PermissionError):  # a mark that not everybody can read stops the table all the same
                readers.give(unfinished, readers.file_mode)

    try:
        write_whole(place, text, mode=0o640, prepare=give)
    except OSError:
        return False
    return True

r"""A trace as text that a person can write, read and send: see `docs/traces.md`.

    # what it shows, and where its bytes come from
    driver angel-eye
    setting may_lock = true
    0.000 opened /dev/ttyUSB0
    0.100 in 05 33 44 81 B8 03 34 44
    = card-out card=8s
    0.350 told {"lit":[],"signal":"play","card_due":false,"refused":null}
    0.350 out 02 4F 50 4C 4B 30 32 03 31 42

Seconds since the beginning, what happened, and what goes with it. A line with `=` is a fact that follows from what
stands before it.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final

from tablectl.core.timestamps import time_text, time_us
from tablectl.core.toml_text import toml
from tablectl.i18n.languages import DEFAULT
from tablectl.ops.trace.entry import BYTES, Entry, Head, Kind

#: When nothing else is said, a trace begins here: 2026-01-01 00:00 UTC, in microseconds.
EPOCH_US: Final = 1_767_225_600_000_000
_MOMENT: Final = re.compile(r"\d+(?:\.\d{1,6})?")
_KINDS: Final = {kind.value: kind for kind in Kind}
_HEAD_WORDS: Final = ("driver", "device", "language", "began", "setting", "key")
#: What needs no words after it.
_ALONE: Final = frozenset({Kind.CLOSED, Kind.WAIT})


class BadTraceText(ValueError):
    """A text that is no trace: the line, what was found there, and what would be right."""

    def __init__(self, number: int, found: str, right: str) -> None:
        super().__init__(f"line {number}: found {found}; would be right: {right}")


@dataclass(frozen=True, kw_only=True, slots=True)
class Expected:
    """A fact that must follow: after so many entries, as this line, which stands there."""

    after: int
    line: str
    number: int


@dataclass(frozen=True, kw_only=True, slots=True)
class TraceText:
    """A text that was read. `facts` is None where it says nothing of facts."""

    title: str
    head: Head
    entries: tuple[Entry, ...]
    facts: tuple[Expected, ...] | None


def parse(text: str) -> TraceText:
    """Read a text. Raises `BadTraceText` for the first line that is wrong."""
    return _Reading().read(text)


class _Reading:
    def __init__(self) -> None:
        self._title = ""
        self._head: dict[str, str] = {}
        self._settings: dict[str, Any] = {}
        self._keys: dict[str, int] = {}
        self._began_us = EPOCH_US
        self._entries: list[Entry] = []
        self._facts: list[Expected] = []

    def read(self, text: str) -> TraceText:
        for number, raw in enumerate(text.splitlines(), start=1):
            self._line(number, raw.strip())
        if "driver" not in self._head:
            raise BadTraceText(1, "no driver", "a line `driver ID`")
        head = Head(
            device=self._head.get("device", self._head["driver"]),
            driver=self._head["driver"],
            settings=self._settings,
            keys=self._keys,
            language=self._head.get("language", DEFAULT),
        )
        facts = tuple(self._facts) if self._facts else None
        return TraceText(title=self._title, head=head, entries=tuple(self._entries), facts=facts)

    def _line(self, number: int, line: str) -> None:
        word, _, rest = line.partition(" ")
        rest = rest.strip()
        if not line:
            return
        if line.startswith("#"):
            self._title = self._title or line.removeprefix("#").strip()
        elif word == "=":
            self._facts.append(Expected(after=len(self._entries), line=rest, number=number))
        elif word in _HEAD_WORDS:
            self._head_line(number, word, rest)
        elif _MOMENT.fullmatch(word):
            self._entries.append(self._entry(number, word, rest))
        else:
            right = f"seconds and what happened, `= FACT`, a note with #, or one of {', '.join(_HEAD_WORDS)}"
            raise BadTraceText(number, repr(word), right)

    def _head_line(self, number: int, word: str, rest: str) -> None:
        if self._entries:
            raise BadTraceText(number, f"{word} after what happened", "at the beginning")
        if word not in ("setting", "key", "began"):
            self._head[word] = rest
            return
        try:
            if word == "began":
                self._began_us = time_us(rest)
                return
            [(name, value)] = toml(rest).items()
            if word == "key":
                self._keys[name] = int(value)
            else:
                self._settings[name] = value
        except (ValueError, TypeError):
            right = "a time as 2026-01-31T12:00:00.000000Z" if word == "began" else f"`{word} NAME = VALUE`, as in TOML"
            raise BadTraceText(number, repr(rest), right) from None

    def _entry(self, number: int, moment: str, rest: str) -> Entry:
        name, _, words = rest.partition(" ")
        kind = _KINDS.get(name)
        if kind is None:
            raise BadTraceText(number, repr(name), f"one of {', '.join(_KINDS)}")
        at_us = _micros(moment)
        if self._entries and at_us < self._entries[-1].mono_us:
            raise BadTraceText(number, moment, "a moment that is not before the line above")
        return Entry(kind=kind, mono_us=at_us, wall_us=self._began_us + at_us, data=_data(number, kind, words.strip()))


def _micros(moment: str) -> int:
    whole, _, part = moment.partition(".")
    return int(whole) * 1_000_000 + int(part.ljust(6, "0") or 0)


def _data(number: int, kind: Kind, words: str) -> bytes:
    if kind in BYTES:
        try:
            return bytes.fromhex(words)
        except ValueError:
            raise BadTraceText(number, repr(words), "bytes in hexadecimal") from None
    if kind in _ALONE and words:
        raise BadTraceText(number, repr(words), f"nothing after {kind.value}")
    if kind is Kind.MISSING and not words.isdecimal():
        raise BadTraceText(number, repr(words), "how many entries are missing")
    return words.encode()


def written(head: Head, entries: Iterable[tuple[Entry, Iterable[str]]], *, title: str) -> Iterator[str]:
    """A trace as lines of text, each entry with the facts after it. Everything is readable in it."""
    yield f"# {title}"
    yield f"driver {head.driver}"
    yield f"device {head.device}"
    yield f"language {head.language}"
    yield from (f"setting {name} = {_toml(value)}" for name, value in head.settings.items())
    yield from (f"key {name} = {number}" for name, number in head.keys.items())
    began_us: int | None = None
    began_mono_us = 0
    for entry, facts in entries:
        if began_us is None:
            began_us, began_mono_us = entry.wall_us, entry.mono_us
            yield f"began {time_text(entry.wall_us)}"
        seconds, micros = divmod(max(0, entry.mono_us - began_mono_us), 1_000_000)
        yield f"{seconds}.{micros:06d} {words_of(entry)}".rstrip()
        yield from (f"= {fact}" for fact in facts)


def words_of(entry: Entry) -> str:
    """What happened, and what goes with it, in full."""
    rest = entry.data.hex(" ").upper() if entry.kind in BYTES else entry.data.decode("utf-8", "replace")
    return f"{entry.kind.value} {' '.join(rest.split())}".rstrip()


def _toml(value: object) -> str:
    if isinstance(value, Mapping):
        return "{ " + ", ".join(f"{json.dumps(str(key))} = {_toml(item)}" for key, item in value.items()) + " }"
    if isinstance(value, list | tuple):
        return "[" + ", ".join(map(_toml, value)) + "]"
    return json.dumps(value, ensure_ascii=False, default=str)

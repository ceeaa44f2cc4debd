"""Takes whatever is said through `logging` in one process, and writes a line each to standard error.

It never raises and never waits for a second try: a log that cannot be written is no reason to stop dealing. Lines that
were lost are counted and told with the next one that goes out.
"""

from __future__ import annotations

import importlib
import logging
import time
from collections.abc import Callable
from contextlib import suppress
from typing import Final, Protocol, TextIO, TypeAlias

from tablectl.ops.log import LOGGER, Said
from tablectl.ops.logs.choice import Choice
from tablectl.ops.logs.repeats import Held, Repeats

#: Which thing an event is about: the fields that tell apart what repeats from what is new.
ABOUT: Final = (
    *("change", "clause", "device", "hand", "id", "identity", "kind", "mistake", "name", "number", "seq"),
    *("setting", "target", "text", "thread", "what", "where"),
)
#: Ours are said from the level that was asked for. What libraries say below a warning is not: nobody looked at what
#: stands in it.
LIBRARIES: Final = logging.WARNING
#: What this says itself: that many of one event were held back, and that so many lines could not be written.
REPEATED: Final = "repeated"
LOST: Final = "lines lost"
#: So much of a text tells it from another one, in characters.
KEY_MOST: Final = 100

Key: TypeAlias = tuple[int, str, str, tuple[tuple[str, str], ...]]


class _Lines(Protocol):
    def line(self, record: logging.LogRecord) -> str: ...


class LogHandler(logging.Handler):
    """Belongs to the root logger of a process (`tablectl.ops.logs.begin`)."""

    def __init__(
        self,
        stream: TextIO,
        choice: Choice,
        *,
        process: str,
        table: str | None,
        now_s: Callable[[], float] = time.monotonic,
    ) -> None:
        super().__init__()
        self._stream = stream
        self._choice = choice
        self._process, self._table = process, table
        self._repeats: Repeats[Key] = Repeats(now_s)
        self._lines: _Lines | None = None
        self._n_lost = 0

    def emit(self, record: logging.LogRecord) -> None:
        """`logging` holds this handler's lock meanwhile."""
        if record.levelno < (self._choice.level.number if _is_ours(record) else LIBRARIES):
            return
        self._tell(self._repeats.due())
        if record.levelno <= logging.DEBUG or self._repeats.is_to_say(_key(record)):
            self._write(record)

    def close(self) -> None:
        """Tell what was held back until now. `logging` calls it at the end of the process."""
        self.acquire()
        try:
            self._tell(self._repeats.rest())
        finally:
            self.release()
        super().close()

    def _tell(self, held: list[Held[Key]]) -> None:
        for repeated in held:
            level, library, event, about = repeated.key
            named = {"library": library} if library else {}
            self._write(_record(level, REPEATED, {"of": event, "times": repeated.times, **named, **dict(about)}))

    def _write(self, record: logging.LogRecord) -> None:
        n_lost, self._n_lost = self._n_lost, self._n_lost + 1
        with suppress(Exception):
            lines = self._made()
            before = f"{lines.line(_record(logging.WARNING, LOST, {'times': n_lost}))}\n" if n_lost else ""
            self._stream.write(f"{before}{lines.line(record)}\n")
            self._stream.flush()
            self._n_lost = 0

    def _made(self) -> _Lines:
        if self._lines is None:
            made = importlib.import_module("tablectl.ops.logs.line")
            self._lines = made.LineMaker(self._choice, process=self._process, table=self._table)
        return self._lines


def _is_ours(record: logging.LogRecord) -> bool:
    return record.name == LOGGER


def _key(record: logging.LogRecord) -> Key:
    """What makes two records the same one again."""
    if not isinstance(record.msg, Said):
        return record.levelno, record.name, str(record.msg)[:KEY_MOST], ()
    said = record.msg.fields
    about = tuple((name, str(said[name])[:KEY_MOST]) for name in ABOUT if isinstance(said.get(name), str | int))
    return record.levelno, "", record.msg.event, about


def _record(level: int, event: str, fields: dict[str, object]) -> logging.LogRecord:
    return logging.LogRecord(LOGGER, level, "", 0, Said(event=event, fields=fields), None, None)

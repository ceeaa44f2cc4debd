"""A log in the test's own process, written to a text that can be read, with a clock of the test's."""

from __future__ import annotations

import io
import json
import logging
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from tablectl.ops.log import LateLog
from tablectl.ops.logs.begin import Process, begin
from tablectl.ops.logs.handler import LogHandler


class ReadLog:
    """What was said, as it was written."""

    def __init__(self) -> None:
        self.stream = io.StringIO()
        self.now_s = 0.0
        self.log = LateLog()

    @property
    def text(self) -> str:
        return self.stream.getvalue()

    @property
    def lines(self) -> list[str]:
        *lines, rest = self.text.split("\n")
        assert rest == "", "the last line has an end too"
        return lines

    @property
    def events(self) -> list[dict[str, Any]]:
        """The lines, read as JSON."""
        return [json.loads(line) for line in self.lines]

    def hand_over(self, name: str, msg: object, *args: object) -> None:
        """As a logger of this name does, and past pytest's own handlers, which are stricter about texts."""
        (handler,) = (installed for installed in logging.getLogger().handlers if isinstance(installed, LogHandler))
        handler.handle(logging.LogRecord(name, logging.WARNING, "", 0, msg, args, None))


@contextmanager
def reading(environment: Mapping[str, str] | None = None, *, table: str | None = "mesa 1") -> Iterator[ReadLog]:
    """The log of a controller."""
    read = ReadLog()
    with begin(
        Process.CONTROLLER,
        table=table,
        stream=read.stream,
        environment=environment or {},
        now_s=lambda: read.now_s,
    ):
        yield read

"""The log of a process that runs for long, from its beginning to its end.

Everything that would end up on standard error in a form of its own goes the same way: what libraries say, warnings of
Python's, and errors that nobody took, in whichever thread.
"""

from __future__ import annotations

import logging
import os
import sys
import threading
import warnings
from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack
from enum import StrEnum
from types import TracebackType
from typing import Final, TextIO

from tablectl.ops.log import LOGGER, LateLog
from tablectl.ops.logs.choice import choice, goes_to_journal
from tablectl.ops.logs.handler import LIBRARIES, LogHandler

_LOG: Final = LateLog()


class Process(StrEnum):
    """Who says it; a field of every line."""

    CONTROLLER = "controller"
    INTEGRITY_CHECK = "integrity-check"
    ACCOUNTS = "accounts"
    SCREENS = "screens"
    NOTIFICATIONS = "notifications"
    UPLINK = "uplink"
    PIT = "pit"
    TRAINING = "training"


def begin(
    process: Process,
    *,
    table: str | None,
    stream: TextIO | None = None,
    environment: Mapping[str, str] = os.environ,
    now_s: Callable[[], float] | None = None,
) -> ExitStack:
    """From now on this process has a log, on `stream` (standard error), and no other one.

    What is given back puts everything back as it was. Close it where all went well: an error that nobody takes has to
    find the log still there, and Python ends that at the process's end.
    """
    out = sys.stderr if stream is None else stream
    chosen = choice(environment, out)
    clock = {} if now_s is None else {"now_s": now_s}
    handler = LogHandler(out, chosen, process=process.value, table=table, **clock)
    root, ours = logging.getLogger(), logging.getLogger(LOGGER)
    end = ExitStack()
    for logger, level in ((root, max(LIBRARIES, chosen.level.number)), (ours, chosen.level.number)):
        end.callback(logger.setLevel, logger.level)
        logger.setLevel(level)
    for other in [earlier for earlier in root.handlers if isinstance(earlier, LogHandler)]:
        root.removeHandler(other)
        end.callback(root.addHandler, other)
    root.addHandler(handler)
    end.callback(handler.close)
    end.callback(root.removeHandler, handler)
    _take_what_nobody_takes(end)
    for not_understood in chosen.not_understood:
        _LOG.warning(
            "log setting not understood",
            setting=not_understood.name,
            found=not_understood.value,
            taken=not_understood.taken,
        )
    return end


def mistakes_told(process: Process, mistakes: Sequence[object], stream: TextIO) -> bool:
    """Why nothing starts: an event for each mistake, where journald reads `stream`. Elsewhere False: somebody sits
    there, and reads text."""
    if not goes_to_journal(os.environ, stream):
        return False
    with begin(process, table=None, stream=stream):
        for mistake in mistakes:
            _LOG.error("not started", mistake=str(mistake))
    return True


def _take_what_nobody_takes(end: ExitStack) -> None:
    def broke(kind: type[BaseException], error: BaseException, trace: TracebackType | None) -> None:
        if issubclass(kind, KeyboardInterrupt):
            sys.__excepthook__(kind, error, trace)
        else:
            _LOG.error("program broke", trace=error)

    def thread_broke(found: threading.ExceptHookArgs) -> None:
        if found.exc_type is not SystemExit:
            name = found.thread.name if found.thread is not None else ""
            _LOG.error("thread broke", thread=name, trace=found.exc_value)

    def unraisable(found: sys.UnraisableHookArgs) -> None:
        _LOG.warning("error without a taker", trace=found.exc_value)

    def warned(
        message: Warning | str,
        category: type[Warning],
        filename: str,
        lineno: int,
        _file: TextIO | None = None,
        _line: str | None = None,
    ) -> None:
        _LOG.warning("python warned", kind=category.__name__, said=str(message), where=f"{filename}:{lineno}")

    for module, name, hook in (
        (sys, "excepthook", broke),
        (sys, "unraisablehook", unraisable),
        (threading, "excepthook", thread_broke),
        (warnings, "showwarning", warned),
    ):
        end.callback(setattr, module, name, getattr(module, name))
        setattr(module, name, hook)

"""How much the log says and in which form: what the environment asks for, and where standard error goes."""

from __future__ import annotations

import logging
import os
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Final, TextIO, TypeVar

LEVEL_NAME: Final = "TABLECTL_LOG"
FORMAT_NAME: Final = "TABLECTL_LOG_FORMAT"
#: systemd names here the stream that goes to its journal, as device and inode: systemd.exec(5), `$JOURNAL_STREAM`.
STREAM_NAME: Final = "JOURNAL_STREAM"


class Level(StrEnum):
    """From which one on events are said. What each means: docs/logs.md."""

    DEBUG = "debug"
    INFO = "info"
    WARNING = "warning"
    ERROR = "error"

    @property
    def number(self) -> int:
        """As `logging` counts."""
        return _NUMBERS[self]

    @property
    def priority(self) -> int:
        """As journald counts: sd-daemon(3), SD_ERR and so on."""
        return _PRIORITIES[self]


_NUMBERS: Final = {
    Level.DEBUG: logging.DEBUG,
    Level.INFO: logging.INFO,
    Level.WARNING: logging.WARNING,
    Level.ERROR: logging.ERROR,
}
_PRIORITIES: Final = {Level.DEBUG: 7, Level.INFO: 6, Level.WARNING: 4, Level.ERROR: 3}


class Format(StrEnum):
    """The form of a line."""

    JSON = "json"
    TEXT = "text"
    #: text on a terminal, JSON elsewhere
    AUTO = "auto"


@dataclass(frozen=True, kw_only=True, slots=True)
class NotUnderstood:
    """A variable of the environment with a value that is none of its own, and what is taken instead."""

    name: str
    value: str
    taken: str


@dataclass(frozen=True, kw_only=True, slots=True)
class Choice:
    """What the log does."""

    level: Level = Level.INFO
    is_text: bool = False
    has_colours: bool = False
    #: every line begins with journald's priority
    has_priority: bool = False
    not_understood: tuple[NotUnderstood, ...] = ()


_Word = TypeVar("_Word", Level, Format)


def choice(environment: Mapping[str, str], stream: TextIO) -> Choice:
    """What is wanted of a log that goes to `stream`. A wrong value is no reason not to start: the default is taken."""
    wrong: list[NotUnderstood] = []
    level = _word(environment, LEVEL_NAME, Level.INFO, wrong)
    form = _word(environment, FORMAT_NAME, Format.AUTO, wrong)
    is_journal, is_terminal = goes_to_journal(environment, stream), _is_terminal(stream)
    return Choice(
        level=level,
        is_text=form is Format.TEXT or (form is Format.AUTO and is_terminal and not is_journal),
        has_colours=is_terminal,
        has_priority=is_journal,
        not_understood=tuple(wrong),
    )


def goes_to_journal(environment: Mapping[str, str], stream: TextIO) -> bool:
    """Whether journald reads this stream. A process that somebody redirected still has the variable: the file itself is
    compared."""
    device, _, inode = environment.get(STREAM_NAME, "").partition(":")
    try:
        found = os.fstat(stream.fileno())
    except (OSError, ValueError):  # closed, or no file at all
        return False
    return (device, inode) == (str(found.st_dev), str(found.st_ino))


def _word(environment: Mapping[str, str], name: str, default: _Word, wrong: list[NotUnderstood]) -> _Word:
    value = environment.get(name, "").strip()
    if not value:
        return default
    try:
        return type(default)(value.lower())
    except ValueError:
        wrong.append(NotUnderstood(name=name, value=value, taken=default.value))
        return default


def _is_terminal(stream: TextIO) -> bool:
    try:
        return stream.isatty()
    except ValueError:
        return False

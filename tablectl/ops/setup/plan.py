"""Which question comes next: the table, its games, its limits, its choices, its devices, the house. Each follows from
what was answered before it and from what was found.

The questions are a generator that goes through the answers: after each question its answer is there, so that nobody
reads one that was not given.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

from tablectl.config.schema import Refused as NotSo
from tablectl.config.schema import key_of
from tablectl.config.sections import SCREENS_PORT, ScreensSection, TableSection
from tablectl.config.timezones import TIMEZONE, zone_is
from tablectl.games.registry import RULEBOOKS
from tablectl.i18n.languages import DEFAULT, LANGUAGES, name_of
from tablectl.journal.public_keys import BadKey, load_public
from tablectl.ops.setup.backing_up import FOLDER, check_folder
from tablectl.ops.setup.choice_plan import choice_questions
from tablectl.ops.setup.device_plan import device_questions
from tablectl.ops.setup.discovery import EXAMPLE, Found, OtherTable
from tablectl.ops.setup.game_plan import game_questions, limit_questions
from tablectl.ops.setup.messages import Word
from tablectl.ops.setup.money import exponent_of
from tablectl.ops.setup.places import Places
from tablectl.ops.setup.questions import (
    NONE,
    Answers,
    Choice,
    Option,
    Question,
    Refused,
    Several,
    Text,
    YesNo,
    choice_of,
    number_of,
)

LANGUAGE: Final = "language"
_FILE: Final = r"[a-z][a-z0-9-]{0,30}"
_LOWEST_PORT: Final = 1024


@dataclass(frozen=True, kw_only=True, slots=True)
class Task:
    """What is to be set up. `to`: the file that is to be written, where somebody named one; `replaces`: whether one
    that is there may be written anew. `can_start`: whether this is root on a machine that systemd runs."""

    found: Found
    places: Places
    to: Path | None = None
    replaces: bool = False
    can_start: bool = False
    has_units: bool = False

    def file(self, said: Answers) -> Path:
        """The configuration's."""
        return self.to or self.places.config(said["table.file"])

    def replaced(self, name: str) -> OtherTable | None:
        """The table of this name, which is the one to be written anew; None where none may be."""
        return next((table for table in self.found.tables if table.name == name), None) if self.replaces else None

    def found_besides(self, said: Answers) -> Found:
        """What was found, without the table whose file is written anew."""
        file = self.file(said)
        return replace(self.found, tables=tuple(table for table in self.found.tables if table.file != file))


def next_question(said: Answers, task: Task) -> Question | None:
    """The first question that has no answer yet; None where all have."""
    return next((question for question in _questions(said, task) if question.key not in said), None)


def _questions(said: Answers, task: Task) -> Iterator[Question]:
    yield Question(
        key=LANGUAGE,
        part="table",
        asks="language",
        kind=Choice(options=tuple(Option(value=language, note=name_of(language)) for language in LANGUAGES)),
        proposal=DEFAULT,
    )
    yield from _table_questions(said, task)
    yield from game_questions(said)
    yield from limit_questions(said)
    yield from choice_questions(said)
    yield from device_questions(said, task.found_besides(said))
    yield from _house_questions(said, task)


def _table_questions(said: Answers, task: Task) -> Iterator[Question]:

    def is_free(name: str) -> None:
        if not task.replaces and any(table.name == name for table in task.found.tables):
            raise Refused("name-taken", name=name)

    yield Question(
        key="table.name", part="table", asks="name", kind=Text(), proposal=_name(task), is_needed=True, check=is_free
    )
    yield _file_question(said, task)
    games = tuple(Option(value=rulebook, word=Word.of("game", rulebook)) for rulebook in RULEBOOKS)
    yield Question(
        key="table.games",
        part="table",
        asks="games",
        kind=Several(options=games),
        proposal=(next(iter(RULEBOOKS)),),
        is_needed=True,
    )
    yield Question(
        key="table.equipment",
        part="table",
        asks="equipment",
        kind=choice_of(key_of(TableSection, "equipment"), table="equipment"),
        proposal=key_of(TableSection, "equipment").default,
        is_needed=True,
    )
    yield Question(
        key="table.currency",
        part="table",
        asks="currency",
        kind=Text(pattern="[A-Z]{3}", why="currency"),
        proposal=key_of(TableSection, "currency").default,
    )
    yield Question(
        key="table.currency_exponent",
        part="table",
        asks="exponent",
        kind=number_of(key_of(TableSection, "currency_exponent")),
        proposal=exponent_of(said["table.currency"]),
        is_known=True,
    )
    yield Question(
        key="table.timezone",
        part="table",
        asks="timezone",
        kind=Text(why="timezone"),
        proposal=task.found.timezone or TIMEZONE,
        is_known=task.found.timezone is not None,
        check=_is_a_zone,
    )
    taken = {table.screens_port: table.name for table in task.found_besides(said).tables}

    def port_is_free(port: int) -> None:
        if port in taken:
            raise Refused("screens-port-taken", port=port, table=taken[port])

    free = next(port for port in range(SCREENS_PORT, 65536) if port not in taken)
    yield Question(
        key="screens.port",
        part="table",
        asks="screens-port",
        kind=number_of(key_of(ScreensSection, "port"), least=_LOWEST_PORT),
        proposal=free,
        is_known=True,
        check=port_is_free,
    )


def _name(task: Task) -> str:
    """A name that no other table has; of a machine with one table, that one's where it may be written anew."""
    if task.replaces and len(task.found.tables) == 1:
        return task.found.tables[0].name
    names = {table.name for table in task.found.tables}
    return next(name for number in range(1, len(names) + 2) if (name := f"Mesa {number}") not in names)


def _file_question(said: Answers, task: Task) -> Question:
    def is_free(name: str) -> None:
        if f"{name}.toml" == EXAMPLE:
            raise Refused("file-example")
        place = task.to or task.places.config(name)
        if place.exists() and not task.replaces:
            raise Refused("file-there", file=place)
        if any(table.name == said["table.name"] and table.file != place for table in task.found.tables):
            raise Refused("name-taken", name=said["table.name"])

    bare = unicodedata.normalize("NFKD", said["table.name"]).encode("ascii", "ignore").decode().casefold()
    slug = re.sub(r"[^a-z0-9]+", "-", bare).strip("-")
    replaced = task.replaced(said["table.name"])
    named = task.to.stem if task.to is not None else replaced.file.stem if replaced is not None else slug
    is_fit = re.fullmatch(_FILE, named) is not None
    return Question(
        key="table.file",
        part="table",
        asks="file",
        kind=Text(pattern=_FILE, why="file"),
        proposal=named if is_fit else None,
        is_known=is_fit and task.to is not None,
        check=is_free,
    )


def _is_a_zone(name: str) -> None:
    try:
        zone_is(name)
    except NotSo:
        raise Refused("timezone") from None


# --- the house --------------------------------------------------------------------------------------------------------


def _house_questions(said: Answers, task: Task) -> Iterator[Question]:
    yield Question(key="house.auditor", part="house", asks="auditor", kind=_PublicKey(), proposal=NONE)
    yield Question(key="house.approver", part="house", asks="approver", kind=_PublicKey(why="approver"), proposal=NONE)
    yield Question(
        key="house.backups",
        part="house",
        asks="backups",
        kind=Text(pattern=FOLDER, why="folder"),
        proposal=str(task.places.backups),
        check=check_folder if task.places.is_installed else _any,
    )
    yield Question(key="house.notifications", part="house", asks="notifications", kind=YesNo(), proposal=False)
    yield Question(
        key="house.start",
        part="house",
        asks="start",
        kind=YesNo(),
        proposal=task.can_start,
        is_known=not task.can_start,
        values={"unit": f"tablectl@{said['table.file']}.target"},
    )


def _any(_folder: str) -> None:
    """No unit makes the backups of a table that is only tried."""


@dataclass(frozen=True, kw_only=True)
class _PublicKey(Text):
    """The file with somebody's public key, or none. `why`: whose."""

    pattern: str = r"[^\x00-\x1f\x7f\"\\]{1,200}"
    why: str = "auditor"

    def read(self, raw: object) -> str:
        """See `Kind`."""
        name = super().read(raw)
        if name == NONE:
            return name
        if not name.startswith("/"):
            raise Refused(self.why)
        try:
            load_public(Path(name))
        except BadKey as wrong:
            raise Refused("key-unusable", reason=wrong) from None
        return name

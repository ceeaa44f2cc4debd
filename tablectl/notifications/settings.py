"""Who is told what: the tables `[[notify]]` and `[notifications]` of a configuration.

Addresses are secrets: whoever has one can write in the table's name. They are never printed, and may stand elsewhere:
`env:NAME` in the environment of the service, `credential:NAME` among those that systemd gives to it.
"""

from __future__ import annotations

import os
import re
import stat
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path
from typing import Any, Final

from tablectl.config.toml_reader import CREDENTIAL, CREDENTIALS_FOLDER, NO_CREDENTIALS, TomlReader, guess
from tablectl.config.validation import Mistake
from tablectl.core.engine.words import Severity
from tablectl.i18n.spoken.words import LANGUAGES

#: An address that stands in the environment of the service.
ENVIRONMENT: Final = "env:"
DEFAULT_PATH: Final = "notifications.db"
#: How long nobody may answer at the controller's socket before that is told, in seconds.
GONE_S: Final = 30
GONE_MOST_S: Final = 86_400
#: How long a target may take to say that it has a message, in seconds. No service promises a figure; Apprise itself
#: waits four seconds, which a mail server that looks for spam first does not keep.
TIMEOUT_S: Final = 15
TIMEOUT_MOST_S: Final = 300
#: The longest that an escalation can wait, in seconds: a day.
AFTER_MOST_S: Final = 86_400
_KEYS: Final = ("name", "url", "what", "severities", "languages", "after_s", "timeout_s", "group")
_NAME: Final = re.compile(r"[a-z0-9][a-z0-9-]{0,31}")
_SCHEME: Final = re.compile(r"[a-z][a-z0-9.+-]*://.+", re.ASCII | re.DOTALL)
_OTHERS_READ: Final = stat.S_IROTH
#: Stands where a name was wrong, and has been told.
_WRONG: Final = "?"


class What(StrEnum):
    """What can be told."""

    #: a departure from the rulebook, and that it goes to the pit boss
    INCIDENT = "incident"
    #: the table cannot be trusted, nothing is dealt
    TILT = "tilt"
    #: a device does not answer
    DEVICE = "device"
    #: the controller does not answer, and did not end in order
    CONTROLLER = "controller"
    #: a deck was withdrawn
    DECK = "deck"
    #: a disk fills, or is almost full
    DISK = "disk"


class NoAddress(Exception):
    """An address that stands elsewhere, and is not there. The text names the place, never an address."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Target:
    """One phone, chat, mailbox or program. `url` as it stands in the file."""

    name: str
    url: str = field(repr=False)
    what: frozenset[What] = frozenset(What)
    #: of incidents alone
    severities: frozenset[Severity] = frozenset(Severity)
    languages: tuple[str, ...] = LANGUAGES
    #: told only if nobody has acknowledged it so many seconds later, and it has not ended by itself; 0: at once
    after_s: int = 0
    timeout_s: int = TIMEOUT_S
    #: a name for several targets that are tested and shown together
    group: str = ""

    @property
    def is_literal(self) -> bool:
        """Whether the address itself stands in the file."""
        return not self.url.startswith((ENVIRONMENT, CREDENTIAL))

    @property
    def kind(self) -> str:
        """What may be shown of the address: where it stands, or which service it is of."""
        return f"{self.url.partition('://')[0]}://…" if self.is_literal else self.url

    def address(self, environ: Mapping[str, str] = os.environ) -> str:
        """The address itself. Raises `NoAddress`."""
        if self.url.startswith(ENVIRONMENT):
            name = self.url.removeprefix(ENVIRONMENT)
            if not (found := environ.get(name, "").strip()):
                raise NoAddress(f"{self.name}: the environment has no {name}")
            return found
        if self.url.startswith(CREDENTIAL):
            place = Path(environ.get(CREDENTIALS_FOLDER, NO_CREDENTIALS)) / self.url.removeprefix(CREDENTIAL)
            try:
                return place.read_text(encoding="utf-8").strip()
            except (OSError, UnicodeDecodeError) as wrong:
                reason = wrong.strerror if isinstance(wrong, OSError) else "it is not UTF-8 text"
                raise NoAddress(f"{self.name}: {place}: {reason}") from None
        return self.url


@dataclass(frozen=True, kw_only=True, slots=True)
class NotificationSettings:
    """`path`: the file in which messages wait."""

    path: Path
    targets: tuple[Target, ...]
    gone_s: int = GONE_S


class NotifyReader(TomlReader):
    """Reads them; adds notices of what is no mistake and should be known."""

    def __init__(self, path: Path, mistakes: list[Mistake], notices: list[str]) -> None:
        super().__init__(path, mistakes)
        self._notices = notices

    def settings(self, raw: dict[str, Any], languages: tuple[str, ...]) -> NotificationSettings | None:
        """What a file says; None where nobody is to be told anything. `languages`: the table's."""
        section = self._section(raw, "notifications", ("path", "controller_gone_s"))
        path = self._place(section, "notifications.path", DEFAULT_PATH)
        gone_s = self._whole(section, "notifications.controller_gone_s", 1, GONE_MOST_S, GONE_S)
        found = raw.get("notify", [])
        if not isinstance(found, list) or not all(isinstance(each, dict) for each in found):
            self._wrong("notify", "something else", "tables [[notify]], one a target")
            return None
        targets = tuple(self._target(each, f"notify[{index}]", languages) for index, each in enumerate(found, start=1))
        names = [target.name for target in targets if target.name != _WRONG]
        for name in sorted({name for name in names if names.count(name) > 1}):
            self._wrong("notify.name", f"{name!r} twice", "a name of its own for each target")
        for name in sorted({target.group for target in targets} & set(names)):
            self._wrong("notify.group", f"{name!r}, which is a target's name", "a name that no target has")
        if not targets:
            return None
        self._look_who_reads(targets)
        return NotificationSettings(path=path, targets=targets, gone_s=gone_s)

    def _target(self, raw: dict[str, Any], key: str, languages: tuple[str, ...]) -> Target:
        self._known(raw, f"{key}.", _KEYS)
        return Target(
            name=self._word(raw, f"{key}.name", None),
            url=self._url(raw, f"{key}.url"),
            what=frozenset(map(What, self._words(raw, f"{key}.what", tuple(What), tuple(What)))),
            severities=frozenset(
                map(Severity, self._words(raw, f"{key}.severities", tuple(Severity), tuple(Severity)))
            ),
            languages=self._words(raw, f"{key}.languages", LANGUAGES, languages),
            after_s=self._whole(raw, f"{key}.after_s", 0, AFTER_MOST_S, 0),
            timeout_s=self._whole(raw, f"{key}.timeout_s", 1, TIMEOUT_MOST_S, TIMEOUT_S),
            group=self._word(raw, f"{key}.group", ""),
        )

    def _word(self, raw: dict[str, Any], key: str, default: str | None) -> str:
        found = raw.get(key.rpartition(".")[2], default)
        if isinstance(found, str) and (found == default or _NAME.fullmatch(found)):
            return found
        said = "nothing" if found is None else _repeated(found)
        self._wrong(key, said, "a word of small letters, digits and hyphens, 32 at most")
        return _WRONG

    def _words(
        self, raw: dict[str, Any], key: str, allowed: tuple[str, ...], default: tuple[str, ...]
    ) -> tuple[str, ...]:
        found = raw.get(key.rpartition(".")[2], list(default))
        if isinstance(found, list) and found and all(each in allowed and found.count(each) == 1 for each in found):
            return tuple(found)
        odd = next((each for each in found if each not in allowed), "") if isinstance(found, list) else ""
        self._wrong(key, _repeated(found), f"a list, each once; {guess(str(odd), tuple(map(str, allowed)))}")
        return default

    def _url(self, raw: dict[str, Any], key: str) -> str:
        """What was found is not repeated: it may be a secret with one letter too many."""
        found = raw.get("url")
        right = "an address as Apprise writes it (json://…, ntfy://…, mailto://…), env:NAME or credential:NAME"
        if found is None:
            self._wrong(key, "nothing", right)
        elif not isinstance(found, str):
            self._wrong(key, "something that is no text", right)
        elif found.startswith((ENVIRONMENT, CREDENTIAL)):
            name = found.partition(":")[2]
            if name and "/" not in name and name.isprintable() and " " not in name:
                return found
            self._wrong(key, repr(found), "env:NAME or credential:NAME")
        elif _SCHEME.fullmatch(found) and found.isprintable():
            return found
        else:
            self._wrong(key, "a text that is no address (not repeated here)", right)
        return "json://nowhere"

    def _look_who_reads(self, targets: tuple[Target, ...]) -> None:
        literal = [target.name for target in targets if target.is_literal]
        try:
            is_open = bool(self._path.stat().st_mode & _OTHERS_READ)
        except OSError:
            return
        if literal and is_open:
            self._notices.append(
                f"notify.url of {', '.join(literal)}: everybody on this machine can read this file, and an address is"
                " a secret; write env:NAME or credential:NAME, or take the right to read it from others"
            )


def _repeated(found: object) -> str:
    """What was found, unless it looks like an address that slipped into another line."""
    text = repr(found)
    return "an address (not repeated here)" if "://" in text else text

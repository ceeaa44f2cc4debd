"""Who is told what: the tables `[[notify]]` and `[notifications]` of a configuration.

Addresses are secrets: whoever has one can write in the table's name. They are never printed, and may stand elsewhere:
`env:NAME` in the environment of the service, `credential:NAME` among those that systemd gives to it.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import time
from pathlib import Path
from typing import Any

from tablectl.config.reader import CREDENTIALS_FOLDER, NO_CREDENTIALS, Reader
from tablectl.config.schema import CREDENTIAL, complete
from tablectl.config.sections import (
    ENVIRONMENT,
    GONE_S,
    TIMEOUT_S,
    TOLD,
    NotificationsSection,
    NotifySection,
    What,
    WitnessSection,
)
from tablectl.config.witness import TimestampSettings, TpmSettings, WitnessSettings, state_of
from tablectl.core.engine.vocabulary import Severity
from tablectl.core.validation import sentence
from tablectl.i18n.languages import LANGUAGES


class NoAddress(Exception):
    """An address that stands elsewhere, and is not there. The text names the place, never an address."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Target:
    """One phone, chat, mailbox or program. `url` as it stands in the file."""

    name: str
    url: str = field(repr=False)
    what: frozenset[What] = frozenset(TOLD)
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
class Clock:
    """When the shifts of the house begin, and by the clock of which zone."""

    begins: tuple[time, ...]
    timezone: str


@dataclass(frozen=True, kw_only=True, slots=True)
class NotificationSettings:
    """`path`: the file in which messages wait."""

    path: Path
    targets: tuple[Target, ...]
    gone_s: int = GONE_S
    #: where people reach the table's pages; empty: messages link to none
    public_url: str = ""
    #: where heads are kept besides this machine; None where nowhere
    witness: WitnessSettings | None = None


def read_notifications(
    reader: Reader, raw: dict[str, Any], languages: tuple[str, ...], public_url: str, house: Clock
) -> NotificationSettings | None:
    """What a file says; None where nobody is to be told anything. `languages`: those that the table shows;
    `public_url`: where people reach its pages; `house`: when its shifts begin."""
    witness = reader.whole(WitnessSection, raw, "witness")
    _together(reader, witness)
    section = reader.whole(NotificationsSection, raw, "notifications")
    found = raw.get("notify", [])
    if not isinstance(found, list) or not all(isinstance(table, dict) for table in found):
        reader.wrong("notify", sentence("something else"), sentence("tables [[notify]], one a target"))
        return None
    said = [reader.values(NotifySection, table, f"notify[{number}].") for number, table in enumerate(found, start=1)]
    names = [entry["name"] for entry in said if "name" in entry]
    for name in sorted({name for name in names if names.count(name) > 1}):
        reader.wrong(
            "notify.name", sentence("{name!r} twice", name=name), sentence("a name of its own for each target")
        )
    for name in sorted({entry.get("group", "") for entry in said} & set(names)):
        reader.wrong(
            "notify.group",
            sentence("{name!r}, which is a target's name", name=name),
            sentence("a name that no target has"),
        )
    is_kept = (witness.file, witness.timestamp_url, witness.tpm) != (None, None, None)
    if not found and not is_kept:
        return None
    complete_ones = (complete(NotifySection, entry) for entry in said)
    targets = tuple(_target(one, languages) for one in complete_ones if one is not None)
    _look_who_reads(reader, targets)
    if found and not public_url:
        reader.notice("no-public-url")
    is_witnessed = is_kept or any(What.HEAD in target.what for target in targets)
    return NotificationSettings(
        path=section.path,
        targets=targets,
        gone_s=section.controller_gone_s,
        public_url=public_url,
        witness=_witness(witness, section.path, house) if is_witnessed else None,
    )


def _witness(said: WitnessSection, outbox: Path, house: Clock) -> WitnessSettings:
    return WitnessSettings(
        state=state_of(outbox),
        every_s=60 * said.every_minutes,
        file=said.file,
        timestamps=_timestamps(said, outbox),
        tpm=_tpm(said, outbox),
        begins=house.begins,
        timezone=house.timezone,
    )


def _timestamps(said: WitnessSection, outbox: Path) -> TimestampSettings | None:
    if said.timestamp_url is None or said.timestamp_authority is None:
        return None
    path = outbox.with_name(f"{outbox.name}.timestamps") if said.timestamps is None else said.timestamps
    return TimestampSettings(url=said.timestamp_url, authority=said.timestamp_authority, path=path)


def _tpm(said: WitnessSection, outbox: Path) -> TpmSettings | None:
    if said.tpm is None:
        return None
    return TpmSettings(tcti=said.tpm, index=said.tpm_index, path=outbox.with_name(f"{outbox.name}.tpm"))


def _together(reader: Reader, said: WitnessSection) -> None:
    """A service is believed by the certificates of its authority alone."""
    if (said.timestamp_url is None) != (said.timestamp_authority is None):
        missing = "timestamp_url" if said.timestamp_url is None else "timestamp_authority"
        right = sentence("both: the service, and the certificates of its authority (PEM)")
        reader.wrong(f"witness.{missing}", sentence("nothing"), right)


def _target(said: NotifySection, languages: tuple[str, ...]) -> Target:
    return Target(
        name=said.name,
        url=said.url,
        what=frozenset(said.what),
        severities=frozenset(said.severities),
        languages=languages if said.languages is None else said.languages,
        after_s=said.after_s,
        timeout_s=said.timeout_s,
        group=said.group,
    )


def _look_who_reads(reader: Reader, targets: tuple[Target, ...]) -> None:
    literal = [target.name for target in targets if target.is_literal]
    try:
        is_open = bool(reader.path.stat().st_mode & stat.S_IROTH)
    except OSError:
        return
    if literal and is_open:
        reader.notice("readable-address", targets=", ".join(literal))

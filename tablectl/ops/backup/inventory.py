"""What belongs to a table, by its configuration: where each thing lies, how it is copied, whether it is a secret.

Left out on purpose: the second copy (the journal makes it anew, and it must not lie where the journal lies), traces
(they are there to find one fault), marks of tilts, locks and logs of SQLite.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import Final

from tablectl.config.reader import NO_CREDENTIALS
from tablectl.config.sections import UplinkSection
from tablectl.config.table_file import Config

#: Where systemd puts the credentials of any service (systemd.exec(5)).
_CREDENTIALS: Final = Path("/run/credentials")


class What(StrEnum):
    """One thing that a table has."""

    JOURNAL = "journal"
    REGISTER = "deck-register"
    ACCOUNTS = "accounts"
    OUTBOX = "notifications"
    STATISTICS = "statistics"
    SEALING_KEY = "sealing-key"
    SIGNING_KEY = "signing-key"
    PUBLIC_KEY = "public-key"
    SCREENS_KEY = "screens-key"
    SCREENS_CERTIFICATE = "screens-certificate"
    AUDITOR = "auditor-key"
    MANIFEST = "software-manifest"
    APPROVER = "approver-key"
    UPLINK_KEY = "uplink-key"
    UPLINK_CERTIFICATE = "uplink-certificate"
    UPLINK_STATE = "uplink-state"
    PIT_AUTHORITY = "pit-authority"
    PIT_KEY = "pit-key"
    CONFIG = "configuration"


@dataclass(frozen=True, kw_only=True, slots=True)
class Kind:
    """How a thing is kept: its name in an archive, whether it is a database of SQLite, or a private key. `stays`: the
    one that is there is not put aside for that of a backup, since it is what others know of this table. `without`: what
    becomes of a table that has no other copy of this key."""

    member: str
    is_database: bool = False
    is_secret: bool = False
    stays: bool = False
    without: str = "keep it in a safe; the journal goes on with no other one"


#: In the order in which they are copied: whoever follows the journal comes before it, so that nobody in the archive
#: has heard of a record that is not in it.
KINDS: Final = {
    What.STATISTICS: Kind(member="statistics.db", is_database=True),
    What.OUTBOX: Kind(member="notifications.db", is_database=True),
    What.ACCOUNTS: Kind(member="people.db", is_database=True),
    What.REGISTER: Kind(member="decks.db", is_database=True),
    What.SEALING_KEY: Kind(member="sealing.key", is_secret=True),
    What.SIGNING_KEY: Kind(member="signing.key", is_secret=True),
    What.PUBLIC_KEY: Kind(member="public-key.pem"),
    What.SCREENS_KEY: Kind(member="screens.key", is_secret=True),
    What.SCREENS_CERTIFICATE: Kind(member="screens-certificate.pem"),
    What.AUDITOR: Kind(member="auditor.pem"),
    What.MANIFEST: Kind(member="software-manifest.json"),
    What.APPROVER: Kind(member="approver.pem"),
    What.UPLINK_KEY: Kind(
        member="uplink.key", is_secret=True, stays=True, without="`tablectl uplink --enrol --replace` makes another one"
    ),
    What.UPLINK_CERTIFICATE: Kind(member="uplink-certificate.pem", stays=True),
    What.UPLINK_STATE: Kind(member="uplink-state.json", stays=True),
    What.PIT_AUTHORITY: Kind(member="pit-authority.pem", stays=True),
    What.PIT_KEY: Kind(member="pit-key.pem", stays=True),
    What.CONFIG: Kind(member="configuration.toml"),
    What.JOURNAL: Kind(member="table.db", is_database=True),
}


def places_of(config: Config) -> dict[What, Path]:
    """Where each thing lies that this configuration names, whether or not it is there; of the journal, its first
    volume."""
    found: dict[What, Path | None] = {
        What.STATISTICS: config.statistics,
        What.OUTBOX: config.notifications.path if config.notifications is not None else None,
        What.ACCOUNTS: config.people,
        What.REGISTER: config.deck.register,
        What.SEALING_KEY: config.key,
        What.SIGNING_KEY: config.signing_key,
        What.PUBLIC_KEY: config.places.public_key,
        What.SCREENS_KEY: config.screens_key,
        What.SCREENS_CERTIFICATE: config.screens_certificate,
        What.AUDITOR: config.auditor,
        What.MANIFEST: config.manifest,
        What.APPROVER: config.approver,
        **_uplink_of(config.uplink),
        What.CONFIG: config.file,
        What.JOURNAL: config.journal,
    }
    named = {what: place for what, place in found.items() if place is not None}
    return {what: named[what] for what in KINDS if what in named}


def _uplink_of(uplink: UplinkSection | None) -> dict[What, Path]:
    """What the uplink has, where there is one."""
    if uplink is None:
        return {}
    return {
        What.UPLINK_KEY: uplink.key,
        What.UPLINK_CERTIFICATE: uplink.certificate,
        What.UPLINK_STATE: uplink.state,
        What.PIT_AUTHORITY: uplink.authority,
        What.PIT_KEY: uplink.pit_key,
    }


def is_credential(place: Path) -> bool:
    """Whether systemd keeps it, and no file of the table does."""
    return place.parent == Path(NO_CREDENTIALS) or _CREDENTIALS in place.parents

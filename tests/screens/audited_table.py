"""A whole table for an auditor: a journal with a hand that is over and one that is open, the real controller, the
auditor's key, and screens that know where the files are."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Final

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.serialization import (
    BestAvailableEncryption,
    Encoding,
    KeySerializationEncryption,
    NoEncryption,
    PrivateFormat,
)

from tablectl.core.access import AccessKind
from tablectl.journal.public_keys import public_pem
from tablectl.journal.signing import Signer
from tablectl.people.people import People
from tablectl.people.service.questions import LOOKS
from tablectl.web.screens.files import TableFiles
from tests.desk import Desk, desk
from tests.journal.journals import WHOLE_HAND
from tests.screens.serving import served

PRIVATE: Final = Ed25519PrivateKey.from_private_bytes(bytes(range(64, 96)))
OTHER_KEY: Final = Ed25519PrivateKey.from_private_bytes(bytes(range(96, 128)))


@dataclass(frozen=True, kw_only=True, slots=True)
class Row:
    """What was put on record."""

    kind: AccessKind
    who: str
    role: str
    about: str
    granted: bool


class Kept:
    """What these people's file has on record of reading, from a moment on."""

    def __init__(self, people: People) -> None:
        self._people = people
        self._after = 0

    @property
    def rows(self) -> list[Row]:
        found = [row for row in self._people.audits.rows(self._after) if row["what"] in LOOKS]
        return [
            Row(
                kind=AccessKind(row["what"]),
                who=row["who"],
                role=row["role"],
                about=row["about"],
                granted=row["granted"],
            )
            for row in found
        ]

    def clear(self) -> None:
        self._after = max((row["number"] for row in self._people.audits.rows()), default=0)

    def said(self, kind: AccessKind) -> list[str]:
        return [row.about for row in self.rows if row.kind is kind]


@dataclass(frozen=True, kw_only=True, slots=True)
class AuditedTable:
    """`url` is where its screens are, without the last slash."""

    desk: Desk
    url: str
    files: TableFiles
    kept: Kept
    people: People


def pem(private: Ed25519PrivateKey, encryption: KeySerializationEncryption | None = None) -> str:
    form = NoEncryption() if encryption is None else encryption
    return private.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, form).decode()


def encrypted_pem() -> str:
    return pem(PRIVATE, BestAvailableEncryption(b"secret"))


@contextmanager
def audited_desk(*, hands: int = 1, names_auditor: bool = True) -> Iterator[tuple[Desk, TableFiles]]:
    """So many hands are over; the next one has begun, with two cards."""
    with desk(journal='auditor = "auditor.pem"' if names_auditor else "") as table:
        auditor = table.folder / "auditor.pem"
        auditor.write_bytes(public_pem(Signer(PRIVATE).public))
        table.played_before(WHOLE_HAND * hands)
        table.start()
        table.open_hand()
        table.deal("Ks", "Qd")
        yield (
            table,
            TableFiles(
                config=table.config,
                journal=table.journal,
                copy=table.folder / "table.copy",
                auditor=auditor if names_auditor else None,
            ),
        )


@contextmanager
def audited_table(*, hands: int = 1, names_auditor: bool = True) -> Iterator[AuditedTable]:
    """The same, and its screens; what is put on record is remembered here."""
    with (
        audited_desk(hands=hands, names_auditor=names_auditor) as (table, files),
        served(table.socket, files) as server,
    ):
        yield AuditedTable(desk=table, url=server.url, files=files, kept=Kept(server.people), people=server.people)


def wait_for(condition: threading.Event, within_s: float = 20.0) -> None:
    assert condition.wait(within_s)

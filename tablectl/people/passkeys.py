"""The passkeys of people: which public key of which authenticator belongs to whom. Secrets there are none here.

A passkey is made for one host name (`rp`). What is on record of it is a digest of its identifier and key, so that an
auditor can tell whose key signed something years later.
"""

from __future__ import annotations

from dataclasses import dataclass

from tablectl.people.accounts import UnknownAccount
from tablectl.people.file import PeopleFile


@dataclass(frozen=True, kw_only=True, slots=True)
class Passkey:
    """`credential` and `key` (COSE) in base64url; `label`: how its person calls it; `added_us`: since when, in
    microseconds since the epoch."""

    credential: str
    name: str
    key: str
    rp: str
    label: str
    added_us: int


class PasskeyTaken(ValueError):
    """This authenticator has one for an account here already."""


class Passkeys:
    """All of them."""

    def __init__(self, file: PeopleFile) -> None:
        self._file = file

    def of(self, name: str, rp: str) -> tuple[Passkey, ...]:
        """Those of a person for a host name, the oldest first."""
        found = self._file.rows(
            "SELECT credential, name, key, rp, label, added_us FROM passkeys WHERE name = ? AND rp = ?"
            " ORDER BY added_us, credential",
            *(name, rp),
        )
        return tuple(
            Passkey(
                credential=str(credential),
                name=str(name),
                key=str(key),
                rp=str(rp),
                label=str(label),
                added_us=int(added_us or 0),
            )
            for credential, name, key, rp, label, added_us in found
        )

    def add(self, passkey: Passkey) -> None:
        """Raises `PasskeyTaken`, `UnknownAccount`."""
        with self._file.transaction():
            if not self._file.rows("SELECT 1 FROM accounts WHERE name = ?", passkey.name):
                raise UnknownAccount(passkey.name)
            if self._file.rows("SELECT 1 FROM passkeys WHERE credential = ?", passkey.credential):
                raise PasskeyTaken(passkey.credential)
            self._file.write(
                "INSERT INTO passkeys VALUES (?, ?, ?, ?, ?, ?)",
                *(passkey.credential, passkey.name, passkey.key, passkey.rp, passkey.label, passkey.added_us),
            )

    def remove(self, name: str, credential: str) -> bool:
        """A lost authenticator signs nothing any more; False where this person has no such passkey."""
        return self._file.write("DELETE FROM passkeys WHERE name = ? AND credential = ?", name, credential) > 0

    def forget(self, name: str) -> None:
        """All of this person's."""
        self._file.write("DELETE FROM passkeys WHERE name = ?", name)

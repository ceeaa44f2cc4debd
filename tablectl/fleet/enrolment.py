"""How a table gets its certificate: what it asks, what the pit server answers, and over what each proof runs.

To enrol takes a one-time code (`codes`); to renew, the key that is enrolled. Neither takes a certificate: the first
time there is none, and one that has expired is no reason for a visit.
"""

from __future__ import annotations

import hashlib
import re
from enum import StrEnum
from typing import Annotated, Final

import msgspec
from msgspec import Meta

from tablectl.fleet.signed_times import Nonce, SignedTime

#: How a table is called at the pit server: one word, which stands in certificates and receipts.
NAME: Final = re.compile(r"\A[A-Za-z0-9][A-Za-z0-9._-]{0,62}\Z")
#: More has nobody to say who asks for a certificate.
ASKED_BYTES_MOST: Final = 16_000

_Name = Annotated[str, Meta(pattern=NAME.pattern)]
_Digits = Annotated[str, Meta(pattern=r"\A[0-9a-f]{64}\Z")]
_Pem = Annotated[str, Meta(max_length=8_000)]


class Refusal(StrEnum):
    """Why the pit server gives no certificate."""

    #: what was asked has another shape than a table gives it, or the request is none
    SHAPE = "shape"
    #: there is no code for this name: none was made, or it was used
    NO_CODE = "no-code"
    #: the proof is not that of the code
    WRONG_CODE = "wrong-code"
    #: its time is over
    CODE_EXPIRED = "code-expired"
    #: it was tried too often
    CODE_VOID = "code-void"
    #: the table with this name has another journal
    OTHER_JOURNAL = "other-journal"
    #: the table may not send, or there is none with this name
    NOT_ADMITTED = "not-admitted"
    #: the request is not signed by the key that is enrolled
    OTHER_KEY = "other-key"
    #: the server cannot make certificates: the authority's key is not there
    NO_AUTHORITY = "no-authority"
    #: the server's clock is before the time of its own authority
    WRONG_CLOCK = "wrong-clock"


class Enrol(msgspec.Struct, frozen=True, kw_only=True):
    """A table asks to be enrolled. `request`: for a certificate (PEM, PKCS #10), signed by the key that it is for.
    `key`: the public key of the table's journal."""

    name: _Name
    request: _Pem
    key: _Digits
    nonce: Nonce
    proof: str = ""

    def text(self) -> bytes:
        """What the proof runs over."""
        return f"tablectl enrol {self.name} {_digest(self.request)} {self.key} {self.nonce}\n".encode()


class Enrolled(msgspec.Struct, frozen=True, kw_only=True):
    """The table is enrolled. `certificate` is its own, `authority` the casino's (PEM both); `pit_key` signs receipts
    and times; `at`: the server's time (RFC 3339, UTC)."""

    certificate: _Pem
    authority: _Pem
    pit_key: _Digits
    at: str
    proof: str = ""

    def text(self, asked: Enrol) -> bytes:
        """What the proof runs over: all of it, and what it answers."""
        made = f"{_digest(self.certificate)} {_digest(self.authority)} {self.pit_key} {self.at}"
        return f"tablectl enrolled {asked.name} {asked.nonce} {made}\n".encode()


class Renew(msgspec.Struct, frozen=True, kw_only=True):
    """A table asks for its next certificate. `request`: as for the first one, signed by the same key."""

    name: _Name
    request: _Pem
    nonce: Nonce


class Renewed(msgspec.Struct, frozen=True, kw_only=True):
    """The next certificate (PEM), and the server's time."""

    certificate: _Pem
    time: SignedTime


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()

"""How an uplink talks with its pit server: what every transport has to do, and HTTPS."""

from __future__ import annotations

import http.client
import ssl
from typing import Final, Protocol, TypeVar
from urllib.parse import urlsplit

import msgspec

from tablectl.core.unreadable import UNREADABLE
from tablectl.fleet.enrolment import Enrol, Enrolled, Renew, Renewed
from tablectl.fleet.signed_times import SignedTime
from tablectl.journal.receipts import Receipt

#: Longer than a server needs that a thousand tables send a whole batch to at once (docs/fleet.md).
ANSWER_S: Final = 30.0
_ANSWER_BYTES: Final = 64_000
#: What is wrong with a certificate whose chain is good, and its dates alone are not: not good yet, expired
#: (openssl/x509_vfy.h, X509_V_ERR_…).
_DATES: Final = frozenset({9, 10})

_T = TypeVar("_T")


class PitAway(Exception):
    """The pit server does not answer, or cannot keep anything now: the same may go through later."""


class PitRefuses(Exception):
    """The pit server does not take it. `why`: a word, `fork` or what is wrong with a batch, `not-admitted`, or
    `unknown-server` where our authority does not know it, `server-dates` where it does, and only the dates of its
    certificate are not those of our clock; `seq`: the record that it is about."""

    def __init__(self, why: str, error: str, seq: int = 0) -> None:
        super().__init__(error)
        self.why = why
        self.seq = seq


class UnknownServer(Exception):
    """What answers has not the key of our pit server."""


class Transport(Protocol):
    """One connection to the pit server. Raises `PitAway` and `PitRefuses`."""

    def head(self) -> Receipt:
        """How far the records of this table are durable there."""
        ...

    def hash_of(self, seq: int) -> str | None:
        """The hash of a record that is durable there, in hexadecimal digits; None where there is none."""
        ...

    def send(self, body: bytes) -> Receipt:
        """A batch; what is durable now."""
        ...

    def close(self) -> None:
        """Hang up."""
        ...


class NowTransport(Protocol):
    """A connection of its own for what a table is doing now. Raises `PitAway` and `PitRefuses`."""

    def tell(self, values: bytes) -> None:
        """What it is doing (`tablectl.fleet.last_values`)."""
        ...

    def close(self) -> None:
        """Hang up."""
        ...


class Said(msgspec.Struct):
    """What the pit server answers, by whatever carries it (docs/fleet.md)."""

    receipt: Receipt | None = None
    hash: str = ""
    why: str = ""
    error: str = ""
    seq: int = 0

    @property
    def acknowledged(self) -> Receipt:
        """Its receipt. Raises `PitAway` where there is none."""
        if self.receipt is None:
            raise PitAway("what answers there is no pit server: it gives no receipt")
        return self.receipt


class Https:
    """`Transport` and `NowTransport` straight to the pit server: the answer to a batch is its acknowledgement."""

    def __init__(self, url: str, context: ssl.SSLContext, *, answer_s: float = ANSWER_S) -> None:
        """`url`: as in https://pit.casino.example:8443. `answer_s`: how long it is waited for."""
        where = urlsplit(url)
        self._host, self._port = where.hostname or "", where.port or 443
        self._context = context
        self._answer_s = answer_s
        self._connection: http.client.HTTPSConnection | None = None

    def head(self) -> Receipt:
        """How far the records of this table are durable there."""
        return self._ask("GET", "/v1/head", Said).acknowledged

    def hash_of(self, seq: int) -> str | None:
        """The hash of a record that is durable there; None where there is none."""
        try:
            return self._ask("GET", f"/v1/records/{seq}/hash", Said).hash
        except PitRefuses as no:
            if no.why == "no-record":
                return None
            raise

    def send(self, body: bytes) -> Receipt:
        """A batch; what is durable now."""
        return self._ask("POST", "/v1/records", Said, body).acknowledged

    def time(self, nonce: str) -> SignedTime:
        """What time it is there."""
        return self._ask("GET", f"/v1/time?nonce={nonce}", SignedTime)

    def enrol(self, asked: Enrol) -> Enrolled:
        """This table's first certificate."""
        return self._ask("POST", "/v1/enrol", Enrolled, msgspec.json.encode(asked))

    def renew(self, asked: Renew) -> Renewed:
        """This table's next certificate."""
        return self._ask("POST", "/v1/renew", Renewed, msgspec.json.encode(asked))

    def tell(self, values: bytes) -> None:
        """What the table is doing now."""
        self._ask("PUT", "/v1/now", Said, values)

    def close(self) -> None:
        """Hang up."""
        if self._connection is not None:
            self._connection.close()
            self._connection = None

    def _ask(self, method: str, path: str, kind: type[_T], body: bytes | None = None) -> _T:
        was_open = self._connection is not None
        try:
            return self._answer(method, path, kind, body)
        except ssl.SSLCertVerificationError as wrong:
            self.close()
            raise not_believed(wrong, f"{self._host}:{self._port}") from None
        except (OSError, http.client.HTTPException) as wrong:
            self.close()
            if was_open and isinstance(wrong, http.client.RemoteDisconnected | BrokenPipeError):
                return self._ask(method, path, kind, body)  # it may hang up on whoever asked nothing for a while
            raise PitAway(f"{self._host}:{self._port}: {str(wrong) or type(wrong).__name__}") from None

    def _answer(self, method: str, path: str, kind: type[_T], body: bytes | None) -> _T:
        if self._connection is None:
            self._connection = http.client.HTTPSConnection(
                self._host, self._port, timeout=self._answer_s, context=self._context
            )
        self._connection.request(method, path, body, {"Content-Type": "application/octet-stream"})
        answer = self._connection.getresponse()
        return said_in(answer.status, answer.read(_ANSWER_BYTES), kind)


def not_believed(wrong: ssl.SSLCertVerificationError, where: str) -> PitRefuses:
    """Why what answers there is not believed."""
    why = "server-dates" if wrong.verify_code in _DATES else "unknown-server"
    return PitRefuses(why, f"{where}: {wrong.verify_message}")


def said_in(status: int, text: bytes, kind: type[_T]) -> _T:
    """What an answer says. Raises `PitAway` and `PitRefuses`."""
    try:
        if status == http.client.OK:
            return msgspec.json.decode(text, type=kind)
        said = msgspec.json.decode(text, type=Said)
    except UNREADABLE:
        raise PitAway(f"what answers there is no pit server: status {status}, {text[:80]!r}") from None
    if status >= http.client.INTERNAL_SERVER_ERROR:
        raise PitAway(said.error or f"status {status}")
    raise PitRefuses(said.why or str(status), said.error or f"status {status}", said.seq)

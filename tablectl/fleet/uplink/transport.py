"""How an uplink talks with its pit server: what every transport has to do, and HTTPS."""

from __future__ import annotations

import http.client
import ssl
from typing import Final, Protocol
from urllib.parse import urlsplit

import msgspec

from tablectl.fleet.receipts import Receipt

#: Longer than a server needs that a thousand tables send a whole batch to at once (docs/fleet.md).
ANSWER_S: Final = 30.0
_ANSWER_BYTES: Final = 64_000


class PitAway(Exception):
    """The pit server does not answer, or cannot keep anything now: the same may go through later."""


class PitRefuses(Exception):
    """The pit server does not take it. `why`: a word, `fork` or what is wrong with a batch, `not-admitted`, or
    `unknown-server` where our authority does not know it; `seq`: the record that it is about."""

    def __init__(self, why: str, error: str, seq: int = 0) -> None:
        super().__init__(error)
        self.why = why
        self.seq = seq


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


class _Said(msgspec.Struct):
    receipt: Receipt | None = None
    hash: str = ""
    why: str = ""
    error: str = ""
    seq: int = 0


class Https:
    """`Transport` straight to the pit server: the answer to a batch is its acknowledgement."""

    def __init__(self, url: str, context: ssl.SSLContext) -> None:
        """`url`: as in https://pit.casino.example:8443."""
        where = urlsplit(url)
        self._host, self._port = where.hostname or "", where.port or 443
        self._context = context
        self._connection: http.client.HTTPSConnection | None = None

    def head(self) -> Receipt:
        """How far the records of this table are durable there."""
        return _receipt(self._ask("GET", "/v1/head"))

    def hash_of(self, seq: int) -> str | None:
        """The hash of a record that is durable there; None where there is none."""
        try:
            return self._ask("GET", f"/v1/records/{seq}/hash").hash
        except PitRefuses as no:
            if no.why == "no-record":
                return None
            raise

    def send(self, body: bytes) -> Receipt:
        """A batch; what is durable now."""
        return _receipt(self._ask("POST", "/v1/records", body))

    def close(self) -> None:
        """Hang up."""
        if self._connection is not None:
            self._connection.close()
            self._connection = None

    def _ask(self, method: str, path: str, body: bytes | None = None) -> _Said:
        was_open = self._connection is not None
        try:
            return self._answer(method, path, body)
        except ssl.SSLCertVerificationError as wrong:
            self.close()
            raise PitRefuses("unknown-server", f"{self._host}:{self._port}: {wrong.verify_message}") from None
        except (OSError, http.client.HTTPException) as wrong:
            self.close()
            if was_open and isinstance(wrong, http.client.RemoteDisconnected | BrokenPipeError):
                return self._ask(method, path, body)  # a server may hang up on whoever asked nothing for a while
            raise PitAway(f"{self._host}:{self._port}: {str(wrong) or type(wrong).__name__}") from None

    def _answer(self, method: str, path: str, body: bytes | None) -> _Said:
        if self._connection is None:
            self._connection = http.client.HTTPSConnection(
                self._host, self._port, timeout=ANSWER_S, context=self._context
            )
        self._connection.request(method, path, body, {"Content-Type": "application/octet-stream"})
        answer = self._connection.getresponse()
        return _said(answer.status, answer.read(_ANSWER_BYTES))


def _said(status: int, text: bytes) -> _Said:
    try:
        said = msgspec.json.decode(text, type=_Said)
    except (msgspec.DecodeError, UnicodeDecodeError):
        raise PitAway(f"what answers there is no pit server: status {status}, {text[:80]!r}") from None
    if status >= http.client.INTERNAL_SERVER_ERROR:
        raise PitAway(said.error or f"status {status}")
    if status != http.client.OK:
        raise PitRefuses(said.why or str(status), said.error or f"status {status}", said.seq)
    return said


def _receipt(said: _Said) -> Receipt:
    if said.receipt is None:
        raise PitAway("what answers there is no pit server: it gives no receipt")
    return said.receipt

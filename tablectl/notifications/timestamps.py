"""Time stamps for heads of the journal (RFC 3161): a service of the house, or outside it, signs when it saw each.

The only module that uses `rfc3161_client`. What is stamped is the line of a head, byte by byte, so that
`openssl ts -verify` can check it too. What comes back is believed where it answers this question (its nonce) and is
signed below the authority that the house named.
"""

from __future__ import annotations

import base64
import re
from collections.abc import Iterator
from datetime import UTC
from http.client import HTTPConnection, HTTPException, HTTPResponse, HTTPSConnection
from pathlib import Path
from typing import Final, NamedTuple
from urllib.parse import urlsplit

from cryptography.x509 import Certificate, load_pem_x509_certificates
from rfc3161_client import (
    HashAlgorithm,
    TimestampRequestBuilder,
    TimeStampResponse,
    VerificationError,
    VerifierBuilder,
    decode_timestamp_response,
)

from tablectl.config.witness import TimestampSettings
from tablectl.core.os_error_text import happened
from tablectl.core.timestamps import time_text
from tablectl.journal.signed_head import SignedHead, heads_in
from tablectl.notifications.appending import NotKept, append_line

#: How long the service may take, in seconds, and how much it may say.
ANSWER_S: Final = 15.0
ANSWER_BYTES: Final = 65_536
_OK: Final = 200
_STAMP: Final = re.compile(r"(tablectl head [^\n]*?) timestamp ([A-Za-z0-9+/]+={0,2})$", re.MULTILINE)


class TimestampPlace:
    """The service; what it signs is appended to a file."""

    every_s = 0

    def __init__(self, settings: TimestampSettings, table: str) -> None:
        self._settings = settings
        self._table = table

    @property
    def name(self) -> str:
        """As the setting."""
        return "timestamps"

    def keep(self, head: SignedHead, at_us: int) -> None:
        """Have it stamped, look whether the stamp is good, and append it. Raises `NotKept`."""
        asked = TimestampRequestBuilder(data=head.line.encode(), hash_algorithm=HashAlgorithm.SHA256).build()
        body = _posted(self._settings.url, asked.as_bytes())
        roots = _roots(self._settings.authority)
        verifier = VerifierBuilder(roots=roots, nonce=asked.nonce).build()
        try:
            verifier.verify_message(decode_timestamp_response(body), head.line.encode())
        except (VerificationError, ValueError) as wrong:
            raise NotKept(f"{self._settings.url}: no good time stamp ({wrong})") from None
        stamp = base64.b64encode(body).decode()
        append_line(self._settings.path, f"{time_text(at_us)} {self._table}: {head.line} timestamp {stamp}")

    def trouble(self) -> str:
        """None: it has what was stamped."""
        return ""


class Stamped(NamedTuple):
    """A head, and when a service saw it (RFC 3339, UTC); `why` its stamp is not good, empty where it is."""

    head: SignedHead
    at: str
    why: str


def stamped_in(text: str, authority: Path) -> Iterator[Stamped]:
    """The heads with time stamps in a text. Raises `NotKept` where the certificates cannot be read."""
    roots = _roots(authority)
    for line, stamp in _STAMP.findall(text):
        for head in heads_in(line):
            yield _checked(head, base64.b64decode(stamp), roots)


def _checked(head: SignedHead, body: bytes, roots: list[Certificate]) -> Stamped:
    try:
        response = decode_timestamp_response(body)
        VerifierBuilder(roots=roots).build().verify_message(response, head.line.encode())
        return Stamped(head, _time_of(decode_timestamp_response(body)), "")
    except (VerificationError, ValueError) as wrong:
        return Stamped(head, "", str(wrong))


def _time_of(response: TimeStampResponse) -> str:
    return response.tst_info.gen_time.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def _roots(path: Path) -> list[Certificate]:
    try:
        return load_pem_x509_certificates(path.read_bytes())
    except OSError as wrong:
        raise NotKept(f"{path}: {happened(wrong)}") from None
    except ValueError:
        raise NotKept(f"{path}: no certificates (PEM)") from None


def _posted(url: str, body: bytes) -> bytes:
    """What the service answers. Nothing secret goes there: the hash of a line. Raises `NotKept`."""
    parts = urlsplit(url)
    made = HTTPSConnection if parts.scheme == "https" else HTTPConnection
    path = parts.path or "/"
    try:
        connection = made(parts.netloc, timeout=ANSWER_S)
        try:
            target = f"{path}?{parts.query}" if parts.query else path
            connection.request("POST", target, body, {"Content-Type": "application/timestamp-query"})
            return _read(url, connection.getresponse())
        finally:
            connection.close()
    except (OSError, HTTPException, ValueError) as wrong:
        raise NotKept(f"{url}: {happened(wrong) if isinstance(wrong, OSError) else wrong}") from None


def _read(url: str, response: HTTPResponse) -> bytes:
    if response.status != _OK:
        raise NotKept(f"{url}: refused with {response.status}")
    said = response.read(ANSWER_BYTES + 1)
    if len(said) > ANSWER_BYTES:
        raise NotKept(f"{url}: an answer that never ends")
    return said

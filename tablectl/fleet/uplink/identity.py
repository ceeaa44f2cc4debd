"""This table's certificate, which is renewed in time, and the two clocks by which that is judged.

A certificate ends, and a clock may be wrong; neither is a reason to visit a table. The pit server makes the next
certificate for whoever has the key, however old the last one is. Where only the dates of the server's certificate are
wrong, the server is believed by its authority and its signed time, and the clocks are compared. Enrolment and renewal
go by HTTPS, whatever carries the records. Used by one thread, but for `context`, `clock` and `until`.
"""

from __future__ import annotations

import ssl
import time
from collections.abc import Callable
from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Final

from cryptography import x509
from cryptography.exceptions import InvalidSignature

from tablectl.config.sections import UplinkSection
from tablectl.core.timestamps import time_us
from tablectl.fleet import signed_times
from tablectl.fleet.certificates import (
    RENEW_LEFT,
    check_no_dates,
    client_context,
    key_digest,
    read_key,
    request_of,
    shown_in,
    shown_in_file,
)
from tablectl.fleet.enrolment import Renew
from tablectl.fleet.signed_times import SignedTime, new_nonce
from tablectl.fleet.uplink.state import ClockSeen
from tablectl.fleet.uplink.transport import Https, UnknownServer
from tablectl.journal.signing import Witness
from tablectl.journal.whole_file import write_whole
from tablectl.ops.log import LateLog

#: A pit server that makes no next certificate is asked again after so long: there is a month and more left.
AGAIN_S: Final = 3600.0
#: And where this one has expired, without which a broker lets nobody in.
EXPIRED_AGAIN_S: Final = 30.0
#: Clocks that are further apart are told.
APART_S: Final = 60.0
#: Clocks that are this close say the same of any certificate, give or take a day.
_SAME_DAY: Final = timedelta(days=1)

_LOG: Final = LateLog()


class Identity:
    """Who this table is to its pit server. Raises `OSError` and `NoIdentity` where its files are not there."""

    def __init__(self, settings: UplinkSection, *, pit: Witness, now_us: Callable[[], int]) -> None:
        """`pit`: knows the key of the pit server."""
        self._settings = settings
        self._pit = pit
        self._now_us = now_us
        self._shown = shown_in_file(settings.certificate)
        self._tried_s = float("-inf")
        self._checks_dates = True
        #: how the clocks were when they were compared last
        self.clock: ClockSeen | None = None

    @property
    def name(self) -> str:
        """The name of its certificate."""
        return self._shown.name

    @property
    def until(self) -> str:
        """Until when its certificate is good (RFC 3339, UTC)."""
        return self._shown.until

    @property
    def ahead_s(self) -> float | None:
        """How far the server's clock is ahead of this one, in seconds; None before they were compared."""
        return None if self.clock is None else self.clock.ahead_s

    def context(self) -> ssl.SSLContext:
        """To reach the pit server with: as its files are now, which somebody may have put there. Of any thread. Raises
        `OSError`, `NoIdentity`."""
        self._shown = shown_in_file(self._settings.certificate)
        return self._context(checks_dates=self._checks_dates)

    def is_due(self) -> bool:
        """Whether it is time to renew the certificate, by the server's clock where that is known."""
        left = self._shown.ends - _moment(self._now_us() + int((self.ahead_s or 0.0) * 1_000_000))
        again_s = AGAIN_S if left > timedelta() else EXPIRED_AGAIN_S
        return left <= RENEW_LEFT and time.monotonic() >= self._tried_s + again_s

    def renew(self) -> None:
        """Put the next certificate in the place of this one. Raises `PitAway`, `PitRefuses`, `UnknownServer`,
        `OSError`, `NoIdentity`."""
        self._tried_s = time.monotonic()
        key, nonce = read_key(self._settings.key), new_nonce()
        asked = Renew(name=self.name, request=request_of(key, self.name).decode(), nonce=nonce)
        with closing(self._https()) as https:
            answer = https.renew(asked)
        self._compare(answer.time, nonce)
        certificate = _issued(answer.certificate, self._settings.authority)
        shown = shown_in(certificate)
        if (shown.name, shown.key) != (self.name, key_digest(key.public_key())):
            raise UnknownServer("the certificate that it made is of another table, or for another key")
        write_whole(self._settings.certificate, answer.certificate.encode())
        self._shown = shown
        _LOG.info("certificate renewed", until=shown.until)

    def compare_clocks(self) -> None:
        """Ask the server for its time, which it signs. Raises `PitAway`, `PitRefuses`, `UnknownServer`, `OSError`."""
        nonce = new_nonce()
        with closing(self._https()) as https:
            self._compare(https.time(nonce), nonce)

    def believe_without_dates(self) -> None:
        """From now on believe the server by its authority and its signed time, whatever the dates of its certificate,
        until it says a time of today. Raises as `compare_clocks`."""
        self.compare_clocks()
        self._checks_dates = False
        _LOG.warning("server believed without dates", server_ahead_s=self.ahead_s)

    def heard(self, at: str) -> None:
        """The pit server said just now that it is this time (RFC 3339, UTC). Raises `UnknownServer` where that is no
        time."""
        try:
            ahead_us = time_us(at) - self._now_us()
        except ValueError as wrong:
            raise UnknownServer(f"what it says of the time is none: {wrong}") from None
        before_s, ahead_s = self.ahead_s or 0.0, round(ahead_us / 1_000_000, 1)
        self.clock = ClockSeen(ahead_s=ahead_s, at=at)
        self._checks_dates = abs(timedelta(microseconds=ahead_us)) < _SAME_DAY
        if abs(ahead_s) > APART_S and abs(ahead_s - before_s) > APART_S:
            _LOG.warning("clocks apart", server_ahead_s=ahead_s)

    def _compare(self, told: SignedTime, nonce: str) -> None:
        if not signed_times.is_good(self._pit, told, nonce):
            raise UnknownServer("what answers there has not the key of our pit server (uplink.pit_key)")
        self.heard(told.at)

    def _https(self) -> Https:
        return Https(self._settings.url or "", self._context(checks_dates=False))

    def _context(self, *, checks_dates: bool) -> ssl.SSLContext:
        settings = self._settings
        context = client_context(authority=settings.authority, certificate=settings.certificate, key=settings.key)
        if not checks_dates:
            check_no_dates(context)
        return context


def _issued(text: str, authority: Path) -> x509.Certificate:
    """A certificate of our authority (PEM). Raises `UnknownServer`, `OSError`."""
    try:
        certificate = x509.load_pem_x509_certificate(text.encode())
        for known in x509.load_pem_x509_certificates(authority.read_bytes()):
            if known.subject == certificate.issuer:
                certificate.verify_directly_issued_by(known)
                return certificate
    except (ValueError, TypeError, InvalidSignature):
        pass
    raise UnknownServer("the certificate that it made is not of our authority (uplink.authority)")


def _moment(at_us: int) -> datetime:
    return datetime.fromtimestamp(at_us / 1_000_000, UTC)

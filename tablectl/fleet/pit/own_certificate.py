"""The pit server's own certificate: made anew by itself where the authority's key is at hand, and used at once."""

from __future__ import annotations

import ssl
from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

from cryptography import x509

from tablectl.fleet.certificates import RENEW_LEFT, WARN_LEFT, NoIdentity, read_key
from tablectl.fleet.pit.authority import Authority
from tablectl.journal.whole_file import write_whole
from tablectl.ops.log import LateLog

_LOG: Final = LateLog()


class OwnCertificate:
    """Its file, and the TLS of a server that runs. `look` at the start and daily, in the server's thread."""

    def __init__(
        self,
        *,
        certificate: Path,
        key: Path,
        names: Sequence[str],
        authority: Callable[[], Authority],
        now_us: Callable[[], int],
    ) -> None:
        """`names`: by which tables find the server; `authority`: reads it; raises `OSError` and `ValueError` where its
        key is not there."""
        self._certificate = certificate
        self._key = key
        self._names = names
        self._authority = authority
        self._now_us = now_us
        self._used = certificate.read_bytes()

    def look(self, context: ssl.SSLContext) -> None:
        """Make it anew where two thirds of its time are left or less, and use what is in the file: whoever has another
        authority puts the next one there."""
        try:
            self._renew()
            found = self._certificate.read_bytes()
            if found != self._used:
                context.load_cert_chain(self._certificate, self._key)
                self._used = found
                _LOG.info("own certificate in use", until=f"{self._ends(found):%Y-%m-%d}")
        except (OSError, ValueError, NoIdentity) as wrong:
            _LOG.warning("own certificate not replaced", reason=str(wrong))

    def _renew(self) -> None:
        now = datetime.fromtimestamp(self._now_us() / 1_000_000, UTC)
        left = self._ends(self._certificate.read_bytes()) - now
        if left > RENEW_LEFT:
            return
        try:
            authority = self._authority()
        except (OSError, ValueError) as wrong:
            if left <= WARN_LEFT:
                _LOG.warning("own certificate ends", days=left.days, reason=str(wrong))
            return
        made = authority.for_server(self._names, read_key(self._key).public_key(), now)
        write_whole(self._certificate, made)

    @staticmethod
    def _ends(pem: bytes) -> datetime:
        return x509.load_pem_x509_certificate(pem).not_valid_after_utc

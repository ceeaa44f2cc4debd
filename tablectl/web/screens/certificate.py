"""Until when the certificate of the screens is good: browsers refuse one whose time is over."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path
from typing import Final

from cryptography import x509

from tablectl.core.validation import sentence

#: So long before its end there is a notice: a house needs time to have another one made.
SOON: Final = timedelta(days=30)


class NoCertificate(Exception):
    """What is in the file is no certificate."""


def certificates_in(path: Path) -> list[x509.Certificate]:
    """All in a PEM file: the screens' own and what it stands on. Raises `OSError`, `NoCertificate`."""
    try:
        return x509.load_pem_x509_certificates(path.read_bytes())
    except ValueError:
        raise NoCertificate from None


def not_valid(certificates: Iterable[x509.Certificate], now: datetime) -> str | None:
    """Why browsers refuse one of them now; None where they are all in their time. `now` is aware."""
    for certificate in certificates:
        if now > certificate.not_valid_after_utc:
            day = f"{certificate.not_valid_after_utc:%Y-%m-%d}"
            return sentence("the certificate of {whose} expired on {day}", whose=_whose(certificate), day=day)
        if now < certificate.not_valid_before_utc:
            day = f"{certificate.not_valid_before_utc:%Y-%m-%d}"
            return sentence("the certificate of {whose} is not valid before {day}", whose=_whose(certificate), day=day)
    return None


@dataclass(frozen=True, kw_only=True, slots=True)
class EndsSoon:
    """Whose certificate ends, and on which day (UTC, `2026-11-22`)."""

    whose: str
    ends: str


def ends_soon(certificates: Iterable[x509.Certificate], now: datetime) -> EndsSoon | None:
    """Which of them ends within `SOON`, and when; None where none does. `now` is aware."""
    first = min(certificates, key=lambda certificate: certificate.not_valid_after_utc)
    if first.not_valid_after_utc - now > SOON:
        return None
    return EndsSoon(whose=_whose(first), ends=f"{first.not_valid_after_utc:%Y-%m-%d}")


def _whose(certificate: x509.Certificate) -> str:
    return certificate.subject.rfc4514_string() or "nobody"

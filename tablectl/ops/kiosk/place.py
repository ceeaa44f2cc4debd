"""Where the table's screens answer a browser of this machine, from the table's configuration."""

from __future__ import annotations

import base64
import hashlib
import ipaddress
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
from cryptography.x509 import load_pem_x509_certificate

from tablectl.config.table_file import Config

_PAGE: Final = "croupier"
#: A browser of this machine finds them there, where they answer at all of its addresses.
_NEAREST: Final = {"0.0.0.0": "127.0.0.1", "::": "::1"}


class NotShown(Exception):
    """The croupier's page cannot be shown. The text says why, and what would be right."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Place:
    """`languages`: those that the table shows, its own first. `certificate`: the screens' own (PEM), if they have one.
    `through`: the Unix socket at which they answer, where the port is that of a relay to it."""

    host: str
    port: int
    languages: tuple[str, ...]
    certificate: Path | None = None
    through: Path | None = None

    @property
    def origin(self) -> str:
        """What every address of these screens begins with."""
        shown = f"[{self.host}]" if ":" in self.host else self.host
        return f"{'http' if self.certificate is None else 'https'}://{shown}:{self.port}/"

    @property
    def url(self) -> str:
        """The croupier's page."""
        return self.origin + _PAGE

    def pin(self) -> str | None:
        """By which a browser knows the certificate's key, whoever signed it and for whichever name: the SHA-256 of its
        SubjectPublicKeyInfo (RFC 7469, section 2.4) in base64; None without a certificate. Raises `NotShown`."""
        if self.certificate is None:
            return None
        try:
            key = load_pem_x509_certificate(self.certificate.read_bytes()).public_key()
        except OSError as wrong:
            right = "a file that everybody may read: a certificate is no secret"
            raise NotShown(f"{self.certificate}: {wrong.strerror}; would be right: {right}") from None
        except ValueError:
            raise NotShown(f"{self.certificate}: no certificate; would be right: a PEM file") from None
        info = key.public_bytes(Encoding.DER, PublicFormat.SubjectPublicKeyInfo)
        return base64.b64encode(hashlib.sha256(info).digest()).decode("ascii")


def place_of(config: Config, through: Path | None = None) -> Place:
    """Raises `NotShown` where the screens answer at no address of loopback: the kiosk reaches no other one."""
    host = config.screens_host.strip("[]")
    host = "127.0.0.1" if host == "localhost" else _NEAREST.get(host, host)
    if not _is_loopback(host):
        right = '"127.0.0.1", or "0.0.0.0" for other machines too'
        raise NotShown(f"screens.host is {host}, and the kiosk reaches loopback alone; would be right: {right}")
    if config.screens_port == 0:
        raise NotShown("screens.port is 0: nobody knows where they answer; would be right: a port, such as 8420")
    return Place(
        host=host,
        port=config.screens_port,
        languages=config.shown_languages,
        certificate=config.screens_certificate,
        through=through,
    )


def _is_loopback(host: str) -> bool:
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False

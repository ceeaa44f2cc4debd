"""Who is at the other end: the certificate of a table or of the pit server, and what its name stands for.

A table's certificate has the name of the table as its common name, and no other way to say who sends: what a batch says
of itself is never believed.
"""

from __future__ import annotations

import ssl
from pathlib import Path

from cryptography import x509
from cryptography.x509.oid import NameOID


class NoIdentity(Exception):
    """There is no certificate, or none with a name."""


def name_in(certificate: bytes | None) -> str:
    """The common name of a certificate (DER). Raises `NoIdentity`."""
    if certificate is None:
        raise NoIdentity("no certificate was shown")
    found = x509.load_der_x509_certificate(certificate).subject.get_attributes_for_oid(NameOID.COMMON_NAME)
    if len(found) != 1 or not isinstance(found[0].value, str):
        raise NoIdentity("the certificate has no common name")
    return found[0].value


def client_context(*, authority: Path, certificate: Path, key: Path) -> ssl.SSLContext:
    """For a table: it believes this authority alone, and shows its certificate. Raises `OSError` (`ssl.SSLError` is
    one)."""
    context = ssl.create_default_context(ssl.Purpose.SERVER_AUTH, cafile=str(authority))
    context.minimum_version = ssl.TLSVersion.TLSv1_3
    context.load_cert_chain(str(certificate), str(key))
    return context

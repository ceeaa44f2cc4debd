"""Who is at the other end: the certificate of a table or of the pit server, and what its name stands for.

A table's certificate has the name of the table as its common name, and no other way to say who sends: what a batch says
of itself is never believed.
"""

from __future__ import annotations

import os
import ssl
from pathlib import Path

from cryptography import x509
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat
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


def name_in_file(path: Path) -> str:
    """As `name_in`, of a PEM file. Raises `NoIdentity`, `OSError`."""
    try:
        return name_in(x509.load_pem_x509_certificate(path.read_bytes()).public_bytes(Encoding.DER))
    except ValueError:
        raise NoIdentity(f"{path}: no certificate (PEM)") from None


def new_key() -> ec.EllipticCurvePrivateKey:
    """For a table or the server; it is made where it is used."""
    return ec.generate_private_key(ec.SECP256R1())


def write_key(path: Path, key: ec.EllipticCurvePrivateKey) -> None:
    """For its owner alone (PEM); there must be no such file. Raises `OSError`."""
    descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600)
    with os.fdopen(descriptor, "wb") as file:
        file.write(key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption()))


def request_of(key: ec.EllipticCurvePrivateKey, name: str) -> bytes:
    """A request for a certificate (PEM)."""
    made = x509.CertificateSigningRequestBuilder().subject_name(named(name)).sign(key, SHA256())
    return made.public_bytes(Encoding.PEM)


def named(common: str) -> x509.Name:
    """A name that is nothing but a common name."""
    return x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, common)])

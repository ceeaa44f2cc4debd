"""Who is at the other end: the certificate of a table or of the pit server, and what its name stands for.

A table's certificate has the name of the table as its common name, and no other way to say who sends: what a batch says
of itself is never believed.
"""

from __future__ import annotations

import hashlib
import os
import ssl
from datetime import datetime, timedelta
from pathlib import Path
from typing import Final

import msgspec
from cryptography import x509
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.asymmetric.types import PublicKeyTypes
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.serialization import (
    Encoding,
    NoEncryption,
    PrivateFormat,
    PublicFormat,
    load_pem_private_key,
)
from cryptography.x509.oid import NameOID

from tablectl.core.timestamps import time_text

#: A private key is for its owner alone.
KEY_MODE: Final = 0o600
#: A certificate is renewed when so much of its time is left, or less.
RENEW_LEFT: Final = timedelta(days=60)
#: Where it could not be renewed, somebody is told when so much is left.
WARN_LEFT: Final = timedelta(days=30)

#: Chains and signatures are checked, dates are not (openssl/x509_vfy.h, X509_V_FLAG_NO_CHECK_TIME): for who checks them
#: elsewhere, or has no clock to do so.
_NO_CHECK_TIME: Final = ssl.VerifyFlags(0x200000)


class NoIdentity(Exception):
    """There is no certificate, or none with a name."""


class Shown(msgspec.Struct, frozen=True, kw_only=True):
    """What a certificate says: whose it is, for which key (`key_digest`), and from when to when it is good."""

    name: str
    key: bytes
    begins: datetime
    ends: datetime

    @property
    def until(self) -> str:
        """When it ends (RFC 3339, UTC)."""
        return time_text(int(self.ends.timestamp()) * 1_000_000)

    def is_good(self, now: datetime) -> bool:
        """Whether it is good now, which is aware."""
        return self.begins <= now <= self.ends


def shown_in(certificate: x509.Certificate) -> Shown:
    """What this certificate says. Raises `NoIdentity` where it has no name."""
    found = certificate.subject.get_attributes_for_oid(NameOID.COMMON_NAME)
    if len(found) != 1 or not isinstance(found[0].value, str):
        raise NoIdentity("the certificate has no common name")
    return Shown(
        name=found[0].value,
        key=key_digest(certificate.public_key()),
        begins=certificate.not_valid_before_utc,
        ends=certificate.not_valid_after_utc,
    )


def shown_in_file(path: Path) -> Shown:
    """As `shown_in`, of a PEM file. Raises `NoIdentity`, `OSError`."""
    try:
        return shown_in(x509.load_pem_x509_certificate(path.read_bytes()))
    except ValueError:
        raise NoIdentity(f"{path}: no certificate (PEM)") from None


def key_digest(key: PublicKeyTypes) -> bytes:
    """SHA-256 of a public key (SubjectPublicKeyInfo, DER): what is enrolled of it."""
    return hashlib.sha256(key.public_bytes(Encoding.DER, PublicFormat.SubjectPublicKeyInfo)).digest()


def client_context(*, authority: Path, certificate: Path, key: Path) -> ssl.SSLContext:
    """For a table: it believes this authority alone, and shows its certificate. Raises `OSError` (`ssl.SSLError` is
    one)."""
    context = ssl.create_default_context(ssl.Purpose.SERVER_AUTH, cafile=str(authority))
    context.minimum_version = ssl.TLSVersion.TLSv1_3
    take_any_authority(context)
    context.load_cert_chain(str(certificate), str(key))
    return context


def take_any_authority(context: ssl.SSLContext) -> None:
    """From now on it believes an authority that is in its file, also one for which another one vouches that is not:
    houses lock their root away, and give out what is below it."""
    context.verify_flags |= ssl.VERIFY_X509_PARTIAL_CHAIN


def check_no_dates(context: ssl.SSLContext) -> None:
    """From now on it takes a certificate that has expired, or is not good yet, from an authority that it believes."""
    context.verify_flags |= _NO_CHECK_TIME


def unchecked_context() -> ssl.SSLContext:
    """For a table that knows no authority yet: it believes nobody, and what it is told has a proof of its own."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    context.minimum_version = ssl.TLSVersion.TLSv1_3
    context.check_hostname = False
    context.verify_mode = ssl.CERT_NONE
    return context


def new_key() -> ec.EllipticCurvePrivateKey:
    """For a table or the server; it is made where it is used."""
    return ec.generate_private_key(ec.SECP256R1())


def read_key(path: Path) -> ec.EllipticCurvePrivateKey:
    """That of a PEM file. Raises `OSError`, `NoIdentity`."""
    try:
        key = load_pem_private_key(path.read_bytes(), None)
    except (ValueError, TypeError):
        key = None
    if not isinstance(key, ec.EllipticCurvePrivateKey):
        raise NoIdentity(f"{path}: no key of an elliptic curve (PEM) that opens without a password")
    return key


def key_pem(key: ec.EllipticCurvePrivateKey) -> bytes:
    """A key as it stands in its file."""
    return key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())


def write_key(path: Path, key: ec.EllipticCurvePrivateKey) -> None:
    """For its owner alone (PEM); there must be no such file. Raises `OSError`."""
    descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, KEY_MODE)
    with os.fdopen(descriptor, "wb") as file:
        file.write(key_pem(key))


def request_of(key: ec.EllipticCurvePrivateKey, name: str) -> bytes:
    """A request for a certificate (PEM)."""
    made = x509.CertificateSigningRequestBuilder().subject_name(named(name)).sign(key, SHA256())
    return made.public_bytes(Encoding.PEM)


def named(common: str) -> x509.Name:
    """A name that is nothing but a common name."""
    return x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, common)])

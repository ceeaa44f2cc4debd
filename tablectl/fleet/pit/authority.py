"""The casino's own authority: who says which certificate is whose, made once per pit server.

A certificate is good for 90 days. Where a casino has an authority already, its files stand in the configuration
instead.
"""

from __future__ import annotations

import ipaddress
from collections.abc import Iterable
from datetime import datetime, timedelta
from pathlib import Path
from typing import Final

from cryptography import x509
from cryptography.exceptions import UnsupportedAlgorithm
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.serialization import Encoding, load_pem_private_key
from cryptography.x509.oid import ExtendedKeyUsageOID

from tablectl.fleet.certificates import named, write_key

#: How long a certificate of a table or of the server is good.
LIFETIME: Final = timedelta(days=90)
#: How long the authority itself is good.
AUTHORITY_LIFETIME: Final = timedelta(days=10 * 365)
#: Clocks of tables and server may differ by so much.
_BEFORE: Final = timedelta(days=1)


class NotOurs(Exception):
    """A request for a certificate that is not to be signed. The text says why."""


class Authority:
    """Signs certificates. Its key never leaves the pit server."""

    def __init__(self, certificate: x509.Certificate, key: ec.EllipticCurvePrivateKey) -> None:
        self._certificate = certificate
        self._key = key

    @classmethod
    def made(cls, casino: str, now: datetime) -> Authority:
        """A new one. `now` is aware."""
        key = ec.generate_private_key(ec.SECP256R1())
        name = named(f"{casino} tablectl")
        certificate = (
            _builder(name, name, key.public_key(), now, AUTHORITY_LIFETIME)
            .add_extension(x509.BasicConstraints(ca=True, path_length=0), critical=True)
            .add_extension(_usage(signs_certificates=True), critical=True)
            .sign(key, SHA256())
        )
        return cls(certificate, key)

    @classmethod
    def read(cls, certificate: Path, key: Path) -> Authority:
        """That of these files. Raises `OSError`, `ValueError`."""
        private = load_pem_private_key(key.read_bytes(), None)
        if not isinstance(private, ec.EllipticCurvePrivateKey):
            raise ValueError(f"{key}: not a key of an elliptic curve")
        return cls(x509.load_pem_x509_certificate(certificate.read_bytes()), private)

    def write(self, certificate: Path, key: Path) -> None:
        """Into these files, which must not be there. Raises `OSError`."""
        write_key(key, self._key)
        certificate.write_bytes(self.pem)

    @property
    def pem(self) -> bytes:
        """What tables believe."""
        return self._certificate.public_bytes(Encoding.PEM)

    @property
    def begins(self) -> datetime:
        """Before this time there was no such authority: a clock that says so is wrong."""
        return self._certificate.not_valid_before_utc

    def for_table(self, name: str, request: bytes, now: datetime) -> bytes:
        """The certificate of a table (PEM), for the key that signed the request (PEM, PKCS #10). What the request says
        of names counts for nothing. Raises `NotOurs`."""
        key = key_requested(request)
        made = _builder(named(name), self._certificate.subject, key, now, LIFETIME).add_extension(
            x509.ExtendedKeyUsage([ExtendedKeyUsageOID.CLIENT_AUTH]), critical=False
        )
        return self._signed(made)

    def for_server(self, hosts: Iterable[str], key: ec.EllipticCurvePublicKey, now: datetime) -> bytes:
        """The certificate of the pit server (PEM), by the names or addresses at which tables find it."""
        names = [*hosts]
        made = (
            _builder(named(names[0]), self._certificate.subject, key, now, LIFETIME)
            .add_extension(x509.SubjectAlternativeName([_host(name) for name in names]), critical=False)
            .add_extension(x509.ExtendedKeyUsage([ExtendedKeyUsageOID.SERVER_AUTH]), critical=False)
        )
        return self._signed(made)

    def _signed(self, made: x509.CertificateBuilder) -> bytes:
        issuer = self._certificate.public_key()
        assert isinstance(issuer, ec.EllipticCurvePublicKey), "as it was made"
        certificate = (
            made.add_extension(x509.BasicConstraints(ca=False, path_length=None), critical=True)
            .add_extension(_usage(signs_certificates=False), critical=True)
            .add_extension(x509.AuthorityKeyIdentifier.from_issuer_public_key(issuer), critical=False)
            .sign(self._key, SHA256())
        )
        return certificate.public_bytes(Encoding.PEM)


def key_requested(request: bytes) -> ec.EllipticCurvePublicKey:
    """The key that signed a request for a certificate (PEM, PKCS #10), and for which it is. Raises `NotOurs`."""
    try:
        found = x509.load_pem_x509_csr(request)
        key = found.public_key()
        is_its_own = found.is_signature_valid
    except (ValueError, UnsupportedAlgorithm):
        raise NotOurs("no request for a certificate (PEM)") from None
    if not is_its_own or not isinstance(key, ec.EllipticCurvePublicKey):
        raise NotOurs("the request is not signed by its own key, or that is of another kind than EC")
    return key


def _builder(
    subject: x509.Name, issuer: x509.Name, key: ec.EllipticCurvePublicKey, now: datetime, lifetime: timedelta
) -> x509.CertificateBuilder:
    return (
        x509.CertificateBuilder()
        .subject_name(subject)
        .issuer_name(issuer)
        .public_key(key)
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - _BEFORE)
        .not_valid_after(now + lifetime)
        .add_extension(x509.SubjectKeyIdentifier.from_public_key(key), critical=False)
    )


def _host(name: str) -> x509.GeneralName:
    try:
        return x509.IPAddress(ipaddress.ip_address(name))
    except ValueError:
        return x509.DNSName(name)


def _usage(*, signs_certificates: bool) -> x509.KeyUsage:
    return x509.KeyUsage(
        digital_signature=not signs_certificates,
        content_commitment=False,
        key_encipherment=False,
        data_encipherment=False,
        key_agreement=False,
        key_cert_sign=signs_certificates,
        crl_sign=signs_certificates,
        encipher_only=False,
        decipher_only=False,
    )

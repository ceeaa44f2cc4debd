"""Public keys of a table and of its auditor: what everybody may have. Whoever reads them alone needs no seal."""

from __future__ import annotations

import hashlib
from pathlib import Path

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat, load_pem_public_key

from tablectl.core.os_error_text import told
from tablectl.journal.signing import PUBLIC_BYTES


class BadKey(Exception):
    """A key file that cannot be used. The text says what to do."""


def load_public(path: Path) -> bytes:
    """The raw Ed25519 public key of a PEM file (SubjectPublicKeyInfo). Raises `BadKey`."""
    try:
        key = load_pem_public_key(path.read_bytes())
    except OSError as wrong:
        raise BadKey(told(wrong, "the path of a public key in PEM, as the house published it", path)) from None
    except ValueError:
        key = None
    if not isinstance(key, Ed25519PublicKey):
        raise BadKey(f"{path}: no Ed25519 public key in PEM; `openssl pkey -in PRIVATE -pubout` writes one")
    return key.public_bytes(Encoding.Raw, PublicFormat.Raw)


def public_pem(public: bytes) -> bytes:
    """A raw Ed25519 public key as PEM, for openssl and everybody else. Raises `ValueError` where it is none."""
    if len(public) != PUBLIC_BYTES:
        raise ValueError(f"{len(public)} bytes are no Ed25519 public key")
    key = Ed25519PublicKey.from_public_bytes(public)
    return key.public_bytes(Encoding.PEM, PublicFormat.SubjectPublicKeyInfo)


def whole_fingerprint(public: bytes) -> str:
    """All 64 hexadecimal digits of its SHA-256, as evidence has them: what is held against the published one."""
    return hashlib.sha256(public).hexdigest()


def fingerprint(public: bytes) -> str:
    """What tells one key from another at a glance: the first 16 digits of its whole fingerprint, in fours."""
    digits = whole_fingerprint(public)[:16]
    return " ".join(digits[at : at + 4] for at in range(0, 16, 4))

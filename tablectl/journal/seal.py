"""Sealing: what nobody may read without the table's key.

AES-256-GCM, a fresh nonce each, the place it belongs to (a record's position, a block of a trace) as associated data,
so that a sealed part cannot be moved to another place.
"""

from __future__ import annotations

import hashlib
import hmac
import secrets
from typing import Final

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM

KEY_BYTES: Final = 32
NONCE_BYTES: Final = 12
#: Of the tag that AES-GCM appends.
TAG_BYTES: Final = 16
#: Of a keyed digest.
DIGEST_BYTES: Final = 16


class BadSeal(Exception):
    """A sealed part that this key does not open, or that was changed or moved."""


class Vault:
    """Seals and opens with one key."""

    __slots__ = ("_cipher", "_digests", "fingerprint")

    def __init__(self, key: bytes) -> None:
        self._cipher = AESGCM(key)
        #: another key, made of this one: a digest must not help whoever wants to open a seal
        self._digests = hmac.digest(key, b"tablectl key of digests", "sha256")
        #: tells one key from another and nothing else of it
        self.fingerprint = hashlib.sha256(b"tablectl sealing key " + key).hexdigest()

    def seal(self, position: int, plain: bytes) -> bytes:
        """`plain` sealed for the record at `position`: nonce, then ciphertext with its tag."""
        return self.seal_part(f"record {position}", plain)

    def open(self, position: int, sealed: bytes) -> bytes:
        """The other way round. Raises `BadSeal`."""
        return self.open_part(f"record {position}", sealed)

    def digest(self, purpose: str, text: str) -> str:
        """What can be told of a text that must not be: hexadecimal digits that are always the same for it, differ for
        every purpose, and that nobody makes or undoes without the key (HMAC-SHA256, RFC 2104, its first half)."""
        return hmac.digest(self._digests, f"{purpose}:{text}".encode(), "sha256")[:DIGEST_BYTES].hex()

    def seal_part(self, part: str, plain: bytes) -> bytes:
        """`plain` sealed as this part of something, and as no other: nonce, then ciphertext with its tag."""
        nonce = secrets.token_bytes(NONCE_BYTES)
        return nonce + self._cipher.encrypt(nonce, plain, _bound_to(part))

    def open_part(self, part: str, sealed: bytes) -> bytes:
        """The other way round. Raises `BadSeal`."""
        try:
            return self._cipher.decrypt(sealed[:NONCE_BYTES], sealed[NONCE_BYTES:], _bound_to(part))
        except (InvalidTag, ValueError):  # ValueError: cut so short that there is no nonce
            raise BadSeal(f"{part}: the sealed part was changed, or the key is another one") from None


def _bound_to(part: str) -> bytes:
    return f"tablectl {part}".encode()

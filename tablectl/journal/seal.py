"""Sealing: what nobody may read without the table's key.

AES-256-GCM, a fresh nonce each, the record's position as associated data, so that a sealed part cannot be moved to
another record.
"""

from __future__ import annotations

import hashlib
import secrets
from typing import Final

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM

KEY_BYTES: Final = 32
NONCE_BYTES: Final = 12


class BadSeal(Exception):
    """A sealed part that this key does not open, or that was changed or moved."""


class Vault:
    """Seals and opens with one key."""

    __slots__ = ("_cipher", "fingerprint")

    def __init__(self, key: bytes) -> None:
        self._cipher = AESGCM(key)
        #: tells one key from another and nothing else of it
        self.fingerprint = hashlib.sha256(b"tablectl sealing key " + key).hexdigest()

    def seal(self, position: int | str, plain: bytes) -> bytes:
        """`plain` sealed for the record at `position`, or for a place of another file that is named: nonce, then
        ciphertext with its tag."""
        nonce = secrets.token_bytes(NONCE_BYTES)
        return nonce + self._cipher.encrypt(nonce, plain, _bound_to(position))

    def open(self, position: int | str, sealed: bytes) -> bytes:
        """The other way round. Raises `BadSeal`."""
        try:
            return self._cipher.decrypt(sealed[:NONCE_BYTES], sealed[NONCE_BYTES:], _bound_to(position))
        except (InvalidTag, ValueError):  # ValueError: cut so short that there is no nonce
            raise BadSeal(f"{_name(position)}: the sealed part was changed, or the key is another one") from None


def _bound_to(position: int | str) -> bytes:
    return f"tablectl {_name(position)}".encode()


def _name(position: int | str) -> str:
    return f"record {position}" if isinstance(position, int) else position

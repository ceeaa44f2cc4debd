"""Sealing: what nobody may read without the table's key.

AES-256-GCM, a fresh nonce each, the record's position as associated data, so that a sealed part cannot be moved to
another record. The key is a file of 32 random bytes that only its owner can read.
"""

from __future__ import annotations

import os
import secrets
import stat
from pathlib import Path
from typing import Final

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM

KEY_BYTES: Final = 32
NONCE_BYTES: Final = 12


class BadSeal(Exception):
    """A sealed part that this key does not open, or that was changed or moved."""


class BadKey(Exception):
    """A key file that cannot be used. The text says what to do."""


class Vault:
    """Seals and opens with one key."""

    __slots__ = ("_cipher",)

    def __init__(self, key: bytes) -> None:
        self._cipher = AESGCM(key)

    def seal(self, position: int, plain: bytes) -> bytes:
        """`plain` sealed for the record at `position`: nonce, then ciphertext with its tag."""
        nonce = secrets.token_bytes(NONCE_BYTES)
        return nonce + self._cipher.encrypt(nonce, plain, _bound_to(position))

    def open(self, position: int, sealed: bytes) -> bytes:
        """The other way round. Raises `BadSeal`."""
        try:
            return self._cipher.decrypt(sealed[:NONCE_BYTES], sealed[NONCE_BYTES:], _bound_to(position))
        except (InvalidTag, ValueError):  # ValueError: cut so short that there is no nonce
            raise BadSeal(f"record {position}: the sealed part was changed, or the key is another one") from None


def _bound_to(position: int) -> bytes:
    return f"tablectl record {position}".encode()


def make_key(path: Path) -> bytes:
    """A new key in a new file, whole or not at all. Raises `BadKey`."""
    key = secrets.token_bytes(KEY_BYTES)
    unfinished = path.with_name(f"{path.name}.{os.getpid()}.new")
    try:
        descriptor = os.open(unfinished, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
        with os.fdopen(descriptor, "wb") as file:
            file.write(key)
            file.flush()
            os.fsync(file.fileno())
        unfinished.replace(path)
        folder = os.open(path.parent, os.O_RDONLY | os.O_DIRECTORY)
        try:
            os.fsync(folder)
        finally:
            os.close(folder)
    except OSError as wrong:
        raise BadKey(f"{path}: cannot be made ({wrong.strerror}); give the folder to the controller's user") from None
    return key


def load_key(path: Path) -> bytes:
    """A key that is there. Raises `BadKey`."""
    try:
        mode, key = path.stat().st_mode, path.read_bytes()
    except OSError as wrong:
        what = f"{path}: cannot be read ({wrong.strerror})"
        raise BadKey(f"{what}; bring the journal's own key back from its copy, readable for the controller") from None
    if mode & (stat.S_IRWXG | stat.S_IRWXO):
        raise BadKey(f"{path}: others can read it (mode {stat.S_IMODE(mode):04o}); run: chmod 0600 {path}")
    if len(key) != KEY_BYTES:
        raise BadKey(f"{path}: {len(key)} bytes instead of {KEY_BYTES}; restore the key from its backup")
    return key

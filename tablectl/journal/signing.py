"""Signatures: who wrote the journal up to here.

Ed25519 (RFC 8032) over one line of text, so that openssl can check it: `tablectl record SEQ HASH` and a newline, HASH
in 64 hexadecimal digits. As each hash holds all that came before, one signature vouches for every earlier record.
"""

from __future__ import annotations

from typing import Final

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

PUBLIC_BYTES: Final = 32
SIGNATURE_BYTES: Final = 64


def message(seq: int, link: bytes) -> bytes:
    """What is signed for the record at a position with this hash."""
    return f"tablectl record {seq} {link.hex()}\n".encode()


class Signer:
    """The table's hand."""

    __slots__ = ("_private", "public")

    def __init__(self, private: Ed25519PrivateKey) -> None:
        self._private = private
        self.public = private.public_key().public_bytes(Encoding.Raw, PublicFormat.Raw)

    def sign(self, seq: int, link: bytes) -> bytes:
        """64 bytes, for the record at a position with this hash."""
        return self.sign_text(message(seq, link))

    def sign_text(self, text: bytes) -> bytes:
        """64 bytes."""
        return self._private.sign(text)


class Witness:
    """Knows one public key. Raises `ValueError` for what is none."""

    __slots__ = ("_public", "public")

    def __init__(self, public: bytes) -> None:
        self._public = Ed25519PublicKey.from_public_bytes(public)
        self.public = public

    def confirms(self, seq: int, link: bytes, signature: bytes) -> bool:
        """Whether the owner of the key signed this record."""
        return self.confirms_text(message(seq, link), signature)

    def confirms_text(self, text: bytes, signature: bytes) -> bool:
        """Whether the owner of the key signed this text."""
        try:
            self._public.verify(signature, text)
        except InvalidSignature:
            return False
        return True

"""The pit server's time, signed: what a table goes by whose own clock cannot be right.

Ed25519 with the key of the receipts over one line of text: `tablectl time NONCE AT` and a newline. The nonce is the
table's, so that nobody answers with a time of yesterday.
"""

from __future__ import annotations

import secrets
from typing import Annotated, Final

import msgspec
from msgspec import Meta

from tablectl.journal.signing import Signer, Witness

_NONCE_BYTES: Final = 16

#: 32 hexadecimal digits that nobody guesses.
Nonce = Annotated[str, Meta(pattern=r"\A[0-9a-f]{32}\Z")]


class SignedTime(msgspec.Struct, frozen=True, kw_only=True):
    """`at`: the server's time (RFC 3339, UTC) when it was asked with this nonce."""

    at: str
    nonce: Nonce
    #: 128 hexadecimal digits; empty before it is signed
    signature: str = ""

    def text(self) -> bytes:
        """What is signed."""
        return f"tablectl time {self.nonce} {self.at}\n".encode()


def new_nonce() -> str:
    """For one question."""
    return secrets.token_hex(_NONCE_BYTES)


def signed(signer: Signer, nonce: str, at: str) -> SignedTime:
    """The answer to whoever asked with this nonce."""
    told = SignedTime(at=at, nonce=nonce)
    return msgspec.structs.replace(told, signature=signer.sign_text(told.text()).hex())


def is_good(witness: Witness, told: SignedTime, nonce: str) -> bool:
    """Whether the owner of the key signed it, for this question."""
    try:
        signature = bytes.fromhex(told.signature)
    except ValueError:
        return False
    return told.nonce == nonce and witness.confirms_text(told.text(), signature)

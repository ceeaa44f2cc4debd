"""What a person signs with a passkey, and whether an assertion is his: asked before he acts, and years later.

The challenge binds the assertion to one table, one moment of its journal and one action; nothing else can be done with
it. W3C Web Authentication Level 3, section 7.2; keys and signatures are read by the library `fido2`.
"""

from __future__ import annotations

import hashlib
import struct
from collections.abc import Mapping
from typing import Final
from urllib.parse import urlsplit

from cryptography.exceptions import InvalidSignature, UnsupportedAlgorithm
from fido2 import cbor
from fido2.cose import CoseKey
from fido2.utils import websafe_decode
from fido2.webauthn import AuthenticatorData, CollectedClientData

from tablectl.core.events.notes import Proven
from tablectl.journal.challenge import challenge_of

#: The only name that is no domain and has no certificate: a browser's own machine.
LOCALHOST: Final = "localhost"
#: What the library raises for bytes that are none of what they claim to be.
_UNREADABLE: Final = (
    ValueError,
    TypeError,
    LookupError,
    AttributeError,
    NotImplementedError,
    OverflowError,
    struct.error,
)


class BadProof(ValueError):
    """It is no proof of that. The text says why."""


def is_origin(origin: str, rp: str) -> bool:
    """Whether a page of this origin may ask for passkeys of this host name: of it or below it, over TLS; without TLS on
    the browser's own machine alone."""
    try:
        parts = urlsplit(origin)
        host = parts.hostname or ""
    except ValueError:
        return False
    if host == LOCALHOST == rp:
        return parts.scheme in ("http", "https")
    return parts.scheme == "https" and (host == rp or host.endswith(f".{rp}"))


def check(proof: Proven) -> None:
    """Whether the passkey of this key signed this action at this moment of this table, its person being verified.
    Raises `BadProof`."""
    challenge = challenge_of(
        table=proof.table, seq=proof.head_seq, link=proof.head_hash, nonce=proof.nonce, action=proof.action
    )
    try:
        client = CollectedClientData(websafe_decode(proof.client_data))
        data = AuthenticatorData(websafe_decode(proof.authenticator_data))
        key = _key(websafe_decode(proof.key))
        signature = websafe_decode(proof.signature)
    except _UNREADABLE as wrong:
        raise BadProof(f"it cannot be read: {type(wrong).__name__}") from None
    if client.type != CollectedClientData.TYPE.GET:
        raise BadProof("it was made for something else than signing on")
    if client.challenge != challenge:
        raise BadProof("it is for another action, moment or table")
    if not is_origin(client.origin, proof.rp):
        raise BadProof(f"it comes from a page of {client.origin}")
    if data.rp_id_hash != hashlib.sha256(proof.rp.encode()).digest():
        raise BadProof("the passkey belongs to another host name")
    if not data.is_user_present() or not data.is_user_verified():
        raise BadProof("the authenticator did not ask who touches it (user verification)")
    try:
        key.verify(bytes(data) + client.hash, signature)
    except (InvalidSignature, UnsupportedAlgorithm, *_UNREADABLE) as wrong:
        raise BadProof(f"the signature is not by that key ({type(wrong).__name__})") from None


def _key(coded: bytes) -> CoseKey:
    """Raises one of `_UNREADABLE`."""
    found = cbor.decode(coded)
    if not isinstance(found, Mapping):
        raise TypeError("no COSE key")
    return CoseKey.parse(found)

"""What a person signs with a passkey before he acts, and what is on record of the passkey: both are hashes."""

from __future__ import annotations

import hashlib


def challenge_of(*, table: str, seq: int, link: str, nonce: str, action: str) -> bytes:
    """What is signed for an action: SHA-256 over two lines, with the newest record's number and hash (hexadecimal)."""
    return hashlib.sha256(f"tablectl action {table} {seq} {link} {nonce}\n{action}\n".encode()).digest()


def digest_of(credential: str, key: str) -> str:
    """What is on record of a passkey from the moment at which it belongs to an account: 64 hexadecimal digits."""
    return hashlib.sha256(f"{credential} {key}".encode()).hexdigest()

"""What is derived from keys, held against values that openssl made: who has kept one can compare it for ten years.

openssl dgst -sha256 -r FILE
printf TEXT | openssl dgst -sha256 -mac HMAC -macopt hexkey:KEY -r
"""

from __future__ import annotations

import pytest

from tablectl.journal.public_keys import fingerprint, whole_fingerprint
from tablectl.journal.record import commitment
from tablectl.journal.seal import Vault
from tablectl.people.sessions import csrf_of
from tests.journal.journals import KEY, SIGNER


def test_the_fingerprint_of_a_sealing_key() -> None:
    """SHA-256 of `tablectl sealing key ` and the 32 bytes 00 01 .. 1f."""
    assert Vault(KEY).fingerprint == "d1f319a6b5bd96facef642a2d5e7799c95ba6bf0c47a6b122ea470cae7dfb1c5"


@pytest.mark.parametrize(
    ("purpose", "digest"),
    [("badge", "d5eadebc34bb4486c0008d717907dd1e"), ("tag", "3c2f33b04931a4467b395eeff48a40e9")],
)
def test_the_digest_of_a_text_under_the_key_of_digests(purpose: str, digest: str) -> None:
    """That key is the HMAC of `tablectl key of digests` under the sealing key."""
    assert Vault(KEY).digest(purpose, "04A1B2C3") == digest


def test_the_fingerprint_of_a_public_key() -> None:
    """Of the private key 20 21 .. 3f (RFC 8032): all digits, and the first 16 in fours."""
    assert SIGNER.public.hex() == "29acbae141bccaf0b22e1a94d34d0bc7361e526d0bfe12c89794bc9322966dd7"
    assert fingerprint(SIGNER.public) == "24f6 ed6a cbfe 1009"
    assert whole_fingerprint(SIGNER.public) == "24f6ed6acbfe1009c030d7ca567c33ca4830911498236b5561a6c82abec5de28"


def test_the_token_of_a_page_of_a_session() -> None:
    """HMAC of `tablectl page` under the session's token."""
    assert csrf_of("a-token") == "f8616dd3888aebedc0bbcbc0a156c27ad0055d862f9bcacc68506a407be51bc2"


def test_the_commitment_of_a_card() -> None:
    """SHA-256 of the salt 00 01 .. 0f and the two letters of the card."""
    assert commitment("As", bytes(range(16))) == "f988a2eaef90de7a80945e6b5b76cf33e107f4554ac9580e3396c5185363affc"

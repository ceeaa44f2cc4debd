"""One-time codes: how a table and a pit server that do not know each other yet prove that one person stands at both.

The administrator reads a code at the pit server, somebody types it at the table. It never travels: both derive a secret
from it (scrypt, RFC 7914) and prove with that (HMAC-SHA256) that they say what they say. It has 60 bits, so that
whoever records a proof does not find the code by trying.
"""

from __future__ import annotations

import hashlib
import hmac
import secrets
from typing import Final

#: Crockford's base 32: no I, L, O and U, which are taken for 1, 1, 0 and V.
ALPHABET: Final = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
LENGTH: Final = 12
GROUP: Final = 4
#: So long a code is good, in seconds.
VALID_S: Final = 30 * 60
#: After so many wrong tries a code is void.
TRIES_MOST: Final = 5

_LOOK_ALIKES: Final = str.maketrans("ILO", "110", "- \t")
#: Costs of scrypt: 16 MiB and about 50 ms a try.
_N: Final = 2**14
_R: Final = 8
_P: Final = 1
SECRET_BYTES: Final = 32


class BadCode(ValueError):
    """What somebody typed is no code. The text says what a code looks like."""


def new_code() -> str:
    """As it is shown: in groups."""
    code = "".join(secrets.choice(ALPHABET) for _ in range(LENGTH))
    return "-".join(code[at : at + GROUP] for at in range(0, LENGTH, GROUP))


def typed(text: str) -> str:
    """The code that somebody means, whichever way it is typed: small letters, without hyphens, O for 0, I and L for 1.
    Raises `BadCode`."""
    code = text.strip().upper().translate(_LOOK_ALIKES)
    if len(code) != LENGTH or not set(code) <= set(ALPHABET):
        raise BadCode(f"a code has {LENGTH} letters and digits in groups of {GROUP}, as in 7K2M-9QXD-B4TV")
    return code


def secret_of(code: str, name: str) -> bytes:
    """What both ends derive from a code for the table of this name. Takes about 50 ms. Raises `BadCode`."""
    return hashlib.scrypt(typed(code).encode(), salt=name.encode(), n=_N, r=_R, p=_P, dklen=SECRET_BYTES)


def proof(secret: bytes, text: bytes) -> str:
    """That whoever says this knows the code: 64 hexadecimal digits."""
    return hmac.new(secret, text, hashlib.sha256).hexdigest()


def is_proven(secret: bytes, text: bytes, shown: str) -> bool:
    """Whether this is the proof; it takes as long where it is nearly right."""
    return hmac.compare_digest(proof(secret, text).encode(), shown.encode())

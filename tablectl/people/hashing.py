"""Secrets as they are kept: argon2id, slow and large on purpose, and never compared with anything but a hash."""

from __future__ import annotations

from typing import Final

from argon2 import Parameters, PasswordHasher
from argon2.exceptions import InvalidHashError, VerificationError
from argon2.low_level import ARGON2_VERSION, Type

#: RFC 9106, section 4, "SECOND RECOMMENDED option" (low memory): argon2id, t=3 iterations, p=4 lanes, m=2^16 KiB
#: (64 MiB), a salt of 128 bits, a tag of 256 bits; version 0x13 (section 3.1).
RFC_9106_LOW_MEMORY: Final = Parameters(
    type=Type.ID,
    version=ARGON2_VERSION,
    salt_len=16,
    hash_len=32,
    time_cost=3,
    memory_cost=1 << 16,
    parallelism=4,
)


class Hashing:
    """Makes hashes and checks secrets against them. Both take their time: never in the loop that serves pages."""

    def __init__(self, parameters: Parameters = RFC_9106_LOW_MEMORY) -> None:
        self._hasher = PasswordHasher.from_parameters(parameters)
        #: nobody's secret: what an unknown name is checked against
        self._nobodys = self._hasher.hash("nobody's secret")

    def made(self, secret: str) -> str:
        """The hash with its parameters and salt, as it is kept."""
        return self._hasher.hash(secret)

    def agrees(self, kept: str | None, secret: str) -> bool:
        """Whether this is the secret. Where none is kept it takes as long, and it is not."""
        try:
            self._hasher.verify(self._nobodys if kept is None else kept, secret)
        except (VerificationError, InvalidHashError):
            return False
        return kept is not None

    def is_outdated(self, kept: str) -> bool:
        """Whether it was made with other parameters than those of today."""
        return self._hasher.check_needs_rehash(kept)

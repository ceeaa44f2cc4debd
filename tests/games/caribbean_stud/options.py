"""What a house may choose at `caribbean-stud`."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum
from typing import ClassVar

from tablectl.core.options.choices import Profile, left_open


class BankExposedUntil(StrEnum):
    """Until when a bank card that was seen too soon voids the hand."""

    REVEAL = "reveal"
    LAST_DECISION = "last-decision"


@dataclass(frozen=True, slots=True, kw_only=True)
class CaribbeanStudProfile(Profile):
    """The choices of a house for `caribbean-stud`."""

    rulebook: ClassVar[str] = "caribbean-stud"

    bank_hidden_until: BankExposedUntil = field(
        default=BankExposedUntil.REVEAL,
        metadata=left_open("AMB-901", at="CST-ERR-1"),
    )

"""Who somebody is to the table. Pure."""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import StrEnum
from typing import Final


class Role(StrEnum):
    """What a person may see and do. A person of a small house may have several."""

    CROUPIER = "croupier"
    PIT_BOSS = "pit-boss"
    MANAGER = "manager"
    TECHNICIAN = "technician"
    AUDITOR = "auditor"


#: What somebody is called in records: one word.
NAME: Final = re.compile("[a-z][a-z0-9.-]{0,31}")
#: Who does what nobody did.
SYSTEM: Final = "system"
ALL_ROLES: Final = frozenset(Role)


@dataclass(frozen=True, kw_only=True, slots=True)
class Person:
    """Somebody who signed on. `name` is one word and stands in every record of what this person did."""

    name: str
    roles: frozenset[Role]

    def role_among(self, roles: frozenset[Role] = ALL_ROLES) -> str:
        """The one role, of these, in which this person acts: the highest; "" where there is none."""
        return next((role.value for role in _HIGHEST_FIRST if role in self.roles & roles), "")


_HIGHEST_FIRST: Final = (Role.MANAGER, Role.PIT_BOSS, Role.AUDITOR, Role.TECHNICIAN, Role.CROUPIER)

"""The people of a demo's house: one of each role, and a visitor who may do everything.

All have the same PIN, made anew at each start and shown on the sign-on page, so that a visitor can be any of them, also
the second person of a ruling: whoever deals at the table, and everybody with it as his password. A real house gives
nobody a secret that somebody else knows.
"""

from __future__ import annotations

import secrets
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from tablectl.core.roles import ALL_ROLES, Role
from tablectl.people import demo_pin
from tablectl.people.people import People
from tablectl.people.rules import PIN_DIGITS, WeakSecret, check_pin
from tablectl.people.sessions import Place

VISITOR: Final = "demo"
CROUPIER: Final = "ana"
WHO: Final = {
    CROUPIER: frozenset({Role.CROUPIER}),
    "luis": frozenset({Role.PIT_BOSS}),
    "eva": frozenset({Role.PIT_BOSS}),
    "marta": frozenset({Role.MANAGER}),
    "tomas": frozenset({Role.TECHNICIAN}),
    "alba": frozenset({Role.AUDITOR}),
    VISITOR: ALL_ROLES,
}
_DISPLAY: Final = {"tomas": "Tomás", VISITOR: "Demo"}


@dataclass(frozen=True, kw_only=True, slots=True)
class Secrets:
    """What everybody in a demo signs on with."""

    pin: str


def make_people(path: Path) -> Secrets:
    """A new file of accounts, and the secrets of this start."""
    people = People(path)
    made = Secrets(pin=_pin())
    secret = people.hashing.made(made.pin)
    with people.file.transaction():
        for name, roles in WHO.items():
            people.accounts.make(name, display=_DISPLAY.get(name, name.title()), roles=roles, password=secret)
            people.accounts.set_password(name, secret, must_change=False)
            if Role.CROUPIER in roles:
                people.accounts.set_pin(name, secret)
        # The demo's own croupier signs on at the table, where there is no browser that would keep his token.
        people.sessions.open(CROUPIER, Place.TABLE, people.now_us())
    people.file.close()
    demo_pin.keep(path, made.pin)
    return made


def _pin() -> str:
    while True:
        pin = f"{secrets.randbelow(10**PIN_DIGITS):0{PIN_DIGITS}}"
        try:
            check_pin(pin)
        except WeakSecret:
            continue
        return pin

"""People of a house for tests: one of each role, who are signed on from the start, and `everybody` with all roles."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from argon2 import Parameters
from argon2.low_level import ARGON2_VERSION, Type

from tablectl.core.roles import ALL_ROLES, Role
from tablectl.journal.clock import now_us
from tablectl.people.hashing import Hashing
from tablectl.people.people import COOKIE, People
from tablectl.people.sessions import Place, Sessions, csrf_of
from tablectl.web.screens.viewer import Viewer, show_to, viewer

#: As quick as argon2id can be: what it is worth is tested elsewhere.
CHEAP: Final = Parameters(
    type=Type.ID, version=ARGON2_VERSION, salt_len=16, hash_len=16, time_cost=1, memory_cost=8, parallelism=1
)
PASSWORD: Final = "correct horse battery"
PIN: Final = "271828"
EVERYBODY: Final = "everybody"
#: Who there is, by name.
ROLES: Final = {**{role.value: frozenset({role}) for role in Role}, EVERYBODY: ALL_ROLES}
#: Whose page a page is.
WATCHER: Final = {"croupier": "croupier", "pit": "pit-boss", "technician": "technician"}


def token_of(name: str) -> str:
    """The token of this person's session: any process can know it."""
    return f"session-of-{name}"


def staffed(path: Path) -> Path:
    """A file of accounts with all of them, signed on."""
    people = People(path, parameters=CHEAP)
    kept, pin = Hashing(CHEAP).made(PASSWORD), Hashing(CHEAP).made(PIN)
    with people.file.transaction():
        for name, roles in ROLES.items():
            people.accounts.make(name, display=name.title(), roles=roles, password=kept)
            people.accounts.set_password(name, kept, must_change=False)
            if Role.CROUPIER in roles:
                people.accounts.set_pin(name, pin)
            signed_on(people, name)
    people.file.close()
    return path


def signed_on(people: People, name: str, place: Place = Place.DESK) -> str:
    """Sign this person on without more ado; the token, which is `token_of(name)`."""
    return Sessions(people.file, token=lambda: token_of(name)).open(name, place, now_us())


def sign_on_again(people: People, name: str) -> None:
    """The same session as at the start, also for somebody who ended it or is ended."""
    people.sessions.end(token_of(name))
    signed_on(people, name)


def house(path: Path) -> People:
    """The people of a file, with secrets that are quickly checked."""
    return People(path, parameters=CHEAP)


def cookies(name: str = EVERYBODY) -> dict[str, str]:
    """What the browser of this person sends."""
    return {COOKIE: token_of(name)}


def headers(name: str = EVERYBODY) -> dict[str, str]:
    """The same as a header, with what a page sends back with whatever it does."""
    return {"Cookie": f"{COOKIE}={token_of(name)}", "X-Tablectl": csrf_of(token_of(name))}


@contextmanager
def shown_to(who: Viewer) -> Iterator[None]:
    """What is made in the context is made for this viewer; what other tests make afterwards is not."""
    before = viewer()
    show_to(who)
    try:
        yield
    finally:
        show_to(before)

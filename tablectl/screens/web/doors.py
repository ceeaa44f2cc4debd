"""Every address of the screens and who may open it: a door is a route and the roles that it asks for.

There is no other way to make a route (`app.py` makes them of doors alone), so the list of doors is the list of what can
be authorised, and a test goes through all of it with every role.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable
from dataclasses import dataclass
from typing import Final, TypeAlias

from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from tablectl.people.roles import Person, Role

Endpoint: TypeAlias = Callable[[Request], Awaitable[Response]]
Who: TypeAlias = Callable[[Request], Person | None]

#: Nobody has to sign on.
EVERYBODY: Final = frozenset[Role]()


@dataclass(frozen=True, kw_only=True, slots=True)
class Door:
    """`roles`: whoever has one of them may open it; empty (`EVERYBODY`) where nobody has to sign on."""

    path: str
    endpoint: Endpoint
    roles: frozenset[Role]
    methods: tuple[str, ...] = ("GET",)


def routes(doors: Iterable[Door], who: Who) -> list[Route]:
    """The routes behind these doors. `who` says who is asking, None where nobody signed on."""
    return [Route(each.path, _guarded(each, who), methods=list(each.methods)) for each in doors]


def _guarded(door: Door, who: Who) -> Endpoint:
    async def guarded(request: Request) -> Response:
        person = who(request)
        request.state.person = person
        if door.roles and (person is None or not person.roles & door.roles):
            status = 401 if person is None else 403
            return JSONResponse({"ok": False, "error": "sign on" if person is None else "not yours"}, status)
        return await door.endpoint(request)

    return guarded


def person_of(request: Request) -> Person | None:
    """Who is asking, as the door found out."""
    person: Person | None = request.state.person
    return person

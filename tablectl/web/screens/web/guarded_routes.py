"""Every address of the screens and who may open it: a guarded route is a route and the roles that it asks for.

There is no other way to make a route (`app.py` makes them of guarded routes alone), so their list is the list of what
can be authorised, and a test goes through all of it with every role.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable
from dataclasses import dataclass
from typing import Final, TypeAlias

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from tablectl.core.roles import Person, Role
from tablectl.people.people import SignedOn
from tablectl.people.sessions import AlarmView

Endpoint: TypeAlias = Callable[[Request], Awaitable[Response]]

#: Nobody has to sign on.
EVERYBODY: Final = frozenset[Role]()


@dataclass(frozen=True, kw_only=True, slots=True)
class GuardedRoute:
    """`roles`: whoever has one of them may open it; empty (`EVERYBODY`) where nobody has to sign on. `signed_on`: of
    those who are signed on anybody may, with whatever role. `is_page`: a person looks at it; False of what pages ask
    for by themselves, which keeps no session open and is answered in JSON. `has_form`: it has a form that works
    without script. `has_alarm_view`: it opens to a browser, too, whose session time ended and which may show the
    alarms still; the endpoint gives that one nothing else (`alarm_view_of`)."""

    path: str
    endpoint: Endpoint
    roles: frozenset[Role]
    methods: tuple[str, ...] = ("GET",)
    signed_on: bool = False
    is_page: bool = True
    has_form: bool = False
    has_alarm_view: bool = False

    @property
    def is_public(self) -> bool:
        """Whether nobody has to sign on."""
        return not self.roles and not self.signed_on

    def opens_to(self, person: Person | None) -> bool:
        """Whether this person may open it."""
        if person is None or self.is_public:
            return self.is_public
        return self.signed_on or bool(person.roles & self.roles)


#: Refuses a request, or returns None: then the endpoint answers.
Gate: TypeAlias = Callable[[GuardedRoute, Request], Awaitable[Response | None]]


def routes(guarded_routes: Iterable[GuardedRoute], gate: Gate) -> list[Route]:
    """As Starlette has them, each with the same gate before its endpoint."""
    return [Route(route.path, _guarded(route, gate), methods=list(route.methods)) for route in guarded_routes]


def _guarded(route: GuardedRoute, gate: Gate) -> Endpoint:
    async def guarded(request: Request) -> Response:
        refusal = await gate(route, request)
        return await route.endpoint(request) if refusal is None else refusal

    return guarded


def signed_on_of(request: Request) -> SignedOn | None:
    """Who is signed on, as the gate found out."""
    found: SignedOn | None = request.state.signed_on
    return found


def alarm_view_of(request: Request) -> AlarmView | None:
    """What is left to this browser, where nobody is signed on and the route is one for that, as the gate found out."""
    found: AlarmView | None = request.state.alarm_view
    return found


def person_of(request: Request) -> Person | None:
    """Who is asking, as the gate found out."""
    found = signed_on_of(request)
    return None if found is None else found.person

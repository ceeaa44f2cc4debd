"""Whoever sits at this machine may do everything at a table that is none: one trainee, and no accounts."""

from __future__ import annotations

from typing import Final

from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from tablectl.people.accounts import Account
from tablectl.people.people import SignedOn
from tablectl.people.roles import ALL_ROLES, Person
from tablectl.people.sessions import Place, Session
from tablectl.web.screens.guard import own_origin
from tablectl.web.screens.viewer import show_to, viewer_of
from tablectl.web.screens.web.guarded_routes import GuardedRoute

NAME: Final = "trainee"
TRAINEE: Final = SignedOn(
    person=Person(name=NAME, roles=ALL_ROLES),
    account=Account(
        name=NAME, display=NAME, roles=ALL_ROLES, has_pin=False, n_badges=0, disabled=False, must_change=False
    ),
    session=Session(name=NAME, place=Place.TABLE, opened_us=0, active_us=0),
    token="",
)


async def trainees_gate(_route: GuardedRoute, request: Request) -> Response | None:
    """Lets every request of a page of this machine in, and no other."""
    request.state.signed_on, request.state.fields, request.state.has_form = TRAINEE, {}, False
    request.state.alarm_view = None
    show_to(viewer_of(TRAINEE))
    if request.method in ("GET", "HEAD") or own_origin(request):
        return None
    return JSONResponse({"ok": False, "error": "not from a page of these screens"}, 403)

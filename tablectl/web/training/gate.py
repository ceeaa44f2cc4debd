"""Whoever sits at this machine may do everything at a table that is none: one trainee, and no accounts."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any, Final, TypeVar, cast

from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from tablectl.api import async_client
from tablectl.core.roles import ALL_ROLES, Person
from tablectl.journal.clock import now_us
from tablectl.people.accounts import Account
from tablectl.people.people import SignedOn
from tablectl.people.service.authority import act_of, signed
from tablectl.people.service.questions import Act, IsGone, Look, NotYours, Question, Seen, Who
from tablectl.people.sessions import Place, Session
from tablectl.web.screens.guard import own_origin
from tablectl.web.screens.viewer import show_to, viewer_of
from tablectl.web.screens.web.guarded_routes import GuardedRoute

T = TypeVar("T")

NAME: Final = "trainee"
TRAINEE: Final = SignedOn(
    person=Person(name=NAME, roles=ALL_ROLES),
    account=Account(
        name=NAME, display=NAME, roles=ALL_ROLES, has_pin=False, n_badges=0, disabled=False, must_change=False
    ),
    session=Session(name=NAME, place=Place.TABLE, opened_us=0, active_us=0),
    token="",
)


#: What pages ask of accounts, whoever asks.
_ANSWERS: Final[Mapping[type, object]] = {Who: Seen(signed_on=TRAINEE), IsGone: False, Look: None}


class TraineesHouse:
    """The accounts of a table that is none: one trainee, who is always signed on."""

    def __init__(self, socket: Path) -> None:
        self._socket = socket

    def now_us(self) -> int:
        """The time."""
        return now_us()

    async def ask(self, question: Question[T]) -> T:
        """What pages of a training ask, and nothing of accounts. Raises `NotYours`, `NoController`."""
        if isinstance(question, Act):
            asked = question.request
            by = NAME if question.second is None else f"{NAME}+{question.second.name}"
            return cast(T, await async_client.ask(self._socket, signed(asked, act_of(asked), by)))
        if type(question) not in _ANSWERS:
            raise NotYours("not-yours")
        return cast(T, _ANSWERS[type(question)])

    async def progress(self, act: Act) -> AsyncGenerator[Mapping[str, Any]]:
        """No deck is registered in a training."""
        said: dict[str, Any] = await self.ask(act)
        yield said


async def trainees_gate(_route: GuardedRoute, request: Request) -> Response | None:
    """Lets every request of a page of this machine in, and no other."""
    request.state.signed_on, request.state.fields, request.state.has_form = TRAINEE, {}, False
    request.state.alarm_view = None
    show_to(replace(viewer_of(TRAINEE), is_trainee=True))
    if request.method in ("GET", "HEAD") or own_origin(request):
        return None
    return JSONResponse({"ok": False, "error": "not from a page of these screens"}, 403)

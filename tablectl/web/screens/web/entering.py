"""What a person enters at a page: one act, checked, sent to the controller, and what the controller said to it."""

from __future__ import annotations

from collections.abc import Coroutine, Mapping
from dataclasses import replace
from typing import Any, Final

import msgspec
from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from tablectl.api.client import NoController
from tablectl.api.commands import PROMPT_CHANGED
from tablectl.core.engine.vocabulary import Refusal
from tablectl.core.public_table.chip_float import ABOVE_TRAY, NO_CHIPS
from tablectl.core.roles import Person
from tablectl.i18n.amounts import NotAnAmount
from tablectl.people.service.authority import CROUPIERS, OF_TWO
from tablectl.people.service.questions import AskToSign, NoAccounts, NotYours, Second
from tablectl.web.screens.entries import (
    ACKNOWLEDGE,
    ACKNOWLEDGE_GONE,
    SCREENS,
    BadEntry,
    BadText,
    Screen,
    Typed,
    acknowledgements,
    question_of,
)
from tablectl.web.screens.greeting import TableInfo
from tablectl.web.screens.language import language
from tablectl.web.screens.link import Reply
from tablectl.web.screens.render import ALARM_PAGE
from tablectl.web.screens.web.guarded_routes import GuardedRoute, person_of
from tablectl.web.screens.web.posted import takes_json
from tablectl.web.screens.web.shared import Shared, token_of

_WHO: Final = frozenset().union(*(screen.roles for screen in SCREENS.values()))

#: What the controller's reasons are called here, where it says one.
_WHY: Final = {
    Refusal.SECOND_PERSON.value: "needs-second",
    **{why: why for why in (NO_CHIPS, ABOVE_TRAY, PROMPT_CHANGED)},
}
#: What the pit boss's entries are called in sentences about them: the croupier's page shows what was refused there.
_ENTRIES: Final = {
    "rule": "ruled",
    ACKNOWLEDGE: "acknowledged",
    "shelve": "shelved",
    "unshelve": "unshelved",
    "limits": "limits-set",
    "name": "named",
    "correct": "corrected",
    "transfer": "transferred",
    "call": "called",
}


class Entering:
    """The one address to which pages send entries."""

    def __init__(self, shared: Shared) -> None:
        self._shared = shared

    def guarded_routes(self) -> tuple[GuardedRoute, ...]:
        """Where it is."""
        return (
            GuardedRoute(path="/enter", endpoint=takes_json(self.enter, self._no_entry), roles=_WHO, methods=("POST",)),
            GuardedRoute(
                path="/enter/sign", endpoint=takes_json(self.to_sign, self._no_entry), roles=_WHO, methods=("POST",)
            ),
            GuardedRoute(path="/amount", endpoint=self.amount, roles=_WHO),
        )

    async def amount(self, request: Request) -> Response:
        """What is typed as an amount, with its currency, for whoever is about to enter it; or how it would be right."""
        table, text = self._shared.feed.picture.table, request.query_params.get("text", "")
        if table is None:
            return self._no(request, 503, "not-sent")
        spoken = language(request)
        try:
            amount = Typed(table=table, language=spoken).amount(text)
        except NotAnAmount as wrong:
            return JSONResponse(
                {"ok": False, "says": self._shared.says(request, "amount-like", example=wrong.example)[0]}
            )
        return JSONResponse(
            {"ok": True, "says": self._shared.pages.texts(spoken, self._shared.feed.picture).money(amount)}
        )

    async def to_sign(self, request: Request, entry: dict[str, Any]) -> Response:
        """What the browser of a second person needs to let him sign this entry with a passkey."""
        return await self._answered(request, self._to_sign(request, entry))

    async def _to_sign(self, request: Request, entry: dict[str, Any]) -> Response:
        asked, second, _ = self._checked(request, entry)
        if second is None:
            raise BadEntry("second")
        question = AskToSign(token=token_of(request), request=dict(asked), second=second.name)
        options: dict[str, Any] = await self._shared.house.ask(question)
        return JSONResponse({"ok": True, **options})

    async def enter(self, request: Request, entry: dict[str, Any]) -> Response:
        """One entry of a page. Answers what the controller says, or why it was not sent."""
        return await self._answered(request, self._entered(request, entry))

    async def _answered(self, request: Request, work: Coroutine[Any, Any, Response]) -> Response:
        """The answer, or why there is none."""
        try:
            return await work
        except NotAnAmount as wrong:
            return self._no(request, 400, "bad-amount", text=str(wrong), example=wrong.example)
        except BadText:
            return self._no(request, 400, "bad-text")
        except BadEntry:
            return self._no_entry(request, 400)
        except NotYours as no:
            return self._no(request, 403, no.why, **no.values)
        except (NoAccounts, NoController):
            return self._no(request, 503, "not-sent")

    async def _entered(self, request: Request, entry: dict[str, Any]) -> Response:
        reply = await self._enter(request, entry)
        if not reply.ok:
            return self._no(request, 409, _WHY.get(reply.why, "controller"), error=reply.error)
        told: dict[str, object] = {"ok": True, "seq": reply.seq, "refused": reply.refused}
        if reply.refused is not None and (entry["page"] == "pit" or entry["act"] == ACKNOWLEDGE):
            told["says"] = self._shared.says_refused(request, reply.refused, entry=_ENTRIES[entry["act"]])
        return JSONResponse(told)

    async def _enter(self, request: Request, entry: dict[str, Any]) -> Reply:
        if entry.get("page") == ALARM_PAGE and entry.get("act") in (ACKNOWLEDGE, ACKNOWLEDGE_GONE):
            return await self._acknowledge(request, entry)
        asked, second, screen = self._checked(request, entry)
        if second is not None and not entry["second"].keys() & {"secret", "passkey"}:
            raise BadEntry("second")
        return await self._shared.act(request, asked, second=second, as_croupier=screen.roles == CROUPIERS)

    def _checked(self, request: Request, entry: Mapping[str, Any]) -> tuple[Mapping[str, Any], Second | None, Screen]:
        """What an entry asks of the controller, who signs beside whoever enters it, and at which page it was made.
        Raises `BadEntry`, `NotAnAmount`, `NotYours`, `NoController`."""
        screen, person, table = self._page_of(request, entry)
        second = _second_of(entry)
        names = person.name if second is None else f"{person.name}+{second.name}"
        asked = question_of(screen, entry, Typed(table=table, language=language(request)), by=names)
        return asked, second, screen

    def _page_of(self, request: Request, entry: Mapping[str, Any]) -> tuple[Screen, Person, TableInfo]:
        """Raises `BadEntry`, `NotYours`, `NoController`."""
        screen, person, picture = SCREENS.get(str(entry.get("page"))), person_of(request), self._shared.feed.picture
        if screen is None:
            raise BadEntry(f"page {entry.get('page')!r}")
        if picture.table is None or not picture.connected:
            raise NoController("not connected")
        if person is None or not person.roles & screen.roles:
            raise NotYours("not-yours")
        return screen, person, picture.table

    async def _acknowledge(self, request: Request, entry: Mapping[str, Any]) -> Reply:
        """One fact for each alarm. Answers what was said to the last one, which is the one that was named; of several
        nobody minds that somebody else acknowledged some of them meanwhile."""
        _, person, _ = self._page_of(request, entry)
        if entry.get("second") is not None:
            raise BadEntry("second")
        reply, alarms = Reply(ok=True), self._shared.pages.alarms(self._shared.feed.picture)
        for line in acknowledgements(entry, alarms, by=person.name):
            reply = await self._shared.act(request, {"enter": line})
            if not reply.ok:
                break
        return replace(reply, refused=None) if entry.get("act") == ACKNOWLEDGE_GONE else reply

    def _no_entry(self, request: Request, status: int) -> Response:
        return self._no(request, status, "bad-entry")

    def _no(self, request: Request, status: int, why: str, **values: str) -> Response:
        says = self._shared.says(request, why, **values)
        return JSONResponse({"ok": False, "error": why, "says": says}, status_code=status)


def _second_of(entry: Mapping[str, Any]) -> Second | None:
    """Who signs beside whoever enters, by a secret or a passkey; None where it is nobody. Raises `BadEntry`."""
    found = entry.get("second")
    if found is None:
        return None
    if entry.get("act") not in OF_TWO:
        raise BadEntry("second")
    try:
        second = msgspec.convert(found, Second)
        f"{second.name}{second.secret}".encode()
    except (msgspec.ValidationError, UnicodeEncodeError):
        raise BadEntry("second") from None
    return second

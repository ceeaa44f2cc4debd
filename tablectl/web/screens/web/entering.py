"""What a person enters at a page: one act, checked, sent to the controller, and what the controller said to it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, Final

from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from tablectl.api.client import NoController
from tablectl.api.commands import PROMPT_CHANGED
from tablectl.core.access import AccessKind
from tablectl.core.engine.vocabulary import Refusal
from tablectl.core.public_table.chip_float import ABOVE_TRAY, NO_CHIPS
from tablectl.i18n.amounts import NotAnAmount
from tablectl.people.people import SECONDS, Denied
from tablectl.people.roles import Person, Role
from tablectl.web.screens.entries import (
    ACKNOWLEDGE,
    ACKNOWLEDGE_GONE,
    OF_TWO,
    SCREENS,
    TAKE_TABLE,
    BadEntry,
    BadText,
    Screen,
    Typed,
    acknowledgements,
    question_of,
)
from tablectl.web.screens.feed import Picture
from tablectl.web.screens.language import language
from tablectl.web.screens.link import Reply
from tablectl.web.screens.render import ALARM_PAGE
from tablectl.web.screens.web.guarded_routes import GuardedRoute, person_of
from tablectl.web.screens.web.posted import takes_json
from tablectl.web.screens.web.shared import Shared, is_at_table, source_of

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


#: What the croupier can sign as well beside a pit boss (rulings, "Who confirms"; THL-SDN-8).
_BY_CROUPIER_TOO: Final = frozenset({"correct", "transfer"})


class NotYours(Exception):
    """This person may not enter that. `why` has a sentence."""

    def __init__(self, why: str, **values: str) -> None:
        super().__init__(why)
        self.why = why
        self.values = values


class Entering:
    """The one address to which pages send entries."""

    def __init__(self, shared: Shared) -> None:
        self._shared = shared

    def guarded_routes(self) -> tuple[GuardedRoute, ...]:
        """Where it is."""
        return (
            GuardedRoute(path="/enter", endpoint=takes_json(self.enter, self._no_entry), roles=_WHO, methods=("POST",)),
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

    async def enter(self, request: Request, entry: dict[str, Any]) -> Response:
        """One entry of a page. Answers what the controller says, or why it was not sent."""
        try:
            reply = await self._enter(request, entry)
        except NotAnAmount as wrong:
            return self._no(request, 400, "bad-amount", text=str(wrong), example=wrong.example)
        except BadText:
            return self._no(request, 400, "bad-text")
        except BadEntry:
            return self._no_entry(request, 400)
        except NotYours as no:
            return self._no(request, 403, no.why, **no.values)
        except NoController:
            return self._no(request, 503, "not-sent")
        if not reply.ok:
            return self._no(request, 409, _WHY.get(reply.why, "controller"), error=reply.error)
        told: dict[str, object] = {"ok": True, "seq": reply.seq, "refused": reply.refused}
        if reply.refused is not None and (entry["page"] == "pit" or entry["act"] == ACKNOWLEDGE):
            told["says"] = self._shared.says_refused(request, reply.refused, entry=_ENTRIES[entry["act"]])
        return JSONResponse(told)

    async def _enter(self, request: Request, entry: dict[str, Any]) -> Reply:
        screen, person = SCREENS.get(str(entry.get("page"))), person_of(request)
        if screen is None:
            raise BadEntry(f"page {entry.get('page')!r}")
        picture = self._shared.feed.picture
        if picture.table is None or not picture.connected:
            raise NoController("not connected")
        if person is None or not person.roles & screen.roles:
            raise NotYours("not-yours")
        if screen.roles == {Role.CROUPIER} and not is_at_table(request):
            raise NotYours("not-here")
        _at_his_table(person, screen, entry, picture)
        if screen.name == ALARM_PAGE and entry.get("act") in (ACKNOWLEDGE, ACKNOWLEDGE_GONE):
            if entry.get("second") is not None:
                raise BadEntry("second")
            return await self._acknowledge(picture, entry, person.name)
        typed = Typed(table=picture.table, language=language(request))
        question_of(screen, entry, typed, by=person.name)
        by = await self._names(request, person, entry)
        return await self._shared.link.say(question_of(screen, entry, typed, by=by))

    async def _acknowledge(self, picture: Picture, entry: Mapping[str, Any], by: str) -> Reply:
        """One fact for each alarm. Answers what was said to the last one, which is the one that was named; of several
        nobody minds that somebody else acknowledged some of them meanwhile."""
        reply = Reply(ok=True)
        for line in acknowledgements(entry, self._shared.pages.alarms(picture), by=by):
            reply = await self._shared.link.enter(line, by=by)
            if not reply.ok:
                break
        return replace(reply, refused=None) if entry.get("act") == ACKNOWLEDGE_GONE else reply

    async def _names(self, request: Request, person: Person, entry: Mapping[str, Any]) -> str:
        """Who signs it: this person, and where the entry brings a second one with his own secret, both."""
        second = entry.get("second")
        if second is None:
            return person.name
        if entry.get("act") not in OF_TWO or not isinstance(second, dict):
            raise BadEntry("second")
        name, secret = second.get("name"), second.get("secret")
        if not isinstance(name, str) or not isinstance(secret, str):
            raise BadEntry("second")
        if name == person.name:
            raise NotYours("second-same")
        try:
            beside = SECONDS | {Role.CROUPIER} if entry["act"] in _BY_CROUPIER_TOO else SECONDS
            found = await self._shared.people.check(name, secret, roles=beside, source=source_of(request))
        except Denied as no:
            raise NotYours(f"second-{no.why}", pause=str(no.pause_s)) from None
        if found is None:
            raise NotYours("second-wrong")
        role, about = found.role_among(beside), f"{entry['act']} with {person.name}"
        self._shared.people.audit(AccessKind.CO_SIGNED, found.name, role, about, granted=True)
        return f"{person.name}+{found.name}"

    def _no_entry(self, request: Request, status: int) -> Response:
        return self._no(request, status, "bad-entry")

    def _no(self, request: Request, status: int, why: str, **values: str) -> Response:
        says = self._shared.says(request, why, **values)
        return JSONResponse({"ok": False, "error": why, "says": says}, status_code=status)


def _at_his_table(person: Person, screen: Screen, entry: Mapping[str, Any], picture: Picture) -> None:
    """Where the house knows its people, whoever deals enters, and nobody for him. Raises `NotYours`."""
    is_known = picture.table is not None and picture.table.staff
    if not is_known or screen.roles != {Role.CROUPIER} or entry.get("act") == TAKE_TABLE:
        return
    if picture.view.croupier != person.name:
        raise NotYours("not-at-table", croupier=picture.view.croupier or "—")

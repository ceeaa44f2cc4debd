"""The auditor opens the sealed cards of a finished hand. The request is signed in the browser: the auditor's private
key never comes here. The controller judges it, records it, and gives the cards; they are shown once and kept
nowhere."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from tablectl.api.client import NoController
from tablectl.core.access import AccessKind
from tablectl.core.engine.decisions import CardPlaced
from tablectl.core.events.corrections import as_they_stand
from tablectl.core.events.stream import decode_bytes
from tablectl.journal.clock import now_us
from tablectl.journal.sealed_card_request import TEXT_MOST, BadRequest, Why, parse, request_text
from tablectl.journal.search import Wanted, walk
from tablectl.web.screens.auditor.desk import AUDITORS, AuditorDesk, Unreadable
from tablectl.web.screens.web.guarded_routes import GuardedRoute
from tablectl.web.screens.web.shared import act_of

#: Refusals of the controller that have words; for others its own stand.
_WHYS: Final = frozenset(why.value for why in Why)


@dataclass(frozen=True, kw_only=True, slots=True)
class Opened:
    """A card as it is shown: `committed` is what its record says of it in public, `slot` where it was put (empty where
    nobody put it anywhere), `shown` the record from which on the rules showed it. `is_other_reading`: no card of its
    own, but what the shoe said as well of the one before."""

    seq: int
    draw: int | None
    code: str
    salt: str
    committed: str
    slot: str
    shown: int | None
    is_other_reading: bool


@dataclass(frozen=True, kw_only=True, slots=True)
class _Public:
    """What the public records of a hand say of its cards."""

    committed: Mapping[int, str]
    slots: Mapping[int, str]
    shown: Mapping[int, int]


class Opening:
    """The page of a hand, the text of a request, and the answer to a signed one."""

    def __init__(self, desk: AuditorDesk) -> None:
        self._desk = desk

    def guarded_routes(self) -> tuple[GuardedRoute, ...]:
        """Where they are."""
        path = "/auditor/open/{hand:int}"
        return (
            GuardedRoute(path="/auditor/open", endpoint=self._desk.reads(self.choose), roles=AUDITORS),
            GuardedRoute(path=path, endpoint=self._desk.reads(self.page), roles=AUDITORS),
            GuardedRoute(
                path=f"{path}/request", endpoint=self._desk.takes(self.request), roles=AUDITORS, methods=("POST",)
            ),
            GuardedRoute(
                path=f"{path}/cards", endpoint=self._desk.takes(self.cards), roles=AUDITORS, methods=("POST",)
            ),
        )

    async def choose(self, request: Request) -> Response:
        """Which hand."""
        return await self._shown(request, None)

    async def page(self, request: Request) -> Response:
        """One hand; nothing of it is on this page yet."""
        return await self._shown(request, int(request.path_params["hand"]))

    async def _shown(self, request: Request, hand: int | None) -> Response:
        picture = self._desk.shared.feed.picture
        return self._desk.page(
            request,
            "open",
            hand=hand,
            files=self._desk.files,
            who=self._desk.who(request),
            table_name="" if picture.table is None else picture.table.name,
            newest=picture.view.hand,
            reason_most=TEXT_MOST - len(self._desk.who(request)),
        )

    async def request(self, request: Request, sent: dict[str, Any]) -> Response:
        """The text that has to be signed."""
        reason, who = str(sent.get("reason") or "").strip(), self._desk.who(request)
        if not reason:
            return self._desk.no(request, 400, "no-reason")
        if len(reason) + len(who) > TEXT_MOST or not reason.isprintable():
            return self._desk.no(request, 400, "bad-reason")
        picture = self._desk.shared.feed.picture
        if picture.table is None or not picture.connected:
            return self._desk.no(request, 503, "no-controller")
        hand = int(request.path_params["hand"])
        text = request_text(table=picture.table.name, hand=hand, by=who, reason=reason, now_us=now_us())
        return JSONResponse({"ok": True, "text": text})

    async def cards(self, request: Request, sent: dict[str, Any]) -> Response:
        """The cards, for a request that the auditor signed."""
        hand = int(request.path_params["hand"])
        try:
            wanted = parse({"request": sent.get("request"), "signature": sent.get("signature")})
            public = await self._desk.read(lambda: _public(self._desk.files.journal, hand))
        except BadRequest:
            return self._desk.no(request, 400, "bad-request")
        except Unreadable:
            return self._desk.no(request, 503, "unusable")
        if wanted.hand != hand or wanted.by != self._desk.who(request):
            return self._desk.no(request, 400, "bad-request")
        question = {"unseal": {"request": wanted.text, "signature": wanted.signature.hex()}}
        try:
            reply = await self._desk.shared.house.ask(act_of(request, question))
        except NoController:
            return self._desk.no(request, 503, "no-controller")
        granted = reply.get("ok") is True
        await self._desk.record(request, AccessKind.OPENED_SEALED, f"hand {hand}: {wanted.reason}", granted=granted)
        if not granted:
            return self._refused(request, reply)
        html = self._desk.part(request, "cards", hand=hand, seq=reply["seq"], cards=_opened(reply["cards"], public))
        return JSONResponse({"ok": True, "seq": reply["seq"], "html": html})

    def _refused(self, request: Request, reply: Mapping[str, Any]) -> Response:
        why = str(reply.get("why", ""))
        detail, seq = str(reply.get("error", "")), reply.get("seq")
        return self._desk.no(request, 409, why if why in _WHYS else "refused", detail=detail, seq=seq)


def _public(journal: Path, hand: int) -> _Public:
    """Raises `JournalUnusable`, and `UnreadableRecord` for a spoiled record."""
    committed: dict[int, str] = {}
    slots: dict[int, str] = {}
    shown: dict[int, int] = {}
    hits = (hit for page in walk(journal, Wanted(hand=hand)) for hit in page)
    for record in as_they_stand(decode_bytes(hit.public, hit.seq) for hit in hits):
        committed[record.seq] = record.commitment or ""
        slots |= {placed.draw: placed.slot.name for placed in record.decisions if isinstance(placed, CardPlaced)}
        for reveal in record.reveals:
            shown.setdefault(reveal.draw, record.seq)
    return _Public(committed=committed, slots=slots, shown=shown)


def _opened(cards: list[dict[str, Any]], public: _Public) -> tuple[Opened, ...]:
    return tuple(
        Opened(
            seq=card["seq"],
            draw=card["draw"],
            code=card["card"],
            salt=card["salt"],
            committed=public.committed.get(card["seq"], ""),
            slot=public.slots.get(card["draw"], ""),
            shown=public.shown.get(card["draw"]),
            is_other_reading=card["is_other_reading"],
        )
        for card in cards
    )

"""The gate before every route: who is asking, whether he may, and whether it was a page of ours that asked for him."""

from __future__ import annotations

from typing import Final
from urllib.parse import parse_qs, parse_qsl, urlencode, urlsplit

from starlette.requests import Request
from starlette.responses import JSONResponse, RedirectResponse, Response

from tablectl.core.access import AccessKind
from tablectl.core.roles import Role
from tablectl.people.people import SignedOn
from tablectl.people.service.questions import Who
from tablectl.people.sessions import AlarmView, is_csrf
from tablectl.web.screens.guard import own_origin
from tablectl.web.screens.language import ASKED, language
from tablectl.web.screens.viewer import show_to, viewer_of
from tablectl.web.screens.web.guarded_routes import GuardedRoute
from tablectl.web.screens.web.shared import Shared, token_of

SIGN_ON: Final = "/sign-on"
ACCOUNT: Final = "/account"
#: What pages send with whatever they do, where a script does it; forms have a field of the name `csrf`.
CSRF_HEADER: Final = "X-Tablectl"
_FORM: Final = "application/x-www-form-urlencoded"
#: These change nothing.
_SAFE: Final = frozenset({"GET", "HEAD"})
SEE_OTHER: Final = 303


class Gate:
    """Says no, or nothing."""

    def __init__(self, shared: Shared) -> None:
        self._shared = shared

    async def __call__(self, route: GuardedRoute, request: Request) -> Response | None:
        """Find out who is asking; the refusal; None where he may."""
        request.state.has_form = route.has_form
        is_change = request.method not in _SAFE
        seen = await self._shared.house.ask(Who(token=token_of(request), is_activity=route.is_page))
        found = request.state.signed_on = seen.signed_on
        view = seen.alarm_view if route.has_alarm_view else None
        request.state.alarm_view = view
        show_to(viewer_of(found, view))
        request.state.fields = {}
        if is_change and (refusal := await self._not_ours(route, request, found or view)) is not None:
            return refusal
        if view is not None or route.opens_to(None if found is None else found.person):
            return None
        return await self._no(route, request, found)

    async def _not_ours(
        self, route: GuardedRoute, request: Request, found: SignedOn | AlarmView | None
    ) -> Response | None:
        """A change is made by a page of these screens: of the same origin, and of the same session."""
        if not own_origin(request):
            return self._json(request, 403, "not-own-page")
        if request.headers.get("content-type", "").partition(";")[0].strip() == _FORM:
            request.state.fields = _fields(await request.body())
        if found is None or route.is_public:
            return None
        sent = request.headers.get(CSRF_HEADER, request.state.fields.get("csrf", ""))
        return None if is_csrf(found.token, sent) else self._json(request, 403, "not-own-page")

    async def _no(self, route: GuardedRoute, request: Request, found: SignedOn | None) -> Response:
        is_page = route.is_page and request.method in _SAFE
        if found is not None and found.account.must_change:
            return _to(ACCOUNT, request) if is_page else self._json(request, 403, "must-change")
        if found is None:
            return _to(SIGN_ON, request) if is_page else self._json(request, 401, "sign-on")
        await self._shared.put_on_record(
            request, AccessKind.PAGE_REFUSED, "", request.url.path, granted=False, once=True
        )
        if not is_page:
            return self._json(request, 403, "not-yours")
        return self._shared.page(
            request,
            "not-yours",
            403,
            wanted=[role for role in Role if role in route.roles],
            gives_roles=Role.MANAGER in found.person.roles,
        )

    def _json(self, request: Request, status: int, why: str) -> JSONResponse:
        return JSONResponse({"ok": False, "error": why, "says": self._shared.says(request, why)}, status_code=status)


def _to(path: str, request: Request) -> Response:
    """There first, and then back here."""
    asked = f"{request.url.path}?{request.url.query}" if request.url.query else request.url.path
    spoken = {ASKED: language(request)} if ASKED in request.query_params else {}
    return RedirectResponse(f"{path}?{urlencode({'next': asked, **spoken})}", status_code=SEE_OTHER)


def next_of(asked: str | None) -> str:
    """Where to go afterwards: an address of these screens, whatever was asked for, and in the language of whoever signs
    on: it asks for none, which would be kept for him."""
    try:
        parts = urlsplit(asked or "")
    except ValueError:  # as "//[": no address at all
        return "/"
    is_ours = bool(asked) and not parts.scheme and not parts.netloc and parts.path.startswith("/")
    plain = is_ours and asked is not None and asked.isprintable() and "\\" not in asked and not asked.startswith("//")
    if not plain:
        return "/"
    rest = [(name, value) for name, value in parse_qsl(parts.query, keep_blank_values=True) if name != ASKED]
    return parts._replace(query=urlencode(rest)).geturl()


def _fields(body: bytes) -> dict[str, str]:
    """A form's fields; of one that comes several times all of it, apart by blanks."""
    try:
        found = parse_qs(body.decode(), keep_blank_values=True, errors="strict", max_num_fields=64)
    except ValueError:
        return {}
    return {name: " ".join(values) for name, values in found.items()}


def fields_of(request: Request) -> dict[str, str]:
    """What a form sent."""
    found: dict[str, str] = request.state.fields
    return found

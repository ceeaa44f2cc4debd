"""The security headers of every answer, word for word: whoever changes one of them sees it here."""

from __future__ import annotations

from typing import Final

import httpx2
import pytest
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route
from starlette.testclient import TestClient

from tablectl.web.screens.guard import Guard
from tests.screens.conftest import Screens
from tests.screens.test_app import get

SECURITY: Final = {
    "content-security-policy": "default-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none';"
    " object-src 'none'",
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
    "referrer-policy": "same-origin",
    "permissions-policy": "camera=(), geolocation=(), microphone=(), payment=(), usb=(), serial=(), hid=()",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "cache-control": "no-store",
}
#: Of a page whose forms are sent without script.
FORM_POLICY: Final = (
    "default-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'; object-src 'none'"
)


def security_of(answer: httpx2.Response) -> dict[str, str]:
    """All headers but those that say what is in the answer."""
    content = {"content-type", "content-length", "content-encoding", "date", "transfer-encoding", "etag", "connection"}
    kept = {"accept-ranges", "last-modified", "vary", "location", "set-cookie"}
    return {name.lower(): value for name, value in answer.headers.items() if name.lower() not in content | kept}


@pytest.mark.parametrize("path", ["/", "/croupier", "/pit", "/static/live.js", "/nowhere", "/metrics"])
def test_every_answer_has_these_headers_and_no_others(screens: Screens, path: str) -> None:
    assert security_of(get(f"{screens.url}{path}")) == SECURITY


def test_a_page_with_a_form_lets_it_be_sent_here_and_nowhere_else(screens: Screens) -> None:
    found = httpx2.get(f"{screens.url}/sign-on", timeout=10, verify=False)
    assert '<form method="post"' in found.text
    assert security_of(found) == SECURITY | {"content-security-policy": FORM_POLICY}


@pytest.mark.parametrize(("host", "status"), [("127.0.0.1", 200), ("evil.example", 421), ("[", 421)])
def test_a_refusal_has_them_too(host: str, status: int) -> None:
    async def answer(_request: Request) -> Response:
        return PlainTextResponse("here")

    app = Guard(Starlette(routes=[Route("/", answer)]))
    with TestClient(app, base_url="http://127.0.0.1") as client:
        found = client.get("/", headers={"Host": host})
    assert found.status_code == status
    assert security_of(found) == SECURITY


def test_by_tls_nobody_goes_back_for_a_year() -> None:
    async def answer(_request: Request) -> Response:
        return PlainTextResponse("here")

    app = Guard(Starlette(routes=[Route("/", answer)]))
    with TestClient(app, base_url="https://mesa.example") as client:
        assert security_of(client.get("/")) == SECURITY | {"strict-transport-security": "max-age=31536000"}

"""The pit server's door for tables: HTTPS with the table's certificate, or to get one (docs/fleet.md)."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import asynccontextmanager
from typing import Final

import msgspec
from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route
from starlette.types import ASGIApp, Receive, Scope, Send

from tablectl.core.unreadable import UNREADABLE
from tablectl.fleet.batches import BODY_BYTES_MOST
from tablectl.fleet.enrolment import ASKED_BYTES_MOST, Enrol, Refusal, Renew
from tablectl.fleet.last_values import BYTES_MOST as VALUES_MOST
from tablectl.fleet.pit.answers import Said, answered
from tablectl.fleet.pit.broker import BrokerDoor
from tablectl.fleet.pit.identity import Identity, Refused
from tablectl.fleet.pit.service import PitService
from tablectl.fleet.pit.store import StoreUnusable
from tablectl.fleet.said import NotDone
from tablectl.fleet.signed_times import Nonce
from tablectl.fleet.topics import Asked

#: Where the state of a request has what the certificate of who asks says; None where there is none.
CERTIFICATE: Final = "certificate"


class TooLong(Exception):
    """More than it may have."""


class HungUp(Exception):
    """Whoever asked does not wait for the answer."""


#: What tables ask all the time, and how long it may be.
_OFTEN: Final[Mapping[tuple[str, str], tuple[Asked, int]]] = {
    ("POST", "/v1/records"): (Asked.RECORDS, BODY_BYTES_MOST),
    ("PUT", "/v1/now"): (Asked.NOW, VALUES_MOST),
    ("GET", "/v1/head"): (Asked.HEAD, 0),
}


def make_app(service: PitService, identity: Identity, broker: BrokerDoor | None = None) -> ASGIApp:
    """Its routes. Whoever asks for a certificate, or for the time, needs none; all others take the table from its
    certificate. As long as it runs, `broker` is open too. What tables ask all the time goes past the framework, which
    would take as long as everything else."""

    @asynccontextmanager
    async def lifespan(_: Starlette) -> AsyncIterator[None]:
        if broker is not None:
            broker.open(asyncio.get_running_loop())
        yield
        if broker is not None:
            broker.close()

    async def link(request: Request) -> Response:
        status, said = await asked(request.scope, Asked.HASH, str(request.path_params["seq"]).encode())
        return _says(said, status)

    async def asked(scope: Scope, what: Asked, body: bytes) -> Said:
        shown = scope["state"].get(CERTIFICATE)
        return await answered(service, lambda: service.admitted(shown), what, body)

    seldom = Starlette(
        routes=[Route("/v1/records/{seq:int}/hash", link, methods=["GET"]), *_certificates(service, identity)],
        lifespan=lifespan,
    )

    async def app(scope: Scope, receive: Receive, send: Send) -> None:
        often = _OFTEN.get((scope["method"], scope["path"])) if scope["type"] == "http" else None
        if often is None:
            await seldom(scope, receive, send)
            return
        what, most = often
        try:
            status, said = await asked(scope, what, await _read(receive, most))
        except TooLong as no:
            status, said = 413, NotDone(why="too-long", error=str(no))
        except HungUp:
            return
        await _answer(send, status, said)

    return app


def _certificates(service: PitService, identity: Identity) -> tuple[Route, ...]:
    """What is asked without a certificate: for one, and for the time."""
    # Whoever asks is nobody yet: they take one thread of those that take records, however many they are.
    one_by_one = asyncio.Semaphore(1)

    async def enrol(request: Request) -> Response:
        asked = msgspec.json.decode(await _body(request, ASKED_BYTES_MOST), type=Enrol)
        async with one_by_one:
            answer = await run_in_threadpool(identity.enrol, asked)
        service.look_soon()
        return _says(answer)

    async def renew(request: Request) -> Response:
        asked = msgspec.json.decode(await _body(request, ASKED_BYTES_MOST), type=Renew)
        async with one_by_one:
            return _says(await run_in_threadpool(identity.renew, asked))

    async def time(request: Request) -> Response:
        return _says(identity.time(msgspec.convert(request.query_params.get("nonce", ""), Nonce)))

    def opened(path: str, call: Callable[[Request], Awaitable[Response]], *, method: str) -> Route:
        async def called(request: Request) -> Response:
            try:
                return await call(request)
            except Refused as no:
                return _says(NotDone(why=no.why, error=str(no)), 400 if no.why is Refusal.SHAPE else 403)
            except UNREADABLE as wrong:
                return _says(NotDone(why=Refusal.SHAPE, error=str(wrong)), 400)
            except TooLong as no:
                return _says(NotDone(why="too-long", error=str(no)), 413)
            except HungUp:
                return Response(status_code=400)  # nobody reads it
            except StoreUnusable as wrong:
                return _says(NotDone(why="store", error=str(wrong)), 503)

        return Route(path, called, methods=[method])

    return (
        opened("/v1/enrol", enrol, method="POST"),
        opened("/v1/renew", renew, method="POST"),
        opened("/v1/time", time, method="GET"),
    )


async def _body(request: Request, most: int) -> bytes:
    """No more of it than it may have. Raises `TooLong`."""
    return await _read(request.receive, most)


async def _read(receive: Receive, most: int) -> bytes:
    """The body of a request, no more of it than it may have. Raises `TooLong`, `HungUp`."""
    body = b""
    while True:
        part = await receive()
        if part["type"] != "http.request":
            raise HungUp
        body += bytes(part.get("body", b""))
        if len(body) > most:
            raise TooLong(f"it has {most} bytes at most")
        if not part.get("more_body", False):
            return body


async def _answer(send: Send, status: int, said: msgspec.Struct) -> None:
    body = msgspec.json.encode(said)
    headers = [(b"content-type", b"application/json"), (b"content-length", str(len(body)).encode())]
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": body})


def _says(members: msgspec.Struct, status: int = 200) -> Response:
    return Response(msgspec.json.encode(members), status_code=status, media_type="application/json")

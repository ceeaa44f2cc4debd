"""The pit server's door for tables: HTTPS with the table's certificate (docs/fleet.md)."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any, Final

import msgspec
from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from tablectl.fleet.batches import BODY_BYTES_MOST, BadBatch
from tablectl.fleet.certificates import NoIdentity, name_in
from tablectl.fleet.heads import Case
from tablectl.fleet.pit.service import NotAdmitted, PitService
from tablectl.fleet.pit.store import SEQ_MOST, KnownTable, StoreUnusable

#: Where the certificate of who asks stands in the state of a request (DER).
CERTIFICATE: Final = "certificate"


class TooLong(Exception):
    """More than a batch may have."""


def make_app(service: PitService) -> Starlette:
    """Its routes. All of them take the table from its certificate."""

    async def take(table: KnownTable, request: Request) -> Response:
        body = await _body(request)
        answer = await run_in_threadpool(service.take, table, body)
        taken = await asyncio.wrap_future(answer)
        receipt = await run_in_threadpool(service.receipt, table, taken.head)
        if taken.case is Case.FORK:
            return _says({"why": taken.case, "seq": taken.seq, "error": taken.why, "receipt": receipt}, 409)
        return _says({"case": taken.case, "receipt": receipt})

    async def head(table: KnownTable, _: Request) -> Response:
        return _says({"receipt": await run_in_threadpool(lambda: service.receipt(table, service.head(table)))})

    async def link(table: KnownTable, request: Request) -> Response:
        seq = min(int(request.path_params["seq"]), SEQ_MOST)
        found = await run_in_threadpool(service.hash_of, table, seq)
        if found is None:
            return _says({"why": "no-record", "error": "there is no such record"}, 404)
        return _says({"hash": found.hex()})

    def guarded(path: str, call: Callable[[KnownTable, Request], Awaitable[Response]], *, method: str) -> Route:
        async def called(request: Request) -> Response:
            try:
                table = await run_in_threadpool(service.table, name_in(getattr(request.state, CERTIFICATE, None)))
                return await call(table, request)
            except (NoIdentity, NotAdmitted) as no:
                return _says({"why": "not-admitted", "error": str(no)}, 403)
            except BadBatch as bad:
                return _says({"why": bad.flaw, "seq": bad.seq, "error": str(bad)}, 400)
            except TooLong as no:
                return _says({"why": "too-long", "error": str(no)}, 413)
            except StoreUnusable as wrong:
                return _says({"why": "store", "error": str(wrong)}, 503)

        return Route(path, called, methods=[method])

    return Starlette(
        routes=[
            guarded("/v1/records", take, method="POST"),
            guarded("/v1/head", head, method="GET"),
            guarded("/v1/records/{seq:int}/hash", link, method="GET"),
        ]
    )


async def _body(request: Request) -> bytes:
    """No more of it than a batch may have. Raises `TooLong`."""
    body = bytearray()
    async for part in request.stream():
        body += part
        if len(body) > BODY_BYTES_MOST:
            raise TooLong(f"a batch has {BODY_BYTES_MOST} bytes at most")
    return bytes(body)


def _says(members: dict[str, Any], status: int = 200) -> Response:
    return Response(msgspec.json.encode(members), status_code=status, media_type="application/json")

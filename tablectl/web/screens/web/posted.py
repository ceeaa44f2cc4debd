"""What a page posts as JSON. Whether it was a page of ours, the gate has asked."""

from __future__ import annotations

import json
from collections.abc import Awaitable, Callable
from typing import Any, Final, TypeAlias

from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from tablectl.web.screens.web.guarded_routes import Endpoint

#: More than a page sends that has no text to sign and no key.
MOST_BYTES: Final = 4096
#: An endpoint that is given what was posted.
Answer: TypeAlias = Callable[[Request, dict[str, Any]], Awaitable[Response]]


def no_json(_request: Request, status: int) -> Response:
    """The answer to what is none of what pages send."""
    return JSONResponse({"ok": False, "error": "no JSON object"}, status)


def takes_json(
    answer: Answer, no: Callable[[Request, int], Response] = no_json, *, most_bytes: int = MOST_BYTES
) -> Endpoint:
    """An endpoint for a JSON object; `no` answers whatever is none, with 415 where it does not even claim to be."""

    async def endpoint(request: Request) -> Response:
        if request.headers.get("content-type", "").partition(";")[0].strip() != "application/json":
            return no(request, 415)
        body = await request.body()
        try:
            said = json.loads(body) if len(body) <= most_bytes else None
        except (ValueError, RecursionError):
            said = None
        return await answer(request, said) if isinstance(said, dict) else no(request, 400)

    return endpoint

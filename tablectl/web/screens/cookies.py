"""How a browser keeps something of ours: shown to no script, and sent with no other site's request."""

from __future__ import annotations

from starlette.responses import Response


def keep(response: Response, name: str, value: str, *, is_secure: bool, for_s: int | None = None) -> None:
    """Have this browser keep it, in seconds; None: until it is closed. `is_secure`: the page came by TLS."""
    response.set_cookie(name, value, max_age=for_s, path="/", httponly=True, samesite="strict", secure=is_secure)


def forget(response: Response, name: str) -> None:
    """Have this browser keep it no more."""
    response.delete_cookie(name, path="/", httponly=True, samesite="strict")

"""A uvicorn server that ends in order at a signal, whenever that comes."""

from __future__ import annotations

import signal

import uvicorn


def end_in_order(server: uvicorn.Server) -> None:
    """At SIGTERM and SIGINT, also before it runs. uvicorn takes both while it runs and sends them again after its end:
    with this the process goes on then, closes what it has open, and its log is complete."""

    def end(*_: object) -> None:
        server.should_exit = True

    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, end)

"""The training pages as a server, on loopback, from its start until a signal ends it."""

from __future__ import annotations

import asyncio
import socket
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

import uvicorn
from starlette.applications import Starlette

from tablectl.api.stage import FreeTable, MakePracticeTable
from tablectl.ops.connections import listen
from tablectl.web.screens.server import address, server_of
from tablectl.web.training.app import make_app
from tablectl.web.training.trainer import Trainer

HOST: Final = "127.0.0.1"
_STOP_S: Final = 10.0


def make_server(base: FreeTable, keep: Path, *, make_table: MakePracticeTable, exercise: str) -> uvicorn.Server:
    """The server, not started: `serve(sockets=[…])`; `should_exit = True` ends it, and the table with it."""

    def app(stopping: Callable[[], bool]) -> Starlette:
        return make_app(Trainer(base, keep, make_table=make_table, stopping=stopping), exercise=exercise)

    return server_of(app)


async def serve(
    base: FreeTable, keep: Path, bound: socket.socket, *, make_table: MakePracticeTable, exercise: str
) -> None:
    """Serve until a signal ends it. Raises `StageBroken` where the table does not come up."""
    await make_server(base, keep, make_table=make_table, exercise=exercise).serve(sockets=[bound])


@contextmanager
def serving_beside(base: FreeTable, keep: Path, make_table: MakePracticeTable) -> Iterator[str]:
    """The same beside something else that goes on in this process, at any port that is free; gives the address of the
    table's page."""
    bound = listen(HOST, 0)
    server = make_server(base, keep, make_table=make_table, exercise="")
    thread = threading.Thread(target=lambda: asyncio.run(server.serve(sockets=[bound])), name="pages", daemon=True)
    thread.start()
    try:
        yield f"{address(HOST, bound).rstrip('/')}/training"
    finally:
        server.should_exit = True
        thread.join(_STOP_S)
        bound.close()

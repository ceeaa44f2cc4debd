"""The training pages as a server, on loopback, from its start until a signal ends it."""

from __future__ import annotations

import socket
from collections.abc import Callable
from pathlib import Path

import uvicorn
from starlette.applications import Starlette

from tablectl.api.stage import FreeTable, MakePracticeTable
from tablectl.web.screens.server import server_of
from tablectl.web.training.app import make_app
from tablectl.web.training.trainer import Trainer


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

"""The training pages as a server, on loopback, from its start until a signal ends it."""

from __future__ import annotations

import socket
from pathlib import Path

import uvicorn

from tablectl.demo.stage import Scene
from tablectl.web.screens.connections import TimedProtocol
from tablectl.web.training.app import make_app
from tablectl.web.training.trainer import Trainer


def make_server(scene: Scene, keep: Path, *, exercise: str) -> uvicorn.Server:
    """The server, not started: `serve(sockets=[…])`; `should_exit = True` ends it, and the table with it."""
    servers: list[uvicorn.Server] = []
    trainer = Trainer(scene, keep, stopping=lambda: any(each.should_exit for each in servers))
    config = uvicorn.Config(
        make_app(trainer, exercise=exercise),
        http=TimedProtocol,
        log_config=None,  # what it says goes the way of everything (tablectl.ops.logs)
        log_level="warning",
        access_log=False,
        server_header=False,
        timeout_graceful_shutdown=3,
    )
    servers.append(uvicorn.Server(config))
    return servers[0]


async def serve(scene: Scene, keep: Path, bound: socket.socket, *, exercise: str) -> None:
    """Serve until a signal ends it. Raises `StageBroken` where the table does not come up."""
    await make_server(scene, keep, exercise=exercise).serve(sockets=[bound])

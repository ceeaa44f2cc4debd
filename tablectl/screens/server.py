"""The screens as a process: uvicorn on a loopback address, with the port free to choose."""

from __future__ import annotations

import socket
from pathlib import Path

import uvicorn

from tablectl.screens.app import make_app
from tablectl.screens.files import TableFiles


def listen(host: str, port: int) -> socket.socket:
    """A listening socket; port 0 takes any that is free. Whoever connects from now on waits. Raises `OSError`."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    made = socket.socket(family, socket.SOCK_STREAM)
    made.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        made.bind((host.strip("[]"), port))
        made.listen()
    except OSError:
        made.close()
        raise
    return made


def address(host: str, bound: socket.socket) -> str:
    """Where a browser finds it."""
    shown = f"[{host.strip('[]')}]" if ":" in host else host
    return f"http://{shown}:{bound.getsockname()[1]}/"


def make_server(controller: Path, files: TableFiles | None = None) -> uvicorn.Server:
    """The server, not started: `run(sockets=[…])` or `serve(sockets=[…])`; `should_exit = True` ends it."""
    servers: list[uvicorn.Server] = []

    def stopping() -> bool:
        return any(each.should_exit for each in servers)

    config = uvicorn.Config(
        make_app(controller, files, stopping=stopping),
        log_level="warning",
        access_log=False,
        server_header=False,
        timeout_graceful_shutdown=3,
    )
    servers.append(uvicorn.Server(config))
    return servers[0]


async def serve(controller: Path, bound: socket.socket, files: TableFiles | None = None) -> None:
    """Serve until a signal ends it."""
    await make_server(controller, files).serve(sockets=[bound])

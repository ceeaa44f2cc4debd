"""The screens as a process: uvicorn on a loopback address, or with TLS on any, with the port free to choose; and at a
Unix socket, for a browser that has no network."""

from __future__ import annotations

import errno
import os
import socket
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

import uvicorn
from starlette.applications import Starlette

from tablectl.api.unix_socket import is_listening
from tablectl.ops.bounded_http import BoundedProtocol
from tablectl.ops.connections import NETWORK, Limits
from tablectl.people.people import People
from tablectl.people.service.answering import PasskeyRules
from tablectl.people.service.remote import RemoteAccounts
from tablectl.web.screens.app import make_app
from tablectl.web.screens.files import TableFiles
from tablectl.web.screens.guard import is_loopback

_KNOCK_S: Final = 1.0


class NotSafe(Exception):
    """Nobody may sign on that way. The text says why, and what would be right."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Transport:
    """How browsers come here. `certificate` and `key`: PEM files of our own. `behind_proxy`: another program on this
    machine does TLS and says in X-Forwarded-For and X-Forwarded-Proto who came how; nobody else is believed that."""

    certificate: Path | None = None
    key: Path | None = None
    behind_proxy: bool = False

    @property
    def has_tls(self) -> bool:
        """Whether what goes over the network is encrypted here."""
        return self.certificate is not None

    @property
    def limits(self) -> Limits:
        """What is let in over the network. A proxy is one address for everybody: it has to share out among them."""
        return replace(NETWORK, of_one_address=NETWORK.in_all) if self.behind_proxy else NETWORK

    def check(self, host: str) -> None:
        """Raises `NotSafe` where secrets would go over a network in the clear, or a proxy would not be believed."""
        if (self.certificate is None) != (self.key is None):
            raise NotSafe("the certificate goes with its key: give both, or none")
        if self.behind_proxy and self.has_tls:
            raise NotSafe("behind a proxy it is the proxy that has the certificate: give one of the two")
        if is_loopback(host) or self.has_tls:
            return
        right = "127.0.0.1, ::1 or localhost"
        if self.behind_proxy:
            raise NotSafe(f"host {host}: a proxy is believed on this machine alone; would be right: {right}")
        raise NotSafe(
            f"host {host}: people sign on with secrets, and without TLS these screens answer on loopback only; "
            f"would be right: {right}, or screens.certificate and screens.key, or a proxy with TLS on this machine"
        )

    def check_files(self) -> None:
        """Raises `OSError`, which names the file, where this user cannot read one: TLS itself would not name it."""
        for path in (self.certificate, self.key):
            if path is not None:
                path.read_bytes()


PLAIN = Transport()


def listen_also(path: Path) -> socket.socket:
    """A listening Unix socket, for its owner and for the group that its folder gives to what is made there. What a
    killed process left is replaced. Raises `OSError`, also where somebody listens already."""
    if path.is_socket():
        if is_listening(path, _KNOCK_S):
            raise OSError(errno.EADDRINUSE, os.strerror(errno.EADDRINUSE))
        path.unlink()
    made = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    before = os.umask(0o117)
    try:
        made.bind(str(path))
        made.listen()
    except OSError:
        made.close()
        raise
    finally:
        os.umask(before)
    return made


def address(host: str, bound: socket.socket, *, has_tls: bool = False) -> str:
    """Where a browser finds it."""
    shown = f"[{host.strip('[]')}]" if ":" in host else host
    return f"{'https' if has_tls else 'http'}://{shown}:{bound.getsockname()[1]}/"


def make_server(
    controller: Path,
    people: People | RemoteAccounts,
    files: TableFiles | None = None,
    *,
    passkeys: PasskeyRules | None = None,
    transport: Transport = PLAIN,
) -> uvicorn.Server:
    """The server, not started: `run(sockets=[…])` or `serve(sockets=[…])`; `should_exit = True` ends it. Raises
    `OSError` where the certificate or its key cannot be read (`ssl.SSLError` is one)."""
    return server_of(
        lambda stopping: make_app(controller, people, files, passkeys=passkeys, stopping=stopping), transport
    )


def server_of(make: Callable[[Callable[[], bool]], Starlette], transport: Transport = PLAIN) -> uvicorn.Server:
    """The server of an application, not started. `make` is given what says whether the server has to end."""
    servers: list[uvicorn.Server] = []
    config = uvicorn.Config(
        make(lambda: any(server.should_exit for server in servers)),
        http=BoundedProtocol,
        loop="asyncio",
        log_config=None,  # what it says goes the way of everything (tablectl.ops.logs)
        log_level="warning",
        access_log=False,
        server_header=False,
        timeout_graceful_shutdown=3,
        proxy_headers=transport.behind_proxy,
        forwarded_allow_ips="127.0.0.1,::1",
        ssl_certfile=None if transport.certificate is None else str(transport.certificate),
        ssl_keyfile=None if transport.key is None else str(transport.key),
    )
    config.load()
    servers.append(uvicorn.Server(config))
    return servers[0]

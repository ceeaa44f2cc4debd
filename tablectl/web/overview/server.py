"""The overview as a part of the pit server: on a port of its own, with its own loop in its own thread, so that a
thousand pages do not stand in the way of one record."""

from __future__ import annotations

import ssl
import threading
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from socket import socket
from typing import Final

import uvicorn
from starlette.applications import Starlette

from tablectl.fleet.certificates import NoIdentity, shown_in_file, take_any_authority
from tablectl.fleet.pit.floor import Floor
from tablectl.fleet.pit.ingest_counts import IngestCounts
from tablectl.ops.bounded_http import BoundedProtocol
from tablectl.ops.connections import Limits, NetworkServer, listen
from tablectl.web.overview.app import make_app
from tablectl.web.overview.metrics import pit_metrics
from tablectl.web.overview.pages import House, OverviewPages
from tablectl.web.overview.viewers import Viewers
from tablectl.web.screens.guard import is_loopback
from tablectl.web.screens.server import NotSafe

#: A thousand walls and desks, and their pages that come and go.
LIMITS: Final = Limits(in_all=2_000, of_one_address=2_000)
_ENDS_S: Final = 10.0


@dataclass(frozen=True, kw_only=True, slots=True)
class Door:
    """How browsers come here. `authority`: a certificate that it made (PEM) is shown by each of them; without it a
    viewer says a token. On a loopback address neither is asked for, and there is no TLS."""

    host: str
    port: int
    certificate: Path
    key: Path
    viewer_tokens: Path
    authority: Path | None = None

    @property
    def has_tls(self) -> bool:
        """Whether somebody may come from elsewhere."""
        return not is_loopback(self.host)

    @property
    def viewers(self) -> Viewers | None:
        """Who has to say a token; None where nobody has to."""
        return Viewers(self.viewer_tokens) if self.has_tls and self.authority is None else None

    def check(self) -> None:
        """Raises `NotSafe` where anybody in the network could look."""
        if self.viewers is not None and not self.viewers.names():
            raise NotSafe(
                f"pit.overview_host {self.host}: anybody in the network could look, since no viewer has a token; "
                f"make one (tablectl pit viewer CONFIG NAME), or name the authority of the browsers' certificates "
                f"(pit.overview_authority), or answer here alone (127.0.0.1)"
            )


class OverviewServer(NetworkServer):
    """uvicorn's, which also ends when the pit server does."""

    def __init__(self, config: uvicorn.Config, is_over: Callable[[], bool]) -> None:
        super().__init__(config)
        self._is_over = is_over

    async def on_tick(self, counter: int) -> bool:
        """Ten times a second."""
        self.should_exit = self.should_exit or self._is_over()
        return await super().on_tick(counter)


class Overview:
    """Listens from the moment it is made. Raises `NotSafe`, `BadViewers`, `OSError`."""

    def __init__(
        self,
        floor: Floor,
        house: House,
        door: Door,
        *,
        counts: Callable[[], IngestCounts],
        is_over: Callable[[], bool] = lambda: False,
        limits: Limits = LIMITS,
    ) -> None:
        """`counts`: what the ingest has counted by now; `is_over`: whether the pit server ends; `limits`: who may
        connect."""
        door.check()
        servers: list[OverviewServer] = []
        app = make_app(
            floor,
            OverviewPages(house),
            door.viewers,
            metrics=lambda picture: pit_metrics(picture, counts(), certificate_end_s=_ends_s(door.certificate)),
            stopping=lambda: is_over() or any(server.should_exit for server in servers),
        )
        self._server = OverviewServer(_config(app, door), is_over)
        servers.append(self._server)
        self.has_tls = door.has_tls
        self.bound: socket = listen(door.host, door.port, limits)
        self._thread = threading.Thread(target=self._run, name="overview", daemon=True)

    def start(self) -> None:
        """Answer."""
        self._thread.start()

    def stop(self) -> None:
        """End, with all streams."""
        self._server.should_exit = True
        self._thread.join(_ENDS_S)
        self.bound.close()

    def _run(self) -> None:
        self._server.run(sockets=[self.bound])


def _ends_s(certificate: Path) -> float | None:
    """When it ends, in seconds since the epoch; None where nobody can read it."""
    try:
        return shown_in_file(certificate).ends.timestamp()
    except (OSError, NoIdentity):
        return None


def _config(app: Starlette, door: Door) -> uvicorn.Config:
    config = uvicorn.Config(
        app,
        http=BoundedProtocol,
        loop="uvloop",
        log_config=None,
        log_level="warning",
        access_log=False,
        server_header=False,
        timeout_graceful_shutdown=1,
        ssl_certfile=str(door.certificate) if door.has_tls else None,
        ssl_keyfile=str(door.key) if door.has_tls else None,
        ssl_ca_certs=None if door.authority is None else str(door.authority),
        ssl_cert_reqs=ssl.CERT_NONE if door.authority is None else ssl.CERT_REQUIRED,
    )
    config.load()
    if config.ssl is not None:
        take_any_authority(config.ssl)
    return config

"""The pit server as a process: uvicorn with TLS, where a table shows its certificate of the casino's authority.

TLS refuses a certificate of another authority. That there is one at all, and in its time, is asked of each request: a
table without one comes to get one, a table whose certificate has expired is told so in words, and one whose certificate
expires on an open connection is refused, too.
"""

from __future__ import annotations

import asyncio
import socket
import ssl
from pathlib import Path
from typing import Final

import uvicorn
from cryptography import x509
from starlette.types import ASGIApp

from tablectl.fleet.certificates import NoIdentity, Shown, check_no_dates, shown_in, take_any_authority
from tablectl.fleet.pit.app import CERTIFICATE
from tablectl.fleet.pit.own_certificate import OwnCertificate
from tablectl.ops.bounded_http import BoundedProtocol
from tablectl.ops.connections import Limits, NetworkServer

#: A table sends as cards are dealt: between two hands nothing comes for longer than uvicorn waits by itself. To agree
#: on TLS anew costs the server a thousand times what an open connection does.
KEEP_ALIVE_S: Final = 120
#: How often the server looks whether its own certificate is to be made anew.
LOOK_S: Final = 24 * 3600.0


#: Two connections of each of a thousand tables, which may have one address, and again as many that broke and are not
#: known to be gone. A request has to be here after so many seconds, TLS with it.
TABLES: Final = Limits(in_all=4_000, of_one_address=4_000, request_s=30.0)
#: So many connections without a certificate there are at a time: whoever enrols asks three times and is gone. Without
#: a bound anybody in the network takes the descriptors of all tables.
STRANGERS_MOST: Final = 100


class CertificateProtocol(BoundedProtocol):
    """uvicorn's does not tell an application who is at the other end of TLS: here the state of each request has
    what the certificate says."""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """TLS is agreed on."""
        super().connection_made(transport)
        tls = transport.get_extra_info("ssl_object")
        shown = _shown(tls)
        self.app_state = {**self.app_state, CERTIFICATE: shown}
        if shown is None and self._n_strangers() > STRANGERS_MOST:
            self.transport.abort()

    def _n_strangers(self) -> int:
        """Connections of this server whose other end has shown no certificate, with this one."""
        return sum(
            isinstance(other, CertificateProtocol) and other.app_state.get(CERTIFICATE) is None
            for other in self.connections
        )

    def shutdown(self) -> None:
        """The server ends. Who waits for no answer is hung up on at once: to part in TLS' own way takes an answer of
        each of a thousand tables."""
        is_idle = getattr(self.cycle, "response_complete", True)  # there is no cycle before the first request
        super().shutdown()
        if is_idle:
            self.transport.abort()


def _shown(tls: ssl.SSLObject | None) -> Shown | None:
    certificate = None if tls is None else tls.getpeercert(binary_form=True)
    if certificate is None:
        return None
    try:
        return shown_in(x509.load_der_x509_certificate(certificate))
    except (NoIdentity, ValueError):
        return None


class PitServer(NetworkServer):
    """uvicorn's, which looks after its own certificate while it runs."""

    def __init__(self, config: uvicorn.Config, own: OwnCertificate | None) -> None:
        super().__init__(config)
        self._own = own
        self._looking: asyncio.Task[None] | None = None

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Also begins to look after the certificate, in the one thread that uses it."""
        if self._own is not None:
            self._looking = asyncio.create_task(self._look(self._own))
        await super().startup(sockets)

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """Also ends that."""
        if self._looking is not None:
            self._looking.cancel()
        await super().shutdown(sockets)

    async def _look(self, own: OwnCertificate) -> None:
        assert self.config.ssl is not None, "it has a certificate"
        while True:
            own.look(self.config.ssl)
            await asyncio.sleep(LOOK_S)


def server_of(
    app: ASGIApp, *, certificate: Path, key: Path, authority: Path, own: OwnCertificate | None = None
) -> uvicorn.Server:
    """Not started: `run(sockets=[…])`. `own`: looks after its certificate; without it nobody does. Raises `OSError`
    where a file cannot be read (`ssl.SSLError` is one)."""
    config = uvicorn.Config(
        app,
        http=CertificateProtocol,
        loop="uvloop",
        log_config=None,
        log_level="warning",
        access_log=False,
        proxy_headers=False,  # who a table is says its certificate
        server_header=False,
        timeout_graceful_shutdown=1,
        timeout_keep_alive=KEEP_ALIVE_S,
        ssl_certfile=str(certificate),
        ssl_keyfile=str(key),
        ssl_ca_certs=str(authority),
        ssl_cert_reqs=ssl.CERT_OPTIONAL,
    )
    config.load()
    assert config.ssl is not None, "it has a certificate"
    config.ssl.minimum_version = ssl.TLSVersion.TLSv1_3
    take_any_authority(config.ssl)
    check_no_dates(config.ssl)
    return PitServer(config, own)

"""The pit server as a process: uvicorn with TLS, where whoever asks shows a certificate of the casino's authority."""

from __future__ import annotations

import asyncio
import ssl
from pathlib import Path
from typing import Final, cast

import uvicorn
from starlette.types import ASGIApp
from uvicorn.protocols.http.h11_impl import H11Protocol

from tablectl.fleet.pit.app import CERTIFICATE

#: A table sends as cards are dealt: between two hands nothing comes for longer than uvicorn waits by itself. To agree
#: on TLS anew costs the server a thousand times what an open connection does.
KEEP_ALIVE_S: Final = 120


class CertificateProtocol(H11Protocol):
    """uvicorn's, which does not tell an application who is at the other end of TLS: here the state of each request
    has the certificate."""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """TLS is agreed on."""
        super().connection_made(cast("asyncio.Transport", transport))
        tls = transport.get_extra_info("ssl_object")
        certificate = None if tls is None else tls.getpeercert(binary_form=True)
        self.app_state = {**self.app_state, CERTIFICATE: certificate}

    def shutdown(self) -> None:
        """The server ends. Who waits for no answer is hung up on at once: to part in TLS' own way takes an answer of
        each of a thousand tables."""
        is_idle = getattr(self.cycle, "response_complete", True)  # there is no cycle before the first request
        super().shutdown()
        if is_idle:
            self.transport.abort()


def server_of(app: ASGIApp, *, certificate: Path, key: Path, authority: Path) -> uvicorn.Server:
    """Not started: `run(sockets=[…])`. Raises `OSError` where a file cannot be read (`ssl.SSLError` is one)."""
    config = uvicorn.Config(
        app,
        http=CertificateProtocol,
        log_config=None,
        log_level="warning",
        access_log=False,
        server_header=False,
        timeout_graceful_shutdown=1,
        timeout_keep_alive=KEEP_ALIVE_S,
        ssl_certfile=str(certificate),
        ssl_keyfile=str(key),
        ssl_ca_certs=str(authority),
        ssl_cert_reqs=ssl.CERT_REQUIRED,
    )
    config.load()
    assert config.ssl is not None, "it has a certificate"
    config.ssl.minimum_version = ssl.TLSVersion.TLSv1_3
    return uvicorn.Server(config)

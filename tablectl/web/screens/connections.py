"""How many may connect to the screens over the network, and for how long a connection may go without a request.

A connection costs a file descriptor, whether anything is ever asked over it or not. Without a bound somebody in the
network takes all of them, and then the table's own browser, which comes by the Unix socket, gets no page either.
Counted is where the kernel hands a connection over, because TLS begins after that, and uvicorn's own limit
(`limit_concurrency`) looks only at connections whose request has come, and at those of the Unix socket, too.
"""

from __future__ import annotations

import asyncio
import socket
from collections import Counter
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, ClassVar, Final

from tablectl.ops.bounded_http import BoundedProtocol, Deadline
from tablectl.ops.log import LateLog

#: Data that nobody has acknowledged for so long ends the connection: a tablet that left the Wi-Fi gives its place back.
UNACKNOWLEDGED_MS: Final = 30_000

_LOG: Final = LateLog()


@dataclass(frozen=True, kw_only=True, slots=True)
class Limits:
    """What is let in over the network. `in_all` and `of_one_address`: connections at the same time. `request_s`:
    seconds until a request, its body too, has to be here; TLS is negotiated in that time."""

    in_all: int = 200
    of_one_address: int = 20
    request_s: float = 10.0


NETWORK: Final = Limits()


class NetworkListener(socket.socket):
    """A listening socket that lets in no more than its limits allow; who comes then is hung up on."""

    #: how many were not let in since this process began, by the limit that was reached: `all` or `address`
    refused: ClassVar[Counter[str]] = Counter({"all": 0, "address": 0})

    def __init__(self, family: socket.AddressFamily, limits: Limits = NETWORK) -> None:
        super().__init__(family, socket.SOCK_STREAM)
        self.limits = limits
        self._open: Counter[str] = Counter()

    def accept(self) -> tuple[socket.socket, Any]:
        """The next connection, from asyncio's loop. Raises `ConnectionAbortedError` where there was one and no room,
        which asyncio takes for a peer that went away, and whatever a socket raises."""
        taken, peer = super().accept()
        address = str(peer[0])
        full = self._full(address)
        if full:
            taken.close()
            self.refused[full] += 1
            _LOG.warning("connection refused", why=full, peer=address)
            raise ConnectionAbortedError
        self._open[address] += 1
        return NetworkConnection(taken.detach(), self, address), peer

    def _full(self, address: str) -> str:
        """Which limit there is no room in; empty where there is room."""
        if self._open.total() >= self.limits.in_all:
            return "all"
        return "address" if self._open[address] >= self.limits.of_one_address else ""

    def gone(self, address: str) -> None:
        """A connection from there was closed."""
        self._open[address] -= 1
        if not self._open[address]:
            del self._open[address]


class NetworkConnection(socket.socket):
    """One that was let in: counted until it is closed, and ended where its request does not come in time."""

    #: all of this process, by their descriptor: the one thing that asyncio tells a protocol of the socket below TLS
    _of_process: ClassVar[dict[int, NetworkConnection]] = {}

    def __init__(self, descriptor: int, listener: NetworkListener, address: str) -> None:
        super().__init__(fileno=descriptor)
        self._listener = listener
        self._address = address
        self._descriptor = descriptor
        #: until when a request has to be here
        self.deadline = Deadline(listener.limits.request_s, self._end)
        self._of_process[descriptor] = self
        self.setsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, UNACKNOWLEDGED_MS)
        self.deadline.begin()

    @classmethod
    def below(cls, transport: asyncio.BaseTransport) -> NetworkConnection | None:
        """The one that this transport is made of; None of a Unix socket."""
        return cls._of_process.get(transport.get_extra_info("socket").fileno())

    def _end(self) -> None:
        """As if the other side had hung up: whoever reads, TLS or the protocol, closes it then."""
        with suppress(OSError):  # it has hung up
            self.shutdown(socket.SHUT_RDWR)

    def close(self) -> None:
        """Give its place back, once."""
        if self._of_process.get(self._descriptor) is self:
            del self._of_process[self._descriptor]
            self.deadline.stop()
            self._listener.gone(self._address)
        super().close()


class TimedProtocol(BoundedProtocol):
    """Whoever comes over the network has the time of its limits, which begins before TLS; the table's own browser, by
    the Unix socket, has all the time it takes."""

    def deadline_of(self, transport: asyncio.BaseTransport) -> Deadline | None:
        """As the connection has it."""
        connection = NetworkConnection.below(transport)
        return None if connection is None else connection.deadline

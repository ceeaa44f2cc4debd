"""How many may connect over the network, and for how long a connection may go without a request.

A connection costs a file descriptor, whether anything is ever asked over it or not. Without a bound somebody in the
network takes all of them, and then nobody else is let in: neither a table nor the table's own browser, which comes by
the Unix socket. Counted is where the kernel hands a connection over, because TLS begins after that, and uvicorn's own
limit (`limit_concurrency`) looks only at connections whose request has come, and at those of the Unix socket, too.
"""

from __future__ import annotations

import asyncio
import socket
from collections import Counter
from collections.abc import Callable, Coroutine
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, ClassVar, Final, cast

import uvicorn

from tablectl.ops.log import LateLog

#: Data that nobody has acknowledged for so long ends the connection: a tablet that left the Wi-Fi gives its place back.
UNACKNOWLEDGED_MS: Final = 30_000

#: How long nobody is let in where no descriptor is left: those come back when others hang up.
_FULL_S: Final = 0.5

_LOG: Final = LateLog()


@dataclass(frozen=True, kw_only=True, slots=True)
class Limits:
    """What is let in over the network. `in_all` and `of_one_address`: connections at the same time. `request_s`:
    seconds until a request, its body too, has to be here; TLS is negotiated in that time."""

    in_all: int = 200
    of_one_address: int = 20
    request_s: float = 10.0


NETWORK: Final = Limits()


class Deadline:
    """Something has to come in time, counted from the first `begin` since it was made or `stop` was called. `missed`:
    what happens where it does not. Used in one event loop."""

    def __init__(self, for_s: float, missed: Callable[[], None]) -> None:
        self._for_s = for_s
        self._missed = missed
        self._ending: asyncio.TimerHandle | None = None

    def begin(self) -> None:
        """It is waited for."""
        if self._ending is None:
            self._ending = asyncio.get_running_loop().call_later(self._for_s, self._missed)

    def stop(self) -> None:
        """It came, or nobody waits for it any more."""
        if self._ending is not None:
            self._ending.cancel()
            self._ending = None


class NetworkListener(socket.socket):
    """A listening socket that lets in no more than its limits allow; who comes then is hung up on."""

    #: how many were not let in since this process began, by the limit that was reached: `all` or `address`
    refused: ClassVar[Counter[str]] = Counter({"all": 0, "address": 0})

    def __init__(self, family: socket.AddressFamily, limits: Limits = NETWORK) -> None:
        super().__init__(family, socket.SOCK_STREAM)
        self.limits = limits
        self._open: Counter[str] = Counter()

    def accept(self) -> tuple[socket.socket, Any]:
        """The next connection, for asyncio's loop or a `NetworkServer`. Raises `ConnectionAbortedError` where there was
        one and no room, which both take for a peer that went away, and whatever a socket raises."""
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


class NetworkServer(uvicorn.Server):
    """uvicorn's, whose listeners are asked who may come. asyncio's loop asks them by itself; uvloop, which needs less
    for each of many connections, takes them from the kernel and asks nobody."""

    def __init__(self, config: uvicorn.Config) -> None:
        super().__init__(config)
        self._tasks: set[asyncio.Task[None]] = set()

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Let in whoever comes to these sockets, which listen."""
        await super().startup(sockets=[])
        for listener in sockets or []:
            listener.setblocking(False)
            listener.listen(self.config.backlog)
            self._begin(self._let_in(listener))

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """Let nobody in any more, and end the connections that there are."""
        for task in self._tasks:
            task.cancel()
        await super().shutdown(sockets)

    def _begin(self, coroutine: Coroutine[Any, Any, None]) -> None:
        task = asyncio.create_task(coroutine)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _let_in(self, listener: socket.socket) -> None:
        loop = asyncio.get_running_loop()
        while True:
            await asyncio.sleep(0)  # whoever comes again and again does not keep all others waiting
            try:
                taken, _ = await loop.sock_accept(listener)
            except ConnectionAbortedError:
                pass  # there is no room, or he went away
            except OSError as wrong:
                _LOG.warning("connections cannot be taken", reason=str(wrong))
                await asyncio.sleep(_FULL_S)
            else:
                self._begin(self._attend(taken))

    async def _attend(self, taken: socket.socket) -> None:
        """Agree on TLS where there is any; the protocol does the rest."""
        loop = asyncio.get_running_loop()
        try:
            await loop.connect_accepted_socket(self._protocol, taken, ssl=self.config.ssl)
        except OSError:  # also where TLS is not agreed on, or not in time
            taken.close()

    def _protocol(self) -> asyncio.Protocol:
        make = cast("Callable[..., asyncio.Protocol]", self.config.http_protocol_class)
        return make(config=self.config, server_state=self.server_state, app_state=self.lifespan.state)


def listen(host: str, port: int, limits: Limits = NETWORK) -> socket.socket:
    """A listening socket; port 0 takes any that is free. Whoever connects from now on waits. Raises `OSError`."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    made = NetworkListener(family, limits)
    made.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        made.bind((host.strip("[]"), port))
        made.listen()
    except OSError:
        made.close()
        raise
    return made

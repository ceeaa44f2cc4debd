"""A simulated table's connection through a broker: what `Client` does by HTTPS, with paho-mqtt.

The uplink itself uses `tablectl.fleet.uplink.mqtt`; this one can also break off in the middle, and hundreds of them
share one loop.
"""

from __future__ import annotations

import asyncio
import ssl
from typing import Final

import msgspec
from paho.mqtt import client as paho
from paho.mqtt.enums import CallbackAPIVersion
from paho.mqtt.reasoncodes import ReasonCode

from simulators.fleet.client import ANSWER_S, Answer, HungUp
from tablectl.fleet.mqtt import correlation_in, hang_up, of_question, user_in
from tablectl.fleet.topics import QOS, STATUS, Asked, answer, ask, place_of

_ASKED: Final = {"/v1/records": Asked.RECORDS, "/v1/head": Asked.HEAD, "/v1/now": Asked.NOW}
KEEPALIVE_S: Final = 15
CONNECT_S: Final = 20.0


class BrokerClient:
    """One connection, which is opened where it is needed. `lane` tells it from the table's other one."""

    def __init__(self, url: str, context: ssl.SSLContext, table: str, lane: str) -> None:
        self._host, self._port = place_of(url)
        self._context = context
        self._table = table
        self._name = f"{table}.{lane}"
        self._client: paho.Client | None = None
        self._number = 0
        self._waiting: tuple[bytes, asyncio.Future[Answer]] | None = None
        self.sent_bytes = 0

    async def get(self, path: str) -> Answer:
        """Raises `HungUp`."""
        return await self._ask(path, b"")

    async def post(self, path: str, body: bytes) -> Answer:
        """Raises `HungUp`."""
        return await self._ask(path, body)

    async def put(self, path: str, body: bytes) -> Answer:
        """Raises `HungUp`."""
        return await self._ask(path, body)

    async def break_off(self, path: str, body: bytes) -> None:
        """Ask, and be gone before there can be an answer."""
        client = await self._open()
        client.publish(ask(self._table, _ASKED[path]), body, QOS)
        self.hang_up()

    def hang_up(self) -> None:
        """At once."""
        if self._client is not None:
            gone, self._client = self._client, None
            hang_up(gone)

    async def _ask(self, path: str, body: bytes) -> Answer:
        client = await self._open()
        self._number += 1
        correlation = self._number.to_bytes(8, "big")
        coming: asyncio.Future[Answer] = asyncio.get_running_loop().create_future()
        self._waiting = (correlation, coming)
        client.publish(
            ask(self._table, _ASKED[path]), body, QOS, properties=of_question(correlation, answer(self._table))
        )
        self.sent_bytes += len(body)
        try:
            async with asyncio.timeout(ANSWER_S):
                return await coming
        except TimeoutError as wrong:
            self.hang_up()
            raise HungUp("no answer") from wrong
        except (HungUp, asyncio.CancelledError):
            self.hang_up()
            raise

    async def _open(self) -> paho.Client:
        if self._client is not None:
            return self._client
        is_in: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        client = paho.Client(CallbackAPIVersion.VERSION2, self._name, protocol=paho.MQTTv5, reconnect_on_failure=False)
        client.tls_set_context(self._context)
        self._hear(client, is_in)
        try:
            await asyncio.to_thread(client.connect, self._host, self._port, KEEPALIVE_S)
            client.loop_start()
            async with asyncio.timeout(CONNECT_S):
                await is_in
        except (OSError, TimeoutError, HungUp) as wrong:
            hang_up(client)
            raise HungUp(str(wrong) or type(wrong).__name__) from None
        self._client = client
        return client

    def _hear(self, client: paho.Client, is_in: asyncio.Future[None]) -> None:
        """What the library says by its own thread comes to the loop."""
        loop = asyncio.get_running_loop()

        def fail(why: object) -> None:
            loop.call_soon_threadsafe(self._failed, is_in, str(why))

        def connected(made: paho.Client, _data: object, _flags: object, reason: ReasonCode, _more: object) -> None:
            if reason.is_failure:
                fail(reason)
            else:
                made.subscribe(answer(self._table), QOS)

        def subscribed(_made: object, _data: object, _id: object, reasons: list[ReasonCode], _more: object) -> None:
            if any(reason.is_failure for reason in reasons):
                fail("not admitted")
            else:
                loop.call_soon_threadsafe(_let_in, is_in)

        def published(_made: object, _data: object, _id: object, reason: ReasonCode, _more: object) -> None:
            if reason.value:
                fail(reason)

        def heard(_made: object, _data: object, message: paho.MQTTMessage) -> None:
            loop.call_soon_threadsafe(self._heard, message)

        client.on_connect, client.on_subscribe, client.on_publish = connected, subscribed, published
        client.on_message = heard
        client.on_disconnect = lambda _made, _data, _flags, reason, _more: fail(reason)

    def _failed(self, is_in: asyncio.Future[None], why: str) -> None:
        for coming in (is_in, None if self._waiting is None else self._waiting[1]):
            if coming is not None and not coming.done():
                coming.set_exception(HungUp(why))

    def _heard(self, message: paho.MQTTMessage) -> None:
        waiting = self._waiting
        if waiting is None or waiting[0] != correlation_in(message.properties) or waiting[1].done():
            return
        status = int(user_in(message.properties).get(STATUS, "0"))
        waiting[1].set_result(Answer(status=status, said=msgspec.json.decode(message.payload or b"{}")))


def _let_in(is_in: asyncio.Future[None]) -> None:
    if not is_in.done():
        is_in.set_result(None)

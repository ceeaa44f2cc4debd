"""The pit server at a broker (MQTT 5): it hears every table, and answers as it does by HTTPS.

Who a table is says the broker, which lets each one write to its own topics alone (`tablectl pit broker` makes that
list). Whether it may still send says the store, at each message.
"""

from __future__ import annotations

import asyncio
import ssl
from concurrent.futures import Future
from functools import partial
from typing import Final

import msgspec
from paho.mqtt.client import Client, MQTTMessage, MQTTv5
from paho.mqtt.enums import CallbackAPIVersion
from paho.mqtt.reasoncodes import ReasonCode

from tablectl.fleet.batches import BODY_BYTES_MOST
from tablectl.fleet.mqtt import correlation_in, hang_up, of_answer, of_connect, wants_answer
from tablectl.fleet.pit.answers import Said, answered
from tablectl.fleet.pit.service import PitService
from tablectl.fleet.said import NotDone
from tablectl.fleet.topics import ALL_ASKED, PIT, QOS, STATUS, Asked, answer, asked_in, place_of
from tablectl.ops.log import LateLog

KEEPALIVE_S: Final = 15
#: So many messages of all tables that are not answered yet: what comes beyond them waits at the broker.
WINDOW: Final = 1_000
FIRST_PAUSE_S: Final = 1
LONGEST_PAUSE_S: Final = 10

_LOG: Final = LateLog()


class BrokerDoor:
    """Answers what comes through a broker, as long as it is open. The library connects again by itself."""

    def __init__(self, url: str, context: ssl.SSLContext, service: PitService) -> None:
        """`url`: as in mqtts://broker.casino.example:8883."""
        self._host, self._port = place_of(url)
        self._service = service
        #: whether tables are heard through it now
        self.is_listening = False
        self._loop: asyncio.AbstractEventLoop | None = None
        client = self._client = Client(CallbackAPIVersion.VERSION2, PIT, protocol=MQTTv5)
        client.tls_set_context(context)
        client.reconnect_delay_set(FIRST_PAUSE_S, LONGEST_PAUSE_S)
        client.on_connect = lambda client, _data, _flags, reason, _properties: self._let_in(client, reason)
        client.on_disconnect = lambda _client, _data, _flags, reason, _properties: self._hung_up(reason)
        client.on_subscribe = lambda _client, _data, _id, reasons, _properties: self._subscribed(reasons)
        client.on_message = self._heard

    def open(self, loop: asyncio.AbstractEventLoop) -> None:
        """Listen from now on, whether the broker is there yet or not; answers are made in this loop."""
        self._loop = loop
        properties = of_connect(window=WINDOW)
        self._client.connect_async(self._host, self._port, KEEPALIVE_S, clean_start=True, properties=properties)
        self._client.loop_start()

    def close(self) -> None:
        """Hear nothing more."""
        hang_up(self._client)

    # --- by the library's thread ------------------------------------------------------------------------------------

    def _let_in(self, client: Client, reason: ReasonCode) -> None:
        if reason.is_failure:
            _LOG.error("the broker does not let the pit server in", broker=self._host, reason=str(reason))
        else:
            client.subscribe(ALL_ASKED, QOS)

    def _subscribed(self, reasons: list[ReasonCode]) -> None:
        self.is_listening = not any(reason.is_failure for reason in reasons)
        if self.is_listening:
            _LOG.info("tables are heard through the broker", broker=self._host)
        else:
            _LOG.error("the broker does not let the pit server in", broker=self._host, reason=str(reasons[0]))

    def _hung_up(self, reason: ReasonCode) -> None:
        self.is_listening = False
        _LOG.warning("the broker hung up", broker=self._host, reason=str(reason))

    def _heard(self, _client: Client, _data: object, message: MQTTMessage) -> None:
        asked = asked_in(message.topic)
        if asked is None or self._loop is None:
            return
        table, what = asked
        if message.retain and what is not Asked.HERE:
            return  # it was said to somebody else, who knows when
        if len(message.payload) > BODY_BYTES_MOST:
            self._answer(table, message, (413, NotDone(why="too-long", error=f"it has {BODY_BYTES_MOST} at most")))
            return
        who = partial(self._service.table, table)
        call = answered(self._service, who, what, bytes(message.payload))
        said = asyncio.run_coroutine_threadsafe(call, self._loop)
        said.add_done_callback(partial(self._answered, table, message))

    def _answered(self, table: str, message: MQTTMessage, said: Future[Said]) -> None:
        wrong = None if said.cancelled() else said.exception()
        if wrong is not None:
            _LOG.error("a table is not answered", sender=table, reason=str(wrong), trace=wrong)
        elif not said.cancelled():
            status, members = said.result()
            if status == 403 and isinstance(members, NotDone):
                _LOG.warning("a message of a table that may not send", sender=table, reason=members.error)
            self._answer(table, message, said.result())

    def _answer(self, table: str, message: MQTTMessage, said: Said) -> None:
        if not wants_answer(message.properties):
            return
        status, members = said
        properties = of_answer(correlation_in(message.properties), **{STATUS: str(status)})
        self._client.publish(answer(table), msgspec.json.encode(members), QOS, properties=properties)

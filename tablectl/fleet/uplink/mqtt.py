"""`Transport` and `NowTransport` through a broker (MQTT 5, `tablectl.fleet.topics`).

The library has a thread of its own and queues nothing here: one question is on its way, and what the broker says of a
message is only used to notice that no pit server listens. The pit server's answer alone acknowledges.
"""

from __future__ import annotations

import secrets
import ssl
from concurrent.futures import Future
from concurrent.futures import TimeoutError as TooLate
from typing import Any, Final

import msgspec
from paho.mqtt.client import Client, MQTTMessage, MQTTv5
from paho.mqtt.enums import CallbackAPIVersion, MQTTErrorCode
from paho.mqtt.reasoncodes import ReasonCode

from tablectl.fleet.epochs import Epoch
from tablectl.fleet.mqtt import correlation_in, hang_up, of_question, user_in
from tablectl.fleet.topics import QOS, STATUS, Asked, Here, answer, ask, place_of
from tablectl.fleet.uplink.transport import ANSWER_S, PitAway, PitRefuses, Said, not_believed, said_in
from tablectl.journal.receipts import Receipt

#: How long the broker may take to let this table in.
CONNECT_S: Final = 10.0
KEEPALIVE_S: Final = 15
#: Nobody subscribes to what was published (MQTT 5.0, 3.4.2.1).
_NOBODY: Final = 0x10
_NOT_AUTHORIZED: Final = 0x87


class Mqtt:
    """One connection to the broker. Used by one thread."""

    def __init__(
        self,
        url: str,
        context: ssl.SSLContext,
        table: str,
        *,
        lane: str,
        answer_s: float = ANSWER_S,
        epoch: Epoch | None = None,
    ) -> None:
        """`url`: as in mqtts://broker.casino.example:8883. `lane`: tells this connection from the table's others.
        `epoch`: of the lane whose end means that nobody knows how the table is; it has a birth message and a will."""
        self._host, self._port = place_of(url)
        self._context = context
        self._table = table
        self._name = f"{table}.{lane}"
        self._answer_s = answer_s
        self._epoch = epoch
        self._client: Client | None = None
        self._number = 0
        #: the answer to the question that is on its way, and its number
        self._waiting: tuple[bytes, Future[Said]] | None = None

    def head(self) -> Receipt:
        """How far the records of this table are durable at the pit server."""
        return self._ask(Asked.HEAD, b"").acknowledged

    def hash_of(self, seq: int) -> str | None:
        """The hash of a record that is durable there; None where there is none."""
        try:
            return self._ask(Asked.HASH, str(seq).encode()).hash
        except PitRefuses as no:
            if no.why == "no-record":
                return None
            raise

    def send(self, body: bytes) -> Receipt:
        """A batch; what is durable now."""
        return self._ask(Asked.RECORDS, body).acknowledged

    def tell(self, values: bytes) -> None:
        """What the table is doing now."""
        self._ask(Asked.NOW, values)

    def close(self) -> None:
        """Hang up."""
        if self._client is not None:
            hang_up(self._client)
            self._client = None

    # --- one question -----------------------------------------------------------------------------------------------

    def _ask(self, what: Asked, body: bytes) -> Said:
        client = self._connected()
        self._number += 1
        correlation = self._number.to_bytes(8, "big")
        answer_to: Future[Said] = Future()
        self._waiting = (correlation, answer_to)
        # What the table is doing stays at the broker, for whoever else looks at it.
        properties = of_question(correlation, answer(self._table))
        sent = client.publish(ask(self._table, what), body, QOS, retain=what is Asked.NOW, properties=properties)
        if sent.rc != MQTTErrorCode.MQTT_ERR_SUCCESS:
            self.close()
            raise PitAway(f"{self._where}: {sent.rc.name}")
        try:
            return answer_to.result(self._answer_s)
        except TooLate:
            self.close()
            raise PitAway(f"{self._where}: the broker is there, and the pit server does not answer") from None
        except PitAway:
            self.close()
            raise

    @property
    def _where(self) -> str:
        return f"{self._host}:{self._port}"

    def _connected(self) -> Client:
        """Raises `PitAway` and `PitRefuses`."""
        if self._client is not None:
            return self._client
        client = Client(CallbackAPIVersion.VERSION2, self._name, protocol=MQTTv5, reconnect_on_failure=False)
        client.tls_set_context(self._context)
        session = secrets.token_hex(8)
        if self._epoch is not None:
            client.will_set(self._here, self._birth(session, is_here=False), QOS, retain=True)
        is_in: Future[None] = Future()
        client.on_connect = lambda client, _data, _flags, reason, _properties: self._let_in(client, reason, is_in)
        client.on_subscribe = lambda _client, _data, _id, reasons, _properties: _subscribed(reasons, is_in)
        client.on_publish = lambda _client, _data, _id, reason, _properties: self._published(reason)
        client.on_message = self._heard
        client.on_disconnect = lambda _client, _data, _flags, reason, _properties: self._hung_up(reason, is_in)
        try:
            client.connect(self._host, self._port, KEEPALIVE_S, clean_start=True)
        except ssl.SSLCertVerificationError as wrong:
            hang_up(client)
            raise not_believed(wrong, self._where) from None
        except OSError as wrong:
            hang_up(client)
            raise PitAway(f"{self._where}: {wrong.strerror or wrong}") from None
        client.loop_start()
        try:
            is_in.result(CONNECT_S)
        except TooLate:
            hang_up(client)
            raise PitAway(f"{self._where}: the broker does not answer") from None
        except (PitAway, PitRefuses):
            hang_up(client)
            raise
        self._client = client
        if self._epoch is not None:
            client.publish(self._here, self._birth(session, is_here=True), QOS, retain=True)
        return client

    @property
    def _here(self) -> str:
        return ask(self._table, Asked.HERE)

    def _birth(self, session: str, *, is_here: bool) -> bytes:
        return msgspec.json.encode(Here(epoch=str(self._epoch), session=session, is_here=is_here))

    # --- by the library's thread ------------------------------------------------------------------------------------

    def _let_in(self, client: Client, reason: ReasonCode, is_in: Future[None]) -> None:
        if reason.is_failure:
            _fail(is_in, PitRefuses("not-admitted", f"{self._where}: the broker lets this table not in: {reason}"))
        else:
            client.subscribe(answer(self._table), QOS)

    def _published(self, reason: ReasonCode) -> None:
        if reason.value == _NOBODY:
            self._fail(PitAway(f"{self._where}: the broker is there, and no pit server listens to it"))
        elif reason.value == _NOT_AUTHORIZED:
            why = "the broker lets this table not ask; `tablectl pit broker` makes its list anew"
            self._fail(PitRefuses("not-admitted", f"{self._where}: {why}"))
        elif reason.is_failure:
            self._fail(PitAway(f"{self._where}: the broker does not take it: {reason}"))

    def _heard(self, _client: Client, _data: object, message: MQTTMessage) -> None:
        correlation = correlation_in(message.properties)
        waiting = self._waiting
        if waiting is None or waiting[0] != correlation or waiting[1].done():
            return  # of a question that nobody waits for any more
        status = user_in(message.properties).get(STATUS, "")
        try:
            waiting[1].set_result(said_in(int(status) if status.isdecimal() else 0, bytes(message.payload), Said))
        except (PitAway, PitRefuses) as no:
            waiting[1].set_exception(no)

    def _hung_up(self, reason: ReasonCode, is_in: Future[None]) -> None:
        why = PitAway(f"{self._where}: the broker hung up: {reason}")
        _fail(is_in, why)
        self._fail(why)

    def _fail(self, why: PitAway | PitRefuses) -> None:
        if self._waiting is not None:
            _fail(self._waiting[1], why)


def _subscribed(reasons: list[ReasonCode], is_in: Future[None]) -> None:
    if any(reason.is_failure for reason in reasons):
        _fail(is_in, PitRefuses("not-admitted", "the broker lets this table not hear its answers; see `pit broker`"))
    elif not is_in.done():
        is_in.set_result(None)


def _fail(answer_to: Future[Any], why: Exception) -> None:
    if not answer_to.done():
        answer_to.set_exception(why)

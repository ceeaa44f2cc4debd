"""What both ends need of the MQTT library: typed properties of a packet, and an end that leaves nothing open."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from paho.mqtt.client import Client
from paho.mqtt.packettypes import PacketTypes
from paho.mqtt.properties import Properties

_MADE: Final[Callable[[int], Properties]] = Properties


def of_connect(*, window: int) -> Properties:
    """`window`: so many messages at most that are not acknowledged to the broker."""
    made = _MADE(PacketTypes.CONNECT)
    made.ReceiveMaximum = window
    return made


def of_question(correlation: bytes, answer_to: str) -> Properties:
    """What the answer has to repeat, and where it goes."""
    made = _MADE(PacketTypes.PUBLISH)
    made.CorrelationData = correlation
    made.ResponseTopic = answer_to
    return made


def of_answer(correlation: bytes, **user: str) -> Properties:
    """To the question with this correlation data."""
    made = _MADE(PacketTypes.PUBLISH)
    made.CorrelationData = correlation
    made.UserProperty = list(user.items())
    return made


def wants_answer(properties: Properties | None) -> bool:
    """Whether it says where an answer goes."""
    return hasattr(properties, "ResponseTopic")


def correlation_in(properties: Properties | None) -> bytes:
    """Empty where there is none."""
    return bytes(getattr(properties, "CorrelationData", b""))


def user_in(properties: Properties | None) -> dict[str, str]:
    """Its user properties."""
    return dict(getattr(properties, "UserProperty", ()))


def hang_up(client: Client) -> None:
    """Say so to the broker, end the thread, and let go of what hears it: the client closes its own sockets when nobody
    refers to it any more."""
    client.disconnect()
    client.loop_stop()
    client.on_connect = client.on_disconnect = client.on_message = client.on_publish = client.on_subscribe = None

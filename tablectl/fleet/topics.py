"""How tables and pit server talk through a broker (MQTT 5): topics, and what a message carries. Pure.

A table asks on a topic of its own and names what it asks for; the pit server answers on another one, with the same
correlation data. A broker's acknowledgement means nothing but that the broker has it (docs/fleet.md).
"""

from __future__ import annotations

import re
from enum import StrEnum
from typing import Annotated, Final
from urllib.parse import urlsplit

import msgspec
from msgspec import Meta

_ROOT: Final = "tablectl/v1"
#: The pit server's name at the broker: no table can be called so.
PIT: Final = "_pit"
PORT: Final = 8883
#: Both ends: at least once; what comes twice is a duplicate, which the pit server knows how to answer.
QOS: Final = 1
#: The user property of an answer that has its status, as of HTTP.
STATUS: Final = "status"
_ASKED: Final = re.compile(rf"{_ROOT}/([^/+#]+)/ask/([a-z]+)")


class Asked(StrEnum):
    """What a table asks for, as by HTTPS."""

    #: a batch
    RECORDS = "records"
    #: how far its records are durable
    HEAD = "head"
    #: the hash of the record whose number is the text of the message
    HASH = "hash"
    #: what it is doing now
    NOW = "now"
    #: nothing: it says that it is there, and the broker says that it is not there any more (`Here`)
    HERE = "here"


class Here(msgspec.Struct, frozen=True, kw_only=True):
    """Whether a table is at the broker: its birth message, and its will, which the broker sends where the connection
    breaks. `session` tells this connection from the table's other ones: the will of an old one says nothing of the new
    one. `epoch`: of the journal whose records the pit server had when the connection began."""

    epoch: Annotated[str, Meta(max_length=80)]
    session: Annotated[str, Meta(min_length=1, max_length=64)]
    is_here: bool


def ask(table: str, what: Asked) -> str:
    """Where a table asks."""
    return f"{_ROOT}/{table}/ask/{what}"


def answer(table: str) -> str:
    """Where a table is answered."""
    return f"{_ROOT}/{table}/answer"


#: What the pit server listens to.
ALL_ASKED: Final = f"{_ROOT}/+/ask/+"


def asked_in(topic: str) -> tuple[str, Asked] | None:
    """Which table asks, and for what; None where it is no such topic."""
    found = _ASKED.fullmatch(topic)
    if found is None:
        return None
    try:
        return found.group(1), Asked(found.group(2))
    except ValueError:
        return None


def place_of(url: str) -> tuple[str, int]:
    """Host and port of a broker, as in mqtts://broker.casino.example:8883."""
    where = urlsplit(url)
    return where.hostname or "", where.port or PORT


def permissions(tables: tuple[str, ...]) -> str:
    """The list of who may do what, as Mosquitto reads it (mosquitto.conf(5), acl_file): the pit server, and each of
    these tables on its own topics."""
    lines = [f"user {PIT}", f"topic read {ALL_ASKED}", f"topic write {answer('+')}"]
    for table in tables:
        lines += ["", f"user {table}", f"topic write {ask(table, Asked.RECORDS).rpartition('/')[0]}/+"]
        lines += [f"topic read {answer(table)}"]
    return "\n".join(lines) + "\n"

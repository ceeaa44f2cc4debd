"""What the pit server says to a table, whatever carries it (docs/fleet.md)."""

from __future__ import annotations

from enum import StrEnum
from typing import TypeAlias

import msgspec

from tablectl.fleet.heads import Case
from tablectl.journal.receipts import Receipt


class HeardCase(StrEnum):
    """What becomes of what a table says of now."""

    HEARD = "heard"


class Acknowledged(msgspec.Struct, frozen=True, kw_only=True):
    """A batch: what became of it, and how far this table's records are durable."""

    case: Case
    receipt: Receipt


class Reached(msgspec.Struct, frozen=True, kw_only=True):
    """How far this table's records are durable."""

    receipt: Receipt


class HashOf(msgspec.Struct, frozen=True, kw_only=True):
    """The hash of a record that is durable (64 hexadecimal digits)."""

    hash: str


class Heard(msgspec.Struct, frozen=True, kw_only=True):
    """What a table does now was heard."""

    case: HeardCase = HeardCase.HEARD


class NotDone(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What was not taken, or not done. `why`: one word of the table in docs/fleet.md; `error`: a sentence; `seq`: the
    record that it is about, where it is about one; `receipt`: with a fork, how far records are durable."""

    why: str
    error: str
    seq: int = 0
    receipt: Receipt | None = None


#: All of it.
Answer: TypeAlias = Acknowledged | Reached | HashOf | Heard | NotDone

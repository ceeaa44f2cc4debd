"""What an auditor asks for when he wants to see the sealed cards of a hand: one line of encode_json JSON that says who
asks, why, for which hand of which table, and when; signed with the auditor's private key.

Whoever makes, signs or reads such a request needs no key of the table and no configuration: `unsealing.py` answers it.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, Final

from tablectl.core.events.codec import encode_json
from tablectl.core.timestamps import time_text, time_us
from tablectl.journal.signing import SIGNATURE_BYTES, Signer

#: How old a request may be, and how far ahead the auditor's clock, in microseconds.
FRESH_US: Final = 300_000_000
TEXT_MOST: Final = 500


class Why(StrEnum):
    """Why a request is not granted."""

    NO_AUDITOR = "no-auditor"
    OTHER_KEY = "other-key"
    OTHER_TABLE = "other-table"
    NOT_NOW = "not-now"
    AGAIN = "again"
    NOT_OVER = "not-over"
    NO_WITNESS = "no-witness"


@dataclass(frozen=True, kw_only=True, slots=True)
class Request:
    """What an auditor wants to see. `text` is what was signed."""

    table: str
    hand: int
    by: str
    reason: str
    at_us: int
    text: str
    signature: bytes


class BadRequest(ValueError):
    """What was sent is no request; it cannot even be recorded as one."""


def request_text(*, table: str, hand: int, by: str, reason: str, now_us: int) -> str:
    """What has to be signed."""
    return encode_json({"at": time_text(now_us), "by": by, "hand": hand, "reason": reason, "table": table}).decode()


def signed(*, table: str, hand: int, by: str, reason: str, now_us: int, auditor: Signer) -> dict[str, str]:
    """A request as it is sent."""
    text = request_text(table=table, hand=hand, by=by, reason=reason, now_us=now_us)
    return {"request": text, "signature": auditor.sign_text(text.encode()).hex()}


def parse(sent: object) -> Request:
    """Raises `BadRequest`."""
    try:
        if not isinstance(sent, dict):
            raise TypeError
        text, signature = _text(sent["request"]), bytes.fromhex(sent["signature"])
        told = json.loads(text)
        if type(told["hand"]) is not int:
            raise TypeError
        request = Request(
            table=_text(told["table"]),
            hand=told["hand"],
            by=_text(told["by"]).strip(),
            reason=_text(told["reason"]).strip(),
            at_us=time_us(told["at"]),
            text=text,
            signature=signature,
        )
    except (KeyError, TypeError, ValueError, RecursionError):
        raise BadRequest('a request as `tablectl journal open` makes it: {"request": …, "signature": …}') from None
    if not request.by or not request.reason or len(request.by) + len(request.reason) > TEXT_MOST:
        raise BadRequest(f"who asks and why, in words, together at most {TEXT_MOST} characters")
    if len(signature) != SIGNATURE_BYTES or not 0 < request.hand < 2**63:
        raise BadRequest("a hand's number from 1 and a signature of 64 bytes")
    return request


def without_witness(reply: dict[str, Any]) -> dict[str, Any]:
    """What is said instead of the cards where no other file has the record of the asking."""
    what = "the second copy does not take records now, so nothing is shown"
    return {"ok": False, "seq": reply["seq"], "why": Why.NO_WITNESS.value, "error": what}


def _text(value: object) -> str:
    """Text that can go on record: no half of a surrogate pair is any."""
    if not isinstance(value, str):
        raise TypeError
    value.encode()
    return value

"""The word that opens sealed cards, for the auditor whose key the table knows."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from tablectl.api.behind import Behind, NotAsked
from tablectl.api.lines import said
from tablectl.journal.sealed_card_request import BadRequest, parse
from tablectl.ops.unsealing import Unsealing, without_witness


def unseal(behind: Behind, asked: Mapping[str, Any]) -> Iterator[bytes]:
    """The sealed cards of a hand that is over; nothing where no other file has the record of the asking."""
    try:
        unsealing = Unsealing(parse(asked["unseal"]))
    except BadRequest as wrong:
        raise NotAsked(str(wrong)) from None
    behind.enter(unsealing)
    reply = unsealing.wait(behind.answer_s)
    yield said(reply if not reply["ok"] or behind.witnessed(reply["seq"]) else without_witness(reply))

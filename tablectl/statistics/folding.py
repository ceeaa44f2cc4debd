"""The fold: public records become rows, one after another. Pure.

`fold(book, record)` gives the book after it and the rows that it made or changed. What it has to remember from one
record to the next is in the book, so that it can go on where it was after a restart.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import cache
from typing import Any

from tablectl.rulebooks.registry import RULEBOOKS
from tablectl.statistics.rows import FloatRow, HandRow, IncidentRow, us_of
from tablectl.tray import ACTS, Tray
from tablectl.tray import fold as fold_tray


@dataclass(frozen=True, kw_only=True, slots=True)
class Book:
    """How far it is folded: the number of the last record and its digest, and what is not over yet."""

    seq: int = 0
    digest: str = ""
    croupier: str = ""
    hand: HandRow | None = None
    incidents: Mapping[int, IncidentRow] = field(default_factory=dict)
    tray: Tray = field(default_factory=Tray)


@dataclass(frozen=True, kw_only=True, slots=True)
class Changes:
    """Rows to be written, each with its number; a row written before is replaced."""

    hands: Mapping[int, HandRow] = field(default_factory=dict)
    incidents: Mapping[int, IncidentRow] = field(default_factory=dict)
    floats: Mapping[int, FloatRow] = field(default_factory=dict)


def digest_of(record: Mapping[str, Any]) -> str:
    """What tells a record from any other one, in hexadecimal digits."""
    plain = json.dumps(record, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    return hashlib.sha256(plain.encode()).hexdigest()


def fold(book: Book, record: Mapping[str, Any]) -> tuple[Book, Changes]:
    """The book after one more record, its digest not worked out. Raises `LookupError`, `TypeError` or `ValueError` for
    what is no record."""
    at_us, fact = us_of(record["at"]), record["fact"]
    hand, incidents, croupier = book.hand, dict(book.incidents), book.croupier
    tray = fold_tray(book.tray, record)
    hands: dict[int, HandRow] = {}
    changed: dict[int, IncidentRow] = {}
    for said in record.get("decisions", ()):
        match said["kind"]:
            case "croupier-at-table":
                croupier = str(said["croupier"])
            case "croupier-left":
                croupier = ""
            case "hand-opened":
                number = int(said["hand"])
                hand = HandRow(hand=number, game=str(said["rulebook"]), opened_us=at_us, croupier=croupier)
                hands[number] = hand
            case "hand-voided" if hand is not None:
                hand = hands[hand.hand] = replace(hand, void=str(said["clause"]))
            case "hand-closed" if hand is not None and hand.hand == said["hand"]:
                hands[hand.hand], hand = _closed(hand, said, at_us, tray.expected), None
            case "incident-raised":
                number = int(said["incident"])
                dealt = int(record["hand"]) if hand is None else hand.hand
                changed[number] = IncidentRow(
                    incident=number,
                    hand=dealt,
                    clause=str(said["clause"]),
                    severity=str(said["severity"]),
                    raised_us=at_us,
                    croupier=croupier,
                    device=_device(fact),
                )
                incidents[number] = changed[number]
            case "incident-seen" | "incident-closed" if int(said["incident"]) in incidents:
                number = int(said["incident"])
                incidents[number] = changed[number] = _went_on(incidents[number], said, fact, at_us)
    still = {number: each for number, each in incidents.items() if not each.is_done}
    after = Book(seq=int(record["seq"]), croupier=croupier, hand=hand, incidents=still, tray=tray)
    floats = {after.seq: _float(record, at_us, tray)} if fact["kind"] in ACTS else {}
    return after, Changes(hands=hands, incidents=changed, floats=floats)


def fold_all(book: Book, records: Iterable[Mapping[str, Any]]) -> tuple[Book, Changes]:
    """The same for several records, which have to follow each other. Raises `ValueError` where one is missing."""
    hands: dict[int, HandRow] = {}
    incidents: dict[int, IncidentRow] = {}
    floats: dict[int, FloatRow] = {}
    last: Mapping[str, Any] | None = None
    for record in records:
        if int(record["seq"]) != book.seq + 1:
            raise ValueError(f"record {record['seq']} after {book.seq}")
        book, made = fold(book, record)
        hands.update(made.hands)
        incidents.update(made.incidents)
        floats.update(made.floats)
        last = record
    if last is not None:
        book = replace(book, digest=digest_of(last))
    return book, Changes(hands=hands, incidents=incidents, floats=floats)


def _float(record: Mapping[str, Any], at_us: int, tray: Tray) -> FloatRow:
    fact = record["fact"]
    return FloatRow(
        seq=int(record["seq"]),
        hand=int(record["hand"]),
        at_us=at_us,
        act=ACTS[fact["kind"]].value,
        amount=int(fact["amount"]),
        counted_on=fact.get("expected"),
        expected=tray.expected,
        by=str(fact["by"]),
        second=str(fact["second"]),
    )


def _closed(hand: HandRow, said: Mapping[str, Any], at_us: int, expected: int | None) -> HandRow:
    change = said.get("float_change")
    has_bank = _has_bank(hand.game)
    return replace(
        hand,
        closed_us=at_us,
        cards=int(said["drawn"]),
        presses=int(said["presses"]),
        bank_net=change if has_bank else None,
        fee=None if has_bank else change,
        float_expected=expected,
    )


def _went_on(row: IncidentRow, said: Mapping[str, Any], fact: Mapping[str, Any], at_us: int) -> IncidentRow:
    if said["kind"] == "incident-seen":
        return (
            row
            if row.acknowledged_us is not None
            else replace(row, acknowledged_us=at_us, acknowledged_by=str(said["by"]))
        )
    ruled = fact["kind"] == "ruled" and fact["incident"] == row.incident
    names = "+".join(filter(None, (str(fact.get("by", "")), str(fact.get("second", ""))))) if ruled else ""
    return replace(row, closed_us=at_us, closed_by=names or str(said["by"]), remedy=str(said["remedy"]))


def _device(fact: Mapping[str, Any]) -> str:
    """The device that a fact is about: by the name that the configuration gives it, or as USB describes it."""
    if fact["kind"] == "topology-changed":
        return str(fact["what"])
    return str(fact.get("device", ""))


@cache
def _has_bank(game: str) -> bool:
    """Whether players of a game bet against the bank; a game that this version does not know is taken for one."""
    return game not in RULEBOOKS or RULEBOOKS[game]({}).circle is None

"""Words that read: the public stream, hands that were, how the devices are."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from contextlib import closing
from dataclasses import asdict
from pathlib import Path
from typing import Any, Final

from tablectl.api.behind import Behind, NoRegister, NotAsked
from tablectl.api.lines import LOOK_S, NOTHING, OVER, said
from tablectl.core.codec import to_plain
from tablectl.core.timestamps import time_text
from tablectl.journal.lines import line
from tablectl.journal.recall import HANDS_MOST, UNKNOWN_HAND, carried_into, is_opened, last_hands
from tablectl.journal.store import JournalUnusable, Position
from tablectl.journal.volumes import Shelf
from tablectl.ops.trace.kept import traces_in
from tablectl.table.decks.register import RegisterUnusable

#: The last position that a journal can have: SQLite's greatest integer.
POSITION_MOST: Final = 2**63 - 1
_HASH: Final = re.compile(r"[0-9a-f]{64}")


def follow(behind: Behind, asked: Mapping[str, Any]) -> Iterator[bytes]:
    """Behind a position; or from the opening of the N-th last hand on."""
    match asked["follow"]:
        case {"after": int(after)} if 0 <= after <= POSITION_MOST:
            yield from _follow(behind, after, 0)
        case {"hands": int(hands)} if 0 < hands <= POSITION_MOST:
            yield from _follow(behind, None, hands)
        case _:
            raise NotAsked


def recall(behind: Behind, asked: Mapping[str, Any]) -> Iterator[bytes]:
    """The list of the last hands, or one of them."""
    match asked["recall"]:
        case {"hands": int(hands)} if 0 < hands <= HANDS_MOST:
            yield from _recall(behind, hands=hands)
        case {"hand": int(hand)} if 0 < hand <= POSITION_MOST:
            yield from _recall(behind, hand=hand)
        case _:
            raise NotAsked


def ask(behind: Behind, asked: Mapping[str, Any]) -> Iterator[bytes]:
    """How everything is, what a technician tries, what the table runs with, which decks and which traces there are,
    and what should lie in the tray."""
    match asked["ask"]:
        case "devices":
            yield said(behind.report())
        case "test":
            yield said(behind.test())
        case "running":
            yield said(behind.running())
        case "decks":
            yield said(_decks(behind))
        case "traces":
            yield said(_traces(behind))
        case "float":
            yield said(_float(behind))
        case _:
            raise NotAsked


def confirm(behind: Behind, asked: Mapping[str, Any]) -> Iterator[bytes]:
    """Whether the one writer wrote this record, from its memory: for who verifies an end that is not signed yet."""
    match asked["confirm"]:
        case {"seq": int(seq), "hash": str(told)} if 0 < seq <= POSITION_MOST and _HASH.fullmatch(told):
            confirms = behind.newest.confirms(Position(seq, bytes.fromhex(told)), LOOK_S)
            yield said({"ok": True, "confirms": confirms, "records": behind.newest.seq})
        case _:
            raise NotAsked


def _decks(behind: Behind) -> dict[str, Any]:
    """The register of decks, without any card or tag."""
    try:
        with behind.register() as register:
            rows = [
                {
                    "deck": deck.name,
                    "state": deck.state.value,
                    "since": time_text(deck.since_us),
                    "by": deck.by,
                    "reason": deck.reason,
                }
                for deck in register.decks
            ]
    except RegisterUnusable as wrong:
        return {"ok": False, "error": str(wrong), "none": isinstance(wrong, NoRegister)}
    return {"ok": True, "decks": rows, "readers": list(behind.readers)}


def _traces(behind: Behind) -> dict[str, Any]:
    """What stands in front of each trace, newest first: the files are open to nobody but the controller."""
    told = behind.running().get("traces")
    rows = () if told is None else traces_in(Path(told["folder"]))
    return {"ok": True, "traces": [asdict(row) for row in rows]}


def _float(behind: Behind) -> dict[str, Any]:
    """What should lie in the tray by now, of what that is made, and the last entries, newest first."""
    try:
        tray, entries = behind.trays.now()
    except JournalUnusable as wrong:
        return {"ok": False, "error": str(wrong)}
    made_of = {name: getattr(tray, name) for name in ("counted", "seq", "fills", "credits", "change", "hands")}
    return {
        "ok": True,
        "expected": tray.expected,
        "unknown": tray.unknown,
        "is_hand_open": tray.is_open,
        "made_of": None if tray.unknown is not None else made_of,
        "chip": behind.setup.chip,
        "entries": entries,
    }


def _follow(behind: Behind, after: int | None, hands: int) -> Iterator[bytes]:
    told = behind.greeting
    yield said(told)
    try:
        with closing(Shelf(behind.journal)) as shelf:
            seq = shelf.last_boundary(hands) if after is None else after
            while True:
                if behind.newest.wait_behind(seq, LOOK_S):
                    for stored in shelf.records(after=seq):
                        seq = stored.seq
                        yield line(stored)
                elif behind.newest.is_closed:
                    return  # and everything that there was is told
                else:
                    yield NOTHING
                # A record can be read before it is published, so this is asked even where nothing came.
                if behind.greeting is not told:
                    yield OVER  # another game is played now
    except JournalUnusable as wrong:
        yield said({"ok": False, "error": str(wrong)})


def _recall(behind: Behind, *, hand: int = 0, hands: int = 0) -> Iterator[bytes]:
    """The list of the last `hands`, or one hand's records, and no more."""
    try:
        with closing(Shelf(behind.journal)) as shelf:
            if hands:
                yield said({"hands": [to_plain(row) for row in last_hands(shelf, hands)]})
                return
            records = list(shelf.records(hand=hand))
            if not is_opened(records):
                error = f"there is no hand {hand} in this journal"
                yield said({"ok": False, "why": UNKNOWN_HAND, "error": error})
                return
            greeting = {**behind.greeting, "carried": carried_into(shelf, records[0])}
    except JournalUnusable as wrong:
        yield said({"ok": False, "error": str(wrong)})
        return
    yield said(greeting)
    yield from (stored.public for stored in records)
    yield said({"end": True})

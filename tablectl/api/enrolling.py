"""The word by which a deck is enrolled at one of the table's readers while its controller runs, between two hands.

Whoever asked gets a line for everything that `tablectl deck enroll` would say, and hangs up to give up. What else there
is to say comes on another connection: that the last card was wrong, or that it is given up.
"""

from __future__ import annotations

import queue
from collections.abc import Generator, Iterator, Mapping
from typing import Any, Final

from drivers.facts import Found
from tablectl.api.behind import Behind, NotAsked
from tablectl.api.entry import Enrolled, Enrolling
from tablectl.api.lines import NOTHING, said
from tablectl.core.cards import DECK, Card
from tablectl.table.decks.at_reader import CannotEnrol, Enter, GivenUp, Heard, Told, card_name, conversation
from tablectl.table.decks.enrolment import Enrolment
from tablectl.table.decks.register import NotSo, Register, RegisterUnusable

TEXT_MOST: Final = 200
_NOBODY: Final = "no deck is being enrolled"


def enrol(behind: Behind, asked: Mapping[str, Any]) -> Iterator[bytes]:
    """Lines of progress until the deck is registered; or a word to the deck that is being enrolled."""
    match asked["enrol"]:
        case "back":
            yield _told(is_heard=behind.enrolments.say(Enter()))
        case "over":
            yield _told(is_heard=behind.enrolments.say(GivenUp("given up")))
        case {"deck": str(deck), "reader": str(reader), "by": str(by), **rest} if _is_text(by) and by.strip():
            reason = rest.get("reason", "")
            if not isinstance(reason, str) or not _is_text(reason):
                raise NotAsked("a reason in one line")
            yield from _lines(behind, deck, reader, by.strip(), reason.strip())
        case _:
            raise NotAsked('{"enrol": {"deck": a name, "reader": a device, "by": a name}}, "back" or "over"')


def _is_text(text: str) -> bool:
    return text.isprintable() and len(text) <= TEXT_MOST


def _told(*, is_heard: bool) -> bytes:
    return said({"ok": True} if is_heard else {"ok": False, "error": _NOBODY})


def _at_reader(behind: Behind, register: Register, reader: str, by: str) -> Generator[bytes, None, Mapping[str, Card]]:
    """The tags of the deck, with the lines told meanwhile. Raises `CannotEnrol`."""
    heard: queue.SimpleQueue[Heard] = queue.SimpleQueue()
    asking = Enrolling(reader, by, heard)
    try:
        behind.enter(asking)
        reply = asking.wait(behind.answer_s)
        if not reply["ok"]:
            raise CannotEnrol(reply["error"])
        heard.put(Found(device=reader, at_us=behind.now_us(), identity=reply["identity"]))
        enrolment = Enrolment(register.owner)
        with behind.enrolments.going_on(heard):
            for told in conversation(enrolment, heard, reader, card_name):
                yield NOTHING if told is None else _line(told)
        return dict(enrolment.tags)
    finally:
        behind.enter(Enrolled(heard))


def _line(told: Told) -> bytes:
    """The card that is asked for is no card of the deal: a deck that is enrolled lies open."""
    due = None if told.due is None else told.due.code
    return said({"what": told.what.value, "line": told.line, "done": told.done, "of": len(DECK), "due": due})


def _lines(behind: Behind, deck: str, reader: str, by: str, reason: str) -> Iterator[bytes]:
    try:
        with behind.register() as register:
            register.check_name(deck)
            tags = yield from _at_reader(behind, register, reader, by)
            register.enrol(deck, tags, by=by, reason=reason, at_us=behind.now_us())
            yield said({"ok": True, "deck": deck, "done": len(tags)})
    except (CannotEnrol, NotSo, RegisterUnusable) as wrong:
        yield said({"ok": False, "error": str(wrong)})

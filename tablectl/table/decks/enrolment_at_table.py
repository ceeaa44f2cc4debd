"""A deck is enrolled at one of the table's readers while its controller runs, between two hands.

Whoever asked gets a line for everything that `tablectl deck enroll` would say, and hangs up to give up. What else there
is to say comes on another connection: that the last card was wrong, or that it is given up.
"""

from __future__ import annotations

import queue
import threading
from collections.abc import Callable, Generator, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from drivers.facts import Found
from tablectl.api.commands import Command
from tablectl.core.cards import DECK, Card
from tablectl.core.timestamps import time_text
from tablectl.journal.deck_register import NotSo, Register, RegisterUnusable
from tablectl.table.decks.at_reader import CannotEnrol, Enter, GivenUp, Heard, Told, card_name, conversation
from tablectl.table.decks.enrolment import Enrolment


class NoRegister(RegisterUnusable):
    """No reader of the table reads tags, so there is nothing to register: nothing is wrong."""


@dataclass(kw_only=True, eq=False)
class LendReader(Command):
    """A reader is asked for, to enrol a deck: what it hears goes to `heard`. Answered with who it says it is."""

    reader: str
    by: str
    heard: queue.SimpleQueue[Heard]


@dataclass(kw_only=True, eq=False)
class ReturnReader(Command):
    """A deck is enrolled, or given up: the reader is the table's again."""

    heard: queue.SimpleQueue[Heard]


class EnrolmentAtTable:
    """Of one table; at most one deck at a time. Used by the threads that serve connections."""

    def __init__(
        self,
        *,
        register: Callable[[], Register],
        submit: Callable[[Command], None],
        now_us: Callable[[], int],
        answer_s: float = 5.0,
    ) -> None:
        self._register = register
        self._submit = submit
        self._now_us = now_us
        self._answer_s = answer_s
        self._lock = threading.Lock()
        self._heard: queue.SimpleQueue[Heard] | None = None

    def run(self, deck: str, reader: str, by: str, reason: str) -> Iterator[Mapping[str, Any] | None]:
        """Lines of progress, the last one with `ok`; None now and then where nothing is to be told."""
        try:
            with self._register() as register:
                register.check_name(deck)
                tags = yield from self._at_reader(register, reader, by)
                register.enrol(deck, tags, by=by, reason=reason, at_us=self._now_us())
                yield {"ok": True, "deck": deck, "done": len(tags)}
        except (CannotEnrol, NotSo, RegisterUnusable) as wrong:
            yield {"ok": False, "error": str(wrong)}

    def tell(self, what: str) -> bool:
        """To the deck that is being enrolled: `back`, the last card was wrong; `over`, it is given up. False where no
        deck is being enrolled."""
        with self._lock:
            if self._heard is None:
                return False
            self._heard.put(Enter() if what == "back" else GivenUp("given up"))
            return True

    def _at_reader(
        self, register: Register, reader: str, by: str
    ) -> Generator[Mapping[str, Any] | None, None, Mapping[str, Card]]:
        """The tags of the deck, with the lines told meanwhile. Raises `CannotEnrol`."""
        heard: queue.SimpleQueue[Heard] = queue.SimpleQueue()
        lend = LendReader(reader=reader, by=by, heard=heard)
        try:
            self._submit(lend)
            reply = lend.wait(self._answer_s)
            if not reply["ok"]:
                raise CannotEnrol(reply["error"])
            heard.put(Found(device=reader, at_us=self._now_us(), identity=reply["identity"]))
            enrolment = Enrolment(register.owner)
            with self._going_on(heard):
                for told in conversation(enrolment, heard, reader, card_name):
                    yield None if told is None else _line(told)
            return dict(enrolment.tags)
        finally:
            self._submit(ReturnReader(heard=heard))

    @contextmanager
    def _going_on(self, heard: queue.SimpleQueue[Heard]) -> Iterator[None]:
        with self._lock:
            self._heard = heard
        try:
            yield
        finally:
            with self._lock:
                self._heard = None


def _line(told: Told) -> Mapping[str, Any]:
    """The card that is asked for is no card of the deal: a deck that is enrolled lies open."""
    due = None if told.due is None else told.due.code
    return {"what": told.what.value, "line": told.line, "done": told.done, "of": len(DECK), "due": due}


def decks_answer(register: Callable[[], Register], readers: tuple[str, ...]) -> dict[str, Any]:
    """The register of decks and the readers of the table, without any card or tag."""
    try:
        with register() as opened:
            rows = [
                {
                    "deck": deck.name,
                    "state": deck.state.value,
                    "since": time_text(deck.since_us),
                    "by": deck.by,
                    "reason": deck.reason,
                }
                for deck in opened.decks
            ]
    except RegisterUnusable as wrong:
        return {"ok": False, "error": str(wrong), "none": isinstance(wrong, NoRegister)}
    return {"ok": True, "decks": rows, "readers": list(readers)}

"""Enrolling at a reader: what is asked, what is heard, and what is said of it, line by line."""

from __future__ import annotations

import queue
import threading
import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Final, TypeAlias

from drivers import facts as device
from tablectl.cards import DECK, Card
from tablectl.decks.enrolment import Enrolment, Said

#: How long the reader has to answer, in seconds.
ANSWER_S: Final = 10.0


class CannotEnrol(Exception):
    """The text says why, and what to do. Nothing was registered."""


@dataclass(frozen=True, slots=True)
class Enter:
    """The person pressed Enter: the last card was not the one that was asked for."""


Heard: TypeAlias = device.DeviceFact | Enter


def hear(lines: Iterable[str], heard: queue.SimpleQueue[Heard]) -> None:
    """Each line that the person types is an `Enter`, until there are no more."""

    def listen() -> None:
        for _ in lines:
            heard.put(Enter())

    threading.Thread(target=listen, name="keyboard", daemon=True).start()


def conversation(
    enrolment: Enrolment,
    heard: queue.SimpleQueue[Heard],
    name: str,
    name_of: Callable[[Card], str],
) -> Iterator[str]:
    """Ask for each card and say what became of it, until all are bound. `name` is the reader's, `name_of` a card's.

    Raises `CannotEnrol`.
    """
    found = _await_reader(heard, name)
    yield f"{name}: {found}"
    yield "Lay the card that is asked for, and no other, on the reader. Enter: the last one was wrong. Ctrl-C: give up."
    yield _ask(enrolment, name_of)
    while not enrolment.is_over:
        said: Said | None = None
        match heard.get():
            case device.TagIn(tag=tag, at_us=at_us):
                said = enrolment.came(tag.open(), at_us)
            case device.TagOut(tag=tag):
                said = enrolment.left(tag.open())
            case device.Lost(reason=reason):
                raise CannotEnrol(f"{name}: {reason}; nothing is registered, begin again")
            case Enter():
                back = enrolment.back()
                yield f"       {'nothing was registered yet' if back is None else f'{name_of(back)}: taken back'}"
                yield _ask(enrolment, name_of)
        if said is not None:
            yield from _answer(said, enrolment, name_of)


def _await_reader(heard: queue.SimpleQueue[Heard], name: str) -> str:
    until_s = time.monotonic() + ANSWER_S
    reason = "it does not answer"
    while (left_s := until_s - time.monotonic()) > 0:
        try:
            fact = heard.get(timeout=left_s)
        except queue.Empty:
            break
        if isinstance(fact, device.Found):
            return fact.identity
        if isinstance(fact, device.Lost):
            reason = fact.reason
    raise CannotEnrol(f"{name}: {reason}; where the controller of the table runs it has the reader to itself: stop it")


def _answer(said: Said, enrolment: Enrolment, name_of: Callable[[Card], str]) -> Iterator[str]:
    if said in _WORDS:
        yield f"       {_WORDS[said]}"
    if said is Said.EMPTY and enrolment.due is not None:
        yield _ask(enrolment, name_of)


def _ask(enrolment: Enrolment, name_of: Callable[[Card], str]) -> str:
    due = enrolment.due
    assert due is not None, "asked for a card that there is"
    return f"{enrolment.done + 1:2}/{len(DECK)}  {name_of(due)}"


_WORDS: Final = {
    Said.BOUND: "registered; take it away",
    Said.AGAIN: "that card was laid before; take it away",
    Said.OF_ANOTHER_DECK: "that card belongs to another deck; take it away",
    Said.TWO: "more than one card lies there, and none counts; take them all away",
}

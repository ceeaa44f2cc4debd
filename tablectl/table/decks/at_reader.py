"""Enrolling at a reader: what is asked, what is heard, and what is said of it, line by line.

The reader is one that the command opened itself, or one of a table whose controller runs: the conversation is the same.
"""

from __future__ import annotations

import queue
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Final, TypeAlias

from drivers import facts as device
from tablectl.core.cards import DECK, Card
from tablectl.i18n.languages import LANGUAGES
from tablectl.i18n.table_texts import TableTexts, rank_of, sign_of
from tablectl.i18n.texts import load_texts
from tablectl.table.decks.enrolment import Enrolment, Said

#: How long the reader has to answer, in seconds.
ANSWER_S: Final = 10.0
#: How often whoever tells the lines can look whether somebody still listens, in seconds.
LOOK_S: Final = 0.5


class CannotEnrol(Exception):
    """The text says why, and what to do. Nothing was registered."""


@dataclass(frozen=True, slots=True)
class Enter:
    """The person pressed Enter: the last card was not the one that was asked for."""


@dataclass(frozen=True, slots=True)
class GivenUp:
    """Nobody goes on with it: the text says why."""

    why: str


Heard: TypeAlias = device.DeviceFact | Enter | GivenUp


class What(StrEnum):
    """What a line is about."""

    #: The reader answers.
    READER = "reader"
    #: How it goes.
    HOW = "how"
    #: A card is asked for.
    ASK = "ask"
    BOUND = "bound"
    AGAIN = "again"
    OF_ANOTHER_DECK = "of-another-deck"
    TWO = "two"
    #: The last card was taken back.
    BACK = "back"


@dataclass(frozen=True, kw_only=True, slots=True)
class Told:
    """One line of it, for people; and for programs what it is about, how many cards are bound and which one is due."""

    what: What
    line: str
    done: int
    due: Card | None


def hear(lines: Iterable[str], pressed: Callable[[], object]) -> None:
    """Each line that the person types is a press of Enter, until there are no more."""

    def listen() -> None:
        for _ in lines:
            pressed()

    threading.Thread(target=listen, name="keyboard", daemon=True).start()


def conversation(
    enrolment: Enrolment,
    heard: queue.SimpleQueue[Heard],
    name: str,
    name_of: Callable[[Card], str],
) -> Iterator[Told | None]:
    """Ask for each card and say what became of it, until all are bound. `name` is the reader's, `name_of` a card's.
    None, now and then, where nothing is to be told.

    Raises `CannotEnrol`.
    """

    def told(what: What, line: str) -> Told:
        return Told(what=what, line=line, done=enrolment.done, due=enrolment.due)

    found = _await_reader(heard, name)
    yield told(What.READER, f"{name}: {found}")
    yield told(What.HOW, _HOW)
    yield told(What.ASK, _ask(enrolment, name_of))
    while not enrolment.is_over:
        said: Said | None = None
        try:
            fact = heard.get(timeout=LOOK_S)
        except queue.Empty:
            yield None
            continue
        match fact:
            case device.TagIn(tag=tag, at_us=at_us):
                said = enrolment.came(tag.open(), at_us)
            case device.TagOut(tag=tag):
                said = enrolment.left(tag.open())
            case device.Lost(reason=reason):
                raise CannotEnrol(f"{name}: {reason}; nothing is registered, begin again")
            case GivenUp(why=why):
                raise CannotEnrol(f"{why}; nothing is registered")
            case Enter():
                back = enrolment.back()
                line = "nothing was registered yet" if back is None else f"{name_of(back)}: taken back"
                yield told(What.BACK, f"       {line}")
                yield told(What.ASK, _ask(enrolment, name_of))
        if said is not None and said in _WORDS:
            yield told(What(said), f"       {_WORDS[said]}")
        if said is Said.EMPTY and enrolment.due is not None:
            yield told(What.ASK, _ask(enrolment, name_of))


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
    raise CannotEnrol(f"{name}: {reason}; is it plugged in, and has no other program its port?")


def _ask(enrolment: Enrolment, name_of: Callable[[Card], str]) -> str:
    due = enrolment.due
    assert due is not None, "asked for a card that there is"
    return f"{enrolment.done + 1:2}/{len(DECK)}  {name_of(due)}"


def card_name(card: Card) -> str:
    """`A♠  as de picas, ace of spades`: whoever lays the cards may speak either."""
    names = [TableTexts(language=language, texts=load_texts(), rulebook="").card(card.code) for language in LANGUAGES]
    return f"{rank_of(card.code[0])}{sign_of(card.code[1])}  {', '.join(names)}"


_HOW: Final = (
    "Lay the card that is asked for, and no other, on the reader. Enter: the last one was wrong. Ctrl-C: give up."
)
_WORDS: Final[Mapping[Said, str]] = {
    Said.BOUND: "registered; take it away",
    Said.AGAIN: "that card was laid before; take it away",
    Said.OF_ANOTHER_DECK: "that card belongs to another deck; take it away",
    Said.TWO: "more than one card lies there, and none counts; take them all away",
}

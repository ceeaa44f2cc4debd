"""All that the door understands: one line a word. What is behind each of them is in a module of its own."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final, TypeAlias

from tablectl.door import accessing, enrolling, entering, opening, reading, trying
from tablectl.door.behind import Behind, NotAsked
from tablectl.door.lines import said

#: Lines for whoever asked, without their ends. Raises `NotAsked` for what is in no shape of this word.
Answer: TypeAlias = Callable[[Behind, Mapping[str, Any]], Iterator[bytes]]


@dataclass(frozen=True, kw_only=True, slots=True)
class Word:
    """A member of what is sent by which it is known, and the shape of the whole, for people."""

    word: str
    shape: str
    answer: Answer


WORDS: Final = (
    Word(word="follow", shape='{"follow": …}', answer=reading.follow),
    Word(word="recall", shape='{"recall": …}', answer=reading.recall),
    Word(word="ask", shape='{"ask": "devices" or "test", "running", "decks"}', answer=reading.ask),
    Word(word="enter", shape='{"enter": "…"}', answer=entering.enter),
    Word(word="use", shape='{"use": "…", "by": "…"}', answer=entering.use),
    Word(word="unseal", shape='{"unseal": …}', answer=opening.unseal),
    Word(word="test", shape='{"test": …}', answer=trying.test),
    Word(word="enrol", shape='{"enrol": …}', answer=enrolling.enrol),
    Word(word="access", shape='{"access": …}', answer=accessing.access),
)
_ANSWERS: Final = {each.word: each.answer for each in WORDS}
_EXPECTED: Final = f"expected one of {', '.join(each.shape for each in WORDS)}"


def answers(behind: Behind, asked: object) -> Generator[bytes]:
    """What is said to one line of somebody's."""
    word = next((each for each in asked if each in _ANSWERS), None) if isinstance(asked, dict) else None
    if word is None or not isinstance(asked, dict):
        yield said({"ok": False, "error": _EXPECTED})
        return
    try:
        yield from _ANSWERS[word](behind, asked)
    except NotAsked as wrong:
        yield said({"ok": False, "error": f"expected {wrong}" if wrong.args else _EXPECTED})

"""All that the door understands: one line a word. What is behind each of them is in a module of its own."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final, TypeAlias

from tablectl.api import accessing, counting, enrolling, entering, opening, reading, trying
from tablectl.api.behind import Behind, NotAsked
from tablectl.api.lines import said

#: Lines for whoever asked, without their ends. Raises `NotAsked` for what is in no shape of this word.
Answer: TypeAlias = Callable[[Behind, Mapping[str, Any]], Iterator[bytes]]


@dataclass(frozen=True, kw_only=True, slots=True)
class Word:
    """A member of what is sent by which it is known, and the shape of the whole, for people. `enters`: something of the
    table may be another thing behind it, so not everybody who may look may say it."""

    word: str
    shape: str
    answer: Answer
    enters: bool = True


WORDS: Final = (
    Word(word="follow", shape='{"follow": …}', answer=reading.follow, enters=False),
    Word(word="recall", shape='{"recall": …}', answer=reading.recall, enters=False),
    Word(
        word="ask",
        shape='{"ask": "devices" or "test", "running", "decks", "traces", "float"}',
        answer=reading.ask,
        enters=False,
    ),
    Word(word="confirm", shape='{"confirm": {"seq": …, "hash": "…"}}', answer=reading.confirm, enters=False),
    Word(word="enter", shape='{"enter": "…"}', answer=entering.enter),
    Word(word="use", shape='{"use": "…", "by": "…"}', answer=entering.use),
    Word(word="float", shape='{"float": …}', answer=counting.enter_float),
    Word(word="unseal", shape='{"unseal": …}', answer=opening.unseal),
    Word(word="test", shape='{"test": …}', answer=trying.test),
    Word(word="enrol", shape='{"enrol": …}', answer=enrolling.enrol),
    Word(word="access", shape='{"access": …}', answer=accessing.access),
)
_WORDS: Final = {each.word: each for each in WORDS}
_EXPECTED: Final = f"expected one of {', '.join(each.shape for each in WORDS)}"


def answers(behind: Behind, asked: object, *, may_enter: bool = True) -> Generator[bytes]:
    """What is said to one line of somebody's."""
    word = next((each for each in asked if each in _WORDS), None) if isinstance(asked, dict) else None
    if word is None or not isinstance(asked, dict):
        yield said({"ok": False, "error": _EXPECTED})
        return
    if _WORDS[word].enters and not may_enter:
        yield said({"ok": False, "error": "this user may look and enter nothing; control.speakers says who may enter"})
        return
    try:
        yield from _WORDS[word].answer(behind, asked)
    except NotAsked as wrong:
        yield said({"ok": False, "error": f"expected {wrong}" if wrong.args else _EXPECTED})

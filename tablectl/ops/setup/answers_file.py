"""The same questions, answered by a file: TOML, the key of a question being its place in it. Nobody is asked anything.

All mistakes are told at once. A question whose answer is wrong is taken as if its proposal had been said, so that those
after it are looked at too.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from difflib import get_close_matches
from pathlib import Path
from typing import Any, Final, TypeGuard

from tablectl.core.os_error_text import happened, remedy
from tablectl.core.toml_text import NotToml, toml
from tablectl.core.validation import Invalid, Mistake
from tablectl.i18n.texts import load_texts
from tablectl.ops.setup.messages import IN_FILES, PACKAGE, Voice
from tablectl.ops.setup.money import Sum
from tablectl.ops.setup.plan import Task, next_question
from tablectl.ops.setup.questions import Question, Refused, Value

#: What stands for an answer that could not be read, where nothing is proposed.
_WRONG: Final = "/"


class BadAnswers(Invalid):
    """A file of answers with mistakes."""


def answers_in(path: Path, task: Task) -> dict[str, Any]:
    """All answers. Raises `BadAnswers`."""
    try:
        raw = toml(path.read_bytes())
    except (OSError, NotToml) as wrong:
        raise BadAnswers([_not_read(path, wrong)]) from None
    reader = _Reader(path, raw)
    said = reader.answers(task)
    if reader.mistakes:
        raise BadAnswers(reader.mistakes)
    return said


def _not_read(path: Path, wrong: OSError | NotToml) -> Mistake:
    if isinstance(wrong, OSError):
        right = remedy(wrong, "a readable TOML file with the answers (docs/setup.md has one to begin with)")
        return Mistake(where=str(path), key="(file)", found=happened(wrong), right=right)
    return Mistake(where=str(path), key="(file)", found=str(wrong), right=f"{wrong.right}: a readable TOML file")


class _Reader:
    def __init__(self, path: Path, raw: Mapping[str, Any]) -> None:
        self._path = path
        self._raw = raw
        self._voice = Voice(IN_FILES)
        self._words = load_texts(PACKAGE)
        self.mistakes: list[Mistake] = []

    def answers(self, task: Task) -> dict[str, Any]:
        said: dict[str, Any] = {}
        asked: set[str] = set()
        while (question := next_question(said, task)) is not None:
            if question.is_of_files:
                asked.add(question.key)
                said[question.key] = self._answer(question)
            else:
                said[question.key] = question.proposal
        for key, value in _leaves("", self._raw, frozenset(asked)):
            self._wrong(key, repr(value), f"to leave it out: this table is not asked for it{_instead(key, asked)}")
        return said

    def _answer(self, question: Question) -> Value:
        found = self._at(question.key)
        try:
            if found is not None:
                return question.read(found)
            if question.proposal is None or question.is_needed:
                raise Refused("nothing")
            question.check(question.proposal)
        except Refused as no:
            right = self._needed(question) if found is None and no.why == "nothing" else self._right(no, found)
            self._wrong(question.key, "nothing" if found is None else repr(found), right)
        return _WRONG if question.proposal is None else question.proposal

    def _needed(self, question: Question) -> str:
        """What is asked, and what an answer looks like: what the kind says to none at all."""
        said = self._voice.say("setup-ask", question.asks, **question.values)
        try:
            question.read(None)
        except Refused as no:
            return f"{said} {self._right(no, None)}"
        return said

    def _right(self, no: Refused, found: object) -> str:
        """In the words for files, where a file says it in another way than somebody types it."""
        values = {name: value.in_file if isinstance(value, Sum) else value for name, value in no.values.items()}
        table = "setup-file" if self._words.has("setup-file", no.why) else "setup-wrong"
        right = self._voice.say(table, no.why, **values)
        near = get_close_matches(found, str(values["options"]).split(", "), n=1) if _is_name(found, values) else []
        meant = f" (did you mean {near[0]!r}?)" if near else ""
        return f"{right}{meant}" + (f" ({no.clause})" if no.clause else "")

    def _at(self, key: str) -> object:
        found: object = self._raw
        for part in key.split("."):
            found = found.get(part) if isinstance(found, dict) else None
        return found

    def _wrong(self, key: str, found: str, right: str) -> None:
        self.mistakes.append(Mistake(where=str(self._path), key=key, found=found, right=right))


def _is_name(found: object, values: Mapping[str, object]) -> TypeGuard[str]:
    return isinstance(found, str) and "options" in values


def _instead(key: str, asked: Iterable[str]) -> str:
    """What was meant, as far as anybody can tell; or else what is asked."""
    keys = _meant(key, asked)
    near = get_close_matches(key, keys, n=1)
    return f" (did you mean {near[0]!r}?)" if near else f"; it is asked for {', '.join(keys)}"


def _meant(key: str, asked: Iterable[str]) -> tuple[str, ...]:
    """What could have been meant: a key of the same section; where there is no such section, any but the many choices
    of the house."""
    section = key.rpartition(".")[0]
    known = sorted(asked)
    return tuple(text for text in known if text.rpartition(".")[0] == section) or tuple(
        text for text in known if ".profile." not in text
    )


def _leaves(prefix: str, raw: Mapping[str, Any], asked: frozenset[str]) -> Iterator[tuple[str, object]]:
    """What stands in a file and no question asks for."""
    for name, value in raw.items():
        key = f"{prefix}{name}"
        if key in asked:
            continue
        if isinstance(value, dict):
            yield from _leaves(f"{key}.", value, asked)
        else:
            yield key, value

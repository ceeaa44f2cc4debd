"""The same questions, answered by a file: TOML, the key of a question being its place in it. Nobody is asked anything.

All mistakes are told at once. A question whose answer is wrong is taken as if its proposal had been said, so that those
behind it are looked at too.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, Final

from tablectl.mistakes import Mistake, one_of_near
from tablectl.setting_up.plan import Task, next_question
from tablectl.setting_up.questions import Question, Refused, Value
from tablectl.setting_up.speaking import IN_FILES, Voice
from tablectl.unreadable import happened, remedy

#: What stands for an answer that could not be read, where nothing is proposed.
_WRONG: Final = "/"


class BadAnswers(Exception):
    """A file of answers with mistakes."""

    def __init__(self, mistakes: list[Mistake]) -> None:
        super().__init__("\n".join(str(mistake) for mistake in mistakes))
        self.mistakes = mistakes


def answers_in(path: Path, task: Task) -> dict[str, Any]:
    """All answers. Raises `BadAnswers`."""
    try:
        raw = tomllib.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as wrong:
        raise BadAnswers([_not_read(path, wrong)]) from None
    reader = _Reader(path, raw)
    said = reader.answers(task)
    if reader.mistakes:
        raise BadAnswers(reader.mistakes)
    return said


def _not_read(path: Path, wrong: OSError | ValueError) -> Mistake:
    if isinstance(wrong, OSError):
        right = remedy(wrong, "a readable TOML file with the answers (docs/setup.md has one to begin with)")
        return Mistake(where=str(path), key="(file)", found=happened(wrong), right=right)
    if isinstance(wrong, UnicodeDecodeError):
        return Mistake(where=str(path), key="(file)", found="bytes that are no UTF-8", right="a readable TOML file")
    right = "valid TOML at that place: a readable TOML file"
    return Mistake(where=str(path), key="(file)", found=str(wrong), right=right)


class _Reader:
    def __init__(self, path: Path, raw: Mapping[str, Any]) -> None:
        self._path = path
        self._raw = raw
        self._voice = Voice(IN_FILES)
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
            right = one_of_near(key, _meant(key, asked))
            self._wrong(key, repr(value), f"nothing: this table is not asked for it; {right}")
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
            clause = f" ({no.clause})" if no.clause else ""
            why = "needed" if no.why == "nothing" else no.why
            right = self._voice.say("setup-wrong", why, **no.values)
            said = self._voice.say("setup-ask", question.asks, **question.values)
            right = f"{said} {right}" if why == "needed" else right
            self._wrong(question.key, "nothing" if found is None else repr(found), f"{right}{clause}")
        return _WRONG if question.proposal is None else question.proposal

    def _at(self, key: str) -> object:
        found: object = self._raw
        for part in key.split("."):
            found = found.get(part) if isinstance(found, dict) else None
        return found

    def _wrong(self, key: str, found: str, right: str) -> None:
        self.mistakes.append(Mistake(where=str(self._path), key=key, found=found, right=right))


def _meant(key: str, asked: Iterable[str]) -> list[str]:
    """What could have been meant: a key of the same section; where there is no such section, any but the many choices
    of the house."""
    section = key.rpartition(".")[0]
    return [each for each in asked if each.rpartition(".")[0] == section] or [
        each for each in asked if ".profile." not in each
    ]


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

"""An exercise: a hand file whose comments say what is asked, and where the trainee's part begins (`docs/training.md`).

It stays a hand file, so `tablectl play` plays it like any other. What stands before `#: your part` is played
automatically; the decisions after it are what the trainee's acts have to lead to.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache
from typing import Final

from tablectl.api.stage import Prepared
from tablectl.core.engine import facts as f
from tablectl.core.engine.decisions import Decision
from tablectl.core.engine.table import Table
from tablectl.core.engine.vocabulary import Tracking
from tablectl.games.registry import GAMES, RULEBOOKS, rulebook_of
from tablectl.i18n.clauses.catalogue import CLAUSE_ID
from tablectl.i18n.languages import LANGUAGES, SOURCE, USUAL
from tablectl.journal.handfile.decisions import decision_lines
from tablectl.journal.handfile.facts import parse_fact
from tablectl.journal.handfile.file import HandFile, Step, parse
from tablectl.journal.handfile.playing import compare, opening
from tablectl.journal.handfile.tokens import whole_number

_DIRECTIVE: Final = re.compile(r"#:\s*(?P<key>[a-z]+)\s+(?P<rest>.+)")
_PART: Final = "#: your part"
_ONCE: Final = ("title", "question")
_HINT: Final = "hint"
_WRONG: Final = "wrong"
#: The languages that every sentence of an exercise has; in others its English is said where it has none.
_NEEDED: Final = USUAL
_PHYSICAL: Final = {"up": 1, "lies": 2, "touch": 2}
#: Decisions that belong to saying a thing, not to what follows from it: whoever uses another way has others of them.
ON_THE_WAY: Final = frozenset({"asked", "acknowledged"})
#: The end of a hand counts its presses.
_DEPENDS: Final = "hand-closed "


class BadExercise(ValueError):
    """An exercise that cannot be used. The text says which line, or what is missing."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Expected:
    """One decision that the trainee's acts have to lead to: as a line and as a record has it, the acts that lead to it
    from the one before, in their order, and the clause it is counted under."""

    text: str
    said: Decision
    acts: tuple[f.Fact, ...]
    clause: str


@dataclass(frozen=True, kw_only=True, slots=True)
class Exercise:
    """`name`: its game, a slash, its file. `title` and `question` by language; `hints` in their order, each by
    language. `before` is played automatically, `part` is the trainee's. What lies otherwise than the table thinks:
    `lies`, where a draw lies (by its number), `up`, at which spots the last card shows its face, `touching`, which
    hands lie in contact. `wrong` is an act that a trainee might do instead: what the tests mark badly."""

    name: str
    clause: str
    title: Mapping[str, str]
    question: Mapping[str, str]
    hints: tuple[Mapping[str, str], ...]
    hand: HandFile
    before: tuple[Step, ...]
    part: tuple[Step, ...]
    lies: Mapping[int, str]
    up: tuple[str, ...]
    touching: tuple[tuple[str, str], ...]
    wrong: f.Fact
    expected: tuple[Expected, ...]

    @property
    def rulebook(self) -> str:
        """The game it is of."""
        return self.hand.setup.rulebook

    @property
    def faces(self) -> tuple[str | None, ...]:
        """The cards that come in the trainee's part, in their order; None for one that cannot be read."""
        drawn = (step.fact for step in self.part if isinstance(step.fact, f.Drawn))
        return tuple(None if fact.card is None else fact.card.code for fact in drawn)

    @property
    def prepared(self) -> Prepared:
        """The table as the trainee finds it."""
        return Prepared(
            name=self.name,
            hand=self.hand,
            before=self.before,
            faces=self.faces,
            lies=self.lies,
            up=self.up,
            touching=self.touching,
        )


def read_exercise(name: str, text: str) -> Exercise:
    """Raises `BadExercise`, `BadHandFile`."""
    hand = parse(text)
    head = _head(text)
    clause = CLAUSE_ID.search(hand.title)
    if clause is None:
        raise BadExercise(f"{name}: its first line names no clause")
    for key in _ONCE:
        if not set(_NEEDED) <= set(head.said.get(key, ())):
            raise BadExercise(f"{name}: `#: {key}` in {' and '.join(_NEEDED)}")
    before = tuple(step for step in hand.steps if step.line < head.begins)
    part = tuple(step for step in hand.steps if step.line > head.begins)
    if not before and hand.setup.tracking is not Tracking.PRESENCE:
        raise BadExercise(f"{name}: nothing is played before the trainee's part")
    expected = tuple(_expected(name, hand, head.begins, clause[0]))
    if not expected:
        raise BadExercise(f"{name}: nothing is expected of the trainee")
    try:
        act = parse_fact(head.wrong, before[-1].fact.at_us if before else 0, hand.setup)
    except ValueError as error:
        raise BadExercise(f"{name}: `#: {_WRONG}`, an act as in a hand file: {error}") from None
    return Exercise(
        name=name,
        clause=clause[0],
        title=_in_all(head.said["title"]),
        question=_in_all(head.said["question"]),
        hints=tuple(_in_all(hint) for hint in head.hints),
        hand=hand,
        before=before,
        part=part,
        lies={whole_number(draw): spot for draw, spot in head.physical["lies"]},
        up=tuple(spot for (spot,) in head.physical["up"]),
        touching=tuple((one, other) for one, other in head.physical["touch"]),
        wrong=act,
        expected=expected,
    )


@dataclass(kw_only=True, slots=True)
class _Head:
    """What the comments say: where the trainee's part begins, and everything else by its word."""

    begins: int = 0
    said: dict[str, dict[str, str]] = field(default_factory=dict)
    hints: list[dict[str, str]] = field(default_factory=list)
    physical: dict[str, list[list[str]]] = field(default_factory=lambda: {word: [] for word in _PHYSICAL})
    wrong: str = ""


def _head(text: str) -> _Head:
    head = _Head()
    for number, line in enumerate(text.splitlines(), start=1):
        found = _DIRECTIVE.fullmatch(line.strip())
        if line.strip() == _PART:
            head.begins = number
        elif line.startswith("#:") and (found is None or not _take(head, found["key"], found["rest"].strip())):
            raise BadExercise(f"line {number}: {line!r}")
    if not head.begins:
        raise BadExercise(f"no line `{_PART}`")
    if any(not set(_NEEDED) <= set(hint) for hint in head.hints):
        raise BadExercise(f"each hint in {' and '.join(_NEEDED)}, one after the other")
    return head


def _take(head: _Head, key: str, rest: str) -> bool:
    """One line of the head; False where it is none."""
    if key == _WRONG:
        head.wrong = rest
        return True
    if key in _PHYSICAL:
        head.physical[key].append(rest.split())
        return len(rest.split()) == _PHYSICAL[key]
    language, _, sentence = rest.partition(" ")
    if key not in (*_ONCE, _HINT) or language not in LANGUAGES or not sentence:
        return False
    if key in _ONCE:
        head.said.setdefault(key, {})[language] = sentence
    elif language == _NEEDED[0]:
        head.hints.append({language: sentence})
    elif head.hints:
        head.hints[-1][language] = sentence
    return True


def _in_all(said: Mapping[str, str]) -> dict[str, str]:
    """A sentence in every language."""
    return {language: said.get(language, said[SOURCE]) for language in LANGUAGES}


def _expected(name: str, hand: HandFile, begins: int, clause: str) -> Iterator[Expected]:
    """What the engine concludes in the trainee's part, which has to be what stands there. Of a decision without a
    clause of its own the nearest one before it is counted, else that of the exercise."""
    table = Table.resume(hand.carry, rulebook_of)
    for fact in opening(hand):
        table.apply(fact)
    if hand.setup.tracking is Tracking.PRESENCE:
        for seat in hand.seats:
            table.apply(f.Bets(at_us=0, seat=seat, amounts={"ante": None}))
    acts: list[f.Fact] = []
    for step in hand.steps:
        decisions = table.apply(step.fact)
        acts += [step.fact] if step.line > begins else []
        draws = len(table.state.deal.draws)
        for difference in compare(step, decision_lines(step.fact, decisions, last_draw=draws, with_who=True)):
            raise BadExercise(f"{name}: {difference}")
        for decision in decisions if step.line > begins else ():
            for text in decision_lines(step.fact, (decision,), last_draw=draws):
                own = CLAUSE_ID.search(text)
                clause = own[0] if own is not None else clause
                if text.startswith(_DEPENDS):
                    raise BadExercise(f"{name}: {text!r} says how many keys were pressed, and there are several ways")
                if text.partition(" ")[0] not in ON_THE_WAY:
                    yield Expected(text=text, said=decision, acts=tuple(acts), clause=clause)
                    acts.clear()


@cache
def exercises_of(rulebook: str) -> Mapping[str, Exercise]:
    """The exercises of a game by name, in the order of their names: those in its folder, where it has any. Raises
    `BadExercise`, `BadHandFile`."""
    folder = GAMES[rulebook].folder.joinpath("exercises")
    files = folder.iterdir() if folder.is_dir() else ()
    found = sorted((file for file in files if file.name.endswith(".hand")), key=lambda file: file.name)
    read = (
        read_exercise(f"{rulebook}/{file.name.removesuffix('.hand')}", file.read_text(encoding="utf-8"))
        for file in found
    )
    return {exercise.name: exercise for exercise in read}


def find_exercise(name: str) -> Exercise | None:
    """The exercise of this name, which begins with that of its game; None where there is none."""
    rulebook = name.partition("/")[0]
    return exercises_of(rulebook).get(name) if rulebook in RULEBOOKS else None

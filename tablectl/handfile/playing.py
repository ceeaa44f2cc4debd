"""A hand file played against the engine, and where the two differ."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from tablectl.engine import facts as f
from tablectl.engine.rulebook import Rulebook
from tablectl.engine.table import Table
from tablectl.engine.words import Key
from tablectl.handfile.decisions import ANY_FLOAT, FLOAT, decision_lines
from tablectl.handfile.file import HandFile, Step


@dataclass(frozen=True, kw_only=True, slots=True)
class Difference:
    """One line of a comparison: `expected` is None where too much was decided, `found` where too little."""

    line: int
    fact: str
    expected: str | None
    found: str | None

    def __str__(self) -> str:
        expected, found = self.expected or "nothing", self.found or "nothing"
        return f"line {self.line}: after '> {self.fact}': expected {expected}; found {found}"


def opening(hand: HandFile) -> list[f.Fact]:
    """What happened before the first line: a new hand was opened, unless the file says so itself, or nobody can."""
    if hand.is_one_of_many or (hand.setup.staff and not hand.carry.croupier):
        return []
    first = hand.steps[0].fact if hand.steps else None
    if isinstance(first, f.Pressed) and first.key is Key.NEW_HAND:
        return []
    return [f.Pressed(at_us=0, key=Key.NEW_HAND)]


def compare(step: Step, found: list[str]) -> Iterator[Difference]:
    """Line by line."""
    expected = step.expected
    for index in range(max(len(expected), len(found))):
        line, wanted = expected[index] if index < len(expected) else (step.line, None)
        got = found[index] if index < len(found) else None
        if wanted != got and not _is_any_float(wanted, got):
            yield Difference(line=line, fact=step.text, expected=wanted, found=got)


def _is_any_float(wanted: str | None, got: str | None) -> bool:
    """Whether they differ only in what a hand did to the float, of which the file says that nobody knew it."""
    if wanted is None or got is None or not wanted.endswith(ANY_FLOAT):
        return False
    return wanted.removesuffix(ANY_FLOAT) == got.partition(FLOAT)[0]


def play(hand: HandFile, rulebook_of: Callable[[f.Setup], Rulebook]) -> list[Difference]:
    """Run a file against the engine."""
    table = Table.resume(hand.carry, rulebook_of)
    for fact in opening(hand):
        table.apply(fact)
    return [
        difference
        for step in hand.steps
        for difference in compare(
            step,
            decision_lines(step.fact, table.apply(step.fact), last_draw=len(table.state.deal.draws)),
        )
    ]

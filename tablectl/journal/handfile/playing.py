"""A hand file played against the engine, and where the two differ."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from tablectl.core.engine import facts as f
from tablectl.core.engine.decisions import Decision
from tablectl.core.engine.rulebook import Rulebook
from tablectl.core.engine.table import Table
from tablectl.core.engine.vocabulary import Key
from tablectl.journal.handfile.decisions import ANY_FLOAT, FLOAT, WHO, decision_lines
from tablectl.journal.handfile.file import HandFile, Step, escaped


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
    """Line by line. `found` says all there is to say of a decision; a file may say less."""
    expected = step.expected
    for index in range(max(len(expected), len(found))):
        line, wanted = expected[index] if index < len(expected) else (step.line, None)
        got = found[index] if index < len(found) else None
        if wanted is None or got is None or wanted != _as_told_in(wanted, got):
            yield Difference(line=line, fact=step.text, expected=wanted, found=got)


def _as_told_in(wanted: str, got: str) -> str:
    """What was decided, less what the file leaves open: what a hand did to the float, where it says that nobody knew;
    who may choose a remedy, where it does not say."""
    if wanted.endswith(ANY_FLOAT):
        return got.partition(FLOAT)[0] + ANY_FLOAT
    return got if WHO in wanted else got.partition(WHO)[0]


def begun(hand: HandFile, rulebook_of: Callable[[f.Setup], Rulebook]) -> Table:
    """The table as it is before the first line of a file."""
    table = Table.resume(hand.carry, rulebook_of)
    for fact in opening(hand):
        table.apply(fact)
    return table


def played(
    hand: HandFile, rulebook_of: Callable[[f.Setup], Rulebook]
) -> Iterator[tuple[Step, tuple[Decision, ...], Table]]:
    """Each step of a file with what the engine decides, and the table as it is then."""
    table = begun(hand, rulebook_of)
    for step in hand.steps:
        yield step, table.apply(step.fact), table


def found_lines(step: Step, decisions: tuple[Decision, ...], table: Table) -> list[str]:
    """What was decided upon a step, as lines of a hand file."""
    return decision_lines(step.fact, decisions, last_draw=len(table.state.deal.draws), with_who=True)


def play(hand: HandFile, rulebook_of: Callable[[f.Setup], Rulebook]) -> list[Difference]:
    """Run a file against the engine."""
    return [difference for pair in played(hand, rulebook_of) for difference in compare(pair[0], found_lines(*pair))]


def rewritten(text: str, hand: HandFile, rulebook_of: Callable[[f.Setup], Rulebook]) -> str:
    """The text of a file with the decisions of today's engine. Every line that is no decision stays as it is, and so
    does a decision that still follows, with its note."""
    gone: set[int] = set()
    new: dict[int, list[str]] = {}
    for step, decisions, table in played(hand, rulebook_of):
        found = found_lines(step, decisions, table)
        if any(compare(step, found)):
            gone.update(line for line, _ in step.expected)
            new[step.line] = [f"< {escaped(line)}" for line in found]
    lines: list[str] = []
    for number, line in enumerate(text.splitlines(), start=1):
        lines += [line] if number not in gone else []
        lines += new.get(number, [])
    return "\n".join([*lines, ""])

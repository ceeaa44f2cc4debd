"""`make docs`: docs/fault-matrix.md, what became of every cell of the fault matrix.

`python -m tests.tools.fault_matrix --open` writes tests/fault_matrix/open_differences.toml anew; reasons that are there
stay. `--cell NAME` writes nothing: it says what was told, said and asked in the cells whose names hold NAME.
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final

from tablectl.games.registry import RULEBOOKS
from tests.fault_matrix.matrix import Result, Verdict, all_results, cells, played
from tests.fault_matrix.open_differences import NOT_EXAMINED, PATH, Reason, read, written

PAGE: Final = Path(__file__).parents[2] / "docs" / "fault-matrix.md"
_HEAD: Final = """\
# Fault matrix

Each cell is one error in the deal: what lies on the felt in truth, who tells it and when, and what reads the cards.
What must follow stands in `tests/fault_matrix/expected.toml`, which was written from the documents. `make test-wide`
plays every cell on the engine with a model of the felt that answers every question truthfully, and compares remedy and
money. `make docs` writes this page.

- *same*: remedy and money are those of the table.
- *accepted*: the documents leave it open, and the table names this answer as one that can be defended.
- *cannot be noticed*: this equipment does not notice it and nobody declares it.
- *not reachable*: only a wrong answer or an overruled reader leads there.
- *no play yet*: the model cannot play this fault yet.
- *differs*: listed below with its reason.
"""


def page(results: Sequence[Result]) -> str:
    """The whole page."""
    return (
        "\n".join((_HEAD, *_figures(results), "", *_open(results), "", *_never(results), "", *_no_play(results))) + "\n"
    )


def figures(results: Sequence[Result]) -> str:
    """One line: cells, questions, cells that cannot be noticed, differences."""
    count = Counter(result.verdict for result in results)
    questions = sum(result.questions for result in results)
    return (
        f"{len(results)} cells, {count[Verdict.SAME]} same, {count[Verdict.ACCEPTED]} accepted, "
        f"{questions} questions asked, {count[Verdict.NEVER]} cannot be noticed, "
        f"{count[Verdict.PREMISE]} not reachable, "
        f"{count[Verdict.NO_PLAY]} no play yet, {count[Verdict.DIFFERS]} differences"
    )


def _figures(results: Sequence[Result]) -> Iterator[str]:
    yield f"{figures(results)}."
    yield ""
    yield f"| game | {' | '.join(Verdict)} |"
    yield f"|---|{'---|' * len(Verdict)}"
    for game in RULEBOOKS:
        count = Counter(result.verdict for result in results if result.cell.entry["game"] == game)
        yield f"| {game} | {' | '.join(str(count[verdict]) for verdict in Verdict)} |"


def _open(results: Sequence[Result]) -> Iterator[str]:
    found = {result.cell.name: result for result in results if result.verdict is Verdict.DIFFERS}
    yield "## Open differences"
    for reason, names in read().items():
        yield ""
        yield f"### {reason.text}"
        yield ""
        yield f"{reason.kind}; {len(names)} cells."
        yield ""
        yield "| cell | expected | found |"
        yield "|---|---|---|"
        for name in names:
            result = found.get(name)
            if result is not None:
                yield f"| {name} | {result.expected} | {result.found.partition(':')[0]} |"


def _never(results: Sequence[Result]) -> Iterator[str]:
    why: Counter[tuple[str, str]] = Counter()
    for result in results:
        if result.verdict is Verdict.NEVER:
            why[result.cell.equipment, result.cell.entry["why"]] += 1
    yield "## Cannot be noticed"
    yield ""
    yield "| equipment | why | cells |"
    yield "|---|---|---|"
    for (equipment, text), n_cells in sorted(why.items()):
        yield f"| {equipment} | {text} | {n_cells} |"


def _no_play(results: Sequence[Result]) -> Iterator[str]:
    count: Counter[tuple[str, str, str, str]] = Counter()
    for result in results:
        if result.verdict is Verdict.NO_PLAY:
            entry = result.cell.entry
            count[entry["game"], entry["fault"], entry["place"], entry.get("variant", "")] += 1
    yield "## No play yet"
    yield ""
    yield "| game | fault | place | variant | cells |"
    yield "|---|---|---|---|---|"
    for (game, fault, place, variant), n_cells in sorted(count.items()):
        yield f"| {game} | {fault} | {place} | {variant} | {n_cells} |"


def _step_by_step(part: str) -> Iterator[str]:
    """What was told, said and asked in the cells whose names hold this."""
    for cell in cells():
        if part in cell.name:
            steps: list[str] = []
            result = played(cell, steps.append)
            yield f"{cell.name}: {result.verdict}"
            yield from (f"  {step}" for step in steps)
            yield f"  expected {result.expected}; found {result.found}"


def main(arguments: Sequence[str]) -> None:
    """Write the page, and with `--open` the list before it; with `--cell NAME` only say what happens in such cells."""
    if arguments[:1] == ["--cell"]:
        sys.stdout.writelines(f"{line}\n" for line in _step_by_step(arguments[1]))
        return
    results = all_results()
    if "--open" in arguments:
        known = {name: reason for reason, names in read().items() for name in names}
        listed: dict[Reason, list[str]] = {}
        for result in results:
            if result.verdict is Verdict.DIFFERS:
                name = result.cell.name
                listed.setdefault(known.get(name, NOT_EXAMINED), []).append(name)
        PATH.write_text(written(listed), encoding="utf-8")
    PAGE.write_text(page(results), encoding="utf-8")
    sys.stdout.write(f"{figures(results)}\n")


if __name__ == "__main__":
    main(sys.argv[1:])

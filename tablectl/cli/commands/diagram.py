"""`tablectl diagram RULEBOOK`: the state machine, generated from the rulebook's own table."""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from typing import Final

from tablectl.cli.status import WrongUsage
from tablectl.core.engine.rulebook import Kind, Phase, Rulebook
from tablectl.games.registry import RULEBOOKS

#: The box round the phases of a hand.
_HAND: Final = "hand"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """One rulebook."""
    parser.add_argument("rulebook", metavar="RULEBOOK", help=f"one of {', '.join(RULEBOOKS)}")


def main(args: argparse.Namespace) -> int:
    """Mermaid on standard output. Exit status 0, or 2 for a rulebook that is not there."""
    if args.rulebook not in RULEBOOKS:
        raise WrongUsage(f"no rulebook {args.rulebook!r}; there are: {', '.join(RULEBOOKS)}")
    print("\n".join(mermaid(RULEBOOKS[args.rulebook]({}))))
    return 0


def mermaid(rulebook: Rulebook) -> Iterator[str]:
    """The lines of a Mermaid state diagram: a state a phase with its clauses, an arrow a transition.

    What leads away from every phase of a hand alike (its annulment) is one arrow, from a box round them.
    """
    inside = tuple(phase for phase in rulebook.phases.values() if phase.kind not in (Kind.IDLE, Kind.VOIDED))
    outside = tuple(phase for phase in rulebook.phases.values() if phase not in inside)
    ways = {(row.trigger, row.dest) for row in rulebook.transitions if row.guard is None}
    alike = sorted(way for way in ways if _sources(rulebook, way) == {phase.name for phase in inside})
    yield "stateDiagram-v2"
    yield from (f"    {_state(phase)}" for phase in outside)
    yield f"    state {_HAND} {{"
    yield from (f"        {_state(phase)}" for phase in inside)
    yield "    }"
    yield f"    [*] --> {_id(rulebook.initial)}"
    for row in rulebook.transitions:
        if (row.trigger, row.dest) not in alike:
            guard = f" [{row.guard.name}]" if row.guard is not None else ""
            yield f"    {_id(row.source)} --> {_id(row.dest)} : {row.trigger}{guard}"
    yield from (f"    {_HAND} --> {_id(dest)} : {trigger}" for trigger, dest in alike)


def _sources(rulebook: Rulebook, way: tuple[str, str]) -> set[str]:
    rows = rulebook.transitions
    return {row.source for row in rows if (row.trigger, row.dest) == way and row.guard is None}


def _state(phase: Phase) -> str:
    return f"{_id(phase.name)} : {phase.name} ({phase.clauses[0]}{' …' if len(phase.clauses) > 1 else ''})"


def _id(name: str) -> str:
    return name.replace("-", "_")

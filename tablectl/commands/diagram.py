"""`tablectl diagram RULEBOOK`: the state machine, generated from the rulebook's own table."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator

from tablectl.engine.rulebook import Rulebook
from tablectl.rulebooks.registry import RULEBOOKS


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """One rulebook."""
    parser.add_argument("rulebook", metavar="RULEBOOK", help=f"one of {', '.join(RULEBOOKS)}")


def main(args: argparse.Namespace) -> int:
    """Mermaid on standard output. Exit status 0, or 2 for a rulebook that is not there."""
    if args.rulebook not in RULEBOOKS:
        sys.stderr.write(f"no rulebook {args.rulebook!r}; there are: {', '.join(RULEBOOKS)}\n")
        return 2
    print("\n".join(mermaid(RULEBOOKS[args.rulebook]({}))))
    return 0


def mermaid(rulebook: Rulebook) -> Iterator[str]:
    """The lines of a Mermaid state diagram: a state a phase with its clauses, an arrow a transition."""
    yield "stateDiagram-v2"
    for phase in rulebook.phases.values():
        yield f"    {_id(phase.name)} : {phase.name} ({phase.clauses[0]}{' …' if len(phase.clauses) > 1 else ''})"
    yield f"    [*] --> {_id(rulebook.initial)}"
    for row in rulebook.transitions:
        guard = f" [{row.guard.name}]" if row.guard is not None else ""
        yield f"    {_id(row.source)} --> {_id(row.dest)} : {row.trigger}{guard}"


def _id(name: str) -> str:
    return name.replace("-", "_")

"""`make mutants`: how many small mistakes in the code the tests notice. docs/mutants.md has the table.

A mutant that no test can notice, because it does the same, stands in `equivalent.toml` with its reason.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
import time
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Final

from tests.mutants.contexts import NotGreen, contexts_of
from tests.mutants.modules import MODULES, ROOT, Module
from tests.mutants.mutate import Mutant, mutants_of, sample
from tests.mutants.run import Fate, Outcome, play

SIZE: Final = 50
SEED: Final = 20
EQUIVALENT: Final = Path(__file__).with_name("equivalent.toml")
BUILD: Final = ROOT / "build" / "mutants"
#: Below this a module's tests have holes, in percent.
GOAL: Final = 95


def equivalent() -> Mapping[str, Mapping[str, str]]:
    """By module and key, why a mutant does the same as the code."""
    return tomllib.loads(EQUIVALENT.read_text(encoding="utf-8"))


def chosen(module: Module, size: int = SIZE, seed: int = SEED) -> list[Mutant]:
    """The sample of a module."""
    texts = ((file, (ROOT / file).read_text(encoding="utf-8")) for file in module.files())
    return sample(mutants_of(texts), size, seed)


def row(name: str, outcomes: list[Outcome], n_equivalent: int) -> str:
    """A line of the table."""
    n_played, n_detected = len(outcomes), sum(outcome.fate.is_detected for outcome in outcomes)
    counts = (n_played + n_equivalent, n_equivalent, n_detected, n_played - n_detected)
    percent = 100 * n_detected // n_played if n_played else 100
    return f"| {name} | {' | '.join(map(str, counts))} | {percent} % |"


def main() -> int:
    """Exit status 1 where a module is below the goal, 2 where its tests fail before anything is changed."""
    parser = argparse.ArgumentParser(prog="make mutants", description=__doc__)
    parser.add_argument("modules", nargs="*", metavar="MODULE", help=" ".join(choice.name for choice in MODULES))
    parser.add_argument("--size", type=int, default=SIZE, help="mutants a module (default %(default)s)")
    parser.add_argument("--seed", type=int, default=SEED, help="of the sample (default %(default)s)")
    parser.add_argument("--again", action="store_true", help="only those that survived the last time")
    parser.add_argument("--workers", type=int, default=os.cpu_count() or 1, help="at the same time")
    args = parser.parse_args()
    if unknown := set(args.modules) - {choice.name for choice in MODULES}:
        parser.error(f"no module {', '.join(sorted(unknown))}")
    is_good = True
    for module in MODULES:
        if args.modules and module.name not in args.modules:
            continue
        try:
            outcomes, n_equivalent = tested(module, args)
        except NotGreen as wrong:
            sys.stderr.write(f"mutants: {wrong}\n")
            return 2
        print(row(module.name, outcomes, n_equivalent), flush=True)
        is_good &= 100 * sum(outcome.fate.is_detected for outcome in outcomes) >= GOAL * len(outcomes)
    return 0 if is_good else 1


def survivors(module: Module) -> frozenset[str]:
    """The keys of those that nobody noticed the last time."""
    told = json.loads((BUILD / f"{module.name}.json").read_text(encoding="utf-8"))
    return frozenset(entry["key"] for entry in told if not Fate(entry["fate"]).is_detected)


def tested(module: Module, args: argparse.Namespace) -> tuple[list[Outcome], int]:
    """The outcomes of one module, and how many of its sample do the same as the code; what survives is said as it is
    found, and all stand in `build/mutants`."""
    began_s = time.monotonic()
    contexts = contexts_of(module, BUILD / module.name)
    same, sampled, found = equivalent().get(module.name, {}), chosen(module, args.size, args.seed), []
    if args.again:
        sampled = [mutant for mutant in sampled if mutant.key in survivors(module)]
    played = [mutant for mutant in sampled if mutant.key not in same]
    for outcome in play(played, contexts, args.workers):
        found.append(outcome)
        if not outcome.fate.is_detected:
            where = f"{outcome.mutant.file}:{outcome.mutant.change.lines[0]}"
            print(f"{outcome.fate}: {where}: {outcome.mutant.key}", flush=True)
    told = [{"key": known.mutant.key, "file": str(known.mutant.file), "fate": known.fate} for known in found]
    (BUILD / f"{module.name}.json").write_text(json.dumps(told, indent=1), encoding="utf-8")
    print(f"{module.name}: {time.monotonic() - began_s:.0f} s", flush=True)
    return found, len(sampled) - len(played)


if __name__ == "__main__":
    sys.exit(main())

"""Which test runs which line: one run of a module's tests under coverage, each test a context of its own."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Mapping
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import coverage

from simulators import processes
from tests.mutants.modules import ROOT, Module
from tests.mutants.mutate import Mutant
from tests.mutants.plugin import TIMES

#: The tests of `make test`: what only a longer run notices, nobody notices before it is on main.
NORMAL: Final = "not slow and not wide and not machine and not browser"


class NotGreen(Exception):
    """A module's tests fail before anything is changed: then nothing can be said about mutants."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Contexts:
    """By file (below the root) and line the tests that run it; `times`: seconds by test."""

    lines: Mapping[str, Mapping[int, frozenset[str]]]
    times: Mapping[str, float]

    def of(self, mutant: Mutant) -> list[str]:
        """The tests of a mutant, the quickest first. A line that runs when the file is read runs for none of them: then
        those that run anything else of the file, and after them all others, since each may use what it names."""
        lines = self.lines.get(str(mutant.file), {})
        first, last = mutant.change.lines
        found = frozenset[str]().union(*(lines.get(line, frozenset()) for line in range(first, last + 1)))
        if found:
            return self._quickest(found)
        near = frozenset[str]().union(*lines.values())
        return [*self._quickest(near), *self._quickest(self.times.keys() - near)]

    def _quickest(self, names: AbstractSet[str]) -> list[str]:
        return sorted(names, key=lambda name: (self.times.get(name, 0.0), name))


def contexts_of(module: Module, folder: Path) -> Contexts:
    """Runs its tests. Raises `NotGreen`."""
    folder.mkdir(parents=True, exist_ok=True)
    data, times, settings = folder / "coverage", folder / "times.json", folder / "coveragerc"
    data.unlink(missing_ok=True)
    sources = sorted({str(Path(source).parts[0]) for source in module.sources})
    settings.write_text(f"[run]\ndata_file = {data}\nsource = {','.join(sources)}\n", encoding="utf-8")
    command = [sys.executable, "-m", "coverage", "run", "--rcfile", str(settings), "-m", "pytest"]
    run = processes.run(
        [*command, "-q", "-p", "no:cacheprovider", "-p", "tests.mutants.plugin", "-m", NORMAL, *module.tests],
        cwd=ROOT,
        env={**os.environ, TIMES: str(times)},
        capture_output=True,
        text=True,
        check=False,
    )
    if run.returncode != 0:
        raise NotGreen(f"{module.name}: {run.stdout[-2000:]}{run.stderr[-2000:]}")
    return Contexts(lines=_lines(module, data), times=json.loads(times.read_text(encoding="utf-8")))


def _lines(module: Module, data: Path) -> dict[str, dict[int, frozenset[str]]]:
    found = coverage.CoverageData(str(data))
    found.read()
    return {
        str(file): {
            line: frozenset(name for name in names if name)
            for line, names in found.contexts_by_lineno(str(ROOT / file)).items()
        }
        for file in module.files()
    }

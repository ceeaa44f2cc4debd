"""Plays mutants: each in a copy of the project, against the tests that run its line, until one of them fails."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from queue import SimpleQueue
from tempfile import TemporaryDirectory
from typing import Final

from simulators import processes
from tests.mutants.contexts import NORMAL, Contexts
from tests.mutants.modules import ROOT
from tests.mutants.mutate import Mutant, changed
from tests.mutants.plugin import CHOSEN

#: Pytest's exit status where tests were run and none failed.
_PASSED: Final = 0
_NOTHING_RUN: Final = 5
#: How much longer than unchanged the tests of a mutant may take: afterwards it hangs, which is noticed.
_SLOWER: Final = 5
_START_S: Final = 60.0


class Fate(StrEnum):
    """What became of a mutant."""

    DETECTED = "detected"
    HUNG = "hung"
    SURVIVED = "survived"
    #: No test of the module runs its line.
    NEVER_RUN = "never-run"

    @property
    def is_detected(self) -> bool:
        """Whether somebody who made that mistake would have been told."""
        return self in (Fate.DETECTED, Fate.HUNG)


@dataclass(frozen=True, kw_only=True, slots=True)
class Outcome:
    """A mutant and what became of it."""

    mutant: Mutant
    fate: Fate


class BrokenCopy(Exception):
    """Its tests fail with nothing changed: every mutant would seem to be noticed."""


class Copy:
    """The project in a folder of its own, of which one file at a time is changed."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        #: later than any file's: Python compiles what is older than its source anew, by whole seconds
        self._next_s = 4_000_000_000
        names = processes.run(
            ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
            cwd=ROOT,
            capture_output=True,
            check=True,
        )
        for name in names.stdout.decode().split("\0"):
            if name and (ROOT / name).is_file():
                (folder / name).parent.mkdir(parents=True, exist_ok=True)
                shutil.copy2(ROOT / name, folder / name)

    def play(self, mutant: Mutant, contexts: Contexts) -> Fate:
        """Change the file, run the tests, change it back."""
        tests = contexts.of(mutant)
        if not tests:
            return Fate.NEVER_RUN
        path, source = self._folder / mutant.file, (ROOT / mutant.file).read_text(encoding="utf-8")
        self._write(path, changed(source, mutant.change))
        try:
            return self._run(tests, contexts)
        finally:
            self._write(path, source)

    def must_pass(self, tests: Sequence[str], contexts: Contexts) -> None:
        """Raises `BrokenCopy` where these tests fail with nothing changed."""
        if (fate := self._run(tests, contexts)) is not Fate.SURVIVED:
            raise BrokenCopy(f"{self._folder}: with nothing changed the tests are {fate}, so no mutant can be judged")

    def _write(self, path: Path, source: str) -> None:
        path.write_text(source, encoding="utf-8")
        self._next_s += 1
        os.utime(path, (self._next_s, self._next_s))

    def _run(self, tests: Sequence[str], contexts: Contexts) -> Fate:
        at_most_s = sum(contexts.times.get(test, 0.0) for test in tests) * _SLOWER + _START_S
        chosen = self._folder / "chosen.json"
        chosen.write_text(json.dumps(list(tests)), encoding="utf-8")
        files = sorted({text.partition("::")[0] for text in tests})
        command = [sys.executable, "-m", "pytest", "-x", "-q", "-p", "no:cacheprovider", "-p", "tests.mutants.plugin"]
        process = processes.start(
            [*command, "-m", NORMAL, *files],
            cwd=self._folder,
            env={**os.environ, CHOSEN: str(chosen)},
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )
        try:
            status = process.wait(at_most_s)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, 9)
            process.wait()
            return Fate.HUNG
        if status == _NOTHING_RUN:
            return Fate.NEVER_RUN
        return Fate.SURVIVED if status == _PASSED else Fate.DETECTED


def play(mutants: Sequence[Mutant], contexts: Contexts, workers: int) -> Iterator[Outcome]:
    """What becomes of each, in their order; so many at the same time."""
    with TemporaryDirectory(prefix="mutants-") as folder:
        idle: SimpleQueue[Copy] = SimpleQueue()
        tests = next(filter(None, map(contexts.of, mutants)), ())
        for number in range(workers):
            copy = Copy(Path(folder) / str(number))
            if tests:
                copy.must_pass(tests, contexts)
            idle.put(copy)

        def one(mutant: Mutant) -> Outcome:
            copy = idle.get()
            try:
                return Outcome(mutant=mutant, fate=copy.play(mutant, contexts))
            finally:
                idle.put(copy)

        with ThreadPoolExecutor(workers) as pool:
            yield from pool.map(one, mutants)

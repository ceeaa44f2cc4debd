"""What is mutated, module by module, and where its tests are."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).parents[2]


@dataclass(frozen=True, kw_only=True, slots=True)
class Module:
    """`sources`: patterns of its files below the root; `tests`: the folders whose tests are about it."""

    name: str
    sources: tuple[str, ...]
    tests: tuple[str, ...]

    def files(self, root: Path = ROOT) -> Iterator[Path]:
        """Its files, in order, as paths below the root."""
        for pattern in self.sources:
            yield from (path.relative_to(root) for path in sorted(root.glob(pattern)))


MODULES: Final = (
    Module(
        name="rules",
        sources=("tablectl/core/engine/**/*.py", "tablectl/families/*.py", "tablectl/games/*/rules.py"),
        tests=("tests/engine", "tests/rulebooks", "tests/profile"),
    ),
    Module(
        name="settlement",
        sources=("tablectl/core/settlement/**/*.py", "tablectl/games/*/payouts.py"),
        tests=(
            "tests/settlement",
            "tests/rulebooks",
            "tests/engine/test_hands.py",
            "tests/commands/test_settle.py",
            "tests/commands/test_pot_line.py",
            "tests/commands/test_texas_poker_line.py",
        ),
    ),
    Module(
        name="journal",
        sources=("tablectl/journal/**/*.py",),
        tests=("tests/journal", "tests/evidence", "tests/readers", "tests/test_recall.py", "tests/test_unsealing.py"),
    ),
    Module(name="people", sources=("tablectl/people/**/*.py",), tests=("tests/people",)),
    Module(name="notifications", sources=("tablectl/notifications/**/*.py",), tests=("tests/notifications",)),
    Module(name="drivers", sources=("drivers/*/messages.py", "drivers/framing.py"), tests=("tests/drivers",)),
)

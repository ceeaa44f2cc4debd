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


#: What decides what a device's bytes mean and what is said to it, without a port: each file is run by quick tests.
PROTOCOLS: Final = (
    "drivers/*/driver.py",
    "drivers/*/messages.py",
    "drivers/*/settings.py",
    "drivers/*/products.py",
    "drivers/angel_eye/copies.py",
    "drivers/angel_eye/grammar.py",
    "drivers/angel_eye/numbering.py",
    "drivers/streamdeck/faces.py",
    "drivers/framing.py",
    "drivers/limits.py",
    "drivers/link.py",
    "drivers/reader.py",
    "drivers/tags.py",
)
#: Those about a device or about what devices share, and those that put a protocol and the simulator of its device face
#: to face, in memory: none needs a port.
TESTS_OF_PROTOCOLS: Final = (
    *(f"tests/drivers/{path.parent.name}" for path in sorted(ROOT.glob("drivers/*/driver.py"))),
    "tests/drivers/test_a_device_is_complete.py",
    "tests/drivers/test_docs_of_shoes.py",
    "tests/drivers/test_framing.py",
    "tests/drivers/test_link.py",
    "tests/drivers/test_mad_readers.py",
    "tests/drivers/test_reader.py",
    "tests/drivers/test_registry.py",
    "tests/drivers/test_tags.py",
    "tests/simulators/test_angel_eye.py",
    "tests/simulators/test_feig.py",
    "tests/simulators/test_line_shoe.py",
    "tests/simulators/test_pepper.py",
    "tests/simulators/test_pn532.py",
    "tests/simulators/test_shuffler.py",
    "tests/simulators/test_tag_faults.py",
)

MODULES: Final = (
    Module(
        name="rules",
        sources=("tablectl/core/engine/**/*.py", "tablectl/families/**/*.py", "tablectl/games/*/rules.py"),
        tests=("tests/engine", "tests/families", "tests/rulebooks", "tests/profile"),
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
        tests=(
            "tests/journal",
            "tests/evidence",
            "tests/readers",
            "tests/test_recall.py",
            "tests/test_unsealing.py",
            "tests/decks/test_register.py",
            "tests/api/test_record_access.py",
            "tests/commands/test_journal_end.py",
            "tests/commands/test_play.py",
        ),
    ),
    Module(name="people", sources=("tablectl/people/**/*.py",), tests=("tests/people",)),
    Module(name="notifications", sources=("tablectl/notifications/**/*.py",), tests=("tests/notifications",)),
    Module(name="drivers", sources=PROTOCOLS, tests=TESTS_OF_PROTOCOLS),
)

"""The package for arm64, built on amd64, and its programs under emulation. No arm64 hardware was tried."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import pytest

from simulators import processes
from tests.system.conftest import ROOT, built
from tests.system.emulated import ARCHITECTURE, QEMU, Emulated, foreign_debian, why_not_emulated
from tests.system.machine import machine

pytestmark = [
    pytest.mark.machine,
    pytest.mark.slow,  # four minutes, and a Debian for that architecture is fetched once
    pytest.mark.skipif(bool(why_not_emulated()), reason=why_not_emulated() or "none"),
]
HERE: Final = Path(__file__).parent
#: Of each size: five, six and seven cards.
N_HANDS: Final = 4000


@pytest.fixture(scope="module")
def foreign_package(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Built across."""
    return built(ROOT, tmp_path_factory.mktemp("deb"), ARCHITECTURE)


@pytest.fixture(scope="module")
def emulated(foreign_package: Path) -> Iterator[Emulated]:
    """A machine on which its files lie."""
    with machine(debian=foreign_debian()) as computer:
        yield Emulated(computer, foreign_package)


def here(*words: str) -> str:
    """What this machine's Python says, of this source tree."""
    return processes.run([sys.executable, *words], cwd=ROOT, check=True, capture_output=True, text=True).stdout


def field(package: Path, name: str) -> str:
    """What a package says of itself."""
    said = processes.run(["dpkg-deb", "--field", str(package), name], check=True, capture_output=True, text=True)
    return said.stdout.strip()


def test_the_package_says_what_it_is_for_and_lintian_finds_no_error(foreign_package: Path) -> None:
    """Lintian looks at each compiled file, too."""
    assert field(foreign_package, "Architecture") == ARCHITECTURE
    command = ["lintian", "--allow-root", "--fail-on", "error", str(foreign_package)]
    said = processes.run(command, capture_output=True, text=True, check=False)
    assert said.returncode == 0, said.stdout


def test_every_compiled_module_of_the_package_loads(emulated: Emulated) -> None:
    """Each as the program that imports it would, among them the one that was compiled across."""
    script = """
import importlib, json, platform
from importlib.machinery import EXTENSION_SUFFIXES
from pathlib import Path
home = Path(next(iter(__import__("tablectl").__path__))).parent
loaded = []
for file in sorted(home.rglob("*.so")):
    suffix = next((ending for ending in EXTENSION_SUFFIXES if file.name.endswith(ending)), None)
    if suffix is None or file.parts[-2].endswith(".libs"):
        continue
    name = ".".join((*file.relative_to(home).parts[:-1], file.name.removesuffix(suffix)))
    if name == "PIL._imagingtk":  # it needs Tk, which no table PC has
        continue
    importlib.import_module(name)
    loaded.append(name)
print(json.dumps([platform.machine(), loaded]))
"""
    machine_name, loaded = json.loads(emulated.python("-c", script))
    assert machine_name == "aarch64"
    assert {"phevaluator._pheval", "msgspec._core", "_argon2_cffi_bindings._ffi", "_cffi_backend"} <= set(loaded)
    assert "cryptography.hazmat.bindings._rust" in loaded


def test_its_command_checks_every_example(emulated: Emulated, foreign_package: Path) -> None:
    assert emulated.tablectl("--version") == f"tablectl {field(foreign_package, 'Version')}\n"
    for example in sorted((ROOT / "config").glob("*.toml")):
        file = f"/usr/share/doc/tablectl/examples/{example.name}"
        said = emulated.tablectl("check-config", "--language", "en", file)
        assert f"{example.name}: good" in said


def test_hands_are_worth_what_they_are_worth_here(emulated: Emulated) -> None:
    script = HERE / "rank_hands.py"
    emulated.file("/root").mkdir(exist_ok=True)
    emulated.file("/root/rank_hands.py").write_bytes(script.read_bytes())
    there = emulated.python("/root/rank_hands.py", "7", str(N_HANDS)).split()
    assert len(there) == 3 * N_HANDS
    assert there == here("-m", "tests.system.rank_hands", "7", str(N_HANDS)).split()


@pytest.mark.parametrize("rulebook", ["texas-bonus", "draw-poker"])
def test_a_table_deals_there_and_its_journal_is_evidence_here(emulated: Emulated, rulebook: str) -> None:
    folder = f"/var/tmp/{rulebook}"
    emulated.file("/root").mkdir(exist_ok=True)
    emulated.file("/root/table.py").write_bytes((HERE / "emulated_table.py").read_bytes())
    emulated.python("/root/table.py", f"/usr/bin/{QEMU}", rulebook, "2", folder)
    journal = emulated.file(f"{folder}/table.db")
    said = here("-m", "tablectl", "journal", "verify", str(journal), "--copy", str(journal.with_suffix(".copy")))
    assert "intact" in said
    assert "2 closed hands" in said
    assert "decisions, prompts and carries as recorded" in here("-m", "tablectl", "journal", "replay", str(journal))

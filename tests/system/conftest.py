"""A machine with the package installed, for tests that begin there; and the packages, built once."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Iterator, Mapping
from pathlib import Path
from types import MappingProxyType

import pytest

from simulators import processes
from tests.system.machine import Machine, machine
from tests.system.table_pc import TablePC

ROOT = Path(__file__).parents[2]
#: The version that follows, for upgrades: the same program under another number.
NEXT_VERSION = "0.2.1"


def built(source: Path, folder: Path, architecture: str = "amd64") -> Path:
    """The package of a source tree."""
    processes.run([str(source / ".ci/make-deb"), architecture, str(folder)], cwd=source, check=True)
    (package,) = folder.glob("*.deb")
    return package


@pytest.fixture(scope="session")
def package(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Of this source tree, or the one that somebody names: TABLECTL_PACKAGE."""
    if named := os.environ.get("TABLECTL_PACKAGE"):
        return Path(named)
    return built(ROOT, tmp_path_factory.mktemp("deb"))


#: A program that ends as soon as it is started, whatever it is asked.
DEAD = """#!/bin/sh
echo "this version does not start" >&2
exit 1
"""


@pytest.fixture(scope="session")
def next_package(package: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The version that follows: the same files, with its number wherever the program or the package says it."""
    return renumbered(package, tmp_path_factory.mktemp("next"))


@pytest.fixture(scope="session")
def dead_package(package: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A version that follows, with which nothing starts, and with a file that the version before has not."""
    return renumbered(
        package,
        tmp_path_factory.mktemp("dead"),
        {"opt/tablectl/bin/tablectl": DEAD, "usr/lib/tablectl/new-here": DEAD},
    )


def renumbered(package: Path, folder: Path, changed: Mapping[str, str] = MappingProxyType({})) -> Path:
    """A package as the next version, with programs that are changed or added, by their places."""
    tree = folder / "tree"
    processes.run(["dpkg-deb", "--raw-extract", str(package), str(tree)], check=True)
    control = tree / "DEBIAN/control"
    text = control.read_text(encoding="utf-8")
    version = next(line.partition(": ")[2] for line in text.splitlines() if line.startswith("Version: "))
    control.write_text(text.replace(f"Version: {version}\n", f"Version: {NEXT_VERSION}\n"), encoding="utf-8")
    (info,) = tree.glob("opt/tablectl/lib/python3*/site-packages/tablectl-*.dist-info")
    metadata = info / "METADATA"
    said = metadata.read_text(encoding="utf-8").replace(f"\nVersion: {version}\n", f"\nVersion: {NEXT_VERSION}\n")
    metadata.write_text(said, encoding="utf-8")
    shutil.move(info, info.with_name(f"tablectl-{NEXT_VERSION}.dist-info"))
    for place, text in changed.items():
        (tree / place).write_text(text, encoding="utf-8")
        (tree / place).chmod(0o755)
    made = folder / f"tablectl_{NEXT_VERSION}_amd64.deb"
    command = ["dpkg-deb", "--root-owner-group", "-Zgzip", "-z1", "--build", str(tree), str(made)]
    processes.run(command, check=True, stdout=subprocess.DEVNULL)
    shutil.rmtree(tree)
    return made


@pytest.fixture(scope="session")
def installed(package: Path) -> Iterator[Machine]:
    """A machine on which the package was installed and a table set up, switched off again."""
    with machine() as computer:
        computer.boot()
        TablePC(computer).install(package)
        TablePC(computer).set_up()
        computer.shut_down()
        yield computer


@pytest.fixture
def pc(installed: Machine) -> Iterator[TablePC]:
    """Another one like it, on, with its devices plugged in and its table running."""
    with machine(installed) as computer:
        computer.boot()
        with TablePC(computer) as table_pc:
            table_pc.open_table()
            yield table_pc

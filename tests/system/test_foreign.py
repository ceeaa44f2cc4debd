"""The package's build fails where a compiled file is of another machine than the package."""

from __future__ import annotations

import struct
import subprocess
import sys
from pathlib import Path
from typing import Final

import pytest

from simulators import processes
from tests.system.conftest import ROOT

X86_64: Final = 62
AARCH64: Final = 183


def elf(machine: int) -> bytes:
    """The beginning of a shared object, 64 bits, least byte first."""
    return struct.pack("<4sBBB9xHHI", b"\x7fELF", 2, 1, 1, 3, machine, 1)


def looked_at(root: Path, machine: str) -> subprocess.CompletedProcess[str]:
    """What the build's look says of a tree."""
    return processes.run(
        [sys.executable, str(ROOT / "debian/foreign"), machine, "311", str(root)],
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.mark.parametrize(("machine", "code"), [("x86_64", X86_64), ("aarch64", AARCH64)])
def test_a_tree_of_its_own_machine_is_good(tmp_path: Path, machine: str, code: int) -> None:
    folder = tmp_path / "opt"
    folder.mkdir()
    (folder / f"one.cpython-311-{machine}-linux-gnu.so").write_bytes(elf(code))
    (folder / "two.abi3.so").write_bytes(elf(code))
    (folder / "text").write_text("\x7fEL", encoding="utf-8")
    (folder / "python3").symlink_to(sys.executable)  # of Debian's, on the table PC
    done = looked_at(tmp_path, machine)
    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.parametrize(("machine", "other", "code"), [("x86_64", "aarch64", AARCH64), ("aarch64", "x86_64", X86_64)])
def test_a_file_of_another_machine_is_named(tmp_path: Path, machine: str, other: str, code: int) -> None:
    (tmp_path / "good.so").write_bytes(elf(AARCH64 if machine == "aarch64" else X86_64))
    (tmp_path / "evaluator.so").write_bytes(elf(code))
    done = looked_at(tmp_path, machine)
    assert done.returncode == 1
    assert done.stderr == f"foreign: /evaluator.so is of {other}, not of {machine}\n"


def test_an_extension_that_python_would_not_find_by_its_name_is_named(tmp_path: Path) -> None:
    (tmp_path / "evaluator.cpython-311-x86_64-linux-gnu.so").write_bytes(elf(AARCH64))
    done = looked_at(tmp_path, "aarch64")
    assert done.returncode == 1
    assert "is named for 311-x86_64-linux-gnu, not of aarch64" in done.stderr


def test_a_tree_with_nothing_compiled_is_no_tree_of_this_package(tmp_path: Path) -> None:
    (tmp_path / "text").write_text("no program", encoding="utf-8")
    done = looked_at(tmp_path, "x86_64")
    assert done.returncode == 1
    assert "nothing under" in done.stderr

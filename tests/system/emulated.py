"""A table PC of another architecture: its Debian in a folder, its programs run one by one by QEMU's user emulation.

Nothing of it is booted, and no package is configured: its service manager would start programs that only a kernel with
QEMU registered can start. What is shown is that everything compiled in the package is found, loads and works.
"""

from __future__ import annotations

import os
import platform
import shutil
import subprocess
import tempfile
from pathlib import Path
from typing import Final

from simulators import processes
from tests.system.machine import SUITE, Machine, fresh_debian, why_not
from tests.system.table_pc import PYTHON

ARCHITECTURE: Final = "arm64"
QEMU: Final = "qemu-aarch64-static"
#: What the package's programs need of Debian.
PACKAGES: Final = "python3,libusb-1.0-0,libudev1,tzdata"


def why_not_emulated() -> str:
    """Why nothing can be emulated here; empty where it can."""
    if platform.machine() != "x86_64":
        return f"the package for {ARCHITECTURE} is built across on amd64, and this is {platform.machine()}"
    return why_not() or ("" if shutil.which(QEMU) else f"not installed: {QEMU}")


def foreign_debian() -> Path:
    """The folder of a Debian of the other architecture, unpacked at the first call on this computer; whole or not at
    all."""
    cache = fresh_debian().parent
    made = cache / f"{SUITE}-{ARCHITECTURE}-{PACKAGES.count(',') + 1}"
    if not made.exists():
        with tempfile.TemporaryDirectory(dir=cache) as work:
            folder = Path(work) / "root"
            command = ["debootstrap", "--foreign", f"--arch={ARCHITECTURE}", "--variant=minbase"]
            processes.run(
                [*command, f"--include={PACKAGES}", SUITE, str(folder)], check=True, stdout=subprocess.DEVNULL
            )
            fetched = folder / "var/cache/apt/archives"
            for package in sorted(fetched.glob("*.deb")):
                processes.run(["dpkg-deb", "--extract", str(package), str(folder)], check=True)
            shutil.rmtree(fetched)
            shutil.rmtree(folder / "debootstrap")
            folder.rename(made)
    return made


class Emulated:
    """`machine`, switched off, with the package's files on it. Programs have no network."""

    def __init__(self, machine: Machine, package: Path) -> None:
        self._root = machine.root
        processes.run(["dpkg-deb", "--extract", str(package), str(self._root)], check=True)
        emulator = shutil.which(QEMU)
        assert emulator is not None
        self._emulator = f"/usr/bin/{QEMU}"
        shutil.copy(emulator, self._root / "usr/bin" / QEMU)

    def file(self, place: str) -> Path:
        """Where a file of that machine lies on this one."""
        return self._root / place.lstrip("/")

    def python(self, *words: str, given: str = "") -> str:
        """What the package's Python says, isolated; it must succeed."""
        inside = ["systemd-nspawn", "--quiet", f"--directory={self._root}", "--register=no", "--keep-unit", "--as-pid2"]
        done = processes.run(
            [*inside, "--private-network", "--pipe", self._emulator, PYTHON, "-I", *words],
            capture_output=True,
            text=True,
            check=False,
            input=given,
            env={"PATH": os.environ["PATH"], "LC_ALL": "C.UTF-8"},
        )
        assert done.returncode == 0, f"{' '.join(words)}: {done.returncode}\n{done.stdout}\n{done.stderr}"
        return done.stdout

    def tablectl(self, *words: str, given: str = "") -> str:
        """What the package's own command says."""
        return self.python("/opt/tablectl/bin/tablectl", *words, given=given)

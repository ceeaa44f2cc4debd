"""A table PC for tests: a fresh Debian in a folder, booted with its own systemd by systemd-nspawn, without a network.

The fresh Debian is made once and kept (`TABLECTL_MACHINES`, otherwise a folder of this computer's cache); each machine
is a thin layer over it, gone at the end. Nothing is asked of a service manager outside: the container is a process of
ours.
"""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from simulators import processes

SUITE: Final = "bookworm"
#: What a table PC has besides a minimal Debian: its service manager, Python, and what the package asks for.
PACKAGES: Final = "systemd,systemd-sysv,dbus,udev,python3,libusb-1.0-0,libudev1,procps,tzdata"
NEEDED: Final = ("systemd-nspawn", "debootstrap", "nsenter", "dpkg-deb")
BOOT_S: Final = 60.0
HALT_S: Final = 30.0


def why_not() -> str:
    """Why no machine can be booted here; empty where one can."""
    if os.geteuid() != 0:
        return "only root can boot a machine in a container"
    missing = [text for text in NEEDED if shutil.which(text) is None]
    return f"not installed: {', '.join(missing)}" if missing else ""


def fresh_debian() -> Path:
    """The folder of a Debian as it comes, made at the first call on this computer; whole or not at all."""
    cache = Path(os.environ.get("TABLECTL_MACHINES") or "/var/cache/tablectl-tests")
    made = cache / f"{SUITE}-{PACKAGES.count(',') + 1}"
    if not made.exists():
        cache.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=cache) as work:
            folder = Path(work) / "root"
            command = ["debootstrap", "--variant=minbase", f"--include={PACKAGES}", SUITE, str(folder)]
            processes.run(command, check=True, stdout=subprocess.DEVNULL)
            # A machine of its own: its first boot makes the number that nobody else has.
            (folder / "etc/machine-id").unlink(missing_ok=True)
            (folder / "etc/hostname").write_text("table-pc\n")
            (folder / "etc/locale.conf").write_text("LANG=C.UTF-8\n")
            (folder / "etc/localtime").unlink(missing_ok=True)
            (folder / "etc/localtime").symlink_to("/usr/share/zoneinfo/Europe/Madrid")
            folder.rename(made)
    return made


#: Of systemd-nspawn: killed, it would leave behind what runs in the container.
ENDED_IN_ORDER: Final = processes.End(signal=signal.SIGTERM)


class Machine:
    """One computer. Its files are `root`: those of `layer` over those `below`. Commands run in it as its root."""

    def __init__(self, root: Path, *, layer: Path, below: tuple[Path, ...]) -> None:
        self.root = root
        self.layer = layer
        self.below = below
        self._nspawn: subprocess.Popen[bytes] | None = None
        #: the first process in it, as this computer counts; 0 while it is off
        self.leader = 0

    # -- power -------------------------------------------------------------------------------------------------------

    def boot(self, *options: str) -> None:
        """Until everything that starts by itself has started. `options` are systemd-nspawn's."""
        command = ["systemd-nspawn", "--quiet", "--directory", str(self.root), "--boot", "--register=no", "--keep-unit"]
        self._nspawn = processes.start(
            [*command, "--private-network", "--machine=table-pc", "--link-journal=no", *options],
            end=ENDED_IN_ORDER,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )
        until_s = time.monotonic() + BOOT_S
        while time.monotonic() < until_s:
            self.leader = _child_of(self._nspawn.pid)
            if self.leader and self.run("systemctl", "is-system-running", "--wait").stdout.strip() in _BOOTED:
                return
            time.sleep(0.05)
        raise TimeoutError("the machine did not boot")

    def shut_down(self) -> None:
        """In order, as with the button."""
        assert self._nspawn is not None
        self._nspawn.send_signal(signal.SIGTERM)
        self._nspawn.wait(HALT_S)
        self._nspawn = None

    def cut_the_power(self) -> None:
        """Everything in it ends at once."""
        assert self._nspawn is not None
        os.kill(self.leader, signal.SIGKILL)
        self._nspawn.wait(HALT_S)
        self._nspawn = None

    @property
    def is_on(self) -> bool:
        """Whether it runs."""
        return self._nspawn is not None

    # -- commands ----------------------------------------------------------------------------------------------------

    def inside(self, *command: str) -> list[str]:
        """The command line, for a process of the test's own, of a command that runs in it."""
        return ["nsenter", "--target", str(self.leader), "--all", *command]

    def run(self, *command: str, **environment: str) -> subprocess.CompletedProcess[str]:
        """A command to its end, whatever its exit status."""
        words = [f"{name}={value}" for name, value in environment.items()]
        inside = self.inside("/usr/bin/env", "-i", "PATH=/usr/sbin:/usr/bin:/sbin:/bin", "LC_ALL=C.UTF-8", *words)
        return processes.run([*inside, *command], capture_output=True, text=True, check=False, stdin=subprocess.DEVNULL)

    def said(self, *command: str, **environment: str) -> str:
        """What a command that must succeed says."""
        done = self.run(*command, **environment)
        assert done.returncode == 0, f"{' '.join(command)}: {done.returncode}\n{done.stdout}\n{done.stderr}"
        return done.stdout

    def put(self, file: Path, place: str) -> None:
        """A file from a stick."""
        target = self.root / place.lstrip("/")
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(file, target)

    def write(self, place: str, text: str) -> None:
        """A file that somebody writes."""
        target = self.root / place.lstrip("/")
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(text, encoding="utf-8")

    # -- services ----------------------------------------------------------------------------------------------------

    def shown(self, unit: str, name: str) -> str:
        """A property of a unit."""
        return self.said("systemctl", "show", "--property", name, "--value", unit).strip()

    def pid(self, unit: str) -> int:
        """Of its main process, as it is called inside; 0 where none runs."""
        return int(self.shown(unit, "MainPID"))

    def log(self, unit: str) -> str:
        """What a unit said since the machine was made."""
        return self.said("journalctl", "--no-pager", "--output", "cat", "--unit", unit)


_BOOTED: Final = ("running", "degraded")


def _child_of(pid: int) -> int:
    """The first process of the container; 0 while there is none."""
    said = processes.run(["pgrep", "-P", str(pid)], capture_output=True, text=True, check=False).stdout.split()
    return int(said[0]) if said else 0


@contextmanager
def machine(like: Machine | None = None, *, debian: Path | None = None) -> Iterator[Machine]:
    """A computer with a fresh Debian on it (or the one in the folder `debian`), or with what `like` has, which stays
    switched off meanwhile; switched off; gone with all that is on it at the end."""
    layers = [debian or fresh_debian()] if like is None else [like.layer, *like.below]
    with tempfile.TemporaryDirectory(prefix="tablectl-pc-", dir=layers[-1].parent) as work:
        folder = Path(work)
        for name in ("upper", "work", "root"):
            (folder / name).mkdir()
        computer = Machine(folder / "root", layer=folder / "upper", below=tuple(layers))
        options = f"lowerdir={':'.join(map(str, layers))},upperdir={computer.layer},workdir={folder / 'work'}"
        processes.run(["mount", "-t", "overlay", "overlay", "-o", options, str(computer.root)], check=True)
        try:
            yield computer
        finally:
            if computer.is_on:
                computer.cut_the_power()
            processes.run(["umount", "--recursive", str(computer.root)], check=True)

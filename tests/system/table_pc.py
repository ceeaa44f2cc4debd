"""What a technician and a croupier do at a table PC: install, set up, open the table, deal."""

from __future__ import annotations

import subprocess
from pathlib import Path
from types import TracebackType
from typing import Final, Self

from simulators import processes
from tests.system.machine import Machine

TABLE: Final = "mesa-1"
CONFIG: Final = f"/etc/tablectl/{TABLE}.toml"
CONTROLLER: Final = f"tablectl@{TABLE}.service"
ACCOUNTS: Final = f"tablectl-accounts@{TABLE}.service"
SCREENS: Final = f"tablectl-screens@{TABLE}.service"
TARGET: Final = f"tablectl@{TABLE}.target"
STATE: Final = f"/var/lib/tablectl/{TABLE}"
JOURNAL: Final = f"{STATE}/table.db"
PYTHON: Final = "/opt/tablectl/bin/python3"
#: What the technician says: a small table of Texas Hold'em Bonus with a shoe.
ANSWERS: Final = """
table.name = "Mesa 1"
table.games = ["texas-bonus"]
table.equipment = "shoe"
texas-bonus.seats = 3
texas-bonus.ante.authorised = [500, 15000]
texas-bonus.ante.limits = [500, 10000]
texas-bonus.bonus.authorised = [100, 5000]
texas-bonus.bonus.limits = [100, 5000]
shoe.driver = "angel-eye"
shoe.port = "PORT"
panel.driver = "xkeys-xk24"
light.driver = "patlite-lr6"
"""
#: Simulated devices are plugged in here: in /run, as everything that is gone with the power.
DEVICES: Final = "/run/devices"
_SCRIPT: Final = Path(__file__).with_name("at_table.py")


class TablePC:
    """A machine with a table. In its `with` block devices can be plugged in and hands dealt."""

    def __init__(self, machine: Machine) -> None:
        self.machine = machine
        self._people: subprocess.Popen[str] | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.leave()

    # -- the technician ----------------------------------------------------------------------------------------------

    def install(self, package: Path) -> subprocess.CompletedProcess[str]:
        """From a stick, without a network; whatever comes of it."""
        self.machine.put(package, f"/root/{package.name}")
        return self.machine.run("dpkg", "--install", f"/root/{package.name}", DEBIAN_FRONTEND="noninteractive")

    def set_up(self) -> str:
        """The first steps: `tablectl setup`, answered from a file. What it said."""
        self.plug_in()
        answers = ANSWERS.replace("PORT", f"{DEVICES}/sabot")
        self.machine.write("/root/answers.toml", answers)
        bus = f"unix:{DEVICES}/usb.sock"
        said = self.machine.said("tablectl", "setup", "--answers", "/root/answers.toml", "--usb-bus", bus)
        self.leave()
        self.machine.said("systemctl", "enable", TARGET)
        return said

    def plug_in(self) -> None:
        """The devices, from now on."""
        self.machine.put(_SCRIPT, "/root/at_table.py")
        self._people = processes.start(
            self.machine.inside("/usr/bin/env", "-i", "PATH=/usr/bin", PYTHON, "-I", "/root/at_table.py", DEVICES),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        assert self._answer() == "ready"

    def leave(self) -> None:
        """The devices are gone, and who dealt with them."""
        people, self._people = self._people, None
        if people is not None:
            people.communicate(timeout=20)

    def open_table(self) -> None:
        """Devices first; then the table, which started without them, once more."""
        self.plug_in()
        self.machine.said("systemctl", "restart", TARGET)

    # -- the croupier ------------------------------------------------------------------------------------------------

    def ask(self, line: str) -> str:
        """One line for who is at the table, and the answer."""
        assert self._people is not None
        assert self._people.stdin is not None
        self._people.stdin.write(f"{line}\n")
        self._people.stdin.flush()
        return self._answer()

    def deal(self, line: str) -> dict[str, int]:
        """The same, where it must go well: hands, cards of the last one, and the newest record."""
        words = self.ask(line).split()
        assert words[::2] == ["hands", "cards", "record"], " ".join(words)
        return dict(zip(words[::2], map(int, words[1::2]), strict=True))

    def _answer(self) -> str:
        assert self._people is not None
        assert self._people.stdout is not None
        return self._people.stdout.readline().rstrip("\n")

    # -- the auditor -------------------------------------------------------------------------------------------------

    def verified(self) -> str:
        """The journal and its copy, checked by the installed program, and replayed."""
        said = self.machine.said("tablectl", "journal", "verify", JOURNAL, "--copy", f"{STATE}/table.copy")
        return said + self.machine.said("tablectl", "journal", "replay", JOURNAL)

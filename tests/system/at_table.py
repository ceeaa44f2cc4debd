"""Runs inside a table PC, as root: simulated devices that the installed controller finds, and a croupier who deals.

`/opt/tablectl/bin/python3 -I at_table.py FOLDER`: says `ready` when the devices are plugged in, then does what each
line of its standard input says and answers with a line:

    hands N           N hands are dealt to their end
    cards N           a hand is begun, or gone on with, until N of its cards are dealt; it stays open
    finish            the hand that is open is dealt to its end

Nothing here starts or stops a controller: that is systemd's.
"""

from __future__ import annotations

import grp
import os
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from simulators.stage.croupier import Croupier
from simulators.stage.fault_plan import Level
from simulators.stage.hands import Stuck
from simulators.stage.stage import Scene, Stage
from tablectl.api.client import NoController
from tablectl.api.stage import StageBroken

TABLE: Final = "mesa-1"
STATE: Final = Path("/var/lib/tablectl") / TABLE
RUN: Final = Path("/run/tablectl") / TABLE
SEED: Final = 7
#: As the table is set up (tests/system/table_pc.py).
SCENE: Final = Scene(rulebook="texas-bonus", table="Mesa 1", seats=3, seed=SEED)


class Enough(Exception):
    """So many cards are dealt."""


class InstalledTable(Stage):
    """The same devices, beside a controller that systemd runs."""

    def __init__(self, scene: Scene, folder: Path) -> None:
        super().__init__(scene, folder)
        self.journal = STATE / "table.db"
        self.copy = STATE / "table.copy"
        self.socket = RUN / "table.sock"

    def plug_in(self) -> None:
        """What a technician does with his hands; the ports belong to dialout, as udev does it."""
        self.shoe.start()
        self.bus.plug(self.panel)
        self.bus.plug(self.light)
        port = (self.folder / "sabot").resolve()
        os.chown(port, 0, grp.getgrnam("dialout").gr_gid)
        port.chmod(0o660)
        (self.folder / "usb.sock").chmod(0o666)

    def last_words(self) -> str:
        """systemd's journal has them."""
        return f"journalctl -u tablectl@{TABLE}"


class AtTable:
    """The croupier, as long as this program runs."""

    def __init__(self, stage: InstalledTable) -> None:
        self._stage = stage
        self._enough: int | None = None
        self._croupier = Croupier(stage, seed=SEED, level=Level.NONE, pause=self._pause, pit_boss_waits_s=0.0)

    def does(self, said: list[str]) -> str:
        """One line."""
        match said:
            case ["hands", n]:
                self._croupier.play(self._croupier.felt.hands + int(n))
            case ["finish"]:
                self._croupier.play(self._croupier.felt.hands + 1)
            case ["cards", n]:
                self._until(int(n))
            case _:
                return f"unknown: {said}"
        return f"hands {self._croupier.felt.hands} cards {len(self._croupier.cards)} record {self._croupier.felt.seq}"

    def _until(self, n_cards: int) -> None:
        self._enough = n_cards
        try:
            self._croupier.play(self._croupier.felt.hands + 1)
        except Enough:
            pass
        finally:
            self._enough = None

    def _pause(self, _seconds: float) -> None:
        if self._enough is not None and len(self._croupier.cards) >= self._enough:
            raise Enough


def lines() -> Iterator[list[str]]:
    """What is asked for."""
    for line in sys.stdin:
        yield line.split()


def say(text: str) -> None:
    """One line, at once."""
    sys.stdout.write(f"{text}\n")
    sys.stdout.flush()


def main(folder: Path) -> None:
    """Until nobody asks for anything more."""
    folder.mkdir(parents=True, exist_ok=True)
    stage = InstalledTable(SCENE, folder)
    stage.plug_in()
    say("ready")
    at_table = AtTable(stage)
    for said in lines():
        try:
            answer = at_table.does(said)
        except (Stuck, NoController, StageBroken) as wrong:
            answer = f"wrong: {type(wrong).__name__}: {wrong}".replace("\n", " | ")
        say(answer)
    stage.shoe.close()
    stage.bus.close()


if __name__ == "__main__":
    main(Path(sys.argv[1]))

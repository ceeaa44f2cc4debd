"""Runs on an emulated table PC: simulated devices, the real controller, and a croupier who deals.

`python3 -I emulated_table.py EMULATOR RULEBOOK HANDS FOLDER`: deals, and leaves the journal, its copy and its keys in
FOLDER. The kernel cannot start a program of another architecture by itself, so the controller is started through
EMULATOR.
"""

from __future__ import annotations

import subprocess
import sys
import time
from pathlib import Path
from typing import Final

from simulators import processes
from simulators.stage.croupier import Croupier
from simulators.stage.fault_plan import Level
from simulators.stage.stage import Scene, Stage
from tablectl.api.client import NoController, Subscription
from tablectl.api.stage import StageBroken

SEED: Final = 7


class EmulatedStage(Stage):
    """Waits as long as an emulated controller needs: whoever started all this has the patience for it."""

    def __init__(self, scene: Scene, folder: Path, emulator: str) -> None:
        super().__init__(scene, folder)
        self._emulator = emulator

    def start_controller(self) -> None:
        """Until all three devices are found."""
        with self.log.open("ab") as log:
            self._controller = processes.start(
                [self._emulator, sys.executable, "-I", "-m", "tablectl", "run", str(self.config)],
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
            )
        wanted = {"sabot", "panel", "light"}
        with self._as_soon_as_it_listens() as records:
            while wanted:
                record = records.next(1.0)
                if record is None:
                    self._look_after_it()
                elif record["fact"]["kind"] == "device-back":
                    wanted.discard(record["fact"]["device"])

    def _as_soon_as_it_listens(self) -> Subscription:
        while True:
            try:
                return Subscription(self.socket, after=0)
            except NoController:
                self._look_after_it()
                time.sleep(0.1)

    def _look_after_it(self) -> None:
        if self.controller.poll() is not None:
            raise StageBroken(self.last_words())


def main(emulator: str, rulebook: str, n_hands: int, folder: Path) -> None:
    """Deals."""
    folder.mkdir(parents=True)
    with EmulatedStage(Scene(rulebook=rulebook, seats=3, seed=SEED), folder, emulator) as stage:
        croupier = Croupier(stage, seed=SEED, level=Level.NONE, pause=lambda _: None, pit_boss_waits_s=0.0)
        croupier.play(n_hands)


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2], int(sys.argv[3]), Path(sys.argv[4]))

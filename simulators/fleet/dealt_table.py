"""A real table for a pit server: a controller with simulated devices, a croupier in a thread, and a real uplink."""

from __future__ import annotations

import threading
from collections.abc import Callable
from pathlib import Path
from typing import Final

from simulators.fleet.programs import Program
from simulators.fleet.servers import Servers
from simulators.parts import Parts
from simulators.stage.croupier import Croupier
from simulators.stage.dealing import Dealing
from simulators.stage.fault_plan import Level, wire_faults
from simulators.stage.games import table_of
from simulators.stage.hands import Stuck
from simulators.stage.stage import Scene, Stage
from tablectl.api.client import NoController
from tablectl.api.stage import StageBroken
from tablectl.fleet.uplink.state import Remembered, StateFile
from tablectl.games.registry import RULEBOOKS

#: How long the simulated pit boss leaves an alarm on the overview, in seconds at speed 1.
PIT_BOSS_S: Final = 45.0


class DealtTable(Parts):
    """Deals from entering to leaving the `with` block, or until it is over. Raises `StageBroken`, `NotStarted`."""

    def __init__(
        self,
        servers: Servers,
        folder: Path,
        number: int,
        *,
        over: threading.Event,
        speed: float,
        seed: int,
        stuck: Callable[[str], object],
    ) -> None:
        """`folder`: of all tables. `speed`: 1 is a croupier's pace. `stuck` is told where it cannot go on."""
        super().__init__()
        self.name = f"mesa-{number}"
        self._servers = servers
        self._over = over
        self._speed = speed
        self._seed = seed + number
        self._stuck = stuck
        self._dealing = Dealing()
        game = tuple(RULEBOOKS)[(number - 1) % len(RULEBOOKS)]
        scene = Scene(
            rulebook=game,
            table=f"Mesa {number}",
            seats=table_of(game).seats,
            seed=self._seed,
            pace=max(speed, 1.0),
            shoe_faults=wire_faults(Level.SOME),
            uplink=servers.uplink_lines(self.name),
        )
        self._folder = folder / self.name
        self._folder.mkdir()
        self.stage = Stage(scene, self._folder)
        self.uplink = Program.of_tablectl(self._folder / "uplink.log", "uplink", self.stage.config)
        self._thread = threading.Thread(target=self._deal, name=f"croupier-{number}")

    def _begin(self) -> None:
        self._stack.enter_context(self.stage)
        self._servers.enrol(self.stage.config, self.name)
        self._stack.enter_context(self.uplink)
        self._thread.start()
        self._stack.callback(self._thread.join)
        self._stack.callback(self._over.set)

    def until_dealt(self) -> None:
        """After it is over: until the hand is dealt to its end."""
        self._thread.join()

    def leave(self) -> None:
        """Nobody deals any more: a hand that is open stays so."""
        self._dealing.end()

    @property
    def said(self) -> Remembered:
        """What its uplink said last."""
        return StateFile(self._folder / "uplink.json").read()

    def _deal(self) -> None:
        """Until it is over. A table at which it cannot go on stands still, and the overview says so."""
        croupier = Croupier(
            self.stage,
            seed=self._seed,
            level=Level.SOME,
            pause=lambda seconds: self._over.wait(seconds / self._speed),
            pit_boss_waits_s=PIT_BOSS_S / self._speed,
            dealing=self._dealing,
        )
        while not (self._over.is_set() or self._dealing.is_over):
            try:
                croupier.play(croupier.felt.hands + 1)
            except (Stuck, StageBroken, NoController) as wrong:
                if not self._over.is_set():
                    self._stuck(f"{self.stage.scene.table} stands still: {wrong}")
                return

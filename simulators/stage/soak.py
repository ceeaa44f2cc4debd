"""A whole table plays hands over the wires while its devices are unplugged at random; every card is accounted for.

`python -m simulators.stage.soak --hands 1000 --equipment both --seed 1`

Each device on its own, at any moment, also in the middle of what it says: shoe, panel, light, every reader under the
felt. It comes back after a moment. After each hand the cards that lay on the table are held against the journal, and at
the end the whole journal is verified and replayed.
"""

from __future__ import annotations

import argparse
import random
import sys
import threading
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from types import TracebackType
from typing import Final, Self

from simulators.stage.accounts import cards_on_record, check_cards
from simulators.stage.croupier import Croupier
from simulators.stage.endurance import check_at_end, options, run
from simulators.stage.fault_plan import Level, wire_faults
from simulators.stage.readers import Reading
from simulators.stage.stage import Scene, Stage
from simulators.stage.summary import Checked
from tablectl.core.engine.vocabulary import Equipment

#: The mean time between two unpluggings, of all devices together, and how long one stays away, in seconds.
BETWEEN_S: Final = 0.6
AWAY_S: Final = (0.02, 0.3)
JOIN_S: Final = 10.0


class Unplugger:
    """Pulls wires and plugs them in again, one at a time, from a thread of its own."""

    def __init__(self, stage: Stage, *, seed: int) -> None:
        self._wires = stage.cables
        self._dice = random.Random(f"{seed}/unplugged")
        self.pulled: Counter[str] = Counter()
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._run, name="unplugger")

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._over.set()
        self._thread.join(JOIN_S)

    def _run(self) -> None:
        while not self._over.wait(self._dice.expovariate(1 / BETWEEN_S)):
            name = self._dice.choice(sorted(self._wires))
            pull, plug = self._wires[name]
            pull()
            self.pulled[name] += 1
            self._over.wait(self._dice.uniform(*AWAY_S))
            plug()


@dataclass(kw_only=True)
class Tally:
    """What a run came to."""

    hands: int = 0
    cards: int = 0
    #: of those: without a face, because a person said that a card came which no device reported
    faceless: int = 0
    incidents: int = 0
    pulled: Counter[str] = field(default_factory=Counter)
    checked: Checked = field(default_factory=lambda: Checked(good=False, text="not checked"))

    def __str__(self) -> str:
        pulls = ", ".join(f"{name} {times}" for name, times in sorted(self.pulled.items()))
        return (
            f"{self.hands} hands, {self.incidents} incidents; devices unplugged {self.pulled.total()} times ({pulls}); "
            f"{self.cards} cards on the felt, each once on record ({self.faceless} without a face); "
            f"journal {self.checked.text}"
        )


def soak(scene: Scene, folder: Path, *, hands: int, level: Level) -> Iterator[Tally]:
    """The tally after each hand. Raises `NotAsItWas`, `Stuck`, `StageBroken`."""
    tally = Tally()
    with Stage(scene, folder) as stage:
        croupier = Croupier(stage, seed=scene.seed, level=level, pause=lambda _: None, pit_boss_waits_s=0.0)
        with Unplugger(stage, seed=scene.seed) as unplugger:
            for hand in range(1, hands + 1):
                croupier.play(hand)
                on_record = cards_on_record(stage.journal, hand)
                check_cards(hand, [card.face for card in croupier.cards], on_record, equipment=scene.equipment)
                tally.hands, tally.incidents = hand, sum(croupier.felt.clauses.values())
                tally.cards += len(on_record)
                tally.faceless += on_record.count(None)
                tally.pulled = unplugger.pulled
                yield tally
        tally.checked = check_at_end(stage)
        yield tally


def main() -> int:
    """Exit status 0; 1 where a card was lost or doubled, or anything else was wrong; 2 for wrong usage."""
    parser = options("simulators.stage.soak", __doc__, "hands", default=1000)
    parser.add_argument(
        "--equipment", default="both", choices=[equipment.value for equipment in Equipment], help="what reads"
    )
    parser.add_argument("--rfid-shoe", action="store_true", help="the shoe is a reader of tags")
    return run(parser, _play, lambda tally: f"{tally.hands} hands, {tally.pulled.total()} unpluggings")


def _play(args: argparse.Namespace, folder: Path) -> Iterator[Tally]:
    level = Level(args.faults)
    scene = Scene(
        rulebook=args.rulebook,
        seed=args.seed,
        shoe_faults=wire_faults(level),
        equipment=Equipment(args.equipment),
        has_rfid_shoe=args.rfid_shoe,
        reading=Reading(),
    )
    return soak(scene, folder, hands=args.count, level=level)


if __name__ == "__main__":
    sys.exit(main())

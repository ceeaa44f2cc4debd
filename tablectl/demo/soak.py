"""A whole table plays hands over the wires while its devices are unplugged at random; every card is accounted for.

`python -m tablectl.demo.soak --hands 1000 --equipment both --seed 1`

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
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from types import TracebackType
from typing import Final, Self

from tablectl.api.client import NoController
from tablectl.core.engine.words import Equipment
from tablectl.demo.accounts import NotAsItWas, cards_on_record, check_cards
from tablectl.demo.croupier import Croupier
from tablectl.demo.hands import Stuck
from tablectl.demo.mistakes import Level, wire_faults
from tablectl.demo.readers import Reading
from tablectl.demo.stage import Scene, Stage, StageBroken, temporary_folder
from tablectl.demo.summary import Checked, check
from tablectl.games.registry import RULEBOOKS

#: The mean time between two unpluggings, of all devices together, and how long one stays away, in seconds.
BETWEEN_S: Final = 0.6
AWAY_S: Final = (0.02, 0.3)
JOIN_S: Final = 10.0


class Unplugger:
    """Pulls wires and plugs them in again, one at a time, from a thread of its own."""

    def __init__(self, stage: Stage, *, seed: int) -> None:
        self._wires = _wires(stage)
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


def _wires(stage: Stage) -> dict[str, tuple[Callable[[], object], Callable[[], object]]]:
    found: dict[str, tuple[Callable[[], object], Callable[[], object]]] = {
        "panel": (lambda: stage.bus.unplug(stage.panel), lambda: stage.bus.plug(stage.panel)),
        "light": (lambda: stage.bus.unplug(stage.light), lambda: stage.bus.plug(stage.light)),
    }
    if stage.scene.has_shoe:
        found["sabot"] = (stage.shoe.unplug, stage.shoe.replug)
    for antenna in stage.antennas.values():
        found[antenna.name] = (antenna.reader.unplug, antenna.reader.replug)
    return found


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
        each = ", ".join(f"{name} {times}" for name, times in sorted(self.pulled.items()))
        return (
            f"{self.hands} hands, {self.incidents} incidents; devices unplugged {self.pulled.total()} times ({each}); "
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
                check_cards(hand, [card.face for card in croupier.cards], on_record)
                tally.hands, tally.incidents = hand, sum(croupier.felt.clauses.values())
                tally.cards += len(on_record)
                tally.faceless += on_record.count(None)
                tally.pulled = unplugger.pulled
                yield tally
        status = stage.stop_controller()
        if status != 0:
            raise NotAsItWas(f"exit status {status} at the end; the controller said:\n{stage.last_words()}")
        tally.checked = check(stage.journal)
        if not tally.checked.good:
            raise NotAsItWas(tally.checked.text)
        yield tally


def main() -> int:
    """Exit status 0; 1 where a card was lost or doubled, or anything else was wrong; 2 for wrong usage."""
    parser = argparse.ArgumentParser(prog="python -m tablectl.demo.soak", description=__doc__)
    parser.add_argument("--hands", type=int, default=1000, metavar="N", help="how many (default %(default)s)")
    parser.add_argument("--seed", type=int, default=1, metavar="S", help="cards, players, unpluggings")
    parser.add_argument("--rulebook", default="texas-bonus", choices=tuple(RULEBOOKS), help="which game")
    parser.add_argument("--equipment", default="both", choices=[each.value for each in Equipment], help="what reads")
    parser.add_argument("--rfid-shoe", action="store_true", help="the shoe is a reader of tags")
    parser.add_argument("--faults", default="none", choices=[each.value for each in Level], help="what else goes wrong")
    parser.add_argument("--keep", type=Path, metavar="DIR", help="keep journal, keys and log in this new folder")
    args = parser.parse_args()
    if args.hands < 1:
        parser.error(f"--hands {args.hands}: a whole number from 1")
    if args.keep is None:
        with temporary_folder() as folder:
            return _run(args, Path(folder))
    if args.keep.exists():
        parser.error(f"--keep {args.keep}: there is something already; name a new folder")
    args.keep.mkdir(parents=True)
    return _run(args, args.keep.absolute())


def _run(args: argparse.Namespace, folder: Path) -> int:
    level = Level(args.faults)
    scene = Scene(
        rulebook=args.rulebook,
        seed=args.seed,
        shoe_faults=wire_faults(level),
        equipment=Equipment(args.equipment),
        has_rfid_shoe=args.rfid_shoe,
        reading=Reading(),
    )
    tally = Tally()
    try:
        for tally in soak(scene, folder, hands=args.hands, level=level):
            if sys.stderr.isatty():
                sys.stderr.write(f"\r{tally.hands} of {args.hands} hands, {tally.pulled.total()} unpluggings ")
    except (NotAsItWas, Stuck, StageBroken, NoController) as wrong:
        sys.stderr.write(f"\nsoak: after {tally.hands} hands: {wrong}\n")
        return 1
    if sys.stderr.isatty():
        sys.stderr.write("\n")
    print(tally)
    return 0


if __name__ == "__main__":
    sys.exit(main())

"""Eleven antennas at a table that nobody plays at: what they cost; and in a hand: how long one sweep of all takes.

Everything at the wires' own pace (38400 baud) and with the settings as shipped; the whole deck lies on one antenna.
"""

from __future__ import annotations

import time
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from simulators.devices.world import SHOE
from simulators.stage.bench.usage import Share
from simulators.stage.people import CROUPIER
from simulators.stage.stage import Scene, Stage
from tablectl.api.client import ask
from tablectl.core.engine.vocabulary import Equipment, Key

#: Six seats, bank, board, burns, discard rack and stub.
SEATS: Final = 6
#: How long it settles, and how long it is watched, in seconds.
SETTLE_S: Final = 30.0
IDLE_S: Final = 30.0
SWEEP_S: Final = 5.0


@dataclass(frozen=True, kw_only=True, slots=True)
class Cost:
    """Of one core, in percent: between two hands, and in a hand; and the longest time of one sweep, in seconds."""

    antennas: int
    idle_percent: float
    in_hand_percent: float
    sweep_s: float


def measure(folder: Path) -> Cost:
    """Play nobody's table."""
    with Stage(Scene(seats=SEATS, equipment=Equipment.ANTENNAS, pace=1.0), folder) as stage:
        assert len(stage.world.at(SHOE)) == 52, "the deck lies on its antenna"
        time.sleep(SETTLE_S)
        idle = _percent(stage, IDLE_S)
        with_hand = stage.connection()
        with_hand.enter(f"croupier {CROUPIER}")
        with_hand.enter(f"press {Key.NEW_HAND}")
        with_hand.close()
        time.sleep(1.0)
        before = _frames(stage)
        in_hand = _percent(stage, SWEEP_S)
        frames = {name: n - before[name] for name, n in _frames(stage).items()}
        # Each sweep is a reset of the field and an inventory, each answered by one frame; a long list comes in more.
        sweeps = [n / 2 if name != "antenna-stub" else n / 3 for name, n in frames.items()]
        return Cost(
            antennas=len(stage.antennas),
            idle_percent=idle,
            in_hand_percent=in_hand,
            sweep_s=SWEEP_S / min(sweeps),
        )


def _percent(stage: Stage, for_s: float) -> float:
    share = Share(stage.controller.pid)
    time.sleep(for_s)
    return share.percent


def _frames(stage: Stage) -> dict[str, int]:
    """Frames of each reader under the felt, as the controller counted them."""
    report = ask(stage.socket, {"ask": "devices"})
    return {device["name"]: device["frames"] for device in report["devices"] if device["name"].startswith("antenna-")}

"""Readers under the felt of a simulated table: one antenna a spot, and what the configuration says of them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from simulators.devices.feig.simulator import FeigProtocol
from simulators.devices.field import Field
from simulators.devices.reader import ReaderSimulator
from simulators.devices.wire import PtyEnd
from simulators.devices.world import World

#: Of the simulated readers (FEIG, 8E1: eleven bits a byte).
BAUD: Final = 38400
BITS_PER_BYTE: Final = 11
#: How long a sweep takes besides its pause, on a busy machine, in seconds.
SWEEP_S: Final = 0.05
#: The mouth of a shoe that is a reader.
MOUTH: Final = "mouth"
#: Where people hold their badges.
BADGES: Final = "badges"


@dataclass(frozen=True, kw_only=True, slots=True)
class Reading:
    """How readers sweep, in seconds and scans, where a table has to be quicker than as shipped: a croupier takes most
    of a second for a card, a test does not."""

    pause_s: float = 0.03
    in_scans: int = 1
    out_scans: int = 2
    out_s: float = 0.05

    @property
    def misses_s(self) -> float:
        """How long it takes at most until a reader has missed a card that is there no more."""
        return self.out_s + (self.out_scans + 2) * (self.pause_s + SWEEP_S)

    def lines(self) -> Iterator[str]:
        """As settings of a device."""
        yield f"pause_s = {self.pause_s}"
        yield f"in_scans = {self.in_scans}"
        yield f"out_scans = {self.out_scans}"
        yield f"out_s = {self.out_s}"


class Antenna:
    """One reader at one spot. `place` is where its cards are in the world."""

    def __init__(self, spot: str, place: str, world: World, folder: Path, *, pace: float | None) -> None:
        self.name = name_of(spot)
        self.field = Field(world, place)
        end = PtyEnd(link=folder / self.name, baud=BAUD, bits_per_byte=BITS_PER_BYTE, speed_factor=pace)
        self.reader = ReaderSimulator(end, FeigProtocol(self.field))


def name_of(spot: str) -> str:
    """What the reader at a spot is called; its port lies in the table's folder under this name."""
    return f"antenna-{spot}"


def felt_spots(seats: int) -> tuple[str, ...]:
    """Where cards are dealt and put away."""
    return (*(f"seat-{seat}" for seat in range(1, seats + 1)), "house", "board", "burn", "discard")


def device_lines(spot: str, folder: Path, reading: Reading | None) -> Iterator[str]:
    """The reader at a spot, in the configuration."""
    yield "[[device]]"
    yield f'name = "{name_of(spot)}"'
    yield 'driver = "rfid-shoe-feig"' if spot == MOUTH else 'driver = "feig"'
    yield "[device.settings]"
    yield f'port = "{folder / name_of(spot)}"'
    if reading is not None:
        yield from reading.lines()
    if spot not in (MOUTH, BADGES):
        yield "[device.spots]"
        yield f"{spot} = 1"
    yield ""

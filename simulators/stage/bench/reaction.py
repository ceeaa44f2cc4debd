"""From the last byte of a card's frame on the pty to the lamp's bytes out, with the record durable in between; and, in
turn with it, the floor: a pty round trip and one durable append, in a process of its own too."""

from __future__ import annotations

import os
import pty
import queue
import select
import subprocess
import sys
import time
import tty
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from drivers.angel_eye.messages import Code, Report, card_payload, encode_report
from simulators import processes
from simulators.devices.usb_bus import UsbBus
from simulators.devices.xkeys.simulator import LampChange, XKeysSimulator
from simulators.stage.bench.usage import resident_kb
from simulators.stage.people import CROUPIER
from simulators.stage.stage import Scene, config_text
from tablectl.api.client import Connection, NoController, Subscription
from tablectl.core.engine.facts import DeviceBack, Drawn
from tablectl.core.engine.vocabulary import Key
from tablectl.core.events.stream import PublicRecord

#: Sequence numbers of reports, as sources A and B saw them used.
SEQUENCE = "123456789ABCDEF"
FACES = tuple(rank + suit for suit in "shdc" for rank in "A23456789TJQK")
WAIT_S: Final = 60.0
#: No lamp changes any more when none has for so long; and the pause before a card that is measured.
QUIET_S: Final = 0.01
#: The key that lets each round of dealing begin, and the cards of it before the last one.
ROUNDS: Final = ((Key.NO_MORE_BETS, 3), (Key.BET, 3), (Key.CHECK, 1), (Key.CHECK, 1))


class BenchBroken(Exception):
    """What was to be measured did not happen."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Samples:
    """Seconds, one a card: until the first lamp's bytes are out, until the last one's, and the floor beside each."""

    first_lamp_s: list[float]
    all_lamps_s: list[float]
    floor_s: list[float]
    resident_kb: int


class Table:
    """A controller process with one seat and a croupier; the shoe is a pty that we write to, and a reader follows, as
    screens do."""

    def __init__(
        self, folder: Path, uplink: tuple[str, ...] = (), *, python: str = sys.executable, quiet_s: float = QUIET_S
    ) -> None:
        """`uplink`: lines of that section. `python` runs the controller."""
        self._quiet_s = quiet_s
        self._master, self._slave = pty.openpty()
        tty.setraw(self._slave)
        (folder / "sabot").symlink_to(os.ttyname(self._slave))
        self._lamps: queue.SimpleQueue[LampChange] = queue.SimpleQueue()
        self._panel = XKeysSimulator(on_lamp=self._lamps.put)
        self._bus = UsbBus(folder / "usb.sock")
        self._bus.plug(self._panel)
        self._n_reports = 0
        self._dealt = 0
        self._is_seated = False
        self._scene = Scene(seats=1, tracking="presence", uplink=uplink)
        self.config = folder / "table.toml"
        self.config.write_text(config_text(self._scene, folder), encoding="utf-8")
        self.process = start(folder, python)
        try:
            self._begin(folder)
        except BaseException:  # nobody closes a table that was never made
            self.process.kill()
            self.process.wait()
            raise

    def _begin(self, folder: Path) -> None:
        self._reader = listening(folder, self.process)
        self._await(lambda record: isinstance(record.event, DeviceBack) and record.event.role == "panel")
        self._connection = Connection(folder / "table.sock")
        self.enter(f"croupier {CROUPIER}")
        self._until_quiet()

    def enter(self, line: str) -> None:
        """What a person enters, in the words of a hand file. Raises `BenchBroken` where the table does not take it."""
        reply = self._connection.enter(line)
        if not reply.get("ok") or reply.get("refused"):
            raise BenchBroken(f"{line}: {reply}")

    def press(self, key: Key) -> int:
        """Tap a key and wait until the table has taken it; the number of its record."""
        self._panel.tap(self._scene.panel[key])
        seq = self._await(lambda record: record.entry == key).seq
        self._until_quiet()
        return seq

    def card(self) -> float:
        """Write one report whole; the moment just before."""
        face = FACES[self._dealt]
        self._dealt += 1
        sequence = SEQUENCE[self._n_reports % len(SEQUENCE)]
        self._n_reports += 1
        payload = card_payload(face, target=0, index=1)
        frame = encode_report(Report(seq=ord(sequence), code=Code.CARD_IN_GAME, payload=payload))
        at_s = time.perf_counter()
        os.write(self._master, frame)
        return at_s

    def cards(self, count: int) -> None:
        """So many cards that nobody measures."""
        for _ in range(count):
            self.card()
            self._await(lambda record: isinstance(record.event, Drawn))
        self._until_quiet()

    def measured_card(self) -> tuple[float, float]:
        """Seconds until the bytes of the first and of the last lamp are out that this card changes."""
        at_s = self.card()
        first = self._lamps.get(timeout=WAIT_S)
        last = self._until_quiet() or first
        self._await(lambda record: isinstance(record.event, Drawn))
        return first.at_s - at_s, last.at_s - at_s

    def hand(self) -> Iterator[tuple[float, float]]:
        """A hand of one player with four measured cards: those that end a round of dealing and light other keys."""
        self.begin_hand()
        for key, before in ROUNDS:
            self.press(key)
            self.cards(before)
            yield self.measured_card()
        self.end_hand()

    def begin_hand(self) -> None:
        """Until the rounds of dealing."""
        self.press(Key.NEW_HAND)
        if not self._is_seated:
            self.press(Key.SEAT_1)
            self._is_seated = True

    def end_hand(self) -> None:
        """After the rounds of dealing."""
        self.press(Key.BANK)
        self.press(Key.CONFIRM)
        self._dealt = 0  # all cards are back in the shoe

    def close(self) -> None:
        """End everything."""
        self._connection.close()
        self._reader.close()
        self.process.terminate()
        self.process.wait()
        self._bus.close()
        os.close(self._slave)
        os.close(self._master)

    def _await(self, wanted: Callable[[PublicRecord], bool]) -> PublicRecord:
        while (record := self._reader.record(WAIT_S)) is not None:
            if wanted(record):
                return record
        raise BenchBroken("the record that was waited for did not come")

    def _until_quiet(self) -> LampChange | None:
        """The last lamp that changed before none did for a while."""
        last = None
        try:
            while True:
                last = self._lamps.get(timeout=self._quiet_s)
        except queue.Empty:
            return last


class _Floor:
    def __init__(self, folder: Path, python: str) -> None:
        self._master, slave = pty.openpty()
        tty.setraw(slave)
        self._process = processes.start(
            [python, "-P", "-m", "simulators.stage.bench.floor", os.ttyname(slave), str(folder / "floor.db")]
        )
        self._answer()
        os.close(slave)

    def once(self) -> float:
        """One round trip with an append, in seconds."""
        at_s = time.perf_counter()
        os.write(self._master, b"\x05" + b"1DDD" + b"\x0334")
        self._answer()
        return time.perf_counter() - at_s

    def _answer(self) -> None:
        if not select.select([self._master], [], [], WAIT_S)[0]:
            raise BenchBroken("no answer from the floor")
        os.read(self._master, 16)

    def close(self) -> None:
        self._process.terminate()
        self._process.wait()
        os.close(self._master)


def start(folder: Path, python: str) -> subprocess.Popen[bytes]:
    """A controller process."""
    with (folder / "log").open("ab") as log:
        return processes.start(
            [python, "-P", "-m", "tablectl", "run", str(folder / "table.toml")], stdout=log, stderr=log
        )


def listening(folder: Path, process: subprocess.Popen[bytes]) -> Subscription:
    """A reader, as soon as the controller listens."""
    until_s = time.monotonic() + WAIT_S
    while process.poll() is None and time.monotonic() < until_s:
        try:
            return Subscription(folder / "table.sock", after=0)
        except NoController:
            select.select([], [], [], 0.001)
    raise BenchBroken((folder / "log").read_text(encoding="utf-8"))


def measure(folder: Path, hands: int, python: str, *, pause_s: float) -> Samples:
    """Play so many hands, with so long a pause before each card that is measured."""
    table, floor = Table(folder, python=python, quiet_s=pause_s), _Floor(folder, python)
    first: list[float] = []
    last: list[float] = []
    floors: list[float] = []
    try:
        for _ in range(hands):
            for until_first, until_last in table.hand():
                first.append(until_first)
                last.append(until_last)
                floors.append(floor.once())
        taken_kb = resident_kb(table.process.pid)
    finally:
        table.close()
        floor.close()
    return Samples(first_lamp_s=first, all_lamps_s=last, floor_s=floors, resident_kb=taken_kb)


def ready_s(folder: Path, python: str) -> float:
    """Seconds from starting a controller to its answer on the control socket."""
    (folder / "table.toml").write_text(config_text(Scene(seats=1), folder), encoding="utf-8")
    began_s = time.perf_counter()
    process = start(folder, python)
    reader = listening(folder, process)
    took_s = time.perf_counter() - began_s
    reader.close()
    process.terminate()
    process.wait()
    return took_s

"""A whole table in one process: simulated devices, their wires, and the real controller in a thread."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final

from drivers.patlite.messages import LightState
from simulators.devices.angel_eye.simulator import AngelEyeSimulator
from simulators.devices.faults import NO_FAULTS, FaultPlan
from simulators.devices.patlite.simulator import PatliteSimulator
from simulators.devices.usb_bus import UsbBus
from simulators.devices.wire import PtyEnd
from simulators.devices.world import World
from simulators.devices.xkeys.simulator import LampChange, XKeysSimulator
from simulators.stage.stage import SHOE_BAUD, Scene, config_text, newest_record, temporary_folder
from tablectl.api.client import Connection, NoController, Subscription
from tablectl.config.table_file import load
from tablectl.core.engine import facts as f
from tablectl.core.engine.rulebook import Rulebook
from tablectl.core.engine.vocabulary import Key
from tablectl.games.registry import rulebook_of
from tablectl.journal.clock import TableClock
from tablectl.journal.copy import last_of
from tablectl.journal.tilt import Mark, find
from tablectl.ops.software.identity import identity
from tablectl.table.clear_tilt import clear
from tablectl.table.controller.controller import Controller
from tablectl.table.integrity_supervisor import Rounds
from tablectl.table.synchronised import Synchronised
from tests.journal.journals import keep_keys, written
from tests.waiting import until

#: Longer than anything takes that comes at all, in seconds.
LONG_S: Final = 20.0
#: How long to look for something that must not come, in seconds.
SHORT_S: Final = 0.3

#: The integrity check begins when a test is over: it would be a process more for each table. Whoever wants it says so.
LATER: Final = Rounds(first_s=3600.0)

Record = dict[str, Any]
NOTHING: Final[Mapping[str, object]] = {}

#: Who looks after the table in these tests clears it so.
BY, REASON = "ana", "the cause is gone"


class KeptLog:
    """A log that can be read afterwards."""

    def __init__(self) -> None:
        self.said: list[tuple[str, dict[str, object]]] = []

    def info(self, event: str, **fields: object) -> None:
        self.said.append((event, fields))

    def warning(self, event: str, **fields: object) -> None:
        self.said.append((event, fields))

    def error(self, event: str, **fields: object) -> None:
        self.said.append((event, fields))

    def events(self, event: str) -> list[dict[str, object]]:
        return [fields for said, fields in self.said if said == event]


def always_synchronised() -> Synchronised:
    """A machine whose clock a time server has set."""
    return Synchronised.YES


def taken(reply: Record) -> Record:
    """The answer to an entry that has to be taken."""
    assert reply["ok"], reply
    assert reply["refused"] is None, reply
    return reply


class Desk:
    """Made by `desk`."""

    def __init__(self, folder: Path, scene: Scene, faults: FaultPlan) -> None:
        self.folder = folder
        self.journal = folder / "table.db"
        self.socket = folder / "table.sock"
        self.config = folder / "table.toml"
        self.scene = scene
        self.config.write_text(config_text(scene, folder), encoding="utf-8")
        self.world = World()
        end = PtyEnd(link=folder / "sabot", baud=SHOE_BAUD, speed_factor=None)
        self.shoe = AngelEyeSimulator(end, self.world, faults=faults)
        self._changed = threading.Condition()
        #: at each change of a lamp or the light: how many records were on the disk by then; -1 where nobody counts them
        self.effects: list[tuple[str, int]] = []
        #: whether they are counted, for which the journal is opened each time
        self.is_counting = False
        self.panel = XKeysSimulator(on_lamp=self._lamp)
        self.light = PatliteSimulator(on_change=self._light)
        self.bus = UsbBus(folder / "usb.sock")
        self.log = KeptLog()
        #: the program that a controller is told it is; empty: that which is there
        self.program = ""
        self._controller: Controller | None = None
        self._thread: threading.Thread | None = None
        self._status: int | None = None

    def configure(self, journal: str) -> None:
        """Lines of the section `journal`, for the next start."""
        text = self.config.read_text(encoding="utf-8").partition("[journal]")[0]
        self.config.write_text(f"{text}[journal]\n{journal}\n", encoding="utf-8")
        self.journal = load(self.config).journal

    def played_before(self, lines: str) -> None:
        """A journal with these facts in it, before the first start."""
        written(self.journal, lines)
        keep_keys(self.folder)

    # -- the controller ----------------------------------------------------------------------------------------------

    def start(
        self,
        rulebooks: Callable[[f.Setup], Rulebook] = rulebook_of,
        *,
        clock: TableClock | None = None,
        rounds: Rounds = LATER,
        synchronised: Callable[[], Synchronised] = always_synchronised,
    ) -> None:
        """Until it listens and has found all devices."""
        after, is_first = self.newest, self._controller is None
        self.begin(rulebooks, clock, rounds, synchronised)
        assert self._ready.wait(LONG_S)
        assert self._status is None, self.log.said
        wanted = {"shoe", "panel", "light"}
        if is_first:
            # A shoe that was just switched on says so; in the middle of a deal it would be a shoe that restarted.
            wanted |= {"started", "stand-by"}
        with self.reader(after) as records:
            while wanted:
                record = records.next(LONG_S)
                assert record is not None, f"no sign of {wanted}"
                if record["fact"]["kind"] == "device-back":
                    wanted.discard(record["fact"]["role"])
                elif record["fact"]["kind"] == "device-said":
                    wanted.discard(record["fact"]["what"])

    def does_not_start(self, rulebooks: Callable[[f.Setup], Rulebook] = rulebook_of) -> int | None:
        """The exit status of a start that ends by itself."""
        self.begin(rulebooks)
        return self.ended()

    def begin(
        self,
        rulebooks: Callable[[f.Setup], Rulebook] = rulebook_of,
        clock: TableClock | None = None,
        rounds: Rounds = LATER,
        synchronised: Callable[[], Synchronised] = always_synchronised,
    ) -> None:
        """A start, from now on; it may never be ready."""
        ready = self._ready = threading.Event()
        config = load(self.config)
        self._controller = Controller(
            config,
            self.log,
            rulebooks=rulebooks,
            on_ready=ready.set,
            clock=clock,
            rounds=rounds,
            software=lambda: self.program or identity(config).hash,
            synchronised=synchronised,
        )
        self._thread = threading.Thread(target=self._run, args=(self._controller, ready), name="controller")
        self._thread.start()

    def is_ready(self) -> bool:
        """Whether the controller that was begun deals now; waits until that is clear."""
        return self._ready.wait(LONG_S) and self._status is None

    def _run(self, controller: Controller, ready: threading.Event) -> None:
        self._status = None
        self._status = controller.run()
        ready.set()

    def stop(self) -> int | None:
        """In order; the exit status."""
        if self._controller is not None:
            self._controller.stop("the test is over")
        return self.ended()

    def ended(self) -> int | None:
        """The exit status, when it has ended by itself."""
        if self._thread is not None:
            self._thread.join(LONG_S)
            assert not self._thread.is_alive(), "the controller does not end"
        return self._status

    def begin_anew(self) -> None:
        """Another journal under the same key, as somebody would make it who has the table's files."""
        self.stop()
        for path in [*self.folder.glob("table.db*"), *self.folder.glob("table.copy*")]:
            path.unlink()
        self.world.replace()
        self.start()

    # -- people ------------------------------------------------------------------------------------------------------

    def reader(self, after: int) -> Subscription:
        return Subscription(self.socket, after=after)

    def enter(self, text: str) -> Record:
        connection = Connection(self.socket)
        try:
            return connection.enter(text)
        finally:
            connection.close()

    def press(self, key: Key) -> None:
        self.panel.tap(self.scene.panel[key])

    def deal(self, *faces: str) -> None:
        """These cards out of the shoe; back when each of them is on record."""
        for face in faces:
            after = self.newest
            self.world.stack([face])
            self.shoe.draw()
            self.await_record("drawn", after)

    def open_hand(self) -> None:
        """Two seats, bets made, the deal begins."""
        for line in ("press new-hand", "bet 1 ante 1000", "bet 2 ante 1000", "press no-more-bets"):
            taken(self.enter(line))

    def play_on(self) -> None:
        """Do what the croupier is told until the hand is over; every seat goes on, with what is on top of the shoe."""
        with self.reader(self.newest - 1) as records, Connection(self.socket) as voice:
            record = self._next(records)
            while (prompt := record["prompt"])["instruction"] != "new-hand":
                if prompt["instruction"] == "deal":
                    self.shoe.draw()
                    record = self._next(records, {"kind": "drawn"})
                else:
                    seq = taken(voice.enter(self._answer_to(prompt)))["seq"]
                    record = self._next(records, seq=seq)

    def _answer_to(self, prompt: Record) -> str:
        """What is entered where something other than a card is asked for."""
        match prompt["instruction"]:
            case "ask-seat":
                return "press bet" if "fold" in prompt["keys"] else "press check"
            case "reveal-bank":
                return "press bank"
            case "answer" | "settle" | "collect":
                return "press confirm"
            case "wait-pit-boss":
                raised = [decision for record in self.records() for decision in record["decisions"]]
                of_it = next(decision for decision in raised if decision.get("incident") == prompt["incident"])
                return f"rule {prompt['incident']} {of_it['remedies'][0]} by {BY} so it is"
            case other:
                raise AssertionError(f"nobody said what to do about {other}")

    # -- tilt --------------------------------------------------------------------------------------------------------

    @property
    def marks(self) -> tuple[Path, ...]:
        return load(self.config).marks

    @property
    def mark(self) -> Mark | None:
        return find(self.marks)

    def clear(self) -> str:
        return clear(load(self.config), by=BY, reason=REASON)

    def is_deaf(self) -> bool:
        """Nobody listens at the socket any more."""
        try:
            self.reader(0).close()
        except NoController:
            return True
        return False

    def until_copied(self) -> None:
        """The second copy has everything."""
        until(lambda: (last := last_of(load(self.config).copy)) is not None and last.seq >= self.newest)

    # -- records -----------------------------------------------------------------------------------------------------

    @property
    def newest(self) -> int:
        return newest_record(self.journal)

    def records(self, after: int = 0) -> list[Record]:
        """Those that are on the disk now."""
        newest, found = self.newest, []
        with self.reader(after) as reader:
            while after < newest:
                record = reader.next(LONG_S)
                assert record is not None
                found.append(record)
                after = record["seq"]
        return found

    def await_record(self, kind: str, after: int, **said: object) -> Record:
        """The first one of this kind after a position, whose fact says this: devices come one after the other."""
        with self.reader(after) as reader:
            return self._next(reader, {"kind": kind, **said})

    def _next(self, records: Subscription, said: Mapping[str, object] = NOTHING, seq: int = 0) -> Record:
        """The next record from this number on, whose fact says this."""
        while (record := records.next(LONG_S)) is not None:
            if record["seq"] >= seq and said.items() <= record["fact"].items():
                return record
        raise AssertionError(f"no record of {said} from {seq} on: {self.log.said}")

    def nothing_more(self, after: int) -> list[Record]:
        """What is recorded after a position within a moment: nothing, it is hoped."""
        found = []
        with self.reader(after) as reader:
            while (record := reader.next(SHORT_S)) is not None:
                found.append(record)
        return found

    # -- what can be seen --------------------------------------------------------------------------------------------

    def until(self, seen: Callable[[], bool], what: str) -> None:
        """Wait for lamps or the light."""
        with self._changed:
            assert self._changed.wait_for(seen, LONG_S), what

    def _lamp(self, change: LampChange) -> None:
        self._note(f"lamp {change.key} {change.lamp.name}")

    def _light(self, change: LightState) -> None:
        self._note("light")

    def _note(self, what: str) -> None:
        n_records = self.newest if self.is_counting else -1
        with self._changed:
            self.effects.append((what, n_records))
            self._changed.notify_all()


@contextmanager
def desk(*, scene: Scene | None = None, faults: FaultPlan = NO_FAULTS, journal: str = "") -> Iterator[Desk]:
    """A table with its devices; the controller is started by the test. `journal`: lines of that section."""
    with temporary_folder() as folder:
        made = Desk(Path(folder), scene if scene is not None else Scene(staff=False), faults)
        made.configure(journal)
        made.shoe.start()
        made.bus.plug(made.panel)
        made.bus.plug(made.light)
        try:
            yield made
        finally:
            made.stop()
            made.shoe.close()
            made.bus.close()

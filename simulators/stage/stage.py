"""A whole table on one machine: simulated devices here, the real controller as a process of its own.

The controller that runs here is `tablectl run` with a configuration file; it cannot know that its shoe is a pty and
that its USB bus is a socket.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from types import TracebackType
from typing import Final, Self

from simulators import processes
from simulators.devices.angel_eye.simulator import AngelEyeSimulator
from simulators.devices.faults import NO_FAULTS, FaultPlan
from simulators.devices.patlite.simulator import PatliteSimulator
from simulators.devices.reader import ReaderSimulator
from simulators.devices.usb_bus import UsbBus
from simulators.devices.wire import PtyEnd
from simulators.devices.world import AWAY, SHOE, PhysicalCard, World, iso15693_tag
from simulators.devices.xkeys.simulator import XKeysSimulator
from simulators.stage.games import FIRST, Band, table_of
from simulators.stage.readers import BADGES, MOUTH, Antenna, Reading, device_lines, felt_spots, name_of
from tablectl.api.client import Connection, NoController, Subscription
from tablectl.api.stage import StageBroken
from tablectl.config.sections import REPEAT_MS
from tablectl.config.spots import STUB
from tablectl.core.cards import card
from tablectl.core.engine.equipment import STARTED
from tablectl.core.engine.facts import DeviceBack, DeviceSaid
from tablectl.core.engine.vocabulary import Equipment, Key, Tracking
from tablectl.core.settlement.pot_rules import Rake
from tablectl.games.registry import CIRCLE_GAMES
from tablectl.i18n.languages import LANGUAGES, NO_SECOND
from tablectl.journal.clock import now_us
from tablectl.journal.deck_register import Register
from tablectl.journal.keys import load_sealing, make_keys
from tablectl.journal.store import Store

SHOE_BAUD: Final = 4800
START_S: Final = 20.0
#: What a shoe says last when it was switched on; how long that is waited for, in seconds, once all devices are there.
STAND_BY: Final = "stand-by"
BANNER_S: Final = 3.0
STOP_S: Final = 10.0


@dataclass(frozen=True, kw_only=True, slots=True)
class Scene:
    """What is to be simulated. `pace` multiplies the wires' speed; None is as fast as the machine goes."""

    rulebook: str = FIRST
    table: str = "Mesa 1"
    seats: int = 7
    tracking: str = "amounts"
    #: where none are given, those of the game
    limits: Mapping[str, Band] = field(default_factory=dict)
    profile: Mapping[str, str] = field(default_factory=dict)
    #: what the table takes out of a pot, where the profile says so
    fee: Rake | None = None
    #: the smallest chip in play, of a circle game
    chip: int = 1
    #: the house's chips, by which the tray is counted; none: a total is entered
    denominations: tuple[int, ...] = ()
    #: what everybody begins with, where it is another resto than that of the game
    agreed_resto: int | None = None
    seed: int = 0
    pace: float | None = None
    shoe_faults: FaultPlan = NO_FAULTS
    #: what reads the cards, and whether the shoe is a reader of tags
    equipment: Equipment = Equipment.SHOE
    has_rfid_shoe: bool = False
    #: whether people can hold a badge to a reader
    has_badges: bool = False
    #: how readers sweep; None: as shipped
    reading: Reading | None = None
    #: whether no hand begins before a croupier has signed on
    staff: bool = True
    #: lines of the section `uplink`; none: no pit server
    uplink: tuple[str, ...] = ()

    @property
    def resto(self) -> int:
        """What everybody begins with, where the game has that and amounts are entered."""
        if self.tracking != Tracking.AMOUNTS:
            return 0
        return table_of(self.rulebook).resto if self.agreed_resto is None else self.agreed_resto

    @property
    def panel(self) -> Mapping[Key, int]:
        """Which key of the panel means what: column by column, as an XK-24 numbers them."""
        return {key: number for number, key in enumerate(table_of(self.rulebook).panel)}

    @property
    def bands(self) -> Mapping[str, Band]:
        """Limits of each bet."""
        return self.limits or table_of(self.rulebook).limits

    @property
    def repeat_ms(self) -> int:
        """How long the same key is no other press: it goes with the pace, and without one every press is meant."""
        return 0 if self.pace is None else round(REPEAT_MS / self.pace)

    @property
    def has_shoe(self) -> bool:
        """Whether the cards come out of a shoe that says them."""
        return self.equipment is not Equipment.ANTENNAS and not self.has_rfid_shoe

    @property
    def antennas(self) -> dict[str, str]:
        """Where there are antennas, and what each one sees."""
        looks_at_the_felt = self.equipment is not Equipment.SHOE
        mouth = {MOUTH: MOUTH} if self.has_rfid_shoe else {}
        stub = {} if self.equipment is not Equipment.ANTENNAS else {STUB: SHOE}
        felt = {spot: spot for spot in felt_spots(self.seats)} if looks_at_the_felt else {}
        return {**felt, **stub, **mouth, **({BADGES: BADGES} if self.has_badges else {})}


class Stage:
    """Devices, wires and the controller, from entering to leaving the `with` block."""

    def __init__(self, scene: Scene, folder: Path, *, world: World | None = None) -> None:
        self.scene = scene
        self.folder = folder
        self.config = folder / "table.toml"
        self.journal = folder / "table.db"
        self.copy = folder / "table.copy"
        self.socket = folder / "table.sock"
        self.log = folder / "controller.log"
        self.world = World(tag_of=iso15693_tag) if world is None else world
        #: what people hold to the reader of badges: no card
        self.badges = World([])
        #: what is done when cards went back into the deck
        self.on_back: Callable[[Iterable[PhysicalCard]], object] = lambda _: None
        self._next_deck = self.world.pack()
        self.shoe = AngelEyeSimulator(
            PtyEnd(link=folder / "sabot", baud=SHOE_BAUD, speed_factor=scene.pace),
            self.world,
            faults=scene.shoe_faults,
            seed=scene.seed,
        )
        self.panel = XKeysSimulator()
        self.light = PatliteSimulator()
        self.bus = UsbBus(folder / "usb.sock", speed_factor=scene.pace)
        self.antennas = {
            spot: Antenna(spot, place, self.badges if spot == BADGES else self.world, folder, pace=scene.pace)
            for spot, place in scene.antennas.items()
        }
        self._n_decks = 0
        self._is_switched_on = False
        self._controller: subprocess.Popen[bytes] | None = None

    def __enter__(self) -> Self:
        self.configure(self.scene)
        make_keys(self.folder / "table.key", self.folder / "table.sign", demo=True)
        self.enrol(self.world.cards())
        self.enrol(self._next_deck)
        if self.scene.has_shoe:
            self.shoe.start()
        for antenna in self.antennas.values():
            antenna.reader.start()
        self.bus.plug(self.panel)
        self.bus.plug(self.light)
        try:
            self.start_controller()
        except BaseException:
            self.__exit__(None, None, None)  # nobody leaves a stage that was never entered
            raise
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.stop_controller()
        self.shoe.close()
        for antenna in self.antennas.values():
            antenna.reader.close()
        self.bus.close()

    def configure(self, scene: Scene) -> None:
        """Another configuration file, for the controller's next start: the same devices, the same journal."""
        self.scene = scene
        # Nobody who tries a table waits for a time server.
        text = f"{config_text(scene, self.folder)}\n[clock]\nwait_s = 0\n"
        self.config.write_text(text, encoding="utf-8")

    # -- devices -----------------------------------------------------------------------------------------------------

    @property
    def has_shoe(self) -> bool:
        """Whether cards come out of a shoe that can be unplugged."""
        return self.scene.has_shoe or MOUTH in self.antennas

    def unplug_shoe(self) -> None:
        """Pull its wire."""
        (self.shoe if self.scene.has_shoe else self.antennas[MOUTH].reader).unplug()

    def replug_shoe(self) -> None:
        """Plug it in again."""
        (self.shoe if self.scene.has_shoe else self.antennas[MOUTH].reader).replug()

    @property
    def felt_readers(self) -> tuple[ReaderSimulator, ...]:
        """The readers under the felt."""
        return tuple(antenna.reader for spot, antenna in self.antennas.items() if spot not in (MOUTH, BADGES))

    @property
    def cables(self) -> dict[str, tuple[Callable[[], object], Callable[[], object]]]:
        """Every device that has a cable: how it is pulled, and plugged in again."""
        found: dict[str, tuple[Callable[[], object], Callable[[], object]]] = {
            "panel": (lambda: self.bus.unplug(self.panel), lambda: self.bus.plug(self.panel)),
            "light": (lambda: self.bus.unplug(self.light), lambda: self.bus.plug(self.light)),
        }
        if self.scene.has_shoe:
            found["sabot"] = (self.shoe.unplug, self.shoe.replug)
        for antenna in self.antennas.values():
            found[antenna.name] = (antenna.reader.unplug, antenna.reader.replug)
        return found

    # -- cards -------------------------------------------------------------------------------------------------------

    def enrol(self, cards: tuple[PhysicalCard, ...]) -> None:
        """A deck goes into the register, where readers have to know its cards."""
        if not self.antennas:
            return
        self._n_decks += 1
        tags = {physical_card.tag: card(physical_card.face) for physical_card in cards}
        vault, _ = load_sealing(self.folder / "table.key")
        with Register(self.folder / "decks.db", vault) as register:
            register.enrol(f"deck {self._n_decks}", tags, by="demo", reason="", at_us=now_us())

    def show_badge(self, tag: str) -> None:
        """Somebody holds a badge to the reader of badges; `take_badge` takes it away again."""
        badge = next((physical_card for physical_card in self.badges.cards() if physical_card.tag == tag), None)
        self.badges.put(badge or self.badges.bring("", AWAY, tag=tag), BADGES)

    def take_badge(self) -> None:
        """Nothing is at the reader of badges any more."""
        for badge in self.badges.at(BADGES):
            self.badges.put(badge, AWAY)

    def new_deck(self) -> None:
        """Another deck, registered long ago, in place of the one that was withdrawn; and one for the next time."""
        self.world.replace(self._next_deck)
        self._next_deck = self.world.pack()
        self.enrol(self._next_deck)

    # -- the controller ----------------------------------------------------------------------------------------------

    def start_controller(self) -> None:
        """Start it and wait until it listens and has found all three devices. Raises `StageBroken`."""
        with self.log.open("ab") as log:
            self._controller = processes.start(
                [sys.executable, "-P", "-m", "tablectl", "run", str(self.config)],
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                env={**os.environ, "PYTHONUNBUFFERED": "1"},
                start_new_session=True,  # Ctrl-C is for the demo, which then ends its parts in order
            )
        self._await_devices()

    def stop_controller(self) -> int | None:
        """End it in order; its exit status."""
        return self._end(signal.SIGTERM)

    def kill_controller(self) -> int | None:
        """As a power cut would; its exit status, None where it was ended already."""
        return self._end(signal.SIGKILL)

    @property
    def controller(self) -> subprocess.Popen[bytes]:
        """The running process."""
        assert self._controller is not None, "start_controller first"
        return self._controller

    def reader(self, *, after: int = 0) -> Subscription:
        """A reader of the public records. Raises `StageBroken`."""
        try:
            return Subscription(self.socket, after=after)
        except NoController:
            raise self.ended() from None

    def connection(self) -> Connection:
        """Somebody at a screen."""
        return Connection(self.socket)

    def ended(self) -> StageBroken:
        """What is raised where the controller answers no more: it says by what it ended."""
        return StageBroken(f"the controller ended, and its log ends with\n{self.last_words()}")

    def last_words(self) -> str:
        """The end of the controller's log."""
        return "\n".join(self.log.read_text(encoding="utf-8", errors="replace").splitlines()[-5:])

    @property
    def newest(self) -> int:
        """The position of the newest record."""
        return newest_record(self.journal)

    @property
    def panel_is_plugged(self) -> bool:
        """Whether the panel's cable is in."""
        return self.panel.is_plugged

    def press(self, key: Key) -> None:
        """Down and up again, on the panel."""
        self.panel.tap(self.scene.panel[key])

    def _end(self, how: signal.Signals) -> int | None:
        process, self._controller = self._controller, None
        if process is None:
            return None
        if process.poll() is None:
            process.send_signal(how)
        try:
            return process.wait(STOP_S)
        except subprocess.TimeoutExpired:
            process.kill()
            return process.wait()

    def _await_devices(self) -> None:
        wanted = {"panel", "light", *(["sabot"] if self.scene.has_shoe else [])}
        wanted |= {antenna.name for antenna in self.antennas.values()}
        # A shoe that was just switched on says so; in the middle of a deal it would be a shoe that restarted.
        banner = {STARTED, STAND_BY} if self.scene.has_shoe and not self._is_switched_on else set()
        self._is_switched_on |= self.scene.has_shoe
        with self._listening() as records:
            while wanted or banner:
                record = records.record(START_S if wanted else BANNER_S)
                if record is None and wanted:
                    raise StageBroken(f"no sign of {', '.join(sorted(wanted))}:\n{self.last_words()}")
                if record is None:
                    break  # a bad line may have lost it
                if isinstance(record.event, DeviceBack):
                    wanted.discard(record.event.device)
                elif isinstance(record.event, DeviceSaid):
                    banner.discard(record.event.what)

    def _listening(self) -> Subscription:
        """Poll until the socket is there: the process announces itself to nobody else."""
        assert self._controller is not None
        after = self.newest
        for _ in range(int(START_S / 0.02)):
            try:
                return Subscription(self.socket, after=after)
            except NoController:
                pass
            try:
                self._controller.wait(0.02)
            except subprocess.TimeoutExpired:
                continue
            raise StageBroken(f"the controller ended with {self._controller.returncode}:\n{self.last_words()}")
        raise StageBroken(f"the controller does not listen:\n{self.last_words()}")


def newest_record(journal: Path) -> int:
    """The position of the newest record of a journal that may not be there yet."""
    if not journal.exists():
        return 0
    store = Store.read(journal)
    try:
        return store.newest
    finally:
        store.close()


def temporary_folder() -> tempfile.TemporaryDirectory[str]:
    """A folder whose path is short enough for Unix sockets, gone at the end."""
    return tempfile.TemporaryDirectory(prefix="tablectl-")


def config_text(scene: Scene, folder: Path) -> str:
    """The scene as a configuration file."""
    lines = [
        "[table]",
        f"languages = [{', '.join(map(repr, LANGUAGES))}]",
        f'second_language = "{NO_SECOND}"',
        f'name = "{scene.table}"',
        f'rulebook = "{scene.rulebook}"',
        f"seats = {scene.seats}",
        f'tracking = "{scene.tracking}"',
        f'equipment = "{scene.equipment}"',
        *([f"chip = {scene.chip}"] if scene.rulebook in CIRCLE_GAMES else []),
        *([f"resto = {scene.resto}"] if scene.resto else []),
        "",
    ]
    for bet, band in scene.bands.items():
        lines += [
            f"[limits.{bet}]",
            f"least = {band.least}",
            f"most = {band.most}",
            f"authorised = [{band.authorised[0]}, {band.authorised[1]}]",
            "",
        ]
    badges = [f'badges = "{name_of(BADGES)}"'] if scene.has_badges else []
    if scene.denominations:
        lines += ["[float]", f"denominations = {list(scene.denominations)}", ""]
    lines += ["[people]", f"required = {str(scene.staff).lower()}", *badges, ""]
    lines += ["[control]", f"repeat_ms = {scene.repeat_ms}", ""]
    lines += ["[profile]", *(f'{key} = "{value}"' for key, value in scene.profile.items()), ""]
    if scene.fee is not None:
        fee = scene.fee
        lines += ["[fee]", f"rate = {fee.rate}", f"cap = {fee.cap}", f'from = "{fee.taken_from}"', ""]
    lines += ["[usb]", f'bus = "unix:{folder}/usb.sock"', ""]
    lines += ["[[device]]", 'name = "panel"', 'driver = "xkeys-xk24"', "[device.keys]"]
    lines += [f"{key.value} = {number}" for key, number in scene.panel.items()]
    lines += ["", "[[device]]", 'name = "light"', 'driver = "patlite-lr6"', ""]
    if scene.has_shoe:
        lines += ["[[device]]", 'name = "sabot"', 'driver = "angel-eye"']
        lines += ["[device.settings]", f'port = "{folder}/sabot"', ""]
    for spot in scene.antennas:
        lines += device_lines(spot, folder, scene.reading)
    if scene.uplink:
        lines += ["[uplink]", *scene.uplink, ""]
    return "\n".join(lines)

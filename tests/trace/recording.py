"""How the traces in `tests/traces` that came from simulators were made: `python -m tests.trace.recording FOLDER`.

Each scenario is a simulated device on a real pty (or on the simulated USB bus), the driver's own port, and the recorder
of a table between them; what it sealed is then exported as `tablectl trace export` does.
"""

from __future__ import annotations

import re
import sys
import tempfile
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any, Final

from drivers.angel_eye.driver import AngelEye
from drivers.facts import CardOut, DeviceFact, Found, KeyDown, KeyUp, Lost, ShoeNote, TagIn, TagOut
from drivers.port import Port
from drivers.protocol import DeviceProtocol
from drivers.registry import DRIVERS
from drivers.streamdeck.products import PEDAL
from drivers.transport.backend import usb_backend
from simulators.devices.angel_eye.simulator import AngelEyeSimulator
from simulators.devices.faults import Fault, FaultKind, FaultPlan, TagFault, TagFaultKind
from simulators.devices.feig.simulator import FeigProtocol
from simulators.devices.field import Field
from simulators.devices.modbus_panel.simulator import ModbusPanelSimulator
from simulators.devices.pepper.simulator import PepperProtocol
from simulators.devices.pn532.simulator import ChipProtocol
from simulators.devices.reader import ReaderProtocol, ReaderSimulator
from simulators.devices.streamdeck.simulator import StreamDeckSimulator
from simulators.devices.tag_faults import fields_of
from simulators.devices.usb_bus import UsbBus, VirtualDevice
from simulators.devices.wire import PtyEnd
from simulators.devices.world import AWAY, World, iso15693_tag, type_a_tag
from simulators.devices.xkeys.simulator import XKeysSimulator
from tablectl.config.devices import Device
from tablectl.config.trace import TraceSettings
from tablectl.core.engine.outputs import Outputs, Signal
from tablectl.core.engine.vocabulary import Key
from tablectl.journal.keys import load_sealing, make_keys
from tablectl.ops.trace.entry import Entry, Kind
from tablectl.ops.trace.facts import fact_line
from tablectl.ops.trace.file import Fault as Damage
from tablectl.ops.trace.file import TraceFile
from tablectl.ops.trace.recorder import TraceRecorder
from tablectl.ops.trace.text import written
from tablectl.table.devices.trace_replay import replay
from tests.desk import KeptLog

SOON_S: Final = 20.0
FELT: Final = "felt"


class Bench:
    """One device, its port and its recorder."""

    def __init__(self, folder: Path, device: Device, usb: str | None = None) -> None:
        self.folder = folder
        make_keys(folder / "trace.key", folder / "trace.sign", demo=True)
        self.log = KeptLog()
        self.recorder = TraceRecorder(
            TraceSettings(folder=folder / "traces", devices=(device.name,)),
            [device],
            language="es",
            key=folder / "trace.key",
            log=self.log,
        )
        self.facts: list[DeviceFact] = []
        self._news = threading.Condition()
        opener, protocol = DRIVERS[device.driver].make(device.name, device.settings, usb_backend(usb))
        self.port: Port[DeviceProtocol] = Port(
            device.name, self.recorder.tapped(device.name, opener), protocol, self._take, self.log
        )

    def _take(self, fact: DeviceFact) -> None:
        with self._news:
            self.facts.append(fact)
            self._news.notify_all()

    def until(self, kind: type[DeviceFact], n: int = 1) -> None:
        """Until the device has told so many facts of a kind."""
        with self._news:
            came = self._news.wait_for(lambda: sum(isinstance(fact, kind) for fact in self.facts) >= n, SOON_S)
        assert came, f"no {n} {kind.__name__}: {self.facts}"

    def close(self) -> None:
        """End the recorder, and keep what it sealed."""
        self.recorder.close()
        [path] = (self.folder / "traces").iterdir()
        trace = TraceFile(path)
        found = list(trace.entries(load_sealing(self.folder / "trace.key")[0]))
        assert not any(isinstance(entry, Damage) for entry in found), found[-1]
        self.head, self.entries = trace.about.head, [entry for entry in found if isinstance(entry, Entry)]


@contextmanager
def running(device: Device, usb: str | None = None) -> Iterator[Bench]:
    """A bench that records until the end of the block."""
    with tempfile.TemporaryDirectory(prefix="trace-") as folder:
        bench = Bench(Path(folder), device, usb)
        bench.recorder.start()
        try:
            with bench.port:
                yield bench
        finally:
            bench.close()


@contextmanager
def a_reader(
    driver: str, protocol: Callable[[World], ReaderProtocol], baud: int, settings: Mapping[str, Any]
) -> Iterator[tuple[Bench, World, ReaderSimulator]]:
    """A simulated reader on a pty, over a world whose cards have tags."""
    with tempfile.TemporaryDirectory(prefix="trace-") as folder:
        link = Path(folder) / "reader"
        tag_of = type_a_tag if "pn532" in driver else iso15693_tag
        world = World(["As", "Kd"], tag_of=tag_of)
        end = PtyEnd(link=link, baud=baud, speed_factor=None)
        reader = ReaderSimulator(end, protocol(world))
        reader.start()
        role = DRIVERS[driver].role
        device = Device(name="reader", driver=driver, role=role, settings={"port": str(link), **settings})
        try:
            with running(device) as bench:
                yield bench, world, reader
        finally:
            reader.close()


def _comes_and_goes(
    driver: str, protocol: Callable[[World], ReaderProtocol], baud: int, settings: Mapping[str, Any]
) -> Bench:
    with a_reader(driver, protocol, baud, settings) as (bench, world, reader):
        bench.until(Found)
        for place, kind in ((FELT, TagIn), (AWAY, TagOut)):
            world.put(world.cards()[0], place)
            reader.look()
            bench.until(kind)
    return bench


#: Few sweeps, and each of them believed: a trace that a person can read.
QUICK: Final = {"pause_s": 0.3, "in_scans": 1, "out_scans": 1, "out_s": 0.05}


def _pn532(world: World) -> ReaderProtocol:
    return ChipProtocol([Field(world, FELT)])


def _feig(world: World) -> ReaderProtocol:
    return FeigProtocol(Field(world, FELT))


def _feig_with_a_quiet_tag(world: World) -> ReaderProtocol:
    quiet = TagFault(kind=TagFaultKind.QUIET_TAG, at=(1,))
    return FeigProtocol(fields_of(world, (FELT,), (quiet,), seed=1)[0])


def _pepper(world: World) -> ReaderProtocol:
    return PepperProtocol([Field(world, FELT)])


def pn532_two_cards() -> Bench:
    with a_reader("pn532", _pn532, 115200, QUICK) as (bench, world, _):
        bench.until(Found)
        for card in world.cards():
            world.put(card, FELT)
        bench.until(TagIn, 2)
    return bench


def _silent_for_a_while(driver: str, protocol: Callable[[World], ReaderProtocol], baud: int, fault: Fault) -> Bench:
    with tempfile.TemporaryDirectory(prefix="trace-") as folder:
        link = Path(folder) / "reader"
        world = World(["As"], tag_of=type_a_tag if driver == "pn532" else iso15693_tag)
        world.put(world.cards()[0], FELT)
        end = PtyEnd(link=link, baud=baud, speed_factor=None)
        reader = ReaderSimulator(end, protocol(world), faults=FaultPlan(faults=(fault,)), seed=1)
        reader.start()
        settings = {"port": str(link), "answer_s": 0.4, **QUICK}
        device = Device(name="reader", driver=driver, role="antennas", settings=settings)
        try:
            with running(device) as bench:
                bench.until(Found)
                bench.until(TagIn)
                # It is asked again, and goes on as if nothing had been.
                world.put(world.cards()[0], AWAY)
                bench.until(TagOut)
        finally:
            reader.close()
    return bench


def _shoe(settings: Mapping[str, Any], faults: FaultPlan, play: Callable[[Bench, AngelEyeSimulator], None]) -> Bench:
    with tempfile.TemporaryDirectory(prefix="trace-") as folder:
        link = Path(folder) / "shoe"
        world = World()
        world.stack(["8s", "Ad", "Kh"])
        shoe = AngelEyeSimulator(PtyEnd(link=link, baud=4800, speed_factor=None), world, faults=faults, seed=1)
        shoe.start()
        device = Device(name="sabot", driver="angel-eye", role="shoe", settings={"port": str(link), **settings})
        try:
            with running(device) as bench:
                bench.until(ShoeNote, 2)
                play(bench, shoe)
        finally:
            shoe.close()
    return bench


def angel_eye_reboot() -> Bench:
    def play(bench: Bench, shoe: AngelEyeSimulator) -> None:
        shoe.draw()
        bench.until(CardOut)
        shoe.reboot()
        bench.until(ShoeNote, 4)
        shoe.draw()
        bench.until(CardOut, 2)

    return _shoe({}, FaultPlan(), play)


def angel_eye_unplugged_mid_frame() -> Bench:
    # Six messages of the banner stand before it, three of the first card.
    cut = Fault(kind=FaultKind.UNPLUG_MID_FRAME, at=(10,), offset=4, for_s=0.2)

    def play(bench: Bench, shoe: AngelEyeSimulator) -> None:
        shoe.draw()
        bench.until(CardOut)
        shoe.draw()
        bench.until(Lost)
        bench.until(CardOut, 2)

    return _shoe({}, FaultPlan(faults=(cut,)), play)


def angel_eye_locked() -> Bench:
    def play(bench: Bench, shoe: AngelEyeSimulator) -> None:
        said = 2
        for card_due in (False, True):
            wanted = Outputs(lit=(), signal=Signal.PLAY, card_due=card_due)
            bench.recorder.told(wanted)
            bench.port.send(_lock(card_due=card_due))
            said += 2  # that it took the command, and that it is locked or not
            bench.until(ShoeNote, said)

    return _shoe({"may_lock": True}, FaultPlan(), play)


def _lock(*, card_due: bool) -> Callable[[DeviceProtocol], None]:
    def do(shoe: DeviceProtocol) -> None:
        assert isinstance(shoe, AngelEye)
        (shoe.be_unlocked if card_due else shoe.be_locked)()

    return do


def modbus_panel_key() -> Bench:
    with tempfile.TemporaryDirectory(prefix="trace-") as folder:
        link = Path(folder) / "panel"
        module = ModbusPanelSimulator(PtyEnd(link=link, baud=19200, speed_factor=None))
        module.start()
        settings = {"port": str(link), "poll_s": 0.1, "polls_to_agree": 1}
        device = Device(name="panel", driver="modbus-panel", role="panel", settings=settings, keys={Key.BET: 2})
        try:
            with running(device) as bench:
                bench.until(Found)
                module.press(2)
                bench.until(KeyDown)
                module.release(2)
                bench.until(KeyUp)
        finally:
            module.close()
    return bench


def _on_usb(device: VirtualDevice, described: Device, play: Callable[[Bench], None]) -> Bench:
    with tempfile.TemporaryDirectory(prefix="trace-") as folder:
        bus = UsbBus(Path(folder) / "usb.sock")
        try:
            bus.plug(device)
            with running(described, f"unix:{bus.path}") as bench:
                play(bench)
        finally:
            bus.close()
    return bench


def streamdeck_pedal() -> Bench:
    deck = StreamDeckSimulator(product=PEDAL)

    def play(bench: Bench) -> None:
        bench.until(Found)
        deck.press(1)
        bench.until(KeyDown)
        deck.release(1)
        bench.until(KeyUp)

    return _on_usb(deck, Device(name="pedal", driver=PEDAL.id, role="panel", settings={}), play)


def xkeys_unplugged_with_a_key_held() -> Bench:
    panel = XKeysSimulator()

    def play(bench: Bench) -> None:
        bench.until(Found)
        panel.press(4)
        bench.until(KeyDown)
        panel.be_unplugged(0.2)
        bench.until(Lost)
        bench.until(Found, 2)
        bench.until(KeyDown, 2)

    return _on_usb(panel, Device(name="panel", driver="xkeys-xk24", role="panel", settings={}), play)


#: File name, what it shows, and who plays it.
SCENARIOS: Final[Mapping[str, tuple[str, Callable[[], Bench]]]] = {
    "angel-eye-banner-after-reboot": ("A shoe that lost its power begins again; no card twice", angel_eye_reboot),
    "angel-eye-unplugged-mid-frame": (
        "The wire breaks inside a report; the card is told once, when it is back",
        angel_eye_unplugged_mid_frame,
    ),
    "angel-eye-locked-while-no-card-is-due": ("The table locks and unlocks the shoe", angel_eye_locked),
    "pn532-card-comes-and-goes": (
        "A card is laid down and taken away",
        partial(_comes_and_goes, "pn532", _pn532, 115200, QUICK),
    ),
    "pn532-two-cards-at-one-antenna": ("Two cards, one listing each", pn532_two_cards),
    "feig-card-comes-and-goes": (
        "A card is laid down and taken away; the field is reset before each inventory",
        partial(_comes_and_goes, "feig", _feig, 38400, QUICK),
    ),
    "feig-quiet-tag": (
        "A tag that is quiet at first: the next sweep resets the field and finds it, once",
        partial(_comes_and_goes, "feig", _feig_with_a_quiet_tag, 38400, QUICK),
    ),
    "feig-answers-lost": (
        "Two answers do not come: the reader is asked again, and the card is gone when an inventory says so",
        partial(_silent_for_a_while, "feig", _feig, 38400, Fault(kind=FaultKind.SILENCE, at=(4,), count=2)),
    ),
    "pepper-card-comes-and-goes": (
        "A card is laid down and taken away",
        partial(_comes_and_goes, "pepper", _pepper, 115200, QUICK),
    ),
    "pepper-damaged-answer": (
        "A damaged answer is asked for again by FF alone",
        partial(_silent_for_a_while, "pepper", _pepper, 115200, Fault(kind=FaultKind.CORRUPT, at=(5,), offset=6)),
    ),
    "rfid-shoe-pn532-card-drawn": (
        "A card passes the mouth of an RFID shoe",
        partial(_comes_and_goes, "rfid-shoe-pn532", _pn532, 115200, QUICK),
    ),
    "rfid-shoe-feig-card-drawn": (
        "A card passes the mouth of an RFID shoe",
        partial(_comes_and_goes, "rfid-shoe-feig", _feig, 38400, QUICK),
    ),
    "modbus-panel-key-pressed": ("A button behind a Modbus module", modbus_panel_key),
    "streamdeck-pedal-pressed": ("A pedal is found and pressed", streamdeck_pedal),
    "xkeys-unplugged-with-a-key-held": (
        "A key that was held comes up with the loss, and is down again afterwards",
        xkeys_unplugged_with_a_key_held,
    ),
}


def record(name: str) -> str:
    """One scenario, played and exported."""
    title, play = SCENARIOS[name]
    bench = play()
    # Where the pty was is nobody's business, and another place each time.
    settings = {key: value for key, value in bench.head.settings.items() if key != "port"}
    head = replace(bench.head, settings=settings)
    made = [*replay(head, bench.entries)]
    wrong = [difference for step in made for difference in step.differences]
    assert not wrong, f"{name}: the replay wants something else written: {wrong}"
    steps = [(_placeless(step.entry), [fact_line(fact, unsealed=True) for fact in step.facts]) for step in made]
    live = [fact_line(fact, unsealed=True) for fact in bench.facts]
    replayed = [line for _, lines in steps for line in lines]
    assert replayed == live, f"{name}: the replay tells {replayed}, the port told {live}"
    lines = [*written(head, steps, title=title)]
    wire = "the simulated USB bus" if DRIVERS[head.driver].usb_ids else "a real pty"
    lines.insert(
        1, f"# Recorded from our simulator over {wire}: it shows how the two agree, not what a real device does."
    )
    return "\n".join(lines) + "\n"


def _placeless(entry: Entry) -> Entry:
    """Without the path of a temporary folder."""
    if entry.kind in (Kind.OPENED, Kind.LOST, Kind.UNAVAILABLE):
        return replace(entry, data=re.sub(rb"/\S+/", b"/dev/", entry.data))
    return entry


def main(folder: Path, names: Sequence[str]) -> None:
    """All scenarios, or those that are named, into a folder."""
    for name in names or SCENARIOS:
        (folder / f"{name}.trace").write_text(record(name), encoding="utf-8")


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2:])

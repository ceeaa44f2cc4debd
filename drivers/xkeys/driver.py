"""An X-keys panel: which keys went down and came up, and what its keys look like.

Each report carries the state of all keys, so events are the difference to the one before: a lost or repeated report
does no lasting harm. The panel is asked for its state every `ask_every_s`, so that even the very last report of a key
may be lost; and a panel that answers no more is `Lost` after `mute_after_s`, though silence alone never is.

Lamps are a level too: `show` says how all keys are to look. What differs from what was written last is written; after
a loss everything is, lit ones first, as the panel comes back as its EEPROM says.

Where keys are contacts of a plug, a contact that is closed as the panel is found or as the plug goes in was closed by
the plug itself (a mono plug in a stereo socket closes the ring for good): it counts from when it has been open once.
Without a plug nothing is down.

A panel with lamps of one colour lights them for any colour; one without lamps takes `show` and stays dark.

NOT VERIFIED ON HARDWARE: everything here comes from public code and documents of others (see `messages`). Besides: how
fast a panel takes reports; whether it always answers two questions sent at once.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from typing import Final

from drivers.facts import DeviceFact, Found, KeyDown, KeyUp, Lost, Rejected
from drivers.health import Tally
from drivers.panels import KeyFace, KeyLook, KeyPanel
from drivers.xkeys import messages
from drivers.xkeys.messages import BadReport, DescriptorReport, KeyReport, Lamp, Light, OtherReport
from drivers.xkeys.products import VENDOR_ID, XK24, Lamps, Product

#: For the log, once at start.
NOT_VERIFIED: Final = (
    "X-keys: not verified on hardware: layouts of reports and of lamps (from public code and the vendor's documents);"
    " that a panel answers both questions sent at once; how fast it takes lamps"
)

#: No unit id learned or asked for.
ANY_UNIT: Final = -1


@dataclass(frozen=True, kw_only=True, slots=True)
class XKeysSettings:
    """Times in seconds; ours, no source gives any."""

    #: The unit id that the panel must have (0 to 255); -1: whichever it has.
    unit_id: int = ANY_UNIT
    #: Pause between two questions while the panel is not (yet) recognised.
    retry_s: float = 0.25
    #: Pause between two questions afterwards.
    ask_every_s: float = 2.0
    #: How long a plug takes to go in: contacts that close meanwhile are closed by it.
    plug_settles_s: float = 0.5
    #: How long a panel may leave questions unanswered before it counts as lost. More than `ask_every_s`.
    mute_after_s: float = 6.0


DEFAULT_SETTINGS: Final = XKeysSettings()


class _State(Enum):
    """`MUTE`: the port is open, but nobody answers; `Lost` was told."""

    CLOSED = "closed"
    GREETING = "greeting"
    FOUND = "found"
    MUTE = "mute"


_OFF: Final = Lamp.OFF
_LAMPS: Final = {KeyLook.DEAD: Lamp.OFF, KeyLook.LIVE: Lamp.BLUE, KeyLook.REFUSED: Lamp.RED_BLINK}


class XKeys(KeyPanel):
    """A `DeviceProtocol`. `device` is the name in the configuration; keys are numbered as in `Product`."""

    def __init__(self, device: str, settings: XKeysSettings = DEFAULT_SETTINGS, *, product: Product = XK24) -> None:
        self._device = device
        self._settings = settings
        self.tally = Tally()
        self._product = product
        self._state = _State.CLOSED
        self._told_lost = False
        self._descriptor: DescriptorReport | None = None
        #: State of the keys as the last report had it; None until the panel was asked and answered.
        self._level: frozenset[int] | None = None
        #: Contacts that a plug holds closed.
        self._held: frozenset[int] = frozenset()
        self._is_plugged = False
        self._plug_settled_s = 0.0
        #: Keys whose `KeyDown` was told.
        self._down: frozenset[int] = frozenset()
        self._ask_due_s = 0.0
        self._mute_due_s = 0.0
        self._lamps = dict.fromkeys(range(product.n_keys), Lamp.OFF)
        #: How each LED is to look; a panel that is found looks so.
        self._wanted = {led: light for key in self._lamps for led, light in self._lights(key, Lamp.OFF)}
        self._outgoing: list[bytes] = []

    # -- lamps -------------------------------------------------------------------------------------------------------

    def face(self, faces: Mapping[int, KeyFace]) -> None:
        """`show`, in the words for every panel: live keys are blue, a refused one blinks red. Labels are left out."""
        self.show({key: _LAMPS[face.look] for key, face in faces.items()})

    def show(self, lamps: Mapping[int, Lamp]) -> None:
        """How all keys are to look from now on; those not named are off. Raises ValueError for a key that is none."""
        if not lamps.keys() <= self._lamps.keys():
            unknown = next(key for key in lamps if key not in self._lamps)
            raise ValueError(f"{self._product.title} has no key {unknown}")
        changed: dict[int, Light] = {}
        for key, before in self._lamps.items():
            lamp = lamps.get(key, _OFF)
            if lamp is not before:
                self._lamps[key] = lamp
                changed |= {led: light for led, light in self._lights(key, lamp) if self._wanted[led] is not light}
        self._wanted |= changed
        if self._state is _State.FOUND:
            self._write(changed)

    def _lights(self, key: int, lamp: Lamp) -> Iterator[tuple[int, Light]]:
        """The LEDs under a key, and how each of them looks where the key has this lamp."""
        match self._product.lamps:
            case Lamps.BLUE_AND_RED:
                yield self._product.blue_led(key), lamp.blue
                yield self._product.red_led(key), lamp.red
            case Lamps.BLUE:
                yield self._product.blue_led(key), max(lamp.blue, lamp.red)
            case Lamps.NONE:
                return

    def _write(self, lights: Mapping[int, Light]) -> None:
        # Lit ones first: when all have to be written, somebody is waiting for those.
        for led, light in sorted(lights.items(), key=lambda change: change[1] is Light.OFF):
            self._outgoing.append(messages.set_light(led, light))

    # -- the port ----------------------------------------------------------------------------------------------------

    def opened(self, *, now_s: float, at_us: int) -> Sequence[DeviceFact]:
        """Ask who it is and how its keys are. It is found when it has answered both."""
        self._outgoing.clear()
        self._greet()
        self._ask(now_s)
        self._mute_due_s = now_s + self._settings.mute_after_s
        return ()

    def closed(self, *, at_us: int, reason: str) -> Sequence[DeviceFact]:
        """Keys that were down come up, then `Lost` unless that was told before."""
        self._outgoing.clear()
        self._state = _State.CLOSED
        return self._lose(at_us, reason)

    def receive(self, data: bytes, *, now_s: float, at_us: int) -> Sequence[DeviceFact]:
        """One report."""
        report = messages.decode_input(self._product, data)
        reason = self._objection(report)
        if reason is not None:
            return [Rejected(device=self._device, at_us=at_us, reason=reason, n_bytes=len(data))]
        if isinstance(report, DescriptorReport):
            self._descriptor = report
        elif isinstance(report, KeyReport) and (report.asked_for or self._level is not None):
            self._level = self._pressed(report, now_s)
        self.tally.frames += 1
        self._mute_due_s = now_s + self._settings.mute_after_s
        return [*self._be_found(now_s, at_us), *self._difference(at_us)]

    def tick(self, *, now_s: float, at_us: int) -> Sequence[DeviceFact]:
        """Ask (again); a panel that has not answered for too long is lost, but is still asked."""
        facts: Sequence[DeviceFact] = ()
        if now_s >= self._ask_due_s:
            self.tally.retries += self._state is not _State.FOUND
            self._ask(now_s)
        if self._state in (_State.GREETING, _State.FOUND) and now_s >= self._mute_due_s:
            facts = self._lose(at_us, f"{self._product.title} is plugged in but does not answer")
            self._greet()
            self._state = _State.MUTE
        return facts

    def deadline_s(self) -> float | None:
        match self._state:
            case _State.CLOSED:
                return None
            case _State.MUTE:
                return self._ask_due_s
            case _State.GREETING | _State.FOUND:
                return min(self._ask_due_s, self._mute_due_s)

    def take_outgoing(self) -> Sequence[bytes]:
        outgoing, self._outgoing = self._outgoing, []
        return outgoing

    # -- being there -------------------------------------------------------------------------------------------------

    def _greet(self) -> None:
        self._state = _State.GREETING
        self._descriptor = None
        self._level = None
        self._held = frozenset()
        self._is_plugged = False

    def _ask(self, now_s: float) -> None:
        if self._state is not _State.FOUND:
            self._outgoing.append(messages.ask_descriptor())
        self._outgoing.append(messages.generate_data())
        waits = self._settings.retry_s if self._state is _State.GREETING else self._settings.ask_every_s
        self._ask_due_s = now_s + waits

    def _be_found(self, now_s: float, at_us: int) -> Iterable[DeviceFact]:
        if self._state is _State.FOUND or self._descriptor is None or self._level is None:
            return ()
        self._state = _State.FOUND
        self._told_lost = False
        self._ask_due_s = now_s + self._settings.ask_every_s
        self._write(self._wanted)  # what it showed before is not known
        who = self._descriptor
        identity = (
            f"{self._product.title} {VENDOR_ID:04x}:{who.product_id:04x}, firmware {who.firmware}, unit {who.unit_id}"
        )
        return [Found(device=self._device, at_us=at_us, identity=identity)]

    def _lose(self, at_us: int, reason: str) -> Sequence[DeviceFact]:
        self._level = frozenset()
        facts = [*self._up(at_us, self._down)]
        self._down = frozenset()
        if not self._told_lost:
            self._told_lost = True
            facts.append(Lost(device=self._device, at_us=at_us, reason=reason))
        return facts

    # -- keys --------------------------------------------------------------------------------------------------------

    def _objection(self, report: messages.Report) -> str | None:
        """Why a report is not heard."""
        if isinstance(report, BadReport):
            return report.reason
        if isinstance(report, DescriptorReport) and report.product_id not in self._product.product_ids:
            return f"not an {self._product.title}: product id {report.product_id:04x}"
        unit_id = self._settings.unit_id
        if unit_id == ANY_UNIT and self._descriptor is not None:
            unit_id = self._descriptor.unit_id
        if unit_id not in (ANY_UNIT, report.unit_id):
            return f"unit {report.unit_id}, not {unit_id}"
        if isinstance(report, OtherReport):
            return "a special report that nobody asked for"
        return None

    def _pressed(self, report: KeyReport, now_s: float) -> frozenset[int]:
        """The keys that somebody holds down, where a plug may do so too."""
        product = self._product
        if not product.has_plugs:
            return report.down
        if product.plug_bit is not None and not report.is_plugged:
            self._held, self._is_plugged = frozenset(), False
            return frozenset()
        if report.is_plugged and not self._is_plugged and self._level is not None:
            self._plug_settled_s = now_s + self._settings.plug_settles_s
        closed_by_plug = self._level is None or now_s < self._plug_settled_s
        self._held = report.down if closed_by_plug else self._held & report.down
        self._is_plugged = report.is_plugged
        return report.down - self._held

    def _difference(self, at_us: int) -> Iterable[DeviceFact]:
        """Keys that came up, then keys that went down, each in the order of their numbers."""
        if self._state is not _State.FOUND or self._level is None:
            return ()
        up, down = self._down - self._level, self._level - self._down
        self._down = self._level
        went_down = [KeyDown(device=self._device, at_us=at_us, key=key) for key in sorted(down)]
        return [*self._up(at_us, up), *went_down]

    def _up(self, at_us: int, keys: Iterable[int]) -> list[DeviceFact]:
        return [KeyUp(device=self._device, at_us=at_us, key=key) for key in sorted(keys)]

"""A Stream Deck: keys that are pressed and that show what they are for.

Live keys are lit, dead ones dark, a refused one flashes red, each with its label. A picture is drawn once and kept;
only keys that change are written; after a loss all are, as the deck comes back with its maker's picture.

Each report carries the state of all keys, so events are the difference to the one before. A deck cannot be asked for
that state: a key held while it is plugged in is told with the next report. It is asked for its firmware now and then,
so that a deck that hangs is `Lost` after `mute_after_s`, though silence alone never is. Where feature reports do not
work (seen with some USB hosts), `needs_answer = false` takes it as found without asking.

NOT VERIFIED ON HARDWARE: everything here comes from public code and documents of others (see `messages`).
"""

from __future__ import annotations

import importlib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from drivers.facts import DeviceFact, Found, KeyDown, KeyUp, Lost, Rejected
from drivers.health import Tally
from drivers.panels import KeyFace, KeyLook, KeyPanel
from drivers.streamdeck import messages
from drivers.streamdeck.messages import PERCENT_MAX, BadReport, Firmware, Keys, SerialNumber
from drivers.streamdeck.products import DECK_15, VENDOR_ID, Product
from drivers.transport.base import FeatureAnswer

if TYPE_CHECKING:
    from drivers.streamdeck.faces import Painter

#: For the log, once at start.
NOT_VERIFIED: Final = (
    "Stream Deck: not verified on hardware: layouts of reports and how pictures are turned (from public code and the"
    " maker's pages); how fast it takes pictures"
)

BLANK: Final = KeyFace(look=KeyLook.DEAD)


@dataclass(frozen=True, kw_only=True, slots=True)
class StreamDeckSettings:
    """Times in seconds; ours, no source gives any."""

    #: How bright the keys are, in percent.
    brightness: int = 70
    #: Path of a font for the labels; empty: Debian's DejaVu, or Pillow's own.
    font: str = ""
    #: Half of a flash of a refused key.
    flash_s: float = 0.25
    #: False: it is found when its port opens, and never asked.
    needs_answer: bool = True
    #: Pause between two questions while the deck is not (yet) recognised.
    retry_s: float = 0.5
    #: Pause between two questions afterwards.
    ask_every_s: float = 2.0
    #: How long a deck may leave questions unanswered before it counts as lost. More than `ask_every_s`.
    mute_after_s: float = 7.0


DEFAULT_SETTINGS: Final = StreamDeckSettings()


@dataclass(frozen=True, slots=True)
class _Shown:
    """What a key shows: the name of a picture."""

    face: KeyFace
    is_dark_half: bool


class StreamDeck(KeyPanel):
    """A `DeviceProtocol`. `device` is the name in the configuration; keys are numbered as in `Product`."""

    def __init__(
        self, device: str, settings: StreamDeckSettings = DEFAULT_SETTINGS, *, product: Product = DECK_15
    ) -> None:
        self._device = device
        self._settings = settings
        self.tally = Tally()
        self._product = product
        self._is_open = False
        self._is_found = False
        self._told_lost = False
        self._firmware: str | None = None
        self._serial: str | None = None
        #: Keys whose `KeyDown` was told.
        self._down: frozenset[int] = frozenset()
        self._faces: dict[int, KeyFace] = {}
        self._is_dark_half = False
        #: None: the first half of a flash has begun, but `face` has no clock.
        self._flash_due_s: float | None = None
        #: What was written since the deck was found; a key that is not in it shows nobody knows what.
        self._written: dict[int, _Shown] = {}
        # Only a table that has a deck draws pictures, and loading what draws them takes time that no other start has.
        faces = importlib.import_module("drivers.streamdeck.faces")
        self._painter: Painter = faces.Painter(product, settings.font)
        self._ask_due_s = 0.0
        self._mute_due_s = 0.0
        self._outgoing: list[bytes] = []

    # -- pictures ----------------------------------------------------------------------------------------------------

    def face(self, faces: Mapping[int, KeyFace]) -> None:
        """How all keys are to look from now on; those not named are dark. Raises ValueError for a key that is none."""
        unknown = [key for key in faces if not 0 <= key < self._product.n_keys]
        if unknown:
            raise ValueError(f"{self._product.title} has no key {unknown[0]}")
        if dict(faces) == self._faces:
            return
        if not self._flashes():
            self._is_dark_half, self._flash_due_s = False, None
        self._faces = dict(faces)
        if self._is_found:
            self._write_pictures()

    def _flashes(self) -> bool:
        return any(face.look is KeyLook.REFUSED for face in self._faces.values())

    def _wanted(self, key: int) -> _Shown:
        face = self._faces.get(key, BLANK)
        return _Shown(face, self._is_dark_half and face.look is KeyLook.REFUSED)

    def _write_pictures(self) -> None:
        if not self._product.pixels:
            return
        wanted = {key: self._wanted(key) for key in range(self._product.n_keys)}
        changed = [key for key, shown in wanted.items() if self._written.get(key) != shown]
        # Lit ones first: when all have to be written, somebody is waiting for those.
        for key in sorted(changed, key=lambda number: wanted[number].face.look is KeyLook.DEAD):
            shown = wanted[key]
            picture = self._painter.picture(shown.face, is_dark_half=shown.is_dark_half)
            self._outgoing += messages.pages(self._product, key, picture)
        self._written = wanted

    # -- the port ----------------------------------------------------------------------------------------------------

    def opened(self, *, now_s: float, at_us: int) -> Sequence[DeviceFact]:
        """Ask who it is. It is found when it has answered."""
        self._is_open = True
        self._outgoing.clear()
        self._greet()
        self._mute_due_s = now_s + self._settings.mute_after_s
        if self._settings.needs_answer:
            self._ask(now_s)
            return ()
        return self._be_found(at_us)

    def closed(self, *, at_us: int, reason: str) -> Sequence[DeviceFact]:
        """Keys that were down come up, then `Lost` unless that was told before."""
        self._is_open = False
        self._outgoing.clear()
        self._greet()
        return self._lose(at_us, reason)

    def receive(self, data: bytes, *, now_s: float, at_us: int) -> Sequence[DeviceFact]:
        """One report, or one answer."""
        product = self._product
        is_answer = isinstance(data, FeatureAnswer)
        report = messages.decode_answer(product, data) if is_answer else messages.decode_input(product, data)
        if isinstance(report, BadReport):
            return [Rejected(device=self._device, at_us=at_us, reason=report.reason, n_bytes=len(data))]
        self.tally.frames += 1
        match report:
            case Firmware(text=text):
                self._firmware = text
            case SerialNumber(text=text):
                self._serial = text
            case Keys(down=down):
                if not self._is_found:
                    return ()
                self._mute_due_s = now_s + self._settings.mute_after_s
                return self._difference(at_us, down)
        self._mute_due_s = now_s + self._settings.mute_after_s
        if self._is_found or self._firmware is None or self._serial is None:
            return ()
        self._ask_due_s = now_s + self._settings.ask_every_s
        return self._be_found(at_us)

    def tick(self, *, now_s: float, at_us: int) -> Sequence[DeviceFact]:
        """Flash; ask (again); a deck that has not answered for too long is lost, but is still asked."""
        if not self._is_open:
            return ()
        self._flash(now_s)
        if not self._settings.needs_answer:
            return ()
        if now_s >= self._ask_due_s:
            self.tally.retries += not self._is_found
            self._ask(now_s)
        if now_s < self._mute_due_s:
            return ()
        self._mute_due_s = float("inf")
        self._greet()
        return self._lose(at_us, f"{self._product.title} is plugged in but does not answer")

    def deadline_s(self) -> float | None:
        if not self._is_open:
            return None
        due = [self._ask_due_s, self._mute_due_s] if self._settings.needs_answer else []
        if self._flashes():
            due.append(float("-inf") if self._flash_due_s is None else self._flash_due_s)
        return min(due, default=None)

    def take_outgoing(self) -> Sequence[bytes]:
        outgoing, self._outgoing = self._outgoing, []
        return outgoing

    # -- being there -------------------------------------------------------------------------------------------------

    def _greet(self) -> None:
        self._is_found = False
        self._firmware = self._serial = None
        self._written = {}

    def _ask(self, now_s: float) -> None:
        if not self._is_found:
            self._outgoing.append(messages.ask_serial_number(self._product))
        self._outgoing.append(messages.ask_firmware(self._product))
        self._ask_due_s = now_s + (self._settings.ask_every_s if self._is_found else self._settings.retry_s)

    def _be_found(self, at_us: int) -> Sequence[DeviceFact]:
        self._is_found, self._told_lost = True, False
        product = self._product
        if product.pixels:
            percent = min(max(self._settings.brightness, 0), PERCENT_MAX)
            self._outgoing += [
                messages.end_of_pages(),
                messages.reset(product),
                messages.brightness(product, percent),
            ]
            self._write_pictures()
        identity = (
            f"{product.title} {VENDOR_ID:04x}:{'/'.join(f'{product_id:04x}' for product_id in product.product_ids)}"
        )
        if self._serial is not None:
            identity += f", serial number {self._serial}, firmware {self._firmware}"
        return [Found(device=self._device, at_us=at_us, identity=identity)]

    def _lose(self, at_us: int, reason: str) -> Sequence[DeviceFact]:
        facts = [*self._difference(at_us, frozenset())]
        if not self._told_lost:
            self._told_lost = True
            facts.append(Lost(device=self._device, at_us=at_us, reason=reason))
        return facts

    def _flash(self, now_s: float) -> None:
        if not self._flashes():
            return
        if self._flash_due_s is not None and now_s < self._flash_due_s:
            return
        if self._flash_due_s is not None:
            self._is_dark_half = not self._is_dark_half
            if self._is_found:
                self._write_pictures()
        self._flash_due_s = now_s + self._settings.flash_s

    # -- keys --------------------------------------------------------------------------------------------------------

    def _difference(self, at_us: int, level: frozenset[int]) -> Sequence[DeviceFact]:
        """Keys that came up, then keys that went down, each in the order of their numbers."""
        up, down = self._down - level, level - self._down
        self._down = level
        came_up: Iterable[DeviceFact] = [KeyUp(device=self._device, at_us=at_us, key=key) for key in sorted(up)]
        return [*came_up, *[KeyDown(device=self._device, at_us=at_us, key=key) for key in sorted(down)]]

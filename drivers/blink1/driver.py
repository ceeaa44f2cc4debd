"""A blink(1): a small light that turns red by itself when the controller is dead.

It has two LEDs at most, so of a tower's colours the most urgent one is on the first and the next one on the second (the
same, where there is no other). It cannot blink by itself without giving up the dead-man light, so we make it blink. It
has no buzzer.

The dead-man light: every `tickle_every_s` the light is told to turn red in `dead_after_s`, unless told again. When the
controller dies, hangs or loses the wire, nobody does, and the light turns red and stays so. Each time the colours are
told again as well: a controller that was only late finds the light red, and a tickle alone would leave it so. A light
that is to be dark is disarmed: nobody is in charge of it, and it says so by being dark.

NOT VERIFIED ON HARDWARE: everything here comes from the maker's document and firmware (see `messages`). On an mk1 the
red lines are not written, as that would wear out its EEPROM: there it plays what is stored in it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from drivers.blink1 import messages
from drivers.blink1.messages import (
    LINES_WRITTEN,
    MK2,
    PRODUCT_ID,
    VENDOR_ID,
    AskVersion,
    Colour,
    Command,
    SetColour,
    SetLine,
    Tickle,
    decode_version,
)
from drivers.facts import DeviceFact, Found, Lost, Rejected
from drivers.health import Tally
from drivers.lights import ALL_OFF, BY_URGENCY, Look, TowerLight, TowerState

#: For the log, once at start.
NOT_VERIFIED: Final = (
    "blink(1): not verified on hardware: that the light turns red by itself (from the maker's document and the mk2's"
    " firmware, which disagree on the last line played); how an mk1 behaves"
)

#: Ours: bright enough to be seen, yellow and white not taken for each other.
COLOURS: Final = {
    "red": Colour(255, 0, 0),
    "yellow": Colour(255, 160, 0),
    "green": Colour(0, 255, 0),
    "blue": Colour(0, 0, 255),
    "white": Colour(255, 255, 255),
}
OFF: Final = Colour(0, 0, 0)
#: How long one line of red is, in milliseconds; they follow each other without a gap.
LINE_MS: Final = 500


@dataclass(frozen=True, kw_only=True, slots=True)
class Blink1Settings:
    """Times in seconds; ours."""

    #: How long after the last word of the controller the light turns red.
    dead_after_s: float = 3.0
    #: How often the controller says that it is alive. Less than half of `dead_after_s`, so that one may be late.
    tickle_every_s: float = 1.0
    #: How long a light that blinks is on, and off.
    blink_s: float = 0.5
    #: Pause between two questions for the version while it has not answered.
    retry_s: float = 0.5
    #: How long it may leave the question unanswered before it counts as lost.
    mute_after_s: float = 5.0


DEFAULT_SETTINGS: Final = Blink1Settings()


class Blink1(TowerLight):
    """A `DeviceProtocol`. `device` is the name in the configuration."""

    def __init__(self, device: str, settings: Blink1Settings = DEFAULT_SETTINGS) -> None:
        self._device = device
        self._settings = settings
        self.tally = Tally()
        self._wanted = ALL_OFF
        self._is_open = False
        self._is_found = False
        self._told_lost = False
        self._is_dark_half = False
        self._tickle_due_s = 0.0
        #: None: its first half has begun, but `look` has no clock.
        self._blink_due_s: float | None = None
        self._ask_due_s = 0.0
        self._mute_due_s = 0.0
        self._outgoing: list[bytes] = []

    def look(self, state: TowerState) -> None:
        """How the whole light is to be from now on."""
        before, self._wanted = self._wanted, state
        if state != before:
            self._is_dark_half, self._blink_due_s = False, None
        if self._is_open and state != before:
            self._write_colours()
            self._write_tickle()

    # -- what is written ---------------------------------------------------------------------------------------------

    def _say(self, command: Command) -> None:
        self._outgoing.append(messages.encode(command))

    def _write_colours(self) -> None:
        """The second LED first: the mk1, which has but one, ends with the most urgent colour."""
        lit = [name for name in BY_URGENCY if getattr(self._wanted, name) is not Look.OFF]
        first, second = (lit[0], (lit[1:] or lit)[0]) if lit else ("", "")
        for led, name in ((2, second), (1, first)):
            self._say(SetColour(led=led, colour=self._colour(name)))

    def _colour(self, name: str) -> Colour:
        if not name or (getattr(self._wanted, name) is Look.BLINK and self._is_dark_half):
            return OFF
        return COLOURS[name]

    def _blinks(self) -> bool:
        return any(getattr(self._wanted, name) is Look.BLINK for name in BY_URGENCY)

    def _is_dark(self) -> bool:
        return all(getattr(self._wanted, name) is Look.OFF for name in BY_URGENCY)

    def _write_tickle(self) -> None:
        if self._is_found:
            self._say(Tickle(within_ms=0 if self._is_dark() else int(self._settings.dead_after_s * 1000)))

    def _ask(self, now_s: float) -> None:
        self._say(AskVersion())
        self._outgoing.append(messages.ASK)
        self._ask_due_s = now_s + self._settings.retry_s

    # -- the port ----------------------------------------------------------------------------------------------------

    def opened(self, *, now_s: float, at_us: int) -> Sequence[DeviceFact]:
        """Make it look as wanted, and ask for its version. It is found when it has answered."""
        self._is_open, self._is_found = True, False
        self._outgoing.clear()
        self._write_colours()
        self._ask(now_s)
        self._tickle_due_s = now_s + self._settings.tickle_every_s
        self._blink_due_s = None
        self._mute_due_s = now_s + self._settings.mute_after_s
        return ()

    def closed(self, *, at_us: int, reason: str) -> Sequence[DeviceFact]:
        """It is gone."""
        self._is_open = self._is_found = False
        self._outgoing.clear()
        return self._lose(at_us, reason)

    def receive(self, data: bytes, *, now_s: float, at_us: int) -> Sequence[DeviceFact]:
        """The answer to the question for its version."""
        version = decode_version(data)
        if version is None:
            reason = "not the answer to the question for its version"
            return [Rejected(device=self._device, at_us=at_us, reason=reason, n_bytes=len(data))]
        self.tally.frames += 1
        if self._is_found:
            return ()
        self._is_found, self._told_lost = True, False
        major, minor = version
        if major >= MK2:
            for line in LINES_WRITTEN:
                self._say(SetLine(line=line, colour=COLOURS["red"], for_ms=LINE_MS))
        self._write_tickle()
        identity = f"blink(1) {VENDOR_ID:04x}:{PRODUCT_ID:04x}, firmware {major}.{minor:02}"
        return [Found(device=self._device, at_us=at_us, identity=identity)]

    def tick(self, *, now_s: float, at_us: int) -> Sequence[DeviceFact]:
        """Blink, tickle, ask (again)."""
        if not self._is_open:
            return ()
        if self._blink_due_s is None or now_s >= self._blink_due_s:
            if self._blink_due_s is not None and self._blinks():
                self._is_dark_half = not self._is_dark_half
                self._write_colours()
            self._blink_due_s = now_s + self._settings.blink_s
        if now_s >= self._tickle_due_s:
            self._tickle_due_s = now_s + self._settings.tickle_every_s
            self._write_colours()
            self._write_tickle()
        if self._is_found:
            return ()
        if now_s >= self._ask_due_s:
            self.tally.retries += 1
            self._ask(now_s)
        if now_s < self._mute_due_s:
            return ()
        self._mute_due_s = float("inf")
        return self._lose(at_us, "blink(1) is plugged in but does not answer")

    def deadline_s(self) -> float | None:
        if not self._is_open:
            return None
        due = [self._tickle_due_s]
        if self._blinks():
            due.append(float("-inf") if self._blink_due_s is None else self._blink_due_s)
        due += [] if self._is_found else [self._ask_due_s, self._mute_due_s]
        return min(due)

    def take_outgoing(self) -> Sequence[bytes]:
        outgoing, self._outgoing = self._outgoing, []
        return outgoing

    def _lose(self, at_us: int, reason: str) -> Sequence[DeviceFact]:
        if self._told_lost:
            return ()
        self._told_lost = True
        return [Lost(device=self._device, at_us=at_us, reason=reason)]

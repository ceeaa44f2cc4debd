"""A panel of industrial buttons and lamps behind a Modbus-RTU input and output module.

The module is asked for its inputs again and again; each answer is the state of all keys, so events are the difference
to the one before, and a lost answer does no lasting harm. A key has moved when `polls_to_agree` polls in a row say so.
Lamps are coils, written all together: when they change, and every `lamps_every_s`, as nobody tells us that the module
was off for a moment. A refused key flashes; we make it flash.

One question at a time. An answer that does not come in `reply_s` is asked for again; a panel without a good answer for
`mute_after_s` is `Lost`, is still asked, and is `Found` with the next good answer.

NOT VERIFIED ON HARDWARE: the protocol is standard, but which module is at the other end, how fast it takes questions
and what it does to its coils when nobody asks (many have such a watchdog) is for the integrator to see.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from drivers.facts import DeviceFact, Found, KeyDown, KeyUp, Lost, Rejected
from drivers.framing import Garbage, Scanner
from drivers.health import Tally
from drivers.modbus_panel.messages import (
    Answer,
    Bits,
    ReadBits,
    Refusal,
    Request,
    WriteLamps,
    Written,
    answer_grammar,
    encode_request,
)
from drivers.modbus_panel.settings import DEFAULT_SETTINGS, KEYS_MAX, ModbusPanelSettings
from drivers.panels import KeyFace, KeyLook, KeyPanel


class ModbusPanel(KeyPanel):
    """A `DeviceProtocol`. `device` is the name in the configuration; key 0 is the first input."""

    def __init__(self, device: str, settings: ModbusPanelSettings = DEFAULT_SETTINGS) -> None:
        self._device = device
        self._settings = settings
        self.tally = Tally()
        self._is_open = False
        self._is_found = False
        self._told_lost = False
        self._asked: Request | None = None
        self._was_lamps = False
        self._scanner: Scanner[Answer] | None = None
        self._reply_due_s = 0.0
        self._next_due_s = 0.0
        self._mute_due_s = 0.0
        #: What the last poll said, and how many in a row have said so.
        self._level: frozenset[int] = frozenset()
        self._agreed = 0
        #: Keys whose `KeyDown` was told.
        self._down: frozenset[int] = frozenset()
        self._faces: dict[int, KeyLook] = {}
        self._is_dark_half = False
        self._flash_due_s: float | None = None
        #: Lamps as the module has confirmed them; None where nothing is known.
        self._written: tuple[bool, ...] | None = None
        self._lamps_due_s = 0.0
        self._outgoing: list[bytes] = []

    # -- lamps -------------------------------------------------------------------------------------------------------

    def face(self, faces: Mapping[int, KeyFace]) -> None:
        """How all keys are to look from now on. A key without a lamp shows nothing. Raises ValueError for a key that
        no panel has."""
        unknown = [key for key in faces if not 0 <= key < KEYS_MAX]
        if unknown:
            raise ValueError(f"no panel has a key {unknown[0]}")
        looks: dict[int, KeyLook] = {key: face.look for key, face in faces.items() if face.look is not KeyLook.DEAD}
        if KeyLook.REFUSED not in self._faces.values():
            self._is_dark_half, self._flash_due_s = False, None
        self._faces = looks

    def _lit(self) -> tuple[bool, ...]:
        return tuple(self._is_lit(self._faces.get(key, KeyLook.DEAD)) for key in range(self._settings.lamps))

    def _is_lit(self, look: KeyLook) -> bool:
        return look is KeyLook.LIVE or (look is KeyLook.REFUSED and not self._is_dark_half)

    def _flash(self, now_s: float) -> None:
        if KeyLook.REFUSED not in self._faces.values():
            return
        if self._flash_due_s is None:
            self._flash_due_s = now_s + self._settings.flash_s
        elif now_s >= self._flash_due_s:
            self._is_dark_half = not self._is_dark_half
            self._flash_due_s = now_s + self._settings.flash_s

    # -- the port ----------------------------------------------------------------------------------------------------

    def opened(self, *, now_s: float, at_us: int) -> Sequence[DeviceFact]:
        """Ask at once. It is found when it has answered."""
        self._is_open = True
        self._outgoing.clear()
        self._forget()
        self._mute_due_s = now_s + self._settings.mute_after_s
        self._ask(now_s)
        return ()

    def closed(self, *, at_us: int, reason: str) -> Sequence[DeviceFact]:
        """Keys that were down come up, then `Lost` unless that was told before."""
        self._is_open = False
        self._outgoing.clear()
        self._forget()
        return self._lose(at_us, reason)

    def receive(self, data: bytes, *, now_s: float, at_us: int) -> Sequence[DeviceFact]:
        """A part of an answer."""
        if self._scanner is None:
            return [self._rejected(at_us, "bytes that nobody asked for", len(data))]
        facts: list[DeviceFact] = []
        for found in self._scanner.feed(data):
            if isinstance(found, Garbage):
                facts.append(self._rejected(at_us, found.reason, found.n_bytes))
            elif self._asked is not None:
                facts += self._heard(found, now_s, at_us)
        return facts

    def tick(self, *, now_s: float, at_us: int) -> Sequence[DeviceFact]:
        """Ask next, or again; a panel that has not answered for too long is lost, but is still asked."""
        if not self._is_open:
            return ()
        facts: list[DeviceFact] = []
        self._flash(now_s)
        if self._asked is not None and now_s >= self._reply_due_s:
            self.tally.retries += 1
            facts += self._give_up(at_us)
            self._next_due_s = now_s
        if now_s >= self._mute_due_s:
            self._mute_due_s = float("inf")
            self._is_found, self._written = False, None
            facts += self._lose(at_us, f"Modbus module {self._settings.unit} does not answer")
        if self._asked is None and now_s >= self._next_due_s:
            self._ask(now_s)
        return facts

    def deadline_s(self) -> float | None:
        if not self._is_open:
            return None
        return min(self._mute_due_s, self._next_due_s if self._asked is None else self._reply_due_s)

    def take_outgoing(self) -> Sequence[bytes]:
        outgoing, self._outgoing = self._outgoing, []
        return outgoing

    # -- asking ------------------------------------------------------------------------------------------------------

    def _forget(self) -> None:
        self._is_found = False
        self._asked = self._scanner = self._written = None
        self._level, self._agreed = frozenset(), 0

    def _ask(self, now_s: float) -> None:
        """Lamps and inputs by turns where both are due, so that neither waits for the other."""
        settings = self._settings
        lit = self._lit()
        are_due = lit != self._written or now_s >= self._lamps_due_s
        self._was_lamps = bool(lit) and self._is_found and are_due and not self._was_lamps
        if self._was_lamps:
            self._asked = WriteLamps(first=settings.first_lamp, lit=lit)
        else:
            self._asked = ReadBits(inputs=settings.inputs, first=settings.first_input, count=settings.keys)
        self._scanner = Scanner(answer_grammar(settings.unit, self._asked), self.tally)
        self._outgoing.append(encode_request(settings.unit, self._asked))
        self._reply_due_s = now_s + settings.reply_s

    def _give_up(self, at_us: int) -> Sequence[DeviceFact]:
        """No answer in time. What there was of one is garbage."""
        rest = self._scanner.forget() if self._scanner is not None else ()
        self._asked = self._scanner = None
        return [
            self._rejected(at_us, garbage.reason, garbage.n_bytes) for garbage in rest if isinstance(garbage, Garbage)
        ]

    def _heard(self, answer: Answer, now_s: float, at_us: int) -> Sequence[DeviceFact]:
        asked, self._asked = self._asked, None
        self._next_due_s = now_s + self._settings.poll_s
        if isinstance(asked, WriteLamps) and not isinstance(answer, Bits):
            # Refused ones are not tried again at once either.
            self._written = asked.lit
            self._lamps_due_s = now_s + self._settings.lamps_every_s
        match answer:
            case Refusal(code=code):
                what = "the lamps" if isinstance(asked, WriteLamps) else "the inputs"
                self._next_due_s = now_s + self._settings.reply_s
                self.tally.refusals += isinstance(asked, ReadBits)
                return [self._rejected(at_us, f"refuses {what}, exception {code}", 0)]
            case Written():
                self._mute_due_s = now_s + self._settings.mute_after_s
                return ()
            case Bits(bits=bits):
                self._mute_due_s = now_s + self._settings.mute_after_s
                return [*self._be_found(at_us), *self._moved(at_us, bits)]

    def _be_found(self, at_us: int) -> Sequence[DeviceFact]:
        if self._is_found:
            return ()
        self._is_found, self._told_lost = True, False
        self._level, self._agreed = frozenset(), 0
        settings = self._settings
        identity = f"Modbus unit {settings.unit}, {settings.keys} {settings.inputs.value} from {settings.first_input}"
        return [Found(device=self._device, at_us=at_us, identity=identity)]

    def _lose(self, at_us: int, reason: str) -> Sequence[DeviceFact]:
        facts = [*self._difference(at_us, frozenset())]
        if not self._told_lost:
            self._told_lost = True
            facts.append(Lost(device=self._device, at_us=at_us, reason=reason))
        return facts

    def _rejected(self, at_us: int, reason: str, n_bytes: int) -> Rejected:
        return Rejected(device=self._device, at_us=at_us, reason=reason, n_bytes=n_bytes)

    # -- keys --------------------------------------------------------------------------------------------------------

    def _moved(self, at_us: int, bits: Sequence[bool]) -> Sequence[DeviceFact]:
        level = frozenset(key for key, bit in enumerate(bits) if bit is not self._settings.normally_closed)
        self._agreed = self._agreed + 1 if level == self._level else 1
        self._level = level
        return self._difference(at_us, level) if self._agreed >= self._settings.polls_to_agree else ()

    def _difference(self, at_us: int, level: frozenset[int]) -> Sequence[DeviceFact]:
        """Keys that came up, then keys that went down, each in the order of their numbers."""
        up, down = self._down - level, level - self._down
        self._down = level
        came_up: list[DeviceFact] = [KeyUp(device=self._device, at_us=at_us, key=key) for key in sorted(up)]
        return [*came_up, *[KeyDown(device=self._device, at_us=at_us, key=key) for key in sorted(down)]]

"""A simulated PN532: the chip's end of the serial line, and cards of ISO 14443 A in its field.

Modelled, because clients depend on it: a halted card is quiet until the field goes off or it is lifted; at most two
targets at a time; a listing switches the field on; one that may look for ever answers when a card comes or never; an
ACK of the host stops it; a chip that sleeps hears nothing until the line was woken, and answers then, also before it
has had SAMConfiguration (nfcpy asks for the version first); it keeps the speed it was given until it loses power, and
hears the host's ACK that confirms another speed at the old one: `speed_announced` is told of both before.

Assumed, for no source says it: one look of a listing finds what is there; a card that left is "disappeared" (2B).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from drivers.framing import Scanner
from drivers.pn532 import messages
from drivers.pn532.messages import (
    ACK,
    ALL_TARGETS,
    BAUD,
    BAUD_RATES,
    FROM_CHIP,
    RF_FIELD,
    RF_MAX_RETRIES,
    SYNTAX_ERROR,
    TARGETS_MAX,
    TYPE_A,
    Ack,
    Code,
    Data,
    Frame,
    Nack,
    Status,
    Target,
)
from simulators.devices.field import Field

#: IC, version, revision, ISO 14443 A and B and ISO 18092 (U; libnfc calls it v1.6).
FIRMWARE: Final = bytes.fromhex("32 01 06 07")
#: Looks without end.
FOR_EVER: Final = 0xFF
#: A sleeping chip wakes at this byte or any other with enough edges; L sends it.
WAKING: Final = 0x55
P3_COUNTS: Final = 0x80


@dataclass(frozen=True, kw_only=True, slots=True)
class ChipOptions:
    """How this chip was left."""

    #: A program that crashed may have left it at another speed.
    baud: int = BAUD
    #: Cards that do not keep quiet when they are halted.
    stubborn: frozenset[str] = frozenset()
    #: Commands that this chip does not understand.
    unknown: frozenset[int] = frozenset()


DEFAULT_OPTIONS: Final = ChipOptions()


class ChipProtocol:
    """What the chip hears and answers, sans-I/O. `fields` are its antennas; pins P30, P31 select one of several.

    `speed_changed` is told of each new speed.
    """

    def __init__(
        self,
        fields: Sequence[Field],
        options: ChipOptions = DEFAULT_OPTIONS,
        *,
        speed_changed: Callable[[int], None] = lambda baud: None,
        speed_announced: Callable[[int, bytes], None] = lambda baud, confirmation: None,
    ) -> None:
        self._fields = fields
        self._options = options
        self._speed_changed = speed_changed
        self._speed_announced = speed_announced
        self._scanner: Scanner[Frame] = Scanner(messages.host_grammar())
        self._outgoing: list[bytes] = []
        self._boot()
        self._speed = options.baud
        speed_changed(options.baud)

    def _boot(self) -> None:
        self._is_awake = False
        self._is_field_on = True
        self._retries = FOR_EVER
        self._antenna = 0
        self._targets: dict[int, str] = {}
        self._last: bytes = b""
        #: A listing that waits for a card.
        self._waiting: Data | None = None
        #: A speed that the host has yet to confirm.
        self._next_speed: int | None = None
        self._speed = BAUD

    # -- what happens to it --------------------------------------------------------------------------------------------

    def power_lost(self) -> None:
        """See `ReaderProtocol`."""
        self._boot()
        self._scanner.forget()
        for field in self._fields:
            field.off()
        self._speed_changed(self._speed)

    def host_went(self) -> None:
        """See `ReaderProtocol`."""
        self._scanner.forget()

    def field_changed(self) -> None:
        """See `ReaderProtocol`."""
        if self._waiting is not None and self._is_field_on and self._field.awake():
            command, self._waiting = self._waiting, None
            self._answer(command, self._list(command.data[0]))

    def receive(self, data: bytes) -> None:
        """See `ReaderProtocol`."""
        if not self._is_awake:
            if WAKING not in data and not any(data):
                return
            self._is_awake = True
        for item in self._scanner.feed(data):
            match item:
                case Ack():
                    self._stop()
                case Nack():
                    self._outgoing += [self._last] if self._last else []
                case Data():
                    self._obey(item)

    def take_outgoing(self) -> Sequence[bytes]:
        """See `ReaderProtocol`."""
        taken, self._outgoing = self._outgoing, []
        return taken

    # -- commands ------------------------------------------------------------------------------------------------------

    @property
    def _field(self) -> Field:
        return self._fields[self._antenna % len(self._fields)]

    def _stop(self) -> None:
        """An ACK of the host."""
        self._waiting = None
        if self._next_speed is not None:
            self._speed, self._next_speed = self._next_speed, None
            self._speed_changed(self._speed)

    def _obey(self, command: Data) -> None:
        self._waiting = None
        handler = _HANDLERS.get(command.code)
        if handler is None or command.code in self._options.unknown:
            self._outgoing += [ACK, SYNTAX_ERROR]
            return
        self._outgoing.append(ACK)
        reply = handler(self, command.data)
        if reply is None:
            self._outgoing.append(SYNTAX_ERROR)
        elif command.code == Code.IN_LIST_PASSIVE_TARGET and reply == b"\x00" and self._may_wait(command.data):
            self._waiting = command
        else:
            self._answer(command, reply)

    def _may_wait(self, data: bytes) -> bool:
        return self._retries == FOR_EVER and data[1] == TYPE_A

    def _answer(self, command: Data, data: bytes) -> None:
        self._last = messages.encode(Data(command.code + 1, data), tfi=FROM_CHIP)
        self._outgoing.append(self._last)

    def diagnose(self, data: bytes) -> bytes | None:
        """Only the test of the line: it says the same again."""
        return data if data[:1] == b"\x00" else b"\x00"

    def firmware(self, data: bytes) -> bytes | None:
        return FIRMWARE

    def general_status(self, data: bytes) -> bytes | None:
        return bytes([0, self._is_field_on, len(self._targets), 0x80])

    def read_register(self, data: bytes) -> bytes | None:
        return bytes(len(data) // 2) if data and len(data) % 2 == 0 else None

    def nothing_to_say(self, data: bytes) -> bytes | None:
        return b""

    def write_gpio(self, data: bytes) -> bytes | None:
        if len(data) != 2:
            return None
        if data[0] & P3_COUNTS:
            self._antenna = data[0] & 0x03
        return b""

    def set_speed(self, data: bytes) -> bytes | None:
        if len(data) != 1 or data[0] not in BAUD_RATES:
            return None
        self._next_speed = BAUD_RATES[data[0]]
        self._speed_announced(self._next_speed, ACK)
        return b""

    def power_down(self, data: bytes) -> bytes | None:
        self._is_awake = False
        return bytes([Status.OK])

    def rf_configuration(self, data: bytes) -> bytes | None:
        if data[:1] == bytes([RF_FIELD]) and len(data) == 2:
            self._is_field_on = bool(data[1] & 0x01)
            if not self._is_field_on:
                self._targets.clear()
                for field in self._fields:
                    field.off()
        elif data[:1] == bytes([RF_MAX_RETRIES]) and len(data) == 4:
            self._retries = data[3]
        return b""

    def no_answer_from_card(self, data: bytes) -> bytes | None:
        return bytes([Status.TIMEOUT])

    def exchange(self, data: bytes) -> bytes | None:
        """No card here has anything to read; one that left has disappeared."""
        tag = self._targets.get(data[0]) if data else None
        if tag is None:
            return bytes([Status.CONTEXT])
        return bytes([Status.TIMEOUT if self._field.is_there(tag) else Status.CARD_DISAPPEARED])

    def deselect(self, data: bytes) -> bytes | None:
        """Halt one target or all; a card that left is past it."""
        if len(data) != 1:
            return None
        numbers = list(self._targets) if data[0] == ALL_TARGETS else [data[0]]
        if any(number not in self._targets for number in numbers):
            return bytes([Status.CONTEXT])
        status = Status.OK
        for number in numbers:
            tag = self._targets[number]
            if not self._field.is_there(tag):
                status = Status.CARD_DISAPPEARED
            elif tag not in self._options.stubborn:
                self._field.hush(tag)
        return bytes([status])

    def release(self, data: bytes) -> bytes | None:
        reply = self.deselect(data)
        if data[:1] == bytes([ALL_TARGETS]):
            self._targets.clear()
        elif data:
            self._targets.pop(data[0], None)
        return reply

    def list_targets(self, data: bytes) -> bytes | None:
        if len(data) < 2 or not 1 <= data[0] <= TARGETS_MAX:
            return None
        return self._list(data[0]) if data[1] == TYPE_A else b"\x00"

    def _list(self, max_targets: int) -> bytes:
        self._is_field_on = True
        self._targets = dict(enumerate(self._field.awake()[:max_targets], start=1))
        listed = [messages.encode_target(_target(number, tag)) for number, tag in self._targets.items()]
        return bytes([len(listed)]) + b"".join(listed)


_Handler = Callable[[ChipProtocol, bytes], bytes | None]
#: What is not here gets a syntax error.
_HANDLERS: Final[Mapping[int, _Handler]] = {
    Code.DIAGNOSE: ChipProtocol.diagnose,
    Code.GET_FIRMWARE_VERSION: ChipProtocol.firmware,
    Code.GET_GENERAL_STATUS: ChipProtocol.general_status,
    Code.READ_REGISTER: ChipProtocol.read_register,
    Code.WRITE_REGISTER: ChipProtocol.nothing_to_say,
    Code.WRITE_GPIO: ChipProtocol.write_gpio,
    Code.SET_SERIAL_BAUD_RATE: ChipProtocol.set_speed,
    Code.SET_PARAMETERS: ChipProtocol.nothing_to_say,
    Code.SAM_CONFIGURATION: ChipProtocol.nothing_to_say,
    Code.POWER_DOWN: ChipProtocol.power_down,
    Code.RF_CONFIGURATION: ChipProtocol.rf_configuration,
    Code.IN_DATA_EXCHANGE: ChipProtocol.exchange,
    Code.IN_COMMUNICATE_THRU: ChipProtocol.no_answer_from_card,
    Code.IN_DESELECT: ChipProtocol.deselect,
    Code.IN_RELEASE: ChipProtocol.release,
    Code.IN_SELECT: ChipProtocol.exchange,
    Code.IN_LIST_PASSIVE_TARGET: ChipProtocol.list_targets,
    Code.IN_AUTO_POLL: lambda chip, data: b"\x00",
}

#: SENS_RES and SEL_RES of an NTAG or Ultralight (7 bytes) and of a Mifare Classic (4), as published traces show them.
_SENS_RES: Final = {4: bytes.fromhex("00 04"), 7: bytes.fromhex("00 44"), 10: bytes.fromhex("00 84")}
_SEL_RES: Final = {4: 0x08, 7: 0x00, 10: 0x00}


def _target(number: int, tag: str) -> Target:
    uid = bytes.fromhex(tag)
    return Target(number=number, sens_res=_SENS_RES[len(uid)], sel_res=_SEL_RES[len(uid)], uid=uid)

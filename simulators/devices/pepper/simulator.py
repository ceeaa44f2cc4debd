"""A simulated Eccel Pepper C1, and tags in its field.

Modelled: counting looks at the field and fixes the order in which tags are read; a bare FF repeats the last frame; what
it does not know is refused. After a reboot it is deaf until the host has been silent in vain once: its second of
deafness, without a clock. The antennas are counted from 1, as the maker's own client counts them. Assumed, for no
source says it: its version text.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from drivers.framing import Garbage, Scanner
from drivers.pepper import messages
from drivers.pepper.messages import REFUSAL, TAGS_MAX, Command, ErrorCode, Event, Frame, Opcode, Refusal, Reply
from simulators.devices.field import Field

VERSION: Final = b"Pepper C1 1.0 (simulated)"
#: Kinds of tags (made up, but for their being told apart) and their parameter: SAK or DSFID.
_KIND: Final = {4: b"\x01\x08", 7: b"\x01\x00", 10: b"\x01\x00", 8: b"\x02\x00"}
#: Layer of a refusal (made up).
LAYER: Final = 0x00
#: Commands that a reader which has just started does not hear.
DEAF_COMMANDS: Final = 1


@dataclass(frozen=True, kw_only=True, slots=True)
class PepperOptions:
    """Oddities of this reader."""

    #: Every command but VERSION is refused with this.
    trouble: ErrorCode | None = None
    #: It also says unasked that something happened, in front of each answer.
    polls_by_itself: bool = False


DEFAULT_OPTIONS: Final = PepperOptions()


class PepperProtocol:
    """What the reader hears and answers, sans-I/O. `fields` are its antennas."""

    def __init__(self, fields: Sequence[Field], options: PepperOptions = DEFAULT_OPTIONS) -> None:
        self._fields = fields
        self._options = options
        self._scanner: Scanner[Command] = Scanner(messages.host_grammar())
        self._outgoing: list[bytes] = []
        self._antenna = 1
        self._listed: list[str] = []
        self._last = b""
        self._deaf = 0

    def power_lost(self) -> None:
        """See `ReaderProtocol`."""
        self._scanner.forget()
        self._antenna = 1
        self._listed = []
        self._last = b""
        self._deaf = DEAF_COMMANDS

    def host_went(self) -> None:
        """See `ReaderProtocol`."""
        self._scanner.forget()

    def field_changed(self) -> None:
        """See `ReaderProtocol`. What it would say by itself is not known."""

    def receive(self, data: bytes) -> None:
        """See `ReaderProtocol`."""
        for item in self._scanner.feed(data):
            if isinstance(item, Garbage):
                continue
            if self._deaf:
                self._deaf -= 1
            elif item.opcode == REFUSAL and not item.arguments:
                self._outgoing += [self._last] if self._last else []
            else:
                self._answer(item)

    def take_outgoing(self) -> Sequence[bytes]:
        """See `ReaderProtocol`."""
        taken, self._outgoing = self._outgoing, []
        return taken

    def _answer(self, command: Command) -> None:
        if self._options.polls_by_itself:
            self._outgoing.append(messages.encode(messages.payload_of(Event(b"\x01\x02"))))
        self._last = messages.encode(messages.payload_of(self._frame_for(command)))
        self._outgoing.append(self._last)

    def _frame_for(self, command: Command) -> Frame:
        opcode, arguments = command.opcode, command.arguments
        if self._options.trouble is not None and opcode != Opcode.VERSION:
            return Refusal(opcode, LAYER, self._options.trouble)
        match opcode:
            case Opcode.VERSION:
                return Reply(opcode, VERSION)
            case Opcode.DUMMY | Opcode.HALT:
                return Reply(opcode)
            case Opcode.ANTENNA if len(arguments) == 1 and 1 <= arguments[0] <= len(self._fields):
                self._antenna = arguments[0]
                return Reply(opcode)
            case Opcode.TAG_COUNT:
                self._listed = list(self._fields[self._antenna - 1].awake())[:TAGS_MAX]
                return Reply(opcode, bytes([len(self._listed)]))
            case Opcode.TAG_UID | Opcode.ACTIVATE if len(arguments) == 1 and arguments[0] < len(self._listed):
                return self._tag(opcode, self._listed[arguments[0]])
            case Opcode.TAG_UID | Opcode.ACTIVATE:
                return Refusal(opcode, LAYER, ErrorCode.PROTOCOL)
            case _:
                return Refusal(opcode, LAYER, ErrorCode.UNSUPPORTED)

    def _tag(self, opcode: int, tag: str) -> Frame:
        if not self._fields[self._antenna - 1].is_there(tag):
            return Refusal(opcode, LAYER, ErrorCode.NO_REPLY)
        uid = bytes.fromhex(tag)
        return Reply(opcode, _KIND[len(uid)] + uid if opcode == Opcode.TAG_UID else b"")

"""A simulated FEIG OBID i-scan reader in ISO-Host mode, and tags of ISO 15693 in its field.

Modelled, because clients depend on it: no answer at all to a frame that is damaged or for another address; a tag that
was listed is quiet until it leaves the field, the field is reset, or ONT is off; a long list comes in parts.

Assumed, for no source says it: how many tags an answer holds where nobody says (as many as a standard frame can); that
with the field off an inventory finds nobody.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from drivers.feig import messages
from drivers.feig.messages import (
    ANTICOLLISION_BLOCK,
    ANY_ADDRESS,
    BLOCK_BYTES,
    INVENTORY,
    MORE,
    ONT_BIT,
    ONT_BYTE,
    RECORD_BYTES,
    STANDARD_MAX,
    Control,
    Frame,
    Status,
)
from drivers.framing import Garbage, Scanner
from simulators.devices.field import Field

#: Software 4.0, hardware 0, type 30 (made up).
VERSION: Final = bytes.fromhex("04 00 00 00 30 00 08")
#: Pieces in which a frame may come. It stands for the reader's time-out: what did not get whole by then is dropped.
PIECES_MAX: Final = 3
#: As many records as fit into a standard frame with its number of records.
RECORDS_MAX: Final = (STANDARD_MAX - 7) // RECORD_BYTES
#: Blocks of the configuration that exist (P: CFG0 to CFG7; CFG0 is reserved).
BLOCKS: Final = range(1, 8)


@dataclass(frozen=True, kw_only=True, slots=True)
class FeigOptions:
    """How this reader is configured."""

    address: int = 0
    #: ONT, on as delivered (P).
    only_new: bool = True
    records_max: int = RECORDS_MAX
    #: Each inventory fails with this.
    trouble: Status | None = None


DEFAULT_OPTIONS: Final = FeigOptions()
_Reply = tuple[int, bytes]


class FeigProtocol:
    """What the reader hears and answers, sans-I/O."""

    def __init__(self, field: Field, options: FeigOptions = DEFAULT_OPTIONS) -> None:
        self._field = field
        self._options = options
        self._scanner: Scanner[Frame] = Scanner(messages.host_grammar())
        self._n_waited = 0
        self._outgoing: list[bytes] = []
        self._is_field_on = True
        self._left: list[str] = []

    def power_lost(self) -> None:
        """See `ReaderProtocol`."""
        self._scanner.forget()
        self._field.off()
        self._is_field_on = True
        self._left = []

    def host_went(self) -> None:
        """See `ReaderProtocol`."""
        self._scanner.forget()

    def field_changed(self) -> None:
        """See `ReaderProtocol`. It only answers."""

    def receive(self, data: bytes) -> None:
        """See `ReaderProtocol`."""
        items = list(self._scanner.feed(data))
        self._n_waited = self._n_waited + 1 if self._scanner.is_waiting else 0
        if self._n_waited >= PIECES_MAX:
            items += self._scanner.forget()
            self._n_waited = 0
        for item in items:
            if not isinstance(item, Garbage) and item.address in (ANY_ADDRESS, self._options.address):
                self._answer(item)

    def take_outgoing(self) -> Sequence[bytes]:
        """See `ReaderProtocol`."""
        taken, self._outgoing = self._outgoing, []
        return taken

    def _answer(self, command: Frame) -> None:
        if command.control == Control.FLASH_LOADER:
            return
        handler = _HANDLERS.get(command.control)
        status, data = handler(self, command.data) if handler else (Status.UNKNOWN_COMMAND, b"")
        reply = Frame(
            address=self._options.address,
            control=command.control,
            status=status,
            data=data,
            is_advanced=command.is_advanced,
        )
        self._outgoing.append(messages.encode(reply))

    def ok(self, data: bytes) -> _Reply:
        return Status.OK, b""

    def cpu_reset(self, data: bytes) -> _Reply:
        self._field.off()
        self._is_field_on = True
        self._left = []
        return Status.OK, b""

    def version(self, data: bytes) -> _Reply:
        return Status.OK, VERSION

    def rf_reset(self, data: bytes) -> _Reply:
        self._field.off()
        self._left = []
        return Status.OK, b""

    def rf_on_off(self, data: bytes) -> _Reply:
        if data not in (b"\0", b"\1"):
            return Status.PARAMETER_RANGE, b""
        self._is_field_on = data == b"\1"
        self._field.off()
        return Status.OK, b""

    def read_configuration(self, data: bytes) -> _Reply:
        if len(data) != 1 or data[0] & 0x7F not in BLOCKS:
            return Status.RESERVED_CONFIGURATION, b""
        block = bytearray(BLOCK_BYTES)
        if data[0] & 0x7F == ANTICOLLISION_BLOCK:
            block[0] = 0x02
            block[ONT_BYTE] = ONT_BIT if self._options.only_new else 0
        return Status.OK, bytes(block)

    def iso15693(self, data: bytes) -> _Reply:
        if data[:1] != bytes([INVENTORY]):
            return Status.UNKNOWN_COMMAND, b""
        if len(data) != 2:
            return Status.LENGTH, b""
        if self._options.trouble is not None:
            return self._options.trouble, b""
        if not data[1] & MORE:
            self._look()
        now, self._left = self._left[: self._options.records_max], self._left[self._options.records_max :]
        if not now:
            return Status.NO_TRANSPONDER, b""
        return Status.MORE_DATA if self._left else Status.OK, messages.encode_tags(now)

    def _look(self) -> None:
        if not self._options.only_new:
            self._field.off()
        self._left = list(self._field.awake()) if self._is_field_on else []
        for tag in self._left:
            self._field.hush(tag)


_HANDLERS: Final[Mapping[int, Callable[[FeigProtocol, bytes], _Reply]]] = {
    Control.DETECT_BAUD: FeigProtocol.ok,
    Control.CPU_RESET: FeigProtocol.cpu_reset,
    Control.SOFTWARE_VERSION: FeigProtocol.version,
    Control.RF_RESET: FeigProtocol.rf_reset,
    Control.RF_ON_OFF: FeigProtocol.rf_on_off,
    Control.READ_CONFIGURATION: FeigProtocol.read_configuration,
    Control.ISO15693: FeigProtocol.iso15693,
}

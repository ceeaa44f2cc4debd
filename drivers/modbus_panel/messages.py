"""Modbus-RTU as far as a panel needs it: read bits, write coils. Bytes by pymodbus, frames by our scanner.

Sources: "MODBUS Application Protocol Specification V1.1b3" (6.1, 6.2, 6.11, 7) and "MODBUS over Serial Line V1.02"
(2.5.1: address, function, data, checksum with its low byte first), as pymodbus 3.16 implements them.

pymodbus has messages and checksum without I/O, and they are used here. Its framer is not: it gives up a good answer
after a byte of noise. Its client is not: it wants to own port, clock and retries, which are the port's and ours here.

An RTU frame has no start and no length of its own, so each grammar is made for what is expected.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final, TypeAlias, TypeVar

from pymodbus.framer import FramerRTU
from pymodbus.pdu import DecodePDU, ExceptionResponse, ModbusPDU
from pymodbus.pdu.bit_message import (
    ReadCoilsRequest,
    ReadCoilsResponse,
    ReadDiscreteInputsRequest,
    ReadDiscreteInputsResponse,
    WriteMultipleCoilsRequest,
    WriteMultipleCoilsResponse,
)

from drivers.framing import Grammar, NoFrame, Partial, Verdict, Whole
from drivers.modbus_panel.settings import Inputs

T = TypeVar("T")

#: Added to the function's number in an answer that refuses it.
REFUSAL: Final = 0x80
ILLEGAL_FUNCTION: Final = 1
ILLEGAL_ADDRESS: Final = 2

READ_COILS: Final = 1
READ_INPUTS: Final = 2
WRITE_COILS: Final = 15

_READ: Final = {Inputs.COILS: READ_COILS, Inputs.DISCRETE: READ_INPUTS}
_REFUSAL_BYTES: Final = 5
_HEAD_BYTES: Final = 2
_CHECK_BYTES: Final = 2
_FIXED_BYTES: Final = 8


@dataclass(frozen=True, kw_only=True, slots=True)
class ReadBits:
    """Ask for the inputs."""

    inputs: Inputs
    first: int
    count: int


@dataclass(frozen=True, kw_only=True, slots=True)
class WriteLamps:
    """Say how the lamps are to be, all together."""

    first: int
    lit: tuple[bool, ...]


Request: TypeAlias = ReadBits | WriteLamps


@dataclass(frozen=True, slots=True)
class Bits:
    """The inputs."""

    bits: tuple[bool, ...]


@dataclass(frozen=True, slots=True)
class Written:
    """The lamps are as they were to be."""


@dataclass(frozen=True, slots=True)
class Refusal:
    """The module will not; `code` is why (V1.1b3, 7)."""

    code: int


Answer: TypeAlias = Bits | Written | Refusal


# -- the host --------------------------------------------------------------------------------------------------------


def encode_request(unit: int, request: Request) -> bytes:
    """The frame that asks."""
    match request:
        case ReadBits(inputs=Inputs.COILS, first=first, count=count):
            return _frame(ReadCoilsRequest(dev_id=unit, address=first, count=count))
        case ReadBits(first=first, count=count):
            return _frame(ReadDiscreteInputsRequest(dev_id=unit, address=first, count=count))
        case WriteLamps(first=first, lit=lit):
            return _frame(WriteMultipleCoilsRequest(dev_id=unit, address=first, bits=list(lit)))


def answer_grammar(unit: int, request: Request) -> Grammar[Answer]:
    """Where the answer to `request` begins and ends."""
    function = _READ[request.inputs] if isinstance(request, ReadBits) else WRITE_COILS

    def judge(buffer: bytes) -> Verdict[Answer]:
        if buffer[0] != unit:
            return NoFrame("not from this module")
        if len(buffer) < _HEAD_BYTES:
            return Partial()
        if buffer[1] == function | REFUSAL:
            length = _REFUSAL_BYTES
        elif buffer[1] != function:
            return NoFrame("an answer to nothing that was asked")
        elif isinstance(request, WriteLamps):
            length = _FIXED_BYTES
        else:
            n_bytes = (request.count + 7) // 8
            if len(buffer) > _HEAD_BYTES and buffer[_HEAD_BYTES] != n_bytes:
                return NoFrame("not as many inputs as were asked for")
            length = _HEAD_BYTES + 1 + n_bytes + _CHECK_BYTES
        return _judged(buffer, length, lambda pdu: _answer(pdu, request), is_server=False)

    return judge


def _answer(pdu: ModbusPDU, request: Request) -> Answer | None:
    match pdu:
        case ExceptionResponse():
            return Refusal(pdu.exception_code)
        case ReadCoilsResponse() if isinstance(request, ReadBits):
            return Bits(tuple(pdu.bits[: request.count]))
        case WriteMultipleCoilsResponse() if isinstance(request, WriteLamps):
            is_echo = (pdu.address, pdu.count) == (request.first, len(request.lit))
            return Written() if is_echo else None
        case _:
            return None


# -- the module ------------------------------------------------------------------------------------------------------


def request_grammar(unit: int) -> Grammar[Request | Refusal]:
    """Where a request to a module begins and ends; a `Refusal` is what it answers to one that it does not know."""

    def judge(buffer: bytes) -> Verdict[Request | Refusal]:
        if buffer[0] != unit:
            return NoFrame("not for this module")
        if len(buffer) < _HEAD_BYTES:
            return Partial()
        length = _FIXED_BYTES
        if buffer[1] == WRITE_COILS:
            # After address and count (4 bytes): how many bytes follow.
            if len(buffer) <= _HEAD_BYTES + 4:
                return Partial()
            length = _HEAD_BYTES + 5 + buffer[_HEAD_BYTES + 4] + _CHECK_BYTES
        return _judged(buffer, length, _request, is_server=True)

    return judge


def _request(pdu: ModbusPDU) -> Request | Refusal:
    match pdu:
        case ReadDiscreteInputsRequest():
            return ReadBits(inputs=Inputs.DISCRETE, first=pdu.address, count=pdu.count)
        case ReadCoilsRequest():
            return ReadBits(inputs=Inputs.COILS, first=pdu.address, count=pdu.count)
        case WriteMultipleCoilsRequest():
            return WriteLamps(first=pdu.address, lit=tuple(pdu.bits))
        case _:
            return Refusal(ILLEGAL_FUNCTION)


def encode_answer(unit: int, request: Request, answer: Answer) -> bytes:
    """The frame that answers `request`."""
    match answer, request:
        case Refusal(code=code), _:
            function = _READ[request.inputs] if isinstance(request, ReadBits) else WRITE_COILS
            return _frame(ExceptionResponse(function, code, device_id=unit))
        case Bits(bits=bits), ReadBits(inputs=Inputs.COILS):
            return _frame(ReadCoilsResponse(dev_id=unit, bits=list(bits)))
        case Bits(bits=bits), _:
            return _frame(ReadDiscreteInputsResponse(dev_id=unit, bits=list(bits)))
        case _, WriteLamps(first=first, lit=lit):
            return _frame(WriteMultipleCoilsResponse(dev_id=unit, address=first, count=len(lit)))
        case _:
            raise ValueError("an answer that does not belong to the request")


# -- both ------------------------------------------------------------------------------------------------------------


def _frame(pdu: ModbusPDU) -> bytes:
    return FramerRTU(DecodePDU(is_server=False)).buildFrame(pdu)


def _judged(buffer: bytes, length: int, meaning: Callable[[ModbusPDU], T | None], *, is_server: bool) -> Verdict[T]:
    """The verdict on a frame whose length is known."""
    if len(buffer) < length:
        return Partial()
    body, check = buffer[: length - _CHECK_BYTES], buffer[length - _CHECK_BYTES : length]
    if not FramerRTU.check_CRC(body, int.from_bytes(check, "big")):
        return NoFrame("wrong checksum")
    pdu = DecodePDU(is_server=is_server).decode(body[1:])
    said = None if pdu is None else meaning(pdu)
    return NoFrame("a message that makes no sense here") if said is None else Whole(said, length)

"""Messages between a `usb_socket` backend and the process that serves simulated USB devices. Our own format.

A message is two lengths (header, body; 4 bytes each, big endian), a header (one JSON object, UTF-8) and a body (the
bytes of the transfer; empty for most). Each request is answered by exactly one reply, in order, on its connection.

A connection's first request decides what it is for:
- `enumerate` asks for the devices that are plugged in; the reply has `devices`, a list of `DeviceDescriptor` as JSON.
- `open` with `device` (an id from `enumerate`) makes the connection the control connection of a new handle; the reply
  has `handle`. When this connection ends, the handle is closed and what it had claimed is free again.
- `attach` with `handle` makes it one more connection of that handle. A transfer that waits keeps its own connection
  waiting only, so each endpoint is given one.

After `open` or `attach`: `configuration` (reply: `value`), `set_configuration` (`value`), `claim`, `release`,
`driver_active` (reply: `active`) and `detach_driver` / `attach_driver` (all with `interface`), `clear_halt`
(`endpoint`), `reset`, `read` (`endpoint`, `size`, `timeout_ms`; the body of the reply is the report), `write`
(`endpoint`, `timeout_ms`, body) and `control` (`request_type`, `request`, `value`, `index`, `size`, `timeout_ms`, body;
the body of the reply is what an IN transfer brought). A time-out of 0 waits for ever, as with libusb.

A reply has `errno`: 0, or the error as Linux numbers it, and `error` with a sentence then.
"""

from __future__ import annotations

import json
import socket
import struct
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import Any, Final, TypeAlias

from drivers.transport.base import WireLost

#: What stands before the path where a socket is configured in place of the machine's own USB.
SCHEME: Final = "unix:"
#: Header and body length, bytes, big endian.
LENGTHS: Final = struct.Struct(">II")
#: No report is nearly as long; a longer message is no message of this format.
LONGEST_PART_BYTES: Final = 1 << 20
#: So much is asked for at once: hardly any message is longer.
_MOST_MESSAGES_BYTES: Final = 4096
#: Made once. Of the standard library: other programs serve these devices with the system's own Python.
_JSON: Final = json.JSONEncoder(separators=(",", ":"))

#: A JSON object. `Any` because each operation has its own fields; both ends read them through typed functions.
Header: TypeAlias = Mapping[str, Any]


class FormatError(ValueError):
    """What came over the socket is no message of this format."""


@dataclass(frozen=True, kw_only=True, slots=True)
class EndpointDescriptor:
    """USB 2.0, table 9-13. `address` has bit 7 set for IN; `interval` as in bInterval."""

    address: int
    #: 3 is interrupt, 2 is bulk.
    attributes: int = 3
    max_packet_bytes: int = 64
    interval: int = 10


@dataclass(frozen=True, kw_only=True, slots=True)
class InterfaceDescriptor:
    """USB 2.0, table 9-12, alternate setting 0. `driver` names the kernel driver that holds it when plugged in."""

    number: int
    endpoints: tuple[EndpointDescriptor, ...]
    class_code: int = 3
    driver: str | None = None


@dataclass(frozen=True, kw_only=True, slots=True)
class DeviceDescriptor:
    """What is to be seen of a device without opening it (USB 2.0, table 9-8), and where it is plugged in.

    One configuration, with value 1. `strings` are the string descriptors from index 1; `serial_index` 0 means none.
    """

    device: int
    bus: int
    address: int
    ports: tuple[int, ...]
    vendor_id: int
    product_id: int
    release: int = 0
    strings: tuple[str, ...] = ()
    serial_index: int = 0
    interfaces: tuple[InterfaceDescriptor, ...] = field(default=())

    def to_json(self) -> dict[str, Any]:
        """The object that stands for it in the reply to `enumerate`."""
        return asdict(self)

    @staticmethod
    def from_json(seen: Mapping[str, Any]) -> DeviceDescriptor:
        """The other way. Raises `FormatError`."""
        try:
            interfaces = tuple(
                InterfaceDescriptor(
                    **{**interface, "endpoints": tuple(EndpointDescriptor(**end) for end in interface["endpoints"])}
                )
                for interface in seen["interfaces"]
            )
            fields = {**seen, "ports": tuple(seen["ports"]), "strings": tuple(seen["strings"])}
            return DeviceDescriptor(**{**fields, "interfaces": interfaces})
        except (KeyError, TypeError) as why:
            raise FormatError(f"no device descriptor: {why}") from why


def send_message(connection: socket.socket, header: Header, body: bytes = b"") -> None:
    """Send one message whole. Raises `OSError` as the socket does."""
    head = _JSON.encode(header).encode()
    connection.sendall(LENGTHS.pack(len(head), len(body)) + head + body)


def receive_message(connection: socket.socket) -> tuple[dict[str, Any], bytes]:
    """Wait for one message. Raises `WireLost` when the other end is gone, `FormatError` on anything else."""
    # Nobody says anything before the last message was answered, so what has come is this one alone.
    data = _received(connection, _MOST_MESSAGES_BYTES)
    while len(data) < LENGTHS.size:
        data += _received(connection, LENGTHS.size - len(data))
    head_bytes, body_bytes = LENGTHS.unpack_from(data)
    if max(head_bytes, body_bytes) > LONGEST_PART_BYTES:
        raise FormatError(f"a message of {head_bytes} and {body_bytes} bytes")
    head_ends = LENGTHS.size + head_bytes
    ends = head_ends + body_bytes
    while len(data) < ends:
        data += _received(connection, ends - len(data))
    if len(data) > ends:
        raise FormatError(f"{len(data) - ends} bytes after a message that nobody has answered")
    try:
        header = json.loads(data[LENGTHS.size : head_ends])
    except (ValueError, RecursionError) as why:
        raise FormatError(f"the header is no JSON: {why}") from why
    if not isinstance(header, dict):
        raise FormatError("the header is no JSON object")
    return header, data[head_ends:]


def _received(connection: socket.socket, most_bytes: int) -> bytes:
    try:
        data = connection.recv(most_bytes)
    except OSError as why:
        raise WireLost(f"USB socket: {why}") from why
    if not data:
        raise WireLost("USB socket: the other end closed it")
    return data

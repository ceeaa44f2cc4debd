"""The messages between a USB socket's two ends, over a pair of sockets."""

from __future__ import annotations

import json
import socket
from collections.abc import Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st

from drivers.transport.base import WireLost
from simulators.devices.usb_socket_format import (
    LENGTHS,
    DeviceDescriptor,
    EndpointDescriptor,
    FormatError,
    InterfaceDescriptor,
    receive_message,
    send_message,
)

PANEL = DeviceDescriptor(
    device=7,
    bus=1,
    address=9,
    ports=(2, 3),
    vendor_id=0x05F3,
    product_id=0x0405,
    strings=("XK-24", "A1"),
    serial_index=2,
    interfaces=(InterfaceDescriptor(number=0, endpoints=(EndpointDescriptor(address=0x81),), driver="usbhid"),),
)


@pytest.fixture
def ends() -> Iterator[tuple[socket.socket, socket.socket]]:
    one, other = socket.socketpair()
    with one, other:
        yield one, other


def test_a_message_is_two_lengths_a_header_and_a_body(ends: tuple[socket.socket, socket.socket]) -> None:
    send_message(ends[0], {"op": "write"}, b"\1\2")
    assert ends[1].recv(100) == bytes.fromhex("0000000e 00000002") + b'{"op":"write"}' + b"\1\2"


@given(st.dictionaries(st.text(max_size=5), st.integers() | st.text(max_size=5), max_size=3), st.binary(max_size=99))
def test_what_is_sent_is_received(header: dict[str, int | str], body: bytes) -> None:
    one, other = socket.socketpair()
    with one, other:
        send_message(one, header, body)
        assert receive_message(other) == (header, body)


def test_a_message_may_come_byte_by_byte() -> None:
    """Of such a pair each `recv` gives what one `send` was given, and no more."""
    one, other = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    with one, other:
        for byte in LENGTHS.pack(14, 2) + b'{"op":"write"}' + b"\1\2":
            one.sendall(bytes([byte]))
        assert receive_message(other) == ({"op": "write"}, b"\1\2")


def test_a_descriptor_is_an_object_with_the_numbers_of_the_usb_standard() -> None:
    """Class 3 is HID (HID 1.11, 4.1); attributes 3 an interrupt endpoint (USB 2.0, table 9-13)."""
    endpoint = {"address": 0x81, "attributes": 3, "max_packet_bytes": 64, "interval": 10}
    assert PANEL.to_json() == {
        "device": 7,
        "bus": 1,
        "address": 9,
        "ports": (2, 3),
        "vendor_id": 0x05F3,
        "product_id": 0x0405,
        "release": 0,
        "strings": ("XK-24", "A1"),
        "serial_index": 2,
        "interfaces": ({"number": 0, "endpoints": (endpoint,), "class_code": 3, "driver": "usbhid"},),
    }


def test_a_device_without_a_serial_number_has_index_0() -> None:
    """USB 2.0, table 9-8: iSerialNumber 0 is none."""
    plain = DeviceDescriptor(device=7, bus=1, address=9, ports=(2,), vendor_id=0x05F3, product_id=0x0405)
    assert plain.serial_index == 0


def test_the_longest_part_of_a_message_is_a_mebibyte(ends: tuple[socket.socket, socket.socket]) -> None:
    ends[0].sendall(LENGTHS.pack(2, 1_048_576) + b"{}")
    ends[0].close()
    with pytest.raises(WireLost, match="the other end closed it"):
        receive_message(ends[1])


def test_a_descriptor_survives_the_way() -> None:
    assert DeviceDescriptor.from_json(json.loads(json.dumps(PANEL.to_json()))) == PANEL


@pytest.mark.parametrize("seen", [{}, {"interfaces": [], "ports": [], "strings": []}, {**PANEL.to_json(), "new": 1}])
def test_what_is_no_descriptor_says_so(seen: dict[str, object]) -> None:
    with pytest.raises(FormatError, match="no device descriptor"):
        DeviceDescriptor.from_json(seen)


@pytest.mark.parametrize(
    "data",
    [
        LENGTHS.pack(1_048_577, 0),
        LENGTHS.pack(0, 1_048_577),
        LENGTHS.pack(2, 0) + b"no",
        LENGTHS.pack(2, 0) + b"[]",
        LENGTHS.pack(4, 0) + b'"\xff\xff"',
        LENGTHS.pack(3000, 0) + b"[" * 3000,
        LENGTHS.pack(2, 0) + b"{}" + LENGTHS.pack(2, 0) + b"{}",  # nobody waited for the answer to the first one
        b"\0" * 8,
    ],
)
def test_what_is_no_message_says_so(ends: tuple[socket.socket, socket.socket], data: bytes) -> None:
    ends[0].sendall(data)
    with pytest.raises(FormatError):
        receive_message(ends[1])


@pytest.mark.parametrize("data", [b"", b"\0\0", LENGTHS.pack(9, 0) + b"{"])
def test_an_end_that_goes_away_in_the_middle_is_a_loss(ends: tuple[socket.socket, socket.socket], data: bytes) -> None:
    ends[0].sendall(data)
    ends[0].close()
    with pytest.raises(WireLost, match="the other end closed it"):
        receive_message(ends[1])

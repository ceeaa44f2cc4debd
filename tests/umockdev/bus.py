"""Simulated USB devices below the real libusb and the real udev library, by umockdev. No test: a program of its own.

It runs under the distribution's Python, which alone has umockdev's bindings, and first prints the folder that the other
side needs in `UMOCKDEV_DIR`. Then it does what each line on its standard input says, and answers `done`; in between it
prints what a device was made to show. The devices are those of `simulators`; only the bus is another one.

    plug panel|light|stick, unplug panel|light|stick, busy panel|light, free panel|light, tap KEY
    mute panel (what it reports is lost), heal panel, silence N (so many reads of the panel end with nothing to say)

The numbers are those of Linux on 64 bits (include/uapi/linux/usbdevice_fs.h).
"""

from __future__ import annotations

import errno
import importlib
import struct
import sys
import threading
from collections import deque
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Final, Protocol

from drivers.patlite.messages import LightState
from simulators.devices.patlite.simulator import PatliteSimulator
from simulators.devices.usb_bus import VirtualDevice
from simulators.devices.usb_socket_format import InterfaceDescriptor
from simulators.devices.xkeys.simulator import LampChange, XKeysSimulator

SUBMITURB: Final = 0x8038550A
DISCARDURB: Final = 0x550B
REAPURB: Final = 0x4008550C
REAPURBNDELAY: Final = 0x4008550D
CLAIM: Final = 0x8004550F
GETDRIVER: Final = 0x41045508
CAPABILITIES: Final = 0x8004551A
#: Releasing, setting the configuration, clearing a halt, resetting, an ioctl of the interface's driver: all succeed.
NOTHING_TO_DO: Final = frozenset({0x80045510, 0x80045505, 0x80045515, 0x5514, 0xC0105512})
#: Zero packets, no limit of length, reaping after a disconnect.
CAN_DO: Final = 0x01 | 0x04 | 0x10

#: `struct usbdevfs_urb`: type, endpoint, status, flags, buffer, length, actual length, and what nobody needs here.
URB: Final = struct.Struct("=BBxxiIxxxxQii")
URB_BYTES: Final = 56
BUFFER_AT: Final = 16
STATUS_AT: Final = 4
ACTUAL_AT: Final = 28
CONTROL: Final = 2
SETUP: Final = struct.Struct("<BBHHH")
GET_STATUS: Final = (0x80, 0)
GET_STRING: Final = (0x80, 6)
ENGLISH: Final = b"\x04\x03\x09\x04"
IN_BIT: Final = 0x80
TREE: Final = "/devices/pci0000:00/0000:00:14.0/usb1"


class Data(Protocol):
    """umockdev's window on the other process's memory."""

    #: Where it is there.
    client_addr: int

    def resolve(self, offset: int, length: int) -> Data: ...

    def retrieve(self) -> bytes: ...

    def update(self, offset: int, data: bytes) -> None: ...

    def set_ptr(self, offset: int, child: Data) -> bool: ...


class Client(Protocol):
    """One ioctl of the other process."""

    def get_request(self) -> int: ...

    def get_arg(self) -> Data: ...

    def complete(self, result: int, number: int) -> None: ...


class Testbed(Protocol):
    """The pretended machine."""

    def get_root_dir(self) -> str: ...

    def add_from_string(self, text: str) -> bool: ...

    def remove_device(self, path: str) -> None: ...

    def uevent(self, path: str, action: str) -> None: ...

    def attach_ioctl(self, node: str, handler: object) -> bool: ...

    def detach_ioctl(self, node: str) -> bool: ...


class Stick(VirtualDevice):
    """Something that does not belong at a table."""

    vendor_id = 0x1234
    product_id = 0xABCD
    title = "stick"
    interfaces: tuple[InterfaceDescriptor, ...] = ()


@dataclass(slots=True)
class Urb:
    """A transfer that the host asked for."""

    data: Data
    buffer: Data
    endpoint: int
    length: int


class Panel(XKeysSimulator):
    """A panel whose reports wait for whoever reads them."""

    def __init__(self, on_lamp: Callable[[LampChange], None]) -> None:
        super().__init__(on_lamp=on_lamp, serial="P1")
        self.reports: deque[bytes] = deque()
        self.is_mute = False

    def report(self, data: bytes) -> None:
        """As `VirtualDevice.report`."""
        if not self.is_mute:
            self.reports.append(data)


class Place:
    """A device for as long as it is plugged in: what usbfs does with it."""

    def __init__(self, device: VirtualDevice, number: int) -> None:
        self.device = device
        self.number = number
        self.is_busy = False
        self.is_gone = False
        self._lock = threading.Lock()
        self._waiting: deque[Urb] = deque()
        self._finished: deque[Urb] = deque()
        self._silences = 0
        self._was_silent = threading.Condition(self._lock)
        self._strings = (device.title, device.serial)

    def handle(self, _base: object, client: Client) -> bool:
        """umockdev's signal `handle-ioctl`: whether it was ours to answer."""
        with self._lock:
            return self._handle(client.get_request() & 0xFFFFFFFF, client)

    def _handle(self, request: int, client: Client) -> bool:
        if request == SUBMITURB:
            self._submit(client)
        elif request in (REAPURB, REAPURBNDELAY):
            self._reap(client)
        elif request == DISCARDURB:
            self._discard(client)
        elif request == CAPABILITIES:
            client.get_arg().resolve(0, 4).update(0, CAN_DO.to_bytes(4, "little"))
            client.complete(0, 0)
        elif request == GETDRIVER:
            client.complete(-1, errno.ENODATA)
        elif request == CLAIM and self.is_busy:
            client.complete(-1, errno.EBUSY)
        elif request == CLAIM or request in NOTHING_TO_DO:
            client.complete(0, 0)
        else:
            return False
        return True

    def _submit(self, client: Client) -> None:
        if self.is_gone:
            client.complete(-1, errno.ENODEV)
            return
        data = client.get_arg().resolve(0, URB_BYTES)
        kind, endpoint, _, _, _, length, _ = URB.unpack_from(bytes(data.retrieve()))
        urb = Urb(data, data.resolve(BUFFER_AT, length), endpoint, length)
        if kind == CONTROL:
            self._control(urb)
        elif endpoint & IN_BIT:
            self._waiting.append(urb)
        else:
            self.device.written(bytes(urb.buffer.retrieve()))
            self._finish(urb, 0, length)
        client.complete(0, 0)

    def _control(self, urb: Urb) -> None:
        kind, request, value, _, size = SETUP.unpack_from(bytes(urb.buffer.retrieve()))
        answer: bytes | None = None
        if (kind, request) == GET_STATUS:
            answer = bytes(2)
        elif (kind, request) == GET_STRING and value >> 8 == 3 and value & 0xFF <= len(self._strings):
            words = self._strings[(value & 0xFF) - 1].encode("utf-16-le")
            answer = bytes((len(words) + 2, 3)) + words if value & 0xFF else ENGLISH
        if answer is None:
            self._finish(urb, -errno.EPIPE, 0)
            return
        urb.buffer.update(SETUP.size, answer[:size])
        self._finish(urb, 0, len(answer[:size]))

    def _reap(self, client: Client) -> None:
        reports = self.device.reports if isinstance(self.device, Panel) else deque[bytes]()
        waits = next((urb for urb in self._waiting if urb.endpoint == IN_BIT | 1), None)
        if waits is not None and reports:
            report = reports.popleft()
            waits.buffer.update(0, report)
            self._waiting.remove(waits)
            self._finish(waits, 0, len(report))
        if self._finished:
            client.get_arg().resolve(0, 8).set_ptr(0, self._finished.popleft().data)
            client.complete(0, 0)
        else:
            client.complete(-1, errno.ENODEV if self.is_gone else errno.EAGAIN)

    def _discard(self, client: Client) -> None:
        address = int.from_bytes(bytes(client.get_arg().retrieve())[:8], "little")
        urb = next((request for request in self._waiting if request.data.client_addr == address), None)
        if urb is None:
            client.complete(-1, errno.EINVAL)
            return
        self._waiting.remove(urb)
        self._finish(urb, -errno.ENOENT, 0)
        self._silences += 1
        self._was_silent.notify_all()
        client.complete(0, 0)

    def _finish(self, urb: Urb, status: int, n_bytes: int) -> None:
        urb.data.update(STATUS_AT, struct.pack("=i", status))
        urb.data.update(ACTUAL_AT, struct.pack("=i", n_bytes))
        self._finished.append(urb)

    def be_silent(self, times: int) -> None:
        """Until the host gave up so many more reads."""
        with self._lock:
            until = self._silences + times
            self._was_silent.wait_for(lambda: self._silences >= until)

    def be_gone(self) -> None:
        """As the kernel does with a device that was pulled: what was asked for ends with its being gone."""
        with self._lock:
            self.is_gone = True
            while self._waiting:
                self._finish(self._waiting.popleft(), -errno.ENODEV, 0)


class Machine:
    """A testbed with one root hub, and what is plugged into it."""

    def __init__(self) -> None:
        importlib.import_module("gi").require_version("UMockdev", "1.0")
        self._umockdev = importlib.import_module("gi.repository.UMockdev")
        self.bed: Testbed = self._umockdev.Testbed.new()
        self.bed.add_from_string(_entry(TREE, 1, (0x1D6B, 0x0002), "", _descriptors(0x1D6B, 2, ())))
        self._panel = Panel(lambda said: _say(f"lamp {said.key} {said.lamp.name}"))
        self._devices: Mapping[str, tuple[int, VirtualDevice]] = {
            "panel": (1, self._panel),
            "stick": (3, Stick()),
            "light": (2, PatliteSimulator(on_change=lambda said: _say(_light(said)))),
        }
        self._places: dict[str, tuple[Place, object]] = {}
        self._number = 1

    def do(self, word: str, what: str) -> None:
        """One line of standard input."""
        match word:
            case "plug":
                self._plug(what)
            case "unplug":
                self._unplug(what)
            case "busy" | "free":
                self._places[what][0].is_busy = word == "busy"
            case "silence":
                self._places["panel"][0].be_silent(int(what))
            case "tap":
                self._panel.tap(int(what))
            case "mute" | "heal":
                self._panel.is_mute = word == "mute"
            case _:
                raise ValueError(word)

    def _plug(self, name: str) -> None:
        port, device = self._devices[name]
        device.plugged_in()
        if isinstance(device, Panel):
            device.reports.clear()
        self._number += 1
        place = Place(device, self._number)
        node = _node(self._number)
        base = self._umockdev.IoctlBase.new()
        base.connect("handle-ioctl", place.handle)
        self._places[name] = (place, base)
        text = _entry(
            f"{TREE}/1-{port}",
            self._number,
            (device.vendor_id, device.product_id),
            device.serial,
            _descriptors(device.vendor_id, device.product_id, device.interfaces, has_serial=bool(device.serial)),
        )
        # The model answers before anybody can hear of the device and open it.
        self.bed.attach_ioctl(node, base)
        self.bed.add_from_string(text)

    def _unplug(self, name: str) -> None:
        port, _ = self._devices[name]
        place, _ = self._places.pop(name)
        place.be_gone()
        self.bed.uevent(f"/sys{TREE}/1-{port}", "remove")
        self.bed.remove_device(f"/sys{TREE}/1-{port}")


def _node(number: int) -> str:
    return f"/dev/bus/usb/001/{number:03}"


def _entry(path: str, number: int, ids: tuple[int, int], serial: str, descriptors: bytes) -> str:
    """A device as umockdev reads it: path, node, udev's properties, attributes in sysfs, the file `descriptors`."""
    vendor_id, product_id = ids
    lines = [
        f"P: {path}",
        f"N: bus/usb/001/{number:03}",
        "E: SUBSYSTEM=usb",
        "E: DEVTYPE=usb_device",
        f"E: DEVNAME={_node(number)}",
        f"E: PRODUCT={vendor_id:x}/{product_id:x}/100",
        "E: BUSNUM=001",
        f"E: DEVNUM={number:03}",
        "A: busnum=1",
        f"A: devnum={number}",
        "A: bConfigurationValue=1",
        "A: speed=12",
        f"A: idVendor={vendor_id:04x}",
        f"A: idProduct={product_id:04x}",
        f"H: descriptors={descriptors.hex()}",
    ]
    return "\n".join([*lines, *([f"A: serial={serial}"] if serial else [])]) + "\n"


def _descriptors(
    vendor_id: int, product_id: int, interfaces: tuple[InterfaceDescriptor, ...], *, has_serial: bool = False
) -> bytes:
    """USB 2.0, tables 9-8, 9-10, 9-12 and 9-13."""
    parts = [
        piece
        for interface in interfaces
        for piece in (
            bytes((9, 4, interface.number, 0, len(interface.endpoints), interface.class_code, 0, 0, 0)),
            *(
                struct.pack("<BBBBHB", 7, 5, end.address, end.attributes, end.max_packet_bytes, end.interval)
                for end in interface.endpoints
            ),
        )
    ]
    body = b"".join(parts)
    device = struct.pack(
        "<BBHBBBBHHHBBBB", 18, 1, 0x0200, 0, 0, 0, 64, vendor_id, product_id, 0x0100, 0, 1, 2 * has_serial, 1
    )
    return device + struct.pack("<BBHBBBBB", 9, 2, 9 + len(body), len(interfaces), 1, 0, 0x80, 50) + body


def _light(said: LightState) -> str:
    return f"light red={said.red.name} green={said.green.name}"


def _say(line: str) -> None:
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


def main() -> None:
    """Until standard input ends."""
    machine = Machine()
    _say(machine.bed.get_root_dir())
    for line in sys.stdin:
        word, _, what = line.strip().partition(" ")
        machine.do(word, what)
        _say("done")


if __name__ == "__main__":
    main()

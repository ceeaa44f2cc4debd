"""A USB bus on a Unix socket: simulated devices are plugged in and pulled out while somebody uses them.

The other end is `simulators/devices/usb_socket.py`; both share `usb_socket_format`. It answers as Linux and libusb do:
an interface that a kernel driver or another handle holds is busy (16), a transfer that nothing comes of times out
(110), one on an interface that was not claimed finds nothing (2), and all there was of a device that was pulled is gone
(19), also for those who were just waiting for it. Each connection has a thread, so that a read that waits never delays
a write.
"""

from __future__ import annotations

import errno
import math
import os
import socket
import threading
import time
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from pathlib import Path
from typing import Any, Final, TypeAlias

from drivers.transport.base import WireLost
from simulators.devices.faults import NO_FAULTS, Action, FaultInjector, FaultPlan, Restart, Send, Side, Unplug, Wait
from simulators.devices.usb_socket_format import (
    DeviceDescriptor,
    FormatError,
    Header,
    InterfaceDescriptor,
    receive_message,
    send_message,
)

BUS: Final = 1
BACKLOG: Final = 16
#: Reports that wait for a reader; the oldest is lost for one more.
WAITING_REPORTS_MAX: Final = 256
JOIN_S: Final = 5.0

_IN_BIT: Final = 0x80
_CONFIGURATION: Final = 1
_GET_STATUS: Final = (0x80, 0)
_GET_DESCRIPTOR: Final = (0x80, 6)
_STRING: Final = 3
#: HID 1.11, 7.2: class requests to an interface.
_GET_REPORT: Final = (0xA1, 0x01)
_SET_REPORT: Final = (0x21, 0x09)
_OUTPUT: Final = 2
_FEATURE: Final = 3
_ENGLISH: Final = 0x0409

_Reply: TypeAlias = tuple[dict[str, Any], bytes]


class UsbFault(Exception):
    """A request that fails. `number` is Linux's errno."""

    def __init__(self, number: int) -> None:
        super().__init__(os.strerror(number))
        self.number = number


class Behaviour(Enum):
    """How a device takes transfers, from outside the data channel."""

    WELL = "well"
    #: Says nothing: what it has to report is lost.
    SILENT = "silent"
    #: As `SILENT`, and each read ends with a time-out at once, not when its time is over.
    HASTY = "hasty"
    #: Hangs: says nothing, takes nothing.
    STUCK = "stuck"


class VirtualDevice:
    """What every simulated USB device has. A model sets the attributes and overrides the two methods below them.

    `faults` strike at what it reports and at what it is told, message by message; a fault that unplugs it works as the
    bus's own `unplug`.
    """

    def __init__(self, *, serial: str = "", faults: FaultPlan = NO_FAULTS, seed: int = 0) -> None:
        self.serial = serial
        #: How many messages of the host were none that it knows, since it was made.
        self.refused = 0
        self._reporting = threading.Lock()
        self._injector = FaultInjector(faults, seed=seed)
        self._hearing = threading.Lock()
        self._host_injector = FaultInjector(faults, seed=seed, side=Side.HOST)
        self._place: _Place | None = None
        self._bus: UsbBus | None = None

    # -- for a model -------------------------------------------------------------------------------------------------

    vendor_id: int
    product_id: int
    title: str
    interfaces: tuple[InterfaceDescriptor, ...]
    #: Whether the kernel has set a configuration by the time somebody opens it; it nearly always has.
    is_configured: bool = True

    def written(self, data: bytes) -> None:
        """The host wrote this."""

    def feature_written(self, data: bytes) -> bool:
        """The host wrote this feature report, its id first. False: there is no such report, and the device stalls."""
        return False

    def feature_asked(self, report_id: int) -> bytes | None:
        """The host asks for this feature report. Its id first; None: there is none."""
        return None

    def plugged_in(self) -> None:
        """It has power (again): it begins from nothing."""

    def report(self, data: bytes) -> None:
        """Say this to the host, as far as the fault plan lets it. Without effect while it is not plugged in."""
        with self._reporting:
            place, bus = self._place, self._bus
            if place is None or bus is None:
                return
            waits_s = 0.0
            for action in self._injector.apply(data):
                match action:
                    case Send(data=sent):
                        place.report(sent, due_s=time.monotonic() + waits_s)
                    case Wait(for_s=for_s):
                        waits_s += for_s
                    case Unplug(for_s=for_s):
                        bus.unplug_for(self, for_s)
                    case Restart() if self._injector.is_stuck:
                        bus.power_after(self, waits_s)
                    case Restart():
                        bus.unplug_for(self, 0.0)
            if self._injector.is_stuck:
                place.behave(Behaviour.STUCK)

    # -- for whoever plays with it -----------------------------------------------------------------------------------

    @property
    def is_plugged(self) -> bool:
        """Whether it is on a bus."""
        return self._place is not None

    def behave(self, behaviour: Behaviour) -> None:
        """From now on, until told otherwise or plugged in anew."""
        place = self._place
        if place is not None:
            place.behave(behaviour)

    # -- for the bus -------------------------------------------------------------------------------------------------

    def told(self, data: bytes) -> Sequence[Action]:
        """What happens instead of simply hearing this from the host."""
        with self._hearing:
            actions = self._host_injector.apply(data)
            place, bus = self._place, self._bus
            if not self._host_injector.is_stuck or place is None or bus is None:
                return actions
            place.behave(Behaviour.STUCK)
            for action in actions:
                if isinstance(action, Wait):
                    bus.power_after(self, action.for_s)
            return ()

    def be_unplugged(self, for_s: float) -> None:
        """A fault: out, and in again later."""
        bus = self._bus
        if bus is not None:
            bus.unplug_for(self, for_s)

    def be_at(self, place: _Place | None, bus: UsbBus | None) -> None:
        """Where it is plugged in now. With the plug comes power: what hung does no more."""
        self._place, self._bus = place, bus
        self._injector.power_on()
        self._host_injector.power_on()


class _Place:
    """A device for as long as it is plugged in; plugged in again, it is at another place with another number."""

    def __init__(
        self, device: VirtualDevice, descriptor: DeviceDescriptor, open_errno: int, speed_factor: float | None
    ) -> None:
        self.device = device
        self.descriptor = descriptor
        self.open_errno = open_errno
        self._news = threading.Condition()
        self._reports: deque[tuple[float, bytes]] = deque(maxlen=WAITING_REPORTS_MAX)
        #: A host asks an interrupt endpoint every bInterval frames of 1 ms (USB 2.0, 9.6.6), for one report each time.
        self._pace_s = _interval_ms(descriptor) / 1000 / speed_factor if speed_factor else 0.0
        self._newest_s = -math.inf
        self._is_gone = False
        self._behaviour = Behaviour.WELL
        self._configuration = _CONFIGURATION if device.is_configured else 0
        self._drivers = {
            interface_descriptor.number
            for interface_descriptor in descriptor.interfaces
            if interface_descriptor.driver is not None
        }
        #: Interface to the handle that claimed it.
        self._claims: dict[int, _Handle] = {}
        self._interface_of = {
            end.address: interface.number for interface in descriptor.interfaces for end in interface.endpoints
        }

    def report(self, data: bytes, *, due_s: float) -> None:
        with self._news:
            if self._behaviour is Behaviour.WELL:
                self._newest_s = max(due_s, self._newest_s + self._pace_s)
                self._reports.append((self._newest_s, data))
                self._news.notify_all()

    def behave(self, behaviour: Behaviour) -> None:
        with self._news:
            self._behaviour = behaviour
            self._reports.clear()
            self._news.notify_all()

    def be_gone(self) -> None:
        with self._news:
            self._is_gone = True
            self._news.notify_all()

    def close(self, handle: _Handle) -> None:
        """What a handle had claimed is free again, and what waits for it waits no more."""
        with self._news:
            handle.is_closed = True
            self._claims = {interface: owner for interface, owner in self._claims.items() if owner is not handle}
            self._news.notify_all()

    # -- transfers ---------------------------------------------------------------------------------------------------

    def read(self, handle: _Handle, endpoint: int, timeout_ms: int) -> bytes:
        """One report. Raises `UsbFault`."""
        ends_s = time.monotonic() + timeout_ms / 1000 if timeout_ms else None
        with self._news:
            while True:
                self._must_own(handle, endpoint)
                now_s = time.monotonic()
                if self._reports and self._reports[0][0] <= now_s:
                    return self._reports.popleft()[1]
                if self._behaviour is Behaviour.HASTY or (ends_s is not None and now_s >= ends_s):
                    raise UsbFault(errno.ETIMEDOUT)
                waits = [ends_s] if ends_s is not None else []
                waits += [self._reports[0][0]] if self._reports else []
                self._news.wait(min(waits) - now_s if waits else None)

    def write(self, handle: _Handle, endpoint: int, data: bytes, timeout_ms: int) -> None:
        """Hand a report to the device. Raises `UsbFault`."""
        with self._news:
            self._must_own(handle, endpoint)
            self._must_be_taken(handle, timeout_ms)
        self._tell(handle, data, timeout_ms, self._written)

    def _written(self, data: bytes) -> bool:
        self.device.written(data)
        return True

    def _tell(self, handle: _Handle, data: bytes, timeout_ms: int, take: Callable[[bytes], bool]) -> bool:
        """As far as the fault plan lets it. False where the device does not know what it was told."""
        is_known = True
        actions = self.device.told(data)
        with self._news:
            self._must_be_taken(handle, timeout_ms)
        for action in actions:
            match action:
                case Send(data=heard):
                    is_known = take(heard)
                case Wait(for_s=for_s):
                    self._make_wait(handle, for_s, timeout_ms)
                case Unplug(for_s=for_s):
                    self.device.be_unplugged(for_s)
                    raise UsbFault(errno.ENODEV)
                case Restart():
                    self.device.be_unplugged(0.0)
                    raise UsbFault(errno.ENODEV)
        return is_known

    def _make_wait(self, handle: _Handle, for_s: float, timeout_ms: int) -> None:
        patience_s = timeout_ms / 1000 if timeout_ms else math.inf
        with self._news:
            self._news.wait_for(lambda: self._is_gone or handle.is_closed, min(for_s, patience_s))
            self._must_be_there(handle)
        if for_s >= patience_s:
            raise UsbFault(errno.ETIMEDOUT)

    def control(self, handle: _Handle, header: Header, body: bytes) -> bytes:
        """The standard requests that a host makes, and reports. Raises `UsbFault`."""
        with self._news:
            self._must_be_there(handle)
            self._must_be_taken(handle, _number(header, "timeout_ms"))
        request = (_number(header, "request_type"), _number(header, "request"))
        if request == _GET_STATUS:
            return bytes(2)
        kind, index = divmod(_number(header, "value"), 256)
        if request == _GET_DESCRIPTOR and kind == _STRING and index <= len(self.descriptor.strings):
            words = self.descriptor.strings[index - 1].encode("utf-16-le") if index else _ENGLISH.to_bytes(2, "little")
            return bytes((len(words) + 2, _STRING)) + words
        if request == _GET_REPORT and kind == _FEATURE:
            answer = self.device.feature_asked(index)
            if answer is not None:
                return answer
        if request == _SET_REPORT and kind in (_OUTPUT, _FEATURE):
            take = self._written if kind == _OUTPUT else self.device.feature_written
            if self._tell(handle, body, _number(header, "timeout_ms"), take):
                return b""
        raise UsbFault(errno.EPIPE)  # a device stalls what it does not know

    def _must_be_taken(self, handle: _Handle, timeout_ms: int) -> None:
        is_free = self._news.wait_for(
            lambda: self._is_gone or handle.is_closed or self._behaviour is not Behaviour.STUCK,
            timeout_ms / 1000 if timeout_ms else None,
        )
        self._must_be_there(handle)
        if not is_free:
            raise UsbFault(errno.ETIMEDOUT)

    def _must_be_there(self, handle: _Handle) -> None:
        if self._is_gone or handle.is_closed:
            raise UsbFault(errno.ENODEV)

    def _must_own(self, handle: _Handle, endpoint: int) -> None:
        self._must_be_there(handle)
        interface = self._interface_of.get(endpoint)
        if interface is None or self._claims.get(interface) is not handle:
            raise UsbFault(errno.ENOENT)

    # -- interfaces --------------------------------------------------------------------------------------------------

    def claim(self, handle: _Handle, interface: int) -> None:
        """Raises `UsbFault`: busy when a kernel driver or another handle holds it."""
        with self._news:
            self._must_have(handle, interface)
            if interface in self._drivers or self._claims.get(interface, handle) is not handle:
                raise UsbFault(errno.EBUSY)
            self._claims[interface] = handle
            # What nobody was there to read is old by now.
            self._reports.clear()

    def release(self, handle: _Handle, interface: int) -> None:
        """Raises `UsbFault`."""
        with self._news:
            self._must_have(handle, interface)
            if self._claims.get(interface) is not handle:
                raise UsbFault(errno.ENOENT)
            del self._claims[interface]

    def is_driver_active(self, handle: _Handle, interface: int) -> bool:
        """Whether the kernel holds an interface. Raises `UsbFault`."""
        with self._news:
            self._must_have(handle, interface)
            return interface in self._drivers

    def detach_driver(self, handle: _Handle, interface: int) -> None:
        """Take an interface from the kernel. Raises `UsbFault`."""
        with self._news:
            self._must_have(handle, interface)
            if interface not in self._drivers:
                raise UsbFault(errno.ENOENT)
            self._drivers.discard(interface)

    def attach_driver(self, handle: _Handle, interface: int) -> None:
        """Give it back. Raises `UsbFault`."""
        with self._news:
            self._must_have(handle, interface)
            if interface in self._claims:
                raise UsbFault(errno.EBUSY)
            self._drivers.add(interface)

    def set_configuration(self, handle: _Handle, value: int) -> None:
        """Raises `UsbFault`: as with Linux, busy while anybody holds an interface."""
        with self._news:
            self._must_be_there(handle)
            if value != _CONFIGURATION:
                raise UsbFault(errno.EINVAL)
            if self._drivers or self._claims:
                raise UsbFault(errno.EBUSY)
            self._configuration = value

    def configuration(self, handle: _Handle) -> int:
        """The value of the one that is set, 0 for none. Raises `UsbFault`."""
        with self._news:
            self._must_be_there(handle)
            return self._configuration

    def _must_have(self, handle: _Handle, interface: int) -> None:
        self._must_be_there(handle)
        if all(interface_descriptor.number != interface for interface_descriptor in self.descriptor.interfaces):
            raise UsbFault(errno.ENOENT)


@dataclass(slots=True, eq=False)
class _Handle:
    """What one process opened."""

    place: _Place
    is_closed: bool = False


class UsbBus:
    """Serves the socket at `path` from the moment it is made. Every method may be called from any thread.

    Raises OSError when the socket cannot be made, also when somebody else serves it.
    """

    def __init__(self, path: Path | str, *, speed_factor: float | None = None) -> None:
        """`speed_factor` 1 is the rate of the endpoints, 10 ten times as fast, None unpaced."""
        self.path = Path(path)
        self._speed_factor = speed_factor
        self._lock = threading.Lock()
        self._places: dict[int, _Place] = {}
        self._ports: dict[VirtualDevice, int] = {}
        self._handles: dict[int, _Handle] = {}
        self._connections: dict[socket.socket, threading.Thread] = {}
        self._timers: list[threading.Timer] = []
        self._numbers = 0
        self._is_closed = False
        self._listener = _listen(self.path)
        self._thread = threading.Thread(target=self._accept, name="usb-bus", daemon=True)
        self._thread.start()

    # -- what a person does ------------------------------------------------------------------------------------------

    def plug(self, device: VirtualDevice, *, open_errno: int = 0) -> None:
        """Plug in; without effect where it is in already. A device keeps its port, and has a new address each time.

        `open_errno`: nobody may open it, for this reason.
        """
        if device.is_plugged:
            return
        # Without our lock: a device that is just reporting may hold its own and want ours, to be pulled by a fault.
        device.plugged_in()
        with self._lock:
            if self._is_closed or self._holds(device):
                return
            number = self._number()
            port = self._ports.setdefault(device, len(self._ports) + 1)
            place = _Place(device, _descriptor(device, number, port), open_errno, self._speed_factor)
            device.be_at(place, self)
            self._places[number] = place

    def unplug(self, device: VirtualDevice) -> None:
        """Pull it out; without effect where it is not in."""
        with self._lock:
            gone = [number for number, place in self._places.items() if place.device is device]
            for number in gone:
                device.be_at(None, None)
                self._places.pop(number).be_gone()

    def unplug_for(self, device: VirtualDevice, for_s: float) -> None:
        """Pull it out and plug it in again later."""
        self.unplug(device)
        self._later(for_s, self.plug, (device,))

    def _later(self, for_s: float, step: Callable[..., None], arguments: tuple[object, ...]) -> None:
        timer = threading.Timer(for_s, step, arguments)
        timer.daemon = True
        with self._lock:
            if not self._is_closed:
                self._timers = [running for running in self._timers if running.is_alive()] + [timer]
                timer.start()

    def power_after(self, device: VirtualDevice, for_s: float) -> None:
        """Somebody pulls it out, and plugs it in again at once, after so long."""
        self._later(for_s, self.unplug_for, (device, 0.0))

    def is_plugged(self, device: VirtualDevice) -> bool:
        """Whether it is on this bus now."""
        with self._lock:
            return self._holds(device)

    def close(self) -> None:
        """The bus goes away with everything on it. May be repeated."""
        with self._lock:
            if self._is_closed:
                return
            self._is_closed = True
            timers, connections = list(self._timers), dict(self._connections)
            devices = [place.device for place in self._places.values()]
        for timer in timers:
            timer.cancel()
        for device in devices:
            self.unplug(device)
        _hang_up(self._listener)
        for connection, thread in connections.items():
            _hang_up(connection)
            thread.join(JOIN_S)
        self._thread.join(JOIN_S)
        self._listener.close()
        self.path.unlink(missing_ok=True)

    def _holds(self, device: VirtualDevice) -> bool:
        return any(place.device is device for place in self._places.values())

    def _number(self) -> int:
        self._numbers += 1
        return self._numbers

    # -- what a host does --------------------------------------------------------------------------------------------

    def _accept(self) -> None:
        while True:
            try:
                connection, _ = self._listener.accept()
            except OSError:
                return
            thread = threading.Thread(target=self._serve, args=(connection,), name="usb-bus-connection", daemon=True)
            with self._lock:
                if self._is_closed:
                    connection.close()
                    return
                self._connections[connection] = thread
                thread.start()

    def _serve(self, connection: socket.socket) -> None:
        handle: _Handle | None = None
        owned: int | None = None
        try:
            while True:
                header, body = receive_message(connection)
                reply: dict[str, Any] = {}
                answer = b""
                try:
                    match header.get("op"):
                        case "enumerate":
                            reply["devices"] = self._enumerate()
                        case "open":
                            handle, owned = self._open(_number(header, "device"))
                            reply["handle"] = owned
                        case "attach":
                            handle = self._attach(_number(header, "handle"))
                        case op:
                            reply, answer = _do(str(op), handle, header, body)
                except UsbFault as fault:
                    reply = {"errno": fault.number, "error": str(fault)}
                send_message(connection, reply, answer)
        except (WireLost, FormatError, OSError):
            return  # the host hung up, or is none
        finally:
            with self._lock:
                self._connections.pop(connection, None)
                if owned is not None:
                    self._handles.pop(owned, None)
            if owned is not None and handle is not None:
                handle.place.close(handle)
            connection.close()

    def _enumerate(self) -> list[dict[str, Any]]:
        with self._lock:
            return [place.descriptor.to_json() for place in self._places.values()]

    def _open(self, number: int) -> tuple[_Handle, int]:
        with self._lock:
            place = self._places.get(number)
            if place is None:
                raise UsbFault(errno.ENODEV)
            if place.open_errno:
                raise UsbFault(place.open_errno)
            handle = _Handle(place)
            owned = self._number()
            self._handles[owned] = handle
            return handle, owned

    def _attach(self, number: int) -> _Handle:
        with self._lock:
            handle = self._handles.get(number)
        if handle is None:
            raise UsbFault(errno.ENODEV)
        return handle


def _interval_ms(descriptor: DeviceDescriptor) -> int:
    """Of what it reports by: the first endpoint that a host reads."""
    ends = (end for interface in descriptor.interfaces for end in interface.endpoints)
    return next((end.interval for end in ends if end.address & _IN_BIT), 0)


def _number(header: Header, key: str) -> int:
    value = header.get(key)
    if type(value) is not int:
        raise UsbFault(errno.EINVAL)
    return value


def _read(handle: _Handle, header: Header, _body: bytes) -> _Reply:
    data = handle.place.read(handle, _number(header, "endpoint"), _number(header, "timeout_ms"))
    if len(data) > _number(header, "size"):
        raise UsbFault(errno.EOVERFLOW)
    return {}, data


def _write(handle: _Handle, header: Header, body: bytes) -> _Reply:
    handle.place.write(handle, _number(header, "endpoint"), body, _number(header, "timeout_ms"))
    return {}, b""


def _control(handle: _Handle, header: Header, body: bytes) -> _Reply:
    return {}, handle.place.control(handle, header, body)[: _number(header, "size")]


def _on_interface(change: Callable[[_Handle, int], None]) -> Callable[[_Handle, Header, bytes], _Reply]:
    def do(handle: _Handle, header: Header, _body: bytes) -> _Reply:
        change(handle, _number(header, "interface"))
        return {}, b""

    return do


def _nothing(_handle: _Handle, _header: Header, _body: bytes) -> _Reply:
    return {}, b""


def _set_configuration(handle: _Handle, header: Header, _body: bytes) -> _Reply:
    handle.place.set_configuration(handle, _number(header, "value"))
    return {}, b""


_OPERATIONS: Final[Mapping[str, Callable[[_Handle, Header, bytes], _Reply]]] = {
    "read": _read,
    "write": _write,
    "control": _control,
    "configuration": lambda handle, _header, _body: ({"value": handle.place.configuration(handle)}, b""),
    "set_configuration": _set_configuration,
    "claim": _on_interface(lambda handle, interface: handle.place.claim(handle, interface)),
    "release": _on_interface(lambda handle, interface: handle.place.release(handle, interface)),
    "driver_active": lambda handle, header, _body: (
        {"active": handle.place.is_driver_active(handle, _number(header, "interface"))},
        b"",
    ),
    "detach_driver": _on_interface(lambda handle, interface: handle.place.detach_driver(handle, interface)),
    "attach_driver": _on_interface(lambda handle, interface: handle.place.attach_driver(handle, interface)),
    "clear_halt": _nothing,
    "reset": _nothing,
}


def _do(op: str, handle: _Handle | None, header: Header, body: bytes) -> _Reply:
    operation = _OPERATIONS.get(op)
    if handle is None or operation is None:
        raise UsbFault(errno.EINVAL)
    return operation(handle, header, body)


def _descriptor(device: VirtualDevice, number: int, port: int) -> DeviceDescriptor:
    return DeviceDescriptor(
        device=number,
        bus=BUS,
        address=number,
        ports=(port,),
        vendor_id=device.vendor_id,
        product_id=device.product_id,
        strings=(device.title, device.serial) if device.serial else (device.title,),
        serial_index=2 if device.serial else 0,
        interfaces=device.interfaces,
    )


def _listen(path: Path) -> socket.socket:
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as visitor:
        if path.is_socket() and visitor.connect_ex(str(path)) == 0:
            raise OSError(errno.EADDRINUSE, f"{path}: another USB bus is served here")
    if path.is_socket():
        path.unlink()  # left behind by one that was killed
    listener = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    listener.bind(str(path))
    listener.listen(BACKLOG)
    return listener


def _hang_up(connection: socket.socket) -> None:
    try:
        connection.shutdown(socket.SHUT_RDWR)
    except OSError:
        return  # the other end did so before

"""What came and went, told once, from events and lists in any order udev has them."""

from __future__ import annotations

from collections.abc import Iterable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from drivers.facts import UsbChange, UsbChanged
from drivers.topology.changes import SETTLE_S, Report, Topology
from drivers.topology.identity import UsbIdentity

HUB = "/devices/pci0000:00/0000:00:14.0/usb1/1-2"
PANEL = f"{HUB}/1-2.3"
ADAPTER = f"{HUB}/1-2.4"
AT_US = 1_795_219_200_000_000


def usb(path: str, product: str = "5f3/405/110", number: str = "004", serial: str = "") -> Report:
    said = {"SUBSYSTEM": "usb", "DEVTYPE": "usb_device", "PRODUCT": product, "DEVNUM": number}
    return Report(path=path, properties=said | ({"serial": serial} if serial else {}))


def tty(device: str, name: str = "ttyUSB0", links: str = "/dev/serial/by-id/usb-FTDI-port0") -> Report:
    interface = f"{device}/{device.rpartition('/')[2]}:1.0"
    said = {"SUBSYSTEM": "tty", "DEVNAME": f"/dev/{name}", "DEVLINKS": links}
    return Report(path=f"{interface}/{name}/tty/{name}", properties=said)


class Clock:
    """A topology whose time goes on by being told to."""

    def __init__(self, *there: Report) -> None:
        self.now_s = 0.0
        self.topology = Topology()
        self.said: list[UsbChanged] = list(self.topology.listed(there, now_s=0.0, at_us=AT_US))

    def hear(self, action: str, report: Report) -> None:
        self.said += self.topology.heard(action, report, now_s=self.now_s, at_us=AT_US)

    def see(self, *there: Report) -> None:
        self.said += self.topology.listed(there, now_s=self.now_s, at_us=AT_US)

    def wait(self, for_s: float = SETTLE_S) -> list[tuple[UsbChange, str]]:
        """What is told until then, and forget it."""
        self.now_s += for_s
        self.said += self.topology.tick(now_s=self.now_s, at_us=AT_US)
        told, self.said = [(usb_changed.change, str(usb_changed.identity)) for usb_changed in self.said], []
        return told


def test_what_was_there_is_told_as_there_and_then_nothing_is_due() -> None:
    clock = Clock(usb(HUB, "5e3/608/9000"), usb(PANEL, serial="A1"))
    assert clock.wait() == [
        (UsbChange.PRESENT, "05e3:0608 at 1-2"),
        (UsbChange.PRESENT, "05f3:0405 at 1-2.3, serial number A1"),
    ]
    assert clock.topology.deadline_s() is None


def test_one_that_is_plugged_in_is_told_once_when_it_has_settled_however_much_is_said_of_it() -> None:
    clock = Clock()
    for action in ("add", "bind", "change", "add"):
        clock.hear(action, usb(PANEL))
    assert clock.topology.deadline_s() == SETTLE_S
    assert clock.wait(SETTLE_S / 2) == []
    assert clock.wait(SETTLE_S / 2) == [(UsbChange.PLUGGED, "05f3:0405 at 1-2.3")]
    clock.hear("change", usb(PANEL))
    assert clock.wait() == []


def test_one_that_goes_is_told_at_once_by_what_was_known_of_it_and_only_once() -> None:
    clock = Clock(usb(PANEL, serial="A1"))
    clock.wait()
    clock.hear("remove", Report(path=PANEL, properties={"SUBSYSTEM": "usb", "DEVTYPE": "usb_device"}))
    clock.hear("remove", usb(PANEL))
    assert clock.wait(0.0) == [(UsbChange.UNPLUGGED, "05f3:0405 at 1-2.3, serial number A1")]


def test_one_that_was_there_for_a_moment_is_not_hidden() -> None:
    clock = Clock()
    clock.hear("add", usb(PANEL))
    clock.hear("remove", usb(PANEL))
    assert [change for change, _ in clock.wait()] == [UsbChange.PLUGGED, UsbChange.UNPLUGGED]


def test_out_and_in_again_in_one_burst_is_both() -> None:
    clock = Clock(usb(PANEL))
    clock.wait()
    clock.hear("remove", usb(PANEL))
    clock.hear("add", usb(PANEL, number="005"))
    assert [change for change, _ in clock.wait()] == [UsbChange.UNPLUGGED, UsbChange.PLUGGED]


@pytest.mark.parametrize("again", [usb(PANEL, number="005"), usb(PANEL, "46d/c31c/100")])
def test_another_one_in_its_place_whose_predecessor_was_not_seen_to_go_is_both(again: Report) -> None:
    clock = Clock(usb(PANEL))
    clock.wait()
    clock.hear("add", again)
    assert [change for change, _ in clock.wait()] == [UsbChange.UNPLUGGED, UsbChange.PLUGGED]


def test_what_stands_in_the_list_and_after_it_is_told_once() -> None:
    clock = Clock(usb(PANEL))
    clock.hear("add", usb(PANEL))
    clock.hear("remove", usb(ADAPTER))  # gone before the list was made
    assert clock.wait() == [(UsbChange.PRESENT, "05f3:0405 at 1-2.3")]


def test_a_later_list_finds_what_was_missed() -> None:
    clock = Clock(usb(PANEL))
    clock.wait()
    clock.see(usb(ADAPTER, "403/6001/600"))
    assert clock.wait() == [
        (UsbChange.UNPLUGGED, "05f3:0405 at 1-2.3"),
        (UsbChange.PLUGGED, "0403:6001 at 1-2.4"),
    ]


def test_a_serial_adapter_is_told_of_when_its_port_has_come_with_all_the_ports_names() -> None:
    clock = Clock(usb(HUB, "5e3/608/9000"))
    clock.wait()
    clock.hear("add", usb(ADAPTER, "403/6001/600"))
    clock.now_s += SETTLE_S - 0.1
    clock.hear("add", tty(ADAPTER))
    assert clock.wait(0.2) == []
    clock.now_s += SETTLE_S
    (told,) = clock.topology.tick(now_s=clock.now_s, at_us=AT_US)
    assert told.identity.nodes == ("/dev/ttyUSB0", "/dev/serial/by-id/usb-FTDI-port0")
    clock.hear("remove", tty(ADAPTER))
    clock.hear("remove", usb(ADAPTER, "403/6001/600"))
    assert [change for change, _ in clock.wait(0.0)] == [UsbChange.UNPLUGGED]


def test_the_port_of_an_adapter_behind_a_hub_is_not_the_hubs() -> None:
    (_, hub), (_, adapter) = [
        (usb_changed.change, usb_changed.identity)
        for topology in [Topology()]
        for _ in [topology.listed([tty(ADAPTER), usb(ADAPTER), usb(HUB)], now_s=0.0, at_us=AT_US)]
        for usb_changed in sorted(topology.tick(now_s=SETTLE_S, at_us=AT_US), key=lambda told: told.identity.port_path)
    ]
    assert (hub.nodes, bool(adapter.nodes)) == ((), True)


@pytest.mark.parametrize(
    "report",
    [
        usb("/devices/pci0000:00/0000:00:14.0/usb1", "1d6b/2/601"),
        Report(path=f"{PANEL}/1-2.3:1.0", properties={"SUBSYSTEM": "usb", "DEVTYPE": "usb_interface"}),
        tty("/devices/pnp0/00:04", "ttyS0"),
        usb(PANEL, "what/is/this"),
        Report(path=PANEL, properties={}),
    ],
)
def test_root_hubs_interfaces_the_machines_own_ports_and_nonsense_are_left_out(report: Report) -> None:
    clock = Clock(report)
    clock.hear("add", report)
    clock.hear("remove", report)
    assert clock.wait() == []


def test_numbers_are_udevs_own_where_the_kernels_are_missing() -> None:
    said = {"SUBSYSTEM": "usb", "DEVTYPE": "usb_device", "ID_VENDOR_ID": "05f3", "ID_MODEL_ID": "0405"}
    clock = Clock(Report(path=PANEL, properties={**said, "ID_SERIAL_SHORT": "A_1"}))
    assert clock.wait() == [(UsbChange.PRESENT, "05f3:0405 at 1-2.3, serial number A_1")]


def test_a_serial_number_is_shown_without_what_a_line_cannot_hold() -> None:
    hostile = UsbIdentity(vendor_id=1, product_id=2, port_path="1-1", serial="a b\n<c>\x1b\ud800é" + "x" * 500)
    assert str(hostile) == "0001:0002 at 1-1, serial number a_b_<c>___" + "x" * 54


ACTIONS = st.sampled_from(["add", "remove", "change", "bind", "unbind", "move", ""])
REPORTS = st.sampled_from(
    [usb(HUB), usb(PANEL), usb(PANEL, number="9"), usb(ADAPTER, "403/6001/600"), tty(ADAPTER), tty(HUB, "ttyACM0")]
)
STEPS = st.lists(
    st.one_of(st.tuples(ACTIONS, REPORTS), st.lists(REPORTS, max_size=4), st.floats(0.0, 2.0), st.none()),
    max_size=30,
)


@given(STEPS)
def test_whatever_is_said_each_device_comes_before_it_goes_and_never_twice(
    steps: Iterable[tuple[str, Report] | list[Report] | float | None],
) -> None:
    clock = Clock()
    for step in steps:
        if isinstance(step, tuple):
            clock.hear(*step)
        elif isinstance(step, list):
            clock.see(*step)
        else:
            clock.now_s = max(clock.now_s, clock.topology.deadline_s() or 0.0) if step is None else clock.now_s + step
            clock.said += clock.topology.tick(now_s=clock.now_s, at_us=AT_US)
    here: set[str] = set()
    for usb_changed in clock.said:
        if usb_changed.change is UsbChange.UNPLUGGED:
            here.remove(usb_changed.identity.port_path)
        else:
            assert usb_changed.identity.port_path not in here
            here.add(usb_changed.identity.port_path)

"""The croupier's screen of a table PC: shown by itself, in its two hardened units, and what its user can reach.

Needs Debian's packages of a browser and a compositor, some hundred megabytes, once. Pictures are kept where
TABLECTL_SCREENSHOTS names a folder.
"""

from __future__ import annotations

import io
import os
import re
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import pytest
from PIL import Image

from tests.system.kiosk_pc import (
    DISPLAY,
    KIOSK,
    PAGES,
    RUNTIME,
    SCREEN,
    USER,
    NotToBeHad,
    debian_with_a_screen,
    picture,
    set_up_display,
    without_a_card,
)
from tests.system.machine import Machine, machine
from tests.system.table_pc import CONTROLLER, PYTHON, SCREENS, STATE, TABLE, TARGET, TablePC
from tests.system.test_a_table_pc import wait_until
from tests.test_units import EXPOSED_MOST

pytestmark = pytest.mark.slow
#: The corner of the page of the kiosk's own (tablectl/ops/kiosk/waiting.html), and of a page of the screens.
WAITING: Final = (0x0E, 0x0F, 0x11)
SCREENS_TOP: Final = (0x1F, 0x22, 0x26)


@pytest.fixture(scope="module")
def pc(package: Path) -> Iterator[TablePC]:
    """A table PC with a screen, booted once more after it was set up."""
    try:
        debian = debian_with_a_screen()
    except NotToBeHad as why:
        pytest.skip(str(why))
    with machine(debian=debian) as computer:
        computer.boot()
        with TablePC(computer) as table_pc:
            assert table_pc.install(package).returncode == 0
            table_pc.set_up()
            without_a_card(computer)
            computer.said("systemctl", "enable", KIOSK)
            computer.shut_down()
            computer.boot()
            yield table_pc


def corner(computer: Machine, name: str) -> tuple[int, ...]:
    """Of what is on the screen; nothing while there is no picture. It is kept under this name."""
    png = picture(computer)
    if not png:
        return ()
    if folder := os.environ.get("TABLECTL_SCREENSHOTS"):
        (Path(folder) / f"{name}.png").write_bytes(png)
    pixel = Image.open(io.BytesIO(png)).convert("RGB").getpixel((2, 2))
    assert isinstance(pixel, tuple)
    return pixel


def test_the_page_is_there_after_a_boot_and_waits_and_comes_back(pc: TablePC) -> None:
    computer = pc.machine
    wait_until(lambda: corner(computer, "kiosk-page") == SCREENS_TOP)
    computer.said("systemctl", "stop", SCREENS)
    wait_until(lambda: corner(computer, "kiosk-waiting") == WAITING)
    before = computer.pid(KIOSK)
    computer.said("systemctl", "start", SCREENS)
    wait_until(lambda: corner(computer, "kiosk-back") == SCREENS_TOP)
    assert computer.pid(KIOSK) == before
    assert computer.shown(KIOSK, "NRestarts") == "0"


def test_it_stays_where_the_table_is_stopped(pc: TablePC) -> None:
    computer = pc.machine
    wait_until(lambda: corner(computer, "kiosk-page") == SCREENS_TOP)
    computer.said("systemctl", "stop", TARGET)
    wait_until(lambda: corner(computer, "kiosk-waiting") == WAITING)
    computer.said("systemctl", "start", TARGET)
    wait_until(lambda: corner(computer, "kiosk-back") == SCREENS_TOP)


@pytest.mark.parametrize("killed", [DISPLAY, KIOSK])
def test_whichever_of_both_is_killed_the_page_comes_back(pc: TablePC, killed: str) -> None:
    computer = pc.machine
    wait_until(lambda: corner(computer, "kiosk-page") == SCREENS_TOP)
    before = {text: computer.pid(text) for text in (DISPLAY, KIOSK)}
    assert all(before.values())
    computer.said("systemctl", "kill", "--signal=KILL", killed)
    wait_until(lambda: all(computer.pid(text) not in (0, pid) for text, pid in before.items()))
    wait_until(lambda: corner(computer, "kiosk-back") == SCREENS_TOP)


def test_a_screen_that_is_there_at_a_later_attempt_has_its_page(pc: TablePC) -> None:
    computer = pc.machine
    computer.said("systemctl", "stop", KIOSK)
    assert computer.shown(DISPLAY, "ActiveState") == "inactive", "it ended in order, and with what it is there for"
    set_up_display(computer, "zz-none", "[Service]\nEnvironment=WLR_BACKENDS=none-such\n")
    assert computer.run("systemctl", "start", KIOSK).returncode != 0
    wait_until(lambda: int(computer.shown(DISPLAY, "NRestarts")) > 0)
    assert computer.pid(KIOSK) == 0
    set_up_display(computer, "zz-none", "")
    wait_until(lambda: corner(computer, "kiosk-back") == SCREENS_TOP)


def test_screens_that_were_killed_are_found_again(pc: TablePC) -> None:
    computer = pc.machine
    wait_until(lambda: corner(computer, "kiosk-page") == SCREENS_TOP)
    socket = computer.said("stat", "--format", "%i", PAGES)
    browser = computer.pid(KIOSK)
    computer.said("systemctl", "kill", "--signal=KILL", SCREENS)
    wait_until(lambda: computer.run("stat", "--format", "%i", PAGES).stdout not in ("", socket))
    said = computer.said(*wandering(computer), PAGE).splitlines()
    assert said == [f"{PAGE} went"]
    wait_until(lambda: corner(computer, "kiosk-back") == SCREENS_TOP)
    assert computer.pid(KIOSK) == browser


def test_the_browser_has_its_own_sandbox_inside(pc: TablePC) -> None:
    computer = pc.machine
    wait_until(lambda: corner(computer, "kiosk-page") == SCREENS_TOP)
    unit = computer.said("readlink", f"/proc/{computer.pid(KIOSK)}/ns/user")
    renderers = computer.said("pgrep", "--full", "--uid", USER, "type=renderer").split()
    assert renderers
    for renderer in renderers:
        assert computer.said("readlink", f"/proc/{renderer}/ns/user") != unit
        assert computer.said("readlink", f"/proc/{renderer}/root").strip() != "/"
        status = computer.said("cat", f"/proc/{renderer}/status")
        assert re.search(r"^NoNewPrivs:\t1$.*^Seccomp:\t2$", status, re.MULTILINE | re.DOTALL)


def test_its_user_reaches_nothing_of_the_table(pc: TablePC) -> None:
    computer = pc.machine
    wait_until(lambda: computer.pid(KIOSK) != 0 and computer.shown(CONTROLLER, "ActiveState") == "active")
    user = ("setpriv", "--reuid", USER, "--regid", USER, "--init-groups")
    as_it_is = ("nsenter", "--target", str(computer.pid(KIOSK)), "--mount", *user, "--bounding-set=-all")
    assert computer.said(*as_it_is, "id", "-nG").split() == [USER]
    for place in (STATE, f"/var/lib/tablectl-screens/{TABLE}", f"/run/tablectl/{TABLE}"):
        assert "Permission denied" in computer.run(*as_it_is, "ls", place).stderr
    there = computer.said(*as_it_is, "ls", "/dev").split()
    assert not [text for text in there if re.match(r"tty(S|USB|ACM)|bus|hidraw|dri|input|fb", text)]
    for place in (RUNTIME, SCREEN):
        assert computer.said("stat", "--file-system", "--format", "%T", place).strip() == "tmpfs"
    for name, value in (("IPAddressDeny", "::/0 0.0.0.0/0"), ("IPAddressAllow", "127.0.0.0/8 ::1/128")):
        assert sorted(computer.shown(KIOSK, name).split()) == sorted(value.split())


def test_the_browser_has_no_network_but_a_loopback_of_its_own(pc: TablePC) -> None:
    computer = pc.machine
    wait_until(lambda: corner(computer, "kiosk-page") == SCREENS_TOP)
    kiosk, outside = computer.pid(KIOSK), computer.said("readlink", "/proc/1/ns/net")
    assert computer.said("readlink", f"/proc/{kiosk}/ns/net") != outside
    assert computer.said("readlink", f"/proc/{computer.pid(DISPLAY)}/ns/net") == outside
    devices = computer.said("cat", f"/proc/{kiosk}/net/dev").splitlines()[2:]
    assert [device.split(":")[0].strip() for device in devices] == ["lo"]
    assert computer.said("cat", f"/proc/{kiosk}/net/route").splitlines()[1:] == []


def test_nobody_but_the_kiosk_opens_the_socket_of_the_pages(pc: TablePC) -> None:
    computer = pc.machine
    wait_until(lambda: corner(computer, "kiosk-page") == SCREENS_TOP)
    knock = "import socket, sys; socket.socket(socket.AF_UNIX).connect(sys.argv[1])"
    for user, opens in ((USER, True), ("tablectl-notify", False), ("tablectl", False), ("nobody", False)):
        as_user = ("setpriv", "--reuid", user, "--init-groups", "--regid", user if opens else "nogroup")
        said = computer.run(*as_user, PYTHON, "-I", "-c", knock, PAGES)
        assert (said.returncode == 0, "PermissionError" in said.stderr) == (opens, not opens), user


def test_the_browser_opens_no_screen_by_itself(pc: TablePC) -> None:
    computer = pc.machine
    wait_until(lambda: computer.pid(KIOSK) != 0)
    in_it = ("nsenter", "--target", str(computer.pid(KIOSK)), "--mount")
    assert computer.said(*in_it, "stat", "--format", "%a", "/run/seatd.sock").strip() == "0"


PAGE: Final = "http://127.0.0.1:8420/croupier"


def wandering(computer: Machine) -> tuple[str, ...]:
    """A second browser in the network of the one on the screen, without where it goes."""
    computer.put(Path(__file__).with_name("wander.py"), "/root/wander.py")
    computer.said("install", "-d", "-o", USER, "/run/wander")
    computer.said("install", "-m", "0644", "/root/wander.py", "/run/wander/wander.py")
    in_it = ("nsenter", "--target", str(computer.pid(KIOSK)), "--net")
    user = ("setpriv", "--reuid", USER, "--regid", USER, "--clear-groups", "env", "HOME=/run/wander")
    return (*in_it, *user, PYTHON, "-I", "/run/wander/wander.py", "/run/wander/browser")


def test_the_browser_goes_nowhere_but_to_loopback(pc: TablePC) -> None:
    computer = pc.machine
    wait_until(lambda: corner(computer, "kiosk-page") == SCREENS_TOP)
    elsewhere = (
        "http://192.0.2.1/",
        "https://example.com/",
        "file:///etc/passwd",
        "data:text/plain,elsewhere",
    )
    said = computer.said(*wandering(computer), PAGE, *elsewhere).splitlines()
    assert said[0] == f"{PAGE} went"
    assert said[1:] == [f"{text} net::ERR_BLOCKED_BY_ADMINISTRATOR" for text in elsewhere]


@pytest.mark.parametrize("unit", [DISPLAY, KIOSK])
def test_it_is_hardened_as_it_runs(pc: TablePC, unit: str) -> None:
    said = pc.machine.run("systemd-analyze", "security", "--no-pager", unit).stdout
    found = re.search(r"Overall exposure level for \S+: ([0-9.]+)", said)
    assert found is not None, said
    assert float(found[1]) <= EXPOSED_MOST, said


@pytest.mark.parametrize(
    ("unit", "setting", "right"),
    [(DISPLAY, "ROTATION=45", "would be right: 0, 90, 180 or 270"), (KIOSK, "SCALE=9", "would be right: a number")],
)
def test_a_wrong_setting_is_said_once_and_not_tried_again(pc: TablePC, unit: str, setting: str, right: str) -> None:
    computer = pc.machine
    settings = computer.said("cat", "/etc/tablectl/kiosk.env")
    name = setting.partition("=")[0]
    computer.write("/etc/tablectl/kiosk.env", re.sub(rf"{name}=.*", setting, settings))
    computer.run("systemctl", "restart", KIOSK)
    wait_until(lambda: computer.shown(unit, "ActiveState") == "failed")
    assert right in computer.log(unit)
    time.sleep(6.0)  # RestartSec, and more: a restart would have come
    assert computer.shown(unit, "ActiveState") == "failed"
    assert computer.pid(KIOSK) == 0
    computer.write("/etc/tablectl/kiosk.env", settings)
    computer.said("systemctl", "restart", KIOSK)
    wait_until(lambda: corner(computer, "kiosk-back") == SCREENS_TOP)

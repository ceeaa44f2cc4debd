"""A table PC with a screen: a Debian with what the croupier's screen needs, and a look at what is on it.

There is no graphics card in a container: the compositor draws into memory. The picture is turned upside down: cage
passes on what fills the screen as it is, without drawing it, and then `grim` does not see it.
"""

from __future__ import annotations

import shutil
import tempfile
from pathlib import Path
from typing import Final

from simulators import processes
from tests.system.machine import SUITE, Machine, fresh_debian
from tests.system.table_pc import TABLE

KIOSK: Final = f"tablectl-kiosk@{TABLE}.service"
DISPLAY: Final = f"tablectl-display@{TABLE}.service"
#: What the handbook says, and what takes pictures.
PACKAGES: Final = ("cage", "chromium", "seatd", "grim", "fonts-dejavu-core")
_NO_CARD: Final = "[Service]\nEnvironment=WLR_BACKENDS=headless WLR_LIBINPUT_NO_DEVICES=1\n"
#: The browser's files, and the compositor's.
RUNTIME: Final = f"/run/tablectl-kiosk/{TABLE}"
SCREEN: Final = f"/run/tablectl-display/{TABLE}"
USER: Final = "tablectl-kiosk"
#: Where the screens answer the kiosk.
PAGES: Final = f"/run/tablectl-pages/{TABLE}"


class NotToBeHad(Exception):
    """Why the packages cannot be installed."""


def debian_with_a_screen() -> Path:
    """The folder of a fresh Debian with these packages, made at the first call on this computer; whole or not at all.
    Raises `NotToBeHad`."""
    plain = fresh_debian()
    made = plain.with_name(f"{plain.name}-screen")
    if not made.exists():
        with tempfile.TemporaryDirectory(dir=plain.parent) as work:
            folder = Path(work) / "root"
            processes.run(["cp", "--archive", str(plain), str(folder)], check=True)
            (folder / "etc/resolv.conf").unlink(missing_ok=True)
            shutil.copyfile("/etc/resolv.conf", folder / "etc/resolv.conf")
            _add_security(folder / "etc/apt/sources.list")
            _apt(folder, "update")
            _apt(folder, "install", "--yes", "--no-install-recommends", *PACKAGES)
            _apt(folder, "clean")
            folder.rename(made)
    return made


def _add_security(sources: Path) -> None:
    """Chromium comes with Debian's security updates: from beside where the rest came from."""
    text = sources.read_text(encoding="utf-8")
    mirror = next(word for word in text.split() if "://" in word)
    sources.write_text(f"{text}deb {mirror.rstrip('/')}-security {SUITE}-security main\n", encoding="utf-8")


def _apt(folder: Path, *words: str) -> None:
    command = ["chroot", str(folder), "env", "DEBIAN_FRONTEND=noninteractive", "apt-get", "--quiet", *words]
    done = processes.run(command, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise NotToBeHad(f"apt-get {words[0]}: {done.stderr.strip().splitlines()[-1]}")


def without_a_card(machine: Machine) -> None:
    """What a container needs and a table PC does not."""
    set_up_display(machine, "no-card", _NO_CARD)
    settings = machine.said("cat", "/etc/tablectl/kiosk.env")
    machine.write("/etc/tablectl/kiosk.env", settings.replace("ROTATION=0", "ROTATION=180"))


def set_up_display(machine: Machine, name: str, text: str) -> None:
    """A drop-in of the compositor's unit; without a text it is taken away."""
    place = f"/etc/systemd/system/{DISPLAY}.d/{name}.conf"
    if text:
        machine.write(place, text)
    else:
        machine.said("rm", place)
    machine.said("systemctl", "daemon-reload")


def picture(machine: Machine) -> bytes:
    """A PNG of what is on the screen; empty while there is none."""
    pid = machine.pid(DISPLAY)
    as_user = ("setpriv", "--reuid", USER, "--regid", USER, "--clear-groups")
    shown = ("env", f"XDG_RUNTIME_DIR={SCREEN}", "WAYLAND_DISPLAY=wayland-0", "grim", "-")
    taken = processes.run(
        machine.inside("nsenter", "--target", str(pid), "--mount", *as_user, *shown), capture_output=True, check=False
    )
    return taken.stdout if taken.returncode == 0 else b""

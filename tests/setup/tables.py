"""Answers for a table, and a machine on which it can be set up: links to serial ports, a USB bus that is simulated."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Final

from tablectl.ops.setup.discovery import Found, OtherTable, SerialPort, UsbDevice
from tablectl.ops.setup.places import Places
from tablectl.ops.setup.plan import Task

BY_ID: Final = "/dev/serial/by-id/usb-FTDI_FT232R_A10K3X7"
#: Nobody writes there: a path that is short enough for a socket, whatever the folder of a test is called.
BELOW: Final = Path("/table")
ONE_PANEL: Final = (
    UsbDevice(driver="xkeys-xk24", port_path="1-1"),
    UsbDevice(driver="patlite-lr6", port_path="1-2"),
)


def task(
    folder: Path = BELOW,
    *,
    n_ports: int = 1,
    usb: tuple[UsbDevice, ...] = ONE_PANEL,
    tables: tuple[OtherTable, ...] = (),
    timezone: str | None = "Europe/Madrid",
) -> Task:
    """A table to try below a folder, on a machine with so many serial adapters."""
    ports = tuple(SerialPort(path=f"{BY_ID}{number}") for number in range(n_ports))
    return Task(found=Found(ports=ports, usb=usb, tables=tables, timezone=timezone), places=Places(root=folder))


def toml(answers: Mapping[str, object]) -> str:
    """Answers by their keys as a file."""
    return "".join(f"{key} = {_value(value)}\n" for key, value in answers.items())


def _value(value: object) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, str):
        return f'"{value}"'
    if isinstance(value, Mapping):
        return "{ " + ", ".join(f"{key} = {_value(item)}" for key, item in value.items()) + " }"
    if isinstance(value, list | tuple):
        return f"[{', '.join(map(_value, value))}]"
    return str(value)


#: What a file has to say of the limits of each game.
LIMITS: Final[Mapping[str, Mapping[str, object]]] = {
    "texas-bonus": {
        "texas-bonus.ante.authorised": [500, 15_000],
        "texas-bonus.ante.limits": [500, 10_000],
        "texas-bonus.bonus.authorised": [100, 5_000],
        "texas-bonus.bonus.limits": [100, 5_000],
    },
    "texas-poker": {
        "texas-poker.ante.authorised": [500, 25_000],
        "texas-poker.ante.limits": [500, 10_000],
        "texas-poker.txb.authorised": [100, 5_000],
        "texas-poker.txb.limits": [100, 2_500],
    },
    "circle-holdem": {
        "circle-holdem.bet.authorised": [200, 200_000],
        "circle-holdem.bet.limits": [200, 200_000],
    },
    "open-holdem": {"open-holdem.bet.authorised": [200, 200_000], "open-holdem.bet.limits": [200, 200_000]},
    "draw-poker": {
        "draw-poker.bet.authorised": [200, 20_000],
        "draw-poker.bet.limits": [200, 20_000],
        "draw-poker.ante.authorised": [100, 500],
        "draw-poker.ante.limits": [100, 100],
        "draw-poker.resto": 20_000,
    },
}


def answers(*games: str, equipment: str = "shoe", **more: object) -> dict[str, object]:
    """What a file has to say at least; `more` by keys, `__` for a dot and `_` as it stands."""
    said: dict[str, object] = {"table.name": "Mesa 7", "table.games": list(games), "table.equipment": equipment}
    said["float.denominations"] = [200, 500, 1000]
    for game in games:
        said |= LIMITS[game]
    if equipment != "antennas":
        said |= {"shoe.driver": "angel-eye", "shoe.port": f"{BY_ID}0"}
    if equipment != "shoe":
        said["readers.driver"] = "feig"
    said |= {"panel.driver": "xkeys-xk24", "light.driver": "patlite-lr6"}
    return said | {key.replace("__", "."): value for key, value in more.items()}

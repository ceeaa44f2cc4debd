"""A driver of another package: announced by an entry point, then configured, set up and opened like every other."""

from __future__ import annotations

import json
import os
import sys
from importlib.metadata import EntryPoint
from pathlib import Path
from typing import Final

import pytest

import drivers
from drivers.registry import DRIVERS, GROUP, places
from simulators import processes
from simulators.devices.registry import GROUP as SIMULATORS_GROUP
from simulators.devices.registry import SIMULATORS, found

#: A package of somebody else: a shuffler that speaks as ours does, under a name of its own and at a pace of its own.
OTHER: Final = """
from dataclasses import replace

from drivers.entry import SetupSetting
from drivers.shuffler.entry import SHUFFLER

RIFFLER = replace(
    SHUFFLER,
    id="riffler-9",
    title="Riffler 9",
    setup_place=9,
    place_defaults={"baud": 19200},
    setup_settings=(SetupSetting(key="silent_s", value=60, comment="it is slow to wake"),),
)
NO_DRIVER = "riffler"
"""
#: Its device, simulated as ours is.
ITS_SIMULATOR: Final = """
from dataclasses import replace

from simulators.devices.shuffler.entry import SIMULATORS

RIFFLER_SIMULATOR = replace(SIMULATORS["shuffler"], summary="Riffler 9")
"""
#: What is asked of a table with a shuffler, what is written for the answers, and what the configuration makes of it.
SET_UP: Final = """
import json, sys
from pathlib import Path
from drivers.registry import DRIVERS
from tablectl.config.table_file import load
from tablectl.ops.setup import config_devices, device_plan
from tablectl.ops.setup.discovery import Found
from tablectl.ops.setup.questions import NONE

found = Found(ports=(), usb=(), tables=(), timezone=None)
answers = {"shuffler.port": "/dev/none"}
(_, model) = device_plan.shuffler_questions(answers, found)
answers["shuffler.driver"] = model.kind.options[-1].value
answers |= {f"{role}.driver": NONE for role in ("shoe", "panel", "light", "badges")}
lines = "\\n".join(config_devices.device_lines(answers, lambda key, value, _="": f"{key} = {json.dumps(value)}"))
shipped, at = sys.argv[1:]
with open(at, "w", encoding="utf-8") as file, open(shipped, encoding="utf-8") as before:
    file.write(before.read() + lines)
(device,) = (found for found in load(Path(at)).devices if found.driver == "riffler-9")
_, protocol = DRIVERS[device.driver].make(device.name, device.settings, None)
print(json.dumps([model.proposal, device.role, device.settings, type(protocol).__name__]))
"""
#: One of ours, for a package that announces it again.
OURS: Final = SIMULATORS["shuffler"]
SHIPPED: Final = Path(__file__).parents[2] / "config" / "mesa-1.toml"


def installed(folder: Path, value: str, simulator: str = "RIFFLER_SIMULATOR") -> dict[str, str]:
    """A package in a folder of its own that announces these values; the environment in which Python finds it."""
    (folder / "others.py").write_text(OTHER, encoding="utf-8")
    (folder / "others_simulated.py").write_text(ITS_SIMULATOR, encoding="utf-8")
    about = folder / "others-1.0.dist-info"
    about.mkdir()
    (about / "METADATA").write_text("Metadata-Version: 2.1\nName: others\nVersion: 1.0\n", encoding="utf-8")
    (about / "entry_points.txt").write_text(
        f"[{GROUP}]\nriffler-9 = others:{value}\n[{SIMULATORS_GROUP}]\nriffler-9 = others_simulated:{simulator}\n",
        encoding="utf-8",
    )
    return {**os.environ, "PYTHONPATH": str(folder)}


def test_every_folder_of_a_device_names_its_models() -> None:
    folders = {path.parent.name for path in Path(drivers.__path__[0]).glob("*/driver.py")}
    assert {place.split(".")[1] for place in places({}).values()} == folders


def test_a_driver_of_another_package_is_set_up_configured_and_made_like_every_other(tmp_path: Path) -> None:
    command = [sys.executable, "-c", SET_UP, str(SHIPPED), str(tmp_path / "mesa-1.toml")]
    ended = processes.run(command, env=installed(tmp_path, "RIFFLER"), capture_output=True, text=True, check=False)
    assert ended.stderr == ""
    assert json.loads(ended.stdout) == [
        "shuffler",
        "shuffler",
        {"port": "/dev/none", "baud": 19200, "silent_s": 60},
        "Shuffler",
    ]
    assert "riffler-9" not in DRIVERS


def test_a_package_that_announces_something_else_is_named(tmp_path: Path) -> None:
    command = [sys.executable, "-c", "from drivers.registry import DRIVERS; [*DRIVERS.values()]"]
    ended = processes.run(command, env=installed(tmp_path, "NO_DRIVER"), capture_output=True, text=True, check=False)
    assert ended.returncode != 0
    assert "others:NO_DRIVER is not the entry of 'riffler-9'" in ended.stderr


def test_a_model_of_ours_is_not_announced_again() -> None:
    with pytest.raises(ValueError, match="two drivers are called shuffler"):
        places({"shuffler": "others:SHUFFLER"})


def test_the_simulator_of_another_package_is_run_like_every_other(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "simulators", "list"]
    ended = processes.run(command, env=installed(tmp_path, "RIFFLER"), capture_output=True, text=True, check=False)
    assert ended.stderr == ""
    assert "riffler-9\tRiffler 9" in ended.stdout.splitlines()


@pytest.mark.parametrize(
    ("name", "value", "error", "told"),
    [
        ("shuffler", "simulators.devices.shuffler.entry:SIMULATORS", TypeError, "is not the entry of a simulator"),
        ("shuffler", f"{__name__}:OURS", ValueError, "two simulators are called shuffler"),
    ],
)
def test_a_simulator_that_is_none_or_is_there_already_is_refused(
    name: str, value: str, error: type[Exception], told: str
) -> None:
    with pytest.raises(error, match=told):
        found([EntryPoint(name=name, value=value, group=SIMULATORS_GROUP)])

"""What the package brings for the croupier's screen fits the program: policy, settings, user, unit."""

from __future__ import annotations

import json
import os
import re
import subprocess
from pathlib import Path
from typing import Final
from urllib.parse import urlsplit

import pytest

from tablectl.commands import kiosk
from tablectl.kiosk.browser import CHROMIUM, FLAGS

ROOT: Final = Path(__file__).parents[2]
SCRIPT: Final = ROOT / "debian/bin/kiosk"
POLICY: Final = ROOT / "debian/etc/tablectl-kiosk.json"
SETTINGS: Final = ROOT / "debian/etc/kiosk.env"
UNIT: Final = (ROOT / "systemd/tablectl-kiosk@.service").read_text(encoding="utf-8")


def test_the_policy_leaves_loopback_and_nothing_else() -> None:
    policy = json.loads(POLICY.read_text(encoding="utf-8"))
    # chrome:// is not among "*", and a browser that may not go there crashes: the keeper comes back from it.
    assert policy["URLBlocklist"] == ["*", "devtools://*"]
    assert {urlsplit(each).hostname for each in policy["URLAllowlist"]} == {"127.0.0.1", "::1"}
    assert {urlsplit(each).scheme for each in policy["URLAllowlist"]} == {"http", "https"}


def test_the_policy_names_no_policy_twice() -> None:
    names = re.findall(r'^  "(\w+)":', POLICY.read_text(encoding="utf-8"), re.MULTILINE)
    assert len(names) == len(set(names)) == len(json.loads(POLICY.read_text(encoding="utf-8")))


def test_scripts_are_interpreted_because_the_unit_allows_no_memory_that_is_written_and_run() -> None:
    assert "MemoryDenyWriteExecute=yes" in UNIT
    assert {"--js-flags=--jitless", "--disable-gpu"} <= set(FLAGS)


def test_the_browser_keeps_its_sandbox() -> None:
    assert "--no-sandbox" not in FLAGS
    assert "RestrictNamespaces=user pid net\n" in UNIT


def test_its_user_is_in_no_group() -> None:
    text = (ROOT / "systemd/tablectl.sysusers").read_text(encoding="utf-8")
    assert "\nu tablectl-kiosk " in text
    assert "\nm tablectl-kiosk" not in text
    assert not re.search(r"^(Supplementary)?Groups?=", UNIT, re.MULTILINE)


def test_every_setting_of_the_file_is_somebodys_and_has_its_default() -> None:
    said = dict(re.findall(r"^([A-Z_]+)=(.*)$", SETTINGS.read_text(encoding="utf-8"), re.MULTILINE))
    assert said == {kiosk.SCALE: "1", "TABLECTL_KIOSK_ROTATION": "0"}
    assert "TABLECTL_KIOSK_ROTATION" in SCRIPT.read_text(encoding="utf-8")


@pytest.mark.parametrize("rotation", ["45", "-90", "left"])
def test_a_wrong_rotation_is_named(rotation: str) -> None:
    said = subprocess.run(
        [str(SCRIPT), "mesa-1"],
        env=os.environ | {"TABLECTL_KIOSK_ROTATION": rotation},
        capture_output=True,
        text=True,
        check=False,
    )
    assert said.returncode == 2
    assert "would be right: 0, 90, 180 or 270" in said.stderr


def test_the_script_starts_what_the_program_expects() -> None:
    assert f"-x {CHROMIUM} " in SCRIPT.read_text(encoding="utf-8")
    assert "ExecStart=/usr/lib/tablectl/kiosk %i\n" in UNIT

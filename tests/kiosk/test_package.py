"""What the package brings for the croupier's screen fits the program: policy, settings, user, units."""

from __future__ import annotations

import argparse
import json
import os
import re
from pathlib import Path
from typing import Final
from urllib.parse import urlsplit

import pytest

from simulators import processes
from tablectl.cli.commands import kiosk
from tablectl.cli.commands import screens as screens_command
from tablectl.cli.main import main
from tablectl.ops.kiosk.browser import CHROMIUM, FLAGS
from tablectl.ops.kiosk.place import NotShown
from tablectl.ops.kiosk.settings import ROTATION, SCALE, mistakes, settings_in

ROOT: Final = Path(__file__).parents[2]
SCRIPT: Final = ROOT / "debian/bin/display"
POLICY: Final = ROOT / "debian/etc/tablectl-kiosk.json"
SETTINGS: Final = ROOT / "debian/etc/kiosk.env"
UNIT: Final = (ROOT / "systemd/tablectl-kiosk@.service").read_text(encoding="utf-8")
DISPLAY: Final = (ROOT / "systemd/tablectl-display@.service").read_text(encoding="utf-8")
SCREENS: Final = (ROOT / "systemd/tablectl-screens@.service").read_text(encoding="utf-8")


def test_the_policy_leaves_loopback_and_nothing_else() -> None:
    policy = json.loads(POLICY.read_text(encoding="utf-8"))
    # chrome:// is not among "*", and a browser that may not go there crashes: the keeper comes back from it.
    assert policy["URLBlocklist"] == ["*", "devtools://*"]
    assert {urlsplit(allowlist).hostname for allowlist in policy["URLAllowlist"]} == {"127.0.0.1", "::1"}
    assert {urlsplit(allowlist).scheme for allowlist in policy["URLAllowlist"]} == {"http", "https"}


def test_the_policy_names_no_policy_twice() -> None:
    names = re.findall(r'^  "(\w+)":', POLICY.read_text(encoding="utf-8"), re.MULTILINE)
    assert len(names) == len(set(names)) == len(json.loads(POLICY.read_text(encoding="utf-8")))


def test_scripts_are_interpreted_because_the_unit_allows_no_memory_that_is_written_and_run() -> None:
    for unit in (UNIT, DISPLAY):
        assert "\nMemoryDenyWriteExecute=yes\n" in unit
    assert {"--js-flags=--jitless", "--disable-gpu"} <= set(FLAGS)


def test_the_browser_keeps_its_sandbox() -> None:
    assert "--no-sandbox" not in FLAGS
    assert "\nRestrictNamespaces=user pid net\n" in UNIT
    assert "\nRestrictNamespaces=yes\n" in DISPLAY


def said(unit: str, name: str) -> list[str]:
    """Every value of a directive, of table mesa-1."""
    return [match.replace("%i", "mesa-1").replace("%t", "/run") for match in re.findall(rf"^{name}=(.*)$", unit, re.M)]


def test_the_browser_has_no_network_and_the_compositor_no_address() -> None:
    assert said(UNIT, "PrivateNetwork") == ["yes"]
    assert said(UNIT, "RestrictAddressFamilies") == ["AF_UNIX AF_INET AF_INET6"]
    assert said(DISPLAY, "RestrictAddressFamilies") == ["AF_UNIX AF_NETLINK"]


def test_the_pages_come_by_the_socket_at_which_the_screens_answer_too() -> None:
    (screens,), (kiosk_starts,) = said(SCREENS, "ExecStart"), said(UNIT, "ExecStart")
    also, through = argparse.ArgumentParser(), argparse.ArgumentParser()
    screens_command.add_arguments(also)
    kiosk.add_arguments(through)
    socket = also.parse_args(screens.split()[2:]).also
    assert socket == through.parse_args(kiosk_starts.split()[2:]).through
    folders = (ROOT / "systemd/tablectl.tmpfiles").read_text(encoding="utf-8")
    # Whatever is made there is of its group, and only these two come to it.
    assert f"d {socket.parent} 2750 tablectl-web tablectl-kiosk -\n" in folders
    assert said(SCREENS, "ReadWritePaths") == [str(socket.parent)]


def test_the_browser_finds_the_compositor_where_it_is() -> None:
    (runtime,) = said(DISPLAY, "RuntimeDirectory")
    assert said(UNIT, "Environment")[-1] == f"WAYLAND_DISPLAY=/run/{runtime}/wayland-0"
    assert said(DISPLAY, "User") == said(UNIT, "User") == ["tablectl-kiosk"]


def test_neither_comes_without_the_other() -> None:
    assert said(UNIT, "Requires") == said(UNIT, "After")[1:] == ["tablectl-display@mesa-1.service"]
    assert said(DISPLAY, "PartOf") == ["tablectl-kiosk@mesa-1.service"]
    # Without it, a browser that waited for a compositor that did not start would not be started with its next attempt.
    assert "tablectl-kiosk@mesa-1.service" in said(DISPLAY, "Wants")
    for unit in (UNIT, DISPLAY):
        assert said(unit, "Restart") == ["always"]
        assert said(unit, "RestartPreventExitStatus") == ["2"]


def test_its_user_is_in_no_group() -> None:
    text = (ROOT / "systemd/tablectl.sysusers").read_text(encoding="utf-8")
    assert "\nu tablectl-kiosk " in text
    assert "\nm tablectl-kiosk" not in text
    for unit in (UNIT, DISPLAY):
        assert not re.search(r"^(Supplementary)?Groups?=", unit, re.MULTILINE)


def test_every_setting_of_the_file_is_somebodys_and_has_its_default() -> None:
    settings = dict(re.findall(r"^([A-Z_]+)=(.*)$", SETTINGS.read_text(encoding="utf-8"), re.MULTILINE))
    assert settings == {SCALE: "1", ROTATION: "0"}
    for unit in (UNIT, DISPLAY):
        assert said(unit, "EnvironmentFile") == ["-/etc/tablectl/kiosk.env"]
    assert settings_in(SETTINGS) == settings
    assert not list(mistakes(settings))
    assert {SCALE, ROTATION} <= set(re.findall(r"TABLECTL_KIOSK_[A-Z]+", SCRIPT.read_text(encoding="utf-8")))


@pytest.mark.parametrize("rotation", ["45", "-90", "left"])
def test_a_wrong_rotation_is_named(rotation: str) -> None:
    done = processes.run(
        [str(SCRIPT)],
        env=os.environ | {"TABLECTL_KIOSK_ROTATION": rotation},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 2
    assert "would be right: 0, 90, 180 or 270" in done.stderr


SCALES: Final = {
    **dict.fromkeys(("0.5", "1", "1.25", "2", "3.999", "4"), True),
    **dict.fromkeys(
        ("0.49", "4.1", "9", "0", "-1", "much", "nan", "inf", "1,25", "1e0", "0x1", "1 2", ".5", "125%"), False
    ),
}


@pytest.mark.parametrize(("scale", "is_good"), SCALES.items())
def test_a_scale_is_refused_by_compositor_and_page_alike_before_the_screen_is_black(
    scale: str, *, is_good: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    done = processes.run(
        [str(SCRIPT)], env=os.environ | {SCALE: scale, ROTATION: "0"}, capture_output=True, text=True, check=False
    )
    said = f"{SCALE}={scale}; would be right: a number from 0.5 to 4, such as 1.25"
    assert done.returncode == 2, "where the scale is good the programs are missing here"
    assert (said in done.stderr) is not is_good
    assert list(mistakes({SCALE: scale})) == ([] if is_good else [said])
    monkeypatch.setenv(SCALE, scale)
    if is_good:
        assert kiosk.scale() == float(scale)
    else:
        with pytest.raises(NotShown, match="would be right: a number from"):
            kiosk.scale()


def test_settings_with_which_the_screen_would_stay_dark_are_told_with_the_tables_file(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "mesa-1.toml").write_text((ROOT / "config/mesa-1.toml").read_text(encoding="utf-8"), encoding="utf-8")
    (tmp_path / "kiosk.env").write_text(f'# as it is wanted\n{SCALE}="1,25"\n{ROTATION}=45\n', encoding="utf-8")
    assert main(["check-config", "--language", "en", str(tmp_path / "mesa-1.toml")]) == 0
    told = capsys.readouterr().out
    assert f"notice: {tmp_path}/kiosk.env: {SCALE}=1,25; would be right: a number from 0.5 to 4" in told
    assert f"notice: {tmp_path}/kiosk.env: {ROTATION}=45; would be right: 0, 90, 180 or 270" in told


def test_the_script_is_what_the_unit_starts_and_looks_for_what_the_program_starts() -> None:
    assert f"-x {CHROMIUM} " in SCRIPT.read_text(encoding="utf-8")
    assert said(DISPLAY, "ExecStart") == [f"/usr/lib/tablectl/{SCRIPT.name}"]
    assert f"debian/bin/{SCRIPT.name} usr/lib/tablectl\n" in (ROOT / "debian/tablectl.install").read_text()

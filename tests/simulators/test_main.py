"""`python -m simulators`: what a person types and what any other program can open."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from drivers.angel_eye.messages import BAUD
from drivers.transport.serial import SerialSettings, open_serial
from simulators import processes
from simulators.__main__ import main
from simulators.devices.faults import FaultKind, load_faults
from simulators.devices.registry import SIMULATORS
from simulators.devices.standalone import Options, words

STARTED = bytes.fromhex("05 31 53 03 36 31")
SOON_S = 30.0


@pytest.fixture
def shoe(tmp_path: Path) -> Iterator[subprocess.Popen[str]]:
    command = [sys.executable, "-m", "simulators", "angel-eye", "--link", str(tmp_path / "shoe"), "--speed", "0"]
    with processes.start(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        yield process
        process.kill()


def say(process: subprocess.Popen[str], word: str) -> str:
    assert process.stdin is not None
    assert process.stdout is not None
    process.stdin.write(f"{word}\n")
    process.stdin.flush()
    return process.stdout.readline().strip()


@pytest.mark.system
def test_a_shoe_by_itself_says_its_path_serves_a_client_and_leaves_no_link(
    shoe: subprocess.Popen[str], tmp_path: Path
) -> None:
    assert shoe.stdout is not None
    path = shoe.stdout.readline().strip()
    assert path == str(tmp_path / "shoe")
    wire = open_serial(path, SerialSettings(baud=BAUD))
    read = b""
    while STARTED * 3 not in read:
        read += wire.read(SOON_S)
    assert say(shoe, "draw").startswith("drawn ")
    assert say(shoe, "").startswith("drawn ")
    while read.count(b"D") < 6:
        read += wire.read(SOON_S)
    wire.close()
    assert "unplug" in say(shoe, "what")
    assert say(shoe, "unplug") == "unplugged"
    assert not Path(path).is_symlink()
    assert say(shoe, "replug") == path
    assert say(shoe, "shuffle") == "shuffled"
    shoe.terminate()
    assert shoe.wait(SOON_S) == 0
    assert not Path(path).is_symlink()


@pytest.mark.system
def test_a_shoe_says_when_it_holds_its_cards(shoe: subprocess.Popen[str]) -> None:
    assert shoe.stdout is not None
    shoe.stdout.readline()
    assert say(shoe, "error") == "stopped in error 4"
    assert say(shoe, "draw") == "the shoe stands in error 4"
    assert say(shoe, "force").startswith("drawn by force ")
    assert say(shoe, "reboot") == "rebooted"
    assert say(shoe, "unread").startswith("drawn unread ")
    assert say(shoe, "cut") == "cut card"
    assert shoe.stdin is not None
    shoe.stdin.write("quit\n")
    shoe.stdin.flush()
    assert shoe.wait(SOON_S) == 0


def test_the_list_names_every_device(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["list"]) == 0
    assert [line.split("\t")[0] for line in capsys.readouterr().out.splitlines()] == list(SIMULATORS)


@pytest.mark.system
@pytest.mark.parametrize("device", SIMULATORS)
def test_every_device_runs_says_where_it_is_and_ends_when_it_is_told_to(device: str, tmp_path: Path) -> None:
    stop = threading.Event()
    said: list[str] = []

    def say(line: str) -> None:
        said.append(line)
        stop.set()

    options = Options(stop=stop, say=say, link=tmp_path / "device")
    assert SIMULATORS[device].run(options) == 0
    assert said[0] == str(tmp_path / "device")
    assert not (tmp_path / "device").exists()


#: Each kind of fault, one after the other; those of tags only where there are any.
PLAN = "".join(f'[[fault]]\nkind = "{kind}"\nat = [{n}]\nfor_s = 0.01\n' for n, kind in enumerate(FaultKind, start=1))
TAG_PLAN = "".join(f'[[tag-fault]]\nkind = "{kind}"\nat = [1]\n' for kind in ("quiet-tag", "two-tags"))


@pytest.mark.system
@pytest.mark.parametrize("device", SIMULATORS)
def test_every_device_takes_a_plan_with_every_fault(device: str, tmp_path: Path) -> None:
    plan = tmp_path / "plan.toml"
    plan.write_text(PLAN + (TAG_PLAN if SIMULATORS[device].takes_tags else ""), encoding="utf-8")
    stop = threading.Event()
    said: list[str] = []

    def say(line: str) -> None:
        said.append(line)
        stop.set()

    faults = load_faults(plan)
    assert {fault.kind for fault in faults.faults} == set(FaultKind)
    assert SIMULATORS[device].run(Options(stop=stop, say=say, link=tmp_path / "device", faults=faults)) == 0
    assert said[0] == str(tmp_path / "device")


@pytest.mark.parametrize("device", SIMULATORS)
def test_faults_of_tags_are_wrong_usage_where_there_are_no_tags_or_too_few_antennas(
    device: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    plan = tmp_path / "plan.toml"
    plan.write_text('[[tag-fault]]\nkind = "clone"\nat = [1]\nother_antenna = 9\n', encoding="utf-8")
    assert main([device, "--faults", str(plan)]) == 2
    said = capsys.readouterr()
    assert ("antenna 9" in said.out) if SIMULATORS[device].takes_tags else ("reads no tags" in said.err)


def test_an_unknown_device_is_wrong_usage_and_the_known_ones_are_named(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["toaster"]) == 2
    assert "angel-eye" in capsys.readouterr().err


@pytest.mark.parametrize(
    "arguments",
    [["--tag", "04A1"], ["--faults", "/none.toml"], ["--every", "0"], ["--speed", "-1"], ["--link", "/none/shoe"]],
)
def test_what_cannot_be_used_is_wrong_usage(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["angel-eye", *arguments]) == 2
    assert capsys.readouterr().err


def test_help_names_devices_and_options(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        main(["--help"])
    assert ended.value.code == 0
    shown = capsys.readouterr().out
    for word in ("angel-eye", "--link", "--seed", "--faults", "--tag", "--every", "--speed"):
        assert word in shown


def spoken(options: Options, typed: bytes, *, at_most: int) -> list[str]:
    read, write = os.pipe()
    try:
        os.write(write, typed)
        os.close(write)
        found: list[str] = []
        for word in words(options, unasked="tick", stdin=read):
            found.append(word)
            if len(found) == at_most:
                options.stop.set()
        return found
    finally:
        os.close(read)


def test_words_are_lines_and_quit_ends_them() -> None:
    options = Options(stop=threading.Event(), say=print)
    assert spoken(options, b"Draw\n\n cut \nquit\nnever\n", at_most=9) == ["draw", "", "cut"]


def test_without_a_person_the_usual_thing_goes_on_by_itself() -> None:
    options = Options(stop=threading.Event(), say=print, every_s=0.001)
    assert spoken(options, b"draw\n", at_most=4) == ["draw", "tick", "tick", "tick"]

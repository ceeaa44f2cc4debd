"""`python -m simulators feig | pepper | pn532`: each runs by itself, and its driver reads it over a real pty."""

from __future__ import annotations

import queue
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from drivers.facts import DeviceFact, TagIn, TagOut
from drivers.port import Patience, Port
from drivers.protocol import DeviceProtocol
from drivers.registry import DRIVERS
from simulators import processes
from simulators.__main__ import main
from simulators.devices.feig.entry import MODEL as FEIG
from simulators.devices.field import Field
from simulators.devices.pepper.entry import MODEL as PEPPER
from simulators.devices.pn532.entry import MODEL as PN532
from simulators.devices.reader import ReaderSimulator
from simulators.devices.reader_standalone import SPOT, Model, Person
from simulators.devices.wire import PtyEnd
from simulators.devices.world import World

SOON_S = 30.0
TAGS = {"pn532": "04A1B2C3D4E5F6", "feig": "E004015012345678", "pepper": "E004015012345678"}


class Silent:
    def info(self, event: str, **fields: object) -> None: ...

    warning = info
    error = info


@pytest.fixture(params=TAGS)
def reader(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[tuple[str, subprocess.Popen[str]]]:
    name = str(request.param)
    link = str(tmp_path / "reader")
    command = [sys.executable, "-m", "simulators", name, "--link", link, "--tag", TAGS[name], "--speed", "4"]
    with processes.start(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        yield name, process
        process.kill()


def say(process: subprocess.Popen[str], word: str) -> str:
    assert process.stdin is not None
    assert process.stdout is not None
    process.stdin.write(f"{word}\n")
    process.stdin.flush()
    return process.stdout.readline().strip()


@pytest.mark.system
def test_a_reader_by_itself_is_read_and_its_tag_lifted_and_put_back(
    reader: tuple[str, subprocess.Popen[str]], tmp_path: Path
) -> None:
    name, process = reader
    assert process.stdout is not None
    path = process.stdout.readline().strip()
    assert path == str(tmp_path / "reader")
    facts: queue.SimpleQueue[DeviceFact] = queue.SimpleQueue()
    opener, protocol = DRIVERS[name].make("field", {"port": path, "out_s": 0.05}, None)
    port: Port[DeviceProtocol] = Port("field", opener, protocol, facts.put, Silent(), patience=Patience(first_s=0.01))

    def read_until(kind: type[TagIn] | type[TagOut]) -> str:
        while not isinstance(fact := facts.get(timeout=SOON_S), kind):
            pass
        return fact.tag.open()

    with port:
        assert read_until(TagIn) == TAGS[name]
        assert say(process, "") == "lifted"
        assert read_until(TagOut) == TAGS[name]
        assert say(process, f"put {TAGS[name]}") == f"put {TAGS[name]}"
        assert read_until(TagIn) == TAGS[name]
    process.terminate()
    assert process.wait(SOON_S) == 0
    assert not Path(path).is_symlink()


@pytest.mark.parametrize(("model", "tag"), [(PN532, "04A1B2C3"), (FEIG, "E004015012345678"), (PEPPER, "04A1B2C3")])
def test_a_person_at_a_reader_moves_tags(model: Model, tag: str, tmp_path: Path) -> None:
    world = World([])
    field = Field(world, SPOT)
    end = PtyEnd(link=tmp_path / "reader", baud=model.baud)
    simulator = ReaderSimulator(end, model.protocol([field], end))
    person = Person(model, world, field, simulator, end)
    try:
        assert person.does(["list"]) == "no tag"
        assert person.does(["put", tag.lower()]) == f"put {tag}"
        assert person.does(["list"]) == tag
        assert person.does(["deaf", tag]) == f"{tag} does not answer"
        assert field.awake() == []
        assert person.does(["deaf", tag]) == f"{tag} answers"
        assert person.does([]) == "lifted"
        assert person.does([]) == "put back"
        assert person.does(["take", tag]) == f"take {tag}"
        assert field.awake() == []
        assert person.does(["unplug"]) == "unplugged"
        assert person.does(["replug"]) == end.path
        assert person.does(["reboot"]) == "rebooted"
        assert "put UID" in person.does(["put", "XY"])
    finally:
        simulator.close()


@pytest.mark.parametrize("device", TAGS)
def test_a_number_that_no_tag_of_this_kind_has_is_wrong_usage(device: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([device, "--tag", "12345"]) == 2
    assert "12345" in capsys.readouterr().out

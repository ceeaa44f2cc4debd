"""The simulated PN532 against programs that are not ours: nfcpy and Adafruit's library, unchanged, over a real pty.

They are installed for these tests alone, by their hashes (`nfc-clients.txt`). What Adafruit's library imports of a
microcontroller's modules is stood in for: over a serial line it uses neither.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import pytest

from simulators import processes
from simulators.devices.field import Field
from simulators.devices.pn532.entry import MODEL as PN532
from simulators.devices.pn532.simulator import ChipProtocol
from simulators.devices.reader import ReaderSimulator
from simulators.devices.wire import PtyEnd
from simulators.devices.world import World, type_a_tag

pytestmark = [pytest.mark.system, pytest.mark.slow]

WANTED: Final = Path(__file__).with_name("nfc-clients.txt")
TIMES: Final = 3

NFCPY: Final = """
import sys
import nfc.clf
import nfc.clf.transport
import nfc.clf.pn532
device = nfc.clf.pn532.init(nfc.clf.transport.TTY(sys.argv[1]))
try:
    assert device.chipset.diagnose("line"), "262 bytes said again"
    target = device.sense_tta(nfc.clf.RemoteTarget("106A"))
    print(device.chipset_name, target.sdd_res.hex().upper() if target else "none")
finally:
    device.close()
"""
ADAFRUIT: Final = """
import sys
import types
stand_ins = {
    "digitalio": {"Direction": None, "DigitalInOut": object},
    "micropython": {"const": int},
    "circuitpython_typing": {"ReadableBuffer": bytes},
    "busio": {"UART": object},
}
for name, members in stand_ins.items():
    sys.modules[name] = types.ModuleType(name)
    vars(sys.modules[name]).update(members)
import serial
from adafruit_pn532.uart import PN532_UART
with serial.Serial(sys.argv[1], 115200, timeout=0.5) as port:
    chip = PN532_UART(port)
    uid = chip.read_passive_target(timeout=1)
    print(*chip.firmware_version[:3], uid.hex().upper() if uid else "none")
    assert chip.power_down()
"""


@pytest.fixture(scope="module")
def clients(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where they are installed."""
    place = tmp_path_factory.mktemp("clients")
    pip = [sys.executable, "-m", "pip", "install", "--quiet", "--no-deps", "--require-hashes", "--no-build-isolation"]
    processes.run([*pip, "--target", str(place), "--requirement", str(WANTED)], check=True)
    return place


@pytest.fixture(params=[1.0, None], ids=["at-the-pace-of-the-wire", "unpaced"])
def table(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[tuple[World, PtyEnd]]:
    world = World(["As"], tag_of=type_a_tag)
    end = PtyEnd(link=tmp_path / "reader", baud=PN532.baud, speed_factor=request.param, minds_speed=True)
    protocol = PN532.protocol([Field(world, "seat-1")], end)
    assert isinstance(protocol, ChipProtocol)
    reader = ReaderSimulator(end, protocol)
    reader.start()
    yield world, end
    reader.close()


@pytest.mark.parametrize(("program", "chip"), [(NFCPY, "PN532v1.6"), (ADAFRUIT, "50 1 6")], ids=["nfcpy", "adafruit"])
def test_a_program_of_others_reads_a_card_three_times_in_a_row(
    program: str, chip: str, clients: Path, table: tuple[World, PtyEnd]
) -> None:
    world, end = table
    card = world.cards()[0]
    world.put(card, "seat-1")
    environment = {**os.environ, "PYTHONPATH": str(clients)}
    for _ in range(TIMES):
        done = processes.run(
            [sys.executable, "-c", program, end.path],
            env=environment,
            capture_output=True,
            text=True,
            timeout=60,
            check=False,
        )
        assert done.returncode == 0, done.stderr
        assert done.stdout.strip() == f"{chip} {card.tag}"

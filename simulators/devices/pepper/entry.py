"""The Pepper C1 reader with tags in its field, for `python -m simulators pepper`."""

from __future__ import annotations

from typing import Final

from drivers.pepper import messages
from simulators.devices.pepper.simulator import PepperProtocol
from simulators.devices.reader_standalone import Model, entry_of
from simulators.devices.world import iso15693_tag

MODEL: Final = Model(
    baud=messages.BAUD,
    bits_per_byte=10,
    uid_bytes=(4, 7, 8, 10),
    usual_tag=iso15693_tag,
    protocol=lambda fields, end: PepperProtocol(fields),
    antennas=4,
)

SIMULATORS: Final = {"pepper": entry_of(MODEL, "Pepper C1 reader of tags, serial, on a pty")}

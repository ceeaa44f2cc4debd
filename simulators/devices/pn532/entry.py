"""The PN532 reader with tags in its field, for `python -m simulators pn532`."""

from __future__ import annotations

from typing import Final

from drivers.pn532 import messages
from simulators.devices.pn532.simulator import ChipProtocol
from simulators.devices.reader_standalone import Model, entry_of
from simulators.devices.world import type_a_tag

MODEL: Final = Model(
    baud=messages.BAUD,
    bits_per_byte=10,
    uid_bytes=(4, 7, 10),
    usual_tag=type_a_tag,
    protocol=lambda fields, end: ChipProtocol(fields, speed_changed=end.speak_at, speed_announced=end.will_speak_at),
    antennas=4,
)

SIMULATORS: Final = {"pn532": entry_of(MODEL, "PN532 reader of tags, serial, on a pty")}

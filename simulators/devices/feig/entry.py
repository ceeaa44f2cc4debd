"""The FEIG i-scan reader with tags in its field, for `python -m simulators feig`."""

from __future__ import annotations

from typing import Final

from drivers.feig import messages
from simulators.devices.feig.simulator import FeigProtocol
from simulators.devices.reader_standalone import Model, entry_of
from simulators.devices.world import iso15693_tag

MODEL: Final = Model(
    baud=messages.BAUD,
    bits_per_byte=messages.BITS_PER_BYTE,
    uid_bytes=(messages.UID_BYTES,),
    usual_tag=iso15693_tag,
    protocol=lambda fields, end: FeigProtocol(fields[0]),
)

SIMULATORS: Final = {"feig": entry_of(MODEL, "FEIG i-scan reader of tags, serial, on a pty")}

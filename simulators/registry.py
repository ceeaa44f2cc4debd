"""The simulated devices. A new one is one line here, its module and its tests."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final

from simulators import angel_eye_standalone, usb_standalone
from simulators.reader_standalone import FEIG, PEPPER, PN532, runner
from simulators.standalone import Options


@dataclass(frozen=True, kw_only=True, slots=True)
class SimulatorEntry:
    """`summary` is one line for `list`; `run` returns the exit status; `takes_tags`: `--tag` means something to it."""

    summary: str
    run: Callable[[Options], int]
    takes_tags: bool = False


SIMULATORS: Final[Mapping[str, SimulatorEntry]] = MappingProxyType(
    {
        "angel-eye": SimulatorEntry(summary="Angel Eye II-EX shoe, serial, on a pty", run=angel_eye_standalone.run),
        "xkeys-xk24": SimulatorEntry(summary="X-keys XK-24 panel, USB, on a socket", run=usb_standalone.run_panel),
        "patlite-lr6": SimulatorEntry(summary="PATLITE LR6-USB light, USB, on a socket", run=usb_standalone.run_light),
        "pn532": SimulatorEntry(summary="PN532 reader of tags, serial, on a pty", run=runner(PN532), takes_tags=True),
        "feig": SimulatorEntry(
            summary="FEIG i-scan reader of tags, serial, on a pty", run=runner(FEIG), takes_tags=True
        ),
        "pepper": SimulatorEntry(
            summary="Pepper C1 reader of tags, serial, on a pty", run=runner(PEPPER), takes_tags=True
        ),
    }
)

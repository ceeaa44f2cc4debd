"""The simulated devices. A new one is one line here, its module and its tests."""

from __future__ import annotations

import importlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from types import MappingProxyType
from typing import Final

from drivers.streamdeck.products import PRODUCTS as DECKS
from drivers.xkeys.products import PRODUCTS
from simulators import angel_eye_standalone, line_shoe_standalone, shuffler_standalone, usb_standalone
from simulators.reader_standalone import FEIG, PEPPER, PN532, runner
from simulators.standalone import Options


@dataclass(frozen=True, kw_only=True, slots=True)
class SimulatorEntry:
    """`summary` is one line for `list`; `run` returns the exit status; `takes_tags`: `--tag` means something to it."""

    summary: str
    run: Callable[[Options], int]
    takes_tags: bool = False


def _run_modbus_panel(options: Options) -> int:
    # Only this one needs pymodbus, and loading it takes time.
    status: int = importlib.import_module("simulators.modbus_standalone").run(options)
    return status


SIMULATORS: Final[Mapping[str, SimulatorEntry]] = MappingProxyType(
    {
        "angel-eye": SimulatorEntry(summary="Angel Eye II-EX shoe, serial, on a pty", run=angel_eye_standalone.run),
        "line-shoe": SimulatorEntry(summary="Shoe that says a line a card, on a pty", run=line_shoe_standalone.run),
        "shuffler": SimulatorEntry(summary="Shuffler, reference protocol, on a pty", run=shuffler_standalone.run),
        **{
            product.id: SimulatorEntry(
                summary=f"X-keys {product.title}, USB, on a socket",
                run=partial(usb_standalone.run_panel, product),
            )
            for product in PRODUCTS.values()
        },
        **{
            deck.id: SimulatorEntry(
                summary=f"{deck.title}, USB, on a socket",
                run=partial(usb_standalone.run_deck, deck),
            )
            for deck in DECKS.values()
        },
        "modbus-panel": SimulatorEntry(
            summary="Modbus-RTU module with 16 buttons and lamps, serial, on a pty", run=_run_modbus_panel
        ),
        "patlite-lr6": SimulatorEntry(summary="PATLITE LR6-USB light, USB, on a socket", run=usb_standalone.run_light),
        "qlight-usb": SimulatorEntry(summary="Qlight USB tower, USB, on a socket", run=usb_standalone.run_qlight),
        "blink1": SimulatorEntry(summary="blink(1) light, USB, on a socket", run=usb_standalone.run_blink1),
        "pn532": SimulatorEntry(summary="PN532 reader of tags, serial, on a pty", run=runner(PN532), takes_tags=True),
        "feig": SimulatorEntry(
            summary="FEIG i-scan reader of tags, serial, on a pty", run=runner(FEIG), takes_tags=True
        ),
        "pepper": SimulatorEntry(
            summary="Pepper C1 reader of tags, serial, on a pty", run=runner(PEPPER), takes_tags=True
        ),
    }
)

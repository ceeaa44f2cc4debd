"""`python -m simulators xkeys-xk24` and its like: an X-keys panel on a USB bus of its own, served on a socket."""

from __future__ import annotations

import random

from drivers.xkeys.products import Product
from simulators.devices.standalone import Options
from simulators.devices.usb_standalone import PANEL_HELP, key_words, name_of, serve
from simulators.devices.xkeys.simulator import LampChange, XKeysSimulator


def run(product: Product, options: Options) -> int:
    """An X-keys panel, until told to stop. Returns the exit status."""
    dice = random.Random(options.seed)

    def show(change: LampChange) -> None:
        options.say(f"key {change.key}: {name_of(change.lamp)}")

    panel = XKeysSimulator(product=product, on_lamp=show, faults=options.faults, seed=options.seed)
    key_word = key_words(panel, product.n_keys, dice)

    def plug_word(word: str) -> str | None:
        match word:
            case "plug":
                panel.plug_in()
                return "a plug is in"
            case "pull":
                panel.pull_plug()
                return "no plug is in"
            case _:
                return key_word(word)

    if product.has_plugs:
        return serve(panel, options, PANEL_HELP.replace(" | silent", " | plug | pull | silent"), plug_word)
    return serve(panel, options, PANEL_HELP, key_word)

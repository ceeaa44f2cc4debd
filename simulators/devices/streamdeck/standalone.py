"""`python -m simulators streamdeck-15` and its like: a Stream Deck on a USB bus of its own, served on a socket."""

from __future__ import annotations

import random

from drivers.streamdeck.products import Product
from simulators.devices.standalone import Options
from simulators.devices.streamdeck.simulator import StreamDeckSimulator
from simulators.devices.usb_standalone import PANEL_HELP, key_words, serve


def run(product: Product, options: Options) -> int:
    """A Stream Deck, until told to stop. Returns the exit status."""
    dice = random.Random(options.seed)

    def show(key: int) -> None:
        red, green, blue = deck.ground(key)
        options.say(f"key {key}: #{red:02x}{green:02x}{blue:02x}, {'written on' if deck.has_ink(key) else 'blank'}")

    deck = StreamDeckSimulator(product=product, on_picture=show, faults=options.faults, seed=options.seed)
    return serve(deck, options, PANEL_HELP, key_words(deck, product.n_keys, dice))

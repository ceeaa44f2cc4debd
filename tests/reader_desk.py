"""A whole table with a reader at the stub besides, two decks in the register, and who lays cards on the reader."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Final

from simulators.devices.feig.simulator import FeigProtocol
from simulators.devices.field import Field
from simulators.devices.reader import ReaderSimulator
from simulators.devices.wire import PtyEnd
from simulators.devices.world import AWAY, PhysicalCard, World
from simulators.stage.stage import Scene
from tablectl.core.cards import DECK, Card
from tablectl.journal.deck_register import Register
from tablectl.journal.keys import load_sealing
from tests.desk import Desk, desk
from tests.journal.journals import keep_keys

#: Tags as ISO 15693 has them, of two decks.
RED: Final = {f"E00401AA000000{card.index:02X}": card for card in DECK}
BLUE: Final = {f"E00401BB000000{card.index:02X}": card for card in DECK}
#: 2026-10-01, noon: when the decks were enrolled.
ENROLLED_US: Final = 1_790_848_800_000_000
#: A tag of no deck.
UNKNOWN_TAG: Final = "E00401CC00000000"


def reader_block(folder: Path, *, name: str = "tray", spot: str = "stub") -> str:
    """A reader in a configuration."""
    lines = [f'[[device]]\nname = "{name}"\ndriver = "feig"', f'[device.settings]\nport = "{folder}/{name}"']
    return "\n".join([*lines, "pause_s = 0.01", "out_s = 0.05", f"[device.spots]\n{spot} = 1\n"])


class Tray:
    """The reader, and the cards that can be laid on it, by their tags."""

    def __init__(self, folder: Path) -> None:
        self.world = World([])
        self.field = Field(self.world, "tray")
        self.reader = ReaderSimulator(
            PtyEnd(link=folder / "tray", baud=38400, speed_factor=None), FeigProtocol(self.field)
        )

    def card(self, tag: str) -> PhysicalCard:
        known = next((physical_card for physical_card in self.world.cards() if physical_card.tag == tag), None)
        return known if known is not None else self.world.bring("", AWAY, tag=tag)

    def lay(self, *tags: str) -> None:
        """All at once."""
        self.field.deaf |= set(tags)
        for tag in tags:
            self.world.put(self.card(tag), "tray")
        self.field.deaf.clear()

    def lift(self, *tags: str) -> None:
        for tag in tags:
            self.world.put(self.card(tag), AWAY)


def register_of(table: Desk) -> Register:
    """As another program opens it."""
    vault, _ = load_sealing(table.folder / "table.key")
    return Register(table.folder / "decks.db", vault)


def enrol(table: Desk, name: str, tags: dict[str, Card]) -> None:
    with register_of(table) as register:
        register.enrol(name, tags, by="Ana", reason="", at_us=ENROLLED_US)


@contextmanager
def reader_desk(scene: Scene | None = None) -> Iterator[tuple[Desk, Tray]]:
    """The decks "red 7" and "blue 7" are ready; the controller is started by the test."""
    with desk(scene=None if scene is None else replace(scene, staff=False)) as table:
        keep_keys(table.folder)
        enrol(table, "red 7", RED)
        enrol(table, "blue 7", BLUE)
        text = table.config.read_text(encoding="utf-8")
        table.config.write_text(f"{reader_block(table.folder)}\n{text}", encoding="utf-8")
        tray = Tray(table.folder)
        tray.reader.start()
        try:
            yield table, tray
        finally:
            table.stop()
            tray.reader.close()

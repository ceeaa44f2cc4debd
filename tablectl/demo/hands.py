"""A person's hands and eyes at the demo's table: keys, entries, cards, and the records that tell what came of them."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from typing import Any, Final

from simulators.angel_eye import ShoeHoldsCards
from simulators.world import EmptyShoe, PhysicalCard
from tablectl.client import NoController
from tablectl.demo.felt import Felt
from tablectl.demo.stage import PANEL, Stage
from tablectl.engine.words import Key

#: How long a person waits for the table to react before doing something about it, in seconds.
PATIENCE_S: Final = 2.0
#: After these no card comes out, or none is wanted.
_CUT_OFF: Final = ("wait-shoe", "answer")


class Stuck(Exception):
    """The table did not go on, whatever was tried. The text is for whoever looks for the bug."""


class Hands:
    """What the demo's people do goes over the wires; `pause(seconds)` is called between two actions."""

    def __init__(self, stage: Stage, felt: Felt, pause: Callable[[float], object]) -> None:
        self.stage = stage
        self.felt = felt
        self.pause = pause
        #: the cards of this hand, as the croupier's hands know them
        self.cards: list[PhysicalCard] = []

    @contextmanager
    def at_the_table(self) -> Iterator[None]:
        """In here everything else can be done. Raises `NoController`, `StageBroken`."""
        newest = self.stage.newest
        with (
            self.stage.reader(after=self.felt.seq) as self._reader,
            closing(self.stage.speaker()) as self._speaker,
        ):
            if self.felt.seq < newest:
                self.look(lambda record: record["seq"] >= newest)
            yield

    def look(self, done: Callable[[dict[str, Any]], bool] = lambda _: True, *, patience_s: float = PATIENCE_S) -> bool:
        """Look at records until one is what was waited for; False where none was, in time."""
        until_s = time.monotonic() + patience_s
        while (left_s := until_s - time.monotonic()) > 0:
            record = self._reader.next(left_s)
            if record is None:
                return False
            self.felt.see(record)
            if done(record):
                return True
        return False

    def press(self, key: Key) -> None:
        """A key: of the panel, or of the screen where the panel is dark or has no such key."""
        self.pause(0.8)
        if key in PANEL and self.stage.panel_is_plugged:
            self.stage.press(key)
            if self.look(lambda record: record["fact"]["kind"] == "pressed"):
                return
        self.enter(f"press {key}")

    def enter(self, text: str) -> None:
        """An entry on a screen. Raises `Stuck` where it cannot be one."""
        try:
            reply = self._speaker.enter(text)
        except NoController:
            with closing(self.stage.speaker()) as another:
                reply = another.enter(text)
        if not reply["ok"]:
            raise Stuck(f"{text!r}: {reply['error']}")
        if self.felt.seq < reply["seq"]:
            self.look(lambda record: record["seq"] >= reply["seq"])

    def draw(self, draw: Callable[[], PhysicalCard] | None = None) -> None:
        """Draw, and wait until the table has seen it; a shoe that is cut off just then is seen too."""
        try:
            self.cards.append((draw or self.stage.shoe.draw)())
        except ShoeHoldsCards:
            self.look(patience_s=0.1)
            return
        except EmptyShoe:
            raise Stuck(f"the shoe is empty, and the table still wants {self.felt.prompt['about']}") from None
        self.look(lambda record: record["fact"]["kind"] == "drawn" or record["prompt"]["instruction"] in _CUT_OFF)
        self.pause(0.55)

    def draw_unreported(self) -> None:
        """A card that the shoe does not tell of, and the croupier does."""
        self.cards.append(self.stage.world.draw())
        self.enter("declare unreported-card")

    def faces(self, *slots: str) -> list[str]:
        """What the croupier's hands laid there, as far as a card lies there."""
        draws = (self.felt.draw_at.get(slot, 0) for slot in slots)
        return [self.cards[draw - 1].face for draw in draws if 0 < draw <= len(self.cards)]

"""A simulated shoe that says a line a card. What it says for what is its table; the default says the cards themselves.

Reports made while nobody listens are lost: such a shoe has no memory that anybody knows of.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

from drivers.line_shoe.messages import LineEnd, encode_line
from simulators.devices.faults import NO_FAULTS, FaultPlan
from simulators.devices.wire import DeviceEnd
from simulators.devices.wired import WiredDevice
from simulators.devices.world import PhysicalCard, World

#: What it says that is no card; made up.
STARTED: Final = "READY"
UNREAD: Final = "ERR"
CUT_CARD: Final = "CUT"


@dataclass(frozen=True, kw_only=True, slots=True)
class LineShoeOptions:
    """How this shoe speaks."""

    #: Face to code; a face without one is said as it is.
    codes: Mapping[str, str] = field(default_factory=dict)
    line_end: LineEnd = LineEnd.CR_LF
    #: It says each line twice.
    says_lines_twice: bool = False
    #: After a card's line its characters stand once more, without a line end ("in game mode").
    says_characters_twice: bool = False


DEFAULT_OPTIONS: Final = LineShoeOptions()


class LineShoeSimulator(WiredDevice):
    """The whole shoe, from any thread: cards of a `World` in it, a wire out of it."""

    def __init__(
        self,
        end: DeviceEnd,
        world: World,
        *,
        faults: FaultPlan = NO_FAULTS,
        seed: int = 0,
        options: LineShoeOptions = DEFAULT_OPTIONS,
    ) -> None:
        super().__init__(end, faults=faults, seed=seed)
        self._world = world
        self._options = options
        self._said_ready = False

    # -- what a person does to it --------------------------------------------------------------------------------------

    def draw(self) -> PhysicalCard:
        """Draw the top card; its line is on its way when this returns. Raises `EmptyShoe`; then no card moved."""
        with self._lock:
            card = self._world.draw()
            code = self._options.codes.get(card.face, card.face)
            self._say(code)
            if self._options.says_characters_twice:
                self._put(code.encode("ascii"))
            return card

    def draw_unread(self) -> PhysicalCard:
        """Draw so that the shoe cannot read the card. Raises `EmptyShoe`."""
        with self._lock:
            card = self._world.draw()
            self._say(UNREAD)
            return card

    def draw_cut_card(self) -> None:
        """The cut card comes out; it is no card of the deck."""
        self.say(CUT_CARD)

    def say(self, text: str) -> None:
        """Any line at all."""
        with self._lock:
            self._say(text)

    # -- what its wire tells it ----------------------------------------------------------------------------------------

    def client_came(self) -> None:
        """See `SimulatedDevice`."""
        with self._lock:
            if not self._said_ready:
                self._said_ready = True
                self._say(STARTED)

    def restarted(self) -> None:
        """See `SimulatedDevice`."""
        super().restarted()
        self.say(STARTED)

    def _say(self, text: str) -> None:
        line = encode_line(text, self._options.line_end)
        for _ in range(2 if self._options.says_lines_twice else 1):
            self._put(line)

"""The demo's table as a person finds it who takes over from the simulated croupier, and hands back to him.

What each of them does goes over the same wires. The person finds every card where it was laid, and the simulated
croupier every card that was drawn meanwhile.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

from simulators.devices.world import PhysicalCard
from simulators.stage.croupier import Croupier
from simulators.stage.dealing import Dealing
from simulators.stage.stage import Stage
from simulators.stage.training.acts import do
from simulators.stage.training.table import ShownTable
from tablectl.api.stage import EVERY_ACT, Act, TableSeen
from tablectl.core.public_table.table import Side

#: What no person may do where another deals the same hand: cards that nobody tells of, and cables.
_FOR_EXERCISES: Final = frozenset(
    {Act.DRAW_UNREPORTED, Act.DRAW_BY_FORCE, Act.CUT_CARD, Act.PUT_BACK, Act.DEAFEN, Act.SHUFFLE}
    | {Act.UNPLUG, Act.PLUG}
)
#: By these cards come out of the shoe.
_DRAWS: Final = frozenset({Act.DRAW, Act.DRAW_TWO, Act.DRAW_UNREAD})


class SharedTable(ShownTable):
    """A stage that somebody else begins and ends, and his croupier. `croupier()`: who deals there now."""

    acts = EVERY_ACT - _FOR_EXERCISES
    helps = True

    def __init__(
        self, stage: Stage, dealing: Dealing, croupier: Callable[[], Croupier], rings: Callable[[], None]
    ) -> None:
        super().__init__(stage, rings)
        self.dealing = dealing
        self._croupier = croupier

    def begin(self) -> None:
        """From now on its lamps are to be seen."""
        self._look_at_lamps()

    def end(self) -> None:
        """Whoever dealt, the simulated croupier goes on."""
        assert self.dealing is not None, "it can be handed over"
        self.dealing.hand_back()

    def seen(self) -> TableSeen:
        """How it looks now; what the rules turned up lies open."""
        show_faces(self, self._croupier())
        return super().seen()

    def took(self, card: PhysicalCard) -> str:
        """A person drew this card: the croupier after him knows it."""
        self._croupier().took(card)
        return super().took(card)

    def do(self, asked: Mapping[str, Any]) -> tuple[str, ...]:
        """One act; what is drawn does not stay in anybody's hand: it is laid where the table has it. Raises `NoAct`,
        `CannotBeDone`."""
        done = do(self, asked)
        return () if asked.get("do") in _DRAWS else done


def show_faces(table: ShownTable, croupier: Croupier) -> None:
    """What the rules have turned up shows its face."""
    cards, lying = croupier.cards, croupier.felt.table.cards
    for draw, shown in lying.items():
        if shown.side is Side.FACE and 0 < draw <= len(cards):
            table.tabletop.show(cards[draw - 1])

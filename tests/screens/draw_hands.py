"""A hand of five-card draw for the tests of the screens, in the grammar of hand files, up to each of its moments."""

from __future__ import annotations

from typing import Final

from tablectl.core.engine.vocabulary import Equipment, Tracking
from tablectl.journal.handfile.file import parse
from tests.screens.circle_hands import DEVICES
from tests.screens.controller import Bench

#: Antes of 50 cents, bets of 1 € and up; seat 3 is the nominal dealer.
_TABLE: Final = """rulebook draw-poker
tracking {tracking}
equipment {equipment}
limits bet 100..10000
limits ante 50..50
chip 50
table Mesa
places {places}
seats {seats}
button 3
"""


def table(
    lines: str = "",
    *,
    tracking: Tracking = Tracking.AMOUNTS,
    equipment: Equipment = Equipment.SHOE,
    seats: tuple[int, ...] = (1, 2, 3),
    places: int = 10,
) -> Bench:
    """Players between two hands, with 20 € each, and what happens then."""
    stacks = "".join(f"stack {seat} 2000\n" for seat in seats) if tracking is Tracking.AMOUNTS else ""
    said = " ".join(map(str, seats))
    header = _TABLE.format(tracking=tracking, equipment=equipment, places=places, seats=said) + stacks
    bench = Bench(carry=parse(header + "> press new-hand\n").carry)
    bench.lines(DEVICES + lines)
    return bench


CUT: Final = "press new-hand\n"
ANTES: Final = CUT + "press confirm\n"
_DEALT: Final = ("As", "Ks", "2s", "Ad", "Kd", "3s", "5c", "6c", "4s", "8c", "9c", "8s", "Tc", "Jc", "9s")
#: Seat 1 has a pair of aces, 2 of kings, 3 nothing.
CARDS: Final = ANTES + "press no-more-bets\n" + "".join(f"draw {card}\n" for card in _DEALT)
#: Seat 1 passes, 2 opens with 1 €, 3 calls, 1 raises to 3 €, 2 calls, 3 folds.
OPENED: Final = CARDS + "act check\nact bet 100\nact call\nact raise 300\nact call\nact fold\n"
ASKED: Final = OPENED + "press seat-3\n"
REPLACING: Final = ASKED + "press confirm\ndraw 2c\n"
SERVED: Final = REPLACING + "draw 2d\ndraw 2h\n"
#: Seat 2 changes two.
SECOND: Final = SERVED + "press seat-2\npress confirm\ndraw Kc\ndraw Qc\n"
SHOWDOWN: Final = SECOND + "press all-check\n"
#: Seat 1 has kept his aces, and seat 2 his kings and the jack.
NAMED: Final = (
    SHOWDOWN
    + "press show-all\nname seat-1.1 As by ana\nname seat-1.2 Ad by ana\n"
    + "name seat-2.1 Ks by ana\nname seat-2.2 Kd by ana\nname seat-2.3 Jc by ana\n"
)
PASSED_OUT: Final = CARDS + "press all-check\n"
#: Nine players open and stay; the first ones change so many that only the last card of the stub is left.
NINE: Final = tuple(range(1, 10))
#: Seat 4 gets the first card and the tenth: aces.
_DECK: Final = [rank + suit for rank in "AKQJT98765432" for suit in "shdc"]
_DECK[1], _DECK[9] = _DECK[9], _DECK[1]
NEW_STUB: Final = (
    ANTES
    + "press no-more-bets\n"
    + "".join(f"draw {card}\n" for card in _DECK[:45])
    + "act bet 100\n"
    + "act call\n" * 8
    + "press seat-4\npress confirm\n"
    + "".join(f"draw {card}\n" for card in _DECK[45:49])
    + "press seat-4\npress confirm\n"
    + "".join(f"draw {card}\n" for card in _DECK[49:51])
)

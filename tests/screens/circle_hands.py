"""A hand of a circle game for the tests of the screens, in the grammar of hand files, up to each of its moments."""

from __future__ import annotations

from typing import Final

from tablectl.core.engine.vocabulary import Tracking
from tablectl.journal.handfile.file import parse
from tests.screens.controller import Bench

DEVICES: Final = "back shoe angel-eye\nback panel xkeys\nback light tower\n"
#: Blinds of 1 € and 2 €, chips of 50 cents and up. Seat 9 is away, seat 6 has the fewest chips.
_TABLE: Final = """rulebook {rulebook}
tracking {tracking}
limits bet 200..100000
chip 50
table Mesa
places {places}
seats 1 2 4 6 8
player seat=9 absent away=1 lap=5
button 8
"""
_STACKS: Final = "stack 1 20000\nstack 2 15000\nstack 4 30000\nstack 6 1500\nstack 8 12000\n"


def table(
    lines: str = "",
    *,
    tracking: Tracking = Tracking.AMOUNTS,
    rulebook: str = "circle-holdem",
    places: int = 10,
    fee: str = "",
    staff: bool = False,
) -> Bench:
    """Six players between two hands, and what happens then. `fee`: as a hand file has it, `250 each-pot 1000`."""
    stacks = _STACKS if tracking is Tracking.AMOUNTS else ""
    header = _TABLE.format(rulebook=rulebook, tracking=tracking, places=places) + stacks
    if staff:
        header += "staff\ncroupier croupier\n"
    if fee:
        header += f"profile fee=from-the-pot\nfee {fee}\n"
    bench = Bench(carry=parse(header + "> press new-hand\n").carry)
    bench.lines(DEVICES + lines)
    return bench


#: Seat 8 has the button, so seats 1 and 2 have the blinds, and the first card goes to seat 1.
BLINDS: Final = "press new-hand\n"
#: Seat 1 has aces, 2 kings, 4 nines, 6 seven and deuce, 8 queens.
CARDS: Final = """
press no-more-bets
draw As
draw Kd
draw 9h
draw 7c
draw Qs
draw Ad
draw Kh
draw 9c
draw 2d
draw Qd
"""
#: Seats 4 and 6 call, 8 folds, 1 raises to 8 €, 2 and 4 call, seat 6 is all-in with his 15 €, the others call.
PRE_FLOP: Final = """
press call
press call
press fold
act raise 800
press call
press call
press all-in
press call
press call
press call
"""
FLOP: Final = """
draw 3c
draw 9d
draw Ts
draw 4h
"""
#: Seat 1 checks, 2 bets 20 €, 4 raises to 40 €, 1 folds, 2 calls.
FLOP_BETS: Final = """
press check
act bet 2000
act raise 4000
press fold
press call
"""
TURN: Final = "draw 5s\ndraw 8d\n"
TURN_BETS: Final = "press check\npress check\n"
RIVER: Final = "draw 6s\ndraw 2c\n"
RIVER_BETS: Final = "act bet 2000\npress call\n"
TO_THE_FLOP: Final = BLINDS + CARDS + PRE_FLOP + FLOP
SHOWDOWN: Final = TO_THE_FLOP + FLOP_BETS + TURN + TURN_BETS + RIVER + RIVER_BETS
#: Seat 2 made the last bet and shows his kings, 4 his three nines, and 6 gives his hand up. Seat 4 wins both pots.
SHOWN: Final = SHOWDOWN + "press show\npress show\npress fold\n"

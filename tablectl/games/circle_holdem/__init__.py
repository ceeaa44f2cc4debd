"""Texas Hold'em de círculo (`circle-holdem`), document 001: players bet against each other."""

from __future__ import annotations

from importlib.resources import files
from typing import Final

from tablectl.core.settlement.lines.pots import holdem_lines
from tablectl.core.settlement.lines.settler import of_pot_game
from tablectl.families.pots.odd_chip import pot_rules
from tablectl.games.circle_holdem import rules
from tablectl.games.circle_holdem.options import CircleHoldemProfile
from tablectl.games.game import Game, Proposal

_LINES: Final = holdem_lines(seats_clause="AMB-64", deck_clause="THL-DEF-3", showdown_clause="THL-SDN-2")
GAME: Final = Game(
    place=3,
    rulebook=rules.rulebook,
    options=CircleHoldemProfile,
    seats_clause="AMB-64",
    proposal=Proposal(seats=9, limits={"bet": ((200, 200_000), (200, 200_000))}),
    settler=of_pot_game(rules.ID, pot_rules(CircleHoldemProfile().odd_chip), _LINES),
    folder=files(__name__),
)

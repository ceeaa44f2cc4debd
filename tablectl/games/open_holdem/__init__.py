"""Texas Hold'em abierto (`open-holdem`), document 003: players bet against each other."""

from __future__ import annotations

from importlib.resources import files
from typing import Final

from tablectl.core.settlement.lines.pots import holdem_lines
from tablectl.core.settlement.lines.settler import of_pot_game
from tablectl.families.pots.odd_chip import pot_rules
from tablectl.games.game import Game, Proposal
from tablectl.games.open_holdem import rules
from tablectl.games.open_holdem.options import OpenHoldemProfile

_LINES: Final = holdem_lines(seats_clause="THO-DEF-1", deck_clause="THO-DEF-3", showdown_clause="THO-SDN-1")
GAME: Final = Game(
    place=4,
    rulebook=rules.rulebook,
    options=OpenHoldemProfile,
    seats_clause="AMB-64",
    proposal=Proposal(seats=9, limits={"bet": ((200, 200_000), (200, 200_000))}),
    settler=of_pot_game(rules.ID, pot_rules(OpenHoldemProfile().odd_chip), _LINES),
    folder=files(__name__),
)

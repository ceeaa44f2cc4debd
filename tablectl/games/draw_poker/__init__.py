"""Póker de cinco cartas con descarte (`draw-poker`), document 004: players bet against each other."""

from __future__ import annotations

from importlib.resources import files
from typing import Final

from tablectl.core.settlement.lines.pots import draw_lines
from tablectl.core.settlement.lines.settler import of_pot_game
from tablectl.families.pots.odd_chip import pot_rules
from tablectl.games.draw_poker import rules
from tablectl.games.draw_poker.options import DrawPokerProfile
from tablectl.games.game import Game, Proposal

_LINES: Final = draw_lines(seats_clause="AMB-64", deck_clause="AMB-72", showdown_clause="FCD-WIN-2")
GAME: Final = Game(
    place=5,
    rulebook=rules.rulebook,
    options=DrawPokerProfile,
    seats_clause="AMB-64",
    proposal=Proposal(seats=8, limits={"bet": ((200, 20_000), (200, 20_000)), "ante": ((100, 500), (100, 100))}),
    settler=of_pot_game(rules.ID, pot_rules(DrawPokerProfile().odd_chip), _LINES),
    folder=files(__name__),
    # FCD-RST-2, FCD-RST-3
    has_resto=True,
)

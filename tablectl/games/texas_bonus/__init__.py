"""Texas Hold'em Bonus (`texas-bonus`), document 002: a game against the bank."""

from __future__ import annotations

from importlib.resources import files
from typing import Final

from tablectl.core.settlement.lines.settler import of_bank_game
from tablectl.games.game import Game, Proposal
from tablectl.games.texas_bonus import layout, rules
from tablectl.games.texas_bonus.notices import notices
from tablectl.games.texas_bonus.options import TexasBonusProfile
from tablectl.games.texas_bonus.settle_line import settle_line

GAME: Final = Game(
    place=1,
    rulebook=rules.rulebook,
    options=TexasBonusProfile,
    seats_clause="THB-PLY-1",
    proposal=Proposal(seats=7, limits={"ante": ((500, 15_000), (500, 10_000)), "bonus": ((100, 5_000), (100, 5_000))}),
    settler=of_bank_game(TexasBonusProfile, settle_line),
    folder=files(__name__),
    boxes=layout.BOXES,
    notices=notices,
)

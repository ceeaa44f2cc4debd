"""Texas Póker de contrapartida (`texas-poker`), document 000: a game against the bank."""

from __future__ import annotations

from importlib.resources import files
from typing import Final

from tablectl.core.settlement.lines.settler import of_bank_game
from tablectl.games.game import Game, Proposal
from tablectl.games.texas_poker import layout, rules
from tablectl.games.texas_poker.options import TexasPokerProfile
from tablectl.games.texas_poker.settle_line import settle_line

GAME: Final = Game(
    place=2,
    rulebook=rules.rulebook,
    options=TexasPokerProfile,
    seats_clause="TPC-PLY-1",
    proposal=Proposal(seats=7, limits={"ante": ((500, 25_000), (500, 10_000)), "txb": ((100, 5_000), (100, 2_500))}),
    settler=of_bank_game(TexasPokerProfile, settle_line),
    folder=files(__name__),
    boxes=layout.BOXES,
    sentence=layout.SENTENCE,
)

"""Caribbean stud (`caribbean-stud`), a game against the bank as a package of somebody else would bring it: five cards
to each player and to the bank, the bank's last one face up, no common cards. It is no game of ours: the tests show with
it that a game needs nothing outside its folder."""

from __future__ import annotations

from importlib.resources import files
from typing import Final

from tablectl.core.settlement.lines.settler import of_bank_game
from tablectl.games.game import Game, Proposal
from tests.games.caribbean_stud import layout, rules
from tests.games.caribbean_stud.options import CaribbeanStudProfile
from tests.games.caribbean_stud.settle_line import settle_line

GAME: Final = Game(
    place=9,
    rulebook=rules.rulebook,
    options=CaribbeanStudProfile,
    seats_clause="CST-PLY-1",
    proposal=Proposal(seats=7, limits={"ante": ((500, 25_000), (500, 10_000))}),
    settler=of_bank_game(CaribbeanStudProfile, settle_line),
    folder=files(__name__),
    boxes=layout.BOXES,
)

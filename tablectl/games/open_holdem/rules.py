"""Texas Hold'em abierto (`open-holdem`), document 003, clauses THO-*: the game as everybody plays it.

Two to ten players, at no limit, pot limit or fixed limit. What is peculiar to this game: a raise is at least as big as
the one before, only a full one reopens the betting, a fold is final (THO-ACT-2), and the pots are written out
(THO-ALL). Of errors the document says nothing: on a live table they are those of `circle-holdem`.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from tablectl.core.engine.limit_rules import LimitRule
from tablectl.core.options.choices import profile_in_force
from tablectl.families.holdem import rules as holdem
from tablectl.families.holdem.family import HOLDEM
from tablectl.families.holdem.rulebook import HoldemRulebook
from tablectl.families.pots.odd_chip import pot_rules
from tablectl.families.pots.rulebook import Clauses
from tablectl.games.open_holdem.options import OpenHoldemProfile

ID: Final = "open-holdem"
VERSION: Final = "1"
#: The least bet is the big blind, and the small blind half of it; the document gives no band (THO-DEF-2, AMB-58).
LIMITS: Final = LimitRule(clause="THO-BLD-3", band_clause="THO-DEF-2", bets={"bet": None})

_PHASES: Final = {
    "closed": ("THO-DEF-1", "THO-BTN-2", "THO-BTN-3", "THO-NXT-1"),
    "seating": ("THO-BTN-1",),
    "blinds": ("THO-BLD-1", "THO-BLD-2", "THO-BLD-3"),
    "dealing": ("THO-DEA-1", "THO-DEF-5"),
    "pre-flop-betting": ("THO-RND-1", "THO-RND-2", "THO-RND-3", "THO-ALL-3"),
    "flop": ("THO-FLP-1", "THO-DEF-4"),
    "flop-betting": ("THO-RND-4", "THO-RND-5"),
    "turn": ("THO-TRN-1",),
    "turn-betting": ("THO-RND-6",),
    "river": ("THO-RIV-1",),
    "river-betting": ("THO-RND-7",),
    "showdown": ("THO-SDN-1", "THO-SDN-2", "THO-DEF-3", "THO-DEF-6", "THO-DEA-2", "THO-FLP-2"),
    "settlement": ("THO-SDN-3", "THO-SDN-4", "THO-DEF-7", "THO-DEF-8", "THO-ALL-6", "THO-ALL-7", "THO-ALL-9"),
    "voided": ("THL-MIS-0", "THL-MIS-9"),
}

_CLAUSES: Final = Clauses(
    button_draw="THO-BTN-1",
    button_moves="THO-BTN-3",
    blinds="THO-BLD-2",
    players="THO-DEF-1",
    final_fold="THO-ACT-2",
    check="THO-ACT-3",
    call="THO-ACT-5",
    raises="THO-ACT-6",
    below="THO-ACT-6",
    reopens="THO-ALL-1",
    pot_limit="THO-LIM-3",
    fixed_limit="THO-LIM-1",
    all_in="THO-ALL-1",
    all_in_stays="THO-ALL-2",
    cap="THO-LIM-2",
    closes="THO-ALL-3",
    one_left="THO-ACT-2",
    agreement="THL-SDN-6",
    claim="THL-SDN-8",
    best_hand="THO-SDN-3",
    equal_hands="THO-SDN-4",
    odd_chip="THO-SDN-4",
    showing="THO-SDN-1",
    must_show="THO-SDN-1",
)


def rulebook(choices: Mapping[str, str]) -> HoldemRulebook:
    """The game under a house's profile. Raises `ValueError` for a profile that `check-config` would have refused."""
    house = profile_in_force(OpenHoldemProfile, choices)
    return HoldemRulebook(
        id=ID,
        version=VERSION,
        max_seats=holdem.MAX_SEATS,
        limits=LIMITS,
        dwell_us=house.dwell_us,
        phases=holdem.phases(house, house.burn, _PHASES),
        transitions=holdem.TRANSITIONS,
        errors=holdem.errors(house, no_such_seat="THO-DEF-1", out_of_turn="THO-RND-2", too_early="THO-DEA-1"),
        shows=lambda state: state.seats.staying,
        family=HOLDEM,
        house=house,
        clauses=_CLAUSES,
        pots=pot_rules(house.odd_chip),
    )

"""Texas Hold'em de círculo (`circle-holdem`), document 001, clauses THL-*: the circle game of a casino.

Players bet against each other; the house deals and takes its fee. What is peculiar to this game: a raise goes to twice
the highest stake, a short all-in reopens the betting, and the document is the one that lists errors: of the deal
(THL-MIS), of the croupier (THL-CRE) and of players (THL-PLE), with their deadlines.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from tablectl.core.engine.limit_rules import LimitRule
from tablectl.core.options.choices import profile_in_force
from tablectl.core.options.shared import Burn
from tablectl.families.holdem import rules as holdem
from tablectl.families.holdem.family import HOLDEM
from tablectl.families.holdem.rulebook import HoldemRulebook
from tablectl.families.pots.odd_chip import pot_rules
from tablectl.families.pots.rulebook import Clauses
from tablectl.games.circle_holdem.options import CircleHoldemProfile

ID: Final = "circle-holdem"
VERSION: Final = "1"
#: The least bet is the big blind, and the small blind half of it; the document gives no band (AMB-58).
LIMITS: Final = LimitRule(clause="THL-DLG-2", band_clause="THL-DLG-2", bets={"bet": None})

_PHASES: Final = {
    "closed": ("THL-DEF-1", "THL-DEF-3", "THL-SHF-1", "THL-SHF-2", "THL-SHF-7", "THL-SHF-8", "THL-INI-4", "THL-INI-5"),
    "seating": ("THL-INI-1", "THL-INI-2", "THL-INI-3"),
    "blinds": ("THL-DLG-1", "THL-DLG-2", "THL-INI-7", "THL-INI-8", "THL-INI-9", "THL-INI-10", "THL-GEN-15"),
    "dealing": ("THL-DLG-3", "THL-DLG-4", "THL-DLG-5"),
    "pre-flop-betting": ("THL-RD1-1", "THL-RD1-2", "THL-RD1-3", "THL-RD1-4", "THL-RD1-5", "THL-RD1-6", "THL-RD1-7"),
    "flop": ("THL-RD2-1", "THL-RD2-2", "THL-RD2-3"),
    "flop-betting": ("THL-RD2-4", "THL-RD2-5", "THL-RD2-6"),
    "turn": ("THL-RD3-1", "THL-RD3-2", "THL-RD3-3"),
    "turn-betting": ("THL-RD3-4",),
    "river": ("THL-RD4-1", "THL-RD4-2", "THL-RD4-3"),
    "river-betting": ("THL-RD4-4",),
    "showdown": ("THL-SDN-1", "THL-SDN-5", "THL-DEF-2", "THL-CRE-1"),
    "settlement": ("THL-SDN-2", "THL-SDN-3", "THL-SDN-4", "THL-SDN-6", "THL-SDN-7", "THL-DEF-7", "THL-DEF-8"),
    "voided": ("THL-MIS-0", "THL-MIS-9"),
}

_CLAUSES: Final = Clauses(
    button_draw="THL-INI-2",
    button_moves="THL-DLG-1",
    blinds="THL-DLG-1",
    players="THL-DEF-1",
    final_fold="THL-PLE-2",
    check="THL-RD2-5",
    call="THL-RD1-3",
    raises="THL-RD1-4",
    below="THL-RD1-4",
    reopens="THL-RD1-6",
    pot_limit="THL-RD1-4",
    fixed_limit="THL-RD1-4",
    all_in="THL-RD1-5",
    all_in_stays="THL-END-3",
    cap="THL-RD1-4",
    closes="THL-END-1",
    one_left="THL-END-2",
    agreement="THL-SDN-6",
    claim="THL-SDN-8",
    best_hand="THL-SDN-2",
    equal_hands="THL-SDN-3",
    odd_chip="THL-SDN-4",
    showing="THL-SDN-1",
    must_show="THL-SDN-5",
)


def rulebook(choices: Mapping[str, str]) -> HoldemRulebook:
    """The game under a house's profile. Raises `ValueError` for a profile that `check-config` would have refused."""
    house = profile_in_force(CircleHoldemProfile, choices)
    return HoldemRulebook(
        id=ID,
        version=VERSION,
        max_seats=holdem.MAX_SEATS,
        limits=LIMITS,
        dwell_us=house.dwell_us,
        phases=holdem.phases(house, Burn.EVERY_STREET, _PHASES),
        transitions=holdem.TRANSITIONS,
        errors=holdem.errors(house, no_such_seat="THL-INI-1", out_of_turn="THL-RD1-6", too_early="THL-DLG-5"),
        shows=lambda state: state.seats.staying,
        family=HOLDEM,
        house=house,
        clauses=_CLAUSES,
        pots=pot_rules(house.odd_chip),
    )

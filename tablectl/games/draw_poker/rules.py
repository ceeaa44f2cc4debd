"""Póker de cinco cartas con descarte (`draw-poker`), document 004, clauses FCD-*: five-card draw with openings.

Players bet against each other; the croupier deals in the name of the player with the button. What is peculiar to this
game: antes and no blinds, an opening that is looked at on sealed cards, a pot that stays when nobody opens, the draw,
and irregularities that give any player the right to a new deal. The document is the last page of four: what the
earlier ones would have said is settled by our readings AMB-66 to AMB-80. The betting's irregularities are those of
document 001. Read from the top.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from tablectl.core.engine.card_places import CardPlaces
from tablectl.core.engine.clauses import Contact, Deck, Errors, Policy
from tablectl.core.engine.limit_rules import LimitRule
from tablectl.core.engine.rulebook import REOPEN, Guard, Kind, Part, Phase, Situation, Transition
from tablectl.core.engine.slots import SEATS, Slot
from tablectl.core.engine.vocabulary import Refusal, Remedy
from tablectl.core.options.choices import profile_in_force
from tablectl.core.options.draw import DeckFaultDrawn
from tablectl.core.options.shared import ContactBets, Shuffle
from tablectl.families.draw.family import DRAW
from tablectl.families.draw.rulebook import DrawRulebook
from tablectl.families.pots.odd_chip import pot_rules
from tablectl.families.pots.rulebook import Clauses
from tablectl.games.draw_poker.options import DrawPokerProfile

ID: Final = "draw-poker"
VERSION: Final = "1"
#: FCD-EVT-4: both ends of a bet are settled before the session; FCD-OPN-2: everybody's ante is the same, the least.
LIMITS: Final = LimitRule(
    clause="FCD-EVT-4", band_clause="FCD-EVT-4", bets={"bet": None, "ante": None}, same={"ante": "FCD-OPN-2"}
)

#: AMB-64: fifty of the fifty-two cards; more players are never dealt in.
MAX_SEATS: Final = 10
#: FCD-OPN-3.
HAND: Final = 5

# --- the deal -------------------------------------------------------------------------------------------------------


def _five(seats: tuple[int, ...]) -> tuple[Slot, ...]:
    """Five laps, one card at a time, face down, from the dealer's left, the dealer last (FCD-OPN-3, AMB-71)."""
    return tuple(SEATS[seat - 1][lap] for lap in range(HAND) for seat in seats)


# --- the phases -----------------------------------------------------------------------------------------------------

_PHASES: Final = (
    Phase(name="closed", kind=Kind.IDLE, clauses=("FCD-SEA-1", "FCD-RST-6", "FCD-RST-8", "FCD-RST-10", "FCD-RST-11")),
    Phase(name="seating", kind=Kind.BETTING, part=Part.BUTTON, clauses=("FCD-SEA-2", "FCD-SEA-3")),
    Phase(
        name="antes", kind=Kind.BETTING, part=Part.POSTS, clauses=("FCD-OPN-1", "FCD-OPN-2", "FCD-OPN-4", "FCD-IRR-1")
    ),
    Phase(name="dealing", kind=Kind.DEALING, part=Part.HOLE_CARDS, clauses=("FCD-OPN-3",), plan=_five),
    Phase(
        name="first-betting",
        kind=Kind.DECIDING,
        clauses=(
            "FCD-OPN-5",
            "FCD-OPN-6",
            "FCD-ENV-1",
            "FCD-ENV-2",
            "FCD-ENV-3",
            "FCD-ENV-4",
            "FCD-ENV-5",
            "FCD-EVT-2",
        ),
        round=0,
    ),
    Phase(
        name="draw",
        kind=Kind.EXCHANGING,
        clauses=("FCD-DSC-1", "FCD-DSC-4", "FCD-DSC-8", "FCD-DSC-10", "FCD-DSC-13", "FCD-DSC-14", "FCD-DSC-16"),
    ),
    Phase(
        name="replacing",
        kind=Kind.DEALING,
        part=Part.REPLACEMENTS,
        clauses=("FCD-DSC-2", "FCD-DSC-3", "FCD-DSC-5", "FCD-DSC-9"),
    ),
    Phase(
        name="second-betting", kind=Kind.DECIDING, clauses=("FCD-ENV-3", "FCD-ENV-5", "FCD-ENV-7", "FCD-EVT-2"), round=1
    ),
    Phase(name="showdown", kind=Kind.REVEALING, clauses=("FCD-WIN-2", "FCD-WIN-3")),
    Phase(name="settlement", kind=Kind.SETTLING, clauses=("FCD-WIN-1", "FCD-WIN-4", "FCD-WIN-5", "FCD-RST-4")),
    Phase(name="voided", kind=Kind.VOIDED, clauses=("FCD-IRR-0", "FCD-IRR-12")),
)

# --- the table of transitions: what leads from where to where, and nothing else does ---------------------------------

_NO_BUTTON: Final = Guard(
    name="the first nominal dealer is not settled yet",
    holds=lambda state: state.button is None,
    refusal=Refusal.NOT_LIVE,
    clause="FCD-DSC-3",
)
_ONE_LEFT: Final = Guard(
    name="all but one have folded", holds=lambda state: state.is_one_left, refusal=Refusal.NOT_LIVE, clause="FCD-ENV-8"
)


def _several(state: Situation) -> bool:
    return len(state.seats.staying) > 1


def _was_in(number: int) -> Guard:
    """A hand is settled out of either round: when all but one folded (FCD-ENV-8), or nobody opened (FCD-WIN-5)."""
    return Guard(
        name=f"the betting came to its end in round {number + 1}",
        holds=lambda state: state.betting_round == number,
        refusal=Refusal.NOTHING_TO_TAKE_BACK,
        clause="FCD-ENV-8",
    )


_SEVERAL: Final = Guard(name="several are in", holds=_several, refusal=Refusal.NOT_LIVE, clause="FCD-ENV-7")
_ROUNDS: Final = ("first-betting", "second-betting")
_IN_A_HAND: Final = (
    *("seating", "antes", "dealing", "first-betting", "draw", "replacing", "second-betting"),
    *("showdown", "settlement"),
)

TRANSITIONS: Final = (
    Transition(trigger="new-hand", source="closed", dest="seating", guard=_NO_BUTTON),
    Transition(trigger="new-hand", source="closed", dest="antes"),
    Transition(trigger="dealt", source="seating", dest="antes"),
    Transition(trigger="no-more-bets", source="antes", dest="dealing"),  # FCD-OPN-2
    Transition(trigger="dealt", source="dealing", dest="first-betting"),  # FCD-ENV-1
    Transition(trigger="round-closed", source="first-betting", dest="draw", guard=_SEVERAL),  # FCD-DSC-1
    Transition(trigger="passed-out", source="first-betting", dest="settlement"),  # FCD-WIN-5
    Transition(trigger="asked", source="draw", dest="replacing"),  # FCD-DSC-2
    Transition(trigger="dealt", source="replacing", dest="draw"),
    Transition(trigger="served", source="draw", dest="second-betting"),  # AMB-66
    Transition(trigger="round-closed", source="second-betting", dest="showdown", guard=_SEVERAL),  # FCD-WIN-2
    Transition(trigger="passed-out", source="second-betting", dest="settlement"),  # AMB-67
    *(Transition(trigger="round-closed", source=name, dest="settlement", guard=_ONE_LEFT) for name in _ROUNDS),
    Transition(trigger="revealed", source="showdown", dest="settlement"),
    Transition(trigger="closed", source="settlement", dest="closed"),
    Transition(trigger="closed", source="voided", dest="closed"),
    # The croupier corrects his last entry: the action that closed the round does not count.
    Transition(trigger="take-back", source="draw", dest="first-betting"),
    Transition(trigger="take-back", source="showdown", dest="second-betting"),
    *(
        Transition(trigger="take-back", source="settlement", dest=name, guard=_was_in(number))
        for number, name in enumerate(_ROUNDS)
    ),
    # A card there is due again (FCD-IRR-8, AMB-73): it is dealt, and the round goes on.
    Transition(trigger=REOPEN, source="first-betting", dest="dealing"),
    Transition(trigger=REOPEN, source="draw", dest="replacing"),
    Transition(trigger=REOPEN, source="second-betting", dest="replacing"),
    # Where another hand died meanwhile the round is over already, and nobody has shown his cards yet.
    Transition(trigger=REOPEN, source="showdown", dest="replacing"),
    # Hands were declared dead and one is left: he wins without more cards (FCD-WIN-1).
    *(
        Transition(trigger="one-left", source=name, dest="settlement", guard=_ONE_LEFT)
        for name in ("dealing", "draw", "replacing", "showdown")
    ),
    # The hand is annulled: a new deal on demand (FCD-IRR-0), or the pit boss's ruling.
    *(Transition(trigger="void", source=name, dest="voided") for name in _IN_A_HAND),
)

# --- what the document says of each step ------------------------------------------------------------------------------

_CLAUSES: Final = Clauses(
    button_draw="FCD-DSC-3",  # AMB-70: the nominal dealer
    button_moves="FCD-ENV-1",
    blinds="FCD-OPN-2",
    players="FCD-OPN-2",
    final_fold="FCD-ENV-5",
    check="FCD-ENV-4",
    call="FCD-ENV-5",
    raises="FCD-EVT-4",
    below="FCD-ENV-6",
    reopens="FCD-ENV-7",
    pot_limit="FCD-EVT-4",
    fixed_limit="FCD-EVT-4",
    all_in="FCD-RST-1",
    all_in_stays="FCD-RST-1",
    cap="FCD-EVT-4",
    closes="FCD-ENV-7",
    one_left="FCD-WIN-1",
    agreement="FCD-WIN-4",
    claim="FCD-WIN-4",
    best_hand="FCD-WIN-4",
    equal_hands="FCD-WIN-4",
    odd_chip="FCD-WIN-4",
    showing="FCD-WIN-3",
    must_show="FCD-WIN-2",
)


def _errors(house: DrawPokerProfile) -> Errors:
    """What is shared with every other game; irregularities of this one stand in `families/draw`."""
    voids = house.deck_fault is DeckFaultDrawn.VOID_HAND
    return Errors(
        deck=Deck(
            twice="FCD-IRR-4", missing="FCD-IRR-4", defective="FCD-IRR-4", fault=Policy.VOID if voids else Policy.RULE
        ),
        wrong_order="FCD-OPN-3",  # AMB-71: in which order cards are dealt; FCD-IRR-5 is about who deals
        wrong_order_policy=Policy.CORRECT_OR_RULE,
        outside_shoe="FCD-DSC-3",
        wrong_spot="FCD-OPN-3",
        dealt={"seat": ("FCD-OPN-3",), "discard": ("FCD-DSC-10",)},
        ruling="FCD-IRR-0",
        out_of_turn="FCD-ENV-1",
        too_early_entry="FCD-ENV-1",
        no_such_seat="FCD-SEA-1",
        no_such_bet="FCD-OPN-2",
        shuffle_first="FCD-IRR-1" if house.shuffle is Shuffle.IN_SHOE else None,
        # Our reading "betting errors": contact is document 001's.
        contact=Contact(
            clause="THL-PLE-14",
            again="THL-PLE-14",
            proposed=Remedy.REFUND_BETS if house.contact_bets is ContactBets.RETURNED else Remedy.LOSE_BETS,
        ),
    )


def rulebook(choices: Mapping[str, str]) -> DrawRulebook:
    """The game under a house's profile. Raises `ValueError` for a profile that `check-config` would have refused."""
    house = profile_in_force(DrawPokerProfile, choices)
    return DrawRulebook(
        id=ID,
        version=VERSION,
        max_seats=MAX_SEATS,
        limits=LIMITS,
        dwell_us=house.dwell_us,
        phases={phase.name: phase for phase in _PHASES},
        transitions=TRANSITIONS,
        errors=_errors(house),
        shows=lambda state: state.seats.staying,
        family=DRAW,
        house=house,
        clauses=_CLAUSES,
        pots=pot_rules(house.odd_chip),
        places=CardPlaces(player=HAND),
    )

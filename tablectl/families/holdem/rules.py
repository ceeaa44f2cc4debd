"""What the two hold'em games of a circle have in common: the deal, the phases, the literal table of transitions.

`circle_holdem.py` and `open_holdem.py` say which document's clauses each step goes by. Read from the top.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final

from tablectl.core.engine.clauses import Contact, Deck, Errors, Policy
from tablectl.core.engine.rulebook import REOPEN, Guard, Kind, Part, Phase, PlanOf, Situation, Transition
from tablectl.core.engine.slots import BOARD, BURN, SEATS, Slot
from tablectl.core.engine.vocabulary import Refusal, Remedy
from tablectl.core.options.holdem import FirstButton
from tablectl.core.options.shared import Burn, ContactBets, Shuffle
from tablectl.families.holdem.blinds import draw_plan
from tablectl.families.holdem.rulebook import HoldemHouse

#: THO-DEF-1, AMB-64.
MAX_SEATS: Final = 10

# --- the deal -------------------------------------------------------------------------------------------------------


def _hole(seats: tuple[int, ...]) -> tuple[Slot, ...]:
    """Two laps, one card at a time, face down, from the left of the button (THL-DLG-3, THL-DLG-4, THO-DEA-1)."""
    return (*(SEATS[seat - 1][0] for seat in seats), *(SEATS[seat - 1][1] for seat in seats))


_FLOP: Final = (BOARD[0], BOARD[1], BOARD[2])
_STREETS: Final[Mapping[Burn, tuple[tuple[Slot, ...], ...]]] = {
    Burn.EVERY_STREET: ((BURN[0], *_FLOP), (BURN[1], BOARD[3]), (BURN[2], BOARD[4])),
    Burn.FLOP: ((BURN[0], *_FLOP), (BOARD[3],), (BOARD[4],)),
    Burn.NONE: (_FLOP, (BOARD[3],), (BOARD[4],)),
}


def _street(burn: Burn, number: int) -> PlanOf:
    """THL-RD2-2, -RD2-3, -RD3-2, -RD3-3, -RD4-2, -RD4-3, THO-FLP-1, THO-TRN-1, THO-RIV-1: burn and turn up."""
    plan = _STREETS[burn][number]
    return lambda _: plan


# --- the phases -----------------------------------------------------------------------------------------------------

#: The rounds of betting, in order, and the streets between them.
ROUNDS: Final = ("pre-flop-betting", "flop-betting", "turn-betting", "river-betting")
STREETS: Final = ("flop", "turn", "river")


def _street_and_round(number: int, burn: Burn, clauses: Mapping[str, tuple[str, ...]]) -> Iterator[Phase]:
    """The cards of a street and the betting on them; the first round has the players' own cards before it."""
    if number:
        street = STREETS[number - 1]
        yield Phase(
            name=street,
            kind=Kind.DEALING,
            clauses=clauses[street],
            plan=_street(burn, number - 1),
            part=Part.STREET,
            street=number - 1,
        )
    yield Phase(name=ROUNDS[number], kind=Kind.DECIDING, clauses=clauses[ROUNDS[number]], round=number)


def phases(house: HoldemHouse, burn: Burn, clauses: Mapping[str, tuple[str, ...]]) -> Mapping[str, Phase]:
    """The phases, each with the clauses that it goes by in this document."""
    by_card = house.first_button is FirstButton.HIGH_CARD
    made = (
        Phase(name="closed", kind=Kind.IDLE, clauses=clauses["closed"]),
        Phase(
            name="seating",
            kind=Kind.DEALING if by_card else Kind.BETTING,
            clauses=clauses["seating"],
            plan=draw_plan if by_card else None,
            part=Part.BUTTON,
        ),
        Phase(name="blinds", kind=Kind.BETTING, clauses=clauses["blinds"], part=Part.POSTS),
        Phase(name="dealing", kind=Kind.DEALING, clauses=clauses["dealing"], plan=_hole, part=Part.HOLE_CARDS),
        *(phase for number in range(len(ROUNDS)) for phase in _street_and_round(number, burn, clauses)),
        Phase(name="showdown", kind=Kind.REVEALING, clauses=clauses["showdown"]),
        Phase(name="settlement", kind=Kind.SETTLING, clauses=clauses["settlement"]),
        Phase(name="voided", kind=Kind.VOIDED, clauses=clauses["voided"]),
    )
    return {phase.name: phase for phase in made}


# --- the table of transitions: what leads from where to where, and nothing else does ---------------------------------

_NO_BUTTON: Final = Guard(
    name="the button was not drawn yet",
    holds=lambda state: state.button is None,
    refusal=Refusal.NOT_LIVE,
    clause="THL-INI-2",
)
_ONE_LEFT: Final = Guard(
    name="all but one have folded", holds=lambda state: state.is_one_left, refusal=Refusal.NOT_LIVE, clause="THL-END-2"
)


def _was_in(number: int) -> Guard:
    """A hand is settled out of any round in which all but one folded (THL-END-2)."""
    return Guard(
        name=f"the betting came to its end in round {number + 1}",
        holds=lambda state: state.betting_round == number,
        refusal=Refusal.NOTHING_TO_TAKE_BACK,
        clause="THL-END-2",
    )


def _several(state: Situation) -> bool:
    return len(state.seats.staying) > 1


_SEVERAL: Final = Guard(name="several are in", holds=_several, refusal=Refusal.NOT_LIVE, clause="THL-END-1")
_IN_A_HAND: Final = ("seating", "blinds", "dealing", *ROUNDS, *STREETS, "showdown", "settlement")

TRANSITIONS: Final = (
    Transition(trigger="new-hand", source="closed", dest="seating", guard=_NO_BUTTON),  # THL-INI-2, THO-BTN-1
    Transition(trigger="new-hand", source="closed", dest="blinds"),  # THO-BTN-3
    Transition(trigger="dealt", source="seating", dest="blinds"),
    Transition(trigger="no-more-bets", source="blinds", dest="dealing"),  # THL-DLG-1
    Transition(trigger="dealt", source="dealing", dest="pre-flop-betting"),  # THL-RD1-1
    Transition(trigger="round-closed", source="pre-flop-betting", dest="flop", guard=_SEVERAL),  # THL-RD2-1
    Transition(trigger="dealt", source="flop", dest="flop-betting"),
    Transition(trigger="round-closed", source="flop-betting", dest="turn", guard=_SEVERAL),  # THL-RD3-1
    Transition(trigger="dealt", source="turn", dest="turn-betting"),
    Transition(trigger="round-closed", source="turn-betting", dest="river", guard=_SEVERAL),  # THL-RD4-1
    Transition(trigger="dealt", source="river", dest="river-betting"),
    Transition(trigger="round-closed", source="river-betting", dest="showdown", guard=_SEVERAL),  # THL-SDN-1
    *(Transition(trigger="round-closed", source=name, dest="settlement", guard=_ONE_LEFT) for name in ROUNDS),
    Transition(trigger="revealed", source="showdown", dest="settlement"),
    Transition(trigger="closed", source="settlement", dest="closed"),  # THL-SDN-6
    Transition(trigger="closed", source="voided", dest="closed"),
    # The croupier corrects his last entry: the action that closed the round does not count.
    Transition(trigger="take-back", source="flop", dest="pre-flop-betting"),
    Transition(trigger="take-back", source="turn", dest="flop-betting"),
    Transition(trigger="take-back", source="river", dest="turn-betting"),
    Transition(trigger="take-back", source="showdown", dest="river-betting"),
    *(
        Transition(trigger="take-back", source="settlement", dest=name, guard=_was_in(number))
        for number, name in enumerate(ROUNDS)
    ),
    # A card there is due again (THL-MIS-2, THL-CRE-5 to -8): it is dealt, and the round goes on.
    Transition(trigger=REOPEN, source="pre-flop-betting", dest="dealing"),
    *(Transition(trigger=REOPEN, source=name, dest=street) for name, street in zip(ROUNDS[1:], STREETS, strict=True)),
    # Hands were declared dead and one is left: he wins without more cards (THL-END-2).
    *(
        Transition(trigger="one-left", source=name, dest="settlement", guard=_ONE_LEFT)
        for name in ("dealing", *STREETS, "showdown")
    ),
    # The hand is annulled (THL-MIS-0, or the pit boss's ruling).
    *(Transition(trigger="void", source=name, dest="voided") for name in _IN_A_HAND),
)

# --- errors ---------------------------------------------------------------------------------------------------------


def errors(house: HoldemHouse, *, no_such_seat: str, out_of_turn: str, too_early: str) -> Errors:
    """What both games share with every other one. `open-holdem` states no errors of the deal: on a live table they are
    those of `circle-holdem`."""
    return Errors(
        deck=Deck(
            twice="THL-MIS-5", missing="THL-MIS-5", defective="THL-MIS-5", fault=Policy.RULE, counted="THL-SHF-1"
        ),
        wrong_order="THL-MIS-1",
        wrong_order_policy=Policy.CORRECT_OR_RULE,
        outside_shoe="THL-DLG-3",
        wrong_spot="THL-RD2-3",
        dealt={
            "seat": ("THL-DLG-3",),
            "burn": ("THL-RD2-2", "THL-RD3-2", "THL-RD4-2"),
            "board": ("THL-RD2-3", "THL-RD2-3", "THL-RD2-3", "THL-RD3-3", "THL-RD4-3"),
            "discard": ("THL-GEN-12",),
        },
        ruling="THL-DEF-6",
        out_of_turn=out_of_turn,
        too_early_entry=too_early,
        no_such_seat=no_such_seat,
        no_such_bet="THL-DLG-1",
        shuffle_first="THL-SHF-7" if house.shuffle is Shuffle.IN_SHOE else None,
        contact=Contact(
            clause="THL-PLE-14",
            again="THL-PLE-14",
            proposed=Remedy.REFUND_BETS if house.contact_bets is ContactBets.RETURNED else Remedy.LOSE_BETS,
        ),
    )

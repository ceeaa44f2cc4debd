"""A hand of a circle game up to the first card: who is in it, the button, the blinds."""

from __future__ import annotations

from tablectl.core.engine.decisions import ButtonAt, HandOpened, HandVoided, WaitsToEnter
from tablectl.core.engine.seats import Seats
from tablectl.core.engine.vocabulary import Refusal
from tablectl.families.pots.places import drawn
from tablectl.families.pots.players import WhyNot
from tablectl.families.pots.state import PotGameState

#: Nobody plays alone.
_FEWEST = 2


def new_hand(state: PotGameState) -> None:
    """Open the next hand: with two players or more (THO-DEF-1), and a shuffled deck where the house lets the shoe do it
    (THL-SHF-7, AMB-86). Shuffled by hand, this entry is the confirmation of the cut at hold'em, and its key says so."""
    against = why_no_hand(state)
    if against is not None:
        state.refuse(*against)
        return
    if state.button is None:
        # They draw for it; else who is dealt in is found with their places.
        state.seats.sit_all(state.family.able(state))
    if not state.fire("new-hand"):
        state.seats = Seats()
        return
    state.hand += 1
    state.is_shuffled = False
    opened = HandOpened(
        hand=state.hand, rulebook=state.rulebook.id, version=state.rulebook.version, croupier=state.croupier
    )
    state.out.insert(len(state.out) - 1, opened)
    state.presses = 1


def why_no_hand(state: PotGameState) -> tuple[Refusal, str, str] | None:
    """What speaks against a new hand, between two: the refusal, its clause and its detail. None where nothing does."""
    rules, first = state.rulebook, state.rulebook.errors.shuffle_first
    if first is not None and not state.is_shuffled:
        return Refusal.NOT_SHUFFLED, first, ""
    able = len(state.family.able(state))
    return None if able >= _FEWEST else (Refusal.NO_PLAYERS, rules.clauses.players, f"players={able}")


def lay(state: PotGameState, seat: int) -> None:
    """The button lies there, and does in the next hand."""
    state.markers = drawn(seat)
    state.say(ButtonAt(seat=seat, clause=state.rulebook.clauses.button_draw))


def take_places(state: PotGameState) -> None:
    """THL-DLG-1, THO-BTN-3: the button goes on, the blinds are due left of it. Anew whenever somebody comes or goes
    before they are posted."""
    able = state.family.able(state)
    found = state.family.positions(state, able)
    if isinstance(found, WhyNot):
        # Somebody left before the blinds were posted, and there is nobody to play against: there is no hand.
        state.say(HandVoided(clause=found.clause))
        state.fire("void")
        return
    state.positions = found
    state.seats = Seats.dealt_in(found.order, after=found.button)
    state.say(ButtonAt(seat=found.button, clause=state.rulebook.clauses.button_moves))
    for waiting in found.waits:
        state.say(WaitsToEnter(seat=waiting.seat, clause="THL-INI-10"))
    for seat in state.present if len(able) < len(state.present) else ():
        if seat not in able:
            # He has nothing to post, and is not dealt in.
            state.refuse(Refusal.NO_STACK, state.family.clause_on_no_stack(state, seat), f"seat-{seat}")

"""An opening without a pair of jacks that is found out later (FCD-OPN-5, AMB-68): a person says so, the pit boss rules.

As shipped an opening is looked at on the sealed cards and refused at once (`openings`). What could not be looked at
shows when the cards do: a card that nobody read, a round of which only the end is entered, a house that does not look.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Final

from tablectl.core.engine.facts import Declared
from tablectl.core.engine.outcome import carried_out
from tablectl.core.engine.pending import Incident
from tablectl.core.engine.rule import Outcome, Rule
from tablectl.core.engine.seat_said import one_seat
from tablectl.core.engine.slots import SEATS
from tablectl.core.engine.vocabulary import Chooser, Declaration, Refusal, Remedy, Tracking
from tablectl.families.draw import openings
from tablectl.families.draw.state import DrawState
from tablectl.families.pots import dead_hands
from tablectl.families.pots.hand_open import is_open

CLAUSE: Final = "FCD-OPN-5"


def _who(state: DrawState) -> tuple[int, ...]:
    """Whoever opened, while he is in and others are; where only rounds are entered, anybody can have, from when the
    first round is open. The last one left has won, whatever he opened with (FCD-WIN-1)."""
    rounds = state.rounds
    if rounds is None or rounds.index is None or not is_open(state) or state.is_one_left:
        return ()
    hand = state.draw
    if hand.is_passed_out:
        return ()
    if state.setup.tracking is Tracking.ROUNDS:
        return state.staying
    return tuple(seat for seat in state.staying if seat == hand.opener)


def _outcome(state: DrawState) -> Outcome:
    return Outcome(
        clause=CLAUSE,
        expected="jacks-or-better",
        observed=Declaration.FALSE_OPENING,
        remedies=(Remedy.LOSE_BETS, Remedy.REFUND_BETS, Remedy.CONTINUE),
        chooser=Chooser.PIT_BOSS,
    )


def _declared(state: DrawState, fact: Declared) -> None:
    if not _who(state):
        state.refuse(Refusal.NOT_OFFERED, CLAUSE)
        return
    seat = one_seat(state, fact, _who(state), CLAUSE)
    if seat is not None:
        carried_out(state, replace(_outcome(state), seats=(seat,)))


def look_again(state: DrawState) -> None:
    """An opening that could not be looked at is, as soon as the card is known that was missing: by whoever's word, and
    at whatever time until the pot is delivered."""
    hand = state.draw
    if hand.unchecked and openings.is_found_false(state) and hand.opener is not None and hand.opener in _who(state):
        carried_out(state, replace(_outcome(state), seats=(hand.opener,)))


def _loses(state: DrawState, incident: Incident) -> None:
    """What he put in stays in the pot."""
    _out(state, incident.seats[0], returned=False)


def _has_it_back(state: DrawState, incident: Incident) -> None:
    """What he put in goes back."""
    _out(state, incident.seats[0], returned=True)


def _out(state: DrawState, seat: int, *, returned: bool) -> None:
    """He is out of the hand, and gets no more of the cards that he was changing. Where his bet goes back and nobody has
    called it, nobody has opened. Whoever is out already, or alone, is left as he is."""
    if seat not in state.staying or state.is_one_left:
        return
    state.deal.drop(SEATS[seat - 1])
    dead_hands.out(state, seat, CLAUSE, returned=returned)
    if state.rounds is not None and state.rounds.last_aggressor is None:
        state.draw.opener = None


RULES: Final[Mapping[Declaration, Rule[DrawState]]] = {
    Declaration.FALSE_OPENING: Rule(applies=lambda state: bool(_who(state)), foretells=_outcome, does=_declared)
}
#: The seats that the declaration can be about.
SEATS_ASKED: Final[Mapping[Declaration, Callable[[DrawState], tuple[int, ...]]]] = {Declaration.FALSE_OPENING: _who}
#: What the pit boss's choices do about a false opening.
RULED_ON: Final[Mapping[tuple[Remedy, str], Callable[[DrawState, Incident], None]]] = {
    (Remedy.LOSE_BETS, CLAUSE): _loses,
    (Remedy.REFUND_BETS, CLAUSE): _has_it_back,
}

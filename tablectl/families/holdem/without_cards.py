"""Who posted a blind or an entry bet and got no cards (THL-MIS-7): void before two actions, later for the pit boss."""

from __future__ import annotations

from typing import Final

from tablectl.core.engine.incidents import close, escalate
from tablectl.core.engine.outcome import carried_out, raised
from tablectl.core.engine.pending import Incident, Pending
from tablectl.core.engine.rule import Outcome, noted
from tablectl.core.engine.vocabulary import Chooser, Remedy
from tablectl.core.options.holdem import BlindWithoutCards
from tablectl.families.holdem.deadlines import TWO, actions
from tablectl.families.holdem.rulebook import HOLE
from tablectl.families.holdem.state import HoldemState
from tablectl.families.holdem.two_actions import ACCEPTED, TWO_SAID, ask_about, judged, void
from tablectl.families.pots.dead_hands import out

CLAUSE: Final = "THL-MIS-7"


def applies(state: HoldemState, seat: int) -> bool:
    """Whether the seat posted a blind or an entry bet."""
    return state.positions is not None and any(post.seat == seat for post in state.positions.posts)


def found(state: HoldemState, seat: int) -> None:
    """THL-MIS-7: void before two actions; afterwards the pit boss has the blind."""
    made, expected, observed = actions(state), f"seat-{seat}={HOLE}", f"seat-{seat}=0"
    if made is not None and made < TWO:
        carried_out(state, judged(state, clause=CLAUSE, expected=expected, observed=observed, seats=(seat,)))
    elif made is None:
        outcome = Outcome(
            clause=CLAUSE,
            expected=expected,
            observed=observed,
            remedies=(Remedy.VOID_HAND, *_late(state)),
            chooser=Chooser.CROUPIER,
            seats=(seat,),
        )
        ask_about(state, raised(state, outcome))
    elif seat not in state.staying:
        stands = noted(ACCEPTED, expected=expected, observed=observed, seats=(seat,))
        carried_out(state, stands)
    else:
        ruling = Outcome(
            clause=CLAUSE,
            expected=expected,
            observed=observed,
            remedies=_late(state),
            chooser=Chooser.PIT_BOSS,
            seats=(seat,),
        )
        carried_out(state, ruling)


def _late(state: HoldemState) -> tuple[Remedy, ...]:
    """AMB-12: what the house proposes to the pit boss comes first."""
    is_lost = state.rulebook.house.blind_without_cards is BlindWithoutCards.LOST
    return (Remedy.LOSE_BETS, Remedy.REFUND_BETS) if is_lost else (Remedy.REFUND_BETS, Remedy.LOSE_BETS)


def two_said(state: HoldemState, pending: Pending, answer: str | int) -> None:
    """Whether two had acted when a blind without cards was found."""
    incident = pending.incident
    assert incident is not None, "it is asked about a blind"
    if answer != TWO_SAID:
        void(state, incident)
    elif incident.seats[0] in state.staying:
        escalate(state, incident, _late(state))
    else:
        close(state, incident, Remedy.CONTINUE, Chooser.CROUPIER)


def ruled_lost(state: HoldemState, incident: Incident) -> None:
    """The blind stays in the pot."""
    out(state, incident.seats[0], CLAUSE, returned=False)


def ruled_returned(state: HoldemState, incident: Incident) -> None:
    """The blind goes back."""
    out(state, incident.seats[0], CLAUSE, returned=True)

"""Claims about a hand that was decided (THL-SDN-8; at draw-poker the same, by its ruling).

Until the first card of the next deal a claim goes to the pit boss, and where it is upheld two persons move money from
stack to stack, line by line; none is admitted afterwards. What was announced wrongly decides nothing: the cards on the
table do, as far as they still lie there (THL-CRE-1, FCD-WIN-4).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Final

from tablectl.core.engine.facts import Declared, Transferred
from tablectl.core.engine.outcome import carried_out
from tablectl.core.engine.pending import Incident
from tablectl.core.engine.rule import Outcome, Rule
from tablectl.core.engine.rulebook import Kind
from tablectl.core.engine.seat_said import seat_of
from tablectl.core.engine.two_persons import are_two
from tablectl.core.engine.vocabulary import Chooser, Declaration, Refusal, Remedy
from tablectl.families.pots import attendance, legality
from tablectl.families.pots.state import PotGameState


def can_claim(state: PotGameState) -> bool:
    """There was a hand before this one, and nothing of this one is to be agreed on instead."""
    return state.hand > int(state.in_play) and state.phase.kind is not Kind.SETTLING


def next_deal_began(state: PotGameState) -> bool:
    """The first card of the next hand is dealt; a card of the draw for the button is none of a hand."""
    stakes_lie = state.rounds is not None
    return stakes_lie and any(not draw.is_back for draw in state.deal.draws)


def _outcome(state: PotGameState) -> Outcome:
    outcome = Outcome(
        clause=state.rulebook.clauses.claim,
        expected="before-the-deal",
        observed=Declaration.CLAIM,
        remedies=(Remedy.REJECT,),
    )
    if next_deal_began(state):
        return outcome
    return replace(outcome, remedies=(Remedy.CORRECT, Remedy.CONTINUE), chooser=Chooser.PIT_BOSS)


def _claim(state: PotGameState, fact: Declared) -> None:
    """THL-SDN-8, FCD-WIN-4: a claim on the hand before."""
    if not can_claim(state):
        is_open = state.phase.kind is Kind.SETTLING
        clauses = state.rulebook.clauses
        state.refuse(Refusal.NOT_OFFERED, clauses.agreement if is_open else clauses.claim)
        return
    there = {*state.order, *(player.seat for player in state.players)}
    of_a_player(state, fact, _outcome(state), tuple(sorted(there)))


def of_a_player(state: PotGameState, fact: Declared, outcome: Outcome, seats: tuple[int, ...]) -> None:
    """Whoever says it may be named; it is not asked, since what follows does not depend on him."""
    seat = seat_of(fact.spot) if fact.spot is not None else None
    if fact.spot is not None and seat not in seats:
        state.refuse(Refusal.UNKNOWN_SEAT, outcome.clause, fact.spot)
        return
    carried_out(state, replace(outcome, seats=() if seat is None else (seat,)))


def upheld(state: PotGameState, incident: Incident, remedy: Remedy) -> bool:
    """Whether it was a claim that the pit boss ruled on; where he upheld it, money can be moved for it."""
    if incident.observed != Declaration.CLAIM:
        return False
    if remedy is Remedy.CORRECT:
        state.upheld = (*state.upheld, incident.number)
    return True


def can_transfer(state: PotGameState) -> bool:
    """Whether money can be moved for a claim."""
    return bool(state.upheld) and state.amounts and not next_deal_began(state)


def givers(state: PotGameState) -> Iterator[tuple[int, int]]:
    """Each seat that can give chips, and how many at most."""
    for player in state.players if can_transfer(state) else ():
        most = _most(state, player.seat)
        if most > 0:
            yield player.seat, most


def _most(state: PotGameState, seat: int) -> int:
    """What a seat can give: all it has. In a hand whose stakes lie it is all-in then with what it has put in; where
    that is nothing it keeps a chip, since nobody is dealt in who has nothing to play with."""
    rounds = state.rounds if seat in state.seats else None
    keeps = 0 if rounds is None or rounds.has_put_in(seat) else max(state.setup.chip, 1)
    return (attendance.chips_now(state, seat) or 0) - keeps


def transferred(state: PotGameState, fact: Transferred) -> None:
    """THL-SDN-8, FCD-WIN-4: what one seat gives another one gets, for a claim that was upheld."""
    clause = state.rulebook.clauses.claim
    there = {player.seat for player in state.players}
    unknown = next((seat for seat in (fact.giver, fact.taker) if seat not in there), None)
    if fact.incident not in state.upheld:
        state.refuse(Refusal.NO_CLAIM, clause, str(fact.incident))
    elif next_deal_began(state):
        state.refuse(Refusal.HAND_IN_PLAY, clause)
    elif state.setup.staff and not are_two(fact.by, fact.second):
        state.refuse(Refusal.SECOND_PERSON, clause, "transfer")
    elif unknown is not None or fact.giver == fact.taker:
        state.refuse(Refusal.UNKNOWN_SEAT, clause, f"seat-{unknown or fact.taker}")
    elif not state.amounts:
        state.refuse(Refusal.AMOUNT_AT_PRESENCE, clause, str(fact.amount))
    elif fact.amount <= 0:
        state.refuse(Refusal.NO_AMOUNT, clause, str(fact.amount))
    elif (none := next((seat for seat in (fact.giver, fact.taker) if seat not in state.stacks), None)) is not None:
        state.refuse(Refusal.NO_STACK, clause, f"seat-{none}")
    elif fact.amount > (most := _most(state, fact.giver)):
        state.refuse(Refusal.WRONG_STACK, clause, f"most={max(most, 0)}")
    elif fact.amount % state.setup.chip:
        state.refuse(Refusal.WRONG_STACK, clause, legality.nearest(fact.amount, state.setup.chip))
    else:
        attendance.pass_chips(state, fact.giver, fact.taker, fact.amount)


RULES: Final[Mapping[Declaration, Rule[PotGameState]]] = {
    Declaration.CLAIM: Rule(applies=can_claim, foretells=_outcome, does=_claim),
}

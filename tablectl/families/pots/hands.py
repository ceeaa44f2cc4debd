"""Hands that were taken away by mistake, left alone or touched (THL-CRE-3, -4, THL-GEN-8, THL-PLE-14).

`open-holdem` states no errors and takes these clauses. Hands that a player threw and wants back are hold'em's.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Final

from tablectl.core.engine.decisions import TakenBack
from tablectl.core.engine.facts import Declared
from tablectl.core.engine.incidents import close, escalate
from tablectl.core.engine.outcome import carried_out
from tablectl.core.engine.pending import Incident, Pending
from tablectl.core.engine.rule import Outcome, Rule
from tablectl.core.engine.rulebook import IN_HAND, Kind
from tablectl.core.engine.seat_said import may_touch, one_seat, two_in_contact
from tablectl.core.engine.vocabulary import Action, Chooser, Declaration, Question, Refusal, Remedy, Tracking
from tablectl.core.options.pots import ProtectedHand
from tablectl.core.options.shared import ContactBets
from tablectl.families.pots import dead_hands
from tablectl.families.pots.retrieved_cards import live_hands
from tablectl.families.pots.state import PotGameState

_ABSENT: Final = "THL-CRE-3"
_PROTECTED: Final = "THL-CRE-4"
_UNPROTECTED: Final = "THL-GEN-8"
_CONTACT: Final = "THL-PLE-14"
#: What is proposed for the chips of a hand that died by nobody's ruling, and what the pit boss may do instead.
_LOST_OR_NOT: Final = (Remedy.LOSE_BETS, Remedy.REFUND_BETS)


# --- nobody plays the hand ---------------------------------------------------------------------------------------


def _absent_applies(state: PotGameState) -> bool:
    return state.phase.kind is Kind.DECIDING and bool(_in_turn(state))


def _in_turn(state: PotGameState) -> tuple[int, ...]:
    """Whose turn it is; where only rounds are entered, it can be anybody's."""
    if state.setup.tracking is Tracking.ROUNDS:
        return live_hands(state)
    return (state.turn,) if state.turn in live_hands(state) and state.turn is not None else ()


def _absent_outcome(state: PotGameState) -> Outcome:
    """As it will be for whoever can be meant: where none of them has put in anything, nobody has to rule."""
    return _outcome_of(has_put_in=any(_has_put_in(state, seat) for seat in _in_turn(state)))


def _outcome_of(*, has_put_in: bool) -> Outcome:
    """THL-CRE-3: the hand is withdrawn. A blind that was posted is lost as proposed; the pit boss may return it."""
    outcome = Outcome(
        clause=_ABSENT,
        expected="player",
        observed=Declaration.ABSENT_AT_TURN,
        remedies=_LOST_OR_NOT,
        chooser=Chooser.PIT_BOSS,
    )
    return outcome if has_put_in else replace(outcome, remedies=(Remedy.VOID_SEAT,), chooser=Chooser.RULE)


def _absent(state: PotGameState, fact: Declared) -> None:
    """THL-CRE-3: his turn has come and he is not there; before his turn he may still arrive."""
    if not _absent_applies(state):
        state.refuse(Refusal.NOT_OFFERED, _ABSENT)
        return
    seat = one_seat(state, fact, live_hands(state), _ABSENT)
    if seat is None:
        return
    if seat not in _in_turn(state):
        state.refuse(Refusal.NOT_IN_TURN, _ABSENT, f"turn=seat-{state.turn}")
        return
    outcome = replace(_outcome_of(has_put_in=_has_put_in(state, seat)), seats=(seat,))
    incident = carried_out(state, outcome)
    dead_hands.withdraw(state, seat, _ABSENT)
    if outcome.chooser is Chooser.RULE:
        dead_hands.lose_bets(state, incident)


def _has_put_in(state: PotGameState, seat: int) -> bool:
    """Whether chips of the seat lie in the pot, as far as it is known."""
    assert state.rounds is not None
    assert state.positions is not None
    put_in = state.rounds.put_in(seat)
    if put_in is not None:
        return put_in > 0
    posted = any(post.seat == seat for post in state.positions.posts)
    return posted or seat in state.rounds.actors or bool(state.rounds.index)


# --- the croupier took the hand away -----------------------------------------------------------------------------


def _taken_applies(state: PotGameState) -> bool:
    return bool(live_hands(state))


def _protected_outcome(state: PotGameState) -> Outcome:
    return Outcome(
        clause=_PROTECTED,
        expected="live-hand",
        observed=Declaration.PROTECTED_TAKEN,
        remedies=(Remedy.VOID_SEAT,),
    )


def _unprotected_outcome(state: PotGameState) -> Outcome:
    return Outcome(
        clause=_UNPROTECTED,
        expected="live-hand",
        observed=Declaration.UNPROTECTED_TAKEN,
        remedies=_LOST_OR_NOT,
        chooser=Chooser.PIT_BOSS,
    )


def _protected_taken(state: PotGameState, fact: Declared) -> None:
    """THL-CRE-4: the croupier mixed a protected hand with the discards: dead, and its player gets his chips back."""
    seat = _which_was_taken(state, fact, _PROTECTED)
    if seat is not None:
        carried_out(state, replace(_protected_outcome(state), seats=(seat,)))
        _void(state, seat)


def _unprotected_taken(state: PotGameState, fact: Declared) -> None:
    """THL-GEN-8: it was not protected: dead without compensation, as is proposed to the pit boss."""
    seat = _which_was_taken(state, fact, _UNPROTECTED)
    if seat is not None:
        carried_out(state, replace(_unprotected_outcome(state), seats=(seat,)))
        dead_hands.withdraw(state, seat, _UNPROTECTED)


def _which_was_taken(state: PotGameState, fact: Declared, clause: str) -> int | None:
    if not _taken_applies(state):
        state.refuse(Refusal.NOT_OFFERED, clause)
        return None
    return one_seat(state, fact, live_hands(state), clause)


def _protection_said(state: PotGameState, pending: Pending, answer: str | int) -> None:
    """Antennas saw a live hand's card among the discards; the croupier says whether the hand was protected."""
    incident = pending.incident
    assert incident is not None, "only an incident leaves it open"
    (seat,) = incident.seats
    if seat not in live_hands(state):
        close(state, incident, Remedy.CONTINUE, Chooser.CROUPIER)
    elif answer == "protected":
        close(state, incident, Remedy.VOID_SEAT, Chooser.CROUPIER)
        _void(state, seat)
    else:
        escalate(state, incident, _LOST_OR_NOT)
        dead_hands.withdraw(state, seat, _UNPROTECTED)


def _void(state: PotGameState, seat: int) -> None:
    game = state.rulebook
    if game.house.protected_hand is ProtectedHand.ROUND_AGAIN and state.phase.kind is Kind.DECIDING:
        _round_again(state)
    dead_hands.annul(state, seat, _PROTECTED)
    dead_hands.go_on(state)


def _round_again(state: PotGameState) -> None:
    """AMB-35, `round-again`: whoever is still in gets back what he put in during this round, and the round is bet anew.
    Who folded in it stays out: his cards are gone."""
    rounds = state.rounds
    assert rounds is not None
    while rounds.can_undo:
        done = rounds.undo()
        if done.action is not Action.FOLD:
            state.say(TakenBack(seat=done.seat, action=done.action))
    for seat in set(rounds.live) - set(state.staying):
        rounds.leave(seat, returned=False)


# --- hands that touched ------------------------------------------------------------------------------------------


def _contact_applies(state: PotGameState) -> bool:
    live = _may_have_touched(state)
    return bool(live) and len(live) + len(state.touched) > 1


def _may_have_touched(state: PotGameState) -> tuple[int, ...]:
    """Live hands; the last one left, too, whose pot is not delivered, where others died of a contact: his may have been
    a third one."""
    if state.touched and state.is_one_left and state.phase.kind in (*IN_HAND, Kind.SETTLING):
        return state.staying
    return live_hands(state)


def _contact_outcome(state: PotGameState) -> Outcome:
    """THL-PLE-14: both hands are dead; what becomes of their chips is proposed by the house (AMB-34)."""
    game = state.rulebook
    lost = game.house.contact_bets is ContactBets.LOST
    return Outcome(
        clause=_CONTACT,
        expected="apart",
        observed=Declaration.CARDS_IN_CONTACT,
        remedies=_LOST_OR_NOT if lost else (Remedy.REFUND_BETS, Remedy.LOSE_BETS),
        chooser=Chooser.PIT_BOSS,
    )


def _contact(state: PotGameState, fact: Declared) -> None:
    """THL-PLE-14: the pit boss rules on each of the two, since one of them may have done nothing. Where nobody else is
    left to win the pot, everybody gets his chips back. Where three hands or more touched, each further one is named
    with one of those that are dead already."""
    if not _contact_applies(state):
        state.refuse(Refusal.NOT_OFFERED, _CONTACT)
        return
    named = two_in_contact(state, fact, _may_have_touched(state), _CONTACT)
    if named is None:
        return
    both, found = named
    outcome = _contact_outcome(state)
    if set(found) == set(state.staying):
        carried_out(state, replace(outcome, remedies=(Remedy.VOID_HAND, Remedy.CONTINUE), seats=both))
        return
    for seat in found:
        carried_out(state, replace(outcome, seats=(seat,)))
    for seat in found:
        dead_hands.withdraw(state, seat, _CONTACT)


RULES: Final[Mapping[Declaration, Rule[PotGameState]]] = {
    Declaration.ABSENT_AT_TURN: Rule(applies=_absent_applies, foretells=_absent_outcome, does=_absent),
    Declaration.PROTECTED_TAKEN: Rule(applies=_taken_applies, foretells=_protected_outcome, does=_protected_taken),
    Declaration.UNPROTECTED_TAKEN: Rule(
        applies=_taken_applies, foretells=_unprotected_outcome, does=_unprotected_taken
    ),
    Declaration.CARDS_IN_CONTACT: Rule(applies=_contact_applies, foretells=_contact_outcome, does=_contact),
}
#: The seats that a declaration can be about.
SEATS_ASKED: Final[Mapping[Declaration, Callable[[PotGameState], tuple[int, ...]]]] = {
    Declaration.ABSENT_AT_TURN: _in_turn,
    Declaration.PROTECTED_TAKEN: live_hands,
    Declaration.UNPROTECTED_TAKEN: live_hands,
    Declaration.CARDS_IN_CONTACT: lambda state: may_touch(state, _may_have_touched(state)),
}
#: What follows from the answers to this module's questions.
ANSWERED: Final[Mapping[Question, Callable[[PotGameState, Pending, str | int], None]]] = {
    Question.PROTECTED: _protection_said
}
#: What the pit boss's choices do, where an incident is one of this module's.
RULED: Final[Mapping[Remedy, Callable[[PotGameState, Incident], None]]] = {
    Remedy.LOSE_BETS: dead_hands.lose_bets,
    Remedy.REFUND_BETS: dead_hands.refund_bets,
}

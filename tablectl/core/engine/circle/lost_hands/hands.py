"""Hands that were taken away by mistake, left alone or touched (THL-CRE-3, -4, THL-GEN-8, THL-PLE-14).

`open-holdem` states no errors and takes these clauses. Hands that a player threw and wants back are in `retrieval.py`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Final

from tablectl.core.engine.circle.lost_hands import dead_hands, retrieval
from tablectl.core.engine.circle.lost_hands.taken import live_hands
from tablectl.core.engine.circle.memory import Memory
from tablectl.core.engine.decisions import TakenBack
from tablectl.core.engine.errors.outcome import Outcome, carried_out
from tablectl.core.engine.errors.rule import Rule
from tablectl.core.engine.errors.seat_said import one_seat, two_seats
from tablectl.core.engine.facts import Declared
from tablectl.core.engine.incidents import close, escalate
from tablectl.core.engine.rulebook import Kind
from tablectl.core.engine.state import Incident, Pending, State
from tablectl.core.engine.words import Action, Chooser, Declaration, Question, Refusal, Remedy, Tracking
from tablectl.core.options.pots import ProtectedHand
from tablectl.core.options.shared import ContactBets

_ABSENT: Final = "THL-CRE-3"
_PROTECTED: Final = "THL-CRE-4"
_UNPROTECTED: Final = "THL-GEN-8"
_CONTACT: Final = "THL-PLE-14"
#: What is proposed for the chips of a hand that died by nobody's ruling, and what the pit boss may do instead.
_LOST_OR_NOT: Final = (Remedy.LOSE_BETS, Remedy.REFUND_BETS)


# --- nobody plays the hand ---------------------------------------------------------------------------------------


def _absent_applies(state: State) -> bool:
    return state.phase.kind is Kind.DECIDING and bool(_in_turn(state))


def _in_turn(state: State) -> tuple[int, ...]:
    """Whose turn it is; where only rounds are entered, it can be anybody's."""
    if state.setup.tracking is Tracking.ROUNDS:
        return live_hands(state)
    return (state.turn,) if state.turn in live_hands(state) and state.turn is not None else ()


def _absent_outcome(state: State) -> Outcome:
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


def _absent(state: State, fact: Declared) -> None:
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


def _has_put_in(state: State, seat: int) -> bool:
    """Whether chips of the seat lie in the pot, as far as it is known."""
    circle = state.circle
    assert circle is not None
    assert circle.rounds is not None
    assert circle.positions is not None
    put_in = circle.rounds.put_in(seat)
    if put_in is not None:
        return put_in > 0
    posted = any(post.seat == seat for post in circle.positions.posts)
    return posted or seat in circle.rounds.actors or bool(circle.rounds.index)


# --- the croupier took the hand away -----------------------------------------------------------------------------


def _taken_applies(state: State) -> bool:
    return bool(live_hands(state))


def _protected_outcome(state: State) -> Outcome:
    return Outcome(
        clause=_PROTECTED,
        expected="live-hand",
        observed=Declaration.PROTECTED_TAKEN,
        remedies=(Remedy.VOID_SEAT,),
    )


def _unprotected_outcome(state: State) -> Outcome:
    return Outcome(
        clause=_UNPROTECTED,
        expected="live-hand",
        observed=Declaration.UNPROTECTED_TAKEN,
        remedies=_LOST_OR_NOT,
        chooser=Chooser.PIT_BOSS,
    )


def _protected_taken(state: State, fact: Declared) -> None:
    """THL-CRE-4: the croupier mixed a protected hand with the discards: dead, and its player gets his chips back."""
    seat = _which_was_taken(state, fact, _PROTECTED)
    if seat is not None:
        carried_out(state, replace(_protected_outcome(state), seats=(seat,)))
        _void(state, seat)


def _unprotected_taken(state: State, fact: Declared) -> None:
    """THL-GEN-8: it was not protected: dead without compensation, as is proposed to the pit boss."""
    seat = _which_was_taken(state, fact, _UNPROTECTED)
    if seat is not None:
        carried_out(state, replace(_unprotected_outcome(state), seats=(seat,)))
        dead_hands.withdraw(state, seat, _UNPROTECTED)


def _which_was_taken(state: State, fact: Declared, clause: str) -> int | None:
    if not _taken_applies(state):
        state.refuse(Refusal.NOT_OFFERED, clause)
        return None
    return one_seat(state, fact, live_hands(state), clause)


def _protection_said(state: State, pending: Pending, answer: str | int) -> None:
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


def _void(state: State, seat: int) -> None:
    circle, game = state.circle, state.rulebook.circle
    assert circle is not None
    assert game is not None
    if game.house.protected_hand is ProtectedHand.ROUND_AGAIN and state.phase.kind is Kind.DECIDING:
        _round_again(state, circle)
    dead_hands.annul(state, seat, _PROTECTED)
    dead_hands.go_on(state)


def _round_again(state: State, circle: Memory) -> None:
    """AMB-35, `round-again`: whoever is still in gets back what he put in during this round, and the round is bet anew.
    Who folded in it stays out: his cards are gone."""
    rounds = circle.rounds
    assert rounds is not None
    while rounds.can_undo:
        done = rounds.undo()
        if done.action is not Action.FOLD:
            state.say(TakenBack(seat=done.seat, action=done.action))
    for seat in set(rounds.live) - set(state.staying):
        rounds.leave(seat, returned=False)


# --- hands that touched ------------------------------------------------------------------------------------------


def _contact_applies(state: State) -> bool:
    return len(live_hands(state)) > 1


def _contact_outcome(state: State) -> Outcome:
    """THL-PLE-14: both hands are dead; what becomes of their chips is proposed by the house (AMB-34)."""
    game = state.rulebook.circle
    assert game is not None
    lost = game.house.contact_bets is ContactBets.LOST
    return Outcome(
        clause=_CONTACT,
        expected="apart",
        observed=Declaration.CARDS_IN_CONTACT,
        remedies=_LOST_OR_NOT if lost else (Remedy.REFUND_BETS, Remedy.LOSE_BETS),
        chooser=Chooser.PIT_BOSS,
    )


def _contact(state: State, fact: Declared) -> None:
    """THL-PLE-14: the pit boss rules on each of the two, since one of them may have done nothing. Where nobody else is
    left to win the pot, everybody gets his chips back."""
    if not _contact_applies(state):
        state.refuse(Refusal.NOT_OFFERED, _CONTACT)
        return
    found = two_seats(state, fact, live_hands(state), _CONTACT)
    if found is None:
        return
    outcome = _contact_outcome(state)
    if set(found) == set(state.staying):
        carried_out(state, replace(outcome, remedies=(Remedy.VOID_HAND, Remedy.CONTINUE), seats=found))
        return
    for seat in found:
        carried_out(state, replace(outcome, seats=(seat,)))
    for seat in found:
        dead_hands.withdraw(state, seat, _CONTACT)


RULES: Final[Mapping[Declaration, Rule]] = {
    Declaration.ABSENT_AT_TURN: Rule(applies=_absent_applies, foretells=_absent_outcome, does=_absent),
    Declaration.PROTECTED_TAKEN: Rule(applies=_taken_applies, foretells=_protected_outcome, does=_protected_taken),
    Declaration.UNPROTECTED_TAKEN: Rule(
        applies=_taken_applies, foretells=_unprotected_outcome, does=_unprotected_taken
    ),
    Declaration.CARDS_IN_CONTACT: Rule(applies=_contact_applies, foretells=_contact_outcome, does=_contact),
    **retrieval.RULES,
}
#: The seats that a declaration can be about.
SEATS_ASKED: Final[Mapping[Declaration, Callable[[State], tuple[int, ...]]]] = {
    Declaration.ABSENT_AT_TURN: _in_turn,
    Declaration.PROTECTED_TAKEN: live_hands,
    Declaration.UNPROTECTED_TAKEN: live_hands,
    Declaration.CARDS_IN_CONTACT: live_hands,
    **retrieval.SEATS_ASKED,
}
#: What follows from the answers to this module's questions.
ANSWERED: Final[Mapping[Question, Callable[[State, Pending, str | int], None]]] = {Question.PROTECTED: _protection_said}
#: What the pit boss's choices do, where an incident is one of this module's.
RULED: Final[Mapping[Remedy, Callable[[State, Incident], None]]] = {
    Remedy.LOSE_BETS: dead_hands.lose_bets,
    Remedy.REFUND_BETS: dead_hands.refund_bets,
    **retrieval.RULED,
}

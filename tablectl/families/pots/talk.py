"""Irregularities of the betting that a person declares or is asked about.

THL-GEN-3, -4, -9, THL-PLE-6, -13, -16; the other circle games take them over (our ruling "betting errors"). What chips
and words amount to stands in `chips_in`, what is done out of turn in `out_of_turn`, who was passed over in `skipped`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Final

from tablectl.core.engine.decisions import TakenBack
from tablectl.core.engine.facts import Declared, PutIn
from tablectl.core.engine.incidents import ask_first
from tablectl.core.engine.outcome import carried_out
from tablectl.core.engine.pending import Incident, Pending
from tablectl.core.engine.rule import Outcome, Rule
from tablectl.core.engine.rulebook import Kind
from tablectl.core.engine.slots import SEATS
from tablectl.core.engine.vocabulary import Action, Chooser, Declaration, Question, Refusal, Remedy, Severity, Tracking
from tablectl.core.options.pots import WrongAmountUntil
from tablectl.families.pots import correction, out_of_turn, skipped
from tablectl.families.pots.state import PotGameState

_SEAT_OF: Final = {slots[0].spot: seat for seat, slots in enumerate(SEATS, start=1)}
_CHIPS: Final = (Action.CALL, Action.BET, Action.RAISE)


# --- in one movement (THL-GEN-3, THL-GEN-9) ---------------------------------------------------------------------------


def _movers(state: PotGameState) -> tuple[int, ...]:
    """Who can have added chips to a first movement: the seat in turn, and whoever has put chips in in this round."""
    if state.phase.kind is not Kind.DECIDING or state.rounds is None:
        return ()
    if state.setup.tracking is Tracking.ROUNDS:
        return state.staying
    movers = {done.seat for done in state.rounds.done if done.action in _CHIPS} | {state.rounds.turn}
    return tuple(seat for seat in state.staying if seat in movers)


def _string_outcome(state: PotGameState) -> Outcome:
    """THL-GEN-3: the addition is rejected and the first movement counts."""
    return Outcome(
        clause="THL-GEN-3",
        expected="one-movement",
        observed="string-bet",
        remedies=(Remedy.REJECT,),
        severity=Severity.NOTICE,
    )


def _string_bet(state: PotGameState, fact: Declared) -> None:
    """THL-GEN-3; THL-GEN-9 where others have acted since, so that he saw how they took it. What was entered stands: it
    is the first movement, or else it is corrected as any entry."""
    seat = _seat(state, fact, _movers(state), "THL-GEN-3")
    if seat is not None:
        second_movement(state, seat)


def is_second_movement(state: PotGameState, fact: PutIn) -> bool:
    """Whether chips are added to what their seat put in when it was its turn: nobody has raised since, so there is
    nothing that it could call or answer out of turn (THL-GEN-3, not THL-PLE-6)."""
    rounds, seat = state.rounds, fact.seat
    assert rounds is not None
    if fact.chips <= 0 or fact.said is Action.FOLD or seat == rounds.turn or rounds.is_all_in(seat):
        return False
    acted = correction.since(state, rounds.done, seat)
    return bool(acted) and acted[0].action in _CHIPS and rounds.stake(seat) == rounds.high


def second_movement(state: PotGameState, seat: int) -> None:
    """The addition is rejected, and the croupier is told by which clause."""
    assert state.rounds is not None
    has_watched = len(correction.since(state, state.rounds.done, seat)) > 1
    outcome = _string_outcome(state)
    carried_out(state, replace(outcome, clause="THL-GEN-9" if has_watched else outcome.clause, seats=(seat,)))


# --- cash (THL-GEN-4) -------------------------------------------------------------------------------------------------


def _cash_outcome(state: PotGameState) -> Outcome:
    """THL-GEN-4: the croupier changes it, and the amount counts."""
    return Outcome(
        clause="THL-GEN-4",
        expected="chips",
        observed="not-chips",
        remedies=(Remedy.CORRECT,),
        severity=Severity.NOTICE,
    )


def _bettors(state: PotGameState) -> tuple[int, ...]:
    return state.order if state.phase.kind is Kind.DECIDING else ()


def _cash(state: PotGameState, fact: Declared) -> None:
    seat = _seat(state, fact, _bettors(state), "THL-GEN-4")
    if seat is not None:
        carried_out(state, replace(_cash_outcome(state), seats=(seat,)))


# --- passed over (THL-PLE-13) -----------------------------------------------------------------------------------------


def _skipped(state: PotGameState, fact: Declared) -> None:
    seat = _seat(state, fact, skipped.seats(state), "THL-PLE-13")
    if seat is not None:
        skipped.claimed(state, seat)


# --- told a wrong amount (THL-PLE-16) ---------------------------------------------------------------------------------


def _misled(state: PotGameState) -> tuple[int, ...]:
    """Who has acted in this round, which is open or was closed by the last entry."""
    if state.rounds is None or not (state.phase.kind is Kind.DECIDING or correction.possible(state)):
        return ()
    if state.setup.tracking is Tracking.ROUNDS:
        return state.staying if state.phase.kind is Kind.DECIDING else ()
    done = state.rounds.done
    return tuple(seat for seat in state.order if correction.since(state, done, seat))


def _amount_outcome(state: PotGameState) -> Outcome:
    """THL-PLE-16: he may change his action, chips and all, since the croupier misled him (THL-PLE-5 does not hold)."""
    return Outcome(
        clause="THL-PLE-16",
        expected="right-amount",
        observed="wrong-amount",
        remedies=(Remedy.CHOOSE_AGAIN,),
        severity=Severity.NOTICE,
    )


def _wrong_amount(state: PotGameState, fact: Declared) -> None:
    """THL-PLE-16, AMB-28: until the next player acts, or all round long; afterwards the pit boss has it."""
    seat = _seat(state, fact, _misled(state), "THL-PLE-16")
    if seat is None:
        return
    outcome = replace(_amount_outcome(state), seats=(seat,))
    assert state.rounds is not None
    if state.setup.tracking is Tracking.ROUNDS:
        carried_out(state, outcome)
        return
    until = state.rulebook.house.wrong_amount_until
    is_last = len(correction.since(state, state.rounds.done, seat)) == 1
    if is_last or until is WrongAmountUntil.ROUND_END:
        carried_out(state, outcome)
        _choose_again(state, seat)
        return
    late = (Remedy.CONTINUE, Remedy.CHOOSE_AGAIN)
    carried_out(state, replace(outcome, remedies=late, chooser=Chooser.PIT_BOSS, severity=Severity.ALERT))


def _choose_again(state: PotGameState, seat: int) -> None:
    """Back to before his last action; what others did since is entered again."""
    rounds = state.rounds
    assert rounds is not None
    if state.phase.kind is not Kind.DECIDING:
        correction.reopen(state)
    correction.undo(state, len(rounds.done) - len(correction.since(state, rounds.done, seat)))
    for other, waiting in state.stored.items():
        if waiting.is_raised:
            # It is not known any more whether somebody bet before it: he says what he does when his turn comes.
            state.say(TakenBack(seat=other, action=waiting.action))
    state.stored = {other: waiting for other, waiting in state.stored.items() if not waiting.is_raised}
    state.entry = None


# --- answers and rulings ----------------------------------------------------------------------------------------------


def _out_of_turn(state: PotGameState, pending: Pending, answer: str | int) -> None:
    """THL-PLE-6: it was so. A second one after the same seat ends that seat's right to act (THL-PLE-13)."""
    assert pending.incident is not None, "an incident is asked about"
    out_of_turn.confirmed(state, pending.incident)
    skipped.passed_over(state)


def _upheld(state: PotGameState, incident: Incident) -> None:
    (seat,) = incident.seats
    if seat in skipped.seats(state):
        skipped.upheld(state, seat)


def _ruled_again(state: PotGameState, incident: Incident) -> None:
    (seat,) = incident.seats
    if seat in _misled(state):
        _choose_again(state, seat)


def _seat(state: PotGameState, fact: Declared, seats: tuple[int, ...], clause: str) -> int | None:
    """The seat that it is about; asked for where it was not said, refused where it is none that it can be about."""
    if not seats:
        state.refuse(Refusal.NOT_OFFERED, clause)
    elif fact.spot is None:
        ask_first(state, Question.WHICH_SEAT, fact.what).what = fact.what
    elif _SEAT_OF.get(fact.spot) not in seats:
        state.refuse(Refusal.UNKNOWN_SEAT, clause, fact.spot)
    else:
        return _SEAT_OF[fact.spot]
    return None


RULES: Final[Mapping[Declaration, Rule[PotGameState]]] = {
    Declaration.SKIPPED: Rule(
        applies=lambda state: bool(skipped.seats(state)), foretells=skipped.foretold, does=_skipped
    ),
    Declaration.STRING_BET: Rule(
        applies=lambda state: bool(_movers(state)), foretells=_string_outcome, does=_string_bet
    ),
    Declaration.WRONG_AMOUNT: Rule(
        applies=lambda state: bool(_misled(state)), foretells=_amount_outcome, does=_wrong_amount
    ),
    Declaration.NOT_CHIPS: Rule(applies=lambda state: bool(_bettors(state)), foretells=_cash_outcome, does=_cash),
}
#: The seats that a declaration can be about.
SEATS_ASKED: Final[Mapping[Declaration, Callable[[PotGameState], tuple[int, ...]]]] = {
    Declaration.SKIPPED: skipped.seats,
    Declaration.STRING_BET: _movers,
    Declaration.WRONG_AMOUNT: _misled,
    Declaration.NOT_CHIPS: _bettors,
}
#: What follows from the answers to this module's questions.
ANSWERED: Final[Mapping[Question, Callable[[PotGameState, Pending, str | int], None]]] = {
    Question.OUT_OF_TURN: _out_of_turn
}
#: What the pit boss's choices do, where an incident is one of this module's.
RULED: Final[Mapping[Remedy, Callable[[PotGameState, Incident], None]]] = {
    Remedy.BIND: skipped.lost,
    Remedy.TAKE_BACK: _upheld,
    Remedy.CHOOSE_AGAIN: _ruled_again,
}

"""Cards that a player threw and wants back: three cases in which he may (THL-PLE-1), three in which never (THL-PLE-2).

A declaration says for which reason; what the engine knows of the betting and of the discards, it checks. At
`open-holdem` a fold is final (THO-ACT-2), as the profile ships.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Final

from tablectl.core.engine.circle import flow
from tablectl.core.engine.circle.ending import awards
from tablectl.core.engine.circle.lost_hands import dead_hands
from tablectl.core.engine.circle.lost_hands.taken import live_hands
from tablectl.core.engine.circle.memory import Memory
from tablectl.core.engine.decisions import Spoke, TakenBack
from tablectl.core.engine.errors.outcome import Outcome, carried_out
from tablectl.core.engine.errors.rule import Rule
from tablectl.core.engine.errors.seat_said import one_seat
from tablectl.core.engine.facts import Declared
from tablectl.core.engine.rulebook import IN_HAND, Kind
from tablectl.core.engine.slots import SEATS
from tablectl.core.engine.state import Incident, State
from tablectl.core.engine.words import Action, Chooser, Declaration, Refusal, Remedy, Tracking
from tablectl.core.options.holdem import FoldedCards

_CASES: Final = {
    Declaration.RETRIEVE_UNCALLED: "THL-PLE-1a",
    Declaration.RETRIEVE_ALL_IN: "THL-PLE-1b",
    Declaration.RETRIEVE_MISLED: "THL-PLE-1c",
}
_MIXED: Final = "THL-PLE-2a"
_GAVE_UP: Final = "THL-PLE-2b"
_FACING_A_BET: Final = "THL-PLE-2c"


def _thrown(state: State) -> tuple[int, ...]:
    """The seats whose cards can have been thrown: those who folded, and those who are in as far as was entered.

    A pot that was won because all others folded is not delivered yet. At the showdown cards speak, and what was thrown
    there unseen comes back until the hands are compared.
    """
    circle, kind = state.circle, state.phase.kind
    assert circle is not None
    if circle.rounds is None or not (kind in IN_HAND or (kind is Kind.SETTLING and not circle.has_shown)):
        return ()
    at = state.deal.at
    folded = (
        seat
        for seat, held in state.seats.items()
        if held.folded and not held.void and not held.withdrawn and SEATS[seat - 1][0] in at
    )
    return tuple(sorted({*folded, *live_hands(state)}))


def _applies(state: State) -> bool:
    return bool(_thrown(state))


def _outcome(state: State, what: Declaration) -> Outcome:
    """As it will be where nothing speaks against it."""
    outcome = Outcome(clause=_CASES[what], expected="folded", observed=what, remedies=(Remedy.REVIVE,))
    game = state.rulebook.circle
    assert game is not None
    if game.holdem.folded_cards is FoldedCards.NEVER:
        return replace(outcome, clause=game.clauses.final_fold, remedies=(Remedy.REJECT,))
    if what is Declaration.RETRIEVE_MISLED:
        # The text names no judge of who misled whom: the pit boss is asked.
        return replace(outcome, remedies=(Remedy.REVIVE, Remedy.REJECT), chooser=Chooser.PIT_BOSS)
    return outcome


def _wanted(state: State, fact: Declared) -> None:
    """THL-PLE-1, THL-PLE-2."""
    outcome, circle = _outcome(state, fact.what), state.circle
    assert circle is not None
    if not _applies(state):
        state.refuse(Refusal.NOT_OFFERED, outcome.clause)
        return
    seat = one_seat(state, fact, _thrown(state), outcome.clause)
    if seat is None:
        return
    against = _against(state, circle, seat, fact.what)
    if against is not None and outcome.remedies != (Remedy.REJECT,):
        outcome = replace(outcome, clause=against, remedies=(Remedy.REJECT,), chooser=Chooser.RULE)
    incident = carried_out(state, replace(outcome, seats=(seat,)))
    if outcome.remedies == (Remedy.REVIVE,):
        _revive(state, incident)
    elif outcome.remedies == (Remedy.REJECT,):
        _stays_dead(state, incident)


def _against(state: State, circle: Memory, seat: int, what: Declaration) -> str | None:
    """The clause by which he does not get them back, if one speaks against it; THL-PLE-2 goes before THL-PLE-1."""
    circle.note_folds()
    if _is_mixed(state, circle, seat):
        return _MIXED
    if seat in circle.gave_up:
        return _GAVE_UP
    if seat in circle.final_folds:
        return _FACING_A_BET
    if state.setup.tracking is Tracking.ROUNDS:
        return None  # nothing is known of bets: the croupier's word
    rounds = circle.rounds
    assert rounds is not None
    is_uncalled = rounds.last_aggressor_of_round == seat and not rounds.was_called
    is_all_in = any(other != seat and rounds.is_all_in(other) for other in state.staying)
    missing = {Declaration.RETRIEVE_UNCALLED: not is_uncalled, Declaration.RETRIEVE_ALL_IN: not is_all_in}
    return _CASES[what] if missing.get(what, False) else None


def _is_mixed(state: State, circle: Memory, seat: int) -> bool:
    """Whether antennas saw other cards come to the discards on top of this hand's. Without antennas, and where tags
    cannot tell, whoever declares it says that they lie apart."""
    at = state.deal.at
    own = {at[slot].number for slot in SEATS[seat - 1] if slot in at}
    first = next((place for place, number in enumerate(circle.muck) if number in own), len(circle.muck))
    return any(number not in own for number in circle.muck[first:])


def _revive(state: State, incident: Incident) -> None:
    """The hand is in again. A hand that had ended because nobody else was left goes on where it was."""
    circle = state.circle
    assert circle is not None
    assert circle.rounds is not None
    circle.forget_entry()
    for seat in incident.seats:
        if seat in state.staying or circle.rounds.is_in(seat) or state.seats[seat].void or state.seats[seat].withdrawn:
            continue  # the hand died for another reason before it was ruled on
        is_over = state.phase.kind is Kind.SETTLING
        speaks = is_over or state.phase.kind is Kind.DECIDING
        circle.rounds.revive(seat, speaks=speaks and state.setup.tracking is not Tracking.ROUNDS)
        state.seats.unfold(seat)
        state.say(TakenBack(seat=seat, action=Action.FOLD))
        if is_over:
            _back_to_the_round(state, circle)
        elif state.phase.kind is Kind.REVEALING:
            order = awards.showing_order(state, circle)
            circle.to_show = [each for each in order if each not in circle.has_shown]


def _back_to_the_round(state: State, circle: Memory) -> None:
    state.fire("take-back")
    circle.entered = None
    state.is_to_settle = False
    circle.won.clear()
    state.house_won = 0
    if circle.turn is None and state.setup.tracking is not Tracking.ROUNDS:
        flow.close_round(state, circle)


def _stays_dead(state: State, incident: Incident) -> None:
    """Thrown and not given back: that was a fold, if it was not entered as one."""
    circle = state.circle
    assert circle is not None
    assert circle.rounds is not None
    circle.forget_entry()
    for seat in incident.seats:
        if seat in state.staying and len(state.staying) > 1:
            done = circle.rounds.leave(seat, returned=False)
            state.seats.fold(seat)
            state.say(Spoke(seat=seat, action=Action.FOLD, to=done.to, added=done.added, is_all_in=False))
            dead_hands.go_on(state)


def _rule(what: Declaration) -> Rule:
    return Rule(applies=_applies, foretells=lambda state: _outcome(state, what), does=_wanted)


RULES: Final[Mapping[Declaration, Rule]] = {what: _rule(what) for what in _CASES}
#: The seats that a declaration can be about.
SEATS_ASKED: Final[Mapping[Declaration, Callable[[State], tuple[int, ...]]]] = dict.fromkeys(_CASES, _thrown)


def _of_a_thrown_hand(do: Callable[[State, Incident], None]) -> Callable[[State, Incident], None]:
    """`reject` is a remedy of others too: only a hand that was thrown stays dead by it."""

    def carry_out(state: State, incident: Incident) -> None:
        if incident.clause in _CASES.values():
            do(state, incident)

    return carry_out


RULED: Final[Mapping[Remedy, Callable[[State, Incident], None]]] = {
    Remedy.REVIVE: _of_a_thrown_hand(_revive),
    Remedy.REJECT: _of_a_thrown_hand(_stays_dead),
}

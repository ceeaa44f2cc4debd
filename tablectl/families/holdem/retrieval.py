"""Cards that a player threw and wants back: three cases in which he may (THL-PLE-1), three in which never (THL-PLE-2).

A declaration says for which reason; what the engine knows of the betting it checks. Whether the cards got mixed with
others the croupier is asked always (THL-PLE-2a): with antennas too, since a reader alone takes no hand away. Once the
pot was awarded, and until the first card of the next deal, the pit boss decides. At `open-holdem` a fold is final
(THO-ACT-2), as the profile ships.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Final

from tablectl.core.engine.dealing import is_hole_plan
from tablectl.core.engine.decisions import Spoke, TakenBack
from tablectl.core.engine.facts import Declared
from tablectl.core.engine.incidents import ask
from tablectl.core.engine.outcome import carried_out, raised
from tablectl.core.engine.pending import Incident, Pending
from tablectl.core.engine.rule import Outcome, Rule
from tablectl.core.engine.rulebook import IN_HAND, Kind
from tablectl.core.engine.seat_said import one_seat, seat_of
from tablectl.core.engine.slots import SEATS
from tablectl.core.engine.two_persons import CARDS_MIXED
from tablectl.core.engine.vocabulary import Action, Chooser, Declaration, Question, Refusal, Remedy, Tracking
from tablectl.core.options.holdem import FoldedCards
from tablectl.families.holdem.state import HoldemState
from tablectl.families.pots import awards, claims, dead_hands, flow, showdown
from tablectl.families.pots.retrieved_cards import live_hands

_CASES: Final = {
    Declaration.RETRIEVE_UNCALLED: "THL-PLE-1a",
    Declaration.RETRIEVE_ALL_IN: "THL-PLE-1b",
    Declaration.RETRIEVE_MISLED: "THL-PLE-1c",
}
_MIXED: Final = "THL-PLE-2a"
_GAVE_UP: Final = "THL-PLE-2b"
_FACING_A_BET: Final = "THL-PLE-2c"


def _thrown(state: HoldemState) -> tuple[int, ...]:
    """The seats whose cards can have been thrown: those who folded, and those who are in as far as was entered.

    A pot that was awarded is not delivered yet. At the showdown cards speak, and what was thrown there unseen comes
    back until the hands are compared, and from the award on as the pit boss decides.
    """
    kind = state.phase.kind
    if state.rounds is None or not (kind in IN_HAND or (kind is Kind.SETTLING and _is_told(state))):
        return ()
    at = state.deal.at
    folded = (
        seat
        for seat, held in state.seats.items()
        if held.folded and not held.void and not held.withdrawn and SEATS[seat - 1][0] in at
    )
    return tuple(sorted({*folded, *live_hands(state)}))


def _is_told(state: HoldemState) -> bool:
    """Whether hands that were turned up are compared, where any were: it does not wait for a card to be named."""
    return not (state.has_shown and state.is_to_settle)


def _seats(state: HoldemState) -> tuple[int, ...]:
    """The seats that can want cards back; after the hand everybody who is there. While hands are dealt nobody has
    thrown one."""
    if _is_after(state):
        return tuple(sorted({*state.order, *(player.seat for player in state.players)}))
    is_dealt = state.phase.kind is Kind.DEALING and is_hole_plan(state)
    return () if is_dealt else _thrown(state)


def _is_after(state: HoldemState) -> bool:
    """Whether the hand in question is over, and the next one has not been dealt its first card."""
    if state.phase.kind not in (Kind.IDLE, Kind.BETTING) or state.rulebook.house.folded_cards is FoldedCards.NEVER:
        return False
    return claims.can_claim(state) and not claims.next_deal_began(state)


def _applies(state: HoldemState) -> bool:
    return bool(_seats(state))


def _outcome(state: HoldemState, what: Declaration) -> Outcome:
    """As it will be where nothing speaks against it."""
    outcome = Outcome(clause=_CASES[what], expected="folded", observed=what, remedies=(Remedy.REVIVE,))
    game = state.rulebook
    if game.house.folded_cards is FoldedCards.NEVER:
        return replace(outcome, clause=game.clauses.final_fold, remedies=(Remedy.REJECT,))
    if what is Declaration.RETRIEVE_MISLED:
        # The text names no judge of who misled whom: the pit boss is asked.
        return _for_the_pit_boss(state, outcome)
    return _for_the_pit_boss(state, outcome) if _is_awarded(state) else outcome


def _is_awarded(state: HoldemState) -> bool:
    return _is_after(state) or (state.phase.kind is Kind.SETTLING and not state.is_to_settle)


def _for_the_pit_boss(state: HoldemState, outcome: Outcome) -> Outcome:
    """In a hand that is over nothing comes back but money, which is moved line by line (THL-SDN-8)."""
    remedies = (Remedy.REJECT, Remedy.CORRECT) if _is_after(state) else (Remedy.REVIVE, Remedy.REJECT)
    return replace(outcome, remedies=remedies, chooser=Chooser.PIT_BOSS)


def _wanted(state: HoldemState, fact: Declared) -> None:
    """THL-PLE-1, THL-PLE-2."""
    outcome = _outcome(state, fact.what)
    if not _applies(state):
        state.refuse(Refusal.NOT_OFFERED, outcome.clause)
        return
    seat = one_seat(state, fact, _seats(state), outcome.clause)
    if seat is None:
        return
    against = None if _is_after(state) else _against(state, seat, fact.what)
    if against is not None and outcome.remedies != (Remedy.REJECT,):
        outcome = _rejected(outcome, against)
    if outcome.remedies == (Remedy.REJECT,):
        _judged(state, outcome, seat)
    else:
        ask(state, Question.MIXED, f"seat-{seat}").what = fact.what


def _rejected(outcome: Outcome, clause: str) -> Outcome:
    return replace(outcome, clause=clause, remedies=(Remedy.REJECT,), chooser=Chooser.RULE)


def _mixed_said(state: HoldemState, pending: Pending, answer: str | int) -> None:
    """THL-PLE-2a: mixed with others they never come back. Where antennas saw other cards on top of them and the
    croupier says that they lie apart, the pit boss decides."""
    seat, what = seat_of(pending.about), pending.what
    assert what is not None, "it is asked about a declaration"
    if seat is None or seat not in _seats(state):
        state.refuse(Refusal.NOT_OFFERED, _CASES[what], pending.about)
        return
    outcome = _outcome(state, what)
    if answer == "mixed":
        outcome = _rejected(outcome, _MIXED)
    elif _is_mixed(state, seat):
        outcome = replace(_for_the_pit_boss(state, outcome), clause=_MIXED, seats=(seat,))
        raised(state, outcome, CARDS_MIXED)
        return
    _judged(state, outcome, seat)


def _judged(state: HoldemState, outcome: Outcome, seat: int) -> None:
    incident = carried_out(state, replace(outcome, seats=(seat,)))
    if outcome.remedies == (Remedy.REVIVE,):
        _revive(state, incident)
    elif outcome.remedies == (Remedy.REJECT,):
        _stays_dead(state, incident)


def _against(state: HoldemState, seat: int, what: Declaration) -> str | None:
    """The clause by which he does not get them back, if one speaks against it; THL-PLE-2 goes before THL-PLE-1, which
    binds until the award."""
    state.note_folds()
    if seat in state.gave_up:
        return _GAVE_UP
    if seat in state.final_folds:
        return _FACING_A_BET
    if state.setup.tracking is Tracking.ROUNDS or _is_awarded(state):
        return None  # nothing is known of bets: the croupier's word; or the pit boss's
    rounds = state.rounds
    assert rounds is not None
    is_uncalled = rounds.last_aggressor_of_round == seat and not rounds.was_called
    is_all_in = any(other != seat and rounds.is_all_in(other) for other in state.staying)
    missing = {Declaration.RETRIEVE_UNCALLED: not is_uncalled, Declaration.RETRIEVE_ALL_IN: not is_all_in}
    return _CASES[what] if missing.get(what, False) else None


def _is_mixed(state: HoldemState, seat: int) -> bool:
    """Whether antennas saw other cards come to the discards on top of this hand's."""
    at = state.deal.at
    own = {at[slot].number for slot in SEATS[seat - 1] if slot in at}
    first = next((place for place, number in enumerate(state.muck) if number in own), len(state.muck))
    return any(number not in own for number in state.muck[first:])


def _revive(state: HoldemState, incident: Incident) -> None:
    """The hand is in again. A hand that had ended because nobody else was left goes on where it was."""
    assert state.rounds is not None
    state.forget_entry()
    for seat in incident.seats:
        if seat in state.staying or state.rounds.is_in(seat) or state.seats[seat].void or state.seats[seat].withdrawn:
            continue  # the hand died for another reason before it was ruled on
        is_over = state.phase.kind is Kind.SETTLING
        speaks = (is_over and not state.has_shown) or state.phase.kind is Kind.DECIDING
        state.rounds.revive(seat, speaks=speaks and state.setup.tracking is not Tracking.ROUNDS)
        state.seats.unfold(seat)
        state.say(TakenBack(seat=seat, action=Action.FOLD))
        if is_over and state.has_shown:
            showdown.shows_late(state, seat)
        elif is_over:
            _back_to_the_round(state)
        elif state.phase.kind is Kind.REVEALING:
            order = awards.showing_order(state)
            state.to_show = [player for player in order if player not in state.has_shown]


def _back_to_the_round(state: HoldemState) -> None:
    state.fire("take-back")
    state.entered = None
    awards.forget(state)
    if state.turn is None and state.setup.tracking is not Tracking.ROUNDS:
        flow.close_round(state)


def _stays_dead(state: HoldemState, incident: Incident) -> None:
    """Thrown and not given back: that was a fold, if it was not entered as one. Of a hand that is over nothing
    follows."""
    if state.rounds is None or _is_after(state):
        return
    state.forget_entry()
    for seat in incident.seats:
        if seat in state.staying and len(state.staying) > 1:
            done = state.rounds.leave(seat, returned=False)
            state.seats.fold(seat)
            state.say(Spoke(seat=seat, action=Action.FOLD, to=done.to, added=done.added, is_all_in=False))
            dead_hands.go_on(state)


def _rule(what: Declaration) -> Rule[HoldemState]:
    return Rule(applies=_applies, foretells=lambda state: _outcome(state, what), does=_wanted)


RULES: Final[Mapping[Declaration, Rule[HoldemState]]] = {what: _rule(what) for what in _CASES}
#: The seats that a declaration can be about.
SEATS_ASKED: Final[Mapping[Declaration, Callable[[HoldemState], tuple[int, ...]]]] = dict.fromkeys(_CASES, _seats)

#: What follows from the answer to this module's question.
ANSWERED: Final[Mapping[Question, Callable[[HoldemState, Pending, str | int], None]]] = {Question.MIXED: _mixed_said}


def _of_a_thrown_hand(do: Callable[[HoldemState, Incident], None]) -> Callable[[HoldemState, Incident], None]:
    """`reject` is a remedy of others too: only a hand that was thrown stays dead by it."""

    def carry_out(state: HoldemState, incident: Incident) -> None:
        if incident.clause in (*_CASES.values(), _MIXED):
            do(state, incident)

    return carry_out


RULED: Final[Mapping[Remedy, Callable[[HoldemState, Incident], None]]] = {
    Remedy.REVIVE: _of_a_thrown_hand(_revive),
    Remedy.REJECT: _of_a_thrown_hand(_stays_dead),
}

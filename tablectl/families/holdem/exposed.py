"""Cards seen while they are dealt: one is burnt in another's stead (THL-CRE-8), more are a misdeal (THL-MIS-4).

A card that lay face up in the deck, was turned by the croupier or fell off the table counts, each card once; one that a
player turns does not (THL-PLE-10). What is exposed everybody sees (THL-GEN-14).
"""

from __future__ import annotations

from typing import Final

from tablectl.core.engine.deal import Draw
from tablectl.core.engine.dealing import is_hole_plan, put_away, wait
from tablectl.core.engine.decisions import CardTurned
from tablectl.core.engine.facts import Declared
from tablectl.core.engine.incidents import ask, close
from tablectl.core.engine.outcome import carried_out, raised
from tablectl.core.engine.pending import Pending
from tablectl.core.engine.rule import Outcome
from tablectl.core.engine.rulebook import REOPEN, Kind
from tablectl.core.engine.seat_said import seat_of
from tablectl.core.engine.slots import BURN, SEAT_UP, SEATS, Slot
from tablectl.core.engine.vocabulary import Chooser, Declaration, Question, Refusal, Remedy, Severity
from tablectl.core.options.holdem import ExposedCard, ExposedCount
from tablectl.families.holdem.deadlines import actions
from tablectl.families.holdem.rulebook import HOLE
from tablectl.families.holdem.state import HoldemState
from tablectl.families.holdem.two_actions import carry_out, judged
from tablectl.families.pots.hand_open import is_open

ONE: Final = "THL-CRE-8"
SEVERAL: Final = "THL-MIS-4"
_SHOWN: Final = "THL-GEN-14"
_FALLEN: Final = "fallen-card"


def applies(state: HoldemState) -> bool:
    """Whether a card to a player can have been seen while it was dealt."""
    return is_open(state) and _hole_card(state, None, None) is not None


def face_up_applies(state: HoldemState) -> bool:
    """Whether the last card can have lain face up in the deck: a player's, or one of a street just dealt."""
    return applies(state) or _is_street_card(state)


def foretold(state: HoldemState, what: Declaration) -> Outcome:
    """What a card does that is exposed now, the one dealt last."""
    if what is Declaration.FACE_UP_IN_SHOE and _is_street_card(state):
        return _boxed(state)
    draw = _hole_card(state, None, None)
    assert draw is not None, "it applies"
    return _outcome(state, draw, what)


def declared(state: HoldemState, fact: Declared) -> None:
    """`spot` and `lap` say which card it is, where it is not the one dealt last."""
    if fact.what is Declaration.FACE_UP_IN_SHOE and fact.spot is None and _is_street_card(state):
        _discard(state)
        return
    draw = _hole_card(state, fact.spot, fact.lap) if is_open(state) else None
    if draw is None:
        state.refuse(Refusal.NO_CARD, ONE)
        return
    if draw.number in state.deal.face_up:
        state.refuse(Refusal.CARD_KNOWN, ONE, draw.slot.name if draw.slot is not None else "")
        return
    outcome = _outcome(state, draw, fact.what)
    state.deal.face_up.add(draw.number)
    if outcome.clause != ONE:
        carry_out(state, outcome)
    elif outcome.chooser is Chooser.CROUPIER:
        ask(state, Question.SEEN, _FALLEN, raised(state, outcome))
    else:
        carried_out(state, outcome)
        if outcome.remedies != (Remedy.CONTINUE,):
            _is_shown(state, draw)


def seen_said(state: HoldemState, pending: Pending, answer: str | int) -> None:
    """AMB-14: a card that fell and that nobody saw goes back to its place; it counts all the same."""
    incident = pending.incident
    assert incident is not None, "it is asked about a card"
    assert incident.draw is not None, "it is asked about a card"
    if answer == "not-seen":
        close(state, incident, Remedy.CORRECT, Chooser.CROUPIER)
        return
    close(state, incident, incident.remedies[0], Chooser.CROUPIER)
    _is_shown(state, incident.draw)


# --- cards of players -------------------------------------------------------------------------------------------------


def _hole_card(state: HoldemState, spot: str | None, lap: int | None) -> Draw | None:
    """The card of a seat and a lap, the latest one where that is not said."""
    deal = state.deal
    if spot is None:
        laid = [draw for slot, draw in deal.at.items() if slot.seat is not None and slot not in SEAT_UP]
        return max(laid, key=lambda draw: draw.number, default=None)
    seat = seat_of(spot)
    slots: tuple[Slot, ...] = () if seat is None else SEATS[seat - 1][:HOLE]
    there = [deal.at[slot] for slot in slots if slot in deal.at and lap in (None, slot.position)]
    return max(there, key=lambda draw: draw.number, default=None)


def _outcome(state: HoldemState, draw: Draw, what: Declaration) -> Outcome:
    only_turned = state.rulebook.house.exposed_count is ExposedCount.TURNED_ONLY
    is_enough = only_turned and what is not Declaration.TURNED_WHILE_DEALT
    if is_enough or state.deal.face_up - {draw.number}:
        return judged(state, clause=SEVERAL, expected="face-down", observed=what, draw=draw)
    in_time = is_hole_plan(state) and actions(state) in (0, None)
    is_asked = in_time and what is Declaration.FALLEN_CARD
    return Outcome(
        clause=ONE,
        expected="face-down",
        observed=what,
        remedies=(_remedy(state, draw) if in_time else Remedy.CONTINUE,),
        chooser=Chooser.CROUPIER if is_asked else Chooser.RULE,
        severity=Severity.NOTICE,
        draw=draw,
    )


def _remedy(state: HoldemState, draw: Draw) -> Remedy:
    """At an empty seat nothing is replaced (THL-CRE-2)."""
    is_played = draw.slot is not None and draw.slot.seat in state.staying
    return Remedy.BURN_IT_INSTEAD if is_played else Remedy.SHOW_TO_ALL


def _is_shown(state: HoldemState, draw: Draw) -> None:
    """THL-GEN-14, THL-CRE-8: the card is shown and stays until the deal is over; the next one then takes its place, and
    it becomes the first burn (`dealing.place`)."""
    slot, house = draw.slot, state.rulebook.house
    assert slot is not None, "it lies before a seat"
    state.shown.add(slot)
    state.say(CardTurned(draw=draw.number, slot=slot))
    if _remedy(state, draw) is Remedy.SHOW_TO_ALL:
        return
    state.deal.add(slot, at_once=house.exposed_card is ExposedCard.AT_ONCE)
    _place_of_the_burn_is_free(state)
    if state.phase.kind is not Kind.DEALING:
        state.fire(REOPEN)


def _place_of_the_burn_is_free(state: HoldemState) -> None:
    """A burn that was made too soon, with the round open already, is the next card: this one is burnt in its stead."""
    burnt = state.deal.at.get(BURN[0])
    if burnt is not None and burnt in state.early.burns:
        state.early.burns.remove(burnt)
        del state.deal.at[BURN[0]]
        burnt.slot = None
        wait(state, burnt)


# --- cards of a street ------------------------------------------------------------------------------------------------


def _is_street_card(state: HoldemState) -> bool:
    """Whether the last card is one of a street, and nobody has bet since."""
    deal, last = state.deal, state.deal.last
    if last is None or last.slot is None or deal.next == 0 or is_hole_plan(state) or deal.waiting:
        return False
    rounds = state.rounds
    has_bet = state.phase.kind is Kind.DECIDING and rounds is not None and rounds.can_undo
    return deal.plan[deal.next - 1] is last.slot and state.phase.kind in (Kind.DEALING, Kind.DECIDING) and not has_bet


def _boxed(state: HoldemState) -> Outcome:
    """AMB-17: after the hole cards a card that lay face up in the deck is put away, and the next one used."""
    return Outcome(
        clause=_SHOWN,
        expected="face-down",
        observed=Declaration.FACE_UP_IN_SHOE,
        remedies=(Remedy.DISCARD,),
        severity=Severity.NOTICE,
        draw=state.deal.last,
    )


def _discard(state: HoldemState) -> None:
    last = state.deal.last
    assert last is not None, "it is a card of a street"
    carried_out(state, _boxed(state))
    state.deal.take_back(last)
    put_away(state, last)
    if state.phase.kind is not Kind.DEALING:
        state.fire(REOPEN)

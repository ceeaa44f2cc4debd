"""Cards seen while they are dealt: one is burnt in another's stead (THL-CRE-8), more are a misdeal (THL-MIS-4).

A card that lay face up in the deck, was turned by the croupier or fell off the table counts, each card once; one that a
player turns does not (THL-PLE-10). What is exposed everybody sees (THL-GEN-14).
"""

from __future__ import annotations

from typing import Final

from tablectl.core.engine.deal import Draw
from tablectl.core.engine.dealing import is_hole_plan, put_away, wait
from tablectl.core.engine.decisions import CardTurned
from tablectl.core.engine.declared_cards import meant, newest_first
from tablectl.core.engine.facts import Declared
from tablectl.core.engine.incidents import ask, close
from tablectl.core.engine.outcome import carried_out, raised
from tablectl.core.engine.pending import Incident, Pending
from tablectl.core.engine.rule import Outcome
from tablectl.core.engine.rulebook import REOPEN, Kind
from tablectl.core.engine.slots import BOARD, BURN, SEAT_UP
from tablectl.core.engine.vocabulary import Chooser, Declaration, Question, Refusal, Remedy, Severity
from tablectl.core.options.holdem import ExposedCard, ExposedCount
from tablectl.families.holdem.deadlines import actions
from tablectl.families.holdem.rulebook import HOLE
from tablectl.families.holdem.state import HoldemState
from tablectl.families.holdem.two_actions import carry_out, judged
from tablectl.families.pots.hand_open import is_open

ONE: Final = "THL-CRE-8"
SEVERAL: Final = "THL-MIS-4"
BOXED: Final = "THL-GEN-14"
_FALLEN: Final = "fallen-card"
_COMMON: Final = (BOARD[0].spot, BURN[0].spot)


def cards(state: HoldemState) -> tuple[Draw, ...]:
    """The cards of players that can have been seen while they were dealt, the one dealt last in front."""
    if not is_open(state):
        return ()
    slots = ((slot, draw) for slot, draw in state.deal.at.items() if slot.seat is not None and slot not in SEAT_UP)
    return newest_first(draw for slot, draw in slots if slot.position <= HOLE)


def face_up_cards(state: HoldemState) -> tuple[Draw, ...]:
    """The same and common cards and burns, which can have lain face up in the deck. These come first while the one
    drawn last is one of them, and nobody has bet since."""
    if not is_open(state):
        return ()
    of_players, common = (
        cards(state),
        newest_first(draw for slot, draw in state.deal.at.items() if slot.spot in _COMMON),
    )
    return (*common, *of_players) if _is_street_card(state) else (*of_players, *common)


def applies(state: HoldemState) -> bool:
    """Whether a card to a player can have been seen while it was dealt."""
    return bool(cards(state))


def face_up_applies(state: HoldemState) -> bool:
    """Whether a card can have lain face up in the deck: a player's, or one of a street."""
    return bool(face_up_cards(state))


def foretold(state: HoldemState, what: Declaration) -> Outcome:
    """What a card does that is exposed now, the one that is proposed."""
    proposed = (face_up_cards if what is Declaration.FACE_UP_IN_SHOE else cards)(state)[0]
    return _boxed(state, proposed) if _is_common(proposed) else _outcome(state, proposed, what)


def declared(state: HoldemState, fact: Declared) -> None:
    """What is said of a card; of one that was said before it is said no more."""
    candidates = (face_up_cards if fact.what is Declaration.FACE_UP_IN_SHOE else cards)(state)
    draw = meant(fact, candidates)
    fell = _is_it_seen(state, draw)
    if fell is not None and fact.what is not Declaration.FALLEN_CARD:
        # Whoever says that it was turned, or lay face up, says that it was seen.
        state.asking.remove(fell)
        seen_said(state, fell, "seen")
    elif fact.drawn in state.deal.face_up or (draw is not None and draw.number in state.deal.face_up):
        state.refuse(Refusal.CARD_KNOWN, ONE, draw.slot.name if draw is not None and draw.slot is not None else "")
    elif draw is None:
        state.refuse(Refusal.NO_CARD, ONE)
    elif _is_common(draw):
        _say_boxed(state, draw)
    else:
        _say_exposed(state, draw, fact.what)


def _is_it_seen(state: HoldemState, draw: Draw | None) -> Pending | None:
    """The open question whether a card that fell was seen, where it is this one."""
    for pending in state.asking:
        incident = pending.incident
        if pending.about == _FALLEN and draw is not None and incident is not None and incident.draw is draw:
            return pending
    return None


def _is_common(draw: Draw) -> bool:
    return draw.slot is not None and draw.slot.spot in _COMMON


def _say_exposed(state: HoldemState, draw: Draw, what: Declaration) -> None:
    outcome = _outcome(state, draw, what)
    state.deal.face_up.add(draw.number)
    if outcome.chooser is Chooser.PIT_BOSS:
        raised(state, outcome)
    elif outcome.clause != ONE:
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


def _outcome(state: HoldemState, draw: Draw, what: Declaration) -> Outcome:
    only_turned = state.rulebook.house.exposed_count is ExposedCount.TURNED_ONLY
    is_enough = only_turned and what is not Declaration.TURNED_WHILE_DEALT
    if is_enough or state.deal.face_up - {draw.number}:
        return judged(state, clause=SEVERAL, expected="face-down", observed=what, draw=draw)
    if what is not Declaration.FALLEN_CARD and draw is not state.deal.last and BURN[0] not in state.deal.at:
        return _of_an_earlier_card(state, draw, what)
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


def _of_an_earlier_card(state: HoldemState, draw: Draw, what: Declaration) -> Outcome:
    """Ruling 17: of a card that was dealt before the last one the pit boss rules, as long as the first burn is to come;
    what the clause says is proposed."""
    return Outcome(
        clause=ONE,
        expected=draw.slot.name if draw.slot is not None else "face-down",
        observed=what,
        remedies=(_remedy(state, draw), Remedy.VOID_HAND, Remedy.CONTINUE),
        chooser=Chooser.PIT_BOSS,
        draw=draw,
    )


def shown_by_ruling(state: HoldemState, incident: Incident) -> None:
    """The pit boss has an earlier card shown, and burnt in another's stead."""
    if incident.draw is not None and incident.draw.slot is not None:
        _is_shown(state, incident.draw)


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
    if is_hole_plan(state):
        state.deal.add(slot, at_once=house.exposed_card is ExposedCard.AT_ONCE)
    else:
        # The flop is due: the card that would be burnt comes here, and no other one is burnt.
        state.deal.drop(BURN[:1])
        state.deal.is_due_at(slot)
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


def _boxed(state: HoldemState, draw: Draw) -> Outcome:
    """AMB-17: after the hole cards a card that lay face up in the deck is put away, and the next one used. Of an
    earlier one the pit boss rules (ruling 17)."""
    in_time = draw is state.deal.last and _is_street_card(state)
    slot = draw.slot
    assert slot is not None, "it lies on the board or among the burns"
    return Outcome(
        clause=BOXED,
        expected="face-down" if in_time else slot.name,
        observed=Declaration.FACE_UP_IN_SHOE,
        remedies=(Remedy.DISCARD,) if in_time else _of_an_earlier_common_card(state),
        chooser=Chooser.RULE if in_time else Chooser.PIT_BOSS,
        severity=Severity.NOTICE if in_time else Severity.ALERT,
        draw=draw,
    )


def _of_an_earlier_common_card(state: HoldemState) -> tuple[Remedy, ...]:
    can_refill = state.phase.kind is Kind.DEALING or state.machine.refusal(REOPEN, state) is None
    return (*((Remedy.DISCARD,) if can_refill else ()), Remedy.CONTINUE, Remedy.VOID_HAND)


def _say_boxed(state: HoldemState, draw: Draw) -> None:
    outcome = _boxed(state, draw)
    state.deal.face_up.add(draw.number)
    if outcome.chooser is Chooser.PIT_BOSS:
        raised(state, outcome)
        return
    carried_out(state, outcome)
    _put_aside(state, draw)


def _put_aside(state: HoldemState, draw: Draw) -> None:
    """To the rack; the next card drawn fills its place, nothing is shifted."""
    state.deal.vacate(draw)
    put_away(state, draw)
    if state.phase.kind is not Kind.DEALING and state.fire(REOPEN):
        state.entered = None  # the round goes on when the card was dealt


def discarded_by_ruling(state: HoldemState, incident: Incident) -> None:
    """The pit boss has an earlier common card put away."""
    if incident.draw is not None and incident.draw.slot is not None:
        _put_aside(state, incident.draw)

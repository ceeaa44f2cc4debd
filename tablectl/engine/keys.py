"""What each key does now, and which keys are live. One place, so that the lamp, the screen and the rule agree."""

from __future__ import annotations

from typing import Final

from tablectl.engine import antennas, betting, closing, confirming, side_bet, staff, standing
from tablectl.engine.circle import keys as circle_keys
from tablectl.engine.circle.answers import seats_asked
from tablectl.engine.circle.common_cards import unreported
from tablectl.engine.errors import conduct, counting
from tablectl.engine.errors.answers import answered
from tablectl.engine.errors.declarations import (
    asked_now,
    can,
    can_declare,
    declared,
    is_any_offered,
    offered,
    offers,
    picks,
)
from tablectl.engine.facts import Declared, Pressed
from tablectl.engine.rulebook import Kind
from tablectl.engine.state import State
from tablectl.engine.words import SEAT_KEYS, SEAT_OF, Declaration, Key, Question, Refusal

_ANSWERS: Final[dict[Question, dict[Key, str | int]]] = {
    Question.SEEN: {Key.SEEN: "seen", Key.NOT_SEEN: "not-seen"},
    Question.PUT_AWAY: {Key.CONFIRM: "done"},
    Question.MOVED: {Key.CONFIRM: "done"},
    Question.NOTHING_DRAWN: {Key.CONFIRM: "done"},
    Question.FELT: {Key.CONFIRM: "done"},
    Question.NEW_DECK: {Key.CONFIRM: "done"},
    Question.RESHUFFLED: {Key.CONFIRM: "done"},
    Question.AT_ITS_SPOT: {Key.CONFIRM: "done"},
    Question.DECK_COUNT: {Key.CONFIRM: "whole", Key.NOT_SEEN: "missing"},
    Question.COUNT_SPOT: {**{key: key.value for key in SEAT_KEYS}, Key.BANK: "house", Key.CONFIRM: "right"},
    Question.COUNT_CARDS: {**{key: SEAT_OF[key] for key in SEAT_KEYS[:5]}, Key.NOT_SEEN: 0, Key.CONFIRM: "right"},
    Question.COUNT_LAP: {key: SEAT_OF[key] for key in SEAT_KEYS[:2]},
    Question.OUT_OF_TURN: {Key.CONFIRM: "binds", Key.CANCEL: "cancelled"},
    Question.TWO_ACTIONS: {Key.CONFIRM: "two", Key.CANCEL: "fewer"},
    Question.PROTECTED: {Key.CONFIRM: "protected", Key.CANCEL: "unprotected"},
    Question.RECONSTRUCTED: {Key.CONFIRM: "reconstructed", Key.CANCEL: "not-possible"},
    Question.LOOKED: {Key.SEEN: "looked", Key.NOT_SEEN: "not-looked"},
    Question.REDEAL_OR_CORRECT: {Key.NEW_HAND: "redeal", Key.CONFIRM: "correct"},
    Question.NEW_STUB: {Key.CONFIRM: "done"},
    Question.PLACE_CARD: {Key.CANCEL: "given-up"},
    Question.PLAYER_CARD: {Key.CANCEL: "given-up"},
    Question.WHICH_SEAT: {**{key: key.value for key in SEAT_KEYS}, Key.CANCEL: "cancelled"},
    Question.OTHER_SEAT: {**{key: key.value for key in SEAT_KEYS}, Key.CANCEL: "cancelled"},
}
#: Keys that open the list with one choice of it.
_SHORT_CUTS: Final[dict[Key, Declaration]] = {
    Key.FACE_UP: Declaration.FACE_UP_IN_SHOE,
    Key.BANK_EXPOSED: Declaration.BANK_CARD_EXPOSED,
}


def pressed(state: State, fact: Pressed) -> None:
    """A key. One that is not live changes nothing and says why."""
    key = fact.key
    state.presses += 1
    if staff.is_missing(state):
        state.refuse(Refusal.NO_CROUPIER)
    elif state.menu:
        _in_menu(state, key)
    elif (asked := asked_now(state)) is not None and (answer := _answers(state).get(key)) is not None:
        answered(state, asked, answer)
    elif key is Key.WRONG_COUNT:
        # It asks which and how many first, and can be taken back.
        declared(state, Declared(at_us=fact.at_us, what=Declaration.WRONG_COUNT))
    elif key is Key.INCIDENT or key in _SHORT_CUTS:
        _open_menu(state, key)
    elif key is Key.CANCEL and state.held and state.circle is not None and unreported.possible(state, state.circle):
        unreported.take_back(state, state.circle)
    elif state.held:
        state.refuse(Refusal.HELD)
    elif state.circle is not None:
        circle_keys.pressed(state, state.circle, key)
    else:
        _by_phase(state, key)


def _open_menu(state: State, key: Key) -> None:
    """The list of what can be declared now, or one choice of it; nothing is declared yet."""
    what = _SHORT_CUTS.get(key)
    if what is None:
        state.menu = offered(state)[: len(picks(state))]
    elif can(state, what):
        state.menu = (what,)
    if not state.menu:
        state.refuse(Refusal.NOT_OFFERED if can_declare(state) else Refusal.HELD, detail=key)


def _in_menu(state: State, key: Key) -> None:
    """A choice of the list is carried out; where the list is longer than the panel, its key goes on in it; everything
    else closes it."""
    chosen = _choices(state).get(key)
    if key is Key.INCIDENT and (more := _next_page(state)):
        state.menu = more
        return
    state.menu = ()
    if chosen is not None:
        declared(state, Declared(at_us=0, what=chosen))


def _next_page(state: State) -> tuple[Declaration, ...]:
    """What stands behind the lines that are shown, and after the last ones the first again; none where all are."""
    there, page = offered(state), len(picks(state))
    if len(state.menu) == 1 or len(there) <= page or state.menu[-1] not in there:
        return ()
    at = there.index(state.menu[-1]) + 1
    return there[at : at + page] if at < len(there) else there[:page]


def _choices(state: State) -> dict[Key, Declaration]:
    there = [each.what for each in offers(state)]
    found = {key: what for key, what in zip(picks(state), state.menu, strict=False) if what in there}
    if len(state.menu) == 1:
        found |= dict.fromkeys((Key.CONFIRM,) if there else (), state.menu[0])
    return found


def _answers(state: State) -> dict[Key, str | int]:
    """What the keys mean as answers to the question that is asked now; none is asked while the shoe is lost."""
    first = asked_now(state)
    if first is None:
        return {}
    answers = _ANSWERS[first.question]
    if first.question is Question.COUNT_SPOT:
        spots: tuple[str, ...] = (*counting.countable(state), "right")
    elif first.question is Question.COUNT_CARDS and state.is_draw:
        # A hand of five can have six cards, or more.
        return {**answers, **SEAT_OF}
    elif first.what is not None:
        asked = conduct.seats_asked if state.circle is None else seats_asked
        seats = (f"seat-{seat}" for seat in asked(state, first.what))
        spots = (*(spot for spot in seats if spot != first.spot), "cancelled")
    else:
        return answers
    return {key: spot for key, spot in answers.items() if spot in spots}


def _by_phase(state: State, key: Key) -> None:
    match state.machine.phase.kind:
        case Kind.DECIDING:
            _deciding(state, key)
        case Kind.BETTING:
            _betting(state, key)
        case Kind.IDLE if key is Key.NEW_HAND:
            closing.new_hand(state)
        case Kind.CLAIMING if key in SEAT_OF:
            side_bet.claimed(state, SEAT_OF[key])
        case Kind.CLAIMING if key is Key.CONFIRM and not state.naming:
            side_bet.asked(state)
        case Kind.PAYING if key is Key.CONFIRM:
            state.fire("paid")
        case Kind.REVEALING if key is Key.BANK and confirming.unconfirmed(state):
            confirming.look_back(state)
        case Kind.REVEALING if key is Key.BANK:
            closing.reveal(state)
        case Kind.VOIDED if key is Key.CONFIRM and (left := antennas.still_there(state)):
            # Collected cards are counted back: the antennas see those that are not.
            state.refuse(Refusal.CARDS_ON_FELT, detail="+".join(left))
        case Kind.SETTLING | Kind.VOIDED if key is Key.CONFIRM and _can_close(state):
            closing.confirm(state)
        case _:
            state.refuse(Refusal.NOT_LIVE, detail=key)


def _can_close(state: State) -> bool:
    return not antennas.still_there(state) if state.phase.kind is Kind.VOIDED else not state.is_to_settle


def _betting(state: State, key: Key) -> None:
    extra = state.rulebook.extra_bet
    if key in SEAT_OF and SEAT_OF[key] <= state.setup.seats:
        betting.seat_key(state, SEAT_OF[key], extra=extra if state.modifier else None)
        state.modifier = False
    elif key is Key.BONUS and extra is not None:
        state.modifier = not state.modifier
    elif key is Key.ALL_BET:
        betting.again(state, tuple(state.previous))
    elif key is Key.NO_MORE_BETS and state.on_felt:
        # What lies there would be taken for nothing, and what is dealt there for all there is.
        state.refuse(Refusal.CARDS_ON_FELT, detail="+".join(state.on_felt))
    elif key is Key.NO_MORE_BETS:
        if state.fire("no-more-bets"):
            standing.bets_closed(state)
    else:
        state.refuse(Refusal.NOT_LIVE, detail=key)


def _deciding(state: State, key: Key) -> None:
    choice = state.phase.choice
    assert choice is not None
    if key is Key.BET:
        betting.stake(state, choice)
    elif key is choice.otherwise:
        betting.decline(state, choice)
    elif key is Key.ALL_BET:
        betting.all_the_same(state, choice, betting=True)
    elif key is Key.ALL_CHECK and choice.otherwise is Key.CHECK:
        betting.all_the_same(state, choice, betting=False)
    elif key is Key.CONFIRM and betting.can_leave_to_boxes(state):
        betting.leave_to_boxes(state, choice)
    elif key in _seats_to_choose(state):
        state.chosen = SEAT_OF[key]
    else:
        state.refuse(Refusal.NOT_LIVE, detail=key)


def _seats_to_choose(state: State) -> tuple[Key, ...]:
    """Where decisions are taken in any order, those whose decision can be the next one (TPC-DEV-8)."""
    if state.phase.choice is None or state.phase.choice.in_turn:
        return ()
    return tuple(SEAT_KEYS[seat - 1] for seat in state.staying if seat not in state.decided)


def live(state: State) -> tuple[Key, ...]:
    """The keys that would do something now, in the order of the panel."""
    if staff.is_missing(state):
        found: set[Key] = set()
    elif state.menu:
        found = {*_choices(state), Key.CANCEL, *((Key.INCIDENT,) if _next_page(state) else ())}
    else:
        found = set(_answers(state))
        if is_any_offered(state):
            found.add(Key.INCIDENT)
            found |= {key for key, what in _SHORT_CUTS.items() if can(state, what)}
            if can(state, Declaration.WRONG_COUNT):
                found.add(Key.WRONG_COUNT)
        if state.held and state.circle is not None and unreported.possible(state, state.circle):
            found.add(Key.CANCEL)
        if not state.held:
            found |= _live_by_phase(state) if state.circle is None else circle_keys.live(state, state.circle)
    return tuple(key for key in Key if key in found)


def _seat_can(state: State, seat: int) -> bool:
    """Whether a seat's key does something before the deal: the seat comes in, goes out, or makes its extra bet."""
    if seat > state.setup.seats:
        return False
    if state.modifier:
        before = state.previous.get(seat, {})
        return seat in state.seats and (not state.amounts or state.rulebook.extra_bet in before)
    return not state.amounts or seat in state.seats or bool(betting.repeatable(state, seat))


def _live_by_phase(state: State) -> set[Key]:
    match state.phase.kind:
        case Kind.IDLE:
            return {Key.NEW_HAND}
        case Kind.BETTING:
            found = {key for key in SEAT_KEYS if _seat_can(state, SEAT_OF[key])}
            if state.rulebook.extra_bet is not None:
                found.add(Key.BONUS)
            if state.seats and not state.on_felt:
                found.add(Key.NO_MORE_BETS)
            if any(betting.repeatable(state, seat) for seat in state.previous):
                found.add(Key.ALL_BET)
            return found
        case Kind.DECIDING:
            choice = state.phase.choice
            assert choice is not None
            both = {Key.BET, Key.ALL_BET, choice.otherwise, *_seats_to_choose(state)}
            if choice.otherwise is Key.CHECK:
                both.add(Key.ALL_CHECK)
            return both | ({Key.CONFIRM} if betting.can_leave_to_boxes(state) else set())
        case Kind.CLAIMING:
            return set() if state.naming else {Key.CONFIRM, *(SEAT_KEYS[s - 1] for s in side_bet.claimants(state))}
        case Kind.PAYING:
            return {Key.CONFIRM}
        case Kind.REVEALING:
            return {Key.BANK}
        case Kind.SETTLING | Kind.VOIDED:
            return {Key.CONFIRM} if _can_close(state) else set()
        case Kind.DEALING | Kind.EXCHANGING:
            return set()

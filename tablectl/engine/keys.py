"""What each key does now, and which keys are live. One place, so that the lamp, the screen and the rule agree."""

from __future__ import annotations

from tablectl.engine import betting, closing, misdeals
from tablectl.engine.facts import Declared, Pressed
from tablectl.engine.rulebook import Kind
from tablectl.engine.state import State
from tablectl.engine.words import SEAT_KEYS, SEAT_OF, Declaration, Key, Question, Refusal

_ANSWERS: dict[Question, dict[Key, str | int]] = {
    Question.SEEN: {Key.SEEN: "seen", Key.NOT_SEEN: "not-seen"},
    Question.PUT_AWAY: {Key.CONFIRM: "done"},
    Question.MOVED: {Key.CONFIRM: "done"},
    Question.NOTHING_DRAWN: {Key.CONFIRM: "done"},
    Question.FELT: {Key.CONFIRM: "done"},
    Question.COUNT_SPOT: {**{key: key.value for key in SEAT_KEYS}, Key.BANK: "house", Key.CONFIRM: "right"},
    Question.COUNT_CARDS: {**{key: SEAT_OF[key] for key in SEAT_KEYS[:5]}, Key.NOT_SEEN: 0, Key.CONFIRM: "right"},
    Question.COUNT_LAP: {key: SEAT_OF[key] for key in SEAT_KEYS[:2]},
}
_DECLARES: dict[Key, Declaration] = {
    Key.FACE_UP: Declaration.FACE_UP_IN_SHOE,
    Key.BANK_EXPOSED: Declaration.BANK_CARD_EXPOSED,
    Key.WRONG_COUNT: Declaration.WRONG_COUNT,
}


def pressed(state: State, fact: Pressed) -> None:
    """A key. One that is not live changes nothing and says why."""
    key = fact.key
    state.presses += 1
    if (answer := _answers(state).get(key)) is not None:
        misdeals.answered(state, state.asking[0], answer)
    elif key in _DECLARES:
        misdeals.declared(state, Declared(at_us=fact.at_us, what=_DECLARES[key]))
    elif state.held:
        state.refuse(Refusal.HELD)
    else:
        _by_phase(state, key)


def _answers(state: State) -> dict[Key, str | int]:
    """What the keys mean as answers to the question that is asked now; none is asked while the shoe is lost."""
    if not state.asking or state.shoe_lost is not None:
        return {}
    answers = _ANSWERS[state.asking[0].question]
    if state.asking[0].question is Question.COUNT_SPOT:
        spots = (*misdeals.countable(state), "right")
        return {key: spot for key, spot in answers.items() if spot in spots}
    return answers


def _by_phase(state: State, key: Key) -> None:
    match state.machine.phase.kind:
        case Kind.DECIDING:
            _deciding(state, key)
        case Kind.BETTING:
            _betting(state, key)
        case Kind.IDLE if key is Key.NEW_HAND:
            closing.new_hand(state)
        case Kind.REVEALING if key is Key.BANK:
            closing.reveal(state)
        case Kind.SETTLING | Kind.VOIDED if key is Key.CONFIRM and not state.naming:
            closing.confirm(state)
        case _:
            state.refuse(Refusal.NOT_LIVE, detail=key)


def _betting(state: State, key: Key) -> None:
    if key in SEAT_OF and SEAT_OF[key] <= state.setup.seats:
        betting.seat_key(state, SEAT_OF[key], bonus=Key.BONUS.value if state.modifier else None)
        state.modifier = False
    elif key is Key.BONUS and Key.BONUS.value in state.rulebook.bets:
        state.modifier = not state.modifier
    elif key is Key.ALL_BET:
        betting.again(state, tuple(state.previous))
    elif key is Key.NO_MORE_BETS:
        state.fire("no-more-bets")
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
    else:
        state.refuse(Refusal.NOT_LIVE, detail=key)


def live(state: State) -> tuple[Key, ...]:
    """The keys that would do something now, in the order of the panel."""
    found = set(_answers(state))
    if misdeals.can_declare(state):
        found |= _live_declarations(state)
    if not state.held:
        found |= _live_by_phase(state)
    return tuple(key for key in Key if key in found)


def _live_declarations(state: State) -> set[Key]:
    found: set[Key] = set()
    if misdeals.face_up_applies(state):
        found.add(Key.FACE_UP)
    if misdeals.bank_can_show(state):
        found.add(Key.BANK_EXPOSED)
    if misdeals.can_count(state):
        found.add(Key.WRONG_COUNT)
    return found


def _seat_can(state: State, seat: int) -> bool:
    """Whether a seat's key does something before the deal: the seat comes in, goes out, or bets on the bonus."""
    if seat > state.setup.seats:
        return False
    if state.modifier:
        return seat in state.seats and (not state.amounts or Key.BONUS.value in state.previous.get(seat, {}))
    return not state.amounts or seat in state.seats or betting.can_repeat(state, seat)


def _live_by_phase(state: State) -> set[Key]:
    match state.phase.kind:
        case Kind.IDLE:
            return {Key.NEW_HAND}
        case Kind.BETTING:
            found = {key for key in SEAT_KEYS if _seat_can(state, SEAT_OF[key])}
            if Key.BONUS.value in state.rulebook.bets:
                found.add(Key.BONUS)
            if state.seats:
                found.add(Key.NO_MORE_BETS)
            if any(betting.can_repeat(state, seat) for seat in state.previous):
                found.add(Key.ALL_BET)
            return found
        case Kind.DECIDING:
            choice = state.phase.choice
            assert choice is not None
            both = {Key.BET, Key.ALL_BET, choice.otherwise}
            return both | ({Key.ALL_CHECK} if choice.otherwise is Key.CHECK else set())
        case Kind.REVEALING:
            return {Key.BANK}
        case Kind.SETTLING | Kind.VOIDED:
            return set() if state.naming else {Key.CONFIRM}
        case Kind.DEALING:
            return set()

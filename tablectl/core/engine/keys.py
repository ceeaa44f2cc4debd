"""What each key does now, and which keys are lit: one table, so that the lamp, the screen and the rule agree."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import Final

from tablectl.core.engine import betting, closing, confirming, side_bet, staff, standing
from tablectl.core.engine.circle import keys as circle_keys
from tablectl.core.engine.circle.answers import seats_asked
from tablectl.core.engine.circle.common_cards import unreported
from tablectl.core.engine.errors import conduct, counting
from tablectl.core.engine.errors.answers import answered
from tablectl.core.engine.errors.declarations import (
    asked_now,
    can,
    can_declare,
    declared,
    is_any_offered,
    offered,
    offers,
    picks,
)
from tablectl.core.engine.facts import Declared, Pressed
from tablectl.core.engine.key_action import KeyAction, KeyTable, collected, refuse_on_felt
from tablectl.core.engine.rulebook import Kind
from tablectl.core.engine.state import Pending, State
from tablectl.core.engine.words import SEAT_KEYS, SEAT_OF, Declaration, Key, Question, Refusal

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
    """A key. One that means nothing now changes nothing and says why."""
    state.presses += 1
    key, is_menu_open = fact.key, bool(state.menu)
    action = key_table(state).get(key)
    if action is not None:
        action.does()
    elif staff.is_missing(state):
        state.refuse(Refusal.NO_CROUPIER)
    elif is_menu_open:
        state.menu = ()
    else:
        state.refuse(Refusal.HELD if state.held else Refusal.NOT_LIVE, detail="" if state.held else key)


def key_table(state: State) -> KeyTable:
    """What each key means now. A question that is asked comes before everything else, and what can be declared comes
    before the game."""
    if staff.is_missing(state):
        return {}
    if state.menu:
        return _in_menu(state)
    table: dict[Key, KeyAction] = {}
    circle = state.circle
    if not state.held:
        table |= _by_phase(state) if circle is None else circle_keys.key_table(state, circle)
    elif circle is not None and unreported.possible(state, circle):
        table[Key.CANCEL] = KeyAction(partial(unreported.take_back, state, circle))
    table |= _declaring(state)
    asked = asked_now(state)
    if asked is not None:
        table |= {
            key: KeyAction(partial(answered, state, asked, answer)) for key, answer in _answers(state, asked).items()
        }
    return table


def live(state: State) -> tuple[Key, ...]:
    """The keys that would do something now, in the order of the panel."""
    table = key_table(state)
    return tuple(key for key in Key if key in table and table[key].is_lit)


def _declaring(state: State) -> dict[Key, KeyAction]:
    """The list of what can be declared, and the keys that open it with one choice of it. "Wrong count" asks which and
    how many first, and can be taken back: it needs no list."""
    is_any = is_any_offered(state)
    count = Declared(at_us=0, what=Declaration.WRONG_COUNT)
    return {
        Key.INCIDENT: KeyAction(partial(_open_menu, state, Key.INCIDENT), is_any),
        **{
            key: KeyAction(partial(_open_menu, state, key), is_any and can(state, what))
            for key, what in _SHORT_CUTS.items()
        },
        Key.WRONG_COUNT: KeyAction(partial(declared, state, count), is_any and can(state, Declaration.WRONG_COUNT)),
    }


def _open_menu(state: State, key: Key) -> None:
    """The list of what can be declared now, or one choice of it; nothing is declared yet."""
    what = _SHORT_CUTS.get(key)
    if what is None:
        state.menu = offered(state)[: len(picks(state))]
    elif can(state, what):
        state.menu = (what,)
    if not state.menu:
        state.refuse(Refusal.NOT_OFFERED if can_declare(state) else Refusal.HELD, detail=key)


def _in_menu(state: State) -> KeyTable:
    """A choice of the list is carried out; where the list is longer than the panel, its key goes on in it; "cancel"
    closes it, and so does every key that means nothing in it."""
    table = {key: KeyAction(partial(_choose, state, what)) for key, what in _choices(state).items()}
    table[Key.CANCEL] = KeyAction(partial(_choose, state, None))
    if more := _next_page(state):
        table[Key.INCIDENT] = KeyAction(partial(_turn_page, state, more))
    return table


def _choose(state: State, what: Declaration | None) -> None:
    state.menu = ()
    if what is not None:
        declared(state, Declared(at_us=0, what=what))


def _turn_page(state: State, page: tuple[Declaration, ...]) -> None:
    state.menu = page


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


def _answers(state: State, asked: Pending) -> Mapping[Key, str | int]:
    """What the keys mean as answers to the question that is asked now."""
    answers = _ANSWERS[asked.question]
    if asked.question is Question.COUNT_SPOT:
        spots: tuple[str, ...] = (*counting.countable(state), "right")
    elif asked.question is Question.COUNT_CARDS and state.is_draw:
        # A hand of five can have six cards, or more.
        return {**answers, **SEAT_OF}
    elif asked.what is not None:
        seats_of = conduct.seats_asked if state.circle is None else seats_asked
        seats = (f"seat-{seat}" for seat in seats_of(state, asked.what))
        spots = (*(spot for spot in seats if spot != asked.spot), "cancelled")
    else:
        return answers
    return {key: spot for key, spot in answers.items() if spot in spots}


def _by_phase(state: State) -> KeyTable:
    """In a game against the bank, with nothing asked and nothing held."""
    table_of = _PHASES.get(state.phase.kind)
    return table_of(state) if table_of is not None else {}


def _betting(state: State) -> KeyTable:
    extra = state.rulebook.extra_bet
    table = {
        key: KeyAction(partial(_seat_key, state, seat), _seat_can(state, seat))
        for key, seat in SEAT_OF.items()
        if seat <= state.setup.seats
    }
    if extra is not None:
        table[Key.BONUS] = KeyAction(partial(_modify, state))
    is_any_before = any(betting.may_repeat(state, seat) for seat in state.previous)
    table[Key.ALL_BET] = KeyAction(partial(betting.again, state, tuple(state.previous)), is_any_before)
    close_bets = KeyAction(partial(_no_more_bets, state), bool(state.seats))
    table[Key.NO_MORE_BETS] = refuse_on_felt(state) or close_bets
    return table


def _seat_key(state: State, seat: int) -> None:
    betting.seat_key(state, seat, extra=state.rulebook.extra_bet if state.modifier else None)
    state.modifier = False


def _modify(state: State) -> None:
    state.modifier = not state.modifier


def _no_more_bets(state: State) -> None:
    if state.fire("no-more-bets"):
        standing.bets_closed(state)


def _deciding(state: State) -> KeyTable:
    choice = state.phase.choice
    assert choice is not None
    same = partial(betting.all_the_same, state, choice)
    table = {key: KeyAction(partial(_choose_seat, state, SEAT_OF[key])) for key in _seats_to_choose(state)}
    table[Key.BET] = KeyAction(partial(betting.stake, state, choice))
    table[choice.otherwise] = KeyAction(partial(betting.decline, state, choice))
    table[Key.ALL_BET] = KeyAction(partial(same, betting=True))
    if choice.otherwise is Key.CHECK:
        table[Key.ALL_CHECK] = KeyAction(partial(same, betting=False))
    if betting.can_leave_to_boxes(state):
        table[Key.CONFIRM] = KeyAction(partial(betting.leave_to_boxes, state, choice))
    return table


def _choose_seat(state: State, seat: int) -> None:
    state.chosen = seat


def _seats_to_choose(state: State) -> tuple[Key, ...]:
    """Where decisions are taken in any order, those whose decision can be the next one (TPC-DEV-8)."""
    if state.phase.choice is None or state.phase.choice.in_turn:
        return ()
    return tuple(SEAT_KEYS[seat - 1] for seat in state.staying if seat not in state.decided)


def _claiming(state: State) -> KeyTable:
    """Who claims the side bet is asked once every card that was turned is known."""
    if state.naming:
        return {}
    claimed = {
        SEAT_KEYS[seat - 1]: KeyAction(partial(side_bet.claimed, state, seat)) for seat in side_bet.claimants(state)
    }
    return {**claimed, Key.CONFIRM: KeyAction(partial(side_bet.asked, state))}


def _revealing(state: State) -> KeyTable:
    does = confirming.look_back if confirming.unconfirmed(state) else closing.reveal
    return {Key.BANK: KeyAction(partial(does, state))}


def _settling(state: State) -> KeyTable:
    return {} if state.is_to_settle else {Key.CONFIRM: KeyAction(partial(closing.confirm, state))}


def _seat_can(state: State, seat: int) -> bool:
    """Whether a seat's key does something before the deal: the seat comes in, goes out, or makes its extra bet."""
    if seat > state.setup.seats:
        return False
    if state.modifier:
        before = state.previous.get(seat, {})
        return seat in state.seats and (not state.amounts or state.rulebook.extra_bet in before)
    return not state.amounts or seat in state.seats or betting.may_repeat(state, seat)


_PHASES: Final[Mapping[Kind, Callable[[State], KeyTable]]] = {
    Kind.IDLE: lambda state: {Key.NEW_HAND: KeyAction(partial(closing.new_hand, state))},
    Kind.BETTING: _betting,
    Kind.DECIDING: _deciding,
    Kind.CLAIMING: _claiming,
    Kind.PAYING: lambda state: {Key.CONFIRM: KeyAction(partial(state.fire, "paid"))},
    Kind.REVEALING: _revealing,
    Kind.SETTLING: _settling,
    Kind.VOIDED: lambda state: {Key.CONFIRM: collected(state, partial(closing.confirm, state))},
}

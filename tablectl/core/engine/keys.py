"""What each key does now, and which keys are lit: one table, so that the lamp, the screen and the rule agree."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import partial
from typing import Final

from tablectl.core.engine import staff
from tablectl.core.engine.answers import answered, places_asked
from tablectl.core.engine.declarations import (
    asked_now,
    can,
    can_declare,
    declared,
    is_any_offered,
    is_felt_uncertain,
    offered,
    offered_of,
    offers,
    picks,
)
from tablectl.core.engine.facts import Declared, Pressed
from tablectl.core.engine.key_action import KeyAction, KeyTable
from tablectl.core.engine.pending import Pending
from tablectl.core.engine.slots import BOARD, BURN, HOUSE
from tablectl.core.engine.state import State
from tablectl.core.engine.vocabulary import SEAT_KEYS, SEAT_OF, Declaration, Key, Question, Refusal

_ANSWERS: Final[dict[Question, dict[Key, str | int]]] = {
    Question.SEEN: {Key.SEEN: "seen", Key.NOT_SEEN: "not-seen"},
    Question.PUT_AWAY: {Key.CONFIRM: "done"},
    Question.MOVED: {Key.CONFIRM: "done"},
    Question.NOTHING_DRAWN: {Key.CONFIRM: "done"},
    Question.FELT: {Key.CONFIRM: "done"},
    Question.NEW_DECK: {Key.CONFIRM: "done"},
    Question.RESHUFFLED: {Key.CONFIRM: "done"},
    Question.AT_ITS_SPOT: {Key.CONFIRM: "done"},
    Question.CARDS_THERE: {Key.CONFIRM: "done"},
    Question.LIES_THERE: {Key.CONFIRM: "lies-there", Key.CANCEL: "not-there"},
    Question.UNREAD_THERE: {Key.CONFIRM: "lies-there", Key.CANCEL: "empty"},
    Question.DECK_COUNT: {Key.CONFIRM: "whole", Key.NOT_SEEN: "missing"},
    Question.COUNT_SPOT: {**{key: key.value for key in SEAT_KEYS}, Key.BANK: "house", Key.CONFIRM: "right"},
    Question.TOO_FEW_SPOT: {**{key: key.value for key in SEAT_KEYS}, Key.BANK: "house", Key.CONFIRM: "nobody"},
    Question.COUNT_CARDS: {**{key: SEAT_OF[key] for key in SEAT_KEYS[:5]}, Key.NOT_SEEN: 0, Key.CONFIRM: "right"},
    Question.COUNT_LAP: {**SEAT_OF},
    Question.OUT_OF_TURN: {Key.CONFIRM: "binds", Key.CANCEL: "cancelled"},
    Question.TWO_ACTIONS: {Key.CONFIRM: "two", Key.CANCEL: "fewer"},
    Question.PROTECTED: {Key.CONFIRM: "protected", Key.CANCEL: "unprotected"},
    Question.MIXED: {Key.CONFIRM: "mixed", Key.CANCEL: "apart"},
    Question.RECONSTRUCTED: {Key.CONFIRM: "reconstructed", Key.CANCEL: "not-possible"},
    Question.LOOKED: {Key.SEEN: "looked", Key.NOT_SEEN: "not-looked"},
    Question.REDEAL_OR_CORRECT: {Key.NEW_HAND: "redeal", Key.CONFIRM: "correct"},
    Question.NEW_STUB: {Key.CONFIRM: "done"},
    Question.PLACE_CARD: {Key.CANCEL: "given-up"},
    Question.PLAYER_CARD: {Key.CANCEL: "given-up"},
    Question.WHICH_SEAT: {**{key: key.value for key in SEAT_KEYS}, Key.CANCEL: "cancelled"},
    Question.OTHER_SEAT: {**{key: key.value for key in SEAT_KEYS}, Key.CANCEL: "cancelled"},
    Question.NEXT_SEAT: {key: key.value for key in SEAT_KEYS},
}
#: Where a card lies that came when none was due.
_PLACES: Final[Mapping[Key, str]] = {
    **{key: key.value for key in SEAT_KEYS},
    Key.BANK: HOUSE[0].spot,
}
#: Questions that ask for one of the seats that a declaration can be about.
_OF_SEATS: Final = (Question.WHICH_SEAT, Question.OTHER_SEAT)
#: Keys that open the list with one choice of it.
SHORT_CUTS: Final[dict[Key, Declaration]] = {
    Key.FACE_UP: Declaration.FACE_UP_IN_SHOE,
    Key.BANK_EXPOSED: Declaration.BANK_CARD_EXPOSED,
}
#: What each key declares that needs no list.
_OF_A_KEY: Final = {**SHORT_CUTS, Key.WRONG_COUNT: Declaration.WRONG_COUNT}
#: As the panel has them. A tuple: going through an enumeration is a call of Python for each member.
_IN_ORDER: Final = tuple(Key)
#: The keys of what can be declared.
_DECLARING: Final = frozenset({Key.INCIDENT, *_OF_A_KEY})


def pressed(state: State, fact: Pressed) -> None:
    """A key. One that means nothing now changes nothing and says why."""
    state.presses += 1
    key, is_held = fact.key, state.held and not state.menu
    action = _action(state, key)
    if action is not None:
        action.does()
    elif staff.is_missing(state):
        state.refuse(Refusal.NO_CROUPIER)
    else:
        state.refuse(Refusal.HELD if is_held else Refusal.NOT_LIVE, detail="" if is_held else key)


def too_late(state: State) -> None:
    """A key that was pressed when the question that it led to was not asked yet: it is no answer to it."""
    state.presses += 1
    state.refuse(Refusal.HELD)


def _action(state: State, key: Key) -> KeyAction | None:
    """What this key means now; None where it means nothing."""
    for table in _layers(state, only=key):
        if key in table:
            return table[key]
    return None


def key_table(state: State) -> KeyTable:
    """What each key means now."""
    table: dict[Key, KeyAction] = {}
    for layer in reversed(tuple(_layers(state))):
        table.update(layer)
    return table


def _layers(state: State, only: Key | None = None) -> Iterator[KeyTable]:
    """What keys mean, the table that counts first in front; last that "cancel" takes the last entry back. `only`: the
    one key that is wanted, so what never has it is left out."""
    yield from _meanings(state, only)
    if _can_undo(state):
        yield {Key.CANCEL: KeyAction(partial(_undo, state))}


def _meanings(state: State, only: Key | None) -> Iterator[KeyTable]:
    """A question that is asked comes before everything else, and what can be declared comes before the game."""
    if staff.is_missing(state):
        return
    if state.menu:
        yield _in_menu(state)
        return
    asked = asked_now(state)
    if asked is not None:
        answers = answers_of(state, asked)
        yield {key: KeyAction(partial(answered, state, asked, answer)) for key, answer in answers.items()}
    if only is None or only in _DECLARING:
        yield _declaring(state)
    if state.held:
        yield state.family.keys_while_held(state)
    else:
        yield from state.family.keys(state)


def _can_undo(state: State) -> bool:
    """Rulings, "Corrections": the croupier takes his last entry back in every game, also where the table is held for
    it."""
    return state.last_entry is not None and not (state.menu or staff.is_missing(state) or is_felt_uncertain(state))


def _undo(state: State) -> None:
    state.is_undone = True


def undoes(state: State) -> int | None:
    """The number of the entry that "cancel" takes back now: none where it answers a question or means something else
    in this phase."""
    if not _can_undo(state) or any(Key.CANCEL in table for table in _meanings(state, Key.CANCEL)):
        return None
    return state.last_entry


def live(state: State) -> tuple[Key, ...]:
    """The keys that would do something now, in the order of the panel."""
    table = key_table(state)
    return tuple([key for key in _IN_ORDER if key in table and table[key].is_lit])


def _declaring(state: State) -> dict[Key, KeyAction]:
    """The list of what can be declared, and the keys that open it with one choice of it. "Wrong count" asks which and
    how many first, and can be taken back: it needs no list."""
    there = offered_of(state, _OF_A_KEY.values())
    count = Declared(at_us=0, what=Declaration.WRONG_COUNT)
    return {
        Key.INCIDENT: KeyAction(partial(_open_menu, state, Key.INCIDENT), bool(there) or is_any_offered(state)),
        **{key: KeyAction(partial(_open_menu, state, key), what in there) for key, what in SHORT_CUTS.items()},
        Key.WRONG_COUNT: KeyAction(partial(declared, state, count), Declaration.WRONG_COUNT in there),
    }


def _open_menu(state: State, key: Key) -> None:
    """The list of what can be declared now, or one choice of it; nothing is declared yet."""
    what = SHORT_CUTS.get(key)
    if what is None:
        state.menu = offered(state)[: len(picks(state))]
    elif can(state, what):
        state.menu = (what,)
    if not state.menu:
        state.refuse(Refusal.NOT_OFFERED if can_declare(state) else Refusal.HELD, detail=key)


def _in_menu(state: State) -> KeyTable:
    """A choice of the list is carried out; where the list is longer than the panel, its key goes on in it; "cancel"
    closes it."""
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
    """What stands after the lines that are shown, and after the last ones the first again; none where all are."""
    there, page = offered(state), len(picks(state))
    is_short_cut = len(state.menu) == 1 and state.menu[0] in _OF_A_KEY.values()
    if is_short_cut or len(there) <= page or state.menu[-1] not in there:
        return ()
    at = there.index(state.menu[-1]) + 1
    return there[at : at + page] if at < len(there) else there[:page]


def _choices(state: State) -> dict[Key, Declaration]:
    there = [offer.what for offer in offers(state)]
    found = {key: what for key, what in zip(picks(state), state.menu, strict=False) if what in there}
    if len(state.menu) == 1:
        found |= dict.fromkeys((Key.CONFIRM,) if there else (), state.menu[0])
    return found


def answers_of(state: State, asked: Pending) -> Mapping[Key, str | int]:
    """What the keys mean as answers to the question that is asked now."""
    answers = _ANSWERS[asked.question]
    if places := places_asked(state, asked):
        lies = {**_PLACES, state.family.board_key: BOARD[0].spot}
        return {**answers, **{key: spot for key, spot in lies.items() if spot in places}}
    if asked.question is Question.COUNT_SPOT:
        spots: tuple[str, ...] = (*state.family.countable(state), "right")
        if asked.incident is not None:
            burns = {Key.CANCEL: BURN[0].spot} if state.rulebook.places.common else {}
            return {**{key: spot for key, spot in answers.items() if spot in spots}, **burns}
    elif asked.question is Question.TOO_FEW_SPOT:
        spots = (*(spot for spot in state.family.countable(state) if spot != asked.about), "nobody")
    elif asked.question is Question.COUNT_CARDS and asked.about == BOARD[0].spot:
        return {**answers, **_up_to(state.rulebook.places.common + 1)}
    elif asked.question is Question.COUNT_CARDS:
        return {**answers, **_up_to(state.rulebook.places.player + 1), **state.family.counts_asked()}
    elif asked.question is Question.COUNT_LAP and asked.about == BURN[0].spot:
        return {key: number for key, number in SEAT_OF.items() if state.deal.is_common(number)}
    elif asked.question is Question.COUNT_LAP:
        return _up_to(state.rulebook.places.player)
    elif asked.question is Question.NEXT_SEAT:
        spots = tuple(f"seat-{seat}" for seat in state.staying)
    elif asked.what is not None and asked.question in _OF_SEATS:
        seats = (f"seat-{seat}" for seat in state.family.seats_asked(state, asked.what))
        spots = (*(spot for spot in seats if spot != asked.spot), "cancelled")
    else:
        return answers
    return {key: spot for key, spot in answers.items() if spot in spots}


def _up_to(most: int) -> Mapping[Key, int]:
    return {key: number for key, number in SEAT_OF.items() if number <= most}

"""What each key does in a circle game, and which keys are lit: one table, so that lamp, screen and rule agree."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import partial
from typing import Final

from tablectl.core.engine import unconfirmed_cards
from tablectl.core.engine.collected_cards import collected, refuse_on_felt
from tablectl.core.engine.facts import Acted, ButtonPlaced
from tablectl.core.engine.key_action import KeyAction, KeyTable
from tablectl.core.engine.rulebook import Kind, Part
from tablectl.core.engine.vocabulary import SEAT_KEYS, SEAT_OF, Action, Key, SeatChange, Tracking
from tablectl.families.pots import (
    attendance,
    chips_down,
    correction,
    entering,
    legality,
    opening,
    showdown,
    speaking,
    unreported,
)
from tablectl.families.pots.players import player_at
from tablectl.families.pots.state import PotGameState

_ACTIONS: Final = {
    Key.FOLD: Action.FOLD,
    Key.CHECK: Action.CHECK,
    Key.CALL: Action.CALL,
    Key.BET: Action.BET,
    Key.RAISE: Action.RAISE,
}


def key_tables(state: PotGameState) -> Iterator[KeyTable]:
    """What each key means, with nothing asked and nothing held. No phase has a meaning of its own for "cancel"."""
    yield from _by_phase(state)
    taken_back = _taken_back(state)
    if taken_back is not None:
        yield {Key.CANCEL: KeyAction(taken_back)}


def _taken_back(state: PotGameState) -> Callable[[], object] | None:
    """What "cancel" does: what was entered last does not count. None where there is nothing that could be taken
    back."""
    if state.chosen is not None or state.is_all_in:
        # A seat or "all-in" chosen for the next action is no entry yet.
        return partial(_choose, state, None)
    if (own := state.family.taken_back(state)) is not None:
        return own
    if unreported.possible(state):
        return partial(unreported.take_back, state)
    return partial(correction.take_back, state) if correction.possible(state) else None


def _choose(state: PotGameState, seat: int | None) -> None:
    state.chosen = seat
    if seat is None:
        state.is_all_in = False


def _by_phase(state: PotGameState) -> Iterator[KeyTable]:
    match state.phase.kind:
        case Kind.IDLE:
            new_hand = KeyAction(partial(opening.new_hand, state), opening.why_no_hand(state) is None)
            yield {Key.NEW_HAND: new_hand}
            yield _places(state)
        case Kind.BETTING:
            yield from _before_the_deal(state)
        case Kind.EXCHANGING:
            yield state.family.keys_of_phase(state)
        case Kind.DECIDING if state.setup.tracking is Tracking.ROUNDS:
            yield _closing(state)
        case Kind.DECIDING:
            yield from _speaking(state)
        case Kind.REVEALING:
            yield _showing(state)
        case Kind.SETTLING if not state.is_to_settle:
            yield {Key.CONFIRM: KeyAction(partial(showdown.deliver, state))}
        case Kind.VOIDED:
            yield {Key.CONFIRM: collected(state, partial(showdown.close, state, voided=True))}


def _places(state: PotGameState) -> dict[Key, KeyAction]:
    """A seat's key between hands: an empty seat is taken, a player goes away, or is back (THL-INI-4, -5)."""
    n_places = attendance.places_at(state)
    return {key: KeyAction(partial(_come_or_go, state, seat), seat <= n_places) for key, seat in SEAT_OF.items()}


def _come_or_go(state: PotGameState, seat: int) -> None:
    player = player_at(state.players, seat)
    move = SeatChange.TAKES if player is None else SeatChange.AWAY if player.is_in else SeatChange.BACK
    attendance.change(state, seat, move)


def _before_the_deal(state: PotGameState) -> Iterator[KeyTable]:
    if state.phase.part is Part.BUTTON:
        place = partial(attendance.button_placed, state)
        yield {
            key: KeyAction(partial(place, ButtonPlaced(at_us=0, seat=seat)), seat in state.present)
            for key, seat in SEAT_OF.items()
        }
        return
    # Without positions the draw for the button waits for a card to be named.
    if state.positions is not None:
        yield {Key.NO_MORE_BETS: refuse_on_felt(state) or KeyAction(partial(_no_more_bets, state))}
        yield state.family.keys_of_phase(state)
    yield _places(state)


def _no_more_bets(state: PotGameState) -> None:
    state.family.post(state)
    state.fire("no-more-bets")


def _speaking(state: PotGameState) -> Iterator[KeyTable]:
    """In a round of betting: what the seat does that speaks, then which one it is."""
    rounds = state.rounds
    if rounds is None or (turn := rounds.turn) is None:
        yield _seats(state, state.staying)
        return
    if state.chosen in (None, turn):
        yield from _in_turn(state, turn)
    else:
        yield _out_of_turn(state)
    # THL-END-1, THO-ALL-3: no street while a stake is not matched.
    yield {Key.CONFIRM: KeyAction(partial(legality.refuse_street, state, rounds), is_lit=False)}
    # THO-ALL-2, THL-PLE-6: who is all-in, or has acted out of turn already, can do nothing more before his turn.
    yield _seats(state, [seat for seat in state.staying if seat not in state.stored and not rounds.is_all_in(seat)])


def _seats(state: PotGameState, seats: Iterable[int]) -> dict[Key, KeyAction]:
    """The key of each of these seats chooses it."""
    return {SEAT_KEYS[seat - 1]: KeyAction(partial(_choose, state, seat)) for seat in seats}


def _out_of_turn(state: PotGameState) -> KeyTable:
    """Whatever a seat does out of turn is judged."""
    actions = {key: KeyAction(partial(_act, state, action)) for key, action in _ACTIONS.items()}
    return {**actions, Key.ALL_IN: KeyAction(_all_in(state))}


def _in_turn(state: PotGameState, turn: int) -> Iterator[KeyTable]:
    """Where no bet and no raise is possible both keys are judged, so that a clause says why; otherwise one that is dark
    is not taken for the other."""
    yield {Key.FOLD: KeyAction(partial(_act, state, Action.FOLD), chips_down.may_fold(state, turn))}
    may_check = chips_down.may_check(state, turn)
    yield {
        Key.CHECK: KeyAction(partial(_act, state, Action.CHECK), may_check),
        Key.ALL_CHECK: KeyAction(partial(entering.all_check, state), may_check),
    }
    yield {Key.CALL: KeyAction(partial(_act, state, Action.CALL), chips_down.may_call(state, turn))}
    legal = chips_down.legal(state)
    raises = (Key.BET, Key.RAISE) if not legal.may_raise else (Key.BET if legal.is_bet else Key.RAISE,)
    yield {key: KeyAction(partial(_act, state, _ACTIONS[key]), legal.may_raise) for key in raises}
    # Of a stack that nobody entered, the amount has to be.
    may_go_all_in = legal.may_go_all_in and (legal.all_in is not None or not state.amounts)
    if may_go_all_in or state.amounts:
        yield {Key.ALL_IN: KeyAction(_all_in(state), may_go_all_in)}


def _closing(state: PotGameState) -> KeyTable:
    """Where only rounds are entered: who folds, and that the round is closed."""
    table = _seats(state, state.staying)
    table[Key.FOLD] = KeyAction(partial(_act, state, Action.FOLD), state.chosen is not None)
    table[Key.CONFIRM] = KeyAction(partial(entering.close_round, state))
    if (passes_out := state.family.passes_out(state)) is not None:
        table[Key.ALL_CHECK] = KeyAction(passes_out)
    return table


def _all_in(state: PotGameState) -> Callable[[], object]:
    """What "all-in" does: it is an action where amounts are entered, otherwise a word about the next one."""
    if not state.amounts:
        return partial(_say_all_in, state)
    return partial(entering.acted, state, Acted(at_us=0, action=Action.ALL_IN, seat=state.chosen))


def _say_all_in(state: PotGameState) -> None:
    state.is_all_in = not state.is_all_in


def _act(state: PotGameState, action: Action) -> None:
    is_in_turn = state.chosen is None or state.chosen == state.turn
    to = speaking.least_of(state, action) if state.amounts and is_in_turn else None
    entering.acted(state, Acted(at_us=0, action=action, seat=state.chosen, to=to, is_all_in=state.is_all_in))


def _showing(state: PotGameState) -> KeyTable:
    table = _seats(state, state.to_show)
    if unconfirmed_cards.unconfirmed(state):
        look_back = KeyAction(partial(unconfirmed_cards.look_back, state))
        table |= {Key.SHOW: look_back, Key.SHOW_ALL: look_back}
    else:
        table[Key.SHOW] = KeyAction(partial(showdown.show, state))
        table[Key.SHOW_ALL] = KeyAction(partial(showdown.show_all, state))
    may_muck = len(state.staying) > 1 and state.family.may_give_up
    table[Key.FOLD] = KeyAction(partial(showdown.muck, state), may_muck)
    return table

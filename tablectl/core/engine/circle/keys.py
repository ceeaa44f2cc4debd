"""What each key does in a circle game, and which keys are lit: one table, so that lamp, screen and rule agree."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Final

from tablectl.core.engine import confirming
from tablectl.core.engine.circle.common_cards import unreported
from tablectl.core.engine.circle.draw import cut, exchange
from tablectl.core.engine.circle.ending import showdown
from tablectl.core.engine.circle.memory import Memory
from tablectl.core.engine.circle.seating import attendance, opening
from tablectl.core.engine.circle.seating.players import player_at
from tablectl.core.engine.circle.speech import correction, entering, legality, speaking
from tablectl.core.engine.decisions import CutOffered
from tablectl.core.engine.facts import Acted, AsksFor, ButtonPlaced
from tablectl.core.engine.key_action import KeyAction, KeyTable, collected, refuse_on_felt
from tablectl.core.engine.rulebook import Kind
from tablectl.core.engine.state import State
from tablectl.core.engine.words import SEAT_KEYS, SEAT_OF, Action, Key, SeatChange, Tracking
from tablectl.core.options.draw import AllPass

_ACTIONS: Final = {
    Key.FOLD: Action.FOLD,
    Key.CHECK: Action.CHECK,
    Key.CALL: Action.CALL,
    Key.BET: Action.BET,
    Key.RAISE: Action.RAISE,
}


def key_table(state: State, circle: Memory) -> KeyTable:
    """What each key means, with nothing asked and nothing held."""
    taken_back = _taken_back(state, circle)
    table = _by_phase(state, circle)
    return table if taken_back is None else {**table, Key.CANCEL: KeyAction(taken_back)}


def _taken_back(state: State, circle: Memory) -> Callable[[], object] | None:
    """What "cancel" does: what was entered last does not count. None where there is nothing that could be taken
    back."""
    if circle.chosen is not None or circle.is_all_in:
        # A seat or "all-in" chosen for the next action is no entry yet.
        return partial(_choose, circle, None)
    if exchange.can_take_back(state, circle):
        return partial(exchange.take_back, state, circle)
    if unreported.possible(state, circle):
        return partial(unreported.take_back, state, circle)
    return partial(correction.take_back, state, circle) if correction.possible(state) else None


def _choose(circle: Memory, seat: int | None) -> None:
    circle.chosen = seat
    if seat is None:
        circle.is_all_in = False


def _by_phase(state: State, circle: Memory) -> KeyTable:
    match state.phase.kind:
        case Kind.IDLE:
            new_hand = KeyAction(partial(opening.new_hand, state), opening.why_no_hand(state, circle) is None)
            return {**_places(state, circle), Key.NEW_HAND: new_hand}
        case Kind.BETTING:
            return _before_the_deal(state, circle)
        case Kind.EXCHANGING:
            return _changing(state, circle)
        case Kind.DECIDING:
            return _speaking(state, circle)
        case Kind.REVEALING:
            return _showing(state, circle)
        case Kind.SETTLING if not state.is_to_settle:
            return {Key.CONFIRM: KeyAction(partial(showdown.deliver, state, circle))}
        case Kind.VOIDED:
            return {Key.CONFIRM: collected(state, partial(showdown.close, state, circle, voided=True))}
        case _:
            return {}


def _places(state: State, circle: Memory) -> dict[Key, KeyAction]:
    """A seat's key between hands: an empty seat is taken, a player goes away, or is back (THL-INI-4, -5)."""
    n_places = attendance.places_at(state)
    return {
        key: KeyAction(partial(_come_or_go, state, circle, seat), seat <= n_places) for key, seat in SEAT_OF.items()
    }


def _come_or_go(state: State, circle: Memory, seat: int) -> None:
    player = player_at(circle.players, seat)
    move = SeatChange.TAKES if player is None else SeatChange.AWAY if player.is_in else SeatChange.BACK
    attendance.change(state, circle, seat, move)


def _before_the_deal(state: State, circle: Memory) -> KeyTable:
    if state.phase.name == "seating":
        place = partial(attendance.button_placed, state)
        return {
            key: KeyAction(partial(place, ButtonPlaced(at_us=0, seat=seat)), seat in circle.present)
            for key, seat in SEAT_OF.items()
        }
    table = _places(state, circle)
    if circle.positions is None:
        # The draw for the button waits for a card to be named.
        return table
    if cut.is_to_be_offered(state, circle):
        table[Key.CONFIRM] = KeyAction(partial(_offer_cut, state, circle))
    table[Key.NO_MORE_BETS] = refuse_on_felt(state) or KeyAction(partial(_no_more_bets, state, circle))
    return table


def _offer_cut(state: State, circle: Memory) -> None:
    circle.draw.hand.is_cut = True
    state.say(CutOffered())


def _no_more_bets(state: State, circle: Memory) -> None:
    opening.post_blinds(state, circle)
    state.fire("no-more-bets")


def _changing(state: State, circle: Memory) -> KeyTable:
    """In the draw a seat's key is a number of cards, "check" is servido; the croupier confirms what was put away."""
    turn = circle.draw.hand.turn
    if turn is not None and turn.cards is not None:
        return {Key.CONFIRM: KeyAction(partial(exchange.confirm, state, circle))}
    most = exchange.most(state)
    return {
        key: KeyAction(partial(exchange.asks_for, state, AsksFor(at_us=0, cards=cards)), cards <= most)
        for key, cards in {Key.CHECK: 0, **SEAT_OF}.items()
    }


def _speaking(state: State, circle: Memory) -> KeyTable:
    """In a round of betting. Where no bet and no raise is possible both keys are judged, so that a clause says why;
    otherwise one that is dark is not taken for the other."""
    rounds = circle.rounds
    if state.setup.tracking is Tracking.ROUNDS:
        return _closing(state, circle)
    seats = {SEAT_KEYS[seat - 1]: KeyAction(partial(_choose, circle, seat)) for seat in state.staying}
    actions = _actions(state, circle)
    if rounds is None or circle.turn is None:
        return seats
    # THO-ALL-2, THL-PLE-6: who is all-in, or has acted out of turn already, can do nothing more before his turn.
    for seat in state.staying:
        if rounds.is_all_in(seat) or seat in circle.stored:
            del seats[SEAT_KEYS[seat - 1]]
    # THL-END-1, THO-ALL-3: no street while a stake is not matched.
    street = KeyAction(partial(legality.refuse_street, state, rounds), is_lit=False)
    if circle.chosen not in (None, circle.turn):
        return {**seats, **actions, Key.CONFIRM: street}
    legal = rounds.legal()
    raises = {Key.BET, Key.RAISE} if not legal.may_raise else {Key.BET if legal.is_bet else Key.RAISE}
    # Of a stack that nobody entered, the amount has to be.
    may_go_all_in = legal.may_go_all_in and (legal.all_in is not None or not state.amounts)
    lit = {
        Key.FOLD: speaking.can(state, circle, Action.FOLD),
        Key.CHECK: legal.may_check,
        Key.CALL: legal.may_call and speaking.can(state, circle, Action.CALL),
        **dict.fromkeys(raises, legal.may_raise),
        **({Key.ALL_IN: may_go_all_in} if may_go_all_in or state.amounts else {}),
    }
    return {
        **seats,
        **{key: KeyAction(actions[key].does, is_lit) for key, is_lit in lit.items()},
        Key.ALL_CHECK: KeyAction(partial(entering.all_check, state, circle), legal.may_check),
        Key.CONFIRM: street,
    }


def _closing(state: State, circle: Memory) -> KeyTable:
    """Where only rounds are entered: who folds, and that the round is closed."""
    table = {SEAT_KEYS[seat - 1]: KeyAction(partial(_choose, circle, seat)) for seat in state.staying}
    table[Key.FOLD] = KeyAction(partial(_act, state, circle, Action.FOLD), circle.chosen is not None)
    table[Key.CONFIRM] = KeyAction(partial(entering.close_round, state, circle))
    if _can_be_passed_out(state, circle):
        table[Key.ALL_CHECK] = KeyAction(partial(_pass_out, state, circle))
    return table


def _pass_out(state: State, circle: Memory) -> None:
    """FCD-WIN-5: where only rounds are entered, this key says that nobody has bet."""
    circle.draw.hand.is_passed_out = True
    entering.close_round(state, circle)


def _actions(state: State, circle: Memory) -> dict[Key, KeyAction]:
    """What a seat can do when it speaks; in its turn or, once it is chosen, out of turn."""
    table = {key: KeyAction(partial(_act, state, circle, action)) for key, action in _ACTIONS.items()}
    if state.amounts:
        all_in = Acted(at_us=0, action=Action.ALL_IN, seat=circle.chosen)
        table[Key.ALL_IN] = KeyAction(partial(entering.acted, state, all_in))
    else:
        table[Key.ALL_IN] = KeyAction(partial(_say_all_in, circle))
    return table


def _say_all_in(circle: Memory) -> None:
    circle.is_all_in = not circle.is_all_in


def _act(state: State, circle: Memory, action: Action) -> None:
    to = speaking.least_of(circle, action) if state.amounts and circle.chosen in (None, circle.turn) else None
    entering.acted(state, Acted(at_us=0, action=action, seat=circle.chosen, to=to, is_all_in=circle.is_all_in))


def _can_be_passed_out(state: State, circle: Memory) -> bool:
    if not state.is_draw or state.setup.tracking is not Tracking.ROUNDS or circle.rounds is None:
        return False
    game = state.rulebook.circle
    assert game is not None
    return state.phase.round == 0 or game.draw.all_pass is AllPass.EITHER_ROUND


def _showing(state: State, circle: Memory) -> KeyTable:
    table = {SEAT_KEYS[seat - 1]: KeyAction(partial(_choose, circle, seat)) for seat in circle.to_show}
    if confirming.unconfirmed(state):
        look_back = KeyAction(partial(confirming.look_back, state))
        table |= {Key.SHOW: look_back, Key.SHOW_ALL: look_back}
    else:
        table[Key.SHOW] = KeyAction(partial(showdown.show, state, circle))
        table[Key.SHOW_ALL] = KeyAction(partial(showdown.show_all, state, circle))
    may_muck = len(state.staying) > 1 and not state.is_draw
    table[Key.FOLD] = KeyAction(partial(showdown.muck, state, circle), may_muck)
    return table

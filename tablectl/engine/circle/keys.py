"""What each key does in a circle game, and which keys are live. One place, so that lamp, screen and rule agree."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from tablectl.engine import antennas, confirming
from tablectl.engine.circle.common_cards import unreported
from tablectl.engine.circle.draw import cut, exchange
from tablectl.engine.circle.ending import showdown
from tablectl.engine.circle.memory import Memory
from tablectl.engine.circle.seating import attendance, opening
from tablectl.engine.circle.seating.players import player_at
from tablectl.engine.circle.speech import correction, entering, legality, speaking
from tablectl.engine.decisions import CutOffered
from tablectl.engine.facts import Acted, AsksFor, ButtonPlaced
from tablectl.engine.rulebook import Kind
from tablectl.engine.state import State
from tablectl.engine.words import SEAT_KEYS, SEAT_OF, Action, Key, Move, Refusal, Tracking
from tablectl.profile.draw_poker import AllPass

_ACTIONS: Final = {
    Key.FOLD: Action.FOLD,
    Key.CHECK: Action.CHECK,
    Key.CALL: Action.CALL,
    Key.BET: Action.BET,
    Key.RAISE: Action.RAISE,
}


def pressed(state: State, circle: Memory, key: Key) -> None:
    """A key with nothing asked and nothing held."""
    if key is Key.CANCEL and _took_back(state, circle):
        return
    _PRESSED.get(state.machine.phase.kind, _not_live)(state, circle, key)


def _not_live(state: State, circle: Memory, key: Key) -> None:
    state.refuse(Refusal.NOT_LIVE, detail=key)


def _took_back(state: State, circle: Memory) -> bool:
    """What was entered last does not count; False where there is nothing that could be taken back."""
    if _has_chosen(circle):
        # A seat or "all-in" chosen for the next action is no entry yet.
        circle.chosen, circle.is_all_in = None, False
    elif exchange.can_take_back(state, circle):
        exchange.take_back(state, circle)
    elif unreported.possible(state, circle):
        unreported.take_back(state, circle)
    elif correction.possible(state):
        correction.take_back(state, circle)
    else:
        return False
    return True


def _can_take_back(state: State, circle: Memory) -> bool:
    return exchange.can_take_back(state, circle) or unreported.possible(state, circle) or correction.possible(state)


def _has_chosen(circle: Memory) -> bool:
    return circle.chosen is not None or circle.is_all_in


def _between_hands(state: State, circle: Memory, key: Key) -> None:
    if key is Key.NEW_HAND:
        opening.new_hand(state)
    elif key in SEAT_OF:
        _come_or_go(state, circle, SEAT_OF[key])
    else:
        _not_live(state, circle, key)


def _come_or_go(state: State, circle: Memory, seat: int) -> None:
    """A seat's key between hands: an empty seat is taken, a player goes away, or is back (THL-INI-4, -5)."""
    player = player_at(circle.players, seat)
    move = Move.TAKES if player is None else Move.AWAY if player.is_in else Move.BACK
    attendance.change(state, circle, seat, move)


def _before_the_deal(state: State, circle: Memory, key: Key) -> None:
    if state.phase.name == "seating":
        if key in SEAT_OF:
            attendance.button_placed(state, ButtonPlaced(at_us=0, seat=SEAT_OF[key]))
        else:
            _not_live(state, circle, key)
    elif key in SEAT_OF:
        _come_or_go(state, circle, SEAT_OF[key])
    elif circle.positions is None:
        # The draw for the button waits for a card to be named.
        _not_live(state, circle, key)
    elif key is Key.CONFIRM and cut.is_to_be_offered(state, circle):
        circle.draw.hand.is_cut = True
        state.say(CutOffered())
    elif key is Key.NO_MORE_BETS and state.on_felt:
        # What lies there would be taken for nothing, and what is dealt there for all there is.
        state.refuse(Refusal.CARDS_ON_FELT, detail="+".join(state.on_felt))
    elif key is Key.NO_MORE_BETS:
        opening.post_blinds(state, circle)
        state.fire("no-more-bets")
    else:
        _not_live(state, circle, key)


def _changing(state: State, circle: Memory, key: Key) -> None:
    """In the draw a seat's key is a number of cards, "check" is servido; the croupier confirms what was put away."""
    turn = circle.draw.hand.turn
    asked = turn is not None and turn.cards is not None
    if key is Key.CONFIRM and asked:
        exchange.confirm(state, circle)
    elif key is Key.CHECK and not asked:
        exchange.asks_for(state, AsksFor(at_us=0, cards=0))
    elif key in SEAT_OF and not asked:
        exchange.asks_for(state, AsksFor(at_us=0, cards=SEAT_OF[key]))
    else:
        _not_live(state, circle, key)


#: Keys that would be understood although they are dark: to bet is to raise where somebody has bet, a seat or "all-in"
#: is kept for the next action, and all can check while another seat is chosen.
_ONLY_WHEN_LIT: Final = frozenset({Key.BET, Key.RAISE, Key.ALL_IN, Key.ALL_CHECK, *SEAT_KEYS})


def _speaking(state: State, circle: Memory, key: Key) -> None:
    if key in _ONLY_WHEN_LIT and not _is_lit_to_speak(state, circle, key):
        _not_live(state, circle, key)
    elif key in SEAT_OF:
        circle.chosen = SEAT_OF[key]
    elif key is Key.CONFIRM and state.setup.tracking is Tracking.ROUNDS:
        entering.close_round(state, circle)
    elif key is Key.ALL_CHECK and _can_be_passed_out(state, circle):
        # FCD-WIN-5: where only rounds are entered, this key says that nobody has bet.
        circle.draw.hand.is_passed_out = True
        entering.close_round(state, circle)
    elif key is Key.CONFIRM and circle.rounds is not None and circle.turn is not None:
        # THL-END-1, THO-ALL-3: no street while a stake is not matched.
        legality.refuse_street(state, circle.rounds)
    elif key is Key.ALL_CHECK and state.setup.tracking is not Tracking.ROUNDS and circle.turn is not None:
        entering.all_check(state, circle)
    elif key is Key.ALL_IN and not state.amounts:
        circle.is_all_in = not circle.is_all_in
    elif key is Key.ALL_IN:
        entering.acted(state, Acted(at_us=0, action=Action.ALL_IN, seat=circle.chosen))
    elif key in _ACTIONS:
        action = _ACTIONS[key]
        to = speaking.least_of(circle, action) if state.amounts and circle.chosen in (None, circle.turn) else None
        entering.acted(state, Acted(at_us=0, action=action, seat=circle.chosen, to=to, is_all_in=circle.is_all_in))
    else:
        _not_live(state, circle, key)


def _is_lit_to_speak(state: State, circle: Memory, key: Key) -> bool:
    """Also where what the key stands for is judged, so that its clause says why not: a bet or raise where neither is
    possible, a check facing a bet, all of a stack that nobody entered."""
    lit = _live_speaking(state, circle)
    match key:
        case Key.BET | Key.RAISE:
            return key in lit or lit.isdisjoint((Key.BET, Key.RAISE))
        case Key.ALL_CHECK:
            return key in lit or circle.chosen in (None, circle.turn)
        case Key.ALL_IN:
            return key in lit or state.amounts
        case _:
            return key in lit


def _can_be_passed_out(state: State, circle: Memory) -> bool:
    if not state.is_draw or state.setup.tracking is not Tracking.ROUNDS or circle.rounds is None:
        return False
    game = state.rulebook.circle
    assert game is not None
    return state.phase.round == 0 or game.draw.all_pass is AllPass.EITHER_ROUND


def _showing(state: State, circle: Memory, key: Key) -> None:
    if key in SEAT_OF and SEAT_OF[key] in circle.to_show:
        circle.chosen = SEAT_OF[key]
    elif key in (Key.SHOW, Key.SHOW_ALL) and confirming.unconfirmed(state):
        confirming.look_back(state)
    elif key is Key.SHOW:
        showdown.show(state, circle)
    elif key is Key.SHOW_ALL:
        showdown.show_all(state, circle)
    elif key is Key.FOLD:
        showdown.muck(state, circle)
    else:
        _not_live(state, circle, key)


def _delivering(state: State, circle: Memory, key: Key) -> None:
    if key is Key.CONFIRM and not state.is_to_settle:
        showdown.deliver(state, circle)
    else:
        _not_live(state, circle, key)


def _collecting(state: State, circle: Memory, key: Key) -> None:
    if key is not Key.CONFIRM:
        _not_live(state, circle, key)
    elif left := antennas.still_there(state):
        # Collected cards are counted back: the antennas see those that are not.
        state.refuse(Refusal.CARDS_ON_FELT, detail="+".join(left))
    else:
        showdown.close(state, circle, voided=True)


_PRESSED: Final[Mapping[Kind, Callable[[State, Memory, Key], None]]] = {
    Kind.IDLE: _between_hands,
    Kind.BETTING: _before_the_deal,
    Kind.DECIDING: _speaking,
    Kind.EXCHANGING: _changing,
    Kind.REVEALING: _showing,
    Kind.SETTLING: _delivering,
    Kind.VOIDED: _collecting,
}


def live(state: State, circle: Memory) -> set[Key]:
    """The keys that would do something now, with nothing asked and nothing held."""
    found = _live_by_phase(state, circle)
    if _has_chosen(circle) or _can_take_back(state, circle):
        found.add(Key.CANCEL)
    return found


def _live_by_phase(state: State, circle: Memory) -> set[Key]:
    places = set(SEAT_KEYS[: attendance.places_at(state)])
    match state.phase.kind:
        case Kind.IDLE:
            return {Key.NEW_HAND, *places} if opening.why_no_hand(state, circle) is None else places
        case Kind.BETTING:
            return _live_before_the_deal(state, circle, places)
        case Kind.EXCHANGING:
            return _live_changing(state, circle)
        case Kind.DECIDING:
            return _live_speaking(state, circle)
        case Kind.REVEALING:
            seats = {SEAT_KEYS[seat - 1] for seat in circle.to_show}
            may_muck = len(state.staying) > 1 and not state.is_draw
            return {Key.SHOW, Key.SHOW_ALL, *seats, *((Key.FOLD,) if may_muck else ())}
        case Kind.SETTLING:
            return set() if state.is_to_settle else {Key.CONFIRM}
        case Kind.VOIDED:
            return set() if antennas.still_there(state) else {Key.CONFIRM}
        case _:
            return set()


def _live_before_the_deal(state: State, circle: Memory, places: set[Key]) -> set[Key]:
    if state.phase.name == "seating":
        return {SEAT_KEYS[seat - 1] for seat in circle.present}
    is_ready = circle.positions is not None and not state.on_felt
    to_cut = {Key.CONFIRM} if cut.is_to_be_offered(state, circle) else set()
    return {*places, *to_cut, *((Key.NO_MORE_BETS,) if is_ready else ())}


def _live_changing(state: State, circle: Memory) -> set[Key]:
    turn = circle.draw.hand.turn
    if turn is not None and turn.cards is not None:
        return {Key.CONFIRM}
    return {Key.CHECK, *SEAT_KEYS[: exchange.most(state)]}


def _live_speaking(state: State, circle: Memory) -> set[Key]:
    seats = {SEAT_KEYS[seat - 1] for seat in state.staying}
    if state.setup.tracking is Tracking.ROUNDS:
        passed = {Key.ALL_CHECK} if _can_be_passed_out(state, circle) else set()
        return {Key.CONFIRM, *passed, *seats, *((Key.FOLD,) if circle.chosen is not None else ())}
    if circle.turn is None or circle.rounds is None:
        return seats
    # THO-ALL-2, THL-PLE-6: who is all-in, or has acted out of turn already, can do nothing more before his turn.
    done = {seat for seat in state.staying if circle.rounds.is_all_in(seat) or seat in circle.stored}
    seats -= {SEAT_KEYS[seat - 1] for seat in done}
    if circle.chosen not in (None, circle.turn):
        return {*seats, Key.FOLD, Key.CHECK, Key.CALL, Key.BET, Key.RAISE, Key.ALL_IN}
    legal = circle.rounds.legal()
    found = {Key.FOLD, *seats}
    if legal.may_check:
        found |= {Key.CHECK, Key.ALL_CHECK}
    if legal.may_call:
        found.add(Key.CALL)
    if legal.may_raise:
        found.add(Key.BET if legal.is_bet else Key.RAISE)
    if legal.may_go_all_in and (legal.all_in is not None or not state.amounts):
        # Of a stack that nobody entered, the amount has to be.
        found.add(Key.ALL_IN)
    return found

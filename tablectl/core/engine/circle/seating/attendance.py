"""Who sits at the table between hands, with which chips, and where the button lies: what the croupier enters of it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from tablectl.core.engine.circle.betting.rounds import Rounds
from tablectl.core.engine.circle.deal_errors import wrong_button
from tablectl.core.engine.circle.deal_errors.two_actions import before_the_first_card
from tablectl.core.engine.circle.draw import antes, dealer, leaving, resto
from tablectl.core.engine.circle.memory import Memory
from tablectl.core.engine.circle.seating import opening, places
from tablectl.core.engine.circle.seating.players import (
    Absence,
    Players,
    WhyNot,
    comes_back,
    goes_away,
    joined,
    left,
    player_at,
    seated,
)
from tablectl.core.engine.decisions import PlayerNow, StackNow
from tablectl.core.engine.facts import ButtonPlaced, Moved, Stacked
from tablectl.core.engine.rulebook import Kind
from tablectl.core.engine.state import Incident, State
from tablectl.core.engine.words import Refusal, SeatChange

_REFUSALS: Final = {
    WhyNot.SEAT_TAKEN: Refusal.SEAT_TAKEN,
    WhyNot.SEAT_KEPT: Refusal.SEAT_TAKEN,
    WhyNot.TOO_FEW_PLAYERS: Refusal.NO_PLAYERS,
}


def _away(state: State, players: Players, seat: int) -> Players | WhyNot:
    game = state.rulebook.circle
    assert game is not None
    # Document 004 says nothing of absences: a seat is kept as hold'em ships it (AMB-09).
    absence = Absence.FULL_LAP if game.is_draw else Absence(game.holdem.absence)
    return goes_away(players, seat, absence)


def _takes(state: State, players: Players, seat: int) -> Players | WhyNot:
    """THL-INI-9: who joins a game under way owes an entry bet. Until a hand has been played there is none to come into,
    and nobody does (THL-INI-1)."""
    assert state.circle is not None
    markers = state.circle.markers
    is_new = markers is not None and markers.small is not None
    return joined(players, seat, seats=places_at(state), is_new=is_new)


_HOW: Final[Mapping[SeatChange, Callable[[State, Players, int], Players | WhyNot]]] = {
    SeatChange.TAKES: _takes,
    SeatChange.LEAVES: lambda _, players, seat: left(players, seat),
    SeatChange.AWAY: _away,
    SeatChange.BACK: lambda _, players, seat: comes_back(players, seat),
}


def places_at(state: State) -> int:
    """How many seats this table has for this game."""
    return min(state.setup.seats, state.rulebook.max_seats)


def may(state: State, seat: int, what: SeatChange) -> bool:
    """Whether this seat's player can do it now; where the pit boss has to be asked first, too."""
    circle = state.circle
    if circle is None or (what is SeatChange.LEAVES and leaving.why_not(state, circle, seat) is not None):
        return False
    return not isinstance(_HOW[what](state, circle.players, seat), WhyNot)


def moved(state: State, fact: Moved) -> None:
    """THL-INI-4 to -6: a seat is taken or left, a player goes away or is back. In a hand it counts from the next one;
    who was dealt in stays in it."""
    circle = state.circle
    if circle is None:
        state.refuse(Refusal.NOT_LIVE, detail=fact.what)
    elif fact.what is SeatChange.LEAVES and not leaving.may_leave(state, circle, fact.seat):
        pass  # the pit boss decides, or it was refused
    else:
        change(state, circle, fact.seat, fact.what)


def change(state: State, circle: Memory, seat: int, what: SeatChange) -> bool:
    """True where it was done. Before the blinds are posted places are found anew (THL-GEN-15); afterwards it counts
    from the next hand on."""
    found = _HOW[what](state, circle.players, seat)
    if isinstance(found, WhyNot):
        why = _REFUSALS.get(found, Refusal.UNKNOWN_SEAT)
        state.refuse(why, found.clause, f"seat-{seat}")
        return False
    circle.players = found
    state.say(PlayerNow(seat=seat, what=what))
    if what in (SeatChange.LEAVES, SeatChange.TAKES):
        # Whoever sits there next has done nothing yet.
        state.conduct = {key: times for key, times in state.conduct.items() if key[0] != seat}
        if circle.rounds is None or seat not in state.seats:
            leaving.left(state, circle, seat)
            circle.stacks.pop(seat, None)
    if circle.rounds is not None:
        circle.moves.append((seat, what))
    else:
        _places_anew(state, circle)
    return True


def _places_anew(state: State, circle: Memory) -> None:
    if circle.positions is not None and state.phase.kind is Kind.BETTING:
        opening.take_places(state, circle)


def after_hand(state: State, circle: Memory, *, voided: bool) -> None:
    """The hand is over: whose blinds were paid, who has missed them, and then whoever came or went meanwhile. After a
    void hand nothing changes but that (AMB-62)."""
    if circle.positions is not None:
        before = circle.dealt_in if circle.rounds is not None else circle.players
        circle.players = places.after_hand(before, circle.positions, voided=voided)
        circle.markers = circle.positions.markers(voided=voided)
    for seat, what in circle.moves:
        found = _HOW[what](state, circle.players, seat)
        if isinstance(found, WhyNot):
            continue
        circle.players = found
        if what is SeatChange.LEAVES and seat in state.seats:
            # With what he had left at the end of the hand.
            leaving.left(state, circle, seat)
            circle.stacks.pop(seat, None)
    for seat in sorted(state.expelled):
        _gone(state, circle, seat)


def sent_away(state: State, seat: int) -> None:
    """The pit boss sends a player from the table: at once, or where he has cards, when the hand is over."""
    circle = state.circle
    assert circle is not None
    state.conduct = {key: times for key, times in state.conduct.items() if key[0] != seat}
    if circle.rounds is not None and seat in state.seats:
        state.expelled.add(seat)
    else:
        _gone(state, circle, seat)
        circle.dealt_in = tuple(player for player in circle.dealt_in if player.seat != seat)
        _places_anew(state, circle)


def _gone(state: State, circle: Memory, seat: int) -> None:
    found = left(circle.players, seat)
    if not isinstance(found, WhyNot):
        circle.players = found
    leaving.left(state, circle, seat)
    circle.stacks.pop(seat, None)


def stacked(state: State, fact: Stacked) -> None:
    """THL-PRO-4, AMB-79: chips come and go between hands. One who is in the hand has what he began it with: from the
    first card on, and if he posted a blind from then on, since it may be a part of what he has."""
    circle = state.circle
    player = None if circle is None else player_at(circle.players, fact.seat)
    if circle is None or player is None:
        state.refuse(Refusal.UNKNOWN_SEAT, state.rulebook.errors.no_such_seat, str(fact.seat))
    elif not state.amounts:
        state.refuse(Refusal.AMOUNT_AT_PRESENCE, None, str(fact.amount))
    elif fact.amount < 0:
        state.refuse(Refusal.NO_AMOUNT, None, str(fact.amount))
    elif resto.is_agreed(state):
        could_play = antes.able(state, circle)
        resto.stacked(state, circle, fact)
        if antes.able(state, circle) != could_play:
            _places_anew(state, circle)
    elif (rounds := _rounds_of(state, circle, fact.seat)) is not None and not _can_add(state, rounds, fact):
        state.refuse(Refusal.HAND_IN_PLAY, "THL-PRO-4", f"seat-{fact.seat}")
    else:
        was_able = circle.stacks.get(fact.seat, 1) > 0
        if rounds is not None:
            rounds.begins_with(fact.seat, fact.amount)
        circle.stacks[fact.seat] = fact.amount
        state.say(StackNow(seat=fact.seat, amount=fact.amount))
        if player.is_in and was_able is not (fact.amount > 0):
            _places_anew(state, circle)


def may_stack(state: State, circle: Memory, seat: int) -> bool:
    """Whether the chips before this seat's player can be entered now."""
    if not state.amounts or player_at(circle.players, seat) is None:
        return False
    if resto.is_agreed(state):
        return resto.can_buy(state, circle, seat)
    rounds = _rounds_of(state, circle, seat)
    return rounds is None or _is_untouched(state, rounds, seat)


def stack_bounds(state: State, circle: Memory, seat: int) -> tuple[int, int | None]:
    """What must lie there at least, and can at most where there is such a bound: nobody takes chips away from a
    hand."""
    if resto.is_agreed(state):
        return resto.bounds(state, circle, seat)
    rounds = _rounds_of(state, circle, seat)
    return (0 if rounds is None else _least(rounds, seat)), None


def may_place_button(state: State, circle: Memory, seat: int) -> bool:
    """Whether the button can be said to lie before this seat."""
    if seat not in circle.present:
        return False
    is_drawn = state.phase.kind is Kind.BETTING and circle.button is None
    if not state.in_play or is_drawn:
        return True
    if state.is_draw:
        return dealer.may_lie_at(state, circle, seat)
    return not state.held and wrong_button.applies(state) and seat != circle.button


def _rounds_of(state: State, circle: Memory, seat: int) -> Rounds | None:
    """The betting that the seat has a part in."""
    return circle.rounds if seat in state.seats else None


def _can_add(state: State, rounds: Rounds, fact: Stacked) -> bool:
    """Whether he may still add chips to his own: no card was dealt, and he has put in nothing."""
    return fact.amount >= _least(rounds, fact.seat) and _is_untouched(state, rounds, fact.seat)


def _least(rounds: Rounds, seat: int) -> int:
    """He has what he began the hand with."""
    return rounds.stack(seat) or 1


def _is_untouched(state: State, rounds: Rounds, seat: int) -> bool:
    return before_the_first_card(state) and not rounds.has_put_in(seat)


def rules_on_leaving(state: State, incident: Incident, *, is_leaving: bool) -> None:
    """FCD-RST-8, FCD-RST-9: what the pit boss says to a player who wants to leave."""
    assert state.circle is not None
    for seat in incident.seats if is_leaving else ():
        change(state, state.circle, seat, SeatChange.LEAVES)


def button_placed(state: State, fact: ButtonPlaced) -> None:
    """Between hands, THO-BTN-1, THL-INI-2: it was drawn. In a hand THL-MIS-6 looks at it."""
    circle = state.circle
    if circle is None:
        state.refuse(Refusal.NOT_LIVE, detail="button")
    elif fact.seat not in circle.present:
        state.refuse(Refusal.UNKNOWN_SEAT, state.rulebook.errors.no_such_seat, str(fact.seat))
    elif not state.in_play:
        opening.lay(state, circle, fact.seat)
    elif state.phase.kind is Kind.BETTING and circle.button is None:
        opening.lay(state, circle, fact.seat)
        state.fire("dealt")
    elif state.is_draw:
        dealer.lies_at(state, circle, fact.seat)
    elif may_place_button(state, circle, fact.seat):
        wrong_button.lies_at(state, circle, fact.seat)
    else:
        state.refuse(Refusal.HAND_IN_PLAY, "THL-MIS-6", f"button=seat-{circle.button}")


def seat_all(circle: Memory, seats: tuple[int, ...]) -> None:
    """Before the first hand: everybody who sits there is no newcomer."""
    circle.players = seated(seats)


def keep(state: State, before: Memory) -> None:
    """Another circle game, or another house's choices, at the same table: the same players, chips and button."""
    circle, places = state.circle, places_at(state)
    assert circle is not None
    circle.players = tuple(player for player in before.players if player.seat <= places)
    # Cards that came before the hand, about which the croupier is asked still.
    circle.early = before.early
    if state.amounts:
        circle.stacks = {seat: chips for seat, chips in before.stacks.items() if seat <= places}
    if before.markers is not None and before.markers.button <= places:
        circle.markers = before.markers
    if circle.draw_memory is not None and before.draw_memory is not None:
        circle.draw_memory.keep(before.draw_memory)

"""Who sits at the table between hands, with which chips, and where the button lies: what the croupier enters of it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from tablectl.core.engine.decisions import PlayerNow, StackNow
from tablectl.core.engine.facts import ButtonPlaced, Moved, Stacked
from tablectl.core.engine.pending import Incident
from tablectl.core.engine.rulebook import DEALT, Kind
from tablectl.core.engine.vocabulary import Refusal, SeatChange
from tablectl.families.pots import legality, opening, places
from tablectl.families.pots.betting.rounds import Rounds
from tablectl.families.pots.hand_open import before_the_first_card
from tablectl.families.pots.players import Players, WhyNot, comes_back, goes_away, joined, left, player_at, seated
from tablectl.families.pots.state import PotGameState

_REFUSALS: Final = {
    WhyNot.SEAT_TAKEN: Refusal.SEAT_TAKEN,
    WhyNot.SEAT_KEPT: Refusal.SEAT_TAKEN,
    WhyNot.TOO_FEW_PLAYERS: Refusal.NO_PLAYERS,
}


def _away(state: PotGameState, players: Players, seat: int) -> Players | WhyNot:
    return goes_away(players, seat, state.family.absence(state))


def _takes(state: PotGameState, players: Players, seat: int) -> Players | WhyNot:
    """THL-INI-9: who joins a game under way owes an entry bet. Until a hand has been played there is none to come into,
    and nobody does (THL-INI-1)."""
    markers = state.markers
    is_new = markers is not None and markers.small is not None
    return joined(players, seat, seats=places_at(state), is_new=is_new)


_HOW: Final[Mapping[SeatChange, Callable[[PotGameState, Players, int], Players | WhyNot]]] = {
    SeatChange.TAKES: _takes,
    SeatChange.LEAVES: lambda _, players, seat: left(players, seat),
    SeatChange.AWAY: _away,
    SeatChange.BACK: lambda _, players, seat: comes_back(players, seat),
}


def places_at(state: PotGameState) -> int:
    """How many seats this table has for this game."""
    return min(state.setup.seats, state.rulebook.max_seats)


def may(state: PotGameState, seat: int, what: SeatChange) -> bool:
    """Whether this seat's player can do it now; where the pit boss has to be asked first, too."""
    if what is SeatChange.LEAVES and state.family.why_not_leave(state, seat) is not None:
        return False
    return not isinstance(_HOW[what](state, state.players, seat), WhyNot)


def moved(state: PotGameState, fact: Moved) -> None:
    """THL-INI-4 to -6: a seat is taken or left, a player goes away or is back. In a hand it counts from the next one;
    who was dealt in stays in it."""
    if fact.what is SeatChange.LEAVES and not state.family.may_leave(state, fact.seat):
        pass  # the pit boss decides, or it was refused
    else:
        change(state, fact.seat, fact.what)


def change(state: PotGameState, seat: int, what: SeatChange) -> bool:
    """True where it was done. Before the blinds are posted places are found anew (THL-GEN-15); afterwards it counts
    from the next hand on."""
    found = _HOW[what](state, state.players, seat)
    if isinstance(found, WhyNot):
        why = _REFUSALS.get(found, Refusal.UNKNOWN_SEAT)
        state.refuse(why, found.clause, f"seat-{seat}")
        return False
    state.players = found
    state.say(PlayerNow(seat=seat, what=what))
    if what in (SeatChange.LEAVES, SeatChange.TAKES):
        # Whoever sits there next has done nothing yet.
        state.conduct = {key: times for key, times in state.conduct.items() if key[0] != seat}
        if state.rounds is None or seat not in state.seats:
            state.family.player_gone(state, seat)
            state.stacks.pop(seat, None)
    if state.rounds is not None:
        state.moves.append((seat, what))
    else:
        _places_anew(state)
    return True


def _places_anew(state: PotGameState) -> None:
    if state.positions is not None and state.phase.kind is Kind.BETTING:
        opening.take_places(state)


def after_hand(state: PotGameState, *, voided: bool) -> None:
    """The hand is over: whose blinds were paid, who has missed them, and then whoever came or went meanwhile. After a
    void hand nothing changes but that (AMB-62)."""
    if state.positions is not None:
        before = state.dealt_in if state.rounds is not None else state.players
        state.players = places.after_hand(before, state.positions, voided=voided)
        state.markers = state.positions.markers(voided=voided)
    for seat, what in state.moves:
        found = _HOW[what](state, state.players, seat)
        if isinstance(found, WhyNot):
            continue
        state.players = found
        if what is SeatChange.LEAVES and seat in state.seats:
            # With what he had left at the end of the hand.
            state.family.player_gone(state, seat)
            state.stacks.pop(seat, None)
    for seat in sorted(state.expelled):
        _gone(state, seat)


def sent_away(state: PotGameState, seat: int) -> None:
    """The pit boss sends a player from the table: at once, or where he has cards, when the hand is over."""
    state.conduct = {key: times for key, times in state.conduct.items() if key[0] != seat}
    if state.rounds is not None and seat in state.seats:
        state.expelled.add(seat)
    else:
        _gone(state, seat)
        state.dealt_in = tuple(player for player in state.dealt_in if player.seat != seat)
        _places_anew(state)


def _gone(state: PotGameState, seat: int) -> None:
    found = left(state.players, seat)
    if not isinstance(found, WhyNot):
        state.players = found
    state.family.player_gone(state, seat)
    state.stacks.pop(seat, None)


def stacked(state: PotGameState, fact: Stacked) -> None:
    """THL-PRO-4, AMB-79: chips come and go between hands. One who is in the hand has what he began it with: from the
    first card on, and if he posted a blind from then on, since it may be a part of what he has."""
    player = player_at(state.players, fact.seat)
    if player is None:
        state.refuse(Refusal.UNKNOWN_SEAT, state.rulebook.errors.no_such_seat, str(fact.seat))
    elif not state.amounts:
        state.refuse(Refusal.AMOUNT_AT_PRESENCE, None, str(fact.amount))
    elif fact.amount < 0:
        state.refuse(Refusal.NO_AMOUNT, None, str(fact.amount))
    elif state.family.has_resto(state):
        could_play = state.family.able(state)
        state.family.bought(state, fact)
        if state.family.able(state) != could_play:
            _places_anew(state)
    elif (rounds := _rounds_of(state, fact.seat)) is not None and not _can_add(state, rounds, fact):
        state.refuse(Refusal.HAND_IN_PLAY, "THL-PRO-4", f"seat-{fact.seat}")
    elif fact.amount % state.setup.chip:
        # Ruling "smallest chip": nobody could bet the rest but all-in.
        state.refuse(Refusal.WRONG_STACK, None, legality.nearest(fact.amount, state.setup.chip))
    else:
        was_able = state.stacks.get(fact.seat, 1) > 0
        if rounds is not None:
            rounds.begins_with(fact.seat, fact.amount)
        state.stacks[fact.seat] = fact.amount
        state.say(StackNow(seat=fact.seat, amount=fact.amount))
        if player.is_in and was_able is not (fact.amount > 0):
            _places_anew(state)


def chips_now(state: PotGameState, seat: int) -> int | None:
    """What lies before a seat: in a hand without what it has put in; None where nobody entered it."""
    rounds = _rounds_of(state, seat)
    left = None if rounds is None else rounds.stack(seat)
    return state.stacks.get(seat) if left is None else left


def pass_chips(state: PotGameState, giver: int, taker: int, amount: int) -> None:
    """From one stack to another, while no card of the next hand is dealt."""
    could_play = state.family.able(state)
    for seat, more in ((giver, -amount), (taker, amount)):
        has, rounds = (chips_now(state, seat) or 0) + more, _rounds_of(state, seat)
        state.stacks[seat] = state.stacks.get(seat, 0) + more
        if rounds is not None:
            rounds.begins_with(seat, has)
        state.say(StackNow(seat=seat, amount=has))
    if state.family.able(state) != could_play:
        _places_anew(state)


def may_stack(state: PotGameState, seat: int) -> bool:
    """Whether the chips before this seat's player can be entered now."""
    if not state.amounts or player_at(state.players, seat) is None:
        return False
    if state.family.has_resto(state):
        return state.family.may_buy(state, seat)
    rounds = _rounds_of(state, seat)
    return rounds is None or _is_untouched(state, rounds, seat)


def stack_bounds(state: PotGameState, seat: int) -> tuple[int, int | None]:
    """What must lie there at least, and can at most where there is such a bound: nobody takes chips away from a
    hand."""
    if state.family.has_resto(state):
        return state.family.resto_bounds(state, seat)
    rounds, chip = _rounds_of(state, seat), state.setup.chip
    least = 0 if rounds is None else _least(rounds, seat)
    return least + -least % chip, None


def may_place_button(state: PotGameState, seat: int) -> bool:
    """Whether the button can be said to lie before this seat."""
    if seat not in state.present:
        return False
    is_drawn = state.phase.kind is Kind.BETTING and state.button is None
    if not state.in_play or is_drawn:
        return True
    return state.family.may_move_button(state, seat)


def _rounds_of(state: PotGameState, seat: int) -> Rounds | None:
    """The betting that the seat has a part in."""
    return state.rounds if seat in state.seats else None


def _can_add(state: PotGameState, rounds: Rounds, fact: Stacked) -> bool:
    """Whether he may still add chips to his own: no card was dealt, and he has put in nothing."""
    return fact.amount >= _least(rounds, fact.seat) and _is_untouched(state, rounds, fact.seat)


def _least(rounds: Rounds, seat: int) -> int:
    """He has what he began the hand with."""
    return rounds.stack(seat) or 1


def _is_untouched(state: PotGameState, rounds: Rounds, seat: int) -> bool:
    return before_the_first_card(state) and not rounds.has_put_in(seat)


def rules_on_leaving(state: PotGameState, incident: Incident, *, is_leaving: bool) -> None:
    """FCD-RST-8, FCD-RST-9: what the pit boss says to a player who wants to leave."""
    for seat in incident.seats if is_leaving else ():
        change(state, seat, SeatChange.LEAVES)


def button_placed(state: PotGameState, fact: ButtonPlaced) -> None:
    """Between hands, THO-BTN-1, THL-INI-2: it was drawn. In a hand THL-MIS-6 looks at it."""
    if fact.seat not in state.present:
        state.refuse(Refusal.UNKNOWN_SEAT, state.rulebook.errors.no_such_seat, str(fact.seat))
    elif not state.in_play:
        opening.lay(state, fact.seat)
    elif state.phase.kind is Kind.BETTING and state.button is None:
        opening.lay(state, fact.seat)
        state.fire(DEALT)
    else:
        state.family.button_lies(state, fact.seat)


def seat_all(state: PotGameState, seats: tuple[int, ...]) -> None:
    """Before the first hand: everybody who sits there is no newcomer."""
    state.players = seated(seats)


def taken_over(state: PotGameState) -> None:
    """Another game between players, or another house's choices, at the same table: of players, chips and button what
    this game has room for."""
    last = places_at(state)
    state.players = tuple(player for player in state.players if player.seat <= last)
    state.stacks = {seat: chips for seat, chips in state.stacks.items() if seat <= last} if state.amounts else {}
    if state.markers is not None and state.markers.button > last:
        state.markers = None

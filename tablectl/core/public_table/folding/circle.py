"""A circle game: who comes and goes, the button, what each seat does in a round, the pots, and who wins them."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from tablectl.core.engine.carry import Carry
from tablectl.core.engine.decisions import (
    Account,
    Awarded,
    BetTaken,
    Bought,
    ButtonAt,
    GameWaits,
    Mucked,
    PlayerNow,
    PotMade,
    SeatDrawn,
    Spoke,
    StackNow,
    Stored,
    TakenBack,
    Uncalled,
    WaitsToEnter,
)
from tablectl.core.engine.vocabulary import Action, Posted
from tablectl.core.events.stream import PublicRecord
from tablectl.core.public_table.folding.step import Steps, nothing, sit
from tablectl.core.public_table.pot_game import AwardView, CircleView, MoveView, PlayerView, PotView
from tablectl.core.public_table.table import Before, PublicTable, SeatView

#: What is posted before the deal, by name.
POSTED: Final = frozenset(bet.value for bet in Posted)
#: Which phase follows when a round is closed, beside the end of the hand; another one follows only where a card is
#: dealt anew, and the round goes on afterwards.
_CLOSED_BY: Final = {
    "pre-flop-betting": "flop",
    "flop-betting": "turn",
    "turn-betting": "river",
    "river-betting": "showdown",
    "first-betting": "draw",
    "second-betting": "showdown",
}
_END: Final = "settlement"
#: How the controller begins the word with the blinds that a player owes.
_MISSED: Final = "missed="
_DRAWN_FACE_UP: Final = ".up"


def hand_opened(circle: CircleView) -> CircleView:
    """Nothing of the hand before lies there any more."""
    return replace(_fresh(circle), button=None, carried=circle.carried)


def hand_closed(circle: CircleView) -> CircleView:
    """What goes over to the next hand: who sits there, his chips, the button."""
    return replace(_fresh(circle), carried=circle.carried if circle.is_carried else None)


def _fresh(circle: CircleView) -> CircleView:
    players = {
        seat: PlayerView(
            seat=seat, is_there=player.is_there, stack=player.stack, owes_blind=player.owes_blind, kept=player.kept
        )
        for seat, player in circle.players.items()
    }
    return CircleView(players=players, button=circle.button)


def carried(view: PublicTable, carry: Carry) -> PublicTable:
    """What the controller says that goes over: players as `seat=3 in new`, the chips by seat, `button=7` and more."""
    if not carry.players:
        return view
    kept = {seat: sum(filter(None, bets.values())) for seat, bets in carry.kept.items()}
    players = {}
    for text in carry.players:
        seat_word, presence, *more = text.split()
        seat = int(seat_word.removeprefix("seat="))
        players[seat] = PlayerView(
            seat=seat,
            is_there=presence == "in",
            stack=carry.stacks.get(seat),
            owes_blind=any(word.startswith(_MISSED) for word in more),
            kept=kept.get(seat, 0),
        )
    at, *_ = (carry.markers or "").split() or [""]
    button = int(at.removeprefix("button=")) if at else view.circle.button
    return replace(view, circle=replace(view.circle, players=players, button=button, carried=carry.carried or None))


def phase_entered(view: PublicTable, phase: str) -> PublicTable:
    """When a round is closed, the stakes go to the pot; whoever is all-in stays so. What was awarded before the end is
    awarded anew."""
    if phase == _END:
        view = not_awarded(view)
    if view.phase not in _CLOSED_BY or phase not in (_CLOSED_BY[view.phase], _END):
        return view
    players = {
        seat: replace(player, stake=None, action="", stored="", stored_to=None)
        for seat, player in view.circle.players.items()
    }
    return replace(view, circle=replace(view.circle, players=players))


def posted(view: PublicTable, said: BetTaken) -> PublicTable:
    """A blind lies before the seat (THL-DLG-1)."""
    view = _moved(view, MoveView(seat=said.seat, phase=said.bet, action="", added=said.amount))
    player = view.circle.player(said.seat)
    view = sit(replace(view, before=()), replace(view.seat(said.seat), in_hand=True))
    if player.stack is not None:
        player = replace(player, stack=player.stack + player.kept)
    player = replace(_put(player, said.amount), posted=(*player.posted, said.bet), is_there=True, kept=0)
    return _player(view, replace(player, is_all_in=player.stack == 0))


def chips_back(view: PublicTable, seat: int, amount: int | None) -> PublicTable:
    """What a seat put into the pot lies before it again (THL-MIS-9, THL-CRE-4); `amount`: all of it but an ante that
    stays for the new deal (FCD-IRR-0), None where no amounts are entered."""
    player = view.circle.player(seat)
    stack = None if player.stack is None else player.stack + (amount or 0)
    left = (player.put_in or 0) - (amount or 0)
    return _player(view, replace(player, stack=stack, stake=None, put_in=left or None, is_all_in=False))


def not_awarded(view: PublicTable) -> PublicTable:
    """A hand died, or all of them, before the pot was delivered: what was awarded is not, or is awarded anew."""
    return replace(view, circle=replace(view.circle, awards=(), uncalled={}))


def seat_died(view: PublicTable) -> PublicTable:
    """What there is to win is won by others."""
    view = not_awarded(view)
    return replace(view, circle=replace(view.circle, are_pots_whole=False))


def _moved(view: PublicTable, made: MoveView) -> PublicTable:
    return replace(view, circle=replace(view.circle, moves=(*view.circle.moves, made)))


def _put(player: PlayerView, amount: int | None) -> PlayerView:
    """Chips go from the stack to the stake."""
    if amount is None:
        return player
    return replace(
        player,
        stack=None if player.stack is None else max(0, player.stack - amount),
        stake=(player.stake or 0) + amount,
        put_in=(player.put_in or 0) + amount,
    )


def _player(view: PublicTable, player: PlayerView) -> PublicTable:
    players = dict(sorted({**view.circle.players, player.seat: player}.items()))
    return replace(view, circle=replace(view.circle, players=players))


def _player_now(view: PublicTable, said: PlayerNow, _record: PublicRecord) -> PublicTable:
    seat = said.seat
    if said.what == "leaves" and not view.seat(seat).in_hand:
        players = {number: player for number, player in view.circle.players.items() if number != seat}
        return replace(view, circle=replace(view.circle, players=players))
    if said.what == "takes" and not view.seat(seat).in_hand:
        return _player(view, PlayerView(seat=seat))  # nothing of whoever sat there before is his
    there = said.what in ("takes", "back")
    return _player(view, replace(view.circle.player(seat), is_there=there))


def _waits(view: PublicTable, said: WaitsToEnter, _record: PublicRecord) -> PublicTable:
    return _player(view, replace(view.circle.player(said.seat), waits=True))


def _stack_now(view: PublicTable, said: StackNow, _record: PublicRecord) -> PublicTable:
    return _player(view, replace(view.circle.player(said.seat), stack=said.amount))


def _button_at(view: PublicTable, said: ButtonAt, _record: PublicRecord) -> PublicTable:
    """THL-INI-3: the cards of a draw for it are gathered again. Said anew whenever somebody comes or goes before the
    blinds: who waits is said anew, too."""
    players = {seat: replace(player, waits=False) for seat, player in view.circle.players.items()}
    drawn = {slot: draw for slot, draw in view.slots.items() if slot.endswith(_DRAWN_FACE_UP)}
    return replace(
        view,
        circle=replace(view.circle, button=said.seat, players=players),
        slots={slot: draw for slot, draw in view.slots.items() if slot not in drawn},
        cards={draw: card for draw, card in view.cards.items() if draw not in drawn.values()},
        seats={number: seat for number, seat in view.seats.items() if not drawn},
    )


def _spoke(view: PublicTable, said: Spoke, record: PublicRecord) -> PublicTable:
    before = Before(seq=record.seq, seat=said.seat, action=said.action, seats=view.seats, circle=view.circle)
    view = _moved(view, MoveView(seat=said.seat, phase=view.phase, action=said.action, added=said.added))
    view = replace(view, circle=replace(view.circle, are_pots_whole=False))
    player = view.circle.player(said.seat)
    if said.added:
        player = _put(player, said.added)
        if said.to is not None and said.action != Action.FOLD:
            player = replace(player, stake=said.to)  # chips above it are dead money (THL-PLE-7)
    player = replace(player, action=said.action, is_all_in=said.is_all_in, stored="", stored_to=None)
    view = sit(view, replace(view.seat(said.seat), in_hand=True, folded=said.action == "fold"))
    return replace(_player(view, player), before=(*view.before, before))


def _taken_back(view: PublicTable, said: TakenBack, _record: PublicRecord) -> PublicTable:
    """As if that action had never been entered: one that waited for its turn, or one that was carried out. A fold that
    others have acted after is taken back alone (THL-PLE-1); otherwise what was done last is taken back first."""
    seat, action = said.seat, said.action
    view = not_awarded(view)
    player = view.circle.player(seat)
    if player.stored == action:
        return _player(view, replace(player, stored="", stored_to=None))
    if action == Action.FOLD and player.has_mucked:  # given up at the showdown, and retrieved (THL-PLE-1b)
        view = sit(not_awarded(view), replace(view.seat(seat), folded=False))
        return _player(view, replace(player, has_mucked=False))
    same = [number for number, earlier in enumerate(view.before) if (earlier.seat, earlier.action) == (seat, action)]
    if not same:
        return view
    at = same[-1]
    before = view.before[at]
    moves = _without_last(view.circle.moves, seat, action)
    view = sit(view, before.seats.get(seat, SeatView(seat=seat)))
    if action == Action.FOLD and at < len(view.before) - 1:
        view = _player(not_awarded(view), replace(player, action=""))
        view = replace(view, circle=replace(view.circle, moves=moves, are_pots_whole=False))
        return replace(view, before=(*view.before[:at], *view.before[at + 1 :]))
    waiting = {number: (current.stored, current.stored_to) for number, current in view.circle.players.items()}
    players = {
        number: replace(
            earlier, stored=waiting.get(number, ("", None))[0], stored_to=waiting.get(number, ("", None))[1]
        )
        for number, earlier in before.circle.players.items()
    }
    circle = replace(before.circle, players=players, moves=moves, are_pots_whole=False)
    return replace(view, circle=circle, before=view.before[:at])


def _without_last(moves: tuple[MoveView, ...], seat: int, action: str) -> tuple[MoveView, ...]:
    at = max(number for number, move in enumerate(moves) if (move.seat, move.action) == (seat, action))
    return (*moves[:at], *moves[at + 1 :])


def _stored(view: PublicTable, said: Stored, _record: PublicRecord) -> PublicTable:
    player = view.circle.player(said.seat)
    return _player(view, replace(player, stored=said.action, stored_to=said.to))


def _award_in(view: PublicTable, record: PublicRecord) -> PublicTable:
    """The pots are awarded in one record; in another one they are awarded anew."""
    if view.circle.awards and view.circle.awarded_seq != record.seq:
        view = not_awarded(view)
    return replace(view, circle=replace(view.circle, awarded_seq=record.seq))


def _uncalled(view: PublicTable, said: Uncalled, record: PublicRecord) -> PublicTable:
    view = _award_in(view, record)
    back = {**view.circle.uncalled, said.seat: view.circle.uncalled.get(said.seat, 0) + said.amount}
    return replace(view, circle=replace(view.circle, uncalled=back))


def _pot_made(view: PublicTable, said: PotMade, _record: PublicRecord) -> PublicTable:
    before = () if said.pot == 1 else view.circle.pots
    made = PotView(pot=said.pot, amount=said.amount, seats=tuple(said.seats))
    return replace(view, circle=replace(view.circle, pots=(*before, made), are_pots_whole=True))


def _mucked(view: PublicTable, said: Mucked, _record: PublicRecord) -> PublicTable:
    view = sit(view, replace(view.seat(said.seat), folded=True))
    return _player(view, replace(view.circle.player(said.seat), has_mucked=True))


def _awarded(view: PublicTable, said: Awarded, record: PublicRecord) -> PublicTable:
    view = _award_in(view, record)
    made = AwardView(pot=said.pot, seat=said.seat, amount=said.amount, clause=said.clause)
    return replace(view, circle=replace(view.circle, awards=(*view.circle.awards, made)))


def _seats_drawn(view: PublicTable, said: SeatDrawn, record: PublicRecord) -> PublicTable:
    """Everybody sits at the place that he drew (FCD-SEA-3): all at once, with the first one that is told."""
    moved = [decision for decision in record.decisions if isinstance(decision, SeatDrawn)]
    if said != moved[0]:
        return view
    before = view.circle.players
    places = {drawn.seat: drawn.place for drawn in moved}
    staying = {seat: player for seat, player in before.items() if seat not in places}
    going = {place: replace(view.circle.player(seat), seat=place) for seat, place in places.items()}
    return replace(view, circle=replace(view.circle, players=dict(sorted({**staying, **going}.items()))))


DECISIONS: Final[Steps] = {
    SeatDrawn: _seats_drawn,
    Bought: nothing,  # what lies before him is told next
    Account: nothing,
    GameWaits: nothing,
    ButtonAt: _button_at,
    PlayerNow: _player_now,
    WaitsToEnter: _waits,
    StackNow: _stack_now,
    Spoke: _spoke,
    TakenBack: _taken_back,
    Stored: _stored,
    Uncalled: _uncalled,
    PotMade: _pot_made,
    Mucked: _mucked,
    Awarded: _awarded,
}

"""The draw for seats between two hands (FCD-SEA-1 to -3): a card of a run before each place, and one for each player.

A person declares `seat-draw`. The croupier takes two runs of the same ranks out of the deck, a card for each player in
each, shuffles each run by itself and lays the first one out face up, one card before the place of everybody who is
there. The second run gives each player a card, and the place with its rank is his. Which suits does not matter.

With a shoe the two little packs go through it, the places first, both times in the order of the seats; with antennas
alone the cards lie where they are seen, in any order of the seats. Every card is read, so nobody enters a rank. A card
that is none of a run, that came already, or that could not be read changes nothing: it goes back, and another one is
drawn. Who is away keeps his seat, and the draw is among the others.

Then each player moves with all that is his: chips, ledger, an ante that stayed, what he did that he may not. The button
stays where it lies. All cards go back and the deck is shuffled; the draws keep their numbers, so that the next hand
begins after them.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Final, TypeVar

from tablectl.core.engine.deal import Draw
from tablectl.core.engine.decisions import CardPlaced, CardTurned, SeatDrawn, StackNow
from tablectl.core.engine.facts import Declared
from tablectl.core.engine.incidents import ask
from tablectl.core.engine.pending import Pending
from tablectl.core.engine.rule import Outcome, Rule
from tablectl.core.engine.rulebook import Kind
from tablectl.core.engine.slots import SEAT_UP, SEATS
from tablectl.core.engine.vocabulary import Chooser, Declaration, Question, Refusal, Remedy, Severity
from tablectl.families.draw.state import DrawState, SeatDraw

_T = TypeVar("_T")

_DECK: Final = "deck"
_ACE: Final = 14
_CUSTOM, _PLACES, _PLAYERS = "FCD-SEA-1", "FCD-SEA-2", "FCD-SEA-3"
_QUESTIONS: Final = (Question.PLACE_CARD, Question.PLAYER_CARD)


def is_going_on(state: DrawState) -> bool:
    """Whether seats are being drawn for: nothing else is done meanwhile."""
    return state.seat_draw is not None


def _can_begin(state: DrawState) -> bool:
    if state.held or state.phase.kind is not Kind.IDLE:
        return False
    return len(state.present) > 1


def _foretold(_: DrawState) -> Outcome:
    return Outcome(
        clause=_CUSTOM,
        expected="seats",
        observed=Declaration.SEAT_DRAW.value,
        remedies=(Remedy.CONTINUE,),
        chooser=Chooser.CROUPIER,
        severity=Severity.NOTICE,
    )


def _begin(state: DrawState, fact: Declared) -> None:
    if not _can_begin(state):
        state.refuse(Refusal.NOT_OFFERED, _CUSTOM, fact.what)
        return
    state.seat_draw = SeatDraw(seats=state.present)
    _ask_next(state, state.seat_draw)


def _ask_next(state: DrawState, going: SeatDraw) -> None:
    state.asking = [pending for pending in state.asking if pending.question not in _QUESTIONS]
    if (place := going.next_place) is not None:
        ask(state, Question.PLACE_CARD, f"seat-{place}")
    elif (player := going.next_player) is not None:
        ask(state, Question.PLAYER_CARD, f"seat-{player}")


# --- cards ---------------------------------------------------------------------------------------------------------


def drawn(state: DrawState, draw: Draw, seat: int | None = None) -> bool:
    """A card was drawn, for the next one in order, or as antennas see it for this seat. False where no seats are drawn
    for."""
    going = state.seat_draw
    if going is None:
        return False
    is_for_place = going.next_place is not None
    due = going.next_place if is_for_place else going.next_player
    seat = due if seat is None else seat
    assert seat is not None, "somebody waits for a card"
    slot = SEAT_UP[seat - 1] if is_for_place else SEATS[seat - 1][0]
    if draw.card is not None:
        # Everybody sees it, also one that goes back.
        state.say(CardPlaced(draw=draw.number, slot=slot))
        if not is_for_place:
            state.say(CardTurned(draw=draw.number, slot=slot))
    wrong = _wrong(going, draw, seat, is_for_place=is_for_place)
    if wrong is not None:
        state.deal.give_back([draw])
        state.refuse(Refusal.WRONG_CARD, _PLACES if is_for_place else _PLAYERS, wrong)
        return True
    state.deal.lay(draw, slot)
    (going.places if is_for_place else going.players)[seat] = draw
    _ask_next(state, going)
    if going.next_player is None:
        _move(state, going)
    return True


def _wrong(going: SeatDraw, draw: Draw, seat: int, *, is_for_place: bool) -> str | None:
    """Why the card gives nobody a place."""
    if draw.card is None:
        return "unread"
    if seat not in going.seats or seat in (going.places if is_for_place else going.players):
        return f"seat-{seat}"
    rank, laid = draw.card.rank, _ranks(going.places)
    if not is_for_place:
        return None if rank in laid.values() and rank not in _ranks(going.players).values() else "no-such-place"
    ranks = [*laid.values(), rank]
    if rank in laid.values():
        return "rank-is-there"
    # The ace stands at either end of a run.
    ends = (ranks, [1 if value == _ACE else value for value in ranks])
    return None if any(max(run) - min(run) < len(going.seats) for run in ends) else "no-run"


def _ranks(cards: Mapping[int, Draw]) -> dict[int, int]:
    return {seat: draw.card.rank for seat, draw in cards.items() if draw.card is not None}


def given_up(state: DrawState, pending: Pending, answer: str | int) -> None:
    """The croupier gives it up: everybody stays where he sits."""
    state.refuse(Refusal.TAKEN_BACK, _CUSTOM, Declaration.SEAT_DRAW)
    _gather(state)


def _gather(state: DrawState) -> None:
    going = state.seat_draw
    assert going is not None
    state.seat_draw = None
    cards = [*going.places.values(), *going.players.values()]
    state.deal.give_back(cards)
    if cards:
        state.is_shuffled = False
        ask(state, Question.RESHUFFLED, _DECK)


# --- everybody moves --------------------------------------------------------------------------------------------------


def _move(state: DrawState, going: SeatDraw) -> None:
    """FCD-SEA-3: each player sits down where a card of his rank lies, with all that is his."""
    places = {rank: seat for seat, rank in _ranks(going.places).items()}
    to = {seat: places[rank] for seat, rank in _ranks(going.players).items()}
    state.players = tuple(
        sorted(
            (replace(player, seat=to.get(player.seat, player.seat)) for player in state.players),
            key=lambda player: player.seat,
        )
    )
    state.stacks, state.bought = _moved(state.stacks, to), _moved(state.bought, to)
    state.kept = _moved(state.kept, to)
    state.conduct = {(to.get(seat, seat), what): times for (seat, what), times in state.conduct.items()}
    for seat in going.seats:
        state.say(SeatDrawn(seat=seat, place=to[seat], clause=_PLAYERS))
    for seat in going.seats:
        if seat in state.stacks:
            state.say(StackNow(seat=seat, amount=state.stacks[seat]))
    _gather(state)


def _moved(of_seats: Mapping[int, _T], to: Mapping[int, int]) -> dict[int, _T]:
    return dict(sorted((to.get(seat, seat), value) for seat, value in of_seats.items()))


RULES: Final[Mapping[Declaration, Rule[DrawState]]] = {
    Declaration.SEAT_DRAW: Rule(applies=_can_begin, foretells=_foretold, does=_begin),
}

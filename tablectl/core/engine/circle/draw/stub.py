"""When the stub runs out: its last card is never dealt, it is shuffled with discards, and they are the new stub.

FCD-DSC-5, -6, -9 and our reading AMB-65. The stub is dealt down to its last card, then the new one is made and the
request completed. What is in the new stub is a known set in unknown order.
"""

from __future__ import annotations

from typing import Final

from tablectl.core.cards import DECK
from tablectl.core.engine.circle.memory import Memory
from tablectl.core.engine.deal import Draw
from tablectl.core.engine.decisions import StubMade
from tablectl.core.engine.errors.outcome import Outcome, carried_out
from tablectl.core.engine.incidents import ask
from tablectl.core.engine.rulebook import Kind
from tablectl.core.engine.state import Incident, Pending, State
from tablectl.core.engine.words import Chooser, Question, Remedy
from tablectl.core.options.draw import NewStub

#: What the question is about: all discards, or all but those of one seat.
DISCARDS: Final = "discards"
#: The last card of the stub is not dealt (FCD-DSC-9).
_KEPT_BACK: Final = 1


def left(state: State) -> int:
    """How many cards the stub holds, its last one too."""
    return len(DECK) - len(state.deal.draws) + state.deal.n_back


def kept_back(state: State) -> int:
    """How many of them are not dealt: the last one (FCD-DSC-9), or all that were put under the stub (FCD-IRR-9)."""
    under = 0 if state.circle is None else len(state.circle.draw.hand.under)
    return max(_KEPT_BACK, under)


def follow(state: State, circle: Memory) -> None:
    """FCD-DSC-9: a card is due, and only the last one of the stub is left: it is mixed with discards first."""
    if state.phase.kind is not Kind.DEALING or state.deal.due is None or state.held or left(state) > kept_back(state):
        return
    seats, without = _pool(state, circle)
    if seats:
        ask(state, Question.NEW_STUB, DISCARDS if without is None else f"{DISCARDS}-but-seat-{without}")
        return
    # Nobody else has put anything away: the page says nothing of this.
    carried_out(
        state,
        Outcome(
            clause="FCD-DSC-6",
            expected="discards",
            observed="none",
            remedies=(Remedy.VOID_HAND, *((Remedy.RETURN_AND_RESHUFFLE,) if circle.draw.hand.discards else ())),
            chooser=Chooser.PIT_BOSS,
            seats=() if without is None else (without,),
        ),
    )


def gathered(state: State, circle: Memory) -> tuple[int, ...]:
    """The seats whose discards make the new stub that is due."""
    return _pool(state, circle)[0]


def _pool(state: State, circle: Memory) -> tuple[tuple[int, ...], int | None]:
    """Whose discards make the new stub, and whose stay apart: those of a player who alone has still to be served."""
    hand = circle.draw.hand
    assert state.rulebook.circle is not None
    if hand.turn is None:
        # A card that a player lacks is completed (AMB-73): he is the only one who waits.
        due = state.deal.due
        seat = None if due is None else due.seat
        return tuple(each for each in hand.discards if each != seat), seat if seat in hand.discards else None
    seat = hand.turn.seat
    waiting = [each for each in state.staying if each not in hand.served]
    without = seat if waiting == [seat] else None
    there = [each for each, cards in hand.discards.items() if cards and each != without]
    if state.rulebook.circle.draw.new_stub is NewStub.WAITING_PLAYERS and without is None:
        # To the letter: those of the players who still lack cards.
        there = [each for each in there if each in waiting]
    return tuple(there), without


def made_said(state: State, pending: Pending, answer: str | int) -> None:
    """The croupier has gathered and shuffled them."""
    circle = state.circle
    assert circle is not None
    _make(state, circle, *_pool(state, circle))


def ruled_own_too(state: State, incident: Incident) -> None:
    """The pit boss: the player's own discards are shuffled in, since there are no others."""
    circle = state.circle
    assert circle is not None
    _make(state, circle, tuple(circle.draw.hand.discards), None)


def _make(state: State, circle: Memory, seats: tuple[int, ...], without: int | None) -> None:
    hand, deal = circle.draw.hand, state.deal
    known: list[Draw] = []
    for seat in seats:
        for card in hand.discards.pop(seat):
            pool = hand.unsure.of(card)
            if pool is None:
                known.append(card)
            else:
                pool.stand_ins.remove(card)
                pool.n_back += 1
                deal.n_back += 1
    deal.give_back(known)
    for card in hand.under:
        # Of one that nobody can point at, it is known now only that it is in there with the others.
        pool = hand.unsure.of(card)
        if pool is not None:
            pool.stand_ins.remove(card)
            pool.n_back += 1
    hand.under.clear()
    state.say(StubMade(cards=left(state), seats=seats, without=without))


def drawn_instead(state: State, circle: Memory, draw: Draw) -> bool:
    """The last card of the stub was drawn, which is never dealt (FCD-DSC-9): it goes in with the others. False where
    another card was."""
    is_asked = any(each.question is Question.NEW_STUB for each in state.asking)
    if not is_asked and left(state) >= kept_back(state):
        return False
    carried_out(
        state,
        Outcome(
            clause="FCD-DSC-9",
            expected="new-stub",
            observed="card",
            remedies=(Remedy.RETURN_AND_RESHUFFLE,),
            draw=draw,
        ),
    )
    state.deal.give_back([draw])
    return True


def came_from_under(state: State, draw: Draw) -> bool:
    """The card that was put under the stub came before a new stub was made (FCD-IRR-9): the pit boss has it. False
    where it can only be another card."""
    circle = state.circle
    if circle is None or not state.is_draw or draw.card is None:
        return False
    hand = circle.draw.hand
    for card in hand.under:
        pool = hand.unsure.of(card)
        lay_there = card if pool is None else next((each for each in pool.cards if each.card is draw.card), None)
        if lay_there is None or lay_there.card is not draw.card:
            continue
        hand.under.remove(card)
        if pool is not None:
            pool.stand_ins.remove(card)
            pool.cards.remove(lay_there)
            lay_there.is_back = True
        carried_out(
            state,
            Outcome(
                clause="FCD-IRR-9",
                expected="last-of-the-stub",
                observed="card",
                remedies=(Remedy.VOID_HAND, Remedy.NEXT_CARD),
                chooser=Chooser.PIT_BOSS,
                draw=draw,
            ),
        )
        return True
    return False

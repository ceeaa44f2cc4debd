"""When the stub runs out: its last card is never dealt, it is shuffled with discards, and they are the new stub.

FCD-DSC-5, -6, -9 and our reading AMB-65. The stub is dealt down to its last card, then the new one is made and the
request completed. What is in the new stub is a known set in unknown order.
"""

from __future__ import annotations

from typing import Final

from tablectl.core.cards import DECK
from tablectl.core.engine.deal import Draw
from tablectl.core.engine.decisions import StubMade
from tablectl.core.engine.incidents import ask
from tablectl.core.engine.outcome import carried_out
from tablectl.core.engine.pending import Pending
from tablectl.core.engine.rule import Outcome
from tablectl.core.engine.rulebook import Kind
from tablectl.core.engine.vocabulary import Chooser, Question, Remedy
from tablectl.core.options.draw import NewStub
from tablectl.families.draw.state import DrawState

#: What the question is about: all discards, or all but those of one seat.
DISCARDS: Final = "discards"
#: The last card of the stub is not dealt (FCD-DSC-9).
_KEPT_BACK: Final = 1


def left(state: DrawState) -> int:
    """How many cards the stub holds, its last one too."""
    return len(DECK) - len(state.deal.draws) + state.deal.n_back


def kept_back(state: DrawState) -> int:
    """How many of them are not dealt: the last one (FCD-DSC-9), or all that were put under the stub (FCD-IRR-9)."""
    under = len(state.draw.under)
    return max(_KEPT_BACK, under)


def follow(state: DrawState) -> None:
    """FCD-DSC-9: a card is due, and only the last one of the stub is left: it is mixed with discards first."""
    if state.phase.kind is not Kind.DEALING or state.deal.due is None or state.held or left(state) > kept_back(state):
        return
    seats, without = _pool(state)
    if seats:
        ask(state, Question.NEW_STUB, DISCARDS if without is None else f"{DISCARDS}-but-seat-{without}")
        return
    # Nobody else has put anything away, and nobody ever gets his own discard (ruling 65).
    carried_out(
        state,
        Outcome(
            clause="FCD-DSC-6",
            expected="discards",
            observed="none",
            remedies=(Remedy.VOID_HAND,),
            chooser=Chooser.PIT_BOSS,
            seats=() if without is None else (without,),
        ),
    )


def gathered(state: DrawState) -> tuple[int, ...]:
    """The seats whose discards make the new stub that is due."""
    return _pool(state)[0]


def _pool(state: DrawState) -> tuple[tuple[int, ...], int | None]:
    """Whose discards make the new stub, and whose stay apart: those of a player who alone has still to be served."""
    hand = state.draw
    if hand.turn is None:
        # A card that a player lacks is completed (AMB-73): he is the only one who waits.
        due = state.deal.due
        seat = None if due is None else due.seat
        return tuple(other for other in hand.discards if other != seat), seat if seat in hand.discards else None
    seat = hand.turn.seat
    waiting = [player for player in state.staying if player not in hand.served]
    without = seat if waiting == [seat] else None
    there = [player for player, cards in hand.discards.items() if cards and player != without]
    if state.rulebook.house.new_stub is NewStub.WAITING_PLAYERS and without is None:
        # To the letter: those of the players who still lack cards.
        there = [player for player in there if player in waiting]
    return tuple(there), without


def made_said(state: DrawState, pending: Pending, answer: str | int) -> None:
    """The croupier has gathered and shuffled them."""
    _make(state, *_pool(state))


def _make(state: DrawState, seats: tuple[int, ...], without: int | None) -> None:
    hand, deal = state.draw, state.deal
    known: list[Draw] = []
    for seat in seats:
        for card in hand.discards.pop(seat):
            pool = hand.card_pools.of(card)
            if pool is None:
                known.append(card)
            else:
                pool.stand_ins.remove(card)
                pool.n_back += 1
                deal.n_back += 1
    deal.give_back(known)
    for card in hand.under:
        # Of one that nobody can point at, it is known now only that it is in there with the others.
        pool = hand.card_pools.of(card)
        if pool is not None:
            pool.stand_ins.remove(card)
            pool.n_back += 1
    hand.under.clear()
    state.say(StubMade(cards=left(state), seats=seats, without=without))


def drawn_instead(state: DrawState, draw: Draw) -> bool:
    """The last card of the stub was drawn, which is never dealt (FCD-DSC-9): it goes in with the others. False where
    another card was."""
    is_asked = any(pending.question is Question.NEW_STUB for pending in state.asking)
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


def came_from_under(state: DrawState, draw: Draw) -> bool:
    """The card that was put under the stub came before a new stub was made (FCD-IRR-9): the pit boss has it. False
    where it can only be another card."""
    if draw.card is None:
        return False
    hand = state.draw
    for card in hand.under:
        pool = hand.card_pools.of(card)
        lay_there = (
            card if pool is None else next((candidate for candidate in pool.cards if candidate.card is draw.card), None)
        )
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

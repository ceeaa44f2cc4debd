"""What the croupier has to do now, as data: the screen puts it into words, the panel lights the keys that are live.

Only this module knows in which order things are asked for when several wait.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from enum import StrEnum
from typing import Final

from tablectl.core.engine import staff
from tablectl.core.engine.circle.betting.moves import Legal
from tablectl.core.engine.circle.draw import stub
from tablectl.core.engine.circle.draw.cases import standing
from tablectl.core.engine.circle.ending import showdown
from tablectl.core.engine.circle.memory import Memory
from tablectl.core.engine.circle.seating import opening
from tablectl.core.engine.equipment import reader
from tablectl.core.engine.errors.declarations import Offer, asked_now, offers
from tablectl.core.engine.keys import live
from tablectl.core.engine.rulebook import Kind
from tablectl.core.engine.state import State
from tablectl.core.engine.words import Key, Question, Refusal, Tracking
from tablectl.core.records import record


class Instruction(StrEnum):
    """One thing to do."""

    SIGN_ON = "sign-on"
    NEW_HAND = "new-hand"
    TAKE_BETS = "take-bets"
    DEAL = "deal"
    ASK_SEAT = "ask-seat"
    ASK_CLAIMS = "ask-claims"
    PAY_CLAIMS = "pay-claims"
    DECLARE = "declare"
    REVEAL_BANK = "reveal-bank"
    DRAW_BUTTON = "draw-button"
    POST_BLINDS = "post-blinds"
    OFFER_CUT = "offer-cut"
    POST_ANTES = "post-antes"
    ASK_CARDS = "ask-cards"
    PUT_AWAY = "put-away"
    SPEAK = "speak"
    CLOSE_ROUND = "close-round"
    SHOW_HAND = "show-hand"
    DELIVER = "deliver"
    SETTLE = "settle"
    COLLECT = "collect"
    NAME_CARD = "name-card"
    ANSWER = "answer"
    WAIT_PIT_BOSS = "wait-pit-boss"
    WAIT_SHOE = "wait-shoe"


@record
class Prompt:
    """The instruction, what it is about (a slot, a seat, a question) and the keys that are live."""

    instruction: Instruction
    about: str
    keys: tuple[Key, ...]
    question: Question | None = None
    incident: int | None = None
    held: bool = False
    #: what can be declared, where the list of it is open; each says the key that chooses it
    offers: tuple[Offer, ...] = ()
    #: in a circle game: what the seat in turn may do, and all the money that was put in
    legal: Legal | None = None
    pot: int | None = None
    #: the draws of this hand that went back into the deck, or are on their way into it
    back: tuple[int, ...] = ()
    #: in a game with discards: how many cards the seat in turn changes, once it has said so
    cards: int | None = None
    #: there: how many cards the stub holds, the last one too, and whose discards go into a new one that is asked for
    left: int | None = None
    gather: tuple[int, ...] = ()
    #: and the clauses of the cases that stand: for each any player can demand a new deal (FCD-IRR-0)
    cases: tuple[str, ...] = ()


def prompt(state: State) -> Prompt:
    """What the croupier is told now."""
    told = _told(state)
    if state.deal.n_back:
        told = replace(told, back=_back(state))
    if state.circle is None or not state.is_draw:
        return told
    gather = stub.gathered(state, state.circle) if told.question is Question.NEW_STUB else ()
    return replace(told, left=stub.left(state), gather=gather, cases=standing(state))


def _told(state: State) -> Prompt:
    keys, held = live(state), state.held
    if state.menu:
        about = state.menu[0] if len(state.menu) == 1 else "incidents"
        return Prompt(instruction=Instruction.DECLARE, about=about, keys=keys, held=held, offers=offers(state))
    if state.shoe_lost is not None:
        about, number = reader(state.setup), state.shoe_lost.number
        return Prompt(instruction=Instruction.WAIT_SHOE, about=about, keys=keys, held=held, incident=number)
    is_nobody_there = staff.is_missing(state)
    first = None if is_nobody_there else asked_now(state)
    if first is not None:
        return Prompt(
            instruction=Instruction.ANSWER,
            about=first.about,
            keys=keys,
            question=first.question,
            incident=first.incident.number if first.incident else None,
            held=held,
        )
    if state.ruling:
        number = min(state.ruling)
        clause = state.ruling[number].clause
        return Prompt(instruction=Instruction.WAIT_PIT_BOSS, about=clause, keys=keys, incident=number, held=held)
    if is_nobody_there:
        return Prompt(instruction=Instruction.SIGN_ON, about="croupier", keys=keys, held=held)
    if state.circle is not None and not state.naming:
        return _at_circle(state, state.circle, keys)
    instruction, about = _by_phase(state)
    return Prompt(instruction=instruction, about=about, keys=keys, held=held)


def _back(state: State) -> tuple[int, ...]:
    return tuple(draw.number for draw in state.deal.draws if draw.is_back)


def _at_circle(state: State, circle: Memory, keys: tuple[Key, ...]) -> Prompt:
    """What is to be done in a circle game, and about whom."""
    rounds, legal = circle.rounds, None
    pot = rounds.pot if rounds is not None else None
    if state.is_draw and state.amounts:
        pot = (pot or 0) + circle.draw.carried
    match state.phase.kind:
        case Kind.IDLE:
            against = opening.why_no_hand(state, circle)
            is_short = against is not None and against[0] is Refusal.NO_PLAYERS
            instruction, about = Instruction.NEW_HAND, "players" if is_short else "deck"
        case Kind.BETTING if state.phase.name == "seating":
            instruction, about = Instruction.DRAW_BUTTON, "button"
        case Kind.BETTING if state.is_draw:
            instruction = Instruction.OFFER_CUT if Key.CONFIRM in keys else Instruction.POST_ANTES
            about = f"seat-{circle.button}" if circle.positions is not None else ""
        case Kind.EXCHANGING:
            turn = circle.draw.hand.turn
            instruction = Instruction.ASK_CARDS if turn is None or turn.cards is None else Instruction.PUT_AWAY
            about = "" if turn is None else f"seat-{turn.seat}"
        case Kind.BETTING:
            instruction, about = Instruction.POST_BLINDS, f"seat-{circle.positions.button}" if circle.positions else ""
        case Kind.DECIDING if state.setup.tracking is Tracking.ROUNDS:
            instruction, about = Instruction.CLOSE_ROUND, state.phase.name
        case Kind.DECIDING:
            legal = rounds.legal() if rounds is not None and rounds.turn is not None else None
            seat = circle.chosen if circle.chosen is not None else circle.turn
            instruction, about = Instruction.SPEAK, f"seat-{seat}"
        case Kind.REVEALING:
            instruction, about = Instruction.SHOW_HAND, f"seat-{showdown.next_to_show(circle)}"
        case Kind.SETTLING:
            instruction, about = Instruction.DELIVER, "pot"
        case _:
            instruction, about = _by_phase(state)
    turn_of_draw = circle.draw.hand.turn if state.is_draw else None
    cards = None if turn_of_draw is None else turn_of_draw.cards
    return Prompt(instruction=instruction, about=about, keys=keys, held=state.held, legal=legal, pot=pot, cards=cards)


def _by_phase(state: State) -> tuple[Instruction, str]:
    if state.naming:
        slot = state.naming[0].slot
        return (Instruction.NAME_CARD, slot.name if slot is not None else "card")
    kind = state.phase.kind
    return (_INSTRUCTIONS[kind], _ABOUT[kind](state))


_INSTRUCTIONS: Final[Mapping[Kind, Instruction]] = {
    Kind.IDLE: Instruction.NEW_HAND,
    Kind.BETTING: Instruction.TAKE_BETS,
    Kind.DEALING: Instruction.DEAL,
    Kind.DECIDING: Instruction.ASK_SEAT,
    Kind.EXCHANGING: Instruction.ASK_CARDS,
    Kind.CLAIMING: Instruction.ASK_CLAIMS,
    Kind.PAYING: Instruction.PAY_CLAIMS,
    Kind.REVEALING: Instruction.REVEAL_BANK,
    Kind.SETTLING: Instruction.SETTLE,
    Kind.VOIDED: Instruction.COLLECT,
}


def _bet_asked_for(state: State) -> str:
    extra = state.rulebook.extra_bet
    return extra if state.modifier and extra is not None else state.rulebook.entry_bet


def _side_bet(state: State) -> str:
    return state.rulebook.side_bet.bet if state.rulebook.side_bet is not None else ""


def _slot_due(state: State) -> str:
    return state.deal.due.name if state.deal.due is not None else ""


_ABOUT: Final[Mapping[Kind, Callable[[State], str]]] = {
    Kind.IDLE: lambda _: "deck",
    Kind.BETTING: _bet_asked_for,
    Kind.DEALING: _slot_due,
    Kind.DECIDING: lambda state: f"seat-{state.turn}",
    Kind.EXCHANGING: lambda _: "cards",
    Kind.CLAIMING: _side_bet,
    Kind.PAYING: _side_bet,
    Kind.REVEALING: lambda _: "house",
    Kind.SETTLING: lambda _: "bets",
    Kind.VOIDED: lambda state: str(len(state.deal.draws)),
}

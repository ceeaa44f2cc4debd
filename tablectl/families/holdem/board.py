"""Cards that come when none is due: a burn, a turn, a river, a flop while the round is still open (THL-CRE-5 to -7);
before the blinds; after the last one.

A shoe tells only that a card was drawn: the first one of an open round is taken for the burn, and the croupier is asked
of the next ones whether anybody saw them. An antenna says where a card lies, and a card on the board was seen.
`open-holdem` states none of this; on a live table it is the same there.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from tablectl.core.engine.deal import Draw
from tablectl.core.engine.decisions import CardPlaced
from tablectl.core.engine.incidents import ask, ask_first, close
from tablectl.core.engine.outcome import carried_out, raised
from tablectl.core.engine.pending import Incident
from tablectl.core.engine.rule import Outcome, Rule
from tablectl.core.engine.rulebook import Kind
from tablectl.core.engine.slots import ASIDE, BOARD, BURN
from tablectl.core.engine.vocabulary import Chooser, Declaration, Question, Remedy, Severity
from tablectl.families.holdem import burns, control, streets, stub, too_soon
from tablectl.families.holdem.state import HoldemState

RULES: Final[Mapping[Declaration, Rule[HoldemState]]] = burns.RULES

_BOARD, _BURN, _ASIDE = BOARD[0].spot, BURN[0].spot, ASIDE[0].spot
_DECK: Final = "deck"
_FIRST_REMEDY: Final = (Remedy.RETURN_AND_RESHUFFLE, Remedy.SET_ASIDE, Remedy.RETURN_AND_RESHUFFLE)


def early(state: HoldemState, draw: Draw) -> None:
    """A card left the deck although none is due."""
    match state.phase.kind:
        case Kind.IDLE if state.hand > 0 and not state.is_shuffled:
            control.after_the_hand(state, draw)
        case Kind.IDLE | Kind.BETTING:
            _before_the_deal(state, draw)
        case Kind.DECIDING:
            _in_a_round(state, draw)
        case Kind.DEALING:
            _while_held(state, draw)
        case Kind.SETTLING | Kind.VOIDED:
            control.after_the_hand(state, draw)
        case _:
            _one_too_many(state, draw)


def lies(state: HoldemState, draw: Draw, spot: str) -> bool:
    """An antenna sees a card that came too soon. True where that is all that follows."""
    cards = state.early
    if draw in cards.asked:
        _told_by_antenna(state, draw, spot)
        return True
    if draw in cards.burns and spot == _BOARD and state.phase.kind is Kind.DECIDING:
        # It was taken for a burn: it is a common card, and everybody sees it.
        cards.burns.remove(draw)
        if burns.is_fourth_of_flop(state, draw):
            burns.too_many_of_flop(state, draw)
            return True
        too_soon.show(state, [draw], None)
        return True
    return draw.slot is not None and draw.slot.spot == _ASIDE


# --- while the betting is open ---------------------------------------------------------------------------------------


def _in_a_round(state: HoldemState, draw: Draw) -> None:
    slots, spot = streets.coming(state), state.felt.spot_of(draw)
    if spot == _BOARD and burns.is_fourth_of_flop(state, draw):
        burns.too_many_of_flop(state, draw)
    elif not slots:
        _one_too_many(state, draw)
    elif spot == _BOARD:
        too_soon.show(state, [draw], None)
    elif state.early.asked:
        state.early.asked.append(draw)
    elif streets.is_burn(slots[0]):
        _burnt(state, draw)
    elif spot == _BURN:
        _kept_face_down(state, draw)
    else:
        _asked_about(state, draw)


def _burnt(state: HoldemState, draw: Draw) -> None:
    """THL-RD2-2 and its like: a burn that was drawn early is the burn when it is due; play goes on."""
    slot, number = streets.coming(state)[0], too_soon.round_open(state)
    carried_out(
        state,
        Outcome(
            clause=burns.CLAUSES[min(number, streets.RIVER)],
            expected=too_soon.CLOSED,
            observed="early-burn",
            remedies=(Remedy.NEXT_CARD,),
            severity=Severity.NOTICE,
            draw=draw,
        ),
    )
    streets.lay(state, draw.number, slot)
    state.early.burns.append(draw)


def _kept_face_down(state: HoldemState, draw: Draw) -> None:
    """AMB-22: a second burn too soon, that nobody saw: it is the next card."""
    carried_out(
        state,
        Outcome(
            clause=burns.CLAUSES[min(too_soon.round_open(state), streets.RIVER)],
            expected="one-burn",
            observed="double-burn",
            remedies=(Remedy.NEXT_CARD,),
            severity=Severity.NOTICE,
            draw=draw,
        ),
    )
    state.deal.wait(draw)


def _asked_about(state: HoldemState, draw: Draw) -> None:
    """Nobody but the croupier knows whether it was shown."""
    number, slot = too_soon.round_open(state), streets.coming(state)[0]
    clause, observed = too_soon.SHOWN[number]
    state.early.asked.append(draw)
    state.early.question = raised(
        state,
        Outcome(
            clause=clause,
            expected=too_soon.CLOSED,
            observed=observed,
            remedies=(_FIRST_REMEDY[number],),
            chooser=Chooser.CROUPIER,
            draw=draw,
        ),
    )
    # Where cards are on their way back into the deck already, this one may have to go with them.
    asks = ask_first if stub.is_open(state) else ask
    asks(state, Question.SEEN, slot.name, state.early.question)


def answered(state: HoldemState, incident: Incident, *, is_seen: bool) -> bool:
    """Whether anybody saw the cards that came too soon. False where the question is another module's."""
    if burns.answered(state, incident, is_seen=is_seen):
        return True
    if state.early.question is not incident:
        return False
    cards, state.early.asked, state.early.question = state.early.asked, [], None
    if state.phase.kind in (Kind.IDLE, Kind.BETTING):
        _answered_before_the_deal(state, incident, cards, is_seen=is_seen)
    elif is_seen:
        too_soon.show(state, _laid_face_down(state, cards), incident)
    else:
        # THL-RD2-3, AMB-56: not seen, they are simply the next ones.
        close(state, incident, Remedy.NEXT_CARD, Chooser.CROUPIER)
        for draw in _laid_face_down(state, cards):
            state.deal.wait(draw)
    return True


def _laid_face_down(state: HoldemState, cards: list[Draw]) -> list[Draw]:
    """Of cards that came one after the other: burns go to their places, those left over are put away. The others."""
    common: list[Draw] = []
    slots = streets.coming(state)
    for number, draw in enumerate(cards):
        if state.phase.kind is Kind.DECIDING and number >= len(slots):
            _one_too_many(state, draw)
        elif number < len(slots) and streets.is_burn(slots[number]):
            streets.lay(state, draw.number, slots[number])
            state.early.burns.append(draw)
        else:
            common.append(draw)
    return common


def _told_by_antenna(state: HoldemState, draw: Draw, spot: str) -> None:
    """The antenna answers what the croupier is asked."""
    cards = state.early
    if spot not in (_BOARD, _BURN):
        return
    cards.asked.remove(draw)
    incident = None
    if not cards.asked:
        incident, cards.question = cards.question, None
        state.asking = [pending for pending in state.asking if pending.incident is not incident]
    if spot == _BOARD:
        too_soon.show(state, [draw], incident)
        return
    if incident is not None:
        close(state, incident, Remedy.NEXT_CARD, Chooser.RULE)
    state.deal.wait(draw)


# --- the pit boss ---


def _returned(state: HoldemState, incident: Incident) -> None:
    """The pit boss: these cards go back into the stub."""
    if incident is state.early.single:
        too_soon.go_back(state)
        state.early.shown.clear()
    else:
        burns.reshuffled(state, incident)


#: What the pit boss's choices do, where an incident is one of this module's.
RULED: Final[Mapping[Remedy, Callable[[HoldemState, Incident], None]]] = {Remedy.RETURN_AND_RESHUFFLE: _returned}


# --- before the deal, in a deal that is held, after the last card ----------------------------------------------------


def _before_the_deal(state: HoldemState, draw: Draw) -> None:
    """THL-DLG-1: no card before the blinds lie there. One that nobody saw is the first one of the deal."""
    cards = state.early
    cards.asked.append(draw)
    if cards.question is not None:
        return
    cards.question = raised(
        state,
        Outcome(
            clause="THL-DLG-1",
            expected="new-hand" if state.phase.kind is Kind.IDLE else "no-more-bets",
            observed="card",
            remedies=(Remedy.NEXT_CARD,),
            chooser=Chooser.CROUPIER,
            severity=Severity.NOTICE,
            draw=draw,
        ),
    )
    ask(state, Question.SEEN, "last-card", cards.question)


def _answered_before_the_deal(state: HoldemState, incident: Incident, cards: list[Draw], *, is_seen: bool) -> None:
    """THL-SHF-8 by analogy: a card that was seen before the deal goes back, and the deck is shuffled again."""
    if is_seen:
        close(state, incident, Remedy.RETURN_AND_RESHUFFLE, Chooser.CROUPIER)
        stub.give_back(state, cards, _DECK)
        return
    close(state, incident, Remedy.NEXT_CARD, Chooser.CROUPIER)
    for draw in cards:
        state.deal.wait(draw)


def _while_held(state: HoldemState, draw: Draw) -> None:
    """A card is due, but something waits for its remedy; then this card is the next one."""
    _notice(state, draw, expected="remedy", remedy=Remedy.NEXT_CARD)
    state.deal.wait(draw)


def _one_too_many(state: HoldemState, draw: Draw) -> None:
    """Every card of the hand is dealt, or on its way: this one goes to the discard rack."""
    _notice(state, draw, expected="no-card", remedy=Remedy.DISCARD)
    state.say(CardPlaced(draw=draw.number, slot=state.deal.discard(draw)))


def _notice(state: HoldemState, draw: Draw, *, expected: str, remedy: Remedy) -> None:
    """THL-DLG-3: a card out of the deck for which there is no place now, and what the rule does with it."""
    carried_out(
        state,
        Outcome(
            clause=state.rulebook.errors.outside_shoe,
            expected=expected,
            observed="card",
            remedies=(remedy,),
            severity=Severity.NOTICE,
            draw=draw,
        ),
    )

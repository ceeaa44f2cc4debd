"""Cards that come when none is due: a burn, a turn, a river, a flop while the round is still open (THL-CRE-5 to -7);
before the blinds; after the last one.

A shoe tells only that a card was drawn: the first one of an open round is taken for the burn, and the croupier is asked
of the next ones whether anybody saw them. An antenna says where a card lies, and a card on the board was seen.
`open-holdem` states none of this; on a live table it is the same there.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Final

from tablectl.core.engine.deal import Draw
from tablectl.core.engine.dealing import use_next
from tablectl.core.engine.decisions import CardPlaced
from tablectl.core.engine.incidents import ask, ask_first, can_void, close, escalate, stop_waiting
from tablectl.core.engine.outcome import carried_out, raised
from tablectl.core.engine.pending import Incident, Pending
from tablectl.core.engine.rule import Outcome, Rule
from tablectl.core.engine.rulebook import Kind
from tablectl.core.engine.slots import ASIDE, BOARD, BURN, DISCARD
from tablectl.core.engine.vocabulary import Chooser, Declaration, Question, Remedy, Severity
from tablectl.families.holdem import burns, control, counts, streets, stub, too_soon
from tablectl.families.holdem.rulebook import HOLE
from tablectl.families.holdem.state import HoldemState

RULES: Final[Mapping[Declaration, Rule[HoldemState]]] = burns.RULES

_BOARD, _BURN, _ASIDE = BOARD[0].spot, BURN[0].spot, ASIDE[0].spot
_DECK: Final = "deck"
_DISCARD: Final = DISCARD[0].spot
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
    if state.felt.is_untold(draw):
        if spot not in (_BOARD, _BURN):
            return False
        _judged(state, draw)
        if draw.slot is not None and draw.slot.spot == spot:
            state.felt.confirmed.add(draw.number)
        return True
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
    """Where readers tell places, it is judged once they tell its own: one card is one incident. Of one that no reader
    reported they tell nothing."""
    if state.felt.spot_of(draw) is None and state.tells_places and state.is_reported:
        state.felt.awaits(draw, state.now_us)
    else:
        _judged(state, draw)


def not_told(state: HoldemState, draw: Draw) -> None:
    """No reader tells where it lies, so the croupier is asked; a round may be open no more."""
    state.felt.arrives(draw)
    (_judged if state.phase.kind is Kind.DECIDING else early)(state, draw)


def counted_at_a_seat(state: HoldemState, pending: Pending, answer: str | int) -> None:
    """THL-PLE-12, THL-PLE-11: so many lie there. Where the number is right, or he has no hand to lose any more, the
    card came too soon all the same, and that is one error still."""
    incident = pending.incident
    assert incident is not None, "it is asked about a card"
    draw = incident.draw
    assert draw is not None, "it is about a card"
    if counts.counted_late(state, incident, HOLE if answer == "right" else int(answer)):
        return
    if state.phase.kind is Kind.DECIDING:
        _judged(state, draw, incident)
    else:
        close(state, incident, Remedy.CONTINUE, Chooser.CROUPIER)
        early(state, draw)


def _judged(state: HoldemState, draw: Draw, instead_of: Incident | None = None) -> None:
    for card in state.deal.draws[: draw.number - 1]:
        if state.felt.is_untold(card) and state.felt.spot_of(card) is None:
            not_told(state, card)  # it came before this one, whatever readers tell of it later
    state.felt.arrives(draw)
    slots, spot = streets.coming(state), state.felt.spot_of(draw)
    if spot == _BOARD and burns.is_fourth_of_flop(state, draw):
        burns.too_many_of_flop(state, draw)
    elif not slots:
        (_asked_to_put_away if spot is None else _one_too_many)(state, draw, instead_of)
    elif spot == _BOARD:
        too_soon.show(state, [draw], None)
    elif state.early.asked:
        state.early.asked.append(draw)
    elif streets.is_burn(slots[0]):
        (_asked_where if spot is None else _burnt)(state, draw, instead_of)
    elif spot == _BURN:
        _kept_face_down(state, draw)
    else:
        _asked_about(state, draw, instead_of)


def _early_burn(state: HoldemState, draw: Draw, chooser: Chooser) -> Outcome:
    """THL-RD2-2 and its like: a burn that was drawn early is the burn when it is due; play goes on."""
    return Outcome(
        clause=burns.CLAUSES[min(too_soon.round_open(state), streets.RIVER)],
        expected=too_soon.CLOSED,
        observed="early-burn",
        remedies=(Remedy.NEXT_CARD,),
        chooser=chooser,
        severity=Severity.NOTICE,
        draw=draw,
    )


def _burnt(state: HoldemState, draw: Draw, instead_of: Incident | None) -> None:
    carried_out(state, _early_burn(state, draw, Chooser.RULE), instead_of)
    streets.lay(state, draw.number, streets.coming(state)[0])
    state.early.burns.append(draw)


# --- where only the croupier can say where it lies ---


def _asked_where(state: HoldemState, draw: Draw, instead_of: Incident | None) -> None:
    """Ruling "early burn": was it laid down as the burn, or does it lie at a seat or on the board?"""
    cards = state.early
    cards.asked.append(draw)
    cards.question = cards.where = raised(state, _early_burn(state, draw, Chooser.CROUPIER), instead_of=instead_of)
    ask(state, Question.SEEN, "last-card", cards.question)


def _asked_to_put_away(state: HoldemState, draw: Draw, instead_of: Incident | None) -> None:
    """Every card of the hand is dealt: it goes to the discard rack, unless it belongs where it lies."""
    outcome = _without_place(state, draw, expected="no-card", remedy=Remedy.DISCARD)
    state.early.where = raised(state, replace(outcome, chooser=Chooser.CROUPIER), instead_of=instead_of)
    ask(state, Question.PUT_AWAY, _DISCARD, state.early.where)


def places(state: HoldemState, incident: Incident) -> tuple[str, ...]:
    """Where the croupier can say that such a card lies."""
    if incident is not state.early.where:
        return ()
    return (*(f"seat-{seat}" for seat in counts.may_have_too_many(state)), _BOARD)


def _burn_was_seen(state: HoldemState, incident: Incident, draw: Draw) -> None:
    """THL-GEN-14: everybody is shown it; no clause says more of a burn, so the pit boss decides."""
    streets.lay(state, draw.number, streets.coming(state)[0])
    state.early.burns.append(draw)
    other = (Remedy.RETURN_AND_RESHUFFLE, *((Remedy.VOID_HAND,) if can_void(state) else ()))
    escalate(state, incident, (Remedy.NEXT_CARD, *other))


def lies_at(state: HoldemState, incident: Incident, spot: str) -> None:
    """It lies there, as the croupier says: at a seat it is a wrong count; on the board it depends on how many do."""
    draw = incident.draw
    assert draw is not None, "it is about a card"
    if spot == _BOARD:
        incident.spot = spot
        ask(state, Question.COUNT_CARDS, _BOARD, incident)
        return
    stop_waiting(state, incident)
    rest = _forget_asked(state, draw)
    if not counts.one_too_many(state, draw, spot, incident):
        close(state, incident, Remedy.CONTINUE, Chooser.CROUPIER)
        use_next(state, draw)
        ask(state, Question.MOVED, spot)
    for card in rest:
        early(state, card)


def counted(state: HoldemState, pending: Pending, answer: str | int) -> None:
    """How many cards lie on the board: one too many, or as many as there should be, and then two cards were burnt."""
    incident, there = pending.incident, sum(slot.spot == _BOARD for slot in state.deal.at)
    assert incident is not None, "it is asked about a card"
    assert incident.draw is not None, "it is asked about a card"
    if answer != "right" and int(answer) > there:
        _one_more_on_board(state, incident, incident.draw)
        return
    rest = _forget_asked(state, incident.draw)
    burns.came_twice(state, incident.draw, incident)
    for card in rest:
        early(state, card)


def _one_more_on_board(state: HoldemState, incident: Incident, draw: Draw) -> None:
    if not streets.coming(state):
        ask(state, Question.PUT_AWAY, _DISCARD, incident)
    elif burns.is_fourth_of_flop(state, draw) and state.early.asked == [draw]:
        _forget_asked(state, draw)
        burns.too_many_of_flop(state, draw, incident)
    else:
        ask(state, Question.SEEN, streets.coming(state)[0].name, incident)


def _forget_asked(state: HoldemState, draw: Draw) -> list[Draw]:
    """It is known where the card lies: nothing is asked any more. The cards that came after it."""
    cards = state.early
    rest = [card for card in cards.asked if card is not draw]
    cards.asked, cards.question, cards.where = [], None, None
    return rest


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
    use_next(state, draw)


def _asked_about(state: HoldemState, draw: Draw, instead_of: Incident | None) -> None:
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
        instead_of=instead_of,
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
    if incident is state.early.where:
        state.early.where = None
        if is_seen and incident.spot == _BOARD:
            too_soon.show(state, cards, incident)
            return True
        if is_seen and len(cards) == 1 and streets.coming(state):
            _burn_was_seen(state, incident, cards[0])
            return True
    if state.phase.kind in (Kind.IDLE, Kind.BETTING):
        _answered_before_the_deal(state, incident, cards, is_seen=is_seen)
    elif is_seen:
        too_soon.show(state, _laid_face_down(state, cards), incident)
    else:
        # THL-RD2-3, AMB-56: not seen, they are simply the next ones.
        close(state, incident, Remedy.NEXT_CARD, Chooser.CROUPIER)
        for draw in _laid_face_down(state, cards):
            use_next(state, draw)
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
            state.felt.confirmed.add(draw.number)
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
    use_next(state, draw)


# --- the pit boss ---


def _returned(state: HoldemState, incident: Incident) -> None:
    """The pit boss: these cards go back into the stub."""
    if incident is state.early.single:
        too_soon.go_back(state)
        state.early.shown.clear()
    elif incident.draw is not None and incident.draw in state.early.burns:
        stub.give_back(state, [incident.draw])
    else:
        burns.reshuffled(state, incident)


#: What follows from the answer to a question that depends on the error it is about.
ANSWERED_ON: Final = {(Question.COUNT_CARDS, counts.LATE): counted_at_a_seat}
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
        use_next(state, draw)


def _while_held(state: HoldemState, draw: Draw) -> None:
    """A card is due, but something waits for its remedy; then this card is the next one."""
    carried_out(state, _without_place(state, draw, expected="remedy", remedy=Remedy.NEXT_CARD))
    state.deal.wait(draw)


def _one_too_many(state: HoldemState, draw: Draw, instead_of: Incident | None = None) -> None:
    """Every card of the hand is dealt, or on its way: this one goes to the discard rack. `instead_of`: what it was
    taken for until now."""
    carried_out(state, _without_place(state, draw, expected="no-card", remedy=Remedy.DISCARD), instead_of)
    state.say(CardPlaced(draw=draw.number, slot=state.deal.discard(draw)))


def _without_place(state: HoldemState, draw: Draw, *, expected: str, remedy: Remedy) -> Outcome:
    """THL-DLG-3: a card out of the deck for which there is no place now, and what the rule does with it."""
    return Outcome(
        clause=state.rulebook.errors.outside_shoe,
        expected=expected,
        observed="card",
        remedies=(remedy,),
        severity=Severity.NOTICE,
        draw=draw,
    )

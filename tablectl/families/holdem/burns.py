"""Burns left out or made twice, flops of too many or too few cards: what a person says of them, or antennas see
(THL-RD2-2, THL-RD2-3, THL-RD3-2, THL-RD4-2)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from tablectl.core.engine.deal import Draw
from tablectl.core.engine.dealing import say_placed
from tablectl.core.engine.decisions import CardPlaced
from tablectl.core.engine.facts import Declared
from tablectl.core.engine.incidents import ask, can_void, close, escalate
from tablectl.core.engine.outcome import carried_out, raised
from tablectl.core.engine.pending import Incident
from tablectl.core.engine.rule import Outcome, Rule
from tablectl.core.engine.rulebook import DEALT, REOPEN, Kind
from tablectl.core.engine.slots import ASIDE, BOARD, Slot
from tablectl.core.engine.vocabulary import Chooser, Declaration, Question, Refusal, Remedy, Severity
from tablectl.core.options.holdem import BurnFault, FlopCount
from tablectl.families.holdem import streets, stub, too_soon
from tablectl.families.holdem.state import HoldemState

#: By street, the clause on its burn; that on the number of cards of the flop.
CLAUSES: Final = ("THL-RD2-2", "THL-RD3-2", "THL-RD4-2")
FLOP_CLAUSE: Final = "THL-RD2-3"
_ONE: Final = "one-burn"
_FLOP: Final = BOARD[:3]
_BOARD: Final = BOARD[0].spot


def _street(state: HoldemState) -> int | None:
    """The street that is being dealt, or was dealt last and no other one has begun."""
    phase = state.phase
    if phase.street is not None:
        return phase.street
    return phase.round - 1 if phase.kind is Kind.DECIDING and phase.round else None


def _burn_at(state: HoldemState) -> int | None:
    """Where in the plan of that street the burn is, once a card was taken for it."""
    deal = state.deal
    if _street(state) is None or any(slot not in deal.at for slot in deal.plan[: deal.next]):
        # The second: of that street something went back into the deck, so nothing of it is dealt anew.
        return None
    return next((at for at, slot in enumerate(deal.plan[: deal.next]) if streets.is_burn(slot)), None)


def _outcome(state: HoldemState, observed: str, remedy: Remedy, chooser: Chooser = Chooser.RULE) -> Outcome:
    """AMB-22: put right, or the hand is void where the house has it so."""
    street = _street(state)
    clause = CLAUSES[min(too_soon.round_open(state), streets.RIVER) if street is None else street]
    if state.rulebook.house.burn_fault is BurnFault.VOID_HAND and can_void(state):
        return Outcome(clause=clause, expected=_ONE, observed=observed, remedies=(Remedy.VOID_HAND,))
    return Outcome(
        clause=clause,
        expected=_ONE,
        observed=observed,
        remedies=(remedy,),
        chooser=chooser,
        severity=Severity.NOTICE,
        draw=state.deal.last,
    )


# --- no burn ----------------------------------------------------------------------------------------------------------


def _no_burn_applies(state: HoldemState) -> bool:
    if state.phase.kind is Kind.DECIDING:
        return bool(state.early.burns)
    is_whole = bool(state.deal.plan) and state.deal.plan[-1] in state.deal.left_now
    return state.phase.kind is Kind.DEALING and _burn_at(state) is not None and not is_whole


def _no_burn_outcome(state: HoldemState) -> Outcome:
    if state.phase.kind is Kind.DECIDING:
        number = min(too_soon.round_open(state), streets.RIVER)
        clause, observed = too_soon.SHOWN[number]
        remedy = Remedy.SET_ASIDE if number == streets.TURN else Remedy.RETURN_AND_RESHUFFLE
        return Outcome(clause=clause, expected=too_soon.CLOSED, observed=observed, remedies=(remedy,))
    return _left_out(state)


def _no_burn(state: HoldemState, fact: Declared) -> None:
    """The card that was taken for the burn was dealt to the board. In an open round it was shown too soon; after it
    AMB-22: face down it is the burn, face up it stands."""
    if not _no_burn_applies(state):
        state.refuse(Refusal.NO_CARD, CLAUSES[0])
    elif state.phase.kind is Kind.DECIDING:
        too_soon.show(state, [state.early.burns.pop()], None)
    else:
        _is_left_out(state)


def _left_out(state: HoldemState) -> Outcome:
    """AMB-22: whether the card lies face up shows only where others have followed it."""
    at, deal = _burn_at(state), state.deal
    is_up = at is not None and (deal.next > at + 1 or bool(deal.left_now))
    return _outcome(state, Declaration.NO_BURN, Remedy.NO_BURN, Chooser.RULE if is_up else Chooser.CROUPIER)


def _is_left_out(state: HoldemState) -> None:
    outcome = _left_out(state)
    if outcome.chooser is Chooser.CROUPIER:
        state.early.no_burn = raised(state, outcome)
        due = state.deal.due
        ask(state, Question.SEEN, due.name if due is not None else _BOARD, state.early.no_burn)
    elif carried_out(state, outcome).remedies == (Remedy.NO_BURN,):
        _without_burn(state)


def _without_burn(state: HoldemState) -> None:
    """What was taken for the burn is the first common card, and so on; nothing more is burnt for this street."""
    deal, at = state.deal, _burn_at(state)
    assert at is not None, "a card was taken for it"
    state.early.spent.add(deal.plan[at])
    _dealt_as(state, [slot for slot in deal.plan if not streets.is_burn(slot)])
    if deal.due is None and state.phase.kind is Kind.DEALING:
        state.fire(DEALT)


def _dealt_as(state: HoldemState, plan: list[Slot]) -> None:
    """The cards that were dealt fill another plan, in the same order; one that it has no place for is the next card."""
    changed, too_many = state.deal.rewrite(plan)
    say_placed(state, changed)
    for draw in too_many:
        state.deal.wait(draw)


# --- two burns --------------------------------------------------------------------------------------------------------


def _double_applies(state: HoldemState) -> bool:
    at = _burn_at(state)
    return at is not None and state.deal.next > at + 1


def _is_second_unturned(state: HoldemState) -> bool:
    """Whether the second burn, which was taken for a common card, was drawn last: no common card is up."""
    deal, at = state.deal, _burn_at(state)
    if at is None or deal.next != at + 2 or deal.last is None:
        return False
    return deal.last.slot is deal.plan[at + 1]


def _double_outcome(state: HoldemState) -> Outcome:
    remedy = Remedy.NEXT_CARD if _is_second_unturned(state) else Remedy.CONTINUE
    return _outcome(state, Declaration.DOUBLE_BURN, remedy)


def _double_burn(state: HoldemState, fact: Declared) -> None:
    """AMB-22: a second burn that nobody saw is the next card; where common cards are up already, it stands."""
    if not _double_applies(state):
        state.refuse(Refusal.NO_CARD, CLAUSES[0])
        return
    incident = carried_out(state, _double_outcome(state))
    if incident.remedies == (Remedy.NEXT_CARD,):
        last = state.deal.last
        assert last is not None, "two were drawn"
        assert last.slot is not None, "and each was taken for one of the plan"
        ask(state, Question.MOVED, last.slot.name)
    elif incident.remedies == (Remedy.CONTINUE,):
        _with_two_burns(state)


def came_twice(state: HoldemState, draw: Draw, instead_of: Incident) -> None:
    """A card that came when every card was dealt shows it: it is the last common card of the street. `instead_of`: what
    it was taken for until now."""
    if not _double_applies(state):
        close(state, instead_of, Remedy.NEXT_CARD, Chooser.CROUPIER)
    elif carried_out(state, _double_outcome(state), instead_of).remedies == (Remedy.CONTINUE,):
        state.early.burns.insert(0, draw)
        _with_two_burns(state)


def _with_two_burns(state: HoldemState) -> None:
    """Every card after the first burn is one place further on; the last common card came as a burn too soon, or is
    still to come."""
    deal, at = state.deal, _burn_at(state)
    assert at is not None, "a card was taken for it"
    early = state.early.burns
    following = early.pop(0) if early else None
    if following is not None and following.slot is not None:
        del deal.at[following.slot]
    _dealt_as(state, [*deal.plan[: at + 1], streets.free_burn(state, beside=True), *deal.plan[at + 1 :]])
    if following is not None:
        state.say(CardPlaced(draw=following.number, slot=deal.place(following)))
    if deal.due is not None and state.phase.kind is Kind.DECIDING and state.fire(REOPEN):
        state.entered = None


# --- a flop of two or four --------------------------------------------------------------------------------------------


def _flop_applies(state: HoldemState) -> bool:
    return _street(state) == streets.FLOP and state.phase.kind is Kind.DECIDING


def _flop_outcome(state: HoldemState) -> Outcome:
    return Outcome(
        clause=FLOP_CLAUSE,
        expected="three-cards",
        observed=Declaration.FLOP_COUNT,
        remedies=_flop_remedies(state, Remedy.CONTINUE, is_seen=False),
        chooser=Chooser.PIT_BOSS,
    )


def _flop_remedies(state: HoldemState, keep: Remedy, *, is_seen: bool) -> tuple[Remedy, ...]:
    """AMB-21: an extra card that nobody saw is the next one, a missing one is drawn; one that was seen goes by
    THL-CRE-7. Or all is shuffled. `keep`: what it is called where nothing is shuffled."""
    keeps = state.rulebook.house.flop_count is FlopCount.KEEP_UNSEEN and not is_seen
    both = (keep, Remedy.RETURN_AND_RESHUFFLE)
    return (*(both if keeps else both[::-1]), *((Remedy.VOID_HAND,) if can_void(state) else ()))


def _flop_count(state: HoldemState, fact: Declared) -> None:
    """THL-RD2-3: so many cards lie in the flop. It is put right as far as that goes, and the pit boss confirms it."""
    extra = _after_the_flop(state)
    if not _flop_applies(state):
        state.refuse(Refusal.NOT_LIVE, FLOP_CLAUSE)
    elif fact.cards == len(_FLOP) or fact.cards is None:
        state.refuse(Refusal.COUNT_IS_RIGHT, FLOP_CLAUSE)
    elif fact.cards > len(_FLOP) and extra is None:
        state.refuse(Refusal.NO_CARD, FLOP_CLAUSE)
    elif fact.cards < len(_FLOP) - 1 or fact.cards > len(_FLOP) + 1 or not _flop_lies(state):
        state.refuse(Refusal.NOT_LIVE, FLOP_CLAUSE, f"cards={fact.cards}")
    elif fact.cards > len(_FLOP):
        _is_fourth_seen(state, None)
    elif _burn_at(state) is None:
        state.refuse(Refusal.NO_CARD, FLOP_CLAUSE)
    else:
        state.early.flop = carried_out(state, _flop_outcome(state))
        _with_two_burns(state)


def _flop_lies(state: HoldemState) -> bool:
    return all(slot in state.deal.at for slot in _FLOP)


def _is_fourth_seen(state: HoldemState, draw: Draw | None, instead_of: Incident | None = None) -> None:
    """AMB-21: it decides whether anybody saw the fourth card. `draw`: where it has no place of its own."""
    state.early.flop = raised(
        state,
        Outcome(
            clause=FLOP_CLAUSE,
            expected="three-cards",
            observed=Declaration.FLOP_COUNT,
            remedies=_flop_remedies(state, Remedy.NEXT_CARD, is_seen=False),
            chooser=Chooser.CROUPIER,
            draw=draw,
        ),
        instead_of=instead_of,
    )
    ask(state, Question.SEEN, "last-card", state.early.flop)


def _after_the_flop(state: HoldemState) -> Draw | None:
    """The card that was drawn next after the flop, where it was taken for a burn, or waits to be the turn."""
    third = state.deal.at.get(_FLOP[2])
    early = [*state.early.burns, *state.deal.waiting]
    return next((draw for draw in early if third is not None and draw.number == third.number + 1), None)


def is_fourth_of_flop(state: HoldemState, draw: Draw) -> bool:
    """Whether a card that an antenna sees on the board came with the flop: next after it, before anybody acted."""
    third, rounds = state.deal.at.get(_FLOP[2]), state.rounds
    if _street(state) != streets.FLOP or third is None or rounds is None or not _flop_lies(state):
        return False
    return draw.number == third.number + 1 and not rounds.can_undo


def too_many_of_flop(state: HoldemState, draw: Draw, instead_of: Incident | None = None) -> None:
    """A fourth card lies on the board. It may lie face down: where it lies does not tell whether anybody saw it.
    `instead_of`: what it was taken for until now."""
    if draw.slot is not None:
        del state.deal.at[draw.slot]
        draw.slot = None
    _is_fourth_seen(state, draw, instead_of)


def _aside(state: HoldemState, draw: Draw) -> None:
    streets.lay(state, draw.number, next((slot for slot in ASIDE if slot not in state.deal.at), ASIDE[-1]))
    state.felt.confirmed.add(draw.number)


# --- what is answered and ruled ---------------------------------------------------------------------------------------


def answered(state: HoldemState, incident: Incident, *, is_seen: bool) -> bool:
    """Whether the card in question was seen. False where the question is not about a burn or the flop."""
    cards = state.early
    if incident is cards.no_burn:
        close(state, incident, Remedy.NO_BURN if is_seen else Remedy.CORRECT, Chooser.CROUPIER)
        if is_seen and _burn_at(state) is not None:
            _without_burn(state)
        elif not is_seen and incident.draw is not None:
            _goes_to_the_burns(state, incident.draw)
        return True
    if incident is not cards.flop:
        return False
    extra = incident.draw or _after_the_flop(state)
    if is_seen and extra is not None:
        incident.draw = None
        cards.burns = [draw for draw in cards.burns if draw is not extra]
        state.deal.waiting = [draw for draw in state.deal.waiting if draw is not extra]
        if cards.shown:
            cards.flop = None
            too_soon.show(state, [extra], incident)  # others were shown meanwhile: these are two or more (THL-CRE-7)
            return True
        _aside(state, extra)
    keep = Remedy.CONTINUE if is_seen else Remedy.NEXT_CARD
    escalate(state, incident, _flop_remedies(state, keep, is_seen=is_seen))
    return True


def _goes_to_the_burns(state: HoldemState, draw: Draw) -> None:
    """It is the burn: where it is seen on the board, it is to be moved."""
    if draw.slot is not None and state.felt.spot_of(draw) == _BOARD:
        ask(state, Question.MOVED, draw.slot.name)


def reshuffled(state: HoldemState, incident: Incident) -> None:
    """THL-CRE-7 by analogy: the cards of the flop, and the one too many, go back into the stub, and three others come
    without a burn."""
    if incident is not state.early.flop:
        return
    at = state.deal.at
    flop = [at[slot] for slot in _FLOP if slot in at]
    aside = [at[slot] for slot in ASIDE if slot in at and at[slot] not in state.early.later]
    fourth = [incident.draw] if incident.draw is not None else []
    stub.give_back(state, [*flop, *aside, *fourth])
    if state.phase.kind is Kind.DECIDING and state.fire(REOPEN):
        state.entered = None
    state.deal.start(_FLOP)


def lies_elsewhere(state: HoldemState, draw: Draw, slot: Slot, spot: str) -> bool:
    """Antennas: what should be burnt lies on the board, or a common card where burns lie. True where that is all that
    follows."""
    at = _burn_at(state)
    if at is None or state.deal.at.get(slot) is not draw:
        return False
    deal = state.deal
    if slot is deal.plan[at] and spot == _BOARD:
        _is_left_out(state)
        return True
    if slot in BOARD and slot in deal.plan and spot == deal.plan[at].spot:
        incident = carried_out(state, _outcome(state, Declaration.DOUBLE_BURN, Remedy.NEXT_CARD))
        if incident.remedies == (Remedy.NEXT_CARD,):
            ask(state, Question.MOVED, slot.name)
        return True
    return False


RULES: Final[Mapping[Declaration, Rule[HoldemState]]] = {
    Declaration.NO_BURN: Rule(applies=_no_burn_applies, foretells=_no_burn_outcome, does=_no_burn),
    Declaration.DOUBLE_BURN: Rule(applies=_double_applies, foretells=_double_outcome, does=_double_burn),
    Declaration.FLOP_COUNT: Rule(applies=_flop_applies, foretells=_flop_outcome, does=_flop_count),
}

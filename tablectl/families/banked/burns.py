"""A burn left out or made twice before common cards (THB-DEV-13, -17, -22; AMB-22): a person says so, on all equipment.

As long as no common card of that deal is up it is put right: the card that should have been burnt is, and a second burn
that nobody saw is the next card (THB-ERR-4). A common card that is up stands: then the deal goes on with the burns that
there are.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from tablectl.core.engine.deal import Draw
from tablectl.core.engine.dealing import early, say_placed
from tablectl.core.engine.decisions import CardPlaced
from tablectl.core.engine.facts import Declared
from tablectl.core.engine.incidents import ask, close
from tablectl.core.engine.outcome import carried_out, raised
from tablectl.core.engine.pending import Incident
from tablectl.core.engine.rule import Outcome
from tablectl.core.engine.rulebook import DEALT, IN_HAND, Kind
from tablectl.core.engine.slots import BOARD, BURN, Slot
from tablectl.core.engine.vocabulary import Chooser, Declaration, Question, Refusal, Remedy, Severity
from tablectl.families.banked.reopening import reopen
from tablectl.families.banked.state import BankedState

_BURN: Final = BURN[0].spot
_BOARD: Final = BOARD[0].spot


def _clause(state: BankedState) -> str | None:
    """That on the burn of the common cards that are dealt, or were dealt last; None where a card was not taken for
    it."""
    deal = state.deal
    if state.phase.kind not in IN_HAND or not deal.next or deal.plan[0].spot != _BURN:
        return None
    if any(slot not in deal.at for slot in deal.plan[: deal.next]):
        return None
    dealing = (phase for phase in state.rulebook.phases.values() if phase.plan is not None)
    return next((step.burns for step in dealing if step.plan and deal.plan[0] in step.plan(state.order)), None)


def _refuse(state: BankedState, fact: Declared) -> None:
    first = next((phase.burns for phase in state.rulebook.phases.values() if phase.burns is not None), None)
    if first is None:
        state.refuse(Refusal.NOT_LIVE, detail=fact.what)  # nothing is burnt in such a game (AMB-81)
    else:
        state.refuse(Refusal.NO_CARD, first)


def _outcome(state: BankedState, observed: Declaration, remedy: Remedy, *, is_up: bool) -> Outcome:
    clause = _clause(state)
    assert clause is not None, "it applies"
    return Outcome(
        clause=clause,
        expected="one-burn",
        observed=observed,
        remedies=(remedy,),
        severity=Severity.ALERT if is_up else Severity.NOTICE,
        draw=state.deal.at[state.deal.plan[0]],
    )


# --- no burn --------------------------------------------------------------------------------------------------------


def no_burn_applies(state: BankedState) -> bool:
    """Whether the first card of these common cards can have been dealt to the board instead of being burnt."""
    return _clause(state) is not None


def _is_up(state: BankedState) -> bool:
    """Whether it is sure to lie open on the board: others followed it, and if they have just been put away."""
    return state.deal.next > 1 or bool(state.deal.left_now)


def no_burn_outcome(state: BankedState) -> Outcome:
    """AMB-22: face down it is the burn, face up it stands; the croupier is asked where nothing tells."""
    is_up = _is_up(state)
    outcome = _outcome(state, Declaration.NO_BURN, Remedy.NO_BURN, is_up=is_up)
    return outcome if is_up else replace(outcome, chooser=Chooser.CROUPIER)


def no_burn(state: BankedState, fact: Declared) -> None:
    """The burn was forgotten."""
    if not no_burn_applies(state):
        _refuse(state, fact)
    else:
        _is_left_out(state)


def lies_elsewhere(state: BankedState, draw: Draw, slot: Slot, spot: str) -> bool:
    """What should be burnt is seen on the board: only a person can say whether it lies open. False where it is
    something else."""
    if (
        slot.spot != _BURN
        or spot != _BOARD
        or not no_burn_applies(state)
        or state.deal.at[state.deal.plan[0]] is not draw
    ):
        return False
    _is_left_out(state)
    return True


def _is_left_out(state: BankedState) -> None:
    outcome = no_burn_outcome(state)
    if outcome.chooser is Chooser.RULE:
        carried_out(state, outcome)
        _without_burn(state)
        return
    due = state.deal.due
    ask(state, Question.SEEN, _BOARD if due is None else due.name, raised(state, outcome))


def answered(state: BankedState, incident: Incident, *, is_seen: bool) -> bool:
    """Whether the card that was to be burnt lies open. False where something else is asked."""
    if incident.remedies != (Remedy.NO_BURN,):
        return False
    close(state, incident, Remedy.NO_BURN if is_seen else Remedy.BURN_IT_INSTEAD, Chooser.CROUPIER)
    if is_seen and no_burn_applies(state):
        _without_burn(state)
    elif incident.draw is not None and incident.draw.slot is not None:
        ask(state, Question.MOVED, incident.draw.slot.name)
    return True


def _without_burn(state: BankedState) -> None:
    """What was taken for the burn is the first common card, and so on. One that was drawn because the table asked for
    it is one too many."""
    too_many = _dealt_as(state, [slot for slot in state.deal.plan if slot.spot != _BURN])
    if state.deal.due is None and state.phase.kind is Kind.DEALING:
        state.fire(DEALT)
    for draw in too_many:
        early(state, draw)


# --- two burns --------------------------------------------------------------------------------------------------------


def double_burn_applies(state: BankedState) -> bool:
    """Whether the card after the burn can have been burnt, too."""
    return _clause(state) is not None and state.deal.next > 1


def _is_second_unturned(state: BankedState) -> bool:
    """Whether the second burn, which was taken for a common card, was drawn last: no common card is up."""
    deal = state.deal
    return deal.next == 2 and deal.last is not None and deal.last.slot is deal.plan[1]


def double_burn_outcome(state: BankedState) -> Outcome:
    """AMB-22: unseen it is the next card, to be laid where it belongs; after a common card that is up it stays
    burnt."""
    if _is_second_unturned(state):
        return _outcome(state, Declaration.DOUBLE_BURN, Remedy.NEXT_CARD, is_up=False)
    return _outcome(state, Declaration.DOUBLE_BURN, Remedy.CONTINUE, is_up=True)


def double_burn(state: BankedState, fact: Declared) -> None:
    """Two cards were burnt."""
    if not double_burn_applies(state):
        _refuse(state, fact)
        return
    if carried_out(state, double_burn_outcome(state)).remedies == (Remedy.CONTINUE,):
        _with_two_burns(state)
    else:
        ask(state, Question.MOVED, state.deal.plan[1].name)


def are_dealt(state: BankedState) -> bool:
    """Whether a burn belongs to the common cards that are dealt, or were dealt last."""
    return _clause(state) is not None


def came_twice(state: BankedState) -> None:
    """A card drawn too late shows it: all others are one place further on."""
    if double_burn_applies(state):
        carried_out(state, double_burn_outcome(state))
        _with_two_burns(state)


def _with_two_burns(state: BankedState) -> None:
    """Every card after the first burn is one place further on; the last common card came already, as one too soon, or
    is still to come."""
    deal = state.deal
    own = {slot for phase in state.rulebook.phases.values() if phase.plan for slot in phase.plan(state.order)}
    second = next(slot for slot in BURN if slot not in own and slot not in deal.at)
    _dealt_as(state, [deal.plan[0], second, *deal.plan[1:]])
    following = _taken_from_waiting(state)
    if following is not None:
        state.say(CardPlaced(draw=following.number, slot=deal.place(following)))
    else:
        reopen(state)


def _taken_from_waiting(state: BankedState) -> Draw | None:
    """The card that was drawn after these, if one was: in question, or waiting to be the next one."""
    for pending in state.asking:
        incident = pending.incident
        if incident is not None and incident.draw is not None and incident.draw.slot is None:
            close(state, incident, Remedy.NEXT_CARD, Chooser.RULE)
            return incident.draw
    return state.deal.waiting.pop(0) if state.deal.waiting else None


def _dealt_as(state: BankedState, plan: list[Slot]) -> list[Draw]:
    """The cards that were dealt fill another plan, in the same order; those that it has no place for. What antennas had
    asked about their places is answered by it."""
    changed, too_many = state.deal.rewrite(plan)
    say_placed(state, changed)
    for pending in list(state.asking):
        incident = pending.incident
        if pending.question is Question.MOVED and incident is not None and incident.draw in changed:
            close(state, incident, Remedy.CONTINUE, Chooser.RULE)
    return too_many

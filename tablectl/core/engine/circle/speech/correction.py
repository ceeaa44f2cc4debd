"""The croupier corrects his last entry: everything is as it was before it, until the next entry or card.

It is no irregularity of the betting (THL-PLE-16 is one), and it is journalled as `TakenBack`.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from tablectl.core.engine.circle.betting.moves import Done
from tablectl.core.engine.circle.draw import openings
from tablectl.core.engine.circle.memory import Memory
from tablectl.core.engine.decisions import Stored, TakenBack
from tablectl.core.engine.facts import BESIDE_THE_GAME, Fact
from tablectl.core.engine.slots import Slot
from tablectl.core.engine.state import State
from tablectl.core.engine.words import Action, Refusal, Tracking
from tablectl.core.records import record

if TYPE_CHECKING:
    from tablectl.core.engine.circle.speech.out_of_turn import Waiting


@record
class Entry:
    """How it was before an entry: so many things done in this round, and what else an entry changes."""

    done: int
    phase: str
    plan: tuple[Slot, ...]
    next: int
    stored: Mapping[int, Waiting]
    behind: tuple[int, ...]
    frozen: Mapping[int, int | None]
    #: how many cards lay somewhere
    laid: int


def before(state: State, circle: Memory) -> Entry:
    """What an entry that is made now can be taken back to."""
    rounds, deal = circle.rounds, state.deal
    return Entry(
        done=rounds.n_done if rounds is not None else 0,
        phase=state.machine.phase.name,
        plan=deal.plan,
        next=deal.next,
        stored=circle.stored,
        behind=circle.behind,
        frozen=circle.frozen,
        laid=len(deal.at),
    )


def forget(state: State, circle: Memory, fact: Fact, entry: Entry | None) -> None:
    """After a fact: an entry that was there before it is the last one no more, if anything followed from the fact.

    What was refused changed nothing, so it is no entry.
    """
    if circle.entry is entry and type(fact) not in BESIDE_THE_GAME and not state.is_all_refused:
        circle.entry = None


def possible(state: State) -> bool:
    """Whether the last entry can still be corrected: nothing was entered and no card has come since, also none that was
    out already and is a card of the next street now."""
    circle = state.circle
    if circle is None or circle.entry is None or circle.rounds is None or state.held:
        return False
    if circle.entry.phase == state.phase.name:
        return True
    has_come = len(state.deal.at) > circle.entry.laid
    return state.machine.refusal("take-back", state) is None and not state.deal.waiting and not has_come


def take_back(state: State, circle: Memory) -> None:
    """Everything that the last entry did, and what followed from it by itself, is undone."""
    entry = circle.entry
    if entry is None or not possible(state):
        state.refuse(Refusal.NOTHING_TO_TAKE_BACK)
        return
    if entry.phase != state.phase.name:
        reopen(state, circle)
    undo(state, circle, entry.done)
    for seat, waiting in circle.stored.items():
        if seat not in entry.stored:
            state.say(TakenBack(seat=seat, action=waiting.action))
    for seat, waiting in entry.stored.items():
        if seat not in circle.stored:
            state.say(Stored(seat=seat, action=waiting.action, to=waiting.to))
    circle.stored, circle.behind, circle.frozen = entry.stored, entry.behind, entry.frozen
    circle.entry, circle.chosen, circle.is_all_in = None, None, False


def undo(state: State, circle: Memory, down_to: int) -> None:
    """Take back what was done in this round, the last thing first, until so many things are left."""
    rounds = circle.rounds
    assert rounds is not None
    while rounds.n_done > down_to:
        done = rounds.undo()
        if state.is_draw:
            openings.taken_back(circle, done)
        if done.action is Action.FOLD:
            state.seats.unfold(done.seat)
            circle.final_folds.discard(done.seat)
        elif state.setup.tracking is Tracking.ROUNDS:
            # Nobody entered what the seats did in a round that is only closed.
            continue
        state.say(TakenBack(seat=done.seat, action=done.action))


def since(state: State, done: tuple[Done, ...], seat: int) -> tuple[Done, ...]:
    """What was done in this round from the last action of this seat on, that one first. Empty where it has none, or
    where a hand has been declared dead since: that was no player's action, and is not undone with them."""
    at = next((at for at in range(len(done) - 1, -1, -1) if done[at].seat == seat), len(done))
    folded = (state.seats[each.seat] for each in done[at:] if each.action is Action.FOLD)
    return () if any(held.void or held.withdrawn for held in folded) else done[at:]


def reopen(state: State, circle: Memory) -> None:
    """The round that the last entry closed is open again; nobody's action is undone."""
    entry = circle.entry
    assert entry is not None, "only an entry closes a round"
    if circle.rounds is not None:
        circle.final_folds -= circle.rounds.folds_facing_a_bet
    state.fire("take-back")
    circle.entered = None
    state.deal.plan, state.deal.next = entry.plan, entry.next
    circle.won.clear()
    circle.to_show, circle.has_shown = [], set()
    if state.is_draw:
        openings.round_reopened(circle)

"""The croupier corrects his last entry: everything is as it was before it, until the next entry or card.

It is no irregularity of the betting (THL-PLE-16 is one), and it is journalled as `TakenBack`.
"""

from __future__ import annotations

from tablectl.core.engine.decisions import Stored, TakenBack
from tablectl.core.engine.facts import BESIDE_THE_GAME, Fact
from tablectl.core.engine.vocabulary import Action, Refusal, Tracking
from tablectl.families.pots import awards
from tablectl.families.pots.betting.legal import Done
from tablectl.families.pots.state import Entry, PotGameState


def before(state: PotGameState) -> Entry:
    """What an entry that is made now can be taken back to."""
    rounds, deal = state.rounds, state.deal
    return Entry(
        done=rounds.n_done if rounds is not None else 0,
        phase=state.machine.phase.name,
        plan=deal.plan,
        next=deal.next,
        stored=state.stored,
        acted_after=state.acted_after,
        frozen=state.frozen,
        laid=len(deal.at),
    )


def forget(state: PotGameState, fact: Fact, entry: Entry | None) -> None:
    """After a fact: an entry that was there before it is the last one no more, if anything followed from the fact.

    What was refused changed nothing, so it is no entry.
    """
    if state.entry is entry and type(fact) not in BESIDE_THE_GAME and not state.is_all_refused:
        state.entry = None


def possible(state: PotGameState) -> bool:
    """Whether the last entry can still be corrected: nothing was entered and no card has come since, also none that was
    out already and is a card of the next street now."""
    if state.entry is None or state.rounds is None or state.held:
        return False
    if state.entry.phase == state.phase.name:
        return True
    has_come = len(state.deal.at) > state.entry.laid
    return state.machine.refusal("take-back", state) is None and not state.deal.waiting and not has_come


def take_back(state: PotGameState) -> None:
    """Everything that the last entry did, and what followed from it by itself, is undone."""
    entry = state.entry
    if entry is None or not possible(state):
        state.refuse(Refusal.NOTHING_TO_TAKE_BACK)
        return
    if entry.phase != state.phase.name:
        reopen(state)
    undo(state, entry.done)
    for seat, waiting in state.stored.items():
        if seat not in entry.stored:
            state.say(TakenBack(seat=seat, action=waiting.action))
    for seat, waiting in entry.stored.items():
        if seat not in state.stored:
            state.say(Stored(seat=seat, action=waiting.action, to=waiting.to))
    state.stored, state.acted_after, state.frozen = entry.stored, entry.acted_after, entry.frozen
    state.entry, state.chosen, state.is_all_in = None, None, False


def undo(state: PotGameState, down_to: int) -> None:
    """Take back what was done in this round, the last thing first, until so many things are left."""
    rounds = state.rounds
    assert rounds is not None
    while rounds.n_done > down_to:
        done = rounds.undo()
        state.family.action_undone(state, done)
        if done.action is Action.FOLD:
            state.seats.unfold(done.seat)
            state.final_folds.discard(done.seat)
        elif state.setup.tracking is Tracking.ROUNDS:
            # Nobody entered what the seats did in a round that is only closed.
            continue
        state.say(TakenBack(seat=done.seat, action=done.action))


def since(state: PotGameState, done: tuple[Done, ...], seat: int) -> tuple[Done, ...]:
    """What was done in this round from the last action of this seat on, that one first. Empty where it has none, or
    where a hand has been declared dead since: that was no player's action, and is not undone with them."""
    at = next((at for at in range(len(done) - 1, -1, -1) if done[at].seat == seat), len(done))
    folded = (state.seats[entry.seat] for entry in done[at:] if entry.action is Action.FOLD)
    return () if any(held.void or held.withdrawn for held in folded) else done[at:]


def reopen(state: PotGameState) -> None:
    """The round that the last entry closed is open again; nobody's action is undone."""
    entry = state.entry
    assert entry is not None, "only an entry closes a round"
    if state.rounds is not None:
        state.final_folds -= state.rounds.folds_facing_a_bet
    state.fire("take-back")
    state.entered = None
    state.deal.plan, state.deal.next = entry.plan, entry.next
    awards.forget(state)
    state.to_show, state.has_shown = [], set()
    state.family.round_reopened(state)

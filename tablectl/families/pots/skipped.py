"""A player who was passed over (THL-PLE-13, AMB-27, THO-RND-2).

He keeps his right to act if he speaks up before two players after him have acted. What one did after him stands where
it is still legal when that one's turn comes, as any action out of turn (THL-PLE-6), and is taken back otherwise. After
two he has lost his say, if the pit boss confirms it: he checks, or folds where a bet is outstanding; or his hand is
dead (`skipped_late`).

Actions are entered in turn, so the table knows of a skip in two ways. Actions after the seat in turn were entered as
such, out of turn: they wait, and the second one ends his right by itself. Or the croupier noticed nothing and entered
what the others did for him and those after him: then every entry from his own on belongs to a seat further.

Where only rounds are entered the controller knows no turn that could be passed over or given back, so it is not
offered: the croupier calls the pit boss.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import Final

from tablectl.core.engine.facts import Acted
from tablectl.core.engine.outcome import carried_out
from tablectl.core.engine.pending import Incident
from tablectl.core.engine.rule import Outcome
from tablectl.core.engine.rulebook import Kind
from tablectl.core.engine.vocabulary import Action, Chooser, Remedy, Severity, Tracking
from tablectl.core.options.pots import SkippedLate
from tablectl.families.pots import correction, out_of_turn, speaking
from tablectl.families.pots.betting.legal import Done
from tablectl.families.pots.state import PotGameState

#: So many after him, and it is too late.
TOO_LATE = 2

OUTCOME = Outcome(
    clause="THL-PLE-13",
    expected="in-turn",
    observed="skipped",
    remedies=(Remedy.TAKE_BACK,),
    severity=Severity.NOTICE,
)
_BETS: Final = (Action.BET, Action.RAISE, Action.ALL_IN)
#: The first remedy is proposed: what the others did binds, and he has lost his say.
_LATE = replace(OUTCOME, remedies=(Remedy.BIND, Remedy.TAKE_BACK), chooser=Chooser.PIT_BOSS, severity=Severity.ALERT)


def seats(state: PotGameState) -> tuple[int, ...]:
    """Who can have been passed over: the seat in turn, where others acted after it, and whoever has an entry."""
    if state.rounds is None or state.phase.kind is not Kind.DECIDING:
        return ()
    if state.setup.tracking is Tracking.ROUNDS:
        return ()
    return tuple(seat for seat in state.order if n_acted_after(state, seat))


def foretold(state: PotGameState) -> Outcome:
    """As it will be for whoever of them is in time; where nobody can be, it is the pit boss's."""
    is_late = all(n_acted_after(state, seat) >= TOO_LATE for seat in seats(state))
    return _LATE if is_late else OUTCOME


def n_acted_after(state: PotGameState, seat: int) -> int:
    """How many players have acted after this seat since it should have spoken."""
    rounds = state.rounds
    assert rounds is not None
    if seat == rounds.turn:
        return len(state.acted_after)
    return len({done.seat for done in correction.since(state, rounds.done, seat)})


def claimed(state: PotGameState, seat: int) -> None:
    """He says that he was passed over."""
    if n_acted_after(state, seat) >= TOO_LATE:
        carried_out(state, replace(_LATE, seats=(seat,)))
        return
    carried_out(state, replace(OUTCOME, seats=(seat,)))
    upheld(state, seat)


def passed_over(state: PotGameState) -> None:
    """A second player has acted after the one in turn, and that one said nothing: it is too late for him."""
    rounds = state.rounds
    if rounds is None or state.phase.kind is not Kind.DECIDING or rounds.turn is None:
        return
    if len(state.acted_after) == TOO_LATE:
        carried_out(state, replace(_LATE, seats=(rounds.turn,)))


def upheld(state: PotGameState, seat: int) -> None:
    """It is his turn; what was done after him waits for its own."""
    if seat != state.turn:
        _wait(state, seat, _undone(state, seat))
    state.entry = None


def lost(state: PotGameState, incident: Incident) -> None:
    """AMB-27: he has no say in this round any more; what was done after him follows. A bet made there is outstanding,
    and he is not asked about it."""
    rules = state.rulebook
    (seat,) = incident.seats
    rounds = state.rounds
    if rounds is None or state.phase.kind is not Kind.DECIDING:
        return
    undone = () if seat == rounds.turn else _undone(state, seat)
    if seat != rounds.turn:
        return
    after_him = {*(stored.action for stored in state.stored.values()), *(entry.action for entry in undone)}
    may_check = rounds.legal().may_check and after_him.isdisjoint(_BETS)
    if may_check and rules.house.skipped_late is SkippedLate.LOSES_THE_ROUND:
        speaking.speak(state, Action.CHECK)
    else:
        speaking.fold(state)
    _wait(state, seat, undone)
    state.entry = None


def _undone(state: PotGameState, seat: int) -> tuple[Done, ...]:
    """Back to where this seat should have spoken; what had been entered from there on."""
    rounds = state.rounds
    assert rounds is not None
    entries = correction.since(state, rounds.done, seat)
    correction.undo(state, len(rounds.done) - len(entries))
    return entries


def _wait(state: PotGameState, seat: int, entries: Iterable[Done]) -> None:
    """Each of these actions is that of a seat further than it was entered for, and waits for its turn."""
    rounds = state.rounds
    assert rounds is not None
    able = [number for number in _after(rounds.order, seat) if rounds.is_in(number) and not rounds.is_all_in(number)]
    for other, done in zip(able, entries, strict=False):
        to = done.to if done.action in (Action.BET, Action.RAISE) else None
        fact = Acted(at_us=0, action=done.action, seat=other, to=to, is_all_in=done.is_all_in and to is None)
        if state.phase.kind is Kind.DECIDING and other not in state.stored:
            out_of_turn.store(state, fact, other)
            state.acted_after = (*state.acted_after, other)


def _after(order: tuple[int, ...], seat: int) -> tuple[int, ...]:
    at = order.index(seat) + 1
    return (*order[at:], *order[: at - 1])

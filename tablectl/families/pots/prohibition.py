"""What players may not do, as data: who can have done it, what follows at once, and what when he does it again.

No prohibition of the documents carries a penalty: the first time it is recorded with a warning, and when the same
player does the same again in this session the pit boss decides (AMB-36). A hand is never void by itself.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any, Final

from tablectl.core.engine.decisions import SeatExpelled
from tablectl.core.engine.facts import Declared
from tablectl.core.engine.outcome import carried_out
from tablectl.core.engine.pending import Incident
from tablectl.core.engine.rule import Outcome, Rule
from tablectl.core.engine.rulebook import Kind
from tablectl.core.engine.seat_said import one_seat, seat_of
from tablectl.core.engine.vocabulary import Chooser, Declaration, Refusal, Remedy, Severity
from tablectl.core.options.shared import Prohibitions
from tablectl.core.records import record
from tablectl.families.pots import attendance
from tablectl.families.pots.state import PotGameState

_FAIR: Final = "fair-play"


def at_the_table(state: PotGameState) -> tuple[int, ...]:
    """Whoever has a seat, in the hand or not."""
    there = (player.seat for player in state.players)
    return tuple(sorted({*there, *state.order}))


def when_cards_are_out(state: PotGameState) -> tuple[int, ...]:
    """The hand has begun with its first card (AMB-79)."""
    is_dealt = state.rounds is not None and bool(state.deal.at)
    return state.order if is_dealt else ()


def while_cards_count(state: PotGameState) -> tuple[int, ...]:
    """The same, until the hand is annulled: no card of it is used any more, no stake is left in it, and what a player
    does with discards or chips from then on has no consequence."""
    return () if state.phase.kind is Kind.VOIDED else when_cards_are_out(state)


@record
class Prohibition:
    """One thing that a player may not do. `first`: what is done at once, `again` the clause that sends a repetition to
    the pit boss (None: it never does). `who`: the seats it can be about; `by_document`: whether the document itself
    says warn and then the pit boss, whatever the house chose for what carries no penalty."""

    clause: str
    who: Callable[[Any], tuple[int, ...]]
    first: Remedy = Remedy.WARN
    again: str | None
    by_document: bool = False
    severity: Severity = Severity.NOTICE
    #: whether a seat has to be named: it may have been nobody's doing but the croupier's
    of_a_seat: bool = True
    #: the pit boss has it the first time already
    at_once: bool = False


def rule_of(what: Declaration, rules: Prohibition) -> Rule[PotGameState]:
    """The line of the table of declarations."""
    return Rule(
        applies=lambda state: bool(rules.who(state)),
        foretells=lambda state: _outcome(state, what, rules),
        does=lambda state, fact: _done(state, fact, rules),
    )


def _outcome(state: PotGameState, what: Declaration, rules: Prohibition, times: int = 1) -> Outcome:
    """What follows the first time, or the `times`-th."""
    outcome = Outcome(
        clause=rules.clause, expected=_FAIR, observed=what, remedies=(rules.first,), severity=rules.severity
    )
    if _logs_only(state) and not rules.by_document:
        # AMB-36, `log-only`: on record and no more; a request that is refused stays refused.
        is_refused = rules.first is Remedy.REJECT
        return outcome if is_refused else replace(outcome, remedies=(Remedy.CONTINUE,))
    if rules.at_once or (times > 1 and rules.again is not None):
        return replace(
            outcome,
            clause=rules.again or rules.clause,
            remedies=(rules.first, Remedy.EXPEL),
            chooser=Chooser.PIT_BOSS,
            severity=Severity.ALERT,
        )
    return outcome


def _logs_only(state: PotGameState) -> bool:
    game = state.rulebook
    return game.house.prohibitions is Prohibitions.LOG_ONLY


def _done(state: PotGameState, fact: Declared, rules: Prohibition) -> None:
    """Where two players did it together, each of them is on record, since only one of them may have been warned
    before."""
    who = rules.who(state)
    if not who:
        state.refuse(Refusal.NOT_OFFERED, rules.clause)
        return
    if fact.spot is None and not rules.of_a_seat:
        carried_out(state, _outcome(state, fact.what, rules))
        return
    seat = one_seat(state, fact, who, rules.clause)
    if seat is None:
        return
    other = seat_of(fact.other) if fact.other is not None else None
    if fact.other is not None and (other not in who or other == seat):
        state.refuse(Refusal.UNKNOWN_SEAT, rules.clause, fact.other)
        return
    for number in (seat,) if other is None else (seat, other):
        times = _counted(state, number, fact.what)
        carried_out(state, replace(_outcome(state, fact.what, rules, times), seats=(number,)))


def _counted(state: PotGameState, seat: int, what: Declaration) -> int:
    """How often it happened at this seat in this session, this time too."""
    times = state.conduct.get((seat, what), 0) + 1
    state.conduct[seat, what] = times
    return times


def expelled(state: PotGameState, incident: Incident) -> None:
    """The pit boss sends them from the table: who has cards, when the hand is over."""
    for seat in incident.seats:
        state.say(SeatExpelled(seat=seat, clause=incident.clause))
        attendance.sent_away(state, seat)

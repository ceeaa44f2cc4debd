"""Limits that are set at the table, inside the band that was authorised: between two hands, or after the hand in play.

They stay in force over a restart, and while another game is played, as long as the file's own limits of that game are
what they were when they were set; where the file has changed, it wins.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from tablectl.core.engine.decisions import LimitsInForce, LimitsWait
from tablectl.core.engine.facts import Limits, LimitsSet, SetLimits, Setup
from tablectl.core.engine.limit_rules import why_not
from tablectl.core.engine.rulebook import Rulebook
from tablectl.core.engine.state import State
from tablectl.core.engine.two_persons import are_two
from tablectl.core.engine.vocabulary import Refusal


def limits_set(state: State, fact: LimitsSet) -> None:
    """A house sets limits of the game that is played: all of them, or where one is not authorised none."""
    setup, file = _as_filed(state)
    wrong = why_not(state.rulebook.limits, fact.limits, setup.bands, resto=setup.resto)
    if setup.staff and not are_two(fact.by, fact.second):
        state.refuse(Refusal.SECOND_PERSON, detail="limits")
    elif wrong is not None:
        state.refuse(Refusal.LIMITS, *wrong)
    else:
        before = state.limits_set.get(setup.rulebook)
        others = before.limits if before is not None and before.file == file else file
        entry = SetLimits(file=file, limits={**others, **fact.limits})
        state.limits_set[setup.rulebook] = entry
        state.limits_wait = state.in_play
        if state.in_play:
            state.say(LimitsWait(limits=entry.limits))
        else:
            _in_force(state, entry.limits)


def bands(state: State) -> Mapping[str, Limits]:
    """Inside which bounds the limits of each bet can be set at this table; none where nothing is authorised."""
    return _as_filed(state)[0].bands


def follow(state: State) -> None:
    """Between two hands: the limits that waited for the end of one."""
    if state.limits_wait:
        state.limits_wait = False
        _in_force(state, state.limits_set[state.setup.rulebook].limits)


def adopted(old: State, setup: Setup, rulebook: Rulebook) -> Setup:
    """A setup of this rulebook as the file has it, with the limits that were set for its game: unless the file says
    something else now, or does not authorise them any more."""
    entry = old.limits_set.get(setup.rulebook)
    if entry is None:
        return setup
    changed = {bet: limits for bet, limits in entry.limits.items() if limits != entry.file.get(bet)}
    if entry.file == setup.limits and why_not(rulebook.limits, changed, setup.bands, resto=setup.resto) is None:
        setup = replace(setup, limits=entry.limits)
    else:
        del old.limits_set[setup.rulebook]
    old.say(LimitsInForce(limits=setup.limits))
    return setup


def _as_filed(state: State) -> tuple[Setup, Mapping[str, Limits]]:
    """The setup that is in force when the hand in play is over, and the limits that the file has for its game."""
    chosen, setup = state.next_setup, state.setup
    if chosen is not None and chosen.rulebook == setup.rulebook:
        return chosen, chosen.limits
    entry = state.limits_set.get(setup.rulebook)
    return setup, setup.limits if entry is None else entry.file


def _in_force(state: State, limits: Mapping[str, Limits]) -> None:
    state.setup = replace(state.setup, limits=limits)
    state.family.limits_changed(state)
    state.say(LimitsInForce(limits=limits))

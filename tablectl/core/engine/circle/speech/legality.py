"""Why an action is refused: the clause that forbids it and what would be legal, in words."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from tablectl.core.engine.circle.betting.moves import Legal, Reason, Wrong
from tablectl.core.engine.circle.betting.rounds import Rounds
from tablectl.core.engine.circle.game import Clauses
from tablectl.core.engine.state import State
from tablectl.core.engine.words import Action, Refusal

#: The clause that each reason goes by. `open-holdem` names its own, where it has one.
_CLAUSE: Final[Mapping[Reason, Callable[[Clauses], str]]] = {
    Reason.NO_TURN: lambda said: said.closes,
    Reason.BET_OUTSTANDING: lambda said: said.check,
    Reason.NOTHING_TO_CALL: lambda said: said.call,
    Reason.NOT_THE_CALL: lambda said: said.call,
    Reason.NO_AMOUNT: lambda said: said.raises,
    Reason.AMOUNT_NOT_ENTERED: lambda said: said.raises,
    Reason.BELOW_LEAST: lambda said: said.raises,
    Reason.ABOVE_STACK: lambda said: said.all_in,
    Reason.ABOVE_POT: lambda said: said.pot_limit,
    Reason.ABOVE_UNIT: lambda said: said.fixed_limit,
    Reason.ABOVE_TABLE: lambda said: said.raises,
    Reason.NOT_REOPENED: lambda said: said.reopens,
    Reason.RAISES_USED_UP: lambda said: said.cap,
    Reason.NOBODY_TO_ANSWER: lambda said: said.closes,
    Reason.NOT_HIS_STACK: lambda said: said.all_in,
    Reason.CALL_OR_RAISE: lambda said: said.all_in,
}


def clause_of(state: State, wrong: Wrong) -> str:
    """The clause of this game that forbids it. Too small a raise is not above what was bet; too small a bet is below
    the table's least."""
    assert state.rulebook.circle is not None
    said = state.rulebook.circle.clauses
    if wrong.reason is Reason.BELOW_LEAST and wrong.legal is not None and not wrong.legal.is_bet:
        return said.below
    return _CLAUSE[wrong.reason](said)


def refuse(state: State, rounds: Rounds, action: Action, wrong: Wrong) -> None:
    """Say that the action is not legal, under which clause, and what is; nothing changes."""
    legal = "" if rounds.turn is None else legal_text(rounds.legal())
    why = Refusal.AMOUNT_AT_PRESENCE if wrong.reason is Reason.AMOUNT_NOT_ENTERED else Refusal.ILLEGAL_ACTION
    state.refuse(why, clause_of(state, wrong), f"{action} {legal}".rstrip())


def refuse_street(state: State, rounds: Rounds) -> None:
    """THL-END-1, THO-ALL-3: the round is not closed while somebody has still to speak."""
    assert state.rulebook.circle is not None
    detail = f"seat-{rounds.turn} {legal_text(rounds.legal())}"
    state.refuse(Refusal.BETS_OPEN, state.rulebook.circle.clauses.closes, detail)


def legal_text(legal: Legal) -> str:
    """What the seat in turn may do, in words of a hand file: `check bet=200..5000` or `call=200 raise=400..5000`."""
    words: list[str] = []
    if legal.may_check:
        words.append("check")
    if legal.may_call:
        words.append("call" if legal.call is None else f"call={legal.call}")
    if legal.may_raise:
        name = "bet" if legal.is_bet else "raise"
        to = "" if legal.raise_to is None else str(legal.raise_to)
        words.append(name if legal.raise_from is None else f"{name}={legal.raise_from}..{to}")
    return " ".join(words)

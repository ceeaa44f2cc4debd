"""Why an action is refused: the clause that forbids it and what would be legal, in words."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from msgspec import UNSET

from tablectl.core.engine.prompt import Legal
from tablectl.core.engine.vocabulary import Action, Refusal
from tablectl.families.pots import chips_down
from tablectl.families.pots.betting.legal import Reason, Wrong
from tablectl.families.pots.betting.rounds import Rounds
from tablectl.families.pots.rulebook import Clauses
from tablectl.families.pots.state import PotGameState

#: The clause that each reason goes by. `open-holdem` names its own, where it has one.
_CLAUSE: Final[Mapping[Reason, Callable[[Clauses], str]]] = {
    Reason.NO_TURN: lambda said: said.closes,
    Reason.BET_OUTSTANDING: lambda said: said.check,
    Reason.NOTHING_TO_CALL: lambda said: said.call,
    Reason.NOT_THE_CALL: lambda said: said.call,
    Reason.NO_AMOUNT: lambda said: said.raises,
    Reason.AMOUNT_NOT_ENTERED: lambda said: said.raises,
    Reason.BELOW_LEAST: lambda said: said.raises,
    Reason.NOT_IN_CHIPS: lambda said: said.raises,
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

#: Reasons for which a bet goes by another clause than a raise.
_OF_AMOUNTS: Final = (Reason.BELOW_LEAST, Reason.NOT_IN_CHIPS)


def clause_of(state: PotGameState, wrong: Wrong) -> str:
    """The clause of this game that forbids it. Too small a raise is not above what was bet; too small a bet is below
    the table's least."""
    said = state.rulebook.clauses
    if wrong.reason in _OF_AMOUNTS and wrong.legal is not None and not wrong.legal.is_bet:
        return said.below
    return _CLAUSE[wrong.reason](said)


def refuse(state: PotGameState, rounds: Rounds, action: Action, wrong: Wrong) -> None:
    """Say that the action is not legal, under which clause, and what is; nothing changes."""
    if wrong.reason is Reason.NOT_IN_CHIPS and wrong.limit is not None:
        state.refuse(Refusal.WRONG_MULTIPLE, clause_of(state, wrong), nearest(wrong.limit, state.setup.chip))
        return
    legal = "" if rounds.turn is None else legal_text(chips_down.legal(state))
    why = Refusal.AMOUNT_AT_PRESENCE if wrong.reason is Reason.AMOUNT_NOT_ENTERED else Refusal.ILLEGAL_ACTION
    state.refuse(why, clause_of(state, wrong), f"{action} {legal}".rstrip())


def nearest(amount: int, chip: int) -> str:
    """The two amounts in whole chips between which this one lies (ruling "smallest chip")."""
    below = amount - amount % chip
    return f"nearest={below}..{below + chip}"


def refuse_street(state: PotGameState, rounds: Rounds) -> None:
    """THL-END-1, THO-ALL-3: the round is not closed while somebody has still to speak."""
    detail = f"seat-{rounds.turn} {legal_text(chips_down.legal(state))}"
    state.refuse(Refusal.BETS_OPEN, state.rulebook.clauses.closes, detail)


def legal_text(legal: Legal) -> str:
    """What the seat in turn may do, in words of a hand file: `check bet=200..5000` or `call=200 raise=400..5000`."""
    words: list[str] = []
    if legal.may_check:
        words.append("check")
    if legal.may_call:
        words.append("call" if legal.call is None else f"call={legal.call}")
    if legal.may_raise:
        name = "bet" if legal.is_bet else "raise"
        if legal.stands is not UNSET:
            words.append(f"{name}={legal.stands}")
        to = "" if legal.raise_to is None else str(legal.raise_to)
        words.append(name if legal.raise_from is None else f"{name}={legal.raise_from}..{to}")
    return " ".join(words)

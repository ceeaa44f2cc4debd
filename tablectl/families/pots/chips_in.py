"""What chips that crossed a player's line, and the word said with them, amount to.

THL-GEN-2, -5, -6, THL-PLE-3, -4, -5, -8, -9, -15 and the open points AMB-24, AMB-25; `open-holdem` takes them over. It
knows the betting round and the house's choices, concludes one action of the seat in turn, and says which clause made
something else of the chips than what was put in. Where they are simply right there is no such clause.

The word binds (THL-GEN-5), so what was said is looked at first:

- `call`: the call, whatever lies there. Too few chips: he did not know the amount, and calls all the same (THL-PLE-15);
  too many: the word counts (THL-GEN-6).
- `bet` or `raise` with a legal amount: that amount (THL-GEN-6 where the chips differ), or with `short_raise=call` only
  a call where the chips are too few (AMB-24). More than he has: all he has. An amount that is not legal: a call
  (THL-PLE-3).
- `bet` or `raise` without an amount: the chips say how much; too few: a call (THL-PLE-3).
- `all-in`: his stack. `fold` and `check`: just that; chips that lie there with a fold are lost (THL-PLE-5).

Nothing said, and a bet is outstanding (before the flop the blinds are one):

- too few chips: a call, which he completes (THL-PLE-4). All he has: a call for so much.
- one chip worth more: a call, and change (THL-PLE-8). His last chip is no exception.
- several chips: a raise where they reach the least one, or else a call with change, or always that (AMB-25).

Nothing said, and nothing is outstanding: a bet of the whole value, be it one chip (THL-PLE-9) or several; what is above
the greatest bet goes back, and what is below the least one is no bet, so he checks and gets it back (read: the
document's "may only call" of THL-PLE-3, where there is nothing to call).
"""

from __future__ import annotations

from typing import Final

from tablectl.core.engine.facts import PutIn
from tablectl.core.engine.prompt import Legal
from tablectl.core.engine.vocabulary import Action, Remedy
from tablectl.core.options.pots import SeveralChips, ShortRaise
from tablectl.core.records import record
from tablectl.families.pots.betting.legal import Done, Reason, Wrong
from tablectl.families.pots.betting.rounds import Rounds
from tablectl.families.pots.rulebook import House

#: What is said where chips go in and nothing else: how much of a raise is the chips' to tell.
_RAISES: Final = (Action.BET, Action.RAISE)
#: A raise with these reasons against it was misstated; with any other one he may not raise at all.
_MISSTATED: Final = frozenset({Reason.BELOW_LEAST, Reason.ABOVE_POT, Reason.ABOVE_UNIT, Reason.ABOVE_TABLE})


@record
class Departure:
    """The clause under which the action is not what was put in, and what it does about that."""

    clause: str
    remedy: Remedy


@record
class Meaning:
    """What it amounts to: an action of the seat in turn that is legal."""

    action: Action
    to: int | None = None
    is_all_in: bool = False
    departs: Departure | None = None
    #: chips that were put in and are lost with a fold (THL-PLE-5)
    lost: int = 0


def meaning(rounds: Rounds, house: House, fact: PutIn) -> Meaning | Wrong:
    """What the seat in turn did, or why that cannot be (nothing follows then)."""
    legal = rounds.legal()
    stack = rounds.stack(legal.seat)
    if stack is not None and fact.chips > stack:
        return Wrong(reason=Reason.ABOVE_STACK, limit=stack)
    if fact.chips < 0 or (fact.said is None and not fact.chips):
        return Wrong(reason=Reason.NO_AMOUNT)
    if fact.said is Action.FOLD:
        return Meaning(action=Action.FOLD, lost=fact.chips, departs=_if(fact.chips, "THL-PLE-5", Remedy.REJECT))
    if fact.said is Action.CHECK:
        return _check(rounds, legal, fact)
    if fact.said is Action.CALL:
        return _said_call(rounds, legal, fact)
    if fact.said is Action.ALL_IN:
        return _said_all_in(rounds, legal, fact)
    if fact.said in _RAISES:
        return _said_raise(rounds, house, legal, fact)
    return _without_a_word(rounds, house, legal, fact)


def _check(rounds: Rounds, legal: Legal, fact: PutIn) -> Meaning | Wrong:
    """THL-GEN-6: he said so, and whatever he put in goes back."""
    if not legal.may_check:
        return Wrong(reason=Reason.BET_OUTSTANDING, limit=rounds.high)
    return Meaning(action=Action.CHECK, departs=_if(fact.chips, "THL-GEN-6", Remedy.RETURN_EXCESS))


def _said_call(rounds: Rounds, legal: Legal, fact: PutIn) -> Meaning | Wrong:
    """THL-GEN-5: the word binds. THL-PLE-15: whether he knew the amount or not."""
    if legal.call is None:
        return Wrong(reason=Reason.NOTHING_TO_CALL)
    stake = rounds.stake(legal.seat) or 0
    misled = fact.said_to is not None and fact.said_to != stake + legal.call
    if misled or 0 < fact.chips < legal.call:
        return Meaning(action=Action.CALL, departs=Departure(clause="THL-PLE-15", remedy=Remedy.BIND))
    return Meaning(action=Action.CALL, departs=_if(fact.chips > legal.call, "THL-GEN-6", Remedy.RETURN_EXCESS))


def _said_all_in(rounds: Rounds, legal: Legal, fact: PutIn) -> Meaning | Wrong:
    """THL-GEN-5, THL-RD1-5: everything he has, whatever lies there. Where nobody knows his stack it is what he put in,
    or the amount that was said."""
    stake = rounds.stake(legal.seat) or 0
    to = legal.all_in if legal.all_in is not None else fact.said_to or (stake + fact.chips if fact.chips else None)
    judged = rounds.judged(Action.ALL_IN, to)
    if isinstance(judged, Wrong):
        return judged
    differs = fact.chips and stake + fact.chips != to
    return Meaning(action=Action.ALL_IN, to=to, departs=_if(differs, "THL-GEN-6", Remedy.CORRECT))


def _said_raise(rounds: Rounds, house: House, legal: Legal, fact: PutIn) -> Meaning | Wrong:
    stake = rounds.stake(legal.seat) or 0
    if fact.said_to is None:
        if not fact.chips:
            return Wrong(reason=Reason.NO_AMOUNT)
        judged = rounds.judged(Action.RAISE, stake + fact.chips)
        if isinstance(judged, Wrong):
            return _only_a_call(legal, judged)
        return Meaning(action=judged.action, to=judged.to)
    to = fact.said_to if legal.all_in is None else min(fact.said_to, legal.all_in)
    judged = rounds.judged(Action.RAISE, to)
    if isinstance(judged, Wrong):
        return _only_a_call(legal, judged)
    if fact.said_to > to:
        # AMB-24, read: more than he has is all he has.
        return Meaning(action=judged.action, to=to, departs=Departure(clause="THL-GEN-5", remedy=Remedy.BIND))
    is_short = 0 < fact.chips < to - stake
    if is_short and house.short_raise is ShortRaise.CALL:
        return _as_call(legal)
    differs = fact.chips and fact.chips != to - stake
    return Meaning(action=judged.action, to=to, departs=_if(differs, "THL-GEN-6", Remedy.CORRECT))


def _without_a_word(rounds: Rounds, house: House, legal: Legal, fact: PutIn) -> Meaning | Wrong:
    stake = rounds.stake(legal.seat) or 0
    if legal.call is not None and fact.chips <= legal.call:
        # THL-PLE-4: he adds what is missing and no more; all that he has is a call for so much (THL-RD1-5).
        is_short = fact.chips < legal.call
        return Meaning(action=Action.CALL, departs=_if(is_short, "THL-PLE-4", Remedy.COMPLETE_CALL))
    if not legal.is_bet and (fact.is_single or house.several_chips is SeveralChips.CALL):
        return _change(legal)
    to = stake + fact.chips
    judged = rounds.judged(Action.RAISE, to)
    if isinstance(judged, Done):
        # THL-GEN-2, THL-PLE-9: what crossed the line is the bet.
        return Meaning(action=judged.action, to=judged.to)
    if judged.reason is Reason.NOT_IN_CHIPS:
        return judged
    if legal.may_raise and legal.raise_to is not None and to > legal.raise_to:
        clause = "THL-PLE-9" if fact.is_single else "THL-PLE-3"
        departs = Departure(clause=clause, remedy=Remedy.RETURN_EXCESS)
        return Meaning(action=Action.BET if legal.is_bet else Action.RAISE, to=legal.raise_to, departs=departs)
    return _as_call(legal) if legal.is_bet else _change(legal)


def _only_a_call(legal: Legal, wrong: Wrong) -> Meaning | Wrong:
    """THL-PLE-3: a raise that was misstated. One that he may not make in any amount is not legal."""
    return _as_call(legal) if wrong.reason in _MISSTATED else wrong


def _as_call(legal: Legal) -> Meaning:
    return _call_or_check(legal, Departure(clause="THL-PLE-3", remedy=Remedy.AS_CALL))


def _change(legal: Legal) -> Meaning:
    """THL-PLE-8, AMB-25: it covers the bet, and what is above it goes back."""
    return _call_or_check(legal, Departure(clause="THL-PLE-8", remedy=Remedy.RETURN_EXCESS))


def _call_or_check(legal: Legal, departs: Departure) -> Meaning:
    return Meaning(action=Action.CALL if legal.may_call else Action.CHECK, departs=departs)


def _if(departs: object, clause: str, remedy: Remedy) -> Departure | None:
    return Departure(clause=clause, remedy=remedy) if departs else None

"""What can be declared, as data: when, what will follow from it, and what does it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from tablectl.core.engine.deal import Draw
from tablectl.core.engine.facts import Declared
from tablectl.core.engine.vocabulary import Chooser, Remedy, Severity
from tablectl.core.records import record

#: The state of the family whose rule it is.
S_contra = TypeVar("S_contra", contravariant=True)


@record
class Outcome:
    """One departure from the rulebook and what the clause says to do. Where the rule itself decides, there is one
    remedy."""

    clause: str
    expected: str
    observed: str
    remedies: tuple[Remedy, ...]
    chooser: Chooser = Chooser.RULE
    severity: Severity = Severity.ALERT
    draw: Draw | None = None
    spot: str | None = None
    seats: tuple[int, ...] = ()
    #: cards that readers see at other places than their own, each with that place, by one wrong order
    elsewhere: tuple[tuple[Draw, str], ...] = ()


def noted(clause: str, *, expected: str, observed: str, seats: tuple[int, ...] = ()) -> Outcome:
    """What is put on record and changes nothing: the hand goes on."""
    return Outcome(
        clause=clause,
        expected=expected,
        observed=observed,
        remedies=(Remedy.CONTINUE,),
        severity=Severity.NOTICE,
        seats=seats,
    )


def _of_no_card(state: object) -> tuple[Draw, ...]:
    return ()


@dataclass(frozen=True, kw_only=True, slots=True)
class Rule(Generic[S_contra]):
    """When something can be declared, what will follow from it, and what does it. `cards`: those that it can be about,
    the one that is proposed in front; what is foretold is of that one."""

    applies: Callable[[S_contra], bool]
    foretells: Callable[[S_contra], Outcome]
    does: Callable[[S_contra, Declared], None]
    cards: Callable[[S_contra], tuple[Draw, ...]] = _of_no_card


def names_card(rule: Rule[Any]) -> bool:
    """Whether what is declared by this rule can be about one of several cards."""
    return rule.cards is not _of_no_card

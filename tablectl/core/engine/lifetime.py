"""How long each field of the state lives: what a hand forgets, and what another setup takes over, follow from it.

A field of a state class is made by `of_hand`, `between_hands` or `of_table`, and remembers how it begins; one of a
frozen class, as the public table is, by `seen_of_hand`. So nothing has to list the fields a second time.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import MISSING, Field, field, fields, replace
from enum import StrEnum
from functools import cache
from typing import Any, ClassVar, Final, Protocol, TypeVar

_LIFETIME: Final = "lifetime"
T = TypeVar("T")
_View = TypeVar("_View", bound="_State")


class Lifetime(StrEnum):
    """Until when a field keeps its value."""

    #: of one hand: it begins anew when the hand is over
    HAND = "hand"
    #: from hand to hand, as long as the same game is played and as much of its bets is entered
    BETWEEN_HANDS = "between-hands"
    #: of the table: also when another game is played at it
    TABLE = "table"


class _State(Protocol):
    """What every state is: a dataclass."""

    __dataclass_fields__: ClassVar[dict[str, Field[Any]]]


def of_hand(make: Callable[[], T]) -> T:
    """A field that `make` begins anew for each hand."""
    return field(init=False, default_factory=make, metadata={_LIFETIME: Lifetime.HAND})


def seen_of_hand(make: Callable[[], T]) -> T:
    """As `of_hand`, for a field of a frozen class, which is given when a value of it is made."""
    return field(default_factory=make, metadata={_LIFETIME: Lifetime.HAND})


def between_hands(make: Callable[[], T]) -> T:
    """A field that lives as long as the same game is played."""
    return field(init=False, default_factory=make, metadata={_LIFETIME: Lifetime.BETWEEN_HANDS})


def of_table(make: Callable[[], T]) -> T:
    """A field that another game at this table takes over as it is."""
    return field(init=False, default_factory=make, metadata={_LIFETIME: Lifetime.TABLE})


def none() -> None:
    """How a field begins of which nothing is known yet."""
    return


def lifetime_of(of: Field[Any]) -> Lifetime | None:
    """How long a field of a state lives; None for one that is settled when the state is made, or with each phase."""
    found: Lifetime | None = of.metadata.get(_LIFETIME)
    return found


def _of(kind: type[_State], *lifetimes: Lifetime) -> Iterator[Field[Any]]:
    return (member for member in fields(kind) if member.metadata.get(_LIFETIME) in lifetimes)


@cache
def _beginnings(kind: type[_State]) -> Mapping[str, Callable[[], object]]:
    """How each field of one hand begins. It is the same in every hand, so it is looked up once for a class."""
    found = {}
    for member in _of(kind, Lifetime.HAND):
        assert member.default_factory is not MISSING, f"{member.name} has a lifetime, and so a beginning"
        found[member.name] = member.default_factory
    return found


def begin_hand(state: _State) -> None:
    """Everything that is of one hand begins anew."""
    for name, begin in _beginnings(type(state)).items():
        setattr(state, name, begin())


def hand_begun(view: _View, **others: object) -> _View:
    """A frozen value whose fields of one hand begin anew, and that has these others."""
    return replace(view, **{name: begin() for name, begin in _beginnings(type(view)).items()}, **others)


def take_over(state: _State, before: object, *lifetimes: Lifetime) -> None:
    """Another setup is in force at the table: fields with these lifetimes go on as they were, as far as both states
    have them. What is of a hand is of the one to come: cards may be out before it."""
    for member in _of(type(state), *lifetimes):
        if hasattr(before, member.name):
            setattr(state, member.name, getattr(before, member.name))

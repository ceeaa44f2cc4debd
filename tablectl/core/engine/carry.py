"""What a table remembers from one hand to the next, as the journal writes it: with it, and nothing before, the next
hand can be replayed.

A member of `Carry` is the field of the state with the same name; how it is written, where not as it is, stands in one
table here and in one of each family.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, fields
from typing import Any, Final

from tablectl.core.engine.facts import OnShelf, SetLimits, Setup
from tablectl.core.engine.vocabulary import Declaration
from tablectl.core.records import record


@record
class Carry:
    """Members that a game does not have are empty."""

    setup: Setup
    hand: int
    n_incidents: int
    previous: Mapping[int, Mapping[str, int | None]]
    unseen: tuple[int, ...]
    #: the number of the incident that the lost shoe is, where it is lost
    shoe_lost: int | None
    #: how often the player of a seat did what he may not, by `seat-2 commented`
    conduct: Mapping[str, int] = field(default_factory=dict)
    #: entry bets of an annulled hand that stay in their boxes
    kept: Mapping[int, Mapping[str, int | None]] = field(default_factory=dict)
    #: the deck was withdrawn; a shuffle is complete
    needs_deck: bool = False
    is_shuffled: bool = False
    #: the devices that are away, as `role name`
    lost: tuple[str, ...] = ()
    #: of a circle game: who sits there, as `seat=3 in new`; their chips; where the button was, as `button=4 moves`
    players: tuple[str, ...] = ()
    stacks: Mapping[int, int] = field(default_factory=dict)
    markers: str | None = None
    #: of a game with discards: the pot of hands that nobody opened, what each seat has bought, the end of the session
    carried: int = 0
    is_pot_waiting: bool = False
    bought: Mapping[int, int] = field(default_factory=dict)
    is_closing: bool = False
    #: another game that was chosen, and waits for that pot
    next_setup: Setup | None = None
    #: who deals, and who takes the table next
    croupier: str = ""
    next_croupier: str = ""
    #: limits that were set at the table, by game; alarms that are put aside
    limits_set: Mapping[str, SetLimits] = field(default_factory=dict)
    shelved: Mapping[str, OnShelf] = field(default_factory=dict)
    #: the devices whose loss nobody has acknowledged, as `role name`
    unseen_devices: tuple[str, ...] = ()


@dataclass(frozen=True, kw_only=True, slots=True)
class Coding:
    """How a field of the state is written into a carry, and read from it."""

    write: Callable[[Any], Any]
    read: Callable[[Any], Any]


def _bets(of_seats: Mapping[int, Mapping[str, int | None]]) -> dict[int, dict[str, int | None]]:
    return {seat: dict(bets) for seat, bets in of_seats.items()}


def _devices(devices: set[tuple[str, str]]) -> tuple[str, ...]:
    return tuple(f"{role} {name}" for role, name in sorted(devices))


def _devices_of(words: tuple[str, ...]) -> set[tuple[str, str]]:
    pairs = (word.split(" ", 1) for word in words)
    return {(role, name) for role, name in pairs}


def _conduct(times_of: Mapping[tuple[int, Declaration], int]) -> dict[str, int]:
    return {f"seat-{seat} {what}": times for (seat, what), times in sorted(times_of.items())}


def _conduct_of(written: Mapping[str, int]) -> dict[tuple[int, Declaration], int]:
    read: dict[tuple[int, Declaration], int] = {}
    for key, times in written.items():
        seat, what = key.split(" ")
        read[int(seat.removeprefix("seat-")), Declaration(what)] = times
    return read


_CODINGS: Final[Mapping[str, Coding]] = {
    "previous": Coding(write=_bets, read=_bets),
    "kept": Coding(write=_bets, read=_bets),
    "unseen": Coding(write=lambda numbers: tuple(sorted(numbers)), read=set),
    "conduct": Coding(write=_conduct, read=_conduct_of),
    "lost": Coding(write=_devices, read=_devices_of),
    "unseen_devices": Coding(write=_devices, read=_devices_of),
    "stacks": Coding(write=dict, read=dict),
    "bought": Coding(write=dict, read=dict),
    "limits_set": Coding(write=dict, read=dict),
    "shelved": Coding(write=dict, read=dict),
}
#: The members that are neither copied nor coded: the setup makes the state, and an incident is raised anew.
_BY_HAND: Final = frozenset({"setup", "shoe_lost"})
MEMBERS: Final = tuple(member.name for member in fields(Carry))


def written(state: object, *, setup: Setup, shoe_lost: int | None, codings: Mapping[str, Coding]) -> Carry:
    """What is carried of a state. `shoe_lost`: the number of that incident; `codings`: those of its family."""
    # A game that offers no bets of the last hand again has none.
    values: dict[str, Any] = {"previous": {}}
    for name in MEMBERS:
        if name not in _BY_HAND and hasattr(state, name):
            coding = codings.get(name) or _CODINGS.get(name)
            value = getattr(state, name)
            values[name] = value if coding is None else coding.write(value)
    return Carry(setup=setup, shoe_lost=shoe_lost, **values)


def read_into(state: object, carry: Carry, codings: Mapping[str, Coding]) -> None:
    """Give a new state what was carried, but for the incident of a lost shoe."""
    for name in MEMBERS:
        if name not in _BY_HAND and hasattr(state, name):
            coding = codings.get(name) or _CODINGS.get(name)
            value = getattr(carry, name)
            setattr(state, name, value if coding is None else coding.read(value))

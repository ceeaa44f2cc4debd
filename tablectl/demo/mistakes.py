"""What goes wrong at the demo's table, as data under a seed: at most one mistake of the croupier in a hand, and devices
whose wires fail."""

from __future__ import annotations

import random
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from simulators.faults import Fault, FaultKind, FaultPlan


class Slip(StrEnum):
    """What a croupier can do wrong, or has to declare."""

    FACE_UP = "face-up"
    FACE_UP_TWICE = "face-up-twice"
    BANK_EXPOSED = "bank-exposed"
    EARLY_UNSEEN = "early-unseen"
    EARLY_SEEN = "early-seen"
    COUNT_AT_ONCE = "count-at-once"
    COUNT_LATE = "count-late"
    COUNT_BANK = "count-bank"
    DEAD_KEY = "dead-key"
    UNREAD = "unread"
    UNREPORTED = "unreported"
    CALL = "call"


class Trouble(StrEnum):
    """What happens to a device."""

    SHOE_UNPLUGGED = "shoe-unplugged"
    PANEL_UNPLUGGED = "panel-unplugged"
    LIGHT_UNPLUGGED = "light-unplugged"


class Level(StrEnum):
    """`--faults`."""

    NONE = "none"
    SOME = "some"
    MANY = "many"


@dataclass(frozen=True, kw_only=True, slots=True)
class HandPlan:
    """One hand: a slip after so many chances for it, a trouble after so many cards; None where all goes well."""

    slip: Slip | None
    chances: int
    trouble: Trouble | None
    cards: int


_SLIPS: Final = {Level.NONE: 0.0, Level.SOME: 0.35, Level.MANY: 0.75}
_TROUBLES: Final = {Level.NONE: 0.0, Level.SOME: 0.05, Level.MANY: 0.25}


def plan_of(hand: int, *, seed: int, level: Level) -> HandPlan:
    """The plan of a hand follows from its number and the seed alone."""
    dice = random.Random(f"{seed}/{hand}")
    slip = dice.choice(list(Slip)) if dice.random() < _SLIPS[level] else None
    trouble = dice.choice(list(Trouble)) if dice.random() < _TROUBLES[level] else None
    return HandPlan(slip=slip, chances=dice.randrange(6), trouble=trouble, cards=dice.randrange(3, 20))


def wire_faults(level: Level) -> FaultPlan:
    """What happens to the shoe's messages. It says each of them three times, so a lost one loses no card."""
    if level is Level.NONE:
        return FaultPlan()
    share = 1.0 if level is Level.MANY else 0.2
    return FaultPlan(
        faults=(
            Fault(kind=FaultKind.JUNK, probability=0.02 * share, count=3),
            Fault(kind=FaultKind.CORRUPT, probability=0.02 * share),
            Fault(kind=FaultKind.REPEAT, probability=0.02 * share, count=1),
            Fault(kind=FaultKind.LOSE, probability=0.02 * share),
            Fault(kind=FaultKind.SPLIT, probability=0.02 * share, for_s=0.002),
            Fault(kind=FaultKind.UNPLUG_MID_FRAME, probability=0.002 * share, for_s=0.05),
        )
    )

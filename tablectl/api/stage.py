"""The stage: a whole table of simulated devices, with the real controller, as demo, training and `play --wire` use one.

It is no part of this package. The package with the simulators announces it, each part as an entry point of the group
`tablectl.stage`; a real table deals without it. What a part offers is said here, and both sides know only this module.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from enum import StrEnum
from importlib.metadata import EntryPoint, entry_points
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Final, Protocol

from tablectl.core.engine.vocabulary import Equipment, Key
from tablectl.journal.handfile.file import HandFile, Step
from tablectl.journal.handfile.playing import Difference

#: The group of entry points, one for each part.
GROUP: Final = "tablectl.stage"
#: Beside the places of a felt: the croupier's hand, and where a card waits beside the board.
IN_HAND: Final = "hand"
ASIDE: Final = "aside"


class NoStage(Exception):
    """The package with the simulators is not installed. The text names it."""


class StageBroken(Exception):
    """The controller did not come up or went away. The text ends with what it said last."""


class CannotBeDone(Exception):
    """A person could not do that now. The text is a key of `[training-refusal]`."""


class NoAct(ValueError):
    """What a page sent is no act."""


# -- demo --------------------------------------------------------------------------------------------------------------


class Demo(Protocol):
    """Part `demo`: the command."""

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        """Its options."""

    def main(self, args: argparse.Namespace, serve: ServeTable) -> int:
        """Play; the exit status. `serve`: what shows its table on a page where visitors deal."""


# -- hand files over the wires -----------------------------------------------------------------------------------------


class Wire(Protocol):
    """Part `wire`: a hand file through simulated devices and a controller process of its own."""

    def why_not(self, hand: HandFile) -> str | None:
        """Why it cannot go over the wire; None where it can."""

    def play_over_the_wire(self, hand: HandFile) -> list[Difference]:
        """Where what followed is not what stands there. Raises `StageBroken`, `NoController`."""


# -- training ----------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, kw_only=True, slots=True)
class FreeTable:
    """The table at which nothing is asked of a trainee. `seed`: of the shuffles, also of those of an exercise."""

    rulebook: str
    seed: int = 0
    equipment: Equipment = Equipment.SHOE


@dataclass(frozen=True, kw_only=True, slots=True)
class Prepared:
    """A table as an exercise brings it about: `before` is played, and the next cards are `faces`, with None for one
    that cannot be read. `lies`, `up` and `touching` say what lies otherwise than the table thinks."""

    name: str
    hand: HandFile
    before: Sequence[Step]
    faces: Sequence[str | None]
    lies: Mapping[int, str]
    up: Sequence[str]
    touching: Sequence[tuple[str, str]]


class Act(StrEnum):
    """What a page can ask hands to do at a table."""

    DRAW = "draw"
    DRAW_TWO = "draw-two"
    DRAW_UNREAD = "draw-unread"
    DRAW_UNREPORTED = "draw-unreported"
    DRAW_BY_FORCE = "draw-by-force"
    CUT_CARD = "cut-card"
    PLACE = "place"
    FLIP = "flip"
    TAKE_UP = "take-up"
    PUT_BACK = "put-back"
    DEAFEN = "deafen"
    TOUCH = "touch"
    DISCARD = "discard"
    GATHER = "gather"
    SHUFFLE = "shuffle"
    PRESS = "press"
    UNPLUG = "unplug"
    PLUG = "plug"
    TAKE_OVER = "take-over"
    HAND_BACK = "hand-back"


EVERY_ACT: Final = frozenset(Act)


class Dealer(StrEnum):
    """Who deals at a table: always whoever practises there, or he and the simulated croupier in turn."""

    ALWAYS_A_PERSON = "always-a-person"
    PERSON = "person"
    SIMULATED = "simulated"


@dataclass(frozen=True, kw_only=True, slots=True)
class Lying:
    """One card as somebody at the table sees it: `face` is its code where it lies open, else empty."""

    name: str
    face: str


@dataclass(frozen=True, kw_only=True, slots=True)
class TableSeen:
    """What a person sees. `cards` by place, first come first; `touching`, the pairs of places whose cards do; how many
    cards remain; the lamp of each key of the panel, dark, blue, red or blinking; whether the panel and each device with
    a cable are plugged in; the colours of the light that are on;
    who deals."""

    cards: Mapping[str, Sequence[Lying]]
    touching: Sequence[tuple[str, str]]
    remaining: int
    panel: Mapping[Key, str]
    is_plugged: bool
    cables: Mapping[str, bool]
    light: Sequence[str]
    dealer: Dealer


class PracticeTable(Protocol):
    """Part `training`: a table on which hands do what a page sends. It is used from several threads."""

    #: of its controller
    socket: Path
    #: what can be done there
    acts: frozenset[Act]
    #: whether somebody lays every card that is drawn where it belongs, and shuffles between two hands
    helps: bool

    @property
    def rulebook(self) -> str:
        """The game that is played there now."""

    @property
    def seats(self) -> int:
        """How many places there are."""

    @property
    def has_shoe(self) -> bool:
        """Whether cards come out of a shoe that says them."""

    @property
    def has_tags(self) -> bool:
        """Whether anything reads tags."""

    def begin(self) -> None:
        """Switch everything on, and bring about what was prepared. Raises `StageBroken`, `NoController`."""

    def end(self) -> None:
        """Switch everything off."""

    @property
    def newest(self) -> int:
        """The position of the newest record."""

    @property
    def drawn(self) -> int:
        """How many cards have left the deck."""

    def seen(self) -> TableSeen:
        """How it looks now."""

    def do(self, asked: Mapping[str, Any]) -> tuple[str, ...]:
        """One act; the names of the cards that came into the croupier's hand. Raises `NoAct`, `CannotBeDone`."""


#: What makes one: a folder for its files, the free table, what is prepared there if anything is, the table's name, and
#: what is called from any thread whenever something to be seen has changed.
MakePracticeTable = Callable[[Path, FreeTable, Prepared | None, str, Callable[[], None]], PracticeTable]
#: The training pages with such a table, as long as the context lasts; it gives their address. The folder keeps what
#: trainees reach.
ServeTable = Callable[[FreeTable, Path, MakePracticeTable], AbstractContextManager[str]]


# -- finding it --------------------------------------------------------------------------------------------------------


def demo() -> Demo:
    """The part of this name. Raises `NoStage`."""
    found: Demo = _part("demo").load()
    return found


def wire() -> Wire:
    """The part of this name. Raises `NoStage`."""
    found: Wire = _part("wire").load()
    return found


def training() -> MakePracticeTable:
    """The part of this name. Raises `NoStage`."""
    found: MakePracticeTable = _part("training").load()
    return found


def _part(name: str) -> EntryPoint:
    for point in entry_points(group=GROUP, name=name):
        # An editable installation still announces a package whose folder is gone.
        if find_spec(point.module.partition(".")[0]) is not None:
            return point
    raise NoStage(f"the simulators are not installed: no package announces `{name}` as an entry point of {GROUP}")

"""What a game is for everything outside its folder. Each folder beside this file has one `GAME`; a package of somebody
else announces its own as an entry point of the group `tablectl.games` (docs/adr/0010-structure.md)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from importlib.resources.abc import Traversable
from typing import Any

from tablectl.core.engine.rulebook import Rulebook
from tablectl.core.engine.vocabulary import Tracking
from tablectl.core.options.choices import Profile
from tablectl.core.settlement.lines.settler import Settler
from tablectl.families.pots.rulebook import PotRulebook


@dataclass(frozen=True, kw_only=True, slots=True)
class Proposal:
    """What is proposed to a house that sets up a table: how many seats, and of each bet the authorised band and the
    limits of the table, in the smallest unit of money. The house changes what it likes."""

    seats: int
    limits: Mapping[str, tuple[tuple[int, int], tuple[int, int]]]


@dataclass(frozen=True, kw_only=True)
class Game:
    """One game. `place`: where it stands in lists, the first one being 1. What the rulebook says is asked of it."""

    place: int
    rulebook: Callable[[Mapping[str, str]], Rulebook]
    options: type[Profile]
    #: which clause says how many seats there are
    seats_clause: str
    proposal: Proposal
    #: what `tablectl settle` does with its lines
    settler: Settler
    #: its folder: `clauses.toml`, and what people read of it, `locale/LANGUAGE/LC_MESSAGES/texts.mo`
    folder: Traversable
    #: the boxes of a player's zone, from the croupier outwards, each with its middle on the picture of a seat, in the
    #: units of the felt
    boxes: Mapping[str, tuple[int, int]] = field(default_factory=dict)
    #: the key of a sentence that has to be read in the centre of the table; empty where none has
    sentence: str = ""
    #: everybody begins with the same chips, agreed before the first hand
    has_resto: bool = False
    #: what the house should know of its choices, for who checks a table's file: names of sentences in the game's
    #: catalogues, `notice.NAME`, which begin with `{prefix}`
    notices: Callable[[Any], Iterable[str]] = lambda _: ()

    @cached_property
    def as_shipped(self) -> Rulebook:
        """The rulebook of a house that has chosen nothing."""
        return self.rulebook({})

    @property
    def id(self) -> str:
        """The word by which every journal names it."""
        return self.as_shipped.id

    @property
    def is_circle(self) -> bool:
        """Whether players bet against each other, and not against the bank."""
        return isinstance(self.as_shipped, PotRulebook)

    @property
    def trackings(self) -> tuple[Tracking, ...]:
        """How much of the bets can be entered at a table of this game."""
        return self.as_shipped.family.trackings

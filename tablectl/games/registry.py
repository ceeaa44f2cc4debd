"""The games there are: every folder beside this file, and what other packages announce as `tablectl.games`."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from importlib import import_module
from importlib.metadata import EntryPoint, entry_points
from pkgutil import iter_modules
from traceback import extract_tb
from typing import Final

from tablectl import games
from tablectl.core.engine.facts import Setup
from tablectl.core.engine.limit_rules import LimitRule
from tablectl.core.engine.rulebook import Rulebook
from tablectl.core.engine.vocabulary import Tracking
from tablectl.core.options.choices import Choice, Profile, choices
from tablectl.core.validation import Invalid, Mistake
from tablectl.games.game import Game

#: The group of entry points in which a package announces a game: the value is its `Game`.
GROUP: Final = "tablectl.games"


def _found() -> Iterator[Game]:
    for folder in iter_modules(games.__path__):
        if folder.ispkg:
            yield import_module(f"{games.__name__}.{folder.name}").GAME
    for point in entry_points(group=GROUP):
        yield _announced(point)


def _announced(point: EntryPoint) -> Game:
    """The game of another package. Raises `Invalid`, which names the package, where there is none or its code fails."""
    try:
        game = point.load()
    except Exception as failed:
        last = extract_tb(failed.__traceback__)[-1]
        found = f"{type(failed).__name__}: {failed} ({last.filename}, line {last.lineno})"
        right = "a module that can be imported and has that name"
        raise Invalid([_wrong(point, found, right)]) from failed
    if not isinstance(game, Game):
        raise Invalid([_wrong(point, repr(game), "a value of tablectl.games.game.Game")])
    return game


def _wrong(point: EntryPoint, found: str, right: str) -> Mistake:
    package = "a package" if point.dist is None else f"the package {point.dist.name} {point.dist.version}"
    way_out = f"{right} (docs/add-a-game.md), or the package removed"
    return Mistake(where=package, key=f"{GROUP}, {point.name} = {point.value}", found=found, right=way_out)


def by_id(found_games: Iterable[Game]) -> Mapping[str, Game]:
    """Games by their ids, in the order in which they are listed. Raises `ValueError` where two have the same id."""
    found: dict[str, Game] = {}
    for game in sorted(found_games, key=lambda game: (game.place, game.id)):
        if game.id in found:
            raise ValueError(f"two games are called {game.id}: each id names one game in every journal")
        found[game.id] = game
    return found


GAMES: Final = by_id(_found())
RULEBOOKS: Final[Mapping[str, Callable[[Mapping[str, str]], Rulebook]]] = {
    game.id: game.rulebook for game in GAMES.values()
}
#: The choices of a house, by rulebook id.
PROFILES: Final[Mapping[str, type[Profile]]] = {game.id: game.options for game in GAMES.values()}
LIMIT_RULES: Final[Mapping[str, LimitRule]] = {game.id: game.as_shipped.limits for game in GAMES.values()}
#: The games in which players bet against each other.
CIRCLE_GAMES: Final = frozenset(game.id for game in GAMES.values() if game.is_circle)


def rulebook_of(setup: Setup) -> Rulebook:
    """The rulebook of a setup, under its profile. Raises `KeyError` for an id that is not in the registry."""
    return RULEBOOKS[setup.rulebook](setup.profile)


def choices_of(rulebook: str) -> dict[str, Choice]:
    """Every key that a house has at a rulebook, with what it decides; none for a rulebook without a profile."""
    kind = PROFILES.get(rulebook)
    return {} if kind is None else choices(kind)


def most_seats(rulebook: str) -> int:
    """How many seats a table of this game has at most; of a game that is not known, as many as any has."""
    game = GAMES.get(rulebook)
    return (
        game.as_shipped.max_seats if game is not None else max(known.as_shipped.max_seats for known in GAMES.values())
    )


def trackings(rulebook: str) -> tuple[Tracking, ...]:
    """How much of the bets can be entered at a table of this game; of one that is not known, what the first one has."""
    return GAMES.get(rulebook, next(iter(GAMES.values()))).trackings

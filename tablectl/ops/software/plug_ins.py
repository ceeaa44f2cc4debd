"""Games and drivers of other packages: what announces itself to tablectl runs at a table, as our own code does.

Which there are, is asked of the files each time: a plug-in that somebody adds later is one that nobody approved.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from importlib.machinery import PathFinder
from pathlib import Path
from typing import Final

from tablectl.ops.software.distributions import Announced, Unreadable, announced

_GAMES: Final = "tablectl.games"


@dataclass(frozen=True, kw_only=True, slots=True)
class PlugIn:
    """A package or a single module on Python's path that announces something to us.

    `games` are the folders of the games in it, as they are named in a survey: `others/poker/`. A package without a game
    has none.
    """

    name: str
    root: Path
    games: frozenset[str]


@dataclass(frozen=True, kw_only=True, slots=True)
class PlugIns:
    """All of them, and the files that announce them."""

    packages: tuple[PlugIn, ...]
    said_in: tuple[Path, ...]


def plug_ins(path: Iterable[Path], ours: Iterable[str]) -> PlugIns:
    """What is announced in the folders of Python's path, but what lies in our own packages. Raises `Unreadable`."""
    folders, own = [*path], {*ours}
    found = [point for point in announced(folders) if _first(point) not in own]
    names = dict.fromkeys(map(_first, found))
    packages = [_plug_in(name, [point for point in found if _first(point) == name], folders) for name in names]
    return PlugIns(
        packages=tuple(sorted(packages, key=lambda plug_in: plug_in.name)),
        said_in=tuple(dict.fromkeys(point.said_in for point in found)),
    )


def _first(point: Announced) -> str:
    """The name that lies on Python's path."""
    return point.module.partition(".")[0]


def _plug_in(name: str, points: list[Announced], path: list[Path]) -> PlugIn:
    root = _root(name, points[0], path)
    games = frozenset(_folder(point, root) for point in points if point.group == _GAMES)
    return PlugIn(name=name, root=root, games=games)


def _root(name: str, point: Announced, path: list[Path]) -> Path:
    """The folder or the file that Python would import; it imports nothing here. Raises `Unreadable`."""
    spec = PathFinder.find_spec(name, [*map(str, path)]) if name else None
    found = [] if spec is None else [*(spec.submodule_search_locations or filter(None, [spec.origin]))]
    if len(found) == 1:
        return Path(found[0])
    where = f"lies in several folders ({', '.join(found)})" if found else "is in no folder that Python imports from"
    raise Unreadable(
        f"{point.said_in}: announces {point.module} to {point.group}, and {name} {where}, so nobody can say which "
        "files belong to it; install that plug-in anew with pip, not as editable, in a package of its own, or remove it"
    )


def _folder(point: Announced, root: Path) -> str:
    """The folder of a game: the module's own, or the one in which its file lies; of a single module the file."""
    if not root.is_dir():
        return root.name
    parts = point.module.split(".")
    is_folder = root.joinpath(*parts[1:]).is_dir()
    return "".join(f"{part}/" for part in (parts if is_folder else parts[:-1]))

"""What others wrote and we depend on: found by what each installed distribution says that it requires.

`importlib.metadata` would say the same (a test compares the two) and takes longer to import than the whole check at a
start may take. Only what pip writes is read: the folder NAME-VERSION.dist-info with METADATA and RECORD.
"""

from __future__ import annotations

import base64
import csv
import os
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

OURS: Final = "tablectl"
_INFO: Final = ".dist-info"
#: The folders in which Python looks for what a distribution announces: those of pip, and those of older tools.
_ABOUT: Final = (_INFO, ".egg-info")
_ANNOUNCES: Final = "entry_points.txt"
#: How the groups begin in which somebody announces code for us: `tablectl.games`, `tablectl.drivers` and the like.
_FOR_US: Final = f"{OURS}."
_REQUIRES: Final = "Requires-Dist:"
_REQUIREMENT: Final = re.compile(r"\s*(?P<name>[A-Za-z0-9][A-Za-z0-9._-]*)\s*(?:\[(?P<extras>[^]]*)\])?")
_EXTRA: Final = re.compile(r"""extra\s*==\s*["']([^"']+)["']""")


class Unreadable(Exception):
    """Part of the software cannot be read. The text says what, and what to do."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Recorded:
    """A line of a RECORD: the file, relative to the folder of the installation, and its sha256 in hex if it has one."""

    file: str
    sha256: str | None


@dataclass(frozen=True, kw_only=True, slots=True)
class Announced:
    """An entry point for us: the file that says it, the group, and the module that it names."""

    said_in: Path
    group: str
    module: str


def announced(folders: Iterable[Path]) -> Iterator[Announced]:
    """Every entry point for us of whatever is installed in these folders, ours too. Raises `Unreadable`.

    All of them, also where Python would take only the first of two with one name.
    """
    for folder in folders:
        for about in sorted(_about(folder)):
            path = about / _ANNOUNCES
            if path.exists():
                yield from _entry_points(path)


def needed(sites: Iterable[Path], plug_ins: Iterable[Path] = ()) -> list[Path]:
    """The .dist-info folders of all that tablectl depends on, directly or not, sorted by name; `plug_ins` are those
    of plug-ins, which are needed like what tablectl requires. Raises `Unreadable`.

    Versions and markers are not judged: pip did that. What is required and not installed is not in the list, so a
    manifest that has it finds it missing.
    """
    installed = _installed(sites)
    found: dict[str, Path] = {}
    asked = [(name, frozenset[str]()) for name in (OURS, *map(_name, plug_ins))]
    seen = set()
    while asked:
        name, extras = asked.pop()
        if (name, extras) in seen or name not in installed:
            continue
        seen.add((name, extras))
        found[name] = installed[name]
        asked += _requirements(installed[name], extras)
    found.pop(OURS, None)
    return [found[name] for name in sorted(found)]


def own_version(sites: Iterable[Path]) -> str:
    """The version of tablectl that is installed. Raises `Unreadable`."""
    folder = _installed(sites).get(OURS)
    if folder is None:
        raise Unreadable(
            f"{OURS} is not installed in {', '.join(map(str, sites))}, so nobody can say which version runs and what "
            "it depends on; install it with pip"
        )
    return folder.name.removesuffix(_INFO).partition("-")[2]


def recorded(folder: Path) -> Iterator[Recorded]:
    """The lines of a distribution's RECORD. Raises `Unreadable`."""
    for line in _text(folder / "RECORD").splitlines():
        row = next(csv.reader([line]), [])
        if len(row) != 3:
            raise Unreadable(f"{folder / 'RECORD'}: found the line {line!r}; would be right: FILE,HASH,SIZE")
        algorithm, _, digest = row[1].partition("=")
        if algorithm not in {"", "sha256"}:
            raise Unreadable(
                f"{folder / 'RECORD'}: {row[0]} has a hash of kind {algorithm!r}; only sha256 is known here"
            )
        yield Recorded(file=row[0], sha256=_hex(digest) if algorithm else None)


def _hex(digest: str) -> str:
    """What RECORD writes in base64 for addresses, without the signs that fill it up."""
    try:
        return base64.urlsafe_b64decode(digest + "=" * (-len(digest) % 4)).hex()
    except ValueError:
        return "no hash"  # and so no file has it


def _installed(sites: Iterable[Path]) -> dict[str, Path]:
    """Normalised name -> .dist-info folder; where there are two, the one that Python finds first."""
    found: dict[str, Path] = {}
    for folder in sites:
        if folder.is_dir():
            for path in sorted(folder.glob(f"*{_INFO}")):
                found.setdefault(_name(path), path)
    return found


def _name(folder: Path) -> str:
    """The normalised name of the distribution that a .dist-info folder is about."""
    return _normal(folder.name.removesuffix(_INFO).partition("-")[0])


def _about(folder: Path) -> list[Path]:
    """The folders about distributions, as `importlib.metadata` finds them; none where this user may not look: Python
    imports nothing from there for him either."""
    try:
        with os.scandir(folder) as entries:
            return [Path(entry.path) for entry in entries if entry.name.lower().endswith(_ABOUT)]
    except (FileNotFoundError, NotADirectoryError, PermissionError):
        return []


def _entry_points(path: Path) -> Iterator[Announced]:
    """Those for us, of one file; it is read as `importlib.metadata` reads it."""
    group = ""
    for line in map(str.strip, _text(path).splitlines()):
        if line.startswith("[") and line.endswith("]"):
            group = line.strip("[]")
        elif group.startswith(_FOR_US) and line and not line.startswith("#"):
            value = line.partition("=")[2].strip()
            yield Announced(said_in=path, group=group, module=re.split(r"[\s:\[]", value)[0])


def _requirements(folder: Path, extras: frozenset[str]) -> Iterator[tuple[str, frozenset[str]]]:
    """What a distribution requires with these extras: names, each with the extras that are asked of it."""
    for line in _text(folder / "METADATA").splitlines():
        if not line:
            return  # the description follows
        if not line.startswith(_REQUIRES):
            continue
        requirement, _, marker = line.removeprefix(_REQUIRES).partition(";")
        wanted = {_normal(extra) for extra in _EXTRA.findall(marker)}
        if wanted and not wanted & extras:
            continue
        if match := _REQUIREMENT.match(requirement):
            asked = (match["extras"] or "").split(",")
            yield _normal(match["name"]), frozenset(_normal(text.strip()) for text in asked if text.strip())


def _normal(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()


def _text(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as wrong:
        reason = wrong.strerror if isinstance(wrong, OSError) else "it is not UTF-8 text"
        what = f"{path}: cannot be read ({reason}), so nobody can say which files belong to it"
        raise Unreadable(f"{what}; install that distribution anew with pip") from None

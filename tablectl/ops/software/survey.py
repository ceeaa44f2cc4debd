"""What is there: every file of our own packages, the configuration, what Python starts by itself, what we depend on.

A survey says nothing about good or bad. It is sha256 in hex by file, in groups, and the same files give the same survey
wherever they lie: names are relative to the folder that Python imports from.
"""

from __future__ import annotations

import hashlib
import importlib.util
import os
import re
import site
import sys
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from tablectl.ops.software.distributions import Unreadable, needed, own_version
from tablectl.ops.software.plug_ins import PlugIns, plug_ins

PACKAGE: Final = "package"
PAY_TABLES: Final = "pay-tables"
CONFIGURATION: Final = "configuration"
DISTRIBUTIONS: Final = "distributions"
START_UP: Final = "start-up"
GROUPS: Final = (PACKAGE, PAY_TABLES, CONFIGURATION, DISTRIBUTIONS, START_UP)

OWN_PACKAGES: Final = ("tablectl", "drivers", "simulators")
#: Where it is decided who is owed what: rules, payouts, options and limits of each game, what games of one kind share,
#: how hands are ranked, and how bets and pots are settled. In a group of their own, so that a person sees at once that
#: one of them changed. Each is how a name begins: `limits.` is one module, whose bytecode belongs to it. Of a game
#: neither its texts nor its picture nor its exercises.
PAY_TABLE_FILES: Final = re.compile(
    r"""tablectl/(
        games/(?!\w+/(locale/|exercises/|(__pycache__/)?(clauses|layout|notices)\.))
        | families/ | core/engine/ | core/settlement/ | core/options/ | config/(__pycache__/)?limits\.
    )""",
    re.VERBOSE,
)
#: The same of a game in another package, below its folder. The rest of that package decides too.
NO_PAY_TABLE: Final = re.compile(r"(locale/|exercises/|hands/|(__pycache__/)?(clauses|layout|notices)\.)")
CACHE: Final = "__pycache__"
#: In place of a hash, for what cannot have one. No manifest that we sign holds it.
NO_FILE: Final = "no regular file"

#: group -> file -> sha256 in hex
Files = Mapping[str, Mapping[str, str]]


@dataclass(frozen=True, kw_only=True, slots=True)
class Places:
    """Where software lies: the folders of our packages by name, the folders into which pip installs, and those from
    which Python imports, where plug-ins are looked for."""

    packages: Mapping[str, Path]
    sites: tuple[Path, ...]
    path: tuple[Path, ...] = ()

    def plug_ins(self) -> PlugIns:
        """The plug-ins that are there now. Raises `Unreadable`."""
        return plug_ins(self.path, OWN_PACKAGES)

    def needed(self) -> list[Path]:
        """The .dist-info folders of all that tablectl and its plug-ins depend on, and theirs. Raises `Unreadable`."""
        return needed(self.sites, [file.parent for file in self.plug_ins().said_in])


@dataclass(frozen=True, kw_only=True, slots=True)
class Survey:
    """What was there: tablectl's version and every file with its hash."""

    version: str
    files: Files


def here() -> Places:
    """Where this Python imports from; `simulators` need not be installed."""
    packages = {}
    for name in OWN_PACKAGES:
        spec = importlib.util.find_spec(name)
        if spec is not None and spec.submodule_search_locations:
            packages[name] = Path(next(iter(spec.submodule_search_locations)))
    sites = dict.fromkeys(Path(folder_name).resolve() for folder_name in site.getsitepackages())
    path = dict.fromkeys(Path(folder_name).resolve() for folder_name in sys.path)
    return Places(packages=packages, sites=tuple(sites), path=tuple(path))


def survey(places: Places, configuration: Path, *, file_hash: str | None = None) -> Survey:
    """Everything, read now, but for the configuration where its hash is given. Raises `Unreadable`."""
    paths = [folder / "RECORD" for folder in places.needed()]
    records = {f"{path.parent.name}/RECORD": hash_of(path) for path in paths if path.exists()}
    return Survey(
        version=own_version(places.sites),
        files={**survey_own(places, configuration, file_hash=file_hash), DISTRIBUTIONS: dict(sorted(records.items()))},
    )


def survey_own(places: Places, configuration: Path, *, file_hash: str | None = None) -> dict[str, dict[str, str]]:
    """All groups but the distributions: what is read at every start. Raises `Unreadable`."""
    files: dict[str, dict[str, str]] = {PACKAGE: {}, PAY_TABLES: {}}
    for name, root in places.packages.items():
        for below, entry in entries_below(root):
            file = printable(f"{name}/{below}")
            files[group_of(file)][file] = hash_of(Path(entry.path))
    found = places.plug_ins()
    for plug_in in found.packages:
        for path in files_of(plug_in.root):
            file = name_below(plug_in.root, path, plug_in.name)
            files[group_of(file, plug_in.games)][file] = hash_of(path)
    for path in found.said_in:
        files[PACKAGE][printable(f"{path.parent.name}/{path.name}")] = hash_of(path)
    files[CONFIGURATION] = {printable(configuration.name): file_hash or hash_of(configuration)}
    files[START_UP] = {printable(path.name): hash_of(path) for path in _run_by_python_itself(places.sites)}
    return files


def group_of(file: str, games: frozenset[str] = frozenset()) -> str:
    """The group of a file of ours, or of a plug-in with games in these folders, by its name in the survey.

    Whatever lies in a package with a game may decide who is owed what, but for what is known to be for people.
    """
    if games:
        is_text = any(file.startswith(game) and NO_PAY_TABLE.match(file.removeprefix(game)) for game in games)
        return PACKAGE if is_text else PAY_TABLES
    return PAY_TABLES if PAY_TABLE_FILES.match(file) else PACKAGE


def name_below(root: Path, path: Path, name: str) -> str:
    """The name of `path` in a survey, where `root` is called `name`; the whole path of what lies elsewhere. A `root`
    that is a file keeps its own name."""
    if path == root:
        return printable(root.name)
    return printable(f"{name}/{path.relative_to(root).as_posix()}" if path.is_relative_to(root) else str(path))


def printable(name: str) -> str:
    """A file's name that can be written as UTF-8, whatever bytes somebody called it."""
    return os.fsencode(name).decode("utf-8", "backslashreplace")


def files_of(root: Path) -> Iterator[Path]:
    """The files of a package, or the one file of a module."""
    return files_below(root) if root.is_dir() else iter((root,))


def files_below(root: Path) -> Iterator[Path]:
    """Whatever is no folder, sorted, without bytecode caches. Links to folders are not followed, but told."""
    return (Path(entry.path) for _, entry in entries_below(root))


def entries_below(root: Path) -> Iterator[tuple[str, os.DirEntry[str]]]:
    """The same, each with its name below `root`. A table that starts reads more than a thousand: to make each name out
    of two paths would take as long as the hashes."""
    for folder in folders_below(root):
        below = "" if folder == root else f"{folder.relative_to(root).as_posix()}/"
        for entry in _entries(folder):
            if not entry.is_dir(follow_symlinks=False):
                yield f"{below}{entry.name}", entry


def folders_below(root: Path) -> Iterator[Path]:
    """`root` and every folder in it, sorted, without bytecode caches."""
    yield root
    for entry in _entries(root):
        if entry.is_dir(follow_symlinks=False) and entry.name != CACHE:
            yield from folders_below(root / entry.name)


def hash_of_bytes(content: bytes) -> str:
    """sha256 in hex."""
    return hashlib.sha256(content).hexdigest()


def hash_of(path: Path) -> str:
    """sha256 in hex of what Python would read there, `NO_FILE` for what is no file. Raises `Unreadable`."""
    if not path.is_file() and (path.exists() or path.is_symlink()):
        return NO_FILE  # a link to a folder or to nothing, a pipe that would never end
    try:
        return hash_of_bytes(path.read_bytes())
    except OSError as wrong:
        raise unreadable(path, wrong) from None


def unreadable(path: Path, wrong: OSError) -> Unreadable:
    """A file or folder that is part of the software and cannot be read."""
    return Unreadable(
        f"{path}: cannot be read ({wrong.strerror}), so nobody can say whether it is the approved one; "
        "put it back, readable for the user that the controller runs as"
    )


def _entries(folder: Path) -> list[os.DirEntry[str]]:
    try:
        with os.scandir(folder) as found:
            return sorted(found, key=lambda entry: entry.name)
    except OSError as wrong:
        raise unreadable(folder, wrong) from None


def _run_by_python_itself(sites: Iterable[Path]) -> Iterator[Path]:
    """What runs before us, because it lies there: `.pth` files and the two modules that `site` imports."""
    for folder in sites:
        if folder.is_dir():
            for entry in _entries(folder):
                if entry.name.endswith(".pth") or entry.name.startswith(("sitecustomize.", "usercustomize.")):
                    yield folder / entry.name

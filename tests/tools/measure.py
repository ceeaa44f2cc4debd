"""`make measure`: the structure in figures, one row a measure, so that a commit can be compared with the one before.

Each row is counted by this program from the sources, from the import graph, or from cards dealt at a simulated table.
The goals and the reasons for them stand in docs/adr/0010-structure.md. A figure is no verdict: it names where to look.
"""

from __future__ import annotations

import argparse
import ast
import json
import re
import sys
import threading
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import asdict, dataclass
from functools import cache
from itertools import pairwise
from pathlib import Path
from types import FrameType
from typing import Final

import grimp

from drivers.facts import CardOut
from drivers.registry import DRIVERS
from tablectl.core.engine.vocabulary import Key
from tablectl.core.events.codec import DECISIONS
from tablectl.games.registry import RULEBOOKS
from tests.desk import desk

ROOT: Final = Path(__file__).parents[2]
PACKAGES: Final = ("tablectl", "drivers", "simulators")
#: What is written by hand in a package.
_WRITTEN: Final = frozenset({".css", ".hand", ".html", ".js", ".po", ".py", ".toml", ".txt"})
#: The game of another package that the tests bring, and its clauses.
_OF_THE_NEW_GAME: Final = re.compile(r"caribbean.stud|\bCST-", re.IGNORECASE)
#: Reading a member of the stream by its name, so that no type checker sees it.
_UNTYPED: Final = re.compile(r"""\[["'](kind|fact|decisions)["']\]|\.get\(["'](kind|fact|decisions)["']""")
#: The modules that turn records into values and back: the only ones that may read the stream untyped.
CODEC: Final = ("tablectl/core/events/codec.py", "tablectl/core/events/stream.py")
#: What has a member of such a name and is no record: a clause of a catalogue says of which kind it is.
NOT_THE_STREAM: Final = ("tablectl/i18n/clauses/catalogue.py",)
#: A module that tells so many kinds of decisions apart rebuilds a picture of the table.
_PROJECTS: Final = 5
#: A module that names so many keys says what they do.
_DEFINES_KEYS: Final = 6
_LANGUAGES: Final = frozenset({"es", "en"})
_UNNAMED: Final = "each"
#: What may follow where a name is given: in prose another word does, and most modules need not be parsed.
_MAY_BE_UNNAMED: Final = re.compile(rf"\b{_UNNAMED}\b\s*(?:in\b|[^\s\w.;'\"])")
#: Parsing all modules takes a quarter of a minute.
_DEFINED: Final = re.compile(
    r"^(?:(?:async )?def (?P<function>\w+)|(?:class )?(?P<name>[A-Z_]\w*)(?=\(|:\n|: [^=\n]+ = | = ))", re.MULTILINE
)
_WORD: Final = re.compile(r"\w+")
#: By Python, pytest and Alembic.
_CALLED_BY_NAME: Final = re.compile(r"__\w+__$|(test|pytest)_|pytestmark$|(upgrade|downgrade|down_revision)$")
_RULES: Final = ("core", "families", "games")
#: A card is taken up here; what happens until it returns happens on the card's path.
_TAKES: Final = ("controller.py", "_take")


@dataclass(frozen=True, kw_only=True, slots=True)
class Row:
    """One measure: what is counted, the figure, the goal, and the places that are worth a look, the largest first."""

    measure: str
    figure: int
    goal: int | None
    where: tuple[str, ...] = ()


def rows() -> Iterator[Row]:
    """All measures of the checkout in which this file lies."""
    yield from _games()
    yield _untyped()
    yield _projections()
    yield _key_tables()
    yield from _card()
    yield from _layers()
    yield from _lines()
    yield _languages()
    yield _devices()
    yield unnamed_loops()
    yield unused_names()


def _sources(*packages: str) -> Iterator[tuple[str, str]]:
    """Path from the root and text of each module."""
    for package in packages:
        for path in sorted((ROOT / package).rglob("*.py")):
            yield str(path.relative_to(ROOT)), path.read_text(encoding="utf-8")


@cache
def _parsed(text: str) -> ast.Module:
    return ast.parse(text)


def strings(text: str) -> Iterator[str]:
    """The literals of a module, without its docstrings: those say what is meant, and decide nothing."""
    tree = _parsed(text)
    prose = {
        id(node.body[0].value)
        for node in ast.walk(tree)
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef)
        and node.body
        and isinstance(node.body[0], ast.Expr)
    }
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in prose:
            yield node.value


@cache
def names(text: str) -> frozenset[str]:
    """What a module names: imported modules, attributes and literals."""
    found = set(strings(text))
    for node in ast.walk(_parsed(text)):
        if isinstance(node, ast.ImportFrom) and node.module is not None:
            found |= {node.module, *(f"{node.module}.{name.name}" for name in node.names)}
        elif isinstance(node, ast.Import):
            found |= {name.name for name in node.names}
    return frozenset(found)


def _row(measure: str, found: Iterable[str] | Counter[str], goal: int | None, figure: int | None = None) -> Row:
    where = (
        tuple(f"{place} ({times})" for place, times in found.most_common())
        if isinstance(found, Counter)
        else tuple(found)
    )
    return Row(measure=measure, figure=len(where) if figure is None else figure, goal=goal, where=where)


# -- knowledge that stands in more than one place ----------------------------------------------------------------------


def _games() -> Iterator[Row]:
    """Modules outside a game's own folder that know one game by its name."""
    found: Counter[str] = Counter()
    for path, text in _sources("tablectl", "simulators"):
        named = names(text)
        for game in RULEBOOKS:
            word = game.replace("-", "_")
            if f"/games/{word}/" in f"/{path}":
                continue
            if game in named or any(word in import_name.split(".") for import_name in named):
                found[path] += 1
    yield _row("modules outside games/ that name a game", found, 0)
    yield _row("files that know the new game of tests/games/, outside its folder", know_the_new_game(), 0)


def know_the_new_game() -> Iterator[str]:
    """Files of the program that name the game which the tests bring as a package of somebody else, or one of its
    clauses: what such a game needs outside its folder (`tests/games/test_caribbean_stud.py` shows that it is whole)."""
    for package in PACKAGES:
        for path in sorted((ROOT / package).rglob("*")):
            if path.suffix in _WRITTEN and _OF_THE_NEW_GAME.search(path.read_text(encoding="utf-8")):
                yield str(path.relative_to(ROOT))


def _untyped() -> Row:
    found = Counter(
        {
            path: len(hits)
            for path, text in _sources("tablectl")
            if path not in (*CODEC, *NOT_THE_STREAM) and (hits := _UNTYPED.findall(text))
        }
    )
    return _row("modules outside the codec that read the stream untyped", found, 0)


def _projections() -> Row:
    """Modules that tell kinds of decisions apart by their names in the stream, and are no codec."""
    found: Counter[str] = Counter()
    for path, text in _sources("tablectl"):
        if path not in CODEC:
            kinds = set(strings(text)) & DECISIONS.keys()
            if len(kinds) >= _PROJECTS:
                found[path] = len(kinds)
    return _row(f"modules that fold {_PROJECTS} or more kinds of decisions by name", found, 0)


def _key_tables() -> Row:
    """Modules of the rules that name many keys: what a key does, and which are lit."""
    keys = {key.name for key in Key}
    found: Counter[str] = Counter()
    for path, text in _sources("tablectl"):
        if path.split("/")[1] not in _RULES or path.endswith("vocabulary.py"):
            continue
        named = {
            node.attr
            for node in ast.walk(_parsed(text))
            if isinstance(node, ast.Attribute)
            and isinstance(node.value, ast.Name)
            and node.value.id == "Key"
            and node.attr in keys
        }
        if len(named) >= _DEFINES_KEYS:
            found[path] = len(named)
    return _row(f"modules of the rules that name {_DEFINES_KEYS} or more keys", found, 3)


def _languages() -> Row:
    """Literals that are a language's code, outside catalogues (which are data)."""
    found: Counter[str] = Counter()
    for path, text in _sources("tablectl"):
        times = sum(string in _LANGUAGES for string in strings(text))
        times += sum(
            keyword.arg in _LANGUAGES
            for node in ast.walk(_parsed(text))
            if isinstance(node, ast.Call)
            for keyword in node.keywords
        )
        times += sum(isinstance(node, ast.Attribute) and node.attr in _LANGUAGES for node in ast.walk(_parsed(text)))
        if times:
            found[path] = times
    return _row("places that know `es` or `en` by name", found, None, figure=found.total())


def says_each(text: str) -> int:
    """How often a module calls what it goes through `each`, which says nothing of what it is."""
    if not _MAY_BE_UNNAMED.search(text):
        return 0
    return sum(
        (isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store) and node.id == _UNNAMED)
        or (isinstance(node, ast.arg) and node.arg == _UNNAMED)
        for node in ast.walk(_parsed(text))
    )


def unnamed_loops() -> Row:
    """Of the tests too."""
    found = Counter({path: times for path, text in _sources(*PACKAGES, "tests") if (times := says_each(text))})
    return _row("loop variables that are called `each`", found, 0, figure=found.total())


def names_of(text: str) -> Iterator[str]:
    """The functions, classes and constants of a module. A function that is decorated is used by what decorates it."""
    for found in _DEFINED.finditer(text):
        before = text[: found.start()].rstrip("\n").rpartition("\n")[2]
        if not (found["function"] and before.startswith(("@", ")"))):
            yield found["function"] or found["name"]


def unused_names() -> Row:
    """Of the tests too: a private one in its module, any other one anywhere, templates included. One that is called as
    another is not found."""
    sources = tuple(_sources(*PACKAGES, "tests"))
    pages = [path.read_text(encoding="utf-8") for package in PACKAGES for path in (ROOT / package).rglob("*.html")]
    everywhere = Counter(word for text in (*(text for _, text in sources), *pages) for word in _WORD.findall(text))
    found = []
    for path, text in sources:
        words = Counter(_WORD.findall(text))
        found += [
            f"{path}: {name}"
            for name in names_of(text)
            if not _CALLED_BY_NAME.match(name) and (words if name.startswith("_") else everywhere)[name] == 1
        ]
    return _row("names that nobody uses", found, 0)


def _devices() -> Row:
    """Modules outside its folder and its simulator that name a kind of device; the most that one kind has.

    A model that is called as its role is passed over: whoever deals with a role has to name it.
    """
    most: tuple[str, ...] = ()
    roles = {entry.role for entry in DRIVERS.values()}
    for driver in DRIVERS.keys() - roles:
        folder = driver.split("-")[0]
        found = tuple(
            path
            for path, text in _sources(*PACKAGES)
            if driver in names(text) and f"/{folder}" not in f"/{path}" and not path.startswith(f"simulators/{folder}")
        )
        most = max(most, found, key=len)
    return _row("modules that name a device, outside its folder and simulator (worst)", most, 0)


# -- layers ------------------------------------------------------------------------------------------------------------


def _layers() -> Iterator[Row]:
    first = sorted(
        path.name
        for path in (ROOT / "tablectl").iterdir()
        if path.name not in ("__init__.py", "__main__.py", "__pycache__", "py.typed")
    )
    yield _row("entries on the first level of tablectl/", first, 16)
    graph = grimp.build_graph(*PACKAGES, cache_dir=None)
    imports = {
        (importer, imported)
        for importer in graph.modules
        for imported in graph.find_modules_directly_imported_by(importer)
    }
    yield _row("mutually importing packages of tablectl/", mutual(imports, first_level), 0)
    yield _row("mutually importing folders of the rules", mutual(imports, rule_folder), 0)


def first_level(module: str) -> str | None:
    parts = module.split(".")
    return ".".join(parts[:2]) if parts[0] == "tablectl" and len(parts) > 1 else None


def rule_folder(module: str) -> str | None:
    parts = module.split(".")
    if parts[0] != "tablectl" or len(parts) < 3 or parts[1] not in _RULES:
        return None
    return ".".join(parts[1:-1])


def mutual(imports: set[tuple[str, str]], place_of: Callable[[str], str | None]) -> tuple[str, ...]:
    """The pairs of places that import each other, a folder and a folder inside it are two."""
    edges = {(place_of(one), place_of(other)) for one, other in imports}
    return tuple(
        sorted(
            f"{one} <-> {other}"
            for one, other in edges
            if one is not None and other is not None and one < other and (other, one) in edges
        )
    )


def _lines() -> Iterator[Row]:
    total = 0
    for package in PACKAGES:
        lines = sum(text.count("\n") for _, text in _sources(package))
        total += lines
        yield Row(measure=f"lines of {package}/", figure=lines, goal=45_000 if package == "tablectl" else None)
    yield Row(measure="lines of all three", figure=total, goal=60_000)


# -- one card ----------------------------------------------------------------------------------------------------------


class Profile:
    """Counts what runs in our own modules while the controller takes up a card; on the controller's thread alone."""

    def __init__(self) -> None:
        self.cards: list[tuple[str, ...]] = []
        self._calls: list[str] | None = None
        #: which thread has taken the card up that is counted
        self._thread = 0

    def __call__(self, frame: FrameType, event: str, _arg: object) -> None:
        code = frame.f_code
        is_entry = (Path(code.co_filename).name, code.co_name) == _TAKES
        if event == "call":
            if is_entry and self._calls is None and _is_a_card(frame.f_locals.get("item")):
                self._calls, self._thread = [], threading.get_ident()
            elif self._calls is not None and self._is_here() and code.co_filename.startswith(str(ROOT)):
                place = str(Path(code.co_filename).relative_to(ROOT))
                self._calls.append(f"{place}:{code.co_name}")
        elif event == "return" and is_entry and self._calls is not None:
            self.cards.append(tuple(self._calls))
            self._calls = None

    def _is_here(self) -> bool:
        """Whether this is the controller's thread: the second copy and others run meanwhile."""
        return self._thread == threading.get_ident()


def _is_a_card(item: object) -> bool:
    return isinstance(item, CardOut)


def _card() -> Iterator[Row]:
    """A card of the deal in a hand of three seats: the median of those that were measured."""
    profile = Profile()
    with desk() as table:
        threading.setprofile(profile)
        try:
            table.start()
        finally:
            threading.setprofile(None)
        table.open_hand()
        table.deal("As", "Kd", "7h", "2c", "9s", "Td")
    taken = sorted(profile.cards, key=len)[len(profile.cards) // 2]
    files = [call.split(":")[0] for call in taken]
    prompts = sum(call.endswith("core/engine/prompts.py:prompt") for call in taken)
    yield _row("files per card on the controller's thread", Counter(files), 20, figure=len(set(files)))
    yield Row(measure="calls per card on the controller's thread", figure=len(taken), goal=180)
    switches = sum(one != other for one, other in pairwise(files))
    yield Row(measure="switches between files per card", figure=switches, goal=None)
    yield Row(measure="computations of the prompt per card", figure=prompts, goal=1)


def main(arguments: list[str] | None = None) -> int:
    """Print the rows; `--where` with the places, `--json` for another program."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--json", action="store_true", help="one JSON object a row")
    parser.add_argument("--where", type=int, default=0, metavar="N", help="name the first N places of each row")
    options = parser.parse_args(arguments)
    for row in rows():
        if options.json:
            sys.stdout.write(json.dumps(asdict(row)) + "\n")
            continue
        goal = "" if row.goal is None else f"{row.goal:>8,}"
        sys.stdout.write(f"{row.measure:<72} {row.figure:>8,} {goal}".rstrip() + "\n")
        for place in row.where[: options.where]:
            sys.stdout.write(f"    {place}\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())

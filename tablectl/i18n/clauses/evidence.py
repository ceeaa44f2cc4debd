"""Where a clause is enforced and which tests show it, found in the sources instead of being kept by hand.

A clause id (`THB-ERR-2`; also `THB-ERR-2, -4` and `THB-ERR-2 to -4`, on one line) in a string, docstring or comment is
a claim that the code around it enforces the clause: the innermost function, class or assignment that holds it, or the
one that follows a comment of its own. No claim is what stands in a module's docstring or between its definitions (it
tells what the file is about), in a literal that does nothing but list clauses, or in a module that only tells people
about clauses or plays people.

Of a game of another package everything is looked for in its folder: its sources, and its hand files.

A test shows a clause if the id is in its name (`test_thb_err_2_...`), anywhere in its function, or begins the name of
a case of the table that it is parametrized with (`"thb_lim_3_below_the_band"`); a hand file, if the id is in its file
name or its first line.

Sources are installed with the package, so `enforced_in` is found everywhere. Tests are not: they are looked for in the
tree that the package lies in, else in the current directory if that is this project's tree. Where there are none
(a production machine), no tests are named; nothing is generated that could grow stale.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from itertools import chain
from pathlib import Path
from typing import Final

from tablectl.games.registry import GAMES

PACKAGE: Final = "tablectl"
#: What only tells people about clauses enforces none of them.
#: A profile says what a house may choose; whoever reads the choice enforces it.
_TELLS_ONLY: Final = (
    "tablectl.i18n.clauses",
    "tablectl.cli.commands.rules",
    "tablectl.core.options",
)
#: Each game has its own profile there, and tells the house what follows from it.
_GAMES: Final = "tablectl.games."
_OF_THE_HOUSE: Final = (".options", ".notices")
_TESTS_OF_TELLING: Final = ("tests/catalogue/", "tests/commands/test_rules.py")
_FOLLOWING: Final = re.compile(r"(, | and |, and | to )-(\d+)\b")
_CITED: Final = re.compile(
    r"\b(?P<prefix>[A-Z]{3}-[A-Z][A-Z0-9]{2}-)(?P<number>\d+[a-z]?)\b(?!-[a-z])"
    r"(?P<more>(?:(?:, | and |, and | to )-\d+\b)*)"
)
#: The name of a case in a table of cases: `thb_lim_3_below_the_band`.
_CASE: Final = re.compile(r"[a-z]{3}_[a-z][a-z0-9]{2}_\d+[a-z]?(?=_)")
_HANDS: Final = "tests/hands"
#: In the folder of a game of another package.
_HANDS_OF_A_GAME: Final = "hands"
_TESTS: Final = "tests"

_Named = ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef
_Test = ast.FunctionDef | ast.AsyncFunctionDef


@dataclass(frozen=True, slots=True, kw_only=True)
class Evidence:
    """For each clause id: places as `module:name`, and tests as pytest ids or paths of hand files; sorted."""

    enforced_in: Mapping[str, tuple[str, ...]]
    tests: Mapping[str, tuple[str, ...]]
    tests_found: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class _Block:
    """A named stretch of lines in a file, both ends included. `claims`: a clause named there is enforced there."""

    name: str
    first: int
    last: int
    claims: bool


@cache
def gather() -> Evidence:
    """Read this installation's sources and, where they are, its tests: once a process, whoever asks."""
    package = source_root() / PACKAGE
    tree = _project_tree(package)
    others = [folder for folder in _folders_of_games() if not folder.is_relative_to(package)]
    sources = (enforcing(package), *(_of_a_game(folder) for folder in others))
    hands = (_hands_in(folder / _HANDS_OF_A_GAME, under=folder.parent) for folder in others)
    shown = (*hands, *((showing(tree),) if tree is not None else ()))
    return Evidence(
        enforced_in=_collected(chain.from_iterable(sources)),
        tests=_collected(chain.from_iterable(shown)),
        tests_found=tree is not None or bool(others),
    )


def _folders_of_games() -> list[Path]:
    return [Path(str(game.folder)) for game in GAMES.values()]


def _of_a_game(folder: Path) -> Iterator[tuple[str, str]]:
    """The same of the folder of a game; its options tell only what a house may choose."""
    return (
        (clause, place) for clause, place in enforcing(folder) if not place.partition(":")[0].endswith(_OF_THE_HOUSE)
    )


def source_root() -> Path:
    """The folder that this installation's package lies in."""
    return Path(str(files(PACKAGE))).parent


def enforcing(package: Path) -> Iterator[tuple[str, str]]:
    """Pairs of clause id and `module:name`, from every source file of a package's directory."""
    for path in sorted(package.rglob("*.py")):
        module = ".".join((package.name, *path.relative_to(package).with_suffix("").parts)).removesuffix(".__init__")
        if not _tells_only(module):
            text = path.read_text(encoding="utf-8")
            for clause, name in mentions(text):
                yield clause, f"{module}:{name}"


def _tells_only(module: str) -> bool:
    is_option = module.startswith(_GAMES) and module.endswith(_OF_THE_HOUSE)
    return is_option or f"{module}.".startswith(tuple(f"{text}." for text in _TELLS_ONLY))


def clause_ids(text: str) -> Iterator[str]:
    """The clauses that a text cites, each as often as it does: whole ids, and what is short for more of them.

    The name of a hand file, `THB-STF-1-fault-of-the-controller`, cites none: it names the file.
    """
    for cited in _CITED.finditer(text):
        prefix, number = cited["prefix"], cited["number"]
        yield prefix + number
        for joint, following in _FOLLOWING.findall(cited["more"]):
            first = int(following) if joint != " to " or not number.isdigit() else int(number) + 1
            yield from (f"{prefix}{counted}" for counted in range(first, int(following) + 1))
            number = following


def mentions(source: str) -> Iterator[tuple[str, str]]:
    """Pairs of clause id and the name of what claims to enforce it, line by line."""
    if next(clause_ids(source), None) is None:
        return
    blocks = tuple(_blocks(ast.parse(source).body, ""))
    lines = source.splitlines()
    for number, line in enumerate(lines, start=1):
        for clause in clause_ids(line):
            place = _block_at(_after_comments(lines, number), blocks)
            if place is not None and place.claims:
                yield clause, place.name


def showing(tree: Path) -> Iterator[tuple[str, str]]:
    """Pairs of clause id and test, from a project's tree."""
    for path in sorted((tree / _TESTS).rglob("test_*.py")):
        place = path.relative_to(tree).as_posix()
        if not place.startswith(_TESTS_OF_TELLING):
            for clause, name in _shown_in(path.read_text(encoding="utf-8")):
                yield clause, f"{place}::{name}"
    yield from _hands_in(tree / _HANDS, under=tree)


def _hands_in(folder: Path, *, under: Path) -> Iterator[tuple[str, str]]:
    for path in sorted(folder.rglob("*.hand")):
        first = next(iter(path.read_text(encoding="utf-8").splitlines()), "")
        for clause in clause_ids(f"{path.stem.replace('_', '-').upper()}\n{first}"):
            yield clause, path.relative_to(under).as_posix()


def _shown_in(source: str) -> Iterator[tuple[str, str]]:
    if next(clause_ids(f"{source}\n{source.replace('_', '-').upper()}"), None) is None:
        return
    lines = source.splitlines()
    body = ast.parse(source).body
    cases = {name: tuple(_cases(node)) for node in body for name in _assigned(node)}
    for name, test in _test_functions(body, ""):
        own = (test.name, *(case for table in _tables(test) for case in cases.get(table, ())))
        named = (text.replace("_", "-").upper() for text in own)
        for clause in clause_ids("\n".join((*named, *lines[_first_line(test) - 1 : test.end_lineno]))):
            yield clause, name


def _cases(table: ast.stmt) -> Iterator[str]:
    for node in ast.walk(table):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and (found := _CASE.match(node.value)):
            yield found[0]


def _tables(test: _Test) -> set[str]:
    """What the decorators of a test name: the tables that it is parametrized with are among these."""
    named = (node for decorator in test.decorator_list for node in ast.walk(decorator))
    return {node.id for node in named if isinstance(node, ast.Name)}


def _project_tree(package: Path) -> Path | None:
    candidates = (package.parent, Path.cwd())
    return next(
        (candidate for candidate in candidates if (candidate / _TESTS).is_dir() and (candidate / PACKAGE).is_dir()),
        None,
    )


def _collected(pairs: Iterable[tuple[str, str]]) -> dict[str, tuple[str, ...]]:
    found: dict[str, set[str]] = {}
    for clause, place in pairs:
        found.setdefault(clause, set()).add(place)
    return {clause: tuple(sorted(places)) for clause, places in found.items()}


def _blocks(body: Iterable[ast.stmt], outer: str) -> Iterator[_Block]:
    """Functions, classes and assignments of a module or class, each followed by what lies inside it."""
    for node in body:
        names = [node.name] if isinstance(node, _Named) else _assigned(node)
        for name in names[:1]:
            yield _Block(
                name=f"{outer}{name}",
                first=_first_line(node),
                last=node.end_lineno or node.lineno,
                claims=not _only_lists(node),
            )
        if isinstance(node, ast.ClassDef):
            yield from _blocks(node.body, f"{outer}{node.name}.")


def _assigned(node: ast.stmt) -> list[str]:
    match node:
        case ast.Assign(targets=targets):
            return [target.id for target in targets if isinstance(target, ast.Name)]
        case ast.AnnAssign(target=ast.Name(id=name)):
            return [name]
        case _:
            return []


def _only_lists(node: ast.stmt) -> bool:
    """Whether an assignment does nothing but list clauses, perhaps each with a text: `ALL = {"THB-ERR-1": "..."}`."""
    if not isinstance(node, ast.Assign | ast.AnnAssign):
        return False
    match node.value:
        case ast.Call(func=ast.Name(id="frozenset" | "list" | "set" | "tuple"), args=[listed]):
            pass
        case listed:
            pass
    match listed:
        case ast.Dict(keys=keys, values=values):
            return len(keys) > 1 and all(map(_is_clause, keys)) and all(map(_is_text, values))
        case ast.List(elts=elements) | ast.Set(elts=elements) | ast.Tuple(elts=elements):
            return len(elements) > 1 and all(map(_is_clause, elements))
        case _:
            return False


def _is_text(node: ast.expr | None) -> bool:
    return isinstance(node, ast.Constant) and isinstance(node.value, str)


def _is_clause(node: ast.expr | None) -> bool:
    return isinstance(node, ast.Constant) and isinstance(node.value, str) and bool(_CITED.fullmatch(node.value))


def _first_line(node: ast.stmt) -> int:
    decorators = node.decorator_list if isinstance(node, _Named) else []
    return min([node.lineno, *(decorator.lineno for decorator in decorators)])


def _after_comments(lines: list[str], number: int) -> int:
    """The line that a comment of its own stands above; the line itself if it is no such comment."""
    while lines[number - 1].lstrip().startswith("#") and number < len(lines):
        number += 1
    return number


def _block_at(number: int, blocks: tuple[_Block, ...]) -> _Block | None:
    return next((block for block in reversed(blocks) if block.first <= number <= block.last), None)


def _test_functions(body: Iterable[ast.stmt], outer: str) -> Iterator[tuple[str, _Test]]:
    for node in body:
        if isinstance(node, ast.ClassDef):
            yield from _test_functions(node.body, f"{outer}{node.name}::")
        elif isinstance(node, _Test) and node.name.startswith("test_"):
            yield f"{outer}{node.name}", node

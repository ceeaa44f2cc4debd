"""Where a clause is enforced and which tests show it, found in the sources instead of being kept by hand.

A clause id (`THB-ERR-2`; also `THB-ERR-2, -4` and `THB-ERR-2 to -4`, on one line) in a string, docstring or comment is
a claim that the code around it enforces the clause: the innermost function, class or assignment that holds it, or the
one that follows a comment of its own. A test shows a clause if the id is in its name (`test_thb_err_2_...`) or
anywhere in its function; a hand file, if the id is in its file name or its first line.

Sources are installed with the package, so `enforced_in` is found everywhere. Tests are not: they are looked for in the
tree that the package lies in, else in the current directory if that is this project's tree. Where there are none
(a production machine), no tests are named; nothing is generated that could grow stale.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path
from typing import Final

PACKAGE: Final = "tablectl"
#: What only tells people about clauses enforces none of them; a choice is enforced where its value is asked for.
_TELLS_ONLY: Final = ("tablectl.catalogue", "tablectl.commands.rules", "tablectl.profile")
_TESTS_OF_TELLING: Final = ("tests/catalogue/", "tests/commands/test_rules.py")
_FOLLOWING: Final = re.compile(r"(, | and |, and | to )-(\d+)\b")
_CITED: Final = re.compile(
    r"\b(?P<prefix>[A-Z]{3}-[A-Z][A-Z0-9]{2}-)(?P<number>\d+[a-z]?)\b(?P<more>(?:(?:, | and |, and | to )-\d+\b)*)"
)
_HANDS: Final = "tests/hands"
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
    """A named stretch of lines in a file, both ends included."""

    name: str
    first: int
    last: int


def gather() -> Evidence:
    """Read this installation's sources and, where they are, its tests."""
    package = Path(str(files(PACKAGE)))
    tree = _project_tree(package)
    return Evidence(
        enforced_in=_collected(enforcing(package)),
        tests=_collected(showing(tree)) if tree is not None else {},
        tests_found=tree is not None,
    )


def enforcing(package: Path) -> Iterator[tuple[str, str]]:
    """Pairs of clause id and `module:name`, from every source file of a package's directory."""
    for path in sorted(package.rglob("*.py")):
        module = ".".join((package.name, *path.relative_to(package).with_suffix("").parts)).removesuffix(".__init__")
        if not module.startswith(_TELLS_ONLY):
            text = path.read_text(encoding="utf-8")
            for clause, name in mentions(text):
                yield clause, f"{module}:{name}"


def clause_ids(text: str) -> Iterator[str]:
    """The clauses that a text cites, each as often as it does: whole ids, and what is short for more of them."""
    for cited in _CITED.finditer(text):
        prefix, number = cited["prefix"], cited["number"]
        yield prefix + number
        for joint, following in _FOLLOWING.findall(cited["more"]):
            first = int(following) if joint != " to " or not number.isdigit() else int(number) + 1
            yield from (f"{prefix}{each}" for each in range(first, int(following) + 1))
            number = following


def mentions(source: str) -> Iterator[tuple[str, str]]:
    """Pairs of clause id and the name of what holds it; the module's own docstring is `__doc__`."""
    if next(clause_ids(source), None) is None:
        return
    blocks = tuple(_blocks(ast.parse(source).body, ""))
    lines = source.splitlines()
    for number, line in enumerate(lines, start=1):
        for clause in clause_ids(line):
            yield clause, _name_at(_after_comments(lines, number), blocks)


def showing(tree: Path) -> Iterator[tuple[str, str]]:
    """Pairs of clause id and test, from a project's tree."""
    for path in sorted((tree / _TESTS).rglob("test_*.py")):
        place = path.relative_to(tree).as_posix()
        if not place.startswith(_TESTS_OF_TELLING):
            for clause, name in _shown_in(path.read_text(encoding="utf-8")):
                yield clause, f"{place}::{name}"
    for path in sorted((tree / _HANDS).rglob("*.hand")):
        first = next(iter(path.read_text(encoding="utf-8").splitlines()), "")
        for clause in clause_ids(f"{path.stem.replace('_', '-').upper()}\n{first}"):
            yield clause, path.relative_to(tree).as_posix()


def _shown_in(source: str) -> Iterator[tuple[str, str]]:
    lines = source.splitlines()
    for name, test in _test_functions(ast.parse(source).body, ""):
        shown = "\n".join((test.name.replace("_", "-").upper(), *lines[_first_line(test) - 1 : test.end_lineno]))
        for clause in clause_ids(shown):
            yield clause, name


def _project_tree(package: Path) -> Path | None:
    candidates = (package.parent, Path.cwd())
    return next((each for each in candidates if (each / _TESTS).is_dir() and (each / PACKAGE).is_dir()), None)


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
            yield _Block(name=f"{outer}{name}", first=_first_line(node), last=node.end_lineno or node.lineno)
        if isinstance(node, ast.ClassDef):
            yield from _blocks(node.body, f"{outer}{node.name}.")


def _assigned(node: ast.stmt) -> list[str]:
    match node:
        case ast.Assign(targets=targets):
            return [each.id for each in targets if isinstance(each, ast.Name)]
        case ast.AnnAssign(target=ast.Name(id=name)):
            return [name]
        case _:
            return []


def _first_line(node: ast.stmt) -> int:
    decorators = node.decorator_list if isinstance(node, _Named) else []
    return min([node.lineno, *(each.lineno for each in decorators)])


def _after_comments(lines: list[str], number: int) -> int:
    """The line that a comment of its own stands above; the line itself if it is no such comment."""
    while lines[number - 1].lstrip().startswith("#") and number < len(lines):
        number += 1
    return number


def _name_at(number: int, blocks: Iterable[_Block]) -> str:
    return next((each.name for each in reversed(tuple(blocks)) if each.first <= number <= each.last), "__doc__")


def _test_functions(body: Iterable[ast.stmt], outer: str) -> Iterator[tuple[str, _Test]]:
    for node in body:
        if isinstance(node, ast.ClassDef):
            yield from _test_functions(node.body, f"{outer}{node.name}::")
        elif isinstance(node, _Test) and node.name.startswith("test_"):
            yield f"{outer}{node.name}", node

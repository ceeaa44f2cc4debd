"""The changes that `make mutants` makes, and that its sample stays the same when code moves."""

from __future__ import annotations

import ast
from pathlib import Path
from typing import Final

import pytest

from tests.mutants.__main__ import chosen, equivalent
from tests.mutants.contexts import Contexts
from tests.mutants.modules import MODULES, ROOT, Module
from tests.mutants.mutate import changed, changes_of, mutants_of, sample

#: Of a tool, and of no promise to anybody who runs a table.
pytestmark = pytest.mark.wide

#: One function, and what can be done to it.
CASES: Final = {
    "compare": ("x = a < 2", {"x = a <= 2", "x = a < 3"}),
    "result": ("def f(a):\n    return a", {"def f(a):\n    return None"}),
    "chain": ("x = 1 < a <= b", {"x = 1 <= a <= b", "x = 1 < a < b", "x = 2 < a <= b"}),
    "both": ("x = a and b", {"x = a or b"}),
    "not": ("x = not a", {"x = a"}),
    "sum": ("x = a + b", {"x = a - b"}),
    "truth": ("x = True", {"x = False"}),
    "condition": ("if a:\n    b = c", {"if not a:\n    b = c"}),
    "choice": ("x = a if b else c", {"x = c if b else a", "x = a if not b else c"}),
    "call": ("f(a)", {"pass"}),
    "loop": ("for a in b:\n    break", {"for a in b:\n    continue"}),
    "binds": ("x = (a + b) * c", {"x = (a - b) * c", "x = (a + b) // c"}),
    "text": ('x = "a" + b', set[str]()),
    "docstring": ('def f() -> None:\n    """1 < 2"""', set[str]()),
    "annotation": ("x: int | None = a", set[str]()),
    "fault": ("raise ValueError(1)", set[str]()),
    "accent": ('x = "año", a < b', {'x = "año", a <= b'}),
}


@pytest.mark.parametrize("case", CASES)
def test_every_change_is_one_that_a_careless_edit_makes(case: str) -> None:
    source, expected = CASES[case]
    made = {changed(source, change) for change in changes_of(source)}
    assert {_plain(text) for text in made} == {_plain(text) for text in expected}


def _plain(source: str) -> str:
    """As Python reads it, whatever brackets stand there."""
    return ast.unparse(ast.parse(source))


OLD: Final = "def f(a):\n    return a < 2\n\n\ndef g(a):\n    return a + 1\n"


def test_moved_code_has_the_mutants_that_it_had() -> None:
    one, other = OLD.split("\n\n\n")
    there = [(Path("a.py"), OLD)]
    moved = [(Path("b.py"), f"{other}\n\n\n"), (Path("c.py"), f'"""Moved."""\n\n\n{one}\n')]
    keys = [[mutant.key for mutant in sample(mutants_of(files), 4, 1)] for files in (there, moved)]
    assert keys[0] == keys[1]


def test_what_is_added_changes_no_others_turn() -> None:
    before = sample(mutants_of([(Path("a.py"), OLD)]), 100, 1)
    after = sample(mutants_of([(Path("a.py"), OLD + "\n\ndef h(a):\n    return not a\n")]), 100, 1)
    assert [mutant.key for mutant in after if not mutant.key.startswith("h:")] == [mutant.key for mutant in before]


def test_the_same_change_of_one_function_is_counted() -> None:
    found = [mutant.key for mutant in mutants_of([(Path("a.py"), "def f(a):\n    g(a)\n    g(a)\n")])]
    assert found == ["f: g(a) -> pass", "f: g(a) -> pass #2"]


def test_a_line_is_tried_by_the_tests_that_run_it_the_quickest_first() -> None:
    contexts = Contexts(
        lines={"a.py": {2: frozenset({"slow", "quick"}), 6: frozenset({"other"})}},
        times={"slow": 2.0, "quick": 0.1, "other": 0.2, "stranger": 0.05},
    )
    inside = next(mutant for mutant in mutants_of([(Path("a.py"), OLD)]) if mutant.change.lines == (2, 2))
    assert contexts.of(inside) == ["quick", "slow"]


def test_a_line_that_runs_when_the_file_is_read_is_tried_by_all_those_of_the_file_first() -> None:
    contexts = Contexts(
        lines={"a.py": {4: frozenset({"slow", "quick"})}},
        times={"slow": 2.0, "quick": 0.1, "stranger": 0.05},
    )
    (constant,) = mutants_of([(Path("a.py"), "LEAST = 2\n")])
    assert contexts.of(constant) == ["quick", "slow", "stranger"]


@pytest.mark.parametrize("module", MODULES, ids=lambda module: module.name)
def test_what_a_module_names_is_there(module: Module) -> None:
    assert [pattern for pattern in (*module.sources, *module.tests) if not any(ROOT.glob(pattern))] == []


@pytest.mark.parametrize("module", MODULES, ids=lambda module: module.name)
def test_every_module_has_a_sample_that_can_be_read(module: Module) -> None:
    mutants = chosen(module)
    assert len(mutants) == 50
    for mutant in mutants:
        source = (ROOT / mutant.file).read_text(encoding="utf-8")
        compile(changed(source, mutant.change), str(mutant.file), "exec")


def test_what_is_called_equivalent_is_a_mutant_and_has_a_reason() -> None:
    named = {module.name: module for module in MODULES}
    for name, reasons in equivalent().items():
        texts = ((file, (ROOT / file).read_text(encoding="utf-8")) for file in named[name].files())
        keys = {mutant.key for mutant in mutants_of(texts)}
        assert set(reasons) <= keys
        assert all(len(reason) > 10 for reason in reasons.values())

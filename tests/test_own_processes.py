"""Whatever the program starts of itself is itself, wherever it was started: no folder of the same name comes first."""

from __future__ import annotations

import ast
import os
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import pytest

from simulators import processes

ROOT: Final = Path(__file__).parents[1]
#: Python looks for a module with `-m` in the present folder first; with `-P` it does not.
OTHER_MODULE: Final = """
import sys
sys.exit("another module")
"""


def started_by(path: Path) -> Iterator[list[object]]:
    """The words that follow the interpreter, wherever a module names it."""
    text = path.read_text(encoding="utf-8")
    if "sys.executable" not in text:
        return
    for node in ast.walk(ast.parse(text)):
        words: list[ast.expr] = []
        if isinstance(node, ast.List | ast.Tuple):
            words = node.elts
        elif isinstance(node, ast.Call):
            words = node.args
        for place, word in enumerate(words):
            if ast.unparse(word) == "sys.executable":
                yield [
                    argument.value if isinstance(argument, ast.Constant) else None for argument in words[place + 1 :]
                ]


def test_no_process_of_its_own_is_looked_for_in_the_present_folder() -> None:
    found = {
        f"{path.relative_to(ROOT)}: {words[:3]}": words
        for top in ("tablectl", "drivers", "simulators")
        for path in (ROOT / top).rglob("*.py")
        for words in started_by(path)
    }
    assert len(found) >= 5
    assert [where for where, words in found.items() if "-m" in words and words[:2] != ["-P", "-m"]] == []


@pytest.mark.wide
@pytest.mark.system
def test_a_demo_in_a_folder_with_another_program_of_this_name_is_the_demo(tmp_path: Path) -> None:
    (tmp_path / "tablectl").mkdir()
    for name in ("__init__.py", "__main__.py", "watch.py"):
        (tmp_path / "tablectl" / name).write_text(OTHER_MODULE, encoding="utf-8")
    command = [sys.executable, "-P", "-m", "tablectl", "demo", "--headless", "--hands", "1", "--seed", "1"]
    done = processes.run(command, cwd=tmp_path, env=os.environ, capture_output=True, text=True, check=False)
    assert (done.returncode, "another module" in done.stderr) == (0, False), done.stderr

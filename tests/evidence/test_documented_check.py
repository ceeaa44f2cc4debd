"""The check that docs/journal.md gives to whoever does not trust this program: run as it stands there."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

from simulators import processes
from tablectl.cli.main import main
from tests.evidence.test_handfile import journal_of
from tests.journal.journals import facts_of, hand_files

DOCS = Path(__file__).parents[2] / "docs"
HANDS = {
    "THB-SAB-1-unreported-card",
    "THB-DEV-14-unread-cards",
    "TPC-MIS-0-void-after-the-txb-was-paid-reverse",
    "TPC-DEV-6-nine-seats-with-amounts",
}
FOUND = {name: hand for name, hand in hand_files() if name in HANDS}


def test_the_hands_that_it_is_tried_on_are_there() -> None:
    assert FOUND.keys() == HANDS


def script() -> str:
    found = re.search(
        r"```python\n(import hashlib.*?)```", (DOCS / "journal.md").read_text(encoding="utf-8"), re.DOTALL
    )
    assert found is not None
    return found[1]


@pytest.mark.parametrize("name", FOUND)
def test_the_script_of_the_page_finds_a_journal_intact_and_a_changed_record(
    name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    hand = FOUND[name]
    journal = journal_of(tmp_path / "table.db", hand.setup, facts_of(hand))
    assert main(["journal", "show", str(journal), "--json"]) == 0
    lines = capsys.readouterr().out
    assert run(lines, tmp_path).stdout.startswith("intact up to record")
    first, second, *rest = lines.splitlines(keepends=True)
    later = run("".join([second, *rest]), tmp_path, json.loads(first)["hash"])
    assert later.stdout.startswith("intact up to record"), "from any record on, with the hash before it"
    changed = lines.replace('"phase":"betting"', '"phase":"closed!"', 1)
    assert changed != lines
    assert "was changed" in run(changed, tmp_path).stderr


def run(lines: str, folder: Path, *more: str) -> subprocess.CompletedProcess[str]:
    (folder / "lines").write_text(lines, encoding="utf-8")
    return processes.run(
        [sys.executable, "-c", script(), str(folder / "lines"), *more], capture_output=True, text=True, check=False
    )

"""An audit in which nobody was asked is no good one."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import pytest

from tests.tools.vulnerabilities import GOOD, KNOWN, NOT_ASKED, audited, main

SOUND: dict[str, Any] = {"name": "lamp", "version": "1.0", "vulns": []}
FLAW: dict[str, Any] = {"id": "PYSEC-1", "fix_versions": ["2.1"], "aliases": [], "description": "text"}
FLAWED: dict[str, Any] = {"name": "shoe", "version": "2.0", "vulns": [FLAW]}
SKIPPED: dict[str, Any] = {"name": "felt", "skip_reason": "Dependency not found on PyPI"}


@pytest.mark.parametrize(
    ("dependencies", "status", "told"),
    [
        ([SOUND], GOOD, "1 packages checked, 0 known vulnerabilities"),
        ([SOUND, FLAWED], KNOWN, "shoe 2.0: PYSEC-1; corrected in 2.1"),
        ([SKIPPED, SKIPPED], NOT_ASKED, "nothing was checked: no index of vulnerabilities answered"),
        ([SOUND, SKIPPED], NOT_ASKED, "not checked, since the index does not know them: felt"),
        ([FLAWED, SKIPPED], KNOWN, "not checked, since the index does not know them: felt"),
        ([], NOT_ASKED, "nothing was checked"),
    ],
)
def test_what_is_known_and_who_was_not_asked_are_told(
    dependencies: list[dict[str, Any]], status: int, told: str
) -> None:
    found = audited({"dependencies": dependencies})
    assert found.status == status
    assert told in found.told


def test_all_lock_files_are_looked_at_and_the_worst_counts(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A program in pip-audit's place: it knows a flaw of one file, and nobody answers about the other."""
    program = tmp_path / "pip-audit"
    answers = {"a.lock": [FLAWED], "b.lock": [SKIPPED]}
    program.write_text(
        f"#!{sys.executable}\nimport json, pathlib, sys\n"
        f"print(json.dumps({{'dependencies': {answers!r}[pathlib.Path(sys.argv[-1]).name]}}))\n",
        encoding="utf-8",
    )
    program.chmod(0o755)
    assert main(str(program), "a.lock", "b.lock") == KNOWN
    assert main(str(program), "b.lock") == NOT_ASKED
    assert "a.lock: shoe 2.0" in capsys.readouterr().out
    assert main(str(program), "c.lock") == NOT_ASKED
    assert "pip-audit did not come to an end" in capsys.readouterr().err

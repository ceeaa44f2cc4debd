"""A game of another package, as it is found: a distribution in a folder on the path that announces its entry point."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import Final

from simulators import processes
from tablectl.games.registry import GROUP

#: Where this project's tests are found, by a command that is run somewhere else.
ROOT: Final = Path(__file__).parents[2]


def announced(folder: Path, value: str) -> dict[str, str]:
    """A distribution in this folder that announces the value; the environment in which Python finds both."""
    about = folder / "others-1.0.dist-info"
    about.mkdir()
    (about / "METADATA").write_text("Metadata-Version: 2.1\nName: others\nVersion: 1.0\n", encoding="utf-8")
    (about / "entry_points.txt").write_text(f"[{GROUP}]\nothers = {value}\n", encoding="utf-8")
    return {**os.environ, "PYTHONPATH": os.pathsep.join((str(folder), str(ROOT)))}


def python(environment: dict[str, str], *words: str, said: str = "") -> subprocess.CompletedProcess[str]:
    """A module as a program of its own, which finds what was announced."""
    command = [sys.executable, "-m", *words]
    return processes.run(command, env=environment, input=said, capture_output=True, text=True, check=False)


def tablectl(environment: dict[str, str], *words: str, said: str = "") -> subprocess.CompletedProcess[str]:
    """The same of a command."""
    return python(environment, "tablectl", *words, said=said)

"""A machine without the simulators: what needs them says so and names them, and everything else is there."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Final

import pytest

from simulators import processes

HAND: Final = next((Path(__file__).parents[1] / "hands").rglob("*.hand"))
#: `tablectl` on a machine where no such package can be imported.
WITHOUT: Final = """
import sys
sys.modules["simulators"] = None
from tablectl.cli.main import main
sys.exit(main(sys.argv[1:]))
"""


def tablectl(*words: str) -> subprocess.CompletedProcess[str]:
    return processes.run([sys.executable, "-c", WITHOUT, *words], capture_output=True, text=True, check=False)


@pytest.mark.parametrize(
    "words",
    [("demo", "--headless", "--hands", "1"), ("train", "--port", "0"), ("play", "--wire", str(HAND))],
    ids=["demo", "train", "play"],
)
def test_what_needs_the_simulators_names_them(words: tuple[str, ...]) -> None:
    ended = tablectl(*words)
    assert ended.returncode == 2
    assert "the simulators are not installed: no package announces" in ended.stderr
    assert "Traceback" not in ended.stderr


def test_hands_are_played_without_them() -> None:
    ended = tablectl("play", str(HAND))
    assert (ended.returncode, ended.stderr) == (0, "")


def test_the_modules_of_a_real_table_load_without_them() -> None:
    program = (
        "import sys; sys.modules['simulators'] = None\n"
        "import tablectl.table.controller.running, tablectl.web.screens.app, tablectl.web.training.app\n"
        "import tablectl.notifications.service, drivers.registry\n"
        "[*drivers.registry.DRIVERS.values()]\n"
    )
    processes.run([sys.executable, "-c", program], check=True)

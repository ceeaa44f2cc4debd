"""`make demo-pit`: a pit boss sees tables come and deal, and everything ends when somebody ends it."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from urllib.request import urlopen

import pytest

from simulators import processes
from simulators.stage.stage import temporary_folder
from tests.waiting import until


def processes_of(folder: Path) -> list[str]:
    """What still runs of it, in whichever session: every part has the demo's folder among its words."""
    said = processes.run(["ps", "-wweo", "args="], capture_output=True, text=True, check=True).stdout
    return [line for line in said.splitlines() if str(folder) in line]


@pytest.mark.system
@pytest.mark.wide
def test_tables_come_one_after_the_other_and_all_of_it_ends() -> None:
    with temporary_folder() as folder:  # a socket's path has to be short
        comes_and_ends(Path(folder))


def comes_and_ends(folder: Path) -> None:
    words = (sys.executable, "-m", "simulators.fleet.demo", "--tables", "2", "--speed", "5")
    process = processes.start(words, stdout=subprocess.PIPE, text=True, env={**os.environ, "TMPDIR": str(folder)})
    assert process.stdout is not None
    try:
        address = next(word for line in process.stdout for word in line.split() if word.startswith("http"))

        def page() -> str:
            with urlopen(address, timeout=20) as said:
                return str(said.read().decode())

        until(lambda: "mesa-1" in page())
        until(lambda: "mesa-2" in page() and "Jugando" in page())
        assert processes_of(folder) != []
    finally:
        process.send_signal(signal.SIGINT)
        time.sleep(0.5)
        process.send_signal(signal.SIGINT)  # as people do
        status = process.wait(60)
        left = processes_of(folder)
        process.stdout.close()
    assert status == 0
    assert left == []

"""The overview as `tablectl pit run` has it: beside the records, and never in their way."""

from __future__ import annotations

import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

import httpx2
import pytest

from simulators import processes
from tablectl.web.overview.viewers import Viewers
from tests.overview.test_server import stream

pytestmark = pytest.mark.system

TABLECTL: Final = (sys.executable, "-m", "tablectl")
PATIENCE_S: Final = 60


def made(folder: Path, more: str = "") -> Path:
    config = folder / "pit.toml"
    config.write_text(f'[pit]\ncasino = "Casino Uno"\nport = 0\nlanguage = "en"\n{more}', encoding="utf-8")
    processes.run([*TABLECTL, "pit", "init", config], check=True, capture_output=True, timeout=PATIENCE_S)
    return config


@contextmanager
def running(config: Path, n_lines: int = 2) -> Iterator[tuple[subprocess.Popen[str], list[str]]]:
    """A pit server, and the first lines that it prints."""
    with (
        (config.parent / "pit.log").open("w", encoding="utf-8") as log,
        processes.start([*TABLECTL, "pit", "run", config], stdout=subprocess.PIPE, stderr=log, text=True) as process,
    ):
        assert process.stdout is not None
        try:
            yield process, [process.stdout.readline().strip() for _ in range(n_lines)]
        finally:
            process.kill()


def test_a_pit_server_says_where_its_overview_is_and_ends_with_pages_open(tmp_path: Path) -> None:
    with running(made(tmp_path, "overview_port = 0\n")) as (process, (pit, overview)):
        assert pit.startswith("https://127.0.0.1:")
        assert overview.startswith("http://127.0.0.1:")
        page = httpx2.get(overview, verify=False).text
        assert "Casino Uno" in page
        assert "No table is enrolled here yet." in page
        coming = stream(overview.rstrip("/"))
        assert next(coming)[0] == "parts"
        process.send_signal(signal.SIGTERM)
        assert {kind for kind, _ in coming} <= {"beat", "parts"}
        assert process.wait(PATIENCE_S) == 0


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_whoever_ends_a_pit_server_as_it_says_its_first_line_ends_it_in_order(
    tmp_path: Path, number: signal.Signals
) -> None:
    with running(made(tmp_path, "overview_port = 0\n"), 1) as (process, _):
        process.send_signal(number)
        assert process.wait(PATIENCE_S) == 0
    assert '"event": "stopped"' in (tmp_path / "pit.log").read_text(encoding="utf-8")


def test_an_overview_whose_port_is_taken_does_not_keep_records_away(tmp_path: Path) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        config = made(tmp_path, f"overview_port = {taken.getsockname()[1]}\n")
        with running(config, 1) as (process, (pit,)):
            assert pit.startswith("https:")
            assert process.poll() is None
    assert "no overview" in (tmp_path / "pit.log").read_text(encoding="utf-8")


def test_a_pit_server_does_not_start_where_anybody_could_look(tmp_path: Path) -> None:
    config = made(tmp_path, 'overview_host = "127.1"\noverview_port = 0\n')
    refused = processes.run(
        [*TABLECTL, "pit", "run", config], capture_output=True, text=True, timeout=PATIENCE_S, check=False
    )
    assert refused.returncode == 1
    assert "tablectl pit viewer CONFIG NAME" in refused.stderr
    token = processes.run(
        [*TABLECTL, "pit", "viewer", config, "wall-1"], capture_output=True, text=True, timeout=PATIENCE_S, check=True
    ).stdout.strip()
    assert Viewers(tmp_path / "viewers").name_of(token) == "wall-1"
    with running(config) as (_, (_pit, overview)):
        assert overview.startswith("https://127.1:")

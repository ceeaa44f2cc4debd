"""The log of real processes: how each line reaches journald, what an error that nobody took leaves behind, and that
nothing is loaded for it before there is something to say."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

import pytest

from simulators import processes
from simulators.stage.stage import Scene, config_text
from tablectl.ops.logs.begin import Process
from tests.wide import once

pytestmark = pytest.mark.system

LONG_S = 60.0
#: A program that breaks with a card in a variable, in the text of its error and in that of its cause.
BREAKS = """
import asyncio, sys, threading, warnings
from tablectl.ops.logs.begin import Process, begin
begin(Process(sys.argv[1]), table="mesa 1")
def breaks():
    card = "hidden"
    try:
        raise ValueError(f"no such card: {card}")
    except ValueError as cause:
        raise RuntimeError(f"odd\\nlines {card}") from cause
async def in_a_loop():
    task = asyncio.create_task(asyncio.to_thread(breaks))
    await asyncio.wait([task])
    del task
    asyncio.get_running_loop().call_soon(breaks)
    await asyncio.sleep(0)
warnings.warn("odd\\nlines", stacklevel=1)
asyncio.run(in_a_loop())
thread = threading.Thread(target=breaks)
thread.start()
thread.join()
breaks()
"""
#: Everything that is loaded by a process that says nothing, or less than it is asked for.
SILENT = """
import sys
from tablectl.ops.log import LateLog
from tablectl.ops.logs.begin import Process, begin
import tablectl.cli.commands.run, tablectl.cli.commands.notifications
import tablectl.cli.commands.screens, tablectl.cli.commands.train
import tablectl.table.integrity_check
begin(Process.CONTROLLER, table="mesa 1")
LateLog().debug("statistics do not follow")
print("structlog" in sys.modules)
LateLog().info("ready")
print("structlog" in sys.modules)
"""


def said_by(path: Path, *words: str, environment: Mapping[str, str] | None = None, journal: bool = False) -> list[str]:
    """What a process writes on standard error; with `journal`, into what systemd says is its stream."""
    with path.open("w+", encoding="utf-8") as stream:
        at = os.fstat(stream.fileno())
        named = {"JOURNAL_STREAM": f"{at.st_dev}:{at.st_ino}"} if journal else {}
        given = {**os.environ, **named, **(environment or {})}
        command = [sys.executable, *words]
        processes.run(command, stdout=subprocess.PIPE, stderr=stream, env=given, timeout=LONG_S, check=False)
        stream.seek(0)
        return stream.read().splitlines()


@pytest.mark.parametrize("process", Process)
def test_errors_that_nobody_took_are_a_line_each_without_values(tmp_path: Path, process: Process) -> None:
    lines = said_by(tmp_path / "log", "-c", BREAKS, process.value, environment={"TABLECTL_LOG": "debug"})
    events = [json.loads(line) for line in lines]
    assert [event["event"] for event in events] == [
        "python warned",
        "a library said",
        "a library said",
        "thread broke",
        "program broke",
    ]
    assert {event["process"] for event in events} == {process.value}
    assert all(event["trace"][0].startswith("RuntimeError < ") for event in events[1:])
    assert all(event["trace"][1].startswith("ValueError < ") for event in events[1:])
    assert "hidden" not in "".join(lines)


def test_in_text_too(tmp_path: Path) -> None:
    wanted = {"TABLECTL_LOG": "debug", "TABLECTL_LOG_FORMAT": "text"}
    lines = said_by(tmp_path / "log", "-c", BREAKS, "screens", environment=wanted)
    assert len(lines) == 5
    assert "hidden" not in "".join(lines)


def test_for_journald_every_line_begins_with_its_priority(tmp_path: Path) -> None:
    lines = said_by(tmp_path / "log", "-c", BREAKS, "controller", journal=True)
    assert [line[:3] for line in lines] == ["<4>", "<3>", "<3>", "<3>", "<3>"]
    assert json.loads(lines[0][3:])["level"] == "warning"


def test_a_stream_that_is_not_journalds_has_no_priorities(tmp_path: Path) -> None:
    elsewhere = tmp_path.stat()
    named = {"JOURNAL_STREAM": f"{elsewhere.st_dev}:{elsewhere.st_ino}"}
    lines = said_by(tmp_path / "log", "-c", BREAKS, "controller", environment=named)
    assert [line[:1] for line in lines] == ["{"] * 5


@pytest.mark.parametrize("command", once(["run", "screens", "notifications"]))
def test_a_service_that_cannot_start_says_each_mistake_as_an_event(tmp_path: Path, command: str) -> None:
    config = tmp_path / "table.toml"
    config.write_text(f"{config_text(Scene(), tmp_path)}\n[odd]\nx = 1\n[[notify]]\nname = 1\n", encoding="utf-8")
    lines = said_by(tmp_path / "log", "-m", "tablectl", command, str(config), journal=True)
    assert len(lines) > 1
    assert {line[:3] for line in lines} == {"<3>"}
    assert {json.loads(line[3:])["event"] for line in lines} == {"not started"}
    at_a_terminal = said_by(tmp_path / "log", "-m", "tablectl", command, str(config))
    assert not any(line.startswith(("<", "{")) for line in at_a_terminal)


def test_nothing_is_loaded_for_the_log_before_there_is_something_to_say() -> None:
    done = processes.run([sys.executable, "-c", SILENT], capture_output=True, text=True, timeout=LONG_S, check=True)
    assert done.stdout.split() == ["False", "True"]


def test_a_log_that_cannot_be_written_ends_nothing() -> None:
    code = "from tablectl.ops.log import LateLog\nfrom tablectl.ops.logs.begin import Process, begin\nimport sys\n"
    code += "begin(Process.CONTROLLER, table=None)\nLateLog().error('tilt')\nprint('went on')\n"
    with Path("/dev/full").open("w", encoding="utf-8") as full:
        command = [sys.executable, "-c", code]
        done = processes.run(command, stdout=subprocess.PIPE, stderr=full, text=True, timeout=LONG_S, check=False)
    assert done.stdout == "went on\n"

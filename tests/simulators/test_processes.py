"""Whatever simulators and tests start ends with them, however they end: nobody's controller stays behind."""

from __future__ import annotations

import ast
import os
import select
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Final

import pytest

from simulators import processes
from tests.desk import LONG_S

ROOT: Final = Path(__file__).parents[2]
MODULE: Final = ROOT / "simulators" / "processes.py"

#: A stage whose controller is started by a thread that ends, as of a server of pages. It answers after that.
STAGE: Final = """
import sys, threading
from contextlib import ExitStack
from pathlib import Path
from simulators.stage.stage import Scene, Stage, temporary_folder
with temporary_folder() as folder, ExitStack() as stack:
    stage = Stage(Scene(), Path(folder))
    starting = threading.Thread(target=stack.enter_context, args=(stage,))
    starting.start()
    starting.join()
    while Path(f"/proc/self/task/{starting.native_id}").exists():
        pass  # the kernel needs another moment
    stage.reader().close()
    print(stage.controller.pid, flush=True)
    sys.stdin.read()
"""
#: Waits for another process, which says who it is.
WAITING: Final = """
from simulators import processes
processes.run(["sh", "-c", "echo $$; exec sleep infinity"], check=True)
"""
#: What the standard library starts processes with.
STARTS: Final = {f"subprocess.{name}" for name in ("Popen", "run", "call", "check_call", "check_output", "getoutput")}


@contextmanager
def process_of(program: str) -> Iterator[tuple[subprocess.Popen[str], int]]:
    """A process, and the end of one that it has started: something to select."""
    command = [sys.executable, "-c", program]
    with processes.start(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as parent:
        try:
            assert parent.stdout is not None
            child = os.pidfd_open(int(parent.stdout.readline()))
            with closing(os.fdopen(child, "rb")):
                yield parent, child
        finally:
            parent.kill()


@pytest.mark.system
@pytest.mark.parametrize("program", [STAGE, WAITING], ids=["a controller of a stage", "what is waited for"])
def test_what_was_started_ends_when_its_parent_is_killed(program: str) -> None:
    with process_of(program) as (parent, child):
        assert select.select([child], [], [], 0)[0] == [], "it has to run first"
        parent.send_signal(signal.SIGKILL)
        assert select.select([child], [], [], LONG_S)[0] == [child], "it outlived its parent"


def test_what_has_lost_its_parent_already_does_not_begin() -> None:
    words = ["sh", "-c", processes.IF_STILL_ITS_CHILD, "sh", "1", "echo", "begun"]
    done = processes.run(words, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (1, "")


def test_simulators_and_tests_start_processes_in_one_way_only() -> None:
    modules = {
        path.relative_to(ROOT): text
        for top in ("simulators", "tests")
        for path in (ROOT / top).rglob("*.py")
        if path != MODULE and "subprocess" in (text := path.read_text(encoding="utf-8"))
    }
    assert len(modules) >= 50
    other_ways = [
        f"{module}:{node.lineno}"
        for module, text in modules.items()
        for node in ast.walk(ast.parse(text))
        if isinstance(node, ast.Call) and ast.unparse(node.func) in STARTS
    ]
    assert other_ways == [], "start it with simulators.processes, so that it ends with who started it"

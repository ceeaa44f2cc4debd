"""Commands of `tablectl` as processes: one to its end, or one that runs until it is ended, killed or started again."""

from __future__ import annotations

import signal
import subprocess
import sys
from pathlib import Path
from typing import Final, Self

from simulators import processes

TABLECTL: Final = (sys.executable, "-P", "-m", "tablectl")
#: How long a program may take to end in order.
END_S: Final = 20.0


class NotStarted(Exception):
    """A command that ended at once. The text says what it said."""


def run(*words: object, said: str = "") -> str:
    """What one command prints. `said`: what somebody types. Raises `NotStarted`."""
    done = processes.run([*TABLECTL, *map(str, words)], capture_output=True, text=True, input=said, check=False)
    if done.returncode:
        raise NotStarted(f"tablectl {' '.join(map(str, words))}: {(done.stderr or done.stdout).strip()}")
    return done.stdout


class Program:
    """A process that runs between `start` and `end`. It can be killed and started again."""

    def __init__(self, log: Path, command: tuple[str, ...], *, says: int = 0, is_idle: bool = False) -> None:
        """`log`: gets what it says of errors. `says`: so many lines it prints when it is ready. `is_idle`: it
        runs where no other process wants to, and makes way at once (sched(7), SCHED_IDLE)."""
        self._log = log
        self._command = ("chrt", "--idle", "0", *command) if is_idle else command
        self._says = says
        self._process: subprocess.Popen[str] | None = None

    @classmethod
    def of_tablectl(cls, log: Path, *words: object, says: int = 0, is_idle: bool = False) -> Self:
        """A command of `tablectl`."""
        return cls(log, (*TABLECTL, *map(str, words)), says=says, is_idle=is_idle)

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.end()

    def start(self) -> list[str]:
        """The lines that it prints when it is ready. Raises `NotStarted`."""
        with self._log.open("a", encoding="utf-8") as log:
            process = self._process = processes.start(self._command, stdout=subprocess.PIPE, stderr=log, text=True)
        assert process.stdout is not None
        lines = [process.stdout.readline().strip() for _ in range(self._says)]
        if not all(lines):
            raise NotStarted(f"{' '.join(self._command[-3:])} ended; {self._log} says why")
        return lines

    @property
    def is_running(self) -> bool:
        """Whether it was started and has not ended."""
        return self._process is not None and self._process.poll() is None

    @property
    def pid(self) -> int:
        """Of the process that runs."""
        assert self._process is not None, "it was started"
        return self._process.pid

    def send(self, what: signal.Signals) -> None:
        """A signal."""
        if self._process is not None:
            self._process.send_signal(what)

    def kill(self) -> None:
        """At once, as in a crash."""
        self.send(signal.SIGKILL)
        self._ended()

    def end(self) -> None:
        """In order, where it does."""
        self.send(signal.SIGCONT)
        self.send(signal.SIGTERM)
        self._ended()

    def _ended(self) -> None:
        process, self._process = self._process, None
        if process is None:
            return
        try:
            process.wait(END_S)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
        assert process.stdout is not None
        process.stdout.close()

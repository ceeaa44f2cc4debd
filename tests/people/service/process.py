"""`tablectl accounts` as a process of its own: ended in order, or killed and started again."""

from __future__ import annotations

import select
import subprocess
import sys
from pathlib import Path
from types import TracebackType
from typing import Final, Self

from simulators import processes

START_S: Final = 30.0


class AccountsProcess:
    """From entering to leaving the `with` block. What it says goes into `log`."""

    def __init__(self, config: Path, people: Path, listen: Path, log: Path) -> None:
        self._words = [str(config), "--people", str(people), "--listen", str(listen)]
        self._process: subprocess.Popen[bytes] | None = None
        self.log = log

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._process is not None:
            self._process.terminate()
            assert self._ended() == 0, self.log.read_text(encoding="utf-8")

    def start(self) -> None:
        """Start it, and wait until it listens."""
        command = [sys.executable, "-u", "-m", "tablectl", "accounts", *self._words]
        with self.log.open("ab") as log:
            self._process = processes.start(
                command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=log, bufsize=0
            )
        stdout = self._process.stdout
        assert stdout is not None
        assert select.select([stdout], [], [], START_S)[0], "the accounts do not start"
        said = stdout.readline().decode()
        assert said.startswith("accounts: "), f"{said}{self.log.read_text(encoding='utf-8')}"

    def kill(self) -> None:
        """As a power cut would."""
        assert self._process is not None
        self._process.kill()
        self._ended()

    def _ended(self) -> int:
        process, self._process = self._process, None
        assert process is not None
        status = process.wait(START_S)
        assert process.stdout is not None
        process.stdout.close()
        return status

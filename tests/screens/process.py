"""The screens as a process of their own at a table's configuration: ended in order, or killed and started again at the
same port."""

from __future__ import annotations

import select
import subprocess
import sys
from pathlib import Path
from types import TracebackType
from typing import Final, Self

from simulators import processes

START_S: Final = 30.0


class ScreensProcess:
    """`tablectl screens CONFIG`, from entering to leaving the `with` block. What it says goes into `log`."""

    def __init__(self, config: Path, log: Path) -> None:
        self._config = config
        self._port = 0
        self._process: subprocess.Popen[bytes] | None = None
        self.log = log
        #: its address without the last slash
        self.url = ""

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._process is not None:
            self._process.terminate()
            self._end()

    @property
    def pid(self) -> int:
        """Of the running process."""
        assert self._process is not None, "start it first"
        return self._process.pid

    def start(self) -> None:
        """Start it, at its port of before, and wait until it listens."""
        command = [sys.executable, "-u", "-m", "tablectl", "screens", str(self._config), "--port", str(self._port)]
        with self.log.open("ab") as log:
            self._process = processes.start(
                command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=log, bufsize=0
            )
        stdout = self._process.stdout
        assert stdout is not None
        assert select.select([stdout], [], [], START_S)[0], "the screens do not start"
        said = stdout.readline().decode()
        assert "http://" in said, f"{said}{self.log.read_text(encoding='utf-8')}"
        self.url = said.split()[1].rstrip("/")
        self._port = int(self.url.rpartition(":")[2])

    def kill(self) -> None:
        """As a power cut would."""
        assert self._process is not None
        self._process.kill()
        self._end()

    def _end(self) -> None:
        process, self._process = self._process, None
        assert process is not None
        process.wait(START_S)
        assert process.stdout is not None
        process.stdout.close()

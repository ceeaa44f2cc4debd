"""The screens of a demo: the same process as at a real table, started beside the controller."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from types import TracebackType
from typing import Self

from simulators import processes
from simulators.stage.people import Secrets, make_people
from tablectl.ops.logs.choice import LEVEL_NAME, Level

STOP_S = 5.0


class NoScreens(Exception):
    """The screens could not be started."""


class Screens:
    """`tablectl screens` for one table, with people of its own; nothing at all where `port` is None."""

    def __init__(self, config: Path, people: Path, *, port: int | None) -> None:
        self._config = config
        self._people = people
        self._port = port
        self._process: subprocess.Popen[str] | None = None
        self.address = ""
        #: what its people sign on with; None where there are no screens
        self.secrets: Secrets | None = None

    def __enter__(self) -> Self:
        if self._port is not None:
            self.secrets = make_people(self._people)
            command = [sys.executable, "-P", "-m", "tablectl", "screens", str(self._config)]
            self._process = processes.start(
                [*command, "--people", str(self._people), "--port", str(self._port)],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                text=True,
                env={LEVEL_NAME: Level.WARNING.value, **os.environ},  # the terminal is the demo's
                start_new_session=True,  # Ctrl-C is for the demo, which then ends its parts in order
            )
            assert self._process.stdout is not None
            said = self._process.stdout.readline()
            self.address = next((word.rstrip("/") for word in said.split() if word.startswith("http")), "")
            if not self.address:
                self.__exit__(None, None, None)
                raise NoScreens("the screens did not start; what they said stands above")
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._process is None:
            return
        self._process.terminate()
        try:
            self._process.wait(STOP_S)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        if self._process.stdout is not None:
            self._process.stdout.close()

"""Somebody at a terminal: `tablectl setup` on a pty, typed at prompt by prompt, and what stood on the screen."""

from __future__ import annotations

import os
import pty
import select
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from simulators import processes

#: Longer than any answer takes, in seconds.
LONG_S: Final = 30.0
PROMPT: Final = b"> "
CTRL_C: Final = "\x03"


class Typist:
    """`screen`: everything so far, as a person reads it."""

    def __init__(self, master: int, process: subprocess.Popen[bytes]) -> None:
        self._master = master
        self._process = process
        self._seen = b""
        self._answered = 0

    @property
    def screen(self) -> str:
        return self._seen.decode().replace("\r\n", "\n")

    def type(self, *lines: str) -> str:
        """Each line at a prompt of its own; what came after the first of them."""
        before = len(self.screen)
        for line in lines:
            self._answered = len(self.screen)
            os.write(self._master, line.encode() if line == CTRL_C else f"{line}\n".encode())
            self.until_asked()
        return self.screen[before:]

    @property
    def question(self) -> str:
        """What stands on the screen since the last answer: the question that is asked now."""
        return self.screen[self._answered :]

    def take(self, until: str) -> None:
        """Enter, until this is asked."""
        for _ in range(80):
            if until in self.question:
                return
            self.type("")
        raise AssertionError(f"{until!r} is not asked:\n{self.screen}")

    def until_asked(self) -> None:
        """Until a prompt stands there, or the command has ended."""
        until_s = time.monotonic() + LONG_S
        while (left_s := until_s - time.monotonic()) > 0:
            ready, _, _ = select.select([self._master], [], [], left_s)
            if not ready:
                break
            try:
                said = os.read(self._master, 65536)
            except OSError:  # the other end is closed
                return
            if not said:
                return
            self._seen += said
            if self._seen.endswith(PROMPT):
                return
        raise AssertionError(f"neither a prompt nor an end:\n{self.screen}")

    def status(self) -> int:
        """The exit status, when it has ended by itself."""
        return self._process.wait(LONG_S)


@contextmanager
def typist(*words: str | Path) -> Iterator[Typist]:
    """At the first prompt."""
    master, slave = pty.openpty()
    process = processes.start(
        # Who leads a session gets the terminal that he opens first: so that Ctrl-C is a key of it. Tests that run
        # in the background of a shell ignore its signal, and whatever they start would, too.
        [
            "sh",
            "-c",
            'exec env --default-signal=INT "$@" <"$TTY" >"$TTY" 2>&1',
            "sh",
            sys.executable,
            "-m",
            "tablectl",
            "setup",
            *map(str, words),
        ],
        start_new_session=True,
        env={**os.environ, "TERM": "dumb", "TZ": "Europe/Madrid", "TTY": os.ttyname(slave)},
    )
    made = Typist(master, process)
    try:
        made.until_asked()
        os.close(slave)
        yield made
    finally:
        if process.poll() is None:
            process.kill()
        process.wait()
        os.close(master)

"""A command of ours as a process of its own, one at a time: what it says, how far it came, and how it ended.

A verification reads everything there is. In a process of its own, at a low priority, it is in nobody's way, it can be
stopped, and what it says is what an auditor would have read on a terminal.
"""

from __future__ import annotations

import asyncio
import os
import re
import signal
import sys
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Final

#: How much nicer than the screens it is.
_NICE: Final = 10
#: How long it may take to end when it is told to, in seconds.
_FAREWELL_S: Final = 3.0
_PROGRESS: Final = re.compile(r"progress ([a-z]+) ([0-9]+) of ([0-9]+)")
#: Longer than any path; a longer line is cut.
_LINE_BYTES: Final = 1 << 16


class Busy(Exception):
    """One is running already."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Job:
    """What is known of it. `stage`: what it goes through now, `done` of so many `records`. `status` is its exit status,
    None while it runs and where it was stopped. Times are RFC 3339, UTC."""

    about: str
    by: str
    began_at: str
    lines: tuple[str, ...] = ()
    stage: str = ""
    done: int = 0
    records: int = 0
    status: int | None = None
    is_stopped: bool = False
    ended_at: str = ""

    @property
    def is_running(self) -> bool:
        """Whether it has not ended."""
        return not self.ended_at

    @property
    def per_cent(self) -> int:
        """How far the present stage is."""
        return 100 * self.done // self.records if self.records else 0


class Jobs:
    """Runs them. `now` says the time as records have it."""

    def __init__(self, now: Callable[[], str]) -> None:
        self._now = now
        self._task: asyncio.Task[int] | None = None
        #: the one that runs, or the last one that did
        self.job: Job | None = None

    def start(self, words: Sequence[str], *, by: str, about: str) -> Job:
        """Begin `tablectl WORDS`. Raises `Busy`."""
        if self._task is not None:
            raise Busy
        job = self.job = Job(about=about, by=by, began_at=self._now())
        self._task = asyncio.create_task(self._run(words))
        self._task.add_done_callback(self._ended)
        return job

    def stop(self) -> None:
        """End the one that runs, if any."""
        if self._task is not None:
            self._task.cancel()

    async def ended(self) -> None:
        """Wait until none runs."""
        if self._task is not None:
            await asyncio.wait((self._task,))

    def _ended(self, task: asyncio.Task[int]) -> None:
        self._task = None
        if task.cancelled():
            self._tell(is_stopped=True)
        elif (wrong := task.exception()) is not None:
            self._say(str(wrong))
            self._tell(status=2)
        else:
            self._tell(status=task.result())

    def _tell(self, *, status: int | None = None, is_stopped: bool = False) -> None:
        if self.job is not None:
            self.job = replace(self.job, status=status, is_stopped=is_stopped, ended_at=self._now())

    async def _run(self, words: Sequence[str]) -> int:
        # -P: whatever lies in the present folder is none of our modules.
        process = await asyncio.create_subprocess_exec(
            *(sys.executable, "-P", "-m", "tablectl", *words),
            stdin=asyncio.subprocess.DEVNULL,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.PIPE,
            start_new_session=True,
            limit=_LINE_BYTES,
        )
        try:
            with suppress(OSError):
                os.setpriority(os.PRIO_PROCESS, process.pid, _NICE)
            await asyncio.gather(
                *(
                    self._read(stream_reader)
                    for stream_reader in (process.stdout, process.stderr)
                    if stream_reader is not None
                )
            )
            return await process.wait()
        finally:
            if process.returncode is None:
                await _end(process)

    async def _read(self, stream: asyncio.StreamReader) -> None:
        while True:
            try:
                line = await stream.readline()
            except ValueError:
                continue  # longer than any line of ours
            if not line:
                return
            self._say(line.decode(errors="replace").rstrip("\n"))

    def _say(self, text: str) -> None:
        if self.job is None:
            return
        if (far := _PROGRESS.fullmatch(text)) is not None:
            self.job = replace(self.job, stage=far[1], done=int(far[2]), records=int(far[3]))
        else:
            self.job = replace(self.job, lines=(*self.job.lines, text))


async def _end(process: asyncio.subprocess.Process) -> None:
    """With everything that it started."""
    with suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGTERM)
    try:
        await asyncio.wait_for(process.wait(), _FAREWELL_S)
    except TimeoutError:
        with suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        await process.wait()

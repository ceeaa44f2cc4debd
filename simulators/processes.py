"""Processes that end when the process that started them ends, however that is: the only way to start one here.

A stage that is killed cannot stop its controller. One that is left running follows its links to ptys that others have
by then, and writes into them. So the kernel ends it: what is started asks for a signal at the end of its parent
(prctl(2), PR_SET_PDEATHSIG). The process id is that of the program itself, not of something around it.
"""

from __future__ import annotations

import os
import subprocess
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import cache, partial
from pathlib import Path
from signal import Signals
from typing import IO, Final, Literal, TypedDict, Unpack, overload

Word = str | Path
#: A file descriptor, a file, or one of `subprocess.PIPE`, `DEVNULL`, `STDOUT`.
Stream = int | IO[bytes] | IO[str] | None

#: The parent may end before the kernel is asked: whoever has another parent by then does not begin.
IF_STILL_ITS_CHILD: Final = 'test "$PPID" = "$1" && shift && exec "$@"'


@dataclass(frozen=True, kw_only=True, slots=True)
class End:
    """By which signal a process ends with its parent. The kernel forgets that for a process that becomes another user;
    so who that is, where there is one, belongs to it."""

    signal: Signals
    user: str | None = None


KILLED: Final = End(signal=Signals.SIGKILL)


class Options(TypedDict, total=False):
    """What can be said of a process, as `subprocess.Popen` takes it."""

    stdin: Stream
    stdout: Stream
    stderr: Stream
    bufsize: int
    cwd: Word
    env: Mapping[str, str]
    start_new_session: bool


class RunOptions(TypedDict, total=False):
    """What can be said of a process that is waited for, as `subprocess.run` takes it."""

    stdin: Stream
    stdout: Stream
    stderr: Stream
    capture_output: bool
    timeout: float
    errors: str
    cwd: Word
    env: Mapping[str, str]


@overload
def start(
    words: Sequence[Word], *, text: Literal[True], end: End = KILLED, **options: Unpack[Options]
) -> subprocess.Popen[str]: ...
@overload
def start(words: Sequence[Word], *, end: End = KILLED, **options: Unpack[Options]) -> subprocess.Popen[bytes]: ...
def start(
    words: Sequence[Word], *, text: bool = False, end: End = KILLED, **options: Unpack[Options]
) -> subprocess.Popen[str] | subprocess.Popen[bytes]:
    """A process that ends when this one ends. Any thread may start it, and end before it.

    The kernel means the end of the thread that started it. So one thread starts all of them.
    """
    begin = partial(subprocess.Popen, _ending_with_this_one(words, end), text=text, **options)
    return _starter(os.getpid()).submit(begin).result()


@overload
def run(
    words: Sequence[Word], *, check: bool, text: Literal[True], input: str | None = None, **options: Unpack[RunOptions]
) -> subprocess.CompletedProcess[str]: ...
@overload
def run(
    words: Sequence[Word], *, check: bool, input: bytes | None = None, **options: Unpack[RunOptions]
) -> subprocess.CompletedProcess[bytes]: ...
def run(
    words: Sequence[Word],
    *,
    check: bool,
    text: bool = False,
    input: str | bytes | None = None,
    **options: Unpack[RunOptions],
) -> subprocess.CompletedProcess[str] | subprocess.CompletedProcess[bytes]:
    """What became of a process that was waited for; it is killed when this one ends. With `check`, raises
    `subprocess.CalledProcessError`."""
    return subprocess.run(  # the thread that starts it waits for it
        _ending_with_this_one(words, KILLED), check=check, text=text, input=input, **options
    )


def _ending_with_this_one(words: Sequence[Word], end: End) -> list[Word]:
    asks = ["/usr/bin/setpriv", "--pdeathsig", end.signal.name.removeprefix("SIG")]
    if end.user is not None:
        asks += ["--reuid", end.user, "--regid", end.user, "--clear-groups"]
    return [*asks, "--", "/bin/sh", "-c", IF_STILL_ITS_CHILD, "sh", str(os.getpid()), *words]


@cache
def _starter(_pid: int) -> ThreadPoolExecutor:
    """The one thread of this process that starts others. A fork has threads of its own, so it has its own."""
    return ThreadPoolExecutor(1, thread_name_prefix="starter")

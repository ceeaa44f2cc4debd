"""A process of another user than the one that runs the tests: what the kernel lets it do, nobody has to believe."""

from __future__ import annotations

import multiprocessing
import os
import sqlite3
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from multiprocessing.connection import Connection
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final, ParamSpec, TypeVar

import pytest

from tablectl.journal.store import JournalUnusable

#: Nobody on this machine has these numbers.
CONTROLLER: Final = 54_320
READERS: Final = 54_321
OTHER_USER: Final = 54_322

P = ParamSpec("P")
T = TypeVar("T")

only_root = pytest.mark.skipif(os.geteuid() != 0, reason="only root can become another user")


class OtherUser:
    """Does what it is told, as somebody else. Begun before the files are opened that it is to look at: a database that
    this process has open would be half open in it, too. Use as a context.

    What it does and what comes of it are pickled: functions of modules that are imported when it begins.
    """

    def __init__(self, user: int = OTHER_USER, group: int = READERS) -> None:
        fork = multiprocessing.get_context("fork")
        self._line, far_end = fork.Pipe()
        self._process = fork.Process(target=_serve, args=(far_end, user, group), daemon=True)

    def __enter__(self) -> OtherUser:
        with warnings.catch_warnings():
            # The threads of pytest's workers wait for messages; none of them holds what the child could need.
            warnings.simplefilter("ignore", DeprecationWarning)
            self._process.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._process.kill()
        self._process.join()
        self._line.close()

    def does(self, work: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
        """What comes of it there; what the system or a journal refuses there is raised here."""
        self._line.send((work, args, kwargs))
        is_good, found = self._line.recv()
        if not is_good:
            raise found
        result: T = found
        return result

    def dies(self, work: Callable[P, object], *args: P.args, **kwargs: P.kwargs) -> None:
        """It does this, and is killed when it is done: nothing is closed in order."""
        self.does(work, *args, **kwargs)
        self._process.kill()
        self._process.join()


def _serve(line: Connection, user: int, group: int) -> None:
    os.setgroups([])
    os.setgid(group)
    os.setuid(user)
    os.umask(0o077)
    while True:
        work, args, kwargs = line.recv()
        line.send(_done(work, args, kwargs))


def _done(work: Callable[..., object], args: tuple[Any, ...], kwargs: dict[str, Any]) -> tuple[bool, object]:
    try:
        found = work(*args, **kwargs)
    except (OSError, sqlite3.Error, JournalUnusable) as wrong:
        return False, wrong
    return True, found


@contextmanager
def passable_folder() -> Iterator[Path]:
    """A folder of this user's, at a place that every user comes to: pytest's own are closed."""
    with TemporaryDirectory() as made:
        Path(made).chmod(0o711)
        yield Path(made)


@contextmanager
def shared_folder() -> Iterator[Path]:
    """A folder of the controller's, with the group of its readers, at a place that every user comes to."""
    with passable_folder() as made:
        folder = made / "mesa-1"
        folder.mkdir()
        os.chown(folder, CONTROLLER, READERS)
        folder.chmod(0o2750)
        yield folder

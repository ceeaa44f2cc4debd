"""`kill -9` just before and just after every commit of the service: no message is lost, and by its id none is doubled.

What is durable between two commits is the same, so these are all durable points there are. The service that was killed
is started again; its targets have then been given every message, in order, and what came twice came with one id.
"""

from __future__ import annotations

import json
import re
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Final, Self

import pytest

from simulators import processes
from tests.notifications.mortal import AFTER, BEFORE, NEVER, TIMEOUT_S
from tests.notifications.receivers import WebReceiver
from tests.notifications.table import Table, incident
from tests.screens.controller import Bench

#: After the time of whatever was in doubt, in microseconds.
LATER_US: Final = (TIMEOUT_S + 1) * 1_000_000
TARGETS: Final = ("chef", "ops")


class Nursery:
    """The program that lives and dies. Use as a context."""

    def __enter__(self) -> Self:
        self._process = processes.start(
            [sys.executable, "-m", "tests.notifications.mortal"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        return self

    def __exit__(self, *_: object) -> None:
        with self._process:
            assert self._process.stdin is not None
            self._process.stdin.close()

    def life(
        self,
        folder: Path,
        socket: Path,
        web: WebReceiver,
        *,
        fatal: int = NEVER,
        point: str = BEFORE,
        later_us: int = 0,
    ) -> tuple[int, int]:
        """One life: its exit status and, of one that ended by itself, its commits."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        order = {
            "folder": str(folder),
            "socket": str(socket),
            "urls": {name: web.url(name) for name in TARGETS},
            "fatal": fatal,
            "point": point,
            "later_us": later_us,
        }
        self._process.stdin.write(json.dumps(order) + "\n")
        self._process.stdin.flush()
        said = json.loads(self._process.stdout.readline())
        return said["status"], said["commits"]


@pytest.fixture
def nursery() -> Iterator[Nursery]:
    with Nursery() as made:
        yield made


def arrived(web: WebReceiver) -> dict[str, list[str]]:
    """The ids that each target was given, each once, as they came first."""
    return {name: list(dict.fromkeys(web.ids(f"/{name}"))) for name in TARGETS}


def texts_of(web: WebReceiver) -> dict[str, str]:
    """What came, by its id, but for how late it was: a minute can end meanwhile."""
    return {posted.id: re.sub(r"\d+ (h|min)\b", r"\1", posted.said["message"]) for posted in web.got}


@pytest.mark.wide
def test_killed_at_every_commit_it_loses_nothing_and_doubles_nothing(
    nursery: Nursery, socket_path: Path, bench: Bench, tmp_path: Path
) -> None:
    before, whole = tmp_path / "before", tmp_path / "whole"
    before.mkdir()
    with Table(socket_path, bench) as table, WebReceiver() as web:
        assert nursery.life(before, socket_path, web)[0] == 0
        for number in range(1, 4):
            incident(table, number)
        shutil.copytree(before, whole)
        status, n_commits = nursery.life(whole, socket_path, web)
        assert status == 0
        expected, texts = arrived(web), texts_of(web)
        assert [len(ids) for ids in expected.values()] == [3, 3]
        assert len(web.got) == len(texts) == 6
        n_doubled = 0
        for fatal in range(1, n_commits + 1):
            for point in (BEFORE, AFTER):
                folder = tmp_path / f"{point}-{fatal}"
                shutil.copytree(before, folder)
                web.got.clear()
                status, _ = nursery.life(folder, socket_path, web, fatal=fatal, point=point)
                assert status == -signal.SIGKILL, (fatal, point)
                assert nursery.life(folder, socket_path, web, later_us=LATER_US)[0] == 0
                assert arrived(web) == expected, (fatal, point)
                assert texts_of(web) == texts
                n_doubled += len(web.got) - len(texts)
                assert nursery.life(folder, socket_path, web, later_us=2 * LATER_US)[0] == 0
                assert len(web.got) <= len(texts) + 1, "a death can double one message, and nothing comes later"
        assert n_doubled == len(texts), "each message that had arrived and was not marked came again, and no other one"


def test_what_is_in_doubt_does_not_go_again_before_its_targets_time_is_over(
    nursery: Nursery, socket_path: Path, bench: Bench, tmp_path: Path
) -> None:
    with Table(socket_path, bench) as table, WebReceiver() as web:
        assert nursery.life(tmp_path, socket_path, web)[0] == 0
        incident(table, 1)
        # The commits: the controller is there, this is to be sent, its first byte may leave, it was taken.
        assert nursery.life(tmp_path, socket_path, web, fatal=4, point=BEFORE)[0] == -signal.SIGKILL
        assert [len(web.ids(f"/{name}")) for name in TARGETS] == [1, 0]
        assert nursery.life(tmp_path, socket_path, web)[0] == 0
        assert [len(web.ids(f"/{name}")) for name in TARGETS] == [1, 1], "the other target does not wait for it"
        assert nursery.life(tmp_path, socket_path, web, later_us=LATER_US)[0] == 0
        assert [len(web.ids(f"/{name}")) for name in TARGETS] == [2, 1]
        assert len(set(web.ids("/chef"))) == 1

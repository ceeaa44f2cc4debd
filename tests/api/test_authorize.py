"""Whoever may open the socket may look; who may enter something, the kernel says."""

from __future__ import annotations

import json
import os
import pwd
import socket
from collections.abc import Iterator
from pathlib import Path

import pytest

from simulators.stage.stage import temporary_folder
from tablectl.api.methods import METHODS, Permission
from tablectl.api.server import AllowedWriters, ApiServer
from tablectl.journal.readers import Readers
from tests.api_context import api_context
from tests.other_user import OTHER_USER, READERS, OtherUser, only_root


def asked(path: Path, question: object) -> dict[str, object]:
    with socket.socket(socket.AF_UNIX) as line, line.makefile("rb") as said:
        line.connect(str(path))
        line.sendall(json.dumps(question).encode() + b"\n")
        found: dict[str, object] = json.loads(said.readline())
        return found


@pytest.fixture
def folder() -> Iterator[Path]:
    with temporary_folder() as made:
        yield Path(made)


#: Every machine has this user, and nothing belongs to it.
NOBODY = "nobody"
WRITING = tuple(method.name for method in METHODS if method.permission is Permission.WRITE)


def test_a_method_by_which_something_of_the_table_may_change_is_for_writers() -> None:
    entering = ("enter", "preview", "use", "float", "accept", "unseal", "test", "enrol")
    assert (*entering, "challenge", "prove", "access") == WRITING


@only_root
@pytest.mark.parametrize("word", WRITING)
def test_a_user_who_is_not_named_looks_and_enters_nothing(folder: Path, word: str) -> None:
    folder.chmod(0o750)
    os.chown(folder, 0, READERS)
    with OtherUser(OTHER_USER, READERS) as other_user:
        server = ApiServer(folder / "a.sock", api_context(folder / "a.db"), Readers.GROUP)
        server.start()
        try:
            refused = other_user.does(asked, folder / "a.sock", {word: "press bet", "by": "somebody"})
            assert "enter nothing" in str(refused["error"])
            assert other_user.does(asked, folder / "a.sock", {"ask": "devices"}).get("error") is None
            own = asked(folder / "a.sock", {word: {}, "by": "somebody"})
            assert "enter nothing" not in str(own.get("error"))
        finally:
            server.close()


def test_a_name_that_nobody_has_is_told() -> None:
    assert AllowedWriters(["root", "nobody-has-this-name"]).unknown == ("nobody-has-this-name",)
    assert AllowedWriters(uplink=["nobody-has-this-name"]).unknown == ("nobody-has-this-name",)


@only_root
def test_the_user_of_the_uplink_hands_in_receipts_and_enters_nothing_else(folder: Path) -> None:
    folder.chmod(0o750)
    os.chown(folder, 0, READERS)
    with OtherUser(pwd.getpwnam(NOBODY).pw_uid, READERS) as other_user:
        for uplink in ([], [NOBODY]):
            server = ApiServer(
                folder / "a.sock", api_context(folder / "a.db"), Readers.GROUP, AllowedWriters(uplink=uplink)
            )
            server.start()
            try:
                said = str(other_user.does(asked, folder / "a.sock", {"receipt": {}})["error"])
                assert ("uplink.user" in said) is (uplink == []), said
                for word in WRITING:
                    refused = other_user.does(asked, folder / "a.sock", {word: "press bet", "by": "somebody"})
                    assert "enter nothing" in str(refused["error"])
            finally:
                server.close()


def test_the_users_own_processes_may_call_every_method() -> None:
    near, far = socket.socketpair()
    with near, far:
        for method in METHODS:
            assert AllowedWriters().authorize(near, method) is None, "this user's own"

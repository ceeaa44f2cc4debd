"""Whoever may open the socket may look; who may enter something, the kernel says."""

from __future__ import annotations

import json
import os
import socket
from collections.abc import Iterator
from pathlib import Path

import pytest

from tablectl.api.listener import ControlSocket
from tablectl.api.speakers import Speakers
from tablectl.demo.stage import temporary_folder
from tablectl.journal.readers import Readers
from tests.stranger import READERS, STRANGER, Stranger, only_root
from tests.test_control import behind


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


@only_root
@pytest.mark.parametrize("word", ["enter", "use", "unseal", "test", "enrol", "access"])
def test_a_user_who_is_not_named_looks_and_enters_nothing(folder: Path, word: str) -> None:
    folder.chmod(0o750)
    os.chown(folder, 0, READERS)
    with Stranger(STRANGER, READERS) as stranger:
        door = ControlSocket(folder / "a.sock", behind(folder / "a.db"), Readers.GROUP)
        door.start()
        try:
            refused = stranger.does(asked, folder / "a.sock", {word: "press bet", "by": "somebody"})
            assert "enter nothing" in str(refused["error"])
            assert stranger.does(asked, folder / "a.sock", {"ask": "devices"}).get("error") is None
            own = asked(folder / "a.sock", {word: {}, "by": "somebody"})
            assert "enter nothing" not in str(own.get("error"))
        finally:
            door.close()


def test_a_name_that_nobody_has_is_told() -> None:
    assert Speakers(["root", "nobody-has-this-name"]).unknown == ("nobody-has-this-name",)


def test_who_is_named_may_speak() -> None:
    near, far = socket.socketpair()
    with near, far:
        assert Speakers().may_speak(near), "this user's own"

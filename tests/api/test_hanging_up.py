"""A server that is closed while somebody is just connecting."""

from __future__ import annotations

import socket
import threading
from pathlib import Path

import pytest

from simulators.stage.stage import temporary_folder
from tablectl.api.methods import LOOK_S
from tablectl.api.server import ApiServer
from tablectl.journal.readers import Readers
from tests.api_context import api_context


def test_who_is_let_in_while_the_server_closes_is_waited_for_and_not_before_he_is_there(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The thread that serves him is held back until the server has given up waiting for the one that let him in."""
    start, comes, goes_on = threading.Thread.start, threading.Event(), threading.Event()

    def late(thread: threading.Thread) -> None:
        if thread.name == "control-reader":
            comes.set()
            goes_on.wait()
        start(thread)

    with temporary_folder() as name, socket.socket(socket.AF_UNIX) as line:
        server = ApiServer(Path(name) / "a.sock", api_context(Path(name) / "a.db"), Readers.OWNER)
        server.start()
        monkeypatch.setattr(threading.Thread, "start", late)
        line.connect(str(Path(name) / "a.sock"))
        assert comes.wait(10)
        later = threading.Timer(4 * LOOK_S, goes_on.set)
        start(later)
        server.close()
        assert goes_on.is_set()
        assert line.recv(1) == b""
        later.join()

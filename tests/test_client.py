"""The other end of the controller's door: whoever cannot go on hangs up."""

from __future__ import annotations

import json
import socket
import tempfile
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

import pytest

from tablectl.api.client import NoController, Reader

LONG_S: Final = 10.0


@contextmanager
def listening() -> Iterator[tuple[Path, socket.socket]]:
    """A socket that stands for the controller's, and where it is."""
    with tempfile.TemporaryDirectory(prefix="client-") as folder, socket.socket(socket.AF_UNIX) as bound:
        path = Path(folder) / "control"
        bound.bind(str(path))
        bound.listen()
        bound.settimeout(LONG_S)
        yield path, bound


@pytest.mark.parametrize("greeting", [b"{}", b'{"ok": false, "error": "x"}', b"[]", b"no JSON"])
def test_a_greeting_without_a_table_leaves_no_line_open(greeting: bytes) -> None:
    heard: list[bytes] = []
    with listening() as (path, bound):

        def serve() -> None:
            line, _ = bound.accept()
            with line:
                line.settimeout(LONG_S)
                line.recv(4096)
                line.sendall(greeting + b"\n")
                heard.append(line.recv(4096))

        thread = threading.Thread(target=serve)
        thread.start()
        with pytest.raises((KeyError, TypeError, ValueError)) as wrong:
            Reader(path, after=0)
        thread.join()
    # What was raised is held until here, and with it whoever was made half.
    assert wrong.value is not None
    assert heard == [b""]


def test_a_reader_of_records_asks_again_after_the_last_one_where_the_controller_hangs_up() -> None:
    """It does when the limits of its table change, so that whoever follows is greeted with the new ones."""
    asked: list[int] = []
    pressed = {"kind": "pressed", "key": "bank"}
    with listening() as (path, bound):

        def serve() -> None:
            for name in ("before", "after"):
                line, _ = bound.accept()
                with line:
                    asked.append(after := json.loads(line.recv(4096))["follow"]["after"])
                    at = "2026-11-24T02:00:00.000000Z"
                    record = {"seq": after + 1, "hand": 1, "at": at, "fact": pressed, "decisions": [], "prompt": None}
                    line.sendall(
                        b"".join(json.dumps(said).encode() + b"\n" for said in ({"table": {"name": name}}, record))
                    )
            bound.close()

        thread = threading.Thread(target=serve)
        thread.start()
        with Reader(path, after=7) as reader:
            first = reader.record(LONG_S)
            assert reader.table == {"name": "before"}
            second = reader.record(LONG_S)
            assert reader.table == {"name": "after"}
            assert first is not None
            assert second is not None
            assert (asked, first.seq, second.seq) == ([7, 8], 8, 9)
            with pytest.raises(NoController):
                reader.record(LONG_S)
        thread.join()

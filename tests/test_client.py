"""The other end of the controller's door: whoever cannot go on hangs up."""

from __future__ import annotations

import socket
import tempfile
import threading
from pathlib import Path
from typing import Final

import pytest

from tablectl.api.client import Reader

LONG_S: Final = 10.0


@pytest.mark.parametrize("greeting", [b"{}", b'{"ok": false, "error": "x"}', b"[]", b"no JSON"])
def test_a_greeting_without_a_table_leaves_no_line_open(greeting: bytes) -> None:
    heard: list[bytes] = []
    with tempfile.TemporaryDirectory(prefix="client-") as folder, socket.socket(socket.AF_UNIX) as bound:
        path = Path(folder) / "control"
        bound.bind(str(path))
        bound.listen()
        bound.settimeout(LONG_S)

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

"""The training pages with a table after them, on a free port."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from simulators.stage.training.practice import PracticeTable
from tablectl.api.stage import FreeTable
from tablectl.ops.connections import listen
from tablectl.web.screens.server import address
from tablectl.web.training.server import make_server


@contextmanager
def training(keep: Path, exercise: str = "", base: FreeTable | None = None) -> Iterator[str]:
    """A server with a table after it, switched off at the end; gives its address."""
    bound = listen("127.0.0.1", 0)
    server = make_server(base or FreeTable(rulebook="texas-bonus"), keep, make_table=PracticeTable, exercise=exercise)
    thread = threading.Thread(target=lambda: asyncio.run(server.serve(sockets=[bound])), daemon=True)
    thread.start()
    try:
        yield address("127.0.0.1", bound).rstrip("/")
    finally:
        server.should_exit = True
        thread.join(30)
        bound.close()
        assert not thread.is_alive(), "the server must end although pages are still connected"

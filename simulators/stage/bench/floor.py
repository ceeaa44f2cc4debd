"""The floor of the reaction: what a pty round trip with one durable append costs on this machine, and nothing else.

`python -m simulators.stage.bench.floor PTY DATABASE`: read some bytes, append a record of the usual size, answer one
byte.
"""

from __future__ import annotations

import os
import sys
import tty
from pathlib import Path

from tablectl.journal.sqlite_file import Durability, connect, make_durable

#: About what one record of the journal takes.
RECORD = b"r" * 800


def main(pty_path: str, database: str) -> None:
    """Until the other end goes away."""
    port = os.open(pty_path, os.O_RDWR | os.O_NOCTTY)
    tty.setraw(port)
    journal = connect(Path(database))
    make_durable(journal, Durability.FULL)
    journal.execute("CREATE TABLE IF NOT EXISTS record (seq INTEGER PRIMARY KEY, public BLOB)")
    try:
        os.write(port, b".")  # ready
        while os.read(port, 4096):
            journal.execute("INSERT INTO record (public) VALUES (?)", (RECORD,))
            os.write(port, b".")
    except OSError:
        journal.close()


if __name__ == "__main__":
    main(*sys.argv[1:])

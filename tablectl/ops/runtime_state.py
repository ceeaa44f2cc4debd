"""Where the controller of a table is: the file of the table can be changed while it runs, and it reads it once.

A controller that systemd started writes it into its runtime directory, `/run/tablectl/TABLE/controller.json`, before it
begins. It stays when the controller ends: a hand that was left unfinished is where it was then, whatever the file says
now.
"""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from tablectl.config.table_file import Config
from tablectl.journal.whole_file import write_whole

#: Where systemd says that the runtime directories of a service are (systemd.exec(5), `RuntimeDirectory=`).
RUNTIME_FOLDER: Final = "RUNTIME_DIRECTORY"
STATE_FILE: Final = "controller.json"
#: The runtime directories of the tables' services.
RUN: Final = Path("/run/tablectl")


@dataclass(frozen=True, kw_only=True, slots=True)
class RuntimeState:
    """`config`: the file that it was started with; `socket` and `journal` as that file had them then."""

    config: Path
    socket: Path
    journal: Path


def state_of(config: Config) -> RuntimeState:
    """As the file has them."""
    return RuntimeState(config=config.file.absolute(), socket=config.socket, journal=config.journal)


def write_runtime_state(config: Config, environment: Mapping[str, str] = os.environ) -> None:
    """Whole or not at all; nothing where no service manager gave a folder. Raises `OSError`."""
    folder = environment.get(RUNTIME_FOLDER, "").partition(":")[0]
    if not folder:
        return
    here = state_of(config)
    text = json.dumps({"config": str(here.config), "socket": str(here.socket), "journal": str(here.journal)})
    place = Path(folder, STATE_FILE)
    readers = config.control_readers
    write_whole(place, f"{text}\n".encode(), prepare=lambda unfinished: readers.give(unfinished, readers.file_mode))


def read_runtime_state(folder: Path) -> RuntimeState | None:
    """What the last controller left there; None where none did. Raises `OSError`, `ValueError`."""
    try:
        told = json.loads((folder / STATE_FILE).read_text(encoding="utf-8"))
    except (FileNotFoundError, NotADirectoryError):
        return None
    try:
        return RuntimeState(**{key: Path(told[key]) for key in ("config", "socket", "journal")})
    except (KeyError, TypeError):
        raise ValueError("not the state of a controller") from None

"""Where the controller of a table is: the file of the table can be changed while it runs, and it reads it once.

A controller that systemd started leaves word in its runtime directory, `/run/tablectl/TABLE/controller.json`, before it
begins. The word stays when it ends: a hand that it left unfinished is where it was then, whatever the file says now.
"""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from tablectl.config.table_file import Config

#: Where systemd says that the runtime directories of a service are (systemd.exec(5), `RuntimeDirectory=`).
RUNTIME_FOLDER: Final = "RUNTIME_DIRECTORY"
WORD: Final = "controller.json"
#: The runtime directories of the tables' services.
RUN: Final = Path("/run/tablectl")


@dataclass(frozen=True, kw_only=True, slots=True)
class Whereabouts:
    """`config`: the file that it was started with; `socket` and `journal` as that file had them then."""

    config: Path
    socket: Path
    journal: Path


def whereabouts_in(config: Config) -> Whereabouts:
    """As the file has them."""
    return Whereabouts(config=config.file.absolute(), socket=config.socket, journal=config.journal)


def leave_word(config: Config, environment: Mapping[str, str] = os.environ) -> None:
    """Whole or not at all; nothing where no service manager gave a folder. Raises `OSError`."""
    folder = environment.get(RUNTIME_FOLDER, "").partition(":")[0]
    if not folder:
        return
    here = whereabouts_in(config)
    text = json.dumps({"config": str(here.config), "socket": str(here.socket), "journal": str(here.journal)})
    place = Path(folder, WORD)
    unfinished = place.with_name(f"{WORD}.new")
    unfinished.write_text(f"{text}\n", encoding="utf-8")
    config.control_readers.give(unfinished, config.control_readers.file_mode)
    unfinished.replace(place)


def word_in(folder: Path) -> Whereabouts | None:
    """What the last controller left there; None where none did. Raises `OSError`, `ValueError`."""
    try:
        told = json.loads((folder / WORD).read_text(encoding="utf-8"))
    except (FileNotFoundError, NotADirectoryError):
        return None
    try:
        return Whereabouts(**{key: Path(told[key]) for key in ("config", "socket", "journal")})
    except (KeyError, TypeError):
        raise ValueError("no word of a controller") from None

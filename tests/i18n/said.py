"""What the program says in one language, as JSON, a text by the place where it stands: run in a copy of the program."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory

from tablectl.core.public_table.folding.fold import fold
from tablectl.core.public_table.table import PublicTable
from tablectl.journal.evidence.page import page
from tablectl.journal.tilt import TiltKind
from tablectl.notifications.alerts import tilted
from tablectl.notifications.wording import Text, trial, worded
from tablectl.ops.setup.discovery import look
from tablectl.ops.setup.interview import Interview
from tablectl.ops.setup.places import Places
from tablectl.ops.setup.plan import Task
from tablectl.web.screens.feed import Picture
from tablectl.web.screens.greeting import table_info
from tests.evidence.test_page import ORIGIN, the_hand
from tests.notifications.test_wording import AT, scene
from tests.screens import hands
from tests.screens.controller import Bench
from tests.screens.test_pages import PAGES


class Typist:
    """Takes what is proposed to him, and leaves where nothing is; asks why at each question first."""

    def __init__(self, language: str) -> None:
        self.read: list[str] = []
        self._language = language
        self._answers = ["?", language, *(word for _ in range(12) for word in ("?", ""))]

    def say(self, text: str) -> None:
        """A line, or several."""
        self.read.append(text)

    def ask(self, _prompt: str) -> str:
        """What he types. Before he has chosen a language he is spoken to in those of a house that chose none."""
        if not self._answers:
            raise EOFError
        answer = self._answers.pop(0)
        if answer == self._language:
            self.read.clear()
        return answer


def said(language: str) -> Iterator[tuple[str, str]]:
    """Pages of a hand as it goes on, the page of a hand for a lawyer, messages, and the questions of a new table."""
    step = hands.BETS + hands.HOLE_CARDS
    for number, lines in enumerate(("", hands.BETS, step, step + "draw 9c", step + "draw 9c\npress seen")):
        bench, view = Bench(), PublicTable()
        bench.lines(lines)
        for record in bench.stream:
            view = fold(view, record)
        seen = Picture(view=view, table=table_info(bench.greeting), connected=True)
        for name in ("croupier", "pit", "technician"):
            yield f"{name}, step {number}", PAGES.page(name, language, seen)
    with TemporaryDirectory() as folder:
        yield "evidence", page(the_hand(Path(folder)), replace(ORIGIN, language=language))
        yield "setup", "\n".join(asked(language, Path(folder)))
    yield "message", _whole(trial(AT, scene(), (language,)))
    for kind in TiltKind:
        yield f"tilt {kind}", _whole(worded(tilted(kind.value, AT), scene(), (language,)))


def _whole(text: Text) -> str:
    return f"{text.title}\n{text.body}"


def asked(language: str, folder: Path) -> list[str]:
    """What somebody reads who sets up a table below a folder, until he leaves."""
    places = Places(root=folder)
    found = look(usb_bus=None, serial_links=folder / "serial", tables=places.tables, but=None)
    task = Task(found=found, places=places, to=None, replaces=False, can_start=False, has_units=False)
    typist = Typist(language)
    with suppress(EOFError):
        Interview(typist, task).answers()
    return typist.read


if __name__ == "__main__":
    json.dump(dict(said(sys.argv[1])), sys.stdout)

"""What the program says in one language, as JSON, a text by the place where it stands: run in a copy of the program."""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from http import HTTPStatus
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

import httpx2

from tablectl.core.public_table.folding.fold import fold
from tablectl.core.public_table.table import PublicTable
from tablectl.journal.evidence.page import page
from tablectl.journal.tilt import TiltKind
from tablectl.notifications.alerts import tilted
from tablectl.notifications.wording import Text, sample_message, worded
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
from tests.screens.signed_on import ROLES, cookies
from tests.screens.stages import audited, counted
from tests.screens.test_pages import PAGES

_DATA: Final = re.compile(r"<(pre|code)\b.*?</\1>", re.DOTALL)
_NO_HAND: Final = "/pit/hands/99"
#: Pages that are asked for, by whose they are.
_OF_THE_HOUSE: Final[Mapping[str, Sequence[str]]] = {
    "recall": ("/pit/hands", "/pit/hands/1", "/pit/hands/2", _NO_HAND),
    "statistics": ("/pit/statistics",),
    "people": ("/people", "/account"),
}
_OF_AN_AUDITOR: Final[Mapping[str, Sequence[str]]] = {
    "auditor": tuple(f"/auditor{path}" for path in ("", "/verify", "/find", "/open", "/open/2", "/export", "/access")),
}


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
    yield from _served(language)
    yield "message", _whole(sample_message(AT, scene(), (language,)))
    for kind in TiltKind:
        yield f"tilt {kind}", _whole(worded(tilted(kind.value, AT), scene(), (language,)))


def _served(language: str) -> Iterator[tuple[str, str]]:
    """Pages that are made of more than the hand of the moment: hands that are over, figures, people, an auditor's."""

    def played() -> Bench:
        bench = Bench()
        bench.lines(hands.DEVICES + hands.WHOLE + hands.VOID + hands.BETS)
        return bench

    for setting, pages in ((counted(played), _OF_THE_HOUSE), (audited, _OF_AN_AUDITOR)):
        with (
            setting() as stage,
            httpx2.Client(base_url=stage.url, cookies=cookies(), timeout=60, verify=False) as client,
        ):
            for name, paths in pages.items():
                for path in paths:
                    answer = client.get(path, params={"lang": language})
                    due = HTTPStatus.NOT_FOUND if path == _NO_HAND else HTTPStatus.OK
                    assert answer.status_code == due, f"{path}: {answer.status_code}"
                    yield f"{name} {path}", _without_data(answer.text)


def _without_data(html: str) -> str:
    """A page without records as they lie in the file, commands and paths, and without what the accounts are called: the
    same word is a role there, which has to be said in the language of the page."""
    for account in ROLES:
        html = html.replace(f"<strong>{account.title()}</strong> <small>{account}</small>", "")
        html = html.replace(f" {account}</legend>", "</legend>")
        html = html.replace(f"</time></td><td>{account}</td>", "</time></td>").replace(f">{account}: ", ">")
    return _DATA.sub("", html)


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

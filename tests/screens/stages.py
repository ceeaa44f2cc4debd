"""Where a page is looked at: screens at a table at play, at a table with an auditor or a technician, or in training."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final, Self, TypeAlias

import httpx2

from tablectl.api.client import ask
from tablectl.config.table_file import load
from tablectl.people.people import People
from tablectl.web.screens.feed import Picture
from tablectl.web.screens.files import TableFiles
from tablectl.web.screens.render import Pages
from tablectl.web.screens.server import Transport
from tests.api.test_enrol import ready
from tests.reader_desk import reader_desk
from tests.screens.audited_table import audited_desk
from tests.screens.controller import Bench, Controller
from tests.screens.serving import Serving
from tests.screens.signed_on import cookies, sign_on_again
from tests.training.serving import training

#: What a picture shows in place of the folder of a test.
SHOWN_FOLDER: Final = "/var/lib/tablectl/mesa-1"
#: How a proxy says that somebody asks from afar.
FROM_AFAR: Final = {"X-Forwarded-For": "192.0.2.7", "X-Forwarded-Proto": "https"}
_LOOKS: Final = 400


def _nobody_signs_on(_person: str) -> None:
    """Where there are no accounts."""


def _nothing() -> None:
    """Nothing more is done."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Stage:
    """Screens. `sign_on` a person, also one who signed off; `happens` is done once the first page is open; `ready`
    before each page; `folder` is where their files are; a browser's requests carry `headers`."""

    url: str
    sign_on: Callable[[str], None] = _nobody_signs_on
    happens: Callable[[], None] = _nothing
    ready: Callable[[], None] = _nothing
    folder: str = ""
    headers: Mapping[str, str] = field(default_factory=dict)


Setting: TypeAlias = Callable[[], AbstractContextManager[Stage]]


@dataclass(frozen=True, kw_only=True, slots=True)
class Play:
    """A table at play: its controller, and the socket that its screens follow."""

    controller: Controller
    socket: Path


Happening: TypeAlias = Callable[[Play], None]


@contextmanager
def _screens(socket: Path, files: TableFiles | None = None, transport: Transport | None = None) -> Iterator[Serving]:
    server = Serving(socket, files=files, transport=transport)
    try:
        yield server
    finally:
        server.end()
        server.ended()


def _signs_on(people: People) -> Callable[[str], None]:
    return lambda person: sign_on_again(people, person)


def at_play(
    bench: Callable[[], Bench] = Bench,
    happens: Happening | None = None,
    *,
    people: Callable[[People], None] | None = None,
    from_afar: bool = False,
) -> Setting:
    """A table where everything happened that the bench has. `people`: what was done to the accounts before."""

    @contextmanager
    def made() -> Iterator[Stage]:
        transport = Transport(behind_proxy=from_afar)
        with tempfile.TemporaryDirectory(prefix="shown-") as folder:
            socket = Path(folder) / "control"
            with Controller(socket, bench()) as controller, _screens(socket, transport=transport) as server:
                if people is not None:
                    people(server.people)
                play = Play(controller=controller, socket=socket)
                yield Stage(
                    url=server.url,
                    sign_on=_signs_on(server.people),
                    happens=lambda: None if happens is None else happens(play),
                    headers=FROM_AFAR if from_afar else {},
                )

    return made


def counted(bench: Callable[[], Bench]) -> Setting:
    """A table at play whose statistics have every record."""

    @contextmanager
    def made() -> Iterator[Stage]:
        played = bench()
        with at_play(lambda: played)() as stage:
            _until_counted(stage.url, len(played.records))
            yield stage

    return made


def _until_counted(url: str, newest: int) -> None:
    """The page says how far the statistics are, in words of the catalogues: a test has them said in other letters."""
    said = Pages().texts("en", Picture()).say("statistics", "upto", seq=newest)
    with httpx2.Client(base_url=url, cookies=cookies("pit-boss"), timeout=10, verify=False) as client:
        for _ in range(_LOOKS):
            if said in client.get("/pit/statistics?lang=en").text:
                return
    raise AssertionError("the statistics never caught up")


@contextmanager
def audited() -> Iterator[Stage]:
    """Two hands are over, the third has begun; whoever reads is on record."""
    with audited_desk(hands=2) as (table, files), _screens(table.socket, files) as server:
        _until_on_record(server.url)
        yield Stage(url=server.url, sign_on=_signs_on(server.people), folder=str(table.folder))


def _until_on_record(url: str) -> None:
    """Somebody looks at the pages, and that stands in the journal."""
    with httpx2.Client(base_url=url, cookies=cookies("auditor"), timeout=10, verify=False) as client:
        for path in ("", "/find?hand=1", "/export"):
            assert client.get(f"/auditor{path}").status_code == 200
        for _ in range(_LOOKS):
            if "<tbody>" in client.get("/auditor/access?lang=en").text:
                return
    raise AssertionError("nothing that was looked at is on record")


@contextmanager
def workshop() -> Iterator[Stage]:
    """A whole table with a reader at the stub, two decks, and traces of one device."""
    with reader_desk() as (table, _):
        text = table.config.read_text(encoding="utf-8")
        table.config.write_text(f'[trace]\nfolder = "traces"\ndevices = ["light"]\n{text}', encoding="utf-8")
        table.start()
        ready(table)
        files = TableFiles(config=table.config, journal=table.journal, copy=load(table.config).copy)

        def over() -> None:
            """A test or an enrolment of the page before has ended."""
            ask(table.socket, {"test": "over"})
            while ask(table.socket, {"ask": "test"})["enrols"] is not None:
                pass

        with _screens(table.socket, files) as server:
            yield Stage(url=server.url, sign_on=_signs_on(server.people), ready=over, folder=str(table.folder))


def in_training(exercise: str) -> Setting:
    """The training pages with this exercise on the table."""

    @contextmanager
    def made() -> Iterator[Stage]:
        with tempfile.TemporaryDirectory(prefix="shown-") as folder, training(Path(folder), exercise) as url:
            yield Stage(url=url)

    return made


#: Where a whole controller runs, and no page leaves anything that the next one would stumble over.
_KEPT: Final = (audited, workshop)


class Stages:
    """Stages that take long to set are set once for all pages that are looked at there. Use as a context."""

    def __init__(self) -> None:
        self._kept: dict[Setting, Stage] = {}
        self._stack = ExitStack()

    @contextmanager
    def on(self, setting: Setting) -> Iterator[Stage]:
        """This stage: a new one, or one that was kept."""
        if setting not in _KEPT:
            with setting() as stage:
                yield stage
            return
        if setting not in self._kept:
            self._kept[setting] = self._stack.enter_context(setting())
        yield self._kept[setting]

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._stack.close()

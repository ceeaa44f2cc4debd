"""Screens and notifications as another user than the controller's: what works for a member of the readers' group, and
what is said of all that does not."""

from __future__ import annotations

import argparse
import io
import os
from collections.abc import Iterator
from contextlib import contextmanager, redirect_stdout
from dataclasses import dataclass
from html import unescape
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

import httpx2
import pytest

import tablectl.web.screens
from drivers.registry import DRIVERS
from tablectl.cli.commands import check_config
from tablectl.cli.commands.notifications import looked_for
from tablectl.cli.commands.screens import add_arguments, where
from tablectl.cli.main import main
from tablectl.config.table_file import load
from tablectl.core.timestamps import time_text
from tablectl.fleet.uplink.state import Link, Remembered, StateFile, UplinkStatus
from tablectl.journal.clock import now_us
from tablectl.ops.trace.kept import traces_in
from tablectl.web.screens.files import TableFiles
from tablectl.web.screens.uplink_state import uplink_now
from tests.api.test_enrol import ready
from tests.desk import Desk, KeptLog
from tests.other_user import OTHER_USER, READERS, OtherUser, only_root
from tests.reader_desk import reader_desk
from tests.screens import signed_on
from tests.screens.serving import Serving

TEMPLATES: Final = Path(tablectl.web.screens.__file__).parent / "templates" / "auditor.html"
#: Modules that a command loads when it is run, which another user could not load any more.
LOADED: Final = (check_config,)

pytestmark = [pytest.mark.system, only_root]


@dataclass(frozen=True, kw_only=True, slots=True)
class Place:
    """A table that runs, and another user with a folder of its own."""

    table: Desk
    other_user: OtherUser
    folder: Path

    def page(self, path: str) -> tuple[int, str]:
        """A page of that user's screens."""
        url = self.other_user.does(screens, self.table.config, self.folder / "people.db")
        return got(f"{url}{path}")


@contextmanager
def running(readers: str) -> Iterator[Place]:
    all_is_loaded()
    with TemporaryDirectory() as folder, OtherUser() as other_user, reader_desk() as (table, _):
        if not other_user.does(os.access, TEMPLATES, os.R_OK):
            # No fault of the program, and nothing that could be installed: whoever checked it out keeps it to himself.
            pytest.xfail("the files of the program are not open to other users here")
        os.chown(folder, OTHER_USER, READERS)
        text = table.config.read_text(encoding="utf-8")
        before = '[trace]\nfolder = "traces"\ndevices = ["light"]\n'
        for section in ("[control]", "[journal]"):
            text = text.replace(section, f'{section}\nreaders = "{readers}"')
        table.config.write_text(f"{before}{text}", encoding="utf-8")
        table.config.chmod(0o644)
        os.chown(table.folder, -1, READERS)
        table.folder.chmod(0o2750)
        table.start()
        ready(table)
        table.open_hand()
        table.until_copied()
        yield Place(table=table, other_user=other_user, folder=Path(folder))


@pytest.fixture(scope="module")
def place() -> Iterator[Place]:
    with running("group") as made:
        yield made


@pytest.fixture(scope="module")
def closed() -> Iterator[Place]:
    with running("owner") as made:
        yield made


# --- what the other user does -----------------------------------------------------------------------------------------

#: The screens of that user: it has one table.
SERVING: Final[list[Serving]] = []


def screens(config: Path, accounts: Path) -> str:
    """Where they answer."""
    if not SERVING:
        table = load(config)
        files = TableFiles(config=config, journal=table.journal, copy=table.copy)
        SERVING.append(Serving(table.socket, signed_on.staffed(accounts), files=files))
    return SERVING[0].url


def got(url: str) -> tuple[int, str]:
    with httpx2.Client(headers=signed_on.headers(), timeout=10, verify=False) as client:
        answer = client.get(url)
    return answer.status_code, answer.text


def all_is_loaded() -> None:
    """Modules that pages load when they are first asked for: the other user may not be able to read them any more."""
    assert all(DRIVERS.values())
    with TemporaryDirectory() as folder:
        files = TableFiles(config=Path(folder), journal=Path(folder) / "table.db", copy=Path(folder) / "table.copy")
        serving = Serving(Path(folder) / "socket", files=files)
        for path in ("/auditor", "/technician", "/pit/hands"):
            assert got(f"{serving.url}{path}")[0] in (200, 503)
        serving.end()
        serving.ended()


def said_at_start(config: Path) -> tuple[str, ...]:
    parser = argparse.ArgumentParser()
    add_arguments(parser)
    return where(parser.parse_args([str(config)])).closed


def uplink_seen(config: Path) -> tuple[str, tuple[str, ...]]:
    """How the technician's page has it, and what is said of closed files at the start."""
    parser = argparse.ArgumentParser()
    add_arguments(parser)
    found = where(parser.parse_args([str(config)]))
    now = uplink_now(found.files, now_us())
    return ("" if now is None else now.standing.value), found.closed


def checked(config: Path) -> tuple[int, str]:
    with redirect_stdout(io.StringIO()) as told:
        status = main(["check-config", str(config)])
    return status, told.getvalue()


def marks_looked_for(config: Path) -> tuple[list[Path], list[dict[str, object]]]:
    log = KeptLog()
    return list(looked_for(load(config).marks, log)), log.events("mark of a tilt not seen")


# --- a member of the readers' group -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("path", "shown"),
    [
        ("/auditor?lang=en", "the key published beside the journal confirms it"),
        ("/auditor/find?lang=en&hand=1", "new-hand"),
        ("/auditor/export?lang=en", "<form"),
        ("/pit/hands?lang=en", "/pit/hands/1"),
        ("/technician?lang=en", "sabot"),
    ],
)
def test_pages_that_look_into_the_journal_work(place: Place, path: str, shown: str) -> None:
    status, text = place.page(path)
    assert (status, shown in text) == (200, True), text


def test_nothing_is_said_of_closed_files_where_none_is(place: Place) -> None:
    assert place.other_user.does(said_at_start, place.table.config) == ()
    assert place.other_user.does(marks_looked_for, place.table.config) == (list(place.table.marks), [])


def test_traces_are_listed_by_the_controller_and_stay_closed(place: Place) -> None:
    [row] = traces_in(place.table.folder / "traces")
    status, text = place.page("/technician/traces?lang=en")
    assert status == 200
    assert f'data-trace="{row.name}"' in text
    assert "open to the controller's user alone" in unescape(text)
    assert " download>" not in text
    status, text = place.page(f"/technician/traces/{row.name}?lang=en")
    assert (status, "open to the controller's user alone" in unescape(text)) == (403, True)


def test_how_the_uplink_is_can_be_read_by_the_group_and_is_told_as_closed_where_it_cannot(place: Place) -> None:
    assert place.other_user.does(uplink_seen, place.table.config) == ("", ())
    config, state = place.table.folder / "with-uplink.toml", place.table.folder / "uplink.json"
    text = place.table.config.read_text(encoding="utf-8")
    config.write_text(f'{text}\n[uplink]\nurl = "https://127.0.0.1:1"\n', encoding="utf-8")
    assert place.other_user.does(uplink_seen, config) == ("not-running", ())
    status = UplinkStatus(link=Link.AWAY, since=time_text(now_us()), stopped=time_text(now_us()))
    StateFile(state).write(Remembered(status=status, at=time_text(now_us())))
    assert place.other_user.does(uplink_seen, config) == ("away", ())
    state.chmod(0o600)
    shown, said = place.other_user.does(uplink_seen, config)
    assert shown == "closed"
    [line] = said
    assert line.startswith(f"{state}: Permission denied: the technician's page cannot tell how the uplink is")


# --- where nobody but the owner may look ------------------------------------------------------------------------------


def test_screens_say_at_their_start_what_is_closed_to_them(closed: Place) -> None:
    config = load(closed.table.config)
    said = closed.other_user.does(said_at_start, closed.table.config)
    named = [line.partition(": ")[0] for line in said]
    assert named == [str(path) for path in (config.socket, config.journal, config.copy)]
    assert all("Permission denied: " in line for line in said)
    assert "control.readers says who may come to it" in said[0]
    assert "journal.readers says who may read it" in said[1]


def test_the_auditors_page_says_that_the_journal_is_closed(closed: Place) -> None:
    status, text = closed.page("/auditor?lang=en")
    assert status == 503
    assert "table.db: Permission denied; journal.readers says who may read it" in text


def test_what_lies_in_a_closed_folder_is_told_as_closed_and_is_no_tilt(closed: Place) -> None:
    """The folder of a second disk that only the controller's user comes to."""
    disk = closed.folder.parent / f"{closed.folder.name}-disk"
    text = closed.table.config.read_text(encoding="utf-8")
    other = closed.table.folder / "other.toml"
    disk.mkdir(mode=0o700)
    try:
        other.write_text(text.replace("[journal]", f'[journal]\ncopy = "{disk}/in/table.copy"'), encoding="utf-8")
        other.chmod(0o644)
        marks, told = closed.other_user.does(marks_looked_for, other)
        assert marks == [mark for mark in load(other).marks if not mark.is_relative_to(disk)]
        assert [str(entry["reason"]).partition(";")[0] for entry in told] == [
            f"{disk}/in/table.tilt: Permission denied"
        ]
        status, said = closed.other_user.does(checked, other)
        assert (status, f"journal.copy: {disk}/in: Permission denied" in said) == (0, True)
    finally:
        disk.rmdir()

"""The room on the disks, as the pit boss is told of it: a notice weeks before a disk is full, an alarm days before."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from pathlib import Path
from typing import Final

import pytest

from tablectl.core.disk_room import Holds, Space, Urgency
from tablectl.i18n.languages import LANGUAGES
from tablectl.i18n.texts import load_texts
from tablectl.journal.clock import now_us
from tablectl.statistics.follower import Follower
from tablectl.statistics.service import Statistics
from tablectl.statistics.store import Store
from tablectl.web.screens.feed import Feed, Picture
from tablectl.web.screens.looking import look_at_disks
from tablectl.web.screens.render import Pages
from tablectl.web.screens.tiles import tiles_of
from tablectl.web.screens.viewer import Viewer
from tests.screens import healths
from tests.screens.controller import Bench, Controller
from tests.screens.serving import serving
from tests.screens.signed_on import shown_to
from tests.screens.test_alarms import CALL, NOW_US
from tests.screens.test_app import events
from tests.screens.test_pages import plain
from tests.screens.test_tiles import picture

PAGES: Final = Pages()
TEXTS: Final = load_texts("tablectl.web.screens")
FULL: Final = Space(holds=Holds.COPY, path="/mnt/copy", free_bytes=1_940_000_000, days=6.9, urgency=Urgency.ALARM)
FILLS: Final = Space(holds=Holds.BACKUPS, path="/srv/b", free_bytes=51_000_000_000, days=29.5, urgency=Urgency.NOTICE)
ROOM: Final = Space(holds=Holds.JOURNAL, path="/var/lib/t", free_bytes=90_000_000_000, days=None, urgency=Urgency.NONE)
ALARMS: Final = tuple(TEXTS.text("disk", "alarm", text) for text in LANGUAGES)
NOTICES: Final = tuple(TEXTS.text("disk", "notice", text) for text in LANGUAGES)
NONE: Final = tuple(TEXTS.text("page", "no-alerts", text) for text in LANGUAGES)


def with_disks(*disks: Space) -> Picture:
    return replace(picture(""), disks=disks)


def test_one_with_room_is_not_spoken_of() -> None:
    parts = PAGES.parts("pit", "es", with_disks(ROOM))
    assert parts == PAGES.parts("pit", "es", with_disks())
    assert NONE[0] in plain(parts["alerts"])


@pytest.mark.parametrize(
    ("language", "alarm", "room"),
    [
        ("es", ALARMS[0], "Segunda copia: 1,9 GB libres, 6 días de juego al ritmo actual"),
        ("en", ALARMS[1], "Second copy: 1.9 GB free, 6 dealing days at the present rate"),
    ],
)
def test_one_that_is_almost_full_is_an_alarm(language: str, alarm: str, room: str) -> None:
    said = plain(PAGES.parts("pit", language, with_disks(ROOM, FULL))["alerts"])
    assert alarm in said
    assert room in said
    assert not any(none in said for none in NONE)


def test_it_is_unacknowledged_and_the_page_calls_once_and_not_for_days() -> None:
    of = with_disks(FULL)
    assert 'data-unacknowledged="disk-copy " data-sounding=""' in PAGES.parts("pit", "es", of)["alerts"]
    (tile,) = tiles_of((of,), NOW_US)
    assert (tile.open_alarms, tile.unacknowledged) == (1, 1)


def test_nothing_at_the_page_acts_on_it() -> None:
    said = PAGES.parts("pit", "es", with_disks(FULL))["alerts"]
    assert "data-act" not in said
    assert "data-shelve" not in said


def test_it_stands_among_the_other_alarms_after_those_that_stop_the_table() -> None:
    said = PAGES.parts("pit", "es", replace(picture(CALL), disks=(FULL,)))["alerts"]
    assert said.index('data-alarm="incident-1"') < said.index('data-alarm="disk-copy"')


@pytest.mark.parametrize(
    ("language", "said"), [("es", (NOTICES[0], "51,0 GB libres")), ("en", (NOTICES[1], "51.0 GB free"))]
)
def test_one_that_fills_is_a_notice_and_no_alarm(language: str, said: tuple[str, ...]) -> None:
    parts = PAGES.parts("pit", language, with_disks(ROOM, FILLS))
    assert all(words in plain(parts["demo"]) for words in said)
    assert parts["alerts"] == PAGES.parts("pit", language, with_disks())["alerts"]


def test_both_are_left_where_only_the_alarms_are_and_without_the_folder() -> None:
    with shown_to(Viewer(alarms_until_us=NOW_US)):
        parts = PAGES.parts("pit", "es", with_disks(FULL, FILLS))
    assert ALARMS[0] in plain(parts["alerts"])
    assert NOTICES[0] in plain(parts["demo"])
    assert "/mnt/copy" not in "".join(parts.values())


@pytest.mark.parametrize("page", ["croupier", "technician"])
def test_the_other_pages_stay_as_they_are(page: str) -> None:
    assert PAGES.parts(page, "es", with_disks(FULL, FILLS)) == PAGES.parts(page, "es", with_disks())


def test_what_the_controller_says_is_published_and_stays_while_it_does_not_answer(
    socket_path: Path, bench: Bench
) -> None:
    feed, store = Feed(), Store(None)
    statistics = Statistics(store, Follower(socket_path, store), ())
    with Controller(socket_path, bench) as controller:
        for disks in ((), (ROOM, FULL), (ROOM, FULL), (ROOM,)):
            before = feed.picture
            controller.report = healths.told((), disks=disks)
            asyncio.run(look_at_disks(feed, socket_path, statistics))
            assert feed.picture.disks == disks
            full = [row.about for row in store.alarms(0, 2 * now_us()) if row.over_us is None]
            assert full == [disk.holds for disk in disks if disk is FULL]
            assert (feed.picture is before) == (before.disks == disks), "only what is new is a new picture"
        controller.report = healths.told((), disks=())
        asyncio.run(look_at_disks(feed, socket_path))
        assert feed.picture.disks == (ROOM,), "a watch that has not looked yet says nothing"
    asyncio.run(look_at_disks(feed, socket_path))
    assert feed.picture.disks == (ROOM,)
    assert [row.kind for row in store.alarms(0, 2 * now_us())] == ["disk"]
    store.close()


def test_the_screens_ask_as_soon_as_they_run(socket_path: Path, bench: Bench) -> None:
    with Controller(socket_path, bench) as controller:
        controller.report = healths.told((), disks=(FULL,))
        with serving(socket_path) as url, events(url, "pit") as stream:
            for kind, parts in stream:
                if kind == "parts" and "disk-copy" in parts.get("alerts", ""):
                    return

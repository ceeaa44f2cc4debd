"""A journal that was put back together with its copy: every page says so for as long as the evidence lies there."""

from __future__ import annotations

import asyncio
import html
from dataclasses import replace
from datetime import time
from pathlib import Path
from typing import Final

import pytest

from tablectl.i18n.texts import load_texts
from tablectl.journal.tilt import Mark, TiltKind
from tablectl.statistics.service import Statistics, opened
from tablectl.web.screens.feed import Feed, Picture
from tablectl.web.screens.looking import look_at_journal_before
from tablectl.web.screens.render import PARTS, Pages
from tablectl.web.screens.tiles import tiles_of
from tablectl.web.screens.viewer import Viewer
from tests.screens import hands
from tests.screens.signed_on import shown_to
from tests.screens.test_tiles import picture

PAGES: Final = Pages()
TEXTS: Final = load_texts("tablectl.web.screens")
KEPT: Final = Path("/var/lib/tablectl/statistics.db.another-journal-20261122T215230Z")
TILT: Final = Mark(kind=TiltKind.DISK_FULL, reason="no room", at="2026-11-21T22:45:00Z")
TITLE: Final = TEXTS.text("rolled-back", "title", "es")


@pytest.mark.parametrize("page", PARTS)
@pytest.mark.parametrize("connected", [True, False])
def test_a_live_page_says_it(page: str, *, connected: bool) -> None:
    picture = Picture(connected=connected)
    assert "data-rolled-back" not in PAGES.parts(page, "es", picture)["tilt"]
    text = html.unescape(PAGES.parts(page, "es", replace(picture, rolled_back=KEPT))["tilt"])
    assert TITLE in text


@pytest.mark.parametrize("template", ["index"])
def test_a_page_that_shows_nothing_of_the_table_says_it(template: str) -> None:
    assert "data-rolled-back" not in PAGES.plain(template, "es", Picture(), offered=[])
    text = html.unescape(PAGES.plain(template, "es", Picture(rolled_back=KEPT), offered=[]))
    assert TITLE in text
    assert str(KEPT) not in text, "nobody is signed on, who would read file names"


def test_whoever_is_somebody_reads_which_file_is_the_evidence() -> None:
    with shown_to(Viewer(name="ana")):
        text = PAGES.parts("technician", "en", Picture(rolled_back=KEPT))["tilt"]
    assert str(KEPT) in text


def test_where_only_the_alarms_are_left_it_is_said_without_the_file() -> None:
    with shown_to(Viewer(alarms_until_us=1_795_291_200_000_000)):
        text = html.unescape(PAGES.parts("pit", "es", Picture(connected=True, rolled_back=KEPT))["tilt"])
    assert TITLE in text
    assert str(KEPT) not in text


@pytest.mark.parametrize("alarms_until_us", [0, 1_795_291_200_000_000])
@pytest.mark.parametrize(
    ("picture", "is_well"),
    [
        (Picture(connected=True), True),
        (Picture(connected=True, rolled_back=KEPT), False),
        (Picture(connected=False), False),
        (Picture(connected=False, tilt=TILT), False),
    ],
)
def test_an_empty_list_of_alarms_says_that_all_is_well_only_where_no_alarm_stands_above(
    alarms_until_us: int, picture: Picture, *, is_well: bool
) -> None:
    with shown_to(Viewer(alarms_until_us=alarms_until_us)):
        said = PAGES.parts("pit", "es", picture)["alerts"]
    assert (TEXTS.text("page", "no-alerts", "es") in said) is is_well
    assert ("✓" in said) is is_well
    assert (TEXTS.text("page", "alert-above", "es") in said) is not is_well


@pytest.mark.parametrize("rolled_back", [None, KEPT])
def test_the_croupiers_page_says_that_all_is_in_order_only_where_it_is(rolled_back: Path | None) -> None:
    said = PAGES.parts("croupier", "es", replace(picture(hands.BETS), rolled_back=rolled_back))["side"]
    assert (TEXTS.text("page", "quiet", "es") in said) is (rolled_back is None)


def test_the_tile_counts_it_among_the_alarms() -> None:
    (tile,) = tiles_of((Picture(connected=True, rolled_back=KEPT),), 0)
    assert (tile.open_alarms, tile.unacknowledged) == (1, 1)


def test_it_begins_with_the_evidence_and_ends_when_that_was_moved_away(tmp_path: Path) -> None:
    statistics = _statistics(tmp_path)
    feed = Feed()
    for is_there in (False, True, False):
        kept = tmp_path / "statistics.db.another-journal-20261122T215230Z"
        if is_there:
            kept.touch()
        else:
            kept.unlink(missing_ok=True)
        asyncio.run(look_at_journal_before(feed, statistics))
        assert feed.picture.rolled_back == (kept if is_there else None)
    statistics.stop()


def _statistics(folder: Path) -> Statistics:
    made = opened(folder / "control", folder / "statistics.db", (time(8),))
    assert made is not None
    made.start()
    return made

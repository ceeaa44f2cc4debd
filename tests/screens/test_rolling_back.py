"""A journal that was put back together with its copy: every page says so until two persons accept it; where no
signature proves it, for as long as the evidence lies there."""

from __future__ import annotations

import asyncio
import html
from dataclasses import replace
from datetime import time
from pathlib import Path
from typing import Final

import pytest

from tablectl.core.events.notes import MissingHead
from tablectl.core.public_table.alarm_kinds import AlarmKind
from tablectl.i18n.texts import load_texts
from tablectl.journal.known_heads import KnownHeads
from tablectl.journal.tilt import Mark, TiltKind
from tablectl.statistics.service import Statistics, opened
from tablectl.web.screens.feed import Feed, Picture
from tablectl.web.screens.looking import look_at_journal_before
from tablectl.web.screens.render import PARTS, Pages
from tablectl.web.screens.tiles import tiles_of
from tablectl.web.screens.viewer import Viewer
from tests.journal.test_known_heads import accepted, known, line, lost
from tests.screens import hands
from tests.screens.signed_on import shown_to
from tests.screens.test_tiles import picture

PAGES: Final = Pages()
TEXTS: Final = load_texts("tablectl.web.screens")
KEPT: Final = Path("/var/lib/tablectl/statistics.db.another-journal-20261122T215230Z")
TILT: Final = Mark(kind=TiltKind.DISK_FULL, reason="no room", at="2026-11-21T22:45:00Z")
MISSING: Final = MissingHead(to_seq=812, to_hash="7e" * 32, at="2026-11-21T22:45:00Z", restored=0)
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
        asyncio.run(look_at_journal_before(feed, statistics, KnownHeads(None)))
        assert feed.picture.rolled_back == (kept if is_there else None)
    statistics.stop()


def _statistics(folder: Path) -> Statistics:
    made = opened(folder / "control", folder / "statistics.db", (time(8),))
    assert made is not None
    made.start()
    return made


# --- a record that the table signed and that is not there -------------------------------------------------------------


def on_record(missing: MissingHead = MISSING) -> Picture:
    found = picture(hands.BETS)
    return replace(found, view=replace(found.view, missing=missing))


@pytest.mark.parametrize("page", PARTS)
@pytest.mark.parametrize("found", [on_record(), replace(picture(hands.BETS), lost=MISSING)])
def test_every_live_page_says_it_whether_or_not_it_is_on_record(page: str, found: Picture) -> None:
    assert TITLE in html.unescape(PAGES.parts(page, "es", found)["tilt"])


def test_it_says_which_record_is_missing_and_whether_a_backup_may_explain_it() -> None:
    text = PAGES.parts("technician", "en", on_record())["tilt"]
    assert "record 812" in text
    assert "backup was put in place" not in text
    explained = PAGES.parts("technician", "en", on_record(replace(MISSING, restored=640)))["tilt"]
    assert "record 640" in explained


@pytest.mark.parametrize("found", [on_record(), replace(picture(hands.BETS), lost=MISSING)])
def test_it_is_an_alarm_of_the_pit_boss_that_nobody_can_acknowledge_or_put_aside(found: Picture) -> None:
    (alarm,) = found.alarms(0)
    assert (alarm.kind, alarm.priority, alarm.responder) == (AlarmKind.ROLLED_BACK, 1, "pit-boss")
    assert alarm.sounds
    assert not alarm.can_acknowledge
    assert not alarm.can_shelve
    text = PAGES.parts("pit", "es", found)["alerts"]
    assert f'data-accept="{MISSING.to_hash}" data-seq="812"' in text
    (tile,) = tiles_of((found,), 0)
    assert (tile.open_alarms, tile.unacknowledged) == (1, 1)


def test_the_croupiers_page_does_not_say_that_all_is_in_order() -> None:
    assert TEXTS.text("page", "quiet", "es") not in PAGES.parts("croupier", "es", on_record())["side"]


def test_what_these_screens_remember_alone_is_shown_until_it_is_accepted(tmp_path: Path) -> None:
    """The controller cannot put on record what another key signed."""
    heads, feed = known(None, line(9)), Feed()
    head = lost(heads, records=5)
    asyncio.run(look_at_journal_before(feed, None, heads))
    assert feed.picture.missing is not None
    assert (feed.picture.missing.to_seq, feed.picture.missing.to_hash) == (9, head.hash)
    heads.saw(accepted(7, 9))
    asyncio.run(look_at_journal_before(feed, None, heads))
    assert feed.picture.missing is None


@pytest.mark.parametrize(("seen", "is_over"), [("20261128T100010Z", True), ("20261128T100011Z-2", False)])
def test_an_acceptance_ends_the_alarm_about_the_evidence_of_before_and_of_no_later_one(
    tmp_path: Path, seen: str, *, is_over: bool
) -> None:
    statistics, heads, feed = _statistics(tmp_path), known(None, line(9)), Feed()
    kept = tmp_path / f"statistics.db.another-journal-{seen}"
    kept.touch()
    lost(heads, records=5)
    heads.saw(accepted(7, 9))
    asyncio.run(look_at_journal_before(feed, statistics, heads))
    assert feed.picture.rolled_back == (None if is_over else kept)
    assert kept.exists(), "it stays evidence"
    statistics.stop()

"""Every page says times in the house's zone, and which one it is, once."""

from __future__ import annotations

import re
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final

import pytest

from tablectl.core.events.stream import decode_record
from tablectl.core.public_table.folding.fold import fold
from tablectl.core.public_table.table import PublicTable
from tablectl.i18n import times
from tablectl.web import screens
from tablectl.web.screens.corrections_page import corrections_page, entry_rows
from tablectl.web.screens.feed import Picture
from tablectl.web.screens.greeting import table_info
from tablectl.web.screens.health import health_of
from tablectl.web.screens.recall import recalled
from tablectl.web.screens.render import PARTS, Pages
from tests.screens import hands, healths
from tests.screens.controller import Bench

MADRID: Final = "Europe/Madrid"
SCREENS: Final = Path(screens.__file__).parent


def greeting(bench: Bench, timezone: str) -> dict[str, Any]:
    """The controller's, with the house's zone."""
    return {**bench.greeting, "table": {**bench.greeting["table"], "timezone": timezone}}


def seen(bench: Bench, zone: str) -> Picture:
    """What the pages show of it in this zone."""
    view = PublicTable()
    for record in bench.stream:
        view = fold(view, record)
    table = table_info(greeting(bench, zone))
    return Picture(view=view, table=table, connected=True, health=health_of(healths.told(healths.ALL_STATES)))


@pytest.fixture(name="bench")
def _bench() -> Bench:
    made = Bench()
    made.lines(hands.DEVICES + hands.WHOLE + hands.BETS + hands.HOLE_CARDS + "draw 9c")
    return made


@pytest.mark.parametrize("page", PARTS)
def test_a_page_says_its_zone_once(page: str, bench: Bench) -> None:
    html = Pages().page(page, "es", seen(bench, MADRID))
    assert html.count(MADRID) == 1
    assert f'<time class="clock"></time> <span>{MADRID}</span>' in html


def test_recall_says_its_zone_once_and_the_hours_of_it(bench: Bench) -> None:
    picture = seen(bench, MADRID)
    assert picture.table is not None
    hand = recalled(
        1, picture.table, [decode_record(record) for record in bench.records if record["hand"] == 1], carried=()
    )
    html = Pages().hand("en", picture, hand, hand.steps[-1])
    assert html.count(MADRID) == 1


def test_the_entries_that_can_be_put_right_say_the_hour_of_the_house(bench: Bench) -> None:
    picture, pages = seen(bench, MADRID), Pages()
    newest = entry_rows(pages.texts("es", picture), picture)[0]
    hours = {zone: times.moment(newest.at, zone, "es") for zone in ("UTC", MADRID)}
    html = corrections_page(pages, "es", picture)
    assert hours[MADRID] in html
    assert hours["UTC"].split()[1] not in html


def test_a_greeting_without_a_zone_or_with_none_that_is_known_is_utc(bench: Bench) -> None:
    assert table_info(bench.greeting).timezone == "UTC"
    assert table_info(greeting(bench, "Europe/Atlantis")).timezone == "UTC"
    assert table_info(greeting(bench, MADRID)).timezone == MADRID


def test_the_hour_is_the_houses_and_the_day_stands_before_it_once_it_is_over(bench: Bench) -> None:
    picture = seen(bench, MADRID)
    at = datetime(2026, 7, 1, 21, 30, tzinfo=UTC)
    now = at
    pages = Pages(now=lambda: now)
    assert pages.texts("es", picture).time(at.isoformat()) == "23:30:00"
    now = at.replace(hour=22, minute=30)
    assert pages.texts("es", picture).time(at.isoformat()) == "01/07/2026 23:30"


def test_the_clock_of_a_page_goes_on_from_the_time_of_its_server(bench: Bench) -> None:
    pages = Pages(now=lambda: datetime(2026, 11, 22, 17, 54, 30, tzinfo=UTC))
    said = 1_795_370_070_000
    assert f'data-now="{said}"' in pages.plain("index", "es", seen(bench, MADRID), page="index", offered=())
    assert pages.beat(seen(bench, MADRID))["now_ms"] == said


def test_no_template_and_no_screen_formats_a_time_by_itself() -> None:
    kinds = {".py", ".html", ".js"}
    read = {path: path.read_text(encoding="utf-8") for path in SCREENS.rglob("*") if path.suffix in kinds}
    assert {path.suffix for path in read} == kinds
    own = re.compile(r"strftime|astimezone\(\)|toLocale\w*|\bat\[\d*:\d*\]")
    assert {path.name: own.findall(text) for path, text in read.items() if own.search(text)} == {}

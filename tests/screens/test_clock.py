"""The clock of the pages in a real browser: the house's time, whatever the machine before it believes."""

from __future__ import annotations

import re
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

import pytest
from playwright.sync_api import expect

from tests.screens.browsing import CHROMIUM, Tabs, sign_on
from tests.screens.controller import Bench, Controller
from tests.screens.serving import serving
from tests.screens.shown import SHOWN, Shown, each_page
from tests.screens.stages import Stages
from tests.screens.test_times import MADRID

pytestmark = [
    pytest.mark.wide,
    pytest.mark.browser,
    pytest.mark.skipif(not Path(CHROMIUM).exists(), reason=f"no Chromium at {CHROMIUM}"),
]
#: A date as exports have it.
_EXPORTED: Final = re.compile(r"\b\d{4}-\d\d-\d\d\b.*")


def test_it_ticks_without_a_request_in_the_zone_of_the_house(tabs: Tabs, socket_path: Path) -> None:
    bench = Bench()
    bench.house = {"timezone": MADRID}
    with Controller(socket_path, bench), serving(socket_path) as url:
        context = tabs.browser.new_context(timezone_id="Asia/Tokyo")
        page = context.new_page()
        sign_on(page, "pit-boss")
        page.clock.install(time=datetime(2001, 1, 1, tzinfo=UTC))
        page.goto(f"{url}/pit/float?lang=es")
        asked: list[str] = []
        page.on("request", lambda request: asked.append(request.url))
        clock = page.locator("time.clock")
        expect(clock).to_have_text(re.compile(r"^\d\d:\d\d$"))
        page.clock.pause_at(datetime(2001, 1, 1, 1, tzinfo=UTC))
        page.evaluate("setClock(Date.UTC(2026, 10, 22, 17, 54, 30))")
        expect(clock).to_have_text("18:54")
        page.clock.run_for(29_000)
        expect(clock).to_have_text("18:54")
        page.clock.run_for(2_000)
        expect(clock).to_have_text("18:55")
        assert [url for url in asked if "/static/" not in url] == []
        context.close()


@pytest.mark.parametrize("shown", each_page(SHOWN))
def test_every_page_has_a_clock_and_no_date_as_exports_have_it(tabs: Tabs, stages: Stages, shown: Shown) -> None:
    with shown.opened(tabs, stages) as page_in:
        page = page_in("es")
        expect(page.locator("time.clock").first).to_have_text(re.compile(r"\d\d:\d\d"))
        assert _EXPORTED.findall(page.locator("body").inner_text()) == []

"""A real Chromium that shows a page of a table, and what was painted there when.

Both ends of a time are read from the clock of this one machine: Python's `time.time` when something happens at the
table, and the page's `performance.timeOrigin` with `performance.now` after the frame in which it is painted.
"""

from __future__ import annotations

import shutil
import time
from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from playwright.sync_api import Error, Page, sync_playwright

from simulators.stage.bench.reaction import BenchBroken, Table
from simulators.stage.people import Secrets
from simulators.stage.screens import Screens

CHROMIUM: Final = shutil.which("chromium") or "/usr/bin/chromium"
ARGUMENTS: Final = ("--headless", "--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking")
WAIT_MS: Final = 15_000
#: What the clocks of the page and of this program may differ by, beyond the time that it takes to ask, in milliseconds.
CLOCK_MS: Final = 2.0
#: Notes what the page shows whenever that changed, with the moment after the frame: a message to itself is taken then.
_WATCH: Final = """() => {
    const painted = [];
    let waiting = [];
    let before = "";
    const all = (what) => [...document.querySelectorAll(what)];
    const shown = () => ({
        incidents: all("article[data-incident]").map(({ dataset }) => Number(dataset.incident)),
        drawn: Number(document.getElementById("drawn")?.textContent),
        since: Number(document.querySelector("[data-since]")?.dataset.since),
    });
    const look = () => {
        const now = shown();
        if (JSON.stringify(now) === before) return;
        before = JSON.stringify(now);
        requestAnimationFrame(() => {
            const { port1, port2 } = new MessageChannel();
            port1.onmessage = () => {
                painted.push({ ...now, at: performance.timeOrigin + performance.now() });
                waiting = waiting.filter((tell) => !tell());
            };
            port2.postMessage(null);
        });
    };
    look();
    new MutationObserver(look).observe(document.body, { childList: true, subtree: true });
    window.paintedAt = (isIt, withinMs) => new Promise((told, failed) => {
        const tell = () => {
            const found = painted.find(isIt);
            if (found) told(found.at);
            return found !== undefined;
        };
        if (tell()) return;
        waiting.push(tell);
        setTimeout(() => failed(new Error(`not within ${withinMs} ms`)), withinMs);
    });
}"""


class NoBrowser(Exception):
    """There is no Chromium that can be started."""


@dataclass(frozen=True, kw_only=True, slots=True)
class WatchedPage:
    """A page of a table, and the table."""

    table: Table
    page: Page

    def painted_ms(self, condition: str, after_ms: float, value: int) -> float:
        """When the page first showed, later than `after_ms`, what meets the condition: JavaScript about what was `seen`
        and the `value`. Raises `BenchBroken`."""
        look = (
            f"([afterMs, value, withinMs]) => window.paintedAt((seen) => seen.at > afterMs && ({condition}), withinMs)"
        )
        try:
            return float(self.page.evaluate(look, [after_ms, value, WAIT_MS]))
        except Error as wrong:
            raise BenchBroken(f"{condition} with {value} was not seen: {wrong}") from None


@contextmanager
def watched(folder: Path, path: str, person: str) -> Iterator[WatchedPage]:
    """A table, its screens, and the page that this person watches: each in a process of its own. Raises `NoBrowser`,
    `BenchBroken`."""
    with ExitStack() as parts:
        table = parts.enter_context(closing(Table(folder)))
        screens = parts.enter_context(Screens(table.config, folder / "people.db", port=0))
        assert screens.secrets is not None, "they were started"
        page = parts.enter_context(_signed_on(f"{screens.address}{path}", person, screens.secrets))
        _same_clock(page)
        page.evaluate(_WATCH)
        yield WatchedPage(table=table, page=page)
        _same_clock(page)


@contextmanager
def _signed_on(address: str, person: str, secrets: Secrets) -> Iterator[Page]:
    with sync_playwright() as playwright:
        try:
            browser = playwright.chromium.launch(executable_path=CHROMIUM, args=list(ARGUMENTS))
        except Error as wrong:
            raise NoBrowser(str(wrong).splitlines()[0]) from None
        page = browser.new_page(viewport={"width": 1600, "height": 1000})
        page.set_default_timeout(WAIT_MS)
        page.goto(f"{address}?lang=es")
        page.fill("#name", person)
        page.fill("#password", secrets.pin)
        page.locator(".desk-side button").click()
        page.wait_for_selector("body.followed")
        yield page
        browser.close()


def _same_clock(page: Page) -> None:
    before_ms = time.time() * 1000
    told_ms = float(page.evaluate("performance.timeOrigin + performance.now()"))
    after_ms = time.time() * 1000
    if not before_ms - CLOCK_MS <= told_ms <= after_ms + CLOCK_MS:
        raise BenchBroken(f"the page's clock is {told_ms - before_ms:.0f} ms off")

"""From the last byte of a card that comes too soon to the alert before the pit boss: shoe, controller, journal, screens
and a real Chromium, each a process of its own.

Both ends are read from the clock of this one machine: Python's `time.time` when the card is written, and the page's
`performance.timeOrigin` with `performance.now` after the frame in which the alert is painted.
"""

from __future__ import annotations

import shutil
import time
from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager
from pathlib import Path
from typing import Final

from playwright.sync_api import Error, Page, sync_playwright

from simulators.stage.bench.reaction import BenchBroken, Table
from simulators.stage.people import CROUPIER, Secrets
from simulators.stage.screens import Screens
from tablectl.core.engine.vocabulary import Key

CHROMIUM: Final = shutil.which("chromium") or "/usr/bin/chromium"
ARGUMENTS: Final = ("--headless", "--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking")
PIT_BOSS: Final = "luis"
WAIT_MS: Final = 15_000
#: What the clocks of the page and of this program may differ by, beyond the time that it takes to ask, in milliseconds.
CLOCK_MS: Final = 2.0
#: Notes when each alert is there to be seen. A message to itself is taken after the frame.
WATCH: Final = """() => {
    const seen = new Map();
    const waiting = new Map();
    const now = () => performance.timeOrigin + performance.now();
    const note = (number) => {
        seen.set(number, now());
        waiting.get(number)?.(seen.get(number));
    };
    const look = () => {
        for (const { dataset: { incident: number } } of document.querySelectorAll("article[data-incident]")) {
            if (seen.has(number)) continue;
            seen.set(number, null);
            requestAnimationFrame(() => {
                const { port1, port2 } = new MessageChannel();
                port1.onmessage = () => note(number);
                port2.postMessage(null);
            });
        }
    };
    look();
    new MutationObserver(look).observe(document.body, { childList: true, subtree: true });
    window.seenAt = ([number, within]) => new Promise((tell, fail) => {
        waiting.set(number, tell);
        setTimeout(() => fail(new Error(`not within ${within} ms`)), within);
        if (seen.get(number)) tell(seen.get(number));
    });
}"""


class NoBrowser(Exception):
    """There is no Chromium that can be started."""


def measure(folder: Path, count: int) -> list[float]:
    """Milliseconds of so many alerts. Raises `NoBrowser`, `BenchBroken`."""
    with ExitStack() as parts:
        table = parts.enter_context(closing(Table(folder)))
        screens = parts.enter_context(Screens(table.config, folder / "people.db", port=0))
        assert screens.secrets is not None, "they were started"
        page = parts.enter_context(_pit_boss(screens.address, screens.secrets))
        _same_clock(page)
        page.evaluate(WATCH)
        found = [_alert(table, page, number) for number in range(1, count + 1)]
        _same_clock(page)
    return found


def _alert(table: Table, page: Page, number: int) -> float:
    table.press(Key.NEW_HAND)
    at_ms = time.time() * 1000
    table.card()
    try:
        seen_ms = float(page.evaluate("asked => window.seenAt(asked)", [str(number), WAIT_MS]))
    except Error as wrong:
        raise BenchBroken(f"alert {number} was not seen: {wrong}") from None
    for line in (
        "press seen",
        f"rule {number} void-hand by {PIT_BOSS}+{CROUPIER} misdeal",
        f"acknowledge {number} by {PIT_BOSS}",
        "press confirm",
    ):
        table.enter(line)
    return seen_ms - at_ms


@contextmanager
def _pit_boss(address: str, secrets: Secrets) -> Iterator[Page]:
    """The page that he watches, in a browser of its own."""
    with sync_playwright() as playwright:
        try:
            browser = playwright.chromium.launch(executable_path=CHROMIUM, args=list(ARGUMENTS))
        except Error as wrong:
            raise NoBrowser(str(wrong).splitlines()[0]) from None
        page = browser.new_page(viewport={"width": 1600, "height": 1000})
        page.set_default_timeout(WAIT_MS)
        page.goto(f"{address}/pit?lang=es")
        page.fill("#name", PIT_BOSS)
        page.fill("#password", secrets.pin)
        page.locator(".desk-side button").click()
        page.wait_for_selector("body.pit.followed")
        yield page
        browser.close()


def _same_clock(page: Page) -> None:
    before_ms = time.time() * 1000
    told_ms = float(page.evaluate("performance.timeOrigin + performance.now()"))
    after_ms = time.time() * 1000
    if not before_ms - CLOCK_MS <= told_ms <= after_ms + CLOCK_MS:
        raise BenchBroken(f"the page's clock is {told_ms - before_ms:.0f} ms off")

"""A real browser for tests, and pages of it that are used again."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

import pytest
from playwright.sync_api import Browser, Page, expect, sync_playwright

from tablectl.people.people import COOKIE
from tests.screens.signed_on import EVERYBODY, token_of

#: The headless shell shows the same pages, draws nothing on a screen that is not there, and takes a quarter less time.
CHROMIUM: Final = shutil.which("chromium-headless-shell") or shutil.which("chromium") or "/usr/bin/chromium"
ARGUMENTS: Final = (
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)
PATIENCE_MS: Final = 15_000

#: Other tests may run on the same machine at the same time.
expect.set_options(timeout=PATIENCE_MS)


def sign_on(page: Page, person: str = EVERYBODY) -> None:
    """From now on this person is signed on in the page's browser."""
    page.context.add_cookies([{"name": COOKIE, "value": token_of(person), "url": "http://127.0.0.1", "httpOnly": True}])


class Tabs:
    """Pages of one browser. It takes longer to make one than to load what it shows, so one that is given back is taken
    again, without what it kept: each test has screens at a port of their own, and so an origin of its own."""

    def __init__(self, browser: Browser) -> None:
        #: for a page unlike the others; whoever makes it closes it
        self.browser = browser
        self._idle: list[Page] = []

    def take(self, width: int, height: int, person: str = EVERYBODY) -> Page:
        """An empty page of this size, of a browser in which this person is signed on ("": nobody); whatever goes wrong
        in its scripts fails the test."""
        if not self._idle:
            self._idle.append(self._made())
        page = self._idle.pop()
        page.context.clear_cookies()
        if person:
            sign_on(page, person)
        page.set_viewport_size({"width": width, "height": height})
        return page

    def give_back(self, *pages: Page) -> None:
        """They leave the screens that they showed, as a page does that is closed."""
        for page in pages:
            page.goto("about:blank")
            self._idle.append(page)

    def _made(self) -> Page:
        page = self.browser.new_page(reduced_motion="reduce")  # what moves takes a tenth of a core, and no test looks
        page.set_default_timeout(PATIENCE_MS)
        page.on("pageerror", lambda error: pytest.fail(f"script error: {error}"))
        return page


@contextmanager
def running() -> Iterator[Tabs]:
    """A browser, as long as the context lasts."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=list(ARGUMENTS))
        yield Tabs(browser)
        browser.close()

"""A real browser under a keeper, which tests look into through the same pipe."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Final

import pytest

from tablectl.api.unix_socket import is_listening
from tablectl.ops.kiosk.browser import CHROMIUM, Browser, Message, command
from tablectl.ops.kiosk.keeper import Keeper
from tablectl.ops.kiosk.place import Place
from tablectl.ops.kiosk.waiting import waiting_page

PATIENCE_S: Final = 30.0
#: Where there is no screen; root, as whom tests may run, has no sandbox.
HERE: Final = ("--headless", "--no-sandbox", "--ozone-platform=headless")

needs_chromium = pytest.mark.skipif(not CHROMIUM.exists(), reason=f"no Chromium as Debian has it ({CHROMIUM})")


class Watched:
    """The browser's remote control as the keeper has it; tests ask over the same one."""

    def __init__(self, browser: Browser) -> None:
        self._browser = browser
        #: in which the page is spoken to
        self.session = ""
        self._told = 0
        self._results: dict[int, Message] = {}
        #: windows and tabs that were closed
        self.gone: list[str] = []
        #: where the page went
        self.navigated: list[Message] = []

    def tell(self, method: str, params: Mapping[str, object] | None = None, *, session: str | None = None) -> None:
        """To the browser."""
        self._told += 1
        self._browser.tell(method, params, session=session)

    def heard(self, wait_s: float) -> list[Message]:
        """From the browser, for the keeper; looked at on the way."""
        found = self._browser.heard(wait_s)
        for entry in found:
            if entry.get("method") == "Target.attachedToTarget":
                self.session = entry["params"]["sessionId"]
            if entry.get("method") == "Page.frameNavigated":
                self.navigated.append(entry["params"]["frame"])
            if entry.get("method") == "Target.targetDestroyed":
                self.gone.append(entry["params"]["targetId"])
            if "id" in entry:
                self._results[entry["id"]] = entry
        return found

    def ask(self, method: str, **params: object) -> int:
        """Of the page; the number by which `result` knows the answer."""
        self.tell(method, params, session=self.session)
        return self._told

    def result(self, number: int) -> Message | None:
        """The answer, once it came."""
        return self._results.get(number)


class Screen:
    """What a person would see, and do with mouse and keyboard."""

    def __init__(self, place: Place, browser: Browser) -> None:
        self.browser = browser
        self.remote = Watched(browser)
        self.keeper = Keeper(place, self.remote, waiting_page(place.languages), is_listening=is_listening)
        self.keeper.begin()
        self.until(lambda: self.remote.session != "", looks=False)

    def until(self, what: Callable[[], bool], *, looks: bool = True) -> None:
        """The keeper keeps (or only listens, without `looks`) until it is so. Raises `TimeoutError`."""
        end_s = time.monotonic() + PATIENCE_S
        while not what():
            if time.monotonic() > end_s:
                raise TimeoutError
            self.keeper.listen(0.05)
            if looks:
                self.keeper.look()

    def value(self, expression: str) -> object:
        """Of an expression in the page as it is; None where the page goes away meanwhile."""
        number = self.remote.ask("Runtime.evaluate", expression=expression, returnByValue=True)
        self.until(lambda: self.remote.result(number) is not None, looks=False)
        answer = self.remote.result(number) or {}
        result: object = answer.get("result", {}).get("result", {}).get("value")
        return result

    def text(self) -> str:
        """Of the page."""
        return str(self.value("document.body ? document.body.innerText : ''"))

    def until_it_says(self, words: str) -> None:
        """The keeper keeps until then. Raises `TimeoutError`."""
        self.until(lambda: words in self.text())


@contextmanager
def screen(place: Place, folder: Path) -> Iterator[Screen]:
    """With a browser of its own, which ends with it."""
    browser = Browser(command(place, folder / "profile", more=HERE))
    try:
        yield Screen(place, browser)
    finally:
        browser.end()

"""What a newcomer does with the README alone: `make demo`, one touch, three whole hands, a mistake and its undoing."""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

import pytest
from playwright.sync_api import Page, TimeoutError, expect

from simulators import processes
from tests.screens.browsing import CHROMIUM, Tabs, running
from tests.screens.test_browser import shot
from tests.training.test_browser import touching

pytestmark = [
    pytest.mark.wide,
    pytest.mark.browser,
    pytest.mark.system,
    pytest.mark.timeout(900),
    pytest.mark.skipif(not Path(CHROMIUM).exists(), reason=f"no Chromium at {CHROMIUM}"),
]
HANDS: Final = 3
#: What a newcomer touches of the panel, the first of these that is lit: everybody plays and stays.
STAYS: Final = ("all-bet", "no-more-bets", "bet", "bank", "confirm", "not-seen", "new-hand")
#: A press that comes too soon after the same one is none: whoever sees that nothing happened presses again.
AGAIN_MS: Final = 5_000
#: Lamps that are dark for so long stay dark.
DARK_MS: Final = 10_000
#: A busy machine, in milliseconds.
PATIENCE_MS: Final = 60_000
TOUCHES_MOST: Final = 400
#: What tells that a touch had an effect.
_SEEN: Final = """() => JSON.stringify([
    document.querySelector('[data-part=prompt]').innerText, document.querySelector('.shoe .n').innerText,
    [...document.querySelectorAll('[data-lamp]')].map((key) => key.dataset.lamp)])"""


@pytest.fixture(scope="module")
def tabs() -> Iterator[Tabs]:
    with running() as found:
        yield found


@contextmanager
def demo() -> Iterator[str]:
    """`make demo`, at any port that is free; gives the address that it prints to deal at."""
    command = [sys.executable, "-P", "-m", "tablectl", "demo", "--port", "0"]
    process = processes.start(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, text=True)
    try:
        assert process.stdout is not None
        said = ""
        while "Ctrl-C" not in said:
            line = process.stdout.readline()
            assert line, f"the demo ended: {said}"
            said += line
        found = re.search(r'deal yourself: touch "Take over" at (\S+)', said)
        assert found is not None, said
        yield found[1]
    finally:
        process.terminate()
        process.communicate(timeout=60)


class Newcomer:
    """Reads the prompt and touches what is lit."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.touches = 0

    @property
    def asked(self) -> str:
        return self.page.locator(".instruction").get_attribute("data-instruction") or ""

    @property
    def hand(self) -> int:
        told = re.search(r"\d+", self.page.locator(".status").inner_text())
        assert told is not None
        return int(told[0])

    def touch(self, selector: str, *, again: bool) -> None:
        """Until something has happened."""
        self.touches += 1
        assert self.touches <= TOUCHES_MOST, self.page.locator("[data-part=prompt]").inner_text()
        before = self.page.evaluate(_SEEN)
        self.page.tap(selector)
        try:
            self.changes(before, AGAIN_MS if again else PATIENCE_MS)
        except TimeoutError:
            if not again:
                raise

    def changes(self, before: object, patience_ms: int) -> None:
        self.page.wait_for_function(f"(before) => ({_SEEN})() !== before", arg=before, timeout=patience_ms)

    def lit(self, key: str) -> bool:
        return self.page.locator(f'#key-{key}:not([data-lamp="dark"])').count() == 1

    def follow(self) -> None:
        """What the table asks for."""
        seen = self.page.evaluate(_SEEN)
        if self.asked == "deal":
            drawn = self.page.locator("#drawn")
            before = drawn.inner_text()
            self.touch("#shoe", again=False)
            expect(drawn).not_to_have_text(before, timeout=PATIENCE_MS)
            return
        key = next((key for key in STAYS if self.lit(key)), None)
        if key is not None:
            self.touch(f"#key-{key}", again=True)
        elif self.asked == "take-bets":
            self.bets(seen)
        else:
            self.changes(seen, PATIENCE_MS)  # the pit boss, or the shoe

    def bets(self, seen: object) -> None:
        """The lamps come a moment after the prompt. Where none comes nobody has ever bet, and there is nothing to
        repeat: the table says where bets are entered."""
        try:
            self.changes(seen, DARK_MS)
        except TimeoutError:
            self.touch("#key-seat-1", again=False)
            expect(self.page.locator("[data-part=prompt]")).to_contain_text("ponga la apuesta en la pantalla")
            self.page.tap("#tab-screen")
            self.page.locator("#amount-ante").fill("10")
            self.page.tap('#in-screen form[data-form="bet"] button[type=submit].main')
            self.page.tap("#tab-panel")
            expect(self.page.locator('#key-no-more-bets:not([data-lamp="dark"])')).to_be_visible(timeout=PATIENCE_MS)

    def errs_and_undoes(self) -> None:
        """The wrong key: the first seat that is asked has not folded at all."""
        asked = self.page.locator(".instruction h1").inner_text()
        self.touch("#key-fold", again=True)
        expect(self.page.locator(".instruction h1")).not_to_have_text(asked)
        expect(self.page.locator("#undoes")).to_contain_text("se retira")
        self.touch("#key-cancel", again=True)
        expect(self.page.locator(".instruction h1")).to_have_text(asked)


@contextmanager
def taken_over(tabs: Tabs) -> Iterator[Newcomer]:
    """The demo, in Spanish, as soon as the newcomer deals."""
    with demo() as address, touching(tabs, f"{address}?lang=es") as page:
        page.tap("#take-over", timeout=PATIENCE_MS)
        expect(page.locator("#hand-back")).to_have_text("Devolver el mando", timeout=PATIENCE_MS)
        yield Newcomer(page)


def test_a_newcomer_deals_three_whole_hands_by_touch_and_undoes_a_mistake(tabs: Tabs) -> None:
    with taken_over(tabs) as newcomer:
        page = newcomer.page
        while newcomer.asked != "new-hand":
            newcomer.follow()
        first, has_erred = newcomer.hand, False
        while newcomer.hand < first + HANDS or newcomer.asked != "new-hand":
            if not has_erred and newcomer.asked == "ask-seat" and newcomer.lit("fold"):
                newcomer.errs_and_undoes()
                has_erred = True
            newcomer.follow()
        assert has_erred
        page.tap("#hand-back")
        expect(page.locator("#take-over")).to_have_text("Tomar el mando", timeout=PATIENCE_MS)
        before = page.evaluate(_SEEN)
        newcomer.changes(before, PATIENCE_MS)
        expect(page.locator(".instruction")).not_to_have_attribute("data-instruction", "new-hand", timeout=PATIENCE_MS)


def test_who_takes_over_rules_alone_where_a_house_wants_two_persons(tabs: Tabs) -> None:
    with taken_over(tabs) as newcomer:
        page = newcomer.page
        while newcomer.asked != "ask-seat":
            newcomer.follow()
        newcomer.touch("#shoe", again=False)  # a card that is not due
        instruction = page.locator(".instruction")
        expect(instruction).to_have_attribute("data-instruction", "answer", timeout=PATIENCE_MS)
        newcomer.touch("#key-seen", again=True)
        expect(instruction).to_have_attribute("data-instruction", "wait-pit-boss", timeout=PATIENCE_MS)
        page.tap("#tab-pit")
        choice = page.locator("#in-pit [data-act=rule][data-second][data-needs-reason]").first
        choice.tap()
        expect(page.locator("#in-pit .no-reason")).to_contain_text("Escriba antes el motivo")
        expect(page.locator("#in-pit .preview").first).to_be_visible()
        shot(page, "training-ruling")
        page.locator("#in-pit input[id^=reason]").fill("vista por el puesto 1")
        choice.tap()
        expect(instruction).not_to_have_attribute("data-instruction", "wait-pit-boss", timeout=PATIENCE_MS)

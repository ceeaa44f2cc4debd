"""Every page in every state, size and language: axe finds nothing serious. What of it is slow: `shown.py`."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Final

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page

from tablectl.i18n.languages import LANGUAGES
from tests.screens.browsing import CHROMIUM, Tabs
from tests.screens.shown import CROUPIER, CROUPIER_SMALL, SHOWN, Shown, each_page, each_page_and_language
from tests.screens.sizes.legibility import SCREENS
from tests.screens.stages import Stages

pytestmark = [
    pytest.mark.wide,
    pytest.mark.browser,
    pytest.mark.skipif(not Path(CHROMIUM).exists(), reason=f"no Chromium at {CHROMIUM}"),
]
#: What axe calls an obstacle; what is less is left to people.
GRAVE: Final = frozenset({"serious", "critical"})
AXE: Final = Axe()
#: What a finger in a wet glove hits, in CSS pixels, and how high the main instruction stands for who is an arm away.
FINGER_PX: Final = 60
READABLE: Final = 0.05
#: Everything that is pressed, with its size. A choice's own input is hidden: its label is what is hit.
TARGETS: Final = """() => [...document.querySelectorAll('button, a[href], input, select, summary')]
    .map(node => node.closest('label') ?? node)
    .filter(node => node.checkVisibility())
    .map(node => [node, node.getBoundingClientRect()])
    .map(([node, box]) => [node.outerHTML.slice(0, 120), box.width, box.height])"""
INSTRUCTION: Final = ".instruction h1, .resuming h1, .tilt-banner .instruct"


def grave(page: Page) -> list[str]:
    """What axe finds there that keeps somebody from using it: rule, what it says, and where."""
    found: list[dict[str, Any]] = AXE.run(page, options={"resultTypes": ["violations"]}).response["violations"]
    return [
        f"{entry['id']}: {entry['help']}: {node['html'][:160]} ({' '.join(map(str, node['target']))}) {node['any'][:1]}"
        for entry in found
        if entry["impact"] in GRAVE
        for node in entry["nodes"]
    ]


@pytest.mark.parametrize(("shown", "languages"), each_page_and_language(SHOWN))
def test_axe_finds_nothing_serious(tabs: Tabs, stages: Stages, shown: Shown, languages: tuple[str, ...]) -> None:
    with shown.opened(tabs, stages) as page_in:
        for language in languages:
            page = page_in(language)
            for screen in SCREENS:
                page.set_viewport_size({"width": screen.width, "height": screen.height})
                assert grave(page) == [], screen.name


def test_what_axe_would_find_is_found(tabs: Tabs) -> None:
    page = tabs.take(800, 600)
    page.set_content("<main><h1>x</h1><input><p style='color:#777;background:#888'>Pale</p></main>")
    said = "\n".join(grave(page))
    for rule in ("label", "color-contrast", "html-has-lang"):
        assert f"{rule}: " in said
    tabs.give_back(page)


CROUPIERS: Final = [state for state in SHOWN if state.path == "/croupier"]


@pytest.mark.parametrize(
    "size",
    [pytest.param(CROUPIER, id="1280x800", marks=pytest.mark.slow), pytest.param(CROUPIER_SMALL, id="1024x600")],
)
@pytest.mark.parametrize("shown", each_page(CROUPIERS))
def test_the_croupier_reads_it_an_arm_away_and_hits_it_with_wet_gloves(
    tabs: Tabs, stages: Stages, shown: Shown, size: tuple[int, int]
) -> None:
    with shown.opened(tabs, stages, size) as page_in:
        for language in LANGUAGES:
            page = page_in(language)
            targets: list[tuple[str, float, float]] = page.evaluate(TARGETS)
            assert len(targets) > 2
            assert [target for target in targets if min(target[1:]) < FINGER_PX - 0.5] == []
            heights: list[float] = page.locator(INSTRUCTION).evaluate_all(
                "(all) => all.filter(node => node.checkVisibility())"
                ".map(node => parseFloat(getComputedStyle(node).fontSize))"
            )
            assert len(heights) == 1, "one instruction at a time"
            assert heights[0] >= READABLE * size[1]
            hidden: int = page.locator(".instruction").evaluate_all(
                "(all) => Math.max(0, ...all.map(node => node.scrollHeight - node.clientHeight))"
            )
            assert hidden <= 2, "the instruction is cut off"

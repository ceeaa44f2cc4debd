"""Every page at every size: nothing wider than the screen, clipped, overlapping, too small to read or to hit.

`python -m tests.tools.sizes` prints the counts.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Final

import pytest

from tablectl.games.registry import RULEBOOKS
from tests.engine.recorded_versions import hand_files
from tests.journal.journals import HANDS
from tests.screens.browsing import CHROMIUM, Tabs
from tests.screens.shown import SHOWN, Shown
from tests.screens.sizes.legibility import CAPITAL, DESKS, SCREENS, Reading, letter_mm, table
from tests.screens.sizes.measuring import Check, Finding, Frames, Kind, Rules
from tests.screens.sizes.states import SAMPLE, TableState, states_of
from tests.screens.sizes.walking import Walk, walk_overview, walk_shown, walk_tables
from tests.screens.stages import Stages
from tests.wide import once

DOCS: Final = Path(__file__).parents[2] / "docs"
#: The states of a game are looked at in so many tests.
PARTS: Final = 8
STYLE: Final = Path(__file__).parents[2] / "tablectl" / "web" / "screens" / "static" / "screens.css"
browser = pytest.mark.skipif(not Path(CHROMIUM).exists(), reason=f"no Chromium at {CHROMIUM}")


@pytest.fixture(scope="module")
def frames(tabs: Tabs) -> Frames:
    page = tabs.take(SCREENS[0].width, SCREENS[0].height)
    page.set_default_timeout(0)
    return Frames(page, SCREENS)


def wrong(walk: Walk) -> list[str]:
    """What a walk found, so that a failure names each place."""
    assert sum(walk.checks.values()) > 0, "nothing was looked at"
    return [str(problem) for problem in walk.problems]


# --- how high letters have to be --------------------------------------------------------------------------------------


def test_a_letter_subtends_sixteen_minutes_of_arc() -> None:
    assert letter_mm(1500) == pytest.approx(6.98, abs=0.01)
    of_1280 = SCREENS[1]
    assert of_1280.pixel_mm == pytest.approx(0.1683, abs=0.0001)
    assert of_1280.letter_px(Reading.FAR) == pytest.approx(41.5, abs=0.1)
    assert of_1280.font_px(Reading.NEAR) == pytest.approx(22.8, abs=0.1)


def test_nobody_reads_a_phone_across_the_table() -> None:
    assert SCREENS[-1].font_px(Reading.FAR) is None


def test_the_documentation_shows_the_table() -> None:
    assert table() in (DOCS / "screens.md").read_text(encoding="utf-8")


def test_letters_are_as_high_as_the_table_says_in_any_font() -> None:
    assert f"font-size-adjust: cap-height {CAPITAL};" in STYLE.read_text(encoding="utf-8")


# --- the checker finds what is wrong ----------------------------------------------------------------------------------

_RULES: Final = Rules(far=(".far",), near=(".near",), seen=(".seen",))
#: What is wrong with it, and where: at the size of the smallest screen.
_FAULTS: Final = {
    "wide": (Kind.WIDE, '<div style="width: 3000px">a</div>'),
    "cut": (Kind.CLIPPED, '<p style="width: 40px; overflow: hidden; white-space: nowrap">a long text</p>'),
    "ellipsis": (
        Kind.CLIPPED,
        '<p style="width: 40px; overflow: hidden; white-space: nowrap; text-overflow: ellipsis">a long text</p>',
    ),
    "ancestor": (Kind.CLIPPED, '<div style="height: 10px; overflow: hidden"><p>one</p><p>two</p></div>'),
    "sideways": (Kind.CLIPPED, '<div style="width: 40px; overflow: auto"><p style="width: 400px">much text</p></div>'),
    "overlap": (Kind.OVERLAP, '<p>one</p><p style="margin-top: -30px">two</p>'),
    "target": (Kind.SMALL, '<button style="width: 20px; height: 20px"></button>'),
    "far": (Kind.ILLEGIBLE, '<p class="far" style="font-size: 12px">7</p>'),
    "money": (Kind.ILLEGIBLE, '<p style="font-size: 12px">1 \u20ac</p>'),
    "unseen": (Kind.UNSEEN, '<p class="seen" style="margin-top: 5000px">below</p>'),
}
_FINE: Final = """<p style="font-size: 100px" class="far seen near">7</p><p>See <a href="/">the rule</a> about it.</p>
<div class="scrolls" style="width: 200px"><p style="width: 400px">a table</p></div>
<div style="height: 30px; overflow-y: auto"><p>one</p><p>two</p></div>
<button style="width: 99px; height: 99px"></button>
<noscript><p style="width: 3000px">This page needs scripts.</p></noscript>"""


def found_in(frames: Frames, body: str) -> set[tuple[str, Finding]]:
    html = f'<!doctype html><link rel="stylesheet" href="/static/screens.css"><body><main>{body}</main>'
    checks = [Check(screen=screen, rules=_RULES) for screen in SCREENS]
    return {(screen.name, finding) for screen, finding in frames.measure(html, checks)}


@browser
@pytest.mark.browser
@pytest.mark.parametrize("fault", _FAULTS)
def test_what_is_wrong_is_found(frames: Frames, fault: str) -> None:
    kind, body = _FAULTS[fault]
    assert {finding.kind for size, finding in found_in(frames, body) if size == "1024x600"} == {kind}


@browser
@pytest.mark.browser
def test_nothing_is_found_where_nothing_is_wrong(frames: Frames) -> None:
    assert found_in(frames, _FINE) == set()


# --- the pages --------------------------------------------------------------------------------------------------------


@browser
@pytest.mark.browser
@pytest.mark.parametrize("game", once(RULEBOOKS, "texas-bonus", "draw-poker"))
def test_some_states_of_every_game_fit_every_screen(frames: Frames, game: str) -> None:
    walk = Walk()
    states = states_of(sorted((HANDS / game).glob("*.hand"))[7:8])
    walk_tables(frames, [states[len(states) // 2], states[-1]], walk)
    assert set(walk.states) == {"croupier", "pit"}
    assert wrong(walk) == []


@browser
@pytest.mark.browser
@pytest.mark.wide
@pytest.mark.timeout(1200)  # a machine may be as slow as it likes
def test_a_sample_of_all_states_fits_every_screen(frames: Frames) -> None:
    walk = Walk()
    walk_tables(frames, states_of(hand_files()[::SAMPLE]), walk)
    walk_overview(frames, walk)
    assert wrong(walk) == []


@cache
def states_of_game(game: str) -> list[TableState]:
    return states_of(path for path in hand_files() if path.relative_to(HANDS).parts[0] == game)


@browser
@pytest.mark.browser
@pytest.mark.slow
@pytest.mark.timeout(1200)  # a machine may be as slow as it likes
@pytest.mark.parametrize("part", range(PARTS))
@pytest.mark.parametrize("game", RULEBOOKS)
def test_every_state_of_a_game_fits_every_screen(frames: Frames, game: str, part: int) -> None:
    walk = Walk()
    walk_tables(frames, states_of_game(game)[part::PARTS], walk)
    assert wrong(walk) == []


@browser
@pytest.mark.browser
@pytest.mark.slow
@pytest.mark.parametrize("shown", SHOWN, ids=lambda shown: shown.name)
def test_every_other_page_fits_every_screen(tabs: Tabs, stages: Stages, shown: Shown) -> None:
    walk = Walk()
    walk_shown(tabs, stages, shown, walk)
    assert wrong(walk) == []


def test_a_phone_and_a_desk_are_measured_at_the_same_sizes() -> None:
    assert [screen.name for screen in SCREENS] == [screen.name for screen in DESKS]

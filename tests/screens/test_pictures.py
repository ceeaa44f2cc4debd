"""The pictures of docs/screens.md: made of the pages in their states, all there, none left over, none too large.

`make screenshots` makes them anew: it sets `TABLECTL_SCREENSHOTS` to the folder where they go.
"""

from __future__ import annotations

import io
import os
import re
from pathlib import Path
from typing import Final

import pytest
from PIL import Image

from simulators.stage.training.practice import PracticeTable
from tablectl.api.stage import FreeTable
from tablectl.i18n.languages import LANGUAGES
from tablectl.web.screens.app import all_guarded_routes, make_shared
from tablectl.web.training.app import TrainingRoutes
from tablectl.web.training.trainer import Trainer
from tests.screens.browsing import CHROMIUM, Tabs
from tests.screens.shown import SHOWN, Shown
from tests.screens.signed_on import house, staffed
from tests.screens.stages import Stages

DOCS: Final = Path(__file__).parents[2] / "docs"
PICTURES: Final = DOCS / "images" / "screens"
BEFORE: Final = DOCS / "images" / "before"
PAGE: Final = DOCS / "screens.md"
WANTED: Final = os.environ.get("TABLECTL_SCREENSHOTS", "")
#: What has an address and is no page that somebody looks at.
NO_PAGE: Final = frozenset(
    {
        "/amount",
        "/pit/float/sums",
        "/events",
        "/metrics",
        "/technician/test",
        "/technician/traces/{name}",
        "/auditor/verify/state",
        "/auditor/export/state",
        "/auditor/export/archive",
    }
)
_FILES: Final = (".csv", ".jsonl", ".webmanifest")
LARGEST_BYTES: Final = 180_000
_WIDE_PX: Final = 1280
_COLOURS: Final = 192

#: The states that have a picture; every page that can be opened has one at least.
PICTURED: Final = (
    "index-choice",
    "index-tilt",
    "sign-on-at-table",
    "sign-on-password",
    "sign-off-asked",
    "account-secrets",
    "people-accounts",
    "people-not-yours",
    "croupier-nobody",
    "croupier-relief",
    "croupier-bets",
    "croupier-decision",
    "croupier-ruling",
    "croupier-void",
    "croupier-settlement",
    "croupier-incidents",
    "croupier-resume",
    "croupier-tilt",
    "croupier-circle-people",
    "croupier-circle-speak",
    "croupier-draw-change",
    "pit-at-play",
    "pit-held",
    "pit-alarms",
    "pit-shelf",
    "pit-second-person",
    "pit-statistics-figures",
    "pit-corrections-entries",
    "pit-corrections-claim",
    "pit-claim-upheld",
    "pit-limits-waiting",
    "pit-float-expected",
    "pit-float-seq-closing",
    "pit-hands-list",
    "pit-hands-hand-end",
    "technician-all-states",
    "technician-decks-enrolling",
    "technician-panel-testing",
    "technician-configuration-checked",
    "technician-software-running",
    "technician-traces-recording",
    "auditor-start",
    "auditor-verify-intact",
    "auditor-find-hits",
    "auditor-open-which",
    "auditor-open-hand-to-sign",
    "auditor-export-ready",
    "auditor-access-list",
    "index-training",
    "training-exercise",
    "training-result-score",
)


def routes(tmp_path: Path) -> set[str]:
    """The addresses of all pages, those for training too."""
    socket = tmp_path / "control"
    shared = make_shared(socket, house(staffed(tmp_path / "people.db")), None)
    trained = TrainingRoutes(
        Trainer(FreeTable(rulebook="texas-bonus"), tmp_path, make_table=PracticeTable, stopping=lambda: False)
    ).guarded_routes()
    opened = {route.path for route in (*all_guarded_routes(shared), *trained) if "GET" in route.methods}
    assert opened >= NO_PAGE
    return {path for path in opened - NO_PAGE if not path.endswith(_FILES)}


def small(png: bytes) -> bytes:
    """A picture for a document: not wider than it is read, and of so many colours as a page of greys and
    a few cards needs."""
    picture = Image.open(io.BytesIO(png)).convert("RGB")
    if picture.width > _WIDE_PX:
        picture = picture.resize((_WIDE_PX, round(picture.height * _WIDE_PX / picture.width)), Image.Resampling.LANCZOS)
    made = io.BytesIO()
    picture.quantize(_COLOURS, Image.Quantize.FASTOCTREE, dither=Image.Dither.NONE).save(made, "PNG", optimize=True)
    return made.getvalue()


def pictures_of(shown: Shown) -> set[str]:
    """What its pictures are called."""
    return {f"{shown.name}-{language}.png" for language in LANGUAGES}


@pytest.mark.browser
@pytest.mark.slow  # `make screenshots` makes them; that each is there is looked at in every run
@pytest.mark.skipif(not Path(CHROMIUM).exists(), reason=f"no Chromium at {CHROMIUM}")
@pytest.mark.parametrize("shown", [state for state in SHOWN if state.name in PICTURED], ids=lambda state: state.name)
def test_a_picture_is_made_of_it_in_every_language(tabs: Tabs, stages: Stages, shown: Shown, tmp_path: Path) -> None:
    folder = Path(WANTED) if WANTED else tmp_path
    folder.mkdir(parents=True, exist_ok=True)
    with shown.opened(tabs, stages) as page_in:
        for language in LANGUAGES:
            picture = small(page_in(language).screenshot(animations="disabled"))
            assert Image.open(io.BytesIO(picture)).width == _WIDE_PX
            assert len(picture) <= LARGEST_BYTES
            (folder / f"{shown.name}-{language}.png").write_bytes(picture)


def test_every_page_has_a_state_that_is_looked_at_and_one_that_has_a_picture(tmp_path: Path) -> None:
    pages = routes(tmp_path)
    assert len(pages) > 4
    assert pages - {shown.path for shown in SHOWN} == set(), "no line in tests/screens/shown.py"
    assert pages - {shown.path for shown in SHOWN if shown.name in PICTURED} == set(), "no line in PICTURED"


def test_every_state_has_a_name_of_its_own_and_every_picture_a_state() -> None:
    names = [shown.name for shown in SHOWN]
    assert len(names) == len(set(names))
    assert set(PICTURED) <= set(names)


def test_the_page_on_screens_shows_every_picture_and_there_is_no_other() -> None:
    wanted = {name for state in SHOWN if state.name in PICTURED for name in pictures_of(state)}
    shown = set(re.findall(r"\(images/screens/([^)]+)\)", PAGE.read_text(encoding="utf-8")))
    there = {path.name for path in PICTURES.iterdir()}
    assert wanted - there == set(), "run make screenshots"
    assert there - wanted == set(), "delete them"
    assert wanted ^ shown == set(), "docs/screens.md"
    assert max(path.stat().st_size for path in PICTURES.iterdir()) <= LARGEST_BYTES


def test_what_a_page_looked_like_before_stands_beside_what_it_looks_like_now() -> None:
    row = r"\(images/before/([^)]+)\.png\) \| !\[[^]]+\]\(images/screens/([^)]+)-es\.png\)"
    rows = re.findall(row, PAGE.read_text(encoding="utf-8"))
    assert [before for before, _ in rows] == [now for _, now in rows]
    assert {f"{name}.png" for name, _ in rows} == {path.name for path in BEFORE.iterdir()}

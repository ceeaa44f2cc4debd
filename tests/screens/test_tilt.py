"""A tilt on the screens: whenever the controller is gone and left a mark, every page says so, why, and what to do."""

from __future__ import annotations

import asyncio
import html
import re
import time
from collections.abc import Callable
from pathlib import Path
from typing import Final

import pytest

from tablectl.core.public_table.folding.fold import fold
from tablectl.core.public_table.table import PublicTable
from tablectl.i18n.languages import LANGUAGES
from tablectl.i18n.texts import load_texts
from tablectl.journal.tilt import Mark, TiltKind, find, leave, remove
from tablectl.web.screens.feed import Feed, Picture
from tablectl.web.screens.greeting import table_info
from tablectl.web.screens.link import Link
from tablectl.web.screens.render import PARTS, Pages
from tests.screens import hands, signed_on
from tests.screens.controller import Bench, Controller
from tests.screens.serving import serving
from tests.screens.test_app import get, plain_client
from tests.screens.test_link import following, until

PAGES = Pages()
TEXTS = load_texts("tablectl.web.screens")
DOCUMENT = Path(__file__).parents[2] / "docs" / "tilts.md"
FULL = Mark(
    kind=TiltKind.DISK_FULL, reason="table.db: record 7 <could not> be written", at="2026-11-21T22:45:10.000001Z"
)


def place(socket_path: Path) -> Path:
    return socket_path.with_suffix(".tilt")


def pictured(bench: Bench, mark: Mark | None = FULL, *, connected: bool = False) -> Picture:
    view = PublicTable()
    for record in bench.stream:
        view = fold(view, record)
    return Picture(view=view, table=table_info(bench.greeting), connected=connected, tilt=mark)


# --- every kind -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("table", ["tilt", "tilt-means", "tilt-out"])
def test_every_kind_of_tilt_has_its_words(table: str) -> None:
    assert TEXTS.keys(table) == {kind.value for kind in TiltKind}


@pytest.mark.parametrize("kind", TiltKind)
@pytest.mark.parametrize("language", LANGUAGES)
def test_the_pit_boss_reads_what_happened_and_the_way_out(kind: TiltKind, language: str) -> None:
    mark = Mark(kind=kind, reason="why", at="")
    text = html.unescape(PAGES.parts("pit", language, Picture(tilt=mark))["tilt"])
    for table in ("tilt", "tilt-means", "tilt-out"):
        for word in LANGUAGES:
            assert (TEXTS.text(table, kind.value, word) in text) == (word == language)
    assert "docs/tilts.md" in text
    assert {"es": f"«{kind.value}»", "en": f"“{kind.value}”"}[language] in text


@pytest.mark.parametrize("kind", TiltKind)
@pytest.mark.parametrize("language", LANGUAGES)
def test_the_croupier_reads_what_happened_and_one_instruction(kind: TiltKind, language: str) -> None:
    mark = Mark(kind=kind, reason="why", at="")
    text = html.unescape(PAGES.parts("croupier", language, Picture(tilt=mark))["tilt"])
    for word in LANGUAGES:
        for table, key in (("tilt", kind.value), ("tilt-page", "no-dealing"), ("tilt-page", "croupier")):
            assert (TEXTS.text(table, key, word) in text) == (word == language)
    assert TEXTS.text("tilt-out", kind.value, language) not in text, "the way out is no business of the croupier's"


def sections() -> dict[str, str]:
    """The document by its headings."""
    parted = re.split(r"^## (.+)$", DOCUMENT.read_text(encoding="utf-8"), flags=re.MULTILINE)
    return dict(zip(parted[1::2], parted[2::2], strict=True))


def test_every_kind_of_tilt_has_a_section_in_the_document_and_nothing_else_has() -> None:
    assert list(sections()) == [kind.value for kind in TiltKind]


@pytest.mark.parametrize("kind", TiltKind)
def test_a_section_says_what_happened_what_is_lost_and_how_to_go_on(kind: TiltKind) -> None:
    section = sections()[kind.value]
    for part in ("What happened", "What was done", "What is lost", "The way out"):
        assert f"**{part}.**" in section
    assert "systemctl start tablectl@TABLE" in section
    marked = kind is not TiltKind.TWO_CONTROLLERS
    assert ("tablectl clear CONFIG --by NAME --reason TEXT" in section) is marked, "where a mark was left it is cleared"


# --- what a page shows ------------------------------------------------------------------------------------------------


def test_the_banner_says_why_and_when_and_escapes_what_the_machine_said(bench: Bench) -> None:
    text = PAGES.parts("pit", "en", pictured(bench))["tilt"]
    assert "record 7 &lt;could not&gt; be written" in text
    assert PAGES.texts("en", Picture()).moment(FULL.at) in text
    assert re.search(r"<time>2\d/11/2026 \d\d:\d\d</time>", text)


@pytest.mark.parametrize("at", ["", "yesterday"])
def test_a_time_that_nobody_could_write_down_is_a_dash(at: str) -> None:
    assert PAGES.texts("es", Picture()).moment(at) == "—"


@pytest.mark.parametrize("page", ["croupier", "pit"])
def test_without_a_mark_and_with_a_controller_there_is_no_banner(bench: Bench, page: str) -> None:
    assert PAGES.parts(page, "es", pictured(bench, None))["tilt"].strip() == ""
    assert PAGES.parts(page, "es", pictured(bench, FULL, connected=True))["tilt"].strip() == ""


@pytest.mark.parametrize("page", ["croupier", "pit"])
def test_the_last_known_felt_stays_and_is_said_to_be_from_before(bench: Bench, page: str) -> None:
    bench.lines(hands.MID_HAND)
    parts = PAGES.parts(page, "es", pictured(bench))
    assert "ANTES DEL PARO" in parts["tilt"]
    assert 'data-card="Kd"' in parts["felt"]


@pytest.mark.parametrize("page", ["croupier", "pit"])
def test_screens_that_never_saw_the_table_claim_no_felt_from_before(page: str) -> None:
    assert "ANTES DEL PARO" not in PAGES.parts(page, "es", Picture(tilt=FULL))["tilt"]


def test_nobody_is_asked_to_confirm_a_felt_while_nothing_is_dealt(bench: Bench) -> None:
    bench.lines(hands.MID_HAND + "restart")
    assert "resuming" in PAGES.parts("croupier", "es", pictured(bench, None, connected=True))["resume"]
    assert PAGES.parts("croupier", "es", pictured(bench))["resume"].strip() == ""


# --- pages that show nothing of the table -----------------------------------------------------------------------------

#: Where nothing is live: who opens it (nobody is signed on at the first two), and with which status.
STILL: Final = (
    ("/", "", 200),
    ("/sign-on", "", 200),
    ("/", "croupier", 200),
    ("/account", "croupier", 200),
    ("/sign-off", "croupier", 200),
    ("/people", "manager", 200),
    ("/people", "croupier", 403),
    ("/pit/hands", "pit-boss", 503),
    ("/pit/statistics", "pit-boss", 200),
)
#: Longer than any screens need to find a mark, in seconds.
LONG_S: Final = 20.0


def opened(url: str, language: str, who: str, status: int) -> str:
    """The page, as text."""
    with plain_client() as client:
        answer = client.get(url, params={"lang": language}, headers=signed_on.headers(who) if who else {})
    assert answer.status_code == status
    return html.unescape(answer.text)


def with_banner(page: Callable[[], str], *, is_there: bool) -> str:
    """The page, as soon as the screens have found the mark, or seen that it is gone."""
    until_s = time.monotonic() + LONG_S
    while (("tilt-banner" in (text := page())) is not is_there) and time.monotonic() < until_s:
        time.sleep(0.05)
    return text


@pytest.mark.parametrize(("path", "who", "status"), STILL)
@pytest.mark.parametrize("language", LANGUAGES)
def test_a_page_that_shows_nothing_of_the_table_says_that_nothing_is_dealt(
    path: str, who: str, status: int, language: str, socket_path: Path
) -> None:
    leave(FULL, [place(socket_path)])
    with serving(socket_path) as url:

        def page() -> str:
            return opened(f"{url}{path}", language, who, status)

        text = with_banner(page, is_there=True)
        for word in LANGUAGES:
            for table, key in (("tilt-page", "no-dealing"), ("tilt", "disk-full"), ("tilt-page", "croupier")):
                assert (TEXTS.text(table, key, word) in text) == (word == language)
        assert (FULL.reason in text) == bool(who), "whoever is somebody reads why, and nobody else"
        assert TEXTS.text("tilt-out", "disk-full", language) not in text
        remove([place(socket_path)])
        assert "tilt-banner" not in with_banner(page, is_there=False)


@pytest.mark.parametrize("picture", [Picture(tilt=FULL, connected=True), Picture(), Picture(connected=True)])
def test_without_a_tilt_they_say_nothing_of_one(picture: Picture) -> None:
    assert "tilt-banner" not in PAGES.plain("index", "es", picture, offered=[])


@pytest.mark.parametrize("name", PARTS)
def test_a_page_with_the_table_has_one_banner_and_not_two(name: str) -> None:
    page = PAGES.page(name, "es", Picture(tilt=FULL, health=None))
    assert page.count('class="tilt-banner') == 1


def test_the_page_that_waits_at_the_table_hears_of_it_with_the_badge(socket_path: Path) -> None:
    leave(FULL, [place(socket_path)])
    with serving(socket_path) as url, plain_client() as client:
        answer = client.post(f"{url}/sign-on/badge", headers={"Origin": url})
    assert answer.json() == {"ok": True, "badge": False, "tilted": True}


# --- the mark is read while nobody answers ----------------------------------------------------------------------------


def test_a_mark_that_was_there_first_is_shown_and_goes_away_with_a_controller(socket_path: Path, bench: Bench) -> None:
    leave(FULL, [place(socket_path)])

    async def play(_link: Link, feed: Feed) -> None:
        tilted = await until(feed, lambda now: now.tilt is not None)
        assert (tilted.tilt, tilted.connected) == (FULL, False)
        await asyncio.to_thread(controller.start)
        assert (await until(feed, lambda now: now.connected)).tilt is None
        await asyncio.to_thread(controller.stop)
        assert (await until(feed, lambda now: not now.connected)).tilt == FULL

    with Controller(socket_path, bench) as controller:
        controller.stop()
        following(socket_path, play)


def test_a_mark_appears_while_nobody_answers_and_disappears_when_it_is_cleared(socket_path: Path, bench: Bench) -> None:
    bench.lines(hands.BETS)

    async def play(_link: Link, feed: Feed) -> None:
        await until(feed, lambda now: now.connected and now.view.phase == "dealing")
        await asyncio.to_thread(controller.stop)
        assert (await until(feed, lambda now: not now.connected)).tilt is None
        leave(FULL, [place(socket_path)])
        tilted = await until(feed, lambda now: now.tilt is not None)
        assert tilted.view.phase == "dealing", "the felt as it was is kept"
        remove([place(socket_path)])
        await until(feed, lambda now: now.tilt is None)

    with Controller(socket_path, bench) as controller:
        following(socket_path, play)


def test_a_mark_that_cannot_be_read_is_a_mark_all_the_same(socket_path: Path) -> None:
    place(socket_path).write_bytes(b"\xff{")

    async def play(_link: Link, feed: Feed) -> None:
        tilted = (await until(feed, lambda now: now.tilt is not None)).tilt
        assert tilted == find([place(socket_path)])
        text = PAGES.parts("pit", "es", Picture(tilt=tilted))["tilt"]
        assert str(place(socket_path)) in text

    following(socket_path, play)


@pytest.mark.parametrize("page", ["croupier", "pit"])
def test_a_page_opened_after_the_tilt_says_no_dealing_without_any_script(socket_path: Path, page: str) -> None:
    leave(FULL, [place(socket_path)])
    with serving(socket_path) as url:
        text = get(f"{url}/{page}", params={"lang": "es"}).text
    assert "NO SE REPARTE" in text
    assert re.search(r'id="lost-controller" role="alert" hidden>', text), "one banner, not two"

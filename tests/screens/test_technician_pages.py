"""The technician's pages over a whole table: decks, lamps and keys, configuration, software and traces."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tablectl.api.client import ask
from tablectl.config.settings import HIDDEN, settings_of
from tablectl.config.table_file import load
from tablectl.core.engine.vocabulary import Key
from tablectl.i18n.languages import LANGUAGES
from tablectl.ops.trace.kept import traces_in
from tablectl.web.screens.feed import Picture
from tablectl.web.screens.files import TableFiles
from tablectl.web.screens.render import Pages
from tests.api.test_enrol import CODES, NEW, ready
from tests.desk import Desk, desk
from tests.reader_desk import RED, Tray, reader_desk, register_of
from tests.screens.browsing import Tabs
from tests.screens.serving import serving
from tests.screens.test_app import get, post
from tests.screens.test_browser import shot

PAGES = ("decks", "panel", "configuration", "software", "traces")
TRACE = '[trace]\nfolder = "traces"\ndevices = ["light"]\n'

pytestmark = [pytest.mark.wide, pytest.mark.system]


@dataclass(frozen=True, kw_only=True, slots=True)
class Place:
    """A table that runs, its reader, and its screens."""

    table: Desk
    tray: Tray
    url: str


@pytest.fixture(scope="module")
def place() -> Iterator[Place]:
    with reader_desk() as (table, tray):
        text = table.config.read_text(encoding="utf-8")
        table.config.write_text(f"{TRACE}{text}", encoding="utf-8")
        table.start()
        ready(table)
        files = TableFiles(config=table.config, journal=table.journal, copy=load(table.config).copy)
        with serving(table.socket, files) as url:
            yield Place(table=table, tray=tray, url=url)


def opened(tabs: Tabs, place: Place, page: str, language: str = "es", width: int = 1280) -> Page:
    made = tabs.take(width, 800)
    made.goto(f"{place.url}/technician/{page}?lang={language}")
    return made


# --- without a browser ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("page", PAGES)
def test_each_page_is_there_in_each_language_and_leads_to_the_others(place: Place, page: str, language: str) -> None:
    answer = get(f"{place.url}/technician/{page}?lang={language}")
    assert answer.status_code == 200
    assert f'<html lang="{language}">' in answer.text
    for other in PAGES:
        assert f'href="/technician/{other}"' in answer.text
    assert 'href="/technician"' in answer.text


@pytest.mark.parametrize("page", PAGES)
def test_without_a_controller_each_page_says_so(tmp_path: Path, page: str) -> None:
    config = tmp_path / "mesa.toml"
    config.write_text("[table]\n", encoding="utf-8")
    files = TableFiles(config=config, journal=tmp_path / "a.db", copy=tmp_path / "a.copy")
    with serving(tmp_path / "none.sock", files) as url:
        assert "El controlador no responde" in get(f"{url}/technician/{page}?lang=es").text


def test_without_a_configuration_the_pages_that_need_it_say_so(place: Place) -> None:
    with serving(place.table.socket) as url:
        for page in ("configuration", "software"):
            answer = get(f"{url}/technician/{page}?lang=en")
            assert answer.status_code == 404
            assert "started without a configuration" in answer.text


@pytest.mark.parametrize(
    ("is_none", "es", "en"),
    [
        (True, "No hay nada que registrar", "Nothing to register"),
        (False, "No se puede leer el registro de barajas", "The register of decks cannot be read"),
    ],
)
def test_a_table_without_tags_has_no_register_and_one_that_cannot_be_read_says_why(
    *, is_none: bool, es: str, en: str
) -> None:
    told = {"ok": False, "error": "decks.db: wrong key", "none": is_none}
    for language, said in (("es", es), ("en", en)):
        html = Pages().plain(
            "technician/sheets/decks", language, Picture(), page="technician-sheet", sheet="decks", told=told
        )
        assert said in html
        assert ("wrong key" in html) is not is_none


def test_a_table_whose_readers_read_no_tags_says_so_when_it_is_asked() -> None:
    with desk() as table:
        table.start()
        assert ask(table.socket, {"ask": "decks"}) == {
            "ok": False,
            "error": "this table has no register of decks",
            "none": True,
        }


def test_the_configuration_is_checked_as_it_is_now_and_compared_with_what_the_table_runs_with(place: Place) -> None:
    file = place.table.config
    good = file.read_text(encoding="utf-8")
    page = f"{place.url}/technician/configuration?lang=en"
    try:
        text = get(page).text
        assert "No mistakes" in text
        assert "runs with what the file says" in text
        file.write_text(good.replace('name = "Mesa 1"', 'name = "Mesa 9"'), encoding="utf-8")
        text = get(page).text
        assert "<code>table.name</code>" in text
        assert re.search(r"Mesa 1.*Mesa 9", text, re.DOTALL)
        file.write_text(good.replace("seats = 7", "seats = 70\nsorts = 1"), encoding="utf-8")
        text = get(page).text
        for key in ("table.seats", "table.sorts"):
            assert f"<code>{key}</code></th>" in text
        assert "2 mistakes: nothing would start with them." in text
        file.write_text("[[[", encoding="utf-8")
        assert "valid TOML" in get(page).text
    finally:
        file.write_text(good, encoding="utf-8")


def test_the_settings_of_devices_go_by_their_names(tmp_path: Path) -> None:
    file = tmp_path / "a.toml"
    file.write_text(
        '[[device]]\nname = "light"\n[device.settings]\nserial = "x"\n[table]\nseats = 7\n', encoding="utf-8"
    )
    assert settings_of(file) == {
        "device[light].name": '"light"',
        "device[light].settings.serial": '"x"',
        "table.seats": "7",
    }


SECRET = "hush-hush-4711"
NOTIFY = f'[[notify]]\nname = "chef"\nurl = "json://bell.example/{SECRET}"\n[[notify]]\nname = "pit"\nurl = "env:PIT"\n'


def test_an_address_of_a_target_has_a_name_and_no_value(tmp_path: Path) -> None:
    file = tmp_path / "a.toml"
    slipped = f'[[notfy]]\nname = "json://a/{SECRET}"\nlink = ["json://b/{SECRET}"]\n'
    slipped += f'[[notify]]\nname = "luis"\nurll = "{SECRET}"\n[[notify]]\nname = "json://c/{SECRET}"\n'
    wire = '[[device]]\nname = "sabot"\n[device.settings]\nport = "socket://192.0.2.11:4001"\n'
    file.write_text(f"{NOTIFY}{slipped}{wire}", encoding="utf-8")
    assert settings_of(file) == {
        "notify[chef].name": '"chef"',
        "notify[chef].url": HIDDEN,
        "notify[pit].name": '"pit"',
        "notify[pit].url": '"env:PIT"',
        "notify[luis].name": '"luis"',
        "notify[luis].urll": HIDDEN,
        "notify[4].name": HIDDEN,
        "notfy[1].name": HIDDEN,
        "notfy[1].link": HIDDEN,
        "device[sabot].name": '"sabot"',
        "device[sabot].settings.port": '"socket://192.0.2.11:4001"',
    }
    file.write_text(f'notify = "json://a/{SECRET}"', encoding="utf-8")
    assert settings_of(file) == {"notify": HIDDEN}


def test_a_changed_address_is_told_as_changed_and_by_neither_value() -> None:
    with reader_desk() as (table, _):
        text = f"{table.config.read_text(encoding='utf-8')}\n{NOTIFY}"
        table.config.write_text(text, encoding="utf-8")
        table.start()
        files = TableFiles(config=table.config, journal=table.journal, copy=load(table.config).copy)
        told = ask(table.socket, {"ask": "running"})
        assert (told["settings"]["notify[chef].url"], told["changed"]) == (HIDDEN, [])
        assert SECRET not in str(told)
        with serving(table.socket, files) as url:
            page = f"{url}/technician/configuration?lang=en"
            assert "The table runs with what the file says." in get(page).text
            table.config.write_text(text.replace(SECRET, f"{SECRET}-other"), encoding="utf-8")
            told, shown = ask(table.socket, {"ask": "running"}), get(page).text
            assert told["changed"] == ["notify[chef].url"]
            assert re.search(r"notify\[chef\]\.url</code></th><td colspan=\"2\">.*changed \(a secret", shown)
            assert SECRET not in f"{told}{shown}"
            table.config.write_text(text.replace(f'"json://bell.example/{SECRET}"', '"env:CHEF"'), encoding="utf-8")
            shown = get(page).text
            assert HIDDEN in shown
            assert "env:CHEF" in shown
            assert SECRET not in shown


def test_the_software_that_runs_is_named_and_the_whole_check_says_why_it_cannot(place: Place) -> None:
    text = get(f"{place.url}/technician/software?lang=en").text
    running = ask(place.table.socket, {"ask": "running"})
    assert re.fullmatch("[0-9a-f]{64}", running["software"])
    assert running["software"] in text
    assert "nobody approved it" in text
    text = get(f"{place.url}/technician/software?lang=en&check=whole").text
    assert "names no manifest" in text


def test_a_trace_is_handed_over_sealed_and_only_after_that_is_on_record(place: Place) -> None:
    folder = place.table.folder / "traces"
    [row] = traces_in(folder)
    assert (row.device, row.is_recording) == ("light", True)
    before = place.table.newest
    assert get(f"{place.url}/technician/traces/{row.name}").status_code == 409
    assert place.table.newest == before
    (folder / "old.trace").write_bytes((folder / row.name).read_bytes())
    (folder.parent / "out.trace").write_bytes(b"x")
    text = get(f"{place.url}/technician/traces?lang=en").text
    assert 'data-trace="old.trace"' in text
    assert "recording" in text
    answer = get(f"{place.url}/technician/traces/old.trace")
    assert answer.content == (folder / "old.trace").read_bytes()
    record = place.table.await_record("access", before)
    fact = record["fact"]
    assert (fact["kind"], fact["what"], fact["about"], fact["role"]) == (
        "access",
        "read-trace",
        "old.trace",
        "technician",
    )
    for name in ("none.trace", "..%2Fout.trace", "table.key"):
        assert get(f"{place.url}/technician/traces/{name}").status_code == 404
    assert place.table.newest == record["seq"]


@pytest.mark.parametrize("path", ["test/begin", "enrolment", "enrolment/say"])
def test_what_another_site_posts_is_refused(place: Place, path: str) -> None:
    said = {"what": "panel", "deck": "x", "reader": "tray"}
    answer = post(f"{place.url}/technician/{path}", json=said, headers={"Origin": "http://other.example"})
    assert answer.status_code == 403


# --- in a browser -----------------------------------------------------------------------------------------------------


@pytest.mark.browser
@pytest.mark.parametrize("width", [1280, 390])
@pytest.mark.parametrize("page", PAGES)
def test_each_page_fits_its_screen(tabs: Tabs, place: Place, page: str, width: int) -> None:
    made = opened(tabs, place, page, width=width)
    expect(made.locator("main.tech h1")).to_be_visible()
    assert made.evaluate("document.documentElement.scrollWidth") <= width
    shot(made, f"technician-{page}-{width}", full_page=True)
    tabs.give_back(made)


@pytest.mark.browser
def test_keys_light_on_the_page_as_they_are_pressed_and_all_of_it_by_keyboard(tabs: Tabs, place: Place) -> None:
    page = opened(tabs, place, "panel")
    button = page.locator('[data-test="panel"]')
    button.focus()
    page.keyboard.press("Enter")
    expect(page.locator("#outcome")).to_contain_text("Prueba en marcha")
    key = page.locator('[data-key="new-hand"]')
    expect(key).to_have_class(re.compile("is-lit"))
    before = place.table.newest
    place.table.press(Key.NEW_HAND)
    place.table.panel.press(place.table.scene.panel[Key.INCIDENT])
    expect(key).to_have_class("is-pressed")
    expect(key.locator(".times")).to_have_text("✓ 1×")
    expect(page.locator('[data-key="incident"]')).to_have_class(re.compile("is-down"))
    shot(page, "technician-panel-test", full_page=True)
    place.table.panel.release(place.table.scene.panel[Key.INCIDENT])
    button.click()
    expect(page.locator("#outcome")).to_contain_text("Ahora no")
    page.locator('[data-test="over"]').click()
    expect(page.locator("#outcome")).to_contain_text("Prueba terminada")
    expect(key).not_to_have_class(re.compile("is-"))
    assert place.table.newest == before
    tabs.give_back(page)


def said(page: Page, text: str) -> None:
    """Wait until the outcome says so. A page looks by itself at each frame; from outside it is asked less often, and
    that is long where it is asked a hundred times."""
    page.wait_for_function("text => document.querySelector('#outcome').textContent.includes(text)", arg=text)


@pytest.mark.browser
def test_a_deck_is_enrolled_card_by_card_on_the_page(tabs: Tabs, place: Place) -> None:
    page = opened(tabs, place, "decks", "en")
    expect(page.locator("tr[data-deck]")).to_have_count(2)
    page.locator("#deck").fill("green 7")
    page.keyboard.press("Enter")
    expect(page.locator("#due-card")).to_have_text("A♠")
    for number, code in enumerate(CODES):
        if number == 15:
            foreign = next(iter(RED))
            place.tray.lay(foreign)
            said(page, "another deck")
            shot(page, "technician-decks-enrolling", full_page=True)
            place.tray.lift(foreign)
            said(page, "Lay the card")
        place.tray.lay(NEW[code])
        said(page, "Registered")
        place.tray.lift(NEW[code])
        if code != CODES[-1]:
            said(page, "Lay the card")
            expect(page.locator("#done")).to_have_text(str(number + 1))
    expect(page.locator('tr[data-deck="green 7"]')).to_be_visible()
    with register_of(place.table) as register:
        assert set(register.tags("green 7")) == set(NEW.values())
    tabs.give_back(page)


@pytest.mark.browser
def test_who_leaves_the_page_gives_the_deck_up_and_who_may_not_begin_is_told_why(tabs: Tabs, place: Place) -> None:
    page = opened(tabs, place, "decks", "en")
    page.locator("#deck").fill("red 7")
    page.locator("#enrol button").click()
    expect(page.locator("#end")).to_contain_text("registered already")
    page.locator("#deck").fill("yellow 7")
    page.locator("#enrol button").click()
    expect(page.locator("#due-card")).to_have_text("A♠")
    assert ask(place.table.socket, {"ask": "test"})["enrols"] is not None
    page.goto("about:blank")
    while ask(place.table.socket, {"ask": "test"})["enrols"] is not None:
        pass
    tabs.give_back(page)

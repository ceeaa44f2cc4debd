"""The page of the float, its entries, and what is said where nobody can know it."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path
from typing import Any, Final

import httpx2
import pytest

from tablectl.core.events.notes import ChipCount
from tablectl.core.public_table.chip_float import TrayAct, Unknown
from tablectl.i18n.amounts import NotAnAmount
from tablectl.i18n.languages import LANGUAGES
from tablectl.web.screens.entries import SCREENS, BadEntry, Typed, line_of, question_of
from tablectl.web.screens.feed import Picture
from tablectl.web.screens.float_page import EntryRow, float_page, float_told, form_page
from tablectl.web.screens.greeting import table_info
from tests.screens import hands
from tests.screens.conftest import Screens
from tests.screens.controller import Bench, Controller, setup
from tests.screens.serving import serving
from tests.screens.signed_on import PASSWORD, headers
from tests.screens.test_app import following, get, post
from tests.screens.test_pages import PAGES, plain

TABLE = table_info(Bench().greeting)
TYPED = Typed(table=TABLE, language="es")
PICTURE = Picture(table=TABLE, connected=True)
COUNTED: dict[str, Any] = {
    "kind": "float-counted",
    "seq": 9,
    "hand": 2,
    "at": "2026-11-21T22:45:00.000000Z",
    "amount": 99_500,
    "expected": 100_000,
    "by": "ana",
    "second": "luis",
}
FILLED = {word: value for word, value in COUNTED.items() if word != "expected"} | {
    "kind": "float-filled",
    "seq": 10,
    "amount": 5000,
}
SAID: dict[str, Any] = {
    "ok": True,
    "expected": 92_500,
    "unknown": None,
    "is_hand_open": False,
    "made_of": {"counted": 99_500, "seq": 9, "fills": 5000, "credits": 0, "change": -12_000, "hands": 1},
    "chip": 1,
    "entries": [FILLED, COUNTED],
    "before": None,
}


def page(language: str = "es", **more: object) -> str:
    told = float_told({**SAID, **more})
    assert told is not None
    return float_page(PAGES, language, PICTURE, told)


# --- the page ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_page_says_what_is_expected_and_of_what_that_is_made(language: str) -> None:
    text = plain(page(language))
    said = {
        "es": ("Último recuento", "Reposiciones", "Manos terminadas desde entonces: 1", "925 €", "995 €", "+50 €"),
        "en": ("Last count", "Fills", "Hands closed since: 1", "€925", "€995", "+€50"),
    }
    for words in said[language]:
        assert words in text
    assert PAGES.texts(language, PICTURE).say("float", "in-hand") not in text


def test_a_count_stands_with_what_was_expected_and_the_difference_and_a_fill_with_neither() -> None:
    told = float_told(SAID)
    assert told is not None
    fill, count = told.rows
    assert (fill.act, fill.amount, fill.expected, fill.difference) == (TrayAct.FILL, 5000, None, None)
    assert count == EntryRow(
        seq=9,
        at=COUNTED["at"],
        act=TrayAct.COUNT,
        amount=99_500,
        chips=(),
        expected=100_000,
        difference=-500,
        by="ana",
        second="luis",
    )
    assert '<td class="difference">−5 €</td>' in page()


def test_in_a_hand_it_says_of_when_that_is() -> None:
    assert "esto es lo esperado al terminar la anterior" in page(is_hand_open=True)


@pytest.mark.parametrize("why", Unknown)
@pytest.mark.parametrize("language", LANGUAGES)
def test_where_nobody_can_know_it_there_is_no_number_and_why(language: str, why: Unknown) -> None:
    text = page(language, expected=None, unknown=why.value, made_of=None)
    assert ("No se puede saber" in text, "It cannot be known" in text) == (language == "es", language == "en")
    assert "995 €" not in text.partition("<form")[0]


def test_two_sign_where_the_house_knows_its_people_and_one_where_it_does_not() -> None:
    assert "second-secret" not in page()
    staff = Picture(table=table_info(Bench(setup(staff=True)).greeting), connected=True)
    assert 'name="second-secret" type="password"' in float_page(PAGES, "es", staff, float_told(SAID))


def test_without_a_controller_it_says_so_and_asks_again(socket_path: Path) -> None:
    assert float_told(None) is None
    assert float_told({"ok": False, "error": "x"}) is None
    with serving(socket_path) as url:
        assert "data-again" in get(f"{url}/pit/float", params={"lang": "es"}).text


def test_the_page_is_by_the_newest_record(screens: Screens) -> None:
    following(screens)
    assert "nadie ha contado" in get(f"{screens.url}/pit/float?lang=es").text
    screens.controller.note("float-counted", amount=100_000, expected=None, by="ana", second="")
    assert "1.000 €" in get(f"{screens.url}/pit/float?lang=es").text
    screens.controller.lines(hands.WHOLE)
    assert "880 €" in get(f"{screens.url}/pit/float?lang=es").text


def test_a_hand_without_amounts_leaves_no_number(socket_path: Path) -> None:
    bench = Bench()
    bench.note("float-counted", amount=100_000, expected=None, by="ana", second="")
    bench.lines(hands.VOID)
    closed = next(decision for decision in bench.records[-1]["decisions"] if decision["kind"] == "hand-closed")
    closed["float_change"] = None
    with Controller(socket_path, bench), serving(socket_path) as url:
        assert "hubo una mano sin importes" in get(f"{url}/pit/float?lang=es").text


# --- the entry --------------------------------------------------------------------------------------------------------


def test_an_entry_is_asked_of_the_door_with_both_names() -> None:
    entry = {"act": "float", "what": "fill", "amount": "2,50"}
    asked = {"float": "fill", "amount": 250, "by": "ana", "second": ""}
    assert question_of(SCREENS["pit"], entry, TYPED, by="ana") == asked
    assert question_of(SCREENS["pit"], entry, TYPED, by="ana+luis") == {**asked, "second": "luis"}
    assert question_of(SCREENS["pit"], {"act": "call"}, TYPED, by="ana") == {"enter": "call by ana", "by": "ana"}


@pytest.mark.parametrize(
    "entry", [{"what": "sold", "amount": "5"}, {"what": ["fill"], "amount": "5"}, {"amount": "5"}, {"what": "fill"}]
)
def test_what_is_no_entry_is_refused(entry: dict[str, object]) -> None:
    with pytest.raises(BadEntry):
        question_of(SCREENS["pit"], {"act": "float", **entry}, TYPED, by="ana")


def test_what_is_no_amount_is_said_to_be_none() -> None:
    with pytest.raises(NotAnAmount):
        question_of(SCREENS["pit"], {"act": "float", "what": "fill", "amount": "-5"}, TYPED, by="ana")


def test_it_is_no_word_of_hand_files_and_no_act_of_the_croupier() -> None:
    entry = {"act": "float", "what": "fill", "amount": "5"}
    with pytest.raises(BadEntry):
        line_of(SCREENS["pit"], entry, TYPED, by="ana")
    with pytest.raises(BadEntry):
        question_of(SCREENS["croupier"], entry, TYPED, by="ana")


# --- by denomination --------------------------------------------------------------------------------------------------

HOUSE: Final = (100, 500, 2500)
COUNTING: Final = Typed(table=replace(TABLE, denominations=HOUSE), language="es")


def test_where_the_house_has_denominations_chips_are_counted_and_no_total_is_taken() -> None:
    entry = {"act": "float", "what": "opening", "chips": {"500": "1.040", "100": " ", "2500": "20"}}
    asked = question_of(SCREENS["pit"], entry, COUNTING, by="ana")
    assert asked["chips"] == [{"value": 500, "count": 1040}, {"value": 2500, "count": 20}]
    assert "amount" not in asked
    with pytest.raises(BadEntry):
        question_of(SCREENS["pit"], {"act": "float", "what": "opening", "amount": "5"}, COUNTING, by="ana")


@pytest.mark.parametrize("chips", [{"700": "1"}, {"500": 1}, ["500"], {"": "1"}])
def test_chips_that_the_house_has_not_are_no_entry(chips: object) -> None:
    with pytest.raises(BadEntry):
        question_of(SCREENS["pit"], {"act": "float", "what": "fill", "chips": chips}, COUNTING, by="ana")


@pytest.mark.parametrize("count", ["-1", "2,5", "x", "1.04"])
def test_a_count_is_a_whole_number(count: str) -> None:
    with pytest.raises(NotAnAmount):
        question_of(SCREENS["pit"], {"act": "float", "what": "fill", "chips": {"500": count}}, COUNTING, by="ana")


def counting(socket_path: Path, bench: Bench | None = None) -> Controller:
    """A table of a house that counts by denomination."""
    made = Bench() if bench is None else bench
    made.house = {"denominations": list(HOUSE)}
    return Controller(socket_path, made)


def test_the_server_adds_up_what_is_being_counted(socket_path: Path) -> None:
    with counting(socket_path), serving(socket_path) as url:
        get(f"{url}/pit/float")  # answered when the screens have heard of the table
        told = get(f"{url}/pit/float/sums", params={"lang": "es", "500": "40", "2500": "20"})
        assert told.json() == {"sums": {"500": "200 €", "2500": "500 €"}, "total": "700 €"}
        assert get(f"{url}/pit/float/sums", params={"lang": "en"}).json() == {"sums": {}, "total": "€0"}
        assert get(f"{url}/pit/float/sums", params={"500": "x"}).status_code == 400
        assert get(f"{url}/pit/float/sums", params={"700": "1"}).status_code == 400
        assert get(f"{url}/pit/float/sums", headers=headers("croupier")).status_code == 403


def test_the_page_asks_for_each_denomination_and_for_no_amount(socket_path: Path) -> None:
    with counting(socket_path), serving(socket_path) as url:
        html = get(f"{url}/pit/float?lang=es").text
    assert re.findall(r'data-value="(\d+)"', html) == ["2500", "500", "100"]
    assert 'name="amount"' not in html
    assert re.findall(r'<option value="([a-z]+)">([^<]+)', html) == [
        ("opening", "Anticipo"),
        ("fill", "Reposición: fichas que llegan"),
        ("credit", "Retirada: fichas que salen"),
        ("count", "Arqueo"),
        ("closing", "Cierre"),
    ]


# --- the form that is printed -----------------------------------------------------------------------------------------

#: A count at the end, of 40 chips of 5 € and 20 of 25 €.
_CLOSED: Final[dict[str, Any]] = {
    "amount": 70_000,
    "expected": 71_000,
    "by": "ana",
    "second": "luis",
    "occasion": "closing",
    "chips": [{"value": 500, "count": 40}, {"value": 2500, "count": 20}],
}


def test_every_entry_opens_as_a_form_and_pages_lead_to_the_oldest(socket_path: Path) -> None:
    bench = Bench()
    with Controller(socket_path, bench) as controller, serving(socket_path) as url:
        get(f"{url}/pit/float")
        for number in range(45):
            controller.note("float-filled", amount=100 * (number + 1), by="ana", second="luis")
        seqs = list(range(len(bench.records), len(bench.records) - 45, -1))
        shown, address = [], "/pit/float?lang=es"
        for _ in range(3):
            html = get(f"{url}{address}").text
            shown.append([int(seq) for seq in re.findall(r'<tr data-seq="(\d+)"', html)])
            assert ("Las últimas anotaciones" in html) == (len(shown) > 1)
            address = "".join(re.findall(r'rel="next" href="([^"]+)"', html))
        assert (shown, address) == ([seqs[:20], seqs[20:40], seqs[40:]], "")
        assert "No hay anotaciones anteriores." in get(f"{url}/pit/float?lang=es&before={seqs[-1]}").text
        oldest = plain(get(f"{url}/pit/float/{seqs[-1]}?lang=es").text)
        assert "Reposición" in oldest
        assert " 1 € " in " ".join(oldest.split())
        for none in (seqs[0] + 1, seqs[-1] - 1, 0, 10**20):
            assert get(f"{url}/pit/float/{none}?lang=es").status_code == 404
        assert len(re.findall("<tr data-seq", get(f"{url}/pit/float?before=x").text)) == 20


def test_an_auditor_looks_at_the_tray_on_record_and_enters_nothing(screens: Screens) -> None:
    following(screens)
    screens.controller.note("float-counted", amount=100_000, expected=None, by="ana", second="")
    seq = len(screens.bench.records)
    for who, enters in (("pit-boss", True), ("auditor", False)):
        html = get(f"{screens.url}/pit/float", headers=headers(who)).text
        assert (f'href="/pit/float/{seq}"' in html, "<form data-float" in html) == (True, enters)
        assert get(f"{screens.url}/pit/float/{seq}", headers=headers(who)).status_code == 200
    assert get(f"{screens.url}/pit/float/sums", headers=headers("auditor")).status_code == 403
    looks = [row for row in screens.people.audits.rows() if row["what"] == "read-records"]
    assert [(row["who"], row["role"], row["about"]) for row in looks] == [
        ("auditor", "auditor", "float"),
        ("auditor", "auditor", f"float {seq}"),
    ]


def test_a_form_has_table_time_persons_chips_total_difference_and_lines_to_sign(socket_path: Path) -> None:
    bench = Bench()
    bench.house = {"timezone": "Europe/Madrid"}
    with Controller(socket_path, bench) as controller, serving(socket_path) as url:
        get(f"{url}/pit/float")
        controller.note("float-counted", **_CLOSED)
        seq = len(bench.records)
        html = get(f"{url}/pit/float/{seq}?lang=es").text
        assert get(f"{url}/pit/float/{seq + 1}?lang=es").status_code == 404
        assert get(f"{url}/pit/float/{seq}", headers=headers("croupier")).status_code == 403
    text = " ".join(plain(html).split())
    for words in ("Cierre", "Mesa 1", "Europe/Madrid", "25 € 20 500 €", "5 € 40 200 €", "Total 700 €", "−10 €"):
        assert words in text
    assert re.search(r"\d\d/\d\d/\d{4} \d\d:\d\d", text)
    for signs in ("Croupier (cuenta)", "Caja central (recibe)", "Jefe de mesa (conforme)"):
        assert signs in text


def test_a_form_without_denominations_on_record_says_so_and_a_fill_has_no_difference() -> None:
    told = float_told(SAID)
    assert told is not None
    text = plain(form_page(PAGES, "es", PICTURE, told.rows[0]))
    assert "El desglose por fichas no consta en el registro." in text
    assert "50 €" in text
    assert "Diferencia" not in text


def test_every_form_says_who_signs() -> None:
    told = float_told(SAID)
    assert told is not None
    for act in TrayAct:
        html = form_page(PAGES, "en", PICTURE, replace(told.rows[0], act=act, chips=(ChipCount(value=100, count=50),)))
        assert html.count("Pit boss (agrees)") == 1


def enter(url: str, person: str, **more: object) -> httpx2.Response:
    entry = {"page": "pit", "act": "float", "what": "count", "amount": "100", **more}
    return post(f"{url}/enter", json=entry, headers={"Origin": url, **headers(person)})


def test_an_entry_goes_to_the_table_under_the_name_of_who_is_signed_on(screens: Screens) -> None:
    following(screens)
    answer = enter(screens.url, "pit-boss")
    assert answer.json()["ok"], answer.text
    fact = {"kind": "float-counted", "amount": 10_000, "expected": None, "by": "pit-boss", "second": ""}
    assert screens.controller.entered == [fact]
    assert enter(screens.url, "croupier").status_code == 403
    assert len(screens.controller.entered) == 1


def test_where_people_are_known_one_person_alone_enters_nothing(socket_path: Path) -> None:
    with Controller(socket_path, Bench(setup(staff=True))) as controller, serving(socket_path) as url:
        get(f"{url}/pit/float")  # answered when the screens have heard of the table
        answer = enter(url, "pit-boss")
        assert (answer.status_code, answer.json()["error"]) == (409, "needs-second")
        assert answer.json()["says"][0].startswith("No se ha anotado nada")
        assert enter(url, "pit-boss", second={"name": "manager", "secret": PASSWORD}).json()["ok"]
        assert controller.entered[-1]["second"] == "manager"

"""The page of statistics: figures, plots with their tables, filters that are an address, and files to take away."""

from __future__ import annotations

import csv
import re
from dataclasses import replace
from datetime import time
from io import StringIO
from pathlib import Path
from urllib.parse import urlencode

import pytest
from starlette.applications import Starlette
from starlette.testclient import TestClient

from tablectl.config.shifts import DEFAULT, begins_of
from tablectl.core.roles import Role
from tablectl.statistics.figures import Filters
from tablectl.statistics.folding import Changes, Totals, fold_all
from tablectl.statistics.follower import Follower
from tablectl.statistics.rows import HandRow
from tablectl.statistics.service import Statistics, opened, zone_of
from tablectl.statistics.store import Store
from tablectl.web.screens.app import make_shared
from tablectl.web.screens.feed import Picture
from tablectl.web.screens.plots import OF_MANAGERS, PLOTS
from tablectl.web.screens.statistics_page import address_of, lasted, statistics_page
from tablectl.web.screens.web.gate import Gate
from tablectl.web.screens.web.guarded_routes import routes
from tablectl.web.screens.web.statistics import StatisticsPages, filters_of
from tests.screens import hands
from tests.screens.conftest import Screens
from tests.screens.controller import Bench
from tests.screens.signed_on import cookies, headers, house, staffed
from tests.screens.test_app import following, get
from tests.screens.test_pages import PAGES, plain
from tests.statistics.times import us_of

LINES = hands.DEVICES + hands.WHOLE + hands.VOID + hands.WHOLE


def caught_up(screens: Screens, lines: str = LINES) -> str:
    """The page, once every record is folded: the page says how far that is."""
    screens.controller.lines(lines)
    following(screens)
    newest = len(screens.bench.records)
    for _ in range(400):
        text = get(f"{screens.url}/pit/statistics?lang=en").text
        if f"Up to record {newest}." in text:
            return text
    raise AssertionError("the statistics never caught up")


def test_the_page_shows_figures_and_every_plot_with_a_table_of_its_numbers(screens: Screens) -> None:
    text = caught_up(screens)
    assert re.findall(r'data-plot="(\w+)"', text) == list(PLOTS)
    assert text.count("<svg viewBox") + text.count("Not enough data") == len(PLOTS)
    figures = dict(re.findall(r'<dt><span class="both"><span class="first">([^<]+).*?</dt><dd>([^<]+)', text))
    assert figures["Hands"] == "3"
    assert figures["Void"].strip() == "1"
    assert figures["Change of the float"] == "−€240"
    tables = {
        name: [plain(row) for row in re.findall(r"<tr>(.*?)</tr>", body, re.DOTALL)[1:]]
        for name, body in re.findall(r'data-plot="(\w+)".*?<table>(.*?)</table>', text, re.DOTALL)
    }
    assert tables["clauses"] == ["THB-ERR-1 1 100 %"]
    assert tables["croupiers"] == ["No data"], "nobody had signed on"
    assert [row.rpartition(" ")[0].rpartition(" ")[0] for row in tables["shifts"]] == ["22:00–06:00 3 1 33.3"]
    assert tables["float"] == ["22:00 −€240 −€240"]
    assert tables["devices"] == ["No data"]
    assert tables["expected"] == ["No data"], "nobody counted the tray"


def test_the_page_shows_alarms_and_the_longest_wait_and_gives_them_as_a_file(screens: Screens) -> None:
    lost = "lost panel xkeys cable\n" + "back panel xkeys\nlost panel xkeys cable\n" * 2
    text = caught_up(screens, hands.DEVICES + hands.BETS + "call by croupier\n" + lost)
    shown = plain(text[text.index('id="alarms"') :])
    for words in ("Alarms 2", "Without a response 2", "Floods: more than 10 in 10 minutes 0", "Panel away xkeys 1"):
        assert words in shown
    assert "Ruling · THB-STF-1" in shown
    rows = list(csv.DictReader(StringIO(get(f"{screens.url}/pit/statistics/alarms.csv").text, newline="")))
    assert [(row["kind"], row["about"], row["losses"]) for row in rows] == [
        ("ruling", "THB-STF-1", "0"),
        ("keys-lost", "xkeys", "3"),
    ]


@pytest.mark.parametrize(
    ("language", "said"),
    [
        ("es", ("Estadística", "Errores de reparto por 100 manos, por turno", "No hay datos suficientes")),
        ("en", ("Statistics", "Errors of the deal per 100 hands, by shift", "Not enough data")),
    ],
)
def test_it_is_in_the_language_that_is_asked_for(screens: Screens, language: str, said: tuple[str, ...]) -> None:
    text = plain(get(f"{screens.url}/pit/statistics?lang={language}").text)
    assert all(words in text for words in said)


def test_a_filter_narrows_the_page_and_stays_in_its_links(screens: Screens) -> None:
    caught_up(screens)
    address = "day=all&shift=2&clause=THB-ERR-1"
    text = get(f"{screens.url}/pit/statistics?lang=es&{address}").text
    assert 'value="all" selected' in text
    assert '<option value="2" selected>22:00–06:00</option>' in text
    assert '<option value="THB-ERR-1" selected>' in text
    assert text.count("day=all&amp;shift=2&amp;clause=THB-ERR-1") == 7, "files and languages"
    none = get(f"{screens.url}/pit/statistics?lang=es&day=2020-01-01").text
    assert none.count("Sin datos") >= len(PLOTS)


def test_what_is_said_of_croupiers_is_for_managers_alone(screens: Screens) -> None:
    caught_up(screens)
    shown = {
        person: re.findall(r'data-plot="(\w+)"', get(f"{screens.url}/pit/statistics", headers=headers(person)).text)
        for person in ("pit-boss", "manager")
    }
    assert set(shown["manager"]) == set(PLOTS)
    assert set(shown["pit-boss"]) == set(PLOTS) - OF_MANAGERS
    address = f"{screens.url}/pit/statistics/croupiers.csv"
    assert get(address, headers=headers("pit-boss")).status_code == 403
    assert "croupiers.csv" not in get(f"{screens.url}/pit/statistics", headers=headers("pit-boss")).text
    text = get(address, headers=headers("manager")).text
    assert text == "croupier,hands,errors,errors_per_100_hands,from,to\r\n", "nobody had signed on"


@pytest.mark.parametrize("path", ["plot/hands.svg", "nonsense.csv"])
def test_what_there_is_not_is_not_found(screens: Screens, path: str) -> None:
    assert get(f"{screens.url}/pit/statistics/{path}").status_code == 404


def test_hands_and_incidents_are_files_for_a_spreadsheet(screens: Screens) -> None:
    caught_up(screens)
    answer = get(f"{screens.url}/pit/statistics/hands.csv?day=all")
    assert answer.headers["content-type"].startswith("text/csv")
    assert answer.headers["content-disposition"] == 'attachment; filename="tablectl-hands.csv"'
    rows = list(csv.DictReader(StringIO(answer.text, newline="")))
    assert [row["bank_net"] for row in rows] == ["-12000", "0", "-12000"]
    incidents = get(f"{screens.url}/pit/statistics/incidents.csv?day=2026-11-21")
    assert "tablectl-incidents-2026-11-21.csv" in incidents.headers["content-disposition"]
    assert [row["clause"] for row in csv.DictReader(StringIO(incidents.text, newline=""))] == ["THB-ERR-1"]


def test_where_the_tray_was_counted_the_expected_float_has_a_table_a_line_and_a_file(screens: Screens) -> None:
    screens.controller.lines(hands.DEVICES)
    for kind, more in (("counted", {"amount": 100_000, "expected": None}), ("filled", {"amount": 50_000})):
        screens.controller.note(f"float-{kind}", by="ana", second="luis", **more)
    screens.controller.lines(hands.WHOLE)
    screens.controller.note("float-counted", amount=137_500, expected=138_000, by="ana", second="luis")
    text = caught_up(screens, hands.WHOLE)
    (body,) = re.findall(r'data-plot="expected".*?<table>(.*?)</table>', text, re.DOTALL)
    assert [plain(row) for row in re.findall(r"<tr>(.*?)</tr>", body, re.DOTALL)[1:]] == ["22:00 €1,255 €1,375 −5"]
    rows = list(csv.DictReader(StringIO(get(f"{screens.url}/pit/statistics/float.csv").text, newline="")))
    assert [(row["entry"], row["amount"], row["expected"], row["difference"]) for row in rows] == [
        ("count", "100000", "", ""),
        ("fill", "50000", "", ""),
        ("count", "137500", "138000", "-500"),
    ]
    of_hands = csv.DictReader(StringIO(get(f"{screens.url}/pit/statistics/hands.csv").text, newline=""))
    assert [row["float_expected"] for row in of_hands] == ["138000", "125500"]


@pytest.mark.parametrize(
    "asked",
    [
        {},
        {"day": "2026-11-21"},
        {"day": "all", "shift": "1"},
        {"croupier": "ana", "device": "a b&c=d", "clause": "THB-ERR-1"},
    ],
)
def test_filters_are_an_address_and_back(asked: dict[str, str]) -> None:
    assert address_of(filters_of(asked)) == urlencode(asked)


@pytest.mark.parametrize(
    "asked", [{"day": "tomorrow"}, {"day": "9999-99-99"}, {"shift": "-1"}, {"shift": "٣"}, {"shift": "99"}]
)
def test_what_is_no_filter_is_not_asked_for(asked: dict[str, str]) -> None:
    assert filters_of(asked) == Filters()


def service(lines: str = LINES) -> Statistics:
    bench, store = Bench(), Store(None)
    bench.lines(lines)
    store.keep(*fold_all(Totals(), bench.records))
    return Statistics(store, Follower(Path("/nowhere"), store), begins_of(DEFAULT))


def test_without_a_day_the_newest_one_is_shown_by_the_houses_clock() -> None:
    report = service().report(Filters(), "Asia/Tokyo")
    assert str(report.filters.day) == "2026-11-22"
    assert report.choices.days == (report.filters.day,)
    assert [bucket.when for bucket in report.figures.buckets] == [time(7)]
    assert service().report(Filters(), "Atlantis/Center").figures.buckets[0].when == time(22)
    assert zone_of("../etc/passwd").key == "UTC"


def test_the_same_question_is_answered_again_until_there_is_something_new() -> None:
    bench, store = Bench(), Store(None)
    bench.lines(hands.WHOLE)
    statistics = Statistics(store, Follower(Path("/nowhere"), store), ())
    assert statistics.report(Filters(), "UTC").figures.hands == 0
    assert statistics.report(Filters(), "UTC") is statistics.report(Filters(), "UTC")
    assert statistics.report(Filters(every_day=True), "UTC").filters.every_day is True
    store.keep(*fold_all(Totals(), bench.records))
    again = Statistics(store, Follower(Path("/nowhere"), store), ())
    assert again.report(Filters(), "UTC").figures.hands == 1


def test_a_hand_under_a_wrong_clock_is_a_day_of_its_own_and_hides_no_other() -> None:
    statistics = dealt("2026-01-05", *(f"2026-11-{day:02}" for day in (1, 2, 9)), "2099-01-01", "2026-11-10")
    report = statistics.report(Filters(), "UTC")
    assert str(report.filters.day) == "2026-11-10", "the last hand, whatever the clock said before"
    days = ["2099-01-01", "2026-11-10", "2026-11-09", "2026-11-02", "2026-11-01", "2026-01-05"]
    assert [str(day) for day in report.choices.days] == days
    assert [str(bucket.when) for bucket in statistics.report(Filters(every_day=True), "UTC").figures.buckets] == days[
        ::-1
    ]


def test_days_without_a_hand_are_not_offered_and_any_day_can_be_asked_for() -> None:
    statistics = dealt("2020-05-05", *(f"2026-{month:02}-{day:02}" for month in (9, 11) for day in range(1, 29)))
    report = statistics.report(Filters(), "UTC")
    assert len(report.choices.days) == 31
    assert [str(day) for day in report.choices.days[-4:]] == ["2026-11-01", "2026-09-28", "2026-09-27", "2026-09-26"]
    old = statistics.report(filters_of({"day": "2020-05-05"}), "UTC")
    assert (old.figures.hands, [rate.name for rate in old.figures.croupiers]) == (1, ["ana-2020-05-05"])
    assert "ana-2020-05-05" in old.choices.croupiers
    assert "ana-2020-05-05" not in report.choices.croupiers
    page = statistics_page(PAGES, "en", Picture(), old, for_manager=False)
    assert '<option value="2020-05-05" selected>' in page
    assert page.count('<option value="2026-') == 31


def dealt(*days: str) -> Statistics:
    """One hand on each of these days, at eight in the evening, in the order given."""
    store = Store(None)
    opened = enumerate((us_of(f"{day}T20:00:00Z") for day in days), start=1)
    rows = {
        number: HandRow(hand=number, game="g", opened_us=at_us, closed_us=at_us + 1, croupier=f"ana-{days[number - 1]}")
        for number, at_us in opened
    }
    store.keep(Totals(), Changes(hands=rows))
    return Statistics(store, Follower(Path("/nowhere"), store), begins_of(DEFAULT))


def test_a_day_at_the_end_of_time_is_nothing_and_no_error() -> None:
    assert service().report(filters_of({"day": "9999-12-31"}), "UTC").figures.hands == 0
    assert service("").report(filters_of({"day": "9999-12-31"}), "UTC").figures.hands == 0
    for zone in ("Asia/Tokyo", "America/New_York"):
        assert service().report(filters_of({"day": "0001-01-01"}), zone).figures.hands == 0
        assert service().report(filters_of({"day": "9999-12-30"}), zone).figures.hands == 0


def test_a_file_of_another_program_leaves_the_screens_without_statistics(tmp_path: Path) -> None:
    other = tmp_path / "precious"
    other.write_text("a list of what to buy\n" * 50, encoding="utf-8")
    assert opened(tmp_path / "control", other, ()) is None
    assert opened(tmp_path / "control", tmp_path / "no" / "folder" / "statistics.db", ()) is None


def test_how_long_it_took_is_said_in_seconds_or_minutes() -> None:
    t = PAGES.texts("es", Picture())
    assert [lasted(t, number) for number in (None, 0.04, 12.34, 150.0)] == ["—", "0,0 s", "12,3 s", "2,5 min"]


def test_a_read_and_a_file_taken_away_are_on_record_under_the_name_of_who_did_it(tmp_path: Path) -> None:
    people = house(staffed(tmp_path / "people.db"))
    shared = replace(make_shared(tmp_path / "control", people, None), pages=PAGES, statistics=service())
    guarded = StatisticsPages(shared).guarded_routes()
    with TestClient(Starlette(routes=routes(guarded, Gate(shared))), cookies=cookies("manager")) as client:
        assert client.get("/pit/statistics?day=all&shift=2").status_code == 200
        for asked in ("day=all&shift=2", "day=all&croupier=ana", "day=all&croupier=ana"):
            assert client.get(f"/pit/statistics?{asked}").status_code == 200
        assert client.get("/pit/statistics/incidents.csv?day=all").status_code == 200
    reads = [(row["what"], row["who"], row["role"], row["about"]) for row in people.audits.rows()]
    assert reads == [
        ("read-statistics", "manager", "manager", "day=all&shift=2"),
        ("read-statistics", "manager", "manager", "day=all&croupier=ana"),
        ("downloaded", "manager", "manager", "statistics incidents day=all"),
    ]
    both, managers = frozenset({Role.PIT_BOSS, Role.MANAGER}), frozenset({Role.MANAGER})
    assert {route.path: route.roles for route in guarded} == {
        "/pit/statistics": both,
        "/pit/statistics/croupiers.csv": managers,
        "/pit/statistics/alarms.csv": both | {Role.AUDITOR},
        "/pit/statistics/{what}.csv": both,
    }

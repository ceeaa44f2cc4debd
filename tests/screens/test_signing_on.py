"""Signing on and off over a real port: forms without script, PIN and badge at the table, two persons, whose table."""

from __future__ import annotations

import asyncio
import re
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final

import httpx2
import pytest

from tablectl.core.public_table.table import PublicTable
from tablectl.core.roles import Role
from tablectl.journal.clock import now_us
from tablectl.people import demo_pin
from tablectl.people.administration import Administration, By
from tablectl.people.audit import time_text
from tablectl.people.people import COOKIE, People
from tablectl.people.presence import Presence
from tablectl.people.service.relieving import Relieving
from tablectl.people.sessions import ABSOLUTE_US, Place
from tablectl.people.source import BROWSER_COOKIE
from tablectl.web.screens.feed import Feed, Picture
from tablectl.web.screens.guard import FORM_POLICY, HEADERS
from tablectl.web.screens.table_of_feed import TableOfFeed
from tests.screens import hands, signed_on
from tests.screens.api_stub import UNKNOWN, ApiStub
from tests.screens.conftest import Screens
from tests.screens.controller import AT_FIRST, Bench
from tests.screens.serving import Serving
from tests.screens.signed_on import PASSWORD, PIN
from tests.screens.test_app import events, plain_client, until_seq

BY: Final = By(name="manager")
BADGE: Final = "0123456789abcdef0123456789abcdef"
NEW: Final = "another long password"


@dataclass(frozen=True, kw_only=True)
class House:
    """A stand-in for the API that knows croupiers, and screens at it."""

    url: str
    api: ApiStub
    people: People
    bench: Bench

    def note(self, kind: str, **fields: object) -> None:
        self.bench.note(kind, **fields)
        self.api.record({**self.bench.records[-1], "at": time_text(now_us())})

    def decide(self, kind: str, **fields: object) -> None:
        self.bench.note("pressed", key="confirm")
        self.api.record({**self.bench.records[-1], "decisions": [{"kind": kind, **fields}]})


class Told:
    """A controller that says yes to everything, and what was entered."""

    def __init__(self) -> None:
        self.lines: list[str] = []

    async def ask(self, question: Mapping[str, Any]) -> Mapping[str, Any]:
        self.lines.append(question["enter"])
        return {"ok": True, "seq": len(self.lines)}


@contextmanager
def house(socket_path: Path, lines: str = "", *, demo: bool = False) -> Iterator[House]:
    bench = Bench(demo=demo)
    bench.lines(lines)
    greeting = {"table": {**bench.greeting["table"], "staff": True}}
    with ApiStub(socket_path, greeting, list(bench.records)) as api:
        server = Serving(socket_path)
        try:
            with events(server.url, "croupier") as stream:
                until_seq(stream, len(bench.records))
            yield House(url=server.url, api=api, people=server.people, bench=bench)
        finally:
            server.end()
            server.ended()


@contextmanager
def browser(url: str) -> Iterator[httpx2.Client]:
    """Nobody's, with a jar of cookies; follows where it is led."""
    with httpx2.Client(timeout=10, verify=False, base_url=url, headers={"Origin": url}, follow_redirects=True) as made:
        yield made


def sign_on(
    client: httpx2.Client, name: str, secret: str = PASSWORD, way: str = "password", **more: str
) -> httpx2.Response:
    return client.post("/sign-on", data={"name": name, "secret": secret, "way": way, **more})


def csrf_in(text: str) -> str:
    found = re.search(r'name="csrf" (?:content|value)="([0-9a-f]{64})"', text)
    assert found is not None
    return found.group(1)


def test_a_form_signs_on_and_leads_to_where_one_wanted_to_go(screens: Screens) -> None:
    with browser(screens.url) as client:
        asked = client.get("/pit?lang=en")
        assert asked.url.path == "/sign-on"
        after = re.search(r'name="next" value="([^"]*)"', asked.text)
        assert after is not None
        answer = sign_on(client, "pit-boss", next=after.group(1))
        assert (answer.status_code, str(answer.url)) == (200, f"{screens.url}/pit")
        assert '<html lang="en">' in answer.text
        cookie = next(
            text for text in answer.history[0].headers.get_list("set-cookie") if text.startswith(f"{COOKIE}=")
        )
        for word in ("HttpOnly", "SameSite=strict", "Path=/"):
            assert word in cookie
        assert "Secure" not in cookie, "this is no TLS"
        assert "Max-Age" not in cookie, "it goes when the browser does"


@pytest.mark.parametrize(("demo", "is_kept"), [(True, True), (True, False), (False, True)])
def test_the_pin_of_a_demonstration_and_where_one_deals_are_shown_and_none_of_a_real_table(
    socket_path: Path, *, demo: bool, is_kept: bool
) -> None:
    with house(socket_path, demo=demo) as at_house, browser(at_house.url) as client:
        if is_kept:
            demo_pin.keep(at_house.people.file.path, "490175")
            demo_pin.keep_dealing(at_house.people.file.path, "http://127.0.0.1:35787/training")
        page = client.get("/sign-on?lang=es").text
        assert re.findall(r'data-demo-pin="(\d+)"', page) == (["490175"] if demo and is_kept else [])
        dealing = re.findall(r'href="([^"]+)" data-demo-dealing', page)
        assert dealing == (["http://127.0.0.1:35787/training"] if demo and is_kept else [])


@pytest.mark.parametrize("address", ["http://evil.example/training", "javascript:alert(1)", "", "http://127.0.0.1:1/x"])
def test_a_demonstration_leads_to_no_other_place_than_its_training_page(tmp_path: Path, address: str) -> None:
    demo_pin.keep_dealing(tmp_path / "people.db", address)
    assert demo_pin.kept_dealing(tmp_path / "people.db") == ""


@pytest.mark.parametrize(
    "after",
    [
        "https://evil.example/",
        "//evil.example",
        "/\\evil.example",
        "javascript:alert(1)",
        "",
        "\t/x",
        "http:/x",
        "//[",
        "http://[",
    ],
)
def test_a_sign_on_leads_nowhere_else(screens: Screens, after: str) -> None:
    with browser(screens.url) as client:
        answer = sign_on(client, "pit-boss", next=after)
        assert str(answer.url) == f"{screens.url}/"


@pytest.mark.parametrize("after", ["//[", "http://[", "//[::1"])
def test_an_address_that_is_none_is_no_fault_of_ours(screens: Screens, after: str) -> None:
    with browser(screens.url) as client:
        answer = client.get("/sign-on", params={"next": after})
        assert answer.status_code == 200
        assert 'name="next" value="/"' in answer.text
        answer = client.post("/sign-on", data={"name": "x", "secret": "y"}, headers={"Origin": after})
        assert answer.status_code == 403
        assert {name: answer.headers.get(name) for name in HEADERS} == HEADERS | {
            "Content-Security-Policy": FORM_POLICY
        }


@pytest.mark.parametrize(("name", "secret"), [("pit-boss", "wrong"), ("nobody", PASSWORD), ("", "")])
def test_a_wrong_secret_and_an_unknown_name_are_told_alike(screens: Screens, name: str, secret: str) -> None:
    with browser(screens.url) as client:
        answer = sign_on(client, name, secret)
        assert answer.status_code == 403
        assert COOKIE not in client.cookies
        assert "Nombre, contraseña o PIN incorrectos." in answer.text
        assert "wrong" not in answer.text.lower().replace("wrong name or secret", "")


def test_a_locked_account_says_how_long(screens: Screens) -> None:
    with browser(screens.url) as client:
        for _ in range(5):
            sign_on(client, "auditor", "wrong")
        answer = sign_on(client, "auditor")
        assert answer.status_code == 429
        assert re.search(r"espere (29|30) s", answer.text)


def test_where_somebody_signed_on_before_nobody_elsewhere_keeps_him_out(screens: Screens) -> None:
    """The attack: five wrong passwords for a name, from another browser of the same network."""
    elsewhere = {"X-Forwarded-For": "10.0.0.9"}  # by a proxy: not at the table
    with browser(screens.url) as his:
        assert sign_on(his, "technician").status_code == 200
        kept = his.cookies[BROWSER_COOKIE]
        his.post("/sign-off")
        with browser(screens.url) as another:
            another.headers.update(elsewhere)
            for _ in range(5):
                sign_on(another, "technician", "wrong")
            assert sign_on(another, "technician").status_code == 429
        his.headers.update(elsewhere)
        answer = sign_on(his, "technician")
        assert answer.status_code == 200
        assert his.cookies[BROWSER_COOKIE] == kept


def test_a_new_persons_first_sign_on_is_to_choose_a_password(screens: Screens) -> None:
    with browser(screens.url) as client:
        sign_on(client, "manager")
        page = client.get("/people").text
        made = client.post(
            "/people", data={"csrf": csrf_in(page), "do": "add", "name": "eva", "display": "Eva", "roles": "pit-boss"}
        )
        given = re.search(r"<code>([a-z2-9-]{23})</code>", made.text)
        assert given is not None
        assert given.group(1) not in client.get("/people").text
    with browser(screens.url) as client:
        assert sign_on(client, "eva", given.group(1)).url.path == "/account", "also where nothing else was asked for"
        assert client.get("/").url.path == "/account"
    with browser(screens.url) as client:
        choice = sign_on(client, "eva", given.group(1), next="/pit")
        assert choice.url.path == "/account"
        assert "Elija ahora una contraseña propia" in choice.text
        assert client.get("/pit").url.path == "/account"
        weak = {"new": "eva eva eva eva", "again": "eva eva eva eva"}
        change = {"csrf": csrf_in(choice.text), "old": given.group(1), **weak}
        assert "poco más que su nombre" in client.post("/account", data=change).text
        done = client.post("/account", data={**change, "new": NEW, "again": NEW, "next": "/pit"})
        assert (done.status_code, done.url.path) == (200, "/pit")
    with browser(screens.url) as client:
        assert sign_on(client, "eva", given.group(1)).status_code == 403


def test_a_manager_cannot_be_made_to_change_anything_by_another_site(screens: Screens) -> None:
    with browser(screens.url) as client:
        sign_on(client, "manager")
        fields = {"csrf": csrf_in(client.get("/people").text), "do": "disable", "name": "auditor"}
        assert client.post("/people", data=fields, headers={"Origin": "http://evil.example"}).status_code == 403
        assert client.post("/people", data={**fields, "csrf": "0" * 64}).status_code == 403
        found = screens.people.accounts.find("auditor")
        assert found is not None
        assert not found.disabled


def test_an_open_stream_ends_when_its_account_is_shut(screens: Screens) -> None:
    """Nothing is sent any more but that it is over."""
    with events(screens.url, "croupier") as stream:
        until_seq(stream, len(screens.bench.records))
        Administration(screens.people).set_disabled("everybody", disabled=True, by=BY)
        screens.controller.line("press new-hand")
        assert [kind for kind, _ in stream if kind != "beat"] == ["over"]


def test_an_open_stream_ends_when_its_person_signs_off(screens: Screens) -> None:
    with events(screens.url, "croupier") as stream, plain_client() as client:
        until_seq(stream, len(screens.bench.records))
        headers = {**signed_on.headers(), "Origin": screens.url}
        assert client.post(f"{screens.url}/sign-off", headers=headers).status_code in (200, 303)
        assert [kind for kind, _ in stream if kind != "beat"] == ["over"]


@pytest.mark.parametrize("way", ["password", "pin"])
def test_whoever_signs_on_ends_the_session_that_the_browser_had_on_record(screens: Screens, way: str) -> None:
    with browser(screens.url) as client:
        sign_on(client, "manager")
        before = client.cookies[COOKIE]
        assert sign_on(client, "everybody", "wrong").status_code == 403
        assert client.get("/people", headers={"Cookie": f"{COOKIE}={before}"}).url.path == "/people"
        rows = len(screens.people.audits.rows())
        sign_on(client, "everybody", PASSWORD if way == "password" else PIN, way)
    with browser(screens.url) as client:
        assert client.get("/people", headers={"Cookie": f"{COOKIE}={before}"}).url.path == "/sign-on"
    found = [(row["what"], row["who"]) for row in screens.people.audits.rows(rows)]
    assert found[:2] == [("signed-off", "manager"), ("signed-on", "everybody")]


def test_a_desk_that_takes_over_the_tables_browser_leaves_the_table(socket_path: Path) -> None:
    with house(socket_path) as found, browser(found.url) as client:
        sign_on(client, "croupier", PIN, "pin")
        sign_on(client, "pit-boss")
        assert [entry["enter"] for entry in found.api.entered] == ["croupier croupier", "croupier-off croupier"]
        sign_on(client, "croupier", PIN, "pin")
        sign_on(client, "everybody", PIN, "pin")
        assert [entry["enter"] for entry in found.api.entered[2:]] == ["croupier croupier", "croupier everybody"]


# --- at the table -----------------------------------------------------------------------------------------------------


def test_a_pin_takes_the_table_and_signing_off_leaves_it(socket_path: Path) -> None:
    with house(socket_path) as found, browser(found.url) as client:
        tiles = client.get("/sign-on").text
        assert re.findall(r'type="radio" name="name" value="([a-z-]+)"', tiles) == ["croupier", "everybody"]
        answer = sign_on(client, "croupier", PIN, "pin")
        assert (answer.status_code, answer.url.path) == (200, "/croupier")
        assert found.api.entered == [{"enter": "croupier croupier", "by": "croupier"}]
        assert client.get("/pit").status_code == 403
        page = client.get("/sign-off").text
        assert client.post("/sign-off", data={"csrf": csrf_in(page)}).url.path == "/sign-on"
        assert found.api.entered[1:] == [{"enter": "croupier-off croupier", "by": "croupier"}]
        assert client.get("/croupier").url.path == "/sign-on"
        told = found.api.until_told("signed-off")
        assert (told["who"], told["role"], told["granted"]) == ("croupier", "croupier", True)
        assert [access["what"] for access in found.api.accesses] == ["signed-on", "page-refused", "signed-off"]


def test_a_controller_that_knows_no_croupiers_is_said_on_the_page(socket_path: Path) -> None:
    with house(socket_path) as found, browser(found.url) as client:
        found.api.answer = UNKNOWN
        answer = sign_on(client, "croupier", PIN, "pin")
        assert answer.status_code == 200
        assert "El controlador no conoce croupiers" in answer.text
        assert client.get("/croupier").url.path == "/croupier"


@pytest.mark.parametrize("host", ["mesa.example", "10.0.0.5:8420"])
def test_a_pin_is_asked_for_and_taken_on_the_tables_own_screen_alone(screens: Screens, host: str) -> None:
    """By another name than loopback nobody is answered at all; behind TLS see `test_tls.py`."""
    with browser(screens.url) as client:
        assert client.get("/sign-on", headers={"Host": host}).status_code == 421


def test_a_badge_signs_its_croupier_on_at_the_page_that_waits(socket_path: Path) -> None:
    with house(socket_path) as found, browser(found.url) as client:
        Administration(found.people).add_badge("croupier", BADGE, by=BY)
        found.note("badge-shown", badge=BADGE)
        reply = client.post("/sign-on/badge").json()
        assert (reply["badge"], reply["next"], reply["says"]) == (True, "/croupier", [])
        assert client.get("/croupier").url.path == "/croupier"
        assert found.api.entered == [{"enter": "croupier croupier", "by": "croupier"}]
        assert found.api.until_told("signed-on")["about"] == "badge"


def test_a_badge_of_nobody_opens_nothing_and_is_told(socket_path: Path) -> None:
    with house(socket_path) as found, browser(found.url) as client:
        found.note("badge-shown", badge="ff" * 16)
        answer = client.post("/sign-on/badge")
        assert (answer.status_code, answer.json()["error"]) == (403, "unknown-badge")
        assert COOKIE not in client.cookies
        assert found.api.until_told("refused")["who"] == "unknown"


def test_a_manager_gives_the_badge_that_was_just_shown(socket_path: Path) -> None:
    with house(socket_path) as found, browser(found.url) as client:
        sign_on(client, "manager")
        fields = {"csrf": csrf_in(client.get("/people").text), "do": "badge", "name": "croupier"}
        assert "No se ha leído ninguna tarjeta" in client.post("/people", data=fields).text
        found.note("badge-shown", badge=BADGE)
        with events(found.url, "croupier") as stream:
            until_seq(stream, len(found.bench.records))
        assert "Hecho: croupier" in client.post("/people", data=fields).text
        account = found.people.accounts.of_badge(BADGE)
        assert account is not None
        assert account.name == "croupier"


# --- who may not deal any more ----------------------------------------------------------------------------------------

OFF: Final = "croupier-off croupier"


@pytest.mark.parametrize("by_role", [False, True], ids=["disabled", "no croupier"])
def test_a_croupier_who_is_none_any_more_leaves_between_two_hands(socket_path: Path, *, by_role: bool) -> None:
    with house(socket_path) as found:
        found.decide("croupier-at-table", croupier="croupier")
        administration = Administration(found.people)
        if by_role:
            administration.set_roles("croupier", [Role.TECHNICIAN], by=BY)
        else:
            administration.set_disabled("croupier", disabled=True, by=BY)
        found.api.until_entered(OFF)
        assert found.api.entered == [{"enter": OFF, "by": "system"}]


def test_in_a_hand_he_leaves_after_its_end_and_who_waits_for_the_table_at_once() -> None:
    async def told(*pictures: Picture) -> list[str]:
        feed, told = Feed(), Told()
        table = TableOfFeed(feed)
        relieving = Relieving(table, told.ask, Presence(people))
        for picture in pictures:
            feed.publish(picture)
            await relieving.look(table.now())
        return told.lines

    with tempfile.TemporaryDirectory() as folder:
        people = signed_on.house(signed_on.staffed(Path(folder) / "people.db"))
        dealing = Picture(connected=True, view=PublicTable(hand=4, phase="dealing", croupier="croupier"))
        over = replace(dealing, view=replace(dealing.view, phase="closed"))
        waits = replace(dealing, view=replace(dealing.view, croupier="everybody", next_croupier="croupier"))
        assert asyncio.run(told(dealing, over, waits)) == []
        Administration(people).set_disabled("croupier", disabled=True, by=BY)
        assert asyncio.run(told(dealing)) == []
        assert asyncio.run(told(replace(over, connected=False))) == []
        assert asyncio.run(told(dealing, over, over)) == [OFF]
        assert asyncio.run(told(waits)) == [OFF]
        refused_then_over = (over, replace(over, view=replace(over.view, hand=5)))
        assert asyncio.run(told(*refused_then_over)) == [OFF, OFF]
        people.file.close()


def test_the_pit_boss_sees_that_whoever_deals_is_signed_on_nowhere(socket_path: Path) -> None:
    with house(socket_path) as found, plain_client() as client:
        found.decide("croupier-at-table", croupier="croupier")
        with events(found.url, "pit") as stream:
            until_seq(stream, len(found.bench.records))
        page = f"{found.url}/pit?lang=en"
        assert "not signed on" not in client.get(page, headers=signed_on.headers("pit-boss")).text
        found.people.sessions.end_all("croupier")
        text = client.get(page, headers=signed_on.headers("pit-boss")).text
        assert re.search(r'class="croupier-name gone">croupier <small title="not signed on">', text)
        found.people.sessions.open("croupier", Place.TABLE, now_us() - ABSOLUTE_US)
        assert "not signed on" in client.get(page, headers=signed_on.headers("pit-boss")).text
        found.people.sessions.open("croupier", Place.TABLE, now_us())
        assert "not signed on" not in client.get(page, headers=signed_on.headers("pit-boss")).text


# --- what is entered --------------------------------------------------------------------------------------------------


def entered(found: House, name: str, entry: dict[str, Any]) -> httpx2.Response:
    with plain_client() as client:
        headers = {**signed_on.headers(name), "Origin": found.url}
        return client.post(f"{found.url}/enter", json=entry, headers=headers)


def test_the_name_of_the_person_stands_in_the_entry(socket_path: Path) -> None:
    with house(socket_path) as found:
        entered(found, "pit-boss", {"page": "pit", "act": "call"})
        entered(found, "everybody", {"page": "pit", "act": "acknowledge", "incident": 1})
        assert [(entry["enter"], entry["by"]) for entry in found.api.entered] == [
            ("call by pit-boss", "pit-boss"),
            ("acknowledge 1 by everybody", "everybody"),
        ]


def test_who_does_not_deal_at_this_table_enters_nothing_for_whoever_does(socket_path: Path) -> None:
    with house(socket_path) as found:
        press = {"page": "croupier", "act": "press", "key": "new-hand", "prompt": AT_FIRST}
        answer = entered(found, "croupier", press)
        assert (answer.status_code, answer.json()["error"]) == (403, "not-at-table")
        assert answer.json()["says"][0].endswith("tome la mesa antes de anotar nada.")
        assert found.api.entered == []
        assert entered(found, "croupier", {"page": "croupier", "act": "take-table"}).status_code == 200
        assert found.api.entered == [{"enter": "croupier croupier", "by": "croupier"}]


def test_a_table_whose_house_does_not_know_its_people_takes_entries_of_any_croupier(screens: Screens) -> None:
    with plain_client() as client, events(screens.url, "croupier") as stream:
        until_seq(stream, len(screens.bench.records))
        headers = {**signed_on.headers("croupier"), "Origin": screens.url}
        press = {"page": "croupier", "act": "press", "key": "new-hand", "prompt": AT_FIRST}
        assert client.post(f"{screens.url}/enter", json=press, headers=headers).status_code == 200


@pytest.mark.parametrize(("page", "name"), [("croupier", "pit-boss"), ("pit", "croupier")])
def test_a_page_of_another_role_enters_nothing(screens: Screens, page: str, name: str) -> None:
    with plain_client() as client, events(screens.url, "croupier") as stream:
        until_seq(stream, len(screens.bench.records))
        headers = {**signed_on.headers(name), "Origin": screens.url}
        answer = client.post(f"{screens.url}/enter", json={"page": page, "act": "call"}, headers=headers)
        assert (answer.status_code, answer.json()["error"]) == (403, "not-yours")
        assert screens.controller.entered == []


RULING: Final = {"page": "pit", "act": "rule", "incident": 2, "remedy": "continue", "reason": "the antenna lied"}


def test_two_persons_sign_with_a_secret_each(socket_path: Path) -> None:
    with house(socket_path) as found:
        second = {"name": "manager", "secret": PASSWORD}
        assert entered(found, "pit-boss", {**RULING, "second": second}).json()["ok"]
        assert found.api.entered == [
            {"enter": "rule 2 continue by pit-boss+manager the antenna lied", "by": "pit-boss+manager"}
        ]
        told = found.api.until_told("co-signed")
        assert (told["who"], told["role"], told["about"], told["granted"]) == (
            "manager",
            "manager",
            "rule with pit-boss",
            True,
        )


@pytest.mark.parametrize(
    ("second", "why"),
    [
        ({"name": "manager", "secret": "wrong"}, "second-wrong"),
        ({"name": "nobody", "secret": PASSWORD}, "second-wrong"),
        ({"name": "croupier", "secret": PASSWORD}, "second-wrong"),
        ({"name": "auditor", "secret": PASSWORD}, "second-wrong"),
        ({"name": "everybody", "secret": PIN}, "second-wrong"),
        ({"name": "pit-boss", "secret": PASSWORD}, "second-same"),
        ({"name": "manager+eva", "secret": PASSWORD}, "second-wrong"),
        ({"name": "manager"}, "bad-entry"),
        ("manager", "bad-entry"),
        ([], "bad-entry"),
    ],
)
def test_a_second_signature_that_is_not_good_enters_nothing(socket_path: Path, second: object, why: str) -> None:
    with house(socket_path) as found:
        answer = entered(found, "pit-boss", {**RULING, "second": second})
        assert answer.json()["error"] == why
        assert len(answer.json()["says"]) == 1
        assert found.api.entered == []


def test_guessing_a_second_signature_is_as_slow_as_signing_on(socket_path: Path) -> None:
    with house(socket_path) as found:
        for _ in range(5):
            entered(found, "pit-boss", {**RULING, "second": {"name": "manager", "secret": "wrong"}})
        answer = entered(found, "pit-boss", {**RULING, "second": {"name": "manager", "secret": PASSWORD}})
        assert answer.json()["error"] == "second-locked"
        assert found.api.entered == []


def test_nothing_but_a_ruling_or_limits_takes_a_second_signature(socket_path: Path) -> None:
    with house(socket_path, hands.BETS) as found:
        second = {"name": "manager", "secret": PASSWORD}
        answer = entered(found, "pit-boss", {"page": "pit", "act": "acknowledge", "incident": 1, "second": second})
        assert (answer.status_code, answer.json()["error"]) == (400, "bad-entry")

"""Who may open what: every route and method, for everybody; generated from the routes, so that none is missing."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import httpx2
import pytest
from starlette.applications import Starlette
from starlette.routing import Mount, Route
from starlette.testclient import TestClient

from tablectl.core.roles import Person, Role
from tablectl.journal.clock import now_us
from tablectl.people.people import COOKIE, People
from tablectl.people.sessions import Place, csrf_of
from tablectl.web.screens.app import all_guarded_routes, make_app, make_shared
from tablectl.web.screens.guard import HEADERS
from tablectl.web.screens.web import shared
from tablectl.web.screens.web.guarded_routes import GuardedRoute
from tablectl.web.screens.web.watching import CHOICES
from tests.screens.signed_on import CHEAP, ROLES, headers, house, signed_on, staffed, token_of

HERE: Final = "http://127.0.0.1:8420"
NOBODY: Final = "nobody"
#: Signed on with the password that the manager gave her.
NEWCOMER: Final = "newcomer"
#: Has every role, and is signed on with a PIN.
AT_TABLE: Final = "at-table"
#: What nobody has to sign on for, and what anybody may who did.
PUBLIC: Final = {
    ("GET", "/manifest.webmanifest"),
    ("GET", "/"),
    ("GET", "/metrics"),
    ("GET", "/sign-on"),
    ("POST", "/sign-on"),
    ("POST", "/sign-on/badge"),
}
SIGNED_ON: Final = {("GET", "/account"), ("POST", "/account"), ("GET", "/sign-off"), ("POST", "/sign-off")}
WHO: Final = (NOBODY, *ROLES, NEWCOMER, AT_TABLE)
#: What the gate says to whoever may not.
REFUSALS: Final = {"sign-on", "not-yours", "not-own-page", "must-change"}


@dataclass(frozen=True, kw_only=True)
class Case:
    """One route, asked in one way."""

    route: GuardedRoute
    method: str

    def __str__(self) -> str:
        return f"{self.method} {self.route.path}"

    @property
    def url(self) -> str:
        return HERE + re.sub(r"\{\w+(:\w+)?\}", "1", self.route.path)


def guarded_routes_of(folder: Path) -> tuple[GuardedRoute, ...]:
    people = People(folder / "people.db", parameters=CHEAP)
    try:
        return all_guarded_routes(make_shared(folder / "socket", people, None))
    finally:
        people.file.close()


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("house")


@pytest.fixture(scope="module")
def people(folder: Path) -> Iterator[People]:
    found = house(staffed(folder / "people.db"))
    kept = found.hashing.made("one-time password")
    found.accounts.make(NEWCOMER, display="Newcomer", roles=Role, password=kept)
    signed_on(found, NEWCOMER)
    found.accounts.make(AT_TABLE, display="At table", roles=Role, password=kept)
    found.accounts.set_password(AT_TABLE, kept, must_change=False)
    signed_on(found, AT_TABLE, Place.TABLE)
    yield found
    found.file.close()


@pytest.fixture(scope="module")
def app(folder: Path, people: People) -> Starlette:
    """Screens that are just stopping, so that no stream of events goes on."""
    return make_app(folder / "socket", people, stopping=lambda: True)


@pytest.fixture(scope="module", name="one_loop")
def _one_loop(app: Starlette) -> Iterator[TestClient]:
    """All requests in one event loop, as a server has them: pages wait for the same picture, and for no table, since
    there is none."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(shared, "TABLE_WITHIN_S", 0.05)
        patch.setattr(shared, "RECORD_WITHIN_S", 0.05)
        with TestClient(app, base_url=HERE, client=("127.0.0.1", 50_000), follow_redirects=False) as opened:
            yield opened


@pytest.fixture
def client(one_loop: TestClient, people: People) -> TestClient:
    one_loop.cookies.clear()
    for name in (*ROLES, NEWCOMER):  # whoever signed off in the test before
        people.sessions.end(token_of(name))
        signed_on(people, name)
    people.sessions.end(token_of(AT_TABLE))
    signed_on(people, AT_TABLE, Place.TABLE)
    return one_loop


@pytest.fixture(scope="module")
def cases(folder: Path) -> list[Case]:
    return [Case(route=route, method=method) for route in guarded_routes_of(folder) for method in route.methods]


def refusal(answer: httpx2.Response) -> str | None:
    """How the gate said no; None where it let somebody in, whatever was answered then."""
    if answer.status_code == 303 and answer.headers["location"].startswith(("/sign-on?next=", "/account?next=")):
        return "sign-on" if answer.headers["location"].startswith("/sign-on") else "must-change"
    if answer.status_code not in (401, 403):
        return None
    if answer.headers["content-type"] == "application/json":
        error = str(answer.json()["error"])
        return error if error in REFUSALS else None
    return "not-yours" if "Esta pantalla no es para usted" in answer.text else None


def person_of(name: str) -> Person | None:
    if name == NOBODY:
        return None
    roles = {NEWCOMER: frozenset[Role](), AT_TABLE: frozenset({Role.CROUPIER})}.get(name, ROLES.get(name))
    assert roles is not None
    return Person(name=name, roles=roles)


def expected(route: GuardedRoute, name: str) -> str | None:
    """From the roles of the route alone."""
    person = person_of(name)
    key = {(method, route.path) for method in route.methods}
    if key <= PUBLIC or (person is not None and key <= SIGNED_ON):
        return None
    if person is None:
        return "sign-on"
    if name == NEWCOMER:
        return "must-change"
    return None if person.roles & route.roles else "not-yours"


def ask(client: TestClient, case: Case, sent: dict[str, str]) -> httpx2.Response:
    origin = {"Origin": HERE} if case.method not in ("GET", "HEAD") else {}
    return client.request(case.method, case.url, headers={**origin, **sent})


@pytest.mark.parametrize("name", WHO)
def test_every_door_opens_to_its_roles_and_to_nobody_else(client: TestClient, cases: list[Case], name: str) -> None:
    sent = {} if name == NOBODY else headers(name)
    wrong = {}
    for case in sorted(cases, key=lambda asked: asked.route.path == "/sign-off"):
        found = refusal(ask(client, case, sent))
        if found != expected(case.route, name):
            wrong[str(case)] = (found, expected(case.route, name))
    assert wrong == {}


def test_what_asks_for_nobody_or_for_anybody_is_named_here(cases: list[Case]) -> None:
    assert {(case.method, case.route.path) for case in cases if case.route.is_public} == PUBLIC
    assert {(case.method, case.route.path) for case in cases if case.route.signed_on} == SIGNED_ON


def test_there_is_no_address_but_the_guarded_routes_and_what_is_static(app: Starlette, cases: list[Case]) -> None:
    found = {
        (method, route.path)
        for route in app.routes
        if isinstance(route, Route)
        for method in (route.methods or set()) - {"HEAD"}
    }
    assert found == {(case.method, case.route.path) for case in cases}
    assert [route.path for route in app.routes if isinstance(route, Mount)] == ["/static"]
    assert all(isinstance(route, Route | Mount) for route in app.routes)


@pytest.mark.parametrize("token", ["", "0" * 64, csrf_of(token_of("auditor"))], ids=["none", "wrong", "another's"])
def test_a_change_needs_the_token_of_its_own_session(client: TestClient, cases: list[Case], token: str) -> None:
    for case in cases:
        if case.method in ("GET", "HEAD") or case.route.is_public:
            continue
        for name in set(ROLES) - {"auditor"}:
            sent = {**headers(name), "X-Tablectl": token}
            assert refusal(ask(client, case, sent)) == "not-own-page", f"{case} by {name}"
            cookie = {"Origin": HERE, "Cookie": headers(name)["Cookie"]}
            form = client.post(case.url, data={"csrf": token}, headers=cookie)
            assert refusal(form) == "not-own-page", f"form {case} by {name}"


@pytest.mark.parametrize(
    "said",
    [
        {"Origin": "http://evil.example"},
        {"Origin": "https://127.0.0.1:9999"},
        {"Origin": "null"},
        {"Sec-Fetch-Site": "cross-site"},
        {"Sec-Fetch-Site": "same-site", "Origin": HERE},
        {},
    ],
    ids=str,
)
def test_no_other_site_changes_anything(client: TestClient, cases: list[Case], said: dict[str, str]) -> None:
    for case in cases:
        if case.method in ("GET", "HEAD"):
            continue
        for name in ROLES:
            answer = client.request(case.method, case.url, headers={**headers(name), **said})
            assert refusal(answer) == "not-own-page", f"{case} by {name}"


@pytest.mark.parametrize("name", WHO)
def test_the_choice_of_screens_offers_what_opens_and_nothing_else(
    client: TestClient, cases: list[Case], name: str
) -> None:
    sent = {} if name == NOBODY else headers(name)
    offered = set(re.findall(r'class="screen-link" href="/([a-z-]+)"', client.get(f"{HERE}/", headers=sent).text))
    person = person_of(name)
    routes = {case.route.path.lstrip("/"): case.route for case in cases if case.method == "GET"}
    opens = {choice for choice in CHOICES if person is not None and routes[choice].opens_to(person)}
    own = {NOBODY: {"sign-on"}, NEWCOMER: set[str]()}.get(name, {"account"})
    assert offered == opens | own
    assert all(routes[text].roles == roles for text, roles in CHOICES.items())


@pytest.mark.parametrize("asked", ["croupier", "pit", "technician"])
@pytest.mark.parametrize("name", ROLES)
def test_the_events_of_a_page_are_for_those_who_may_look_at_it(client: TestClient, asked: str, name: str) -> None:
    answer = client.get(f"{HERE}/events", params={"page": asked}, headers=headers(name))
    assert (answer.status_code == 200) == bool(ROLES[name] & CHOICES[asked])


def test_without_a_session_events_and_entries_are_answered_in_json(client: TestClient) -> None:
    for answer in (
        client.get(f"{HERE}/events?page=pit"),
        client.post(f"{HERE}/enter", json={}, headers={"Origin": HERE}),
        client.get(f"{HERE}/events?page=pit", headers={"Cookie": f"{COOKIE}=nobody-s"}),
    ):
        assert (answer.status_code, answer.json()["error"]) == (401, "sign-on")
        assert [say[:5] for say in answer.json()["says"]] == ["Nadie"]


def test_a_page_leads_to_the_sign_on_and_back(client: TestClient) -> None:
    answer = client.get(f"{HERE}/pit/hands/3?step=2&lang=en")
    assert (answer.status_code, answer.headers["location"]) == (
        303,
        "/sign-on?next=%2Fpit%2Fhands%2F3%3Fstep%3D2%26lang%3Den&lang=en",
    )


def test_whoever_has_another_role_is_told_so(client: TestClient) -> None:
    answer = client.get(f"{HERE}/pit", headers=headers("croupier"))
    assert answer.status_code == 403
    for sentence in ("Esta pantalla no es para usted", "croupier"):
        assert sentence in answer.text


def test_the_manager_is_not_sent_to_the_manager(client: TestClient) -> None:
    told = client.get(f"{HERE}/auditor?lang=en", headers=headers("manager")).text
    assert "It is for: auditor." in told
    assert "ask the manager" not in told
    assert '<a class="plain" href="/people">' in told
    assert "ask the manager" in client.get(f"{HERE}/auditor?lang=en", headers=headers("croupier")).text


def test_a_page_that_is_for_others_is_on_record_as_refused(client: TestClient, people: People) -> None:
    before, token = len(people.audits.rows()), people.sessions.open("technician", Place.DESK, now_us())
    for _ in range(2):
        client.get(f"{HERE}/auditor/find?text=x", headers={"Cookie": f"{COOKIE}={token}"})
    client.get(f"{HERE}/auditor/find", headers={})
    rows = [(row["what"], row["who"], row["about"], row["granted"]) for row in people.audits.rows(before)]
    assert rows == [("page-refused", "technician", "/auditor/find", False)]


@pytest.mark.parametrize("scheme", ["http", "https"])
def test_a_fault_of_ours_is_answered_with_the_same_headers(
    folder: Path, people: People, monkeypatch: pytest.MonkeyPatch, scheme: str
) -> None:
    def broken(*_: object, **__: object) -> None:
        raise RuntimeError("a fault of ours")

    monkeypatch.setattr(people, "signed_on", broken)
    app = make_app(folder / "socket", people)
    client = TestClient(app, base_url=HERE.replace("http", scheme), raise_server_exceptions=False)
    answer = client.get("/")
    assert answer.status_code == 500
    assert {name: answer.headers.get(name) for name in HEADERS} == HEADERS
    assert ("strict-transport-security" in answer.headers) == (scheme == "https")
    assert "a fault of ours" not in answer.text

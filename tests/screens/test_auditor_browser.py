"""The auditor in a real browser: a real journal, the real controller, and a private key that stays in the page."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import pytest
from playwright.sync_api import Page, Route, expect

from tablectl.core.access import AccessKind
from tests.journal.journals import NEVER_SHOWN
from tests.screens.audited_table import OTHER_KEY, PRIVATE, AuditedTable, audited_table, encrypted_pem, pem
from tests.screens.browsing import Tabs
from tests.waiting import until

pytestmark = [pytest.mark.wide, pytest.mark.browser, pytest.mark.system]

#: The base64 of the auditor's key, without its frame.
SECRET: Final = pem(PRIVATE).splitlines()[1]
HIDDEN_CARD: Final = "nueve de tréboles"


@pytest.fixture(scope="module")
def table() -> Iterator[AuditedTable]:
    """Two hands are over, the third has begun."""
    with audited_table(hands=2) as made:
        yield made


@pytest.fixture
def page(tabs: Tabs) -> Iterator[Page]:
    made = tabs.take(1280, 800)
    yield made
    made.unroute_all()
    tabs.give_back(made)


class Traffic:
    """Everything that a page sends, and the bodies of all that it gets, in order."""

    def __init__(self, page: Page) -> None:
        self.sent: list[str] = []
        self.got: list[str] = []
        page.route("**/*", self._pass)

    def _pass(self, route: Route) -> None:
        request = route.request
        self.sent.append(f"{request.url} {request.headers} {request.post_data or ''}")
        response = route.fetch()
        self.got.append(response.text())
        route.fulfill(response=response)


def prepare(page: Page, table: AuditedTable, hand: int, reason: str = "Reclamación «2026/17»") -> None:
    page.goto(f"{table.url}/auditor/open/{hand}?lang=es")
    page.get_by_label("Por qué hay que ver").fill(reason)
    page.keyboard.press("Enter")
    expect(page.locator("#to-sign")).to_contain_text(f'"hand":{hand}')


def sign(page: Page, text: str) -> None:
    page.locator("#key-text").fill(text)
    page.get_by_role("button", name="Firmar y abrir").click()


def refused(page: Page) -> str:
    expect(page.locator(".answer-box")).to_be_visible()
    assert page.locator("#cards").inner_html() == ""
    return page.locator(".answer-box").inner_text()


def test_sealed_cards_are_opened_with_a_key_that_never_leaves_the_page(
    page: Page, table: AuditedTable, tmp_path: Path
) -> None:
    key = tmp_path / "auditor.pem"
    key.write_text(pem(PRIVATE), encoding="utf-8")
    traffic = Traffic(page)
    for path in ("", "/verify", "/find", "/open", "/export", "/access"):
        page.goto(f"{table.url}/auditor{path}?lang=es")
    prepare(page, table, 2)
    before = list(traffic.got)
    assert len(before) > 6
    page.locator("#key-file").set_input_files(str(key))
    page.get_by_role("button", name="Firmar y abrir").click()
    cards = page.locator("#cards")
    expect(cards).to_contain_text(HIDDEN_CARD)
    expect(cards.locator("tbody tr")).to_have_count(14)
    expect(cards.locator("[data-yes]:visible")).to_have_count(14)
    expect(cards.locator("[data-no]:visible")).to_have_count(0)
    assert table.kept.said(AccessKind.OPENED_SEALED)[-1] == "hand 2: Reclamación «2026/17»"
    sealed = cards.locator("tbody tr").filter(has_text="sellada")
    salts = {locator.get_attribute("data-code"): locator.get_attribute("data-salt") for locator in sealed.all()}
    assert set(salts) == set(NEVER_SHOWN)
    assert not any(salt in body for salt in salts.values() if salt for body in before)
    assert not any(HIDDEN_CARD in body for body in before)
    assert any("2026/17" in text for text in traffic.sent)
    assert not any(SECRET in text for text in traffic.sent)
    kept = page.evaluate("[JSON.stringify(localStorage), JSON.stringify(sessionStorage), document.cookie]")
    assert kept == ["{}", "{}", ""]
    assert (page.locator("#key-file").input_value(), page.locator("#key-text").input_value()) == ("", "")


def test_cards_are_gone_when_they_are_taken_away_and_when_the_page_is_left(page: Page, table: AuditedTable) -> None:
    prepare(page, table, 1)
    sign(page, pem(PRIVATE))
    expect(page.locator("#cards")).to_contain_text(HIDDEN_CARD)
    expect(page.get_by_role("button", name="Quitar de la vista")).to_be_focused()
    page.keyboard.press("Enter")
    assert page.locator("#cards").inner_html() == ""
    prepare(page, table, 1)
    sign(page, pem(PRIVATE))
    expect(page.locator("#cards")).to_contain_text(HIDDEN_CARD)
    page.goto(f"{table.url}/auditor/find?lang=es")
    page.go_back()
    expect(page.get_by_role("heading", name="Abrir cartas selladas")).to_be_visible()
    assert HIDDEN_CARD not in page.content()


def test_with_another_key_nothing_opens_and_the_page_says_what_to_do(page: Page, table: AuditedTable) -> None:
    prepare(page, table, 2)
    sign(page, pem(OTHER_KEY))
    said = refused(page)
    assert "No está firmada con la clave del auditor." in said
    assert "elija la clave que le corresponde" in said


def test_a_hand_that_is_not_over_is_opened_for_nobody(page: Page, table: AuditedTable) -> None:
    prepare(page, table, 3)
    sign(page, pem(PRIVATE))
    assert "Esa mano no ha terminado: nadie ve sus cartas." in refused(page)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (encrypted_pem(), "La clave está cifrada"),
        ("", "Elija el archivo de su clave, o péguela."),
        ("-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----", "no es una clave privada Ed25519"),
        ("my key", "no es una clave privada Ed25519"),
    ],
    ids=["encrypted", "none", "no key", "no PEM"],
)
def test_what_is_no_key_is_not_sent(page: Page, table: AuditedTable, text: str, said: str) -> None:
    prepare(page, table, 2)
    traffic = Traffic(page)
    sign(page, text)
    assert said in refused(page)
    assert traffic.sent == []
    expect(page.locator(".command")).to_contain_text("tablectl journal open")


def test_nothing_is_signed_that_the_auditor_did_not_ask_for(page: Page, table: AuditedTable) -> None:
    """A server that was broken into asks for a signature on another hand."""
    page.route(
        "**/auditor/open/2/request*",
        lambda route: route.fulfill(
            json={"ok": True, "text": '{"at":"2026","by":"everybody","hand":1,"reason":"x","table":"Mesa 1"}'}
        ),
    )
    page.goto(f"{table.url}/auditor/open/2?lang=es")
    page.get_by_label("Por qué hay que ver").fill("x")
    page.keyboard.press("Enter")
    assert "El servidor pide firmar otra cosa" in refused(page)
    expect(page.locator("#signing")).to_be_hidden()


def test_a_verification_is_shown_while_it_goes_on_and_whole(page: Page, table: AuditedTable) -> None:
    page.goto(f"{table.url}/auditor/verify?lang=es")
    page.get_by_role("button", name="Verificar ahora").click()
    expect(page.locator(".verdict.intact")).to_be_visible(timeout=60_000)
    expect(page.locator(".said-whole")).to_contain_text(f"{table.files.journal}: intact:")
    expect(page.locator(".said-whole")).to_contain_text(f"{table.files.copy}: the same up to record")


def test_a_search_is_made_with_the_keyboard_alone(page: Page, table: AuditedTable) -> None:
    page.goto(f"{table.url}/auditor/find?lang=en")
    page.get_by_label("Kind of fact or conclusion").focus()
    page.keyboard.type("End of a hand")
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    expect(page.locator(".hit")).to_have_count(2)
    assert "kind=hand-closed" in page.url
    assert page.locator(".hit").first.inner_text().count("Hand 2 is over") == 1
    page.locator(".hit summary").first.focus()
    page.keyboard.press("Enter")
    expect(page.locator(".hit pre").first).to_contain_text('"kind":"hand-closed"')


def test_an_archive_is_made_and_downloaded(page: Page, table: AuditedTable, tmp_path: Path) -> None:
    page.goto(f"{table.url}/auditor/export?lang=en&hand=2")
    page.get_by_role("button", name="Make the archive").click()
    link = page.get_by_role("link", name="Download hand-2.zip")
    expect(link).to_be_visible(timeout=60_000)
    with page.expect_download() as download:
        link.click()
    download.value.save_as(tmp_path / "hand-2.zip")
    assert (tmp_path / "hand-2.zip").read_bytes().startswith(b"PK")


@pytest.mark.parametrize("path", ["", "/verify", "/find", "/open/2", "/export", "/access"])
@pytest.mark.parametrize("width", [pytest.param(1280, marks=pytest.mark.slow), 390])
def test_nothing_sticks_out_at_the_side_and_every_field_has_a_name(
    tabs: Tabs, table: AuditedTable, path: str, width: int
) -> None:
    table.people.audit(AccessKind.DOWNLOADED, "auditor", "auditor", f"hands.zip sha256={64 * 'e'}", granted=True)
    until(lambda: not table.people.audits.untold())
    page = tabs.take(width, 800)
    page.goto(f"{table.url}/auditor{path}?lang=es")
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    for field in page.locator("main input, main textarea").all():
        name = field.get_attribute("id")
        assert re.search(r"\w", page.locator(f'label[for="{name}"]').inner_text() if field.is_visible() else "hidden")
    tabs.give_back(page)

"""One evening at a whole table: the shoe and the panel are simulated, everything else is what a house runs.

The croupier touches a screen, and nothing else; the pit boss has a page of his own. Between them: the controller, its
journal and the screens, a process each.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from functools import partial
from pathlib import Path
from typing import Any, Final

import pytest
from playwright.sync_api import Browser, Page, expect, sync_playwright

from simulators.devices.world import SHOE
from simulators.stage.stage import Scene, Stage, temporary_folder
from tablectl.cli.main import main
from tablectl.core.engine.vocabulary import Key
from tablectl.core.roles import Role
from tablectl.people.people import People
from tests.desk import LONG_S
from tests.screens.browsing import ARGUMENTS, CHROMIUM, PATIENCE_MS
from tests.screens.process import ScreensProcess

pytestmark = [
    pytest.mark.wide,
    pytest.mark.system,
    pytest.mark.browser,
    pytest.mark.skipif(not Path(CHROMIUM).exists(), reason=f"no Chromium at {CHROMIUM}"),
]

PASSWORD: Final = "correct horse battery"
PIN: Final = "271828"
#: Ana and Eva deal; Luis and Marta rule.
WHO: Final = {"ana": Role.CROUPIER, "eva": Role.CROUPIER, "luis": Role.PIT_BOSS, "marta": Role.MANAGER}
#: Tells how a page was touched, before any of its own scripts hears of it.
HOW: Final = """
addEventListener("pointerdown", (event) => touched(event.pointerType), true);
addEventListener("keydown", () => touched("key"), true);
"""


def make_accounts(path: Path) -> None:
    """With secrets as a house has them; those who deal have a PIN."""
    people = People(path)
    password, pin = people.hashing.made(PASSWORD), people.hashing.made(PIN)
    with people.file.transaction():
        for name, role in WHO.items():
            people.accounts.make(name, display=name.title(), roles=[role], password=password)
            people.accounts.set_password(name, password, must_change=False)
            if role is Role.CROUPIER:
                people.accounts.set_pin(name, pin)
    people.file.close()


class Evening:
    """The table, its screens, and two people's pages."""

    def __init__(self, stage: Stage, screens: ScreensProcess, browser: Browser) -> None:
        self.stage, self.screens = stage, screens
        #: whatever was done to the croupier's page
        self.touches: set[str] = set()
        at_table = browser.new_context(has_touch=True, viewport={"width": 1280, "height": 800})
        at_table.expose_binding("touched", lambda _source, how: self.touches.add(how))
        at_table.add_init_script(HOW)
        self.croupier, self.pit = at_table.new_page(), browser.new_page(viewport={"width": 1600, "height": 1000})
        for page in (self.croupier, self.pit):
            page.set_default_timeout(PATIENCE_MS)
            page.on("pageerror", lambda error: pytest.fail(f"script error: {error}"))

    # -- the croupier ------------------------------------------------------------------------------------------------

    def sign_on_at_table(self, display: str) -> None:
        """With a name and a PIN, by touch."""
        self.croupier.locator(".tile", has_text=display).tap()
        for digit in PIN:
            self.croupier.locator(f'[data-digit="{digit}"]').tap()
        self.croupier.locator(".digits .go").tap()
        expect(self.croupier.locator("body.croupier.followed")).to_have_count(1)

    def sign_off(self) -> None:
        self.croupier.locator(".who").tap()
        self.croupier.locator("main button.main").tap()
        expect(self.croupier.locator(".tile").first).to_be_visible()

    def tap(self, selector: str) -> None:
        """Something that enters, which the controller takes; again where the page did not show yet what it had led
        to before."""
        reply = {"error": "prompt-changed"}
        while reply.get("error") == "prompt-changed":
            with self.croupier.expect_response("**/enter*") as answer:
                self.croupier.locator(selector).tap()
            reply = answer.value.json()
        assert reply["ok"], reply
        assert not reply["refused"], reply

    def keys(self, *keys: Key) -> None:
        for key in keys:
            self.tap(f'[data-key="{key}"].live')

    def bets(self) -> None:
        """Two seats, with the least ante; the form goes on to the next seat by itself."""
        self.told("Hagan juego: apuestas ante")
        for seat in (1, 2):
            self.croupier.locator('[data-fill="amount-ante"]').first.tap()
            self.tap('form[data-form="bet"] button[type=submit]')
            expect(self.croupier.locator(f'.strip [data-seat="{seat}"] .chips')).to_contain_text("A ")

    def told(self, text: str) -> None:
        expect(self.croupier.locator(".instruction h1")).to_have_text(text)

    # -- the table ---------------------------------------------------------------------------------------------------

    def deal(self, *faces: str) -> None:
        """Cards out of the shoe, each on record before the next one."""
        self.stage.world.stack(faces)
        for _ in faces:
            self.happens(self.stage.shoe.draw, "drawn")

    def panel(self, *keys: Key) -> None:
        for key in keys:
            self.happens(partial(self.stage.press, key), "pressed")

    def happens(self, what: Callable[[], object], kind: str) -> dict[str, Any]:
        """Do it; the record that follows from it."""
        after = self.stage.newest
        what()
        return self.record(kind, after)

    def record(self, kind: str, after: int = 0, **fields: object) -> dict[str, Any]:
        """The first record of this kind after `after`, with these fields in its fact."""
        with self.stage.reader(after=after) as reader:
            while (record := reader.next(LONG_S)) is not None:
                fact = record["fact"]
                if fact["kind"] == kind and fields.items() <= fact.items():
                    return record
        raise AssertionError(f"no {kind} {fields}")

    # -- the pit boss ------------------------------------------------------------------------------------------------

    def sign_on_at_desk(self) -> None:
        """With a password; leaves a mark in the page that goes with any reload."""
        self.pit.goto(f"{self.screens.url}/pit?lang=es")
        self.pit.fill("#name", "luis")
        self.pit.fill("#password", PASSWORD)
        self.pit.locator(".desk-side button").click()
        expect(self.pit.locator("body.pit.followed")).to_have_count(1)
        self.pit.evaluate("document.body.dataset.loaded = 'once'")

    @property
    def is_as_loaded(self) -> bool:
        """Whether it is the page that was opened first."""
        found: bool = self.pit.evaluate("document.body.dataset.loaded === 'once'")
        return found

    def rules(self, incident: int, remedy: str) -> None:
        with self.pit.expect_response("**/enter*") as answer:
            self.pit.locator(f'#incident-{incident} [data-remedy="{remedy}"]').click()
        assert answer.value.json()["ok"]

    def signs(self, name: str, secret: str) -> dict[str, Any]:
        """The second person in the dialog; the answer."""
        dialog = self.pit.locator("#second-person")
        expect(dialog).to_be_visible()
        dialog.locator("#second-name").fill(name)
        dialog.locator("#second-secret").fill(secret)
        with self.pit.expect_response("**/enter*") as answer:
            dialog.locator("button[type=submit]").click()
        found: dict[str, Any] = answer.value.json()
        return found


@contextmanager
def evening() -> Iterator[Evening]:
    with ExitStack() as house, temporary_folder() as name:
        folder = Path(name)
        make_accounts(folder / "people.db")
        stage = house.enter_context(Stage(Scene(seats=2), folder))
        screens = house.enter_context(ScreensProcess(stage.config, folder / "screens.log"))
        playwright = house.enter_context(sync_playwright())
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=list(ARGUMENTS))
        house.callback(browser.close)
        yield Evening(stage, screens, browser)


def a_hand_by_touch(table: Evening) -> None:
    table.keys(Key.NEW_HAND)
    table.bets()
    table.keys(Key.NO_MORE_BETS)
    table.deal("As", "9c", "Qh", "Ah", "9d", "Qs")
    table.told("Puesto 1: ¿apuesta flop (2 × ante) o se retira?")
    table.keys(Key.BET)
    table.told("Puesto 2: ¿apuesta flop (2 × ante) o se retira?")
    table.keys(Key.FOLD)
    table.deal("4d", "Kd", "Ts", "6h")
    table.keys(Key.BET)
    table.deal("2c", "2d")
    table.keys(Key.CHECK)
    table.deal("8c", "8h")
    table.told("Descubra la banca y pulse Banca")
    table.keys(Key.BANK)
    for page in (table.croupier, table.pit):
        expect(page.locator(".settlement tbody tr")).to_have_count(2)
    table.keys(Key.CONFIRM)
    table.told("Baraje y pulse Nueva mano")


def a_card_too_soon(table: Evening) -> None:
    """Shown to the pit boss by itself, and ruled on by one person: what the shoe told is believed."""
    table.stage.world.shuffle(1)
    table.keys(Key.NEW_HAND)
    table.bets()
    table.keys(Key.NO_MORE_BETS)
    table.deal("5s", "7d", "Jc", "5h", "7s", "Jd")
    table.deal("3c")
    expect(table.pit.locator("#incident-1")).to_contain_text("Carta antes de tiempo")
    expect(table.pit.locator(".held-banner")).to_contain_text("MESA DETENIDA")
    table.told("¿Se ha visto la carta 7?")
    table.keys(Key.SEEN)
    table.told("Espere al jefe de mesa")
    table.rules(1, "next-card")
    expect(table.pit.locator(".held-banner")).to_have_count(0)


def what_happens_while_the_screens_are_away(table: Evening) -> None:
    """The page says so at once, and shows what came meanwhile when it is back: decisions at the panel, the flop, and a
    card that comes twice."""
    pages: tuple[Page, ...] = (table.croupier, table.pit)
    table.screens.kill()
    for page in pages:
        expect(page.locator("#lost-page")).to_be_visible()
        expect(page.locator("#lost-page")).to_contain_text("SIN CONEXIÓN")
        expect(page.locator("body.stale")).to_have_count(1)
    table.panel(Key.BET, Key.BET)
    table.deal("4c", "Kc", "Tc")
    table.panel(Key.ALL_CHECK)
    table.stage.world.bring("7d", SHOE)
    table.deal("7d")
    table.screens.start()
    for page in pages:
        expect(page.locator("#lost-page")).to_be_hidden()
        expect(page.locator("body.stale")).to_have_count(0)
    expect(table.croupier.locator("#drawn")).to_have_text("11")
    table.told("Espere al jefe de mesa")
    expect(table.pit.locator("#incident-2.ruling")).to_contain_text("THB-CRD-1")
    assert table.is_as_loaded


def two_persons_rule(table: Evening) -> None:
    table.pit.locator("#reason-2").fill("Es la de otra baraja")
    table.pit.locator('#incident-2 [data-remedy="next-card"]').click()
    refused = table.signs("marta", "wrong horse")
    assert refused["error"] == "second-wrong"
    says = table.pit.locator("#second-says")
    expect(says).to_contain_text("La segunda firma no vale")
    expect(table.pit.locator("#incident-2.ruling")).to_have_count(1)
    assert table.signs("marta", PASSWORD)["ok"]
    expect(table.pit.locator("#second-person")).to_be_hidden()
    ruled = table.record("ruled", incident=2)["fact"]
    assert (ruled["by"], ruled["second"], ruled["remedy"]) == ("luis", "marta", "next-card")


def the_hand_goes_on(table: Evening) -> None:
    """After it the deck is another one: in this one a card was twice."""
    table.deal("2s")
    table.told("Puesto 1: ¿apuesta river (1 × ante) o pasa?")
    table.keys(Key.ALL_CHECK)
    table.deal("8d", "8s")
    table.keys(Key.BANK)
    expect(table.croupier.locator(".settlement tbody tr")).to_have_count(2)
    table.keys(Key.CONFIRM)
    expect(table.croupier.locator(".instruction h1")).to_contain_text("baraja")
    table.stage.new_deck()
    table.keys(Key.CONFIRM)
    table.told("Baraje y pulse Nueva mano")


def another_croupier(table: Evening) -> None:
    expect(table.pit.locator("#at-table")).to_contain_text("ana")
    table.sign_off()
    table.sign_on_at_table("Eva")
    expect(table.pit.locator("#at-table")).to_contain_text("eva")
    table.sign_off()
    expect(table.pit.locator("#at-table")).not_to_contain_text("eva")


def test_an_evening_by_touch_with_a_misdeal_two_persons_a_lost_connection_and_another_croupier() -> None:
    with evening() as table:
        table.sign_on_at_desk()
        table.croupier.goto(f"{table.screens.url}/croupier?lang=es")
        table.sign_on_at_table("Ana")
        table.told("Baraje y pulse Nueva mano")

        a_hand_by_touch(table)
        a_card_too_soon(table)
        what_happens_while_the_screens_are_away(table)
        two_persons_rule(table)
        the_hand_goes_on(table)
        another_croupier(table)

        assert table.is_as_loaded
        assert table.touches == {"touch"}
        for name, what, granted in (
            ("ana", "signed-on", True),
            ("luis", "signed-on", True),
            ("marta", "co-signed", False),
            ("marta", "co-signed", True),
            ("eva", "signed-off", True),
        ):
            table.record("access", who=name, what=what, granted=granted)
        assert main(["journal", "verify", str(table.stage.journal)]) == 0

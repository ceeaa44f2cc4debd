"""The pages in the browser of a table PC's own screen, which interprets their scripts and paints without a card."""

from __future__ import annotations

from pathlib import Path
from urllib.parse import urlsplit

import pytest

from tablectl.kiosk.place import Place
from tablectl.people.people import COOKIE
from tablectl.screens.server import Transport
from tests.kiosk.watched import needs_chromium, screen
from tests.screens import hands
from tests.screens.conftest import Screens, Serving
from tests.screens.controller import Bench, Controller
from tests.screens.signed_on import EVERYBODY, token_of
from tests.screens.test_tls import certificate

pytestmark = [pytest.mark.wide, needs_chromium, pytest.mark.system]


def shown_at(url: str, certificate: Path | None = None) -> Place:
    port = urlsplit(url).port
    assert port is not None
    return Place(host="127.0.0.1", port=port, languages=("es", "en"), certificate=certificate)


def test_a_croupier_plays_on_the_tables_own_screen(screens: Screens, tmp_path: Path) -> None:
    with screen(shown_at(screens.url), tmp_path) as shown:

        def told(text: str) -> None:
            shown.until(lambda: shown.value("document.querySelector('.instruction h1')?.innerText") == text)

        def press(key: str) -> None:
            # A page that its script does not follow yet has keys that nobody hears.
            live = f"document.querySelector('body.followed [data-key=\"{key}\"].live')"
            shown.until(lambda: shown.value(f"{live} !== null") is True)
            shown.value(f"{live}.click()")

        cookie = {"name": COOKIE, "value": token_of(EVERYBODY), "url": screens.url, "httpOnly": True}
        given = shown.remote.ask("Network.setCookie", **cookie)
        # A page that is asked for before the cookie is there leads to the sign-on, and stays there.
        shown.until(lambda: shown.remote.result(given) is not None, looks=False)
        told("Mezcle y pulse Nueva mano")
        press("new-hand")
        told("Hagan juego: apuestas ante")
        screens.controller.lines(hands.BETS.replace("press new-hand\n", ""))
        screens.controller.lines(hands.HOLE_CARDS)
        told("Puesto 1: ¿apuesta flop (2 × ante) o se retira?")
        press("bet")
        told("Puesto 3: ¿apuesta flop (2 × ante) o se retira?")


def test_a_certificate_that_nobody_signed_is_the_tables_own(socket_path: Path, tmp_path: Path, bench: Bench) -> None:
    places = certificate(tmp_path)
    (tmp_path / "other").mkdir()
    another, _ = certificate(tmp_path / "other")
    with Controller(socket_path, bench):
        server = Serving(socket_path, transport=Transport(certificate=places[0], key=places[1]))
        with screen(shown_at(server.url, places[0]), tmp_path) as shown:
            shown.until(lambda: "/sign-on" in str(shown.value("location.pathname")))
            assert shown.value("location.protocol") == "https:"
        with screen(shown_at(server.url, another), tmp_path / "other") as shown:
            shown.until(lambda: "unreachableUrl" in str(shown.remote.navigated))
            assert "/sign-on" not in str(shown.value("location.href"))
        server.end()
        server.ended()

"""The pages in the browser of a table PC's own screen, which interprets their scripts and paints without a card."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from tablectl.ops.kiosk.place import Place
from tablectl.ops.kiosk.relay import Relay
from tablectl.people.people import COOKIE
from tablectl.web.screens.server import Transport
from tests.kiosk.watched import needs_chromium, screen
from tests.screens import hands
from tests.screens.controller import Bench, Controller
from tests.screens.serving import Serving
from tests.screens.signed_on import EVERYBODY, token_of
from tests.screens.test_tls import certificate

pytestmark = [pytest.mark.wide, needs_chromium, pytest.mark.system]


def shown_at(url: str, certificate: Path | None = None) -> Place:
    port = urlsplit(url).port
    assert port is not None
    return Place(host="127.0.0.1", port=port, languages=("es", "en"), certificate=certificate)


@pytest.fixture
def server(socket_path: Path, bench: Bench) -> Iterator[tuple[Serving, Controller]]:
    with Controller(socket_path, bench) as controller:
        made = Serving(socket_path, also=socket_path.with_name("pages"))
        yield made, controller
        made.end()
        made.ended()


@contextmanager
def carried(url: str, pages: Path) -> Iterator[str]:
    """The same address with the port of a relay."""
    with closing(Relay("127.0.0.1", 0, pages, say=list[str]().append)) as relay:
        relay.start()
        yield f"{urlsplit(url).scheme}://127.0.0.1:{relay.port}"


@pytest.mark.parametrize("through_a_socket", [False, True], ids=["port", "socket"])
def test_a_croupier_plays_on_the_tables_own_screen(
    server: tuple[Serving, Controller], socket_path: Path, tmp_path: Path, *, through_a_socket: bool
) -> None:
    serving, controller = server
    with ExitStack() as until_then:
        url = serving.url
        if through_a_socket:
            url = until_then.enter_context(carried(url, socket_path.with_name("pages")))
        shown = until_then.enter_context(screen(shown_at(url), tmp_path))

        def told(text: str) -> None:
            asked = "document.querySelector('.instruction h1')?.innerText.replaceAll('\\u00a0', ' ')"
            shown.until(lambda: shown.value(asked) == text)

        def press(key: str) -> None:
            # A page that its script does not follow yet has keys that nobody hears.
            live = f"document.querySelector('body.followed [data-key=\"{key}\"].live')"
            shown.until(lambda: shown.value(f"{live} !== null") is True)
            shown.value(f"{live}.click()")

        cookie = {"name": COOKIE, "value": token_of(EVERYBODY), "url": url, "httpOnly": True}
        given = shown.remote.ask("Network.setCookie", **cookie)
        # A page that is asked for before the cookie is there leads to the sign-on, and stays there.
        shown.until(lambda: shown.remote.result(given) is not None, looks=False)
        told("Baraje y pulse Nueva mano")
        press("new-hand")
        told("Hagan juego: apuestas ante")
        controller.lines(hands.BETS.replace("press new-hand\n", ""))
        controller.lines(hands.HOLE_CARDS)
        told("Puesto 1: ¿apuesta flop (2 × ante) o se retira?")
        press("bet")
        told("Puesto 3: ¿apuesta flop (2 × ante) o se retira?")


def test_a_certificate_that_nobody_signed_is_the_tables_own(socket_path: Path, tmp_path: Path, bench: Bench) -> None:
    places = certificate(tmp_path)
    (tmp_path / "other").mkdir()
    another, _ = certificate(tmp_path / "other")
    with Controller(socket_path, bench):
        pages = socket_path.with_name("pages")
        server = Serving(socket_path, transport=Transport(certificate=places[0], key=places[1]), also=pages)
        (tmp_path / "through").mkdir()
        with carried(server.url, pages) as url, screen(shown_at(url, places[0]), tmp_path / "through") as shown:
            shown.until(lambda: "/sign-on" in str(shown.value("location.pathname")))
            assert shown.value("location.origin") == url.replace("http:", "https:")
        with screen(shown_at(server.url, places[0]), tmp_path) as shown:
            shown.until(lambda: "/sign-on" in str(shown.value("location.pathname")))
            assert shown.value("location.protocol") == "https:"
        with screen(shown_at(server.url, another), tmp_path / "other") as shown:
            shown.until(lambda: "unreachableUrl" in str(shown.remote.navigated))
            assert "/sign-on" not in str(shown.value("location.href"))
        server.end()
        server.ended()

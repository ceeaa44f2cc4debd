"""The croupier's page while the screens answer, a page of its own while they do not, and nothing else: a real browser,
started as the unit starts it but for the screen."""

from __future__ import annotations

import socket
import socketserver
import tempfile
import threading
from collections.abc import Iterator
from contextlib import closing, contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Final

import pytest

from tablectl.ops.kiosk.keeper import PATIENCE
from tablectl.ops.kiosk.place import Place
from tablectl.ops.kiosk.relay import Relay
from tests.kiosk.watched import Screen, needs_chromium, screen

pytestmark = [pytest.mark.wide, needs_chromium, pytest.mark.system]
PAGE: Final = "<!doctype html><title>t</title><body>the croupier's page "


class Handler(BaseHTTPRequestHandler):
    def do_GET(self) -> None:
        self.send_response(200)
        self.send_header("Content-Type", "text/html")
        if "sid=" not in self.headers.get("Cookie", ""):
            self.send_header("Set-Cookie", "sid=1")
        self.end_headers()
        self.wfile.write((PAGE + str(self.headers.get("Cookie"))).encode())

    def log_message(self, format: str, *args: object) -> None:
        pass


class Server(ThreadingHTTPServer):
    #: so that it can be away and come back at the same port
    allow_reuse_address = True


class AtASocket(socketserver.ThreadingUnixStreamServer):
    """The same pages at a Unix socket, while it is open."""

    daemon_threads = True

    def get_request(self) -> tuple[socket.socket, tuple[str, int]]:
        wire, _ = super().get_request()
        return wire, ("socket", 0)


@contextmanager
def answering_at(path: Path) -> Iterator[None]:
    server = AtASocket(str(path), Handler)
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True)
    thread.start()
    try:
        yield
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
        path.unlink()


@contextmanager
def answering(port: int) -> Iterator[None]:
    server = Server(("127.0.0.1", port), Handler)
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True)
    thread.start()
    try:
        yield
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


@pytest.fixture
def place() -> Place:
    with socket.create_server(("127.0.0.1", 0)) as free:
        return Place(host="127.0.0.1", port=free.getsockname()[1], languages=("es", "en"))


@pytest.fixture
def shown(place: Place, tmp_path: Path) -> Iterator[Screen]:
    with screen(place, tmp_path) as made:
        yield made


def test_it_waits_in_both_languages_and_the_page_comes_and_goes_by_itself(place: Place, shown: Screen) -> None:
    shown.until_it_says("Las pantallas no responden")
    assert "The screens do not answer" in shown.text()
    with answering(place.port):
        shown.until_it_says("the croupier's page None")
    shown.until_it_says("Las pantallas no responden")
    with answering(place.port):
        shown.until_it_says("the croupier's page sid=1")  # the same browser: who was signed on is


def test_through_a_socket_it_is_asked_there_whether_the_screens_answer(tmp_path: Path) -> None:
    """At the port somebody always answers: the relay."""
    with tempfile.TemporaryDirectory(prefix="kiosk-") as folder:
        pages = Path(folder) / "pages"
        with closing(Relay("127.0.0.1", 0, pages, say=list[str]().append)) as relay:
            relay.start()
            place = Place(host="127.0.0.1", port=relay.port, languages=("es", "en"), through=pages)
            with screen(place, tmp_path) as shown:
                shown.until_it_says("Las pantallas no responden")
                with answering_at(pages):
                    shown.until_it_says("the croupier's page None")
                shown.until_it_says("Las pantallas no responden")
                with answering_at(pages):
                    shown.until_it_says("the croupier's page sid=1")


def test_a_page_stays_while_the_screens_are_away_for_a_moment(place: Place, shown: Screen) -> None:
    with answering(place.port):
        shown.until_it_says("the croupier's page")
        shown.value("window.mark = 'not loaded again'")
    for _ in range(PATIENCE - 1):
        shown.keeper.look()
    with answering(place.port):
        shown.keeper.look()
        assert shown.value("window.mark") == "not loaded again"
        for _ in range(PATIENCE - 1):
            shown.keeper.look()
    assert shown.value("window.mark") == "not loaded again"


def test_the_browsers_own_error_page_is_replaced(place: Place, shown: Screen) -> None:
    with answering(place.port):
        shown.until_it_says("the croupier's page")
    shown.value("location.reload()")
    shown.until_it_says("Las pantallas no responden")


def test_a_page_that_crashed_is_replaced(place: Place, shown: Screen) -> None:
    with answering(place.port):
        shown.until_it_says("the croupier's page None")
        shown.remote.ask("Page.crash")
        shown.until_it_says("the croupier's page sid=1")


@pytest.mark.parametrize("elsewhere", ["chrome://version/", "data:text/plain,elsewhere"])
def test_it_comes_back_from_a_page_that_is_not_the_screens(place: Place, shown: Screen, elsewhere: str) -> None:
    with answering(place.port):
        shown.until_it_says("the croupier's page None")
        shown.remote.ask("Page.navigate", url=elsewhere)
        shown.until_it_says("the croupier's page sid=1")


def test_a_second_window_is_closed(place: Place, shown: Screen) -> None:
    with answering(place.port):
        shown.until_it_says("the croupier's page")
        shown.remote.tell("Target.createTarget", {"url": "about:blank"})
        shown.until(lambda: bool(shown.remote.gone))
        assert "the croupier's page" in shown.text()


def test_no_menu_no_shortcut_and_no_pointer_that_stands_still(place: Place, shown: Screen) -> None:
    def prevented(event: str) -> object:
        return shown.value(f"!document.body.dispatchEvent(new {event})")

    def cursor() -> object:
        return shown.value("getComputedStyle(document.body).cursor")

    with answering(place.port):
        shown.until_it_says("the croupier's page")
        assert prevented("MouseEvent('contextmenu', {bubbles: true, cancelable: true})") is True
        for key in ("key: 'F12'", "key: 'I', ctrlKey: true, shiftKey: true", "key: 'ArrowLeft', altKey: true"):
            assert prevented(f"KeyboardEvent('keydown', {{bubbles: true, cancelable: true, {key}}})") is True
        for key in ("key: 'a'", "key: 'v', ctrlKey: true", "key: 'Enter'"):
            assert prevented(f"KeyboardEvent('keydown', {{bubbles: true, cancelable: true, {key}}})") is False
        shown.until(lambda: cursor() == "none")
        moved = "dispatchEvent(new MouseEvent('mousemove')), getComputedStyle(document.body).cursor"
        assert shown.value(moved) == "auto"

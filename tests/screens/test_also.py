"""The pages at a Unix socket: for whoever may open it, and that is somebody of this machine, as good as the table's own
browser, and no proxy."""

from __future__ import annotations

import asyncio
import os
import signal
import ssl
import stat
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import httpx2
import pytest
from starlette.requests import Request

from simulators import processes
from tablectl.ops.connections import listen
from tablectl.people.lockout import PER_MINUTE
from tablectl.people.people import COOKIE
from tablectl.web.screens.server import PLAIN, Transport, listen_also, make_server
from tablectl.web.screens.web.shared import BY_SOCKET, address_of, is_at_table
from tests.screens.controller import AT_FIRST, Bench, Controller
from tests.screens.signed_on import headers, house, staffed
from tests.screens.test_tls import PROXIED, PROXYS, certificate, cookie_of, signed, until_connected

HERE = "http://127.0.0.1:8420"


@pytest.fixture
def also(socket_path: Path) -> Path:
    return socket_path.with_name("pages")


@contextmanager
def served(also: Path, transport: Transport = PLAIN) -> Iterator[str]:
    """Screens at both; the port."""
    people = house(staffed(also.with_name("people.db")))
    listening = listen("127.0.0.1", 0), listen_also(also)
    server = make_server(also.with_name("control"), people, transport=transport)
    thread = threading.Thread(target=lambda: asyncio.run(server.serve(sockets=[*listening])), daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{listening[0].getsockname()[1]}"
    finally:
        server.should_exit = True
        thread.join(10)
        for socket in listening:
            socket.close()
        people.file.close()


def through(also: Path, url: str = HERE, trusting: ssl.SSLContext | None = None) -> httpx2.Client:
    """A browser of the table's own, whose connections end at the socket."""
    transport = httpx2.HTTPTransport(verify=trusting or False, uds=str(also))
    return httpx2.Client(base_url=url, timeout=10, transport=transport)


def test_whoever_comes_by_the_socket_is_at_the_table(also: Path) -> None:
    with Controller(also.with_name("control"), Bench()), served(also) as url:
        with through(also) as client:
            assert 'class="tile"' in client.get("/sign-on").text
            answer = signed(client, "pin", Origin=HERE)
            assert (answer.status_code, COOKIE in client.cookies) == (303, True)
            assert client.post("/sign-on/badge", headers={"Origin": HERE}).json()["ok"] is True
            sent = {**headers("croupier"), "Origin": HERE}
            entry = {"page": "croupier", "act": "press", "key": "new-hand", "prompt": AT_FIRST}
            assert until_connected(client, entry, sent).status_code == 200
        with httpx2.Client(base_url=url, timeout=10, verify=False) as client:
            assert client.get("/sign-on").status_code == 200, "and at the port as ever"


@pytest.mark.parametrize("header", PROXYS)
@pytest.mark.parametrize("transport", [PLAIN, Transport(behind_proxy=True)], ids=["plain", "behind-proxy"])
def test_a_proxy_at_the_socket_is_not_at_the_table_and_believed_nothing(
    also: Path, transport: Transport, header: str
) -> None:
    with served(also, transport), through(also) as client:
        assert signed(client, "pin", Origin=HERE, **{header: "127.0.0.1"}).status_code == 403
        assert 'class="tile"' not in client.get("/sign-on", headers={header: "127.0.0.1"}).text
        assert client.get("/sign-on", headers=PROXIED).status_code == 421, "nobody is believed that he came by TLS"
        answer = signed(client, **{**PROXIED, "Host": "127.0.0.1:8420", "Origin": HERE})
        assert "Secure" not in cookie_of(answer)


def test_a_name_that_points_here_from_elsewhere_is_refused_there_too(also: Path) -> None:
    with served(also), through(also) as client:
        assert client.get("/sign-on", headers={"Host": "evil.example"}).status_code == 421


def test_the_rate_of_secrets_is_the_sockets_own_whoever_a_proxy_names(also: Path) -> None:
    with served(also, Transport(behind_proxy=True)) as url, through(also) as client:
        for number in range(PER_MINUTE):
            more = {"X-Forwarded-For": f"192.0.2.{number}", "Origin": HERE}
            fields = {"name": f"nobody-{number}", "secret": "wrong", "way": "password"}
            assert client.post("/sign-on", data=fields, headers=more).status_code == 403
        tried = {"name": "x", "secret": "y"}
        by_proxy = {"Origin": HERE, "X-Forwarded-For": "192.0.2.99"}
        refused = client.post("/sign-on", data=tried, headers=by_proxy)
        assert refused.status_code == 429
        at_table = client.post("/sign-on", data=tried, headers={"Origin": HERE})
        assert at_table.status_code == 403, "nobody takes the table's own attempts away"
        with httpx2.Client(base_url=url, timeout=10, verify=False) as other:
            answer = other.post("/sign-on", data={"name": "x", "secret": "y"}, headers={"Origin": url})
            assert answer.status_code == 403, "who comes by the port has attempts of his own"


def test_with_a_certificate_tls_is_spoken_there_too(also: Path) -> None:
    crt, key = certificate(also.parent)
    trusting = ssl.create_default_context(cafile=str(crt))
    url = HERE.replace("http", "https")
    with served(also, Transport(certificate=crt, key=key)), through(also, url, trusting) as client:
        answer = signed(client, "pin", Origin=url)
        assert answer.status_code == 200
        assert "Secure" in cookie_of(answer)


def test_it_is_for_its_owner_and_the_folders_group(also: Path) -> None:
    with listen_also(also):
        assert stat.S_IMODE(also.stat().st_mode) == 0o660
        assert also.stat().st_gid == also.parent.stat().st_gid


def test_what_a_killed_process_left_is_replaced_and_one_that_answers_is_left_alone(also: Path) -> None:
    listen_also(also).close()
    with listen_also(also), pytest.raises(OSError, match="in use"):
        listen_also(also)
    also.unlink()
    also.write_text("no socket", encoding="utf-8")
    with pytest.raises(OSError, match="in use"):
        listen_also(also)
    assert also.read_text(encoding="utf-8") == "no socket"


def test_the_command_answers_there_and_takes_it_away_at_its_end(socket_path: Path, also: Path) -> None:
    words = [sys.executable, "-m", "tablectl", "screens", "--socket", str(socket_path), "--port", "0"]
    words += ["--people", str(staffed(socket_path.with_name("people.db"))), "--also", str(also)]
    with processes.start(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=os.environ) as process:
        assert process.stdout is not None
        process.stdout.readline()
        with through(also) as client:
            assert client.get("/sign-on").status_code == 200
        second = processes.run(words, capture_output=True, text=True, check=False)
        assert second.returncode == 2
        assert f"cannot listen at {also}: somebody who listens there already" in second.stderr
        process.send_signal(signal.SIGTERM)
        process.wait(10)
    assert not also.exists()


@pytest.mark.parametrize(
    ("server", "counted_as"), [(("/run/pages", None), BY_SOCKET), (("127.0.0.1", 8420), ""), (None, "")]
)
def test_a_client_without_an_address_is_at_the_table_at_the_socket_alone(
    server: tuple[str, int | None] | None, counted_as: str
) -> None:
    """Who came by a network and was gone before he was asked has no address either."""
    scope = {"type": "http", "path": "/", "query_string": b"", "scheme": "http", "client": None, "server": server}
    request = Request({**scope, "headers": [(b"host", b"127.0.0.1:8420")]})
    assert is_at_table(request) is (counted_as == BY_SOCKET)
    assert address_of(request) == counted_as

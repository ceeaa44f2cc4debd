"""How many may connect over the network, and for how long without a request: the table's own browser, which comes by
the Unix socket, is answered whatever the network does."""

from __future__ import annotations

import asyncio
import os
import resource
import select
import socket
import ssl
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Final

import httpx2
import pytest

from simulators import processes
from tablectl.ops.connections import NETWORK, Limits, listen
from tablectl.web.screens.metrics import metrics_text
from tablectl.web.screens.server import PLAIN, Transport, make_server
from tablectl.web.screens.web.streams import STREAMS_MOST
from tests.raw_http import answer_of, is_refused_without_end
from tests.screens.signed_on import headers, house, staffed
from tests.screens.test_also import through
from tests.screens.test_tls import certificate

#: What systemd gives a service that asks for nothing.
DESCRIPTORS: Final = 1024
HALF_OPEN: Final = 2000
HALF_A_HEAD: Final = b"GET /sign-on HTTP/1.1\r\nHost: 127.0.0.1\r\n"
TECHNICIANS: Final = "/events?page=technician"
WHOLE_HEAD: Final = HALF_A_HEAD + b"\r\n"
HALF_A_BODY: Final = (
    b"POST /sign-on HTTP/1.1\r\nHost: 127.0.0.1\r\nOrigin: http://127.0.0.1\r\n"
    b"Content-Type: application/x-www-form-urlencoded\r\nContent-Length: 9\r\n\r\nname"
)
START_S: Final = 30.0


@contextmanager
def screens_process(also: Path) -> Iterator[int]:
    """`tablectl screens` with as few descriptors as a service has; its port."""
    words = [sys.executable, "-m", "tablectl", "screens", "--socket", str(also.with_name("control")), "--port", "0"]
    words += ["--people", str(staffed(also.with_name("people.db"))), "--also", str(also)]
    few = ["sh", "-c", f'ulimit -n {DESCRIPTORS}; exec "$@"', "sh", *words]
    with processes.start(few, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, env=os.environ) as process:
        assert process.stdout is not None
        try:
            assert select.select([process.stdout], [], [], START_S)[0], "the screens do not start"
            yield int(process.stdout.readline().rstrip("/\n").rpartition(":")[2])
        finally:
            process.terminate()


@contextmanager
def served(folder: Path, limits: Limits, transport: Transport = PLAIN) -> Iterator[int]:
    """Screens in a thread; their port."""
    people = house(staffed(folder / "people.db"))
    bound = listen("127.0.0.1", 0, limits)
    server = make_server(folder / "control", people, transport=transport)
    thread = threading.Thread(target=lambda: asyncio.run(server.serve(sockets=[bound])), daemon=True)
    thread.start()
    try:
        yield bound.getsockname()[1]
    finally:
        server.should_exit = True
        thread.join(10)
        bound.close()
        people.file.close()


def connected(port: int, source: str = "127.0.0.1") -> socket.socket:
    return socket.create_connection(("127.0.0.1", port), timeout=10, source_address=(source, 0))


def asked(end: socket.socket) -> bytes:
    try:
        end.sendall(WHOLE_HEAD)
    except (BrokenPipeError, ConnectionResetError):
        return b""
    return answer_of(end)


@pytest.fixture
def many_descriptors() -> Iterator[None]:
    """This process holds the other ends."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(hard, max(soft, 2 * HALF_OPEN)), hard))
    yield
    resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))


def test_two_thousand_half_open_connections_leave_the_tables_own_browser_its_pages(
    socket_path: Path, many_descriptors: None
) -> None:
    also = socket_path.with_name("pages")
    with screens_process(also) as port, ExitStack() as held:
        assert asked(held.enter_context(connected(port, "127.0.0.250"))) == b"HTTP/1.1 200"
        for number in range(HALF_OPEN):
            end = held.enter_context(connected(port, f"127.0.0.{1 + number // NETWORK.of_one_address}"))
            try:
                end.sendall(HALF_A_HEAD)
            except (BrokenPipeError, ConnectionResetError):
                continue  # it was not let in
        with through(also) as client:
            for _ in range(20):
                assert client.get("/sign-on").status_code == 200


def test_one_address_has_its_share_and_the_network_as_a_whole_has_one(tmp_path: Path) -> None:
    before = refused()
    with served(tmp_path, Limits(in_all=5, of_one_address=3)) as port, ExitStack() as held:
        first = [held.enter_context(connected(port, "127.0.0.2")) for _ in range(4)]
        assert [asked(end) for end in first] == [b"HTTP/1.1 200"] * 3 + [b""], "the fourth of one address is not let in"
        others = [held.enter_context(connected(port, f"127.0.0.{number}")) for number in (3, 4, 5)]
        assert [asked(end) for end in others] == [b"HTTP/1.1 200"] * 2 + [b""], "the sixth of all is not let in"
        assert [now - then for now, then in zip(refused(), before, strict=True)] == [1, 1], "one of each is counted"
        first[0].shutdown(socket.SHUT_RDWR)
        assert until_let_in(port, "127.0.0.5"), "there is room again when one has gone"


def refused() -> list[int]:
    """What Prometheus reads, by limit."""
    lines = dict(line.rsplit(" ", 1) for line in metrics_text(None).decode().splitlines() if not line.startswith("#"))
    name = "tablectl_screens_refused_connections_total"
    return [int(float(lines[f'{name}{{limit="{limit}"}}'])) for limit in ("all", "address")]


def until_let_in(port: int, source: str) -> bool:
    """The server hears of an end in its own time: asked again until it has, each time anew."""
    for _ in range(200):
        with connected(port, source) as end:
            if asked(end):
                return True
    return False


def test_behind_a_proxy_all_come_from_its_address(tmp_path: Path) -> None:
    behind = Transport(behind_proxy=True).limits
    assert (behind.of_one_address, behind.in_all) == (behind.in_all, NETWORK.in_all)
    assert Transport().limits == NETWORK
    with served(tmp_path, Limits(in_all=4, of_one_address=4)) as port, ExitStack() as held:
        ends = [held.enter_context(connected(port)) for _ in range(4)]
        assert [asked(end) for end in ends] == [b"HTTP/1.1 200"] * 4


def test_the_limits_are_the_documented_ones() -> None:
    assert Limits(in_all=200, of_one_address=20, request_s=10.0) == NETWORK


@pytest.mark.parametrize(
    "said",
    [b"", b"GET", HALF_A_HEAD, HALF_A_BODY],
    ids=["nothing", "a-word", "half-a-head", "half-a-body"],
)
def test_whoever_does_not_say_what_he_wants_in_time_is_hung_up_on(tmp_path: Path, said: bytes) -> None:
    with served(tmp_path, Limits(request_s=0.3)) as port, connected(port) as end:
        end.sendall(said)
        assert answer_of(end) == b""


def test_a_head_without_end_is_refused(tmp_path: Path) -> None:
    with served(tmp_path, NETWORK) as port, connected(port) as end:
        assert is_refused_without_end(end, HALF_A_HEAD)


def test_the_next_request_of_a_connection_has_the_same_time(tmp_path: Path) -> None:
    with served(tmp_path, Limits(request_s=0.3)) as port, connected(port) as end:
        assert asked(end) == b"HTTP/1.1 200"
        while b"</html>" not in end.recv(65_536):
            pass
        end.sendall(HALF_A_HEAD)
        assert answer_of(end) == b""


def test_whoever_does_not_begin_tls_in_time_is_hung_up_on_and_others_are_answered(tmp_path: Path) -> None:
    crt, key = certificate(tmp_path)
    trusting = ssl.create_default_context(cafile=str(crt))
    with served(tmp_path, Limits(request_s=2.0), Transport(certificate=crt, key=key)) as port:
        with connected(port) as end:
            assert answer_of(end) == b""
        with httpx2.Client(base_url=f"https://127.0.0.1:{port}", verify=trusting, timeout=10) as client:
            assert client.get("/sign-on").status_code == 200


def test_an_answer_may_take_longer_than_a_request(tmp_path: Path) -> None:
    request_s = 0.3
    with (
        served(tmp_path, Limits(request_s=request_s)) as port,
        httpx2.Client(base_url=f"http://127.0.0.1:{port}", timeout=10, verify=False) as client,
        client.stream("GET", TECHNICIANS, headers=headers("technician")) as stream,
    ):
        began, lasted_s = time.monotonic(), 0.0
        for line in stream.iter_lines():
            lasted_s = time.monotonic() - began
            if line == "event: beat" and lasted_s > 3 * request_s:
                break
    assert lasted_s > 3 * request_s, "it was ended before"


def test_a_session_has_so_many_streams_and_each_that_ends_makes_room(tmp_path: Path) -> None:
    with served(tmp_path, NETWORK) as port, ExitStack() as held:
        address = f"http://127.0.0.1:{port}"
        client = held.enter_context(httpx2.Client(base_url=address, timeout=10, limits=httpx2.Limits(), verify=False))

        def stream(name: str) -> httpx2.Response:
            return client.send(client.build_request("GET", TECHNICIANS, headers=headers(name)), stream=True)

        its = [stream("technician") for _ in range(STREAMS_MOST)]
        assert {answer.status_code for answer in its} == {200}
        assert stream("technician").status_code == 429
        others = stream("everybody")
        assert others.status_code == 200, "another session has its own"
        its[0].close()
        assert any(stream("technician").status_code == 200 for _ in range(200)), "there is room again"
        for answer in (*its, others):
            answer.close()

"""What the pit server's port for tables lets somebody do who is in the network and no table."""

from __future__ import annotations

import socket
import ssl
from contextlib import ExitStack, closing
from dataclasses import replace

import pytest

from tablectl.fleet.pit import server
from tablectl.ops.bounded_http import HEAD_BYTES_MOST
from tests.fleet import pits
from tests.fleet.pits import Pit
from tests.journal.journals import SIGNER
from tests.raw_http import LINE, answer_of, is_refused_without_end
from tests.waiting import until

pytestmark = pytest.mark.system

NAME = "mesa-1"
TIME = b"GET /v1/time?nonce=" + 32 * b"0" + b" HTTP/1.1\r\nHost: pit\r\n"
HALF_A_BODY = b"POST /v1/enrol HTTP/1.1\r\nHost: pit\r\nContent-Length: 9\r\n\r\nname"


def connected(pit: Pit) -> ssl.SSLSocket:
    """Without a certificate, after TLS."""
    context = ssl.create_default_context(cafile=str(pit.folder / "authority.pem"))
    plain = socket.create_connection(("127.0.0.1", pit.port), timeout=10)
    return context.wrap_socket(plain, server_hostname="127.0.0.1")


def half_open(pit: Pit) -> socket.socket:
    """Before TLS."""
    return socket.create_connection(("127.0.0.1", pit.port), timeout=10)


@pytest.fixture
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pits, "TABLES", replace(server.TABLES, request_s=0.3))


@pytest.mark.usefixtures("impatient")
@pytest.mark.parametrize(
    "said", [b"", b"GET", TIME, HALF_A_BODY], ids=["nothing", "a-word", "half-a-head", "half-a-body"]
)
def test_whoever_does_not_say_what_he_wants_in_time_is_hung_up_on(pit: Pit, said: bytes) -> None:
    with connected(pit) as end:
        if said:
            end.sendall(said)
        assert answer_of(end) == b""


@pytest.mark.usefixtures("impatient")
def test_whoever_never_begins_tls_is_hung_up_on(pit: Pit) -> None:
    with half_open(pit) as end:
        assert answer_of(end) == b""


@pytest.fixture
def crowded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pits, "TABLES", replace(server.TABLES, in_all=3))


@pytest.mark.usefixtures("crowded")
def test_no_more_connect_than_there_is_room_for_and_a_table_that_is_there_goes_on(pit: Pit) -> None:
    pit.enrol(NAME, SIGNER.public)
    with closing(pit.transport(pit.context_of(NAME))) as table, ExitStack() as held:
        assert table.head().seq == 0
        for _ in range(2):
            held.enter_context(half_open(pit))
        with half_open(pit) as one_more:
            assert answer_of(one_more) == b""
        assert table.head().seq == 0
        held.close()

        def has_room() -> bool:
            try:
                with connected(pit) as end:
                    end.sendall(TIME + b"\r\n")
                    return answer_of(end) == b"HTTP/1.1 200"
            except OSError:
                return False

        until(has_room)


@pytest.mark.usefixtures("impatient")
def test_the_next_request_of_a_connection_has_the_same_time(pit: Pit) -> None:
    with connected(pit) as end:
        end.sendall(TIME + b"\r\n")
        assert answer_of(end) == b"HTTP/1.1 200"
        while b"}" not in end.recv(65_536):
            pass
        end.sendall(TIME)
        assert answer_of(end) == b""


def test_a_head_without_end_is_refused(pit: Pit) -> None:
    with connected(pit) as end:
        assert is_refused_without_end(end, TIME)
    with connected(pit) as end:
        end.sendall(TIME + HEAD_BYTES_MOST // 2 // len(LINE) * LINE + b"\r\n")
        assert answer_of(end) == b"HTTP/1.1 200"


def test_whoever_has_no_certificate_leaves_the_tables_their_connections(
    pit: Pit, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(server, "STRANGERS_MOST", 3)
    pit.enrol(NAME, SIGNER.public)
    with ExitStack() as held:
        strangers = [held.enter_context(connected(pit)) for _ in range(3)]
        with connected(pit) as one_more:
            assert answer_of(one_more) == b""
        with closing(pit.transport(pit.context_of(NAME))) as table:
            assert table.head().seq == 0
        strangers.pop().close()

        def is_answered() -> bool:
            with connected(pit) as end:
                end.sendall(TIME + b"\r\n")
                return answer_of(end) == b"HTTP/1.1 200"

        until(is_answered)

"""Whatever is sent at one end arrives at the other, and so does its end."""

from __future__ import annotations

import os
import socket
import struct
import tempfile
import threading
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing, contextmanager, suppress
from pathlib import Path
from typing import Final

import pytest

from tablectl.ops.kiosk.relay import CONNECTIONS_MAX, Relay

PATIENCE_S: Final = 30.0
#: More than all buffers on the way hold together.
MUCH_BYTES: Final = 32 << 20


@pytest.fixture
def pages() -> Iterator[Path]:
    """A short path: a Unix socket's may have 107 bytes, and pytest's folders are deep."""
    with tempfile.TemporaryDirectory(prefix="relay-") as folder:
        yield Path(folder) / "pages"


@contextmanager
def listening(pages: Path) -> Iterator[socket.socket]:
    """The far end, as the screens have it."""
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as far:
        far.settimeout(PATIENCE_S)
        far.bind(str(pages))
        far.listen(2 * CONNECTIONS_MAX)
        yield far


@pytest.fixture
def far(pages: Path) -> Iterator[socket.socket]:
    with listening(pages) as made:
        yield made


@pytest.fixture
def relay(pages: Path) -> Iterator[Relay]:
    with closing(Relay("127.0.0.1", 0, pages, say=list[str]().append)) as made:
        made.start()
        yield made


def browser(relay: Relay, host: str = "127.0.0.1") -> socket.socket:
    return socket.create_connection((host, relay.port), timeout=PATIENCE_S)


def accepted(far: socket.socket) -> socket.socket:
    wire, _ = far.accept()
    wire.settimeout(PATIENCE_S)
    return wire


def all_of(wire: socket.socket) -> bytes:
    """What comes until its end."""
    return b"".join(iter(lambda: wire.recv(1 << 16), b""))


@contextmanager
def meanwhile(what: Callable[[], object]) -> Iterator[None]:
    thread = threading.Thread(target=what)
    thread.start()
    try:
        yield
    finally:
        thread.join(PATIENCE_S)
        assert not thread.is_alive()


def test_both_ways_at_once_no_byte_is_lost_or_changed(relay: Relay, far: socket.socket) -> None:
    out, back = os.urandom(MUCH_BYTES), os.urandom(MUCH_BYTES)

    def say(wire: socket.socket, what: bytes) -> None:
        wire.sendall(what)
        wire.shutdown(socket.SHUT_WR)

    with browser(relay) as near, accepted(far) as there:
        heard: list[bytes] = []
        with (
            meanwhile(lambda: say(near, out)),
            meanwhile(lambda: say(there, back)),
            meanwhile(lambda: heard.append(all_of(there))),
        ):
            assert all_of(near) == back
        assert heard == [out]


def test_one_way_ends_and_the_other_goes_on(relay: Relay, far: socket.socket) -> None:
    with browser(relay) as near, accepted(far) as there:
        near.sendall(b"asked")
        near.shutdown(socket.SHUT_WR)
        assert all_of(there) == b"asked"
        there.sendall(b"answered")
        there.shutdown(socket.SHUT_WR)
        assert all_of(near) == b"answered"
    with browser(relay) as near, accepted(far) as there:
        there.sendall(b"said first")
        there.shutdown(socket.SHUT_WR)
        assert all_of(near) == b"said first"
        near.sendall(b"and then the other")
        near.shutdown(socket.SHUT_WR)
        assert all_of(there) == b"and then the other"


def test_an_answer_that_ends_before_the_question_does_arrives(relay: Relay, far: socket.socket) -> None:
    with browser(relay) as near:
        with accepted(far) as there:
            there.sendall(b"too long" * 10_000)
        near.sendall(b"more")
        assert all_of(near) == b"too long" * 10_000


def test_whoever_does_not_read_is_not_sent_more_than_buffers_hold(relay: Relay, far: socket.socket) -> None:
    piece = bytes(1 << 16)
    for turned in (False, True):
        with browser(relay) as near, accepted(far) as there:
            speaks, hears = (there, near) if turned else (near, there)
            speaks.settimeout(0.5)  # a moment in which nothing can be sent any more
            sent = 0
            with suppress(TimeoutError):
                while sent < MUCH_BYTES:
                    sent += speaks.send(piece)
            assert sent < MUCH_BYTES
            speaks.shutdown(socket.SHUT_WR)
            assert len(all_of(hears)) == sent


def test_many_at_once_and_none_hears_anothers(relay: Relay, far: socket.socket) -> None:
    with ExitStack() as open_ones:
        pairs = []
        for number in range(CONNECTIONS_MAX):
            near = open_ones.enter_context(browser(relay))
            near.sendall(b"%4d" % number)
            pairs.append((near, open_ones.enter_context(accepted(far))))
        numbers = []
        for near, there in reversed(pairs):
            there.sendall(b"<" + (asked := there.recv(4)) + b">")
            assert near.recv(6) == b"<" + asked + b">"
            numbers.append(int(asked))
        assert sorted(numbers) == list(range(CONNECTIONS_MAX))
        with browser(relay) as one_more:
            one_more.sendall(b"waits")
            far.settimeout(0.2)
            with pytest.raises(TimeoutError):
                far.accept()
            for pair in pairs[0]:
                pair.close()
            far.settimeout(PATIENCE_S)
            with accepted(far) as there:
                assert there.recv(5) == b"waits"


def test_where_nobody_answers_the_connection_ends_and_the_next_one_finds_who_came(pages: Path, relay: Relay) -> None:
    for _ in range(2 * CONNECTIONS_MAX):
        with browser(relay) as near:
            assert all_of(near) == b""
    with listening(pages) as far, browser(relay) as near, accepted(far) as there:
        near.sendall(b"there")
        assert there.recv(5) == b"there"


def test_who_breaks_off_is_gone_at_the_other_end_too_and_leaves_his_place(relay: Relay, far: socket.socket) -> None:
    with ExitStack() as left_open:
        for _ in range(CONNECTIONS_MAX + 1):
            near = browser(relay)
            there = left_open.enter_context(accepted(far))
            near.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
            near.close()
            assert all_of(there) == b""
    for _ in range(CONNECTIONS_MAX + 1):
        with browser(relay) as near:
            accepted(far).close()
            assert all_of(near) == b""


def test_version_six_of_loopback(pages: Path, far: socket.socket) -> None:
    with closing(Relay("::1", 0, pages, say=list[str]().append)) as relay:
        relay.start()
        with browser(relay, "::1") as near, accepted(far) as there:
            near.sendall(b"six")
            assert there.recv(3) == b"six"


def test_a_port_that_is_taken_is_said(relay: Relay, pages: Path) -> None:
    with pytest.raises(OSError, match="in use"):
        Relay("127.0.0.1", relay.port, pages, say=list[str]().append)


def test_a_socket_that_is_not_there_is_said_once_and_that_it_came_too(pages: Path) -> None:
    said: list[str] = []
    with closing(Relay("127.0.0.1", 0, pages, say=said.append)) as relay:
        relay.start()
        for _ in range(3):
            with browser(relay) as near:
                assert all_of(near) == b""
        right = "the screens running with `--also` and this path: systemctl status tablectl-screens@TABLE"
        assert said == [f"no page comes: {pages}: found no such file; would be right: {right}"]
        with listening(pages) as far, browser(relay) as near, accepted(far) as there:
            near.sendall(b"a")  # what arrives there is carried after what is said
            assert there.recv(1) == b"a"
        with browser(relay) as near:
            assert all_of(near) == b""
    assert said[1:] == [f"pages come again: {pages}", said[0].replace("no such file", "nobody who answers")]

"""The client of the controller's interface: where a stream goes on, and whoever cannot go on hangs up."""

from __future__ import annotations

import json
import socket
import tempfile
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final

import pytest

from tablectl.api.client import AnotherJournal, BrokenStream, MissingRecord, NoController, StreamPosition, Subscription
from tablectl.api.protocol import VERSION

LONG_S: Final = 10.0


@contextmanager
def listening() -> Iterator[tuple[Path, socket.socket]]:
    """A socket that stands for the controller's, and where it is."""
    with tempfile.TemporaryDirectory(prefix="client-") as folder, socket.socket(socket.AF_UNIX) as bound:
        path = Path(folder) / "control"
        bound.bind(str(path))
        bound.listen()
        bound.settimeout(LONG_S)
        yield path, bound


@pytest.mark.parametrize("greeting", [b"{}", b'{"ok": false, "error": "x"}', b"[]", b"no JSON"])
def test_a_greeting_without_a_table_leaves_no_line_open(greeting: bytes) -> None:
    heard: list[bytes] = []
    with listening() as (path, bound):

        def serve() -> None:
            line, _ = bound.accept()
            with line:
                line.settimeout(LONG_S)
                line.recv(4096)
                line.sendall(greeting + b"\n")
                heard.append(line.recv(4096))

        thread = threading.Thread(target=serve)
        thread.start()
        with pytest.raises(BrokenStream) as wrong:
            Subscription(path, after=0)
        thread.join()
    # What was raised is held until here, and with it whoever was made half.
    assert wrong.value is not None
    assert heard == [b""]


def test_a_reader_of_records_asks_again_after_the_last_one_where_the_controller_hangs_up() -> None:
    """It does when the limits of its table change, so that whoever follows is greeted with the new ones."""
    asked: list[int] = []
    pressed = {"kind": "pressed", "key": "bank"}
    with listening() as (path, bound):

        def serve() -> None:
            for name in ("before", "after"):
                line, _ = bound.accept()
                with line:
                    asked.append(after := json.loads(line.recv(4096))["follow"]["after"])
                    at = "2026-11-24T02:00:00.000000Z"
                    record = {"seq": after + 1, "hand": 1, "at": at, "fact": pressed, "decisions": [], "prompt": None}
                    line.sendall(
                        b"".join(json.dumps(said).encode() + b"\n" for said in ({"table": {"name": name}}, record))
                    )
            bound.close()

        thread = threading.Thread(target=serve)
        thread.start()
        with Subscription(path, after=7) as reader:
            first = reader.record(LONG_S)
            assert reader.table == {"name": "before"}
            second = reader.record(LONG_S)
            assert reader.table == {"name": "after"}
            assert first is not None
            assert second is not None
            assert (asked, first.seq, second.seq) == ([7, 8], 8, 9)
            with pytest.raises(NoController):
                reader.record(LONG_S)
        thread.join()


# --- where a stream is ------------------------------------------------------------------------------------------------


def public(seq: int, hash_of: str = "a") -> dict[str, Any]:
    return {"seq": seq, "fact": {"kind": "pressed"}, "hash": hash_of}


def known(seq: int) -> StreamPosition:
    """After a record that is known by its hash."""
    return StreamPosition(after=seq, hands=10, is_last=lambda again: again["hash"] == "a")


GREETING: Final[dict[str, Any]] = {"api": VERSION, "table": {}}


def test_without_a_known_record_the_last_hands_are_asked_for_and_the_first_record_is_new() -> None:
    position = known(0)
    assert position.request() == {"follow": {"hands": 10}}
    assert position.take(GREETING) is None
    assert position.is_joined
    assert position.take(public(31)) == public(31)


def test_the_record_that_is_known_is_asked_for_again_and_is_no_new_one() -> None:
    position = known(7)
    assert position.request() == {"follow": {"after": 6}}
    assert position.take(GREETING) is None
    assert not position.is_joined
    assert position.take(public(7)) is None
    assert (position.is_joined, position.again) == (True, public(7))
    assert position.take(public(8)) == public(8)


@pytest.mark.parametrize("again", [public(7, "b"), public(8)])
def test_another_record_in_its_place_is_another_journal(again: dict[str, Any]) -> None:
    position = known(7)
    position.take(GREETING)
    with pytest.raises(AnotherJournal):
        position.take(again)


def test_a_record_that_does_not_come_again_is_missing_and_a_greeting_that_does_not_is_no_journals() -> None:
    position = known(7)
    assert not isinstance(position.missing(), BrokenStream)
    position.take(GREETING)
    assert isinstance(position.missing(), MissingRecord)


@pytest.mark.parametrize("said", [public(9), {"seq": 8}, {"seq": "8", "fact": {}}, {"ok": False, "error": "gone"}])
def test_what_does_not_go_on_from_the_last_record_is_a_broken_stream(said: dict[str, Any]) -> None:
    position = known(7)
    position.take(GREETING)
    position.take(public(7))
    with pytest.raises(BrokenStream) as wrong:
        position.take(said)
    assert not isinstance(wrong.value, AnotherJournal)


def test_a_controller_of_an_older_program_is_understood_and_one_of_another_version_is_named() -> None:
    known(0).take({"table": {}})
    with pytest.raises(NoController, match=f"has version {VERSION + 1} of its interface, this program version"):
        known(0).take({"api": VERSION + 1, "table": {}})

"""The controller's interface: who follows gets every record, who enters gets an answer, nobody disturbs the deal."""

from __future__ import annotations

import json
import socket
import stat
import time
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from simulators.stage.stage import temporary_folder
from tablectl.api.client import Connection, NoController, Subscription
from tablectl.api.commands import EnterFact
from tablectl.api.methods import ENTERED
from tablectl.api.protocol import REQUEST_BYTES, VERSION
from tablectl.api.server import CONNECTIONS_MAX, ApiServer
from tablectl.core.engine.facts import Called
from tablectl.journal.readers import Readers
from tablectl.journal.store import GENESIS, Store, chained
from tests.api_context import api_context
from tests.desk import LONG_S, SHORT_S, Desk, desk
from tests.journal.journals import SETUP, WHOLE_HAND

pytestmark = pytest.mark.system


@pytest.fixture
def table() -> Iterator[Desk]:
    with desk() as made:
        made.start()
        yield made


@pytest.fixture(scope="module")
def shared() -> Iterator[Desk]:
    """One table for what leaves nothing behind."""
    with desk() as made:
        made.start()
        yield made


class Line:
    """A connection that sends whatever bytes it likes."""

    def __init__(self, path: Path) -> None:
        self.socket = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        self.socket.connect(str(path))
        self.socket.settimeout(LONG_S)
        self._lines = self.socket.makefile("rb")

    def say(self, data: bytes) -> None:
        self.socket.sendall(data)

    def hear(self) -> dict[str, Any] | None:
        """The next line; None where the other end hung up."""
        line = self._lines.readline()
        if not line:
            return None
        heard: dict[str, Any] = json.loads(line)
        return heard

    def close(self) -> None:
        self._lines.close()
        self.socket.close()


# --- following ------------------------------------------------------------------------------------------------------


def test_a_reader_is_greeted_with_the_table_and_gets_stored_and_live_records(table: Desk) -> None:
    with table.reader(0) as reader:
        assert reader.table["name"] == "Mesa 1"
        assert reader.table["limits"]["ante"] == {"least": 500, "most": 10_000}
        assert reader.table["languages"] == ["es", "en"]
        stored = [reader.next(LONG_S) for _ in range(table.newest)]
        assert [record["seq"] for record in stored if record] == list(range(1, len(stored) + 1))
        assert table.enter("press new-hand")["seq"] == len(stored) + 1
        live = reader.next(LONG_S)
    assert live is not None
    assert (live["seq"], live["fact"]) == (len(stored) + 1, {"kind": "pressed", "key": "new-hand"})


@pytest.mark.parametrize(
    ("line", "refused"),
    [("standing 1 ante 500 consent", "standing-bet"), ("remove 1/2", "unknown-seat"), ("out 1/2", "unknown-seat")],
)
def test_TPC_PLY_2_bets_of_people_who_stand_are_entered_in_the_same_way(table: Desk, line: str, refused: str) -> None:
    table.enter("press new-hand")
    table.enter("bet 1 ante 1000")
    reply = table.enter(line)
    assert (reply["ok"], reply["refused"]["why"]) == (True, refused), "the engine answers, not the interface"


def test_what_a_reader_gets_can_be_chained_by_anybody(table: Desk) -> None:
    table.open_hand()
    table.deal("As", "Kd")
    before = GENESIS
    for record in table.records():
        link = record.pop("hash")
        record.pop("signature", None)
        public = json.dumps(record, sort_keys=True, separators=(",", ":"), ensure_ascii=False).encode()
        before = chained(before, public)
        assert before.hex() == link


def test_a_reader_begins_after_the_position_it_names(table: Desk) -> None:
    table.open_hand()
    assert [record["seq"] for record in table.records(5)] == list(range(6, table.newest + 1))


@pytest.mark.parametrize(("hands", "first"), [(1, 50), (2, 26), (3, 1), (9, 1)])
def test_a_reader_begins_with_one_of_the_last_hands(hands: int, first: int) -> None:
    with desk() as table:
        table.played_before(WHOLE_HAND * 2)
        table.start()
        with closing(Line(table.socket)) as line:
            line.say(b'{"follow": {"hands": %d}}\n' % hands)
            greeting, record = line.hear(), line.hear()
    assert greeting is not None
    assert "table" in greeting
    assert record is not None
    assert record["seq"] == first


def test_a_card_that_nobody_may_see_is_on_no_line(table: Desk) -> None:
    table.open_hand()
    table.deal("As", "Kd", "Qh", "9c")
    drawn = [record for record in table.records() if record["fact"]["kind"] == "drawn"]
    assert len(drawn) == 4
    for record in drawn:
        assert len(record["fact"]["card"]) == 64
        assert "reveals" not in record
    everything = json.dumps(table.records())
    assert not [code for code in ("As", "Kd", "Qh", "9c") if f'"{code}"' in everything]


# --- entering -------------------------------------------------------------------------------------------------------


def test_an_entry_is_answered_with_its_record_when_it_is_on_the_disk(table: Desk) -> None:
    reply = table.enter("press new-hand")
    assert reply == {"ok": True, "seq": table.newest, "refused": None}


def test_an_entry_that_changes_nothing_is_recorded_and_says_why(table: Desk) -> None:
    reply = table.enter("bet 1 ante 1000")
    assert reply["ok"]
    assert reply["seq"] == table.newest
    assert reply["refused"]["why"] == "bets-closed"


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("press banco", "a 'press' line as in the grammar"),
        ("bet 1", "bet SEAT NAME [AMOUNT]"),
        ("name board.1 1s by ana", "'1s' is no card"),
        ("rule 1 void-hand", "a 'rule' line as in the grammar"),
        ("", "is not one of acknowledge, act, asks, bet, button, call"),
        (" press bet", "is not one of acknowledge, act, asks, bet, button, call"),
        ("draw As", "'draw' is not one of"),
        ("lost shoe sabot", "'lost' is not one of"),
        ("back shoe sabot", "'back' is not one of"),
        ("said shoe sabot cut-card", "'said' is not one of"),
        ("restart", "'restart' is not one of"),
        ("fault x", "'fault' is not one of"),
    ],
)
def test_an_entry_that_is_none_is_told_what_would_be_right_and_recorded_nowhere(
    shared: Desk, text: str, told: str
) -> None:
    before = shared.newest
    reply = shared.enter(text)
    assert not reply["ok"]
    assert told in reply["error"]
    assert shared.newest == before


def test_people_enter_what_people_can_know_and_no_card_out_of_a_shoe() -> None:
    people = {"press", "bet", "standing", "remove", "out", "declare", "rule", "acknowledge", "name", "correct", "call"}
    at_a_circle = {"act", "asks", "chips", "player", "stack", "button"}
    staff = {"croupier", "croupier-off", "limits", "shelve", "unshelve", "transfer"}
    assert people | at_a_circle | staff == ENTERED


# --- bad lines ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "line",
    [
        b"",
        b"\xff\xfe",
        b"press bet",
        b"1",
        b"[]",
        b"{}",
        b'{"follow": {}}',
        b'{"follow": {"after": -1}}',
        b'{"follow": {"after": 1e3}}',
        b'{"follow": {"after": 99999999999999999999}}',
        b'{"follow": {"hands": 0}}',
        b'{"follow": {"hands": 99999999999999999999}}',
        b'{"follow": {"hands": "1"}}',
        b'{"enter": 1}',
        b"[" * (REQUEST_BYTES - 1),
    ],
    ids=lambda line: repr(line[:40]),
)
def test_a_bad_line_is_answered_and_the_next_one_is_taken(shared: Desk, line: bytes) -> None:
    with closing(Line(shared.socket)) as connection:
        connection.say(line + b"\n")
        reply = connection.hear()
        assert reply is not None
        assert not reply["ok"]
        assert "expected" in reply["error"]
        connection.say(b'{"enter": "acknowledge 99 by ana"}\n')
        reply = connection.hear()
    assert reply is not None
    assert reply["ok"]


def test_a_line_without_end_is_answered_once_and_hung_up(shared: Desk) -> None:
    with closing(Line(shared.socket)) as connection:
        connection.say(b"x" * REQUEST_BYTES)
        reply = connection.hear()
        assert reply is not None
        assert not reply["ok"]
        assert connection.hear() is None
    assert shared.enter("acknowledge 99 by ana")["ok"]


def test_a_position_that_does_not_exist_yet_is_waited_for(table: Desk) -> None:
    with table.reader(table.newest + 1) as reader:
        table.enter("press new-hand")
        assert reader.next(SHORT_S) is None
        table.enter("bet 1 ante 1000")
        record = reader.next(LONG_S)
    assert record is not None
    assert record["fact"]["kind"] == "bets"


# --- readers that are slow or gone ----------------------------------------------------------------------------------


def test_readers_that_do_not_read_hold_up_nobody() -> None:
    with desk() as table:
        table.played_before(WHOLE_HAND * 25)
        table.start()
        stored = sum(len(json.dumps(record)) for record in table.records())
        sleepers = [Line(table.socket) for _ in range(5)]
        for sleeper in sleepers:
            assert stored > sleeper.socket.getsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF), "they would not be stuck"
            sleeper.say(b'{"follow": {"after": 0}}\n')
        table.open_hand()
        table.deal("As", "Kd")
        assert table.records()[-1]["fact"]["kind"] == "drawn"
        for sleeper in sleepers:
            assert sleeper.hear() is not None, "the greeting waits for whoever wakes up"
            sleeper.close()


def test_readers_that_hang_up_hold_up_nobody(table: Desk) -> None:
    for _ in range(10):
        with closing(Line(table.socket)) as line:
            line.say(b'{"follow": {"after": 0}}\n')
        with closing(Line(table.socket)) as line:
            line.say(b'{"enter": "press ')
        with closing(Line(table.socket)) as line:
            line.say(b'{"enter": "acknowledge 99 by ana"}\n')
    assert table.enter("press new-hand")["ok"]
    assert table.stop() == 0
    assert not table.log.events("tilt")


def test_readers_that_hang_up_give_their_place_back_and_too_many_are_turned_away(folder: Path) -> None:
    Store.open(folder / "a.db").close()
    server = control(folder / "a.sock", folder / "a.db")
    server.start()
    for _ in range(2):  # nothing is ever recorded here: only their hanging up can set them free
        readers = [followed(folder / "a.sock") for _ in range(CONNECTIONS_MAX)]
        with closing(Line(folder / "a.sock")) as one_too_many:
            assert turned_away(one_too_many)
        for reader in readers:
            reader.close()
    server.close()


def followed(path: Path) -> Subscription:
    """A reader, as soon as there is a place for one."""
    until_s = time.monotonic() + LONG_S
    while True:
        try:
            return Subscription(path, after=0)
        except NoController:
            assert time.monotonic() < until_s, "no place was given back"


def turned_away(line: Line) -> bool:
    """Hung up before anything could be said, while it was, or after it."""
    try:
        line.say(b'{"follow": {"after": 0}}\n')
        return line.hear() is None
    except (BrokenPipeError, ConnectionResetError):
        return True


def test_readers_are_hung_up_when_the_controller_ends_and_have_everything_by_then(table: Desk) -> None:
    with table.reader(0) as reader:
        table.open_hand()
        assert table.stop() == 0
        seen = [reader.next(LONG_S) for _ in range(table.newest)]
        with pytest.raises(NoController, match="hung up"):
            reader.next(LONG_S)
    assert [record["seq"] for record in seen if record is not None] == list(range(1, table.newest + 1))
    with pytest.raises(NoController, match="there is no socket, so the controller does not run; start the table"):
        Connection(table.socket)


# --- the socket -----------------------------------------------------------------------------------------------------


def control(path: Path, journal: Path) -> ApiServer:
    return ApiServer(path, api_context(journal))


@pytest.fixture
def folder() -> Iterator[Path]:
    with temporary_folder() as made:
        Store.open(Path(made) / "a.db").close()
        yield Path(made)


def test_only_the_owner_can_reach_the_socket(shared: Desk) -> None:
    assert stat.S_IMODE(shared.socket.stat().st_mode) & 0o077 == 0


@pytest.mark.parametrize(("readers", "mode"), [(Readers.OWNER, 0o600), (Readers.GROUP, 0o660)])
def test_a_group_of_readers_comes_to_the_socket_where_the_configuration_says_so(
    folder: Path, readers: Readers, mode: int
) -> None:
    server = ApiServer(folder / "a.sock", api_context(folder / "a.db"), readers)
    server.bind()
    try:
        assert stat.S_IMODE((folder / "a.sock").stat().st_mode) == mode
    finally:
        server.close()


def test_a_socket_that_a_dead_process_left_behind_is_replaced(folder: Path) -> None:
    left = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    left.bind(str(folder / "a.sock"))
    left.close()
    server = control(folder / "a.sock", folder / "a.db")
    server.start()
    Subscription(folder / "a.sock", after=0).close()
    server.close()
    assert not (folder / "a.sock").exists()


def test_a_socket_at_which_is_listening_is_left_alone(folder: Path) -> None:
    first = control(folder / "a.sock", folder / "a.db")
    first.start()
    second = control(folder / "a.sock", folder / "a.db")
    with pytest.raises(OSError, match="Address already in use"):
        second.start()
    second.close()
    Subscription(folder / "a.sock", after=0).close()
    first.close()


def test_a_file_that_is_no_socket_is_left_alone(folder: Path) -> None:
    (folder / "a.sock").write_text("notes", encoding="utf-8")
    server = control(folder / "a.sock", folder / "a.db")
    with pytest.raises(OSError, match="Address already in use"):
        server.start()
    server.close()
    assert (folder / "a.sock").read_text(encoding="utf-8") == "notes"


def test_a_journal_that_is_gone_is_told_to_the_reader(folder: Path) -> None:
    server = control(folder / "a.sock", folder / "none.db")
    server.start()
    with closing(Line(folder / "a.sock")) as line:
        line.say(b'{"follow": {"after": 0}}\n')
        assert line.hear() == {"api": VERSION, "table": {}}
        reply = line.hear()
    server.close()
    assert reply is not None
    assert "there is no such journal" in reply["error"]


def test_tpc_tab_3_a_follower_who_has_read_everything_is_hung_up_when_the_game_changes(folder: Path) -> None:
    """The record by which it changed may have been read before it was published: nothing else need come."""
    table = api_context(folder / "a.db")
    server = ApiServer(folder / "a.sock", table)
    server.start()
    with closing(Line(folder / "a.sock")) as line:
        line.say(b'{"follow": {"after": 0}}\n')
        assert line.hear() == {"api": VERSION, "table": {}}
        table.play({"table": {"rulebook": "texas-poker"}}, SETUP)
        assert line.hear() is None
    server.close()


def test_what_was_given_up_is_not_taken_later_and_what_was_taken_is_not_given_up() -> None:
    entry = EnterFact(fact=Called(at_us=0, by="ana"))
    assert "it will not take this any more" in entry.wait(0.0)["error"]
    assert not entry.take()
    entry = EnterFact(fact=Called(at_us=0, by="ana"))
    assert entry.take()
    assert "look at the felt" in entry.wait(0.0)["error"]
    entry.answer(7, None)
    assert entry.wait(0.0) == {"ok": True, "seq": 7, "refused": None}

"""From a table that deals to the pit server: what it does now, at once, whatever becomes of its records."""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

import pytest

from tablectl.config.table_file import load
from tablectl.core.public_table.table_state import TableState
from tablectl.fleet.epochs import Epoch
from tablectl.fleet.last_values import BYTES_MOST, LastValues, decoded, encoded
from tablectl.fleet.pit.presence import Presence
from tablectl.fleet.uplink import presence, table_now
from tablectl.fleet.uplink.presence import PresenceLane
from tablectl.fleet.uplink.state import Link
from tablectl.fleet.uplink.table_now import TableNow
from tablectl.fleet.uplink.transport import NowTransport, PitAway, PitRefuses
from tablectl.journal.clock import now_us
from tests.desk import Desk
from tests.fleet.linked import NAME, enrol, running
from tests.fleet.pits import Pit
from tests.journal.journals import records as journal_of
from tests.screens import hands
from tests.screens.api_stub import ApiStub
from tests.screens.controller import Bench
from tests.waiting import until

pytestmark = [pytest.mark.system, pytest.mark.usefixtures("soon")]


@pytest.fixture(autouse=True)
def _without_jitter(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(presence, "JITTER_S", 0.0)
    monkeypatch.setattr(presence, "PAUSE_S", 0.05)
    monkeypatch.setattr(presence, "REFUSED_PAUSE_S", 0.1)
    monkeypatch.setattr(presence, "HEARTBEAT_S", 0.5)


class Said:
    """A pit server that only listens, and can be away."""

    def __init__(self) -> None:
        self.values: list[LastValues] = []
        self.is_away = False

    def tell(self, values: bytes) -> None:
        if self.is_away:
            raise PitAway("nobody there")
        self.values.append(decoded(values))

    def close(self) -> None:
        """Nothing to hang up."""


@contextmanager
def telling(
    table: Desk, to: Pit | Said, *, known: tuple[Epoch, int] = (Epoch(), 0), refused: Callable[[], None] = lambda: None
) -> Iterator[PresenceLane]:
    """The lane alone: no record is sent."""
    config = load(table.config)
    lane = PresenceLane(
        TableNow(config.socket, config.marks), _connecting(to), known=lambda: known, refused=refused, now_us=now_us
    )
    thread = threading.Thread(target=lane.run)
    thread.start()
    try:
        yield lane
    finally:
        lane.stop()
        thread.join()


def _connecting(to: Pit | Said) -> Callable[[], NowTransport]:
    if isinstance(to, Said):
        return lambda: to
    context = to.certificate_for(NAME)
    return lambda: to.transport(context)


def seen(pit: Pit) -> Presence | None:
    return next((found for found in pit.floor.picture.tables if found.name == NAME), None)


def shown(pit: Pit) -> LastValues | None:
    """What the overview shows of the table, where it is known."""
    found = seen(pit)
    return None if found is None or found.is_unknown(pit.floor.picture.at_s) else found.values


def origin_of(table: Desk) -> str:
    return journal_of(table.journal)[0].hash.hex()


def test_the_overview_is_right_while_no_record_of_the_table_came(table: Desk, pit: Pit) -> None:
    enrol(table, pit)
    table.open_hand()
    with telling(table, pit):
        until(lambda: (found := shown(pit)) is not None and found.seq == table.newest)
        found = shown(pit)
        assert found is not None
        assert (found.game, found.phase, found.hand, found.seats) == ("texas-bonus", "dealing", 1, (1, 2))
        assert (found.waits.instruction, found.waits.about) == ("deal", "seat-1.1")
        assert (found.state, found.devices.unwell) == (TableState.PLAYING, ())
        assert found.devices.well == 3
        assert found.origin == origin_of(table)
        table.deal("As")
        until(lambda: (now := shown(pit)) is not None and now.waits.about == "seat-2.1")
    assert pit.floor.picture.reached == {}


def test_the_first_word_after_a_connection_has_all_that_there_is(table: Desk) -> None:
    table.open_hand()
    table.deal("As", "9c")
    said = Said()
    with telling(table, said):
        until(lambda: bool(said.values))
    assert said.values[0].seq == table.newest
    assert said.values[0].waits.about == "house.1"
    assert said.values[0].waits_since == table.records(table.newest - 1)[0]["at"]


def test_nothing_is_said_of_a_table_before_all_was_read_that_it_has(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A controller that sends a part of what it has a moment later."""
    monkeypatch.setattr(table_now, "ANSWER_S", 60.0)
    bench = Bench()
    bench.lines(hands.WHOLE)
    records: list[Mapping[str, Any]] = [{**record, "hash": "ab" * 32} for record in bench.records]
    stub = ApiStub(tmp_path / "control", bench.greeting, records[:3])
    stub.answer = {"records": len(records), "devices": []}
    now = TableNow(tmp_path / "control", ())
    with stub:
        rest = records[3:]
        later = threading.Timer(0.2, lambda: deque(map(stub.record, rest), maxlen=0))
        later.start()
        assert now.wait(0.0)
        assert now.values(now_us(), Epoch(), 0).seq == len(records)
        now.close()
        later.join()


def test_a_table_at_which_nothing_happens_is_heard_of_again_and_again(table: Desk) -> None:
    said = Said()
    with telling(table, said):
        until(lambda: len(said.values) >= 4)
    times = [values.at for values in said.values]
    assert times == sorted(set(times))


def test_no_more_than_four_times_a_second(table: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(presence, "LEAST_GAP_S", 30.0)
    monkeypatch.setattr(presence, "HEARTBEAT_S", 60.0)
    said = Said()
    with telling(table, said) as lane:
        until(lambda: bool(said.values))
        for _ in range(3):
            assert table.enter("press new-hand")["ok"]
            assert table.enter("press cancel")["ok"]
        lane.stop()
    assert len(said.values) == 1


def test_a_controller_that_is_away_is_said_and_what_the_table_was_doing_stands(table: Desk, pit: Pit) -> None:
    enrol(table, pit)
    table.open_hand()
    with telling(table, pit):
        until(lambda: (found := shown(pit)) is not None and found.seq == table.newest)
        table.stop()
        until(lambda: (found := shown(pit)) is not None and found.state is TableState.NO_CONTROLLER)
        found = shown(pit)
        assert found is not None
        assert (found.hand, found.phase) == (1, "dealing")
        table.start()
        until(lambda: (found := shown(pit)) is not None and found.seq == table.newest)


def test_after_an_outage_the_table_is_heard_again_and_a_new_server_knows_what_it_said(table: Desk, pit: Pit) -> None:
    enrol(table, pit)
    table.open_hand()
    with telling(table, pit) as lane:
        until(lambda: (found := shown(pit)) is not None and found.seq == table.newest)
    pit.stop()
    pit.start()
    until(lambda: seen(pit) is not None)
    found = seen(pit)
    assert found is not None
    assert found.values is not None
    assert (found.values.hand, found.is_unknown(pit.floor.picture.at_s)) == (1, True)
    assert lane.told > 0
    with running(table, pit), telling(table, pit):
        until(lambda: shown(pit) is not None)


def test_while_the_server_is_away_the_lane_says_why_and_goes_on(table: Desk) -> None:
    said = Said()
    said.is_away = True
    with telling(table, said) as lane:
        until(lambda: lane.why == "nobody there")
        said.is_away = False
        until(lambda: bool(said.values))
        assert lane.why == ""


def test_the_epoch_is_that_of_the_records_that_were_sent_and_of_the_restores_since(table: Desk) -> None:
    said = Said()
    origin = origin_of(table)
    with telling(table, said, known=(Epoch(origin=origin, restores=3), 1)):
        until(lambda: bool(said.values))
    assert said.values[0].epoch == str(Epoch(origin=origin, restores=3))
    other = Said()
    with telling(table, other, known=(Epoch(origin="cd" * 32, restores=3), 1)):
        until(lambda: bool(other.values))
    assert other.values[0].epoch == str(Epoch(origin=origin)), "the pit server has another journal of this table"


def test_who_is_not_enrolled_says_nothing(table: Desk, pit: Pit) -> None:
    with telling(table, pit) as lane:
        until(lambda: "no table mesa-1 is enrolled" in lane.why)
        enrol(table, pit)
        until(lambda: shown(pit) is not None)


def test_an_idle_table_that_is_revoked_learns_it_with_its_heartbeat(table: Desk, pit: Pit) -> None:
    enrol(table, pit)
    with running(table, pit) as uplink, telling(table, pit, refused=uplink.look):
        until(lambda: uplink.status.acked == table.newest)
        with pit.store() as store:
            store.revoke(NAME, "2026-11-28T10:00:00.000000Z")
        until(lambda: uplink.status.link is Link.NOT_ADMITTED)
        assert "was revoked" in uplink.status.why


def test_what_is_nonsense_or_too_long_is_refused(pit: Pit) -> None:
    pit.enrol(NAME, bytes(32))
    with closing(pit.transport(pit.certificate_for(NAME))) as transport:
        with pytest.raises(PitRefuses, match="not what a table says") as refused:
            transport.tell(b"{}")
        assert refused.value.why == "values"
        with pytest.raises(PitRefuses, match="at most") as refused:
            transport.tell(bytes(BYTES_MOST + 1))
        assert refused.value.why == "too-long"


def test_a_table_speaks_for_itself_alone(table: Desk, pit: Pit) -> None:
    """The name is that of the certificate."""
    pit.enrol("mesa-2", bytes(32))
    enrol(table, pit)
    said = Said()
    with telling(table, said):
        until(lambda: bool(said.values))
    with closing(pit.transport(pit.certificate_for("mesa-2"))) as transport:
        transport.tell(encoded(said.values[0]))
    until(lambda: any(found.heard_s is not None for found in pit.floor.picture.tables))
    heard = {found.name for found in pit.floor.picture.tables if found.heard_s is not None}
    assert heard == {"mesa-2"}

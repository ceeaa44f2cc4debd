"""Which tables are there, one list of their alarms, and who is called: with a clock that the test sets."""

from __future__ import annotations

import random
import threading
from collections.abc import Sequence
from typing import Final

import msgspec
import pytest

from tablectl.core.public_table.alarm_kinds import Priority
from tablectl.core.public_table.alarms import AlarmState
from tablectl.core.public_table.table_state import TableState
from tablectl.core.timestamps import time_text
from tablectl.fleet.epochs import Epoch
from tablectl.fleet.last_values import LastValues, OpenAlarm, encoded
from tablectl.fleet.pit.announcer import MOST, SPAN_S
from tablectl.fleet.pit.floor import Floor, Kept
from tablectl.fleet.pit.pit_alarms import GATHER_S, NOT_TAKEN_US, PitAlarm, PitAlarmKind, Ring
from tablectl.fleet.pit.presence import SILENT_S, TOGETHER_S, Oddness
from tablectl.fleet.pit.store import KnownTable, NotTaken, Reached, StoreUnusable, TableValues
from tablectl.fleet.topics import Here

ORIGIN: Final = "ab" * 32
START_US: Final = 1_795_301_100_000_000
_US: Final = 1_000_000
#: Somebody is called for a table that is silent.
CALLED_S: Final = SILENT_S + GATHER_S + 1


def table(name: str, number: int = 1) -> KnownTable:
    return KnownTable(id=number, name=name, key=bytes(32), since="2026-11-28T10:00:00.000000Z")


class World:
    """A floor whose clock and store the test sets."""

    def __init__(self, *names: str, remembered: Sequence[TableValues] = ()) -> None:
        self.now_s = 1_000.0
        self.tables = tuple(table(name, number) for number, name in enumerate(names, start=1))
        self.reached: dict[str, Reached] = {}
        self.not_taken: tuple[NotTaken, ...] = ()
        self.values: tuple[TableValues, ...] = ()
        self.kept: list[TableValues] = []
        self.breaks = False
        self.floor = Floor(self._look, self.kept.extend, lambda: self.now_us, lambda: self.now_s)
        self.floor.remember(remembered)
        self.floor.look()

    @property
    def now_us(self) -> int:
        return START_US + round((self.now_s - 1_000.0) * _US)

    def _look(self) -> Kept:
        if self.breaks:
            raise StoreUnusable("no database")
        return Kept(tables=self.tables, reached=self.reached, not_taken=self.not_taken, values=self.values)

    def hear(self, *names: str, seq: int = 10, restores: int = 0, origin: str = ORIGIN, **given: object) -> None:
        for known in self.tables:
            if known.name in names:
                values = values_at(self.now_us, seq=seq, restores=restores, origin=origin, **given)
                self.floor.hear(known, values, encoded(values))

    def later(self, seconds: float, *heard: str) -> None:
        """Time passes; these tables are heard every few seconds meanwhile."""
        end = self.now_s + seconds
        while self.now_s < end:
            self.now_s = min(end, self.now_s + 1.0)
            self.hear(*heard)
            self.floor.look()

    @property
    def unknown(self) -> set[str]:
        self.floor.look()
        return {found.name for found in self.floor.picture.tables if found.is_unknown(self.floor.picture.at_s)}

    @property
    def alarms(self) -> list[tuple[PitAlarmKind, tuple[str, ...]]]:
        self.floor.look()
        return [(alarm.kind, alarm.tables) for alarm in self.floor.picture.alarms]

    @property
    def alarm(self) -> PitAlarm:
        self.floor.look()
        (alarm,) = self.floor.picture.alarms
        return alarm

    @property
    def called(self) -> list[str]:
        self.floor.look()
        return [call.alarm.name for call in self.floor.picture.announced.calls]


def values_at(at_us: int, *, seq: int = 10, restores: int = 0, origin: str = ORIGIN, **given: object) -> LastValues:
    found = LastValues(
        epoch=str(Epoch(origin=origin, restores=restores)), seq=seq, at=time_text(at_us), state=TableState.PLAYING
    )
    return msgspec.structs.replace(found, **given) if given else found


def incident(number: int, began_us: int, **given: object) -> OpenAlarm:
    found = OpenAlarm(
        name=f"incident-{number}",
        priority=Priority.MEDIUM,
        state=AlarmState.UNACKNOWLEDGED,
        since=time_text(began_us),
        clause="THB-CRE-1",
    )
    return msgspec.structs.replace(found, **given) if given else found


@pytest.fixture
def world() -> World:
    made = World("mesa-1", "mesa-2")
    made.hear("mesa-1", "mesa-2")
    made.floor.look()
    return made


# --- presence -------------------------------------------------------------------------------------------------------


def test_after_a_silence_a_table_is_unknown_and_what_it_said_stands(world: World) -> None:
    world.hear("mesa-1", alarms=(incident(1, world.now_us),), hand=7)
    world.later(SILENT_S, "mesa-2")
    assert world.unknown == set()
    world.later(1, "mesa-2")
    assert world.unknown == {"mesa-1"}
    (found,) = [found for found in world.floor.picture.tables if found.name == "mesa-1"]
    assert found.values is not None
    assert found.values.hand == 7
    frozen = {alarm.name: alarm.is_frozen for alarm in world.floor.picture.alarms}
    assert frozen == {"mesa-1 incident-1": True, "mesa-1 silent": False}
    world.hear("mesa-1")
    assert world.unknown == set()
    assert world.alarms == []


def here(session: str, *, is_here: bool) -> Here:
    return Here(epoch=str(Epoch(origin=ORIGIN)), session=session, is_here=is_here)


def test_a_table_that_the_broker_lost_is_unknown_at_once_until_it_is_heard(world: World) -> None:
    world.floor.hear_here("mesa-1", here("one", is_here=True))
    world.hear("mesa-1", hand=7)
    assert world.unknown == set()
    world.floor.hear_here("mesa-1", here("one", is_here=False))
    assert world.unknown == {"mesa-1"}
    assert world.alarms == [(PitAlarmKind.SILENT, ("mesa-1",))]
    world.later(SILENT_S, "mesa-2")
    assert world.called == [], "it may be back in a moment: nobody is called sooner than by the timer"
    world.later(GATHER_S + 1, "mesa-2")
    assert world.called == ["mesa-1 silent"]
    world.hear("mesa-1")
    assert world.unknown == set()
    assert world.alarms == []


def test_the_will_of_an_old_connection_says_nothing_of_the_new_one(world: World) -> None:
    """The broker notices that a line is dead when the table is back by another one."""
    for session in ("one", "two"):
        world.floor.hear_here("mesa-1", here(session, is_here=True))
        world.hear("mesa-1")
    world.floor.hear_here("mesa-1", here("one", is_here=False))
    assert world.unknown == set()
    world.floor.hear_here("mesa-1", here("two", is_here=False))
    assert world.unknown == {"mesa-1"}


def test_a_server_that_started_after_a_table_came_believes_its_will(world: World) -> None:
    world.floor.hear_here("mesa-1", here("one", is_here=False))
    assert world.unknown == {"mesa-1"}


def test_a_table_that_comes_to_the_broker_is_not_known_before_it_says_how_it_is() -> None:
    world = World("mesa-1")
    world.floor.hear_here("mesa-1", here("one", is_here=True))
    assert world.unknown == {"mesa-1"}


def test_after_a_start_each_table_is_unknown_until_it_is_heard_and_shows_what_it_said_before() -> None:
    said = encoded(values_at(START_US, hand=9))
    kept = TableValues(table=table("mesa-1"), at=time_text(START_US - 5 * _US), body=said)
    world = World("mesa-1", "mesa-2", remembered=[kept])
    assert world.unknown == {"mesa-1", "mesa-2"}
    assert world.alarms == [], "they have their time to come"
    hands = {found.name: found.values and found.values.hand for found in world.floor.picture.tables}
    assert hands == {"mesa-1": 9, "mesa-2": None}
    world.hear("mesa-1")
    assert world.unknown == {"mesa-2"}
    world.later(SILENT_S + 1, "mesa-1")
    assert world.alarms == [(PitAlarmKind.SILENT, ("mesa-2",))]


def test_what_was_kept_and_cannot_be_read_is_passed_over() -> None:
    kept = TableValues(table=table("mesa-1"), at=time_text(START_US), body=b"{}")
    assert World("mesa-1", remembered=[kept]).unknown == {"mesa-1"}


def test_an_uplink_that_starts_without_its_controller_does_not_take_away_what_is_known(world: World) -> None:
    world.hear("mesa-1", hand=7, alarms=(incident(1, world.now_us),))
    world.hear("mesa-1", seq=0, origin="", state=TableState.NO_CONTROLLER)
    (found,) = [found.values for found in world.floor.picture.tables if found.name == "mesa-1"]
    world.floor.look()
    (found,) = [found.values for found in world.floor.picture.tables if found.name == "mesa-1"]
    assert found is not None
    assert (found.state, found.hand, len(found.alarms)) == (TableState.NO_CONTROLLER, 7, 1)


def test_a_table_that_may_send_no_more_is_gone(world: World) -> None:
    world.tables = world.tables[:1]
    world.later(3, "mesa-1")
    assert [found.name for found in world.floor.picture.tables] == ["mesa-1"]


def test_while_the_store_cannot_be_read_what_it_said_last_stands(world: World) -> None:
    world.breaks = True
    world.later(3, "mesa-1", "mesa-2")
    assert len(world.floor.picture.tables) == 2


def test_what_tables_said_is_kept_now_and_then_and_at_the_end(world: World) -> None:
    world.later(7, "mesa-1", "mesa-2")
    times = [found.at for found in world.kept if found.table.name == "mesa-1"]
    assert 2 <= len(times) <= 4, "every few seconds"
    world.hear("mesa-1", hand=99)
    world.floor.start()
    world.floor.stop()
    last = [found.body for found in world.kept if found.table.name == "mesa-1"][-1]
    assert last == encoded(values_at(world.now_us, hand=99))


def test_a_table_that_speaks_to_another_server_of_the_same_store_is_known_here_too(world: World) -> None:
    world.later(SILENT_S + 5, "mesa-2")
    assert world.unknown == {"mesa-1"}
    said = encoded(values_at(world.now_us, hand=70))
    world.values = (
        TableValues(table=table("mesa-1"), at=time_text(world.now_us - 4 * _US), body=said),
        TableValues(table=table("mesa-2"), at=time_text(world.now_us - 60 * _US), body=said),
    )
    world.later(3, "mesa-2")
    assert world.unknown == set()
    hands = {found.name: found.values and found.values.hand for found in world.floor.picture.tables}
    assert hands == {"mesa-1": 70, "mesa-2": 0}
    world.later(SILENT_S - 8, "mesa-2")
    assert world.unknown == set()
    world.later(2, "mesa-2")
    assert world.unknown == {"mesa-1"}, "its silence began when it was said, not when it was seen"


# --- a journal that cannot be ---------------------------------------------------------------------------------------


def test_a_journal_that_ends_before_what_it_had_is_said_until_it_is_further(world: World) -> None:
    world.hear("mesa-1", seq=100)
    world.hear("mesa-1", seq=90)
    world.later(2, "mesa-2")
    alarm = world.alarm
    assert (alarm.kind, alarm.why, alarm.seq, alarm.had) == (PitAlarmKind.ODD, Oddness.OLDER, 90, 100)
    since_us = alarm.since_us
    world.hear("mesa-1", seq=95)
    assert world.alarm.since_us == since_us
    world.hear("mesa-1", seq=101)
    assert world.alarms == []


def test_a_journal_that_was_restored_is_not_odd(world: World) -> None:
    world.hear("mesa-1", seq=100)
    world.hear("mesa-1", seq=91, restores=1)
    assert world.alarms == []
    world.hear("mesa-1", seq=120)
    assert world.alarms == [(PitAlarmKind.ODD, ("mesa-1",))], "of the time before the restore"


def test_another_journal_is_said(world: World) -> None:
    world.hear("mesa-1", seq=1, origin="cd" * 32)
    assert (world.alarm.why, world.alarm.had) == (Oddness.OTHER_JOURNAL, 10)


def test_a_journal_without_records_that_are_durable_is_said(world: World) -> None:
    world.reached = {
        "mesa-1": Reached(table="mesa-1", restores=0, seq=50, newest_at="", came_at=time_text(world.now_us))
    }
    world.later(3, "mesa-2")
    world.hear("mesa-1", seq=40)
    assert world.alarms == [], "records may have become durable after it said that"
    world.hear("mesa-1", seq=41)
    assert (world.alarm.why, world.alarm.had) == (Oddness.OLDER, 50)


# --- one list -------------------------------------------------------------------------------------------------------


def test_many_tables_that_fall_silent_together_are_one_alarm_that_keeps_its_name() -> None:
    names = tuple(f"mesa-{number}" for number in range(1, 8))
    world = World(*names)
    world.hear(*names)
    world.later(3, *names[3:])
    world.later(3, names[6])
    world.later(SILENT_S, names[6])
    alarm = world.alarm
    assert (alarm.kind, alarm.tables, alarm.count) == (PitAlarmKind.SILENT_TOGETHER, names[:6], 6)
    assert alarm.priority is Priority.HIGH
    world.later(GATHER_S + 3, names[6])
    assert world.called == [alarm.name]
    world.later(2, *names[2:])
    assert (world.alarm.name, world.alarm.tables) == (alarm.name, names[:2]), "still the network's"
    world.hear(*names)
    assert world.alarms == []
    assert world.called == [alarm.name]


def test_who_falls_silent_with_many_that_are_back_is_still_the_networks() -> None:
    names = ("mesa-1", "mesa-2", "mesa-3", "mesa-4")
    world = World(*names)
    world.hear(*names)
    world.later(5, "mesa-4")
    world.later(SILENT_S - 4)
    assert world.alarm.kind is PitAlarmKind.SILENT_TOGETHER
    world.hear("mesa-1", "mesa-2")
    world.later(6, "mesa-1", "mesa-2")
    assert (world.alarm.kind, world.alarm.tables) == (PitAlarmKind.SILENT_TOGETHER, ("mesa-3", "mesa-4"))


def test_tables_that_fall_silent_one_after_the_other_are_each_an_alarm() -> None:
    names = ("mesa-1", "mesa-2", "mesa-3")
    world = World(*names)
    world.hear(*names)
    world.later(TOGETHER_S + 5, *names[1:])
    world.later(TOGETHER_S + 5, names[2])
    world.later(SILENT_S + 1)
    assert sorted(world.alarms) == [(PitAlarmKind.SILENT, (name,)) for name in names]


def test_what_was_not_taken_is_an_alarm_until_a_day_after_the_records_go_on(world: World) -> None:
    at = time_text(world.now_us)
    world.not_taken = (
        NotTaken(table="mesa-1", flaw="fork", seq=5, at=at, count=2),
        NotTaken(table="mesa-2", flaw="chain", seq=9, at=at, count=1),
        NotTaken(table="gone", flaw="fork", seq=5, at=at, count=1),
    )
    world.later(3, "mesa-1", "mesa-2")
    fork, chain = world.floor.picture.alarms
    assert (fork.kind, fork.tables, fork.priority, fork.count) == (
        PitAlarmKind.FORK,
        ("mesa-1",),
        Priority.HIGH,
        2,
    )
    assert (chain.kind, chain.tables, chain.why) == (PitAlarmKind.NOT_TAKEN, ("mesa-2",), "chain")
    goes_on = Reached(table="mesa-2", restores=0, seq=9, newest_at="", came_at=time_text(world.now_us + _US))
    world.reached = {"mesa-2": goes_on}
    world.later(3, "mesa-1", "mesa-2")
    assert [alarm.state for alarm in world.floor.picture.alarms] == [AlarmState.UNACKNOWLEDGED, AlarmState.RETURNED]
    world.now_s += NOT_TAKEN_US / _US
    world.hear("mesa-1", "mesa-2")
    assert world.alarms == [(PitAlarmKind.FORK, ("mesa-1",))]


def test_the_most_important_comes_first_and_what_was_put_aside_last(world: World) -> None:
    now_us = world.now_us
    alarms = (
        incident(1, now_us - 3 * _US, priority=Priority.LOW),
        incident(2, now_us - 2 * _US, priority=Priority.HIGH),
        incident(3, now_us - _US, priority=Priority.HIGH, state=AlarmState.SHELVED),
        incident(4, now_us, priority=Priority.HIGH),
        incident(5, now_us, priority=Priority.HIGH, state=AlarmState.RETURNED),
    )
    world.hear("mesa-1", alarms=alarms)
    world.floor.look()
    names = [alarm.name.removeprefix("mesa-1 incident-") for alarm in world.floor.picture.alarms]
    assert names == ["4", "2", "1", "5", "3"]


def test_a_tables_clock_may_be_wrong(world: World) -> None:
    wrong_us = world.now_us - 10 * 365 * 24 * 3600 * _US
    values = values_at(wrong_us, alarms=(incident(1, wrong_us - 4 * _US),))
    world.floor.hear(world.tables[0], values, encoded(values))
    assert world.alarm.since_us == world.now_us - 4 * _US
    assert world.alarm.ring is Ring.NOW


# --- who is called --------------------------------------------------------------------------------------------------


def test_what_begins_is_called_once_and_again_when_it_comes_back(world: World) -> None:
    alarm = incident(1, world.now_us)
    for _ in range(3):
        world.hear("mesa-1", alarms=(alarm,))
        assert world.called == ["mesa-1 incident-1"]
    world.hear("mesa-1")
    assert world.called == ["mesa-1 incident-1"]
    world.hear("mesa-1", alarms=(alarm,))
    assert world.called == ["mesa-1 incident-1"] * 2


def test_history_is_listed_and_does_not_ring(world: World) -> None:
    old = tuple(incident(number, world.now_us - 61 * _US) for number in range(30))
    world.hear("mesa-1", alarms=(*old[:19], incident(99, world.now_us - 59 * _US)))
    assert len(world.alarms) == 20
    assert world.called == ["mesa-1 incident-99"]


def test_a_silence_is_called_only_when_it_is_known_how_many_are_silent(world: World) -> None:
    world.later(SILENT_S + 2, "mesa-2")
    assert world.alarms == [(PitAlarmKind.SILENT, ("mesa-1",))]
    assert world.called == []
    world.later(CALLED_S - SILENT_S, "mesa-2")
    assert world.called == ["mesa-1 silent"]


def test_more_than_ten_calls_in_ten_minutes_are_one_line(world: World) -> None:
    for number in range(MOST + 5):
        world.later(1, "mesa-2")
        world.hear("mesa-1", alarms=tuple(incident(one, world.now_us) for one in range(number + 1)))
    assert world.called == [f"mesa-1 incident-{number}" for number in range(MOST)]
    assert world.floor.picture.announced.held_back == 5
    world.now_s += SPAN_S
    world.hear("mesa-2")
    world.hear("mesa-1", alarms=(incident(99, world.now_us),))
    assert world.called == ["mesa-1 incident-99"]
    assert world.floor.picture.announced.held_back == 0


def test_a_thousand_tables_that_come_back_after_a_day_ring_once() -> None:
    """The network of a house was away for a day, at each table something happened meanwhile, and they come back within
    ten minutes, in any order."""
    world, dice = World(*(f"mesa-{number}" for number in range(1_000))), random.Random(8)
    names = [known.name for known in world.tables]
    world.hear(*names)
    began_us = {name: world.now_us + dice.randrange(86_000) * _US for name in names}
    world.later(CALLED_S)
    assert len(world.called) == 1
    world.now_s += 86_400
    dice.shuffle(names)
    back: list[str] = []
    for step in range(10):
        back += names[step * 100 : (step + 1) * 100]
        world.now_s += 60
        for name in back:
            world.hear(name, alarms=(incident(1, began_us[name]),))
        assert world.called == []
    assert not world.unknown
    assert [(alarm.kind, alarm.ring) for alarm in world.floor.picture.alarms] == [
        (PitAlarmKind.TABLE, Ring.NEVER)
    ] * 1_000
    assert world.floor.picture.announced.held_back == 0


def test_what_was_there_when_the_server_started_is_not_called_again() -> None:
    alarms = (incident(1, START_US),)
    said = encoded(values_at(START_US, alarms=alarms))
    world = World("mesa-1", remembered=[TableValues(table=table("mesa-1"), at=time_text(START_US), body=said)])
    world.hear("mesa-1", alarms=alarms)
    assert world.alarms == [(PitAlarmKind.TABLE, ("mesa-1",))]
    assert world.called == []


def test_a_picture_that_cannot_be_made_is_logged_and_the_next_one_is_made() -> None:
    made = threading.Event()
    looks = []

    def look() -> Kept:
        looks.append(1)
        if len(looks) == 1:
            raise ZeroDivisionError
        made.set()
        return Kept(tables=(table("mesa-1"),))

    moments = iter(range(0, 1_000_000, 10))
    floor = Floor(look, lambda _: None, lambda: START_US, lambda: float(next(moments)))
    floor.start()
    assert made.wait(30)
    floor.stop()

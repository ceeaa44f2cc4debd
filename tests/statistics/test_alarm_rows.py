"""Alarms in the statistics: which there were, how long they waited, and floods, as EEMUA 191 asks for them."""

from __future__ import annotations

import csv
from collections.abc import Iterable
from dataclasses import replace
from io import StringIO
from typing import Final

import pytest

from tablectl.core.disk_room import Holds, Space, Urgency
from tablectl.core.engine.facts import Setup
from tablectl.core.engine.vocabulary import Equipment
from tablectl.core.events.stream import decode_record
from tablectl.core.public_table.alarm_kinds import AlarmKind
from tablectl.core.public_table.alarms import Alarm
from tablectl.core.public_table.alarms import alarms_of as table_alarms_of
from tablectl.core.public_table.folding.fold import fold as fold_table
from tablectl.core.public_table.table import PublicTable
from tablectl.core.security import AGAIN_US, QUIET_US
from tablectl.core.timestamps import time_text
from tablectl.statistics.alarm_figures import AlarmFigures, alarm_figures_of, alarms_of
from tablectl.statistics.alarm_rows import AlarmRow
from tablectl.statistics.folding import Totals, fold, fold_all
from tablectl.statistics.store import Store
from tablectl.statistics.table import alarms_csv
from tests.engine.recorded_versions import hand_files
from tests.screens import hands
from tests.screens.controller import STEP_US, Bench, records_of, setup
from tests.statistics.test_figures import HANDS, MINUTE_US, SHIFTS
from tests.statistics.times import us_of

GONE_AND_BACK = "lost panel xkeys cable\nback panel xkeys\n"
CALL = hands.BETS + "call by croupier\n"


def rows_of(bench: Bench) -> list[AlarmRow]:
    """Those that stand for themselves, record by record as they come, and all at once: both are the same."""
    totals, made = Totals(), dict[int, AlarmRow]()
    for record in bench.records:
        totals, changes = fold_all(totals, [record])
        made.update(changes.alarms)
    assert made == dict(fold_all(Totals(), bench.records)[1].alarms)
    return [row for row in made.values() if row.part_of is None]


def bench_of(*events: tuple[int, str], of: Setup | None = None) -> Bench:
    """A table at which these lines were entered so many minutes after its start."""
    bench = Bench(of)
    start_us = bench.now_us
    for minute, lines in events:
        bench.pass_us(max(0, start_us + minute * MINUTE_US - bench.now_us))
        bench.lines(lines)
    return bench


def test_an_alarm_is_a_row_from_its_beginning_to_the_response() -> None:
    (row,) = rows_of(bench_of((0, CALL + "rule 1 continue by ana go on\n")))
    assert (row.kind, row.about, row.priority, row.responder) == ("ruling", "THB-STF-1", 1, "pit-boss")
    assert (row.answered_by, row.until_answered_us, row.over_us == row.answered_us) == ("ana", STEP_US, True)


def test_who_acknowledged_it_first_has_responded() -> None:
    (row,) = rows_of(bench_of((0, CALL + "acknowledge 1 by luis\nrule 1 continue by ana go on\n")))
    assert row.answered_by == "luis"


def test_THB_ERR_1_what_the_rule_resolved_at_once_is_no_alarm() -> None:
    assert rows_of(bench_of((0, hands.BETS + hands.HOLE_CARDS + "press bank-exposed\npress confirm\n"))) == []


def test_a_journal_that_was_put_back_is_one_alarm_until_two_persons_accept_it() -> None:
    bench = bench_of((0, hands.BETS))
    for seq in (812, 813):  # what somebody else remembered is newer by one
        bench.note("head-missing", to_seq=seq, to_hash="", signature="", restored=0)
    (row,) = rows_of(bench)
    assert (row.kind, row.about, row.priority, row.answered_us, row.over_us) == ("rolled-back", "812", 1, None, None)
    bench.note("rollback-accepted", to_seq=813, to_hash="", by="ana", second="luis", reason="")
    (row,) = rows_of(bench)
    assert (row.answered_by, row.over_us == row.answered_us) == ("ana", True)


def test_a_question_that_goes_to_the_pit_boss_is_a_ruling() -> None:
    asked = hands.BETS + hands.HOLE_CARDS + "draw 9c\n"
    (row,) = rows_of(bench_of((0, asked)))
    assert (row.kind, row.responder) == ("question", "croupier")
    (row,) = rows_of(bench_of((0, asked + "press seen\n")))
    assert (row.kind, row.responder) == ("ruling", "pit-boss")


def test_a_lost_device_is_an_alarm_until_it_is_back_and_somebody_has_responded() -> None:
    (row,) = rows_of(bench_of((0, GONE_AND_BACK + "acknowledge device-xkeys by ana\n")))
    assert (row.kind, row.about, row.losses, row.part_of) == ("keys-lost", "xkeys", 1, None)
    assert (row.answered_by, row.over_us is not None) == ("ana", True)


def test_the_reader_of_the_cards_is_one_alarm_and_not_two() -> None:
    lost = "lost antennas a cable\n"
    assert [row.kind for row in rows_of(bench_of((0, "lost shoe s cable\n")))] == ["reader-lost"]
    by_antennas = setup(equipment=Equipment.ANTENNAS)
    assert [row.kind for row in rows_of(bench_of((0, lost), of=by_antennas))] == ["reader-lost"]
    assert [row.kind for row in rows_of(bench_of((0, lost)))] == ["sensor-lost"]


def test_three_losses_of_one_device_within_ten_minutes_are_one_row_with_their_count() -> None:
    (row,) = rows_of(bench_of((0, GONE_AND_BACK), (3, GONE_AND_BACK), (6, GONE_AND_BACK), (9, GONE_AND_BACK)))
    assert (row.number, row.losses, row.over_us is not None) == (1, 4, True)
    slow = rows_of(bench_of((0, GONE_AND_BACK), (6, GONE_AND_BACK), (12, GONE_AND_BACK)))
    assert [row.losses for row in slow] == [1, 1, 1]


def test_a_response_to_a_burst_is_one_to_the_row_that_stands_for_all() -> None:
    shoe = "lost shoe s cable\nback shoe s\n"
    (row,) = rows_of(bench_of((0, shoe), (1, shoe), (2, shoe + "acknowledge 1 by ana\nacknowledge 3 by luis\n")))
    assert (row.losses, row.answered_by) == (3, "luis")


def test_a_device_that_is_told_as_lost_again_by_a_controller_that_starts_is_one_alarm() -> None:
    (row,) = rows_of(bench_of(*((minute, "lost panel xkeys cable\n") for minute in (0, 1, 2))))
    assert row.losses == 1


# --- figures ----------------------------------------------------------------------------------------------------------

BEGIN_US = us_of("2026-11-21T13:00:00Z")


def row(number: int, minute: float, *, about: str = "xkeys", answered_after: float | None = 1) -> AlarmRow:
    raised_us = BEGIN_US + int(minute * MINUTE_US)
    answered_us = None if answered_after is None else raised_us + int(answered_after * MINUTE_US)
    return AlarmRow(number=number, kind="keys-lost", about=about, raised_us=raised_us, answered_us=answered_us)


def figures_of(*rows: AlarmRow, last_minute: float = 300) -> AlarmFigures:
    return alarm_figures_of(rows, HANDS[:2], SHIFTS, last_us=BEGIN_US + int(last_minute * MINUTE_US))


def test_alarms_an_hour_are_of_the_hours_in_which_there_was_a_hand_or_an_alarm() -> None:
    assert figures_of(row(1, 0), row(2, 61), row(3, 62), row(4, 63)).an_hour == 2.0
    assert (figures_of().an_hour, figures_of().longest_s) == (0.0, None)


def test_the_longest_wait_counts_an_alarm_without_a_response_until_the_last_record() -> None:
    answered = figures_of(row(1, 0, answered_after=3), row(2, 5, answered_after=2))
    assert (answered.longest_s, answered.unanswered) == (180.0, 0)
    found = figures_of(row(1, 0, answered_after=3), row(2, 5, answered_after=None), last_minute=10)
    assert (found.longest_s, found.longest and found.longest.number, found.unanswered) == (300.0, 2, 1)


def test_the_ten_most_frequent_come_first() -> None:
    rows = [row(number, number * 20, about=f"d{number % 12}") for number in range(1, 30)]
    top = figures_of(*rows).top
    assert len(top) == 10
    assert top[0] == ("keys-lost", "d1", 3)
    assert [count for _, _, count in top] == sorted((count for _, _, count in top), reverse=True)


def test_more_than_ten_alarms_in_ten_minutes_are_a_flood() -> None:
    dense = [row(number, number * 0.9) for number in range(12)]
    (flood,) = figures_of(*dense).floods
    assert (flood.alarms, flood.to_us - flood.from_us) == (12, int(11 * 0.9 * MINUTE_US))
    assert figures_of(*dense[:10]).floods == ()
    assert figures_of(*(row(number, number * 1.01) for number in range(12))).floods == ()


def test_the_shift_chooses_among_alarms() -> None:
    rows = (row(1, 0), row(2, 120))
    assert [found.number for found in alarms_of(rows, None, SHIFTS)] == [1, 2]
    assert [found.number for found in alarms_of(rows, SHIFTS.shift_of(rows[1].raised_us), SHIFTS)] == [2]


def test_an_alarm_is_a_line_of_the_file() -> None:
    (line,) = csv.DictReader(StringIO(alarms_csv([replace(row(1, 0), losses=4)]), newline=""))
    assert line == {
        "alarm": "1",
        "kind": "keys-lost",
        "about": "xkeys",
        "priority": "2",
        "must_respond": "technician",
        "losses": "4",
        "raised_at": "2026-11-21T13:00:00.000000Z",
        "answered_at": "2026-11-21T13:01:00.000000Z",
        "answered_by": "",
        "answered_after_s": "60.000",
        "over_at": "",
    }


# --- the page and the figures know of the same alarms -----------------------------------------------------------------


@pytest.mark.parametrize("every", [60, pytest.param(1, marks=pytest.mark.wide)], ids=["some", "all"])
def test_the_figures_wait_for_an_answer_to_the_alarms_that_the_page_shows(every: int) -> None:
    n_waiting = 0
    for path in hand_files()[::every]:
        view, totals = PublicTable(), Totals()
        for written in records_of(path.read_text(encoding="utf-8")):
            record = decode_record(written)
            view, (totals, _) = fold_table(view, record), fold(totals, record)
            shown = table_alarms_of(view, record.at_us)
            unanswered = {alarm.name for alarm in shown if alarm.can_acknowledge} | {
                name for alarm in shown for name in alarm.others
            }
            going_on = totals.alarms.going_on.items()
            noted = {row.about for _, row in going_on if row.kind == AlarmKind.DEVICE_SAID}
            waiting = {name for name, row in going_on if row.answered_us is None and row.kind != AlarmKind.DEVICE_SAID}
            where = f"{path.name}: record {record.seq}"
            assert waiting == unanswered, where
            assert noted == devices_noted(shown), where
            n_waiting += len(waiting)
    assert n_waiting > 5


def devices_noted(shown: Iterable[Alarm]) -> set[str]:
    """The devices that said something which somebody has to look after, by the page."""
    return {alarm.name.removeprefix("device-") for alarm in shown if alarm.kind is AlarmKind.DEVICE_SAID}


SAID: Final = (
    "said shuffler mixer jam",
    "said shuffler mixer door-open",
    "said shuffler mixer door-closed",
    "said shoe sabot card-uncertain",
    "said shoe sabot lay-at-mouth",
    "said antennas mesa unanswered",
    "lost shuffler mixer cable",
    "back shuffler mixer",
    "lost antennas mesa cable",
    "said shuffler mixer jam",
    "back antennas mesa",
    "said shuffler mixer started",
    "said antennas mesa unanswered",
    *hands.WHOLE.splitlines(),
    "said shuffler mixer card-missing",
    "shuffled 52",
)


@pytest.mark.parametrize("first", range(len(SAID) - 3))
def test_what_devices_say_is_an_alarm_in_the_figures_as_long_as_on_the_page(first: int) -> None:
    bench, totals, view = Bench(), Totals(), PublicTable()
    rows: dict[int, AlarmRow] = {}
    told, n_noted = 0, 0
    for line in SAID[first:]:
        bench.lines(line)
        for written in bench.records[told:]:
            record = decode_record(written)
            view, (totals, changes) = fold_table(view, record), fold(totals, record)
            rows.update(changes.alarms)
            noted = {row.about for row in rows.values() if row.kind == AlarmKind.DEVICE_SAID and row.over_us is None}
            assert noted == devices_noted(table_alarms_of(view, record.at_us)), line
            n_noted += len(noted)
        told = len(bench.records)
    assert n_noted
    said = [row for row in rows.values() if row.kind == AlarmKind.DEVICE_SAID]
    assert all((row.answered_us, row.answered_by) == (row.over_us, "") for row in said)
    assert (said[0].responder, said[0].priority) == ("croupier", 3)


FULL: Final = Space(holds=Holds.COPY, path="/mnt/copy", free_bytes=1, days=1.0, urgency=Urgency.ALARM)
JOURNAL_FULL: Final = replace(FULL, holds=Holds.JOURNAL)
ROOM: Final = replace(FULL, urgency=Urgency.NONE)
FILLS: Final = replace(FULL, urgency=Urgency.NOTICE)


def test_a_full_disk_is_an_alarm_in_the_figures_as_long_as_on_the_page() -> None:
    store = Store(None)
    seen = ((FILLS,), (FULL,), (FULL,), (FULL, JOURNAL_FULL), (JOURNAL_FULL, ROOM), (ROOM,), (FULL,))
    changes = []
    for minute, disks in enumerate(seen):
        at_us = BEGIN_US + minute * MINUTE_US
        changes.append(store.saw_disks(disks, at_us))
        shown = [alarm.disk.holds for alarm in table_alarms_of(PublicTable(), at_us, disks) if alarm.disk is not None]
        going_on = [row.about for row in store.alarms(0, at_us + 1) if row.over_us is None]
        assert going_on == shown, minute
    assert changes == [False, True, False, True, True, True, True]
    rows = store.alarms(BEGIN_US, BEGIN_US + 60 * MINUTE_US)
    assert [(row.number, row.kind, row.about, row.responder) for row in rows] == [
        (-1, "disk", "copy", "technician"),
        (-2, "disk", "journal", "technician"),
        (-3, "disk", "copy", "technician"),
    ]
    assert [row.until_answered_us for row in rows] == [3 * MINUTE_US, 2 * MINUTE_US, None]
    assert store.alarms(0, BEGIN_US) == ()
    store.close()


def test_alarms_of_disks_stand_among_those_of_records_by_their_times() -> None:
    bench, store = bench_of((0, GONE_AND_BACK), (9, GONE_AND_BACK)), Store(None)
    store.keep(*fold_all(Totals(), bench.records))
    first_us = bench.stream[1].at_us
    store.saw_disks([FULL], first_us + MINUTE_US)
    assert [row.kind for row in store.alarms(0, first_us + 60 * MINUTE_US)] == ["keys-lost", "disk", "keys-lost"]
    store.close()


# --- attempts on the table --------------------------------------------------------------------------------------------


def tried(bench: Bench, count: int) -> None:
    at = time_text(bench.now_us)
    bench.note("security", cause="writes", count=count, first=at, last=at, source="nobody: enter")


def test_attempts_are_one_row_until_somebody_knows_of_them_and_a_new_burst_is_another() -> None:
    bench = Bench()
    for _ in range(3):
        tried(bench, 5)
        bench.pass_us(AGAIN_US)
    bench.line("acknowledge security-writes by luis")
    tried(bench, 1)
    (row,) = rows_of(bench)
    assert (row.kind, row.about, row.responder, row.answered_by) == ("writes-refused", "writes", "technician", "luis")
    assert row.over_us == row.answered_us
    bench.pass_us(QUIET_US + MINUTE_US)
    tried(bench, 1)
    assert [(row.answered_by, row.is_done) for row in rows_of(bench)] == [("luis", True), ("", False)]


def test_software_that_nobody_approved_is_one_row_until_somebody_does() -> None:
    bench = Bench()
    for _ in range(3):
        bench.note("software-approval", approved=False, until=time_text(bench.now_us))
    (row,) = rows_of(bench)
    assert (row.kind, row.responder, row.is_done) == ("not-approved", "technician", False)
    bench.note("software-approval", approved=True, until="")
    (row,) = rows_of(bench)
    assert row.is_done

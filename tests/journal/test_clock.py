"""The check of the wall clock."""

from __future__ import annotations

from collections.abc import Sequence

from tablectl.journal.clock import STEP_US, TableClock

WALL_US = 1_800_000_000_000_000


class Machine:
    """A machine that stands still after readings of its wall clock, so long each time, and whose clock can be set."""

    def __init__(self, *, stands_still_us: Sequence[int]) -> None:
        self._stands_still_us = iter(stands_still_us)
        self._now_us = 0
        self.set_by_us = 0

    def steady_us(self) -> int:
        return self._now_us

    def wall_us(self) -> int:
        read_us = WALL_US + self._now_us + self.set_by_us
        self._now_us += next(self._stands_still_us, 1)
        return read_us


def test_a_program_that_has_to_wait_between_two_clocks_sees_no_step() -> None:
    machine = Machine(stands_still_us=[1, 3 * STEP_US])
    clock = TableClock(machine.wall_us, machine.steady_us)
    assert (clock.take_over(), clock.take_over()) == (0, 0)


def test_a_clock_that_is_set_is_a_step_of_that_size_also_where_the_program_has_to_wait() -> None:
    machine = Machine(stands_still_us=[1, 3 * STEP_US])
    clock = TableClock(machine.wall_us, machine.steady_us)
    machine.set_by_us = -5 * STEP_US
    assert (clock.take_over(), clock.take_over()) == (-5 * STEP_US, 0)


def test_where_every_reading_takes_long_it_is_read_a_few_times_and_no_step() -> None:
    machine = Machine(stands_still_us=[1, *[3 * STEP_US] * 4, STEP_US // 2, *[3 * STEP_US] * 100])
    clock = TableClock(machine.wall_us, machine.steady_us)
    assert clock.take_over() == 0


def test_the_time_of_the_table_goes_on_whatever_is_set_until_it_is_taken_over() -> None:
    machine = Machine(stands_still_us=[])
    clock = TableClock(machine.wall_us, machine.steady_us)
    before = clock.now_us()
    machine.set_by_us = -3_600 * STEP_US
    assert clock.now_us() == before
    assert clock.take_over() == -3_600 * STEP_US
    assert clock.now_us() == before - 3_600 * STEP_US + 1


def test_a_clock_that_is_set_little_by_little_is_taken_over_once_it_is_more_than_a_second() -> None:
    machine = Machine(stands_still_us=[])
    clock = TableClock(machine.wall_us, machine.steady_us)
    taken = []
    for _ in range(5):
        machine.set_by_us += 400_000
        taken.append(clock.take_over())
    assert taken == [0, 0, 1_200_000, 0, 0]

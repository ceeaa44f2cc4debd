"""The check of the wall clock."""

from __future__ import annotations

from collections.abc import Sequence

from tablectl.journal.clock import JUMP_US, ClockWatch

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


def test_a_program_that_has_to_wait_between_two_clocks_sees_no_jump() -> None:
    machine = Machine(stands_still_us=[1, 3 * JUMP_US])
    clock = ClockWatch(machine.wall_us, machine.steady_us)
    assert (clock.jump_us(), clock.jump_us()) == (0, 0)


def test_a_clock_that_is_set_is_a_jump_of_that_size_also_where_the_program_has_to_wait() -> None:
    machine = Machine(stands_still_us=[1, 3 * JUMP_US])
    clock = ClockWatch(machine.wall_us, machine.steady_us)
    machine.set_by_us = -5 * JUMP_US
    assert (clock.jump_us(), clock.jump_us()) == (-5 * JUMP_US, 0)


def test_where_every_reading_takes_long_it_is_read_a_few_times_and_no_jump() -> None:
    machine = Machine(stands_still_us=[1, *[3 * JUMP_US] * 4, JUMP_US // 2, *[3 * JUMP_US] * 100])
    clock = ClockWatch(machine.wall_us, machine.steady_us)
    assert clock.jump_us() == 0

"""The volumes of a journal are checked in turns, and the processor's time for it is bounded whatever their size."""

from __future__ import annotations

from dataclasses import dataclass, field

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tablectl.journal.rotation import SHARE, Rotation

EVERY_S = 600.0
COSTS = st.lists(st.floats(min_value=0.01, max_value=200.0), min_size=1, max_size=30)


@dataclass
class Machine:
    """A clock and a processor: what each volume costs, when it was checked last, what was used in all."""

    costs: list[float]
    now_s: float = 0.0
    used_s: float = 0.0
    round_s: float = 0.0
    checked: list[int] = field(default_factory=list)

    def volumes(self) -> tuple[int, ...]:
        return tuple(range(1, len(self.costs) + 1))

    def check(self, number: int) -> None:
        self.checked.append(number)
        self.used_s += self.costs[number - 1]
        self.round_s += self.costs[number - 1]

    def round(self, rotation: Rotation) -> tuple[int, ...]:
        self.round_s = 0.0
        done = rotation.round(self.volumes(), self.check, lambda: self.round_s)
        self.now_s += rotation.lasts_s(self.round_s)
        return done


def test_it_is_two_per_cent() -> None:
    assert SHARE == 0.02


@given(costs=COSTS, n_rounds=st.integers(1, 60))
def test_its_share_of_a_processor_is_kept_whatever_volumes_cost(costs: list[float], n_rounds: int) -> None:
    rotation, machine = Rotation(every_s=EVERY_S), Machine(costs)
    for _ in range(n_rounds):
        machine.round(rotation)
        assert machine.used_s <= SHARE * machine.now_s * (1 + 1e-9)


@given(costs=COSTS, after=st.integers(0, 40))
def test_every_volume_has_its_turn_before_one_has_its_second(costs: list[float], after: int) -> None:
    rotation, machine = Rotation(every_s=EVERY_S, after=after), Machine(costs)
    machine.round(rotation)
    assert machine.checked[0] == len(costs), "the newest volume is first"
    while len(machine.checked) < 1 + 3 * len(costs):
        machine.round(rotation)
    in_turns = machine.checked[1:] if len(costs) > 1 else machine.checked
    last_round = in_turns[-len(costs) :]
    assert sorted(last_round) == list(machine.volumes())


def test_a_year_that_took_84_per_cent_of_a_core_takes_two_and_is_read_within_eight_hours() -> None:
    year = [504.0 / 9] * 9
    rotation, machine = Rotation(every_s=EVERY_S), Machine(year)
    machine.round(rotation)
    began_s = machine.now_s
    while len(machine.checked) < 10:
        assert len(machine.round(rotation)) == 1
    assert machine.now_s - began_s == pytest.approx(504.0 / SHARE)
    assert machine.used_s / machine.now_s == pytest.approx(SHARE)


def test_a_small_journal_is_checked_whole_each_time_and_the_rest_of_the_time_is_free() -> None:
    rotation, machine = Rotation(every_s=EVERY_S), Machine([1.0, 1.0, 0.2])
    assert machine.round(rotation) == (3, 1, 2)
    assert machine.round(rotation) == (3, 1, 2)
    assert machine.now_s == 2 * EVERY_S


def test_a_volume_that_takes_a_rounds_whole_share_is_the_only_one_of_its_round() -> None:
    rotation, machine = Rotation(every_s=EVERY_S), Machine([SHARE * EVERY_S] * 3)
    assert machine.round(rotation) == (3,)
    assert machine.now_s == EVERY_S


def test_it_begins_after_the_number_that_it_was_given() -> None:
    machine = Machine([20.0] * 5)
    rotation = Rotation(every_s=EVERY_S, after=2)
    assert [machine.round(rotation) for _ in range(7)] == [(5,), (3,), (4,), (5,), (1,), (2,), (3,)]


def test_volumes_that_come_and_go_do_not_stop_it() -> None:
    rotation = Rotation(every_s=EVERY_S)
    used_s = 100.0
    turns = [(4, 5), (4, 5, 6), (5, 6), (6,), (6, 7)]
    done = [rotation.round(turn, lambda _: None, lambda: used_s) for turn in turns]
    assert done == [(5,), (4,), (5,), (6,), (7,)]


def test_what_a_check_raises_ends_the_round_and_it_goes_on_from_there() -> None:
    rotation, machine = Rotation(every_s=EVERY_S), Machine([20.0] * 3)
    machine.round(rotation)

    def fail(number: int) -> None:
        raise OSError(number)

    with pytest.raises(OSError, match="1"):
        rotation.round((1, 2, 3), fail, lambda: 0.0)
    assert machine.round(rotation) == (2,)

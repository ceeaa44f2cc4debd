"""One look is one row a minute, for each session and for each thing that is looked at."""

from __future__ import annotations

from tablectl.people.once import OnceAMinute
from tests.people.clock import MINUTE, Clock


def test_the_first_one_of_a_minute_counts_for_each_session_and_thing(clock: Clock) -> None:
    once = OnceAMinute(clock.now_us)
    assert [once.is_first("one", "hand 1") for _ in range(3)] == [True, False, False]
    assert once.is_first("one", "hand 2")
    assert once.is_first("other", "hand 1")
    clock.pass_us(MINUTE - 1)
    assert not once.is_first("one", "hand 1")
    clock.pass_us(1)
    assert once.is_first("one", "hand 1")


def test_what_is_remembered_has_an_end(clock: Clock) -> None:
    """Rather a row too many than a memory that grows for as long as the screens run."""
    once = OnceAMinute(clock.now_us)
    assert all(once.is_first("one", str(number)) for number in range(10_000))
    assert once.is_first("one", "0")


def test_a_clock_that_was_set_back_hides_nothing(clock: Clock) -> None:
    once = OnceAMinute(clock.now_us)
    once.is_first("one", "hand 1")
    clock.pass_us(-MINUTE)
    assert once.is_first("one", "hand 1")

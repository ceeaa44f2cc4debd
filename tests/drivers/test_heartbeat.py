"""A thread that ended or does not move is found out, one that waits or ended in order is not."""

from __future__ import annotations

import threading

from drivers.heartbeat import Heartbeat

WITHIN_S = 10.0


class Clock:
    """Says what the test wants."""

    def __init__(self) -> None:
        self.now_s = 100.0

    def __call__(self) -> float:
        return self.now_s


def test_nobody_is_in_trouble_before_the_thread_began() -> None:
    assert Heartbeat("reader").trouble(WITHIN_S) is None


def test_a_thread_that_beats_is_well_and_one_that_does_not_is_not() -> None:
    clock = Clock()
    heartbeat = Heartbeat("reader", now_s=clock)
    heartbeat.begin()
    clock.now_s += WITHIN_S
    assert heartbeat.trouble(WITHIN_S) is None
    clock.now_s += 0.1
    assert heartbeat.trouble(WITHIN_S) == "the thread reader has not moved for more than 10 s"
    heartbeat.beat()
    assert heartbeat.trouble(WITHIN_S) is None


def test_a_thread_that_waits_for_work_may_wait_for_ever() -> None:
    clock = Clock()
    heartbeat = Heartbeat("writer", now_s=clock)
    heartbeat.begin()
    heartbeat.rest()
    clock.now_s += 1000 * WITHIN_S
    assert heartbeat.trouble(WITHIN_S) is None
    heartbeat.beat()
    clock.now_s += WITHIN_S + 0.1
    assert heartbeat.trouble(WITHIN_S) is not None


def test_a_thread_that_ended_is_in_trouble_even_where_it_was_waiting() -> None:
    heartbeat = Heartbeat("reader")

    def life() -> None:
        heartbeat.begin()
        heartbeat.rest()

    thread = threading.Thread(target=life)
    thread.start()
    thread.join()
    assert heartbeat.trouble(WITHIN_S) == "the thread reader has ended"


def test_what_ends_a_thread_is_told_by_its_kind_and_place_and_nothing_else() -> None:
    heartbeat = Heartbeat("copy")

    def life() -> None:
        raise SystemExit("As")

    thread = threading.Thread(target=heartbeat.live, args=(life,))
    thread.start()
    thread.join()
    trouble = str(heartbeat.trouble(WITHIN_S))
    assert trouble.startswith("the thread copy has ended: SystemExit at ")
    assert "test_heartbeat.py:" in trouble
    assert "As" not in trouble


def test_a_life_that_is_over_in_order_is_no_trouble() -> None:
    heartbeat = Heartbeat("copy")
    thread = threading.Thread(target=heartbeat.live, args=(lambda: None,))
    thread.start()
    thread.join()
    assert heartbeat.trouble(WITHIN_S) is None


def test_a_thread_that_ended_in_order_is_in_no_trouble() -> None:
    heartbeat = Heartbeat("reader")

    def life() -> None:
        heartbeat.begin()
        heartbeat.end()

    thread = threading.Thread(target=life)
    thread.start()
    thread.join()
    assert heartbeat.trouble(WITHIN_S) is None

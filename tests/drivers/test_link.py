"""Commands that are acknowledged, refused, answered or ignored, in virtual time."""

from __future__ import annotations

from drivers.health import Tally
from drivers.link import AT_ONCE_S, Accepted, Answered, LinkTiming, Refused, RequestLink, Unanswered

BUSY = 0x21
TIMING = LinkTiming(reply_s=1.0, attempts=3)


def link_with(*commands: str, tally: Tally | None = None) -> RequestLink[str]:
    link: RequestLink[str] = RequestLink(retry_codes=frozenset({BUSY}), timing=TIMING, tally=tally)
    for command in commands:
        link.submit(command, command.encode())
    return link


def test_the_first_command_goes_out_at_once_and_the_second_waits_for_its_answer() -> None:
    link = link_with("a", "b")
    assert link.take_outgoing() == [b"a"]
    assert link.take_outgoing() == []
    assert link.accepted() == [Accepted("a")]
    assert link.take_outgoing() == [b"b"]
    assert link.answered(b"42") == [Answered("b", b"42")]
    assert not link.is_busy
    assert link.deadline_s() is None


def test_time_starts_with_the_first_tick_which_is_due_at_once() -> None:
    link = link_with("a")
    assert link.deadline_s() == AT_ONCE_S
    assert link.tick(now_s=10.0) == []
    assert link.deadline_s() == 11.0


def test_silence_is_asked_again_which_is_counted_and_then_given_up() -> None:
    tally = Tally()
    link = link_with("a", "b", tally=tally)
    link.tick(now_s=0.0)
    sent = [*link.take_outgoing()]
    assert link.tick(now_s=0.999) == []
    for now_s in (1.0, 2.0):
        assert link.tick(now_s=now_s) == []
        sent += link.take_outgoing()
    assert sent == [b"a"] * 3
    assert link.tick(now_s=3.0) == [Unanswered("a", 3)]
    assert link.take_outgoing() == [b"b"]
    assert tally == Tally(retries=2)


def test_a_refusal_for_good_is_final() -> None:
    link = link_with("a")
    assert link.refused(0x13) == [Refused("a", 0x13)]
    assert not link.is_busy


def test_a_curable_refusal_is_tried_again_in_its_own_time_and_remembered_at_the_end() -> None:
    link = link_with("a")
    link.tick(now_s=0.0)
    link.take_outgoing()
    for now_s in (1.0, 2.0):
        assert link.refused(BUSY) == []
        assert link.take_outgoing() == []
        assert link.tick(now_s=now_s) == []
        assert link.take_outgoing() == [b"a"]
    assert link.refused(BUSY) == []
    assert link.tick(now_s=3.0) == [Refused("a", BUSY)]


def test_an_answer_that_nobody_waits_for_is_nothing() -> None:
    link = link_with()
    assert [*link.accepted(), *link.answered(b""), *link.refused(1), *link.tick(now_s=0.0)] == []


def test_a_lost_wire_leaves_everything_unanswered_and_nothing_to_write() -> None:
    link = link_with("a", "b")
    assert link.drop() == [Unanswered("a", 1), Unanswered("b", 1)]
    assert link.take_outgoing() == []
    assert link.deadline_s() is None

"""A fault plan is data: the same plan, seed and messages give the same actions."""

from __future__ import annotations

from pathlib import Path

import pytest

from simulators.devices.faults import (
    Fault,
    FaultInjector,
    FaultKind,
    FaultPlan,
    FaultPlanError,
    Restart,
    Send,
    Side,
    TagFault,
    TagFaultKind,
    Unplug,
    Wait,
    load_faults,
)

ABC = Send(b"abc")


def struck(fault: Fault, *, messages: int = 4) -> list[list[object]]:
    injector = FaultInjector(FaultPlan(faults=(fault,)), seed=1)
    return [[*injector.apply(b"abc")] for _ in range(messages)]


@pytest.mark.parametrize(
    ("fault", "second"),
    [
        (Fault(kind=FaultKind.LOSE, at=(2,)), []),
        (Fault(kind=FaultKind.REPEAT, at=(2,), count=2), [ABC, ABC, ABC]),
        (Fault(kind=FaultKind.SPLIT, at=(2,), offset=1, for_s=0.5), [Send(b"a"), Wait(0.5), Send(b"bc")]),
        (Fault(kind=FaultKind.DELAY, at=(2,), for_s=2.0), [Wait(2.0), ABC]),
        (Fault(kind=FaultKind.REBOOT, at=(2,)), [ABC, Restart()]),
        (Fault(kind=FaultKind.UNPLUG_MID_FRAME, at=(2,), offset=2, for_s=1.5), [Send(b"ab"), Unplug(1.5)]),
    ],
)
def test_a_fault_strikes_the_message_with_its_number_and_no_other(fault: Fault, second: list[object]) -> None:
    assert struck(fault) == [[ABC], second, [ABC], [ABC]]


def test_corruption_changes_exactly_one_byte() -> None:
    [[changed]] = struck(Fault(kind=FaultKind.CORRUPT, at=(1,)), messages=1)
    assert isinstance(changed, Send)
    assert sum(was != now for was, now in zip(b"abc", changed.data, strict=True)) == 1


def test_junk_stands_before_the_message() -> None:
    [[junk, message]] = struck(Fault(kind=FaultKind.JUNK, at=(1,), count=5), messages=1)
    assert isinstance(junk, Send)
    assert (len(junk.data), message) == (5, ABC)


def test_silence_lasts_for_a_number_of_messages() -> None:
    assert struck(Fault(kind=FaultKind.SILENCE, at=(2,), count=2)) == [[ABC], [], [], [ABC]]


def test_the_wrong_speed_keeps_the_length_and_nothing_else() -> None:
    first, second, third, _ = struck(Fault(kind=FaultKind.WRONG_BAUD, at=(1,), count=2))
    for [noise] in (first, second):
        assert isinstance(noise, Send)
        assert len(noise.data) == 3
        assert noise != ABC
    assert third == [ABC]


def test_chance_follows_from_the_seed() -> None:
    plan = FaultPlan(faults=(Fault(kind=FaultKind.LOSE, probability=0.5),))

    def losses(seed: int) -> list[bool]:
        injector = FaultInjector(plan, seed=seed)
        return [not injector.apply(b"x") for _ in range(200)]

    assert losses(1) == losses(1)
    assert losses(1) != losses(2)
    assert 50 < sum(losses(1)) < 150


def test_a_plan_is_read_from_toml(tmp_path: Path) -> None:
    file = tmp_path / "plan.toml"
    file.write_text(
        '[[fault]]\nkind = "unplug-mid-frame"\nat = [7, 9]\noffset = 3\nfor_s = 2\n\n'
        '[[fault]]\nkind = "junk"\nprobability = 0.25\ncount = 4\n',
        "utf-8",
    )
    assert load_faults(file) == FaultPlan(
        faults=(
            Fault(kind=FaultKind.UNPLUG_MID_FRAME, at=(7, 9), offset=3, for_s=2.0),
            Fault(kind=FaultKind.JUNK, probability=0.25, count=4),
        )
    )


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("[[fault", "Expected"),
        ("[other]", "other"),
        ("[fault]\nkind='lose'", "[[fault]]"),
        ("[[tag-fault]]\nkind='lose'\nat=[1]", "tag-fault 1: kind: one of quiet-tag"),
        ("[[tag-fault]]\nkind='clone'", "never strikes"),
        ("[[tag-fault]]\nkind='clone'\nat=[1]\nother_antenna=1", "other_antenna: another one than 1"),
        ("[[tag-fault]]\nkind='clone'\nat=[1]\nfor_s=1", "unknown key 'for_s'"),
        ("fault = [1]", "fault 1: a table"),
        ("[[fault]]\nkind='eat'\nat=[1]", "fault 1: kind: one of lose"),
        ("[[fault]]\nkind='lose'", "never strikes"),
        ("[[fault]]\nkind='lose'\nat=[0]", "at: a list"),
        ("[[fault]]\nkind='lose'\nat=[true]", "at: a list"),
        ("[[fault]]\nkind='lose'\nprobability=1.5", "between 0 and 1"),
        ("[[fault]]\nkind='lose'\nprobability='x'", "probability: a number"),
        ("[[fault]]\nkind='lose'\nat=[1]\noffset=-1", "offset: a whole number, at least 0"),
        ("[[fault]]\nkind='lose'\nat=[1]\ncount=0", "count: a whole number, at least 1"),
        ("[[fault]]\nkind='lose'\nat=[1]\nwhen=3", "unknown key 'when'"),
    ],
)
def test_a_mistake_in_a_plan_is_named_with_its_file(tmp_path: Path, text: str, said: str) -> None:
    file = tmp_path / "plan.toml"
    file.write_text(text, "utf-8")
    with pytest.raises(FaultPlanError) as error:
        load_faults(file)
    assert str(file) in str(error.value)
    assert said in str(error.value)


def test_a_plan_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(FaultPlanError, match=r"none\.toml"):
        load_faults(tmp_path / "none.toml")


def test_a_fault_of_the_host_strikes_at_what_the_host_says_alone(tmp_path: Path) -> None:
    path = tmp_path / "plan.toml"
    path.write_text('[[fault]]\nkind = "lose"\nof = "host"\nat = [1]\n', encoding="utf-8")
    plan = load_faults(path)
    assert FaultInjector(plan).apply(b"a") == [Send(b"a")]
    assert FaultInjector(plan, side=Side.HOST).apply(b"a") == []


def test_a_side_that_is_none_is_named(tmp_path: Path) -> None:
    path = tmp_path / "plan.toml"
    path.write_text('[[fault]]\nkind = "lose"\nof = "cable"\nat = [1]\n', encoding="utf-8")
    with pytest.raises(FaultPlanError, match="of: one of device, host"):
        load_faults(path)


def test_a_device_that_hangs_says_nothing_until_it_has_power_anew() -> None:
    injector = FaultInjector(FaultPlan(faults=(Fault(kind=FaultKind.STUCK, at=(2,)),)))
    assert [[*injector.apply(b"abc")] for _ in range(4)] == [[ABC], [], [], []]
    assert injector.is_stuck
    injector.power_on()
    assert [*injector.apply(b"abc")] == [ABC]


def test_a_device_that_hangs_may_get_power_by_itself() -> None:
    injector = FaultInjector(FaultPlan(faults=(Fault(kind=FaultKind.STUCK, at=(1,), for_s=5.0),)))
    assert [[*injector.apply(b"abc")] for _ in range(2)] == [[Wait(5.0), Restart()], []]


def test_faults_of_tags_are_read_from_the_same_file(tmp_path: Path) -> None:
    file = tmp_path / "plan.toml"
    file.write_text(
        '[[fault]]\nkind = "stuck"\nat = [7]\n\n[[tag-fault]]\nkind = "clone"\nat = [2]\nantenna = 2\n\n'
        '[[tag-fault]]\nkind = "quiet-tag"\nprobability = 0.5\n',
        "utf-8",
    )
    plan = load_faults(file)
    assert plan.faults == (Fault(kind=FaultKind.STUCK, at=(7,)),)
    assert plan.tag_faults == (
        TagFault(kind=TagFaultKind.CLONE, at=(2,), antenna=2, other_antenna=1),
        TagFault(kind=TagFaultKind.QUIET_TAG, probability=0.5),
    )

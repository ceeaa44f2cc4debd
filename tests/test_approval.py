"""A real table deals with software that somebody approved; one that was there before has a month, and no more."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from simulators.stage.stage import Scene, config_text
from tablectl.cli.main import main
from tablectl.config.table_file import load
from tablectl.core.events.notes import SoftwareApproval
from tablectl.core.timestamps import time_us
from tablectl.journal.clock import TableClock, now_us
from tablectl.journal.keys import make_keys
from tablectl.journal.tilt import Tilt, TiltKind
from tablectl.ops.software.required import unapproved
from tablectl.table.approval import GRACE_US, ApprovalWatch, last_approval
from tablectl.table.controller import controller
from tablectl.table.controller.controller import EXIT_TILT
from tests.desk import Desk, desk
from tests.set_clock import PassingClock, TheClock
from tests.waiting import until

NOW_US = 1_795_302_000_000_000
MINUTE_US = 60_000_000
DAY_US = 24 * 60 * MINUTE_US


def watch(*, is_approved: bool = False, last: SoftwareApproval | None = None, now_us: int = NOW_US) -> ApprovalWatch:
    return ApprovalWatch(is_approved=is_approved, last=last, now_us=now_us)


# --- how long ---------------------------------------------------------------------------------------------------------


def test_a_table_that_was_there_before_goes_on_for_thirty_days_and_no_longer() -> None:
    made = watch()
    assert time_us(made.until) == NOW_US + GRACE_US == NOW_US + 30 * DAY_US
    assert not made.is_over(NOW_US + GRACE_US - 1)
    assert made.is_over(NOW_US + GRACE_US)


def test_a_restart_begins_no_other_thirty_days() -> None:
    note = watch().due(7, NOW_US)
    assert note is not None
    again = watch(last=note, now_us=NOW_US + 29 * DAY_US)
    assert again.until == note.until
    assert again.is_over(NOW_US + GRACE_US)


def test_a_clock_that_is_set_back_lengthens_nothing() -> None:
    made = watch()
    at_us = NOW_US + 29 * DAY_US
    made.clock_set(-29 * DAY_US)
    assert not made.is_over(at_us - 29 * DAY_US)
    assert made.is_over(at_us - 29 * DAY_US + DAY_US)
    note = made.due(7, at_us - 29 * DAY_US)
    assert note is not None
    assert watch(last=note).until == made.until


def test_a_clock_that_is_set_forward_shortens_nothing() -> None:
    made = watch()
    made.clock_set(400 * DAY_US)
    assert not made.is_over(NOW_US + 400 * DAY_US)
    assert made.is_over(NOW_US + 400 * DAY_US + GRACE_US)


def test_who_takes_the_approval_away_gets_no_time_at_all() -> None:
    approved = watch(is_approved=True).due(7, NOW_US)
    assert approved == SoftwareApproval(at_us=NOW_US, approved=True, until="")
    assert watch(last=approved, now_us=NOW_US + DAY_US).is_over(NOW_US + DAY_US)


def test_approved_software_is_on_record_once_a_start_and_other_software_after_each_hand() -> None:
    approved, other = watch(is_approved=True), watch()
    assert [approved.due(hand, NOW_US) is not None for hand in (7, 7, 8, 9)] == [True, False, False, False]
    assert [other.due(hand, NOW_US) is not None for hand in (7, 7, 8, 9)] == [True, False, True, True]
    assert not approved.is_over(NOW_US + 400 * DAY_US)


# --- a new table ------------------------------------------------------------------------------------------------------


def real(text: str) -> str:
    """The configuration of a table whose only device is a shoe at this machine's own port."""
    text = re.sub(r"\[usb\]\nbus = .*\n", "", text)
    before, shoe, rest = text.partition('[[device]]\nname = "sabot"')
    return before.partition("[[device]]")[0] + shoe + rest


def new_table(folder: Path, software: str = "") -> Path:
    path = folder / "mesa-1.toml"
    path.write_text(f"{real(config_text(Scene(), folder))}\n{software}", encoding="utf-8")
    return path


def test_a_new_table_without_an_approval_does_not_begin_and_says_what_to_do(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    config = new_table(tmp_path)
    assert main(["run", str(config)]) == 2
    said = capsys.readouterr().err
    assert "software.manifest: found nothing, and this table is new" in said
    assert f"tablectl manifest make {config} --key PEM" in said
    assert "there is nothing to clear" in said
    assert [path.name for path in tmp_path.iterdir()] == ["mesa-1.toml"]


def test_a_new_table_whose_manifest_is_not_there_yet_is_no_tilt(tmp_path: Path) -> None:
    config = new_table(tmp_path, '[software]\nmanifest = "m.json"\npublic_key = "a.pem"\n')
    [mistake] = unapproved(load(config))
    assert (mistake.key, mistake.found) == ("software.manifest", f"no file {tmp_path / 'm.json'}")
    (tmp_path / "m.json").touch()
    assert unapproved(load(config)) == []


def test_a_table_that_has_begun_is_left_to_its_controller(tmp_path: Path) -> None:
    config = new_table(tmp_path)
    load(config).journal.touch()
    assert unapproved(load(config)) == []


def test_simulated_tables_and_demonstrations_need_no_approval(tmp_path: Path) -> None:
    simulated = tmp_path / "simulated.toml"
    simulated.write_text(config_text(Scene(), tmp_path), encoding="utf-8")
    assert unapproved(load(simulated)) == []
    config = load(new_table(tmp_path))
    make_keys(config.key, config.signing_key, demo=True)
    assert unapproved(config) == []


# --- at a table -------------------------------------------------------------------------------------------------------


@pytest.fixture
def table(monkeypatch: pytest.MonkeyPatch) -> Iterator[Desk]:
    """It looks at the clock more often than a real one."""
    monkeypatch.setattr(controller, "CLOCK_LOOK_S", 0.05)
    with desk() as made:
        made.config.write_text(real(made.config.read_text(encoding="utf-8")), encoding="utf-8")
        yield made


def start(table: Desk, clock: TableClock) -> None:
    """The first start: the shoe was just switched on, and says so."""
    table.begin(clock=clock)
    assert table.is_ready()
    table.await_record("device-back", 0, role="shoe")
    for said in ("started", "stand-by"):
        table.await_record("device-said", 0, what=said)


def a_hand(table: Desk) -> None:
    table.open_hand()
    table.play_on()


def approvals(table: Desk) -> list[dict[str, Any]]:
    return [record["fact"] for record in table.records() if record["fact"]["kind"] == "software-approval"]


@pytest.mark.system
def test_a_table_that_nobody_approved_plays_its_hand_to_the_end_and_opens_no_other_one(table: Desk) -> None:
    start(table, clock := PassingClock(-GRACE_US + DAY_US))
    a_hand(table)
    told = table.await_record("software-approval", 0)["fact"]
    assert (told["approved"], time_us(told["until"]) > now_us()) == (False, True)
    table.open_hand()
    clock.passed_us = 2 * DAY_US
    table.play_on()
    assert table.ended() == EXIT_TILT
    assert table.mark is not None
    assert table.mark.kind is TiltKind.SOFTWARE
    assert "nobody approved this software" in table.mark.reason
    assert "tablectl manifest make" in table.mark.reason
    newest = last_approval(table.journal)
    assert newest is not None
    assert newest.until == told["until"]


@pytest.mark.system
def test_an_expired_table_opens_no_hand_and_is_not_cleared_before_somebody_approves(table: Desk) -> None:
    start(table, PassingClock(-GRACE_US - MINUTE_US))
    a_hand(table)
    table.await_record("software-approval", 0)
    assert table.stop() == 0
    table.begin()
    assert table.ended() == EXIT_TILT
    with pytest.raises(Tilt, match="nobody approved this software") as refused:
        table.clear()
    assert refused.value.kind is TiltKind.SOFTWARE


@pytest.mark.system
def test_a_clock_that_is_set_back_at_a_running_table_lengthens_nothing(table: Desk) -> None:
    start(table, clock := TheClock())
    a_hand(table)
    table.await_record("software-approval", 0)
    clock.set_by_us = -10 * DAY_US
    a_hand(table)
    until(lambda: len(approvals(table)) > 1)
    first, *_, last = (time_us(fact["until"]) for fact in approvals(table))
    assert abs(first - last - 10 * DAY_US) < MINUTE_US

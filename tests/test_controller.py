"""The one writer: durable before any effect, one controller a table, no second card, and a bug holds the table."""

from __future__ import annotations

import json
import os
import resource
import stat
import sys
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any, NoReturn

import pytest
from pytest_mock import MockerFixture

from drivers.facts import DoubtedCard
from drivers.patlite.messages import LightState, Pattern
from drivers.sealed import Sealed
from drivers.xkeys.messages import Lamp
from simulators import processes
from simulators.devices.faults import Fault, FaultKind, FaultPlan
from simulators.stage.stage import Scene, Stage, config_text, temporary_folder
from simulators.stage.summary import check
from tablectl.api.client import ask
from tablectl.config.table_file import load
from tablectl.core.engine import facts as f
from tablectl.core.engine.decisions import Decision
from tablectl.core.engine.rulebook import Rulebook
from tablectl.core.engine.table import Table
from tablectl.core.engine.vocabulary import Key
from tablectl.games.registry import rulebook_of
from tablectl.journal.clock import now_us
from tablectl.journal.keys import make_keys
from tablectl.table.controller import controller
from tablectl.table.controller.controller import EXIT_OK, EXIT_TILT, Controller
from tests.desk import BY, LONG_S, REASON, Desk, KeptLog, Record, desk
from tests.journal.journals import WHOLE_HAND, changed, records

pytestmark = pytest.mark.system

PANEL = Scene().panel
FAULT = LightState(red=Pattern.ON, yellow=Pattern.ON)
PLAY = LightState(green=Pattern.ON)


@pytest.fixture
def table() -> Iterator[Desk]:
    with desk() as made:
        made.start()
        yield made


def drawn(records: list[Record]) -> list[int]:
    """The numbers of the cards that count."""
    return [record["fact"]["draw"] for record in records if "draw" in record["fact"]]


def placed(records: list[Record]) -> list[str]:
    return [
        decision["slot"] for record in records for decision in record["decisions"] if decision["kind"] == "card-placed"
    ]


def decisions(record: Record) -> list[str]:
    return [decision["kind"] for decision in record["decisions"]]


def enter(stage: Stage, text: str) -> None:
    connection = stage.connection()
    try:
        assert connection.enter(text)["ok"]
    finally:
        connection.close()


# --- durable before any effect --------------------------------------------------------------------------------------


def settled(table: Desk) -> None:
    """Wait until the panel looks as the newest record wants it."""
    wanted = {PANEL[Key(key)] for key in table.records(table.newest - 1)[0]["prompt"]["keys"]}
    table.until(lambda: set(table.panel.lamps) == wanted, f"the keys {wanted} are lit")


def _own_lamp(table: Desk, key: Key, n_before: int) -> list[int]:
    """After the first `n_before` effects: how many records were on the disk each time the key's own lamp went dark or
    blinked. Others of a panel that was just found are still on their way."""
    looks = {f"lamp {PANEL[key]} {lamp.name}" for lamp in (Lamp.OFF, Lamp.RED_BLINK)}
    table.until(lambda: any(what in looks for what, _ in table.effects[n_before:]), f"{key} changes its own lamp")
    return [n_records for what, n_records in table.effects[n_before:] if what in looks]


def test_no_lamp_changes_before_the_record_is_on_the_disk(table: Desk) -> None:
    table.is_counting = True
    for key in (Key.NEW_HAND, Key.SEAT_1, Key.NO_MORE_BETS, Key.NEW_HAND):
        settled(table)
        before, n_effects = table.newest, len(table.effects)
        table.press(key)
        record = table.await_record("pressed", before)
        assert min(_own_lamp(table, key, n_effects)) >= record["seq"]
        if key is Key.SEAT_1:
            table.until(lambda: Lamp.RED_BLINK not in table.panel.lamps.values(), "nothing blinks any more")
            table.enter("bet 1 ante 1000")


def test_no_reader_gets_a_record_that_is_not_on_the_disk(table: Desk) -> None:
    with table.reader(0) as reader:
        table.open_hand()
        table.deal("As", "Kd", "Qh")
        for _ in range(table.newest):
            record = reader.next(LONG_S)
            assert record is not None
            assert record["seq"] <= table.newest


@pytest.mark.wide
def test_where_the_disk_takes_no_more_nothing_is_dealt_and_nothing_is_lost() -> None:
    with temporary_folder() as folder, Stage(Scene(staff=False), Path(folder)) as stage:
        enter(stage, "press new-hand")
        before, log_before = stage.newest, stage.journal.with_name("table.db-wal").stat().st_size
        resource.prlimit(stage.controller.pid, resource.RLIMIT_FSIZE, (log_before, log_before))
        stage.press(Key.SEAT_1)
        assert stage.controller.wait(LONG_S) == EXIT_TILT
        assert f"record {before + 1} could not be written" in stage.last_words()
        assert '"kind": "read-only"' in stage.last_words()
        assert stage.newest == before
        assert check(stage.journal).good
        cleared = [sys.executable, "-m", "tablectl", "clear", str(stage.config), "--by", BY, "--reason", REASON]
        processes.run(cleared, check=True)
        stage.start_controller()
        with stage.reader(after=before + 1) as reader:
            opened = reader.next(LONG_S)
        assert opened is not None
        assert opened["prompt"]["question"] == "felt"


# --- life -----------------------------------------------------------------------------------------------------------


def test_sigterm_ends_the_controller_in_order() -> None:
    with temporary_folder() as folder, Stage(Scene(staff=False), Path(folder)) as stage:
        enter(stage, "press new-hand")
        assert stage.stop_controller() == EXIT_OK
        assert not stage.socket.exists()
        assert json.loads(stage.last_words().splitlines()[-1])["event"] == "stopped"
        assert check(stage.journal).good
        assert dict(stage.panel.lamps) == {}
        assert stage.light.state == LightState()


def test_a_controller_that_ended_leaves_no_key_lit_and_no_light_on(table: Desk) -> None:
    table.open_hand()
    table.until(lambda: table.light.state == PLAY, "the light is green")
    assert table.stop() == EXIT_OK
    assert dict(table.panel.lamps) == {}
    assert table.light.state == LightState()


def test_the_keys_and_the_journal_are_for_the_owner_alone(table: Desk) -> None:
    assert stat.S_IMODE((table.folder / "table.key").stat().st_mode) == 0o600


@pytest.mark.parametrize("demo", [True, False])
def test_whose_keys_these_are_is_said_to_every_reader(*, demo: bool) -> None:
    with desk() as table:
        if demo:
            make_keys(table.folder / "table.key", table.folder / "table.sign", demo=True)
        table.start()
        with table.reader(0) as reader:
            assert reader.table["demo_key"] is demo


def test_a_wrong_configuration_starts_nothing(tmp_path: Path) -> None:
    config = tmp_path / "table.toml"
    config.write_text(config_text(Scene(seats=10), tmp_path), encoding="utf-8")
    done = processes.run(
        [sys.executable, "-m", "tablectl", "run", str(config)], capture_output=True, text=True, check=False
    )
    assert done.returncode == 2
    assert f"{config}: table.seats: found 10; would be right: a whole number from 1 to 9" in done.stderr
    assert "Nothing was started." in done.stderr
    assert [path.name for path in tmp_path.iterdir()] == ["table.toml"]


# --- one controller a table -----------------------------------------------------------------------------------------


def second_controller(config: Path) -> tuple[int, str]:
    log = KeptLog()
    status = Controller(load(config), log).run()
    (tilt,) = log.events("tilt")
    return status, str(tilt["reason"])


def test_a_second_controller_on_the_same_journal_says_so_and_disturbs_nothing(table: Desk) -> None:
    table.open_hand()
    before = table.newest
    status, reason = second_controller(table.config)
    assert status == EXIT_TILT
    assert f"another controller writes this journal (process {os.getpid()})" in reason
    assert table.newest == before
    table.deal("As")
    assert table.stop() == EXIT_OK


def test_a_second_controller_on_the_same_socket_says_so_and_disturbs_nothing(table: Desk) -> None:
    other = table.folder / "other.toml"
    text = table.config.read_text(encoding="utf-8")
    other.write_text(
        text + 'path = "other.db"\nkey = "other.key"\nsigning_key = "other.sign"\ncopy = "other.copy"\n',
        encoding="utf-8",
    )
    status, reason = second_controller(other)
    assert status == EXIT_TILT
    assert reason == f"{table.socket}: another controller listens there"
    assert table.enter("press new-hand")["ok"]


# --- what cannot be trusted -----------------------------------------------------------------------------------------


def change_one_decision(table: Desk) -> None:
    stored = records(table.journal)[-3]
    assert json.loads(stored.public)["fact"]["kind"] == "pressed"
    changed(table.journal, ("UPDATE record SET public = ? WHERE seq = ?", (stored.public + b" ", stored.seq)))


def take_the_key_away(table: Desk) -> None:
    (table.folder / "table.key").unlink()


def show_the_key_to_others(table: Desk) -> None:
    (table.folder / "table.key").chmod(0o644)


def put_something_else_there(table: Desk) -> None:
    table.journal.write_bytes(b"something else" * 100)
    for beside in ("table.db-wal", "table.db-shm"):
        (table.folder / beside).unlink(missing_ok=True)


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        (change_one_decision, "its hash does not follow from the record before; it was changed"),
        (take_the_key_away, "bring the journal's own key back from its copy"),
        (show_the_key_to_others, "others can read it (mode 0644); run: chmod 0600"),
        (put_something_else_there, "file is not a database"),
    ],
)
def test_a_journal_that_cannot_be_trusted_is_a_tilt_with_a_reason(
    table: Desk, change: Callable[[Desk], None], reason: str
) -> None:
    table.open_hand()
    table.deal("As")
    assert table.stop() == EXIT_OK
    change(table)
    status, told = second_controller(table.config)
    assert status == EXIT_TILT
    assert reason in told


# --- a bug in the engine --------------------------------------------------------------------------------------------


def breaks_at_the_deal(setup: f.Setup) -> Rulebook:
    """A rulebook with a bug: whoever asks for the plan of the deal breaks on it."""

    def plan(_: tuple[int, ...]) -> NoReturn:
        raise ZeroDivisionError("As")

    good = rulebook_of(setup)
    phases = {name: replace(phase, plan=plan) if phase.plan else phase for name, phase in good.phases.items()}
    return replace(good, phases=phases)


def test_a_bug_in_the_engine_holds_the_table_and_keeps_the_fact() -> None:
    with desk() as table:
        table.start(rulebooks=breaks_at_the_deal)
        table.enter("press new-hand")
        table.enter("bet 1 ante 1000")
        before = table.newest
        table.press(Key.NO_MORE_BETS)
        assert table.ended() == EXIT_TILT

        (tilt,) = table.log.events("tilt")
        assert str(tilt["reason"]).startswith("the engine broke on a Pressed fact: ZeroDivisionError at plan, line ")
        assert "the fact is kept, the table resumes held" in str(tilt["reason"])
        assert "As" not in str(tilt["reason"])
        assert dict(table.panel.lamps) == {}
        assert table.light.state == FAULT
        assert table.newest == before + 2

        assert table.does_not_start() == EXIT_TILT
        table.clear()
        table.start()
        failed, tilted, cleared, opened = table.records(before)[:4]
        assert (tilted["fact"]["kind"], cleared["fact"]["kind"]) == ("tilted", "cleared")
        assert failed["fact"]["kind"] == "failed"
        assert json.loads(failed["fact"]["fact"]) == {"kind": "pressed", "key": "no-more-bets"}
        assert failed["fact"]["error"].startswith("ZeroDivisionError at plan, line ")
        assert [decision["clause"] for decision in failed["decisions"]] == ["THB-STF-1"]
        assert (failed["prompt"]["instruction"], failed["prompt"]["held"]) == ("wait-pit-boss", True)
        assert opened["fact"]["kind"] == "opened"
        assert opened["prompt"]["held"]

        assert table.enter("press confirm")["refused"] is None
        assert table.records()[-1]["prompt"]["instruction"] == "wait-pit-boss"
        assert table.enter("rule 1 continue by ana")["refused"] is None
        assert table.enter("press no-more-bets")["refused"] is None
        table.deal("As", "Kd")
        assert placed(table.records())[-2:] == ["seat-1.1", "house.1"]
        assert table.stop() == EXIT_OK
        assert check(table.journal).good


def test_a_person_whose_entry_broke_the_controller_is_told() -> None:
    with desk() as table:
        table.start(rulebooks=breaks_at_the_deal)
        table.enter("press new-hand")
        table.enter("bet 1 ante 1000")
        assert table.enter("press no-more-bets") == {
            "ok": False,
            "error": "the controller broke on this entry; the table is held",
        }
        assert table.ended() == EXIT_TILT


def test_a_card_on_which_the_engine_broke_is_sealed_and_not_said_again() -> None:
    """The shoe repeats its last report after the restart: the card is on record, it is no second one."""
    with desk() as table:
        table.start(rulebooks=breaks_at_a_card)
        table.open_hand()
        table.deal("As", "Kd", "Qh", "9c", "9d")
        before = table.newest
        table.world.stack(["Js"])
        table.shoe.draw()
        assert table.ended() == EXIT_TILT
        table.clear()
        table.start()
        failed = table.records(before)[0]
        assert failed["fact"]["kind"] == "failed"
        assert len(failed["fact"]["card"]) == 64
        assert '"Js"' not in json.dumps(table.records())
        assert table.nothing_more(table.newest) == []
        assert table.log.events("report repeated")
        assert drawn(table.records()) == [1, 2, 3, 4, 5, 6], "it is out of the shoe, and it is out once"


def test_a_doubted_card_on_which_the_engine_broke_is_not_out_of_the_shoe_once_more(mocker: MockerFixture) -> None:
    """The other reading of a card that is out already counts as no card, and the fact that is kept does not say it."""
    devices, apply = mocker.spy(controller, "Devices"), Table.apply

    def breaks(self: Table, fact: f.Fact) -> tuple[Decision, ...]:
        if isinstance(fact, f.DeviceSaid) and fact.card is not None:
            raise ZeroDivisionError
        return apply(self, fact)

    mocker.patch.object(Table, "apply", breaks)
    with desk() as table:
        table.start()
        table.open_hand()
        table.deal("As", "Kd")
        before = table.newest
        hear = devices.call_args.args[1]
        hear(DoubtedCard(device="sabot", at_us=now_us(), kind="card-uncertain", card=Sealed("Js")))
        assert table.ended() == EXIT_TILT
        mocker.stopall()
        table.clear()
        table.start()
        failed = table.records(before)[0]["fact"]
        assert (failed["kind"], failed.get("card"), failed.get("draw")) == ("failed", None, None)
        assert "Js" not in json.dumps(table.records())
        assert drawn(table.records()) == [1, 2]


def breaks_at_a_card(setup: f.Setup) -> Rulebook:
    """A rulebook with a bug: the phase after the deal breaks it, and it is the last card that leads there."""

    def plan(seats: tuple[int, ...]) -> NoReturn:
        raise ZeroDivisionError

    good = rulebook_of(setup)
    after = next(
        transition.dest
        for transition in good.transitions
        if transition.source == "dealing" and transition.trigger == "dealt"
    )
    return replace(good, phases={**good.phases, after: replace(good.phases[after], plan=plan)})


# --- what choices would do --------------------------------------------------------------------------------------------


def breaks_where_void(setup: f.Setup) -> Rulebook:
    """A rulebook with a bug: whoever asks for the plan of a void hand breaks on it."""

    def plan(_: tuple[int, ...]) -> NoReturn:
        raise ZeroDivisionError("As")

    good = rulebook_of(setup)
    return replace(good, phases={**good.phases, "voided": replace(good.phases["voided"], plan=plan)})


def called(table: Desk, rulebooks: Callable[[f.Setup], Rulebook]) -> None:
    """A hand with one bet, and somebody wants the pit boss."""
    table.start(rulebooks=rulebooks)
    for line in ("press new-hand", "bet 1 ante 1000", "press no-more-bets", "call by ana"):
        table.enter(line)


def choices(table: Desk) -> dict[str, Any]:
    said = ask(table.socket, {"ask": "choices"})
    assert said["ok"]
    found: dict[str, Any] = said["choices"]
    return found


def test_what_a_choice_would_do_is_told_before_it_is_made_and_reaches_no_record() -> None:
    with desk() as table:
        called(table, rulebook_of)
        newest = table.newest
        void = {"remedy": "void-hand", "fate": "void", "out": [], "needs_reason": True}
        goes_on = {"remedy": "continue", "fate": "goes-on", "out": [], "seats": [], "needs_reason": False}
        back = {"seat": 1, "paid_back": 1000, "taken_back": 0, "bets_back": [], "bets_taken": []}
        assert choices(table) == {"1": [goes_on, {**void, "seats": [back]}]}
        assert table.nothing_more(newest) == []
        table.enter("rule 1 void-hand by ana misdeal")
        assert choices(table) == {}
        (refund,) = (decision for decision in table.records(newest)[0]["decisions"] if decision["kind"] == "refund")
        assert (refund["seat"], refund["amount"]) == (1, 1000)


def test_a_choice_that_cannot_be_tried_is_told_without_and_logged_once_and_the_table_plays_on() -> None:
    with desk() as table:
        called(table, breaks_where_void)
        for _ in range(2):
            assert [choice["remedy"] for choice in choices(table)["1"]] == ["continue"]
        table.enter("acknowledge 1 by ana")
        assert [choice["remedy"] for choice in choices(table)["1"]] == ["continue"]
        (broke,) = table.log.events("preview broke")
        assert (broke["incident"], broke["remedy"]) == (1, "void-hand")
        assert str(broke["where"]).startswith("ZeroDivisionError at plan, line ")
        assert "As" not in str(broke)
        table.enter("call by ana")
        assert list(choices(table)) == ["1", "2"]
        assert len(table.log.events("preview broke")) == 3, "another incident: everything is tried anew"
        for number in (1, 2):
            table.enter(f"rule {number} continue by ana")
        assert not table.records()[-1]["prompt"]["held"]
        assert table.stop() == EXIT_OK


# --- keys -----------------------------------------------------------------------------------------------------------


def test_a_key_that_is_not_live_blinks_red_says_why_and_goes_dark_again(table: Desk) -> None:
    before = table.newest
    table.press(Key.BANK)
    record = table.await_record("pressed", before)
    assert [(decision["kind"], decision["why"]) for decision in record["decisions"]] == [("refused", "not-live")]
    number = PANEL[Key.BANK]
    table.until(lambda: table.panel.lamps.get(number) is Lamp.RED_BLINK, "the key blinks red")
    table.until(lambda: number not in table.panel.lamps, "the key is dark again")
    table.until(lambda: set(table.panel.lamps) == {PANEL[Key.NEW_HAND], PANEL[Key.INCIDENT]}, "the live keys are")
    assert table.newest == record["seq"]


def test_a_key_that_was_pressed_in_vain_on_a_screen_blinks_too(table: Desk) -> None:
    assert table.enter("press bank")["refused"]["why"] == "not-live"
    table.until(lambda: table.panel.lamps.get(PANEL[Key.BANK]) is Lamp.RED_BLINK, "the key blinks red")


# --- noise on the line ----------------------------------------------------------------------------------------------

#: The shoe says each report three times; the first six messages are its banner.
FIRST_CARD = 7


def nth(card: int, copy: int) -> int:
    """The number of a message: which card's report, and which of the three."""
    return FIRST_CARD + 3 * (card - 1) + copy - 1


@pytest.mark.parametrize(
    ("fault", "told"),
    [
        (Fault(kind=FaultKind.JUNK, at=(nth(1, 1), nth(2, 2)), count=5), "bytes rejected"),
        (Fault(kind=FaultKind.CORRUPT, at=(nth(1, 1), nth(1, 2), nth(2, 3)), offset=4), "bytes rejected"),
        (Fault(kind=FaultKind.CORRUPT, at=(nth(2, 1),), offset=0), "bytes rejected"),
        (Fault(kind=FaultKind.REPEAT, at=(nth(1, 3), nth(2, 1)), count=4), "bytes rejected"),
        (Fault(kind=FaultKind.LOSE, at=(nth(1, 1), nth(1, 2), nth(2, 1)), count=1), None),
        (Fault(kind=FaultKind.SPLIT, at=(nth(1, 1), nth(2, 1)), offset=5, for_s=0.01), None),
    ],
    ids=lambda value: value.kind.value if isinstance(value, Fault) else "",
)
def test_noise_on_the_shoes_line_is_logged_once_and_makes_no_second_card(fault: Fault, told: str | None) -> None:
    with desk(faults=FaultPlan(faults=(fault,))) as table:
        table.start()
        table.open_hand()
        table.deal("As", "Kd", "Qh")
        assert table.nothing_more(table.newest) == []
        assert drawn(table.records()) == [1, 2, 3]
        assert placed(table.records()) == ["seat-1.1", "seat-2.1", "house.1"]
        assert not table.log.events("device lost")
        reasons = [str(event["reason"]) for event in table.log.events("bytes rejected")]
        assert len(set(reasons)) == len(reasons), "each reason is logged once"
        assert bool(reasons) is (told is not None)
        assert table.stop() == EXIT_OK
        assert check(table.journal).good


def test_a_wire_that_breaks_in_the_middle_of_a_report_loses_no_card_and_makes_none() -> None:
    fault = Fault(kind=FaultKind.UNPLUG_MID_FRAME, at=(nth(2, 1),), offset=3, for_s=0.05)
    with desk(faults=FaultPlan(faults=(fault,))) as table:
        table.start()
        table.open_hand()
        table.deal("As")
        before = table.newest
        table.world.stack(["Kd"])
        table.shoe.draw()
        table.await_record("device-lost", before)
        table.await_record("device-back", before)
        table.await_record("drawn", before)
        assert table.nothing_more(table.newest) == []
        assert drawn(table.records()) == [1, 2]
        assert len(table.log.events("device lost")) == 1


# --- the last report once more --------------------------------------------------------------------------------------


def restarted(table: Desk) -> list[Record]:
    """What is recorded because of a restart."""
    before = table.newest
    assert table.stop() == EXIT_OK
    table.start()
    table.nothing_more(table.newest)
    return table.records(before)


def kinds(records: list[Record]) -> list[str]:
    found = [record["fact"]["kind"] for record in records if record["fact"]["kind"] != "device-back"]
    assert found.pop(0) == "stopped", "an end in order is on record"
    return found


def test_a_restart_in_the_middle_of_a_hand_makes_no_second_card_of_the_last_report(table: Desk) -> None:
    table.open_hand()
    table.deal("As", "Kd")
    assert kinds(restarted(table)) == ["opened"]
    assert table.enter("press confirm")["refused"] is None
    table.deal("Qh")
    assert drawn(table.records()) == [1, 2, 3]
    assert placed(table.records()) == ["seat-1.1", "seat-2.1", "house.1"]


def test_a_restart_makes_no_second_unread_card(table: Desk) -> None:
    table.open_hand()
    table.deal("As")
    before = table.newest
    table.shoe.draw_unread()
    table.await_record("drawn", before)
    assert kinds(restarted(table)) == ["opened"]
    assert drawn(table.records()) == [1, 2]


def test_a_restart_while_an_early_card_is_asked_about_makes_no_duplicate_of_it(table: Desk) -> None:
    table.enter("press new-hand")
    table.deal("As")
    assert table.records()[-1]["prompt"]["question"] == "seen"
    assert kinds(restarted(table)) == ["opened"]
    assert drawn(table.records()) == [1]


def test_a_restart_between_two_hands_makes_no_early_card_of_the_last_report(table: Desk) -> None:
    table.open_hand()
    table.deal("As", "Kd")
    table.enter("call by ana")
    table.enter("rule 1 void-hand by ana misdeal")
    table.enter("press confirm")
    assert table.records()[-1]["prompt"]["instruction"] == "new-hand"
    assert kinds(restarted(table)) == ["opened"]
    assert table.records()[-1]["prompt"]["instruction"] == "new-hand"
    table.open_hand()
    assert kinds(restarted(table)) == ["opened"], "nor before the first card of the next hand"
    table.enter("press confirm")
    table.deal("Qh")
    assert placed(table.records())[-1] == "seat-1.1"


def test_a_card_that_comes_again_in_another_hand_is_a_card_where_the_shoe_repeats_nothing(table: Desk) -> None:
    """The shoe lost its power too: it begins anew and has no last report to repeat."""
    table.open_hand()
    table.deal("As")
    table.enter("call by ana")
    table.enter("rule 1 void-hand by ana misdeal")
    table.enter("press confirm")
    assert table.stop() == EXIT_OK
    table.shoe.reboot()
    table.start()
    table.open_hand()
    table.world.shuffle(1)
    table.deal("As")
    assert placed(table.records())[-1] == "seat-1.1"


def test_a_card_drawn_while_no_controller_was_there_is_the_next_one(table: Desk) -> None:
    table.open_hand()
    table.deal("As")
    before = table.newest
    assert table.stop() == EXIT_OK
    table.world.stack(["Kd"])
    table.shoe.draw()
    table.start()
    record = table.await_record("drawn", before)
    assert [decision["slot"] for decision in record["decisions"]] == ["seat-2.1"]
    assert drawn(table.records()) == [1, 2]


def test_a_journal_of_many_hands_is_gone_on_with() -> None:
    with desk() as table:
        table.played_before(WHOLE_HAND * 3)
        table.start()
        assert table.records()[-1]["hand"] == 4
        table.open_hand()
        table.deal("As")
        assert table.stop() == EXIT_OK
        assert check(table.journal).good

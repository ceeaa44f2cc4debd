"""`kill -9` at any moment: the hand goes on where it was, the replay equals the record, no card is lost or doubled."""

from __future__ import annotations

import os
import random
import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Final

import pytest

from simulators import processes
from simulators.stage.accounts import NotAsItWas
from simulators.stage.croupier import Croupier
from simulators.stage.fault_plan import Level
from simulators.stage.power_cuts import Moment, PowerCut, Restarts, Tally, matches, play_on, random_moments
from simulators.stage.stage import Scene, Stage, temporary_folder
from simulators.stage.summary import check
from tablectl.core.engine.decisions import CardTurned
from tablectl.core.engine.facts import Pressed
from tablectl.core.engine.slots import BY_NAME
from tablectl.core.engine.vocabulary import Key
from tablectl.core.events.stream import PublicRecord
from tablectl.journal.copy import last_of
from tablectl.journal.lines import line_with_box, parse
from tablectl.journal.verify_full import verify_full

pytestmark = pytest.mark.system

#: After these the hand may be over before the power is off.
NEARLY_OVER: Final = ("bank", "hand-closed")


@contextmanager
def table(seed: int) -> Iterator[tuple[Stage, Restarts]]:
    with temporary_folder() as folder, Stage(Scene(seed=seed), Path(folder)) as stage:
        croupier = Croupier(stage, seed=seed, level=Level.NONE, pause=lambda _: None, pit_boss_waits_s=0.0)
        yield stage, Restarts(stage, croupier)


@pytest.mark.parametrize(
    "moment",
    [
        pytest.param(Moment(nth=1, kind="new-hand"), marks=pytest.mark.wide),
        pytest.param(Moment(nth=1, kind="bets"), marks=pytest.mark.slow),
        pytest.param(Moment(nth=1, kind="no-more-bets"), marks=pytest.mark.slow),
        pytest.param(Moment(nth=1, kind="drawn"), marks=pytest.mark.slow),
        Moment(nth=7, kind="drawn"),
        pytest.param(Moment(nth=1, kind="bet-taken"), marks=pytest.mark.slow),
        pytest.param(Moment(nth=1, kind="bank"), marks=pytest.mark.wide),
        pytest.param(Moment(nth=1, kind="hand-closed"), marks=pytest.mark.wide),
    ],
    ids=str,
)
def test_a_hand_that_is_cut_off_after_a_chosen_fact_is_finished(moment: Moment) -> None:
    with table(seed=3) as (_, restarts):
        restarts.play([moment])
        assert restarts.tally.cuts == 1
        assert restarts.tally.in_open_hand == 1 or moment.kind in NEARLY_OVER
        restarts.play([])
        assert restarts.tally.hands == 2
        assert restarts.tally.on_felt == restarts.tally.on_record > 20
        assert restarts.check().good


def played(seed: int, cuts: int, level: Level = Level.NONE, rulebook: str = "texas-bonus") -> Tally:
    """So many power cuts, and what they came to: whatever was lost, doubled or changed has raised before."""
    with temporary_folder() as folder:
        *_, tally = play_on(Path(folder), seed=seed, cuts=cuts, level=level, rulebook=rulebook)
    assert tally.cuts == cuts
    assert tally.on_felt == tally.on_record
    assert tally.checked.good, tally.checked.text
    assert tally.copied > tally.on_record
    assert tally.in_open_hand >= cuts / 2, "most power cuts were between two hands: they show little"
    return tally


@pytest.mark.wide
@pytest.mark.parametrize(
    ("seed", "level", "rulebook"),
    [
        pytest.param(7, Level.NONE, "texas-bonus", marks=pytest.mark.slow),
        (22, Level.SOME, "texas-bonus"),
        pytest.param(22, Level.SOME, "texas-poker", marks=pytest.mark.slow),
        (22, Level.SOME, "circle-holdem"),
        pytest.param(22, Level.SOME, "open-holdem", marks=pytest.mark.slow),
    ],
)
def test_after_power_cuts_at_random_moments_every_hand_is_finished(seed: int, level: Level, rulebook: str) -> None:
    assert played(seed, 8, level, rulebook).hands >= 3


@pytest.mark.slow
@pytest.mark.timeout(1800)
@pytest.mark.parametrize(
    ("seed", "level", "rulebook"),
    [
        (11, Level.NONE, "texas-bonus"),
        (12, Level.NONE, "texas-bonus"),
        (13, Level.NONE, "texas-poker"),
        (14, Level.NONE, "texas-poker"),
        (15, Level.SOME, "texas-bonus"),
        (16, Level.SOME, "texas-bonus"),
        (17, Level.SOME, "texas-poker"),
        (18, Level.SOME, "texas-poker"),
    ],
)
def test_after_a_thousand_power_cuts_every_hand_is_finished(seed: int, level: Level, rulebook: str) -> None:
    """125 a seed. In half of them the croupier errs and the shoe's messages are torn as well."""
    tally = played(seed, 125, level, rulebook)
    assert tally.hands >= 125 / 3
    assert level is Level.NONE or tally.incidents > tally.hands / 10


@pytest.mark.wide
def test_the_journal_of_many_power_cuts_can_be_kept_for_a_person_to_look_at() -> None:
    with temporary_folder() as folder:
        kept = Path(folder) / "kept"
        command = [
            sys.executable,
            "-m",
            "simulators.stage.power_cuts",
            "--cuts",
            "3",
            "--seed",
            "7",
            "--keep",
            str(kept),
        ]
        ran = processes.run(command, capture_output=True, text=True, check=False)
        assert (ran.returncode, ran.stderr) == (0, "")
        assert ran.stdout.startswith("3 power cuts, ")
        checked = check(kept / "table.db")
        assert checked.good
        end = verify_full(kept / "table.db", kept / "table.copy").end
        assert last_of(kept / "table.copy") == end
        same = f"journal and copy are the same, {end.seq} records each"
        assert ran.stdout.endswith(f"journal {checked.text}; {same}\n")
        again = processes.run(command, capture_output=True, text=True, check=False)
        assert again.returncode == 2
        assert "name a new folder" in again.stderr


# --- these checks notice ---------------------------------------------------------------------------------------------


def test_a_card_that_is_on_the_felt_and_on_no_record_is_noticed() -> None:
    with table(seed=3) as (stage, restarts):
        restarts.play([])
        stage.world.draw()
        with pytest.raises(NotAsItWas, match="hand 1: on the felt"):
            restarts.count_cards(1)


def test_a_record_that_was_told_and_is_not_on_the_disk_is_noticed() -> None:
    with table(seed=3) as (stage, restarts):
        with stage.reader() as reader:
            told = reader.next(5.0)
        assert told is not None
        stage.kill_controller()
        restarts.recovered([told])
        with pytest.raises(NotAsItWas, match="record 1 was told to a reader and is another one on the disk"):
            restarts.recovered([{**told, "hash": "00"}])
        with pytest.raises(NotAsItWas, match="record 99 was told to a reader; "):
            restarts.recovered([told, {**told, "seq": 99}])


def test_a_copy_that_says_something_else_than_the_journal_is_noticed() -> None:
    with table(seed=3) as (stage, restarts):
        restarts.play([])
        stage.stop_controller()
        assert restarts.copied() == stage.newest
        good = stage.copy.read_bytes()
        *before, last = good.splitlines(keepends=True)
        other = line_with_box(replace(parse(last[:-1]), hash=bytes(32))) + b"\n"
        stage.copy.write_bytes(b"".join([*before, other]))
        with pytest.raises(NotAsItWas, match="is another one there than in the journal"):
            restarts.recovered([])
        stage.copy.write_bytes(b"".join([*before[:7], other, *before[8:], last]))
        with pytest.raises(NotAsItWas, match=r"table\.copy: record 8: "):
            restarts.copied()
        stage.copy.write_bytes(b"".join(before))
        with pytest.raises(NotAsItWas, match=f"its last record is {stage.newest - 1}, the journal's {stage.newest}"):
            restarts.copied()


def test_a_controller_that_ends_by_itself_is_not_taken_for_a_power_cut() -> None:
    with table(seed=3) as (stage, _):
        cut = PowerCut(stage, Moment(nth=1000))
        os.kill(stage.controller.pid, signal.SIGTERM)
        stage.controller.wait()
        with pytest.raises(NotAsItWas, match="no power cut at the 1000th record"):
            cut.join()


def test_a_moment_is_found_by_fact_by_key_and_by_decision() -> None:
    turned = CardTurned(draw=3, slot=BY_NAME["house.1"])
    record = PublicRecord(seq=1, hand=1, at_us=0, event=Pressed(at_us=0, key=Key.BANK), decisions=(turned,))
    assert [kind for kind in ("", "pressed", "bank", "card-turned", "drawn") if matches(record, kind)] == [
        "",
        "pressed",
        "bank",
        "card-turned",
    ]


def test_the_moments_of_a_seed_are_always_the_same() -> None:
    assert random_moments(random.Random(5), 4) == random_moments(random.Random(5), 4)
    assert random_moments(random.Random(5), 4) != random_moments(random.Random(6), 4)

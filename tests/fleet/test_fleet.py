"""Many simulated tables and a real pit server: whatever goes wrong between them, each record is there once."""

from __future__ import annotations

import asyncio
import json
import random
import subprocess
import sys
import time
from pathlib import Path
from typing import Any, Final

import pytest

from simulators import processes
from simulators.fleet import dashboards
from simulators.fleet.__main__ import BEGINS
from simulators.fleet.faults import BadPlan, Fault, parse
from simulators.fleet.hands import Lap, NoHands, lap_of
from simulators.fleet.servers import Servers
from simulators.fleet.tables import Lost, SimulatedTable
from tablectl.cli.main import main
from tablectl.fleet import batches
from tablectl.fleet.batches import BadBatch
from tablectl.journal.signing import Witness
from tablectl.journal.store import Position
from tests.fleet.test_mqtt import needs_broker
from tests.journal.journals import WHOLE_HAND, written

AT: Final = "2026-11-28T10:00:00.000000Z"


@pytest.fixture(scope="module")
def journal(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A few hands that the engine played."""
    path = tmp_path_factory.mktemp("hands") / "table.db"
    written(path, WHOLE_HAND * 3)
    return path


@pytest.fixture
def lap(journal: Path) -> Lap:
    return lap_of(journal)


def table(lap: Lap, name: str = "sim-1") -> SimulatedTable:
    return SimulatedTable.seeded(name, lap, bytes(range(32)))


def test_a_simulated_tables_records_are_a_chain_that_the_pit_server_takes(lap: Lap) -> None:
    made = table(lap)
    made.add(3 * len(lap.again), AT)
    taken, hands = 0, set()
    while (batch := made.batch(50)) is not None:
        checked = batches.checked(batches.unpacked(batch.body), Witness(made.signer.public))
        assert checked.before.seq == taken
        taken = checked.last.seq
        hands |= {record.hand for record in checked.records}
        assert checked.last == batch.last
        made.acknowledged(batch.last)
    assert taken == made.place.newest.seq == 3 * len(lap.again)
    assert len(hands) >= 3 * lap.hands - 1


def test_two_tables_sign_with_keys_of_their_own(lap: Lap) -> None:
    made = table(lap)
    made.add(60, AT)
    batch = made.batch()
    assert batch is not None
    other = SimulatedTable.seeded("sim-2", lap, bytes(32))
    with pytest.raises(BadBatch, match="not signed by this table"):
        batches.checked(batches.unpacked(batch.body), Witness(other.signer.public))


def test_a_table_that_was_put_back_goes_on_in_another_epoch_with_other_records(lap: Lap) -> None:
    made = table(lap)
    made.add(10, AT)
    backup = made.place
    made.add(10, AT)
    had = made.place.newest
    made.back_to(backup)
    made.add_restored(AT)
    made.add(9, AT)
    assert made.place.newest.seq == had.seq
    assert made.place.newest.hash != had.hash
    assert made.place.epoch == backup.epoch.after_restore()


def test_an_acknowledgement_of_another_record_is_noticed(lap: Lap) -> None:
    made = table(lap)
    made.add(5, AT)
    with pytest.raises(Lost, match="record 3"):
        made.acknowledged(Position(3, bytes(32)))


def test_a_journal_without_a_hand_is_named(tmp_path: Path) -> None:
    written(tmp_path / "table.db", "press new-hand")
    with pytest.raises(NoHands, match="no whole hand"):
        lap_of(tmp_path / "table.db")


def test_a_plan_of_faults_is_read() -> None:
    assert parse("kill,cut", 5.0).kinds == (Fault.KILL, Fault.CUT)
    assert set(parse("all", 5.0).kinds) == set(Fault)
    assert parse("none", 5.0).next_s(random.Random(1)) == float("inf")
    with pytest.raises(BadPlan, match="flood: words of kill"):
        parse("flood", 5.0)


def fleet(config: Path, journal: Path, *words: str) -> subprocess.Popen[str]:
    return processes.start(
        [sys.executable, "-m", "simulators", "fleet", str(config), "--journal", str(journal), *words],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def begun(process: subprocess.Popen[str]) -> None:
    """Wait until all tables are enrolled."""
    assert process.stderr is not None
    assert process.stderr.readline().startswith(BEGINS)


def figures_of(process: subprocess.Popen[str]) -> dict[str, Any]:
    said, _ = process.communicate(timeout=120)
    found: dict[str, Any] = json.loads(said)
    return found


@pytest.mark.system
@pytest.mark.wide
@pytest.mark.parametrize(
    "has_broker", [pytest.param(False, id="HTTPS"), pytest.param(True, id="MQTT", marks=needs_broker)]
)
def test_whatever_goes_wrong_each_record_is_there_once_and_each_attack_is_named(
    tmp_path: Path, journal: Path, capsys: pytest.CaptureFixture[str], *, has_broker: bool
) -> None:
    """Bars F1 and F4, short: all kinds of faults at 20 tables, while the server and the broker are killed."""
    with Servers(tmp_path, mqtt=has_broker) as servers:
        words = ["--tables", "20", "--rate", "60", "--seconds", "12", "--faults", "all", "--fault-every", "2"]
        if servers.broker_url is not None:
            words += ["--mqtt", servers.broker_url]
        process = fleet(servers.config, journal, *words)
        begun(process)
        servers.admit()
        dice = random.Random(7)
        for number in range(4):
            time.sleep(1 + 2 * dice.random())
            if has_broker and number % 2:
                servers.restart_broker()
            else:
                servers.programs[0].kill()
                servers.programs[0].start()
        found = figures_of(process)
        assert found["wrong"] == [], "\n".join(found["wrong"])
        assert found["acknowledged"] == found["written"] > 20, "each table wrote"
        assert set(found["faults"]) == set(Fault)
        assert main(["pit", "verify", str(servers.config)]) == 0
        assert capsys.readouterr().out.count("intact") == 20


@pytest.mark.system
@pytest.mark.wide
def test_what_simulated_tables_say_comes_to_the_pages_of_these_tables(tmp_path: Path, journal: Path) -> None:
    """Bar F3, short: what a page shows was written before, and each page has tables of its own."""
    log = tmp_path / "written"
    with Servers(tmp_path) as servers:
        port = int(servers.overviews[0].rstrip("/").rpartition(":")[2])
        words = ("--tables", "20", "--rate", "40", "--seconds", "10", "--written", str(log))
        process = fleet(servers.config, journal, *words)
        begun(process)
        *shown, read = map(str.split, asyncio.run(dashboards.run([port], "sim-1-", 6, 20, 9.0)))
        found = figures_of(process)
    assert found["wrong"] == []
    assert (int(read[0]) > 0, int(read[1])) == (True, 6)
    written_s = {(name, seq): float(at_s) for name, seq, at_s in map(str.split, log.read_text().splitlines())}
    assert shown
    assert all(written_s[name, seq] < float(at_s) for name, seq, at_s in shown)
    assert {name for name, _, _ in shown} <= {f"sim-1-{number:04}" for number in range(1, 20)}

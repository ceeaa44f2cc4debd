"""The commands as a casino uses them: a server is made, a table enrolled, records arrive, and processes are killed."""

from __future__ import annotations

import json
import random
import signal
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Final

import pytest

from tablectl.config.table_file import load
from tablectl.fleet.pit.settings import load_pit
from tablectl.fleet.pit.sqlite_store import SqliteStore
from tablectl.journal.store import Stored
from tests.desk import Desk, desk
from tests.fleet.pits import until
from tests.journal.journals import records as journal_of

pytestmark = pytest.mark.system

TABLECTL: Final = (sys.executable, "-m", "tablectl")
#: How often in the short form; `make test-slow` has the long one.
KILLS: Final = 6


def run(*words: object, status: int = 0) -> str:
    """One command; what it prints."""
    done = subprocess.run([*TABLECTL, *map(str, words)], capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode == status, (done.stdout, done.stderr)
    return done.stdout or done.stderr


class Service:
    """A command that runs until it is ended, and can be killed and started again."""

    def __init__(self, log: Path, *words: object) -> None:
        self._log = log
        self._words = [*TABLECTL, *map(str, words)]
        self._process: subprocess.Popen[str] | None = None

    def start(self) -> str:
        """Its first line."""
        with self._log.open("a", encoding="utf-8") as log:
            process = subprocess.Popen(self._words, stdout=subprocess.PIPE, stderr=log, text=True)
        self._process = process
        assert process.stdout is not None
        return process.stdout.readline().strip() if "pit" in self._words else ""

    def end(self, how: signal.Signals = signal.SIGTERM) -> int:
        assert self._process is not None
        self._process.send_signal(how)
        status = self._process.wait(30)
        assert self._process.stdout is not None
        self._process.stdout.close()
        self._process = None
        return status

    def kill(self) -> None:
        self.end(signal.SIGKILL)

    @contextmanager
    def running(self) -> Iterator[Service]:
        self.start()
        try:
            yield self
        finally:
            if self._process is not None:
                self.end()


class Casino:
    """A pit server and one table that is enrolled there."""

    def __init__(self, folder: Path, table: Desk) -> None:
        self.table, self.pit = table, folder / "pit.toml"
        self.pit.write_text("[pit]\nport = 0\n", encoding="utf-8")
        run("pit", "init", self.pit)
        self.pit_server = Service(folder / "pit.log", "pit", "run", self.pit)
        self.url = self.pit_server.start()
        self.pit.write_text(f"[pit]\nport = {self.url.rstrip('/').rpartition(':')[2]}\n", encoding="utf-8")
        text = table.config.read_text(encoding="utf-8")
        for name in ("authority.pem", "pit.pub"):
            (table.folder / name).write_bytes((folder / name).read_bytes())
        table.config.write_text(f'{text}\n[uplink]\nurl = "{self.url}"\n', encoding="utf-8")
        table.start()
        (folder / "request.pem").write_text(run("uplink", table.config, "--request"), encoding="utf-8")
        key = load(table.config).places.public_key
        certificate = run("pit", "enrol", self.pit, "mesa-1", "--key", key, "--request", folder / "request.pem")
        (table.folder / "uplink.pem").write_text(certificate, encoding="utf-8")
        self.uplink = Service(folder / "uplink.log", "uplink", table.config)

    @property
    def kept(self) -> int:
        """How many records of the table are durable at the server."""
        store = SqliteStore.open(load_pit(self.pit).store)
        try:
            (table,) = store.tables()
            return store.head(table).position.seq
        finally:
            store.close()


@pytest.fixture
def casino(tmp_path: Path) -> Iterator[Casino]:
    with desk() as table:
        made = Casino(tmp_path, table)
        try:
            yield made
        finally:
            made.pit_server.end()


def test_a_table_is_enrolled_its_records_arrive_and_can_be_found_and_verified(casino: Casino) -> None:
    with casino.uplink.running():
        casino.table.open_hand()
        casino.table.play_on()
        until(lambda: casino.kept == casino.table.newest)
    ours = journal_of(casino.table.journal)
    assert f"mesa-1: record {len(ours)}, epoch {ours[0].hash.hex()}.0, since " in run("pit", "tables", casino.pit)
    assert f"mesa-1: {len(ours)} records, " in run("pit", "verify", casino.pit)
    found = run("pit", "find", casino.pit, "mesa-1", 1).splitlines()
    assert found == [stored.public.decode() for stored in _of_hand(ours, 1)]
    assert any(json.loads(line)["fact"]["kind"] == "drawn" for line in found)
    assert "acknowledged up to record" in run("uplink", casino.table.config, "--status")


def _of_hand(records: list[Stored], hand: int) -> list[Stored]:
    """From its first record to its last one."""
    return [stored for stored in records if stored.hand == hand]


def test_what_a_disk_changed_at_the_server_is_named(casino: Casino) -> None:
    with casino.uplink.running():
        until(lambda: casino.kept == casino.table.newest)
    with closing(sqlite3.connect(load_pit(casino.pit).store)) as file, file:
        file.execute("UPDATE records SET public = CAST(replace(public, 'fact', 'fakt') AS BLOB) WHERE seq = 3")
    told = run("pit", "verify", casino.pit, status=1)
    assert "record 3 is not the one that came" in told


def test_a_revoked_table_is_refused_and_an_unknown_one_is_named(casino: Casino) -> None:
    run("pit", "revoke", casino.pit, "mesa-1")
    assert "was revoked before" in run("pit", "revoke", casino.pit, "mesa-1", status=1)
    assert "there is no table mesa-9; there is mesa-1" in run("pit", "revoke", casino.pit, "mesa-9", status=1)
    assert "revoked 20" in run("pit", "tables", casino.pit)


@pytest.mark.parametrize("seed", [1])
def test_uplink_and_server_are_killed_while_the_table_deals_and_every_record_arrives_once(
    casino: Casino, seed: int
) -> None:
    dice = random.Random(seed)
    with casino.uplink.running():
        for _ in range(KILLS):
            casino.table.world.replace()
            casino.table.open_hand()
            victim = dice.choice([casino.uplink, casino.pit_server])
            victim.kill()
            casino.table.play_on()
            victim.start()
        until(lambda: casino.kept == casino.table.newest)
    ours = journal_of(casino.table.journal)
    assert f"mesa-1: {len(ours)} records, " in run("pit", "verify", casino.pit)
    assert "not taken" not in run("pit", "tables", casino.pit)


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("[pit]\nport = 70000\n", "pit.port"),
        ("[pit]\nports = 1\n", "did you mean 'port'?"),
        ("[pit]\nnames = []\n", "pit.names"),
        ("[table]\n", "pit"),
        ("pit", "TOML"),
    ],
)
def test_a_wrong_configuration_is_told_with_its_remedy(tmp_path: Path, text: str, told: str) -> None:
    path = tmp_path / "pit.toml"
    path.write_text(text, encoding="utf-8")
    assert told in run("pit", "tables", path, status=2)


def test_what_is_missing_is_named(tmp_path: Path) -> None:
    path = tmp_path / "pit.toml"
    path.write_text("[pit]\n", encoding="utf-8")
    assert "pit.sign" in run("pit", "run", path, status=2)
    run("pit", "init", path)
    before = (tmp_path / "pit.sign").read_bytes(), (tmp_path / "authority.pem").read_bytes()
    run("pit", "init", path)
    assert ((tmp_path / "pit.sign").read_bytes(), (tmp_path / "authority.pem").read_bytes()) == before
    key, request = tmp_path / "pit.pub", tmp_path / "request.pem"
    request.write_text("no request", encoding="utf-8")
    assert "no request for a certificate" in run(
        *("pit", "enrol", path, "mesa-1", "--key", key, "--request", request), status=1
    )
    assert "letters, digits" in run("pit", "enrol", path, "mesa 1", "--key", key, "--request", request, status=2)

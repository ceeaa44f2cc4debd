"""The commands as a casino uses them: a server is made, a table enrolled, records arrive, and processes are killed."""

from __future__ import annotations

import json
import random
import re
import signal
import sqlite3
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager, redirect_stderr, redirect_stdout
from datetime import UTC, datetime
from io import StringIO
from pathlib import Path
from typing import Final

import httpx2
import pytest

from simulators import processes
from tablectl.cli.main import main
from tablectl.config.table_file import load
from tablectl.fleet.certificates import new_key, read_key, request_of, shown_in_file, write_key
from tablectl.fleet.pit.authority import Authority
from tablectl.fleet.pit.opening import opened
from tablectl.fleet.pit.postgres_store import SCHEMA
from tablectl.fleet.pit.settings import load_pit
from tablectl.journal.store import Stored
from tests.desk import Desk, desk
from tests.fleet.postgres import Cluster
from tests.journal.journals import records as journal_of
from tests.screens.test_technician import samples
from tests.waiting import until

pytestmark = pytest.mark.system

TABLECTL: Final = (sys.executable, "-m", "tablectl")
#: How often in the short form; `make test-slow` has the long one.
KILLS: Final = 6


def run(*words: object, status: int = 0, typed: str = "") -> str:
    """One command, with what somebody types; what it prints. It is run in this process: to start another one takes
    longer than anything that it does."""
    ended: object
    with (
        redirect_stdout(StringIO()) as said,
        redirect_stderr(StringIO()) as wrong,
        pytest.MonkeyPatch.context() as patch,
    ):
        patch.setattr(sys, "stdin", StringIO(typed))
        try:
            ended = main([*map(str, words)])
        except SystemExit as end:
            ended = end.code
    assert ended == status, (said.getvalue(), wrong.getvalue())
    return said.getvalue() or wrong.getvalue()


def verify(*words: object, status: int = 0) -> str:
    """What `tablectl pit verify` prints. It makes processes of its own, so it is one."""
    done = processes.run(
        [*TABLECTL, "pit", "verify", *map(str, words)], capture_output=True, text=True, timeout=60, check=False
    )
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
            process = processes.start(self._words, stdout=subprocess.PIPE, stderr=log, text=True)
        self._process = process
        assert process.stdout is not None
        return process.stdout.readline().strip() if "pit" in self._words else ""

    def next_line(self) -> str:
        """What it prints next."""
        assert self._process is not None
        assert self._process.stdout is not None
        return self._process.stdout.readline().strip()

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
        with self.until_over():
            yield self

    @contextmanager
    def until_over(self) -> Iterator[Service]:
        """It was started before."""
        try:
            yield self
        finally:
            if self._process is not None:
                self.end()


class Casino:
    """A pit server and one table that is enrolled there."""

    def __init__(self, folder: Path, table: Desk, *, more: str = "") -> None:
        """`more`: lines for `[pit]`."""
        self.table, self.pit = table, folder / "pit.toml"
        self.pit.write_text(f"[pit]\nport = 0\noverview_port = 0\n{more}", encoding="utf-8")
        run("pit", "init", self.pit)
        self.pit_server = Service(folder / "pit.log", "pit", "run", self.pit)
        self.url = self.pit_server.start()
        self.pit.write_text(
            f"[pit]\nport = {self.url.rstrip('/').rpartition(':')[2]}\noverview_port = 0\n{more}", encoding="utf-8"
        )
        text = table.config.read_text(encoding="utf-8")
        table.config.write_text(f'{text}\n[uplink]\nurl = "{self.url}"\nname = "mesa-1"\n', encoding="utf-8")
        table.start()
        self.told = run("uplink", table.config, "--enrol", typed=run("pit", "enrol", self.pit, "mesa-1"))
        self.uplink = Service(folder / "uplink.log", "uplink", table.config)

    def until_all_arrived(self) -> None:
        until(lambda: self.kept == self.table.newest)

    @property
    def sent(self) -> list[Stored]:
        """What the journal has of the records that are durable at the server; a receipt may have followed."""
        return journal_of(self.table.journal)[: self.kept]

    @property
    def kept(self) -> int:
        """How many records of the table are durable at the server."""
        with opened(load_pit(self.pit)) as store:
            (table,) = store.tables()
            return store.head(table).position.seq


@pytest.fixture
def casino(tmp_path: Path) -> Iterator[Casino]:
    with desk() as table:
        made = Casino(tmp_path, table)
        try:
            yield made
        finally:
            made.pit_server.end()


def test_a_table_is_enrolled_its_records_arrive_and_can_be_found_and_verified(casino: Casino) -> None:
    _arrive_and_are_found(casino)


@pytest.mark.wide
def test_they_arrive_in_postgresql(tmp_path: Path, cluster: Cluster) -> None:
    with cluster.database("empty") as name, desk() as table:
        database = f'database = "{cluster.conninfo(name)}"\n'
        (tmp_path / "pit.toml").write_text(f"[pit]\n{database}", encoding="utf-8")
        run("pit", "init", tmp_path / "pit.toml")
        assert "make it with `tablectl pit migrate CONFIG`" in run("pit", "run", tmp_path / "pit.toml", status=1)
        assert run("pit", "migrate", tmp_path / "pit.toml") == f"schema {SCHEMA}\n"
        casino = Casino(tmp_path, table, more=database)
        try:
            _arrive_and_are_found(casino)
        finally:
            casino.pit_server.end()


def test_a_file_is_not_migrated(tmp_path: Path) -> None:
    path = tmp_path / "pit.toml"
    path.write_text("[pit]\n", encoding="utf-8")
    assert "has its schema by itself" in run("pit", "migrate", path, status=1)


def _arrive_and_are_found(casino: Casino) -> None:
    with casino.uplink.running():
        casino.table.open_hand()
        casino.table.play_on()
        casino.until_all_arrived()
        # They may arrive before the uplink hears that they did.
        until(lambda: f"up to record {casino.kept}" in run("uplink", casino.table.config, "--status"))
    ours = casino.sent
    metrics = f"{casino.pit_server.next_line()}metrics"

    def figure(name: str) -> float:
        return samples(httpx2.get(metrics, verify=False).text)[(name, ())]

    until(lambda: figure("tablectl_pit_records_total") >= len(ours))
    assert figure("tablectl_pit_certificate_end_timestamp_seconds") > time.time()
    assert f"mesa-1: record {len(ours)}, epoch {ours[0].hash.hex()}.0, since " in run("pit", "tables", casino.pit)
    assert f"mesa-1: {len(ours)} records, " in verify(casino.pit)
    found = run("pit", "find", casino.pit, "mesa-1", 1).splitlines()
    assert found == [stored.public.decode() for stored in _of_hand(ours, 1)]
    assert any(json.loads(line)["fact"]["kind"] == "drawn" for line in found)
    told = run("uplink", casino.table.config, "--status").splitlines()
    assert [line.split(":")[0] for line in told] == ["link", "mesa-1", "certificate", "clock"]
    assert "not running; start it (systemctl start tablectl-uplink@" in told[0]
    heard = re.search(r"acknowledged up to record (\d+)", told[1])
    assert heard is not None
    assert int(heard[1]) in (len(ours) - 1, len(ours)), "a receipt may have followed, and its answer was not awaited"
    assert "good until 20" in told[2]


def test_a_table_is_enrolled_with_a_code_and_told_what_comes_next(casino: Casino) -> None:
    table, config = casino.table, casino.table.config
    assert casino.told.startswith("mesa-1 is enrolled until 20")
    assert f"`tablectl uplink {config}` sends the records" in casino.told
    assert {path.name for path in table.folder.iterdir()} >= {"authority.pem", "pit.pub", "uplink.pem", "uplink.key"}
    assert "--replace" in run("uplink", config, "--enrol", status=2)
    assert "a code has 12 letters" in run("uplink", config, "--enrol", "--replace", typed="ABC\n", status=2)
    code = run("pit", "enrol", casino.pit, "mesa-1")
    assert "4 more tries" in run("uplink", config, "--enrol", "--replace", typed="0000-0000-0000\n", status=1)
    run("uplink", config, "--enrol", "--replace", typed=code)
    assert "it was used, or none was made" in run("uplink", config, "--enrol", "--replace", typed=code, status=1)
    (line,) = run("pit", "tables", casino.pit).splitlines()
    assert f", certificate until {shown_in_file(table.folder / 'uplink.pem').until}" in line
    with casino.uplink.running():
        casino.until_all_arrived()
    run("pit", "revoke", casino.pit, "mesa-1")
    assert "was revoked" in run("pit", "enrol", casino.pit, "mesa-1", status=1)


def test_a_house_may_carry_files_instead_of_a_code(casino: Casino) -> None:
    folder, table = casino.pit.parent, casino.table
    for name in ("uplink.pem", "uplink.key"):
        (table.folder / name).unlink()
    (folder / "request.pem").write_text(run("uplink", table.config, "--request"), encoding="utf-8")
    key, words = load(table.config).places.public_key, ("pit", "enrol", casino.pit, "mesa-1")
    assert "--key" in run(*words, "--request", folder / "request.pem", status=2)
    certificate = run(*words, "--key", key, "--request", folder / "request.pem")
    (table.folder / "uplink.pem").write_text(certificate, encoding="utf-8")
    with casino.uplink.running():
        casino.until_all_arrived()
    there = table.folder / "uplink.pem"
    assert "is of mesa-1" in run(*words[:3], "mesa-2", "--key", key, "--certificate", there, status=2)
    (folder / "authority.key").unlink()
    assert "authority.key" in run(*words, status=2)
    assert run(*words[:3], "mesa-1", "--key", key, "--certificate", there) == ""
    other = run(*words, "--key", folder / "pit.pub", "--certificate", there, status=1)
    assert "with another journal" in other


def test_check_config_names_what_keeps_records_from_the_pit_server(casino: Casino) -> None:
    folder, config = casino.table.folder, casino.table.config

    def notices() -> list[str]:
        return [line for line in run("check-config", "--language", "en", config).splitlines() if "uplink." in line]

    assert notices() == []
    kept = {name: (folder / name).read_bytes() for name in ("uplink.pem", "uplink.key")}
    config.write_text(config.read_text("utf-8").replace('"mesa-1"', '"mesa-2"'), encoding="utf-8")
    (told,) = notices()
    assert "is that of mesa-1, and the pit server is to call this table mesa-2" in told
    config.write_text(config.read_text("utf-8").replace('"mesa-2"', '"mesa-1"'), encoding="utf-8")
    authority = Authority.read(casino.pit.with_name("authority.pem"), casino.pit.with_name("authority.key"))
    request = request_of(read_key(folder / "uplink.key"), "mesa-1")
    (folder / "uplink.pem").write_bytes(authority.for_table("mesa-1", request, datetime(2026, 1, 1, tzinfo=UTC)))
    (told,) = notices()
    assert "good from 2025-12-31 to 2026-04-01; it is renewed by itself" in told
    (folder / "uplink.pem").write_bytes(kept["uplink.pem"])
    (folder / "uplink.key").unlink()
    write_key(folder / "uplink.key", new_key())
    (told,) = notices()
    assert "is not for the key in uplink.key" in told
    (folder / "uplink.pem").write_text("none", encoding="utf-8")
    (told,) = notices()
    assert "no certificate (PEM)" in told
    for name in ("uplink.pem", "pit.pub"):
        (folder / name).unlink()
    (told,) = notices()
    assert "uplink.certificate, uplink.pit_key: no such file; `tablectl uplink" in told


def _of_hand(records: list[Stored], hand: int) -> list[Stored]:
    """From its first record to its last one."""
    return [stored for stored in records if stored.hand == hand]


def test_what_a_disk_changed_at_the_server_is_named(casino: Casino) -> None:
    with casino.uplink.running():
        casino.until_all_arrived()
    with closing(sqlite3.connect(load_pit(casino.pit).store)) as file, file:
        file.execute("UPDATE records SET public = CAST(replace(public, 'fact', 'fakt') AS BLOB) WHERE seq = 3")
    told = verify(casino.pit, status=1)
    assert "record 3 is not the one that came" in told


def test_a_revoked_table_is_refused_and_an_unknown_one_is_named(casino: Casino) -> None:
    run("pit", "revoke", casino.pit, "mesa-1")
    assert "was revoked before" in run("pit", "revoke", casino.pit, "mesa-1", status=1)
    assert "there is no table mesa-9; there is mesa-1" in run("pit", "revoke", casino.pit, "mesa-9", status=1)
    assert "revoked 20" in run("pit", "tables", casino.pit)


@pytest.mark.wide
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
        casino.until_all_arrived()
    ours = casino.sent
    assert f"mesa-1: {len(ours)} records, " in verify(casino.pit)
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

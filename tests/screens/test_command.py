"""`tablectl screens`: where it listens, and where it will not."""

from __future__ import annotations

import argparse
import io
import json
import os
import signal
import socket
import subprocess
import sys
from pathlib import Path

import httpx2
import pytest

from simulators import processes
from tablectl.cli.commands.screens import HOST, PORT, Where, add_arguments, run, where
from tablectl.ops.connections import listen
from tablectl.web.screens.server import address
from tests.screens import signed_on


def parsed(*words: str) -> argparse.Namespace:
    parser = argparse.ArgumentParser()
    add_arguments(parser)
    return parser.parse_args(["--socket", "/nowhere/control", "--people", "/nowhere/people.db", *words])


def test_it_listens_on_loopback_by_default() -> None:
    assert where(parsed()) == Where(
        socket=Path("/nowhere/control"), people=Path("/nowhere/people.db"), host=HOST, port=PORT
    )


def test_a_configuration_says_socket_and_port_and_how_long_nobody_need_touch_a_page(tmp_path: Path) -> None:
    parser = argparse.ArgumentParser()
    add_arguments(parser)
    shipped = Path(__file__).parents[2] / "config" / "mesa-1.toml"
    found = where(parser.parse_args([str(shipped)]))
    assert (found.socket, found.host, found.port) == (Path("/run/tablectl/mesa-1/table.sock"), HOST, 8420)
    assert found.people == Path("/var/lib/tablectl-screens/mesa-1/people.db")
    assert found.files is not None
    assert found.files.journal.parent == Path("/var/lib/tablectl/mesa-1")
    assert found.files.statistics == found.people.with_name("statistics.db")
    assert where(parser.parse_args([str(shipped), "--port", "0"])).port == 0
    assert found.idle_us == 15 * 60_000_000
    longer = tmp_path / "mesa.toml"
    longer.write_text(shipped.read_text(encoding="utf-8").replace("\n[people]\n", "\n[people]\nidle_minutes = 45\n"))
    assert where(parser.parse_args([str(longer)])).idle_us == 45 * 60_000_000


@pytest.mark.parametrize("host", ["0.0.0.0", "192.168.1.20", "::", "mesa1"])
def test_it_refuses_to_listen_beyond_loopback(host: str) -> None:
    stdout, stderr = io.StringIO(), io.StringIO()
    assert run(parsed("--host", host, "--port", "0"), stdout, stderr) == 2
    assert "without TLS these screens answer on loopback only" in stderr.getvalue()
    assert stdout.getvalue() == ""


def test_a_port_that_is_taken_is_named(tmp_path: Path) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        stderr = io.StringIO()
        accounts = str(tmp_path / "people.db")
        assert run(parsed("--people", accounts, "--port", str(port)), io.StringIO(), stderr) == 2
        assert f"port {port}" in stderr.getvalue()


def test_a_certificate_that_cannot_be_read_is_named(tmp_path: Path) -> None:
    config = tmp_path / "table.toml"
    config.write_text(
        '[table]\nname = "Mesa 1"\nrulebook = "texas-bonus"\ntracking = "presence"\n'
        '[screens]\ncertificate = "screens.crt"\nkey = "credential:screens.key"\n',
        encoding="utf-8",
    )
    (tmp_path / "screens.crt").touch()
    parser, stderr = argparse.ArgumentParser(), io.StringIO()
    add_arguments(parser)
    assert run(parser.parse_args([str(config), "--port", "0"]), io.StringIO(), stderr) == 2
    told = stderr.getvalue()
    assert "certificate or key: /run/credentials/" in told
    assert "found no such file; would be right: the PEM file that screens.certificate and key name" in told


def test_an_address_of_version_six_stands_in_brackets() -> None:
    with socket.socket() as bound:
        bound.bind(("127.0.0.1", 0))
        port = bound.getsockname()[1]
        assert address("::1", bound) == f"http://[::1]:{port}/"
        assert address("127.0.0.1", bound) == f"http://127.0.0.1:{port}/"


def test_a_free_port_is_found() -> None:
    with listen("127.0.0.1", 0) as bound:
        assert bound.getsockname()[1] > 0


def started(socket_path: Path) -> subprocess.Popen[str]:
    accounts = signed_on.staffed(socket_path.with_name("people.db"))
    words = [sys.executable, "-m", "tablectl", "screens", "--socket", str(socket_path), "--port", "0"]
    words += ["--people", str(accounts)]
    return processes.start(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=os.environ)


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_whoever_ends_it_as_it_says_where_it_is_ends_it_in_order(socket_path: Path, number: signal.Signals) -> None:
    with started(socket_path) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.readline()
        process.send_signal(number)
        assert process.wait(10) == 0
        assert json.loads(list(process.stderr)[-1])["event"] == "stopped"


def test_it_starts_without_a_controller_says_where_and_ends_when_told(socket_path: Path) -> None:
    with started(socket_path) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        line = process.stdout.readline()
        url = line.removeprefix("screens: ").strip()
        with httpx2.stream("GET", f"{url}events?page=pit", headers=signed_on.headers(), verify=False) as answer:
            assert next(answer.iter_lines()) == "retry: 500"
            process.send_signal(signal.SIGTERM)
            process.wait(10)
        said = [json.loads(line) for line in process.stderr]
        assert [log_line["event"] for log_line in said] == ["ready", "no controller", "stopped"]
        assert said[0]["port"] == int(url.rstrip("/").rpartition(":")[2])
        assert {log_line["process"] for log_line in said} == {"screens"}
        assert process.stdout.read() == ""

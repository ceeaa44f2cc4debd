"""`tablectl notifications`, as a person or systemd starts it; and what `check-config` says of addresses."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

import pytest

from simulators import processes
from simulators.stage.stage import Scene, config_text
from tablectl.cli.main import main
from tests.notifications.receivers import MailReceiver, Posted, WebReceiver
from tests.notifications.table import Table, incident
from tests.screens.controller import Bench

SECRET = "hunter2"


@pytest.fixture
def folder(socket_path: Path) -> Path:
    """Where the table's file and socket are."""
    return socket_path.parent


def configured(folder: Path, *targets: str) -> Path:
    """A table's file, with its socket at `folder/table.sock`."""
    file = folder / "table.toml"
    entries = "\n".join(f"[[notify]]\n{target}" for target in targets)
    file.write_text(f"{config_text(Scene(), folder)}\n{entries}\n", encoding="utf-8")
    file.chmod(0o600)
    return file


def target(name: str, url: str, more: str = "") -> str:
    return f'name = "{name}"\nurl = "{url}"\ntimeout_s = 5\n{more}\n'


@contextmanager
def process(file: Path, *words: str, environ: Mapping[str, str] | None = None) -> Iterator[subprocess.Popen[str]]:
    """The real program; killed at the end if it is still there."""
    command = [sys.executable, "-m", "tablectl", "notifications", str(file), *words]
    running = processes.start(
        command, stderr=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env={**os.environ, **(environ or {})}
    )
    with running:
        try:
            yield running
        finally:
            running.kill()


def test_without_targets_it_says_so(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["notifications", str(configured(folder))]) == 2
    assert "no table [[notify]]" in capsys.readouterr().err


def test_list_shows_who_is_told_what_and_no_address(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = configured(
        folder,
        target(
            "chef",
            f"ntfy://{SECRET}@ntfy.example.com/mesa",
            'group = "pit"\nseverities = ["alert"]\nlanguages = ["es"]',
        ),
        target("boss", "env:BOSS_URL", "after_s = 300"),
    )
    assert main(["notifications", str(file), "--list"]) == 0
    chef, boss = capsys.readouterr().out.splitlines()
    assert chef == "chef (pit): ntfy://…: controller, deck, device, disk, incident, security, tilt [alert], es"
    assert boss.endswith(" es, if nobody has acknowledged it within 300 s")
    assert boss.startswith("boss: env:BOSS_URL: ")


def test_a_test_message_goes_to_a_target_or_a_group(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with WebReceiver() as web, MailReceiver() as mail:
        web.answer = lambda posted: 403 if posted.path == "/b" else 200
        file = configured(
            folder,
            target("a", web.url("a"), 'group = "pit"'),
            target("b", web.url("b"), 'group = "pit"'),
            target("c", mail.url()),
        )
        assert main(["notifications", str(file), "--test", "a"]) == 0
        assert main(["notifications", str(file), "--test", "c"]) == 0
        assert main(["notifications", str(file), "--test", "pit"]) == 1
        assert main(["notifications", str(file), "--test", "nobody"]) == 2
        out, err = capsys.readouterr()
        assert out.splitlines()[-1].startswith("b: NOT taken: refused with 403, id ")
        assert "there is a, b, c, pit" in err
        assert (len(web.ids("/a")), len(web.ids("/b")), len(mail.got)) == (2, 1, 1)
        assert "No ha pasado nada." in web.got[0].said["message"]
        assert web.got[0].said["type"] == "info"


def test_once_sends_what_waits_and_status_says_what_still_does(
    folder: Path, bench: Bench, capsys: pytest.CaptureFixture[str]
) -> None:
    with WebReceiver() as web, Table(folder / "table.sock", bench) as table:
        web.answer = lambda posted: 503 if posted.path == "/down" else 200
        file = configured(folder, target("up", web.url("up")), target("down", web.url("down")))
        assert main(["notifications", str(file), "--status"]) == 0
        assert capsys.readouterr().out == "nothing was read yet\n"
        assert main(["notifications", str(file), "--once"]) == 0
        assert capsys.readouterr().out == "nothing waits\n"
        incident(table, 1)
        assert main(["notifications", str(file), "--once"]) == 1
        assert "down: 1 wait, the first since 20" in capsys.readouterr().out
        configured(folder, target("up", web.url("up")))
        assert main(["notifications", str(file), "--status"]) == 0
        down, up, place = capsys.readouterr().out.splitlines()
        assert up == "up: 0 wait; 1 sent, 0 not needed"
        assert ", tried 1 times; 0 sent, 0 not needed; no longer configured: they wait for its return" in down
        assert place.startswith(f"read up to record {len(bench.records)}, 20")


def test_a_secret_that_is_not_there_is_named_by_its_place(
    folder: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("BOSS_URL", raising=False)
    file = configured(folder, target("boss", "env:BOSS_URL"))
    assert main(["notifications", str(file), "--once"]) == 2
    assert capsys.readouterr().err == "boss: the environment has no BOSS_URL\n"
    monkeypatch.setenv("BOSS_URL", f"nosuch://{SECRET}")
    assert main(["notifications", str(file), "--once"]) == 2
    err = capsys.readouterr().err
    assert err.startswith("notify boss (env:BOSS_URL): no address that Apprise knows")
    assert SECRET not in err


def test_check_config_looks_at_addresses_and_repeats_none(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    good = target("a", f"jsons://example.com/{SECRET}")
    assert main(["check-config", str(configured(folder, good))]) == 0
    for wrong in (f"nosuch://{SECRET}", f"jsons://example.com/{SECRET}?verify=no"):
        assert main(["check-config", "--language", "en", str(configured(folder, good, target("b", wrong)))]) == 2
        out, err = capsys.readouterr()
        assert "notify b.url: found " in err
        assert SECRET not in out + err


@pytest.mark.system
def test_killed_while_a_message_leaves_it_sends_it_again_with_the_same_id(folder: Path, bench: Bench) -> None:
    """The real program, `kill -9`, and the real program again."""
    arrived, go_on = threading.Event(), threading.Event()

    def hold(posted: Posted) -> int:
        arrived.set()
        assert go_on.wait(20)
        return 200

    with WebReceiver() as web, Table(folder / "table.sock", bench) as table:
        file = configured(folder, target("hook", "env:HOOK").replace("timeout_s = 5", "timeout_s = 1"))
        environ = {"HOOK": web.url("hook")}
        with process(file, "--once", environ=environ) as first:
            assert first.wait(60) == 0
        web.answer = hold
        incident(table, 1)
        with process(file, environ=environ) as killed:
            assert arrived.wait(60)
            killed.send_signal(signal.SIGKILL)
            assert killed.wait(20) == -signal.SIGKILL
        go_on.set()
        web.until(1)
        with process(file, environ=environ) as again:
            web.until(2)
            again.send_signal(signal.SIGTERM)
            _, said = again.communicate(timeout=30)
            assert again.returncode == 0
        assert len(set(web.ids())) == 1
        assert '"event": "stopped"' in said
        assert str(web.port) not in said, "no address stands in the log"

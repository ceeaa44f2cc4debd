"""No address of anybody who is told stands in what notifications log, at any level and in either form."""

from __future__ import annotations

import signal
from pathlib import Path

import pytest

from tests.notifications.receivers import WebReceiver
from tests.notifications.table import Table, incident
from tests.notifications.test_command import SECRET, configured, process, target
from tests.screens.controller import Bench
from tests.wide import once

pytestmark = pytest.mark.system


@pytest.mark.parametrize("form", once(["json", "text"]))
def test_no_address_in_the_log_of_notifications(socket_path: Path, bench: Bench, form: str) -> None:
    """One target takes what it is sent, one refuses it, at one nobody listens."""
    environ = {"TABLECTL_LOG": "debug", "TABLECTL_LOG_FORMAT": form}
    with WebReceiver() as web, Table(socket_path.parent / "table.sock", bench) as table:
        web.answer = lambda posted: 403 if "refusing" in posted.path else 200
        file = configured(
            socket_path.parent,
            target("up", web.url(f"up-{SECRET}")),
            target("refusing", web.url(f"refusing-{SECRET}")),
            target("absent", f"jsons://user:{SECRET}@127.0.0.1:1/{SECRET}"),
        )
        with process(file, "--once", environ=environ) as first:
            assert first.wait(60) == 0
        incident(table, 1)
        with process(file, environ=environ) as running:
            assert running.stderr is not None
            lines, silent = [""], {"up", "refusing", "absent"}
            while silent:
                lines.append(running.stderr.readline())
                assert lines[-1], "it ended by itself"
                silent -= {name for name in silent if "incident-1" in lines[-1] and name in lines[-1]}
            running.send_signal(signal.SIGTERM)
            lines += running.communicate(timeout=30)[1].splitlines()
    said = "\n".join(lines)
    assert "refused with 403" in said
    assert "stopped" in said
    assert SECRET not in said

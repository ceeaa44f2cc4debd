"""What Apprise sends, to whom, and what it does not do."""

from __future__ import annotations

import json
import socket
import sys
import threading
from pathlib import Path

import pytest

from simulators import processes
from tablectl.core.engine.vocabulary import Severity
from tablectl.notifications.apprise_client import BadAddress, Letterbox, trouble_with
from tests.notifications.receivers import MailReceiver, WebReceiver

ID = "0123456789abcdef01234567"


def send(address: str, *, timeout_s: int = 5) -> str:
    """What became of it; empty where it was taken."""
    outcome = Letterbox(address, timeout_s=timeout_s).send(ID, title="título", body="ñ", severity=Severity.ALERT)
    assert outcome.is_taken == (not outcome.why)
    return outcome.why


def test_a_webhook_is_given_the_id_in_a_header() -> None:
    with WebReceiver() as web:
        assert send(web.url()) == ""
        assert send(f"{web.url()}?method=POST") == ""
        assert web.ids() == [ID, ID]
        assert (web.got[0].said["title"], web.got[0].said["message"]) == ("título", "ñ")


def test_a_mail_has_it_too() -> None:
    with MailReceiver() as mail:
        assert send(mail.url()) == ""
        (got,) = mail.got
        assert (got["X-Tablectl-Message"], got["To"]) == (ID, "pit@example.com")


def test_ntfy_is_given_the_text() -> None:
    with WebReceiver() as web:
        assert send(f"ntfy://127.0.0.1:{web.port}/mesa-1") == ""
        assert "ñ" in json.dumps(web.got[0].said, ensure_ascii=False) + web.got[0].text


def test_a_refusal_is_told_with_its_number_and_nothing_else() -> None:
    with WebReceiver() as web:
        web.answer = lambda _posted: 401
        assert send(web.url("secret")) == "refused with 401"


def test_nobody_there_and_nobody_answering_are_told_apart() -> None:
    with socket.create_server(("127.0.0.1", 0)) as silent:
        port = silent.getsockname()[1]
        assert send(f"json://127.0.0.1:{port}/x", timeout_s=1) == "no answer in time"
    assert send(f"json://127.0.0.1:{port}/x", timeout_s=5).startswith("no connection")


@pytest.mark.parametrize("more", ["", "?redirect=yes"])
def test_a_redirection_is_not_followed(more: str) -> None:
    with WebReceiver() as web:
        web.answer = lambda posted: 200 if posted.path == "/elsewhere" else 307
        assert send(f"{web.url()}{more}") == "refused with 307"
        assert len(web.got) == 1


def test_what_an_address_says_of_trying_again_is_not_heard() -> None:
    with WebReceiver() as web:
        web.answer = lambda _posted: 500
        assert send(f"{web.url()}?retry=3&wait=0&optional=yes") == "refused with 500"
        assert len(web.got) == 1


@pytest.mark.parametrize("address", ["nosuch://x", "json://", "tgram://x"])
def test_an_address_that_cannot_be_used_is_not_repeated(address: str) -> None:
    assert address not in (trouble_with(address) or address)


def test_certificates_are_looked_at() -> None:
    assert trouble_with("jsons://example.com/x") is None
    assert "verify=no" in (trouble_with("jsons://example.com/x?verify=no") or "")
    with pytest.raises(BadAddress):
        Letterbox("mailtos://u:p@example.com?verify=no", timeout_s=1)


def test_it_sends_in_the_thread_that_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    """In one of its own, a message that was given up could arrive after its own retry."""
    threads: list[str] = []
    connect = socket.socket.connect

    def connected(self: socket.socket, address: tuple[str, int]) -> None:
        threads.append(threading.current_thread().name)
        connect(self, address)

    monkeypatch.setattr(socket.socket, "connect", connected)
    with WebReceiver() as web:
        assert send(web.url()) == ""
    assert threads == [threading.current_thread().name]


AUDITED = """
import json, socket, sys
met = set()
def look(event, told):
    if event in ("socket.connect", "socket.getaddrinfo", "socket.gethostbyname"):
        met.add(str(told[1] if event == "socket.connect" else told[0]))
    elif event == "open" and isinstance(told[0], str) and told[2] & 3:
        print("wrote", told[0])
sys.addaudithook(look)
from tablectl.notifications.apprise_client import Letterbox
for address in sys.argv[1:]:
    outcome = Letterbox(address, timeout_s=5).send("id", title="t", body="b", severity=None)
    print("taken" if outcome.is_taken else "NOT taken")
print(json.dumps(sorted(met - {socket.gethostname()})))  # a mail says whose it is: the machine looks up itself
"""


def test_it_talks_to_its_target_alone_writes_no_file_and_says_nothing(tmp_path: Path) -> None:
    with WebReceiver() as web, MailReceiver() as mail:
        addresses = [
            web.url("secret-path"),
            mail.url(),
            f"ntfy://secret@127.0.0.1:{web.port}/mesa-1",
            "json://127.0.0.1:1/secret",
        ]
        done = processes.run(
            [sys.executable, "-c", AUDITED, *addresses],
            capture_output=True,
            text=True,
            check=True,
            env={"PATH": "", "HOME": str(tmp_path), "PYTHONPATH": str(Path.cwd()), "PYTHONDONTWRITEBYTECODE": "1"},
        )
        *lines, met = done.stdout.splitlines()
        assert lines == ["taken", "taken", "taken", "NOT taken"]
        ports = (1, web.port, mail.port)
        assert set(json.loads(met)) == {"127.0.0.1", *(f"('127.0.0.1', {port})" for port in ports)}
        assert done.stderr == ""
        assert list(tmp_path.iterdir()) == []

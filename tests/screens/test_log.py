"""No password and no session stands in what the screens log, at any level and in either form."""

from __future__ import annotations

import json
import urllib.error
import urllib.parse
import urllib.request
from pathlib import Path

import pytest

from tests.notifications.test_command import SECRET, configured, target
from tests.screens import signed_on
from tests.screens.process import ScreensProcess
from tests.wide import once

pytestmark = pytest.mark.system


@pytest.mark.parametrize("form", once(["json", "text"]))
def test_no_password_and_no_session_in_the_log_of_the_screens(
    socket_path: Path, form: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Signed on with the right and with the wrong one, with nonsense, and after it with a session."""
    monkeypatch.setenv("TABLECTL_LOG", "debug")
    monkeypatch.setenv("TABLECTL_LOG_FORMAT", form)
    folder = socket_path.parent
    config = configured(folder, target("chef", f"jsons://{SECRET}.example.com/{SECRET}"))
    people = signed_on.staffed(folder / "people.db")
    assert people.exists()
    with ScreensProcess(config, folder / "screens.log") as screens:
        for secret in (signed_on.PASSWORD, f"{signed_on.PASSWORD}-wrong", "\n\x00"):
            words = urllib.parse.urlencode({"name": "croupier", "secret": secret, "way": "password"}).encode()
            ask = urllib.request.Request(f"{screens.url}/sign-on", data=words, headers={"Origin": screens.url})
            try:
                urllib.request.urlopen(ask, timeout=30).close()
            except urllib.error.HTTPError as refused:
                refused.close()
        with urllib.request.urlopen(
            urllib.request.Request(f"{screens.url}/pit", headers=signed_on.headers()), timeout=30
        ) as page:
            assert page.status == 200
    said = screens.log.read_text(encoding="utf-8")
    assert "ready" in said
    assert "stopped" in said
    for secret in (signed_on.PASSWORD, SECRET, *signed_on.headers().values(), signed_on.token_of("croupier")):
        assert secret not in said
    if form == "json":
        assert {json.loads(line)["process"] for line in said.splitlines()} == {"screens"}

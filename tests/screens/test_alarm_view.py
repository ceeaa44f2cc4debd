"""What is left of the pit boss's page when time ends the session: the alarms, which go on, and nothing that acts."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any, Final

import httpx2
import pytest

from tablectl.journal.clock import now_us
from tablectl.people.administration import Administration
from tablectl.people.people import COOKIE
from tablectl.people.sessions import IDLE_US
from tablectl.web.screens.web.watching import STREAM_US
from tests.screens import hands
from tests.screens.conftest import Screens
from tests.screens.signed_on import headers, token_of
from tests.screens.test_app import events, following, plain_client, until_seq
from tests.screens.test_signing_on import BY, browser, sign_on

WHO: Final = "pit-boss"
#: A hand with amounts, open cards and a croupier's name; then it is held.
PLAYED: Final = "croupier ana\n" + hands.DEVICES + hands.WHOLE + hands.BETS + hands.HOLE_CARDS + "draw 9c\npress seen\n"


def walked_away(screens: Screens, name: str = WHO) -> None:
    """Nobody touched anything at this person's desk for as long as the house says."""
    screens.people.file.write("UPDATE sessions SET active_us = ? WHERE name = ?", now_us() - IDLE_US, name)


def asked(screens: Screens, path: str, name: str = WHO) -> httpx2.Response:
    with plain_client() as client:
        return client.get(f"{screens.url}{path}", headers=headers(name), follow_redirects=False)


def next_parts(stream: Iterator[tuple[str, dict[str, Any]]]) -> dict[str, str]:
    return next(data for kind, data in stream if kind == "parts")


def test_the_open_page_goes_on_with_its_alarms_and_loses_everything_else(screens: Screens) -> None:
    screens.controller.lines(PLAYED)
    with events(screens.url, "pit", person=WHO) as stream:
        until_seq(stream, len(screens.bench.records))
        walked_away(screens)
        left = next_parts(stream)
        assert {part for part, html in left.items() if html} == {"alarms_only", "status", "alerts"}
        assert 'data-sounding="incident-' in left["alerts"]
        screens.controller.line("lost light tower cable")
        assert "device-tower" in next_parts(stream)["alerts"]


def test_attempts_are_told_without_a_name(screens: Screens) -> None:
    at = "2026-11-28T10:00:00.000000Z"
    screens.controller.note("security", cause="sign-ons", count=12, first=at, last=at, source="ana, luis")
    following(screens)
    walked_away(screens)
    page = asked(screens, "/pit?lang=en").text
    assert "Wrong passwords or PINs again and again" in page
    assert not re.search(r"\b(ana|luis)\b", page.partition("Wrong passwords")[2].partition("</article>")[0])


def test_the_alarms_say_what_happened_the_rule_and_since_when(screens: Screens) -> None:
    screens.controller.lines(PLAYED + "lost light tower cable")
    following(screens)
    whole = asked(screens, "/pit?lang=en").text
    walked_away(screens)
    page = asked(screens, "/pit?lang=en")
    assert page.status_code == 200
    for said in ("Alarms only", "THB-ERR-", "<blockquote>", "<time>", "tower"):
        assert said in page.text, said
    with events(screens.url, "pit", person=WHO) as stream:
        shown = next_parts(stream)
    for kept in (r"\bana\b", "€", 'class="card', 'data-hand="1"'):
        assert re.search(kept, whole), kept
        assert not re.search(kept, "".join(shown.values())), kept
    for acts in ("data-act", "data-shelve", "<form", "/pit/hands", "/pit/statistics", "/pit/float", "/pit/limits"):
        assert acts not in page.text.replace('<form data-form="second">', ""), acts


def test_with_the_alarms_nobody_acts_and_no_other_page_opens(screens: Screens) -> None:
    screens.controller.lines(PLAYED)
    walked_away(screens)
    assert asked(screens, "/pit").status_code == 200
    with plain_client() as client:
        entry = {"page": "pit", "act": "acknowledge", "incident": 1}
        sent = {**headers(WHO), "Origin": screens.url}
        assert client.post(f"{screens.url}/enter", json=entry, headers=sent).status_code == 401
    for path in ("/pit/hands", "/pit/statistics", "/pit/limits", "/pit/float", "/croupier", "/account", "/people"):
        answer = asked(screens, path)
        assert (answer.status_code, answer.headers["location"][:8]) == (303, "/sign-on"), path
    assert asked(screens, "/events?page=croupier").status_code == 403
    assert asked(screens, "/pit", "nobody").headers["location"].startswith("/sign-on")


@pytest.mark.parametrize("name", ["technician", "auditor", "croupier"])
def test_whose_page_has_no_alarms_is_led_to_the_sign_on(screens: Screens, name: str) -> None:
    walked_away(screens, name)
    assert asked(screens, "/pit", name).headers["location"].startswith("/sign-on")
    assert asked(screens, "/events?page=pit", name).status_code == 401


@pytest.mark.parametrize("what", ["disabled", "roles"])
def test_the_alarms_end_with_the_account(screens: Screens, what: str) -> None:
    walked_away(screens)
    with events(screens.url, "pit", person=WHO) as stream:
        until_seq(stream, len(screens.bench.records))
        if what == "disabled":
            Administration(screens.people).set_disabled(WHO, disabled=True, by=BY)
        else:
            screens.people.accounts.set_roles(WHO, ())
        assert [kind for kind, _ in stream if kind != "beat"] == ["over"]
    assert asked(screens, "/pit").headers["location"].startswith("/sign-on")


def test_signing_off_ends_them_with_a_form_of_the_page_alone(screens: Screens) -> None:
    walked_away(screens)
    page = asked(screens, "/sign-off?lang=en").text
    assert "End the alarms on this screen?" in page
    found = re.search(r'name="csrf" value="([0-9a-f]{64})"', page)
    assert found is not None
    sent = {"Cookie": f"{COOKIE}={token_of(WHO)}", "Origin": screens.url}
    with plain_client() as client:
        assert client.post(f"{screens.url}/sign-off", data={"csrf": "0" * 64}, headers=sent).status_code == 403
        assert asked(screens, "/pit").status_code == 200
        assert client.post(f"{screens.url}/sign-off", data={"csrf": found[1]}, headers=sent).status_code == 303
    assert asked(screens, "/pit").headers["location"].startswith("/sign-on")


def test_whoever_signs_on_there_acts_again_and_the_old_alarms_are_gone(screens: Screens) -> None:
    with browser(screens.url) as client:
        sign_on(client, WHO)
        before = client.cookies[COOKIE]
        walked_away(screens)
        assert "session-over" in client.get("/pit").text
        assert "data-alarms" in client.get("/sign-on").text
        sign_on(client, WHO)
        assert "session-over" not in client.get("/pit").text
        assert "data-alarms" not in client.get("/sign-on").text
    with plain_client() as client:
        old = {"Cookie": f"{COOKIE}={before}"}
        assert client.get(f"{screens.url}/pit", headers=old, follow_redirects=False).status_code == 303


def test_a_stream_asks_anew_after_ten_minutes(screens: Screens) -> None:
    with events(screens.url, "pit", person=WHO) as stream:
        until_seq(stream, len(screens.bench.records))
        screens.people.now_us = lambda: now_us() + STREAM_US
        assert [kind for kind, _ in stream if kind != "beat"] == ["again"]
    with events(screens.url, "pit", person=WHO) as stream:
        assert json.dumps(next_parts(stream))

"""docs/handbook/alerts.md has a line for everything that a table can say is wrong.

What is made from the program's words is held by `test_made.py`; here is what somebody wrote beside it, and that
the words themselves are all there.
"""

from __future__ import annotations

import re
from typing import Final

import pytest

from drivers.health import DeviceState
from tablectl.config.sections import What
from tablectl.core.engine.vocabulary import Remedy
from tablectl.core.public_table.alarm_kinds import RANKS
from tablectl.core.public_table.alarms import AlarmState
from tablectl.core.public_table.device_notes import NOTED
from tablectl.games.registry import RULEBOOKS
from tablectl.i18n.clauses.catalogue import load
from tablectl.i18n.languages import SOURCE
from tablectl.i18n.texts import load_texts
from tablectl.journal.tilt import TiltKind
from tests.handbook.pages import ROOT, rows, text_of, under

PAGE: Final = text_of("alerts.md")


def first_cells(heading: str, head: str) -> list[str]:
    """The names in the first column below a heading."""
    lines = (line[head] for line in rows(under(PAGE, heading)) if head in line)
    return [re.sub(r"\[`|`\]\(.*\)|`", "", cell) for cell in lines]


def test_every_tilt_has_its_line() -> None:
    assert first_cells("## Tilts", "in the log") == list(TiltKind)


def test_every_rule_for_prometheus_has_its_line_with_its_severity() -> None:
    text = (ROOT / "config/prometheus/tablectl.rules.yml").read_text(encoding="utf-8")
    rules = re.findall(r"- alert: (\w+)\n(?: +(?:expr|for): .+\n)+ +labels: { severity: (\w+) }", text)
    assert len(rules) == text.count("- alert:")
    lines = list(rows(under(PAGE, "## Alerts of a monitoring system")))
    assert [(line["alert"].strip("`"), line["severity"]) for line in lines] == rules
    assert all(line["it means"] and line["what to do"] for line in lines)


def test_every_state_of_a_device_has_its_line() -> None:
    assert first_cells("## States of devices", "state") == list(DeviceState)


def test_every_state_of_an_alarm_has_its_line() -> None:
    assert len([line for line in rows(under(PAGE, "## Alarms")) if "Spanish" in line]) == len(AlarmState)


def test_every_kind_of_alarm_has_its_line_with_priority_and_role() -> None:
    assert first_cells("## Alarms", "about") == list(RANKS)


def test_whatever_a_device_says_has_its_line() -> None:
    texts = load_texts()
    assert set(first_cells("## What devices say", "in records")) == texts.keys("said")
    asked = [line for line in rows(under(PAGE, "## What devices say")) if line.get("what to do")]
    assert {line["in records"].strip("`") for line in asked} == NOTED


def test_every_kind_of_incident_has_its_line_and_each_says_something() -> None:
    assert set(first_cells("## Incidents", "in records")) == load_texts().keys("title")
    assert all(line["it means"] for line in rows(under(PAGE, "## Incidents")))


def test_every_remedy_has_its_line() -> None:
    assert set(first_cells("### Remedies", "in records")) == set(Remedy)


def test_every_message_has_its_line() -> None:
    assert first_cells("## Messages to phones, chats and mailboxes", "`what`") == list(What)


@pytest.mark.parametrize("game", RULEBOOKS)
def test_the_page_says_where_the_clauses_of_a_game_are(game: str) -> None:
    (prefix,) = {clause.id.partition("-")[0] for clause in load(game)}
    assert re.search(rf"`{prefix}-…` (clauses are )?in\s+\[[^]]+\]\(\.\./rulebooks/{game}\.md\)", PAGE)


# --- notices ----------------------------------------------------------------------------------------------------------


def notices() -> dict[str, str]:
    """Each notice by its name, with … for what is filled in."""
    texts = load_texts("tablectl.config")
    return {name: re.sub(r"{[a-z]+}", "…", texts.text("notice", name, SOURCE)) for name in texts.keys("notice")}


def test_every_notice_has_its_line_and_every_line_is_one() -> None:
    said = notices().values()
    told = first_cells("## Notices of check-config", "it begins with")
    assert [text for text in said if not text.startswith(tuple(told))] == []
    assert [line for line in told if not any(text.startswith(line) for text in said)] == []


def test_every_notice_is_given_and_every_one_that_is_given_has_its_sentence() -> None:
    given: set[str] = set()
    for path in (ROOT / "tablectl").rglob("*.py"):
        text = path.read_text(encoding="utf-8")
        given |= set(re.findall(r'(?:reader\.notice|_notice)\(\s*"([a-z-]+)"', text))
        if path.name == "notices.py" and path.parent.parent.name == "games":
            given |= set(re.findall(r'yield "([a-z-]+)"', text))
    named = {"not-on-usb", "not-plugged-in"}  # one of both, by where it should be
    assert notices().keys() == given | named

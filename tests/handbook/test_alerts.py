"""docs/handbook/alerts.md has a line for everything that a table can say is wrong.

What is made from the program's words is held by `test_made.py`; here is what somebody wrote beside it, and that
the words themselves are all there.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path
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
from tablectl.i18n.texts import load_texts
from tablectl.journal.tilt import TiltKind
from tests.handbook.pages import ROOT, rows, text_of, under

PAGE: Final = text_of("alerts.md")
#: Where what is no mistake of a configuration and should be known is said.
SAY_NOTICES: Final = (
    "config/table_file.py",
    "config/games.py",
    "config/notifications.py",
    "config/trace.py",
    "config/usb.py",
    "cli/commands/check_config.py",
)
OF_GAMES: Final = tuple(
    sorted(f"games/{path.parent.name}/notices.py" for path in (ROOT / "tablectl/games").glob("*/notices.py"))
)


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


def notices(path: Path) -> Iterator[str]:
    """Each notice that a module gives: `.notice(TEXT)`, and what `_on_this_machine` and the `notices` of a game
    yield."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Call) and ast.unparse(node.func).endswith("reader.notice"):
            yield whole(node.args[0])
        elif isinstance(node, ast.FunctionDef) and node.name in ("_on_this_machine", "notices"):
            yield from (whole(part.value) for part in ast.walk(node) if isinstance(part, ast.Yield) and part.value)


def whole(text: ast.expr) -> str:
    """A notice with … for what is filled in."""
    parts = text.values if isinstance(text, ast.JoinedStr) else [text]
    return "".join(str(part.value) if isinstance(part, ast.Constant) else "…" for part in parts)


def test_every_notice_has_its_line_and_every_line_is_one() -> None:
    said = {notice for name in SAY_NOTICES for notice in notices(ROOT / "tablectl" / name)}
    # The section of its game stands before that of a game.
    said |= {f"…{notice}" for name in OF_GAMES for notice in notices(ROOT / "tablectl" / name)}
    said.discard("……")
    told = first_cells("## Notices of check-config", "it begins with")
    assert [text for text in said if not text.startswith(tuple(told))] == []
    assert [line for line in told if not any(text.startswith(line) for text in said)] == []


def test_no_other_module_gives_notices() -> None:
    saying = {
        str(path.relative_to(ROOT / "tablectl"))
        for path in (ROOT / "tablectl").rglob("*.py")
        if re.search(r"reader\.notice\(|def _on_this_machine", path.read_text(encoding="utf-8"))
    }
    assert saying == set(SAY_NOTICES)

"""The verifier page as a file: it needs nothing from elsewhere, knows every kind of record, and speaks one language."""

from __future__ import annotations

import base64
import hashlib
import json
import re
from importlib.resources import files
from pathlib import Path
from typing import Final

import pytest

from tablectl.cli.main import main
from tablectl.core.engine.slots import BY_NAME, Face
from tablectl.core.engine.vocabulary import Posted
from tablectl.core.events.codec import DECISIONS, FACTS, NOTES, SEALED_KINDS
from tablectl.games.registry import CIRCLE_GAMES, RULEBOOKS
from tablectl.i18n.languages import LANGUAGES
from tablectl.i18n.texts import Texts, load_texts
from tablectl.journal.evidence.verifier.page import TABLES, forms, verifier_page
from tablectl.journal.format import NEWEST
from tests.evidence.test_page import read

SCRIPTS: Final = {
    path.name: path.read_text(encoding="utf-8")
    for path in files("tablectl.journal.evidence.verifier").iterdir()
    if path.name.endswith(".js")
}
#: Decisions that a screen shows and that leave the felt and the money of the hand as they are.
CHANGE_NOTHING: Final = frozenset(
    {
        *("croupier-at-table", "croupier-waits", "croupier-left", "limits-wait", "limits-in-force", "alarm-shelved"),
        *("alarm-unshelved", "alarm-seen", "bought", "account", "game-waits", "withdrawn", "again", "cut-offered"),
        *("refused", "incident-raised", "asked", "incident-escalated", "incident-closed", "incident-seen"),
        "hand-closed",
    }
)
in_each_language: Final = pytest.mark.parametrize("language", LANGUAGES)


def block(name: str, start: str, end: str) -> str:
    """What stands in a script between these two."""
    text = SCRIPTS[name]
    begin = text.index(start)
    return text[begin : text.index(end, begin)]


def kinds_in(text: str) -> set[str]:
    """The words between quotes in a list, or before the colons of a table."""
    return set(re.findall(r'"([a-z-]+)"', text))


def keys_in(text: str) -> set[str]:
    """The keys of a table."""
    return set(re.findall(r'^\s+"([a-z-]+)":', text, re.MULTILINE))


def part(html: str, pattern: str) -> str:
    found = re.search(pattern, html, re.DOTALL)
    assert found is not None
    return found[1]


def digest(text: str) -> str:
    return base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()


@in_each_language
def test_the_page_may_load_and_send_nothing_and_runs_its_own_script_alone(language: str) -> None:
    html = verifier_page(language)
    reader = read(re.sub(r"<script>.*?</script>", "", html, flags=re.DOTALL))
    assert not {tag for tag, _, _ in reader.attributes} & {"link", "img", "iframe", "object", "form", "base"}
    assert not {name for _, name, _ in reader.attributes} & {"src", "href", "style", "onclick", "onload"}
    assert "@import" not in html
    assert "url(" not in html
    script, style = part(html, r"<script>(.*?)</script>"), part(html, r"<style>(.*?)</style>")
    policy = next(value for tag, name, value in reader.attributes if (tag, name) == ("meta", "content"))
    assert policy == (
        f"default-src 'none'; script-src 'sha256-{digest(script)}'; style-src 'sha256-{digest(style)}';"
        " base-uri 'none'; form-action 'none'"
    )
    assert html.index("Content-Security-Policy") < html.index("<style>")
    assert not re.search(r"\b(fetch|XMLHttpRequest|WebSocket|EventSource|sendBeacon|eval|innerHTML)\b", script)


@in_each_language
def test_the_page_is_the_same_for_every_hand_and_each_time(language: str) -> None:
    first = verifier_page(language)
    verifier_page.cache_clear()
    assert verifier_page(language) == first


@in_each_language
def test_the_page_says_all_of_itself_in_its_own_language(language: str) -> None:
    texts = load_texts("tablectl.journal.evidence")
    html = verifier_page(language)
    told = json.loads(part(html, r'id="texts">(.*?)</script>'))["texts"]["verifier"]
    assert told == {key: texts.text("verifier", key, language) for key in texts.keys("verifier")}
    others = [other for other in LANGUAGES if other != language]
    shown = read(html).texts
    for key in ("title", "lead", "drop", "field-key"):
        assert texts.text("verifier", key, language) in shown
        assert not [other for other in others if texts.text("verifier", key, other) in shown]


def test_the_page_has_every_sentence_that_its_scripts_name() -> None:
    texts = load_texts("tablectl.journal.evidence")
    whole = "\n".join(SCRIPTS.values())
    asked = set(re.findall(r'\b(?:say|word|pluralize)\(\s*"([a-z-]+)", "([a-z-]+)"', whole))
    asked |= {("page", key) for key in re.findall(r'\bpage\("([a-z-]+)"', whole)}
    asked |= {("verifier", key) for key in re.findall(r'outcome\([A-Z]+, "([a-z-]+)"', whole)}
    asked |= {("verifier", f"check-{name}") for name in re.findall(r"\bchecks\.([a-z]+) =", whole)}
    assert len(asked) > 90
    assert [(table, key) for table, key in sorted(asked) if not texts.has(table, key)] == []
    assert {table for table, _ in asked} <= {*TABLES}


def test_a_language_that_counts_otherwise_has_the_right_form_for_each_number() -> None:
    """As Polish does: one, two to four, the others; 12 to 14 are with the others."""

    def form(number: int) -> int:
        few = 2 <= number % 10 <= 4 and not 12 <= number % 100 <= 14
        return 0 if number == 1 else 1 if few else 2

    counting = {"word": {"drawn": {"en": ("one", "many"), "pl": ("a", "b", "c")}}}
    texts = Texts({}, counting, {"pl": form})
    found = forms(texts, "word", "drawn", "pl")
    assert found is not None
    said = [found["forms"][found["which"][number if number < 200 else 100 + number % 100]] for number in range(1000)]
    assert said == [texts.form("word", "drawn", "pl", number) for number in range(1000)]


def test_the_scripts_know_every_note_fact_and_decision_there_is() -> None:
    notes = kinds_in(block("checks.js", "const NOTES", "]);"))
    assert notes == {*NOTES}
    assert keys_in(block("words.js", "const FACTS", "// Which of the sentences")) == {*FACTS, *NOTES}
    assert keys_in(block("words.js", "const DECISIONS", "// A newer program")) == {*DECISIONS} - {"refused"}
    assert keys_in(block("hand.js", "const CHANGES", "function take(")) == {*DECISIONS} - CHANGE_NOTHING
    assert kinds_in(block("hand.js", "const SEALED_FACTS", ";")) == SEALED_KINDS
    assert kinds_in(block("hand.js", "const POSTED", ";")) == {bet.value for bet in Posted}


def test_the_scripts_know_the_newest_format_and_which_places_lie_open() -> None:
    assert f"const SIGNS_BETWEEN = {NEWEST};" in SCRIPTS["checks.js"]
    starts, ends = ("board.", "aside."), ".up"
    assert 'slot.startsWith("board.") || slot.startsWith("aside.") || slot.endsWith(".up")' in SCRIPTS["hand.js"]
    assert {name for name, slot in BY_NAME.items() if slot.face is Face.UP} == {
        name for name in BY_NAME if name.startswith(starts) or name.endswith(ends)
    }


def test_the_page_knows_every_game() -> None:
    said = json.loads(part(verifier_page("en"), r'id="texts">(.*?)</script>'))
    assert {*said["circle"]} == CIRCLE_GAMES
    assert {*said["texts"]["game"]} >= {*RULEBOOKS}


def test_the_command_writes_the_page_and_says_its_hash(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "page.html"
    assert main(["journal", "verifier", "--language", "en", "--out", str(out)]) == 0
    assert out.read_text(encoding="utf-8") == verifier_page("en")
    assert capsys.readouterr().out.splitlines()[1] == f"SHA-256 {hashlib.sha256(out.read_bytes()).hexdigest()}"
    assert main(["journal", "verifier", "--out", str(out)]) == 2
    assert "is there already" in capsys.readouterr().err

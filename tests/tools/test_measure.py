"""The figures of `make measure` count what they say they count."""

from __future__ import annotations

import sys
import threading
from pathlib import Path

import pytest

from drivers.facts import CardOut
from tests.tools import measure


def test_a_docstring_decides_nothing() -> None:
    text = '"""es"""\n\nWORD = "en"\n\n\ndef told() -> str:\n    """es"""\n    return "texas-bonus"\n'
    assert sorted(measure.strings(text)) == ["en", "texas-bonus"]


def test_a_module_names_what_it_imports() -> None:
    named = measure.names("from tablectl.games.texas_bonus import rules\nimport drivers.feig.entry\n")
    assert {"tablectl.games.texas_bonus.rules", "drivers.feig.entry"} <= named


def test_a_loop_variable_says_what_it_is() -> None:
    text = "for each in []: pass\n[each for each in []]\n_ = lambda each: each\n[each_card for each_card in []]\n"
    assert measure.says_each(text) == 3
    assert measure.unnamed_loops().where == ()


def test_whatever_a_module_names_somebody_uses() -> None:
    text = "import pytest\nA: int = 1\nB = A\ndef _c(): ...\nclass D:\n    ...\n@pytest.fixture\ndef e(): ...\n"
    assert list(measure.names_of(text)) == ["A", "B", "_c", "D"]
    assert measure.unused_names().where == ()


def test_what_is_taken_for_no_reader_of_the_stream_knows_no_record() -> None:
    for path in measure.NOT_THE_STREAM:
        named = measure.names((measure.ROOT / path).read_text(encoding="utf-8"))
        assert not [
            text
            for text in named
            if text.startswith(("tablectl.journal", "tablectl.api", "tablectl.core.events.codec"))
        ]


def test_what_another_thread_does_while_a_card_is_taken_up_is_not_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    profile = measure.Profile()
    monkeypatch.setattr(measure, "_TAKES", ("test_measure.py", "_take"))

    def here() -> None: ...

    def elsewhere() -> None: ...

    def _take(item: CardOut) -> None:
        here()
        other = threading.Thread(target=elsewhere)
        other.start()
        other.join()

    threading.setprofile(profile)
    sys.setprofile(profile)
    try:
        _take(CardOut(device="sabot", at_us=0, card=None))
    finally:
        sys.setprofile(None)
        threading.setprofile(None)
    (calls,) = profile.cards
    assert [call.rpartition(":")[2] for call in calls if call.startswith("tests/tools/")] == ["here"]


def test_two_places_that_import_each_other_are_one_pair() -> None:
    imports = {("tablectl.a.x", "tablectl.b.y"), ("tablectl.b.z", "tablectl.a.x"), ("tablectl.c.x", "tablectl.a.x")}
    assert measure.mutual(imports, measure.first_level) == ("tablectl.a <-> tablectl.b",)


def test_an_import_inside_a_place_is_no_pair() -> None:
    imports = {("tablectl.a.x", "tablectl.a.y"), ("tablectl.a.y", "tablectl.a.x")}
    assert measure.mutual(imports, measure.first_level) == ()


def test_a_folder_of_the_rules_and_one_inside_it_are_two_places() -> None:
    imports = {
        ("tablectl.core.engine.keys", "tablectl.families.pots.flow"),
        ("tablectl.families.pots.flow", "tablectl.core.engine.keys"),
    }
    assert measure.mutual(imports, measure.rule_folder) == ("core.engine <-> families.pots",)


def test_a_file_that_names_the_new_game_or_its_clauses_is_counted(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, text in {
        "a.py": "X = 'caribbean-stud'",
        "b.po": 'msgctxt "clause.CST-DEV-1"',
        "c.py": "COST = 1",
    }.items():
        (tmp_path / "tablectl").mkdir(exist_ok=True)
        (tmp_path / "tablectl" / name).write_text(text, encoding="utf-8")
    monkeypatch.setattr(measure, "ROOT", tmp_path)
    assert list(measure.know_the_new_game()) == ["tablectl/a.py", "tablectl/b.po"]

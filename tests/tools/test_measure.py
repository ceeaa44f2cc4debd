"""The figures of `make measure` count what they say they count."""

from __future__ import annotations

from tests.tools import measure


def test_a_docstring_decides_nothing() -> None:
    text = '"""es"""\n\nWORD = "en"\n\n\ndef told() -> str:\n    """es"""\n    return "texas-bonus"\n'
    assert sorted(measure.strings(text)) == ["en", "texas-bonus"]


def test_a_module_names_what_it_imports() -> None:
    named = measure.names("from tablectl.games.texas_bonus import rules\nimport drivers.feig.entry\n")
    assert {"tablectl.games.texas_bonus.rules", "drivers.feig.entry"} <= named


def test_two_places_that_import_each_other_are_one_pair() -> None:
    imports = {("tablectl.a.x", "tablectl.b.y"), ("tablectl.b.z", "tablectl.a.x"), ("tablectl.c.x", "tablectl.a.x")}
    assert measure.mutual(imports, measure.first_level) == ("tablectl.a <-> tablectl.b",)


def test_an_import_inside_a_place_is_no_pair() -> None:
    imports = {("tablectl.a.x", "tablectl.a.y"), ("tablectl.a.y", "tablectl.a.x")}
    assert measure.mutual(imports, measure.first_level) == ()


def test_a_folder_of_the_rules_and_one_inside_it_are_two_places() -> None:
    imports = {
        ("tablectl.core.engine.keys", "tablectl.core.engine.circle.flow"),
        ("tablectl.core.engine.circle.flow", "tablectl.core.engine.keys"),
    }
    assert measure.mutual(imports, measure.rule_folder) == ("core.engine <-> core.engine.circle",)

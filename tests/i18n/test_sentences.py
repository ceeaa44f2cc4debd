"""Whatever is asked for exists, whatever exists is asked for, and nobody speaks without asking."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path
from typing import Final

import pytest

import drivers
import simulators
import tablectl
from tablectl.core.events import codec
from tablectl.core.settlement.ranking import Category
from tablectl.i18n.mistakes import TABLE as MISTAKES
from tablectl.i18n.texts import load_texts
from tests.i18n.sentences import Asked, asked_in, sentences_in_script, words_in_template

ROOT: Final = Path(tablectl.__file__).parent
DRIVERS: Final = Path(drivers.__file__).parent
#: What plays a table for practice says why it did not do something, and what is lit.
STAGE: Final = Path(simulators.__file__).parent / "stage"
TEMPLATES: Final = sorted(ROOT.rglob("*.html"))
SCRIPTS: Final = sorted(ROOT.rglob("*.js"))
#: Every package that has sentences of its own, by its catalogue; those of `table` are everybody's.
SPEAKING: Final = sorted(
    f"tablectl.{path.stem}" for path in (ROOT / "i18n/locale").rglob("es/**/*.po") if path.stem != "table"
)
#: What is read of a game: asked for by the ids of clauses and by the names of choices, which stand in the game's folder
#: (tests/catalogue, tests/profile).
OF_GAMES: Final = frozenset({"borrowed", "clause", "document", "game", "house-choice", "open-point"})
#: What is said of a mistake is asked for by its English (`test_mistakes.py`).
BY_MESSAGE: Final = frozenset({MISTAKES})
SENTENCES: Final = {
    (table, key) for package in SPEAKING for table, key, _ in load_texts(package) if table not in OF_GAMES | BY_MESSAGE
}
#: Tables of which one is taken by what there is to be said: why something was denied, what a remedy means.
CHOSEN_AS_IT_RUNS: Final = frozenset({"denied", "remedy-means"})
#: The sentence of an event is asked for by its kind, which is the name of its class; that of a hand of cards likewise.
KINDS: Final = frozenset({*codec.FACTS, *codec.NOTES, *codec.DECISIONS, *(category.word for category in Category)})
#: What stands on a page in no language: a clause, a street's name, the program's, units, zones.
NO_LANGUAGE: Final = frozenset(
    {
        "JSONL",
        "BEGIN",
        "PRIVATE",
        "PUBLIC",
        "KEY",
        "tablectl",
        "THB",
        "BON",
        "FLOP",
        "TURN",
        "RIVER",
        "CSV",
        "PIN",
        "USB",
        "UTC",
    }
)


@pytest.fixture(scope="module")
def asked_of_all() -> Asked:
    """What all code and all templates ask for."""
    modules = [path for folder in (ROOT, DRIVERS, STAGE) for path in folder.rglob("*.py")]
    return asked_in(modules, TEMPLATES, (ROOT / "journal" / "evidence").rglob("*.js"))


def test_every_sentence_that_is_asked_for_by_name_exists(asked_of_all: Asked) -> None:
    tables = {table for table, _ in SENTENCES}
    asked = {(table, key) for table, key in asked_of_all.exact if table in tables}
    assert len(asked) > 200
    assert asked <= SENTENCES, sorted(asked - SENTENCES)


def test_every_sentence_that_exists_is_asked_for(asked_of_all: Asked) -> None:
    asked = replace(
        asked_of_all, composed=asked_of_all.composed | CHOSEN_AS_IT_RUNS, literals=asked_of_all.literals | KINDS
    )
    unused = sorted((table, key) for table, key in SENTENCES if not asked.might_ask(table, key))
    assert unused == []


@pytest.mark.parametrize("path", TEMPLATES, ids=lambda path: str(path.relative_to(ROOT)))
def test_a_template_says_nothing_by_itself(path: Path) -> None:
    words = [word for word in words_in_template(path.read_text(encoding="utf-8")) if word not in NO_LANGUAGE]
    assert words == []


@pytest.mark.parametrize("path", SCRIPTS, ids=lambda path: path.name)
def test_a_script_says_nothing_by_itself(path: Path) -> None:
    said = [sentence for sentence in sentences_in_script(path.read_text(encoding="utf-8")) if sentence != "use strict"]
    assert said == []


def test_a_style_sheet_says_nothing_by_itself() -> None:
    for path in sorted(ROOT.rglob("*.css")):
        for said in re.findall(r'content:\s*"([^"]*)"', path.read_text(encoding="utf-8")):
            assert not re.search(r"[^\W\d_]{2,}", said), f"{path.name}: {said}"


# --- that these would see it ------------------------------------------------------------------------------------------


def test_a_sentence_in_a_template_is_seen_whether_it_is_text_or_read_aloud() -> None:
    found = words_in_template(
        '<p title="Mesa {{ x }}">{% if a %}Hola{% endif %} {{ t.page("b") }}</p><style>body</style>'
    )
    assert list(found) == ["Mesa", "Hola"]


def test_a_sentence_in_a_script_is_seen_and_a_comment_or_a_selector_is_not() -> None:
    source = '// not said to anybody\ntell(["No hay conexión"]); find("a.b [data-x]"); tell(`sent at ${now()}`);'
    assert list(sentences_in_script(source)) == ["No hay conexión", "sent at ${now()}"]


def test_what_is_asked_for_is_read_out_of_code_and_templates(tmp_path: Path) -> None:
    code, template = tmp_path / "code.py", tmp_path / "page.html"
    code.write_text('KEY = "b"\nsay("x")\nt.say("a", KEY)\nt.word("c", f"{d}-east")\n"north"\n', encoding="utf-8")
    template.write_text('{{ t.page("one" if x else "two") }}{{ t.word("e", key) }}{{ t.page(name) }}', encoding="utf-8")
    script = tmp_path / "page.js"
    script.write_text('say("f", "g"); page("three"); word("h", name); const key = "south-pole";', encoding="utf-8")
    asked = asked_in([code], [template], [script])
    assert asked.exact == {("a", "b"), ("page", "one"), ("page", "two"), ("f", "g"), ("page", "three")}
    assert asked.composed == {"c", "e", "page", "h"}
    assert asked.might_ask("h", "south-pole")
    assert asked.might_ask("c", "north-east")
    assert not asked.might_ask("c", "south-east")
    assert not asked.might_ask("a", "north")

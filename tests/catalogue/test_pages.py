"""The pages of `docs/rulebooks` say what the catalogue says today, in both languages."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from pathlib import Path

import pytest

from tablectl.cli.commands.rules import made_pages
from tablectl.games.registry import GAMES, choices_of
from tablectl.i18n.clauses.catalogue import Document, load, read
from tablectl.i18n.clauses.pages import INDEX, Chapter, pages, texts_of_pages
from tablectl.i18n.texts import Texts
from tests.catalogue.books import said

ROOT = Path(__file__).parents[2]
FOLDER = ROOT / "docs" / "rulebooks"
NAMES = (INDEX, *(f"{rulebook}.md" for rulebook in GAMES))
STALE = "the catalogue, a state machine or a place of enforcement changed: run `make docs` and commit the pages"
TOML = """
rulebook = "texas-bonus"
[[ambiguity]]
id = "AMB-50"
profile_key = "pair_of_jacks_bonus"
[[clause]]
id = "THB-BON-9"
kind = "payout"
phases = ["settlement"]
section = "Bonus"
deadline = "hand-end"
remedy = ["correct", "warn"]
ambiguity = ["AMB-50"]
[[clause]]
id = "THB-DEF-1"
kind = "procedure"
phases = ["setup"]
section = "Nombre"
definition = true
[[clause]]
id = "THB-PLY-5"
kind = "bet"
phases = ["betting"]
section = "Nombre"
"""
SAYS = {
    "clause": {
        "THB-BON-9": ("El bonus a|b pierde.", "The bonus loses."),
        "THB-DEF-1": ("Sin bote.", "No pot."),
        "THB-PLY-5": ("Sentado.", "Seated."),
    },
    "open-point": {"texas-bonus-AMB-50": ("Abierto.", "Left open.")},
}


@cache
def made() -> dict[str, str]:
    """The pages as they should be: all of the sources are read for them."""
    return made_pages(FOLDER)


def texts() -> Texts:
    """What stands on the pages, with the made-up clauses of this test."""
    tables: dict[str, dict[str, Mapping[str, tuple[str, ...]]]] = {}
    for table, key, lines in texts_of_pages():
        tables.setdefault(table, {})[key] = lines
    for table, entries in SAYS.items():
        for key, (es, en) in entries.items():
            tables[table][key] = {"es": (es,), "en": (en,)}
    return Texts(tables)


def page(*, diagram: tuple[str, ...] = (), tests: dict[str, tuple[str, ...]] | None = None) -> str:
    chapter = Chapter(
        document=Document(rulebook="texas-bonus", number="002"),
        clauses=read(TOML),
        choices=choices_of("texas-bonus"),
        diagram=diagram,
        enforced_in={
            "THB-BON-9": ("tablectl.families.banked.closing:settle", "tablectl.families.banked.closing:confirm")
        },
        root="../../",
        tests=tests or {},
        texts=texts(),
    )
    return pages([chapter])["texas-bonus.md"]


@pytest.mark.parametrize("name", NAMES)
def test_the_committed_page_is_what_the_catalogue_makes(name: str) -> None:
    assert (FOLDER / name).read_text(encoding="utf-8") == made()[name], STALE


def test_there_is_no_page_of_a_rulebook_that_is_not_there() -> None:
    assert {path.name for path in FOLDER.iterdir()} == set(made())
    assert set(made()) == set(NAMES)


@pytest.mark.parametrize("rulebook", GAMES)
def test_every_clause_is_an_anchor_with_both_its_sentences(rulebook: str) -> None:
    text = made()[f"{rulebook}.md"]
    for clause in load(rulebook):
        assert f"\n### {clause.id}\n\n| {' | '.join(said('clause', clause.id))} |\n" in text


@pytest.mark.parametrize("rulebook", GAMES)
def test_every_link_of_a_committed_page_leads_somewhere(rulebook: str) -> None:
    text = made()[f"{rulebook}.md"]
    anchors = {f"#{clause.id.lower()}" for clause in load(rulebook)}
    for link in (part.partition(")")[0] for part in text.split("](")[1:]):
        if link.startswith("#s"):
            assert f'<a id="{link[1:]}"></a>' in text
        elif link.startswith("#"):
            assert link in anchors
        else:
            assert (FOLDER / link).is_file()


@pytest.mark.parametrize("rulebook", GAMES)
def test_a_committed_page_names_no_test_and_no_function_so_that_adding_one_does_not_change_it(rulebook: str) -> None:
    assert "tests/" not in made()[f"{rulebook}.md"]
    assert ".py:" not in made()[f"{rulebook}.md"]


def test_deadline_remedy_ambiguity_and_the_house_s_choice_are_told_side_by_side() -> None:
    text = page()
    assert "| El bonus a\\|b pierde. | The bonus loses. |" in text
    assert "| Hasta el fin de la mano. | Until the end of the hand. |" in text
    assert "| Remedio: corregir en el sitio; avisar. | Remedy: put it right; warn. |" in text
    assert "| AMB-50: Abierto. | AMB-50: Left open. |" in text
    assert "`pair_of_jacks_bonus`: **`loses`** · `pays-10-to-1`." in text


def test_a_module_that_enforces_a_clause_is_named_once() -> None:
    link = "[tablectl/families/banked/closing.py](../../tablectl/families/banked/closing.py)"
    assert f"`payout` · aplicada en · enforced in {link}\n" in page()


def test_what_nothing_enforces_is_told_at_the_top_and_in_its_place_unless_it_is_a_definition() -> None:
    text = page()
    assert "**Todavía no se aplican · Not enforced yet** (1): [THB-PLY-5](#thb-ply-5)." in text
    assert "`bet` · **todavía no se aplica · not enforced yet**" in text
    assert "`procedure` · no pide nada a nadie · asks nothing of anybody" in text


def test_the_state_machine_is_drawn_where_there_is_one() -> None:
    assert "```mermaid\nstateDiagram-v2\n```" in page(diagram=("stateDiagram-v2",))
    assert "mermaid" not in page()
    assert "cannot be played at a table yet" in page()


def test_tests_are_folded_in_when_given() -> None:
    text = page(tests={"THB-BON-9": ("tests/test_a.py::test_b", "tests/hands/c.hand")})
    assert "<details><summary>pruebas · tests: 2</summary>" in text
    assert "- [`tests/test_a.py::test_b`](../../tests/test_a.py)" in text

"""What enforces a clause and which tests show it is found where it stands."""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path

import pytest

from tablectl.games.registry import GAMES, RULEBOOKS
from tablectl.i18n.clauses.catalogue import load
from tablectl.i18n.clauses.evidence import Evidence, clause_ids, enforcing, gather, mentions, showing
from tests.catalogue.books import BOOKS

SOURCE = '''"""A module about THB-DEF-1."""

#: What the table says (THB-BON-0).
TABLE = {
    1: "THB-BON-2",  # and THB-BON-3
}
PLAIN = 3
ALL = ("THB-ERR-4", "THB-ERR-5", "THB-ERR-6 to -7")
SAID = {"THB-ERR-4": "The next card.", "THB-ERR-5": "Out."}
#: Due after THB-DEV-8.
DUE = "THB-DEV-10"
REMEDIES = {"THB-ERR-4": keep, "THB-ERR-5": [out, "THB-SET-6"]}


class Machine:
    """THB-ERR-1."""

    state: str = "THB-DEV-6"

    @staticmethod
    def move() -> str:
        # because of THB-DEV-7, -9
        return "moved"


def settle() -> None:
    """Pays (THB-SET-3 to -5)."""
'''


@pytest.mark.parametrize(
    ("text", "ids"),
    [
        ("THB-ERR-2", ["THB-ERR-2"]),
        ("(THB-ERR-2, -4)", ["THB-ERR-2", "THB-ERR-4"]),
        ("THB-ERR-2 to -4 and THB-DEV-10", ["THB-ERR-2", "THB-ERR-3", "THB-ERR-4", "THB-DEV-10"]),
        ("THB-SET-1 to -3, -5", ["THB-SET-1", "THB-SET-2", "THB-SET-3", "THB-SET-5"]),
        ("THL-PLE-1a and -2", ["THL-PLE-1a", "THL-PLE-2"]),
        ("THB-ERR-2, -4 seconds later; XTHB-ERR-3; thb-err-5; AMB-50", ["THB-ERR-2", "THB-ERR-4"]),
        ("THB-ERR-24", ["THB-ERR-24"]),
        ("THB-STF-1-fault-of-the-controller.hand, THB-ERR-2-", ["THB-ERR-2"]),
    ],
)
def test_clauses_are_cited_whole_or_short(text: str, ids: list[str]) -> None:
    assert list(clause_ids(text)) == ids


def test_a_clause_belongs_to_the_innermost_thing_that_names_it_and_a_docstring_or_a_list_enforces_nothing() -> None:
    assert list(mentions(SOURCE)) == [
        ("THB-BON-0", "TABLE"),
        ("THB-BON-2", "TABLE"),
        ("THB-BON-3", "TABLE"),
        ("THB-DEV-8", "DUE"),
        ("THB-DEV-10", "DUE"),
        ("THB-ERR-4", "REMEDIES"),
        ("THB-ERR-5", "REMEDIES"),
        ("THB-SET-6", "REMEDIES"),
        ("THB-ERR-1", "Machine"),
        ("THB-DEV-6", "Machine.state"),
        ("THB-DEV-7", "Machine.move"),
        ("THB-DEV-9", "Machine.move"),
        ("THB-SET-3", "settle"),
        ("THB-SET-4", "settle"),
        ("THB-SET-5", "settle"),
    ]


def test_enforcement_is_named_by_module_and_what_only_tells_is_left_out(tmp_path: Path) -> None:
    package = tmp_path / "tablectl"
    telling = (
        "i18n/clauses/catalogue.py",
        "core/options/bonus.py",
        "games/bonus/options.py",
        "cli/commands/rules.py",
    )
    for name in ("core/engine/__init__.py", "core/engine/misdeals.py", "cli/commands/rules_of_thumb.py", *telling):
        path = package / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text('NAME = "THB-ERR-2"\n')
    assert list(enforcing(package)) == [
        ("THB-ERR-2", "tablectl.cli.commands.rules_of_thumb:NAME"),
        ("THB-ERR-2", "tablectl.core.engine:NAME"),
        ("THB-ERR-2", "tablectl.core.engine.misdeals:NAME"),
    ]


def test_tests_show_clauses_by_name_by_text_and_by_hand_file(tmp_path: Path) -> None:
    tests = tmp_path / "tests"
    hands = tests / "hands" / "texas-bonus"
    hands.mkdir(parents=True)
    (tests / "test_deal.py").write_text(
        "def test_thb_err_2_is_set_aside() -> None: ...\n\n\n"
        "class TestTable:\n"
        "    @mark('THB-BON-3')\n"
        "    def test_lines(self) -> None: ...\n\n\n"
        "def helper() -> str:\n    return 'THB-ERR-7'\n\n\n"
        "WRONG = {'thb_lim_3_below': 'THB-LIM-2', 'limits': 'not thb_lim_4_at_all'}\n\n\n"
        "@mark(WRONG.values(), ids=WRONG)\n"
        "def test_wrong() -> None: ...\n"
    )
    (hands / "bank-card.hand").write_text("# THB-ERR-1: seen too soon\nrulebook texas-bonus\n# THB-ERR-6\n")
    (hands / "thb-err-5-three-cards.hand").write_text("rulebook texas-bonus\n")
    (hands / "empty.hand").write_text("")
    assert sorted(showing(tmp_path)) == [
        ("THB-BON-3", "tests/test_deal.py::TestTable::test_lines"),
        ("THB-ERR-1", "tests/hands/texas-bonus/bank-card.hand"),
        ("THB-ERR-2", "tests/test_deal.py::test_thb_err_2_is_set_aside"),
        ("THB-ERR-5", "tests/hands/texas-bonus/thb-err-5-three-cards.hand"),
        ("THB-LIM-3", "tests/test_deal.py::test_wrong"),
    ]


@pytest.fixture(scope="module")
def evidence() -> Evidence:
    return gather()


def test_every_module_that_is_named_exists(evidence: Evidence) -> None:
    places = {place for found in evidence.enforced_in.values() for place in found}
    assert places
    for place in places:
        module, _, name = place.partition(":")
        assert find_spec(module) is not None
        assert name


def asking(rulebook: str) -> list[str]:
    """The clauses that ask something of somebody."""
    found = [clause.id for clause in load(rulebook) if not clause.definition]
    assert found
    return found


@pytest.mark.parametrize("rulebook", GAMES)
def test_a_clause_is_enforced_somewhere_and_shown_by_a_test(rulebook: str, evidence: Evidence) -> None:
    """A definition need be neither."""
    unenforced = [text for text in asking(rulebook) if not evidence.enforced_in.get(text)]
    assert unenforced == [], "named by no code that enforces it"
    unshown = [text for text in asking(rulebook) if not evidence.tests.get(text)]
    assert unshown == [], "named by no test and no hand file that shows it"


@pytest.mark.parametrize("rulebook", RULEBOOKS)
def test_a_clause_of_a_game_that_can_be_played_is_enforced_at_the_table(rulebook: str, evidence: Evidence) -> None:
    """A command that refuses a line of a file for it, as `tablectl settle` does, is not enough then."""
    assert [
        text
        for text in asking(rulebook)
        if all(place.startswith("tablectl.cli.commands") for place in evidence.enforced_in[text])
    ] == []


@pytest.mark.parametrize("rulebook", GAMES)
def test_no_clause_is_enforced_by_those_who_only_tell_about_it(rulebook: str, evidence: Evidence) -> None:
    places = [place for clause in load(rulebook) for place in evidence.enforced_in.get(clause.id, ())]
    assert places
    for place in places:
        assert not place.startswith(("tablectl.i18n.clauses", "tablectl.core.options"))
        assert not place.endswith(":__doc__")


def test_every_clause_that_code_claims_to_enforce_is_in_its_catalogue(evidence: Evidence) -> None:
    known = {clause.id for book in BOOKS.values() for clause in book}
    catalogued = tuple({text[:4] for text in known})
    named = {text for text in evidence.enforced_in if text.startswith(catalogued)}
    assert sorted(named - known) == []


def test_tests_of_the_catalogue_itself_show_no_clause(evidence: Evidence) -> None:
    assert not [test for found in evidence.tests.values() for test in found if "tests/catalogue/" in test]

"""What a clause says is found wherever it is cited, also in a game that has it from another document."""

from __future__ import annotations

import pytest

from tablectl.games.registry import GAMES
from tablectl.i18n.clauses.evidence import PACKAGE, enforcing, source_root
from tablectl.i18n.clauses.texts import text_of
from tests.catalogue.books import BOOKS


@pytest.mark.parametrize("rulebook", GAMES)
def test_a_clause_of_the_game_s_own_document_is_told_in_both_languages(rulebook: str) -> None:
    for clause in BOOKS[rulebook]:
        assert text_of(clause.id, rulebook) == {"es": clause.es, "en": clause.en}


@pytest.mark.parametrize("rulebook", ["draw-poker", "open-holdem"])
def test_a_clause_of_document_001_is_told_in_the_games_that_borrow_it(rulebook: str) -> None:
    own = {each.id for each in BOOKS[rulebook]}
    for clause in BOOKS["circle-holdem"]:
        assert clause.id not in own, "an id names its document"
        assert text_of(clause.id, rulebook) == {"es": clause.es, "en": clause.en}


def test_no_code_cites_a_clause_that_no_document_has() -> None:
    cited = {clause for clause, _ in enforcing(source_root() / PACKAGE)}
    assert {each for each in cited if text_of(each, "whist") is None} == set()


def test_a_clause_of_no_document_has_no_text() -> None:
    assert text_of("THL-PLE-99", "draw-poker") is None

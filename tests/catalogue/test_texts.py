"""What a clause says is found wherever it is cited, also in a game that has it from another document."""

from __future__ import annotations

import pytest

from tablectl.games.registry import GAMES
from tablectl.i18n.clauses.evidence import PACKAGE, enforcing, source_root
from tablectl.i18n.languages import LANGUAGES
from tablectl.i18n.table_texts import TableTexts
from tests.catalogue.books import BOOKS, WORDS, said


def clause(clause_id: str, rulebook: str) -> tuple[str, ...]:
    """What it says at the table of a game, in every language."""
    return tuple(
        TableTexts(language=language, texts=WORDS, rulebook=rulebook).clause(clause_id) for language in LANGUAGES
    )


@pytest.mark.parametrize("rulebook", GAMES)
def test_a_clause_of_the_game_s_own_document_is_told_in_every_language(rulebook: str) -> None:
    for book in BOOKS[rulebook]:
        assert clause(book.id, rulebook) == said("clause", book.id)


@pytest.mark.parametrize("rulebook", ["draw-poker", "open-holdem"])
def test_a_clause_of_document_001_is_told_in_the_games_that_borrow_it(rulebook: str) -> None:
    own = {book.id for book in BOOKS[rulebook]}
    for entry in BOOKS["circle-holdem"]:
        assert entry.id not in own, "an id names its document"
        assert clause(entry.id, rulebook) == said("clause", entry.id)


def test_no_code_cites_a_clause_that_no_document_has() -> None:
    cited = {clause for clause, _ in enforcing(source_root() / PACKAGE)}
    assert {text for text in cited if not any(clause(text, "whist"))} == set()


def test_a_clause_of_no_document_has_no_text() -> None:
    assert not any(clause("THL-PLE-99", "draw-poker"))

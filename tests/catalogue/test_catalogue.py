"""The clause catalogue of every rulebook is whole, in every language, and says nothing that does not exist."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping

import pytest

from tablectl.games.registry import GAMES, RULEBOOKS, choices_of
from tablectl.i18n.clauses.catalogue import (
    BadCatalogue,
    Deadline,
    Kind,
    Remedy,
    UnknownRulebook,
    check_texts,
    document,
    load,
    read,
)
from tablectl.i18n.texts import Texts
from tests.catalogue.books import BOOKS, WORDS, head, said

TEXAS_BONUS_GROUPS = {
    "DEF": range(1, 3),
    "CRD": range(1, 4),
    "TAB": range(1, 5),
    "SAB": range(1, 3),
    "STF": range(1, 4),
    "PLY": range(1, 6),
    "RNK": range(12),
    "LIM": range(1, 6),
    "DEV": range(1, 27),
    "SET": range(1, 7),
    "BON": range(10),
    "ERR": range(1, 8),
}
TEXAS_POKER_GROUPS = {
    "DEF": range(1, 5),
    "CRD": range(1, 5),
    "TAB": range(1, 4),
    "PLY": range(1, 9),
    "RNK": range(12),
    "PAY": range(10),
    "DEV": range(1, 28),
    "LIM": range(1, 6),
    "MIS": range(6),
    "CRE": range(1, 2),
    "PLE": range(1, 4),
}
#: As many characters as the croupier's screen has for a clause, and the pit boss's for an open point.
LONGEST = 120
LONGEST_POINT = 200
ONE = """
[[clause]]
id = "THB-ERR-2"
kind = "button"
phases = ["dealing"]
section = "b)"
"""
SAYS = {"clause": {"THB-ERR-2": {"es": ("Una.",), "en": ("One.",)}}}


def test_texas_bonus_has_all_its_85_clauses_in_the_document_s_order() -> None:
    expected = [f"THB-{group}-{number}" for group, numbers in TEXAS_BONUS_GROUPS.items() for number in numbers]
    found = [clause.id for clause in load("texas-bonus")]
    assert Counter(found) == Counter(expected)
    assert len(found) == 85


def test_texas_bonus_has_so_many_clauses_of_each_kind() -> None:
    assert Counter(clause.kind for clause in load("texas-bonus")) == {
        Kind.SENSOR: 20,
        Kind.BUTTON: 11,
        Kind.PROCEDURE: 5,
        Kind.BET: 16,
        Kind.PAYOUT: 33,
    }


def test_texas_poker_has_all_its_83_clauses_in_the_document_s_order() -> None:
    expected = [f"TPC-{group}-{number}" for group, numbers in TEXAS_POKER_GROUPS.items() for number in numbers]
    assert [clause.id for clause in load("texas-poker")] == expected
    assert len(expected) == 83


def test_texas_poker_has_so_many_clauses_of_each_kind() -> None:
    assert Counter(clause.kind for clause in load("texas-poker")) == {
        Kind.SENSOR: 9,
        Kind.BUTTON: 14,
        Kind.PROCEDURE: 7,
        Kind.BET: 14,
        Kind.PAYOUT: 39,
    }


@pytest.mark.parametrize("rulebook", BOOKS)
def test_every_clause_is_one_sentence_in_each_language(rulebook: str) -> None:
    for clause in BOOKS[rulebook]:
        texts = said("clause", clause.id)
        for text in texts:
            assert text.strip() == text, clause.id
            assert text.endswith("."), clause.id
            assert ". " not in text, clause.id
            assert len(text) <= LONGEST, clause.id
        assert len(set(texts)) == len(texts), clause.id


@pytest.mark.parametrize("rulebook", BOOKS)
def test_no_two_clauses_of_a_game_say_the_same(rulebook: str) -> None:
    texts = Counter(text for clause in BOOKS[rulebook] for text in said("clause", clause.id))
    assert [text for text, times in texts.items() if times > 1] == []


@pytest.mark.parametrize("rulebook", BOOKS)
def test_no_two_open_points_of_a_game_say_the_same(rulebook: str) -> None:
    points = {ambiguity.id for clause in BOOKS[rulebook] for ambiguity in clause.ambiguity}
    texts = Counter(text for point in points for text in said("open-point", f"{rulebook}-{point}"))
    assert [text for text, times in texts.items() if times > 1] == []


@pytest.mark.parametrize("rulebook", BOOKS)
def test_every_ambiguity_is_told_in_words_and_its_key_exists(rulebook: str) -> None:
    keys = {key for book in BOOKS for key in choices_of(book)}
    for clause in BOOKS[rulebook]:
        for ambiguity in clause.ambiguity:
            for text in said("open-point", f"{rulebook}-{ambiguity.id}"):
                assert ambiguity.id not in text, clause.id
                assert len(ambiguity.id) < len(text) <= LONGEST_POINT, clause.id
        assert set(clause.profile_keys.values()) <= keys, clause.id
        assert clause.profile_key is None or clause.profile_key in clause.profile_keys.values(), clause.id


@pytest.mark.parametrize("rulebook", GAMES)
def test_every_phase_that_a_clause_names_is_one_of_its_rulebook(rulebook: str) -> None:
    phases = RULEBOOKS[rulebook]({}).phases
    named = {(clause.id, phase) for clause in load(rulebook) for phase in clause.phases}
    assert sorted((clause, phase) for clause, phase in named if phase not in {"any", "setup", *phases}) == []


@pytest.mark.parametrize("rulebook", GAMES)
def test_every_catalogue_names_its_document(rulebook: str) -> None:
    found = document(rulebook)
    assert found.rulebook == rulebook
    assert found.number.isdigit()
    titles = said("document", rulebook)
    assert all(titles)
    assert len(set(titles)) == len(titles)


def test_every_text_is_of_a_clause_of_an_open_point_or_of_a_game() -> None:
    clauses = {clause.id for book in BOOKS.values() for clause in book}
    points = {
        f"{rulebook}-{point.id}" for rulebook, book in BOOKS.items() for clause in book for point in clause.ambiguity
    }
    assert WORDS.keys("clause") == clauses
    assert WORDS.keys("open-point") == points
    assert WORDS.keys("document") == WORDS.keys("game") == set(GAMES)
    assert WORDS.keys("borrowed") == {game for game in GAMES if document(game).borrows is not None}


@pytest.mark.parametrize("rulebook", BOOKS)
def test_every_book_says_what_it_is_a_book_of(rulebook: str) -> None:
    found = head(rulebook)
    assert found["rulebook"] == rulebook
    assert found["document"].isdigit()
    assert found.get("borrows") in {None, *GAMES} - {rulebook}


@pytest.mark.parametrize("rulebook", BOOKS)
def test_only_a_departure_has_a_remedy_and_what_is_merely_paid_or_returned_has_none(rulebook: str) -> None:
    """But THL-MIS-9, which is the remedy of a misdeal: everybody gets his money back."""
    for book in BOOKS[rulebook]:
        if book.kind is Kind.PAYOUT and book.remedy and book.id != "THL-MIS-9":
            assert book.remedy == (Remedy.CORRECT,)


@pytest.mark.parametrize("rulebook", BOOKS)
def test_every_choice_of_the_profile_is_settled_by_the_clause_that_it_cites(rulebook: str) -> None:
    clauses = {book.id: book for book in BOOKS[rulebook]}
    for name, choice in choices_of(rulebook).items():
        assert {choice.ambiguity: name}.items() <= clauses[choice.clause].profile_keys.items()


@pytest.mark.parametrize("rulebook", BOOKS)
def test_every_key_that_an_open_point_names_settles_that_point(rulebook: str) -> None:
    settles = {choice.ambiguity: name for name, choice in choices_of(rulebook).items()}
    named = {point: key for book in BOOKS[rulebook] for point, key in book.profile_keys.items()}
    assert named == settles


def test_the_errors_say_what_to_do() -> None:
    remedies = {clause.id: clause.remedy for clause in load("texas-bonus") if clause.id.startswith("THB-ERR")}
    assert remedies["THB-ERR-1"] == (Remedy.VOID_HAND, Remedy.REFUND)
    assert remedies["THB-ERR-2"] == (Remedy.DISCARD, Remedy.NEXT_CARD)
    assert all(remedies.values())


def test_the_errors_of_texas_poker_say_what_to_do() -> None:
    """But for cards that a player shows by mistake: the hand stands."""
    errors = {clause.id: clause for clause in load("texas-poker") if clause.id.startswith(("TPC-MIS", "TPC-PLE"))}
    assert [text for text, clause in errors.items() if not clause.remedy] == ["TPC-PLE-3"]
    assert errors["TPC-MIS-1"].remedy == (Remedy.VOID_HAND, Remedy.REFUND)
    assert errors["TPC-MIS-3"].deadline is Deadline.REVEAL
    assert Remedy.LOSE in errors["TPC-PLE-1"].remedy


@pytest.mark.parametrize("rulebook", BOOKS)
def test_a_definition_has_no_remedy_and_no_deadline(rulebook: str) -> None:
    definitions = [book for book in BOOKS[rulebook] if book.definition]
    assert definitions
    assert all(definition.remedy == () and definition.deadline is None for definition in definitions)


def test_an_unknown_rulebook_is_told_with_those_there_are() -> None:
    with pytest.raises(UnknownRulebook, match="no rulebook 'texas-bonos'; there are: texas-bonus, texas-poker"):
        load("texas-bonos")


def test_the_least_that_a_clause_needs() -> None:
    (clause,) = read(ONE)
    assert (clause.id, clause.deadline, clause.remedy, clause.ambiguity, clause.profile_key) == (
        "THB-ERR-2",
        None,
        (),
        (),
        None,
    )


@pytest.mark.parametrize(
    ("text", "told"),
    [
        (
            ONE.replace('"button"', '"lever"'),
            "clause THB-ERR-2: 'lever' is no word for kind; would be right: 'sensor' or ",
        ),
        (ONE.replace('"dealing"', '"midnight"'), "'midnight' is no word for phases; would be right: "),
        (ONE.replace('["dealing"]', "[]"), "phases and section must be given"),
        (ONE.replace('kind = "button"', ""), "clause THB-ERR-2: 'kind' is missing"),
        (ONE.replace("THB-ERR-2", "THB-2"), "'THB-2' is no clause id"),
        (ONE + ONE, "THB-ERR-2 stands there twice"),
        (ONE + 'remedy = ["prayer"]', "'prayer' is no word for remedy; would be right: "),
        (ONE + 'deadline = "someday"', "'someday' is no word for deadline; would be right: "),
        (ONE + 'ambiguity = ["AMB-1"]', "'AMB-1' is missing"),
        (ONE + "colour = 3", "clause THB-ERR-2: .*'colour'"),
        ('[[ambiguity]]\nid = "AMB-1"\n' + ONE, "no clause refers to AMB-1"),
        ('[[ambiguity]]\nid = "AMB-1"\nes = "Una."\n' + ONE, "ambiguity AMB-1: .*'es'"),
        ('[[ambiguity]]\nid = "AMB-1"\nprofile_key = "x"\n' + ONE, "no key 'x'"),
        (
            'rulebook = "texas-poker"\n[[ambiguity]]\nid = "AMB-1"\nprofile_key = "wrong_order"\n' + ONE,
            "no key 'wrong_order'",
        ),
        ("[[clause", "no TOML"),
    ],
)
def test_a_catalogue_that_breaks_its_own_rules_is_refused(text: str, told: str) -> None:
    with pytest.raises(BadCatalogue, match=told):
        read(text)


@pytest.mark.parametrize(
    ("says", "told"),
    [
        ({"clause": {}}, "clause THB-ERR-2: no catalogue of a language says it"),
        (
            {"clause": {"THB-ERR-2": {"es": ("Una.",), "en": ("One",)}}},
            "one whole sentence is expected in en",
        ),
        ({"clause": {"THB-ERR-2": {"es": ("",), "en": ("One.",)}}}, "one whole sentence is expected in es, not ''"),
    ],
)
def test_a_clause_that_no_language_says_in_a_whole_sentence_is_refused(
    says: Mapping[str, Mapping[str, Mapping[str, tuple[str, ...]]]], told: str
) -> None:
    clauses = read(ONE)
    check_texts("texas-bonus", clauses, Texts(SAYS))
    with pytest.raises(BadCatalogue, match=told):
        check_texts("texas-bonus", clauses, Texts(says))

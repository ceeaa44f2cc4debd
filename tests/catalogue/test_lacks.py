"""What a game lacks to be whole is said before a table runs into it."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path
from typing import ClassVar

import pytest

from tablectl.core.engine.rulebook import Rulebook, Transition
from tablectl.core.options.choices import Profile
from tablectl.games.game import Game
from tablectl.games.registry import GAMES
from tablectl.i18n.clauses.evidence import gather
from tablectl.i18n.clauses.lacks import lacks
from tablectl.i18n.texts import Texts, load_texts
from tests.games.plug_in import announced, tablectl

POKER = GAMES["texas-poker"]
BOOK = POKER.as_shipped
TEXTS = load_texts()


@dataclass(frozen=True, slots=True, kw_only=True)
class Others(Profile):
    """Choices for a rulebook of another name."""

    rulebook: ClassVar[str] = "poker-of-others"


def found(game: Game, *cited: tuple[str, str], texts: Texts = TEXTS) -> list[str]:
    return list(lacks(game, cited=cited, texts=texts))


def with_book(book: Rulebook) -> Game:
    """The game with another rulebook."""
    return replace(POKER, rulebook=lambda _: book)


@pytest.mark.parametrize("rulebook", GAMES)
def test_every_game_of_ours_is_whole(rulebook: str) -> None:
    cited = [(clause, place) for clause, places in gather().enforced_in.items() for place in places]
    assert found(GAMES[rulebook], *cited) == []


def test_a_clause_that_the_sources_name_and_the_catalogue_does_not_have() -> None:
    assert found(POKER, ("TPC-MIS-99", "texas_poker.rules:_errors"), ("THB-ERR-99", "somewhere:else")) == [
        "clauses.toml: no clause TPC-MIS-99, which texas_poker.rules:_errors names"
    ]


def test_what_does_not_fit_its_rulebook() -> None:
    assert "options: they are those of 'poker-of-others', and the rulebook is 'texas-poker'" in found(
        replace(POKER, options=Others)
    )
    assert found(replace(POKER, boxes={"ante": (0, 0)})) == ["boxes: ante; the bets of the rulebook: ante, second, txb"]
    assert found(replace(POKER, proposal=replace(POKER.proposal, limits={}))) == [
        "proposal.limits: none; the limits.bets of the rulebook: ante, txb"
    ]
    limits = replace(BOOK.limits, bets={"ante": None})
    assert "limits.bets: ante; the bets of the rulebook without `multiple_of`: ante, txb" in found(
        with_book(replace(BOOK, limits=limits))
    )


def test_transitions_that_lead_nowhere_and_a_phase_in_which_no_hand_can_be_annulled() -> None:
    lines = BOOK.transitions
    wrong = Transition(trigger="dealt", source="flop", dest="showdwn")
    (told,) = found(with_book(replace(BOOK, transitions=(*lines, wrong))))
    assert told.startswith("transitions: 'dealt': phase 'showdwn' is none of ")
    kept = tuple(line for line in lines if (line.trigger, line.source) != ("void", "flop"))
    assert found(with_book(replace(BOOK, transitions=kept))) == [
        "transitions: none by the trigger 'void' from the phase flop: a hand could not be annulled there"
    ]


def test_words_that_no_catalogue_has() -> None:
    told = found(POKER, texts=Texts({}))
    for message in (
        "game.texas-poker",
        "document.texas-poker",
        "phase.turn-river",
        "bet.second",
        "bet-letter.txb",
        "house-choice.texas-poker-tie",
    ):
        assert f"{message}: no such message in locale/es/LC_MESSAGES/texts.po, compiled to texts.mo" in told


@pytest.mark.wide
def test_the_command_says_it_of_a_game_of_another_package(tmp_path: Path) -> None:
    others = "from dataclasses import replace\nfrom tests.games.caribbean_stud import GAME as WHOLE\n"
    (tmp_path / "others.py").write_text(f"{others}GAME = replace(WHOLE, boxes={{}})\n", encoding="utf-8")
    environment = announced(tmp_path, "others:GAME")
    for language, told in {
        "en": "caribbean-stud is not whole: boxes: none; the bets of the rulebook: ante, raise",
        "es": "caribbean-stud no está completo: boxes: ninguno; bets del reglamento: ante, raise",
    }.items():
        ended = tablectl(environment, "rules", "caribbean-stud", "--language", language)
        assert told in ended.stdout.splitlines()
    (tmp_path / "others.py").write_text(f"{others}GAME = WHOLE\n", encoding="utf-8")
    assert "not whole" not in tablectl(environment, "rules", "--language", "en").stdout


def test_a_catalogue_of_another_package_that_cannot_be_read_is_told_with_its_file(tmp_path: Path) -> None:
    others = "from dataclasses import replace\nfrom pathlib import Path\nfrom tests.games.caribbean_stud import GAME\n"
    (tmp_path / "others.py").write_text(
        f"{others}GAME = replace(GAME, folder=Path(__file__).parent)\n", encoding="utf-8"
    )
    environment, file = announced(tmp_path, "others:GAME"), tmp_path / "clauses.toml"
    missing = tablectl(environment, "rules", "caribbean-stud")
    file.write_text(
        'rulebook = "caribbean-stud"\ndocument = "CST"\n'
        '[[clause]]\nid = "CST-DEV-1"\nkind = "payout"\nphases = ["decision"]\nsection = "The hand"\n',
        encoding="utf-8",
    )
    silent = tablectl(environment, "rules", "caribbean-stud")
    assert (missing.returncode, silent.returncode) == (2, 2)
    assert missing.stderr == (
        f"rules: {file}: no such file; would be right: the clauses of the game, and the file in its package\n"
    )
    assert silent.stderr == (
        f"rules: {file}: clause CST-DEV-1: no catalogue of a language says it; would be right: a message with the "
        'context "clause.CST-DEV-1" in locale/es/LC_MESSAGES/texts.po, compiled to texts.mo\n'
    )

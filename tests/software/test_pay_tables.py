"""The group "pay-tables" is what decides who is owed what: a word in any part of it changes it, a text does not."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Final

import pytest

import tablectl
from tablectl.ops.software.survey import CACHE, PAY_TABLES, Places, group_of, survey_own

TABLECTL: Final = Path(next(iter(tablectl.__path__)))
#: A file of each part, by its name below the package, and a word in it that decides about money.
DECIDES = {
    "what a document pays": ("games/texas_bonus/rules.py", "ante"),
    "how bets against the bank are settled": ("games/texas_bonus/payouts.py", "return"),
    "how pots are divided": ("core/settlement/pots.py", "return"),
    "how hands are ranked": ("core/settlement/ranking.py", "return"),
    "what the house may choose": ("games/texas_bonus/options.py", "RETURNED"),
    "what several games let the house choose": ("core/options/pots.py", "CALL"),
    "which limits there may be": ("core/engine/limit_rules.py", "factor"),
    "which limits a game has": ("games/texas_poker/rules.py", "factor"),
    "which limits a table has": ("config/limits.py", "return"),
    "which game is which": ("games/texas_bonus/__init__.py", "rulebook"),
    "limits that are set at the table": ("core/engine/limits_set.py", "return"),
    "what games of one kind share": ("families/pots/odd_chip.py", "return"),
    "who wins a pot": ("families/pots/awards.py", "return"),
    "what is in a pot": ("families/pots/betting/chips.py", "return"),
    "when bets are settled": ("families/banked/closing.py", "return"),
    "bets that are settled in mid-hand": ("families/banked/side_bet.py", "return"),
    "which card is whose": ("core/engine/deal.py", "return"),
}
#: A word of a text: of the games and of the program, as it is written and as it is read.
SAYS = {
    "an option of one game": ("games/texas_bonus/locale/es/LC_MESSAGES/texts.po", "pareja de jotas"),
    "an option of several games": ("i18n/locale/es/LC_MESSAGES/table.po", "ficha sobrante"),
    "a clause": ("games/texas_poker/locale/es/LC_MESSAGES/texts.po", "pareja"),
    "a title": ("games/draw_poker/locale/es/LC_MESSAGES/texts.po", "Five-card draw poker"),
    "what the controller reads of it": ("games/texas_bonus/locale/es/LC_MESSAGES/texts.mo", "pareja de jotas"),
    "the order of the clauses": ("games/texas_bonus/clauses.toml", "section"),
    "what a house is told of its choices": ("games/texas_bonus/notices.py", "loses"),
    "the picture of a seat": ("games/texas_bonus/layout.py", "ante"),
    "an exercise": ("games/texas_bonus/exercises/wrong-seat.hand", "texas-bonus"),
    "the words of the table": ("i18n/locale/es/LC_MESSAGES/table.po", "Puesto"),
    "the page of a hand": ("journal/evidence/page.html", "title"),
}
#: What each part is made of, and what in it decides nothing.
PARTS: Final = ("games", "families", "core/engine", "core/settlement", "core/options")
OF_PEOPLE: Final = ("layout.py", "notices.py")


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Our package as it is, to be changed."""
    root = tmp_path_factory.mktemp("site")
    shutil.copytree(Path(next(iter(tablectl.__path__))), root / "tablectl", ignore=shutil.ignore_patterns(CACHE))
    (root / "mesa.toml").write_text("[table]\n", encoding="utf-8")
    return root


def pay_tables(root: Path) -> dict[str, str]:
    places = Places(packages={"tablectl": root / "tablectl"}, sites=())
    return survey_own(places, root / "mesa.toml")[PAY_TABLES]


def changed_by(root: Path, file: str, word: str) -> tuple[str, set[str]]:
    """The file, and those of the group that are others after one word of it was changed."""
    (path,), before = (root / "tablectl").glob(file), pay_tables(root)
    whole = path.read_bytes()
    assert word.encode() in whole
    path.write_bytes(whole.replace(word.encode(), f"{word}_".encode(), 1))
    try:
        after = pay_tables(root)
    finally:
        path.write_bytes(whole)
    changed = {name for name in before.keys() | after.keys() if before.get(name) != after.get(name)}
    return path.relative_to(root).as_posix(), changed


@pytest.mark.parametrize(("file", "word"), DECIDES.values(), ids=DECIDES)
def test_a_word_in_what_decides_about_money_changes_the_group(installed: Path, file: str, word: str) -> None:
    name, changed = changed_by(installed, file, word)
    assert changed == {name}


@pytest.mark.parametrize(("file", "word"), SAYS.values(), ids=SAYS)
def test_a_word_of_a_text_does_not(installed: Path, file: str, word: str) -> None:
    assert changed_by(installed, file, word)[1] == set()


@pytest.mark.parametrize("part", PARTS)
def test_every_module_of_a_part_is_in_the_group_but_what_is_for_people(part: str) -> None:
    modules = sorted(path for path in (TABLECTL / part).rglob("*.py") if path.name not in OF_PEOPLE)
    assert len(modules) > 2
    names = [f"tablectl/{path.relative_to(TABLECTL).as_posix()}" for path in modules]
    assert [name for name in names if group_of(name) != PAY_TABLES] == []

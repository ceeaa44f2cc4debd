"""The group "pay-tables" is what decides who is owed what: a word in any part of it changes it, a text does not."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

import tablectl
from tablectl.ops.software.survey import CACHE, PAY_TABLES, Places, survey_own

#: A file of each part, and a word in it that decides about money.
DECIDES = {
    "what a document pays": ("tablectl/games/texas_bonus/rules.py", "ante"),
    "how bets against the bank are settled": ("tablectl/games/texas_bonus/payouts.py", "return"),
    "how pots are divided": ("tablectl/core/settlement/pots.py", "return"),
    "what the house may choose": ("tablectl/games/texas_bonus/options.py", "RETURNED"),
    "which limits there may be": ("tablectl/core/engine/limit_rules.py", "factor"),
    "which limits a game has": ("tablectl/games/texas_poker/rules.py", "factor"),
    "which game is which": ("tablectl/games/texas_bonus/__init__.py", "rulebook"),
    "limits that are set at the table": ("tablectl/core/engine/limits_set.py", "return"),
    "who wins a pot": ("tablectl/core/engine/circle/ending/awards.py", "return"),
    "what is in a pot": ("tablectl/core/engine/circle/betting/chips.py", "return"),
    "when bets are settled": ("tablectl/core/engine/closing.py", "return"),
    "bets that are settled in mid-hand": ("tablectl/core/engine/side_bet.py", "return"),
}
#: Texts, of the documents and of the program.
SAYS = (
    "tablectl/games/texas_bonus/clauses.toml",
    "tablectl/games/texas_bonus/layout.py",
    "tablectl/i18n/locale/es/LC_MESSAGES/spoken.po",
    "tablectl/journal/evidence/page.html",
)


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


def changed_by(root: Path, file: str, word: str) -> set[str]:
    """The files of the group that are others after one word of `file` was changed."""
    path, before = root / file, pay_tables(root)
    text = path.read_text(encoding="utf-8")
    assert word in text
    path.write_text(text.replace(word, f"{word}_", 1), encoding="utf-8")
    try:
        after = pay_tables(root)
    finally:
        path.write_text(text, encoding="utf-8")
    return {name for name in before.keys() | after.keys() if before.get(name) != after.get(name)}


@pytest.mark.parametrize(("file", "word"), DECIDES.values(), ids=DECIDES)
def test_a_word_in_what_decides_about_money_changes_the_group(installed: Path, file: str, word: str) -> None:
    assert changed_by(installed, file, word) == {file}


@pytest.mark.parametrize("file", SAYS)
def test_a_text_does_not(installed: Path, file: str) -> None:
    assert changed_by(installed, file, "a") == set()

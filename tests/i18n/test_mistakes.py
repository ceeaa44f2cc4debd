"""What is said of a mistake is said in each language: in the code as an English message, in a catalogue beside it."""

from __future__ import annotations

import ast
import json
from pathlib import Path
from typing import Final

import pytest

import tablectl
from tablectl.cli.main import main
from tablectl.config.table_file import language_of
from tablectl.core.validation import Mistake, one_of_near, sentence
from tablectl.i18n.languages import SOURCE
from tablectl.i18n.mistakes import CATALOGUE, TABLE, in_language, mistake_in
from tablectl.i18n.texts import load_texts

ROOT: Final = Path(tablectl.__file__).parent
_WRONG: Final = """
[table]
name = "mesa-1"
rulebook = "texas-bonus"
tracking = "presence"
seats = 99
languages = ["LANGUAGE"]
colour = "green"
"""


def messages_in_code() -> set[str]:
    """The first word of every call of `sentence`."""
    calls = (
        node
        for path in ROOT.rglob("*.py")
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "sentence"
    )
    return {ast.literal_eval(call.args[0]) for call in calls}


def test_every_message_in_the_code_stands_in_the_catalogue_and_no_other_does() -> None:
    told = load_texts(CATALOGUE)
    listed = [told.text(TABLE, key, SOURCE) for key in told.keys(TABLE)]
    assert sorted(listed) == sorted(messages_in_code())


def test_what_is_filled_in_is_said_in_the_language_too() -> None:
    said = one_of_near("presense", ("presence", "amounts"))
    assert said == "'presence' or 'amounts' (did you mean 'presence'?)"
    assert in_language(said, SOURCE) == said
    assert in_language(said, "es") == "'presence' o 'amounts' (¿quería decir 'presence'?)"


def test_a_value_out_of_the_file_stays_as_it_is_even_where_it_reads_like_a_sentence() -> None:
    mistake = Mistake(where="mesa.toml", key="table.seats", found="nothing", right=sentence("nothing"))
    assert mistake_in(mistake, "es") == "mesa.toml: table.seats: encontrado: nothing; correcto: nada"
    assert mistake_in(mistake, SOURCE) == str(mistake)


def test_a_message_that_no_catalogue_has_is_said_in_english() -> None:
    assert in_language(sentence("a {what} of another package", what="value"), "es") == "a value of another package"


# --- of a table's file ------------------------------------------------------------------------------------------------


_SAID: Final = {
    "es": (
        "table.seats: encontrado: 99; correcto: un número entero de 1 a 9\n",
        "table.colour: encontrado: un ajuste que aquí no se conoce; correcto: ",
        "2 errores; corríjalos primero.\n",
    ),
    "en": (
        "table.seats: found 99; would be right: a whole number from 1 to 9\n",
        "table.colour: found a key that is not known here; would be right: ",
        "2 mistakes; mend them first.\n",
    ),
}


@pytest.mark.parametrize("language", _SAID)
def test_the_mistakes_of_a_table_are_said_in_its_language(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], language: str
) -> None:
    file = tmp_path / "mesa.toml"
    file.write_text(_WRONG.replace("LANGUAGE", language), encoding="utf-8")
    assert main(["check-config", str(file)]) == 2
    told, (seats, colour, count) = capsys.readouterr().err, _SAID[language]
    assert f"{file}: {seats}" in told
    assert f"{file}: {colour}" in told
    assert told.endswith(count)


def test_whoever_asks_for_another_language_gets_it_and_so_does_a_program(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "mesa.toml"
    file.write_text(_WRONG.replace("LANGUAGE", "en"), encoding="utf-8")
    assert main(["check-config", "--json", "--language", "es", str(file)]) == 2
    rows = {row["key"]: row for row in json.loads(capsys.readouterr().out)["mistakes"]}
    assert rows["table.seats"] == {"key": "table.seats", "found": "99", "right": "un número entero de 1 a 9"}


@pytest.mark.parametrize(
    ("content", "language"),
    [
        ('[table]\nlanguages = ["en", "es"]\n', "en"),
        ('[table]\nlanguages = ["xx", "es"]\n', "es"),
        ("[table]\nlanguages = 3\n", "es"),
        ("table = 3\n", "es"),
        ("", "es"),
        ("[table\n", "en"),
        (None, "en"),
    ],
)
def test_a_wrong_file_still_says_in_which_language(tmp_path: Path, content: str | None, language: str) -> None:
    file = tmp_path / "mesa.toml"
    if content is not None:
        file.write_text(content, encoding="utf-8")
    assert language_of(file) == language

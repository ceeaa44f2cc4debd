"""`tablectl rules`: the catalogue for programs and for people."""

from __future__ import annotations

import argparse
import io
import json
import os
import sys
from functools import cache
from pathlib import Path
from shutil import copytree, ignore_patterns
from typing import Any

import pytest

from simulators import processes
from tablectl.cli.commands.rules import add_arguments, run
from tablectl.games.registry import RULEBOOKS
from tablectl.i18n.clauses.catalogue import load
from tablectl.i18n.clauses.evidence import source_root
from tablectl.i18n.languages import LANGUAGES
from tablectl.i18n.texts import load_texts

TEXTS = load_texts()


def rules(*options: str) -> tuple[int, str, str]:
    parser = argparse.ArgumentParser()
    add_arguments(parser)
    out, err = io.StringIO(), io.StringIO()
    return run(parser.parse_args(options), out, err), out.getvalue(), err.getvalue()


@cache
def listed(*options: str) -> tuple[int, str, str]:
    """As `rules`, for options that write nothing: what several tests look at is gathered once."""
    return rules(*options)


def rows(*options: str) -> dict[str, Any]:
    status, out, err = listed(*options, "--json")
    assert (status, err) == (0, "")
    return {row["id"]: row for row in json.loads(out)}


def test_json_is_one_array_with_a_row_a_clause_in_the_published_shape() -> None:
    found = rows("texas-bonus")
    assert list(found) == [clause.id for clause in load("texas-bonus")]
    for row in found.values():
        assert {"id", "kind", "phases", "es", "en", "enforced_in", "tests"} <= row.keys()
        assert {"rulebook", "section", "deadline", "remedy", "ambiguity", "profile_key", "definition"} <= row.keys()
        assert all(":" in place for place in row["enforced_in"])


def test_thb_bon_9_has_its_row_whole() -> None:
    row = rows("texas-bonus")["THB-BON-9"]
    assert (row["kind"], row["phases"], row["profile_key"]) == ("payout", ["settlement"], "pair_of_jacks_bonus")
    assert [point["id"] for point in row["ambiguity"]] == ["AMB-50"]
    assert "tablectl.games.texas_bonus.payouts:_BONUS_LOSES" in row["enforced_in"]
    assert (
        "tests/settlement/test_texas_bonus.py::test_thb_bon_9_a_pair_of_jacks_loses_as_the_document_reads"
        in row["tests"]
    )


def test_thb_err_2_names_the_key_of_each_point_that_it_leaves_open() -> None:
    row = rows("texas-bonus")["THB-ERR-2"]
    assert row["profile_key"] == "turned_while_dealt"
    assert {point["id"]: point["profile_key"] for point in row["ambiguity"]} == {
        "AMB-17": "turned_while_dealt",
        "AMB-54": "face_up_scope",
    }


def test_without_a_rulebook_all_of_them_are_listed() -> None:
    assert list(rows()) == [clause.id for rulebook in RULEBOOKS for clause in load(rulebook)]


@pytest.mark.parametrize(
    ("options", "said", "other", "total"),
    [
        ((), "Retirarse cuesta el ante.", "Folding costs the ante.", "85 cláusulas, "),
        (("--language", "es"), "Remedio: ", "Remedy: ", "85 cláusulas, "),
        (("--language", "en"), "Folding costs the ante.", "Retirarse cuesta el ante.", "85 clauses, "),
    ],
)
def test_people_get_one_language_and_a_sum_at_the_end(
    options: tuple[str, ...], said: str, other: str, total: str
) -> None:
    status, out, _ = listed("texas-bonus", *options)
    assert status == 0
    assert "THB-DEV-12" in out
    assert said in out
    assert other not in out
    assert out.splitlines()[-1].startswith(total)


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_sentence_of_another_language_is_in_the_list(language: str) -> None:
    _, out, _ = listed("texas-bonus", "--language", language)
    told = " ".join(out.split())
    for other in LANGUAGES:
        clauses = [TEXTS.text("clause", clause.id, other) for clause in load("texas-bonus")]
        assert all((text in told) == (other == language) for text in clauses), other


@pytest.mark.parametrize("form", [("--json",), ("--pages", "there")])
def test_a_language_goes_with_the_list_alone(form: tuple[str, ...], capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        rules("--language", "en", *form)
    assert ended.value.code == 2
    assert "not allowed with argument --language" in capsys.readouterr().err


def test_people_read_each_test_and_each_place_on_a_line_of_its_own() -> None:
    _, out, _ = listed("texas-bonus")
    lines = [line.strip() for line in out.splitlines()]
    row = rows("texas-bonus")["THB-ERR-1"]
    assert set(row["tests"]) | set(row["enforced_in"]) <= set(lines)


def test_people_read_the_document_s_headings_and_the_house_s_choices_and_nothing_is_missing() -> None:
    _, out, _ = listed("texas-bonus", "--language", "en")
    assert out.startswith("texas-bonus: document 002, ")
    assert "--- Errores e infracciones en el juego, c) ---" in out
    assert "The house chooses early_card_seen: void-hand, or keep" in out
    assert "dealing → river decision.\n            Until the last decision." in out
    assert [name for name, row in rows("texas-bonus").items() if not row["enforced_in"] and not row["definition"]] == []
    assert "Not enforced yet" not in out


@pytest.mark.parametrize(
    ("rulebook", "line"),
    [
        ("draw-poker", "The irregularities of the betting are those of document 001. tablectl rules circle-holdem"),
        ("open-holdem", "The errors and irregularities are those of document 001. tablectl rules circle-holdem"),
        ("circle-holdem", ""),
    ],
)
def test_what_a_document_has_from_another_is_said_in_its_second_line(rulebook: str, line: str) -> None:
    _, out, _ = listed(rulebook, "--language", "en")
    second = out.splitlines()[1]
    assert second.endswith(line)
    assert bool(second) == bool(line)


def test_where_no_tests_are_installed_none_are_said_to_be_missing(tmp_path: Path) -> None:
    copytree(source_root() / "tablectl", tmp_path / "tablectl", ignore=ignore_patterns("__pycache__"))
    said = processes.run(
        (sys.executable, "-m", "tablectl", "rules", "texas-bonus", "--language", "en"),
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(tmp_path)},
        check=True,
        capture_output=True,
        text=True,
    ).stdout
    assert "Enforced in (" in said
    assert "Shown by" not in said
    assert said.splitlines()[-1].endswith("tests are not installed here")


def test_pages_are_written_into_a_folder_and_told(tmp_path: Path) -> None:
    folder = tmp_path / "pages"
    names = ("README.md", *(f"{rulebook}.md" for rulebook in RULEBOOKS))
    assert rules("--pages", str(folder)) == (0, "".join(f"{folder / name}\n" for name in names), "")
    assert sorted(path.name for path in folder.iterdir()) == sorted(names)
    assert "<details>" not in (folder / "texas-bonus.md").read_text(encoding="utf-8")


def test_pages_fold_in_the_tests_when_asked(tmp_path: Path) -> None:
    assert rules("--pages", str(tmp_path), "--tests")[0] == 0
    assert "<details><summary>pruebas · tests: " in (tmp_path / "texas-bonus.md").read_text(encoding="utf-8")


def test_pages_that_cannot_be_written_are_wrong_usage(tmp_path: Path) -> None:
    (tmp_path / "pages").write_text("in the way")
    status, out, err = rules("--pages", str(tmp_path / "pages"))
    assert (status, out) == (2, "")
    assert "pages" in err


def test_the_tests_go_with_the_pages_only() -> None:
    status, out, err = rules("texas-bonus", "--tests")
    assert (status, out) == (2, "")
    assert "--pages" in err


@pytest.mark.parametrize("options", [("texas-bonos",), ("texas-bonos", "--json")])
def test_an_unknown_rulebook_is_told_with_those_there_are(options: tuple[str, ...]) -> None:
    assert rules(*options) == (2, "", "rules: no rulebook 'texas-bonos'; there are: " + ", ".join(RULEBOOKS) + "\n")


def test_clauses_are_told_by_their_ids_of_whichever_rulebook_with_document_and_section() -> None:
    status, out, err = listed("THL-PLE-6", "thb-bon-9", "--language", "en")
    assert (status, err) == (0, "")
    lines = out.splitlines()
    assert [line.split(":")[0] for line in lines if ": document " in line] == ["texas-bonus", "circle-holdem"]
    assert [line[:9].strip() for line in lines if line.startswith("TH")] == ["THB-BON-9", "THL-PLE-6"]
    assert "--- Errores en el juego: errores del jugador ---" in out
    assert "A player who bets out of turn keeps to his action when his turn comes." in out
    assert "  tablectl.families.pots.out_of_turn:offer" in out
    assert "  tests/hands/circle-holdem/THL-PLE-6-bet-out-of-turn-is-kept.hand" in out
    assert lines[-1].startswith("2 clauses, 2 enforced in code")


def test_an_open_point_tells_its_clauses_and_a_rulebook_with_a_clause_of_another_tells_both() -> None:
    assert "THB-BON-9" in rows("AMB-50")
    assert all("AMB-50" in [point["id"] for point in row["ambiguity"]] for row in rows("AMB-50").values())
    both = rows("texas-bonus", "THL-PLE-6")
    assert [text for text in both if not text.startswith("THB")] == ["THL-PLE-6"]
    assert len(both) == len(load("texas-bonus")) + 1


@pytest.mark.parametrize("rulebook", RULEBOOKS)
def test_every_clause_can_be_asked_for_by_its_id(rulebook: str) -> None:
    asked = [clause.id for clause in load(rulebook)]
    assert list(rows(*asked)) == asked


@pytest.mark.parametrize(
    ("asked", "told"),
    [
        ("THL-PLE-66", "there is no clause THL-PLE-66; would be right: an id such as THL-PLE-6, "),
        ("TBH-BON-9", "there is no clause TBH-BON-9; would be right: an id such as THB-BON-9"),
        ("XXX-QQQ-1", "there is no clause XXX-QQQ-1; would be right: an id that `tablectl rules RULEBOOK` lists"),
        ("AMB-9999", "there is no clause AMB-9999; would be right: an id that `tablectl rules RULEBOOK` lists"),
    ],
)
def test_a_clause_that_there_is_not_is_said_with_near_ones(asked: str, told: str) -> None:
    status, out, err = rules(asked)
    assert (status, out) == (2, "")
    assert err.startswith(f"rules: {told}")

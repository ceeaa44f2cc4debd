"""`tablectl rules`: the catalogue for programs and for people."""

from __future__ import annotations

import argparse
import io
import json
from typing import Any

import pytest

from tablectl.catalogue.catalogue import load
from tablectl.commands.rules import add_arguments, run


def rules(*options: str) -> tuple[int, str, str]:
    parser = argparse.ArgumentParser()
    add_arguments(parser)
    out, err = io.StringIO(), io.StringIO()
    return run(parser.parse_args(options), out, err), out.getvalue(), err.getvalue()


def rows(*options: str) -> dict[str, Any]:
    status, out, err = rules(*options, "--json")
    assert (status, err) == (0, "")
    return {each["id"]: each for each in json.loads(out)}


def test_json_is_one_array_with_a_row_a_clause_in_the_published_shape() -> None:
    found = rows("texas-bonus")
    assert list(found) == [each.id for each in load("texas-bonus")]
    for row in found.values():
        assert {"id", "kind", "phases", "es", "en", "enforced_in", "tests"} <= row.keys()
        assert {"rulebook", "section", "deadline", "remedy", "ambiguity", "profile_key", "definition"} <= row.keys()
        assert all(":" in place for place in row["enforced_in"])


def test_thb_bon_9_has_its_row_whole() -> None:
    row = rows("texas-bonus")["THB-BON-9"]
    assert (row["kind"], row["phases"], row["profile_key"]) == ("payout", ["settlement"], "pair_of_jacks_bonus")
    assert [each["id"] for each in row["ambiguity"]] == ["AMB-50"]
    assert "tablectl.settlement.texas_bonus:_BONUS_LOSES" in row["enforced_in"]
    assert (
        "tests/settlement/test_texas_bonus.py::test_thb_bon_9_a_pair_of_jacks_loses_as_the_document_reads"
        in row["tests"]
    )


def test_thb_err_2_names_the_key_of_each_point_that_it_leaves_open() -> None:
    row = rows("texas-bonus")["THB-ERR-2"]
    assert row["profile_key"] == "turned_while_dealt"
    assert {each["id"]: each["profile_key"] for each in row["ambiguity"]} == {
        "AMB-17": "turned_while_dealt",
        "AMB-54": "face_up_scope",
    }


def test_without_a_rulebook_all_of_them_are_listed() -> None:
    assert list(rows()) == [*rows("texas-bonus"), *rows("texas-poker")]


def test_people_get_both_languages_and_a_sum_at_the_end() -> None:
    status, out, _ = rules("texas-bonus")
    assert status == 0
    assert "THB-DEV-12" in out
    assert "Retirarse cuesta el ante." in out
    assert "Folding costs the ante." in out
    assert out.splitlines()[-1].startswith("85 clauses, ")


@pytest.mark.parametrize("options", [("texas-bonos",), ("texas-bonos", "--json")])
def test_an_unknown_rulebook_is_told_with_those_there_are(options: tuple[str, ...]) -> None:
    assert rules(*options) == (2, "", "rules: no rulebook 'texas-bonos'; there are: texas-bonus, texas-poker\n")

"""Rows as CSV."""

from __future__ import annotations

import csv
from dataclasses import replace
from io import StringIO
from typing import Final

import pytest

from tablectl.statistics.rows import FloatRow
from tablectl.statistics.table import floats_csv, hands_csv, incidents_csv
from tests.statistics.test_figures import HANDS, INCIDENTS

IN_EUROS: Final = tuple(replace(hand, currency="EUR", currency_exponent=2) for hand in HANDS)


def read(text: str) -> list[dict[str, str]]:
    return list(csv.DictReader(StringIO(text, newline="")))


def test_a_hand_is_a_line_with_times_in_utc_and_money_in_whole_numbers() -> None:
    first, *rest = read(hands_csv(IN_EUROS))
    assert first == {
        "hand": "1",
        "game": "texas-bonus",
        "opened_at": "2026-11-21T13:10:00.000000Z",
        "closed_at": "2026-11-21T13:11:00.000000Z",
        "duration_s": "60.000",
        "croupier": "ana",
        "void_clause": "",
        "cards": "14",
        "presses": "8",
        "bank_net": "500",
        "fee": "",
        "float_expected": "",
        "currency": "EUR",
        "currency_exponent": "2",
    }
    assert [entry["bank_net"] for entry in rest] == ["-2000", "100", ""], "a number is no formula"


def test_an_incident_is_a_line_with_its_reaction_times() -> None:
    second = read(incidents_csv(INCIDENTS))[1]
    assert second["raised_at"] == "2026-11-21T15:06:00.000000Z"
    assert (second["acknowledged_after_s"], second["decided_after_s"], second["device"]) == ("120.000", "", "shoe")


def test_lines_end_as_rfc_4180_has_it_and_what_needs_quotes_has_them() -> None:
    text = incidents_csv([replace(INCIDENTS[0], device='a "b", c')])
    assert text.count("\r\n") == 2
    assert text.replace("\r\n", "").count("\n") == 0
    assert '"a ""b"", c"' in text


@pytest.mark.parametrize("text", ["=1+1", "+cmd", "-1", "@SUM(A1)", "\t=1", "\r=1", "\n=1"])
def test_a_text_is_never_a_formula(text: str) -> None:
    (row,) = read(incidents_csv([replace(INCIDENTS[0], device=text, croupier=text)]))
    assert row["device"] == row["croupier"] == f"'{text}"


def test_each_hand_has_the_currency_that_its_records_say_or_none() -> None:
    rows = (HANDS[0], *IN_EUROS[1:2], replace(HANDS[2], currency="JPY", currency_exponent=0))
    found = [(entry["currency"], entry["currency_exponent"]) for entry in read(hands_csv(rows))]
    assert found == [("", ""), ("EUR", "2"), ("JPY", "0")]


def test_an_entry_of_the_float_has_its_own_too() -> None:
    entry = FloatRow(
        seq=7, hand=1, at_us=0, act="fill", amount=500, counted_on=None, expected=None, by="ana", second=""
    )
    found = read(floats_csv((entry, replace(entry, currency="JPY", currency_exponent=0))))
    assert [(row["amount"], row["currency"], row["currency_exponent"]) for row in found] == [
        ("500", "", ""),
        ("500", "JPY", "0"),
    ]

"""Rows as CSV."""

from __future__ import annotations

import csv
from dataclasses import replace
from io import StringIO
from typing import Final

import pytest

from tablectl.currency import Currency
from tablectl.statistics.table import floats_csv, hands_csv, incidents_csv
from tests.statistics.test_figures import HANDS, INCIDENTS

EURO: Final = Currency(code="EUR", exponent=2)


def read(text: str) -> list[dict[str, str]]:
    return list(csv.DictReader(StringIO(text, newline="")))


def test_a_hand_is_a_line_with_times_in_utc_and_money_in_whole_numbers() -> None:
    first, *rest = read(hands_csv(HANDS, EURO))
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
    assert [each["bank_net"] for each in rest] == ["-2000", "100", ""], "a number is no formula"


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


def test_where_no_controller_has_said_it_the_currency_is_left_open() -> None:
    assert {(each["currency"], each["currency_exponent"]) for each in read(hands_csv(HANDS, None))} == {("", "")}
    assert floats_csv((), EURO).strip().endswith(",second,currency,currency_exponent")

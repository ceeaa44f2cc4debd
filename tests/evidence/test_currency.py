"""What leaves the table says what its amounts are amounts of, or that no record says it."""

from __future__ import annotations

import json
import re
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from tablectl.i18n.currency import Currency
from tablectl.journal.evidence.bundle import contents
from tablectl.journal.evidence.hand import Hand, read
from tablectl.journal.evidence.page import page
from tablectl.journal.places import Places
from tablectl.journal.volumes import VolumeSet
from tests.evidence.test_page import ORIGIN
from tests.journal.journals import WHOLE_HAND, keep_keys, places, sat

EURO = Currency(code="EUR", exponent=2)


@pytest.fixture
def where(tmp_path: Path) -> Places:
    keep_keys(tmp_path)
    return places(tmp_path)


def hand(where: Places, number: int) -> Hand:
    with closing(VolumeSet(where.journal)) as volume_set:
        return read(volume_set, number)


def said(where: Places) -> list[dict[str, Any]]:
    with closing(VolumeSet(where.journal)) as volume_set:
        return [json.loads(record.public) for record in volume_set.records()]


def test_each_hand_and_each_start_says_the_currency_once_the_journal_takes_it(where: Places) -> None:
    sat(where, WHOLE_HAND * 2, currency=EURO)
    sat(where, "", currency=EURO)
    found = [
        (entry["hand"], entry.get("currency"), entry.get("currency_exponent"))
        for entry in said(where)
        if "software" in entry
    ]
    assert found == [(1, None, None), (1, None, None), (2, "EUR", 2), (3, "EUR", 2)]


def test_a_hand_knows_the_currency_it_was_played_in(where: Places) -> None:
    sat(where, WHOLE_HAND * 2, currency=EURO)
    sat(where, WHOLE_HAND, currency=Currency(code="JPY", exponent=0))
    assert [hand(where, number).currency for number in (1, 2, 3)] == [None, EURO, Currency(code="JPY", exponent=0)]


def test_the_page_prints_amounts_with_the_currency(where: Places) -> None:
    sat(where, WHOLE_HAND * 2, currency=EURO)
    text = page(hand(where, 2), ORIGIN)
    assert "10,00\u00a0€" in text
    assert "+20,00\u00a0€" in text
    assert "unidad mínima" not in text
    assert "1\u202f000" not in text


def test_the_page_of_a_journal_without_a_currency_says_what_each_number_counts(where: Places) -> None:
    sat(where, WHOLE_HAND)
    text = page(hand(where, 1), ORIGIN)
    amounts = re.findall(r"(?<![\d\u202f])1\u202f000(?!\u202f).{0,20}", text)
    assert amounts
    assert all("(unidad mínima)" in amount or "(smallest unit)" in amount for amount in amounts), amounts
    assert "€" not in text


def test_the_archive_keeps_whole_numbers_and_gains_two_fields(where: Places) -> None:
    sat(where, WHOLE_HAND * 2, currency=EURO)
    for number, expected in ((1, (None, None)), (2, ("EUR", 2))):
        about = json.loads(contents(hand(where, number), ORIGIN)["about.json"])
        assert (about["currency"], about["currency_exponent"]) == expected

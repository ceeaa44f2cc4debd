"""Sums with their currency, as CLDR has them for each language."""

from __future__ import annotations

import pytest

from tablectl.i18n.currency import Currency
from tablectl.i18n.sums import sum_text


@pytest.mark.parametrize(
    ("amount", "code", "exponent", "es", "en"),
    [
        (2000, "EUR", 2, "20,00\u00a0€", "€20.00"),
        (5, "EUR", 2, "0,05\u00a0€", "€0.05"),
        (0, "EUR", 2, "0,00\u00a0€", "€0.00"),
        (1234567, "EUR", 2, "12.345,67\u00a0€", "€12,345.67"),
        (2000, "EUR", 0, "2.000\u00a0€", "€2,000"),
        (2000, "JPY", 0, "2.000\u00a0JPY", "¥2,000"),
        (2000, "KWD", 3, "2,000\u00a0KWD", "KWD2.000"),
        (-2000, "EUR", 2, "-20,00\u00a0€", "-€20.00"),
        (2000, "XXQ", 2, "20,00\u00a0XXQ", "XXQ20.00"),
    ],
)
def test_a_sum_is_written_as_the_language_writes_it(amount: int, code: str, exponent: int, es: str, en: str) -> None:
    currency = Currency(code=code, exponent=exponent)
    assert (sum_text(amount, currency, "es"), sum_text(amount, currency, "en")) == (es, en)


def test_a_language_that_nobody_knows_is_written_as_english(capsys: pytest.CaptureFixture[str]) -> None:
    assert sum_text(2000, Currency(code="EUR", exponent=2), "qqq") == "€20.00"
    assert sum_text(2000, Currency(code="EUR", exponent=2), "not a language") == "€20.00"
    assert capsys.readouterr().err == ""

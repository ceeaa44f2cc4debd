"""A sum with its currency, as a language writes it: `20,00 €`, `€20.00`."""

from __future__ import annotations

from decimal import Decimal
from functools import cache

from babel.numbers import NumberPattern, parse_pattern

from tablectl.i18n.currency import Currency
from tablectl.i18n.languages import locale_of


def sum_text(amount: int, currency: Currency, language: str) -> str:
    """With all decimals that the currency has at this table."""
    locale = locale_of(language)
    value = Decimal(amount).scaleb(-currency.exponent)
    pattern = _pattern(language, currency.exponent)
    return str(pattern.apply(value, locale, currency=currency.code, currency_digits=False))


@cache
def _pattern(language: str, exponent: int) -> NumberPattern:
    pattern = parse_pattern(locale_of(language).currency_formats["standard"].pattern)
    pattern.frac_prec = (exponent, exponent)
    return pattern

"""A sum with its currency, as a language writes it: `20,00 €`, `€20.00`."""

from __future__ import annotations

from decimal import Decimal
from functools import cache

from babel import Locale, UnknownLocaleError
from babel.numbers import NumberPattern, parse_pattern

from tablectl.i18n.currency import Currency
from tablectl.i18n.spoken.words import SOURCE


def sum_text(amount: int, currency: Currency, language: str) -> str:
    """With all decimals that the currency has at this table."""
    locale = _locale(language)
    value = Decimal(amount).scaleb(-currency.exponent)
    pattern = _pattern(language, currency.exponent)
    return str(pattern.apply(value, locale, currency=currency.code, currency_digits=False))


@cache
def _locale(language: str) -> Locale:
    """A language that CLDR does not have is written as English is."""
    try:
        return Locale.parse(language)
    except (UnknownLocaleError, ValueError):
        return Locale.parse(SOURCE)


@cache
def _pattern(language: str, exponent: int) -> NumberPattern:
    pattern = parse_pattern(_locale(language).currency_formats["standard"].pattern)
    pattern.frac_prec = (exponent, exponent)
    return pattern

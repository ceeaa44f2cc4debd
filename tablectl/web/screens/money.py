"""Amounts as people read them, from integers of the smallest unit; what they type is read in `i18n.amounts`."""

from __future__ import annotations

from typing import Final

from babel.numbers import get_decimal_symbol, get_group_symbol

from tablectl.i18n.languages import locale_of

_SYMBOLS: Final = {"EUR": "€", "USD": "$", "GBP": "£"}
#: In the pattern of a language, where the currency stands (Unicode TR 35).
_CURRENCY: Final = "¤"


def short(amount: int, *, exponent: int, language: str) -> str:
    """As a number without the currency; whole units without decimals: `20`, `2,50`, `1.250`."""
    units, rest = divmod(abs(amount), 10**exponent)
    whole = grouped(units, language)
    sign = "−" if amount < 0 else ""
    point = get_decimal_symbol(locale_of(language))
    return f"{sign}{whole}" if rest == 0 else f"{sign}{whole}{point}{rest:0{exponent}d}"


def grouped(number: int, language: str) -> str:
    """A number with its thousands apart, as the language writes it."""
    return f"{number:,}".replace(",", get_group_symbol(locale_of(language)))


def to_type(amount: int, *, exponent: int, language: str) -> str:
    """As a person types it: nothing between thousands."""
    return short(amount, exponent=exponent, language=language).replace(get_group_symbol(locale_of(language)), "")


def signed(amount: int, *, exponent: int, language: str) -> str:
    """As `short`, a gain with its plus."""
    text = short(amount, exponent=exponent, language=language)
    return f"+{text}" if amount > 0 else text


def symbol(currency: str) -> str:
    """How a currency is written beside an amount."""
    return _SYMBOLS.get(currency, currency)


def full(amount: int, *, exponent: int, currency: str, language: str) -> str:
    """With the currency, as the language writes it: `20 €`, `€20`."""
    unit = symbol(currency)
    text = short(amount, exponent=exponent, language=language)
    if len(unit) == 1 and locale_of(language).currency_formats["standard"].pattern.startswith(_CURRENCY):
        return f"−{unit}{text[1:]}" if amount < 0 else f"{unit}{text}"
    return f"{text} {unit}"


def gained(amount: int, *, exponent: int, currency: str, language: str) -> str:
    """As `full`, a gain with its plus."""
    text = full(amount, exponent=exponent, currency=currency, language=language)
    return f"+{text}" if amount > 0 else text

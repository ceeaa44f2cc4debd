"""Amounts as people read them, from integers of the smallest unit; what they type is read in `spoken.amounts`."""

from __future__ import annotations

from typing import Final

_SYMBOLS: Final = {"EUR": "€", "USD": "$", "GBP": "£"}
#: A language that is not among these is written as English is.
_POINT: Final = {"es": ",", "en": "."}
_GROUPS: Final = {"es": ".", "en": ","}


def short(amount: int, *, exponent: int, language: str) -> str:
    """As a number without the currency; whole units without decimals: `20`, `2,50`, `1.250`."""
    units, rest = divmod(abs(amount), 10**exponent)
    whole = f"{units:,}".replace(",", _GROUPS.get(language, ","))
    sign = "−" if amount < 0 else ""
    point = _POINT.get(language, ".")
    return f"{sign}{whole}" if rest == 0 else f"{sign}{whole}{point}{rest:0{exponent}d}"


def signed(amount: int, *, exponent: int, language: str) -> str:
    """As `short`, a gain with its plus."""
    text = short(amount, exponent=exponent, language=language)
    return f"+{text}" if amount > 0 else text


def full(amount: int, *, exponent: int, currency: str, language: str) -> str:
    """With the currency, as the language writes it: `20 €`, `€20`."""
    symbol = _SYMBOLS.get(currency, currency)
    text = short(amount, exponent=exponent, language=language)
    if language == "en" and len(symbol) == 1:
        return f"−{symbol}{text[1:]}" if amount < 0 else f"{symbol}{text}"
    return f"{text} {symbol}"


def gained(amount: int, *, exponent: int, currency: str, language: str) -> str:
    """As `full`, a gain with its plus."""
    text = full(amount, exponent=exponent, currency=currency, language=language)
    return f"+{text}" if amount > 0 else text

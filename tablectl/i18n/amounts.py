"""Amounts of money as people type them: the one place where such a text becomes a number.

Each language reads its own numbers and no other's: `1.000` is a thousand in Spanish and nothing at all in English.
Which signs a language puts into a number is Babel's, from the Unicode CLDR.
"""

from __future__ import annotations

import re
from decimal import Decimal
from typing import Final

from babel.numbers import (
    NumberFormatError,
    format_decimal,
    get_decimal_symbol,
    get_group_symbol,
    parse_decimal,
)

from tablectl.core.engine.limit_rules import AMOUNT_MOST
from tablectl.i18n.languages import SOURCE, locale_of

#: In an example every sign that a number can have is shown once.
_EXAMPLE: Final = 1250
_HALF: Final = Decimal("0.5")


class NotAnAmount(ValueError):
    """The text is no amount of this currency, as this language writes one. `example` is one."""

    def __init__(self, text: str, example: str) -> None:
        super().__init__(text)
        self.example = example


def parse(text: str, *, exponent: int, language: str, grouped: bool = True) -> int:
    """What a person typed, in the smallest unit of a currency with so many decimals: `1.250,50` in Spanish, `1,250.50`
    in English. Not `grouped`: nothing may stand between thousands. Raises `NotAnAmount`."""
    wrong = NotAnAmount(text, example(exponent=exponent, language=language))
    group, point = get_group_symbol(locale_of(language)), get_decimal_symbol(locale_of(language))
    plain = text.strip()
    shape = rf"[0-9]+(?:{re.escape(group)}[0-9]+)*(?:{re.escape(point)}[0-9]{{1,{max(exponent, 1)}}})?"
    if re.fullmatch(shape, plain) is None or (point in plain and not exponent) or (group in plain and not grouped):
        raise wrong
    try:
        amount = parse_decimal(plain, locale=locale_of(language), strict=True).scaleb(exponent)
    except NumberFormatError:
        raise wrong from None
    if amount > AMOUNT_MOST:
        raise wrong
    return int(amount)


def in_smallest_unit(text: str) -> int:
    """What a command is given, in every language the same: digits alone. Raises `NotAnAmount`."""
    return parse(text, exponent=0, language=SOURCE, grouped=False)


def example(*, exponent: int, language: str) -> str:
    """An amount as this language writes it: `1.250,50`."""
    amount = _EXAMPLE + _HALF if exponent else Decimal(_EXAMPLE)
    pattern = f"#,##0.{'0' * exponent}" if exponent else "#,##0"
    return format_decimal(amount, format=pattern, locale=locale_of(language))

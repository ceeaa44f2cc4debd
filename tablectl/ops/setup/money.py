"""Amounts as a person types them, `5`, `5.00` or `5,00`; in a file they are whole numbers of the smallest unit."""

from __future__ import annotations

import re
from contextlib import suppress
from dataclasses import dataclass
from typing import Final

from msgspec import ValidationError

from tablectl.config.schema import Refused as NotSo
from tablectl.config.schema import key_of
from tablectl.config.sections import FloatSection
from tablectl.core.engine.limit_rules import AMOUNT_MOST
from tablectl.i18n.amounts import NotAnAmount, parse
from tablectl.i18n.languages import LANGUAGES
from tablectl.ops.setup.questions import NONE, Option, Refused

#: Digits after the point where they are not two (ISO 4217, list one).
_EXPONENTS: Final = {
    **dict.fromkeys(("CLP", "ISK", "JPY", "KRW", "PYG", "VND", "XAF", "XOF", "XPF"), 0),
    **dict.fromkeys(("BHD", "IQD", "JOD", "KWD", "LYD", "OMR", "TND"), 3),
}
#: The chips of most houses, in whole euros and the like.
USUAL_CHIPS: Final = (1, 5, 25, 100, 500)
#: Between the chips that somebody types; a comma without a blank may be that of an amount.
_BETWEEN_CHIPS: Final = re.compile(r"[\s;]+|,\s+")
_AMOUNT: Final = r"[0-9]{1,13}(?:[.,][0-9]+)?"
_PAIR: Final = re.compile(rf"({_AMOUNT})(?:\s*(?:\.\.|-|–|;)\s*|\s+(?:a|to|y|and)\s+|\s+)({_AMOUNT})")


def exponent_of(currency: str) -> int:
    """How many digits the currency has after the point."""
    return _EXPONENTS.get(currency, 2)


def money(amount: int, exponent: int) -> str:
    """`500` as `5.00`."""
    return f"{amount / 10**exponent:.{exponent}f}" if exponent else str(amount)


@dataclass(frozen=True, kw_only=True, slots=True)
class Sum:
    """Amounts inside a sentence: as somebody types them, and as they stand in a file."""

    amounts: tuple[int, ...]
    exponent: int
    #: what stands between two that are typed
    between: str = ", "

    @classmethod
    def of(cls, *amounts: int, exponent: int) -> Sum:
        """These, in the smallest unit."""
        return cls(amounts=amounts, exponent=exponent)

    def __str__(self) -> str:
        """As they are typed."""
        return self.between.join(money(amount, self.exponent) for amount in self.amounts)

    @property
    def in_file(self) -> str:
        """As they stand in a file."""
        return ", ".join(map(str, self.amounts))


@dataclass(frozen=True, kw_only=True)
class Amount:
    """One amount, at least one smallest unit."""

    exponent: int

    @property
    def options(self) -> tuple[Option, ...]:
        """None."""
        return ()

    def read(self, raw: object) -> int:
        """See `Kind`."""
        amount = _smallest(raw, self.exponent) if isinstance(raw, str) else raw
        if type(amount) is not int or not 1 <= amount <= AMOUNT_MOST:
            raise Refused("amount", example=Sum.of(5 * 10**self.exponent, exponent=self.exponent))
        return amount

    def show(self, value: int) -> str:
        """See `Kind`."""
        return money(value, self.exponent)


@dataclass(frozen=True, kw_only=True)
class Band:
    """Two amounts, the least first; `clause` says what they are."""

    exponent: int
    clause: str

    @property
    def options(self) -> tuple[Option, ...]:
        """None."""
        return ()

    def read(self, raw: object) -> tuple[int, int]:
        """See `Kind`."""
        if isinstance(raw, str) and (found := _PAIR.fullmatch(raw)) is not None:
            raw = [found[1], found[2]]
        if not isinstance(raw, list) or len(raw) != 2:
            pair = tuple(number * 10**self.exponent for number in (5, 100))
            example = Sum(amounts=pair, exponent=self.exponent, between=" ")
            raise Refused("band", example=example)
        one = Amount(exponent=self.exponent)
        least, most = (one.read(text) for text in raw)
        if least > most:
            raise Refused("order", clause=self.clause)
        return least, most

    def show(self, value: tuple[int, int]) -> str:
        """See `Kind`."""
        return " ".join(money(number, self.exponent) for number in value)


@dataclass(frozen=True, kw_only=True)
class Chips:
    """The house's chips, each by its worth, the smallest first; none where it has no use for them."""

    exponent: int

    @property
    def options(self) -> tuple[Option, ...]:
        """None."""
        return ()

    def read(self, raw: object) -> tuple[int, ...]:
        """See `Kind`."""
        if raw in (NONE, []):
            return ()
        typed = [text for text in _BETWEEN_CHIPS.split(raw) if text] if isinstance(raw, str) else raw
        try:
            if not isinstance(typed, list) or not typed:
                raise NotSo("a list")
            found = sorted(map(Amount(exponent=self.exponent).read, typed))
            key_of(FloatSection, "denominations").value(found)
        except (Refused, NotSo, ValidationError):
            usual = tuple(number * 10**self.exponent for number in USUAL_CHIPS)
            raise Refused("denominations", example=Sum(amounts=usual, exponent=self.exponent, between=" ")) from None
        return tuple(found)

    def show(self, value: tuple[int, ...]) -> str:
        """See `Kind`."""
        return " ".join(money(chip, self.exponent) for chip in value) or NONE


def _smallest(text: str, exponent: int) -> int | None:
    """None for what is no amount in any language, or finer than the smallest unit. Nothing may stand between thousands:
    `1.000` euros are a thousand to one and one to another."""
    for language in LANGUAGES:
        with suppress(NotAnAmount):
            return parse(text, exponent=exponent, language=language, grouped=False)
    return None

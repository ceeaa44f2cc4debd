"""The currency of a table, as a record says it: of what its amounts are so many of the smallest unit."""

from __future__ import annotations

from tablectl.core.records import record


@record
class Currency:
    """`code`: as ISO 4217 has it (`EUR`); `exponent`: so many decimals the smallest unit stands for (2: cents)."""

    code: str
    exponent: int


def currency_of(code: object, exponent: object) -> Currency | None:
    """What a record says of it, by these two of its members; None where it says nothing."""
    return Currency(code=code, exponent=exponent) if isinstance(code, str) and isinstance(exponent, int) else None

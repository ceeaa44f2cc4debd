"""What a house's file may say about pots, for `tablectl settle`: who gets an odd chip, and the fee of the table."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from enum import StrEnum
from typing import Final, TypeVar

from tablectl.core.settlement.lines.reading import MAX_AMOUNT
from tablectl.core.settlement.pot_rules import WHOLE_RATE, OddChip, PotRules, RakeFrom
from tablectl.core.validation import Mistake, one_of, one_of_near

E = TypeVar("E", bound=StrEnum)


def pot_rules_of(rulebook: str, rules: PotRules, keys: Mapping[str, object], where: str) -> PotRules | list[Mistake]:
    """The rules that a file's top level describes, or everything that is wrong with it.

    Keys that are not there keep what ships for the game, `rules` (AMB-31, AMB-37). `where` (a file name, say) goes into
    each mistake.
    """
    mistakes = [
        Mistake(where=where, key=key, found=_found(key, value), right=_right(key, rulebook))
        for key, value in keys.items()
        if key not in _GOOD or not _GOOD[key](value, rulebook)
    ]
    if mistakes:
        return mistakes
    rake = rules.rake
    rate, cap = keys.get("rake_rate"), keys.get("rake_cap")
    return replace(
        rules,
        odd_chip=_odd_chip(keys.get("odd_chip")) or rules.odd_chip,
        rake=replace(
            rake,
            rate=rate if isinstance(rate, int) else rake.rate,
            cap=cap if isinstance(cap, int) else rake.cap,
            taken_from=_word(RakeFrom, keys.get("rake_from")) or rake.taken_from,
        ),
    )


def _word(kind: type[E], value: object) -> E | None:
    return next((member for member in kind if member == value), None)


def _odd_chip(value: object) -> OddChip | None:
    return _word(OddChip, value) or (_EARLIER.get(value) if isinstance(value, str) else None)


def _is_count(value: object, most: int) -> bool:
    return type(value) is int and 0 <= value <= most


#: Words that this file had of its own before it had those of a profile; files that were written with them stay good.
_EARLIER: Final[Mapping[str, OddChip]] = {
    "last-aggressor": OddChip.LAST_BETTOR,
    "last-aggressor-always": OddChip.LAST_BETTOR_ALWAYS,
}

#: Every key there is, and whether a value of it is good.
_GOOD: Final[Mapping[str, Callable[[object, str], bool]]] = {
    "rulebook": lambda value, rulebook: value == rulebook,
    "odd_chip": lambda value, _: _odd_chip(value) is not None,
    "rake_rate": lambda value, _: _is_count(value, WHOLE_RATE),
    "rake_cap": lambda value, _: _is_count(value, MAX_AMOUNT),
    "rake_from": lambda value, _: _word(RakeFrom, value) is not None,
}


def _found(key: str, value: object) -> str:
    return repr(value) if key in _GOOD else "a key that these rules do not have"


def _right(key: str, rulebook: str) -> str:
    allowed = {
        "rulebook": repr(rulebook),
        "odd_chip": f"{one_of(rule.value for rule in OddChip)} (THL-SDN-4, AMB-31)",
        "rake_rate": f"hundredths of a per cent, an integer from 0 to {WHOLE_RATE} (THL-DEF-7, AMB-37)",
        "rake_cap": f"an integer of the smallest unit of money, 0 to {MAX_AMOUNT} (THL-DEF-7, AMB-37)",
        "rake_from": f"{one_of(rule.value for rule in RakeFrom)} (THL-DEF-7, AMB-37)",
    }
    return allowed.get(key) or one_of_near(key, _GOOD)

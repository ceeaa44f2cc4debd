"""The lines of facts about people: who takes the table, and what takes one person or two."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any, Final

from tablectl.core.engine import facts as f
from tablectl.journal.handfile.tokens import joined, whole_number

_LIMITS: Final = re.compile(r"([a-z]{1,12})=([0-9]{1,15})\.\.([0-9]{1,15})")

#: How people are named in records: one word, which stands in addresses and beside a plus without marks.
NAME: Final = re.compile(r"[a-z][a-z0-9.-]{0,31}")


def name(word: str) -> str:
    """A person's name. Raises `ValueError`."""
    if NAME.fullmatch(word) is None:
        raise ValueError(f"a name as in ana or j.perez instead of {word!r}")
    return word


def _on(at_us: int, words: list[str]) -> f.Fact:
    (croupier,) = words
    return f.SignedOn(at_us=at_us, croupier=name(croupier))


def _off(at_us: int, words: list[str]) -> f.Fact:
    (croupier,) = words
    return f.SignedOff(at_us=at_us, croupier=name(croupier))


def two(word: str) -> tuple[str, str]:
    """`ana` or `ana+luis`: who did it, and the second person or nobody. Raises `ValueError`."""
    by, plus, second = word.partition("+")
    return (name(by), name(second)) if plus else (by, "")


def two_word(by: str, second: str) -> str:
    """The other way round."""
    return f"{by}+{second}" if second else by


def by_name(words: list[str]) -> tuple[str, str]:
    """`by NAME [reason…]`: the name and the reason. Raises `ValueError`."""
    if len(words) < 2 or words[0] != "by":
        raise ValueError("by NAME")
    return words[1], " ".join(words[2:])


def limits_words(limits: Mapping[str, f.Limits]) -> str:
    """Limits as they stand in a line: `ante=500..10000 bonus=100..5000`."""
    return " ".join(
        f"{bet}={limit.least}..{limit.most}" for bet, limit in sorted(limits.items(), key=lambda named: named[0])
    )


def _limits(at_us: int, words: list[str]) -> f.Fact:
    """`BET=LEAST..MOST … by NAME[+NAME]`."""
    *said, by, who = words
    found = [_LIMITS.fullmatch(word) for word in said]
    limits = {match[1]: f.Limits(least=int(match[2]), most=int(match[3])) for match in found if match is not None}
    if by != "by" or not limits or len(limits) < len(said):
        raise ValueError("limits BET=LEAST..MOST … by NAME or NAME+NAME, each bet once")
    name_of, second = two(who)
    return f.LimitsSet(at_us=at_us, limits=limits, by=name_of, second=second)


def _shelve(at_us: int, words: list[str]) -> f.Fact:
    alarm, minutes, *rest = words
    by, reason = by_name(rest)
    return f.Shelved(at_us=at_us, alarm=alarm, minutes=whole_number(minutes), by=by, reason=reason)


def _unshelve(at_us: int, words: list[str]) -> f.Fact:
    alarm, *rest = words
    return f.Unshelved(at_us=at_us, alarm=alarm, by=by_name(rest)[0])


FACTS: Final[Mapping[str, Callable[[int, list[str]], f.Fact]]] = {
    "croupier": _on,
    "croupier-off": _off,
    "limits": _limits,
    "shelve": _shelve,
    "unshelve": _unshelve,
}
LINES: Final[Mapping[type[Any], Callable[[Any], str]]] = {
    f.SignedOn: lambda fact: f"croupier {fact.croupier}",
    f.SignedOff: lambda fact: f"croupier-off {fact.croupier}",
    f.LimitsSet: lambda fact: f"limits {limits_words(fact.limits)} by {two_word(fact.by, fact.second)}",
    f.Shelved: lambda fact: joined("shelve", fact.alarm, fact.minutes, "by", fact.by, fact.reason or None),
    f.Unshelved: lambda fact: f"unshelve {fact.alarm} by {fact.by}",
}

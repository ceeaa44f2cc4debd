"""The `[limits]` of a table's file: the limits of each bet, and the bands that were authorised.

Pure: a command reads the file, this module judges what was in it by the rulebook's own limit rule.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from tablectl.config.schema import keys
from tablectl.config.sections import BetSection
from tablectl.core.engine.facts import Limits
from tablectl.core.engine.limit_rules import AMOUNT_MOST, LimitRule
from tablectl.core.engine.vocabulary import Tracking
from tablectl.core.validation import Mistake, one_of_near, sentence


def limits_of(
    rule: LimitRule, section: Mapping[str, Any], *, where: str, tracking: Tracking
) -> dict[str, Limits] | list[Mistake]:
    """The limits that a file's `[limits]` gives each bet of a rulebook, or everything that is wrong with them.

    Where amounts are tracked every bet needs its limits; otherwise one that has none gets 0 to 0. Keys of mistakes
    start below `limits`.
    """
    reading = _Reading(rule=rule, where=where, mistakes=[])
    reading.known(section, "", tuple(rule.bets))
    made = {bet: reading.bet(bet, section.get(bet), tracking) for bet in rule.bets}
    return reading.mistakes or made


def bands_of(rule: LimitRule, section: Mapping[str, Any]) -> dict[str, Limits]:
    """The authorised bands in a `[limits]` in which `limits_of` found nothing wrong; none for a bet without limits."""
    bands = {bet: found["authorised"] for bet in rule.bets if isinstance(found := section.get(bet), dict)}
    return {bet: Limits(least=least, most=most) for bet, (least, most) in bands.items()}


@dataclass(frozen=True, slots=True, kw_only=True)
class _Reading:
    """The reading of one section: each method takes what was found and notes what is wrong with it."""

    rule: LimitRule
    where: str
    mistakes: list[Mistake]

    def bet(self, bet: str, found: object, tracking: Tracking) -> Limits:
        nothing = Limits(least=0, most=0)
        if found is None:
            if tracking is Tracking.AMOUNTS:
                self.wrong(
                    bet,
                    sentence("nothing"),
                    sentence("least, most and authorised = [least, most] ({clause})", clause=self.rule.clause),
                )
            return nothing
        if not isinstance(found, dict):
            self.wrong(bet, repr(found), sentence("a table [limits.{bet}]", bet=bet))
            return nothing
        self.known(found, f"{bet}.", tuple(keys(BetSection)))
        ends = [end for end in self.ends(bet, found) if end is not None]
        if len(ends) < 2:
            return nothing
        least, most = ends
        if least > most:
            right = sentence(
                "at least limits.{bet}.least, which is {least} ({clause})",
                bet=bet,
                least=least,
                clause=self.rule.clause,
            )
            self.wrong(f"{bet}.most", str(most), right)
        elif least < most and bet in self.rule.same:
            right = sentence(
                "as limits.{bet}.least, which is {least}: everybody puts in the same ({clause})",
                bet=bet,
                least=least,
                clause=self.rule.same[bet],
            )
            self.wrong(f"{bet}.most", str(most), right)
        else:
            self.band(bet, found.get("authorised"), Limits(least=least, most=most))
        return Limits(least=least, most=most)

    def ends(self, bet: str, found: Mapping[str, Any]) -> Iterator[int | None]:
        for end in ("least", "most"):
            yield self.amount(f"{bet}.{end}", found.get(end))

    def amount(self, key: str, found: object) -> int | None:
        if type(found) is int and 1 <= found <= AMOUNT_MOST:
            return found
        told = sentence("nothing") if found is None else repr(found)
        right = sentence(
            "an amount in the smallest unit of money, from 1 to {most} ({clause})",
            most=AMOUNT_MOST,
            clause=self.rule.clause,
        )
        self.wrong(key, told, right)
        return None

    def band(self, bet: str, band: object, limits: Limits) -> None:
        """The table's limits lie in the authorised band, and that is as wide as its clause wants it."""
        key = f"{bet}.authorised"
        if not (isinstance(band, list) and len(band) == 2 and all(type(end) is int and end > 0 for end in band)):
            found = sentence("nothing") if band is None else repr(band)
            self.wrong(key, found, sentence("the authorised band as [least, most], two whole numbers"))
            return
        low, high = band
        if low > high:
            self.wrong(
                key,
                repr(band),
                sentence("the authorised band with its least first ({clause})", clause=self.rule.band_clause),
            )
            return
        if not low <= limits.least <= limits.most <= high:
            right = sentence(
                "limits inside the authorised band {low}..{high} ({clause})",
                low=low,
                high=high,
                clause=self.rule.band_clause,
            )
            self.wrong(bet, f"{limits.least}..{limits.most}", right)
        width = self.rule.bets[bet]
        if width is None:
            return
        if not width.authorises(low, high):
            self.wrong(key, repr(band), width.right(low))
        elif limits.most <= high and not width.allows(low, limits.most):
            self.wrong(f"{bet}.most", str(limits.most), width.right(low))

    def known(self, found: Mapping[str, Any], prefix: str, keys: tuple[str, ...]) -> None:
        for name in found:
            if name not in keys:
                self.wrong(f"{prefix}{name}", sentence("a key that is not known here"), one_of_near(name, keys))

    def wrong(self, key: str, found: str, right: str) -> None:
        self.mistakes.append(Mistake(where=self.where, key=key, found=found, right=right))

"""The limits that a rulebook gives its bets: which bets have any, how wide an authorised band can be, and what forbids
limits at a table. Each number is beside its clause."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

from tablectl.core.engine.facts import Limits
from tablectl.core.validation import sentence

#: Most that any amount can be, in the smallest unit of money.
AMOUNT_MOST: Final = 10**12


@dataclass(frozen=True, slots=True, kw_only=True)
class OneOf:
    """The authorised most is one of these multiples of the authorised least, and nothing else."""

    clause: str
    factors: tuple[int, ...]

    def authorises(self, least: int, most: int) -> bool:
        """Whether there may be such a band."""
        return most in self._mosts(least)

    def allows(self, least: int, most: int) -> bool:
        """Whether a table may have this most where `least` is authorised: the band alone says so."""
        return True

    def right(self, least: int) -> str:
        """Which most would be right beside this authorised least."""
        *many, last = self.factors
        amounts = ", ".join(map(str, self._mosts(least)))
        return sentence(
            "a most of {many} or {last} times {least}: {amounts} ({clause})",
            many=", ".join(map(str, many)),
            last=last,
            least=least,
            amounts=amounts,
            clause=self.clause,
        )

    def _mosts(self, least: int) -> list[int]:
        return [factor * least for factor in self.factors]


@dataclass(frozen=True, slots=True, kw_only=True)
class Between:
    """The greatest bet, that which is authorised and that of the table, is so many times the authorised least."""

    clause: str
    least_factor: int
    most_factor: int

    def authorises(self, least: int, most: int) -> bool:
        """Whether there may be such a band."""
        return self.least_factor * least <= most <= self.most_factor * least

    def allows(self, least: int, most: int) -> bool:
        """Whether a table may have this most where `least` is authorised."""
        return self.authorises(least, most)

    def right(self, least: int) -> str:
        """Which most would be right beside this authorised least."""
        return sentence(
            "a most of {low} to {high} times {least}: {from_amount} to {to_amount} ({clause})",
            low=self.least_factor,
            high=self.most_factor,
            least=least,
            from_amount=self.least_factor * least,
            to_amount=self.most_factor * least,
            clause=self.clause,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class LimitRule:
    """What a rulebook says about limits: the clause that asks for them, that of the authorised band, and its bets.

    A bet beside None has a band of any width; of one in `same`, beside its clause, everybody puts in as much.
    """

    clause: str
    band_clause: str
    bets: Mapping[str, OneOf | Between | None]
    same: Mapping[str, str] = field(default_factory=dict)


def why_not(
    rule: LimitRule, limits: Mapping[str, Limits], bands: Mapping[str, Limits], *, resto: int
) -> tuple[str, str] | None:
    """The clause that forbids these limits at a table, and the first bet that is in the way, with what it may have;
    None where all are inside the authorised bands. `resto`: what everybody begins with, 0 where nothing is agreed."""
    for bet, limit in sorted(limits.items(), key=lambda named: named[0]):  # a journal keeps no other order
        band = bands.get(bet) if bet in rule.bets else None
        if band is None:
            return rule.band_clause, bet
        if not band.least <= limit.least <= limit.most <= band.most:
            return rule.band_clause, f"{bet} limits={band.least}..{band.most}"
        width = rule.bets[bet]
        if width is not None and not width.allows(band.least, limit.most):
            return width.clause, f"{bet} limits={band.least}..{band.most}"
        if bet in rule.same and limit.least != limit.most:
            return rule.same[bet], bet
        if bet in rule.same and 0 < resto < limit.least:
            return rule.same[bet], f"{bet} limits={band.least}..{resto}"
    return None

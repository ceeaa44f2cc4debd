"""The limits of a table: which bets of a rulebook have any, and which bands an authorisation can give them.

One entry a rulebook, each number with its clause; a new game adds an entry. Bets that are not named here follow from
one that is (a second bet from the ante) or from nothing that a house may set. Pure: a command reads the file, this
module judges what was in it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from tablectl.engine.facts import Limits
from tablectl.engine.words import Tracking
from tablectl.mistakes import Mistake, one_of_near

#: Most that any amount can be, in the smallest unit of money.
AMOUNT_MOST: Final = 10**12
_KEYS: Final = ("least", "most", "authorised")


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
        return f"a most of {', '.join(map(str, many))} or {last} times {least}: {amounts} ({self.clause})"

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
        low, high = self.least_factor, self.most_factor
        return f"a most of {low} to {high} times {least}: {low * least} to {high * least} ({self.clause})"


@dataclass(frozen=True, slots=True, kw_only=True)
class LimitRule:
    """What a rulebook says about limits: the clause that asks for them, that of the authorised band, and its bets.

    A bet beside None has a band of any width; of one in `same`, beside its clause, everybody puts in as much.
    """

    clause: str
    band_clause: str
    bets: Mapping[str, OneOf | Between | None]
    same: Mapping[str, str] = field(default_factory=dict)


_BONUS_ANTE: Final = OneOf(clause="THB-LIM-4", factors=(5, 10, 20, 30))
#: Of all bets (TPC-LIM-4); each has a band of its own (TPC-LIM-5).
_POKER_ANY: Final = Between(clause="TPC-LIM-4", least_factor=5, most_factor=50)

#: The bets of a circle game, which are bounded alike: from the big blind to the greatest.
BET: Final = "bet"

#: What each rulebook says, by its id. AMB-85: the documents differ, and each is followed.
LIMIT_RULES: Final[Mapping[str, LimitRule]] = {
    "texas-bonus": LimitRule(
        clause="THB-LIM-2",
        band_clause="THB-LIM-3",
        bets={"ante": _BONUS_ANTE, "bonus": None},  # THB-LIM-5: the bonus is free of what binds the ante
    ),
    "texas-poker": LimitRule(
        clause="TPC-LIM-2",
        band_clause="TPC-LIM-3",
        bets={"ante": _POKER_ANY, "txb": _POKER_ANY},
    ),
    # The least bet is the big blind, and the small blind half of it; a document gives no band (THO-DEF-2, AMB-58).
    "circle-holdem": LimitRule(clause="THL-DLG-2", band_clause="THL-DLG-2", bets={BET: None}),
    "open-holdem": LimitRule(clause="THO-BLD-3", band_clause="THO-DEF-2", bets={BET: None}),
    # FCD-EVT-4: both ends of a bet are settled before the session; FCD-OPN-2: everybody's ante is the same, the least.
    "draw-poker": LimitRule(
        clause="FCD-EVT-4", band_clause="FCD-EVT-4", bets={BET: None, "ante": None}, same={"ante": "FCD-OPN-2"}
    ),
}

#: The games in which players bet against each other.
CIRCLE_GAMES: Final = frozenset(game for game, rule in LIMIT_RULES.items() if BET in rule.bets)

#: How many seats a table has at most: THB-PLY-1, TPC-PLY-1, THO-DEF-1 (AMB-64).
_BANKED_SEATS: Final = 9
_CIRCLE_SEATS: Final = 10


def most_seats(rulebook: str) -> int:
    """How many seats a table of this game has at most."""
    return _CIRCLE_SEATS if rulebook in CIRCLE_GAMES else _BANKED_SEATS


def trackings(rulebook: str) -> tuple[Tracking, ...]:
    """How much of the bets can be entered at a table of this game."""
    if rulebook in CIRCLE_GAMES:
        return (Tracking.ROUNDS, Tracking.ACTIONS, Tracking.AMOUNTS)
    return (Tracking.PRESENCE, Tracking.AMOUNTS)


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


def why_not(
    rule: LimitRule, limits: Mapping[str, Limits], bands: Mapping[str, Limits], *, resto: int
) -> tuple[str, str] | None:
    """The clause that forbids these limits at a table, and the first bet that is in the way, with what it may have;
    None where all are inside the authorised bands. `resto`: what everybody begins with, 0 where nothing is agreed."""
    for bet, each in sorted(limits.items(), key=lambda named: named[0]):  # a journal keeps no other order
        band = bands.get(bet) if bet in rule.bets else None
        if band is None:
            return rule.band_clause, bet
        if not band.least <= each.least <= each.most <= band.most:
            return rule.band_clause, f"{bet} limits={band.least}..{band.most}"
        width = rule.bets[bet]
        if width is not None and not width.allows(band.least, each.most):
            return width.clause, f"{bet} limits={band.least}..{band.most}"
        if bet in rule.same and each.least != each.most:
            return rule.same[bet], bet
        if bet in rule.same and 0 < resto < each.least:
            return rule.same[bet], f"{bet} limits={band.least}..{resto}"
    return None


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
                self.wrong(bet, "nothing", f"least, most and authorised = [least, most] ({self.rule.clause})")
            return nothing
        if not isinstance(found, dict):
            self.wrong(bet, repr(found), f"a table [limits.{bet}]")
            return nothing
        self.known(found, f"{bet}.", _KEYS)
        ends = [each for each in self.ends(bet, found) if each is not None]
        if len(ends) < 2:
            return nothing
        least, most = ends
        if least > most:
            right = f"at least limits.{bet}.least, which is {least} ({self.rule.clause})"
            self.wrong(f"{bet}.most", str(most), right)
        elif least < most and bet in self.rule.same:
            right = f"as limits.{bet}.least, which is {least}: everybody puts in the same ({self.rule.same[bet]})"
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
        told = "nothing" if found is None else repr(found)
        right = f"an amount in the smallest unit of money, from 1 to {AMOUNT_MOST} ({self.rule.clause})"
        self.wrong(key, told, right)
        return None

    def band(self, bet: str, band: object, limits: Limits) -> None:
        """The table's limits lie in the authorised band, and that is as wide as its clause wants it."""
        key = f"{bet}.authorised"
        if not (isinstance(band, list) and len(band) == 2 and all(type(end) is int and end > 0 for end in band)):
            found = "nothing" if band is None else repr(band)
            self.wrong(key, found, "the authorised band as [least, most], two whole numbers")
            return
        low, high = band
        if low > high:
            self.wrong(key, repr(band), f"the authorised band with its least first ({self.rule.band_clause})")
            return
        if not low <= limits.least <= limits.most <= high:
            right = f"limits inside the authorised band {low}..{high} ({self.rule.band_clause})"
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
                self.wrong(f"{prefix}{name}", "a key that is not known here", one_of_near(name, keys))

    def wrong(self, key: str, found: str, right: str) -> None:
        self.mistakes.append(Mistake(where=self.where, key=key, found=found, right=right))

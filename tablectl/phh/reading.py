"""From the fields of one hand to a `Hand`, or everything that is wrong with them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Final

from tablectl.core.validation import Mistake, one_of_near
from tablectl.phh.actions import MAX_AMOUNT, MOST_DECIMALS, BadAction, Written, action, amounts
from tablectl.phh.consistency import misplaced
from tablectl.phh.hand import Hand, Variant

FEWEST_PLAYERS: Final = 2
#: as many as one deck has cards for, with a board
MOST_PLAYERS: Final = 22
MOST_SHOWN: Final = 60
_FINE: Final = f"at most {MOST_DECIMALS} digits after the point"

#: The bets that a game's lowest bet is written in; the other game's must not be there.
_BETS: Final[Mapping[Variant, tuple[str, ...]]] = {
    Variant.FIXED_LIMIT: ("small_bet", "big_bet"),
    Variant.NO_LIMIT: ("min_bet",),
    Variant.POT_LIMIT: ("min_bet",),
}
_EVERY_BET: Final = ("small_bet", "big_bet", "min_bet", "bring_in")
_OTHER_VARIANTS: Final = ("NS", "PO", "FO/8", "F7S", "F7S/8", "FR", "N2L1D", "F2L3D", "FB")

_NO_AMOUNT: Final = Decimal(-1)


def read_hand(fields: Mapping[str, object], where: Callable[[str], str]) -> Hand | list[Mistake]:
    """One hand from its fields, floats as `Decimal`. `where` tells for a field's name where it stands.

    Fields that the format does not know, and those that tell nothing of the play, such as a city, are not looked at.
    """
    reading = _Reading(fields=fields, where=where)
    hand = reading.hand()
    return reading.mistakes if hand is None or reading.mistakes else hand


@dataclass(frozen=True, slots=True, kw_only=True)
class _Money:
    """The amounts of a hand as they were written; None is an unknown stack."""

    antes: tuple[Decimal, ...]
    blinds: tuple[Decimal, ...]
    stacks: tuple[Decimal | None, ...]
    bets: Mapping[str, Decimal]
    finishing: tuple[Decimal, ...] | None
    winnings: tuple[Decimal, ...] | None

    def all(self) -> Iterator[Decimal]:
        yield from (*self.antes, *self.blinds, *self.bets.values(), *(self.finishing or ()), *(self.winnings or ()))
        yield from (stack for stack in self.stacks if stack is not None)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Reading:
    """The reading of one hand: a method for each kind of field notes what is wrong with it and then gives None."""

    fields: Mapping[str, object]
    where: Callable[[str], str]
    mistakes: list[Mistake] = field(default_factory=list)

    def wrong(self, name: str, found: str, right: str, *, key: str | None = None) -> None:
        self.mistakes.append(Mistake(where=self.where(name), key=key or name, found=found, right=right))

    def hand(self) -> Hand | None:
        variant = self.variant()
        if variant is None:
            return None
        money = self.money(variant)
        texts = self.texts("actions", count=None, required=True)
        count = None if money is None else len(money.stacks)
        names = self.texts("players", count=count, required=False)
        seats, seat_count = self.counts("seats", count), self.count("seat_count")
        trimming = self.fields.get("ante_trimming_status", False)
        if not isinstance(trimming, bool):
            self.wrong("ante_trimming_status", _shown(trimming), "true or false")
        decimals = _decimals(money, texts or ())
        actions = self.actions(texts or (), decimals, count or MOST_PLAYERS)
        if money is None:
            return None

        def whole(amount: Decimal) -> int:
            return int(amount.scaleb(decimals))

        return Hand(
            variant=variant,
            decimals=decimals,
            antes=tuple(map(whole, money.antes)),
            blinds_or_straddles=tuple(map(whole, money.blinds)),
            min_bet=_maybe(whole, money.bets.get("min_bet")),
            small_bet=_maybe(whole, money.bets.get("small_bet")),
            big_bet=_maybe(whole, money.bets.get("big_bet")),
            starting_stacks=tuple(_maybe(whole, stack) for stack in money.stacks),
            actions=actions,
            ante_trimming=trimming is True,
            finishing_stacks=None if money.finishing is None else tuple(map(whole, money.finishing)),
            winnings=None if money.winnings is None else tuple(map(whole, money.winnings)),
            players=names,
            seats=seats,
            seat_count=seat_count,
            name=str(self.fields["hand"]) if "hand" in self.fields else None,
        )

    # --- fields -------------------------------------------------------------------------------------------------------

    def variant(self) -> Variant | None:
        value = self.fields.get("variant")
        found = next((variant for variant in Variant if variant.value == value), None)
        if found is None:
            other = "another game than hold'em, " if value in _OTHER_VARIANTS else ""
            codes = one_of_near(value if isinstance(value, str) else "", [variant.value for variant in Variant])
            self.wrong("variant", f"{other}{_shown(value)}" if "variant" in self.fields else "nothing", codes)
        return found

    def money(self, variant: Variant) -> _Money | None:
        stacks = self.stacks()
        count = None if stacks is None else len(stacks)
        antes = self.amounts("antes", count, required=True)
        blinds = self.amounts("blinds_or_straddles", count, required=True)
        bets = self.bets(variant)
        finishing = self.amounts("finishing_stacks", count, required=False)
        winnings = self.amounts("winnings", count, required=False)
        if stacks is None or antes is None or blinds is None or bets is None:
            return None
        return _Money(antes=antes, blinds=blinds, stacks=stacks, bets=bets, finishing=finishing, winnings=winnings)

    def stacks(self) -> tuple[Decimal | None, ...] | None:
        values = self.array("starting_stacks", None, required=True)
        if values is None:
            return None
        if not FEWEST_PLAYERS <= len(values) <= MOST_PLAYERS:
            right = f"an array with a number for each of {FEWEST_PLAYERS} to {MOST_PLAYERS} players"
            self.wrong("starting_stacks", f"{len(values)} numbers", right)
            return None
        stacks: list[Decimal | None] = []
        for place, value in enumerate(values, start=1):
            amount = _amount(value)
            unknown = isinstance(value, Decimal) and value == Decimal("Infinity")
            if not unknown and (amount is None or not amount):
                key = f"starting_stacks[{place}]"
                self.wrong(
                    "starting_stacks", _shown(value), f"a number above 0, {_FINE}, or inf where it is unknown", key=key
                )
            stacks.append(None if unknown else amount)
        return tuple(stacks)

    def amounts(self, name: str, count: int | None, *, required: bool) -> tuple[Decimal, ...] | None:
        values = self.array(name, count, required=required)
        if values is None:
            return None
        read = [_amount(value) for value in values]
        for place, (value, amount) in enumerate(zip(values, read, strict=True), start=1):
            if amount is None:
                self.wrong(name, _shown(value), f"a number from 0 to {MAX_AMOUNT}, {_FINE}", key=f"{name}[{place}]")
        return tuple(decimal if decimal is not None else _NO_AMOUNT for decimal in read)

    def bets(self, variant: Variant) -> Mapping[str, Decimal] | None:
        due = _BETS[variant]
        for name in _EVERY_BET:
            if name in self.fields and name not in due:
                self.wrong(name, _shown(self.fields[name]), f"nothing, as {variant.value} has {' and '.join(due)}")
        read: dict[str, Decimal] = {}
        for name in due:
            amount = _amount(self.fields.get(name))
            if amount:
                read[name] = amount
            else:
                self.wrong(
                    name, _shown(self.fields[name]) if name in self.fields else "nothing", f"a number above 0, {_FINE}"
                )
        return read if len(read) == len(due) else None

    def array(self, name: str, count: int | None, *, required: bool) -> list[object] | None:
        """The values of an array with a value for each player; any number of them where `count` is None."""
        if name not in self.fields:
            if required:
                self.wrong(name, "nothing", "a value, which cannot be left out")
            return None
        value = self.fields[name]
        if not isinstance(value, list):
            self.wrong(name, _shown(value), "an array")
            return None
        if count is not None and len(value) != count:
            self.wrong(name, f"{len(value)} values", f"{count}, one for each player, as in starting_stacks")
            return None
        return value

    def texts(self, name: str, *, count: int | None, required: bool) -> tuple[str, ...] | None:
        values = self.array(name, count, required=required)
        if values is None:
            return None
        for place, value in enumerate(values, start=1):
            if not isinstance(value, str):
                self.wrong(name, _shown(value), "text in quotation marks", key=f"{name}[{place}]")
        return tuple(str(value) for value in values)

    def counts(self, name: str, count: int | None) -> tuple[int, ...] | None:
        values = self.array(name, count, required=False)
        if values is None:
            return None
        good = tuple(value for value in values if type(value) is int and value > 0)
        if len(set(good)) < len(values):
            self.wrong(name, _shown(values), "different whole numbers from 1 on")
        return good

    def count(self, name: str) -> int | None:
        value = self.fields.get(name)
        if value is not None and (type(value) is not int or value < 1):
            self.wrong(name, _shown(value), "a whole number from 1 on")
        return value if type(value) is int else None

    # --- actions --------------------------------------------------------------------------------------------

    def actions(self, texts: tuple[str, ...], decimals: int, players: int) -> tuple[Written, ...]:
        read: list[Written] = []
        for at, text in enumerate(texts, start=1):
            try:
                one = action(text, at=at, decimals=decimals)
            except BadAction as bad:
                self.wrong_action(at, text, str(bad))
                continue
            if one is not None:
                read.append(one)
        for at, right in misplaced(read, players):
            self.wrong_action(at, texts[at - 1], right)
        return tuple(read)

    def wrong_action(self, at: int, text: str, right: str) -> None:
        self.wrong("actions", _shown(text), right, key=f"actions[{at}]")


def _amount(value: object) -> Decimal | None:
    """A number that can be an amount of money; None for anything else."""
    if type(value) is int or (isinstance(value, Decimal) and value.is_finite()):
        amount = Decimal(value)
        return amount if 0 <= amount <= MAX_AMOUNT and _digits(amount) <= MOST_DECIMALS else None
    return None


def _decimals(money: _Money | None, texts: Iterable[str]) -> int:
    """How many digits after the point the smallest unit of all amounts has."""
    written = (*(money.all() if money is not None else ()), *amounts(texts))
    return max((_digits(number) for number in written), default=0)


def _digits(amount: Decimal) -> int:
    """How many digits after the point an amount needs."""
    _, digits, exponent = amount.as_tuple()
    if not isinstance(exponent, int) or not amount:
        return 0
    zeros = len(digits) - len("".join(map(str, digits)).rstrip("0"))
    return max(0, -exponent - zeros)


def _maybe(whole: Callable[[Decimal], int], amount: Decimal | None) -> int | None:
    return None if amount is None else whole(amount)


def _shown(value: object) -> str:
    """What was found, short enough for one line of a terminal."""
    text = str(value) if isinstance(value, Decimal) else repr(value)
    return text if len(text) <= MOST_SHOWN else f"{text[: MOST_SHOWN - 3]}..."

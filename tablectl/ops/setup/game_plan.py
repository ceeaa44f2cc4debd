"""Questions about the games of a table: seats, how much of the bets is entered, chips and restos, limits.

What a rulebook refuses is refused with its clause, at once.
"""

from __future__ import annotations

from collections.abc import Iterator

from tablectl.config.games import keys_of
from tablectl.config.sections import CHIP_MOST, TableSection
from tablectl.core.engine.limit_rules import Between, LimitRule, OneOf
from tablectl.core.engine.vocabulary import Tracking
from tablectl.games.registry import GAMES, LIMIT_RULES, most_seats
from tablectl.ops.setup import proposals
from tablectl.ops.setup.messages import Word
from tablectl.ops.setup.money import USUAL_CHIPS, Amount, Band, Chips, Sum
from tablectl.ops.setup.questions import Answers, Question, Refused, choice_of, number_of


def game_questions(said: Answers) -> Iterator[Question]:
    """Seats, tracking, chip. What a further game has of the first one, nobody is asked again."""
    first, *_ = said["table.games"]
    for game in said["table.games"]:
        called = {"game": Word.of("game", game)}
        of_game = {key.name: key for key in keys_of(TableSection, game)}
        most = most_seats(game)
        is_first = game == first
        yield Question(
            key=f"{game}.seats",
            part="games",
            asks="seats",
            kind=number_of(of_game["seats"], clause=GAMES[game].seats_clause),
            proposal=GAMES[game].proposal.seats if is_first else min(said[f"{first}.seats"], most),
            is_known=not is_first,
            values=called,
        )
        as_first = None if is_first else said[f"{first}.tracking"]
        yield Question(
            key=f"{game}.tracking",
            part="games",
            asks="tracking",
            kind=choice_of(of_game["tracking"], table="setup-tracking"),
            proposal=as_first if as_first in of_game["tracking"].words else Tracking.AMOUNTS.value,
            is_known=as_first in of_game["tracking"].words,
            values=called,
        )
        if "chip" in of_game:
            before = [other for other in said["table.games"] if f"{other}.chip" in said and other != game]
            yield Question(
                key=f"{game}.chip",
                part="games",
                asks="chip",
                kind=_Chip(exponent=said["table.currency_exponent"]),
                proposal=said[f"{before[0]}.chip"] if before else proposals.CHIP,
                is_known=bool(before),
                values=called,
            )


def limit_questions(said: Answers) -> Iterator[Question]:
    """The authorised band of each bet and the table's limits in it, where amounts are entered."""
    for game in said["table.games"]:
        if said[f"{game}.tracking"] != Tracking.AMOUNTS:
            continue
        for bet in LIMIT_RULES[game].bets:
            yield from _bet(said, game, bet)
        if GAMES[game].has_resto:
            yield _resto(said, game)
    if any(said[f"{game}.tracking"] == Tracking.AMOUNTS for game in said["table.games"]):
        yield _denominations(said)


def _bet(said: Answers, game: str, bet: str) -> Iterator[Question]:
    rule, exponent = LIMIT_RULES[game], said["table.currency_exponent"]
    width = rule.bets[bet]
    band, limits = GAMES[game].proposal.limits[bet]
    called = {
        "game": Word.of("game", game),
        "bet": Word.of("setup-bet", bet),
        "currency": said["table.currency"],
    }
    key = f"{game}.{bet}.authorised"
    yield Question(
        key=key,
        part="limits",
        asks="authorised",
        kind=Band(exponent=exponent, clause=rule.band_clause),
        proposal=band,
        values=called,
        is_needed=True,
        check=lambda value: _is_wide_enough(width, value, exponent),
    )
    low, high = said[key]
    is_inside = low <= limits[0] and limits[1] <= high and (width is None or width.allows(low, limits[1]))
    same = bet in rule.same
    yield Question(
        key=f"{game}.{bet}.limits",
        part="limits",
        asks="same-limits" if same else "limits",
        kind=Band(exponent=exponent, clause=rule.clause),
        proposal=limits if is_inside else (low, low) if same else (low, high),
        values=called,
        is_needed=True,
        check=lambda value: _fits(rule, bet, value, said[key], exponent),
    )


def _is_wide_enough(width: OneOf | Between | None, band: tuple[int, int], exponent: int) -> None:
    least, most = band
    if width is None or width.authorises(least, most):
        return
    match width:
        case OneOf():
            amounts = Sum(amounts=tuple(factor * least for factor in width.factors), exponent=exponent)
            factors = ", ".join(map(str, width.factors))
            beside = Sum.of(least, exponent=exponent)
            raise Refused("one-of", clause=width.clause, factors=factors, least=beside, amounts=amounts)
        case Between():
            raise _between(width, least, exponent)


def _between(width: Between, least: int, exponent: int) -> Refused:
    return Refused(
        "between",
        clause=width.clause,
        low_factor=width.least_factor,
        high_factor=width.most_factor,
        least=Sum.of(least, exponent=exponent),
        low=Sum.of(width.least_factor * least, exponent=exponent),
        high=Sum.of(width.most_factor * least, exponent=exponent),
    )


def _fits(rule: LimitRule, bet: str, limits: tuple[int, int], band: tuple[int, int], exponent: int) -> None:
    least, most = limits
    low, high = band
    if bet in rule.same and least != most:
        raise Refused("same", clause=rule.same[bet])
    if not low <= least <= most <= high:
        ends = {"low": Sum.of(low, exponent=exponent), "high": Sum.of(high, exponent=exponent)}
        raise Refused("outside", clause=rule.band_clause, **ends)
    width = rule.bets[bet]
    if isinstance(width, Between) and not width.allows(low, most):
        raise _between(width, low, exponent)


class _Chip(Amount):
    """The smallest chip in play."""

    def read(self, raw: object) -> int:
        """See `Kind`."""
        chip = super().read(raw)
        if chip > CHIP_MOST:
            raise Refused("amount", example=Sum.of(proposals.CHIP, exponent=self.exponent))
        return chip


def _resto(said: Answers, game: str) -> Question:
    exponent, chip, ante = said["table.currency_exponent"], said[f"{game}.chip"], said[f"{game}.ante.limits"][0]

    def fits(resto: int) -> None:
        if resto % chip:
            raise Refused("chips", clause="FCD-RST-3", chip=Sum.of(chip, exponent=exponent))
        if resto < ante:
            raise Refused("below-ante", clause="FCD-OPN-2", ante=Sum.of(ante, exponent=exponent))

    least = -(-max(ante, proposals.RESTO) // chip) * chip
    return Question(
        key=f"{game}.resto",
        part="limits",
        asks="resto",
        kind=Amount(exponent=exponent),
        proposal=least,
        values={"game": Word.of("game", game), "currency": said["table.currency"]},
        is_needed=True,
        check=fits,
    )


def _denominations(said: Answers) -> Question:
    """The house's chips, by which the tray is counted: those of most houses, as far as they fit the smallest chip."""
    first, exponent = said["table.games"][0], said["table.currency_exponent"]
    chip = said.get(f"{first}.chip", 1)

    def fit(chips: tuple[int, ...]) -> None:
        if any(value % chip for value in chips):
            raise Refused("chips", chip=Sum.of(chip, exponent=exponent))

    usual = {number * 10**exponent for number in USUAL_CHIPS}
    smallest = {chip} if f"{first}.chip" in said else set()
    return Question(
        key="float.denominations",
        part="limits",
        asks="denominations",
        kind=Chips(exponent=exponent),
        proposal=tuple(sorted({value for value in usual if value % chip == 0} | smallest)),
        values={"currency": said["table.currency"]},
        check=fit,
    )

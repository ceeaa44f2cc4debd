"""How the hand ended, as rows of its page: a view of the table as its public records leave it (`core.public_table`),
before anything is collected."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Final

from tablectl.core.public_table.folding.fold import fold, fold_uncollected
from tablectl.core.public_table.pot_game import AwardView, MoveView, PotView
from tablectl.core.public_table.table import (
    DISCARDED,
    SEATED,
    TAKEN,
    BettorView,
    BetView,
    Lying,
    PublicTable,
    RefundView,
    SettledView,
)
from tablectl.journal.evidence.hand import Hand

#: Where cards are that lie at no place of their own, by the pile under which they are shown.
_HEAPS: Final = {"discard": DISCARDED, "taken": TAKEN}
_SEAT: Final = "seat-"


@dataclass(frozen=True, kw_only=True, slots=True)
class Card:
    """One card of the hand. `code` is there where the rules showed it, or a person named it."""

    code: str | None
    is_read: bool
    is_named: bool


@dataclass(frozen=True, kw_only=True, slots=True)
class Holding:
    """The hand at a seat. `state`: why it is out, as the words of the page have it, empty where it is not; `rank`: what
    its cards are, empty before they are compared."""

    seat: int
    cards: tuple[Card, ...] = ()
    state: str = ""
    is_expelled: bool = False
    rank: str = ""


@dataclass(frozen=True, kw_only=True, slots=True)
class BetRow:
    """One bet against the bank, and what became of it."""

    name: str
    amount: int | None
    settled: SettledView | None
    is_reversed: bool
    is_returned: bool


@dataclass(frozen=True, kw_only=True, slots=True)
class BettorRow:
    """One bettor of a box, and his bets in the order in which they were made. Who stands behind it has no cards.
    `prizes`: what was paid beside a bet, and has no box."""

    holding: Holding
    bettor: int
    bets: tuple[BetRow, ...]
    prizes: tuple[SettledView, ...] = ()

    @property
    def name(self) -> str:
        """As the layout has it: `3`, and `3/2` for the second bettor of that box."""
        seat = self.holding.seat
        return str(seat) if self.bettor == SEATED else f"{seat}/{self.bettor}"

    @property
    def net(self) -> int | None:
        """What he wins or loses beside his stakes; None while nothing is decided or without amounts."""
        pays = [bet.settled.pays for bet in self.bets if bet.settled is not None and not bet.is_reversed]
        if not pays and any(bet.is_returned or bet.is_reversed for bet in self.bets):
            return 0
        return _sum((*pays, *(prize.pays for prize in self.prizes))) if pays else None


@dataclass(frozen=True, kw_only=True, slots=True)
class PlayerRow:
    """One seat of a game for pots. `uncalled`: what nobody matched; `refunded`: what came back of a hand that died,
    None where nothing did."""

    holding: Holding
    moves: tuple[MoveView, ...]
    shares: tuple[AwardView, ...]
    uncalled: int
    refunded: int | None

    @property
    def by_phase(self) -> Mapping[str, list[MoveView]]:
        """What it did, round by round, blinds each for itself."""
        found: dict[str, list[MoveView]] = {}
        for move in self.moves:
            found.setdefault(move.phase, []).append(move)
        return found

    @property
    def put_in(self) -> int | None:
        """All of it; None without amounts."""
        return _sum(move.added for move in self.moves)

    @property
    def net(self) -> int | None:
        """What the seat wins or loses; None without amounts."""
        put_in, won = self.put_in, _sum(share.amount for share in self.shares)
        return None if put_in is None or won is None else won + self.uncalled + (self.refunded or 0) - put_in


@dataclass(frozen=True, kw_only=True, slots=True)
class PotRow:
    """A pot that was won: `amount` with the fee in it, `paid` without, None where nobody was told; `seats`: who
    competed for it when the last round was closed, empty where all others had folded or amounts are not entered."""

    number: int
    amount: int | None
    paid: int | None
    seats: tuple[int, ...]
    shares: tuple[AwardView, ...]

    @property
    def fee(self) -> int | None:
        """What the table kept of it (THL-DEF-7)."""
        return None if self.amount is None or self.paid is None or not self.shares else self.amount - self.paid


@dataclass(frozen=True, kw_only=True)
class Result:
    """The table as the last record of the hand left it. `codes`: of the cards that are known, by draw; `float_change`:
    by how much its float should have changed, in a game for pots the fee, None without amounts or before the end."""

    table: PublicTable
    codes: Mapping[int, str]
    float_change: int | None

    # --- the cards ----------------------------------------------------------------------------------------------------

    def card(self, draw: int, *, is_read: bool) -> Card:
        """A card by its number in the order of drawing, wherever it lies."""
        return Card(code=self.codes.get(draw), is_read=is_read, is_named=draw in self.table.named)

    def at(self, spot: str) -> tuple[Card, ...]:
        """The cards that lie there, in order; first those that lie at no place of their own."""
        heap = [card for card in self.table.cards.values() if _spot(card) == _HEAPS.get(spot)]
        return self._cards((*sorted(heap, key=lambda card: card.place), *self.table.at_spot(spot)))

    @property
    def waiting(self) -> tuple[Card, ...]:
        """Cards that are out of the shoe and were given no place."""
        return self._cards(self.table.waiting)

    @property
    def is_laid(self) -> bool:
        """Whether a card lies anywhere but before the seats."""
        return any(not _spot(card).startswith(_SEAT) for card in self.table.cards.values())

    def _cards(self, lying: Iterable[Lying]) -> tuple[Card, ...]:
        return tuple(self.card(card.draw, is_read=card.readable) for card in lying)

    def _holding(self, number: int) -> Holding:
        seat, spot = self.table.seat(number), f"{_SEAT}{number}"
        states = {
            "void-seat": seat.void,
            "withdrawn": seat.withdrawn,
            "gave-up": self.table.circle.player(number).has_mucked,
            "folded": seat.folded,
        }
        return Holding(
            seat=number,
            cards=self.at(spot),
            state=next((word for word, applies in states.items() if applies), ""),
            is_expelled=seat.expelled,
            rank=self.table.ranks.get(spot, ""),
        )

    # --- against the bank ---------------------------------------------------------------------------------------------

    @cached_property
    def bettors(self) -> list[BettorRow]:
        """The seats of the hand in order, each with those who stand behind it."""
        rows = []
        for number, seat in sorted(self.table.seats.items()):
            rows.append(self._bettor(self._holding(number), seat))
            rows += [
                self._bettor(Holding(seat=number, state="folded" if stands.out else ""), stands)
                for stands in seat.standing.values()
            ]
        return rows

    def _bettor(self, holding: Holding, who: BettorView) -> BettorRow:
        bets = tuple(self._bet(bet, name, (holding.seat, who.bettor, name)) for name, bet in who.made.items())
        prizes = tuple(
            said
            for said in (*self.table.paid, *self.table.settled)
            if (said.seat, said.bettor) == (holding.seat, who.bettor) and said.bet not in who.made
        )
        return BettorRow(holding=holding, bettor=who.bettor, bets=bets, prizes=prizes)

    def _bet(self, bet: BetView, name: str, key: tuple[int, int, str]) -> BetRow:
        table = self.table
        settled = {_key(reversal): reversal for reversal in (*table.reversals, *table.paid, *table.settled)}.get(key)
        is_refunded = any(_key(refund) == key for refund in table.refunds)
        return BetRow(
            name=name,
            amount=bet.amount,
            settled=settled,
            is_reversed=any(_key(reversal) == key for reversal in table.reversals),
            is_returned=is_refunded or (settled is None and not bet.lies),
        )

    # --- for pots -----------------------------------------------------------------------------------------------------

    @cached_property
    def players(self) -> list[PlayerRow]:
        """Whoever is in the hand, and every other seat at which cards were dealt, by number."""
        dealt = {int(spot.removeprefix(_SEAT)) for spot in map(_spot, self.table.cards.values()) if _SEAT in spot}
        return [self._player(seat) for seat in sorted({*self.table.seats, *dealt})]

    def _player(self, number: int) -> PlayerRow:
        circle = self.table.circle
        refunds = [refund.amount or 0 for refund in self.table.refunds if refund.seat == number]
        return PlayerRow(
            holding=self._holding(number),
            moves=tuple(move for move in circle.moves if move.seat == number),
            shares=tuple(share for share in circle.awards if share.seat == number),
            uncalled=circle.uncalled.get(number, 0),
            refunded=sum(refunds) if refunds else None,
        )

    @property
    def is_decided(self) -> bool:
        """Whether the money has found its owners: a pot was won, or everything came back."""
        return bool(self.table.circle.awards or self.table.refunds)

    @cached_property
    def pots(self) -> list[PotRow]:
        """The main pot first; before the end those that were told when the last round was closed."""
        circle = self.table.circle
        told = {pot.pot: pot for pot in circle.pots} if circle.are_pots_whole else {}
        return [
            self._pot(number, told.get(number)) for number in sorted({award.pot for award in circle.awards} or told)
        ]

    def _pot(self, number: int, told: PotView | None) -> PotRow:
        awards = self.table.circle.awards
        shares = tuple(share for share in awards if share.pot == number)
        paid = _sum(share.amount for share in shares)
        amount = None if told is None else told.amount
        if amount is None and shares and paid is not None and shares == awards:
            amount = paid + (self.float_change or 0)  # all others had folded, and nobody was told what it had come to
        return PotRow(number=number, amount=amount, paid=paid, seats=told.seats if told else (), shares=shares)


def result(hand: Hand) -> Result:
    """How it ended, or how it stands."""
    view = PublicTable()
    if hand.before is not None:
        view = fold(view, hand.before.record)
    for told in hand.records:
        view = fold_uncollected(view, told.record)
    return Result(table=view, codes={**hand.revealed(), **view.named}, float_change=hand.float_change)


def _spot(card: Lying) -> str:
    return (card.slot or "").partition(".")[0]


def _key(bet: SettledView | RefundView) -> tuple[int, int, str]:
    return bet.seat, bet.bettor, bet.bet


def _sum(amounts: Iterable[int | None]) -> int | None:
    """All together; None where one of them was not entered."""
    known = list(amounts)
    return None if None in known else sum(filter(None, known))

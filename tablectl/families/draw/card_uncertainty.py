"""Cards of which it is known to whom they were dealt, and not where each of them lies.

With a shoe alone nobody sees which of his five cards a player puts away, and after a deal that went wrong not which
card came to whom. What is certain then is a set of cards and a set of places of which each holds one of them. When a
player shows his hand a person names what lies there, and only a card of that set can be named.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from tablectl.core.cards import Card
from tablectl.core.engine.deal import STAND_IN, Deal, Draw
from tablectl.core.engine.slots import Slot


@dataclass(slots=True, eq=False)
class Pool:
    """These cards lie in some of these places, or went back into the deck; nobody knows which.

    `stand_ins` take their places in the deal: a stand-in has no number and no face until somebody names it. `n_back`:
    how many of the cards are in the new stub.
    """

    cards: list[Draw]
    stand_ins: list[Draw] = field(default_factory=list)
    n_back: int = 0

    @property
    def is_short(self) -> bool:
        """Whether more cards lie in these places than any reader reported."""
        return len(self.cards) < len(self.stand_ins) + self.n_back

    def holds(self, card: Card) -> Draw | None:
        """The draw of this pool that can have this face: the one that has it, or one that could not be read."""
        exact = next((draw for draw in self.cards if draw.card is card), None)
        return exact or next((draw for draw in self.cards if draw.card is None), None)


class CardPools:
    """The pools of one hand. No card is in two of them."""

    __slots__ = ("_named", "pools")

    def __init__(self) -> None:
        self.pools: list[Pool] = []
        #: places at which a person has said which card of a pool lies there
        self._named: dict[Slot, tuple[Pool, Draw]] = {}

    def of(self, stand_in: Draw) -> Pool | None:
        """The pool that a stand-in belongs to; None for a card that is known to lie where it does."""
        return next((pool for pool in self.pools if stand_in in pool.stand_ins), None)

    def at(self, slot: Slot, draw: Draw) -> Pool | None:
        """The pool whose cards can lie at this place, where a person has to say which, or has said it."""
        named = self._named.get(slot)
        return self.of(draw) if named is None or named[1] is not draw else named[0]

    def doubted_at(self, slot: Slot) -> Draw | None:
        """The card that was named here, if that name was rejected."""
        named = self._named.get(slot)
        return named[1] if named is not None and named[1].card is None else None

    def lies(self, deal: Deal, pool: Pool, slot: Slot, draw: Draw) -> Draw:
        """This card of the pool lies here; returns the stand-in that it takes the place of. One that was named here
        before goes back into the pool."""
        stand_in = deal.at[slot]
        if stand_in in pool.stand_ins:
            pool.stand_ins.remove(stand_in)
        else:
            before = self._named.pop(slot)[1]
            before.slot = None
            pool.cards.append(before)
        pool.cards.remove(draw)
        deal.at[slot], draw.slot = draw, slot
        self._named[slot] = (pool, draw)
        return stand_in

    def about(self, draws: Iterable[Draw]) -> Pool:
        """One pool of these cards, or of what the stand-ins among them stand for: pools that overlap become one."""
        found: list[Pool] = []
        cards: list[Draw] = []
        for draw in draws:
            pool = self.of(draw)
            if pool is None:
                cards.append(draw)
            elif pool not in found:
                found.append(pool)
        made = Pool(cards=cards)
        for pool in found:
            self.pools.remove(pool)
            made.cards += pool.cards
            made.stand_ins += pool.stand_ins
            made.n_back += pool.n_back
        self.pools.append(made)
        return made

    def mix(self, deal: Deal, slots: Iterable[Slot]) -> Pool:
        """Nobody knows any more which of the cards at these places lies at which: each place has a stand-in."""
        there = list(slots)
        pool = self.about(deal.at[slot] for slot in there)
        for slot in there:
            if deal.at[slot] not in pool.stand_ins:
                known = deal.at[slot]
                known.slot = None
                stand_in = Draw(STAND_IN, None, slot)
                deal.at[slot] = stand_in
                pool.stand_ins.append(stand_in)
        return pool

    def seen(self, deal: Deal, slots: Iterable[Slot], draw: Draw) -> Slot | None:
        """An antenna sees this card of a pool: it lies in the first of these places of which that can be, which is
        returned. None where it is in no pool, or no such place is there."""
        pool = next((candidate for candidate in self.pools if draw in candidate.cards), None)
        slot = None if pool is None else next((slot for slot in slots if deal.at[slot] in pool.stand_ins), None)
        if pool is None or slot is None:
            return None
        pool.stand_ins.remove(deal.at[slot])
        pool.cards.remove(draw)
        deal.at[slot], draw.slot = draw, slot
        return slot

    def forget(self, deal: Deal, slot: Slot) -> None:
        """No card lies at this place, where a stand-in has been."""
        stand_in = deal.at.pop(slot)
        pool = self.of(stand_in)
        if pool is not None:
            pool.stand_ins.remove(stand_in)
        stand_in.slot = None

    def may_be_back(self, card: Card) -> bool:
        """Whether a card with this face is one of a pool some of whose cards are in the new stub."""
        return any(pool.n_back and any(draw.card is card for draw in pool.cards) for pool in self.pools)

    def comes_again(self, card: Card) -> bool:
        """A card with this face was drawn: True where it is one of a pool some of whose cards are in the new stub. That
        card is then known to have gone back."""
        for pool in self.pools:
            draw = next((candidate for candidate in pool.cards if candidate.card is card), None)
            if draw is not None and pool.n_back:
                pool.cards.remove(draw)
                pool.n_back -= 1
                draw.is_back = True
                return True
        return False

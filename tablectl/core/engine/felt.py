"""What readers under the felt and people say about where the cards of this hand lie.

The deal plan says where a card belongs (`Deal.at`); this says where it was seen. A card that is seen elsewhere is at
first only passing by: it counts at that place after the dwell time, or when the first entry after the deal comes
(ruling "wrong place"). One that is not seen any more where it has to stay is gone from there after the same time. The
engine asks for a wake-up at that moment, so time stays a field of a fact.
"""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import Struct

from tablectl.core.cards import Card
from tablectl.core.engine.deal import Draw


class Passing(Struct, eq=False):
    """A card that was seen at a place that is not its own, and does not count there yet; or one of which no reader has
    told yet where it lies (`spot` is None); or one that is not seen at the place that it must not leave (`left`), nor
    anywhere else, and does not count as gone yet."""

    draw: Draw
    spot: str | None
    since_us: int
    left: str = ""


class Dispute(Struct, eq=False):
    """A card that shoe and antenna read differently; who it is nobody knows. `incident`: the number of the incident."""

    draw: Draw
    by_shoe: Card
    by_antenna: Card
    incident: int


class Leaving(Struct, eq=False):
    """A card that has to leave a place: by which clause, until when, in which phase the croupier was reminded."""

    draw: Draw
    spot: str
    clause: str
    due_us: int
    told_in: str = ""


class Felt:
    """Of one hand. Mutable, owned by the engine's state; knows nothing of rules."""

    __slots__ = (
        "_ended",
        "_overruled",
        "_passing",
        "_since_us",
        "_stays_us",
        "_untold",
        "before",
        "confirmed",
        "counts_at_entry",
        "dealt_us",
        "disputes",
        "leaving",
        "next_ones",
        "not_seen_again",
        "seen_at",
    )

    def __init__(self) -> None:
        #: the spot at which an antenna sees a card, by the number of its draw
        self.seen_at: dict[int, str] = {}
        #: since when it is seen there, and how long a card that left a spot had been there at most
        self._since_us: dict[int, int] = {}
        self._stays_us: dict[tuple[int, str], int] = {}
        self._passing: dict[int, Passing] = {}
        #: the draws that came when none was due, and of which it is not concluded yet where they lie
        self._untold: set[int] = set()
        #: the draws that were seen at their place, or that a person says lie there
        self.confirmed: set[int] = set()
        #: the draws that nobody saw, as the croupier said: they are the next ones, wherever they lie
        self.next_ones: set[int] = set()
        #: the draws that no antenna has seen again since the controller started
        self.not_seen_again: set[int] = set()
        #: where readers saw a card that did not lie there, as the pit boss ruled
        self._overruled: set[tuple[int, str]] = set()
        #: cards that two readers read differently
        self.disputes: list[Dispute] = []
        #: cards that have to leave the place where they lie, by the number of the draw
        self.leaving: dict[int, Leaving] = {}
        #: disputes that are over
        self._ended: list[Dispute] = []
        #: spots where cards lie since before the hand began
        self.before: tuple[str, ...] = ()
        #: whether the next entry is the first one after the deal: then a card counts where it is seen
        self.counts_at_entry = False
        #: when the deal in front of that entry came to its end; None once the entry came
        self.dealt_us: int | None = None

    # --- where antennas see cards -------------------------------------------------------------------------------------

    def spot_of(self, draw: Draw) -> str | None:
        """The spot at which an antenna sees this card now."""
        return self.seen_at.get(draw.number)

    def sees(self, draw: Draw, spot: str, at_us: int) -> None:
        """An antenna sees this card."""
        if self.seen_at.get(draw.number) != spot:
            self._leaves(draw, at_us)
            self.seen_at[draw.number], self._since_us[draw.number] = spot, at_us
        self.not_seen_again.discard(draw.number)
        passing = self._passing.get(draw.number)
        if passing is not None and passing.spot != spot:
            del self._passing[draw.number]

    def lifts(self, draw: Draw, at_us: int) -> None:
        """No antenna sees this card any more: where it lies shows when it is seen again. One that has no place yet was
        dealt all the same."""
        self._leaves(draw, at_us)
        if draw.slot is not None:
            self._passing.pop(draw.number, None)

    def _leaves(self, draw: Draw, at_us: int) -> None:
        left = self.seen_at.pop(draw.number, None)
        if left is not None:
            stay_us = at_us - self._since_us[draw.number]
            self._stays_us[draw.number, left] = max(stay_us, self.stay_us(draw, left) or 0)

    def stay_us(self, draw: Draw, spot: str) -> int | None:
        """How long an antenna saw this card at a spot that it has left since, at most; None where it never did."""
        return self._stays_us.get((draw.number, spot))

    def forgets(self, draw: Draw) -> None:
        """The card is back in the deck."""
        self.seen_at.pop(draw.number, None)
        self.arrives(draw)
        self.not_seen_again.discard(draw.number)

    @property
    def spots(self) -> frozenset[str]:
        """Every spot at which an antenna sees a card of this hand."""
        return frozenset(self.seen_at.values())

    def restart(self) -> None:
        """The controller started: what antennas saw before has to be seen again."""
        self.not_seen_again = set(self.seen_at)

    def looked_at(self) -> None:
        """The croupier looked at the felt after a start: what was not seen again does not lie there."""
        for number in self.not_seen_again:
            self.seen_at.pop(number, None)
        self.not_seen_again = set()

    def clear(self) -> None:
        """The cards are collected, whatever antennas said last."""
        self.seen_at.clear()
        self._passing.clear()
        self._untold.clear()

    # --- cards that pass by, or are away ------------------------------------------------------------------------------

    def misses(self, draw: Draw, left: str, at_us: int) -> None:
        """No antenna sees a card since this moment that must not leave its place."""
        self._passing[draw.number] = Passing(draw, None, at_us, left)

    def passes(self, draw: Draw, spot: str, at_us: int) -> None:
        """The card is at a place that is not its own since this moment, or since an earlier one if it still is."""
        passing = self._passing.get(draw.number)
        if passing is None or passing.spot != spot:
            self._passing[draw.number] = Passing(draw, spot, at_us)

    def awaits(self, draw: Draw, at_us: int) -> None:
        """The card came when none was due, at this moment: a reader will tell where it lies."""
        self._passing[draw.number] = Passing(draw, None, at_us)
        self._untold.add(draw.number)

    def is_untold(self, draw: Draw) -> bool:
        """Whether it is not concluded yet where this card lies, that came when none was due."""
        return draw.number in self._untold

    @property
    def is_any_untold(self) -> bool:
        """Whether there is such a card."""
        return bool(self._untold)

    def dispute_of(self, card: Card | None) -> Dispute | None:
        """Where a reader said this of a card that another one read differently; over or not."""
        disputes = (*self.disputes, *self._ended)
        return next((dispute for dispute in disputes if card in (dispute.by_shoe, dispute.by_antenna)), None)

    def ends(self, dispute: Dispute) -> None:
        """The card is known, or nobody needs it. The antenna may still read the other one."""
        self.disputes.remove(dispute)
        self._ended.append(dispute)

    def overrules(self, draw: Draw, spot: str) -> None:
        """The card does not lie there, whatever readers say: the pit boss ruled so."""
        self._overruled.add((draw.number, spot))
        self.arrives(draw)

    def is_overruled(self, draw: Draw, spot: str) -> bool:
        """Whether readers that see this card there were overruled."""
        return (draw.number, spot) in self._overruled

    def arrives(self, draw: Draw) -> None:
        """The card is where it belongs, or what follows from its place was concluded."""
        self._passing.pop(draw.number, None)
        self._untold.discard(draw.number)

    def is_passing(self, draw: Draw) -> bool:
        """Whether this card does not count yet where it was seen, or no reader has told where it lies."""
        passing = self._passing.get(draw.number)
        return passing is not None and not passing.left

    def is_open(self, draw: Draw) -> bool:
        """The same, or whether it does not count yet that no antenna sees it any more."""
        return draw.number in self._passing

    @property
    def is_any_passing(self) -> bool:
        """Whether there is a card that does not count yet where it was seen, or of which no reader has told."""
        return any(not passing.left for passing in self._passing.values())

    @property
    def passing(self) -> tuple[Passing, ...]:
        """The cards that do not count yet where they are, in the order in which they came there."""
        return tuple(passing for passing in self._in_order() if not passing.left)

    def count_now(self, since_us: int) -> Iterator[Passing]:
        """The cards that are since this moment, or longer, where they do not count yet, or away from where they must
        stay; but for those about which that has changed meanwhile."""
        for passing in self._in_order():
            if passing.since_us <= since_us and self._passing.get(passing.draw.number) is passing:
                yield passing

    def _in_order(self) -> list[Passing]:
        return sorted(self._passing.values(), key=lambda passing: (passing.since_us, passing.draw.number))

    @property
    def since_us(self) -> int | None:
        """Since when the first of these cards is there, or away; None where there is none."""
        return min((passing.since_us for passing in self._passing.values()), default=None)

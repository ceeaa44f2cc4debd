"""Who is in the hand, with which bets, and who still stays."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Iterator
from typing import Final

from msgspec import Struct, field

#: Number of the bettor who sits at a box; those who stand behind it have 2 and on.
SEATED: Final = 1


class Bettor(Struct, eq=False):
    """What one person has in a box. `out`: does not go on with the hand, although the box may."""

    bets: dict[str, int | None] = field(default_factory=dict)
    out: bool = False


class SeatBets(Struct, eq=False):
    """A box of the layout, and whether its hand is still in play. Changed through `Seats` only.

    `withdrawn`: its cards were taken away, its bets are settled all the same.
    """

    bets: dict[str, int | None] = field(default_factory=dict)
    folded: bool = False
    void: bool = False
    withdrawn: bool = False
    #: by number, from 2 on
    standing: dict[int, Bettor] = field(default_factory=dict)

    @property
    def stays(self) -> bool:
        """Whether the box is still in the hand."""
        return not (self.folded or self.void or self.withdrawn)

    def everybody(self) -> Iterator[tuple[int, dict[str, int | None]]]:
        """Each bettor's number and bets, the seated one first."""
        yield SEATED, self.bets
        for number, bettor in self.standing.items():
            yield number, bettor.bets


class Seats:
    """The seats of one hand. `order` is that of dealing, from the croupier's left (THB-DEV-7, TPC-DEV-5); `staying` are
    those whose hand is still in play. Both are kept up to date, since every card and every key looks at them."""

    __slots__ = ("_after", "_held", "order", "staying")

    def __init__(self) -> None:
        self._held: dict[int, SeatBets] = {}
        self._after = 0
        self.order: tuple[int, ...] = ()
        self.staying: tuple[int, ...] = ()

    def __getitem__(self, seat: int) -> SeatBets:
        return self._held[seat]

    def __contains__(self, seat: object) -> bool:
        return seat in self._held

    def __bool__(self) -> bool:
        return bool(self._held)

    def get(self, seat: int) -> SeatBets | None:
        """The seat's bets, or None where it is not in the hand."""
        return self._held.get(seat)

    def items(self) -> list[tuple[int, SeatBets]]:
        """Seat and bets, in the order of dealing."""
        held = self._held
        return [(seat, held[seat]) for seat in self.order]

    def bets(self) -> Iterator[tuple[int, int, str, int | None]]:
        """Every bet on the table: seat, bettor, name, amount."""
        for seat, held in self.items():
            for bettor, bets in held.everybody():
                for name, amount in bets.items():
                    yield seat, bettor, name, amount

    @property
    def all_void(self) -> bool:
        """Nobody has a hand any more."""
        return all(held.void for held in self._held.values())

    @classmethod
    def dealt_in(cls, order: tuple[int, ...], *, after: int) -> Seats:
        """These are in the hand, without bets. `order`: of dealing, which begins left of seat `after`, that of the
        button (THL-DLG-4)."""
        seats = cls()
        seats._held = {seat: SeatBets() for seat in order}
        seats._after, seats.order, seats.staying = after, order, order
        return seats

    def sit(self, seat: int) -> SeatBets:
        """The seat is in the hand; it has no bets yet, or those it had."""
        held = self._held.get(seat)
        if held is None:
            held = self._held[seat] = SeatBets()
            self._changed()
        return held

    def sit_all(self, seats: Iterable[int]) -> None:
        """These seats are in the hand, without bets; they are put in order once."""
        for seat in seats:
            self._held.setdefault(seat, SeatBets())
        self._changed()

    def stand(self, seats: Iterable[int]) -> None:
        """These seats are out of the hand as if they had never been in it."""
        for seat in tuple(seats):
            del self._held[seat]
        self._changed()

    def fold(self, seat: int) -> None:
        """The seat withdrew."""
        self._held[seat].folded = True
        self._stays_no_more(seat)

    def unfold(self, seat: int) -> None:
        """The seat did not withdraw after all."""
        self._held[seat].folded = False
        self._who_stays()

    def annul(self, seat: int) -> None:
        """The seat's hand is void."""
        self._held[seat].void = True
        self._stays_no_more(seat)

    def withdraw(self, seat: int) -> None:
        """The seat's cards were taken away."""
        self._held[seat].withdrawn = True
        self._stays_no_more(seat)

    def _changed(self) -> None:
        seats = sorted(self._held)
        first = bisect_right(seats, self._after)
        self.order = (*seats[first:], *seats[:first])
        self._who_stays()

    def _stays_no_more(self, seat: int) -> None:
        if seat in self.staying:
            at = self.staying.index(seat)
            self.staying = self.staying[:at] + self.staying[at + 1 :]

    def _who_stays(self) -> None:
        held = self._held
        self.staying = tuple([seat for seat in self.order if held[seat].stays])

"""Who is in the hand, with which bets, and who still stays."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field


@dataclass(slots=True, eq=False)
class SeatBets:
    """What a seat has in its boxes, and whether it is still in the hand. Changed through `Seats` only."""

    bets: dict[str, int | None] = field(default_factory=dict)
    folded: bool = False
    void: bool = False


class Seats:
    """The seats of one hand. `order` is that of dealing, from the croupier's left (THB-DEV-7); `staying` are those that
    neither folded nor were voided. Both are kept up to date, since every card and every key looks at them."""

    __slots__ = ("_held", "order", "staying")

    def __init__(self) -> None:
        self._held: dict[int, SeatBets] = {}
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

    def items(self) -> Iterator[tuple[int, SeatBets]]:
        """Seat and bets, in the order of dealing."""
        return ((seat, self._held[seat]) for seat in self.order)

    @property
    def all_void(self) -> bool:
        """Nobody has a hand any more."""
        return all(held.void for held in self._held.values())

    def sit(self, seat: int) -> SeatBets:
        """The seat is in the hand; it has no bets yet, or those it had."""
        held = self._held.get(seat)
        if held is None:
            held = self._held[seat] = SeatBets()
            self._changed()
        return held

    def stand(self, seats: Iterable[int]) -> None:
        """These seats are out of the hand as if they had never been in it."""
        for seat in tuple(seats):
            del self._held[seat]
        self._changed()

    def fold(self, seat: int) -> None:
        """The seat withdrew."""
        self._held[seat].folded = True
        self._changed()

    def annul(self, seat: int) -> None:
        """The seat's hand is void."""
        self._held[seat].void = True
        self._changed()

    def _changed(self) -> None:
        self.order = tuple(sorted(self._held))
        self.staying = tuple(seat for seat in self.order if not (self._held[seat].folded or self._held[seat].void))

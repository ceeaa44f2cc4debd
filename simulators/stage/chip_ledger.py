"""The players' chips, counted by what becomes of each bet on the public records: taken, returned, settled, reversed.

The controller says at each hand's end by how much the table's float should have changed. Chips are neither made nor
lost, so the players have exactly that much less; a bet that was settled twice or forgotten shows here.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from tablectl.core.engine.decisions import (
    Awarded,
    BetReversed,
    BetSettled,
    BetsReturned,
    BetTaken,
    Decision,
    Folded,
    HandClosed,
    HandVoided,
    PotCarried,
    Refund,
    Spoke,
    TakenBack,
    Uncalled,
)
from tablectl.core.events.stream import Unknown
from tablectl.core.public_table.table import SEATED

_Place = tuple[int, int, str]


@dataclass(slots=True)
class ChipLedger:
    """All players' chips off the table, from 0. `following`: the bets that follow from another one's amount."""

    following: frozenset[str] = frozenset()
    #: what the players won in the hands that are over, and in the open one as far as it has come
    chips: int = 0
    in_hand: int = 0
    #: by how much the controller says that the float grew, since the first hand
    float_change: int = 0
    #: what lies in the boxes: by seat, bettor and bet
    boxes: dict[_Place, int] = field(default_factory=dict)
    #: the stakes of bets whose settlement was taken back: they count as returned until they are settled anew
    taken_back: dict[_Place, int] = field(default_factory=dict)
    #: in a circle game: what each action added, newest last, with its seat, and what was won in the hand so far
    added: list[tuple[int, int]] = field(default_factory=list)
    awarded: int = 0
    #: there, where cards are changed: what stays in the pot for the next hand since nobody opened, and whether this is
    #: such a hand; the antes that stay for a new deal, by seat, and whether the hand is annulled
    pot: int = 0
    carried: int | None = None
    kept: dict[int, int] = field(default_factory=dict)
    put_in: dict[int, int] = field(default_factory=dict)
    is_void: bool = False

    @property
    def agrees(self) -> bool:
        """Whether the players lost what the table won, in the hands that are over."""
        return self.chips + self.pot + sum(self.kept.values()) == -self.float_change

    @property
    def waits(self) -> bool:
        """Whether chips lie on the table for the next hand of the same game."""
        return bool(self.pot or self.kept)

    def see(self, decision: Decision | Unknown) -> None:
        """One decision; at tracking level presence there is nothing to count."""
        match decision:
            case BetTaken(amount=int(amount)):
                self._puts(_place(decision), amount)
            case BetsReturned(seat=seat, bettor=bettor):
                # The seated player's going takes the whole box out.
                self._gets_back([at for at in self.boxes if at[0] == seat and bettor in (SEATED, at[1])])
            case Folded(seat=seat, bettor=bettor) if bettor != SEATED:
                self._gets_back([at for at in self.boxes if at[:2] == (seat, bettor) and at[2] in self.following])
            case Refund(amount=int(amount)):
                self._takes(_place(decision), amount)
            case BetSettled(stake=int(stake), pays=int(pays)):
                self._takes(_place(decision), stake + pays)
                self.in_hand -= self.taken_back.pop(_place(decision), 0)
            case BetReversed(stake=int(stake), pays=int(pays)):
                self.in_hand -= pays
                self.taken_back[_place(decision)] = stake
            case Uncalled(amount=int(amount)) | Awarded(amount=int(amount)):
                self.awarded += amount
            case HandClosed(float_change=int(change)):
                self.float_change += change
                self.chips += self.in_hand + self.awarded
                self._close()
            case _:
                self._see_pot(decision)

    def _see_pot(self, decision: Decision | Unknown) -> None:
        match decision:
            case Spoke(seat=seat, added=int(added)):
                self._into_the_pot(seat, added)
                self.added.append((seat, added))
            case TakenBack() if self.added:
                seat, added = self.added.pop()
                self._into_the_pot(seat, -added)
                self.awarded, self.carried = 0, None
            case HandVoided():
                self.is_void = True
            case PotCarried(amount=int(amount)):
                self.carried = amount

    def _close(self) -> None:
        """What stays on the table: the antes of an annulled hand, or a pot that nobody opened."""
        if self.is_void:
            # Of a player who was not dealt in, the ante that stayed lies in the pot.
            self.pot += sum(self.kept.values())
            there = {seat: self._in_boxes(seat) for seat in self.put_in}
            self.kept = {seat: kept for seat, boxes in there.items() if (kept := min(boxes, self.put_in[seat])) > 0}
        else:
            self.pot, self.kept = self.carried or 0, {}
        self.in_hand, self.boxes, self.added, self.awarded = 0, {}, [], 0
        self.taken_back = {}
        self.carried, self.put_in, self.is_void = None, {}, False

    def _in_boxes(self, seat: int) -> int:
        return sum(amount for place, amount in self.boxes.items() if place[0] == seat)

    def _into_the_pot(self, seat: int, amount: int) -> None:
        self.in_hand -= amount
        self.put_in[seat] = self.put_in.get(seat, 0) + amount

    def _puts(self, place: _Place, amount: int) -> None:
        self._into_the_pot(place[0], amount - self.boxes.get(place, 0))
        self.boxes[place] = amount
        # An ante that stayed is not put in again: it lay there already.
        self.in_hand += self.kept.pop(place[0], 0)

    def _takes(self, place: _Place, amount: int) -> None:
        self._into_the_pot(place[0], -amount)
        self.boxes.pop(place, None)

    def _gets_back(self, places: list[_Place]) -> None:
        for place in places:
            self._takes(place, self.boxes[place])


def _place(bet: BetTaken | Refund | BetSettled | BetReversed) -> _Place:
    return (bet.seat, bet.bettor, bet.bet)

"""What a screen can know of a circle game beside cards: players, the button, the betting, the pots."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True, kw_only=True, slots=True)
class PlayerView:
    """Who sits at a seat. Amounts are integers of the smallest unit, None where nobody entered them.

    `stack`: the chips that lie before him now; `stake`: what he has put in in this round; `put_in`: in this hand.
    """

    seat: int
    is_there: bool = True
    stack: int | None = None
    #: he would enter on the button or the small blind, and gets no cards in this hand (THL-INI-10)
    waits: bool = False
    #: he missed a blind, and is not in the hand before he has posted it (THL-INI-7)
    owes_blind: bool = False
    #: the ante of his that stayed from an annulled hand: he does not put it in again (FCD-IRR-0)
    kept: int = 0
    #: what he posted before the deal: `small-blind`, `big-blind`, `entry`, `small-entry`; several where he owed more
    posted: tuple[str, ...] = ()
    stake: int | None = None
    put_in: int | None = None
    #: what he did last in this round
    action: str = ""
    is_all_in: bool = False
    #: an action out of turn that waits for his turn, and the stake it comes to (THL-PLE-6)
    stored: str = ""
    stored_to: int | None = None
    #: how many cards he changes in the draw, 0 being "servido"; None before he has said so
    changes: int | None = None
    has_mucked: bool = False


@dataclass(frozen=True, kw_only=True, slots=True)
class MoveView:
    """What a seat put in or did, and in which phase. What is posted before the deal is no action, and stands under its
    own name. `added` is None where no amounts are entered."""

    seat: int
    phase: str
    action: str
    added: int | None


@dataclass(frozen=True, kw_only=True, slots=True)
class PotView:
    """A pot as it stood when the last round was closed, the main pot being the first, and who competes for it."""

    pot: int
    amount: int
    seats: tuple[int, ...]


@dataclass(frozen=True, kw_only=True, slots=True)
class AwardView:
    """What a seat wins of a pot; `amount` is None where none are entered."""

    pot: int
    seat: int
    amount: int | None
    clause: str


@dataclass(frozen=True, kw_only=True, slots=True)
class FeeView:
    """What the table takes of a pot (THL-DEF-7): `rate` in hundredths of a per cent, of each pot or of the whole hand,
    at most `cap` (None: no bound)."""

    rate: int
    taken_from: str
    cap: int | None


@dataclass(frozen=True, kw_only=True, slots=True)
class CircleView:
    """Players, button and betting. Of a banked game it is as empty as it begins."""

    players: Mapping[int, PlayerView] = field(default_factory=dict)
    button: int | None = None
    #: what the seats did in the hand, in order; what was taken back is no more among it
    moves: tuple[MoveView, ...] = ()
    pots: tuple[PotView, ...] = ()
    #: whether they are still what there is to win: nobody has done anything since
    are_pots_whole: bool = False
    awards: tuple[AwardView, ...] = ()
    #: the record by which they were said: one that says others makes them anew. Two tables are alike without it
    awarded_seq: int = field(default=0, compare=False)
    #: what goes back to a seat because nobody matched it
    uncalled: Mapping[int, int] = field(default_factory=dict)
    #: in a game with discards: the draws that each seat put away, as long as they lie there
    discards: Mapping[int, tuple[int, ...]] = field(default_factory=dict)
    #: what is in the pot from hands that nobody opened (FCD-WIN-5), and whether this is such a hand
    carried: int | None = None
    is_carried: bool = False

    def player(self, seat: int) -> PlayerView:
        """Who sits there; nobody, and not there, where nobody does."""
        return self.players.get(seat, PlayerView(seat=seat, is_there=False))

    @property
    def discarded(self) -> frozenset[int]:
        """The draws that lie among the discards of their seats."""
        return frozenset(draw for draws in self.discards.values() for draw in draws)

    @property
    def winners(self) -> tuple[int, ...]:
        """The seats that win anything, by number."""
        return tuple(sorted({award.seat for award in self.awards}))

    @property
    def won(self) -> int | None:
        """All that is won; None without amounts or before the end."""
        amounts = [award.amount for award in self.awards if award.amount is not None]
        return sum(amounts) if amounts else None

"""Who put what into the pot of a circle game, which pots there were and who won them: from the decisions of its
records, as they stand. A correction undoes what it took back, and what was awarded before a hand died is awarded anew.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from tablectl.core.engine.decisions import (
    Awarded,
    BetTaken,
    ButtonAt,
    CardPlaced,
    Decision,
    HandClosed,
    HandOpened,
    HandVoided,
    Mucked,
    PhaseEntered,
    PotMade,
    Refund,
    SeatExpelled,
    SeatVoided,
    SeatWithdrawn,
    Spoke,
    Stored,
    TakenBack,
    Uncalled,
)
from tablectl.core.engine.words import Action
from tablectl.core.stream import Unknown
from tablectl.journal.evidence.hand import Hand, Recorded

#: With these what was awarded is not, or is awarded anew.
_UNDECIDED: Final = (TakenBack, SeatVoided, SeatWithdrawn, HandVoided)
#: The phase in which it is awarded.
_END: Final = "settlement"


@dataclass(frozen=True, kw_only=True, slots=True)
class Move:
    """What a seat put in or did. `phase` is that of the round, or the blind's name before the deal; amounts are
    integers of the smallest unit, None where none are entered."""

    phase: str
    action: str
    added: int | None


@dataclass(frozen=True, kw_only=True, slots=True)
class Share:
    """What a seat wins of a pot, and by which clause."""

    pot: int
    seat: int
    amount: int | None
    clause: str


@dataclass(kw_only=True, slots=True)
class Player:
    """One seat of the hand."""

    seat: int
    moves: list[Move] = field(default_factory=list)
    is_folded: bool = False
    has_mucked: bool = False
    is_void: bool = False
    is_withdrawn: bool = False
    is_expelled: bool = False
    shares: list[Share] = field(default_factory=list)
    #: what nobody matched, and what came back of a hand that died
    uncalled: int = 0
    refunded: int = 0
    is_refunded: bool = False

    @property
    def by_phase(self) -> dict[str, list[Move]]:
        """What it did, round by round, blinds each for itself."""
        found: dict[str, list[Move]] = {}
        for move in self.moves:
            found.setdefault(move.phase, []).append(move)
        return found

    @property
    def put_in(self) -> int | None:
        """All of it; None without amounts."""
        return _sum([move.added for move in self.moves])

    @property
    def net(self) -> int | None:
        """What the seat wins or loses; None without amounts."""
        put_in, won = self.put_in, _sum([share.amount for share in self.shares])
        return None if put_in is None or won is None else won + self.uncalled + self.refunded - put_in


@dataclass(frozen=True, kw_only=True, slots=True)
class Pot:
    """A pot that was won: `amount` with the fee in it, `paid` without, None where nobody was told; `seats`: who
    competed for it when the last round was closed, empty where all others had folded or amounts are not entered."""

    number: int
    amount: int | None
    paid: int | None
    seats: tuple[int, ...]
    shares: tuple[Share, ...]

    @property
    def fee(self) -> int | None:
        """What the table kept of it (THL-DEF-7)."""
        return None if self.amount is None or self.paid is None or not self.shares else self.amount - self.paid


class Betting:
    """The money of a hand as its last record left it."""

    def __init__(self, hand: Hand) -> None:
        self._players: dict[int, Player] = {}
        self._shares: list[Share] = []
        self._made: dict[int, tuple[int, tuple[int, ...]]] = {}
        self._stored: dict[int, str] = {}
        self._phase = ""
        self.button: int | None = None
        #: the fee that the table kept (THL-DEF-7); None without amounts or before the end
        self.fee: int | None = None
        for record in hand.records:
            self.take(record)

    def take(self, record: Recorded) -> None:
        """One record more of the hand."""
        for decision in record.record.decisions:
            self._decide(decision)

    @property
    def players(self) -> list[Player]:
        """The seats of the hand, by number."""
        return [self._players[seat] for seat in sorted(self._players)]

    @property
    def is_decided(self) -> bool:
        """Whether the money has found its owners: a pot was won, or everything came back."""
        return bool(self._shares) or any(player.is_refunded for player in self._players.values())

    @property
    def pots(self) -> list[Pot]:
        """The main pot first; before the end those that were told when the last round was closed."""
        return [self._pot(number) for number in sorted({share.pot for share in self._shares} or self._made)]

    def _pot(self, number: int) -> Pot:
        shares = tuple(share for share in self._shares if share.pot == number)
        paid = _sum([share.amount for share in shares])
        amount, seats = self._made.get(number, (None, ()))
        if amount is None and shares and paid is not None and all(share.pot == number for share in self._shares):
            amount = paid + (self.fee or 0)  # all others had folded, and nobody was told what the pot had come to
        return Pot(number=number, amount=amount, paid=paid, seats=seats, shares=shares)

    def _decide(self, decision: Decision | Unknown) -> None:
        if isinstance(decision, _UNDECIDED):
            self._forget_awards()
        if (take := self._TAKES.get(type(decision))) is not None:
            take(self, decision)

    def _forget_awards(self) -> None:
        self._shares.clear()
        for player in self._players.values():
            player.shares.clear()
            player.uncalled = 0

    def _player(self, seat: int) -> Player:
        return self._players.setdefault(seat, Player(seat=seat))

    def _entered(self, said: PhaseEntered) -> None:
        self._phase = said.phase
        if self._phase == _END:
            self._forget_awards()

    def _opened(self, _: HandOpened) -> None:
        """Cards that were drawn for places or the button before it make nobody a player of the hand (FCD-SEA-3)."""
        self._players.clear()

    def _button_at(self, said: ButtonAt) -> None:
        self.button = said.seat

    def _placed(self, said: CardPlaced) -> None:
        if said.slot.seat and said.slot.name.partition(".")[2].isdigit():
            self._player(said.slot.seat)

    def _posted(self, said: BetTaken) -> None:
        self._player(said.seat).moves.append(Move(phase=said.bet, action="", added=said.amount))

    def _spoke(self, said: Spoke) -> None:
        player = self._player(said.seat)
        self._stored.pop(said.seat, None)
        player.moves.append(Move(phase=self._phase, action=said.action, added=said.added))
        player.is_folded = said.action is Action.FOLD
        self._made.clear()

    def _stored_now(self, said: Stored) -> None:
        self._stored[said.seat] = said.action

    def _taken_back(self, said: TakenBack) -> None:
        """One that only waited for its turn was never carried out."""
        if self._stored.get(said.seat) == said.action:
            del self._stored[said.seat]
            return
        player = self._player(said.seat)
        if said.action is Action.FOLD and player.has_mucked:  # given up at the showdown, and retrieved (THL-PLE-1b)
            player.has_mucked = False
            return
        same = [at for at, move in enumerate(player.moves) if move.action == said.action]
        if same:
            del player.moves[same[-1]]
            player.is_folded = False
            self._made.clear()

    def _pot_made(self, said: PotMade) -> None:
        self._made[said.pot] = (said.amount, said.seats)

    def _awarded(self, said: Awarded) -> None:
        share = Share(pot=said.pot, seat=said.seat, amount=said.amount, clause=said.clause)
        self._shares.append(share)
        self._player(said.seat).shares.append(share)

    def _uncalled(self, said: Uncalled) -> None:
        self._player(said.seat).uncalled += said.amount

    def _refund(self, said: Refund) -> None:
        player = self._player(said.seat)
        player.is_refunded = True
        player.refunded += said.amount or 0

    def _mucked(self, said: Mucked) -> None:
        self._player(said.seat).has_mucked = True

    def _seat_died(self, said: SeatVoided | SeatWithdrawn) -> None:
        player = self._player(said.seat)
        player.is_void = player.is_void or isinstance(said, SeatVoided)
        player.is_withdrawn = player.is_withdrawn or isinstance(said, SeatWithdrawn)
        self._made.clear()

    def _expelled(self, said: SeatExpelled) -> None:
        self._player(said.seat).is_expelled = True

    def _closed(self, said: HandClosed) -> None:
        self.fee = said.float_change

    _TAKES: Final[Mapping[type[Any], Callable[[Betting, Any], None]]] = {
        HandOpened: _opened,
        PhaseEntered: _entered,
        ButtonAt: _button_at,
        CardPlaced: _placed,
        BetTaken: _posted,
        Spoke: _spoke,
        Stored: _stored_now,
        TakenBack: _taken_back,
        PotMade: _pot_made,
        Awarded: _awarded,
        Uncalled: _uncalled,
        Refund: _refund,
        Mucked: _mucked,
        SeatVoided: _seat_died,
        SeatWithdrawn: _seat_died,
        SeatExpelled: _expelled,
        HandClosed: _closed,
    }


def _sum(amounts: list[int | None]) -> int | None:
    """All together; None where one of them was not entered."""
    known = [amount for amount in amounts if amount is not None]
    return sum(known) if len(known) == len(amounts) else None

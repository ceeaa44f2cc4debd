"""Who has a seat in a circle game, who is away, and what each owes before he gets cards again (THL-INI-4..9).

Pure: players go in as a tuple ordered by seat and come out as another, or as the reason why not. A waiting list would
be looked at by whoever calls `joined`: the list is the pit boss's (THL-INI-4), and nothing here depends on it.
`open-holdem` says nothing of absences and takes these clauses (AMB-09).
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import replace
from enum import StrEnum
from typing import Final, TypeAlias

from tablectl.core.records import record

#: Two to ten play (THO-DEF-1; AMB-64 for the circle game of the casino).
MAX_SEATS: Final = 10
MIN_PLAYERS: Final = 2


class Presence(StrEnum):
    """Whether a player who has a seat takes part."""

    IN = "in"
    ABSENT = "absent"


class Absence(StrEnum):
    """How long a seat is kept for an absent player (AMB-09)."""

    FULL_LAP = "full-lap"
    ONE_HAND = "one-hand"


class Debt(StrEnum):
    """The bet with which a player has to come in to get cards."""

    SMALL = "small"
    BIG = "big"


class WhyNot(StrEnum):
    """Why something cannot be done between hands. `clause` names the rule."""

    TOO_FEW_PLAYERS = "too-few-players"
    NO_SUCH_SEAT = "no-such-seat"
    SEAT_TAKEN = "seat-taken"
    #: its player is away, and his lap is not over
    SEAT_KEPT = "seat-kept"
    NOBODY_THERE = "nobody-there"
    ALREADY_AWAY = "already-away"
    NOT_AWAY = "not-away"

    @property
    def clause(self) -> str:
        """The clause it rests on. The number of players and seats is stated by one document alone (AMB-64)."""
        return _CLAUSES[self]


_CLAUSES: Final = {
    WhyNot.TOO_FEW_PLAYERS: "THO-DEF-1",
    WhyNot.NO_SUCH_SEAT: "THO-DEF-1",
    WhyNot.SEAT_TAKEN: "THL-INI-4",
    WhyNot.SEAT_KEPT: "THL-INI-5",
    WhyNot.NOBODY_THERE: "THL-INI-5",
    WhyNot.ALREADY_AWAY: "THL-INI-5",
    WhyNot.NOT_AWAY: "THL-INI-6",
}


class NotAPlayer(ValueError):
    """The text is not a player as `Player.text` writes him."""


@record
class Player:
    """Somebody who has a seat.

    `is_new`: joined a game under way and has not had cards yet (THL-INI-9). `missed_small`, `missed_big`: blinds that
    passed him while he was away (THL-INI-7, -8). `away_hands`: hands played without him in this absence; `lap`: after
    how many of them the seat is free (THL-INI-5, -6), 0 where he is not away. Both last until he has cards again, so
    that nobody starts a new lap by coming back between two hands.
    """

    seat: int
    presence: Presence = Presence.IN
    is_new: bool = False
    missed_small: bool = False
    missed_big: bool = False
    away_hands: int = 0
    lap: int = 0

    @property
    def is_in(self) -> bool:
        """He takes part, or would if his seat allowed it in this hand."""
        return self.presence is Presence.IN

    @property
    def owes(self) -> Debt | None:
        """A newcomer, or who missed the big blind or both: a big one; who missed the small one alone: a small one."""
        if self.is_new or self.missed_big:
            return Debt.BIG
        return Debt.SMALL if self.missed_small else None

    @property
    def is_overdue(self) -> bool:
        """THL-INI-6: his lap is over, and the pit boss may give the seat."""
        return not self.is_in and self.away_hands >= self.lap

    def text(self) -> str:
        """One line, read back by `player_of`: `seat=3 in new`, `seat=4 absent missed=small,big away=2 lap=6`."""
        words = [f"seat={self.seat}", self.presence.value]
        if self.is_new:
            words.append("new")
        missed = [debt for debt, is_missed in _missed(self) if is_missed]
        if missed:
            words.append(f"missed={','.join(missed)}")
        if self.lap:
            words.append(f"away={self.away_hands} lap={self.lap}")
        return " ".join(words)


Players: TypeAlias = tuple[Player, ...]


def _missed(player: Player) -> tuple[tuple[Debt, bool], ...]:
    return (Debt.SMALL, player.missed_small), (Debt.BIG, player.missed_big)


_NUMBER: Final = "0|[1-9][0-9]{0,5}"
_LINE: Final = re.compile(
    r"seat=(?P<seat>[1-9]|10) (?P<presence>in|absent)(?P<new> new)?"
    r"(?: missed=(?P<missed>small|big|small,big))?"
    rf"(?: away=(?P<away>{_NUMBER}) lap=(?P<lap>[1-9]|10))?",
    re.ASCII,
)


def player_of(text: str) -> Player:
    """The player of a line. Raises `NotAPlayer` for whatever `Player.text` would not have written."""
    read = _LINE.fullmatch(text)
    if read is None:
        raise NotAPlayer(f"{text!r} is no player: seat=3 in, seat=4 absent missed=small,big away=2 lap=6")
    missed = (read["missed"] or "").split(",")
    player = Player(
        seat=int(read["seat"]),
        presence=Presence(read["presence"]),
        is_new=read["new"] is not None,
        missed_small=Debt.SMALL in missed,
        missed_big=Debt.BIG in missed,
        away_hands=int(read["away"] or 0),
        lap=int(read["lap"] or 0),
    )
    if not player.is_in and not player.lap:
        raise NotAPlayer(f"{text!r}: an absent player has a lap")
    if player.is_new and player.missed_small | player.missed_big:
        raise NotAPlayer(f"{text!r}: a newcomer has missed no blind")
    return player


def players_of(lines: Iterable[str]) -> Players:
    """All players of a table. Raises `NotAPlayer` for a bad line, and where two have the same seat."""
    players = [player_of(line) for line in lines]
    for seat in {player.seat for player in players}:
        if [player.seat for player in players].count(seat) > 1:
            raise NotAPlayer(f"two players have seat {seat}")
    return _ordered(players)


def seated(seats: Iterable[int]) -> Players:
    """The players of the first hand, in the seats that they drew (THL-INI-1): no newcomers, since no game is under
    way."""
    return _ordered(Player(seat=seat) for seat in set(seats))


def joined(players: Players, seat: int, *, seats: int = MAX_SEATS, is_new: bool = True) -> Players | WhyNot:
    """THL-INI-4: the pit boss gave somebody a free seat of this table's `seats`. The seat of a player whose lap is over
    is free to him as well (THL-INI-6). Nobody gets a seat that is taken (THL-PRO-9). `is_new`: a game is under way."""
    if not 1 <= seat <= seats:
        return WhyNot.NO_SUCH_SEAT
    others = players if player_at(players, seat) is None else freed(players, seat)
    if isinstance(others, WhyNot):
        return others
    return _ordered((*others, Player(seat=seat, is_new=is_new)))


def freed(players: Players, seat: int) -> Players | WhyNot:
    """THL-INI-6: the pit boss takes the seat of a player whose lap is over."""
    player = player_at(players, seat)
    if player is None:
        return WhyNot.NOBODY_THERE
    if player.is_in:
        return WhyNot.SEAT_TAKEN
    return left(players, seat) if player.is_overdue else WhyNot.SEAT_KEPT


def left(players: Players, seat: int) -> Players | WhyNot:
    """A player gave up his seat. Whoever sits there afterwards is a newcomer, he himself too."""
    if player_at(players, seat) is None:
        return WhyNot.NOBODY_THERE
    return tuple(player for player in players if player.seat != seat)


def goes_away(players: Players, seat: int, absence: Absence) -> Players | WhyNot:
    """THL-INI-5: at his own request, for as many hands as players take part now, himself with them (AMB-09)."""
    player = player_at(players, seat)
    if player is None:
        return WhyNot.NOBODY_THERE
    if not player.is_in:
        return WhyNot.ALREADY_AWAY
    lap = sum(other.is_in for other in players) if absence is Absence.FULL_LAP else 1
    return _with(players, replace(player, presence=Presence.ABSENT, lap=player.lap or lap))


def comes_back(players: Players, seat: int) -> Players | WhyNot:
    """He takes part again, after his lap too while nobody has got the seat (THL-INI-6, AMB-89)."""
    player = player_at(players, seat)
    if player is None:
        return WhyNot.NOBODY_THERE
    if player.is_in:
        return WhyNot.NOT_AWAY
    return _with(players, replace(player, presence=Presence.IN))


def overdue(players: Players) -> tuple[int, ...]:
    """THL-INI-6: seats that the pit boss may give."""
    return tuple(player.seat for player in players if player.is_overdue)


def player_at(players: Players, seat: int) -> Player | None:
    """Whoever has this seat, here or away."""
    for player in players:
        if player.seat == seat:
            return player
    return None


def _with(players: Players, changed: Player) -> Players:
    return tuple(changed if player.seat == changed.seat else player for player in players)


def _ordered(players: Iterable[Player]) -> Players:
    return tuple(sorted(players, key=lambda player: player.seat))

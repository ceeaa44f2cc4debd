"""Where the button and the blinds lie in the next hand of a circle game, who is dealt in and who has to wait.

The button and the blinds always go to the next seats taken (AMB-10). Nobody comes in as button or small blind
(THL-INI-10): these go, over his head, to the next player who owes no entry bet, and he waits. Whoever is due the big
blind comes in with it. The documents' "mano" is the button here (AMB-07).
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Final

from tablectl.core.engine.vocabulary import Posted
from tablectl.core.records import record
from tablectl.families.pots.players import MAX_SEATS, MIN_PLAYERS, Absence, Debt, Player, Players, Presence, WhyNot


class VacatedBlind(StrEnum):
    """What becomes of the place of a blind whose player is gone (AMB-10)."""

    NEXT_SEAT = "next-seat"
    #: the big blind runs on (THL-GEN-15), but small blind and button follow it seat by seat, over empty ones too
    DEAD = "dead"


class TwoPlayers(StrEnum):
    """Which of two players posts the small blind (AMB-61)."""

    LEFT_OF_BUTTON = "left-of-button"
    BUTTON = "button"


class Wait(StrEnum):
    """Why somebody who is present gets no cards in this hand (THL-INI-10)."""

    ON_THE_BUTTON = "on-the-button"
    ON_THE_SMALL_BLIND = "on-the-small-blind"


@record
class PlaceRules:
    """What table and house settle. The blinds are in the smallest unit, None where amounts are not entered."""

    small_blind: int | None = None
    big_blind: int | None = None
    absence: Absence = Absence.FULL_LAP
    vacated_blind: VacatedBlind = VacatedBlind.NEXT_SEAT
    two_players: TwoPlayers = TwoPlayers.LEFT_OF_BUTTON


class NotMarkers(ValueError):
    """The text is not what `Markers.text` writes."""


@record
class Markers:
    """Where button and blinds were, for whoever places the next ones.

    `moves`: the button moves on before the next hand; it does not before the first one, nor after a void hand (AMB-62).
    `since`: where it was before a void hand, so that who had to wait then waits again. `small`, `big`: the places of
    the blinds in the last hand that counted, taken or not; None before the first one.
    """

    button: int
    moves: bool
    since: int | None = None
    small: int | None = None
    big: int | None = None

    def text(self) -> str:
        """One line, read back by `markers_of`: `button=4 stays`, `button=4 moves small=5 big=7`,
        `button=5 stays since=4 small=5 big=7`."""
        since = "" if self.since is None else f" since={self.since}"
        blinds = "" if self.small is None or self.big is None else f" small={self.small} big={self.big}"
        return f"button={self.button} {'moves' if self.moves else 'stays'}{since}{blinds}"


_SEAT: Final = "[1-9]|10"
_MARKERS: Final = re.compile(
    rf"button=(?P<button>{_SEAT}) (?:(?P<moves>moves)|stays(?: since=(?P<since>{_SEAT}))?)"
    rf"(?: small=(?P<small>{_SEAT}) big=(?P<big>{_SEAT}))?",
    re.ASCII,
)


def markers_of(text: str) -> Markers:
    """The markers of a line. Raises `NotMarkers` for whatever `Markers.text` would not have written."""
    read = _MARKERS.fullmatch(text)
    if read is None:
        raise NotMarkers(f"{text!r} does not say where the button was: button=4 stays, button=4 moves small=5 big=7")
    since, small, big = read["since"], read["small"], read["big"]
    return Markers(
        button=int(read["button"]),
        moves=read["moves"] is not None,
        since=None if since is None else int(since),
        small=None if small is None else int(small),
        big=None if big is None else int(big),
    )


def drawn(button: int) -> Markers:
    """The first button lies where the draw put it (THL-INI-2, THO-BTN-1); put right by hand, it lies there too."""
    return Markers(button=button, moves=False)


@record
class Post:
    """A bet owed before the first card. `amount` is the whole of it; what a short stack posts, the caller knows.
    `live`: counts towards the player's stake in the first round; every one does, nothing says otherwise (AMB-09)."""

    seat: int
    bet: Posted
    amount: int | None
    live: bool = True


@record
class Waiting:
    """Somebody present who is not dealt in."""

    seat: int
    why: Wait


@dataclass(frozen=True, slots=True, kw_only=True)
class Places:
    """The places of one hand.

    `order`: seats dealt in, clockwise from the left of the button, which is the order of dealing too (THL-DLG-4,
    AMB-61, AMB-71). `posts`: what is owed before the first card, in the order in which it is put in. `first_to_act`
    speaks first in the first round; after it, the search for whoever does begins at `first_after`. `before`: the
    markers from which the places were found.
    """

    button: int
    posts: tuple[Post, ...]
    order: tuple[int, ...]
    waits: tuple[Waiting, ...]
    first_to_act: int
    first_after: int
    before: Markers

    def markers(self, *, voided: bool) -> Markers:
        """What the next hand starts from. After a void hand the button stays, and no blind has passed anybody
        (THL-MIS-0, -9, AMB-62)."""
        if voided:
            before = self.before
            # Where the button was drawn to, it is as if it had come from the seat before.
            came_from = before.button if before.moves else before.since or (before.button - 2) % MAX_SEATS + 1
            return replace(before, button=self.button, moves=False, since=came_from)
        return self._moved_on()

    def _moved_on(self) -> Markers:
        return Markers(button=self.button, moves=True)


@dataclass(frozen=True, slots=True, kw_only=True)
class Positions(Places):
    """The places of a hand with blinds: small blind, big blind, then entry bets are posted.

    `small_blind`: None where nobody posts it (`VacatedBlind.DEAD` alone). `small_place`: where it is or would be.
    """

    small_blind: int | None
    big_blind: int
    small_place: int

    def _moved_on(self) -> Markers:
        return Markers(button=self.button, moves=True, small=self.small_place, big=self.big_blind)


@record
class _Marked:
    button: int
    small: int
    big: int
    waits: tuple[Waiting, ...]


def positions(players: Players, last: Markers, rules: PlaceRules) -> Positions | WhyNot:
    """Button, blinds and who is dealt in (THL-DLG-1, THO-BTN-3, THO-BLD-2). Asked again when somebody comes or goes
    before the deal: the big blind of a seat that was left runs on to the next one (THL-GEN-15).

    With fewer than two who owe no entry bet there is no game to come into: everybody gets cards in any position
    (AMB-61), posts the blind that lies on him, and elsewhere the bet he owes.
    """
    there = [player for player in players if player.presence is Presence.IN]
    taken = tuple([player.seat for player in there])
    if len(taken) < MIN_PLAYERS:
        return WhyNot.TOO_FEW_PLAYERS
    debts = {player.seat: debt for player in there if (debt := player.owes) is not None}
    free = tuple([seat for seat in taken if seat not in debts]) if debts else taken
    if len(free) < MIN_PLAYERS:
        marked = _next_seats(taken, taken, last, rules.two_players)
    elif rules.vacated_blind is VacatedBlind.DEAD and last.small is not None and last.big is not None:
        marked = _seat_by_seat(taken, free, rules.two_players, small=last.small, big=last.big)
    else:
        marked = _next_seats(taken, free, last, rules.two_players)
    waiting = {wait.seat for wait in marked.waits}
    dealt = tuple([seat for seat in taken if seat not in waiting]) if waiting else taken
    order = clockwise(dealt, after=marked.button)
    small = marked.small if marked.small in dealt else None
    return Positions(
        button=marked.button,
        small_blind=small,
        big_blind=marked.big,
        small_place=marked.small,
        posts=_posts(order, small, marked.big, debts, rules),
        order=order,
        waits=marked.waits,
        first_to_act=clockwise(dealt, after=marked.big)[0],
        first_after=order[0],
        before=last,
    )


def after_hand(players: Players, played: Places, *, voided: bool) -> Players:
    """The players after this hand: who was dealt in owes nothing any more; an absence is a hand longer; a blind that
    passed somebody without cards is missed. A void hand was none, and its bets are owed again (THL-MIS-9)."""
    if voided:
        return players
    return tuple(_after(player, played) for player in players)


def _after(player: Player, played: Places) -> Player:
    if player.seat in played.order:
        return Player(seat=player.seat)
    if not isinstance(played, Positions):
        # Where antes are paid nobody misses a blind.
        return replace(player, away_hands=player.away_hands + (not player.is_in))
    # In the first hand the small blind starts from the button, and the big one from the small.
    before, small = played.before, played.small_place
    passed_small = _passed(player.seat, before.button if before.small is None else before.small, small)
    passed_big = _passed(player.seat, small if before.big is None else before.big, played.big_blind)
    return replace(
        player,
        away_hands=player.away_hands + (not player.is_in),
        missed_small=player.missed_small or (passed_small and not player.is_new),
        missed_big=player.missed_big or (passed_big and not player.is_new),
    )


def _next_seats(taken: tuple[int, ...], free: tuple[int, ...], last: Markers, two_players: TwoPlayers) -> _Marked:
    """AMB-10: each to the next seat taken. `free`: who may have the button and the small blind, two at least."""
    due = clockwise(taken, after=last.button if last.moves else last.button - 1)
    if len(free) == len(taken):
        # Nobody has to wait: the marks lie one after the other.
        small, big = due[1], due[2 % len(due)]
        is_swapped = big == due[0] and two_players is TwoPlayers.BUTTON
        return _Marked(button=due[0], small=big if is_swapped else small, big=small if is_swapped else big, waits=())
    button = next(seat for seat in due if seat in free)
    left_of_it = clockwise(taken, after=button)
    small = next(seat for seat in left_of_it if seat in free)
    big = clockwise(taken, after=small)[0]
    no_small = left_of_it[: left_of_it.index(small)]
    passed = set(due[: due.index(button)])
    if last.since is not None:
        reach = _steps(last.since, last.button)
        passed |= {seat for seat in taken if seat not in free and 0 < _steps(last.since, seat) < reach}
    no_button = sorted(passed - {big, *no_small})
    if big == button and two_players is TwoPlayers.BUTTON:
        # Nobody but these two is dealt in: whoever else is there would be due the big blind, or waits.
        small, big = big, small
    return _Marked(
        button=button,
        small=small,
        big=big,
        waits=(*_waiting(no_button, Wait.ON_THE_BUTTON), *_waiting(no_small, Wait.ON_THE_SMALL_BLIND)),
    )


def _seat_by_seat(
    taken: tuple[int, ...], free: tuple[int, ...], two_players: TwoPlayers, *, small: int, big: int
) -> _Marked:
    """AMB-10, `dead`: the big blind goes to the next seat taken, the small one to where the big one was, the button to
    where the small one was. Nobody comes in on these places or between them. Of two players the one who is due the big
    blind posts it; who is back from an absence without a debt, between button and small blind, is due the button."""
    button, small, big = small, big, clockwise(taken, after=big)[0]
    reach = _steps(button, small)
    on_them = [seat for seat in taken if _steps(button, seat) <= reach and seat != big]
    owing = [seat for seat in on_them if seat not in free]
    waits = (
        *_waiting((seat for seat in owing if seat == button), Wait.ON_THE_BUTTON),
        *_waiting((seat for seat in owing if seat != button), Wait.ON_THE_SMALL_BLIND),
    )
    dealt = [seat for seat in taken if seat not in owing]
    between = [seat for seat in on_them if seat in free and 0 < _steps(button, seat) < reach]
    if len(dealt) == MIN_PLAYERS:
        small = next(seat for seat in dealt if seat != big)
        button = big if two_players is TwoPlayers.LEFT_OF_BUTTON else small
    elif between:
        button = clockwise(between, after=button)[-1]
    return _Marked(button=button, small=small, big=big, waits=waits)


def _posts(
    order: tuple[int, ...], small: int | None, big: int, debts: dict[int, Debt], rules: PlaceRules
) -> tuple[Post, ...]:
    blinds = [] if small is None else [Post(seat=small, bet=Posted.SMALL_BLIND, amount=rules.small_blind)]
    blinds.append(Post(seat=big, bet=Posted.BIG_BLIND, amount=rules.big_blind))
    entries = (_entry(seat, debts[seat], rules) for seat in order if seat in debts and seat not in (small, big))
    return (*blinds, *entries)


def _entry(seat: int, debt: Debt, rules: PlaceRules) -> Post:
    if debt is Debt.BIG:
        return Post(seat=seat, bet=Posted.ENTRY, amount=rules.big_blind)
    return Post(seat=seat, bet=Posted.SMALL_ENTRY, amount=rules.small_blind)


def _waiting(seats: Iterable[int], why: Wait) -> tuple[Waiting, ...]:
    return tuple(Waiting(seat=seat, why=why) for seat in seats)


def clockwise(seats: Iterable[int], *, after: int) -> tuple[int, ...]:
    """These seats in the order in which they follow seat `after`; that seat itself, if it is one of them, last."""
    ordered = sorted(seats)
    first = bisect_right(ordered, after)
    return (*ordered[first:], *ordered[:first])


def _steps(start: int, seat: int) -> int:
    return (seat - start) % MAX_SEATS


def _passed(seat: int, start: int, end: int) -> bool:
    """A marker that went clockwise from `start` to `end` came over this seat, or came to lie there."""
    return 0 < _steps(start, seat) <= _steps(start, end)

"""A table between hands for the tests of places, and what they look at."""

from __future__ import annotations

from dataclasses import replace

from tablectl.core.engine.vocabulary import Posted
from tablectl.families.pots.places import PlaceRules, Positions, TwoPlayers, VacatedBlind, after_hand, drawn, positions
from tablectl.families.pots.players import (
    Debt,
    Player,
    Players,
    WhyNot,
    comes_back,
    goes_away,
    joined,
    left,
    player_at,
    seated,
)

RULES = PlaceRules(small_blind=5, big_blind=10)
DEAD = replace(RULES, vacated_blind=VacatedBlind.DEAD)
BUTTON_SMALL = replace(RULES, two_players=TwoPlayers.BUTTON)


class Table:
    """A table between hands, told what happens in the order in which it does."""

    def __init__(self, *seats: int, button: int, rules: PlaceRules = RULES) -> None:
        self.players: Players = seated(seats)
        self.markers = drawn(button)
        self.rules = rules

    def look(self) -> Positions:
        """The places of the next hand."""
        found = positions(self.players, self.markers, self.rules)
        assert isinstance(found, Positions), found
        return found

    def play(self, hands: int = 1, *, voided: bool = False) -> Positions:
        """So many hands; the places of the last."""
        for _ in range(hands - 1):
            self.play(voided=voided)
        played = self.look()
        self.players = after_hand(self.players, played, voided=voided)
        self.markers = played.markers(voided=voided)
        return played

    def join(self, *seats: int) -> None:
        for seat in seats:
            self._now(joined(self.players, seat))

    def leave(self, *seats: int) -> None:
        for seat in seats:
            self._now(left(self.players, seat))

    def away(self, *seats: int) -> None:
        for seat in seats:
            self._now(goes_away(self.players, seat, self.rules.absence))

    def back(self, *seats: int) -> None:
        for seat in seats:
            self._now(comes_back(self.players, seat))

    def at(self, seat: int) -> Player:
        player = player_at(self.players, seat)
        assert player is not None
        return player

    def owes(self, seat: int) -> Debt | None:
        return self.at(seat).owes

    def _now(self, players: Players | WhyNot) -> None:
        assert not isinstance(players, WhyNot), players
        self.players = players


def places(found: Positions) -> tuple[int, int | None, int]:
    return found.button, found.small_blind, found.big_blind


def entries(found: Positions) -> dict[int, tuple[Posted, int | None]]:
    """What is posted beside the blinds."""
    blinds = (Posted.SMALL_BLIND, Posted.BIG_BLIND)
    return {post.seat: (post.bet, post.amount) for post in found.posts if post.bet not in blinds}

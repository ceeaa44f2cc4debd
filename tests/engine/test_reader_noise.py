"""Clean hands under readers that are not still: cards pass neighbours, are told twice, drop out, or come in any order.

Nothing of it lasts for the dwell time, so nothing may be said or asked (ruling "wrong place").
"""

from __future__ import annotations

from collections import Counter
from random import Random
from typing import Final

import pytest

from tablectl.core.cards import DECK, Card
from tablectl.core.engine import decisions as d
from tablectl.core.engine import facts as f
from tablectl.core.engine.prompt import Instruction
from tablectl.core.engine.slots import DISCARD
from tablectl.core.engine.table import Table
from tablectl.core.engine.vocabulary import Key
from tablectl.journal.handfile.facts import parse_fact
from tests.fault_matrix.hand_plans import NAME, THROW, Step, steps_of, table_of

#: So many hands in every run, and the number of the promise.
QUICK: Final = 40
MANY: Final = 5_000
_SECOND: Final = 1_000_000
_SPOTS: Final = {
    "texas-poker": ("seat-1", "seat-2", "seat-3", "house", "board", "discard"),
    "texas-bonus": ("seat-1", "seat-2", "seat-3", "house", "board", "burn", "discard"),
    "circle-holdem": ("seat-1", "seat-2", "seat-3", "board", "burn", "discard"),
    "open-holdem": ("seat-1", "seat-2", "seat-3", "board", "burn", "discard"),
    "draw-poker": ("seat-1", "seat-2", "seat-3", "discard"),
}


#: The ranks that open in a pair, jack to ace, and which cards of three hands in turn are the first two of seat 2.
_OPENING: Final = (11, 12, 13, 14)
_OF_SEAT_2: Final = (1, 4)


class NoisyHand:
    """One clean hand, with readers as they are."""

    def __init__(self, game: str, equipment: str, seed: int) -> None:
        self.random = Random(seed)
        self.game, self.equipment = game, equipment
        self.table: Table = table_of(game, equipment)
        self.deck = iter(self.shuffled())
        self.now_us = 0
        #: what antennas tell later: when, and what
        self.later: list[tuple[int, f.Seen | f.Gone]] = []
        self.lying: list[tuple[Card, str]] = []
        self.said: list[d.Decision] = []

    def shuffled(self) -> list[Card]:
        """A deck. In draw-poker the second player opens in good faith (FCD-OPN-5): his first two cards are a pair."""
        deck = self.random.sample(DECK, len(DECK))
        if self.game == "draw-poker":
            rank = self.random.choice(_OPENING)
            pair = self.random.sample([card for card in deck if card.rank == rank], 2)
            for place, card in zip(_OF_SEAT_2, pair, strict=True):
                at = deck.index(card)
                deck[place], deck[at] = deck[at], deck[place]
        return deck

    def tell(self, fact: f.Fact) -> None:
        self.said += self.table.apply(fact)

    def until(self, at_us: int) -> None:
        """Time passes up to here: what antennas tell meanwhile, and the moments that the table waits for."""
        while True:
            wake = self.table.wake_us
            due = min((at for at, _ in self.later), default=None)
            if wake is not None and wake <= at_us and (due is None or wake < due):
                self.tell(f.TimePassed(at_us=wake))
                if self.table.wake_us == wake:
                    raise AssertionError("the table waits for a moment that is over")
            elif due is not None and due <= at_us:
                told = min(self.later, key=lambda entry: entry[0])
                self.later.remove(told)
                self.tell(told[1])
            else:
                self.now_us = at_us
                return

    def antenna(self, after_us: int, kind: type[f.Seen] | type[f.Gone], spot: str, card: Card) -> None:
        if self.equipment == "shoe":
            return
        at_us = self.now_us + after_us
        self.later.append((at_us, kind(at_us=at_us, spot=spot, card=card)))

    def deal(self, spot: str) -> None:
        """A card is drawn and laid down: on its way it may be seen at a neighbour's, and it may be told twice."""
        card = next(self.deck)
        if self.equipment != "antennas":
            self.tell(f.Drawn(at_us=self.now_us, card=card))
        delay_us = self.passing(card, spot, after_us=self.random.randrange(_SECOND // 2))
        self.antenna(delay_us, f.Seen, spot, card)
        if self.random.random() < 0.2:
            self.antenna(delay_us + 1, f.Seen, spot, card)
        self.lying.append((card, spot))
        self.until(self.now_us + self.random.randrange(_SECOND, 2 * _SECOND))

    def throw(self, spot: str, number: int) -> None:
        """A player puts his last cards away: on its way each may be seen at a neighbour's. A shoe alone sees nothing of
        it, and the croupier says that it is done."""
        self.until(self.now_us + _SECOND)
        for card in [card for card, lies in self.lying if lies == spot][-number:]:
            self.lying.remove((card, spot))
            self.lying.append((card, DISCARD[0].spot))
            self.antenna(0, f.Gone, spot, card)
            self.antenna(self.passing(card, spot, after_us=1), f.Seen, DISCARD[0].spot, card)
        self.until(self.now_us + 2 * _SECOND)
        if self.table.prompt().instruction is Instruction.PUT_AWAY:
            self.tell(f.Pressed(at_us=self.now_us, key=Key.CONFIRM))

    def passing(self, card: Card, spot: str, *, after_us: int) -> int:
        """When a card comes to where it is carried: one in five is seen at a neighbour's place before."""
        if self.random.random() >= 0.2:
            return after_us
        neighbour = self.random.choice([name for name in _SPOTS[self.game] if name != spot])
        stays_us = self.random.randrange(_SECOND // 10, _SECOND)
        self.antenna(after_us, f.Seen, neighbour, card)
        self.antenna(after_us + stays_us, f.Gone, neighbour, card)
        return after_us + stays_us + 1

    def drop_out(self, likely: float) -> None:
        """A card that lies there is not seen for up to a second, whatever is entered or dealt meanwhile."""
        moving = {fact.card for _, fact in self.later}
        still = [(card, spot) for card, spot in self.lying if card not in moving]
        if still and self.random.random() < likely:
            card, spot = self.random.choice(still)
            self.antenna(0, f.Gone, spot, card)
            self.antenna(self.random.randrange(_SECOND // 10, _SECOND), f.Seen, spot, card)
            self.until(self.now_us + self.random.randrange(_SECOND))

    def take(self, step: Step) -> None:
        if step.spot is not None:
            self.drop_out(0.1)
            self.deal(step.spot)
            return
        self.until(self.now_us + 2 * _SECOND)
        self.drop_out(0.5)
        if step.line == NAME:
            return  # every card can be read
        if step.line.startswith(THROW):
            spot, number = step.line.removeprefix(THROW).split()
            self.throw(spot, int(number))
            return
        self.tell(parse_fact(step.line, self.now_us, self.table.state.setup))


def alarms(game: str, equipment: str, hands: int) -> Counter[str]:
    """What was raised in so many clean hands, by clause, and asked, by question. A hand ends with its first alarm."""
    found: Counter[str] = Counter()
    for seed in range(hands):
        hand = NoisyHand(game, equipment, seed)
        for step in steps_of(game):
            hand.take(step)
            told = [said for said in hand.said if isinstance(said, d.IncidentRaised | d.Asked)]
            if told:
                found.update(said.clause if isinstance(said, d.IncidentRaised) else said.question for said in told)
                break
    return found


PLACES = pytest.mark.parametrize("equipment", ["shoe", "antennas", "both"])
GAMES = pytest.mark.parametrize("game", _SPOTS)


@GAMES
@PLACES
def test_noise_of_readers_is_no_incident(game: str, equipment: str) -> None:
    assert alarms(game, equipment, QUICK) == {}


@pytest.mark.wide
@GAMES
@PLACES
def test_noise_of_readers_in_5000_hands(game: str, equipment: str) -> None:
    assert alarms(game, equipment, MANY) == {}

"""What antennas see beside the cards that are dealt at five-card draw, for a hand file that was written for a shoe
alone: which cards are put away to be changed, and that one that is missing at a seat does not lie there.

With a shoe alone the croupier says that the cards lie among the discards, and nobody knows which they are.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from tablectl.core.engine import facts as f
from tablectl.core.engine.slots import DISCARD, SEATS, Slot
from tablectl.core.engine.state import State
from tablectl.core.engine.vocabulary import Declaration, Equipment
from tablectl.journal.handfile.file import HandFile

_SAID: Final = re.compile(r"discards (\d+) (\d+)")
_PLACE: Final = re.compile(r"((?:card|turned) (seat-\d+))\.\d+")
_PRESSES: Final = re.compile(r" presses=\d+")
_DISCARD: Final = DISCARD[0].spot


class PuttingAway:
    """Of one hand file."""

    def __init__(self, hand: HandFile) -> None:
        self._steps = hand.steps
        self._is_of_shoe = hand.setup.equipment is Equipment.SHOE
        #: spots of players who kept some of their cards: at which of their places these lie, each equipment says in
        #: its own way
        self._changed: set[str] = set()
        self._is_pressed_less = False

    def facts(self, number: int, fact: f.Fact, state: State) -> Iterator[f.Fact]:
        """What happens at a table with antennas in this step."""
        put_away = self._put_away(number)
        if put_away is not None:
            yield from self._seen_among_discards(number, *put_away, state)
            return
        if self._is_of_shoe and isinstance(fact, f.Declared) and fact.what is Declaration.WRONG_COUNT:
            yield from _missing(fact, state)
        yield fact

    def comparable(self, number: int, lines: list[str]) -> list[str]:
        """The decisions of a step without what a shoe alone cannot know, which cards lie among the discards and at
        which of a player's places lies what he kept, and without the keys that nobody had to press."""
        if self._put_away(number) is not None:
            lines = [line for line in lines if not line.startswith(f"card {_DISCARD}.")]
        if self._is_pressed_less:
            lines = [_PRESSES.sub("", line) for line in lines]
        return [_PLACE.sub(self._without_place, line) for line in lines]

    def _put_away(self, number: int) -> tuple[int, int] | None:
        """The seat and how many cards it puts away in this step, where a key says so."""
        step = self._steps[number]
        if not self._is_of_shoe or not isinstance(step.fact, f.Pressed):
            return None
        said = next((found for _, text in step.expected if (found := _SAID.fullmatch(text)) is not None), None)
        return None if said is None else (int(said[1]), int(said[2]))

    def _seen_among_discards(self, number: int, seat: int, cards: int, state: State) -> Iterator[f.Fact]:
        slots = [slot for slot in SEATS[seat - 1] if slot in state.deal.at]
        self._is_pressed_less = True
        if cards < len(slots):
            self._changed.add(slots[0].spot)
        there = {slot: state.deal.at[slot].card for slot in slots}
        for slot in self._chosen(number, slots, state)[:cards]:
            yield f.Gone(at_us=0, spot=slot.spot, card=there[slot])
            yield f.Seen(at_us=0, spot=_DISCARD, card=there[slot])

    def _chosen(self, number: int, slots: list[Slot], state: State) -> list[Slot]:
        """The places of the cards that he can have put away: first those that come again out of a new stub, then from
        the last one on."""
        later = (step.fact for step in self._steps[number:])
        again = {fact.card for fact in later if isinstance(fact, f.Drawn)}
        return sorted(slots, key=lambda slot: (state.deal.at[slot].card not in again, -slot.position))

    def _without_place(self, found: re.Match[str]) -> str:
        return found[1] if found[2] in self._changed else found[0]


def _missing(fact: f.Declared, state: State) -> Iterator[f.Fact]:
    """A player has fewer cards than he should: what he lacks lies before no antenna."""
    assert fact.cards is not None, "these hands say how many lie there"
    # Where one player has a card too many and another one lacks one, the second one is named after the first.
    spot, cards = (fact.spot, fact.cards) if fact.other is None else (fact.other, fact.cards - 2)
    there = [draw for draw in state.deal.draws if state.felt.seen_at.get(draw.number) == spot]
    for draw in there[cards:]:
        yield f.Gone(at_us=0, spot=state.felt.seen_at[draw.number], card=draw.card)

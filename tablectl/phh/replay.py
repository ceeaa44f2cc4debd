"""Hand histories replayed under one rulebook and one house's choices."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from tablectl.core.engine.carry import Carry
from tablectl.core.engine.facts import Setup
from tablectl.core.engine.rulebook import Rulebook
from tablectl.core.engine.table import Table
from tablectl.games.registry import rulebook_of
from tablectl.phh import house
from tablectl.phh.hand import Hand
from tablectl.phh.outcome import Ending, Replayed, Stopped
from tablectl.phh.playing import Play

#: Where everybody sits who is dealt to in the order of the deal: the first player of the file at the first seat.
_FIRST_SEAT: Final = 1


class Replayer:
    """Replays hands. A table is used again for hands of as many players at the same limits, as a table is."""

    def __init__(self, rulebook: str, profile: Mapping[str, str]) -> None:
        """`profile` must be good for this rulebook (`profile_of`)."""
        self._rulebook, self._profile = rulebook, profile
        self._tables: dict[tuple[object, ...], Table] = {}
        self._rulebooks: dict[str, Rulebook] = {}

    def replay(self, hand: Hand) -> Replayed:
        """From the deal to the last chip."""
        why = house.why_not(hand)
        if why is not None:
            return Replayed(ending=Ending.SKIPPED, what=(why,))
        if not house.has_small_blind(hand):
            return self._played(self._table_without_small_blind(hand), hand, _FIRST_SEAT + 1)
        if None in hand.starting_stacks:
            return self._played(self._table(hand), hand, _FIRST_SEAT)
        key = (hand.variant, house.least_bet(hand), len(hand.starting_stacks))
        table = self._tables.pop(key, None) or self._table(hand)
        replayed = self._played(table, hand, _FIRST_SEAT)
        if not table.state.in_play:
            self._tables[key] = table
        return replayed

    def _played(self, table: Table, hand: Hand, first: int) -> Replayed:
        try:
            return Play(table, hand, first).whole()
        except Stopped as stopped:
            return stopped.replayed

    def _table(self, hand: Hand) -> Table:
        players = len(hand.starting_stacks)
        return self._resumed(hand, range(_FIRST_SEAT, players + 1), None)

    def _table_without_small_blind(self, hand: Hand) -> Table:
        """The small blind is that of an empty seat between button and big blind: the one who had it coming left."""
        players = len(hand.starting_stacks)
        seats = range(_FIRST_SEAT + 1, players + 2)
        return self._resumed(hand, seats, f"button={players} moves small={players + 1} big={_FIRST_SEAT}")

    def _resumed(self, hand: Hand, seats: range, markers: str | None) -> Table:
        carry = Carry(
            setup=house.setup_of(hand, self._rulebook, self._profile),
            hand=0,
            n_incidents=0,
            previous={},
            unseen=(),
            shoe_lost=None,
            players=tuple(f"seat={seat} in" for seat in seats),
            markers=markers,
        )
        return Table.resume(carry, self._of)

    def _of(self, setup: Setup) -> Rulebook:
        """The rulebook of a setup; of those here only the limit differs."""
        structure = setup.profile["structure"]
        if structure not in self._rulebooks:
            self._rulebooks[structure] = rulebook_of(setup)
        return self._rulebooks[structure]

"""How the field of a reader misbehaves: tags that lie there and say nothing, tags that lie where no other should.

A fault strikes when a card is laid at an antenna. What it brings is a card of its own in the same world, and is taken
away again when that card is lifted: wherever a card is, it is there once.
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Sequence
from typing import Final

from simulators.devices.faults import FaultPlanError, TagFault, TagFaultKind
from simulators.devices.field import Field
from simulators.devices.world import AWAY, PhysicalCard, World

#: What the number of a tag that came with another differs by: its last digits.
STRANGE: Final = "5A"


class FaultyField(Field):
    """A `Field` with faults. `brought`: the numbers of the cards that faults brought, to any antenna of the reader."""

    def __init__(
        self,
        world: World,
        *,
        spots: Sequence[str],
        antenna: int,
        faults: Iterable[TagFault],
        brought: set[int],
        seed: int,
    ) -> None:
        super().__init__(world, spots[antenna - 1])
        self._spots = spots
        self._faults = tuple(fault for fault in faults if fault.antenna == antenna)
        self._brought = brought
        self._random = random.Random(seed)
        self._n_laid = 0
        self._lies: set[tuple[int, int]] = set()
        #: What each card that lies here has with it.
        self._with: dict[tuple[int, int], list[PhysicalCard]] = {}

    def awake(self) -> Sequence[str]:
        """See `Field`."""
        self._strike()
        return super().awake()

    def _strike(self) -> None:
        lies = {(card.number, stay): card for card, stay in self._world.stays(self._spot)}
        for lifted in set(self._with) - set(lies):
            for card in self._with.pop(lifted):
                self._world.put(card, AWAY)
        for key, card in lies.items():
            if key not in self._lies and card.number not in self._brought:
                self._n_laid += 1
                for fault in self._faults:
                    self._apply(fault, key, card)
        self._lies = set(lies)

    def _apply(self, fault: TagFault, key: tuple[int, int], card: PhysicalCard) -> None:
        # The die is cast for each card and fault alike, so that one fault never changes when another strikes.
        by_chance = self._random.random() < fault.probability
        if not by_chance and self._n_laid not in fault.at:
            return
        match fault.kind:
            case TagFaultKind.QUIET_TAG:
                self._quiet.add(key)
            case TagFaultKind.TWO_TAGS:
                tag = f"{card.tag[:-2]}{STRANGE if not card.tag.endswith(STRANGE) else '5B'}"
                self._bring(key, card.face, tag, self._spot)
            case TagFaultKind.CLONE:
                self._bring(key, card.face, card.tag, self._spots[fault.other_antenna - 1])

    def _bring(self, key: tuple[int, int], face: str, tag: str, spot: str) -> None:
        card = self._world.bring(face, spot, tag=tag)
        self._brought.add(card.number)
        self._with.setdefault(key, []).append(card)


def fields_of(world: World, spots: Sequence[str], faults: Sequence[TagFault], *, seed: int) -> Sequence[Field]:
    """The antennas of a reader over these spots, with the faults of a plan. Raises `FaultPlanError` for an antenna that
    the reader does not have."""
    for fault in faults:
        wanted = (fault.antenna, fault.other_antenna) if fault.kind is TagFaultKind.CLONE else (fault.antenna,)
        if max(wanted) > len(spots):
            raise FaultPlanError(f"{fault.kind} at antenna {max(wanted)}: this reader has {len(spots)}")
    brought: set[int] = set()
    return [
        FaultyField(world, spots=spots, antenna=antenna, faults=faults, brought=brought, seed=seed + antenna)
        for antenna in range(1, len(spots) + 1)
    ]

"""Which card is where, from all readers together: their tags, turned into facts of the table.

Each reader tells for itself which tag came to which of its antennas and which left (`drivers/tags.py`). Here that is
put together: a tag is at one spot at a time, at the one that had it first until that one lets go. A tag that two spots
go on seeing is in two places at once, and a card cannot be: it is a copy, or the antennas are too close.

A tag that leaves the mouth of a shoe was drawn; one that is seen elsewhere before the mouth lets go of it was drawn
before it was seen. What remains of the deck is only counted.

Between two hands decks are gathered, squared, changed: a card of another registered deck is then nobody's concern, as
long as it is away when the hand begins. What a reader that is away saw last is not believed against one that is there.

Pure: times are those of the facts, and `overdue` is told what time it is.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping
from typing import Final, TypeAlias

from drivers.facts import TagIn, TagOut
from tablectl.config.decks import CLONE_US
from tablectl.config.spots import MOUTH, STUB, Spot
from tablectl.core.cards import Card
from tablectl.core.engine import facts as f
from tablectl.core.engine.slots import DISCARD
from tablectl.core.engine.vocabulary import Strange
from tablectl.journal.deck_register import RegisterUnusable

#: A reader and one of its antennas.
Antenna: TypeAlias = tuple[str, int]

#: A card that hesitates at the mouth of a shoe leaves it twice within so many microseconds; one card leaves it once.
AGAIN_US: Final = 3_000_000
#: A card that lies on the felt for so long, in microseconds, cannot be on its way past the mouth.
SETTLED_US: Final = 1_000_000


class TagTracker:
    """The tags of one table. Never prints one."""

    def __init__(
        self, spots: Mapping[Antenna, Spot], *, not_cards: tuple[str, ...] = (), clone_us: int = CLONE_US
    ) -> None:
        """`not_cards`: how the tags begin (upper-case hexadecimal) that are none of any deck, ever: chips, phones."""
        self._spots = spots
        self._not_cards = not_cards
        self._clone_us = clone_us
        self._deck: Mapping[str, Card] = {}
        self._others: Collection[str] = frozenset()
        #: By tag, the antennas that see it and since when, in the order in which they did.
        self._sights: dict[str, dict[Antenna, int]] = {}
        #: The antenna whose spot a tag is at.
        self._lies: dict[str, Antenna] = {}
        #: Tags at a mouth that lay elsewhere when they came there, and those that were seen elsewhere since.
        self._lay_elsewhere: set[str] = set()
        self._drawn_already: set[str] = set()
        #: When each card of this hand left the mouth.
        self._drawn_us: dict[str, int] = {}
        #: Those of them that may be drawn once more: they went back into the deck.
        self._in_the_deck: set[str] = set()
        #: The readers that are away.
        self._away: set[str] = set()
        #: A hand is open: every card has to be one of the deck in play.
        self.is_in_hand = False
        self._told: set[str] = set()
        self._counted: set[str] = set()

    def know(self, deck: Mapping[str, Card], others: Collection[str]) -> None:
        """The deck in play by its tags, and the tags of all other decks. What lies there was told already."""
        self._deck, self._others = deck, others
        self._counted = {tag for tag in self._sights if tag in deck}

    def others_are(self, others: Collection[str]) -> None:
        """The deck in play is the same; other decks were registered."""
        self._others = others

    def must_be_cards(self, tags: Collection[str]) -> None:
        """Raises `RegisterUnusable` where one of these tags would be taken for none of any deck."""
        if self._not_cards and any(tag.startswith(self._not_cards) for tag in tags):
            said = ", ".join(self._not_cards)
            raise RegisterUnusable(
                f"deck.not_cards = {said}: registered cards begin like that; take it out of the list"
            )

    @property
    def knows_a_deck(self) -> bool:
        """Whether any tag is a card."""
        return bool(self._deck)

    def lost(self, device: str) -> None:
        """A reader is away."""
        self._away.add(device)

    def back(self, device: str) -> None:
        """It is there again."""
        self._away.discard(device)

    # -- what readers tell -------------------------------------------------------------------------------------------

    def came(self, fact: TagIn) -> Iterator[f.Fact]:
        """A tag came to an antenna."""
        tag, antenna = fact.tag.open(), (fact.device, fact.antenna)
        spot = self._spots.get(antenna)
        if spot is None or tag.startswith(self._not_cards):
            return
        if tag in self._deck:
            self._counted.add(tag)
        self._sights.setdefault(tag, {})[antenna] = fact.at_us
        if spot.name == MOUTH:
            if self._lies_still(tag, fact.at_us):
                self._lay_elsewhere.add(tag)
            return
        here = self._lies.get(tag)
        if here is not None and here[0] in self._away:
            # Whoever saw it there is away, and it is seen here.
            del self._lies[tag]
            del self._sights[tag][here]
            yield from self._is_gone(tag, here, fact.at_us)
        if tag not in self._lies:
            yield from self._arrives(tag, antenna, fact.at_us)

    def _lies_still(self, tag: str, at_us: int) -> bool:
        """Whether a tag lies on the felt, has for a while, and somebody sees it there."""
        here = self._lies.get(tag)
        if here is None or here[0] in self._away or not self._spots[here].is_on_the_felt:
            return False
        return at_us - self._sights[tag][here] >= SETTLED_US

    def left(self, fact: TagOut) -> Iterator[f.Fact]:
        """A tag left an antenna."""
        tag, antenna = fact.tag.open(), (fact.device, fact.antenna)
        if self._sights.get(tag, {}).pop(antenna, None) is None:
            return
        if self._spots[antenna].name == MOUTH:
            yield from self._is_drawn(tag, fact.at_us)
        elif self._lies.get(tag) == antenna:
            yield from self._goes(tag, antenna, fact.at_us)
        if not self._sights[tag]:
            del self._sights[tag]
        if len(self._elsewhere(tag)) < 1:
            self._told.discard(tag)

    def _arrives(self, tag: str, antenna: Antenna, at_us: int) -> Iterator[f.Fact]:
        self._lies[tag] = antenna
        spot = self._spots[antenna]
        if any(self._spots[sight].name == MOUTH for sight in self._sights[tag]) and spot.is_on_the_felt:
            self._drawn_already.add(tag)
            yield from self._drawn(tag, at_us)
        if tag not in self._deck:
            if self.is_in_hand or tag not in self._others:
                yield f.StrangeTag(at_us=at_us, spot=spot.name, what=self._why_strange(tag))
        elif spot.is_on_the_felt:
            yield f.Seen(at_us=at_us, spot=spot.name, card=self._deck[tag], position=spot.position)

    def _goes(self, tag: str, antenna: Antenna, at_us: int) -> Iterator[f.Fact]:
        del self._lies[tag]
        rest = self._elsewhere(tag)
        if rest and self._spots[rest[0]] == self._spots[antenna]:
            self._lies[tag] = rest[0]  # another antenna of the same place has it
            return
        yield from self._is_gone(tag, antenna, at_us)
        if rest:
            yield from self._arrives(tag, rest[0], at_us)

    def _is_gone(self, tag: str, antenna: Antenna, at_us: int) -> Iterator[f.Fact]:
        if self._spots[antenna].is_on_the_felt and tag in self._deck:
            yield f.Gone(at_us=at_us, spot=self._spots[antenna].name, card=self._deck[tag])

    def _is_drawn(self, tag: str, at_us: int) -> Iterator[f.Fact]:
        lay_elsewhere = tag in self._lay_elsewhere and tag in self._lies
        self._lay_elsewhere.discard(tag)
        # One that the table knows in the deck again is drawn again, however soon.
        before_us = None if tag in self._in_the_deck else self._drawn_us.get(tag)
        if tag in self._drawn_already:
            self._drawn_already.discard(tag)
        elif before_us is not None and at_us - before_us < AGAIN_US:
            self._drawn_us[tag] = at_us  # it hesitates at the mouth
        elif lay_elsewhere or before_us is not None:
            # It left before, or its twin lies on the felt all the while: a card came out, and nobody knows which.
            yield f.Drawn(at_us=at_us, card=None)
            yield f.StrangeTag(at_us=at_us, spot=MOUTH, what=Strange.CLONED)
        else:
            yield from self._drawn(tag, at_us)
            if tag not in self._deck:
                yield f.StrangeTag(at_us=at_us, spot=MOUTH, what=self._why_strange(tag))

    def _drawn(self, tag: str, at_us: int) -> Iterator[f.Fact]:
        if tag in self._deck:
            self._drawn_us[tag] = at_us
            self._in_the_deck.discard(tag)
        yield f.Drawn(at_us=at_us, card=self._deck.get(tag))

    def _why_strange(self, tag: str) -> Strange:
        return Strange.FOREIGN if tag in self._others else Strange.UNKNOWN

    # -- in two places at once ---------------------------------------------------------------------------------------

    def _elsewhere(self, tag: str) -> list[Antenna]:
        """The antennas, besides the one it is at, that see a tag too; none of a mouth."""
        here = self._lies.get(tag)
        return [spot for spot in self._sights.get(tag, {}) if spot != here and self._spots[spot].name != MOUTH]

    def _doubles(self) -> Iterator[tuple[int, str, Antenna]]:
        for tag, here in self._lies.items():
            for other in self._elsewhere(tag) if here[0] not in self._away else ():
                if (
                    other[0] not in self._away
                    and tag not in self._told
                    and self._spots[other].name != self._spots[here].name
                ):
                    since_us = max(self._sights[tag][other], self._sights[tag][here])
                    yield since_us + self._clone_us, tag, other

    def deadline_us(self) -> int | None:
        """When `overdue` has something to say, if nothing happens before."""
        return min((due_us for due_us, _, _ in self._doubles()), default=None)

    def overdue(self, now_us: int) -> Iterator[f.Fact]:
        """Tags that have been in two places for too long; each is told once."""
        for due_us, tag, antenna in list(self._doubles()):
            if due_us <= now_us and tag not in self._told:
                self._told.add(tag)
                yield f.StrangeTag(at_us=now_us, spot=self._spots[antenna].name, what=Strange.CLONED)

    # -- the count ---------------------------------------------------------------------------------------------------

    @property
    def has_a_mouth(self) -> bool:
        """Whether a reader is the shoe."""
        return any(spot.name == MOUTH for spot in self._spots.values())

    @property
    def can_count(self) -> bool:
        """Whether an antenna sees what remains of the deck."""
        return any(spot.name == STUB for spot in self._spots.values())

    def count(self) -> int | None:
        """Different cards of the deck in play that any antenna has seen since the last hand was closed: those that
        were dealt and those that remained. None where nobody can tell, or the reader that could is away."""
        is_away = any(spot.name == STUB and device in self._away for (device, _), spot in self._spots.items())
        return len(self._counted) if self.can_count and self._deck and not is_away else None

    # -- before a hand -----------------------------------------------------------------------------------------------

    def strange_tags(self, at_us: int) -> Iterator[f.Fact]:
        """A hand begins: a card of another deck that lies anywhere, one for each spot."""
        spots = {
            self._spots[at].name for tag, at in self._lies.items() if tag in self._others and at[0] not in self._away
        }
        for spot in sorted(spots):
            yield f.StrangeTag(at_us=at_us, spot=spot, what=Strange.FOREIGN)

    def on_felt(self, is_known: Callable[[Card], bool]) -> tuple[str, ...]:
        """Where cards are dealt to and cards of the deck in play lie that are none of this hand."""
        found = {
            self._spots[at].name
            for tag, at in self._lies.items()
            if tag in self._deck and at[0] not in self._away and not is_known(self._deck[tag])
        }
        return tuple(sorted(found - {STUB, DISCARD[0].spot}))

    def went_back(self, may_come: Callable[[Card], bool]) -> None:
        """Which cards of the hand are in the deck again, as the table knows it: discards in a new stub, cards that were
        shuffled in. They are drawn once more as the same cards, and are no copies."""
        self._in_the_deck = {tag for tag in self._drawn_us if tag in self._deck and may_come(self._deck[tag])}

    def hand_closed(self) -> None:
        """From here on cards are counted anew, beginning with those that an antenna sees now; and any may be drawn."""
        self._drawn_us.clear()
        self._in_the_deck.clear()
        self._counted = {tag for tag in self._sights if tag in self._deck}

"""The cards of one hand: what was drawn, where each card belongs, which slot is due next.

Deck accounting is ours: a card's identity is noted when it is drawn, whatever the shoe says of its own count.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

from msgspec import Struct

from tablectl.core.cards import DECK, Card
from tablectl.core.engine.slots import DISCARD, Slot

#: The number of a card that nobody can point at: it stands for one of several.
STAND_IN: Final = 0


class Draw(Struct, eq=False):
    """One physical card of this hand. `number` counts from 1; `slot` is None while nobody knows where it belongs;
    `named`: it could not be read, and a person said which one it is, `named_by` who that was."""

    number: int
    card: Card | None
    slot: Slot | None = None
    named: bool = False
    named_by: str = ""
    #: it went back into the deck, and can come again
    is_back: bool = False


class Deal:
    """Mutable, owned by the engine's state; knows nothing of rules."""

    __slots__ = ("_out", "at", "draws", "face_up", "n_back", "n_discarded", "next", "plan", "read_now", "waiting")

    def __init__(self) -> None:
        self.draws: list[Draw] = []
        self.at: dict[Slot, Draw] = {}
        #: replaced and never changed: whoever takes a step back remembers it as it was
        self.plan: tuple[Slot, ...] = ()
        self.next = 0
        #: cards that are out of the shoe and are the next ones, in order of drawing
        self.waiting: list[Draw] = []
        self.n_discarded = 0
        #: numbers of the draws found face up in this hand, replaced or not
        self.face_up: set[int] = set()
        #: the number of a card that a reader has just identified, which the shoe could not
        self.read_now: int | None = None
        #: how many of the cards drawn went back into the deck
        self.n_back = 0
        #: the faces that are out
        self._out: set[Card] = set()

    @property
    def due(self) -> Slot | None:
        """The slot the next card must fill, or None where the plan is done."""
        return self.plan[self.next] if self.next < len(self.plan) else None

    @property
    def last(self) -> Draw | None:
        """The card drawn last."""
        return self.draws[-1] if self.draws else None

    def start(self, plan: tuple[Slot, ...]) -> None:
        """A new deal plan: that of the next phase."""
        self.plan = plan
        self.next = 0

    def add(self, slot: Slot, *, at_once: bool = False) -> None:
        """One more slot is due: after all others, or now."""
        at = self.next if at_once else len(self.plan)
        self.plan = (*self.plan[:at], slot, *self.plan[at:])

    def note(self, card: Card | None) -> tuple[Draw, bool]:
        """A card left the shoe. The second value is True where a 52-card deck cannot hold it any more."""
        number = len(self.draws) + 1
        draw = Draw(number, card)
        self.draws.append(draw)
        known = card in self._out or number - self.n_back > len(DECK)
        if card is not None:
            self._out.add(card)
        return draw, known

    def knows(self, card: Card) -> bool:
        """Whether a card with this face is out."""
        return card in self._out

    def newest(self, card: Card) -> Draw | None:
        """The last draw with this face, or None where there is none."""
        if not self.knows(card):
            return None
        return next((draw for draw in reversed(self.draws) if draw.card is card and not draw.is_back), None)

    def gone_back(self, card: Card) -> Draw | None:
        """The last draw with this face that went back into the deck, or None where there is none."""
        return next((draw for draw in reversed(self.draws) if draw.card is card and draw.is_back), None)

    def read(self, draw: Draw, card: Card) -> None:
        """A reader says which card it is that could not be read when it was drawn."""
        draw.card = card
        self.read_now = draw.number
        self._out.add(card)

    def doubt(self, draw: Draw) -> None:
        """Nobody knows any more which card it is: as if it had not been read."""
        if draw.card is not None and not draw.is_back and not self.others(draw, draw.card):
            self._out.discard(draw.card)
        draw.card, draw.named, draw.named_by = None, False, ""

    def others(self, draw: Draw, card: Card) -> list[Draw]:
        """The other draws that have this face."""
        return [other for other in self.draws if other.card is card and other is not draw and not other.is_back]

    def name(self, draw: Draw, card: Card, by: str) -> None:
        """Complete the identity of a card that could not be read, or correct what a person said of it."""
        if draw.card is not None and not self.others(draw, draw.card):
            self._out.discard(draw.card)
        draw.card, draw.named, draw.named_by = card, True, by
        self._out.add(card)

    def place(self, draw: Draw) -> Slot:
        """Put a card where the plan wants the next one. The plan must have a slot due."""
        slot = self.plan[self.next]
        self.next += 1
        self.at[slot] = draw
        draw.slot = slot
        return slot

    def lay(self, draw: Draw, slot: Slot) -> None:
        """Put a card where no plan has it come, or somewhere else than it lay."""
        if draw.slot is not None and self.at.get(draw.slot) is draw:
            del self.at[draw.slot]
        self.at[slot] = draw
        draw.slot = slot

    def wait(self, draw: Draw) -> None:
        """The card is out and will be the next one; several keep the order in which they were drawn."""
        self.waiting.append(draw)
        self.waiting.sort(key=lambda waiting: waiting.number)

    def take_back(self, draw: Draw) -> None:
        """The card that was placed last does not stay there: its slot is due again."""
        assert draw.slot is not None
        self.next -= 1
        assert self.plan[self.next] is draw.slot, "only the card placed last can be taken back"
        del self.at[draw.slot]
        draw.slot = None

    def take_out(self, draw: Draw) -> list[Draw]:
        """A card of the plan in force lies in no slot any more, and those after it move up; these are returned."""
        laid = [self.at.pop(slot) for slot in self.plan[: self.next]]
        behind = laid[laid.index(draw) + 1 :]
        laid.remove(draw)
        draw.slot = None
        self.next = 0
        for remaining in laid:
            self.place(remaining)
        return behind

    def give_back(self, draws: Iterable[Draw]) -> None:
        """These cards go back into the deck: their faces may come again, and they lie nowhere."""
        for draw in draws:
            draw.is_back = True
            self.n_back += 1
            if draw.card is not None and not self.others(draw, draw.card):
                self._out.discard(draw.card)
            if draw.slot is not None and self.at.get(draw.slot) is draw:
                del self.at[draw.slot]
            draw.slot = None

    def drop(self, slots: Iterable[Slot]) -> None:
        """These slots are not filled any more, where they still were to come."""
        gone = set(slots)
        left = [slot for slot in self.plan[self.next :] if slot not in gone]
        self.plan = (*self.plan[: self.next], *left)

    def discard(self, draw: Draw) -> Slot:
        """To the discard rack, not used in this hand."""
        slot = DISCARD[min(self.n_discarded, len(DISCARD) - 1)]
        self.n_discarded += 1
        draw.slot = slot
        return slot

    def rewrite(self, plan: Sequence[Slot]) -> tuple[list[Draw], list[Draw]]:
        """Replace the plan in force and lay the cards of the old one anew, in the order in which they were drawn.

        Returns the cards whose slot changed and those that now are beyond the plan (their slot is None).
        """
        laid = [self.at.pop(slot) for slot in self.plan[: self.next]]
        before = [draw.slot for draw in laid]
        self.plan, self.next = tuple(plan), 0
        surplus = laid[len(plan) :]
        for draw in surplus:
            draw.slot = None
        kept = laid[: len(plan)]
        for draw in kept:
            self.place(draw)
        return [draw for draw, slot in zip(kept, before, strict=False) if draw.slot is not slot], surplus

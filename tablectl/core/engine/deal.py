"""The cards of one hand: what was drawn, where each card belongs, which slot is due next.

Deck accounting is ours: a card's identity is noted when it is drawn, whatever the shoe says of its own count.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

from msgspec import Struct

from tablectl.core.cards import DECK, Card
from tablectl.core.engine.slots import BOARD, DISCARD, Slot

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

    __slots__ = (
        "_filled",
        "_out",
        "at",
        "came_before",
        "draws",
        "empty",
        "face_up",
        "left",
        "left_now",
        "n_back",
        "n_discarded",
        "next",
        "plan",
        "read_now",
        "waiting",
    )

    def __init__(self) -> None:
        self.draws: list[Draw] = []
        self.at: dict[Slot, Draw] = {}
        #: replaced and never changed: whoever takes a step back remembers it as it was
        self.plan: tuple[Slot, ...] = ()
        self.next = 0
        #: places whose card was put away: the next cards fill them, and then the plan goes on; nothing is shifted
        self.empty: tuple[Slot, ...] = ()
        #: the last of these that was filled, where no card of the plan has followed
        self._filled: Slot | None = None
        #: the places that cards left which were put away, by the number of the draw; and those since the last card came
        self.left: dict[int, Slot] = {}
        self.left_now: list[Slot] = []
        #: the card before which another one came that nobody reported, by the number of that
        self.came_before: dict[int, Draw] = {}
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
        if self.empty:
            return self.empty[0]
        return self.plan[self.next] if self.next < len(self.plan) else None

    @property
    def latest(self) -> Slot | None:
        """The slot that was filled last while the plan in force is dealt; None where none was."""
        return self._filled or (self.plan[self.next - 1] if self.next > 0 else None)

    @property
    def last(self) -> Draw | None:
        """The card drawn last."""
        return self.draws[-1] if self.draws else None

    def start(self, plan: tuple[Slot, ...]) -> None:
        """A new deal plan: that of the next phase."""
        self.plan = plan
        self.next = 0
        self.empty, self._filled = (), None

    def add(self, slot: Slot, *, at_once: bool = False) -> None:
        """One more slot is due: after all others, or now."""
        at = self.next if at_once else len(self.plan)
        self.plan = (*self.plan[:at], slot, *self.plan[at:])

    def note(self, card: Card | None) -> tuple[Draw, bool]:
        """A card left the shoe. The second value is True where a 52-card deck cannot hold it any more."""
        number = len(self.draws) + 1
        draw = Draw(number, card)
        self.left_now.clear()
        self.draws.append(draw)
        known = card in self._out or number - self.n_back > len(DECK)
        if card is not None:
            self._out.add(card)
        return draw, known

    def numbered(self, number: int | None) -> Draw | None:
        """The card drawn as this one; None where so many were not drawn."""
        return next((draw for draw in self.draws if draw.number == number), None)

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
        """Put a card where the next one is due. The plan must have a slot due, or a place must be empty."""
        if self.empty:
            slot, *rest = self.empty
            self.empty, self._filled = tuple(rest), slot
        else:
            slot, self._filled = self.plan[self.next], None
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
        assert draw.slot is self.latest, "only the card placed last can be taken back"
        self.vacate(draw)

    def vacate(self, draw: Draw) -> Slot:
        """This card does not stay where it lies; the next one that comes fills its place."""
        slot = draw.slot
        assert slot is not None, "it lies somewhere"
        if slot is self.latest and self._filled is None:
            self.next -= 1
        else:
            self.empty, self._filled = (slot, *self.empty), None
        del self.at[slot]
        draw.slot = None
        self.left[draw.number] = slot
        self.left_now.append(slot)
        return slot

    def is_due_at(self, slot: Slot) -> None:
        """The next card comes to this place, whatever lies there."""
        self.empty = (*self.empty, slot)

    def take_out(self, draw: Draw) -> list[Draw]:
        """A card of the plan in force lies in no slot any more, and those after it move up; these are returned."""
        laid = self._take_up()
        following = laid[laid.index(draw) + 1 :]
        laid.remove(draw)
        draw.slot = None
        self._lay_anew(laid)
        return [after for after in following if after is not None]

    @property
    def lies_by_plan(self) -> bool:
        """Whether each place of the plan that was filled has its card or is known to be empty, and none comes twice."""
        dealt = self.plan[: self.next]
        return len(set(dealt)) == len(dealt) and all(slot in self.at or slot in self.empty for slot in dealt)

    def insert(self, draw: Draw, after: Draw) -> tuple[list[Draw], list[Draw]]:
        """A card that nobody reported came before another one of the plan in force: that one and those after it lie one
        place further on. Returns the cards whose slot changed and the one that now is beyond the plan."""
        laid = self._take_up()
        before = {card.number: card.slot for card in laid if card is not None}
        laid.insert(laid.index(after), draw)
        kept, beyond = laid[: len(self.plan)], laid[len(self.plan) :]
        surplus = [card for card in beyond if card is not None]
        for card in surplus:
            card.slot = None
        self._lay_anew(kept)
        return [card for card in kept if card is not None and card.slot is not before.get(card.number)], surplus

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
        self.empty = tuple(slot for slot in self.empty if slot not in gone)
        left = [slot for slot in self.plan[self.next :] if slot not in gone]
        self.plan = (*self.plan[: self.next], *left)

    def is_common(self, number: int) -> bool:
        """Whether the card that was dealt as this one of the plan in force lies on the board."""
        dealt = self.plan[: self.next]
        return number <= len(dealt) and dealt[number - 1].spot == BOARD[0].spot and dealt[number - 1] in self.at

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
        laid = self._take_up()
        before = {draw.number: draw.slot for draw in laid if draw is not None}
        self.plan = tuple(plan)
        surplus = [draw for draw in laid[len(plan) :] if draw is not None]
        for draw in surplus:
            draw.slot = None
        kept = laid[: len(plan)]
        self._lay_anew(kept)
        moved = [draw for draw in kept if draw is not None and draw.slot is not before[draw.number]]
        return moved, surplus

    def _take_up(self) -> list[Draw | None]:
        """The cards of the plan in force in its order, which lie nowhere now; None for a place that is empty."""
        dealt, empty = self.plan[: self.next], self.empty
        self.empty = tuple(slot for slot in empty if slot not in dealt)
        return [None if slot in empty else self.at.pop(slot) for slot in dealt]

    def _lay_anew(self, laid: list[Draw | None]) -> None:
        """They fill the plan from its beginning; what was empty between them is empty still."""
        empty = self.empty
        self.next, self.empty, self._filled = 0, (), None
        missing: list[Slot] = []
        for draw in laid:
            if draw is None:
                missing.append(self.plan[self.next])
                self.next += 1
            else:
                self.place(draw)
        self.empty = (*missing, *empty)

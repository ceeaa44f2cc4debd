"""The deck that a table deals from: found in the register by its cards, withdrawn when an error says so.

Where no deck is in play, the first card of a deck that is ready puts that deck in play: the croupier lays it on the
table, and that is all. In a hand every other deck's cards are foreign; which deck is in play changes between two hands.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Final

from drivers.facts import TagIn, TagOut
from tablectl.core.cards import Card
from tablectl.core.engine import facts as f
from tablectl.core.engine.deal import Deal
from tablectl.core.events.notes import DeckMoved
from tablectl.journal.deck_register import DeckState, NotSo, Register, RegisterBusy, RegisterUnusable
from tablectl.table.decks.tag_tracker import TagTracker

#: Who moves a deck when nobody says so in person.
CONTROLLER: Final = "controller"
#: How often a withdrawal is tried while other programs write into the register.
TRIES: Final = 5


class DecksAtTable:
    """The register and the tags of one table. Used by the one writer's thread."""

    def __init__(
        self,
        register: Register,
        tags: TagTracker,
        now_us: Callable[[], int],
        *,
        on_record: str | None = None,
        is_in_hand: bool = False,
        trouble: Callable[[str], object] = lambda _: None,
    ) -> None:
        """`on_record`: the deck that was in play last, as the journal has it; a hand that is open goes on with it.
        `trouble` is told, once, that another program keeps the register to itself.

        Raises `RegisterUnusable`, also where a registered card would be taken for none (`deck.not_cards`).
        """
        self._register = register
        self._tags = tags
        self._now_us = now_us
        self._trouble = trouble
        self._is_busy = False
        #: a withdrawal that could not be written yet: the deck, and why
        self._pending: tuple[str, str] | None = None
        self._moved: list[DeckMoved] = []
        self._said: dict[str, DeckState] = {
            deck.name: deck.state for deck in register.decks if deck.state is not DeckState.IN_PLAY
        }
        registered = {deck.name for deck in register.decks}
        #: the deck whose tags are cards now
        self._dealt = on_record if on_record in registered else None
        self._is_in_hand = tags.is_in_hand = is_in_hand
        if self._dealt is None or not is_in_hand:
            self._look()
        else:
            self._know(self._dealt)

    # -- what readers tell -------------------------------------------------------------------------------------------

    def came(self, fact: TagIn) -> Iterator[f.Fact]:
        """A tag came to an antenna: what that is to the table."""
        if self._register.in_play is None and not (self._is_in_hand and self._tags.knows_a_deck):
            self._put_in_play(fact.tag.open())
        yield from self._tags.came(fact)

    def left(self, fact: TagOut) -> Iterator[f.Fact]:
        """A tag left an antenna."""
        yield from self._tags.left(fact)

    def heard(self, fact: f.Fact) -> None:
        """Readers that go and come back."""
        match fact:
            case f.DeviceLost():
                self._tags.lost(fact.device)
            case f.DeviceBack():
                self._tags.back(fact.device)

    def says_again(self, fact: f.Fact, may_come: Callable[[Card], bool]) -> bool:
        """Whether a card went past the mouth of the shoe that left it before a start in this hand. `may_come`: whether
        a card can be in the shoe."""
        if not isinstance(fact, f.Drawn) or fact.card is None:
            return False
        return self._tags.has_a_mouth and not may_come(fact.card)

    def overdue(self) -> Iterator[f.Fact]:
        """What follows because time has passed."""
        yield from self._tags.overdue(self._now_us())

    def wait_s(self) -> float | None:
        """How long until then, in seconds; None: nothing is waited for."""
        due_us = self._tags.deadline_us()
        return None if due_us is None else max(0.0, (due_us - self._now_us()) / 1_000_000)

    # -- hands -------------------------------------------------------------------------------------------------------

    def before_hand(self) -> Iterator[f.Fact]:
        """What people changed in the register counts from now on; other decks have to be away. Raises
        `RegisterUnusable`."""
        self._refresh()
        if self._pending is not None:
            name, reason = self._pending
            self._withdraw(name, reason)
        self._look()
        yield from self._tags.strange_tags(self._now_us())

    def before_deal(self, deal: Deal, told: tuple[str, ...]) -> Iterator[f.Fact]:
        """Is the felt empty, and the deck whole? `told`: where it was not, as the table knows it."""
        spots = self._tags.on_felt(deal.knows)
        if spots != told:
            yield f.OnFelt(at_us=self._now_us(), spots=spots)
        cards = self._tags.count()
        if cards is not None and not spots:
            yield f.Counted(at_us=self._now_us(), cards=cards)

    def hand_is(self, *, is_open: bool, may_come: Callable[[Card], bool]) -> None:
        """Whether a hand is open, and which cards can come out of the shoe, after each fact. Where a hand was closed,
        the count begins anew."""
        was_open, self._is_in_hand = self._is_in_hand, is_open
        self._tags.is_in_hand = is_open
        self._tags.went_back(may_come)
        if was_open and not is_open:
            self._tags.hand_closed()
            self._look()

    def withdraw(self, reason: str) -> None:
        """An error of the documents says that the deck that is dealt from is not dealt from again. In a hand its cards
        are known until that is over: they still have to be collected. Raises `RegisterUnusable`."""
        if self._dealt is not None:
            self._withdraw(self._dealt, reason)
        if not self._is_in_hand:
            self._look()

    def _withdraw(self, name: str, reason: str) -> None:
        """Now, or before the next hand where another program keeps the register to itself; until then nothing is dealt
        from it all the same."""
        self._pending = None
        for _ in range(TRIES):
            deck = self._register.in_play
            if deck is None or deck.name != name:
                return
            if not self._move(name, DeckState.QUARANTINED, reason):
                self._pending = (name, reason)
                return
        raise RegisterUnusable(f"{name} could not be withdrawn: somebody else writes into the register")

    def close(self) -> None:
        """May be repeated."""
        self._register.close()

    def take_moved(self) -> tuple[DeckMoved, ...]:
        """What happened to decks since this was asked last: for the journal."""
        moved, self._moved = tuple(self._moved), []
        return moved

    # -- the register ------------------------------------------------------------------------------------------------

    def _put_in_play(self, tag: str) -> None:
        name = self._register.owner(tag)
        if any(deck.name == name and deck.state is DeckState.READY for deck in self._register.decks):
            self._move(str(name), DeckState.IN_PLAY, "its cards are at the table and no other deck was in play")
            self._look()

    def _move(self, name: str, state: DeckState, reason: str) -> bool:
        """False where another program has the register to itself."""
        try:
            self._register.move(name, state, by=CONTROLLER, reason=reason, at_us=self._now_us())
        except RegisterBusy as busy:
            self._say_busy(str(busy))
            return False
        except NotSo:
            self._refresh()  # somebody wrote at this very moment: what the register says now counts
        self._tell()
        return True

    def _refresh(self) -> None:
        self._register.refresh()
        if self._register.is_behind:
            self._say_busy("another program has the deck register to itself; what was read before counts")
        else:
            self._is_busy = False

    def _say_busy(self, what: str) -> None:
        if not self._is_busy:
            self._is_busy = True
            self._trouble(what)

    def _look(self) -> None:
        """The deck in play is the one whose tags are cards; where there is none, none are."""
        self._tell()
        played = self._register.in_play
        is_withdrawn = played is not None and self._pending is not None and played.name == self._pending[0]
        self._know(None if played is None or is_withdrawn else played.name)

    def _know(self, name: str | None) -> None:
        tags = {} if name is None else self._register.tags(name)
        others = {tag for deck in self._register.decks for tag in self._register.tags(deck.name)} - tags.keys()
        self._tags.must_be_cards({*tags, *others})
        if name != self._dealt or not self._tags.knows_a_deck:
            self._tags.know(tags, others)
        else:
            self._tags.others_are(others)
        self._dealt = name

    def _tell(self) -> None:
        """Decks whose state is news; at the first look, that is the one in play."""
        for deck in self._register.decks:
            if self._said.get(deck.name, DeckState.READY) is not deck.state:
                self._moved.append(
                    DeckMoved(
                        at_us=self._now_us(), deck=deck.name, state=deck.state.value, by=deck.by, reason=deck.reason
                    )
                )
            self._said[deck.name] = deck.state

"""The deck that a table deals from: found in the register by its cards, withdrawn when an error says so.

Where no deck is in play, the first card of a deck that is ready puts that deck in play: the croupier lays it on the
table, and that is all. While one is in play, every other deck's cards are foreign.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from drivers.facts import TagIn, TagOut
from tablectl.decks.register import DeckState, NotSo, Register
from tablectl.decks.whereabouts import Whereabouts
from tablectl.engine import facts as f
from tablectl.engine.deal import Deal
from tablectl.journal.notes import DeckMoved

#: Who moves a deck when nobody says so in person.
CONTROLLER = "controller"


class DecksAtTable:
    """The register and the whereabouts of one table. Used by the one writer's thread."""

    def __init__(self, register: Register, whereabouts: Whereabouts, now_us: Callable[[], int]) -> None:
        self._register = register
        self._whereabouts = whereabouts
        self._now_us = now_us
        self._moved: list[DeckMoved] = []
        self._said: dict[str, DeckState] = {
            deck.name: deck.state for deck in register.decks if deck.state is not DeckState.IN_PLAY
        }
        self._look()

    def came(self, fact: TagIn) -> Iterator[f.Fact]:
        """A tag came to an antenna: what that is to the table."""
        if self._register.in_play is None:
            self._put_in_play(fact.tag.open())
        yield from self._whereabouts.came(fact)

    def left(self, fact: TagOut) -> Iterator[f.Fact]:
        """A tag left an antenna."""
        yield from self._whereabouts.left(fact)

    def says_again(self, fact: f.Fact, deal: Deal) -> bool:
        """Whether a card went past the mouth of the shoe that had left it in this hand already: a tag is one card."""
        if not isinstance(fact, f.Drawn) or fact.card is None:
            return False
        return self._whereabouts.has_a_mouth and deal.knows(fact.card)

    def overdue(self) -> Iterator[f.Fact]:
        """What follows because time has passed."""
        yield from self._whereabouts.overdue(self._now_us())

    def wait_s(self) -> float | None:
        """How long until then, in seconds; None: nothing is waited for."""
        due_us = self._whereabouts.deadline_us()
        return None if due_us is None else max(0.0, (due_us - self._now_us()) / 1_000_000)

    def between_hands(self) -> Iterator[f.Fact]:
        """Before the next hand: what people changed in the register, then the count. Raises `RegisterUnusable`."""
        if self._register.refresh():
            self._look()
        cards = self._whereabouts.count()
        if cards is not None:
            yield f.Counted(at_us=self._now_us(), cards=cards)

    def hand_closed(self) -> None:
        """The count begins anew."""
        self._whereabouts.hand_closed()

    def withdraw(self, reason: str) -> None:
        """An error of the documents says that this deck is not dealt from again. Its cards are known until another one
        is in play: they still have to be collected. Raises `RegisterUnusable`."""
        deck = self._register.in_play
        if deck is not None:
            self._move(deck.name, DeckState.QUARANTINED, reason)

    def close(self) -> None:
        """May be repeated."""
        self._register.close()

    def take_moved(self) -> tuple[DeckMoved, ...]:
        """What happened to decks since this was asked last: for the journal."""
        moved, self._moved = tuple(self._moved), []
        return moved

    def _put_in_play(self, tag: str) -> None:
        name = self._register.owner(tag)
        if any(deck.name == name and deck.state is DeckState.READY for deck in self._register.decks):
            self._move(str(name), DeckState.IN_PLAY, "its cards are at the table and no other deck was in play")
            self._look()

    def _move(self, name: str, state: DeckState, reason: str) -> None:
        try:
            self._register.move(name, state, by=CONTROLLER, reason=reason, at_us=self._now_us())
        except NotSo:
            self._look()  # somebody moved it at this very moment: what the register says now counts
            return
        self._tell()

    def _look(self) -> None:
        """The deck in play, where there is one."""
        self._tell()
        played = self._register.in_play
        others = {tag for deck in self._register.decks for tag in self._register.tags(deck.name)}
        if played is not None:
            deck = self._register.tags(played.name)
            self._whereabouts.know(deck, others - deck.keys())
        elif not self._whereabouts.knows_a_deck:
            self._whereabouts.know({}, others)

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

"""What a family of games does where the engine leaves off: games against the bank, with common cards, with discards.

The engine knows cards, places, incidents and people. Whatever depends on the kind of game is asked here, once, of the
family to which the rulebook in force belongs; nobody asks which family it is. What a family does not answer has the
answer of a game that has no such thing.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, Generic, TypeVar

from tablectl.core.cards import Card
from tablectl.core.engine.carry import Coding
from tablectl.core.engine.deal import Draw
from tablectl.core.engine.decisions import BetSettled
from tablectl.core.engine.facts import Fact, Named, Seen, Setup
from tablectl.core.engine.key_action import KeyTable
from tablectl.core.engine.move import Move
from tablectl.core.engine.pending import Incident, Pending
from tablectl.core.engine.prompt import Prompt
from tablectl.core.engine.rule import Outcome, Rule
from tablectl.core.engine.slots import Slot
from tablectl.core.engine.vocabulary import Declaration, Key, Remedy, Tracking

#: The state that the family owns.
S = TypeVar("S")


class Family(ABC, Generic[S]):
    """The rules that games of one kind share. Without state: what it remembers of a table is in `S`."""

    # --- the state ------------------------------------------------------------------------------------------------

    @abstractmethod
    def begin(self, setup: Setup, rulebook: object) -> S:
        """A table before its first hand; `rulebook` is one of this family."""

    @property
    @abstractmethod
    def handlers(self) -> Mapping[type, Callable[[S, Any], None]]:
        """What the facts that people enter in such a game lead to."""

    @abstractmethod
    def seat_players(self, state: S, seats: tuple[int, ...]) -> None:
        """Who sits at the table before the first hand."""

    @property
    def codings(self) -> Mapping[str, Coding]:
        """How fields that only such a state has are written into a carry."""
        return {}

    def resumed(self, state: S) -> None:
        """The state was made of a carry, perhaps of one that an older program wrote."""

    def adopted(self, state: S) -> None:
        """Another setup is in force; what both states have was taken over. What does not fit it is dropped."""

    def replaced(self, state: S, after: object) -> None:
        """Another setup takes the place of this one: what does not go on is told."""

    def refunded(self, after: object, seat: int, amount: int) -> None:
        """An entry bet that lay on the table went back to its player."""

    def kept(self, state: S) -> Mapping[int, Mapping[str, int | None]]:
        """Entry bets of an annulled hand that lie on the table for the next one (AMB-46), by seat."""
        return {}

    @property
    @abstractmethod
    def trackings(self) -> tuple[Tracking, ...]:
        """How much of the bets can be entered at a table of such a game."""

    # --- around each fact -----------------------------------------------------------------------------------------

    def before(self, state: S) -> object:
        """What `after` wants to know of the state before a fact."""
        return None

    def follow(self, state: S) -> None:
        """What follows by itself from a fact: a phase was entered, or somebody's turn has come."""

    def go_on(self, state: S) -> None:
        """The same as far as cards alone lead to it."""

    def after(self, state: S, fact: Fact, before: object) -> None:
        """At the end of a fact: what it has made final."""

    # --- phases ---------------------------------------------------------------------------------------------------

    def turn(self, state: S) -> int | None:
        """The seat that is asked now, in a phase of decisions."""
        return None

    def entered(self, state: S) -> None:
        """A phase was entered, and its deal plan is in force."""

    @abstractmethod
    def settle(self, state: S) -> None:
        """Say what everybody wins and loses."""

    def seat_left(self, state: S, clause: str) -> None:
        """A hand is void, lost or taken away: who is left, and what that ends."""

    # --- people ---------------------------------------------------------------------------------------------------

    @abstractmethod
    def keys(self, state: S) -> Iterable[KeyTable]:
        """What each key means, with nothing asked and nothing held: tables, and the first one that has a key counts. A
        key that is pressed is looked for in one after the other, so what is seldom pressed or takes long comes last."""

    def keys_while_held(self, state: S) -> KeyTable:
        """What keys mean although the table is held."""
        return {}

    def undone(self, state: S) -> None:
        """After the croupier took his last entry back: the one before it is not the last one now."""

    @abstractmethod
    def moves(self, state: S) -> Iterator[Move]:
        """What can be entered beside keys."""

    @abstractmethod
    def prompt(self, state: S, keys: tuple[Key, ...]) -> Prompt:
        """What is to be done, with nothing asked, nothing held and no card to be named."""

    def completed(self, state: S, told: Prompt) -> Prompt:
        """A prompt with what such a game says in every one of them."""
        return told

    @property
    @abstractmethod
    def declarations(self) -> Mapping[Declaration, Rule[S]]:
        """What a person can declare in such a game, in the order in which it is offered."""

    @property
    @abstractmethod
    def picks(self) -> tuple[Key, ...]:
        """The keys that choose from the list of what can be declared, in its order."""

    def unreported(self, state: S) -> None:
        """A card was declared that no reader had reported."""

    def is_counted(self, state: S) -> bool:
        """A card is declared that no reader reported. True where it is one of which it was said already that a place
        has one too many: then nothing else follows."""
        return False

    @abstractmethod
    def seats_asked(self, state: S, what: Declaration) -> tuple[int, ...]:
        """The seats that a declaration can be about."""

    def counts_asked(self) -> Mapping[Key, str | int]:
        """Keys for numbers of cards beyond those that every game has."""
        return {}

    # --- answers and rulings --------------------------------------------------------------------------------------

    def answer(self, state: S, pending: Pending) -> Callable[[S, Pending, str | int], None] | None:
        """What an answer does where such a game has its own; None where it is a general one."""
        return None

    def moved(self, state: S, pending: Pending) -> None:
        """The croupier has put something right that he was asked to move."""

    def seen(self, state: S, incident: Incident, *, is_seen: bool) -> bool:
        """Whether anybody saw the card that an incident is about, as the croupier says. True where that is answered."""
        return False

    #: the key that says of such a card that it lies on the board
    board_key: Key = Key.CANCEL

    def early_places(self, state: S, incident: Incident) -> tuple[str, ...]:
        """Where the card can lie that an incident is about, which came when none was due, as the croupier can say; none
        where he is not asked."""
        return ()

    def lies_at(self, state: S, incident: Incident, spot: str) -> None:
        """The card that an incident is about lies there, as the croupier says."""

    @abstractmethod
    def remedies_of_seen(self, state: S, incident: Incident) -> tuple[Remedy, ...]:
        """What the pit boss may choose where somebody saw it."""

    def seen_elsewhere(self, state: S, incident: Incident) -> bool:
        """Somebody saw a card that lies at another seat. False where that is for the pit boss."""
        return False

    def ruled(self, state: S, incident: Incident, remedy: Remedy) -> bool:
        """Carry out a remedy of such games. False where it is a general one."""
        return False

    def approved(self, state: S, incident: Incident) -> None:
        """The pit boss approved what was asked for."""

    @abstractmethod
    def clause_on_counts(self, state: S) -> str:
        """Which clause says how many cards a player has."""

    def countable(self, state: S) -> tuple[str, ...]:
        """The spots of which it is asked how many cards lie there."""
        return ()

    @abstractmethod
    def deck_outcome(self, state: S, clause: str, expected: str, observed: str) -> Outcome:
        """What follows from a deck that is not as it should be."""

    def deck_withdrawn(self, state: S, incident: Incident) -> None:
        """The deck in play is no good, as this incident says."""

    def shuffled(self, state: S, cards: int) -> bool:
        """The shoe has shuffled so many cards. True where that was a new stub within a hand."""
        return False

    def voided(self, state: S) -> None:
        """The hand is annulled, and bets are about to go back."""

    # --- money ----------------------------------------------------------------------------------------------------

    @abstractmethod
    def refund(self, state: S, seat: int, *, keeps_entry: bool) -> None:
        """Everything that a seat bet goes back; with `keeps_entry` all but that with which a hand begins."""

    @abstractmethod
    def keeps_entries(self, state: S) -> bool:
        """Whether the house leaves entry bets of an annulled hand on the table for the next one (AMB-46)."""

    def settled_already(self, state: S, seats: tuple[int, ...]) -> None:
        """These seats have their bets back: what was settled in mid-hand only the pit boss can undo."""

    def settled_seats(self, state: S) -> Iterable[int]:
        """The seats of which something was settled in mid-hand."""
        return ()

    def settled(self, state: S) -> Iterable[BetSettled]:
        """What became of bets against the bank in this hand, as far as it can still be taken back."""
        return ()

    def choices_when_called(self, state: S) -> tuple[Remedy, ...]:
        """What the pit boss can choose beside going on, where he is called; to void the hand he always can."""
        return ()

    def awarded_anew(self, state: S, after: S) -> Mapping[int, int]:
        """How much more or less each seat gets out of pots that were awarded already; nothing where that would tell of
        cards that nobody may know yet."""
        return {}

    def reverse(self, state: S, incident: Incident) -> None:
        """What had been paid comes back, what had been collected goes back."""

    # --- cards ----------------------------------------------------------------------------------------------------

    def came_from_under(self, state: S, draw: Draw) -> bool:
        """Whether this card was put under the stub before, and nothing more follows from it."""
        return False

    def may_come_again(self, state: S, draw: Draw) -> bool:
        """Whether a card with this face can come, though it was drawn before."""
        return False

    def may_be_back(self, state: S, card: Card) -> bool:
        """Whether a card with this face may have gone back into the deck, though nobody knows."""
        return False

    def may_be_due(self, state: S) -> bool:
        """Whether another card can be due in this hand, in a phase in which more are dealt in some game."""
        return True

    def early(self, state: S, draw: Draw) -> bool:
        """A card came although none is due. True where such a game has said all about it."""
        return False

    @abstractmethod
    def early_clause(self, state: S) -> str:
        """The clause on a card that is drawn now although none is due."""

    def waits_for(self, state: S, setup: Setup) -> str | None:
        """The clause for which another setup waits between two hands; None where it does not."""
        return None

    def named(self, state: S, slot: Slot, draw: Draw, fact: Named) -> bool | None:
        """A person says which of several cards lies at a place. None where it is not one of several; otherwise whether
        that was the last name that was missing."""
        return None

    def last_name_came(self, state: S) -> None:
        """The last card that had to be named is known."""

    def names_rejected(self, state: S) -> None:
        """Cards that decide money are named anew: what was settled by them is taken back."""

    def limits_changed(self, state: S) -> None:
        """Other limits hold from now on."""

    # --- antennas -------------------------------------------------------------------------------------------------

    def lifted(self, state: S, draw: Draw, spot: str) -> bool:
        """An antenna misses a card of this hand. True where something follows if it stays away: then it is `gone`."""
        return False

    def gone(self, state: S, draw: Draw, spot: str) -> None:
        """Such a card has been away for the dwell time."""

    def is_on_its_way(self, state: S, fact: Seen) -> bool:
        """Whether a card of this hand went back into the deck, and is not shuffled in yet."""
        return False

    def is_another(self, state: S, draw: Draw, fact: Seen) -> bool | None:
        """Whether it is a second card with the same face; None where such a game does not tell."""
        return None

    def dealt_between_hands(self, state: S, fact: Seen) -> bool:
        """A card appeared in a draw for seats. True where it was one."""
        return False

    def stays_untold(self, state: S, draw: Draw) -> None:
        """No reader tells where a card lies that came when none was due, though it has had the time."""

    def one_too_many(self, state: S, draw: Draw, spot: str) -> bool:
        """Whether a card that appears at a spot is one too many there, and is judged so."""
        return False

    def lies(self, state: S, draw: Draw, spot: str) -> bool:
        """An antenna sees a card of this hand. True where that is all that follows."""
        return False

    def came_to_discards(self, state: S, draw: Draw, slot: Slot) -> None:
        """A card of a place lies among the discards."""

    def some_discard(self, state: S) -> Draw | None:
        """One of the discards of which nobody knows which cards they are; None where there are none of these."""
        return None

    def came_back(self, state: S, slot: Slot) -> None:
        """A card lies at its own place again."""

    def is_elsewhere_expected(self, state: S, draw: Draw, slot: Slot, spot: str) -> bool:
        """Whether a card may lie at another spot than its own, or something else was said about it."""
        return False

    #: whether a card that was seen face up in the deal is the first burn (THL-CRE-8)
    burns_exposed_cards: bool = False

    #: whether all cards that came in a wrong order are one error; otherwise only two that have each other's places are
    is_order_one_matter: bool = True

    def is_matter_of_order(self, state: S) -> bool:
        """Whether a card of a player that lies at another spot came in a wrong order."""
        return False

    def wrong_order_seen(self, state: S, draw: Draw, slot: Slot, spot: str) -> bool:
        """A card came in a wrong order. True where such a game has judged it; otherwise the rulebook's policy does."""
        return False

    def to_an_empty_seat(self, state: S, draw: Draw, spot: str) -> bool:
        """Antennas alone: a card that has no place yet lies at a seat with none coming. True where that is no error."""
        return False

    def clause_if_seen(self, state: S) -> str | None:
        """Of a player's card that was carried to another hand: the clause by which it decides whether it was seen
        there; None where it is carried back, seen or not."""
        return None


#: What takes the place of a type parameter that nobody outside the family needs to know.
AnyFamily = Family[Any]

"""What the table waits for: incidents that are not closed, and questions that the croupier has not answered."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, NamedTuple

from tablectl.core.engine.deal import Draw
from tablectl.core.engine.facts import StandingBet
from tablectl.core.engine.two_persons import Report
from tablectl.core.engine.vocabulary import Chooser, Declaration, Question, Remedy

#: What is observed where somebody called the pit boss.
CALLED: Final = "called"
#: With what the word begins where somebody behind a seat wants the pit boss to allow his bet.
STANDING: Final = "standing-bet"
_ENTRY: Final = "entry-"


def entry_word(number: int) -> str:
    """How an incident names the entry that it is about, by its number among the facts of the hand."""
    return f"{_ENTRY}{number}"


def entry_of(word: str) -> int:
    """Its number."""
    return int(word.removeprefix(_ENTRY))


class Cause(NamedTuple):
    """What an incident is about: the same cause in a hand that is played again is the same incident."""

    clause: str
    expected: str
    observed: str
    draw: int | None
    seats: tuple[int, ...]


@dataclass(slots=True, eq=False)
class Incident:
    """A departure from the rulebook that is not closed yet."""

    number: int
    clause: str
    remedies: tuple[Remedy, ...]
    chooser: Chooser
    draw: Draw | None = None
    spot: str | None = None
    #: whose bets or place at the table it is about
    seats: tuple[int, ...] = ()
    #: what somebody who stands wants to bet: nobody waits for the answer but he
    request: StandingBet | None = None
    #: what a device reported that must not be, and the remedies that take two persons
    report: Report | None = None
    two_persons: tuple[Remedy, ...] = ()
    observed: str = ""
    #: cards that readers see at other places than their own, each with that place, by one wrong order
    elsewhere: tuple[tuple[Draw, str], ...] = ()
    #: cards that decide money, and of which a person said which they are: that is to be confirmed
    named: tuple[Draw, ...] = ()

    def is_about(self, draw: Draw) -> bool:
        """Whether this card is one of those that it is about."""
        return self.draw is draw or any(card is draw for card, _ in self.elsewhere)


@dataclass(slots=True, eq=False)
class Pending:
    """A question to the croupier. The table waits for the answer."""

    question: Question
    about: str
    incident: Incident | None = None
    cards: int | None = None
    lap: int | None = None
    #: the number of the card that is said to be one too many
    drawn: int | None = None
    #: what is being declared, and the first spot that was said
    what: Declaration | None = None
    spot: str | None = None

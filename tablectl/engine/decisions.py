"""What the engine concludes. Decisions carry no card: a card's identity stands in the fact that brought it, and the
journal shows it only from the decision on that turned it up (`CardPlaced` face up, `CardTurned`)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from tablectl.engine.slots import Slot
from tablectl.engine.words import Chooser, Question, Refusal, Remedy, Severity
from tablectl.settlement.banked import Outcome


@dataclass(frozen=True, kw_only=True, slots=True)
class HandOpened:
    """A hand begins, under this rulebook in this version."""

    hand: int
    rulebook: str
    version: str


@dataclass(frozen=True, kw_only=True, slots=True)
class PhaseEntered:
    """The hand's machine is in this state now."""

    phase: str


@dataclass(frozen=True, kw_only=True, slots=True)
class BetTaken:
    """A bet lies in its box. `amount` is None at tracking level presence."""

    seat: int
    bet: str
    amount: int | None


@dataclass(frozen=True, kw_only=True, slots=True)
class BetsReturned:
    """A seat took its bets back before "no va más"."""

    seat: int


@dataclass(frozen=True, kw_only=True, slots=True)
class Folded:
    """A seat withdrew."""

    seat: int


@dataclass(frozen=True, kw_only=True, slots=True)
class Checked:
    """A seat stays without a further bet."""

    seat: int


@dataclass(frozen=True, kw_only=True, slots=True)
class Refused:
    """An entry changed nothing. `clause` is the one that forbids it, where there is one."""

    why: Refusal
    clause: str | None = None
    detail: str = ""


@dataclass(frozen=True, kw_only=True, slots=True)
class CardPlaced:
    """The `draw`-th card of the hand belongs to this slot now (anew, where the plan was rewritten)."""

    draw: int
    slot: Slot


@dataclass(frozen=True, kw_only=True, slots=True)
class CardTurned:
    """A card that lay face down is face up from now on."""

    draw: int
    slot: Slot


@dataclass(frozen=True, kw_only=True, slots=True)
class IncidentRaised:
    """A departure from the rulebook. `expected` and `observed` are slots or words, never cards."""

    incident: int
    clause: str
    severity: Severity
    expected: str
    observed: str
    chooser: Chooser
    remedies: tuple[Remedy, ...]
    draw: int | None = None


@dataclass(frozen=True, kw_only=True, slots=True)
class Asked:
    """The croupier is asked; the table waits. `about` is a slot or spot."""

    question: Question
    about: str
    incident: int | None = None


@dataclass(frozen=True, kw_only=True, slots=True)
class IncidentEscalated:
    """The pit boss has to choose now; the first remedy is proposed."""

    incident: int
    remedies: tuple[Remedy, ...]


@dataclass(frozen=True, kw_only=True, slots=True)
class IncidentClosed:
    """The remedy is decided (and, where it needed hands, carried out)."""

    incident: int
    remedy: Remedy
    by: Chooser


@dataclass(frozen=True, kw_only=True, slots=True)
class IncidentSeen:
    """Somebody acknowledged it."""

    incident: int
    by: str


@dataclass(frozen=True, kw_only=True, slots=True)
class SeatVoided:
    """One seat's hand is dead; its cards are collected and its bets returned."""

    seat: int
    clause: str


@dataclass(frozen=True, kw_only=True, slots=True)
class HandVoided:
    """The whole hand is annulled."""

    clause: str


@dataclass(frozen=True, kw_only=True, slots=True)
class Refund:
    """A bet goes back to its owner. `amount` is None at tracking level presence."""

    seat: int
    bet: str
    amount: int | None


@dataclass(frozen=True, kw_only=True, slots=True)
class Ranked:
    """The best five cards of a spot, by name (`two-pair`): what the croupier announces."""

    spot: str
    category: str


@dataclass(frozen=True, kw_only=True, slots=True)
class BetSettled:
    """What became of a bet. `odds` "3 to 1" as (3, 1) where it wins; `pays` beside the stake, negative when lost."""

    seat: int
    bet: str
    outcome: Outcome
    odds: tuple[int, int] | None
    stake: int | None
    pays: int | None
    clause: str


@dataclass(frozen=True, kw_only=True, slots=True)
class HandClosed:
    """The hand is over. `presses`: keys pressed in it; `drawn`: cards that left the shoe in it."""

    hand: int
    presses: int
    drawn: int


Decision: TypeAlias = (
    HandOpened
    | PhaseEntered
    | BetTaken
    | BetsReturned
    | Folded
    | Checked
    | Refused
    | CardPlaced
    | CardTurned
    | IncidentRaised
    | Asked
    | IncidentEscalated
    | IncidentClosed
    | IncidentSeen
    | SeatVoided
    | HandVoided
    | Refund
    | Ranked
    | BetSettled
    | HandClosed
)

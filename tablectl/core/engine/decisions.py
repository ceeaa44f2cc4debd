"""What the engine concludes. Decisions carry no card: a card's identity stands in the fact that brought it, and the
journal shows it only from the decision on that turned it up (`CardPlaced` face up, `CardTurned`)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypeAlias

from tablectl.core.engine.facts import Limits
from tablectl.core.engine.slots import Slot
from tablectl.core.engine.vocabulary import Action, Chooser, Question, Refusal, Remedy, SeatChange, Severity
from tablectl.core.records import event
from tablectl.core.settlement.banked import Outcome


@event
class HandOpened:
    """A hand begins, under this rulebook in this version. `croupier`: whose hand it is; empty where nobody said so."""

    hand: int
    rulebook: str
    version: str
    croupier: str = ""


@event
class CroupierAtTable:
    """This is the table's croupier from now on."""

    croupier: str


@event
class CroupierWaits:
    """This croupier takes the table when the hand in play is over."""

    croupier: str


@event
class CroupierLeft:
    """This croupier is not at the table any more, or does not wait for it."""

    croupier: str


@event
class LimitsWait:
    """These limits, all of the game's, come into force when the hand in play is over."""

    limits: Mapping[str, Limits]


@event
class LimitsInForce:
    """These limits, all of the game's, hold from the next hand on."""

    limits: Mapping[str, Limits]


@event
class AlarmShelved:
    """An alarm is put aside until then; until its cause ends, should that be earlier."""

    alarm: str
    until_us: int
    by: str
    reason: str


@event
class AlarmUnshelved:
    """An alarm is put aside no more. `by` is empty where its cause has ended, or it holds the table now."""

    alarm: str
    by: str


@event
class AlarmSeen:
    """Somebody knows that this device is away, or that it was."""

    alarm: str
    by: str


@event
class PhaseEntered:
    """The hand's machine is in this state now."""

    phase: str


@event
class BetTaken:
    """A bet lies in its box. `amount` is None at tracking level presence. `bettor`, here and below: 1 is who sits at
    the box, 2 and on stand behind it."""

    seat: int
    bet: str
    amount: int | None
    bettor: int = 1


@event
class BetsReturned:
    """A seat took its bets back before "no va más", or had to; a standing bettor his own."""

    seat: int
    bettor: int = 1


@event
class Folded:
    """A seat withdrew; or a standing bettor does not go on with it."""

    seat: int
    bettor: int = 1


@event
class Checked:
    """A seat stays without a further bet."""

    seat: int


@event
class LeftToBoxes:
    """Every seat that was asked has decided, and all of them stay. Without amounts it is not entered which of them bet:
    whatever lies in this box counts."""

    bet: str


@event
class ButtonAt:
    """The button lies before this seat in this hand."""

    seat: int
    clause: str


@event
class PlayerNow:
    """A player of a circle game took a seat, left it, went away or is back."""

    seat: int
    what: SeatChange


@event
class WaitsToEnter:
    """A player is at the table and not in this hand: he would enter on the button or the small blind (THL-INI-10)."""

    seat: int
    clause: str


@event
class StackNow:
    """So many chips lie before a seat, between hands."""

    seat: int
    amount: int


@event
class Bought:
    """A player took so many chips into the game, and so many in all (FCD-BNK-1)."""

    seat: int
    amount: int
    total: int


@event
class Account:
    """A player's game is over: what he has bought and what he goes away with, for the settlement (FCD-BNK-1)."""

    seat: int
    bought: int
    stack: int


@event
class SeatDrawn:
    """Seats were drawn for: who sat at `seat` sits at `place` now, with all that is his (FCD-SEA-3)."""

    seat: int
    place: int
    clause: str


@event
class GameWaits:
    """Another game is chosen, and begins later: when the hand in play is over, or when a pot was won that nobody opened
    (FCD-WIN-5)."""

    rulebook: str
    clause: str


@event
class Spoke:
    """A seat's action in a betting round. `to`: its whole stake in the round now, `added`: chips put in with it; both
    None where no amounts are entered. An all-in is told as what it amounts to."""

    seat: int
    action: Action
    to: int | None
    added: int | None
    is_all_in: bool


@event
class TakenBack:
    """The last action of a seat does not count: it was keyed wrongly, or may be chosen again."""

    seat: int
    action: Action


@event
class Stored:
    """An action out of turn: it binds, and is carried out when the seat's turn comes (THL-PLE-6)."""

    seat: int
    action: Action
    to: int | None


@event
class Withdrawn:
    """What was concluded from fact `number` of the hand and from all after it does not hold any more; what takes its
    place is said next, after an `Again` for each fact that still counts. `fallen`: the incidents that never were, as it
    is now; `new` and `escalated`: those that are raised, or are the pit boss's, now for the first time. All others are
    only told again."""

    number: int
    fallen: tuple[int, ...] = ()
    new: tuple[int, ...] = ()
    escalated: tuple[int, ...] = ()


@event
class Again:
    """The decisions that stand after this one, up to the next `Again`, follow from fact `number` of the hand. A fact
    after a withdrawn one that has no `Again` counts no more: it is entered again, where it is still wanted."""

    number: int


@event
class CutOffered:
    """The deck was offered to be cut before the deal (FCD-IRR-1)."""


@event
class Exchanges:
    """A seat changes so many cards: 0 is "servido" (FCD-DSC-4, -13). They are to lie among the discards before the same
    number is dealt (FCD-DSC-2)."""

    seat: int
    cards: int


@event
class Discards:
    """The cards that a seat changes lie among the discards. `draws`: which ones, where antennas have seen that; without
    them nobody knows which of his cards these are."""

    seat: int
    cards: int
    draws: tuple[int, ...] = ()


@event
class StubMade:
    """The stub is these cards now, shuffled: so many in all, the last one of the old stub with them (FCD-DSC-5, -9).
    `seats`: whose discards are among them; `without`: a seat whose own ones stay apart (FCD-DSC-6)."""

    cards: int
    seats: tuple[int, ...]
    without: int | None = None


@event
class PotCarried:
    """Nobody opened: the pot stays for the next hand, with what was there from hands before (FCD-WIN-5). None where no
    amounts are entered."""

    amount: int | None


@event
class Uncalled:
    """What nobody matched goes back to the seat that put it in."""

    seat: int
    amount: int


@event
class PotMade:
    """A pot as it stands when a round is closed, the main pot first, and who competes for it (THL-END-4)."""

    pot: int
    amount: int
    seats: tuple[int, ...]


@event
class Mucked:
    """At the showdown a seat gave its hand up without showing it."""

    seat: int


@event
class Awarded:
    """A seat wins (its part of) a pot; `amount` None where none are entered."""

    pot: int
    seat: int
    amount: int | None
    clause: str


@event
class Refused:
    """An entry changed nothing. `clause` is the one that forbids it, where there is one."""

    why: Refusal
    clause: str | None = None
    detail: str = ""


@event
class CardPlaced:
    """The `draw`-th card of the hand belongs to this slot now (anew, where the plan was rewritten)."""

    draw: int
    slot: Slot


@event
class CardTurned:
    """A card that lay face down is face up from now on."""

    draw: int
    slot: Slot


@event
class IncidentRaised:
    """A departure from the rulebook. `expected` and `observed` are slots or words, never cards; `seats` those whose
    bets or place at the table the remedy is about, `two_persons` the remedies that take two of them.

    A number that was there before: one cause is one incident, and an answer or a reader shows that it is another one
    than was taken. What was said of it before holds no more.
    """

    incident: int
    clause: str
    severity: Severity
    expected: str
    observed: str
    chooser: Chooser
    remedies: tuple[Remedy, ...]
    draw: int | None = None
    seats: tuple[int, ...] = ()
    two_persons: tuple[Remedy, ...] = ()


@event
class Asked:
    """The croupier is asked; the table waits. `about` is a slot or spot."""

    question: Question
    about: str
    incident: int | None = None


@event
class IncidentEscalated:
    """The pit boss has to choose now; the first remedy is proposed. `two_persons`: those that take two of them."""

    incident: int
    remedies: tuple[Remedy, ...]
    two_persons: tuple[Remedy, ...] = ()


@event
class IncidentClosed:
    """The remedy is decided (and, where it needed hands, carried out)."""

    incident: int
    remedy: Remedy
    by: Chooser


@event
class IncidentSeen:
    """Somebody acknowledged it."""

    incident: int
    by: str


@event
class SeatVoided:
    """One seat's hand is dead; its cards are collected and its bets returned."""

    seat: int
    clause: str


@event
class SeatWithdrawn:
    """The cards of a seat were taken away and it is out of the hand; what becomes of its bets is decided apart."""

    seat: int
    clause: str


@event
class SeatExpelled:
    """The pit boss sent whoever sits there from the table."""

    seat: int
    clause: str


@event
class HandVoided:
    """The whole hand is annulled."""

    clause: str


@event
class Refund:
    """A bet goes back to its owner. `amount` is None at tracking level presence."""

    seat: int
    bet: str
    amount: int | None
    bettor: int = 1


@event
class BetReversed:
    """A bet that had been settled already is undone, since its hand was annulled: what was paid comes back, what was
    collected goes back. `pays` is what had been paid, negative for a stake that had been collected."""

    seat: int
    bet: str
    stake: int | None
    pays: int | None
    bettor: int = 1


@event
class Ranked:
    """The best five cards of a spot, by name (`two-pair`): what the croupier announces."""

    spot: str
    category: str


@event
class BetSettled:
    """What became of a bet. `odds` "3 to 1" as (3, 1) where it wins; `pays` beside the stake, negative when lost."""

    seat: int
    bet: str
    outcome: Outcome
    odds: tuple[int, int] | None
    stake: int | None
    pays: int | None
    clause: str
    bettor: int = 1


@event
class HandClosed:
    """The hand is over. `presses`: keys pressed in it; `drawn`: cards that left the shoe in it; `float_change`: what
    the table's float should have grown by, negative where it shrank, None where no amounts are entered."""

    hand: int
    presses: int
    drawn: int
    float_change: int | None = None


Decision: TypeAlias = (
    HandOpened
    | CroupierAtTable
    | CroupierWaits
    | CroupierLeft
    | LimitsWait
    | LimitsInForce
    | AlarmShelved
    | AlarmUnshelved
    | AlarmSeen
    | PhaseEntered
    | BetTaken
    | BetsReturned
    | Folded
    | Checked
    | LeftToBoxes
    | ButtonAt
    | PlayerNow
    | WaitsToEnter
    | StackNow
    | Bought
    | Account
    | SeatDrawn
    | GameWaits
    | Spoke
    | TakenBack
    | Stored
    | Withdrawn
    | Again
    | CutOffered
    | Exchanges
    | Discards
    | StubMade
    | PotCarried
    | Uncalled
    | PotMade
    | Mucked
    | Awarded
    | Refused
    | CardPlaced
    | CardTurned
    | IncidentRaised
    | Asked
    | IncidentEscalated
    | IncidentClosed
    | IncidentSeen
    | SeatVoided
    | SeatWithdrawn
    | SeatExpelled
    | HandVoided
    | Refund
    | BetReversed
    | Ranked
    | BetSettled
    | HandClosed
)

"""Everything the engine remembers of a table, and the three things every rule does with it: say, go on, refuse."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from tablectl.core.engine.circle.draw.memory import DrawMemory
from tablectl.core.engine.circle.memory import Memory
from tablectl.core.engine.deal import Deal, Draw
from tablectl.core.engine.decisions import BetSettled, Decision, PhaseEntered, Refused
from tablectl.core.engine.facts import OnShelf, SetLimits, Setup, StandingBet
from tablectl.core.engine.machine import PhaseMachine
from tablectl.core.engine.rulebook import REOPEN, Kind, Phase, Rulebook
from tablectl.core.engine.seats import Seats
from tablectl.core.engine.slots import Slot
from tablectl.core.engine.two_persons import Report
from tablectl.core.engine.words import Chooser, Declaration, Equipment, Question, Refusal, Remedy, Tracking

#: The role of a reader under the felt.
ANTENNAS: Final = "antennas"


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


@dataclass(slots=True, eq=False)
class Pending:
    """A question to the croupier. The table waits for the answer."""

    question: Question
    about: str
    incident: Incident | None = None
    cards: int | None = None
    lap: int | None = None
    #: what is being declared, and the first spot that was said
    what: Declaration | None = None
    spot: str | None = None


class State:
    """Mutable and private to the engine; made of nothing but facts, so a replay makes the same one."""

    __slots__ = (
        "amounts",
        "asking",
        "chosen",
        "circle",
        "conduct",
        "confirmed",
        "croupier",
        "deal",
        "decided",
        "expelled",
        "felt",
        "hand",
        "has_antennas",
        "house_won",
        "in_play",
        "is_deck_whole",
        "is_draw",
        "is_reported",
        "is_shuffled",
        "is_to_settle",
        "kept",
        "limits_set",
        "limits_wait",
        "lost",
        "machine",
        "menu",
        "modifier",
        "n_incidents",
        "naming",
        "needs_deck",
        "next_croupier",
        "next_setup",
        "on_felt",
        "out",
        "presses",
        "previous",
        "requests",
        "rulebook",
        "ruling",
        "seats",
        "settled_early",
        "setup",
        "shelved",
        "shoe_lost",
        "shown",
        "unplugged",
        "unseen",
        "unseen_devices",
        "unsure",
    )

    def __init__(self, setup: Setup, rulebook: Rulebook) -> None:
        self.setup = setup
        #: whether amounts are entered at this table
        self.amounts = setup.tracking is Tracking.AMOUNTS
        #: whether antennas under the felt see where cards lie
        self.has_antennas = setup.equipment is not Equipment.SHOE
        self.next_setup: Setup | None = None
        self.rulebook = rulebook
        self.machine = PhaseMachine(rulebook.phases, rulebook.transitions, rulebook.initial)
        #: whether a hand is open
        self.in_play = False
        #: what a circle game remembers beside; None where the bank plays. `is_draw`: one in which cards are changed
        self.is_draw = rulebook.circle is not None and rulebook.circle.is_draw
        self.circle = Memory(DrawMemory() if self.is_draw else None) if rulebook.circle is not None else None
        #: who deals, and who takes the table behind the hand in play; empty where nobody does
        self.croupier = self.next_croupier = ""
        #: limits that were set at the table, by game; whether those of the game in play wait for the end of the hand
        self.limits_set: dict[str, SetLimits] = {}
        self.limits_wait = False
        #: alarms that are put aside, by name
        self.shelved: dict[str, OnShelf] = {}
        self.hand = 0
        self.n_incidents = 0
        self.presses = 0
        self.deal = Deal()
        self.seats = Seats()
        #: bets of the last hand, offered again
        self.previous: dict[int, dict[str, int | None]] = {}
        #: seats that have decided in the phase in force
        self.decided: set[int] = set()
        #: the seat whose decision comes next, where the croupier chose one
        self.chosen: int | None = None
        #: places of cards dealt face down that everybody has seen since
        self.shown: set[Slot] = set()
        #: where the antennas see each card of this hand, by the number of its draw
        self.felt: dict[int, str] = {}
        #: spots where cards lie since before the hand began
        self.on_felt: tuple[str, ...] = ()
        #: those of them that no antenna has seen since the controller started
        self.unsure: set[int] = set()
        #: the draws that were seen at their place, or that a person says lie there
        self.confirmed: set[int] = set()
        #: whether the bets are to be settled now; side bets that are settled already; what the house has won so far
        self.is_to_settle = False
        self.settled_early: list[BetSettled] = []
        self.house_won = 0
        #: seats whose player was sent from the table: they are empty in the next hand
        self.expelled: set[int] = set()
        #: how often a seat's player did what he may not, for as long as the seat is played
        self.conduct: dict[tuple[int, Declaration], int] = {}
        #: entry bets of an annulled hand that stay in their boxes (AMB-46)
        self.kept: dict[int, dict[str, int | None]] = {}
        #: the deck was withdrawn: the next hand needs another one
        self.needs_deck = False
        #: the croupier counted the deck after the antennas did, and it was whole
        self.is_deck_whole = False
        #: a shuffle came to its end since cards last were drawn
        self.is_shuffled = False
        #: the declarations that the panel offers now, where its list is open
        self.menu: tuple[Declaration, ...] = ()
        #: standing bets that wait for the pit boss; the table does not
        self.requests: dict[int, Incident] = {}
        self.asking: list[Pending] = []
        #: incidents that wait for the pit boss
        self.ruling: dict[int, Incident] = {}
        #: incidents nobody has acknowledged
        self.unseen: set[int] = set()
        #: turned cards whose identity is missing
        self.naming: list[Draw] = []
        self.modifier = False
        #: what holds the table while a device that reads the cards is away
        self.shoe_lost: Incident | None = None
        #: the devices that are away, by role and name: a felt may have many readers, and all of them must be back
        self.lost: set[tuple[str, str]] = set()
        #: devices that were lost since somebody said that he knows of it, by role and name: back or not
        self.unseen_devices: set[tuple[str, str]] = set()
        #: USB devices that the pit boss knows to have been pulled out in this hand
        self.unplugged: set[str] = set()
        self.out: list[Decision] = []
        #: whether a device told the fact that is looked at
        self.is_reported = False

    @property
    def is_blind(self) -> bool:
        """Whether an antenna is away, so that what is not seen may lie there all the same."""
        return any(role == ANTENNAS for role, _ in self.lost)

    @property
    def phase(self) -> Phase:
        """The phase in force."""
        return self.machine.phase

    @property
    def is_dealt_from(self) -> bool:
        """Whether the deck in play has to stay: a hand is open, and is not waiting for another deck before its first
        card (FCD-IRR-4)."""
        return self.in_play and not (self.needs_deck and all(draw.is_back for draw in self.deal.draws))

    @property
    def held(self) -> bool:
        """Whether an incident waits for its remedy: nothing is dealt."""
        if self.asking or self.ruling:
            return True
        return self.shoe_lost is not None

    @property
    def order(self) -> tuple[int, ...]:
        """The seats in the deal plan, in the order of dealing."""
        return self.seats.order

    @property
    def staying(self) -> tuple[int, ...]:
        """The seats that are still in the hand."""
        return self.seats.staying

    @property
    def turn(self) -> int | None:
        """The seat that is asked now, in a phase of decisions."""
        if self.machine.phase.kind is not Kind.DECIDING:
            return None
        if self.circle is not None:
            return self.circle.turn
        if self.chosen is not None and self.chosen in self.seats.staying:
            return self.chosen
        for seat in self.seats.staying:
            if seat not in self.decided:
                return seat
        return None

    @property
    def button(self) -> int | None:
        """In a circle game the seat of the button."""
        return self.circle.button if self.circle is not None else None

    @property
    def is_one_left(self) -> bool:
        """In a circle game: everybody but one has folded."""
        return self.circle is not None and len(self.seats.staying) == 1

    @property
    def betting_round(self) -> int | None:
        """In a circle game: the round of betting that was opened last, from 0; None before the first."""
        return self.circle.rounds.index if self.circle is not None and self.circle.rounds is not None else None

    def forget_hand(self) -> None:
        """Nothing of this hand is there any more: cards, bets, what was asked for."""
        if self.circle is not None:
            self.circle.forget_hand()
        self.seats, self.deal = Seats(), Deal()
        self.naming, self.settled_early = [], []
        self.shown, self.expelled = set(), set()
        self.felt, self.confirmed, self.unsure = {}, set(), set()
        self.is_deck_whole, self.on_felt = False, ()
        self.unplugged = set()
        self.house_won = 0
        self.is_to_settle = self.modifier = False
        self.menu = ()

    @property
    def is_all_refused(self) -> bool:
        """Whether the fact that is looked at has changed nothing so far."""
        return all(isinstance(each, Refused) for each in self.out)

    def say(self, decision: Decision) -> None:
        """Conclude something."""
        self.out.append(decision)

    def refuse(self, why: Refusal, clause: str | None = None, detail: str = "") -> None:
        """Conclude that an entry changes nothing."""
        self.out.append(Refused(why=why, clause=clause, detail=detail))

    def fire(self, trigger: str) -> bool:
        """Go to the next phase; says `PhaseEntered`, or why not. True when gone."""
        refused = self.machine.fire(trigger, self)
        if refused is not None:
            self.refuse(*refused)
            return False
        phase = self.machine.phase
        self.in_play = phase.kind is not Kind.IDLE
        # Behind a deal that was opened again, who has bet already is not asked again.
        self.decided = set()
        self.chosen = None
        if phase.choice is not None:
            bet = phase.choice.bet
            self.decided = {seat for seat in self.seats.staying if bet in self.seats[seat].bets}
        self.out.append(PhaseEntered(phase=phase.name))
        if phase.plan is not None and trigger != REOPEN:
            # A card that lies there already is not dealt again: the first burn, after THL-CRE-8.
            plan, at = phase.plan(self.seats.order), self.deal.at
            self.deal.start(tuple([slot for slot in plan if slot not in at]) if at else plan)
        self.is_to_settle = phase.kind is Kind.SETTLING
        if self.circle is not None:
            self.circle.entered = phase
        elif phase.kind is Kind.DECIDING and self.turn is None:
            self.fire("decided")
        return True

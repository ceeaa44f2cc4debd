"""Everything the engine remembers of a table, and the three things every rule does with it: say, go on, refuse.

Here is what each game has; a family adds what games of its kind have (`tablectl.families`). Each field says how long it
lives.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final

from tablectl.core.cards import Card
from tablectl.core.engine.deal import Deal, Draw
from tablectl.core.engine.decisions import Decision, PhaseEntered, Refused
from tablectl.core.engine.facts import OnShelf, SetLimits, Setup
from tablectl.core.engine.family import AnyFamily
from tablectl.core.engine.felt import Felt
from tablectl.core.engine.lifetime import begin_hand, none, of_hand, of_table
from tablectl.core.engine.machine import PhaseMachine
from tablectl.core.engine.pending import Cause, Incident, Pending
from tablectl.core.engine.rulebook import DEALT, REOPEN, Kind, Phase, Rulebook
from tablectl.core.engine.seats import Seats
from tablectl.core.engine.slots import Slot
from tablectl.core.engine.vocabulary import Declaration, Equipment, Refusal, Tracking

#: The role of a reader under the felt.
ANTENNAS: Final = "antennas"


@dataclass(slots=True, eq=False)
class State:
    """Mutable and private to the engine; made of nothing but facts, so a replay makes the same one."""

    setup: Setup
    rulebook: Rulebook
    #: the rules that the game in force shares with others of its kind
    family: AnyFamily = field(init=False)
    machine: PhaseMachine = field(init=False)
    #: whether amounts are entered at this table
    amounts: bool = field(init=False)
    #: whether antennas under the felt see where cards lie
    has_antennas: bool = field(init=False)
    #: whether a hand is open
    in_play: bool = field(init=False, default=False)
    #: a setup that was chosen, and waits for the end of the hand
    next_setup: Setup | None = field(init=False, default=None)
    #: whether limits that were set for the game in play wait for the end of the hand
    limits_wait: bool = field(init=False, default=False)
    #: keys pressed in this hand
    presses: int = field(init=False, default=0)
    #: when the fact that is looked at happened, and whether a device told it
    now_us: int = field(init=False, default=0)
    is_reported: bool = field(init=False, default=False)
    #: whether what is concluded now rests on readers alone, and on no word of a person
    is_of_readers: bool = field(init=False, default=False)
    #: while a hand is played again: entries that were made before this fact have to be made once more
    misses_entries: bool = field(init=False, default=False)
    #: the declarations that the panel offers now, where its list is open
    menu: tuple[Declaration, ...] = field(init=False, default=())

    # --- of the table -----------------------------------------------------------------------------------------------

    #: who deals, and who takes the table after the hand in play; empty where nobody does
    croupier: str = of_table(str)
    next_croupier: str = of_table(str)
    #: limits that were set at the table, by game
    limits_set: dict[str, SetLimits] = of_table(dict)
    #: alarms that are put aside, by name
    shelved: dict[str, OnShelf] = of_table(dict)
    hand: int = of_table(int)
    n_incidents: int = of_table(int)
    #: while a hand is played again: the numbers that its incidents had, each cause's in their order
    known_incidents: dict[Cause, list[int]] = of_table(dict)
    #: the deck was withdrawn: the next hand needs another one
    needs_deck: bool = of_table(bool)
    #: a shuffle came to its end since cards last were drawn
    is_shuffled: bool = of_table(bool)
    #: questions to the croupier, the one that is asked now first
    asking: list[Pending] = of_table(list)
    #: incidents that wait for the pit boss
    ruling: dict[int, Incident] = of_table(dict)
    #: standing bets that wait for the pit boss; the table does not
    requests: dict[int, Incident] = of_table(dict)
    #: incidents nobody has acknowledged
    unseen: set[int] = of_table(set)
    #: what holds the table while a device that reads the cards is away
    shoe_lost: Incident | None = of_table(none)
    #: the devices that are away, by role and name: a felt may have many readers, and all of them must be back
    lost: set[tuple[str, str]] = of_table(set)
    #: devices that were lost since somebody said that he knows of it, by role and name: back or not
    unseen_devices: set[tuple[str, str]] = of_table(set)
    #: what was concluded from the fact that is looked at
    out: list[Decision] = of_table(list)

    # --- of a hand, or of the one to come: cards may be out before it -------------------------------------------------

    deal: Deal = of_hand(Deal)
    #: incidents that are decided, which nobody has to acknowledge any more; whoever does so at the same moment may
    answered: set[int] = of_hand(set)
    #: incidents about cards that two readers read differently: nobody waits for them
    disputed: dict[int, Incident] = of_hand(dict)
    seats: Seats = of_hand(Seats)
    #: places of cards dealt face down that everybody has seen since
    shown: set[Slot] = of_hand(set)
    #: the number of the croupier's last entry among the facts of the hand, as long as he can undo it; and whether he
    #: does so now
    last_entry: int | None = of_hand(none)
    #: the numbers of the entries that two persons can correct
    entries: tuple[int, ...] = of_hand(tuple)
    is_undone: bool = of_hand(bool)
    #: where the cards of this hand were seen
    felt: Felt = of_hand(Felt)
    #: the croupier counted the deck after the antennas did, and it was whole
    is_deck_whole: bool = of_hand(bool)
    #: turned cards whose identity is missing
    unnamed: list[Draw] = of_hand(list)
    #: the cards whose names were confirmed, by the number of the draw
    names_confirmed: dict[int, Card | None] = of_hand(dict)
    #: USB devices that the pit boss knows to have been pulled out in this hand
    unplugged: set[str] = of_hand(set)
    #: whether the bets are to be settled now, and what the house has won so far
    is_to_settle: bool = of_hand(bool)
    house_won: int = of_hand(int)
    #: seats whose hands are dead because they touched another's: a third one can have touched them (TPC-PLE-1)
    touched: set[int] = of_hand(set)
    #: seats whose player was sent from the table: they are empty in the next hand
    expelled: set[int] = of_hand(set)

    def __post_init__(self) -> None:
        self.family = self.rulebook.family
        self.machine = PhaseMachine(self.rulebook.phases, self.rulebook.transitions, self.rulebook.initial)
        self.amounts = self.setup.tracking is Tracking.AMOUNTS
        self.has_antennas = self.setup.equipment is not Equipment.SHOE

    @property
    def is_blind(self) -> bool:
        """Whether an antenna is away, so that what is not seen may lie there all the same."""
        return any(role == ANTENNAS for role, _ in self.lost)

    def has_stayed(self, draw: Draw) -> bool:
        """Whether an antenna saw a card at its place for the dwell time, before it left: it did not only pass by."""
        stay_us = None if draw.slot is None else self.felt.stay_us(draw, draw.slot.spot)
        return stay_us is not None and stay_us >= self.rulebook.dwell_us

    def has_passed_by(self, draw: Draw) -> bool:
        """Whether an antenna saw a card at its place, and it left it before the dwell time was over."""
        is_there = draw.slot is not None and self.felt.spot_of(draw) == draw.slot.spot
        was_there = draw.slot is not None and self.felt.stay_us(draw, draw.slot.spot) is not None
        return was_there and not is_there and not self.has_stayed(draw)

    @property
    def tells_places(self) -> bool:
        """Whether readers tell where cards lie; otherwise only people can."""
        return self.has_antennas and not self.is_blind

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
        return self.family.turn(self) if self.machine.phase.kind is Kind.DECIDING else None

    def forget_hand(self) -> None:
        """Nothing of this hand is there any more: cards, bets, what was asked for."""
        begin_hand(self)
        self.menu = ()

    @property
    def is_all_refused(self) -> bool:
        """Whether the fact that is looked at has changed nothing so far."""
        return all(isinstance(decision, Refused) for decision in self.out)

    def say(self, decision: Decision) -> None:
        """Conclude something."""
        self.out.append(decision)

    def refuse(self, why: Refusal, clause: str | None = None, detail: str = "") -> None:
        """Conclude that an entry changes nothing."""
        self.out.append(Refused(why=why, clause=clause, detail=detail))

    def fire(self, trigger: str) -> bool:
        """Go to the next phase, or say why not. True when gone."""
        refused = self.machine.fire(trigger, self)
        if refused is not None:
            self.refuse(*refused)
            return False
        return True

    def phase_entered(self, trigger: str) -> None:
        """A phase begins: say so, put its deal plan in force, and let the family begin what it has."""
        phase = self.machine.phase
        self.in_play = phase.kind is not Kind.IDLE
        if trigger == DEALT:
            self.felt.counts_at_entry, self.felt.dealt_us = True, self.now_us
        self.out.append(PhaseEntered(phase=phase.name))
        if phase.plan is not None and trigger != REOPEN:
            # A card that lies there already is not dealt again: the first burn, after THL-CRE-8.
            plan, at = phase.plan(self.seats.order), self.deal.at
            self.deal.start(tuple([slot for slot in plan if slot not in at]) if at else plan)
        self.is_to_settle = phase.kind is Kind.SETTLING
        self.family.entered(self)

"""What the engine remembers of a game between players: players and button between hands, the betting within one."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from tablectl.core.engine.deal import Draw
from tablectl.core.engine.facts import Acted, PutIn
from tablectl.core.engine.lifetime import none, of_hand, of_table
from tablectl.core.engine.rulebook import Phase
from tablectl.core.engine.slots import Slot
from tablectl.core.engine.state import State
from tablectl.core.engine.vocabulary import Action, Declaration, SeatChange
from tablectl.core.records import record
from tablectl.families.pots.betting.limits import BettingRules
from tablectl.families.pots.betting.rounds import Rounds
from tablectl.families.pots.early_cards import EarlyCards
from tablectl.families.pots.hooks import AnyPotFamily
from tablectl.families.pots.places import Markers, PlaceRules, Places
from tablectl.families.pots.players import Players, Presence
from tablectl.families.pots.rulebook import PotRulebook


@dataclass(frozen=True, kw_only=True, slots=True)
class Waiting:
    """An action out of turn: what was entered, what it looked like, and whether somebody bet or raised since."""

    fact: Acted | PutIn
    action: Action
    #: the whole stake of the seat with its chips; None where it is not known
    to: int | None
    is_raised: bool = False

    def after_a_raise(self) -> Waiting:
        """It binds no more as it is (THL-PLE-7)."""
        return replace(self, is_raised=True)


@record
class Entry:
    """How it was before an entry: so many things done in this round, and what else an entry changes."""

    done: int
    phase: str
    plan: tuple[Slot, ...]
    next: int
    stored: Mapping[int, Waiting]
    acted_after: tuple[int, ...]
    frozen: Mapping[int, int | None]
    #: how many cards lay somewhere
    laid: int


def _nobody() -> Mapping[int, Any]:
    return {}


@dataclass(slots=True, eq=False)
class PotGameState(State):
    """Mutable and private to the engine."""

    rulebook: PotRulebook
    family: AnyPotFamily = field(init=False)
    #: what table and house settle about places and bets, once it was looked up
    place_rules: PlaceRules | None = field(init=False, default=None)
    betting_rules: BettingRules | None = field(init=False, default=None)

    # --- of the table: another game between players has the same players, chips and button ---

    #: who has a seat, by its number
    players: Players = of_table(tuple)
    #: chips before each player, between hands; of a seat that is missing nobody entered them
    stacks: dict[int, int] = of_table(dict)
    #: where button and blinds were in the hand before; None before the button was drawn
    markers: Markers | None = of_table(none)
    #: how often a seat's player did what he may not, for as long as the seat is played
    conduct: dict[tuple[int, Declaration], int] = of_table(dict)

    # --- of a hand ---

    positions: Places | None = of_hand(none)
    rounds: Rounds | None = of_hand(none)
    #: common cards that came too soon, and what that changes of the streets to come
    early: EarlyCards = of_hand(EarlyCards)
    #: the phase that was just entered, and what follows from that is not done yet
    entered: Phase | None = of_hand(none)
    # These three are replaced and never changed: an entry remembers them as they were.
    #: actions out of turn that wait for the seat's turn (THL-PLE-6)
    stored: Mapping[int, Waiting] = of_hand(_nobody)
    #: the seats that have acted out of turn since the one in turn has it (THL-PLE-13)
    acted_after: tuple[int, ...] = of_hand(tuple)
    #: chips of this round that a seat cannot take back, as its whole stake; None where no amount is known
    frozen: Mapping[int, int | None] = of_hand(_nobody)
    #: what was entered for another seat than the one in turn, while the croupier is asked about it
    offered: Acted | PutIn | None = of_hand(none)
    #: whose action the next key is, where the croupier chose a seat
    chosen: int | None = of_hand(none)
    #: the next action is with the last chips
    is_all_in: bool = of_hand(bool)
    #: how it was before the last entry, while nothing has happened since
    entry: Entry | None = of_hand(none)
    #: seats that have still to show or to give up, in order; those that have shown
    to_show: list[int] = of_hand(list)
    has_shown: set[int] = of_hand(set)
    #: seats that threw their hand at their turn to show, or facing a bet: these are never taken back (THL-PLE-2)
    gave_up: set[int] = of_hand(set)
    final_folds: set[int] = of_hand(set)
    #: numbers of the draws that antennas saw among the discards, in the order of their arrival
    muck: list[int] = of_hand(list)
    #: seats of whose cards among the discards something was said already
    noticed: set[int] = of_hand(set)
    #: the players when the blinds were posted, and who came or went since: that counts from the next hand on
    dealt_in: Players = of_hand(tuple)
    moves: list[tuple[int, SeatChange]] = of_hand(list)
    #: a card that was declared to be out although the shoe reported none, while nothing has followed
    unreported: Draw | None = of_hand(none)
    #: numbers of the claims on the hand before that were upheld
    upheld: tuple[int, ...] = of_hand(tuple)
    #: what each seat gets when the hand is closed: pots and what was not called
    won: dict[int, int] = of_hand(dict)
    #: whether it was said before who gets the pots
    was_awarded: bool = of_hand(bool)

    @property
    def present(self) -> tuple[int, ...]:
        """The seats whose player is there, by number."""
        return tuple([player.seat for player in self.players if player.presence is Presence.IN])

    def forget_out_of_turn(self) -> None:
        """Nobody's action waits for his turn any more, and nobody's chips lie there since before it."""
        self.stored, self.acted_after, self.frozen = {}, (), {}

    def forget_entry(self) -> None:
        """Something has followed the last action: it cannot be taken back any more."""
        self.entry = None

    def note_folds(self) -> None:
        """Before the round is forgotten: who folded facing a bet (THL-PLE-2c)."""
        if self.rounds is not None:
            self.final_folds |= self.rounds.folds_facing_a_bet

    @property
    def button(self) -> int | None:
        """The seat of the button, in this hand or in the one before."""
        if self.positions is not None:
            return self.positions.button
        return self.markers.button if self.markers is not None else None

    @property
    def is_one_left(self) -> bool:
        """Everybody but one has folded."""
        return len(self.seats.staying) == 1

    @property
    def betting_round(self) -> int | None:
        """The round of betting that was opened last, from 0; None before the first."""
        return self.rounds.index if self.rounds is not None else None

    @property
    def able(self) -> tuple[int, ...]:
        """The seats whose player is there and has chips, as far as they are entered."""
        return tuple([seat for seat in self.present if self.stacks.get(seat, 1) > 0])

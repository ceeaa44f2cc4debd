"""The shape of a game between players, as data: a button, rounds of betting and pots.

The clauses on errors of the deal and of the betting stand where they are enforced: `open-holdem` and `draw-poker` state
none and take those of `circle-holdem` (our rulings "errors" and "betting errors"). What the documents say differently
of the same step is named here.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from tablectl.core.engine.rulebook import Rulebook
from tablectl.core.options import pots
from tablectl.core.options.shared import ContactBets, Prohibitions, Shuffle
from tablectl.core.records import record
from tablectl.core.settlement.pot_rules import PotRules
from tablectl.families.pots.hooks import AnyPotFamily


class House(Protocol):
    """The choices of a house that every circle game has, whichever rulebook's profile they come from."""

    @property
    def minimum_raise(self) -> pots.MinimumRaise: ...
    @property
    def short_all_in(self) -> pots.ShortAllIn: ...
    @property
    def shuffle(self) -> Shuffle: ...
    @property
    def protected_hand(self) -> pots.ProtectedHand: ...
    @property
    def short_raise(self) -> pots.ShortRaise: ...
    @property
    def out_of_turn(self) -> pots.OutOfTurn: ...
    @property
    def several_chips(self) -> pots.SeveralChips: ...
    @property
    def skipped_late(self) -> pots.SkippedLate: ...
    @property
    def contact_bets(self) -> ContactBets: ...
    @property
    def wrong_amount_until(self) -> pots.WrongAmountUntil: ...
    @property
    def last_bet(self) -> pots.LastBet: ...
    @property
    def prohibitions(self) -> Prohibitions: ...


@record
class Clauses:
    """Where the two documents say the same in different words: the clause that each step goes by."""

    #: how the first button is found, and what decides between equal cards
    button_draw: str
    #: the button goes on to the next seat
    button_moves: str
    blinds: str
    #: how many players a game has
    players: str
    #: a fold is not taken back
    final_fold: str
    check: str
    call: str
    raises: str
    #: a stake is not greater than the one before it
    below: str
    #: who may raise again, and who may not
    reopens: str
    #: the greatest raise, at pot limit and at fixed limit
    pot_limit: str
    fixed_limit: str
    all_in: str
    #: nobody makes a player all-in fold
    all_in_stays: str
    #: fixed limit: how many raises
    cap: str
    #: when a round is closed
    closes: str
    one_left: str
    #: the pot is delivered when everybody agrees
    agreement: str
    #: until when something is claimed about a hand that is over
    claim: str
    best_hand: str
    equal_hands: str
    #: who gets what is left over when equal hands share
    odd_chip: str
    #: whose hand is shown, in which order
    showing: str
    #: the winner has to show only if he was called
    must_show: str


@dataclass(frozen=True, kw_only=True, slots=True)
class PotRulebook(Rulebook):
    """One game between players: a house's choices, the clauses, and how a pot is paid."""

    family: AnyPotFamily
    house: House
    clauses: Clauses
    pots: PotRules
    #: the bet whose limits the table's file gives: from the big blind to the greatest bet
    limited_bet: str = "bet"

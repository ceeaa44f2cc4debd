"""What makes a game a circle game, as data: players bet against each other, with a button, rounds and pots.

The clauses on errors of the deal and of the betting stand where they are enforced, in this package: `open-holdem` and
`draw-poker` state none and take those of `circle-holdem` (our rulings "errors" and "betting errors"). What the
documents say differently of the same step is named here.
"""

from __future__ import annotations

from typing import Protocol

from tablectl.profile import holdem, pots
from tablectl.profile.shared import ContactBets, Prohibitions, Shuffle
from tablectl.records import record
from tablectl.settlement.pot_rules import PotRules


class House(Protocol):
    """The choices of a house that the circle games' engine looks at, whichever rulebook's profile they come from."""

    @property
    def structure(self) -> holdem.Structure: ...
    @property
    def minimum_raise(self) -> pots.MinimumRaise: ...
    @property
    def short_all_in(self) -> pots.ShortAllIn: ...
    @property
    def absence(self) -> holdem.Absence: ...
    @property
    def vacated_blind(self) -> holdem.VacatedBlind: ...
    @property
    def first_button(self) -> holdem.FirstButton: ...
    @property
    def two_players(self) -> holdem.TwoPlayers: ...
    @property
    def shuffle(self) -> Shuffle: ...
    @property
    def two_actions(self) -> holdem.TwoActions: ...
    @property
    def reconstruction(self) -> holdem.Reconstruction: ...
    @property
    def exposed_count(self) -> holdem.ExposedCount: ...
    @property
    def missing_card_late(self) -> holdem.MissingCardLate: ...
    @property
    def blind_without_cards(self) -> holdem.BlindWithoutCards: ...
    @property
    def exposed_card(self) -> holdem.ExposedCard: ...
    @property
    def burn_fault(self) -> holdem.BurnFault: ...
    @property
    def flop_count(self) -> holdem.FlopCount: ...
    @property
    def early_turn(self) -> holdem.EarlyTurn: ...
    @property
    def early_river(self) -> holdem.EarlyRiver: ...
    @property
    def early_board(self) -> holdem.EarlyBoard: ...
    @property
    def reshuffled_stub(self) -> holdem.ReshuffledStub: ...
    @property
    def protected_hand(self) -> pots.ProtectedHand: ...
    @property
    def folded_cards(self) -> holdem.FoldedCards: ...
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
    def objection(self) -> holdem.Objection: ...
    @property
    def all_in_shown(self) -> holdem.AllInShown: ...
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
    best_hand: str
    equal_hands: str
    #: who gets what is left over when equal hands share
    odd_chip: str
    #: whose hand is shown, in which order
    showing: str
    #: the winner has to show only if he was called
    must_show: str


@record
class CircleGame:
    """A house's choices, the clauses, and how a pot is paid."""

    house: House
    clauses: Clauses
    pots: PotRules
    #: the bet whose limits the table's file gives: from the big blind to the greatest bet
    limits: str = "bet"

"""What makes a game a circle game, as data: players bet against each other, with a button, rounds and pots.

The clauses on errors of the deal and of the betting stand where they are enforced, in this package: `open-holdem` and
`draw-poker` state none and take those of `circle-holdem` (our rulings "errors" and "betting errors"). What the
documents say differently of the same step is named here.
"""

from __future__ import annotations

from typing import Protocol

from tablectl.core.options import draw as draw_options
from tablectl.core.options import holdem, pots
from tablectl.core.options.shared import AnnulledBets, ContactBets, Prohibitions, Shuffle
from tablectl.core.records import record
from tablectl.core.settlement.pot_rules import PotRules


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


class HoldemHouse(House, Protocol):
    """Those of a game with blinds and common cards."""

    @property
    def structure(self) -> holdem.Structure: ...
    @property
    def absence(self) -> holdem.Absence: ...
    @property
    def vacated_blind(self) -> holdem.VacatedBlind: ...
    @property
    def first_button(self) -> holdem.FirstButton: ...
    @property
    def two_players(self) -> holdem.TwoPlayers: ...
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
    def folded_cards(self) -> holdem.FoldedCards: ...
    @property
    def objection(self) -> holdem.Objection: ...
    @property
    def all_in_shown(self) -> holdem.AllInShown: ...


class DrawHouse(House, Protocol):
    """Those of a game with antes and discards."""

    @property
    def dealer_ante(self) -> draw_options.DealerAnte: ...
    @property
    def most_discards(self) -> draw_options.MostDiscards: ...
    @property
    def false_opening(self) -> draw_options.FalseOpening: ...
    @property
    def second_round(self) -> draw_options.SecondRound: ...
    @property
    def all_pass(self) -> draw_options.AllPass: ...
    @property
    def above_resto(self) -> draw_options.AboveResto: ...
    @property
    def new_stub(self) -> draw_options.NewStub: ...
    @property
    def draw_count(self) -> draw_options.DrawCount: ...
    @property
    def refill(self) -> draw_options.Refill: ...
    @property
    def refill_until(self) -> draw_options.RefillUntil: ...
    @property
    def leaving_ahead(self) -> draw_options.LeavingAhead: ...
    @property
    def redeal_until(self) -> draw_options.RedealUntil: ...
    @property
    def annulled_bets(self) -> AnnulledBets: ...
    @property
    def deck_fault(self) -> draw_options.DeckFaultDrawn: ...
    @property
    def unlooked_count(self) -> draw_options.UnlookedCount: ...
    @property
    def six_and_four(self) -> draw_options.SixAndFour: ...


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
    """A house's choices, the clauses, and how a pot is paid. Of the choices that not every circle game has, those of
    its own family are there: a game either has common cards or it has discards."""

    house: House
    clauses: Clauses
    pots: PotRules
    holdem_house: HoldemHouse | None = None
    draw_house: DrawHouse | None = None
    #: the bet whose limits the table's file gives: from the big blind to the greatest bet
    limits: str = "bet"
    #: how many cards a player has of his own
    hole: int = 2

    @property
    def is_draw(self) -> bool:
        """Whether cards are changed in this game; otherwise it has blinds and common cards."""
        return self.draw_house is not None

    @property
    def holdem(self) -> HoldemHouse:
        """What only a game with common cards leaves to the house: asked for in such a game alone."""
        assert self.holdem_house is not None, "this game has no common cards"
        return self.holdem_house

    @property
    def draw(self) -> DrawHouse:
        """What only a game with discards leaves to the house: asked for in such a game alone."""
        assert self.draw_house is not None, "this game has no discards"
        return self.draw_house

"""Games against the bank: the rules that all of them share."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, Final

from tablectl.core.engine.clauses import Policy
from tablectl.core.engine.deal import Draw
from tablectl.core.engine.decisions import BetSettled
from tablectl.core.engine.facts import (
    Acted,
    AsksFor,
    Bets,
    ButtonPlaced,
    Moved,
    PutIn,
    Removed,
    Setup,
    Stacked,
    StandingBet,
    StandsOut,
    Transferred,
)
from tablectl.core.engine.family import Family
from tablectl.core.engine.incidents import can_void
from tablectl.core.engine.key_action import KeyTable
from tablectl.core.engine.move import Move
from tablectl.core.engine.pending import CALLED, Incident, Pending
from tablectl.core.engine.prompt import Prompt
from tablectl.core.engine.rule import Outcome, Rule
from tablectl.core.engine.rulebook import IN_HAND, Kind
from tablectl.core.engine.slots import Slot
from tablectl.core.engine.vocabulary import PICKS, Chooser, Declaration, Key, Remedy, Tracking
from tablectl.families.banked import (
    answers,
    back_betting,
    betting,
    burns,
    closing,
    conduct,
    counting,
    dealt_order,
    declarations,
    exposure,
    keys,
    moves,
    one_too_many,
    prompts,
    refunds,
    rounds,
    side_bet,
    unreported,
    windows,
)
from tablectl.families.banked.rulebook import BankedRulebook
from tablectl.families.banked.state import BankedState

_HANDLERS: Final[Mapping[type, Callable[[BankedState, Any], None]]] = {
    Bets: betting.bets,
    Removed: betting.removed,
    StandingBet: back_betting.asked_for,
    StandsOut: back_betting.stands_out,
    Acted: rounds.bets_closed,
    PutIn: rounds.bets_closed,
    AsksFor: rounds.asks_for,
    Moved: rounds.moved,
    Stacked: rounds.stacked,
    ButtonPlaced: rounds.button_placed,
    Transferred: rounds.transferred,
}


class BankedFamily(Family[BankedState]):
    """Players bet against the bank, each in a box of his own."""

    def begin(self, setup: Setup, rulebook: object) -> BankedState:
        """A table before its first hand."""
        assert isinstance(rulebook, BankedRulebook), "the rulebook names its family"
        return BankedState(setup, rulebook)

    @property
    def handlers(self) -> Mapping[type, Callable[[BankedState, Any], None]]:
        """Bets, and entries of other games, which are refused."""
        return _HANDLERS

    def seat_players(self, state: BankedState, seats: tuple[int, ...]) -> None:
        """With presence they are in the hand, as after a hand before."""
        state.previous = {seat: {} for seat in seats}

    def adopted(self, state: BankedState) -> None:
        """Of the bets of seats that the table does not have any more nothing is left."""
        seats = state.setup.seats
        state.previous = {seat: bets for seat, bets in state.previous.items() if seat <= seats}
        state.kept = {seat: bets for seat, bets in state.kept.items() if seat <= seats}

    def kept(self, state: BankedState) -> Mapping[int, Mapping[str, int | None]]:
        """Entry bets of an annulled hand that lie in their boxes."""
        return state.kept

    @property
    def trackings(self) -> tuple[Tracking, ...]:
        """Who is in, or all amounts."""
        return (Tracking.PRESENCE, Tracking.AMOUNTS)

    # --- phases ---------------------------------------------------------------------------------------------------

    def turn(self, state: BankedState) -> int | None:
        """The seat that the croupier chose, or the next one in order that has not decided."""
        if state.chosen is not None and state.chosen in state.seats.staying:
            return state.chosen
        for seat in state.staying:
            if seat not in state.decided:
                return seat
        return None

    def entered(self, state: BankedState) -> None:
        """Nobody has decided yet; after a deal that was opened again, who has bet already is not asked again."""
        phase = state.machine.phase
        state.decided, state.chosen = set(), None
        if phase.choice is not None:
            bet = phase.choice.bet
            state.decided = {seat for seat in state.seats.staying if bet in state.seats[seat].bets}
        if phase.kind is Kind.DECIDING:
            state.decided |= state.decided_before.intersection(state.seats.staying)
            state.decided_before = frozenset()
        if phase.kind is Kind.DECIDING and state.turn is None:
            state.fire("decided")

    def settle(self, state: BankedState) -> None:
        """Every bet of every seat."""
        closing.settle(state)

    def seat_left(self, state: BankedState, clause: str) -> None:
        """Nobody with a hand means no hand; nobody left to decide means that all have decided."""
        betting.after_a_seat_left(state, clause)

    # --- people ---------------------------------------------------------------------------------------------------

    def keys(self, state: BankedState) -> Iterable[KeyTable]:
        """What each key means, with nothing asked and nothing held."""
        return keys.key_tables(state)

    def moves(self, state: BankedState) -> Iterator[Move]:
        """Bets, and what those who stand behind a seat do."""
        return moves.moves(state)

    def prompt(self, state: BankedState, lit: tuple[Key, ...]) -> Prompt:
        """What is to be done in the phase in force."""
        return prompts.prompt(state, lit)

    @property
    def declarations(self) -> Mapping[Declaration, Rule[BankedState]]:
        """The errors of the two documents, then what can go wrong in every game."""
        return declarations.RULES

    @property
    def picks(self) -> tuple[Key, ...]:
        """The keys that choose from the list."""
        return PICKS

    def seats_asked(self, state: BankedState, what: Declaration) -> tuple[int, ...]:
        """The seats that a declaration can be about."""
        return conduct.seats_asked(state, what)

    # --- answers and rulings --------------------------------------------------------------------------------------

    def remedies_of_seen(self, state: BankedState, incident: Incident) -> tuple[Remedy, ...]:
        """Of a card that came early, what the rulebook leaves to the pit boss; one of the deal that lies at another
        seat goes back to its own."""
        if incident.draw is not None and incident.draw.slot is not None and incident.draw.slot.seat is not None:
            return (Remedy.VOID_HAND, Remedy.CORRECT)
        if incident.draw is not None:
            return state.rulebook.errors.early.seen
        return (Remedy.VOID_HAND, Remedy.CONTINUE)

    def approved(self, state: BankedState, incident: Incident) -> None:
        """TPC-PLY-3: the pit boss lets the bet stand."""
        back_betting.approved(state, incident)

    def clause_on_counts(self, state: BankedState) -> str:
        """Which clause says how many cards a player has."""
        return state.rulebook.errors.count.seat

    def countable(self, state: BankedState) -> tuple[str, ...]:
        """The spots where cards can be counted."""
        return counting.countable(state)

    def answer(self, state: BankedState, pending: Pending) -> Callable[[BankedState, Pending, str | int], None] | None:
        """How many cards lie where."""
        return answers.ANSWERED.get(pending.question)

    def seen(self, state: BankedState, incident: Incident, *, is_seen: bool) -> bool:
        """A burn that was forgotten; a card of the bank among the common cards, or a player's at another hand; or a
        wrong count that could have been put right, had the card not been seen."""
        if burns.answered(state, incident, is_seen=is_seen) or exposure.answered(state, incident, is_seen=is_seen):
            return True
        if is_seen and dealt_order.voids(state, incident):
            return True
        spot = counting.at_issue_there(state, incident) if is_seen else None
        if spot is None:
            return False
        counting.seen(state, incident, spot)
        return True

    def is_counted(self, state: BankedState) -> bool:
        """Whether the card that is declared as unreported is one that was counted already."""
        return unreported.is_counted(state)

    def early_places(self, state: BankedState, incident: Incident) -> tuple[str, ...]:
        """At a seat or at the bank it may be one too many, and among the common cards one that belongs there."""
        return () if state.tells_places else one_too_many.places(state)

    def lies_at(self, state: BankedState, incident: Incident, spot: str) -> None:
        """How many lie there decides."""
        one_too_many.lies_at(state, incident, spot)

    def choices_when_called(self, state: BankedState) -> tuple[Remedy, ...]:
        """Ruling 53: after a seat is void for a wrong number he may have the stub shuffled at once. Ruling 41: he may
        give back what a standing bettor loses."""
        gives = (Remedy.REFUND_BETS,) if back_betting.has_anybody_stood_out(state) else ()
        return (*counting.choices_when_called(state), *gives)

    def ruled(self, state: BankedState, incident: Incident, remedy: Remedy) -> bool:
        """A card that lay face up in the deck, declared later; a bet that may not lie there; or what he chose when he
        was called."""
        if remedy is Remedy.RESHUFFLE:
            counting.reshuffled(state)
            return True
        if remedy is Remedy.REFUND_BETS and incident.observed == CALLED:
            back_betting.give_back(state)
            return True
        if remedy is Remedy.REFUND_SIDE_BET:
            refunds.side_bets(state, incident)
            return True
        return exposure.ruled(state, incident, remedy)

    def deck_outcome(self, state: BankedState, clause: str, expected: str, observed: str) -> Outcome:
        """Void while the hand is not closed, or for the pit boss where the document is silent (AMB-13). Between hands
        the deck is changed, and that is all."""
        if not can_void(state):
            return Outcome(clause=clause, expected=expected, observed=observed, remedies=(Remedy.CONTINUE,))
        rules = state.rulebook.errors.deck.fault is Policy.RULE
        return Outcome(
            clause=clause,
            expected=expected,
            observed=observed,
            remedies=(Remedy.VOID_HAND, Remedy.CONTINUE) if rules else (Remedy.VOID_HAND,),
            chooser=Chooser.PIT_BOSS if rules else Chooser.RULE,
        )

    # --- money ----------------------------------------------------------------------------------------------------

    def voided(self, state: BankedState) -> None:
        """What was settled in mid-hand stands until the pit boss rules on it; what the settlement said is taken back
        with the bets."""
        state.modifier = False
        state.house_won = -sum(bet.pays or 0 for bet in self.settled(state))

    def refund(self, state: BankedState, seat: int, *, keeps_entry: bool) -> None:
        """Every bet in a box that is not settled yet."""
        refunds.refund(state, seat, keeps_entry=keeps_entry)

    def keeps_entries(self, state: BankedState) -> bool:
        """AMB-46: as the house has it."""
        return state.rulebook.errors.bets_stay

    def settled_already(self, state: BankedState, seats: tuple[int, ...]) -> None:
        """TPC-MIS-0, AMB-46: only the pit boss can undo what was settled in mid-hand."""
        refunds.settled_already(state, seats)

    def settled_seats(self, state: BankedState) -> Iterable[int]:
        """The seats of which something was settled in mid-hand."""
        return (bet.seat for bet in state.settled_early)

    def settled(self, state: BankedState) -> Iterable[BetSettled]:
        """In mid-hand and at the settlement."""
        return (*state.settled_early, *state.settled)

    def reverse(self, state: BankedState, incident: Incident) -> None:
        """What had been paid comes back, what had been collected goes back."""
        refunds.reverse(state, incident)

    # --- cards ----------------------------------------------------------------------------------------------------

    def may_be_due(self, state: BankedState) -> bool:
        """Unless the last cards of the hand have been dealt when this phase begins."""
        return state.phase.kind is Kind.DEALING or state.rulebook.may_deal_after(state.phase.name)

    def early_clause(self, state: BankedState) -> str:
        """That of the phase, or the rulebook's general one."""
        return state.phase.early or state.rulebook.errors.early.clause

    def last_name_came(self, state: BankedState) -> None:
        """A side bet that waited for a card is decided, for the first time or anew."""
        if state.phase.kind in (Kind.CLAIMING, Kind.PAYING):
            side_bet.decide(state)

    def names_rejected(self, state: BankedState) -> None:
        """Line by line."""
        closing.names_rejected(state)

    def is_elsewhere_expected(self, state: BankedState, draw: Draw, slot: Slot, spot: str) -> bool:
        """A card for the board or the burns at a seat or at the bank is one too many there; a burn on the board was
        forgotten. One that lay at its place was carried away from it."""
        if state.has_stayed(draw):
            return False
        return counting.comes_to_a_place(state, draw, slot, spot) or burns.lies_elsewhere(state, draw, slot, spot)

    def is_matter_of_order(self, state: BankedState) -> bool:
        """Until the reveal: TPC-MIS-1 has no deadline."""
        return state.phase.kind in IN_HAND

    def wrong_order_seen(self, state: BankedState, draw: Draw, slot: Slot, spot: str) -> bool:
        """While the cards face down are dealt, or nothing has followed them, the rulebook's policy decides."""
        if windows.hole_deal(state):
            return False
        dealt_order.seen_late(state, draw, slot, spot)
        return True

    def clause_if_seen(self, state: BankedState) -> str | None:
        """TPC-MIS-1, AMB-55: while nothing has followed the deal of the hole cards."""
        return state.rulebook.errors.wrong_order if windows.hole_deal(state) else None


BANKED: Final = BankedFamily()

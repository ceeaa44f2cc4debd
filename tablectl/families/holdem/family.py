"""Games with blinds and common cards: the rules that both documents of hold'em share."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

from tablectl.core.engine.card_places import HOLDEM_PLACES
from tablectl.core.engine.deal import Draw
from tablectl.core.engine.dealing import is_hole_plan, wait
from tablectl.core.engine.decisions import Asked
from tablectl.core.engine.facts import Fact, Seen, Setup
from tablectl.core.engine.pending import Incident, Pending
from tablectl.core.engine.rule import Outcome, Rule
from tablectl.core.engine.rulebook import IN_HAND, Kind, Part
from tablectl.core.engine.seat_said import seats_in_hand
from tablectl.core.engine.slots import BOARD, SEAT_UP, Slot
from tablectl.core.engine.vocabulary import Chooser, Declaration, Key, Question, Remedy
from tablectl.families.holdem import (
    answers,
    blinds,
    board,
    burns,
    control,
    counts,
    dealt_order,
    deck_faults,
    declarations,
    misdeal,
    streets,
    stub,
    unreported,
    wrong_button,
)
from tablectl.families.holdem.rulebook import HoldemRulebook
from tablectl.families.holdem.state import HoldemState
from tablectl.families.holdem.two_actions import ask_about
from tablectl.families.pots import claims, flow, opening, retrieved_cards
from tablectl.families.pots.early_cards import EarlyCards
from tablectl.families.pots.family import HANDLERS, PotFamily
from tablectl.families.pots.places import Places
from tablectl.families.pots.players import Absence, WhyNot


class HoldemFamily(PotFamily[HoldemState]):
    """Two cards of one's own, and five common ones."""

    def begin(self, setup: Setup, rulebook: object) -> HoldemState:
        """A table before its first hand."""
        assert isinstance(rulebook, HoldemRulebook), "the rulebook names its family"
        return HoldemState(setup, rulebook)

    @property
    def handlers(self) -> Mapping[type, Callable[[HoldemState, Any], None]]:
        """What people enter."""
        return HANDLERS

    def go_on(self, state: HoldemState) -> None:
        """The draw for the button may have waited for a card to be named."""
        if state.draw_waits and state.phase.part is Part.POSTS:
            blinds.button_by_card(state)
        flow.follow(state)

    def phase_entered(self, state: HoldemState) -> None:
        """The button and the blinds, then each street."""
        phase = state.phase
        if phase.part is Part.STREET:
            streets.begin(state)
        elif phase.part is Part.POSTS:
            if state.deal.at and any(slot in state.deal.at for slot in SEAT_UP):
                blinds.button_by_card(state)
            else:
                opening.take_places(state)

    # --- seating and betting --------------------------------------------------------------------------------------

    def positions(self, state: HoldemState, able: tuple[int, ...]) -> Places | WhyNot:
        """The button goes on, the blinds are due left of it."""
        return blinds.places(state, able)

    def post(self, state: HoldemState) -> None:
        """The blinds, and what newcomers owe."""
        blinds.post_blinds(state)

    def able(self, state: HoldemState) -> tuple[int, ...]:
        """The seats whose player is there and has chips."""
        return state.able

    def clause_on_no_stack(self, state: HoldemState, seat: int) -> str:
        """Who has nothing to post is not dealt in."""
        return state.rulebook.clauses.blinds

    def absence(self, state: HoldemState) -> Absence:
        """As the house has it (AMB-09)."""
        return Absence(state.rulebook.house.absence)

    def may_move_button(self, state: HoldemState, seat: int) -> bool:
        """THL-MIS-6: while the table is not held, and it lies elsewhere."""
        return not state.held and wrong_button.applies(state) and seat != state.button

    def button_lies(self, state: HoldemState, seat: int) -> None:
        """THL-MIS-6 looks at it."""
        if self.may_move_button(state, seat):
            wrong_button.lies_at(state, seat)
        else:
            wrong_button.refuse(state)

    def first_to_act(self, state: HoldemState, positions: Places, number: int) -> int:
        """Left of the big blind, then left of the button."""
        return positions.first_to_act if number == 0 else positions.first_after

    # --- the end --------------------------------------------------------------------------------------------------

    @property
    def may_give_up(self) -> bool:
        """THL-SDN-5: unseen, where another hand wins."""
        return True

    def clause_on_side_pots(self, state: HoldemState) -> str:
        """Which side pots there are."""
        return "THL-END-4"

    def hand_slots(self, seat: int) -> tuple[Slot, ...]:
        """THL-DEF-2, THO-DEF-6: his own and the common cards, of which the best five count."""
        return (*HOLDEM_PLACES.of_seat(seat), *HOLDEM_PLACES.board)

    def own_places(self, seat: int) -> tuple[Slot, ...]:
        """Two cards, and one too many."""
        return HOLDEM_PLACES.at_seat(seat)

    # --- declarations, answers, rulings -----------------------------------------------------------------------------

    @property
    def declarations(self) -> Mapping[Declaration, Rule[HoldemState]]:
        """The errors of document 001, then what can go wrong in every game."""
        return declarations.RULES

    def seats_asked(self, state: HoldemState, what: Declaration) -> tuple[int, ...]:
        """As each declaration has it, or those in the hand."""
        found = answers.SEATS_ASKED.get(what)
        return seats_in_hand(state) if found is None else found(state)

    def answer(self, state: HoldemState, pending: Pending) -> Callable[[HoldemState, Pending, str | int], None] | None:
        """For the error that the question is about, or for any."""
        if pending.question is Question.COUNT_CARDS and pending.about == BOARD[0].spot:
            return board.counted
        return answers.answer_to(pending)

    #: "cancel" takes back a card that was declared
    board_key = Key.SHOW

    def is_counted(self, state: HoldemState) -> bool:
        """Whether the card that is declared as unreported is one that a seat has too many."""
        return unreported.is_counted(state)

    def after(self, state: HoldemState, fact: Fact, before: object) -> None:
        """What was said of a card too many is over, once something else follows."""
        super().after(state, fact, before)
        if state.has_one_more is not None:
            unreported.forget(state, fact)

    def early_places(self, state: HoldemState, incident: Incident) -> tuple[str, ...]:
        """At a seat it is one too many; on the board it was dealt too soon."""
        return board.places(state, incident)

    def lies_at(self, state: HoldemState, incident: Incident, spot: str) -> None:
        """A wrong count, or a common card that came too soon."""
        board.lies_at(state, incident, spot)

    def seen(self, state: HoldemState, incident: Incident, *, is_seen: bool) -> bool:
        """Common cards that came too soon."""
        return board.answered(state, incident, is_seen=is_seen)

    def remedies_of_seen(self, state: HoldemState, incident: Incident) -> tuple[Remedy, ...]:
        """The documents are silent."""
        return (Remedy.VOID_HAND, Remedy.CONTINUE)

    def ruled(self, state: HoldemState, incident: Incident, remedy: Remedy) -> bool:
        """For the error that is ruled on, or for any."""
        found = answers.ruled(incident, remedy)
        if found is not None:
            found(state, incident)
        return found is not None or claims.upheld(state, incident, remedy)

    def voided(self, state: HoldemState) -> None:
        """A card that was in question is collected with all others: until then it is out, and lies nowhere. Nothing is
        asked about any of them."""
        deal, state.early = state.deal, EarlyCards()
        for draw in deal.draws:
            is_lost = draw.slot is None and not draw.is_back and not state.felt.is_passing(draw)
            if is_lost and all(draw is not waiting for waiting in deal.waiting):
                deal.wait(draw)

    def clause_on_counts(self, state: HoldemState) -> str:
        """Which clause says that a player has two cards."""
        return counts.RIGHT

    def deck_outcome(self, state: HoldemState, clause: str, expected: str, observed: str) -> Outcome:
        """THL-MIS-5: void before two actions, accepted after them."""
        return deck_faults.outcome(state, expected, observed)

    def deck_withdrawn(self, state: HoldemState, incident: Incident) -> None:
        """Where actions are not entered, the croupier is asked whether two have acted."""
        if incident.chooser is Chooser.CROUPIER:
            ask_about(state, incident)

    def shuffled(self, state: HoldemState, cards: int) -> bool:
        """Cards that went back were shuffled into the stub."""
        return stub.shuffled(state, cards)

    # --- cards ----------------------------------------------------------------------------------------------------

    def early(self, state: HoldemState, draw: Draw) -> bool:
        """A common card came too soon; or by this card antennas saw that the one before it lies wrong (THL-MIS-1)."""
        if any(isinstance(decision, Asked) and decision.question is Question.RECONSTRUCTED for decision in state.out):
            wait(state, draw)
        else:
            board.early(state, draw)
        return True

    # --- antennas -------------------------------------------------------------------------------------------------

    burns_exposed_cards = True

    def lifted(self, state: HoldemState, draw: Draw, spot: str) -> bool:
        """Burns and discards stay under the croupier's control (THL-GEN-12)."""
        return control.must_stay(state, draw, spot)

    def gone(self, state: HoldemState, draw: Draw, spot: str) -> None:
        """One of them does not."""
        control.gone(state, draw, spot)

    def is_on_its_way(self, state: HoldemState, fact: Seen) -> bool:
        """The croupier shuffles it into the stub."""
        return fact.card is not None and stub.on_its_way(state, fact.card)

    def one_too_many(self, state: HoldemState, draw: Draw, spot: str) -> bool:
        """THL-MIS-2, THL-PLE-12."""
        return counts.one_too_many(state, draw, spot)

    def stays_untold(self, state: HoldemState, draw: Draw) -> None:
        """Then only the croupier can say it."""
        board.not_told(state, draw)

    def lies(self, state: HoldemState, draw: Draw, spot: str) -> bool:
        """A card that came too soon lies somewhere."""
        return board.lies(state, draw, spot)

    def came_to_discards(self, state: HoldemState, draw: Draw, slot: Slot) -> None:
        """Somebody folds, or his cards were taken."""
        retrieved_cards.came_to_discards(state, draw, slot)

    def came_back(self, state: HoldemState, slot: Slot) -> None:
        """A thrown hand is taken back."""
        retrieved_cards.came_back(state, slot)

    def is_elsewhere_expected(self, state: HoldemState, draw: Draw, slot: Slot, spot: str) -> bool:
        """What should be burnt lies on the board or at a seat, or a common card among the burns. One that lay at its
        place was carried away from it."""
        if state.has_stayed(draw):
            return False
        return counts.comes_to_a_seat(state, draw, slot, spot) or burns.lies_elsewhere(state, draw, slot, spot)

    def is_matter_of_order(self, state: HoldemState) -> bool:
        """In the deal of the players' own cards, until somebody has folded."""
        if dealt_order.can_be_seen(state):
            return True
        if any(held.folded for _, held in state.seats.items()):
            return False
        if is_hole_plan(state):
            return state.phase.kind in IN_HAND
        deal = state.deal
        return state.phase.kind is Kind.DEALING and deal.next == 0 and bool(deal.at)

    def wrong_order_seen(self, state: HoldemState, draw: Draw, slot: Slot, spot: str) -> bool:
        """THL-MIS-1: in time, the order is reconstructed."""
        if not dealt_order.can_be_seen(state):
            return False
        dealt_order.seen_elsewhere(state, draw, slot, spot)
        return True

    def to_an_empty_seat(self, state: HoldemState, draw: Draw, spot: str) -> bool:
        """THL-CRE-2: it has its turn in the order of dealing."""
        return dealt_order.came_to_an_empty_seat(state, draw, spot)

    def clause_if_seen(self, state: HoldemState) -> str | None:
        """THL-MIS-3: until two have acted."""
        return misdeal.OTHERS_CARD if misdeal.others_card_matters(state) else None


HOLDEM: Final = HoldemFamily()

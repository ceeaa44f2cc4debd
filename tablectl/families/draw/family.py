"""Games with antes and discards: the rules of document 004 that are not a game's own figures."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from functools import partial
from typing import Any, Final

from tablectl.core.cards import DECK, Card
from tablectl.core.engine import dealing
from tablectl.core.engine.deal import Draw
from tablectl.core.engine.facts import AsksFor, Named, Seen, Setup, Stacked
from tablectl.core.engine.key_action import KeyTable
from tablectl.core.engine.move import Move
from tablectl.core.engine.pending import Incident, Pending
from tablectl.core.engine.prompt import Instruction, Prompt
from tablectl.core.engine.rule import Outcome, Rule
from tablectl.core.engine.rulebook import Kind, Part
from tablectl.core.engine.seat_said import seat_of, seats_in_hand
from tablectl.core.engine.slots import DISCARD, SEATS, Slot
from tablectl.core.engine.state import State
from tablectl.core.engine.vocabulary import SEAT_OF, Declaration, Key, Question, Refusal, Remedy
from tablectl.core.options.draw import SecondRound
from tablectl.core.options.shared import AnnulledBets
from tablectl.families.draw import (
    answers,
    antes,
    card_identification,
    cases,
    count_repair,
    counts,
    cut,
    dealer,
    deck_faults,
    declarations,
    exchange,
    false_opening,
    holdings,
    keys,
    leaving,
    next_dealt,
    on_felt,
    one_too_many,
    openings,
    resto,
    seat_draw,
    session,
    stub,
)
from tablectl.families.draw.rulebook import DrawRulebook
from tablectl.families.draw.state import DrawState
from tablectl.families.pots import attendance, claims, flow, opening, refunds, retrieved_cards
from tablectl.families.pots.betting.legal import Done
from tablectl.families.pots.family import HANDLERS, PotFamily
from tablectl.families.pots.places import Places
from tablectl.families.pots.players import Absence, WhyNot

_DISCARD: Final = DISCARD[0].spot
_HANDLERS: Final[Mapping[type, Callable[[DrawState, Any], None]]] = {**HANDLERS, AsksFor: exchange.asks_for}


class DrawFamily(PotFamily[DrawState]):
    """Five cards of one's own, some of which are changed."""

    def begin(self, setup: Setup, rulebook: object) -> DrawState:
        """A table before its first hand."""
        assert isinstance(rulebook, DrawRulebook), "the rulebook names its family"
        return DrawState(setup, rulebook)

    @property
    def handlers(self) -> Mapping[type, Callable[[DrawState, Any], None]]:
        """What people enter, the numbers of cards too."""
        return _HANDLERS

    def resumed(self, state: DrawState) -> None:
        """Version 0.1.0 wrote what lies there and not whether anything does."""
        state.is_pot_waiting = state.is_pot_waiting or state.carried > 0

    def replaced(self, state: DrawState, after: object) -> None:
        """The session is over where another game is played: everybody's account is told."""
        assert isinstance(after, State)
        session.goes_on_or_ends(after, state)

    def refunded(self, after: object, seat: int, amount: int) -> None:
        """An ante that had stayed on the table lies before its player again."""
        assert isinstance(after, State)
        session.refunded(after, seat, amount)

    def kept(self, state: DrawState) -> Mapping[int, Mapping[str, int | None]]:
        """Antes that lie there for the next hand."""
        return state.kept

    def adopted(self, state: DrawState) -> None:
        """Of antes of seats that the table does not have any more nothing stays."""
        super().adopted(state)
        state.kept = {seat: bets for seat, bets in state.kept.items() if seat <= state.setup.seats}

    # --- phases ---------------------------------------------------------------------------------------------------

    def follow(self, state: DrawState) -> None:
        """A card may be known at last; when a deal is over antennas count its cards."""
        false_opening.look_again(state)
        super().follow(state)
        counts.follow(state)

    def go_on(self, state: DrawState) -> None:
        """Discards that lie there are complete, the deck is offered, a new stub is due."""
        exchange.follow(state)
        flow.follow(state)
        cut.follow(state)
        stub.follow(state)

    def phase_entered(self, state: DrawState) -> None:
        """The antes, then each player's discards."""
        if state.phase.kind is Kind.EXCHANGING:
            exchange.entered(state)
        elif state.phase.part is Part.POSTS:
            opening.take_places(state)

    def hand_died(self, state: DrawState) -> None:
        """In the draw the next one is asked."""
        if state.phase.kind is Kind.EXCHANGING and not state.is_one_left:
            exchange.seat_left(state)
        else:
            super().hand_died(state)

    # --- seating and betting --------------------------------------------------------------------------------------

    def positions(self, state: DrawState, able: tuple[int, ...]) -> Places | WhyNot:
        """The nominal dealer is the next one of them."""
        assert state.markers is not None, "the button was drawn"
        return antes.positions(state, state.markers, able)

    def post(self, state: DrawState) -> None:
        """The antes."""
        antes.post(state)

    def able(self, state: DrawState) -> tuple[int, ...]:
        """FCD-OPN-2: no ante, no cards."""
        return antes.able(state)

    def clause_on_no_stack(self, state: DrawState, seat: int) -> str:
        """FCD-RST-3: nobody is dealt in before he has his resto."""
        return state.rulebook.clauses.blinds if resto.has_begun(state, seat) else "FCD-RST-3"

    def absence(self, state: DrawState) -> Absence:
        """Document 004 says nothing of absences: a seat is kept as hold'em ships it (AMB-09)."""
        return Absence.FULL_LAP

    def why_not_leave(self, state: DrawState, seat: int) -> tuple[Refusal, str | None, str] | None:
        """FCD-RST-8, FCD-RST-9."""
        return leaving.why_not(state, seat)

    def may_leave(self, state: DrawState, seat: int) -> bool:
        """FCD-RST-8, FCD-RST-9."""
        return leaving.may_leave(state, seat)

    def player_gone(self, state: DrawState, seat: int) -> None:
        """FCD-BNK-1: his account is told."""
        leaving.left(state, seat)

    def has_resto(self, state: DrawState) -> bool:
        """FCD-RST-2."""
        return resto.is_agreed(state)

    def bought(self, state: DrawState, fact: Stacked) -> None:
        """His first resto, or a new one."""
        resto.stacked(state, fact)

    def may_buy(self, state: DrawState, seat: int) -> bool:
        """FCD-RST-10."""
        return resto.can_buy(state, seat)

    def resto_bounds(self, state: DrawState, seat: int) -> tuple[int, int | None]:
        """FCD-RST-6."""
        return resto.bounds(state, seat)

    def may_move_button(self, state: DrawState, seat: int) -> bool:
        """FCD-IRR-5: the wrong dealer."""
        return dealer.may_lie_at(state, seat)

    def button_lies(self, state: DrawState, seat: int) -> None:
        """FCD-IRR-5: the wrong dealer."""
        dealer.lies_at(state, seat)

    def first_to_act(self, state: DrawState, positions: Places, number: int) -> int:
        """Left of the dealer; after the draw whoever opened, where the house has it so (AMB-66)."""
        if number == 0:
            return positions.first_to_act
        opener = state.draw.opener
        if state.rulebook.house.second_round is SecondRound.OPENER and opener is not None:
            return opener
        return positions.first_after

    def may_act(self, state: DrawState, done: Done) -> bool:
        """FCD-OPN-5: who may open."""
        return openings.stands(state, done)

    def acted(self, state: DrawState, done: Done) -> None:
        """The first bet of the first round is the opening."""
        openings.opened(state, done)

    def action_undone(self, state: DrawState, done: Done) -> None:
        """With the opening, nobody has opened."""
        openings.taken_back(state, done)

    def round_reopened(self, state: DrawState) -> None:
        """The draw has not begun, and the pot is not carried over."""
        openings.round_reopened(state)

    def passed_out(self, state: DrawState) -> bool:
        """FCD-WIN-5: nobody opened."""
        if not openings.is_passed_out(state):
            return False
        state.draw.is_passed_out = True
        return True

    # --- keys, moves, prompt --------------------------------------------------------------------------------------

    def keys_of_phase(self, state: DrawState) -> KeyTable:
        """The cut before the deal, and what each player changes."""
        return keys.of_phase(state)

    def taken_back(self, state: DrawState) -> Callable[[], object] | None:
        """A number of cards, until they are put away."""
        return partial(exchange.take_back, state) if exchange.can_take_back(state) else None

    def passes_out(self, state: DrawState) -> Callable[[], object] | None:
        """FCD-WIN-5."""
        return keys.passes_out(state)

    def own_moves(self, state: DrawState) -> Iterator[Move]:
        """How many cards a player changes."""
        if state.phase.kind is Kind.EXCHANGING and not state.held:
            yield Move(entry="asks", needs=("cards",), least=0, most=exchange.most(state))

    def instruction(self, state: DrawState, lit: tuple[Key, ...]) -> tuple[Instruction, str] | None:
        """The antes and the draw."""
        if state.phase.kind is Kind.EXCHANGING:
            turn = state.draw.turn
            asks = turn is None or turn.cards is None
            return Instruction.ASK_CARDS if asks else Instruction.PUT_AWAY, "" if turn is None else f"seat-{turn.seat}"
        if state.phase.kind is Kind.BETTING and state.phase.part is not Part.BUTTON:
            about = f"seat-{state.button}" if state.positions is not None else ""
            return Instruction.OFFER_CUT if Key.CONFIRM in lit else Instruction.POST_ANTES, about
        return None

    def prompt(self, state: DrawState, lit: tuple[Key, ...]) -> Prompt:
        """With the pot of hands that nobody opened, and how many cards the seat in turn changes."""
        told, turn = super().prompt(state, lit), state.draw.turn
        return replace(
            told,
            pot=(told.pot or 0) + state.carried if state.amounts else told.pot,
            cards=None if turn is None else turn.cards,
        )

    def completed(self, state: DrawState, told: Prompt) -> Prompt:
        """How many cards the stub holds, whose discards go into a new one, and which cases stand."""
        gather = stub.gathered(state) if told.question is Question.NEW_STUB else ()
        return replace(told, left=stub.left(state), gather=gather, cases=cases.standing(state))

    # --- the end --------------------------------------------------------------------------------------------------

    def carried(self, state: DrawState) -> int:
        """FCD-WIN-5."""
        return state.carried

    def is_carried_over(self, state: DrawState) -> bool:
        """FCD-WIN-5: nobody opened."""
        return state.draw.is_passed_out

    @property
    def may_give_up(self) -> bool:
        """FCD-WIN-2: everybody who is in shows his cards."""
        return False

    def clause_on_side_pots(self, state: DrawState) -> str:
        """Which side pots there are."""
        return state.rulebook.clauses.all_in

    def hand_slots(self, seat: int) -> tuple[Slot, ...]:
        """FCD-WIN-4: his five."""
        return SEATS[seat - 1]

    def own_places(self, seat: int) -> tuple[Slot, ...]:
        """Wherever he has one."""
        return SEATS[seat - 1]

    def paid(self, state: DrawState) -> None:
        """What nobody won lies there for the next hand."""
        pot = state.rounds.pot if state.rounds is not None else None
        state.carried = state.carried + (pot or 0) if state.draw.is_passed_out else 0

    def delivered(self, state: DrawState) -> None:
        """FCD-WIN-5: known also where no amounts are entered."""
        state.is_pot_waiting = state.draw.is_passed_out

    # --- money ----------------------------------------------------------------------------------------------------

    def refund(self, state: DrawState, seat: int, *, keeps_entry: bool) -> None:
        """With `keeps_entry` what he paid for his cards stays on the table, since they are dealt again (FCD-IRR-0,
        AMB-46)."""
        if not keeps_entry or state.rounds is None:
            super().refund(state, seat, keeps_entry=keeps_entry)
            return
        staying = antes.antes_in(state, seat)
        antes.keep(state, seat)
        refunds.refund_but(state, seat, staying)

    def keeps_entries(self, state: DrawState) -> bool:
        """AMB-46: as the house has it."""
        return state.rulebook.house.annulled_bets is AnnulledBets.STAY

    # --- declarations, answers, rulings -----------------------------------------------------------------------------

    @property
    def declarations(self) -> Mapping[Declaration, Rule[DrawState]]:
        """The irregularities of document 004, then what can go wrong in every game."""
        return declarations.RULES

    def seats_asked(self, state: DrawState, what: Declaration) -> tuple[int, ...]:
        """As each declaration has it, or those in the hand."""
        found = answers.SEATS_ASKED.get(what)
        return seats_in_hand(state) if found is None else found(state)

    def counts_asked(self) -> Mapping[Key, str | int]:
        """A hand of five can have six cards, or more."""
        return SEAT_OF

    def answer(self, state: DrawState, pending: Pending) -> Callable[[DrawState, Pending, str | int], None] | None:
        """Each module's own."""
        return answers.ANSWERED.get(pending.question)

    def countable(self, state: DrawState) -> tuple[str, ...]:
        """The seats that can have one too many."""
        return one_too_many.places(state)

    def early_places(self, state: DrawState, incident: Incident) -> tuple[str, ...]:
        """At a seat it is one too many."""
        return () if state.tells_places else one_too_many.places(state)

    def lies_at(self, state: DrawState, incident: Incident, spot: str) -> None:
        """How many lie there decides."""
        one_too_many.lies_at(state, incident, spot)

    def seen(self, state: DrawState, incident: Incident, *, is_seen: bool) -> bool:
        """FCD-IRR-7: at a seat it decides whether its player has looked."""
        return is_seen and one_too_many.seen(state, incident)

    def moved(self, state: DrawState, pending: Pending) -> None:
        """A card of a wrong number is where it belongs."""
        count_repair.moved(state, pending)

    def remedies_of_seen(self, state: DrawState, incident: Incident) -> tuple[Remedy, ...]:
        """AMB-56: while a player's decision is pending void is proposed; otherwise it is the next card."""
        if incident.draw is not None and incident.draw.slot is None:
            return (Remedy.VOID_HAND, Remedy.NEXT_CARD)
        return (Remedy.VOID_HAND, Remedy.CONTINUE)

    def seen_elsewhere(self, state: DrawState, incident: Incident) -> bool:
        """AMB-73: in the draw it is a wrong number at two seats."""
        return next_dealt.seen_elsewhere(state, incident)

    def ruled(self, state: DrawState, incident: Incident, remedy: Remedy) -> bool:
        """A player who wants to leave, or what each module has."""
        if leaving.asks_to_leave(incident):
            attendance.rules_on_leaving(state, incident, is_leaving=remedy is Remedy.CONTINUE)
            return True
        found = answers.ruled(incident, remedy)
        if found is not None:
            found(state, incident)
        return found is not None or claims.upheld(state, incident, remedy)

    def clause_on_counts(self, state: DrawState) -> str:
        """Which clause says that a player has five cards."""
        return counts.clause(state)

    def deck_outcome(self, state: DrawState, clause: str, expected: str, observed: str) -> Outcome:
        """FCD-IRR-4."""
        return deck_faults.outcome(state, expected, observed)

    def deck_withdrawn(self, state: DrawState, incident: Incident) -> None:
        """Another deck is offered to be cut once more."""
        cut.anew(state)

    def waits_for(self, state: DrawState, setup: Setup) -> str | None:
        """A draw for seats (FCD-SEA-1); and another game for what lies on the table from hands that nobody opened,
        which is won in this one (FCD-WIN-5)."""
        if state.seat_draw is not None:
            return "FCD-SEA-1"
        return "FCD-WIN-5" if state.is_pot_waiting and setup.rulebook != state.rulebook.id else None

    # --- cards ----------------------------------------------------------------------------------------------------

    def came_from_under(self, state: DrawState, draw: Draw) -> bool:
        """FCD-IRR-9."""
        return stub.came_from_under(state, draw)

    def may_come_again(self, state: DrawState, draw: Draw) -> bool:
        """Whether it can be in the new stub, though nobody knows that it went back there (FCD-DSC-5)."""
        if draw.card is None or draw.number - state.deal.n_back > len(DECK):
            return False
        return state.draw.card_pools.comes_again(draw.card)

    def may_be_back(self, state: DrawState, card: Card) -> bool:
        """FCD-DSC-5: it is one of several, of which some are in the new stub."""
        return state.draw.card_pools.may_be_back(card)

    def early(self, state: DrawState, draw: Draw) -> bool:
        """A card of a draw for seats, the last one of the stub, or one that is judged with the one before it."""
        if seat_draw.drawn(state, draw) or stub.drawn_instead(state, draw):
            return True
        return next_dealt.waits_for_the_one_before(state, draw)

    def named(self, state: DrawState, slot: Slot, draw: Draw, fact: Named) -> bool | None:
        """One of several of which nobody knows which lies where."""
        pool = state.draw.card_pools.at(slot, draw)
        return None if pool is None else card_identification.identify_in_pool(state, pool, slot, fact.card, fact.by)

    # --- antennas -------------------------------------------------------------------------------------------------

    def lifted(self, state: DrawState, draw: Draw, spot: str) -> bool:
        """A discard stays where it is (FCD-DSC-10). A card that lay at another seat may be on its way to its own."""
        state.draw.lifted[draw.number] = spot
        return on_felt.must_stay(state, draw, spot) or holdings.is_elsewhere(state, draw)

    def gone(self, state: DrawState, draw: Draw, spot: str) -> None:
        """One that is taken away is an alarm."""
        on_felt.gone(state, draw, spot)

    def is_on_its_way(self, state: DrawState, fact: Seen) -> bool:
        """It went back and is not shuffled in yet."""
        return on_felt.is_in_the_stub(state, fact)

    def is_another(self, state: DrawState, draw: Draw, fact: Seen) -> bool | None:
        """A player takes a card back that he had put among the discards: it is no second one. A discard that lies there
        again is none (FCD-DSC-10), unless it may have gone into the new stub."""
        if draw.slot is not None and draw.slot.spot == fact.spot:
            return False
        if draw.slot is None or draw.slot.spot == _DISCARD:
            return on_felt.comes_again(state, draw, fact.spot)
        return None

    def dealt_between_hands(self, state: DrawState, fact: Seen) -> bool:
        """A card of a draw for seats."""
        seat = seat_of(fact.spot)
        if seat is None or not seat_draw.is_going_on(state):
            return False
        draw, _ = state.deal.note(fact.card)
        state.felt.sees(draw, fact.spot, fact.at_us)
        seat_draw.drawn(state, draw, seat)
        return True

    def stays_untold(self, state: DrawState, draw: Draw) -> None:
        """It waited for the one before it, which lies at its place after all."""
        dealing.early(state, draw)

    def one_too_many(self, state: DrawState, draw: Draw, spot: str) -> bool:
        """FCD-IRR-7, FCD-IRR-9."""
        return counts.one_too_many(state, draw, spot)

    def lies(self, state: DrawState, draw: Draw, spot: str) -> bool:
        """A card of which nobody knew where it lies, one that came too soon, or a discard that comes back because there
        were too many."""
        state.draw.lifted.pop(draw.number, None)
        if exchange.goes_where_it_is_due(state, draw, spot):
            return True
        on_felt.known_again(state, draw, spot)
        return on_felt.comes_back(state, draw, spot)

    def came_to_discards(self, state: DrawState, draw: Draw, slot: Slot) -> None:
        """It is put away, or somebody folds."""
        on_felt.came_to_discards(state, draw, slot)

    def some_discard(self, state: DrawState) -> Draw | None:
        """With a shoe alone nobody knows which of his cards a player puts away."""
        return on_felt.some_discard(state)

    def came_back(self, state: DrawState, slot: Slot) -> None:
        """A thrown hand is taken back."""
        retrieved_cards.came_back(state, slot)

    def is_elsewhere_expected(self, state: DrawState, draw: Draw, slot: Slot, spot: str) -> bool:
        """The card of a hand that has one too many is on its way (FCD-IRR-9, -10); or a discard lies at a seat."""
        is_moving = any(moving.seat == slot.seat for moving in state.draw.moving)
        return is_moving or on_felt.discard_at_a_seat(state, draw, spot)

    def wrong_order_seen(self, state: DrawState, draw: Draw, slot: Slot, spot: str) -> bool:
        """What was wrong with the deal the next card says (FCD-OPN-3, FCD-DSC-4, FCD-IRR-5, -7 to -12)."""
        return next_dealt.lies_at_another(state, draw, slot, spot)

    #: each card that came to another seat is a wrong number at two seats (FCD-IRR-7 to -11)
    is_order_one_matter = False

    def is_matter_of_order(self, state: DrawState) -> bool:
        """Whenever cards of players lie at other seats (FCD-OPN-3)."""
        return True


DRAW: Final = DrawFamily()

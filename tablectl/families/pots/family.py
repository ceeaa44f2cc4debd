"""Games between players: the rules that all of them share, with common cards or with discards."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import partial
from typing import Any, Final, TypeVar

from tablectl.core.engine.carry import Coding
from tablectl.core.engine.facts import (
    Acted,
    AsksFor,
    Bets,
    ButtonPlaced,
    Fact,
    Moved,
    PutIn,
    Removed,
    Stacked,
    StandingBet,
    StandsOut,
    Transferred,
)
from tablectl.core.engine.key_action import KeyAction, KeyTable
from tablectl.core.engine.move import Move
from tablectl.core.engine.prompt import Prompt
from tablectl.core.engine.vocabulary import CIRCLE_PICKS, Key, Refusal, Tracking
from tablectl.families.pots import (
    attendance,
    awards,
    boxes,
    claims,
    correction,
    entering,
    flow,
    keys,
    moves,
    out_of_turn,
    prompts,
    refunds,
    unreported,
)
from tablectl.families.pots.hooks import PotHooks
from tablectl.families.pots.places import markers_of
from tablectl.families.pots.players import players_of
from tablectl.families.pots.state import Entry, PotGameState

#: The state of the family.
P = TypeVar("P", bound=PotGameState)


def _nobody_changes(state: PotGameState, fact: AsksFor) -> None:
    state.refuse(Refusal.NOT_LIVE, None, str(fact.cards))


HANDLERS: Final[Mapping[type, Callable[[PotGameState, Any], None]]] = {
    Acted: entering.acted,
    PutIn: entering.put_in,
    Moved: attendance.moved,
    Stacked: attendance.stacked,
    ButtonPlaced: attendance.button_placed,
    AsksFor: _nobody_changes,
    Bets: boxes.bets,
    Removed: boxes.removed,
    StandingBet: boxes.standing_bet,
    StandsOut: boxes.stands_out,
    Transferred: claims.transferred,
}


_CODINGS: Final[Mapping[str, Coding]] = {
    "players": Coding(write=lambda players: tuple(player.text() for player in players), read=players_of),
    "markers": Coding(
        write=lambda markers: None if markers is None else markers.text(),
        read=lambda text: None if text is None else markers_of(text),
    ),
}


class PotFamily(PotHooks[P]):
    """What games with common cards and games with discards have in common."""

    def seat_players(self, state: P, seats: tuple[int, ...]) -> None:
        """Before the first hand: everybody who sits there is no newcomer."""
        attendance.seat_all(state, seats)

    @property
    def codings(self) -> Mapping[str, Coding]:
        """Players and button are written as hand files write them."""
        return _CODINGS

    def adopted(self, state: P) -> None:
        """Players, chips and button, as far as this game has room for them."""
        attendance.taken_over(state)

    @property
    def trackings(self) -> tuple[Tracking, ...]:
        """Rounds that are closed, what each seat does, or all amounts."""
        return (Tracking.ROUNDS, Tracking.ACTIONS, Tracking.AMOUNTS)

    # --- around each fact -----------------------------------------------------------------------------------------

    def before(self, state: P) -> object:
        """The entry that could be taken back before a fact."""
        return state.entry

    def follow(self, state: P) -> None:
        """Actions out of turn whose turn has come, then what a phase begins with."""
        if state.stored:
            out_of_turn.follow(state)
        self.go_on(state)

    def go_on(self, state: P) -> None:
        """What the phase that was entered begins with."""
        flow.follow(state)

    def after(self, state: P, fact: Fact, before: object) -> None:
        """An entry, or a card that was declared by mistake, cannot be taken back once something has followed it."""
        if state.unreported is not None or (before is not None and state.entry is before):
            assert before is None or isinstance(before, Entry)
            correction.forget(state, fact, before)
            unreported.forget(state, fact)

    # --- phases ---------------------------------------------------------------------------------------------------

    def turn(self, state: P) -> int | None:
        """Whose turn it is to speak."""
        return state.rounds.turn if state.rounds is not None else None

    def entered(self, state: P) -> None:
        """What follows from it is done after the rule that led here."""
        state.entered = state.machine.phase

    def settle(self, state: P) -> None:
        """Every pot to the best hand that competes for it."""
        awards.settle(state)

    def names_rejected(self, state: P) -> None:
        """The pot is not delivered yet."""
        awards.names_rejected(state)

    def seat_left(self, state: P, clause: str) -> None:
        """Whatever the clause is, the pot is played for without him."""
        self.hand_died(state)

    def awarded_anew(self, state: P, after: P) -> Mapping[int, int]:
        """They are not delivered yet."""
        return awards.change(state, after)

    def hand_died(self, state: P) -> None:
        """With one left he wins the pot; where nobody is left to speak the round is over."""
        flow.after_a_seat_left(state)

    # --- people ---------------------------------------------------------------------------------------------------

    def keys(self, state: P) -> Iterator[KeyTable]:
        """What each key means, with nothing asked and nothing held."""
        return keys.key_tables(state)

    def keys_while_held(self, state: P) -> KeyTable:
        """A card that was declared by mistake is taken back although the table is held for it."""
        if not unreported.possible(state):
            return {}
        return {Key.CANCEL: KeyAction(partial(unreported.take_back, state))}

    def undone(self, state: P) -> None:
        """The action before the entry that was taken back stands, and so does a card that was declared before it."""
        state.entry = state.unreported = None

    def moves(self, state: P) -> Iterator[Move]:
        """What a seat does, who comes and goes, with which chips, and where the button lies."""
        return moves.moves(state)

    def prompt(self, state: P, lit: tuple[Key, ...]) -> Prompt:
        """What is to be done, about whom, and with how much in the pot."""
        return prompts.prompt(state, lit)

    @property
    def picks(self) -> tuple[Key, ...]:
        """The keys that choose from the list."""
        return CIRCLE_PICKS

    def unreported(self, state: P) -> None:
        """It can be taken back until something follows."""
        unreported.noted(state)

    # --- money ----------------------------------------------------------------------------------------------------

    def refund(self, state: P, seat: int, *, keeps_entry: bool) -> None:
        """THL-MIS-9: everything that a player put into this hand comes back."""
        refunds.refund(state, seat)

    def keeps_entries(self, state: P) -> bool:
        """Blinds come back."""
        return False

    def limits_changed(self, state: P) -> None:
        """What was looked up of the setup is looked up anew."""
        state.place_rules = state.betting_rules = None

    # --- cards ----------------------------------------------------------------------------------------------------

    def early_clause(self, state: P) -> str:
        """FCD-DSC-3 among others: every card comes out of the deck in its turn."""
        return state.rulebook.errors.outside_shoe

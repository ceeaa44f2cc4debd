"""What families of games between players do each in its own way: common cards and blinds, or discards and antes.

The answers here are those of a game that has neither a resto nor discards.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Iterator
from typing import Any

from tablectl.core.engine.facts import Stacked
from tablectl.core.engine.family import Family, S
from tablectl.core.engine.key_action import KeyTable
from tablectl.core.engine.move import Move
from tablectl.core.engine.prompt import Instruction
from tablectl.core.engine.slots import Slot
from tablectl.core.engine.vocabulary import Key, Refusal
from tablectl.families.pots.betting.legal import Done
from tablectl.families.pots.places import Places
from tablectl.families.pots.players import Absence, WhyNot


class PotHooks(Family[S]):
    """Asked by what all games between players share (`tablectl.families.pots`)."""

    # --- seating --------------------------------------------------------------------------------------------------

    @abstractmethod
    def positions(self, state: S, able: tuple[int, ...]) -> Places | WhyNot:
        """Where the button is in the next hand, who is dealt in, and what each of them has to post."""

    @abstractmethod
    def post(self, state: S) -> None:
        """Blinds or antes are put in: the betting begins."""

    @abstractmethod
    def able(self, state: S) -> tuple[int, ...]:
        """The seats whose player can be dealt in."""

    @abstractmethod
    def clause_on_no_stack(self, state: S, seat: int) -> str:
        """The clause by which a player without chips is not dealt in."""

    @abstractmethod
    def absence(self, state: S) -> Absence:
        """How long the seat of an absent player is kept."""

    def why_not_leave(self, state: S, seat: int) -> tuple[Refusal, str | None, str] | None:
        """Why a player cannot leave now; None where he can, or the pit boss decides."""
        return None

    def may_leave(self, state: S, seat: int) -> bool:
        """Whether a player leaves at once; otherwise it is said why not, or the pit boss is asked."""
        return True

    def player_gone(self, state: S, seat: int) -> None:
        """The player of a seat has left the table."""

    def has_resto(self, state: S) -> bool:
        """Whether chips are bought as a resto, and not as each player likes."""
        return False

    def bought(self, state: S, fact: Stacked) -> None:
        """So many chips lie before a player, of a resto."""

    def may_buy(self, state: S, seat: int) -> bool:
        """Whether a resto can be bought now."""
        return False

    def resto_bounds(self, state: S, seat: int) -> tuple[int, int | None]:
        """What can lie before a player at least and at most."""
        return 0, None

    @abstractmethod
    def may_move_button(self, state: S, seat: int) -> bool:
        """Whether the button can be said to lie at this seat in the middle of a hand."""

    @abstractmethod
    def button_lies(self, state: S, seat: int) -> None:
        """In the middle of a hand the button lies at this seat."""

    # --- betting --------------------------------------------------------------------------------------------------

    @abstractmethod
    def hand_died(self, state: S) -> None:
        """A hand is out of play: who is left, and what that ends."""

    @abstractmethod
    def first_to_act(self, state: S, positions: Places, number: int) -> int:
        """Who speaks first in a round of betting; `number` counts from 0."""

    def may_act(self, state: S, done: Done) -> bool:
        """Whether an action that is legal may be carried out: otherwise it was said why not."""
        return True

    def acted(self, state: S, done: Done) -> None:
        """An action was carried out."""

    def action_undone(self, state: S, done: Done) -> None:
        """An action does not count any more."""

    def round_reopened(self, state: S) -> None:
        """The round that the last entry closed is open again."""

    def passed_out(self, state: S) -> bool:
        """A round is over: whether nobody has bet in it, so that the pot stays for the next hand."""
        return False

    def phase_entered(self, state: S) -> None:
        """What a phase of such a game begins with, beside what those of all games between players begin with."""

    # --- keys -----------------------------------------------------------------------------------------------------

    def keys_of_phase(self, state: S) -> KeyTable:
        """What keys mean in a phase that only such a game has, or beside those of a phase that all have."""
        return {}

    def taken_back(self, state: S) -> Callable[[], object] | None:
        """What takes the last entry back where such a game has its own entries; None where there is none."""
        return None

    def passes_out(self, state: S) -> Callable[[], object] | None:
        """Where only rounds are entered: what says that nobody has bet; None where that ends no hand."""
        return None

    def own_moves(self, state: S) -> Iterator[Move]:
        """What can be entered in such a game alone."""
        return iter(())

    # --- what the croupier is told --------------------------------------------------------------------------------

    def instruction(self, state: S, keys: tuple[Key, ...]) -> tuple[Instruction, str] | None:
        """The instruction of a phase that only such a game has, and what it is about."""
        return None

    # --- the end --------------------------------------------------------------------------------------------------

    def carried(self, state: S) -> int:
        """What lies in the pot from hands before, in the smallest unit of money."""
        return 0

    def is_carried_over(self, state: S) -> bool:
        """Whether nobody wins this pot."""
        return False

    @property
    @abstractmethod
    def may_give_up(self) -> bool:
        """Whether a player may give his hand up unseen at the showdown."""

    @abstractmethod
    def clause_on_side_pots(self, state: S) -> str:
        """The clause that divides a pot among those who are all-in."""

    @abstractmethod
    def hand_slots(self, seat: int) -> tuple[Slot, ...]:
        """The places of the cards of which a player's hand is made, the common ones too."""

    @abstractmethod
    def own_places(self, seat: int) -> tuple[Slot, ...]:
        """Where the cards of a player can lie."""

    def paid(self, state: S) -> None:
        """The pot is delivered, with amounts."""

    def delivered(self, state: S) -> None:
        """The pot is delivered."""


AnyPotFamily = PotHooks[Any]

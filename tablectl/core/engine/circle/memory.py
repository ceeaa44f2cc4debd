"""What the engine remembers of a circle game beside cards: players and button between hands, the betting within one."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final

from tablectl.core.engine.circle.betting.limits import BettingRules
from tablectl.core.engine.circle.betting.rounds import Rounds
from tablectl.core.engine.circle.common_cards.early_cards import EarlyCards
from tablectl.core.engine.circle.draw.memory import DrawMemory
from tablectl.core.engine.circle.seating.places import Markers, PlaceRules, Places
from tablectl.core.engine.circle.seating.players import Players, Presence
from tablectl.core.engine.words import SeatChange

if TYPE_CHECKING:
    from tablectl.core.engine.circle.speech.correction import Entry
    from tablectl.core.engine.circle.speech.out_of_turn import Waiting
    from tablectl.core.engine.deal import Draw
    from tablectl.core.engine.facts import Acted, PutIn
    from tablectl.core.engine.rulebook import Phase


_NOBODY: Final[Mapping[int, Any]] = MappingProxyType({})


class Memory:
    """Mutable and private to the engine; made of nothing but facts, so a replay makes the same one."""

    __slots__ = (
        "_players",
        "behind",
        "betting_rules",
        "chosen",
        "dealt_in",
        "draw_memory",
        "draw_waits",
        "early",
        "entered",
        "entry",
        "final_folds",
        "frozen",
        "gave_up",
        "has_shown",
        "is_all_in",
        "markers",
        "moves",
        "muck",
        "noticed",
        "offered",
        "place_rules",
        "positions",
        "present",
        "rounds",
        "stacks",
        "stored",
        "to_show",
        "unreported",
        "won",
    )

    def __init__(self, draw: DrawMemory | None = None) -> None:
        #: what a game with discards remembers beside; None in one with common cards
        self.draw_memory = draw
        self.players = ()
        #: chips before each player, between hands; of a seat that is missing nobody entered them
        self.stacks: dict[int, int] = {}
        #: where button and blinds were in the hand before; None before the button was drawn
        self.markers: Markers | None = None
        #: what table and house settle about places and bets, once it was looked up: new rules come with a new memory
        self.place_rules: PlaceRules | None = None
        self.betting_rules: BettingRules | None = None
        self.forget_hand()

    def forget_hand(self) -> None:
        """Nothing of the hand is there any more."""
        if self.draw_memory is not None:
            self.draw_memory.forget_hand()
        self.positions: Places | None = None
        self.rounds: Rounds | None = None
        #: common cards that came too soon, and what that changes of the streets to come
        self.early = EarlyCards()
        #: the phase that was just entered, and what follows from that is not done yet
        self.entered: Phase | None = None
        # These three are replaced and never changed: an entry remembers them as they were.
        #: actions out of turn that wait for the seat's turn (THL-PLE-6)
        self.stored: Mapping[int, Waiting] = _NOBODY
        #: the seats that have acted out of turn since the one in turn has it (THL-PLE-13)
        self.behind: tuple[int, ...] = ()
        #: chips of this round that a seat cannot take back, as its whole stake; None where no amount is known
        self.frozen: Mapping[int, int | None] = _NOBODY
        #: what was entered for another seat than the one in turn, while the croupier is asked about it
        self.offered: Acted | PutIn | None = None
        #: whose action the next key is, where the croupier chose a seat
        self.chosen: int | None = None
        #: the next action is with the last chips
        self.is_all_in = False
        #: how it was before the last entry, while nothing has happened since
        self.entry: Entry | None = None
        #: seats that have still to show or to give up, in order; those that have shown
        self.to_show: list[int] = []
        self.has_shown: set[int] = set()
        #: seats that threw their hand at their turn to show, or facing a bet: these are never taken back (THL-PLE-2)
        self.gave_up: set[int] = set()
        self.final_folds: set[int] = set()
        #: numbers of the draws that antennas saw among the discards, in the order of their arrival
        self.muck: list[int] = []
        #: seats of whose cards among the discards something was said already
        self.noticed: set[int] = set()
        #: the players when the blinds were posted, and who came or went since: that counts from the next hand on
        self.dealt_in: Players = ()
        self.moves: list[tuple[int, SeatChange]] = []
        #: the draw for the button waits until a person says which card an unread one is
        self.draw_waits = False
        #: a card that was declared to be out although the shoe reported none, while nothing has followed
        self.unreported: Draw | None = None
        #: what each seat gets when the hand is closed: pots and what was not called
        self.won: dict[int, int] = {}

    @property
    def players(self) -> Players:
        """Who has a seat, by its number."""
        return self._players

    @players.setter
    def players(self, players: Players) -> None:
        self._players = players
        #: the seats whose player is there, by number
        self.present = tuple([player.seat for player in players if player.presence is Presence.IN])

    @property
    def draw(self) -> DrawMemory:
        """What a game with discards remembers: asked for in such a game alone."""
        assert self.draw_memory is not None, "this game has no discards"
        return self.draw_memory

    def forget_out_of_turn(self) -> None:
        """Nobody's action waits for his turn any more, and nobody's chips lie there since before it."""
        self.stored, self.behind, self.frozen = _NOBODY, (), _NOBODY

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
    def turn(self) -> int | None:
        """Whose turn it is to speak; None outside a round."""
        return self.rounds.turn if self.rounds is not None else None

    @property
    def able(self) -> tuple[int, ...]:
        """The seats whose player is there and has chips, as far as they are entered."""
        return tuple([seat for seat in self.present if self.stacks.get(seat, 1) > 0])

"""A croupier of a circle game who does what the prompt says, and draws cards when none is due."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final

from tablectl.core.cards import DECK, Card
from tablectl.core.engine import antennas
from tablectl.core.engine import decisions as d
from tablectl.core.engine import facts as f
from tablectl.core.engine.deal import Draw
from tablectl.core.engine.prompt import Instruction
from tablectl.core.engine.slots import Slot
from tablectl.core.engine.state import State
from tablectl.core.engine.vocabulary import Declaration, Equipment, Key
from tablectl.families.holdem import stub
from tablectl.families.pots.state import PotGameState
from tests.engine.states import holdem
from tests.families.pots.board_hands import Hand

SPOTS: Final = ("board", "board", "burn", "board", "seat-2", "discard")
DECLARED: Final = (
    Declaration.NO_BURN,
    Declaration.DOUBLE_BURN,
    Declaration.FLOP_COUNT,
    Declaration.DISCARDS_SEEN,
    Declaration.STUB_SHOWN,
)
_SPEECH: Final[tuple[Key, ...]] = (Key.CHECK, Key.CALL, Key.BET, Key.RAISE, Key.FOLD, Key.ALL_CHECK, Key.ALL_IN)
_ANSWERS: Final[tuple[Key, ...]] = (Key.CONFIRM, Key.NOT_SEEN, Key.SEEN, Key.CANCEL, Key.SEAT_1, Key.SEAT_2)
_KEYS: Final = {
    Instruction.NEW_HAND: Key.NEW_HAND,
    Instruction.POST_BLINDS: Key.NO_MORE_BETS,
    Instruction.CLOSE_ROUND: Key.CONFIRM,
    Instruction.SHOW_HAND: Key.SHOW_ALL,
    Instruction.DELIVER: Key.CONFIRM,
    Instruction.COLLECT: Key.CONFIRM,
}


@dataclass
class Told:
    """What followed from one fact, and what the table was before it."""

    fact: f.Fact
    decisions: tuple[d.Decision, ...]
    was_held: bool
    had_slot: frozenset[int]
    were_back: frozenset[int]


@dataclass
class BoardScenario:
    """One hand. Every number drawn by a test is one move: most play on, some are mistakes."""

    hand: Hand
    told: list[Told] = field(default_factory=list)

    @property
    def state(self) -> State:
        return self.hand.table.state

    def tell(self, fact: f.Fact) -> None:
        draws = self.state.deal.draws
        before = (
            self.state.held,
            frozenset(draw.number for draw in draws if draw.slot is not None),
            frozenset(draw.number for draw in draws if draw.is_back),
        )
        self.told.append(Told(fact, self.hand.table.apply(fact), *before))

    def card_comes(self, spot: str, choice: int) -> None:
        """One that can still come out of the deck."""
        left = [card for card in DECK if not self.state.deal.knows(card)]
        if not left:
            return
        card = left[choice % len(left)]
        if self.state.setup.equipment is not Equipment.ANTENNAS:
            self.tell(f.Drawn(at_us=0, card=card))
        if self.state.setup.equipment is not Equipment.SHOE:
            self.tell(f.Seen(at_us=0, spot=spot, card=card))

    def mistake(self, kind: int, choice: int) -> None:
        """A card too soon, something said of burns and flop, a card lifted, a shuffle."""
        lying = list(self.state.felt.seen_at.items())
        if kind < 4:
            self.card_comes(SPOTS[choice % len(SPOTS)], choice)
        elif kind == 4 and lying:
            number, spot = lying[choice % len(lying)]
            self.tell(f.Gone(at_us=0, spot=spot, card=self.state.deal.draws[number - 1].card))
        elif kind == 5 and stub.is_open(holdem(self.hand.table)):
            self.tell(f.Shuffled(at_us=0, cards=stub.undealt(holdem(self.hand.table)) - (choice % 3) // 2))
        else:
            self.tell(f.Declared(at_us=0, what=DECLARED[choice % len(DECLARED)], cards=2 + choice % 3))

    def go_on(self, choice: int) -> None:
        """What the prompt asks for."""
        prompt, state = self.hand.table.prompt(), self.state
        wake_us = self.hand.table.wake_us
        if wake_us is not None and choice % 3 == 0:
            self.tell(f.TimePassed(at_us=wake_us))
            return
        match prompt.instruction:
            case Instruction.DEAL:
                due = state.deal.due
                assert due is not None
                self.card_comes(due.spot, choice)
            case Instruction.SPEAK:
                keys = [key for key in _SPEECH if key in prompt.keys]
                self._press(keys[choice % len(keys)])
            case Instruction.ANSWER:
                keys = [key for key in _ANSWERS if key in prompt.keys]
                self._press(keys[choice % len(keys)])
            case Instruction.WAIT_PIT_BOSS:
                assert prompt.incident is not None
                remedies = state.ruling[prompt.incident].remedies
                remedy = remedies[choice % len(remedies)]
                self.tell(f.Ruled(at_us=0, incident=prompt.incident, remedy=remedy, by="ana", reason="seen"))
            case Instruction.COLLECT if antennas.still_there(state):
                number, spot = next(item for item in state.felt.seen_at.items() if item[1] != "discard")
                self.tell(f.Gone(at_us=0, spot=spot, card=state.deal.draws[number - 1].card))
            case Instruction.NAME_CARD:
                left = [card for card in DECK if not state.deal.knows(card)]
                self.tell(f.Named(at_us=0, slot=prompt.about, card=left[choice % len(left)], by="ana"))
            case instruction:
                self._press(_KEYS[instruction])

    def end(self, at_most: int = 200) -> None:
        """Play on until the hand is over and nothing waits."""
        for _ in range(at_most):
            if not self.state.in_play and not self.state.held:
                return
            self.go_on(0)
        raise AssertionError(f"the hand does not end: {self.hand.table.prompt()}")

    def _press(self, key: Key) -> None:
        self.tell(f.Pressed(at_us=0, key=key))


def places(state: State) -> list[tuple[Draw, int]]:
    """Each card of the hand that is not back in the deck, and in how many places it is."""
    circle, at = state, state.deal.at
    assert isinstance(circle, PotGameState)
    asked = [pending.incident for pending in state.asking if pending.incident is not None]
    incidents = {id(incident.draw) for incident in (*asked, *state.ruling.values())}
    numbers = {pending.drawn for pending in state.asking}
    return [
        (
            draw,
            sum(
                (
                    draw.slot is not None and (draw.slot.spot == "discard" or at.get(draw.slot) is draw),
                    sum(card is draw for card in state.deal.waiting),
                    draw.slot is None
                    and (
                        id(draw) in incidents
                        or draw.number in numbers
                        or any(card is draw for card in circle.early.asked)
                    ),
                    draw.slot is None and state.felt.is_passing(draw),
                )
            ),
        )
        for draw in state.deal.draws
        if not draw.is_back
    ]


def faces(at: dict[Slot, Draw]) -> list[Card]:
    """What lies on the felt."""
    return [draw.card for draw in at.values() if draw.card is not None]

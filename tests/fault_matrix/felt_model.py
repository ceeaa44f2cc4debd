"""The truth on the felt: which card lies where, what readers tell of it, and a croupier who answers truthfully.

The model knows nothing of the rules: it carries cards, reports them as the equipment would, and answers what it is
asked.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Final

from tablectl.core.cards import Card, cards
from tablectl.core.engine import decisions as d
from tablectl.core.engine import facts as f
from tablectl.core.engine.deal import Draw
from tablectl.core.engine.prompt import Instruction, Prompt
from tablectl.core.engine.rulebook import Kind
from tablectl.core.engine.slots import BY_NAME
from tablectl.core.engine.vocabulary import Key, Question, Remedy
from tablectl.journal.handfile.facts import parse_fact
from tests.fault_matrix.hand_plans import CARDS, table_of

#: Between two facts: shorter than the dwell time, so that nothing counts before it has to.
_BETWEEN_US: Final = 200_000
#: Between two cards of a deal.
_A_CARD_US: Final = 800_000
#: More answers than any hand wants.
_MOST: Final = 40


class StuckError(AssertionError):
    """The model cannot go on: nobody knows what is wanted, or the table turns in a circle."""


@dataclass
class Physical:
    """A card as it lies there. `tag` is what its reader says of it: None where it cannot be read."""

    card: Card
    spot: str
    tag: Card | None
    is_seen: bool = False


@dataclass
class Truth:
    """What the people at the table know of the fault, to answer with."""

    is_seen: bool = False
    spot: str = "seat-1"
    #: the spot that has one card less because another has one more
    too_few: str | None = None
    lap: int = 2
    two_acted: bool = False
    #: whether what a reader tells is so: a card that it could not read, or that is back, gives none of these faults
    is_at_fault: bool = True
    #: the card that is missing is the one that the table waits for
    is_due: bool = False


@dataclass
class FeltModel:
    """One table, one hand, one kind of equipment."""

    game: str
    equipment: str
    truth: Truth = field(default_factory=Truth)
    cards: list[Physical] = field(default_factory=list)
    said: list[d.Decision] = field(default_factory=list)
    asked: list[Question] = field(default_factory=list)
    #: what the pit boss had to choose from
    ruled: list[tuple[Remedy, ...]] = field(default_factory=list)
    named: int = 0

    def __post_init__(self) -> None:
        self.table = table_of(self.game, self.equipment)
        self._deck = iter(cards(CARDS))
        self._at_us = 0

    # --- facts -------------------------------------------------------------------------------------------------------

    def _now(self) -> int:
        self._at_us += _BETWEEN_US
        return self._at_us

    def tell(self, fact: f.Fact) -> tuple[d.Decision, ...]:
        found = self.table.apply(fact)
        self.said += found
        return found

    def enter(self, line: str) -> tuple[d.Decision, ...]:
        """A line of a hand file."""
        return self.tell(parse_fact(line, self._now(), self.table.state.setup))

    def press(self, key: Key) -> None:
        self.tell(f.Pressed(at_us=self._now(), key=key))

    def draw(self, spot: str, *, is_readable: bool = True, card: Card | None = None) -> Physical:
        """The next card of the deck is laid at this spot, and each reader tells what it sees."""
        self._at_us += _A_CARD_US
        face = card or next(self._deck)
        lies = Physical(face, spot, face if is_readable else None)
        self.cards.append(lies)
        if self.equipment != "antennas":
            self.tell(f.Drawn(at_us=self._now(), card=lies.tag))
        if self.equipment != "shoe" and lies.tag is not None:
            self.tell(f.Seen(at_us=self._now(), spot=spot, card=lies.tag))
        return lies

    def carry(self, lies: Physical, spot: str) -> None:
        """A card is carried from where it lies to another spot."""
        before, lies.spot = lies.spot, spot
        if self.equipment == "shoe" or lies.tag is None or before == spot:
            return
        self.tell(f.Gone(at_us=self._now(), spot=before, card=lies.tag))
        if spot != "deck":
            self.tell(f.Seen(at_us=self._now(), spot=spot, card=lies.tag))

    def wait(self) -> None:
        """Time passes: whatever the table waits for comes to its moment."""
        for _ in range(_MOST):
            wake = self.table.wake_us
            if wake is None:
                return
            self._at_us = max(self._at_us, wake)
            self.tell(f.TimePassed(at_us=self._at_us))
            if self.table.wake_us == wake:
                return

    def count(self, spot: str) -> int:
        """How many cards lie there in truth."""
        return sum(lies.spot == spot for lies in self.cards)

    # --- answers -----------------------------------------------------------------------------------------------------

    @property
    def is_noticed(self) -> bool:
        """Whether the table said that something is wrong, or asks about it."""
        return bool(self.asked) or any(isinstance(said, d.IncidentRaised) for said in self.said)

    def settle(self) -> None:
        """Every question is answered truthfully, and the pit boss takes what is proposed."""
        for _ in range(_MOST):
            prompt = self.table.prompt()
            if prompt.instruction is Instruction.ANSWER:
                self._answer(prompt)
            elif prompt.instruction is Instruction.WAIT_PIT_BOSS:
                self._rule(prompt)
            elif prompt.instruction is Instruction.NAME_CARD:
                self._name(prompt.about)
            else:
                return
        raise StuckError(f"still asked: {self.table.prompt()}")

    def _rule(self, prompt: Prompt) -> None:
        assert prompt.incident is not None
        remedies = self.table.state.ruling[prompt.incident].remedies
        self.ruled.append(remedies)
        number = prompt.incident
        self.tell(
            f.Ruled(at_us=self._now(), incident=number, remedy=remedies[0], by="ana", second="luis", reason="seen")
        )
        if number in self.table.state.ruling:
            raise StuckError(f"the ruling was refused: {self.said[-1]}")

    def _name(self, slot: str) -> None:
        draw = self.table.state.deal.at[BY_NAME[slot]]
        self.named += 1
        self.tell(f.Named(at_us=self._now(), slot=slot, card=self._physical(draw).card, by="ana"))

    def _physical(self, draw: Draw) -> Physical:
        """The card that the table means: by its face, otherwise by the order of drawing."""
        known = [lies for lies in self.cards if draw.card is not None and lies.tag == draw.card]
        return known[-1] if known else self.cards[draw.number - 1]

    def _answer(self, prompt: Prompt) -> None:
        question = prompt.question
        assert question is not None
        self.asked.append(question)
        key = self._key(question, prompt)
        if question is Question.RECONSTRUCTED and key is Key.CONFIRM and self.truth.is_at_fault:
            self.follow()  # nobody saw a card (AMB-15): they are carried to their places first
        if key not in prompt.keys:
            raise StuckError(f"{question} about {prompt.about}: {key} is no answer, but {prompt.keys}")
        self.press(key)
        if question in (Question.MOVED, Question.PUT_AWAY):
            self.follow()

    def follow(self) -> None:
        """The croupier lays every card where the table says that it belongs."""
        for draw in list(self.table.state.deal.draws):
            slot, lies = draw.slot, self._physical(draw)
            if slot is not None and lies.spot not in {slot.spot, "deck"}:
                self.carry(lies, slot.spot)

    def _key(self, question: Question, prompt: Prompt) -> Key:
        truth = self.truth
        answers: dict[Question, Callable[[], Key]] = {
            Question.SEEN: lambda: Key.SEEN if truth.is_seen else Key.NOT_SEEN,
            Question.LOOKED: lambda: Key.SEEN if truth.is_seen else Key.NOT_SEEN,
            Question.COUNT_SPOT: lambda: _spot_key(self._wrong_spot()),
            Question.COUNT_CARDS: lambda: _number_key(self.count(prompt.about)),
            Question.COUNT_LAP: lambda: _number_key(truth.lap),
            Question.TOO_FEW_SPOT: lambda: _spot_key(truth.too_few),
            Question.WHICH_SEAT: lambda: _spot_key(truth.spot),
            Question.OTHER_SEAT: lambda: _spot_key(truth.too_few),
            Question.LIES_THERE: lambda: Key.CONFIRM if truth.is_at_fault else Key.CANCEL,
            Question.RECONSTRUCTED: lambda: Key.CANCEL if truth.is_seen else Key.CONFIRM,
            Question.TWO_ACTIONS: lambda: Key.CONFIRM if truth.two_acted else Key.CANCEL,
        }
        return answers.get(question, lambda: Key.CONFIRM)()

    def _wrong_spot(self) -> str | None:
        """Where more cards lie than belong there."""
        hole = [spot for spot in ("seat-1", "seat-2", "seat-3", "house") if self.count(spot) > 2]
        return hole[0] if hole else None

    # --- the rest of the hand ----------------------------------------------------------------------------------------

    def play_on(self) -> None:
        """Everybody does what the table says until the hand is over."""
        for _ in range(120):
            self.settle()
            state = self.table.state
            if not state.in_play:
                return
            self._next_step(state.phase.kind)
        raise StuckError(f"the hand does not end: {self.table.prompt()}")

    def _next_step(self, kind: Kind) -> None:
        told = self.table.prompt()
        if kind is Kind.VOIDED:
            for lies in self.cards:
                self.carry(lies, "deck")
            self.press(Key.CONFIRM)
        elif told.instruction is Instruction.DEAL:
            due = self.table.state.deal.due
            if due is None:
                raise StuckError(f"no card is due: {told}")
            self.draw(due.spot)
        elif told.instruction is Instruction.SPEAK:
            legal = told.legal
            self.enter("act check" if legal is None or legal.may_check else "act call")
        else:
            wanted = (Key.BET, Key.CHECK, Key.ALL_CHECK, Key.SHOW_ALL, Key.BANK, Key.NO_MORE_BETS, Key.CONFIRM)
            live = [key for key in wanted if key in told.keys]
            if not live:
                raise StuckError(f"nothing to press: {told}")
            self.press(live[0])

    # --- money -------------------------------------------------------------------------------------------------------

    def refunded(self) -> Counter[int]:
        """What went back, by seat."""
        back: Counter[int] = Counter()
        for said in self.said:
            if isinstance(said, d.Refund):
                back[said.seat] += said.amount or 0
        return back


def _spot_key(spot: str | None) -> Key:
    if spot is None:
        return Key.CONFIRM
    return Key.BANK if spot == "house" else Key(spot)


def _number_key(number: int) -> Key:
    return Key.NOT_SEEN if number == 0 else Key(f"seat-{number}")

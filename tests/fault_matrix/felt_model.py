"""The truth on the felt: which card lies where, what readers tell of it, and a croupier who answers truthfully.

The model knows nothing of the rules: it carries cards, reports them as the equipment would, and answers what it is
asked.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from types import EllipsisType
from typing import Final

from msgspec import UNSET

from tablectl.core.cards import Card, cards
from tablectl.core.engine import decisions as d
from tablectl.core.engine import facts as f
from tablectl.core.engine.deal import STAND_IN, Draw
from tablectl.core.engine.prompt import Instruction, Prompt
from tablectl.core.engine.rulebook import Kind
from tablectl.core.engine.slots import ASIDE, BOARD, BURN, BY_NAME
from tablectl.core.engine.vocabulary import Declaration, Key, Question, Remedy
from tablectl.families.pots.state import PotGameState
from tablectl.journal.handfile.facts import parse_fact
from tests.fault_matrix.hand_plans import NAME, THROW, deck_of, table_of

#: Between two facts: shorter than the dwell time, so that nothing counts before it has to.
_BETWEEN_US: Final = 200_000
#: Between two cards of a deal.
_A_CARD_US: Final = 800_000
#: What a question calls the place under the stub (FCD-IRR-9).
_STUB: Final = "stub"
_FIVE: Final = 5
#: What the table tells the croupier to do, where a key says that it is done.
_ALWAYS: Final = {Instruction.OFFER_CUT: Key.CONFIRM, Instruction.POST_ANTES: Key.NO_MORE_BETS}
_SEATS: Final = ("seat-1", "seat-2", "seat-3")
#: More answers than any hand wants.
_MOST: Final = 40


#: The places whose cards are counted.
_COUNTED: Final = ("seat-1", "seat-2", "seat-3", "house")


class StuckError(AssertionError):
    """The model cannot go on: nobody knows what is wanted, or the table turns in a circle."""


@dataclass
class Physical:
    """A card as it lies there. `tag` is what its reader says of it: None where it cannot be read."""

    card: Card
    spot: str
    tag: Card | None
    is_seen: bool = False
    #: its player does not put it away
    is_kept: bool = False
    #: the number of the fact that told it first, in its hand
    fact: int = 0
    #: which card a person says that it is, if that is wrong
    named_as: Card | None = None
    #: the seat that should not have put it among the discards
    wanted_by: str = ""


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
    #: whether somebody can still say which card should have gone where
    is_reconstructable: bool = True
    #: the seats whose players have looked at their cards
    looked: frozenset[str] = frozenset()
    #: how many cards those change who still change any
    changes: Mapping[str, int] = field(default_factory=dict)
    #: whether the hand that is over stands as it was played: whoever decides on a claim leaves it so
    stands: bool = False


@dataclass
class FeltModel:
    """One table, one hand, one kind of equipment."""

    game: str
    equipment: str
    truth: Truth = field(default_factory=Truth)
    cards: list[Physical] = field(default_factory=list)
    said: list[d.Decision] = field(default_factory=list)
    asked: list[Question] = field(default_factory=list)
    #: what the pit boss chose: what was proposed to him, or what is so
    ruled: list[Remedy] = field(default_factory=list)
    #: how many cards that no reader could read were named, and how often what was named was confirmed
    named: int = 0
    approved: int = 0
    #: the cards in the order of drawing, where they are not those of the clean hand
    deck: str = ""
    #: where the croupier is about to deal the next card
    next_spot: str | None = None
    #: how many facts the hand has had; the one that opened it is the first
    n_facts: int = 1
    #: what a person says who is asked to name a card where none lies
    says_none_lies: Callable[[], str] | None = None
    #: is told each fact, what the table said of it, and what it wants then; None where nobody wants to know
    hear: Callable[[str], None] | None = None

    def __post_init__(self) -> None:
        self.table = table_of(self.game, self.equipment)
        self._deck = iter(cards(self.deck or deck_of(self.game)))
        self._at_us = 0
        self._n_forgotten = 0

    # --- facts -------------------------------------------------------------------------------------------------------

    def now(self) -> int:
        """When the next fact is told."""
        self._at_us += _BETWEEN_US
        return self._at_us

    def tell(self, fact: f.Fact) -> tuple[d.Decision, ...]:
        wake = self.table.wake_us
        if wake is not None and wake <= fact.at_us and not isinstance(fact, f.TimePassed):
            self.tell(f.TimePassed(at_us=wake))  # a moment for which the table asked comes before it
        self.n_facts += 1
        found = self.table.apply(fact)
        self.said += found
        if self.hear is not None:
            self._tell_steps(self.hear, fact, found)
        return found

    def _tell_steps(self, hear: Callable[[str], None], fact: f.Fact, found: tuple[d.Decision, ...]) -> None:
        hear(f"> {fact}")
        for said in found:
            hear(f"    {said}")
        prompt = self.table.prompt()
        hear(f"    {prompt.instruction} {prompt.about} {prompt.question or ''}")

    def enter(self, line: str) -> tuple[d.Decision, ...]:
        """A line of a hand file, or what a player or the croupier does with cards. Where the table waits for a card
        that lies there, the croupier says so first."""
        if line.startswith(THROW):
            spot, cards = line.removeprefix(THROW).split()
            self.throw(spot, int(cards))
            return ()
        if line == NAME:
            self.settle()
            return ()
        self._says_that_it_lies_there()
        return self.tell(parse_fact(line, self.now(), self.table.state.setup))

    def _says_that_it_lies_there(self) -> bool:
        """Of a card that nobody could read and that the table still waits for. False where there is none."""
        told, deal = self.table.prompt(), self.table.state.deal
        if told.instruction is not Instruction.DEAL or told.about not in BY_NAME or len(deal.draws) >= len(self.cards):
            return False
        if not any(lies.tag is None and lies.spot == BY_NAME[told.about].spot for lies in self.cards):
            return False
        self.tell(parse_fact("declare unreported-card", self.now(), self.table.state.setup))
        return True

    def press(self, key: Key) -> None:
        self.tell(f.Pressed(at_us=self.now(), key=key))

    def draw(
        self,
        spot: str,
        *,
        is_readable: bool = True,
        card: Card | None = None,
        by_shoe: Card | EllipsisType | None = ...,
        by_antenna: Card | EllipsisType | None = ...,
    ) -> Physical:
        """The next card of the deck is laid at this spot, and each reader tells what it sees: the card, unless another
        one, or none, is named for it."""
        self._at_us += _A_CARD_US
        face = card or next(self._deck)
        known = face if is_readable else None
        shoe = known if by_shoe is ... else by_shoe
        antenna = known if by_antenna is ... else by_antenna
        lies = Physical(face, spot, shoe if self.equipment == "shoe" else antenna, fact=self.n_facts + 1)
        self.cards.append(lies)
        if self.equipment != "antennas":
            self.tell(f.Drawn(at_us=self.now(), card=shoe))
        if self.equipment != "shoe" and antenna is not None:
            self.tell(f.Seen(at_us=self.now(), spot=spot, card=antenna))
        return lies

    def deal(self, spot: str) -> None:
        """As the hand wants it: common cards lie face up."""
        self.draw(spot).is_seen = spot == BOARD[0].spot

    def carry(self, lies: Physical, spot: str) -> None:
        """A card is carried from where it lies to another spot."""
        before, lies.spot = lies.spot, spot
        if self.equipment == "shoe" or lies.tag is None or before == spot:
            return
        self.tell(f.Gone(at_us=self.now(), spot=before, card=lies.tag))
        if spot != "deck":
            self.tell(f.Seen(at_us=self.now(), spot=spot, card=lies.tag))

    def throw(self, spot: str, number: int, *, too_many: int = 0) -> None:
        """The last cards of a seat are put among the discards; where nobody counts them there, the croupier says it.
        `too_many`: so many of them should not have been."""
        lying = [lies for lies in self.cards if lies.spot == spot and not lies.is_kept]
        thrown = lying[len(lying) - number :]
        for nth, lies in enumerate(thrown, start=1):
            lies.wanted_by = spot if nth > number - too_many else ""
            self.carry(lies, "discard")
        if self.table.prompt().instruction is Instruction.PUT_AWAY:
            self.press(Key.CONFIRM)

    def forget_told(self) -> None:
        """What was said so far is not about the fault."""
        self._n_forgotten = len(self.asked)
        self.said.clear()
        self.ruled.clear()
        self.named = 0

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

    def lies_there(self) -> None:
        """Nothing happens for so long that every card counts where it lies."""
        self.wait()
        self._at_us += self.table.state.rulebook.dwell_us

    def count(self, spot: str) -> int:
        """How many cards lie there in truth."""
        return sum(lies.spot == spot for lies in self.cards)

    # --- answers -----------------------------------------------------------------------------------------------------

    @property
    def is_noticed(self) -> bool:
        """Whether the table said that something is wrong, or asks about it."""
        told = any(isinstance(said, d.IncidentRaised | d.Asked) for said in self.said)
        return told or len(self.asked) > self._n_forgotten

    def settle(self, *, names: bool = True) -> None:
        """Every question is answered truthfully, and the pit boss takes what is proposed, but for a claim that
        changes nothing. `names`: cards are named, if that is asked for."""
        for _ in range(_MOST):
            prompt = self.table.prompt()
            if prompt.instruction is Instruction.ANSWER:
                self._answer(prompt)
            elif prompt.instruction is Instruction.WAIT_PIT_BOSS:
                self._rule(prompt)
            elif prompt.instruction is Instruction.NAME_CARD and names:
                self._name(prompt.about)
            else:
                return
        raise StuckError(f"still asked: {self.table.prompt()}")

    def _rule(self, prompt: Prompt) -> None:
        assert prompt.incident is not None
        number, state = prompt.incident, self.table.state
        observed = next(said for said in self.said if isinstance(said, d.IncidentRaised) and said.incident == number)
        is_claim = observed.observed == Declaration.CLAIM
        offered = state.ruling[number].remedies
        remedy = Remedy.CONTINUE if is_claim and self.truth.stands else offered[0]
        if remedy is Remedy.APPROVE:
            self.approved += 1
        else:
            self.ruled.append(remedy)
        self.tell(f.Ruled(at_us=self.now(), incident=number, remedy=remedy, by="ana", second="luis", reason="seen"))
        if number in self.table.state.ruling:
            raise StuckError(f"the ruling was refused: {self.said[-1]}")
        if is_claim and remedy is Remedy.CORRECT:
            assert isinstance(state, PotGameState), "only these know claims"
            self._move_chips(state.stacks)

    def _move_chips(self, stacks: Mapping[int, int]) -> None:
        """From one player who was in the hand that is over to another one, line by line."""
        one, other = sorted(stacks)[:2]
        for seat, amount in ((one, stacks[one] - 100), (other, stacks[other] + 100)):
            self.tell(f.Stacked(at_us=self.now(), seat=seat, amount=amount))

    def _name(self, slot: str) -> None:
        place = BY_NAME[slot]
        draw = self.table.state.deal.at[place]
        if draw.number == STAND_IN and not self._unknown_at(place.spot) and self.says_none_lies is not None:
            says, self.says_none_lies = self.says_none_lies, None
            self.enter(says())
            return
        lies = self._one_at(place.spot) if draw.number == STAND_IN else self._physical(draw)
        self.named += lies.tag is not lies.card
        self.tell(f.Named(at_us=self.now(), slot=slot, card=lies.named_as or lies.card, by="ana"))

    def _one_at(self, spot: str) -> Physical:
        """A card that lies there and that the table does not know to lie there."""
        lying = self._unknown_at(spot)
        if not lying:
            raise StuckError(f"{spot} has no card that is not known")
        return lying[0]

    def _unknown_at(self, spot: str) -> list[Physical]:
        known = {draw.card for slot, draw in self.table.state.deal.at.items() if slot.spot == spot}
        return [lies for lies in self.cards if lies.spot == spot and lies.card not in known]

    def _physical(self, draw: Draw) -> Physical:
        """The card that the table means: by its face, otherwise by the order of drawing."""
        known = [lies for lies in self.cards if draw.card is not None and lies.tag == draw.card]
        if not known and draw.slot is not None:
            known = [lies for lies in self.cards if lies.tag is None and lies.spot == draw.slot.spot]
        return known[-1] if known else self.cards[draw.number - 1]

    def _answer(self, prompt: Prompt) -> None:
        question = prompt.question
        assert question is not None
        self.asked.append(question)
        key = self._key(question, prompt)
        if question is Question.MOVED:
            self._carry_to(prompt.about)
        if question is Question.RECONSTRUCTED and key is Key.CONFIRM and self.truth.is_at_fault:
            self.follow()  # nobody saw a card (AMB-15): they are carried to their places first
        if key not in _answers(prompt):
            raise StuckError(f"{question} about {prompt.about}: {key} is no answer, but {prompt.keys}")
        self.press(key)
        if question in (Question.MOVED, Question.PUT_AWAY) and key is Key.CONFIRM:
            self.follow()

    def _carry_to(self, where: str) -> None:
        """A card too many goes under the stub, or to the seat that is named; cards that were thrown in error go back
        to it."""
        thrown = [lies for lies in self.cards if lies.wanted_by == where]
        for lies in thrown:
            lies.wanted_by = ""
            self.carry(lies, where)
        if where in (_STUB, *_SEATS) and not thrown:
            giver = max(_SEATS, key=self.count)
            given = [lies for lies in self.cards if lies.spot == giver][-1]
            self.carry(given, "deck" if where == _STUB else where)

    def follow(self) -> None:
        """The croupier lays every card where the table says that it belongs."""
        for draw in list(self.table.state.deal.draws):
            slot, lies = draw.slot, self._physical(draw)
            if slot is not None and lies.spot not in {slot.spot, "deck"}:
                self.carry(lies, slot.spot)

    def _key(self, question: Question, prompt: Prompt) -> Key:
        truth = self.truth
        answers: dict[Question, Callable[[], Key]] = {
            Question.SEEN: lambda: (
                self._where(prompt) or (Key.SEEN if truth.is_seen or self._lies_open_elsewhere() else Key.NOT_SEEN)
            ),
            Question.PUT_AWAY: lambda: self._where(prompt) or Key.CONFIRM,
            Question.LOOKED: lambda: Key.SEEN if prompt.about in truth.looked else Key.NOT_SEEN,
            Question.REDEAL_OR_CORRECT: lambda: Key.NEW_HAND if self._proposes_redeal(prompt) else Key.CONFIRM,
            Question.COUNT_SPOT: lambda: Key.CANCEL if self._is_burn_asked(prompt) else _spot_key(self._wrong_spot()),
            Question.COUNT_CARDS: lambda: _number_key(self.count(prompt.about)),
            Question.COUNT_LAP: lambda: _number_key(
                self._place_of_burn() if prompt.about == BURN[0].spot else truth.lap
            ),
            Question.TOO_FEW_SPOT: lambda: _spot_key(truth.too_few),
            Question.WHICH_SEAT: lambda: _spot_key(truth.spot),
            Question.OTHER_SEAT: lambda: _spot_key(truth.too_few),
            Question.NEXT_SEAT: lambda: _spot_key(self.next_spot),
            Question.LIES_THERE: lambda: Key.CONFIRM if truth.is_at_fault else Key.CANCEL,
            Question.RECONSTRUCTED: lambda: (
                Key.CANCEL if truth.is_seen or not truth.is_reconstructable else Key.CONFIRM
            ),
            Question.UNREAD_THERE: lambda: Key.CONFIRM if self._lies_at(prompt.about) else Key.CANCEL,
            Question.TWO_ACTIONS: lambda: Key.CONFIRM if truth.two_acted else Key.CANCEL,
        }
        return answers.get(question, lambda: Key.CONFIRM)()

    def _proposes_redeal(self, prompt: Prompt) -> bool:
        raised = [said for said in self.said if isinstance(said, d.IncidentRaised) and said.incident == prompt.incident]
        return raised[-1].remedies[0] is Remedy.REDEAL

    def _place_of_burn(self) -> int:
        """Which of the common cards that are dealt lies among the burns in truth."""
        deal = self.table.state.deal
        lying = [self._physical(deal.at[slot]).spot for slot in deal.plan if slot in deal.at]
        return lying.index(BURN[0].spot) + 1

    def _is_burn_asked(self, prompt: Prompt) -> bool:
        """Whether the burns have one too many, and the table asks for that."""
        return self.truth.spot == BURN[0].spot and Key.CANCEL in _answers(prompt)

    def _where(self, prompt: Prompt) -> Key | None:
        """Where the card drawn last lies, if the table asks for that and it lies at a place of the layout."""
        raised = [said for said in self.said if isinstance(said, d.IncidentRaised) and said.incident == prompt.incident]
        number = raised[-1].draw if raised else None
        spot = (self._physical(self.table.state.deal.draws[number - 1]) if number else self.cards[-1]).spot
        answers = _answers(prompt)
        board = Key.SHOW if Key.SHOW in answers else Key.CANCEL
        key = board if spot == BOARD[0].spot else _spot_key(spot) if spot in _COUNTED else None
        return key if key in answers else None

    def _lies_open_elsewhere(self) -> bool:
        """Whether a card lies face up on the board that the table has at another place, or at none."""
        board = BOARD[0].spot
        placed = [(draw.slot, self._physical(draw)) for draw in self.table.state.deal.draws if not draw.is_back]
        return any(
            lies.is_seen and lies.spot == board and (slot is None or slot.spot not in {board, ASIDE[0].spot})
            for slot, lies in placed
        )

    def _lies_at(self, slot: str) -> bool:
        """Whether in truth a card lies at a place of the deal plan."""
        where = BY_NAME[slot]
        return self.count(where.spot) >= where.position

    def _wrong_spot(self) -> str | None:
        """Where more cards lie than belong there."""
        most = _FIVE if self.game == "draw-poker" else 2
        hole = [spot for spot in _COUNTED if self.count(spot) > most]
        return hole[0] if hole else None

    # --- the rest of the hand, and the next one ----------------------------------------------------------------------

    def play_on(self) -> None:
        """Everybody does what the table says until the hand is over."""
        for _ in range(120):
            self.settle()
            state = self.table.state
            if not state.in_play:
                return
            self._next_step(state.phase.kind)
        raise StuckError(f"the hand does not end: {self.table.prompt()}")

    def begin_next(self) -> None:
        """The cards are collected, and the first one of the next hand is dealt."""
        for lies in self.cards:
            self.carry(lies, "deck")
        self.cards.clear()
        self._deck = iter(cards(deck_of(self.game)))
        self.press(Key.NEW_HAND)
        if self.game in ("texas-poker", "texas-bonus"):
            self.enter("bet 1 ante 1000")
        for _ in range(_MOST):
            told = self.table.prompt()
            if told.instruction is Instruction.DEAL:
                self._next_step(Kind.DEALING)
                return
            self.press(_ALWAYS.get(told.instruction, Key.NO_MORE_BETS))
        raise StuckError(f"the next hand does not begin: {self.table.prompt()}")

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
            if self._says_that_it_lies_there():
                return
            self.deal(due.spot)
        elif told.instruction is Instruction.SPEAK:
            self._speak(told)
        elif told.instruction in _ALWAYS:
            self.press(_ALWAYS[told.instruction])
        elif told.instruction is Instruction.ASK_CARDS:
            self.enter(f"asks {self.truth.changes.get(told.about, 0)}")
        elif told.instruction is Instruction.PUT_AWAY:
            assert told.cards is not None
            self.throw(told.about, told.cards - self._thrown_by(told.about))
        else:
            wanted = (Key.BET, Key.CHECK, Key.ALL_CHECK, Key.SHOW_ALL, Key.BANK, Key.NO_MORE_BETS, Key.CONFIRM)
            live = [key for key in wanted if key in told.keys]
            if not live:
                raise StuckError(f"nothing to press: {told}")
            self.press(live[0])

    def _speak(self, told: Prompt) -> None:
        """Nobody raises; where cards are changed somebody opens who can, so that the hand comes to its end."""
        legal = told.legal
        if legal is None or not legal.may_check:
            self.enter("act call")
            return
        if self.game == "draw-poker" and legal.is_bet and self.table.state.phase.round == 0:
            self.enter("act bet 200")
        if self.table.prompt().legal == legal:
            self.enter("act check")

    def _thrown_by(self, spot: str) -> int:
        return _FIVE - sum(lies.spot == spot and not lies.is_kept for lies in self.cards)

    # --- money -------------------------------------------------------------------------------------------------------

    def refunded(self) -> Counter[int]:
        """What went back, by seat."""
        back: Counter[int] = Counter()
        for said in self.said:
            if isinstance(said, d.Refund):
                back[said.seat] += said.amount or 0
            elif isinstance(said, d.BetReversed):
                back[said.seat] += said.stake or 0  # it was settled already, and is taken back
        return back


def _answers(prompt: Prompt) -> frozenset[Key]:
    """The keys that answer the question: "cancel" is none where it takes the last entry back."""
    return frozenset(prompt.keys) - (frozenset() if prompt.undo is UNSET else {Key.CANCEL})


def _spot_key(spot: str | None) -> Key:
    if spot is None:
        return Key.CONFIRM
    return Key.BANK if spot == "house" else Key(spot)


def _number_key(number: int) -> Key:
    return Key.NOT_SEEN if number == 0 else Key(f"seat-{number}")

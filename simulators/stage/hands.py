"""A person's hands and eyes at the demo's table: keys, entries, cards, and the records that tell what came of them."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import closing, contextmanager
from functools import partial
from typing import Final

from simulators.devices.angel_eye.simulator import ShoeHoldsCards
from simulators.devices.world import AWAY, HAND, SHOE, EmptyShoe, PhysicalCard
from simulators.stage.felt import Felt
from simulators.stage.readers import MOUTH
from simulators.stage.stage import Stage
from tablectl.api.client import NoController
from tablectl.core.engine.decisions import CardPlaced
from tablectl.core.engine.facts import Drawn, Pressed, Seen
from tablectl.core.engine.prompt import Instruction
from tablectl.core.engine.vocabulary import Equipment, Key
from tablectl.core.events.stream import PublicRecord

#: How long a person waits for the table to react before doing something about it, in seconds.
PATIENCE_S: Final = 2.0
#: How long a card waits at the mouth of a shoe at most: the reader may be away, or the machine busy. And how often
#: somebody looks whether it was read, in seconds.
AT_THE_MOUTH_MOST_S: Final = 10.0
AT_THE_MOUTH_LOOK_S: Final = 0.01
#: How long a person waits until a reader has seen a card that was laid, in seconds.
LAID_S: Final = 1.0
#: How long the shortest shuffle takes, in seconds.
SHUFFLED_S: Final = 2.0
#: Where a card comes to lie that is drawn when none is due: by hand, and out of a shoe, where it is taken for a burn.
_NOT_DUE: Final = "board.1"
_BURNT: Final = "burn.1"
#: After these no card comes out, or none is wanted.
_CUT_OFF: Final = (Instruction.WAIT_SHOE, Instruction.ANSWER)


class Stuck(Exception):
    """The table did not go on, whatever was tried. The text is for whoever looks for the bug."""


def spot_of(slot: str) -> str:
    """The spot of a slot."""
    return slot.partition(".")[0]


def _is_seen(spot: str, record: PublicRecord) -> bool:
    """Whether a reader saw a card come to this spot: on its way others may see it as well."""
    return isinstance(record.event, Seen) and record.event.spot == spot


class Hands:
    """What the demo's people do goes over the wires; `pause(seconds)` is called between two actions."""

    def __init__(self, stage: Stage, felt: Felt, pause: Callable[[float], object]) -> None:
        self.stage = stage
        self.felt = felt
        self.pause = pause
        #: the cards of this hand, as the croupier's hands know them
        self.cards: list[PhysicalCard] = []

    @contextmanager
    def at_the_table(self) -> Iterator[None]:
        """In here everything else can be done. Raises `NoController`, `StageBroken`."""
        newest = self.stage.newest
        self._reader = self.stage.reader(after=self.felt.seq)
        try:
            with closing(self.stage.connection()) as self._connection:
                if self.felt.seq < newest:
                    self.look(lambda record: record.seq >= newest)
                yield
        finally:
            self._reader.close()

    def look(self, done: Callable[[PublicRecord], bool] = lambda _: True, *, patience_s: float = PATIENCE_S) -> bool:
        """Look at records until one is what was waited for; False where none was, in time."""
        until_s = time.monotonic() + patience_s
        while (left_s := until_s - time.monotonic()) > 0:
            record = self._reader.record(left_s)
            if record is None:
                return False
            self.felt.see(record)
            if done(record):
                return True
        return False

    def press(self, key: Key) -> None:
        """A key: of the panel, or of the screen where the panel is dark or has no such key."""
        self.pause(0.8)
        if key in self.stage.scene.panel and self.stage.panel_is_plugged:
            self.stage.press(key)
            if self.look(lambda record: isinstance(record.event, Pressed)):
                return
        self.enter(f"press {key}")

    def enter(self, text: str) -> None:
        """An entry on a screen. Raises `Stuck` where it cannot be one."""
        try:
            reply = self._connection.enter(text)
        except NoController:
            with closing(self.stage.connection()) as another:
                reply = another.enter(text)
        if not reply["ok"]:
            raise Stuck(f"{text!r}: {reply['error']}")
        if self.felt.seq < reply["seq"]:
            self.look(lambda record: record.seq >= reply["seq"])

    def draw(self, draw: Callable[[], PhysicalCard] | None = None, *, not_due: str | None = None) -> None:
        """Draw, and wait until the table has seen it; a shoe that is cut off just then is seen too.

        `not_due`: where it is laid when no card is due, and readers see it there.
        """
        prompt, is_due = self.felt.prompt, self.felt.prompt.instruction is Instruction.DEAL
        is_laid = self.stage.scene.equipment is Equipment.ANTENNAS
        due = prompt.about if is_due else not_due or (_NOT_DUE if is_laid else _BURNT)
        try:
            card = (draw or self._out_of_the_deck)()
        except ShoeHoldsCards:
            self.look(patience_s=0.1)
            return
        except EmptyShoe:
            raise Stuck(f"the shoe is empty, and the table still wants {prompt.about}") from None
        self.cards.append(card)
        if is_laid:
            self.stage.world.put(card, spot_of(due))

        def has_seen_it(record: PublicRecord) -> bool:
            is_it = record.draw is not None or any(isinstance(said, CardPlaced) for said in record.decisions)
            is_there = _is_seen(spot_of(due), record) and is_it if is_laid else isinstance(record.event, Drawn)
            return is_there or self.felt.prompt.instruction in _CUT_OFF

        self.look(has_seen_it)
        if not is_due and self.stage.scene.equipment is Equipment.BOTH and self._moves(card, spot_of(due)):
            self.look(partial(_is_seen, spot_of(due)), patience_s=LAID_S)
        self.lay()
        self.pause(0.55)

    def _out_of_the_deck(self) -> PhysicalCard:
        """The next card in the croupier's hand: out of a shoe that says it, past a reader that sees it, or by hand."""
        if self.stage.scene.has_shoe:
            return self.stage.shoe.draw()
        card = self.stage.world.draw()
        if self.stage.scene.has_rfid_shoe:
            self.stage.world.put(card, MOUTH)
            self._past_the_mouth(card)
            self.stage.world.put(card, HAND)
        return card

    def _past_the_mouth(self, card: PhysicalCard) -> None:
        """A card takes its time. Nobody draws faster than the shoe reads, and on a busy machine that is longer."""
        field, until_s = self.stage.antennas[MOUTH].field, time.monotonic() + AT_THE_MOUTH_MOST_S
        while not field.has_answered(card.tag) and time.monotonic() < until_s:
            time.sleep(AT_THE_MOUTH_LOOK_S)

    def lay(self) -> None:
        """Lay every card where the table has it by now; readers under the felt, where there are any, will see it."""
        laid: list[str] = []
        for slot, draw in self.felt.draw_at.items():
            if not 0 < draw <= len(self.cards):
                continue
            card = self.cards[draw - 1]
            # One that went back and came again lies where it came last.
            if card not in self.cards[draw:] and self._moves(card, spot_of(slot)):
                laid.append(spot_of(slot))
        for spot in laid:
            self.look(partial(_is_seen, spot), patience_s=LAID_S)

    def _moves(self, card: PhysicalCard, spot: str) -> bool:
        """Whether the card has to be moved there; one that is not on the table any more, or is back in the shoe, stays
        where it is."""
        world = self.stage.world
        if card not in world.cards() or world.where(card) in (spot, AWAY, SHOE):
            return False
        world.put(card, spot)
        return spot in self.stage.antennas

    def shuffle(self, seed: int) -> None:
        """Gather all cards and shuffle them: that takes a moment, in which every reader sees that the felt is empty."""
        self.collect()
        self.stage.world.shuffle(seed)
        self.stage.on_back(self.stage.world.cards())
        self._until_readers_miss()

    def reshuffle(self, draws: Iterable[int], seed: int) -> None:
        """The cards of these draws go back into the deck, and what is left of it is shuffled."""
        world = self.stage.world
        back = {self.cards[draw - 1] for draw in draws if 0 < draw <= len(self.cards)}
        there = [card for card in world.cards() if card in back and world.where(card) not in (AWAY, SHOE)]
        world.reshuffle(there, seed)
        self.stage.on_back(there)
        self._until_readers_miss()

    def _until_readers_miss(self) -> None:
        scene = self.stage.scene
        if scene.equipment is not Equipment.SHOE:
            time.sleep(SHUFFLED_S if scene.reading is None else scene.reading.misses_s)

    def collect(self) -> None:
        """All cards of the hand into the discard rack."""
        for card in self.cards:
            self._moves(card, "discard")

    def draw_unreported(self) -> None:
        """A card that the shoe does not tell of, and the croupier does."""
        self.take()
        self.enter("declare unreported-card")

    def take(self) -> None:
        """A card that the shoe does not tell of."""
        self.cards.append(self.stage.world.draw())

    def faces(self, *slots: str) -> list[str]:
        """What the croupier's hands laid there, as far as a card lies there."""
        draws = (self.felt.draw_at.get(slot, 0) for slot in slots)
        return [self.cards[draw - 1].face for draw in draws if 0 < draw <= len(self.cards)]

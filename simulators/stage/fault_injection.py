"""What goes wrong in a hand of the demo, carried out: the croupier errs or declares, and answers what he is asked then.

Which error, and when: `fault_plan.py`, as data. Here: which keys, cards and answers it takes.
"""

from __future__ import annotations

import random
import threading
from collections.abc import Callable
from typing import Final

from simulators.devices.world import AWAY, SHOE
from simulators.stage.fault_plan import CHANCES, NOTHING_PLANNED, HandPlan, HumanError, Trouble
from simulators.stage.hands import Hands
from simulators.stage.players import Players
from tablectl.core.engine.facts import DeviceLost
from tablectl.core.engine.vocabulary import SEAT_KEYS, Declaration, Equipment, Key, Question
from tablectl.core.settlement.ranking import CARDS_IN_A_HAND

#: How long an unplugged device stays away, in seconds.
AWAY_S: Final = 0.2
#: How long a shoe may take, in seconds, until it has said again what it was saying when it was cut off. It does so at
#: once; a busy machine takes longer than a croupier waits for anything else.
TOLD_AGAIN_S: Final = 15.0
#: How often somebody who was warned is the one again.
_THE_SAME_AGAIN: Final = 0.7
#: How often the pit boss is called on the screen, where a reason can be given, and not by the list.
_AT_THE_SCREEN: Final = 0.5
#: How often a key of the screen is taken that the panel has no room for.
_SHORT_CUT: Final = 0.3
#: Questions about numbers, and those that a person answers one way or the other.
_COUNT: Final = frozenset({"count-spot", "count-cards", "count-lap"})
_OPEN: Final = _COUNT | {
    "looked",
    "redeal-or-correct",
    "out-of-turn",
    "two-actions",
    "protected",
    "mixed",
    "reconstructed",
    "which-seat",
    "other-seat",
}
_SHORT_CUTS: Final = {
    Declaration.FACE_UP_IN_SHOE: Key.FACE_UP,
    Declaration.BANK_CARD_EXPOSED: Key.BANK_EXPOSED,
}


_OF_A_CIRCLE: Final = frozenset(
    {HumanError.ILLEGAL_BET, HumanError.CORRECTED, HumanError.GOES_AWAY, HumanError.EARLY_TURN}
    | {
        HumanError.NO_CUT,
        HumanError.FALSE_OPENING,
        HumanError.TOO_MANY,
        HumanError.ASKED_EARLY,
        HumanError.NUMBER_CORRECTED,
        HumanError.LAST_CARD,
    }
)


class FaultInjection:
    """At most one a hand."""

    def __init__(self, hands: Hands, players: Players, *, seed: int, amounts: bool, own_cards: int) -> None:
        self._own_cards = own_cards
        self._hands = hands
        self._felt = hands.felt
        self._stage = hands.stage
        self._players = players
        self._amounts = amounts
        self._dice = random.Random(f"{seed}/slips")
        self._timers: list[threading.Timer] = []
        self.plan(NOTHING_PLANNED)

    def plan(self, plan: HandPlan) -> None:
        """For the hand that begins."""
        self._plan = plan
        self._error, self._trouble, self._chances = plan.error, plan.trouble, plan.chances
        self._seen = False
        self._count: tuple[Key, int, int] | None = None
        self._face_ups = 0
        self._wanted: Declaration | None = None

    def join(self) -> None:
        """Until every device is plugged in again."""
        for timer in self._timers:
            timer.join()

    # -- human errors --------------------------------------------------------------------------------------------------

    def happens(self) -> bool:
        """Whether the planned one happened now, instead of what the croupier is told to do."""
        error, felt = self._error, self._felt
        if error is None:
            return False
        chance, last = CHANCES[error], felt.placed[-1] if felt.placed else ""
        if felt.prompt.instruction not in chance.at or (chance.after and not last.startswith(chance.after)):
            return False
        if chance.key is not None and chance.key not in felt.keys:
            return False
        if error is HumanError.LAST_CARD and felt.prompt.question != Question.NEW_STUB:
            return False
        self._chances -= 1
        if self._chances >= 0:
            return False
        self._error = None
        self._happens(error, chance.declares)
        return True

    def _happens(self, error: HumanError, declares: Declaration | None) -> None:
        hands, felt = self._hands, self._felt
        self._seen = self._dice.random() < 0.4
        match error:
            case HumanError.EARLY_UNSEEN | HumanError.EARLY_SEEN:
                self._seen = error is HumanError.EARLY_SEEN
                hands.draw()
            case HumanError.UNREAD:
                hands.draw(self._stage.shoe.draw_unread)
            case HumanError.UNREPORTED:
                hands.draw_unreported()
            case HumanError.COUNT_AT_ONCE | HumanError.COUNT_LATE | HumanError.COUNT_BANK:
                self._miscounts(error)
            case HumanError.DEAD_KEY:
                hands.press(next(key for key in Key if key not in felt.keys))
            case HumanError.CALL if self._dice.random() < _AT_THE_SCREEN:
                hands.enter("call by croupier a question from seat 1")
            case HumanError.STANDS_UNASKED:
                hands.enter(self._players.standing_bet(min(felt.bets), amounts=self._amounts))
            case _ if error in _OF_A_CIRCLE:
                self._in_a_circle(error)
            case HumanError.LIST_CLOSED | HumanError.ANY_OF_THE_LIST:
                hands.press(Key.INCIDENT)
            case _:
                assert declares is not None, error
                if error is HumanError.FACE_UP_TWICE and not self._face_ups:
                    self._face_ups, self._error = 1, error
                if declares is Declaration.MISSING_CARD:
                    self._lose_a_card()
                self._declare(declares)

    def _in_a_circle(self, error: HumanError) -> None:
        hands, felt = self._hands, self._felt
        match error:
            case HumanError.ILLEGAL_BET:
                legal = felt.prompt.legal
                least = None if legal is None else legal.raise_from
                hands.enter("act bet" if least is None else f"act raise {least - 1}")
            case HumanError.CORRECTED:
                hands.press(Key.CANCEL)
            case HumanError.EARLY_TURN:
                self._seen = True
                hands.draw(not_due="burn.1")
                if felt.prompt.instruction in CHANCES[error].at:
                    hands.draw(not_due="board.4")
            case HumanError.GOES_AWAY:
                hands.press(self._dice.choice([key for key in SEAT_KEYS if key in felt.keys]))
            case _:
                self._in_a_draw(error)

    def _in_a_draw(self, error: HumanError) -> None:
        hands, felt = self._hands, self._felt
        match error:
            case HumanError.NO_CUT:
                hands.press(Key.NO_MORE_BETS)
            case HumanError.FALSE_OPENING:
                hands.press(Key.BET)
            case HumanError.TOO_MANY:
                hands.enter(f"asks {CARDS_IN_A_HAND + 1}")
            case HumanError.ASKED_EARLY:
                hands.enter(f"asks {self._dice.choice(felt.staying)} 2")
            case HumanError.NUMBER_CORRECTED:
                hands.press(Key.CANCEL)
            case _:
                # The last card of the stub, while a new one is asked for.
                hands.draw()

    def _declare(self, what: Declaration) -> None:
        self._wanted = what
        key = _SHORT_CUTS.get(what)
        self._hands.press(key if key is not None and self._dice.random() < _SHORT_CUT else Key.INCIDENT)

    def choose(self) -> None:
        """The list of incidents is open: take what is meant, or close it where it is not there."""
        there = [offer.what for offer in self._felt.prompt.offers]
        wanted, self._wanted = self._wanted, None
        if wanted is None and self._plan.error is HumanError.ANY_OF_THE_LIST:
            wanted = self._dice.choice(there) if there else None
        if wanted == Declaration.UNREPORTED_CARD and not self._takes_a_card():
            wanted = None
        if wanted not in there:
            self._hands.press(Key.CANCEL)
        elif len(there) == 1:
            self._hands.press(Key.CONFIRM)
        else:
            self._hands.press(self._felt.prompt.offers[there.index(wanted)].key)

    def _takes_a_card(self) -> bool:
        """Whoever says that a card came which no shoe told of has it in his hand. False where no shoe tells of any."""
        if not self._stage.has_shoe or not self._stage.world.at(SHOE):
            return False
        self._hands.take()
        return True

    def _miscounts(self, error: HumanError) -> None:
        """Too many or too few lie at a spot: at that of the last card but one, at the bank's, or at any."""
        felt = self._felt
        if error is HumanError.COUNT_LATE:
            spot = f"seat-{self._dice.choice(felt.staying)}"
            cards = self._dice.choice((self._own_cards - 1, self._own_cards + 1))
        else:
            at = felt.placed[-1] if error is HumanError.COUNT_BANK or len(felt.placed) < 2 else felt.placed[-2]
            spot = at.partition(".")[0]
            cards = sum(slot.partition(".")[0] == spot for slot in felt.draw_at) + 1
        self._count = (Key.BANK if spot == "house" else Key(spot), cards, 1)
        self._hands.press(Key.WRONG_COUNT)

    def _lose_a_card(self) -> None:
        world = self._stage.world
        if in_shoe := world.at(SHOE):
            world.put(self._dice.choice(in_shoe), AWAY)

    # -- answers -----------------------------------------------------------------------------------------------------

    def answer(self) -> None:
        """What the croupier is asked; the key that he means may be none that is live, then it is any that is."""
        felt, question = self._felt, self._felt.prompt.question
        if question in ("nothing-drawn", "felt") and felt.draws < len(self._hands.cards):
            # The shoe was cut off while it reported: what it could not say comes now, or a person says it. Whoever says
            # it too early has one card twice on record.
            if self._hands.look(lambda record: record.draw is not None, patience_s=TOLD_AGAIN_S):
                return
            if self._stage.scene.equipment is not Equipment.ANTENNAS:
                self._hands.enter("declare unreported-card")
                return
        if question == "reshuffled" and felt.prompt.about in ("deck", "stub"):
            self._hands.reshuffle(felt.prompt.back, self._dice.getrandbits(31))
        if question == "new-deck":
            self._hands.collect()
            self._stage.new_deck()
        meant = self._meant(question)
        live = [key for key in Key if key in felt.keys and key is not Key.INCIDENT]
        self._hands.press(meant if meant in live else Key.CONFIRM if Key.CONFIRM in live else live[0])

    def _meant(self, question: Question | None) -> Key:
        if self._plan.error is HumanError.ANY_OF_THE_LIST and question in _OPEN:
            # Whatever it is about: any answer is one that a person could give.
            return self._dice.choice([key for key in Key if key in self._felt.keys and key is not Key.INCIDENT])
        if self._count is not None and question in _COUNT:
            key, cards, lap = self._count
            return {"count-spot": key, "count-cards": SEAT_KEYS[cards - 1], "count-lap": SEAT_KEYS[lap - 1]}[question]
        match question:
            case "seen":
                return Key.SEEN if self._seen else Key.NOT_SEEN
            case "deck-count" if len(self._stage.world.at(AWAY)):
                return Key.NOT_SEEN
            case "which-seat" if self._plan.error is HumanError.TAKEN_BACK:
                return Key.CANCEL
            case "which-seat" | "other-seat":
                return self._somebody()
            case _:
                return Key.CONFIRM

    def _somebody(self) -> Key:
        """Mostly it is the same one: whoever sits first."""
        seats = [key for key in SEAT_KEYS if key in self._felt.keys]
        return seats[0] if self._dice.random() < _THE_SAME_AGAIN else self._dice.choice(seats)

    # -- devices -----------------------------------------------------------------------------------------------------

    def trouble(self) -> None:
        """The planned one, when its card has come."""
        if self._trouble is None or len(self._hands.cards) < self._plan.cards:
            return
        trouble, self._trouble = self._trouble, None
        stage = self._stage
        match trouble:
            case Trouble.SHOE_UNPLUGGED if stage.has_shoe:
                stage.unplug_shoe()
                self._later(stage.replug_shoe)
                # The croupier waits: nothing comes out of a shoe whose lamp is dark.
                self._hands.look(lambda record: isinstance(record.event, DeviceLost))
            case Trouble.ANTENNA_UNPLUGGED if stage.felt_readers:
                reader = self._dice.choice(stage.felt_readers)
                reader.unplug()
                self._later(reader.replug)
                self._hands.look(lambda record: isinstance(record.event, DeviceLost))
            case Trouble.PANEL_UNPLUGGED:
                self._pull("panel")
            case Trouble.LIGHT_UNPLUGGED:
                self._pull("light")

    def _pull(self, name: str) -> None:
        pull, plug = self._stage.cables[name]
        pull()
        self._later(plug)

    def _later(self, action: Callable[[], object]) -> None:
        timer = threading.Timer(AWAY_S, action)
        timer.start()
        self._timers.append(timer)

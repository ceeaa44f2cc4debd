"""The demo's people: a croupier who does what the screen says and errs as planned, players, and a pit boss.

They know what people know: the public records, and the cards in their own hands. What they do goes over the wires.
"""

from __future__ import annotations

import random
import threading
import time
from collections.abc import Callable
from contextlib import closing
from typing import Any, Final

from simulators.angel_eye import ShoeHoldsCards
from simulators.world import EmptyShoe, PhysicalCard
from tablectl.client import NoController
from tablectl.demo.felt import Felt
from tablectl.demo.mistakes import HandPlan, Level, Slip, Trouble, plan_of
from tablectl.demo.stage import Stage
from tablectl.engine.words import Key

#: How long a person waits for the table to react before doing something about it, in seconds.
PATIENCE_S: Final = 2.0
#: How long an unplugged device stays away, in seconds.
AWAY_S: Final = 0.2
#: A hand of the demo's croupier never needs so many actions: whoever gets there is stuck.
ACTIONS_MAX: Final = 400


class Stuck(Exception):
    """The table did not go on, whatever was tried. The text is for whoever looks for the bug."""


class Croupier:
    """Deals hand after hand. `pause(seconds)` is called between two actions, with a person's pace in mind."""

    def __init__(
        self,
        stage: Stage,
        *,
        seed: int,
        level: Level,
        pause: Callable[[float], object],
        pit_boss_waits_s: float,
    ) -> None:
        self._stage = stage
        self._seed = seed
        self._level = level
        self._pause = pause
        self._pit_boss_waits_s = pit_boss_waits_s
        self._dice = random.Random(f"{seed}/players")
        self.felt = Felt()
        self._cards: list[PhysicalCard] = []
        self._plan: HandPlan = plan_of(0, seed=seed, level=Level.NONE)
        self._chances = 0
        self._slip: Slip | None = None
        self._seen = False
        self._count: tuple[str, int, int] | None = None
        self._face_ups = 0
        self._trouble: Trouble | None = None
        self._choices: dict[str, dict[int, bool]] = {}
        self._bets_done = False
        self._timers: list[threading.Timer] = []

    # -- hands -------------------------------------------------------------------------------------------------------

    def play(self, hands: int | None) -> None:
        """So many hands in all, or for ever. Raises `Stuck`, `NoController`.

        May be called again when there is a controller again: the croupier looks at the new records and goes on.
        """
        newest = self._stage.newest
        with self._stage.reader(after=self.felt.seq) as self._reader, closing(self._stage.speaker()) as self._speaker:
            if self.felt.seq < newest:
                self._read_until(lambda record: record["seq"] >= newest)
            actions, hand = 0, 0
            while hands is None or self.felt.hands < hands:
                actions = actions + 1 if hand == self.felt.hands else 0
                hand = self.felt.hands
                if actions > ACTIONS_MAX:
                    raise Stuck(f"hand {hand + 1}, {self.felt.phase}: {self.felt.prompt}")
                self._act()
            self._acknowledge()
        for timer in self._timers:
            timer.join()

    def _read_until(self, done: Callable[[dict[str, Any]], bool], *, patience_s: float = PATIENCE_S) -> bool:
        """Look at records until one is what was waited for; False where none was, in time."""
        until_s = time.monotonic() + patience_s
        while (left_s := until_s - time.monotonic()) > 0:
            record = self._reader.next(left_s)
            if record is None:
                return False
            self.felt.see(record)
            if done(record):
                return True
        return False

    # -- one action --------------------------------------------------------------------------------------------------

    def _act(self) -> None:
        felt = self.felt
        self._acknowledge()
        match felt.prompt["instruction"]:
            case "new-hand":
                self._new_hand()
            case "take-bets":
                self._take_bets()
            case "deal":
                self._deal()
            case "ask-seat":
                self._ask_seat()
            case "reveal-bank":
                if not self._slipped(Slip.BANK_EXPOSED, Slip.CALL, Slip.DEAD_KEY):
                    self._press(Key.BANK)
            case "settle" | "collect":
                self._press(Key.CONFIRM)
            case "name-card":
                slot = felt.prompt["about"]
                face = self._cards[felt.draw_at[slot] - 1].face
                self._enter(f"name {slot} {face} by croupier")
            case "answer":
                self._answer(felt.prompt["question"])
            case "wait-pit-boss":
                self._rule()
            case _:
                self._read_until(lambda _: True)

    def _new_hand(self) -> None:
        number = self.felt.hands + 1
        self._stage.world.shuffle(hash((self._seed, number)) & 0x7FFFFFFF)
        self._cards = []
        self._plan = plan_of(number, seed=self._seed, level=self._level)
        self._chances = self._plan.chances
        self._slip, self._trouble = self._plan.slip, self._plan.trouble
        self._seen, self._count, self._face_ups = False, None, 0
        self._choices, self._bets_done = {}, False
        self._press(Key.NEW_HAND)

    def _take_bets(self) -> None:
        if self._slipped(Slip.EARLY_UNSEEN, Slip.EARLY_SEEN, Slip.DEAD_KEY, Slip.CALL):
            return
        if not self._bets_done or not self.felt.bets:
            self._bets_done = True
            if self._stage.scene.tracking == "amounts":
                self._bet_amounts()
                return
            absent = [seat for seat in self._players() if seat not in self.felt.bets]
            for seat in absent[:-1]:
                self._press(Key(f"seat-{seat}"))
            if absent:
                self._press(Key(f"seat-{absent[-1]}"))
                return
        self._press(Key.NO_MORE_BETS)

    def _players(self) -> list[int]:
        return [seat for seat in range(1, self._stage.scene.seats + 1) if (seat * 7 + self._seed) % 4]

    def _bet_amounts(self) -> None:
        limits = self._stage.scene.limits
        for seat in self._players():
            ante = min(limits["ante"].least * self._dice.choice((1, 2, 2, 4, 10)), limits["ante"].most)
            bonus = f" bonus {limits['bonus'].least * self._dice.choice((1, 5))}" if self._dice.random() < 0.4 else ""
            self._enter(f"bet {seat} ante {ante}{bonus}")
            self._pause(0.3)

    def _deal(self) -> None:
        felt = self.felt
        if felt.placed and self._slipped_after_a_card():
            return
        self._trouble_now()
        if self._slip is Slip.UNREAD and self._chance():
            self._slip = None
            self._draw(self._stage.shoe.draw_unread)
        elif self._slip is Slip.UNREPORTED and self._chance():
            self._slip = None
            self._cards.append(self._stage.world.draw())
            self._enter("declare unreported-card")
        else:
            self._draw(self._stage.shoe.draw)

    def _slipped_after_a_card(self) -> bool:
        felt, keys = self.felt, self.felt.keys
        if self._slip in (Slip.FACE_UP, Slip.FACE_UP_TWICE) and Key.FACE_UP in keys and self._chance():
            self._face_ups += 1
            if self._slip is Slip.FACE_UP or self._face_ups > 1:
                self._slip = None
            self._press(Key.FACE_UP)
            return True
        about = felt.prompt["about"]
        if self._slip is Slip.COUNT_AT_ONCE and felt.phase == "dealing" and len(felt.placed) > 1 and self._chance():
            spot = felt.placed[-2].partition(".")[0]
            if spot.startswith("seat-") and not about.startswith("house"):
                self._slip = None
                self._count = (spot, self._cards_at(spot) + 1, 1)
                self._seen = self._dice.random() < 0.3
                self._press(Key.WRONG_COUNT)
                return True
        if self._slip is Slip.COUNT_BANK and len(felt.placed) > 1 and felt.placed[-2] == "house.1":
            self._slip = None
            self._count = ("house", 2, 1)
            self._seen = self._dice.random() < 0.5
            self._press(Key.WRONG_COUNT)
            return True
        return self._slipped(Slip.BANK_EXPOSED, Slip.DEAD_KEY, Slip.CALL)

    def _cards_at(self, spot: str) -> int:
        return sum(slot.partition(".")[0] == spot for slot in self.felt.draw_at)

    def _draw(self, draw: Callable[[], PhysicalCard]) -> None:
        """Draw, and wait until the table has seen it; a shoe that is cut off just then is seen too."""
        try:
            self._cards.append(draw())
        except ShoeHoldsCards:
            self._read_until(lambda _: True, patience_s=0.1)
            return
        except EmptyShoe:
            raise Stuck(f"the shoe is empty, and the table still wants {self.felt.prompt['about']}") from None
        cut_off = ("wait-shoe", "answer")
        self._read_until(lambda record: record["fact"]["kind"] == "drawn" or record["prompt"]["instruction"] in cut_off)
        self._pause(0.55)

    def _ask_seat(self) -> None:
        felt = self.felt
        if self._slip is Slip.COUNT_LATE and felt.phase == "flop-decision" and not felt.decided:
            self._slip = None
            seat = self._dice.choice(felt.staying)
            self._count = (f"seat-{seat}", self._dice.choice((1, 3)), 1)
            self._press(Key.WRONG_COUNT)
            return
        if self._slipped(Slip.EARLY_UNSEEN, Slip.EARLY_SEEN, Slip.BANK_EXPOSED, Slip.DEAD_KEY, Slip.CALL):
            return
        choices = self._choices.setdefault(felt.phase, {seat: self._wants_to_bet(seat) for seat in felt.staying})
        turn = int(felt.prompt["about"].removeprefix("seat-"))
        left = [choices.get(seat, True) for seat in felt.staying if seat >= turn]
        can_check = Key.CHECK in felt.keys
        if all(left) and len(left) > 1:
            self._press(Key.ALL_BET)
        elif can_check and not any(left) and len(left) > 1:
            self._press(Key.ALL_CHECK)
        elif choices.get(turn, True):
            self._press(Key.BET)
        else:
            self._press(Key.CHECK if can_check else Key.FOLD)

    def _wants_to_bet(self, seat: int) -> bool:
        """A player looks at his own cards: only he and the croupier's hands know them."""
        own = [
            self._cards[self.felt.draw_at[slot] - 1].face
            for slot in (f"seat-{seat}.1", f"seat-{seat}.2")
            if slot in self.felt.draw_at and self.felt.draw_at[slot] <= len(self._cards)
        ]
        ranks = sorted("23456789TJQKA".index(face[0]) for face in own)
        if self.felt.phase == "flop-decision":
            return len(ranks) < 2 or ranks[1] >= 6 or ranks[0] == ranks[1] or self._dice.random() < 0.3
        return self._dice.random() < 0.35

    # -- errors ------------------------------------------------------------------------------------------------------

    def _chance(self) -> bool:
        """A chance for the planned slip: taken when enough have passed."""
        self._chances -= 1
        return self._chances < 0

    def _slipped(self, *slips: Slip) -> bool:
        slip = self._slip
        if slip not in slips or (slip is Slip.BANK_EXPOSED and Key.BANK_EXPOSED not in self.felt.keys):
            return False
        if not self._chance():
            return False
        self._slip = None
        match slip:
            case Slip.EARLY_UNSEEN | Slip.EARLY_SEEN:
                self._seen = slip is Slip.EARLY_SEEN
                self._draw(self._stage.shoe.draw)
            case Slip.BANK_EXPOSED:
                self._press(Key.BANK_EXPOSED)
            case Slip.DEAD_KEY:
                self._press(next(key for key in Key if key not in self.felt.keys))
            case _:
                self._enter("call by croupier a question from seat 1")
        return True

    def _answer(self, question: str) -> None:
        match question:
            case "seen":
                self._press(Key.SEEN if self._seen else Key.NOT_SEEN)
            case "count-spot" if self._count is not None:
                self._press(Key.BANK if self._count[0] == "house" else Key(self._count[0]))
            case "count-cards" if self._count is not None:
                self._press(Key(f"seat-{self._count[1]}"))
            case "count-lap" if self._count is not None:
                self._press(Key(f"seat-{self._count[2]}"))
            case "nothing-drawn" | "felt" if self.felt.draws < len(self._cards):
                # The shoe was cut off while it reported: what it could not say comes now, or a person says it.
                if not self._read_until(lambda record: record["fact"]["kind"] == "drawn"):
                    self._enter("declare unreported-card")
            case _:
                self._press(Key.CONFIRM)

    def _trouble_now(self) -> None:
        if self._trouble is None or len(self._cards) < self._plan.cards:
            return
        trouble, self._trouble = self._trouble, None
        stage = self._stage
        match trouble:
            case Trouble.SHOE_UNPLUGGED:
                stage.shoe.unplug()
                self._later(stage.shoe.replug)
                # The croupier waits: nothing comes out of a shoe whose lamp is dark.
                self._read_until(lambda record: record["fact"]["kind"] == "device-lost")
            case Trouble.PANEL_UNPLUGGED:
                stage.bus.unplug(stage.panel)
                self._later(lambda: stage.bus.plug(stage.panel))
            case Trouble.LIGHT_UNPLUGGED:
                stage.bus.unplug(stage.light)
                self._later(lambda: stage.bus.plug(stage.light))

    def _later(self, action: Callable[[], object]) -> None:
        timer = threading.Timer(AWAY_S, action)
        timer.start()
        self._timers.append(timer)

    # -- the pit boss ------------------------------------------------------------------------------------------------

    def _rule(self) -> None:
        felt = self.felt
        if not felt.waiting:
            return
        first = felt.waiting[min(felt.waiting)]
        # A visitor may rule on the pit boss's screen; whatever is recorded meanwhile ends the wait.
        if self._pit_boss_waits_s and self._read_until(lambda _: True, patience_s=self._pit_boss_waits_s):
            return
        remedy = first.remedies[0] if self._dice.random() < 0.7 else self._dice.choice(first.remedies)
        self._enter(f"rule {first.number} {remedy} by pit-boss")

    def _acknowledge(self) -> None:
        if self._pit_boss_waits_s:
            return
        for number in sorted(self.felt.unacknowledged):
            self._enter(f"acknowledge {number} by pit-boss")

    # -- hands on keys -----------------------------------------------------------------------------------------------

    def _press(self, key: Key) -> None:
        self._pause(0.8)
        if self._stage.panel_is_plugged:
            self._stage.press(key)
            if self._read_until(lambda record: record["fact"]["kind"] == "pressed"):
                return
        # The panel is dark: the same key is on the screen.
        self._enter(f"press {key}")

    def _enter(self, text: str) -> None:
        try:
            reply = self._speaker.enter(text)
        except NoController:
            with closing(self._stage.speaker()) as another:
                reply = another.enter(text)
        if not reply["ok"]:
            raise Stuck(f"{text!r}: {reply['error']}")
        if self.felt.seq < reply["seq"]:
            self._read_until(lambda record: record["seq"] >= reply["seq"])

"""The demo's croupier and players at a circle game: chips and button, what each one does in his turn, the showdown."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping
from typing import Final

from simulators.stage.fault_plan import Level
from simulators.stage.hands import Hands
from simulators.stage.players import Players, Temper
from simulators.stage.stage import Scene
from tablectl.core.engine.prompt import Instruction, Legal
from tablectl.core.engine.vocabulary import SEAT_KEYS, Key

#: What a player sits down with, in big blinds, at most.
_BUYS: Final = 100
_FOLDS: Final = 0.35
_RAISES: Final = 0.12
_BETS: Final = 0.3
_ALL_IN: Final = 0.04
_MUCKS: Final = 0.3


class CircleTable:
    """What the croupier does there beside what he does in every game."""

    def __init__(
        self, hands: Hands, players: Players, scene: Scene, *, seed: int, temper: Temper, level: Level
    ) -> None:
        self._hands = hands
        self._level = level
        self._felt = hands.felt
        self._players = players
        self._least = scene.bands["bet"].least
        self._tracking = scene.tracking
        # A table that changes its game does not begin with the same luck each time.
        self._dice = random.Random(f"{seed + hands.felt.hands}/circle")
        self._steady = temper is Temper.STEADY
        self.does: Mapping[str, Callable[[], None]] = {
            Instruction.DRAW_BUTTON: self._draw_button,
            Instruction.POST_BLINDS: lambda: hands.press(Key.NO_MORE_BETS),
            Instruction.SPEAK: self._speak,
            Instruction.CLOSE_ROUND: self._close_round,
            Instruction.SHOW_HAND: self._show,
            Instruction.DELIVER: lambda: hands.press(Key.CONFIRM),
        }

    def before_a_hand(self) -> None:
        """Whoever is new sits down, whoever lost everything buys again, somebody who was away is back."""
        felt, hands = self._felt, self._hands
        for seat in self._players.seats:
            if seat not in felt.present:
                hands.enter(f"player {seat} {'back' if seat in felt.seated else 'takes'}")
            if self._tracking == "amounts" and self._needs_chips(seat):
                hands.enter(f"stack {seat} {self._buys(seat)}")

    def _needs_chips(self, seat: int) -> bool:
        return self._felt.stacks.get(seat, 0) < self._least

    def _buys(self, seat: int) -> int:
        """With what a player sits down or goes on, as he likes."""
        return self._least * self._dice.randrange(10, _BUYS)

    def _draw_button(self) -> None:
        self._hands.press(SEAT_KEYS[self._dice.choice(sorted(self._felt.present)) - 1])

    def _speak(self) -> None:
        keys, legal = self._felt.keys, self._felt.prompt.legal
        if legal is None:
            self._hands.press(Key.FOLD)
            return
        if legal.may_check:
            if legal.may_raise and self._wants_to_bet(legal):
                self._raise(legal)
            elif Key.ALL_CHECK in keys and self._all_check():
                self._hands.press(Key.ALL_CHECK)
            else:
                self._hands.press(Key.CHECK)
            return
        luck = self._dice.random()
        if luck < _RAISES and legal.may_raise:
            self._raise(legal)
        elif luck < _RAISES + _FOLDS and not self._steady:
            self._hands.press(Key.FOLD)
        else:
            self._hands.press(Key.CALL)

    def _wants_to_bet(self, legal: Legal) -> bool:
        """Whether a player who could check bets."""
        return self._dice.random() < _BETS

    def _all_check(self) -> bool:
        """Whether everybody after a player who checks does so, too."""
        return self._dice.random() < _BETS

    def go_on(self) -> None:
        """A person has dealt, and hands back in the middle of a hand."""

    def keep_up(self) -> None:
        """What follows at the table from what was said, before anything else is done."""

    def name_card(self, faces: Callable[[str], list[str]]) -> None:
        """A card that could not be read lies open: the croupier says which it is. `faces`: what lies at a place."""
        slot = self._felt.prompt.about
        (face,) = faces(slot)
        self._hands.enter(f"name {slot} {face} by croupier")

    def _raise(self, legal: Legal) -> None:
        hands = self._hands
        word, key = ("bet", Key.BET) if legal.is_bet else ("raise", Key.RAISE)
        if self._tracking != "amounts" or self._dice.random() < 1 / 2:
            hands.press(key)
            return
        if self._dice.random() < _ALL_IN and legal.may_go_all_in:
            hands.press(Key.ALL_IN)
            return
        least, most = legal.raise_from, legal.raise_to
        if least is None:
            hands.press(key)
            return
        most = least * 3 if most is None else min(most, least * 3)
        hands.enter(f"act {word} {max(least, self._dice.randrange(least, most + 1) // self._least * self._least)}")

    def _close_round(self) -> None:
        """Only rounds are entered: now and then somebody is out."""
        staying = self._felt.staying
        if len(staying) > 1 and self._dice.random() < _FOLDS:
            self._hands.press(SEAT_KEYS[self._dice.choice(staying) - 1])
            self._hands.press(Key.FOLD)
        else:
            self._hands.press(Key.CONFIRM)

    def _show(self) -> None:
        keys = self._felt.keys
        if self._dice.random() < 1 / 2 or self._steady:
            self._hands.press(Key.SHOW_ALL)
        elif Key.FOLD in keys and self._dice.random() < _MUCKS:
            self._hands.press(Key.FOLD)
        else:
            self._hands.press(Key.SHOW)

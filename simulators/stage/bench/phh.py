"""Hand histories replayed a second, beside PokerKit on the same hands: every action legal, cards compared, pots paid.

Both have read the files before: our engine is told the facts of each hand and PokerKit steps through its `HandHistory`.
PokerKit reads the notation of each action while it runs; without that it would be about 3 % faster (published hands).
Nothing is journalled. They run by turns, each so often; the best run of each counts, in time of this process only.
"""

from __future__ import annotations

import gc
import random
import time
from collections import deque
from collections.abc import Callable, Sequence
from typing import Final

from pokerkit import Automation, HandHistory, NoLimitTexasHoldem, State

from tablectl.core.records import record
from tablectl.phh.file import hands
from tablectl.phh.hand import Hand
from tablectl.phh.house import RULEBOOKS, published
from tablectl.phh.outcome import Ending
from tablectl.phh.replay import Replayer

#: What PokerKit does by itself where random hands are made.
_AUTOMATIONS: Final = (
    Automation.ANTE_POSTING,
    Automation.BET_COLLECTION,
    Automation.BLIND_OR_STRADDLE_POSTING,
    Automation.CARD_BURNING,
    Automation.HOLE_DEALING,
    Automation.BOARD_DEALING,
    Automation.RUNOUT_COUNT_SELECTION,
    Automation.HOLE_CARDS_SHOWING_OR_MUCKING,
    Automation.HAND_KILLING,
    Automation.CHIPS_PUSHING,
    Automation.CHIPS_PULLING,
)
_STACKS: Final = (20, 50, 100, 200)
_RAISES: Final = 0.2
_FOLDS: Final = 0.35


@record
class Compared:
    """Hands a second, the best of all runs."""

    hands: int
    ours: float
    theirs: float

    @property
    def ratio(self) -> float:
        """How many times PokerKit's hands a second ours are."""
        return self.ours / self.theirs


def compare(texts: Sequence[str], *, runs: int) -> Compared:
    """Both on the hands of these texts. Raises `ValueError` for a hand that is not replayed to its end."""
    ours = [hand_read.read for text in texts for hand_read in hands(text, "bench") if isinstance(hand_read.read, Hand)]
    theirs = [HandHistory.loads(text) for text in texts]
    replayer = Replayer(RULEBOOKS[0], published(RULEBOOKS[0]))
    for hand in ours:
        found = replayer.replay(hand)
        if found.ending is not Ending.SAME:
            raise ValueError(f"a hand that is not replayed: {found.ending}: {'; '.join(found.what)}")

    def by_us() -> None:
        for hand in ours:
            replayer.replay(hand)

    def by_pokerkit() -> None:
        for history in theirs:
            deque(history, maxlen=0)

    best = [0.0, 0.0]
    # What both have read is no garbage, and is not to be looked at in the middle of a run.
    gc.collect()
    gc.freeze()
    for _ in range(runs):
        for which, run in enumerate((by_us, by_pokerkit)):
            best[which] = max(best[which], len(ours) / _seconds(run))
    gc.unfreeze()
    return Compared(hands=len(ours), ours=best[0], theirs=best[1])


def _seconds(run: Callable[[], None]) -> float:
    began = time.process_time()
    run()
    return time.process_time() - began


def random_hands(count: int, *, players: int, seed: int) -> list[str]:
    """Hands of as many players in the PHH format: raises, folds, side pots and showdowns."""
    dice = random.Random(seed)
    state_of = NoLimitTexasHoldem(_AUTOMATIONS, True, 0, (1, 2), 2)
    made: list[str] = []
    for _ in range(count):
        # PokerKit shuffles its deck with the module's own dice.
        random.seed(dice.random())
        state = state_of(tuple(dice.choice(_STACKS) for _ in range(players)), players)
        while state.status:
            _act(state, dice)
        made.append(HandHistory.from_game_state(state_of, state).dumps())
    return made


def _act(state: State, dice: random.Random) -> None:
    what = dice.random()
    least = state.min_completion_betting_or_raising_to_amount
    most = state.max_completion_betting_or_raising_to_amount
    if what < _RAISES and least is not None and most is not None:
        state.complete_bet_or_raise_to(dice.choice((least, least, most)))
    elif what < _RAISES + _FOLDS and state.can_fold():
        state.fold()
    else:
        state.check_or_call()

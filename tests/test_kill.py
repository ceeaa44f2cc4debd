"""`kill -9` at any moment: the hand goes on where it was, the replay equals the record, no card is lost or doubled."""

from __future__ import annotations

import random
import threading
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import pytest

from tablectl.client import NoController
from tablectl.demo.croupier import Croupier
from tablectl.demo.mistakes import Level
from tablectl.demo.stage import Scene, Stage, temporary_folder
from tablectl.demo.summary import check
from tablectl.engine import facts as f
from tablectl.journal.keys import load_sealing
from tablectl.journal.recovery import replay
from tablectl.journal.store import Store
from tablectl.rulebooks.registry import rulebook_of
from tests.desk import LONG_S

pytestmark = pytest.mark.system

#: A hand of the demo's croupier without mistakes has about so many records.
HAND_RECORDS: Final = 40
#: Behind these the hand may be over before the power is off.
NEARLY_OVER: Final = ("bank", "hand-closed")


@dataclass(frozen=True, kw_only=True)
class Moment:
    """When the power fails: so long after the `nth` record (of a kind, or of a key) since the start."""

    nth: int
    kind: str = ""
    after_s: float = 0.0

    def __str__(self) -> str:
        return f"{self.nth}th {self.kind or 'record'} + {self.after_s * 1000:.1f} ms"


def matches(record: dict[str, Any], kind: str) -> bool:
    fact = record["fact"]
    said = {each["kind"] for each in record["decisions"]}
    return not kind or kind in (fact["kind"], fact.get("key")) or kind in said


class PowerCut:
    """Watches the records and kills the controller at its moment, from a thread of its own."""

    def __init__(self, stage: Stage, moment: Moment) -> None:
        self._stage = stage
        self._moment = moment
        self._never = threading.Event()
        self._reader = stage.reader(after=stage.newest)
        self._thread = threading.Thread(target=self._watch, name="power-cut")
        self._thread.start()

    def _watch(self) -> None:
        with self._reader, suppress(NoController):  # the hand was over before: whoever dealt it cut the power
            left = self._moment.nth
            while left:
                record = self._reader.next(LONG_S)
                assert record is not None, f"nothing happens any more before the {self._moment}"
                left -= matches(record, self._moment.kind)
            self._never.wait(self._moment.after_s)
        self._stage.kill_controller()

    def join(self) -> None:
        self._thread.join(LONG_S)
        assert not self._thread.is_alive()


@contextmanager
def table(seed: int) -> Iterator[tuple[Stage, Croupier]]:
    with temporary_folder() as folder, Stage(Scene(seed=seed), Path(folder)) as stage:
        yield (
            stage,
            Croupier(stage, seed=seed, level=Level.NONE, pause=lambda _: None, pit_boss_waits_s=0.0),
        )


def replayed(stage: Stage) -> list[tuple[int, f.Fact, dict[str, Any]]]:
    """Every record with its fact, cards open; the whole journal is verified and decides the same."""
    checked = check(stage.journal)
    assert checked.good, checked.text
    vault, _ = load_sealing(stage.journal.with_suffix(".key"))
    with closing(Store.read(stage.journal)) as store:
        return [(each.stored.hand, each.fact, dict(each.public)) for each in replay(store, vault, rulebook_of)]


def cards_on_record(stage: Stage, hand: int) -> list[str | None]:
    """The cards of a hand as the journal has them, in order; None for one that was declared."""
    return [
        fact.card.code if isinstance(fact, f.Drawn) and fact.card is not None else None
        for of_hand, fact, public in replayed(stage)
        if of_hand == hand and "draw" in public["fact"]
    ]


def cards_on_the_felt(stage: Stage) -> list[str]:
    """What really came out of the shoe in this hand, in order."""
    return [card.face for card in stage.world.at("hand")]


def play_with_power_cuts(stage: Stage, croupier: Croupier, hand: int, moments: list[Moment]) -> int:
    """One hand to its end, with the controller killed at these moments; how often that was in the open hand."""
    n_open = 0
    for moment in moments:
        cut = PowerCut(stage, moment)
        try:
            croupier.play(hand)
        except NoController:
            cut.join()
        else:
            stage.kill_controller()
            cut.join()
        n_open += come_back(stage)
        if croupier.felt.hands == hand:
            break
    croupier.play(hand)
    return n_open


def come_back(stage: Stage) -> bool:
    """Start again: the journal is whole, and the croupier is asked about the felt where a hand was open (True)."""
    before = replayed(stage)
    stage.start_controller()
    with stage.reader(after=len(before)) as reader:
        opened = reader.next(LONG_S)
    assert opened is not None
    assert opened["fact"]["kind"] == "opened"
    was_open = before[-1][2]["prompt"]["instruction"] != "new-hand"
    was_asked = before[-1][2]["prompt"]["question"] == "felt"
    asked = [each["question"] for each in opened["decisions"] if each["kind"] == "asked"]
    assert asked == (["felt"] if was_open and not was_asked else [])
    if was_open:
        assert opened["prompt"]["question"] == "felt"
        assert opened["prompt"]["held"]
    return bool(was_open)


def nothing_lost_or_doubled(stage: Stage, hand: int) -> None:
    on_record, on_felt = cards_on_record(stage, hand), cards_on_the_felt(stage)
    assert len(on_record) == len(on_felt)
    assert [card for card in on_record if card is not None] == [
        felt for felt, card in zip(on_felt, on_record, strict=True) if card is not None
    ]


@pytest.mark.parametrize(
    "moment",
    [
        Moment(nth=1, kind="new-hand"),
        Moment(nth=1, kind="bets"),
        Moment(nth=1, kind="no-more-bets"),
        Moment(nth=1, kind="drawn"),
        Moment(nth=7, kind="drawn"),
        Moment(nth=1, kind="bet-taken"),
        Moment(nth=1, kind="bank"),
        Moment(nth=1, kind="hand-closed"),
    ],
    ids=str,
)
def test_after_a_power_cut_behind_a_chosen_fact_the_hand_is_finished(moment: Moment) -> None:
    with table(seed=3) as (stage, croupier):
        n_open = play_with_power_cuts(stage, croupier, 1, [moment])
        assert n_open == 1 or moment.kind in NEARLY_OVER
        assert croupier.felt.hands == 1
        nothing_lost_or_doubled(stage, 1)
        croupier.play(2)
        nothing_lost_or_doubled(stage, 2)


def random_moments(seed: int, n_moments: int) -> Iterator[list[Moment]]:
    """Moments, two or three a hand."""
    dice = random.Random(seed)
    while n_moments > 0:
        several = min(n_moments, dice.choice((2, 3)))
        n_moments -= several
        yield [Moment(nth=dice.randint(1, HAND_RECORDS // 3), after_s=dice.random() * 0.004) for _ in range(several)]


def play_on(seed: int, n_moments: int) -> None:
    with table(seed) as (stage, croupier):
        n_open = 0
        for hand, moments in enumerate(random_moments(seed, n_moments), start=1):
            n_open += play_with_power_cuts(stage, croupier, hand, moments)
            nothing_lost_or_doubled(stage, hand)
        assert n_open >= n_moments / 2, "most power cuts were between two hands: they show little"


def test_after_power_cuts_at_random_moments_every_hand_is_finished() -> None:
    play_on(seed=7, n_moments=12)


@pytest.mark.slow
@pytest.mark.timeout(1800)
@pytest.mark.parametrize("seed", [11, 12, 13, 14])
def test_after_200_power_cuts_every_hand_is_finished(seed: int) -> None:
    play_on(seed, n_moments=50)

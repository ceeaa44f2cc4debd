"""One stage for demo and training: a person takes over from the simulated croupier and hands back to him."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path

import pytest

from simulators.stage.croupier import Croupier
from simulators.stage.dealing import Dealing
from simulators.stage.fault_plan import Level
from simulators.stage.games import SMALLEST_CHIP
from simulators.stage.stage import Scene, Stage, temporary_folder
from simulators.stage.summary import check
from simulators.stage.training.practice import PracticeTable
from simulators.stage.training.shared import SharedTable
from tablectl.api.stage import Act, CannotBeDone, Dealer, FreeTable
from tablectl.core.engine.prompt import Instruction
from tablectl.core.engine.vocabulary import SEAT_KEYS, Equipment, Key
from tablectl.web.training.exercise import find_exercise
from tests.engine.tables import IN_TURN

#: How long anything may take on a busy machine, in seconds.
PATIENCE_S = 60.0


#: What a person presses who lets everybody stay, as far as it is lit.
_STAYS = (
    *(Key.CONFIRM, Key.NO_MORE_BETS, Key.ALL_CHECK, Key.CHECK, Key.CALL, Key.BET, Key.BANK, Key.SHOW_ALL),
    *(Key.NEW_HAND, Key.NOT_SEEN, *SEAT_KEYS),
)


@dataclass
class Shared:
    """A table at which a person and the simulated croupier deal in turn, and what the person sees and does."""

    stage: Stage
    table: SharedTable
    croupier: Croupier

    def until(self, holds: Callable[[], bool]) -> None:
        until_s = time.monotonic() + PATIENCE_S
        while not holds():
            assert time.monotonic() < until_s, f"{self.croupier.felt.phase}: {self.croupier.felt.prompt}"
            threading.Event().wait(0.01)

    @property
    def asked(self) -> Instruction:
        return self.croupier.felt.prompt.instruction

    def do(self, act: Act, **more: str) -> None:
        self.table.do({"do": act.value, **more})

    def enter(self, line: str) -> None:
        with closing(self.stage.connection()) as connection:
            reply = connection.enter(line)
        assert reply["ok"], reply
        self.until(lambda: self.croupier.felt.seq >= reply["seq"])

    def draw(self) -> None:
        felt = self.croupier.felt
        seq = felt.seq
        self.do(Act.DRAW)
        self.until(lambda: felt.seq > seq and len(self.croupier.cards) == felt.draws)

    def follow(self) -> None:
        """What the prompt asks for next, so that everybody stays."""
        felt = self.croupier.felt
        if self.asked is Instruction.DEAL:
            self.draw()
        elif self.asked is Instruction.TAKE_BETS and not felt.bets:
            self.enter(f"bet 2 ante {self.stage.scene.bands['ante'].least}")
        elif self.asked is Instruction.NEW_HAND:
            self.until(lambda: not self.croupier.cards)  # somebody shuffles
            self.enter(f"press {Key.NEW_HAND}")
        else:
            self.enter(f"press {next(key for key in _STAYS if key in felt.keys)}")

    def to_the_end_of_the_hand(self) -> None:
        felt = self.croupier.felt
        while self.asked is not Instruction.NEW_HAND:
            if self.asked is Instruction.WAIT_PIT_BOSS:
                self.until(lambda: self.asked is not Instruction.WAIT_PIT_BOSS)
            else:
                self.follow()
        assert felt.hands


@contextmanager
def shared(rulebook: str, *, equipment: Equipment = Equipment.SHOE) -> Iterator[Shared]:
    """The simulated croupier has dealt a hand and is dealing."""
    dealing, scene = Dealing(), Scene(rulebook=rulebook, seed=5, equipment=equipment, chip=SMALLEST_CHIP)
    with temporary_folder() as folder, Stage(scene, Path(folder)) as stage:
        croupier = Croupier(
            stage, seed=5, level=Level.NONE, pause=lambda _: None, pit_boss_waits_s=0.0, dealing=dealing
        )
        table = SharedTable(stage, dealing, lambda: croupier, lambda: None)
        table.begin()
        thread = threading.Thread(target=croupier.play, args=(None,))
        thread.start()
        made = Shared(stage=stage, table=table, croupier=croupier)
        try:
            made.until(lambda: croupier.felt.hands >= 1)
            yield made
        finally:
            dealing.end()
            thread.join(PATIENCE_S)
        assert not thread.is_alive()
        assert check(stage.journal).good
        assert croupier.felt.ledger.agrees, "between two hands all chips are where they belong"


@pytest.mark.parametrize("game", IN_TURN)
def test_nothing_is_lost_when_a_hand_goes_from_one_to_the_other_and_back(game: str) -> None:
    with shared(game) as there:
        felt = there.croupier.felt
        there.do(Act.TAKE_OVER)
        assert there.table.seen().dealer is Dealer.PERSON
        there.to_the_end_of_the_hand()
        hands = felt.hands
        there.follow()
        while len(there.croupier.cards) < 3:
            there.follow()
        drawn = [card.face for card in there.croupier.cards]
        there.do(Act.HAND_BACK)
        assert there.table.seen().dealer is Dealer.SIMULATED
        there.until(lambda: felt.hands > hands)
        assert felt.voided == 0, "he went on with the hand, and knew its cards"
        assert len(set(drawn)) == len(drawn)
        there.do(Act.TAKE_OVER)
        there.to_the_end_of_the_hand()


def test_chips_agree_where_a_person_undoes_bets_and_takes_others() -> None:
    """What was undone never lay on the felt, though records tell of it."""
    with shared("texas-bonus") as there:
        felt = there.croupier.felt
        there.do(Act.TAKE_OVER)
        there.to_the_end_of_the_hand()
        hands = felt.hands
        there.follow()
        there.enter(f"press {Key.ALL_BET}")
        assert felt.bets
        in_boxes = felt.ledger.boxes
        there.enter(f"press {Key.CANCEL}")
        assert in_boxes
        assert not felt.bets
        assert not felt.ledger.boxes
        there.to_the_end_of_the_hand()
        assert felt.hands == hands + 1
        assert felt.ledger.agrees


def test_a_person_finds_the_cards_where_they_were_laid_and_sees_no_sealed_one() -> None:
    with shared("texas-bonus") as there:
        there.do(Act.TAKE_OVER)
        there.to_the_end_of_the_hand()
        there.follow()
        while there.asked is not Instruction.ASK_SEAT:
            there.follow()
        there.until(lambda: len(there.table.seen().cards["house"]) == 2)
        seen = there.table.seen().cards
        players = [card for spot, cards in seen.items() if spot.startswith("seat-") for card in cards]
        assert len(players) == 2 * len(there.croupier.felt.bets)
        assert not any(card.face for card in (*players, *seen["house"])), "they lie face down"
        while not there.croupier.felt.table.lying("board.3"):
            there.follow()
        there.until(lambda: all(card.face for card in there.table.seen().cards["board"]))
        there.to_the_end_of_the_hand()


def test_a_card_that_a_person_draws_is_laid_for_him_and_is_in_nobodys_hand() -> None:
    """So the page asks nobody to lay it."""
    with shared("texas-bonus") as there:
        there.do(Act.TAKE_OVER)
        there.to_the_end_of_the_hand()
        there.follow()
        while there.asked is not Instruction.DEAL:
            there.follow()
        due = there.croupier.felt.prompt.about.partition(".")[0]
        assert there.table.helps
        assert there.table.do({"do": Act.DRAW.value}) == ()
        there.until(lambda: len(there.table.seen().cards[due]) == 1)
        there.to_the_end_of_the_hand()


def test_as_long_as_the_simulated_croupier_deals_nobody_else_does() -> None:
    with shared("texas-bonus") as there:
        for act in (Act.DRAW, Act.PRESS, Act.GATHER):
            with pytest.raises(CannotBeDone, match="not-yours"):
                there.do(act, key="confirm")
        there.do(Act.TAKE_OVER)
        for act in (Act.PUT_BACK, Act.UNPLUG, Act.DRAW_UNREPORTED):
            with pytest.raises(CannotBeDone, match="not-here"):
                there.do(act, card="c1", device="panel")
        there.to_the_end_of_the_hand()


def test_whoever_takes_over_waits_for_the_end_of_a_motion_and_no_longer() -> None:
    dealing, is_in_it, may_end = Dealing(), threading.Event(), threading.Event()

    def move() -> None:
        with dealing.motion() as is_his:
            assert is_his
            is_in_it.set()
            assert may_end.wait(PATIENCE_S)

    mover = threading.Thread(target=move)
    mover.start()
    assert is_in_it.wait(PATIENCE_S)
    assert not dealing.take_over(within_s=0.01), "he is busy"
    assert not dealing.is_persons, "and so goes on"
    may_end.set()
    assert dealing.take_over(PATIENCE_S)
    mover.join(PATIENCE_S)
    with dealing.motion() as is_his:
        assert not is_his


@pytest.mark.wide
def test_at_the_free_table_of_training_he_deals_as_long_as_the_trainee_likes() -> None:
    with temporary_folder() as folder:
        table = PracticeTable(Path(folder), FreeTable(rulebook="texas-bonus", seed=8), None, "t", lambda: None)
        table.begin()
        try:
            assert table.seen().dealer is Dealer.PERSON, "the trainee begins"
            table.do({"do": Act.HAND_BACK.value})
            until_s = time.monotonic() + PATIENCE_S
            while not table.seen().cards["seat-1"] and not table.seen().cards["seat-2"]:
                assert time.monotonic() < until_s
                threading.Event().wait(0.01)
            table.do({"do": Act.TAKE_OVER.value})
            assert table.seen().dealer is Dealer.PERSON
        finally:
            table.end()


def test_an_exercise_is_the_trainees_alone(tmp_path: Path) -> None:
    exercise = find_exercise("texas-bonus/face-up-in-the-shoe")
    assert exercise is not None
    table = PracticeTable(tmp_path, FreeTable(rulebook="texas-bonus"), exercise.prepared, "t", lambda: None)
    for act in (Act.TAKE_OVER, Act.HAND_BACK):
        with pytest.raises(CannotBeDone, match="not-here"):
            table.do({"do": act.value})

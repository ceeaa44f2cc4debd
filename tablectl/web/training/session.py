"""One table to practise at: devices, wires, the real controller, what lies on the felt, and what the pages follow.

An exercise and the free table each have a session of their own; the one before has ended when the next begins.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Final

from tablectl.api.client import NoController
from tablectl.core.engine.decisions import CardPlaced, Folded, Spoke
from tablectl.core.engine.facts import DeviceBack, DeviceLost, Fact
from tablectl.core.engine.words import Action, SeatChange
from tablectl.core.stream import PublicRecord, known_decisions
from tablectl.demo.games import GAMES
from tablectl.demo.stage import Scene, Stage, StageBroken
from tablectl.demo.wire import ANSWER_S, WirePlayer, scene_of
from tablectl.games.registry import CIRCLE_GAMES
from tablectl.handfile.decisions import decision_lines
from tablectl.table.clock import now_us
from tablectl.web.training.exercise import Exercise
from tablectl.web.training.marking import Marking
from tablectl.web.training.tabletop import ASIDE, Tabletop

#: The name of the table: in its journal, on every page.
TABLE: Final = "PRÁCTICAS · TRAINING"
#: How many sit at a free table where players bet against each other.
_PLAYERS: Final = 5
_STACK_OF_LEAST: Final = 100
#: What each device that can be lost is called here.
_CABLES: Final = {"shoe": "sabot", "panel": "panel", "light": "light"}
_LOOK_S: Final = 0.25
_JOIN_S: Final = 5.0


class Session:
    """From `begin` to `end`. `rings()` is called from any thread whenever something to be seen has changed; `is_over`
    of the marking is told once, to `over`."""

    def __init__(
        self,
        folder: Path,
        scene: Scene,
        exercise: Exercise | None,
        *,
        rings: Callable[[], None],
        over: Callable[[Marking], None],
    ) -> None:
        self.exercise = exercise
        # Nobody signs on at a free table. Whether a croupier has to at an exercise is what its file says.
        shown = replace(scene, staff=False) if exercise is None else replace(scene_of(exercise.hand), seed=scene.seed)
        self.scene = replace(shown, table=TABLE)
        self.stage = Stage(self.scene, folder)
        self.tabletop = Tabletop(self.stage.world, self.scene.seats)
        self.marking = None if exercise is None else Marking(exercise=exercise)
        self.rings, self._tell_over = rings, over
        self._shuffles = 0
        #: devices whose cable is out
        self.unplugged: set[str] = set()
        self.began_us = now_us()
        self._ending = threading.Event()
        self._listener = threading.Thread(target=self._listen, name="training-listener")

    def begin(self) -> None:
        """Switch everything on, and play what stands before the trainee's part. Raises `StageBroken`,
        `NoController`."""
        self.stage.panel.on_lamp = lambda _: self.rings()
        self.stage.light.on_change = lambda _: self.rings()
        self.stage.__enter__()
        try:
            if self.exercise is not None:
                self._play(self.exercise)
            else:
                self.shuffle()
                self._seat_everybody()
        except BaseException:
            self.stage.__exit__(None, None, None)
            raise
        self._after = self.stage.newest
        self.began_us = now_us()
        self._listener.start()

    def end(self) -> None:
        """Switch everything off; may be repeated."""
        if self._ending.is_set():
            return
        self._ending.set()
        if self._listener.ident is not None:
            self._listener.join(_JOIN_S)
            self.stage.__exit__(None, None, None)

    def shuffle(self) -> None:
        """All cards back into the shoe, in another order each time."""
        self._shuffles += 1
        self.stage.world.shuffle(self.scene.seed + self._shuffles)
        self.tabletop.shuffled()

    def finish(self) -> None:
        """The trainee ends the exercise where it is."""
        if self.marking is not None and not self.marking.is_over:
            self.marking.given_up = True
            self._tell_over(self.marking)

    def hint(self) -> None:
        """The trainee asks for one more hint."""
        if self.marking is not None:
            self.marking.ask_hint()
            self.rings()

    # -- before the trainee's part -----------------------------------------------------------------------------------

    def _play(self, exercise: Exercise) -> None:
        with WirePlayer(self.stage, exercise.hand) as player:
            player.bring_about()
            for step in exercise.before:
                for difference in player.play(step):
                    raise StageBroken(f"exercise {exercise.name}: {difference}")
        self._lay(exercise)
        self._stack(exercise)
        lost = {step.fact.role for step in exercise.before if isinstance(step.fact, DeviceLost)}
        back = {step.fact.role for step in exercise.before if isinstance(step.fact, DeviceBack)}
        self.unplugged |= {_CABLES[role] for role in lost - back}

    def _lay(self, exercise: Exercise) -> None:
        """Every card lies where the table has it, as somebody would have dealt it, but for what the exercise says."""
        newest, seq = self.stage.newest, 0
        drawn, lies = self.stage.world.drawn(), dict[int, str]()
        folded: list[str] = []
        with self.stage.reader() as reader:
            while seq < newest and (record := reader.record(ANSWER_S)) is not None:
                seq = record.seq
                for decision in record.decisions:
                    match decision:
                        case CardPlaced():
                            lies[decision.draw] = decision.slot.spot
                        case Folded() | Spoke(action=Action.FOLD):
                            folded.append(f"seat-{decision.seat}")
        for number, card in enumerate(drawn, start=1):
            name = self.tabletop.took(card)
            if number in lies or number in exercise.lies:
                spot = exercise.lies.get(number) or lies[number]
                self.tabletop.place(name, spot if spot in self.tabletop.spots else ASIDE)
        for seat in folded:
            self.tabletop.gather(seat)
        for spot in exercise.up:
            self.tabletop.flip(self.tabletop.seen()[spot][-1].name)
        for one, other in exercise.touching:
            self.tabletop.touch(one, other)

    def _stack(self, exercise: Exercise) -> None:
        """The cards that come next are those of the file; for one that cannot be read, any other."""
        there = [card.face for card in self.stage.world.at("shoe")]
        spare = iter([face for face in there if face not in exercise.faces])
        wanted = [next(spare) if face is None else face for face in exercise.faces]
        for face in {*wanted} - {*there}:
            self.stage.world.bring(face, "shoe")  # a second card with the same face: a deck that is not right
        self.stage.world.stack(wanted)

    def _seat_everybody(self) -> None:
        """At a free table of a circle game people sit, with chips in front of them."""
        if self.scene.rulebook not in CIRCLE_GAMES:
            return
        stack = self.scene.resto or _STACK_OF_LEAST * GAMES[self.scene.rulebook].limits["bet"].least
        with closing(self.stage.speaker()) as speaker:
            for seat in range(1, min(_PLAYERS, self.scene.seats) + 1):
                for line in (f"player {seat} {SeatChange.TAKES}", f"stack {seat} {stack}"):
                    if not (reply := speaker.enter(line))["ok"]:
                        raise StageBroken(f"{line}: {reply['error']}")

    # -- what the controller concludes -------------------------------------------------------------------------------

    def _listen(self) -> None:
        """Every record from now on is held against the exercise."""
        after, draws = self._after, len(self.stage.world.drawn())
        while not self._ending.is_set():
            try:
                with self.stage.reader(after=after) as reader:
                    while not self._ending.is_set():
                        record = reader.record(_LOOK_S)
                        if record is None:
                            continue
                        after, draws = record.seq, record.draw or draws
                        self._take(record, draws)
            except (NoController, StageBroken):
                self._ending.wait(_LOOK_S)

    def _take(self, record: PublicRecord, draws: int) -> None:
        decisions = known_decisions(record)
        marking, event = self.marking, record.event
        if marking is not None and isinstance(event, Fact):
            was_over = marking.is_over
            for decision in decisions:
                lines = decision_lines(event, (decision,), last_draw=draws)
                marking.take((line, decision) for line in lines)
            if marking.is_over != was_over:
                self._tell_over(marking)
        self.rings()

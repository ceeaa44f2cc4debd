"""One table to practise at: devices, wires, the real controller, and what lies on the felt.

The pages that show it are `tablectl/web/training`.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Final

from drivers.patlite.messages import Pattern
from drivers.xkeys.messages import Lamp, Light
from simulators.devices.world import SHOE, PhysicalCard
from simulators.stage.dealing import Dealing
from simulators.stage.games import SMALLEST_CHIP
from simulators.stage.stage import Scene, Stage
from simulators.stage.training.tabletop import Tabletop
from simulators.stage.wire import ANSWER_S, WirePlayer, scene_of, why_not
from tablectl.api.stage import ASIDE, EVERY_ACT, Act, Dealer, FreeTable, Prepared, StageBroken, TableSeen
from tablectl.core.engine.decisions import CardPlaced, Folded, Spoke
from tablectl.core.engine.facts import DeviceBack, DeviceLost
from tablectl.core.engine.vocabulary import Action, SeatChange
from tablectl.games.registry import CIRCLE_GAMES

#: How many sit at a free table where players bet against each other.
_PLAYERS: Final = 5
_STACK_OF_LEAST: Final = 100
#: What each device that can be lost is called here.
_CABLES: Final = {"shoe": "sabot", "panel": "panel", "light": "light"}
_COLOURS: Final = ("red", "yellow", "green", "blue", "white")


class ShownTable:
    """A stage as people see it, with what lies on its felt: everything that `tablectl.api.stage.PracticeTable` has but
    its beginning, its end and the acts of people."""

    #: who deals, where the croupier's side can be handed over; None where only a person deals
    dealing: Dealing | None = None
    acts: frozenset[Act] = EVERY_ACT
    helps: bool = False

    def __init__(self, stage: Stage, rings: Callable[[], None]) -> None:
        self.stage = stage
        self.tabletop = Tabletop(stage.world, stage.scene.seats)
        stage.on_back = self.tabletop.went_back
        #: devices whose cable is out
        self.unplugged: set[str] = set()
        self.socket = stage.socket
        self._shuffles = 0
        self._rings = rings

    @property
    def scene(self) -> Scene:
        """What is simulated now."""
        return self.stage.scene

    @property
    def rulebook(self) -> str:
        """The game."""
        return self.scene.rulebook

    @property
    def seats(self) -> int:
        """How many places there are."""
        return self.scene.seats

    @property
    def has_shoe(self) -> bool:
        """Whether cards come out of a shoe that says them."""
        return self.scene.has_shoe

    @property
    def has_tags(self) -> bool:
        """Whether anything reads tags."""
        return bool(self.scene.antennas)

    @property
    def newest(self) -> int:
        """The position of the newest record."""
        return self.stage.newest

    @property
    def drawn(self) -> int:
        """How many cards have left the deck."""
        return len(self.stage.world.drawn())

    def shuffle(self) -> None:
        """All cards back into the shoe, in another order each time."""
        self._shuffles += 1
        self.stage.world.shuffle(self.scene.seed + self._shuffles)
        self.stage.on_back(self.stage.world.cards())

    def seen(self) -> TableSeen:
        """How it looks now."""
        stage = self.stage
        lamps = stage.panel.lamps if stage.panel_is_plugged else {}
        by_number = sorted(self.scene.panel.items(), key=lambda item: item[1])
        state = stage.light.state
        return TableSeen(
            cards=self.tabletop.seen(),
            touching=tuple(self.tabletop.touching),
            remaining=len(stage.world.at(SHOE)),
            panel={key: _lamp_word(lamps.get(number, Lamp.OFF)) for key, number in by_number},
            is_plugged=stage.panel_is_plugged,
            cables={name: name not in self.unplugged for name in stage.cables},
            light=tuple(colour for colour in _COLOURS if getattr(state, colour) is not Pattern.OFF),
            dealer=self._dealer(),
        )

    def took(self, card: PhysicalCard) -> str:
        """A person drew this card; its name from now on."""
        return self.tabletop.took(card)

    def _dealer(self) -> Dealer:
        if self.dealing is None:
            return Dealer.ALWAYS_A_PERSON
        return Dealer.PERSON if self.dealing.is_persons else Dealer.SIMULATED

    def _look_at_lamps(self) -> None:
        """Whatever is lit from now on is to be seen."""
        self.stage.panel.on_lamp = lambda _: self._rings()
        self.stage.light.on_change = lambda _: self._rings()


class PreparedTable(ShownTable):
    """A stage of its own, from `begin` to `end`: the free table, or what an exercise has prepared."""

    def __init__(
        self, folder: Path, free: FreeTable, prepared: Prepared | None, name: str, rings: Callable[[], None]
    ) -> None:
        self._prepared = prepared
        # Nobody signs on at a free table. Whether a croupier has to at an exercise is what its file says.
        if prepared is None:
            shown = Scene(
                rulebook=free.rulebook, seed=free.seed, equipment=free.equipment, staff=False, chip=SMALLEST_CHIP
            )
        else:
            shown = replace(scene_of(prepared.hand), seed=free.seed)
        super().__init__(Stage(replace(shown, table=name), folder), rings)

    def begin(self) -> None:
        """Switch everything on, and bring about what was prepared. Raises `StageBroken`, `NoController`."""
        self._look_at_lamps()
        if self._prepared is not None and (why := why_not(self._prepared.hand)) is not None:
            raise StageBroken(f"exercise {self._prepared.name}: {why}")
        self.stage.__enter__()
        try:
            if self._prepared is not None:
                self._play(self._prepared)
            else:
                self.shuffle()
                self._seat_everybody()
        except BaseException:
            self.stage.__exit__(None, None, None)
            raise

    def end(self) -> None:
        """Switch everything off."""
        self.stage.__exit__(None, None, None)

    # -- before the trainee's part -----------------------------------------------------------------------------------

    def _play(self, prepared: Prepared) -> None:
        with WirePlayer(self.stage, prepared.hand) as player:
            player.bring_about()
            for step in prepared.before:
                for difference in player.play(step):
                    raise StageBroken(f"exercise {prepared.name}: {difference}")
        self._lay(prepared)
        self._stack(prepared)
        lost = {step.fact.role for step in prepared.before if isinstance(step.fact, DeviceLost)}
        back = {step.fact.role for step in prepared.before if isinstance(step.fact, DeviceBack)}
        self.unplugged |= {_CABLES[role] for role in lost - back}

    def _lay(self, prepared: Prepared) -> None:
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
            if number in lies or number in prepared.lies:
                spot = prepared.lies.get(number) or lies[number]
                self.tabletop.place(name, spot if spot in self.tabletop.spots else ASIDE)
        for seat in folded:
            self.tabletop.gather(seat)
        for spot in prepared.up:
            self.tabletop.flip(self.tabletop.seen()[spot][-1].name)
        for one, other in prepared.touching:
            self.tabletop.touch(one, other)

    def _stack(self, prepared: Prepared) -> None:
        """The cards that come next are those of the file; for one that cannot be read, any other."""
        there = [card.face for card in self.stage.world.at("shoe")]
        spare = iter([face for face in there if face not in prepared.faces])
        wanted = [next(spare) if face is None else face for face in prepared.faces]
        for face in {*wanted} - {*there}:
            self.stage.world.bring(face, "shoe")  # a second card with the same face: a deck that is not right
        self.stage.world.stack(wanted)

    def _seat_everybody(self) -> None:
        """At a free table of a circle game people sit, with chips in front of them."""
        if self.scene.rulebook not in CIRCLE_GAMES:
            return
        stack = self.scene.resto or _STACK_OF_LEAST * self.scene.bands["bet"].least
        with closing(self.stage.connection()) as connection:
            for seat in range(1, min(_PLAYERS, self.scene.seats) + 1):
                for line in (f"player {seat} {SeatChange.TAKES}", f"stack {seat} {stack}"):
                    if not (reply := connection.enter(line))["ok"]:
                        raise StageBroken(f"{line}: {reply['error']}")


def _lamp_word(lamp: Lamp) -> str:
    if Light.FLASH in lamp.value:
        return "blinks"
    if lamp.red is Light.ON:
        return "red"
    return "blue" if lamp.blue is Light.ON else "dark"

"""`python -m simulators pn532 | feig | pepper`: a reader with tags in its field that any program can open."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Final

from simulators.devices.faults import FaultPlanError
from simulators.devices.field import Field
from simulators.devices.reader import ReaderProtocol, ReaderSimulator
from simulators.devices.standalone import Options, SimulatorEntry, words
from simulators.devices.tag_faults import fields_of
from simulators.devices.wire import PtyEnd
from simulators.devices.world import AWAY, World

SPOT: Final = "antenna"
HELP: Final = (
    "type: put UID | take UID | deaf UID | Enter: lift all or put back | list | unplug | replug | reboot | quit"
)
WRONG_USAGE: Final = 2


@dataclass(frozen=True, kw_only=True, slots=True)
class Model:
    """What differs between the readers. `uid_bytes`: how long a tag's number may be."""

    baud: int
    bits_per_byte: int
    uid_bytes: tuple[int, ...]
    usual_tag: Callable[[int], str]
    protocol: Callable[[Sequence[Field], PtyEnd], ReaderProtocol]
    #: How many it has; the first one is where tags are put that nobody says more of.
    antennas: int = 1

    def is_tag(self, word: str) -> bool:
        """A number of one of the right lengths, in hexadecimal."""
        return bool(re.fullmatch("[0-9A-F]+", word)) and len(word) in [2 * length for length in self.uid_bytes]


def entry_of(model: Model, summary: str) -> SimulatorEntry:
    """The entry of a model. On a line of somebody's it has one antenna, and no tag there."""

    def on_line(end: PtyEnd) -> ReaderSimulator:
        fields = fields_of(World([]), (SPOT,), (), seed=1)
        return ReaderSimulator(end, replace(model, antennas=1).protocol(fields, end))

    return SimulatorEntry(summary=summary, run=lambda options: run(model, options), takes_tags=True, on_line=on_line)


def run(model: Model, options: Options) -> int:
    """Until told to stop. Returns the exit status."""
    tags = [tag.upper() for tag in options.tags] or [model.usual_tag(1)]
    wrong = [tag for tag in tags if not model.is_tag(tag)]
    if wrong:
        lengths = ", ".join(str(2 * length) for length in model.uid_bytes)
        options.say(f"{wrong[0]}: not a tag's number here: {lengths} hexadecimal digits")
        return WRONG_USAGE
    world = World([])
    for tag in tags:
        world.bring("", SPOT, tag=tag)
    try:
        fields = fields_of(world, spots(model), options.faults.tag_faults, seed=options.seed)
    except FaultPlanError as why:
        options.say(str(why))
        return WRONG_USAGE
    end = PtyEnd(
        link=options.link,
        baud=model.baud,
        bits_per_byte=model.bits_per_byte,
        speed_factor=options.speed_factor,
        minds_speed=True,
    )
    reader = ReaderSimulator(end, model.protocol(fields, end), faults=options.faults, seed=options.seed)
    reader.start()
    options.say(end.path)
    try:
        person = Person(model, world, fields[0], reader, end)
        for line in words(options, unasked=""):
            options.say(person.does(line.split()))
    finally:
        reader.close()
    return 0


def spots(model: Model) -> tuple[str, ...]:
    """Where the antennas of a reader are."""
    return (SPOT, *(f"{SPOT} {number}" for number in range(2, model.antennas + 1)))


class Person:
    """Who moves the tags. A tag that was never there is brought."""

    def __init__(self, model: Model, world: World, field: Field, reader: ReaderSimulator, end: PtyEnd) -> None:
        self._model = model
        self._world = world
        self._field = field
        self._reader = reader
        self._end = end

    def does(self, line: Sequence[str]) -> str:
        """One line typed; what is said to it."""
        match line:
            case []:
                return self._lift_or_put_back()
            case [("put" | "take" | "deaf") as verb, uid] if self._model.is_tag(uid.upper()):
                return self._move(verb, uid.upper())
            case ["list"]:
                return " ".join(card.tag for card in self._world.at(SPOT)) or "no tag"
            case ["unplug"]:
                self._reader.unplug()
                return "unplugged"
            case ["replug"]:
                self._reader.replug()
                return self._end.path
            case ["reboot"]:
                self._reader.reboot()
                return "rebooted"
            case _:
                return HELP

    def _move(self, verb: str, tag: str) -> str:
        known = [card for card in self._world.cards() if card.tag == tag]
        match verb:
            case "deaf":
                self._field.deaf ^= {tag}
                return f"{tag} {'does not answer' if tag in self._field.deaf else 'answers'}"
            case "put" if not known:
                self._world.bring("", SPOT, tag=tag)
            case _:
                for card in known:
                    self._world.put(card, SPOT if verb == "put" else AWAY)
        self._reader.look()
        return f"{verb} {tag}"

    def _lift_or_put_back(self) -> str:
        there = self._world.at(SPOT)
        for card in there or self._world.at(AWAY):
            self._world.put(card, AWAY if there else SPOT)
        self._reader.look()
        return "lifted" if there else "put back"

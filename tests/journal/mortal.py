"""Real controllers without devices, whose facts come from a list; one of them is killed at a chosen durable point.

As a program, `python -m tests.journal.mortal`, it takes orders from its standard input, a JSON line each, and forks a
controller for each of them. What reaches the world goes to the standard output as it happens: `lamps 7 8 HASH` when the
lamps change after the seventh fact, with the newest record; `answer 7 8 HASH` when the person who entered it is told.
After that, `ended -9`.

Nothing in the program under test knows of this: the controller here waits with its own death around the steps of the
real one.
"""

from __future__ import annotations

import json
import os
import signal
import sys
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import Any, Final, NoReturn

from drivers.facts import DeviceFact
from simulators.stage.stage import Scene, config_text
from tablectl.api.commands import Command, EnterFact
from tablectl.config.decks import DeckSettings
from tablectl.config.sections import VOLUME_RECORDS
from tablectl.config.table_file import Config
from tablectl.core.engine import facts as f
from tablectl.core.engine.decisions import Asked, Decision, Refused
from tablectl.core.engine.outputs import Outputs
from tablectl.core.engine.vocabulary import Key, Question
from tablectl.journal.journal import Journal
from tablectl.table.controller.controller import Controller
from tablectl.table.devices.devices import Devices
from tests.journal.journals import hand_facts

#: What reached the world after how many facts, and the newest record at that moment.
Tell = Callable[[str, int, int, bytes], object]


class Point(StrEnum):
    """Where in the life of one record the power fails."""

    BEFORE_COMMIT = "before-commit"
    AFTER_COMMIT = "after-commit"
    AFTER_LAMPS = "after-lamps"
    AFTER_ANSWER = "after-answer"


class Birth(StrEnum):
    """Where in the first start of a table, before its first record."""

    BEFORE_THE_JOURNAL = "before-the-journal"
    BEFORE_THE_KEY = "before-the-key"
    KEY_WITHOUT_A_NAME = "key-without-a-name"
    BETWEEN_THE_KEYS = "between-the-keys"
    SIGNING_KEY_WITHOUT_A_NAME = "signing-key-without-a-name"
    AFTER_THE_KEYS = "after-the-keys"
    BEFORE_THE_FIRST_RECORD = "before-the-first-record"


#: What the program does next at such a moment, as the interpreter tells its auditors: the event, and the file.
NEXT_STEP: Final = {
    Birth.BEFORE_THE_JOURNAL: ("sqlite3.connect", "table.db"),
    Birth.BEFORE_THE_KEY: ("open", "table.key.PID.new"),
    Birth.KEY_WITHOUT_A_NAME: ("os.rename", "table.key.PID.new"),
    Birth.BETWEEN_THE_KEYS: ("open", "table.sign.PID.new"),
    Birth.SIGNING_KEY_WITHOUT_A_NAME: ("os.rename", "table.sign.PID.new"),
    Birth.AFTER_THE_KEYS: ("open", "table.pub"),
}


@dataclass(frozen=True, kw_only=True)
class Death:
    """At this point of the record of the n-th fact; notes of the journal do not count."""

    nth: int
    point: Point | Birth


class QuietLog:
    """What is no error is read by nobody."""

    def info(self, event: str, **fields: object) -> None: ...

    def warning(self, event: str, **fields: object) -> None: ...

    def error(self, event: str, **fields: object) -> None:
        """Shown where a test fails: a tilt says here why."""
        sys.stderr.write(f"{event} {fields}\n")


LOG: Final = QuietLog()
#: Why such a controller ends.
NO_MORE: Final = "no more facts"


def config(folder: Path, setup: f.Setup) -> Config:
    """A table without devices. Only the integrity check reads its file, which says where the journal is."""
    file = folder / "table.toml"
    file.write_text(config_text(Scene(staff=False), folder), encoding="utf-8")
    return Config(
        file=file,
        setup=setup,
        languages=("en",),
        currency="EUR",
        currency_exponent=2,
        journal=folder / "table.db",
        key=folder / "table.key",
        signing_key=folder / "table.sign",
        copy=folder / "table.copy",
        auditor=None,
        volume_records=VOLUME_RECORDS,
        socket=folder / "table.sock",
        usb_bus=None,
        people=folder / "people.db",
        deck=DeckSettings(register=folder / "decks.db"),
        devices=(),
        screens_port=0,
        notices=(),
    )


class Lamps(Devices):
    """No device, but somebody who sees that they are told something."""

    def __init__(self, table: Config, seen: Callable[[], object]) -> None:
        super().__init__(table, lambda _: None, LOG)
        self._seen = seen

    def show(self, wanted: Outputs) -> None:
        super().show(wanted)
        self._seen()


class Told(EnterFact):
    """An entry whose answer is noticed."""

    def __init__(self, fact: f.Fact, heard: Callable[[], object]) -> None:
        super().__init__(fact=fact)
        self._heard = heard

    def answer(self, seq: int, refused: Refused | None) -> None:
        super().answer(seq, refused)
        self._heard()


class Scripted(Controller):
    """The real controller with these facts, one when the one before is done with, and then its end.

    A croupier who is asked about the felt because this start found a hand open confirms it as soon as that question
    is the one on the screen; `at_once` comes before: what devices say when their lines are back.
    """

    def __init__(
        self, table: Config, facts: Iterable[f.Fact], *, at_once: Iterable[f.Fact] = (), tell: Tell = lambda *_: None
    ) -> None:
        super().__init__(table, LOG, on_ready=self._go_on)
        self._devices = Lamps(table, self._lamps)
        self._facts = iter(facts)
        self._at_once = iter(at_once)
        self._tell = tell
        self._owes_the_felt = False
        self._n_written = 0

    def _take(self, item: DeviceFact | Command) -> None:
        super()._take(item)
        self._go_on()

    def _write(
        self, fact: f.Fact, decisions: tuple[Decision, ...], draw: int | None, hand: int, panel: str | None = None
    ) -> None:
        super()._write(fact, decisions, draw, hand, panel)
        self._n_written += 1

    def _release(self, fact: f.Fact, decisions: tuple[Decision, ...], entry: EnterFact | None) -> None:
        if entry is None:
            self._owes_the_felt = any(isinstance(decision, Asked) for decision in decisions)
        super()._release(fact, decisions, entry)

    def _go_on(self) -> None:
        fact = next(self._at_once, None)
        if fact is None and self._owes_the_felt and self._table.prompt().question is Question.FELT:
            fact, self._owes_the_felt = f.Pressed(at_us=0, key=Key.CONFIRM), False
        fact = fact or next(self._facts, None)
        if fact is None:
            self.stop(NO_MORE)
        else:
            self._items.put(Told(fact, self._answered))

    def _lamps(self) -> None:
        self._effect("lamps")

    def _answered(self) -> None:
        self._effect("answer")

    def _effect(self, what: str) -> None:
        newest = self._journal.store.end
        self._tell(what, self._n_written, newest.seq, newest.hash)


class Mortal(Scripted):
    """One that is killed."""

    def __init__(self, table: Config, facts: Iterable[f.Fact], *, tell: Tell, death: Death) -> None:
        super().__init__(table, facts, tell=tell)
        self._death = death

    def _check(self, journal: Journal) -> None:
        super()._check(journal)
        if self._death.point is Birth.BEFORE_THE_FIRST_RECORD:
            die()

    def _write(
        self, fact: f.Fact, decisions: tuple[Decision, ...], draw: int | None, hand: int, panel: str | None = None
    ) -> None:
        if self._n_written + 1 != self._death.nth:
            super()._write(fact, decisions, draw, hand, panel)
            return
        if self._death.point is Point.BEFORE_COMMIT:
            # Everything is done that comes before the commit, and the commit itself is left out.
            self._journal.store._connection.execute("BEGIN")
            super()._write(fact, decisions, draw, hand, panel)
            die()
        super()._write(fact, decisions, draw, hand, panel)
        if self._death.point is Point.AFTER_COMMIT:
            die()

    def _effect(self, what: str) -> None:
        super()._effect(what)
        if what == "lamps" and self._death == Death(nth=self._n_written, point=Point.AFTER_LAMPS):
            die()

    def _release(self, fact: f.Fact, decisions: tuple[Decision, ...], entry: EnterFact | None) -> None:
        super()._release(fact, decisions, entry)
        if self._death == Death(nth=self._n_written, point=Point.AFTER_ANSWER):
            die()


def die() -> NoReturn:
    """As in a power cut: no handler runs, nothing is flushed or closed."""
    os.kill(os.getpid(), signal.SIGKILL)
    raise AssertionError("killed, and still there")


def die_before(step: str, name: str) -> None:
    """Be killed when this process is about to do that with a file of this name."""
    name = name.replace("PID", str(os.getpid()))

    def look(event: str, told: tuple[Any, ...]) -> None:
        if event == step and isinstance(told[0], str | os.PathLike) and os.fspath(told[0]).endswith(f"/{name}"):
            die()

    sys.addaudithook(look)


def say(what: str, *values: object) -> None:
    """One line, in one write: a process that dies leaves no half line behind."""
    os.write(sys.stdout.fileno(), f"{' '.join(map(str, (what, *values)))}\n".encode())


def live(order: dict[str, Any], setup: f.Setup, facts: list[f.Fact]) -> int:
    """The life of one controller, in a process of its own: its exit status, where it ends at all."""
    point = next(named for named in (*Point, *Birth) if named == order["point"])
    table = config(Path(order["folder"]), setup)
    if isinstance(point, Birth) and point in NEXT_STEP:
        die_before(*NEXT_STEP[point])
    return Mortal(
        table,
        facts[1:],
        tell=lambda what, nth, seq, link: say(what, nth, seq, link.hex()),
        death=Death(nth=order["nth"], point=point),
    ).run()


def main() -> None:
    for line in sys.stdin:
        order = json.loads(line)
        setup, facts = hand_facts(order["hand"])
        pid = os.fork()  # this process has one thread only
        if pid == 0:
            os._exit(live(order, setup, facts))
        say("ended", os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]))


if __name__ == "__main__":
    main()

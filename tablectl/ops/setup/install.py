"""What follows after the written configuration: folders, first manager, units, and what to do next."""

from __future__ import annotations

import os
import textwrap
from collections.abc import Callable
from pathlib import Path
from typing import Final

from tablectl.config.table_file import load
from tablectl.ops.setup.backing_up import begin, by_hand, commands, timer
from tablectl.ops.setup.install_steps import NotDone, Run, Skipped, enable, first_manager, make_folders, run
from tablectl.ops.setup.messages import Voice, Word
from tablectl.ops.setup.plan import Task
from tablectl.ops.setup.questions import Answers
from tablectl.ops.software.required import unapproved

_NEXT: Final = "setup-next"
#: Where whoever copies something out of the machine has a medium mounted.
MEDIUM: Final = "/mnt"
#: No line wider than a serial console, in characters; with its number before it.
_WIDTH: Final = 75


class Installation:
    """One table's. `say` shows a line to whoever sets it up; `command` runs what systemd is told."""

    def __init__(
        self, said: Answers, task: Task, *, voice: Voice, say: Callable[[str], None], command: Run = run
    ) -> None:
        self._said = said
        self._task = task
        self._file = task.file(said)
        self._voice = voice
        self._say = say
        self._command = command
        self._backups = Path(said["house.backups"])
        self._is_backed_up = False
        self._is_root = os.geteuid() == 0 and task.places.is_installed

    def done(self) -> bool:
        """Whether every step was done that could be done here."""
        name = self._said["table.file"]
        try:
            if not self._is_in_place(name):
                self._tell("not-in-place", file=self._task.places.config(name))
                return True
            if not self._tried(self._furnished, name):
                return False
            # A table that does not start is backed up all the same.
            is_done = [self._tried(self._backed_up, name), self._tried(self._started, name)]
            return all(is_done)
        finally:
            self._next(name)

    def _tried(self, step: Callable[[str], None], name: str) -> bool:
        """Whether it was done; why not is told."""
        try:
            step(name)
        except NotDone as no:
            self._tell(no.why, **no.values)
        except OSError as wrong:
            self._tell("folder-not", folder=wrong.filename, reason=wrong.strerror)
        else:
            return True
        return False

    def _furnished(self, name: str) -> None:
        self._folders(name)
        self._manager()

    def _backed_up(self, name: str) -> None:
        if not (self._task.can_start and self._task.has_units):
            return
        begin(name, self._backups, self._task.places, self._command)
        self._is_backed_up = True
        self._tell("backed-up", folder=self._backups / name, unit=timer(name))

    def _started(self, name: str) -> None:
        if self._said["house.start"] and self._lacks_approval():
            self._tell("not-approved", file=self._file)
        elif self._said["house.start"]:
            enable(f"tablectl@{name}.target", self._command)
            self._tell("started", unit=f"tablectl@{name}.target")

    def _lacks_approval(self) -> bool:
        """Whether the table would not begin yet."""
        return bool(unapproved(load(self._file)))

    def _is_in_place(self, name: str) -> bool:
        """Whether this is the file that the services read, and who writes it may make what belongs to it."""
        places = self._task.places
        return self._file == places.config(name) and (self._is_root or not places.is_installed)

    def _folders(self, name: str) -> None:
        folders = self._task.places.folders(name, self._backups, notifies=self._said["house.notifications"])
        for folder in make_folders(folders, owned=self._is_root):
            if isinstance(folder, Skipped):
                self._tell("no-user", folder=folder.folder, user=folder.missing)

    def _manager(self) -> None:
        """The password is shown here and nowhere else."""
        if not load(self._file).people.parent.is_dir():
            return
        try:
            said = first_manager(self._file, owned=self._is_root)
        except NotDone as no:
            if no.why != "manager-there":
                raise
            self._tell(no.why, **no.values)
            return
        self._tell("manager", password=said.rpartition(" ")[2])

    def _next(self, name: str) -> None:
        """What is left to do, each with what to type; and where the screens are."""
        file = self._file
        url = f"http://127.0.0.1:{self._said['screens.port']}/"
        approval = [("approval", (f"tablectl manifest make {file} --key PEM",))] if self._lacks_approval() else []
        steps = [
            *approval,
            self._first(name),
            ("devices", (f"tablectl devices {file}",)),
            ("people", (url,)),
            ("keys", (f"cp {self._keys(name)} {MEDIUM}/",)),
            ("public-key", self._public_key(name)),
        ]
        if not self._is_backed_up:
            steps.append(self._backups_of(name))
        self._say(f"\n{self._voice.say(_NEXT, 'head')}")
        for number, (step, typed) in enumerate(steps, 1):
            self._step(f"{number}.", step, typed)
        if self._said["house.notifications"]:
            self._step("+ ", "notifications", (f"systemctl enable --now tablectl-notifications@{name}",))
        self._say(f"\n{self._voice.word(Word.of(_NEXT, 'screens'))}: {url}")

    def _first(self, name: str) -> tuple[str, tuple[str, ...]]:
        file, unit = self._file, f"tablectl@{name}.target"
        if not self._task.places.is_installed:
            return "run", (f"tablectl run {file}", f"tablectl screens {file}")
        if self._said["house.start"] and not self._lacks_approval():
            return "look", (f"systemctl status {unit}",)
        return "start", (f"systemctl enable --now {unit}",)

    def _keys(self, name: str) -> str:
        """Both secrets, as somebody types them."""
        state = self._task.places.state(name)
        return f"{state / 'table.key'} {state / 'table.sign'}"

    def _public_key(self, name: str) -> tuple[str, str]:
        """How it leaves the machine, and what the auditor does with it."""
        state = self._task.places.state(name)
        return (
            f"cp {state / 'table.pub'} {MEDIUM}/",
            f"tablectl journal verify {state / 'table.db'} --key {MEDIUM}/table.pub",
        )

    def _backups_of(self, name: str) -> tuple[str, tuple[str, ...]]:
        """What makes a backup a day where nobody made that yet."""
        if self._task.has_units:
            return "backups", commands(name, self._backups, self._task.places)
        return "backups-by-hand", (by_hand(name, self._file, self._backups),)

    def _step(self, mark: str, step: str, commands: tuple[str, ...]) -> None:
        said = [line for text in self._voice.say(_NEXT, step, medium=MEDIUM).splitlines() for line in _short(text)]
        said = [f"{mark if n == 0 else '  '} {line}" for n, line in enumerate(said)]
        self._say("\n".join([*said, *(f"     {command}" for command in commands)]))

    def _tell(self, key: str, /, **values: object) -> None:
        self._say(self._voice.say("setup-say", key, **values))


def _short(line: str) -> list[str]:
    return textwrap.wrap(line, _WIDTH, break_on_hyphens=False, break_long_words=False)

"""What follows behind the written configuration: folders, first manager, units, and what to do next."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import Final

from tablectl.config import load
from tablectl.setting_up.installing import NotDone, Run, Skipped, enable, first_manager, make_folders, run
from tablectl.setting_up.plan import Task
from tablectl.setting_up.questions import Answers
from tablectl.setting_up.speaking import Voice, Word

_NEXT: Final = "setup-next"


class Finishing:
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
        self._is_root = os.geteuid() == 0 and task.places.is_installed

    def done(self) -> bool:
        """Whether every step was done that could be done here."""
        name = self._said["table.file"]
        try:
            if not self._is_in_place(name):
                self._tell("not-in-place", file=self._task.places.config(name))
                return True
            self._folders(name)
            self._manager()
            if self._said["house.start"]:
                enable(f"tablectl@{name}.target", self._command)
                self._tell("started", unit=f"tablectl@{name}.target")
        except NotDone as no:
            self._tell(no.why, **no.values)
            return False
        except OSError as wrong:
            self._tell("folder-not", folder=wrong.filename, reason=wrong.strerror)
            return False
        finally:
            self._next(name)
        return True

    def _is_in_place(self, name: str) -> bool:
        """Whether this is the file that the services read, and who writes it may make what belongs to it."""
        places = self._task.places
        return self._file == places.config(name) and (self._is_root or not places.is_installed)

    def _folders(self, name: str) -> None:
        backups = Path(self._said["house.backups"])
        folders = self._task.places.folders(name, backups, notifies=self._said["house.notifications"])
        for each in make_folders(folders, owned=self._is_root):
            if isinstance(each, Skipped):
                self._tell("no-user", folder=each.folder, user=each.missing)

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
        """Three steps, each with what to type; and where the screens are."""
        file, unit = self._file, f"tablectl@{name}.target"
        url = f"http://127.0.0.1:{self._said['screens.port']}/"
        first: tuple[str, tuple[str, ...]]
        if not self._task.places.is_installed:
            first = "run", (f"tablectl run {file}", f"tablectl screens {file}")
        elif self._said["house.start"]:
            first = "look", (f"systemctl status {unit}",)
        else:
            first = "start", (f"systemctl enable --now {unit}",)
        self._say(f"\n{self._voice.say(_NEXT, 'head')}")
        for number, (step, commands) in enumerate(
            (first, ("devices", (f"tablectl devices {file}",)), ("people", (url,))), 1
        ):
            self._step(f"{number}.", step, commands)
        if self._said["house.notifications"]:
            self._step("+ ", "notifications", (f"systemctl enable --now tablectl-notifications@{name}",))
        self._say(f"\n{self._voice.word(Word.of(_NEXT, 'screens'))}: {url}")

    def _step(self, mark: str, step: str, commands: tuple[str, ...]) -> None:
        lines = self._voice.say(_NEXT, step).splitlines()
        said = [f"{mark if n == 0 else '  '} {line}" for n, line in enumerate(lines)]
        self._say("\n".join([*said, *(f"     {each}" for each in commands)]))

    def _tell(self, key: str, /, **values: object) -> None:
        self._say(self._voice.say("setup-say", key, **values))

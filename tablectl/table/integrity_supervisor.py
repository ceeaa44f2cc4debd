"""Keeps the integrity check (`tablectl.table.integrity_check`) running beside the controller, and hands on its
findings."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import threading
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from drivers.heartbeat import Heartbeat
from drivers.port import Log
from tablectl.core.disk_room import Space, Urgency
from tablectl.journal.tilt import Tilt, TiltKind
from tablectl.table.disk_space import heard

STOP_S: Final = 2.0
#: A watch that breaks so often in a row without one check is a journal that nobody checks.
DEATHS_MOST: Final = 10
LAST_WORDS_CHARS: Final = 300


@dataclass(frozen=True, kw_only=True, slots=True)
class Rounds:
    """When the integrity check looks, in seconds. It begins when the table has found its devices: the start
    is in a hurry."""

    #: after the start of the controller
    first_s: float = 3.0
    #: after a watch that ended by itself
    again_s: float = 30.0
    #: between two looks at what came since
    look_s: float = 5.0
    #: for which the next volumes are checked
    round_s: float = 600.0


DEFAULT_ROUNDS: Final = Rounds()


class IntegritySupervisor:
    """One thread that starts the integrity check, reads what it says, and starts it again should it end."""

    def __init__(
        self, config: Path, software: str, alarm: Callable[[Tilt], None], log: Log, rounds: Rounds = DEFAULT_ROUNDS
    ) -> None:
        self._command = [
            sys.executable,
            "-P",
            "-m",
            "tablectl.table.integrity_check",
            str(config),
            "--software",
            software,
        ]
        self._command += ["--every", str(rounds.round_s), "--look", str(rounds.look_s)]
        #: the table's file as the controller has it: the check goes by that, whatever lies there when it starts
        self._file = config.read_bytes()
        self._command += ["--given", str(len(self._file))]
        self._rounds = rounds
        self._alarm = alarm
        self._log = log
        self._closing = threading.Event()
        self._lock = threading.Lock()
        self._deaths = 0
        #: what the integrity check said last of the disks; replaced whole, so any thread may look
        self.spaces: tuple[Space, ...] = ()
        self._last_words = ""
        #: whether the log was told that the table's file is another one now
        self._is_file_changed = False
        self._process: subprocess.Popen[bytes] | None = None
        self._thread = threading.Thread(target=self._run, name="integrity", daemon=True)
        self.heartbeat = Heartbeat(self._thread.name)

    def start(self) -> None:
        """In a while."""
        self._thread.start()

    def close(self) -> None:
        """The integrity check ends when its standard input is closed, and is ended where it is too busy to notice: it
        only reads, and must not be at the table's files when the controller is gone."""
        self._closing.set()
        with self._lock:
            process = self._process
            if process is not None and process.stdin is not None:
                process.stdin.close()
        self._thread.join(STOP_S)
        if process is not None and self._thread.is_alive():
            process.kill()
            self._thread.join(STOP_S)

    def _run(self) -> None:
        self.heartbeat.live(self._keep_watch)

    def _keep_watch(self) -> None:
        self.heartbeat.rest()  # it waits all its life: for the time to begin, and then for what the check says
        pause_s = self._rounds.first_s
        while not self._closing.wait(pause_s):
            try:
                if self._watched():
                    return
                reason = self._last_words or "it ended by itself"
            except OSError as wrong:
                reason = wrong.strerror or type(wrong).__name__
            pause_s = self._rounds.again_s
            self._deaths += 1
            if self._deaths > DEATHS_MOST and not self._closing.is_set():
                what = f"the integrity check ended {self._deaths} times without a check: {reason}"
                self._alarm(Tilt(TiltKind.PROGRAM, f"{what}; a journal that nobody checks is not to be trusted"))
                return
            if not self._closing.is_set():
                what = "the journal is not checked meanwhile; it is started again"
                self._log.warning("integrity check ended", reason=reason, what=what)

    def _watched(self) -> bool:
        """One life of the integrity check; whether it found a fault."""
        with self._lock:
            if self._closing.is_set():
                return True
            process = self._process = subprocess.Popen(self._command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
            assert process.stdin is not None, "asked for"
            with suppress(BrokenPipeError):  # it ended at once: what it said last tells
                os.write(process.stdin.fileno(), self._file)  # a pipe has room for it
        with process:
            assert process.stdout is not None, "asked for"
            for said in process.stdout:
                self._last_words = said.decode("utf-8", "replace").strip()[:LAST_WORDS_CHARS]
                if self._heard(said):
                    return True
        return False

    def _hear_space(self, said: object) -> None:
        """Keep what the integrity check said of the disks, and tell the log where one became more urgent."""
        try:
            found = heard(said)
        except ValueError:
            return  # as with everything that is said and not understood
        before = {space.holds: space.urgency for space in self.spaces}
        self.spaces = found
        for space in found:
            if space.urgency is before.get(space.holds, Urgency.NONE):
                continue
            about = {"what": space.holds.value, "path": space.path, "free_bytes": space.free_bytes, "days": space.days}
            if space.urgency is Urgency.ALARM:
                self._log.error("disk almost full", **about)
            elif space.urgency is Urgency.NOTICE:
                self._log.warning("disk fills", **about)

    def _heard(self, said: bytes) -> bool:
        try:
            told = json.loads(said)
            if not isinstance(told, dict):
                return False
            fault = TiltKind(told["fault"]) if "fault" in told else None
        except ValueError:
            return False
        if fault is None and "checked" in told:
            self._deaths = 0
            volumes, seconds = told.get("volumes"), told.get("seconds")
            self._log.info("journal checked", records=told["checked"], volumes=volumes, seconds=seconds)
        if fault is None and "changed" in told and not self._is_file_changed:
            self._is_file_changed = True
            what = "the table goes on with what it read at its start; the next start reads and checks the new one"
            self._log.warning("table file changed", path=told["changed"], what=what)
        if fault is None and "space" in told:
            self._hear_space(told["space"])
        if fault is None:
            return False
        self._alarm(Tilt(fault, f"found while the table ran: {told.get('reason')}"))
        return True

"""Keeps the watch (`tablectl.watch`) running beside the controller, and hands on what it finds."""

from __future__ import annotations

import json
import subprocess
import sys
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Final

from drivers.port import Log
from tablectl.tilt import Tilt, TiltKind

#: The start is in a hurry: the watch begins when the table has found its devices.
AFTER_START_S: Final = 3.0
AGAIN_S: Final = 30.0
STOP_S: Final = 2.0


class Watchman:
    """One thread that starts the watch, reads what it says, and starts it again should it end."""

    def __init__(self, config: Path, software: str, alarm: Callable[[Tilt], None], log: Log) -> None:
        self._command = [sys.executable, "-m", "tablectl.watch", str(config), "--software", software]
        self._alarm = alarm
        self._log = log
        self._closing = threading.Event()
        self._lock = threading.Lock()
        self._process: subprocess.Popen[bytes] | None = None
        self._thread = threading.Thread(target=self._run, name="watchman", daemon=True)

    def start(self) -> None:
        """In a while."""
        self._thread.start()

    def close(self) -> None:
        """The watch ends when its standard input is closed."""
        self._closing.set()
        with self._lock:
            if self._process is not None and self._process.stdin is not None:
                self._process.stdin.close()
        self._thread.join(STOP_S)

    def _run(self) -> None:
        pause_s = AFTER_START_S
        while not self._closing.wait(pause_s):
            if self._watched():
                return
            pause_s = AGAIN_S
            if not self._closing.is_set():
                self._log.warning("the watch ended", what="the journal is not checked behind; it is started again")

    def _watched(self) -> bool:
        """One life of the watch; whether it found a fault."""
        with self._lock:
            if self._closing.is_set():
                return True
            process = self._process = subprocess.Popen(
                self._command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
            )
        with process:
            assert process.stdout is not None, "asked for"
            for said in process.stdout:
                if self._heard(said):
                    return True
        return False

    def _heard(self, said: bytes) -> bool:
        try:
            told = json.loads(said)
            fault = TiltKind(told["fault"]) if "fault" in told else None
        except (TypeError, ValueError):
            return False
        if fault is None:
            self._log.info("journal checked", records=told.get("checked"), seconds=told.get("seconds"))
            return False
        self._alarm(Tilt(fault, f"found while the table ran: {told.get('reason')}"))
        return True

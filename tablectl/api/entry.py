"""What somebody asked for at the door, on its way to the one writer and back."""

from __future__ import annotations

import queue
import threading
from typing import Any, Final

from tablectl.api.present import SeenPrompt
from tablectl.core.engine.decisions import Refused
from tablectl.core.engine.facts import Fact
from tablectl.core.notes import Access, FloatCounted, FloatCredited, FloatFilled
from tablectl.table.controller.trying import What
from tablectl.table.decks.at_reader import Heard

GIVEN_UP: Final = "the controller did not answer, and it will not take this any more; enter it again"
UNKNOWN: Final = "the controller took it and did not answer; look at the felt on the screen before you enter it again"


class Errand:
    """Something that the one writer does for somebody who waits. It is taken once, and answered once."""

    def __init__(self) -> None:
        self._done = threading.Event()
        self._lock = threading.Lock()
        self._is_taken = self._is_given_up = False
        self._reply: dict[str, Any] = {"ok": False, "error": GIVEN_UP}

    def take(self) -> bool:
        """The controller takes it; False where whoever asked has been told that it was not taken."""
        with self._lock:
            self._is_taken = not self._is_given_up
            return self._is_taken

    def reply(self, said: dict[str, Any]) -> None:
        """It is done, or it will not be."""
        self._reply = said
        self._done.set()

    def fail(self, error: str) -> None:
        """It could not be taken."""
        self.reply({"ok": False, "error": error})

    def wait(self, timeout_s: float) -> dict[str, Any]:
        """What became of it. What the controller did not take in time it does not take later."""
        if not self._done.wait(timeout_s):
            with self._lock:
                self._is_given_up = not self._is_taken
            if not self._is_given_up:
                self._done.wait(timeout_s)
                return self._reply if self._done.is_set() else {"ok": False, "error": UNKNOWN}
        return self._reply


class Entry(Errand):
    """A fact that a person entered, on its way through the engine. `seen`: the prompt for which it is meant; without
    one it is taken whatever is asked by then."""

    def __init__(self, fact: Fact, seen: SeenPrompt | None = None) -> None:
        super().__init__()
        self.fact = fact
        self.seen = seen

    def answer(self, seq: int, refused: Refused | None) -> None:
        """It is durable."""
        said = None
        if refused is not None:
            said = {"why": refused.why.value, "clause": refused.clause, "detail": refused.detail}
        self.reply({"ok": True, "seq": seq, "refused": said})


class Trying(Errand):
    """A test of lamps or keys that is to begin; without a word what is tried, the one that runs ends."""

    def __init__(self, what: What | None, by: str) -> None:
        super().__init__()
        self.what = what
        self.by = by


class Enrolling(Errand):
    """A reader is asked for, to enrol a deck: what it hears goes to `heard`. Answered with who it says it is."""

    def __init__(self, reader: str, by: str, heard: queue.SimpleQueue[Heard]) -> None:
        super().__init__()
        self.reader = reader
        self.by = by
        self.heard = heard


class Enrolled(Errand):
    """A deck is enrolled, or given up: the reader is the table's again."""

    def __init__(self, heard: queue.SimpleQueue[Heard]) -> None:
        super().__init__()
        self.heard = heard


class Noting(Errand):
    """Who signed on, or read what: to be put on record."""

    def __init__(self, access: Access) -> None:
        super().__init__()
        self.access = access


class Counting(Errand):
    """The tray was counted, filled or credited: to be put on record. Of a count, the one writer says what was
    expected."""

    def __init__(self, note: FloatCounted | FloatFilled | FloatCredited) -> None:
        super().__init__()
        self.note = note

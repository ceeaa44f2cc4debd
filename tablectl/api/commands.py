"""What a caller asks of the one writer, on its way there and back."""

from __future__ import annotations

import threading
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any, Final

import msgspec

from tablectl.core.engine.decisions import Decision, Refused
from tablectl.core.engine.facts import Corrected, Fact
from tablectl.core.events.codec import to_plain
from tablectl.core.events.notes import Access, FloatNote, Proven, RollbackAccepted
from tablectl.journal.receipts import Receipt
from tablectl.journal.sealed_card_request import Request
from tablectl.journal.signed_head import SignedHead

GIVEN_UP: Final = "the controller did not answer, and it will not take this any more; enter it again"
UNKNOWN: Final = "the controller took it and did not answer; look at the felt on the screen before you enter it again"
#: Why an entry was not taken: something else is asked by now.
PROMPT_CHANGED: Final = "prompt-changed"


@dataclass(kw_only=True, eq=False)
class Command:
    """Something that the one writer does for a caller who waits. It is taken once, and answered once."""

    _done: threading.Event = field(default_factory=threading.Event, init=False, repr=False)
    _lock: threading.Lock = field(default_factory=threading.Lock, init=False, repr=False)
    _is_taken: bool = field(default=False, init=False, repr=False)
    _is_given_up: bool = field(default=False, init=False, repr=False)
    _reply: dict[str, Any] = field(default_factory=lambda: {"ok": False, "error": GIVEN_UP}, init=False, repr=False)

    def take(self) -> bool:
        """The writer takes it; False where the caller has been told that it was not taken."""
        with self._lock:
            self._is_taken = not self._is_given_up
            return self._is_taken

    def reply(self, answer: dict[str, Any]) -> None:
        """It is done, or it will not be."""
        self._reply = answer
        self._done.set()

    def fail(self, error: str) -> None:
        """It could not be done."""
        self.reply({"ok": False, "error": error})

    def wait(self, timeout_s: float) -> dict[str, Any]:
        """What became of it. What the writer did not take in time it does not take later."""
        if not self._done.wait(timeout_s):
            with self._lock:
                self._is_given_up = not self._is_taken
            if not self._is_given_up:
                self._done.wait(timeout_s)
                return self._reply if self._done.is_set() else {"ok": False, "error": UNKNOWN}
        return self._reply


class SeenPrompt(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What a page showed when somebody pressed: the record at which its prompt began, and the seat it was about."""

    since: int
    seat: int | None


@dataclass(kw_only=True, eq=False)
class EnterFact(Command):
    """A fact that a person entered, on its way through the engine. `seen`: the prompt for which it is meant; without
    one it is taken whatever is asked by then."""

    fact: Fact
    seen: SeenPrompt | None = None

    def answer(self, seq: int, refused: Refused | None) -> None:
        """It is durable."""
        why = None
        if refused is not None:
            why = {"why": refused.why.value, "clause": refused.clause, "detail": refused.detail}
        self.reply({"ok": True, "seq": seq, "refused": why})


@dataclass(kw_only=True, eq=False)
class PreviewCorrection(Command):
    """What would follow if an entry were put right, for those who are about to confirm it."""

    fact: Corrected

    def answer(self, decisions: tuple[Decision, ...]) -> None:
        """It was worked out; nothing was put right."""
        self.reply({"ok": True, "decisions": [to_plain(said) for said in decisions]})


@dataclass(kw_only=True, eq=False)
class AskChoices(Command):
    """What each choice of the pit boss would do: the writer alone can try it."""


class DeviceTest(StrEnum):
    """What a technician tries between two hands."""

    #: Each key that means something is lit in turn, then the light shows each of its signals.
    LAMPS = "lamps"
    #: Every key is lit until it is pressed; what is pressed is not played.
    PANEL = "panel"


@dataclass(kw_only=True, eq=False)
class StartDeviceTest(Command):
    """A test of lamps or keys that is to begin; without one, the test that runs ends."""

    test: DeviceTest | None
    by: str


@dataclass(kw_only=True, eq=False)
class RecordAccess(Command):
    """Who signed on, or read what: to be put on record."""

    access: Access


@dataclass(kw_only=True, eq=False)
class RecordReceipt(Command):
    """A receipt of the pit server that was checked: to be put on record."""

    receipt: Receipt


@dataclass(kw_only=True, eq=False)
class RecordMissingHead(Command):
    """A record that the table signed and that the journal does not have, which was checked: to be put on record."""

    head: SignedHead


@dataclass(kw_only=True, eq=False)
class AcceptRollback(Command):
    """The table goes on with a journal that does not have what it signed: to be put on record."""

    note: RollbackAccepted


@dataclass(kw_only=True, eq=False)
class RecordProof(Command):
    """What a passkey signed, checked: to be put on record before what it is for is entered."""

    note: Proven


@dataclass(kw_only=True, eq=False)
class RecordFloat(Command):
    """The tray was counted, filled or credited: to be put on record. Of a count, the writer adds what was expected."""

    note: FloatNote


@dataclass(kw_only=True, eq=False)
class OpenSealedCards(Command):
    """An auditor's request for the sealed cards of a hand: on record before it is answered."""

    request: Request

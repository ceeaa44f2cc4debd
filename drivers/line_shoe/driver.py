"""A shoe that says a line a card: Bee-Tek-like devices, home-made readers, whatever says a code and a line end.

NOT VERIFIED ON HARDWARE: the protocol is the configuration's. Such a line has no checksum and no number, so three
doubts remain, and each is settled on the side on which it is seen: a line that no table knows is noted, a line whose
beginning may be missing and that could be the end of a longer code is an unread card, and a card said twice counts
twice unless `repeats` says that this shoe does that.

Read-only: nothing is ever sent. Nothing here prints a card.
"""

from __future__ import annotations

from collections.abc import Sequence
from enum import StrEnum
from typing import Final

from drivers.facts import CardOut, DeviceFact, Found, Lost, Rejected, ShoeNote
from drivers.framing import Garbage, Scanner
from drivers.health import Tally
from drivers.line_shoe.messages import BLANK, BLANK_BYTES, Line, line_grammar
from drivers.line_shoe.settings import DEFAULT_SETTINGS, LineShoeSettings, Repeats, UnknownLine, Word
from drivers.sealed import Sealed

IDENTITY: Final = "line shoe (says no identity)"


class Note(StrEnum):
    """Every `kind` of `ShoeNote` that this driver gives. None has a code."""

    STARTED = "started"
    STAND_BY = "stand-by"
    CUT_CARD = "cut-card"
    ERROR = "error"
    ERROR_CANCELLED = "error-cancelled"
    UNKNOWN_LINE = "unknown-line"  # a line that is in no table: perhaps a card
    CUT_LINE = "cut-line"  # in front of an unread card: the beginning of its line may be missing


class LineShoe:
    """A `DeviceProtocol`. `device` is the name in the configuration."""

    def __init__(self, device: str, settings: LineShoeSettings = DEFAULT_SETTINGS) -> None:
        self._device = device
        self._settings = settings
        self._cards = settings.card_of()
        self._words = settings.word_of()
        self.tally = Tally()
        self._scanner: Scanner[Line] = Scanner(line_grammar(settings.line_end), self.tally)
        self._line_due_s: float | None = None
        #: The line before, and until when the same one is a repetition. Survives a loss of the port.
        self._last = ""
        self._repeat_until_s = 0.0
        #: Bytes may be missing in front of what comes next.
        self._is_doubtful = True

    # -- DeviceProtocol ----------------------------------------------------------------------------------------------

    def opened(self, *, now_s: float, at_us: int) -> Sequence[DeviceFact]:
        """See `DeviceProtocol`. The first line may have begun before."""
        self._scanner.forget()
        self._line_due_s = None
        self._is_doubtful = True
        return [Found(device=self._device, at_us=at_us, identity=IDENTITY)]

    def closed(self, *, at_us: int, reason: str) -> Sequence[DeviceFact]:
        """See `DeviceProtocol`. Half a line that had arrived is rejected."""
        facts = self._facts_of(self._scanner.forget(), now_s=0.0, at_us=at_us)
        self._line_due_s = None
        return [*facts, Lost(device=self._device, at_us=at_us, reason=reason)]

    def receive(self, data: bytes, *, now_s: float, at_us: int) -> Sequence[DeviceFact]:
        """See `DeviceProtocol`."""
        facts = self._facts_of(self._scanner.feed(data), now_s=now_s, at_us=at_us)
        self._line_due_s = now_s + self._settings.line_s if self._scanner.is_waiting else None
        return facts

    def tick(self, *, now_s: float, at_us: int) -> Sequence[DeviceFact]:
        """See `DeviceProtocol`."""
        if self._line_due_s is None or now_s < self._line_due_s:
            return []
        self._line_due_s = None
        return self._facts_of(self._scanner.forget(), now_s=now_s, at_us=at_us)

    def deadline_s(self) -> float | None:
        """See `DeviceProtocol`."""
        return self._line_due_s

    def take_outgoing(self) -> Sequence[bytes]:
        """Nothing, ever."""
        return []

    # -- what was read -----------------------------------------------------------------------------------------------

    def _facts_of(self, items: Sequence[Line | Garbage], *, now_s: float, at_us: int) -> list[DeviceFact]:
        facts: list[DeviceFact] = []
        for item in items:
            match item:
                case Garbage():
                    is_blank = item.reason == BLANK and item.n_bytes <= BLANK_BYTES
                    self._is_doubtful = self._is_doubtful or not is_blank
                    facts.append(self._rejected(item.reason, item.n_bytes, at_us=at_us))
                case Line():
                    facts += self._facts_of_line(item.text, now_s=now_s, at_us=at_us)
        return facts

    def _facts_of_line(self, text: str, *, now_s: float, at_us: int) -> list[DeviceFact]:
        code = self._without_repetition(self._settings.plain(text), now_s)
        was_doubtful, self._is_doubtful = self._is_doubtful, False
        if not code:
            return []
        self._last, self._repeat_until_s = code, now_s + self._settings.repeat_s
        if was_doubtful and self._may_be_an_end(code):
            return [self._note(Note.CUT_LINE, at_us=at_us), self._card(None, at_us=at_us)]
        if code in self._cards:
            return [self._card(self._cards[code], at_us=at_us)]
        word = self._words.get(code)
        if word is not None:
            return self._facts_of_word(word, at_us=at_us)
        return self._facts_of_unknown(len(text), at_us=at_us)

    def _facts_of_word(self, word: Word, *, at_us: int) -> list[DeviceFact]:
        match word:
            case Word.UNREAD:
                return [self._card(None, at_us=at_us)]
            case Word.NOTHING:
                return []
            case _:
                return [self._note(Note(word.value), at_us=at_us)]

    def _facts_of_unknown(self, n_bytes: int, *, at_us: int) -> list[DeviceFact]:
        facts: list[DeviceFact] = [self._rejected("unknown line", n_bytes, at_us=at_us)]
        if self._settings.unknown_line is UnknownLine.UNREAD:
            return [*facts, self._card(None, at_us=at_us)]
        return [*facts, self._note(Note.UNKNOWN_LINE, at_us=at_us)]

    def _without_repetition(self, code: str, now_s: float) -> str:
        """The code without what says the one before again; empty where nothing else was said."""
        match self._settings.repeats:
            case Repeats.LINE if code == self._last and now_s < self._repeat_until_s:
                return ""
            case Repeats.CHARACTERS if self._last and code.startswith(self._last) and not self._is_known(code):
                rest = code.removeprefix(self._last).strip()
                return rest if self._is_known(rest) else code
            case Repeats.CHARACTERS if code == self._last and now_s < self._repeat_until_s:
                return ""
            case _:
                return code

    def _is_known(self, code: str) -> bool:
        return code in self._cards or code in self._words

    def _may_be_an_end(self, code: str) -> bool:
        return code in self._cards and any(other != code and other.endswith(code) for other in self._cards)

    def _card(self, face: str | None, *, at_us: int) -> CardOut:
        return CardOut(device=self._device, at_us=at_us, card=None if face is None else Sealed(face))

    def _note(self, kind: Note, *, at_us: int) -> ShoeNote:
        return ShoeNote(device=self._device, at_us=at_us, kind=kind)

    def _rejected(self, reason: str, n_bytes: int, *, at_us: int) -> Rejected:
        return Rejected(device=self._device, at_us=at_us, reason=reason, n_bytes=n_bytes)

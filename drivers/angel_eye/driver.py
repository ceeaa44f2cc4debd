"""The Angel Eye II-EX as a shoe for poker: which physical card left it, and what else it said.

NOT VERIFIED ON HARDWARE: everything here comes from public code of others (see `messages`), and the points listed in
`NOT_VERIFIED` differ between those sources or appear in one only; each is a setting where that can help. The shoe is
made for baccarat: it says where *baccarat* would put a card, and that is ignored. It gives no identity and answers no
question while read-only; `Found` says that its port is open, not that a shoe is at the other end.

Read-only unless the configuration grants the lock. Nothing here prints a card.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum, StrEnum
from typing import Final

from drivers.angel_eye import messages
from drivers.angel_eye.messages import (
    ACK,
    CURABLE_NAKS,
    PAYLOAD_BYTES,
    Ack,
    Answer,
    BccStart,
    Code,
    Command,
    CommandType,
    ErrorCode,
    Frame,
    LockData,
    Nak,
    Report,
    encode_command,
    shoe_grammar,
)
from drivers.facts import CardOut, DeviceFact, Found, Lost, Rejected, ShoeNote
from drivers.framing import Garbage, Scanner
from drivers.link import DEFAULT_TIMING, LinkTiming, Outcome, Refused, RequestLink, Unanswered
from drivers.sealed import Sealed

IDENTITY: Final = "Angel Eye II-EX (says no identity)"

#: For the log, once at start.
NOT_VERIFIED: Final = (
    "Angel Eye II-EX: not verified on hardware: where checksums start in each direction; that each report comes three"
    " times; how sequence numbers wrap; that R carries a card; whether reports want an ACK; what LK answers; what the"
    " shoe repeats after its line was interrupted; drawing freely, outside baccarat"
)

#: A frame whose rest does not come within this time, in seconds, is given up. A byte takes 2.1 ms at 4800 baud; the
#: rest is for serial servers on a network. Ours: no source gives a time.
FRAME_S: Final = 1.0

#: Reports that are remembered so as to know a repetition. Far fewer than the shortest alphabet of sequence numbers seen
#: ('1'..'9', A's tests), so that a number that comes round again is not taken for a repetition.
REMEMBERED_REPORTS: Final = 4
#: How often the shoe says each report (B).
TIMES_SAID: Final = 3


class Retransmission(Enum):
    """What `R` means; the sources disagree."""

    #: A card that may not have arrived (A): it counts unless just that card was among the reports remembered.
    CARD_UNLESS_KNOWN = "card-unless-known"
    #: "Deal again, clear the hand" (B): noted, never a card.
    NOTE_ONLY = "note-only"


class Note(StrEnum):
    """Every `kind` of `ShoeNote` that this driver gives; what `code` is stands behind it."""

    STARTED = "started"  # booted or reset; no code
    STAND_BY = "stand-by"  # no code
    CUT_CARD = "cut-card"  # no code
    RETRANSMISSION = "retransmission"  # no code
    BURN_COUNT = "burn-count"  # the count
    RESULT = "result"  # `Winner`
    ERROR = "error"  # `ErrorCode`
    ERROR_MODE = "error-mode"  # `ErrorCode`; follows the error itself: the shoe stands until it is cancelled
    ERROR_CANCELLED = "error-cancelled"  # `ErrorCode`
    LOCKED = "locked"  # no code
    UNLOCKED = "unlocked"  # no code
    PRESET_CHANGED = "preset-changed"  # no code
    LOCK_ACCEPTED = "lock-accepted"  # `LockData`: the shoe took the command
    LOCK_REFUSED = "lock-refused"  # `NakCode`
    LOCK_UNANSWERED = "lock-unanswered"  # `LockData`


class LockNotGranted(PermissionError):
    """The configuration does not grant this controller the shoe's lock."""


@dataclass(frozen=True, kw_only=True, slots=True)
class AngelEyeSettings:
    """What is uncertain or for the house to decide. The defaults are the safest reading."""

    #: Send lock commands. Otherwise nothing at all is ever sent to the shoe.
    may_lock: bool = False
    #: "Cannot read" means that a physical card left the shoe.
    unreadable_is_a_draw: bool = True
    report_bcc: BccStart = BccStart.CONTENT
    command_bcc: BccStart = BccStart.FRAME
    #: Data answers of the shoe: no source gives an example; as commands.
    answer_bcc: BccStart = BccStart.FRAME
    retransmission: Retransmission = Retransmission.CARD_UNLESS_KNOWN
    #: Answer each valid report with ACK. Neither source does.
    acknowledge_reports: bool = False
    timing: LinkTiming = DEFAULT_TIMING


DEFAULT_SETTINGS: Final = AngelEyeSettings()

_PLAIN_NOTES: Final = {
    Code.STARTED: Note.STARTED,
    Code.STAND_BY: Note.STAND_BY,
    Code.CUT_CARD: Note.CUT_CARD,
    Code.PRESET: Note.PRESET_CHANGED,
}


class AngelEye:
    """A `DeviceProtocol`. `device` is the name in the configuration."""

    def __init__(self, device: str, settings: AngelEyeSettings = DEFAULT_SETTINGS) -> None:
        self._device = device
        self._settings = settings
        self._scanner: Scanner[Frame] = Scanner(
            shoe_grammar(report_start=settings.report_bcc, answer_start=settings.answer_bcc)
        )
        self._link: RequestLink[LockData] = RequestLink(retry_codes=CURABLE_NAKS, timing=settings.timing)
        self._frame_due_s: float | None = None
        #: Survives a loss of the port on purpose: the shoe may repeat its last report afterwards.
        self._recent: deque[Report] = deque(maxlen=REMEMBERED_REPORTS)
        #: Repetitions since the last report that was new.
        self._n_repeated = 0
        self._wanted: LockData | None = None
        self._is_open = False
        self._outgoing: list[bytes] = []

    # -- commands ----------------------------------------------------------------------------------------------------

    def be_locked(self) -> None:
        """Hold every card back, from now on: said again after a loss and after the shoe's own restart.

        Raises `LockNotGranted`.
        """
        self._want(LockData.LOCK)

    def be_unlocked(self) -> None:
        """Let cards out, from now on; as `be_locked`."""
        self._want(LockData.UNLOCK)

    def _want(self, state: LockData) -> None:
        if not self._settings.may_lock:
            raise LockNotGranted(f"{self._device}: the configuration does not grant the lock (may_lock)")
        self._wanted = state
        self._say_wanted()

    def _say_wanted(self) -> None:
        """One command at a time: what is wanted by then goes out when the one on its way is settled."""
        if self._wanted is not None and self._is_open and not self._link.is_busy:
            command = Command(CommandType.LOCK, self._wanted)
            self._link.submit(self._wanted, encode_command(command, start=self._settings.command_bcc))

    # -- DeviceProtocol ----------------------------------------------------------------------------------------------

    def opened(self, *, now_s: float, at_us: int) -> Sequence[DeviceFact]:
        """See `DeviceProtocol`."""
        self._scanner.forget()
        self._link.drop()
        self._frame_due_s = None
        self._outgoing.clear()
        self._is_open = True
        self._say_wanted()
        return [Found(device=self._device, at_us=at_us, identity=IDENTITY)]

    def closed(self, *, at_us: int, reason: str) -> Sequence[DeviceFact]:
        """See `DeviceProtocol`. Half a report that had arrived is rejected, commands under way are unanswered."""
        self._is_open = False
        facts = self._facts_of(self._scanner.forget(), at_us=at_us)
        facts += self._facts_of_outcomes(self._link.drop(), at_us=at_us)
        self._frame_due_s = None
        self._outgoing.clear()
        return [*facts, Lost(device=self._device, at_us=at_us, reason=reason)]

    def receive(self, data: bytes, *, now_s: float, at_us: int) -> Sequence[DeviceFact]:
        """See `DeviceProtocol`."""
        facts = self._facts_of(self._scanner.feed(data), at_us=at_us)
        self._frame_due_s = now_s + FRAME_S if self._scanner.is_waiting else None
        return facts

    def tick(self, *, now_s: float, at_us: int) -> Sequence[DeviceFact]:
        """See `DeviceProtocol`."""
        facts: list[DeviceFact] = []
        if self._frame_due_s is not None and now_s >= self._frame_due_s:
            facts += self._facts_of(self._scanner.give_up_waiting(), at_us=at_us)
            self._frame_due_s = now_s + FRAME_S if self._scanner.is_waiting else None
        return facts + self._facts_of_outcomes(self._link.tick(now_s=now_s), at_us=at_us)

    def deadline_s(self) -> float | None:
        """See `DeviceProtocol`."""
        return min((due for due in (self._frame_due_s, self._link.deadline_s()) if due is not None), default=None)

    def take_outgoing(self) -> Sequence[bytes]:
        """See `DeviceProtocol`."""
        taken, self._outgoing = self._outgoing, []
        return [*taken, *self._link.take_outgoing()]

    # -- what was read -----------------------------------------------------------------------------------------------

    def _facts_of(self, items: Sequence[Frame | Garbage], *, at_us: int) -> list[DeviceFact]:
        facts: list[DeviceFact] = []
        for item in items:
            match item:
                case Garbage():
                    facts.append(self._rejected(item.reason, item.n_bytes, at_us=at_us))
                case Report():
                    facts += self._facts_of_report(item, at_us=at_us)
                case Ack():
                    facts += self._facts_of_reply(self._link.accepted(), 1, at_us=at_us)
                case Nak():
                    facts += self._facts_of_refusal(item, at_us=at_us)
                case Answer():
                    n_bytes = len(item.data) + messages.ANSWER_OVERHEAD
                    facts += self._facts_of_reply(self._link.answered(item.data), n_bytes, at_us=at_us)
        return facts

    def _facts_of_refusal(self, nak: Nak, *, at_us: int) -> list[DeviceFact]:
        was_busy = self._link.is_busy
        outcomes = self._link.refused(nak.code)
        if was_busy and not outcomes:
            return []  # curable: the link asks again
        return self._facts_of_reply(outcomes, messages.NAK_LENGTH, at_us=at_us)

    def _facts_of_reply(self, outcomes: Sequence[Outcome[LockData]], n_bytes: int, *, at_us: int) -> list[DeviceFact]:
        if not outcomes:
            return [self._rejected("answer to no command", n_bytes, at_us=at_us)]
        return self._facts_of_outcomes(outcomes, at_us=at_us)

    def _facts_of_report(self, report: Report, *, at_us: int) -> list[DeviceFact]:
        if self._settings.acknowledge_reports:
            self._outgoing.append(bytes([ACK]))
        if self._is_repetition(report):
            return self._facts_of_repetition(report, at_us=at_us)
        self._n_repeated = 0
        known = [*self._recent]
        self._recent.append(report)
        if report.code not in PAYLOAD_BYTES:
            return [self._rejected("unknown report", _length(report), at_us=at_us)]
        code = Code(report.code)
        if len(report.payload) != PAYLOAD_BYTES[code]:
            return [self._rejected(f"report {code} of a wrong length", _length(report), at_us=at_us)]
        if code is Code.STARTED:
            # A shoe that starts counts from the beginning again; a lock does not outlive its power.
            self._recent.clear()
            self._recent.append(report)
            self._say_wanted()
        if code in _PLAIN_NOTES:
            return [self._note(_PLAIN_NOTES[code], at_us=at_us)]
        if code in (Code.CARD_IN_GAME, Code.CARD_OUTSIDE_GAME, Code.RETRANSMISSION):
            return self._facts_of_card(code, report, known, at_us=at_us)
        return self._facts_of_status(code, report.payload, at_us=at_us)

    def _facts_of_repetition(self, report: Report, *, at_us: int) -> list[DeviceFact]:
        """Said three times is as it should be (B); more often is counted, and never another card."""
        self._n_repeated += 1
        if self._n_repeated < TIMES_SAID:
            return []
        return [self._rejected("report repeated", _length(report), at_us=at_us)]

    def _is_repetition(self, report: Report) -> bool:
        if report.code == Code.STARTED:
            # Only the very last report: an older `S` with the same number is another start.
            return bool(self._recent) and self._recent[-1] == report
        return report in self._recent

    def _facts_of_card(self, code: Code, report: Report, known: Sequence[Report], *, at_us: int) -> list[DeviceFact]:
        facts: list[DeviceFact] = []
        if code is Code.RETRANSMISSION:
            facts.append(self._note(Note.RETRANSMISSION, at_us=at_us))
            if self._settings.retransmission is Retransmission.NOTE_ONLY or _is_known_card(report, known):
                return facts
        card = messages.card_of(report.payload)
        if card is not None:
            return [*facts, CardOut(device=self._device, at_us=at_us, card=Sealed(card))]
        if code is Code.CARD_IN_GAME and messages.is_burn_count(report.payload):
            return [self._note(Note.BURN_COUNT, report.payload[1] & 0x0F, at_us=at_us)]
        return [*facts, self._rejected("card without suit or rank", _length(report), at_us=at_us)]

    def _facts_of_status(self, code: Code, payload: bytes, *, at_us: int) -> list[DeviceFact]:
        match code:
            case Code.ERROR:
                return self._facts_of_error(payload, at_us=at_us)
            case Code.ERROR_CANCELLED:
                return [self._note(Note.ERROR_CANCELLED, messages.cancelled_of(payload), at_us=at_us)]
            case Code.LOCK:
                return [self._note(Note.LOCKED if messages.is_locked(payload) else Note.UNLOCKED, at_us=at_us)]
            case _:
                return [self._note(Note.RESULT, messages.winner_of(payload), at_us=at_us)]

    def _facts_of_error(self, payload: bytes, *, at_us: int) -> list[DeviceFact]:
        error, error_mode = messages.error_of(payload)
        facts: list[DeviceFact] = []
        if error == ErrorCode.CANNOT_READ and self._settings.unreadable_is_a_draw:
            facts.append(CardOut(device=self._device, at_us=at_us, card=None))
        else:
            facts.append(self._note(Note.ERROR, error, at_us=at_us))
        if error_mode:
            facts.append(self._note(Note.ERROR_MODE, error, at_us=at_us))
        return facts

    def _facts_of_outcomes(self, outcomes: Sequence[Outcome[LockData]], *, at_us: int) -> list[DeviceFact]:
        facts: list[DeviceFact] = []
        for outcome in outcomes:
            match outcome:
                case Refused():
                    facts.append(self._note(Note.LOCK_REFUSED, outcome.code, at_us=at_us))
                case Unanswered():
                    facts.append(self._note(Note.LOCK_UNANSWERED, outcome.command, at_us=at_us))
                case _:
                    facts.append(self._note(Note.LOCK_ACCEPTED, outcome.command, at_us=at_us))
            if outcome.command is not self._wanted:
                self._say_wanted()
        return facts

    def _note(self, kind: Note, code: int | None = None, *, at_us: int) -> ShoeNote:
        return ShoeNote(device=self._device, at_us=at_us, kind=kind, code=code)

    def _rejected(self, reason: str, n_bytes: int, *, at_us: int) -> Rejected:
        return Rejected(device=self._device, at_us=at_us, reason=reason, n_bytes=n_bytes)


def _length(report: Report) -> int:
    return len(report.payload) + messages.REPORT_OVERHEAD


def _is_known_card(report: Report, known: Sequence[Report]) -> bool:
    cards = (Code.CARD_IN_GAME, Code.CARD_OUTSIDE_GAME, Code.RETRANSMISSION)
    return any(earlier.code in cards and earlier.payload[1:] == report.payload[1:] for earlier in known)

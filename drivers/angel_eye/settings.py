"""What a house decides of its Angel Eye II-EX, and where the sources disagree; and the words for what the shoe says."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum, StrEnum
from typing import Final

from drivers.angel_eye.messages import PRINTABLE, BccStart
from drivers.limits import OutOfRange, must_lie
from drivers.link import ATTEMPTS, REPLY_S

#: For the log, once at start.
NOT_VERIFIED: Final = (
    "Angel Eye II-EX: not verified on hardware: where checksums start in each direction; that each report comes three"
    " times; how sequence numbers wrap; that R carries a card; whether reports want an ACK; what LK and EC answer; what"
    " the shoe repeats after its line was interrupted; drawing freely, outside baccarat"
)


class Retransmission(Enum):
    """What `R` means; the sources disagree."""

    #: A card that may not have arrived (A): it counts unless just that card was among the reports remembered.
    CARD_UNLESS_KNOWN = "card-unless-known"
    #: "Deal again, clear the hand" (B): noted, never a card.
    NOTE_ONLY = "note-only"


class Note(StrEnum):
    """Every `kind` of `ShoeNote` that this driver gives; what `code` is stands after it."""

    STARTED = "started"  # booted or reset; no code
    STAND_BY = "stand-by"  # no code
    CUT_CARD = "cut-card"  # no code
    RETRANSMISSION = "retransmission"  # no code
    DRAWN_OUTSIDE = "drawn-outside"  # `OutsideTarget`; in front of the card: it was drawn while the shoe held its cards
    REPORTS_MISSING = "reports-missing"  # how many, by the numbers; each may have been a card
    CARD_UNCERTAIN = "card-uncertain"  # no code; the copies of the last card's report disagree on which card it is
    COPIES_DISAGREE = "copies-disagree"  # no code; of another report
    BURN_COUNT = "burn-count"  # the count
    RESULT = "result"  # `Winner`
    ERROR = "error"  # `ErrorCode`
    ERROR_MODE = "error-mode"  # `ErrorCode`; follows the error itself: the shoe stands until it is cancelled
    ERROR_CANCELLED = "error-cancelled"  # `ErrorCode`
    LOCKED = "locked"  # no code
    UNLOCKED = "unlocked"  # no code
    PRESET_CHANGED = "preset-changed"  # its address, where that is a number
    LOCK_ACCEPTED = "lock-accepted"  # `LockData`: the shoe took the command
    LOCK_REFUSED = "lock-refused"  # `NakCode`
    LOCK_UNANSWERED = "lock-unanswered"  # `LockData`
    CANCEL_ACCEPTED = "cancel-accepted"  # the error that was to be cancelled: the shoe took the command
    CANCEL_REFUSED = "cancel-refused"  # `NakCode`
    CANCEL_UNANSWERED = "cancel-unanswered"  # the error that was to be cancelled


@dataclass(frozen=True, kw_only=True, slots=True)
class AngelEyeSettings:
    """The defaults are the safest reading. Times in seconds; ours. Raises `OutOfRange`."""

    #: Send lock commands. Without any grant nothing at all is ever sent to the shoe.
    may_lock: bool = False
    #: Cancel the errors of `driver.CANCELLED` in which the shoe stands, so that the deal goes on by itself.
    may_cancel_errors: bool = False
    #: How long such an error stands before, so that it can be seen at the shoe too.
    cancel_after_s: float = 2.0
    #: "Cannot read" means that a physical card left the shoe.
    unreadable_is_a_draw: bool = True
    report_bcc: BccStart = BccStart.CONTENT
    command_bcc: BccStart = BccStart.FRAME
    #: Data answers of the shoe: no source gives an example; as commands.
    answer_bcc: BccStart = BccStart.FRAME
    retransmission: Retransmission = Retransmission.CARD_UNLESS_KNOWN
    #: Numbers of reports in their order, one character each, after the last the first again. Empty: not known, and no
    #: report is missed.
    sequence: str = ""
    #: Reports that are remembered so as to know a repetition. Far fewer than the shortest alphabet of numbers seen
    #: ('1'..'9', A's tests), so that a number that comes round again is not taken for a repetition.
    remembered_reports: int = 4
    #: How often the shoe says each report (B); more often is counted as garbage.
    times_said: int = 3
    #: Answer each valid report with ACK. Neither source does.
    acknowledge_reports: bool = False
    #: How long the answer to a command may take, and how often it is sent.
    reply_s: float = REPLY_S
    attempts: int = ATTEMPTS

    def __post_init__(self) -> None:
        must_lie(self, remembered_reports=(1, 100), times_said=(1, 100), attempts=(1, 100))
        numbers = self.sequence
        if len(set(numbers)) < len(numbers) or any(ord(number) not in PRINTABLE for number in numbers):
            raise OutOfRange("sequence", "different printable characters in their order, as 123456789ABCDEF")
        if numbers and len(numbers) <= self.remembered_reports:
            raise OutOfRange(
                "sequence", f"nothing, or more than remembered_reports ({self.remembered_reports}) numbers"
            )


DEFAULT_SETTINGS: Final = AngelEyeSettings()

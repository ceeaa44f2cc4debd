"""The Angel Eye II-EX as a shoe for poker: which physical card left it, and what else it said.

NOT VERIFIED ON HARDWARE: everything here comes from public code of others (see `messages`), and the points listed in
`settings.NOT_VERIFIED` differ between those sources or appear in one only; each is a setting where that can help. The
shoe is made for baccarat: it says where *baccarat* would put a card, and that is ignored. It gives no identity and
answers no question while read-only; `Found` says that its port is open, not that a shoe is at the other end.

Read-only: the lock, the cancelling of errors and the acknowledging of reports are each granted by a setting of their
own. `GP` (game process) is never sent: it confirms a step of baccarat's game, and no poker game has one. Nothing here
prints a card.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from drivers.angel_eye import messages
from drivers.angel_eye.copies import Copies, is_good
from drivers.angel_eye.grammar import shoe_grammar
from drivers.angel_eye.messages import (
    ACK,
    CURABLE_NAKS,
    PAYLOAD_BYTES,
    Ack,
    Answer,
    Code,
    Command,
    CommandType,
    ErrorCode,
    Frame,
    LockData,
    Nak,
    Report,
    encode_command,
)
from drivers.angel_eye.numbering import Numbering
from drivers.angel_eye.settings import DEFAULT_SETTINGS, AngelEyeSettings, Note, Retransmission
from drivers.facts import CardOut, DeviceFact, DoubtedCard, Found, Lost, Rejected, ShoeNote
from drivers.framing import Garbage, Scanner
from drivers.health import Tally
from drivers.link import AT_ONCE_S, LinkTiming, Outcome, Refused, RequestLink, Unanswered
from drivers.locks import CardLock
from drivers.sealed import Sealed

IDENTITY: Final = "Angel Eye II-EX (says no identity)"

#: A frame whose rest does not come within this time, in seconds, is given up. A byte takes 2.1 ms at 4800 baud; the
#: rest is for serial servers on a network. Ours: no source gives a time.
FRAME_S: Final = 1.0

#: How long the other copies of a report are waited for, in seconds, where those that came differ: three of the longest
#: take 75 ms at 4800 baud, the rest is for serial servers. Ours.
COPIES_S: Final = 0.5
#: So near to noise an acknowledgement, which is one byte, may be a part of it, in seconds. Ours.
NOISE_S: Final = 0.1

#: Errors that are cancelled where the configuration grants it: a card that could not be read has left the shoe and is
#: an unread card for the table, and a draw that took too long is nothing at a poker table. After every other error a
#: person has to look at the shoe, and cancels it there.
CANCELLED: Final = frozenset({ErrorCode.CANNOT_READ, ErrorCode.DRAW_TIME_OUT})


class LockNotGranted(PermissionError):
    """The configuration does not grant this controller the shoe's lock."""


_PLAIN_NOTES: Final = {
    Code.STARTED: Note.STARTED,
    Code.STAND_BY: Note.STAND_BY,
    Code.CUT_CARD: Note.CUT_CARD,
}
#: What became of a command: taken, refused, not answered.
_OUTCOMES: Final = {
    CommandType.LOCK: (Note.LOCK_ACCEPTED, Note.LOCK_REFUSED, Note.LOCK_UNANSWERED),
    CommandType.ERROR_CANCEL: (Note.CANCEL_ACCEPTED, Note.CANCEL_REFUSED, Note.CANCEL_UNANSWERED),
}


class AngelEye(CardLock):
    """A `DeviceProtocol`. `device` is the name in the configuration."""

    def __init__(self, device: str, settings: AngelEyeSettings = DEFAULT_SETTINGS) -> None:
        self._device = device
        self._settings = settings
        self.tally = Tally()
        grammar = shoe_grammar(report_start=settings.report_bcc, answer_start=settings.answer_bcc)
        self._scanner: Scanner[Frame] = Scanner(grammar, self.tally)
        timing = LinkTiming(reply_s=settings.reply_s, attempts=settings.attempts)
        self._link: RequestLink[Command] = RequestLink(retry_codes=CURABLE_NAKS, timing=timing, tally=self.tally)
        self._frame_due_s: float | None = None
        self._numbering = Numbering(settings.sequence, settings.remembered_reports)
        self._copies = Copies(settings.times_said)
        #: Until when the other copies of the last report are waited for.
        self._copies_due_s: float | None = None
        #: Whether the last report was a card of the table's.
        self._was_card = False
        #: Until when an acknowledgement is taken for noise.
        self._noise_until_s = AT_ONCE_S
        #: The command that was acknowledged last, and when.
        self._acknowledged: tuple[Command, float] | None = None
        self._wanted: LockData | None = None
        #: What was sent of it; None where the shoe may have forgotten.
        self._sent: LockData | None = None
        #: The error that is to be cancelled, and when.
        self._standing: int | None = None
        self._cancel_due_s: float | None = None
        #: Of the bytes that are being read.
        self._now_s = 0.0
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
            self._sent = self._wanted
            self._submit(Command(CommandType.LOCK, self._wanted))

    def _cancel(self, now_s: float) -> None:
        """Cancel the error in which the shoe stands, when it is time."""
        if self._standing is None or self._cancel_due_s is None or now_s < self._cancel_due_s:
            return
        self._submit(Command(CommandType.ERROR_CANCEL, self._standing))
        self._standing = self._cancel_due_s = None

    def _submit(self, command: Command) -> None:
        self._link.submit(command, encode_command(command, start=self._settings.command_bcc))

    # -- DeviceProtocol ----------------------------------------------------------------------------------------------

    def opened(self, *, now_s: float, at_us: int) -> Sequence[DeviceFact]:
        """See `DeviceProtocol`."""
        self._scanner.forget()
        self._link.drop()
        self._frame_due_s = None
        self._noise_until_s = AT_ONCE_S
        self._acknowledged = None
        self._outgoing.clear()
        self._is_open = True
        self._say_wanted()
        if self._standing is not None:
            self._cancel_due_s = now_s + self._settings.cancel_after_s
        return [Found(device=self._device, at_us=at_us, identity=IDENTITY)]

    def closed(self, *, at_us: int, reason: str) -> Sequence[DeviceFact]:
        """See `DeviceProtocol`. Half a report that had arrived is rejected, commands under way are unanswered."""
        self._is_open = False
        facts = self._facts_of(self._scanner.forget(), at_us=at_us)
        facts += self._facts_of_outcomes(self._link.drop(), at_us=at_us)
        facts += self._facts_of_copies(at_us=at_us)
        self._frame_due_s = self._cancel_due_s = None
        self._outgoing.clear()
        return [*facts, Lost(device=self._device, at_us=at_us, reason=reason)]

    def receive(self, data: bytes, *, now_s: float, at_us: int) -> Sequence[DeviceFact]:
        """See `DeviceProtocol`."""
        self._now_s = now_s
        facts = self._facts_of(self._scanner.feed(data), at_us=at_us)
        self._frame_due_s = now_s + FRAME_S if self._scanner.is_waiting else None
        return facts

    def tick(self, *, now_s: float, at_us: int) -> Sequence[DeviceFact]:
        """See `DeviceProtocol`."""
        facts: list[DeviceFact] = []
        self._now_s = now_s
        self._cancel(now_s)
        if self._frame_due_s is not None and now_s >= self._frame_due_s:
            facts += self._facts_of(self._scanner.give_up_waiting(), at_us=at_us)
            self._frame_due_s = now_s + FRAME_S if self._scanner.is_waiting else None
        if self._copies_due_s is not None and now_s >= self._copies_due_s:
            facts += self._facts_of_copies(at_us=at_us)
        return facts + self._facts_of_outcomes(self._link.tick(now_s=now_s), at_us=at_us)

    def deadline_s(self) -> float | None:
        """See `DeviceProtocol`."""
        all_due = (self._frame_due_s, self._copies_due_s, self._cancel_due_s, self._link.deadline_s())
        return min((due for due in all_due if due is not None), default=None)

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
                    self._hear_noise()
                    facts.append(self._rejected(item.reason, item.n_bytes, at_us=at_us))
                case Report():
                    facts += self._facts_of_report(item, at_us=at_us)
                case Ack():
                    facts += self._facts_of_ack(at_us=at_us)
                case Nak():
                    facts += self._facts_of_refusal(item, at_us=at_us)
                case Answer():
                    n_bytes = len(item.data) + messages.ANSWER_OVERHEAD
                    facts += self._facts_of_reply(self._link.answered(item.data), n_bytes, at_us=at_us)
        return facts

    def _hear_noise(self) -> None:
        """What looked like an acknowledgement just before may have been a part of it: then the shoe is asked again."""
        self._noise_until_s = self._now_s + NOISE_S
        command = self._acknowledged_within(NOISE_S)
        if command is not None:
            self._submit(command)

    def _acknowledged_within(self, for_s: float) -> Command | None:
        """The command acknowledged in the last seconds, once; none where another one is on its way."""
        if self._acknowledged is None or self._link.is_busy:
            return None
        (command, at_s), self._acknowledged = self._acknowledged, None
        return command if self._now_s - at_s < for_s else None

    def _facts_of_ack(self, *, at_us: int) -> list[DeviceFact]:
        if self._now_s < self._noise_until_s:
            return [self._rejected("acknowledgement in noise", 1, at_us=at_us)]
        outcomes = self._link.accepted()
        if outcomes:
            self._acknowledged = (outcomes[0].command, self._now_s)
        return self._facts_of_reply(outcomes, 1, at_us=at_us)

    def _facts_of_refusal(self, nak: Nak, *, at_us: int) -> list[DeviceFact]:
        taken_back = self._acknowledged_within(self._settings.reply_s)
        if taken_back is not None:
            # The acknowledgement was none: this is the shoe's answer.
            if nak.code in CURABLE_NAKS:
                self._submit(taken_back)
                return []
            return self._facts_of_outcomes([Refused(taken_back, nak.code)], at_us=at_us)
        was_busy = self._link.is_busy
        outcomes = self._link.refused(nak.code)
        if was_busy and not outcomes:
            return []  # curable: the link asks again
        return self._facts_of_reply(outcomes, messages.NAK_LENGTH, at_us=at_us)

    def _facts_of_reply(self, outcomes: Sequence[Outcome[Command]], n_bytes: int, *, at_us: int) -> list[DeviceFact]:
        if not outcomes:
            return [self._rejected("answer to no command", n_bytes, at_us=at_us)]
        return self._facts_of_outcomes(outcomes, at_us=at_us)

    def _facts_of_report(self, report: Report, *, at_us: int) -> list[DeviceFact]:
        if self._settings.acknowledge_reports:
            self._outgoing.append(bytes([ACK]))
        times = self._numbering.times_repeated(report)
        if times:
            facts = self._facts_of_copy(report, at_us=at_us)
            # As often as it should be said, or more often: then it is counted, and never another card.
            too_often = times >= self._settings.times_said
            return [*facts, *([self._rejected("report repeated", _length(report), at_us=at_us)] if too_often else [])]
        known = self._numbering.known()
        if self._numbering.is_other_copy(report):
            if is_good(known[-1]) or not is_good(report):
                # Never another card: the shoe said one thing under this number.
                rejected = self._rejected("copy that disagrees", _length(report), at_us=at_us)
                return [rejected, *self._facts_of_copy(report, at_us=at_us)]
            self._numbering.replace(report)
            n_missing = 0
        else:
            n_missing = self._numbering.take(report)
        missing = [self._note(Note.REPORTS_MISSING, n_missing, at_us=at_us)] if n_missing else []
        before = self._facts_of_copies(at_us=at_us)
        facts = self._facts_of_new(report, known, at_us=at_us)
        self._copies.begin(report)
        self._was_card = any(isinstance(fact, CardOut) and fact.card is not None for fact in facts)
        return [*before, *missing, *facts]

    def _facts_of_copy(self, report: Report, *, at_us: int) -> list[DeviceFact]:
        """One more copy of the last report; of an earlier one, nothing follows from it."""
        if report.seq != self._numbering.known()[-1].seq:
            return []
        self._copies.add(report)
        if self._copies.is_open and self._copies_due_s is None:
            self._copies_due_s = self._now_s + COPIES_S
        return self._facts_of_copies(at_us=at_us) if self._copies.is_complete else []

    def _facts_of_copies(self, *, at_us: int) -> list[DeviceFact]:
        """No more copies are waited for: whether they say what the first one said."""
        self._copies_due_s = None
        if not self._copies.outvote_the_first():
            return []
        if not self._was_card:
            return [self._note(Note.COPIES_DISAGREE, at_us=at_us)]
        other = self._copies.other_card()
        card = Sealed(other) if other is not None else None
        return [DoubtedCard(device=self._device, at_us=at_us, kind=Note.CARD_UNCERTAIN, card=card)]

    def _facts_of_new(self, report: Report, known: Sequence[Report], *, at_us: int) -> list[DeviceFact]:
        if report.code not in PAYLOAD_BYTES:
            return [self._rejected("unknown report", _length(report), at_us=at_us)]
        code = Code(report.code)
        if len(report.payload) != PAYLOAD_BYTES[code]:
            return [self._rejected(f"report {code} of a wrong length", _length(report), at_us=at_us)]
        if code is Code.STARTED:
            # Neither a lock nor an error outlives the shoe's power.
            self._sent = self._standing = self._cancel_due_s = None
            self._say_wanted()
        if code in _PLAIN_NOTES:
            return [self._note(_PLAIN_NOTES[code], at_us=at_us)]
        if code in (Code.CARD_IN_GAME, Code.CARD_OUTSIDE_GAME, Code.RETRANSMISSION):
            return self._facts_of_card(code, report, known, at_us=at_us)
        return self._facts_of_status(code, report.payload, at_us=at_us)

    def _facts_of_card(self, code: Code, report: Report, known: Sequence[Report], *, at_us: int) -> list[DeviceFact]:
        facts: list[DeviceFact] = []
        if code is Code.RETRANSMISSION:
            facts.append(self._note(Note.RETRANSMISSION, at_us=at_us))
            if self._settings.retransmission is Retransmission.NOTE_ONLY or _is_known_card(report, known):
                return facts
        if code is Code.CARD_OUTSIDE_GAME:
            facts.append(self._note(Note.DRAWN_OUTSIDE, messages.target_of(report.payload), at_us=at_us))
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
                self._standing = self._cancel_due_s = None
                return [self._note(Note.ERROR_CANCELLED, messages.cancelled_of(payload), at_us=at_us)]
            case Code.LOCK:
                return [self._note(Note.LOCKED if messages.is_locked(payload) else Note.UNLOCKED, at_us=at_us)]
            case Code.PRESET:
                address, _ = messages.preset_of(payload)
                return [self._note(Note.PRESET_CHANGED, int(address) if address.isdecimal() else None, at_us=at_us)]
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
            if self._settings.may_cancel_errors and error in CANCELLED:
                self._standing, self._cancel_due_s = error, self._now_s + self._settings.cancel_after_s
            facts.append(self._note(Note.ERROR_MODE, error, at_us=at_us))
        return facts

    def _facts_of_outcomes(self, outcomes: Sequence[Outcome[Command]], *, at_us: int) -> list[DeviceFact]:
        facts: list[DeviceFact] = []
        for outcome in outcomes:
            command = outcome.command
            accepted, refused, unanswered = _OUTCOMES[CommandType(command.type)]
            match outcome:
                case Refused():
                    facts.append(self._note(refused, outcome.code, at_us=at_us))
                case Unanswered():
                    facts.append(self._note(unanswered, command.data, at_us=at_us))
                case _:
                    facts.append(self._note(accepted, command.data, at_us=at_us))
            if self._sent is not self._wanted:
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

"""The end of a simulated Angel Eye II-EX of its protocol, sans-I/O.

Assumed, for no source says it, and no hardware was at hand: reports go on being numbered '1'..'9', 'A'..'F' and again
'1'; each is sent three times because nobody confirms it (B saw three, the reason is our inference); a shoe whose line
was interrupted sends its last report three times more, under the same number; after losing power it counts from '1',
is unlocked and begins with `S` and `P`. Reports made while nobody listened are lost, but for the last one. An error is
cancelled by its own number or by 00. A shoe that wants its reports acknowledged says each once and holds the next back
until it is; whether there is such a shoe is the open question.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from drivers.angel_eye.grammar import BAD_CHECKSUM, MALFORMED, NO_COMMAND, NO_ETX, host_grammar
from drivers.angel_eye.messages import (
    ACK,
    NAK,
    Ack,
    Answer,
    BccStart,
    Code,
    Command,
    CommandType,
    LockData,
    NakCode,
    OutsideTarget,
    Report,
    Target,
    Winner,
    burn_count_payload,
    card_payload,
    encode_answer,
    encode_report,
    error_payload,
    lock_payload,
    preset_payload,
    result_payload,
)
from drivers.framing import Garbage, Scanner

SEQUENCE: Final = b"123456789ABCDEF"
REPETITIONS: Final = 3
#: Baccarat's players have three places; a shoe that knows no other game goes round them.
PLACES: Final = 3


@dataclass(frozen=True, kw_only=True, slots=True)
class ShoeOptions:
    """Where the sources disagree; the defaults are those of the driver."""

    report_bcc: BccStart = BccStart.CONTENT
    command_bcc: BccStart = BccStart.FRAME
    answer_bcc: BccStart = BccStart.FRAME
    repetitions: int = REPETITIONS
    #: Numbers of reports; at the end it begins again.
    sequence: bytes = SEQUENCE
    #: Each report is held back until the host has acknowledged the one before.
    wants_ack: bool = False
    #: Commands are answered with data instead of an ACK.
    answers_with_data: bool = False


DEFAULT_OPTIONS: Final = ShoeOptions()


#: What the shoe says to a frame that it cannot take; others it passes over.
_REFUSED_GARBAGE: Final = {
    BAD_CHECKSUM: NakCode.BCC,
    MALFORMED: NakCode.LENGTH,
    NO_COMMAND: NakCode.COMMAND,
    NO_ETX: NakCode.NO_ETX,
}


class ShoeProtocol:
    """What the shoe says and answers, sans-I/O: tell it what happened, take what it sends."""

    def __init__(self, options: ShoeOptions = DEFAULT_OPTIONS) -> None:
        self._options = options
        self._scanner: Scanner[Command | Ack] = Scanner(host_grammar(options.command_bcc))
        self._outgoing: list[bytes] = []
        self._boot()

    def _boot(self) -> None:
        self.is_locked = False
        self.error: int | None = None
        self._number = 0
        self._drawn = 0
        self._last: bytes | None = None
        self._unacknowledged: deque[bytes] = deque()
        self._last_card: str | None = None
        self._refusals: deque[NakCode] = deque()
        self._banner_said = False

    def host_came(self) -> None:
        """The line is there: the last report once more, and the banner if it was never said."""
        if self._options.wants_ack:
            self._outgoing += [*self._unacknowledged][:1]
        elif self._last is not None:
            self._outgoing += [self._last] * self._options.repetitions
        if not self._banner_said:
            self._banner_said = True
            self._report(Code.STARTED)
            self._report(Code.STAND_BY)

    def host_went(self) -> None:
        """The line is gone: half a command is forgotten."""
        self._scanner.forget()

    def power_lost(self) -> None:
        """Starts anew; its banner follows at once."""
        self._boot()
        self._scanner.forget()
        self.host_came()

    def card_left(self, face: str) -> None:
        """A card was drawn and read."""
        self._drawn += 1
        self._last_card = face
        if self.is_locked or self.error is not None:
            mode = OutsideTarget.LOCK_MODE if self.is_locked else OutsideTarget.ERROR_MODE
            self._report(Code.CARD_OUTSIDE_GAME, card_payload(face, target=mode, index=0))
            return
        target = Target.PLAYER if self._drawn % 2 else Target.BANKER
        self._report(Code.CARD_IN_GAME, card_payload(face, target=target, index=1 + (self._drawn // 2) % PLACES))

    def failed(self, code: int) -> None:
        """An error that the shoe survives without stopping; `ErrorCode.CANNOT_READ`: a card left unread."""
        self._report(Code.ERROR, error_payload(code, error_mode=False))

    def stopped(self, code: int) -> None:
        """An error that the shoe stands in until it is cancelled."""
        self.error = code
        self._report(Code.ERROR, error_payload(code, error_mode=True))

    def said_again(self) -> None:
        """The last card once more, as a retransmission: the reading of A."""
        if self._last_card is not None:
            self._report(Code.RETRANSMISSION, card_payload(self._last_card, target=Target.PLAYER, index=1))

    def burn_count_shown(self, count: int) -> None:
        """Baccarat's first card decides how many to burn."""
        self._report(Code.CARD_IN_GAME, burn_count_payload(count))

    def game_ended(self, winner: Winner, pairs: int) -> None:
        """What baccarat makes of the cards."""
        self._report(Code.RESULT, result_payload(winner, pairs=pairs))

    def preset_changed(self, address: str, value: str) -> None:
        """Somebody changed a setting at the shoe."""
        self._report(Code.PRESET, preset_payload(address, value))

    def cancelled(self) -> None:
        """A person at the shoe cancels the error in which it stands."""
        if self.error is not None:
            code, self.error = self.error, None
            self._report(Code.ERROR_CANCELLED, error_payload(code, error_mode=False))

    def refuse_next(self, *codes: NakCode) -> None:
        """The next commands are refused with these, whatever they are: busy, writing, garbled on the way."""
        self._refusals.extend(codes)

    def cut_card_left(self) -> None:
        """The cut card came out."""
        self._report(Code.CUT_CARD)

    def receive(self, data: bytes) -> None:
        """Bytes of the host, in any split; answers are queued."""
        for item in self._scanner.feed(data):
            match item:
                case Garbage() if item.reason in _REFUSED_GARBAGE:
                    self._refuse(_REFUSED_GARBAGE[item.reason])
                case Command() if self._refusals:
                    self._refuse(self._refusals.popleft())
                case Command():
                    self._answer(item)
                case Ack() if self._unacknowledged:
                    self._unacknowledged.popleft()
                    self._outgoing += [*self._unacknowledged][:1]

    def take_outgoing(self) -> Sequence[bytes]:
        """Messages to send, in order; forgotten here."""
        taken, self._outgoing = self._outgoing, []
        return taken

    def _answer(self, command: Command) -> None:
        match command.type:
            case CommandType.LOCK if command.data in tuple(LockData):
                self._acknowledge(command)
                self.is_locked = command.data == LockData.LOCK
                self._report(Code.LOCK, lock_payload(locked=self.is_locked))
            case CommandType.ERROR_CANCEL if command.data in (0, self.error):
                self._acknowledge(command)
                self.cancelled()
            case CommandType.ERROR_CANCEL:
                self._refuse(NakCode.OTHER)
            case CommandType.GAME_PROCESS if command.data == 0:
                self._acknowledge(command)
            case CommandType.LOCK | CommandType.GAME_PROCESS:
                self._refuse(NakCode.LENGTH)
            case _:
                self._refuse(NakCode.TYPE)

    def _acknowledge(self, command: Command) -> None:
        if self._options.answers_with_data:
            data = f"OP{command.type}{command.data:02d}".encode("ascii")
            self._outgoing.append(encode_answer(Answer(data), start=self._options.answer_bcc))
        else:
            self._outgoing.append(bytes([ACK]))

    def _refuse(self, code: NakCode) -> None:
        self._outgoing.append(bytes([NAK, code]))

    def _report(self, code: Code, payload: bytes = b"") -> None:
        numbers = self._options.sequence
        report = Report(seq=numbers[self._number % len(numbers)], code=code, payload=payload)
        self._number += 1
        self._last = encode_report(report, start=self._options.report_bcc)
        if not self._options.wants_ack:
            self._outgoing += [self._last] * self._options.repetitions
            return
        self._unacknowledged.append(self._last)
        if len(self._unacknowledged) == 1:
            self._outgoing.append(self._last)

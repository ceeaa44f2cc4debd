"""A PN532 on a serial line as a reader of cards' tags (ISO 14443 A).

NOT VERIFIED ON HARDWARE. Framing and commands agree with the maker's manual and with traces others published, and
libnfc, which runs on real chips, lists cards on the simulator that this driver is tested against; but no chip was at
hand. See `NOT_VERIFIED` for what no source settles.

One sweep of an antenna: field off and on, so that every card forgets that it was told to be quiet; list; halt what was
listed; list again, until nothing new comes. A chip that another program left at another speed is found by
`drivers.pn532.opening`, before this driver hears of it.
"""

from __future__ import annotations

from collections.abc import Generator, Sequence
from dataclasses import dataclass
from enum import Enum, StrEnum
from typing import Final, TypeAlias

from drivers.framing import Grammar
from drivers.limits import must_lie
from drivers.pn532 import messages
from drivers.pn532.messages import ACK, WAKE_UP, Ack, BadAnswer, Code, Data, Frame, Nack, Status, SyntaxError_
from drivers.reader import (
    Answer,
    Ask,
    Heard,
    Known,
    NoAnswer,
    Noted,
    Pause,
    Progress,
    ReaderTiming,
    Saw,
    Scanned,
    Step,
    TagReader,
)
from drivers.tags import PresenceSettings

TITLE: Final = "PN532"
#: For the log, once at start.
NOT_VERIFIED: Final = (
    "PN532: not verified on hardware: how long the field must be off for a card to forget that it was halted; how many"
    " stacked cards one antenna can power; which pins select an antenna of a multiplexer"
)

#: The chip acknowledges within 15 ms (U); 100 ms is what N waits, and 1500 ms where a USB adapter on a small computer
#: delays. The middle; a setting.
ACK_S: Final = 0.25
#: From the acknowledgement to the answer of a listing that looks a few times: some 5 ms a look, ours.
ANSWER_S: Final = 1.0
#: A frame of 25 bytes takes 2 ms at 115200; the rest is for adapters that deliver in pieces. Ours.
FRAME_S: Final = 0.1
#: How long the field stays off. A card must forget within 5 ms (ISO 14443-3, 6.1.2 gives 5.1 ms).
FIELD_OFF_S: Final = 0.0051


class Multiplexer(Enum):
    """What puts several antennas behind one chip."""

    NONE = "none"
    #: Pins P30 and P31 carry the number of the antenna, from 0. Ours; wire it so.
    GPIO_P3 = "gpio-p3"


#: Antennas that two pins can tell apart.
GPIO_ANTENNAS: Final = 4


class Note(StrEnum):
    """Every `kind` of `ReaderNote` that this driver gives besides those of `drivers.reader`, and what `code` is."""

    SCAN_FAILED = "scan-failed"  # `Status`; none where the answer could not be understood
    SYNTAX_ERROR = "syntax-error"  # the command's `Code`
    TOO_MANY_TAGS = "too-many-tags"  # how many were read


@dataclass(frozen=True, kw_only=True, slots=True)
class Pn532Settings:
    """What is uncertain or depends on the table. Times in seconds."""

    #: Cards listed at once: 1 (as libnfc does) or 2.
    max_targets: int = 1
    #: Most cards looked for at one antenna in one sweep.
    tags_max: int = 10
    #: Further looks for a card that does not answer at once, before a listing ends.
    activation_retries: int = 2
    #: Pause between two sweeps of all antennas.
    pause_s: float = 0.05
    #: How long the field is off before each sweep of an antenna.
    field_off_s: float = FIELD_OFF_S
    multiplexer: Multiplexer = Multiplexer.NONE
    #: How many antennas the multiplexer has; without one, one.
    antennas: int = 1
    ack_s: float = ACK_S
    answer_s: float = ANSWER_S
    attempts: int = 3
    in_scans: int = PresenceSettings().in_scans
    out_scans: int = PresenceSettings().out_scans
    out_s: float = PresenceSettings().out_s

    @property
    def n_antennas(self) -> int:
        """How many antennas are behind this chip."""
        return 1 if self.multiplexer is Multiplexer.NONE else self.antennas

    def __post_init__(self) -> None:
        must_lie(
            self,
            max_targets=(1, messages.TARGETS_MAX),
            tags_max=(1, 1000),
            activation_retries=(0, 254),
            antennas=(1, GPIO_ANTENNAS),
            attempts=(1, 100),
            in_scans=(1, 100),
            out_scans=(1, 100),
        )

    def presence(self) -> PresenceSettings:
        """How much a scan is believed."""
        return PresenceSettings(in_scans=self.in_scans, out_scans=self.out_scans, out_s=self.out_s)


DEFAULT_SETTINGS: Final = Pn532Settings()

Reply: TypeAlias = Data | SyntaxError_
_Steps: TypeAlias = Generator[Step[Data], Reply | None, None]


class Pn532Codec:
    """See `ReaderCodec`."""

    def grammar(self) -> Grammar[Frame]:
        """See `ReaderCodec`."""
        return messages.chip_grammar()

    def say(self, command: Data) -> Sequence[bytes]:
        """See `ReaderCodec`. The first command wakes the line, and ends what another program may have left running."""
        frame = messages.encode(command)
        return [WAKE_UP + ACK + frame] if command.code == Code.SAM_CONFIGURATION else [frame]

    def say_again(self, command: Data, *, was_garbled: bool) -> Sequence[bytes]:
        """See `ReaderCodec`. An ACK ends whatever the chip is still doing: a listing may wait for a card for ever."""
        if was_garbled and command.code != Code.SAM_CONFIGURATION:
            return [messages.NACK]
        return [ACK, *self.say(command)]

    def hear(self, command: Data, frame: Frame) -> Heard[Reply]:
        """See `ReaderCodec`."""
        match frame:
            case Ack():
                return Progress.TAKEN
            case Nack():
                return Progress.STRAY
            case SyntaxError_():
                return Answer(frame)
            case Data():
                return Answer(frame) if frame.code == command.code + 1 else Progress.STRAY

    def n_bytes(self, frame: Frame) -> int:
        """See `ReaderCodec`."""
        return messages.length_of(frame)

    def code(self, command: Data) -> int:
        """See `ReaderCodec`."""
        return command.code


class _ScanFailed(Exception):
    def __init__(self, kind: Note, code: int | None = None) -> None:
        super().__init__(kind)
        self.kind = kind
        self.code = code


class Pn532(TagReader[Data, Frame, Reply]):
    """A `DeviceProtocol`. `device` is the name in the configuration."""

    def __init__(self, device: str, settings: Pn532Settings = DEFAULT_SETTINGS) -> None:
        timing = ReaderTiming(
            begin_s=settings.ack_s, answer_s=settings.answer_s, frame_s=FRAME_S, attempts=settings.attempts
        )
        super().__init__(
            device,
            title=TITLE,
            codec=Pn532Codec(),
            script=lambda: _script(settings),
            timing=timing,
            presence=settings.presence(),
        )


# -- the script --------------------------------------------------------------------------------------------------------


def _script(settings: Pn532Settings) -> _Steps:
    yield from _told(messages.sam_configuration())
    firmware = yield from _told(messages.get_firmware_version())
    yield from _told(messages.max_retries(settings.activation_retries))
    try:
        identity = messages.firmware_of(firmware)
    except BadAnswer:
        identity = f"{TITLE}, firmware unknown"
    yield Known(identity)
    while True:
        for antenna in range(1, settings.n_antennas + 1):
            yield from _sweep(antenna, settings)
        yield Pause(settings.pause_s, between_sweeps=True)


def _reply_to(command: Data) -> Generator[Step[Data], Reply | None, Reply]:
    reply = yield Ask(command)
    assert reply is not None
    return reply


def _told(command: Data) -> Generator[Step[Data], Reply | None, Data]:
    """The answer; `NoAnswer` also where the chip does not understand what every PN532 must understand."""
    reply = yield from _reply_to(command)
    if isinstance(reply, SyntaxError_):
        raise NoAnswer(command.code)
    return reply


def _sweep(antenna: int, settings: Pn532Settings) -> _Steps:
    """One antenna. What went wrong is a note; what was read before it went wrong was there all the same."""
    tags: set[str] = set()
    try:
        yield from _select(antenna, settings.multiplexer)
        yield from _asked(messages.release())
        yield from _read_all(antenna, tags, settings)
    except _ScanFailed as failed:
        yield Noted(failed.kind, antenna=antenna, code=failed.code)
        yield Scanned(antenna, frozenset(tags), is_whole=False)
    else:
        yield Scanned(antenna, frozenset(tags))


def _asked(command: Data) -> Generator[Step[Data], Reply | None, Data]:
    reply = yield from _reply_to(command)
    if isinstance(reply, SyntaxError_):
        raise _ScanFailed(Note.SYNTAX_ERROR, command.code)
    return reply


def _select(antenna: int, multiplexer: Multiplexer) -> _Steps:
    """The one place that knows how antennas are switched."""
    match multiplexer:
        case Multiplexer.NONE:
            return
        case Multiplexer.GPIO_P3:
            yield from _asked(messages.write_gpio(antenna - 1))


def _read_all(antenna: int, tags: set[str], settings: Pn532Settings) -> _Steps:
    yield from _asked(messages.rf_field(on=False))
    yield Pause(settings.field_off_s)
    yield from _asked(messages.rf_field(on=True))
    while True:
        answer = yield from _asked(messages.list_type_a(settings.max_targets))
        try:
            found = {target.uid.hex().upper() for target in messages.targets_of(answer)}
        except BadAnswer:
            raise _ScanFailed(Note.SCAN_FAILED) from None
        if not found:
            return
        if found <= tags:
            # A card that would not be quiet stands before all others.
            raise _ScanFailed(Note.SCAN_FAILED, Status.COLLISION)
        tags |= found
        yield Saw(antenna, frozenset(found))
        if len(tags) >= settings.tags_max:
            raise _ScanFailed(Note.TOO_MANY_TAGS, len(tags))
        if (yield from _halt()):
            yield Saw(antenna, frozenset(found))


def _halt() -> Generator[Step[Data], Reply | None, bool]:
    """Whether the cards that were listed were all still there to hear it."""
    answer = yield from _asked(messages.deselect())
    try:
        status = messages.status_of(answer)
    except BadAnswer:
        raise _ScanFailed(Note.SCAN_FAILED) from None
    # A card that was taken away between two commands has nothing to be quiet about.
    if status not in (Status.OK, Status.CARD_DISAPPEARED, Status.TIMEOUT, Status.RELEASED):
        raise _ScanFailed(Note.SCAN_FAILED, status)
    return status == Status.OK

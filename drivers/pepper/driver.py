"""An Eccel Pepper C1 (or C1 MUX) as a reader of cards' tags.

NOT VERIFIED ON HARDWARE: everything here comes from the maker's public pages (see `messages`); `NOT_VERIFIED` names
what they leave open. The reader can poll by itself and tell of tags unasked, but nobody published what it then says: so
it is asked, by counting tags and reading their numbers, and an event that comes all the same is rejected.

Never starts a firmware update, a factory reset, or anything else that outlives the conversation.
"""

from __future__ import annotations

from collections.abc import Generator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Final, TypeAlias

from drivers.framing import Grammar
from drivers.limits import must_lie
from drivers.pepper import messages
from drivers.pepper.messages import HARMLESS, BadAnswer, Command, ErrorCode, Event, Frame, Opcode, Refusal, Reply
from drivers.reader import Answer, Ask, Heard, Known, Noted, Pause, Progress, ReaderTiming, Scanned, Step, TagReader
from drivers.tags import PresenceSettings

TITLE: Final = "Pepper C1"
#: For the log, once at start.
NOT_VERIFIED: Final = (
    "Pepper C1: not verified on hardware: its speed as delivered; that an antenna of the MUX model is selected as the"
    " maker's own client does; what it says of tags unasked; that a count of tags looks at the field anew each time"
)

#: The maker's own programs wait 0.5 s (H) or 2 s (E).
ANSWER_S: Final = 1.0
#: A frame of 30 bytes takes 3 ms at 115200; the rest is for adapters that deliver in pieces. Ours.
FRAME_S: Final = 0.1


#: What the MUX model has. The maker's own client (M) counts them from 1.
ANTENNAS_MAX: Final = 8


class Note(StrEnum):
    """Every `kind` of `ReaderNote` that this driver gives besides those of `drivers.reader`, and what `code` is."""

    SCAN_FAILED = "scan-failed"  # the error's low byte (`ErrorCode`); none where the answer could not be understood


@dataclass(frozen=True, kw_only=True, slots=True)
class PepperSettings:
    """What is uncertain or depends on the table. Times in seconds."""

    #: How many antennas the MUX model has; with one, none is ever selected.
    antennas: int = 1
    #: Pause between two sweeps of all antennas.
    pause_s: float = 0.05
    answer_s: float = ANSWER_S
    attempts: int = 3
    in_scans: int = PresenceSettings().in_scans
    out_scans: int = PresenceSettings().out_scans
    out_s: float = PresenceSettings().out_s

    @property
    def n_antennas(self) -> int:
        """How many antennas are behind this reader."""
        return self.antennas

    def __post_init__(self) -> None:
        must_lie(self, antennas=(1, ANTENNAS_MAX), attempts=(1, 100), in_scans=(1, 100), out_scans=(1, 100))

    def presence(self) -> PresenceSettings:
        """How much a scan is believed."""
        return PresenceSettings(in_scans=self.in_scans, out_scans=self.out_scans, out_s=self.out_s)


DEFAULT_SETTINGS: Final = PepperSettings()
_Heard: TypeAlias = Reply | Refusal
_Steps: TypeAlias = Generator[Step[Command], _Heard | None, None]


class PepperCodec:
    """See `ReaderCodec`."""

    def grammar(self) -> Grammar[Frame]:
        """See `ReaderCodec`."""
        return messages.reader_grammar()

    def say(self, command: Command) -> Sequence[bytes]:
        """See `ReaderCodec`. Raises `PermissionError` for what might change the reader."""
        if command.opcode not in HARMLESS:
            raise PermissionError(f"command {command.opcode:#04x} is never sent")
        return [messages.encode_command(command)]

    def say_again(self, command: Command, *, was_garbled: bool) -> Sequence[bytes]:
        """See `ReaderCodec`. A damaged answer is asked for again; silence may mean that the question never arrived."""
        return [messages.REPEAT] if was_garbled else self.say(command)

    def hear(self, command: Command, frame: Frame) -> Heard[_Heard]:
        """See `ReaderCodec`."""
        if isinstance(frame, Event) or frame.opcode != command.opcode:
            return Progress.STRAY
        return Answer(frame)

    def n_bytes(self, frame: Frame) -> int:
        """See `ReaderCodec`."""
        return messages.OVERHEAD + len(messages.payload_of(frame))

    def code(self, command: Command) -> int:
        """See `ReaderCodec`."""
        return command.opcode


class Pepper(TagReader[Command, Frame, _Heard]):
    """A `DeviceProtocol`. `device` is the name in the configuration."""

    def __init__(self, device: str, settings: PepperSettings = DEFAULT_SETTINGS) -> None:
        timing = ReaderTiming(
            begin_s=settings.answer_s, answer_s=settings.answer_s, frame_s=FRAME_S, attempts=settings.attempts
        )
        super().__init__(
            device,
            title=TITLE,
            codec=PepperCodec(),
            script=lambda: _script(settings),
            timing=timing,
            presence=settings.presence(),
        )


class _ScanFailed(Exception):
    def __init__(self, code: int | None = None) -> None:
        super().__init__(code)
        self.code = code


# -- the script --------------------------------------------------------------------------------------------------------


def _script(settings: PepperSettings) -> _Steps:
    version = yield from _reply_to(Command(Opcode.VERSION))
    text = messages.version_of(version) if isinstance(version, Reply) else ""
    yield Known(f"{TITLE} {text or 'without a version'}")
    while True:
        for antenna in range(1, settings.n_antennas + 1):
            yield from _sweep(antenna, is_selected=settings.n_antennas > 1)
        yield Pause(settings.pause_s, between_sweeps=True)


def _reply_to(command: Command) -> Generator[Step[Command], _Heard | None, _Heard]:
    reply = yield Ask(command)
    assert reply is not None
    return reply


def _asked(command: Command) -> Generator[Step[Command], _Heard | None, Reply]:
    reply = yield from _reply_to(command)
    if isinstance(reply, Refusal):
        raise _ScanFailed(reply.error)
    return reply


def _sweep(antenna: int, *, is_selected: bool) -> _Steps:
    tags: set[str] = set()
    try:
        if is_selected:
            yield from _asked(Command(Opcode.ANTENNA, bytes([antenna])))
        yield from _read_all(tags)
    except (_ScanFailed, BadAnswer) as failed:
        yield Noted(Note.SCAN_FAILED, antenna=antenna, code=failed.code if isinstance(failed, _ScanFailed) else None)
        yield Scanned(antenna, frozenset(tags), is_whole=False)
    else:
        yield Scanned(antenna, frozenset(tags))


def _read_all(tags: set[str]) -> _Steps:
    counted = yield from _asked(Command(Opcode.TAG_COUNT))
    n_tags = messages.count_of(counted)
    for index in range(n_tags):
        read = yield from _asked(Command(Opcode.TAG_UID, bytes([index])))
        tags.add(messages.uid_of(read))
    if len(tags) != n_tags:
        # An answer to an earlier question, or cards moved in between.
        raise _ScanFailed(ErrorCode.COLLISION)

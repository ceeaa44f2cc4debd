"""A FEIG OBID i-scan reader in ISO-Host mode as a reader of cards' tags (ISO 15693).

NOT VERIFIED ON HARDWARE: everything here comes from pages of the maker's manuals (see `messages`); what they leave open
is in `NOT_VERIFIED`. One sweep: RF reset, so that every tag forgets that it was read; inventory; the rest of its list.

Never writes a configuration, never starts the flash loader.
"""

from __future__ import annotations

from collections.abc import Generator, Sequence
from dataclasses import dataclass
from enum import Enum, StrEnum
from typing import Final, TypeAlias

from drivers.feig import messages
from drivers.feig.messages import ANY_ADDRESS, HARMLESS, BadAnswer, Control, Frame, Refused, Status
from drivers.framing import Grammar
from drivers.limits import must_lie
from drivers.reader import (
    Answer,
    Ask,
    Heard,
    Known,
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

TITLE: Final = "FEIG reader"
#: For the log, once at start.
NOT_VERIFIED: Final = (
    "FEIG: not verified on hardware: names of most status codes from 80 on; that an inventory right after an RF reset"
    " lists every tag; the records of tags that are not ISO 15693; antennas behind a multiplexer (not supported)"
)

#: A reader gives up on its tags after TR-RESPONSE-TIME, 3 s as delivered (P); the rest is for the line.
INVENTORY_S: Final = 3.5
#: For commands that need no tag. No source gives a time; ours.
ANSWER_S: Final = 0.5
#: A reader sends a frame in one go, 255 bytes in 73 ms; the pause in it is for serial servers. Ours.
FRAME_S: Final = 0.1
#: The one antenna.
ANTENNA: Final = 1


class RfReset(Enum):
    """When the field is reset, so that tags that were read are heard again."""

    #: Before every sweep. Right whatever the reader's configuration is.
    EACH_SWEEP = "each-sweep"
    #: Only where the reader's own configuration (ONT) does not do it already: one exchange less a sweep.
    AS_CONFIGURED = "as-configured"


class Note(StrEnum):
    """Every `kind` of `ReaderNote` that this driver gives besides those of `drivers.reader`, and what `code` is."""

    SCAN_FAILED = "scan-failed"  # `Status`; none where the answer could not be understood
    TOO_MANY_TAGS = "too-many-tags"  # how many were read


@dataclass(frozen=True, kw_only=True, slots=True)
class FeigSettings:
    """What is uncertain or depends on the table. Times in seconds."""

    #: The reader's bus address; 255: whichever it has (one reader on the line).
    address: int = ANY_ADDRESS
    #: Advanced frames, for readers that have only these.
    advanced_frames: bool = False
    rf_reset: RfReset = RfReset.EACH_SWEEP
    #: Most tags in one sweep.
    tags_max: int = 60
    #: Pause between two sweeps.
    pause_s: float = 0.05
    answer_s: float = ANSWER_S
    inventory_s: float = INVENTORY_S
    attempts: int = 3
    in_scans: int = PresenceSettings().in_scans
    out_scans: int = PresenceSettings().out_scans
    out_s: float = PresenceSettings().out_s

    def __post_init__(self) -> None:
        must_lie(
            self,
            address=(0, ANY_ADDRESS),
            tags_max=(1, 1000),
            attempts=(1, 100),
            in_scans=(1, 100),
            out_scans=(1, 100),
        )

    def presence(self) -> PresenceSettings:
        """How much a scan is believed."""
        return PresenceSettings(in_scans=self.in_scans, out_scans=self.out_scans, out_s=self.out_s)


DEFAULT_SETTINGS: Final = FeigSettings()
_Steps: TypeAlias = Generator[Step[Frame], Frame | None, None]
_Asking: TypeAlias = Generator[Step[Frame], Frame | None, Frame]


class FeigCodec:
    """See `ReaderCodec`. A reader answers what it understands and nothing else: only silence asks for a retry."""

    def grammar(self) -> Grammar[Frame]:
        """See `ReaderCodec`."""
        return messages.reader_grammar()

    def say(self, command: Frame) -> Sequence[bytes]:
        """See `ReaderCodec`. Raises `Refused` for what might change the reader."""
        if command.control not in HARMLESS:
            raise Refused(f"command {command.control:#04x} is never sent")
        return [messages.encode(command)]

    def say_again(self, command: Frame, *, was_garbled: bool) -> Sequence[bytes]:
        """See `ReaderCodec`."""
        return self.say(command)

    def hear(self, command: Frame, frame: Frame) -> Heard[Frame]:
        """See `ReaderCodec`."""
        is_meant = command.address in (ANY_ADDRESS, frame.address)
        return Answer(frame) if is_meant and frame.control == command.control else Progress.STRAY

    def n_bytes(self, frame: Frame) -> int:
        """See `ReaderCodec`."""
        return messages.length_of(frame)

    def code(self, command: Frame) -> int:
        """See `ReaderCodec`."""
        return command.control


class Feig(TagReader[Frame, Frame, Frame]):
    """A `DeviceProtocol`. `device` is the name in the configuration."""

    def __init__(self, device: str, settings: FeigSettings = DEFAULT_SETTINGS) -> None:
        timing = ReaderTiming(
            begin_s=settings.answer_s, answer_s=settings.answer_s, frame_s=FRAME_S, attempts=settings.attempts
        )
        super().__init__(
            device,
            title=TITLE,
            codec=FeigCodec(),
            script=lambda: _Talk(settings).script(),
            timing=timing,
            presence=settings.presence(),
        )


class _ScanFailed(Exception):
    def __init__(self, kind: Note, code: int | None = None) -> None:
        super().__init__(kind)
        self.kind = kind
        self.code = code


class _Talk:
    """The script, with the settings at hand."""

    def __init__(self, settings: FeigSettings) -> None:
        self._settings = settings

    def script(self) -> _Steps:
        """See `Script`."""
        version = yield from self._ask(Control.SOFTWARE_VERSION)
        try:
            yield Known(messages.version_of(version))
        except BadAnswer:
            yield Known(f"{TITLE}, software unknown")
        resets = True
        if self._settings.rf_reset is RfReset.AS_CONFIGURED:
            resets = yield from self._only_new()
        while True:
            yield from self._sweep(resets=resets)
            yield Pause(self._settings.pause_s, between_sweeps=True)

    def _ask(self, control: Control, data: bytes = b"", *, answer_s: float | None = None) -> _Asking:
        settings = self._settings
        command = Frame(address=settings.address, control=control, data=data, is_advanced=settings.advanced_frames)
        reply = yield Ask(command, answer_s)
        assert reply is not None
        return reply

    def _only_new(self) -> Generator[Step[Frame], Frame | None, bool]:
        """ONT; on where it cannot be read, for then a reset is needed."""
        block = yield from self._ask(Control.READ_CONFIGURATION, bytes([messages.ANTICOLLISION_BLOCK]))
        try:
            return block.status != Status.OK or messages.only_new_of(block)
        except BadAnswer:
            return True

    def _sweep(self, *, resets: bool) -> _Steps:
        tags: set[str] = set()
        try:
            if resets:
                done = yield from self._ask(Control.RF_RESET)
                if done.status != Status.OK:
                    raise _ScanFailed(Note.SCAN_FAILED, done.status)
            yield from self._read_all(tags)
            yield Saw(ANTENNA, frozenset(tags))
        except _ScanFailed as failed:
            yield Noted(failed.kind, antenna=ANTENNA, code=failed.code)
            yield Scanned(ANTENNA, frozenset(tags), is_whole=False)
        else:
            yield Scanned(ANTENNA, frozenset(tags))

    def _read_all(self, tags: set[str]) -> _Steps:
        mode = 0
        while True:
            answer = yield from self._ask(
                Control.ISO15693, bytes([messages.INVENTORY, mode]), answer_s=self._settings.inventory_s
            )
            if answer.status not in (Status.OK, Status.NO_TRANSPONDER, Status.MORE_DATA):
                raise _ScanFailed(Note.SCAN_FAILED, answer.status)
            try:
                found = messages.tags_of(answer)
            except BadAnswer:
                raise _ScanFailed(Note.SCAN_FAILED) from None
            is_new = not tags.issuperset(found)
            tags.update(found)
            if answer.status != Status.MORE_DATA:
                return
            if not is_new or len(tags) >= self._settings.tags_max:
                # "More" without an end: what was read is there, and no more is known.
                raise _ScanFailed(Note.TOO_MANY_TAGS, len(tags))
            mode = messages.MORE

"""What all readers of tags have in common: who is asked next, what becomes of the answer, and what follows from it.

A reader is polled. Its driver gives two things: a *codec* (`ReaderCodec`: bytes, and which frame answers which command)
and a *script* (`Script`: a generator that says what to ask next and what a scan found). `TagReader` runs them: it
repeats what was not answered, gives up after a while, and turns scans into facts. Sans-I/O, the clock is passed in.

A reader that leaves even the repetitions unanswered is lost: `tick` raises `WireLost`, and the port opens the wire anew
(for a PN532 at whatever speed it answers then). Tags that lay there are neither gone nor new because of it.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Sequence
from dataclasses import dataclass
from enum import Enum
from math import inf
from typing import Final, Generic, Protocol, TypeAlias, TypeVar

from drivers.facts import DeviceFact, Found, Lost, ReaderNote, Rejected, TagIn, TagOut
from drivers.framing import Garbage, Grammar, Scanner
from drivers.health import Tally
from drivers.sealed import Sealed
from drivers.tags import Came, Change, Doubled, Left, Moved, Parted, Presence, PresenceSettings
from drivers.transport.base import WireLost

C = TypeVar("C")
C_contra = TypeVar("C_contra", contravariant=True)
F = TypeVar("F")
R = TypeVar("R")

#: `kind` of a `ReaderNote` that every reader may give: a command was asked as often as is allowed and not answered;
#: `code` is the command.
UNANSWERED: Final = "unanswered"
#: How long a fault must stay away before it is noted again, in seconds. Ours.
QUIET_S: Final = 10.0
#: While nobody waits for a card, and no tag has come or gone for `CALM_S`, sweeps are `REST_S` apart, in seconds. Ours:
#: eleven readers that sweep as in a hand would keep a small computer awake all night; but between two hands the deck is
#: counted, so nobody rests while cards are moved.
CALM_S: Final = 20.0
REST_S: Final = 5.0
#: Answers of one scan that are further apart say nothing of what was there at once, in seconds: of two cards that are
#: drawn one after the other, the second comes no sooner. Ours; a reader that takes one tag an answer takes some 10 ms.
AT_ONCE_S: Final = 0.05
#: Steps of a script without a pause or a question between them. More is a mistake in the script.
STEPS_MAX: Final = 1000


@dataclass(frozen=True, kw_only=True, slots=True)
class ReaderTiming:
    """In seconds. `begin_s`: until an acknowledgement, or the answer itself where a reader gives none; `answer_s`: from
    the acknowledgement to the answer. `frame_s`: a frame whose rest does not come within it is given up."""

    begin_s: float
    answer_s: float
    frame_s: float
    #: How often a command is sent before it counts as unanswered.
    attempts: int = 3


class Progress(Enum):
    """What a frame is to a command that waits for its answer."""

    #: The reader works on it: the time for the answer begins.
    TAKEN = "taken"
    #: Nothing: a late answer to something else.
    STRAY = "stray"


@dataclass(frozen=True, slots=True, repr=False)
class Answer(Generic[R]):
    """The answer."""

    reply: R


Heard: TypeAlias = Answer[R] | Progress


class ReaderCodec(Protocol[C_contra, F, R]):
    """How one reader encodes commands and answers. Without memory."""

    def grammar(self) -> Grammar[F]:
        """Cuts what the reader sends."""

    def say(self, command: C_contra) -> Sequence[bytes]:
        """A command as it is sent first."""

    def say_again(self, command: C_contra, *, was_garbled: bool) -> Sequence[bytes]:
        """A command as it is repeated; `was_garbled`: an answer did come, but damaged."""

    def hear(self, command: C_contra, frame: F) -> Heard[R]:
        """What a frame is to the command under way."""

    def n_bytes(self, frame: F) -> int:
        """Length of a frame on the wire."""

    def code(self, command: C_contra) -> int:
        """The command's number, for notes."""


@dataclass(frozen=True, slots=True, repr=False)
class Ask(Generic[C]):
    """Send a command and wait for its answer, which is what `yield` gives. `NoAnswer` is thrown in where none came."""

    command: C
    #: Instead of `ReaderTiming.answer_s` (and `begin_s`, where that is shorter).
    answer_s: float | None = None


@dataclass(frozen=True, slots=True)
class Pause:
    """Nothing for so many seconds; `between_sweeps`, for longer where the reader may rest."""

    for_s: float
    between_sweeps: bool = False


@dataclass(frozen=True, slots=True)
class Known:
    """The reader has answered what it must; said once a script."""

    identity: str


@dataclass(frozen=True, slots=True, repr=False)
class Scanned:
    """One antenna saw these tags; `is_whole`: and no others."""

    antenna: int
    tags: frozenset[str]
    is_whole: bool = True


@dataclass(frozen=True, slots=True, repr=False)
class Saw:
    """An answer within a scan: these tags are at this antenna now. `Scanned` says it of the whole scan."""

    antenna: int
    tags: frozenset[str]


@dataclass(frozen=True, slots=True)
class Noted:
    """Something to note. A scan that failed is a note and nothing else."""

    kind: str
    antenna: int | None = None
    code: int | None = None


Step: TypeAlias = Ask[C] | Pause | Known | Scanned | Saw | Noted
#: What to do, step by step, from the moment the wire is open; it never ends but by `NoAnswer`.
Script: TypeAlias = Generator[Step[C], R | None, None]


class NoAnswer(Exception):
    """A command was sent as often as is allowed. `code` is its number. A script that lets it through ends: mute."""

    def __init__(self, code: int) -> None:
        super().__init__(f"no answer to {code:#04x}")
        self.code = code


class TagReader(Generic[C, F, R]):
    """A `DeviceProtocol`. `device` is the name in the configuration; `title` names the model, for people."""

    def __init__(
        self,
        device: str,
        *,
        title: str,
        codec: ReaderCodec[C, F, R],
        script: Callable[[], Script[C, R]],
        timing: ReaderTiming,
        presence: PresenceSettings,
    ) -> None:
        self._device = device
        self._title = title
        self._codec = codec
        self._make_script = script
        self._timing = timing
        #: Survives a loss of the reader: the cards are still where they were.
        self._presence = Presence(presence)
        self.tally = Tally()
        self._scanner: Scanner[F] = Scanner(codec.grammar(), self.tally)
        self._script: Script[C, R] | None = None
        self._asked: Ask[C] | None = None
        self._attempts = 0
        self._was_garbled = False
        self._due_s: float | None = None
        self._frame_due_s: float | None = None
        #: When each thing noted happened last: a fault that lasts, or comes and goes, is told once.
        self._noted: dict[Noted, float] = {}
        self._outgoing: list[bytes] = []
        #: The answers of each antenna's scan that is going on, and when they came.
        self._seen: dict[int, list[tuple[float, frozenset[str]]]] = {}
        self._together: list[Saw] = []
        self._rests = False
        #: Since when nothing has moved while nobody waits; None: since the next pause.
        self._calm_since_s: float | None = None

    def rest(self, *, rests: bool) -> None:
        """Whether nobody waits for a card: between two hands. After a while without any change, sweeps are fewer."""
        if self._rests and not rests and self._asked is None and self._due_s is not None:
            self._due_s = 0.0  # the pause is over
        if rests and not self._rests:
            self._calm_since_s = None
        self._rests = rests

    # -- DeviceProtocol ----------------------------------------------------------------------------------------------

    def opened(self, *, now_s: float, at_us: int) -> Sequence[DeviceFact]:
        """See `DeviceProtocol`. `Found` comes when the reader has said who it is."""
        self._forget_wire()
        self._script = self._make_script()
        return self._go_on(None, now_s=now_s, at_us=at_us)

    def closed(self, *, at_us: int, reason: str) -> Sequence[DeviceFact]:
        """See `DeviceProtocol`. No tag leaves because of it."""
        garbage = self._scanner.forget()
        self._forget_wire()
        facts: list[DeviceFact] = [self._rejected(piece, at_us) for piece in garbage if isinstance(piece, Garbage)]
        return [*facts, Lost(device=self._device, at_us=at_us, reason=reason)]

    def receive(self, data: bytes, *, now_s: float, at_us: int) -> Sequence[DeviceFact]:
        """See `DeviceProtocol`."""
        facts = self._heard(self._scanner.feed(data), now_s=now_s, at_us=at_us)
        self._watch_frame(now_s)
        return facts

    def tick(self, *, now_s: float, at_us: int) -> Sequence[DeviceFact]:
        """See `DeviceProtocol`. Raises `WireLost` where the reader does not answer any more."""
        if self._script is None:
            raise WireLost(f"{self._title} does not answer")
        facts: list[DeviceFact] = []
        if self._frame_due_s is not None and now_s >= self._frame_due_s:
            facts += self._heard(self._scanner.give_up_waiting(), now_s=now_s, at_us=at_us)
            self._watch_frame(now_s)
        if self._due_s is not None and now_s >= self._due_s:
            facts += self._time_is_up(now_s=now_s, at_us=at_us)
        return facts

    def deadline_s(self) -> float | None:
        """See `DeviceProtocol`."""
        return min((due for due in (self._frame_due_s, self._due_s) if due is not None), default=None)

    def take_outgoing(self) -> Sequence[bytes]:
        """See `DeviceProtocol`."""
        taken, self._outgoing = self._outgoing, []
        return taken

    def take_together(self) -> Sequence[Saw]:
        """The tags of each scan that were there at once, where these are several, in order; forgotten here.

        Cards with a gap of `AT_ONCE_S` or more between them never are.
        """
        taken, self._together = self._together, []
        return taken

    # -- the conversation --------------------------------------------------------------------------------------------

    def _forget_wire(self) -> None:
        self._scanner.forget()
        if self._script is not None:
            self._script.close()
        self._script = None
        self._asked = None
        self._due_s = self._frame_due_s = None
        self._noted.clear()
        self._outgoing.clear()

    def _watch_frame(self, now_s: float) -> None:
        self._frame_due_s = now_s + self._timing.frame_s if self._scanner.is_waiting else None

    def _heard(self, items: Sequence[F | Garbage], *, now_s: float, at_us: int) -> list[DeviceFact]:
        facts: list[DeviceFact] = []
        for item in items:
            if isinstance(item, Garbage):
                self._was_garbled = True
                facts.append(self._rejected(item, at_us))
            else:
                facts += self._heard_frame(item, now_s=now_s, at_us=at_us)
        return facts

    def _heard_frame(self, frame: F, *, now_s: float, at_us: int) -> list[DeviceFact]:
        heard = self._codec.hear(self._asked.command, frame) if self._asked is not None else Progress.STRAY
        if isinstance(heard, Answer):
            self._asked = None
            self._due_s = None
            return self._go_on(heard.reply, now_s=now_s, at_us=at_us)
        match heard:
            case Progress.TAKEN:
                self._due_s = now_s + self._answer_s()
            case Progress.STRAY:
                stray = Garbage("answer to no command", self._codec.n_bytes(frame))
                return [self._rejected(stray, at_us)]
        return []

    def _answer_s(self) -> float:
        assert self._asked is not None
        return self._timing.answer_s if self._asked.answer_s is None else self._asked.answer_s

    def _time_is_up(self, *, now_s: float, at_us: int) -> list[DeviceFact]:
        asked = self._asked
        if asked is None:
            return self._go_on(None, now_s=now_s, at_us=at_us)
        if self._attempts < self._timing.attempts:
            self._outgoing += self._codec.say_again(asked.command, was_garbled=self._was_garbled)
            self.tally.retries += 1
            self._wait(asked, now_s)
            return []
        self._asked = None
        code = self._codec.code(asked.command)
        facts = self._facts_of(Noted(UNANSWERED, code=code), now_s=now_s, at_us=at_us)
        return facts + self._go_on(NoAnswer(code), now_s=now_s, at_us=at_us)

    def _wait(self, asked: Ask[C], now_s: float) -> None:
        self._attempts += 1
        self._was_garbled = False
        self._due_s = now_s + max(self._timing.begin_s, asked.answer_s or 0.0)

    def _go_on(self, news: R | NoAnswer | None, *, now_s: float, at_us: int) -> list[DeviceFact]:
        """Let the script run until it has to wait."""
        facts: list[DeviceFact] = []
        self._due_s = None
        for _ in range(STEPS_MAX):
            step = self._next_step(news)
            news = None
            match step:
                case None:
                    self._due_s = now_s  # the next tick says that the wire is of no use
                    return facts
                case Ask():
                    self._asked = step
                    self._attempts = 0
                    self._outgoing += self._codec.say(step.command)
                    self._wait(step, now_s)
                    return facts
                case Pause():
                    self._due_s = now_s + (REST_S if step.between_sweeps and self._is_calm(now_s) else step.for_s)
                    return facts
                case _:
                    facts += self._facts_of(step, now_s=now_s, at_us=at_us)
        raise AssertionError(f"the script of {self._title} never waits")

    def _is_calm(self, now_s: float) -> bool:
        if self._calm_since_s is None:
            self._calm_since_s = now_s
        return self._rests and now_s - self._calm_since_s > CALM_S

    def _next_step(self, news: R | NoAnswer | None) -> Step[C] | None:
        script = self._script
        if script is None:
            return None
        try:
            return script.throw(news) if isinstance(news, NoAnswer) else script.send(news)
        except (StopIteration, NoAnswer):
            self._script = None
            return None

    # -- facts -------------------------------------------------------------------------------------------------------

    def _facts_of(self, step: Known | Scanned | Saw | Noted, *, now_s: float, at_us: int) -> list[DeviceFact]:
        match step:
            case Known():
                return [Found(device=self._device, at_us=at_us, identity=step.identity)]
            case Scanned():
                self._seen.pop(step.antenna, None)
                changes = self._presence.scanned(step.antenna, step.tags, now_s=now_s, is_whole=step.is_whole)
                if changes:
                    self._calm_since_s = now_s
                return [fact for change in changes for fact in self._facts_of_change(change, at_us)]
            case Saw():
                self._look_for_several(step, now_s)
                return []
            case Noted():
                last_s = self._noted.get(step, -inf)
                self._noted[step] = now_s
                return [self._note(step, at_us)] if now_s - last_s > QUIET_S else []

    def _look_for_several(self, saw: Saw, now_s: float) -> None:
        seen = self._seen.setdefault(saw.antenna, [])
        seen.append((now_s, saw.tags))
        at_once = frozenset[str]().union(*(tags for seen_s, tags in seen if now_s - seen_s < AT_ONCE_S))
        if len(at_once) > 1:
            self._together.append(Saw(saw.antenna, at_once))

    def _facts_of_change(self, change: Change, at_us: int) -> list[DeviceFact]:
        match change:
            case Came() | Doubled():
                return [self._tag_in(change.tag, change.antenna, at_us)]
            case Moved(is_told=True):
                return [self._tag_out(change.tag, change.from_antenna, at_us)]
            case Moved():
                # In before out: whoever counts tags never finds it nowhere.
                return [
                    self._tag_in(change.tag, change.antenna, at_us),
                    self._tag_out(change.tag, change.from_antenna, at_us),
                ]
            case Left() | Parted():
                return [self._tag_out(change.tag, change.antenna, at_us)]

    def _tag_in(self, tag: str, antenna: int, at_us: int) -> TagIn:
        return TagIn(device=self._device, at_us=at_us, tag=Sealed(tag), antenna=antenna)

    def _tag_out(self, tag: str, antenna: int, at_us: int) -> TagOut:
        return TagOut(device=self._device, at_us=at_us, tag=Sealed(tag), antenna=antenna)

    def _note(self, noted: Noted, at_us: int) -> ReaderNote:
        return ReaderNote(device=self._device, at_us=at_us, kind=noted.kind, antenna=noted.antenna, code=noted.code)

    def _rejected(self, garbage: Garbage, at_us: int) -> Rejected:
        return Rejected(device=self._device, at_us=at_us, reason=garbage.reason, n_bytes=garbage.n_bytes)

"""Where is the next frame? Sans-I/O: feed bytes as they come, take frames, and see every byte that was none.

A device's grammar is one function that looks at the start of a buffer and says `Whole`, `Partial` or `NoFrame`. The
scanner drops *one* byte of what is no frame and looks again, so a good frame after noise, after a cut frame or inside
a broken one is found all the same.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final, Generic, TypeAlias, TypeVar

from drivers.health import Tally

T = TypeVar("T")

#: Reason of garbage that began like a frame.
CUT_SHORT: Final = "frame cut short"


@dataclass(frozen=True, slots=True)
class Whole(Generic[T]):
    """The buffer begins with one whole frame, `length` bytes long."""

    frame: T
    length: int


@dataclass(frozen=True, slots=True)
class Partial:
    """What is there may become a frame; more bytes will tell."""


@dataclass(frozen=True, slots=True)
class NoFrame:
    """No frame begins here, and no further byte will change that. `reason` never holds what the bytes said."""

    reason: str


Verdict: TypeAlias = Whole[T] | Partial | NoFrame
#: Judges the start of a buffer that is never empty.
Grammar: TypeAlias = Callable[[bytes], Verdict[T]]


@dataclass(frozen=True, slots=True)
class Garbage:
    """Bytes in a row that belong to no frame; `reason` is that of the first of them."""

    reason: str
    n_bytes: int


class Scanner(Generic[T]):
    """Cuts a stream into frames and garbage, in order of arrival. Every byte fed ends up in exactly one of them.

    Frames are counted in `tally`.
    """

    def __init__(self, grammar: Grammar[T], tally: Tally | None = None) -> None:
        self._grammar = grammar
        self._tally = tally if tally is not None else Tally()
        self._buffer = bytearray()
        self._garbage_reason = ""
        self._garbage_bytes = 0

    @property
    def is_waiting(self) -> bool:
        """Part of what may be a frame has arrived, and the rest has not."""
        return bool(self._buffer)

    def feed(self, data: bytes) -> Sequence[T | Garbage]:
        """What has become certain with these bytes."""
        self._buffer += data
        return [*self._frames(), *self._take_garbage()]

    def give_up_waiting(self) -> Sequence[T | Garbage]:
        """The rest of the frame at the front will not come any more: its first byte was none of a frame."""
        if self._buffer:
            self._drop(CUT_SHORT)
        return [*self._frames(), *self._take_garbage()]

    def forget(self) -> Sequence[T | Garbage]:
        """Nothing will follow, for the wire is gone: what is left and no whole frame is garbage."""
        found: list[T | Garbage] = []
        while self._buffer:
            self._drop(CUT_SHORT)
            found += self._frames()
        return [*found, *self._take_garbage()]

    def _frames(self) -> list[T | Garbage]:
        """Whole frames, each after the garbage that stood before it."""
        found: list[T | Garbage] = []
        while self._buffer:
            verdict = self._grammar(bytes(self._buffer))
            if isinstance(verdict, Partial):
                break
            if isinstance(verdict, Whole):
                found += self._take_garbage()
                found.append(verdict.frame)
                self._tally.frames += 1
                del self._buffer[: verdict.length]
            else:
                self._drop(verdict.reason)
        return found

    def _drop(self, reason: str) -> None:
        del self._buffer[0]
        self._garbage_reason = self._garbage_reason or reason
        self._garbage_bytes += 1

    def _take_garbage(self) -> list[T | Garbage]:
        if not self._garbage_bytes:
            return []
        taken = Garbage(self._garbage_reason, self._garbage_bytes)
        self._garbage_reason, self._garbage_bytes = "", 0
        return [taken]

"""Which tag is at which antenna, from scans that flicker. Sans-I/O and without a clock: `now_s` is passed in.

One scan is what one antenna saw at one moment. A tag is *at* an antenna when enough scans there saw it; it is gone when
enough scans in a row missed it *and* enough time has passed. A scan that failed says nothing at all and is not told
here: nobody comes or goes by it. A tag that two antennas see is at the one that had it first, until that one misses it:
then it has moved, once, and was never gone in between. That a second antenna sees it as firmly is told too, and when it
does so no more. For a moment each card that is pushed from one place to the next looks like that: how long is too long
for a card, and which antennas look at one place, only the table knows.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence, Set
from dataclasses import dataclass
from typing import Final, TypeAlias


@dataclass(frozen=True, kw_only=True, slots=True)
class PresenceSettings:
    """How much a scan is believed. All are ours; the right values depend on antenna, felt and card."""

    #: Scans that must see a tag at an antenna before it is there, with fewer than `out_scans` misses in a row between.
    in_scans: int = 2
    #: Scans in a row that must miss it before it is gone from there.
    out_scans: int = 3
    #: Seconds since it was seen last, besides, before it is gone for good. A move does not wait for them.
    out_s: float = 0.8


DEFAULT_PRESENCE: Final = PresenceSettings()


@dataclass(frozen=True, slots=True, repr=False)
class Came:
    """A tag that was nowhere is at `antenna`."""

    tag: str
    antenna: int


@dataclass(frozen=True, slots=True, repr=False)
class Moved:
    """A tag went from one antenna to another, and was never gone. `is_told`: `Doubled` has named that one already."""

    tag: str
    from_antenna: int
    antenna: int
    is_told: bool = False


@dataclass(frozen=True, slots=True, repr=False)
class Left:
    """A tag that was at `antenna` is nowhere."""

    tag: str
    antenna: int


@dataclass(frozen=True, slots=True, repr=False)
class Doubled:
    """A tag that is at another antenna is seen just as firmly at `antenna`: a card between the two, or a copy of its
    tag. Said once, until `Parted` or `Moved`."""

    tag: str
    antenna: int


@dataclass(frozen=True, slots=True, repr=False)
class Parted:
    """`antenna`, which saw a tag besides the one that it is at, sees it no more."""

    tag: str
    antenna: int


Change: TypeAlias = Came | Moved | Left | Doubled | Parted


@dataclass(slots=True)
class _Sight:
    """What one antenna has seen of one tag."""

    last_s: float
    n_seen: int = 0
    n_missed: int = 0
    #: Scans of the antenna that the tag is at which saw it all the same, since this one saw it first.
    n_both: int = 0
    is_told_double: bool = False


class Presence:
    """All antennas of one reader, or of all readers that share a deck. Never prints a tag."""

    def __init__(self, settings: PresenceSettings = DEFAULT_PRESENCE) -> None:
        self._settings = settings
        #: By tag, then by antenna in the order in which they first saw it.
        self._sights: dict[str, dict[int, _Sight]] = {}
        self._where: dict[str, int] = {}

    def where(self, tag: str) -> int | None:
        """The antenna a tag is at."""
        return self._where.get(tag)

    def at(self, antenna: int) -> frozenset[str]:
        """The tags at an antenna."""
        return frozenset(tag for tag, where in self._where.items() if where == antenna)

    def scanned(self, antenna: int, tags: Set[str], *, now_s: float, is_whole: bool = True) -> Sequence[Change]:
        """What follows from one scan; in the order of the tags' names.

        `is_whole` is False for a scan that broke off: what it saw is there, what it did not see may be there too.
        """
        for tag in tags:
            sight = self._sights.setdefault(tag, {}).setdefault(antenna, _Sight(now_s))
            sight.n_seen += 1
            sight.n_missed = 0
            sight.last_s = now_s
            if self._where.get(tag) == antenna:
                for other in self._sights[tag].values():
                    other.n_both += 1
        if is_whole:
            for tag, sights in self._sights.items():
                if antenna in sights and tag not in tags:
                    sights[antenna].n_missed += 1
        return [change for tag in sorted(self._sights) for change in self._settled(tag, now_s)]

    def _settled(self, tag: str, now_s: float) -> Iterator[Change]:
        sights = self._sights[tag]
        here = self._where.get(tag)
        there = [antenna for antenna, sight in sights.items() if antenna != here and self._is_firm(sight)]
        if here is None and there:
            self._where[tag] = there[0]
            yield Came(tag, there[0])
        elif here is not None and there and self._may_have_moved(sights[here], now_s):
            self._where[tag] = there[0]
            del sights[here]
            yield Moved(tag, here, there[0], is_told=sights[there[0]].is_told_double)
            sights[there[0]].is_told_double = False
        elif here is not None and self._is_gone(tag, now_s):
            del self._where[tag]
            yield Left(tag, here)
        for antenna in there:
            if self._is_double(tag, antenna):
                sights[antenna].is_told_double = True
                yield Doubled(tag, antenna)
        yield from self._forget(tag)

    def _forget(self, tag: str) -> Iterator[Change]:
        """A tag that an antenna misses begins there anew."""
        sights, here = self._sights[tag], self._where.get(tag)
        for antenna in [number for number, sight in sights.items() if number != here and self._is_missed(sight)]:
            if sights.pop(antenna).is_told_double:
                yield Parted(tag, antenna)
        if not sights:
            del self._sights[tag]

    def _is_firm(self, sight: _Sight) -> bool:
        return sight.n_seen >= self._settings.in_scans and not sight.n_missed

    def _is_missed(self, sight: _Sight) -> bool:
        return sight.n_missed >= self._settings.out_scans

    def _is_double(self, tag: str, antenna: int) -> bool:
        """Both antennas go on seeing it; for a moment, each move looks like that."""
        sight = self._sights[tag][antenna]
        is_elsewhere = self._where.get(tag) not in (None, antenna)
        return is_elsewhere and not sight.is_told_double and sight.n_both >= self._settings.in_scans

    def _is_recent(self, sight: _Sight, now_s: float) -> bool:
        return now_s - sight.last_s < self._settings.out_s

    def _is_gone(self, tag: str, now_s: float) -> bool:
        """Nor has another antenna said of late, if only once yet, that it is there; one that saw it firmly is believed
        as long as the one that it is at."""
        here, sights = self._where[tag], self._sights[tag]
        if not self._is_missed(sights[here]) or self._is_recent(sights[here], now_s):
            return False
        others = [sight for antenna, sight in sights.items() if antenna != here]
        return all(sight.n_missed and not sight.is_told_double for sight in others)

    def _may_have_moved(self, sight: _Sight, now_s: float) -> bool:
        """The old antenna misses it, or has had no word for so long that the new one is believed alone."""
        return self._is_missed(sight) or not self._is_recent(sight, now_s)

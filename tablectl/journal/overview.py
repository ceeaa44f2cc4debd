"""What a journal is, at a glance: its volumes, its last signature, its keys and its second copy. Nothing is proved by
it; that is what `verify.py` is for."""

from __future__ import annotations

from contextlib import closing
from dataclasses import dataclass
from datetime import date, datetime
from pathlib import Path

from tablectl.core.engine.decisions import HandClosed
from tablectl.core.engine.facts import Opened
from tablectl.core.events.notes import VolumeClosed
from tablectl.core.events.stream import KeysNamed
from tablectl.core.records import kind_of
from tablectl.journal.copy import last_of
from tablectl.journal.lines import NoLine
from tablectl.journal.public_keys import BadKey, load_public
from tablectl.journal.search import Wanted, find
from tablectl.journal.signing import Witness
from tablectl.journal.store import Stored
from tablectl.journal.volumes import RETENTION_YEARS, VolumeSet


@dataclass(frozen=True, kw_only=True, slots=True)
class Volume:
    """A file of a journal: its first and last record, their days, and until when it is kept at least. Of one that has
    no record yet, `last` is 0 and the days are empty."""

    number: int
    path: Path
    first: int
    last: int
    since: str
    until: str
    is_closed: bool
    keep_until: str


@dataclass(frozen=True, kw_only=True, slots=True)
class Signed:
    """The newest signed record. `is_good`: by the key in the file beside the journal; None where there is none."""

    seq: int
    at: str
    is_good: bool | None


@dataclass(frozen=True, kw_only=True, slots=True)
class Copied:
    """How far the second copy is. `is_same`: its last record is the journal's; `wrong` says why it could not be
    read."""

    path: Path
    last: int
    is_same: bool
    wrong: str = ""


@dataclass(frozen=True, kw_only=True, slots=True)
class Overview:
    """`earlier` volumes are not here: in an archive, it is to be hoped. `named_key` is the public key that a
    start names, `published_key` the one in the file beside the journal, raw; `is_demo`: nobody guarded it.
    `last_closed`: the newest hand that is over, 0 where none is; `at` is the time of the newest record, `head` its hash
    in hexadecimal digits."""

    volumes: tuple[Volume, ...]
    earlier: int
    newest: int
    hand: int
    last_closed: int
    at: str
    head: str
    signed: Signed | None
    copy: Copied | None
    named_key: bytes | None
    sealing_fingerprint: str
    published_key: bytes | None
    is_demo: bool


def volumes_of(volume_set: VolumeSet) -> tuple[Volume, ...]:
    """Each volume that is there, in order. Raises `JournalUnusable`."""
    found = []
    for number, store in volume_set.numbered.items():
        first, last = next(store.records(), None), next(store.newest_first(), None)
        begins, ends = None if first is None else first.decoded(), None if last is None else last.decoded()
        found.append(
            Volume(
                number=number,
                path=store.path,
                first=0 if first is None else first.seq,
                last=0 if last is None else last.seq,
                since="" if begins is None else begins.at[:10],
                until="" if ends is None else ends.at[:10],
                is_closed=ends is not None and isinstance(ends.event, VolumeClosed),
                keep_until="" if ends is None else kept_until(ends.at),
            )
        )
    return tuple(found)


def kept_until(at: str) -> str:
    """The day until which a volume that ends at this time is kept at least."""
    ended = datetime.fromisoformat(at).date()
    year = ended.year + RETENTION_YEARS
    return str(date(year, 3, 1) if (ended.month, ended.day) == (2, 29) else ended.replace(year=year))


def overview(journal: Path, copy: Path, public_key: Path | None) -> Overview:
    """Raises `JournalUnusable`; `UnreadableRecord` where somebody changed an end of the journal."""
    published = _published(public_key)
    with closing(VolumeSet(journal)) as volume_set:
        newest = next(volume_set.newest_first(), None)
        boundary = volume_set.last_boundary()
        keys = _keys(volume_set, journal)
        return Overview(
            volumes=volumes_of(volume_set),
            earlier=min(volume_set.numbered) - 1,
            newest=0 if newest is None else newest.seq,
            hand=0 if newest is None else newest.hand,
            last_closed=0 if boundary == 0 else _closed_at(volume_set, boundary),
            at="" if newest is None else newest.decoded().at,
            head="" if newest is None else newest.hash.hex(),
            signed=_signed(volume_set, published),
            copy=_copied(copy, volume_set),
            named_key=None if keys is None else bytes.fromhex(keys.signing),
            sealing_fingerprint="" if keys is None else keys.sealing,
            published_key=published,
            is_demo=keys is not None and keys.demo,
        )


def _closed_at(volume_set: VolumeSet, boundary: int) -> int:
    """The hand that a boundary ends; one that begins a volume carries the hand before over."""
    found = next(volume_set.records(after=boundary - 1))
    closes = any(isinstance(decision, HandClosed) for decision in found.decoded().decisions)
    return found.hand if closes else found.hand - 1


def _published(path: Path | None) -> bytes | None:
    try:
        return None if path is None else load_public(path)
    except BadKey:
        return None


def _keys(volume_set: VolumeSet, journal: Path) -> KeysNamed | None:
    """What a start says of the table's keys, which are the same in all of a journal: the first record, or where that is
    in an archive the newest start; None where none is found within a search."""
    first = next(volume_set.records(), None)
    keys = None if first is None else first.decoded().keys
    if keys is None:
        starts = find(journal, Wanted(kinds=frozenset((kind_of(Opened),))), most=1).hits
        keys = starts[0].record.keys if starts and starts[0].record is not None else None
    return keys


def _signed(volume_set: VolumeSet, published: bytes | None) -> Signed | None:
    newest = next((stored for stored in volume_set.newest_first() if stored.signature is not None), None)
    if newest is None:
        return None
    return Signed(seq=newest.seq, at=newest.decoded().at, is_good=_is_good(newest, published))


def _is_good(stored: Stored, published: bytes | None) -> bool | None:
    if published is None or stored.signature is None:
        return None
    return Witness(published).confirms(stored.seq, stored.hash, stored.signature)


def _copied(copy: Path, volume_set: VolumeSet) -> Copied | None:
    try:
        last = last_of(copy)
    except FileNotFoundError:
        return None
    except (OSError, NoLine) as wrong:
        return Copied(path=copy, last=0, is_same=False, wrong=str(wrong))
    if last is None:
        return None
    ours = next(volume_set.records(after=last.seq - 1), None)
    return Copied(path=copy, last=last.seq, is_same=ours is not None and ours.hash == last.hash)

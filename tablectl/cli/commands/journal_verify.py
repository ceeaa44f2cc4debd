"""`tablectl journal verify`: a journal, its second copy, or the public stream that somebody kept."""

from __future__ import annotations

import argparse
import importlib
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import closing, suppress
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Final, TextIO

from tablectl.cli.commands.journal_end import is_at_end, is_end_good, sockets_of, tell_changed_end
from tablectl.cli.status import WrongUsage
from tablectl.core.os_error_text import told
from tablectl.i18n.pluralize import pluralize
from tablectl.journal.copy import copies, read_copy
from tablectl.journal.file_magic import was_journal
from tablectl.journal.given import Given
from tablectl.journal.lines import NoLine, parse
from tablectl.journal.proofs import check_proofs
from tablectl.journal.public_keys import load_public, whole_fingerprint
from tablectl.journal.receipts import check_all
from tablectl.journal.rollback import Rollback, rollbacks_in
from tablectl.journal.signed_head import SignedHead, heads_in
from tablectl.journal.signing import Witness
from tablectl.journal.store import BEGINNING, JournalUnusable, NotOurs, Position, Stored
from tablectl.journal.tilt import TiltKind
from tablectl.journal.verify import Fault, Verdict, Wrong, row
from tablectl.journal.verify_all import verify_all, verify_readable
from tablectl.journal.verify_full import gap_of, hold_against
from tablectl.journal.verify_lines import lines_begin
from tablectl.journal.volumes import VolumeMissing, VolumeSet, volumes
from tablectl.journal.witnessed import check_heads
from tablectl.notifications.appending import NotKept

if TYPE_CHECKING:
    from tablectl.notifications.timestamps import Stamped

_DIGEST_BYTES: Final = 32
_SQLITE: Final = b"SQLite format 3\0"
_RIGHT: Final = "the path of a journal, as `journal.path` names it, of its copy, or of stream lines"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """A journal and what it is held against."""
    parser.add_argument("db", metavar="FILE", type=Path, help="the journal's first file, its copy, or stream lines")
    parser.add_argument("--copy", type=Path, metavar="FILE", help="the second copy (default: FILE with .copy)")
    parser.add_argument(
        "--socket",
        type=Path,
        metavar="SOCKET",
        help="the running controller's, which confirms an end that is not signed yet (default: as the service says it)",
    )
    parser.add_argument("--key", type=Path, metavar="PEM", help="the table's public key, from a source you trust")
    parser.add_argument(
        "--pit-key",
        type=Path,
        metavar="PEM",
        help="the pit server's public key: its receipts in the journal are checked too",
    )
    parser.add_argument(
        "--witness",
        type=Path,
        metavar="FILE",
        help="heads that left the machine, in any text: whether the journal still has each of them",
    )
    parser.add_argument(
        "--timestamp-authority",
        type=Path,
        metavar="PEM",
        help="certificates of the authority whose time stamps stand beside the heads: these are checked too",
    )
    digest = "64 hexadecimal digits"
    parser.add_argument(
        "--fingerprint", type=_digest, metavar="DIGITS", help=f"the key's, as the house published it: {digest}"
    )
    parser.add_argument("--last", type=int, metavar="N", help="the number of the last record, as somebody noted it")
    parser.add_argument("--last-hash", type=_digest, metavar="DIGITS", help=f"its hash: {digest}")
    parser.add_argument(
        "--follows",
        type=_digest,
        metavar="DIGITS",
        help=f"of stream lines that begin inside a journal, the hash before their first one: {digest}",
    )
    parser.add_argument("--progress", action="store_true", help="say how far it came, on the error output")


def _digest(text: str) -> bytes:
    """A SHA-256 as somebody types it. Raises `ValueError`."""
    made = bytes.fromhex(text)
    if len(made) != _DIGEST_BYTES:
        raise ValueError(text)
    return made


class Progress:
    """Says how far a verification came: `progress journal 2560 of 100000`, a line for each hundredth part at most."""

    def __init__(self, out: TextIO | None) -> None:
        self._out = out
        self._what, self._before, self._records, self._parts = "", 0, 0, 0

    def begin(self, what: str, before: int, last: int) -> None:
        """Records after `before` up to `last` are looked at now."""
        self._what, self._before, self._records, self._parts = what, before, last - before, 0
        self(before)

    def __call__(self, seq: int) -> None:
        """It came to this record."""
        done = min(seq - self._before, self._records)
        parts = 1 + (100 * done // self._records if self._records else 100)
        if self._out is not None and parts > self._parts:
            self._parts = parts
            self._out.write(f"progress {self._what} {done} of {self._records}\n")
            self._out.flush()


def main(args: argparse.Namespace) -> int:
    """Exit status 0 intact, 1 not intact, with an end that nobody confirms or without the receipts that were asked for,
    2 unreadable. Raises `BadKey`."""
    key = load_public(args.key) if args.key is not None else None
    pit = Witness(load_public(args.pit_key)) if args.pit_key is not None else None
    path: Path = args.db
    copy: Path = args.copy if args.copy is not None else path.with_suffix(".copy")
    told = Progress(sys.stderr if args.progress else None)
    given = Given(fingerprint=args.fingerprint, last=args.last, last_hash=args.last_hash, follows=args.follows)
    heads, stamps = _heads(args.witness), _stamps(args.witness, args.timestamp_authority)
    looking = _Looking(key, args.socket, told, given, _Witnesses(pit=pit, heads=heads, stamps=stamps))
    status = _looked_at(path, lambda: looking.by_itself(path))
    is_bad = status == 1
    is_end_good = looking.is_end_good
    if copy == path or (status == 0 and not _is_database(path)):
        return status or int(not is_end_good)
    if status == 0:
        status = _looked_at(copy, lambda: _compared(path, copy, told, is_named=args.copy is not None))
        if status == 0:
            return int(not is_end_good)
    _looked_at(copy, lambda: looking.copy_too(copy, is_missed=is_bad))
    return status


def _heads(path: Path | None) -> tuple[SignedHead, ...] | None:
    """Those of a witness. Raises `WrongUsage` where there are none."""
    if path is None:
        return None
    try:
        heads = tuple(heads_in(path.read_text(encoding="utf-8", errors="replace")))
    except OSError as wrong:
        raise WrongUsage(told(wrong, "a text with lines `tablectl head …`", wrong.filename or path)) from None
    if not heads:
        raise WrongUsage(f"{path}: no head of a table in it; would be right: a text with lines `tablectl head …`")
    return heads


def _stamps(path: Path | None, authority: Path | None) -> tuple[Stamped, ...] | None:
    """The time stamps beside these heads. Raises `WrongUsage`."""
    if authority is None:
        return None
    if path is None:
        raise WrongUsage("--timestamp-authority goes with --witness: the file with the time stamps")
    # Loaded where somebody asks for it.
    timestamps = importlib.import_module("tablectl.notifications.timestamps")
    try:
        return tuple(timestamps.stamped_in(path.read_text(encoding="utf-8", errors="replace"), authority))
    except NotKept as wrong:
        raise WrongUsage(str(wrong)) from None


def _looked_at(path: Path, look: Callable[[], int]) -> int:
    """The exit status of what was looked at; what cannot be read is told."""
    try:
        return look()
    except BrokenPipeError:
        raise  # not the file's fault: whoever reads our output has seen enough
    except OSError as wrong:
        raise WrongUsage(f"{told(wrong, _RIGHT, wrong.filename or path)}") from None
    except (NoLine, VolumeMissing) as wrong:
        if isinstance(wrong, NoLine) and not was_journal(path):
            return _no_journal(path)
        print(f"{path}: NOT INTACT: {wrong}")
        return 1
    except JournalUnusable as wrong:
        raise WrongUsage(str(wrong)) from None


def _no_journal(path: Path) -> int:
    raise WrongUsage(f"{path}: this is no journal, nor the rest of one; would be right: {_RIGHT}")


def _is_database(path: Path) -> bool:
    first, *_ = (*volumes(path), path)  # the first volumes may be in an archive
    with first.open("rb") as file:
        return file.read(len(_SQLITE)) == _SQLITE


@dataclass(frozen=True, kw_only=True, slots=True)
class _Witnesses:
    """`pit`: knows the key of the pit server whose receipts are looked at; `heads`: those that left the machine, and
    the time `stamps` beside them."""

    pit: Witness | None
    heads: tuple[SignedHead, ...] | None
    stamps: tuple[Stamped, ...] | None


class _Looking:
    """One verification: with which key, whom to ask about an open end, and whether the end was good. `given` and
    `witnesses`: what the records are held against."""

    def __init__(
        self,
        key: bytes | None,
        socket: Path | None,
        progress: Progress,
        given: Given,
        witnesses: _Witnesses,
    ) -> None:
        self._key = key
        self._heads = witnesses.heads
        self._stamps = witnesses.stamps
        self._given = given
        self._pit = witnesses.pit
        self._socket = socket
        self._progress = progress
        #: of what was looked at last
        self.is_end_good = True

    def by_itself(self, path: Path) -> int:
        """A journal, or lines."""
        return self._database(path) if _is_database(path) else self._lines(path)

    def copy_too(self, copy: Path, *, is_missed: bool) -> int:
        """Where something is wrong, each of both is told by itself: one of them may be right."""
        if copies(copy):
            return self._lines(copy)
        if is_missed:
            print(f"{copy}: there is no second copy")
        return 0

    def _database(self, path: Path) -> int:
        try:
            with closing(VolumeSet(path)) as volume_set:
                return self._shelf(path, volume_set)
        except JournalUnusable as wrong:
            if isinstance(wrong, VolumeMissing | NotOurs) or wrong.kind is not TiltKind.DAMAGED:
                raise
        verdict, start = verify_readable(path, key=self._key)
        return self._told(path, verdict, start, ())

    def _shelf(self, path: Path, volume_set: VolumeSet) -> int:
        start = volume_set.stores[0].follows
        self._progress.begin("journal", start.seq, volume_set.stores[-1].newest)
        is_damaged = _is_damaged(volume_set)
        verdict = verify_all(volume_set, key=self._key, told=self._progress)
        if is_damaged and verdict.fault is None:
            print(f"{path}: each of its {verdict.records} records is good by itself")
            return 1
        status = self._told(path, verdict, start, volume_set.records(after=verdict.end.seq))
        return status or self._beside_told(verdict, volume_set.records)

    def _lines(self, path: Path) -> int:
        records = _all_lines(path)
        try:
            first = next(records, None)
        except NoLine as wrong:
            if not was_journal(path):
                raise
            print(f"{path}: NOT INTACT: {Fault(seq=_first_number(path), wrong=Wrong.DAMAGED, what=str(wrong))}")
            return 1
        if first is None:
            if not was_journal(path):
                return _no_journal(path)
            print(f"{path}: no record in it")
            return 1
        begin = lines_begin(first, self._key, self._given.follows)
        if begin.fault is not None:
            print(f"{path}: NOT INTACT: {begin.fault}")
            return 1
        verification = begin.verification(with_boxes=_has_boxes(path))
        try:
            verification.take(map(row, begin.to_verify(records)))
        except NoLine as wrong:
            verification.damaged(str(wrong))
        verdict = verification.verdict()
        status = self._told(path, verdict, begin.start, _readable_lines(path))
        return status or self._beside_told(verdict, lambda: _all_lines(path))

    def _beside_told(self, verdict: Verdict, records: Callable[[], Iterable[Stored]]) -> int:
        """Of a journal that is intact in itself: what it says, and others say, of records that it does not have."""
        rollbacks = rollbacks_in(records())
        for rollback in rollbacks:
            print(f"{'':2}{_rollback_told(rollback)}")
        is_open = any(rollback.accepted is None for rollback in rollbacks)
        told = (self._heads_told(verdict, records, rollbacks), self._receipts_told(records), _proofs_told(records))
        return max(*told, int(is_open))

    def _heads_told(
        self, verdict: Verdict, records: Callable[[], Iterable[Stored]], rollbacks: tuple[Rollback, ...]
    ) -> int:
        """Whether it has every head that left the machine."""
        if self._heads is None:
            return 0
        checked = check_heads(self._heads, verdict.public_key or b"", records, rollbacks)
        if checked.foreign:
            print(f"{'':2}{pluralize(checked.foreign, 'head')} that the key of this journal did not sign")
        if checked.unseen:
            print(f"{'':2}{pluralize(checked.unseen, 'head')} about records before these: not looked at here")
        if checked.accepted:
            print(f"{'':2}{pluralize(checked.accepted, 'head')} not in this journal, which was accepted (above)")
        if checked.fault:
            print(f"{'':2}NOT AS THE WITNESS HAS IT: {checked.fault}")
            return 1
        if not checked.good:
            print(f"{'':2}NO HEAD about these records: the witness is of another table, or of another time")
            return 1
        newest = f"the newest is record {checked.newest}"
        print(f"{'':2}{pluralize(checked.good, 'head')} of the witness, as this journal has them; {newest}")
        return max(int(checked.foreign > 0), self._stamps_told())

    def _stamps_told(self) -> int:
        """When a service saw the heads that this journal has."""
        if self._stamps is None:
            return 0
        bad = next((stamped for stamped in self._stamps if stamped.why), None)
        if bad is not None:
            print(f"{'':2}BAD TIME STAMP of record {bad.head.seq}: {bad.why}")
            return 1
        if not self._stamps:
            print(f"{'':2}NO TIME STAMP beside these heads")
            return 1
        newest = max(self._stamps, key=lambda stamped: stamped.at)
        count = pluralize(len(self._stamps), "time stamp")
        print(f"{'':2}{count}, the newest: record {newest.head.seq} was signed at {newest.at}, or before")
        return 0

    def _receipts_told(self, records: Callable[[], Iterable[Stored]]) -> int:
        """Of a journal that is intact in itself: whether it is the one that the pit server received."""
        if self._pit is None:
            return 0
        checked = check_all(self._pit, records)
        if checked.fault:
            print(f"{'':2}NOT AS THE PIT SERVER HAS IT: {checked.fault}")
            return 1
        if checked.unseen:
            print(f"{'':2}{pluralize(checked.unseen, 'receipt')} about records before these: not looked at here")
        if checked.newest is None:
            print(f"{'':2}NO RECEIPT of this pit server about these records: ask it whether it has them (pit verify)")
            return 1
        print(
            f"{'':2}{pluralize(checked.good, 'receipt')} of the pit server, the newest of {checked.newest.at}: it has"
            f" every record up to {checked.newest.seq} as it is here"
        )
        return 0

    def _told(self, path: Path, verdict: Verdict, start: Position, records: Iterable[Stored]) -> int:
        if verdict.fault is not None:
            print(f"{path}: NOT INTACT: {verdict.fault}")
            before = pluralize(verdict.records, "record")
            print(f"{before} before it {'is' if verdict.records == 1 else 'are'} good; nothing after it can be trusted")
            if verdict.fault.wrong is not Wrong.DAMAGED and is_at_end(verdict.fault.seq, records):
                tell_changed_end(max(verdict.signed_to, start.seq))
            return 1
        if (difference := self._given.difference(verdict)) is not None:
            print(f"{path}: NOT WHAT WAS GIVEN: {difference}")
            return 1
        print(
            f"{path}: intact: {pluralize(verdict.records, 'record')}, {pluralize(verdict.hands, 'closed hand')}, "
            f"{pluralize(verdict.reveals, 'revealed card')} as committed, {pluralize(verdict.signatures, 'signature')}"
        )
        if start != BEGINNING:
            print(f"{'':2}begins after record {start.seq}: what was before is not looked at here")
        self.is_end_good = is_end_good(verdict, start, sockets_of(path, self._socket))
        if verdict.public_key is not None and verdict.signatures:
            known = "the key that was given" if self._key is not None else "compare it with the one the house published"
            print(f"{'':2}signed with {whole_fingerprint(verdict.public_key)} ({known})")
        if verdict.is_demo:
            print(f"{'':2}DEMO KEY: anybody could have written and signed this; no evidence of a real table")
        return 0


def _proofs_told(records: Callable[[], Iterable[Stored]]) -> int:
    """Of a journal that is intact in itself: whether what was signed with passkeys was signed by whoever is named."""
    checked = check_proofs(records)
    if checked.fault:
        print(f"{'':2}NOT SIGNED BY THAT PASSKEY: {checked.fault}")
        return 1
    if checked.good:
        print(f"{'':2}{pluralize(checked.good, 'action')} signed with a passkey of whoever is named")
    if checked.unseen:
        print(f"{'':2}{pluralize(checked.unseen, 'action')} signed with a passkey from before these records")
    return 0


def _rollback_told(rollback: Rollback) -> str:
    about = f"record {rollback.seq}: PUT BACK: this table had signed record {rollback.to_seq}, which is not here"
    accepted = rollback.accepted
    if accepted is None:
        return f"{about} (found {rollback.at}); nobody accepted it"
    who = " and ".join(filter(None, (accepted.by, accepted.second)))
    return f"{about}; accepted by {who} (record {rollback.accepted_seq}): {accepted.reason or 'without a reason'}"


def _is_damaged(volume_set: VolumeSet) -> bool:
    """Told of each volume; the records are looked at all the same."""
    found = [(store.path, store.damage()) for store in volume_set.stores]
    for path, damage in found:
        if damage is not None:
            print(f"{path}: NOT INTACT: {damage}")
    return any(damage is not None for _, damage in found)


def _compared(path: Path, copy: Path, told: Progress, *, is_named: bool) -> int:
    if not copies(copy):
        print(f"{copy}: there is no second copy: that the journal's end was not cut off, nobody can say")
        return _told_missing(path, copy) if is_named else 0
    with closing(VolumeSet(path)) as volume_set:
        told.begin("copy", volume_set.stores[0].follows.seq, volume_set.stores[-1].newest)
        found = hold_against(volume_set, copy, told=told)
        gap = gap_of(volume_set, found.last)
    if found.fault is not None:
        print(f"{copy}: JOURNAL AND COPY DIFFER: {found.fault}")
        if found.fault.wrong is Wrong.TRUNCATED:
            print(f"{'':2}changed end: the table wrote more records than the journal has")
        return 1
    behind = "" if gap is None else f", {gap.records} behind the journal"
    print(f"{copy}: the same up to record {found.last}{behind}")
    if found.start != BEGINNING:
        print(f"{'':2}compared from after record {found.start.seq}: what was before is not in both")
    if gap is not None and (why := gap.too_much) is not None:
        lacks = (
            f"records {found.last + 1} to {found.last + gap.records}" if gap.records > 1 else f"record {found.last + 1}"
        )
        print(f"{copy}: THE COPY IS NOT COMPLETE: it lacks {lacks}: {why}")
        return 1
    return 0


def _told_missing(path: Path, copy: Path) -> int:
    """A copy that was named and is gone is as bad as one that is not complete. Of a table that runs, or crashed, nobody
    can say that it had one; and one that was not named may lie on another disk."""
    with closing(VolumeSet(path)) as volume_set:
        gap = gap_of(volume_set, volume_set.stores[0].follows.seq)
    if gap is None or not gap.is_orderly:
        return 0
    print(f"{copy}: THE COPY IS GONE: {gap.too_much}")
    return 1


def _all_lines(path: Path) -> Iterator[Stored]:
    return chain.from_iterable(map(read_copy, copies(path)))


def _first_number(path: Path) -> int:
    """Which record the first line should be, by the first line that is one: of a file that begins inside a journal it
    is not the first record. 1 where no line is one."""
    with path.open("rb") as file:
        for before, text in enumerate(file):
            with suppress(NoLine):
                return max(1, parse(text.rstrip(b"\n")).seq - before)
    return 1


def _readable_lines(path: Path) -> Iterator[Stored]:
    """Up to the first line that is none."""
    with suppress(NoLine):
        yield from _all_lines(path)


def _has_boxes(path: Path) -> bool:
    """Whether this is a second copy, with the sealed parts, or the public stream."""
    return any(line.sealed is not None for line in _readable_lines(path))

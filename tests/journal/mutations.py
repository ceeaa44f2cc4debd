"""Everything that can be changed in a small journal, in its second copy and in the bundle of a hand, one thing at a
time, and who finds it.

`python -m tests.journal.mutations` makes all of them in journal and copy and prints how many of each kind there were,
and as what they were found; `--quick` makes those of the quick tests. `--flips` turns every single bit of the journal's
file instead, one after the other, and says how a verification in this process ended: each has to end in a sentence.
What is done to a bundle is looked at in `tests/evidence/test_changed_bundles.py`, by whoever checks one.
"""

from __future__ import annotations

import copy
import io
import random
import re
import sys
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import redirect_stderr, redirect_stdout
from dataclasses import dataclass, replace
from itertools import combinations
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final, TypeAlias

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from tablectl.cli.main import main as tablectl_main
from tablectl.journal.copy import parsed
from tablectl.journal.lines import NoLine, line, line_with_box, parse
from tablectl.journal.signing import Signer
from tablectl.journal.store import BEGINNING, Position, Stored, chained
from tablectl.journal.verify import Fault, Row, Verification, Wrong, compare, row
from tests.journal.journals import SIGNER, WHOLE_HAND, in_memory, records, written

FORGER: Final = Signer(Ed25519PrivateKey.from_private_bytes(bytes(range(64, 96))))
SEQ, HAND, BOUNDARY, PUBLIC, HASH, SIGNATURE, SEALED = range(7)
FIELDS: Final = {
    PUBLIC: ("public form", Wrong.CHANGED),
    HASH: ("hash", Wrong.CHANGED),
    SIGNATURE: ("signature", Wrong.OTHER_KEY),
    SEALED: ("sealed part", Wrong.CHANGED),
}
NUMBERS: Final = {SEQ: "number", HAND: "hand", BOUNDARY: "mark"}
BITS: Final = 64
#: A line of the copy that cannot be read: told with the line's number, which is the record's.
UNREADABLE: Final = "unreadable line"
#: A record's position and what is told to be wrong there.
Told: TypeAlias = tuple[int, str]


@dataclass(frozen=True, kw_only=True, slots=True)
class Mutation:
    """From the record `index` on (from 0) there stands `rows`; `wrong` has to be told of the record `seq`."""

    of: str
    index: int
    rows: Sequence[Row]
    seq: int
    wrong: tuple[str, ...]


@dataclass(frozen=True, kw_only=True, slots=True)
class CopyMutation:
    """From the line `index` on (from 0) there stands `text` in the copy."""

    of: str
    index: int
    text: Sequence[bytes]
    seq: int
    wrong: tuple[str, ...]


# --- what can be done to a journal ----------------------------------------------------------------------------------


def flips(field: bytes, *, every_bit: bool) -> Iterator[bytes]:
    """A field with one bit of it turned: each bit, or one of each byte."""
    for at in range(len(field)):
        for bit in range(8) if every_bit else (at % 8,):
            yield field[:at] + bytes([field[at] ^ (1 << bit)]) + field[at + 1 :]


def with_field(rows: Sequence[Row], index: int, field: int, value: object) -> tuple[Row, ...]:
    """The rows from an index on, one field of the first one changed."""
    changed = list(rows[index])
    changed[field] = value
    return (tuple(changed), *rows[index + 1 :])


def numbered(rows: Sequence[Row], first: int) -> tuple[Row, ...]:
    """Rows whose numbers count on from `first`."""
    return tuple((first + at, *pair[1:]) for at, pair in enumerate(rows))


def of_fields(rows: Sequence[Row], *, every_bit: bool) -> Iterator[Mutation]:
    """Each bit of each field; what is there taken away, what is not there put there."""
    for index, pair in enumerate(rows):
        seq = index + 1
        for field, (name, wrong) in FIELDS.items():
            if pair[field] is None:
                continue
            for value in flips(pair[field], every_bit=every_bit):
                changed = with_field(rows, index, field, value)
                yield Mutation(of=f"bit of the {name}", index=index, rows=changed, seq=seq, wrong=(wrong,))
        for field, name in NUMBERS.items():
            for bit in range(BITS):
                number = int(pair[field]) ^ (1 << bit)
                number -= (number >> (BITS - 1)) << BITS  # as the file holds it: two's complement
                changed = with_field(rows, index, field, number)
                yield Mutation(of=f"bit of the {name}", index=index, rows=changed, seq=seq, wrong=(Wrong.CHANGED,))
        yield from _there_or_not(rows, index)


def _there_or_not(rows: Sequence[Row], index: int) -> Iterator[Mutation]:
    seq, signature, sealed = index + 1, rows[index][SIGNATURE], rows[index][SEALED]
    for name, field, there, wrong, value in (
        ("signature", SIGNATURE, signature, Wrong.UNSIGNED, SIGNER.sign(seq, rows[index][HASH])),
        ("sealed part", SEALED, sealed, Wrong.CHANGED, bytes(83)),
    ):
        of = f"{name} taken away" if there is not None else f"{name} put where there was none"
        wrongs = (wrong if there is not None else Wrong.CHANGED,)
        changed = with_field(rows, index, field, None if there is not None else value)
        yield Mutation(of=of, index=index, rows=changed, seq=seq, wrong=wrongs)


def of_order(rows: Sequence[Row]) -> Iterator[Mutation]:
    """Records dropped, swapped, put twice; with their numbers, or with the numbers of the place where they stand."""
    n = len(rows)
    for first, after in combinations(range(n), 2):  # a drop at the end is a truncation
        rest = rows[after:]
        yield Mutation(of="dropped", index=first, rows=rest, seq=first + 1, wrong=(Wrong.MISSING,))
        yield Mutation(
            of="dropped, the rest moved up",
            index=first,
            rows=numbered(rest, first + 1),
            seq=first + 1,
            wrong=(Wrong.REORDERED,),
        )
    for one, other in combinations(range(n), 2):
        swapped = list(rows[one:])
        swapped[0], swapped[other - one] = swapped[other - one], swapped[0]
        yield Mutation(of="swapped", rows=tuple(swapped), index=one, seq=one + 1, wrong=(Wrong.REORDERED,))
        yield Mutation(
            of="swapped under each other's number",
            index=one,
            rows=numbered(swapped, one + 1),
            seq=one + 1,
            wrong=(Wrong.REORDERED,),
        )
    for which in range(n):
        for first in {*range(n + 1)} - {which}:  # once more in front of this one; in front of itself is after itself
            rest = (rows[which], *rows[first:])
            yield Mutation(of="put twice", index=first, rows=rest, seq=first + 1, wrong=(Wrong.REORDERED,))
            yield Mutation(
                of="put twice, the rest moved down",
                index=first,
                rows=numbered(rest, first + 1),
                seq=first + 1,
                wrong=(Wrong.REORDERED,),
            )


def chained_anew(stored: Sequence[Stored], first: int, signer: Signer | None, *, sign: bool = True) -> list[Stored]:
    """As somebody writes it who computes every hash again from the record `first` on (from 0).

    `signer` is the key he has; without one the old signatures stay, or (`sign` false) go.
    """
    made = list(stored[:first])
    before = made[-1].hash if made else BEGINNING.hash
    for record in stored[first:]:
        before = chained(before, record.public)
        signature = record.signature
        if signature is not None and not sign:
            signature = None
        elif signature is not None and signer is not None:
            signature = signer.sign(record.seq, before)
        made.append(replace(record, hash=before, signature=signature))
    return made


def told_otherwise(stored: Stored) -> Stored:
    """The same record with another hour."""
    other = re.sub(rb'"at":"([0-9-]+)T00', rb'"at":"\1T01', stored.public, count=1)
    assert other != stored.public
    return replace(stored, public=other)


def rewritten(stored: Sequence[Stored], first: int, signer: Signer | None, *, sign: bool = True) -> list[Stored]:
    """One record told otherwise, and the whole chain after it computed anew."""
    changed = [*stored[:first], told_otherwise(stored[first]), *stored[first + 1 :]]
    return chained_anew(changed, first, signer, sign=sign)


def of_forgers(stored: Sequence[Stored]) -> Iterator[Mutation]:
    """A chain that fits, from each record on, by somebody who does not have the table's key."""
    for first in range(len(stored)):
        signed = next(record.seq for record in stored[first:] if record.signature is not None)
        for of, made, wrong in (
            ("chained anew without a key", rewritten(stored, first, None), Wrong.OTHER_KEY),
            ("chained anew, signatures taken away", rewritten(stored, first, None, sign=False), Wrong.UNSIGNED),
            ("chained anew with another key", rewritten(stored, first, FORGER), Wrong.OTHER_KEY),
        ):
            yield Mutation(
                of=of, index=first, rows=[row(record) for record in made[first:]], seq=signed, wrong=(wrong,)
            )


def of_journal(stored: Sequence[Stored], *, every_bit: bool) -> Iterator[Mutation]:
    """All of them that a journal shows by itself."""
    rows = [row(record) for record in stored]
    yield from of_fields(rows, every_bit=every_bit)
    yield from of_order(rows)
    yield from of_forgers(stored)


# --- what can be done to journal and copy ---------------------------------------------------------------------------


def of_copy(stored: Sequence[Stored], *, every_bit: bool) -> Iterator[CopyMutation]:
    """Each bit of each line; lines dropped, swapped, put twice; a copy that goes on in its own way."""
    lines = [line_with_box(record) + b"\n" for record in stored]
    n = len(lines)
    changed = (Wrong.CHANGED, UNREADABLE)
    for index, text_line in enumerate(lines):
        rest = lines[index + 1 : index + 2]
        # The end of the last line turned makes a torn line: `of_torn_ends`.
        bits = flips(text_line if rest else text_line[:-1], every_bit=every_bit)
        for other in bits:
            text = io.BytesIO(b"".join([other, *rest]) if rest else other + b"\n").readlines()
            text += lines[index + 2 :]
            yield CopyMutation(of="bit of a line of the copy", index=index, text=text, seq=index + 1, wrong=changed)
    for first, after in combinations(range(n), 2):
        rest = lines[after:]
        yield CopyMutation(
            of="lines of the copy dropped", index=first, text=rest, seq=first + 1, wrong=(Wrong.MISSING,)
        )
    for one, other_line in combinations(range(n), 2):
        swapped = list(lines[one:])
        swapped[0], swapped[other_line - one] = swapped[other_line - one], swapped[0]
        yield CopyMutation(
            of="lines of the copy swapped", index=one, text=swapped, seq=one + 1, wrong=(Wrong.REORDERED,)
        )
    for which in range(n):
        for first in {*range(n + 1)} - {which}:
            text = [lines[which], *lines[first:]]
            yield CopyMutation(
                of="line of the copy put twice", index=first, text=text, seq=first + 1, wrong=(Wrong.REORDERED,)
            )
    for first in range(n):
        forked = [line_with_box(record) + b"\n" for record in rewritten(stored, first, SIGNER)[first:]]
        yield CopyMutation(
            of="forked, both chains fit and are signed", index=first, text=forked, seq=first + 1, wrong=(Wrong.FORKED,)
        )


def truncated(stored: Sequence[Stored]) -> Iterator[tuple[Told, Told | None]]:
    """The journal cut after each record, before its copy: what has to be told, and what is told."""
    for n in range(len(stored)):
        fault = compare(stored[:n], stored)
        yield (n + 1, Wrong.TRUNCATED), (fault.seq, fault.wrong) if fault is not None else None


# --- what can be done to a bundle -----------------------------------------------------------------------------------


@dataclass(frozen=True, kw_only=True, slots=True)
class Bundle:
    """What somebody checks of a hand: its records as lines, and what he was given separately."""

    records: bytes
    fingerprint: str
    last: int
    last_hash: str


@dataclass(frozen=True, kw_only=True, slots=True)
class BundleChange:
    """A bundle that is not as it was made any more: in its records, or in what somebody was given."""

    of: str
    bundle: Bundle


def of_ends(good: Bundle) -> Iterator[BundleChange]:
    """The records cut after each line and inside of the last one, one more of them, and no signature at the end."""
    lines = good.records.splitlines(keepends=True)
    for kept in range(len(lines)):
        yield BundleChange(of="end cut off", bundle=replace(good, records=b"".join(lines[:kept])))
    for cut in range(1, len(lines[-1])):
        yield BundleChange(of="last line torn", bundle=replace(good, records=good.records[:-cut]))
    yield BundleChange(of="a record appended", bundle=replace(good, records=good.records + _one_more(lines[-1])))
    for at, text in enumerate(lines):
        if b',"signature":"' in text:
            bare = text[: text.rindex(b',"signature":"')] + b"}\n"
            records = b"".join([*lines[:at], bare, *lines[at + 1 :]])
            yield BundleChange(of="signature taken away", bundle=replace(good, records=records))


def _one_more(text: bytes) -> bytes:
    """A record that follows from this one, without a signature: whoever appends needs no key for it."""
    last = parse(text.rstrip(b"\n"))
    public = re.sub(rb'"seq":[0-9]+', f'"seq":{last.seq + 1}'.encode(), last.public)
    public = re.sub(rb'"carry":\{.*\},"decisions":\[.*?\],"fact"', b'"decisions":[],"fact"', public)
    return line(replace(last, seq=last.seq + 1, public=public, hash=chained(last.hash, public), signature=None)) + b"\n"


def at_random(good: Bundle, count: int, seed: int) -> Iterator[BundleChange]:
    """So many changes of records and of what was given, each of them another one in every run with another seed."""
    chance = random.Random(seed)
    made = 0
    while made < count:
        of = chance.choice((*_IN_RECORDS, *_IN_VALUES))
        change = _IN_RECORDS.get(of)
        bundle = replace(good, records=change(good.records, chance)) if change else _IN_VALUES[of](good, chance)
        if bundle != good:
            made += 1
            yield BundleChange(of=of, bundle=bundle)


def _at(records: bytes, chance: random.Random) -> int:
    return chance.randrange(len(records))


def _bit(records: bytes, chance: random.Random) -> bytes:
    at = _at(records, chance)
    return records[:at] + bytes([records[at] ^ (1 << chance.randrange(8))]) + records[at + 1 :]


def _digit(records: bytes, chance: random.Random) -> bytes:
    """One of the digits and letters of which hashes, numbers and amounts are made becomes another one."""
    at = chance.choice([found.start() for found in re.finditer(rb"[0-9a-f]", records)])
    return records[:at] + chance.choice("0123456789abcdef").encode() + records[at + 1 :]


def _inserted(records: bytes, chance: random.Random) -> bytes:
    at = _at(records, chance)
    return records[:at] + bytes([chance.choice(b' \n\r\t",:{}[]0a\xff\x00')]) + records[at:]


def _deleted(records: bytes, chance: random.Random) -> bytes:
    at = _at(records, chance)
    return records[:at] + records[at + chance.choice((1, 1, 1, 2, 10, 100)) :]


def _line_dropped(records: bytes, chance: random.Random) -> bytes:
    lines = records.splitlines(keepends=True)
    del lines[chance.randrange(len(lines))]
    return b"".join(lines)


def _line_put_twice(records: bytes, chance: random.Random) -> bytes:
    lines = records.splitlines(keepends=True)
    lines.insert(chance.randrange(len(lines) + 1), chance.choice(lines))
    return b"".join(lines)


def _lines_swapped(records: bytes, chance: random.Random) -> bytes:
    lines = records.splitlines(keepends=True)
    one, other = chance.sample(range(len(lines)), 2)
    lines[one], lines[other] = lines[other], lines[one]
    return b"".join(lines)


def _forged(signer: Signer | None) -> Callable[[bytes, random.Random], bytes]:
    """A record told otherwise, and all hashes after it computed anew: with a key of his own, or without one."""

    def change(records: bytes, chance: random.Random) -> bytes:
        stored = [parse(text) for text in records.splitlines()]
        made = rewritten(stored, chance.randrange(len(stored)), signer, sign=chance.random() < 0.5)
        return b"".join(line(record) + b"\n" for record in made)

    return change


def _other_digit(digits: str, chance: random.Random) -> str:
    at = chance.randrange(len(digits))
    return digits[:at] + chance.choice("0123456789abcdef") + digits[at + 1 :]


_IN_RECORDS: Final[dict[str, Callable[[bytes, random.Random], bytes]]] = {
    "a bit": _bit,
    "a digit": _digit,
    "a byte put in": _inserted,
    "bytes taken out": _deleted,
    "a line dropped": _line_dropped,
    "a line put twice": _line_put_twice,
    "two lines swapped": _lines_swapped,
    "chained anew without a key": _forged(None),
    "chained anew with another key": _forged(FORGER),
}
_IN_VALUES: Final[dict[str, Callable[[Bundle, random.Random], Bundle]]] = {
    "another fingerprint": lambda good, chance: replace(good, fingerprint=_other_digit(good.fingerprint, chance)),
    "another last number": lambda good, chance: replace(good, last=max(1, good.last + chance.randint(-40, 40))),
    "another last hash": lambda good, chance: replace(good, last_hash=_other_digit(good.last_hash, chance)),
}


# --- every bit of a file ----------------------------------------------------------------------------------------------


def every_flip(folder: Path, *, parts: int = 1, part: int = 0) -> tuple[Counter[str], list[str]]:
    """Every bit of a small journal's file turned, one after the other, and the journal verified: how often it ended
    with which status, and those that did not end in a sentence. Of several `parts` it is one that is tried."""
    path = folder / "small.db"
    written(path, WHOLE_HAND)
    good = path.read_bytes()
    ended: Counter[str] = Counter()
    missed: list[str] = []
    for number in range(part, 8 * len(good), parts):
        at, bit = divmod(number, 8)
        for left in ("-wal", "-shm"):
            path.with_name(f"{path.name}{left}").unlink(missing_ok=True)
        path.write_bytes(good[:at] + bytes([good[at] ^ (1 << bit)]) + good[at + 1 :])
        out, err = io.StringIO(), io.StringIO()
        with redirect_stdout(out), redirect_stderr(err), ThreadPoolExecutor(1) as apart:
            verifying = apart.submit(tablectl_main, ["journal", "verify", str(path)])
            raised = verifying.exception()
        if raised is not None:
            missed.append(f"byte {at}, bit {bit}: {raised!r}")
            continue
        status = verifying.result()
        said = out.getvalue() + err.getvalue()
        ended[f"exit status {status}"] += 1
        if status not in (0, 1, 2) or not re.search(r"\w{2,} \w{2,}", said) or "Traceback" in said:
            missed.append(f"byte {at}, bit {bit}: {status} {said}")
    return ended, missed


#: A run over all bits takes most of an hour: it says how far it is after each of so many parts.
FLIP_PARTS: Final = 64


def _flips() -> int:
    ended: Counter[str] = Counter()
    missed: list[str] = []
    for part in range(FLIP_PARTS):
        with in_memory() as folder:
            of_part, missed_in_part = every_flip(Path(folder), parts=FLIP_PARTS, part=part)
        ended += of_part
        missed += missed_in_part
        sys.stderr.write(f"part {part + 1} of {FLIP_PARTS}: {ended.total()} bits turned, {len(missed)} missed\n")
    made = [f"{how:<42} {count:>10}" for how, count in sorted(ended.items())]
    verdict = "each ended in a sentence" if not missed else f"{len(missed)} DID NOT END IN A SENTENCE"
    sys.stdout.write("\n".join([*made, f"{'all':<42} {ended.total():>10}  {verdict}", *missed[:20], ""]))
    return 1 if missed else 0


# --- who finds it ---------------------------------------------------------------------------------------------------


class Finder:
    """Looks at mutations of one journal, from the record before on: what came before it was looked at once."""

    def __init__(self, stored: Sequence[Stored]) -> None:
        self.stored = stored
        self._rows = [row(record) for record in stored]
        self._states = [Verification()]
        for pair in self._rows:
            state = copy.deepcopy(self._states[-1])
            assert state.take([pair])
            self._states.append(state)

    def found(self, mutation: Mutation) -> Told | None:
        """What is told of a mutation; None where nothing is."""
        state = copy.deepcopy(self._states[mutation.index])
        state.take(mutation.rows)
        return _told(state.verdict().fault)

    def found_from_the_beginning(self, mutation: Mutation) -> Told | None:
        """The same, over the whole journal."""
        whole = Verification()
        whole.take([*self._rows[: mutation.index], *mutation.rows])
        return _told(whole.verdict().fault)

    def found_in_copy(self, mutation: CopyMutation) -> Told | None:
        """What is told of a copy."""
        index = mutation.index
        start = Position(index, self.stored[index - 1].hash) if index else BEGINNING
        return _compared(self.stored[index:], mutation.text, start)

    def found_in_copy_from_the_beginning(self, mutation: CopyMutation) -> Told | None:
        """The same, over the whole copy."""
        good = [line_with_box(record) + b"\n" for record in self.stored[: mutation.index]]
        return _compared(self.stored, [*good, *mutation.text], BEGINNING)


def _told(fault: Fault | None) -> Told | None:
    return (fault.seq, fault.wrong) if fault is not None else None


def _compared(journal: Iterable[Stored], text: Iterable[bytes], start: Position) -> Told | None:
    try:
        return _told(compare(journal, parsed(text, Path("copy")), start=start))
    except NoLine as wrong:
        number = re.match(r"copy, line ([0-9]+): ", str(wrong))
        assert number is not None
        return start.seq + int(number[1]), UNREADABLE


@dataclass
class Summary:
    """How many mutations of each class were found, and as what; `missed` names those that were not, or wrongly."""

    classes: dict[str, Counter[str]]
    missed: list[str]

    @property
    def total(self) -> int:
        return sum(sum(counter.values()) for counter in self.classes.values())

    def add(self, of: str, seq: int, wrong: Sequence[str], told: Told | None) -> None:
        self.classes.setdefault(of, Counter())[told[1] if told is not None else "NOT FOUND"] += 1
        if told is None or told[0] != seq or told[1] not in wrong:
            self.missed.append(f"{of}: record {seq} has to be {' or '.join(wrong)}, told was {told}")

    def table(self) -> str:
        """For people."""
        made = [f"{'what was changed':<42} {'mutations':>10}  found as"]
        for of, found in self.classes.items():
            as_what = ", ".join(f"{wrong} {count}" if len(found) > 1 else wrong for wrong, count in found.most_common())
            made.append(f"{of:<42} {sum(found.values()):>10}  {as_what}")
        verdict = "all found" if not self.missed else f"{len(self.missed)} NOT FOUND OR TOLD WRONGLY"
        return "\n".join([*made, f"{'all':<42} {self.total:>10}  {verdict}", *self.missed[:20]])


def small_journal(folder: Path) -> list[Stored]:
    """One hand with two seats, from the opening of the table on."""
    written(folder / "small.db", WHOLE_HAND)
    return records(folder / "small.db")


def run(stored: Sequence[Stored], *, every_bit: bool) -> Summary:
    """All mutations of a journal and of its copy."""
    finder, summary = Finder(stored), Summary({}, [])
    for mutation in of_journal(stored, every_bit=every_bit):
        summary.add(mutation.of, mutation.seq, mutation.wrong, finder.found(mutation))
    for expected, told in truncated(stored):
        summary.add("journal truncated, its copy not", expected[0], (expected[1],), told)
    for other in of_copy(stored, every_bit=every_bit):
        summary.add(other.of, other.seq, other.wrong, finder.found_in_copy(other))
    return summary


def main() -> int:
    """Exit status 1 where something was not found, or did not end in a sentence."""
    if "--flips" in sys.argv[1:]:
        return _flips()
    with TemporaryDirectory() as folder:
        summary = run(small_journal(Path(folder)), every_bit="--quick" not in sys.argv[1:])
    sys.stdout.write(f"{summary.table()}\n")
    return 1 if summary.missed else 0


if __name__ == "__main__":
    sys.exit(main())

"""The passkeys' signatures in a journal, checked without the accounts: by anybody who has its public records."""

from __future__ import annotations

import importlib
import re
from collections.abc import Callable, Iterable
from typing import Final

import msgspec

from tablectl.core.access import AccessKind
from tablectl.core.events.notes import Access, Proven
from tablectl.core.records import kind_in_public
from tablectl.journal.challenge import digest_of
from tablectl.journal.store import Stored

_PROVEN: Final = kind_in_public(Proven)
_ADDED: Final = re.compile(r"(\S+) passkey ([0-9a-f]{64});")


class ProofsChecked(msgspec.Struct, frozen=True, kw_only=True):
    """`good`: how many actions were signed with a passkey that belongs, by these records, to whoever signed; `unseen`:
    how many are about a record, or with a passkey, from before the first one that is there. `fault`: the first that is
    not; empty where none is."""

    good: int = 0
    unseen: int = 0
    fault: str = ""


def check_proofs(records: Callable[[], Iterable[Stored]]) -> ProofsChecked:
    """Every proof in the records of a journal that is intact. `records` reads them from the first one that is there."""
    first, about = 0, set[int]()
    for stored in records():
        first = first or stored.seq
        if _PROVEN in stored.public and isinstance(note := stored.decoded().event, Proven):
            about.add(note.head_seq)
    if not about:
        return ProofsChecked()
    hashes, belongs = dict[int, str](), set[tuple[str, str]]()
    for stored in records():
        if stored.seq in about:
            hashes[stored.seq] = stored.hash.hex()
        if b" passkey " in stored.public and isinstance(access := stored.decoded().event, Access):
            added = _ADDED.match(access.about) if access.what is AccessKind.SECRET_CHANGED else None
            belongs |= {(added[1], added[2])} if added is not None and added[1] == access.who else set()
    return _checked(records, first, hashes, belongs)


def _checked(
    records: Callable[[], Iterable[Stored]], first: int, hashes: dict[int, str], belongs: set[tuple[str, str]]
) -> ProofsChecked:
    good = unseen = 0
    for stored in records():
        note = stored.decoded().event if _PROVEN in stored.public else None
        if not isinstance(note, Proven):
            continue
        why = _wrong_with(note)
        if not why and note.head_seq >= first and hashes.get(note.head_seq) != note.head_hash:
            why = f"the journal has another record {note.head_seq} than the one that was signed"
        is_known = (note.by, digest_of(note.credential, note.key)) in belongs
        if not why and not is_known and first == 1:
            why = f"no record says that this passkey is {note.by}'s"
        if why:
            return ProofsChecked(good=good, unseen=unseen, fault=f"record {stored.seq}: {why}")
        is_seen = is_known and note.head_seq >= first
        good, unseen = good + is_seen, unseen + (not is_seen)
    return ProofsChecked(good=good, unseen=unseen)


def _wrong_with(note: Proven) -> str:
    """Why a passkey did not sign this; "" where it did."""
    # Most journals have none: the library is loaded where one does.
    passkeys = importlib.import_module("tablectl.journal.passkeys")
    try:
        passkeys.check(note)
    except ValueError as bad:
        return str(bad)
    return ""

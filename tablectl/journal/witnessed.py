"""A journal held against the heads that left its machine: whether it still has everything that its table had signed."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

import msgspec

from tablectl.journal.rollback import Rollback
from tablectl.journal.signed_head import SignedHead
from tablectl.journal.store import Stored


class HeadsChecked(msgspec.Struct, frozen=True, kw_only=True):
    """`good`: how many heads the journal has as they were signed, the newest of them `newest`; `unseen`: they are about
    records before the first one that is there; `accepted`: they are not there, and two persons accepted that before a
    later head was written down; `foreign`: another key signed them, or nobody did. `fault`: the first that the journal
    does not have; empty where it has all."""

    good: int = 0
    newest: int = 0
    unseen: int = 0
    accepted: int = 0
    foreign: int = 0
    fault: str = ""


def check_heads(
    heads: Sequence[SignedHead],
    key: bytes,
    records: Callable[[], Iterable[Stored]],
    rollbacks: Iterable[Rollback],
) -> HeadsChecked:
    """These heads, in the order in which they were written down, against the records of a journal that is intact and
    signed with this key. `records` reads them from the first one that is there."""
    about = {head.seq for head in heads}
    first, last, hashes = 0, 0, dict[int, str]()
    for stored in records():
        first, last = first or stored.seq, stored.seq
        if stored.seq in about:
            hashes[stored.seq] = stored.hash.hex()
    ended = [rollback for rollback in rollbacks if rollback.accepted is not None]
    good = newest = unseen = accepted = foreign = 0
    fault = ""
    for head in heads:
        if head.key != key.hex() or not head.is_good:
            foreign += 1
        elif head.seq < first:
            unseen += 1
        elif hashes.get(head.seq) == head.hash:
            good, newest = good + 1, max(newest, head.seq)
        elif any(newest < rollback.accepted_seq and head.seq <= rollback.to_seq for rollback in ended):
            accepted += 1
        elif not fault:
            what = "the journal ends before it" if head.seq > last else "the journal has another record there"
            fault = f"this table signed record {head.seq} with hash {head.hash}, and {what}"
    return HeadsChecked(good=good, newest=newest, unseen=unseen, accepted=accepted, foreign=foreign, fault=fault)

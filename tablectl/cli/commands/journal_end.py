"""How a journal ends whose records are good: with a signature, open, or changed.

Whoever has the file can append records to an open hand, or drop its last ones, and chain them anew: there is no
signature after them yet. So an open end is as good as the controller that still remembers what it wrote.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Final

from tablectl.api.client import NoController, ask
from tablectl.journal.store import JournalUnusable, Position, Stored
from tablectl.journal.verify import Verdict
from tablectl.ops.runtime_state import RUN, RuntimeState, read_runtime_state

#: How long the controller has for an answer, in seconds.
ANSWER_S: Final = 5.0


def sockets_of(path: Path, given: Path | None) -> tuple[Path, ...]:
    """Where the controller of this journal may answer: the socket that was named; else that of the service which said
    that it writes this file, and the one beside it."""
    if given is not None:
        return (given,)
    beside = path.with_suffix(".sock")
    told = (service.socket for service in services_of(path))
    return tuple(dict.fromkeys((*told, *((beside,) if beside.is_socket() else ()))))


def services_of(path: Path) -> Iterator[RuntimeState]:
    """What each service left that said that it writes this journal, as far as this user may read it."""
    for folder in sorted(RUN.glob("*")):
        try:
            told = read_runtime_state(folder)
        except (OSError, ValueError):
            continue  # not for this user's eyes, or none of ours: nobody there can be asked
        if told is not None and told.journal.absolute() == path.absolute():
            yield told


def is_end_good(verdict: Verdict, start: Position, sockets: Iterable[Path]) -> bool:
    """Tells the end of records that are good by themselves; whether nothing is left to doubt there."""
    end, signed_to = verdict.end, max(verdict.signed_to, start.seq)
    if end.seq == 0:
        return True
    if end.seq == signed_to:
        print(f"{'':2}signed end: record {end.seq} is signed")
        return True
    which = f"record {end.seq} is" if end.seq == signed_to + 1 else f"records {signed_to + 1} to {end.seq} are"
    print(f"{'':2}open end: {which} not signed yet")
    why = "none was found for this file; name its socket with --socket"
    for socket in sockets:
        confirms, why = _asked(socket, end)
        if confirms:
            print(f"{'':2}the running controller ({socket}) confirms record {end.seq}")
            return True
        if confirms is False:
            print(f"{'':2}changed end: the running controller ({socket}) did not write this record {end.seq}")
            return False
    print(f"{'':2}no running controller confirms record {end.seq}: {why}")
    return False


def _asked(socket: Path, end: Position) -> tuple[bool | None, str]:
    """Whether the controller there wrote this record; None, and why, where it does not say."""
    try:
        reply = ask(socket, {"confirm": {"seq": end.seq, "hash": end.hash.hex()}}, timeout_s=ANSWER_S)
    except (NoController, ValueError) as wrong:
        return None, str(wrong)
    confirms = reply.get("confirms")
    if isinstance(confirms, bool):
        return confirms, ""
    return None, f"{socket}: it does not remember it; verify again, the journal has gone on"


def is_at_end(seq: int, records: Iterable[Stored]) -> bool:
    """Whether no record after this one has a signature: then it is in the open end that something was changed."""
    try:
        return all(record.signature is None for record in records if record.seq > seq)
    except JournalUnusable:
        return False


def tell_changed_end(signed_to: int) -> None:
    """Where what is wrong comes after the last good signature."""
    before = f"the records up to {signed_to} are signed and good" if signed_to else "no record before it is signed"
    print(f"{'':2}changed end: {before}, what follows is not what the table wrote")

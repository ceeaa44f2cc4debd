"""A table and its pit server, with the uplink between them in a thread."""

from __future__ import annotations

import ssl
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Final

from tablectl.config.table_file import load
from tablectl.fleet.pit.store import KeptRecord
from tablectl.fleet.uplink.identity import Identity
from tablectl.fleet.uplink.sender import Uplink
from tablectl.fleet.uplink.state import StateFile
from tablectl.fleet.uplink.transport import Transport
from tablectl.journal.clock import now_us
from tablectl.journal.public_keys import load_public
from tablectl.journal.signing import Witness
from tests.desk import Desk
from tests.fleet.pits import Pit
from tests.journal.journals import records as journal_of

NAME: Final = "mesa-1"


@contextmanager
def running(
    table: Desk,
    pit: Pit,
    *,
    key: Witness | None = None,
    name: str = NAME,
    clock: Callable[[], int] = now_us,
    connect: Callable[[ssl.SSLContext], Transport] | None = None,
) -> Iterator[Uplink]:
    """`clock`: of the table's machine, for all but its records. `connect`: another way than HTTPS."""
    pit.certificate_for(name)
    settings, witness = pit.settings_of(name), pit.witness if key is None else key
    uplink = Uplink(
        socket=table.socket,
        identity=Identity(settings, pit=witness, now_us=clock),
        connect=pit.transport if connect is None else connect,
        pit=witness,
        state=StateFile(settings.state),
        now_us=clock,
    )
    thread = threading.Thread(target=uplink.run)
    thread.start()
    try:
        yield uplink
    finally:
        uplink.stop()
        thread.join()


def signing_key_of(table: Desk) -> bytes:
    return load_public(load(table.config).places.public_key)


def enrol(table: Desk, pit: Pit) -> None:
    pit.enrol(NAME, signing_key_of(table))


def kept(pit: Pit) -> list[KeptRecord]:
    with pit.store() as store:
        (found,) = [one for one in store.tables() if one.name == NAME]
        return list(store.records(found))


def have_the_same(table: Desk, pit: Pit) -> None:
    """Each record of the journal is at the pit server, with its bytes and signature, once."""
    ours = journal_of(table.journal)
    assert [(one.seq, one.public, one.hash, one.signature) for one in kept(pit)] == [
        (one.seq, one.public, one.hash, one.signature or b"") for one in ours
    ]

"""The deck register: which tag is which card, and what became of each deck. Nothing else knows a card by its tag.

One file (SQLite) of events that are only ever added: a deck was enrolled, put in play, taken out, quarantined, retired.
Each event is chained to the one before. Which tag is which card is sealed with the table's key, since whoever has that
list and a reader sees through the backs of the cards.

One deck at most is in play. Several programs may have the file open: what belongs together is one transaction, and
`refresh` reads what is new. A file that another program keeps locked is not a damaged one: what was read before counts
on, and `is_behind` says so.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from contextlib import suppress
from enum import StrEnum
from pathlib import Path
from typing import Any, Final, Self

from tablectl.core.cards import DECK, Card, card
from tablectl.core.events.codec import encode_json
from tablectl.core.records import record
from tablectl.core.timestamps import time_text, time_us
from tablectl.journal.seal import BadSeal, Vault
from tablectl.journal.sqlite_file import (
    Connection,
    Durability,
    Log,
    RowRefused,
    SqliteError,
    Trouble,
    connect,
    make_durable,
    make_private,
    transaction,
    trouble,
)

#: How long another program's event is waited for, in seconds.
BUSY_S: Final = 2.0
NAME_MOST: Final = 60
_SCHEMA: Final = """
CREATE TABLE IF NOT EXISTS event (
    seq INTEGER PRIMARY KEY, public BLOB NOT NULL, sealed BLOB NOT NULL, hash BLOB NOT NULL
) STRICT;
CREATE TRIGGER IF NOT EXISTS event_stays BEFORE UPDATE ON event BEGIN SELECT RAISE(ABORT, 'events are added'); END;
CREATE TRIGGER IF NOT EXISTS event_is_kept BEFORE DELETE ON event BEGIN SELECT RAISE(ABORT, 'events are added'); END;
"""


class DeckState(StrEnum):
    """Where a deck stands."""

    READY = "ready"
    IN_PLAY = "in-play"
    QUARANTINED = "quarantined"
    RETIRED = "retired"


#: From which states a deck may get there. A deck in quarantine comes back only when a person has looked at it.
_FROM: Final[Mapping[DeckState, frozenset[DeckState]]] = {
    DeckState.READY: frozenset({DeckState.IN_PLAY, DeckState.QUARANTINED}),
    DeckState.IN_PLAY: frozenset({DeckState.READY}),
    DeckState.QUARANTINED: frozenset({DeckState.READY, DeckState.IN_PLAY}),
    DeckState.RETIRED: frozenset({DeckState.READY, DeckState.IN_PLAY, DeckState.QUARANTINED}),
}


class RegisterUnusable(Exception):
    """The file cannot be read, or it is not what was written. The text says what to do."""


class NotSo(Exception):
    """The register does not take this event: the text says why, and what would be right. Nothing was changed."""


class RegisterBusy(NotSo):
    """Another program has the register open for longer than `BUSY_S`. The same event is good later on: whoever has to
    record it tries again."""

    def __init__(self) -> None:
        super().__init__("somebody else has the register open; try again")


@record
class Deck:
    """A deck as the register has it: since when (microseconds), by whom and why it is in this state."""

    name: str
    state: DeckState
    since_us: int
    by: str
    reason: str


class Register:
    """Opened for one program."""

    def __init__(self, path: Path, vault: Vault) -> None:
        """A file that is not there yet is made with the first event. Raises `RegisterUnusable`, also for a file that
        another program keeps locked: nothing is known of it yet."""
        self._path = path
        self._vault = vault
        self._newest = 0
        self._hash = b""
        self._is_behind = False
        self._decks: dict[str, Deck] = {}
        self._tags: dict[str, dict[str, Card]] = {}
        self._file: Connection | None = None
        self.refresh()
        if self._is_behind:
            self.close()
            raise RegisterUnusable(
                f"{path}: another program has kept the deck register locked for more than {BUSY_S:g} s; end that one"
            )

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """May be repeated."""
        if self._file is not None:
            self._file.close()
            self._file = None

    # -- reading -----------------------------------------------------------------------------------------------------

    @property
    def newest(self) -> int:
        """The number of the newest event read."""
        return self._newest

    @property
    def head(self) -> str:
        """The hash, in hex, that all events read are chained to; "" before the first. With `newest` it is what somebody
        else would have to keep to notice later on that the newest events were cut off."""
        return self._hash.hex()

    @property
    def is_behind(self) -> bool:
        """Another program kept the file locked at the last `refresh`: what is known may not be the newest."""
        return self._is_behind

    @property
    def decks(self) -> tuple[Deck, ...]:
        """All decks, in the order in which they were enrolled."""
        return tuple(self._decks.values())

    @property
    def in_play(self) -> Deck | None:
        """The deck in play."""
        return next((deck for deck in self.decks if deck.state is DeckState.IN_PLAY), None)

    def tags(self, name: str) -> Mapping[str, Card]:
        """Which tag is which card, of one deck."""
        return self._tags[name]

    def owner(self, tag: str) -> str | None:
        """The deck that a tag belongs to."""
        return next((name for name, tags in self._tags.items() if tag in tags), None)

    def refresh(self) -> bool:
        """Read what is new; whether there was anything. Raises `RegisterUnusable`.

        Where another program keeps the file locked for longer than `BUSY_S` nothing is new, and `is_behind` is True
        until a later `refresh` could read.
        """
        self._is_behind = False
        if self._file is None and not self._path.exists():
            return False
        before = self._newest
        try:
            rows = self._open().execute(
                "SELECT seq, public, sealed, hash FROM event WHERE seq >= ? ORDER BY seq", (self._newest,)
            )
            found = rows.fetchall()
            self._check_head(found.pop(0) if self._newest and found else None)
            for seq, public, sealed, chained in found:
                self._take(seq, public, sealed, chained)
        except (SqliteError, OSError, TypeError, ValueError, KeyError) as wrong:
            if trouble(wrong) is Trouble.BUSY:
                self._is_behind = True
                return False
            raise RegisterUnusable(f"{self._path}: no deck register that can be read ({wrong}); restore it") from None
        return self._newest != before

    def _check_head(self, row: tuple[int, bytes, bytes, bytes] | None) -> None:
        """The newest event read is still there: events are never taken away."""
        if self._newest and (row is None or (row[0], row[3]) != (self._newest, self._hash)):
            raise RegisterUnusable(
                f"{self._path}: event {self._newest}, which was there, is gone or another one; restore the register"
            )

    def _take(self, seq: int, public: bytes, sealed: bytes, chained: bytes) -> None:
        if seq != self._newest + 1 or chained != _chain(self._hash, public, sealed):
            raise RegisterUnusable(f"{self._path}: event {seq} is not what was written; restore the register")
        said: dict[str, Any] = json.loads(public)
        name = said["deck"]
        if sealed:
            try:
                opened = json.loads(self._vault.open_part(_position(seq), sealed))
            except BadSeal:
                raise RegisterUnusable(
                    f"{self._path}: event {seq} was sealed with another key (deck.register goes with journal.key)"
                ) from None
            self._tags[name] = {tag: card(code) for tag, code in opened.items()}
        self._decks[name] = Deck(
            name=name,
            state=DeckState(said["state"]),
            since_us=time_us(said["at"]),
            by=said["by"],
            reason=said["reason"],
        )
        self._newest, self._hash = seq, chained

    # -- events ------------------------------------------------------------------------------------------------------

    def check_name(self, name: str) -> None:
        """Whether a new deck may be called so: better asked before 52 cards are laid. Raises `NotSo`,
        `RegisterUnusable`."""
        self._be_up_to_date()
        if not name.strip() or not name.isprintable() or len(name) > NAME_MOST:
            raise NotSo(f"{name!r}: a name of 1 to {NAME_MOST} printable characters")
        if name in self._decks:
            raise NotSo(f"{name}: a deck of this name is registered already; a name is used once")

    def enrol(self, name: str, tags: Mapping[str, Card], *, by: str, reason: str, at_us: int) -> None:
        """A new deck, ready to be put in play. Raises `NotSo`, `RegisterUnusable`."""
        self.check_name(name)
        if len(tags) != len(DECK) or len(set(tags.values())) != len(DECK):
            raise NotSo(f"{name}: {len(set(tags.values()))} different cards on {len(tags)} tags; a deck has 52 on 52")
        known = next((owner for tag in tags if (owner := self.owner(tag)) is not None), None)
        if known is not None:
            raise NotSo(f"{name}: a card of it belongs to {known} already; sort the decks before you enrol one")
        secret = {tag: tagged.code for tag, tagged in sorted(tags.items())}
        self._add((_said(name, DeckState.READY, by, reason, at_us), secret))

    def move(self, name: str, state: DeckState, *, by: str, reason: str, at_us: int) -> None:
        """A deck gets into another state; the one that was in play before another one is ready again. Raises `NotSo`,
        `RegisterUnusable`."""
        self._be_up_to_date()
        deck = self._decks.get(name)
        if deck is None:
            there = ", ".join(self._decks) or "none yet"
            raise NotSo(f"{name}: no such deck; registered are: {there}")
        if deck.state not in _FROM[state]:
            may = " or ".join(sorted(_FROM[state]))
            raise NotSo(f"{name} is {deck.state}; only a deck that is {may} can be {state}")
        played = self.in_play
        events = [(_said(name, state, by, reason, at_us), None)]
        if state is DeckState.IN_PLAY and played is not None:
            events.insert(0, (_said(played.name, DeckState.READY, by, f"{name} is put in play", at_us), None))
        self._add(*events)

    def _be_up_to_date(self) -> None:
        """Before an event: what it follows from has to be the newest."""
        self.refresh()
        if self._is_behind:
            raise RegisterBusy

    def _add(self, *events: tuple[Mapping[str, str], Mapping[str, str] | None]) -> None:
        """All of them or none: what each says, and what of it is sealed."""
        rows: list[tuple[int, bytes, bytes, bytes]] = []
        chained = self._hash
        for seq, (said, secret) in enumerate(events, self._newest + 1):
            public = encode_json(said)
            sealed = self._vault.seal_part(_position(seq), encode_json(secret)) if secret is not None else b""
            chained = _chain(chained, public, sealed)
            rows.append((seq, public, sealed, chained))
        try:
            file = self._open()
            with transaction(file):
                file.executemany("INSERT INTO event (seq, public, sealed, hash) VALUES (?, ?, ?, ?)", rows)
        except RowRefused:
            raise NotSo("somebody else changed the register at this moment; try again") from None
        except (SqliteError, OSError) as wrong:
            if trouble(wrong) is Trouble.BUSY:
                raise RegisterBusy from None
            raise RegisterUnusable(f"{self._path}: nothing can be written ({wrong})") from None
        # Not read back: another program may lock the file by now, and these are its newest events.
        for row in rows:
            self._take(*row)

    def _open(self) -> Connection:
        if self._file is None:
            is_new = not self._path.exists()
            if is_new:
                make_private(self._path)
            file = connect(self._path, busy_s=BUSY_S)
            try:
                make_durable(file, Durability.FULL, Log.ROLLBACK)
                file.executescript(_SCHEMA)
            except SqliteError as wrong:
                file.close()
                if is_new and trouble(wrong) is not Trouble.BUSY:  # else another program makes it at this moment
                    with suppress(OSError):
                        self._path.unlink()
                raise
            self._file = file
        return self._file


def _said(name: str, state: DeckState, by: str, reason: str, at_us: int) -> Mapping[str, str]:
    return {"deck": name, "state": state.value, "by": by, "reason": reason, "at": time_text(at_us)}


def _chain(before: bytes, public: bytes, sealed: bytes) -> bytes:
    return hashlib.sha256(before + hashlib.sha256(public).digest() + hashlib.sha256(sealed).digest()).digest()


def _position(seq: int) -> str:
    return f"deck register {seq}"

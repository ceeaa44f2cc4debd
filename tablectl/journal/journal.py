"""The journal as its one writer has it: opened with all the checks of a start, written, continued, closed.

The checks that need the newest hand only are made here, in a time that does not grow with the journal: the lock, the
file, the keys, the chain and every decision since the last boundary, a tilt that nobody cleared, the clock. The whole
chain is checked later (`tablectl.table.integrity_check`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import closing
from itertools import takewhile
from typing import Any, TypeVar

from tablectl.core.engine import facts as f
from tablectl.core.engine.carry import Carry
from tablectl.core.engine.decisions import Decision
from tablectl.core.engine.prompt import Prompt
from tablectl.core.engine.rulebook import Rulebook
from tablectl.core.engine.table import Table
from tablectl.core.events.codec import UnreadableRecord
from tablectl.core.events.notes import DeckMoved, MissingHead, Note, OpenEnd, Tilted, Unsealed, VolumeOpened
from tablectl.core.events.stream import KeysNamed, PublicRecord
from tablectl.i18n.currency import Currency
from tablectl.journal import clock
from tablectl.journal.format import format_of
from tablectl.journal.keys import Keys, load_keys, make_keys, publish
from tablectl.journal.places import Places
from tablectl.journal.public_keys import BadKey, fingerprint
from tablectl.journal.recovery import ChainBroken, LastCard, Recovered, ReplayDiffers, last_report, recover
from tablectl.journal.rollback import missing_at_end
from tablectl.journal.signing import Witness
from tablectl.journal.store import BEGINNING, JournalUnusable, Store, Stored, kind_of
from tablectl.journal.tilt import Mark, Tilt, TiltKind
from tablectl.journal.volumes import VolumeSet, beginning_of, is_closed, open_last, present, volume_path
from tablectl.journal.writer import (
    Openings,
    RecordWriter,
    format_begun,
    sealed_card,
    volume_closed,
    volume_opened,
)

_Found = TypeVar("_Found")


class Journal:
    """One table's journal, open for writing. Made by `open`."""

    def __init__(
        self, places: Places, store: Store, volume: int, keys: Keys, *, software: str, currency: Currency | None
    ) -> None:
        self._places = places
        self._store = store
        self._volume = volume
        self._software = software
        self._currency = currency
        self.keys = keys
        self._writer = RecordWriter(store, keys, software=software, currency=currency, prompt=self._last_prompt())

    @classmethod
    def open(cls, places: Places, *, software: str, currency: Currency | None = None) -> Journal:
        """Lock, file, keys; makes what a new table does not have yet. Whoever deals names the currency. Raises
        `Tilt`."""
        _must_be_new_or_there(places)
        try:
            store, volume = open_last(places.journal, places.readers)
        except JournalUnusable as wrong:
            raise Tilt(wrong.kind, str(wrong)) from None
        try:
            keys = _keys(places, store, volume)
            publish(keys, places.public_key, places.readers)
            return cls(places, store, volume, keys, software=software, currency=currency)
        except JournalUnusable as wrong:
            store.close()
            raise Tilt(wrong.kind, str(wrong)) from None
        except BadKey as wrong:
            store.close()
            raise Tilt(TiltKind.KEY, str(wrong)) from None
        except OSError as wrong:
            store.close()
            raise Tilt(kind_of(wrong), f"{places.public_key}: cannot be written ({wrong.strerror})") from None

    def recover(self, rulebook_of: Callable[[f.Setup], Rulebook]) -> Table | None:
        """The table as the journal left it; None for a new journal. Raises `Tilt`."""
        try:
            self._check_boundary()
            openings = Openings(self.keys.vault)
            recovered = self._recovered(openings, rulebook_of)
        except ReplayDiffers as wrong:
            raise Tilt(TiltKind.REPLAY, str(wrong)) from None
        except ChainBroken as wrong:
            raise Tilt(TiltKind.CHAIN, str(wrong)) from None
        except JournalUnusable as wrong:
            raise Tilt(wrong.kind, str(wrong)) from None
        self._writer = RecordWriter(
            self._store,
            self.keys,
            software=self._software,
            currency=self._currency,
            openings=openings,
            prompt=recovered.prompt if recovered is not None else None,
            format_number=self._looked_up(format_of),
            missing=self._looked_up(missing_at_end),
            is_in_hand=recovered is not None and recovered.table.state.in_play,
        )
        if recovered is None:
            return None
        if self.is_between_volumes:
            self.next_volume(clock.now_us(), recovered.table.carry())
        return recovered.table

    def _looked_up(self, find: Callable[[Iterable[Stored]], _Found]) -> _Found:
        """What stands at the end, also where the last volume has no record yet. Raises `Tilt`."""
        try:
            with closing(VolumeSet(self._places.journal)) as volume_set:
                return find(volume_set.newest_first())
        except JournalUnusable as wrong:
            raise Tilt(wrong.kind, str(wrong)) from None
        except UnreadableRecord:
            raise Tilt(TiltKind.CHAIN, f"{self._places.journal}: a record of no version of this program") from None

    def _check_boundary(self) -> None:
        """What the hand is replayed from is signed: by this table, or the chain before it was written by another."""
        stored = self._store.at(self._store.last_boundary())
        if stored is None:
            return
        signature = stored.signature or b""
        if not Witness(self.keys.signer.public).confirms(stored.seq, stored.hash, signature):
            raise ChainBroken(f"record {stored.seq}: the table carries itself over with it, and did not sign it")

    def _recovered(self, openings: Openings, rulebook_of: Callable[[f.Setup], Rulebook]) -> Recovered | None:
        if self._store.newest != self._store.follows.seq or self._volume == 1:
            return recover(self._store, openings, rulebook_of, self._software)
        before = volume_path(self._places.journal, self._volume - 1)
        with closing(Store.read(before, follows=beginning_of(before) or BEGINNING)) as store:
            return recover(store, openings, rulebook_of, self._software)

    # -- what is there -----------------------------------------------------------------------------------------------

    @property
    def store(self) -> Store:
        """The volume that is written now: to be read."""
        return self._store

    def newest(self) -> Stored | None:
        """The newest record of this volume."""
        return next(self._store.newest_first(), None)

    def open_end(self, at_us: int) -> OpenEnd | None:
        """The note of the records after the newest signed one; None where there is none."""
        unsigned = [
            stored.seq for stored in takewhile(lambda record: record.signature is None, self._store.newest_first())
        ]
        return OpenEnd(at_us=at_us, first=unsigned[-1], last=unsigned[0]) if unsigned else None

    def _last_prompt(self) -> Prompt | None:
        newest = self.newest()
        try:
            return None if newest is None else newest.decoded().prompt
        except UnreadableRecord:
            return None

    def standing_tilt(self) -> Mark | None:
        """A tilt that is on record and that nobody cleared. Raises `Tilt`."""
        for stored in self._store.newest_first():
            record = _decoded(stored)
            if isinstance(record.event, Tilted):
                return _mark(record.event, record)
            if not isinstance(record.event, Unsealed):
                return None
        return None

    def last_report(self) -> LastCard | None:
        """As `recovery.last_report`. Raises `Tilt`."""
        try:
            with closing(VolumeSet(self._places.journal)) as volume_set:
                return last_report(volume_set.newest_first(), self.keys.vault)
        except ReplayDiffers as wrong:
            raise Tilt(TiltKind.REPLAY, str(wrong)) from None

    def last_deck(self) -> str | None:
        """The deck that was put in play last; None where none ever was."""
        with closing(VolumeSet(self._places.journal)) as volume_set:
            for stored in volume_set.newest_first():
                event = _decoded(stored).event
                if isinstance(event, DeckMoved) and event.state == "in-play":
                    return event.deck
        return None

    def clock_behind_us(self, now_us: int) -> int:
        """By how much the clock is before the newest record; 0 where it is not. Raises `Tilt`.

        What is written while no controller runs does not count: a tilt, and who asked for cards since.
        """
        for stored in self._store.newest_first():
            record = _decoded(stored)
            if not isinstance(record.event, Tilted | Unsealed):
                return max(0, record.at_us - now_us)
        return 0

    def was_granted(self, signature: str, *, since_us: int) -> bool:
        """Whether cards were opened for a request with this signature. Raises `JournalUnusable`."""
        with closing(VolumeSet(self._places.journal)) as volume_set:
            for stored in volume_set.newest_first():
                record = stored.decoded()
                event = record.event
                if isinstance(event, Unsealed) and event.granted and event.signature == signature:
                    return True
                if record.at_us < since_us:
                    return False
        return False

    def sealed_cards(self, hand: int) -> Iterator[dict[str, Any]]:
        """The cards of a hand that were read, with their draws, and with their salts, so that whoever gets them can
        hold them against their commitments: for an auditor. `is_other_reading`: what the shoe said as well of the card
        before, when it was not sure of it. Raises `BadSeal`."""
        with closing(VolumeSet(self._places.journal)) as volume_set:
            for stored in volume_set.records(hand=hand):
                record = stored.decoded()
                opened = sealed_card(self.keys.vault, stored, record)
                if opened is not None:
                    yield {
                        "seq": stored.seq,
                        "draw": record.draw,
                        "card": opened.card.code,
                        "salt": opened.salt.hex(),
                        "is_other_reading": isinstance(record.event, f.DeviceSaid),
                    }

    # -- writing -----------------------------------------------------------------------------------------------------

    def write(
        self,
        fact: f.Fact,
        decisions: tuple[Decision, ...],
        *,
        prompt: Prompt,
        hand: int,
        draw: int | None,
        carry: Carry | None,
        lies: int | None = None,
        panel: str | None = None,
    ) -> Stored:
        """As `RecordWriter.write`; after the first hand that this version closed stands the `format` note, and after
        the last hand of a volume the next one begins. Raises `JournalUnusable`."""
        stored = self._writer.write(
            fact, decisions, prompt=prompt, hand=hand, draw=draw, carry=carry, lies=lies, panel=panel
        )
        if carry is not None and not self.takes_new:
            self._writer.note(format_begun(fact.at_us), hand=carry.hand + 1)
        if carry is not None and stored.seq - self._store.follows.seq >= self._places.volume_records:
            self.next_volume(fact.at_us, carry)
        return stored

    def note(self, note: Note) -> Stored:
        """As `RecordWriter.note`: ask `takes_new` before a kind of `NEW_NOTES`. Raises `JournalUnusable`, also where
        there is no record yet that it could follow."""
        newest = self.newest()
        if newest is None:
            raise JournalUnusable(f"{self._store.path}: nothing is recorded yet")
        return self._writer.note(note, hand=_hand_after(newest))

    def next_volume(self, at_us: int, carry: Carry) -> None:
        """Close this volume and go on in the next file; finishes what a power cut left half done."""
        newest = self.newest()
        if newest is not None and not is_closed(newest):
            self._writer.note(volume_closed(at_us, self._volume), hand=newest.hand)
        if newest is not None:
            self._volume += 1
            self._store = self._store.go_on_in(volume_path(self._places.journal, self._volume))
            self._writer.go_on_in(self._store)
        self._writer.note(volume_opened(at_us, self._volume, self._store), hand=carry.hand + 1, carry=carry)

    @property
    def takes_new(self) -> bool:
        """Whether this journal takes what version 0.1.0 cannot read: new members of records, and the kinds of notes in
        `NEW_NOTES`. False until the first hand that this version closed is on record, so that a rollback stays possible
        until then; what is not written for that reason is not written later either. Right from `recover` on."""
        return self._writer.takes_new

    @property
    def missing(self) -> MissingHead | None:
        """What the table signed and this journal does not have, until somebody accepts it. Right from `recover` on."""
        return self._writer.missing

    @property
    def is_between_volumes(self) -> bool:
        """Whether the power failed while a new volume was begun."""
        newest = self.newest()
        return is_closed(newest) if newest is not None else self._volume > 1

    @property
    def is_reserve_spent(self) -> bool:
        """The last record went into the room that was kept for a full disk."""
        return self._store.is_reserve_spent

    def close(self) -> None:
        """May be repeated."""
        self._store.close()


def _hand_after(newest: Stored) -> int:
    """The hand of a record after this one: between two hands already the next one."""
    return newest.hand + (newest.boundary and not isinstance(newest.decoded().event, VolumeOpened))


def _decoded(stored: Stored) -> PublicRecord:
    """A record at which a start looks. Raises `Tilt`."""
    try:
        return stored.decoded()
    except UnreadableRecord:
        raise _changed(stored.seq) from None


def _mark(tilted: Tilted, record: PublicRecord) -> Mark:
    """What is said of a tilt that is on record. Raises `Tilt` for one of no kind."""
    try:
        return Mark(kind=TiltKind(tilted.tilt), reason=tilted.reason, at=record.at)
    except ValueError:
        raise _changed(record.seq) from None


def _changed(seq: int) -> Tilt:
    return Tilt(TiltKind.CHAIN, f"record {seq}: no record of this program; it was changed")


def _must_be_new_or_there(places: Places) -> None:
    """A journal that is gone is not begun anew where its second copy is: new keys would lie in the way of all that
    brings it back. Raises `Tilt`."""
    try:
        if present(places.journal):
            return
        copy = next((path for path in present(places.copy).values() if path.is_file() and path.stat().st_size), None)
    except OSError:
        return  # who opens it is told what is wrong with the folder
    if copy is None:
        return
    what = f"there is no journal, and {copy} is the second copy of one: its disk is away, or new"
    way = "bring the disk back; or restore the keys from the backup, then `tablectl journal restore` the copy"
    raise Tilt(TiltKind.COPY, f"{places.journal}: {what}. Nothing new was begun. Would be right: {way}")


def _keys(places: Places, store: Store, volume: int) -> Keys:
    """The journal's own: new ones are made for a new journal only. Raises `BadKey`."""
    if store.newest == 0:
        return make_keys(places.key, places.signing_key, demo=False)
    keys = load_keys(places.key, places.signing_key)
    named = _named_keys(places, store, volume)
    for path, ours, theirs in (
        (places.signing_key, keys.signer.public, bytes.fromhex(named.signing)),
        (places.key, keys.vault.fingerprint.encode(), named.sealing.encode()),
    ):
        if ours != theirs:
            found, wanted = fingerprint(ours), fingerprint(theirs)
            raise BadKey(f"{path}: not the key of this journal ({found} instead of {wanted}); bring back its own")
    return keys


def _named_keys(places: Places, store: Store, volume: int) -> KeysNamed:
    """What the first record of the volume says of the keys; of the volume before, where there is no record yet."""
    first = next(store.records(), None)
    if first is None:
        before = volume_path(places.journal, volume - 1)
        with closing(Store.read(before)) as earlier:
            first = next(earlier.records(), None)
    try:
        named = None if first is None else first.decoded().keys
        if named is not None and bytes.fromhex(named.signing):
            return named
    except ValueError:
        pass
    raise BadKey(f"{store.path}: its first record names no key; `tablectl journal verify` says more")

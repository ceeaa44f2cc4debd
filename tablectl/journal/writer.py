"""The writer of the journal: turns a fact with its decisions into a record, and remembers which cards are sealed."""

from __future__ import annotations

import hashlib
import json
import secrets
from dataclasses import replace
from typing import NamedTuple

from msgspec import UNSET

from tablectl.core.cards import Card, card
from tablectl.core.engine import facts as f
from tablectl.core.engine.carry import Carry
from tablectl.core.engine.decisions import Decision, HandClosed, HandOpened, IncidentRaised
from tablectl.core.engine.equipment import CARD_UNCERTAIN
from tablectl.core.engine.prompt import Prompt
from tablectl.core.engine.vocabulary import READERS_DISAGREE
from tablectl.core.events.codec import SEALED_FACTS
from tablectl.core.events.notes import (
    NEW_NOTES,
    Format,
    HeadMissing,
    MissingHead,
    Note,
    RollbackAccepted,
    VolumeClosed,
    VolumeOpened,
)
from tablectl.core.events.stream import Event, PublicRecord, Reveal, record_bytes
from tablectl.core.records import kind_of
from tablectl.i18n.currency import Currency
from tablectl.journal.comparing import OURS
from tablectl.journal.format import FIRST, NEWEST, VERSIONS, NotYet
from tablectl.journal.keys import Keys
from tablectl.journal.record import SALT_BYTES, commitment, faces_up, must_sign
from tablectl.journal.seal import BadSeal, Vault
from tablectl.journal.store import Store, Stored


class Opening(NamedTuple):
    """What opens a commitment."""

    card: Card
    salt: bytes


def sealed_card(vault: Vault, stored: Stored, record: PublicRecord) -> Opening | None:
    """What a record's sealed part holds; None where no card was read. Raises `BadSeal`."""
    committed = record.commitment
    if stored.sealed is None or committed is None:
        if (stored.sealed is None) is not (committed is None):
            raise BadSeal(f"record {stored.seq}: its sealed card was taken away, or one put where there was none")
        return None
    inside = json.loads(vault.open(stored.seq, stored.sealed))
    opened = Opening(card(inside["card"]), bytes.fromhex(inside["salt"]))
    if commitment(opened.card.code, opened.salt) != committed:
        raise BadSeal(f"record {stored.seq}: the sealed card is not the one that was committed to")
    return opened


def is_doubt(event: Event) -> bool:
    """Whether this is a shoe that does not know any more which card it reported last."""
    return isinstance(event, f.DeviceSaid) and event.role == "shoe" and event.what == CARD_UNCERTAIN


class Openings:
    """The commitments of the hand in play that can still be opened, and which of them are."""

    def __init__(self, vault: Vault) -> None:
        self._vault = vault
        self._by_draw: dict[int, Opening] = {}
        self._revealed: set[int] = set()

    def remember(self, stored: Stored, record: PublicRecord) -> Card | None:
        """The card of a stored record, or None. Raises `BadSeal`, also for a card that was not committed to."""
        if is_doubt(record.event):
            self.doubt()
        opened = sealed_card(self._vault, stored, record)
        if opened is not None and record.draw is not None:
            self._by_draw[record.draw] = opened
        return opened.card if opened is not None else None

    def were_shown(self, record: PublicRecord) -> None:
        """What a stored record reveals: it is not revealed a second time."""
        self._revealed |= {reveal.draw for reveal in record.reveals}

    def seal(self, seq: int, drawn: Card, draw: int | None) -> tuple[bytes, str]:
        """The sealed part of the record at a position, and the commitment for its public form."""
        salt, code = secrets.token_bytes(SALT_BYTES), drawn.code
        if draw is not None:
            self._by_draw[draw] = Opening(drawn, salt)
        inside = f'{{"card":"{code}","salt":"{salt.hex()}"}}'.encode()
        return self._vault.seal(seq, inside), commitment(code, salt)

    def reveals(self, decisions: tuple[Decision, ...]) -> tuple[Reveal, ...]:
        """Those that the rules show from these decisions on."""
        for said in decisions:
            if isinstance(said, IncidentRaised) and said.observed == READERS_DISAGREE and said.draw is not None:
                self._by_draw.pop(said.draw, None)  # nobody knows which of two readings it is: both stay sealed
        made: list[Reveal] = []
        for draw, slot in faces_up(decisions):
            opening = self._by_draw.get(draw)
            if opening is not None and draw not in self._revealed:
                self._revealed.add(draw)
                made.append(Reveal(draw=draw, slot=slot, card=opening.card, salt=opening.salt.hex()))
        return tuple(made)

    def doubt(self) -> None:
        """Who the card drawn last is is not known any more: whatever is turned up there, it may not be that one."""
        last = max(self._by_draw, default=None)
        if last is not None:
            del self._by_draw[last]

    def forget(self) -> None:
        """A hand is over: its sealed cards stay sealed for ever."""
        self._by_draw.clear()
        self._revealed.clear()


class RecordWriter:
    """One table's journal, for its one writer.

    `software` is the identity of the program, for the first record of each hand, and `currency` what the amounts in it
    are amounts of, None where whoever writes does not know. `openings`, `prompt`, `format_number`
    (`tablectl.journal.format`), whether a hand is open and which head is `missing` (`tablectl.journal.rollback`) come
    from a recovery, where there was one.
    """

    def __init__(
        self,
        store: Store,
        keys: Keys,
        *,
        software: str = "",
        currency: Currency | None = None,
        openings: Openings | None = None,
        prompt: Prompt | None = None,
        format_number: int = FIRST,
        is_in_hand: bool = False,
        missing: MissingHead | None = None,
    ) -> None:
        self._store = store
        self._keys = keys
        self._software = software
        self._currency = currency
        self._openings = openings if openings is not None else Openings(keys.vault)
        #: what the croupier was told last: a note changes nothing of it
        self._prompt = prompt
        self._format_number = format_number
        #: whether members and kinds of notes may be written that version 0.1.0 cannot read
        self.takes_new = format_number >= NEWEST
        self._is_in_hand = is_in_hand
        #: what the table signed and this journal does not have, until somebody accepts it
        self.missing = missing

    @property
    def next_seq(self) -> int:
        """The number the next record will have."""
        return self._store.next_seq

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
        """Append one record; durable when this returns.

        `draw` is the number the engine gave to the card that this fact brought (None where it brought none), `lies`
        that of a card which was known already, and that an antenna saw. `panel` is the device whose key was pressed.
        `carry` is what the next hand needs of this one, given with the record that closes a hand.
        """
        self._prompt = prompt
        seq, sealed, committed = self._store.next_seq, None, None
        if is_doubt(fact):
            self._openings.doubt()
        if isinstance(fact, SEALED_FACTS) and fact.card is not None and self._takes(fact):
            sealed, committed = self._openings.seal(seq, fact.card, draw)
        is_start, concluded = isinstance(fact, f.Opened), {*map(type, decisions)}
        made = PublicRecord(
            seq=seq,
            hand=hand,
            at_us=fact.at_us,
            event=fact,
            commitment=committed,
            draw=draw,
            lies=lies if draw is None else None,
            panel=panel if self.takes_new else None,
            decisions=decisions,
            prompt=self.of_this_format(prompt),
            reveals=self._openings.reveals(decisions),
            keys=self._keys.public() if is_start else None,
            sealed=None if sealed is None else hashlib.sha256(sealed).hexdigest(),
        )
        if is_start or HandOpened in concluded:
            made = self._with_program(made)
        closes = HandClosed in concluded
        self._is_in_hand = (self._is_in_hand or HandOpened in concluded) and not closes
        is_between = self.takes_new and not self._is_in_hand
        is_signed = must_sign(kind_of(type(fact)), closes_hand=closes, is_between=is_between)
        stored = self._append(self._with_carry(made, carry), sealed, is_signed=is_signed)
        if closes:
            self._openings.forget()
        return stored

    def note(self, note: Note, *, hand: int, carry: Carry | None = None) -> Stored:
        """Append a note; durable and signed when this returns. The first one of a volume carries the table over.

        Raises `NotYet` for a kind that the journal does not take before its `format` note.
        """
        if type(note) in NEW_NOTES and not self.takes_new:
            raise NotYet(f"a {type(note).__name__} before the first hand that was closed; ask `takes_new` first")
        made = PublicRecord(seq=self._store.next_seq, hand=hand, at_us=note.at_us, event=note, prompt=self._prompt)
        if isinstance(note, VolumeOpened):
            made = replace(self._with_program(made), keys=self._keys.public())
        stored = self._append(self._with_carry(made, carry), None, is_signed=True)
        if isinstance(note, Format):
            self._format_number = note.number
            self.takes_new = note.number >= NEWEST
        elif isinstance(note, HeadMissing):
            self.missing = note.head
        elif isinstance(note, RollbackAccepted):
            self.missing = None
        return stored

    def go_on_in(self, store: Store) -> None:
        """Write into this volume from now on."""
        self._store = store

    def _with_program(self, made: PublicRecord) -> PublicRecord:
        """Which program writes: what a replay has to know before it calls anything different."""
        if not self.takes_new:
            return replace(made, software=self._software)
        code, exponent = (None, None) if self._currency is None else (self._currency.code, self._currency.exponent)
        return replace(made, software=self._software, versions=OURS, currency=code, currency_exponent=exponent)

    def of_this_format(self, prompt: Prompt | None) -> Prompt | None:
        """The prompt less what version 0.1.0 does not know."""
        if self.takes_new or prompt is None or prompt.legal is None or prompt.legal.stands is UNSET:
            return prompt
        return replace(prompt, legal=replace(prompt.legal, stands=UNSET))

    def _takes(self, fact: f.Fact) -> bool:
        """Whether a fact with a card may be written with it: version 0.1.0 knows of none that a device said."""
        return self.takes_new or not isinstance(fact, f.DeviceSaid)

    def _with_carry(self, made: PublicRecord, carry: Carry | None) -> PublicRecord:
        """What the next hand can be replayed from, which format holds there, and which head is missing."""
        if carry is None:
            return made
        number = self._format_number if self._format_number != FIRST else None
        return replace(made, carry=carry, format=number, missing=self.missing)

    def _append(self, made: PublicRecord, sealed: bytes | None, *, is_signed: bool) -> Stored:
        return self._store.append(
            hand=made.hand,
            boundary=made.carry is not None,
            public=record_bytes(made),
            sealed=sealed,
            signer=self._keys.signer if is_signed else None,
        )


def format_begun(at_us: int) -> Format:
    """The note from which on the journal takes what this version writes."""
    return Format(at_us=at_us, number=NEWEST, needs=VERSIONS[NEWEST])


def volume_opened(at_us: int, volume: int, store: Store) -> VolumeOpened:
    """The first note of a volume: which record, by number and hash, it goes on from."""
    return VolumeOpened(
        at_us=at_us, volume=volume, follows={"seq": store.follows.seq, "hash": store.follows.hash.hex()}
    )


def volume_closed(at_us: int, volume: int) -> VolumeClosed:
    """The last note of a volume."""
    return VolumeClosed(at_us=at_us, volume=volume)

"""The writer of the journal: turns a fact with its decisions into a record, and remembers which cards are sealed."""

from __future__ import annotations

import hashlib
import json
import secrets
from collections.abc import Mapping
from typing import Any, Final, NamedTuple

from tablectl.core.cards import Card, card
from tablectl.core.codec import SEALED_FACTS, SEALED_KINDS, encode_fact, encode_json, to_plain
from tablectl.core.engine import facts as f
from tablectl.core.engine.decisions import Decision, HandClosed, HandOpened
from tablectl.core.engine.equipment import CARD_UNCERTAIN
from tablectl.core.engine.prompts import Prompt
from tablectl.core.engine.table import Carry
from tablectl.core.notes import NEW_NOTES, Format, Note, VolumeClosed, VolumeOpened
from tablectl.core.records import kind_of
from tablectl.core.timestamps import time_text
from tablectl.i18n.currency import Currency
from tablectl.journal.comparing import public_versions
from tablectl.journal.format import FIRST, NEWEST, VERSIONS, NotYet
from tablectl.journal.keys import Keys
from tablectl.journal.record import SALT_BYTES, commitment, faces_up, must_sign
from tablectl.journal.seal import BadSeal, Vault
from tablectl.journal.store import Store, Stored


class Opening(NamedTuple):
    """What opens a commitment."""

    card: Card
    salt: bytes


def sealed_card(vault: Vault, stored: Stored, public: Mapping[str, Any]) -> Opening | None:
    """What a record's sealed part holds; None where no card was read. Raises `BadSeal`."""
    fact = public["fact"]
    committed = fact.get("card") if fact["kind"] in SEALED_KINDS else None
    if stored.sealed is None or committed is None:
        if (stored.sealed is None) is not (committed is None):
            raise BadSeal(f"record {stored.seq}: its sealed card was taken away, or one put where there was none")
        return None
    inside = json.loads(vault.open(stored.seq, stored.sealed))
    opened = Opening(card(inside["card"]), bytes.fromhex(inside["salt"]))
    if commitment(opened.card.code, opened.salt) != committed:
        raise BadSeal(f"record {stored.seq}: the sealed card is not the one that was committed to")
    return opened


#: The kind of what a device said. A card there is another reading of the one before (`DeviceSaid.card`).
DEVICE_SAID: Final = kind_of(f.DeviceSaid)


def is_doubt(role: str, what: str) -> bool:
    """Whether a device that said this is a shoe that does not know any more which card it reported last."""
    return role == "shoe" and what == CARD_UNCERTAIN


class Openings:
    """The commitments of the hand in play that can still be opened, and which of them are."""

    def __init__(self, vault: Vault) -> None:
        self._vault = vault
        self._by_draw: dict[int, Opening] = {}
        self._revealed: set[int] = set()

    def remember(self, stored: Stored, public: Mapping[str, Any]) -> Card | None:
        """The card of a stored record, or None. Raises `BadSeal`, also for a card that was not committed to."""
        fact = public["fact"]
        if fact["kind"] == DEVICE_SAID and is_doubt(fact["role"], fact["what"]):
            self.doubt()
        opened = sealed_card(self._vault, stored, public)
        draw = public["fact"].get("draw")
        if opened is not None and draw is not None:
            self._by_draw[draw] = opened
        return opened.card if opened is not None else None

    def were_shown(self, public: Mapping[str, Any]) -> None:
        """What a stored record reveals: it is not revealed a second time."""
        self._revealed |= {each["draw"] for each in public.get("reveals", ())}

    def seal(self, seq: int, drawn: Card, draw: int | None) -> tuple[bytes, str]:
        """The sealed part of the record at a position, and the commitment for its public form."""
        salt, code = secrets.token_bytes(SALT_BYTES), drawn.code
        if draw is not None:
            self._by_draw[draw] = Opening(drawn, salt)
        inside = f'{{"card":"{code}","salt":"{salt.hex()}"}}'.encode()
        return self._vault.seal(seq, inside), commitment(code, salt)

    def reveals(self, decisions: tuple[Decision, ...]) -> list[dict[str, Any]]:
        """Those that the rules show from these decisions on."""
        made = []
        for draw, slot in faces_up(decisions):
            opening = self._by_draw.get(draw)
            if opening is not None and draw not in self._revealed:
                self._revealed.add(draw)
                made.append({"draw": draw, "slot": slot.name, "card": opening.card.code, "salt": opening.salt.hex()})
        return made

    def doubt(self) -> None:
        """Who the card drawn last is is not known any more: whatever is turned up there, it may not be that one."""
        last = max(self._by_draw, default=None)
        if last is not None:
            del self._by_draw[last]

    def forget(self) -> None:
        """A hand is over: its sealed cards stay sealed for ever."""
        self._by_draw.clear()
        self._revealed.clear()


class Ledger:
    """One table's journal, for its one writer.

    `software` is the identity of the program, for the first record of each hand, and `currency` what the amounts in it
    are amounts of, None where whoever writes does not know. `openings`, `prompt`, `format_number`
    (`tablectl.journal.format`) and whether a hand is open come from a recovery, where there was one.
    """

    def __init__(
        self,
        store: Store,
        keys: Keys,
        *,
        software: str = "",
        currency: Currency | None = None,
        openings: Openings | None = None,
        prompt: Prompt | Mapping[str, Any] | None = None,
        format_number: int = FIRST,
        is_in_hand: bool = False,
    ) -> None:
        self._store = store
        self._keys = keys
        self._software = software
        self._currency = currency
        self._openings = openings if openings is not None else Openings(keys.vault)
        #: what the croupier was told last: a note changes nothing of it
        self._prompt = prompt
        self._format_number = format_number
        self._is_in_hand = is_in_hand

    @property
    def takes_new(self) -> bool:
        """Whether members and kinds of notes may be written that version 0.1.0 cannot read."""
        return self._format_number >= NEWEST

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
    ) -> Stored:
        """Append one record; durable when this returns.

        `draw` is the number the engine gave to the card that this fact brought (None where it brought none), `lies`
        that of a card which was known already, and that an antenna saw. `carry` is what the next hand needs of this
        one, given with the record that closes a hand.
        """
        self._prompt = prompt
        sealed, committed = None, None
        if isinstance(fact, f.DeviceSaid) and is_doubt(fact.role, fact.what):
            self._openings.doubt()
        if isinstance(fact, SEALED_FACTS) and fact.card is not None and self._takes(fact):
            sealed, committed = self._openings.seal(self._store.next_seq, fact.card, draw)
        public = self._public(fact.at_us, hand, encode_fact(fact, committed))
        public["decisions"] = decisions
        if draw is not None:
            public["fact"]["draw"] = draw
        elif lies is not None:
            public["fact"]["lies"] = lies
        if reveals := self._openings.reveals(decisions):
            public["reveals"] = reveals
        if carry is not None:
            public |= self._carried(carry)
        if isinstance(fact, f.Opened):
            public["keys"] = self._keys.public()
        concluded = {*map(type, decisions)}
        if isinstance(fact, f.Opened) or HandOpened in concluded:
            public |= self._program()
        closes = HandClosed in concluded
        self._is_in_hand = (self._is_in_hand or HandOpened in concluded) and not closes
        is_between = self.takes_new and not self._is_in_hand
        is_signed = must_sign(public["fact"]["kind"], closes_hand=closes, is_between=is_between)
        stored = self._append(public, sealed, is_signed=is_signed)
        if closes:
            self._openings.forget()
        return stored

    def note(self, note: Note, *, hand: int, carry: Carry | None = None) -> Stored:
        """Append a note; durable and signed when this returns. The first one of a volume carries the table over.

        Raises `NotYet` for a kind that the journal does not take before its `format` note.
        """
        if type(note) in NEW_NOTES and not self.takes_new:
            raise NotYet(f"a {type(note).__name__} before the first hand that was closed; ask `takes_new` first")
        public = self._public(note.at_us, hand, encode_fact(note))
        if isinstance(note, VolumeOpened):
            public |= {"keys": self._keys.public(), **self._program()}
        if carry is not None:
            public |= self._carried(carry)
        stored = self._append(public, None, is_signed=True)
        if isinstance(note, Format):
            self._format_number = note.number
        return stored

    def go_on_in(self, store: Store) -> None:
        """Write into this volume from now on."""
        self._store = store

    def _program(self) -> dict[str, Any]:
        """Which program writes: what a replay has to know before it calls anything different."""
        said: dict[str, Any] = {"software": self._software}
        if self.takes_new:
            said |= {"versions": public_versions()} | (self._currency.public() if self._currency is not None else {})
        return said

    def _takes(self, fact: f.Fact) -> bool:
        """Whether a fact with a card may be written with it: version 0.1.0 knows of none that a device said."""
        return self.takes_new or not isinstance(fact, f.DeviceSaid)

    def _carried(self, carry: Carry) -> dict[str, Any]:
        """What the next hand can be replayed from, and which format holds there."""
        carried: dict[str, Any] = {"carry": to_plain(carry)}
        if self._format_number != FIRST:
            carried["format"] = self._format_number
        return carried

    def _public(self, at_us: int, hand: int, said: dict[str, Any]) -> dict[str, Any]:
        """What every record says, without decisions yet."""
        return {
            "seq": self._store.next_seq,
            "at": time_text(at_us),
            "hand": hand,
            "fact": said,
            "decisions": [],
            "prompt": self._prompt,
        }

    def _append(self, public: dict[str, Any], sealed: bytes | None, *, is_signed: bool) -> Stored:
        if sealed is not None:
            public["sealed"] = hashlib.sha256(sealed).hexdigest()
        return self._store.append(
            hand=public["hand"],
            boundary="carry" in public,
            public=encode_json(public),
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

"""The writer of the journal: turns a fact with its decisions into a record, and remembers which cards are sealed."""

from __future__ import annotations

import json
import secrets
from dataclasses import dataclass
from typing import Any

from tablectl.cards import Card, card
from tablectl.engine import facts as f
from tablectl.engine.decisions import Decision, HandClosed
from tablectl.engine.prompts import Prompt
from tablectl.engine.table import Carry
from tablectl.journal.record import (
    SALT_BYTES,
    canonical,
    commitment,
    faces_up,
    public_carry,
    public_decision,
    public_fact,
    public_prompt,
    time_text,
)
from tablectl.journal.seal import BadSeal, Vault
from tablectl.journal.store import Store, Stored


@dataclass(frozen=True, slots=True)
class _Opening:
    """What opens a commitment."""

    card: Card
    salt: bytes


def sealed_card(vault: Vault, stored: Stored, public: dict[str, Any]) -> _Opening | None:
    """What a record's sealed part holds; None where no card was read. Raises `BadSeal`."""
    fact = public["fact"]
    committed = fact.get("card") if fact["kind"] in ("drawn", "failed") else None
    if stored.sealed is None or committed is None:
        if (stored.sealed is None) is not (committed is None):
            raise BadSeal(f"record {stored.seq}: its sealed card was taken away, or one put where there was none")
        return None
    inside = json.loads(vault.open(stored.seq, stored.sealed))
    opened = _Opening(card(inside["card"]), bytes.fromhex(inside["salt"]))
    if commitment(opened.card.code, opened.salt) != committed:
        raise BadSeal(f"record {stored.seq}: the sealed card is not the one that was committed to")
    return opened


class Ledger:
    """One table's journal, for its one writer."""

    def __init__(self, store: Store, vault: Vault) -> None:
        self._store = store
        self._vault = vault
        #: openings of the commitments of the hand in play, by draw
        self._openings: dict[int, _Opening] = {}
        self._revealed: set[int] = set()

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
    ) -> Stored:
        """Append one record; durable when this returns.

        `draw` is the number the engine gave to a drawn card (None where it took no new card). `carry` is what the next
        hand needs of this one, given with the record that closes a hand.
        """
        sealed, held = self._seal(fact, draw)
        public: dict[str, Any] = {
            "seq": self._store.next_seq,
            "at": time_text(fact.at_us),
            "hand": hand,
            "fact": public_fact(fact, held),
            "decisions": [public_decision(each) for each in decisions],
            "prompt": public_prompt(prompt),
        }
        if draw is not None:
            public["fact"]["draw"] = draw
        if reveals := self._reveals(decisions):
            public["reveals"] = reveals
        if carry is not None:
            public["carry"] = public_carry(carry)
        closes = any(isinstance(each, HandClosed) for each in decisions)
        stored = self._store.append(hand=hand, closes_hand=closes, public=canonical(public), sealed=sealed)
        if closes:
            self.forget()
        return stored

    def forget(self) -> None:
        """A hand is over: its sealed cards stay sealed for ever."""
        self._openings.clear()
        self._revealed.clear()

    def remember(self, stored: Stored, public: dict[str, Any]) -> Card | None:
        """On recovery: the card of a stored record, or None. Raises `BadSeal`, also for a card not committed to."""
        opened = sealed_card(self._vault, stored, public)
        draw = public["fact"].get("draw")
        if opened is not None and draw is not None:
            self._openings[draw] = opened
        self._revealed |= {each["draw"] for each in public.get("reveals", ())}
        return opened.card if opened is not None else None

    def _seal(self, fact: f.Fact, draw: int | None) -> tuple[bytes | None, str | None]:
        if not isinstance(fact, f.Drawn | f.Failed) or fact.card is None:
            return None, None
        salt = secrets.token_bytes(SALT_BYTES)
        if draw is not None:
            self._openings[draw] = _Opening(fact.card, salt)
        inside = canonical({"card": fact.card.code, "salt": salt.hex()})
        return self._vault.seal(self._store.next_seq, inside), commitment(fact.card.code, salt)

    def _reveals(self, decisions: tuple[Decision, ...]) -> list[dict[str, Any]]:
        made = []
        for draw, slot in faces_up(decisions):
            opening = self._openings.get(draw)
            if opening is not None and draw not in self._revealed:
                self._revealed.add(draw)
                made.append({"draw": draw, "slot": slot.name, "card": opening.card.code, "salt": opening.salt.hex()})
        return made

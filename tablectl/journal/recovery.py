"""From the journal back to a running table: replay the unfinished hand and compare every decision with the record.

Only what follows the last closed hand is replayed, so the time does not grow with the journal.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final, NamedTuple, Protocol

from tablectl.core.codec import UnreadableRecord, decode_carry, decode_fact, encode_fact, encode_json, to_plain
from tablectl.core.engine import facts as f
from tablectl.core.engine.decisions import Decision
from tablectl.core.engine.rulebook import Rulebook
from tablectl.core.engine.table import Table
from tablectl.core.timestamps import time_us
from tablectl.journal.comparing import (
    UNSAID,
    Difference,
    carry_differs,
    decisions_differ,
    prompt_differs,
    reveals_differ,
    versions_of,
)
from tablectl.journal.format import FIRST, NEWEST
from tablectl.journal.ledger import Openings, is_doubt, sealed_card
from tablectl.journal.record import is_note
from tablectl.journal.seal import BadSeal, Vault
from tablectl.journal.store import Store, Stored, chained

#: What a shoe says in the same report as a card: that it stands because it could not read it, that it says it again,
#: that it was drawn while the shoe held its cards.
SAID_WITH_A_CARD: Final = frozenset(("error-mode", "retransmission", "drawn-outside", "card-uncertain"))
#: What became of a command to a shoe: an answer has no number, and the shoe never says it again.
NO_REPORT: Final = frozenset(
    f"{command}-{outcome}" for command in ("lock", "cancel") for outcome in ("accepted", "refused", "unanswered")
)
#: How a drawn card on which the controller broke stands in the record that keeps it.
KEPT_CARD: Final = encode_json(encode_fact(f.Drawn(at_us=0, card=None), None)).decode()


class ReplayDiffers(Exception):
    """The journal and the program do not agree. Nothing may be dealt: the text names the record and what differs."""


class ChainBroken(Exception):
    """A record was changed after it was written. Nothing may be dealt: the text names it."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Replayed:
    """One record of a replay: what it says and what the engine says. `fact` is None for a note."""

    stored: Stored
    public: Mapping[str, Any]
    fact: f.Fact | None
    decisions: list[dict[str, Any]]
    differences: tuple[Difference, ...]

    @property
    def differs(self) -> bool:
        """Whether the record is wrong: it is not what the engine concludes, and no other version explains that."""
        return any(each.since is None for each in self.differences)


class _Told:
    """What the records before said, as far as those after them are compared with it: which versions hold, what the
    croupier was told last, and the table."""

    def __init__(self, rulebook_of: Callable[[f.Setup], Rulebook], software: str = "") -> None:
        self._software = software
        self.table: Table | None = None
        self._rulebook_of = rulebook_of
        self._format = FIRST
        self._versions = UNSAID
        self._prompt: Mapping[str, Any] | None = None

    def resume(self, stored: Stored, public: Mapping[str, Any]) -> None:
        """Begin with the record that carries the table over. Raises `ReplayDiffers`."""
        self.table = _resumed(stored, public, self._rulebook_of)
        self._read(stored, public)
        self._prompt = public["prompt"]

    def note(self, stored: Stored, public: dict[str, Any]) -> tuple[Difference, ...]:
        """A note repeats the prompt, and may carry the table over into a new volume. Raises `ReplayDiffers`."""
        self._read(stored, public)
        told, before = public["prompt"], self._prompt
        self._prompt = told
        found = None if told == before else Difference(seq=stored.seq, what="prompt", recorded=told, now=before)
        return tuple(filter(None, (found, self._carry_differs(stored, public))))

    def fact(self, stored: Stored, public: dict[str, Any], openings: Openings) -> Replayed:
        """One record through the engine. Raises `ReplayDiffers`."""
        self._read(stored, public)
        fact, decisions, self.table = _again(stored, public, openings, self.table, self._rulebook_of)
        told, seq = [to_plain(each) for each in decisions], stored.seq
        self._prompt = public["prompt"]
        found = (
            decisions_differ(seq, public["decisions"], told, self._versions),
            prompt_differs(seq, public["prompt"], to_plain(self.table.prompt()), self._versions),
            reveals_differ(seq, public.get("reveals", []), openings.reveals(decisions)),
            self._carry_differs(stored, public),
        )
        openings.were_shown(public)
        differences = tuple(filter(None, found))
        return Replayed(stored=stored, public=public, fact=fact, decisions=told, differences=differences)

    def _carry_differs(self, stored: Stored, public: Mapping[str, Any]) -> Difference | None:
        if "carry" not in public or self.table is None:
            return None
        return carry_differs(stored.seq, public["carry"], to_plain(self.table.carry()), self._versions)

    def _read(self, stored: Stored, public: Mapping[str, Any]) -> None:
        try:
            self._versions = versions_of(public, self._versions, is_due=self._format >= NEWEST, software=self._software)
            said = public["fact"].get("number") if public["fact"]["kind"] == "format" else public.get("format")
            self._format = max(self._format, int(said or FIRST))
        except (KeyError, TypeError, ValueError) as wrong:
            raise ReplayDiffers(f"record {stored.seq}: its versions are none of this program's ({wrong})") from None


@dataclass(frozen=True, kw_only=True, slots=True)
class Recovered:
    """The table as it was after the newest record, and what the croupier was told there."""

    table: Table
    prompt: Mapping[str, Any]


def recover(
    store: Store, openings: Openings, rulebook_of: Callable[[f.Setup], Rulebook], software: str = ""
) -> Recovered | None:
    """From the last boundary on; None for an empty journal. Raises `ReplayDiffers`, `ChainBroken`."""
    boundary = store.last_boundary()
    before, prompt = store.hash_before(boundary or store.follows.seq + 1), None
    told = _Told(rulebook_of, software)
    for stored in store.records(after=boundary - 1 if boundary else 0):
        if chained(before, stored.public) != stored.hash:
            raise ChainBroken(f"record {stored.seq}: its hash does not follow from the record before; it was changed")
        before = stored.hash
        public = _read(stored)
        prompt = public["prompt"]
        if stored.seq == boundary:
            told.resume(stored, public)
        elif is_note(public["fact"]):
            told.note(stored, public)
        else:
            _must_decide_as_recorded(told.fact(stored, public, openings))
    return Recovered(table=told.table, prompt=prompt) if told.table is not None and prompt is not None else None


def _must_decide_as_recorded(replayed: Replayed) -> None:
    """What else a record says, a whole replay compares. Raises `ReplayDiffers`."""
    for each in replayed.differences:
        if each.since is None and each.what.startswith("decision"):
            raise ReplayDiffers(str(each))


class Source(Protocol):
    """Records to be read: one volume, or all of them."""

    def records(self, *, after: int = 0, hand: int | None = None) -> Iterator[Stored]:
        """Those behind a position, or those of a hand."""

    def boundary_before(self, seq: int) -> int:
        """The last boundary before a position; 0 where there is none."""


def replay(
    source: Source, vault: Vault, rulebook_of: Callable[[f.Setup], Rulebook], *, hand: int | None = None
) -> Iterator[Replayed]:
    """Every record again through the engine, from the beginning (or one hand). Raises `ReplayDiffers`."""
    openings = Openings(vault)
    told = _Told(rulebook_of)
    first = next(source.records(hand=hand), None)
    if first is None:
        return  # no such hand
    after = _behind(source, first) if hand is not None else 0
    for stored in source.records(after=after):
        if hand is not None and stored.hand > hand:
            return
        public = _read(stored)
        if stored.boundary and told.table is None:
            told.resume(stored, public)
        elif is_note(public["fact"]):
            if differences := told.note(stored, public):
                yield Replayed(stored=stored, public=public, fact=None, decisions=[], differences=differences)
        else:
            yield told.fact(stored, public, openings)
            if stored.boundary:
                openings.forget()
            if hand is not None and stored.boundary:
                return


def _behind(source: Source, first: Stored) -> int:
    """Behind which record a replay from this one begins: there stands what the hand before carried over."""
    boundary = first.seq if first.boundary and is_note(_read(first)["fact"]) else source.boundary_before(first.seq)
    return max(0, boundary - 1)


class LastCard(NamedTuple):
    """The shoe's last report: in which hand, which card, and whether the shoe was unsure of it afterwards."""

    hand: int
    drawn: f.Drawn
    is_uncertain: bool


def last_report(newest_first: Iterable[Stored], vault: Vault) -> LastCard | None:
    """The card of the shoe's last report in the journal; None where it said something else since.

    Raises `ReplayDiffers`.
    """
    is_uncertain = False
    for stored in newest_first:
        try:
            public = json.loads(stored.public)
            fact = public["fact"]
            if fact["kind"] == "device-said" and fact["role"] == "shoe" and is_another_report(fact["what"]):
                return None
            is_uncertain = is_uncertain or (fact["kind"] == "device-said" and is_doubt(fact["role"], fact["what"]))
            if _says_a_card(fact):
                opened = sealed_card(vault, stored, public)
                card = opened.card if opened is not None else None
                return LastCard(stored.hand, f.Drawn(at_us=time_us(public["at"]), card=card), is_uncertain)
        except (BadSeal, KeyError, TypeError, ValueError) as wrong:
            raise ReplayDiffers(_told(stored.seq, wrong)) from None
    return None


def is_another_report(what: str) -> bool:
    """Whether a shoe that said this has another last report than a card before it."""
    return what not in SAID_WITH_A_CARD and what not in NO_REPORT


def _says_a_card(fact: Mapping[str, Any]) -> bool:
    """Also the one on which the controller broke."""
    return bool(fact["kind"] == "drawn" or (fact["kind"] == "failed" and fact["fact"] == KEPT_CARD))


def _read(stored: Stored) -> dict[str, Any]:
    """A record's public form, with the parts that a replay needs."""
    try:
        public = json.loads(stored.public)
        if isinstance(public["fact"]["kind"], str) and _is_list_of_decisions(public["decisions"]) and public["at"]:
            return {"prompt": None, **public}
    except (KeyError, RecursionError, TypeError, ValueError):
        pass
    raise ReplayDiffers(f"record {stored.seq}: no record of this program")


def _is_list_of_decisions(told: object) -> bool:
    return isinstance(told, list) and all(isinstance(each, dict) for each in told)


def _again(
    stored: Stored,
    public: dict[str, Any],
    openings: Openings,
    table: Table | None,
    rulebook_of: Callable[[f.Setup], Rulebook],
) -> tuple[f.Fact, tuple[Decision, ...], Table]:
    """One record through the engine. Without a table it has to be the one that opens the first one."""
    try:
        fact = decode_fact(public["fact"], time_us(public["at"]), openings.remember(stored, public))
    except (UnreadableRecord, BadSeal) as wrong:
        raise ReplayDiffers(_told(stored.seq, wrong)) from None
    except (KeyError, TypeError, ValueError) as wrong:
        raise ReplayDiffers(f"record {stored.seq}: no record of this program ({type(wrong).__name__})") from None
    if table is None:
        if not isinstance(fact, f.Opened):
            raise ReplayDiffers(f"record {stored.seq}: a journal begins with the opening of the table")
        table = Table(fact.setup, _known(rulebook_of, stored.seq))
    try:
        return fact, table.apply(fact), table
    except ReplayDiffers:
        raise
    except Exception as bug:
        what = f"this program breaks on it ({type(bug).__name__}), recorded was {public['decisions']}"
        raise ReplayDiffers(f"record {stored.seq}: {what}") from bug


def _told(seq: int, wrong: Exception) -> str:
    text = str(wrong)
    return text if text.startswith(f"record {seq}:") else f"record {seq}: {text}"


def _known(rulebook_of: Callable[[f.Setup], Rulebook], seq: int) -> Callable[[f.Setup], Rulebook]:
    """`rulebook_of`, where a rulebook that this program does not have is a difference."""

    def known(setup: f.Setup) -> Rulebook:
        try:
            return rulebook_of(setup)
        except KeyError:
            raise ReplayDiffers(f"record {seq}: the rulebook {setup.rulebook!r} is none of this program's") from None

    return known


def _resumed(stored: Stored, public: Mapping[str, Any], rulebook_of: Callable[[f.Setup], Rulebook]) -> Table:
    try:
        carry = decode_carry(public["carry"])
    except (KeyError, TypeError, ValueError) as wrong:
        what = f"no end of a hand that this program can go on from ({wrong})"
        raise ReplayDiffers(f"record {stored.seq}: {what}") from None
    return Table.resume(carry, _known(rulebook_of, stored.seq))

"""From the journal back to a running table: replay the unfinished hand and compare every decision with the record.

Only what follows the last closed hand is replayed, so the time does not grow with the journal.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final, NamedTuple, Protocol

from tablectl.core.engine import facts as f
from tablectl.core.engine.decisions import Decision
from tablectl.core.engine.prompt import Prompt
from tablectl.core.engine.rulebook import Rulebook
from tablectl.core.engine.table import Table
from tablectl.core.events.codec import (
    UnreadableRecord,
    decode_carry,
    decode_prompt,
    encode_fact,
    encode_json,
    to_plain,
    with_card,
)
from tablectl.core.events.notes import Format
from tablectl.core.events.stream import Conclusion, Event, PublicRecord, Written, concluded, decode_written
from tablectl.journal.comparing import (
    UNSAID,
    Difference,
    as_changed,
    carry_differs,
    decisions_differ,
    prompt_differs,
    reveals_differ,
    takes_another_course,
    versions_of,
)
from tablectl.journal.format import FIRST, NEWEST
from tablectl.journal.seal import BadSeal, Vault
from tablectl.journal.store import Store, Stored, chained
from tablectl.journal.writer import Openings, is_doubt, sealed_card

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
    """One record of a replay: what it says and what the engine says. `fact` is None for a note. What followed is in
    `decisions` alone, not in `record`."""

    stored: Stored
    record: PublicRecord
    fact: f.Fact | None
    decisions: tuple[Conclusion, ...]
    differences: tuple[Difference, ...]
    #: by rules of today the hand takes another course than it was recorded
    is_of_another_course: bool = False

    @property
    def differs(self) -> bool:
        """Whether the record is wrong: it is not what the engine concludes, and no other version explains that."""
        return any(difference.since is None for difference in self.differences)


class _Told:
    """What the records before said, as far as those after them are compared with it: which versions hold, what the
    croupier was told last, and the table."""

    def __init__(self, rulebook_of: Callable[[f.Setup], Rulebook], software: str = "") -> None:
        self._software = software
        self.table: Table | None = None
        self._rulebook_of = rulebook_of
        self._format = FIRST
        self._versions = UNSAID
        #: what the croupier was told last, as it stands in the record
        self.prompt: Mapping[str, Any] | None = None
        #: by the rules of this version the hand in play takes another course than by those of the record
        self.is_another_course = False

    def resume(self, stored: Stored, told: Written) -> None:
        """Begin with the record that carries the table over. Raises `ReplayDiffers`."""
        self.table = _resumed(stored, told, self._rulebook_of)
        self._read(stored, told)
        self.prompt = told.prompt

    def note(self, stored: Stored, told: Written) -> tuple[Difference, ...]:
        """A note repeats the prompt, and may carry the table over into a new volume. Raises `ReplayDiffers`."""
        self._read(stored, told)
        before, self.prompt = self.prompt, told.prompt
        is_same = told.prompt == before or _prompt(stored, told.prompt) == _prompt(stored, before)
        found = None if is_same else Difference(seq=stored.seq, what="prompt", recorded=told.prompt, now=before)
        return tuple(filter(None, (found, self._carry_differs(stored, told))))

    def fact(self, stored: Stored, told: Written, openings: Openings) -> Replayed:
        """One record through the engine. Raises `ReplayDiffers`."""
        self._read(stored, told)
        fact, decisions, self.table = _again(stored, told, openings, self.table, self._rulebook_of)
        seq, conclusions = stored.seq, tuple(map(concluded, decisions))
        self.prompt = told.prompt
        found = (
            decisions_differ(seq, told.decisions, conclusions, self._versions),
            prompt_differs(seq, told.prompt, to_plain(self.table.prompt()), self._versions),
            reveals_differ(seq, told.record.reveals, openings.reveals(decisions)),
            self._carry_differs(stored, told),
        )
        openings.were_shown(told.record)
        differences = tuple(filter(None, found))
        if self.is_another_course or takes_another_course(told.decisions, conclusions, self._versions):
            self.is_another_course = True
            differences = tuple(as_changed(difference, self._versions) for difference in differences)
        is_other = self.is_another_course
        if is_other and told.carry is not None:
            # The next hand begins with what this one left, as it was played.
            self.table, self.is_another_course = _resumed(stored, told, self._rulebook_of), False
        return Replayed(
            stored=stored,
            record=told.record,
            fact=fact,
            decisions=conclusions,
            differences=differences,
            is_of_another_course=is_other,
        )

    def _carry_differs(self, stored: Stored, told: Written) -> Difference | None:
        if told.carry is None or self.table is None:
            return None
        return carry_differs(stored.seq, told.carry, to_plain(self.table.carry()), self._versions)

    def _read(self, stored: Stored, told: Written) -> None:
        record = told.record
        try:
            is_due = self._format >= NEWEST
            self._versions = versions_of(record, self._versions, is_due=is_due, software=self._software)
        except ValueError as wrong:
            raise ReplayDiffers(f"record {stored.seq}: its versions are none of this program's ({wrong})") from None
        said = record.event.number if isinstance(record.event, Format) else record.format
        self._format = max(self._format, said or FIRST)


@dataclass(frozen=True, kw_only=True, slots=True)
class Recovered:
    """The table as it was after the newest record, and what the croupier was told there."""

    table: Table
    prompt: Prompt


def recover(
    store: Store, openings: Openings, rulebook_of: Callable[[f.Setup], Rulebook], software: str = ""
) -> Recovered | None:
    """From the last boundary on; None for an empty journal. Raises `ReplayDiffers`, `ChainBroken`."""
    boundary, last = store.last_boundary(), None
    before = store.hash_before(boundary or store.follows.seq + 1)
    told = _Told(rulebook_of, software)
    for stored in store.records(after=boundary - 1 if boundary else 0):
        if chained(before, stored.public) != stored.hash:
            raise ChainBroken(f"record {stored.seq}: its hash does not follow from the record before; it was changed")
        before, last = stored.hash, stored
        written = _written(stored)
        if stored.seq == boundary:
            told.resume(stored, written)
        elif written.record.is_note:
            told.note(stored, written)
        else:
            _must_decide_as_recorded(told.fact(stored, written, openings))
            if told.is_another_course:
                raise ReplayDiffers(
                    f"record {stored.seq}: by this program's rules the hand in play goes on in another way; "
                    "it has to be played to its end with the program that began it"
                )
    prompt = None if last is None else _prompt(last, told.prompt)
    return Recovered(table=told.table, prompt=prompt) if told.table is not None and prompt is not None else None


def _must_decide_as_recorded(replayed: Replayed) -> None:
    """What else a record says, a whole replay compares. Raises `ReplayDiffers`."""
    for difference in replayed.differences:
        if difference.since is None and difference.what.startswith("decision"):
            raise ReplayDiffers(str(difference))


class Source(Protocol):
    """Records to be read: one volume, or all of them."""

    def records(self, *, after: int = 0, hand: int | None = None) -> Iterator[Stored]:
        """Those after a position, or those of a hand."""

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
    after = _after(source, first) if hand is not None else 0
    for stored in source.records(after=after):
        if hand is not None and stored.hand > hand:
            return
        written = _written(stored)
        if stored.boundary and told.table is None:
            told.resume(stored, written)
        elif written.record.is_note:
            if differences := told.note(stored, written):
                yield Replayed(stored=stored, record=written.record, fact=None, decisions=(), differences=differences)
        else:
            yield told.fact(stored, written, openings)
            if stored.boundary:
                openings.forget()
            if hand is not None and stored.boundary:
                return


def _after(source: Source, first: Stored) -> int:
    """After which record a replay from this one begins: there stands what the hand before carried over."""
    boundary = first.seq if first.boundary and _written(first).record.is_note else source.boundary_before(first.seq)
    return max(0, boundary - 1)


class LastCard(NamedTuple):
    """The shoe's last report: in which hand, which card, and whether the shoe was not sure of it afterwards."""

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
            record = stored.decoded()
            event = record.event
            if isinstance(event, f.DeviceSaid) and event.role == "shoe" and is_another_report(event.what):
                return None
            is_uncertain = is_uncertain or is_doubt(event)
            if _says_a_card(event):
                opened = sealed_card(vault, stored, record)
                card = opened.card if opened is not None else None
                return LastCard(stored.hand, f.Drawn(at_us=record.at_us, card=card), is_uncertain)
        except (BadSeal, UnreadableRecord) as wrong:
            raise ReplayDiffers(_told(stored.seq, wrong)) from None
    return None


def is_another_report(what: str) -> bool:
    """Whether a shoe that said this has another last report than a card before it."""
    return what not in SAID_WITH_A_CARD and what not in NO_REPORT


def _says_a_card(event: Event) -> bool:
    """Also the one on which the controller broke."""
    return isinstance(event, f.Drawn) or (isinstance(event, f.Failed) and event.fact == KEPT_CARD)


def _written(stored: Stored) -> Written:
    try:
        return decode_written(stored.public)
    except UnreadableRecord as wrong:
        raise ReplayDiffers(_told(stored.seq, wrong)) from None


def _prompt(stored: Stored, prompt: Mapping[str, Any] | None) -> Prompt | None:
    """What the croupier was told, with what an older program did not write. Raises `ReplayDiffers`."""
    try:
        return None if prompt is None else decode_prompt(prompt)
    except UnreadableRecord as wrong:
        raise ReplayDiffers(_told(stored.seq, wrong)) from None


def _again(
    stored: Stored,
    told: Written,
    openings: Openings,
    table: Table | None,
    rulebook_of: Callable[[f.Setup], Rulebook],
) -> tuple[f.Fact, tuple[Decision, ...], Table]:
    """One record through the engine. Without a table it has to be the one that opens the first one."""
    fact = _fact(stored, told.record, openings)
    if table is None:
        if not isinstance(fact, f.Opened):
            raise ReplayDiffers(f"record {stored.seq}: a journal begins with the opening of the table")
        table = Table(fact.setup, _known(rulebook_of, stored.seq))
    try:
        return fact, table.apply(fact), table
    except ReplayDiffers:
        raise
    except Exception as bug:
        recorded = [decision.members for decision in told.decisions]
        what = f"this program breaks on it ({type(bug).__name__}), recorded was {recorded}"
        raise ReplayDiffers(f"record {stored.seq}: {what}") from bug


def _fact(stored: Stored, record: PublicRecord, openings: Openings) -> f.Fact:
    """The fact of a record with its card. Raises `ReplayDiffers`."""
    if not isinstance(record.event, f.Fact):
        raise ReplayDiffers(f"record {stored.seq}: fact of kind {record.kind!r}")
    try:
        return with_card(record.event, openings.remember(stored, record))
    except BadSeal as wrong:
        raise ReplayDiffers(_told(stored.seq, wrong)) from None


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


def _resumed(stored: Stored, told: Written, rulebook_of: Callable[[f.Setup], Rulebook]) -> Table:
    if told.carry is None:
        raise ReplayDiffers(f"record {stored.seq}: no end of a hand that this program can go on from")
    try:
        carry = decode_carry(told.carry)
    except UnreadableRecord as wrong:
        what = f"no end of a hand that this program can go on from ({wrong})"
        raise ReplayDiffers(f"record {stored.seq}: {what}") from None
    return Table.resume(carry, _known(rulebook_of, stored.seq))

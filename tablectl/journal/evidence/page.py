"""The page that a lawyer can read: one file, nothing in it from elsewhere, in one language."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache
from importlib.resources import files
from typing import Final

from jinja2 import Environment, FileSystemLoader, StrictUndefined, Template

from tablectl.core.engine.decisions import (
    CardTurned,
    IncidentClosed,
    IncidentEscalated,
    IncidentRaised,
    IncidentSeen,
)
from tablectl.core.engine.facts import Drawn, Failed, Ruled
from tablectl.core.events.stream import Unknown
from tablectl.core.records import kind_of
from tablectl.games.registry import CIRCLE_GAMES, choices_of
from tablectl.i18n import times
from tablectl.i18n.describe import clause_of, conclusions, describe_decision, describe_fact
from tablectl.i18n.table_texts import TableTexts, rank_of, sign_of
from tablectl.i18n.texts import load_texts
from tablectl.journal.evidence.hand import Hand, Recorded
from tablectl.journal.evidence.origin import Origin
from tablectl.journal.evidence.result import Card, Result, result
from tablectl.journal.evidence.style import record_style

#: The steps of checking that the page names.
_STEPS: Final = ("1", "2", "3", "4", "5")


class EvidenceTexts(TableTexts):
    """A lawyer has to know what a number is an amount of: its currency, or that no record says one."""

    __slots__ = ()

    def money(self, amount: int | None) -> str:
        """With the currency; otherwise named as a number of the smallest unit."""
        text = super().money(amount)
        return text if self.currency is not None or not text else self.page("smallest-unit", amount=text)


@dataclass(frozen=True, kw_only=True, slots=True)
class Entry:
    """A record on the time line, in sentences."""

    seq: int
    at: str
    happened: str
    followed: tuple[tuple[str, str, str | None], ...]
    card: Card | None
    digest: str | None
    is_signed: bool


@dataclass(kw_only=True, slots=True)
class Incident:
    """An incident of the hand, from the record that raised it to the one that closed it."""

    raised: IncidentRaised
    at: str
    remedies: tuple[str, ...]
    closed: IncidentClosed | None = None
    closed_at: str = ""
    ruling: Ruled | None = None
    seen: list[tuple[str, str]] = field(default_factory=list)

    def title(self, t: TableTexts) -> str:
        """What it is, in three or four words."""
        return t.incident_title(self.raised.expected, self.raised.observed, self.remedies)


def page(hand: Hand, origin: Origin) -> str:
    """The whole page."""
    setup = hand.setup
    texts, rulebook = load_texts("tablectl.journal.evidence"), setup.rulebook
    t = EvidenceTexts(language=origin.language, texts=texts, rulebook=rulebook, currency=hand.currency)
    end = result(hand)
    entries = tuple(_entries(hand, end, t))
    incidents = _incidents(hand)
    cited = dict.fromkeys(clause for entry in entries for _, _, clause in entry.followed if clause is not None)
    zone = origin.timezone
    return _template().render(
        clock=lambda at: times.hour(at, zone, to="milliseconds"),
        day=lambda at: times.local(at, zone).date().isoformat(),  # as RFC 3339 has it
        hand=hand,
        origin=origin,
        setup=setup,
        version=hand.version,
        choices=choices_of(rulebook),
        end=end,
        is_for_pots=rulebook in CIRCLE_GAMES,
        entries=entries,
        incidents=incidents,
        cited=tuple(cited),
        steps=_STEPS,
        style=record_style(),
        t=t,
    )


@cache
def _template() -> Template:
    templates = Environment(
        loader=FileSystemLoader(str(files("tablectl.journal.evidence"))),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    templates.filters.update(rank=rank_of, suit_sign=sign_of)
    return templates.get_template("page.html")


def _entries(hand: Hand, end: Result, t: TableTexts) -> Iterator[Entry]:
    sealed_in = {told.record.draw: told.stored.seq for told in hand.records if told.record.draw is not None}
    for record in hand.records:
        draw, commitment = record.record.draw, record.record.commitment
        yield Entry(
            seq=record.stored.seq,
            at=record.record.at,
            happened=describe_fact(t, record.record),
            followed=tuple(_followed(record, t, sealed_in)),
            card=None if draw is None else end.card(draw, is_read=commitment is not None),
            digest=commitment if isinstance(record.event, Drawn | Failed) else None,
            is_signed=record.signature is not None,
        )


def _followed(record: Recorded, t: TableTexts, sealed_in: Mapping[int, int]) -> Iterator[tuple[str, str, str | None]]:
    made = record.record
    shown = {shown_card.slot for shown_card in made.reveals}
    for said in conclusions(made):
        if isinstance(said, CardTurned) and said.slot in shown:
            continue  # the card itself is told below
        told = describe_decision(t, said, entry=made.entry)
        kind = said.kind if isinstance(said, Unknown) else kind_of(type(said))
        yield kind, told, clause_of(said)
    for reveal in made.reveals:
        place, card, seq = reveal.slot.name, reveal.card.code, sealed_in[reveal.draw]
        yield "reveal", t.page("shown", place=t.place(place), card=t.card(card), seq=seq), None


def _incidents(hand: Hand) -> tuple[Incident, ...]:
    found: dict[int, Incident] = {}
    for record in hand.as_it_stands():
        at = record.record.at
        for said in record.record.decisions:
            match said:
                case IncidentRaised(incident=number):
                    # The same number again: it turned out to be another one than was taken.
                    since = found[number].at if number in found else at
                    found[number] = Incident(raised=said, at=since, remedies=said.remedies)
                case IncidentEscalated(incident=number) if number in found:
                    found[number].remedies = said.remedies
                case IncidentClosed(incident=number) if number in found:
                    found[number].closed, found[number].closed_at = said, at
                    found[number].ruling = record.event if isinstance(record.event, Ruled) else None
                case IncidentSeen(incident=number) if number in found:
                    found[number].seen.append((said.by, at))
    return tuple(found.values())

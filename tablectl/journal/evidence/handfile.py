"""A journalled hand as a hand file (`docs/hand-files.md`), from its public form alone: a card that the rules never
showed stands in it as `sealed`, and the file comes out the same all the same."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Final

from tablectl.core.cards import Card, card
from tablectl.core.engine import facts as f
from tablectl.core.engine.decisions import CardPlaced, IncidentRaised, Refused
from tablectl.core.events.codec import UnreadableRecord
from tablectl.core.events.stream import encode_event, known_decisions
from tablectl.core.records import KIND
from tablectl.journal.evidence.hand import Hand, Recorded
from tablectl.journal.handfile.decisions import ANY_FLOAT, decision_lines
from tablectl.journal.handfile.facts import AT, UNREAD, fact_line, seconds_word
from tablectl.journal.handfile.file import escaped
from tablectl.journal.handfile.header_lines import header_lines
from tablectl.journal.handfile.sealed import HIDDEN, REPEATED, SEALED, SEALED_AGAIN, STRAY, Count, nth_draw
from tablectl.journal.handfile.settings import game_of, settings_words
from tablectl.journal.handfile.tokens import joined

#: Of a card that had come before: a second one with its face, or the same out of the deck (FCD-IRR-9).
_ELSEWHERE: Final = ("52-different-cards", "same-card-again"), ("last-of-the-stub", "card")
_REPEATED: Final = "repeated-report"
#: What came so long before time passed for the engine, in microseconds, has nothing to do with it.
_WAITS_US: Final = 10_000_000
#: A hand was closed before anybody worked out what it did to the float where this is not in its record.
_FLOAT: Final = b'"float_change"'


def hand_file(hand: Hand) -> str:
    """The whole file. Raises `UnreadableRecord`."""
    carry = hand.beginning()
    lines = [f"# {escaped(carry.setup.table)}, hand {hand.number}, from {hand.records[0].record.at}"]
    lines += map(escaped, header_lines(carry))
    lines += _Body(hand).lines()
    return "\n".join(lines) + "\n"


class _Body:
    """The facts with their decisions, in order."""

    def __init__(self, hand: Hand) -> None:
        self._hand = hand
        #: codes that may be told, by draw: what the rules showed, and what a person named
        self._open = hand.revealed()
        self._draws = 0
        self._slots: dict[str, int] = {}
        #: what number the file gives to the card of each draw
        self._setup = hand.beginning().setup
        self._count = Count(self._setup.equipment)
        self._numbers: dict[int, int] = {}
        #: codes that stand in the file as those of cards that were drawn
        self._told: set[str] = set()
        #: when time passed for the engine, and when the last fact of this file came
        self._passed_us = [record.event.at_us for record in hand.records if isinstance(record.event, f.TimePassed)]
        self._last_us = 0

    def lines(self) -> Iterator[str]:
        """As they stand in the file."""
        for record in self._hand.records:
            if record.record.is_note:
                yield f"# {_told(record)}"
                continue
            self._draws = max(self._draws, record.record.draw or 0)
            fact = self._fact(record)
            words = (escaped(self._line(record, fact)), self._later(fact))
            line = joined(*(words if isinstance(fact, f.TimePassed) else words[::-1]))
            yield f"> {line}{_note(record)}"
            decisions = known_decisions(record.record)
            is_float_unknown = _FLOAT not in record.stored.public
            for text in decision_lines(fact, decisions, last_draw=self._draws, with_who=True):
                unknown = is_float_unknown and text.startswith("hand-closed ")
                yield f"< {escaped(text)}{ANY_FLOAT if unknown else ''}"
            self._learn(record, fact)

    def _later(self, fact: f.Fact) -> str | None:
        """How much later than the fact before it came, where the engine waited for time to pass."""
        after_us, self._last_us = max(0, fact.at_us - self._last_us), fact.at_us
        waits = any(fact.at_us <= passed_us <= fact.at_us + _WAITS_US for passed_us in self._passed_us)
        return seconds_word(after_us) if waits and 0 < after_us <= _WAITS_US else None

    def _fact(self, record: Recorded) -> f.Fact:
        event, code = record.event, self._open.get(record.record.draw or 0)
        if code is not None and isinstance(event, f.Drawn | f.Seen | f.Gone | f.Failed):
            return replace(event, card=card(code))
        if not isinstance(event, f.Fact):
            raise UnreadableRecord(f"record {record.stored.seq}: an event of kind {record.record.kind!r} is no fact")
        return event

    def _learn(self, record: Recorded, fact: f.Fact) -> None:
        """Which card a person said an unread one is."""
        for placed in record.said(CardPlaced):
            self._slots[placed.slot.name] = placed.draw
        if isinstance(fact, f.Named) and not record.said(Refused) and fact.slot in self._slots:
            self._open[self._slots[fact.slot]] = fact.card.code

    def _line(self, record: Recorded, fact: f.Fact) -> str:
        raised = record.said(IncidentRaised)
        elsewhere = any((incident.expected, incident.observed) in _ELSEWHERE for incident in raised)
        match fact:
            case f.Drawn():
                code, hidden = self._code(record, fact, elsewhere=elsewhere)
                self._number(record, "draw", code)
                return f"draw {code} {HIDDEN if hidden else ''}".rstrip()
            case f.Failed() if record.record.commitment is not None:
                code, hidden = self._code(record, fact, elsewhere=elsewhere)
                self._number(record, "fault", code)
                return f"fault card={code}{f',{HIDDEN}' if hidden else ''} {fact.error}"
            case f.Named() | f.Corrected(card=Card()):
                return self._named(record, fact, elsewhere=elsewhere)
            case f.Seen():
                code, hidden = self._seen(record, elsewhere=elsewhere)
                self._number(record, "seen", code)
                at = None if fact.position is None else f"{AT}{fact.position}"
                return joined("seen", fact.spot, code, HIDDEN if hidden else None, at)
            case f.Gone():
                code = self._lying(record)
                self._number(record, "gone", code)
                return f"gone {fact.spot} {code}"
            case f.Opened():
                return joined(fact_line(fact), *settings_words(self._setup, fact.setup))
            case f.GameChosen():
                base = game_of(fact.setup.rulebook, self._setup)
                return joined(fact_line(fact), *settings_words(base, fact.setup))
            case _:
                return fact_line(fact)

    def _named(self, record: Recorded, fact: f.Named | f.Corrected, *, elsewhere: bool) -> str:
        """Which card a person said it is, and whether the same one lies hidden."""
        assert fact.card is not None, "a card was named"
        code, line = fact.card.code, fact_line(fact)
        self._number(record, "name", code)
        return line.replace(f" {code} ", f" {code} {HIDDEN} ", 1) if elsewhere and code not in self._told else line

    def _number(self, record: Recorded, verb: str, code: str) -> None:
        draw = record.record.draw
        if self._count.brings(verb, code) and draw is not None:
            self._numbers[draw] = self._count.drawn

    def _seen(self, record: Recorded, *, elsewhere: bool) -> tuple[str, bool]:
        """As `_lying`; a card that came with it may have been drawn before, all the same (`elsewhere`)."""
        is_new = elsewhere and record.record.draw is not None
        is_told = self._open.get(record.record.draw or 0) in self._told
        code = self._lying(record)
        if not is_new:
            return code, False
        return (SEALED_AGAIN, False) if code == SEALED else (code, not is_told)

    def _lying(self, record: Recorded) -> str:
        """What an antenna saw or missed: a card that may be told, else one of the file by its number, or a new one."""
        if record.record.commitment is None:
            return UNREAD
        draw = record.record.lies if record.record.draw is None else record.record.draw
        if draw is None:
            return STRAY
        if draw in self._open:
            self._told.add(self._open[draw])
            return self._open[draw]
        return nth_draw(self._numbers[draw]) if draw in self._numbers else SEALED

    def _code(self, record: Recorded, fact: f.Drawn | f.Failed, *, elsewhere: bool) -> tuple[str, bool]:
        """The card where the rules showed it later, and whether the same one lies hidden; otherwise only what followed
        from it."""
        if any(refused.detail == _REPEATED for refused in record.said(Refused)):
            return REPEATED, False
        if record.record.commitment is None:
            return UNREAD, False
        if fact.card is None:
            return (SEALED_AGAIN if elsewhere else SEALED), False
        code, hidden = fact.card.code, elsewhere and fact.card.code not in self._told
        self._told.add(code)
        return code, hidden


def _told(record: Recorded) -> str:
    """A note of the journal's own life: it passes no engine, so it is a note of the file, too."""
    members = sorted(encode_event(record.record).items())
    said = " ".join(f"{name}={value}" for name, value in members if name not in (KIND, "request", "signature"))
    return " ".join(f"{record.record.at} {record.record.kind} {said}".split())


def _note(record: Recorded) -> str:
    """What a fault kept of the fact on which it happened."""
    kept = record.event.fact if isinstance(record.event, f.Failed) else ""
    return f"  # {' '.join(kept.split())}" if kept else ""

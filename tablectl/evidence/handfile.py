"""A journalled hand as a hand file (`docs/hand-files.md`), from its public form alone: a card that the rules never
showed stands in it as `sealed`, and the file comes out the same all the same."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import chain
from typing import Final

from tablectl.cards import card
from tablectl.engine import facts as f
from tablectl.engine.table import Carry
from tablectl.engine.words import Tracking
from tablectl.evidence.hand import Hand, Recorded
from tablectl.handfile import (
    HIDDEN,
    NO_LIMIT,
    REPEATED,
    SEALED,
    SEALED_AGAIN,
    UNREAD,
    decision_lines,
    escaped,
    fact_line,
)
from tablectl.journal.record import decision_of, fact_of, is_note, time_us

_NO_LIMITS: Final = f.Limits(least=0, most=NO_LIMIT)
_ELSEWHERE: Final = "same-card-again"
_REPEATED: Final = "repeated-report"


def hand_file(hand: Hand) -> str:
    """The whole file. Raises `UnreadableRecord`."""
    carry = hand.beginning()
    lines = [f"# {escaped(carry.setup.table)}, hand {hand.number}, from {hand.records[0].public['at']}"]
    lines += map(escaped, _header(carry))
    lines += _Body(hand).lines()
    return "\n".join(lines) + "\n"


def _header(carry: Carry) -> Iterator[str]:
    setup = carry.setup
    yield f"rulebook {setup.rulebook}"
    yield f"table {setup.table}"
    yield f"hand {carry.hand + 1}"
    yield f"places {setup.seats}"
    if setup.tracking is not Tracking.AMOUNTS:
        yield f"tracking {setup.tracking}"
    for bet, limits in setup.limits.items():
        if limits != _NO_LIMITS:
            yield f"limits {bet} {limits.least}..{limits.most}"
    for key, value in setup.profile.items():
        yield f"profile {key}={value}"
    if carry.previous:
        yield f"seats {_listed(carry.previous)}"
    for seat, bets in carry.previous.items():
        if bets:
            yield f"previous {seat} {_listed(each for each in chain.from_iterable(bets.items()) if each is not None)}"
    if carry.n_incidents:
        yield f"incidents {carry.n_incidents}"
    if carry.unseen:
        yield f"unseen {_listed(carry.unseen)}"
    if carry.shoe_lost is not None:
        yield f"shoe-lost {carry.shoe_lost}"


def _listed(words: Iterable[object]) -> str:
    return " ".join(map(str, words))


class _Body:
    """The facts with their decisions, in order."""

    def __init__(self, hand: Hand) -> None:
        self._hand = hand
        self._revealed = hand.revealed()
        self._draws = 0
        #: codes that stand in the file as those of cards that were drawn
        self._told: set[str] = set()

    def lines(self) -> Iterator[str]:
        """As they stand in the file."""
        for record in self._hand.records:
            if is_note(record.fact):
                yield f"# {_told(record)}"
                continue
            self._draws = record.fact.get("draw", self._draws)
            fact = self._fact(record)
            yield f"> {escaped(self._line(record, fact))}{_note(record)}"
            decisions = tuple(map(decision_of, record.public["decisions"]))
            for each in decision_lines(fact, decisions, last_draw=self._draws):
                yield f"< {escaped(each)}"

    def _fact(self, record: Recorded) -> f.Fact:
        code = self._revealed.get(record.fact.get("draw", 0))
        return fact_of(record.fact, time_us(record.public["at"]), card(code) if code is not None else None)

    def _line(self, record: Recorded, fact: f.Fact) -> str:
        elsewhere = any(each["observed"] == _ELSEWHERE for each in record.said("incident-raised"))
        match fact:
            case f.Drawn():
                code, hidden = self._code(record, fact, elsewhere=elsewhere)
                return f"draw {code} {HIDDEN if hidden else ''}".rstrip()
            case f.Failed() if record.fact["card"] is not None:
                code, hidden = self._code(record, fact, elsewhere=elsewhere)
                return f"fault card={code}{f',{HIDDEN}' if hidden else ''} {fact.error}"
            case f.Named() if elsewhere and fact.card.code not in self._told:
                return f"name {fact.slot} {fact.card.code} {HIDDEN} by {fact.by}"
            case _:
                return fact_line(fact)

    def _code(self, record: Recorded, fact: f.Drawn | f.Failed, *, elsewhere: bool) -> tuple[str, bool]:
        """The card where the rules showed it later, and whether the same one lies hidden; otherwise only what followed
        from it."""
        if any(each["detail"] == _REPEATED for each in record.said("refused")):
            return REPEATED, False
        if record.fact["card"] is None:
            return UNREAD, False
        if fact.card is None:
            return (SEALED_AGAIN if elsewhere else SEALED), False
        code, hidden = fact.card.code, elsewhere and fact.card.code not in self._told
        self._told.add(code)
        return code, hidden


def _told(record: Recorded) -> str:
    """A note of the journal's own life: it passes no engine, so it is a note of the file, too."""
    said = " ".join(
        f"{name}={each}" for name, each in record.fact.items() if name not in ("kind", "request", "signature")
    )
    return " ".join(f"{record.public['at']} {record.fact['kind']} {said}".split())


def _note(record: Recorded) -> str:
    """What a fault kept of the fact on which it happened."""
    kept = record.fact.get("fact") if record.fact["kind"] == "failed" else None
    return f"  # {' '.join(str(kept).split())}" if kept else ""

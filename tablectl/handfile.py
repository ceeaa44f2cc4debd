"""Hand files: a hand as text that a pit boss can read (`docs/hand-files.md` has the grammar).

A header, then facts (`>`) with the decisions (`<`) that must follow from each, compared exactly. A decision that only
repeats its fact (the bet that was just entered) is not written.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import chain
from typing import Any, Final, TypeVar

from tablectl.cards import DECK, Card, NotACard, card
from tablectl.engine import decisions as d
from tablectl.engine import facts as f
from tablectl.engine.rulebook import Rulebook
from tablectl.engine.seats import SEATED
from tablectl.engine.slots import MAX_SEATS
from tablectl.engine.table import Carry, Table
from tablectl.engine.words import Chooser, Declaration, Equipment, Key, Remedy, Tracking

_N = TypeVar("_N", str, int)
_T = TypeVar("_T")

UNREAD: Final = "??"
#: What stands for a card that the file does not tell: one that was read and never shown; such a card that had been
#: drawn before; the shoe's last card, reported once more.
SEALED: Final = "sealed"
SEALED_AGAIN: Final = "sealed-again"
REPEATED: Final = "repeated"
#: Behind a card's name: the same card had been drawn before, and that one is sealed.
HIDDEN: Final = "hidden"
#: Without a `limits` line any amount up to this one is allowed.
NO_LIMIT: Final = 10**12
#: Bets with limits of their own, in whatever game.
LIMITED_BETS: Final = ("ante", "bonus", "txb")
#: Facts of a hand file are this far apart; the engine never looks at it.
STEP_US: Final = 1_000_000

_STORABLE: Final = "text that UTF-8 can hold"
#: Behind a standing bet: the seated player agrees. Before the place of an antenna that has one of its own.
CONSENT: Final = "consent"
_AT: Final = "at="
#: Before the card of a draw on which the controller broke.
_FAULTY_CARD: Final = "card="


class BadHandFile(Exception):
    """A hand file that cannot be read: which line, what stands there, what was expected."""

    def __init__(self, line: int, found: str, expected: str) -> None:
        super().__init__(f"line {line}: found {found!r}; expected {expected}")
        self.line = line


@dataclass(kw_only=True, slots=True)
class Step:
    """One fact, its line, and the decisions the file expects of it."""

    line: int
    text: str
    fact: f.Fact
    expected: list[tuple[int, str]] = field(default_factory=list)


@dataclass(frozen=True, kw_only=True, slots=True)
class HandFile:
    """A parsed file. `seats` are the players who sat there when the hand began; `carry` is all that the table knew
    then. `is_one_of_many`: a table's own hand, which a line of the file opens."""

    title: str
    setup: f.Setup
    seats: tuple[int, ...]
    carry: Carry
    is_one_of_many: bool
    steps: tuple[Step, ...]


@dataclass(frozen=True, kw_only=True, slots=True)
class Difference:
    """One line of a comparison: `expected` is None where too much was decided, `found` where too little."""

    line: int
    fact: str
    expected: str | None
    found: str | None

    def __str__(self) -> str:
        expected, found = self.expected or "nothing", self.found or "nothing"
        return f"line {self.line}: after '> {self.fact}': expected {expected}; found {found}"


# --- facts ----------------------------------------------------------------------------------------------------------


#: No number at a table is longer, and no journal has to hold one that is.
_WHOLE_NUMBER: Final = re.compile(r"-?[0-9]{1,15}")


def _number(word: str) -> int:
    if _WHOLE_NUMBER.fullmatch(word) is None:
        raise ValueError(f"a whole number instead of {word!r}")
    return int(word)


def _can_be_stored(text: str) -> bool:
    """Whether this text has a form in UTF-8, as everything in a journal has."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


def _by(words: list[str]) -> tuple[str, str]:
    """`by NAME [reason…]`."""
    if len(words) < 2 or words[0] != "by":
        raise ValueError("by NAME")
    return words[1], " ".join(words[2:])


def _draw(at_us: int, words: list[str]) -> f.Fact:
    (code,) = words
    return f.Drawn(at_us=at_us, card=None if code == UNREAD else card(code))


def _bet(at_us: int, words: list[str]) -> f.Fact:
    seat, *rest = words
    amounts: dict[str, int | None] = {}
    for word in rest:
        if word.isdigit() or word.startswith("-"):
            name = list(amounts)[-1]
            amounts[name] = _number(word)
        else:
            amounts[word] = None
    if not amounts:
        raise ValueError("bet SEAT NAME [AMOUNT] …")
    return f.Bets(at_us=at_us, seat=_number(seat), amounts=amounts)


def _declare(at_us: int, words: list[str]) -> f.Fact:
    what, *rest = words
    named = dict(word.split("=", 1) for word in rest if "=" in word)
    spots = [word for word in rest if "=" not in word]
    if not set(named) <= {"cards", "lap"} or len(spots) > 2:
        raise ValueError("declare WHAT [SPOT [SPOT]] [cards=N] [lap=N]")
    return f.Declared(
        at_us=at_us,
        what=Declaration(what),
        spot=spots[0] if spots else None,
        cards=_number(named["cards"]) if "cards" in named else None,
        lap=_number(named["lap"]) if "lap" in named else None,
        other=spots[1] if len(spots) > 1 else None,
    )


def _standing(at_us: int, words: list[str]) -> f.Fact:
    consent = words[-1] == CONSENT
    placed = _bet(at_us, words[:-1] if consent else words)
    assert isinstance(placed, f.Bets)
    return f.StandingBet(at_us=at_us, seat=placed.seat, amounts=placed.amounts, consent=consent)


def _bettor(word: str) -> tuple[int, int]:
    """`3/2` is the second bettor of box 3, `3` who sits there."""
    seat, _, bettor = word.partition("/")
    return _number(seat), _number(bettor) if bettor else SEATED


def _remove(at_us: int, words: list[str]) -> f.Fact:
    (word,) = words
    seat, bettor = _bettor(word)
    return f.Removed(at_us=at_us, seat=seat, bettor=bettor)


def _out(at_us: int, words: list[str]) -> f.Fact:
    (word,) = words
    seat, bettor = _bettor(word)
    return f.StandsOut(at_us=at_us, seat=seat, bettor=bettor)


def _seen(at_us: int, words: list[str]) -> f.Fact:
    spot, code, *rest = words
    position = _number(rest[0].removeprefix(_AT)) if rest and rest[0].startswith(_AT) else None
    if len(rest) > (position is not None):
        raise ValueError("seen SPOT CARD [at=N]")
    return f.Seen(at_us=at_us, spot=spot, card=None if code == UNREAD else card(code), position=position)


def _gone(at_us: int, words: list[str]) -> f.Fact:
    spot, code = words
    return f.Gone(at_us=at_us, spot=spot, card=None if code == UNREAD else card(code))


def _rule(at_us: int, words: list[str]) -> f.Fact:
    number, remedy, *rest = words
    by, reason = _by(rest)
    return f.Ruled(at_us=at_us, incident=_number(number), remedy=Remedy(remedy), by=by, reason=reason)


def _acknowledge(at_us: int, words: list[str]) -> f.Fact:
    number, *rest = words
    return f.Acknowledged(at_us=at_us, incident=_number(number), by=_by(rest)[0])


def _name(at_us: int, words: list[str]) -> f.Fact:
    slot, code, *rest = words
    return f.Named(at_us=at_us, slot=slot, card=card(code), by=_by(rest)[0])


def _call(at_us: int, words: list[str]) -> f.Fact:
    by, reason = _by(words)
    return f.Called(at_us=at_us, by=by, reason=reason)


def _lost(at_us: int, words: list[str]) -> f.Fact:
    role, device, *reason = words
    return f.DeviceLost(at_us=at_us, device=device, role=role, reason=" ".join(reason))


def _back(at_us: int, words: list[str]) -> f.Fact:
    role, device = words
    return f.DeviceBack(at_us=at_us, device=device, role=role)


def _said(at_us: int, words: list[str]) -> f.Fact:
    role, device, what, *code = words
    return f.DeviceSaid(at_us=at_us, device=device, role=role, what=what, code=_number(code[0]) if code else None)


def _fault(at_us: int, words: list[str]) -> f.Fact:
    has_card = bool(words) and words[0].startswith(_FAULTY_CARD)
    broken = card(words[0].removeprefix(_FAULTY_CARD)) if has_card else None
    return f.Failed(at_us=at_us, fact="", error=" ".join(words[1:] if has_card else words), card=broken)


_FACTS: Final[Mapping[str, Callable[[int, list[str]], f.Fact]]] = {
    "draw": _draw,
    "press": lambda at_us, words: f.Pressed(at_us=at_us, key=Key(words[0])),
    "bet": _bet,
    "seen": _seen,
    "gone": _gone,
    "shuffled": lambda at_us, words: f.Shuffled(at_us=at_us, cards=_number(words[0])),
    "remove": _remove,
    "standing": _standing,
    "out": _out,
    "declare": _declare,
    "rule": _rule,
    "acknowledge": _acknowledge,
    "name": _name,
    "call": _call,
    "lost": _lost,
    "back": _back,
    "said": _said,
    "fault": _fault,
}
_RESTART: Final = "restart"


def parse_fact(text: str, at_us: int, setup: f.Setup) -> f.Fact:
    """One fact from its line (without `>`). Raises `ValueError` that says what was expected."""
    if not _can_be_stored(text):
        raise ValueError(_STORABLE)
    word, *rest = text.split() or [""]
    if word == _RESTART and not rest:
        return f.Opened(at_us=at_us, setup=setup)
    if word not in _FACTS:
        raise ValueError(f"one of {', '.join(sorted([*_FACTS, _RESTART]))}")
    try:
        return _FACTS[word](at_us, rest)
    except NotACard as wrong:
        raise ValueError(f"a card: {wrong}") from None
    except (IndexError, ValueError) as wrong:
        raise ValueError(f"a {word!r} line as in the grammar ({wrong})") from None


def _declared_line(fact: f.Declared) -> str:
    cards = None if fact.cards is None else f"cards={fact.cards}"
    lap = None if fact.lap is None else f"lap={fact.lap}"
    return _joined("declare", fact.what, fact.spot, fact.other, cards, lap)


def _seat_word(seat: int, bettor: int) -> str:
    return str(seat) if bettor == SEATED else f"{seat}/{bettor}"


def _code(known: Card | None) -> str:
    return known.code if known is not None else UNREAD


_FACT_LINES: Final[Mapping[type[Any], Callable[[Any], str]]] = {
    f.Opened: lambda fact: _RESTART,
    f.Drawn: lambda fact: f"draw {fact.card.code if fact.card else UNREAD}",
    f.Pressed: lambda fact: f"press {fact.key}",
    f.Bets: lambda fact: _joined("bet", fact.seat, *chain.from_iterable(fact.amounts.items())),
    f.Seen: lambda fact: _joined("seen", fact.spot, _code(fact.card), fact.position and f"{_AT}{fact.position}"),
    f.Gone: lambda fact: f"gone {fact.spot} {_code(fact.card)}",
    f.Shuffled: lambda fact: f"shuffled {fact.cards}",
    f.Removed: lambda fact: f"remove {_seat_word(fact.seat, fact.bettor)}",
    f.StandingBet: lambda fact: _joined(
        "standing", fact.seat, *chain.from_iterable(fact.amounts.items()), CONSENT if fact.consent else None
    ),
    f.StandsOut: lambda fact: f"out {_seat_word(fact.seat, fact.bettor)}",
    f.Declared: _declared_line,
    f.Ruled: lambda fact: _joined("rule", fact.incident, fact.remedy, "by", fact.by, fact.reason or None),
    f.Acknowledged: lambda fact: f"acknowledge {fact.incident} by {fact.by}",
    f.Named: lambda fact: f"name {fact.slot} {fact.card.code} by {fact.by}",
    f.Called: lambda fact: _joined("call", "by", fact.by, fact.reason or None),
    f.DeviceLost: lambda fact: _joined("lost", fact.role, fact.device, fact.reason or None),
    f.DeviceBack: lambda fact: f"back {fact.role} {fact.device}",
    f.DeviceSaid: lambda fact: _joined("said", fact.role, fact.device, fact.what, fact.code),
    f.Failed: lambda fact: _joined("fault", f"{_FAULTY_CARD}{fact.card.code}" if fact.card else None, fact.error),
}


def fact_line(fact: f.Fact) -> str:
    """A fact as its line, without `>`. Shows the card of a `draw` or a `fault`: only where the cards may be seen."""
    return _FACT_LINES[type(fact)](fact)


# --- decisions ------------------------------------------------------------------------------------------------------


def _joined(*parts: object) -> str:
    return " ".join(str(part) for part in parts if part is not None)


def _named(name: str, amount: int | None) -> str | None:
    return None if amount is None else f"{name}={amount}"


def _settled_line(decision: d.BetSettled) -> str:
    odds = None if decision.odds is None else f"{decision.odds[0]}:{decision.odds[1]}"
    stake, pays = _named("stake", decision.stake), _named("pays", decision.pays)
    who = _seat_word(decision.seat, decision.bettor)
    return _joined("settle", who, decision.bet, decision.outcome, odds, stake, pays, decision.clause)


def _incident_line(decision: d.IncidentRaised) -> str:
    seen = f"expected={decision.expected} observed={decision.observed}"
    return f"incident {decision.clause} {seen} remedy={'|'.join(decision.remedies)}"


_DECISION_LINES: Final[Mapping[type[Any], Callable[[Any], str]]] = {
    d.HandOpened: lambda each: f"hand {each.hand}",
    d.PhaseEntered: lambda each: f"phase {each.phase}",
    d.BetTaken: lambda each: _joined("bet", _seat_word(each.seat, each.bettor), each.bet, each.amount),
    d.BetsReturned: lambda each: f"returned {_seat_word(each.seat, each.bettor)}",
    d.Folded: lambda each: f"fold {_seat_word(each.seat, each.bettor)}",
    d.Checked: lambda each: f"check {each.seat}",
    d.Refused: lambda each: _joined("refused", each.why, each.clause, each.detail or None),
    d.CardTurned: lambda each: f"turned {each.slot}",
    d.IncidentRaised: _incident_line,
    d.Asked: lambda each: f"asked {each.question} {each.about}",
    d.IncidentEscalated: lambda each: f"escalated {each.incident} remedy={'|'.join(each.remedies)}",
    d.IncidentClosed: lambda each: f"closed {each.incident} {each.remedy} by {each.by}",
    d.IncidentSeen: lambda each: f"acknowledged {each.incident} by {each.by}",
    d.SeatVoided: lambda each: f"void-seat {each.seat} {each.clause}",
    d.SeatWithdrawn: lambda each: f"withdraw-seat {each.seat} {each.clause}",
    d.SeatExpelled: lambda each: f"expel {each.seat} {each.clause}",
    d.HandVoided: lambda each: f"void-hand {each.clause}",
    d.Refund: lambda each: _joined("refund", _seat_word(each.seat, each.bettor), each.bet, each.amount),
    d.BetReversed: lambda each: _joined(
        "reversed", _seat_word(each.seat, each.bettor), each.bet, _named("stake", each.stake), _named("pays", each.pays)
    ),
    d.Ranked: lambda each: f"rank {each.spot} {each.category}",
    d.BetSettled: _settled_line,
    d.HandClosed: lambda each: _joined(
        f"hand-closed {each.hand} presses={each.presses} drawn={each.drawn}", _named("float", each.float_change)
    ),
}


def decision_line(decision: d.Decision, *, last_draw: int) -> str:
    """A decision as its line, without `<`. A card's slot names its draw only where it is not the last one."""
    if isinstance(decision, d.CardPlaced):
        return f"card {decision.slot}" + ("" if decision.draw == last_draw else f" draw={decision.draw}")
    return _DECISION_LINES[type(decision)](decision)


def decision_lines(fact: f.Fact, decisions: Iterable[d.Decision], *, last_draw: int) -> list[str]:
    """The decisions of one fact as lines, without those that go without saying: the bet just entered, the closing of
    an incident whose remedy the rule itself decided."""
    return [
        decision_line(each, last_draw=last_draw)
        for each in decisions
        if not (isinstance(fact, f.Bets) and isinstance(each, d.BetTaken) and each.bettor == SEATED)
        and not (isinstance(each, d.IncidentClosed) and each.by is Chooser.RULE)
    ]


# --- files ----------------------------------------------------------------------------------------------------------

_LIMITS: Final = re.compile(r"(\S+) ([0-9]{1,15})\.\.([0-9]{1,15})")
#: A note begins at a `#` that no `\\` stands before.
_NOTE: Final = re.compile(r"(?:[^#\\]|\\.?)*")
_ESCAPED: Final = re.compile(r"\\([#\\])")
_HEADER: Final = (
    "rulebook",
    "profile",
    "seats",
    "tracking",
    "equipment",
    "limits",
    "table",
    "places",
    "hand",
    "incidents",
    "unseen",
    "shoe-lost",
    "previous",
)


def escaped(line: str) -> str:
    """A line of a file whose text could hold what begins a note."""
    return " ".join(line.split()).replace("\\", "\\\\").replace("#", "\\#")


def _without_note(raw: str) -> str:
    found = _NOTE.match(raw)
    assert found is not None, "it matches nothing at all, too"
    return _ESCAPED.sub(r"\1", found[0]).strip()


def parse(text: str) -> HandFile:
    """A whole file. Raises `BadHandFile`."""
    title, body = "", []
    header: dict[str, tuple[int, str]] = {}
    profile: dict[str, str] = {}
    limits: dict[str, f.Limits] = {}
    previous: dict[int, dict[str, int | None]] = {}
    for number, raw in enumerate(text.splitlines(), start=1):
        if not _can_be_stored(raw):
            raise BadHandFile(number, raw, _STORABLE)
        line = _without_note(raw)
        if raw.startswith("#") and not title:
            title = raw.lstrip("# ").strip()
        if not line:
            continue
        if line[0] in "<>":
            body.append((number, line))
            continue
        word, _, rest = line.partition(" ")
        if body or word not in _HEADER:
            raise BadHandFile(number, line, f"{', '.join(_HEADER[:-1])} or {_HEADER[-1]} before the first > line")
        match word:
            case "profile":
                for key, value in _profile(number, rest):
                    _once(profile, key, value, number, line)
            case "limits":
                _once(limits, *_bet_limits(number, line, rest), number, line)
            case "previous":
                _once(previous, *_previous_bets(number, line, rest), number, line)
            case _:
                _once(header, word, (number, rest), number, line)
    setup = _setup(
        header, profile, {name: f.Limits(least=0, most=NO_LIMIT) for name in ("ante", "bonus", "txb")} | limits
    )
    seats = _seats(header)
    return HandFile(
        title=title,
        setup=setup,
        seats=seats,
        carry=_carry(header, setup, {seat: {} for seat in seats} | previous),
        is_one_of_many="hand" in header,
        steps=tuple(_steps(_standing_in(body), setup)),
    )


def _once(told: dict[_N, _T], name: _N, value: _T, number: int, line: str) -> None:
    if name in told:
        raise BadHandFile(number, line, f"{name} once")
    told[name] = value


def _bet_limits(number: int, line: str, rest: str) -> tuple[str, f.Limits]:
    found = _LIMITS.fullmatch(rest)
    if found is None or int(found[2]) > int(found[3]):
        raise BadHandFile(number, line, "limits BET LEAST..MOST")
    return found[1], f.Limits(least=int(found[2]), most=int(found[3]))


def _previous_bets(number: int, line: str, rest: str) -> tuple[int, dict[str, int | None]]:
    try:
        bets = _bet(0, rest.split())
    except (IndexError, ValueError):
        bets = None
    if not isinstance(bets, f.Bets) or not 1 <= bets.seat <= MAX_SEATS:
        raise BadHandFile(number, line, "previous SEAT BET [AMOUNT] …")
    return bets.seat, dict(bets.amounts)


def _carry(header: Mapping[str, tuple[int, str]], setup: f.Setup, previous: dict[int, dict[str, int | None]]) -> Carry:
    unseen_line, unseen = header.get("unseen", (0, ""))
    return Carry(
        setup=setup,
        hand=_counted(header, "hand", 1, least=1) - 1,
        n_incidents=_counted(header, "incidents", 0),
        previous=dict(sorted(previous.items())),
        unseen=tuple(_whole(unseen_line, "unseen", word) for word in unseen.split()),
        shoe_lost=_counted(header, "shoe-lost", 0, least=1) or None,
    )


def _counted(header: Mapping[str, tuple[int, str]], name: str, without: int, *, least: int = 0) -> int:
    if name not in header:
        return without
    number, rest = header[name]
    return _whole(number, name, rest, least=least)


def _whole(number: int, name: str, word: str, *, least: int = 1) -> int:
    if _WHOLE_NUMBER.fullmatch(word) is None or int(word) < least:
        raise BadHandFile(number, f"{name} {word}", f"{name} and a whole number from {least}")
    return int(word)


def _profile(number: int, rest: str) -> Iterator[tuple[str, str]]:
    for word in rest.split():
        key, found, value = word.partition("=")
        if not found:
            raise BadHandFile(number, word, "profile KEY=VALUE …")
        yield key, value


def _setup(header: Mapping[str, tuple[int, str]], profile: dict[str, str], limits: dict[str, f.Limits]) -> f.Setup:
    if "rulebook" not in header:
        raise BadHandFile(1, "no rulebook", "a line 'rulebook ID'")
    number, tracking = header.get("tracking", (0, Tracking.AMOUNTS.value))
    if tracking not in list(Tracking):
        raise BadHandFile(number, tracking, " or ".join(Tracking))
    number, equipment = header.get("equipment", (0, Equipment.SHOE.value))
    if equipment not in list(Equipment):
        raise BadHandFile(number, equipment, " or ".join(Equipment))
    places = _counted(header, "places", MAX_SEATS, least=1)
    if places > MAX_SEATS:
        raise BadHandFile(header["places"][0], f"places {places}", f"places and a number from 1 to {MAX_SEATS}")
    return f.Setup(
        table=header.get("table", (0, "hand-file"))[1],
        rulebook=header["rulebook"][1],
        seats=places,
        tracking=Tracking(tracking),
        limits=limits,
        profile=profile,
        equipment=Equipment(equipment),
    )


def _seats(header: Mapping[str, tuple[int, str]]) -> tuple[int, ...]:
    number, rest = header.get("seats", (0, ""))
    words = rest.split()
    if len(set(words)) < len(words) or not {str(seat) for seat in range(1, MAX_SEATS + 1)} >= set(words):
        raise BadHandFile(number, rest, f"seats 1 2 4 …, each once, from 1 to {MAX_SEATS}")
    return tuple(int(word) for word in words)


@dataclass(frozen=True, kw_only=True, slots=True)
class _Line:
    """A line of the body. `means` is a fact with every card that is in it; for a decision its own text."""

    number: int
    text: str
    is_fact: bool
    means: str


_CARD_OF: Final = {
    "draw": re.compile(rf"draw\s+(\S+)(?:\s+({HIDDEN}))?$"),
    "fault": re.compile(rf"fault\s+{_FAULTY_CARD}([^\s,]+)(?:,({HIDDEN}))?(?=\s|$)"),
    "name": re.compile(rf"name\s+\S+\s+(\S+)(?:\s+({HIDDEN})(?=\s+by\s))?"),
}


def _standing_in(body: list[tuple[int, str]]) -> list[_Line]:
    """The lines with a card in the place of every one that the file does not tell. No decision depends on a card that
    is never shown, so any card does that appears nowhere else: the lowest one of the deck."""
    told = {
        index: found
        for index, (_, line) in enumerate(body)
        if line[0] == ">" and (found := _card_of(line[1:].strip())) is not None
    }
    cards = {index: found[1] for index, found in told.items()}
    names = {index for index, found in told.items() if found.re is _CARD_OF["name"]}
    for index in [each for each, found in told.items() if found[2] is not None]:
        before = {each: code for each, code in cards.items() if each < index and each not in names}
        if cards[index] not in before.values():
            first = next((each for each, code in before.items() if code == SEALED), None)
            if first is None:
                raise BadHandFile(body[index][0], body[index][1], "a sealed card before it that could be this one")
            cards[first] = cards[index]
    unused = iter([each.code for each in DECK if each.code not in cards.values()])
    known: list[str] = []
    last = UNREAD
    for index, code in list(cards.items()):
        if code == SEALED:
            cards[index] = next(unused, SEALED)
        elif code == SEALED_AGAIN:
            cards[index] = next((each for each in known if each != last), known[0] if known else DECK[0].code)
        elif code == REPEATED:
            cards[index] = last
        if cards[index] == SEALED:
            raise BadHandFile(body[index][0], body[index][1], "no more cards than a deck has")
        if index not in names:
            last = cards[index]
        if cards[index] != UNREAD:
            known.append(cards[index])
    return [
        _Line(number=number, text=line[1:].strip(), is_fact=line[0] == ">", means=_meant(line, told, cards, index))
        for index, (number, line) in enumerate(body)
    ]


def _card_of(text: str) -> re.Match[str] | None:
    pattern = _CARD_OF.get(text.partition(" ")[0])
    return pattern.match(text) if pattern is not None else None


def _meant(line: str, told: Mapping[int, re.Match[str]], cards: Mapping[int, str], index: int) -> str:
    if index not in told:
        return line[1:].strip()
    found = told[index]
    return f"{found.string[: found.start(1)]}{cards[index]}{found.string[found.end() :]}"


def _steps(body: list[_Line], setup: f.Setup) -> Iterator[Step]:
    step: Step | None = None
    for line in body:
        if not line.is_fact:
            if step is None:
                raise BadHandFile(line.number, f"< {line.text}", "a > line first")
            step.expected.append((line.number, " ".join(line.text.split())))
            continue
        if step is not None:
            yield step
        try:
            fact = parse_fact(line.means, line.number * STEP_US, setup)
        except ValueError as wrong:
            raise BadHandFile(line.number, line.text, str(wrong)) from None
        step = Step(line=line.number, text=line.text, fact=fact)
    if step is not None:
        yield step


def opening(hand: HandFile) -> list[f.Fact]:
    """What happened before the first line: a new hand was opened, unless the file says so itself."""
    if hand.is_one_of_many:
        return []
    first = hand.steps[0].fact if hand.steps else None
    if isinstance(first, f.Pressed) and first.key is Key.NEW_HAND:
        return []
    return [f.Pressed(at_us=0, key=Key.NEW_HAND)]


def compare(step: Step, found: list[str]) -> Iterator[Difference]:
    """Line by line."""
    expected = step.expected
    for index in range(max(len(expected), len(found))):
        line, wanted = expected[index] if index < len(expected) else (step.line, None)
        got = found[index] if index < len(found) else None
        if wanted != got:
            yield Difference(line=line, fact=step.text, expected=wanted, found=got)


def play(hand: HandFile, rulebook_of: Callable[[f.Setup], Rulebook]) -> list[Difference]:
    """Run a file against the engine."""
    table = Table.resume(hand.carry, rulebook_of)
    for fact in opening(hand):
        table.apply(fact)
    return [
        difference
        for step in hand.steps
        for difference in compare(
            step,
            decision_lines(step.fact, table.apply(step.fact), last_draw=len(table.state.deal.draws)),
        )
    ]

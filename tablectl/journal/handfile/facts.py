"""The lines of facts: what the world did, after a `>`."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import replace
from itertools import chain
from typing import Any, Final

from tablectl.core.cards import Card, NotACard, card
from tablectl.core.engine import facts as f
from tablectl.core.engine.vocabulary import Action, Declaration, Key, Plug, Remedy, SeatChange, Strange
from tablectl.core.security import ALARMS
from tablectl.games.registry import LIMIT_RULES
from tablectl.journal.handfile import people
from tablectl.journal.handfile.settings import game_of, with_settings
from tablectl.journal.handfile.tokens import STORABLE, bettor_of, bettor_token, can_be_stored, joined, whole_number

#: A card that no device could read; of an antenna, a tag that belongs to no card of this deck.
UNREAD: Final = "??"
#: After a standing bet: the seated player agrees. Before the place of an antenna that has one of its own.
CONSENT: Final = "consent"
AT: Final = "at="
#: After what a USB device did: whether the house allows it.
ALLOWED: Final = "allowed"
FOREIGN: Final = "foreign"
#: Before the card of a draw on which the controller broke.
FAULTY_CARD: Final = "card="


#: After an action or chips: all a player had, one chip; and what he said with them.
ALL_IN: Final = "all-in"
SINGLE: Final = "single"
SAID: Final = "said="
FROM: Final = "from="
TO: Final = "to="
#: Before the name of a device whose alarm is acknowledged.
DEVICE: Final = "device-"


#: So much later than the line before: alone, or before any other fact.
TIME: Final = "time"
_AFTER: Final = re.compile(r"\+(\d{1,5})(?:\.(\d{1,6}))?", re.ASCII)


def seconds_us(word: str) -> int:
    """Of `+1.5`, in microseconds. Raises `ValueError` for what is no such word."""
    read = _AFTER.fullmatch(word)
    if read is None:
        raise ValueError(f"{word!r} is no time; +SECONDS, as in +1.5")
    return int(read[1]) * 1_000_000 + int((read[2] or "").ljust(6, "0"))


def seconds_word(us: int) -> str:
    """`+1.5` for so many microseconds."""
    return f"+{us // 1_000_000}.{us % 1_000_000:06}".rstrip("0").rstrip(".")


def later(text: str) -> tuple[int, str]:
    """How much later than the line before a fact is, in microseconds, and its line (without `>`) less that word; 0
    where it says nothing. Raises `ValueError` where a word that begins as a time is none."""
    first, _, rest = text.partition(" ")
    if first == TIME and rest:
        return seconds_us(rest.strip()), TIME
    return (seconds_us(first), rest.strip()) if first.startswith("+") else (0, text)


def _card(code: str) -> Card | None:
    return None if code == UNREAD else card(code)


def _draw(at_us: int, words: list[str]) -> f.Fact:
    (code,) = words
    return f.Drawn(at_us=at_us, card=_card(code))


def bets_of(words: list[str]) -> tuple[int, dict[str, int | None]]:
    """Seat and bets of `SEAT BET [AMOUNT] …`. Raises `IndexError`, `ValueError`."""
    seat, *rest = words
    amounts: dict[str, int | None] = {}
    for word in rest:
        if word.isdigit() or word.startswith("-"):
            name = list(amounts)[-1]
            amounts[name] = whole_number(word)
        else:
            amounts[word] = None
    if not amounts:
        raise ValueError("bet SEAT NAME [AMOUNT] …")
    return whole_number(seat), amounts


def _bet(at_us: int, words: list[str]) -> f.Fact:
    seat, amounts = bets_of(words)
    return f.Bets(at_us=at_us, seat=seat, amounts=amounts)


def _declare(at_us: int, words: list[str]) -> f.Fact:
    what, *rest = words
    named = dict(word.split("=", 1) for word in rest if "=" in word)
    spots = [word for word in rest if "=" not in word]
    if not set(named) <= {"cards", "lap", "draw", "entry"} or len(spots) > 2:
        raise ValueError("declare WHAT [SPOT [SPOT]] [cards=N] [lap=N] [draw=N] [entry=N]")
    return f.Declared(
        at_us=at_us,
        what=Declaration(what),
        spot=spots[0] if spots else None,
        cards=whole_number(named["cards"]) if "cards" in named else None,
        lap=whole_number(named["lap"]) if "lap" in named else None,
        other=spots[1] if len(spots) > 1 else None,
        drawn=whole_number(named["draw"]) if "draw" in named else None,
        entry=whole_number(named["entry"]) if "entry" in named else None,
    )


def _act(at_us: int, words: list[str]) -> f.Fact:
    """`[SEAT] ACTION [AMOUNT] [all-in]`."""
    seat = whole_number(words.pop(0)) if words[0].isdigit() else None
    action, *rest = words
    is_all_in = bool(rest) and rest[-1] == ALL_IN
    amounts = rest[:-1] if is_all_in else rest
    if len(amounts) > 1:
        raise ValueError("act [SEAT] ACTION [AMOUNT] [all-in]")
    to = whole_number(amounts[0]) if amounts else None
    return f.Acted(at_us=at_us, action=Action(action), seat=seat, to=to, is_all_in=is_all_in)


def _chips(at_us: int, words: list[str]) -> f.Fact:
    """`SEAT AMOUNT [single] [said=ACTION] [to=AMOUNT]`."""
    seat, chips, *rest = words
    named = dict(word.split("=", 1) for word in rest if "=" in word)
    plain = [word for word in rest if "=" not in word]
    if plain not in ([], [SINGLE]) or not set(named) <= {"said", "to"}:
        raise ValueError("chips SEAT AMOUNT [single] [said=ACTION] [to=AMOUNT]")
    return f.PutIn(
        at_us=at_us,
        seat=whole_number(seat),
        chips=whole_number(chips),
        is_single=bool(plain),
        said=Action(named["said"]) if "said" in named else None,
        said_to=whole_number(named["to"]) if "to" in named else None,
    )


def _asks(at_us: int, words: list[str]) -> f.Fact:
    """`[SEAT] CARDS`."""
    *seat, cards = words
    if len(seat) > 1:
        raise ValueError("asks [SEAT] CARDS")
    return f.AsksFor(at_us=at_us, cards=whole_number(cards), seat=whole_number(seat[0]) if seat else None)


def _player(at_us: int, words: list[str]) -> f.Fact:
    seat, what = words
    return f.Moved(at_us=at_us, seat=whole_number(seat), what=SeatChange(what))


def _stack(at_us: int, words: list[str]) -> f.Fact:
    seat, amount = words
    return f.Stacked(at_us=at_us, seat=whole_number(seat), amount=whole_number(amount))


def _button(at_us: int, words: list[str]) -> f.Fact:
    (seat,) = words
    return f.ButtonPlaced(at_us=at_us, seat=whole_number(seat))


def _standing(at_us: int, words: list[str]) -> f.Fact:
    consent = words[-1] == CONSENT
    seat, amounts = bets_of(words[:-1] if consent else words)
    return f.StandingBet(at_us=at_us, seat=seat, amounts=amounts, consent=consent)


def _remove(at_us: int, words: list[str]) -> f.Fact:
    (word,) = words
    seat, who = bettor_of(word)
    return f.Removed(at_us=at_us, seat=seat, bettor=who)


def _out(at_us: int, words: list[str]) -> f.Fact:
    (word,) = words
    seat, who = bettor_of(word)
    return f.StandsOut(at_us=at_us, seat=seat, bettor=who)


def _seen(at_us: int, words: list[str]) -> f.Fact:
    spot, code, *rest = words
    match rest:
        case []:
            position = None
        case [place] if place.startswith(AT):
            position = whole_number(place.removeprefix(AT))
        case _:
            raise ValueError("seen SPOT CARD [at=N]")
    return f.Seen(at_us=at_us, spot=spot, card=_card(code), position=position)


def _gone(at_us: int, words: list[str]) -> f.Fact:
    spot, code = words
    return f.Gone(at_us=at_us, spot=spot, card=_card(code))


def _time(at_us: int, words: list[str]) -> f.Fact:
    if words:
        raise ValueError("time +SECONDS")
    return f.TimePassed(at_us=at_us)


def _shuffled(at_us: int, words: list[str]) -> f.Fact:
    (cards,) = words
    return f.Shuffled(at_us=at_us, cards=whole_number(cards))


def _tag(at_us: int, words: list[str]) -> f.Fact:
    spot, what = words
    return f.StrangeTag(at_us=at_us, spot=spot, what=Strange(what))


def _counted(at_us: int, words: list[str]) -> f.Fact:
    (cards,) = words
    return f.Counted(at_us=at_us, cards=whole_number(cards))


def _rule(at_us: int, words: list[str]) -> f.Fact:
    number, remedy, *rest = words
    who, reason = people.by_name(rest)
    by, second = people.two(who)
    return f.Ruled(
        at_us=at_us, incident=whole_number(number), remedy=Remedy(remedy), by=by, reason=reason, second=second
    )


def _acknowledge(at_us: int, words: list[str]) -> f.Fact:
    which, *rest = words
    by = people.by_name(rest)[0]
    if which.startswith(DEVICE) or which in ALARMS:
        return f.Acknowledged(at_us=at_us, incident=0, by=by, alarm=which)
    return f.Acknowledged(at_us=at_us, incident=whole_number(which), by=by)


def _name(at_us: int, words: list[str]) -> f.Fact:
    slot, code, *rest = words
    return f.Named(at_us=at_us, slot=slot, card=card(code), by=people.by_name(rest)[0])


def _correct(at_us: int, words: list[str]) -> f.Fact:
    """`N nothing|card CARD|spot SPOT|ENTRY by NAME+NAME REASON`; an entry may name somebody, too."""
    number, *rest = words
    names = [at for at, word in enumerate(rest[:-1]) if word == "by"]
    at = next((at for at in names if "+" in rest[at + 1]), names[0] if names else len(rest))
    who, reason = people.by_name(rest[at:])
    by, second = people.two(who)
    correction = f.Corrected(at_us=at_us, number=whole_number(number), by=by, second=second, reason=reason)
    match rest[:at]:
        case ["nothing"]:
            return correction
        case ["card", code]:
            return replace(correction, card=card(code))
        case ["spot", spot]:
            return replace(correction, spot=spot)
        case [word, *entry] if word in _FACTS:
            made = _FACTS[word](at_us, entry)
            if isinstance(made, f.Entry):
                return replace(correction, instead=made)
    raise ValueError("correct N nothing|card CARD|spot SPOT|ENTRY by NAME+NAME REASON")


def _transfer(at_us: int, words: list[str]) -> f.Fact:
    """`INCIDENT from=SEAT to=SEAT AMOUNT by NAME[+NAME]`."""
    incident, giver, taker, amount, *who = words
    if not giver.startswith(FROM) or not taker.startswith(TO):
        raise ValueError("transfer INCIDENT from=SEAT to=SEAT AMOUNT by NAME+NAME")
    by, second = people.two(people.by_name(who)[0])
    return f.Transferred(
        at_us=at_us,
        incident=whole_number(incident),
        giver=whole_number(giver.removeprefix(FROM)),
        taker=whole_number(taker.removeprefix(TO)),
        amount=whole_number(amount),
        by=by,
        second=second,
    )


def _call(at_us: int, words: list[str]) -> f.Fact:
    by, reason = people.by_name(words)
    return f.Called(at_us=at_us, by=by, reason=reason)


def _lost(at_us: int, words: list[str]) -> f.Fact:
    role, device, *reason = words
    return f.DeviceLost(at_us=at_us, device=device, role=role, reason=" ".join(reason))


def _back(at_us: int, words: list[str]) -> f.Fact:
    role, device = words
    return f.DeviceBack(at_us=at_us, device=device, role=role)


def _said(at_us: int, words: list[str]) -> f.Fact:
    role, device, what, *code = words
    return f.DeviceSaid(at_us=at_us, device=device, role=role, what=what, code=whole_number(code[0]) if code else None)


def _usb(at_us: int, words: list[str]) -> f.Fact:
    change, standing, *what = words
    if standing not in (ALLOWED, FOREIGN) or not what:
        raise ValueError(f"usb CHANGE {ALLOWED}|{FOREIGN} DEVICE")
    return f.TopologyChanged(at_us=at_us, change=Plug(change), what=" ".join(what), is_allowed=standing == ALLOWED)


def _fault(at_us: int, words: list[str]) -> f.Fact:
    has_card = bool(words) and words[0].startswith(FAULTY_CARD)
    broken = card(words[0].removeprefix(FAULTY_CARD)) if has_card else None
    return f.Failed(at_us=at_us, fact="", error=" ".join(words[1:] if has_card else words), card=broken)


_FACTS: Final[Mapping[str, Callable[[int, list[str]], f.Fact]]] = {
    "draw": _draw,
    "press": lambda at_us, words: f.Pressed(at_us=at_us, key=Key(words[0])),
    "bet": _bet,
    "seen": _seen,
    "gone": _gone,
    TIME: _time,
    "tag": _tag,
    "counted": _counted,
    "on-felt": lambda at_us, words: f.OnFelt(at_us=at_us, spots=tuple(words)),
    "shuffled": _shuffled,
    "remove": _remove,
    "standing": _standing,
    "out": _out,
    "act": _act,
    "chips": _chips,
    "asks": _asks,
    "player": _player,
    "stack": _stack,
    "button": _button,
    "declare": _declare,
    "rule": _rule,
    "acknowledge": _acknowledge,
    "name": _name,
    "correct": _correct,
    "transfer": _transfer,
    "call": _call,
    "lost": _lost,
    "back": _back,
    "said": _said,
    "usb": _usb,
    "fault": _fault,
    **people.FACTS,
}
_RESTART: Final = "restart"
#: Another game of the table is chosen: it needs to know which one is played.
_GAME: Final = "game"


def _chosen(at_us: int, words: list[str], setup: f.Setup) -> f.Fact:
    """`RULEBOOK by NAME [SETTING=…] …`."""
    if len(words) < 3 or words[0] not in LIMIT_RULES or words[1] != "by":
        raise ValueError(f"{_GAME} RULEBOOK by NAME, with one of {', '.join(LIMIT_RULES)}")
    return f.GameChosen(at_us=at_us, setup=with_settings(game_of(words[0], setup), words[3:]), by=words[2])


def parse_fact(text: str, at_us: int, setup: f.Setup) -> f.Fact:
    """One fact from its line (without `>`). Raises `ValueError` that says what was expected."""
    if not can_be_stored(text):
        raise ValueError(STORABLE)
    word, *rest = later(text)[1].split() or [""]
    if word == _RESTART:
        return f.Opened(at_us=at_us, setup=with_settings(setup, rest))
    if word == _GAME:
        return _chosen(at_us, rest, setup)
    if word not in _FACTS:
        raise ValueError(f"one of {', '.join(sorted([*_FACTS, _GAME, _RESTART]))}")
    try:
        return _FACTS[word](at_us, rest)
    except NotACard as wrong:
        raise ValueError(f"a card: {wrong}") from None
    except (IndexError, ValueError) as wrong:
        raise ValueError(f"a {word!r} line as in the grammar ({wrong})") from None


def _declared_line(fact: f.Declared) -> str:
    cards = None if fact.cards is None else f"cards={fact.cards}"
    lap = None if fact.lap is None else f"lap={fact.lap}"
    drawn = None if fact.drawn is None else f"draw={fact.drawn}"
    entry = None if fact.entry is None else f"entry={fact.entry}"
    return joined("declare", fact.what, fact.spot, fact.other, cards, lap, drawn, entry)


def _code(known: Card | None) -> str:
    return known.code if known is not None else UNREAD


def _at(position: int | None) -> str | None:
    return None if position is None else f"{AT}{position}"


def _corrected_line(fact: f.Corrected) -> str:
    if fact.card is not None:
        instead = f"card {fact.card.code}"
    elif fact.spot is not None:
        instead = f"spot {fact.spot}"
    else:
        instead = "nothing" if fact.instead is None else fact_line(fact.instead)
    return joined("correct", fact.number, instead, "by", people.two_word(fact.by, fact.second), fact.reason or None)


_FACT_LINES: Final[Mapping[type[Any], Callable[[Any], str]]] = {
    f.Opened: lambda fact: _RESTART,
    f.GameChosen: lambda fact: f"{_GAME} {fact.setup.rulebook} by {fact.by}",
    f.Drawn: lambda fact: f"draw {_code(fact.card)}",
    f.Pressed: lambda fact: f"press {fact.key}",
    f.Bets: lambda fact: joined("bet", fact.seat, *chain.from_iterable(fact.amounts.items())),
    f.Seen: lambda fact: joined("seen", fact.spot, _code(fact.card), _at(fact.position)),
    f.TimePassed: lambda fact: TIME,
    f.Gone: lambda fact: f"gone {fact.spot} {_code(fact.card)}",
    f.StrangeTag: lambda fact: f"tag {fact.spot} {fact.what}",
    f.Counted: lambda fact: f"counted {fact.cards}",
    f.OnFelt: lambda fact: joined("on-felt", *fact.spots),
    f.Shuffled: lambda fact: f"shuffled {fact.cards}",
    f.Removed: lambda fact: f"remove {bettor_token(fact.seat, fact.bettor)}",
    f.StandingBet: lambda fact: joined(
        "standing", fact.seat, *chain.from_iterable(fact.amounts.items()), CONSENT if fact.consent else None
    ),
    f.StandsOut: lambda fact: f"out {bettor_token(fact.seat, fact.bettor)}",
    f.Acted: lambda fact: joined("act", fact.seat, fact.action, fact.to, ALL_IN if fact.is_all_in else None),
    f.PutIn: lambda fact: joined(
        "chips",
        fact.seat,
        fact.chips,
        SINGLE if fact.is_single else None,
        f"{SAID}{fact.said}" if fact.said else None,
        None if fact.said_to is None else f"{TO}{fact.said_to}",
    ),
    f.AsksFor: lambda fact: joined("asks", fact.seat, fact.cards),
    f.Moved: lambda fact: f"player {fact.seat} {fact.what}",
    f.Stacked: lambda fact: f"stack {fact.seat} {fact.amount}",
    f.ButtonPlaced: lambda fact: f"button {fact.seat}",
    f.Declared: _declared_line,
    f.Ruled: lambda fact: joined(
        "rule", fact.incident, fact.remedy, "by", people.two_word(fact.by, fact.second), fact.reason or None
    ),
    f.Acknowledged: lambda fact: f"acknowledge {fact.alarm or fact.incident} by {fact.by}",
    f.Named: lambda fact: f"name {fact.slot} {fact.card.code} by {fact.by}",
    f.Corrected: _corrected_line,
    f.Transferred: lambda fact: joined(
        *("transfer", fact.incident, f"{FROM}{fact.giver}", f"{TO}{fact.taker}", fact.amount),
        *("by", people.two_word(fact.by, fact.second)),
    ),
    f.Called: lambda fact: joined("call", "by", fact.by, fact.reason or None),
    f.DeviceLost: lambda fact: joined("lost", fact.role, fact.device, fact.reason or None),
    f.DeviceBack: lambda fact: f"back {fact.role} {fact.device}",
    f.DeviceSaid: lambda fact: joined("said", fact.role, fact.device, fact.what, fact.code),
    f.TopologyChanged: lambda fact: f"usb {fact.change} {ALLOWED if fact.is_allowed else FOREIGN} {fact.what}",
    f.Failed: lambda fact: joined("fault", f"{FAULTY_CARD}{fact.card.code}" if fact.card else None, fact.error),
    **people.LINES,
}


def fact_line(fact: f.Fact) -> str:
    """A fact as its line, without `>`. Shows the card of a `draw`, `seen`, `gone` or `fault`: only where the cards
    may be seen."""
    return _FACT_LINES[type(fact)](fact)

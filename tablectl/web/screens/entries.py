"""What a page may enter, as data from outside: checked word by word, then written in the grammar of hand files.

A page never sends a line of its own making: it names an act and its fields, and only these are put together here.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Final, TypeAlias

from tablectl.core.cards import NotACard, card
from tablectl.core.engine.deal import STAND_IN
from tablectl.core.engine.slots import BY_NAME, MAX_SEATS
from tablectl.core.engine.vocabulary import Action, Declaration, Key, Remedy, SeatChange
from tablectl.core.events.notes import ChipCount
from tablectl.core.public_table.alarms import Alarm, AlarmState
from tablectl.core.public_table.chip_float import TrayAct
from tablectl.core.public_table.table import SEATED
from tablectl.core.roles import Role
from tablectl.i18n import amounts
from tablectl.people.service.authority import CROUPIERS, PIT, WORDS
from tablectl.web.screens.greeting import TableInfo

_LONGEST_REASON: Final = 200
#: Whoever is before the croupier's page takes the table from now on.
TAKE_TABLE: Final = "take-table"
#: What decides for whoever is asked now: it counts only for the prompt that its page showed.
OF_THE_PROMPT: Final = frozenset({"press", "act", "asks", "chips", "bet", "standing"})
#: What is no fact of the game, and so in no grammar of hand files.
FLOAT: Final = "float"
#: That the journal is one that was put back.
ACCEPT: Final = "accept"
_HASH: Final = re.compile(r"[0-9a-f]{64}")
_BET_NAME: Final = re.compile(r"[a-z]{1,12}")
#: Where a declaration can be about something, and how many such places one has.
_SPOTS: Final = frozenset({"house", *(f"seat-{seat}" for seat in range(1, MAX_SEATS + 1))})
_MOST_SPOTS: Final = 2
#: Actions whose size is said as a whole stake, and those that put chips in.
_SIZED: Final = frozenset({Action.BET, Action.RAISE, Action.ALL_IN})
_PUT_IN: Final = frozenset({Action.CALL, Action.BET, Action.RAISE})
#: One digit: more than anybody is dealt.
_MOST_CARDS: Final = 9
_MOST_CARDS_DRAWN: Final = 104
#: One digit: more than any house lets stand behind a box.
_MOST_BETTORS: Final = 9
#: The fact that opened the hand is 1, and stays.
FIRST_ENTRY: Final = 2
#: More facts than a hand has.
_MOST_FACTS: Final = 9_999
#: For how long an alarm can be put aside at a page, in minutes.
SHELF_MINUTES: Final = (10, 30, 60, 480)
#: Of one alarm; of all whose cause is gone, that the page showed.
ACKNOWLEDGE: Final = "acknowledge"
ACKNOWLEDGE_GONE: Final = "acknowledge-gone"
#: More than a page shows.
_MOST_ALARMS: Final = 200
_ALARM: Final = re.compile(r"incident-[1-9][0-9]{0,8}|device-[^\s#]{1,64}|security-[a-z-]{1,40}")


class BadEntry(ValueError):
    """What a page sent is no entry that it may make."""


class BadText(BadEntry):
    """A text that no journal could keep: half a character."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Screen:
    """A page: who sits before it, and what may be entered there."""

    name: str
    roles: frozenset[Role]
    acts: frozenset[str]


def _words_of(roles: frozenset[Role]) -> frozenset[str]:
    """What people with one of these roles enter."""
    return frozenset(word for word, those in WORDS.items() if those & roles)


SCREENS: Final[Mapping[str, Screen]] = {
    "croupier": Screen(
        name="croupier",
        roles=CROUPIERS,
        acts=_words_of(CROUPIERS) - {"croupier", "croupier-off"} | {TAKE_TABLE},
    ),
    "pit": Screen(
        name="pit",
        roles=PIT,
        acts=_words_of(PIT) | {FLOAT, ACKNOWLEDGE_GONE, ACCEPT},
    ),
}


@dataclass(frozen=True, kw_only=True, slots=True)
class Typed:
    """How amounts were typed: at which table, and in which language."""

    table: TableInfo
    language: str

    def amount(self, text: str) -> int:
        """In the smallest unit. Raises `NotAnAmount`."""
        return amounts.parse(text, exponent=self.table.currency_exponent, language=self.language)


def question_of(screen: Screen, entry: Mapping[str, Any], typed: Typed, *, by: str) -> Mapping[str, Any]:
    """What is sent to the controller for the entry of this person, or of two. Raises as `line_of`."""
    if entry.get("act") == FLOAT and FLOAT in screen.acts:
        return _float(entry, by, typed)
    if entry.get("act") == ACCEPT and ACCEPT in screen.acts:
        return _accept(entry, by)
    asked = {"enter": line_of(screen, entry, typed, by=by), "by": by}
    return {**asked, "prompt": _prompt(entry)} if entry.get("act") in OF_THE_PROMPT else asked


def line_of(screen: Screen, entry: Mapping[str, Any], typed: Typed, *, by: str) -> str:
    """The entry of this person (`ana`, or `ana+luis` of two) in the grammar of `docs/hand-files.md`. Raises `BadEntry`,
    or `NotAnAmount` for money."""
    act = entry.get("act")
    if not isinstance(act, str) or act not in screen.acts or act not in _ACTS:
        raise BadEntry(f"act {act!r} on screen {screen.name}")
    return _ACTS[act](entry, by, typed)


_Act: TypeAlias = Callable[[Mapping[str, Any], str, Typed], str]


def _prompt(entry: Mapping[str, Any]) -> Mapping[str, int | None]:
    """The record at which the prompt began that was seen, and the seat it was about."""
    match entry.get("prompt"):
        case {"since": int(since), "seat": int() | None as seat} if bool not in (type(since), type(seat)):
            return {"since": since, "seat": seat}
        case found:
            raise BadEntry(f"prompt {found!r}")


def _press(entry: Mapping[str, Any], _by: str, _typed: Typed) -> str:
    return f"press {_member(Key, entry.get('key'))}"


def _bet(entry: Mapping[str, Any], _by: str, typed: Typed) -> str:
    return " ".join([f"bet {_seat(entry)}", *_amounts(entry, typed)])


def _standing(entry: Mapping[str, Any], _by: str, typed: Typed) -> str:
    """TPC-PLY-2: `consent` is what the seated player says, as the croupier heard it."""
    consent = ["consent"] if _switch(entry, "consent") else []
    return " ".join([f"standing {_seat(entry)}", *_amounts(entry, typed), *consent])


def _amounts(entry: Mapping[str, Any], typed: Typed) -> list[str]:
    bets = entry.get("bets")
    if not isinstance(bets, dict) or not bets:
        raise BadEntry("bets")
    words = []
    for name, text in bets.items():
        if not isinstance(name, str) or not _BET_NAME.fullmatch(name):
            raise BadEntry("bets")
        amount = _text(text, "bets")
        words.append(f"{name} {typed.amount(amount)}" if typed.table.amounts else name)
    return words


def _remove(entry: Mapping[str, Any], _by: str, _typed: Typed) -> str:
    """A whole box, or with a number from 2 on one who stands behind it."""
    return f"remove {_seat(entry)}" if entry.get("bettor") is None else f"remove {_standing_bettor(entry)}"


def _out(entry: Mapping[str, Any], _by: str, _typed: Typed) -> str:
    return f"out {_standing_bettor(entry)}"


def _act(entry: Mapping[str, Any], _by: str, typed: Typed) -> str:
    """What a player does; `to` is his whole stake of the round after a bet or raise. Without a seat: whose turn it is.
    `all_in` is said where no amounts are entered, of an action that puts chips in."""
    action = _member(Action, entry.get("action"))
    seat = "" if entry.get("seat") is None else f"{_seat(entry)} "
    to, is_all_in = entry.get("to"), _switch(entry, "all_in")
    if is_all_in and (typed.table.amounts or action not in _PUT_IN):
        raise BadEntry("all_in")
    if to is None:
        return f"act {seat}{action}{' all-in' if is_all_in else ''}"
    if action not in _SIZED or not typed.table.amounts:
        raise BadEntry(f"{action} with an amount")
    return f"act {seat}{action} {_amount(to, 'to', typed)}"


def _chips(entry: Mapping[str, Any], _by: str, typed: Typed) -> str:
    """Chips as they were seen (THL-GEN-2): how much, whether one chip, and what was said with them."""
    if not typed.table.amounts:
        raise BadEntry("chips without amounts")
    single, said = ["single"] if _switch(entry, "single") else [], entry.get("said")
    words = [f"chips {_seat(entry)} {_amount(entry.get('amount'), 'amount', typed)}", *single]
    if said is not None:
        words.append(f"said={_member(Action, said)}")
    if entry.get("said_to") is not None:
        if said not in _SIZED:
            raise BadEntry("said_to")
        words.append(f"to={_amount(entry['said_to'], 'said_to', typed)}")
    return " ".join(words)


def _player(entry: Mapping[str, Any], _by: str, _typed: Typed) -> str:
    return f"player {_seat(entry)} {_member(SeatChange, entry.get('what'))}"


def _stack(entry: Mapping[str, Any], _by: str, typed: Typed) -> str:
    if not typed.table.amounts:
        raise BadEntry("chips without amounts")
    return f"stack {_seat(entry)} {_amount(entry.get('amount'), 'amount', typed)}"


def _asks(entry: Mapping[str, Any], _by: str, _typed: Typed) -> str:
    """How many cards a player changes; without a seat: whose turn it is. Too many are the table's to refuse."""
    cards = _whole(entry, "cards", 0, _MOST_CARDS)
    return f"asks {cards}" if entry.get("seat") is None else f"asks {_seat(entry)} {cards}"


def _button(entry: Mapping[str, Any], _by: str, _typed: Typed) -> str:
    return f"button {_seat(entry)}"


def _amount(text: object, what: str, typed: Typed) -> int:
    return typed.amount(_text(text, what))


def _declare(entry: Mapping[str, Any], _by: str, _typed: Typed) -> str:
    spots = entry.get("spots", [])
    if not isinstance(spots, list) or len(spots) > _MOST_SPOTS or not all(map(_is_spot, spots)):
        raise BadEntry("spots")
    card = [f"draw={_whole(entry, 'draw', STAND_IN, _MOST_CARDS_DRAWN)}"] if "draw" in entry else []
    wrong = [f"entry={_whole(entry, 'entry', FIRST_ENTRY, _MOST_FACTS)}"] if "entry" in entry else []
    return " ".join(["declare", _member(Declaration, entry.get("what")), *spots, *card, *wrong])


def _rule(entry: Mapping[str, Any], by: str, _typed: Typed) -> str:
    return f"rule {_incident(entry)} {_member(Remedy, entry.get('remedy'))} by {by}{_reason(entry)}"


def _acknowledge(entry: Mapping[str, Any], by: str, _typed: Typed) -> str:
    (line,) = acknowledgements(entry, (), by=by)
    return line


def _shelve(entry: Mapping[str, Any], by: str, _typed: Typed) -> str:
    """An alarm is put aside for a while; there is no shelf without a reason."""
    minutes, reason = entry.get("minutes"), _reason(entry)
    if minutes not in SHELF_MINUTES or isinstance(minutes, bool):
        raise BadEntry(f"minutes {minutes!r}")
    if not reason:
        raise BadEntry("no reason")
    return f"shelve {_alarm(entry)} {minutes} by {by}{reason}"


def _unshelve(entry: Mapping[str, Any], by: str, _typed: Typed) -> str:
    return f"unshelve {_alarm(entry)} by {by}"


def acknowledgements(entry: Mapping[str, Any], alarms: Iterable[Alarm], *, by: str) -> tuple[str, ...]:
    """What a person acknowledges, a line each: of the alarms that the page showed those whose cause is gone still, or
    the one that is named; each with the earlier ones that it stands for. Raises `BadEntry`."""
    names, is_gone = _named_alarms(entry), entry.get("act") == ACKNOWLEDGE_GONE
    shown = [alarm for alarm in alarms if alarm.name in names]
    wanted = [name for alarm in shown if not is_gone or alarm.state is AlarmState.RETURNED for name in alarm.unanswered]
    if not wanted and not is_gone:
        wanted = [*names]  # the controller says why there is nothing to acknowledge
    return tuple(f"acknowledge {name.removeprefix('incident-')} by {by}" for name in wanted)


def _named_alarms(entry: Mapping[str, Any]) -> tuple[str, ...]:
    if entry.get("act") != ACKNOWLEDGE_GONE:
        return (_alarm(entry) if "alarm" in entry else f"incident-{_incident(entry)}",)
    shown = entry.get("alarms")
    if not isinstance(shown, list) or len(shown) > _MOST_ALARMS:
        raise BadEntry("alarms")
    return tuple(map(_alarm_name, shown))


def _alarm(entry: Mapping[str, Any]) -> str:
    return _alarm_name(entry.get("alarm"))


def _alarm_name(found: object) -> str:
    alarm = _text(found, "alarm")
    if not _ALARM.fullmatch(alarm):
        raise BadEntry(f"alarm {alarm!r}")
    return alarm


def _limits(entry: Mapping[str, Any], by: str, typed: Typed) -> str:
    """New limits of one or several bets; those of the others stay as they are. `by` has both names, `ana+luis`."""
    found = entry.get("limits")
    if not isinstance(found, dict) or not found:
        raise BadEntry("limits")
    words = []
    for bet, span in found.items():
        if bet not in typed.table.limits or not isinstance(span, dict):
            raise BadEntry("limits")
        least, most = (_amount(span.get(end), end, typed) for end in ("least", "most"))
        if not 0 < least <= most:
            raise BadEntry(f"limits {bet}")
        words.append(f"{bet}={least}..{most}")
    return f"limits {' '.join(words)} by {by}"


def _float(entry: Mapping[str, Any], by: str, typed: Typed) -> Mapping[str, Any]:
    """What lies in the tray, came or went. Too little, too much and parts of chips are the table's to refuse."""
    what = entry.get("what")
    if what not in list(TrayAct):
        raise BadEntry(f"float {what!r}")
    name, _, second = by.partition("+")
    return {"float": what, **_tray(entry, typed), "by": name, "second": second}


def _accept(entry: Mapping[str, Any], by: str) -> Mapping[str, Any]:
    """Which record is missing, as the page named it, and why the table goes on without it."""
    digest, reason = _text(entry.get("hash"), "hash"), _reason(entry).strip()
    if not _HASH.fullmatch(digest):
        raise BadEntry("hash")
    if not reason:
        raise BadEntry("no reason")
    name, _, second = by.partition("+")
    missing = {"seq": _whole(entry, "seq", 1), "hash": digest}
    return {"accept": missing, "by": name, "second": second, "reason": reason}


def _tray(entry: Mapping[str, Any], typed: Typed) -> Mapping[str, Any]:
    """Where the house has denominations, how many chips of each, and never their total."""
    if not typed.table.denominations:
        return {"amount": _amount(entry.get("amount"), "amount", typed)}
    counts = entry.get("chips")
    if not isinstance(counts, dict):
        raise BadEntry("chips")
    return {"chips": [{"value": chip.value, "count": chip.count} for chip in chips_typed(counts, typed)]}


def chips_typed(counts: Mapping[str, object], typed: Typed) -> tuple[ChipCount, ...]:
    """How many chips of each of the house's denominations, as they were typed; a field that is left empty has none.
    Raises `BadEntry` for chips that the house has not, and `NotAnAmount` for what is no number."""
    if not {str(value) for value in typed.table.denominations} >= counts.keys():
        raise BadEntry("chips")
    texts = {int(value): _text(text, "chips") for value, text in counts.items()}
    return tuple(
        ChipCount(value=value, count=amounts.parse(text, exponent=0, language=typed.language))
        for value, text in sorted(texts.items())
        if text.strip()
    )


def _name(entry: Mapping[str, Any], by: str, _typed: Typed) -> str:
    slot, code = entry.get("slot"), entry.get("card")
    if not isinstance(slot, str) or slot not in BY_NAME or not isinstance(code, str):
        raise BadEntry("slot")
    try:
        return f"name {slot} {card(code).code} by {by}"
    except NotACard as wrong:
        raise BadEntry(str(wrong)) from None


#: What can take the place of an entry, by the act that it is.
_INSTEAD: Final = frozenset({"press", "act", "bet", "asks"})


def _correct(entry: Mapping[str, Any], by: str, typed: Typed) -> str:
    """An entry of the hand by its number, and what should have been entered; `null`: nothing. With `card`: which card
    it is."""
    number, instead, code = _whole(entry, "number", FIRST_ENTRY, _MOST_FACTS), entry.get("instead"), entry.get("card")
    reason = _reason(entry)
    if not reason:
        raise BadEntry("no reason")
    if code is not None:
        return f"correct {number} card {_card_code(code)} by {by}{reason}"
    if instead is None:
        return f"correct {number} nothing by {by}{reason}"
    if not isinstance(instead, dict) or instead.get("act") not in _INSTEAD:
        raise BadEntry("instead")
    return f"correct {number} {_ACTS[instead['act']](instead, by, typed)} by {by}{reason}"


def _transfer(entry: Mapping[str, Any], by: str, typed: Typed) -> str:
    """For a claim that was upheld: from which seat to which, and how much."""
    giver, taker = (_whole(entry, end, 1, MAX_SEATS) for end in ("giver", "taker"))
    amount = _amount(entry.get("amount"), "amount", typed)
    return f"transfer {_incident(entry)} from={giver} to={taker} {amount} by {by}"


def _card_code(code: object) -> str:
    try:
        return card(_text(code, "card")).code
    except NotACard as wrong:
        raise BadEntry(str(wrong)) from None


def _call(entry: Mapping[str, Any], by: str, _typed: Typed) -> str:
    return f"call by {by}{_reason(entry)}"


def _take_table(_entry: Mapping[str, Any], by: str, _typed: Typed) -> str:
    return f"croupier {by}"


_ACTS: Final[Mapping[str, _Act]] = {
    TAKE_TABLE: _take_table,
    "press": _press,
    "bet": _bet,
    "standing": _standing,
    "remove": _remove,
    "out": _out,
    "declare": _declare,
    "rule": _rule,
    ACKNOWLEDGE: _acknowledge,
    "shelve": _shelve,
    "unshelve": _unshelve,
    "limits": _limits,
    "name": _name,
    "correct": _correct,
    "transfer": _transfer,
    "call": _call,
    "act": _act,
    "chips": _chips,
    "player": _player,
    "stack": _stack,
    "asks": _asks,
    "button": _button,
}


def _member(words: type[Key | Declaration | Remedy | Action | SeatChange], value: object) -> str:
    if not isinstance(value, str) or value not in {word.value for word in words}:
        raise BadEntry(f"{value!r} is no {words.__name__.lower()}")
    return value


def _seat(entry: Mapping[str, Any]) -> int:
    return _whole(entry, "seat", 1, MAX_SEATS)


def _is_spot(spot: object) -> bool:
    return isinstance(spot, str) and spot in _SPOTS


def _standing_bettor(entry: Mapping[str, Any]) -> str:
    """ "3/2": the seated player is the first."""
    return f"{_seat(entry)}/{_whole(entry, 'bettor', SEATED + 1, _MOST_BETTORS)}"


def _whole(entry: Mapping[str, Any], what: str, least: int, most: float = math.inf) -> int:
    number = entry.get(what)
    if type(number) is not int or not least <= number <= most:
        raise BadEntry(f"{what} {number!r}")
    return number


def _switch(entry: Mapping[str, Any], what: str) -> bool:
    """Off where nothing is said of it."""
    on = entry.get(what, False)
    if not isinstance(on, bool):
        raise BadEntry(what)
    return on


def _incident(entry: Mapping[str, Any]) -> int:
    return _whole(entry, "incident", 1)


def _reason(entry: Mapping[str, Any]) -> str:
    """On one line, without anything that would begin a note."""
    reason = _text(entry.get("reason", ""), "reason")
    plain = " ".join(reason.replace("#", " ").split())[:_LONGEST_REASON]
    return f" {plain}" if plain else ""


def _text(value: object, what: str) -> str:
    """What a person typed. JSON can carry half of a surrogate pair, which is no character and cannot be sent on."""
    if not isinstance(value, str):
        raise BadEntry(what)
    try:
        value.encode()
    except UnicodeEncodeError:
        raise BadText(what) from None
    return value

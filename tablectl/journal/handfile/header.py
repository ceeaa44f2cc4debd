"""The header of a hand file: which game, which table, and what the table remembers from the hands before.

`Header` reads the lines one by one; `header_lines.py` writes them.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Final

from tablectl.core.engine import facts as f
from tablectl.core.engine.carry import Carry
from tablectl.core.engine.slots import MAX_SEATS
from tablectl.core.engine.vocabulary import Declaration, Equipment, Tracking
from tablectl.core.options.holdem import Fee
from tablectl.core.settlement.pot_rules import WHOLE_RATE, Rake, RakeFrom
from tablectl.families.pots.places import NotMarkers, drawn, markers_of
from tablectl.families.pots.players import NotAPlayer, player_of, seated
from tablectl.games.registry import CIRCLE_GAMES, LIMIT_RULES, most_seats, trackings
from tablectl.journal.handfile.facts import bets_of
from tablectl.journal.handfile.header_people import OF_PEOPLE, PeopleHeader, bet_limits
from tablectl.journal.handfile.people import NAME
from tablectl.journal.handfile.settings import game_of, with_settings
from tablectl.journal.handfile.tokens import WHOLE_NUMBER, BadHandFile, put_once

#: Without a `limits` line any amount up to this one is allowed.
NO_LIMIT: Final = 10**12
NO_LIMITS: Final = f.Limits(least=0, most=NO_LIMIT)

_FEE: Final = f"with profile fee=from-the-pot, and only then, fee RATE {' or '.join(RakeFrom)} CAP"
_FEE_LINE: Final = re.compile(r"([0-9]{1,5}) (\S+) ([0-9]{1,13})")

#: Lines that stand in a file once.
_ONCE: Final = (
    "rulebook",
    "seats",
    "tracking",
    "equipment",
    "table",
    "places",
    "hand",
    "incidents",
    "unseen",
    "shoe-lost",
    "needs-deck",
    "shuffled",
    "chip",
    "fee",
    "resto",
    "carried",
    "closing",
    "next-game",
    "button",
    "markers",
    "staff",
    "croupier",
    "next-croupier",
)
_LISTED: Final = (
    "profile",
    "limits",
    "band",
    "previous",
    "conduct",
    "kept",
    "away",
    "unseen-device",
    "player",
    "stack",
    "bought",
)
_WORDS: Final = (*_ONCE, *_LISTED, *OF_PEOPLE)


class Header:
    """The lines of a header, as they come; then what they say all together. Everything raises `BadHandFile`."""

    def __init__(self) -> None:
        self._once: dict[str, tuple[int, str]] = {}
        self._profile: dict[str, str] = {}
        self._limits: dict[str, f.Limits] = {}
        self._bands: dict[str, f.Limits] = {}
        self._previous: dict[int, dict[str, int | None]] = {}
        self._kept: dict[int, dict[str, int | None]] = {}
        self._conduct: dict[str, int] = {}
        self._away: dict[str, None] = {}
        self._unseen_devices: dict[str, None] = {}
        self._players: dict[int, str] = {}
        self._stacks: dict[int, int] = {}
        self._bought: dict[int, int] = {}
        self._people = PeopleHeader()

    def take(self, number: int, line: str) -> None:
        """The next line."""
        word, _, rest = line.partition(" ")
        match word:
            case "profile":
                for key, value in _profile(number, rest):
                    put_once(self._profile, key, value, number, line)
            case "limits" | "band":
                put_once(
                    self._limits if word == "limits" else self._bands, *bet_limits(number, line, rest), number, line
                )
            case "previous" | "kept":
                bets = _bets(number, line, rest, self._most_seats)
                put_once(self._previous if word == "previous" else self._kept, *bets, number, line)
            case "conduct":
                put_once(self._conduct, *_conduct(number, line, rest), number, line)
            case "away" | "unseen-device" if len(rest.split()) > 1:
                put_once(self._away if word == "away" else self._unseen_devices, rest, None, number, line)
            case "away" | "unseen-device":
                raise BadHandFile(number, line, f"{word} ROLE DEVICE")
            case "player":
                put_once(self._players, *_player(number, line, rest), number, line)
            case "stack" | "bought":
                put_once(self._stacks if word == "stack" else self._bought, *_stack(number, line, rest), number, line)
            case _ if word in OF_PEOPLE:
                self._people.take(number, line)
            case _ if word in _ONCE:
                put_once(self._once, word, (number, rest), number, line)
            case _:
                raise BadHandFile(number, line, f"{', '.join(_WORDS[:-1])} or {_WORDS[-1]} before the first > line")

    @property
    def is_one_of_many(self) -> bool:
        """Whether it is a table's own hand, which a line of the file opens."""
        return "hand" in self._once

    def setup(self) -> f.Setup:
        """Everything the house chose. Bets that no line limits are those that the rulebook lets it limit."""
        if "rulebook" not in self._once:
            raise BadHandFile(1, "no rulebook", "a line 'rulebook ID'")
        rulebook = self._once["rulebook"][1]
        number, tracking = self._once.get("tracking", (0, Tracking.AMOUNTS.value))
        if tracking not in trackings(rulebook):
            raise BadHandFile(number, tracking, _one_of(trackings(rulebook)))
        number, equipment = self._once.get("equipment", (0, Equipment.SHOE.value))
        if equipment not in list(Equipment):
            raise BadHandFile(number, equipment, " or ".join(Equipment))
        most = most_seats(rulebook)
        places = self._counted("places", most, least=1)
        if places > most:
            number = self._once["places"][0]
            raise BadHandFile(number, f"places {places}", f"places and a number from 1 to {most}")
        rule = LIMIT_RULES.get(rulebook)
        limited: Iterable[str] = rule.bets if rule is not None else ()
        return f.Setup(
            table=self._once.get("table", (0, "hand-file"))[1],
            rulebook=rulebook,
            seats=places,
            tracking=Tracking(tracking),
            limits=dict.fromkeys(limited, NO_LIMITS) | self._limits,
            profile=self._profile,
            equipment=Equipment(equipment),
            chip=self._counted("chip", 1, least=1),
            fee=self._fee(),
            resto=self._counted("resto", 0, least=1),
            bands=self._bands,
            staff=self._said("staff"),
        )

    def _fee(self) -> Rake | None:
        """`fee 500 each-pot 1000`: hundredths of a per cent, of what, and at most so much."""
        takes = self._profile.get("fee") == Fee.FROM_THE_POT
        if "fee" not in self._once:
            if takes:
                raise BadHandFile(1, "profile fee=from-the-pot", _FEE)
            return None
        number, rest = self._once["fee"]
        found = _FEE_LINE.fullmatch(rest)
        if not takes or found is None or int(found[1]) > WHOLE_RATE or found[2] not in list(RakeFrom):
            raise BadHandFile(number, f"fee {rest}", _FEE)
        return Rake(rate=int(found[1]), taken_from=RakeFrom(found[2]), cap=int(found[3]))

    @property
    def _most_seats(self) -> int:
        """How many seats the game has at most; before a line names it, as many as any game has."""
        return most_seats(self._once.get("rulebook", (0, ""))[1])

    def seats(self) -> tuple[int, ...]:
        """Who sat there when the hand began."""
        number, rest = self._once.get("seats", (0, ""))
        words, most = rest.split(), self._most_seats
        if len(set(words)) < len(words) or not {str(seat) for seat in range(1, most + 1)} >= set(words):
            raise BadHandFile(number, rest, f"seats 1 2 4 …, each once, from 1 to {most}")
        return tuple(int(word) for word in words)

    def carry(self, setup: f.Setup, seats: Iterable[int]) -> Carry:
        """All that the table knew then."""
        unseen_line, unseen = self._once.get("unseen", (0, ""))
        circle = setup.rulebook in CIRCLE_GAMES
        waits = self._once.get("carried", (0, "0"))[1] == ""
        previous: dict[int, dict[str, int | None]] = {} if circle else {seat: {} for seat in seats} | self._previous
        players = {player.seat: player.text() for player in seated(seats)} if circle else {}
        return Carry(
            setup=setup,
            hand=self._counted("hand", 1, least=1) - 1,
            n_incidents=self._counted("incidents", 0),
            previous=dict(sorted(previous.items())),
            unseen=tuple(_whole(unseen_line, "unseen", word) for word in unseen.split()),
            shoe_lost=self._counted("shoe-lost", 0, least=1) or None,
            conduct=self._conduct,
            kept=self._kept,
            needs_deck=self._said("needs-deck"),
            is_shuffled=self._said("shuffled"),
            lost=tuple(self._away),
            players=tuple(line for _, line in sorted((players | self._players).items())),
            stacks=dict(sorted(self._stacks.items())),
            markers=self._markers(),
            carried=self._counted("carried", 0, least=1) if not waits else 0,
            is_pot_waiting=waits,
            next_setup=self._next_setup(setup),
            bought=dict(sorted(self._writer(setup).items())),
            is_closing=self._said("closing"),
            croupier=self._person("croupier"),
            next_croupier=self._person("next-croupier"),
            limits_set=self._people.limits_set,
            shelved=self._people.shelved,
            unseen_devices=tuple(self._unseen_devices),
        )

    def _writer(self, setup: f.Setup) -> dict[int, int]:
        """What each player has bought: where no line says it, one resto."""
        taken = dict.fromkeys(self._stacks, setup.resto) if setup.resto else {}
        return {**taken, **self._bought}

    def _next_setup(self, setup: f.Setup) -> f.Setup | None:
        """`circle-holdem chip=100`: a game that was chosen, and what is otherwise than as it ships."""
        if "next-game" not in self._once:
            return None
        number, rest = self._once["next-game"]
        rulebook, *words = rest.split() or [""]
        if rulebook not in LIMIT_RULES:
            raise BadHandFile(number, f"next-game {rest}", f"next-game and {_one_of(LIMIT_RULES)}")
        try:
            return with_settings(game_of(rulebook, setup), words)
        except ValueError as wrong:
            raise BadHandFile(number, f"next-game {rest}", str(wrong)) from None

    def _markers(self) -> str | None:
        """Where the button was: `button 3`, it lies there in this hand, or the line of a hand that was played."""
        if "button" in self._once and "markers" in self._once:
            raise BadHandFile(self._once["markers"][0], "markers", "button or markers, not both")
        if "markers" in self._once:
            number, rest = self._once["markers"]
            try:
                return markers_of(rest).text()
            except NotMarkers as wrong:
                raise BadHandFile(number, f"markers {rest}", str(wrong)) from None
        seat = self._counted("button", 0, least=1)
        if seat > MAX_SEATS:
            raise BadHandFile(self._once["button"][0], f"button {seat}", f"a seat from 1 to {MAX_SEATS}")
        return drawn(seat).text() if seat else None

    def _person(self, name: str) -> str:
        number, rest = self._once.get(name, (0, ""))
        if name in self._once and NAME.fullmatch(rest) is None:
            raise BadHandFile(number, f"{name} {rest}", f"{name} and a name, as in ana or j.perez")
        return rest

    def _counted(self, name: str, without: int, *, least: int = 0) -> int:
        if name not in self._once:
            return without
        number, rest = self._once[name]
        return _whole(number, name, rest, least=least)

    def _said(self, name: str) -> bool:
        number, rest = self._once.get(name, (0, ""))
        if rest:
            raise BadHandFile(number, f"{name} {rest}", f"{name} and nothing after it")
        return name in self._once


def _one_of(words: Iterable[str]) -> str:
    *many, last = words
    return f"{', '.join(many)} or {last}"


def _bets(number: int, line: str, rest: str, most: int) -> tuple[int, dict[str, int | None]]:
    try:
        seat, amounts = bets_of(rest.split())
    except (IndexError, ValueError):
        seat, amounts = 0, {}
    if not 1 <= seat <= most:
        raise BadHandFile(number, line, f"{line.split(' ', 1)[0]} SEAT BET [AMOUNT] …")
    return seat, amounts


def _conduct(number: int, line: str, rest: str) -> tuple[str, int]:
    """`2 commented 1`: how often the player of seat 2 did what he may not, in the hands before."""
    match rest.split():
        case [seat, what, times] if (
            seat in map(str, range(1, MAX_SEATS + 1))
            and what in list(Declaration)
            and WHOLE_NUMBER.fullmatch(times)
            and int(times) > 0
        ):
            return f"seat-{seat} {what}", int(times)
        case _:
            raise BadHandFile(number, line, "conduct SEAT WHAT TIMES, as in 'conduct 2 commented 1'")


def _player(number: int, line: str, rest: str) -> tuple[int, str]:
    try:
        player = player_of(rest)
    except NotAPlayer as wrong:
        raise BadHandFile(number, line, str(wrong)) from None
    return player.seat, player.text()


def _stack(number: int, line: str, rest: str) -> tuple[int, int]:
    match rest.split():
        case [seat, amount] if seat in map(str, range(1, MAX_SEATS + 1)) and WHOLE_NUMBER.fullmatch(amount):
            return int(seat), int(amount)
        case _:
            raise BadHandFile(number, line, f"{line.split(' ', 1)[0]} SEAT AMOUNT, as in 'stack 3 20000'")


def _whole(number: int, name: str, word: str, *, least: int = 1) -> int:
    if WHOLE_NUMBER.fullmatch(word) is None or int(word) < least:
        raise BadHandFile(number, f"{name} {word}", f"{name} and a whole number from {least}")
    return int(word)


def _profile(number: int, rest: str) -> Iterator[tuple[str, str]]:
    for word in rest.split():
        key, found, value = word.partition("=")
        if not found:
            raise BadHandFile(number, word, "profile KEY=VALUE …")
        yield key, value

"""The texts of the table in one language: its words, places, cards, amounts and clauses. Pure.

Screens and evidence use it; each adds the texts that it alone shows.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Final

from tablectl.core.engine.facts import Limits
from tablectl.core.security import ALARMS as ATTEMPTS
from tablectl.i18n.currency import Currency
from tablectl.i18n.sums import sum_text
from tablectl.i18n.texts import Texts

_SUIT_SIGNS: Final = {"s": "♠", "h": "♥", "d": "♦", "c": "♣"}
_VOID_HAND: Final = "void-hand"
#: Its amount is the whole stake, not what is added.
_RAISE: Final = "raise"
#: What stands after an amount: its currency in some languages, nothing in others.
_AFTER_NUMBER: Final = re.compile(r"\D*\Z")
#: So many choices are told with a comma before the last.
_SEVERAL: Final = 2


@dataclass(frozen=True, kw_only=True, slots=True)
class TableTexts:
    """The texts in one language, for the hands of one rulebook. Every method gives a text that can stand on a page."""

    language: str
    texts: Texts
    rulebook: str
    #: of the amounts that are said, where somebody knows it
    currency: Currency | None = None

    def say(self, table: str, key: str, /, **values: object) -> str:
        """A sentence, its braces filled in."""
        return self.texts.text(table, key, self.language).format(**values)

    def pluralize(self, table: str, key: str, number: int, /, **values: object) -> str:
        """A sentence for so many, as the language counts; `{count}` is the number."""
        return self.texts.form(table, key, self.language, number).format(**{"count": number, **values})

    def page(self, key: str, /, **values: object) -> str:
        """A sentence that belongs to the page itself."""
        return self.say("page", key, **values)

    def word(self, table: str, key: str) -> str:
        """A closed set's member; one that this version does not know stands as it came."""
        return self.texts.text(table, key, self.language) if self.texts.has(table, key) else key

    def clause(self, clause: str) -> str:
        """What the rule says, in one sentence, of whichever document it is; empty for a clause of none."""
        return self.texts.text("clause", clause, self.language) if self.texts.has("clause", clause) else ""

    def choice(self, key: str) -> str:
        """What a choice of the house decides at this game: in its own words, or in those that several games share."""
        own = f"{self.rulebook}-{key}"
        return self.word("house-choice", own if self.texts.has("house-choice", own) else key)

    def open_point(self, point: str) -> str:
        """What the document of this game leaves open, by the id of our register."""
        return self.word("open-point", f"{self.rulebook}-{point}")

    def person(self, name: str) -> str:
        """Who did it."""
        return self.word("person", name)

    def persons(self, by: str, second: str = "") -> str:
        """Who did it, with the second person where there was one."""
        one = self.person(by)
        return self.say("word", "and", one=one, other=self.person(second)) if second else one

    def alarm(self, alarm: str) -> str:
        """What an alarm is about: `incident-12`, `device-light`, `security-writes`."""
        if alarm in ATTEMPTS:
            return self.say("word", "alarm-security", what=self.word("attempted", ATTEMPTS[alarm]))
        kind, _, name = alarm.partition("-")
        return self.say("word", f"alarm-{kind}", number=name, device=name) if kind in _ALARMS else alarm

    def limits(self, limits: Mapping[str, Limits]) -> str:
        """Limits of bets, one after the other: "ante de 500 a 10 000"."""
        said = []
        for bet, limit in limits.items():
            least, most = self.money(limit.least), self.money(limit.most)
            said.append(f"{self.bet(bet)} {self.say('word', 'limits', least=least, most=most)}")
        return ", ".join(said)

    def bet(self, bet: str) -> str:
        """The name of a bet."""
        return self.word("bet", bet)

    # --- places and cards -------------------------------------------------------------------------------------------

    def place(self, slot: str, *, table: str = "place") -> str:
        """Where a card lies: "puesto 5, carta 2"; "Puesto 5" where nobody knows as which of the cards there."""
        if table == "place" and "." not in slot:
            return self.spot(slot)
        spot, _, position = slot.partition(".")
        head, _, seat = spot.partition("-")
        for key in (f"{head}-{position}", head):
            if self.texts.has(table, key):
                return self.say(table, key, seat=seat, position=position)
        return slot

    def spot(self, spot: str) -> str:
        """ "Puesto 3" or "Banca"; of a slot, the spot it belongs to."""
        spot = spot.partition(".")[0]
        head, _, number = spot.partition("-")
        return self.say("spot", "seat", seat=number) if head == "seat" else self.word("spot", spot)

    def bettor(self, seat: int, bettor: int = 1) -> str:
        """Whose bet it is: "Puesto 3", or "Puesto 3, 2.º de pie" for who stands behind it."""
        if bettor == 1:
            return self.spot(f"seat-{seat}")
        return self.say("spot", "standing", seat=seat, bettor=bettor)

    def card(self, code: str) -> str:
        """A card as one reads it aloud."""
        return self.say("card-name", "of", rank=self.word("rank", code[0]), suit=self.word("suit", code[1]))

    def cards(self, number: int | str) -> str:
        """So many cards."""
        return self.pluralize("word", "card-count", int(number))

    # --- amounts ----------------------------------------------------------------------------------------------------

    def money(self, amount: int | None) -> str:
        """An amount; nothing without amounts. Without a currency it is a number of the smallest unit."""
        if amount is None:
            return ""
        if self.currency is not None:
            return sum_text(amount, self.currency, self.language)
        return f"{amount:,}".replace(",", "\u202f")

    def gain(self, amount: int) -> str:
        """A gain or a loss, always with its sign."""
        return f"{'+' if amount > 0 else '−' if amount < 0 else '±'}{self.money(abs(amount))}"

    def pot(self, number: int, pots: int) -> str:
        """A pot by its name, of so many: the main pot, or the side pots by number."""
        if pots == 1:
            return self.word("word", "one-pot")
        return self.word("word", "main-pot") if number == 1 else self.say("word", "side-pot", number=number - 1)

    def stage(self, stage: str) -> str:
        """What was put in when: a round, or a blind before the deal."""
        return self.word("phase" if self.texts.has("phase", stage) else "bet", stage)

    def per_cent(self, rate: int) -> str:
        """Hundredths of a per cent as people write them: `2,5`."""
        whole, rest = divmod(rate, 100)
        part = f"{rest:02}".rstrip("0")
        return f"{whole}{self.word('number', 'point')}{part}" if part else str(whole)

    def fee(self, rate: int, taken_from: str, cap: int | None) -> str:
        """What the table takes of a pot (THL-DEF-7): `rate` in hundredths of a per cent, of what, and at most so
        much."""
        text = self.say("fee", taken_from, rate=self.per_cent(rate))
        return text if cap is None else f"{text}, {self.say('fee', 'at-most', cap=self.money(cap))}"

    def outcome(self, outcome: str, odds: Iterable[int] | None) -> str:
        """What became of a bet, with its odds."""
        said = self.word("outcome", outcome)
        return said if odds is None else f"{said} {':'.join(map(str, odds))}"

    # --- incidents, questions, refusals -----------------------------------------------------------------------------

    def observed(self, word: str) -> str:
        """What was expected or seen: a slot, a count, what a seat may do, a word."""
        if (table := next((text for text in _WORDS if self.texts.has(text, word)), None)) is not None:
            return self.word(table, word)
        if "|" in word or self.texts.has("action-may", word.partition("=")[0]):
            return self.legal(word.split("|"))
        if "+" in word and "=" in word:
            one, _, other = word.partition("+")
            return self.say("word", "and", one=self.observed(one), other=self.observed(other))
        name, equals, value = word.partition("=")
        if equals:
            return self._count(name, value)
        numbered, _, number = word.rpartition("-")
        if numbered in _NUMBERED:
            return self.say("word", _NUMBERED[numbered], number=number)
        if "+" in word:
            spot, _, other = word.partition("+")
            return self.say("word", "two-spots", spot=self.spot(spot), other=self.spot(other))
        what, spot = _of_spot(word)
        if what and spot:
            return self.say("word", "of-seat", what=self.word("word", what), spot=self.spot(spot))
        return self.place(word)

    def _count(self, spot: str, cards: str) -> str:
        return self.say("word", "count-at", spot=self.spot(spot), cards=self.cards(cards))

    def incident_title(self, expected: str, observed: str, remedies: tuple[str, ...]) -> str:
        """An incident in three or four words."""
        return self.word("title", self.incident_key("title", expected, observed, remedies))

    def incident_key(self, table: str, expected: str, observed: str, remedies: tuple[str, ...]) -> str:
        """Which sentence of a table tells an incident: one for what makes it special where there is one."""
        seen = _what(expected, observed)
        variants = (
            (expected == "declared-at-once", "late"),
            (seen == "face-up-card" and remedies == (_VOID_HAND,), "again"),
            (remedies == ("continue",), "continue"),
            (expected == "no-card", "after"),
            (remedies == ("correct",), "mendable"),
            (expected == "cut", "uncut"),
            (expected == "new-stub", "new-stub"),
        )
        named = [f"{seen}-{variant}" for applies, variant in variants if applies]
        return next((key for key in (*named, seen) if self.texts.has(table, key)), "other")

    def remedies(self, remedies: Iterable[str]) -> str:
        """What there is to choose from."""
        return " / ".join(self.word("remedy", remedy) for remedy in remedies)

    def question(self, question: str, about: str, *, table: str = "question") -> str:
        """What the croupier is asked, or how to answer it. `about`: a place, several, or what is being declared."""
        if about.startswith(_DISCARDS_BUT):
            question, about = f"{question}-but", about.removeprefix(_DISCARDS_BUT)
        places = about.split("+")
        exact = f"{question}-{about if len(places) == 1 else 'several'}"
        where = " · ".join(map(self.place, places))
        said = self.word("declaration", about) if self.texts.has("declaration", about) else where
        return self.say(table, exact if self.texts.has(table, exact) else question, spot=said)

    def refusal(self, why: str, *, entry: str, detail: str, clause: str | None = None) -> str:
        """Why an entry changed nothing. `entry` is the key that was pressed, or the kind of the fact."""
        if entry.startswith("seat-"):
            name = self.spot(entry)
        else:
            name = self.word("key" if self.texts.has("key", entry) else "entry", entry)
        if why == _ILLEGAL:
            action, *legal = detail.split()
            return self.say("refusal", why, entry=self.word("action-may", action), detail=self.legal(legal)).strip()
        key = _NUMBER_AGAIN if (why, clause) == (_TAKEN_BACK, _NUMBER_CLAUSE) else why
        details = " · ".join(self._detail(word, why) for word in detail.replace("+", " ").split())
        return self.say("refusal", key, entry=name, detail=details).strip()

    def legal(self, words: Iterable[str]) -> str:
        """What a seat may do, out of the words of a hand file: `check bet=200..5000`. To fold is legal always."""
        *others, last = [*map(self._legal, words), self.word("action-may", "fold")]
        if len(others) < _SEVERAL:
            return self.say("word", "either", one=others[0], other=last) if others else last
        return self.say("word", "either-last", others=", ".join(others), other=last)

    def _legal(self, word: str) -> str:
        name, _, value = word.partition("=")
        least, dots, most = value.partition("..")
        is_raise = name == _RAISE
        if dots and most and most != least:
            least, most = self._span(int(least), int(most))
            amount = self.say("word", "raise-between" if is_raise else "limits", least=least, most=most)
        elif dots and not most:
            amount = self.say("word", "raise-from" if is_raise else "at-least", least=self.money(int(least)))
        else:
            amount = self.money(int(least)) if least else ""
            amount = self.say("word", "raise-to", amount=amount) if is_raise and amount else amount
        return f"{self.word('action-may', name)} {amount}".strip()

    def _span(self, least: int, most: int) -> tuple[str, str]:
        """Two amounts, one after the other: what stands after both, such as the currency, is said once."""
        lower, upper = self.money(least), self.money(most)
        return lower.removesuffix(_AFTER_NUMBER.findall(upper)[0]), upper

    def _detail(self, word: str, why: str) -> str:
        name, equals, value = word.partition("=")
        if why in _OF_NUMBERS and value.isdigit() and self.texts.has("word", f"is-{name}"):
            number = self.cards(value) if _OF_NUMBERS[why] == "cards" else self.money(int(value))
            return self.say("word", f"is-{name}", number=number)
        if name in ("limits", "nearest") and (ends := value.split(".."))[-1].isdigit():
            return self.say("word", name, least=self.money(int(ends[0])), most=self.money(int(ends[-1])))
        if name in ("turn", "button"):
            return self.spot(value)
        if name == "players":
            return value
        if equals and self.texts.has("bet", name) and value.isdigit():
            return f"{self.bet(name)} {self.money(int(value))}"
        if equals and value.isdigit() and name.startswith(("seat-", "house")):
            return self._count(name, value)
        if not equals and (word.startswith("seat-") or "." in word):
            return self.place(word)
        said = self.word("word", word) if why in _IN_WORDS else word
        return self.word("bet", self.word("remedy", said)) if not equals else word.replace("=", " ")


#: Where what was expected or seen has its words: an incident may be named after what was declared.
_WORDS: Final = ("word", "declaration")
#: What has a number, by what stands before it.
_NUMBERED: Final = {"decision-seat": "decision", "entry": "entry"}
#: An action that the rules do not allow now: the detail says which, and what they do.
_ILLEGAL: Final = "illegal-action"
#: What a croupier cancelled: a declaration, or by this clause the number of cards that a seat changes.
_TAKEN_BACK: Final = "taken-back"
_NUMBER_AGAIN: Final = "number-taken-back"
_NUMBER_CLAUSE: Final = "FCD-DSC-14"
#: A card that seats cannot be drawn with, an alarm that cannot be put aside: the detail says why, in a word.
_IN_WORDS: Final = ("wrong-card", "not-shelved")
#: What an alarm can be about.
_ALARMS: Final = ("incident", "device")
#: Refusals whose detail is numbers: of cards, or amounts.
_OF_NUMBERS: Final = {"too-many-cards": "cards", "wrong-number": "cards", "wrong-stack": "money"}
#: A new stub is made of all discards but those of a seat.
_DISCARDS_BUT: Final = "discards-but-"
_WRONG_BUTTON: Final = "wrong-button"
#: What an antenna saw at a place that is not the card's, and what a pair of seats stands for.
_MISPLACED: Final = "misplaced"
_OF_PAIRS: Final = {"cards-apart": "cards-in-contact", "apart": "cards-in-contact", "one-box": "two-boxes"}
#: Words that end like a spot and name none.
_WHOLE: Final = frozenset(
    {"no-burn", "one-burn", "double-burn", "early-burn", "early-board", "face-up-in-shoe"}
    | {"new-stub", "last-of-the-stub"}
)
_SPOTS: Final = frozenset({"house", "board", "burn", "discard", "shoe", "stub"})


def _of_spot(word: str) -> tuple[str, str]:
    """ "commented-seat-3" is "commented" of "seat-3"; without a spot the word stands alone."""
    if word in _WHOLE:
        return word, ""
    for spot in ("seat-", *_SPOTS):
        what, sign, rest = word.rpartition(f"-{spot}")
        if sign and (spot != "seat-" or rest.isdecimal()):
            return what, f"{spot}{rest}"
    return word, ""


def _what(expected: str, observed: str) -> str:
    """What happened, whoever and wherever it was."""
    if expected == "discard" and _is_seat(observed):
        return "discard-back"  # FCD-DSC-10
    if "=" in observed:
        return "short-deck" if observed.startswith("deck=") else "wrong-count"
    if "+" in observed:
        return _OF_PAIRS.get(expected, observed)
    if expected == "card-from-the-shoe":
        return "from-elsewhere"
    if _is_seat(expected) and _is_seat(observed):
        return _WRONG_BUTTON  # THL-MIS-6: of cards, what is expected is a place for one
    is_spot = observed in _SPOTS - {"burn"} or _is_seat(observed)
    return _MISPLACED if is_spot else _of_spot(observed)[0]


def _is_seat(word: str) -> bool:
    return word.startswith("seat-") and "." not in word


def sign_of(suit: str) -> str:
    """The sign printed on a card."""
    return _SUIT_SIGNS[suit]


def rank_of(rank: str) -> str:
    """The rank printed on a card: ten has two digits."""
    return "10" if rank == "T" else rank

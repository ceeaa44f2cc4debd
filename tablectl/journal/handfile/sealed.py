"""Cards that a hand file does not tell, since the rules never showed them, and which cards stand for them in a replay.

No decision depends on which card it is that is never shown; only on whether it is one that was drawn before, and at
five-card draw on who could open (`openings.py`). That is all the words for it say with the decisions, and all that a
card in its place has to keep.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from tablectl.core.cards import DECK
from tablectl.core.engine.vocabulary import Equipment
from tablectl.journal.handfile.facts import FAULTY_CARD, UNREAD
from tablectl.journal.handfile.openings import ParsedLines, chosen
from tablectl.journal.handfile.tokens import BadHandFile

#: One that was read and never shown; such a card that had been drawn before; the shoe's last card once more.
SEALED: Final = "sealed"
SEALED_AGAIN: Final = "sealed-again"
REPEATED: Final = "repeated"
#: What an antenna sees of a card that is none of this hand's.
STRAY: Final = "stray"
#: After a card's name: the same card had been drawn before, and that one is sealed.
HIDDEN: Final = "hidden"

_DRAW_N: Final = re.compile(r"draw-([1-9][0-9]{0,3})")
_CARD_OF: Final = {
    "draw": re.compile(rf"draw\s+(\S+)(?:\s+({HIDDEN}))?$"),
    "fault": re.compile(rf"fault\s+{FAULTY_CARD}([^\s,]+)(?:,({HIDDEN}))?(?=\s|$)"),
    "name": re.compile(rf"name\s+\S+\s+(\S+)(?:\s+({HIDDEN})(?=\s+by\s))?"),
    "correct": re.compile(rf"correct\s+\S+\s+(?:card|name\s+\S+)\s+(\S+)(?:\s+({HIDDEN})(?=\s+by\s))?"),
    "seen": re.compile(rf"seen\s+\S+\s+(\S+)(?:\s+({HIDDEN}))?"),
    "gone": re.compile(r"gone\s+\S+\s+(\S+)()?"),
}
#: Which words for a card that is not told can stand in each fact.
_WORDS: Final = {
    "draw": (SEALED, SEALED_AGAIN, REPEATED),
    "fault": (SEALED, SEALED_AGAIN),
    "name": (),
    "correct": (),
    "seen": (SEALED, SEALED_AGAIN, STRAY),
    "gone": (STRAY,),
}
_ALL_WORDS: Final = frozenset((SEALED, SEALED_AGAIN, REPEATED, STRAY))


def nth_draw(number: int) -> str:
    """The word for a card that was drawn: the first one that comes in the file is number 1."""
    return f"draw-{number}"


class Count:
    """Numbers the cards of a file in the order in which its lines bring them: out of the shoe, or seen by an antenna
    for the first time. Who writes a file and who reads it count alike."""

    def __init__(self, equipment: Equipment) -> None:
        self.drawn = 0
        self._is_felt_the_deal = equipment is Equipment.ANTENNAS
        self._known = {UNREAD, STRAY}

    def brings(self, verb: str, code: str) -> bool:
        """Count the card of the next line that has one, and say whether it is a new one. `code` as it is written."""
        match verb:
            case "draw" | "fault":
                is_new = code != REPEATED
            case "seen":
                at_first = self._is_felt_the_deal and code not in self._known and not _DRAW_N.fullmatch(code)
                is_new = code in (SEALED, SEALED_AGAIN) or at_first
            case _:
                is_new = False
        self.drawn += is_new
        self._known.add(code)
        return is_new


@dataclass(kw_only=True, slots=True)
class _Told:
    """A card in a fact: where it stands, what the file says of it (`code`: the card that is meant, once that is
    settled), and which draw of the hand it is, or means."""

    index: int
    found: re.Match[str]
    verb: str
    code: str
    is_hidden: bool
    is_new: bool = False
    draw: int = 0


def standing_in(body: list[tuple[int, str]], equipment: Equipment) -> list[str]:
    """The lines of a file's body, with a card in the place of every one that the file does not tell: the lowest of
    the deck that appears nowhere else. Raises `BadHandFile`."""
    told = list(_cards_of(body))
    _number(told, body, equipment)
    parsed = _parsed_lines(told, body)
    _reveal(told, body, parsed)
    _come_again(told, parsed)
    _Deck(told, body, parsed).deal()
    lines = [line for _, line in body]
    for card in told:
        text, found = card.found.string, card.found
        lines[card.index] = f"> {text[: found.start(1)]}{card.code}{text[found.end() :]}"
    return lines


def _cards_of(body: list[tuple[int, str]]) -> Iterator[_Told]:
    for index, (_, line) in enumerate(body):
        text = line[1:].strip()
        verb = text.partition(" ")[0]
        pattern = _CARD_OF.get(verb) if line[0] == ">" else None
        if pattern is not None and (found := pattern.match(text)) is not None:
            yield _Told(index=index, found=found, verb=verb, code=found[1], is_hidden=bool(found[2]))


def _number(told: list[_Told], body: list[tuple[int, str]], equipment: Equipment) -> None:
    """Which draw each card is, or means."""
    count = Count(equipment)
    for card in told:
        nth, lies = _DRAW_N.fullmatch(card.code), card.verb in ("seen", "gone")
        is_known = nth is not None and lies and int(nth[1]) <= count.drawn
        if (nth and not is_known) or card.code in _ALL_WORDS.difference(_WORDS[card.verb]):
            words = ("a card", *_WORDS[card.verb], *(("draw-N of a card before it",) if lies else ()))
            raise BadHandFile(*body[card.index], " or ".join(words))
        card.is_new = count.brings(card.verb, card.code)
        if nth is not None:
            card.draw = int(nth[1])
        elif card.is_new or card.code == REPEATED:
            card.draw = count.drawn


def _parsed_lines(told: list[_Told], body: list[tuple[int, str]]) -> ParsedLines:
    draws = {card.index: card.draw for card in told if card.is_new}
    known: dict[int, int] = {}
    by_code: dict[str, int] = {}
    for card in told:
        if card.is_new:
            by_code[card.code] = card.draw
        elif card.verb in ("seen", "gone"):
            known[card.index] = card.draw or by_code.get(card.code, 0)  # none of this hand's has no number
    return ParsedLines((line for _, line in body), draws, known)


def _reveal(told: list[_Told], body: list[tuple[int, str]], parsed: ParsedLines) -> None:
    """The first sealed card before a `hidden` one is the same; not one that is seen later on as that one draw's. Of one
    that came from under the stub it is known which can lie there."""
    for at, card in enumerate(told):
        if not card.is_hidden:
            continue
        before = [one for one in told[:at] if one.is_new]
        if card.code in [one.code for one in before]:
            continue
        later = {one.draw for one in told[at + 1 :] if not one.is_new}
        sealed = [one for one in before if one.code == SEALED]
        sealed = [one for one in sealed if one.draw in parsed.under.before.get(card.draw, ())] or sealed
        same = next((one for one in sealed if one.draw not in later), next(iter(sealed), None))
        if same is None:
            raise BadHandFile(*body[card.index], "a sealed card before it that could be this one")
        same.code = card.code


def _come_again(told: list[_Told], parsed: ParsedLines) -> None:
    """A card that is told only after a new stub may have been dealt before, put away and shuffled in (FCD-DSC-5): as
    long as there are such cards that the file does not tell, one of them is the same. Otherwise a hand that deals more
    cards than a deck has would run out of them."""
    sealed = {card.draw: card for card in told if card.is_new and card.code == SEALED}
    pools = [
        _Pool(after=index, cards=[sealed[draw] for draw in draws if draw in sealed], left=number)
        for index, gone in parsed.back
        for draws, number in gone
    ]
    before: set[str] = set()
    for card in told:
        is_a_card = card.is_new and card.code not in (SEALED, SEALED_AGAIN, STRAY, REPEATED, UNREAD)
        if is_a_card and card.code not in before and not card.is_hidden:
            pool = next((one for one in pools if one.after < card.index and one.left and one.cards), None)
            if pool is not None:
                pool.cards.pop(0).code = card.code
                pool.left -= 1
        before.add(card.code)


@dataclass(kw_only=True, slots=True)
class _Pool:
    """Cards of which so many are in the new stub that was made after this line."""

    after: int
    cards: list[_Told]
    left: int


class _Deck:
    """Deals cards to those that are not told."""

    def __init__(self, told: list[_Told], body: list[tuple[int, str]], parsed: ParsedLines) -> None:
        self._told, self._body, self._before = told, body, parsed.under.before
        used = {card.code for card in told}
        self._unused = [card.code for card in DECK if card.code not in used]
        self._stray = self._unused.pop() if STRAY in used and self._unused else DECK[-1].code
        sealed = [card for card in told if card.is_new and card.code == SEALED]
        self._sealed = {card.draw for card in sealed}
        #: what the shoe could not read and an antenna does is as sealed as the others
        read_later = {card.draw for card in told if card.verb == "seen" and not card.is_new}
        codes: dict[int, str | None] = {
            card.draw: None if card.code == SEALED or (card.code == UNREAD and card.draw in read_later) else card.code
            for card in told
            if card.is_new
        }
        self._chosen = chosen(parsed, codes, self._unused)
        self._back = parsed.back
        #: draws that can be in a new stub
        self._gone_back: set[int] = set()
        #: codes by draw, and all that are known, in order
        self._of_draw: dict[int, str] = {}
        self._known: list[str] = []

    def deal(self) -> None:
        """From the first line to the last one."""
        for at, told in enumerate(self._told):
            while self._back and self._back[0][0] < told.index:
                # A new stub (FCD-DSC-5): these cards come again, once there are no others.
                for draws, number in self._back.pop(0)[1]:
                    self._gone_back.update(draws)
                    self._unused += [self._of_draw[draw] for draw in draws if draw in self._sealed][:number]
            told.code = self._code(at, told)
            if told.draw and (told.is_new or told.code != UNREAD):
                self._of_draw[told.draw] = told.code
            if told.code not in (UNREAD, self._stray):
                self._known.append(told.code)

    def _code(self, at: int, card: _Told) -> str:
        if card.code == SEALED:
            return self._chosen[card.draw] if card.is_new and card.draw in self._chosen else self._next(card)
        if card.code == SEALED_AGAIN:
            return self._again(at, card)
        if card.code == STRAY:
            return self._stray
        if card.code == REPEATED:
            return self._of_draw.get(card.draw, UNREAD)
        if card.draw and not card.is_new:
            code = self._of_draw[card.draw]
            # The antenna reads what the shoe could not.
            return code if code != UNREAD else self._chosen.get(card.draw) or self._next(card)
        return card.code

    def _next(self, card: _Told) -> str:
        if not self._unused:
            raise BadHandFile(*self._body[card.index], "no more cards than a deck has")
        return self._unused.pop(0)

    def _again(self, at: int, again: _Told) -> str:
        """One that was drawn: not the last one, nor one that lies there by itself later on, nor one that may have gone
        into a new stub. One that came from under the stub is one that was put there."""
        before = [self._of_draw[draw] for draw in self._before.get(again.draw, ()) if draw in self._of_draw]
        if before:
            return before[0]
        later = [one for one in self._told[at + 1 :] if not one.is_new]
        alone = {self._of_draw.get(one.draw, one.code) for one in later}
        alone |= {code for draw, code in self._of_draw.items() if draw in self._gone_back}
        last = self._of_draw.get(max(self._of_draw, default=0))
        choices = [code for code in self._known if code != last] or self._known or [DECK[0].code]
        return next((code for code in choices if code not in alone), choices[0])

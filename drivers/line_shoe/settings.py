"""What a house says of a shoe that nobody has a document of: its codes, its words, its habits."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from enum import Enum, StrEnum
from typing import Final

from drivers.limits import Mistaken
from drivers.line_shoe.messages import LINE_MAX, TEXT, LineEnd

#: For the log, once at start.
NOT_VERIFIED: Final = (
    "line shoe: not verified on hardware: the codes, what an error looks like, when a card is said twice; nothing but"
    " 9600 baud and one code a line ended by CR LF is published of any"
)

#: The cards of a deck, in two characters.
CARDS: Final = tuple(rank + suit for suit in "shdc" for rank in "A23456789TJQK")


class Word(StrEnum):
    """What a line that is no card may mean."""

    #: A card left the shoe and could not be read.
    UNREAD = "unread"
    STARTED = "started"
    STAND_BY = "stand-by"
    CUT_CARD = "cut-card"
    ERROR = "error"
    ERROR_CANCELLED = "error-cancelled"
    #: Said for nobody here, a heartbeat: passed over without a word.
    NOTHING = "nothing"


class Repeats(Enum):
    """Whether, and how, the shoe says a card twice."""

    #: Each line is a card: a second card of the same face in the deck is seen.
    NEVER = "never"
    #: The same line again within `repeat_s` is the same card.
    LINE = "line"
    #: After a line its characters may stand again, without a line end, in front of the next one ("in game mode").
    CHARACTERS = "characters"


class UnknownLine(Enum):
    """What a line that is in no table is."""

    #: Noted: nobody knows whether a card left the shoe.
    NOTE = "note"
    #: A card that could not be read.
    UNREAD = "unread-card"


@dataclass(frozen=True, kw_only=True, slots=True)
class LineShoeSettings:
    """Raises `Mistaken`. Times in seconds; ours."""

    #: Which code is which card, `CODE = "As"`: each of the 52 cards once. Empty: the codes are the cards themselves.
    codes: Mapping[str, str] = field(default_factory=dict)
    #: Which other lines mean what, `CODE = "unread"`: one of `Word`.
    words: Mapping[str, str] = field(default_factory=dict)
    line_end: LineEnd = LineEnd.CR_LF
    repeats: Repeats = Repeats.NEVER
    #: How long after a line the same one may be a repetition. A card takes longer.
    repeat_s: float = 0.5
    unknown_line: UnknownLine = UnknownLine.NOTE
    #: `as` is `AS` too.
    ignore_case: bool = False
    #: A line whose rest does not come within this time is given up.
    line_s: float = 1.0

    def __post_init__(self) -> None:
        mistakes = [*self._wrong_codes(), *self._wrong_words()]
        if mistakes:
            raise Mistaken(mistakes)

    def card_of(self) -> Mapping[str, str]:
        """Code to card."""
        codes = self.codes or {face: face for face in CARDS}
        return {self.plain(code): face for code, face in codes.items()}

    def word_of(self) -> Mapping[str, Word]:
        """Code to what it means."""
        return {self.plain(code): Word(word) for code, word in self.words.items()}

    def plain(self, text: str) -> str:
        """A line as it is looked up."""
        return text.strip().upper() if self.ignore_case else text.strip()

    def _wrong_codes(self) -> Iterator[tuple[str, str, str]]:
        cards: dict[str, str] = {}
        codes: set[str] = set()
        for code, face in self.codes.items():
            key = f"codes.{code}"
            if (right := self._wrong_code(code, codes)) is not None:
                yield key, repr(code), right
            if face not in CARDS:
                yield key, repr(face), "a card in two characters, as As, Td, 7h"
            elif face in cards:
                yield key, repr(face), f"a card that no other code means; {cards[face]} does"
            else:
                cards[face] = code
        missing = [face for face in CARDS if face not in cards]
        if self.codes and missing:
            yield "codes", f"{len(cards)} cards", f"each of the 52 cards once; missing: {' '.join(missing)}"

    def _wrong_words(self) -> Iterator[tuple[str, str, str]]:
        codes = {self.plain(code) for code in self.codes or CARDS}
        for code, word in self.words.items():
            if (right := self._wrong_code(code, codes)) is not None:
                yield f"words.{code}", repr(code), right
            if word not in list(Word):
                yield f"words.{code}", repr(word), f"one of {', '.join(Word)}"

    def _wrong_code(self, code: str, before: set[str]) -> str | None:
        """What would be right of a code; it is remembered in `before`."""
        plain = self.plain(code)
        if not plain or len(code) > LINE_MAX or any(ord(text) not in TEXT for text in code):
            return f"1 to {LINE_MAX} characters of ASCII, as the shoe says them without the line end"
        if plain in before:
            return "a code that means nothing else yet"
        before.add(plain)
        return None


DEFAULT_SETTINGS: Final = LineShoeSettings()

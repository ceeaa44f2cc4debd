"""What a hand file of five-card draw says of cards that it does not tell: who could open and who could not (FCD-OPN-5),
and which cards went back into a new stub (FCD-DSC-5). A card that stands for one of them has to keep that."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from itertools import combinations
from typing import Final, TypeAlias

from tablectl.core.cards import card
from tablectl.core.settlement.ranking import CARDS_IN_A_HAND, strength
from tablectl.journal.handfile.facts import UNREAD
from tablectl.journal.handfile.under_stub import UnderStub

_LEAST: Final = strength([card(code) for code in ("Jc", "Jd", "4s", "3h", "2c")])
_ROUND: Final = "first-betting"
_RANKS: Final = "AKQJT98765432"
#: From so many cards those are chosen that make a hand what it has to be.
_AMONG: Final = 16
#: Neighbours in the order of the deck make flushes and straights: every so many-th card makes none.
_STRIDE: Final = 7


#: Draws of which so many are meant: the first ones where antennas saw them.
Back: TypeAlias = tuple[list[int], int]


class ParsedLines:
    """Read from a file's lines, facts and decisions. `draws`: the number of the card that a line brings, by the line;
    `known`: that of one which came before, and which an antenna sees or misses."""

    def __init__(self, lines: Iterable[str], draws: Mapping[int, int], known: Mapping[int, int]) -> None:
        self._at: dict[str, int] = {}
        self._last, self._phase, self._is_open = 0, "", False
        self._said, self._is_declared = "", False
        self._awaits_speaker = False
        #: the draws of each seat when somebody was not let open, while it is not known who
        self._may_not_open: list[list[int]] = []
        self._changing = 0
        #: what each seat put away: the draws that can be among it, and how many they are
        self._gone: dict[int, Back] = {}
        #: the draws of each hand that opened, or that was not let open
        self.hands: list[tuple[list[int], bool]] = []
        #: after which line which draws were in the stub again
        self.back: list[tuple[int, list[Back]]] = []
        #: what was put under the stub (FCD-IRR-9)
        self.under = UnderStub(self._of)
        for index, line in enumerate(lines):
            if index in known:
                self.under.lies(known[index], is_seen=line.startswith("> seen "))
            self._last = draws.get(index, self._last)
            self._read(index, line[:1], line[1:].split())
        if self._awaits_speaker:
            # Nobody spoke any more: whoever it was, none of them opened.
            self.hands += [(draws, False) for draws in self._may_not_open]

    def _read(self, index: int, sign: str, words: list[str]) -> None:
        match words:
            case _ if sign == ">":
                self._said = words[1] if words[:1] == ["act"] and len(words) > 1 else ""
                self._is_declared = words[:1] == ["declare"]
                if words == ["press", "confirm"]:
                    self.under.confirmed()
            case ["phase", phase]:
                self._phase = phase
            case ["card", slot, *rest]:
                draw = int(rest[0].removeprefix("draw=")) if rest else self._last
                if slot.startswith("discard.") and self._changing in self._gone:
                    draws, number = self._gone[self._changing]
                    self._gone[self._changing] = ([draw, *(other for other in draws if other != draw)], number)
                self._at = {name: lying for name, lying in self._at.items() if lying != draw} | {slot: draw}
            case ["spoke", seat, action, *_] if self._phase == _ROUND:
                self._spoke(int(seat), action)
            case ["incident", _, "expected=jacks-or-better", observed, *_]:
                self._judged(observed)
            case ["discards", seat, number]:
                self._changing = int(seat)
                self._gone[int(seat)] = (self._of(int(seat)), int(number))
            case ["stub", _, seats, *_]:
                there = [int(seat) for seat in seats.removeprefix("seats=").split(",") if seat]
                gone = [self._gone.pop(seat, ([], 0)) for seat in there]
                self.back.append((index, gone))
            case ["incident", "FCD-DSC-9", *_]:
                # The last card of the stub is not dealt: it goes back at once.
                self.back.append((index, [([self._last], 1)]))
            case _:
                self.under.decided(words, self._last)

    def _judged(self, observed: str) -> None:
        if observed == "observed=opening":
            self._awaits_speaker = not self._said.isdecimal()
            if self._awaits_speaker:
                seats = sorted({int(slot[5:].partition(".")[0]) for slot in self._at if slot.startswith("seat-")})
                self._may_not_open = [self._of(seat) for seat in seats]
            else:
                self.hands.append((self._of(int(self._said)), False))
        elif observed == "observed=false-opening" and self._is_open and not self._is_declared:
            # A missing card of the opener is known now (AMB-68): his hand was no opening. Where people declare it, his
            # cards were taken for an opening before.
            draws, _ = self.hands.pop()
            self.hands.append((draws, False))
            self._is_open = False

    def _spoke(self, seat: int, action: str) -> None:
        if self._awaits_speaker:
            # Who may not open has the turn still.
            self._awaits_speaker = False
            self.hands.append((self._of(seat), False))
        if action == "bet" and not self._is_open:
            self._is_open = True
            self.hands.append((self._of(seat), True))

    def _of(self, seat: int) -> list[int]:
        return [draw for slot, draw in self._at.items() if slot.startswith(f"seat-{seat}.")]


def chosen(parsed: ParsedLines, codes: Mapping[int, str | None], unused: list[str]) -> dict[int, str]:
    """A card for each draw that is not told and has to be one of certain cards; they are taken out of `unused`."""
    found: dict[int, str] = {}
    for draws, opens in parsed.hands:
        known = [code for draw in draws if (code := found.get(draw, codes.get(draw))) is not None]
        free = [draw for draw in draws if found.get(draw, codes.get(draw)) is None]
        if len(draws) != CARDS_IN_A_HAND or not free or UNREAD in known:
            continue  # nothing depends on it
        there = sorted(unused, key=lambda code: _RANKS.index(code[0])) if opens else unused[::_STRIDE] + unused
        for those in combinations(list(dict.fromkeys(there))[:_AMONG], len(free)):
            if (strength(map(card, (*known, *those))) >= _LEAST) is opens:
                found |= dict(zip(free, those, strict=True))
                break
        for code in found.values():
            if code in unused:
                unused.remove(code)
    return found

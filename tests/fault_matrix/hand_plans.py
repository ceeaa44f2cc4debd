"""A clean hand of each game, step by step, and the moment that each step leads to (`[moments]` of expected.toml)."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import Final

from tablectl.core.engine.table import Table
from tablectl.games.registry import rulebook_of
from tablectl.journal.handfile.file import HandFile, parse
from tablectl.journal.handfile.playing import opening

#: (moment, the steps that lead to it), in the order of the hand.
Plan = tuple[tuple[str, list[str]], ...]

_DEAL: Final = "deal "
#: So many cards of a seat are put among the discards: `throw seat-1 2`.
THROW: Final = "throw "
_LIMITS: Final = "limits bet 200..100000\nstack 1 20000\nstack 2 20000\nstack 3 20000\n"
#: Cards that are asked for are named: with a shoe alone nobody knows which ones a player has kept.
NAME: Final = "name"
#: The moment at which the first card of the next hand is out: behind every plan.
NEXT_HAND: Final = "next-hand"

#: What stands before the first fact; `{equipment}` is filled in.
HEADERS: Final = {
    "texas-poker": "rulebook texas-poker\n",
    "texas-bonus": "rulebook texas-bonus\n",
    "circle-holdem": f"rulebook circle-holdem\nseats 1 2 3\nbutton 3\n{_LIMITS}",
    "open-holdem": f"rulebook open-holdem\nseats 1 2 3\nbutton 3\n{_LIMITS}",
    "draw-poker": f"rulebook draw-poker\nseats 1 2 3\nbutton 3\nlimits ante 50..50\nchip 50\n{_LIMITS}",
}

#: In the order of drawing. The second and the third seat have no pair, and all seven ranks of the common cards are low.
_CARDS: Final = "As Kd Qh Jc Ah Kc Qd 9s 7h 2c 4d 8s 3h 6c Td 5s 9c 8d 2h Tc 3d 7c 4s 5h 6d Jh"

#: draw-poker: the first two seats have three of a kind and the third a pair that may open, so that a card at a wrong
#: seat leaves each of them with an opening.
_CARDS_OF_FIVE: Final = (
    "As Kd Qh Ad Kc Qc Ac Kh 7s 5c 6h 2h 8c 9d 3d Tc 4s 9s 6d 7h Jd 2c 8h 5s Th 4h 3c Js 7d 9h 6c Qs"
)


def deck_of(game: str) -> str:
    """The cards, in the order of drawing."""
    return _CARDS_OF_FIVE if game == "draw-poker" else _CARDS


_HOLE: Final = ("seat-1", "seat-2", "seat-3")


def _dealt(*spots: str) -> list[str]:
    return [f"{_DEAL}{spot}" for spot in spots]


#: (moment, the steps that lead to it), in the order of the hand.
_HOLDEM: Final[Plan] = (
    ("before-the-deal", []),
    ("during-the-deal", ["press no-more-bets"]),
    ("deal-ended", _dealt(*_HOLE, *_HOLE)),
    ("after-one-action", ["act call"]),
    ("after-two-actions", ["act call"]),
    ("before-flop", ["act check"]),
    ("flop-burned", _dealt("burn")),
    ("flop-started", _dealt("board")),
    ("flop-out", _dealt("board", "board")),
    ("before-turn", ["press all-check"]),
    ("turn-burned", _dealt("burn")),
    ("turn-out", _dealt("board")),
    ("before-river", ["press all-check"]),
    ("river-burned", _dealt("burn")),
    ("river-out", _dealt("board")),
    ("after-last-decision", ["press all-check"]),
    ("hands-turned-up", ["press show-all"]),
    ("settlement-shown", []),
    ("after-award", [NAME, "press confirm"]),
)
_BANKED: Final = (*_HOLE, "house", *_HOLE, "house")
PLANS: Final[dict[str, Plan]] = {
    "texas-poker": (
        ("before-the-deal", ["bet 1 ante 1000", "bet 2 ante 1000", "bet 3 ante 1000"]),
        ("during-the-deal", ["press no-more-bets"]),
        ("deal-ended", _dealt(*_BANKED)),
        ("flop-started", _dealt("board")),
        ("flop-out", _dealt("board", "board")),
        ("while-a-decision-is-pending", ["press bet"]),
        ("after-last-decision", ["press bet", "press bet"]),
        ("turn-out", _dealt("board")),
        ("river-out", _dealt("board")),
        ("bank-turned", ["press bank"]),
        ("settlement-shown", []),
        ("after-award", [NAME, "press confirm"]),
    ),
    "texas-bonus": (
        ("before-the-deal", ["bet 1 ante 1000", "bet 2 ante 1000", "bet 3 ante 1000"]),
        ("during-the-deal", ["press no-more-bets"]),
        ("deal-ended", _dealt(*_BANKED)),
        ("while-a-decision-is-pending", ["press bet"]),
        ("before-flop", ["press bet", "press bet"]),
        ("flop-burned", _dealt("burn")),
        ("flop-started", _dealt("board")),
        ("flop-out", _dealt("board", "board")),
        ("before-turn", ["press check", "press check", "press check"]),
        ("turn-burned", _dealt("burn")),
        ("turn-out", _dealt("board")),
        ("after-last-decision", ["press check", "press check", "press check"]),
        ("river-burned", _dealt("burn")),
        ("river-out", _dealt("board")),
        ("bank-turned", ["press bank"]),
        ("settlement-shown", []),
        ("after-award", [NAME, "press confirm"]),
    ),
    "circle-holdem": _HOLDEM,
    "open-holdem": _HOLDEM,
    "draw-poker": (
        ("before-the-deal", ["press confirm"]),
        ("during-the-deal", ["press no-more-bets"]),
        ("deal-ended", _dealt(*_HOLE * 5)),
        ("before-opening", ["act check"]),
        ("opened", ["act bet 200"]),
        ("before-the-draw", ["act call", "act call"]),
        ("during-the-draw", ["asks 2", f"{THROW}seat-1 2"]),
        (
            "after-the-draw",
            [*_dealt("seat-1", "seat-1"), "asks 2", f"{THROW}seat-2 2", *_dealt("seat-2", "seat-2"), "asks 0"],
        ),
        ("second-betting", ["act check"]),
        ("after-last-decision", ["act check", "act check"]),
        ("hands-turned-up", ["press show-all"]),
        ("settlement-shown", [NAME]),
        ("after-award", ["press confirm"]),
    ),
}


@dataclass(frozen=True)
class Step:
    """A card that is dealt to a spot, or a line that is entered; and the last moment that is over before it."""

    line: str
    after: str

    @property
    def spot(self) -> str | None:
        """Where the card goes; None for what is entered."""
        return self.line.removeprefix(_DEAL) if self.line.startswith(_DEAL) else None


def steps_of(game: str) -> list[Step]:
    """The clean hand, in order."""
    found: list[Step] = []
    after = ""
    for moment, lines in PLANS[game]:
        found += [Step(line, after) for line in lines]
        after = moment
    return found


def reached(game: str, moment: str) -> int:
    """How many steps of the clean hand lead to this moment: to the next hand, all of them. Raises `KeyError` for one
    that no plan has."""
    count = 0
    for name, lines in PLANS[game]:
        count += len(lines)
        if name == moment:
            return count
    if moment == NEXT_HAND:
        return count
    raise KeyError(moment)


@cache
def _opened(game: str, equipment: str) -> HandFile:
    """What stands before the first step; it is frozen."""
    return parse(f"# a hand\n{HEADERS[game]}equipment {equipment}\n")


def table_of(game: str, equipment: str) -> Table:
    """A table before the first step."""
    hand = _opened(game, equipment)
    table = Table.resume(hand.carry, rulebook_of)
    for fact in opening(hand):
        table.apply(fact)
    return table

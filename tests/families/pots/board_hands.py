"""What the tests of early cards share: a hand of three players, by a shoe or by antennas, up to a round of betting."""

from __future__ import annotations

from typing import Final

from tablectl.core.engine import decisions as d
from tablectl.core.engine.table import Table
from tablectl.games.registry import rulebook_of
from tablectl.journal.handfile.decisions import decision_lines
from tablectl.journal.handfile.facts import later, parse_fact
from tablectl.journal.handfile.file import HandFile, parse
from tablectl.journal.handfile.playing import opening

_HOLE: Final = (
    ("seat-1", "As"),
    ("seat-2", "Kd"),
    ("seat-3", "9c"),
    ("seat-1", "Ah"),
    ("seat-2", "Kc"),
    ("seat-3", "8c"),
)
_FLOP: Final = (("burn", "2c"), ("board", "7h"), ("board", "Jd"), ("board", "3s"))
_TURN: Final = (("burn", "4c"), ("board", "5d"))
_RIVER: Final = (("burn", "6c"), ("board", "Td"))
_ALL_CHECK: Final = ("press all-check",)

#: Rounds of betting, by name.
PRE_FLOP, FLOP, TURN, RIVER = range(4)


def coming(equipment: str, cards: tuple[tuple[str, str], ...]) -> list[str]:
    """Cards as this equipment tells them."""
    made: list[str] = []
    for spot, code in cards:
        if equipment != "antennas":
            made.append(f"draw {code}")
        if equipment != "shoe":
            made.append(f"seen {spot} {code}")
    return made


def up_to(betting: int, equipment: str = "shoe", tracking: str = "actions") -> list[str]:
    """Everything until this round of betting is open, seat 3 with the button."""
    closes = ["press confirm"] if tracking == "rounds" else list(_ALL_CHECK)
    first = ["press confirm"] if tracking == "rounds" else ["act call", "act call", "act check"]
    parts = (coming(equipment, _HOLE), *(coming(equipment, street) for street in (_FLOP, _TURN, _RIVER)))
    made = ["press no-more-bets", *parts[0]]
    for number, part in enumerate(parts[1 : betting + 1]):
        made += [*(closes if number else first), *part]
    return made


def hand_file(
    *, rulebook: str = "circle-holdem", equipment: str = "shoe", tracking: str = "actions", **profile: str
) -> HandFile:
    """A table before its first fact."""
    chosen = "".join(f" {key}={value}" for key, value in profile.items())
    amounts = "limits bet 200..100000\nstack 1 20000\nstack 2 20000\nstack 3 20000\n" if tracking == "amounts" else ""
    return parse(
        f"# a hand\nrulebook {rulebook}\nequipment {equipment}\ntracking {tracking}\nseats 1 2 3\nplaces 3\nbutton 3\n"
        f"{amounts}{f'profile{chosen}' if chosen else ''}\n"
    )


class Hand:
    """A table, told facts in the words of a hand file."""

    def __init__(
        self, *, rulebook: str = "circle-holdem", equipment: str = "shoe", tracking: str = "actions", **profile: str
    ) -> None:
        file = hand_file(rulebook=rulebook, equipment=equipment, tracking=tracking, **profile)
        self.setup = file.setup
        self.table = Table.resume(file.carry, rulebook_of)
        self.equipment, self.tracking = equipment, tracking
        self.decisions: list[d.Decision] = []
        for fact in opening(file):
            self.table.apply(fact)

    def at(self, betting: int) -> Hand:
        """Play until this round is open."""
        self.tell(*up_to(betting, self.equipment, self.tracking))
        assert self.table.state.phase.round == betting
        return self

    def tell(self, *lines: str) -> list[str]:
        """Facts; the decisions of the last one."""
        said: list[str] = []
        for line in lines:
            fact = parse_fact(line, self.table.state.now_us + later(line)[0], self.setup)
            found = self.table.apply(fact)
            self.decisions += found
            said = decision_lines(fact, found, last_draw=len(self.table.state.deal.draws))
        return said

    def lying(self) -> dict[str, str]:
        """Which card lies where."""
        at = self.table.state.deal.at
        return {slot.name: draw.card.code for slot, draw in at.items() if draw.card is not None}

"""What every declaration leads to in every phase of every game, as a table: `python -m tests.engine.refusals` writes it
anew. Look at what changed in it as at a changed rule."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Final

from tablectl.core.engine import decisions as d
from tablectl.core.engine import facts as f
from tablectl.core.engine.decisions import Decision
from tablectl.core.engine.table import Table
from tablectl.core.engine.vocabulary import Declaration
from tablectl.games.registry import RULEBOOKS, rulebook_of
from tablectl.journal.handfile.file import HandFile
from tests.journal.journals import facts_of, hand_files

TABLE: Final = Path(__file__).with_name("refusals.txt")
#: What a declaration is about, as far as it says so.
_SPOTS: Final = (None, "seat-1")


def played(hand: HandFile, facts: int) -> Table:
    """The table after so many facts of a hand."""
    table = Table(hand.setup, rulebook_of)
    for fact in facts_of(hand)[:facts]:
        table.apply(fact)
    return table


def situations(rulebook: str) -> dict[str, tuple[str, HandFile, int]]:
    """For each phase of a game the first hand file, by name, that comes to it, and after how many facts: not held, and
    with nothing open in the panel's list."""
    found: dict[str, tuple[str, HandFile, int]] = {}
    for name, hand in hand_files():
        if hand.setup.rulebook != rulebook:
            continue
        table = Table(hand.setup, rulebook_of)
        for number, fact in enumerate(facts_of(hand), start=1):
            table.apply(fact)
            # A hand file may go on in another game, whose phases are not this one's.
            is_free = not table.state.held and not table.state.menu
            if is_free and table.state.rulebook.id == rulebook:
                found.setdefault(table.state.phase.name, (name, hand, number))
    return found


def declared(hand: HandFile, facts: int, what: Declaration, spot: str | None) -> tuple[Decision, ...]:
    """What follows from a declaration after so many facts."""
    return played(hand, facts).apply(f.Declared(at_us=0, what=what, spot=spot))


def told(said: tuple[Decision, ...]) -> str:
    """In one word each: what was decided, with code and clause, and of an incident who may choose which remedy."""
    return "+".join(dict.fromkeys(map(_one, said))) or "nothing"


def _one(decision: Decision) -> str:
    match decision:
        case d.Refused():
            return f"refused:{decision.why}:{decision.clause or '-'}"
        case d.IncidentRaised():
            return f"incident:{decision.clause}:{decision.chooser}:{','.join(decision.remedies)}"
        case d.Asked():
            return f"asked:{decision.question}"
        case d.HandVoided() | d.SeatVoided() | d.SeatWithdrawn():
            return f"{type(decision).__name__}:{decision.clause}"
        case _:
            return type(decision).__name__


def lines(rulebook: str) -> Iterator[str]:
    """Game, phase, hand file; then a line a declaration."""
    for phase, (name, hand, facts) in sorted(situations(rulebook).items()):
        yield f"{rulebook} {phase} ({name})"
        for what in Declaration:
            said = [told(declared(hand, facts, what, spot)) for spot in _SPOTS]
            yield f"  {what}: {' | '.join(dict.fromkeys(said))}"


def main() -> None:
    """Write the table."""
    written = (line for rulebook in RULEBOOKS for line in lines(rulebook))
    TABLE.write_text("\n".join(written) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()

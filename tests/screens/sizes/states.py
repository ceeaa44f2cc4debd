"""One state of a table for each game, phase, question and clause of an incident that the hand files reach."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from tablectl.core.engine.vocabulary import Tracking
from tablectl.core.events.codec import from_plain
from tablectl.core.events.stream import decode_record
from tablectl.core.public_table.folding.fold import fold
from tablectl.core.public_table.incident import IncidentState
from tablectl.core.public_table.table import PublicTable
from tablectl.journal.handfile.file import parse
from tablectl.journal.handfile.playing import opening
from tablectl.web.screens.choices import Previews, Told, previews_of
from tablectl.web.screens.feed import Picture
from tablectl.web.screens.greeting import table_info
from tests.engine.recorded_versions import name_of
from tests.screens.controller import Bench

#: Of so many hand files one is taken, where some are enough.
SAMPLE: Final = 40


@dataclass(frozen=True, kw_only=True, slots=True)
class Moment:
    """What makes one state of a page differ from another one."""

    game: str
    phase: str
    asks: str
    clause: str

    def __str__(self) -> str:
        return " ".join(filter(None, (self.game, self.phase, self.asks, self.clause)))


@dataclass(frozen=True, kw_only=True, slots=True)
class TableState:
    """A table at a moment, and the hand file that reached it."""

    moment: Moment
    hand_file: str
    picture: Picture


def states_of(hand_files: Iterable[Path]) -> list[TableState]:
    """A state for each moment, in the order in which they are reached: the first one with amounts, where there is one,
    because it has the most to show."""
    found: dict[Moment, TableState] = {}
    with_amounts: set[Moment] = set()
    for path in hand_files:
        for state, has_amounts in _played(path, with_amounts):
            if has_amounts:
                with_amounts.add(state.moment)
            elif state.moment in found:
                continue
            found[state.moment] = state
    return list(found.values())


def _played(path: Path, enough: set[Moment]) -> Iterator[tuple[TableState, bool]]:
    """The states of a hand, with whether amounts are tracked; none of a moment that there are enough of."""
    hand = parse(path.read_text(encoding="utf-8"))
    bench = Bench(carry=hand.carry) if hand.carry.players or hand.carry.croupier else Bench(hand.setup)
    view, n_folded = PublicTable(tracking=bench.setup.tracking), 0
    steps = (*(["press new-hand"] if opening(hand) else ()), *(step.text for step in hand.steps))
    for step in ("", *steps):
        if step:
            bench.line(step)
        for record in bench.records[n_folded:]:
            view = fold(view, decode_record(record))
        n_folded = len(bench.records)
        moment = moment_of(bench.setup.rulebook, view)
        if moment not in enough:
            yield (
                TableState(moment=moment, hand_file=name_of(path), picture=_picture(bench, view)),
                bench.setup.tracking is Tracking.AMOUNTS,
            )


def moment_of(game: str, view: PublicTable) -> Moment:
    """Which moment a table is at."""
    asks = "" if view.prompt is None else view.prompt.question or view.prompt.instruction
    clause = view.incident.clause if view.incident is not None else ""
    return Moment(game=game, phase=str(view.phase), asks=str(asks), clause=clause)


def _picture(bench: Bench, view: PublicTable) -> Picture:
    return Picture(view=view, table=table_info(bench.greeting), connected=True, previews=_previews(bench, view))


def _previews(bench: Bench, view: PublicTable) -> Previews:
    if not any(incident.state is IncidentState.RULING for incident in view.incidents.values()):
        return {}
    return previews_of(from_plain(bench.choices(), Told, "the choices of the pit boss"))

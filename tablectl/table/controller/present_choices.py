"""What each choice of the pit boss would do, for whoever shows it before it is pressed; kept by the one writer.

Nothing is tried until somebody asks, so a card never waits for it; and once is enough until something follows from
another fact.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any, Final

from tablectl.core.engine.decisions import Decision, IncidentSeen, Refused
from tablectl.core.engine.pending import Incident
from tablectl.core.engine.preview import Preview
from tablectl.core.engine.previews import TrialBroke, preview, waiting
from tablectl.core.engine.table import Table
from tablectl.core.events.codec import to_plain

#: After these every choice does what it did before.
_CHANGES_NO_CHOICE: Final[frozenset[type]] = frozenset({IncidentSeen, Refused})


class PresentChoices:
    """The choices of the incidents that wait for the pit boss."""

    def __init__(self, broke: Callable[[TrialBroke], None]) -> None:
        """`broke` is told of a trial that met a bug: that choice has no preview, and the table plays on."""
        self._broke = broke
        self._told: dict[str, Any] | None = None

    def concluded(self, decisions: Iterable[Decision]) -> None:
        """This followed from a fact."""
        if not _CHANGES_NO_CHOICE.issuperset(map(type, decisions)):
            self._told = None

    def told(self, table: Table) -> dict[str, Any]:
        """By the number of the incident."""
        if self._told is None:
            choices = {
                incident.number: [to_plain(tried) for tried in self._tried(table, incident)]
                for incident in waiting(table.state)
            }
            self._told = {"ok": True, "choices": choices}
        return self._told

    def _tried(self, table: Table, incident: Incident) -> Iterator[Preview]:
        for remedy in incident.remedies:
            try:
                yield preview(table, incident, remedy)
            except TrialBroke as wrong:
                self._broke(wrong)

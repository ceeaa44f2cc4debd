"""A table to practise at, as training finds it: a prepared table, and what a trainee does there with hands."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from simulators.stage.training.acts import do
from simulators.stage.training.table import PreparedTable


class PracticeTable(PreparedTable):
    """A `tablectl.api.stage.PracticeTable`."""

    def do(self, asked: Mapping[str, Any]) -> tuple[str, ...]:
        """One act. Raises `NoAct`, `CannotBeDone`."""
        return do(self, asked)

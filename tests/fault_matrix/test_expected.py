"""The table of expectations of the fault matrix: every cell can be read, and cites clauses that there are.

`test_matrix.py` plays the cells.
"""

from __future__ import annotations

import re
import tomllib
from pathlib import Path
from typing import Any, Final

import pytest

from tablectl.games.registry import RULEBOOKS
from tablectl.i18n.clauses.catalogue import load

TABLE: Final[dict[str, Any]] = tomllib.loads((Path(__file__).parent / "expected.toml").read_text(encoding="utf-8"))
CELLS: Final[list[dict[str, Any]]] = TABLE["cell"]
EQUIPMENT: Final = {"shoe", "antennas", "both"}
CHOOSERS: Final = {"rule", "croupier", "pit-boss"}
AMBIGUITY: Final = re.compile(r"AMB-\d+")


def test_no_two_cells_have_one_name() -> None:
    assert len({cell["id"] for cell in CELLS}) == len(CELLS)


@pytest.mark.parametrize("game", RULEBOOKS)
def test_each_game_has_cells_and_each_cell_says_moments_that_the_game_has(game: str) -> None:
    cells = [cell for cell in CELLS if cell["game"] == game]
    assert cells
    moments = set(TABLE["moments"][game]["order"]) | {"before-next-card"}
    for cell in cells:
        noticed = [cell["noticed"]] if isinstance(cell["noticed"], str) else cell["noticed"]
        assert {cell["at"], *noticed} <= moments, cell["id"]


def test_every_word_of_a_cell_is_defined() -> None:
    for cell in CELLS:
        assert cell["remedy"] in TABLE["remedies"], cell["id"]
        assert cell["money"] in TABLE["money"], cell["id"]
        assert cell["chooser"] in CHOOSERS, cell["id"]
        assert set(cell["notice"]) == EQUIPMENT, cell["id"]
        assert all(how != "never" or cell.get("why") for how in cell["notice"].values()), cell["id"]


def test_every_clause_of_a_cell_is_one_of_a_rulebook() -> None:
    known = {clause.id for game in RULEBOOKS for clause in load(game)}
    for cell in CELLS:
        assert all(name in known or AMBIGUITY.fullmatch(name) for name in cell["clauses"]), cell["id"]

"""The fault matrix: every cell is played, and what differs from the table is on the list of open differences."""

from __future__ import annotations

import pytest

from tests.fault_matrix.matrix import Cell, Verdict, all_results, cells, played
from tests.fault_matrix.open_differences import read
from tests.tools.fault_matrix import PAGE, figures, page

#: One cell of each game and equipment, which is played in every run.
QUICK = "-turned-bank-seen-"


@pytest.mark.wide
def test_each_cell_equals_the_table_or_is_on_the_list_and_the_page_is_current() -> None:
    results = all_results()
    known = {name for names in read().values() for name in names}
    differ = {result.cell.name: result for result in results if result.verdict is Verdict.DIFFERS}
    new = [
        f"{name}: expected {differ[name].expected}, found {differ[name].found}" for name in differ if name not in known
    ]
    assert not new, figures(results)
    assert not known - set(differ), "these do not differ any more: take them off the list"
    assert PAGE.read_text(encoding="utf-8") == page(results), "make docs"


def _quick() -> list[Cell]:
    return [cell for cell in cells() if QUICK in cell.entry["id"] and cell.entry["at"] == "deal-ended"]


@pytest.mark.parametrize("cell", _quick(), ids=lambda cell: cell.name)
def test_an_exposed_bank_card_is_as_the_table_says(cell: Cell) -> None:
    result = played(cell)
    assert result.verdict is Verdict.SAME, result.found


def test_a_known_reason_names_each_cell_once() -> None:
    names = [name for listed in read().values() for name in listed]
    assert len(names) == len(set(names))
    assert set(names) <= {cell.name for cell in cells()}

"""The fault matrix: every cell is played, and what differs from the table is on the list of open differences."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping

import pytest

from tablectl.core.engine.vocabulary import Declaration
from tests.fault_matrix.matrix import Cell, Result, Verdict, all_results, cells, played
from tests.fault_matrix.open_differences import read
from tests.tools.fault_matrix import PAGE, figures, page

#: One cell of each game and equipment, which is played in every run.
QUICK = "-turned-bank-seen-"
#: What is observed of a card that came when none was due; "seat-2=3" beside.
CAME_TOO_SOON = frozenset(
    {"card", "double-burn", "early-board", "early-burn", "early-flop", "early-river", "early-turn", "flop-count"}
)
#: Where more happens to the same card later: its player looks at it, or another one is shown beside it.
MORE_HAPPENS = ("not-seen-first-then-looked", "two-or-more-too-early")

#: What a hand with a wrong order comes to as well: a demand that it is dealt again, cards that are named or not known.
BESIDE_THE_ORDER = (Declaration.REDEAL_DEMANDED, "not-checked", "named-cards")


@pytest.fixture(scope="module")
def results() -> list[Result]:
    return all_results()


@pytest.mark.wide
def test_each_cell_equals_the_table_or_is_on_the_list_and_the_page_is_current(results: list[Result]) -> None:
    known = {name for names in read().values() for name in names}
    differ = {result.cell.name: result for result in results if result.verdict is Verdict.DIFFERS}
    new = [
        f"{name}: expected {differ[name].expected}, found {differ[name].found}" for name in differ if name not in known
    ]
    assert not new, figures(results)
    assert not known - set(differ), "these do not differ any more: take them off the list"
    assert PAGE.read_text(encoding="utf-8") == page(results), "make docs"


@pytest.mark.wide
def test_a_card_that_came_too_soon_is_one_incident_whoever_tells_of_it(results: list[Result]) -> None:
    several = [
        result.cell.name
        for result in results
        if not any(what in result.cell.name for what in MORE_HAPPENS)
        and any(len(numbers) > 1 for numbers in _too_soon(result).values())
    ]
    assert several == []
    assert sum(bool(_too_soon(result)) for result in results) > 500, "such cards are in question"


@pytest.mark.wide
def test_tpc_mis_1_thl_mis_1_amb_55_a_wrong_order_is_one_incident_whoever_tells_of_it(results: list[Result]) -> None:
    numbers = {
        result.cell.name: {raised.incident for raised in result.incidents if raised.observed not in BESIDE_THE_ORDER}
        for result in results
        if result.cell.entry["fault"] == "swapped-order"
    }
    assert [name for name, found in numbers.items() if len(found) > 1] == []
    assert sum(bool(found) for found in numbers.values()) > 200, "an order is in question"


def _too_soon(result: Result) -> Mapping[int, set[int]]:
    """The numbers of the incidents about each card that came when none was due."""
    numbers: defaultdict[int, set[int]] = defaultdict(set)
    for raised in result.incidents:
        is_count = "=" in raised.observed and "+" not in raised.observed
        if raised.draw is not None and (raised.observed in CAME_TOO_SOON or is_count):
            numbers[raised.draw].add(raised.incident)
    return numbers


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

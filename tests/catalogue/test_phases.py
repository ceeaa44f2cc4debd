"""Every word of the catalogue's closed sets has its name in every language, and long rows of phases are told short."""

from __future__ import annotations

from enum import StrEnum

import pytest

from tablectl.i18n.clauses.catalogue import BadCatalogue, Deadline, Kind, Phase, Remedy, read
from tablectl.i18n.clauses.phases import in_order, runs
from tests.catalogue.books import BOOKS, WORDS

ORDER = (Phase.CLOSED, Phase.BETTING, Phase.DEALING, Phase.FLOP, Phase.DECISION, Phase.SHOWDOWN)


@pytest.mark.parametrize(
    ("closed_set", "table", "besides"),
    [
        (Kind, "clause-kind", {"definition"}),
        (Phase, "clause-phase", set()),
        (Deadline, "clause-deadline", set()),
        (Remedy, "clause-remedy", set()),
    ],
)
def test_every_word_has_its_label(closed_set: type[StrEnum], table: str, besides: set[str]) -> None:
    assert WORDS.keys(table) == {*closed_set, *besides}


@pytest.mark.parametrize(
    ("phases", "told"),
    [
        ((), []),
        ((Phase.FLOP,), [(Phase.FLOP,)]),
        (ORDER[1:4], [(Phase.BETTING,), (Phase.DEALING,), (Phase.FLOP,)]),
        (ORDER[1:5], [(Phase.BETTING, Phase.DECISION)]),
        (ORDER[::-1], [(Phase.CLOSED, Phase.SHOWDOWN)]),
        ((ORDER[0], *ORDER[2:]), [(Phase.CLOSED,), (Phase.DEALING, Phase.SHOWDOWN)]),
    ],
)
def test_four_phases_in_a_row_are_told_by_the_first_and_the_last(
    phases: tuple[Phase, ...], told: list[tuple[Phase, ...]]
) -> None:
    assert list(runs(phases, ORDER)) == told


@pytest.mark.parametrize("rulebook", BOOKS)
def test_the_order_holds_each_phase_that_a_clause_names_once(rulebook: str) -> None:
    clauses = BOOKS[rulebook]
    order = in_order(clauses)
    assert len(set(order)) == len(order)
    assert set(order) == {phase for clause in clauses for phase in clause.phases}


def test_a_phase_that_only_its_own_rulebook_has_stands_after_the_one_before_it_there() -> None:
    text = 'rulebook = "texas-poker"\n[[clause]]\nid = "TPC-DEV-1"\nkind = "bet"\nsection = "b)"\nphases = {}\n'
    (clause,) = read(text.format('["showdown", "txb-payment", "betting"]'))
    assert in_order([clause], ("closed", "betting", "txb", "txb-payment", "showdown")) == (
        "betting",
        "txb-payment",
        "showdown",
    )
    with pytest.raises(BadCatalogue, match="clause TPC-DEV-1: 'txb-paiment' is no word for phases"):
        read(text.format('["txb-paiment"]'))
    with pytest.raises(BadCatalogue, match="'txb-payment' is no word for phases"):
        read(text.replace("texas-poker", "texas-bonus").format('["txb-payment"]'))

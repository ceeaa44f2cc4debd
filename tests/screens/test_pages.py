"""What the parts of a page say at one moment of a hand, in both languages. Records are made by the real engine."""

from __future__ import annotations

import re

import pytest

from tablectl.screens.feed import Picture
from tablectl.screens.model import TableView
from tablectl.screens.render import Pages
from tablectl.screens.view import fold, table_info
from tests.screens import hands
from tests.screens.controller import Bench

PAGES = Pages()


def part(page: str, name: str, lines: str, language: str = "es", bench: Bench | None = None) -> str:
    """One part of a page after these lines, its blanks made one."""
    bench = Bench() if bench is None else bench
    bench.lines(lines)
    view = TableView()
    for record in bench.records:
        view = fold(view, record, tracking=bench.setup.tracking)
    picture = Picture(view=view, table=table_info(bench.greeting), connected=True)
    return " ".join(PAGES.parts(page, language, picture)[name].split())


def plain(html: str) -> str:
    """What a person reads of it."""
    return " ".join(re.sub(r"<[^>]+>", " ", html).split())


@pytest.mark.parametrize(("language", "quiet"), [("es", "Todo en orden"), ("en", "All in order")])
def test_all_is_in_order_only_while_the_table_is_not_held(language: str, quiet: str) -> None:
    playing = hands.BETS + hands.HOLE_CARDS
    assert quiet in part("croupier", "side", playing, language)
    for question in ("press wrong-count", "press wrong-count\npress seat-1"):
        assert quiet not in part("croupier", "side", playing + question, language)

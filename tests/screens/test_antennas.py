"""A table without a shoe says nothing of one: to the croupier who waits, or deals, and on the picture of the felt."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tablectl.core.engine.vocabulary import Equipment
from tablectl.web.screens.feed import Picture
from tablectl.web.screens.greeting import table_info
from tablectl.web.screens.render import Pages
from tests.screens.controller import Bench, setup
from tests.screens.test_view import view_of

LOST = "press new-hand\nbet 1 ante 1000\npress no-more-bets\nlost antennas antenna-seat-1 unplugged"


def parts(
    lines: str, language: str, equipment: Equipment = Equipment.ANTENNAS, page: str = "croupier"
) -> dict[str, str]:
    bench = Bench(replace(setup(), equipment=equipment))
    for line in lines.splitlines():
        bench.line(line)
    picture = Picture(table=table_info(bench.greeting), view=view_of(bench), connected=True)
    return Pages().parts(page, language, picture)


@pytest.mark.parametrize(
    ("language", "waits", "asks"),
    [
        ("es", "PARE: falta una antena", "¿Ninguna carta repartida mientras faltaba la antena?"),
        ("en", "STOP: an antenna is away", "No card dealt while the antenna was away?"),
    ],
)
def test_the_croupier_waits_for_an_antenna_and_not_for_a_shoe(language: str, waits: str, asks: str) -> None:
    assert waits in parts(LOST, language)["prompt"]
    assert asks in parts(f"{LOST}\nback antennas antenna-seat-1", language)["prompt"]


def test_without_a_shoe_the_felt_has_a_stub() -> None:
    assert ">STUB<" in parts("press new-hand", "en", page="pit")["felt"]
    assert ">SHOE<" in parts("press new-hand", "en", Equipment.BOTH, "pit")["felt"]


def test_without_a_shoe_no_word_of_one_is_said_before_a_hand() -> None:
    assert "sabot" not in parts("", "es")["prompt"].lower()
    assert "sabot" in parts("", "es", Equipment.SHOE)["prompt"].lower()

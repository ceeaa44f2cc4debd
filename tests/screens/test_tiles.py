"""The tiles of tables above the pit boss's page."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tablectl.core.public_table.table import ClosedHand
from tablectl.core.public_table.table_state import TableState, hands_an_hour
from tablectl.journal.tilt import Mark, TiltKind
from tablectl.web.screens.feed import Picture
from tablectl.web.screens.greeting import table_info
from tablectl.web.screens.tiles import tiles_of
from tests.screens import hands
from tests.screens.controller import Bench
from tests.screens.test_alarms import AT_NOW, CALL, NOW_US, view_of
from tests.screens.test_pages import plain

TABLE = table_info(Bench().greeting)
TILT = Mark(kind=TiltKind.DISK_FULL, reason="no room", at="2026-11-21T22:45:00Z")


def picture(lines: str) -> Picture:
    return Picture(view=view_of(lines), table=TABLE, connected=True)


def closed(hand: int, at: str) -> ClosedHand:
    return ClosedHand(
        hand=hand, closed_at=at, void=None, house_rank=None, house_net=None, drawn=14, presses=8, incidents=()
    )


@pytest.mark.parametrize(
    ("of", "state"),
    [
        (picture(hands.WHOLE), TableState.WAITING),
        (picture(hands.BETS), TableState.PLAYING),
        (picture(CALL), TableState.HELD),
        (replace(picture(CALL), connected=False), TableState.NO_CONTROLLER),
        (replace(picture(CALL), connected=False, tilt=TILT), TableState.TILT),
    ],
)
def test_the_state_of_a_table_in_one_word(of: Picture, state: TableState) -> None:
    (tile,) = tiles_of((of,), NOW_US)
    assert tile.state is state
    assert state.is_normal is (state in (TableState.WAITING, TableState.PLAYING))


def test_a_tile_says_phase_croupier_last_incident_and_alarms() -> None:
    of = picture(hands.DEVICES + CALL + "acknowledge 1 by ana\nlost light tower cable")
    (tile,) = tiles_of((replace(of, view=replace(of.view, croupier="luis")),), NOW_US)
    assert (tile.name, tile.phase, tile.hand, tile.croupier) == ("Mesa 1", "dealing", 1, "luis")
    assert (tile.open_alarms, tile.unacknowledged) == (2, 1)
    assert tile.last is not None
    assert tile.last.clause == "THB-STF-1"


def test_one_tile_a_table_in_their_order() -> None:
    two = replace(TABLE, name="Mesa 2")
    tiles = tiles_of((picture(CALL), replace(picture(""), table=two)), NOW_US)
    assert [(tile.name, tile.state) for tile in tiles] == [("Mesa 1", TableState.HELD), ("Mesa 2", TableState.WAITING)]


def test_the_pace_is_that_of_the_last_hands() -> None:
    three = (closed(3, "2026-11-21T22:04:00Z"), closed(2, "2026-11-21T22:01:30Z"), closed(1, "2026-11-21T22:00:00Z"))
    assert hands_an_hour(three) == 30
    assert hands_an_hour(three[:2]) == 24
    assert hands_an_hour(three[:1]) is None
    assert hands_an_hour(()) is None
    assert hands_an_hour((three[0], three[0])) is None


@pytest.mark.parametrize(
    ("language", "said"),
    [("es", ("DETENIDA", "Ritmo actual, manos/h")), ("en", ("HELD", "Pace now, hands/h"))],
)
def test_a_tile_reads_in_the_language_of_the_page(language: str, said: tuple[str, ...]) -> None:
    html = AT_NOW.parts("pit", language, picture(CALL))["tiles"]
    assert all(words in plain(html) for words in (*said, "THB-STF-1"))
    assert 'class="tile held off"' in html
    assert 'class="tile playing"' in AT_NOW.parts("pit", language, picture(hands.BETS))["tiles"]

"""What people did at the table is as it was when the controller starts again, also where a hand has ended since."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, Final

import pytest

from tablectl.core.engine import facts as f
from tablectl.core.engine.vocabulary import Tracking
from tests.journal.journals import Writer

SETUP: Final = f.Setup(
    table="t",
    rulebook="texas-bonus",
    seats=7,
    tracking=Tracking.AMOUNTS,
    limits={"ante": f.Limits(least=500, most=10_000), "bonus": f.Limits(least=100, most=5_000)},
    bands={"ante": f.Limits(least=500, most=15_000), "bonus": f.Limits(least=100, most=5_000)},
    staff=True,
)
HAND: Final = """
press new-hand
bet 1 ante 1000
press no-more-bets
draw As
draw Qh
draw Kd
draw Js
press fold
press bank
press confirm
"""
DONE: Final = {
    "croupier": "croupier ana",
    "next_croupier": "croupier ana\npress new-hand\ncroupier luis",
    "limits_set": "limits ante=1000..15000 by ana+luis",
    "unseen_devices": "lost light light cable\nback light light",
    "shelved": "lost light light cable\nshelve device-light 60 by ana lamp ordered",
}


@pytest.mark.parametrize("name", DONE)
@pytest.mark.parametrize("hands", [0, 1])
def test_it_is_the_same_after_a_restart(tmp_path: Path, name: str, hands: int) -> None:
    with Writer(tmp_path / "table.db", SETUP) as writer:
        writer.enter(f.Opened(at_us=1, setup=SETUP))
        if hands:
            writer.line("croupier eva")
            writer.lines(HAND)
        writer.lines(DONE[name])
        before = writer.table.carry()
    assert getattr(before, name), "there is something to remember"
    with Writer(tmp_path / "table.db", SETUP) as again:
        table = again.recover()
        assert table is not None
        assert table.carry() == before
        assert table.prompt() == writer.table.prompt()


def test_the_end_of_a_hand_says_who_deals_the_next_one(tmp_path: Path) -> None:
    with Writer(tmp_path / "table.db", SETUP) as writer:
        writer.enter(f.Opened(at_us=1, setup=SETUP))
        writer.lines(f"croupier ana\n{HAND}".replace("press no-more-bets", "croupier luis\npress no-more-bets"))
        closed = [json.loads(stored.public) for stored in writer.store.records() if stored.boundary]
    assert closed[-1]["carry"]["croupier"] == "luis"
    opened = [
        decision
        for record in _records(tmp_path)
        for decision in record["decisions"]
        if decision["kind"] == "hand-opened"
    ]
    assert [fact["croupier"] for fact in opened] == ["ana"]


def _records(folder: Path) -> list[dict[str, Any]]:
    with Writer(folder / "table.db", SETUP) as writer:
        return [json.loads(record.public) for record in writer.store.records()]

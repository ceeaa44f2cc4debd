"""A hand in one line, out of its records, and as it is sent."""

from __future__ import annotations

import pytest

from tablectl.core.engine.decisions import (
    Decision,
    HandClosed,
    HandOpened,
    HandVoided,
    IncidentRaised,
    PotCarried,
    TakenBack,
)
from tablectl.core.engine.facts import Pressed
from tablectl.core.engine.vocabulary import Action, Chooser, Key, Severity
from tablectl.core.events.codec import UnreadableRecord, from_plain, to_plain
from tablectl.core.events.stream import PublicRecord
from tablectl.core.public_table.hand_row import HandRow, RowIncident, hand_rows

OPENED = HandOpened(hand=3, rulebook="draw-poker", version="1", croupier="ana")
CHECKED = TakenBack(seat=2, action=Action.CHECK)
RAISED = IncidentRaised(
    incident=4,
    clause="FCD-IRR-1",
    severity=Severity.ALERT,
    expected="cut",
    observed="none",
    chooser=Chooser.PIT_BOSS,
    remedies=(),
)


def recorded(*decisions: Decision, hand: int = 3) -> list[PublicRecord]:
    """A record for each decision, a second apart."""
    return [
        PublicRecord(
            seq=number, hand=hand, at_us=number * 1_000_000, event=Pressed(at_us=0, key=Key.CONFIRM), decisions=(said,)
        )
        for number, said in enumerate(decisions, start=1)
    ]


def the_row(*decisions: Decision) -> HandRow:
    (row,) = hand_rows(recorded(OPENED, *decisions))
    return row


def test_fcd_win_5_a_pot_that_nobody_opened_is_carried_until_the_last_pass_is_taken_back() -> None:
    assert (the_row(PotCarried(amount=150)).is_carried, the_row(PotCarried(amount=150)).carried) == (True, 150)
    back = the_row(PotCarried(amount=150), CHECKED)
    assert (back.is_carried, back.carried) == (False, None)
    again = the_row(PotCarried(amount=150), CHECKED, PotCarried(amount=None))
    assert (again.is_carried, again.carried) == (True, None)


def test_a_row_says_when_whose_how_it_ended_and_what_went_wrong() -> None:
    closed = HandClosed(hand=3, presses=8, drawn=21)
    assert the_row(RAISED, HandVoided(clause="FCD-IRR-1"), closed) == HandRow(
        hand=3,
        opened_at="1970-01-01T00:00:01.000000Z",
        closed_at="1970-01-01T00:00:04.000000Z",
        void="FCD-IRR-1",
        incidents=(RowIncident(incident=4, clause="FCD-IRR-1"),),
        croupier="ana",
        seq=(1, 4),
    )


def test_what_no_hand_was_opened_for_is_no_row_and_the_newest_hand_is_the_first() -> None:
    assert hand_rows(recorded(RAISED)) == []
    assert [row.hand for row in hand_rows([*recorded(OPENED), *recorded(OPENED, hand=4)])] == [4, 3]


def test_a_row_comes_back_as_it_was_sent() -> None:
    row = the_row(RAISED, PotCarried(amount=150))
    assert from_plain(to_plain(row), HandRow, "a row") == row
    with pytest.raises(UnreadableRecord, match="a row that this program cannot read"):
        from_plain({**to_plain(row), "seq": 1}, HandRow, "a row")

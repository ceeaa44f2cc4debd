"""Between two hands every record is signed, once the journal takes what version 0.1.0 could not read."""

from __future__ import annotations

from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest

from tablectl.core.engine.decisions import HandClosed, HandOpened
from tablectl.core.engine.table import Table
from tablectl.games.registry import rulebook_of
from tablectl.journal.places import Places
from tablectl.journal.store import Stored
from tablectl.journal.verify import Wrong, verify
from tablectl.journal.volumes import VolumeSet
from tests.journal.journals import (
    SIGNER,
    WHOLE_HAND,
    facts_of,
    hand_files,
    keep_keys,
    places,
    sat,
)

BETWEEN = "lost light light cable\nback light light\n"


@pytest.fixture
def where(tmp_path: Path) -> Places:
    keep_keys(tmp_path)
    return places(tmp_path)


def stored_in(where: Places) -> list[Stored]:
    with closing(VolumeSet(where.journal)) as volume_set:
        return list(volume_set.records())


def test_what_happens_between_two_hands_is_signed_and_in_a_hand_it_is_not(where: Places) -> None:
    sat(where, WHOLE_HAND)
    before = len(stored_in(where))
    sat(where, BETWEEN + "press new-hand\n" + BETWEEN)
    sat(where, BETWEEN)
    signed = [stored.signature is not None for stored in stored_in(where)[before:]]
    #     start, between hands; the hand is opened, and is open; start, and it still is
    assert signed == [True, True, True, False, False, False, True, False, False]
    assert verify(stored_in(where), key=SIGNER.public).fault is None


def test_before_the_first_closed_hand_version_0_1_0_could_not_verify_it_so_it_is_not(where: Places) -> None:
    sat(where, BETWEEN)
    assert [stored.signature is not None for stored in stored_in(where)] == [True, False, False]
    assert verify(stored_in(where), key=SIGNER.public).fault is None


@pytest.mark.parametrize("volume_records", [1_000_000, 20])
def test_a_signature_that_was_taken_away_between_two_hands_is_named(tmp_path: Path, volume_records: int) -> None:
    keep_keys(tmp_path)
    where = places(tmp_path, volume_records=volume_records)
    sat(where, WHOLE_HAND + BETWEEN)
    stored = stored_in(where)
    assert verify(stored, key=SIGNER.public).fault is None
    for at in (len(stored) - 1, len(stored) - 2):
        spoilt = [*stored[:at], replace(stored[at], signature=None), *stored[at + 1 :]]
        fault = verify(spoilt, key=SIGNER.public).fault
        assert fault is not None
        assert (fault.seq, fault.wrong) == (stored[at].seq, Wrong.UNSIGNED)


def test_the_records_say_whether_a_hand_is_open(tmp_path: Path) -> None:
    """Of every hand file, by its setup and facts: whoever verifies knows nothing but the records."""
    for name, hand in hand_files():
        table, is_open = Table(hand.setup, rulebook_of), False
        for fact in facts_of(hand):
            concluded = {*map(type, table.apply(fact))}
            is_open = (is_open or HandOpened in concluded) and HandClosed not in concluded
            assert table.state.in_play == is_open, (name, fact)

"""A badge held to its reader at a whole table: on record by its digest, and its number is nowhere."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from simulators.devices.world import AWAY, World
from simulators.stage.readers import BADGES, Antenna, Reading
from simulators.stage.stage import Scene
from tablectl.api.client import ask
from tablectl.cli.main import main
from tablectl.journal.keys import load_sealing
from tests.desk import LONG_S, Desk, desk
from tests.journal.journals import keep_keys
from tests.reader_desk import RED, enrol, register_of

pytestmark = pytest.mark.system

BADGE = "E00401DD00000001"


class Hand:
    """Somebody who holds a badge to the reader."""

    def __init__(self, world: World) -> None:
        self._world = world

    def shows(self, tag: str) -> None:
        badge = next((card for card in self._world.cards() if card.tag == tag), None)
        self._world.put(badge or self._world.bring("", AWAY, tag=tag), BADGES)

    def takes_away(self) -> None:
        for badge in self._world.at(BADGES):
            self._world.put(badge, AWAY)


@contextmanager
def badge_desk() -> Iterator[tuple[Desk, Hand]]:
    """A table with a reader of badges and none of cards; the controller is started by the test."""
    with desk(scene=Scene(has_badges=True, reading=Reading(), staff=False)) as table:
        keep_keys(table.folder)
        world = World([])
        antenna = Antenna(BADGES, BADGES, world, table.folder, pace=None)
        antenna.reader.start()
        try:
            yield table, Hand(world)
        finally:
            table.stop()
            antenna.reader.close()


def test_a_badge_is_on_record_by_its_digest_between_hands_and_in_a_hand() -> None:
    with badge_desk() as (table, hand):
        table.start()
        before = table.newest
        hand.shows(BADGE)
        shown = table.await_record("badge-shown", before)
        vault, _ = load_sealing(table.folder / "table.key")
        assert shown["fact"] == {"kind": "badge-shown", "badge": vault.digest("badge", BADGE)}
        assert shown["decisions"] == []

        hand.takes_away()
        table.open_hand()
        before = table.newest
        hand.shows("E00401DD00000002")
        other = table.await_record("badge-shown", before)
        assert other["fact"]["badge"] != shown["fact"]["badge"]
        assert other["hand"] == 1
        table.play_on()
        assert table.stop() == 0
        assert main(["journal", "verify", str(table.journal)]) == 0


def test_the_number_of_a_badge_is_nowhere(capfd: pytest.CaptureFixture[str]) -> None:
    with badge_desk() as (table, hand):
        table.start()
        hand.shows(BADGE)
        table.await_record("badge-shown", 0)
        told = repr(ask(table.socket, {"ask": "devices"}, timeout_s=LONG_S))
        table.until_copied()
        assert table.stop() == 0
        everything = b"".join(path.read_bytes() for path in table.folder.iterdir() if path.is_file())
        said = "".join(capfd.readouterr()) + repr(table.log.said) + told
    for form in (BADGE, BADGE.lower()):
        assert form.encode() not in everything
        assert form not in said
    assert bytes.fromhex(BADGE) not in everything


def test_a_card_of_a_deck_on_the_reader_of_badges_is_a_badge_and_puts_no_deck_in_play() -> None:
    with badge_desk() as (table, hand):
        enrol(table, "red 7", RED)
        table.start()
        hand.shows(next(iter(RED)))
        table.await_record("badge-shown", 0)
        table.enter("press new-hand")
        assert [
            record for record in table.records() if record["fact"]["kind"] in ("deck-moved", "strange-tag", "seen")
        ] == []
        with register_of(table) as register:
            assert register.in_play is None


def test_a_reader_of_badges_that_is_lost_does_not_hold_the_table() -> None:
    with badge_desk() as (table, hand):
        table.start()
        device = table.await_record("device-back", 0, role="badges")["fact"]
        assert device["device"] == "antenna-badges"
        assert Path(table.folder / "antenna-badges").exists()
        hand.shows(BADGE)
        table.open_hand()

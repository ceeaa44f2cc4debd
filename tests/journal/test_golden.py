"""Journals that earlier versions wrote: read, verified, replayed, gone on with, and written again byte for byte.

`golden/VERSION-GAME.tar.xz` holds the journal of a demo with many faults and its demo keys, as that version left them.
"""

from __future__ import annotations

import json
import tarfile
from collections.abc import Callable
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Final

import pytest

from tablectl.cli.main import main
from tablectl.core.engine import facts as f
from tablectl.core.engine.vocabulary import Key
from tablectl.core.events.codec import encode_json
from tablectl.core.events.stream import decode_record, encode_record, known_decisions
from tablectl.games.registry import rulebook_of
from tablectl.journal.clock import now_us
from tablectl.journal.evidence.hand import read
from tablectl.journal.evidence.handfile import hand_file
from tablectl.journal.handfile.file import parse
from tablectl.journal.handfile.playing import play
from tablectl.journal.journal import Journal
from tablectl.journal.keys import load_sealing
from tablectl.journal.recovery import replay
from tablectl.journal.volumes import VolumeSet
from tests.journal.journals import places

GOLDEN: Final = Path(__file__).with_name("golden")
JOURNALS: Final = sorted(path.name.removesuffix(".tar.xz") for path in GOLDEN.glob("*.tar.xz"))
Unpacked = Callable[[str], Path]


@pytest.fixture
def unpacked(tmp_path: Path) -> Unpacked:
    def unpack(name: str) -> Path:
        with tarfile.open(GOLDEN / f"{name}.tar.xz") as archive:
            for member in archive:
                content = archive.extractfile(member)
                assert content is not None
                (tmp_path / member.name).write_bytes(content.read())
        for key in ("table.key", "table.sign"):
            (tmp_path / key).chmod(0o600)
        return tmp_path / "table.db"

    return unpack


def test_there_is_a_journal_of_each_game() -> None:
    assert {name.partition("-")[2].partition("-")[0] for name in JOURNALS} == {"texas", "circle", "open", "draw"}


@pytest.mark.parametrize("name", JOURNALS)
def test_every_record_is_a_value_and_the_same_bytes_again(unpacked: Unpacked, name: str) -> None:
    with closing(VolumeSet(unpacked(name))) as volume_set:
        stored = list(volume_set.records())
    assert stored
    for record in stored:
        made = decode_record(json.loads(record.public))
        known_decisions(made)
        assert encode_json(encode_record(made)) == record.public


@pytest.mark.parametrize("name", JOURNALS)
def test_the_tools_read_it(unpacked: Unpacked, name: str, capsys: pytest.CaptureFixture[str]) -> None:
    journal = unpacked(name)
    for tool in ("verify", "replay", "show"):
        assert main(["journal", tool, str(journal)]) == 0, capsys.readouterr()
    assert "intact" in capsys.readouterr().out


@pytest.mark.parametrize("name", JOURNALS)
def test_its_first_hand_leaves_as_a_hand_file_that_plays(unpacked: Unpacked, name: str) -> None:
    """The first one of those that take the same course by the rules of today."""
    journal = unpacked(name)
    vault, _ = load_sealing(journal.with_suffix(".key"))
    with closing(VolumeSet(journal)) as volume_set:
        played = list(replay(volume_set, vault, rulebook_of))
        others = {replayed.stored.hand for replayed in played if replayed.is_of_another_course}
        first = next(hand for hand in range(1, played[-1].stored.hand) if hand not in others)
        assert play(parse(hand_file(read(volume_set, first))), rulebook_of) == []


@pytest.mark.parametrize("name", JOURNALS)
def test_a_table_goes_on_from_it_in_the_same_chain(unpacked: Unpacked, name: str) -> None:
    journal = unpacked(name)
    opened = Journal.open(places(journal.parent), software="this program")
    try:
        table = opened.recover(rulebook_of)
        assert table is not None
        for fact in (
            f.Opened(at_us=now_us(), setup=replace(table.state.setup)),
            f.Pressed(at_us=now_us(), key=Key.CONFIRM),
        ):
            decisions = table.apply(fact)
            opened.write(fact, decisions, prompt=table.prompt(), hand=table.state.hand + 1, draw=None, carry=None)
    finally:
        opened.close()
    assert main(["journal", "replay", str(journal)]) == 0

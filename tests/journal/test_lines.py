"""A record as a line of text: one way to write it, one way to read it, and nothing else is a line."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from tablectl.core.events.codec import encode_json
from tablectl.journal.lines import NoLine, line, line_with_box, parse
from tablectl.journal.store import Position, Stored
from tablectl.journal.verify import compare
from tests.journal.journals import Writer, facts_of, hand_files, records
from tests.journal.mutations import small_journal

#: Every thirteenth hand file: misdeals, lost devices, unread cards, presence and amounts.
HANDS = [hand for number, (_, hand) in enumerate(hand_files()) if number % 13 == 0]


@pytest.fixture(scope="module")
def journal(tmp_path_factory: pytest.TempPathFactory) -> list[Stored]:
    """One hand."""
    return small_journal(tmp_path_factory.mktemp("journal"))


@pytest.mark.parametrize("number", range(len(HANDS)))
def test_a_line_of_the_copy_is_read_as_the_record_it_was_made_of(tmp_path: Path, number: int) -> None:
    hand = HANDS[number]
    with Writer(tmp_path / "a.db", hand.setup) as writer:
        for fact in facts_of(hand):
            writer.enter(fact)
    stored = records(tmp_path / "a.db")
    assert [parse(line_with_box(record)) for record in stored] == stored
    assert [parse(line(record)) for record in stored] == [replace(record, sealed=None) for record in stored]


def test_a_line_is_one_line_of_json_that_says_what_the_record_says_and_how_it_is_chained(
    journal: list[Stored],
) -> None:
    for stored in journal:
        text = line(stored)
        assert b"\n" not in text
        told = json.loads(text)
        assert told.pop("hash") == stored.hash.hex()
        assert told.pop("signature", None) == (stored.signature.hex() if stored.signature is not None else None)
        assert encode_json(told) == stored.public


def test_nothing_sealed_is_in_a_line_of_the_public_stream(journal: list[Stored]) -> None:
    assert sum(stored.sealed is not None for stored in journal) == 14
    for stored in journal:
        assert b'"box"' not in line(stored)
        assert (b'"box"' in line_with_box(stored)) is (stored.sealed is not None)


def test_a_line_that_was_cut_anywhere_is_refused(journal: list[Stored]) -> None:
    """The one that still reads as a record, since it was cut after its hash, would be found by the comparison."""
    for stored in journal:
        text = line_with_box(stored)
        for n in range(len(text)):
            for cut in (text[:n], text[:n] + b"}"):
                try:
                    read = parse(cut)
                except NoLine:
                    continue
                if cut == text:
                    continue  # the brace that was cut off put back
                before = (
                    Position(stored.seq - 1, journal[stored.seq - 2].hash) if stored.seq > 1 else Position(0, bytes(32))
                )
                assert compare([stored], [read], start=before) is not None


@pytest.mark.parametrize("n", range(25))
def test_a_cut_line_alone_is_never_a_record(journal: list[Stored], n: int) -> None:
    text = line_with_box(journal[n])
    for at in range(len(text)):
        with pytest.raises(NoLine):
            parse(text[:at])


@pytest.mark.parametrize(
    "public",
    [
        b"",
        b"{",
        b"[]",
        b"1",
        b"{}",
        b'{"seq":1}',
        b'{"seq":"x","hand":1}',
        b'{"seq":null,"hand":1}',
        b'{"seq":[1],"hand":1}',
        b'{"seq":1e999,"hand":1}',
        b'{"seq":Infinity,"hand":1}',
        b'{"seq":NaN,"hand":1}',
        b'{"seq":1,"hand":1,"\xff":1}',
        b'{"seq":' + b"9" * 5000 + b',"hand":1}',
        b'{"a":' + b"[" * 100_000 + b"}",
    ],
)
def test_what_is_no_record_is_refused_although_a_hash_stands_after_it(public: bytes) -> None:
    for text in (public, public[:-1] + b',"hash":"' + b"0" * 64 + b'"}'):
        with pytest.raises(NoLine, match="no line of a journal"):
            parse(text)


@pytest.mark.parametrize(
    "tail",
    [
        b',"hash":"' + b"0" * 63 + b'"}',
        b',"hash":"' + b"0" * 65 + b'"}',
        b',"hash":"' + b"A" * 64 + b'"}',
        b',"hash":"' + b"0" * 64 + b'","signature":"' + b"0" * 126 + b'"}',
        b',"hash":"' + b"0" * 64 + b'","box":"AAA"}',
        b',"hash":"' + b"0" * 64 + b'","box":"AAB="}',
        b',"hash":"' + b"0" * 64 + b'","box":"AA==AA=="}',
        b',"hash":"' + b"0" * 64 + b'","box":"AAAA","signature":"' + b"0" * 128 + b'"}',
        b',"hash":"' + b"0" * 64 + b'"} ',
        b',"hash":"' + b"0" * 64 + b'"}\r',
    ],
)
def test_a_tail_is_written_in_one_way_only(tail: bytes) -> None:
    good = b'{"hand":1,"seq":1' + b',"hash":"' + b"0" * 64 + b'","box":"AAA="}'
    assert parse(good).sealed == bytes(2)
    with pytest.raises(NoLine):
        parse(b'{"hand":1,"seq":1' + tail)

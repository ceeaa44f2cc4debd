"""What the auditor's pages are made of: fields that become a search, records in words, files of records, processes."""

from __future__ import annotations

import asyncio
import csv
import io
import json
import os
from collections.abc import Callable
from datetime import timedelta, timezone
from pathlib import Path
from typing import Any

import pytest

from tablectl.core.access import AccessKind
from tablectl.i18n.currency import Currency
from tablectl.i18n.languages import LANGUAGES
from tablectl.i18n.texts import load_texts
from tablectl.journal.lines import parse
from tablectl.journal.search import Hit, Wanted, walk
from tablectl.web.screens.auditor.asked import BadField, Field, asked
from tablectl.web.screens.auditor.jobs import Busy, Jobs
from tablectl.web.screens.auditor.tables import COLUMNS, csv_lines, currencies, json_lines
from tablectl.web.screens.auditor.telling import told
from tablectl.web.screens.feed import Picture
from tablectl.web.screens.render import Pages
from tablectl.web.screens.web.auditing import KINDS
from tests.journal.journals import WHOLE_HAND, keep_keys, places, sat, written

PAGES = Pages()
BOTH = (PAGES.texts("es", Picture()), PAGES.texts("en", Picture()))
TEXTS = load_texts("tablectl.web.screens")


def hit(public: dict[str, Any] | bytes, seq: int = 7) -> Hit:
    made = public if isinstance(public, bytes) else json.dumps(public).encode()
    return Hit(seq=seq, hand=1, public=made, hash=bytes(32), signature=None)


def happened(fact: dict[str, Any]) -> tuple[str, ...]:
    return told(
        hit({"seq": 7, "hand": 1, "at": "2026-11-21T20:00:00.000000Z", "fact": fact, "decisions": []}), BOTH
    ).happened


# --- fields -----------------------------------------------------------------------------------------------------------


def test_fields_become_a_search_and_an_address_that_says_the_same() -> None:
    found = asked({"hand": " 7 ", "clause": "thb-err-1", "person": "ana", "kind": "ruled, named", "text": "", "x": "y"})
    assert found.wanted == Wanted(hand=7, clause="THB-ERR-1", person="ana", kinds=frozenset(("ruled", "named")))
    assert found.address(lang="es") == "hand=7&clause=thb-err-1&person=ana&kind=ruled%2C+named&lang=es"
    assert found.about() == "hand=7 clause=thb-err-1 person=ana kind=ruled, named"
    assert asked({}).about() == "all"


def test_times_of_a_page_are_those_of_the_house() -> None:
    madrid = timezone(timedelta(hours=1))
    wanted = asked({"since": "2026-11-21T21:00", "until": "2026-11-21T22:30:15"}, madrid).wanted
    assert (wanted.since, wanted.until) == ("2026-11-21T20:00:00.000000Z", "2026-11-21T21:30:15.000000Z")
    assert asked({"since": "2026-11-21T21:00+02:00"}, madrid).wanted.since == "2026-11-21T19:00:00.000000Z"


@pytest.mark.parametrize(
    ("field", "text"),
    [
        ("since", "yesterday"),
        ("until", "0001-01-01T00:00+14:00"),
        ("hand", "-1"),
        ("hand", "seven"),
        ("hand", "٧"),
        ("hand", "9" * 16),
        ("before", "x"),
        ("text", "x" * 201),
    ],
)
def test_a_field_that_cannot_be_understood_is_named(field: str, text: str) -> None:
    with pytest.raises(BadField, match=f"^{field}$"):
        asked({field: text})


def test_every_field_has_words() -> None:
    assert {f"field-{name}" for name in (*Field, "before")} <= TEXTS.keys("auditor")


# --- words ------------------------------------------------------------------------------------------------------------


def test_every_kind_of_record_has_words_of_its_own_in_every_language() -> None:
    assert TEXTS.keys("record-kind") == KINDS
    for language in LANGUAGES:
        words = [TEXTS.text("record-kind", kind, language) for kind in sorted(KINDS)]
        assert len(set(words)) == len(words)


@pytest.mark.parametrize("kind", AccessKind)
def test_everything_that_people_do_is_told_in_both_languages(kind: AccessKind) -> None:
    assert kind.value in TEXTS.keys("auditor-access")
    which = {"id": "00" * 16, "number": 1, "when": "2026-11-21T20:00:00.000000Z"}
    done = {"what": kind.value, "who": "ana", "role": "auditor", "about": "hand 7", "granted": True}
    fact = {"kind": "access", **which, **done}
    spanish, english = happened(fact)
    assert spanish.startswith("ana: ")
    assert english.endswith("(hand 7).")
    assert spanish != english
    assert happened({**fact, "granted": False})[0].startswith("A ana se le denegó: ")


def test_what_was_refused_has_a_sentence_and_something_to_do() -> None:
    assert TEXTS.keys("auditor-no") == TEXTS.keys("auditor-do")


@pytest.mark.parametrize(
    "public",
    [
        b"no json",
        b"7",
        b"{}",
        {"fact": None},
        {"fact": {"kind": "ruled"}, "at": "then", "decisions": [{"kind": "refused"}, 7, {}]},
        {"fact": {"kind": "drawn", "draw": {}}, "at": "", "decisions": {"a": "b"}},
        {"fact": {"kind": ["x"]}, "at": 5},
        {"fact": {"kind": "access"}, "at": "2026"},
    ],
    ids=str,
)
def test_a_record_that_somebody_spoiled_is_told_all_the_same(public: dict[str, Any] | bytes) -> None:
    found = told(hit(public), BOTH)
    assert all(found.happened)
    assert found.raw
    if isinstance(public, bytes):
        assert not found.is_readable


# --- files ------------------------------------------------------------------------------------------------------------


@pytest.fixture
def journal(tmp_path: Path) -> Path:
    path = tmp_path / "table.db"
    written(path, WHOLE_HAND)
    return path


def test_json_lines_are_those_of_the_public_stream(journal: Path) -> None:
    text = b"".join(json_lines(walk(journal, Wanted())))
    stored = [parse(line) for line in text.splitlines()]
    assert [record.seq for record in stored] == list(range(1, len(stored) + 1))
    assert all(record.sealed is None for record in stored)
    assert any(record.signature for record in stored)


def test_a_table_has_a_row_for_each_record_in_both_languages(journal: Path) -> None:
    text = b"".join(csv_lines(walk(journal, Wanted()), BOTH, currencies(journal))).decode()
    rows = list(csv.DictReader(io.StringIO(text)))
    assert tuple(rows[0]) == COLUMNS
    assert [row["seq"] for row in rows] == [str(seq) for seq in range(1, len(rows) + 1)]
    settled = next(row for row in rows if "THB-SET-3" in row["clauses"])
    assert (settled["es"], settled["en"]) == ("Tecla «Banca».", "Key “Bank”.")


def test_each_row_says_what_its_amounts_are_amounts_of_where_its_hand_does(tmp_path: Path) -> None:
    keep_keys(tmp_path)
    where = places(tmp_path)
    sat(where, WHOLE_HAND * 2, currency=Currency(code="EUR", exponent=2))
    text = b"".join(csv_lines(walk(where.journal, Wanted()), BOTH, currencies(where.journal))).decode()
    rows = list(csv.DictReader(io.StringIO(text)))
    assert {(row["hand"], row["currency"], row["currency_exponent"]) for row in rows} == {
        ("1", "", ""),
        ("2", "EUR", "2"),
    }


@pytest.mark.parametrize("reason", ["=HYPERLINK(1)", "+1", "-1", "@x", "\t=1"])
def test_what_a_person_wrote_is_no_formula_of_a_spreadsheet(reason: str) -> None:
    public = {"at": "2026", "fact": {"kind": reason, "by": reason}, "decisions": [{"kind": "x", "clause": reason}]}
    rows = list(csv.reader(io.StringIO(b"".join(csv_lines([[hit(public)]], BOTH, lambda _hand: None)).decode())))
    assert not any(cell.startswith(("=", "+", "-", "@", "\t")) for cell in rows[1])


# --- processes --------------------------------------------------------------------------------------------------------


def run(act: Callable[[Jobs], Any]) -> Jobs:
    jobs = Jobs(lambda: "now")
    asyncio.run(act(jobs))
    return jobs


def test_a_command_is_heard_to_its_end(journal: Path) -> None:
    async def act(jobs: Jobs) -> None:
        jobs.start(["journal", "verify", str(journal), "--progress"], by="ana", about="verify")
        await jobs.ended()

    job = run(act).job
    assert job is not None
    assert (job.status, job.is_running, job.is_stopped, job.by) == (0, False, False, "ana")
    assert (job.stage, job.done, job.per_cent) == ("journal", job.records, 100)
    assert job.lines[0].startswith(f"{journal}: intact: 25 records")
    assert not any("progress" in line for line in job.lines)


def test_a_command_that_fails_says_why(tmp_path: Path) -> None:
    async def act(jobs: Jobs) -> None:
        jobs.start(["journal", "verify", str(tmp_path / "none.db")], by="ana", about="verify")
        await jobs.ended()

    job = run(act).job
    assert job is not None
    assert job.status == 2
    assert "none.db" in " ".join(job.lines)


def test_one_runs_at_a_time_and_it_can_be_stopped(tmp_path: Path) -> None:
    """It waits for somebody to write into a pipe, which nobody does."""
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)

    async def act(jobs: Jobs) -> None:
        jobs.start(["journal", "verify", str(pipe)], by="ana", about="verify")
        with pytest.raises(Busy):
            jobs.start(["journal", "verify", str(pipe)], by="luis", about="verify")
        writer = await asyncio.to_thread(os.open, pipe, os.O_WRONLY)  # it has begun to read
        jobs.stop()
        await jobs.ended()
        with pytest.raises(BrokenPipeError):  # and nobody reads any more
            os.write(writer, b"x")
        os.close(writer)

    job = run(act).job
    assert job is not None
    assert (job.is_stopped, job.status, job.is_running, job.by) == (True, None, False, "ana")


def test_what_runs_ends_with_the_screens(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)

    async def act(jobs: Jobs) -> int:
        jobs.start(["journal", "verify", str(pipe)], by="ana", about="verify")
        return await asyncio.to_thread(os.open, pipe, os.O_WRONLY)

    writer = asyncio.run(act(Jobs(lambda: "now")))
    with pytest.raises(BrokenPipeError):
        os.write(writer, b"x")
    os.close(writer)

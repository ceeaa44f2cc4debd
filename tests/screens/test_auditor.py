"""The auditor's pages over a real port, with a real journal and the real controller: nothing is shown before it is on
record, and nothing that is sealed is shown before it was opened."""

from __future__ import annotations

import csv
import hashlib
import io
import json
import re
import shutil
import subprocess
import zipfile
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any, Final

import httpx2
import pytest

from simulators import processes
from tablectl.core.access import AccessKind
from tablectl.journal.clock import now_us
from tablectl.journal.lines import parse
from tablectl.journal.public_keys import fingerprint, public_pem, whole_fingerprint
from tablectl.journal.sealed_card_request import request_text
from tablectl.journal.signing import Signer
from tablectl.web.screens.guard import HEADERS
from tablectl.web.screens.web.auditing import KINDS
from tests.journal.journals import NEVER_SHOWN, SIGNER
from tests.screens.audited_table import OTHER_KEY, PRIVATE, AuditedTable, Kept, audited_table
from tests.screens.conftest import Screens
from tests.screens.serving import served
from tests.screens.signed_on import headers, house
from tests.screens.test_app import get, post
from tests.waiting import until

pytestmark = pytest.mark.system

PAGES: Final = ("", "/verify", "/find", "/open", "/open/1", "/export", "/access")
LONG_S: Final = 60.0
#: `PRIVATE`, and somebody else's.
AUDITOR: Final = Signer(PRIVATE)
OTHER: Final = Signer(OTHER_KEY)
needs_openssl = pytest.mark.skipif(shutil.which("openssl") is None, reason="no openssl: it checks the signatures")


@pytest.fixture(scope="module")
def table() -> Iterator[AuditedTable]:
    """Three hands are over, the fourth has begun."""
    with audited_table(hands=3) as made:
        yield made


@pytest.fixture
def kept(table: AuditedTable) -> Kept:
    """Nothing is on record yet."""
    table.kept.clear()
    return table.kept


def page(table: AuditedTable, path: str, **params: str) -> httpx2.Response:
    return get(f"{table.url}/auditor{path}", params={"lang": "en", **params})


def sent(table: AuditedTable, path: str, body: object, **headers: str) -> httpx2.Response:
    return post(f"{table.url}/auditor{path}?lang=en", json=body, headers={"Origin": table.url, **headers})


def ended(table: AuditedTable, path: str) -> str:
    """What a page shows of its process once that has ended."""
    html = ""

    def is_over() -> bool:
        nonlocal html
        state = page(table, path).json()
        html = state["html"]
        return not state["running"]

    until(is_over)
    return html


# --- every page -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("path", PAGES)
def test_every_page_speaks_its_language_and_has_strict_headers(table: AuditedTable, path: str) -> None:
    spanish, english = (page(table, path, lang=language) for language in ("es", "en"))
    assert (spanish.status_code, english.status_code) == (200, 200)
    assert {name: english.headers.get(name) for name in HEADERS} == HEADERS
    for answer in (spanish, english):
        assert ("queda registrado con su nombre" in answer.text) == (answer is spanish)
        assert ("goes on record under your name" in answer.text) == (answer is english)
    assert re.findall(r"<script(?![^>]*\ssrc=)|\son[a-z]+=|\sstyle=|<style", english.text) == []


@pytest.mark.parametrize("path", [*PAGES, "/records.csv", "/records.jsonl"])
def test_screens_that_do_not_know_the_files_say_so(screens: Screens, path: str) -> None:
    answer = get(f"{screens.url}/auditor{path}", params={"lang": "en"})
    assert answer.status_code == 503
    assert "These screens do not know where the table&#39;s files are" in answer.text


def test_a_journal_that_cannot_be_read_is_said_and_not_a_fault(table: AuditedTable, tmp_path: Path) -> None:
    spoiled = tmp_path / "table.db"
    spoiled.write_bytes(b"no journal at all" * 100)
    with served(table.desk.socket, replace(table.files, journal=spoiled)) as server:
        for path in ("", "/find", "/access"):
            answer = get(f"{server.url}/auditor{path}?lang=en")
            assert (answer.status_code, "The journal cannot be read" in answer.text) == (503, True), path


@pytest.mark.parametrize("path", ["/verify/start", "/verify/stop", "/export/start", "/open/1/request", "/open/1/cards"])
def test_only_a_page_of_ours_is_obeyed(table: AuditedTable, kept: Kept, path: str) -> None:
    assert post(f"{table.url}/auditor{path}", json={}, headers={"Origin": "http://evil.example"}).status_code == 403
    assert sent(table, path, [], **{"Content-Type": "application/json"}).status_code == 400
    other = post(f"{table.url}/auditor{path}", data={"a": "b"}, headers={"Origin": table.url})
    assert other.status_code == 415
    assert kept.rows == []


# --- the journal ------------------------------------------------------------------------------------------------------


def test_the_first_page_says_what_the_journal_is(table: AuditedTable) -> None:
    text = page(table, "").text
    for said in (
        str(table.files.journal),
        str(table.files.copy),
        fingerprint(SIGNER.public),
        fingerprint(AUDITOR.public),
        table.desk.records(0)[-1]["hash"],
    ):
        assert said in text
    assert "the key published beside the journal confirms it" in text
    assert "THEY ARE NOT THE SAME KEY" not in text


def test_the_first_page_leads_an_auditor_to_what_he_needs_first_and_all_of_it_opens(table: AuditedTable) -> None:
    (ways,) = re.findall(r'<nav class="needed-first".*?</nav>', page(table, "").text, re.DOTALL)
    addresses = re.findall(r'href="([^"]+)"', ways)
    assert addresses == [
        "/pit/hands",
        "/auditor/verify",
        "/auditor/find",
        "/auditor/export",
        "/pit/float",
        "/pit/statistics/alarms.csv?day=all",
    ]
    for address in addresses:
        answer = get(f"{table.url}{address}", headers=headers("auditor"))
        assert answer.status_code == 200, address
        if address in ("/pit/hands", "/pit/float"):
            assert '<a href="/auditor">' in answer.text
            assert '<a href="/pit">' not in answer.text
    assert get(f"{table.url}/pit/statistics/hands.csv", headers=headers("auditor")).status_code == 403


def test_a_key_that_was_exchanged_stands_out(table: AuditedTable) -> None:
    ours = table.files.public_key.read_bytes()
    table.files.public_key.write_bytes(public_pem(OTHER.public))
    try:
        text = page(table, "").text
    finally:
        table.files.public_key.write_bytes(ours)
    assert "THEY ARE NOT THE SAME KEY" in text
    assert "NOT BY THE KEY PUBLISHED BESIDE THE JOURNAL" in text


# --- finding ----------------------------------------------------------------------------------------------------------


def seqs(text: str) -> list[int]:
    return [int(match) for match in re.findall(r'data-seq="(\d+)"', text)]


def test_records_are_found_told_and_shown_as_they_lie(table: AuditedTable, kept: Kept) -> None:
    text = page(table, "/find", kind="hand-closed", lang="es").text
    assert seqs(text) == [73, 49, 25]
    assert "Termina la mano 3: 14 cartas extraídas" in text
    assert "Hand 3 is over: 14 cards drawn" in page(table, "/find", kind="hand-closed", lang="en").text
    assert 'href="/pit/hands/3"' in text
    assert table.desk.records(24)[0]["hash"] in text
    assert "&#34;kind&#34;:&#34;hand-closed&#34;" in text
    assert kept.said(AccessKind.READ_RECORDS) == ["find kind=hand-closed"] * 2


@pytest.mark.parametrize(("language", "words"), [("es", "Final de una mano"), ("en", "End of a hand")])
def test_a_kind_of_record_is_chosen_and_shown_in_words(table: AuditedTable, language: str, words: str) -> None:
    text = page(table, "/find", kind="hand-closed", lang=language).text
    assert f'<option value="hand-closed" selected>{words}</option>' in text
    assert re.findall(r'<select id="f-kind".*?</select>', text, re.DOTALL)[0].count("<option") == len(KINDS) + 1
    assert {"es": "Tecla", "en": "Key"}[language] in re.findall(r'<span class="kind">(.*?)</span>', text)[0]


def test_a_kind_that_nobody_knows_stands_as_it_is(table: AuditedTable) -> None:
    text = page(table, "/find", kind="ruled, of-tomorrow", lang="en").text
    assert '<option value="ruled, of-tomorrow" selected>Ruling, of-tomorrow</option>' in text
    assert text.count(" selected>") == 1


def test_pages_of_a_search_follow_one_another(table: AuditedTable) -> None:
    assert seqs(page(table, "/find", hand="1").text) == list(range(25, 0, -1))
    everything = page(table, "/find").text
    (before,) = re.findall(r"before=(\d+)", everything)
    assert seqs(page(table, "/find", before=before).text)[0] == seqs(everything)[-1] - 1


def test_a_field_that_cannot_be_understood_is_marked_and_nothing_is_read(table: AuditedTable, kept: Kept) -> None:
    answer = page(table, "/find", hand="seven")
    assert answer.status_code == 400
    assert re.search(r'<input id="f-hand"[^>]*value="seven"[^>]*aria-invalid="true"', answer.text)
    assert (seqs(answer.text), kept.rows) == ([], [])


@pytest.mark.parametrize("path", ["/find", "/access", "/records.jsonl", "/records.csv"])
def test_what_cannot_be_put_on_record_is_not_shown(
    table: AuditedTable, path: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: object, **__: object) -> int:
        raise OSError("no space")

    with served(table.desk.socket, table.files) as server:
        wanted = prepared(table, 1)
        monkeypatch.setattr(server.people, "audit", full)
        answer = get(f"{server.url}/auditor{path}")
        cards = opened(replace(table, url=server.url), 1, wanted)
    assert (answer.status_code, cards.status_code) == (500, 500)
    assert "hand-closed" not in answer.text
    assert "data-code" not in cards.text


def test_records_leave_as_lines_that_can_be_verified_and_as_a_table(table: AuditedTable, kept: Kept) -> None:
    lines = page(table, "/records.jsonl").content.splitlines()
    assert [parse(line).seq for line in lines] == list(range(1, len(lines) + 1))
    rows = list(csv.DictReader(io.StringIO(page(table, "/records.csv", hand="2").text)))
    assert {row["hand"] for row in rows} == {"2"}
    assert kept.said(AccessKind.DOWNLOADED) == ["records.jsonl all", "records.csv hand=2"]
    assert page(table, "/records.csv", hand="x").status_code == 400


# --- verifying --------------------------------------------------------------------------------------------------------


def test_a_verification_says_what_the_command_says(table: AuditedTable, kept: Kept) -> None:
    assert sent(table, "/verify/start", {"key": public_pem(SIGNER.public).decode()}).status_code == 200
    html = ended(table, "/verify/state")
    assert "INTACT" in html
    assert f"{table.files.journal}: intact:" in html
    assert f"signed with {whole_fingerprint(SIGNER.public)} (the key that was given)" in html
    assert f"{table.files.copy}: the same up to record" in html
    assert kept.said(AccessKind.VERIFIED) == ["journal and copy, with a key of his own"]
    assert "INTACT" in page(table, "").text, "the first page says how it ended"


@pytest.mark.parametrize(
    ("key", "verdict", "said"),
    [
        (public_pem(OTHER.public).decode(), "NOT INTACT", "it names another key than the key that was given"),
        ("no key", "COULD NOT BE READ", "no Ed25519 public key in PEM"),
    ],
)
def test_with_another_key_it_is_not_intact(table: AuditedTable, key: str, verdict: str, said: str) -> None:
    assert sent(table, "/verify/start", {"key": key}).status_code == 200
    html = ended(table, "/verify/state")
    assert verdict in html
    assert said in html


def test_a_second_one_waits_and_the_first_can_be_stopped(table: AuditedTable, tmp_path: Path) -> None:
    """The journal is a pipe into which nobody writes, so that it does not end by itself."""
    processes.run(["mkfifo", str(tmp_path / "table.db")], check=True)
    with served(table.desk.socket, replace(table.files, journal=tmp_path / "table.db")) as server:
        slow, kept = replace(table, url=server.url), Kept(server.people)
        assert sent(slow, "/verify/start", {}).json()["running"] is True
        busy = sent(slow, "/verify/start", {})
        assert (busy.status_code, busy.json()["error"]) == (409, "busy")
        stopped = sent(slow, "/verify/stop", {}).json()
        assert stopped["running"] is False
        assert "STOPPED: it says nothing" in stopped["html"]
        assert len(kept.rows) == 1


# --- opening ----------------------------------------------------------------------------------------------------------


def prepared(table: AuditedTable, hand: int, reason: str = "claim 2026/17") -> str:
    reply = sent(table, f"/open/{hand}/request", {"reason": reason}).json()
    assert reply["ok"], reply
    text: str = reply["text"]
    return text


def opened(table: AuditedTable, hand: int, text: str, signer: Signer = AUDITOR) -> httpx2.Response:
    return sent(table, f"/open/{hand}/cards", {"request": text, "signature": signer.sign_text(text.encode()).hex()})


def test_the_cards_of_a_finished_hand_are_shown_to_who_signed_for_them(table: AuditedTable, kept: Kept) -> None:
    text = prepared(table, 2)
    assert json.loads(text) | {"at": ""} == {
        "at": "",
        "by": "everybody",
        "hand": 2,
        "reason": "claim 2026/17",
        "table": "Mesa 1",
    }
    answer = opened(table, 2, text)
    html = answer.json()["html"]
    assert answer.headers["cache-control"] == "no-store"
    assert set(re.findall(r'data-code="(\w\w)"', html)) > set(NEVER_SHOWN)
    assert "nine of clubs" in html
    (row,) = kept.rows
    assert (row.kind, row.about, row.granted) == (AccessKind.OPENED_SEALED, "hand 2: claim 2026/17", True)
    note = table.desk.records(answer.json()["seq"] - 1)[0]["fact"]
    assert (note["kind"], note["granted"], note["reason"]) == ("unsealed", True, "claim 2026/17")
    again = opened(table, 2, text).json()
    assert (again["error"], "html" in again) == ("again", False)


@pytest.mark.parametrize(
    ("asked", "why", "to_do"),
    [
        ((4, AUDITOR, "now"), "not-over", "Wait for the end of the hand"),
        ((2, OTHER, "now"), "other-key", "choose the key that belongs to it"),
        ((2, AUDITOR, "2020-01-01T00:00:00.000000Z"), "not-now", "Prepare it again and sign it at once"),
    ],
)
def test_a_refusal_says_why_what_to_do_and_that_it_is_on_record(
    table: AuditedTable, kept: Kept, asked: tuple[int, Signer, str], why: str, to_do: str
) -> None:
    hand, signer, at = asked
    text = prepared(table, hand)
    if at != "now":
        text = text.replace(json.loads(text)["at"], at)
    answer = opened(table, hand, text, signer)
    reply = answer.json()
    assert (answer.status_code, reply["ok"], reply["error"]) == (409, False, why)
    assert to_do in reply["do"][0]
    assert len(reply["says"]) == len(reply["do"]) == 1
    assert "html" not in reply
    assert [(row.kind, row.granted) for row in kept.rows] == [(AccessKind.OPENED_SEALED, False)]
    assert table.desk.records(reply["seq"] - 1)[0]["fact"]["granted"] is False


def test_a_request_is_for_the_hand_of_the_page_and_in_the_name_of_who_signed_on(
    table: AuditedTable, kept: Kept
) -> None:
    text = prepared(table, 2)
    for other in (text.replace('"everybody"', '"somebody"'), text.replace('"hand":2', '"hand":1'), "{}", "7"):
        answer = opened(table, 2, other)
        assert (answer.status_code, answer.json()["error"]) == (400, "bad-request"), other
    assert kept.rows == []


@pytest.mark.parametrize(
    ("reason", "error"), [("", "no-reason"), ("  ", "no-reason"), ("x" * 500, "bad-reason"), ("a\nb", "bad-reason")]
)
def test_without_a_reason_nothing_is_prepared(table: AuditedTable, reason: str, error: str) -> None:
    assert sent(table, "/open/2/request", {"reason": reason}).json()["error"] == error


def test_where_no_auditor_is_named_the_house_has_to_name_one() -> None:
    with audited_table(names_auditor=False) as table:
        assert "the house named none" in page(table, "").text
        reply = opened(table, 1, prepared(table, 1)).json()
        assert (reply["error"], "journal.auditor" in reply["do"][0]) == ("no-auditor", True)
        table.desk.stop()
        text = request_text(table="Mesa 1", hand=1, by="everybody", reason="x", now_us=now_us())
        stopped = opened(table, 1, text)
        assert (stopped.status_code, stopped.json()["error"]) == (503, "no-controller")


def test_nothing_that_is_sent_before_the_opening_names_a_sealed_card(table: AuditedTable) -> None:
    """Pages, searches, archives and files of records: no salt and no name of a card that the rules never showed."""
    everything = b"".join(page(table, path, lang=lang).content for path in PAGES for lang in ("es", "en"))
    everything += b"".join(page(table, "/find", hand=str(hand)).content for hand in (1, 2, 3, 4))
    everything += page(table, "/records.jsonl").content + page(table, "/records.csv").content
    assert sent(table, "/export/start", {"first": 3}).status_code == 200
    everything += ended(table, "/export/state").encode()
    with zipfile.ZipFile(io.BytesIO(page(table, "/export/archive").content)) as archive:
        everything += b"".join(map(archive.read, archive.namelist()))
    html = opened(table, 3, prepared(table, 3)).json()["html"]
    sealed = {
        code: salt for code, salt in re.findall(r'data-code="(\w\w)" data-salt="(\w+)"', html) if code in NEVER_SHOWN
    }
    assert set(sealed) == set(NEVER_SHOWN)
    for code, salt in sealed.items():
        assert salt.encode() not in everything
        assert f'"{code}"'.encode() not in everything
    assert not any(name.encode() in everything for name in ("nueve de tréboles", "nine of clubs"))
    assert b"king of diamonds" in everything, "a card that the rules showed has a name"


# --- evidence ---------------------------------------------------------------------------------------------------------


def made(table: AuditedTable, body: dict[str, Any], folder: Path) -> Path:
    """The archive that was downloaded, unpacked; as it came it lies beside the folder."""
    assert sent(table, "/export/start", body).status_code == 200
    assert "DONE" in ended(table, "/export/state")
    answer = page(table, "/export/archive")
    assert answer.headers["content-type"] == "application/zip"
    folder.with_suffix(".zip").write_bytes(answer.content)
    with zipfile.ZipFile(io.BytesIO(answer.content)) as archive:
        archive.extractall(folder)
    return folder


def followed(folder: Path) -> subprocess.CompletedProcess[str]:
    (command,) = re.findall("^sed .*$", (folder / "CHECK.txt").read_text(encoding="utf-8"), re.MULTILINE)
    return processes.run(["sh", "-c", command], cwd=folder, capture_output=True, text=True, check=False)


@needs_openssl
@pytest.mark.parametrize(
    "body",
    [{"first": 2}, pytest.param({"first": 1, "last": 3}, marks=pytest.mark.wide)],
    ids=["one hand", "three hands"],
)
def test_what_was_downloaded_is_checked_by_its_own_instructions(
    table: AuditedTable, kept: Kept, tmp_path: Path, body: dict[str, Any]
) -> None:
    folder = made(table, body, tmp_path)
    process = followed(folder)
    assert process.returncode == 0, process.stderr
    assert "Signature Verified Successfully" in process.stdout
    name = "hand 2" if "last" not in body else "hands 1 to 3"
    file = "hand-2.zip" if "last" not in body else "hands-1-3.zip"
    digest = hashlib.sha256(folder.with_suffix(".zip").read_bytes()).hexdigest()
    assert kept.said(AccessKind.EXPORTED) == [name]
    assert kept.said(AccessKind.DOWNLOADED) == [f"{file} sha256={digest}"]


def test_the_page_of_an_archive_is_in_the_language_of_who_asks_for_it(table: AuditedTable, tmp_path: Path) -> None:
    folder = made(table, {"first": 2}, tmp_path)
    assert '<html lang="en">' in (folder / "hand-2.html").read_text(encoding="utf-8")


def test_a_hand_that_is_not_there_makes_no_archive(table: AuditedTable) -> None:
    assert sent(table, "/export/start", {"first": 99}).status_code == 200
    html = ended(table, "/export/state")
    assert "NOT MADE" in html
    assert "no hand 99" in html
    assert page(table, "/export/archive").status_code == 404


@pytest.mark.parametrize(
    ("body", "error"),
    [
        ({}, "bad-hands"),
        ({"first": 0}, "bad-hands"),
        ({"first": "2"}, "bad-hands"),
        ({"first": 3, "last": 2}, "bad-hands"),
        ({"first": 1, "last": True}, "bad-hands"),
        ({"first": 1, "last": 101}, "too-many-hands"),
    ],
)
def test_hands_are_numbers_and_not_too_many(table: AuditedTable, kept: Kept, body: dict[str, Any], error: str) -> None:
    assert sent(table, "/export/start", body).json()["error"] == error
    assert kept.rows == []


# --- who looked -------------------------------------------------------------------------------------------------------


def test_who_opened_cards_is_on_the_list_granted_or_not(table: AuditedTable) -> None:
    opened(table, 1, prepared(table, 1, "seen by the inspectors"))
    opened(table, 1, prepared(table, 1, "signed by another"), OTHER)
    text = page(table, "/access").text
    assert "seen by the inspectors" in text
    assert "signed by another" in text
    assert "REFUSED" in text


def test_what_the_controller_did_not_take_is_shown_first() -> None:
    with audited_table() as table:
        people = house(next(table.desk.socket.parent.glob("people-*.db")))
        number = people.audit(AccessKind.READ_TRACE, "tomas", "technician", "one.trace", granted=True)
        people.audits.refuse(number, "expected who: a name")
        people.file.close()
        text = page(table, "/access").text
    assert "The controller did not take these" in text
    assert "<td>one.trace</td><td>expected who: a name</td>" in text

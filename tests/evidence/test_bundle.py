"""The archive of a hand: complete, the same each time, telling no sealed card, and to be checked without us."""

from __future__ import annotations

import hashlib
import io
import json
import re
import shutil
import zipfile
from collections.abc import Callable
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest

from simulators import processes
from tablectl.cli.main import main
from tablectl.core.events.codec import encode_json
from tablectl.core.events.notes import Stopped
from tablectl.games.registry import rulebook_of
from tablectl.journal.evidence.bundle import bundle, bundles, contents
from tablectl.journal.evidence.hand import Hand
from tablectl.journal.evidence.handfile import hand_file
from tablectl.journal.evidence.page import page
from tablectl.journal.evidence.verifier.page import verifier_page
from tablectl.journal.handfile.file import parse
from tablectl.journal.handfile.playing import play
from tablectl.journal.lines import line
from tablectl.journal.lines import parse as parse_line
from tablectl.journal.public_keys import public_pem
from tablectl.journal.store import GENESIS, chained
from tablectl.journal.volumes import VolumeSet, volume_path
from tablectl.journal.writer import volume_closed, volume_opened
from tests.evidence.test_handfile import hands_of
from tests.evidence.test_page import DEMO, ORIGIN
from tests.journal.journals import NEVER_SHOWN, SETUP, SIGNER, START_US, WHOLE_HAND, Writer, changed, records, written
from tests.journal.mutations import FORGER

OPENSSL = shutil.which("openssl")
Captured = pytest.CaptureFixture[str]


@pytest.fixture
def journal(tmp_path: Path) -> Path:
    """Two hands and the beginning of a third."""
    written(tmp_path / "table.db", WHOLE_HAND * 2 + "press new-hand\nbet 1 ante 1000\npress no-more-bets\ndraw As\n")
    return tmp_path / "table.db"


def unpacked(hand: Hand, folder: Path) -> Path:
    folder.mkdir()
    with zipfile.ZipFile(io.BytesIO(bundle(hand, ORIGIN))) as archive:
        archive.extractall(folder)
    return folder


# --- what is in it ----------------------------------------------------------------------------------------------------


def test_the_archive_has_these_files_and_no_other(journal: Path) -> None:
    hand = hands_of(journal)[1]
    with zipfile.ZipFile(io.BytesIO(bundle(hand, ORIGIN))) as archive:
        assert archive.namelist() == [
            "CHECK.txt",
            "verify.html",
            "hand-2.html",
            "hand-2.hand",
            "records.jsonl",
            "public-key.pem",
            "about.json",
        ]
        assert archive.testzip() is None
        assert archive.read("hand-2.hand") == hand_file(hand).encode()
        assert archive.read("hand-2.html") == page(hand, ORIGIN).encode()
        assert archive.read("public-key.pem") == ORIGIN.public_pem
    assert play(parse(hand_file(hand)), rulebook_of) == []


def test_the_same_hand_exported_at_the_same_time_is_the_same_archive(journal: Path) -> None:
    first, again = (bundle(hands_of(journal)[0], ORIGIN) for _ in range(2))
    assert first == again
    assert bundle(hands_of(journal)[0], replace(ORIGIN, exported_at="2026-11-22T05:00:00Z")) != first


def test_the_records_begin_with_the_signed_one_before_the_hand_and_end_with_its_close(journal: Path) -> None:
    stored = records(journal)
    first, second, third = hands_of(journal)
    close = [record.seq for record in stored if record.boundary]
    spans = {(bundled.chain[0].stored.seq, bundled.chain[-1].stored.seq) for bundled in (first, second, third)}
    assert spans == {(1, close[0]), (close[0], close[1]), (close[1], len(stored))}
    for hand in (first, second, third):
        lines = contents(hand, ORIGIN)["records.jsonl"].splitlines()
        assert lines == [line(recorded.stored) for recorded in hand.chain]
        told = [parse_line(data) for data in lines]
        assert told[0].signature is not None
        assert all(record.sealed is None for record in told)
    assert first.hash_before == GENESIS
    assert second.hash_before == stored[close[0] - 2].hash


def test_what_the_journal_notes_of_itself_goes_along_but_not_what_follows_the_hand(tmp_path: Path) -> None:
    with Writer(tmp_path / "table.db", SETUP) as writer:
        writer.line("restart")
        writer.lines(WHOLE_HAND)
        writer.record_writer.note(Stopped(at_us=START_US, why="SIGTERM"), hand=1)
        writer.line("restart")
        writer.lines(WHOLE_HAND)
    first, second = hands_of(tmp_path / "table.db")
    assert [recorded.record.kind for recorded in second.chain[1:3]] == ["stopped", "opened"]
    assert first.records[-1].stored.boundary
    text = hand_file(second)
    assert "\n# 2020-01-01T00:00:00.000000Z stopped why=SIGTERM\n> restart\n" in text
    assert play(parse(text), rulebook_of) == []
    assert "El controlador termina en orden (SIGTERM)." in page(second, ORIGIN)


def test_the_first_hand_of_a_volume_begins_with_the_record_that_carries_the_table_over(tmp_path: Path) -> None:
    path = tmp_path / "table.db"
    with Writer(path, SETUP) as writer:
        writer.line("restart")
        writer.lines(WHOLE_HAND)
        writer.record_writer.note(volume_closed(START_US, 1), hand=1)
        writer.store = writer.store.go_on_in(volume_path(path, 2))
        writer.record_writer.go_on_in(writer.store)
        writer.record_writer.note(volume_opened(START_US, 2, writer.store), hand=2, carry=writer.table.carry())
        writer.lines(WHOLE_HAND)
    with closing(VolumeSet(path)) as volume_set:
        volume = volume_set.stores[1]
    _, second = hands_of(path)
    assert second.before is not None
    assert second.before.record.kind == "volume-opened"
    assert second.hash_before == volume.follows.hash
    assert "previous 1 ante 1000 bonus 500" in hand_file(second)
    assert play(parse(hand_file(second)), rulebook_of) == []


def test_no_file_of_the_archive_tells_a_sealed_card(journal: Path) -> None:
    for name, content in contents(hands_of(journal)[0], ORIGIN).items():
        if name not in ("public-key.pem", "verify.html"):  # of no hand: every bundle has the same page
            text = content.decode()
            assert [word for word in NEVER_SHOWN if re.search(rf"(?<![\w.]){word}(?!\w)", text)] == [], name


def test_the_summary_says_where_the_hand_comes_from(journal: Path) -> None:
    hand = hands_of(journal)[2]
    about = json.loads(contents(hand, DEMO)["about.json"])
    assert about["demo"] is True
    assert about["closed"] is False
    assert about["last_signed_seq"] == about["first_seq"] == hand.chain[0].stored.seq
    assert about["last_seq"] == len(records(journal))
    assert about["public_key"] == SIGNER.public.hex()
    assert "DEMONSTRATION KEY" in contents(hand, DEMO)["CHECK.txt"].decode()
    assert "DEMONSTRATION KEY" not in contents(hand, ORIGIN)["CHECK.txt"].decode()


# --- checked by the letter --------------------------------------------------------------------------------------------


def steps(text: str) -> list[tuple[str, str]]:
    """The commands of CHECK.txt, each with the line that stands after it."""
    found = re.findall(r"((?:^    .*\n)+)\n(.*)\n", text, re.MULTILINE)
    return [(re.sub("^    ", "", block, flags=re.MULTILINE), after) for block, after in found]


def followed(folder: Path) -> list[tuple[int, str, str]]:
    """Each command of CHECK.txt, entered: how it ends, what it prints, and what it should print."""
    text = (folder / "CHECK.txt").read_text(encoding="utf-8")
    ended = []
    for command, after in steps(text):
        process = processes.run(["sh", "-c", command], cwd=folder, capture_output=True, text=True, check=False)
        ended.append((process.returncode, process.stdout, after))
    return ended


needs_openssl = pytest.mark.skipif(OPENSSL is None, reason="no openssl on this system: it checks the signatures")


def test_a_bundle_has_the_page_that_checks_it_and_says_of_the_others_that_they_are_no_evidence(journal: Path) -> None:
    for language, words in (("es", "no es una prueba"), ("en", "is not evidence")):
        told = contents(hands_of(journal)[1], replace(ORIGIN, language=language))
        assert told["verify.html"] == verifier_page(language).encode()
        head = told["hand-2.html"].decode().split("<h2>")[0]
        assert words in head
        assert "records.jsonl" in head
        assert "verify.html" in told["CHECK.txt"].decode()
        assert hashlib.sha256(told["verify.html"]).hexdigest() in told["CHECK.txt"].decode()


@needs_openssl
def test_a_bundle_without_that_page_is_as_good(journal: Path, tmp_path: Path) -> None:
    folder = unpacked(hands_of(journal)[1], tmp_path / "evidence")
    (folder / "verify.html").unlink()
    assert checked(folder)[0] == 0


@needs_openssl
@pytest.mark.parametrize("number", [1, 2, 3])
def test_who_follows_the_instructions_by_the_letter_finds_all_well(journal: Path, tmp_path: Path, number: int) -> None:
    hand = hands_of(journal)[number - 1]
    whose, follow, last, signed, cards, *end = followed(unpacked(hand, tmp_path / "evidence"))
    assert [command[0] for command in (whose, follow, last, signed, cards)] == [0] * 5
    assert [command[0] for command in end] == ([3] if number == 3 else [])
    assert whose[1].split()[0] == hashlib.sha256(SIGNER.public).hexdigest()
    assert whose[2] == f"{whose[1].split()[0]}  -"
    assert follow[1].strip() == follow[2]
    assert last[1].split()[0] == hand.chain[-1].stored.hash.hex()
    assert set(signed[1].splitlines()) == {signed[2]}
    assert cards[1].strip() == cards[2]


@needs_openssl
def test_the_commands_can_be_run_all_at_once_as_the_instructions_say(journal: Path, tmp_path: Path) -> None:
    folder = unpacked(hands_of(journal)[1], tmp_path / "evidence")
    (at_once,) = re.findall("^sed .*$", (folder / "CHECK.txt").read_text(encoding="utf-8"), re.MULTILINE)
    process = processes.run(["sh", "-c", at_once], cwd=folder, capture_output=True, text=True, check=False)
    assert process.returncode == 0, process.stderr
    (folder / "records.jsonl").write_bytes((folder / "records.jsonl").read_bytes().replace(b'"seat":1', b'"seat":2'))
    assert processes.run(["sh", "-c", at_once], cwd=folder, capture_output=True, check=False).returncode == 1


@needs_openssl
def test_several_hands_are_checked_at_once_as_their_instructions_say(journal: Path, tmp_path: Path) -> None:
    (tmp_path / "hands.zip").write_bytes(bundles(hands_of(journal), ORIGIN))
    with zipfile.ZipFile(tmp_path / "hands.zip") as archive:
        assert archive.namelist() == ["CHECK.txt", "hand-1.zip", "hand-2.zip", "hand-3.zip"]
        archive.extractall(tmp_path)
    (at_once,) = re.findall("^sed .*$", (tmp_path / "CHECK.txt").read_text(encoding="utf-8"), re.MULTILINE)
    process = processes.run(["sh", "-c", at_once], cwd=tmp_path, capture_output=True, text=True, check=False)
    assert process.returncode == 3, process.stderr  # the third hand is not over
    assert process.stdout.count("cards shown, each the one that was drawn") == 3
    spoilt = (tmp_path / "hand-2.zip").read_bytes().replace(b'"seat":1', b'"seat":2')
    (tmp_path / "hand-2.zip").write_bytes(spoilt)
    assert processes.run(["sh", "-c", at_once], cwd=tmp_path, capture_output=True, check=False).returncode == 1


def test_the_name_of_a_table_is_no_command_no_tag_and_no_line_of_its_own(tmp_path: Path) -> None:
    setup = replace(SETUP, table="<b>Mesa</b> # 1\n    touch me\n> draw As")
    with Writer(tmp_path / "table.db", setup) as writer:
        writer.line("restart")
        writer.lines(WHOLE_HAND)
    (hand,) = hands_of(tmp_path / "table.db")
    told = contents(hand, ORIGIN)
    assert not [command for command, _ in steps(told["CHECK.txt"].decode()) if "touch me" in command]
    assert "<b>Mesa" not in told["hand-1.html"].decode()
    file = parse(told["hand-1.hand"].decode())
    assert file.setup.table == "<b>Mesa</b> # 1 touch me > draw As"
    assert play(file, rulebook_of) == []


@needs_openssl
@pytest.mark.parametrize(
    ("spoil", "step"),
    [
        (lambda text: text.replace(b'"seat":1', b'"seat":2', 1), 1),
        (lambda text: text.replace(b'"seat":1', b'"seat":2', 1), 2),
        (lambda text: re.sub(rb'"signature":"..', b'"signature":"00', text, count=1), 3),
        (lambda text: text.replace(b'"card":"3c"', b'"card":"3d"', 1), 4),
    ],
    ids=["a changed record", "a changed record by sha256sum", "another signature", "an exchanged card"],
)
def test_who_follows_the_instructions_finds_what_was_changed(
    journal: Path, tmp_path: Path, spoil: object, step: int
) -> None:
    assert callable(spoil)
    hand = hands_of(journal)[0]
    folder = unpacked(hand, tmp_path / "evidence")
    good = (folder / "records.jsonl").read_bytes()
    bad = spoil(good)
    assert bad != good
    if step == 2:  # only the last line is looked at there
        bad = good.replace(b'"presses":', b'"presses":1')
    (folder / "records.jsonl").write_bytes(bad)
    ended = followed(folder)
    if step == 2:
        assert ended[2][1].split()[0] != hand.chain[-1].stored.hash.hex()
    else:
        assert ended[step][0] != 0


# --- an end that is not the table's -----------------------------------------------------------------------------------


def checked(folder: Path) -> tuple[int, str]:
    """CHECK.txt, entered at once as it says: how it ends, and all that it prints."""
    (at_once,) = re.findall("^sed .*$", (folder / "CHECK.txt").read_text(encoding="utf-8"), re.MULTILINE)
    process = processes.run(["sh", "-c", at_once], cwd=folder, capture_output=True, text=True, check=False)
    return process.returncode, process.stdout + process.stderr


def with_another_record(lines: list[bytes]) -> list[bytes]:
    """One more record that follows from the last one, without a signature: whoever appends needs no key for it."""
    last = parse_line(lines[-1])
    public = {**json.loads(last.public), "seq": last.seq + 1}
    public.pop("carry", None)
    told = encode_json(public)
    appended = replace(
        last, seq=last.seq + 1, boundary=False, public=told, hash=chained(last.hash, told), signature=None
    )
    return [*lines, line(appended)]


def without_last_signature(lines: list[bytes]) -> list[bytes]:
    at = max(index for index, data in enumerate(lines) if parse_line(data).signature is not None)
    return [*lines[:at], line(replace(parse_line(lines[at]), signature=None)), *lines[at + 1 :]]


@needs_openssl
@pytest.mark.parametrize("number", [1, 2, 3])
@pytest.mark.parametrize(
    ("spoil", "said"),
    [
        (with_another_record, "APPENDED: record {after} "),
        (lambda lines: lines[:-1], "DROPPED: record {last} "),
        (lambda lines: lines[:-2], "DROPPED: records {before} to {last} "),
        (without_last_signature, "SIGNATURE REMOVED: record {signed} "),
        (lambda lines: [*lines[:-1], lines[-1][:-1]], "CHANGED: line {count} "),
        (lambda lines: [], "DROPPED: records {first} to {last} "),
    ],
    ids=["one more record", "one less", "two less", "no last signature", "a torn line", "no line"],
)
def test_an_end_that_is_not_the_tables_is_found_and_named(
    journal: Path, tmp_path: Path, number: int, spoil: Callable[[list[bytes]], list[bytes]], said: str
) -> None:
    hand = hands_of(journal)[number - 1]
    folder = unpacked(hand, tmp_path / "evidence")
    lines = (folder / "records.jsonl").read_bytes().splitlines()
    (folder / "records.jsonl").write_bytes(b"".join(data + b"\n" for data in spoil(lines)))
    status, told = checked(folder)
    assert status == 1
    last, signed = hand.chain[-1].stored.seq, hand.last_signed
    assert signed is not None
    first = hand.chain[0].stored.seq
    words = said.format(
        after=last + 1, before=last - 1, last=last, first=first, signed=signed.stored.seq, count=len(lines)
    )
    assert words in told


@needs_openssl
def test_the_end_is_judged_by_what_the_records_say_not_by_the_numbers_in_the_instructions_alone(
    journal: Path, tmp_path: Path
) -> None:
    """Whoever shortens the records may put other numbers into CHECK.txt: a hand that is over ends with its close."""
    hand = hands_of(journal)[0]
    folder = unpacked(hand, tmp_path / "evidence")
    lines, check = (folder / "records.jsonl").read_bytes().splitlines(), (folder / "CHECK.txt").read_text("utf-8")
    shorter, last = hand.chain[-2].stored, hand.chain[-1].stored
    for old, new in (
        (last.hash.hex(), shorter.hash.hex()),
        (f"signed = 1, {last.seq}, 1, [1, {last.seq}]", f"signed = 1, {shorter.seq}, 1, [1]"),
    ):
        assert old in check
        check = check.replace(old, new)
    (folder / "CHECK.txt").write_text(check, encoding="utf-8")
    (folder / "records.jsonl").write_bytes(b"".join(data + b"\n" for data in lines[:-1]))
    status, told = checked(folder)
    assert status == 1
    assert "DROPPED: the records do not end with the close of hand 1" in told


@needs_openssl
def test_the_whole_fingerprint_is_printed_and_another_key_is_named(journal: Path, tmp_path: Path) -> None:
    folder = unpacked(hands_of(journal)[0], tmp_path / "evidence")
    whole = hashlib.sha256(SIGNER.public).hexdigest()
    status, told = checked(folder)
    assert status == 0
    assert told.splitlines()[0] == f"{whole}  -"
    assert whole in (folder / "CHECK.txt").read_text(encoding="utf-8")
    assert json.loads((folder / "about.json").read_text())["public_key_sha256"] == whole
    (folder / "public-key.pem").write_bytes(public_pem(FORGER.public))
    status, told = checked(folder)
    assert status == 1
    assert "ANOTHER KEY" in told


@needs_openssl
def test_a_hand_that_is_not_over_is_marked_and_its_check_ends_with_3(
    journal: Path, tmp_path: Path, capsys: Captured, monkeypatch: pytest.MonkeyPatch
) -> None:
    hand = hands_of(journal)[2]
    folder = unpacked(hand, tmp_path / "evidence")
    assert (folder / "CHECK.txt").read_text(encoding="utf-8").splitlines()[2].startswith("UNFINISHED")
    assert json.loads((folder / "about.json").read_text())["unfinished"] is True
    status, told = checked(folder)
    assert status == 3
    signed = hand.chain[0].stored.seq
    assert told.splitlines()[-1].startswith(
        f"UNFINISHED: hand 3 is not over; records {signed + 1} to {hand.chain[-1].stored.seq} are not signed"
    )
    monkeypatch.chdir(tmp_path)
    assert export(journal, "--hand", "3", "--bundle") == 0
    assert "UNFINISHED: hand 3 is not over" in capsys.readouterr().out
    assert (tmp_path / "hand-3-UNFINISHED.zip").exists()
    over = json.loads(contents(hands_of(journal)[0], ORIGIN)["about.json"])
    assert over["unfinished"] is False
    assert "UNFINISHED" not in contents(hands_of(journal)[0], ORIGIN)["CHECK.txt"].decode()


@needs_openssl
def test_of_several_hands_the_check_ends_with_3_where_one_is_not_over_and_with_1_where_one_was_changed(
    journal: Path, tmp_path: Path
) -> None:
    for folder, hands, status in (("over", hands_of(journal)[:2], 0), ("open", hands_of(journal), 3)):
        (tmp_path / folder).mkdir()
        with zipfile.ZipFile(io.BytesIO(bundles(hands, ORIGIN))) as archive:
            archive.extractall(tmp_path / folder)
        assert checked(tmp_path / folder)[0] == status
    spoilt = (tmp_path / "open" / "hand-1.zip").read_bytes().replace(b'"seat":1', b'"seat":2')
    (tmp_path / "open" / "hand-1.zip").write_bytes(spoilt)
    assert checked(tmp_path / "open")[0] == 1


# --- the command ------------------------------------------------------------------------------------------------------


def export(journal: Path, *words: str | Path) -> int:
    return main(["journal", "export", str(journal), *map(str, words)])


def test_a_hand_is_printed_as_a_hand_file(journal: Path, capsys: Captured) -> None:
    assert export(journal, "--hand", "1") == 0
    assert capsys.readouterr().out == hand_file(hands_of(journal)[0])


def test_hand_file_and_archive_go_where_they_are_wanted(
    journal: Path, tmp_path: Path, capsys: Captured, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert export(journal, "--hand", "2", "--out", tmp_path / "two.hand", "--bundle") == 0
    assert (tmp_path / "two.hand").read_text(encoding="utf-8") == hand_file(hands_of(journal)[1])
    with zipfile.ZipFile(tmp_path / "hand-2.zip") as archive:
        assert json.loads(archive.read("about.json"))["public_key_fingerprint"] == ORIGIN.fingerprint
    assert capsys.readouterr().out.splitlines()[1].startswith("hand-2.zip: ")


def test_nothing_is_written_over_a_file_that_is_there(journal: Path, tmp_path: Path, capsys: Captured) -> None:
    (tmp_path / "two.zip").write_text("mine", encoding="utf-8")
    assert export(journal, "--hand", "2", "--out", tmp_path / "two.hand", "--bundle", tmp_path / "two.zip") == 2
    assert "two.zip: is there already" in capsys.readouterr().err
    assert (tmp_path / "two.zip").read_text(encoding="utf-8") == "mine"
    assert not (tmp_path / "two.hand").exists()


def test_a_folder_that_is_not_there_ends_with_2(journal: Path, tmp_path: Path, capsys: Captured) -> None:
    assert export(journal, "--hand", "2", "--out", tmp_path / "none" / "two.hand") == 2
    assert "cannot be written (No such file or directory)" in capsys.readouterr().err


@pytest.mark.parametrize("number", ["0", "4", "-1"])
def test_a_hand_that_was_never_played_ends_with_2(journal: Path, capsys: Captured, number: str) -> None:
    assert export(journal, f"--hand={number}") == 2
    assert f"no hand {number}; the newest one is hand 3" in capsys.readouterr().err


def test_what_was_recorded_between_two_hands_is_no_hand(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "table.db"
    with Writer(path, SETUP) as writer:
        writer.line("restart")
        writer.lines(WHOLE_HAND)
        writer.record_writer.note(Stopped(at_us=START_US, why="SIGTERM"), hand=2)
    assert main(["journal", "export", str(path), "--hand", "2"]) == 2
    said = capsys.readouterr()
    assert said.out == ""
    assert "hand 2 was not begun" in said.err


def test_a_journal_that_was_changed_before_the_end_of_the_hand_gives_no_evidence(
    journal: Path, tmp_path: Path, capsys: Captured
) -> None:
    stored = records(journal)[3]
    public = stored.public.replace(b'"seat":2', b'"seat":3')
    changed(journal, ("UPDATE record SET public = ? WHERE seq = 4", (public,)))
    for number in ("1", "2"):
        assert export(journal, "--hand", number, "--bundle", tmp_path / "x.zip") == 1
        first, second = capsys.readouterr().out.splitlines()
        assert first.startswith(f"{journal}: NOT INTACT: record 4: changed: ")
        assert second.startswith(f"hand {number} is no evidence: nothing was exported")
    assert not (tmp_path / "x.zip").exists()


def test_a_record_that_no_program_of_ours_wrote_gives_no_evidence(journal: Path, capsys: Captured) -> None:
    changed(journal, ("UPDATE record SET public = ? WHERE seq = 4", (b"{}",)))
    assert export(journal, "--hand", "1") == 1
    assert f"{journal}: NOT INTACT: " in capsys.readouterr().out


def test_what_was_changed_after_the_hand_does_not_touch_its_evidence(journal: Path, capsys: Captured) -> None:
    last = len(records(journal))
    changed(journal, ("UPDATE record SET hash = ? WHERE seq = ?", (bytes(32), last)))
    assert export(journal, "--hand", "2") == 0
    assert export(journal, "--hand", "3") == 1
    assert f"NOT INTACT: record {last}: changed" in capsys.readouterr().out


def test_a_journal_that_is_not_there_ends_with_2(tmp_path: Path, capsys: Captured) -> None:
    assert export(tmp_path / "none.db", "--hand", "1") == 2
    assert "there is no such journal" in capsys.readouterr().err

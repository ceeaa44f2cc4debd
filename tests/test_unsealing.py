"""Opening sealed cards: for the auditor, of a hand that is over, once, and never before the asking is on record."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.serialization import BestAvailableEncryption, Encoding, NoEncryption, PrivateFormat

from simulators.stage.summary import check
from tablectl.api.client import ask
from tablectl.cli.main import main
from tablectl.core.events.codec import encode_json
from tablectl.core.timestamps import time_text
from tablectl.journal.clock import now_us
from tablectl.journal.copy import last_of
from tablectl.journal.public_keys import public_pem
from tablectl.journal.record import commitment
from tablectl.journal.sealed_card_request import FRESH_US, TEXT_MOST, BadRequest, parse, signed
from tablectl.journal.signing import SIGNATURE_BYTES, Signer
from tablectl.journal.store import Store, Stored
from tablectl.journal.volumes import VolumeSet, volume_path
from tablectl.table.controller.controller import EXIT_OK
from tests.api.test_server import Line
from tests.desk import BY, REASON, Desk, Record, desk
from tests.journal.journals import NEVER_SHOWN, WHOLE_HAND

pytestmark = pytest.mark.system

PRIVATE: Final = Ed25519PrivateKey.from_private_bytes(bytes(range(64, 96)))
AUDITOR: Final = Signer(PRIVATE)
OTHER_SIGNER: Final = Signer(Ed25519PrivateKey.from_private_bytes(bytes(range(96, 128))))
#: In the order in which they were drawn.
CARDS: Final = [line.split()[1] for line in WHOLE_HAND.split("\n") if line.startswith("draw")]
NAMED: Final = 'auditor = "auditor.pem"'


@pytest.fixture(scope="module")
def shared() -> Iterator[Desk]:
    """A table with one hand that is over and one that is open."""
    with audited() as made:
        yield made


@pytest.fixture
def table() -> Iterator[Desk]:
    with audited() as made:
        yield made


class audited:
    """A desk whose house named an auditor; its second hand has begun."""

    def __init__(self, journal: str = "", hands: int = 1) -> None:
        self._desk = desk(journal=f"{NAMED}\n{journal}")
        self._hands = hands

    def __enter__(self) -> Desk:
        table = self._desk.__enter__()
        keep_auditor(table)
        table.played_before(WHOLE_HAND * self._hands)
        table.start()
        table.open_hand()
        table.deal("Ks", "Qd")
        return table

    def __exit__(self, *_: object) -> None:
        self._desk.__exit__(None, None, None)


def keep_auditor(table: Desk) -> None:
    (table.folder / "auditor.pem").write_bytes(public_pem(AUDITOR.public))
    pem = PRIVATE.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())
    (table.folder / "auditor.key").touch(0o600)
    (table.folder / "auditor.key").write_bytes(pem)


@dataclass(kw_only=True)
class Asked:
    """A request, with whatever is wrong with it."""

    table: str = "Mesa 1"
    hand: int = 1
    late_us: int = 0
    auditor: Signer = AUDITOR

    def sent(self) -> dict[str, str]:
        return signed(
            table=self.table,
            hand=self.hand,
            by=BY,
            reason=REASON,
            now_us=now_us() - self.late_us,
            auditor=self.auditor,
        )


def on_record(table: Desk) -> list[dict[str, Any]]:
    with closing(VolumeSet(table.journal)) as volume_set:
        found = [json.loads(record.public) for record in volume_set.records()]
    return [record for record in found if record["fact"]["kind"] == "unsealed"]


def granted(table: Desk, request: dict[str, str]) -> Record:
    reply = ask(table.socket, {"unseal": request})
    assert reply["ok"], reply
    return reply


def test_the_auditor_sees_every_card_of_a_hand_that_is_over(shared: Desk) -> None:
    reply = granted(shared, Asked().sent())
    assert [card["card"] for card in reply["cards"]] == CARDS
    assert [card["draw"] for card in reply["cards"]] == list(range(1, len(CARDS) + 1))
    assert set(NEVER_SHOWN) < set(CARDS)


def test_the_asking_is_on_the_disk_when_the_answer_arrives_and_says_who_and_why(shared: Desk) -> None:
    request = Asked().sent()
    reply = granted(shared, request)
    note = on_record(shared)[-1]
    assert note["seq"] == reply["seq"] == shared.newest
    assert note["fact"] == {
        "kind": "unsealed",
        "of_hand": 1,
        "by": BY,
        "reason": REASON,
        "granted": True,
        "request": request["request"],
        "signature": request["signature"],
    }
    shared.enter("acknowledge 99 by ana")
    assert shared.newest == note["seq"] + 1


def test_where_the_asking_cannot_be_recorded_no_card_is_shown() -> None:
    """A journal that takes no record any more: the reply has no cards, and the table tilts."""
    with audited() as table:
        with closing(Store.read(table.journal)) as store:
            newest = store.end
        forestalled(table.journal, newest.seq + 1)
        reply = ask(table.socket, {"unseal": Asked().sent()})
        assert reply == {"ok": False, "error": "the asking could not be recorded, so nothing is shown"}
        assert table.ended() == 3
        assert not on_record(table)


def forestalled(journal: Path, seq: int) -> None:
    """Somebody else wrote the record with the next number."""
    with closing(Store.read(journal)) as store:
        last = next(store.newest_first())
    taken: Stored = last
    with closing(sqlite3.connect(journal, isolation_level=None)) as connection:
        row = (seq, taken.hand, 0, b'{"fact":{"kind":"none"}}', taken.hash)
        connection.execute("INSERT INTO record (seq, hand, boundary, public, hash) VALUES (?, ?, ?, ?, ?)", row)


@pytest.mark.parametrize(
    ("asked", "why"),
    [
        (Asked(hand=2), "that hand is not over: nobody sees its cards"),
        (Asked(hand=3), "that hand is not over: nobody sees its cards"),
        (Asked(auditor=OTHER_SIGNER), "not signed with the auditor's key"),
        (Asked(table="Mesa 2"), "it is for table 'Mesa 2'"),
        (Asked(late_us=FRESH_US + 1_000_000), "more than five minutes away from the table's clock"),
        (Asked(late_us=-FRESH_US - 60_000_000), "more than five minutes away from the table's clock"),
    ],
    ids=["open hand", "hand to come", "other key", "other table", "old", "from the future"],
)
def test_what_is_refused_is_on_record_too_and_shows_no_card(shared: Desk, asked: Asked, why: str) -> None:
    before = len(on_record(shared))
    request = asked.sent()
    reply = ask(shared.socket, {"unseal": request})
    assert not reply["ok"]
    assert why in reply["error"]
    assert "cards" not in reply
    notes = on_record(shared)
    assert len(notes) == before + 1
    assert (notes[-1]["seq"], notes[-1]["fact"]["granted"]) == (reply["seq"], False)
    assert notes[-1]["fact"]["request"] == request["request"]


def test_a_signature_for_another_hand_opens_nothing(shared: Desk) -> None:
    request = Asked(hand=9).sent()
    request["request"] = request["request"].replace('"hand":9', '"hand":1')
    assert ask(shared.socket, {"unseal": request})["error"] == "not signed with the auditor's key"


def test_the_same_request_is_granted_once_whoever_restarts(table: Desk) -> None:
    request = Asked().sent()
    granted(table, request)
    assert "granted before" in ask(table.socket, {"unseal": request})["error"]
    assert table.stop() == EXIT_OK
    table.start()
    assert "granted before" in ask(table.socket, {"unseal": request})["error"]
    assert [entry["fact"]["granted"] for entry in on_record(table)] == [True, False, False]
    granted(table, Asked().sent())


def test_a_request_that_came_too_early_is_granted_when_the_hand_is_over(table: Desk) -> None:
    request = Asked(hand=2).sent()
    assert not ask(table.socket, {"unseal": request})["ok"]
    table.play_on()
    cards = granted(table, request)["cards"][:2]
    assert [(card["seq"], card["draw"], card["card"]) for card in cards] == [
        (entry["seq"], number, card)
        for number, (entry, card) in enumerate(zip(drawn(table), ("Ks", "Qd"), strict=False), 1)
    ]
    committed = [entry["fact"]["card"] for entry in drawn(table)][:2]
    assert [commitment(card["card"], bytes.fromhex(card["salt"])) for card in cards] == committed


def drawn(table: Desk) -> list[Record]:
    return [record for record in table.records() if record["hand"] == 2 and record["fact"]["kind"] == "drawn"]


def test_a_hand_in_an_earlier_volume_is_opened(tmp_path: Path) -> None:
    hands = 1
    with audited("volume_records = 1", hands=hands) as table:
        table.play_on()
        assert volume_path(table.journal, 2).exists(), "the volume is full"
        reply = granted(table, Asked(hand=1).sent())
        assert [card["card"] for card in reply["cards"]] == CARDS
        assert "granted before" not in str(reply)
        assert len(on_record(table)) == 1
        assert table.stop() == EXIT_OK
        assert check(table.journal).good


def test_without_an_auditor_nothing_is_opened() -> None:
    with desk() as table:
        table.played_before(WHOLE_HAND)
        table.start()
        reply = ask(table.socket, {"unseal": Asked().sent()})
        assert reply["error"] == "no auditor's key is configured (journal.auditor)"
        assert on_record(table)[-1]["seq"] == reply["seq"]


# --- what is no request ---------------------------------------------------------------------------------------------


def worded(**other: object) -> dict[str, str]:
    """Signed as it should be, with other words in it."""
    said = {"at": time_text(now_us()), "by": BY, "hand": 1, "reason": REASON, "table": "Mesa 1", **other}
    text = json.dumps(said)
    return {"request": text, "signature": AUDITOR.sign_text(text.encode()).hex()}


NO_REQUESTS: Final[dict[str, object]] = {
    "null": None,
    "number": 1,
    "text": "open",
    "list": [{}],
    "empty": {},
    "no signature": {"request": "{}"},
    "signature no hex": {**worded(), "signature": "zz" * SIGNATURE_BYTES},
    "signature too short": {**worded(), "signature": "00"},
    "signature a number": {**worded(), "signature": 5},
    "request no text": {**worded(), "request": {"hand": 1}},
    "request no JSON": {**worded(), "request": "open hand 1"},
    "request a list": {**worded(), "request": "[]"},
    "request deep": {**worded(), "request": "[" * 60_000},
    "hand a bool": worded(hand=True),
    "hand a text": worded(hand="1"),
    "hand a fraction": worded(hand=1.5),
    "hand not a number": worded(hand=float("nan")),
    "hand infinite": worded(hand=float("inf")),
    "hand zero": worded(hand=0),
    "hand negative": worded(hand=-1),
    "hand too great": worded(hand=2**63),
    "hand null": worded(hand=None),
    "half a character": worded(by="\ud800"),
    "half a character in the reason": worded(reason="why \udfff"),
    "half a character in the table": worded(table="\ud800"),
    "nobody": worded(by=" "),
    "no reason": worded(reason=""),
    "too long": worded(reason="x" * TEXT_MOST),
    "name a list": worded(by=["ana"]),
    "time no time": worded(at="today"),
    "time a number": worded(at=5),
}


def test_more_than_a_request_needs_is_refused(shared: Desk) -> None:
    with closing(Line(shared.socket)) as line:
        line.say(json.dumps({"unseal": {**worded(), "more": "x" * 60_000}}).encode() + b"\n")
        reply = line.hear()
    assert reply is not None
    assert not reply["ok"]
    assert "unknown field `more`" in reply["error"]


@pytest.mark.parametrize("name", NO_REQUESTS)
def test_what_is_no_request_is_answered_in_one_line_and_recorded_nowhere(shared: Desk, name: str) -> None:
    before = shared.newest
    with closing(Line(shared.socket)) as line:
        line.say(json.dumps({"unseal": NO_REQUESTS[name]}).encode() + b"\n")
        reply = line.hear()
        assert reply is not None
        assert not reply["ok"]
        assert "cards" not in reply
        assert shared.newest == before
        line.say(b'{"enter": "acknowledge 99 by ana"}\n')
        again = line.hear()
    assert again is not None
    assert again["ok"], "the same connection is served on"


@pytest.mark.parametrize(
    "line",
    [b'{"unseal": "\xff"}', b'{"unseal": {"request": "\xed\xa0\x80"}}', b'{"unseal": ' + b"[" * 60_000, b'{"unseal"}'],
    ids=["no UTF-8", "half a character as bytes", "deep", "half an object"],
)
def test_bytes_that_are_no_line_do_no_harm(shared: Desk, line: bytes) -> None:
    with closing(Line(shared.socket)) as connection:
        connection.say(line + b"\n")
        reply = connection.hear()
    assert reply is not None
    assert not reply["ok"]
    assert not shared.log.events("tilt")


@pytest.mark.parametrize("name", NO_REQUESTS)
def test_no_request_can_be_read_out_of_what_is_none(name: str) -> None:
    with pytest.raises(BadRequest):
        parse(NO_REQUESTS[name])


def test_a_request_is_read_as_it_was_signed() -> None:
    at_us = now_us()
    request = parse(signed(table="T", hand=7, by="ana", reason="¿por qué?", now_us=at_us, auditor=AUDITOR))
    assert (request.table, request.hand, request.by, request.reason) == ("T", 7, "ana", "¿por qué?")
    assert request.at_us == at_us
    assert request.text.encode() == encode_json(json.loads(request.text))


# --- where the answer goes, and where it does not -------------------------------------------------------------------


def test_the_answer_is_in_no_record_no_log_and_no_file(table: Desk) -> None:
    reply = granted(table, Asked().sent())
    assert {unsealed["card"] for unsealed in reply["cards"]} >= set(NEVER_SHOWN)
    assert table.stop() == EXIT_OK
    everything = repr(table.log.said).encode()
    with closing(VolumeSet(table.journal)) as volume_set:
        everything += b"".join(record.public for record in volume_set.records())
    everything += b"".join(path.read_bytes() for path in table.folder.glob("table.[cts]*") if path.is_file())
    assert b'"of_hand":1' in everything
    for card in NEVER_SHOWN:
        for quote in (b'"', b"'"):
            assert quote + card.encode() + quote not in everything


# --- the command ----------------------------------------------------------------------------------------------------


def opened(table: Desk, *more: str, hand: int = 1, by: str = BY) -> int:
    words = ["--hand", str(hand), "--auditor-key", str(table.folder / "auditor.key"), "--by", by, "--reason", REASON]
    return main(["journal", "open", str(table.config), *words, *more])


def as_it_is(_: Desk) -> None:
    pass


def stop(table: Desk) -> None:
    assert table.stop() == EXIT_OK


@pytest.mark.parametrize("before", [as_it_is, stop], ids=["running", "stopped"])
def test_the_command_opens_a_hand_of_a_running_and_of_a_stopped_table(
    table: Desk, before: Callable[[Desk], None], capsys: pytest.CaptureFixture[str]
) -> None:
    before(table)
    assert opened(table, "--json") == 0
    reply = json.loads(capsys.readouterr().out)
    assert [card["card"] for card in reply["cards"]] == CARDS
    assert opened(table) == 0
    told = capsys.readouterr().out
    assert f"hand 1, opened for {BY}; record {reply['seq'] + 1} says so" in told
    assert "  draw  1  As  (record " in told
    assert opened(table, hand=2) == 1
    assert f"refused: that hand is not over: nobody sees its cards (record {reply['seq'] + 2} says" in (
        capsys.readouterr().err
    )
    assert [entry["fact"]["granted"] for entry in on_record(table)] == [True, True, False]
    stop(table)
    table.start()
    table.enter("press confirm")
    table.play_on()
    stop(table)
    assert check(table.journal).good


def test_the_command_says_what_is_missing(table: Desk, capsys: pytest.CaptureFixture[str]) -> None:
    stop(table)
    before = table.newest
    assert (
        main(
            [
                "journal",
                "open",
                str(table.folder / "none.toml"),
                "--hand",
                "1",
                "--auditor-key",
                "k",
                "--by",
                "a",
                "--reason",
                "b",
            ]
        )
        == 2
    )
    assert "k: found no such file; would be right: the auditor's own private key" in capsys.readouterr().err
    assert opened(table, by=" ") == 2
    assert "who asks and why, in words" in capsys.readouterr().err
    (table.folder / "auditor.key").chmod(0o644)
    assert opened(table) == 2
    assert "others can read it" in capsys.readouterr().err
    (table.folder / "auditor.key").chmod(0o600)
    (table.folder / "auditor.pem").unlink()
    assert opened(table) != 0
    assert "auditor.pem: found no such file" in capsys.readouterr().err
    assert table.newest == before, "nobody was asked"
    table.journal.rename(table.folder / "elsewhere.db")
    assert opened(table) == 2
    assert "there is no journal yet" in capsys.readouterr().err


def test_a_tilted_table_shows_nothing_and_stays_tilted(table: Desk, capsys: pytest.CaptureFixture[str]) -> None:
    stop(table)
    (table.folder / "table.key").chmod(0o644)
    assert table.does_not_start() == 3
    (table.folder / "table.key").chmod(0o600)
    before = table.newest
    assert opened(table) == 3
    assert "the table is tilted" in capsys.readouterr().err
    assert table.newest == before
    assert table.does_not_start() == 3


def test_without_a_second_witness_of_the_asking_nothing_is_shown(
    table: Desk, capsys: pytest.CaptureFixture[str]
) -> None:
    """Whoever restores a journal from its copy would take the record of the asking away."""
    stop(table)
    copy = table.folder / "table.copy"
    copy.unlink()
    copy.mkdir()
    before = table.newest
    assert opened(table) == 1
    told = capsys.readouterr()
    assert "the second copy does not take records now, so nothing is shown" in told.err
    assert told.out == ""
    assert table.newest == before + 1, "that somebody asked is on record"


def test_the_copy_has_the_asking_before_the_cards_are_shown(table: Desk) -> None:
    stop(table)
    assert opened(table) == 0
    last = last_of(table.folder / "table.copy")
    assert last is not None
    assert last.seq == table.newest


@pytest.mark.parametrize(("typed", "status"), [("right one", 0), ("wrong one", 2)])
def test_an_encrypted_key_is_opened_with_its_passphrase(
    table: Desk, typed: str, status: int, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    stop(table)
    encrypted = PRIVATE.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, BestAvailableEncryption(b"right one"))
    (table.folder / "auditor.key").write_bytes(encrypted)
    monkeypatch.setattr("tablectl.cli.commands.journal_open.getpass", lambda _prompt: typed)
    assert opened(table) == status
    told = capsys.readouterr()
    assert ("this passphrase does not open it" in told.err) == (status != 0)
    assert ("9c" in told.out) == (status == 0)
    assert "one" not in told.out

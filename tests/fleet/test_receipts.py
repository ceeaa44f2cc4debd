"""Receipts of the pit server in a table's journal: the table cannot write its past anew, the server cannot deny it."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any, Final

import msgspec
import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from tablectl.api.client import ask
from tablectl.cli.main import main
from tablectl.fleet.uplink.state import Link
from tablectl.journal import receipts
from tablectl.journal.public_keys import public_pem
from tablectl.journal.receipts import NotKept, Receipt, check_all, in_records, is_good, signed
from tablectl.journal.signing import Signer
from tablectl.journal.store import Stored
from tests.desk import Desk
from tests.fleet.linked import NAME, enrol, running
from tests.fleet.pits import Pit
from tests.journal.journals import records as journal_of
from tests.waiting import until

pytestmark = [pytest.mark.system, pytest.mark.usefixtures("soon")]

AT: Final = "2026-11-28T10:00:00.000000Z"
LATER: Final = "2026-11-28T11:00:00.000000Z"


@pytest.fixture
def known(table: Desk, pit: Pit) -> Desk:
    """A table that dealt a hand and knows the key of its pit server, which knows the table."""
    enrol(table, pit)
    table.stop()
    shutil.copyfile(pit.folder / "pit.pub", table.folder / "pit.pub")
    text = table.config.read_text(encoding="utf-8")
    table.config.write_text(f'{text}\n[uplink]\nurl = "https://127.0.0.1:1"\n', encoding="utf-8")
    table.start()
    table.open_hand()
    table.play_on()
    return table


def on_record(table: Desk) -> list[Receipt]:
    return list(in_records(journal_of(table.journal)))


def receipt_for(table: Desk, signer: Signer, seq: int) -> Receipt:
    link = journal_of(table.journal)[seq - 1].hash
    return signed(signer, table=NAME, epoch="-.0", seq=seq, link=link, at=AT)


def hand_in(table: Desk, receipt: Receipt) -> dict[str, Any]:
    return dict(ask(table.socket, {"receipt": msgspec.to_builtins(receipt)}))


def verified(capsys: pytest.CaptureFixture[str], table: Desk, pit: Pit, path: Path | None = None) -> tuple[int, str]:
    """What an auditor is told who has both keys."""
    found = table.journal if path is None else path
    status = main(["journal", "verify", str(found), "--pit-key", str(pit.folder / "pit.pub")])
    return status, capsys.readouterr().out


def test_a_receipt_is_on_record_after_a_start_and_the_journal_is_held_against_it(
    known: Desk, pit: Pit, capsys: pytest.CaptureFixture[str]
) -> None:
    with running(known, pit) as uplink:
        until(lambda: len(on_record(known)) == 1)
        until(lambda: uplink.status.acked == known.newest)
        (receipt,) = on_record(known)
        assert is_good(pit.witness, receipt)
        known.open_hand()
        until(lambda: uplink.status.acked == known.newest)
    assert on_record(known) == [receipt], "the next one in an hour"
    assert ask(known.socket, {"ask": "receipt"})["receipt"] == msgspec.to_builtins(receipt)
    known.stop()
    status, told = verified(capsys, known, pit)
    assert status == 0, told
    assert f"1 receipt of the pit server, the newest of {receipt.at}" in told
    assert f"every record up to {receipt.seq} as it is here" in told


def test_a_receipt_is_on_record_where_a_croupiers_shift_ends(
    known: Desk, pit: Pit, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(receipts, "LEAST_S", 0.0)
    with running(known, pit) as uplink:
        until(lambda: len(on_record(known)) == 1)
        assert known.enter("croupier ana")["ok"]
        until(lambda: len(on_record(known)) == 2)
        until(lambda: uplink.status.acked == known.newest)
    first, second = on_record(known)
    assert first.seq < second.seq


@pytest.mark.parametrize(
    ("changed", "why"),
    [
        (lambda table, pit: receipt_for(table, Signer(Ed25519PrivateKey.generate()), 5), NotKept.SIGNATURE),
        (lambda table, pit: msgspec.structs.replace(receipt_for(table, pit.signer, 5), at=LATER), NotKept.SIGNATURE),
        (lambda _, pit: signed(pit.signer, table=NAME, epoch="-.0", seq=5, link=bytes(32), at=AT), NotKept.CHAIN),
        (lambda _, pit: signed(pit.signer, table=NAME, epoch="-.0", seq=10**6, link=bytes(32), at=AT), NotKept.CHAIN),
    ],
)
def test_what_is_no_receipt_for_a_record_of_this_journal_is_not_put_on_record(
    known: Desk, pit: Pit, changed: Callable[[Desk, Pit], Receipt], why: NotKept
) -> None:
    before = known.newest
    assert hand_in(known, changed(known, pit))["why"] == why
    assert known.newest == before


def test_each_receipt_reaches_farther_than_the_one_before_and_there_is_one_a_minute(known: Desk, pit: Pit) -> None:
    assert hand_in(known, receipt_for(known, pit.signer, 7))["ok"]
    assert hand_in(known, receipt_for(known, pit.signer, 7))["why"] == NotKept.KNOWN
    assert hand_in(known, receipt_for(known, pit.signer, 6))["why"] == NotKept.KNOWN
    assert hand_in(known, receipt_for(known, pit.signer, 8))["why"] == NotKept.TOO_SOON
    known.stop()
    known.world.replace()
    known.start()
    assert hand_in(known, receipt_for(known, pit.signer, 7))["why"] == NotKept.KNOWN, "found in the journal"
    assert hand_in(known, receipt_for(known, pit.signer, 8))["ok"]
    assert [receipt.seq for receipt in on_record(known)] == [7, 8]


def test_a_table_without_a_pit_server_takes_none(table: Desk, pit: Pit) -> None:
    table.open_hand()
    table.play_on()
    assert hand_in(table, receipt_for(table, pit.signer, 5))["why"] == NotKept.NO_KEY


def test_before_the_first_hand_of_this_version_is_closed_no_receipt_is_put_on_record(table: Desk, pit: Pit) -> None:
    shutil.copyfile(pit.folder / "pit.pub", table.folder / "pit.pub")
    table.stop()
    text = table.config.read_text(encoding="utf-8")
    table.config.write_text(f'{text}\n[uplink]\nurl = "https://127.0.0.1:1"\n', encoding="utf-8")
    table.start()
    assert "first hand" in hand_in(table, receipt_for(table, pit.signer, 2))["error"]


def test_a_journal_that_is_not_the_one_that_the_pit_server_received_is_named(
    known: Desk, pit: Pit, capsys: pytest.CaptureFixture[str]
) -> None:
    """A table can sign another past; the receipt tells which one the pit server has."""
    assert hand_in(known, receipt_for(known, pit.signer, 7))["ok"]
    known.stop()
    assert verified(capsys, known, pit)[0] == 0
    (receipt,) = on_record(known)

    def rewritten() -> list[Stored]:
        return [replace(one, hash=bytes(32)) if one.seq == 7 else one for one in journal_of(known.journal)]

    assert check_all(pit.witness, lambda: journal_of(known.journal)).newest == receipt
    assert "another record 7" in check_all(pit.witness, rewritten).fault
    assert check_all(pit.witness, lambda: journal_of(known.journal)[7:]).unseen == 1
    (pit.folder / "pit.pub").write_bytes(public_pem(Signer(Ed25519PrivateKey.generate()).public))
    status, told = verified(capsys, known, pit)
    assert status == 1
    assert "NOT AS THE PIT SERVER HAS IT: the receipt for record 7 is not signed by this pit server" in told


def test_a_table_that_began_anew_does_not_take_the_receipts_of_its_past(known: Desk, pit: Pit) -> None:
    receipt = receipt_for(known, pit.signer, 2)
    known.begin_anew()
    assert known.newest >= 2
    assert hand_in(known, receipt)["why"] == NotKept.CHAIN


def test_a_journal_without_a_receipt_is_told_to_who_asks_for_them(
    known: Desk, pit: Pit, capsys: pytest.CaptureFixture[str]
) -> None:
    known.stop()
    status, told = verified(capsys, known, pit)
    assert status == 1
    assert "NO RECEIPT of this pit server" in told


def test_a_server_that_lost_records_is_named_by_the_journal_where_the_uplink_forgot(known: Desk, pit: Pit) -> None:
    with running(known, pit):
        until(lambda: len(on_record(known)) == 1)
    (receipt,) = on_record(known)
    pit.stop()
    (pit.folder / f"{NAME}.uplink").unlink()
    pit.forget()
    enrol(known, pit)
    pit.start()
    with running(known, pit) as uplink:
        until(lambda: uplink.status.link is Link.LOST_RECORDS)
        assert f"acknowledged record {receipt.seq} and has 0" in uplink.status.why
        until(lambda: uplink.status.acked == known.newest)

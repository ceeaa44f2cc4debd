"""From a table that deals to the pit server: every record once, through whatever happens to either of them."""

from __future__ import annotations

from typing import Final

import pytest

from tablectl.fleet.uplink.state import Link, StateFile
from tablectl.fleet.uplink.transport import PitAway, PitRefuses
from tablectl.journal.restored import Told, place_of, written
from tablectl.journal.signing import Witness
from tests.desk import Desk
from tests.fleet.linked import NAME, enrol, have_the_same, kept, running, signing_key_of
from tests.fleet.pits import Pit
from tests.journal.journals import records as journal_of
from tests.waiting import until

pytestmark = [pytest.mark.system, pytest.mark.usefixtures("soon")]

AT: Final = "2026-11-28T10:00:00.000000Z"


def test_what_there_is_and_then_what_happens_arrives_as_it_is_in_the_journal(table: Desk, pit: Pit) -> None:
    enrol(table, pit)
    table.open_hand()
    with running(table, pit) as uplink:
        until(lambda: uplink.status.acked == table.newest)
        assert uplink.status.link is Link.SENDING
        table.play_on()
        until(lambda: uplink.status.acked == table.newest)
    have_the_same(table, pit)


def test_a_table_deals_while_the_pit_server_is_away_and_everything_comes_later(table: Desk, pit: Pit) -> None:
    enrol(table, pit)
    with running(table, pit) as uplink:
        until(lambda: uplink.status.acked == table.newest)
        pit.stop()
        table.open_hand()
        until(lambda: uplink.status.link is Link.AWAY)
        table.play_on()
        pit.start()
        until(lambda: uplink.status.acked == table.newest)
        assert uplink.status.link is Link.SENDING
    have_the_same(table, pit)


def test_no_card_that_the_rules_did_not_show_is_at_the_pit_server(table: Desk, pit: Pit) -> None:
    enrol(table, pit)
    table.open_hand()
    sealed = ("As", "9c", "Qh", "Kd")
    table.deal(*sealed)
    with running(table, pit) as uplink:
        until(lambda: uplink.status.acked == table.newest)
    text = b"\n".join(record.public for record in kept(pit))
    assert text.count(b'"kind":"drawn"') == len(sealed)
    for card in sealed:
        assert f'"{card}"'.encode() not in text


def test_the_controller_starts_again_and_its_records_go_on(table: Desk, pit: Pit) -> None:
    enrol(table, pit)
    with running(table, pit) as uplink:
        until(lambda: uplink.status.acked == table.newest)
        table.stop()
        until(lambda: uplink.status.link is Link.NO_TABLE)
        table.start()
        until(lambda: uplink.status.acked == table.newest)
    have_the_same(table, pit)


def test_a_table_that_is_not_enrolled_or_was_revoked_is_told_so(table: Desk, pit: Pit) -> None:
    with running(table, pit) as uplink:
        until(lambda: uplink.status.link is Link.NOT_ADMITTED)
        assert "no table mesa-1 is enrolled" in uplink.status.why
        enrol(table, pit)
        until(lambda: uplink.status.acked == table.newest)
        with pit.store() as store:
            store.revoke(NAME, "2026-11-28T10:00:00.000000Z")
        table.open_hand()
        until(lambda: uplink.status.link is Link.NOT_ADMITTED)
        assert "was revoked" in uplink.status.why


def test_another_tables_certificate_sends_nothing_in_this_ones_name(table: Desk, pit: Pit) -> None:
    """The name is that of the certificate; the records are not signed by that table's key."""
    pit.enrol("mesa-2", bytes(range(32)))
    with running(table, pit, name="mesa-2") as uplink:
        until(lambda: uplink.status.link is Link.REFUSED)
    with pit.store() as store:
        until(lambda: any(True for _ in store.quarantined()))
        (found,) = {(one.table, one.flaw) for one in store.quarantined()}
    assert found == ("mesa-2", "signature")


def test_who_has_no_certificate_of_this_casino_is_not_heard(pit: Pit) -> None:
    (pit.folder / "other").mkdir()
    other = Pit(pit.folder / "other")
    other.certificate_for(NAME)
    transport = pit.transport(other.context_of(NAME, pit.folder / "authority.pem"))
    with pytest.raises(PitAway, match=r"(?i)unknown ca|ssl|reset|closed"):
        transport.head()


def test_what_has_not_the_key_of_our_pit_server_gets_nothing(table: Desk, pit: Pit) -> None:
    enrol(table, pit)
    with running(table, pit, key=Witness(signing_key_of(table))) as uplink:
        until(lambda: uplink.status.link is Link.UNKNOWN_SERVER)
    assert kept(pit) == []


def test_a_server_that_our_authority_does_not_know_is_not_ours(pit: Pit) -> None:
    (pit.folder / "other").mkdir()
    other = Pit(pit.folder / "other")
    context = pit.certificate_for(NAME)
    other.start()
    try:
        with pytest.raises(PitRefuses, match="certificate") as refused:
            other.transport(context).head()
        assert refused.value.why == "unknown-server"
    finally:
        other.stop()


@pytest.mark.parametrize("left", [5, 0])
def test_a_pit_server_that_lost_records_is_named_and_gets_them_again(table: Desk, pit: Pit, left: int) -> None:
    enrol(table, pit)
    with running(table, pit) as uplink:
        until(lambda: uplink.status.acked == table.newest)
    pit.stop()
    acked = StateFile(pit.folder / f"{NAME}.uplink").read().receipt
    assert acked is not None
    pit.forget()
    enrol(table, pit)
    with pit.store() as store:
        (known,) = store.tables()
        if left:
            pit.keep(store, known, journal_of(table.journal)[:left])
    pit.start()
    table.open_hand()
    with running(table, pit) as uplink:
        until(lambda: uplink.status.acked == table.newest)
        assert uplink.status.link is Link.LOST_RECORDS
        assert f"acknowledged record {acked.seq} and has {left}" in uplink.status.why
    have_the_same(table, pit)


def test_a_past_that_was_rewritten_is_named_and_never_acknowledged(table: Desk, pit: Pit) -> None:
    """Another journal under the same key."""
    enrol(table, pit)
    with running(table, pit) as uplink:
        until(lambda: uplink.status.acked == table.newest)
    before = kept(pit)
    table.begin_anew()
    table.open_hand()
    with running(table, pit) as uplink:
        until(lambda: uplink.status.link is Link.FORK)
        assert uplink.status.acked == 0
    assert kept(pit) == before
    with pit.store() as store:
        assert {one.flaw for one in store.quarantined()} == {"fork"}


def test_a_journal_from_a_backup_goes_on_in_a_new_epoch_after_the_last_record_that_both_have(
    table: Desk, pit: Pit
) -> None:
    enrol(table, pit)
    table.open_hand()
    table.play_on()
    table.until_copied()
    table.stop()
    kept_apart = {path: path.read_bytes() for path in table.folder.glob("table.*") if path.suffix in (".db", ".copy")}
    backup = len(journal_of(table.journal))
    table.world.replace()
    table.start()
    table.open_hand()
    with running(table, pit) as uplink:
        until(lambda: uplink.status.acked == table.newest)
    table.stop()
    had = journal_of(table.journal)
    for path in table.folder.glob("table.db-*"):
        path.unlink()
    for path, content in kept_apart.items():
        path.write_bytes(content)
    told = Told(made=AT, when=AT, records=backup, hash=had[backup - 1].hash.hex(), by="ana")
    place_of(table.journal).write_bytes(written(told))
    table.start()
    table.open_hand()
    with running(table, pit) as uplink:
        until(lambda: uplink.status.acked == table.newest)
        assert uplink.status.link is Link.SENDING
    have_the_same(table, pit)
    assert {one.epoch.restores for one in kept(pit) if one.seq > backup} == {1}
    assert {one.epoch.restores for one in kept(pit) if one.seq <= backup} == {0}
    with pit.store() as store:
        assert list(store.quarantined()) == []


def test_what_is_no_batch_is_refused_and_kept_as_evidence(table: Desk, pit: Pit) -> None:
    enrol(table, pit)
    transport = pit.transport(pit.certificate_for(NAME))
    with pytest.raises(PitRefuses, match="Zstandard") as refused:
        transport.send(b"no batch")
    assert refused.value.why == "shape"
    with pytest.raises(PitRefuses, match="at most"):
        transport.send(bytes(2_000_000))
    transport.close()
    with pit.store() as store:
        until(lambda: any(True for _ in store.quarantined()))
        (found,) = store.quarantined()
    assert (found.table, found.body) == (NAME, b"no batch")

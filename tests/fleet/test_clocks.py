"""No clock and no date is a reason to visit a table: it goes on by itself, and says how far the clocks are apart."""

from __future__ import annotations

import socket
import ssl
from collections.abc import Callable
from contextlib import closing
from datetime import UTC, datetime, timedelta
from typing import Final

import pytest
from cryptography import x509
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from tablectl.fleet.certificates import shown_in_file, unchecked_context
from tablectl.fleet.pit import server
from tablectl.fleet.pit.own_certificate import OwnCertificate
from tablectl.fleet.signed_times import new_nonce
from tablectl.fleet.uplink.identity import Identity
from tablectl.fleet.uplink.state import Link, StateFile
from tablectl.fleet.uplink.transport import PitRefuses, UnknownServer
from tablectl.journal.clock import now_us
from tablectl.journal.signing import Signer, Witness
from tests.desk import Desk
from tests.fleet.linked import NAME, enrol, have_the_same, running
from tests.fleet.pits import Pit
from tests.logs.reading import reading
from tests.waiting import PATIENCE_S, until

pytestmark = [pytest.mark.system, pytest.mark.usefixtures("soon")]

DAY_US: Final = 24 * 3600 * 1_000_000
HOUR_S: Final = 3600.0
#: As a machine has it whose battery is empty.
THEN_US: Final = 3600 * 1_000_000


def days_ago(days: int) -> datetime:
    return datetime.now(UTC) - timedelta(days=days)


def in_days(days: int) -> Callable[[], int]:
    """A clock that is so far ahead."""
    return lambda: now_us() + days * DAY_US


def test_a_table_in_1970_with_an_expired_certificate_rejoins_after_an_outage(table: Desk, pit: Pit) -> None:
    """F7: whatever its clock says, the server's time counts; its certificate expired a month ago."""
    pit.new_certificate(NAME, days_ago(120))
    enrol(table, pit)
    pit.stop()
    with running(table, pit, clock=lambda: THEN_US) as uplink:
        table.open_hand()
        until(lambda: uplink.status.link is Link.AWAY)
        table.play_on()
        pit.start()
        until(lambda: uplink.status.acked == table.newest)
        assert uplink.status.link is Link.SENDING
        assert uplink.status.ahead_s == pytest.approx((now_us() - THEN_US) / 1_000_000, abs=HOUR_S)
    have_the_same(table, pit)
    assert shown_in_file(pit.folder / f"{NAME}.pem").ends > days_ago(-89)
    clock = StateFile(pit.folder / f"{NAME}.uplink").read().clock
    assert clock is not None
    assert clock.ahead_s == pytest.approx((now_us() - THEN_US) / 1_000_000, abs=HOUR_S)


def test_a_table_whose_clock_is_two_years_behind_the_servers_goes_on(table: Desk, pit: Pit) -> None:
    """The server's certificate is not good yet for the table, the table's has expired for the server."""
    enrol(table, pit)
    pit.stop()
    pit.own_certificate(days_ago(-730))
    pit.now_us = in_days(730)
    pit.start()
    with closing(pit.transport(pit.context_of(NAME))) as https, pytest.raises(PitRefuses, match="not yet valid") as no:
        https.head()
    assert no.value.why == "server-dates"
    with running(table, pit) as uplink:
        until(lambda: uplink.status.acked == table.newest)
        table.open_hand()
        until(lambda: uplink.status.acked == table.newest)
        assert uplink.status.ahead_s == pytest.approx(730 * 24 * HOUR_S, abs=HOUR_S)
    have_the_same(table, pit)


def test_a_server_whose_own_certificate_has_expired_is_believed_by_its_authority_and_its_signed_time(
    table: Desk, pit: Pit
) -> None:
    enrol(table, pit)
    pit.stop()
    pit.own_certificate(days_ago(120))
    (pit.folder / "authority.key").rename(pit.folder / "away.key")
    pit.start()
    with closing(pit.transport(pit.context_of(NAME))) as https, pytest.raises(PitRefuses, match="expired") as no:
        https.head()
    assert no.value.why == "server-dates"
    with running(table, pit) as uplink:
        until(lambda: uplink.status.acked == table.newest)
        table.open_hand()
        until(lambda: uplink.status.acked == table.newest)
    have_the_same(table, pit)


def test_an_expired_certificate_of_another_authority_is_not_believed(table: Desk, pit: Pit) -> None:
    enrol(table, pit)
    (pit.folder / "theirs").mkdir()
    theirs = Pit(pit.folder / "theirs")
    theirs.own_certificate(days_ago(120))
    (theirs.folder / "authority.key").unlink()
    theirs.port = pit.port
    pit.stop()
    theirs.start()
    try:
        with running(table, pit) as uplink:
            until(lambda: uplink.status.link is Link.UNKNOWN_SERVER)
        with running(table, pit, clock=lambda: THEN_US) as uplink:
            until(lambda: uplink.status.link is Link.UNKNOWN_SERVER)
            assert uplink.status.acked == 0
    finally:
        theirs.stop()


def test_a_time_that_is_signed_with_another_key_is_none(pit: Pit) -> None:
    pit.enrol(NAME, bytes(32))
    pit.stop()
    pit.own_certificate(days_ago(120))
    (pit.folder / "authority.key").unlink()
    pit.start()
    stranger = Witness(Signer(Ed25519PrivateKey.generate()).public)
    identity = Identity(pit.settings_of(NAME), pit=stranger, now_us=now_us)
    with pytest.raises(UnknownServer, match="not the key"):
        identity.believe_without_dates()
    assert identity.clock is None
    with closing(pit.transport(identity.context())) as https, pytest.raises(PitRefuses, match="expired"):
        https.head()


def test_a_servers_clock_that_goes_wrong_and_right_again_keeps_no_table_away(table: Desk, pit: Pit) -> None:
    """100 days ahead, all certificates have expired, and new ones are not good yet once the clock is right."""
    enrol(table, pit)
    with running(table, pit) as uplink:
        for ahead_days in (100, 0):
            pit.now_us = in_days(ahead_days)
            table.world.replace()
            table.open_hand()
            table.play_on()
            until(lambda: uplink.status.acked == table.newest)
            assert uplink.status.ahead_s == pytest.approx(ahead_days * 24 * HOUR_S, abs=HOUR_S)
            begins = shown_in_file(pit.folder / f"{NAME}.pem").begins
            assert (begins > datetime.now(UTC)) is (ahead_days == 100)
    have_the_same(table, pit)


def test_a_server_whose_clock_is_before_its_authority_says_so_and_the_table_how_far_they_are_apart(
    table: Desk, pit: Pit
) -> None:
    enrol(table, pit)
    pit.now_us = lambda: THEN_US
    with running(table, pit) as uplink:
        until(lambda: uplink.status.link is Link.NO_CERTIFICATE)
        assert "the clock of this server says 1970-01-01" in uplink.status.why
        assert uplink.status.ahead_s == pytest.approx((THEN_US - now_us()) / 1_000_000, abs=HOUR_S)
        pit.now_us = now_us
        until(lambda: uplink.status.acked == table.newest)
    have_the_same(table, pit)


def test_a_certificate_is_renewed_while_records_go_on(table: Desk, pit: Pit) -> None:
    pit.new_certificate(NAME, days_ago(20))
    enrol(table, pit)
    ahead_us = 0
    with running(table, pit, clock=lambda: now_us() + ahead_us) as uplink:
        until(lambda: uplink.status.acked == table.newest)
        before = shown_in_file(pit.folder / f"{NAME}.pem").ends
        ahead_us = 11 * DAY_US
        table.open_hand()
        until(lambda: shown_in_file(pit.folder / f"{NAME}.pem").ends > before)
        until(lambda: uplink.status.acked == table.newest)
        assert uplink.status.link is Link.SENDING
    have_the_same(table, pit)


def test_a_certificate_that_cannot_be_renewed_in_time_holds_nothing_up(table: Desk, pit: Pit) -> None:
    pit.new_certificate(NAME, days_ago(80))
    enrol(table, pit)
    (pit.folder / "authority.key").rename(pit.folder / "away.key")
    with running(table, pit) as uplink:
        until(lambda: uplink.status.acked == table.newest)
        assert uplink.status.link is Link.SENDING
    assert "authority is not at this server" in StateFile(pit.folder / f"{NAME}.uplink").read().not_renewed


# --- the server's own certificate -----------------------------------------------------------------------------------


def served_until(pit: Pit) -> datetime:
    """Until when the certificate is good that the server shows now."""
    with (
        socket.create_connection(("127.0.0.1", pit.port), PATIENCE_S) as plain,
        unchecked_context().wrap_socket(plain) as tls,
    ):
        shown = tls.getpeercert(binary_form=True)
    assert shown is not None
    return x509.load_der_x509_certificate(shown).not_valid_after_utc


def test_a_server_replaces_its_own_certificate_at_the_start_and_while_it_runs(
    pit: Pit, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(server, "LOOK_S", 0.02)
    fresh = served_until(pit)
    pit.stop()
    pit.own_certificate(days_ago(40))
    pit.start()
    until(lambda: served_until(pit) > days_ago(-89))
    with closing(pit.transport(pit.certificate_for(NAME))) as https:
        assert https.time(new_nonce()).at
        pit.own_certificate(days_ago(31))
        until(lambda: shown_in_file(pit.folder / "pit.pem").ends > days_ago(-89))
        until(lambda: served_until(pit) == shown_in_file(pit.folder / "pit.pem").ends)
        assert https.time(new_nonce()).at, "who is connected stays so"
    assert served_until(pit) >= fresh


def test_a_certificate_that_somebody_else_puts_there_is_used_without_a_restart(
    pit: Pit, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(server, "LOOK_S", 0.02)
    (pit.folder / "authority.key").rename(pit.folder / "away.key")
    pit.stop()
    pit.start()
    pit.own_certificate(days_ago(40))
    until(lambda: served_until(pit) < days_ago(-51))
    (pit.folder / "pit.pem").write_text("half of one", encoding="utf-8")
    assert served_until(pit) < days_ago(-51), "what is none is not used"


def test_a_certificate_that_ends_and_cannot_be_replaced_is_told_a_month_before(pit: Pit) -> None:
    (pit.folder / "authority.key").unlink()
    own = OwnCertificate(
        certificate=pit.folder / "pit.pem",
        key=pit.folder / "pit.key",
        names=["127.0.0.1"],
        authority=pit.read_authority,
        now_us=pit.time_us,
    )
    told = {}
    for days in (59, 31, 29):
        pit.now_us = in_days(90 - days)
        with reading() as log:
            own.look(ssl.create_default_context())
        told[days] = [line["event"] for line in log.events]
    assert told == {59: [], 31: [], 29: ["own certificate ends"]}

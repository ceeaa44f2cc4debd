"""Who may speak for a table: with a code or the enrolled key, in any weather of clocks, and nobody else."""

from __future__ import annotations

import ssl
import stat
import threading
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Final

import msgspec
import pytest
from cryptography import x509
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.serialization import Encoding
from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from tablectl.config.sections import UplinkSection
from tablectl.fleet import codes
from tablectl.fleet.certificates import (
    key_digest,
    named,
    new_key,
    read_key,
    request_of,
    shown_in,
    shown_in_file,
    unchecked_context,
)
from tablectl.fleet.codes import BadCode
from tablectl.fleet.enrolment import Enrol, Enrolled, Renew
from tablectl.fleet.pit import identity as pit_identity
from tablectl.fleet.pit import service
from tablectl.fleet.pit.authority import Authority
from tablectl.fleet.pit.identity import Refused
from tablectl.fleet.pit.server import TABLES, server_of
from tablectl.fleet.signed_times import new_nonce
from tablectl.fleet.uplink.enrolling import InTheWay, enrol
from tablectl.fleet.uplink.identity import Identity
from tablectl.fleet.uplink.transport import Https, PitRefuses, UnknownServer
from tablectl.journal.clock import now_us
from tablectl.journal.public_keys import load_public
from tablectl.ops.connections import listen
from tests.fleet.chains import Chain
from tests.fleet.linked import NAME
from tests.fleet.pits import Pit
from tests.waiting import PATIENCE_S, until

pytestmark = [pytest.mark.system, pytest.mark.usefixtures("soon")]

JOURNAL: Final = bytes(range(32))
MINUTE_US: Final = 60_000_000
DAY_US: Final = 24 * 60 * MINUTE_US
LONG_AGO: Final = datetime.now(UTC) - timedelta(days=120)
WRONG: Final = "0000-0000-0000"


@pytest.fixture
def place(tmp_path: Path) -> Path:
    """The folder of a table, with nothing in it."""
    made = tmp_path / "table"
    made.mkdir()
    return made


def settings_at(place: Path, port: int) -> UplinkSection:
    return UplinkSection(
        url=f"https://127.0.0.1:{port}",
        authority=place / "authority.pem",
        certificate=place / "uplink.pem",
        key=place / "uplink.key",
        pit_key=place / "pit.pub",
        state=place / "uplink.json",
    )


def code_for(pit: Pit, name: str = NAME) -> str:
    with pit.store() as store:
        return pit_identity.new_code(store, name, pit.now_us())


def enrolled(
    pit: Pit, place: Path, code: str, *, name: str = NAME, key: bytes = JOURNAL, replaces: bool = False, port: int = 0
) -> UplinkSection:
    settings = settings_at(place, port or pit.port)
    enrol(settings, name=name, code=code, journal_key=key, replaces=replaces)
    return settings


def of(settings: UplinkSection, pit: Pit) -> Identity:
    return Identity(settings, pit=pit.witness, now_us=now_us)


def head_seq(settings: UplinkSection, pit: Pit) -> int:
    """What the server answers who asks with these files."""
    with closing(Https(settings.url or "", of(settings, pit).context())) as https:
        return https.head().seq


def refusal(settings: UplinkSection, pit: Pit) -> str:
    with pytest.raises(PitRefuses) as no:
        head_seq(settings, pit)
    return no.value.why


def why_not(pit: Pit, place: Path, code: str, *, name: str = NAME, key: bytes = JOURNAL) -> str:
    """Why the table gets no certificate; nothing is written then."""
    before = {path: path.read_bytes() for path in place.iterdir()}
    with pytest.raises(PitRefuses) as no:
        enrolled(pit, place, code, name=name, key=key, replaces=True)
    assert {path: path.read_bytes() for path in place.iterdir()} == before
    return no.value.why


# --- with a code ----------------------------------------------------------------------------------------------------


def test_a_code_gets_a_table_everything_that_it_needs(pit: Pit, place: Path) -> None:
    settings = enrolled(pit, place, code_for(pit).lower())
    assert settings.authority.read_bytes() == (pit.folder / "authority.pem").read_bytes()
    assert load_public(settings.pit_key) == pit.signer.public
    shown = shown_in_file(settings.certificate)
    assert (shown.name, shown.key) == (NAME, key_digest(read_key(settings.key).public_key()))
    assert timedelta(days=89) < shown.ends - datetime.now(UTC) <= timedelta(days=90)
    assert stat.S_IMODE(settings.key.stat().st_mode) == 0o600
    assert head_seq(settings, pit) == 0
    with pit.store() as store:
        (table,) = store.tables()
    assert (table.name, table.key, table.certificate_key) == (NAME, JOURNAL, shown.key)
    assert table.certificate_until == shown.until


def test_a_table_may_send_as_soon_as_it_is_enrolled(pit: Pit, place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Even where the server looked just before which tables there are."""
    monkeypatch.setattr(service, "LOOK_S", 600.0)
    pit.certificate_for("mesa-9")
    with closing(pit.transport(pit.context_of("mesa-9"))) as https, pytest.raises(PitRefuses, match="no table mesa-9"):
        https.head()
    assert head_seq(enrolled(pit, place, code_for(pit)), pit) == 0


def test_a_code_is_used_once(pit: Pit, place: Path, tmp_path: Path) -> None:
    code = code_for(pit)
    settings = enrolled(pit, place, code)
    (other := tmp_path / "other").mkdir()
    assert why_not(pit, other, code) == "no-code"
    assert why_not(pit, other, code_for(pit), key=bytes(32)) == "other-journal"
    assert head_seq(settings, pit) == 0


def test_five_wrong_tries_make_a_code_void(pit: Pit, place: Path) -> None:
    code = code_for(pit)
    told = [why_not(pit, place, WRONG) for _ in range(codes.TRIES_MOST)]
    assert told == ["wrong-code"] * 5
    assert why_not(pit, place, code) == "code-void"
    assert why_not(pit, place, code_for(pit, "mesa-2"), name=NAME) == "code-void"
    enrolled(pit, place, code_for(pit))


def test_four_wrong_tries_do_not(pit: Pit, place: Path) -> None:
    code = code_for(pit)
    with pytest.raises(PitRefuses, match="4 more tries"):
        enrolled(pit, place, WRONG)
    for _ in range(3):
        assert why_not(pit, place, WRONG) == "wrong-code"
    enrolled(pit, place, code)


def test_a_code_is_good_for_half_an_hour(pit: Pit, place: Path) -> None:
    begun = now_us()
    pit.now_us = lambda: begun
    code = code_for(pit)
    pit.now_us = lambda: begun + 30 * MINUTE_US + 1
    assert why_not(pit, place, code) == "code-expired"
    pit.now_us = lambda: begun + 30 * MINUTE_US
    enrolled(pit, place, code)


def test_a_code_is_for_the_table_of_its_name_alone(pit: Pit, place: Path) -> None:
    code = code_for(pit)
    assert why_not(pit, place, code, name="mesa-2") == "no-code"
    code_for(pit, "mesa-2")
    assert why_not(pit, place, code, name="mesa-2") == "wrong-code"


def test_a_later_code_makes_an_earlier_one_void(pit: Pit, place: Path) -> None:
    first, second = code_for(pit), code_for(pit)
    assert why_not(pit, place, first) == "wrong-code"
    enrolled(pit, place, second)


def test_a_table_is_enrolled_again_with_a_new_key_and_the_old_one_is_refused(
    pit: Pit, place: Path, tmp_path: Path
) -> None:
    old = enrolled(pit, place, code_for(pit))
    (other := tmp_path / "other").mkdir()
    new = enrolled(pit, other, code_for(pit))
    assert head_seq(new, pit) == 0
    assert refusal(old, pit) == "not-admitted"
    with pytest.raises(PitRefuses, match="another key is enrolled"):
        of(old, pit).renew()


def test_a_table_with_another_journal_cannot_take_a_name_and_uses_no_code_up(pit: Pit, place: Path) -> None:
    enrolled(pit, place, code_for(pit))
    code = code_for(pit)
    assert why_not(pit, place, code, key=bytes(32)) == "other-journal"
    enrolled(pit, place, code, replaces=True)


def test_a_revoked_table_gets_no_code_and_no_certificate(pit: Pit, place: Path) -> None:
    settings = enrolled(pit, place, code_for(pit))
    code = code_for(pit)
    with pit.store() as store:
        store.revoke(NAME, "2026-11-28T10:00:00.000000Z")
    assert why_not(pit, place, code) == "not-admitted"
    with pytest.raises(Refused, match="was revoked"):
        code_for(pit)
    with pytest.raises(PitRefuses, match="was revoked") as no:
        of(settings, pit).renew()
    assert no.value.why == "not-admitted"
    assert refusal(settings, pit) == "not-admitted"


def test_what_is_there_is_written_over_only_where_somebody_says_so(pit: Pit, place: Path) -> None:
    settings = enrolled(pit, place, code_for(pit))
    had = {path: path.read_bytes() for path in place.iterdir()}
    settings.authority.write_text("another one", encoding="utf-8")
    with pytest.raises(InTheWay, match=r"authority\.pem"):
        enrolled(pit, place, code_for(pit))
    assert settings.authority.read_text("utf-8") == "another one"
    assert settings.key.read_bytes() == had[settings.key]
    enrolled(pit, place, code_for(pit), replaces=True)
    assert settings.authority.read_bytes() == had[settings.authority]
    assert settings.key.read_bytes() != had[settings.key]
    assert head_seq(settings, pit) == 0


def test_a_server_without_its_authoritys_key_says_so_and_uses_no_code_up(pit: Pit, place: Path) -> None:
    code, away = code_for(pit), pit.folder / "authority.key"
    away.rename(pit.folder / "kept")
    assert why_not(pit, place, code) == "no-authority"
    (pit.folder / "kept").rename(away)
    enrolled(pit, place, code)


def test_what_is_no_request_is_refused(pit: Pit, place: Path) -> None:
    code = code_for(pit)
    secret = codes.secret_of(code, NAME)
    with closing(Https(f"https://127.0.0.1:{pit.port}", unchecked_context())) as https:
        for request in ("", "-----BEGIN CERTIFICATE REQUEST-----\nAA==\n-----END CERTIFICATE REQUEST-----\n"):
            asked = Enrol(name=NAME, request=request, key=JOURNAL.hex(), nonce=new_nonce())
            with pytest.raises(PitRefuses) as no:
                https.enrol(msgspec.structs.replace(asked, proof=codes.proof(secret, asked.text())))
            assert no.value.why == "shape"
        with pytest.raises(PitRefuses, match=r"nonce|regex"):
            https.time("none")
    with pytest.raises(BadCode):
        enrolled(pit, place, "no code")


# --- somebody between -----------------------------------------------------------------------------------------------


@contextmanager
def between(folder: Path, answer: Callable[[Enrol], Enrolled]) -> Iterator[int]:
    """A server with a certificate of its own authority, which does as it likes; its port."""
    folder.mkdir()
    Pit(folder)  # its files

    async def enrol_there(request: Request) -> Response:
        asked = msgspec.json.decode(await request.body(), type=Enrol)
        try:
            return Response(msgspec.json.encode(await run_in_threadpool(answer, asked)))
        except PitRefuses as no:
            return Response(msgspec.json.encode({"why": no.why, "error": str(no)}), 403)

    bound = listen("127.0.0.1", 0, TABLES)
    server = server_of(
        Starlette(routes=[Route("/v1/enrol", enrol_there, methods=["POST"])]),
        certificate=folder / "pit.pem",
        key=folder / "pit.key",
        authority=folder / "authority.pem",
    )
    thread = threading.Thread(target=lambda: server.run(sockets=[bound]), daemon=True)
    thread.start()
    until(lambda: server.started)
    try:
        yield bound.getsockname()[1]
    finally:
        server.should_exit = True
        thread.join(PATIENCE_S)


def passed_on(pit: Pit, asked: Enrol) -> Enrolled:
    with closing(Https(f"https://127.0.0.1:{pit.port}", unchecked_context())) as https:
        return https.enrol(asked)


def test_whoever_only_passes_on_changes_nothing(pit: Pit, place: Path) -> None:
    with between(pit.folder / "between", lambda asked: passed_on(pit, asked)) as port:
        enrolled(pit, place, code_for(pit), port=port)
    assert head_seq(settings_at(place, pit.port), pit) == 0


def test_whoever_does_not_know_the_code_enrols_nothing_of_their_own(pit: Pit, place: Path) -> None:
    """With another key of the journal, another key of the certificate, or another name."""
    thief = request_of(new_key(), NAME).decode()
    code_for(pit, "mesa-2")
    code = code_for(pit)
    for member, theirs in (("key", "00" * 32), ("request", thief), ("name", "mesa-2")):

        def changed(asked: Enrol, member: str = member, theirs: str = theirs) -> Enrolled:
            return passed_on(pit, msgspec.structs.replace(asked, **{member: theirs}))

        with between(pit.folder / member, changed) as port, pytest.raises(PitRefuses) as no:
            enrolled(pit, place, code, port=port)
        assert no.value.why == "wrong-code"
    assert [*place.iterdir()] == []
    with pit.store() as store:
        assert store.tables() == ()


@pytest.mark.parametrize("what", ["authority", "pit_key", "certificate", "at"])
def test_whoever_does_not_know_the_code_makes_no_table_believe_them(pit: Pit, place: Path, what: str) -> None:
    """With the answer of the real server, in which one thing is theirs."""
    (pit.folder / "theirs").mkdir()
    theirs = Pit(pit.folder / "theirs")
    changes = {
        "authority": theirs.authority.pem.decode(),
        "pit_key": theirs.signer.public.hex(),
        "certificate": (theirs.folder / "pit.pem").read_text("utf-8"),
        "at": "1970-01-01T00:00:00.000000Z",
    }

    def changed(asked: Enrol) -> Enrolled:
        return msgspec.structs.replace(passed_on(pit, asked), **{what: changes[what]})

    with (
        between(pit.folder / "between", changed) as port,
        pytest.raises(UnknownServer, match="does not know the code"),
    ):
        enrolled(pit, place, code_for(pit), port=port)
    assert [*place.iterdir()] == []


def test_a_server_with_another_authority_that_guesses_a_code_is_not_believed(pit: Pit, place: Path) -> None:
    (pit.folder / "theirs").mkdir()
    theirs = Pit(pit.folder / "theirs")

    def made_up(asked: Enrol) -> Enrolled:
        certificate = theirs.authority.for_table(asked.name, asked.request.encode(), datetime.now(UTC)).decode()
        at = "2026-11-28T10:00:00.000000Z"
        answer = Enrolled(
            certificate=certificate,
            authority=theirs.authority.pem.decode(),
            pit_key=theirs.signer.public.hex(),
            at=at,
        )
        guessed = codes.secret_of(WRONG, asked.name)
        return msgspec.structs.replace(answer, proof=codes.proof(guessed, answer.text(asked)))

    with between(pit.folder / "between", made_up) as port:
        with pytest.raises(UnknownServer, match="does not know the code"):
            enrolled(pit, place, code_for(pit), port=port)
        assert [*place.iterdir()] == []
        enrolled(pit, place, WRONG, port=port)
    assert load_public(place / "pit.pub") == theirs.signer.public, "it is the code alone that held it off"


# --- the next certificate -------------------------------------------------------------------------------------------


@pytest.fixture
def known(pit: Pit) -> UplinkSection:
    """The files of a table whose certificate expired a month ago."""
    pit.new_certificate(NAME, LONG_AGO)
    pit.enrol(NAME, JOURNAL)
    return pit.settings_of(NAME)


def test_an_expired_certificate_is_refused_in_words_and_renewed(pit: Pit, known: UplinkSection) -> None:
    key = known.key.read_bytes()
    assert refusal(known, pit) == "wrong-dates"
    identity = of(known, pit)
    assert identity.is_due()
    identity.renew()
    assert not identity.is_due()
    assert known.key.read_bytes() == key
    assert shown_in_file(known.certificate).ends > datetime.now(UTC) + timedelta(days=89)
    assert head_seq(known, pit) == 0
    with pit.store() as store:
        assert store.tables()[0].certificate_until == identity.until


def test_a_certificate_that_expires_on_an_open_connection_is_refused(pit: Pit) -> None:
    pit.enrol(NAME, JOURNAL)
    with closing(pit.transport(pit.context_of(NAME))) as https:
        assert https.head().seq == 0
        pit.now_us = lambda: now_us() + 91 * DAY_US
        with pytest.raises(PitRefuses, match="is good from") as no:
            https.head()
    assert no.value.why == "wrong-dates"


def test_a_certificate_is_due_when_sixty_days_are_left(pit: Pit) -> None:
    pit.enrol(NAME, JOURNAL)
    ends = int(shown_in_file(pit.folder / f"{NAME}.pem").ends.timestamp()) * 1_000_000

    def is_due(days: int) -> bool:
        return Identity(pit.settings_of(NAME), pit=pit.witness, now_us=lambda: ends - days * DAY_US).is_due()

    assert {days: is_due(days) for days in (89, 61, 60, 5, -30)} == {89: False, 61: False, 60: True, 5: True, -30: True}


def test_who_has_no_certificate_may_renew_and_nothing_else(pit: Pit, known: UplinkSection) -> None:
    context = ssl.create_default_context(cafile=str(known.authority))
    asked = Renew(name=NAME, request=request_of(read_key(known.key), NAME).decode(), nonce=new_nonce())
    with closing(pit.transport(context)) as https:
        assert shown_in(x509.load_pem_x509_certificate(https.renew(asked).certificate.encode())).name == NAME
        for ask in (https.head, lambda: https.send(b"x"), lambda: https.hash_of(1)):
            with pytest.raises(PitRefuses, match="no certificate") as no:
                ask()
            assert no.value.why == "not-admitted"


def test_a_request_that_is_sent_again_gives_the_same_certificate(pit: Pit, known: UplinkSection) -> None:
    asked = Renew(name=NAME, request=request_of(read_key(known.key), NAME).decode(), nonce=new_nonce())
    with closing(pit.transport(unchecked_context())) as https:
        first = https.renew(asked)
        again = https.renew(msgspec.structs.replace(asked, nonce=new_nonce()))
    assert again.certificate == first.certificate
    shown = shown_in(x509.load_pem_x509_certificate(first.certificate.encode()))
    assert shown.key == key_digest(read_key(known.key).public_key())


def test_whoever_has_another_key_renews_nothing(pit: Pit, known: UplinkSection) -> None:
    for name, why in ((NAME, "other-key"), ("mesa-9", "not-admitted")):
        asked = Renew(name=name, request=request_of(new_key(), NAME).decode(), nonce=new_nonce())
        with closing(pit.transport(unchecked_context())) as https, pytest.raises(PitRefuses) as no:
            https.renew(asked)
        assert no.value.why == why
    with pit.store() as store:
        assert store.tables()[0].certificate_until == shown_in_file(known.certificate).until


class Lying(Authority):
    """Makes certificates for another table than is asked for."""

    def for_table(self, name: str, request: bytes, now: datetime) -> bytes:
        return super().for_table(f"{name}0", request, now)


class Lax(Authority):
    """Makes certificates for another key than signed the request."""

    def for_table(self, name: str, request: bytes, now: datetime) -> bytes:
        return super().for_table(name, request_of(new_key(), name), now)


def test_a_certificate_of_another_authority_table_or_key_is_not_put_in_place(pit: Pit, place: Path) -> None:
    """Whatever the pit server makes, a table looks at it before it loses what it has."""
    had = enrolled(pit, place, code_for(pit)).certificate.read_bytes()
    ours = pit.folder / "authority.pem", pit.folder / "authority.key"
    stranger = Authority.made("Casino", datetime.now(UTC))
    for read in (lambda: stranger, lambda: Lying.read(*ours), lambda: Lax.read(*ours)):
        pit.read_authority = read
        pit.stop()
        pit.start()
        with pytest.raises(UnknownServer, match="the certificate that it made is"):
            of(settings_at(place, pit.port), pit).renew()
    assert (place / "uplink.pem").read_bytes() == had


# --- an authority of the house --------------------------------------------------------------------------------------


def intermediate() -> tuple[Authority, bytes]:
    """An authority that another one vouches for, and the certificate of that one (PEM)."""
    now = datetime.now(UTC)
    root_key, key = new_key(), new_key()
    root, name = named("Casino root"), named("Casino floor")
    made = []
    for subject, of in ((root, root_key), (name, key)):
        builder = x509.CertificateBuilder().subject_name(subject).issuer_name(root).public_key(of.public_key())
        builder = builder.serial_number(x509.random_serial_number())
        builder = builder.not_valid_before(now - timedelta(days=1)).not_valid_after(now + timedelta(days=365))
        builder = builder.add_extension(x509.BasicConstraints(ca=True, path_length=None), critical=True)
        made.append(builder.sign(root_key, SHA256()))
    return Authority(made[1], key), made[0].public_bytes(Encoding.PEM)


@pytest.mark.parametrize("with_root", [False, True], ids=["alone", "with the one above it"])
def test_an_authority_that_another_one_vouches_for_is_one(pit: Pit, place: Path, *, with_root: bool) -> None:
    """As houses have them: the root is locked away, and what makes certificates is below it."""
    pit.stop()
    pit.authority, above = intermediate()
    for name in ("authority.pem", "authority.key"):
        (pit.folder / name).unlink()
    pit.authority.write(pit.folder / "authority.pem", pit.folder / "authority.key")
    with (pit.folder / "authority.pem").open("ab") as file:
        file.write(above if with_root else b"")
    pit.own_certificate(datetime.now(UTC))
    pit.start()
    settings = enrolled(pit, place, code_for(pit))
    assert head_seq(settings, pit) == 0
    of(settings, pit).renew()
    assert head_seq(settings, pit) == 0


# --- a stolen certificate -------------------------------------------------------------------------------------------


def test_a_certificate_speaks_for_its_own_table_alone(pit: Pit) -> None:
    """Heads and hashes are of the table in the certificate; records have to be signed by that table's journal."""
    chains = {name: Chain() for name in (NAME, "mesa-2")}
    for name, chain in chains.items():
        chain.add(20)
        pit.enrol(name, chain.signer.public)
    with (
        closing(pit.transport(pit.context_of(NAME))) as ours,
        closing(pit.transport(pit.context_of("mesa-2"))) as stolen,
    ):
        assert ours.send(chains[NAME].body(1, 20)).table == NAME
        with pytest.raises(PitRefuses, match="not signed by this table") as no:
            stolen.send(chains[NAME].body(1, 20))
        assert no.value.why == "signature"
        assert (stolen.head().table, stolen.head().seq) == ("mesa-2", 0)
        assert stolen.hash_of(5) is None
    with pit.store() as store:
        heads = {table.name: store.head(table).position.seq for table in store.tables()}
    assert heads == {NAME: 20, "mesa-2": 0}


def test_a_certificate_of_this_name_for_another_key_is_refused(pit: Pit) -> None:
    """As the authority would make one for whoever had the place of the table before."""
    pit.enrol(NAME, JOURNAL)
    pit.new_certificate(NAME, datetime.now(UTC))
    with closing(pit.transport(pit.context_of(NAME))) as https, pytest.raises(PitRefuses, match="was replaced") as no:
        https.head()
    assert no.value.why == "not-admitted"


def test_a_revoked_certificate_is_refused_on_the_connection_that_it_has(pit: Pit) -> None:
    pit.enrol(NAME, JOURNAL)
    with closing(pit.transport(pit.context_of(NAME))) as https:
        assert https.head().seq == 0
        with pit.store() as store:
            store.revoke(NAME, "2026-11-28T10:00:00.000000Z")
        for ask in (https.head, lambda: https.send(b"x"), lambda: https.hash_of(1)):
            with pytest.raises(PitRefuses, match="was revoked"):
                ask()


def test_a_cloned_table_is_named_as_a_fork_and_the_other_goes_on(pit: Pit) -> None:
    """Two machines with the same certificate, key and journal up to record 20."""
    chain = Chain()
    chain.add(20)
    pit.enrol(NAME, chain.signer.public)
    with closing(pit.transport(pit.context_of(NAME))) as ours, closing(pit.transport(pit.context_of(NAME))) as clone:
        assert ours.send(chain.body(1, 20)).seq == 20
        had = [*chain.records]
        chain.add(5, text="the clone")
        cloned = chain.body(21, 25)
        chain.back_to(20)
        assert chain.records == had
        chain.add(5)
        assert ours.send(chain.body(21, 25)).seq == 25
        with pytest.raises(PitRefuses) as no:
            clone.send(cloned)
        assert (no.value.why, no.value.seq) == ("fork", 21)
        chain.add(5)
        assert ours.send(chain.body(26, 30)).seq == 30
    with pit.store() as store:
        assert [(found.table, found.seq, found.flaw) for found in store.quarantined()] == [(NAME, 21, "fork")]


def test_a_certificate_that_somebody_puts_there_for_the_same_key_is_used_with_the_next_connection(pit: Pit) -> None:
    """As a house does whose authority is elsewhere."""
    pit.new_certificate(NAME, LONG_AGO)
    pit.enrol(NAME, JOURNAL)
    settings = pit.settings_of(NAME)
    identity = of(settings, pit)
    request = request_of(read_key(settings.key), NAME)
    settings.certificate.write_bytes(pit.authority.for_table(NAME, request, datetime.now(UTC)))
    with closing(pit.transport(identity.context())) as https:
        assert https.head().seq == 0
    assert not identity.is_due()

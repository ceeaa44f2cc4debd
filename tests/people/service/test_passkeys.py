"""A second person signs one action at one table at one moment, with a passkey, and an auditor can check it later."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass, replace
from itertools import count
from typing import Any, Final, TypeVar

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tablectl.api import async_client
from tablectl.api.challenges import GOOD_S, Challenges
from tablectl.cli.main import main
from tablectl.core.events.notes import Proven
from tablectl.journal.passkeys import BadProof, check, is_origin
from tablectl.journal.proofs import check_proofs
from tablectl.journal.store import Stored
from tablectl.journal.volumes import VolumeSet
from tablectl.people.people import Denied, People
from tablectl.people.service import questions as q
from tablectl.people.service.answering import AccountsService, PasskeyRules
from tablectl.people.service.table_now import TableNow
from tablectl.people.source import Source
from tests.desk import Desk, desk
from tests.people.service.authenticator import Authenticator, coded
from tests.people.service.houses import AT_TABLE, ELSEWHERE, Controller, Table
from tests.screens.signed_on import PASSWORD, house, staffed, token_of

T = TypeVar("T")

pytestmark = pytest.mark.system

#: Each asks from another one: of one address few secrets are taken in a minute.
_ADDRESSES: Final = count(1)
LIMITS: Final = "limits ante=500..9000 by pit-boss+manager"


@dataclass(frozen=True, kw_only=True)
class Place:
    """A table that dealt a hand, and the people of its house."""

    table: Desk
    people: People
    service: AccountsService

    def ask(self, question: q.Question[T]) -> T:
        return asyncio.run(self.service.ask(question))

    def register(self, name: str = "manager", key: Authenticator | None = None) -> Authenticator:
        """A new passkey of this person."""
        authenticator = key or Authenticator()
        elsewhere = Source(address=f"192.0.2.{next(_ADDRESSES)}")
        begin = q.BeginPasskey(token=token_of(name), password=PASSWORD, source=elsewhere)
        made = authenticator.made(self.ask(begin))
        self.ask(q.AddPasskey(token=token_of(name), label="key ring", made=made))
        return authenticator

    def to_sign(self, line: str = LIMITS, second: str = "manager") -> dict[str, Any]:
        return self.ask(q.AskToSign(token=token_of("pit-boss"), request={"enter": line}, second=second))

    def acts(self, signed: q.Assertion | None, line: str = LIMITS, second: str = "manager") -> dict[str, Any]:
        who = q.Second(name=second, secret="" if signed else PASSWORD, passkey=signed)
        return self.ask(q.Act(token=token_of("pit-boss"), request={"enter": line}, source=AT_TABLE, second=who))

    def signed(self, key: Authenticator, line: str = LIMITS) -> q.Assertion:
        asked = self.to_sign(line)
        return key.signed(asked["publicKey"], asked["nonce"])

    def on_record(self, kind: str) -> list[dict[str, Any]]:
        return [record["fact"] for record in self.table.records() if record["fact"]["kind"] == kind]

    def told(self) -> None:
        """What people did is in the journal."""
        tell = self.service.running()["the telling of what people did"]

        async def once() -> None:
            task = asyncio.create_task(tell())
            while self.people.audits.untold():
                await asyncio.sleep(0.01)
            task.cancel()

        asyncio.run(once())


@contextmanager
def running(*, is_required: bool = False) -> Iterator[Place]:
    with desk() as table:
        table.start()
        table.world.replace()
        table.open_hand()
        table.play_on()
        people = house(staffed(table.folder / "people.db"))

        async def ask(question: object) -> dict[str, Any]:
            return await async_client.ask(table.socket, question)

        rules = PasskeyRules(host="localhost", is_required=is_required)
        seen = Table(seen=TableNow(connected=True))
        yield Place(table=table, people=people, service=AccountsService(people, seen, ask, Controller().lines, rules))
        people.file.close()


@pytest.fixture(scope="module")
def place() -> Iterator[Place]:
    with running() as made:
        yield made


@pytest.fixture
def key(place: Place) -> Iterator[Authenticator]:
    made = place.register()
    yield made
    place.people.passkeys.forget("manager")


def test_two_persons_of_whom_one_has_a_passkey_and_anybody_can_check_it_later(
    capsys: pytest.CaptureFixture[str],
) -> None:
    with running(is_required=True) as place:
        key = place.register()
        with pytest.raises(q.NotYours, match="second-passkey"):
            place.acts(None)
        assert place.on_record("limits-set") == []
        assert place.acts(place.signed(key))["ok"] is True
        [limits], [proven] = place.on_record("limits-set"), place.on_record("proven")
        assert (limits["by"], limits["second"]) == ("pit-boss", "manager")
        assert (proven["by"], proven["action"], proven["table"]) == ("manager", LIMITS, "Mesa 1")
        place.told()
        assert place.table.stop() == 0
        assert main(["journal", "verify", str(place.table.journal)]) == 0
        assert "1 action signed with a passkey of whoever is named" in capsys.readouterr().out


def test_what_was_signed_for_one_action_is_good_for_no_other(place: Place, key: Authenticator) -> None:
    """A compromised page shows one action, and sends another."""
    before = len(place.on_record("limits-set"))
    for line in ("limits ante=500..10000 by pit-boss+manager", "rule 1 void by pit-boss+manager"):
        with pytest.raises(q.NotYours, match="passkey-late"):
            place.acts(place.signed(key), line)
    assert len(place.on_record("limits-set")) == before


def test_what_was_signed_is_good_once(place: Place, key: Authenticator) -> None:
    signed = place.signed(key)
    assert place.acts(signed)["ok"] is True
    with pytest.raises(q.NotYours, match="passkey-late"):
        place.acts(signed)


@pytest.mark.parametrize(
    "change",
    [
        {"is_verified": False},
        {"host": "evil.example"},
        {"origin": "https://evil.example"},
        {"origin": "https://localhost.evil.example"},
    ],
)
def test_an_assertion_of_another_place_or_of_whoever_touched_it_signs_nothing(
    place: Place, key: Authenticator, change: dict[str, Any]
) -> None:
    asked = place.to_sign()
    with pytest.raises(q.NotYours, match="second-wrong"):
        place.acts(replace(key, **change).signed(asked["publicKey"], asked["nonce"]))


def test_another_key_under_the_same_name_signs_nothing(place: Place, key: Authenticator) -> None:
    asked = place.to_sign()
    other = Authenticator(credential=key.credential)
    with pytest.raises(q.NotYours, match="second-wrong"):
        place.acts(other.signed(asked["publicKey"], asked["nonce"]))
    asked = place.to_sign()
    with pytest.raises(q.NotYours, match="second-wrong"):
        place.acts(Authenticator().signed(asked["publicKey"], asked["nonce"]))


def test_somebody_elses_passkey_signs_nothing_under_his_name(place: Place, key: Authenticator) -> None:
    place.register("everybody", own := Authenticator())
    asked = place.to_sign()
    with pytest.raises(q.NotYours, match="second-wrong"):
        place.acts(own.signed(asked["publicKey"], asked["nonce"]))
    place.people.passkeys.forget("everybody")
    assert key.credential != own.credential


def test_the_nonce_of_another_challenge_is_none_of_this_one(place: Place, key: Authenticator) -> None:
    first, second = place.to_sign(), place.to_sign()
    with pytest.raises(q.NotYours, match="second-wrong"):
        place.acts(key.signed(first["publicKey"], second["nonce"]))


def test_one_is_made_by_whoever_says_his_password_and_is_verified(place: Place) -> None:
    begin = q.BeginPasskey(token=token_of("manager"), password="wrong horse battery", source=ELSEWHERE)
    with pytest.raises(Denied):
        place.ask(begin)
    with pytest.raises(q.NotYours, match="passkey-late"):
        place.ask(q.AddPasskey(token=token_of("manager"), label="x", made={}))
    for wrong in (Authenticator(is_verified=False), Authenticator(host="evil.example")):
        with pytest.raises(q.NotYours, match="passkey-bad"):
            place.register(key=wrong)
    assert place.ask(q.AskPasskeys(token=token_of("manager"))) == ()


def test_a_lost_one_is_taken_away_and_signs_nothing_any_more(place: Place, key: Authenticator) -> None:
    [shown] = place.ask(q.AskPasskeys(token=token_of("manager"))) or ()
    signed = place.signed(key)
    place.ask(
        q.RemovePasskey(token=token_of("manager"), password=PASSWORD, credential=shown.credential, source=ELSEWHERE)
    )
    with pytest.raises(q.NotYours, match="second-wrong"):
        place.acts(signed)
    with pytest.raises(q.NotYours, match="second-no-passkey"):
        place.to_sign()


def test_whoever_may_not_sign_beside_somebody_does_not_with_a_passkey_either(place: Place) -> None:
    key = place.register("croupier")
    asked = place.to_sign(second="croupier")
    signed = key.signed(asked["publicKey"], asked["nonce"])
    with pytest.raises(q.NotYours, match="second-wrong"):
        place.acts(signed, second="croupier")
    with pytest.raises(q.NotYours, match="second-same"):
        place.to_sign(second="pit-boss")
    with pytest.raises(q.NotYours, match="not-yours"):
        place.ask(q.AskToSign(token=token_of("croupier"), request={"enter": LIMITS}, second="manager"))
    place.people.passkeys.forget("croupier")


def _changed(stored: Stored, member: str) -> Stored:
    said = msgspec.json.decode(stored.public)
    if said["fact"]["kind"] != "proven":
        return stored
    was = said["fact"][member]
    others = {"by": "pit-boss", "action": "limits ante=1..2 by pit-boss+manager", "head_hash": "0" * 64}
    said["fact"][member] = others.get(member, "A" * len(was))
    return replace(stored, public=msgspec.json.encode(said))


@pytest.mark.parametrize(
    "member", ["action", "client_data", "authenticator_data", "signature", "key", "by", "head_hash", "table", "nonce"]
)
def test_a_changed_proof_is_found_by_whoever_has_the_records(place: Place, key: Authenticator, member: str) -> None:
    place.acts(place.signed(key))
    place.told()
    with closing(VolumeSet(place.table.journal)) as volume_set:
        records = list(volume_set.records())
    assert (check_proofs(lambda: records).fault, check_proofs(lambda: records).good > 0) == ("", True)
    changed = [_changed(stored, member) for stored in records]
    assert check_proofs(lambda: changed).fault != ""


@settings(deadline=None)
@given(st.lists(st.binary(max_size=80), min_size=4, max_size=4))
def test_bytes_that_are_no_proof_are_refused_with_a_sentence(parts: list[bytes]) -> None:
    client, data, key, signature = map(coded, parts)
    proof = Proven(
        at_us=0,
        by="manager",
        table="Mesa 1",
        action=LIMITS,
        head_seq=1,
        head_hash="",
        nonce="",
        rp="localhost",
        credential="",
        key=key,
        client_data=client,
        authenticator_data=data,
        signature=signature,
    )
    with pytest.raises(BadProof):
        check(proof)


@pytest.mark.parametrize(
    ("origin", "host", "expected"),
    [
        ("https://casino.example", "casino.example", True),
        ("https://mesa-1.casino.example:8443", "casino.example", True),
        ("http://casino.example", "casino.example", False),
        ("https://evilcasino.example", "casino.example", False),
        ("https://casino.example.evil", "casino.example", False),
        ("http://localhost:8420", "localhost", True),
        ("http://a.localhost", "localhost", False),
        ("http://127.0.0.1:8420", "localhost", False),
        ("https://[", "casino.example", False),
        ("", "casino.example", False),
    ],
)
def test_a_page_asks_for_passkeys_of_its_own_house_alone(origin: str, host: str, expected: object) -> None:
    assert is_origin(origin, host) is expected


def test_a_challenge_is_good_once_and_not_for_ever() -> None:
    clock = [0.0]
    challenges = Challenges(lambda: clock[0])
    nonce = challenges.give("a", 1, "00")
    assert challenges.take(nonce) is not None
    assert challenges.take(nonce) is None
    late = challenges.give("a", 1, "00")
    clock[0] += GOOD_S
    assert challenges.take(late) is None
    oldest = challenges.give("a", 1, "00")
    for _ in range(100):
        challenges.give("b", 1, "00")
    assert challenges.take(oldest) is None

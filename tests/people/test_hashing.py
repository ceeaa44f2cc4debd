"""Secrets are kept as argon2id with the parameters of RFC 9106, and an unknown name costs as much as a wrong secret."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from pathlib import Path

import pytest
from argon2 import PasswordHasher, extract_parameters, profiles
from argon2.low_level import Type
from pytest_mock import MockerFixture

from tablectl.core.roles import Role
from tablectl.people.accounts import Way
from tablectl.people.hashing import RFC_9106_LOW_MEMORY, Hashing
from tablectl.people.people import Denied, People
from tablectl.people.source import Source
from tests.screens.signed_on import CHEAP, PASSWORD


def test_the_parameters_are_those_of_the_low_memory_option_of_rfc_9106() -> None:
    found = RFC_9106_LOW_MEMORY
    assert (found.type, found.version, found.time_cost, found.parallelism) == (Type.ID, 0x13, 3, 4)
    assert (found.memory_cost, found.salt_len, found.hash_len) == (64 * 1024, 16, 32)
    assert found == profiles.RFC_9106_LOW_MEMORY


def test_without_more_ado_secrets_are_hashed_with_them() -> None:
    assert extract_parameters(Hashing().made(PASSWORD)) == RFC_9106_LOW_MEMORY


def test_the_same_secret_has_another_hash_each_time() -> None:
    hashing = Hashing(CHEAP)
    one, other = hashing.made(PASSWORD), hashing.made(PASSWORD)
    assert one != other
    assert hashing.agrees(one, PASSWORD)
    assert hashing.agrees(other, PASSWORD)
    assert not hashing.agrees(one, PASSWORD + "x")


@pytest.mark.parametrize("kept", [None, "", "$argon2id$garbage", "plain text"])
def test_where_no_hash_is_kept_nothing_agrees(kept: str | None) -> None:
    assert not Hashing(CHEAP).agrees(kept, "nobody's secret")


@pytest.mark.parametrize("name", ["ana", "shut", "nobody", "Not A Name", "x\ud800"])
def test_an_unknown_name_a_shut_account_and_a_wrong_secret_cost_the_same(
    people: People, mocker: MockerFixture, name: str
) -> None:
    """Each is held against one hash with the same parameters, and all are refused with the same word."""
    people.accounts.make("shut", display="Shut", roles=[Role.AUDITOR], password=people.hashing.made(PASSWORD))
    people.accounts.set_disabled("shut", disabled=True)
    looked = mocker.spy(PasswordHasher, "verify")
    with pytest.raises(Denied, match=r"^wrong$"):
        asyncio.run(people.sign_on(name, "a wrong secret", way=Way.PASSWORD, source=Source(address="1")))
    assert looked.call_count == 1
    assert extract_parameters(looked.call_args.args[1]) == CHEAP


def test_a_secret_is_hashed_again_at_the_sign_on_when_the_parameters_have_changed(tmp_path: Path) -> None:
    before = People(tmp_path / "people.db", parameters=CHEAP)
    kept = before.hashing.made(PASSWORD)
    before.accounts.make("ana", display="Ana", roles=[Role.CROUPIER], password=kept)
    before.accounts.set_password("ana", kept, must_change=False)
    before.file.close()
    dearer = replace(CHEAP, time_cost=2)
    people = People(tmp_path / "people.db", parameters=dearer)
    with pytest.raises(Denied):
        asyncio.run(people.sign_on("ana", "wrong", way=Way.PASSWORD, source=Source(address="1")))
    assert people.accounts.kept("ana", Way.PASSWORD) == kept
    asyncio.run(people.sign_on("ana", PASSWORD, way=Way.PASSWORD, source=Source(address="1")))
    again = people.accounts.kept("ana", Way.PASSWORD)
    assert again is not None
    assert extract_parameters(again) == dearer
    assert people.hashing.agrees(again, PASSWORD)
    people.file.close()

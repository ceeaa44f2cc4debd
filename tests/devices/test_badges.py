"""What the reader of badges tells: each showing once, by a digest, and never a number."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from drivers.facts import DeviceFact, TagIn, TagOut
from drivers.sealed import Sealed
from tablectl.journal.seal import KEY_BYTES, Vault
from tablectl.table.devices.badges import AGAIN_US, SHOWN_MOST, WINDOW_US, Badges
from tests.desk import KeptLog

VAULT = Vault(bytes(KEY_BYTES))
EVA, LUIS = "04A1B2C3D4E580", "04FFFFFFFFFF80"


def came(tag: str, at_us: int, *, antenna: int = 1, device: str = "badges") -> TagIn:
    return TagIn(device=device, at_us=at_us, tag=Sealed(tag), antenna=antenna)


def left(tag: str, at_us: int, *, antenna: int = 1) -> TagOut:
    return TagOut(device="badges", at_us=at_us, tag=Sealed(tag), antenna=antenna)


def digest(tag: str) -> str:
    return VAULT.digest("badge", tag)


@pytest.fixture
def log() -> KeptLog:
    return KeptLog()


@pytest.fixture
def badges(log: KeptLog) -> Badges:
    return Badges("badges", digest, log)


def shown(badges: Badges, *facts: DeviceFact) -> Iterator[tuple[int, str]]:
    for fact in facts:
        note = badges.shown(fact)
        if note is not None:
            yield note.at_us, note.badge


def test_a_badge_that_comes_is_one_showing_however_long_it_lies_and_however_many_antennas_see_it(
    badges: Badges,
) -> None:
    facts = (came(EVA, 1), came(EVA, 2, antenna=2), left(EVA, 3), left(EVA, 10**8, antenna=2))
    assert list(shown(badges, *facts)) == [(1, digest(EVA))]


def test_a_badge_that_flickers_is_one_showing_and_one_that_comes_back_later_another(badges: Badges) -> None:
    facts = (came(EVA, 1), left(EVA, 2), came(EVA, AGAIN_US), left(EVA, AGAIN_US + 1), came(EVA, 2 * AGAIN_US + 1))
    assert list(shown(badges, *facts)) == [(1, digest(EVA)), (2 * AGAIN_US + 1, digest(EVA))]


def test_two_people_are_two_showings_also_at_the_same_time(badges: Badges) -> None:
    assert list(shown(badges, came(EVA, 1), came(LUIS, 2))) == [(1, digest(EVA)), (2, digest(LUIS))]


def test_who_floods_the_reader_does_not_flood_the_journal(badges: Badges, log: KeptLog) -> None:
    facts = [came(f"{number:014X}", number) for number in range(1, SHOWN_MOST + 4)]
    assert len(list(shown(badges, *facts))) == SHOWN_MOST
    assert len(log.events("badge not told")) == 3
    assert list(shown(badges, came(EVA, WINDOW_US + SHOWN_MOST))) != []


def test_what_another_reader_tells_is_no_badge(badges: Badges) -> None:
    assert list(shown(badges, came(EVA, 1, device="felt"))) == []


def test_a_digest_is_the_same_for_a_badge_and_another_one_for_each_purpose_and_each_table() -> None:
    assert digest(EVA) == VAULT.digest("badge", EVA)
    others = {digest(LUIS), VAULT.digest("other", EVA), Vault(b"\1" * KEY_BYTES).digest("badge", EVA)}
    assert len(others | {digest(EVA)}) == 4
    assert all(len(bytes.fromhex(other)) == 16 for other in others)

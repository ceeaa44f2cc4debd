"""A volume is checked by itself, in its place between the others: a fault is found whichever volume it is in."""

from __future__ import annotations

import shutil
from contextlib import closing
from pathlib import Path

import pytest

from tablectl.journal.copy import append
from tablectl.journal.places import Places
from tablectl.journal.tilt import Tilt, TiltKind
from tablectl.journal.verify import Verification
from tablectl.journal.verify_full import check_volume, hold_against, verify_full
from tablectl.journal.volumes import VolumeSet, volume_path
from tests.journal.journals import WHOLE_HAND, keep_keys, places, sat
from tests.test_tilt import careful

N_VOLUMES = 4


@pytest.fixture
def where(tmp_path: Path) -> Places:
    """Three closed volumes, one that is written, and the copy of all of them."""
    keep_keys(tmp_path)
    where = places(tmp_path, volume_records=20)
    sat(where, WHOLE_HAND * (N_VOLUMES - 1) + "press new-hand")
    with closing(VolumeSet(where.journal)) as volume_set:
        for number, store in volume_set.numbered.items():
            append(volume_path(where.copy, number), list(store.records()), before=store.follows)
    return where


def checked(where: Places, number: int, *, key: bytes | None = None) -> Verification:
    with closing(VolumeSet(where.journal)) as volume_set:
        return check_volume(volume_set, number, where.copy, key=key)


def falsified(where: Places, number: int) -> None:
    """Change the second record of a volume."""
    path = volume_path(where.journal, number)
    with closing(VolumeSet(where.journal)) as volume_set:
        store = volume_set.numbered[number]
        stored = next(store.records(after=store.follows.seq + 1))
        public = stored.public.replace(b'"at":"20', b'"at":"21', 1)
    careful(path, "UPDATE record SET public = ? WHERE seq = ?", (public, stored.seq))


def test_each_volume_is_good_by_itself(where: Places) -> None:
    ends = [checked(where, number).end for number in range(1, N_VOLUMES + 1)]
    whole_end = verify_full(where.journal, where.copy)
    assert ends[-1] == whole_end.end
    key = whole_end.verdict().public_key
    assert [checked(where, number, key=key).end for number in range(1, N_VOLUMES + 1)] == ends


@pytest.mark.parametrize("number", range(1, N_VOLUMES + 1))
def test_a_changed_record_is_found_in_its_volume_and_in_no_other(where: Places, number: int) -> None:
    falsified(where, number)
    for volume in range(1, N_VOLUMES + 1):
        if volume == number:
            with pytest.raises(Tilt, match="changed") as fault:
                checked(where, volume)
            assert fault.value.kind is TiltKind.CHAIN
        else:
            checked(where, volume)
    with pytest.raises(Tilt, match="changed"):
        verify_full(where.journal, where.copy)


def test_a_volume_whose_end_was_cut_off_is_found_by_what_follows(where: Places) -> None:
    path = volume_path(where.journal, 2)
    careful(path, "DELETE FROM record WHERE seq = (SELECT max(seq) FROM record)", ())
    with pytest.raises(
        Tilt, match=r"table-0003\.db: it does not go on where .*table-0002\.db ends, at record"
    ) as fault:
        checked(where, 2)
    assert fault.value.kind is TiltKind.CHAIN


def test_all_of_it_is_signed_by_one_key(where: Places) -> None:
    with pytest.raises(Tilt, match="another key") as fault:
        checked(where, 2, key=bytes(32))
    assert fault.value.kind is TiltKind.CHAIN


@pytest.mark.parametrize("number", range(1, N_VOLUMES + 1))
def test_a_changed_line_of_the_copy_is_found_with_its_volume(where: Places, number: int) -> None:
    path = volume_path(where.copy, number)
    path.write_bytes(path.read_bytes().replace(b'"at":"20', b'"at":"21', 1))
    with pytest.raises(Tilt, match="changed") as fault:
        checked(where, number)
    assert fault.value.kind is TiltKind.COPY


def test_a_file_of_the_copy_ends_early_only_where_it_is_the_last_one(where: Places) -> None:
    def cut(number: int) -> None:
        path = volume_path(where.copy, number)
        path.write_bytes(b"".join(path.read_bytes().splitlines(keepends=True)[:-1]))

    cut(N_VOLUMES)
    checked(where, N_VOLUMES)
    cut(2)
    with pytest.raises(Tilt, match="missing") as fault:
        checked(where, 2)
    assert fault.value.kind is TiltKind.COPY


def test_what_is_torn_off_at_the_copys_end_is_looked_at_with_the_newest_volume(where: Places) -> None:
    path = volume_path(where.copy, N_VOLUMES)
    path.write_bytes(path.read_bytes() + b"something else")
    checked(where, 1)
    with pytest.raises(Tilt, match="torn line") as fault:
        checked(where, N_VOLUMES)
    assert fault.value.kind is TiltKind.COPY


def test_volumes_of_the_copy_may_be_in_an_archive_but_none_between_two(where: Places) -> None:
    shutil.move(where.copy, where.copy.with_name("archive"))
    checked(where, 1)
    checked(where, 2)
    volume_path(where.copy, 3).unlink()
    with pytest.raises(Tilt, match="missing") as fault:
        checked(where, 2)
    assert fault.value.kind is TiltKind.COPY


def test_whoever_waits_for_a_long_comparison_hears_how_far_it_is(tmp_path: Path) -> None:
    keep_keys(tmp_path)
    where = places(tmp_path, volume_records=300)
    sat(where, WHOLE_HAND * 23)
    told: list[int] = []
    with closing(VolumeSet(where.journal)) as volume_set:
        for number, store in volume_set.numbered.items():
            append(volume_path(where.copy, number), list(store.records()), before=store.follows)
        compared = hold_against(volume_set, where.copy, told=told.append)
    assert compared.fault is None
    assert 512 <= compared.last < 768
    assert told == [256, 512]

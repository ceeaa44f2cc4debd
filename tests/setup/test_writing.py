"""A configuration gets its name whole, checked, and never over one that is there."""

from __future__ import annotations

from pathlib import Path

import pytest

from tablectl.config.table_file import BadConfig
from tablectl.ops.setup.answers_file import answers_in
from tablectl.ops.setup.config_text import config_text
from tablectl.ops.setup.writing import IsThere, write
from tests.setup.tables import answers, task, toml


@pytest.fixture
def text(tmp_path: Path) -> str:
    path = tmp_path / "answers.toml"
    path.write_text(toml(answers("texas-bonus")), encoding="utf-8")
    of = task()
    return config_text(answers_in(path, of), of.places)


def test_it_is_written_whole_for_everybody_to_read_and_nothing_is_left_beside_it(text: str, tmp_path: Path) -> None:
    place = tmp_path / "etc/tablectl/mesa-7.toml"
    assert write(text, place, replaces=False) is None
    assert place.read_text(encoding="utf-8") == text
    assert place.stat().st_mode & 0o777 == 0o644
    assert place.stat().st_nlink == 1
    assert list(place.parent.iterdir()) == [place]


def test_one_that_is_there_is_never_written_over(text: str, tmp_path: Path) -> None:
    place = tmp_path / "mesa-7.toml"
    place.write_text("as it was", encoding="utf-8")
    with pytest.raises(IsThere):
        write(text, place, replaces=False)
    assert place.read_text(encoding="utf-8") == "as it was"


def test_where_it_may_be_replaced_every_old_one_is_kept_beside_it(text: str, tmp_path: Path) -> None:
    place = tmp_path / "mesa-7.toml"
    place.write_text("first", encoding="utf-8")
    first = write(text, place, replaces=True)
    second = write(f"{text}# changed\n", place, replaces=True)
    assert (first, second) == (tmp_path / "mesa-7.toml.old-1", tmp_path / "mesa-7.toml.old-2")
    assert first is not None
    assert second is not None
    assert first.read_text(encoding="utf-8") == "first"
    assert second.read_text(encoding="utf-8") == text
    assert place.read_text(encoding="utf-8").endswith("# changed\n")


def test_what_the_controller_would_not_take_never_gets_the_name(text: str, tmp_path: Path) -> None:
    place = tmp_path / "sub/mesa-7.toml"
    with pytest.raises(BadConfig) as wrong:
        write(text.replace("seats = 7", "seats = 70"), place, replaces=True)
    assert [mistake.where for mistake in wrong.value.mistakes] == [str(place)]
    assert list(place.parent.iterdir()) == []

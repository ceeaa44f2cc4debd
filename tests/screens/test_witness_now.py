"""What the technician's page says of the places that keep the journal's heads besides this machine."""

from __future__ import annotations

from pathlib import Path
from typing import Final

import pytest

from tablectl.core.timestamps import time_text
from tablectl.i18n.languages import LANGUAGES
from tablectl.notifications.witness_state import STALE_S, Kept, WitnessState, write_state
from tablectl.web.screens.feed import Picture
from tablectl.web.screens.render import Pages
from tablectl.web.screens.witness_now import WitnessNow, witness_now
from tests.screens.test_pages import plain

PAGES: Final = Pages()
AT_US: Final = 1_795_296_600_000_000
CONFIG: Final = Path("/etc/tablectl/mesa-1.toml")
WELL: Final = Kept(seq=812, hash="7e" * 32, at=time_text(AT_US), tried=time_text(AT_US))
AWAY: Final = Kept(why="/mnt/heads: No such file or directory", since=time_text(AT_US), tried=time_text(AT_US))


def now(folder: Path, *, later_s: float = 1.0, **places: Kept) -> WitnessNow:
    write_state(folder / "state", WitnessState(at=time_text(AT_US), places=places))
    found = witness_now(CONFIG, folder / "state", AT_US + int(later_s * 1_000_000))
    assert found is not None
    return found


def shown(witness: WitnessNow | None, language: str = "en") -> str:
    return PAGES.parts("technician", language, Picture(witness=witness))["witness"]


@pytest.mark.parametrize("language", LANGUAGES)
def test_each_place_says_which_record_it_has_and_why_it_has_none_that_is_newer(tmp_path: Path, language: str) -> None:
    text = plain(shown(now(tmp_path, chef=WELL, file=AWAY), language))
    assert "812" in text
    assert "/mnt/heads: No such file or directory" in text


def test_it_is_wrong_as_soon_as_one_place_fails(tmp_path: Path) -> None:
    assert 'data-witness="well"' in shown(now(tmp_path, chef=WELL))
    assert 'data-witness="wrong"' in shown(now(tmp_path, chef=WELL, file=AWAY))


def test_a_process_that_does_not_write_any_more_does_not_run(tmp_path: Path) -> None:
    text = plain(shown(now(tmp_path, later_s=STALE_S + 1, chef=WELL)))
    assert "systemctl start tablectl-notifications@mesa-1" in text
    assert "systemctl" not in plain(shown(now(tmp_path, later_s=STALE_S - 1, chef=WELL)))


def test_before_anything_was_written_nothing_runs(tmp_path: Path) -> None:
    found = witness_now(CONFIG, tmp_path / "none", AT_US)
    assert found is not None
    assert found.is_wrong


def test_what_these_screens_may_not_read_is_said(tmp_path: Path) -> None:
    (tmp_path / "state").mkdir()
    found = witness_now(CONFIG, tmp_path / "state", AT_US)
    assert found is not None
    assert "Is a directory" in plain(shown(found))


def test_a_table_whose_heads_nobody_keeps_shows_nothing_of_it() -> None:
    assert witness_now(CONFIG, None, AT_US) is None
    assert not shown(None).strip()

"""What the technician's page and the metrics say of the uplink: state, how far behind, why, and what to do."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Final

import msgspec
import pytest

from tablectl.core.timestamps import time_text
from tablectl.fleet.uplink.state import ClockSeen, Link, Remembered, StateFile, UplinkStatus
from tablectl.i18n.languages import LANGUAGES
from tablectl.journal.clock import now_us
from tablectl.journal.receipts import Receipt
from tablectl.web.screens.feed import Picture
from tablectl.web.screens.files import TableFiles
from tablectl.web.screens.metrics import metrics_text
from tablectl.web.screens.render import Pages
from tablectl.web.screens.uplink_state import Mood, UplinkNow, UplinkStanding, uplink_now
from tests.screens.serving import serving
from tests.screens.test_app import events, get
from tests.screens.test_pages import plain
from tests.screens.test_technician import samples

PAGES: Final = Pages()
AT_US: Final = 1_795_296_600_000_000
RECEIPT: Final = Receipt(
    table="mesa-1", epoch=f"{'ab' * 32}.0", seq=4_700, hash="cd" * 32, at=time_text(AT_US - 600_000_000), signature=""
)
AWAY: Final = Remembered(
    receipt=RECEIPT,
    clock=ClockSeen(ahead_s=0.1, at=time_text(AT_US)),
    status=UplinkStatus(
        link=Link.AWAY,
        why="Connection refused",
        acked=4_700,
        since=time_text(AT_US),
        stopped=time_text(AT_US - 60_000_000),
        is_compared=True,
    ),
    newest=6_000,
    certificate_until=time_text(AT_US + 86_400_000_000),
    at=time_text(AT_US),
)
SENDING: Final = msgspec.structs.replace(
    AWAY, status=UplinkStatus(link=Link.SENDING, acked=6_000, since=time_text(AT_US), is_compared=True)
)


def files_of(folder: Path, *, has_uplink: bool = True) -> TableFiles:
    """Of a table with this folder."""
    return TableFiles(
        config=folder / "mesa-1.toml",
        journal=folder / "table.db",
        copy=folder / "table.copy",
        uplink=folder / "uplink.json" if has_uplink else None,
    )


def read(folder: Path, found: Remembered, *, later_s: float = 1) -> UplinkNow:
    StateFile(folder / "uplink.json").write(found)
    now = uplink_now(files_of(folder), AT_US + int(later_s * 1_000_000))
    assert now is not None
    return now


def shown(uplink: UplinkNow | None, language: str = "es") -> str:
    return PAGES.parts("technician", language, Picture(uplink=uplink))["uplink"]


def of(standing: UplinkStanding) -> UplinkNow:
    return UplinkNow(standing=standing, unit="tablectl-uplink@mesa-1", file="/var/lib/u/uplink.json")


def test_how_far_behind_since_when_and_why_is_said(tmp_path: Path) -> None:
    now = read(tmp_path, AWAY)
    assert (now.standing, now.mood, now.behind, now.acked) == (UplinkStanding.AWAY, Mood.WAITS, 1_300, 4_700)
    assert now.since == time_text(AT_US - 60_000_000), "since nothing is sent, not since this reason for it"
    text = plain(shown(now))
    for words in (
        "Enlace con la sala",
        "Sin respuesta",
        "desde 21/11/2026",
        "Registros que faltan allí 1.300",
        "Motivo Connection refused",
        "Aquí no hay que hacer nada",
    ):
        assert words in text
    assert "✕" in text


def test_one_that_sends_says_nothing_that_somebody_would_have_to_do(tmp_path: Path) -> None:
    html = shown(read(tmp_path, SENDING))
    assert 'data-uplink="sending"' in html
    assert 'class="hint"' not in html
    assert "allí 0" in plain(html)


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("standing", UplinkStanding)
def test_each_state_has_a_word_a_shape_and_what_to_do(standing: UplinkStanding, language: str) -> None:
    html = shown(of(standing), language)
    texts = PAGES.texts(language, Picture())
    assert texts.say("uplink-state", standing) in plain(html)
    assert re.search(r'class="sign" aria-hidden="true">\S</i>', html)
    assert ('class="hint"' in html) is (standing is not UplinkStanding.SENDING)
    assert ('role="alert"' in html) is (of(standing).mood is Mood.WRONG)


def test_each_link_is_a_state_and_each_state_is_in_the_documents_table() -> None:
    assert {*UplinkStanding} - {*Link} == {UplinkStanding.NOT_RUNNING, UplinkStanding.CLOSED}
    page = (Path(__file__).parents[2] / "docs/fleet.md").read_text(encoding="utf-8")
    told = set(re.findall(r"^\| `([\w-]+)` \|", page.partition("## When something is wrong")[2], re.MULTILINE))
    assert told == {*UplinkStanding} - {UplinkStanding.SENDING, UplinkStanding.CONNECTING, UplinkStanding.CLOSED}


def test_a_dead_one_is_named_with_the_unit_to_start_and_what_it_said_last_stands(tmp_path: Path) -> None:
    now = read(tmp_path, AWAY, later_s=31)
    assert (now.standing, now.behind, now.since) == (UplinkStanding.NOT_RUNNING, 1_300, AWAY.at)
    assert "systemctl start tablectl-uplink@mesa-1" in plain(shown(now))


def test_one_that_never_ran_is_not_running(tmp_path: Path) -> None:
    now = uplink_now(files_of(tmp_path), AT_US)
    assert now is not None
    assert (now.standing, now.behind, now.since) == (UplinkStanding.NOT_RUNNING, None, "")


def test_a_table_without_an_uplink_shows_nothing_of_it(tmp_path: Path) -> None:
    assert uplink_now(files_of(tmp_path, has_uplink=False), AT_US) is None
    assert uplink_now(None, AT_US) is None
    assert shown(None).strip() == ""


def test_a_file_that_the_screens_may_not_read_is_said_with_its_remedy(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refused(_path: Path) -> bytes:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(Path, "read_bytes", refused)
    now = uplink_now(files_of(tmp_path), AT_US)
    assert now is not None
    assert (now.standing, now.why) == (UplinkStanding.CLOSED, "Permission denied")
    text = plain(shown(now))
    assert str(tmp_path / "uplink.json") in text
    assert "tablectl-readers" in text


def test_the_page_over_a_port_shows_it_and_follows_it_without_a_controller(
    tmp_path: Path, socket_path: Path, clocked: Callable[[Remembered], Remembered]
) -> None:
    file = StateFile(tmp_path / "uplink.json")
    file.write(clocked(SENDING))
    with serving(socket_path, files_of(tmp_path)) as url:
        assert 'data-uplink="sending"' in get(f"{url}/technician?lang=es").text
        with events(url, "technician") as stream:
            _, parts = next(stream)
            assert 'data-uplink="sending"' in parts["uplink"]
            file.write(clocked(AWAY))
            for kind, parts in stream:
                if kind == "parts" and 'data-uplink="away"' in parts.get("uplink", ""):
                    break


def test_metrics_say_the_same(tmp_path: Path) -> None:
    found = samples(metrics_text(None, read(tmp_path, AWAY)).decode())
    links = {labels[0]: value for (name, labels), value in found.items() if name == "tablectl_uplink_link"}
    assert links == {state.value: float(state is UplinkStanding.AWAY) for state in UplinkStanding}
    assert found[("tablectl_uplink_behind_records", ())] == 1_300
    assert found[("tablectl_uplink_last_ack_timestamp_seconds", ())] == AT_US / 1_000_000 - 600
    assert found[("tablectl_uplink_certificate_end_timestamp_seconds", ())] == AT_US / 1_000_000 + 86_400


def test_metrics_of_a_table_without_an_uplink_have_none_and_of_a_closed_one_its_state_alone(tmp_path: Path) -> None:
    assert b"tablectl_uplink" not in metrics_text(None)
    names = {name for name, _ in samples(metrics_text(None, of(UplinkStanding.CLOSED)).decode()) if "uplink" in name}
    assert names == {"tablectl_uplink_link"}


def test_metrics_are_read_over_a_port(
    tmp_path: Path, socket_path: Path, clocked: Callable[[Remembered], Remembered]
) -> None:
    StateFile(tmp_path / "uplink.json").write(clocked(SENDING))
    with serving(socket_path, files_of(tmp_path)) as url:
        assert 'tablectl_uplink_link{state="sending"} 1.0' in get(f"{url}/metrics").text


@pytest.fixture
def clocked() -> Callable[[Remembered], Remembered]:
    """As an uplink writes it now."""

    def now(found: Remembered) -> Remembered:
        return msgspec.structs.replace(found, at=time_text(now_us()))

    return now

"""The technician's page and what Prometheus reads: how each device is, where data stops, and never a card."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from prometheus_client.parser import text_string_to_metric_families

from drivers.health import DeviceState
from drivers.registry import DRIVERS
from tablectl.core.disk_room import Holds, Space, Urgency
from tablectl.i18n.languages import LANGUAGES
from tablectl.web.screens.feed import Picture
from tablectl.web.screens.health import DeviceRow, Health, health_of
from tablectl.web.screens.metrics import metrics_text
from tablectl.web.screens.render import Pages
from tests.screens import healths
from tests.screens.conftest import Screens
from tests.screens.serving import serving
from tests.screens.test_app import events, get
from tests.screens.test_pages import plain
from tests.waiting import until

PAGES = Pages()
TROUBLE = "the thread second-copy has not moved for more than 10 s"


def all_states() -> Health:
    return health_of(healths.told(healths.ALL_STATES, troubles=[TROUBLE]))


def shown(health: Health | None, language: str = "es") -> str:
    return PAGES.parts("technician", language, Picture(health=health, connected=health is not None))["health"]


def cards(html: str) -> dict[str, str]:
    """What the page says of each device."""
    found = re.findall(r'<article[^>]* data-device="([^"]+)".*?</article>', html, re.DOTALL)
    texts = re.findall(r"<article.*?</article>", html, re.DOTALL)
    return {name: plain(text) for name, text in zip(found, texts, strict=True)}


@pytest.mark.parametrize(
    ("language", "words"),
    [
        ("es", ("Mudo", "Perdido", "Rechazado", "Extraño", "Listo")),
        ("en", ("Silent", "Lost", "Refused", "Foreign", "Ready")),
    ],
)
def test_each_device_says_its_state_and_what_to_do(language: str, words: tuple[str, ...]) -> None:
    said = cards(shown(all_states(), language))
    assert list(said) == ["panel", "light", "antenna-1", "sabot", "antenna-2"], "what needs somebody comes first"
    for health, word in zip(healths.ALL_STATES, words, strict=True):
        assert word in said[health.device]
        hint = PAGES.texts(language, Picture()).say("device-hint", health.state)
        assert (hint in said[health.device]) is (health.state is not DeviceState.READY)
        assert str(health.last_error) in said[health.device] or health.last_error is None


@pytest.mark.parametrize(
    ("language", "words"),
    [("es", ("Último error", "bytes sueltos entre mensajes")), ("en", ("Last error", "between frames"))],
)
def test_why_bytes_were_put_aside_is_said(language: str, words: tuple[str, ...]) -> None:
    rejects = (("between frames", 3), ("nobody knows it", 1))
    broken = replace(healths.ALL_STATES[-1], last_error="between frames", rejects=rejects)
    said = plain(shown(health_of(healths.told((broken,))), language))
    assert all(text in said for text in (*words, "nobody knows it"))


def test_how_many_are_in_each_state_and_which_thread_stopped_stand_above() -> None:
    said = plain(shown(all_states()))
    assert said.startswith("Aparatos ✕ 1 Perdido ⊘ 1 Rechazado ? 1 Extraño … 1 Mudo")
    assert TROUBLE in said


@pytest.mark.parametrize(
    ("values", "stops"),
    [
        ({"state": DeviceState.READY, "bytes_in": 0}, None),
        ({"state": DeviceState.LOST}, "wire"),
        ({"state": DeviceState.REFUSED}, "wire"),
        ({"state": DeviceState.SILENT, "bytes_in": 0}, "bytes"),
        ({"state": DeviceState.SILENT, "bytes_in": 5, "frames": 0}, "frames"),
        ({"state": DeviceState.SILENT, "bytes_in": 5, "frames": 3}, "bytes"),
        ({"state": DeviceState.SILENT, "bytes_in": 5, "frames": None}, "bytes"),
        ({"state": DeviceState.FOREIGN, "bytes_in": 5, "frames": 3}, "frames"),
    ],
)
def test_where_data_stops(values: Mapping[str, Any], stops: str | None) -> None:
    (row,) = health_of(healths.told([replace(healths.ANTENNA, **values)])).devices
    assert row.stops_at == stops
    marked = re.findall(r'class="step stops" data-step="(\w+)"', shown(only(row)))
    assert marked == ([] if stops is None else [stops])


@pytest.mark.parametrize(
    ("values", "standing", "said"),
    [
        ({"is_heard": True, "heard_us": healths.NOW_US}, "ready", "Últimos datos: 21/11/2026 22:30"),
        ({}, "unheard", "No ha llegado nada de él desde que arrancó el controlador."),
        ({"heard_us": healths.SINCE_US}, "unheard", "Últimos datos: 21/11/2026"),
        (
            {"driver": "patlite-lr6"},
            "ready",
            "Este modelo nunca contesta: mírelo, o pruebe sus luces.",
        ),
        (
            {"state": DeviceState.SILENT},
            "silent",
            "No ha llegado nada de él desde que arrancó el controlador.",
        ),
        ({"state": DeviceState.LOST, "heard_us": healths.SINCE_US}, "lost", "Últimos datos: "),
    ],
)
def test_one_that_was_never_heard_is_told_from_one_that_was_and_from_one_that_cannot_speak(
    values: dict[str, Any], standing: str, said: str
) -> None:
    driver = values.pop("driver", "angel-eye")
    told = healths.told([replace(healths.NEW_SHOE, **values)])
    told["devices"][0] |= {"driver": driver, "speaks": not DRIVERS[driver].never_speaks}
    health = health_of(told)
    (row,) = health.devices
    assert (row.standing, dict(health.standings)) == (standing, {standing: 1})
    assert said in cards(shown(health))[row.name]
    assert ("Listo, aún sin datos" in plain(shown(health))) is (standing == "unheard")
    assert row.stops_at is None or standing != "unheard", "nobody is alarmed by a shoe that has nothing to say"


def only(row: DeviceRow) -> Health:
    return replace(all_states(), devices=(row,))


def test_what_nobody_counts_is_a_dash_and_large_numbers_can_be_read() -> None:
    said = cards(shown(all_states()))
    assert "Mensajes 1.048.211" in said["antenna-2"]
    assert "Mensajes —" in said["light"]


@pytest.mark.parametrize("language", LANGUAGES)
def test_without_an_answer_the_page_says_so(language: str) -> None:
    said = {"es": "El controlador no responde", "en": "The controller does not answer"}
    assert said[language] in plain(shown(None, language))


# --- over a real port -------------------------------------------------------------------------------------------------


def test_the_page_needs_no_script_and_asks_the_controller_each_time(screens: Screens) -> None:
    screens.controller.report = healths.told(healths.ALL_STATES)
    page = get(f"{screens.url}/technician?lang=en")
    assert page.status_code == 200
    assert '<noscript><meta http-equiv="refresh"' in page.text
    assert set(cards(page.text)) == {state.device for state in healths.ALL_STATES}
    screens.controller.report = healths.told([healths.ANTENNA])
    assert set(cards(get(f"{screens.url}/technician?lang=en").text)) == {"antenna-2"}


def test_an_open_page_follows(screens: Screens) -> None:
    screens.controller.report = healths.told([healths.ANTENNA])
    with events(screens.url, "technician") as stream:
        kind, parts = next(stream)
        assert (kind, set(parts)) == ("parts", {"demo", "tilt", "status", "uplink", "witness", "health"})
        assert 'data-state="ready"' in parts["health"]
        screens.controller.report = healths.told([replace(healths.ANTENNA, state=DeviceState.LOST)])
        for kind, parts in stream:
            if kind == "parts" and "health" in parts and 'data-state="lost"' in parts["health"]:
                break


def nonsense() -> Iterator[dict[str, Any]]:
    good = healths.told([healths.ANTENNA])
    yield {"ok": False, "error": "expected something else"}
    yield {**good, "devices": [{**good["devices"][0], "state": "unheard-of"}]}
    yield {**good, "devices": [{**good["devices"][0], "frames": "many"}]}
    yield {**good, "incidents": 3}


@pytest.mark.parametrize("said", list(nonsense()))
def test_an_answer_that_is_none_is_no_answer(screens: Screens, said: dict[str, Any]) -> None:
    screens.controller.report = said
    assert get(f"{screens.url}/technician?lang=es").status_code == 200
    found = samples(get(f"{screens.url}/metrics").text)
    of_controller = {name: value for name, value in found.items() if not name[0].startswith("tablectl_screens_")}
    assert of_controller == {("tablectl_controller_up", ()): 0.0, ("tablectl_journal_head_missing", ()): 0.0}


def test_without_a_controller_page_and_metrics_are_there_all_the_same(socket_path: Path) -> None:
    with serving(socket_path) as url:
        assert "El controlador no responde" in get(f"{url}/technician?lang=es").text
        assert "tablectl_controller_up 0.0" in get(f"{url}/metrics").text


# --- metrics ----------------------------------------------------------------------------------------------------------


def samples(text: str) -> dict[tuple[str, tuple[str, ...]], float]:
    """Every sample by its name and the values of its labels, in the order of their names."""
    return {
        (sample.name, tuple(value for _, value in sorted(sample.labels.items()))): sample.value
        for family in text_string_to_metric_families(text)
        for sample in family.samples
    }


def test_metrics_say_that_the_journal_lacks_what_the_table_signed(screens: Screens) -> None:
    missing = ("tablectl_journal_head_missing", ())
    assert samples(get(f"{screens.url}/metrics").text)[missing] == 0
    screens.controller.note("head-missing", to_seq=812, to_hash="7e" * 32, signature="", restored=0)
    until(lambda: samples(get(f"{screens.url}/metrics").text)[missing] == 1)


def test_metrics_are_what_the_controller_says(screens: Screens) -> None:
    screens.controller.report = healths.told(healths.ALL_STATES, troubles=[TROUBLE])
    answer = get(f"{screens.url}/metrics")
    assert answer.headers["content-type"] == "text/plain; version=0.0.4; charset=utf-8"
    found = samples(answer.text)
    antenna = ("antenna-2", "pn532", "antennas")
    assert found[("tablectl_controller_up", ())] == 1
    assert found[("tablectl_controller_start_time_seconds", ())] == healths.SINCE_US / 1e6
    assert found[("tablectl_threads_in_trouble", ())] == 1
    assert found[("tablectl_journal_records_total", ())] == 90_412
    assert found[("tablectl_hands_total", ())] == 1_204
    assert found[("tablectl_incidents_total", ("THB-ERR-4",))] == 3
    assert found[("tablectl_device_state_since_seconds", antenna)] == healths.SINCE_US / 1e6
    for name, value in {
        "received_bytes": 16_771_376,
        "sent_bytes": 14_674_954,
        "garbage_bytes": 0,
        "frames": 1_048_211,
        "facts": 644,
        "retries": 2,
        "reconnects": 0,
    }.items():
        assert found[(f"tablectl_device_{name}_total", antenna)] == value


FULL = Space(holds=Holds.COPY, path="/mnt/copy", free_bytes=1_940_000_000, days=6.9, urgency=Urgency.ALARM)
FILLS = Space(holds=Holds.BACKUPS, path="/srv/b", free_bytes=51_000_000_000, days=29.5, urgency=Urgency.NOTICE)
ROOM = Space(holds=Holds.JOURNAL, path="/var/lib/t", free_bytes=90_000_000_000, days=None, urgency=Urgency.NONE)


def test_a_disk_that_fills_is_said_and_one_with_room_is_not() -> None:
    said = shown(health_of(healths.told(healths.ALL_STATES, disks=(ROOM, FULL, FILLS))))
    assert re.findall(r'role="(\w+)" data-disk="(\w+)"', said) == [("alert", "copy"), ("status", "backups")]
    text = plain(said)
    for words in (
        "Un disco está casi lleno: haga sitio ya, o la mesa se parará",
        "Segunda copia: 1,9 GB libres, 6 días de juego al ritmo actual",
        "Un disco se está llenando: haga sitio en las próximas semanas",
        "Copias de seguridad: 51,0 GB libres, 29 días de juego al ritmo actual",
    ):
        assert words in text
    assert "/mnt/copy" in text
    assert "/var/lib/t" not in text


@pytest.mark.parametrize(("has_bytes", "told"), [(300_000_000, 0), (300_000_001, 1)])
def test_a_controller_with_too_much_memory_is_said(has_bytes: int, told: int) -> None:
    said = plain(shown(health_of(healths.told(healths.ALL_STATES, memory_bytes=has_bytes))))
    assert said.count("El controlador ocupa demasiada memoria") == told


def test_the_memory_of_the_controller_is_measured_for_prometheus() -> None:
    found = samples(metrics_text(health_of(healths.told((), memory_bytes=61_000_000))).decode())
    assert found[("tablectl_controller_memory_bytes", ())] == 61_000_000


def test_the_room_on_disks_is_measured_for_prometheus() -> None:
    found = samples(metrics_text(health_of(healths.told((), disks=(ROOM, FULL, FILLS)))).decode())
    assert found[("tablectl_disk_free_bytes", ("copy", "/mnt/copy"))] == 1_940_000_000
    assert found[("tablectl_disk_full_days", ("copy", "/mnt/copy"))] == 6.9
    assert ("tablectl_disk_full_days", ("journal", "/var/lib/t")) not in found
    urgency = {labels[0]: value for (name, labels), value in found.items() if name == "tablectl_disk_urgency"}
    assert urgency == {"journal": 0, "copy": 2, "backups": 1}


def test_each_device_is_in_one_state() -> None:
    found = samples(metrics_text(all_states()).decode())
    for health in healths.ALL_STATES:
        states = {
            labels[3]: value
            for (name, labels), value in found.items()
            if name == "tablectl_device_state" and labels[0] == health.device
        }
        assert states == {state.value: float(state is health.state) for state in DeviceState}


def test_what_nobody_counts_is_left_out() -> None:
    found = samples(metrics_text(all_states()).decode())
    assert ("tablectl_device_frames_total", ("light", "patlite-lr6", "light")) not in found
    assert found[("tablectl_device_facts_total", ("light", "patlite-lr6", "light"))] == 0

"""Every alert can be said in both languages, in a phone's length, and no sentence ever names a card."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

import pytest

from tablectl.config.notifications import Target
from tablectl.config.sections import What
from tablectl.core.engine import facts as f
from tablectl.core.engine.decisions import Decision, IncidentEscalated, IncidentRaised, IncidentSeen
from tablectl.core.engine.vocabulary import Chooser, Key, Remedy, Severity
from tablectl.core.events.stream import Event, PublicRecord, decode_record
from tablectl.core.records import kind_of
from tablectl.core.timestamps import time_us
from tablectl.games.registry import RULEBOOKS
from tablectl.i18n.languages import LANGUAGES
from tablectl.i18n.table_texts import TableTexts
from tablectl.i18n.texts import load_texts
from tablectl.journal.tilt import TiltKind
from tablectl.notifications import wording
from tablectl.notifications.alerts import Alert, alerts_of, ended, gone, tilted, told_to
from tablectl.notifications.wording import PACKAGE, Scene, last_lines, sample_message, time_at, worded
from tests.engine.test_hands import FILES, rulebook_in
from tests.screens.controller import records_of
from tests.wide import once

TEXTS = load_texts(PACKAGE)
#: The longest message, in characters: what Telegram and ntfy take whole (both say 4096), with room to spare.
LONGEST = 2500
AT = "2026-11-21T22:45:03.000000Z"
AT_US = time_us(AT)
RAISED = IncidentRaised(
    incident=3,
    clause="THB-ERR-1",
    severity=Severity.ALERT,
    expected="house-face-down",
    observed="bank-card-exposed",
    chooser=Chooser.RULE,
    remedies=tuple(Remedy),
    draw=None,
)
CARDS = [f"{rank}{suit}" for rank in "23456789TJQKA" for suit in "shdc"]


def scene(rulebook: str = "texas-bonus") -> Scene:
    return Scene(table="Mesa 1", rulebook=rulebook, timezone="Europe/Madrid")


@cache
def names_of_cards() -> set[str]:
    table_texts = [TableTexts(language=language, texts=TEXTS, rulebook="texas-bonus") for language in LANGUAGES]
    return {texts.card(code) for texts in table_texts for code in CARDS}


@pytest.mark.parametrize("rulebook", once(RULEBOOKS, "texas-bonus"))
def test_every_incident_of_every_hand_has_its_words_and_names_no_card(rulebook: str) -> None:
    unknown = TEXTS.text("told", "unknown-title", "es")
    hands = [path for path in FILES if rulebook_in(path) == rulebook]
    found = [
        (path.stem, alert)
        for path in hands
        for record in records_of(path.read_text(encoding="utf-8"))
        for alert in alerts_of(decode_record(record))
    ]
    assert len(found) > len(hands) / 4
    for name, alert in found:
        said = worded(alert, scene(rulebook), LANGUAGES)
        assert not said.title.endswith(f"· {unknown}"), (name, alert)
        whole = f"{said.title}\n{said.body}"
        assert "{" not in whole, name
        assert len(whole) <= LONGEST, name
        assert not [card for card in names_of_cards() if card in whole], name
        assert not set(whole.replace(",", " ").replace(".", " ").split()) & set(CARDS), name


@pytest.mark.parametrize("kind", TiltKind)
def test_every_tilt_has_its_words(kind: TiltKind) -> None:
    said = worded(tilted(kind.value, AT), scene(), ("en", "es"))
    assert TEXTS.text("tilt", kind.value, "en") in said.title
    assert "21/11 23:45:03" in said.body


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_chooser_is_named(language: str) -> None:
    bodies = set()
    for chooser in Chooser:
        made = incident(replace(RAISED, chooser=chooser, two_persons=(Remedy.REVERSE,)))
        bodies.add(worded(made, scene(), (language,)).body)
    assert len(bodies) == len(Chooser)
    two = TableTexts(language=language, texts=TEXTS, rulebook="").say("told", "two-persons", remedy="").strip()
    assert all(body.count(two) == 1 for body in bodies)


def incident(said: IncidentRaised | IncidentEscalated) -> Alert:
    return Alert(what=What.INCIDENT, kind=kind_of(type(said)), subject="incident-3", at=AT, hand=7, said=said)


def told(event: Event, *decisions: Decision) -> PublicRecord:
    return PublicRecord(seq=1, hand=7, at_us=AT_US, event=event, decisions=decisions)


def test_an_escalated_incident_is_told_to_the_pit_boss() -> None:
    escalated = IncidentEscalated(incident=3, remedies=(Remedy.VOID_HAND, Remedy.CONTINUE))
    record = told(f.Pressed(at_us=AT_US, key=Key.SEEN), escalated)
    (made,) = alerts_of(record)
    said = worded(made, scene(), ("es",))
    assert said.title == "Mesa 1 · La incidencia 3 espera al jefe de mesa"
    assert said.body.endswith("DECIDE EL JEFE DE MESA: Anular la mano / Seguir la mano.")


def test_what_this_version_has_no_words_for_is_told_without_them() -> None:
    said = worded(replace(incident(RAISED), kind="marvelled", said=None), scene(), LANGUAGES)
    assert said.title == "Mesa 1 · Incidencia / Incident"
    assert "21/11 23:45:03" in said.body


def test_the_controller_that_is_gone_and_a_test_have_words() -> None:
    assert "desde 21/11 23:45:03" in worded(gone(AT), scene(), LANGUAGES).body
    assert sample_message(AT, scene(), ("en",)).title == "Mesa 1 · Test message"


def test_times_are_in_the_tables_zone_or_say_that_they_are_not() -> None:
    assert time_at(AT, "Europe/Madrid") == "21/11 23:45:03"
    assert time_at(AT, "") == "21/11 22:45:03 UTC"
    assert time_at(AT, "Mars/Olympus") == "21/11 22:45:03 UTC"


def test_the_last_lines_say_how_late_and_which() -> None:
    assert last_lines("abc", 0, LANGUAGES) == "id abc"
    assert last_lines("abc", 3 * 3600 + 12 * 60, ("en",)) == "Delivered late: 3 h 12 min afterwards.\nid abc"
    assert last_lines("abc", 240, ("es", "en")).splitlines()[0] == "Entregado tarde: 4 min después."


def test_a_long_rule_is_cut_at_a_word(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(wording, "RULE_CHARS", 40)
    rule = worded(incident(RAISED), scene(), ("es",)).body.splitlines()[1]
    assert rule == "THB-ERR-1: Si se ve una carta de la banca cuando…"


def test_a_lost_device_that_is_an_incident_is_told_once() -> None:
    lost = f.DeviceLost(at_us=AT_US, device="sabot", role="shoe", reason="")
    record = told(lost, replace(RAISED, observed="shoe-lost"))
    found = tuple(alerts_of(record))
    assert [alert.what for alert in found] == [What.INCIDENT, What.DEVICE]
    everything, devices = (
        Target(name="a", url="json://a"),
        Target(name="b", url="json://b", what=frozenset({What.DEVICE})),
    )
    assert [alert.what for alert in told_to(everything, found)] == [What.INCIDENT]
    assert [alert.what for alert in told_to(devices, found)] == [What.DEVICE]


def test_what_ends_is_named_as_what_began() -> None:
    seen = told(f.Acknowledged(at_us=AT_US, incident=3, by="ana"), IncidentSeen(incident=3, by="ana"))
    assert list(ended(seen)) == ["incident-3"]
    assert list(ended(told(f.DeviceBack(at_us=AT_US, device="sabot", role="shoe")))) == ["device-sabot"]


@pytest.mark.parametrize("key", sorted(TEXTS.keys("told")))
def test_every_sentence_is_there_in_both_languages(key: str) -> None:
    spanish, english = (TEXTS.text("told", key, language) for language in LANGUAGES)
    assert spanish
    assert english
    assert (spanish == english) == (key == "id")


def test_a_message_links_to_the_alarm_that_it_is_about() -> None:
    here = replace(scene(), public_url="https://mesa-1.example:8443")
    said = worded(incident(RAISED), here, ("es", "en"))
    assert said.body.endswith("\n\nhttps://mesa-1.example:8443/pit#incident-3")
    assert said.body.startswith(worded(incident(RAISED), scene(), ("es", "en")).body)


def test_a_message_links_to_nothing_where_no_address_is_known() -> None:
    assert "http" not in worded(incident(RAISED), scene(), LANGUAGES).body

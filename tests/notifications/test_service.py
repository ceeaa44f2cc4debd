"""The whole of it against a real table's socket and real servers: what is told, to whom, when, and how often."""

from __future__ import annotations

import json
import socket
import threading
from collections.abc import Mapping
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Any, Final

import msgspec
import pytest
from pytest_mock import MockerFixture

from tablectl.api.client import ask
from tablectl.config.notifications import Target
from tablectl.config.sections import What
from tablectl.core.disk_room import Holds, Space, Urgency
from tablectl.core.engine.vocabulary import Severity
from tablectl.core.timestamps import time_text, time_us
from tablectl.journal.signed_head import SignedHead
from tablectl.journal.tilt import Mark, TiltKind, leave
from tablectl.notifications import follower
from tablectl.notifications.follower import Follower
from tablectl.notifications.outbox import Outbox, OutboxUnusable, alone
from tablectl.notifications.sender import FIRST_PAUSE_S, LONGEST_PAUSE_S
from tablectl.notifications.wakeup import Wakeup
from tests.journal.test_known_heads import known, line
from tests.notifications.receivers import MailReceiver, WebReceiver
from tests.notifications.running import Life, Pigeonhole
from tests.notifications.table import INCIDENT, Table, incident
from tests.screens.controller import Bench, poker


def hook(
    web: WebReceiver,
    name: str = "hook",
    *,
    after_s: int = 0,
    timeout_s: int = 5,
    what: frozenset[What] = frozenset(What),
    severities: frozenset[Severity] = frozenset(Severity),
) -> Target:
    return Target(name=name, url=web.url(name), after_s=after_s, timeout_s=timeout_s, what=what, severities=severities)


# --- what happened before, and what happens -------------------------------------------------------------------------


def test_the_first_start_begins_with_what_happens_from_then_on(socket_path: Path, bench: Bench, tmp_path: Path) -> None:
    incident(bench, 1)
    with Table(socket_path, bench) as table, WebReceiver() as web:
        life = Life(tmp_path, socket_path, hook(web))
        life.once()
        assert web.got == []
        incident(table, 2)
        life.once()
        assert ["Incidencia 2" in posted.said["message"] for posted in web.got] == [True]


def test_it_follows_a_table_that_runs_and_tells_at_once(socket_path: Path, bench: Bench, tmp_path: Path) -> None:
    with Table(socket_path, bench) as table, WebReceiver() as web, MailReceiver() as mail:
        target = Target(name="mail", url=mail.url(), languages=("en",))
        life = Life(tmp_path, socket_path, hook(web), target)
        life.once()
        with life.running():
            incident(table, 1)
            (first,) = web.until(1)
            table.stop()
            table.start()
            incident(table, 2)
            _, second = web.until(2)
        assert (first.said["title"], second.id) == (
            "Mesa 1 · Carta de la banca a la vista / Bank card exposed",
            web.ids()[1],
        )
        (mailed, *_) = mail.got
        assert mailed["X-Tablectl-Message"] not in web.ids(), "each target has ids of its own"
        assert f"id {first.id}" in first.said["message"]


def test_a_target_without_a_wait_is_told_in_the_same_second(socket_path: Path, bench: Bench, tmp_path: Path) -> None:
    with Table(socket_path, bench) as table, WebReceiver() as web:
        life = Life(tmp_path, socket_path, Target(name="hook", url=web.url()))
        life.once()
        table.note("device-lost", device="lamp", role="light", reason="")
        life.clock.now_us = time_us(bench.records[-1]["at"])
        life.once()
        assert len(web.got) == 1


def test_a_message_says_both_languages_the_rule_and_what_is_asked(
    socket_path: Path, bench: Bench, tmp_path: Path
) -> None:
    with Table(socket_path, bench) as table, WebReceiver() as web:
        life = Life(tmp_path, socket_path, hook(web))
        life.once()
        incident(table, 1)
        life.once()
        (got,) = web.got
        lines = got.said["message"].split("\n")
        assert lines[1].startswith("THB-ERR-1: Si se ve una carta de la banca")
        assert lines[2] == "Lo decide la regla: Anular la mano."
        assert lines[5].startswith("THB-ERR-1: If a bank card is seen")
        assert got.said["type"] == "failure"


def test_each_target_is_told_what_it_wants(socket_path: Path, bench: Bench, tmp_path: Path) -> None:
    with Table(socket_path, bench) as table, WebReceiver() as web:
        quiet = hook(web, "quiet", severities=frozenset({Severity.NOTICE}))
        technician = hook(web, "technician", what=frozenset({What.DEVICE, What.DECK, What.TILT}))
        life = Life(tmp_path, socket_path, quiet, technician, hook(web))
        life.once()
        incident(table, 1)
        table.note("device-lost", device="lamp", role="light", reason="[Errno 5] secret words")
        table.note("deck-moved", deck="azul", state="quarantined", by="ana", reason="coffee")
        table.note("deck-moved", deck="azul", state="ready", by="ana", reason="dry")
        table.note("tilted", tilt="disk-full", reason="/var/lib/somewhere is full")
        life.once()
        titles = {
            name: [posted.said["title"] for posted in web.of(f"/{name}")] for name in ("quiet", "technician", "hook")
        }
        assert len(titles["quiet"]) == 3, "severities are those of incidents"
        assert titles["technician"] == [
            "Mesa 1 · Luz no responde / Light does not answer",
            "Mesa 1 · Baraja retirada / Deck withdrawn",
            "Mesa 1 · PARO: El disco está lleno / TILT: The disk is full",
        ]
        assert len(titles["hook"]) == 4
        everything = "".join(posted.text for posted in web.got)
        for typed in ("Errno", "coffee", "somewhere", "ana"):
            assert typed not in everything, "what people and devices say stays at the table"


def test_text_of_any_script_arrives_as_it_is(socket_path: Path, tmp_path: Path) -> None:
    bench = Bench()
    with Table(socket_path, bench) as table, WebReceiver() as web, MailReceiver() as mail:
        life = Life(tmp_path, socket_path, hook(web), Target(name="mail", url=mail.url()))
        life.once()
        table.note("device-lost", device="Ñandú 🂡 東", role="light", reason="")
        life.once()
        assert "Luz (Ñandú 🂡 東) no responde" in web.got[0].said["message"]
        payload = mail.got[0].get_payload(decode=True)
        assert isinstance(payload, bytes)
        assert "Luz (Ñandú 🂡 東) no responde" in payload.decode()


# --- targets that fail ----------------------------------------------------------------------------------------------


def test_a_target_that_is_down_holds_up_nobody_and_is_told_everything_in_order(
    socket_path: Path, bench: Bench, tmp_path: Path
) -> None:
    with Table(socket_path, bench) as table, WebReceiver() as web:
        web.answer = lambda posted: 503 if posted.path == "/down" else 200
        life = Life(tmp_path, socket_path, hook(web, "down"), hook(web))
        life.once()
        for number in range(1, 4):
            incident(table, number)
        life.once()
        assert (len(web.ids()), len(web.ids("/down"))) == (3, 1)
        life.clock.pass_s(LONGEST_PAUSE_S * 2)
        life.once()
        assert len(set(web.ids("/down"))) == 1, "the first one first"
        web.got.clear()
        web.answer = lambda _posted: 200
        life.clock.pass_s(LONGEST_PAUSE_S * 2)
        life.once()
        assert [f"Incidencia {number}" in message.said["message"] for number, message in enumerate(web.got, 1)] == [
            True
        ] * 3
        assert life.queues["down"].waits == 0
        assert web.ids() == [], "the other one had its own"


def test_it_waits_longer_each_time_up_to_a_ceiling_and_targets_do_not_return_together(
    socket_path: Path, bench: Bench, tmp_path: Path
) -> None:
    hole = Pigeonhole()
    hole.is_open = False
    with Table(socket_path, bench) as table, WebReceiver() as web:
        life = Life(tmp_path, socket_path, hook(web, timeout_s=1))
        life.posts["hook"] = hole
        life.once()
        incident(table, 1)
        pauses = []
        for _ in range(12):
            life.once()
            message = life.first("hook")
            assert message is not None
            pauses.append((message.next_us - life.clock()) / 1_000_000)
            life.clock.now_us = message.next_us
    assert FIRST_PAUSE_S * 0.75 <= pauses[0] <= FIRST_PAUSE_S * 1.25
    assert pauses[:6] == sorted(pauses[:6])
    assert max(pauses) <= LONGEST_PAUSE_S * 1.25
    assert pauses[-1] == pauses[-2] >= LONGEST_PAUSE_S * 0.75


def test_a_message_that_comes_late_says_so_and_when_it_was(socket_path: Path, bench: Bench, tmp_path: Path) -> None:
    with Table(socket_path, bench) as table, WebReceiver() as web:
        web.answer = lambda _posted: 500
        life = Life(tmp_path, socket_path, hook(web))
        life.once()
        incident(table, 1)
        life.clock.now_us = bench.now_us
        life.once()
        web.answer = lambda _posted: 200
        life.clock.pass_s(3 * 3600 + 12 * 60)
        life.once()
        early, late = web.got
        assert "Entregado tarde" not in early.said["message"]
        assert "Entregado tarde: " in late.said["message"]
        assert "Delivered late: " in late.said["message"]
        assert " h " in late.said["message"].partition("Entregado tarde: ")[2]
        assert "22:45:11 UTC" in late.said["message"]
        assert early.id == late.id


def test_what_waits_outlives_a_restart(socket_path: Path, bench: Bench, tmp_path: Path) -> None:
    with Table(socket_path, bench) as table, WebReceiver() as web:
        web.answer = lambda _posted: 500
        life = Life(tmp_path, socket_path, hook(web))
        life.once()
        incident(table, 1)
        life.once()
        incident(table, 2)
        web.answer = lambda _posted: 200
        life.clock.pass_s(60)
        web.got.clear()
        with life.running():
            assert len(web.until(2)) == 2
        assert len(set(web.ids())) == 2
        assert life.queues["hook"].sent == 2


def test_two_processes_do_not_send_from_one_outbox(socket_path: Path, tmp_path: Path) -> None:
    with WebReceiver() as web:
        life = Life(tmp_path, socket_path, hook(web))
        with alone(life.settings.path), pytest.raises(OutboxUnusable, match="another process"):
            life.once()


@pytest.mark.slow
def test_ten_thousand_incidents_are_told_each_once_and_in_order(
    socket_path: Path, bench: Bench, tmp_path: Path
) -> None:
    table = Table(socket_path, bench)
    hole = Pigeonhole()
    with table:
        life = Life(tmp_path, socket_path, Target(name="hook", url="json://127.0.0.1"))
        life.posts["hook"] = hole
        life.once()
    incident(bench, 1)
    raised = next(
        record for record in bench.records if any(said["kind"] == "incident-raised" for said in record["decisions"])
    )
    for number in range(2, 10_001):
        said = {**raised["decisions"][0], "incident": number}
        bench.records.append({**raised, "seq": len(bench.records) + 1, "decisions": [said]})
    with Table(socket_path, bench):
        life.once()
        assert len({identity for identity, _ in hole.got}) == len(hole.got) == 10_000
        assert [f"Incidencia {number} de" in body for number, (_, body) in enumerate(hole.got, 1)] == [True] * 10_000
        life.once()
        assert len(hole.got) == 10_000


# --- escalation -----------------------------------------------------------------------------------------------------


#: The pit boss has to rule.
RULED: Final = "press new-hand\nbet 1 ante 1000\ncall by croupier"


def test_an_escalation_is_told_only_if_nobody_acknowledges_it_in_time(
    socket_path: Path, bench: Bench, tmp_path: Path
) -> None:
    with Table(socket_path, bench) as table, WebReceiver() as web:
        life = Life(tmp_path, socket_path, hook(web, after_s=60), hook(web, "now"))
        life.clock.now_us = bench.now_us
        life.once()
        table.lines(RULED)
        life.once()
        table.line("acknowledge 1 by pit-boss")
        life.clock.pass_s(3600)
        life.once()
        assert (len(web.ids()), len(web.ids("/now"))) == (0, 1)
        assert life.queues["hook"].spared == 1


def test_an_escalation_that_nobody_acknowledges_is_told_when_it_is_due(
    socket_path: Path, bench: Bench, tmp_path: Path
) -> None:
    with Table(socket_path, bench) as table, WebReceiver() as web:
        life = Life(tmp_path, socket_path, hook(web, after_s=60))
        life.clock.now_us = bench.now_us
        life.once()
        table.lines(RULED)
        life.clock.now_us = bench.now_us
        life.once()
        life.clock.pass_s(50)
        life.once()
        assert web.got == []
        life.clock.pass_s(10)
        life.once()
        assert len(web.got) == 1
        assert "tarde" not in web.got[0].said["message"], "it is in time: so long was it to wait"


def test_what_was_acknowledged_too_late_is_told_however_late_that_is_read(
    socket_path: Path, bench: Bench, tmp_path: Path
) -> None:
    with Table(socket_path, bench) as table, WebReceiver() as web:
        life = Life(tmp_path, socket_path, hook(web, after_s=1), hook(web, "slow", after_s=3600))
        life.once()
        table.lines(RULED)
        table.line("acknowledge 1 by pit-boss")
        life.once()
        assert (len(web.ids()), len(web.ids("/slow"))) == (1, 0)


def test_an_incident_that_is_decided_needs_no_escalation_and_a_foreign_device_does(
    socket_path: Path, bench: Bench, tmp_path: Path
) -> None:
    with Table(socket_path, bench) as table, WebReceiver() as web:
        life = Life(tmp_path, socket_path, hook(web, after_s=60))
        life.clock.now_us = bench.now_us
        life.once()
        table.lines(INCIDENT + "press confirm\nusb plugged foreign 1234:abcd at 1-1")
        life.once()
        life.clock.pass_s(3600)
        life.once()
        (told,) = web.got
        assert "2" in told.said["title"] + told.said["message"]
        assert "Ninguna regla del juego" in told.said["message"]
        assert life.queues["hook"].spared == 1


LOST = {"kind": "device-lost", "device": "lamp", "role": "light", "reason": ""}
BACK = {"kind": "device-back", "device": "lamp", "role": "light"}
TILTED = {"kind": "tilted", "tilt": "disk-full", "reason": ""}
CLEARED = {"kind": "cleared", "by": "ana", "reason": ""}
WITHDRAWN = {"kind": "deck-moved", "deck": "azul", "state": "quarantined", "by": "ana", "reason": ""}
GOOD = {**WITHDRAWN, "state": "ready"}


@pytest.mark.parametrize(("begins", "ends"), [(LOST, BACK), (TILTED, CLEARED), (WITHDRAWN, GOOD)])
def test_an_escalation_of_what_is_over_is_not_needed(
    begins: dict[str, Any], ends: dict[str, Any], socket_path: Path, bench: Bench, tmp_path: Path
) -> None:
    with Table(socket_path, bench) as table, WebReceiver() as web:
        life = Life(tmp_path, socket_path, hook(web, after_s=60))
        life.clock.now_us = bench.now_us
        life.once()
        table.note(**begins)
        table.note(**ends)
        table.note(**begins)
        life.clock.pass_s(3600)
        life.once()
        assert (life.queues["hook"].spared, len(web.got)) == (1, 1)


@pytest.mark.parametrize(
    ("fact", "decision"),
    [
        (
            {"kind": "shelved", "minutes": 60, "reason": "lamp ordered"},
            {"kind": "alarm-shelved", "until_us": 1, "reason": "lamp ordered"},
        ),
        ({"kind": "acknowledged", "incident": 0}, {"kind": "alarm-seen"}),
    ],
    ids=["alarm-shelved", "alarm-seen"],
)
def test_an_alarm_that_somebody_knows_of_is_not_escalated(
    fact: dict[str, Any], decision: dict[str, Any], socket_path: Path, bench: Bench, tmp_path: Path
) -> None:
    with Table(socket_path, bench) as table, WebReceiver() as web:
        life = Life(tmp_path, socket_path, hook(web, after_s=60))
        life.clock.now_us = bench.now_us
        life.once()
        table.note("device-lost", device="lamp", role="light", reason="")
        bench.records.append(
            {
                **bench.records[-1],
                "seq": len(bench.records) + 1,
                "fact": {**fact, "alarm": "device-lamp", "by": "ana"},
                "decisions": [{**decision, "alarm": "device-lamp", "by": "ana"}],
            }
        )
        table.note("stopped", why="test")
        life.clock.pass_s(3600)
        life.once()
        assert (life.queues["hook"].spared, others(web)) == (1, [])


# --- attempts on the table -------------------------------------------------------------------------------------------


def test_attempts_are_told_without_a_name_and_with_what_to_do(socket_path: Path, bench: Bench, tmp_path: Path) -> None:
    at = "2026-11-28T10:00:00.000000Z"
    with Table(socket_path, bench) as table, WebReceiver() as web:
        life = Life(tmp_path, socket_path, hook(web))
        life.once()
        table.note("security", cause="sign-ons", count=12, first=at, last=at, source="ana")
        life.once()
        (got,) = web.got
    assert got.said["title"] == "Mesa 1 · CONTRASEÑAS EQUIVOCADAS UNA Y OTRA VEZ / WRONG PASSWORDS AGAIN AND AGAIN"
    assert "wrong passwords or PINs: 12×" in got.said["message"]
    assert "Nobody got in by these." in got.said["message"]
    assert "ana" not in got.said["message"]


# --- the room on the disks -------------------------------------------------------------------------------------------

FILLS = Space(holds=Holds.COPY, path="/mnt/copy", free_bytes=51_000_000_000, days=29.5, urgency=Urgency.NOTICE)
FULL = replace(FILLS, free_bytes=1_940_000_000, days=6.9, urgency=Urgency.ALARM)
ROOM = replace(FILLS, days=None, urgency=Urgency.NONE)
TITLES = {
    Urgency.NOTICE: "Mesa 1 · Un disco se está llenando / A disk fills",
    Urgency.ALARM: "Mesa 1 · DISCO CASI LLENO / A DISK IS ALMOST FULL",
}


def test_a_disk_is_told_once_for_each_change_of_level(socket_path: Path, bench: Bench, tmp_path: Path) -> None:
    with Table(socket_path, bench) as table, WebReceiver() as web:
        life = Life(tmp_path, socket_path, hook(web))
        found = (ROOM, FILLS, replace(FILLS, days=20.0), FULL, FULL, FILLS, ROOM, FILLS)
        for disk in found:
            table.disks = (replace(ROOM, holds=Holds.JOURNAL), disk)
            life.once()
            life.once()
            life.clock.pass_s(1)
        expected = [Urgency.NOTICE, Urgency.ALARM, Urgency.NOTICE, Urgency.NOTICE]
        assert [message.said["title"] for message in web.got] == [TITLES[urgency] for urgency in expected]
        assert len(set(web.ids())) == len(expected)


def test_a_message_says_what_lies_there_and_the_room_and_no_folder(
    socket_path: Path, bench: Bench, tmp_path: Path
) -> None:
    with Table(socket_path, bench) as table, WebReceiver() as web:
        table.disks = (FULL,)
        Life(tmp_path, socket_path, hook(web)).once()
        (got,) = web.got
        assert "Segunda copia: 1,9 GB libres, 6 días de juego al ritmo actual" in got.said["message"]
        assert "Second copy: 1.9 GB free, 6 dealing days at the present rate" in got.said["message"]
        assert "/mnt/copy" not in got.said["message"]
        assert got.said["type"] == "failure"


def test_a_disk_that_fills_while_the_table_runs_is_told(socket_path: Path, bench: Bench, tmp_path: Path) -> None:
    with Table(socket_path, bench) as table, WebReceiver() as web:
        life = Life(tmp_path, socket_path, hook(web))
        with life.running():
            for number, disk in enumerate((FILLS, FULL), start=1):
                table.disks = (disk,)
                life.clock.pass_s(61)
                assert web.until(number)[-1].said["title"] == TITLES[disk.urgency]


def test_a_disk_that_fills_while_the_first_answer_is_under_way_is_asked_for_after_the_usual_time(
    socket_path: Path, bench: Bench, tmp_path: Path, mocker: MockerFixture
) -> None:
    with Table(socket_path, bench) as table, WebReceiver() as web:
        life = Life(tmp_path, socket_path, hook(web))

        def then_it_fills(path: Path, question: Mapping[str, object]) -> Mapping[str, object]:
            answer = ask(path, question)
            if not table.disks:
                table.disks = (FULL,)
                life.clock.pass_s(61)
            return answer

        mocker.patch.object(follower, "ask", then_it_fills)
        with life.running():
            assert web.until(1)[-1].said["title"] == TITLES[Urgency.ALARM]


def test_what_a_watch_does_not_say_changes_nothing(socket_path: Path, bench: Bench, tmp_path: Path) -> None:
    with Table(socket_path, bench) as table, WebReceiver() as web:
        life = Life(tmp_path, socket_path, hook(web))
        for disks in ((FULL,), (), (FULL,)):
            table.disks = disks
            life.once()
        assert len(web.got) == 1


def test_it_goes_to_whoever_wants_disks_and_is_not_escalated_where_there_is_room_again(
    socket_path: Path, bench: Bench, tmp_path: Path
) -> None:
    with Table(socket_path, bench) as table, WebReceiver() as web:
        slow = hook(web, "slow", after_s=60, what=frozenset({What.DISK}))
        life = Life(tmp_path, socket_path, hook(web, what=frozenset(What) - {What.DISK}), slow)
        for disk in (FULL, ROOM):
            table.disks = (disk,)
            life.once()
            life.clock.pass_s(1)
        assert life.queues["slow"].spared == 1
        life.clock.pass_s(3600)
        life.once()
        assert web.got == []


# --- without a controller -------------------------------------------------------------------------------------------


def test_a_controller_that_is_gone_for_long_is_told_once(socket_path: Path, bench: Bench, tmp_path: Path) -> None:
    with WebReceiver() as web:
        life = Life(tmp_path, socket_path, hook(web), gone_s=1)
        with Table(socket_path, bench):
            life.once()
        with life.running():
            while not life.log.events("no controller"):
                pass
            life.clock.pass_s(2)
            (told,) = web.until(1)
            assert told.said["title"] == "Mesa 1 · El controlador no responde / The controller does not answer"
            with Table(socket_path, bench) as table:
                incident(table, 1)
                assert "Incidencia 1" in web.until(2)[1].said["message"]
        assert len(web.got) == 2


@pytest.mark.parametrize(
    ("last", "is_missed"),
    [({"kind": "stopped", "why": "test"}, False), ({"kind": "device-back", "device": "lamp", "role": "light"}, True)],
    ids=["stopped-False", "device-back-True"],
)
def test_one_that_ended_in_order_is_missed_by_nobody(
    last: dict[str, Any], *, is_missed: bool, socket_path: Path, bench: Bench, tmp_path: Path
) -> None:
    life = Life(tmp_path, socket_path, Target(name="hook", url="json://127.0.0.1"), gone_s=1)
    with closing(Outbox(life.settings.path)) as outbox:
        follower = Follower(
            socket_path,
            (life.mark,),
            outbox,
            life.settings.targets,
            table="Mesa 1",
            gone_s=1,
            now_us=life.clock,
            wakeup=Wakeup(),
            log=life.log,
        )
        with Table(socket_path, bench) as table:
            follower.catch_up()
            table.note(**last)
            follower.catch_up()
        for _ in range(2):
            follower.catch_up()
            life.clock.pass_s(100)
        assert (outbox.first("hook") is not None) == is_missed


def test_a_tilt_that_could_not_be_recorded_is_told_by_its_mark_and_once(
    socket_path: Path, bench: Bench, tmp_path: Path
) -> None:
    with WebReceiver() as web:
        life = Life(tmp_path, socket_path, hook(web))
        with Table(socket_path, bench):
            life.once()
        leave(Mark(kind=TiltKind.DAMAGED, reason="/a/file", at=time_text(bench.now_us)), [life.mark])
        life.once()
        life.once()
        assert [posted.said["title"] for posted in web.got] == [
            "Mesa 1 · PARO: El registro está dañado / TILT: The journal is damaged"
        ]
        bench.note("tilted", tilt="journal-damaged", reason="/a/file")
        bench.note("cleared", by="ana", reason="another disk")
        life.mark.unlink()
        with Table(socket_path, bench):
            life.once()
        assert len(web.got) == 1, "its record and its mark are one tilt"
        leave(Mark(kind=TiltKind.DAMAGED, reason="/a/file", at=time_text(bench.now_us)), [life.mark])
        life.once()
        assert len(web.got) == 2, "after the clearing it is another one"


def test_a_tilt_on_record_is_not_told_again_by_its_mark(socket_path: Path, bench: Bench, tmp_path: Path) -> None:
    with WebReceiver() as web:
        life = Life(tmp_path, socket_path, hook(web))
        with Table(socket_path, bench) as table:
            life.once()
            leave(Mark(kind=TiltKind.DISK_FULL, reason="", at=time_text(bench.now_us)), [life.mark])
            table.note("tilted", tilt="disk-full", reason="")
            life.once()
        life.once()
        assert len(web.got) == 1


@pytest.mark.parametrize("at", ["", "yesterday", "2026-11-21"])
def test_a_mark_without_a_time_is_told_all_the_same(at: str, socket_path: Path, bench: Bench, tmp_path: Path) -> None:
    with WebReceiver() as web:
        life = Life(tmp_path, socket_path, hook(web))
        with Table(socket_path, bench):
            life.once()
        leave(Mark(kind=TiltKind.KEY, reason="", at=at), [life.mark])
        life.once()
        life.once()
        assert ["PARO" in posted.said["title"] for posted in web.got] == [True]


def hangs_up_at_once(path: Path, bench: Bench) -> threading.Thread:
    """A controller that says how far it is, then all its records in one breath, and is gone."""
    listener = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    listener.bind(str(path))
    listener.listen()

    def serve() -> None:
        with listener:
            for answer in ([{"records": 1}], [bench.greeting, *hashed(bench)]):
                connection, _ = listener.accept()
                with connection:
                    connection.recv(4096)
                    connection.sendall(b"".join(json.dumps(entry).encode() + b"\n" for entry in answer))

    thread = threading.Thread(target=serve)
    thread.start()
    return thread


def hashed(bench: Bench) -> list[dict[str, Any]]:
    return [{**record, "hash": f"{record['seq']:064x}"} for record in bench.records]


def test_the_last_words_of_a_controller_are_heard(socket_path: Path, bench: Bench, tmp_path: Path) -> None:
    incident(bench, 1)
    bench.note("stopped", why="signal")
    with WebReceiver() as web:
        life = Life(tmp_path, socket_path, hook(web), gone_s=1)
        thread = hangs_up_at_once(socket_path, bench)
        with life.running():
            assert "Incidencia 1" in web.until(1)[0].said["message"]
            thread.join(10)
        place = life.place
        assert place is not None
        assert place.kind == "stopped"


# --- another journal ------------------------------------------------------------------------------------------------


#: The title of what is told at once of another journal, in one language.
ROLLED_BACK = "El registro es más antiguo que antes"


def others(web: WebReceiver) -> list[str]:
    """What was told besides."""
    return [posted.said["message"] for posted in web.got if ROLLED_BACK not in posted.said["title"]]


@pytest.mark.parametrize("is_shorter", [True, False])
def test_that_a_journal_was_put_back_is_told_at_once_and_once(
    socket_path: Path, tmp_path: Path, *, is_shorter: bool
) -> None:
    bench, other = Bench(), Bench()
    with WebReceiver() as web:
        life = Life(tmp_path, socket_path, hook(web))
        with Table(socket_path, bench) as table:
            life.once()
            table.note("stopped", why="the files are exchanged")
            life.once()
        for _ in range(0 if is_shorter else len(bench.records)):
            other.note("stopped", why="another past")
        with Table(socket_path, other):
            life.once()
            life.once()
        (told,) = web.got
        assert ROLLED_BACK in told.said["title"]
        assert "The journal is an older one than before" in told.said["title"]
        assert "tell the auditor" in told.said["message"]
        assert life.log.events("another journal")


def missing(head: SignedHead) -> dict[str, Any]:
    return {"to_seq": head.seq, "to_hash": head.hash, "signature": head.signature, "restored": 0}


def test_what_is_found_from_here_and_stands_in_a_record_is_told_once(
    socket_path: Path, tmp_path: Path, bench: Bench
) -> None:
    """Another one who follows the table may have shown it to the controller first."""
    heads = known(tmp_path / "notifications.db.heads", line(9))
    head = heads.head
    assert head is not None
    heads.keep()
    with Table(socket_path, bench) as table, WebReceiver() as web:
        life = Life(tmp_path, socket_path, hook(web))
        life.once()
        table.note("head-missing", **missing(head))
        life.once()
        life.once()
        (told,) = web.got
        assert ROLLED_BACK in told.said["title"]
        table.note("head-missing", **missing(msgspec.structs.replace(head, hash="7e" * 32)))
        life.once()
        assert len(web.got) == 2, "another record is missing as well"


def test_that_a_record_is_missing_is_not_told_later_where_two_persons_accepted_it(
    socket_path: Path, tmp_path: Path, bench: Bench
) -> None:
    head = known(None, line(9)).head
    assert head is not None
    with Table(socket_path, bench) as table, WebReceiver() as web:
        life = Life(tmp_path, socket_path, hook(web, after_s=60))
        life.once()
        table.note("head-missing", **missing(head))
        table.note("rollback-accepted", to_seq=9, to_hash=head.hash, by="ana", second="luis", reason="")
        life.clock.pass_s(3600)
        life.once()
        assert web.got == []


def test_a_journal_that_was_made_anew_is_followed_from_its_beginning(socket_path: Path, tmp_path: Path) -> None:
    old, new = Bench(), Bench()
    with WebReceiver() as web:
        life = Life(tmp_path, socket_path, hook(web))
        with Table(socket_path, old) as table:
            life.once()
            incident(table, 1)
            life.once()
        for _ in range(len(old.records)):
            new.note("stopped", why="older")
        incident(new, 1)
        with Table(socket_path, new):
            life.once()
            life.once()
        assert [f"Incidencia {1}" in other for other in others(web)] == [True, True]
        assert len(set(web.ids())) == 3
        assert len(life.log.events("another journal")) == 1


def test_a_journal_restored_without_its_end_tells_nothing_again_and_nothing_is_missed(
    socket_path: Path, tmp_path: Path
) -> None:
    bench = Bench()
    with WebReceiver() as web:
        life = Life(tmp_path, socket_path, hook(web))
        with Table(socket_path, bench) as table:
            life.once()
            incident(table, 1)
            incident(table, 2)
            life.once()
        restored = Bench()
        incident(restored, 1)
        assert restored.records == bench.records[: len(restored.records)]
        for _ in range(20):
            restored.note("stopped", why="time passes")
        incident(restored, 2)
        with Table(socket_path, restored):
            life.once()
            life.once()
        assert len(others(web)) == 3
        assert len(web.got) == len(set(web.ids())) == 4
        assert len(life.log.events("another journal")) == 1


def test_what_another_journal_says_of_times_before_is_not_told(socket_path: Path, tmp_path: Path) -> None:
    old, other = Bench(), Bench(poker())
    incident(old, 1)
    for _ in range(20):
        other.note("stopped", why="another table's past")
    assert other.records[3]["at"] < old.records[-1]["at"]
    other.records[3] = {**other.records[3], "decisions": [raised(old)]}
    for _ in range(20):
        other.note("stopped", why="and present")
    other.records[-1]["decisions"] = [{**raised(old), "incident": 7}]
    with WebReceiver() as web:
        life = Life(tmp_path, socket_path, hook(web))
        with Table(socket_path, old) as table:
            life.once()
            table.note("stopped", why="the file is exchanged")
            life.once()
        with Table(socket_path, other):
            life.once()
            life.once()
        assert [text.partition(" de la")[0] for text in others(web)] == ["Incidencia 7"]


def raised(bench: Bench) -> dict[str, Any]:
    """The decision of the first incident."""
    said = (decision for record in bench.records for decision in record["decisions"])
    return next(decision for decision in said if decision["kind"] == "incident-raised")


def test_a_shorter_journal_is_another_one(socket_path: Path, tmp_path: Path) -> None:
    bench = Bench()
    with WebReceiver() as web:
        life = Life(tmp_path, socket_path, hook(web))
        with Table(socket_path, bench) as table:
            life.once()
            incident(table, 1)
            life.once()
        with Table(socket_path, Bench()) as table:
            life.once()
            assert len(life.log.events("another journal")) == 1
            for _ in range(20):
                table.note("stopped", why="time passes")
            incident(table, 1)
            life.once()
        assert len(others(web)) == 2
        assert len(web.got) == len(set(web.ids())) == 3


@pytest.mark.parametrize("later_s", [0, 600])
def test_an_acknowledgement_in_a_restored_journal_counts(later_s: int, socket_path: Path, tmp_path: Path) -> None:
    bench = Bench()
    with WebReceiver() as web:
        life = Life(tmp_path, socket_path, hook(web, after_s=3600))
        life.clock.now_us = bench.now_us + later_s * 1_000_000
        with Table(socket_path, bench) as table:
            life.once()
            table.lines(INCIDENT + "press confirm")
            table.note("stopped", why="lost with the disk")
            life.once()
        restored = Bench()
        restored.lines(INCIDENT + "press confirm")
        restored.line("acknowledge 1 by pit-boss")
        with Table(socket_path, restored):
            life.once()
            life.once()
        life.clock.pass_s(7200)
        life.once()
        assert (life.queues["hook"].spared, others(web)) == (1, [])

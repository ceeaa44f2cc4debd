"""Heads leave the machine, to a share, a mailbox and a program, and find an older journal when all others forgot."""

from __future__ import annotations

from contextlib import closing
from dataclasses import replace
from datetime import time
from pathlib import Path
from typing import Final

import pytest

from simulators.stage.stage import Scene, config_text
from tablectl.cli.main import main
from tablectl.config.notifications import Target
from tablectl.config.sections import TOLD, What
from tablectl.config.table_file import BadConfig, load
from tablectl.config.witness import WitnessSettings, state_of
from tablectl.core.timestamps import time_text, time_us
from tablectl.journal.known_heads import KnownHeads
from tablectl.journal.signed_head import SignedHead, heads_in
from tablectl.notifications.appending import NotKept
from tablectl.notifications.outbox import Outbox
from tablectl.notifications.witness import AGAIN_US, FilePlace, Witness
from tablectl.notifications.witness_state import Kept as KeptHead
from tablectl.notifications.witness_state import read_state
from tests.desk import KeptLog
from tests.journal.test_known_heads import accepted, known, line, lost
from tests.notifications.receivers import MailReceiver, WebReceiver
from tests.notifications.running import Clock, Life
from tests.notifications.table import Table
from tests.screens.controller import Bench
from tests.waiting import until

MINUTE_US: Final = 60_000_000
#: Noon in Madrid, on a Saturday.
NOON_US: Final = time_us("2026-11-21T11:00:00.000000Z")

#: Of a place of which nothing is known yet.
NOTHING: Final = KeptHead()


class Kept:
    """A place that keeps what it is given, or does not."""

    name = "kept"
    every_s = 0

    def __init__(self) -> None:
        self.got: list[int] = []
        self.why = ""

    def keep(self, head: SignedHead, _at_us: int) -> None:
        if self.why:
            raise NotKept(self.why)
        self.got.append(head.seq)

    def trouble(self) -> str:
        return ""


def settings(folder: Path) -> WitnessSettings:
    return WitnessSettings(state=folder / "state", every_s=600, begins=(time(14), time(22)))


@pytest.fixture
def heads() -> KnownHeads:
    return known(None, line(3))


@pytest.fixture
def clock() -> Clock:
    return Clock(NOON_US)


@pytest.fixture
def place() -> Kept:
    return Kept()


@pytest.fixture
def witness(tmp_path: Path, heads: KnownHeads, clock: Clock, place: Kept) -> Witness:
    return Witness(settings(tmp_path), [place], heads, clock, KeptLog())


def test_a_head_leaves_at_once_and_then_every_ten_minutes_where_there_is_a_newer_one(
    witness: Witness, heads: KnownHeads, clock: Clock, place: Kept
) -> None:
    witness.step()
    heads.saw(line(4))
    witness.step()
    assert place.got == [3]
    clock.pass_s(599)
    witness.step()
    assert place.got == [3]
    clock.pass_s(1)
    witness.step()
    assert place.got == [3, 4]
    clock.pass_s(3600)
    witness.step()
    assert place.got == [3, 4], "there is none that is newer"


def test_it_leaves_at_the_end_of_a_shift_by_the_clock_of_the_house(
    witness: Witness, heads: KnownHeads, clock: Clock, place: Kept
) -> None:
    clock.now_us = time_us("2026-11-21T12:55:00.000000Z")
    witness.step()
    heads.saw(line(4))
    clock.now_us = time_us("2026-11-21T12:59:59.000000Z")
    witness.step()
    assert place.got == [3]
    clock.now_us = time_us("2026-11-21T13:00:00.000000Z")  # 14:00 in Madrid
    witness.step()
    assert place.got == [3, 4]


def test_a_place_that_fails_is_tried_every_minute_and_given_the_newest_head(
    witness: Witness, heads: KnownHeads, clock: Clock, place: Kept, tmp_path: Path
) -> None:
    place.why = "the share is away"
    witness.step()
    kept = read_state(tmp_path / "state").places["kept"]
    assert (kept.seq, kept.why, kept.since) == (0, "the share is away", time_text(NOON_US))
    heads.saw(line(4))
    place.why = ""
    clock.now_us += AGAIN_US - 1
    witness.step()
    assert place.got == []
    clock.now_us += 1
    witness.step()
    assert place.got == [4]
    kept = read_state(tmp_path / "state").places["kept"]
    assert (kept.seq, kept.why, kept.since) == (4, "", "")


def test_what_comes_after_an_acceptance_is_known_elsewhere_at_once(
    witness: Witness, heads: KnownHeads, place: Kept
) -> None:
    """So that an older journal that is put in place after it is not taken for the one that was accepted."""
    witness.step()
    lost(heads, records=2)
    heads.saw(accepted(4, 3))
    witness.step()
    assert place.got == [3, 4]


def test_a_start_goes_on_where_it_was(
    tmp_path: Path, witness: Witness, heads: KnownHeads, clock: Clock, place: Kept
) -> None:
    witness.step()
    heads.saw(line(4))
    again = Witness(settings(tmp_path), [place], heads, clock, KeptLog())
    again.step()
    assert place.got == [3]


# --- a file on a share ------------------------------------------------------------------------------------------------


def head(seq: int = 3) -> SignedHead:
    found = known(None, line(seq)).head
    assert found is not None
    return found


def test_each_head_is_a_line_of_the_file(tmp_path: Path) -> None:
    place = FilePlace(tmp_path / "heads", "Mesa 1")
    place.keep(head(3), NOON_US)
    place.keep(head(4), NOON_US + MINUTE_US)
    first, second = (tmp_path / "heads").read_text().splitlines()
    assert first == f"2026-11-21T11:00:00.000000Z Mesa 1: {head(3).line}"
    assert list(heads_in(second)) == [head(4)]


def test_a_line_that_was_torn_spoils_no_other(tmp_path: Path) -> None:
    (tmp_path / "heads").write_bytes(b"2026-11-21T10:59:00.000000Z Mesa 1: tablectl he")
    FilePlace(tmp_path / "heads", "Mesa 1").keep(head(), NOON_US)
    assert list(heads_in((tmp_path / "heads").read_text())) == [head()]


def test_a_share_that_is_not_there_is_no_file_of_this_machine(tmp_path: Path) -> None:
    with pytest.raises(NotKept, match="away/heads"):
        FilePlace(tmp_path / "away" / "heads", "Mesa 1").keep(head(), NOON_US)
    assert not (tmp_path / "away").exists()


# --- the service ------------------------------------------------------------------------------------------------------


def life_of(folder: Path, socket: Path, *targets: Target, file: Path | None = None) -> Life:
    """Of a table that signed record 3, as its notifications know it."""
    made = Life(folder, socket, *targets)
    outbox = made.settings.path
    witnessed = replace(settings(folder), state=state_of(outbox), file=file)
    made.settings = replace(made.settings, witness=witnessed)
    remembered = known(outbox.with_name(f"{outbox.name}.heads"), line(3))
    remembered.keep()
    return made


def test_heads_go_to_a_program_a_mailbox_and_a_file_and_to_no_phone(
    socket_path: Path, tmp_path: Path, bench: Bench
) -> None:
    wants = frozenset({What.HEAD})
    with Table(socket_path, bench) as table, WebReceiver() as web, MailReceiver() as mail:
        life = life_of(
            tmp_path,
            socket_path,
            Target(name="program", url=web.url("program"), what=wants),
            Target(name="mail", url=mail.url(), what=wants, languages=("en",)),
            Target(name="phone", url=web.url("phone")),
            file=tmp_path / "heads",
        )
        table.stop()  # a controller that does not know this head as its own would be told of
        life.once()
        (posted,) = web.of("/program")
        assert list(heads_in(posted.said["message"])) == [head()]
        assert "anotación 3" in posted.said["message"]
        (mailed,) = mail.got
        assert list(heads_in(mailed.as_string())) == [head()], "as it came, with broken lines"
        assert web.of("/phone") == []
        assert list(heads_in((tmp_path / "heads").read_text())) == [head()]
        state = read_state(life.settings.path.with_name("notifications.db.witness"))
        assert {name: kept.seq for name, kept in state.places.items()} == {"file": 3, "program": 3, "mail": 3}


def test_a_service_that_runs_gives_heads_to_a_share_that_comes_back(
    socket_path: Path, tmp_path: Path, bench: Bench
) -> None:
    share = tmp_path / "share"
    with Table(socket_path, bench) as table:
        life = life_of(tmp_path, socket_path, file=share / "heads")
        table.stop()
        state = life.settings.path.with_name("notifications.db.witness")
        with life.running():
            until(lambda: bool(read_state(state).places.get("file", NOTHING).why))
            share.mkdir()
            life.clock.pass_s(60)
            until((share / "heads").exists)
            until(lambda: read_state(state).places["file"].seq == 3)
    assert list(heads_in((share / "heads").read_text())) == [head()]


def test_of_heads_that_wait_only_the_newest_is_sent(socket_path: Path, tmp_path: Path) -> None:
    with WebReceiver() as web:
        life = life_of(
            tmp_path, socket_path, Target(name="program", url=web.url("program"), what=frozenset({What.HEAD}))
        )
        outbox = life.settings.path
        web.answer = lambda _: 503
        life.once()
        newer = known(outbox.with_name(f"{outbox.name}.heads"), line(4), line(5))
        newer.keep()
        life.clock.pass_s(600)
        web.answer = lambda _: 200
        life.once()
        sent = web.got[-1].said["message"]
        assert [found.seq for found in heads_in(sent)] == [5]
        with closing(Outbox(outbox)) as box:
            (queue,) = box.queues()
        assert (queue.waits, queue.spared, queue.sent) == (0, 1, 1)


def test_who_does_not_say_what_he_wants_gets_no_heads() -> None:
    assert What.HEAD not in TOLD
    assert set(TOLD) == set(What) - {What.HEAD}


def test_a_table_with_a_witness_alone_has_a_process_that_says_how_it_is(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    config = tmp_path / "table.toml"
    told = f'[witness]\nfile = "{tmp_path}/heads"\nevery_minutes = 5\n[notifications]\npath = "{tmp_path}/out.db"\n'
    config.write_text(f"{config_text(Scene(), tmp_path)}\n{told}", encoding="utf-8")
    known(tmp_path / "out.db.heads", line(3)).keep()
    assert main(["notifications", str(config), "--once"]) == 0
    assert list(heads_in((tmp_path / "heads").read_text())) == [head()]
    capsys.readouterr()
    assert main(["notifications", str(config), "--status"]) == 0
    assert "witness file: has record 3 since" in capsys.readouterr().out


def test_what_is_wrong_with_the_section_is_said(tmp_path: Path) -> None:
    config = tmp_path / "table.toml"
    text = f'{config_text(Scene(), tmp_path)}\n[witness]\nevery_minutes = 0\nfiles = "/mnt/heads"\n'
    config.write_text(text, encoding="utf-8")
    with pytest.raises(BadConfig) as wrong:
        load(config)
    assert {mistake.key for mistake in wrong.value.mistakes} == {"witness.every_minutes", "witness.files"}


def test_the_file_is_checked_where_it_is_to_lie(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    config, share = tmp_path / "table.toml", tmp_path / "share"
    text = f'{config_text(Scene(), tmp_path)}\n[witness]\nfile = "{share}/mesa-1.heads"\n'
    config.write_text(text, encoding="utf-8")
    said = []
    for _ in range(2):
        assert main(["check-config", str(config), "--language", "en"]) == 0
        said.append(capsys.readouterr().out)
        share.mkdir(exist_ok=True)
    assert "is not there now, so no head of the journal leaves this machine" in said[0]
    assert "lies on a disk of this table" in said[1]
